//! `profile`: how often documents enter each state, or have each start tag, and the list of hot ones that follows.

mod tags;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use speclex_analysis::interpreter::{Answer, Host, Interpreter};
use speclex_analysis::token::Token;
use speclex_codegen::Either;
use speclex_codegen::analyse::bodies;
use speclex_codegen::machine::{Body, Machine, StateId};

use crate::args::{Format, Pages, Profile};
use crate::files::{Entry, Files};
use crate::{Failure, terminal, tree_source};

/// A state is hot when at least so many of all entries are into it; a start tag, when so many of all are it.
const LEAST: f64 = 0.001;

/// Runs the documents and prints.
pub(crate) fn run(args: &Profile) -> Result<ExitCode, Failure> {
    let found = tree_source::load(&args.spec)?;
    let documents = documents(args)?;
    match &found {
        Either::States(found) => states(args, &found.loaded.machine, &documents),
        Either::Tree(found) => tags::run(args, found, &documents),
    }
    .map(|()| ExitCode::SUCCESS)
}

fn documents(args: &Profile) -> Result<Vec<PathBuf>, Failure> {
    let mut documents = Vec::new();
    for entry in Files::new(args.paths.iter().cloned()) {
        match entry {
            Entry::File(path) => documents.push(path),
            Entry::LeftOut(_) => {}
            Entry::Unreadable(path, error) => return Err(Failure::io("cannot read", &path)(error)),
        }
    }
    if documents.is_empty() {
        return Err(Failure::Other(
            "there are no documents to profile".to_owned(),
        ));
    }
    Ok(documents)
}

fn states(args: &Profile, machine: &Machine, documents: &[PathBuf]) -> Result<(), Failure> {
    let mut counts = Counts::new(machine);
    for path in documents {
        let bytes = fs::read(path).map_err(Failure::io("cannot read", path))?;
        counts = counts.document(machine, args.pages, &String::from_utf8_lossy(&bytes))?;
    }
    let hot = counts.hot(args.most.unwrap_or(16));
    let out = terminal::writer(args.format == Format::Json);
    let written = match args.format {
        Format::Human => human(out, machine, &counts, &hot, documents.len()),
        Format::Json => json(out, machine, &counts, &hot),
    };
    written.map_err(Failure::output)
}

/// A listener that counts.
#[derive(Debug, Default)]
struct Counts<'m> {
    /// The bodies with which a visit of a state begins, by address: not those after guards.
    first: BTreeSet<usize>,
    /// How many times a state ran: for each character.
    runs: BTreeMap<StateId, u64>,
    /// How many times a state came after another one.
    steps: BTreeMap<(StateId, StateId), u64>,
    /// How many times a state was entered from another one.
    entries: BTreeMap<StateId, u64>,
    last: Option<StateId>,
    initial: Option<StateId>,
    /// By index: all states that come from the same one of the table.
    origins: Vec<&'m str>,
}

fn address(body: &Body) -> usize {
    std::ptr::from_ref(body).addr()
}

impl<'m> Counts<'m> {
    fn new(machine: &'m Machine) -> Self {
        Self {
            first: machine
                .states
                .iter()
                .flat_map(bodies)
                .map(address)
                .collect(),
            initial: machine.entries.first().map(|entry| entry.state),
            origins: machine.states.iter().map(|s| s.origin.as_str()).collect(),
            ..Self::default()
        }
    }

    /// Counts a document too.
    fn document(mut self, machine: &'m Machine, pages: Pages, text: &str) -> Result<Self, Failure> {
        self.last = None;
        let fault = |e: speclex_analysis::interpreter::Fault| Failure::Other(e.to_string());
        let mut interpreter = Interpreter::with_host(machine, self);
        interpreter.set_feedback(pages.feedback());
        if !pages.keep_bom {
            interpreter.skip_bom();
        }
        interpreter.feed(text).map_err(fault)?;
        interpreter.end().map_err(fault)?;
        Ok(std::mem::take(interpreter.host()))
    }

    /// The hot states in path order: steps that lead on to a later state of the list outweigh those that
    /// lead back.
    fn hot(&self, most: usize) -> Vec<&'m str> {
        let all: u64 = self.entries.values().sum();
        let least = (all as f64 * LEAST) as u64;
        let wanted = by_entries(self).into_iter();
        let wanted = wanted.filter(|(count, _)| *count > least).take(most);
        let mut order: Vec<StateId> = wanted.map(|(_, id)| id).collect();
        if let Some(at) = order.iter().position(|id| Some(*id) == self.initial) {
            order[..=at].rotate_right(1);
        }
        while let Some(better) = self.improved(&order) {
            order = better;
        }
        let mut names: Vec<&str> = Vec::new();
        for id in order {
            let name = self.origins[id.0 as usize];
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The order with one state moved, but for the first, such that more steps lead on.
    fn improved(&self, order: &[StateId]) -> Option<Vec<StateId>> {
        let now = self.leading_on(order);
        let places = || 1..order.len();
        let moves = places().flat_map(|from| places().map(move |to| (from, to)));
        let moved = moves.map(|(from, to)| {
            let mut order = order.to_vec();
            let id = order.remove(from);
            order.insert(to, id);
            (self.leading_on(&order), order)
        });
        let best = moved.max_by_key(|(weight, _)| *weight)?;
        (best.0 > now).then_some(best.1)
    }

    /// How many steps lead to a later state.
    fn leading_on(&self, order: &[StateId]) -> u64 {
        let later = |index: usize| order[index + 1..].iter();
        let steps = order
            .iter()
            .enumerate()
            .flat_map(|(index, from)| later(index).filter_map(|to| self.steps.get(&(*from, *to))));
        steps.sum()
    }
}

impl Host for Counts<'_> {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Nothing
    }

    fn question(&mut self, _: &str) -> bool {
        false
    }

    fn reached(&mut self, state: StateId, body: &Body, _: Option<char>) {
        if !self.first.contains(&address(body)) {
            return;
        }
        *self.runs.entry(state).or_default() += 1;
        if self.last != Some(state) {
            *self.entries.entry(state).or_default() += 1;
            if let Some(last) = self.last {
                *self.steps.entry((last, state)).or_default() += 1;
            }
            self.last = Some(state);
        }
    }
}

fn human(
    mut out: impl Write,
    machine: &Machine,
    counts: &Counts<'_>,
    hot: &[&str],
    documents: usize,
) -> io::Result<()> {
    let all: u64 = counts.entries.values().sum();
    writeln!(
        out,
        "# {}: {}, {all} entries into states",
        machine.name,
        terminal::count(documents, "document"),
    )?;
    writeln!(out, "# {:>10} {:>7} {:>12}  state", "entries", "%", "runs")?;
    for (count, id) in by_entries(counts) {
        let name = &machine.states[id.0 as usize].name;
        let part = 100.0 * count as f64 / all.max(1) as f64;
        let runs = counts.runs.get(&id).copied().unwrap_or_default();
        writeln!(out, "# {count:>10} {part:>7.3} {runs:>12}  {name}")?;
    }
    writeln!(out, "hot:")?;
    for name in hot {
        writeln!(out, "  - {name}")?;
    }
    out.flush()
}

fn by_entries(counts: &Counts<'_>) -> Vec<(u64, StateId)> {
    let mut all: Vec<_> = counts.entries.iter().map(|(id, n)| (*n, *id)).collect();
    all.sort_by_key(|&(count, id)| (std::cmp::Reverse(count), id));
    all
}

fn json(
    mut out: impl Write,
    machine: &Machine,
    counts: &Counts<'_>,
    hot: &[&str],
) -> io::Result<()> {
    let states: Vec<_> = by_entries(counts)
        .iter()
        .map(|(count, id)| {
            serde_json::json!({
                "state": machine.states[id.0 as usize].name,
                "entries": count,
                "runs": counts.runs.get(id),
            })
        })
        .collect();
    let whole = serde_json::json!({"table": machine.name, "states": states, "hot": hot});
    serde_json::to_writer_pretty(&mut out, &whole)?;
    writeln!(out)?;
    out.flush()
}
