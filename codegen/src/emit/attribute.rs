//! Whole attributes: one pass, and one call when the end is found.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::context::Context;
use super::patterns;
use super::scan_sets::{ScanSets, byte};
use crate::analyse::attribute::{WholeAttribute, whole_attribute};
use crate::analyse::newline;
use crate::analyse::scan::self_loop;
use crate::charset::CharSet;
use crate::machine::StateId;

/// The loop over whole attributes from a state on, if its table has such a way. It ends with `at` where an
/// attribute starts that is not as most are, or none.
pub(super) fn whole_attributes(
    context: &Context<'_>,
    sets: &mut ScanSets,
    id: StateId,
) -> Option<TokenStream> {
    let whole = whole_attribute(context.machine, &context.hot, id).ok()?;
    let mut find = |state, at| {
        let run = self_loop(context.machine, state).ok()?;
        Some(sets.find(context, state, "", &run.stops, at))
    };
    let find_name = find(whole.name, quote!(at))?;
    let find_value = find(whole.value, quote!(value))?;
    let attributes = context.attributes_place(whole.token);
    let (name_state, value_state) = (context.state(whole.name), context.state(whole.value));
    let length = Literal::usize_unsuffixed(whole.between.len());
    let leads = whole.between.iter().enumerate().map(|(index, between)| {
        let between = byte(*between);
        match index {
            0 => quote!(input.byte(name) == Some(#between)),
            _ => {
                let index = Literal::usize_unsuffixed(index);
                quote!(input.byte(name + #index) == Some(#between))
            }
        }
    });
    let close = byte(whole.close);
    let errors: TokenStream = (whole.duplicate.iter())
        .map(|id| context.error(*id))
        .map(|code| quote!(t.core.error(input, #code, name);))
        .collect();
    let again = again(context, &whole);
    let apart = CharSet::from_ranges(whole.apart.iter().map(|c| (*c as u32, *c as u32)));
    let apart =
        patterns::bytes(&apart).map(|set| quote!(|| ::core::matches!(input.byte(at), Some(#set))));
    Some(quote! {
        let mut at = at;
        loop {
            let name = #find_name;
            if name == at #apart {
                break;
            }
            if !(#(#leads)&&*) {
                #attributes.start(input, at);
                #attributes.name.push_run(input, at, name);
                return Step::to(#name_state, name);
            }
            let value = name + #length;
            let end = #find_value;
            if input.byte(end) != Some(#close) {
                #attributes.start(input, at);
                #attributes.name.push_run(input, at, name);
                if #attributes.is_duplicate(input) {
                    #errors
                    #attributes.drop_current();
                }
                #attributes.value.push_run(input, value, end);
                return Step::to(#value_state, end);
            }
            if !#attributes.add(input, (at, name), (value, end)) {
                #errors
            }
            at = end + 1;
            #again
        }
    })
}

/// Goes on to the next attribute, or leaves.
fn again(context: &Context<'_>, whole: &WholeAttribute<'_>) -> Option<TokenStream> {
    let arm = whole.again?;
    let mut set = arm.set.clone();
    if context.machine.preprocessing.normalize_newlines && set.contains('\n') {
        let newline = CharSet::single('\n');
        set = if newline::is_taken_as_lf(context.machine, arm) {
            set.union(&CharSet::single('\r'))
        } else {
            set.difference(&newline)
        };
    }
    let (pattern, behind) = (patterns::bytes(&set), context.state(whole.behind));
    Some(quote! {
        match input.byte(at) {
            Some(#pattern) => at += 1,
            _ => return Step::to(#behind, at),
        }
    })
}
