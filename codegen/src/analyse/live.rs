//! Liveness: the tokens under construction and the registers that a machine may read, or add to, before it makes them anew. What else holds characters need not be copied when the input goes, and may stay as it is.

use std::collections::BTreeSet;

use super::{Event, Path, bodies, decided, paths, states_in_registers};
use crate::machine::{Action, Guard, Machine, RegisterId, RegisterType, StateId, Target, TokenId};
use crate::uses::Variable;

/// For each state, what may be used from there on as it is.
pub(crate) fn live(machine: &Machine) -> Vec<BTreeSet<Variable>> {
    let entries: Vec<_> = machine.entries.iter().map(|entry| entry.state).collect();
    let live = live_before(machine, &entries, &[], Use::Any);
    // From outside, any content may be entered at any time.
    let of_entries = entries.iter().map(|StateId(entry)| &live[*entry as usize]);
    let always: BTreeSet<Variable> = of_entries.flatten().copied().collect();
    let of_states = live.into_iter();
    of_states.map(|of| &of | &always).collect()
}

/// The same while the sink answers nothing.
pub fn live_unanswered(machine: &Machine) -> Vec<BTreeSet<Variable>> {
    live_before(machine, &[], &[], Use::Any)
}

/// For each state, the registers whose text may be copied from there on before it is made anew. That of others is compared with
/// constants, at most.
pub(crate) fn copied(machine: &Machine) -> Vec<BTreeSet<Variable>> {
    let entries: Vec<_> = machine.entries.iter().map(|entry| entry.state).collect();
    live_before(machine, &entries, &[], Use::Copied)
}

/// For each state, what may be used from there on before an entry state is reached: the token under construction, and what is
/// needed for it.
pub(crate) fn under_construction(machine: &Machine) -> Vec<BTreeSet<Variable>> {
    let entries: Vec<_> = machine.entries.iter().map(|entry| entry.state).collect();
    let mut live = live_before(machine, &[], &entries, Use::Any);
    for StateId(entry) in entries {
        live[entry as usize].clear();
    }
    live
}

/// Which uses count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Any,
    /// All but comparing a text with constants, and appending to it.
    Copied,
}

/// For each state, what may be used from there on as it is. A sink may answer with any content; nothing is followed from `ends` on.
fn live_before(
    machine: &Machine,
    contents: &[StateId],
    ends: &[StateId],
    counts: Use,
) -> Vec<BTreeSet<Variable>> {
    let paths_of_states: Vec<Vec<Path<'_>>> = (machine.states.iter())
        .map(|state| bodies(state).into_iter().flat_map(paths).collect())
        .collect();
    let flow = Flow {
        machine,
        variables: Variables::of(machine),
        paths: &paths_of_states,
        contents,
        ends,
        counts,
    };
    // The arms behind a character reference depend on the state that it returns to: on registers that hold nothing when the next
    // content begins.
    let roughly = flow.live(&[]);
    let entries = || machine.entries.iter();
    let lasts = |id| {
        let number = flow.variables.number(Variable::Register(id));
        let mut entries = entries();
        entries.any(|entry| number.is_some_and(|it| roughly[entry.state.0 as usize][it]))
    };
    let is_set_elsewhere = |id| {
        let on_emit = machine.on_emit.iter().flat_map(|on| &on.steps);
        let on_emit = on_emit.flat_map(|(_, actions)| actions);
        let mut on_emit = on_emit.flat_map(Action::registers);
        let mut anywhere = machine.all_actions().flat_map(Action::registers);
        entries().any(|entry| entry.sets.iter().any(|(set, _)| *set == id))
            || on_emit.any(|(changed, _)| changed == id)
            || anywhere.any(|changed| changed == (id, None))
    };
    let mut followed: Vec<Followed> = Vec::new();
    let mut combinations = 1;
    for register in Followed::all(machine) {
        let more = combinations * register.values.len();
        if (1..=MOST_COMBINATIONS).contains(&more)
            && !lasts(register.id)
            && !is_set_elsewhere(register.id)
        {
            combinations = more;
            followed.push(register);
        }
    }
    let live = match followed.is_empty() {
        true => roughly,
        false => flow.live(&followed),
    };
    let of_states = live.into_iter();
    of_states.map(|set| flow.variables.of_set(&set)).collect()
}

/// How many combinations of values are followed.
const MOST_COMBINATIONS: usize = 64;

/// A register that is only ever set to constants.
struct Followed {
    id: RegisterId,
    /// States, or the numbers of words.
    values: Vec<u32>,
}

impl Followed {
    fn all(machine: &Machine) -> Vec<Self> {
        let held = states_in_registers(machine);
        let registers = (0..).map(RegisterId).zip(&machine.registers);
        let registers = registers.filter_map(|(id, register)| {
            let values = match &register.ty {
                RegisterType::State => held.get(&id)?.iter().map(|state| state.0).collect(),
                RegisterType::Finite(words) => (0..words.len() as u32).collect(),
                RegisterType::Text | RegisterType::Number | RegisterType::Character => return None,
            };
            Some(Self { id, values })
        });
        registers.collect()
    }

    /// What a path sets it to.
    fn set_by(&self, path: &Path<'_>) -> Option<u32> {
        let set = path.actions().flat_map(Action::registers);
        set.filter(|(id, _)| *id == self.id).last()?.1
    }
}

/// Whether something is in a set, by its number.
type Set = Vec<bool>;

/// The variables of a machine, numbered.
struct Variables(Vec<Variable>);

impl Variables {
    fn of(machine: &Machine) -> Self {
        let tokens = (0..machine.vocabulary.tokens.len() as u32).map(TokenId);
        let registers = (0..machine.registers.len() as u32).map(RegisterId);
        let all = (tokens.map(Variable::Token)).chain(registers.map(Variable::Register));
        let mut all: Vec<_> = all.chain([Variable::LastStartTag]).collect();
        all.sort_unstable();
        Self(all)
    }

    /// None for what a state has matched, for which only its own bodies ask, and for the mark, since which all input is kept.
    fn number(&self, variable: Variable) -> Option<usize> {
        self.0.binary_search(&variable).ok()
    }

    fn of_set(&self, set: &Set) -> BTreeSet<Variable> {
        let all = self.0.iter().zip(set);
        all.filter(|(_, has)| **has)
            .map(|(variable, _)| *variable)
            .collect()
    }
}

/// A way from a state to others, for some values of the registers that are followed. Nodes are states with such values.
struct Edge {
    from: usize,
    to: Vec<usize>,
    /// Which of all paths.
    path: usize,
}

/// What is known of a machine before it is known what is live.
struct Flow<'m> {
    machine: &'m Machine,
    variables: Variables,
    paths: &'m [Vec<Path<'m>>],
    contents: &'m [StateId],
    ends: &'m [StateId],
    counts: Use,
}

impl Flow<'_> {
    /// What is live in each state.
    fn live(&self, followed: &[Followed]) -> Vec<Set> {
        let combinations = followed.iter().map(|it| it.values.len()).product();
        let none = vec![false; self.variables.0.len()];
        let mut live = vec![none.clone(); self.machine.states.len() * combinations];
        let uses: Vec<(Set, Set)> = (self.paths.iter().flatten())
            .map(|path| self.uses(path))
            .collect();
        let edges = self.edges(followed, combinations);
        let mut changed = true;
        while changed {
            changed = false;
            for edge in edges.iter().rev() {
                let (used, made) = &uses[edge.path];
                for number in 0..none.len() {
                    let is_live =
                        used[number] || !made[number] && edge.to.iter().any(|to| live[*to][number]);
                    if is_live && !live[edge.from][number] {
                        live[edge.from][number] = true;
                        changed = true;
                    }
                }
            }
        }
        let union = |of: &[Set]| {
            (0..none.len())
                .map(|it| of.iter().any(|set| set[it]))
                .collect()
        };
        live.chunks(combinations).map(union).collect()
    }

    fn edges(&self, followed: &[Followed], combinations: usize) -> Vec<Edge> {
        let held = states_in_registers(self.machine);
        let mut edges = Vec::new();
        let states = self.paths.iter().enumerate();
        let paths = states.flat_map(|(state, paths)| paths.iter().map(move |path| (state, path)));
        for (number, (state, path)) in paths.enumerate() {
            let sets: Vec<_> = followed.iter().map(|it| it.set_by(path)).collect();
            let emits = path.actions().any(|a| matches!(a, Action::Emit(_)));
            for combination in 0..combinations {
                // From the number of a combination to values and back.
                let mut rest = combination;
                let before: Vec<u32> = (followed.iter())
                    .map(|register| {
                        let value = register.values[rest % register.values.len()];
                        rest /= register.values.len();
                        value
                    })
                    .collect();
                let asked = |id| {
                    let index = followed.iter().position(|register| register.id == id)?;
                    sets[index].is_none().then_some(before[index])
                };
                if contradicts(path, &asked) {
                    continue;
                }
                let mut after = 0;
                let mut target = None;
                for (index, register) in followed.iter().enumerate().rev() {
                    let value = sets[index].unwrap_or(before[index]);
                    let known = register.values.iter().position(|it| *it == value);
                    after = after * register.values.len() + known.unwrap_or_default();
                    if path.target == Target::Register(register.id) {
                        target = Some(StateId(value));
                    }
                }
                let targets: Vec<StateId> = match (path.target, target) {
                    (Target::State(id), _) | (_, Some(id)) => vec![id],
                    (Target::Register(id), None) => {
                        held.get(&id).into_iter().flatten().copied().collect()
                    }
                    (Target::End, None) => Vec::new(),
                };
                let contents = self.contents.iter().filter(|_| emits);
                let to = (targets.iter().chain(contents))
                    .filter(|next| !self.ends.contains(next))
                    .map(|StateId(next)| *next as usize * combinations + after);
                edges.push(Edge {
                    from: state * combinations + combination,
                    to: to.collect(),
                    path: number,
                });
            }
        }
        edges
    }

    /// What a path uses as it is in front of it, and what it makes anew.
    fn uses(&self, path: &Path<'_>) -> (Set, Set) {
        let none = vec![false; self.variables.0.len()];
        let (mut used, mut made) = (none.clone(), none);
        let set = |set: &mut Set, variable: Option<Variable>, to: bool| {
            if let Some(number) = variable.and_then(|it| self.variables.number(it)) {
                set[number] = to;
            }
        };
        if let Target::Register(id) = path.target {
            set(&mut used, Some(Variable::Register(id)), true);
        }
        for event in path.events.iter().rev() {
            let action = match event {
                Event::Does(action) => *action,
                Event::Asks(guard, _) => {
                    let reads = self.reads(guard);
                    reads.for_each(|variable| set(&mut used, Some(variable), true));
                    continue;
                }
            };
            if let Action::Emit(token) = action {
                let steps = self.machine.on_emit.iter().filter(|on| on.token == *token);
                for (guard, actions) in steps.flat_map(|on| &on.steps) {
                    let asked = guard.iter().flat_map(|it| self.reads(it)).map(Some);
                    let done = actions.iter().flat_map(|it| it.changes().chain(it.reads()));
                    asked
                        .chain(done.map(Some))
                        .for_each(|variable| set(&mut used, variable, true));
                }
            }
            if !self.only_appends(action) {
                action
                    .changes()
                    .for_each(|it| set(&mut used, Some(it), true));
            }
            for variable in action.makes_anew() {
                set(&mut used, Some(variable), false);
                set(&mut made, Some(variable), true);
            }
            action.reads().for_each(|it| set(&mut used, Some(it), true));
        }
        (used, made)
    }

    /// What a question uses.
    fn reads(&self, guard: &Guard) -> impl Iterator<Item = Variable> + use<> {
        let parts = guard.parts().into_iter();
        let parts =
            parts.filter(|part| self.counts == Use::Any || !matches!(part, Guard::TextIs { .. }));
        let reads: Vec<Variable> = parts.flat_map(Guard::reads).collect();
        reads.into_iter()
    }

    /// Whether an action appends to a text, which does not count.
    fn only_appends(&self, action: &Action) -> bool {
        self.counts == Use::Copied && matches!(action, Action::AppendRegister(..))
    }
}

/// Whether a path cannot be gone where registers have these values.
fn contradicts(path: &Path<'_>, value: &dyn Fn(RegisterId) -> Option<u32>) -> bool {
    let is_known = |guard: &Guard| match guard {
        Guard::StateIs(id, states) => Some(states.contains(&StateId(value(*id)?))),
        Guard::FiniteIs(id, words) => Some(words.contains(&value(*id)?)),
        _ => None,
    };
    let mut guards = path.guards();
    guards.any(|(guard, given)| decided(guard, &is_known) == Some(!given))
}
