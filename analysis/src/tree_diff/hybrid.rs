//! A table with one change of another: what it makes of a document tells whether this change alone makes a difference.

use std::fmt::Write;

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::Tokens;

use super::changes::Change;
use super::sides::{Load, Side};

/// A side with only this change of the other one. `None` if such a table cannot be made, for instance since what the other one says
/// needs what this one does not have.
pub(super) fn hybrid(
    sides: [Side<'_>; 2],
    side: usize,
    change: &Change,
    load: Load<'_>,
) -> Option<TreeMachine> {
    let [own, other] = [side, 1 - side].map(|it| sides[it].tree);
    with_list(own, other, change)
        .or_else(|| without_kind(own, change, side))
        .or_else(|| load(&overlay(change, side)?, side))
}

/// A table with a list of another one. `None` if the change is in no list, or one of them has no such list.
fn with_list(own: &TreeMachine, other: &TreeMachine, change: &Change) -> Option<TreeMachine> {
    let mut made = own.clone();
    let what = &change.what;
    match change.place.as_str() {
        "element types" => {
            let own = made.sets.iter_mut().find(|set| set.name == *what)?;
            own.clone_from(other.sets.iter().find(|set| set.name == *what)?);
        }
        "scopes" => {
            let own = made.scopes.iter_mut().find(|scope| scope.name == *what)?;
            own.clone_from(other.scopes.iter().find(|scope| scope.name == *what)?);
        }
        "names" => {
            let own = made.names.iter_mut().find(|names| names.name == *what)?;
            own.clone_from(other.names.iter().find(|names| names.name == *what)?);
        }
        "quirks" => {
            let own = made.quirks.iter_mut().find(|(mode, _)| mode == what)?;
            own.clone_from(other.quirks.iter().find(|(mode, _)| mode == what)?);
        }
        _ => return None,
    }
    Some(made)
}

/// A table that ignores a kind of token in an insertion mode, as one does whose tokenizer has no such tokens.
fn without_kind(own: &TreeMachine, change: &Change, side: usize) -> Option<TreeMachine> {
    let kind = change.what.strip_suffix(" token")?;
    let number = own.kinds.iter().position(|it| it.name == kind)?;
    if change.bodies[side].is_none() || change.bodies[1 - side].is_some() {
        return None;
    }
    let mut made = own.clone();
    let rules = made.modes.iter_mut().find(|it| it.name == change.place)?;
    for arm in &mut rules.arms {
        arm.takes.retain(|it| it.tokens != Tokens::Kind(number));
    }
    Some(made)
}

/// What a table that extends one side says, so that it has the change of the other.
fn overlay(change: &Change, side: usize) -> Option<String> {
    let lines = if side == 0 {
        &change.after
    } else {
        &change.before
    };
    let mut text = String::new();
    match change.place.as_str() {
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
            for (condition, _) in own.iter().filter(|(condition, _)| !is_kept(condition)) {
                // Without a key of its own, other arms take the tokens.
                if !condition.is_empty() || others.is_empty() {
                    let _ = writeln!(text, "    {}: removed", quoted(&with(condition)));
                }
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
