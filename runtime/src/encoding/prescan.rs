//! The prescan of a page's first bytes, as HTML has it (13.2.3.2).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::meta::{extracted, is_space};
use crate::scan::{Set, find_by_call};

/// Sets of bytes that end something.
macro_rules! sets {
    ($($name:ident: $($byte:literal)+;)+) => {
        $(struct $name;
        impl Set for $name {
            const RANGES: &'static [(u8, u8)] = &[$(($byte, $byte)),+];
        })+
    };
}
sets! {
    Less: b'<';
    Greater: b'>';
    Quote: b'"';
    Apostrophe: b'\'';
    TagNameOrValue: b'\t' b'\n' 0x0C b'\r' b' ' b'>';
    AttributeName: b'\t' b'\n' 0x0C b'\r' b' ' b'/' b'=' b'>';
}

/// Where the first byte of a set is; `None` if the bytes run out.
fn end<S: Set>(bytes: &[u8], from: usize) -> Option<usize> {
    let at = find_by_call::<S>(bytes, from);
    (at < bytes.len()).then_some(at)
}

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
    loop {
        at = end::<Less>(bytes, at)?;
        match bytes[at + 1..] {
            [b'!', b'-', b'-', ..] => {
                // The hyphens of the end can be those of the start.
                let start = at + b"<!".len();
                at = end::<Greater>(bytes, start)?;
                while !bytes[start..at].ends_with(b"--") {
                    at = end::<Greater>(bytes, at + 1)?;
                }
            }
            [b'm' | b'M', b'e' | b'E', b't' | b'T', b'a' | b'A', byte, ..]
                if is_space(byte) || byte == b'/' =>
            {
                at += b"<meta".len();
                if let Some(declared) = of_meta(bytes, &mut at)? {
                    return Some(meant(declared));
                }
            }
            [letter, ..] | [b'/', letter, ..] if letter.is_ascii_alphabetic() => {
                at = end::<TagNameOrValue>(bytes, at)?;
                while attribute(bytes, &mut at)?.is_some() {}
            }
            [b'!' | b'/' | b'?', ..] => at = end::<Greater>(bytes, at)?,
            _ => {}
        }
        at += 1;
    }
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
        let skipped = bytes.get(from..)?.iter().position(|byte| !skipped(*byte));
        Some(from + skipped?)
    };
    let start = skip(*at, |byte| is_space(byte) || byte == b'/')?;
    *at = start;
    if bytes[start] == b'>' {
        return Some(None);
    }
    // A name may begin with `=`.
    let name_end = end::<AttributeName>(bytes, start + 1)?;
    let name = &bytes[start..name_end];
    *at = skip(name_end, is_space)?;
    if bytes[*at] != b'=' {
        return Some(Some((name, b"")));
    }
    let start = skip(*at + 1, is_space)?;
    let (start, value_end, behind) = match bytes[start] {
        b'"' => (start + 1, end::<Quote>(bytes, start + 1)?, 1),
        b'\'' => (start + 1, end::<Apostrophe>(bytes, start + 1)?, 1),
        _ => (start, end::<TagNameOrValue>(bytes, start)?, 0),
    };
    *at = value_end + behind;
    Some(Some((name, &bytes[start..value_end])))
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

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::super::testing::Random;
    use super::*;

    /// The algorithm word for word: `None` aborts it.
    struct Literal<'b> {
        bytes: &'b [u8],
        position: usize,
    }

    impl Literal<'_> {
        fn byte(&self) -> Option<u8> {
            self.bytes.get(self.position).copied()
        }

        fn points_at(&self, sequence: &str) -> bool {
            let end = self.bytes.len().min(self.position + sequence.len());
            self.bytes[self.position..end].eq_ignore_ascii_case(sequence.as_bytes())
        }

        fn advance_to(&mut self, wanted: impl Fn(&Self, u8) -> bool) -> Option<()> {
            while !wanted(self, self.byte()?) {
                self.position += 1;
            }
            Some(())
        }

        fn prescan(&mut self) -> Option<&'static Encoding> {
            loop {
                let next = |after: usize| self.bytes.get(self.position + after).copied();
                let is_letter =
                    |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphabetic());
                if self.points_at("<!--") {
                    let start = self.position;
                    self.advance_to(|at, byte| {
                        byte == b'>'
                            && at.position >= start + 4
                            && at.bytes[at.position - 2..at.position] == *b"--"
                    })?;
                } else if self.points_at("<meta")
                    && next(5).is_some_and(|b| is_space(b) || b == b'/')
                {
                    self.position += 5;
                    if let Some(charset) = self.meta()? {
                        return Some(charset);
                    }
                } else if self.byte()? == b'<'
                    && (is_letter(next(1)) || next(1) == Some(b'/') && is_letter(next(2)))
                {
                    self.advance_to(|_, byte| is_space(byte) || byte == b'>')?;
                    while self.attribute()?.is_some() {}
                } else if ["<!", "</", "<?"].iter().any(|start| self.points_at(start)) {
                    self.advance_to(|_, byte| byte == b'>')?;
                }
                self.position += 1;
            }
        }

        fn meta(&mut self) -> Option<Option<&'static Encoding>> {
            let mut list = Vec::new();
            let (mut got_pragma, mut need_pragma) = (false, None);
            // `Some(None)` is failure.
            let mut charset = None;
            while let Some((name, value)) = self.attribute()? {
                if list.contains(&name) {
                    continue;
                }
                list.push(name.clone());
                match name.as_slice() {
                    b"http-equiv" => got_pragma |= value == b"content-type",
                    b"content" => {
                        if let (Some(found), None) = (extracted(&value), charset) {
                            charset = Some(Some(found));
                            need_pragma = Some(true);
                        }
                    }
                    b"charset" => {
                        charset = Some(Encoding::for_label(&value));
                        need_pragma = Some(false);
                    }
                    _ => {}
                }
            }
            let is_good = match need_pragma {
                None => false,
                Some(needed) => !needed || got_pragma,
            };
            let found = charset.flatten().filter(|_| is_good);
            Some(found.map(|found| match found {
                _ if found == UTF_16BE || found == UTF_16LE => UTF_8,
                _ if found == X_USER_DEFINED => WINDOWS_1252,
                _ => found,
            }))
        }

        fn attribute(&mut self) -> Option<Option<(Vec<u8>, Vec<u8>)>> {
            let (mut name, mut value) = (Vec::new(), Vec::new());
            self.advance_to(|_, byte| !is_space(byte) && byte != b'/')?;
            if self.byte()? == b'>' {
                return Some(None);
            }
            loop {
                match self.byte()? {
                    b'=' if !name.is_empty() => break,
                    byte if is_space(byte) => break,
                    b'/' | b'>' => return Some(Some((name, value))),
                    byte => name.push(byte.to_ascii_lowercase()),
                }
                self.position += 1;
            }
            self.advance_to(|_, byte| !is_space(byte))?;
            if self.byte()? != b'=' {
                return Some(Some((name, value)));
            }
            self.position += 1;
            self.advance_to(|_, byte| !is_space(byte))?;
            match self.byte()? {
                quote @ (b'"' | b'\'') => loop {
                    self.position += 1;
                    let byte = self.byte()?;
                    if byte == quote {
                        self.position += 1;
                        return Some(Some((name, value)));
                    }
                    value.push(byte.to_ascii_lowercase());
                },
                b'>' => return Some(Some((name, value))),
                byte => value.push(byte.to_ascii_lowercase()),
            }
            loop {
                self.position += 1;
                match self.byte()? {
                    byte if is_space(byte) || byte == b'>' => return Some(Some((name, value))),
                    byte => value.push(byte.to_ascii_lowercase()),
                }
            }
        }
    }

    #[test]
    fn random_pages_are_prescanned_word_for_word() {
        const PARTS: [&str; 30] = [
            "<meta ",
            "charset=utf-8",
            "charset=koi8-r ",
            ">",
            "<META/",
            "charset = 'utf-16'",
            "=",
            "\"",
            "'",
            "<!--",
            "-->",
            "--",
            "-",
            "<meta",
            ">",
            "http-equiv=Content-Type ",
            "content",
            "<meta ",
            "content='charset=koi8-r'",
            ">",
            " ",
            "charset=x-user-defined",
            "\t",
            "<a ",
            "</b",
            "/",
            "<!",
            "?",
            "<",
            "charset=klingon ",
        ];
        let mut random = Random(5);
        let mut found = 0;
        for _ in 0..300_000 {
            // Neighbours fit together.
            let (first, kinds) = (random.below(PARTS.len()), 2 + random.below(PARTS.len()));
            let parts = 0..random.below(16);
            let page: String = parts
                .map(|_| PARTS[(first + random.below(kinds)) % PARTS.len()])
                .collect();
            let bytes = page.as_bytes();
            let literal = Literal { bytes, position: 0 }.prescan();
            assert_eq!(prescan(bytes), literal, "{page}");
            found += usize::from(literal.is_some());
        }
        assert!(found > 5000, "{found}");
    }
}
