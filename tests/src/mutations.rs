//! All single-arm mutations of a machine: what a slip of the pen in a table would make of it. Changes that
//! visibly make no difference (the lowercase of a digit for the digit) are left out; others that make none
//! are counted with the rest.

use std::collections::BTreeSet;

use speclex_codegen::analyse::bodies;
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::*;

/// Calls `visit` with every mutation, what it is and the changed machine: successors, actions, sets,
/// literals, errors, guards, section numbers, rows of the table of numbers.
pub fn each(machine: &Machine, visit: &mut dyn FnMut(&str, &Machine)) {
    for state in 0..machine.states.len() {
        of_state(machine, state, visit);
    }
    of_numbers(machine, visit);
}

/// The same for one state.
pub fn of_state(machine: &Machine, state: usize, visit: &mut dyn FnMut(&str, &Machine)) {
    let base = without_references(machine);
    let mut changes = Changes {
        changed: base.clone(),
        base: &base,
        visit,
    };
    changes.state(state);
}

/// The same for the table of numbers.
pub fn of_numbers(machine: &Machine, visit: &mut dyn FnMut(&str, &Machine)) {
    let mut changed = without_references(machine);
    for index in 0..machine.replacements.len() {
        changed.replacements[index].1 += 1;
        visit(&format!("row {index}"), &changed);
        changed.replacements.remove(index);
        visit(&format!("no row {index}"), &changed);
        changed.replacements.clone_from(&machine.replacements);
    }
}

/// The same for the table of references: a name that stands for something else, and one that is not there.
pub fn of_references(machine: &Machine, visit: &mut dyn FnMut(&str, &Machine)) {
    let mut changed = machine.clone();
    for (index, row) in machine.references.iter().enumerate() {
        let name = &row.0;
        changed.references[index].1.push('x');
        visit(&format!("&{name} stands for more"), &changed);
        changed.references.remove(index);
        visit(&format!("no &{name}"), &changed);
        changed.references.insert(index, row.clone());
    }
}

/// The same for what elements hold: one that holds what others do, one for another name, and one with or without scripting.
pub fn of_elements(machine: &Machine, visit: &mut dyn FnMut(&str, &Machine)) {
    let mut changed = machine.clone();
    for (index, element) in machine.contents_after.elements.iter().enumerate() {
        let name = &element.name;
        let mut plant = |what: &str, change: &dyn Fn(&mut Vec<Element>)| {
            change(&mut changed.contents_after.elements);
            visit(&format!("<{name}>: {what}"), &changed);
            changed.contents_after.clone_from(&machine.contents_after);
        };
        plant("holds markup", &|all| drop(all.remove(index)));
        plant("other name", &|all| all[index].name.push('x'));
        plant("if scripting", &|all| all[index].if_scripting ^= true);
    }
}

/// Names of references are compared with the reference table itself, not with the text.
fn without_references(machine: &Machine) -> Machine {
    Machine {
        references: Vec::new(),
        ..machine.clone()
    }
}

/// Whether only what is done on replaced characters changes: no table says that, since lowering makes their arms of those of
/// the characters in their place.
pub fn changes_replaced_only(base: &Machine, one: &StateKind, other: &StateKind) -> bool {
    let replaced = base.preprocessing.replace.iter().map(|(from, _)| *from);
    let replaced: CharSet = replaced.collect();
    let rest = |kind: &StateKind| {
        let mut kind = kind.clone();
        if let StateKind::Consume(consume) = &mut kind {
            for arm in &mut consume.arms {
                arm.set = arm.set.difference(&replaced);
            }
            consume.arms.retain(|arm| !arm.set.is_empty());
        }
        kind
    };
    rest(one) == rest(other)
}

/// Whether a changed state leads into the middle of a procedure, which no table can say.
pub fn leads_into_procedure(base: &Machine, mutant: &Machine, state: usize) -> bool {
    let ours = targets(base, state);
    let state_of = |id: &StateId| &base.states[id.0 as usize];
    let is_procedure = |origin: &str| base.states.iter().all(|state| state.name != origin);
    targets(mutant, state).difference(&ours).any(|id| {
        let origin = &state_of(id).origin;
        is_procedure(origin) && *origin != base.states[state].origin
    })
}

/// Where a state leads.
fn targets(machine: &Machine, state: usize) -> BTreeSet<StateId> {
    fn collect(body: &Body, into: &mut BTreeSet<StateId>) {
        match &body.next {
            Next::Go {
                target: Target::State(id),
                ..
            } => {
                into.insert(*id);
            }
            Next::Go { .. } => {}
            Next::If {
                then, otherwise, ..
            } => {
                collect(then, into);
                collect(otherwise, into);
            }
        }
    }
    let mut found = BTreeSet::new();
    for body in bodies(&machine.states[state]) {
        collect(body, &mut found);
    }
    found
}

struct Changes<'m, 'v> {
    base: &'m Machine,
    /// The same, but while a change of it is visited.
    changed: Machine,
    visit: &'v mut dyn FnMut(&str, &Machine),
}

/// The way to a body: the state, which of its bodies, and the turns taken at questions.
#[derive(Clone, Debug)]
struct Place {
    state: usize,
    body: usize,
    turns: Vec<bool>,
}

impl Changes<'_, '_> {
    fn emit(&mut self, state: usize, what: String, change: impl FnOnce(&mut Machine)) {
        change(&mut self.changed);
        (self.visit)(&what, &self.changed);
        self.changed.states[state].clone_from(&self.base.states[state]);
    }

    fn state(&mut self, state: usize) {
        let name = self.base.states[state].name.clone();
        let labels = labels(&self.base.states[state].kind);
        for (body, label) in labels.iter().enumerate() {
            let place = Place {
                state,
                body,
                turns: Vec::new(),
            };
            self.body(&place, &format!("{name}, {label}"));
        }
        self.emit(state, format!("{name}: section"), |m| {
            m.states[state].section.push('9');
        });
        let StateKind::Consume(consume) = &self.base.states[state].kind else {
            return;
        };
        let last = consume.arms.len() - 1;
        for (index, arm) in consume.arms.iter().enumerate().take(last) {
            let what = format!("{name}, {}: set", arm.label);
            for out in ends(&arm.set) {
                if concrete(&arm.body, out) == concrete(&consume.arms[last].body, out) {
                    continue;
                }
                self.emit(state, format!("{what} without {out:?}"), |m| {
                    moved(m, state, index, last, out);
                });
            }
            // A character for which the two arms do the same makes no difference.
            let others = consume.arms[last].set.iter();
            let differs =
                |c: &char| concrete(&arm.body, *c) != concrete(&consume.arms[last].body, *c);
            let other = others.filter(char::is_ascii_graphic).find(differs);
            if let Some(other) = other {
                self.emit(state, format!("{what} with {other:?}"), |m| {
                    moved(m, state, last, index, other);
                });
            }
        }
        for index in 0..consume.literals.len() {
            let what = format!("{name}, {:?}", consume.literals[index].text);
            self.emit(state, format!("{what}: dropped"), |m| {
                with_consume(m, state, |c| {
                    c.literals.remove(index);
                });
            });
            self.emit(state, format!("{what}: other text"), |m| {
                with_consume(m, state, |c| c.literals[index].text.push('x'));
            });
            if consume.literals[index]
                .text
                .bytes()
                .any(|b| b.is_ascii_alphabetic())
            {
                self.emit(state, format!("{what}: other case"), |m| {
                    with_consume(m, state, |c| c.literals[index].ignore_case ^= true);
                });
            }
        }
    }

    fn body(&mut self, place: &Place, what: &str) {
        let Some(body) = find(&mut self.changed, place) else {
            return;
        };
        let body = body.clone();
        let (lowers, consumes) = self.about(place);
        for (index, action) in body.actions.iter().enumerate() {
            self.at(place, format!("{what}: without {action:?}"), |body, _| {
                body.actions.remove(index);
            });
            let mut others = mutated_actions(action, self.base, lowers);
            others.extend(with_other_copy(action, self.base));
            for other in others {
                // To set what is empty is to append to it.
                if sets_text(&other) && appends_to_empty(&body.actions[..index], action) {
                    continue;
                }
                self.at(
                    place,
                    format!("{what}: {other:?} for {action:?}"),
                    |body, _| {
                        body.actions[index] = other.clone();
                    },
                );
            }
            if index > 0 && body.actions[index - 1] != *action {
                self.at(place, format!("{what}: {action:?} earlier"), |body, _| {
                    body.actions.swap(index - 1, index);
                });
            }
        }
        match &body.next {
            Next::Go { target, reconsume } => {
                self.at(place, format!("{what}: an error more"), |body, _| {
                    body.actions.insert(0, Action::Error(ErrorId(0)));
                });
                let states = u32::try_from(self.base.states.len()).unwrap_or(u32::MAX);
                let elsewhere = match target {
                    Target::State(StateId(id)) => [(id + 1) % states, (id + states - 1) % states],
                    _ => [0, states - 1],
                };
                for id in elsewhere {
                    self.at(
                        place,
                        format!("{what}: to state {id}"),
                        |body, reconsume| {
                            body.next = Next::Go {
                                target: Target::State(StateId(id)),
                                reconsume,
                            };
                        },
                    );
                }
                let (target, reconsume) = (*target, *reconsume);
                // What consumes nothing has nothing to reconsume.
                if target != Target::End && consumes {
                    self.at(place, format!("{what}: reconsume"), |body, _| {
                        body.next = Next::Go {
                            target,
                            reconsume: !reconsume,
                        };
                    });
                }
            }
            Next::If { guard, .. } => {
                let negated = Guard::Not(Box::new(guard.clone()));
                self.at(place, format!("{what}: not {guard:?}"), |body, _| {
                    if let Next::If { guard, .. } = &mut body.next {
                        *guard = negated.clone();
                    }
                });
                for other in mutated_comparisons(guard) {
                    self.at(
                        place,
                        format!("{what}: {other:?} for {guard:?}"),
                        |body, _| {
                            if let Next::If { guard, .. } = &mut body.next {
                                guard.clone_from(&other);
                            }
                        },
                    );
                }
                for turn in [true, false] {
                    let mut inner = place.clone();
                    inner.turns.push(turn);
                    self.body(&inner, &format!("{what}, {turn}"));
                }
            }
        }
    }

    /// Whether an arm takes capital letters, and whether it consumes anything.
    fn about(&self, place: &Place) -> (bool, bool) {
        let StateKind::Consume(consume) = &self.base.states[place.state].kind else {
            return (true, false);
        };
        match place.body.checked_sub(consume.literals.len()) {
            None => (true, true),
            Some(index) => match consume.arms.get(index) {
                Some(arm) => (arm.set.iter().any(|c| c.is_ascii_uppercase()), !arm.peeked),
                None => (true, true),
            },
        }
    }

    fn at(&mut self, place: &Place, what: String, change: impl Fn(&mut Body, bool)) {
        self.emit(place.state, what, |machine| {
            if let Some(body) = find(machine, place) {
                let reconsume = matches!(
                    body.next,
                    Next::Go {
                        reconsume: true,
                        ..
                    }
                );
                change(body, reconsume);
            }
        });
    }
}

/// The arms of a state, in the order of [`find`].
fn labels(kind: &StateKind) -> Vec<String> {
    match kind {
        StateKind::Consume(consume) => {
            let literals = consume.literals.iter().map(|l| format!("{:?}", l.text));
            let arms = consume.arms.iter().map(|arm| arm.label.clone());
            literals.chain(arms).chain(["EOF".to_owned()]).collect()
        }
        StateKind::Steps(_) => vec!["steps".to_owned()],
        StateKind::Match { .. } => vec!["match".to_owned(), "no match".to_owned()],
    }
}

fn find<'m>(machine: &'m mut Machine, place: &Place) -> Option<&'m mut Body> {
    let kind = &mut machine.states.get_mut(place.state)?.kind;
    let mut body = match kind {
        StateKind::Consume(consume) => {
            let literals = consume.literals.iter_mut().map(|l| &mut l.body);
            // An arm that takes nothing does nothing.
            let arms = consume.arms.iter_mut().map(|arm| &mut arm.body);
            let mut all = literals.chain(arms).chain([&mut consume.eof]);
            all.nth(place.body)?
        }
        StateKind::Steps(body) => body,
        StateKind::Match { matched, unmatched } => {
            [matched, unmatched].into_iter().nth(place.body)?
        }
    };
    for turn in &place.turns {
        let Next::If {
            then, otherwise, ..
        } = &mut body.next
        else {
            return None;
        };
        body = if *turn { then } else { otherwise };
    }
    Some(body)
}

fn with_consume(machine: &mut Machine, state: usize, change: impl FnOnce(&mut Consume)) {
    if let StateKind::Consume(consume) = &mut machine.states[state].kind {
        change(consume);
    }
}

/// Moves a character from one arm to another.
fn moved(machine: &mut Machine, state: usize, from: usize, to: usize, c: char) {
    let one = CharSet::single(c);
    with_consume(machine, state, |consume| {
        consume.arms[from].set = consume.arms[from].set.difference(&one);
        consume.arms[to].set = consume.arms[to].set.union(&one);
    });
}

/// A body for one character: what it does with the current input character is what it does with that.
fn concrete(body: &Body, c: char) -> Body {
    let value = |value: &mut Value| match value {
        Value::Current => *value = Value::Literal(c.to_string()),
        Value::LowerCurrent => *value = Value::Literal(c.to_ascii_lowercase().to_string()),
        _ => {}
    };
    let mut body = body.clone();
    body.actions
        .iter_mut()
        .filter_map(Action::value_mut)
        .for_each(value);
    if let Next::If {
        then, otherwise, ..
    } = &mut body.next
    {
        **then = concrete(then, c);
        **otherwise = concrete(otherwise, c);
    }
    body
}

/// The first and the last character.
fn ends(set: &CharSet) -> Vec<char> {
    let last = set
        .ranges()
        .last()
        .and_then(|&(_, last)| char::from_u32(last));
    let mut ends: Vec<char> = set.first().into_iter().chain(last).collect();
    ends.dedup();
    ends
}

/// Whether an action sets a text.
fn sets_text(action: &Action) -> bool {
    matches!(action, Action::Set(..) | Action::SetText(..))
}

/// Whether what an action appends to is known to be empty.
fn appends_to_empty(before: &[Action], action: &Action) -> bool {
    for earlier in before.iter().rev() {
        match (earlier, action) {
            (Action::Append(a, _) | Action::Set(a, _), Action::Append(b, _)) if a == b => {
                return false;
            }
            (Action::Create(token, _), Action::Append(field, _)) => return *token == field.token,
            (Action::SetText(a, value), Action::AppendRegister(b, _)) if a == b => {
                return *value == Value::Literal(String::new());
            }
            (Action::AppendRegister(a, _), Action::AppendRegister(b, _)) if a == b => return false,
            _ => {}
        }
    }
    false
}

/// Actions that a slip of the pen could make of one.
#[deny(
    clippy::wildcard_enum_match_arm,
    reason = "a new action must be mutated, too"
)]
fn mutated_actions(action: &Action, machine: &Machine, lowers: bool) -> Vec<Action> {
    let other_value = |value: &Value| match value {
        Value::Current if lowers => Value::LowerCurrent,
        Value::LowerCurrent => Value::Current,
        Value::Literal(text) => Value::Literal(format!("{text}x")),
        Value::Current
        | Value::Register(_)
        | Value::Code(_)
        | Value::MatchedReplacement
        | Value::MatchedName
        | Value::Field(_) => Value::Literal("x".to_owned()),
    };
    let other_field = |id: &FieldId| {
        let fields = &machine.vocabulary.tokens[id.token.0 as usize].fields;
        let same = |index: &usize| {
            *index != id.field as usize && fields[*index].ty == fields[id.field as usize].ty
        };
        (0..fields.len()).find(same).map(|index| FieldId {
            token: id.token,
            field: u32::try_from(index).unwrap_or_default(),
        })
    };
    match action {
        Action::Error(ErrorId(id)) => {
            let errors = u32::try_from(machine.errors.len()).unwrap_or(u32::MAX);
            let other = (id + 1) % errors;
            (other != *id)
                .then_some(Action::Error(ErrorId(other)))
                .into_iter()
                .collect()
        }
        Action::EmitText(value) => vec![Action::EmitText(other_value(value))],
        Action::Emit(TokenId(id)) => {
            let tokens = u32::try_from(machine.vocabulary.tokens.len()).unwrap_or(u32::MAX);
            vec![Action::Emit(TokenId((id + 1) % tokens))]
        }
        Action::SetKind(token, kind) | Action::Create(token, kind) => {
            let kinds = machine.vocabulary.tokens[token.0 as usize].kinds.len();
            let kinds = u32::try_from(kinds).unwrap_or(1);
            let other = (kind + 1) % kinds;
            let make = |kind| match matches!(action, Action::Create(..)) {
                true => Action::Create(*token, kind),
                false => Action::SetKind(*token, kind),
            };
            (other != *kind).then(|| make(other)).into_iter().collect()
        }
        Action::Append(field, value) => {
            let mut all = vec![
                Action::Append(*field, other_value(value)),
                Action::Set(*field, value.clone()),
            ];
            all.extend(other_field(field).map(|f| Action::Append(f, value.clone())));
            all
        }
        Action::Set(field, value) => {
            let mut all = vec![Action::Set(*field, other_value(value))];
            all.extend(other_field(field).map(|f| Action::Set(f, value.clone())));
            all
        }
        Action::AppendAttribute(token, part, value) => vec![
            Action::AppendAttribute(*token, *part, other_value(value)),
            Action::AppendAttribute(*token, other_part(*part), value.clone()),
        ],
        Action::SetAttribute(token, part, value) => vec![
            Action::SetAttribute(*token, *part, other_value(value)),
            Action::SetAttribute(*token, other_part(*part), value.clone()),
        ],
        Action::SetFlag(field, on) => vec![Action::SetFlag(*field, !on)],
        Action::AppendRegister(register, value) => vec![
            Action::AppendRegister(*register, other_value(value)),
            Action::SetText(*register, value.clone()),
        ],
        Action::SetText(register, value) => vec![Action::SetText(*register, other_value(value))],
        Action::SetState(register, StateId(id)) => {
            let states = u32::try_from(machine.states.len()).unwrap_or(u32::MAX);
            vec![Action::SetState(*register, StateId((id + 1) % states))]
        }
        Action::SetNumber(register, number) => vec![Action::SetNumber(*register, number + 1)],
        Action::Multiply(register, by) => vec![Action::Multiply(*register, by + 1)],
        Action::Increase(register) => vec![Action::Decrease(*register)],
        Action::Decrease(register) => vec![Action::Increase(*register)],
        Action::SetCharacter(register, None) => vec![Action::SetCharacter(*register, Some('x'))],
        Action::SetCharacter(register, Some(_)) => vec![Action::SetCharacter(*register, None)],
        Action::SetFinite(register, word) => {
            vec![Action::SetFinite(*register, u32::from(*word == 0))]
        }
        Action::EmitEof
        | Action::StartAttribute(_)
        | Action::DropAttribute(_)
        | Action::AddDigit(_)
        | Action::Replace(_)
        | Action::Mark
        | Action::Rewind => Vec::new(),
    }
}

/// Questions that compare a text with another word, or with or without regard to case.
fn mutated_comparisons(guard: &Guard) -> Vec<Guard> {
    let one_of = |guards: &[Guard], all: &dyn Fn(Vec<Guard>) -> Guard| {
        let mutated = guards.iter().enumerate().flat_map(|(index, guard)| {
            let others = mutated_comparisons(guard).into_iter();
            others.map(move |other| (index, other))
        });
        let whole = mutated.map(|(index, other)| {
            let mut guards = guards.to_vec();
            guards[index] = other;
            all(guards)
        });
        whole.collect()
    };
    match guard {
        Guard::Not(guard) => {
            let others = mutated_comparisons(guard).into_iter();
            others.map(|other| Guard::Not(Box::new(other))).collect()
        }
        Guard::All(guards) => one_of(guards, &Guard::All),
        Guard::Any(guards) => one_of(guards, &Guard::Any),
        Guard::TextIs {
            register,
            any_of,
            ignore_case,
        } => {
            let with = |any_of: Vec<String>, ignore_case: bool| Guard::TextIs {
                register: *register,
                any_of,
                ignore_case,
            };
            let words = any_of.iter().enumerate().map(|(index, word)| {
                let mut other = any_of.clone();
                other[index] = format!("{word}x");
                with(other, *ignore_case)
            });
            words.chain([with(any_of.clone(), !ignore_case)]).collect()
        }
        _ => Vec::new(),
    }
}

/// The same action with another text copied.
fn with_other_copy(action: &Action, machine: &Machine) -> Option<Action> {
    let mut other = action.clone();
    let value = other.value_mut()?;
    *value = other_copy(value, machine)?;
    Some(other)
}

/// Another text that could be copied in the place of one.
fn other_copy(value: &Value, machine: &Machine) -> Option<Value> {
    match value {
        Value::Register(id) => {
            let texts = (0..).zip(&machine.registers);
            let mut texts = texts.filter(|(_, register)| register.ty == RegisterType::Text);
            let other = texts.find(|(index, _)| *index != id.0);
            other.map(|(index, _)| Value::Register(RegisterId(index)))
        }
        Value::Field(id) => {
            let fields = &machine.vocabulary.tokens[id.token.0 as usize].fields;
            let ty = fields[id.field as usize].ty;
            let mut same = (0..).zip(fields).filter(|(_, field)| field.ty == ty);
            let other = same.find(|(index, _)| *index != id.field);
            other.map(|(field, _)| Value::Field(FieldId { field, ..*id }))
        }
        _ => None,
    }
}

fn other_part(part: AttributePart) -> AttributePart {
    match part {
        AttributePart::Name => AttributePart::Value,
        AttributePart::Value => AttributePart::Name,
    }
}
