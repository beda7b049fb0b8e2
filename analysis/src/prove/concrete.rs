//! What a certificate says, looked at in two interpreters: tests of the rules run both and ask whether it is true.

use rustc_hash::FxHashMap as HashMap;

use speclex_codegen::machine::{
    AttributePart, FieldId, FieldType, Machine, RegisterId, RegisterType, TokenId,
};

use super::certificate::Certificate;
use super::places::Sort;
use super::relation::{Held, Relation};
use super::set::{self, END};
use super::side::Side;
use super::term::Term;
use super::ways::{Both, Pair};
use super::{outside, search};
use crate::error_comparison::ErrorComparison;
use crate::interpreter::{Host, Interpreter, RegisterValue};
use crate::token;

/// A certificate, with the machines that it is about.
#[derive(Debug)]
pub(crate) struct Claims<'m> {
    both: Both<'m>,
    certificate: Certificate,
}

/// What a place of an interpreter holds.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    Number(u32),
    Offset(u64),
    Attributes(Vec<(String, String)>),
    /// An interpreter keeps no such thing here.
    Unknown,
}

impl<'m> Claims<'m> {
    /// Those of two machines that are proven equal.
    pub(crate) fn of(machines: [&'m Machine; 2], compared: ErrorComparison) -> Option<Self> {
        if outside::difference(machines, compared).is_some() {
            return None;
        }
        let both = Both::of(machines, compared);
        let certificate = search::certificate(&both).ok()?;
        Some(Self { both, certificate })
    }

    /// Whether there is a pair of points of which all is true that is said; then for each side whether the mark is known to
    /// be where the machines are.
    ///
    /// # Errors
    /// What is not true.
    pub(crate) fn holding<H: Host>(
        &self,
        runs: &[Interpreter<'m, H>; 2],
    ) -> Result<[bool; 2], String> {
        let states = runs
            .each_ref()
            .map(|run| run.state().map_or(0, |state| state.0));
        let rows = [0, 1].map(|side| row(&self.both.sides[side], &runs[side]));
        let mut wrong = vec!["there is no such pair of states".to_owned()];
        for (pair, relation) in &self.certificate.0 {
            if pair.states == states {
                match self.is_true(pair, relation, &rows, runs) {
                    Ok(()) => {
                        return Ok([0, 1].map(|side| {
                            let places = &self.both.sides[side].places;
                            let first = side * self.both.sides[0].places.sorts.len();
                            let mark = relation.held.get(first + places.mark);
                            mark == Some(&Held::Constant(Term::Before(0)))
                        }));
                    }
                    Err(what) => wrong.push(what),
                }
            }
        }
        let names = [0, 1].map(|side| {
            let state = self.both.sides[side]
                .machine
                .states
                .get(states[side] as usize);
            state.map_or("", |state| state.name.as_str())
        });
        Err(format!("in {names:?}: {}", wrong.join("; ")))
    }

    fn is_true<H: Host>(
        &self,
        pair: &Pair,
        relation: &Relation,
        rows: &[Vec<Value>; 2],
        runs: &[Interpreter<'m, H>; 2],
    ) -> Result<(), String> {
        let sorts = self.both.sides.iter().flat_map(|side| &side.places.sorts);
        let here = runs[0].offset();
        let mut classes: HashMap<&Held, &Value> = HashMap::default();
        let mut texts = relation.texts.iter();
        for ((value, held), (sort, at)) in (rows.iter().flatten())
            .zip(&relation.held)
            .zip(sorts.zip(0usize..))
        {
            let possible = match sort.is_compared() {
                true => texts.next().and_then(Option::as_ref),
                false => None,
            };
            let is_true = match (held, value) {
                (_, Value::Unknown) => true,
                (Held::Constant(Term::Number(number)), value) => *value == Value::Number(*number),
                (Held::Constant(Term::Before(0)), value) => *value == Value::Offset(here),
                (Held::Constant(Term::Text(pieces)), Value::Text(text)) => match &pieces[..] {
                    [] => text.is_empty(),
                    [Term::Literal(literal)] => literal == text,
                    _ => false,
                },
                (Held::Constant(Term::Before(_)) | Held::Class(_), value) => {
                    *classes.entry(held).or_insert(value) == value
                }
                (Held::Constant(_), _) => false,
            };
            let fits = match (sort, value) {
                (Sort::Number(all), Value::Number(number)) => set::contains(all, *number),
                (_, Value::Text(text)) => possible.is_none_or(|possible| {
                    possible.words.contains(text)
                        || possible.other && !self.both.common.words.begin_with(text)
                }),
                _ => true,
            };
            if !is_true || !fits {
                return Err(format!(
                    "place {at} is {value:?}, not {held:?} or {possible:?}"
                ));
            }
        }
        let mut before: Vec<(i32, &Value)> = Vec::new();
        before.extend(classes.iter().filter_map(|(held, value)| match held {
            Held::Constant(Term::Before(at)) => Some((*at, *value)),
            _ => None,
        }));
        before.sort_by_key(|(at, _)| *at);
        let offsets = before.iter().map(|(_, value)| match value {
            Value::Offset(offset) => *offset,
            _ => u64::MAX,
        });
        if !offsets.chain([here]).is_sorted_by(|one, other| one < other) {
            return Err(format!("places are not in order: {before:?} before {here}"));
        }
        for (run, is_behind) in runs.iter().zip(relation.is_behind) {
            if is_behind && run.emitted() > here {
                return Err("the last token ends behind the position".to_owned());
            }
        }
        let coming = runs[0].unread().map(u32::from).chain([END]);
        let mut ahead = pair.ahead.iter().zip(coming);
        match ahead.all(|(set, c)| set::contains(set, c)) {
            true => Ok(()),
            false => Err("other characters come".to_owned()),
        }
    }
}

/// What all places of an interpreter hold.
fn row<H: Host>(side: &Side<'_>, run: &Interpreter<'_, H>) -> Vec<Value> {
    let places = &side.places;
    let mut row = vec![Value::Unknown; places.sorts.len()];
    let text = |text: Option<&str>| Value::Text(text.unwrap_or_default().to_owned());
    let flag = |is_set: bool| Value::Number(u32::from(is_set));
    for (id, register) in (0..).zip(&side.machine.registers) {
        row[id as usize] = match (run.register(RegisterId(id)), &register.ty) {
            (Some(RegisterValue::Text(it)), _) => text(Some(it)),
            (Some(RegisterValue::Number(number)), _)
            | (Some(RegisterValue::Small(number)), RegisterType::Character) => {
                Value::Number(number)
            }
            (Some(RegisterValue::Small(number)), _) => Value::Number(number - 1),
            (None, _) => Value::Unknown,
        };
    }
    for (id, (token, kinds)) in (0..).zip(places.tokens.iter().zip(&side.kinds)) {
        let id = TokenId(id);
        let kind = run.kind(id).and_then(|kind| kinds.get(kind as usize));
        row[token.kind] = kind.map_or(Value::Unknown, |kind| Value::Number(*kind));
        for (field, (at, ty)) in (0..).zip(&token.fields) {
            let at = *at;
            let value = run.field(FieldId { token: id, field });
            match (value, ty) {
                (Some(token::Value::Flag(is_set)), _) => row[at] = flag(*is_set),
                (Some(token::Value::Attributes(all)), _) => {
                    let name = run.attribute(id, AttributePart::Name);
                    let finished = &all[..all.len() - usize::from(name.is_some())];
                    row[at] = match finished {
                        [] => Value::Number(0),
                        _ => Value::Attributes(finished.to_vec()),
                    };
                    row[at + 1] = flag(name.is_some());
                    row[at + 2] = text(name);
                    row[at + 3] = text(run.attribute(id, AttributePart::Value));
                }
                (Some(value), _) => {
                    row[at] = text(value.text());
                    if *ty == FieldType::OptionalText {
                        row[at + 1] = flag(value.text().is_some());
                    }
                }
                (None, _) => {}
            }
        }
    }
    let last = run.last_start_tag();
    row[places.last_start_tag] = Value::Text(last.into_iter().flatten().collect());
    row[places.has_last_start_tag] = flag(last.is_some());
    row[places.matched] = match run.matched_name() {
        Some(name) => text(Some(name)),
        None => Value::Number(0),
    };
    // It forgets a mark that nothing goes back to.
    row[places.mark] = run.mark().map_or(Value::Unknown, Value::Offset);
    row[places.token_start] = Value::Offset(run.token_start());
    row[places.emitted] = Value::Offset(run.emitted());
    row
}
