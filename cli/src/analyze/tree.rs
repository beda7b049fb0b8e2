//! What the generator finds out about a table of tree construction.

use std::io::{self, Write};

use serde_json::json;
use speclex_analysis::graph::{LeadsTo, leads};
use speclex_codegen::tree::LoadedTree;
use speclex_codegen::tree::emit::{Found, found};
use speclex_codegen::tree::machine::Rules;

use crate::Failure;
use crate::args::{Analyze, Format};
use crate::terminal::{self, count};

/// An insertion mode with what was found.
type Mode<'m> = (&'m Rules, Found, LeadsTo);

/// Analyses a table, or one of its insertion modes.
pub(super) fn run(args: &Analyze, table: &LoadedTree) -> Result<(), Failure> {
    let machine = &table.machine;
    let (modes, procedures, faults) = found(machine);
    let modes = machine.modes.iter().zip(modes).zip(leads(machine));
    let mut modes: Vec<Mode<'_>> = modes
        .map(|((rules, found), to)| (rules, found, to))
        .collect();
    if let Some(wanted) = &args.state {
        modes.retain(|(rules, ..)| rules.name == *wanted);
        if modes.is_empty() {
            return Err(Failure::unknown_mode(wanted, machine));
        }
    }
    let mut out = terminal::writer(args.format == Format::Json);
    let written = match args.format {
        Format::Human => {
            let whole = args
                .state
                .is_none()
                .then_some((&procedures[..], &faults[..]));
            human(&mut out, table, &modes, whole)
        }
        Format::Json => {
            let modes: Vec<_> = modes.iter().map(object).collect();
            let whole = json!({
                "table": machine.name,
                "searching procedures": procedures,
                "no builder since": faults,
                "insertion modes": modes,
            });
            writeln!(out, "{whole:#}")
        }
    };
    written.and_then(|()| out.flush()).map_err(Failure::output)
}

fn human(
    out: &mut impl Write,
    table: &LoadedTree,
    modes: &[Mode<'_>],
    whole: Option<(&[String], &[String])>,
) -> io::Result<()> {
    if let Some((procedures, faults)) = whole {
        let machine = &table.machine;
        writeln!(out, "{}: {}", machine.name, machine.title)?;
        writeln!(
            out,
            "{}, {}, {}",
            count(table.insertion_modes, &machine.called),
            count(table.arms, "arm"),
            count(machine.procedures(), "procedure")
        )?;
        list(out, "searches", procedures.iter())?;
        list(out, "no builder", faults.iter())?;
        writeln!(out)?;
    }
    for (rules, found, to) in modes {
        let section = match rules.section.as_str() {
            "" => String::new(),
            section => format!(" ({section})"),
        };
        writeln!(
            out,
            "{}{section}: {}",
            rules.name,
            count(rules.arms.len(), "arm")
        )?;
        let names = found.names.iter();
        let names = names.map(|(kind, names)| count(*names, &format!("{kind} name")));
        list(out, "tells apart", names)?;
        let hands_on = found.hands_on.iter();
        list(
            out,
            "hands on",
            hands_on.map(|(key, to)| format!("{key}: to {to}")),
        )?;
        let runs = |wanted| {
            let runs = found
                .runs
                .iter()
                .filter(move |(_, is_run)| *is_run == wanted);
            runs.map(|(key, _)| key)
        };
        list(out, "in runs", runs(true))?;
        list(out, "one by one", runs(false))?;
        let at_once = found.at_once.iter();
        list(
            out,
            "at once",
            at_once.map(|(what, names)| match &names[..] {
                [] => (*what).to_owned(),
                names => format!("{what}: {}", names.join(", ")),
            }),
        )?;
        list(out, "searches", found.searches.iter())?;
        list(out, "switches to", to.switches.iter())?;
        list(out, "reprocesses in", to.reprocesses.iter())?;
        list(out, "rules for", to.rules.iter())?;
        writeln!(out)?;
    }
    Ok(())
}

fn list(
    out: &mut impl Write,
    mut label: &str,
    items: impl Iterator<Item = impl std::fmt::Display>,
) -> io::Result<()> {
    for item in items {
        writeln!(out, "  {label:<14} {item}")?;
        label = "";
    }
    Ok(())
}

fn object((rules, found, to): &Mode<'_>) -> serde_json::Value {
    let names = found.names.iter();
    let names = names.map(|(kind, count)| (kind.clone(), json!(count)));
    let pairs = |key: &'static str, list: &[(String, String)]| {
        let pairs = list.iter().map(|(arm, to)| json!({"arm": arm, key: to}));
        pairs.collect::<Vec<_>>()
    };
    let runs = found.runs.iter();
    let runs = runs.map(|(arm, is_run)| json!({"arm": arm, "at once": is_run}));
    let at_once = found.at_once.iter();
    let at_once = at_once.map(|(what, names)| json!({"what": what, "names": names}));
    json!({
        "name": rules.name,
        "section": rules.section,
        "arms": rules.arms.len(),
        "names told apart": names.collect::<serde_json::Map<_, _>>(),
        "hands on": pairs("to", &found.hands_on),
        "runs of characters": runs.collect::<Vec<_>>(),
        "at once": at_once.collect::<Vec<_>>(),
        "searches": found.searches,
        "switches to": to.switches,
        "reprocesses in": to.reprocesses,
        "uses the rules for": to.rules,
    })
}
