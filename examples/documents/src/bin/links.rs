//! Prints where the links of a page lead, as browsers find it: from the page's URL and its `base` element.
//! `links https://example.org/ <page.html`

use std::{env, error::Error, io};
use url::Url;

fn main() -> Result<(), Box<dyn Error>> {
    let page = io::read_to_string(io::stdin())?;
    let dom = speclex::parse(&page);
    let url = Url::parse(&env::args().nth(1).ok_or("give the page's URL")?)?;
    let base = dom.elements("base").find_map(|base| base.attribute("href"));
    let base = base.and_then(|href| url.join(href).ok()).unwrap_or(url);
    for href in dom.elements("a").filter_map(|link| link.attribute("href")) {
        match base.join(href) {
            Ok(url) => println!("{url}"),
            Err(error) => println!("{href}: {error}"),
        }
    }
    Ok(())
}
