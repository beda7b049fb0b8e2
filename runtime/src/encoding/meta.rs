//! Labels of encodings in values: of `<meta>`, and of a header.

use encoding_rs::Encoding;

/// ASCII whitespace, as HTML counts it.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// The value without the whitespace that it begins with.
fn trim_start(bytes: &[u8]) -> &[u8] {
    let spaces = bytes.iter().take_while(|byte| is_space(**byte)).count();
    &bytes[spaces..]
}

/// The encoding that a `<meta>` declares, of which `attribute` gives the value of an attribute: `None` if it declares none.
///
/// This is what tree construction looks for at each start tag `meta` ([13.2.6.4.4]). Give the encoding to
/// [`ByteStream::change_encoding`](super::ByteStream::change_encoding).
///
/// ```
/// use speclex::encoding::{declared_by, encoding_rs::KOI8_R};
///
/// // In a sink: declared_by(|name| tag.attributes.get(name))
/// let attributes = [("content", "text/html; charset=koi8"), ("http-equiv", "Content-Type")];
/// let find = |wanted: &str| attributes.iter().find(|(name, _)| *name == wanted);
/// assert_eq!(declared_by(|name| find(name).map(|(_, value)| *value)), Some(KOI8_R));
/// ```
///
/// [13.2.6.4.4]: https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead
pub fn declared_by<'a>(attribute: impl Fn(&str) -> Option<&'a str>) -> Option<&'static Encoding> {
    let of_charset = attribute("charset").map(str::as_bytes);
    of_charset.and_then(Encoding::for_label).or_else(|| {
        let pragma = attribute("http-equiv")?;
        let content = attribute("content")?.as_bytes();
        let is_type = pragma.eq_ignore_ascii_case("content-type");
        is_type.then(|| extracted(content)).flatten()
    })
}

/// The algorithm for extracting a character encoding from a `meta` element.
pub(super) fn extracted(content: &[u8]) -> Option<&'static Encoding> {
    const CHARSET: &[u8] = b"charset";
    let mut rest = content;
    let value = loop {
        let mut words = rest.windows(CHARSET.len());
        let at = words.position(|word| word.eq_ignore_ascii_case(CHARSET))?;
        rest = trim_start(&rest[at + CHARSET.len()..]);
        if let Some(value) = rest.strip_prefix(b"=") {
            break trim_start(value);
        }
    };
    let label = match value.split_first()? {
        (quote @ (b'"' | b'\''), value) => {
            let end = value.iter().position(|byte| byte == quote)?;
            &value[..end]
        }
        _ => {
            let is_end = |byte: &u8| is_space(*byte) || *byte == b';';
            value.split(is_end).next()?
        }
    };
    Encoding::for_label(label)
}

/// The encoding that the value of a header `Content-Type` names, as in `text/html; charset=utf-8`. `None` if it names none, or
/// one that the Encoding Standard does not have.
pub(super) fn of_content_type(header: &str) -> Option<&'static Encoding> {
    let (mut before, mut is_quoted) = (' ', false);
    let parameters = header.split(|c| {
        let is_end = c == ';' && !is_quoted;
        is_quoted = match is_quoted {
            true => c != '"' || before == '\\',
            false => c == '"' && before == '=',
        };
        before = if before == '\\' { ' ' } else { c };
        is_end
    });
    let value = parameters.skip(1).find_map(|parameter| {
        let (name, value) = parameter.split_once('=')?;
        let is_it = name.trim().eq_ignore_ascii_case("charset") && !value.trim().is_empty();
        is_it.then_some(value)
    })?;
    let label = match value.strip_prefix('"') {
        Some(quoted) => quoted.split('"').next()?,
        None => value,
    };
    Encoding::for_label(label.as_bytes())
}

#[cfg(test)]
mod tests {
    use encoding_rs::{EUC_JP, UTF_8};

    use super::*;

    #[test]
    fn a_header_names_an_encoding_in_its_first_charset() {
        for header in [
            "text/html; charset=utf-8",
            "text/html;charset=UTF8 ",
            "text/html; x=y ; CharSet=\"utf-8\"",
            "text/html; x=\"; charset=euc-jp\"; charset=utf-8",
            "text/html; x=\"\\\"; charset=euc-jp\"; charset=utf-8",
            "text/html; x=a\"; charset=utf-8; charset=euc-jp",
            "text/html; charset=; charset=utf-8",
            ";charset=utf-8",
        ] {
            assert_eq!(of_content_type(header), Some(UTF_8), "{header}");
        }
        for header in [
            "",
            "charset=utf-8",
            "text/html",
            "text/html; charset",
            "text/html; charset=klingon; charset=utf-8",
            "text/html; charset='utf-8'",
            "text/html; charset=\"\"",
        ] {
            assert_eq!(of_content_type(header), None, "{header}");
        }
    }

    #[test]
    fn content_is_read_as_the_text_says() {
        for content in [
            "charset=euc-jp",
            "text/html; charset=euc-jp;x",
            "charset charset\t=\n'euc-jp' x",
            "CHARSET=\"euc-jp\"",
            "charset=euc-jp x",
            "charsetcharset=euc-jp",
        ] {
            assert_eq!(extracted(content.as_bytes()), Some(EUC_JP), "{content}");
        }
        for content in [
            "",
            "charset",
            "charset=",
            "charset='euc-jp",
            "charset=\"euc-jp'",
            "charset=klingon",
            "charset=;",
        ] {
            assert_eq!(extracted(content.as_bytes()), None, "{content}");
        }
    }
}
