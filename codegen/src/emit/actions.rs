//! Actions as Rust statements.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::flow::PutBack;
use super::names::pascal;
use super::scope::{Consumed, Scope, clear};
use super::vocabulary::kind_enum;
use crate::machine::{
    Action, AttributePart, FieldId, FieldType, RegisterId, RegisterType, TokenId, Value,
};

impl Scope<'_, '_> {
    pub(super) fn action(&mut self, action: &Action, put_back: PutBack) -> TokenStream {
        let context = self.context;
        let reconsume = put_back == PutBack::Character;
        match action {
            Action::Error(id) => {
                let (code, at) = (context.error(*id), self.error_position(reconsume));
                quote!(t.core.error(input, #code, #at);)
            }
            Action::EmitText(value) => self.emit_text(value, put_back),
            Action::Emit(token) => {
                let (function, at) = (
                    context.emit_function(*token),
                    self.error_position(reconsume),
                );
                let end = self.place_after(put_back);
                quote!(t.#function(input, #at, #end))
            }
            Action::SetKind(token, kind) => {
                let (place, kind) = (context.kind_place(*token), self.kind(*token, *kind));
                kind.map(|kind| quote!(#place = #kind;)).unwrap_or_default()
            }
            Action::EmitEof => {
                let end = self.place_after(put_back);
                quote!(t.core.end_of_file(input, #end);)
            }
            Action::Create(token, kind) => {
                if !super::vocabulary::is_built(context.token(*token)) {
                    return TokenStream::new();
                }
                let place = context.token_place(*token);
                let at = if reconsume {
                    quote!(at)
                } else {
                    self.position()
                };
                let kind_place = context.kind_place(*token);
                let kind = self
                    .kind(*token, *kind)
                    .map(|kind| quote!(#kind_place = #kind;));
                quote!(#place.create(#at); #kind)
            }
            Action::StartAttribute(token) => {
                let place = context.attributes_place(*token);
                let at = self.expected(reconsume);
                quote!(#place.start(input, #at);)
            }
            Action::DropAttribute(token) => {
                let place = context.attributes_place(*token);
                quote!(#place.drop_current();)
            }
            Action::Append(field, value) => {
                let place = context.field_place(*field);
                self.push(&place, value)
            }
            Action::Set(field, value) => {
                let place = context.field_place(*field);
                self.set(&place, value, self.is_optional(*field))
            }
            Action::AppendAttribute(token, part, value) => {
                let place = self.attribute_part(*token, *part);
                self.push(&place, value)
            }
            Action::SetAttribute(token, part, value) => self.set_attribute(*token, *part, value),
            Action::SetFlag(field, value) => {
                let place = context.field_place(*field);
                quote!(#place = #value;)
            }
            Action::AppendRegister(register, value) => {
                let register = context.register(*register);
                self.push(&quote!(t.#register), value)
            }
            Action::SetText(register, value) => {
                let register = context.register(*register);
                self.set(&quote!(t.#register), value, false)
            }
            Action::SetState(register, state) => {
                let (register, state) = (context.register(*register), context.state(*state));
                quote!(t.#register = #state;)
            }
            Action::SetNumber(register, number) => {
                let register = context.register(*register);
                let number = Literal::u32_unsuffixed(*number);
                quote!(t.#register = #number;)
            }
            Action::Multiply(register, by) => {
                let rt = &context.runtime;
                let register = context.register(*register);
                let by = Literal::u32_unsuffixed(*by);
                quote!(t.#register = #rt::rt::number::multiply(t.#register, #by);)
            }
            Action::AddDigit(register) => {
                let rt = &context.runtime;
                let register = context.register(*register);
                let digit = if self.is_newline() {
                    quote!(None)
                } else {
                    quote!(input.byte(at))
                };
                quote!(t.#register = #rt::rt::number::add_digit(t.#register, #digit);)
            }
            Action::Increase(register) => {
                let rt = &context.runtime;
                let register = context.register(*register);
                quote!(t.#register = #rt::rt::number::increase(t.#register);)
            }
            Action::Decrease(register) => {
                let register = context.register(*register);
                quote!(t.#register = t.#register.saturating_sub(1);)
            }
            Action::Replace(register) => {
                let register = context.register(*register);
                quote!(t.#register = replacement(t.#register).unwrap_or(t.#register);)
            }
            Action::SetCharacter(register, character) => {
                let register = context.register(*register);
                match character {
                    Some(c) => quote!(t.#register = Some(#c);),
                    None => quote!(t.#register = None;),
                }
            }
            Action::SetFinite(register, value) => {
                let field = context.register(*register);
                let value = context.finite_value(*register, *value);
                quote!(t.#field = #value;)
            }
            Action::Mark => {
                let at = self.position();
                quote!(t.mark = #at;)
            }
            // Said where the body goes on.
            Action::Rewind => TokenStream::new(),
        }
    }

    /// Where the next characters of something just started are expected.
    fn expected(&mut self, reconsume: bool) -> TokenStream {
        match self.consumed {
            // What is consumed is most likely its first character.
            Consumed::Character => quote!(at),
            _ if reconsume => quote!(at),
            _ => self.position(),
        }
    }

    fn kind(&self, token: TokenId, kind: u32) -> Option<TokenStream> {
        let token = self.context.token(token);
        let vocabulary = &self.context.vocabulary;
        (token.kinds.len() > 1).then(|| {
            let (ty, variant) = (kind_enum(token), pascal(&token.kinds[kind as usize].name));
            quote!(#vocabulary #ty::#variant)
        })
    }

    pub(super) fn attribute_part(&self, token: TokenId, part: AttributePart) -> TokenStream {
        let attributes = self.context.attributes_place(token);
        match part {
            AttributePart::Name => quote!(#attributes.name),
            AttributePart::Value => quote!(#attributes.value),
        }
    }

    pub(super) fn is_optional(&self, field: FieldId) -> bool {
        let field = &self.context.token(field.token).fields[field.field as usize];
        field.ty == FieldType::OptionalText
    }

    fn set(&mut self, place: &TokenStream, value: &Value, optional: bool) -> TokenStream {
        let at = self.start_of(value);
        let clear = clear(place, &at, optional);
        self.put(clear, place, value)
    }

    fn set_attribute(&mut self, token: TokenId, part: AttributePart, value: &Value) -> TokenStream {
        let attributes = self.context.attributes_place(token);
        let place = self.attribute_part(token, part);
        let at = self.start_of(value);
        let clear = match part {
            AttributePart::Name => quote!(#attributes.clear_name(input, #at);),
            AttributePart::Value => quote!(#attributes.clear_value(input, #at);),
        };
        self.put(clear, &place, value)
    }

    /// Where the characters of a value that is set are expected.
    fn start_of(&mut self, value: &Value) -> TokenStream {
        match value {
            Value::Current => quote!(at),
            _ => self.position(),
        }
    }

    /// Clears a place, then appends the value to it.
    fn put(&mut self, clear: TokenStream, place: &TokenStream, value: &Value) -> TokenStream {
        if *value == Value::Literal(String::new()) {
            return clear;
        }
        let push = self.push(place, value);
        quote!(#clear #push)
    }

    fn push(&mut self, place: &TokenStream, value: &Value) -> TokenStream {
        let context = self.context;
        match value {
            Value::Current | Value::LowerCurrent if self.is_newline() => {
                quote!(#place.push_str(input, "\n");)
            }
            Value::Current => {
                self.uses_end();
                quote!(#place.push_run(input, at, end);)
            }
            Value::LowerCurrent => {
                self.uses_end();
                quote!(#place.push_lower(input, at, end);)
            }
            Value::Literal(string) => quote!(#place.push_str(input, #string);),
            Value::Register(register) => match self.register_text(*register) {
                Some(buffer) => quote!(#place.push_buffer(input, &#buffer);),
                None => {
                    let c = self.register_char(*register);
                    quote!(#place.push(input, #c);)
                }
            },
            Value::Code(register) => {
                let rt = &context.runtime;
                let register = context.register(*register);
                quote!(#place.push(input, #rt::rt::number::character(t.#register));)
            }
            Value::MatchedReplacement => {
                self.needs_value = true;
                quote!(#place.push_fixed(input, value);)
            }
            Value::MatchedName => {
                self.uses_end();
                quote!(#place.push_run(input, at, end);)
            }
            Value::Field(field) => {
                let other = context.field_place(*field);
                if self.is_optional(*field) {
                    quote!(#place.push_str(input, #other.get(input).unwrap_or_default());)
                } else {
                    quote!(#place.push_buffer(input, &#other);)
                }
            }
        }
    }

    fn emit_text(&mut self, value: &Value, put_back: PutBack) -> TokenStream {
        let context = self.context;
        let rt = &context.runtime;
        let at = self.place_after(put_back);
        match value {
            Value::Current | Value::LowerCurrent if self.is_newline() => {
                quote!(t.core.emit_str(input, "\n", #at);)
            }
            Value::Current | Value::MatchedName => {
                self.uses_end();
                if put_back == PutBack::Nothing && self.is_as_it_stands() {
                    let emit_run = context.emit_run(self.state);
                    let flush = (self.takes_null).then(|| {
                        quote!(if S::NULLS_ALONE {
                            t.core.flush_by_call(input);
                        })
                    });
                    quote!(#flush t.core.#emit_run(input, at, end); #flush)
                } else {
                    quote!(t.core.emit_str(input, input.slice(at, end), #at);)
                }
            }
            Value::LowerCurrent => {
                self.uses_end();
                quote!(t.core.emit_str(input, &input.slice(at, end).to_ascii_lowercase(), #at);)
            }
            Value::Literal(string) => quote!(t.core.emit_str(input, #string, #at);),
            Value::Register(register) => match self.register_text(*register) {
                Some(buffer) => quote!(t.core.emit_str(input, #buffer.get(input), #at);),
                None => {
                    let c = self.register_char(*register);
                    quote!(t.core.emit_char(input, #c, #at);)
                }
            },
            Value::Code(register) => {
                let register = context.register(*register);
                quote!(t.core.emit_char(input, #rt::rt::number::character(t.#register), #at);)
            }
            Value::MatchedReplacement => {
                self.needs_value = true;
                quote!(t.core.emit_str(input, value, #at);)
            }
            Value::Field(field) => {
                let place = context.field_place(*field);
                let text = if self.is_optional(*field) {
                    quote!(#place.get(input).unwrap_or_default())
                } else {
                    quote!(#place.get(input))
                };
                quote!(t.core.emit_str(input, #text, #at);)
            }
        }
    }

    /// The buffer of a text register.
    fn register_text(&self, register: RegisterId) -> Option<TokenStream> {
        let is_text = self.context.machine.registers[register.0 as usize].ty == RegisterType::Text;
        let name = self.context.register(register);
        is_text.then(|| quote!(t.#name))
    }

    /// The character of a character register.
    fn register_char(&self, register: RegisterId) -> TokenStream {
        let name = self.context.register(register);
        quote!(t.#name.unwrap_or('\u{FFFD}'))
    }
}
