//! Lines that are indented otherwise than those around them, or by tabs.

use super::{Candidate, RefusalKind, Repair, Worth, indent, is_item};
use crate::read::events::Problem;
use crate::read::node::Node;
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

    /// Indents arms that stand at the margin in a row, with what is below them, as the arm above them or below the key
    /// above them, if YAML reads further then.
    pub(super) fn arms_at_margin(&mut self, line: usize) -> Option<Result<Node, Problem>> {
        let written = self.above(line);
        let row = written.take_while(|&n| {
            indent(self.line(n)) > 0 || self.is_off(n) || self.is_list_at_margin(n)
        });
        let first = row.filter(|&n| indent(self.line(n)) == 0).last()?;
        let above = self.line_above(first)?;
        let of = indent(above) + 2 * usize::from(above.trim_end().ends_with(':'));
        let lines =
            (0..self.typed.len()).map(|n| match (first..line).contains(&n) && self.is_written(n) {
                true => " ".repeat(of) + self.line(n),
                false => self.line(n).to_owned(),
            });
        let lines: Vec<String> = lines.collect();
        let result = self.read_again(&lines.join("\n"))?;
        let further = result
            .as_ref()
            .map_or_else(|next| self.place(next.offset).0 > line, |_| true);
        further.then(|| {
            let mut candidate = reindented(self.line(first), of).worth(Worth::All);
            if (first + 1..line).any(|n| self.is_written(n)) {
                let all = "it, and the lines below it as far, by";
                candidate.help = candidate.help.replacen("it by", all, 1);
            }
            self.refuse(first, &candidate, RefusalKind::Syntax);
            self.lines = lines;
            result
        })
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

    /// Takes tabs that indent lines for spaces, everywhere, if YAML reads further then.
    pub(super) fn tabs(&mut self, line: usize) -> Option<Result<Node, Problem>> {
        let all: Vec<usize> = (0..self.typed.len())
            .filter(|&n| is_tabbed(self.line(n)))
            .collect();
        // Beside lines that are indented by spaces it is unknown how wide a tab was meant to be.
        let is_mixed = (0..self.typed.len()).any(|n| self.line(n).starts_with("  "));
        let widths: &[Option<usize>] = match is_mixed {
            true => &[None, Some(2), Some(4), Some(8)],
            false => &[Some(2)],
        };
        let mut best: Option<(usize, Vec<String>, Result<Node, Problem>)> = None;
        for &width in widths {
            let lines = self.with_spaces(width);
            let result = self.read_again(&lines.join("\n"))?;
            let reached = result
                .as_ref()
                .map_or_else(|problem| self.place(problem.offset).0, |_| usize::MAX);
            let is_better = best.as_ref().is_none_or(|(before, ..)| reached > *before);
            if reached > line && is_better {
                best = Some((reached, lines, result));
            }
        }
        let (_, lines, result) = best?;
        let first = *all.iter().find(|n| **n >= line).or(all.last())?;
        let others = match all.len() - 1 {
            0 => String::new(),
            1 => ", and so the other line with a tab".to_owned(),
            count => format!(", and so the {count} other lines with tabs"),
        };
        let written = &lines[first];
        let candidate = Candidate {
            line: String::new(),
            piece: 0..self.line(first).len() - self.line(first).trim_start().len(),
            message: NO_TABS.to_owned(),
            help: format!("indent it with spaces{others}:\n{}", written.trim_end()),
            worth: Worth::All,
        };
        self.refuse(first, &candidate, RefusalKind::Syntax);
        self.lines = lines;
        Some(result)
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
    let line = " ".repeat(of) + line.trim_start_matches(' ');
    let message = format!(
        "the line is indented by {}, unlike those around it",
        spaces(own)
    );
    let words = format!("indent it by {}, if it belongs there:", spaces(of));
    Candidate {
        help: format!("{words}\n{line}"),
        ..Candidate::showing(own..own + 1, message, &words, line)
    }
    .worth(Worth::Nothing)
}

/// Whether a tab indents a line that says something.
pub(super) fn is_tabbed(line: &str) -> bool {
    let text = line.trim_start();
    !text.is_empty() && line[..line.len() - text.len()].contains('\t')
}

fn spaces(count: usize) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} space{plural}")
}
