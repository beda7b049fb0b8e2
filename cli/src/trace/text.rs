//! Steps for people.

use std::io::{self, Write};

use speclex_analysis::diff::kind_name;
use speclex_analysis::position::Position;
use speclex_analysis::text::wrapped;
use speclex_analysis::token_text::Described;
use speclex_analysis::trace::{Block, Divergence, Follows, Read, Reported, Step};
use speclex_codegen::charset::display_char;
use speclex_codegen::escape;
use speclex_codegen::machine::Machine;

use super::{Compared, Printer};
use crate::args::Trace;

/// How wide places, and characters, are.
pub(super) const PLACE: usize = 9;
const READ: usize = 12;
/// Columns that are narrower than this are put one below the other.
const NARROW: usize = 20;

/// What a line shows, and so its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LineKind {
    Step,
    Token,
    Error,
    Change,
    Difference,
}

impl LineKind {
    fn colour(self) -> &'static str {
        match self {
            Self::Step => "",
            Self::Token => "\x1b[32m",
            Self::Error => "\x1b[31m",
            Self::Change => "\x1b[2m",
            Self::Difference => "\x1b[1;35m",
        }
    }
}

/// Lines of a width.
pub(super) struct Lines {
    width: usize,
    pub(super) lines: Vec<(LineKind, String)>,
}

impl Lines {
    pub(super) fn of(width: usize) -> Self {
        let lines = Vec::new();
        Self { width, lines }
    }

    /// Adds a text to the right of another one, which stays alone in the left column.
    pub(super) fn add(&mut self, kind: LineKind, first: &str, text: &str) {
        let indent = " ".repeat(first.chars().count());
        let some = wrapped(text, self.width.saturating_sub(indent.len()));
        for (index, line) in some.into_iter().enumerate() {
            let before = if index == 0 { first } else { &indent };
            self.lines.push((kind, format!("{before}{line}")));
        }
    }

    pub(super) fn error(&mut self, error: &Reported) {
        let at = format!("{} at {}:{}", error.code, error.at.line, error.at.column);
        self.add(LineKind::Error, "  error ", &at);
    }
}

/// Prints lines.
pub(super) struct TextPrinter<'m> {
    args: &'m Trace,
    machines: Vec<&'m Machine>,
    width: usize,
    colour: bool,
    has_header: bool,
    differences: u64,
    /// Where the tables first did something else, and with which arms.
    first_difference: Option<(Position, [String; 2])>,
}

impl<'m> TextPrinter<'m> {
    pub(super) fn new(
        args: &'m Trace,
        machines: &[&'m Machine],
        width: usize,
        colour: bool,
    ) -> Self {
        Self {
            args,
            machines: machines.to_vec(),
            width,
            colour,
            has_header: false,
            differences: 0,
            first_difference: None,
        }
    }

    /// A line, cut to the width and painted.
    fn painted(&self, kind: LineKind, text: &str, width: usize) -> String {
        let shown = escape::line(text);
        let padding = width.saturating_sub(shown.chars().count());
        if self.colour && !kind.colour().is_empty() {
            format!("{}{shown}\x1b[0m{}", kind.colour(), " ".repeat(padding))
        } else {
            format!("{shown}{}", " ".repeat(padding))
        }
    }

    /// A text over the whole width.
    pub(super) fn note(&self, out: &mut dyn Write, kind: LineKind, text: &str) -> io::Result<()> {
        for line in wrapped(text, self.width) {
            writeln!(out, "{}", self.painted(kind, &line, 0))?;
        }
        Ok(())
    }

    /// What a step did, in lines of a width.
    fn lines(&self, table: usize, step: &Step, width: usize) -> Vec<(LineKind, String)> {
        let description = &step.said;
        let mut arm = step.state.to_string();
        // The character says already which arm it is.
        let character = read(step);
        if description.on != character && !description.on.is_empty() {
            arm += &format!(", {}", description.on);
        }
        let whole = read(step);
        if is_long(&whole) && !description.on.contains(&whole) {
            arm += &format!(" ({whole})");
        }
        arm += &conditions(&description.when);
        let mut actions = description.actions.clone();
        if description.next == format!("switch to {}", step.state) {
            actions.push("stay".to_owned());
        } else {
            actions.push(description.next.clone());
        }
        let mut lines = Lines::of(width);
        let text = format!("{arm}: {}", actions.join("; "));
        lines.add(LineKind::Step, "", &text);
        for (name, value) in &step.changed {
            lines.add(LineKind::Change, "  ", &format!("{name} is now {value}"));
        }
        for emitted in &step.tokens {
            let token = match self.machines.get(table) {
                Some(machine) => {
                    let token = &emitted.token;
                    Described { machine, token }.to_string()
                }
                None => String::new(),
            };
            lines.add(LineKind::Token, "  token ", &token);
        }
        if let Some(Follows { content, state }) = &step.follows {
            let text =
                format!("by the table's list, {content} follows this tag: switch to {state}");
            lines.add(LineKind::Change, "  ", &text);
        }
        for error in &step.errors {
            lines.error(error);
        }
        lines.lines
    }

    fn row(&self, step: &Step) -> String {
        let place = format!("{}:{}", step.at.line, step.at.column);
        let mut read = read(step);
        if is_long(&read) {
            read = read.chars().take(READ - 1).chain(['…']).collect();
        }
        format!("{place:<PLACE$}{read:<READ$} ")
    }

    fn write_step(
        &self,
        out: &mut dyn Write,
        mark: &str,
        table: usize,
        step: &Step,
    ) -> io::Result<()> {
        let first = format!("{}{mark}", self.row(step));
        self.write_lines(out, &first, |width| self.lines(table, step, width))
    }

    /// Lines with a text before the first of them; they are made for a width.
    pub(super) fn write_lines(
        &self,
        out: &mut dyn Write,
        first: &str,
        lines: impl Fn(usize) -> Vec<(LineKind, String)>,
    ) -> io::Result<()> {
        let indent = " ".repeat(first.chars().count());
        let width = self.width.saturating_sub(indent.len());
        for (index, (kind, line)) in lines(width).iter().enumerate() {
            let before = if index == 0 { first } else { &indent };
            let line = self.painted(*kind, line, 0);
            writeln!(out, "{}{line}", escape::line(before))?;
        }
        Ok(())
    }

    fn write_difference(
        &mut self,
        out: &mut dyn Write,
        block: &Block,
        divergence: &Divergence,
    ) -> io::Result<()> {
        self.differences += 1;
        let which = match self.differences {
            1 => "first difference",
            _ => "difference",
        };
        let head = format!(
            "≠≠ {which}, at {}:{}: {} differ",
            block.at.line,
            block.at.column,
            kind_name(divergence.kind)
        );
        self.note(out, LineKind::Difference, &head)?;
        for (name, outputs) in ["A", "B"].iter().zip(&divergence.sides) {
            let outputs = match outputs.is_empty() {
                true => "nothing".to_owned(),
                false => outputs.join(", "),
            };
            for line in wrapped(&format!("{name}: {outputs}"), self.width.saturating_sub(3)) {
                writeln!(out, "   {}", self.painted(LineKind::Difference, &line, 0))?;
            }
        }
        Ok(())
    }

    /// Both tables next to each other; one below the other where that is too narrow.
    fn write_beside(&self, out: &mut dyn Write, block: &Block) -> io::Result<()> {
        let Some(width) = self.half(PLACE + READ + 1) else {
            for (mark, table) in ["A ", "B "].into_iter().zip([0, 1]) {
                for step in &block.steps[table] {
                    self.write_step(out, mark, table, step)?;
                }
            }
            return Ok(());
        };
        let rows = block.steps[0].len().max(block.steps[1].len());
        for row in 0..rows {
            let steps = [0, 1].map(|table| block.steps[table].get(row));
            let lines = [0, 1].map(|table| match steps[table] {
                Some(step) => self.lines(table, step, width),
                None => Vec::new(),
            });
            let first = steps.iter().flatten().next();
            let first = first.map_or(String::new(), |step| self.row(step));
            self.write_columns(out, (&first, PLACE + READ + 1), &lines, width)?;
        }
        Ok(())
    }

    /// The width of each of two columns after `before` letters; `None` if that is too narrow.
    pub(super) fn half(&self, before: usize) -> Option<usize> {
        let width = self.width.saturating_sub(before + 2 + 3) / 2;
        (width >= NARROW).then_some(width)
    }

    /// Two columns of lines, with a text of this width before the first.
    pub(super) fn write_columns(
        &self,
        out: &mut dyn Write,
        (first, before): (&str, usize),
        lines: &[Vec<(LineKind, String)>; 2],
        width: usize,
    ) -> io::Result<()> {
        for index in 0..lines[0].len().max(lines[1].len()) {
            let (first, mark) = if index == 0 { (first, "≠") } else { ("", "") };
            let cells = [0, 1].map(|table| match lines[table].get(index) {
                Some((kind, line)) => self.painted(*kind, line, width),
                None => " ".repeat(width),
            });
            let line = format!(
                "{:<before$}{mark:<2}{} │ {}",
                escape::line(first),
                cells[0],
                cells[1]
            );
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(())
    }

    /// Which tables are side by side.
    pub(super) fn write_header(&self, out: &mut dyn Write) -> io::Result<()> {
        let [one, other] = [
            &self.args.spec,
            self.args.vs.as_ref().unwrap_or(&self.args.spec),
        ];
        writeln!(out, "A: {}", escape::line(one))?;
        writeln!(out, "B: {}\n", escape::line(other))
    }
}

impl Printer for TextPrinter<'_> {
    fn step(&mut self, out: &mut dyn Write, step: &Step) -> io::Result<()> {
        self.write_step(out, "", 0, step)
    }

    fn block(&mut self, out: &mut dyn Write, block: &Block) -> io::Result<()> {
        if !self.has_header {
            self.has_header = true;
            self.write_header(out)?;
        }
        if block.same() {
            for step in &block.steps[0] {
                self.write_step(out, "= ", 0, step)?;
            }
        } else {
            if self.first_difference.is_none() {
                let arms = block
                    .arms()
                    .map(|arm| arm.unwrap_or_else(|| "nothing".to_owned()));
                self.first_difference = Some((block.at, arms));
            }
            self.write_beside(out, block)?;
        }
        for divergence in &block.divergences {
            self.write_difference(out, block, divergence)?;
        }
        if block.together {
            let text = "== both are where the same content starts";
            self.note(out, LineKind::Difference, text)?;
        }
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, both: Option<Compared>) -> io::Result<()> {
        let Some(compared) = both else {
            return Ok(());
        };
        writeln!(out)?;
        if let Some((at, [one, other])) = &self.first_difference {
            let (line, column) = (at.line, at.column);
            let text = format!("First step that differs, at {line}:{column}: A: {one}; B: {other}");
            self.note(out, LineKind::Step, &text)?;
        }
        let far = if compared.whole {
            ""
        } else {
            ", as far as they were compared"
        };
        let text = match (self.differences, compared.differ) {
            (0, false) => format!("The outputs are the same{far}."),
            (0, true) => "The outputs differ, but not in the part printed.".to_owned(),
            (1, _) => format!("The outputs differ at one place{far}."),
            (some, _) => format!("The outputs differ at {some} places{far}."),
        };
        self.note(out, LineKind::Step, &text)
    }
}

/// What a step consumed or looked at.
fn read(step: &Step) -> String {
    match &step.read {
        Read::Character(c) => display_char(*c),
        Read::Text(text) => format!("{text:?}"),
        Read::End => "EOF".to_owned(),
        Read::Nothing => String::new(),
    }
}

/// Whether its column is too narrow for it.
fn is_long(read: &str) -> bool {
    read.chars().count() > READ
}

/// The conditions of a step, in short: a path that is taken since many do not hold is known by the last of them.
fn conditions(when: &[String]) -> String {
    const LONGEST: usize = 90;
    let is_negative = |said: &str| said.starts_with("not ") || said.contains(" is not ");
    let is_positive = |condition: &&String| !is_negative(condition);
    let mut shown: Vec<&String> = when.iter().filter(is_positive).collect();
    if shown.is_empty() {
        shown.extend(when.last());
    }
    let mut text = String::new();
    for (index, condition) in shown.iter().enumerate() {
        text += if index == 0 { ", if " } else { " and " };
        let mut letters = condition.chars();
        text.extend(letters.by_ref().take(LONGEST));
        if letters.next().is_some() {
            text.push('…');
        }
    }
    if shown.len() < when.len() {
        text += " and so on";
    }
    text
}
