//! Blocks of a body as structured Rust: `if`, `loop`, and labels where neither is enough.
//!
//! The way is that of "Beyond Relooper" (Ramsey 2022): what a block dominates is printed inside or behind it, and a block that
//! several ways lead to stands behind a labelled block that these ways leave. A body whose loops have two entrances becomes
//! a loop over the numbers of its blocks.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use super::super::machine::{BlockId, Body, Exit};
use super::code::{Condition, Statements, choice};

/// What prints the parts of a body.
pub(super) trait Parts {
    /// The steps of a block.
    fn steps(&self, block: BlockId) -> TokenStream;
    /// The condition by which a block chooses between two others.
    fn guard(&self, block: BlockId) -> Condition;
    /// What ends the body: it leaves the function, unless it is at its end anyway.
    fn end(&self, block: BlockId, is_last: bool) -> Statements;
}

/// The body of a function.
pub(super) fn print(body: &Body, graph: &Graph, parts: &dyn Parts) -> TokenStream {
    if !graph.is_reducible() {
        return numbered(body, graph, parts);
    }
    let structured = Structured {
        graph,
        body,
        parts,
        behind_loops: RefCell::default(),
    };
    structured.tree(0, &Around::default(), true).into_tokens()
}

/// A loop over the numbers of the blocks that several ways lead to; what only one way leads to is inside the block before it.
fn numbered(body: &Body, graph: &Graph, parts: &dyn Parts) -> TokenStream {
    let heads = (0..body.blocks.len()).filter(|&it| it == 0 || graph.is_met(it));
    let arms = heads.map(|head| {
        let inner = numbered_block(head, body, graph, parts).into_tokens();
        let head = Literal::usize_unsuffixed(head);
        quote!(#head => { #inner })
    });
    quote! {
        let mut step = 0;
        loop {
            match step {
                #(#arms)*
                _ => break,
            }
        }
    }
}

fn numbered_block(block: BlockId, body: &Body, graph: &Graph, parts: &dyn Parts) -> Statements {
    let steps = Statements::of(parts.steps(block));
    let to = |to: BlockId| match graph.is_met(to) {
        true => {
            let to = Literal::usize_unsuffixed(to);
            Statements::of(quote!(step = #to;))
        }
        false => numbered_block(to, body, graph, parts),
    };
    let exit = match &body.blocks[block].exit {
        Exit::Go(next) => to(*next),
        Exit::If { yes, no, .. } => choice(parts.guard(block), to(*yes), to(*no)),
        _ => parts.end(block, false),
    };
    steps.then(exit)
}

/// The blocks of a body and the ways between them.
pub(super) struct Graph {
    pub(super) to: Vec<Vec<BlockId>>,
    pub(super) from: Vec<Vec<BlockId>>,
    /// The place of each block in a reverse postorder; none for what is not reached.
    order: Vec<Option<usize>>,
    /// The immediate dominator of each block.
    dominator: Vec<BlockId>,
    /// How many edges lead to a block that do not come from a loop around it.
    forward: Vec<usize>,
    heads_loop: Vec<bool>,
}

impl Graph {
    pub(super) fn of(body: &Body) -> Self {
        let to: Vec<Vec<BlockId>> = (body.blocks.iter())
            .map(|block| match &block.exit {
                Exit::Go(to) => vec![*to],
                Exit::If { yes, no, .. } => vec![*yes, *no],
                _ => Vec::new(),
            })
            .collect();
        let mut postorder = Vec::new();
        let mut seen = BTreeSet::from([0]);
        let mut way = vec![(0, 0)];
        while let Some((block, next)) = way.pop() {
            match to[block].get(next) {
                Some(&successor) => {
                    way.push((block, next + 1));
                    if seen.insert(successor) {
                        way.push((successor, 0));
                    }
                }
                None => postorder.push(block),
            }
        }
        let mut order = vec![None; to.len()];
        let reached: Vec<BlockId> = postorder.into_iter().rev().collect();
        for (place, &block) in reached.iter().enumerate() {
            order[block] = Some(place);
        }
        let mut from = vec![Vec::new(); to.len()];
        for &block in &reached {
            to[block].iter().for_each(|&it| from[it].push(block));
        }
        // The algorithm of Cooper, Harvey and Kennedy.
        let mut dominator: Vec<Option<BlockId>> = vec![None; to.len()];
        dominator[0] = Some(0);
        let mut has_changed = true;
        while std::mem::take(&mut has_changed) {
            for &block in reached.iter().skip(1) {
                let mut common: Option<BlockId> = None;
                for &before in from[block].iter().filter(|&&it| dominator[it].is_some()) {
                    common = Some(match common {
                        None => before,
                        Some(other) => nearest(&dominator, &order, before, other),
                    });
                }
                if dominator[block] != common {
                    dominator[block] = common;
                    has_changed = true;
                }
            }
        }
        let is_back = |at: BlockId, to: BlockId| order[at] >= order[to];
        let count = |block: BlockId| {
            from[block]
                .iter()
                .filter(|&&it| !is_back(it, block))
                .count()
        };
        Self {
            forward: (0..to.len()).map(count).collect(),
            heads_loop: (0..to.len())
                .map(|block| from[block].iter().any(|&it| is_back(it, block)))
                .collect(),
            dominator: dominator.into_iter().map(|it| it.unwrap_or(0)).collect(),
            from,
            to,
            order,
        }
    }

    fn is_back(&self, from: BlockId, to: BlockId) -> bool {
        self.order[from] >= self.order[to]
    }

    /// A block, and those that all paths to it go through.
    pub(super) fn dominators(&self, block: BlockId) -> impl Iterator<Item = BlockId> {
        let above = |block: &BlockId| (*block != 0).then(|| self.dominator[*block]);
        std::iter::successors(Some(block), above)
    }

    /// Whether all paths to a block go through another.
    pub(super) fn dominates(&self, above: BlockId, block: BlockId) -> bool {
        self.dominators(block).any(|it| it == above)
    }

    /// Whether each loop is entered by its first block only.
    pub(super) fn is_reducible(&self) -> bool {
        self.second_entrance().is_none()
    }

    /// The ends of an edge that closes a loop which is entered elsewhere, too.
    pub(super) fn second_entrance(&self) -> Option<(BlockId, BlockId)> {
        let edges = self.to.iter().enumerate();
        let mut edges = edges.flat_map(|(at, to)| to.iter().map(move |to| (at, *to)));
        edges.find(|&(at, to)| {
            self.order[at].is_some() && self.is_back(at, to) && !self.dominates(to, at)
        })
    }

    /// The blocks of the loop that a block heads.
    fn in_loop(&self, head: BlockId) -> BTreeSet<BlockId> {
        let blocks = 0..self.to.len();
        let ends = blocks.filter(|&it| {
            self.order[it].is_some() && self.to[it].contains(&head) && self.is_back(it, head)
        });
        let mut todo: Vec<BlockId> = ends.collect();
        let mut inside = BTreeSet::from([head]);
        while let Some(block) = todo.pop() {
            if inside.insert(block) {
                todo.extend(self.from[block].iter().copied());
            }
        }
        inside
    }

    /// Whether there is a loop.
    pub(super) fn has_loop(&self) -> bool {
        self.heads_loop.contains(&true)
    }

    /// Whether several ways lead to a block.
    fn is_met(&self, block: BlockId) -> bool {
        self.from[block].len() > 1
    }

    /// Whether each loop in which a block stands is around another, too.
    pub(super) fn shares_loops(&self, block: BlockId, other: BlockId) -> bool {
        let mut heads = (0..self.to.len()).filter(|&it| self.heads_loop[it]);
        heads.all(|head| {
            let behind = self.behind_loop(head);
            let stands_in = |block: BlockId| {
                let is_behind = behind.is_some_and(|behind| self.dominates(behind, block));
                self.dominates(head, block) && !is_behind
            };
            !stands_in(block) || stands_in(other)
        })
    }

    /// The block that a loop leads to when it ends, if that is to stand behind it.
    fn behind_loop(&self, head: BlockId) -> Option<BlockId> {
        let inside = self.in_loop(head);
        let blocks = (1..self.to.len()).filter(|it| {
            self.order[*it].is_some()
                && !inside.contains(it)
                && inside.contains(&self.dominator[*it])
        });
        let (met, others): (Vec<BlockId>, Vec<BlockId>) =
            blocks.partition(|&it| self.forward[it] > 1);
        let last = met.into_iter().max_by_key(|&it| self.order[it]);
        last.or_else(|| others.into_iter().find(|it| self.to[head].contains(it)))
    }
}

fn nearest(
    dominator: &[Option<BlockId>],
    order: &[Option<usize>],
    mut one: BlockId,
    mut other: BlockId,
) -> BlockId {
    while one != other {
        if order[one] > order[other] {
            one = dominator[one].unwrap_or(0);
        } else {
            other = dominator[other].unwrap_or(0);
        }
    }
    one
}

/// What is around the place where a block is printed.
#[derive(Default)]
struct Around {
    /// The block that is reached by going on behind the innermost labelled block, or at the end of the innermost loop.
    next: Option<BlockId>,
    /// The first block of the innermost loop.
    in_loop: Option<BlockId>,
}

struct Structured<'b> {
    graph: &'b Graph,
    body: &'b Body,
    parts: &'b dyn Parts,
    /// The blocks that stand behind loops, with the first blocks of these.
    behind_loops: RefCell<BTreeMap<BlockId, BlockId>>,
}

impl Structured<'_> {
    /// A block and what it dominates. `is_last`: whether what follows the tokens is the end of the function.
    fn tree(&self, block: BlockId, around: &Around, is_last: bool) -> Statements {
        if !self.graph.heads_loop[block] {
            return self.within(block, around, is_last);
        }
        let behind = self.graph.behind_loop(block);
        if let Some(behind) = behind {
            self.behind_loops.borrow_mut().insert(behind, block);
        }
        let inside = Around {
            next: Some(block),
            in_loop: Some(block),
        };
        let inner = self.while_loop(block, behind, &inside);
        let inner = inner.unwrap_or_else(|| {
            let inner = self.within(block, &inside, false);
            inner.inside(|inner| quote!(loop { #inner }))
        });
        let label = label(block);
        let labelled = match inner.jump_to(block) {
            true => inner.inside(|inner| quote!(#label: #inner)),
            false => inner,
        };
        match behind {
            Some(behind) => labelled.then(self.tree(behind, around, is_last)),
            None => labelled,
        }
    }

    /// A loop whose first block only tests a condition.
    fn while_loop(
        &self,
        block: BlockId,
        behind: Option<BlockId>,
        inside: &Around,
    ) -> Option<Statements> {
        let Exit::If { yes, no, .. } = &self.body.blocks[block].exit else {
            return None;
        };
        let is_plain = self.parts.steps(block).is_empty() && self.merges(block).is_empty();
        if !is_plain || behind != Some(*no) {
            return None;
        }
        let guard = self.parts.guard(block);
        let inner = self.branch(block, *yes, inside, false);
        Some(inner.inside(|inner| match guard.is_always() {
            true => quote!(loop { #inner }),
            false => quote!(while #guard { #inner }),
        }))
    }

    fn within(&self, block: BlockId, around: &Around, is_last: bool) -> Statements {
        // The steps stand in front of all labelled blocks, so that what they keep is seen behind these.
        let steps = Statements::of(self.parts.steps(block));
        steps.then(self.behind(block, &self.merges(block), around, is_last))
    }

    /// The blocks that a block dominates immediately, and that several ways lead to: the last one first.
    fn merges(&self, of: BlockId) -> Vec<BlockId> {
        let graph = self.graph;
        let behind_loops = self.behind_loops.borrow();
        let blocks = 1..graph.to.len();
        let mut merges: Vec<BlockId> = blocks
            .filter(|it| {
                let is_merge = graph.dominator[*it] == of && graph.forward[*it] > 1;
                graph.order[*it].is_some() && is_merge && !behind_loops.contains_key(it)
            })
            .collect();
        merges.sort_by_key(|&it| std::cmp::Reverse(graph.order[it]));
        merges
    }

    fn behind(
        &self,
        block: BlockId,
        merges: &[BlockId],
        around: &Around,
        is_last: bool,
    ) -> Statements {
        let Some((&last, others)) = merges.split_first() else {
            return self.exit(block, around, is_last);
        };
        // Inside a labelled block a loop is left by its label.
        let inside = Around {
            next: Some(last),
            in_loop: None,
        };
        let inner = self.behind(block, others, &inside, false);
        let after = self.tree(last, around, is_last);
        let label = label(last);
        let inner = match inner.jump_to(last) {
            true => inner.inside(|inner| quote!(#label: { #inner })),
            false => inner,
        };
        inner.then(after)
    }

    fn exit(&self, block: BlockId, around: &Around, is_last: bool) -> Statements {
        match &self.body.blocks[block].exit {
            Exit::Go(to) => self.branch(block, *to, around, is_last),
            Exit::If { yes, no, .. } => {
                let guard = self.parts.guard(block);
                // A short way out comes first, and what is left needs no `else`.
                let ends =
                    |it: BlockId| self.graph.to[it].is_empty() && self.graph.forward[it] == 1;
                let [is_yes_last, is_no_last] = match (ends(*yes), ends(*no)) {
                    (true, false) => [false, is_last],
                    (false, true) => [is_last, false],
                    _ => [is_last; 2],
                };
                let yes = self.branch(block, *yes, around, is_yes_last);
                let no = self.branch(block, *no, around, is_no_last);
                choice(guard, yes, no)
            }
            _ => self.parts.end(block, is_last),
        }
    }

    fn branch(&self, from: BlockId, to: BlockId, around: &Around, is_last: bool) -> Statements {
        let label = label(to);
        let is_back = self.graph.is_back(from, to);
        let head = self.behind_loops.borrow().get(&to).copied();
        // A loop that comes after another continues at its own first block.
        if let Some(head) = head.filter(|_| !is_back) {
            let of = self::label(head);
            return match around.in_loop == Some(head) {
                true => Statements::leaving(quote!(break;), None),
                false => Statements::leaving(quote!(break #of;), Some(head)),
            };
        }
        match is_back || self.graph.forward[to] > 1 {
            true if around.next == Some(to) => Statements::default(),
            true if is_back => Statements::leaving(quote!(continue #label;), Some(to)),
            true => Statements::leaving(quote!(break #label;), Some(to)),
            false => self.tree(to, around, is_last),
        }
    }
}

fn label(block: BlockId) -> TokenStream {
    let quote = Punct::new('\'', Spacing::Joint);
    let name = Ident::new(&format!("step_{block}"), Span::call_site());
    TokenStream::from_iter([TokenTree::Punct(quote), TokenTree::Ident(name)])
}
