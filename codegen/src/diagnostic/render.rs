//! Diagnostics as text, in the shape that rustc made familiar.

use super::{Code, Diagnostic, Report, Severity};
use crate::escape;
use std::collections::HashMap;
use std::fmt::Write;

/// Terminal escapes, empty without colour.
struct Paint {
    bold: &'static str,
    blue: &'static str,
    red: &'static str,
    yellow: &'static str,
    reset: &'static str,
}

const PLAIN: Paint = Paint {
    bold: "",
    blue: "",
    red: "",
    yellow: "",
    reset: "",
};
const COLOR: Paint = Paint {
    bold: "\x1b[1m",
    blue: "\x1b[1;34m",
    red: "\x1b[1;31m",
    yellow: "\x1b[1;33m",
    reset: "\x1b[0m",
};

/// How much of a line is shown: a minified table must not flood the terminal.
const WIDTH: usize = 160;

/// The most diagnostics with the same text that are shown in full. People often make one slip in every state.
const MOST_ALIKE: usize = 3;

/// The most lines that are listed for the others.
const MOST_LINES: usize = 20;

pub(super) fn diagnostic(d: &Diagnostic, color: bool) -> String {
    let paint = if color { &COLOR } else { &PLAIN };
    let Paint {
        bold, blue, reset, ..
    } = paint;
    let accent = match d.severity {
        Severity::Error => paint.red,
        Severity::Warning => paint.yellow,
        Severity::Note => paint.blue,
    };
    let (snippet, before) = window(d);
    let number = d.line.to_string();
    let gutter = " ".repeat(number.len());
    let carets = "^".repeat(
        d.len
            .min(snippet.chars().count().saturating_sub(before))
            .max(1),
    );
    let label = if d.label.is_empty() {
        String::new()
    } else {
        format!(" {}", escape::line(&d.label))
    };
    let mut out = format!(
        "{accent}{}[{}]{reset}{bold}: {}{reset}\n\
         {gutter}{blue}-->{reset} {}:{}:{}\n\
         {gutter} {blue}|{reset}\n\
         {blue}{number} |{reset} {snippet}\n\
         {gutter} {blue}|{reset} {}{accent}{carets}{label}{reset}\n",
        d.severity,
        d.code.as_str(),
        escape::line(&d.message),
        escape::line(&d.file),
        d.line,
        d.col,
        " ".repeat(before),
    );
    for (i, line) in d.help.lines().enumerate() {
        let lead = if i == 0 { "= help:" } else { "       " };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{gutter} {blue}{lead}{reset} {}", escape::line(line));
    }
    out
}

/// The part of the line to show, with one character for each of its own so that the caret stands below
/// what it means, and how many characters stand before the caret.
fn window(d: &Diagnostic) -> (String, usize) {
    let line = d.snippet.chars().map(|c| match c {
        '\t' => ' ',
        c if escape::is_control(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    });
    let before = d.col.saturating_sub(1);
    let skip = (before + 20).saturating_sub(WIDTH);
    let mut shown: String = line.skip(skip).take(WIDTH).collect();
    shown.truncate(shown.trim_end().len());
    (shown, before - skip)
}

/// What a diagnostic says, wherever that is.
fn slip(d: &Diagnostic) -> (Code, &str, &str, &str, &str) {
    (d.code, &d.file, &d.message, &d.label, &d.help)
}

/// Where else the same is to be said as of `d`.
fn others(d: &Diagnostic, others: &[&Diagnostic], color: bool) -> String {
    let Paint { blue, reset, .. } = if color { &COLOR } else { &PLAIN };
    let gutter = " ".repeat(d.line.to_string().len());
    let mut lines: Vec<usize> = others.iter().map(|d| d.line).collect();
    lines.dedup();
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let shown: Vec<String> = lines
        .iter()
        .take(MOST_LINES)
        .map(usize::to_string)
        .collect();
    let rest = if lines.len() > MOST_LINES {
        ", …"
    } else {
        ""
    };
    match others.len() {
        0 => String::new(),
        count => format!(
            "{gutter} {blue}= note:{reset} so it is in {count} more place{}: line{} {}{rest}\n",
            plural(count),
            plural(lines.len()),
            shown.join(", ")
        ),
    }
}

pub(super) fn report(report: &Report, color: bool) -> String {
    let mut out = String::new();
    let mut alike: HashMap<_, Vec<&Diagnostic>> = HashMap::new();
    for d in &report.diagnostics {
        alike.entry(slip(d)).or_default().push(d);
    }
    let mut shown: HashMap<_, usize> = HashMap::new();
    for d in &report.diagnostics {
        let count = shown.entry(slip(d)).or_default();
        *count += 1;
        if *count > MOST_ALIKE {
            continue;
        }
        out.push_str(&diagnostic(d, color));
        if *count == MOST_ALIKE {
            out.push_str(&others(d, &alike[&slip(d)][MOST_ALIKE..], color));
        }
        out.push('\n');
    }
    let mut parts = Vec::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Note] {
        match report.count(severity) {
            0 => {}
            1 => parts.push(format!("1 {severity}")),
            n => parts.push(format!("{n} {severity}s")),
        }
    }
    if !parts.is_empty() {
        out.push_str(&parts.join(", "));
        out.push('\n');
    }
    out
}
