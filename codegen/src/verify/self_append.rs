//! No text is appended to itself, which would double it at each step, or set to itself.

use super::successors::each_body;
use crate::diagnostic::{Code, Faults};
use crate::lower::Lowered;
use crate::machine::{Action, Value};

pub(super) fn check(lowered: &Lowered, faults: &mut Faults) {
    for body in lowered.states.iter().flat_map(|state| state.bodies()) {
        each_body(body, &mut |body| {
            for (action, span) in &body.actions {
                let (what, help) = match action {
                    Action::Append(field, Value::Field(value)) if field == value => APPENDED,
                    Action::AppendRegister(register, Value::Register(value))
                        if register == value =>
                    {
                        APPENDED
                    }
                    Action::Set(field, Value::Field(value)) if field == value => SET,
                    Action::SetText(register, Value::Register(value)) if register == value => SET,
                    _ => continue,
                };
                faults.add(Code::MisplacedPhrase, *span, what).help(help);
            }
        });
    }
}

const APPENDED: (&str, &str) = (
    "a text is appended to itself",
    "it would double each time; append another text",
);

const SET: (&str, &str) = ("a text is set to itself", "this changes nothing: remove it");
