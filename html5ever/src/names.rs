//! Names that most tags have, without the way through html5ever's table of all names.

use std::mem;

use crate::base::{LocalName, local_name};

/// The most bytes of a name that a number holds.
const LONGEST: usize = 7;

/// A name of at most seven bytes as a number. Names do not have U+0000.
const fn number(name: &str) -> u64 {
    let name = name.as_bytes();
    let mut number = 0;
    let mut index = name.len();
    while index > 0 {
        index -= 1;
        number = number << 8 | name[index] as u64;
    }
    number
}

macro_rules! names {
    ($($name:tt)*) => {
        /// Each name and its number, in a slot of its own.
        static NAMES: [(u64, LocalName); SLOTS] = {
            let mut names = [const { (NO_NAME, local_name!("")) }; SLOTS];
            $(
                let key = number($name);
                let before = mem::replace(&mut names[slot(key)], (key, local_name!($name)));
                assert!(before.0 == NO_NAME, "two names have the same slot");
                // A constant cannot drop anything.
                mem::forget(before);
            )*
            names
        };
    };
}

names! {
    "a" "p" "b" "i" "li" "ul" "td" "tr" "th" "h2" "h3" "h4" "dd" "dt" "dl" "em" "br" "div" "pre" "img" "var" "sup" "svg"
    "span" "code" "link" "meta" "path" "table" "strong" "script" "input" "id" "class" "href" "src" "rel" "title" "name"
    "style" "type" "alt" "width" "height" "content" "value" "role" "target" "d" "lang" "colspan" "rowspan" "option" "label"
    "ol" "h1" "h5" "hr" "dfn" "wbr" "col" "nav" "html" "head" "body" "tbody" "thead" "section" "button" "align" "valign"
    "border" "media" "fill"
}

const SLOTS: usize = 256;

/// What stands in other slots: no name has this number.
const NO_NAME: u64 = u64::MAX;

/// Gives each name a slot of its own. Found by trying random odd numbers; for other names try again.
const FACTOR: u64 = 0x8C24_5595_CFC2_62CD;

const fn slot(number: u64) -> usize {
    (number.wrapping_mul(FACTOR) >> 56) as usize
}

/// The name for a number.
#[inline]
fn known(number: u64) -> Option<LocalName> {
    let (known, name) = &NAMES[slot(number)];
    (*known == number).then(|| name.clone())
}

/// The name. `text` has it from `at` on, if it is a known one.
#[inline]
pub(crate) fn local_name(name: &str, text: &str, at: usize) -> LocalName {
    if name.len() <= LONGEST
        && let Some(bytes) = text.as_bytes().get(at..)
        && let Some(bytes) = bytes.first_chunk()
        && let Some(mask) = u64::MAX.checked_shr(64 - 8 * name.len() as u32)
        && let Some(known) = known(u64::from_le_bytes(*bytes) & mask)
    {
        return known;
    }
    LocalName::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_itself() {
        let words =
            "a p li div spam span code codes content contents x é 中 a\u{1} hrefs class clas";
        let text = format!("{words} and more behind it");
        for word in words.split(' ') {
            let at = text.find(&format!("{word} ")).expect("a word of the text");
            assert_eq!(&*local_name(word, &text, at), word);
            assert_eq!(&*local_name(word, word, 0), word);
            assert_eq!(&*local_name(word, &text, usize::MAX), word);
        }
        assert_eq!(&*local_name("", &text, 0), "");
    }
}
