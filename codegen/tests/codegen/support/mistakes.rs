//! Mistakes in tables, and what is said of them: `=== NAME` or `=== NAME (TABLE)`; lines of the table after `- `, each with the lines
//! that stand there instead after `+ `, perhaps a line above them after two spaces; and the report.

use speclex_codegen::Report;
use std::fs;
use std::path::Path;

/// A mistake.
pub(crate) struct Mistake<'t> {
    head: &'t str,
    /// The table that is named, or else the usual one.
    pub(crate) table: &'t str,
    edits: Vec<&'t str>,
}

impl<'t> Mistake<'t> {
    fn read(text: &'t str) -> Self {
        let (head, rest) = text.split_once('\n').expect("edits");
        let table = head.split_once(" (").map_or("", |(_, table)| table);
        let is_edit = |line: &&str| ["- ", "+ ", "  "].iter().any(|sign| line.starts_with(sign));
        Self {
            head,
            table: table.trim_end_matches(')'),
            edits: rest.lines().take_while(is_edit).collect(),
        }
    }

    /// The table with the mistake, and the number of the first line that is another one.
    pub(crate) fn made_in(&self, table: &str) -> (String, usize) {
        let before: Vec<&str> = table.lines().collect();
        let mut lines: Vec<Vec<&str>> = before.iter().map(|line| vec![*line]).collect();
        let (mut place, mut is_below, mut first) = (0, false, usize::MAX);
        for edit in &self.edits {
            let (sign, line) = edit.split_at(2);
            if sign == "+ " {
                lines[place].push(line);
                continue;
            }
            let from = if is_below { place } else { 0 };
            let mut places = (from..lines.len()).filter(|&at| before[at] == line);
            place = places.next().unwrap_or_else(|| panic!("no line {line:?}"));
            assert!(is_below || places.next().is_none(), "{line:?} stands twice");
            if sign == "- " {
                lines[place].clear();
                first = first.min(place + 1);
            } else {
                is_below = true;
            }
        }
        (lines.concat().join("\n"), first)
    }
}

/// Compares what `report` says of each mistake in a file with what the file says, or writes it there. Each fault has a place and a help.
pub(crate) fn compare(path: &Path, mut report: impl FnMut(&Mistake<'_>) -> Report) -> usize {
    let text = fs::read_to_string(path).expect("the mistakes");
    let mut said = Vec::new();
    for mistake in text.split("=== ").skip(1).map(Mistake::read) {
        let head = mistake.head;
        let report = report(&mistake).to_string();
        let count = |part: &str| report.matches(part).count();
        let faults = count("error[") + count("warning[") + count("note[");
        let carets = report
            .lines()
            .filter(|line| line.contains(" ^") || line.contains("|^"));
        assert!(faults > 0, "{head}: nothing is said");
        assert_eq!(
            (carets.count(), count("= help: ")),
            (faults, faults),
            "{head}: {report}"
        );
        said.push(format!(
            "=== {head}\n{}\n\n{}\n",
            mistake.edits.join("\n"),
            report.trim_end()
        ));
    }
    let count = said.len();
    let said = said.join("\n");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, said).expect("a writable file");
    } else {
        assert_eq!(said, text);
    }
    count
}
