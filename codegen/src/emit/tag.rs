//! Whole tags: where one that has only a name ends, the sink gets it.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::scan_sets::{ScanSets, byte};
use crate::analyse::scan::self_loop;
use crate::analyse::whole_tag::whole_tag;
use crate::machine::{Action, Arm, StateId};

use super::flow::PutBack;
use super::scope::{Consumed, Scope};

/// The body of an arm that creates a tag, if the tag may be whole. A tree builder takes it so; in a larger sink, which is compiled into
/// each place where it is called, two places cost more than this saves.
pub(super) fn whole_tags(
    context: &Context<'_>,
    sets: &mut ScanSets,
    id: StateId,
    arm: &Arm,
) -> Option<TokenStream> {
    let whole = whole_tag(context.machine, &context.hot, id, arm)?;
    let run = self_loop(context.machine, whole.name).ok()?;
    let end = sets.find(context, whole.name, "", &run.stops, quote!(at));
    let (close, next) = (byte(whole.close), context.state(whole.next));
    let emit = context.emit_whole_function(whole.token, whole.kind);
    let emitted = match context.answers(whole.token) {
        true => quote! {
            let answer = t.#emit(input, at, end);
            return Step::to(t.answer(answer, #next), end + 1);
        },
        false => quote! {
            t.#emit(input, at, end);
            return Step::to(#next, end + 1);
        },
    };
    let create = Action::Create(whole.token, whole.kind);
    let create = Scope::new(context, id, Consumed::Peeked).action(&create, PutBack::Character);
    let place = context.field_place(whole.field);
    let after = context.after_run(whole.name)?;
    Some(quote! {
        let end = #end;
        if !S::FEEDBACK && end > at && input.byte(end) == Some(#close) { #emitted }
        #create
        #place.push_run(input, at, end);
        #after(t, input, end)
    })
}
