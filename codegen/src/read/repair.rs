//! Reads a text although YAML refuses lines of it. Each refusal says what to write. Where that leaves no doubt, the line is read as
//! if that were written, and so are the lines after it; a line that is only guessed ends the reading.

mod indentation;
mod invisible;
mod misread;
mod spelling;

use super::events::{Problem, nodes};
use super::node::Node;
use spelling::odd_quotes;
use std::ops::Range;

/// A text as nodes, and what is wrong with it.
pub(crate) struct Reading {
    /// `None` when what is written can only be guessed.
    pub(crate) node: Option<Node>,
    pub(crate) refusals: Vec<Refusal>,
    /// What the nodes were read from, if it is not the text itself: line for line the one that was typed.
    pub(crate) repaired: Option<String>,
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
    /// What YAML says, and nothing else is known.
    Yaml,
    Syntax,
    TooLarge,
    /// YAML takes the line, or its end, for a comment.
    Comment,
    /// A character that is not seen.
    Invisible,
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

const LOOK: &str = "look for quotes, brackets, commas and indentation here and on the lines above; a text that holds \
                    `: `, ` #`, `\"`, a bracket or a comma may need quotes of its own";

/// Reads a text into nodes.
pub(crate) fn read(source: u32, text: &str) -> Reading {
    let mut repair = Repair {
        source,
        typed: text.split('\n').collect(),
        lines: Vec::new(),
        is_sure: true,
        refusals: Vec::new(),
        left: MOST_READ_AGAIN,
    };
    repair.invisible();
    let mut result = match repair.lines.is_empty() {
        true => nodes(source, text),
        false => nodes(source, &repair.lines.join("\n")),
    };
    while let Err(problem) = &result
        && repair.is_sure
    {
        match repair.step(problem) {
            Some(better) => result = better,
            None => {
                repair.unexplained(problem);
                break;
            }
        }
    }
    let node = result.ok().filter(|_| repair.is_sure);
    let node = node.map(|node| repair.misread(node));
    Reading {
        node,
        repaired: (!repair.lines.is_empty()).then(|| repair.lines.join("\n")),
        refusals: repair.refusals,
    }
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
    typed: Vec<&'t str>,
    /// The same with repairs; empty while there are none.
    lines: Vec<String>,
    /// Whether the repairs leave no doubt of what is meant.
    is_sure: bool,
    refusals: Vec<Refusal>,
    /// How much may yet be read again.
    left: usize,
}

/// A line that could be meant.
struct Candidate {
    line: String,
    /// Bytes of the line instead of which it is.
    piece: Range<usize>,
    message: String,
    help: String,
    is_sure: bool,
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
            help: format!("{words}\n{}", line.trim()),
            piece: changed(typed, &line),
            line,
            message: message.into(),
            is_sure: true,
        }
    }

    fn at(self, piece: Range<usize>) -> Self {
        Self { piece, ..self }
    }

    fn unsure(self) -> Self {
        Self {
            is_sure: false,
            ..self
        }
    }
}

impl Repair<'_> {
    fn line(&self, number: usize) -> &str {
        match self.lines.get(number) {
            Some(line) => line,
            None => self.typed.get(number).copied().unwrap_or_default(),
        }
    }

    /// The text with another line; `None` when enough has been read.
    fn read_with(&mut self, number: usize, line: &str) -> Option<Result<Node, Problem>> {
        let mut lines: Vec<&str> = (0..self.typed.len()).map(|n| self.line(n)).collect();
        lines[number] = line;
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
        self.refuse(number, &candidate, kind);
        self.is_sure &= candidate.is_sure;
        self.write(number, candidate.line);
    }

    fn refuse(&mut self, number: usize, candidate: &Candidate, kind: RefusalKind) {
        let typed = self.typed.get(number).copied().unwrap_or_default();
        let column = |at| column_as_typed(typed, self.line(number), at);
        let piece = column(candidate.piece.start)..column(candidate.piece.end);
        let before = self.typed.iter().take(number);
        self.refusals.push(Refusal {
            kind,
            message: candidate.message.clone(),
            help: candidate.help.clone(),
            offset: before.map(|line| line.len() + 1).sum::<usize>() + piece.start,
            len: piece.len().max(1),
        });
    }

    /// Repairs a line: so that YAML reads all, or else as far as can be.
    fn step(&mut self, problem: &Problem) -> Option<Result<Node, Problem>> {
        let is_known = problem.too_large
            || problem.message.contains(SECOND_DOCUMENT)
            || self.lacks_key(problem.line);
        if is_known || self.tabbed(problem).is_some() || self.refusals.len() == MOST_REFUSALS {
            return None;
        }
        let mut best = None;
        let mut furthest = problem.line;
        for (number, candidate) in self.candidates(problem) {
            let Some(result) = self.read_with(number, &candidate.line) else {
                break;
            };
            let line = match &result {
                Ok(_) => usize::MAX,
                Err(next) if next.too_large => 0,
                Err(next) => next.line,
            };
            if line > furthest {
                furthest = line;
                best = Some((number, candidate, result));
            }
            if line == usize::MAX {
                break;
            }
        }
        let (number, candidate, result) = best?;
        self.keep(number, candidate, RefusalKind::Syntax);
        Some(result)
    }

    /// What could be meant where YAML stops, each with the number of its line, the likeliest first.
    fn candidates(&self, problem: &Problem) -> Vec<(usize, Candidate)> {
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
        let spellings = lines.iter().flat_map(|&n| {
            let all = self.spellings(n).into_iter();
            all.map(move |it| (n, it))
        });
        let mut found: Vec<(usize, Candidate)> = spellings.collect();
        let head = self.head_out_of_step(line).filter(|n| !lines.contains(n));
        lines.splice(..0, head.filter(is_short));
        let deeper = self.deeper_above(line).filter(|n| !lines.contains(n));
        lines.extend(deeper.filter(is_short));
        // Most tables indent by two.
        lines.sort_by_key(|&n| indent(self.line(n)).is_multiple_of(2));
        for n in lines {
            let all = self.indentations(n, line).into_iter();
            found.extend(all.map(|it| (n, it)));
        }
        found
    }

    /// Refuses the line with YAML's words, or says which kind of thing it does not read.
    fn unexplained(&mut self, problem: &Problem) {
        let mut number = problem.line;
        let mut piece = problem.column..problem.column + 1;
        let mut kind = RefusalKind::Syntax;
        let bracket = problem.began.filter(|&n| n < number && opens(self.line(n)));
        let (message, help) = if problem.too_large {
            kind = RefusalKind::TooLarge;
            (problem.message.clone(), String::new())
        } else if let Some(tabbed) = self.tabbed(problem) {
            number = tabbed;
            let line = self.line(number);
            piece = 0..line.len() - line.trim_start().len();
            let all = (0..self.typed.len()).filter(|&n| is_tabbed(self.line(n)));
            let help = match all.count() {
                1 => "indent it with spaces".to_owned(),
                all => format!("indent it with spaces, as all {all} lines with tabs"),
            };
            ("a tab cannot indent a line of YAML".to_owned(), help)
        } else if problem.message.contains(SECOND_DOCUMENT) {
            let is_mark = |&n: &usize| self.line(n).starts_with("---");
            let mut marks = (0..self.typed.len()).filter(is_mark);
            (number, piece) = (marks.next_back().unwrap_or(0), 0..3);
            let help = "a file holds one table: remove this line, or move what follows to a file of its own";
            (
                "a second YAML document begins here".to_owned(),
                help.to_owned(),
            )
        } else if self.lacks_key(number) {
            piece = indent(self.line(number))..self.line(number).trim_end().len();
            let help = "write the key above this line to which it belongs, such as `states:`, or do not indent it";
            (
                "there is no key that this belongs to".to_owned(),
                help.to_owned(),
            )
        } else if let Some(first) = bracket {
            number = first;
            let at = self.line(first).find(['[', '{']).unwrap_or(0);
            piece = at..at + 1;
            let help = format!("close it; YAML reads as far as line {}", problem.line + 1);
            ("the bracket is not closed".to_owned(), help)
        } else {
            kind = RefusalKind::Yaml;
            let comma = match problem.message.contains("','") {
                true => "a comma stands between the entries of a list in brackets; ",
                false => "",
            };
            let message = format!("YAML cannot read this: {}", problem.message);
            (message, format!("{comma}{LOOK}"))
        };
        let candidate = Candidate {
            help,
            ..Candidate::showing("", "", message, "")
        };
        self.refuse(number, &candidate.at(piece), kind);
        self.is_sure = false;
    }

    /// A line that a tab indents, where YAML stops or above.
    fn tabbed(&self, problem: &Problem) -> Option<usize> {
        let mut lines = [
            Some(problem.line),
            self.above(problem.line).next(),
            problem.began,
        ]
        .into_iter()
        .flatten();
        lines.find(|&n| is_tabbed(self.line(n)))
    }

    /// Whether the key of other lines stands below a line at the margin that has a value.
    fn lacks_key(&self, number: usize) -> bool {
        let (line, above) = (
            self.line(number),
            self.line_above(number).unwrap_or_default(),
        );
        let is_head = |line: &str| line.trim_end().ends_with(':');
        is_head(line)
            && indent(line) > 1
            && indent(above) == 0
            && above.contains(": ")
            && !is_head(above)
    }

    fn is_written(&self, number: usize) -> bool {
        !self.line(number).trim().is_empty()
    }

    /// The lines with text above, the nearest first.
    fn above(&self, number: usize) -> impl Iterator<Item = usize> {
        (0..number).rev().filter(|&n| self.is_written(n))
    }

    /// The next line with text above.
    fn line_above(&self, number: usize) -> Option<&str> {
        Some(self.line(self.above(number).next()?))
    }

    /// The next line with text below.
    fn below(&self, number: usize) -> Option<&str> {
        let mut below = number + 1..self.typed.len();
        Some(self.line(below.find(|&n| self.is_written(n))?))
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

/// Whether a tab indents a line that says something.
fn is_tabbed(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && line[..line.len() - text.len()].contains('\t')
}

/// Whether a bracket is open at the end of a line.
fn opens(line: &str) -> bool {
    line.matches(['[', '{']).count() > line.matches([']', '}']).count()
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

fn is_item(line: &str) -> bool {
    line.trim_start().starts_with("- ")
}
