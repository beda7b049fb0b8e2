//! Prints the cells of a piece of HTML that belongs into a table row, such as `<td>1<td>2`. In another context they are no cells.

use std::{error::Error, io};

fn main() -> Result<(), Box<dyn Error>> {
    let cells = io::read_to_string(io::stdin())?;
    let dom = speclex::parse_fragment(&cells, "tr")?;
    for cell in dom.root().children().filter(|node| node.is_element()) {
        println!("{}", cell.outer_html());
    }
    Ok(())
}
