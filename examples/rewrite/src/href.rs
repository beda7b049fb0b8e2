//! Where the value of a `href` is in a start tag, found by reading the tag once more.

use std::ops::Range;

/// A place for a value in quotation marks.
#[derive(Debug)]
pub(crate) struct Place {
    /// The value that is there, with its quotation marks. Empty if there is none.
    pub(crate) value: Range<usize>,
    /// What has to stand in front of a value.
    pub(crate) before: &'static str,
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// Finds the first `href` of a start tag, from `<` to `>`: others with this name do not count. As in the states of
/// [13.2.5.8](https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state) and
/// [13.2.5.32 to 40](https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state).
pub(crate) fn find(tag: &[u8]) -> Option<Place> {
    let to = |from: usize, stop: &dyn Fn(u8) -> bool| {
        let rest = tag.get(from..).unwrap_or_default();
        from + rest
            .iter()
            .position(|&byte| stop(byte))
            .unwrap_or(rest.len())
    };
    let mut at = to(1, &|byte| is_space(byte) || matches!(byte, b'/' | b'>'));
    loop {
        let start = to(at, &|byte| !is_space(byte) && byte != b'/');
        if matches!(tag.get(start), None | Some(b'>')) {
            return None;
        }
        // A `=` in the first place belongs to the name.
        let end = to(start + 1, &|byte| {
            is_space(byte) || matches!(byte, b'/' | b'>' | b'=')
        });
        let mut place = Place {
            value: end..end,
            before: "=",
        };
        let equals = to(end, &|byte| !is_space(byte));
        if tag.get(equals) == Some(&b'=') {
            let from = to(equals + 1, &|byte| !is_space(byte));
            let to = match tag.get(from) {
                Some(&quote @ (b'"' | b'\'')) => to(from + 1, &|byte| byte == quote) + 1,
                _ => to(from, &|byte| is_space(byte) || byte == b'>'),
            };
            place = Place {
                value: from..to,
                before: "",
            };
        }
        if tag[start..end].eq_ignore_ascii_case(b"href") {
            return Some(place);
        }
        at = place.value.end;
    }
}

/// The value as it stands between `"`. A carriage return would become a line feed.
pub(crate) fn escape(value: &str) -> String {
    value
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('\r', "&#13;")
}
