//! Running a machine state by state, for who looks at it in between.

use speclex_codegen::machine::{AttributePart, FieldId, TokenId};

use super::fault::Fault;
use super::{Host, Interpreter};
use crate::token::Value;

impl<H: Host> Interpreter<'_, H> {
    /// Adds text to the input without running on.
    pub(crate) fn push(&mut self, text: &str) {
        self.release();
        self.input.push(text);
    }

    /// Says that the input has ended, without running on.
    pub(crate) fn push_end(&mut self) {
        self.input.finish();
    }

    /// Runs one state. `false`: more input is needed, or there is nothing to run.
    pub(crate) fn step(&mut self) -> Result<bool, Fault> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let ran = self.run_step();
        if let Err(fault) = &ran {
            self.fault = Some(fault.clone());
        }
        ran
    }

    /// The byte offset of the next input character.
    pub(crate) fn offset(&self) -> u64 {
        self.input.offset(self.place)
    }

    /// A token that starts now starts at this byte offset at the earliest.
    pub(crate) fn token_start(&self) -> u64 {
        self.token_start
    }

    /// The byte offset at which the token emitted last ended.
    pub(crate) fn emitted(&self) -> u64 {
        self.emitted
    }

    /// The byte offset to which the machine may put the input back.
    pub(crate) fn mark(&self) -> Option<u64> {
        Some(self.input.offset(self.mark?))
    }

    /// The name of the reference that was matched last.
    pub(crate) fn matched_name(&self) -> Option<&str> {
        Some(self.matched_reference().ok()?.0.as_str())
    }

    /// A field of a token under construction.
    pub(crate) fn field(&self, field: FieldId) -> Option<&Value> {
        self.tokens.field(field).ok()
    }

    /// A part of the attribute under construction.
    pub(crate) fn attribute(&self, token: TokenId, part: AttributePart) -> Option<&str> {
        let (name, value) = self.tokens.get(token).ok()?.current_attribute()?;
        Some(match part {
            AttributePart::Name => name,
            AttributePart::Value => value,
        })
    }
}
