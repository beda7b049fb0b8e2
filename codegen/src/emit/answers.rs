//! Steps that emit more than one token to which the sink answers.

use proc_macro2::TokenStream;
use quote::quote;

use super::context::Context;
use super::names::pascal;
use crate::machine::{Action, Body, Next, Target};
use crate::uses::bodies;

/// Whether some step combines two answers.
pub(super) fn may_be_two(context: &Context<'_>) -> bool {
    let mut bodies = context.machine.states.iter().flat_map(bodies);
    bodies.any(|body| most(context, body) > 1)
}

/// The most answers on a way through a body. What is emitted last before the end of the input is not asked about.
fn most(context: &Context<'_>, body: &Body) -> usize {
    let emitted = body.actions.iter().filter(|action| match action {
        Action::Emit(token) => context.answers(*token),
        _ => false,
    });
    emitted.count()
        + match &body.next {
            Next::Go {
                target: Target::End,
                ..
            } => return 0,
            Next::Go { .. } => 0,
            Next::If {
                then, otherwise, ..
            } => most(context, then).max(most(context, otherwise)),
        }
}

/// The method that combines two answers.
pub(super) fn both(context: &Context<'_>) -> TokenStream {
    let entries = &context.machine.entries;
    let contents = entries.iter().map(|entry| {
        let content = pascal(&context.machine.vocabulary.contents[entry.content as usize]);
        quote!(Content::#content)
    });
    let known = match entries.len() {
        0 => quote!(false),
        _ => quote!(::core::matches!(content, #(#contents)|*)),
    };
    quote! {
        /// Combines the sink's answers to two tokens of one step: the later content wins, and either answer can pause.
        fn both(&mut self, answers: (Answer, Answer)) -> Answer {
            let known = [answers.0, answers.1].map(|answer| match answer {
                Answer::Switch(content) if !#known => {
                    self.core.refuse();
                    Answer::Pause
                }
                _ => answer,
            });
            match known {
                [Answer::Switch(content), Answer::Pause] => {
                    self.after_pause = self.after_pause.or(Some(content));
                    Answer::Pause
                }
                [Answer::Pause, Answer::Switch(content)] => {
                    self.after_pause = Some(content);
                    Answer::Pause
                }
                [first, later] => first.or(later),
            }
        }
    }
}
