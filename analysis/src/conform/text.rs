//! The report for people.

use std::fmt::Write;

use super::answer::Shown;
use super::blame::Difference;
use super::report::{Deviation, Example, Report, TreeExample};
use crate::html5lib::ExpectedError;

/// How many characters of an output are shown.
const SHOWN: usize = 600;

/// The report as text; `bold` marks a heading.
pub fn text<E: Shows>(report: &Report<E>, bold: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_report(&mut out, report, bold);
    out
}

fn count(number: usize, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {one}s"),
    }
}

/// An example as lines of a report.
pub trait Shows: serde::Serialize {
    /// Whether it is of a tokenizer, which may report errors and read inputs in pieces.
    const IS_OF_TOKENIZER: bool;

    /// Writes the lines.
    ///
    /// # Errors
    /// When `out` does not take them.
    fn show(&self, out: &mut String) -> std::fmt::Result;
}

fn write_report<E: Shows>(
    out: &mut String,
    report: &Report<E>,
    bold: &dyn Fn(&str) -> String,
) -> std::fmt::Result {
    let inputs = &report.inputs;
    let sent = inputs.cover + inputs.tests + inputs.random;
    writeln!(
        out,
        "{}: {} sent ({} of the cover suite, {} of tests, {} random), {} compared",
        report.table,
        count(sent, "input"),
        inputs.cover,
        inputs.tests,
        inputs.random,
        report.compared
    )?;
    for (why, number) in &report.refused {
        writeln!(
            out,
            "  not read: {}, since {}",
            count(*number, "input"),
            clipped(why)
        )?;
    }
    if E::IS_OF_TOKENIZER && !report.errors && report.compared > 0 {
        writeln!(out, "  errors are not compared: the tokenizer reports none")?;
    }
    if E::IS_OF_TOKENIZER && !report.cuts {
        writeln!(
            out,
            "  inputs in pieces are not compared: the tokenizer does not read them"
        )?;
    }
    if let Some(why) = &report.stopped {
        writeln!(out, "  stopped early: {why}")?;
    }
    match report.deviations.len() {
        0 if report.compared == 0 => writeln!(out, "nothing is known: no input was read")?,
        0 => writeln!(out, "no input deviates")?,
        _ => writeln!(
            out,
            "inputs that deviate: {}; arms and branches to blame: {} of {}",
            report.deviating,
            report.deviations.len(),
            report.arms
        )?,
    }
    for difference in Difference::ALL {
        let mut of_kind = report
            .deviations
            .iter()
            .filter(|d| d.differs == difference)
            .peekable();
        if of_kind.peek().is_some() {
            writeln!(out, "\n{}", bold(heading(difference)))?;
        }
        for deviation in of_kind {
            write_deviation(out, deviation)?;
        }
    }
    if !report.answers {
        return Ok(());
    }
    let hidden = "Unknown: all inputs that get here deviate because of arms above";
    let unreached = "Not reached by any input that was compared";
    for (title, labels) in [(hidden, &report.hidden), (unreached, &report.unreached)] {
        if !labels.is_empty() {
            writeln!(out, "\n{}", bold(title))?;
        }
        for label in labels {
            writeln!(out, "{label}")?;
        }
    }
    Ok(())
}

fn heading(difference: Difference) -> &'static str {
    match difference {
        Difference::Failure => "No answer",
        Difference::Tokens => "Other tokens",
        Difference::Trees => "Other trees",
        Difference::Errors => "Other errors",
        Difference::Places => "Errors in other places",
        Difference::Cuts => "Other output if the input comes in pieces",
    }
}

fn write_deviation<E: Shows>(out: &mut String, deviation: &Deviation<E>) -> std::fmt::Result {
    writeln!(
        out,
        "{} ({} of {})",
        deviation.arm,
        deviation.deviating,
        count(deviation.reaching, "input")
    )?;
    deviation.example.show(out)
}

/// The start of an input, shown after it.
fn with_start(input: &str, start: &[String]) -> String {
    let start = match start.is_empty() {
        true => String::new(),
        false => format!("  ({})", start.join(", ")),
    };
    format!("{}{start}", clipped(&format!("{input:?}")))
}

impl Shows for Example {
    const IS_OF_TOKENIZER: bool = true;

    fn show(&self, out: &mut String) -> std::fmt::Result {
        let mut start = Vec::new();
        if self.content != "data" {
            start.push(format!("in {}", self.content));
        }
        start.extend(
            self.last_start_tag
                .iter()
                .map(|name| format!("last start tag {name:?}")),
        );
        if self.cdata_allowed {
            start.push("CDATA sections allowed".to_owned());
        }
        if !self.chunks.is_empty() {
            start.push("cut after each character".to_owned());
        }
        writeln!(out, "  input     {}", with_start(&self.input, &start))?;
        // Errors are shown if they are compared.
        let with_errors = (self.given.as_ref()).is_some_and(|given| given.errors.is_some());
        writeln!(out, "  expected  {}", shown(&self.expected, with_errors))?;
        match (&self.given, &self.failure) {
            (Some(given), _) => writeln!(out, "  answer    {}", shown(given, with_errors)),
            (None, Some(failure)) => writeln!(out, "  answer    none: {}", clipped(failure)),
            (None, None) => Ok(()),
        }
    }
}

impl Shows for TreeExample {
    const IS_OF_TOKENIZER: bool = false;

    fn show(&self, out: &mut String) -> std::fmt::Result {
        let mut start = Vec::new();
        start.extend(
            self.context
                .iter()
                .map(|name| format!("a fragment for {name}")),
        );
        if self.scripting {
            start.push("scripting is on".to_owned());
        }
        writeln!(out, "  document  {}", with_start(&self.document, &start))?;
        let tree = |out: &mut String, tree: &str| {
            let tree = if tree.is_empty() { "nothing" } else { tree };
            tree.lines()
                .try_for_each(|line| writeln!(out, "    {}", clipped(line)))
        };
        writeln!(out, "  expected")?;
        tree(out, &self.expected)?;
        match (&self.given, &self.failure) {
            (Some(given), _) => {
                writeln!(out, "  answer")?;
                tree(out, given)
            }
            (None, Some(failure)) => writeln!(out, "  answer    none: {}", clipped(failure)),
            (None, None) => Ok(()),
        }
    }
}

fn shown(output: &Shown, with_errors: bool) -> String {
    let tokens: Vec<String> = output
        .tokens
        .iter()
        .map(|token| token.to_string())
        .collect();
    let mut text = match tokens.is_empty() {
        true => "nothing".to_owned(),
        false => tokens.join(", "),
    };
    let errors = output.errors.iter().flatten().filter(|_| with_errors);
    let errors: Vec<String> = errors.map(error).collect();
    if !errors.is_empty() {
        text += &format!("; errors: {}", errors.join(", "));
    }
    clipped(&text)
}

fn error(error: &ExpectedError) -> String {
    let mut text = error.code.as_deref().unwrap_or("(no code)").to_owned();
    if let Some(line) = error.line {
        text += &format!(" {line}");
    }
    if let Some(col) = error.col {
        text += &format!(":{col}");
    }
    text
}

/// A line that is cut to a number of characters, without control characters.
fn clipped(text: &str) -> String {
    let mut line: String = text.chars().take(SHOWN).map(plain).collect();
    if text.chars().nth(SHOWN).is_some() {
        line += "…";
    }
    line
}

fn plain(c: char) -> char {
    match c.is_control() {
        true => '\u{FFFD}',
        false => c,
    }
}
