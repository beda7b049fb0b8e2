//! The model of a text or of a table: its facts, with what its states need to know of each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{FieldType, Machine};

use crate::facts::{Action, Facts, PROCEDURE, Place, State, Step, Successor};

/// A state that attempts the procedure.
#[derive(Clone, Debug)]
pub(crate) struct Caller<'f> {
    pub(crate) name: String,
    /// Where it has switched before.
    pub(crate) to: Option<Successor>,
    /// What it does then.
    pub(crate) steps: &'f [Step],
}

/// Facts, and questions about them.
#[derive(Debug)]
pub(crate) struct Model<'f> {
    pub(crate) facts: &'f Facts,
    pub(crate) callers: Vec<Caller<'f>>,
    /// The first state of the procedure.
    pub(crate) procedure: Option<String>,
    index: HashMap<&'f str, &'f State>,
    /// Tokens under construction where a text says "the current token".
    current: BTreeMap<String, BTreeSet<String>>,
    allowed: BTreeSet<char>,
    gets_allowed: BTreeSet<&'f str>,
    switches_back: BTreeSet<&'f str>,
    tracked: BTreeSet<String>,
    vocabulary: &'f Vocabulary,
    replace: BTreeMap<char, char>,
    replacements: BTreeMap<u32, u32>,
}

/// What both sides must know of tokens.
#[derive(Debug, Default)]
pub(crate) struct Vocabulary {
    kinds: HashMap<String, String>,
    optional: BTreeSet<Place>,
}

impl Vocabulary {
    pub(crate) fn of(machine: &Machine) -> Self {
        let mut vocabulary = Self::default();
        for token in &machine.vocabulary.tokens {
            vocabulary
                .kinds
                .insert(token.name.clone(), token.name.clone());
            for kind in &token.kinds {
                vocabulary
                    .kinds
                    .insert(kind.name.clone(), token.name.clone());
            }
            let optional = token
                .fields
                .iter()
                .filter(|f| f.ty == FieldType::OptionalText);
            vocabulary
                .optional
                .extend(optional.map(|field| Place::Field(token.name.clone(), field.name.clone())));
        }
        vocabulary
    }

    pub(crate) fn token_of(&self, kind: &str) -> Option<&String> {
        self.kinds.get(kind)
    }
}

impl<'f> Model<'f> {
    pub(crate) fn new(facts: &'f Facts, vocabulary: &'f Vocabulary) -> Self {
        let mut model = Self {
            facts,
            callers: Vec::new(),
            procedure: None,
            index: facts.states.iter().map(|s| (s.name.as_str(), s)).collect(),
            current: BTreeMap::new(),
            allowed: BTreeSet::new(),
            gets_allowed: BTreeSet::new(),
            switches_back: BTreeSet::new(),
            tracked: BTreeSet::new(),
            vocabulary,
            replace: BTreeMap::new(),
            replacements: BTreeMap::new(),
        };
        for state in &facts.states {
            model.add_state(state);
        }
        model.propagate_tokens();
        model
    }

    /// What a text does to characters before the states see them.
    pub(crate) fn with_replaced(mut self, replace: impl Iterator<Item = (char, char)>) -> Self {
        self.replace = replace.collect();
        self
    }

    /// The table of numeric character references.
    pub(crate) fn with_replacements(mut self, rows: impl Iterator<Item = (u32, u32)>) -> Self {
        self.replacements = rows.collect();
        self
    }

    /// Numbers whose last value counts: where the text sets one, the machine must too.
    pub(crate) fn with_tracked(mut self, registers: BTreeSet<String>) -> Self {
        self.tracked = registers;
        self
    }

    fn add_state(&mut self, state: &'f State) {
        let mut allowed_next = false;
        state.steps(&mut |step| match step {
            Step::Go(Successor::Back) => {
                self.switches_back.insert(&state.name);
            }
            Step::Do(Action::SetAllowed(character)) => {
                self.allowed.extend(character);
                allowed_next = true;
            }
            Step::Go(Successor::State(name)) if std::mem::take(&mut allowed_next) => {
                self.gets_allowed.insert(name);
            }
            _ => {}
        });
        if let crate::facts::Body::Steps(steps) = &state.body
            && let Some(at) = steps.iter().position(|s| matches!(s, Step::Attempt(_)))
        {
            let to = steps[..at].iter().rev().find_map(|step| match step {
                Step::Go(to) => Some(to.clone()),
                _ => None,
            });
            self.callers.push(Caller {
                name: state.name.clone(),
                to,
                steps: &steps[at + 1..],
            });
        }
        if state.inner && self.procedure.is_none() && state.name.starts_with(PROCEDURE) {
            self.procedure = Some(state.name.clone());
        }
    }

    /// Which tokens are under construction in each state: what is created on the way there.
    fn propagate_tokens(&mut self) {
        let mut edges: Vec<(&'f str, &'f str, Option<String>)> = Vec::new();
        for state in &self.facts.states {
            let mut created = None;
            state.body.lists(&mut |steps| {
                created = None;
                crate::facts::walk(steps, &mut |step| match step {
                    Step::Do(Action::Create(kind)) => created = self.token_of(kind),
                    Step::Go(Successor::State(to)) => {
                        edges.push((&state.name, to, created.clone()))
                    }
                    _ => {}
                });
            });
        }
        loop {
            let mut changed = false;
            for (from, to, created) in &edges {
                let tokens = match created {
                    Some(token) => BTreeSet::from([token.clone()]),
                    None => self.current.get(*from).cloned().unwrap_or_default(),
                };
                let at = self.current.entry((*to).to_owned()).or_default();
                let before = at.len();
                at.extend(tokens);
                changed |= at.len() != before;
            }
            if !changed {
                return;
            }
        }
    }

    pub(crate) fn state(&self, name: &str) -> Option<&'f State> {
        self.index.get(name).copied()
    }

    pub(crate) fn allowed(&self) -> &BTreeSet<char> {
        &self.allowed
    }

    pub(crate) fn has_allowed(&self) -> bool {
        !self.allowed.is_empty()
    }

    pub(crate) fn gets_allowed(&self, state: &str) -> bool {
        self.gets_allowed.contains(state)
    }

    pub(crate) fn switches_back(&self, state: &str) -> bool {
        self.switches_back.contains(state)
    }

    pub(crate) fn includes(&self, state: &str) -> bool {
        self.state(state).is_some_and(|state| state.includes)
    }

    /// Whether staying in a state differs from switching to it.
    pub(crate) fn has_entry_steps(&self, state: &str) -> bool {
        self.state(state).is_some_and(|s| !s.entry.is_empty())
    }

    /// Steps on entering a state of the procedure: they belong to the way there, since texts have no such
    /// states.
    pub(crate) fn inner_entry_steps(&self, name: &str) -> Option<&'f [Step]> {
        let state = self.state(name).filter(|state| state.inner)?;
        Some(&state.entry)
    }

    /// The character that the states see.
    pub(crate) fn preprocessed(&self, c: char) -> char {
        self.replace.get(&c).copied().unwrap_or(c)
    }

    /// The characters that the states see as others.
    pub(crate) fn replaced_characters(&self) -> CharSet {
        self.replace.keys().copied().collect()
    }

    pub(crate) fn replacement(&self, number: u32) -> Option<u32> {
        self.replacements.get(&number).copied()
    }

    pub(crate) fn tracks(&self, register: &str) -> bool {
        self.tracked.contains(register)
    }

    pub(crate) fn token_of(&self, kind: &str) -> Option<String> {
        self.vocabulary.token_of(kind).cloned()
    }

    pub(crate) fn is_optional(&self, target: &Place) -> bool {
        self.vocabulary.optional.contains(target)
    }

    /// Whether a token can be under construction in a state.
    pub(crate) fn may_be_current(&self, state: &str, token: &str) -> bool {
        self.current
            .get(state)
            .is_some_and(|tokens| tokens.contains(token))
    }

    /// The token under construction in a state, if only one can be.
    pub(crate) fn current_token(&self, state: &str) -> Option<String> {
        let tokens = self.current.get(state)?;
        let mut tokens = tokens.iter();
        tokens.next().filter(|_| tokens.next().is_none()).cloned()
    }
}
