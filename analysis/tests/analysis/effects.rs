//! What `uses` says of an action is what the interpreter does: no place changes of which it is not said, and what is said to
//! be replaced or set does not depend on what was there.

use std::collections::HashMap;

use speclex_analysis::testing::{effects, words};
use speclex_codegen::machine::{
    Action, AttributePart, ErrorId, FieldId, Machine, RegisterId, StateId, TokenId, Value,
};
use speclex_codegen::uses::{Effect, Place};
use speclex_codegen::{Source, load};

/// A token with a field of each type, a register of each type.
const TABLE: &str = "
table: effects
title: One of each

vocabulary:
  tokens:
    tag:
      kinds: [first tag, second tag]
      name: text
      id: optional text
      open flag: flag
      attributes: attributes

registers:
  buffer: text
  place: state
  count: number
  other count: number
  quote: character
  mode: [slow, fast]

numeric replacements: {0x01: U+0078}

error codes: [wrong]
error explanations: {wrong: Wrong.}
entry states: {data: data}

states:
  data:
    consume:
      EOF: emit EOF
      anything else: emit the current input character
  other:
    consume:
      EOF: emit EOF
      anything else: reconsume in data
";

const TAG: TokenId = TokenId(0);
const NAME: FieldId = field(0);
const ID: FieldId = field(1);
const OPEN: FieldId = field(2);
const BUFFER: RegisterId = RegisterId(0);
const PLACE: RegisterId = RegisterId(1);
const COUNT: RegisterId = RegisterId(2);
const QUOTE: RegisterId = RegisterId(4);
const MODE: RegisterId = RegisterId(5);

const fn field(field: u32) -> FieldId {
    FieldId { token: TAG, field }
}

/// The next of a list of actions with one of each. A new action has an arm here, and is in the list if another arm leads to it.
fn next(action: Option<&Action>) -> Option<Action> {
    use AttributePart::{Name, Value as Part};
    // Texts that do not depend on what the places hold.
    let text = || Value::Literal("t".to_owned());
    Some(match action {
        None => Action::Error(ErrorId(0)),
        Some(Action::Error(_)) => Action::EmitText(text()),
        Some(Action::EmitText(_)) => Action::Emit(TAG),
        Some(Action::Emit(_)) => Action::SetKind(TAG, 1),
        Some(Action::SetKind(..)) => Action::EmitEof,
        Some(Action::EmitEof) => Action::Create(TAG, 1),
        Some(Action::Create(..)) => Action::StartAttribute(TAG),
        Some(Action::StartAttribute(_)) => Action::DropAttribute(TAG),
        Some(Action::DropAttribute(_)) => Action::Append(NAME, text()),
        Some(Action::Append(..)) => Action::Set(ID, text()),
        Some(Action::Set(..)) => Action::AppendAttribute(TAG, Part, text()),
        Some(Action::AppendAttribute(..)) => Action::SetAttribute(TAG, Name, text()),
        Some(Action::SetAttribute(..)) => Action::SetFlag(OPEN, true),
        Some(Action::SetFlag(..)) => Action::AppendRegister(BUFFER, text()),
        Some(Action::AppendRegister(..)) => Action::SetText(BUFFER, text()),
        Some(Action::SetText(..)) => Action::SetState(PLACE, StateId(1)),
        Some(Action::SetState(..)) => Action::SetNumber(COUNT, 7),
        Some(Action::SetNumber(..)) => Action::Multiply(COUNT, 10),
        Some(Action::Multiply(..)) => Action::AddDigit(COUNT),
        Some(Action::AddDigit(_)) => Action::Increase(COUNT),
        Some(Action::Increase(_)) => Action::Decrease(COUNT),
        Some(Action::Decrease(_)) => Action::Replace(COUNT),
        Some(Action::Replace(_)) => Action::SetCharacter(QUOTE, Some('q')),
        Some(Action::SetCharacter(..)) => Action::SetFinite(MODE, 1),
        Some(Action::SetFinite(..)) => Action::Mark,
        Some(Action::Mark) => Action::Rewind,
        Some(Action::Rewind) => return None,
    })
}

/// Whether a change of one place may change the other.
fn covers(said: Place, place: Place) -> bool {
    match said {
        Place::Token(_) => said.variable() == place.variable(),
        Place::CurrentAttribute(id) => {
            place == said || matches!(place, Place::Attribute(of, _) if of == id)
        }
        Place::Register(_)
        | Place::Kind(_)
        | Place::Field(_)
        | Place::Attribute(..)
        | Place::Mark => place == said,
    }
}

fn machine() -> Machine {
    machine_of(TABLE.to_owned())
}

fn machine_of(text: String) -> Machine {
    let name = "effects.yaml".to_owned();
    let table = Source { name, text };
    match load(table, &|_| None, &|_| None) {
        Ok(loaded) => loaded.machine,
        Err(report) => panic!("{}", report.render(false)),
    }
}

fn done(machine: &Machine, seed: u32, action: &Action) -> [HashMap<Place, String>; 2] {
    match effects(machine, action, seed) {
        Ok(places) => places,
        Err(fault) => panic!("{action:?}: {fault}"),
    }
}

#[test]
fn actions_change_what_is_said() {
    let machine = machine();
    let mut action = next(None);
    while let Some(it) = action {
        let [[before, after], [_, other]] = [0, 1].map(|seed| done(&machine, seed, &it));
        let changed = |place: &Place| before[place] != after[place];
        let said: Vec<(Place, Effect)> = it.touches().collect();
        for place in after.keys() {
            let is_said = said.iter().any(|(said, _)| covers(*said, *place));
            assert!(is_said || !changed(place), "{it:?} changes {place:?}");
        }
        for (place, effect) in said {
            let covered = || after.keys().filter(|other| covers(place, **other));
            let comes_out = matches!(it, Action::Emit(_));
            assert!(
                comes_out || covered().any(changed),
                "{it:?} leaves {place:?} as it is"
            );
            match effect {
                Effect::Set(to) => assert_eq!(after[&place], to.index().to_string(), "{it:?}"),
                Effect::Replaced if place != Place::Mark => covered().for_each(|place| {
                    assert_eq!(after[place], other[place], "{it:?} leaves something of it");
                }),
                Effect::Replaced | Effect::Altered | Effect::ReadAndAltered => {}
            }
        }
        action = next(Some(&it));
    }
}

#[test]
fn values_are_read_from_what_is_said() {
    let machine = machine();
    let values = [
        Value::Current,
        Value::LowerCurrent,
        Value::Literal("t".to_owned()),
        Value::Register(BUFFER),
        Value::Code(COUNT),
        Value::Field(NAME),
    ];
    for value in values {
        let reads = value.reads();
        let action = Action::SetText(BUFFER, value);
        let [[_, after], [_, other]] = [0, 1].map(|seed| done(&machine, seed, &action));
        let depends = after[&Place::Register(BUFFER)] != other[&Place::Register(BUFFER)];
        assert_eq!(depends, reads.is_some(), "{action:?}");
    }
}

/// Reports say an action in the table's own phrase: a table that holds what is said has the action.
#[test]
fn words_are_phrases() {
    let machine = machine();
    let mut action = next(None);
    while let Some(it) = action {
        action = next(Some(&it));
        let said = match it {
            // `attempt to` makes the first two, which have no phrase. EOF may be emitted only in an `EOF` arm.
            Action::Mark | Action::Rewind | Action::EmitEof => continue,
            Action::Error(_) => format!("error {}", words(&machine, &it)),
            _ => words(&machine, &it),
        };
        let steps = format!(
            "create a first tag token, start a new attribute, {said}, emit the tag token, switch to data"
        );
        let arm = "      anything else: reconsume in data\n";
        let text = TABLE.replace(arm, &format!("      ASCII digit: [{steps}]\n{arm}"));
        let read = format!("{:?}", machine_of(text).states[1]);
        assert!(
            read.contains(&format!("{it:?}")),
            "`{said}` is read as {read}, not {it:?}"
        );
    }
}
