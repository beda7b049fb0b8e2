//! The table of a document for which the caller names none.

use crate::document::Chunks;
use crate::{Failure, terminal};

const HTML: &str = "html-living";
const XML: &str = "xml5";

/// How the names of files end, and which table they get.
const ENDINGS: [(&str, &[&str]); 2] = [
    (HTML, &["html", "htm"]),
    (
        XML,
        &["xml", "xhtml", "xht", "svg", "rss", "atom", "xsl", "xslt"],
    ),
];

/// The name of the table, by the document's name or else by its first word. Says which on the standard error.
pub(crate) fn table(document: &mut Chunks) -> Result<&'static str, Failure> {
    let ending = document.path().extension().unwrap_or_default();
    let ending = ending.to_ascii_lowercase();
    let by_name = ENDINGS
        .iter()
        .find(|(_, endings)| endings.iter().any(|known| ending == *known));
    let (table, why) = match by_name {
        Some((table, _)) => (*table, "its name ends"),
        None if document.begin_with(b"<?xml")? => (XML, "it begins"),
        None => (HTML, "it does not begin"),
    };
    let name = document.name();
    let what = match by_name {
        Some(_) => format!("in .{}", ending.display()),
        None => "with <?xml".to_owned(),
    };
    terminal::note(format_args!(
        "{name}: read with {table}, because {why} {what}; --spec chooses another table"
    ));
    Ok(table)
}
