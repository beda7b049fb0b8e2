//! Reads a text although YAML refuses lines of it. Each refusal says what to write, the line is read as if that
//! were written, and so are the lines behind it: one slip hides no other fault.

use super::events::{Problem, nodes};
use super::node::Node;
use super::quoting::{key_end, quoted, quoted_in_brackets};
use std::collections::BTreeSet;
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

/// How many bytes may be read again in search of repairs.
const MOST_READ_AGAIN: usize = 8 << 20;

const MISSING_COLON: &str = "a colon is missing here";

/// Longer lines are not repaired.
const MOST_OF_A_LINE: usize = 2000;

/// Reads a text into nodes.
pub(crate) fn read(source: u32, text: &str) -> Reading {
    let mut repair = Repair {
        source,
        typed: text.split('\n').collect(),
        lines: Vec::new(),
        unknown: BTreeSet::new(),
        lost: BTreeSet::new(),
        refusals: Vec::new(),
        left: MOST_READ_AGAIN,
    };
    let mut result = nodes(source, text);
    while let Err(problem) = result {
        match repair.step(&problem) {
            Some(better) => result = better,
            None => {
                repair.unexplained(&problem);
                return repair.finish(None);
            }
        }
    }
    let node = result.ok().map(|node| repair.comments(node));
    repair.finish(node)
}

struct Repair<'t> {
    source: u32,
    typed: Vec<&'t str>,
    /// The same with repairs; empty while there are none.
    lines: Vec<String>,
    unknown: BTreeSet<usize>,
    lost: BTreeSet<usize>,
    refusals: Vec<Refusal>,
    /// How many bytes may yet be read again.
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

/// What a line could be meant as.
type Candidates<'t> = fn(&Repair<'t>, usize) -> Vec<Candidate>;

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
        let mut text = String::new();
        for other in 0..self.typed.len() {
            if other > 0 {
                text.push('\n');
            }
            text.push_str(if other == number {
                line
            } else {
                self.line(other)
            });
        }
        self.left = self.left.checked_sub(text.len())?;
        Some(nodes(self.source, &text))
    }

    fn keep(&mut self, number: usize, candidate: Candidate, kind: RefusalKind) {
        let typed = self.typed.get(number).copied().unwrap_or_default();
        let column = |at| column_as_typed(typed, self.line(number), at);
        let (from, to) = (column(candidate.piece.start), column(candidate.piece.end));
        self.refusals.push(Refusal {
            kind,
            message: candidate.message,
            help: candidate.help,
            offset: self.start(number) + from,
            len: to.saturating_sub(from).max(1),
        });
        if self.lines.is_empty() {
            self.lines = self.typed.iter().map(|line| (*line).to_owned()).collect();
        }
        if candidate.worth != Worth::All {
            self.unknown.insert(number);
        }
        if candidate.worth == Worth::Nothing {
            self.lost.insert(number);
        }
        self.lines[number] = candidate.line;
    }

    /// Repairs a line so that YAML reads further.
    fn step(&mut self, problem: &Problem) -> Option<Result<Node, Problem>> {
        if problem.too_large || self.refusals.len() == MOST_REFUSALS {
            return None;
        }
        let (line, column) = self.place(problem.offset);
        let before = (0..line).rev().find(|&l| self.is_written(l));
        // A quote may have been open since then.
        let is_open = |&line: &usize| odd_quotes(self.line(line)).next().is_some();
        let open = (0..line).rev().find(is_open);
        let mut lines = vec![line];
        for other in [problem.began, before, open].into_iter().flatten() {
            if !lines.contains(&other) && other < line {
                lines.push(other);
            }
        }
        lines.retain(|&line| self.line(line).len() <= MOST_OF_A_LINE);
        let second = problem.message.contains("more than one document");
        if second {
            lines = self.second_document().into_iter().collect();
        }
        // Where this line and the next agree, the one above may be off.
        let agree = self.indent_below(line) == Some(indent(self.line(line)));
        let mut neighbours = vec![line];
        neighbours.extend(before);
        if agree {
            neighbours.reverse();
        }
        neighbours.retain(|number| lines.contains(number));
        let passes: [(Candidates<'_>, &[usize]); 3] = [
            (Self::spellings, &lines),
            (Self::indentations, &neighbours),
            (Self::omissions, &lines),
        ];
        for (pass, (candidates, lines)) in passes.into_iter().enumerate() {
            for &number in lines {
                for mut candidate in candidates(self, number) {
                    let result = self.read_with(number, &candidate.line)?;
                    let further = match &result {
                        Ok(_) => true,
                        Err(next) if next.too_large || second => false,
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
                    let mut shown = number;
                    if candidate.message.is_empty() {
                        candidate.message = message_of(&problem.message);
                        candidate.piece = column..column + 1;
                        shown = line;
                    }
                    self.keep_at(number, shown, candidate);
                    return Some(result);
                }
            }
        }
        None
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

    /// What is typed without quotes, brackets or spaces that YAML needs.
    fn spellings(&self, number: usize) -> Vec<Candidate> {
        let line = self.line(number);
        let mut found = Vec::new();
        let all = quoted(line);
        found.extend(condition(line));
        for written in [&all, &quoted_in_brackets(line)] {
            if written.line != line {
                let piece = &line[written.piece.clone()];
                let by_number = written.line[written.piece.start..].starts_with("U+");
                let is_odd = piece.starts_with(['>', '|', '&', '*', '!', '%', '@', '`']);
                let is_text = by_number || !is_odd;
                found.push(Candidate {
                    piece: written.piece.clone(),
                    message: reason(piece),
                    help: shown(quote_it(by_number), &written.line),
                    line: written.line.clone(),
                    worth: if is_text { Worth::All } else { Worth::Shape },
                });
            }
        }
        if let Some(colon) = colon_without_space(line) {
            let fixed = format!("{}: {}", &line[..colon], &line[colon + 1..]);
            found.push(Candidate {
                piece: colon..colon + 1,
                message: "a space is missing after the colon".to_owned(),
                help: shown("write:", &fixed),
                line: fixed,
                worth: Worth::All,
            });
        }
        let is_parent = self.indent_below(number) > Some(indent(line));
        if let Some(end) = missing_colon(line, is_parent) {
            let fixed = format!("{}:{}", &line[..end], &line[end..]);
            found.push(Candidate {
                piece: end - 1..end,
                message: MISSING_COLON.to_owned(),
                help: shown("write:", &fixed),
                line: fixed,
                worth: Worth::All,
            });
        }
        let indent = line.len() - line.trim_start().len();
        if line[..indent].contains('\t') {
            let above = (0..number).rev().find(|&n| self.is_written(n));
            let above = above.map(|n| self.line(n)).unwrap_or_default();
            let deeper = if above.trim_end().ends_with(':') {
                2
            } else {
                0
            };
            let as_above = " ".repeat(self::indent(above) + deeper);
            let widths = ["  ", "    ", "        "];
            let widths = widths.map(|width| line[..indent].replace('\t', width));
            for spaces in [as_above].into_iter().chain(widths) {
                found.push(Candidate {
                    line: spaces + &line[indent..],
                    piece: 0..indent,
                    message: "a tab cannot indent a line of YAML".to_owned(),
                    help: "indent with spaces".to_owned(),
                    worth: Worth::All,
                });
            }
        }
        if !all.open.is_empty() {
            let opening = |c: char| c == '[' || c == '{';
            let at = line.find(opening).unwrap_or(0);
            let fixed = format!("{}{}", all.line.trim_end(), all.open);
            found.push(Candidate {
                piece: at..at + 1,
                message: "the bracket is not closed".to_owned(),
                help: shown("close it:", &fixed),
                line: fixed,
                worth: Worth::Nothing,
            });
        }
        for (at, quote) in odd_quotes(line) {
            let fixed = format!("{}{quote}", line.trim_end());
            let closed = Candidate {
                piece: at..at + 1,
                message: "the quote is not closed".to_owned(),
                help: shown("close it:", &fixed),
                line: fixed,
                worth: Worth::Nothing,
            };
            // A value that begins with the quote; a key of one quote is the character.
            let begins = all.piece.len() > 1 && all.piece.start == at;
            found.insert(if begins { 0 } else { found.len() }, closed);
        }
        if line.starts_with("---") || line.starts_with("...") {
            found.push(Candidate {
                line: String::new(),
                piece: 0..3,
                message: "a second YAML document begins here".to_owned(),
                help: "a file holds one table: remove this line".to_owned(),
                worth: Worth::All,
            });
        }
        found
    }

    /// The first line that ends the document and has something behind it.
    fn second_document(&self) -> Option<usize> {
        let is_mark = |line: &str| line.starts_with("---") || line.starts_with("...");
        let is_content = |line: &str| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#') && !line.starts_with('%')
        };
        let content = (0..self.typed.len()).find(|&n| {
            let line = self.line(n);
            is_content(line) && line.trim() != "---"
        })?;
        (content..self.typed.len()).find(|&n| is_mark(self.line(n)))
    }

    fn is_written(&self, number: usize) -> bool {
        !self.line(number).trim().is_empty()
    }

    /// How far the next line with text is indented.
    fn indent_below(&self, number: usize) -> Option<usize> {
        let below = (number + 1..self.typed.len()).find(|&n| self.is_written(n))?;
        Some(indent(self.line(below)))
    }

    /// The line with the indentation of lines around it.
    fn indentations(&self, number: usize) -> Vec<Candidate> {
        let line = self.line(number);
        let own = indent(line);
        let above = (0..number).rev().filter(|&n| self.is_written(n));
        let above = above.map(|n| indent(self.line(n)));
        let mut around: Vec<usize> = self.indent_below(number).into_iter().collect();
        let mut least = usize::MAX;
        for of in above {
            if of < least {
                least = of;
                around.push(of);
            }
            if of == 0 || around.len() > 8 {
                break;
            }
        }
        around.retain(|&of| of != own);
        let candidate = |of: usize| {
            let line = " ".repeat(of) + line.trim_start_matches(' ');
            Candidate {
                piece: own..own + 1,
                message: format!(
                    "the line is indented by {}, unlike those around it",
                    spaces(own)
                ),
                help: shown(
                    &format!("indent it by {}, if it belongs there:", spaces(of)),
                    &line,
                ),
                line,
                worth: Worth::Nothing,
            }
        };
        around.into_iter().map(candidate).collect()
    }

    /// The line without its value, or without anything. The message is YAML's.
    fn omissions(&self, number: usize) -> Vec<Candidate> {
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
        let help = self.omissions(line).pop().map(|candidate| candidate.help);
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

    /// Finds arms and items that an unquoted `#` makes comments of: without them the text says the same.
    fn comments(&mut self, mut node: Node) -> Node {
        for number in 0..self.typed.len() {
            let line = self.line(number).to_owned();
            let Some(hash) = hidden(&line).filter(|_| line.len() <= MOST_OF_A_LINE) else {
                continue;
            };
            if self.refusals.len() == MOST_REFUSALS {
                break;
            }
            let written = quoted(&line);
            let Some(Ok(without)) = self.read_with(number, &line[..hash]) else {
                continue;
            };
            let Some(with) = self.read_with(number, &written.line) else {
                continue;
            };
            if without != node || written.line == line {
                continue;
            }
            let candidate = Candidate {
                piece: hash..line.len(),
                message: "YAML takes this for a comment".to_owned(),
                help: shown(quote_it(true), &written.line),
                worth: Worth::All,
                line: if with.is_ok() { written.line } else { line },
            };
            self.keep(number, candidate, RefusalKind::Comment);
            node = with.unwrap_or(node);
        }
        node
    }

    fn finish(self, node: Option<Node>) -> Reading {
        // Without a line of the top level it cannot be told what the others mean.
        let of_top = |number: &usize| {
            let line = self.typed.get(*number).copied().unwrap_or_default();
            line.starts_with(|c: char| !c.is_whitespace())
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

fn spaces(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} space{plural}")
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

fn message_of(problem: &str) -> String {
    format!("YAML cannot read this: {problem}")
}

/// Why a piece of a line needs quotes.
fn reason(piece: &str) -> String {
    match piece.chars().next() {
        Some('"' | '\'') if piece.len() > 1 => {
            "to YAML, a text that begins with a quote ends at the next one".to_owned()
        }
        Some('#') => "to YAML, an unquoted `#` begins a comment".to_owned(),
        Some('`') => "to YAML, an unquoted backtick is not text".to_owned(),
        Some(
            c
            @ ('>' | '|' | '&' | '*' | '!' | '%' | '@' | '[' | ']' | '{' | '}' | ',' | '"' | '\''),
        ) => {
            format!("to YAML, an unquoted `{c}` is not text")
        }
        _ if piece.contains(" #") => "to YAML, an unquoted ` #` begins a comment".to_owned(),
        _ if piece.contains(": ") => "a text with a colon and a space needs quotes".to_owned(),
        _ => "in a list in brackets, a text with a bracket or a comma needs quotes".to_owned(),
    }
}

fn quote_it(by_number: bool) -> &'static str {
    match by_number {
        true => "write characters by their numbers:",
        false => "quote it:",
    }
}

/// A help text with the line that it proposes.
fn shown(help: &str, line: &str) -> String {
    format!("{help}\n{}", line.trim())
}

/// The first colon that was meant to end a key: `EOF:emit EOF`.
fn colon_without_space(line: &str) -> Option<usize> {
    let key = line.find(':')?;
    let after = line[key + 1..].chars().next()?;
    let before = &line[..key];
    (after.is_alphanumeric() && !before.contains(['"', '\'', '[', '{', '#'])).then_some(key)
}

/// A condition with what is done, in the line of an arm: only a list has that.
fn condition(line: &str) -> Option<Candidate> {
    let value = key_end(line)? + 2;
    let typed = line.get(value..)?.trim_end();
    let begins = ["if ", "otherwise if ", "otherwise: "].iter();
    let is_condition =
        begins.into_iter().any(|words| typed.starts_with(words)) && typed.contains(": ");
    let fixed = format!("{}[{typed}]", &line[..value]);
    is_condition.then(|| Candidate {
        piece: value..value + typed.len(),
        message: "a condition with what is done is an item of a list".to_owned(),
        help: shown("put it in brackets:", &fixed),
        line: fixed,
        worth: Worth::All,
    })
}

/// The quotes of which there is an odd number, and where the first of them is.
fn odd_quotes(line: &str) -> impl Iterator<Item = (usize, char)> {
    ['"', '\''].into_iter().filter_map(move |quote| {
        // Without those in parentheses after a code point.
        let counted = line.replace(&format!("({quote})"), "(_)");
        let is_odd = counted.matches(quote).count() % 2 == 1;
        Some((counted.find(quote).filter(|_| is_odd)?, quote))
    })
}

/// The end of a key without its colon: that of the line, if lines below belong to it, or of an arm's: `EOF emit EOF`.
fn missing_colon(line: &str, is_parent: bool) -> Option<usize> {
    let key = line.trim_start();
    if key.is_empty() || key.starts_with('#') || key_end(line).is_some() {
        return None;
    }
    if is_parent {
        return Some(line.trim_end().len());
    }
    let after = if let Some(code) = key.strip_prefix("U+") {
        let rest = code.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        let glyph = rest.strip_prefix(" (").and_then(|rest| {
            let mut shown = rest.chars();
            shown.next()?;
            shown.as_str().strip_prefix(')')
        });
        glyph.unwrap_or(rest)
    } else {
        let words = ["EOF", "anything else", "otherwise"];
        words.iter().find_map(|word| key.strip_prefix(word))?
    };
    let is_arm = after.starts_with(' ') && !after.trim().is_empty();
    is_arm.then_some(line.len() - after.len())
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
        is_key(rest) || rest.starts_with([',', ']', '}'])
    })
}
