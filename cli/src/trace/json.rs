//! Steps for programs: one object a line.

use std::io::{self, Write};

use serde_json::{Value, json};
use speclex_analysis::diff::kind_name;
use speclex_analysis::html5lib::Form;
use speclex_analysis::trace::{Block, Read, Step};
use speclex_codegen::machine::Machine;

use super::{Compared, Printer};

/// Prints objects.
pub(super) struct JsonPrinter {
    /// For each table how its tokens are written.
    forms: Vec<Form>,
}

impl JsonPrinter {
    pub(super) fn new(machines: &[&Machine]) -> Self {
        Self {
            forms: machines.iter().map(|machine| Form::of(machine)).collect(),
        }
    }

    fn object(&self, table: usize, step: &Step) -> Value {
        let read = match &step.read {
            Read::Character(c) => Value::from(c.to_string()),
            Read::Text(text) => Value::from(text.as_str()),
            Read::End => Value::Null,
            Read::Nothing => Value::from(""),
        };
        let changed = step.changed.iter();
        let changed: serde_json::Map<_, _> = changed
            .map(|(name, value)| (name.to_string(), Value::from(value.as_str())))
            .collect();
        let tokens = step.tokens.iter().map(|emitted| {
            let form = self.forms.get(table);
            let token = form.map(|form| form.to_json(&emitted.token));
            json!({"token": token, "start": emitted.span.start, "end": emitted.span.end})
        });
        let errors = step.errors.iter().map(|error| {
            json!({
                "code": error.code,
                "offset": error.offset,
                "line": error.at.line,
                "col": error.at.column,
            })
        });
        let follows = step.follows.as_ref();
        let follows = follows.map(|it| json!({"content": it.content, "state": &*it.state}));
        json!({
            "step": step.number,
            "offset": step.offset,
            "line": step.at.line,
            "col": step.at.column,
            "read": read,
            "state": &*step.state,
            "on": step.said.on,
            "when": step.said.when,
            "actions": step.said.actions,
            "next": step.said.next,
            "follows": follows,
            "changed": changed,
            "tokens": tokens.collect::<Vec<_>>(),
            "errors": errors.collect::<Vec<_>>(),
        })
    }
}

impl Printer for JsonPrinter {
    fn step(&mut self, out: &mut dyn Write, step: &Step) -> io::Result<()> {
        writeln!(out, "{}", self.object(0, step))
    }

    fn block(&mut self, out: &mut dyn Write, block: &Block) -> io::Result<()> {
        let objects = |table: usize| {
            let steps = block.steps[table].iter();
            steps
                .map(|step| self.object(table, step))
                .collect::<Vec<_>>()
        };
        let divergences = block.divergences.iter().map(|divergence| {
            json!({
                "differs": kind_name(divergence.kind),
                "a": divergence.sides[0],
                "b": divergence.sides[1],
            })
        });
        let object = json!({
            "offset": block.offset,
            "line": block.at.line,
            "col": block.at.column,
            "same": block.same(),
            "a": objects(0),
            "b": objects(1),
            "divergences": divergences.collect::<Vec<_>>(),
            "together": block.together,
        });
        writeln!(out, "{object}")
    }

    fn end(&mut self, _: &mut dyn Write, _: Option<Compared>) -> io::Result<()> {
        Ok(())
    }
}
