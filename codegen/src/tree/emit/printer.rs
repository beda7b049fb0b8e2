//! What all parts of the printing share.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};

use super::super::facts::{Fact, Facts, Given};
use super::super::machine::{
    BodyId, CHARACTER, END_OF_FILE, Mode, ModeId, Renamed, ScopeId, State, StateId, Step,
    TreeMachine, Types,
};
use super::bodies::{Function, functions};
use super::idents::{Hosts, Idents};
use super::names::Names;
use crate::emit::names::{mentions, parameters, pascal};

/// Prints the parts of a machine.
pub(super) struct Printer<'m> {
    pub(super) machine: &'m TreeMachine,
    pub(super) names: Names,
    pub(super) idents: Idents,
    pub(super) hosts: Hosts,
    pub(super) functions: Vec<Function>,
    /// The kinds of tokens that the runtime does not know.
    pub(super) own_kinds: Vec<usize>,
    /// How many calls there are of each body.
    pub(super) calls: Vec<usize>,
    /// What no builder can do, in the words of the table.
    faults: RefCell<BTreeSet<String>>,
    /// The attributes that guards ask for.
    asked: RefCell<BTreeSet<String>>,
}

/// How many lists of names may change the attributes of one tag.
const ADJUSTS: usize = 3;

/// Prints the parts of one body.
pub(super) struct Printing<'p> {
    pub(super) printer: &'p Printer<'p>,
    pub(super) function: &'p Function,
}

impl<'m> Printer<'m> {
    pub(super) fn new(machine: &'m TreeMachine) -> Self {
        let idents = Idents::new(machine);
        let own_kinds = own_kinds(machine);
        Self {
            machine,
            names: Names::new(machine, &own_kinds),
            hosts: Hosts::of(machine),
            own_kinds,
            functions: functions(machine, &idents),
            idents,
            calls: calls(machine),
            faults: RefCell::default(),
            asked: RefCell::default(),
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

    /// The value of an attribute that a guard asks for.
    pub(super) fn attribute(&self, name: &str) -> TokenStream {
        self.asked.borrow_mut().insert(name.to_owned());
        quote!(t.attributes.get(#name))
    }

    /// Refuses lists that change the names of attributes otherwise than one after the other would: a builder keeps the names that
    /// the tag spells, and the first list that knows one decides.
    fn check_adjusting(&self) {
        let machine = self.machine;
        let blocks = machine.bodies.iter().flat_map(|body| &body.blocks);
        let lists = blocks
            .flat_map(|block| &block.steps)
            .filter_map(|step| match step {
                Step::AdjustAttributes(list) => Some(*list),
                _ => None,
            });
        let lists: BTreeSet<usize> = lists.collect();
        if lists.len() > ADJUSTS {
            self.refuse(&format!(
                "more than {ADJUSTS} lists that change the names of attributes"
            ));
        }
        let members = machine.sets.iter().flat_map(|set| &set.members);
        let of_sets = members.filter_map(|member| Some(member.attribute.as_ref()?.0.clone()));
        self.asked.borrow_mut().extend(of_sets);
        let entries = || lists.iter().flat_map(|&list| &machine.names[list].entries);
        let mut changed: BTreeMap<&str, Vec<&Renamed>> = BTreeMap::new();
        for (from, to) in entries() {
            changed.entry(from).or_default().push(to);
        }
        for (from, to) in entries() {
            let is_plain = to.namespace.is_none();
            let again = changed.get(&*to.local).filter(|_| is_plain);
            if again.is_some_and(|all| all.iter().any(|other| *other != to)) {
                let what = "a name of an attribute that one list changes after another";
                self.refuse(&format!("{what}: {:?}", to.local));
            }
            let asked = self.asked.borrow();
            let names = [Some(from), Some(&to.local).filter(|_| is_plain)];
            for name in names
                .into_iter()
                .flatten()
                .filter(|name| asked.contains(*name))
            {
                let what = "a question about an attribute whose name a list changes";
                self.refuse(&format!("{what}: {name:?}"));
            }
        }
    }

    /// Whether a body, or what it runs, changes the token; those that were looked at before do not.
    fn changes_token(&self, body: BodyId, seen: &mut BTreeSet<BodyId>) -> bool {
        if !seen.insert(body) {
            return false;
        }
        let mut changes = false;
        let blocks = self.machine.bodies[body].blocks.iter();
        for step in blocks.flat_map(|block| &block.steps) {
            let is_change = matches!(
                step,
                Step::Rename(_)
                    | Step::RenameBy(_)
                    | Step::AdjustAttributes(_)
                    | Step::DropAttributes
            );
            changes |= is_change;
            step.facts(&mut |fact| {
                changes |= matches!(fact, Fact::Calls(it) if self.changes_token(it, seen))
            });
        }
        changes
    }

    /// Refuses to change a token that is kept as it was.
    fn check_tokens(&self) {
        for (body, function) in self.functions.iter().enumerate() {
            if function.sorts.contains(&Given::Token)
                && self.changes_token(body, &mut BTreeSet::new())
            {
                let name = &self.machine.bodies[body].name;
                self.refuse(&format!(
                    "a change of the token where one is kept: {name:?}"
                ));
            }
        }
    }

    /// All that a builder cannot do.
    pub(super) fn faults(&self) -> Vec<String> {
        self.check_adjusting();
        self.check_tokens();
        let faults = self.faults.borrow().iter().cloned().collect::<Vec<_>>();
        faults.into_iter().chain(self.names.fault()).collect()
    }

    /// The variant of an insertion mode.
    pub(super) fn variant(&self, mode: ModeId) -> Ident {
        self.idents.variants[mode].clone()
    }

    pub(super) fn mode_name(&self, mode: ModeId) -> &'m str {
        let rules = self.machine.modes.get(mode);
        rules.map_or("", |rules| &rules.name)
    }

    /// The function of the rules of a mode.
    pub(super) fn rules(&self, mode: ModeId) -> Ident {
        self.idents.rules[mode].clone()
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

    /// A kind of tokens: one that the runtime knows, or a constant.
    pub(super) fn kind(&self, number: usize) -> TokenStream {
        let own = self.own_kinds.iter().position(|it| *it == number);
        match (number, own) {
            (CHARACTER, _) => quote!(Kind::Characters),
            (END_OF_FILE, _) => quote!(Kind::EndOfFile),
            (number, None) => {
                let name = self.machine.kinds.get(number).map_or("", |kind| &kind.name);
                let variant = pascal(name);
                quote!(Kind::#variant)
            }
            (_, Some(own)) => {
                let ident = &self.names.kinds[own];
                quote!(#ident)
            }
        }
    }

    pub(super) fn state(&self, state: StateId) -> &'m State {
        &self.machine.states[state]
    }

    /// The field of a variable or question.
    pub(super) fn field(&self, state: StateId) -> Ident {
        self.idents.fields[state].clone()
    }

    /// The type of a variable that holds words.
    pub(super) fn words(&self, state: StateId) -> Ident {
        self.idents.types[state].clone()
    }

    /// The variant of a word of a variable.
    pub(super) fn word(&self, state: StateId, word: usize) -> Ident {
        self.idents.words[state][word].clone()
    }

    /// The constant of a scope.
    pub(super) fn scope(&self, scope: ScopeId) -> Ident {
        self.names.scopes[scope].clone()
    }

    pub(super) fn ident(&self, body: BodyId) -> &Ident {
        &self.functions[body].ident
    }
}

/// The kinds of tokens that are not in the shared vocabulary.
fn own_kinds(machine: &TreeMachine) -> Vec<usize> {
    let shared = crate::vocabulary::markup();
    let kinds = shared.tokens.iter().flat_map(|token| &token.kinds);
    let shared: BTreeSet<&str> = kinds.map(|kind| kind.name.as_str()).collect();
    let is_own = |number: &usize| !shared.contains(machine.kinds[*number].name.as_str());
    (END_OF_FILE + 1..machine.kinds.len())
        .filter(is_own)
        .collect()
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

/// A function that has the builder and the token lent; `more` are its other parameters. Without `host`, the trait of its sink, it is one of
/// the rules.
pub(super) fn function(
    host: Option<&Ident>,
    ident: &Ident,
    more: &TokenStream,
    returns: Option<TokenStream>,
    body: &TokenStream,
) -> TokenStream {
    let [b, t] = parameters(["b", "t"], body);
    let sink = host.map(|host| quote!(<S: #host>));
    quote!(fn #ident #sink (#b: &mut Builder<S>, #t: &mut Token<'_> #more) #returns { #body })
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
    /// Whether an element, whose name is at hand, is of some types: a closure.
    pub(super) fn test(&self, types: &Types) -> TokenStream {
        let types = self.types(types, &quote!(name)).into_token_stream();
        let [e, name] = parameters(["e", "name"], &types);
        quote!(|#e, #name| #types)
    }

    /// The same for a call that changes the builder or the token meanwhile.
    pub(super) fn outer_test(&self, types: &Types) -> TokenStream {
        let test = self.test(types);
        self.check_beside(&test, "b");
        self.check_beside(&test, "t");
        test
    }

    /// Refuses types that need the builder or the token where a call has that lent.
    pub(super) fn check_beside(&self, types: &TokenStream, lent: &str) {
        if mentions(types, lent) {
            self.printer.refuse(
                "types that depend on an open element, where others are popped, a procedure is given them, or a place is looked at",
            );
        }
    }

    pub(super) fn slot(&self, slot: usize) -> &Ident {
        &self.function.slots[slot]
    }
}
