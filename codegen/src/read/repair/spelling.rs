//! What a line lacks that YAML refuses: quotes, brackets, colons, dashes.

use super::{Candidate, Repair, indent, is_item};
use crate::read::quoting::{Quoted, glyph_end, is_special, key_end, quoted, quoted_in_brackets};

const LITERALS: &str = "write texts in double quotes, and quote it:";

pub(super) const BY_NUMBERS: &str = "write characters by their numbers:";

impl Repair<'_> {
    /// What is typed without quotes, brackets or spaces that YAML needs, the likeliest first.
    pub(super) fn spellings(&self, number: usize) -> Vec<Candidate> {
        let line = self.line(number);
        let all = quoted(line);
        let first = [
            condition(line),
            without_braces(line),
            slashes(line),
            unquoted(line, &all),
            unquoted(line, &quoted_in_brackets(line)),
            colon_without_space(line),
            self.dash(number),
            after_brackets(line),
            self.missing_colon(number),
        ];
        let mut found: Vec<Candidate> = first.into_iter().flatten().collect();
        if let Some(fixed) = closed_by(&all.open, &all.line) {
            let at = line.find(['[', '{']).unwrap_or(0);
            let closed = Candidate::showing(line, fixed, "the bracket is not closed", "close it:");
            found.push(closed.at(at..at + 1));
        }
        for (at, quote) in odd_quotes(line) {
            // In brackets it is to be closed before theirs.
            let closed = line.trim_end();
            let text = match line[..at].contains(['[', '{']) {
                true => closed.trim_end_matches([']', '}']),
                false => closed,
            };
            let fixed = format!("{text}{quote}{}", &closed[text.len()..]);
            let closed = Candidate::showing(line, fixed, "the quote is not closed", "close it:");
            // A value that begins with the quote.
            let is_key = key_end(line) == Some(all.piece.end);
            let begins = !is_key && all.piece.len() > 1 && all.piece.start == at;
            let place = if begins { 0 } else { found.len() };
            found.insert(place, closed.at(at..at + 1).unsure());
        }
        found
    }

    /// The colon of a key without one: of an arm (`EOF emit EOF`), or of a line with lines below it.
    fn missing_colon(&self, number: usize) -> Option<Candidate> {
        let line = self.line(number);
        let typed = line.trim();
        if typed.starts_with(['#', '-']) || key_end(line).is_some() {
            return None;
        }
        let is_head = self.below(number).map(indent) > Some(indent(line));
        let end = match is_head {
            true => line.trim_end().len(),
            false => end_of_arm(line)?,
        };
        let fixed = format!("{}: {}", &line[..end], line[end..].trim_start());
        let message = "a colon is missing here";
        let end = end.max(1);
        Some(Candidate::showing(line, fixed.trim_end(), message, "write:").at(end - 1..end))
    }

    /// A dash that the lines beside it have.
    fn dash(&self, number: usize) -> Option<Candidate> {
        let line = self.line(number);
        let own = indent(line);
        let mut above = self.above(number).map(|n| self.line(n));
        let above = above.find(|other| indent(other) <= own)?;
        let lacks_dash = indent(above) == own && is_item(above) && !is_item(line);
        let text = line[own..].trim_start_matches(['-', '*', '•', ' ']);
        let message = "an item of a list begins with a dash and a space";
        let fixed = format!("{}- {text}", &line[..own]);
        lacks_dash.then(|| Candidate::showing(line, fixed, message, "write:"))
    }
}

/// The line with the quotes that it needs.
pub(super) fn unquoted(line: &str, written: &Quoted) -> Option<Candidate> {
    let piece = &line[written.piece.clone()];
    let words = how_to_write(piece, written);
    let candidate = Candidate::showing(line, &*written.line, reason(piece), words);
    let candidate = Candidate {
        // `*` may be meant for anything else, and other signs for nothing.
        is_sure: match written.line[written.piece.start..].starts_with("U+") {
            true => piece != "*",
            false => !piece.starts_with(['>', '|', '&', '*', '!', '%', '@', '`']),
        },
        ..candidate.at(written.piece.clone())
    };
    (written.line != line).then_some(candidate)
}

/// A line with these brackets at its end, if there are any to close.
fn closed_by(open: &str, line: &str) -> Option<String> {
    (!open.is_empty()).then(|| format!("{}{open}", line.trim_end()))
}

/// Why a piece of a line needs quotes.
fn reason(piece: &str) -> String {
    match piece.chars().next() {
        Some('"' | '\'') if piece.len() > 1 => {
            "to YAML, a text that begins with a quote ends at the next one".to_owned()
        }
        Some('#') => "to YAML, an unquoted `#` begins a comment".to_owned(),
        Some('`') => "to YAML, an unquoted backtick is not text".to_owned(),
        Some(c) if is_special(c) => format!("to YAML, an unquoted `{c}` is not text"),
        _ if piece.contains(" #") => "to YAML, an unquoted ` #` begins a comment".to_owned(),
        _ if piece.contains(": ") => "a text with a colon and a space needs quotes".to_owned(),
        _ => "in a list in brackets, a text with a bracket or a comma needs quotes".to_owned(),
    }
}

fn how_to_write(typed: &str, written: &Quoted) -> &'static str {
    let rest = &written.line[written.piece.start..];
    if rest.starts_with(&format!("'{}'", typed.replace('\'', "''"))) {
        "quote it:"
    } else if typed == "*" {
        "`anything else` takes what no other arm takes; to mean the character, write:"
    } else if !rest.starts_with("'\"") && rest.contains("U+") {
        BY_NUMBERS
    } else {
        LITERALS
    }
}

/// The line with a space after the first colon, which was meant to end a key: `EOF:emit EOF`, `consume:{…}`.
fn colon_without_space(line: &str) -> Option<Candidate> {
    let (key, value) = line.split_once(':')?;
    let is_value = value.starts_with(|c: char| c.is_alphanumeric() || c == '[' || c == '{');
    let message = "a space is missing after the colon";
    let fixed = format!("{key}: {value}");
    (is_value && !key.contains(['"', '\'', '[', '{', '#']))
        .then(|| Candidate::showing(line, fixed, message, "write:"))
}

/// A key whose value in braces is a part of it for YAML: `consume:{EOF: stay}`.
pub(super) fn glued(line: &str) -> Option<Candidate> {
    let colon = line.find(':')?;
    let is_glued = line[colon + 1..].starts_with(['{', '[']) && key_end(line) != Some(colon);
    colon_without_space(line).filter(|_| is_glued)
}

/// A condition with what is done, in the line of an arm: only a list has that.
fn condition(line: &str) -> Option<Candidate> {
    let value = key_end(line)? + 2;
    let typed = line.get(value..)?.trim_end();
    let is_condition = typed.starts_with("if ") && typed.contains(": ");
    let fixed = format!("{}[{typed}]", &line[..value]);
    let message = "a condition with what is done is an item of a list";
    is_condition.then(|| Candidate::showing(line, fixed, message, "put it in brackets:"))
}

/// Names with their values after a key of the table, and not in braces: `registers: depth: number`.
fn without_braces(line: &str) -> Option<Candidate> {
    let (key, value) = line.trim_end().split_once(": ")?;
    let is_of_names = ["entry states", "registers", "variables", "conditions"].contains(&key);
    let is_pair = |pair: &str| pair.contains(": ") && !pair.contains(['"', '[', '{', '#']);
    let message = "names with their values stand in braces";
    let fixed = format!("{key}: {{{value}}}");
    (is_of_names && value.split(", ").all(is_pair))
        .then(|| Candidate::showing(line, fixed, message, "write:"))
}

/// A comment of another language.
fn slashes(line: &str) -> Option<Candidate> {
    let start = indent(line);
    let text = line[start..].strip_prefix("//")?;
    let fixed = format!("{}# {}", &line[..start], text.trim_start());
    Some(Candidate::showing(
        line,
        fixed,
        "a comment begins with `#`",
        "write:",
    ))
}

/// Something after the bracket that closes a list: `[parse error], stay`.
fn after_brackets(line: &str) -> Option<Candidate> {
    let value = key_end(line)? + 2;
    let typed = line.get(value..)?.trim_end();
    let end = value + 1 + typed.strip_prefix('[')?.find([']', '['])?;
    let (list, rest) = line[..].split_at(end);
    let rest = rest.strip_prefix(']')?.trim_end();
    let phrase = rest.trim_matches([' ', ',', ']']);
    let fixed = match phrase {
        "" => format!("{list}]"),
        phrase => format!("{list}, {phrase}]"),
    };
    let message = "the list in brackets ends before this";
    let is_plain = !rest.is_empty() && !phrase.contains(['[', '{', '#', '"', '\'']);
    let at = line.len() - rest.trim_start().len()..line.len();
    is_plain.then(|| Candidate::showing(line, fixed, message, "write:").at(at))
}

/// The quotes of which there is an odd number, and where the first of them is.
pub(super) fn odd_quotes(line: &str) -> impl Iterator<Item = (usize, char)> {
    ['"', '\''].into_iter().filter_map(move |quote| {
        // Without those in parentheses after a code point.
        let counted = line.replace(&format!("({quote})"), "(_)");
        let is_odd = counted.matches(quote).count() % 2 == 1;
        Some((counted.find(quote).filter(|_| is_odd)?, quote))
    })
}

/// Where the key of an arm ends that has a value after it and no colon: `EOF emit EOF`.
fn end_of_arm(line: &str) -> Option<usize> {
    let key = line.trim_start();
    let after = if let Some(code) = key.strip_prefix("U+") {
        let rest = code.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        glyph_end(key).map_or(rest, |end| &key[end..])
    } else {
        let words = ["EOF", "anything else", "otherwise"];
        words.iter().find_map(|word| key.strip_prefix(word))?
    };
    let is_arm = after.starts_with(' ') && !after.trim().is_empty();
    is_arm.then_some(line.len() - after.len())
}
