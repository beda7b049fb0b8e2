//! What a machine does in a step, and how it answers its questions.

use std::hash::Hash;
use std::rc::Rc;

use speclex_codegen::machine::{
    Action, AttributePart, FieldId, TOO_LARGE, TokenId, Value as Source,
};

use super::configuration::{
    Building, Configuration, LITERAL, NAME, NUMBER, Number, Register, Symbol, Text, Value,
    initial_fields, reference,
};
use super::steps::{EmittedToken, InputAt, Item, KnownInput, Reported, StepOutput};
use super::{Runner, Step, close_run, field_text, literal_text};
use crate::body::{reconsumes, rewinds};

impl<'m> Runner<'m> {
    /// Does one thing; `None` if the machine is malformed.
    pub(in crate::diff) fn run_action(
        &self,
        action: &Action,
        step: &mut Step<'m>,
        side: &mut Configuration,
        known: &KnownInput<'_>,
        out: &mut StepOutput,
    ) -> Option<()> {
        let text = match action.value() {
            Some(source) => self.text(source, step, side, known)?,
            None => Text::new(),
        };
        match action {
            Action::Error(error) => {
                let put_back = step.literal && reconsumes(step.body);
                out.errors.push(Reported {
                    code: error.0,
                    place: if put_back {
                        step.start
                    } else {
                        step.error_place
                    },
                    step: side.steps,
                });
            }
            Action::EmitText(_) => {
                let end = token_end(step, side);
                let (start, end) = take_span(side, end);
                if !text.is_empty() {
                    let run = side.run.get_or_insert((start, end));
                    run.1 = run.1.max(end);
                }
                let starts = [Some(start)].into_iter().chain(std::iter::repeat(None));
                let characters = text.into_iter().zip(starts);
                out.items
                    .extend(characters.map(|(symbol, start)| Item::Character(symbol, start)));
            }
            Action::Emit(token) => self.emit(*token, step, side, known, out)?,
            Action::EmitEof => {}
            Action::SetKind(token, kind) => building(side, *token)?.kind = *kind,
            Action::Create(token, kind) => {
                *building(side, *token)? = Building {
                    kind: *kind,
                    fields: initial_fields(self.machine, token.0 as usize),
                    has_current: false,
                };
            }
            Action::StartAttribute(token) => {
                let building = building(side, *token)?;
                building.has_current = true;
                building.attributes_mut()?.push(Default::default());
            }
            Action::DropAttribute(token) => {
                let building = building(side, *token)?;
                if std::mem::take(&mut building.has_current) {
                    building.attributes_mut()?.pop();
                }
            }
            Action::Append(field, _) => match field_of(side, *field)? {
                Value::Text(held) => held.extend(text),
                other => *other = Value::Text(text),
            },
            Action::Set(field, _) => *field_of(side, *field)? = Value::Text(text),
            Action::AppendAttribute(token, part, _) => {
                if let Some(held) = attribute_part(building(side, *token)?, *part) {
                    held.extend(text);
                }
            }
            Action::SetAttribute(token, part, _) => {
                if let Some(held) = attribute_part(building(side, *token)?, *part) {
                    *held = text;
                }
            }
            Action::SetFlag(field, set) => *field_of(side, *field)? = Value::Flag(*set),
            Action::AppendRegister(id, _) => match side.register_mut(id.0)? {
                Register::Text(held) => held.extend(text),
                _ => return None,
            },
            Action::SetText(id, _) => *side.register_mut(id.0)? = Register::Text(text),
            Action::SetState(id, state) => *side.register_mut(id.0)? = Register::State(state.0),
            Action::SetNumber(id, number) => {
                let number = Number::exactly((*number).min(TOO_LARGE));
                *side.register_mut(id.0)? = Register::Number(number);
            }
            Action::Multiply(id, factor) => change(side, id.0, ("times", *factor), |number| {
                number.saturating_mul(*factor)
            })?,
            Action::AddDigit(id) => {
                let digit = step.current.map_or(0, |it| it.c.to_digit(16).unwrap_or(0));
                let (least, greatest) = step.current.map_or((0, 0), |it| known.digits(it.c));
                let place = step.current.map(|it| it.place);
                let number = side.number(id.0);
                let sum = [
                    number.value.saturating_add(digit),
                    number.low.saturating_add(least),
                    number.high.saturating_add(greatest),
                ];
                let sum = number.with(("plus digit", place), sum);
                *side.register_mut(id.0)? = Register::Number(sum);
            }
            Action::Increase(id) => change(side, id.0, "plus", |number| number.saturating_add(1))?,
            Action::Decrease(id) => change(side, id.0, "minus", |number| number.saturating_sub(1))?,
            Action::Replace(id) => {
                let number = side.number(id.0);
                out.not_uniform |= self.may_be_replaced(number);
                if let Some(code) = self.replacement(number.value) {
                    *side.register_mut(id.0)? = Register::Number(Number::exactly(code));
                }
            }
            Action::SetCharacter(id, c) => *side.register_mut(id.0)? = Register::Character(*c),
            Action::SetFinite(id, value) => *side.register_mut(id.0)? = Register::Finite(*value),
            Action::Mark => side.mark = Some(side.place),
            Action::Rewind => side.place = side.mark.take()?,
        }
        Some(())
    }

    /// Whether a number stands for several of which some have a replacement.
    pub(in crate::diff) fn may_be_replaced(&self, number: Number) -> bool {
        let mut rows = self.machine.replacements.iter();
        !number.is_exact() && rows.any(|(row, _)| (number.low..=number.high).contains(row))
    }

    pub(in crate::diff) fn replacement(&self, number: u32) -> Option<u32> {
        let replacements = &self.machine.replacements;
        let index = replacements.binary_search_by_key(&number, |&(number, _)| number);
        Some(replacements.get(index.ok()?)?.1)
    }

    /// What a source says.
    fn text(
        &self,
        source: &Source,
        step: &Step<'_>,
        side: &Configuration,
        known: &KnownInput<'_>,
    ) -> Option<Text> {
        Some(match source {
            Source::Current => step.current.into_iter().collect(),
            Source::LowerCurrent => {
                let lower = step.current.map(|symbol| Symbol {
                    c: symbol.c.to_ascii_lowercase(),
                    ..symbol
                });
                lower.into_iter().collect()
            }
            Source::Literal(literal) => literal_text(literal),
            Source::Register(register) => side.text_register(register.0).to_vec(),
            Source::Code(register) => {
                let number = side.number(register.0);
                let c = char::from_u32(number.value).unwrap_or(char::REPLACEMENT_CHARACTER);
                let place = match number.is_exact() {
                    true => LITERAL,
                    false => number.code_place(),
                };
                let out_of = NUMBER;
                vec![Symbol { c, place, out_of }]
            }
            Source::MatchedReplacement => {
                let (index, start) = side.matched?;
                let mut text = literal_text(&self.references.get(index as usize)?.1);
                // Other references have other characters.
                let symbols = text.iter_mut();
                symbols.for_each(|symbol| symbol.out_of = reference(start));
                text
            }
            Source::MatchedName => {
                let (index, start) = side.matched?;
                let name = &self.references.get(index as usize)?.0;
                let places = (start..).zip(name.chars());
                let out_of = NAME;
                let symbols = places.map(|(place, c)| Symbol { c, place, out_of });
                symbols
                    .filter(|symbol| known.at(symbol.place) != InputAt::Unknown)
                    .collect()
            }
            Source::Field(field) => {
                let building = side.tokens.get(field.token.0 as usize)?;
                field_text(building.fields.get(field.field as usize)?).to_vec()
            }
        })
    }

    /// Emits the token under construction.
    fn emit(
        &self,
        id: TokenId,
        step: &mut Step<'m>,
        side: &mut Configuration,
        known: &KnownInput<'_>,
        out: &mut StepOutput,
    ) -> Option<()> {
        let kind_index = side.tokens.get(id.0 as usize)?.kind;
        let on_emit = self.machine.on_emit.iter();
        for on_emit in on_emit.filter(|on| on.token == id && on.kind == kind_index) {
            for (guard, actions) in &on_emit.steps {
                let holds = match guard {
                    None => true,
                    Some(guard) => self.guard_holds(guard, step, side, known, out)?,
                };
                for action in actions.iter().filter(|_| holds) {
                    if let Action::Emit(_) = action {
                        return None;
                    }
                    self.run_action(action, step, side, known, out)?;
                }
            }
        }
        close_run(side, out);
        let end = token_end(step, side);
        let (start, end) = take_span(side, end);
        let building = Rc::clone(side.tokens.get(id.0 as usize)?);
        let declared = self.machine.vocabulary.tokens.get(id.0 as usize)?;
        let kind = declared.kinds.get(kind_index as usize)?;
        let name_field = self.name_fields.get(id.0 as usize).copied().flatten();
        let name = name_field.and_then(|field| building.fields.get(field));
        if kind.is_start_tag {
            side.last_start_tag = name.map(|name| Rc::new(field_text(name).to_vec()));
        }
        out.answerable += usize::from(kind.answers);
        out.items.push(Item::Token(Box::new(EmittedToken {
            token: id.0,
            building,
            span: (start, end),
            step: side.steps,
        })));
        Some(())
    }
}

fn building(side: &mut Configuration, token: TokenId) -> Option<&mut Building> {
    let tokens = Rc::make_mut(&mut side.tokens);
    tokens.get_mut(token.0 as usize).map(Rc::make_mut)
}

fn field_of(side: &mut Configuration, field: FieldId) -> Option<&mut Value> {
    let building = building(side, field.token)?;
    building.fields.get_mut(field.field as usize)
}

fn attribute_part(building: &mut Building, part: AttributePart) -> Option<&mut Text> {
    let has_current = building.has_current;
    let current = building
        .attributes_mut()?
        .last_mut()
        .filter(|_| has_current)?;
    Some(match part {
        AttributePart::Name => &mut current.0,
        AttributePart::Value => &mut current.1,
    })
}

fn change(
    side: &mut Configuration,
    register: u32,
    what: impl Hash,
    change: impl Fn(u32) -> u32,
) -> Option<()> {
    let changed = side.number(register).map(what, change);
    *side.register_mut(register)? = Register::Number(changed);
    Some(())
}

/// The span of a token that ends at a place; the next one starts there.
fn take_span(side: &mut Configuration, end: u32) -> (u32, u32) {
    side.emitted = end;
    let start = std::mem::replace(&mut side.token_start, end);
    // A machine may put back more than it has emitted.
    (start, end.max(start))
}

/// The place where a token emitted now ends.
fn token_end(step: &Step<'_>, side: &Configuration) -> u32 {
    match side.mark {
        Some(mark) if rewinds(step.body) => mark,
        _ if reconsumes(step.body) => step.start,
        _ => side.place,
    }
}
