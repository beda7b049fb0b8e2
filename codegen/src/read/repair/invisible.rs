//! Characters that are not seen, or look like a space and are none to YAML.

use super::{Candidate, MOST_REFUSALS, RefusalKind, Repair};
use crate::charset::display_char;

impl Repair<'_> {
    /// Takes away characters that are not seen, or are blanks to people and not to YAML, where they do harm.
    pub(super) fn invisible(&mut self) {
        if !self.typed.iter().any(|line| line.contains(is_odd_blank)) {
            return;
        }
        let prose = self.prose();
        for number in (0..self.typed.len()).filter(|n| !prose.contains(n)) {
            let line = self.typed[number];
            let is_odd = |&(at, c): &(usize, char)| is_odd_blank(c) && is_harmful(&line[..at], c);
            let Some((at, first)) = line.char_indices().find(is_odd) else {
                continue;
            };
            let meant = line
                .char_indices()
                .filter_map(|(at, c)| match is_odd(&(at, c)) {
                    true if c.is_whitespace() => Some(' '),
                    true => None,
                    false => Some(c),
                });
            let meant: String = meant.collect();
            let name = display_char(first);
            let (message, words) = match first.is_whitespace() {
                true => (
                    format!("{name} looks like a space, and is none to YAML"),
                    "type a space:",
                ),
                false => (
                    format!("{name} is not seen, and is text to YAML"),
                    "without it:",
                ),
            };
            if self.refusals.len() < MOST_REFUSALS {
                let candidate = Candidate::showing(line, meant.as_str(), message, words);
                let piece = at..at + first.len_utf8();
                self.refuse(number, &candidate.at(piece), RefusalKind::Invisible);
            }
            self.write(number, meant);
        }
    }
}

/// Whether a character looks like a space or like nothing, and is text to YAML.
fn is_odd_blank(c: char) -> bool {
    let is_break = matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
    c.is_whitespace() && !c.is_ascii() && !is_break
        || matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// Whether such a character is no part of a text: it indents, stands after the dash of an item or the colon of a key, or has no width.
fn is_harmful(before: &str, c: char) -> bool {
    let text = before.trim_matches(|c: char| c == ' ' || is_odd_blank(c));
    text.is_empty()
        || text == "-"
        || text.ends_with(':') && !text.contains(['"', '\'', '#'])
        || !c.is_whitespace() && before.matches('"').count().is_multiple_of(2)
}
