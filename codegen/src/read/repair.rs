//! Reads a text although YAML refuses lines of it. Each refusal says what to write, the line is read as if that
//! were written, and so are the lines behind it: one slip hides no other fault.

mod indentation;
mod invisible;
mod misread;
mod spelling;

use super::events::{Problem, nodes};
use super::node::Node;
use super::quoting::key_end;
use indentation::is_tabbed;
use spelling::{MISSING_COLON, odd_quotes};
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

/// What YAML says of a second document.
const SECOND_DOCUMENT: &str = "more than one document";

const LOOK: &str = "look for quotes, brackets and indentation here and on the lines above; a text that holds \
                    `: `, ` #`, `\"`, a bracket or a comma may need quotes of its own";

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
    repair.invisible(text);
    let mut result = match repair.lines.is_empty() {
        true => nodes(source, text),
        false => nodes(source, &repair.lines.join("\n")),
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
    nodes(source, text).map_err(|problem| {
        let before = text.split_inclusive('\n').take(problem.line);
        let start: usize = before.map(str::len).sum();
        (start + problem.column, problem.message)
    })
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

/// Lines that could be meant.
struct Candidate {
    line: String,
    /// Other lines that change with it.
    others: Vec<(usize, String)>,
    /// The line at which the fault is shown, if it is another one.
    shown: Option<usize>,
    /// Bytes of that line.
    piece: Range<usize>,
    message: String,
    help: String,
    worth: Worth,
}

impl Candidate {
    /// The line that is read instead of another one, and that the help shows after these words.
    fn showing(
        typed: &str,
        line: impl Into<String>,
        message: impl Into<String>,
        words: &str,
    ) -> Self {
        let line = line.into();
        Self {
            help: shown(words, &line),
            piece: changed(typed, &line),
            line,
            others: Vec::new(),
            shown: None,
            message: message.into(),
            worth: Worth::All,
        }
    }

    fn at(self, piece: Range<usize>) -> Self {
        Self { piece, ..self }
    }

    fn worth(self, worth: Worth) -> Self {
        Self { worth, ..self }
    }
}

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

    /// The text with the lines of a candidate; `None` when enough has been read.
    fn read_with(&mut self, number: usize, candidate: &Candidate) -> Option<Result<Node, Problem>> {
        let mut lines: Vec<&str> = (0..self.typed.len()).map(|n| self.line(n)).collect();
        lines[number] = &candidate.line;
        for (other, line) in &candidate.others {
            lines[*other] = line;
        }
        let text = lines.join("\n");
        let cost = text.len() + self.typed.len() * COST_OF_A_LINE;
        self.left = self.left.checked_sub(cost)?;
        Some(nodes(self.source, &text))
    }

    /// Takes a line as another one.
    fn write(&mut self, number: usize, line: String) {
        if self.lines.is_empty() {
            self.lines = self.typed.iter().map(|line| (*line).to_owned()).collect();
        }
        self.lines[number] = line;
    }

    fn keep(&mut self, number: usize, candidate: Candidate, kind: RefusalKind) {
        // The line above has got another indentation for the same reason.
        let is_moved = indent(&candidate.line) != indent(self.line(number));
        let is_same = |last: &Refusal| last.message == candidate.message;
        let follows = number > 0
            && self.lost.contains(&(number - 1))
            && self.refusals.last().is_some_and(is_same);
        if !(is_moved && follows) {
            self.refuse(number, &candidate, kind);
        }
        if candidate.worth != Worth::All {
            self.unknown.insert(number);
        }
        if candidate.worth == Worth::Nothing {
            self.lost.insert(number);
        }
        self.write(number, candidate.line);
        for (other, line) in candidate.others {
            self.write(other, line);
        }
    }

    fn refuse(&mut self, number: usize, candidate: &Candidate, kind: RefusalKind) {
        let number = candidate.shown.unwrap_or(number);
        let typed = self.typed.get(number).copied().unwrap_or_default();
        let column = |at| column_as_typed(typed, self.line(number), at);
        let piece = column(candidate.piece.start)..column(candidate.piece.end);
        self.refuse_at(number, piece, candidate, kind);
    }

    /// Refuses a piece of a line as typed.
    fn refuse_at(
        &mut self,
        number: usize,
        piece: Range<usize>,
        candidate: &Candidate,
        kind: RefusalKind,
    ) {
        let before = self.typed.iter().take(number);
        self.refusals.push(Refusal {
            kind,
            message: candidate.message.clone(),
            help: candidate.help.clone(),
            offset: before.map(|line| line.len() + 1).sum::<usize>() + piece.start,
            len: piece.len().max(1),
        });
    }

    /// Repairs a line so that YAML reads further.
    fn step(&mut self, problem: &Problem) -> Option<Result<Node, Problem>> {
        if problem.too_large || self.refusals.len() == MOST_REFUSALS {
            return None;
        }
        for (number, candidate) in self.candidates(problem) {
            let result = self.read_with(number, &candidate)?;
            let is_better = match &result {
                Ok(_) => true,
                Err(next) if next.too_large => false,
                Err(next) => {
                    // What began on the repaired line took in the lines that now come to light.
                    let began = problem.began == Some(number);
                    let shorter = began && number < next.line && next.line < problem.line;
                    // Or the lines have a slip each.
                    let is_another =
                        (&next.message, next.began) != (&problem.message, problem.began);
                    let is_spelling = candidate.worth != Worth::Nothing;
                    let both = is_spelling && number < next.line && next.line == problem.line;
                    // Or the line above lacks a colon, too.
                    let above = candidate.message == MISSING_COLON && next.line == number;
                    next.line > problem.line || shorter || both && is_another || above
                }
            };
            if is_better {
                self.keep(number, candidate, RefusalKind::Syntax);
                return Some(result);
            }
        }
        None
    }

    /// What could be meant where YAML stops, each with the number of its line, the likeliest first.
    fn candidates(&self, problem: &Problem) -> Vec<(usize, Candidate)> {
        if problem.message.contains(SECOND_DOCUMENT) {
            return self.second_document().into_iter().collect();
        }
        let line = problem.line;
        // A quote may have been open since then.
        let is_open = |&n: &usize| odd_quotes(self.line(n)).next().is_some();
        let open = (0..line).rev().find(is_open);
        let others = [problem.began, self.above(line).next(), open];
        let mut lines = vec![line];
        for other in others.into_iter().flatten() {
            if !lines.contains(&other) && other < line {
                lines.push(other);
            }
        }
        let is_short = |n: &usize| self.line(*n).len() <= MOST_OF_A_LINE;
        lines.retain(is_short);
        let mut found = Vec::new();
        if lines.iter().any(|&n| is_tabbed(self.line(n))) {
            found.extend(self.tabs(line));
        }
        found.extend(self.arms_at_margin(line));
        let first = problem.began;
        found.extend(first.and_then(|first| self.open_bracket(first, line)));
        found.extend(self.missing_states(line));
        for &n in &lines {
            found.extend(self.spellings(n).into_iter().map(|it| (n, it)));
        }
        for n in self.neighbours(line).into_iter().filter(is_short) {
            found.extend(self.indentations(n, line).into_iter().map(|it| (n, it)));
        }
        for &n in &lines {
            found.extend(self.omissions(n, problem).map(|it| (n, it)));
        }
        found
    }

    /// Takes away the line at which a second document begins; or the document, if it is another table.
    fn second_document(&self) -> Option<(usize, Candidate)> {
        let is_mark = |line: &str| line.starts_with("---") || line.starts_with("...");
        let begins = |line: &str| !line.trim().is_empty() && !line.starts_with(['#', '%']);
        let count = self.typed.len();
        let first = (0..count).find(|&n| begins(self.line(n)))?;
        let mark = (first + 1..count).find(|&n| is_mark(self.line(n)))?;
        let keys = |lines: Range<usize>| {
            let keys = lines.filter_map(|n| Some(self.line(n).split_once(':')?.0));
            keys.filter(|key| key.starts_with(char::is_alphabetic))
        };
        let before: HashSet<&str> = keys(first..mark).collect();
        let is_another = keys(mark..count).any(|key| before.contains(key));
        let (last, help) = match is_another {
            true => (
                count,
                "a file holds one table: move the second one to a file of its own",
            ),
            false => (mark, "a file holds one table: remove this line"),
        };
        let message = "a second YAML document begins here";
        let candidate = Candidate {
            help: help.to_owned(),
            others: (mark + 1..last).map(|n| (n, String::new())).collect(),
            ..Candidate::showing(self.line(mark), "", message, "")
        };
        Some((mark, candidate.at(0..3)))
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
    fn omissions(&self, number: usize, problem: &Problem) -> impl Iterator<Item = Candidate> {
        let line = self.line(number);
        let key = key_end(line).map(|end| &line[..=end]);
        key.into_iter().chain([""]).map(|line| Candidate {
            line: line.to_owned(),
            others: Vec::new(),
            shown: Some(problem.line),
            piece: problem.column..problem.column + 1,
            message: message_of(problem),
            help: LOOK.to_owned(),
            worth: Worth::Nothing,
        })
    }

    /// What nothing can be done about.
    fn unexplained(&mut self, problem: &Problem) {
        let (kind, help) = match problem.too_large {
            true => (RefusalKind::TooLarge, ""),
            false => (RefusalKind::Syntax, LOOK),
        };
        let candidate = Candidate {
            help: help.to_owned(),
            ..Candidate::showing("", "", message_of(problem), "")
        };
        let piece = problem.column..problem.column + 1;
        self.refuse(problem.line, &candidate.at(piece), kind);
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

/// Which bytes of a line another one has otherwise, or what stands before what it has more.
fn changed(typed: &str, line: &str) -> Range<usize> {
    let both = |pairs: &mut dyn Iterator<Item = (char, char)>| -> usize {
        let same = pairs.take_while(|(one, other)| one == other);
        same.map(|(c, _)| c.len_utf8()).sum()
    };
    let start = both(&mut typed.chars().zip(line.chars()));
    let (rest, other) = (&typed[start..], &line[start..]);
    let end = typed.len() - both(&mut rest.chars().rev().zip(other.chars().rev()));
    let piece = &typed[start..end];
    let text = piece.trim();
    let before = typed[..start].chars().next_back();
    let of = start + piece.len() - piece.trim_start().len();
    match before.filter(|c| *c != ' ' && piece.is_empty()) {
        _ if !text.is_empty() => of..of + text.len(),
        Some(c) => start - c.len_utf8()..start,
        None => end..end + 1,
    }
}

fn message_of(problem: &Problem) -> String {
    match problem.too_large {
        true => problem.message.clone(),
        false => format!("YAML cannot read this: {}", problem.message),
    }
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
