//! What all parts of the printing share.

use std::cell::RefCell;
use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::facts::{Fact, Facts};
use super::super::machine::{
    BodyId, CHARACTER, Call, END_OF_FILE, Holds, Mode, ModeId, ScopeId, State, StateId,
    TreeMachine, Value,
};
use super::bodies::{Function, functions};
use super::names::Names;
use crate::emit::names::{pascal, shouting, snake};

/// Prints the parts of a machine.
pub(super) struct Printer<'m> {
    pub(super) machine: &'m TreeMachine,
    pub(super) names: Names,
    pub(super) functions: Vec<Function>,
    /// How many calls there are of each body.
    pub(super) calls: Vec<usize>,
    /// What no builder can do, in the words of the table.
    faults: RefCell<BTreeSet<String>>,
}

/// Prints the parts of one body.
pub(super) struct Printing<'p> {
    pub(super) printer: &'p Printer<'p>,
    pub(super) function: &'p Function,
}

impl<'m> Printer<'m> {
    pub(super) fn new(machine: &'m TreeMachine) -> Self {
        Self {
            machine,
            names: Names::default(),
            functions: functions(machine),
            calls: calls(machine),
            faults: RefCell::default(),
        }
    }

    /// The printing of a guard that is in no body.
    pub(super) fn outside<'p>(&'p self, nothing: &'p Function) -> Printing<'p>
    where
        'm: 'p,
    {
        Printing {
            printer: self,
            function: nothing,
        }
    }

    /// Notes what a builder cannot do. The tokens do nothing.
    pub(super) fn refuse(&self, what: &str) -> TokenStream {
        self.faults.borrow_mut().insert(what.to_owned());
        quote!(None)
    }

    /// All that a builder cannot do.
    pub(super) fn faults(&self) -> Vec<String> {
        let faults = self.faults.borrow().iter().cloned().collect::<Vec<_>>();
        faults.into_iter().chain(self.names.fault()).collect()
    }

    /// The variant of an insertion mode.
    pub(super) fn variant(&self, mode: ModeId) -> Ident {
        pascal(self.mode_name(mode))
    }

    pub(super) fn mode_name(&self, mode: ModeId) -> &'m str {
        let rules = self.machine.modes.get(mode);
        rules.map_or("", |rules| &rules.name)
    }

    /// The function of the rules of a mode.
    pub(super) fn rules(&self, mode: ModeId) -> Ident {
        snake(self.mode_name(mode))
    }

    /// The insertion mode that is meant.
    pub(super) fn mode(&self, mode: Mode) -> TokenStream {
        match mode {
            Mode::Named(mode) => {
                let variant = self.variant(mode);
                quote!(Mode::#variant)
            }
            Mode::Current => quote!(b.mode),
            Mode::Original => quote!(b.original_mode),
            Mode::CurrentTemplate => quote!(b.current_template_mode()),
        }
    }

    pub(super) fn state(&self, state: StateId) -> &'m State {
        &self.machine.states[state]
    }

    /// The field of a variable or question.
    pub(super) fn field(&self, state: StateId) -> Ident {
        snake(&self.state(state).name)
    }

    /// The type of a variable that holds words.
    pub(super) fn words(&self, state: StateId) -> Ident {
        pascal(&self.state(state).name)
    }

    /// The variant of a word of a variable.
    pub(super) fn word(&self, state: StateId, word: usize) -> Ident {
        match &self.state(state).holds {
            Holds::Words(words) => pascal(&words[word]),
            Holds::Node | Holds::Truth => pascal("none"),
        }
    }

    /// The constant of a scope.
    pub(super) fn scope(&self, scope: ScopeId) -> Ident {
        shouting(&self.machine.scopes[scope].name)
    }

    /// The function of a list of conditions of a document mode.
    pub(super) fn quirks(&self, list: usize) -> Ident {
        snake(&format!("matches {}", self.machine.quirks[list].0))
    }

    pub(super) fn ident(&self, body: BodyId) -> &Ident {
        &self.functions[body].ident
    }
}

fn calls(machine: &TreeMachine) -> Vec<usize> {
    let mut calls = vec![0; machine.bodies.len()];
    let mut note = |fact| {
        if let Fact::Calls(body) = fact {
            calls[body] += 1;
        }
    };
    for block in machine.bodies.iter().flat_map(|body| &body.blocks) {
        block.steps.iter().for_each(|step| step.facts(&mut note));
        block.exit.facts(&mut note);
    }
    calls
}

/// The variant of a kind of tokens.
pub(super) fn kind(machine: &TreeMachine, number: usize) -> TokenStream {
    let name = machine.kinds.get(number).map_or("", |kind| &kind.name);
    match (number, name) {
        (CHARACTER, _) => quote!(Kind::Characters),
        (END_OF_FILE, _) => quote!(Kind::EndOfFile),
        (_, name) => {
            let variant = crate::emit::names::pascal(name);
            quote!(Kind::#variant)
        }
    }
}

/// Ranges as a pattern.
pub(super) fn pattern(class: &[(char, char)]) -> TokenStream {
    let ranges = class.iter().map(|&(first, last)| match first == last {
        true => quote!(#first),
        false => quote!(#first..=#last),
    });
    quote!(#(#ranges)|*)
}

impl Printing<'_> {
    /// A call of a procedure, with what stands in front of it.
    pub(super) fn call(&self, call: &Call) -> (TokenStream, TokenStream) {
        let (mut before, mut arguments) = (TokenStream::new(), TokenStream::new());
        let callee = &self.printer.functions[call.body];
        for (slot, value) in call.arguments.iter().enumerate() {
            let value = match value {
                Value::Types(types) => {
                    let types = self.types(types, &quote!(name));
                    quote!(|e, name| #types)
                }
                value => self.value(value, callee.sorts[slot]),
            };
            // The builder is lent to the procedure before its arguments are looked at.
            if crate::emit::names::mentions(&value, "b") {
                let name = &callee.slots[slot];
                before.extend(quote!(let #name = #value;));
                arguments.extend(quote!(, #name));
            } else {
                arguments.extend(quote!(, #value));
            }
        }
        let ident = &callee.ident;
        (before, quote!(#ident(b, t #arguments)))
    }

    /// A call as an expression.
    pub(super) fn call_value(&self, call: &Call) -> TokenStream {
        let (before, call) = self.call(call);
        match before.is_empty() {
            true => call,
            false => quote!({ #before #call }),
        }
    }

    pub(super) fn slot(&self, slot: usize) -> &Ident {
        &self.function.slots[slot]
    }
}
