//! What a machine does that the search does not follow: a proof would not be one.
//!
//! A key tells how far a text has got in each word and in each name that it is compared with, letter by letter as they are read.
//! It knows nothing of a text that is copied, of what two comparisons of the same letters have to do with each other, of names
//! that need many letters, and of which names the earlier attributes of a tag have.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use speclex_codegen::analyse::bodies;
use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{
    Action, AttributePart, Body, FieldId, Guard, Machine, Next, StateKind, Target, TokenId,
    Value as Source,
};

use super::gap::Gap;
use super::liveness::{Live, Liveness, Node};
use crate::body::visit;

/// How many letters of the last start tag's name are told apart, and names of how many are tried.
pub(super) const LETTERS: u32 = 2;

/// With more registers and tokens, some have no bit of their own.
const BITS: usize = 120;

/// All that a proof would have to follow.
pub(super) fn beyond(machine: &Machine, liveness: &Liveness) -> BTreeSet<Gap> {
    let mut found = BTreeSet::new();
    let nodes: Vec<&Node> = liveness.nodes().collect();
    // Nothing is known of a machine with too many of either.
    if nodes.is_empty() || machine.registers.len() + machine.vocabulary.tokens.len() > BITS {
        return BTreeSet::from([Gap::Situations]);
    }
    let compared = Compared::new(machine, liveness, &nodes);
    for node in &nodes {
        let live = compared.live.get(*node).copied().unwrap_or_default();
        if live & compared.registers != 0 && live & !compared.registers != 0 {
            found.insert(Gap::Comparisons);
        }
        for body in state_bodies(machine, node.0) {
            let mut is_copied = false;
            compared.body(body, &node.1, &mut is_copied);
            if is_copied {
                found.insert(Gap::Copied);
            }
        }
    }
    if has_long_names(machine, liveness, &nodes) || compares_other_letters(machine) {
        found.insert(Gap::Names);
    }
    if copies_into_names(machine) {
        found.insert(Gap::Copied);
    }
    if has_states_for_attributes(machine) {
        found.insert(Gap::Attributes);
    }
    if rereads_literals(machine, liveness, &nodes) {
        found.insert(Gap::Literals);
    }
    if reads_long_names(machine, liveness, &nodes) {
        found.insert(Gap::Names);
    }
    found
}

/// The questions that a machine asks: all get the same answer in a search.
pub(super) fn questions(machine: &Machine) -> BTreeSet<u32> {
    let mut questions = BTreeSet::new();
    each_guard(machine, &mut |guard| {
        if let Guard::Question(question) = guard {
            questions.insert(*question);
        }
    });
    questions
}

/// Whether a value is characters as they are read, or written in the table.
fn is_read(source: &Source) -> bool {
    matches!(
        source,
        Source::Current | Source::LowerCurrent | Source::Literal(_)
    )
}

/// Whether names are compared with the last start tag's.
fn compares_start_tags(machine: &Machine) -> bool {
    let mut compares = false;
    each_guard(machine, &mut |guard| {
        compares |= matches!(
            guard,
            Guard::AppropriateEndTag(_) | Guard::NextIsLastStartTag { .. }
        );
    });
    compares
}

/// Whether something is copied into a name that is compared with the last start tag's, or becomes it.
fn copies_into_names(machine: &Machine) -> bool {
    let is_tag = |token: &TokenId| {
        let token = machine.vocabulary.tokens.get(token.0 as usize);
        let mut kinds = token.into_iter().flat_map(|token| &token.kinds);
        kinds.any(|kind| kind.is_start_tag)
    };
    let mut compared = BTreeSet::new();
    each_guard(machine, &mut |guard| {
        if let Guard::AppropriateEndTag(token) = guard {
            compared.insert(*token);
        }
    });
    let mut copies = false;
    let all = compares_start_tags(machine).then_some(&machine.states);
    for body in all.into_iter().flatten().flat_map(bodies) {
        visit(body, &mut |actions, _| {
            copies |= actions.iter().any(|action| match action {
                Action::Append(FieldId { token, .. }, source)
                | Action::Set(FieldId { token, .. }, source) => {
                    !is_read(source) && (is_tag(token) || compared.contains(token))
                }
                _ => false,
            });
        });
    }
    copies
}

/// Whether a state that compares a name with the last start tag's adds to it what is no letter or digit of ASCII: names of
/// others are not tried.
fn compares_other_letters(machine: &Machine) -> bool {
    let tried = CharSet::from_ranges([(0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)]);
    let asks = |body: &Body| {
        let mut asks = false;
        visit(body, &mut |_, next| {
            if let Next::If { guard, .. } = next {
                leaves(guard, &mut |guard| {
                    asks |= matches!(guard, Guard::AppropriateEndTag(_));
                });
            }
        });
        asks
    };
    let adds = |body: &Body| {
        let mut adds = false;
        visit(body, &mut |actions, _| {
            adds |= actions
                .iter()
                .any(|action| matches!(action, Action::Append(..) | Action::Set(..)));
        });
        adds
    };
    machine.states.iter().any(|state| match &state.kind {
        StateKind::Consume(consume) if bodies(state).into_iter().any(asks) => {
            let mut arms = consume.arms.iter();
            arms.any(|arm| adds(&arm.body) && !arm.set.difference(&tried).is_empty())
        }
        _ => false,
    })
}

/// Whether what is done next depends on the letters that an attribute's name has had so far. What is known of the earlier names
/// is only whether the one that is read is the beginning of one of them.
fn has_states_for_attributes(machine: &Machine) -> bool {
    let mut compares = false;
    each_guard(machine, &mut |guard| {
        compares |= matches!(guard, Guard::DuplicateAttribute(_));
    });
    if !compares {
        return false;
    }
    let mut names = AttributeNames::default();
    for body in machine.states.iter().flat_map(bodies) {
        names.body(body, [false, false]);
    }
    names.is_remembered || names.targets.len() > 1
}

/// What comes behind a letter of an attribute's name.
#[derive(Default)]
struct AttributeNames {
    targets: Vec<Target>,
    /// Whether something is remembered there in a register.
    is_remembered: bool,
}

impl AttributeNames {
    fn body(&mut self, body: &Body, [mut is_behind, mut is_set]: [bool; 2]) {
        for action in &body.actions {
            match action {
                Action::AppendAttribute(_, AttributePart::Name, _)
                | Action::SetAttribute(_, AttributePart::Name, _) => is_behind = true,
                Action::SetFinite(..)
                | Action::SetState(..)
                | Action::SetCharacter(..)
                | Action::SetNumber(..)
                | Action::Increase(_)
                | Action::Decrease(_)
                | Action::Multiply(..)
                | Action::AddDigit(_) => is_set = true,
                _ => {}
            }
        }
        match &body.next {
            Next::Go { target, .. } if is_behind => {
                self.is_remembered |= is_set;
                if !self.targets.contains(target) {
                    self.targets.push(*target);
                }
            }
            Next::Go { .. } => {}
            Next::If {
                then, otherwise, ..
            } => {
                for body in [then, otherwise] {
                    self.body(body, [is_behind, is_set]);
                }
            }
        }
    }
}

/// Whether a name that was looked ahead for is then read by states that only many letters lead to.
fn reads_long_names(machine: &Machine, liveness: &Liveness, nodes: &[&Node]) -> bool {
    let mut found: BTreeSet<Node> = BTreeSet::new();
    for node in nodes {
        for body in state_bodies(machine, node.0) {
            visit_nodes(body, liveness, &node.1, false, &mut |node, _, is_name| {
                if is_name {
                    found.insert(node);
                }
            });
        }
    }
    let letters = CharSet::from_ranges([(0x41, 0x5A), (0x61, 0x7A)]);
    let mut known: BTreeSet<Node> = BTreeSet::new();
    for _ in 0..=LETTERS {
        known.extend(found.iter().cloned());
        let (mut open, mut next) = (Vec::from_iter(found), BTreeSet::new());
        let mut seen = BTreeSet::new();
        while let Some(node) = open.pop() {
            let Some(state) = machine.states.get(node.0 as usize) else {
                continue;
            };
            if !seen.insert(node.clone()) {
                continue;
            }
            let (bodies, consumes): (Vec<&Body>, bool) = match &state.kind {
                StateKind::Consume(consume) => {
                    let arms = consume.arms.iter();
                    let arms = arms.filter(|arm| !arm.set.intersection(&letters).is_empty());
                    (arms.map(|arm| &arm.body).collect(), true)
                }
                _ => (bodies(state), false),
            };
            for body in bodies {
                visit_nodes(body, liveness, &node.1, false, &mut |to, reconsume, _| {
                    if consumes && !reconsume {
                        next.insert(to);
                    } else {
                        open.push(to);
                    }
                });
            }
        }
        found = next;
    }
    found.iter().any(|node| !known.contains(node))
}

/// Calls for each node that a body leads to: whether it reconsumes, and whether the last start tag's name comes next there.
fn visit_nodes(
    body: &Body,
    liveness: &Liveness,
    values: &[u32],
    is_name: bool,
    see: &mut dyn FnMut(Node, bool, bool),
) {
    let after = liveness.after(&body.actions, values);
    match &body.next {
        Next::Go { target, reconsume } => {
            if let Some(node) = liveness.target(*target, &after) {
                see(node, *reconsume, is_name);
            }
        }
        Next::If {
            guard,
            then,
            otherwise,
        } => {
            let mut is_asked = false;
            leaves(guard, &mut |guard| {
                is_asked |= matches!(guard, Guard::NextIsLastStartTag { .. });
            });
            for body in [then, otherwise] {
                visit_nodes(body, liveness, &after, is_name || is_asked, see);
            }
        }
    }
}

fn state_bodies(machine: &Machine, state: u32) -> impl Iterator<Item = &Body> {
    let state = machine.states.get(state as usize);
    state.into_iter().flat_map(bodies)
}

/// Calls for each guard that is no connective.
fn each_guard<'m>(machine: &'m Machine, see: &mut dyn FnMut(&'m Guard)) {
    for body in machine.states.iter().flat_map(bodies) {
        visit(body, &mut |_, next| {
            if let Next::If { guard, .. } = next {
                leaves(guard, see);
            }
        });
    }
    for (guard, _) in machine.on_emit.iter().flat_map(|on_emit| &on_emit.steps) {
        guard.iter().for_each(|guard| leaves(guard, see));
    }
}

fn leaves<'m>(guard: &'m Guard, see: &mut dyn FnMut(&'m Guard)) {
    match guard {
        Guard::Not(guard) => leaves(guard, see),
        Guard::All(guards) | Guard::Any(guards) => {
            guards.iter().for_each(|guard| leaves(guard, see));
        }
        guard => see(guard),
    }
}

/// The name of an attribute, compared with others.
const ATTRIBUTE: Live = Liveness::MATCHED;

/// Which registers may yet be compared with words, and which tokens' names with other names, before they are set anew.
struct Compared<'l> {
    machine: &'l Machine,
    liveness: &'l Liveness,
    live: HashMap<Node, Live>,
    /// All text registers.
    registers: Live,
}

impl<'l> Compared<'l> {
    fn new(machine: &'l Machine, liveness: &'l Liveness, nodes: &[&Node]) -> Self {
        let registers = (0..machine.registers.len()).map(|register| liveness.register(register));
        let mut compared = Self {
            machine,
            liveness,
            live: HashMap::new(),
            registers: registers.fold(0, |all, one| all | one),
        };
        loop {
            let mut changed = false;
            for node in nodes {
                let bodies = state_bodies(machine, node.0);
                let live = bodies.fold(0, |live, body| {
                    live | compared.body(body, &node.1, &mut false)
                });
                changed |= compared.live.insert((*node).clone(), live) != Some(live);
            }
            if !changed {
                return compared;
            }
        }
    }

    /// What is compared from the beginning of a body on, and whether something is copied there into a text that is.
    fn body(&self, body: &Body, values: &[u32], is_copied: &mut bool) -> Live {
        let after = self.liveness.after(&body.actions, values);
        let mut live = match &body.next {
            Next::Go { target, .. } => {
                let node = self.liveness.target(*target, &after);
                node.and_then(|node| self.live.get(&node).copied())
                    .unwrap_or_default()
            }
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                let mut live = 0;
                leaves(guard, &mut |guard| live |= self.guard(guard));
                let holds = self.liveness.decided(guard, &after);
                for (body, answer) in [(then, true), (otherwise, false)] {
                    if holds != Some(!answer) {
                        live |= self.body(body, &after, is_copied);
                    }
                }
                live
            }
        };
        for action in body.actions.iter().rev() {
            match action {
                Action::SetText(id, source) | Action::AppendRegister(id, source) => {
                    let register = self.liveness.register(id.0 as usize);
                    *is_copied |= live & register != 0 && !is_read(source);
                    if let Action::SetText(..) = action {
                        live &= !register;
                    }
                }
                Action::Create(token, _) => live &= !self.liveness.token(token.0 as usize),
                Action::StartAttribute(_) => live &= !ATTRIBUTE,
                Action::Emit(token) => {
                    let steps = self.machine.on_emit.iter().filter(|on| on.token == *token);
                    for (guard, _) in steps.flat_map(|on| &on.steps) {
                        guard.iter().for_each(|guard| {
                            leaves(guard, &mut |guard| live |= self.guard(guard));
                        });
                    }
                }
                _ => {}
            }
        }
        live
    }

    fn guard(&self, guard: &Guard) -> Live {
        match guard {
            Guard::TextIs { register, .. } => self.liveness.register(register.0 as usize),
            Guard::AppropriateEndTag(token) => self.liveness.token(token.0 as usize),
            Guard::DuplicateAttribute(_) => ATTRIBUTE,
            _ => 0,
        }
    }
}

/// Whether a name that is compared with the last start tag's, or becomes it, has more letters than are tried.
fn has_long_names(machine: &Machine, liveness: &Liveness, nodes: &[&Node]) -> bool {
    if !compares_start_tags(machine) {
        return false;
    }
    let tokens = (0..).zip(&machine.vocabulary.tokens);
    let tokens = tokens.filter(|(_, token)| token.kinds.iter().any(|kind| kind.is_start_tag));
    let start_tags: BTreeSet<u32> = tokens.map(|(token, _)| token).collect();
    // The least number of letters that the names may have in each node.
    let entries: BTreeSet<u32> = machine.entries.iter().map(|entry| entry.state.0).collect();
    let starts = nodes.iter().filter(|node| entries.contains(&node.0));
    let mut least: HashMap<Node, BTreeMap<u32, u32>> = starts
        .map(|node| ((*node).clone(), BTreeMap::new()))
        .collect();
    loop {
        let (mut changed, mut is_long) = (false, false);
        for node in nodes {
            let Some(before) = least.get(*node).cloned() else {
                continue;
            };
            for body in state_bodies(machine, node.0) {
                let mut walk = Walk {
                    liveness,
                    start_tags: &start_tags,
                    ends: Vec::new(),
                    is_long: false,
                };
                walk.body(body, &node.1, before.clone());
                is_long |= walk.is_long;
                for (to, letters) in walk.ends {
                    changed |= merge(&mut least, to, letters);
                }
            }
        }
        if !changed {
            return is_long;
        }
    }
}

/// Keeps the least numbers of a node; whether any became less.
fn merge(
    least: &mut HashMap<Node, BTreeMap<u32, u32>>,
    node: Node,
    letters: BTreeMap<u32, u32>,
) -> bool {
    let Some(known) = least.get_mut(&node) else {
        least.insert(node, letters);
        return true;
    };
    let mut changed = false;
    // A token that is not there on some way has no letters.
    known.retain(|token, count| {
        let other = letters.get(token).copied().unwrap_or_default();
        changed |= other < *count;
        *count = other.min(*count);
        *count > 0
    });
    changed
}

/// A way through a body.
struct Walk<'l> {
    liveness: &'l Liveness,
    /// The tokens that may be start tags.
    start_tags: &'l BTreeSet<u32>,
    ends: Vec<(Node, BTreeMap<u32, u32>)>,
    is_long: bool,
}

impl Walk<'_> {
    fn body(&mut self, body: &Body, values: &[u32], mut letters: BTreeMap<u32, u32>) {
        let count = |letters: &BTreeMap<u32, u32>, token: &TokenId| {
            letters.get(&token.0).copied().unwrap_or_default()
        };
        for action in &body.actions {
            match action {
                Action::Create(token, _) => {
                    letters.insert(token.0, 0);
                }
                Action::Append(FieldId { token, .. }, _)
                | Action::Set(FieldId { token, .. }, _) => {
                    // More than are compared are all the same.
                    let more = (count(&letters, token) + 1).min(LETTERS + 1);
                    letters.insert(token.0, more);
                }
                Action::Emit(token) if self.start_tags.contains(&token.0) => {
                    self.is_long |= count(&letters, token) > LETTERS;
                }
                _ => {}
            }
        }
        let after = self.liveness.after(&body.actions, values);
        match &body.next {
            Next::Go { target, .. } => {
                if let Some(node) = self.liveness.target(*target, &after) {
                    self.ends.push((node, letters));
                }
            }
            Next::If {
                guard,
                then,
                otherwise,
            } => {
                leaves(guard, &mut |guard| {
                    if let Guard::AppropriateEndTag(token) = guard {
                        self.is_long |= count(&letters, token) > LETTERS;
                    }
                });
                let holds = self.liveness.decided(guard, &after);
                for (body, answer) in [(then, true), (otherwise, false)] {
                    if holds != Some(!answer) {
                        self.body(body, &after, letters.clone());
                    }
                }
            }
        }
    }
}

/// Whether characters that are put back may be read again as a literal.
fn rereads_literals(machine: &Machine, liveness: &Liveness, nodes: &[&Node]) -> bool {
    // Which characters are put back, but for the last one, which may be any; and where they are read again.
    let mut characters = CharSet::from_ranges([]);
    let mut open: Vec<u32> = Vec::new();
    for node in nodes.iter().filter(|node| liveness.may_rewind(node.0)) {
        let Some(state) = machine.states.get(node.0 as usize) else {
            continue;
        };
        if let StateKind::Consume(consume) = &state.kind {
            for arm in &consume.arms {
                if goes_on(&arm.body, liveness, &node.1) {
                    characters = characters.union(&arm.set);
                }
            }
        }
        if let StateKind::Match { .. } = state.kind {
            let names = machine.references.iter().flat_map(|(name, _)| name.chars());
            characters = characters.union(&names.collect());
        }
        for body in bodies(state) {
            rewinds(body, liveness, &node.1, &mut open);
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        let Some(state) = machine.states.get(id as usize).filter(|_| seen.insert(id)) else {
            continue;
        };
        let mut follow = |body: &Body| {
            visit(body, &mut |_, next| {
                if let Next::Go { target, .. } = next {
                    let of_state = nodes.iter().filter(|node| node.0 == id);
                    open.extend(
                        of_state.filter_map(|node| Some(liveness.target(*target, &node.1)?.0)),
                    );
                }
            });
        };
        match &state.kind {
            StateKind::Consume(consume) => {
                let first = |text: &str| text.chars().next();
                let is_there = |c: char| {
                    [c.to_ascii_lowercase(), c.to_ascii_uppercase()]
                        .into_iter()
                        .any(|c| characters.contains(c))
                };
                let mut literals = consume.literals.iter();
                if literals.any(|literal| first(&literal.text).is_some_and(is_there)) {
                    return true;
                }
                let arms = consume.arms.iter();
                arms.filter(|arm| !arm.set.intersection(&characters).is_empty())
                    .for_each(|arm| follow(&arm.body));
            }
            StateKind::Steps(_) | StateKind::Match { .. } => {
                bodies(state).into_iter().for_each(follow)
            }
        }
    }
    false
}

/// Whether a way through a body consumes something that may be put back later.
fn goes_on(body: &Body, liveness: &Liveness, values: &[u32]) -> bool {
    let after = liveness.after(&body.actions, values);
    match &body.next {
        Next::Go { target, reconsume } => {
            let to = liveness.target(*target, &after);
            let is_kept = !reconsume && !body.actions.contains(&Action::Rewind);
            is_kept && to.is_some_and(|node| liveness.may_rewind(node.0))
        }
        Next::If {
            then, otherwise, ..
        } => [then, otherwise]
            .into_iter()
            .any(|body| goes_on(body, liveness, &after)),
    }
}

/// The states that read again what a body puts back.
fn rewinds(body: &Body, liveness: &Liveness, values: &[u32], found: &mut Vec<u32>) {
    let after = liveness.after(&body.actions, values);
    match &body.next {
        Next::Go { target, .. } => {
            if body.actions.contains(&Action::Rewind) && *target != Target::End {
                found.extend(liveness.target(*target, &after).map(|node| node.0));
            }
        }
        Next::If {
            then, otherwise, ..
        } => {
            rewinds(then, liveness, &after, found);
            rewinds(otherwise, liveness, &after, found);
        }
    }
}
