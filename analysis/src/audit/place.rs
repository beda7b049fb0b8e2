//! Where in the tables' files something is: found again by its keys, since the machine knows no places.

use speclex_codegen::Source;

/// The file and the line of a state's arm, or of the state if it has no such arm in any file.
pub(crate) fn place(sources: &[Source], state: &str, arm: Option<&str>) -> Option<(String, usize)> {
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
pub(crate) fn top(sources: &[Source], key: &str) -> Option<(String, usize)> {
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
