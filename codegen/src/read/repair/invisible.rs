//! Characters that are not seen, or look like a space and are none to YAML.

use super::{Candidate, RefusalKind, Repair};
use crate::charset::display_char;
use std::collections::{BTreeMap, BTreeSet};

impl Repair<'_> {
    /// Takes away characters that are not seen, or are blanks to people and not to YAML, where they do harm.
    pub(super) fn invisible(&mut self, text: &str) {
        if !text.contains(|c| is_odd_blank(c) || is_refused(c)) {
            return;
        }
        let prose = self.prose();
        // The first place of each, and its lines.
        let mut found: BTreeMap<char, (usize, BTreeSet<usize>)> = BTreeMap::new();
        for number in 0..self.typed.len() {
            let line = self.typed[number];
            let mut written = String::with_capacity(line.len());
            for (at, c) in line.char_indices() {
                let is_text = prose.contains(&number) || !is_harmful(&line[..at], c);
                if !is_refused(c) && (!is_odd_blank(c) || is_text) {
                    written.push(c);
                    continue;
                }
                let (_, lines) = found.entry(c).or_insert_with(|| (at, BTreeSet::new()));
                lines.insert(number);
                if c.is_whitespace() && !is_refused(c) {
                    written.push(' ');
                } else {
                    // It may have been meant as something.
                    self.unknown.insert(number);
                }
            }
            if written != line {
                self.write(number, written);
            }
        }
        for (c, (at, lines)) in found {
            let Some(&number) = lines.first() else {
                continue;
            };
            let name = display_char(c);
            let (message, mut help) = match (is_refused(c), c.is_whitespace()) {
                (true, _) => (
                    format!("YAML does not allow the character {name}"),
                    format!("a set or a phrase has it by its number, `{name}`; without it:"),
                ),
                (false, true) => (
                    format!("{name} looks like a space, and is none to YAML"),
                    "type a space:".to_owned(),
                ),
                (false, false) => (
                    format!("{name} is not seen, and is text to YAML"),
                    "without it:".to_owned(),
                ),
            };
            if lines.len() > 1 {
                help = format!("(on {} lines) {help}", lines.len());
            }
            let candidate = Candidate::showing("", self.line(number), message, &help);
            self.refuse_at(
                number,
                at..at + c.len_utf8(),
                &candidate,
                RefusalKind::Invisible,
            );
        }
    }
}

/// Whether YAML refuses a character, wherever it stands.
fn is_refused(c: char) -> bool {
    c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{85}')
        || matches!(c, '\u{FFFE}' | '\u{FFFF}')
}

/// Whether a character looks like a space or like nothing, and is text to YAML.
fn is_odd_blank(c: char) -> bool {
    let is_break = matches!(c, '\u{85}' | '\u{2028}' | '\u{2029}');
    c.is_whitespace() && !c.is_ascii() && !is_break
        || matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// Whether such a character is no part of a text: it indents, stands behind the dash of an item or the colon of a key,
/// or has no width.
fn is_harmful(before: &str, c: char) -> bool {
    let is_blank = |c: char| c == ' ' || is_odd_blank(c);
    let text = before.trim_matches(is_blank);
    let is_key = |key: &str| !key.contains(['"', '\'', '#']) && !key.contains(": ");
    text.is_empty()
        || text == "-"
        || text.strip_suffix(':').is_some_and(is_key)
        || !c.is_whitespace() && before.matches('"').count().is_multiple_of(2)
}
