//! What only shows once all insertion modes are known: tokens that never get anywhere, and modes without tokens.

use super::check::Checked;
use super::facts::{Fact, Facts};
use super::machine::{BodyId, CHARACTER, Mode, ModeId, Rules, Step, Tokens, TreeMachine};
use super::ways::{Way, Ways, then};
use super::written::Table;
use crate::diagnostic::{Code, Faults, Span};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How many rules may hand a token on to others before it comes back.
const MOST_RULES: usize = 50;

/// How many times all rules are looked at: for HTML some 10,000 times.
const PATIENCE: usize = 1 << 18;

/// Verifies a machine.
pub(super) fn verify(table: &Table, checked: &Checked, faults: &mut Faults) {
    unreachable(table, checked, faults);
    let machine = &checked.machine;
    let kinds = machine.kinds.len();
    let mut effects = Effects {
        checked,
        insertion_modes: table.modes.len(),
        pushed: pushed(machine),
        index: machine
            .modes
            .iter()
            .map(|rules| Index::of(rules, kinds))
            .collect(),
        patience: PATIENCE,
        ways: Ways::new(machine),
    };
    let mut said = BTreeSet::new();
    for token in classes(machine) {
        effects.endless(&token, &mut said, faults);
        if effects.patience == 0 {
            let message = "the table has too many insertion modes with too many names";
            let help =
                "so it is not known whether a token is handed on for ever; use fewer names in keys";
            faults.add(Code::TooLarge, table.at, message).help(help);
            break;
        }
    }
}

/// Tokens that go the same ways: a kind, and a name that a key has, or none of these.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    kind: usize,
    name: Option<String>,
}

fn classes(machine: &TreeMachine) -> BTreeSet<Class> {
    let kinds = 0..machine.kinds.len();
    let mut classes: BTreeSet<Class> = kinds.map(|kind| Class { kind, name: None }).collect();
    for takes in machine
        .modes
        .iter()
        .flat_map(|mode| &mode.arms)
        .flat_map(|arm| &arm.takes)
    {
        if let Tokens::Named(kind, names) = &takes.tokens {
            classes.extend(names.iter().map(|name| Class {
                kind: *kind,
                name: Some(name.clone()),
            }));
        }
    }
    classes
}

struct Effects<'c> {
    checked: &'c Checked,
    /// How many of the rules are insertion modes. These come first.
    insertion_modes: usize,
    /// The insertion modes that are pushed onto the stack of template insertion modes.
    pushed: BTreeSet<ModeId>,
    /// By the number of the rules.
    index: Vec<Index<'c>>,
    /// How many more rules are looked at.
    patience: usize,
    ways: Ways<'c>,
}

impl Effects<'_> {
    /// Reports insertion modes that hand a token to each other, and rules that do so without an end.
    fn endless(&mut self, token: &Class, said: &mut BTreeSet<Span>, faults: &mut Faults) {
        let modes = self.checked.machine.modes.len();
        let mut from: Vec<Vec<(ModeId, Span)>> = Vec::new();
        for mode in 0..modes {
            if self.patience == 0 {
                return;
            }
            let mut ways = BTreeMap::new();
            let too_deep = self.reprocesses(token, [mode; 2], (None, false), 0, &mut ways);
            if too_deep && said.insert(Span::default()) {
                let rules = &self.checked.machine.modes[mode].name;
                let message =
                    format!("the rules for `{rules}` hand a token on to others without an end");
                let help = format!(
                    "one of them must deal with the token; at most {MOST_RULES} rules hand it on"
                );
                let body = self.index[mode].bodies(token).first().copied().unwrap_or(0);
                faults
                    .add(Code::EndlessLoop, self.checked.places[body].whole, message)
                    .help(help);
            }
            let to = |(&(switch, progress), &span): (&Way, &Span)| match switch {
                _ if progress => None,
                None => Some((mode, span)),
                Some(Mode::Named(to)) => Some((to, span)),
                Some(_) => None,
            };
            from.push(ways.iter().filter_map(to).collect());
        }
        let (mut entered, mut left) = (vec![false; modes], vec![false; modes]);
        for start in 0..modes {
            let mut way = Vec::new();
            if !std::mem::replace(&mut entered[start], true) {
                way.push(start);
            }
            while let Some(&mode) = way.last() {
                let Some((to, span)) = from[mode].pop() else {
                    left[mode] = true;
                    way.pop();
                    continue;
                };
                if !std::mem::replace(&mut entered[to], true) {
                    way.push(to);
                } else if !left[to] && said.insert(span) {
                    let called = &self.checked.machine.called;
                    let message = format!(
                        "{called}s hand the {} token to each other forever",
                        self.shown(token)
                    );
                    faults
                        .add(Code::EndlessLoop, span, message)
                        .label("the loop returns from here")
                        .help("one of them must deal with the token, or pop an element first");
                }
            }
        }
    }

    fn shown(&self, token: &Class) -> String {
        let kind = self
            .checked
            .machine
            .kinds
            .get(token.kind)
            .map_or("", |kind| &kind.name);
        match &token.name {
            Some(name) => format!("{kind} \"{name}\""),
            None => kind.to_owned(),
        }
    }

    /// The rules that some rules may be, if a token comes to those that are first. Those of the current insertion mode are known if an
    /// insertion mode was first, or is switched to.
    fn rules(&self, mode: Mode, first: ModeId, (switch, _): Way) -> Vec<ModeId> {
        match (mode, switch) {
            (Mode::Named(mode), _) => vec![mode],
            (Mode::Current, None) if first < self.insertion_modes => vec![first],
            (Mode::Current, None) => Vec::new(),
            (Mode::Current, Some(to)) if to != Mode::Current => {
                self.rules(to, first, (None, false))
            }
            (Mode::Original | Mode::Current, _) => (0..self.insertion_modes).collect(),
            (Mode::CurrentTemplate, _) => self.pushed.iter().copied().collect(),
        }
    }

    /// The ways on which rules reprocess a token that came to others first; whether the rules hand it on too often.
    fn reprocesses(
        &mut self,
        token: &Class,
        [first, mode]: [ModeId; 2],
        way: Way,
        depth: usize,
        ways: &mut BTreeMap<Way, Span>,
    ) -> bool {
        if depth > MOST_RULES {
            return true;
        }
        self.patience = self.patience.saturating_sub(1);
        let bodies = self.index[mode].bodies(token).into_iter();
        let mut bodies: Vec<(BodyId, Way, usize)> = bodies.map(|body| (body, way, depth)).collect();
        let mut seen = BTreeSet::new();
        while let Some((body, way, depth)) = bodies.pop() {
            if depth > MOST_RULES {
                return true;
            }
            if !seen.insert((body, way, depth)) {
                continue;
            }
            let leads = self.ways.of(body);
            let checked = self.checked;
            let places = &checked.places[body].blocks;
            let reprocesses = leads.reprocesses.iter();
            ways.extend(reprocesses.map(|(&end, &block)| (then(way, end), places[block].1)));
            let acts = leads.acts.iter();
            bodies.extend(acts.map(|&(to, mode, arm)| {
                (checked.machine.body_of(mode, arm), then(way, to), depth + 1)
            }));
            for (to, mode) in leads.delegates {
                let way = then(way, to);
                for mode in self.rules(mode, first, way) {
                    if self.reprocesses(token, [first, mode], way, depth + 1, ways) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

/// The arms of rules by what they take: a kind and a name, each with whether it takes the token for certain.
#[derive(Default)]
struct Index<'m> {
    named: HashMap<(usize, &'m str), Vec<(BodyId, bool)>>,
    /// By kind: those of all names, of those that no other arm names, and of what else there is, in this order.
    others: Vec<Vec<(BodyId, bool)>>,
}

impl<'m> Index<'m> {
    fn of(rules: &'m Rules, kinds: usize) -> Self {
        let mut index = Self {
            others: vec![Vec::new(); kinds],
            ..Self::default()
        };
        for rank in 0..=2 {
            for arm in &rules.arms {
                for takes in &arm.takes {
                    let it = (arm.body, takes.guard.is_none());
                    match &takes.tokens {
                        Tokens::Named(kind, names) if rank == 0 => {
                            names.iter().for_each(|name| {
                                index.named.entry((*kind, name)).or_default().push(it)
                            });
                        }
                        Tokens::Kind(kind) if rank == 0 => index.push(*kind, it),
                        Tokens::Characters(_) if rank == 1 => {
                            index.push(CHARACTER, (arm.body, false))
                        }
                        Tokens::AnyOther(kind) if rank == 1 => index.push(*kind, it),
                        Tokens::AnythingElse if rank == 2 => {
                            (0..kinds).for_each(|kind| index.push(kind, it))
                        }
                        _ => {}
                    }
                }
            }
        }
        index
    }

    fn push(&mut self, kind: usize, it: (BodyId, bool)) {
        if let Some(others) = self.others.get_mut(kind) {
            others.push(it);
        }
    }

    /// The bodies of the arms that may take a token: those up to one that does for certain.
    fn bodies(&self, token: &Class) -> Vec<BodyId> {
        let named = token
            .name
            .as_ref()
            .and_then(|name| self.named.get(&(token.kind, name.as_str())));
        let others = self.others.get(token.kind);
        let mut bodies = Vec::new();
        for &(body, is_certain) in named.into_iter().chain(others).flatten() {
            bodies.push(body);
            if is_certain {
                break;
            }
        }
        bodies
    }
}

/// The insertion modes that a table pushes onto the stack of template insertion modes.
fn pushed(machine: &TreeMachine) -> BTreeSet<ModeId> {
    let blocks = machine.bodies.iter().flat_map(|body| &body.blocks);
    let steps = blocks.flat_map(|block| &block.steps);
    steps
        .flat_map(|step| match step {
            Step::PushMode(Mode::Named(mode)) => *mode..*mode + 1,
            Step::PushMode(_) => 0..machine.modes.len(),
            _ => 0..0,
        })
        .collect()
}

fn unreachable(table: &Table, checked: &Checked, faults: &mut Faults) {
    let machine = &checked.machine;
    let modes = machine.modes.len();
    let (mut reached, mut run) = (vec![false; modes], vec![false; machine.bodies.len()]);
    let mut bodies: Vec<BodyId> = machine.dispatcher.into_iter().collect();
    bodies.extend(machine.fragments.as_ref().map(|fragments| fragments.steps));
    let mut todo = vec![machine.initial];
    loop {
        while let Some(body) = bodies.pop() {
            if run
                .get_mut(body)
                .is_none_or(|run| std::mem::replace(run, true))
            {
                continue;
            }
            let mut note = |fact| match fact {
                Fact::LeadsTo(Mode::Named(mode)) | Fact::Delegates(Mode::Named(mode)) => {
                    todo.push(mode)
                }
                Fact::Calls(body) => bodies.push(body),
                Fact::Runs(mode, arm) => {
                    let arm = machine
                        .modes
                        .get(mode)
                        .and_then(|rules| rules.arms.get(arm));
                    bodies.extend(arm.map(|arm| arm.body));
                }
                _ => {}
            };
            for block in &machine.bodies[body].blocks {
                block.steps.iter().for_each(|step| step.facts(&mut note));
                block.exit.facts(&mut note);
            }
        }
        let Some(mode) = todo.pop() else { break };
        if reached
            .get_mut(mode)
            .is_some_and(|reached| !std::mem::replace(reached, true))
        {
            bodies.extend(machine.modes[mode].arms.iter().map(|arm| arm.body));
        }
    }
    for (mode, reached) in table.rules().zip(reached) {
        if !reached {
            let (called, name) = (&machine.called, &mode.name.text);
            let message = format!("no {called} leads to `{name}`");
            faults
                .add(Code::UnreachableMode, mode.name.at, message)
                .help("switch to it somewhere, or remove it");
        }
    }
}
