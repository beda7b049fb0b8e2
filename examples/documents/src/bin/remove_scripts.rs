//! A page without its scripts, but otherwise as it was written: `remove_scripts < page.html`.

use speclex::Edits;
use std::io::{read_to_string, stdin};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let page = read_to_string(stdin())?;
    let dom = speclex::parse(&page);
    let mut edits = Edits::new(&dom);
    // Those in templates, too, and those of SVG.
    for node in dom.root().descendants_with_templates() {
        if node.is("script") {
            edits.remove(node);
        }
    }
    // An error, if the rest would be another script.
    print!("{}", edits.apply().map_err(|error| error.to_string())?);
    Ok(())
}
