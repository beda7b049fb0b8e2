//! Characters that are not seen, or look like a space and are none to YAML.

use super::{Refusal, RefusalKind, Repair, shown};
use crate::charset::display_char;
use std::collections::BTreeMap;

impl Repair<'_> {
    /// Takes away characters that are not seen, or are blanks to people and not to YAML, where they do harm.
    pub(super) fn invisible(&mut self, text: &str) -> bool {
        if !text.contains(|c| is_odd_blank(c) || is_refused(c)) {
            return false;
        }
        let prose = self.prose();
        let mut found: BTreeMap<char, (usize, usize, String, usize)> = BTreeMap::new();
        for number in 0..self.typed.len() {
            let line = self.typed[number];
            let mut written = String::with_capacity(line.len());
            for (at, c) in line.char_indices() {
                let is_refused = is_refused(c);
                let is_text = prose.contains(&number) || !is_harmful(&line[..at], c);
                if !is_refused && (!is_odd_blank(c) || is_text) {
                    written.push(c);
                    continue;
                }
                if c.is_whitespace() && !is_refused {
                    written.push(' ');
                } else {
                    // It may have been meant as something.
                    self.unknown.insert(number);
                }
                let first = found.entry(c).or_insert((number, at, String::new(), 0));
                first.3 += usize::from(first.0 != number);
            }
            if written != line {
                for (_, first) in found.iter_mut().filter(|(_, first)| first.0 == number) {
                    written.clone_into(&mut first.2);
                }
                self.write(number, written);
            }
        }
        for (c, (number, at, written, others)) in found {
            let name = display_char(c);
            let (message, help) = if is_refused(c) {
                let message = format!("YAML does not allow the character {name}");
                (
                    message,
                    format!("a set or a phrase has it by its number, `{name}`; without it:"),
                )
            } else if c.is_whitespace() {
                let message = format!("{name} looks like a space, and is none to YAML");
                (message, "type a space:".to_owned())
            } else {
                let message = format!("{name} is not seen, and is text to YAML");
                (message, "without it:".to_owned())
            };
            let help = match others {
                0 => help,
                _ => format!("(on {} lines) {help}", others + 1),
            };
            self.refusals.push(Refusal {
                kind: RefusalKind::Invisible,
                message,
                help: shown(&help, &written),
                offset: self.start(number) + at,
                len: c.len_utf8(),
            });
        }
        !self.lines.is_empty()
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
