//! What a machine does.

use speclex_codegen::machine::{Action, ErrorId, TokenId, Value as Source};

use super::fault::{Fault, dangling};
use super::host::Answer;
use super::registers::Register;
use super::{Host, Interpreter, Step};
use crate::body::{reconsumes, rewinds};
use crate::token::{Emitted, ParseError};

/// The value of a character as a hexadecimal or decimal digit.
fn digit(c: char) -> u32 {
    c.to_digit(16).unwrap_or(0)
}

impl<'m, H: Host> Interpreter<'m, H> {
    /// Does one thing.
    pub(super) fn act(&mut self, action: &Action, step: &mut Step<'m>) -> Result<(), Fault> {
        match action {
            Action::Error(error) => {
                let put_back = step.literal && reconsumes(step.body);
                let place = if put_back {
                    step.start
                } else {
                    step.error_place
                };
                self.report_input_errors(place)?;
                let offset = self.input.offset(place);
                self.report(*error, offset)?;
            }
            Action::EmitText(source) => self.with_text(source, step, |this, text| {
                let span = this.take_span(this.token_end(step));
                this.host.text(text, &span);
                this.output.push_characters(text, span);
                Ok(())
            })?,
            Action::Emit(token) => self.emit(*token, step)?,
            Action::SetKind(token, kind) => self.tokens.get_mut(*token)?.kind = *kind,
            // The successor that goes with it is the end; output leaves the token out.
            Action::EmitEof => self.end_of_file = self.input.offset(self.token_end(step)),
            Action::Create(token, kind) => self.tokens.get_mut(*token)?.create(*kind),
            Action::StartAttribute(token) => self.tokens.get_mut(*token)?.start_attribute()?,
            Action::DropAttribute(token) => self.tokens.get_mut(*token)?.drop_attribute()?,
            Action::Append(field, source) => self.with_text(source, step, |this, text| {
                let token = this.tokens.get_mut(field.token)?;
                token.text_mut(field.field)?.push_str(text);
                Ok(())
            })?,
            Action::Set(field, source) => self.with_text(source, step, |this, text| {
                let token = this.tokens.get_mut(field.token)?;
                text.clone_into(token.text_mut(field.field)?);
                Ok(())
            })?,
            Action::AppendAttribute(token, part, source) => {
                self.with_text(source, step, |this, text| {
                    let token = this.tokens.get_mut(*token)?;
                    if let Some(current) = token.attribute_part_mut(*part)? {
                        current.push_str(text);
                    }
                    Ok(())
                })?;
            }
            Action::SetAttribute(token, part, source) => {
                self.with_text(source, step, |this, text| {
                    let token = this.tokens.get_mut(*token)?;
                    if let Some(current) = token.attribute_part_mut(*part)? {
                        text.clone_into(current);
                    }
                    Ok(())
                })?;
            }
            Action::SetFlag(field, set) => {
                self.tokens
                    .get_mut(field.token)?
                    .set_flag(field.field, *set)?;
            }
            Action::AppendRegister(register, source) => {
                self.with_text(source, step, |this, text| {
                    this.registers.text_mut(*register)?.push_str(text);
                    Ok(())
                })?;
            }
            Action::SetText(register, source) => self.with_text(source, step, |this, text| {
                text.clone_into(this.registers.text_mut(*register)?);
                Ok(())
            })?,
            Action::SetState(register, state) => {
                self.registers
                    .set(*register, Register::State(Some(*state)))?;
            }
            Action::SetNumber(register, number) => self.registers.set_number(*register, *number)?,
            Action::Multiply(register, factor) => {
                let number = self.registers.number(*register)?;
                self.registers
                    .set_number(*register, number.saturating_mul(*factor))?;
            }
            Action::AddDigit(register) => {
                let number = self.registers.number(*register)?;
                let digit = step.current.map_or(0, digit);
                self.registers
                    .set_number(*register, number.saturating_add(digit))?;
            }
            Action::Increase(register) => {
                let number = self.registers.number(*register)?;
                self.registers
                    .set_number(*register, number.saturating_add(1))?;
            }
            Action::Decrease(register) => {
                let number = self.registers.number(*register)?;
                self.registers
                    .set_number(*register, number.saturating_sub(1))?;
            }
            Action::Replace(register) => {
                let number = self.registers.number(*register)?;
                if let Some(replacement) = self.replacement(number) {
                    self.registers.set_number(*register, replacement)?;
                }
            }
            Action::SetCharacter(register, character) => {
                self.registers
                    .set(*register, Register::Character(*character))?;
            }
            Action::SetFinite(register, value) => {
                self.registers.set(*register, Register::Finite(*value))?;
            }
            Action::Mark => self.mark = Some(self.place),
            Action::Rewind => {
                let mark = self.mark.take();
                self.place =
                    mark.ok_or_else(|| Fault::BadMachine("it rewinds without a mark".to_owned()))?;
            }
        }
        Ok(())
    }

    /// Reports an error.
    pub(super) fn report(&mut self, error: ErrorId, offset: u64) -> Result<(), Fault> {
        let code = self.machine.errors.get(error.0 as usize);
        let code = code.ok_or_else(|| dangling("error"))?.clone();
        self.output.errors.push(ParseError { code, offset });
        Ok(())
    }

    /// The code point that a number stands for instead of itself.
    pub(super) fn replacement(&self, number: u32) -> Option<u32> {
        let replacements = &self.machine.replacements;
        let index = replacements.binary_search_by_key(&number, |&(number, _)| number);
        Some(replacements[index.ok()?].1)
    }

    /// The named character reference that was matched last: its name and what it stands for.
    pub(super) fn matched_reference(&self) -> Result<&'m (String, String), Fault> {
        let reference = self.matched.and_then(|i| self.machine.references.get(i));
        reference.ok_or_else(|| dangling("matched character reference"))
    }

    /// Does something with a text.
    fn with_text(
        &mut self,
        source: &Source,
        step: &Step<'m>,
        act: impl FnOnce(&mut Self, &str) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        // Nearly all texts are the current character.
        let current = match source {
            Source::Current => step.current,
            Source::LowerCurrent => step.current.map(|c| c.to_ascii_lowercase()),
            _ => None,
        };
        if let Some(c) = current {
            return act(self, c.encode_utf8(&mut [0; 4]));
        }
        let mut text = std::mem::take(&mut self.scratch);
        text.clear();
        let done = self
            .write(source, &mut text)
            .and_then(|()| act(self, &text));
        self.scratch = text;
        done
    }

    /// Writes what a source other than the current character says to `text`.
    fn write(&self, source: &Source, text: &mut String) -> Result<(), Fault> {
        match source {
            // At the end there is none.
            Source::Current | Source::LowerCurrent => {}
            Source::Literal(literal) => text.push_str(literal),
            Source::Register(register) => text.push_str(self.registers.text(*register)?),
            Source::Code(register) => {
                let number = self.registers.number(*register)?;
                text.push(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Source::MatchedReplacement => text.push_str(&self.matched_reference()?.1),
            Source::MatchedName => text.push_str(&self.matched_reference()?.0),
            Source::Field(field) => {
                text.push_str(self.tokens.field(*field)?.text().unwrap_or_default());
            }
        }
        Ok(())
    }

    /// The place where a token emitted now ends.
    fn token_end(&self, step: &Step<'m>) -> usize {
        match self.mark {
            Some(mark) if rewinds(step.body) => mark,
            _ if reconsumes(step.body) => step.start,
            _ => self.place,
        }
    }

    /// The span of a token that ends at a place; the next one starts there.
    fn take_span(&mut self, end: usize) -> std::ops::Range<u64> {
        let end = self.input.offset(end);
        let start = std::mem::replace(&mut self.token_start, end);
        self.emitted = end;
        // A machine may put back more than it has emitted.
        start..end.max(start)
    }

    /// Emits the token under construction.
    fn emit(&mut self, id: TokenId, step: &mut Step<'m>) -> Result<(), Fault> {
        let machine = self.machine;
        let kind_index = self.tokens.get(id)?.kind;
        for (index, on_emit) in machine.on_emit.iter().enumerate() {
            if on_emit.token == id && on_emit.kind == kind_index {
                self.run_on_emit(index, &on_emit.steps, step)?;
            }
        }
        let span = self.take_span(self.token_end(step));
        let construction = self.tokens.get(id)?;
        let token = construction.finished()?;
        let declaration = machine.vocabulary.tokens.get(id.0 as usize);
        let kind = declaration.and_then(|token| token.kinds.get(kind_index as usize));
        let kind = kind.ok_or_else(|| dangling("kind"))?;
        let mut follows = None;
        if kind.is_start_tag {
            let name = construction.name();
            follows = name.and_then(|name| machine.content_after(name, self.feedback));
            self.last_start_tag = name.map(|name| name.chars().collect());
        }
        self.host.token(&token, &span);
        if kind.answers {
            match self.host.emitted(&token) {
                answer @ (Answer::Nothing | Answer::Pause) => {
                    if let Some(content) = follows {
                        self.host.followed(content);
                        step.answer = Some(self.entry(content)?);
                    }
                    self.paused |= answer == Answer::Pause;
                }
                Answer::Content(content) => match self.entry(&content) {
                    Ok(entry) => step.answer = Some(entry),
                    Err(refusal) => (self.refusal, self.paused) = (Some(refusal), true),
                },
            }
        }
        self.output.tokens.push(Emitted { token, span });
        Ok(())
    }

    fn run_on_emit(
        &mut self,
        index: usize,
        steps: &'m [(Option<speclex_codegen::machine::Guard>, Vec<Action>)],
        step: &mut Step<'m>,
    ) -> Result<(), Fault> {
        for (number, (guard, actions)) in steps.iter().enumerate() {
            let holds = match guard {
                None => true,
                Some(guard) => self.holds(guard, step)?.ok_or_else(|| {
                    Fault::BadMachine("a step on emitting looks ahead".to_owned())
                })?,
            };
            self.host.asked_on_emitting(index, number, holds);
            for action in actions.iter().filter(|_| holds) {
                if let Action::Emit(_) = action {
                    return Err(Fault::BadMachine("a step on emitting emits".to_owned()));
                }
                self.act(action, step)?;
            }
        }
        Ok(())
    }
}
