//! What a table of tree construction says of its insertion modes, arms and procedures.

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::find;
use speclex_codegen::tree::machine::{BodyId, ModeId};

/// What it says of them.
pub(super) fn texts(machine: &TreeMachine, words: &str) -> Vec<String> {
    let mode = find::mode(machine, words).map(|mode| of_mode(machine, mode));
    let arms = find::arms(machine, words).into_iter();
    let arms = arms.filter_map(|(mode, arm)| {
        let arm = machine.modes.get(mode)?.arms.get(arm)?;
        let name = &machine.modes[mode].name;
        let head = format!("{} in \"{name}\" (arm of {})", line(&arm.key), machine.name);
        let text = format!("{head}\n{}", place(machine, mode));
        Some(text + &steps(machine, arm.body, "  "))
    });
    let procedures = find::procedures(machine, words).into_iter();
    let procedures = procedures.map(|body| {
        let name = &machine.bodies[body].name;
        let head = format!("{} (procedure of {})\n", line(name), machine.name);
        head + &steps(machine, body, "  ")
    });
    mode.into_iter().chain(arms).chain(procedures).collect()
}

/// All names that it may be asked for, without holes.
pub(super) fn names(machine: &TreeMachine) -> impl Iterator<Item = &str> {
    let modes = machine.modes.iter();
    let keys = modes.clone().flat_map(|rules| &rules.arms);
    let keys = keys.map(|arm| arm.key.as_str());
    let bodies = machine.bodies.iter().map(|body| body.name.as_str());
    modes
        .map(|rules| rules.name.as_str())
        .chain(keys)
        .chain(bodies)
}

fn of_mode(machine: &TreeMachine, mode: ModeId) -> String {
    let rules = &machine.modes[mode];
    let (name, called) = (&rules.name, &machine.called);
    let mut text = format!("{name} ({called} of {})\n", machine.name);
    text += &place(machine, mode);
    for arm in &rules.arms {
        text += &format!("  {}:\n", line(&arm.key));
        text += &steps(machine, arm.body, "    ");
    }
    text
}

/// The section, and its address.
fn place(machine: &TreeMachine, mode: ModeId) -> String {
    let rules = &machine.modes[mode];
    let section = &rules.section;
    let address = speclex_tables::address(&machine.name, section, &rules.name);
    let address = address.map_or(String::new(), |address| format!("  {address}\n"));
    match section.is_empty() {
        true => address,
        false => format!("  Section {section}\n{address}"),
    }
}

fn steps(machine: &TreeMachine, body: BodyId, indent: &str) -> String {
    let lines = machine.bodies[body].lines.iter();
    lines.map(|line| format!("{indent}{line}\n")).collect()
}

/// A key that takes several lines.
fn line(key: &str) -> String {
    key.split_whitespace().collect::<Vec<_>>().join(" ")
}
