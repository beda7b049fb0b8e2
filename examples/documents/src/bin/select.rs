//! Prints the HTML of all elements that a CSS selector selects: `select 'table td:first-child' <page.html`

use speclex_select::Select as _;
use std::{env, error::Error, io};

fn main() -> Result<(), Box<dyn Error>> {
    let page = io::read_to_string(io::stdin())?;
    let dom = speclex::parse(&page);
    for node in dom.select(&env::args().nth(1).ok_or("give a selector")?)? {
        println!("{}", node.outer_html());
    }
    Ok(())
}
