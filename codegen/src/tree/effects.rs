//! What a step reads and writes, with all that it runs: whether two steps may change places.

use std::collections::BTreeSet;

use super::facts::{Fact, Facts};
use super::machine::{
    BodyId, Exit, Guard, Mode, SlotId, StateId, Step, TreeMachine, Value, Variable,
};

/// A part of what a builder remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Variable(Variable),
    State(StateId),
    Slot(SlotId),
    /// The content that the tokenizer is switched to.
    Content,
    /// Whether the self-closing flag is acknowledged.
    Acknowledged,
    /// The character that is ignored if it comes next.
    Ignored,
    /// Nodes, the token, errors, and all else.
    Rest,
}

/// What a step may read and write.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    reads: BTreeSet<Place>,
    writes: BTreeSet<Place>,
    /// It runs what may do anything, as the rules of an insertion mode.
    is_anything: bool,
}

impl Effects {
    /// Of a step of a machine.
    pub fn of(machine: &TreeMachine, step: &Step) -> Self {
        let mut effects = Self::default();
        effects.add_step(machine, step, &mut BTreeSet::new());
        effects
    }

    /// Whether it does not matter which of two is done first.
    pub fn are_independent_of(&self, other: &Self) -> bool {
        let leaves = |one: &Self, other: &Self| {
            one.writes.is_disjoint(&other.writes) && one.writes.is_disjoint(&other.reads)
        };
        !self.is_anything && !other.is_anything && leaves(self, other) && leaves(other, self)
    }

    fn add_step(&mut self, machine: &TreeMachine, step: &Step, ran: &mut BTreeSet<BodyId>) {
        match step {
            // An error has the insertion mode and the current node.
            Step::ParseError => self.read([Variable::InsertionMode, Variable::OpenElements]),
            Step::SetOriginalMode
            | Step::SwitchTo(Mode::Current)
            | Step::PushMode(Mode::Current) => self.read([Variable::InsertionMode]),
            _ => {}
        }
        self.writes.extend(written(step));
        self.add(machine, step, ran);
    }

    fn read<const N: usize>(&mut self, variables: [Variable; N]) {
        self.reads.extend(variables.map(Place::Variable));
    }

    fn add_guard(&mut self, machine: &TreeMachine, guard: &Guard, ran: &mut BTreeSet<BodyId>) {
        // Facts leave out what is asked of tokens of one kind.
        self.is_anything |= asks_one_kind(guard);
        self.add(machine, guard, ran);
    }

    fn add(&mut self, machine: &TreeMachine, part: &dyn Facts, ran: &mut BTreeSet<BodyId>) {
        let mut bodies = Vec::new();
        part.facts(&mut |fact| match fact {
            Fact::Variable(variable) => self.read([variable]),
            Fact::State(state) => {
                self.reads.insert(Place::State(state));
            }
            Fact::Reads(slot) => {
                self.reads.insert(Place::Slot(slot));
            }
            Fact::Calls(body) => bodies.push(body),
            Fact::Pops => bodies.extend(machine.on_popping.iter().map(|(_, body)| *body)),
            Fact::Condition(condition) => {
                let condition = machine.conditions.get(condition);
                if let Some(condition) = condition {
                    self.add_guard(machine, &condition.guard, ran);
                }
            }
            // A script may write into the document.
            Fact::Host(host) => {
                self.is_anything |= machine.hosts.get(host).is_none_or(|it| it.may_pause)
            }
            Fact::Delegates(_) | Fact::Runs(..) => self.is_anything = true,
            Fact::Needs(_)
            | Fact::NeedsCharacter
            | Fact::UsesNew
            | Fact::CreatesNew
            | Fact::UsesPopped
            | Fact::Writes(_)
            | Fact::Set(_)
            | Fact::Scope(_)
            | Fact::Names(_)
            | Fact::Quirks(_)
            | Fact::Property(_)
            | Fact::Gives(..)
            | Fact::LeadsTo(_)
            | Fact::Renames => {}
        });
        for body in bodies {
            let blocks = machine
                .bodies
                .get(body)
                .map_or(&[][..], |body| &body.blocks);
            for block in blocks
                .iter()
                .take(if ran.insert(body) { usize::MAX } else { 0 })
            {
                // What a procedure keeps is its own.
                let mut inner = Self::default();
                block
                    .steps
                    .iter()
                    .for_each(|step| inner.add_step(machine, step, ran));
                inner.add(machine, &block.exit, ran);
                if let Exit::If { guard, .. } = &block.exit {
                    inner.add_guard(machine, guard, ran);
                }
                let is_kept = |place: &&Place| !matches!(place, Place::Slot(_));
                self.reads.extend(inner.reads.iter().filter(is_kept));
                self.writes.extend(inner.writes.iter().filter(is_kept));
                self.is_anything |= inner.is_anything || block.exit == Exit::StopParsing;
            }
        }
    }
}

/// What a step writes by itself. Those that read or write nodes, the token or the like write [`Place::Rest`], too: their order stays.
fn written(step: &Step) -> Vec<Place> {
    let variable = match step {
        Step::SetNode(state, Value::Null) | Step::SetWord(state, _) => {
            return vec![Place::State(*state)];
        }
        Step::SwitchTokenizer(_) => return vec![Place::Content],
        Step::Acknowledge => return vec![Place::Acknowledged],
        Step::IgnoreNext(_) => return vec![Place::Ignored],
        Step::FosterParenting(_) => Variable::FosterParenting,
        Step::SwitchTo(_) => Variable::InsertionMode,
        Step::SetOriginalMode => Variable::OriginalInsertionMode,
        Step::PushMode(_) | Step::PopMode => Variable::TemplateInsertionModes,
        Step::AddMarker => Variable::ActiveFormattingElements,
        Step::EmptyPending => Variable::PendingTableCharacters,

        Step::Set(slot, _) | Step::Increment(slot, _) | Step::SetPrevious(slot) => {
            return vec![Place::Rest, Place::Slot(*slot)];
        }
        Step::SetNode(state, _) => return vec![Place::Rest, Place::State(*state)],
        Step::Pop
        | Step::PopUntil(_)
        | Step::PopThrough(_)
        | Step::PopBelow(_)
        | Step::Push(_)
        | Step::InsertBelow(..) => {
            return vec![Place::Rest, Place::Variable(Variable::OpenElements)];
        }
        Step::Remove(variable, _) | Step::Replace(variable, ..) => {
            return vec![Place::Rest, Place::Variable(*variable)];
        }
        Step::Add(_) | Step::InsertAtPosition(..) => {
            return vec![
                Place::Rest,
                Place::Variable(Variable::ActiveFormattingElements),
            ];
        }
        Step::AppendPending => {
            return vec![
                Place::Rest,
                Place::Variable(Variable::PendingTableCharacters),
            ];
        }
        Step::ParseError
        | Step::SetProperty(..)
        | Step::UseRules(_)
        | Step::RunArm(..)
        | Step::RunArmForPending(..)
        | Step::Run(_)
        | Step::Host(_)
        | Step::Insert(..)
        | Step::Append(..)
        | Step::MoveChildren(..)
        | Step::Detach(_)
        | Step::AppendAttributes(..)
        | Step::AddMissingAttributes(_)
        | Step::DropAttributes
        | Step::Rename(_)
        | Step::RenameBy(_)
        | Step::AdjustAttributes(_)
        | Step::AppendText(..)
        | Step::InsertText(..)
        | Step::InsertComment(_)
        | Step::InsertProcessingInstruction(_)
        | Step::InsertEntityReference(_)
        | Step::InsertDoctype(_) => return vec![Place::Rest],
    };
    vec![Place::Variable(variable)]
}

fn asks_one_kind(guard: &Guard) -> bool {
    match guard {
        Guard::Not(guard) => asks_one_kind(guard),
        Guard::All(guards) if matches!(guards[..], [Guard::TokenIs(_), ..]) => true,
        Guard::All(guards) | Guard::Any(guards) => guards.iter().any(asks_one_kind),
        _ => false,
    }
}
