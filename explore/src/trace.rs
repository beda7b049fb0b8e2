//! What tables do with an input, step by step.

use serde::Serialize;
use speclex_analysis::token_text::Described;
use speclex_analysis::trace::{Read, Reported, Step, Tracer};
use speclex_analysis::tree::{Follower, TokenStep};
use speclex_codegen::Either;
use speclex_codegen::charset::display_char;
use speclex_codegen::files::FoundTree;
use speclex_codegen::machine::Machine;

use crate::case::{Start, Table};
use crate::compare::{endless, environment};
use crate::library::{Library, Refused};

/// More steps are not shown.
const MOST: usize = 5000;

/// A trace.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    /// Whether tree construction is traced, token by token.
    pub is_tree: bool,
    /// The steps.
    pub steps: Vec<StepRow>,
    /// Whether there are more steps.
    pub is_cut: bool,
}

/// What one state does, or what happens with one token.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StepRow {
    /// Byte offset of what is read.
    pub offset: u64,
    /// What is read: a character as the table writes it, or the token.
    pub read: String,
    /// The states that read the token; none in a trace of states.
    pub states: Vec<String>,
    /// The arm of the state, or the arms of insertion modes that take the token.
    pub arms: Vec<ArmRow>,
    /// What has another value after it.
    pub changed: Vec<(String, String)>,
    /// What comes out: tokens, or nodes and where they are.
    pub out: Vec<String>,
    /// Parse errors.
    pub errors: Vec<String>,
}

/// An arm, and what it does.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ArmRow {
    /// The state or insertion mode.
    pub of: String,
    /// The arm, as its table has it where one key leads to it.
    pub on: String,
    /// What else must be so.
    pub when: Vec<String>,
    /// What is done; where it leads comes last.
    pub steps: Vec<String>,
}

/// Follows an input.
pub(crate) fn trace(
    library: &Library,
    table: &Table,
    input: &str,
    start: &Start,
) -> Result<Trace, Refused> {
    match &*library.load(table)? {
        Either::States(found) => of_states(&found.loaded.machine, input, start),
        Either::Tree(found) => of_tree(found, input, start),
    }
}

fn of_states(machine: &Machine, input: &str, start: &Start) -> Result<Trace, Refused> {
    let setup = start.setup();
    let fault = |fault: speclex_analysis::interpreter::Fault| Refused::Other(fault.to_string());
    let mut tracer = Tracer::new(machine, &setup).map_err(fault)?;
    tracer.read_page(setup.feedback(), !start.states_alone);
    tracer.push(input);
    tracer.end();
    let mut steps = Vec::new();
    while let Some(step) = tracer.step().map_err(fault)? {
        if steps.len() == MOST {
            return Ok(Trace {
                is_tree: false,
                steps,
                is_cut: true,
            });
        }
        steps.push(state_row(machine, &step));
    }
    Ok(Trace {
        is_tree: false,
        steps,
        is_cut: false,
    })
}

fn state_row(machine: &Machine, step: &Step) -> StepRow {
    let said = &step.said;
    let follows = step.follows.as_ref();
    let follows = follows.map(|it| format!("{} follows: {}", it.content, it.state));
    let next = Some(said.next.clone()).filter(|next| !next.is_empty());
    let changed = step.changed.iter();
    let tokens = step.tokens.iter().map(|it| {
        let token = &it.token;
        Described { machine, token }.to_string()
    });
    StepRow {
        offset: step.offset,
        read: match &step.read {
            Read::Character(c) => display_char(*c),
            Read::Text(text) => format!("{text:?}"),
            Read::End => "the end".to_owned(),
            Read::Nothing => "nothing".to_owned(),
        },
        states: Vec::new(),
        arms: vec![ArmRow {
            of: step.state.to_string(),
            on: said.on.clone(),
            when: said.when.clone(),
            steps: said
                .actions
                .iter()
                .cloned()
                .chain(next)
                .chain(follows)
                .collect(),
        }],
        changed: changed
            .map(|(name, value)| (name.to_string(), value.clone()))
            .collect(),
        out: tokens.collect(),
        errors: codes(&step.errors),
    }
}

fn codes(errors: &[Reported]) -> Vec<String> {
    let code = |error: &Reported| format!("{}:{} {}", error.at.line, error.at.column, error.code);
    errors.iter().map(code).collect()
}

fn of_tree(found: &FoundTree, input: &str, start: &Start) -> Result<Trace, Refused> {
    let failed = |refusal| endless(found, refusal);
    let environment = environment(start);
    let (tokenizer, tree) = (&found.tokenizer.machine, &found.tree.machine);
    let mut follower = Follower::new(tokenizer, tree, &environment).map_err(failed)?;
    follower.push(input).map_err(failed)?;
    follower.end().map_err(failed)?;
    let mut steps = Vec::new();
    while let Some(step) = follower.step() {
        if steps.len() == MOST {
            return Ok(Trace {
                is_tree: true,
                steps,
                is_cut: true,
            });
        }
        steps.push(token_row(step));
    }
    Ok(Trace {
        is_tree: true,
        steps,
        is_cut: false,
    })
}

fn token_row(step: TokenStep) -> StepRow {
    let arms = step.arms.into_iter().map(|taken| ArmRow {
        of: taken.mode,
        on: taken.arm,
        when: Vec::new(),
        steps: taken.steps,
    });
    let hosts = step.hosts.iter().map(ToString::to_string);
    StepRow {
        offset: step.offset,
        read: step.token,
        states: step.states,
        arms: arms.collect(),
        changed: step.changed,
        out: step.placed.iter().cloned().chain(hosts).collect(),
        errors: codes(&step.errors),
    }
}
