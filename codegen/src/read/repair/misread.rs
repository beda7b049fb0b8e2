//! What YAML reads otherwise than it is meant.

use super::indentation::reindented;
use super::spelling::{BY_NUMBERS, glued, unquoted};
use super::{
    Candidate, MOST_OF_A_LINE, MOST_REFUSALS, RefusalKind, Repair, Worth, indent, is_item, is_word,
};
use crate::read::node::Node;
use crate::read::quoting::{key_end, lacks_a_value, literal_key, quoted};
use std::collections::BTreeSet;

const COMMENT: &str = "YAML takes this for a comment";

impl Repair<'_> {
    /// Finds what YAML reads otherwise than it is meant: arms and items that an unquoted `#` makes comments of, texts
    /// that end at a comma in their quotes, and items that are part of the one above.
    pub(super) fn misread(&mut self, mut node: Node) -> Node {
        let prose = self.prose();
        for number in (0..self.typed.len()).filter(|n| !prose.contains(n)) {
            let line = self.line(number).to_owned();
            // A carriage return ends a line, too, but not here.
            let is_one = !line.trim_end().contains('\r') && line.len() <= MOST_OF_A_LINE;
            if !is_one || self.refusals.len() == MOST_REFUSALS {
                continue;
            }
            let literal = self.literal(number);
            let hash = hidden(&line).or(literal.as_ref().map(|_| indent(&line)));
            let written = literal.or_else(|| Some(in_comment(&line, hash?)));
            let Some(candidate) = written
                .or_else(|| cut(&line))
                .or_else(|| glued(&line))
                .or_else(|| self.joined(number))
            else {
                continue;
            };
            let Some(with) = self.read_with(number, &candidate) else {
                continue;
            };
            let kind = match hash {
                Some(hash) => {
                    // Without the comment the text says the same.
                    let without = Candidate::showing(&line, &line[..hash], COMMENT, "");
                    let without = self.read_with(number, &without);
                    if !matches!(without, Some(Ok(without)) if without == node) {
                        continue;
                    }
                    RefusalKind::Comment
                }
                None => RefusalKind::Syntax,
            };
            match with {
                Ok(with) if with != node => {
                    self.keep(number, candidate, kind);
                    node = with;
                }
                Err(_) if hidden(&line).is_some() => self.refuse(number, &candidate, kind),
                _ => {}
            }
        }
        node
    }

    /// A comment that is an arm for a literal, as its value tells: `#}: switch to data`.
    fn literal(&self, number: usize) -> Option<Candidate> {
        let typed = self.line(number);
        let hash = indent(typed);
        let (key, value) = typed[hash..].trim_end().split_once(':')?;
        let value = value.trim_start();
        let below = self.below(number).next().map(|n| self.line(n));
        let list = below.filter(|line| is_item(line));
        let comes_below = value.is_empty() && list.is_some_and(|line| indent(line) > hash);
        let is_arm = key.len() > 1
            && key.starts_with('#')
            && !key.contains([' ', '"', '\'', '\\'])
            && !["#U+", "#EOF"].iter().any(|arm| key.starts_with(arm))
            && (comes_below || (self.is_steps)(value))
            && (comes_below || !is_word(&key[1..]) || self.is_no_prose(value));
        is_arm.then(|| {
            let arm = format!("{}{}: {value}", &typed[..hash], literal_key(key));
            let line = quoted(arm.trim_end()).line;
            let words = "begin a comment with `#` and a space, or quote the literal:";
            Candidate::showing(typed, line, COMMENT, words)
        })
    }

    /// Whether a phrase behind a word, as in `#note: error handling`, is one and not a sentence: it stands in brackets, is
    /// one without names, or leads to a state of the table.
    fn is_no_prose(&self, phrase: &str) -> bool {
        let leads = ["switch to ", "reconsume in "];
        let state = leads.into_iter().find_map(|lead| phrase.strip_prefix(lead));
        let is_key = |state: &str| {
            let mut keys = self
                .typed
                .iter()
                .filter_map(|line| line.trim().strip_suffix(':'));
            keys.any(|key| key == state)
        };
        phrase.starts_with('[')
            || ["stay", "ignore", "emit EOF", "as anything else"].contains(&phrase)
            || state.is_some_and(is_key)
    }

    /// An item that is indented deeper than the one above, and so part of its text.
    fn joined(&self, number: usize) -> Option<Candidate> {
        let line = self.line(number);
        let above = self.line_above(number)?;
        let text = above.trim_start().strip_prefix("- ")?.trim_start();
        let is_plain = !text.starts_with("if ")
            && !text.starts_with("otherwise")
            && !text.starts_with(['-', '[', '{', '"', '\'', '&', '!', '|', '>', '#', '?'])
            && key_end(above).is_none();
        let is_deeper = is_item(line) && indent(line) > indent(above);
        (is_plain && is_deeper).then(|| reindented(line, indent(above)).worth(Worth::All))
    }

    /// The lines of block scalars.
    pub(super) fn prose(&self) -> BTreeSet<usize> {
        let mut around = None;
        let mut prose = BTreeSet::new();
        for number in 0..self.typed.len() {
            let line = self.line(number);
            let is_blank = line.trim().is_empty();
            if around.is_some_and(|of| is_blank || indent(line) > of) {
                prose.insert(number);
                continue;
            }
            let last = line
                .trim_end()
                .rsplit([' ', '\t'])
                .next()
                .unwrap_or_default();
            let header =
                last.trim_end_matches(|c: char| c == '-' || c == '+' || c.is_ascii_digit());
            around = matches!(header, ">" | "|").then(|| indent(line));
        }
        prose
    }
}

/// What YAML takes for a comment, as text.
fn in_comment(line: &str, hash: usize) -> Candidate {
    Candidate::showing(line, quoted(line).line, COMMENT, BY_NUMBERS).at(hash..line.len())
}

/// A text in a list in brackets that ends for YAML at the comma in its quotes.
fn cut(line: &str) -> Option<Candidate> {
    if !line.contains(['[', '{']) || !line.contains(['"', '\'', '“', '‘']) {
        return None;
    }
    let written = quoted(line);
    let piece = &line[written.piece.clone()];
    let is_cut = !piece.starts_with(['"', '\'']) && piece.contains(',') && written.open.is_empty();
    unquoted(line, &written).filter(|_| is_cut)
}

/// Where an unquoted `#` hides what looks like an arm or an item.
fn hidden(line: &str) -> Option<usize> {
    let is_key = |rest: &str| rest.trim_end() == ":" || rest.starts_with(": ");
    let start = line.len() - line.trim_start().len();
    if let Some(rest) = line[start..].strip_prefix('#') {
        return (is_key(rest) || rest.starts_with(',')).then_some(start);
    }
    let mut marks = line.match_indices(" #").map(|(at, _)| at + 1);
    marks.find(|at| {
        let rest = &line[at + 1..];
        is_key(rest) || rest.starts_with([',', ']', '}']) || lacks_a_value(&line[..*at])
    })
}
