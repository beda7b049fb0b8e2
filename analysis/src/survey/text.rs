//! A survey as text for people.

use std::fmt;

use super::report::{Difference, Shown, Survey};
use crate::diff::{Kind, kind_name, one_or_both};

/// The text of a survey, without markup; with colour it is for terminals.
#[derive(Clone, Copy, Debug)]
pub struct Text<'s> {
    /// The survey.
    pub survey: &'s Survey,
    /// Whether to use colour.
    pub colour: bool,
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let survey = self.survey;
        let [a, b] = survey.tables.names.each_ref().map(|name| visible(name));
        self.heading(f, &format!("{a} → {b} on documents"))?;
        self.totals(f)?;
        let rows = survey.causes.rows();
        if !rows.is_empty() {
            writeln!(f)?;
            self.heading(f, "Causes")?;
        }
        for (number, row) in (1..).zip(rows) {
            let between = ["\n", ""][usize::from(number == 1)];
            let documents = count(row.documents, "document");
            writeln!(
                f,
                "{between}{number}. {documents}: {}",
                differs(row.differs)
            )?;
            self.arms(f, &row.arms)?;
            writeln!(f, "   - first in {}", place(&row.example))?;
            self.shown(f, &row.example)?;
        }
        if let Some(all) = survey.differences.as_ref().filter(|all| !all.is_empty()) {
            writeln!(f)?;
            self.heading(f, "Documents")?;
            for (number, difference) in (1..).zip(all) {
                f.write_str(["\n", ""][usize::from(number == 1)])?;
                self.difference(f, difference)?;
            }
        }
        if !survey.unread.is_empty() {
            writeln!(f)?;
            self.heading(f, "Not read")?;
        }
        for unread in &survey.unread {
            writeln!(f, "- {}: {}", unread.name, visible(&unread.why))?;
        }
        let more = survey
            .unread_count
            .saturating_sub(survey.unread.len() as u64);
        if more > 0 {
            writeln!(f, "- and {more} more")?;
        }
        Ok(())
    }
}

impl Text<'_> {
    fn heading(&self, f: &mut fmt::Formatter<'_>, heading: &str) -> fmt::Result {
        match self.colour {
            true => writeln!(f, "\x1b[1m{heading}\x1b[0m\n"),
            false => writeln!(f, "{heading}\n"),
        }
    }

    fn totals(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let survey = self.survey;
        let documents = count(survey.documents, "document");
        writeln!(
            f,
            "- {documents} compared, {} bytes.",
            grouped(survey.bytes)
        )?;
        let differing = &survey.differing;
        match differing.all() {
            0 if survey.documents == 0 => {}
            0 => writeln!(f, "- No document differs.")?,
            all => writeln!(
                f,
                "- Differing: {}, of these {} in tokens, {} only in errors, {} only in positions.",
                grouped(all),
                grouped(differing.tokens),
                grouped(differing.errors),
                grouped(differing.positions)
            )?,
        }
        if survey.not_utf8 > 0 {
            writeln!(
                f,
                "- Not valid UTF-8: {}; malformed sequences were read as U+FFFD.",
                grouped(survey.not_utf8)
            )?;
        }
        for (reason, times) in &survey.skipped {
            writeln!(f, "- Left out: {} {}.", grouped(*times), visible(reason))?;
        }
        if survey.unread_count > 0 {
            writeln!(f, "- Not read: {}.", grouped(survey.unread_count))?;
        }
        Ok(())
    }

    fn difference(&self, f: &mut fmt::Formatter<'_>, difference: &Difference) -> fmt::Result {
        writeln!(
            f,
            "- {}: {}",
            place(&difference.shown),
            differs(difference.differs)
        )?;
        self.shown(f, &difference.shown)?;
        self.arms(f, &difference.arms)
    }

    fn arms(&self, f: &mut fmt::Formatter<'_>, arms: &[String; 2]) -> fmt::Result {
        let arms = arms.each_ref().map(|arm| visible(arm));
        match one_or_both(&arms, " / ") {
            none if none.is_empty() => Ok(()),
            some => writeln!(f, "   - at: {some}"),
        }
    }

    /// The place in its line, and what both sides make of it.
    fn shown(&self, f: &mut fmt::Formatter<'_>, shown: &Shown) -> fmt::Result {
        let (red, green, bold, plain) = match self.colour {
            true => ("\x1b[31m", "\x1b[32m", "\x1b[1m", "\x1b[0m"),
            false => ("", "", "", ""),
        };
        let (before, after) = (visible(&shown.before), visible(&shown.after));
        writeln!(f, "   - {before}{bold}▸{plain}{after}")?;
        let [one, other] = &shown.outputs;
        writeln!(f, "   - {red}A: {}{plain}", visible(one))?;
        writeln!(f, "   - {green}B: {}{plain}", visible(other))
    }
}

fn place(shown: &Shown) -> String {
    format!("{}:{}:{}", shown.name, shown.line, shown.column)
}

fn differs(kind: Kind) -> String {
    match kind {
        Kind::Tokens => "tokens differ".to_owned(),
        kind => format!("only {} differ", kind_name(kind)),
    }
}

fn count(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", grouped(number))
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Text of documents as a terminal may show it: what would steer the terminal is written out.
fn visible(text: &str) -> String {
    let shown = |c: char| match c {
        '"' | '\'' | '\\' => c.to_string(),
        // Also what is invisible, or changes the direction of the text around it.
        c => c.escape_debug().to_string(),
    };
    text.chars().map(shown).collect()
}
