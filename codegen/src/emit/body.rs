//! Bodies as Rust blocks.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::context::Context;
use super::flow::{self, End, Flow, Part, PutBack};
use super::names::pascal;
use super::patterns;
use super::vocabulary::kind_enum;
use crate::analyse::emission;
use crate::charset::CharSet;
use crate::machine::{
    Action, Arm, AttributePart, Body, FieldId, FieldType, Guard, RegisterId, RegisterType, StateId,
    Target, TokenId, Value,
};

/// What the state consumed before the body runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Consumed {
    /// The character from `at` to `end`.
    Character,
    /// A CR, with its LF if it has one, from `at` to `end`.
    Newline,
    /// A literal from `at` to `end`.
    Literal,
    /// A character from `at` to `end`, put back at once.
    Peeked,
    /// A named character reference from `at` to `end`.
    Reference,
    /// Nothing: the position is `at`.
    Nothing,
    /// Nothing: it is the end of the input, at `at`.
    Eof,
}

/// A look-ahead for the name of the last start tag.
pub(crate) struct LastStartTagAhead {
    /// What must follow the name.
    pub(crate) followed_by: CharSet,
    /// Whether the end of the input may.
    pub(crate) eof: bool,
    /// It matters only if all of these hold when the body starts.
    pub(crate) only_if: Vec<TokenStream>,
}

/// What a body may refer to, and what it needs to be in scope.
pub(crate) struct Scope<'c, 'm> {
    pub(crate) context: &'c Context<'m>,
    state: StateId,
    consumed: Consumed,
    /// Whether what was consumed is one byte.
    one_byte: bool,
    /// Whether `end` is used.
    pub(crate) needs_end: bool,
    /// Whether the value of the matched reference is used.
    pub(crate) needs_value: bool,
    /// Whether the body looks at the next input character.
    pub(crate) waits_for_next: bool,
    /// The look-ahead for the last start tag's name that the body needs.
    pub(crate) last_start_tag_ahead: Option<LastStartTagAhead>,
    /// Whether nothing has been done yet, so that what holds now did so when the body started.
    pub(crate) at_start: bool,
    /// What holds where a guard's part is asked.
    pub(crate) holds: Vec<TokenStream>,
}

impl<'c, 'm> Scope<'c, 'm> {
    pub(crate) fn new(context: &'c Context<'m>, state: StateId, consumed: Consumed) -> Self {
        Self {
            context,
            state,
            consumed,
            one_byte: false,
            needs_end: false,
            needs_value: false,
            waits_for_next: false,
            last_start_tag_ahead: None,
            at_start: true,
            holds: Vec::new(),
        }
    }

    /// What an arm consumed.
    pub(crate) fn of_arm(context: &'c Context<'m>, state: StateId, arm: &Arm) -> Self {
        let consumed = if arm.peeked {
            Consumed::Peeked
        } else {
            Consumed::Character
        };
        Self {
            one_byte: emission::consumes_ascii(arm),
            ..Self::new(context, state, consumed)
        }
    }

    pub(crate) fn is_newline(&self) -> bool {
        self.consumed == Consumed::Newline
    }

    pub(crate) fn uses_end(&mut self) {
        self.needs_end = true;
    }

    /// The set as it must be asked of the raw input: where newlines are normalised, a CR is an LF.
    pub(crate) fn as_read(&self, set: &CharSet) -> CharSet {
        if self.context.machine.preprocessing.normalize_newlines && set.contains('\n') {
            set.union(&CharSet::single('\r'))
        } else {
            set.clone()
        }
    }

    /// Where the input goes on when nothing is put back.
    pub(crate) fn position(&mut self) -> TokenStream {
        match self.consumed {
            Consumed::Character | Consumed::Newline | Consumed::Literal | Consumed::Reference => {
                self.needs_end = true;
                quote!(end)
            }
            Consumed::Peeked | Consumed::Nothing | Consumed::Eof => quote!(at),
        }
    }

    /// Where an error is, on a way that puts back what was consumed or not.
    fn error_position(&mut self, reconsume: bool) -> TokenStream {
        match self.consumed {
            Consumed::Literal if !reconsume => {
                self.needs_end = true;
                // Literals are ASCII: their last character is one byte.
                quote!(end - 1)
            }
            Consumed::Reference => {
                self.needs_end = true;
                quote!(end)
            }
            _ => quote!(at),
        }
    }

    /// The statements of a body, ending with a `Step` (at the end of the input: an option of one).
    pub(crate) fn body(&mut self, body: &Body) -> TokenStream {
        let flow = Flow::of(self.context, body);
        self.flow(&flow, false)
    }

    /// The statements of an arm that leaves the character to the next state, whose scan takes it.
    pub(crate) fn leaving(
        &mut self,
        before: &[Action],
        last: &Action,
        next: StateId,
    ) -> TokenStream {
        let before: TokenStream = (before.iter())
            .map(|action| self.action(action, PutBack::Character))
            .collect();
        let clear = match last {
            Action::Set(field, _) => {
                let (place, optional) =
                    (self.context.field_place(*field), self.is_optional(*field));
                Some(clear(&place, &quote!(at), optional))
            }
            Action::SetAttribute(token, part, _) => Some(clear(
                &self.attribute_part(*token, *part),
                &quote!(at),
                false,
            )),
            _ => None,
        };
        let next = self.context.state(next);
        quote!(#before #clear Step::to(#next, at))
    }

    /// `answered`: whether `answer` holds the sink's answer to a token emitted before.
    fn flow(&mut self, flow: &Flow<'_>, mut answered: bool) -> TokenStream {
        let put_back = flow.put_back();
        let shared = self.shared_end(flow, answered);
        let own = flow.parts.len() - usize::from(shared.is_some());
        let mut statements = TokenStream::new();
        self.at_start &= own == 0;
        for part in &flow.parts[..own] {
            let statement = self.part(part, put_back);
            statements.extend(match part {
                Part::Do(Action::Emit(token)) if self.context.answers(*token) => {
                    if core::mem::replace(&mut answered, true) {
                        quote!(let answer = answer.or(#statement);)
                    } else {
                        quote!(let answer = #statement;)
                    }
                }
                Part::Do(Action::Emit(_)) => quote!(#statement;),
                _ => statement,
            });
        }
        if let Some(step) = shared {
            let step = quote!(Step::to(State::#step, at));
            return match self.consumed {
                Consumed::Eof => quote!(#statements Some(#step)),
                _ => quote!(#statements #step),
            };
        }
        let next = match &flow.end {
            End::Go { target, put_back } => self.go(*target, *put_back, answered),
            End::Branch {
                guard: Guard::NextAre { run, then: end },
                then,
                otherwise,
            } => self.watch((run, end), then, otherwise, answered),
            End::Branch {
                guard,
                then,
                otherwise,
            } => {
                let condition = self.guard(guard);
                self.at_start = false;
                let then = self.flow(then, answered);
                let otherwise = self.flow(otherwise, answered);
                quote!(if #condition { #then } else { #otherwise })
            }
        };
        quote!(#statements #next)
    }

    /// The step that the end of a flow is, if it shares it with others.
    fn shared_end(&self, flow: &Flow<'_>, answered: bool) -> Option<&'c Ident> {
        let (emission, put_back) = flow.emission()?;
        let kept = match self.consumed {
            Consumed::Eof => put_back != PutBack::ToMark,
            _ => self.one_byte && put_back == PutBack::Nothing,
        };
        if answered || !kept {
            return None;
        }
        let (_, before) = flow.parts.split_last()?;
        let shared = self.context.shared(emission)?;
        (!flow::answers(self.context, before)).then_some(&shared.variant)
    }

    fn part(&mut self, part: &Part<'_>, put_back: PutBack) -> TokenStream {
        let (guard, then, otherwise) = match part {
            Part::Do(action) => return self.action(action, put_back),
            Part::If {
                guard,
                then,
                otherwise,
            } => (guard, then, otherwise),
        };
        let condition = self.guard(guard);
        let then = self.plain(then, put_back);
        let is_question = matches!(&otherwise[..], [Part::If { .. }]);
        let otherwise = self.plain(otherwise, put_back);
        if otherwise.is_empty() {
            quote!(if #condition { #then })
        } else if then.is_empty() {
            let condition = negated(&condition, guard);
            quote!(if #condition { #otherwise })
        } else if is_question {
            quote!(if #condition { #then } else #otherwise)
        } else {
            quote!(if #condition { #then } else { #otherwise })
        }
    }

    /// Parts among which no sink answers.
    fn plain(&mut self, parts: &[Part<'_>], put_back: PutBack) -> TokenStream {
        let parts = parts.iter().map(|part| {
            let statement = self.part(part, put_back);
            match part {
                Part::Do(Action::Emit(_)) => quote!(#statement;),
                _ => statement,
            }
        });
        parts.collect()
    }

    /// An error that depends on input of any length ahead: the rest goes on without waiting for it.
    fn watch(
        &mut self,
        (run, end): (&CharSet, &CharSet),
        then: &Flow<'_>,
        otherwise: &Flow<'_>,
        answered: bool,
    ) -> TokenStream {
        let position = self.position();
        let at = self.error_position(false);
        let rt = &self.context.runtime;
        let (run, end) = (self.as_read(run), self.as_read(end));
        let (run, end) = (patterns::chars(&run), patterns::chars(&end));
        let watches: Vec<_> = then
            .parts
            .iter()
            .filter_map(|part| match part {
                Part::Do(Action::Error(id)) => Some(self.context.error(*id)),
                _ => None,
            })
            .map(|code| quote!(t.core.watch(input, #position, &PATTERN, (#code, #at));))
            .collect();
        let rest = self.flow(otherwise, answered);
        quote! {
            static PATTERN: #rt::rt::Pattern = #rt::rt::Pattern {
                run: |c| ::core::matches!(c, #run),
                then: |c| ::core::matches!(c, #end),
            };
            #(#watches)*
            #rest
        }
    }

    fn target(&self, target: Target) -> TokenStream {
        match target {
            Target::State(id) => self.context.state(id),
            Target::Register(id) => {
                let register = self.context.register(id);
                quote!(t.#register)
            }
            // Only bodies for EOF end; see `go`.
            Target::End => self.context.state(self.state),
        }
    }

    fn go(&mut self, target: Target, put_back: PutBack, answered: bool) -> TokenStream {
        let at_end = self.consumed == Consumed::Eof;
        if target == Target::End {
            return if at_end {
                quote!(None)
            } else {
                // The checker lets no other body end; stay where we are.
                quote!(Step::to(State::Suspended, at))
            };
        }
        let mut state = self.target(target);
        if answered {
            state = quote!(t.answer(answer, #state));
        }
        let at = self.place_after(put_back);
        if let (Target::State(next), false, false) = (target, answered, at_end)
            && self.context.goes_through(self.state, next)
        {
            let function = self.context.function(next);
            return quote!(#function(t, input, #at));
        }
        if at_end {
            quote!(Some(Step::to(#state, #at)))
        } else {
            quote!(Step::to(#state, #at))
        }
    }

    /// Where the input goes on, and where a token emitted now ends.
    fn place_after(&mut self, put_back: PutBack) -> TokenStream {
        match put_back {
            PutBack::Nothing => self.position(),
            PutBack::Character => quote!(at),
            PutBack::ToMark => quote!(t.mark),
        }
    }

    fn action(&mut self, action: &Action, put_back: PutBack) -> TokenStream {
        let context = self.context;
        let reconsume = put_back == PutBack::Character;
        match action {
            Action::Error(id) => {
                let (code, at) = (context.error(*id), self.error_position(reconsume));
                quote!(t.core.error(#code, #at);)
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
            Action::EmitEof => quote!(t.core.end_of_file(input);),
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
            Action::SetAttribute(token, part, value) => {
                let place = self.attribute_part(*token, *part);
                self.set(&place, value, false)
            }
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

    fn attribute_part(&self, token: TokenId, part: AttributePart) -> TokenStream {
        let attributes = self.context.attributes_place(token);
        match part {
            AttributePart::Name => quote!(#attributes.name),
            AttributePart::Value => quote!(#attributes.value),
        }
    }

    fn is_optional(&self, field: FieldId) -> bool {
        let field = &self.context.token(field.token).fields[field.field as usize];
        field.ty == FieldType::OptionalText
    }

    fn set(&mut self, place: &TokenStream, value: &Value, optional: bool) -> TokenStream {
        // A value that refers to its own old content has nothing to set.
        let at = match value {
            Value::Current => quote!(at),
            _ => self.position(),
        };
        let clear = clear(place, &at, optional);
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
            Value::Current => {
                self.uses_end();
                quote!(t.core.emit_run(input, at, end);)
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
            Value::MatchedName => {
                self.uses_end();
                quote!(t.core.emit_run(input, at, end);)
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

/// Makes a buffer empty; `at` is where its first characters are expected.
fn clear(place: &TokenStream, at: &TokenStream, optional: bool) -> TokenStream {
    if optional {
        quote!(#place.set_empty(#at);)
    } else {
        quote!(#place.clear(#at);)
    }
}

fn negated(condition: &TokenStream, guard: &Guard) -> TokenStream {
    match guard {
        Guard::All(_) | Guard::Any(_) | Guard::AppropriateEndTag(_) => quote!(!(#condition)),
        Guard::KindIs(..) | Guard::CurrentIsCharacter(_) | Guard::TextIs { .. } => {
            quote!(!(#condition))
        }
        _ => quote!(!#condition),
    }
}

/// A step that runs when a token is emitted: in a method, with `self` for the machine.
pub(crate) fn hook(
    context: &Context<'_>,
    guard: Option<&Guard>,
    actions: &[Action],
) -> TokenStream {
    let mut scope = Scope::new(context, StateId(0), Consumed::Eof);
    let condition = guard.map(|guard| scope.guard(guard));
    let actions: Vec<_> = actions
        .iter()
        .map(|a| scope.action(a, PutBack::Character))
        .collect();
    let step = match condition {
        Some(condition) => quote!(if #condition { #(#actions)* }),
        None => quote!(#(#actions)*),
    };
    quote!({ let t = &mut *self; #step })
}
