//! Every run ends: no states lead to each other without consuming anything.
//!
//! For each class of next input characters (and for the end of the input) there is a graph with a node for each state and an
//! edge for each successor that leaves the position where it is. A start tag leads to the contents that the table names, too.
//! (A sink may answer so that the machine never consumes; that is not the table's fault.) Questions about that character are
//! answered. A sub-machine that puts everything back is one edge: from the state that attempts it, if that has consumed nothing,
//! to the state that comes after the attempt. The check drops all states that lead to no cycle, which usually leaves none. For the
//! others it builds a second graph, which also follows the values of registers, none of them known at first; every other question
//! may have either answer. It reports the cycles of this graph.

use super::successors::Held;
use crate::charset::{CharSet, MAX, display_char};
use crate::check::model::Checked;
use crate::diagnostic::{Code, Faults, Span};
use crate::lower::Lowered;
use crate::lower::facts::{Facts, Folded, Registers};
use crate::lower::traced::{Body, End, Kind, LiteralHead};
use crate::machine::{Action, Entry, Guard, StateId, Target, TokenId};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// The next input character: one of a class that all states treat alike, or the end of the input.
type Class = Option<char>;

/// A state, and what is known of registers there.
type Node = (StateId, Registers);

/// More nodes than this in the second graph, and the first decides.
const MOST_NODES: usize = 20_000;

/// More nodes than this in the second graphs of all classes, too.
const MOST_NODES_OF_ALL_CLASSES: usize = 500_000;

/// A cycle that was found.
struct Found {
    states: Vec<StateId>,
    /// Its first successor.
    span: Span,
    before: Vec<Class>,
}

pub(super) fn check(checked: &Checked, lowered: &Lowered, faults: &mut Faults) {
    let leads = Leads::new(checked, lowered);
    let putting_back = PuttingBack::new(lowered, &leads);
    if putting_back.relevant.is_empty() {
        return;
    }
    let classes = classes(lowered, &putting_back);
    let nodes = Cell::new(MOST_NODES_OF_ALL_CLASSES);
    // By the states of a cycle, in order.
    let mut found: BTreeMap<Vec<StateId>, Found> = BTreeMap::new();
    for &class in &classes {
        let graph = Graph {
            lowered,
            leads: &leads,
            putting_back: &putting_back,
            nodes: &nodes,
            class,
        };
        for (states, span) in graph.cycles() {
            let mut key = states.clone();
            key.sort_unstable();
            let before = Vec::new();
            let new = Found {
                states,
                span,
                before,
            };
            found.entry(key).or_insert(new).before.push(class);
        }
    }
    for cycle in found.into_values() {
        let when = match cycle.before.as_slice() {
            all if all.len() == classes.len() => "on any input".to_owned(),
            [None, ..] => "at the end of the input".to_owned(),
            [Some(c), ..] => format!("before {}", display_char(*c)),
            [] => continue,
        };
        let name = |id: &StateId| format!("`{}`", lowered.states[id.0 as usize].name);
        let round = cycle.states.iter().chain(cycle.states.first());
        let path: Vec<String> = round.map(name).collect();
        let message = format!("{when}, this runs forever: {}", path.join(" → "));
        let starts = |id: &&StateId| leads.contents.iter().any(|it| it.state == **id);
        let help = match cycle.states.iter().find(starts) {
            Some(start) => format!(
                "one of these states must consume, or lead elsewhere; a start tag may lead to {}, by `contents after start tags`",
                name(start)
            ),
            None => "one of these states must consume, or lead elsewhere".to_owned(),
        };
        faults
            .add(Code::EndlessLoop, cycle.span, message)
            .label("the loop consumes nothing")
            .help(help);
    }
}

/// Where successors lead.
struct Leads<'l> {
    held: Held,
    /// Where the contents start that the table names for start tags.
    contents: Vec<&'l Entry>,
    /// The tokens that may be start tags.
    start_tags: Vec<TokenId>,
}

impl<'l> Leads<'l> {
    fn new(checked: &Checked, lowered: &'l Lowered) -> Self {
        let tokens = (0..).map(TokenId).zip(&checked.vocabulary.tokens);
        let tags = tokens.filter(|(_, token)| token.kinds.iter().any(|kind| kind.is_start_tag));
        let elements = &checked.contents_after.elements;
        let is_named = |it: &&Entry| elements.iter().any(|element| element.content == it.content);
        Self {
            held: Held::new(lowered),
            contents: lowered.entries.iter().filter(is_named).collect(),
            start_tags: tags.map(|(id, _)| id).collect(),
        }
    }

    /// Whether a start tag may be emitted by what a body does before it asks.
    fn emits_tag(&self, body: &Body) -> bool {
        let mut actions = body.actions.iter().map(|(action, _)| action);
        actions
            .any(|action| matches!(action, Action::Emit(token) if self.start_tags.contains(token)))
    }

    /// Calls `visit` with each state that a successor can lead to, and with what is known of registers there.
    fn each(
        &self,
        target: Target,
        emits_tag: bool,
        registers: &Registers,
        visit: &mut impl FnMut(Node),
    ) {
        let mut add = |to| visit((to, registers.clone()));
        self.held.each_target(target, &mut add);
        if !emits_tag || target == Target::End {
            return;
        }
        for entry in &self.contents {
            let mut facts = Facts::of(registers.clone());
            for &(register, value) in &entry.sets {
                facts.know(register, value);
            }
            visit((entry.state, facts.registers()));
        }
    }
}

/// The arms after which a character can be next that came before them: all others lead on in the input.
struct PuttingBack<'l> {
    states: Vec<StateArms<'l>>,
    /// The states that can come back to themselves without consuming anything, as far as one can tell before
    /// looking at characters, and those that lead to them. All cycles are among them.
    relevant: Vec<StateId>,
}

/// Those of one state.
#[derive(Default)]
struct StateArms<'l> {
    literals: Vec<(&'l LiteralHead, &'l Body)>,
    /// By first and last character, in order.
    arms: Vec<(u32, u32, &'l Body)>,
}

impl<'l> PuttingBack<'l> {
    fn new(lowered: &'l Lowered, leads: &Leads<'_>) -> Self {
        let mut states: Vec<StateArms<'l>> = Vec::new();
        let relevant = (0..).map(StateId).take(lowered.states.len()).collect();
        for state in &lowered.states {
            let mut own = StateArms::default();
            if let Kind::Consume { literals, arms, .. } = &state.kind {
                let literals = literals.iter().filter(|(_, body)| reconsumes(body));
                own.literals = literals.map(|(head, body)| (head, body)).collect();
                for (head, body) in arms.iter().filter(|(_, body)| reconsumes(body)) {
                    let ranges = head.set.ranges().iter();
                    own.arms.extend(ranges.map(|&(a, b)| (a, b, body)));
                }
                own.arms.sort_unstable_by_key(|&(a, b, _)| (a, b));
            }
            states.push(own);
        }
        let mut this = Self { states, relevant };
        let mut edges: Edges<StateId> = this
            .relevant
            .iter()
            .map(|id| (*id, this.still(lowered, leads, *id)))
            .collect();
        drop_ends(&mut edges);
        this.relevant = edges.into_keys().collect();
        this
    }

    /// Where a state leads without consuming anything, whatever comes next and whatever is known.
    fn still(&self, lowered: &Lowered, leads: &Leads<'_>, id: StateId) -> Vec<(StateId, Span)> {
        let own = &self.states[id.0 as usize];
        let mut next = Vec::new();
        let mut add = |body: &Body, all: bool| {
            let mut emits_tag = false;
            super::successors::each_body(body, &mut |body| {
                emits_tag |= leads.emits_tag(body);
                if let End::Go {
                    target,
                    reconsume,
                    span,
                } = body.end
                    && (reconsume || all)
                {
                    let mut add = |(to, _)| next.push((to, span));
                    leads.each(target, emits_tag, &Registers::new(), &mut add);
                }
            });
        };
        let arms = own.arms.iter().map(|&(.., body)| body);
        let literals = own.literals.iter().map(|&(_, body)| body);
        arms.chain(literals).for_each(|body| add(body, false));
        match &lowered.states[id.0 as usize].kind {
            Kind::Consume { eof, .. } => add(eof, true),
            Kind::Steps(body) => add(body, true),
            Kind::Match { matched, unmatched } => {
                add(matched, false);
                add(unmatched, true);
            }
        }
        let calls = lowered.calls.iter();
        for call in calls.filter(|call| call.from.contains(&id)) {
            add(&call.nothing, !call.consumed);
        }
        next
    }

    /// The bodies of a state that a character leads to.
    fn bodies(&self, id: StateId, c: char) -> impl Iterator<Item = &'l Body> {
        let own = &self.states[id.0 as usize];
        let literals = own.literals.iter().filter(move |(head, _)| {
            let first = head.text.chars().next();
            first.is_some_and(|first| {
                first == c || head.ignore_case && first.eq_ignore_ascii_case(&c)
            })
        });
        // The sets of arms are disjoint.
        let after = own.arms.partition_point(|&(a, ..)| a <= c as u32);
        let arm = after.checked_sub(1).map(|at| own.arms[at]);
        let arm = arm
            .filter(|&(_, b, _)| c as u32 <= b)
            .map(|(.., body)| body);
        literals.map(|&(_, body)| body).chain(arm)
    }
}

/// Whether a path through a body leaves the character that it began with to be read again.
fn reconsumes(body: &Body) -> bool {
    let mut found = false;
    super::successors::each_body(body, &mut |body| {
        found |= matches!(
            body.end,
            End::Go {
                reconsume: true,
                ..
            }
        );
    });
    found
}

/// One character of each class, and the end of the input.
fn classes(lowered: &Lowered, putting_back: &PuttingBack<'_>) -> Vec<Class> {
    let mut starts: BTreeSet<u32> = BTreeSet::from([0]);
    let mut add = |set: &CharSet| {
        for &(a, b) in set.ranges() {
            starts.insert(a);
            starts.insert(b + 1);
        }
    };
    for own in &putting_back.states {
        for (head, _) in &own.literals {
            if let Some(c) = head.text.chars().next() {
                let both = [c.to_ascii_lowercase(), c.to_ascii_uppercase()];
                add(&both.into_iter().collect());
            }
        }
        let ranges = own.arms.iter().map(|&(a, b, _)| (a, b));
        add(&CharSet::from_ranges(ranges));
    }
    for state in &lowered.states {
        for body in state.bodies() {
            super::successors::each_body(body, &mut |body| {
                if let End::If { guard, .. } = &body.end {
                    sets(guard, &mut add);
                }
            });
        }
    }
    let characters = starts.into_iter().filter(|&start| start <= MAX);
    let characters = characters.filter_map(char::from_u32).map(Some);
    characters.chain([None]).collect()
}

fn sets(guard: &Guard, add: &mut impl FnMut(&CharSet)) {
    match guard {
        Guard::CurrentIn(set) | Guard::NextIn { set, .. } => add(set),
        Guard::Not(inner) => sets(inner, add),
        Guard::All(parts) | Guard::Any(parts) => parts.iter().for_each(|part| sets(part, add)),
        _ => {}
    }
}

/// The successors of one class that leave the position where it is.
struct Graph<'l> {
    lowered: &'l Lowered,
    leads: &'l Leads<'l>,
    putting_back: &'l PuttingBack<'l>,
    /// How many more nodes second graphs may have.
    nodes: &'l Cell<usize>,
    class: Class,
}

/// Which successors of a body leave the position where it is.
#[derive(Clone, Copy)]
struct Moves {
    /// All of them, not only those that reconsume.
    all: bool,
    /// Whether the next input character is the one of the class.
    next_known: bool,
    /// Whether a path that puts everything back is one of them: it goes on where the sub-machine was
    /// attempted, and so is followed from there.
    rewinds: bool,
    /// Whether a start tag may have been emitted.
    emits_tag: bool,
}

pub(super) type Edges<N> = BTreeMap<N, Vec<(N, Span)>>;

impl Graph<'_> {
    /// A cycle of each knot of states: its states in order, and the place of its first successor.
    fn cycles(&self) -> Vec<(Vec<StateId>, Span)> {
        let edges = |id: StateId| {
            let next = self.next(id, None);
            let next = next.into_iter().map(|((to, _), span)| (to, span));
            (id, next.collect())
        };
        let relevant = self.putting_back.relevant.iter().copied();
        let mut coarse: Edges<StateId> = relevant.map(edges).collect();
        drop_ends(&mut coarse);
        if coarse.is_empty() {
            return Vec::new();
        }
        match self.refine(&coarse) {
            Some(fine) => cycles_in(fine)
                .into_iter()
                .map(|(nodes, span)| (nodes.into_iter().map(|(id, _)| id).collect(), span))
                .collect(),
            None => cycles_in(coarse),
        }
    }

    /// The graph of the states that are left, with what is known of registers.
    fn refine(&self, coarse: &Edges<StateId>) -> Option<Edges<Node>> {
        let mut fine: Edges<Node> = BTreeMap::new();
        let start = |id: &StateId| (*id, Registers::new());
        let mut open: Vec<Node> = coarse.keys().map(start).collect();
        while let Some(node) = open.pop() {
            if fine.contains_key(&node) {
                continue;
            }
            let left = self.nodes.get();
            if fine.len() > MOST_NODES || left == 0 {
                return None;
            }
            self.nodes.set(left - 1);
            let mut next = self.next(node.0, Some(&node.1));
            next.retain(|((to, _), _)| coarse.contains_key(to));
            open.extend(next.iter().map(|(to, _)| to.clone()));
            fine.insert(node, next);
        }
        Some(fine)
    }

    /// The successors of a state; with registers, what is known of them is followed.
    fn next(&self, id: StateId, registers: Option<&Registers>) -> Vec<(Node, Span)> {
        let still = Moves {
            all: true,
            next_known: true,
            rewinds: false,
            emits_tag: false,
        };
        let put_back = Moves {
            all: false,
            next_known: false,
            rewinds: false,
            emits_tag: false,
        };
        let mut next = Vec::new();
        let mut run = |body: &Body, moves: Moves| {
            let facts = registers.map(|known| Facts::of(known.clone()));
            self.body(body, moves, facts, &mut next);
        };
        match (&self.lowered.states[id.0 as usize].kind, self.class) {
            (Kind::Consume { eof, .. }, None) => run(eof, still),
            (Kind::Consume { .. }, Some(c)) => {
                for body in self.putting_back.bodies(id, c) {
                    run(body, put_back);
                }
            }
            (Kind::Steps(body), _) => run(body, still),
            (Kind::Match { matched, unmatched }, _) => {
                run(matched, put_back);
                run(unmatched, still);
            }
        }
        let calls = self.lowered.calls.iter();
        for call in calls.filter(|call| call.from.contains(&id)) {
            let moves = Moves {
                rewinds: true,
                ..if call.consumed { put_back } else { still }
            };
            // What the sub-machine did to registers is not known.
            let facts = registers.map(|_| Facts::default());
            self.body(&call.nothing, moves, facts, &mut next);
        }
        next
    }

    fn body(
        &self,
        body: &Body,
        mut moves: Moves,
        mut facts: Option<Facts>,
        next: &mut Vec<(Node, Span)>,
    ) {
        moves.emits_tag |= self.leads.emits_tag(body);
        if let Some(facts) = &mut facts {
            body.actions
                .iter()
                .for_each(|(action, _)| facts.after(action));
        }
        match &body.end {
            End::If {
                guard,
                then,
                otherwise,
                ..
            } => {
                let asked = answered(guard, self.class, moves.next_known);
                let folded = match &facts {
                    Some(facts) => facts.fold(asked),
                    None => Facts::default().fold(asked),
                };
                let mut branch = |body: &Body, answer: bool| {
                    if folded == Folded::Known(!answer) {
                        return;
                    }
                    let mut facts = facts.clone();
                    if let Some(facts) = &mut facts {
                        facts.assume(guard, answer);
                    }
                    self.body(body, moves, facts, next);
                };
                branch(then, true);
                branch(otherwise, false);
            }
            End::Go {
                target,
                reconsume,
                span,
            } => {
                let rewinds = body.actions.iter().any(|(a, _)| *a == Action::Rewind);
                if (*reconsume || moves.all) && (moves.rewinds || !rewinds) {
                    let registers = facts.map(Facts::registers).unwrap_or_default();
                    let mut add = |to| next.push((to, *span));
                    self.leads
                        .each(*target, moves.emits_tag, &registers, &mut add);
                }
            }
        }
    }
}

/// A cycle of each knot of a graph: its nodes in order, and the place of its first edge.
fn cycles_in<N: Clone + Ord>(mut edges: Edges<N>) -> Vec<(Vec<N>, Span)> {
    let mut cycles = Vec::new();
    loop {
        drop_ends(&mut edges);
        let Some(start) = edges.keys().next().cloned() else {
            return cycles;
        };
        // Every node that is left has a successor that is left, so this walk meets itself.
        let mut seen: BTreeMap<N, usize> = BTreeMap::new();
        let (mut path, mut spans) = (Vec::new(), Vec::new());
        let mut node = start;
        let at = loop {
            if let Some(&at) = seen.get(&node) {
                break at;
            }
            let Some((to, span)) = edges.get(&node).and_then(|next| next.first()).cloned() else {
                return cycles;
            };
            seen.insert(node.clone(), path.len());
            path.push(node);
            spans.push(span);
            node = to;
        };
        let cycle = path.split_off(at);
        for node in &cycle {
            edges.remove(node);
        }
        cycles.push((cycle, spans.get(at).copied().unwrap_or_default()));
    }
}

/// Drops the nodes that lead to no node that is left, until there are none, and the edges to them.
pub(super) fn drop_ends<N: Clone + Ord>(edges: &mut Edges<N>) {
    let mut into: BTreeMap<N, Vec<N>> = BTreeMap::new();
    let mut count: BTreeMap<N, usize> = BTreeMap::new();
    for (from, next) in edges.iter() {
        for (to, _) in next.iter().filter(|(to, _)| edges.contains_key(to)) {
            into.entry(to.clone()).or_default().push(from.clone());
            *count.entry(from.clone()).or_default() += 1;
        }
    }
    let mut ends: Vec<N> = edges
        .keys()
        .filter(|node| !count.contains_key(node))
        .cloned()
        .collect();
    while let Some(end) = ends.pop() {
        edges.remove(&end);
        for before in into.remove(&end).unwrap_or_default() {
            if let Some(ways) = count.get_mut(&before) {
                *ways -= 1;
                if *ways == 0 {
                    ends.push(before);
                }
            }
        }
    }
    let left: BTreeSet<N> = edges.keys().cloned().collect();
    for next in edges.values_mut() {
        next.retain(|(to, _)| left.contains(to));
    }
}

/// The guard with questions about the character answered.
fn answered(guard: &Guard, class: Class, next_known: bool) -> Guard {
    let list = |parts: &[Guard]| {
        parts
            .iter()
            .map(|g| answered(g, class, next_known))
            .collect()
    };
    let known = |answer: bool| match answer {
        true => Guard::All(Vec::new()),
        false => Guard::Any(Vec::new()),
    };
    match (guard, class) {
        (Guard::CurrentIn(set), Some(c)) => known(set.contains(c)),
        (Guard::NextIn { set, .. }, Some(c)) if next_known => known(set.contains(c)),
        (Guard::NextIn { eof, .. }, None) => known(*eof),
        (Guard::Not(inner), _) => Guard::Not(Box::new(answered(inner, class, next_known))),
        (Guard::All(parts), _) => Guard::All(list(parts)),
        (Guard::Any(parts), _) => Guard::Any(list(parts)),
        (other, _) => other.clone(),
    }
}
