//! A document through the tokenizer and the builder of a tree table, or of two, token by token.

use std::io::{self, Write};

use serde_json::{Value, json};
use speclex_analysis::position::Position;
use speclex_analysis::tree::{Follower, Refusal, TokenStep};
use speclex_codegen::files::FoundTree;

use super::text::{LineKind, Lines, PLACE, TextPrinter};
use super::{Go, Run};
use crate::args::Format;
use crate::document::Chunks;
use crate::{Failure, tree};

/// What one or two tables do at one place.
struct Block {
    offset: u64,
    at: Position,
    steps: Vec<Vec<TokenStep>>,
}

impl Block {
    /// Whether two do the same, in the same words.
    fn same(&self) -> bool {
        let first = self.steps.first();
        self.steps.iter().all(|steps| Some(steps) == first)
    }

    /// Whether something else comes of it.
    fn differs(&self) -> bool {
        let came = |steps: &Vec<TokenStep>| {
            let of = |step: &TokenStep| {
                let errors = step.errors.iter().map(|error| error.code.clone());
                (
                    step.token.clone(),
                    step.placed.clone(),
                    step.hosts.clone(),
                    errors.collect::<Vec<_>>(),
                )
            };
            steps.iter().map(of).collect::<Vec<_>>()
        };
        self.steps
            .iter()
            .any(|steps| came(steps) != came(&self.steps[0]))
    }
}

/// Follows a document through these tables; whether two of them differ.
pub(super) fn trace(
    tables: &[FoundTree],
    run: &mut Run<'_>,
    printer: &TextPrinter<'_>,
    document: impl FnOnce() -> Result<Chunks, Failure>,
) -> Result<bool, Failure> {
    let args = run.args;
    for (is_given, option) in [
        (args.content.is_some(), "content"),
        (args.last_start_tag.is_some(), "last-start-tag"),
        (args.pages.no_feedback, "no-feedback"),
        (args.pages.no_scripting, "no-scripting"),
    ] {
        if is_given {
            let message =
                format!("--{option} is for tables of tokenizers: here tree construction decides");
            return Err(Failure::Other(message));
        }
    }
    let environments = tables.iter().map(|table| {
        let mut environment = tree::environment(args.fragment.as_deref(), args.scripting, table)?;
        environment.skip_bom = !args.pages.keep_bom;
        tree::say_unanswered(table);
        Ok(environment)
    });
    let environments = environments.collect::<Result<Vec<_>, Failure>>()?;
    let mut followers = Vec::new();
    for (table, environment) in tables.iter().zip(&environments) {
        let follower = Follower::new(&table.tokenizer.machine, &table.tree.machine, environment);
        followers.push(follower.map_err(|refusal| failed(table, refusal))?);
    }
    let mut document = document()?;
    if args.format == Format::Human && tables.len() > 1 {
        printer.write_header(run.out).map_err(Failure::output)?;
    }
    let mut ahead: Vec<Option<TokenStep>> = vec![None; tables.len()];
    let (mut differs, mut whole) = (false, true);
    'all: loop {
        let text = document.next_chunk()?;
        for (follower, table) in followers.iter_mut().zip(tables) {
            let fed = match &text {
                Some(text) => follower.push(text),
                None => follower.end(),
            };
            fed.map_err(|refusal| failed(table, refusal))?;
        }
        while let Some(block) = block(&mut followers, &mut ahead, text.is_none()) {
            differs |= block.differs();
            let print = run.is_wanted(block.at) && !(args.only_differences && block.same());
            if print {
                let printed = match args.format {
                    Format::Human => human(run.out, printer, &block),
                    Format::Json => writeln!(run.out, "{}", object(&block)),
                };
                printed.map_err(Failure::output)?;
            }
            if run.after(block.at, print) == Go::Stop {
                whole = false;
                break 'all;
            }
        }
        if text.is_none() {
            break;
        }
    }
    if whole {
        let mut outcomes = followers.iter_mut().map(Follower::outcome);
        let first = outcomes.next();
        differs |= outcomes.any(|outcome| Some(outcome) != first);
    }
    if args.format == Format::Human && tables.len() > 1 {
        let far = if whole {
            ""
        } else {
            ", as far as they were compared"
        };
        let verdict = match differs {
            true => format!("The trees or their errors differ{far}."),
            false => format!("The trees and their errors are the same{far}."),
        };
        writeln!(run.out)
            .and_then(|()| printer.note(run.out, LineKind::Step, &verdict))
            .map_err(Failure::output)?;
    }
    Ok(differs)
}

fn failed(table: &FoundTree, refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Tree(fault) => {
            let message = format!(
                "these steps {} with the token at byte {}",
                fault.loops, fault.offset
            );
            table.tree.endless(fault.place, &message).into()
        }
        Refusal::Other(text) => Failure::Other(text),
    }
}

/// What all do at the next place, if that is known.
fn block(
    followers: &mut [Follower<'_>],
    ahead: &mut [Option<TokenStep>],
    ended: bool,
) -> Option<Block> {
    let mut fill = |ahead: &mut [Option<TokenStep>]| {
        for (follower, ahead) in followers.iter_mut().zip(ahead.iter_mut()) {
            if ahead.is_none() {
                *ahead = follower.step();
            }
        }
        ended || ahead.iter().all(Option::is_some)
    };
    if !fill(ahead) {
        return None;
    }
    let first = ahead.iter().flatten().min_by_key(|step| step.offset)?;
    let mut block = Block {
        offset: first.offset,
        at: first.at,
        steps: vec![Vec::new(); ahead.len()],
    };
    loop {
        let mut got_on = false;
        for (steps, ahead) in block.steps.iter_mut().zip(ahead.iter_mut()) {
            let here = ahead.take_if(|step| step.offset <= block.offset);
            got_on |= here.is_some();
            steps.extend(here);
        }
        // Without the next step of every side, one of them may have one more in this block: that becomes the next block.
        if !got_on || !fill(ahead) {
            return Some(block);
        }
    }
}

fn human(out: &mut dyn Write, printer: &TextPrinter<'_>, block: &Block) -> io::Result<()> {
    let place =
        |step: &TokenStep| format!("{:<PLACE$}", format!("{}:{}", step.at.line, step.at.column));
    let alone = |out: &mut dyn Write, mark: &str, steps: &[TokenStep]| {
        steps.iter().try_for_each(|step| {
            let first = format!("{}{mark}", place(step));
            printer.write_lines(out, &first, |width| lines(step, width))
        })
    };
    let [one, other] = &block.steps[..] else {
        return alone(out, "", &block.steps[0]);
    };
    if block.same() {
        return alone(out, "= ", one);
    }
    let Some(width) = printer.half(PLACE) else {
        alone(out, "A ", one)?;
        return alone(out, "B ", other);
    };
    for row in 0..one.len().max(other.len()) {
        let steps = [one.get(row), other.get(row)];
        let first = steps
            .iter()
            .flatten()
            .next()
            .map_or(String::new(), |step| place(step));
        let cells = steps.map(|step| step.map_or(Vec::new(), |step| lines(step, width)));
        printer.write_columns(out, (&first, PLACE), &cells, width)?;
    }
    Ok(())
}

/// What happened with a token, in lines of a width.
fn lines(step: &TokenStep, width: usize) -> Vec<(LineKind, String)> {
    let mut lines = Lines::of(width);
    lines.add(LineKind::Token, "", &step.token);
    if !step.states.is_empty() {
        lines.add(LineKind::Change, "  read in ", &step.states.join(", "));
    }
    for taken in &step.arms {
        lines.add(
            LineKind::Step,
            "  ",
            &format!("\"{}\", {}:", taken.mode, taken.arm),
        );
        for it in &taken.steps {
            lines.add(LineKind::Step, "    ", it);
        }
    }
    for (name, value) in &step.changed {
        lines.add(LineKind::Change, "  ", &format!("{name} is now {value}"));
    }
    for placed in &step.placed {
        lines.add(LineKind::Difference, "  node ", placed);
    }
    for host in &step.hosts {
        lines.add(LineKind::Difference, "  ", &host.to_string());
    }
    for error in &step.errors {
        lines.error(error);
    }
    lines.lines
}

fn object(block: &Block) -> Value {
    let object = |step: &TokenStep| {
        let arms = step.arms.iter();
        let arms = arms.map(|it| json!({"mode": it.mode, "arm": it.arm, "steps": it.steps}));
        let changed = step.changed.iter();
        let changed = changed.map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        let errors = step.errors.iter().map(|error| {
            json!({"code": error.code, "offset": error.offset, "line": error.at.line, "col": error.at.column})
        });
        json!({
            "offset": step.offset,
            "line": step.at.line,
            "col": step.at.column,
            "states": step.states,
            "token": step.token,
            "arms": arms.collect::<Vec<_>>(),
            "changed": changed.collect::<serde_json::Map<_, _>>(),
            "placed": step.placed,
            "hosts": step.hosts.iter().map(tree::event).collect::<Vec<_>>(),
            "errors": errors.collect::<Vec<_>>(),
        })
    };
    let objects = |steps: &Vec<TokenStep>| steps.iter().map(object).collect::<Vec<_>>();
    match &block.steps[..] {
        [one, other] => json!({
            "offset": block.offset,
            "line": block.at.line,
            "col": block.at.column,
            "same": block.same(),
            "a": objects(one),
            "b": objects(other),
        }),
        _ => block.steps[0].first().map_or(Value::Null, object),
    }
}
