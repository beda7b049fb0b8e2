//! What the analyses say of one state.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::analyse::newline::{self, TakesCr};
use speclex_codegen::analyse::scan::{self, ByteSet};
use speclex_codegen::analyse::{attribute, bodies, hot, paths, rewind, token_start};
use speclex_codegen::emit;
use speclex_codegen::machine::{
    Action, AttributePart, Body, Guard, Machine, RegisterId, RegisterType, State, StateId,
    StateKind, Target,
};

/// The analysis of one state.
#[derive(Debug)]
pub(super) struct Analysis {
    /// Its name.
    pub(super) name: String,
    /// The name in the table.
    pub(super) origin: String,
    /// The section of the text.
    pub(super) section: String,
    /// Which loop it is compiled into.
    pub(super) place: Place,
    /// What it consumes.
    pub(super) kind: &'static str,
    /// Its fast path, or what stopped it from getting one.
    pub(super) fast: Result<Fast, &'static str>,
    /// The states of a whole attribute that starts there and goes in one pass, or what stopped it from that.
    pub(super) whole_attribute: Option<Result<String, &'static str>>,
    /// Labels of arms that do what the fast path does and report an error.
    pub(super) error_only: Vec<String>,
    /// Labels of arms that ignore runs of characters.
    pub(super) skips: Vec<String>,
    /// What it may have to wait for beyond the current character.
    pub(super) looks_ahead: Vec<String>,
    /// What it does at the end of the input: a line for each path.
    pub(super) at_end: Vec<String>,
    /// The states it leads to.
    pub(super) successors: Vec<String>,
    /// How a CR is taken, where the stream normalises newlines and the state sees one.
    pub(super) newline: Option<&'static str>,
    /// Whether spans of tokens start where the state is left.
    pub(super) starts_tokens: bool,
    /// Whether characters consumed before it may be put back.
    pub(super) rewinds: bool,
}

/// Which loop a state is compiled into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The hot one; at this index of its order.
    Hot(usize),
    /// The one for the others.
    Cold,
}

/// How a self-loop goes fast.
#[derive(Debug)]
pub(super) struct Fast {
    /// What is done with the run.
    pub(super) does: String,
    /// Where it stops.
    pub(super) stops: String,
    /// Where it stops when errors are reported, if that is elsewhere.
    pub(super) stops_with_errors: Option<String>,
    /// Where it stops while a register has certain values, if that differs: what it is, and where.
    pub(super) by_value: Vec<(String, String)>,
    /// The character that is looked for before the scan.
    pub(super) first: Option<char>,
}

/// The states of a whole attribute that goes in one pass, in words.
fn whole_attribute(
    machine: &Machine,
    hot: &[StateId],
    id: StateId,
) -> Option<Result<String, &'static str>> {
    let name = |id: StateId| &machine.states[id.0 as usize].name;
    match attribute::whole_attribute(machine, hot, id) {
        Ok(whole) => {
            let between: String = whole.between.iter().copied().map(char::from).collect();
            let (from, to) = (name(whole.name), name(whole.value));
            let (close, behind) = (char::from(whole.close), name(whole.behind));
            Some(Ok(format!("{from}, {between}, {to}, {close}, {behind}")))
        }
        Err(reason) if starts_attribute(machine, id) => Some(Err(reason)),
        Err(_) => None,
    }
}

fn starts_attribute(machine: &Machine, id: StateId) -> bool {
    let bodies = bodies(&machine.states[id.0 as usize]);
    let mut actions = bodies.into_iter().flat_map(Body::all_actions);
    actions.any(|action| matches!(action, Action::StartAttribute(_)))
}

/// The analyses of all states, in the table's order.
pub(super) fn analyse(machine: &Machine) -> Vec<Analysis> {
    let hot = hot::hot(machine);
    let rewinding = rewind::rewinding(machine);
    let entries = token_start::entry_states(machine);
    let ids = (0..machine.states.len()).map(|index| StateId(index as u32));
    ids.map(|id| {
        let state = &machine.states[id.0 as usize];
        let place = hot.iter().position(|hot| *hot == id);
        Analysis {
            name: state.name.clone(),
            origin: state.origin.clone(),
            section: state.section.clone(),
            place: place.map_or(Place::Cold, Place::Hot),
            kind: kind(state),
            fast: scan::self_loop(machine, id).map(|run| Fast {
                first: scan::looks_first(machine, &hot, id).map(char::from),
                ..fast(machine, &run)
            }),
            whole_attribute: whole_attribute(machine, &hot, id),
            error_only: (scan::error_only(machine, id).iter())
                .map(|arm| arm.label.clone())
                .collect(),
            skips: skips(state, &hot, id),
            looks_ahead: looks_ahead(machine, state),
            at_end: at_end(machine, state),
            successors: successors(machine, state, id),
            newline: newline(machine, id),
            starts_tokens: token_start::starts_tokens(machine, &entries, id),
            rewinds: rewinding.contains(&id),
        }
    })
    .collect()
}

impl Analysis {
    /// As an object.
    pub(super) fn to_json(&self) -> serde_json::Value {
        let fast = match &self.fast {
            Ok(fast) => serde_json::json!({
                "does": fast.does,
                "looks first for": fast.first,
                "stops": fast.stops,
                "stops with errors": fast.stops_with_errors.as_ref().unwrap_or(&fast.stops),
                "stops while": fast.by_value.iter().cloned().collect::<BTreeMap<_, _>>(),
            }),
            Err(reason) => serde_json::json!({"none because it": reason}),
        };
        serde_json::json!({
            "state": self.name,
            "origin": self.origin,
            "section": self.section,
            "hot": match self.place {
                Place::Hot(index) => Some(index + 1),
                Place::Cold => None,
            },
            "kind": self.kind,
            "fast path": fast,
            "whole attributes": self.whole_attribute.as_ref().map(|states| match states {
                Ok(states) => serde_json::json!(states),
                Err(reason) => serde_json::json!({"none because": reason}),
            }),
            "only report": self.error_only,
            "skip runs": self.skips,
            "looks ahead": self.looks_ahead,
            "at the end": self.at_end,
            "goes to": self.successors,
            "CR": self.newline,
            "starts tokens": self.starts_tokens,
            "keeps input since the mark": self.rewinds,
        })
    }
}

fn kind(state: &State) -> &'static str {
    match &state.kind {
        StateKind::Consume(consume) if consume.literals.is_empty() => "consumes a character",
        StateKind::Consume(_) => "consumes a literal or a character",
        StateKind::Steps(_) => "consumes nothing",
        StateKind::Match { .. } => "consumes the longest named character reference",
    }
}

fn fast(machine: &Machine, run: &scan::SelfLoop) -> Fast {
    let does: Vec<_> = run.actions.iter().map(|a| action(machine, a)).collect();
    Fast {
        does: match does.is_empty() {
            true => "ignores characters".to_owned(),
            false => does.join(", "),
        },
        stops: stops(&run.stops),
        stops_with_errors: (run.stops.bytes != run.stops.with_errors)
            .then(|| set(&run.stops.with_errors)),
        by_value: by_value(machine, run),
        first: None,
    }
}

fn stops(stops: &scan::Stops) -> String {
    let early = stops.near.map(|stop| {
        let byte = char::from(stop.byte);
        format!(", and {byte} among the first {}", stop.reach)
    });
    set(&stops.bytes) + &early.unwrap_or_default()
}

fn by_value(machine: &Machine, run: &scan::SelfLoop) -> Vec<(String, String)> {
    let Some((ids, cases)) = &run.by_value else {
        return Vec::new();
    };
    let condition = |(id, value): (&RegisterId, &Option<u32>)| {
        let register = &machine.registers[id.0 as usize];
        match (&register.ty, value) {
            (RegisterType::Finite(names), Some(value)) => {
                Some((register.name.as_str(), names[*value as usize].as_str()))
            }
            _ => None,
        }
    };
    let when = |values: &Vec<Option<u32>>| {
        let conditions = ids.iter().zip(values).filter_map(condition);
        let conditions: Vec<_> = conditions
            .map(|(name, value)| format!("{name} {value}"))
            .collect();
        conditions.join(" and ")
    };
    (cases.iter())
        .map(|case| {
            let values: Vec<_> = case.values.iter().map(when).collect();
            (values.join(", or "), stops(&case.stops))
        })
        .collect()
}

/// What is done with a run of characters.
fn action(machine: &Machine, action: &Action) -> String {
    let token = |index: u32| machine.vocabulary.tokens.get(index as usize);
    match action {
        Action::EmitText(_) => "emits characters".to_owned(),
        Action::Append(field, _) => {
            let token = token(field.token.0);
            let name = token.and_then(|t| t.fields.get(field.field as usize));
            let name = name.map_or("", |field| field.name.as_str());
            format!("appends to the {}'s {name}", token.map_or("", |t| &t.name))
        }
        Action::AppendAttribute(_, AttributePart::Name, _) => {
            "appends to the attribute's name".to_owned()
        }
        Action::AppendAttribute(_, AttributePart::Value, _) => {
            "appends to the attribute's value".to_owned()
        }
        Action::AppendRegister(register, _) => {
            let register = machine.registers.get(register.0 as usize);
            format!("appends to the {}", register.map_or("", |r| &r.name))
        }
        other => format!("{other:?}"),
    }
}

/// The set as the scanner gets it: ranges, and how many bytes in them no arm cares about.
fn set(bytes: &ByteSet) -> String {
    let ranges = emit::encode(bytes);
    let shown = ranges.iter().map(|&(first, last)| match first == last {
        true => byte(first),
        false => format!("{}-{}", byte(first), byte(last)),
    });
    let shown: Vec<_> = shown.collect();
    let members: usize = ranges
        .iter()
        .map(|&(first, last)| usize::from(last - first) + 1)
        .sum();
    let more = members - bytes.iter().count();
    let superset = match more {
        0 => String::new(),
        _ => format!(" ({more} of these for a shorter test)"),
    };
    match shown.is_empty() {
        true => "the end of the input".to_owned(),
        false => format!("{}{superset}", shown.join(" ")),
    }
}

fn byte(byte: u8) -> String {
    match byte {
        b' ' => "space".to_owned(),
        b'\t' => "TAB".to_owned(),
        b'\n' => "LF".to_owned(),
        b'\r' => "CR".to_owned(),
        0x0C => "FF".to_owned(),
        _ if byte.is_ascii_graphic() => char::from(byte).to_string(),
        _ => format!("0x{byte:02X}"),
    }
}

fn skips(state: &State, hot: &[StateId], id: StateId) -> Vec<String> {
    let StateKind::Consume(consume) = &state.kind else {
        return Vec::new();
    };
    (consume.arms.iter())
        .filter(|arm| scan::skips(hot, id, consume, arm))
        .map(|arm| arm.label.clone())
        .collect()
}

fn looks_ahead(machine: &Machine, state: &State) -> Vec<String> {
    let mut waits = Vec::new();
    match &state.kind {
        StateKind::Consume(consume) => {
            for literal in &consume.literals {
                let case = if literal.ignore_case {
                    " in either case"
                } else {
                    ""
                };
                waits.push(format!("for {:?}{case}", literal.text));
            }
        }
        StateKind::Match { .. } => {
            let longest = machine.references.iter().map(|(name, _)| name.len()).max();
            waits.push(format!(
                "for the longest named character reference (at most {} characters)",
                longest.unwrap_or(0)
            ));
        }
        StateKind::Steps(_) => {}
    }
    let bodies = bodies(state).into_iter();
    let looked_for = bodies
        .flat_map(|body| emit::asked(machine, body))
        .filter_map(lookahead);
    let looked_for: BTreeSet<&str> = looked_for.collect();
    waits.extend(looked_for.into_iter().map(str::to_owned));
    waits
}

/// What a question looks for beyond the current character.
fn lookahead(guard: &Guard) -> Option<&'static str> {
    match guard {
        Guard::NextIn { .. } => Some("at the next character"),
        Guard::NextAre { .. } => Some("at the next characters, only for errors"),
        Guard::NextIsLastStartTag { .. } => Some("for the last start tag's name"),
        _ => None,
    }
}

fn at_end(machine: &Machine, state: &State) -> Vec<String> {
    let StateKind::Consume(consume) = &state.kind else {
        return Vec::new();
    };
    let mut lines: Vec<String> = Vec::new();
    for path in paths(&consume.eof) {
        let errors = path.actions().filter_map(|action| match action {
            Action::Error(id) => machine.errors.get(id.0 as usize).map(String::as_str),
            _ => None,
        });
        let emits = path
            .actions()
            .any(|action| matches!(action, Action::Emit(_) | Action::EmitText(_)));
        let mut words: Vec<String> = errors.map(|code| format!("error {code}")).collect();
        words.extend(emits.then(|| "emits".to_owned()));
        words.push(match path.target {
            Target::End => "ends".to_owned(),
            Target::State(id) => format!("goes to {}", machine.states[id.0 as usize].name),
            Target::Register(_) => "goes to the return state".to_owned(),
        });
        let line = words.join(", ");
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

fn successors(machine: &Machine, state: &State, id: StateId) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for path in bodies(state).into_iter().flat_map(paths) {
        let name = match path.target {
            Target::State(next) if next == id => continue,
            Target::State(next) => machine.states[next.0 as usize].name.clone(),
            Target::Register(register) => {
                let register = machine.registers.get(register.0 as usize);
                format!("the {}", register.map_or("", |r| &r.name))
            }
            Target::End => continue,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn newline(machine: &Machine, id: StateId) -> Option<&'static str> {
    Some(match newline::takes_cr(machine, id)? {
        TakesCr::AsLf => "taken by the arm for LF: an LF after it changes nothing",
        TakesCr::Emitted => "emitted as a newline, with an LF after it",
        TakesCr::Apart(arm) if arm.peeked => "has its own arm, which takes it for an LF",
        TakesCr::Apart(_) => "has its own arm, which looks for an LF after it",
    })
}
