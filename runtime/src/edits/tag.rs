//! Edits inside a start tag.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::dom::escape_text;
use crate::parts::{AttributeParts, TagParts};
use crate::span::Span;

use super::extents::Place;
use super::plan::{NewAttribute, NewAttributes};

/// Text as it stands between tags. A carriage return would become a newline.
pub(super) fn escaped(text: &str) -> Cow<'_, str> {
    match (escape_text(text), text.contains('\r')) {
        (text, true) => text.replace('\r', "&#13;").into(),
        (text, false) => text,
    }
}

fn value(value: &str, quote: char) -> String {
    let reference = if quote == '"' { "&quot;" } else { "&#39;" };
    escaped(value).replace(quote, reference)
}

/// A new attribute as it is written.
pub(super) fn written(name: &str, new: &str) -> String {
    format!(" {name}=\"{}\"", value(new, '"'))
}

/// What is written at places of the tag that starts at one, for new attributes.
pub(super) fn attributes(
    tag: &str,
    start: u32,
    new: &NewAttributes<'_>,
) -> Vec<(Place, String, usize)> {
    let parts = TagParts::of(tag, 0);
    let text = |span: Span| tag.get(span.range()).unwrap_or_default();
    let mut by_name: BTreeMap<String, Vec<&AttributeParts>> = BTreeMap::new();
    for attribute in &parts.attributes {
        let name = text(attribute.name).to_ascii_lowercase();
        by_name.entry(name).or_default().push(attribute);
    }
    let last = parts.attributes.last();
    let (last_end, mut lacks_value) = last.map_or((parts.name.end, false), |it| end(tag, it));
    let place = |from: u64, to: u64| (start + from as u32, start + to as u32);
    let mut all = Vec::new();
    for (
        name,
        &NewAttribute {
            number,
            name: spelled,
            value: new,
        },
    ) in new
    {
        let found = by_name.get(name).map_or(&[][..], |found| found);
        let Some(new) = new else {
            for attribute in found {
                let before = tag.get(..attribute.name.start as usize).unwrap_or_default();
                let space = |c: char| c.is_ascii_whitespace();
                let from = before.trim_end_matches(space).len() as u64;
                let place = place(from, end(tag, attribute).0);
                all.push((place, String::new(), number));
            }
            continue;
        };
        let Some(attribute) = found.first() else {
            let place = place(last_end, last_end);
            let fill = if lacks_value { "\"\"" } else { "" };
            lacks_value = false;
            all.push((place, format!("{fill}{}", written(spelled, new)), number));
            continue;
        };
        let (end, is_missing) = end(tag, attribute);
        let (place, text) = match (attribute.value(), attribute.quoted()) {
            (Some(span), Some(quoted)) => {
                let quote = if text(quoted).starts_with('\'') {
                    '\''
                } else {
                    '"'
                };
                (place(span.start, span.end), value(new, quote))
            }
            (Some(span), None) => {
                let text = format!("\"{}\"", value(new, '"'));
                (place(span.start, span.end), text)
            }
            (None, _) => {
                let equals = if is_missing { "" } else { "=" };
                lacks_value &= end != last_end;
                let text = format!("{equals}\"{}\"", value(new, '"'));
                (place(end, end), text)
            }
        };
        all.push((place, text, number));
    }
    all
}

/// Where an attribute ends, and whether it has a `=` and no value.
fn end(tag: &str, attribute: &AttributeParts) -> (u64, bool) {
    let end = attribute.span().end;
    if attribute.value().is_some() {
        return (end, false);
    }
    let rest = tag.get(end as usize..).unwrap_or_default();
    let trimmed = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
    match trimmed.starts_with('=') {
        true => (end + (rest.len() - trimmed.len() + 1) as u64, true),
        false => (end, false),
    }
}
