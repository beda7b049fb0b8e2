//! What files hold: text in UTF-8, and the data of named character references. What is wrong with them is
//! reported as faults of tables are, at its place in the file.

use crate::diagnostic::{Code, Faults, Report, Source, Span};
use crate::read::{Node, Yaml, read_as_it_is};
use std::collections::HashSet;

/// The most bytes that a file may have: far more than a table has, and little enough to be read of what never ends.
pub(crate) const MOST: usize = 64 << 20;

/// The text of a file.
///
/// # Errors
/// When it is too large, or not UTF-8.
pub(crate) fn text(name: &str, bytes: Vec<u8>) -> Result<Source, Report> {
    let mut faults = Faults::default();
    let source = |text| Source {
        name: name.to_owned(),
        text,
    };
    if bytes.len() > MOST {
        let span = Span::in_text(0, 0, 1);
        let message = format!("this has more than {} MiB", MOST >> 20);
        let fault = faults.add(Code::TooLarge, span, message);
        fault.help("tables and their data are far smaller: is it the right file?");
        return Err(faults.report(vec![source(String::new())]));
    }
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(source(text)),
        Err(error) => error,
    };
    let start = error.utf8_error().valid_up_to();
    let bytes = error.into_bytes();
    let span = Span::in_text(0, start, 1);
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        text.clear();
        let hint = faults.add(Code::NotUtf8, span, "the file is in UTF-16");
        hint.help("save it as UTF-8");
    } else {
        let byte = bytes.get(start).copied().unwrap_or_default();
        let help = match byte {
            0xA0.. => format!(
                "save the file as UTF-8; in Latin-1, this byte is `{}`",
                char::from(byte)
            ),
            _ => "save the file as UTF-8".to_owned(),
        };
        let message = format!("the byte 0x{byte:02X} is not UTF-8");
        faults.add(Code::NotUtf8, span, message).help(help);
    }
    Err(faults.report(vec![source(text)]))
}

/// Names and what they stand for, from a mapping of names to lists of code points. JSON is YAML too.
///
/// # Errors
/// When it is something else.
pub(crate) fn references(mut source: Source) -> Result<Vec<(String, String)>, Report> {
    let mut faults = Faults::default();
    if source.text.starts_with('\u{FEFF}') {
        source.text.remove(0);
    }
    let read = read_as_it_is(0, &source.text);
    let mut list = Vec::new();
    match read.as_ref().map(|node| &node.value) {
        Err((start, reason)) => {
            let span = Span::in_text(0, *start, 1);
            let message = format!("this is no JSON: {reason}");
            faults.add(Code::BadData, span, message).help(LIKE);
        }
        Ok(Yaml::Map(entries)) => {
            let mut seen = HashSet::new();
            for (name, points) in entries {
                let reference = reference(name, points, &mut faults);
                if let Some((text, _)) = &reference
                    && !seen.insert(text.clone())
                {
                    let message = format!("the name `{text}` stands twice");
                    faults.add(Code::BadData, name.at, message);
                }
                list.extend(reference);
            }
        }
        Ok(_) => {
            let span = Span::in_text(0, 0, 1);
            let message = "the data is no mapping of names to lists of code points";
            faults.add(Code::BadData, span, message).help(LIKE);
        }
    }
    if !faults.any_error()
        && let Err(unsuitable) = crate::references::build(&list)
    {
        let span = Span::in_text(0, 0, 1);
        faults.add(Code::BadData, span, unsuitable.to_string());
    }
    if faults.any_error() {
        return Err(faults.report(vec![source]));
    }
    Ok(list)
}

const LIKE: &str =
    "named character references look like this: `{\"amp;\": [38], \"acE;\": [8766, 819]}`";

fn reference(key: &Node, points: &Node, faults: &mut Faults) -> Option<(String, String)> {
    let Yaml::Text(name) = &key.value else {
        let message = format!("expected a name, found {}", key.value.type_name());
        faults.add(Code::BadData, key.at, message).help(LIKE);
        return None;
    };
    if !crate::references::is_name(name) {
        let message = format!("`{name}` is no name of a character reference");
        let fault = faults.add(Code::BadData, key.at, message);
        fault.help("a name has one or more ASCII characters, and no control characters");
    }
    let Yaml::List(points) = &points.value else {
        let found = points.value.type_name();
        let message = format!("expected a list of code points, found {found}");
        faults.add(Code::BadData, points.at, message).help(LIKE);
        return None;
    };
    let mut value = String::new();
    for point in points {
        let number = match point.value {
            Yaml::Int(number) => Ok(number),
            _ => Err(format!(
                "expected a code point, found {}",
                point.value.type_name()
            )),
        };
        let c = number.and_then(|number| {
            let c = u32::try_from(number).ok().and_then(char::from_u32);
            c.ok_or_else(|| format!("{number} is no code point of a character"))
        });
        match c {
            Ok(c) => value.push(c),
            Err(message) => {
                faults.add(Code::BadData, point.at, message).help(LIKE);
            }
        }
    }
    Some((name.clone(), value))
}
