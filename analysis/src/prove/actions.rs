//! What a machine does, on terms. The interpreter does the same on values: tests compare the two (`concrete`).

use speclex_codegen::machine::{
    Action, AttributePart, FieldId, FieldType, RegisterId, TOO_LARGE, TokenId, Value,
};

use super::known::Known;
use super::output::Out;
use super::run::{Refusal, Run, Step};
use super::set::{self, YES};
use super::term::{Function, Term, arithmetic, concat, later};
use crate::body::{reconsumes, rewinds};
use crate::error_comparison::ErrorComparison;

impl<'m> Run<'_, 'm> {
    /// Does one thing.
    pub(super) fn act(
        &mut self,
        known: &mut Known,
        action: &Action,
        step: &mut Step<'m>,
    ) -> Result<(), Refusal> {
        match action {
            Action::Error(error) => {
                let is_put_back = step.is_literal && reconsumes(step.body);
                let at = if is_put_back { step.start } else { step.error };
                let code = match self.common.compared {
                    ErrorComparison::Presence => "",
                    ErrorComparison::Codes => self.side.machine.errors[error.0 as usize].as_str(),
                };
                self.errors.push((code, Term::Before(at)));
            }
            Action::EmitText(value) => {
                self.passes_to_end(known, step)?;
                let text = self.value(value, step)?;
                let (start, end) = self.take_span(self.token_end(step));
                self.outs.push(Out::Text { text, start, end });
            }
            Action::Emit(token) => self.emit(known, *token, step)?,
            Action::SetKind(token, kind) => self.set_kind(*token, *kind),
            // Outputs leave the end-of-file token out.
            Action::EmitEof => self.passes_to_end(known, step)?,
            Action::Create(token, kind) => self.create(*token, *kind),
            Action::StartAttribute(token) => {
                let at = self.attributes(*token)?;
                self.store[at] = self.all_attributes(known, at);
                self.set_current_attribute(at, true);
            }
            Action::DropAttribute(token) => {
                let at = self.attributes(*token)?;
                self.set_current_attribute(at, false);
            }
            Action::Append(field, value) => {
                let (at, _) = self.field(*field);
                let text = concat(&self.store[at], &self.value(value, step)?);
                self.set_field(*field, text);
            }
            Action::Set(field, value) => {
                let text = self.value(value, step)?;
                self.set_field(*field, text);
            }
            Action::AppendAttribute(token, part, value) => {
                if let Some(place) = self.attribute_part(known, *token, *part)? {
                    self.store[place] = concat(&self.store[place], &self.value(value, step)?);
                }
            }
            Action::SetAttribute(token, part, value) => {
                if let Some(place) = self.attribute_part(known, *token, *part)? {
                    self.store[place] = self.value(value, step)?;
                }
            }
            Action::SetFlag(field, set) => {
                let (at, _) = self.field(*field);
                self.store[at] = Term::Number(u32::from(*set));
            }
            Action::AppendRegister(register, value) => {
                let at = register.0 as usize;
                let more = self.value(value, step)?;
                self.follow_word(known, at, &more)?;
                self.store[at] = concat(&self.store[at], &more);
            }
            Action::SetText(register, value) => {
                let at = register.0 as usize;
                let text = self.value(value, step)?;
                self.store[at] = Term::text("");
                self.follow_word(known, at, &text)?;
                self.store[at] = text;
            }
            Action::SetState(register, state) => self.set_number(*register, state.0),
            Action::SetNumber(register, number) => {
                self.set_number(*register, (*number).min(TOO_LARGE));
            }
            Action::Multiply(register, factor) => {
                self.change_number(*register, Function::Times(*factor));
            }
            Action::Increase(register) => self.change_number(*register, Function::Increase),
            Action::Decrease(register) => self.change_number(*register, Function::Decrease),
            Action::AddDigit(register) => {
                if let Some(at) = step.current {
                    let number = &mut self.store[register.0 as usize];
                    let parts = vec![number.clone(), Term::Character(at)];
                    *number = Term::of(Function::AddDigit, parts);
                }
            }
            Action::Replace(register) => {
                let number = self.store[register.0 as usize].clone();
                self.store[register.0 as usize] = self.replaced(known, number);
            }
            Action::SetCharacter(register, c) => {
                self.set_number(*register, c.map_or(0, |c| c as u32 + 1));
            }
            Action::SetFinite(register, value) => self.set_number(*register, *value),
            Action::Mark => {
                self.passes(known, step)?;
                self.store[self.side.places.mark] = self.here();
            }
            Action::Rewind => {
                let mark = &mut self.store[self.side.places.mark];
                match std::mem::replace(mark, Term::Number(0)) {
                    Term::Before(at) if at >= 0 => self.at = at,
                    Term::Number(_) => return Err("it puts back without a mark".to_owned()),
                    mark => self.back = Some(mark),
                }
            }
        }
        Ok(())
    }

    fn value(&self, value: &Value, step: &Step<'_>) -> Result<Term, Refusal> {
        let of = |function, place: usize| {
            Term::piece(Term::of(function, vec![self.store[place].clone()]))
        };
        let matched = self.side.places.matched;
        let current = |piece: fn(i32) -> Term| match step.current {
            Some(at) => Term::piece(piece(at)),
            // At the end there is none.
            None => Term::text(""),
        };
        Ok(match value {
            Value::Current => current(Term::Character),
            Value::LowerCurrent => current(Term::Lowercase),
            Value::Literal(literal) => Term::text(literal),
            Value::Register(register) => self.store[register.0 as usize].clone(),
            Value::Code(register) => of(Function::Character, register.0 as usize),
            Value::MatchedReplacement => of(Function::ReplacementOf, matched),
            Value::MatchedName => of(Function::NameOf, matched),
            Value::Field(field) => match self.field(*field) {
                (at, FieldType::Text | FieldType::OptionalText) => self.store[at].clone(),
                _ => return Err("a field that is no text is read".to_owned()),
            },
        })
    }

    pub(super) fn field(&self, field: FieldId) -> (usize, FieldType) {
        self.side.places.tokens[field.token.0 as usize].fields[field.field as usize]
    }

    fn set_field(&mut self, field: FieldId, value: Term) {
        let (at, ty) = self.field(field);
        self.store[at] = value;
        if ty == FieldType::OptionalText {
            self.store[at + 1] = Term::Number(1);
        }
    }

    fn set_kind(&mut self, token: TokenId, kind: u32) {
        let number = self.side.kinds[token.0 as usize][kind as usize];
        let place = self.side.places.tokens[token.0 as usize].kind;
        self.store[place] = Term::Number(number);
    }

    fn create(&mut self, token: TokenId, kind: u32) {
        self.set_kind(token, kind);
        let side = self.side;
        for &(at, ty) in &side.places.tokens[token.0 as usize].fields {
            match ty {
                FieldType::Text => self.store[at] = Term::text(""),
                FieldType::OptionalText => {
                    self.store[at] = Term::text("");
                    self.store[at + 1] = Term::Number(0);
                }
                FieldType::Flag => self.store[at] = Term::Number(0),
                FieldType::Attributes => {
                    self.store[at] = Term::Number(0);
                    self.set_current_attribute(at, false);
                }
            }
        }
    }

    /// The first place of a token's attributes.
    pub(super) fn attributes(&self, token: TokenId) -> Result<usize, Refusal> {
        let mut fields = self.side.places.tokens[token.0 as usize].fields.iter();
        let found = fields.find(|(_, ty)| *ty == FieldType::Attributes);
        Ok(found.ok_or("a token has no attributes")?.0)
    }

    fn set_current_attribute(&mut self, at: usize, is_there: bool) {
        self.store[at + 1] = Term::Number(u32::from(is_there));
        self.store[at + 2] = Term::text("");
        self.store[at + 3] = Term::text("");
    }

    /// The place of a part of the current attribute, if there is one.
    fn attribute_part(
        &self,
        known: &mut Known,
        token: TokenId,
        part: AttributePart,
    ) -> Result<Option<usize>, Refusal> {
        let at = self.attributes(token)?;
        let is_there = known.is_in(&self.store[at + 1], YES);
        Ok(is_there.then_some(match part {
            AttributePart::Name => at + 2,
            AttributePart::Value => at + 3,
        }))
    }

    /// The attributes with the current one, as one list.
    fn all_attributes(&self, known: &mut Known, at: usize) -> Term {
        let [all, is_there, name, value] = [0, 1, 2, 3].map(|part| self.store[at + part].clone());
        match known.is_in(&is_there, YES) {
            true => Term::of(Function::WithAttribute, vec![all, name, value]),
            false => all,
        }
    }

    fn set_number(&mut self, register: RegisterId, number: u32) {
        self.store[register.0 as usize] = Term::Number(number);
    }

    fn change_number(&mut self, register: RegisterId, function: Function) {
        let place = &mut self.store[register.0 as usize];
        let known = match place {
            Term::Number(number) => arithmetic(&function, *number).map(Term::Number),
            _ => None,
        };
        *place = known.unwrap_or_else(|| Term::of(function, vec![place.clone()]));
    }

    fn replaced(&self, known: &mut Known, number: Term) -> Term {
        if !known.is_in(&number, &self.side.replaced) {
            return number;
        }
        let is_open = !matches!(number, Term::Number(_)) && known.only(&number).is_none();
        if self.common.same_replacements && is_open {
            return Term::of(Function::Replaced, vec![number]);
        }
        for (from, to) in &self.side.machine.replacements {
            if known.is_in(&number, &set::single(*from)) {
                return Term::Number((*to).min(TOO_LARGE));
            }
        }
        number
    }

    /// Forks on the next character: by the letters with which the text can still become one of the words it is compared with.
    fn follow_word(&self, known: &mut Known, at: usize, more: &Term) -> Result<(), Refusal> {
        if !self.side.places.sorts[at].is_compared() {
            return Ok(());
        }
        known.resolve(&self.store[at]);
        let (Term::Text(start), Term::Text(more)) = (known.normal(&self.store[at]), more) else {
            return Ok(());
        };
        let start = match start.as_slice() {
            [] => "",
            [Term::Literal(start)] => start,
            _ => return Ok(()),
        };
        if let [Term::Character(item) | Term::Lowercase(item)] = more.as_slice() {
            let letters = self.common.words.letters_after(start).into_iter();
            for letter in letters.flat_map(|(from, to)| from..=to) {
                if self.reads(known, (*item, *item), &set::single(letter))? {
                    break;
                }
            }
        }
        Ok(())
    }

    fn token_end(&self, step: &Step<'_>) -> Term {
        match &self.store[self.side.places.mark] {
            mark if *mark != Term::Number(0) && rewinds(step.body) => mark.clone(),
            _ if reconsumes(step.body) => Term::Before(step.start),
            _ => self.here(),
        }
    }

    /// The span of a token that ends at a place; the next one starts there.
    fn take_span(&mut self, end: Term) -> (Term, Term) {
        let places = &self.side.places;
        let start = std::mem::replace(&mut self.store[places.token_start], end.clone());
        self.store[places.emitted] = end.clone();
        let last = later(&end, &start);
        (start, last)
    }

    fn emit(&mut self, known: &mut Known, id: TokenId, step: &mut Step<'m>) -> Result<(), Refusal> {
        let side = self.side;
        let kind = self.kind(known, id);
        let on_emit = side.machine.on_emit.iter();
        for on_emit in on_emit.filter(|on| on.token == id && on.kind as usize == kind) {
            for (guard, actions) in &on_emit.steps {
                let runs = match guard {
                    Some(guard) => self.holds(known, guard, step)?,
                    None => true,
                };
                for action in actions.iter().filter(|_| runs) {
                    self.act(known, action, step)?;
                }
            }
        }
        if self.kind(known, id) != kind {
            return Err("what is done on emitting changes the kind".to_owned());
        }
        self.passes_to_end(known, step)?;
        let (start, end) = self.take_span(self.token_end(step));
        let places = side.places.tokens[id.0 as usize].fields.iter();
        let fields = places.map(|&(at, ty)| match ty {
            FieldType::Text | FieldType::Flag => vec![self.store[at].clone()],
            FieldType::OptionalText => self.store[at..at + 2].to_vec(),
            FieldType::Attributes => vec![self.all_attributes(known, at)],
        });
        let fields = fields.collect();
        let declared = &side.machine.vocabulary.tokens[id.0 as usize].kinds[kind];
        if declared.is_start_tag {
            let name = self.name(id)?;
            self.store[side.places.has_last_start_tag] = Term::Number(u32::from(name.is_some()));
            self.store[side.places.last_start_tag] = name.unwrap_or(Term::text(""));
        }
        self.outs.push(Out::Token {
            kind: side.kinds[id.0 as usize][kind],
            fields,
            start,
            end,
            resume: (!declared.answers).then_some(Term::Number(0)),
        });
        // While the sink answers, the host may switch to another content.
        step.is_asked |= declared.answers;
        self.tokens += 1;
        Ok(())
    }

    /// The name of a token under construction, if it has one.
    pub(super) fn name(&self, token: TokenId) -> Result<Option<Term>, Refusal> {
        let declared = &self.side.machine.vocabulary.tokens[token.0 as usize];
        let Some(index) = declared.fields.iter().position(|it| it.name == "name") else {
            return Ok(None);
        };
        match self.side.places.tokens[token.0 as usize].fields[index] {
            (at, FieldType::Text) => Ok(Some(self.store[at].clone())),
            _ => Err("a name is no text".to_owned()),
        }
    }
}
