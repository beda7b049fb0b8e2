//! Tokens and attributes are created before they are used, on every path.
//!
//! A forward analysis over the states together with the values of word and state registers, which
//! are always set to constants: "append to the attribute value if the return state is …" is sound
//! only because of them. A character that is put back is followed too: "after attribute name" takes
//! `=` for granted because "before attribute name" never sends it one. Numbers, texts and the rest of
//! the input may be anything. Where that makes too many combinations, registers and characters may be
//! anything from one state to the next, too: the analysis is then linear, and refuses more.

// A new action, guard or value must be named here.
#![deny(clippy::wildcard_enum_match_arm)]

mod report;

use super::successors::Held;
use crate::charset::CharSet;
use crate::check::model::Checked;
use crate::diagnostic::{Faults, Span};
use crate::lower::Lowered;
use crate::lower::facts::{Facts, Folded};
use crate::lower::traced::{Body, End, Kind};
use crate::machine::{Action, FieldType, Guard, RegisterId, RegisterType, StateId};
use crate::machine::{Target, TokenId, Value};
use crate::uses::{Place, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// The words and states that registers hold: few of the paths through a state change them.
type Registers = Rc<BTreeMap<RegisterId, u32>>;

/// A state, what the registers hold, and what comes next if that is known.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Config {
    state: StateId,
    registers: Registers,
    next: Option<Next>,
}

/// What comes next: one of these characters, or the end of the input.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Next {
    set: CharSet,
    eof: bool,
}

/// What exists: tokens by number, and whether an attribute has been started.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Exists {
    tokens: BTreeSet<TokenId>,
    attribute: bool,
    /// Tokens with which an error was reported: a table may throw away what it is about.
    faulty: BTreeSet<TokenId>,
}

/// How a token that is under construction on every path is lost.
#[derive(Clone, Copy, Debug)]
enum Lost {
    /// Another one is created and emitted at once.
    Emission,
    /// Another one is created.
    Creation,
    /// The input ends.
    End,
}

/// What can be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Need {
    Token(TokenId),
    Attribute(TokenId),
}

impl Exists {
    fn has(&self, need: Need) -> bool {
        match need {
            Need::Token(token) => self.tokens.contains(&token),
            Need::Attribute(token) => self.attribute && self.tokens.contains(&token),
        }
    }

    /// Keeps what both have; whether that changed anything.
    fn meet(&mut self, other: &Self) -> bool {
        let size = |exists: &Self| (exists.tokens.len(), exists.attribute, exists.faulty.len());
        let before = size(self);
        self.tokens.retain(|token| other.tokens.contains(token));
        self.attribute &= other.attribute;
        self.faulty.retain(|token| other.faulty.contains(token));
        before != size(self)
    }
}

/// How many combinations of states, registers and characters are followed at most; HTML's tables have up to 1,500.
const MOST_CONFIGS: usize = 10_000;

/// How many arms, actions and missing tokens are examined at most; HTML's tables need 40,000.
const MOST_WORK: usize = 200_000;

/// What is known from one state to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follows {
    /// The words and states in registers, and a character that was put back.
    Combinations,
    /// Nothing but the state.
    States,
}

pub(super) fn check(checked: &Checked, lowered: &Lowered, faults: &mut Faults) {
    let held = Held::new(lowered);
    for follows in [Follows::Combinations, Follows::States] {
        let mut analysis = Analysis {
            checked,
            lowered,
            held: &held,
            follows,
            exists: HashMap::new(),
            open: Vec::new(),
            came_from: HashMap::new(),
            missing: Vec::new(),
            lost: Vec::new(),
            emitted: BTreeSet::new(),
            entered: BTreeMap::new(),
            work: 0,
        };
        if analysis.find() {
            analysis.report(faults);
            return;
        }
    }
}

struct Analysis<'a> {
    checked: &'a Checked,
    lowered: &'a Lowered,
    held: &'a Held,
    follows: Follows,
    exists: HashMap<Rc<Config>, Exists>,
    open: Vec<Rc<Config>>,
    /// The state before, the first time that something was missing.
    came_from: HashMap<Rc<Config>, HashMap<Need, Rc<Config>>>,
    missing: Vec<(Need, Span, Rc<Config>)>,
    lost: Vec<(TokenId, Span, Lost)>,
    /// Those that are emitted anywhere.
    emitted: BTreeSet<TokenId>,
    /// From which state, by which of its bodies, a state is entered, and what exists then.
    entered: BTreeMap<StateId, BTreeSet<(StateId, usize, Exists)>>,
    work: usize,
}

impl Analysis<'_> {
    /// Finds what is missing where; `false` when that takes too much.
    fn find(&mut self) -> bool {
        for entry in &self.lowered.entries {
            let mut registers = self.initial();
            registers.extend(entry.sets.iter().copied());
            let config = self.config(entry.state, registers.into(), None);
            self.reach(config, &Exists::default(), None);
        }
        while let Some(config) = self.open.pop() {
            self.run(&config);
            if self.is_too_much() {
                return false;
            }
        }
        // Only now is it known what exists everywhere. What was done above is done once more at most.
        let configs: BTreeSet<Rc<Config>> = self.exists.keys().cloned().collect();
        self.missing.clear();
        self.lost.clear();
        self.entered.clear();
        self.work = 0;
        for config in &configs {
            self.run(config);
        }
        true
    }

    fn is_too_much(&self) -> bool {
        self.follows == Follows::Combinations
            && (self.exists.len() > MOST_CONFIGS || self.work > MOST_WORK)
    }

    /// What is known in a state.
    fn config(&self, state: StateId, registers: Registers, next: Option<Next>) -> Rc<Config> {
        Rc::new(match self.follows {
            Follows::Combinations => Config {
                state,
                registers,
                next,
            },
            Follows::States => Config {
                state,
                registers: Registers::default(),
                next: None,
            },
        })
    }

    /// What the registers hold in the initial state. They keep it if the caller then starts in another content.
    fn initial(&self) -> BTreeMap<RegisterId, u32> {
        let first = self.lowered.entries.first();
        let start = first.map_or(0, |e| e.state.0);
        let registers = self.lowered.registers.iter().zip(0..);
        let registers = registers.filter_map(|(register, id)| match register.ty {
            RegisterType::Finite(_) => Some((RegisterId(id), 0)),
            RegisterType::State => Some((RegisterId(id), start)),
            RegisterType::Text | RegisterType::Number | RegisterType::Character => None,
        });
        let sets = first.into_iter().flat_map(|entry| &entry.sets);
        registers.chain(sets.copied()).collect()
    }

    fn reach(&mut self, config: Rc<Config>, exists: &Exists, from: Option<&Rc<Config>>) {
        let changed = match self.exists.get_mut(&config) {
            Some(known) => known.meet(exists),
            None => {
                self.exists.insert(config.clone(), exists.clone());
                true
            }
        };
        if !changed {
            return;
        }
        if let Some(from) = from {
            let needs = self.needs();
            self.work += needs.len();
            let came_from = self.came_from.entry(config.clone()).or_default();
            for need in needs {
                if !exists.has(need) {
                    came_from.entry(need).or_insert_with(|| from.clone());
                }
            }
        }
        self.open.push(config);
    }

    fn needs(&self) -> Vec<Need> {
        let tokens = (0..).zip(&self.checked.vocabulary.tokens);
        tokens
            .flat_map(|(id, _)| [Need::Token(TokenId(id)), Need::Attribute(TokenId(id))])
            .collect()
    }

    fn run(&mut self, config: &Rc<Config>) {
        let Some(exists) = self.exists.get(config).cloned() else {
            return;
        };
        let lowered = self.lowered;
        let Some(state) = lowered.states.get(config.state.0 as usize) else {
            return;
        };
        let next = config.next.as_ref();
        let run = |by: usize, put_back: Option<Next>, moves: bool| Run {
            from: config,
            by,
            registers: config.registers.clone(),
            exists: exists.clone(),
            answers: false,
            put_back,
            moves,
        };
        match &state.kind {
            Kind::Consume {
                literals,
                arms,
                eof,
            } => {
                let among = |set: &CharSet| match next {
                    Some(next) if next.set.meets(set) => set.intersection(&next.set),
                    Some(_) => CharSet::new(),
                    None => set.clone(),
                };
                self.work += literals.len() + arms.len();
                let back = |set| Some(Next { set, eof: false });
                for (by, (head, body)) in (0..).zip(literals) {
                    let first = head.text.chars().next().unwrap_or_default();
                    let both = [first.to_ascii_lowercase(), first.to_ascii_uppercase()];
                    let set = among(&both.into_iter().collect());
                    if !set.is_empty() {
                        self.body(body, &body.actions, run(by, back(set), true));
                    }
                }
                for (by, (head, body)) in (literals.len()..).zip(arms) {
                    let set = among(&head.set);
                    if !set.is_empty() {
                        self.body(body, &body.actions, run(by, back(set), true));
                    }
                }
                if next.is_none_or(|next| next.eof) {
                    let end = Next {
                        set: CharSet::new(),
                        eof: true,
                    };
                    let by = literals.len() + arms.len();
                    self.body(eof, &eof.actions, run(by, Some(end), false));
                }
            }
            Kind::Steps(body) => self.body(body, &body.actions, run(0, config.next.clone(), false)),
            Kind::Match { matched, unmatched } => {
                self.body(matched, &matched.actions, run(0, None, true));
                let unmoved = run(1, config.next.clone(), false);
                self.body(unmatched, &unmatched.actions, unmoved);
            }
        }
    }

    /// The rest of a body's actions, and its end.
    fn body(&mut self, body: &Body, mut actions: &[(Action, Span)], mut run: Run<'_>) {
        self.work += 1;
        while let Some(((action, span), rest)) = actions.split_first() {
            actions = rest;
            self.work += 1;
            if self.is_too_much() {
                return;
            }
            if let Action::Create(token, _) = action
                && run.exists.has(Need::Token(*token))
            {
                let emission = (Action::Emit(*token), *span);
                match rest.first() == Some(&emission) {
                    true => self.lost.push((*token, *span, Lost::Emission)),
                    false => self.lose(&run, Some(*token), *span, Lost::Creation),
                }
            }
            self.action(action, *span, &mut run);
            if let Action::Emit(token) = action {
                self.emitted.insert(*token);
                for (register, value) in self.set_by_emission(*token) {
                    match value.filter(|_| self.follows != Follows::States) {
                        None => drop(Rc::make_mut(&mut run.registers).remove(&register)),
                        Some(value) if run.registers.get(&register) == Some(&value) => {}
                        Some(value) => {
                            let mut set = run.clone();
                            Rc::make_mut(&mut set.registers).insert(register, value);
                            self.body(body, rest, set);
                        }
                    }
                }
            }
        }
        match &body.end {
            End::Go {
                target,
                reconsume,
                span,
            } => {
                if *target == Target::End {
                    self.lose(&run, None, *span, Lost::End);
                }
                let rewinds = body.actions.iter().any(|(a, _)| *a == Action::Rewind);
                let stays = (*reconsume || !run.moves) && !rewinds;
                let next = run.put_back.clone().filter(|_| stays);
                self.go(*target, next, run);
            }
            End::If {
                guard,
                span,
                then,
                otherwise,
            } => {
                let facts = run.facts();
                self.guard(guard, *span, &facts, &mut run);
                let folded = facts.fold(guard.clone());
                if folded != Folded::Known(false) {
                    self.body(then, &then.actions, run.clone());
                }
                if folded != Folded::Known(true) {
                    self.body(otherwise, &otherwise.actions, run);
                }
            }
        }
    }

    /// A token, or any that is under construction, is lost without an error.
    fn lose(&mut self, run: &Run<'_>, token: Option<TokenId>, span: Span, how: Lost) {
        let exists = &run.exists;
        let lost = exists.tokens.difference(&exists.faulty);
        let lost = lost.filter(|&&lost| token.is_none_or(|token| token == lost));
        self.lost.extend(lost.map(|&token| (token, span, how)));
    }

    fn go(&mut self, target: Target, next: Option<Next>, run: Run<'_>) {
        let lowered = self.lowered;
        if run.answers {
            // The outside may answer an emitted token with a content.
            for entry in &lowered.entries {
                let mut registers = run.registers.clone();
                Rc::make_mut(&mut registers).extend(entry.sets.iter().copied());
                let config = self.config(entry.state, registers, next.clone());
                self.reach(config, &run.exists, Some(run.from));
            }
        }
        let states = match target {
            Target::State(state) => vec![state],
            Target::Register(register) => match run.registers.get(&register) {
                Some(&state) => vec![StateId(state)],
                None => self.held.targets(target).to_vec(),
            },
            Target::End => return,
        };
        for state in states {
            let entered = self.entered.entry(state).or_default();
            entered.insert((run.from.state, run.by, run.exists.clone()));
            let config = self.config(state, run.registers.clone(), next.clone());
            self.reach(config, &run.exists, Some(run.from));
        }
    }

    /// Only the first use on a path is reported: what follows has the same cause.
    fn need(&mut self, need: Need, span: Span, run: &mut Run<'_>) {
        if !run.exists.has(need) {
            self.missing.push((need, span, run.from.clone()));
            let (Need::Token(token) | Need::Attribute(token)) = need;
            run.exists.tokens.insert(token);
            run.exists.attribute |= need == Need::Attribute(token);
        }
    }

    fn action(&mut self, action: &Action, span: Span, run: &mut Run<'_>) {
        if let Action::Error(_) = action {
            let tokens = &run.exists.tokens;
            run.exists.faulty.extend(tokens);
        } else if let Action::Create(token, _) = action {
            run.exists.tokens.insert(*token);
            run.exists.faulty.remove(token);
            run.exists.attribute &= !self.has_attributes(*token);
        } else if let Action::StartAttribute(token) = action {
            self.need(Need::Token(*token), span, run);
            run.exists.attribute = true;
        } else {
            for (place, _) in action.touches() {
                match place {
                    Place::Token(token) | Place::Kind(token) => {
                        self.need(Need::Token(token), span, run);
                    }
                    Place::Field(field) => self.need(Need::Token(field.token), span, run),
                    Place::CurrentAttribute(token) | Place::Attribute(token, _) => {
                        self.need(Need::Attribute(token), span, run);
                    }
                    Place::Register(_) | Place::Mark => {}
                }
            }
        }
        if let Some(Variable::Token(token)) = action.value().and_then(Value::reads) {
            self.need(Need::Token(token), span, run);
        }
        if let Action::Emit(token) = action {
            let kinds = self.checked.vocabulary.tokens.get(token.0 as usize);
            run.answers |= kinds.is_some_and(|t| t.kinds.iter().any(|k| k.answers));
            run.exists.tokens.remove(token);
            run.exists.attribute &= !self.has_attributes(*token);
        }
        for (register, value) in action
            .registers()
            .filter(|(id, _)| self.follows_register(*id))
        {
            let registers = Rc::make_mut(&mut run.registers);
            match value {
                Some(value) => drop(registers.insert(register, value)),
                None => drop(registers.remove(&register)),
            }
        }
    }

    /// States and words are followed; numbers would be too many.
    fn follows_register(&self, id: RegisterId) -> bool {
        let register = self.lowered.registers.get(id.0 as usize);
        register.is_some_and(|register| match register.ty {
            RegisterType::State | RegisterType::Finite(_) => true,
            RegisterType::Text | RegisterType::Number | RegisterType::Character => false,
        })
    }

    /// The words that steps on emission may set. Which kind the token is, and so whether they run, is
    /// not followed.
    fn set_by_emission(&self, token: TokenId) -> Vec<(RegisterId, Option<u32>)> {
        let on_emit = self.lowered.on_emit.iter().filter(|o| o.token == token);
        let actions = on_emit.flat_map(|o| o.steps.iter().flat_map(|(_, actions)| actions));
        let registers = actions.flat_map(Action::registers);
        let followed = registers.filter(|(id, _)| self.follows_register(*id));
        followed.collect()
    }

    fn has_attributes(&self, token: TokenId) -> bool {
        let token = self.checked.vocabulary.tokens.get(token.0 as usize);
        token.is_some_and(|t| t.fields.iter().any(|f| f.ty == FieldType::Attributes))
    }

    fn guard(&mut self, guard: &Guard, span: Span, facts: &Facts, run: &mut Run<'_>) {
        match guard {
            Guard::AppropriateEndTag(token)
            | Guard::HasAttributes(token)
            | Guard::KindIs(token, _) => self.need(Need::Token(*token), span, run),
            Guard::FlagIs(field) => self.need(Need::Token(field.token), span, run),
            Guard::DuplicateAttribute(token) => self.need(Need::Attribute(*token), span, run),
            Guard::Not(inner) => self.guard(inner, span, facts, run),
            Guard::All(parts) | Guard::Any(parts) => {
                // A part whose answer decides makes the rest irrelevant.
                let decides = Folded::Known(matches!(guard, Guard::Any(_)));
                for part in parts {
                    self.guard(part, span, facts, run);
                    if facts.fold(part.clone()) == decides {
                        break;
                    }
                }
            }
            Guard::TextIs { .. }
            | Guard::FiniteIs(..)
            | Guard::StateIs(..)
            | Guard::NumberIn(..)
            | Guard::HasReplacement(_)
            | Guard::CurrentIn(_)
            | Guard::CurrentIsCharacter(_)
            | Guard::LastMatchedIn(_)
            | Guard::NextIn { .. }
            | Guard::NextAre { .. }
            | Guard::NextIsLastStartTag { .. }
            | Guard::StartTagEmitted
            | Guard::LastConsumed(_)
            | Guard::Question(_) => {}
        }
    }
}

/// One path through a body.
#[derive(Clone)]
struct Run<'c> {
    from: &'c Rc<Config>,
    /// The number of the body among those of the state.
    by: usize,
    registers: Registers,
    exists: Exists,
    /// Whether a token was emitted to which the outside may answer.
    answers: bool,
    /// What comes next if the position stays, or what was consumed is put back.
    put_back: Option<Next>,
    /// Whether something was consumed.
    moves: bool,
}

impl Run<'_> {
    fn facts(&self) -> Facts {
        let mut facts = Facts::default();
        for (&register, &value) in self.registers.iter() {
            facts.know(register, value);
        }
        facts
    }
}
