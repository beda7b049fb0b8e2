//! Prints the line and the column of each element with a name, and its start tag: `lines img <page.html`

use speclex::{Columns, LineIndex};
use std::{env, io};

fn main() -> io::Result<()> {
    let page = io::read_to_string(io::stdin())?;
    let dom = speclex::parse(&page);
    let mut lines = LineIndex::new();
    lines.push(&page);
    let name = env::args().nth(1).unwrap_or_default();
    // Copies that the parser makes and implied elements have no place.
    for span in dom.elements(&name).filter_map(|element| element.span()) {
        let start = lines.locate_span(span, Columns::Characters).start;
        println!("{}:{}: {}", start.line, start.column, &page[span.range()]);
    }
    Ok(())
}
