//! The arms of a mode: a function for each, and a match over the kinds and names of tokens.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::machine::{Arm, BodyId, CHARACTER, Candidate, Exit, Mode, ModeId, Step, Tokens};
use super::bodies::Function;
use super::code::{Statements, choice};
use super::idents::{Item, named};
use super::printer::{Printer, Printing, function};
use crate::emit::names::doc_line;

/// Whether the tokens of a part are those of a kind, whatever their names, and how closely.
pub(super) fn of_kind(tokens: &Tokens, kind: usize) -> Option<usize> {
    match tokens {
        Tokens::Kind(of) => (*of == kind).then_some(0),
        Tokens::AnyOther(of) => (*of == kind).then_some(1),
        Tokens::AnythingElse => Some(2),
        Tokens::Named(..) | Tokens::Characters(_) => None,
    }
}

impl Printer<'_> {
    /// The functions of a mode, and those of its arms. `seen` are the bodies that have been printed.
    pub(super) fn mode_functions(&self, mode: ModeId, seen: &mut BTreeSet<BodyId>) -> Vec<Item> {
        let machine = self.machine;
        let rules = &machine.modes[mode];
        let mut functions = Vec::new();
        let mut arms = Vec::new();
        for number in 0..machine.kinds.len() {
            let names = named(rules, number);
            let by_kind = rules.candidates(&|tokens| of_kind(tokens, number));
            let leaf = match self.by_kind(mode, number) {
                Some(name) => {
                    let function = match number {
                        CHARACTER => self.characters(mode, name),
                        _ => self.by_name(mode, number, name, &names),
                    };
                    functions.push((Some(name.clone()), function));
                    quote!(#name(b, t))
                }
                None => self.leaf(number, &by_kind),
            };
            arms.push((number, leaf));
        }
        // What most kinds come to stands last.
        let shown: Vec<_> = arms.iter().map(|(_, leaf)| leaf.to_string()).collect();
        let times = |leaf: &String| shown.iter().filter(|it| *it == leaf).count();
        let most = shown
            .iter()
            .max_by_key(|it| times(it))
            .filter(|it| times(it) > 1)
            .cloned();
        let others = arms
            .iter()
            .zip(&shown)
            .filter(|(_, it)| Some(*it) != most.as_ref());
        let others = others.map(|((number, leaf), _)| {
            let kind = self.kind(*number);
            quote!(#kind => { #leaf })
        });
        let last = arms
            .iter()
            .zip(&shown)
            .find(|(_, it)| Some(*it) == most.as_ref());
        let last = last.map_or(TokenStream::new(), |((_, leaf), _)| leaf.clone());
        let doc = doc_line(&format!(" The rules of {:?}.", rules.name));
        let ident = self.rules(mode);
        let mut bodies = Vec::new();
        for arm in &rules.arms {
            if seen.insert(arm.body) {
                let doc = format!(
                    "{:?}: {}",
                    rules.name,
                    arm.key.split_whitespace().collect::<Vec<_>>().join(" ")
                );
                bodies.push(self.body_item(arm.body, &doc));
            }
        }
        let rules = quote!(match t.kind { #(#others)* _ => { #last } });
        let rules = function(
            Some(&self.hosts.bound),
            &ident,
            &TokenStream::new(),
            None,
            &rules,
        );
        let rules = quote!(#[doc = #doc] #[inline(always)] #rules);
        let mut all = vec![(Some(ident), rules)];
        all.append(&mut functions);
        all.append(&mut bodies);
        all
    }

    /// The function of a body as an item.
    pub(super) fn body_item(&self, body: BodyId, doc: &str) -> Item {
        (Some(self.ident(body).clone()), self.body(body, doc))
    }

    /// The function for the tokens of a kind in a mode, if they are told apart.
    fn by_kind(&self, mode: ModeId, number: usize) -> Option<&Ident> {
        self.idents.by_kind.get(&(mode, number))
    }

    fn by_name(&self, mode: ModeId, number: usize, ident: &Ident, names: &[&str]) -> TokenStream {
        let rules = &self.machine.modes[mode];
        let mut groups: Vec<(String, TokenStream, Vec<TokenStream>)> = Vec::new();
        for name in names {
            let all = rules.candidates(&|tokens| match tokens {
                Tokens::Named(of, list) => {
                    (*of == number && list.iter().any(|it| it == name)).then_some(0)
                }
                tokens => of_kind(tokens, number),
            });
            let leaf = self.leaf(number, &all);
            let (shown, name) = (leaf.to_string(), self.names.local(name));
            match groups.iter_mut().find(|group| group.0 == shown) {
                Some(group) => group.2.push(name),
                None => groups.push((shown, leaf, vec![name])),
            }
        }
        let others = self.leaf(number, &rules.candidates(&|tokens| of_kind(tokens, number)));
        groups.retain(|group| group.0 != others.to_string());
        let arms = groups
            .iter()
            .map(|(_, leaf, names)| quote!(#(#names)|* => { #leaf }));
        let kind = &self.machine.kinds[number].name;
        let doc = doc_line(&format!(
            " The rules of {:?} for {kind} tokens.",
            rules.name
        ));
        let rules = quote!(match t.name { #(#arms)* _ => { #others } });
        let rules = function(
            Some(&self.hosts.bound),
            ident,
            &TokenStream::new(),
            None,
            &rules,
        );
        quote!(#[doc = #doc] #rules)
    }

    /// The first of some arms that may take the token.
    pub(super) fn leaf(&self, number: usize, candidates: &[Candidate<'_>]) -> TokenStream {
        let Some(((guard, arm), others)) = candidates.split_first() else {
            return TokenStream::new();
        };
        let call = self.run(number, arm);
        let Some(guard) = guard else { return call };
        let nothing = Function::none();
        let guard = self.outside(&nothing).guard(guard);
        let others = self.leaf(number, others);
        let [call, others] = [call, others].map(Statements::of);
        choice(guard, call, others).into_tokens()
    }

    /// Runs an arm; what only hands the token on is left out.
    fn run(&self, number: usize, arm: &Arm) -> TokenStream {
        match self.delegates(arm.body) {
            Some(to) => self.rules_for(to, number),
            None => self.arm(arm.body),
        }
    }

    /// Runs the body of an arm. One step needs no function.
    pub(super) fn arm(&self, id: BodyId) -> TokenStream {
        let (body, function) = (&self.machine.bodies[id], &self.functions[id]);
        let printing = Printing {
            printer: self,
            function,
        };
        let step = match &body.blocks[..] {
            [block] => match (&block.steps[..], &block.exit) {
                ([Step::ParseError], Exit::Done) => Some(quote!(b.error(t, None))),
                ([Step::SwitchTo(mode)], Exit::Done) if *mode != Mode::Current => {
                    let mode = self.mode(*mode);
                    Some(quote!(b.mode = #mode))
                }
                ([Step::Run(call)], Exit::Done) if self.functions[call.body].returns.is_none() => {
                    let (before, call) = printing.call(call);
                    before.is_empty().then_some(call)
                }
                ([], Exit::ActAs(mode, arm)) => {
                    let arm = self.ident(self.machine.body_of(*mode, *arm));
                    Some(quote!(#arm(b, t)))
                }
                ([], Exit::StopParsing) => Some(quote!(b.stop(t))),
                _ => None,
            },
            _ => None,
        };
        step.unwrap_or_else(|| {
            let ident = &function.ident;
            quote!(#ident(b, t))
        })
    }

    /// The rules to which a body only hands the token on.
    pub(super) fn delegates(&self, body: BodyId) -> Option<ModeId> {
        let body = &self.machine.bodies[body];
        let [block] = &body.blocks[..] else {
            return None;
        };
        match (&block.steps[..], &block.exit) {
            ([Step::UseRules(Mode::Named(mode))], Exit::Done) => Some(*mode),
            ([], Exit::ReprocessUsing(Mode::Named(mode))) => Some(*mode),
            _ => None,
        }
    }

    /// The rules of a mode for tokens of a kind.
    fn rules_for(&self, mode: ModeId, number: usize) -> TokenStream {
        let of_mode = || self.rules(mode);
        let ident = self.by_kind(mode, number).cloned().unwrap_or_else(of_mode);
        quote!(#ident(b, t))
    }
}
