//! Lines that are indented otherwise than those around them, or by tabs.

use super::{Candidate, Repair, Worth, indent, is_item};
use crate::read::quoting::key_end;

const NO_TABS: &str = "a tab cannot indent a line of YAML";

impl Repair<'_> {
    /// The first of the lines directly above that are indented deeper.
    pub(super) fn deeper_above(&self, number: usize) -> Option<usize> {
        let own = indent(self.line(number));
        let above = self.above(number);
        above.take_while(|&n| indent(self.line(n)) > own).last()
    }

    /// Whether a line is a key with a phrase, or with a list of them in brackets.
    pub(super) fn is_arm(&self, number: usize) -> bool {
        let line = self.line(number);
        let value = key_end(line).and_then(|end| line.get(end + 1..));
        value.is_some_and(|value| (self.is_steps)(value.trim()))
    }

    /// Whether a line is an arm at the margin, where none stands.
    pub(super) fn is_off(&self, number: usize) -> bool {
        indent(self.line(number)) == 0 && self.is_arm(number)
    }

    /// The lines that may be indented otherwise than they should be where YAML stops, the likeliest first.
    pub(super) fn neighbours(&self, line: usize) -> Vec<usize> {
        let own = indent(self.line(line));
        let before = self.above(line).next();
        let mut lines = vec![line];
        lines.extend(before);
        // Where this line and the next agree, the one above may be off, or the first of those that are deeper.
        let agree = self.indent_below(line) == Some(own);
        // So it is where the line above alone is out of step.
        let around = before.filter(|&before| indent(self.line(before)) > 0);
        let around = around.and_then(|before| self.line_above(before));
        let agrees = around.is_some_and(|above| indent(above) == own);
        if (agree || agrees) && !is_item(self.line(line)) {
            lines.reverse();
        }
        lines.extend(self.deeper_above(line));
        let off = before.filter(|&before| self.is_off(before));
        if let Some(head) = off.or_else(|| self.head_out_of_step(line)) {
            lines.insert(0, head);
        }
        // Most tables indent by two.
        lines.sort_by_key(|&number| indent(self.line(number)).is_multiple_of(2));
        lines
    }

    /// Indents arms that stand at the margin in a row, with what is below them, as the arm above them or below the key
    /// above them.
    pub(super) fn arms_at_margin(&self, line: usize) -> Option<(usize, Candidate)> {
        let written = self.above(line);
        let row = written.take_while(|&n| {
            indent(self.line(n)) > 0 || self.is_off(n) || self.is_list_at_margin(n)
        });
        let first = row.filter(|&n| indent(self.line(n)) == 0).last()?;
        let above = self.line_above(first)?;
        let of = indent(above) + 2 * usize::from(above.trim_end().ends_with(':'));
        let below = (first + 1..line).filter(|&n| self.is_written(n));
        let deeper = |n| (n, " ".repeat(of) + self.line(n));
        let mut candidate = reindented(self.line(first), of).worth(Worth::All);
        candidate.others = below.map(deeper).collect();
        if !candidate.others.is_empty() {
            let all = "it, and the lines below it as far, by";
            candidate.help = candidate.help.replacen("it by", all, 1);
        }
        Some((first, candidate))
    }

    /// Whether a line is an arm at the margin with a list below it.
    fn is_list_at_margin(&self, number: usize) -> bool {
        let line = self.line(number);
        let below = self.below(number).next();
        indent(line) == 0
            && line.trim_end().ends_with(':')
            && below.is_some_and(|n| is_item(self.line(n)))
    }

    /// The line of a key that is indented less than those beside it: what is below it has lines of its own, and what
    /// comes before and after it is indented alike.
    pub(super) fn head_out_of_step(&self, number: usize) -> Option<usize> {
        let own = indent(self.line(number));
        let first = self.deeper_above(number)?;
        let has_levels = (first..number).any(|n| indent(self.line(n)) > indent(self.line(first)));
        let mut above = self.above(first);
        let head = above.next()?;
        let beside = above.find(|&n| indent(self.line(n)) <= own)?;
        let is_head = self.line(head).trim_end().ends_with(':') && indent(self.line(head)) < own;
        (is_head && has_levels && indent(self.line(beside)) == own).then_some(head)
    }

    /// The line with the indentation of lines around it.
    pub(super) fn indentations(&self, number: usize, stop: usize) -> Vec<Candidate> {
        let line = self.line(number);
        let own = indent(line);
        let above = self.above(number).map(|n| indent(self.line(n)));
        let parent = self.line_above(number);
        let parent = parent.filter(|line| line.trim_end().ends_with(':'));
        // Below the key of an item, which begins behind the dash.
        let of_key = |line: &str| indent(line) + 2 * usize::from(is_item(line));
        let mut around: Vec<usize> = parent.map(|line| of_key(line) + 2).into_iter().collect();
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
        let below = self.indent_below(number);
        around.extend(below);
        around.push(indent(self.line(stop)));
        // What is below it stays below it.
        let is_parent = |below: &usize| *below > own && line.trim_end().ends_with(':');
        let most = below.filter(is_parent).unwrap_or(usize::MAX);
        around.retain(|&of| of != own && of < most);
        // An arm stands beside the one above it.
        if !self.is_arm(number) {
            around.sort_by_key(|of| of.abs_diff(own));
        }
        around.into_iter().map(|of| reindented(line, of)).collect()
    }

    /// Takes tabs that indent lines for spaces, everywhere.
    pub(super) fn tabs(&self, line: usize) -> Vec<(usize, Candidate)> {
        let all = (0..self.typed.len()).filter(|&n| is_tabbed(self.line(n)));
        let all: Vec<usize> = all.collect();
        let Some(&first) = all.iter().find(|n| **n >= line).or(all.last()) else {
            return Vec::new();
        };
        // Beside lines that are indented by spaces it is unknown how wide a tab was meant to be.
        let is_mixed = (0..self.typed.len()).any(|n| self.line(n).starts_with("  "));
        let widths: &[Option<usize>] = match is_mixed {
            true => &[None, Some(2), Some(4), Some(8)],
            false => &[Some(2)],
        };
        let others = match all.len() - 1 {
            0 => String::new(),
            1 => ", and so the other line with a tab".to_owned(),
            count => format!(", and so the {count} other lines with tabs"),
        };
        let of_width = |&width| {
            let mut lines = self.with_spaces(width);
            let written = std::mem::take(&mut lines[first]);
            let help = format!("indent it with spaces{others}:\n{}", written.trim_end());
            let tabs = self.line(first).len() - self.line(first).trim_start().len();
            let candidate = Candidate {
                help,
                others: (lines.into_iter().enumerate())
                    .filter(|(n, _)| *n != first && is_tabbed(self.line(*n)))
                    .collect(),
                ..Candidate::showing("", written, NO_TABS, "")
            };
            (first, candidate.at(0..tabs))
        };
        widths.iter().map(of_width).collect()
    }

    /// The lines with spaces instead of tabs: as many for each tab as the width says, or as many as the line above has.
    fn with_spaces(&self, width: Option<usize>) -> Vec<String> {
        let mut above = 0;
        let mut lines = Vec::with_capacity(self.typed.len());
        for number in 0..self.typed.len() {
            let line = self.line(number);
            let typed = line.trim_start();
            let lead = &line[..line.len() - typed.len()];
            let line = match (is_tabbed(line), width) {
                (false, _) => line.to_owned(),
                (true, None) => " ".repeat(above) + typed,
                (true, Some(width)) => lead.replace('\t', &" ".repeat(width)) + typed,
            };
            if !typed.is_empty() {
                above = indent(&line) + 2 * usize::from(typed.trim_end().ends_with(':'));
            }
            lines.push(line);
        }
        lines
    }
}

/// A line with another indentation.
pub(super) fn reindented(line: &str, of: usize) -> Candidate {
    let own = indent(line);
    let fixed = " ".repeat(of) + line.trim_start_matches(' ');
    let spaces = |count| format!("{count} space{}", if count == 1 { "" } else { "s" });
    let message = format!(
        "the line is indented by {}, unlike those around it",
        spaces(own)
    );
    Candidate {
        help: format!("indent it by {}, if it belongs there:\n{fixed}", spaces(of)),
        worth: Worth::Nothing,
        ..Candidate::showing(line, fixed, message, "")
    }
}

/// Whether a tab indents a line that says something.
pub(super) fn is_tabbed(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && line[..line.len() - text.len()].contains('\t')
}
