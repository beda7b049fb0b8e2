//! One function per state, and the loops that drive them.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::attribute::whole_attributes;
use super::context::{Context, SharedEmission};
use super::names::doc_line;
use super::scan_sets::{ScanSets, byte};
use super::scope::{Consumed, Scope};
use super::tag::whole_tags;
use super::{names, patterns};
use crate::analyse::newline::{self, TakesCr};
use crate::analyse::scan::{looks_first, self_loop, skips};
use crate::analyse::token_start::notes_start;
use crate::analyse::{deferred_append::left_to_next, emission::Emission};
use crate::machine::{Arm, Body, Consume, StateId, StateKind};

/// The functions of all states.
pub(crate) fn functions(context: &Context<'_>, sets: &mut ScanSets) -> TokenStream {
    let states = context.states().map(|id| function(context, sets, id));
    let states: TokenStream = states.collect();
    let emissions = context.emissions.iter().map(|e| emission(context, e));
    quote!(#states #(#emissions)*)
}

/// The step that ends several arms.
fn emission(context: &Context<'_>, shared: &SharedEmission) -> TokenStream {
    let Emission { token, next } = shared.emission;
    let doc = doc_line(&format!(
        " Emits the {} token and goes to the {} state",
        context.token(token).name,
        context.machine.states[next.0 as usize].name
    ));
    let (name, emit, next) = (
        &shared.function,
        context.emit_function(token),
        context.state(next),
    );
    let inline = shared.hot.then(|| quote!(#[inline(always)]));
    let body = if context.answers(token) {
        quote! {
            let end = input.end_of_ascii(at);
            let answer = t.#emit(input, at, end);
            Step::to(t.answer(answer, #next), end)
        }
    } else {
        quote! {
            let end = input.end_of_ascii(at);
            t.#emit(input, at, end);
            Step::to(#next, end)
        }
    };
    quote! {
        #[doc = #doc]
        #inline
        fn #name<S: Sink>(t: &mut Machine<S>, input: Input<'_>, at: usize) -> Step<State> {
            #body
        }
    }
}

fn function(context: &Context<'_>, sets: &mut ScanSets, id: StateId) -> TokenStream {
    let state = &context.machine.states[id.0 as usize];
    let name = context.function(id);
    let doc = doc_line(&format!(
        " {} state",
        numbered(&state.section, &capitalised(&state.name))
    ));
    let inline = context.hot.contains(&id).then(|| quote!(#[inline(always)]));
    let mut after_run = None;
    let body = match &state.kind {
        StateKind::Consume(consume) => {
            let (run, body) = consuming(context, sets, id, consume);
            match context.after_run(id) {
                None => quote!(#run #body),
                Some(after) => {
                    after_run = Some(quote! {
                        #[doc = #doc]
                        #inline
                        fn #after<S: Sink>(t: &mut Machine<S>, input: Input<'_>, at: usize) -> Step<State> {
                            #body
                        }
                    });
                    quote!(#run #after(t, input, at))
                }
            }
        }
        StateKind::Steps(body) => {
            let mut scope = Scope::new(context, id, Consumed::Nothing);
            let start = token_start(&scope, body);
            let body = scope.body(body);
            let body = with_look_ahead(context, id, &scope, body);
            quote!(#start #body)
        }
        StateKind::Match { matched, unmatched } => matching(context, id, matched, unmatched),
    };
    let (body, anything_else) = anything_else(context, id, body);
    let [t, input] = names::parameters(["t", "input"], &body);
    quote! {
        #[doc = #doc]
        #inline
        fn #name<S: Sink>(#t: &mut Machine<S>, #input: Input<'_>, at: usize) -> Step<State> {
            #body
        }

        #after_run
        #anything_else
    }
}

/// A body with calls of a function for what its last arm does, if others do that too, as end tags that are not appropriate do.
fn anything_else(
    context: &Context<'_>,
    id: StateId,
    body: TokenStream,
) -> (TokenStream, Option<TokenStream>) {
    let state = &context.machine.states[id.0 as usize];
    let StateKind::Consume(consume) = &state.kind else {
        return (body, None);
    };
    let Some(last) = (consume.arms.last()).filter(|last| last.body.actions.len() > 1) else {
        return (body, None);
    };
    let steps = character_arm(context, id, last);
    let name = context.anything_else(id);
    let call = quote!(#name(t, input, at));
    let (called, count) = names::replace_blocks(body.clone(), &steps.to_string(), &call);
    if count < 3 || names::mentions(&steps, "end") {
        return (body, None);
    }
    let doc = doc_line(&format!(" What {:?} does with anything else.", state.name));
    let function = quote! {
        #[doc = #doc]
        fn #name<S: Sink>(t: &mut Machine<S>, input: Input<'_>, at: usize) -> Step<State> {
            #steps
        }
    };
    (called, Some(function))
}

/// A name below its section's number, if it has one.
pub(crate) fn numbered(section: &str, name: &str) -> String {
    format!("{section} {name}").trim_start().to_owned()
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars
        .next()
        .map(|first| first.to_ascii_uppercase().to_string() + chars.as_str())
        .unwrap_or_default()
}

/// A body that consumed nothing, or a character, waits where it looks ahead.
fn with_look_ahead(
    context: &Context<'_>,
    id: StateId,
    scope: &Scope<'_, '_>,
    body: TokenStream,
) -> TokenStream {
    let wait = suspend(context, id);
    let position = if scope.needs_end {
        quote!(end)
    } else {
        quote!(at)
    };
    let next = scope.waits_for_next.then(|| {
        quote! {
            if t.core.must_wait(input, #position) {
                return #wait;
            }
        }
    });
    let last_start_tag = scope.last_start_tag_ahead.iter().map(|ahead| {
        let (variable, only_if, ask) = (&ahead.variable, &ahead.only_if, ahead.ask(scope));
        quote! {
            let #variable = #(#only_if &&)* match #ask {
                Ahead::More => return #wait,
                ahead => ahead == Ahead::Yes,
            };
        }
    });
    quote!(#next #(#last_start_tag)* #body)
}

fn suspend(context: &Context<'_>, id: StateId) -> TokenStream {
    let state = context.state(id);
    quote!(t.suspend(#state, at))
}

fn matching(context: &Context<'_>, id: StateId, matched: &Body, unmatched: &Body) -> TokenStream {
    let wait = suspend(context, id);
    let mut scope = Scope::new(context, id, Consumed::Reference);
    let start = token_start(&scope, matched);
    let body = scope.body(matched);
    let body = with_look_ahead(context, id, &scope, body);
    let end = scope.needs_end.then(|| quote!(let end = at + length;));
    let length = if scope.needs_end {
        quote!(length)
    } else {
        quote!(length: _)
    };
    let value = if scope.needs_value {
        quote!(value)
    } else {
        quote!(value: _)
    };
    let mut scope = Scope::new(context, id, Consumed::Nothing);
    let start_nothing = token_start(&scope, unmatched);
    let nothing = scope.body(unmatched);
    let nothing = with_look_ahead(context, id, &scope, nothing);
    quote! {
        match REFERENCES.longest_match(input.bytes(), at, t.core.is_last()) {
            Match::Found { #length, #value } => { #end #start #body }
            Match::Nothing => { #start_nothing #nothing }
            Match::NeedMore => #wait,
        }
    }
}

/// The statements that skip what a self-loop takes, and those after them.
fn consuming(
    context: &Context<'_>,
    sets: &mut ScanSets,
    id: StateId,
    consume: &Consume,
) -> (Option<TokenStream>, TokenStream) {
    let wait = suspend(context, id);
    let run = self_loop(context.machine, id).ok();
    let scan = run.as_ref().map(|run| sets.scan(context, id, run));
    let literals = consume.literals.iter().map(|literal| {
        let mut scope = Scope::new(context, id, Consumed::Literal);
        let start = token_start(&scope, &literal.body);
        let body = scope.body(&literal.body);
        let body = with_look_ahead(context, id, &scope, body);
        let (text, ignore_case) = (&literal.text, literal.ignore_case);
        let length = Literal::usize_unsuffixed(text.len());
        let (end, body) = with_end(&scope, body, &quote!(at + #length));
        let step = names::as_arm(quote!(#end #start #body));
        quote! {
            match t.core.ahead(input, at, #text, #ignore_case) {
                Ahead::Yes => #step
                Ahead::More => return #wait,
                Ahead::No => {}
            }
        }
    });
    // Where an arm other than the last has characters beyond ASCII, arms are told apart by character.
    let (last, others) = match consume.arms.split_last() {
        Some((last, others)) => (Some(last), others),
        None => (None, &[][..]),
    };
    let by_char = others.iter().any(|arm| !patterns::is_ascii(&arm.set));
    let newline = newline(context, id, by_char);
    let arms = others.iter().filter_map(|arm| {
        let mut set = context.without_cr(&arm.set);
        if newline::is_taken_as_lf(context.machine, arm) {
            set = set.union(&crate::charset::CharSet::single('\r'));
        }
        let pattern = if by_char {
            patterns::chars(&set)
        } else {
            patterns::bytes(&set)
        }?;
        let body = if skips(&context.hot, id, consume, arm) {
            let state = context.state(id);
            let end = sets.skip(context, id, &set, quote!(at + 1));
            quote!(Step::to(#state, #end))
        } else {
            let whole = whole_tags(context, sets, id, arm);
            whole.unwrap_or_else(|| character_arm(context, id, arm))
        };
        Some(quote!(Some(#pattern) => { #body }))
    });
    let last = last.map(|arm| {
        let body = character_arm(context, id, arm);
        quote!(Some(_) => { #body })
    });
    let at = if by_char {
        quote!(input.char(at))
    } else {
        quote!(input.byte(at))
    };
    let arms: Vec<_> = arms.collect();
    let rest = quote! {
        #(#literals)*
        match #at {
            #newline
            #(#arms)*
            #last
            None => #wait,
        }
    };
    let whole_attributes = whole_attributes(context, sets, id);
    match first_arm(context, id, consume) {
        Some((first, body)) => (
            None,
            quote!(if input.byte(at) == Some(#first) { #body } else { #scan #rest }),
        ),
        None => (Some(quote!(#whole_attributes #scan)), rest),
    }
}

/// The arm that is asked for before the scan, with its character.
fn first_arm(
    context: &Context<'_>,
    id: StateId,
    consume: &Consume,
) -> Option<(TokenStream, TokenStream)> {
    let first = looks_first(context.machine, &context.hot, id)?;
    let arm = (consume.arms.iter()).find(|arm| arm.set.contains(char::from(first)))?;
    Some((byte(first), character_arm(context, id, arm)))
}

/// The arm for a CR, unless the arm for LF takes it.
fn newline(context: &Context<'_>, id: StateId, by_char: bool) -> Option<TokenStream> {
    let wait = suspend(context, id);
    let cr = if by_char { quote!('\r') } else { quote!(b'\r') };
    let arm = match newline::takes_cr(context.machine, id)? {
        TakesCr::AsLf => return None,
        TakesCr::Apart(arm) => arm,
        TakesCr::Emitted => {
            let (state, emit_newline) = (context.state(id), context.emit_newline(id));
            return Some(quote! {
                Some(#cr) if t.core.must_wait(input, at + 1) => #wait,
                Some(#cr) => {
                    let end = t.core.#emit_newline(input, at);
                    Step::to(#state, end)
                }
            });
        }
    };
    let mut scope = Scope::of_newline(context, id, arm);
    let start = token_start(&scope, &arm.body);
    let body = scope.body(&arm.body);
    let body = with_look_ahead(context, id, &scope, body);
    if arm.peeked {
        let end = scope.needs_end.then(|| quote!(let end = at + 1;));
        return Some(quote!(Some(#cr) => { #end #start #body }));
    }
    let end = if scope.needs_end {
        quote!(end)
    } else {
        quote!(_)
    };
    Some(quote! {
        Some(#cr) => match t.core.after_newline(input, at) {
            Some(#end) => { #start #body }
            None => #wait,
        },
    })
}

fn character_arm(context: &Context<'_>, id: StateId, arm: &Arm) -> TokenStream {
    let mut scope = Scope::of_arm(context, id, arm);
    let start = token_start(&scope, &arm.body);
    if let Some((next, before)) = left_to_next(context.machine, id, arm)
        && let Some(last) = arm.body.actions.last()
    {
        let body = scope.leaving(before, last, next);
        return quote!(#start #body);
    }
    let body = scope.body(&arm.body);
    let body = with_look_ahead(context, id, &scope, body);
    let (end, body) = match patterns::is_ascii(&arm.set) {
        true => with_end(&scope, body, &quote!(at + 1)),
        false => {
            let end = quote!(let end = input.after(at););
            (scope.needs_end.then_some(end), body)
        }
    };
    quote!(#end #start #body)
}

/// A body with the end of what was consumed: before it, or where it is used once.
fn with_end(
    scope: &Scope<'_, '_>,
    body: TokenStream,
    end: &TokenStream,
) -> (Option<TokenStream>, TokenStream) {
    match names::count(&body, "end") {
        1 if scope.needs_end => (None, names::replace(body, "end", end)),
        _ => (scope.needs_end.then(|| quote!(let end = #end;)), body),
    }
}

/// Notes where a token starts, when the body leaves an entry state for one.
fn token_start(scope: &Scope<'_, '_>, body: &Body) -> Option<TokenStream> {
    let entry_states = &scope.context.entry_states;
    notes_start(entry_states, scope.state, body, scope.is_as_it_stands())
        .then(|| quote!(t.core.start_token(at);))
}

/// The function for the end of the input.
pub(crate) fn at_end(context: &Context<'_>) -> TokenStream {
    // States that do the same share an arm.
    let mut arms: Vec<(&Body, Vec<TokenStream>, StateId)> = Vec::new();
    let starts = |id, body| token_start(&Scope::new(context, id, Consumed::Eof), body).is_some();
    for id in context.states() {
        if let StateKind::Consume(consume) = &context.machine.states[id.0 as usize].kind {
            let eof = &consume.eof;
            let same = |(body, _, first): &&mut (&Body, Vec<TokenStream>, StateId)| {
                *body == eof && starts(*first, eof) == starts(id, eof)
            };
            match arms.iter_mut().find(same) {
                Some((_, states, _)) => states.push(context.state(id)),
                None => arms.push((eof, vec![context.state(id)], id)),
            }
        }
    }
    let all = arms
        .iter()
        .map(|(_, states, _)| states.len())
        .sum::<usize>();
    let rest = (all <= context.machine.states.len()).then(|| quote!(_ => None,));
    let arms = arms.iter().map(|(body, states, id)| {
        let mut scope = Scope::new(context, *id, Consumed::Eof);
        let start = token_start(&scope, body);
        let body = scope.body(body);
        quote!(#(#states)|* => { #start #body })
    });
    let arms: TokenStream = arms.collect();
    let at = names::mentions(&arms, "at").then(|| quote!(let at = from.at;));
    let [t, input] = names::parameters(["t", "input"], &arms);
    quote! {
        /// What each state does at the end of the input.
        #[cold]
        fn at_end<S: Sink>(
            #t: &mut Machine<S>,
            #input: Input<'_>,
            from: Step<State>,
        ) -> Option<Step<State>> {
            #at
            match from.state {
                #arms
                #rest
            }
        }
    }
}

/// The loop over the hot states, and the one over the others.
pub(crate) fn loops(context: &Context<'_>) -> TokenStream {
    let states = context.states().map(|id| {
        let is_hot = context.hot.contains(&id);
        (is_hot, context.variant(id), context.function(id))
    });
    let hot_states =
        (context.hot.iter()).map(|id| (true, context.variant(*id), context.function(*id)));
    let emissions = (context.emissions.iter()).map(|e| (e.hot, &e.variant, &e.function));
    let (mut hot, mut is_hot) = (Vec::new(), Vec::new());
    let rt = &context.runtime;
    for (_, variant, function) in hot_states.chain(emissions.clone().filter(|e| e.0)) {
        // Each round starts with the first, but for a few: so it is asked for by itself.
        let otherwise = hot
            .is_empty()
            .then(|| quote!(else { step.state = #rt::rt::opaque(step.state); }));
        is_hot.push(quote!(State::#variant));
        hot.push(quote! {
            if step.state == State::#variant {
                step = #function(t, input, step.at);
            } #otherwise
        });
    }
    let cold: Vec<_> = states
        .chain(emissions)
        .filter(|(hot, ..)| !hot)
        .map(|(_, variant, function)| quote!(State::#variant => #function(t, input, step.at),))
        .collect();
    let suspended = quote! {
        if step.state == State::Suspended {
            return step;
        }
    };
    let (rest, function) = if cold.is_empty() {
        (suspended, None)
    } else {
        let rest = quote! {
            if !::core::matches!(step.state, #(#is_hot)|*) {
                if step.state != State::Suspended {
                    step = cold(t, input, step);
                }
                #suspended
            }
        };
        (rest, Some(cold_loop(&cold, &is_hot)))
    };
    quote! {
        /// Runs until more input is needed or there is a pause. The hot states are tried in the order
        /// in which documents go through them.
        fn run<S: Sink>(t: &mut Machine<S>, input: Input<'_>, from: Step<State>) -> Step<State> {
            let mut step = from;
            loop {
                #(#hot)*
                #rest
            }
        }

        #function
    }
}

/// The loop over the states that are not hot.
fn cold_loop(cold: &[TokenStream], others: &[TokenStream]) -> TokenStream {
    // All are named: what may come is then known, and a jump by table needs no question first.
    quote! {
        /// Runs the states that documents seldom go through.
        #[inline(never)]
        fn cold<S: Sink>(t: &mut Machine<S>, input: Input<'_>, from: Step<State>) -> Step<State> {
            let mut step = from;
            loop {
                step = match step.state {
                    #(#cold)*
                    #(#others |)* State::Suspended => return step,
                };
            }
        }
    }
}
