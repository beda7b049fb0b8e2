//! The encoding of a document, and what the standard error says of it.

use speclex::encoding::{Encoding, Hints, LOOKED_AT, Source, declared_by};
use speclex_analysis::token::{Emitted, Token, Value};
use speclex_codegen::machine::Machine;

use crate::document::Chunks;
use crate::{Failure, terminal};

/// Finds the encoding, and says which it is and why unless the user chose it. Returns what looks for a later `<meta>` among
/// tokens and says of the first one that declares another encoding how to read the document in that.
pub(crate) fn sniff(
    chosen: Option<&'static Encoding>,
    machine: &Machine,
    chunks: &mut Chunks,
) -> Result<impl FnMut(&[Emitted]) + use<>, Failure> {
    // Only tables of HTML say what follows a start tag.
    let is_html = !machine.contents_after.elements.is_empty();
    let hints = if is_html { Hints::html() } else { Hints::xml() };
    let mut stream = chunks.sniff(chosen.map_or(hints, |chosen| hints.encoding(chosen)))?;
    let name = chunks.name();
    if let Some(sniffed) = stream.sniffed() {
        let encoding = sniffed.encoding.name();
        let why = match sniffed.source {
            Source::Chosen => None,
            Source::ByteOrderMark => Some("it begins with a byte order mark"),
            Source::FirstBytes => Some("it begins with <? in that encoding"),
            Source::Meta => Some("a <meta> declares it"),
            Source::XmlDeclaration => Some("its XML declaration says so"),
            _ if encoding != "UTF-8" => Some("it declares no encoding and is not UTF-8"),
            // Who writes a table for a format of their own knows it.
            _ => (machine.vocabulary.shared.is_some()).then_some("it declares no other encoding"),
        };
        let other = match sniffed.source {
            Source::ByteOrderMark => "",
            _ => "; --encoding chooses another",
        };
        if let Some(why) = why {
            terminal::note(format_args!(
                "{name}: decoded as {encoding}, because {why}{other}"
            ));
        }
    }
    Ok(move |tokens: &[Emitted]| {
        let tokens = tokens.iter().map(|emitted| &emitted.token);
        for declared in tokens.filter_map(declared_in) {
            if let Some(encoding) = stream.change_encoding(declared) {
                let other = encoding.name();
                terminal::note(format_args!(
                    "warning: {name}: a <meta> that ends after the first {LOOKED_AT} bytes asks for {other}, and a browser starts \
                     again with it: so does --encoding {other}"
                ));
            }
        }
    })
}

/// What a token declares, if it is a `<meta>`.
fn declared_in(token: &Token) -> Option<&'static Encoding> {
    match token {
        Token::Declared { kind, fields } if kind == "start tag" => match fields.as_slice() {
            [Value::Text(name), .., Value::Attributes(attributes)] if name == "meta" => {
                declared_by(|wanted| {
                    let mut all = attributes.iter();
                    let (_, value) = all.find(|(name, _)| name == wanted)?;
                    Some(value.as_str())
                })
            }
            _ => None,
        },
        _ => None,
    }
}
