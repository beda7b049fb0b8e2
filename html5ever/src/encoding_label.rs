//! The label of the encoding that a `meta` element names: the text stands in 13.2.6.4.4.

use crate::base::tendril::StrTendril;

/// The label, as it is written. Whether there is such an encoding is not looked at.
pub(crate) fn label_of_meta<'a>(attribute: impl Fn(&str) -> Option<&'a str>) -> Option<StrTendril> {
    if let Some(label) = attribute("charset") {
        return Some(label.into());
    }
    let is_pragma = attribute("http-equiv")?.eq_ignore_ascii_case("content-type");
    let content = attribute("content").filter(|_| is_pragma)?;
    label_in(content).map(Into::into)
}

/// The algorithm for extracting a character encoding from a `meta` element, up to the label.
fn label_in(content: &str) -> Option<&str> {
    const CHARSET: &[u8] = b"charset";
    let is_space = |c: char| matches!(c, '\t' | '\n' | '\x0C' | '\r' | ' ');
    let mut rest = content;
    let value = loop {
        let mut words = rest.as_bytes().windows(CHARSET.len());
        let at = words.position(|word| word.eq_ignore_ascii_case(CHARSET))?;
        rest = rest[at + CHARSET.len()..].trim_start_matches(is_space);
        if let Some(value) = rest.strip_prefix('=') {
            break value.trim_start_matches(is_space);
        }
    };
    match value.chars().next()? {
        quote @ ('"' | '\'') => Some(value[1..].split_once(quote)?.0),
        _ => value.split(|c| is_space(c) || c == ';').next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_stands_behind_the_word_charset() {
        for (content, label) in [
            ("text/html; charset=utf-8", Some("utf-8")),
            ("text/html; charset = x; y", Some("x")),
            ("CHARSET='a b' c", Some("a b")),
            ("charset charset=\"q\"", Some("q")),
            ("charset=\"q", None),
            ("charset", None),
            ("charset=", None),
            ("é", None),
        ] {
            assert_eq!(label_in(content), label, "{content}");
        }
    }
}
