//! `analyze`: what the generator finds out about each state or insertion mode, and so how it is compiled.

mod state;
mod tree;

use std::io::{self, Write};
use std::process::ExitCode;

use speclex_codegen::Either;
use speclex_codegen::analyse::{hot, uses_last_start_tag};
use speclex_codegen::machine::Machine;

use crate::args::{Analyze, Format};
use crate::tree_source;
use crate::{Failure, terminal};
use state::{Analysis, Fast, Place};

/// Analyses a table, or one of its states.
pub(crate) fn run(args: &Analyze) -> Result<ExitCode, Failure> {
    let loaded = match tree_source::load(&args.spec)? {
        Either::States(found) => found.loaded,
        Either::Tree(found) => {
            return tree::run(args, &found.tree).map(|()| ExitCode::SUCCESS);
        }
    };
    let machine = &loaded.machine;
    let mut states = state::analyse(machine);
    if let Some(wanted) = &args.state {
        // A state may have been lowered to several.
        states.retain(|state| state.name == *wanted || state.origin == *wanted);
        if states.is_empty() {
            return Err(Failure::unknown_state(wanted, machine));
        }
    }
    let out = terminal::writer(args.format == Format::Json);
    let written = match args.format {
        Format::Human => human(out, machine, &states, args.state.is_none()),
        Format::Json => json(out, machine, &states),
    };
    written.map(|()| ExitCode::SUCCESS).map_err(Failure::output)
}

/// When the last start tag's name is remembered.
fn last_start_tag(machine: &Machine) -> &'static str {
    match uses_last_start_tag(machine) {
        true => "of every start tag",
        false => "never: no state asks for it",
    }
}

fn hot_names(machine: &Machine) -> Vec<&str> {
    hot::hot(machine)
        .iter()
        .map(|id| machine.states[id.0 as usize].name.as_str())
        .collect()
}

fn human(
    mut out: impl Write,
    machine: &Machine,
    states: &[Analysis],
    whole: bool,
) -> io::Result<()> {
    if whole {
        let source = match machine.hot.is_empty() {
            true => "nearest to the initial state: the table gives no list",
            false => "the table's list",
        };
        writeln!(out, "{}: {}", machine.name, machine.title)?;
        writeln!(out, "hot states ({source}):")?;
        for (index, name) in hot_names(machine).iter().enumerate() {
            writeln!(out, "  {:>2}. {name}", index + 1)?;
        }
        writeln!(out, "last start tag name kept: {}", last_start_tag(machine))?;
        let fast = states.iter().filter(|s| s.fast.is_ok()).count();
        writeln!(out, "{} states, {fast} with a fast path\n", states.len())?;
    }
    for state in states {
        human_state(&mut out, state)?;
    }
    out.flush()
}

fn human_state(out: &mut impl Write, state: &Analysis) -> io::Result<()> {
    let place = match state.place {
        Place::Hot(index) => format!("hot, number {}", index + 1),
        Place::Cold => "cold".to_owned(),
    };
    let section = match state.section.as_str() {
        "" => String::new(),
        section => format!(" ({section})"),
    };
    writeln!(out, "{}{section}: {place}", state.name)?;
    writeln!(out, "  kind           {}", state.kind)?;
    match &state.fast {
        Ok(Fast {
            does,
            stops,
            stops_with_errors,
            by_value,
            first,
        }) => {
            writeln!(out, "  fast path      {does}, up to {stops}")?;
            if let Some(first) = first {
                writeln!(out, "  looks first    for {first}")?;
            }
            match stops_with_errors {
                None => writeln!(out, "  with errors    the same")?,
                Some(stops) => writeln!(out, "  with errors    up to {stops}")?,
            }
            for (when, stops) in by_value {
                writeln!(out, "    while {when}: up to {stops}")?;
            }
        }
        Err(reason) => writeln!(out, "  no fast path   {reason}")?,
    }
    match &state.whole_attribute {
        Some(Ok(states)) => writeln!(out, "  in one pass    {states}")?,
        Some(Err(reason)) => writeln!(out, "  not one pass   {reason}")?,
        None => {}
    }
    let lists = [
        ("only report", &state.error_only),
        ("skips runs of", &state.skips),
        ("looks ahead", &state.looks_ahead),
        ("at the end", &state.at_end),
        ("goes to", &state.successors),
    ];
    for (label, list) in lists {
        let mut label = label;
        for item in list {
            writeln!(out, "  {label:<14} {item}")?;
            label = "";
        }
    }
    if let Some(newline) = state.newline {
        writeln!(out, "  CR             {newline}")?;
    }
    if state.starts_tokens {
        writeln!(
            out,
            "  spans          tokens start where this state is left"
        )?;
    }
    if state.rewinds {
        writeln!(out, "  keeps          input since the mark, to be put back")?;
    }
    writeln!(out)
}

fn json(mut out: impl Write, machine: &Machine, states: &[Analysis]) -> io::Result<()> {
    let states: Vec<_> = states.iter().map(Analysis::to_json).collect();
    let whole = serde_json::json!({
        "table": machine.name,
        "hot": hot_names(machine),
        "hot from the table": !machine.hot.is_empty(),
        "last start tag name kept": last_start_tag(machine),
        "states": states,
    });
    serde_json::to_writer_pretty(&mut out, &whole)?;
    writeln!(out)?;
    out.flush()
}
