//! Which facts still matter in a state: those that a guard may ask about before they are set anew.
//!
//! Two configurations that differ only in what does not matter go on alike, so that a search needs one.

use std::collections::BTreeSet;

use speclex_codegen::analyse::{bodies, states_in_registers};
use speclex_codegen::machine::{
    Action, Body, FieldId, FieldType, Guard, Machine, Next, RegisterId, StateId, Target, TokenId,
    Value,
};
use speclex_codegen::uses::{Effect, Place, Variable};

/// Something that guards and successors may depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Fact {
    /// What a register holds.
    Register(RegisterId),
    /// The name of a token under construction.
    Name(TokenId),
    /// The names of all its attributes.
    Attributes(TokenId),
    /// How the name of the attribute under construction compares with those before it.
    CurrentAttribute(TokenId),
    /// One of its flags.
    Flag(FieldId),
    /// The kind it has.
    Kind(TokenId),
    /// The name of the last start tag.
    LastStartTag,
    /// The outside's answers.
    Questions,
}

/// A set of them.
pub(super) type Facts = BTreeSet<Fact>;

/// What matters where.
#[derive(Debug)]
pub(super) struct Liveness<'m> {
    machine: &'m Machine,
    /// For each state, what matters on entering it.
    states: Vec<Facts>,
    /// All states that a state register may hold.
    by_register: BTreeSet<StateId>,
}

impl<'m> Liveness<'m> {
    /// What matters in a machine.
    pub(super) fn of(machine: &'m Machine) -> Self {
        let mut live = Self {
            machine,
            states: vec![Facts::new(); machine.states.len()],
            by_register: states_in_registers(machine)
                .into_values()
                .flatten()
                .collect(),
        };
        loop {
            let mut changed = false;
            // Backwards, since most successors come later.
            for (index, state) in machine.states.iter().enumerate().rev() {
                let before = bodies(state).into_iter().flat_map(|body| live.before(body));
                let facts: Facts = before.collect();
                changed |= facts != live.states[index];
                live.states[index] = facts;
            }
            if !changed {
                return live;
            }
        }
    }

    /// What matters on entering a state.
    pub(super) fn of_state(&self, state: StateId) -> Facts {
        let facts = self.states.get(state.0 as usize);
        facts.cloned().unwrap_or_default()
    }

    fn before(&self, body: &Body) -> Facts {
        let mut facts = self.after(body);
        for action in body.actions.iter().rev() {
            self.undo(action, &mut facts);
        }
        facts
    }

    /// What matters after a body's actions: for a step that waits to answer its guard.
    pub(super) fn after(&self, body: &Body) -> Facts {
        match &body.next {
            Next::Go { target, .. } => match target {
                Target::State(state) => self.of_state(*state),
                Target::Register(register) => {
                    let states = self.by_register.iter();
                    let mut facts: Facts = states.flat_map(|state| self.of_state(*state)).collect();
                    facts.insert(Fact::Register(*register));
                    facts
                }
                Target::End => Facts::new(),
            },
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                let mut facts = self.before(then);
                facts.extend(self.before(otherwise));
                asks(guard, &mut facts);
                facts
            }
        }
    }

    /// From what matters after an action to what matters before it.
    fn undo(&self, action: &Action, facts: &mut Facts) {
        if let Action::Emit(token) = action {
            return self.emit(*token, facts);
        }
        for (place, effect) in action.touches() {
            let is_anew = matches!(effect, Effect::Replaced | Effect::Set(_));
            let fact = match place {
                Place::Register(register) => Fact::Register(register),
                Place::Kind(token) => Fact::Kind(token),
                Place::Field(field) if self.is_name(field) => Fact::Name(field.token),
                Place::Field(field) => Fact::Flag(field),
                Place::CurrentAttribute(token) | Place::Attribute(token, _) => {
                    Fact::CurrentAttribute(token)
                }
                Place::Token(token) => {
                    facts.retain(|fact| !is_anew || token_of(*fact) != Some(token));
                    continue;
                }
                Place::Mark => continue,
            };
            if !facts.contains(&fact) {
                continue;
            }
            if is_anew && !matches!(fact, Fact::Name(_) | Fact::CurrentAttribute(_)) {
                facts.remove(&fact);
            }
            if let Action::StartAttribute(token) = action {
                facts.remove(&fact);
                facts.insert(Fact::Attributes(*token));
            }
            facts.extend(action.value().and_then(read));
        }
    }

    fn emit(&self, token: TokenId, facts: &mut Facts) {
        let Some(declared) = self.machine.vocabulary.tokens.get(token.0 as usize) else {
            return;
        };
        let names_start_tag = declared.kinds.iter().any(|kind| kind.is_start_tag);
        if names_start_tag && facts.contains(&Fact::LastStartTag) {
            facts.insert(Fact::Name(token));
            facts.insert(Fact::Kind(token));
        }
        for on_emit in self.machine.on_emit.iter().filter(|on| on.token == token) {
            if declared.kinds.len() > 1 {
                facts.insert(Fact::Kind(token));
            }
            for guard in on_emit.steps.iter().filter_map(|(guard, _)| guard.as_ref()) {
                asks(guard, facts);
            }
        }
    }

    fn is_name(&self, field: FieldId) -> bool {
        let token = self.machine.vocabulary.tokens.get(field.token.0 as usize);
        let declared = token.and_then(|token| token.fields.get(field.field as usize));
        declared.is_some_and(|field| field.name == "name" && field.ty != FieldType::Flag)
    }
}

fn token_of(fact: Fact) -> Option<TokenId> {
    match fact {
        Fact::Name(token)
        | Fact::Attributes(token)
        | Fact::CurrentAttribute(token)
        | Fact::Kind(token) => Some(token),
        Fact::Flag(field) => Some(field.token),
        Fact::Register(_) | Fact::LastStartTag | Fact::Questions => None,
    }
}

fn read(value: &Value) -> Option<Fact> {
    match value {
        Value::Register(register) | Value::Code(register) => Some(Fact::Register(*register)),
        Value::Field(field) => Some(Fact::Name(field.token)),
        Value::Current
        | Value::LowerCurrent
        | Value::Literal(_)
        | Value::MatchedReplacement
        | Value::MatchedName => None,
    }
}

fn asks(guard: &Guard, facts: &mut Facts) {
    for part in guard.parts() {
        facts.extend(part.reads().into_iter().filter_map(|variable| {
            Some(match (variable, part) {
                (Variable::Register(register), _) => Fact::Register(register),
                (Variable::LastStartTag, _) => Fact::LastStartTag,
                (Variable::Token(_), Guard::FlagIs(field)) => Fact::Flag(*field),
                (Variable::Token(token), Guard::DuplicateAttribute(_)) => {
                    Fact::CurrentAttribute(token)
                }
                (Variable::Token(token), Guard::HasAttributes(_)) => Fact::Attributes(token),
                (Variable::Token(token), Guard::KindIs(..)) => Fact::Kind(token),
                (Variable::Token(token), _) => Fact::Name(token),
                // The input's, which a configuration has anyway.
                (Variable::Matched | Variable::Mark, _) => return None,
            })
        }));
        facts.extend(matches!(part, Guard::Question(_)).then_some(Fact::Questions));
    }
}
