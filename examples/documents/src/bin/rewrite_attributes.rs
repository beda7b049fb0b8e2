//! A page whose links lead to another host and whose images load late: `rewrite_attributes https://example.org < page.html`.

use speclex::Edits;
use std::io::{read_to_string, stdin};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let host = std::env::args().nth(1).ok_or("which host?")?;
    let page = read_to_string(stdin())?;
    let dom = speclex::parse(&page);
    let mut edits = Edits::new(&dom);
    for link in dom.elements("a") {
        if let Some(path) = link.attribute("href").filter(|href| href.starts_with('/')) {
            edits.set_attribute(link, "href", &format!("{host}{path}"));
        }
    }
    for image in dom.elements("img") {
        edits.set_attribute(image, "loading", "lazy");
    }
    print!("{}", edits.apply().map_err(|error| error.to_string())?);
    Ok(())
}
