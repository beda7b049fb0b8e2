//! What YAML reads otherwise than it is meant.

use super::spelling::{BY_NUMBERS, glued, unquoted};
use super::{Candidate, MOST_OF_A_LINE, MOST_REFUSALS, RefusalKind, Repair, indent};
use crate::read::node::Node;
use crate::read::quoting::{lacks_a_value, literal_key, quoted};
use std::collections::BTreeSet;

const COMMENT: &str = "YAML takes this for a comment";

impl Repair<'_> {
    /// Finds what YAML reads otherwise than it is meant: arms and items that an unquoted `#` makes comments of, and texts
    /// that end at a comma in their quotes.
    pub(super) fn misread(&mut self, mut node: Node) -> Node {
        let prose = self.prose();
        for number in (0..self.typed.len()).filter(|n| !prose.contains(n)) {
            let line = self.line(number).to_owned();
            // A carriage return ends a line, too, but not here.
            let is_one = !line.trim_end().contains('\r') && line.len() <= MOST_OF_A_LINE;
            if !is_one || self.refusals.len() == MOST_REFUSALS {
                continue;
            }
            let hash = hidden(&line);
            let written =
                hash.map(|hash| literal(&line).unwrap_or_else(|| in_comment(&line, hash)));
            let Some(candidate) = written.or_else(|| glued(&line)).or_else(|| cut(&line)) else {
                continue;
            };
            let kind = match hash {
                Some(hash) => {
                    // Without the comment the text says the same.
                    let without = self.read_with(number, &line[..hash]);
                    if !matches!(without, Some(Ok(without)) if without == node) {
                        continue;
                    }
                    RefusalKind::Comment
                }
                None => RefusalKind::Syntax,
            };
            match self.read_with(number, &candidate.line) {
                Some(Ok(with)) if with != node => {
                    self.keep(number, candidate, kind);
                    node = with;
                }
                Some(Err(_)) if hash.is_some() => self.refuse(number, &candidate, kind),
                _ => {}
            }
        }
        node
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

/// A comment that is an arm for a literal of signs: `#}: switch to data`.
fn literal(line: &str) -> Option<Candidate> {
    let hash = indent(line);
    let (key, value) = line[hash..].trim_end().split_once(':')?;
    let arm = format!("{}{}:{value}", &line[..hash], literal_key(key));
    let words = "begin a comment with `#` and a space, or quote the literal:";
    let is_literal = key.len() > 1 && key.starts_with('#') && !key.contains([' ', '"', ',']);
    is_literal.then(|| Candidate::showing(line, quoted(&arm).line, COMMENT, words))
}

/// A text in a list in brackets that ends for YAML at the comma in its quotes.
fn cut(line: &str) -> Option<Candidate> {
    if !line.contains(['[', '{']) || !line.contains(['"', '\'']) {
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
        let signs =
            rest.trim_start_matches(|c: char| c.is_ascii_punctuation() && !":\"'\\,".contains(c));
        return (is_key(signs) || rest.starts_with(',')).then_some(start);
    }
    let mut marks = line.match_indices(" #").map(|(at, _)| at + 1);
    marks.find(|at| {
        let rest = &line[at + 1..];
        is_key(rest) || rest.starts_with([',', ']', '}']) || lacks_a_value(&line[..*at])
    })
}
