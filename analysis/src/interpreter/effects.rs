//! What an action does to each place, for tests that compare it with what `uses` says.

use std::collections::HashMap;

use speclex_codegen::machine::{
    Action, AttributePart, Body, FieldId, FieldType, Machine, Next, RegisterId, RegisterType,
    StateId, Target, TokenId,
};
use speclex_codegen::uses::Place;

use super::registers::Register;
use super::{Fault, Interpreter, Step};
use crate::token::Value;

const PARTS: [AttributePart; 2] = [AttributePart::Name, AttributePart::Value];

/// What is in each place before and after an action, which runs where all places have something in them that another seed
/// (at most 9) differs in.
///
/// # Errors
/// What keeps the action from being done.
pub fn effects(
    machine: &Machine,
    action: &Action,
    seed: u32,
) -> Result<[HashMap<Place, String>; 2], Fault> {
    let mut interpreter = Interpreter::new(machine);
    let before = interpreter.fill(seed).and_then(|()| interpreter.places())?;
    let body = Body {
        actions: Vec::new(),
        next: Next::Go {
            target: Target::State(StateId(0)),
            reconsume: false,
        },
    };
    let mut interpreter = Interpreter::new(machine);
    interpreter.fill(seed)?;
    let mut step = Step::new(4, Some('7'), 4, &body);
    interpreter.act(action, &mut step)?;
    Ok([before, interpreter.places()?])
}

impl Interpreter<'_> {
    fn fill(&mut self, seed: u32) -> Result<(), Fault> {
        self.push("some input that is long enough");
        self.place = 5 + seed as usize;
        self.mark = Some(2 + seed as usize);
        let text = format!("s{seed}");
        for (id, register) in (0..).map(RegisterId).zip(&self.machine.registers) {
            let value = match register.ty {
                RegisterType::Text => Register::Text(text.clone()),
                RegisterType::State => Register::State(Some(StateId(0))),
                RegisterType::Number => Register::Number(1 + seed),
                RegisterType::Character => Register::Character(char::from_digit(seed, 10)),
                RegisterType::Finite(_) => Register::Finite(0),
            };
            self.registers.set(id, value)?;
        }
        for (id, token) in (0..).map(TokenId).zip(&self.machine.vocabulary.tokens) {
            let construction = self.tokens.get_mut(id)?;
            construction.create(0);
            for (index, field) in (0..).zip(&token.fields) {
                match field.ty {
                    FieldType::Text | FieldType::OptionalText => {
                        text.clone_into(construction.text_mut(index)?);
                    }
                    FieldType::Flag => {}
                    FieldType::Attributes => {
                        construction.start_attribute()?;
                        for part in PARTS {
                            let part = construction.attribute_part_mut(part)?;
                            part.into_iter().for_each(|part| text.clone_into(part));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn places(&self) -> Result<HashMap<Place, String>, Fault> {
        let mut places = HashMap::from([(Place::Mark, format!("{:?}", self.mark))]);
        for (id, _) in (0..).map(RegisterId).zip(&self.machine.registers) {
            let held = match self.registers.get(id) {
                Some(Register::State(Some(state))) => state.0.to_string(),
                Some(Register::Number(number) | Register::Finite(number)) => number.to_string(),
                other => format!("{other:?}"),
            };
            places.insert(Place::Register(id), held);
        }
        for (token, declared) in (0..).map(TokenId).zip(&self.machine.vocabulary.tokens) {
            let construction = self.tokens.get(token)?;
            places.insert(Place::Kind(token), construction.kind.to_string());
            for (field, _) in (0..).zip(&declared.fields) {
                let value = construction.field(field)?;
                if let Value::Attributes(all) = value {
                    places.insert(Place::CurrentAttribute(token), all.len().to_string());
                    for part in PARTS {
                        let held = format!("{:?}", self.attribute(token, part));
                        places.insert(Place::Attribute(token, part), held);
                    }
                    continue;
                }
                places.insert(Place::Field(FieldId { token, field }), format!("{value:?}"));
            }
        }
        Ok(places)
    }
}
