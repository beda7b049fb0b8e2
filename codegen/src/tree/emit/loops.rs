//! Loops up the stack: they go from one element that they look for to the next, and they end.

use std::cell::Cell;
use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::super::facts::{Fact, Facts};
use super::super::machine::{
    BlockId, Body, ElementName, Exit, Guard, Namespace, Node, SlotId, Space, Step, Types,
};
use super::flow::Graph;
use super::printer::Printing;

/// Elements that are looked for.
#[derive(Default)]
pub(super) struct Sought {
    elements: BTreeSet<ElementName>,
    html: bool,
    /// Types that depend on the token.
    types: Vec<TokenStream>,
}

impl Printing<'_> {
    /// "Set NODE to the previous entry in the stack": in a loop that only looks for some elements, the nearest of these.
    pub(super) fn previous(&self, body: &Body, block: BlockId, slot: SlotId) -> TokenStream {
        let name = self.slot(slot);
        let above = match self.looked_for(body, block, slot) {
            Some(sought) => {
                let types = &sought.types;
                let sought = self.sought(&sought, false);
                quote!(nearest_above(it.serial, #sought, &[#(#types),*]))
            }
            None => quote!(above(it.serial)),
        };
        // Without an element the loop would not end.
        let is_null = |guard: &Guard| match guard {
            Guard::Is(Node::Slot(it), _) | Guard::IsIn(Node::Slot(it), _) if *it == slot => {
                Some(false)
            }
            Guard::IsNull(Node::Slot(it)) if *it == slot => Some(true),
            _ => None,
        };
        let end = self.end_if_endless(body, block, &quote!(#name.is_none()), &is_null, &|_| false);
        quote! {
            #name = #name.as_ref().and_then(|it| b.stack.#above).cloned();
            #end
        }
    }

    /// "Pop the current node": a loop that would not end without one ends.
    pub(super) fn pop(&self, body: &Body, block: BlockId) -> TokenStream {
        let is_null = |guard: &Guard| match guard {
            Guard::Is(Node::Current, _) => Some(false),
            Guard::IsNull(Node::Current) | Guard::IsEmpty(_) => Some(true),
            _ => None,
        };
        let pushes = |step: &Step| matches!(step, Step::Push(_) | Step::Run(_));
        let end = self.end_if_endless(body, block, &quote!(b.stack.is_empty()), &is_null, &pushes);
        quote!(b.pop(t); #end)
    }

    fn end_if_endless(
        &self,
        body: &Body,
        block: BlockId,
        is_null: &TokenStream,
        decide: &dyn Fn(&Guard) -> Option<bool>,
        changes: &dyn Fn(&Step) -> bool,
    ) -> TokenStream {
        if !ways(body, block, decide, &|_| None, changes).contains(&block) {
            return TokenStream::new();
        }
        let nothing = self.nothing();
        quote!(if #is_null { return #nothing; })
    }

    /// Whether a loop of the body goes from one element that it looks for to the next.
    pub(super) fn searches(&self, body: &Body) -> bool {
        let mut blocks = body.blocks.iter().enumerate();
        blocks.any(|(number, block)| {
            block.steps.iter().any(|step| match step {
                Step::SetPrevious(slot) => self.looked_for(body, number, *slot).is_some(),
                _ => false,
            })
        })
    }

    /// The elements that a loop looks for, if it only skips all others. For example, it looks for `li` elements and special ones.
    fn looked_for(&self, body: &Body, block: BlockId, slot: SlotId) -> Option<Sought> {
        if body.blocks[block].steps.len() > 1 {
            return None;
        }
        let (sought, is_known) = (std::cell::RefCell::new(Sought::default()), Cell::new(true));
        let decide = |guard: &Guard| {
            let is_found = match guard {
                Guard::Is(Node::Slot(it), types) if *it == slot => {
                    self.add(&mut sought.borrow_mut(), types)
                }
                Guard::HasTagNameOfToken(Node::Slot(it)) if *it == slot => {
                    let names = &self.printer.names;
                    let all = [Space::Html, Space::MathMl, Space::Svg].map(|it| names.space(it));
                    let types = &mut sought.borrow_mut().types;
                    for space in all {
                        types.push(quote!(Type::new(#space, t.name)));
                        types.push(quote!(Type::new(#space, raised(t.name))));
                    }
                    names.needs_raised()
                }
                Guard::Same(Node::Slot(it), Node::Top) | Guard::Same(Node::Top, Node::Slot(it))
                    if *it == slot =>
                {
                    true
                }
                guard => {
                    guard.facts(&mut |fact| {
                        is_known.set(is_known.get() && fact != Fact::Reads(slot))
                    });
                    return None;
                }
            };
            is_known.set(is_known.get() && is_found);
            Some(false)
        };
        let asked = |at: BlockId| asked_before(body, at, block);
        let ways = ways(body, block, &decide, &asked, &|_| false);
        let does_nothing = |it: &BlockId| {
            let is_way = matches!(body.blocks[*it].exit, Exit::Go(_) | Exit::If { .. });
            *it == block || body.blocks[*it].steps.is_empty() && is_way
        };
        let comes_back = ways.contains(&block) && ways.iter().all(does_nothing);
        (comes_back && is_known.get()).then(|| sought.into_inner())
    }

    /// Adds types to what is looked for; `false` if that cannot be.
    fn add(&self, sought: &mut Sought, types: &Types) -> bool {
        match types {
            Types::SameName => sought.types.push(quote!(Type::html(t.name))),
            Types::Named(name) => {
                let name = self.name(name);
                sought.types.push(quote!(Type::html(#name)));
            }
            Types::In(namespace) if matches!(**namespace, Namespace::Fixed(Space::Html)) => {
                sought.html = true;
            }
            Types::Any(any) => return any.iter().all(|types| self.add(sought, types)),
            types => match self.elements(types) {
                Some(elements) => sought.elements.extend(elements),
                None => return false,
            },
        }
        true
    }

    /// The elements of types, if that is known and depends on no attribute.
    fn elements(&self, types: &Types) -> Option<BTreeSet<ElementName>> {
        match types {
            Types::Names(names) => Some(names.iter().cloned().collect()),
            Types::Set(set) => {
                let members = self.printer.machine.sets[*set].members.iter();
                let elements = members.map(|it| it.attribute.is_none().then(|| it.element.clone()));
                elements.collect()
            }
            Types::Any(any) => {
                let all = any.iter().map(|types| self.elements(types));
                let all: Option<Vec<_>> = all.collect();
                Some(all?.into_iter().flatten().collect())
            }
            Types::ButNot(one, not) => {
                let (one, not) = (self.elements(one)?, self.elements(not)?);
                Some(one.difference(&not).cloned().collect())
            }
            Types::Slot(_)
            | Types::SameName
            | Types::Named(_)
            | Types::NamedAny(_)
            | Types::In(_) => None,
        }
    }

    /// What is looked for, as a value.
    fn sought(&self, sought: &Sought, others: bool) -> TokenStream {
        let Sought { elements, html, .. } = sought;
        let elements: Vec<_> = elements.iter().cloned().collect();
        let sets = match elements.is_empty() {
            true => quote!(0),
            false => self.printer.names.list(&elements),
        };
        let (html, others) = (
            html.then(|| quote!(.or_html())),
            others.then(|| quote!(.others())),
        );
        quote!(Sought::in_sets(#sets) #html #others)
    }

    /// Elements of these types, or all others, as what is looked for on the stack.
    pub(super) fn sought_on_stack(&self, types: &Types, others: bool) -> TokenStream {
        let mut sought = Sought::default();
        match self.add(&mut sought, types) && sought.types.is_empty() {
            true => self.sought(&sought, others),
            false => self
                .printer
                .refuse("a search on the stack for types that the token decides"),
        }
    }
}

/// The blocks that may follow another one, up to itself and to those that write a slot or change more. `decide` knows the answers to
/// some guards, `asked` those at the end of some blocks.
fn ways(
    body: &Body,
    from: BlockId,
    decide: &dyn Fn(&Guard) -> Option<bool>,
    asked: &dyn Fn(BlockId) -> Option<bool>,
    changes: &dyn Fn(&Step) -> bool,
) -> BTreeSet<BlockId> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(block) = open.pop() {
        let it = &body.blocks[block];
        let mut writes = false;
        for step in &it.steps {
            step.facts(&mut |fact| writes |= matches!(fact, Fact::Writes(_)));
            writes |= changes(step);
        }
        if writes && block != from {
            continue;
        }
        let next = match &it.exit {
            Exit::Go(to) => [Some(*to), None],
            Exit::If { guard, yes, no } => match answer(guard, decide).or_else(|| asked(block)) {
                Some(true) => [Some(*yes), None],
                Some(false) => [Some(*no), None],
                None => [Some(*yes), Some(*no)],
            },
            _ => continue,
        };
        for next in next.into_iter().flatten() {
            if found.insert(next) && next != from {
                open.push(next);
            }
        }
    }
    found
}

/// The answer to the guard at the end of a block, if only that leads to another block, nothing is done on the way, and there is
/// no other way: that was the answer whenever the other block is reached.
fn asked_before(body: &Body, at: BlockId, to: BlockId) -> Option<bool> {
    let Exit::If { yes, no, .. } = &body.blocks[at].exit else {
        return None;
    };
    if !Graph::of(body).dominates(at, to) {
        return None;
    }
    // What is reached from a block, without going through one of the two.
    let leads = |from: BlockId| {
        let (mut found, mut open) = (BTreeSet::from([from]), vec![from]);
        while let Some(block) = open.pop() {
            let next = match &body.blocks[block].exit {
                _ if block == to => continue,
                Exit::Go(next) => vec![*next],
                Exit::If { yes, no, .. } => vec![*yes, *no],
                _ => continue,
            };
            open.extend(next.into_iter().filter(|it| *it != at && found.insert(*it)));
        }
        found
    };
    let does_nothing = |it: &BlockId| *it == to || body.blocks[*it].steps.is_empty();
    match [leads(*yes), leads(*no)].map(|it| it.contains(&to).then_some(it)) {
        [Some(way), None] => way.iter().all(does_nothing).then_some(true),
        [None, Some(way)] => way.iter().all(does_nothing).then_some(false),
        _ => None,
    }
}

/// The answer to a guard, if it follows from those that are known.
fn answer(guard: &Guard, decide: &dyn Fn(&Guard) -> Option<bool>) -> Option<bool> {
    match guard {
        Guard::Not(guard) => answer(guard, decide).map(|it| !it),
        Guard::All(guards) => {
            let answers: Vec<_> = guards.iter().map(|it| answer(it, decide)).collect();
            match answers.contains(&Some(false)) {
                true => Some(false),
                false => answers.iter().all(|it| *it == Some(true)).then_some(true),
            }
        }
        Guard::Any(guards) => {
            let answers: Vec<_> = guards.iter().map(|it| answer(it, decide)).collect();
            match answers.contains(&Some(true)) {
                true => Some(true),
                false => answers.iter().all(|it| *it == Some(false)).then_some(false),
            }
        }
        guard => decide(guard),
    }
}
