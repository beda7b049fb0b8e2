//! Both tables under one numbering: what belongs together has one number, what one table has alone keeps one of its own.
//! The second table is translated into the numbers of the first, which then only has more of everything.

use std::collections::BTreeSet;

use speclex_codegen::analyse::live_unanswered;
use speclex_codegen::machine::{Machine, RegisterId, RegisterType, State, Token};
use speclex_codegen::uses::Variable;

use super::matching::Matching;
use crate::renumber::Numbers;

/// The two tables under one numbering; both have all states, but nothing of one leads to those of the other.
pub(super) fn union(one: &Machine, other: &Machine, matching: &Matching) -> [Machine; 2] {
    let mut both = one.clone();
    both.conditions.clear();
    let mut next = one.states.len() as u32;
    let states = matching.back.iter().map(|matched| {
        let own = next;
        next += u32::from(matched.is_none());
        matched.unwrap_or(own)
    });
    let mut numbers = Numbers {
        states: states.collect(),
        errors: numbered(&mut both.errors, &other.errors),
        contents: numbered(&mut both.vocabulary.contents, &other.vocabulary.contents),
        questions: numbered(&mut both.vocabulary.questions, &other.vocabulary.questions),
        ..Numbers::default()
    };
    for token in &other.vocabulary.tokens {
        let (number, kinds) = numbers_of_token(&mut both.vocabulary.tokens, token);
        numbers.tokens.push(number);
        numbers.kinds.push(kinds);
        numbers
            .fields
            .push((0..token.fields.len() as u32).collect());
    }
    add_registers(&mut numbers, &mut both, one, other, matching);
    let mut translated = Machine {
        vocabulary: both.vocabulary.clone(),
        errors: both.errors.clone(),
        registers: both.registers.clone(),
        states: both.states.clone(),
        conditions: Vec::new(),
        hot: Vec::new(),
        ..other.clone()
    };
    let (entries, on_emit) = (&mut translated.entries, &mut translated.on_emit);
    entries.iter_mut().for_each(|entry| numbers.entry(entry));
    on_emit.iter_mut().for_each(|on| numbers.on_emit(on));
    for (_, error) in &mut translated.preprocessing.errors {
        numbers.error(error);
    }
    for element in &mut translated.contents_after.elements {
        numbers.content(&mut element.content);
    }
    let mut ids: Vec<(u32, &State)> = numbers.states.iter().copied().zip(&other.states).collect();
    // New states come in the order of their numbers.
    ids.sort_by_key(|(id, _)| *id);
    for (id, state) in ids {
        let mut kind = state.kind.clone();
        numbers.kind_of_state(&mut kind);
        match translated.states.get_mut(id as usize) {
            Some(known) => known.kind = kind,
            None => {
                let taken = both.states.iter().any(|known| known.name == state.name);
                let name = match taken {
                    true => format!("{} of {}", state.name, other.name),
                    false => state.name.clone(),
                };
                let state = State {
                    name,
                    kind,
                    ..state.clone()
                };
                both.states.push(state.clone());
                translated.states.push(state);
            }
        }
    }
    [both, translated]
}

/// The numbers of the second table's names in a list, which gets those that it has not.
fn numbered(list: &mut Vec<String>, names: &[String]) -> Vec<u32> {
    let number = |name: &String| {
        let known = list.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            list.push(name.clone());
            list.len() - 1
        }) as u32
    };
    names.iter().map(number).collect()
}

/// The number of a token and of its kinds. Tokens of the same name with other fields are two.
fn numbers_of_token(tokens: &mut Vec<Token>, token: &Token) -> (u32, Vec<u32>) {
    let is_same = |known: &Token| {
        let clash = |kind: &&speclex_codegen::machine::Kind| {
            let mut kinds = token.kinds.iter();
            kinds.any(|own| own.name == kind.name && own != *kind)
        };
        known.name == token.name
            && known.fields == token.fields
            && !known.kinds.iter().any(|k| clash(&k))
    };
    let found = tokens.iter().position(is_same).unwrap_or_else(|| {
        tokens.push(Token {
            kinds: Vec::new(),
            ..token.clone()
        });
        tokens.len() - 1
    });
    let mut kinds = Vec::new();
    if let Some(known) = tokens.get_mut(found) {
        for kind in &token.kinds {
            let at = known.kinds.iter().position(|it| it == kind);
            kinds.push(at.unwrap_or_else(|| {
                known.kinds.push(kind.clone());
                known.kinds.len() - 1
            }) as u32);
        }
    }
    (found as u32, kinds)
}

/// Registers are matched by name if they begin alike, or nothing reads what they begin with; values by name or as the states were that they are called after.
fn add_registers(
    numbers: &mut Numbers,
    both: &mut Machine,
    one: &Machine,
    other: &Machine,
    matching: &Matching,
) {
    let renamed = |name: &String| {
        let state = other.states.iter().position(|state| state.name == *name);
        let matched = state.and_then(|state| matching.back.get(state).copied().flatten());
        let state = matched.and_then(|state| one.states.get(state as usize));
        state.map_or_else(|| name.clone(), |state| state.name.clone())
    };
    let starts = [one, other].map(|machine| {
        let live = live_unanswered(machine);
        let entries = machine.entries.iter();
        let live = entries.filter_map(|entry| live.get(entry.state.0 as usize));
        live.flatten().copied().collect::<BTreeSet<Variable>>()
    });
    let is_read = |side: usize, register: usize| {
        starts[side].contains(&Variable::Register(RegisterId(register as u32)))
    };
    for (index, register) in other.registers.iter().enumerate() {
        let same = |known: &RegisterType| match (known, &register.ty) {
            (RegisterType::Finite(_), RegisterType::Finite(_)) => true,
            (known, own) => known == own,
        };
        // Words that would become one keep their names.
        let words: &[String] = match &register.ty {
            RegisterType::Finite(values) => values,
            _ => &[],
        };
        let distinct: BTreeSet<String> = words.iter().map(&renamed).collect();
        let renamed = |name: &String| match distinct.len() == words.len() {
            true => renamed(name),
            false => name.clone(),
        };
        let begins = |ty: &RegisterType| match ty {
            RegisterType::Finite(values) => values.first().cloned(),
            _ => None,
        };
        let first = words.first().map(&renamed);
        let known = (one.registers.iter())
            .position(|known| known.name == register.name && same(&known.ty))
            .filter(|&known| {
                let begins_alike = begins(&one.registers[known].ty) == first;
                begins_alike || !is_read(0, known) && !is_read(1, index)
            });
        let at = known.unwrap_or_else(|| {
            let mut new = register.clone();
            if let RegisterType::Finite(values) = &mut new.ty {
                *values = values.iter().map(&renamed).collect();
            }
            both.registers.push(new);
            both.registers.len() - 1
        });
        let values = match (&mut both.registers[at].ty, &register.ty) {
            (RegisterType::Finite(known), RegisterType::Finite(values)) => {
                let values: Vec<String> = values.iter().map(&renamed).collect();
                numbered(known, &values)
            }
            _ => Vec::new(),
        };
        numbers.registers.push(at as u32);
        numbers.values.push(values);
    }
}
