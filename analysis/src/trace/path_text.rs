//! Every path through every arm, said once: a trace says the same few hundred sentences again and again.

use std::collections::HashMap;
use std::rc::Rc;

use speclex_codegen::analyse::Path;
use speclex_codegen::machine::{Action, Machine, StateId};
use speclex_codegen::uses::Place;

use crate::body::address;
use crate::paths::{ArmInput, arms, possible_paths, spelled_actions, spelled_guards};
use crate::spelling::Spelling;

/// A path through an arm, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// The arm: on what it is taken.
    pub on: String,
    /// The answers to its questions that led here.
    pub when: Vec<String>,
    /// What is done, in order.
    pub actions: Vec<String>,
    /// Where it leads.
    pub next: String,
    pub(super) kind: Kind,
    pub(super) touched: Vec<Place>,
}

/// What an arm consumes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// The current input character.
    Character,
    /// A string.
    Literal(String),
    /// The end of the input.
    Eof,
    /// The reference that matched.
    Reference,
    /// Nothing.
    #[default]
    Nothing,
}

/// All that a machine may do, by the body with which a path ends; said when its state is met.
#[derive(Debug)]
pub(super) struct PathTexts<'m> {
    spelling: Spelling<'m>,
    /// For each state whether it is said.
    said: Vec<bool>,
    paths: HashMap<usize, Rc<Said>>,
}

impl<'m> PathTexts<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        Self {
            spelling: Spelling::new(machine),
            said: vec![false; machine.states.len()],
            paths: HashMap::new(),
        }
    }

    /// What a state did, by the address of the last body.
    pub(super) fn find(&mut self, id: StateId, leaf: usize) -> Rc<Said> {
        let index = id.0 as usize;
        if let (Some(said), Some(state)) = (
            self.said.get_mut(index),
            self.spelling.machine.states.get(index),
        ) && !std::mem::replace(said, true)
        {
            for arm in arms(state) {
                for path in possible_paths(arm.body, arm.on.set()) {
                    let said = spell(&self.spelling, arm.on, &path);
                    self.paths.insert(address(path.leaf), Rc::new(said));
                }
            }
        }
        self.paths.get(&leaf).cloned().unwrap_or_default()
    }
}

fn spell(spelling: &Spelling<'_>, on: ArmInput<'_>, path: &Path<'_>) -> Said {
    let mut touched = Vec::new();
    for (place, _) in path.actions().flat_map(Action::touches) {
        if !touched.contains(&place) {
            touched.push(place);
        }
    }
    Said {
        on: on.spelled(),
        when: spelled_guards(spelling, path),
        actions: spelled_actions(spelling, path),
        next: spelling.target(path.target, path.reconsume),
        kind: match on {
            ArmInput::Literal(literal) => Kind::Literal(literal.text.clone()),
            ArmInput::Set(..) => Kind::Character,
            ArmInput::Eof => Kind::Eof,
            ArmInput::Matched => Kind::Reference,
            ArmInput::Unmatched | ArmInput::Entering => Kind::Nothing,
        },
        touched,
    }
}
