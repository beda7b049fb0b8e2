//! The prescan of a page's first bytes, as HTML has it (13.2.3.2).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::meta::{extracted, is_space};

/// The encoding of a page that declares UTF-16 in ASCII is UTF-8.
fn without_utf_16(declared: &'static Encoding) -> &'static Encoding {
    match declared == UTF_16BE || declared == UTF_16LE {
        true => UTF_8,
        false => declared,
    }
}

/// The encoding of a page with this declaration in a `<meta>`.
pub(super) fn meant(declared: &'static Encoding) -> &'static Encoding {
    match declared == X_USER_DEFINED {
        true => WINDOWS_1252,
        false => without_utf_16(declared),
    }
}

/// The encoding that a `<meta>` declares. `None` if there is none before the bytes run out.
pub(super) fn prescan(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match rest {
            // The hyphens of the end can be those of the start.
            [b'<', b'!', b'-', b'-', ..] => {
                at += 4 + rest[2..].windows(3).position(|end| end == b"-->")?;
            }
            [
                b'<',
                b'm' | b'M',
                b'e' | b'E',
                b't' | b'T',
                b'a' | b'A',
                end,
                ..,
            ] if is_space(*end) || *end == b'/' => {
                at += b"<meta".len();
                if let Some(declared) = of_meta(bytes, &mut at)? {
                    return Some(meant(declared));
                }
            }
            [b'<', letter, ..] | [b'<', b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                at += rest
                    .iter()
                    .position(|byte| is_space(*byte) || *byte == b'>')?;
                while attribute(bytes, &mut at)?.is_some() {}
            }
            [b'<', b'!' | b'/' | b'?', ..] => at += rest.iter().position(|byte| *byte == b'>')?,
            _ => {}
        }
        at += 1;
    }
    None
}

/// What the attributes of a `<meta>` declare. The first `None` says that the bytes have run out.
fn of_meta(bytes: &[u8], at: &mut usize) -> Option<Option<&'static Encoding>> {
    let (mut pragma, mut content, mut charset) = (None, None, None);
    while let Some((name, value)) = attribute(bytes, at)? {
        let is = |wanted: &str| name.eq_ignore_ascii_case(wanted.as_bytes());
        // Of attributes with the same name the first counts.
        if is("http-equiv") {
            pragma.get_or_insert(value);
        } else if is("content") {
            content.get_or_insert(value);
        } else if is("charset") {
            charset.get_or_insert(value);
        }
    }
    Some(match (charset, pragma) {
        (Some(label), _) => Encoding::for_label(label),
        (None, Some(pragma)) if pragma.eq_ignore_ascii_case(b"content-type") => {
            content.and_then(extracted)
        }
        _ => None,
    })
}

/// A name and a value.
type Attribute<'b> = (&'b [u8], &'b [u8]);

/// Gets an attribute. The first `None` says that the bytes have run out, the second that there are no more attributes.
fn attribute<'b>(bytes: &'b [u8], at: &mut usize) -> Option<Option<Attribute<'b>>> {
    // Where the first byte is that is not one of these.
    let skip = |from: usize, skipped: fn(u8) -> bool| {
        let end = bytes.get(from..)?.iter().position(|byte| !skipped(*byte))?;
        Some(from + end)
    };
    let start = skip(*at, |byte| is_space(byte) || byte == b'/')?;
    *at = start;
    if bytes[start] == b'>' {
        return Some(None);
    }
    // A name may begin with `=`.
    let ends_name = |byte: &u8| is_space(*byte) || matches!(byte, b'/' | b'>' | b'=');
    let name_end = start + 1 + bytes[start + 1..].iter().position(ends_name)?;
    let name = &bytes[start..name_end];
    *at = name_end;
    if matches!(bytes[name_end], b'/' | b'>') {
        return Some(Some((name, b"")));
    }
    *at = skip(name_end, is_space)?;
    if bytes[*at] != b'=' {
        return Some(Some((name, b"")));
    }
    *at = skip(*at + 1, is_space)?;
    let rest = &bytes[*at..];
    let (value, length) = match rest[0] {
        quote @ (b'"' | b'\'') => {
            let length = rest[1..].iter().position(|byte| *byte == quote)?;
            (&rest[1..1 + length], length + 2)
        }
        _ => {
            let length = rest
                .iter()
                .position(|byte| is_space(*byte) || *byte == b'>')?;
            (&rest[..length], length)
        }
    };
    *at += length;
    Some(Some((name, value)))
}

/// What comes behind spaces and control characters.
fn after_spaces(bytes: &[u8]) -> &[u8] {
    let spaces = bytes.iter().take_while(|byte| **byte <= b' ').count();
    &bytes[spaces..]
}

/// The encoding that an XML declaration at the start of the bytes declares.
pub(super) fn of_xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    const ENCODING: &[u8] = b"encoding";
    if !bytes.starts_with(b"<?xml") || !bytes.contains(&b'>') {
        return None;
    }
    let at = bytes
        .windows(ENCODING.len())
        .position(|word| word == ENCODING)?;
    let rest = after_spaces(&bytes[at + ENCODING.len()..]).strip_prefix(b"=")?;
    let (quote, rest) = after_spaces(rest).split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &rest[..rest.iter().position(|byte| byte == quote)?];
    if label.iter().any(|byte| *byte <= b' ') {
        return None;
    }
    Encoding::for_label(label).map(without_utf_16)
}
