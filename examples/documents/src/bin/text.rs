//! Prints the text of a page as people read it: blocks on lines of their own, no scripts and styles. The page may be in any encoding.

use speclex::encoding::Hints;
use std::io::{self, Read as _};

fn main() -> io::Result<()> {
    let mut page = Vec::new();
    io::stdin().read_to_end(&mut page)?;
    let (dom, _) = speclex::parse_bytes(&page, &Hints::html());
    let body = dom.body().unwrap_or(dom.root());
    println!("{}", body.text_with(&Default::default()));
    Ok(())
}
