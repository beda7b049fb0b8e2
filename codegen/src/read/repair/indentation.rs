//! Lines that are indented otherwise than those around them.

use super::{Candidate, Repair, indent, is_item};

impl Repair<'_> {
    /// The first of the lines directly above that are indented deeper.
    pub(super) fn deeper_above(&self, number: usize) -> Option<usize> {
        let own = indent(self.line(number));
        let above = self.above(number);
        above.take_while(|&n| indent(self.line(n)) > own).last()
    }

    /// The line of a key that is indented less than those beside it: what comes before and after it is indented alike.
    pub(super) fn head_out_of_step(&self, number: usize) -> Option<usize> {
        let own = indent(self.line(number));
        let mut above = self.above(self.deeper_above(number)?);
        let head = above.next()?;
        let beside = above.find(|&n| indent(self.line(n)) <= own)?;
        let is_head = self.line(head).trim_end().ends_with(':') && indent(self.line(head)) < own;
        (is_head && indent(self.line(beside)) == own).then_some(head)
    }

    /// The line with the indentation of lines around it, the nearest first.
    pub(super) fn indentations(&self, number: usize, stop: usize) -> Vec<Candidate> {
        let line = self.line(number);
        let own = indent(line);
        // Below a key; that of an item begins after the dash.
        let below_key = |line: &str| indent(line) + 2 + 2 * usize::from(is_item(line));
        let parent = self.line_above(number);
        let parent = parent.filter(|line| line.trim_end().ends_with(':'));
        let below = self.below(number).map(indent);
        let mut around: Vec<usize> = parent.map(below_key).into_iter().chain(below).collect();
        let mut least = usize::MAX;
        for of in self.above(number).map(|n| indent(self.line(n))) {
            if of < least {
                least = of;
                around.push(of);
            }
            if of == 0 || around.len() > 8 {
                break;
            }
        }
        around.push(indent(self.line(stop)));
        // What is below it stays below it.
        let is_parent = |below: &usize| *below > own && line.trim_end().ends_with(':');
        let most = below.filter(is_parent).unwrap_or(usize::MAX);
        around.retain(|&of| of != own && of < most);
        around.sort_by_key(|of| of.abs_diff(own));
        around.dedup();
        around.into_iter().map(|of| reindented(line, of)).collect()
    }
}

/// A line with another indentation.
fn reindented(line: &str, of: usize) -> Candidate {
    let own = indent(line);
    let fixed = " ".repeat(of) + line.trim_start_matches(' ');
    let spaces = |count| format!("{count} space{}", if count == 1 { "" } else { "s" });
    let message = format!(
        "the line is indented by {}, unlike those around it",
        spaces(own)
    );
    let candidate = Candidate {
        help: format!("indent it by {}, if it belongs there:\n{fixed}", spaces(of)),
        ..Candidate::showing(line, fixed, message, "")
    };
    candidate.unsure()
}
