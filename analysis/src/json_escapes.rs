//! JSON's `\uHHHH`, where it may say what UTF-8 cannot.

/// There is a surrogate without its other half.
pub struct LoneSurrogate;

/// Resolves `\uHHHH` in a string.
pub fn unescape(text: &mut String) -> Result<(), LoneSurrogate> {
    let mut units = Vec::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        if let Some(unit) = escape(rest) {
            units.push(unit);
            rest = &rest[6..];
        } else {
            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
            rest = &rest[c.len_utf8()..];
        }
    }
    *text = String::from_utf16(&units).map_err(|_| LoneSurrogate)?;
    Ok(())
}

/// The code unit of the `\uHHHH` that a text starts with.
fn escape(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let all_digits = digits.bytes().all(|b| b.is_ascii_hexdigit());
    all_digits.then(|| u16::from_str_radix(digits, 16).ok())?
}

/// Whether a JSON text has an escape for a surrogate without its other half.
pub fn has_lone_surrogate(json: &str) -> bool {
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        rest = &rest[at..];
        let Some(unit) = escape(rest) else {
            // Some other escape, of at least two characters.
            rest = rest.get(2..).unwrap_or_default();
            continue;
        };
        rest = &rest[6..];
        match unit {
            0xD800..0xDC00 => match escape(rest) {
                Some(0xDC00..0xE000) => rest = &rest[6..],
                _ => return true,
            },
            0xDC00..0xE000 => return true,
            _ => {}
        }
    }
    false
}
