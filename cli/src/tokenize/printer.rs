//! Tokens and errors in each form, while they come.

use std::collections::HashMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use speclex_analysis::document_order::{DocumentOrder, Item};
use speclex_analysis::html5lib::Form;
use speclex_analysis::position::{Position, Window};
#[cfg(feature = "encoding")]
use speclex_analysis::token::Emitted;
use speclex_analysis::token::Exceeded;
use speclex_analysis::token_text::Described;
use speclex_codegen::machine::Machine;

#[cfg(feature = "encoding")]
use super::parts::{Found, Parts};
use crate::Failure;
use crate::args::TokenFormat;

/// Prints.
pub(super) struct Printer<'m, W> {
    out: W,
    machine: &'m Machine,
    form: Form,
    format: TokenFormat,
    pub(super) colour: bool,
    /// Whether tokens may exceed limits.
    pub(super) has_limits: bool,
    /// Finds the parts of tokens, if they are to be printed.
    #[cfg(feature = "encoding")]
    pub(super) parts: Option<Parts<'m>>,
    /// Of several documents, which this is.
    file: Option<String>,
    /// As much of the text as the places of what is to come need.
    text: Window,
    /// Whether a token was printed.
    any: bool,
    /// In one object the errors come after the tokens.
    kept: Kept,
    exceeded: Vec<Value>,
}

/// Errors, as small as they can be: a document may have one for each character.
#[derive(Default)]
struct Kept {
    codes: HashMap<String, u32>,
    errors: Vec<(u32, Position)>,
}

impl Kept {
    fn push(&mut self, code: String, place: Position) {
        // A code of its own for each of 2^32 errors would not fit in memory.
        let next = u32::try_from(self.codes.len()).unwrap_or(u32::MAX);
        let code = *self.codes.entry(code).or_insert(next);
        self.errors.push((code, place));
    }
}

impl<'m, W: Write> Printer<'m, W> {
    /// The file is named if there are several.
    pub(super) fn new(
        out: W,
        machine: &'m Machine,
        format: TokenFormat,
        file: Option<String>,
    ) -> Self {
        Self {
            out,
            machine,
            form: Form::of(machine),
            format,
            colour: false,
            has_limits: false,
            #[cfg(feature = "encoding")]
            parts: None,
            file,
            text: Window::default(),
            any: false,
            kept: Kept::default(),
            exceeded: Vec::new(),
        }
    }

    /// Writes what is certain when this chunk has been tokenized.
    pub(super) fn write(&mut self, order: &mut DocumentOrder, chunk: &str) -> io::Result<()> {
        self.text.push(chunk);
        while let Some(item) = order.next_item() {
            match self.format {
                TokenFormat::Human => self.human(&item)?,
                TokenFormat::Json => self.json(item)?,
                TokenFormat::JsonLines => self.json_line(&item)?,
            }
        }
        self.text.release(order.earliest());
        self.out.flush()
    }

    fn human(&mut self, item: &Item) -> io::Result<()> {
        let (red, plain) = match self.colour {
            true => ("\x1b[31m", "\x1b[0m"),
            false => ("", ""),
        };
        match item {
            Item::Token(emitted) => {
                let at = self.place(emitted.span.start);
                let (machine, token) = (self.machine, &emitted.token);
                let token = Described { machine, token };
                writeln!(self.out, "{at:<12} {token}")?;
                #[cfg(feature = "encoding")]
                self.human_parts(emitted)?;
                Ok(())
            }
            Item::Error(error) => {
                let at = self.place(error.offset);
                writeln!(self.out, "{at:<12} {red}error{plain} {}", error.code)
            }
            Item::Exceeded(Exceeded {
                offset,
                limit,
                allowed,
                excess,
            }) => {
                let at = self.place(*offset);
                writeln!(
                    self.out,
                    "{at:<12} {red}limit{plain} {limit}={allowed} ({excess})"
                )
            }
        }
    }

    /// The parts of a token, if they are to be printed.
    #[cfg(feature = "encoding")]
    fn found(&mut self, Emitted { token, span }: &Emitted) -> Option<Found> {
        let source = self.text.between(span.clone());
        self.parts.as_mut()?.of(token, &source, span.start)
    }

    #[cfg(feature = "encoding")]
    fn human_parts(&mut self, emitted: &Emitted) -> io::Result<()> {
        if self.parts.is_none() || !Parts::are_in(&emitted.token) {
            return Ok(());
        }
        let Some(found) = self.found(emitted) else {
            let why = "the table reads this token in another way, or a limit has cut it";
            return writeln!(self.out, "  no parts: {why}");
        };
        for (what, span) in found.named() {
            let [start, end] = [span.start, span.end].map(|offset| self.place(offset));
            let text = self.text.between(span.start..span.end);
            let places = format!("{start}-{end}");
            writeln!(self.out, "  {places:<14} {what:<9} {text:?}")?;
        }
        Ok(())
    }

    /// For people.
    fn place(&self, offset: u64) -> String {
        let Position { line, column } = self.text.position(offset);
        format!("{line}:{column}")
    }

    /// In the one object.
    fn json(&mut self, item: Item) -> io::Result<()> {
        match item {
            Item::Token(_) => {
                let before = self.before_token();
                let token = self.value(&item);
                write!(self.out, "{before}\n  {token}")
            }
            Item::Error(error) => {
                let place = self.text.position(error.offset);
                self.kept.push(error.code, place);
                Ok(())
            }
            Item::Exceeded(_) => {
                let exceeded = self.value(&item);
                self.exceeded.push(exceeded);
                Ok(())
            }
        }
    }

    /// What stands in front of the next token of the one object, or of the end of the tokens.
    fn before_token(&mut self) -> String {
        match (std::mem::replace(&mut self.any, true), &self.file) {
            (true, _) => ",".to_owned(),
            (false, None) => "{\"tokens\": [".to_owned(),
            (false, Some(file)) => format!("{{\"file\": {}, \"tokens\": [", json!(file)),
        }
    }

    fn json_line(&mut self, item: &Item) -> io::Result<()> {
        let value = self.value(item);
        self.line(value)
    }

    fn line(&mut self, mut value: Value) -> io::Result<()> {
        if let Some(file) = &self.file {
            value["file"] = json!(file);
        }
        writeln!(self.out, "{value}")
    }

    /// Tokens have the form of html5lib-tests.
    fn value(&mut self, item: &Item) -> Value {
        match item {
            Item::Token(emitted) => {
                let value = json!({
                    "token": self.form.to_json(&emitted.token),
                    "start": self.json_place(emitted.span.start),
                    "end": self.json_place(emitted.span.end),
                });
                #[cfg(feature = "encoding")]
                let value = self.with_parts(value, emitted);
                value
            }
            Item::Exceeded(exceeded) => json!({
                "exceeded": exceeded.limit,
                "allowed": exceeded.allowed,
                "excess": exceeded.excess,
                "at": self.json_place(exceeded.offset),
            }),
            Item::Error(error) => json!({
                "error": error.code,
                "at": self.json_place(error.offset),
            }),
        }
    }

    #[cfg(feature = "encoding")]
    fn with_parts(&mut self, mut value: Value, emitted: &Emitted) -> Value {
        if self.parts.is_some() && Parts::are_in(&emitted.token) {
            let found = self.found(emitted);
            value["parts"] = json!(found.map(|it| it.json(|offset| self.json_place(offset))));
        }
        value
    }

    fn json_place(&self, offset: u64) -> Value {
        let Position { line, column } = self.text.position(offset);
        json!({"offset": offset, "line": line, "col": column})
    }

    /// Writes that the document ends, or why it is not read on. JSON is whole all the same.
    pub(super) fn end(&mut self, stopped: Option<&Failure>) -> io::Result<()> {
        let end = self.text.end();
        let stopped = stopped.map(Failure::message);
        match self.format {
            // The standard error says why.
            TokenFormat::Human if stopped.is_some() => Ok(()),
            TokenFormat::Human => {
                let at = self.place(end);
                writeln!(self.out, "{at:<12} end of file")
            }
            TokenFormat::Json => {
                let before = match self.any {
                    true => String::new(),
                    false => self.before_token(),
                };
                write!(self.out, "{before}],\n \"errors\": [")?;
                let Kept { codes, errors } = &self.kept;
                let mut names = vec![""; codes.len()];
                for (name, &code) in codes {
                    names[code as usize] = name;
                }
                for (index, (code, place)) in errors.iter().enumerate() {
                    let comma = if index == 0 { "" } else { "," };
                    let code = names[*code as usize];
                    let error = json!({"code": code, "line": place.line, "col": place.column});
                    write!(self.out, "{comma}\n  {error}")?;
                }
                write!(self.out, "]")?;
                if self.has_limits {
                    let exceeded = json!(self.exceeded);
                    write!(self.out, ",\n \"exceeded\": {exceeded}")?;
                }
                if let Some(stopped) = stopped {
                    write!(self.out, ",\n \"stopped\": {}", json!(stopped))?;
                }
                writeln!(self.out, "}}")
            }
            TokenFormat::JsonLines => {
                let last = match stopped {
                    Some(stopped) => json!({"stopped": stopped}),
                    None => json!({"end": self.json_place(end)}),
                };
                self.line(last)
            }
        }?;
        self.out.flush()
    }
}
