//! Reads a text although YAML refuses lines of it. Each refusal says what to write, the line is read as if that
//! were written, and so are the lines behind it: one slip hides no other fault.

mod indentation;
mod invisible;
mod misread;
mod spelling;

use super::events::{Problem, nodes};
use super::node::{Node, Yaml};
use super::quoting::{key_end, quoted};
use indentation::is_tabbed;
use spelling::{MISSING_COLON, OPEN_BRACKET, closed_by, odd_quotes};
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

/// A text as nodes, and what is wrong with it.
pub(crate) struct Reading {
    /// `None` when too much of it cannot be read.
    pub(crate) node: Option<Node>,
    pub(crate) refusals: Vec<Refusal>,
    /// What the nodes were read from, if it is not the text itself.
    pub(crate) repaired: Option<Repaired>,
}

/// Why YAML refuses a line, or reads it otherwise than it is meant.
pub(crate) struct Refusal {
    pub(crate) kind: RefusalKind,
    pub(crate) message: String,
    pub(crate) help: String,
    /// Byte offset in the text as typed.
    pub(crate) offset: usize,
    pub(crate) len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RefusalKind {
    Syntax,
    TooLarge,
    /// YAML takes the line, or its end, for a comment.
    Comment,
    /// A character that is not seen.
    Invisible,
}

/// A text that YAML reads, line for line the one that was typed.
#[derive(Debug)]
pub(crate) struct Repaired {
    pub(crate) text: String,
    /// Lines, from 0, of which it is not known what they should say.
    pub(crate) unknown: BTreeSet<usize>,
    /// Those among them without which other lines may mean something else, too.
    pub(crate) lost: BTreeSet<usize>,
}

/// More refusals of one text are not looked for.
const MOST_REFUSALS: usize = 20;

/// How much may be read again in search of repairs: bytes, and a line counts as some more, since each is a node or several.
const MOST_READ_AGAIN: usize = 12 << 20;
const COST_OF_A_LINE: usize = 20;

/// Longer lines are not repaired.
const MOST_OF_A_LINE: usize = 2000;

/// Reads a text into nodes. `is_steps` tells whether the value of a key is a phrase or a list of them in brackets.
pub(crate) fn read(source: u32, text: &str, is_steps: fn(&str) -> bool) -> Reading {
    let mut repair = Repair {
        source,
        is_steps,
        typed: text.split('\n').collect(),
        lines: Vec::new(),
        unknown: BTreeSet::new(),
        lost: BTreeSet::new(),
        refusals: Vec::new(),
        left: MOST_READ_AGAIN,
    };
    let mut result = match repair.invisible(text) {
        true => nodes(source, &repair.lines.join("\n")),
        false => nodes(source, text),
    };
    while let Err(problem) = result {
        match repair.step(&problem) {
            Some(better) => result = better,
            None => {
                repair.unexplained(&problem);
                return repair.finish(None);
            }
        }
    }
    let node = result.ok().map(|node| repair.misread(node));
    repair.finish(node)
}

/// Reads a text into nodes, without repairs: where it cannot be read, in bytes, and why.
#[cfg(feature = "files")]
pub(crate) fn read_as_it_is(source: u32, text: &str) -> Result<Node, (usize, String)> {
    nodes(source, text).map_err(|problem| (problem.offset, problem.message))
}

struct Repair<'t> {
    source: u32,
    is_steps: fn(&str) -> bool,
    typed: Vec<&'t str>,
    /// The same with repairs; empty while there are none.
    lines: Vec<String>,
    unknown: BTreeSet<usize>,
    lost: BTreeSet<usize>,
    refusals: Vec<Refusal>,
    /// How much may yet be read again.
    left: usize,
}

/// A line that could be meant.
struct Candidate {
    line: String,
    /// Bytes of the line that is repaired.
    piece: Range<usize>,
    message: String,
    help: String,
    worth: Worth,
}

impl Candidate {
    /// The line that is read instead, and that the help shows after these words.
    fn showing(
        piece: Range<usize>,
        message: impl Into<String>,
        words: &str,
        line: impl Into<String>,
    ) -> Self {
        let line = line.into();
        Self {
            help: shown(words, &line),
            line,
            piece,
            message: message.into(),
            worth: Worth::All,
        }
    }

    fn worth(self, worth: Worth) -> Self {
        Self { worth, ..self }
    }
}

/// What a line could be meant as, when YAML stops at another one.
type Candidates<'t> = fn(&Repair<'t>, usize, usize) -> Vec<Candidate>;

/// How much of the line is known when a candidate stands for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Worth {
    All,
    /// What kind of line it is.
    Shape,
    Nothing,
}

impl Repair<'_> {
    fn line(&self, number: usize) -> &str {
        match self.lines.get(number) {
            Some(line) => line,
            None => self.typed.get(number).copied().unwrap_or_default(),
        }
    }

    /// The line of an offset in the repaired text, and the offset in it.
    fn place(&self, mut offset: usize) -> (usize, usize) {
        for number in 0..self.typed.len() {
            let length = self.line(number).len();
            if offset <= length {
                return (number, offset);
            }
            offset -= length + 1;
        }
        (self.typed.len() - 1, 0)
    }

    /// Where a line starts in the text as typed.
    fn start(&self, number: usize) -> usize {
        let before = self.typed.iter().take(number);
        before.map(|line| line.len() + 1).sum()
    }

    /// The text with another line; `None` when enough has been read.
    fn read_with(&mut self, number: usize, line: &str) -> Option<Result<Node, Problem>> {
        let lines = (0..self.typed.len()).map(|other| match other == number {
            true => line,
            false => self.line(other),
        });
        let text = lines.collect::<Vec<_>>().join("\n");
        self.read_again(&text)
    }

    fn read_again(&mut self, text: &str) -> Option<Result<Node, Problem>> {
        let cost = text.len() + self.typed.len() * COST_OF_A_LINE;
        self.left = self.left.checked_sub(cost)?;
        Some(nodes(self.source, text))
    }

    /// Takes a line as another one.
    fn write(&mut self, number: usize, line: String) {
        if self.lines.is_empty() {
            self.lines = self.typed.iter().map(|line| (*line).to_owned()).collect();
        }
        self.lines[number] = line;
    }

    fn keep(&mut self, number: usize, candidate: Candidate, kind: RefusalKind) {
        self.refuse(number, &candidate, kind);
        if candidate.worth != Worth::All {
            self.unknown.insert(number);
        }
        if candidate.worth == Worth::Nothing {
            self.lost.insert(number);
        }
        self.write(number, candidate.line);
    }

    fn refuse(&mut self, number: usize, candidate: &Candidate, kind: RefusalKind) {
        let typed = self.typed.get(number).copied().unwrap_or_default();
        let column = |at| column_as_typed(typed, self.line(number), at);
        let (from, to) = (column(candidate.piece.start), column(candidate.piece.end));
        self.refusals.push(Refusal {
            kind,
            message: candidate.message.clone(),
            help: candidate.help.clone(),
            offset: self.start(number) + from,
            len: to.saturating_sub(from).max(1),
        });
    }

    /// Repairs a line so that YAML reads further.
    fn step(&mut self, problem: &Problem) -> Option<Result<Node, Problem>> {
        if problem.too_large || self.refusals.len() == MOST_REFUSALS {
            return None;
        }
        let (line, column) = self.place(problem.offset);
        let before = self.above(line).next();
        // A quote may have been open since then.
        let is_open = |&line: &usize| odd_quotes(self.line(line)).next().is_some();
        let open = (0..line).rev().find(is_open);
        let mut lines = vec![line];
        let blank = line.checked_sub(1).filter(|&n| !self.is_written(n));
        lines.extend(blank);
        for other in [problem.began, before, open].into_iter().flatten() {
            if !lines.contains(&other) && other < line {
                lines.push(other);
            }
        }
        lines.retain(|&line| self.line(line).len() <= MOST_OF_A_LINE);
        if problem.message.contains("more than one document") {
            return self.second_document();
        }
        if lines.iter().any(|&n| is_tabbed(self.line(n)))
            && let Some(result) = self.tabs(line)
        {
            return Some(result);
        }
        if let Some(result) = self.arms_at_margin(line) {
            return Some(result);
        }
        if let Some(first) = problem.began
            && let Some(result) = self.open_bracket(first, line)
        {
            return Some(result);
        }
        // Where this line and the next agree, the one above may be off, or the first of those that are deeper.
        let agree = self.indent_below(line) == Some(indent(self.line(line)));
        let mut neighbours = vec![line];
        neighbours.extend(before);
        // So it is where the line above alone is out of step.
        let agrees_with = before.and_then(|before| self.line_above(before));
        let agrees = agrees_with.is_some_and(|above| indent(above) == indent(self.line(line)));
        let is_top = before.is_some_and(|before| indent(self.line(before)) == 0);
        if (agree || agrees && !is_top) && !is_item(self.line(line)) {
            neighbours.reverse();
        }
        neighbours.extend(self.deeper_above(line));
        let off = before.filter(|&before| self.is_off(before));
        if let Some(head) = off.or_else(|| self.head_out_of_step(line)) {
            neighbours.insert(0, head);
        }
        neighbours.retain(|&number| self.line(number).len() <= MOST_OF_A_LINE);
        // Most tables indent by two.
        neighbours.sort_by_key(|&number| indent(self.line(number)).is_multiple_of(2));
        let passes: [(Candidates<'_>, &[usize]); 3] = [
            (Self::spellings, &lines),
            (Self::indentations, &neighbours),
            (Self::omissions, &lines),
        ];
        for (pass, (candidates, lines)) in passes.into_iter().enumerate() {
            for &number in lines {
                for mut candidate in candidates(self, number, line) {
                    let result = self.read_with(number, &candidate.line)?;
                    let further = match &result {
                        Ok(_) => true,
                        Err(next) if next.too_large => false,
                        Err(next) => {
                            let then = self.place(next.offset).0;
                            // Or what began on the repaired line took in the lines that now come to light.
                            let began = problem.began == Some(number);
                            let shorter = began && number < then && then < line;
                            // Or the lines have a slip each.
                            let another =
                                (&next.message, next.began) != (&problem.message, problem.began);
                            let both = pass == 0 && number < line && then == line && another;
                            // Or the line above lacks a colon, too.
                            let above = candidate.message == MISSING_COLON && then == number;
                            then > line || shorter || both || above
                        }
                    };
                    if !further {
                        continue;
                    }
                    let mut shown = match self.is_written(number) {
                        true => number,
                        false => line,
                    };
                    if candidate.message.is_empty() {
                        candidate.message = message_of(&problem.message);
                        candidate.piece = column..column + 1;
                        shown = line;
                    }
                    let follows = pass == 1 && self.follows(number, &candidate);
                    self.keep_at(number, shown, candidate);
                    if follows {
                        self.refusals.pop();
                    }
                    return Some(result);
                }
            }
        }
        None
    }

    /// Closes a bracket that was opened on a line above, behind what is indented below that line.
    fn open_bracket(&mut self, first: usize, line: usize) -> Option<Result<Node, Problem>> {
        let of = indent(self.line(first));
        let below = self.below(first);
        let last = below
            .take_while(|&n| {
                n <= line && indent(self.line(n)) > of && key_end(self.line(n)).is_none()
            })
            .last()?;
        let lines: Vec<&str> = (first..=last).map(|n| self.line(n).trim_end()).collect();
        let lines = lines.join(" ");
        if lines.len() > MOST_OF_A_LINE {
            return None;
        }
        let closed = closed_by(&quoted(&lines).open, self.line(last))?;
        let at = self.line(first).find(['[', '{']).unwrap_or(of);
        let candidate = Candidate::showing(at..at + 1, OPEN_BRACKET, "close it:", closed);
        let result = self.read_with(last, &candidate.line)?;
        let further = result
            .as_ref()
            .map_or_else(|next| self.place(next.offset).0 > line, |_| true);
        further.then(|| {
            self.keep_at(last, first, candidate);
            result
        })
    }

    /// Whether the line above has got the same indentation for the same reason.
    fn follows(&self, number: usize, candidate: &Candidate) -> bool {
        let last = self.refusals.last();
        let same = last.is_some_and(|refusal| refusal.message == candidate.message);
        same && number > 0 && self.lost.contains(&(number - 1))
    }

    /// Keeps a candidate for one line and shows the fault at another.
    fn keep_at(&mut self, number: usize, shown: usize, candidate: Candidate) {
        let offset = self.start(shown) + candidate.piece.start;
        let elsewhere = shown != number;
        self.keep(number, candidate, RefusalKind::Syntax);
        if let Some(refusal) = self.refusals.last_mut().filter(|_| elsewhere) {
            refusal.offset = offset;
        }
    }

    /// Takes away the line at which a second document begins; or the document, if it is another table.
    fn second_document(&mut self) -> Option<Result<Node, Problem>> {
        let is_mark = |line: &str| line.starts_with("---") || line.starts_with("...");
        let begins = |line: &str| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with(['#', '%'])
        };
        let first = (0..self.typed.len()).find(|&n| begins(self.line(n)))?;
        let mark = (first + 1..self.typed.len()).find(|&n| is_mark(self.line(n)))?;
        let one = self.read_with(mark, "")?;
        let is_another = one.as_ref().is_ok_and(has_a_key_twice);
        let candidate = Candidate {
            line: String::new(),
            piece: 0..3,
            message: "a second YAML document begins here".to_owned(),
            help: match is_another {
                true => "a file holds one table: move the second one to a file of its own",
                false => "a file holds one table: remove this line",
            }
            .to_owned(),
            worth: Worth::All,
        };
        self.keep(mark, candidate, RefusalKind::Syntax);
        if !is_another {
            return Some(one);
        }
        for number in mark..self.typed.len() {
            self.write(number, String::new());
        }
        self.read_with(mark, "")
    }

    fn is_written(&self, number: usize) -> bool {
        !self.line(number).trim().is_empty()
    }

    /// The lines with text above, the nearest first.
    fn above(&self, number: usize) -> impl Iterator<Item = usize> {
        (0..number).rev().filter(|&n| self.is_written(n))
    }

    /// The lines with text below.
    fn below(&self, number: usize) -> impl Iterator<Item = usize> {
        (number + 1..self.typed.len()).filter(|&n| self.is_written(n))
    }

    /// The next line with text above.
    fn line_above(&self, number: usize) -> Option<&str> {
        Some(self.line(self.above(number).next()?))
    }

    /// How far the next line with text is indented.
    fn indent_below(&self, number: usize) -> Option<usize> {
        Some(indent(self.line(self.below(number).next()?)))
    }

    /// The line without its value, or without anything. The message is YAML's.
    fn omissions(&self, number: usize, _: usize) -> Vec<Candidate> {
        let line = self.line(number);
        let without = |line: &str| {
            Candidate {
            line: line.to_owned(),
            piece: 0..0,
            message: String::new(),
            help: "look for quotes, brackets and indentation here and on the lines above; a text that holds \
                   `: `, ` #`, `\"`, a bracket or a comma may need quotes of its own"
                .to_owned(),
            worth: Worth::Nothing,
        }
        };
        let key = key_end(line).map(|end| without(&line[..=end]));
        key.into_iter().chain([without("")]).collect()
    }

    /// What nothing can be done about.
    fn unexplained(&mut self, problem: &Problem) {
        let (line, column) = self.place(problem.offset);
        let typed = self.typed.get(line).copied().unwrap_or_default();
        let help = self
            .omissions(line, line)
            .pop()
            .map(|candidate| candidate.help);
        self.refusals.push(Refusal {
            kind: match problem.too_large {
                true => RefusalKind::TooLarge,
                false => RefusalKind::Syntax,
            },
            message: match problem.too_large {
                true => problem.message.clone(),
                false => message_of(&problem.message),
            },
            help: help.filter(|_| !problem.too_large).unwrap_or_default(),
            offset: self.start(line) + column_as_typed(typed, self.line(line), column),
            len: 1,
        });
    }

    fn finish(self, node: Option<Node>) -> Reading {
        // Without the head of a block of the top level it cannot be told what the others mean.
        let of_top = |&number: &usize| {
            let is_top = |line: &str| !line.starts_with(char::is_whitespace);
            let is_head = self.indent_below(number) > Some(0);
            is_top(self.typed[number]) && is_top(self.line(number)) && is_head
        };
        let node = node.filter(|_| !self.lost.iter().any(of_top));
        let repaired = (!self.lines.is_empty()).then(|| Repaired {
            text: self.lines.join("\n"),
            unknown: self.unknown,
            lost: self.lost,
        });
        Reading {
            node,
            refusals: self.refusals,
            repaired,
        }
    }
}

/// What stands at `column` of a repaired line, in the line as typed.
pub(crate) fn column_as_typed(typed: &str, repaired: &str, column: usize) -> usize {
    let rest = repaired.get(column..).unwrap_or_default();
    if !rest.is_empty() && typed.ends_with(rest) {
        return typed.len() - rest.len();
    }
    let mut left = typed.chars();
    for (at, c) in repaired.char_indices() {
        if at >= column {
            break;
        }
        // A repair adds characters, and takes none away but at the end.
        if left.as_str().starts_with(c) {
            left.next();
        }
    }
    typed.len() - left.as_str().len()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn message_of(problem: &str) -> String {
    format!("YAML cannot read this: {problem}")
}

/// A help text with the line that it proposes.
fn shown(help: &str, line: &str) -> String {
    format!("{help}\n{}", line.trim())
}

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_alphanumeric)
}

fn has_a_key_twice(node: &Node) -> bool {
    let Yaml::Map(entries) = &node.value else {
        return false;
    };
    let mut seen = HashSet::new();
    let mut keys = entries.iter().filter_map(|(key, _)| key.text());
    keys.any(|key| !seen.insert(key))
}
