//! What an audit found, for people and for programs, and where in the tables' files it is.

use std::fmt::Write;

use serde::Serialize;
use speclex_codegen::Source;

/// The outcome.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The table's name.
    pub table: String,
    /// The text's name.
    pub text: String,
    /// How the text is laid out.
    pub layout: &'static str,
    /// States of the text, that of a procedure as one.
    pub states: usize,
    /// Arms of the text.
    pub arms: usize,
    /// Sentences of the text; in the arm notation, lines.
    pub sentences: usize,
    /// Sentences that the table lists as saying nothing.
    pub remarks: usize,
    /// Errata of the table.
    pub errata: usize,
    /// Of these, how many say what to read in place of the text.
    pub applied: usize,
    /// Sections of the text that are not about tokenization.
    pub unread: Vec<String>,
    /// What is not accounted for; empty when table and text agree.
    pub findings: Vec<Finding>,
}

/// What is different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The text has a state that the table lacks.
    MissingState,
    /// The table has a state that the text lacks.
    ExtraState,
    /// The states have different numbers.
    Section,
    /// Characters are in another arm.
    Set,
    /// An arm leads elsewhere.
    Target,
    /// An arm consumes more or less.
    Reconsume,
    /// A parse error is missing or too much.
    Error,
    /// A parse error has another code.
    Code,
    /// An action is missing, too much, or another.
    Action,
    /// The same actions in another order.
    Order,
    /// Another part of the state runs in the same case.
    Case,
}

impl Kind {
    pub(crate) fn wording(self) -> &'static str {
        match self {
            Self::MissingState => "the text has this state, the table has not",
            Self::ExtraState => "the table has this state, the text has not",
            Self::Section => "another section number",
            Self::Set => "another set of characters",
            Self::Target => "another successor",
            Self::Reconsume => "consumes something else",
            Self::Error => "a parse error more or less",
            Self::Code => "another error code",
            Self::Action => "another action",
            Self::Order => "another order of actions",
            Self::Case => "another condition of the state",
        }
    }
}

/// One thing that is not accounted for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What it is about: `target`, `error`, `sentence`, …
    pub kind: String,
    /// The state, under the table's name.
    pub state: Option<String>,
    /// Its number.
    pub section: Option<String>,
    /// The arm's key in the table.
    pub arm: Option<String>,
    /// The file of the table, and the line.
    pub file: Option<String>,
    /// The line in that file.
    pub line: Option<usize>,
    /// The line of the text.
    pub text_line: Option<usize>,
    /// For which inputs.
    pub inputs: Vec<String>,
    /// In which case.
    pub case: Option<String>,
    /// What the text says.
    pub text: String,
    /// What the table does.
    pub table: String,
}

impl Report {
    /// Whether everything is accounted for.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// The report for people.
    pub fn render(&self) -> String {
        let mut out = String::new();
        for finding in &self.findings {
            finding.render(&mut out);
        }
        let _ = writeln!(out, "{}", self.summary());
        out
    }

    /// How much was compared, in one line.
    pub fn summary(&self) -> String {
        let accounted = match self.findings.len() {
            0 => "all accounted for".to_owned(),
            1 => "1 thing is not accounted for".to_owned(),
            n => format!("{n} things are not accounted for"),
        };
        let mut line = format!(
            "{} against {} ({}): {} states, {} arms, {} sentences ({} only remarks), {} errata ({} applied): {accounted}",
            self.table,
            self.text,
            self.layout,
            self.states,
            self.arms,
            self.sentences,
            self.remarks,
            self.errata,
            self.applied,
        );
        if !self.unread.is_empty() && self.unread.len() <= 12 {
            let _ = write!(line, "; not read: {}", self.unread.join(", "));
        }
        line
    }
}

impl Finding {
    fn render(&self, out: &mut String) {
        let mut head = Vec::new();
        head.extend(self.section.clone());
        head.extend(self.state.clone());
        let mut line = head.join(" ");
        if let Some(arm) = &self.arm {
            let _ = write!(line, ", {arm}");
        }
        if !line.is_empty() {
            line.push_str(": ");
        }
        let _ = writeln!(out, "{line}{}", self.kind);
        if let (Some(file), Some(at)) = (&self.file, self.line) {
            let _ = writeln!(out, "  --> {file}:{at}");
        }
        let at = self.text_line.map(|line| format!(" (line {line})"));
        if !self.text.is_empty() {
            let _ = writeln!(out, "  text{}: {}", at.unwrap_or_default(), self.text);
        }
        if !self.table.is_empty() {
            let _ = writeln!(out, "  table: {}", self.table);
        }
        if !self.inputs.is_empty() && Some(self.inputs.join(", ")) != self.arm {
            let few: Vec<&str> = self.inputs.iter().take(8).map(String::as_str).collect();
            let more = if self.inputs.len() > 8 { ", …" } else { "" };
            let _ = writeln!(out, "  for: {}{more}", few.join(", "));
        }
        if let Some(case) = self.case.as_ref().filter(|case| !case.is_empty()) {
            let _ = writeln!(out, "  when: {case}");
        }
        out.push('\n');
    }
}

/// The file and the line of a state's arm, or of the state if it has no such arm in any file.
pub(crate) fn line_of_arm(
    sources: &[Source],
    state: &str,
    arm: Option<&str>,
) -> Option<(String, usize)> {
    // An inner state's name has the procedure in front.
    let state = state.rsplit(", ").next().unwrap_or(state);
    let mut of_state = None;
    for source in sources {
        let lines: Vec<&str> = source.text.lines().collect();
        let begins = |line: &str| {
            let rest = line.trim_start().strip_prefix(state);
            rest.is_some_and(|rest| rest.starts_with(':'))
        };
        for at in (0..lines.len()).filter(|at| begins(lines[*at])) {
            let depth = indent(lines[at]);
            if depth == 0 {
                continue;
            }
            let block = lines[at + 1..].iter();
            let block = block.take_while(|line| line.trim().is_empty() || indent(line) > depth);
            if !block.clone().any(|line| is_body(line)) {
                continue;
            }
            let inside = arm.and_then(|arm| {
                let fits = |line: &str| {
                    let line = line.trim_start();
                    let quoted = line.strip_prefix(['\'', '"']);
                    quoted.is_some_and(|line| line.starts_with(arm))
                        || line
                            .strip_prefix(arm)
                            .is_some_and(|rest| rest.starts_with(':'))
                };
                let before_errata = block.take_while(|line| line.trim() != "errata:");
                before_errata.clone().position(|line| fits(line))
            });
            if let Some(inside) = inside {
                return Some((source.name.clone(), at + 2 + inside));
            }
            of_state.get_or_insert((source.name.clone(), at + 1));
        }
    }
    of_state
}

/// The file and the line of a top-level key.
pub(crate) fn line_of_key(sources: &[Source], key: &str) -> Option<(String, usize)> {
    sources.iter().find_map(|source| {
        let begins = |line: &str| line.starts_with(&format!("{key}:"));
        let at = source.text.lines().position(begins)?;
        Some((source.name.clone(), at + 1))
    })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn is_body(line: &str) -> bool {
    let key = line.trim_start();
    [
        "consume:",
        "look ahead:",
        "match a named",
        "steps:",
        "if ",
        "first:",
        "errata:",
    ]
    .iter()
    .any(|body| key.starts_with(body))
}
