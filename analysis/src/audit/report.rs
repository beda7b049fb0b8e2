//! What an audit found, for people and for programs.

use std::fmt::Write;

use serde::Serialize;

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
