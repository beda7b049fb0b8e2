//! Lowering: the checked table becomes a machine.
//!
//! Passes, each named by what it removes: states are split into parts that are of one kind
//! ([`split_states`]), step lists into trees of paths ([`path`]), sub-machines into states whose returns go
//! on as their callers do ([`successor`]), and preprocessing that replaces characters into arms
//! ([`replace`]). AFTER THIS POINT there are only states, arms, actions and questions.

mod emission;
pub(crate) mod facts;
mod guards;
mod leaving;
mod path;
mod replace;
mod requirements;
mod split_states;
mod successor;
pub(crate) mod traced;

use crate::check::model::{Checked, Named};
use crate::diagnostic::{Code, Faults, Span};
use crate::machine::{
    Entry, Guard, OnEmit, Register, RegisterId, RegisterType, StateId, TokenId, Value,
};
use path::{Frame, Path};
use std::collections::HashMap;

/// The machine with places, and what belongs to it.
#[derive(Debug)]
pub(crate) struct Lowered {
    pub(crate) states: Vec<traced::State>,
    pub(crate) registers: Vec<Register>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) on_emit: Vec<OnEmit>,
    pub(crate) conditions: Vec<(String, Guard)>,
    pub(crate) hot: Vec<StateId>,
    /// Attempts of sub-machines: the states that attempt, and where they go on if nothing is
    /// consumed.
    pub(crate) calls: Vec<Call>,
}

/// One attempt of a sub-machine.
#[derive(Debug)]
pub(crate) struct Call {
    /// The parts of the state that attempts.
    pub(crate) from: Vec<StateId>,
    /// Whether a character is consumed before.
    pub(crate) consumed: bool,
    /// What it does when nothing is returned.
    pub(crate) nothing: traced::Body,
}

/// The machine's states for one state of the table.
#[derive(Clone, Debug)]
struct Ids {
    first: Option<StateId>,
    main: StateId,
    branches: Vec<StateId>,
}

impl Ids {
    /// Where others enter.
    fn entry(&self) -> StateId {
        self.first.unwrap_or(self.main)
    }
}

/// What a sub-machine returned.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Returned {
    Nothing,
    Text(Value),
    Token(TokenId),
}

/// An attempt, and what comes after it.
#[derive(Clone, Debug)]
struct Site<'c> {
    named: Named,
    span: Span,
    frames: Vec<Frame<'c>>,
    path: Path,
    /// Whether a character was consumed before it.
    consumed: bool,
}

/// What lowering knows and makes.
struct Lowering<'c, 'f> {
    checked: &'c Checked,
    faults: &'f mut Faults,
    ids: Vec<Ids>,
    /// Registers that remember who switched to a state that switches back.
    back_registers: HashMap<Named, RegisterId>,
    /// By procedure: who attempts it.
    sites: Vec<Vec<Site<'c>>>,
    /// By procedure: the register that remembers who attempts it, if several do.
    call_registers: Vec<Option<RegisterId>>,
    /// Whether a path of the arm being lowered consumed what the arm looks at.
    consumed: bool,
    /// How many bodies the arm being lowered has so far.
    bodies: usize,
    /// How lists of steps end.
    outcomes: HashMap<leaving::Known, (u8, u8)>,
    /// What was lowered so far: steps, bodies and parts of guards.
    parts: usize,
}

/// How many steps, bodies and parts of guards a table may be lowered to.
const MOST_PARTS: usize = 500_000;

/// Lowers a checked table.
pub(crate) fn lower(checked: &Checked, faults: &mut Faults) -> Lowered {
    let mut lowering = Lowering {
        checked,
        faults,
        ids: split_states::allocate(checked),
        back_registers: HashMap::new(),
        sites: checked.procedures.iter().map(|_| Vec::new()).collect(),
        call_registers: vec![None; checked.procedures.len()],
        consumed: false,
        bodies: 0,
        outcomes: HashMap::new(),
        parts: 0,
    };
    let mut registers = checked.registers.clone();
    lowering.back_registers(&mut registers);
    let (own, of_procedures): (Vec<_>, Vec<_>) = (0..checked.states.len())
        .map(Named)
        .partition(|named| checked.states[named.0].procedure.is_none());
    let mut states = Vec::new();
    for named in own {
        lowering.state(named, &mut states);
    }
    lowering.call_registers(&mut registers, &mut states);
    for named in of_procedures {
        lowering.state(named, &mut states);
    }
    lowering.replace(&mut states);
    let calls = lowering.calls();
    let entries = checked
        .entries
        .iter()
        .map(|entry| Entry {
            content: entry.content,
            state: lowering.ids[entry.state.0].entry(),
            sets: entry.sets.clone(),
        })
        .collect();
    let hot = checked.hot.iter().flat_map(|named| {
        let ids = &lowering.ids[named.0];
        [ids.main].into_iter().chain(ids.branches.iter().copied())
    });
    let hot = hot.collect();
    let on_emit = lowering.on_emit();
    let conditions = checked.conditions.iter();
    let conditions =
        conditions.filter_map(|(name, cond)| Some((name.clone(), lowering.condition(cond)?)));
    Lowered {
        states,
        registers,
        entries,
        on_emit,
        conditions: conditions.collect(),
        hot,
        calls,
    }
}

/// A name for a register that lowering makes: a table may declare one of the same name.
fn unused(registers: &[Register], mut name: String) -> String {
    while registers.iter().any(|register| register.name == name) {
        name += ", made";
    }
    name
}

impl Lowering<'_, '_> {
    /// Counts parts; whether there are too many, which is a fault.
    fn spend(&mut self, parts: usize, span: Span) -> bool {
        let was_enough = self.parts <= MOST_PARTS;
        self.parts = self.parts.saturating_add(parts);
        let is_too_much = self.parts > MOST_PARTS;
        if is_too_much && was_enough {
            let message = format!(
                "the table stands for more than {MOST_PARTS} steps, paths and parts of guards; this is where they become too many"
            );
            self.faults
                .add(Code::TooLarge, span, message)
                .help("each use of a list of steps, a procedure or a condition counts all its parts: use it in fewer places");
        }
        is_too_much
    }

    /// A register for each state that switches back.
    fn back_registers(&mut self, registers: &mut Vec<Register>) {
        let switching = split_states::lists_that_switch_back(self.checked);
        for (index, state) in self.checked.states.iter().enumerate() {
            if state.procedure.is_none() && split_states::switches_back(&switching, state) {
                let id = RegisterId(u32::try_from(registers.len()).unwrap_or(u32::MAX));
                self.back_registers.insert(Named(index), id);
                registers.push(Register {
                    name: unused(registers, format!("state that switched to {}", state.name)),
                    ty: RegisterType::State,
                });
            }
        }
    }

    /// A register for each procedure that is attempted in several places.
    fn call_registers(&mut self, registers: &mut Vec<Register>, states: &mut [traced::State]) {
        for (procedure, sites) in self.sites.iter().enumerate() {
            if sites.len() > 1 {
                let mut times: HashMap<&str, usize> = HashMap::new();
                let names = sites.iter().map(|site| {
                    let state = &self.checked.states[site.named.0].name;
                    let times = times.entry(state).or_default();
                    *times += 1;
                    match *times {
                        1 => state.clone(),
                        n => format!("{state}, {n}"),
                    }
                });
                let names: Vec<String> = names.collect();
                let id = RegisterId(u32::try_from(registers.len()).unwrap_or(u32::MAX));
                self.call_registers[procedure] = Some(id);
                registers.push(Register {
                    name: unused(
                        registers,
                        format!("call of {}", self.checked.procedures[procedure].name),
                    ),
                    ty: RegisterType::Finite(names),
                });
            }
        }
        let real: HashMap<RegisterId, Option<RegisterId>> = (0..)
            .zip(&self.call_registers)
            .map(|(procedure, real)| (path::call_placeholder(procedure), *real))
            .collect();
        for body in states.iter_mut().flat_map(traced::State::bodies_mut) {
            body.actions_mut(&mut |actions| {
                actions.retain_mut(|(action, _)| {
                    let crate::machine::Action::SetFinite(register, _) = action else {
                        return true;
                    };
                    match real.get(register) {
                        None => true,
                        Some(None) => false,
                        Some(Some(real)) => {
                            *register = *real;
                            true
                        }
                    }
                });
            });
        }
    }
}
