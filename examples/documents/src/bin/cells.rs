//! Prints the rows of a page's tables, with a tab between cells: `cells <page.html`

use speclex::TextOptions;
use std::io;

fn main() -> io::Result<()> {
    let page = io::read_to_string(io::stdin())?;
    let dom = speclex::parse(&page);
    let mut options = TextOptions::default();
    (options.line_break, options.block, options.paragraph) = (" ", " ", " ");
    for row in dom.elements("tr") {
        let cells = row.children().filter(|it| it.is("td") || it.is("th"));
        let texts: Vec<_> = cells.map(|cell| cell.text_with(&options)).collect();
        println!("{}", texts.join("\t"));
    }
    Ok(())
}
