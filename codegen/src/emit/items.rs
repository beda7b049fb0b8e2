//! The module's types: states, errors, registers, the machine and its contract with the driver.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::answers;
use super::checkpoint::{Checkpoint, checkpoint};
use super::context::{Context, finite_variants};
use super::names::{doc_line, parameters, pascal, snake};
use super::patterns;
use super::registers::{initial, initial_value, register_type, registers};
use super::states::numbered;
use super::vocabulary::{
    COMMENT, builder_name, dropping_field, is_built, kind_enum, kind_field, method,
};
use crate::analyse;
use crate::machine::{Action, Element, FieldType, Guard, Kind, RegisterType, TokenId};

/// Everything but the states' functions.
pub(crate) fn items(context: &Context<'_>) -> TokenStream {
    let tokenizer = tokenizer(context);
    let states = states(context);
    let errors = errors(context);
    let finite = finite(context);
    let machine = machine(context);
    let emits = emits(context);
    let Checkpoint { types, methods } = checkpoint(context);
    let contract = contract(context, &methods);
    let content_after = content_after(context);
    let replacements = replacements(context);
    quote! { #tokenizer #states #errors #finite #content_after #machine #types #emits #contract #replacements }
}

fn tokenizer(context: &Context<'_>) -> TokenStream {
    let rt = &context.runtime;
    let doc = doc_line(&format!(" A tokenizer for {}.", context.machine.title));
    quote! {
        #[doc = #doc]
        pub type Tokenizer<S> = #rt::Tokenizer<Machine<S>>;

        /// The tokens of a text in memory, one after the other, without their errors.
        pub fn tokens(
            text: &str,
        ) -> #rt::Tokens<'_, Machine<#rt::rt::Collector<Token<'_>, #rt::rt::Borrowed<'_>>>> {
            #rt::Tokens::new(text)
        }
    }
}

fn states(context: &Context<'_>) -> TokenStream {
    let states = context.states().map(|id| {
        let state = &context.machine.states[id.0 as usize];
        let doc = doc_line(&format!(" {}", numbered(&state.section, &state.name)));
        let variant = context.variant(id);
        quote!(#[doc = #doc] #variant)
    });
    let emissions = context.emissions.iter().map(|shared| {
        let token = &context.token(shared.emission.token).name;
        let next = &context.machine.states[shared.emission.next.0 as usize].name;
        let doc = doc_line(&format!(
            " Emits the {token} token, then goes to the {next} state."
        ));
        let variant = &shared.variant;
        quote!(#[doc = #doc] #variant)
    });
    quote! {
        /// The states, the steps that end several arms, and where the machine waits.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum State {
            #(#states,)*
            #(#emissions,)*
            /// More input is needed, or there is a pause.
            Suspended,
        }
    }
}

fn errors(context: &Context<'_>) -> TokenStream {
    let rt = &context.runtime;
    let codes = context
        .machine
        .errors
        .iter()
        .enumerate()
        .map(|(index, code)| {
            let name = context.error_name(index);
            quote!(pub const #name: ErrorCode = ErrorCode::new(#code);)
        });
    let import = (codes.len() > 0).then(|| quote!(use #rt::ErrorCode;));
    let explanations = &context.machine.explanations;
    let pairs = |pairs: &[(String, String)]| {
        let pairs = pairs.iter().map(|(code, text)| quote!((#code, #text)));
        quote!(&[#(#pairs),*])
    };
    let (sentences, links) = (pairs(&explanations.sentences), pairs(&explanations.links));
    let link = match &explanations.link {
        Some(link) => quote!(::core::option::Option::Some(#link)),
        None => quote!(::core::option::Option::None),
    };
    quote! {
        /// The codes of the parse errors, and what people are told of them.
        #[allow(missing_docs, dead_code)]
        pub mod errors {
            #import
            #(#codes)*

            /// An error as people read it. `text` is the whole input.
            pub fn explain(error: #rt::ParseError, text: &str) -> #rt::Explained {
                static EXPLANATIONS: #rt::rt::Explanations = #rt::rt::Explanations {
                    sentences: #sentences,
                    links: #links,
                    link: #link,
                };
                #rt::Explained::new(error, text, &EXPLANATIONS)
            }
        }
    }
}

fn finite(context: &Context<'_>) -> TokenStream {
    registers(context)
        .filter_map(|(id, register)| {
            let RegisterType::Finite(values) = &register.ty else {
                return None;
            };
            let name = context.finite_enum(id);
            let doc = doc_line(&format!(" The values of the {}.", register.name));
            let variants = finite_variants(values);
            let variants = variants.iter().enumerate().map(|(i, variant)| {
                let default = (i == 0).then(|| quote!(#[default]));
                quote!(#default #variant)
            });
            Some(quote! {
                #[doc = #doc]
                // The names are the table's.
                #[allow(dead_code, clippy::enum_variant_names)]
                #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
                enum #name { #(#variants,)* }
            })
        })
        .collect()
}

fn machine(context: &Context<'_>) -> TokenStream {
    let rt = &context.runtime;
    let initial = initial(context);
    let fields = registers(context).map(|(id, register)| {
        let name = context.register(id);
        let ty = register_type(context, id, &register.ty);
        quote!(#name: #ty)
    });
    let inits = registers(context).map(|(id, register)| {
        let name = context.register(id);
        match &register.ty {
            RegisterType::State => quote!(#name: #initial),
            _ => {
                let value = initial_value(context, id);
                quote!(#name: #value)
            }
        }
    });
    // Outside its own crate a shared vocabulary may gain contents and answers.
    let is_shared = context.machine.vocabulary.shared.is_some();
    let unknown = if is_shared {
        quote!(_)
    } else {
        quote!(Answer::Continue)
    };
    let resets = registers(context).map(|(id, register)| {
        let name = context.register(id);
        match &register.ty {
            RegisterType::Text => quote!(self.#name.clear(0);),
            RegisterType::State => quote!(self.#name = #initial;),
            _ => {
                let value = initial_value(context, id);
                quote!(self.#name = #value;)
            }
        }
    });
    let twice = answers::may_be_two(context);
    let follows = twice || !context.machine.contents_after.elements.is_empty();
    let after_pause = follows.then(|| {
        quote! {
            /// The content in which a start tag continues that the sink paused at.
            after_pause: Option<Content>,
        }
    });
    let after_pause_none = follows.then(|| quote!(after_pause: None,));
    let after_pause_reset = follows.then(|| quote!(self.after_pause = None;));
    let after_pause_kept = follows.then(|| quote!(after_pause: self.after_pause,));
    let take = follows.then(|| quote!(let after_pause = self.after_pause.take();));
    let pause = match follows {
        false => quote!(Answer::Pause => self.core.pause(),),
        true => quote! {
            Answer::Pause => {
                self.core.pause();
                if let Some(state) = after_pause.and_then(|content| self.enter(content)) {
                    self.resume = state;
                    return State::Suspended;
                }
            }
        },
    };
    let both = twice.then(|| answers::both(context));
    let mut emitted = context.machine.all_actions();
    let answers = emitted.any(|it| matches!(it, Action::Emit(token) if context.answers(*token)));
    let answer = answers.then(|| {
        quote! {
            /// Where to go on after a token that the sink gave an answer to.
            #[inline(always)]
            fn answer(&mut self, answer: Answer, next: State) -> State {
                if answer == Answer::Continue {
                    return next;
                }
                self.act_on(answer, next)
            }

            #both

            #[cold]
            fn act_on(&mut self, answer: Answer, next: State) -> State {
                #take
                match answer {
                    Answer::Switch(content) => {
                        if let Some(state) = self.enter(content) {
                            return state;
                        }
                        self.core.refuse();
                    }
                    #pause
                    #unknown => return next,
                }
                self.resume = next;
                State::Suspended
            }
        }
    });
    let entries = context.machine.entries.iter().map(|entry| {
        let content = pascal(&context.machine.vocabulary.contents[entry.content as usize]);
        let state = context.state(entry.state);
        let sets = entry.sets.iter().map(|(register, value)| {
            let field = context.register(*register);
            let value = context.finite_value(*register, *value);
            quote!(self.#field = #value;)
        });
        quote! {
            Content::#content => {
                #(#sets)*
                #state
            }
        }
    });
    let all = context.machine.vocabulary.contents.len();
    let total = !is_shared && context.machine.entries.len() == all;
    let others = (!total).then(|| quote!(_ => return None,));
    // A sub-machine that nothing leads out of without a value marks where it starts, too.
    let marks = context.machine.all_actions().any(|it| *it == Action::Mark);
    let mark = marks.then(|| {
        quote! {
            /// Where characters may be put back to.
            mark: usize,
        }
    });
    let mark_init = marks.then(|| quote!(mark: 0,));
    let mark_reset = marks.then(|| quote!(self.mark = 0;));
    let mark_kept = marks.then(|| quote!(mark: self.mark,));
    let kept = registers(context).map(|(id, _)| {
        let name = context.register(id);
        quote!(#name: self.#name)
    });
    quote! {
        /// The machine: registers, and tokens under construction.
        #[derive(Debug)]
        pub struct Machine<S> {
            core: #rt::rt::Core<Events<S>>,
            tokens: Tokens,
            /// The state to go on with when there is more input.
            resume: State,
            #after_pause
            #mark
            #(#fields,)*
        }

        impl<S: Sink> Machine<S> {
            fn with_sink(sink: S) -> Self {
                Self {
                    core: #rt::rt::Core::new(Events(sink)),
                    tokens: ::core::default::Default::default(),
                    resume: #initial,
                    #after_pause_none
                    #mark_init
                    #(#inits,)*
                }
            }

            fn reset(&mut self) {
                self.core.reset();
                self.tokens.reset();
                self.resume = #initial;
                #after_pause_reset
                #mark_reset
                #(#resets)*
            }

            /// Waits for more input in a state.
            #[inline(always)]
            fn suspend(&mut self, state: State, at: usize) -> Step<State> {
                self.resume = state;
                Step::to(State::Suspended, at)
            }

            fn enter(&mut self, content: Content) -> Option<State> {
                Some(match content {
                    #(#entries)*
                    #others
                })
            }

            #answer
        }

        impl<S: Sink, T: Sink> #rt::rt::Exchange<T> for Machine<S> {
            type With = Machine<T>;

            fn exchange(self, sink: T) -> (Machine<T>, S) {
                let (core, before) = self.core.exchange(Events(sink));
                let machine = Machine {
                    core,
                    tokens: self.tokens,
                    resume: self.resume,
                    #after_pause_kept
                    #mark_kept
                    #(#kept,)*
                };
                (machine, before.0)
            }
        }
    }
}

/// The content after a start tag, by its name.
fn content_after(context: &Context<'_>) -> Option<TokenStream> {
    let contents = &context.machine.contents_after;
    if contents.elements.is_empty() {
        return None;
    }
    let section = contents.section.as_ref();
    let doc = doc_line(&format!(
        " What the element of a start tag contains{}, as far as its name tells; nothing for markup.",
        section
            .map(|section| format!(" ({section})"))
            .unwrap_or_default(),
    ));
    let same =
        |a: &Element, b: &Element| (a.content, a.if_scripting) == (b.content, b.if_scripting);
    let arms = contents.elements.chunk_by(same).map(|elements| {
        let names = elements.iter().map(|element| &element.name);
        let content = &context.machine.vocabulary.contents[elements[0].content as usize];
        let content = pascal(content);
        let guard = elements[0].if_scripting.then(|| quote!(if scripting));
        quote!(#(#names)|* #guard => Content::#content,)
    });
    let is_asked = contents.elements.iter().any(|element| element.if_scripting);
    let unused = (!is_asked).then(|| quote!(let _ = scripting;));
    Some(quote! {
        #[doc = #doc]
        #[inline(always)]
        pub fn content_after(start_tag: &str, scripting: bool) -> Option<Content> {
            #unused
            Some(match start_tag {
                #(#arms)*
                _ => return None,
            })
        }
    })
}

/// One function per token that emits it.
fn emits(context: &Context<'_>) -> TokenStream {
    let asked = analyse::uses_last_start_tag(context.machine);
    let functions = (0..context.machine.vocabulary.tokens.len() as u32).map(|index| {
        let id = TokenId(index);
        let used = analyse::emits(context.machine, id);
        used.then(|| emit(context, id, asked))
    });
    let mut whole: Vec<_> = (context.whole_tags.iter())
        .map(|tag| (tag.token, tag.kind))
        .collect();
    whole.sort_unstable();
    whole.dedup();
    let whole = whole.into_iter().map(|tag| emit_whole(context, tag, asked));
    quote! {
        impl<S: Sink> Machine<S> { #(#functions)* #(#whole)* }
    }
}

fn emit(context: &Context<'_>, id: TokenId, asked: bool) -> TokenStream {
    let token = context.token(id);
    let function = context.emit_function(id);
    let doc = doc_line(&format!(
        " Emits the {} token; `end` is where it ends.",
        token.name
    ));
    let place = is_built(token).then(|| snake(&token.name));
    let attributes = (token.fields.iter()).filter(|f| f.ty == FieldType::Attributes);
    let close: TokenStream = attributes
        .map(|field| {
            let field = snake(&field.name);
            quote!(self.tokens.#place.#field.close(input);)
        })
        .collect();
    let is_wanted = dropping_field(token).map(|_| {
        let wanted = (token.name == COMMENT).then(|| quote!(S::COMMENTS &&));
        quote!(#wanted !self.tokens.#place.is_dropped())
    });
    let kinds = token.kinds.iter().enumerate().map(|(index, kind)| {
        let hooks = hooks(context, id, index as u32);
        let view = (!token.fields.is_empty()).then(|| quote!(self.tokens.#place.view(input)));
        let remember = (asked && kind.is_start_tag)
            .then(|| quote!(self.core.remember_start_tag(input, &self.tokens.#place.name);));
        let call = hand_over(context, (id, kind), view.as_ref());
        quote!(#hooks #remember #call)
    });
    let kinds: Vec<_> = kinds.collect();
    let call = if token.kinds.len() > 1 {
        let vocabulary = &context.vocabulary;
        let (field, ty) = (kind_field(token), kind_enum(token));
        let variants = token.kinds.iter().map(|kind| pascal(&kind.name));
        quote! {
            match self.tokens.#place.#field {
                #(#vocabulary #ty::#variants => { #kinds })*
            }
        }
    } else {
        quote!(#(#kinds)*)
    };
    let returns = context.answers(id).then(|| quote!(-> Answer));
    let call = match is_wanted {
        None => call,
        Some(is_wanted) => {
            let answer = context
                .answers(id)
                .then(|| quote!(else { Answer::Continue }));
            quote!(if #is_wanted { #call } #answer)
        }
    };
    // Only steps at a token look at it; a field may be called that, too.
    let hooked = context.machine.on_emit.iter().any(|hook| hook.token == id);
    let looked_at = hooked.then_some(&call);
    let [at] = parameters(["at"], &quote!(#looked_at));
    quote! {
        #[doc = #doc]
        #[inline(always)]
        fn #function(&mut self, input: Input<'_>, #at: usize, end: usize) #returns {
            #close
            self.core.flush(input);
            let span = self.core.span(end);
            self.core.emitted(end);
            #call
        }
    }
}

/// Hands a token to the sink, and says what it answers.
fn hand_over(
    context: &Context<'_>,
    (id, kind): (TokenId, &Kind),
    view: Option<&TokenStream>,
) -> TokenStream {
    let method = method(kind);
    let given = view.map(|view| quote!(&#view,));
    let call = quote!(self.core.events.0.#method(#given span));
    match (kind.answers, context.answers(id)) {
        (false, true) => quote!(#call; Answer::Continue),
        (false, false) => quote!(#call;),
        (true, _) if kind.is_start_tag && !context.machine.contents_after.elements.is_empty() => {
            quote! {
                let token = #view;
                let answer = self.core.events.0.#method(&token, span);
                if !S::FEEDBACK || answer != Answer::Continue && answer != Answer::Pause {
                    return answer;
                }
                match content_after(token.name, self.core.scripting()) {
                    Some(content) if self.core.has_feedback() => {
                        if answer == Answer::Pause {
                            self.after_pause = Some(content);
                            return answer;
                        }
                        Answer::Switch(content)
                    }
                    _ => answer,
                }
            }
        }
        (true, _) => call,
    }
}

/// The function that emits a tag which has only a name.
fn emit_whole(context: &Context<'_>, (id, kind): (TokenId, u32), asked: bool) -> TokenStream {
    let function = context.emit_whole_function(id, kind);
    let of = &context.token(id).kinds[kind as usize];
    let doc = doc_line(&format!(
        " Emits a {} that has only a name, from `start` to `end`; one character comes after it.",
        of.name
    ));
    let remember =
        (asked && of.is_start_tag).then(|| quote!(self.core.remember_start_tag_at(start, end);));
    let (vocabulary, ty) = (&context.vocabulary, builder_name(context.token(id)));
    let view = quote!(#vocabulary #ty::named(input.slice(start, end)));
    let call = hand_over(context, (id, of), Some(&view));
    let returns = context.answers(id).then(|| quote!(-> Answer));
    quote! {
        #[doc = #doc]
        #[inline(always)]
        fn #function(&mut self, input: Input<'_>, start: usize, end: usize) #returns {
            self.core.flush(input);
            let span = self.core.span(end + 1);
            self.core.emitted(end + 1);
            #remember
            #call
        }
    }
}

/// The steps that the table has for the emission of a kind.
fn hooks(context: &Context<'_>, token: TokenId, kind: u32) -> TokenStream {
    context
        .machine
        .on_emit
        .iter()
        .filter(|hook| hook.token == token && hook.kind == kind)
        .flat_map(|hook| &hook.steps)
        .map(|(guard, actions)| super::body::hook(context, token, guard.as_ref(), actions))
        .collect()
}

fn contract(context: &Context<'_>, checkpoint: &TokenStream) -> TokenStream {
    let rt = &context.runtime;
    let initial = initial(context);
    let drop_bom = context.machine.preprocessing.drop_bom;
    let rewinding = analyse::rewind::rewinding(context.machine);
    let keep = (!rewinding.is_empty()).then(|| {
        let states = rewinding.iter().map(|id| context.state(*id));
        quote! {
            fn keep(&mut self, step: Step<State>) -> usize {
                match step.state {
                    #(#states)|* => ::core::mem::take(&mut self.mark),
                    _ => step.at,
                }
            }
        }
    });
    let input_error = input_error(context);
    let detach = super::detach::detach(context);
    quote! {
        impl<S: Sink> #rt::rt::Machine for Machine<S> {
            type State = State;
            type Content = Content;
            type Sink = S;
            type Events = Events<S>;

            const DROP_BOM: bool = #drop_bom;

            fn new(sink: S) -> Self {
                Self::with_sink(sink)
            }

            fn reset(&mut self) {
                Self::reset(self);
            }

            fn sink(&mut self) -> &mut S {
                &mut self.core.events.0
            }

            fn into_sink(self) -> S {
                self.core.events.0
            }

            fn core(&mut self) -> &mut #rt::rt::Core<Events<S>> {
                &mut self.core
            }

            fn initial() -> State {
                #initial
            }

            fn enter(&mut self, content: Content) -> Option<State> {
                Self::enter(self, content)
            }

            fn run(&mut self, input: Input<'_>, from: Step<State>) -> Step<State> {
                let step = run(self, input, from);
                Step::to(self.resume, step.at)
            }

            #keep

            fn at_end(
                &mut self,
                input: Input<'_>,
                from: Step<State>,
            ) -> Option<Step<State>> {
                let step = at_end(self, input, from)?;
                Some(if step.state == State::Suspended {
                    Step::to(self.resume, step.at)
                } else {
                    step
                })
            }

            #detach

            #checkpoint

            #input_error
        }
    }
}

fn input_error(context: &Context<'_>) -> TokenStream {
    let rt = &context.runtime;
    let errors = &context.machine.preprocessing.errors;
    if errors.is_empty() {
        return quote! {
            fn input_error(_text: &str, _from: usize) -> Option<(usize, #rt::ErrorCode)> {
                None
            }
        };
    }
    let mut ranges: Vec<_> = errors
        .iter()
        .enumerate()
        .flat_map(|(index, (set, _))| {
            let ranges = context.without_cr(set).ranges().to_vec();
            ranges.into_iter().map(move |range| (range, index))
        })
        .collect();
    ranges.sort_unstable();
    let ranges = ranges.iter().map(|((first, last), index)| {
        let (first, last) = (patterns::hex(*first), patterns::hex(*last));
        let index = Literal::usize_unsuffixed(*index);
        quote!((#first, #last, #index))
    });
    let codes = errors.iter().map(|(_, code)| context.error(*code));
    quote! {
        fn input_error(text: &str, from: usize) -> Option<(usize, #rt::ErrorCode)> {
            struct Errors;
            impl #rt::rt::InputErrors for Errors {
                const RANGES: &'static [(u32, u32, u16)] = &[#(#ranges),*];
            }
            let (at, index) = #rt::rt::first_input_error::<Errors>(text, from)?;
            Some((at, [#(#codes),*][usize::from(index)]))
        }
    }
}

fn replacements(context: &Context<'_>) -> TokenStream {
    let replaces = |action: &Action| matches!(action, Action::Replace(_));
    let asks = |guard: &Guard| matches!(guard, Guard::HasReplacement(_));
    let is_used =
        context.machine.all_actions().any(replaces) || context.machine.all_questions().any(asks);
    if !is_used {
        return TokenStream::new();
    }
    let rows = context
        .machine
        .replacements
        .iter()
        .map(|&(number, code_point)| {
            let (number, code_point) = (patterns::hex(number), patterns::hex(code_point));
            quote!(#number => #code_point)
        });
    let body = match context.machine.replacements.is_empty() {
        true => quote! {
            let _ = number;
            None
        },
        false => quote! {
            Some(match number {
                #(#rows,)*
                _ => return None,
            })
        },
    };
    quote! {
        /// The code point that a numeric character reference with this number stands for instead.
        fn replacement(number: u32) -> Option<u32> {
            #body
        }
    }
}
