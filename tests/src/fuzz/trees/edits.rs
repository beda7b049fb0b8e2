//! Small changes of the text of a table.

use crate::random::Random;

/// A table with a list or a line removed, repeated, or put in the place of another one, or with a word changed.
pub(super) fn changed(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let rules = lines.iter().position(|line| *line == "procedures:");
    let start = rules.map_or(0, |line| line + 1);
    let at = start + random.below(lines.len() - start);
    let end = end_of(&lines, at);
    let indent = indent(lines[at]);
    let alike = |from: usize| {
        let mut others = (start..lines.len()).cycle().skip(from).take(lines.len());
        others.find(|&it| self::indent(lines[it]) == indent && it != at)
    };
    match random.below(5) {
        0 => _ = lines.drain(at..end),
        1 => {
            let other = alike(random.below(lines.len())).unwrap_or(at);
            let other = lines[other..end_of(&lines, other)].to_vec();
            lines.splice(at..end, other);
        }
        2 => {
            let other = alike(random.below(lines.len())).unwrap_or(at);
            let other = lines[other..end_of(&lines, other)].to_vec();
            lines.splice(end..end, other);
        }
        3 if end < lines.len() => {
            let next = end_of(&lines, end);
            lines[at..next].rotate_left(end - at);
        }
        _ => {
            let words = [
                (" is not ", " is "),
                (" is ", " is not "),
                (" has ", " does not have "),
                (" does not have ", " has "),
                ("otherwise", "if the current node is not null"),
                ("reprocess", "ignore"),
                ("ignore", "reprocess"),
                ("the token", "a \"p\" start tag token with no attributes"),
                ("HTML", "SVG"),
                (
                    "after its last child",
                    "immediately before the current node",
                ),
                ("the current node", "the adjusted current node"),
                ("element", "the current node"),
                (" the Document", " the current node"),
            ];
            let words: Vec<_> = words.iter().filter(|it| lines[at].contains(it.0)).collect();
            if !words.is_empty() {
                let (from, to) = random.one(&words);
                let line = lines[at].replacen(from, to, 1);
                let before = lines[..at].join("\n");
                return format!("{before}\n{line}\n{}\n", lines[at + 1..].join("\n"));
            }
        }
    }
    lines.join("\n") + "\n"
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The first line after one and those that are indented further.
fn end_of(lines: &[&str], at: usize) -> usize {
    let of = indent(lines[at]);
    let after = lines[at + 1..].iter();
    at + 1 + after.take_while(|line| indent(line) > of).count()
}
