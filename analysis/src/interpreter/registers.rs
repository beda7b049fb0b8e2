//! The variables of a machine.

use speclex_codegen::machine::{Machine, RegisterId, RegisterType, StateId, TOO_LARGE};

use super::fault::{Fault, dangling};

/// What a register holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Register {
    /// A string.
    Text(String),
    /// A state; `None` in a machine without entries.
    State(Option<StateId>),
    /// A number, at most [`TOO_LARGE`].
    Number(u32),
    /// A character or none.
    Character(Option<char>),
    /// The index of a named value.
    Finite(u32),
}

/// All registers of a machine.
#[derive(Clone, Debug)]
pub(super) struct Registers(Vec<Register>);

impl Registers {
    /// Registers at their initial values.
    pub(super) fn new(machine: &Machine) -> Self {
        let initial_state = machine.entries.first().map(|entry| entry.state);
        let registers = machine.registers.iter().map(|register| match register.ty {
            RegisterType::Text => Register::Text(String::new()),
            RegisterType::State => Register::State(initial_state),
            RegisterType::Number => Register::Number(0),
            RegisterType::Character => Register::Character(None),
            RegisterType::Finite(_) => Register::Finite(0),
        });
        Self(registers.collect())
    }

    /// A register.
    pub(super) fn get(&self, id: RegisterId) -> Option<&Register> {
        self.0.get(id.0 as usize)
    }

    /// A text register's string.
    pub(super) fn text(&self, id: RegisterId) -> Result<&str, Fault> {
        match self.get(id) {
            Some(Register::Text(text)) => Ok(text),
            _ => Err(dangling("text register")),
        }
    }

    /// A text register's string, to change.
    pub(super) fn text_mut(&mut self, id: RegisterId) -> Result<&mut String, Fault> {
        match self.0.get_mut(id.0 as usize) {
            Some(Register::Text(text)) => Ok(text),
            _ => Err(dangling("text register")),
        }
    }

    /// A number register's number.
    pub(super) fn number(&self, id: RegisterId) -> Result<u32, Fault> {
        match self.get(id) {
            Some(&Register::Number(number)) => Ok(number),
            _ => Err(dangling("number register")),
        }
    }

    /// Sets a number register.
    pub(super) fn set_number(&mut self, id: RegisterId, number: u32) -> Result<(), Fault> {
        self.set(id, Register::Number(number.min(TOO_LARGE)))
    }

    /// Sets a register to a value of its type.
    pub(super) fn set(&mut self, id: RegisterId, value: Register) -> Result<(), Fault> {
        match self.0.get_mut(id.0 as usize) {
            Some(register)
                if std::mem::discriminant(register) == std::mem::discriminant(&value) =>
            {
                *register = value;
                Ok(())
            }
            _ => Err(dangling("register of this type")),
        }
    }
}
