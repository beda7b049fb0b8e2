//! What a step changed: variables, and parts of tokens under construction.

use std::collections::HashMap;
use std::rc::Rc;

use speclex_codegen::charset::display_char;
use speclex_codegen::machine::{Machine, RegisterId, RegisterType};
use speclex_codegen::uses::Place;

use super::Watch;
use super::path_text::Said;
use crate::interpreter::{Interpreter, RegisterValue};
use crate::spelling::Spelling;
use crate::token::Value;

/// How much of a string is shown.
const SHOWN: usize = 48;

/// A value: as it is shown, and how long it is, since only the end of a long one is.
type Known = (String, usize);

/// The last value that each place was seen to hold.
#[derive(Debug)]
pub(super) struct Changes<'m> {
    machine: &'m Machine,
    last: HashMap<Place, Known>,
    names: HashMap<Place, Rc<str>>,
}

impl<'m> Changes<'m> {
    pub(super) fn new(machine: &'m Machine) -> Self {
        Self {
            machine,
            last: HashMap::new(),
            names: HashMap::new(),
        }
    }

    /// What has another value now than before.
    pub(super) fn after(
        &mut self,
        interpreter: &Interpreter<'m, Watch>,
        said: &Said,
    ) -> Vec<(Rc<str>, String)> {
        let mut changed = Vec::new();
        for &touched in &said.touched {
            let Some(now) = value(self.machine, interpreter, touched) else {
                // An attribute that was dropped.
                self.last.remove(&touched);
                continue;
            };
            if self.last.get(&touched) == Some(&now) {
                continue;
            }
            changed.push((self.name(touched), now.0.clone()));
            self.last.insert(touched, now);
        }
        changed
    }

    fn name(&mut self, touched: Place) -> Rc<str> {
        let machine = self.machine;
        let name = || Rc::from(Spelling::new(machine).place(touched));
        self.names.entry(touched).or_insert_with(name).clone()
    }
}

fn value(machine: &Machine, interpreter: &Interpreter<'_, Watch>, touched: Place) -> Option<Known> {
    let short = |text: String| (text, 0);
    Some(match touched {
        Place::Register(id) => match interpreter.register(id)? {
            RegisterValue::Text(text) => end_of(text),
            RegisterValue::Number(number) => short(format!("{number:#X}")),
            RegisterValue::Small(small) => short(small_value(machine, id, small)),
        },
        Place::Field(id) => match interpreter.field(id)? {
            Value::Text(text) => end_of(text),
            Value::Missing => short("missing".to_owned()),
            Value::Flag(set) => short(if *set { "set" } else { "unset" }.to_owned()),
            Value::Attributes(all) => short(format!("{} attributes", all.len())),
        },
        Place::Attribute(id, part) => end_of(interpreter.attribute(id, part)?),
        Place::Token(_) | Place::Kind(_) | Place::CurrentAttribute(_) | Place::Mark => return None,
    })
}

/// A state, a character or one of a few values, by its number.
fn small_value(machine: &Machine, id: RegisterId, small: u32) -> String {
    let index = small.checked_sub(1);
    let register = machine.registers.get(id.0 as usize);
    let name = match (register.map(|register| &register.ty), index) {
        (Some(RegisterType::State), Some(index)) => {
            let state = machine.states.get(index as usize);
            state.map(|state| format!("the {} state", state.name))
        }
        (Some(RegisterType::Character), Some(code)) => char::from_u32(code).map(display_char),
        (Some(RegisterType::Finite(values)), Some(index)) => values.get(index as usize).cloned(),
        _ => None,
    };
    name.unwrap_or_else(|| "none".to_owned())
}

/// The end of a string, quoted, and its length.
fn end_of(text: &str) -> Known {
    let from = text.char_indices().rev().nth(SHOWN - 1);
    let shown = match from {
        Some((at, _)) if at > 0 => format!("…{:?}", &text[at..]),
        _ => format!("{text:?}"),
    };
    (shown, text.len())
}
