//! What a document can reach: arms, the names in their keys, the steps of all bodies, and the answers to their questions.

use std::collections::BTreeMap;

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{BodyId, Exit, Guard, Tokens};

use crate::tree::Passed;

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A name in the key of an arm.
    Name,
    /// An arm.
    Arm,
    /// An answer to a question.
    Answer,
    /// Steps that follow each other in any case.
    Steps,
}

/// Something that a document can reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// Where it is.
    pub passed: Passed,
    /// The insertion mode and arm, or the procedure; then the step or question as the table has it.
    pub label: String,
}

/// All items of a table, by body; then the names.
pub fn items(tree: &TreeMachine) -> Vec<Item> {
    let owners = owners(tree);
    let mut items = Vec::new();
    for (body, it) in tree.bodies.iter().enumerate() {
        let owner = owners.get(&body).unwrap_or(&it.name);
        for (number, block) in it.blocks.iter().enumerate() {
            let places = it.places.get(number);
            let line = |line: Option<usize>| {
                let line = line.and_then(|line| it.lines.get(line));
                line.map_or("", |line| line.trim().trim_end_matches(':'))
            };
            let passed = Passed::Block(body, number);
            if owners.contains_key(&body) && number == 0 {
                items.push(Item::new(Kind::Arm, passed, owner.clone()));
            } else if !block.steps.is_empty() || ends(&block.exit) {
                let first = places.map(|(steps, exit)| *steps.first().unwrap_or(exit));
                let label = format!("{owner}: {}", line(first));
                items.push(Item::new(Kind::Steps, passed, label));
            }
            if let Exit::If { guard, .. } = &block.exit {
                let question = line(places.map(|(_, exit)| *exit));
                let answers = [(true, "yes"), (false, "no")].into_iter();
                // What is always so has one answer.
                let answers = answers.filter(|(is_so, _)| *is_so || *guard != Guard::True);
                items.extend(answers.map(|(is_so, word)| {
                    let label = format!("{owner}: {question}: {word}");
                    Item::new(Kind::Answer, Passed::Answer(body, number, is_so), label)
                }));
            }
        }
    }
    for (mode, rules) in tree.modes.iter().enumerate() {
        for (number, arm) in rules.arms.iter().enumerate() {
            for (part, takes) in arm.takes.iter().enumerate() {
                let Tokens::Named(kind, names) = &takes.tokens else {
                    continue;
                };
                let kind = tree.kinds.get(*kind).map_or("", |kind| kind.name.as_str());
                items.extend(names.iter().enumerate().map(|(name, it)| {
                    let label = format!("{}: {kind} \"{it}\"", rules.name);
                    Item::new(Kind::Name, Passed::Name(mode, number, part, name), label)
                }));
            }
        }
    }
    items
}

impl Item {
    fn new(kind: Kind, passed: Passed, label: String) -> Self {
        Self {
            kind,
            passed,
            label,
        }
    }
}

/// Whether an exit does something by itself.
fn ends(exit: &Exit) -> bool {
    !matches!(exit, Exit::Go(_) | Exit::If { .. } | Exit::Done)
}

/// The insertion mode and key of each body that is an arm's.
fn owners(tree: &TreeMachine) -> BTreeMap<BodyId, String> {
    let arms = tree.modes.iter().flat_map(|rules| {
        let arms = rules.arms.iter();
        arms.map(move |arm| (arm.body, format!("{}: {}", rules.name, arm.key)))
    });
    arms.collect()
}
