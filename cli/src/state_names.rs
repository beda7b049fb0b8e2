//! States by name, when the name is not quite right.

use speclex_codegen::machine::Machine;

use crate::Failure;

/// There is no such state; which may be meant.
pub(crate) fn unknown_state(wanted: &str, machine: &Machine) -> Failure {
    let names = || machine.states.iter().map(|state| state.name.as_str());
    // People write the heading: `Tag open state`.
    let heading = wanted.strip_suffix(" state").unwrap_or(wanted);
    let lower = heading.to_lowercase();
    let similar: Vec<&str> = names()
        .filter(|name| name.to_lowercase().contains(&lower))
        .collect();
    let exact = names().find(|name| name.eq_ignore_ascii_case(heading));
    let help = match exact.or_else(|| speclex_codegen::closest(heading, names())) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if similar.is_empty() => format!("`analyze --spec {}` lists all", machine.name),
        None => format!("with this in their names: {}", similar.join("; ")),
    };
    Failure::Other(format!(
        "table `{}` has no state `{wanted}`; {help}",
        machine.name
    ))
}
