//! A table with one change of another: what it makes of a document tells whether this change alone makes a difference.

use std::fmt::Write;

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{ElementName, Space};

use super::changes::Change;
use super::sides::{Load, Side};

/// Each side with only this change of the other one. `None` if such a table cannot be made, for instance since what the other one
/// says needs what this one does not have.
pub(super) fn hybrids(
    sides: [Side<'_>; 2],
    change: &Change,
    load: Load<'_>,
) -> [Option<TreeMachine>; 2] {
    [0, 1].map(|side| {
        let text = overlay(change, side, sides[1 - side].tree)?;
        load(&text, side)
    })
}

/// What a table that extends one side says, so that it has the change of the other.
fn overlay(change: &Change, side: usize, other: &TreeMachine) -> Option<String> {
    let lines = if side == 0 {
        &change.after
    } else {
        &change.before
    };
    let mut text = String::new();
    match change.place.as_str() {
        "element types" => {
            let set = other.sets.iter().find(|set| set.name == change.what)?;
            let names = set.members.iter().map(|member| match &member.attribute {
                Some((name, value)) => format!(
                    "{} whose start tag token had an \"{name}\" attribute that is \"{value}\" ASCII case-insensitively",
                    shown(&member.element)
                ),
                None => shown(&member.element),
            });
            let _ = write!(
                text,
                "element types:\n  {}: [{}]\n",
                quoted(&change.what),
                list(names)
            );
        }
        "scopes" => {
            let scope = other
                .scopes
                .iter()
                .find(|scope| scope.name == change.what)?;
            let names = list(scope.ends.iter().map(shown));
            let (start, end) = if scope.all_except {
                ("{all except: ", "}")
            } else {
                ("", "")
            };
            let _ = write!(
                text,
                "scopes:\n  {}: {start}[{names}]{end}\n",
                quoted(&change.what)
            );
        }
        "procedures" => match change.what.strip_prefix("on popping ") {
            Some(_) if lines.is_empty() => text += "on popping: removed\n",
            Some(element) => {
                let _ = write!(
                    text,
                    "on popping:\n  {}:\n{}",
                    quoted(element),
                    steps(lines, 4)?
                );
            }
            None if change.what == "tree construction dispatcher" => {
                let _ = write!(text, "tree construction dispatcher:\n{}", steps(lines, 2)?);
            }
            None => {
                let _ = write!(
                    text,
                    "procedures:\n  {}:\n{}",
                    quoted(&change.what),
                    steps(lines, 4)?
                );
            }
        },
        place if change.bodies != [None, None] => {
            let start = match place {
                "foreign content" => "foreign content:\n".to_owned(),
                _ => format!("insertion modes:\n  {}:\n", quoted(place)),
            };
            text += &start;
            let [own, others] = [&change.arms[side], &change.arms[1 - side]];
            let with = |condition: &str| match condition {
                "" => change.what.clone(),
                _ => change
                    .what
                    .split("; ")
                    .map(|part| format!("{part}, if {condition}"))
                    .collect::<Vec<_>>()
                    .join("; "),
            };
            let is_kept = |condition: &str| others.iter().any(|(it, _)| it == condition);
            for (condition, _) in own
                .iter()
                .filter(|(condition, _)| !condition.is_empty() && !is_kept(condition))
            {
                let _ = writeln!(text, "    {}: removed", quoted(&with(condition)));
            }
            for (condition, lines) in others {
                let _ = write!(
                    text,
                    "    ? {}\n    :\n{}",
                    quoted(&with(condition)),
                    steps(lines, 6)?
                );
            }
        }
        _ => return None,
    }
    Some(text)
}

fn shown(element: &ElementName) -> String {
    match element.space {
        Space::Html => element.name.clone(),
        space => format!("{} {}", space.as_str(), element.name),
    }
}

fn list(names: impl Iterator<Item = String>) -> String {
    names
        .map(|name| quoted(&name))
        .collect::<Vec<_>>()
        .join(", ")
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Lines as a list of steps. `None` if there is none.
fn steps(lines: &[String], indent: usize) -> Option<String> {
    let mut text = String::new();
    for line in lines {
        let content = line.trim_start();
        // Two columns of a line are four of the list.
        let column = " ".repeat(indent + 2 * (line.len() - content.len()));
        let _ = match content.strip_suffix(':') {
            Some(key) => write!(text, "{column}- ? {}\n{column}  :\n", quoted(key)),
            None => writeln!(text, "{column}- {}", quoted(content)),
        };
    }
    (!text.is_empty()).then_some(text)
}
