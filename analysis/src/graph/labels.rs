//! Arms in a few letters, for lines and boxes of a diagram.

use speclex_codegen::analyse::Path;
use speclex_codegen::charset::CharSet;

use crate::paths::{ArmInput, spelled_answer};
use crate::spelling::{Spelling, characters};

/// How many characters of a set are listed.
const MOST: usize = 6;

/// A set of fewer characters is listed with what is whitespace in it as one.
const FEW: u32 = 32;

/// How long a question may be.
pub(super) const LONGEST: usize = 60;

/// On what a path is taken.
pub(super) fn path_label(spelling: &Spelling<'_>, on: ArmInput<'_>, path: &Path<'_>) -> String {
    let input = match on {
        ArmInput::Literal(literal) => format!("{:?}", literal.text),
        // The table's own name of a set.
        ArmInput::Set(_, label) if !label.contains("U+") => label.to_owned(),
        ArmInput::Set(set, label) => short_set(set).unwrap_or_else(|| label.to_owned()),
        ArmInput::Eof => "EOF".to_owned(),
        ArmInput::Matched => "a reference".to_owned(),
        ArmInput::Unmatched => "no reference".to_owned(),
        ArmInput::Entering => {
            return match path.guards().next_back() {
                None => "at once".to_owned(),
                Some((guard, holds)) => cut(&spelled_answer(spelling, guard, holds), LONGEST),
            };
        }
    };
    if path.guards().next().is_none() {
        input
    } else {
        format!("{input} if …")
    }
}

/// A text, cut where it is too long.
pub(super) fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let start: String = text.chars().take(longest.saturating_sub(1)).collect();
    format!("{}…", start.trim_end())
}

fn short_set(set: &CharSet) -> Option<String> {
    let space: CharSet = ['\t', '\n', '\u{C}', ' '].into_iter().collect();
    if set.len() < FEW && space.difference(set).is_empty() {
        let rest = set.difference(&space.union(&CharSet::single('\r')));
        let rest = if rest.is_empty() {
            Some(String::new())
        } else {
            short_set(&rest).map(|rest| format!(" {rest}"))
        };
        return rest.map(|rest| format!("whitespace{rest}"));
    }
    let whole = characters(set);
    if !whole.starts_with("U+") {
        return Some(whole);
    }
    if set.ranges().len() > MOST {
        return None;
    }
    let range = |&(first, last): &(u32, u32)| match last - first {
        0 => letter(first),
        1 => format!("{} {}", letter(first), letter(last)),
        _ => format!("{}–{}", letter(first), letter(last)),
    };
    let ranges: Vec<String> = set.ranges().iter().map(range).collect();
    Some(ranges.join(" "))
}

fn letter(code: u32) -> String {
    match (code, char::from_u32(code)) {
        (0, _) => "NUL".to_owned(),
        (0x09, _) => "TAB".to_owned(),
        (0x0A, _) => "LF".to_owned(),
        (0x0C, _) => "FF".to_owned(),
        (0x0D, _) => "CR".to_owned(),
        (0x20, _) => "SPACE".to_owned(),
        // Alone these are hard to see.
        (0x22, _) => "quote \"".to_owned(),
        (0x27, _) => "apostrophe '".to_owned(),
        (0x2C, _) => "comma".to_owned(),
        (0x2D, _) => "dash -".to_owned(),
        (_, Some(c @ '!'..='~')) => c.to_string(),
        _ => format!("U+{code:04X}"),
    }
}
