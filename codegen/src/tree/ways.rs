//! Where bodies lead: to which insertion modes they switch, to which rules they hand the token, and where they reprocess it.

use super::facts::{Fact, Facts};
use super::machine::{ArmId, BlockId, BodyId, Exit, Mode, ModeId, Step, TreeMachine};
use std::collections::{BTreeMap, BTreeSet};

/// What has happened on a way through a body: where the insertion mode was switched to, if it was, and whether an element was popped
/// or the token changed, so that a loop comes to an end.
pub type Way = (Option<Mode>, bool);

/// Where a body leads.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Leads {
    /// The ways to its end.
    pub ends: BTreeSet<Way>,
    /// The ways to where it reprocesses the token, each with the last block.
    pub reprocesses: BTreeMap<Way, BlockId>,
    /// The ways to where other rules have the token.
    pub delegates: BTreeSet<(Way, Mode)>,
    /// The ways to where another arm runs.
    pub acts: BTreeSet<(Way, ModeId, ArmId)>,
    /// Whether it may stop the parsing.
    pub stops: bool,
}

/// Where the bodies of a machine lead.
#[derive(Debug)]
pub struct Ways<'m> {
    machine: &'m TreeMachine,
    bodies: Vec<Option<Leads>>,
}

pub(super) fn then(first: Way, second: Way) -> Way {
    (second.0.or(first.0), first.1 || second.1)
}

impl<'m> Ways<'m> {
    /// Those of a machine.
    pub fn new(machine: &'m TreeMachine) -> Self {
        Self {
            machine,
            bodies: vec![None; machine.bodies.len()],
        }
    }

    /// Where a body leads. Procedures run others, but not themselves.
    pub fn of(&mut self, body: BodyId) -> Leads {
        if let Some(leads) = self.bodies.get(body).cloned().flatten() {
            return leads;
        }
        let Some(it) = self.machine.bodies.get(body) else {
            return Leads::default();
        };
        let mut leads = Leads::default();
        let mut at: Vec<BTreeSet<Way>> = vec![BTreeSet::new(); it.blocks.len()];
        let mut todo = vec![(0, (None, false))];
        while let Some((block, way)) = todo.pop() {
            if !at.get_mut(block).is_some_and(|ways| ways.insert(way)) {
                continue;
            }
            let mut ways = BTreeSet::from([way]);
            for step in &it.blocks[block].steps {
                ways = self.step(step, &ways, &mut leads);
            }
            for way in ways {
                match it.blocks[block].exit {
                    Exit::Go(next) => todo.push((next, way)),
                    Exit::If { yes, no, .. } => todo.extend([(yes, way), (no, way)]),
                    Exit::Done | Exit::Return(_) => _ = leads.ends.insert(way),
                    Exit::Reprocess => _ = leads.reprocesses.insert(way, block),
                    Exit::ReprocessUsing(mode) => _ = leads.delegates.insert((way, mode)),
                    Exit::ActAs(mode, arm) => _ = leads.acts.insert((way, mode, arm)),
                    Exit::StopParsing => leads.stops = true,
                }
            }
        }
        self.bodies[body] = Some(leads.clone());
        leads
    }

    fn step(&mut self, step: &Step, ways: &BTreeSet<Way>, leads: &mut Leads) -> BTreeSet<Way> {
        let mut facts = Vec::new();
        step.facts(&mut |fact| facts.push(fact));
        let mut ways = ways.clone();
        for fact in facts {
            let each =
                |f: &dyn Fn(Way) -> Way| ways.iter().map(|&way| f(way)).collect::<BTreeSet<Way>>();
            ways = match fact {
                Fact::Pops | Fact::Renames => each(&|way| (way.0, true)),
                Fact::LeadsTo(mode) if matches!(step, Step::SwitchTo(_)) => {
                    each(&|way| (Some(mode), way.1))
                }
                Fact::Calls(callee) => {
                    let ends = self.of(callee).ends;
                    ways.iter()
                        .flat_map(|&way| ends.iter().map(move |&end| then(way, end)))
                        .collect()
                }
                Fact::Delegates(mode) => {
                    leads.delegates.extend(ways.iter().map(|&way| (way, mode)));
                    ways
                }
                Fact::Runs(mode, arm) => {
                    leads.acts.extend(ways.iter().map(|&way| (way, mode, arm)));
                    ways
                }
                _ => ways,
            };
        }
        ways
    }
}
