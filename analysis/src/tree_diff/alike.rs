//! Bodies that do the same in other words: values with other names, names of a list in another order, steps in another order that do
//! not depend on each other.

use speclex_codegen::tree::machine::{Block, BodyId, Exit, Guard, Types};
use speclex_codegen::tree::{Effects, TreeMachine};

/// Whether numbers mean the same in both tables.
pub(super) fn have_the_same_numbers(machines: [&TreeMachine; 2]) -> bool {
    let [one, other] = machines.map(|it| {
        let arms = it.modes.iter().map(|rules| {
            let keys = rules.arms.iter().map(|arm| (&arm.key, arm.body));
            (&rules.name, keys.collect::<Vec<_>>())
        });
        (
            (
                &it.kinds,
                &it.states,
                &it.properties,
                &it.hosts,
                &it.conditions,
                &it.on_popping,
            ),
            it.sets.iter().map(|it| &it.name).collect::<Vec<_>>(),
            it.scopes.iter().map(|it| &it.name).collect::<Vec<_>>(),
            it.names.iter().map(|it| &it.name).collect::<Vec<_>>(),
            it.quirks.iter().map(|it| &it.0).collect::<Vec<_>>(),
            arms.collect::<Vec<_>>(),
            it.bodies.iter().map(|it| &it.name).collect::<Vec<_>>(),
        )
    });
    one == other
}

/// Whether two bodies do the same, if numbers mean the same in both tables.
pub(super) fn are_alike(machines: [&TreeMachine; 2], bodies: [BodyId; 2]) -> bool {
    let normal = |side: usize| {
        let body = machines[side].bodies.get(bodies[side])?;
        let blocks = body
            .blocks
            .iter()
            .map(|block| normal(machines[side], block));
        Some((
            body.parameters,
            body.slots.len(),
            blocks.collect::<Vec<_>>(),
        ))
    };
    normal(0).is_some_and(|one| Some(one) == normal(1))
}

/// A block whose steps stand in the first of all orders that keep apart what depends on each other.
fn normal(machine: &TreeMachine, block: &Block) -> Block {
    let steps = block.steps.iter();
    let mut left: Vec<_> = steps
        .map(|step| (format!("{step:?}"), Effects::of(machine, step), step))
        .collect();
    let mut steps = Vec::new();
    loop {
        let is_free = |&at: &usize| {
            left[..at]
                .iter()
                .all(|(_, before, _)| left[at].1.are_independent_of(before))
        };
        let free = (0..left.len()).filter(is_free);
        let Some(first) = free.min_by_key(|&at| &left[at].0) else {
            break;
        };
        steps.push(left.remove(first).2.clone());
    }
    let mut exit = block.exit.clone();
    if let Exit::If { guard, .. } = &mut exit {
        sort_names(guard);
    }
    Block { steps, exit }
}

fn sort_names(guard: &mut Guard) {
    match guard {
        Guard::Not(guard) => sort_names(guard),
        Guard::All(guards) | Guard::Any(guards) => guards.iter_mut().for_each(sort_names),
        Guard::Is(_, Types::Names(names))
        | Guard::HasInScope(Types::Names(names), _)
        | Guard::IsOnStack(Types::Names(names)) => names.sort(),
        Guard::TokenIsNamed(names) => names.sort(),
        _ => {}
    }
}
