//! What there is to cover: arms and branches.

use std::collections::HashMap;

use speclex_codegen::machine::{Body, Guard, Machine, Next};

use crate::body::address;
use crate::paths::{ArmInput, arms};
use crate::spelling::Spelling;

/// Where an arm is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Place {
    /// In the state with this index.
    State(usize),
    /// Among the steps on emitting with this index.
    OnEmitting(usize),
}

/// An arm, or a branch in one.
#[derive(Clone, Debug)]
pub struct Item<'m> {
    /// Where it is.
    pub place: Place,
    /// The arm: its set, its literal, EOF, `match`, `no match`, or empty where a state has one body only.
    pub arm: String,
    /// For a branch: what it is a branch of (the arm, or a branch around it), the guard, and the answer.
    pub branch: Option<Branch<'m>>,
}

/// One of the two ways on from a guard.
#[derive(Clone, Copy, Debug)]
pub struct Branch<'m> {
    /// The item in which the guard is asked.
    pub parent: usize,
    /// The guard.
    pub guard: &'m Guard,
    /// Its answer here.
    pub answer: bool,
}

/// The arms and branches of a machine, in the order of its table.
///
/// An arm is a literal, a set (unless other arms leave nothing for it), EOF, a match, no match, or the one
/// body of a state without arms. Each guard adds two branches. A state of the text that lowering split counts with all
/// its parts, a procedure once, whoever calls it.
#[derive(Debug)]
pub struct Items<'m> {
    machine: &'m Machine,
    items: Vec<Item<'m>>,
    /// The item of a body, by the body's address.
    bodies: HashMap<usize, usize>,
    /// The first characters of literals, by the items of their arms.
    literal_starts: HashMap<usize, char>,
    /// The items of a step on emitting, by its indices and its answer.
    on_emitting: HashMap<(usize, usize, bool), usize>,
}

impl<'m> Items<'m> {
    /// The items of a machine.
    pub fn of(machine: &'m Machine) -> Self {
        let mut items = Self {
            machine,
            items: Vec::new(),
            bodies: HashMap::new(),
            literal_starts: HashMap::new(),
            on_emitting: HashMap::new(),
        };
        for (index, state) in machine.states.iter().enumerate() {
            let place = Place::State(index);
            for arm in arms(state) {
                let id = items.items.len();
                let (name, literal_start) = label(arm.on);
                items.literal_starts.extend(literal_start.map(|c| (id, c)));
                items.add_body(place, name, arm.body, None);
            }
        }
        for (index, on_emit) in machine.on_emit.iter().enumerate() {
            for (step, (guard, _)) in on_emit.steps.iter().enumerate() {
                items.add_step(index, step, guard.as_ref());
            }
        }
        items
    }

    fn add_body(&mut self, place: Place, arm: String, body: &'m Body, branch: Option<Branch<'m>>) {
        let parent = self.items.len();
        self.bodies.insert(address(body), parent);
        self.items.push(Item {
            place,
            arm: arm.clone(),
            branch,
        });
        if let Next::If {
            guard,
            then,
            otherwise,
        } = &body.next
        {
            for (answer, body) in [(true, then), (false, otherwise)] {
                let branch = Branch {
                    parent,
                    guard,
                    answer,
                };
                self.add_body(place, arm.clone(), body, Some(branch));
            }
        }
    }

    /// A step without a guard is one arm; with one, its two branches are reached only together with it.
    fn add_step(&mut self, index: usize, step: usize, guard: Option<&'m Guard>) {
        let parent = self.items.len();
        let item = |branch| Item {
            place: Place::OnEmitting(index),
            arm: format!("step {}", step + 1),
            branch,
        };
        self.items.push(item(None));
        let answers: &[bool] = if guard.is_some() {
            &[true, false]
        } else {
            &[true]
        };
        for &answer in answers {
            let found = guard.map(|guard| Branch {
                parent,
                guard,
                answer,
            });
            let id = match found {
                Some(_) => {
                    self.items.push(item(found));
                    self.items.len() - 1
                }
                None => parent,
            };
            self.on_emitting.insert((index, step, answer), id);
        }
    }

    /// All items; an id is an index.
    pub fn all(&self) -> &[Item<'m>] {
        &self.items
    }

    /// The machine.
    pub(crate) fn machine(&self) -> &'m Machine {
        self.machine
    }

    /// How many arms there are.
    pub fn arms(&self) -> usize {
        self.items
            .iter()
            .filter(|item| item.branch.is_none())
            .count()
    }

    /// The item of a body.
    pub(super) fn of_body(&self, body: &Body) -> Option<usize> {
        self.bodies.get(&address(body)).copied()
    }

    /// What the literal of an arm starts with.
    pub(super) fn literal_start(&self, id: usize) -> Option<char> {
        self.literal_starts.get(&id).copied()
    }

    /// The items of a step on emitting with this answer.
    pub(super) fn of_step(
        &self,
        on_emit: usize,
        step: usize,
        runs: bool,
    ) -> impl Iterator<Item = usize> {
        let id = self.on_emitting.get(&(on_emit, step, runs)).copied();
        let parent = id.and_then(|id| Some(self.items.get(id)?.branch?.parent));
        parent.into_iter().chain(id)
    }

    /// The section and the state of an item.
    pub fn heading(&self, place: Place) -> String {
        match place {
            Place::State(index) => match self.machine.states.get(index) {
                Some(state) => format!("{} {}", state.section, state.name)
                    .trim_start()
                    .to_owned(),
                None => String::new(),
            },
            Place::OnEmitting(index) => {
                let on_emit = self.machine.on_emit.get(index);
                let kind = on_emit.and_then(|on_emit| {
                    let token = (self.machine.vocabulary.tokens).get(on_emit.token.0 as usize)?;
                    token.kinds.get(on_emit.kind as usize)
                });
                format!("on emitting {}", kind.map_or("", |kind| &kind.name))
            }
        }
    }

    /// An item for people: `if GUARD` and `otherwise` for branches, from the outermost to its own.
    pub fn label(&self, id: usize) -> String {
        let Some(item) = self.items.get(id) else {
            return String::new();
        };
        let spelling = Spelling::new(self.machine);
        let mut parts = Vec::new();
        let mut at = item.branch;
        while let Some(branch) = at {
            let guard = spelling.guard(branch.guard);
            let word = if branch.answer { "if" } else { "unless" };
            parts.push(format!("{word} {guard}"));
            at = self.items.get(branch.parent).and_then(|item| item.branch);
        }
        if !item.arm.is_empty() {
            parts.push(item.arm.clone());
        }
        parts.reverse();
        let heading = self.heading(item.place);
        if parts.is_empty() {
            return heading;
        }
        format!("{heading}: {}", parts.join(", "))
    }
}

/// What an arm is called, and what a literal starts with.
fn label(on: ArmInput<'_>) -> (String, Option<char>) {
    let label = match on {
        ArmInput::Literal(literal) => {
            let case = ["", " ASCII case-insensitively"][usize::from(literal.ignore_case)];
            let label = format!("{:?}{case}", literal.text);
            return (label, literal.text.chars().next());
        }
        ArmInput::Set(_, label) => label,
        ArmInput::Eof => "EOF",
        ArmInput::Entering => "",
        ArmInput::Matched => "match",
        ArmInput::Unmatched => "no match",
    };
    (label.to_owned(), None)
}
