//! Runs a table of phases. Like the interpreter of states it is naive, but linear: the names of the open
//! elements are counted, so that "in scope" needs no search.

use std::collections::HashMap;
use std::sync::Arc;

use speclex_codegen::tree::{Action, CHARACTER, END_OF_FILE, Guard, Place, Step, TreeMachine};

use super::sink::{Doctype, TreeError, TreeSink};
use crate::token::{Emitted, Token, Value};

/// Takes tokens and builds a tree in a sink.
#[derive(Debug)]
pub struct Builder<'m, S: TreeSink> {
    machine: &'m TreeMachine,
    sink: S,
    phase: usize,
    stopped: bool,
    /// The stack of open elements, each with the number of its name.
    open: Vec<(S::Node, usize)>,
    /// Numbers of names.
    names: HashMap<String, usize>,
    /// How many open elements have a name, by its number.
    counts: Vec<usize>,
    /// Names as errors show them, by their numbers.
    shown_names: Vec<Arc<str>>,
    /// The element created last.
    created: Option<S::Node>,
    /// Characters that await more, and their place.
    text: String,
    text_place: Place,
}

/// A token, as the steps see it.
struct Received<'t> {
    kind: usize,
    fields: &'t [Value],
    character: Option<char>,
    offset: u64,
}

impl Received<'_> {
    fn text(&self, field: usize) -> &str {
        self.fields
            .get(field)
            .and_then(Value::text)
            .unwrap_or_default()
    }

    fn optional(&self, field: Option<usize>) -> &str {
        field.map_or("", |field| self.text(field))
    }
}

/// How a list of steps ends.
enum Flow {
    /// The next step or token.
    On,
    /// The same token again, in another phase.
    Again,
    /// No more tokens.
    Stop,
}

impl<'m, S: TreeSink> Builder<'m, S> {
    /// A builder at the start of a document.
    pub fn new(machine: &'m TreeMachine, sink: S) -> Self {
        Self {
            machine,
            sink,
            phase: machine.initial,
            stopped: false,
            open: Vec::new(),
            names: HashMap::new(),
            counts: Vec::new(),
            shown_names: Vec::new(),
            created: None,
            text: String::new(),
            text_place: Place::Document,
        }
    }

    /// The name of the current phase.
    pub fn phase(&self) -> &'m str {
        let phase = self.machine.phases.get(self.phase);
        phase.map_or("", |phase| phase.name.as_str())
    }

    /// Takes a token. One of a kind that the tokenizer of the table does not have is ignored.
    pub fn token(&mut self, emitted: &Emitted) {
        match &emitted.token {
            Token::Characters(text) => {
                let length = emitted.span.end.saturating_sub(emitted.span.start);
                self.characters(text, emitted.span.start, length == text.len() as u64);
            }
            Token::Declared { kind, fields } => {
                let mut declared = self.machine.kinds.iter().skip(END_OF_FILE + 1);
                if let Some(number) = declared.position(|name| name == kind) {
                    self.process(&Received {
                        kind: number + END_OF_FILE + 1,
                        fields,
                        character: None,
                        offset: emitted.span.start,
                    });
                }
            }
        }
    }

    /// Takes the end-of-file token and gives the sink back.
    pub fn end(mut self, offset: u64) -> S {
        self.process(&Received {
            kind: END_OF_FILE,
            fields: &[],
            character: None,
            offset,
        });
        self.flush();
        self.sink
    }

    /// Takes a run of character tokens. If they stand in the input as they are, each has a place.
    fn characters(&mut self, text: &str, start: u64, verbatim: bool) {
        for (at, character) in text.char_indices() {
            if let [Step::Do(Action::AppendCharacter(place))] = self.arm(CHARACTER)
                && !self.stopped
            {
                // All of the run goes one way.
                self.append_characters(*place, &text[at..]);
                return;
            }
            self.process(&Received {
                kind: CHARACTER,
                fields: &[],
                character: Some(character),
                offset: start + if verbatim { at as u64 } else { 0 },
            });
        }
    }

    fn arm(&self, kind: usize) -> &'m [Step] {
        let phase = self.machine.phases.get(self.phase);
        phase
            .and_then(|phase| phase.arms.get(kind))
            .map_or(&[], Vec::as_slice)
    }

    fn process(&mut self, token: &Received<'_>) {
        // A table whose phases hand a token on for ever is refused.
        while !self.stopped {
            match self.steps(self.arm(token.kind), token) {
                Flow::On => return,
                Flow::Again => {}
                Flow::Stop => self.stopped = true,
            }
        }
    }

    fn steps(&mut self, steps: &'m [Step], token: &Received<'_>) -> Flow {
        for step in steps {
            let flow = match step {
                Step::Do(action) => self.action(*action, token),
                Step::If {
                    branches,
                    otherwise,
                } => {
                    let chosen = branches
                        .iter()
                        .find(|branch| self.holds(&branch.guard, token) == branch.answer);
                    let list = chosen.map_or(otherwise, |branch| &branch.steps);
                    self.steps(list, token)
                }
            };
            if !matches!(flow, Flow::On) {
                return flow;
            }
        }
        Flow::On
    }

    fn holds(&self, guard: &Guard, token: &Received<'_>) -> bool {
        let number = |name: &usize| self.names.get(token.text(*name));
        match guard {
            Guard::TokenHasName { name, text } => token.text(*name) == text,
            Guard::CurrentHasName { name } => {
                number(name).is_some() && self.open.last().map(|(_, n)| n) == number(name)
            }
            Guard::InScope { name } => number(name)
                .and_then(|&number| self.counts.get(number))
                .is_some_and(|&count| count > 0),
            Guard::NoOpenElements => self.open.is_empty(),
        }
    }

    fn action(&mut self, action: Action, token: &Received<'_>) -> Flow {
        match action {
            Action::ParseError { name } => {
                let error = TreeError {
                    offset: token.offset,
                    phase: self.phase,
                    kind: token.kind,
                    name: name.map(|name| self.shown_name(token.text(name))),
                    open: self.shown_current(),
                };
                self.sink.parse_error(error);
            }
            Action::CreateElement { name, attributes } => {
                let attributes = match attributes.and_then(|field| token.fields.get(field)) {
                    Some(Value::Attributes(attributes)) => attributes.as_slice(),
                    _ => &[],
                };
                let element = self.sink.create_element(token.text(name), attributes);
                self.created = Some(element);
            }
            Action::AppendElement(place) => {
                if let Some(element) = self.created.clone() {
                    let parent = self.parent(place);
                    self.sink.append_element(&parent, &element);
                }
            }
            Action::PushElement { name } => self.push(token.text(name)),
            Action::PopElement => {
                self.pop();
            }
            Action::PopUntil { name } => {
                let wanted = self.names.get(token.text(name)).copied();
                while let Some(popped) = self.pop() {
                    if Some(popped) == wanted {
                        break;
                    }
                }
            }
            Action::AppendCharacter(place) => {
                if let Some(character) = token.character {
                    self.append_characters(place, character.encode_utf8(&mut [0; 4]));
                }
            }
            Action::AppendCodePoint { character, place } => {
                self.append_characters(place, character.encode_utf8(&mut [0; 4]));
            }
            Action::AppendEntityReference { name, place } => {
                let parent = self.parent(place);
                self.sink.append_entity_reference(&parent, token.text(name));
            }
            Action::AppendComment { data, place } => {
                let parent = self.parent(place);
                self.sink.append_comment(&parent, token.text(data));
            }
            Action::AppendProcessingInstruction {
                target,
                data,
                place,
            } => {
                let parent = self.parent(place);
                let (target, data) = (token.text(target), token.text(data));
                self.sink
                    .append_processing_instruction(&parent, target, data);
            }
            Action::AppendDoctype {
                name,
                public_identifier,
                system_identifier,
                place,
            } => {
                let parent = self.parent(place);
                let doctype = Doctype {
                    name: token.text(name),
                    public_identifier: token.optional(public_identifier),
                    system_identifier: token.optional(system_identifier),
                };
                self.sink.append_doctype(&parent, doctype);
            }
            Action::SwitchTo(phase) => self.phase = phase,
            Action::ReprocessIn(phase) => {
                self.phase = phase;
                return Flow::Again;
            }
            Action::StopParsing => return Flow::Stop,
        }
        Flow::On
    }

    /// The node to append another node to; what characters are left go first.
    fn parent(&mut self, place: Place) -> S::Node {
        self.flush();
        self.node(place)
    }

    fn node(&mut self, place: Place) -> S::Node {
        match (place, self.open.last()) {
            (Place::CurrentElement, Some((node, _))) => node.clone(),
            _ => self.sink.document(),
        }
    }

    fn append_characters(&mut self, place: Place, characters: &str) {
        if self.text_place != place {
            self.flush();
            self.text_place = place;
        }
        self.text.push_str(characters);
    }

    /// Appends the characters that were collected.
    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            let parent = self.node(self.text_place);
            self.sink.append_text(&parent, text);
        }
    }

    fn push(&mut self, name: &str) {
        let Some(element) = self.created.clone() else {
            return;
        };
        self.flush();
        let number = match self.names.get(name) {
            Some(&number) => number,
            None => {
                let number = self.counts.len();
                self.names.insert(name.to_owned(), number);
                self.counts.push(0);
                self.shown_names.push(cut(name));
                number
            }
        };
        self.counts[number] += 1;
        self.open.push((element, number));
    }

    /// A name as errors show it. Names of open elements are shared.
    fn shown_name(&self, name: &str) -> Arc<str> {
        let number = self.names.get(name);
        let shown = number.and_then(|&number| self.shown_names.get(number));
        shown.map_or_else(|| cut(name), Arc::clone)
    }

    fn shown_current(&self) -> Option<Arc<str>> {
        let (_, number) = self.open.last()?;
        self.shown_names.get(*number).map(Arc::clone)
    }

    /// Pops the current element; the number of its name.
    fn pop(&mut self) -> Option<usize> {
        self.flush();
        let (_, number) = self.open.pop()?;
        self.counts[number] -= 1;
        Some(number)
    }
}

/// How many characters of a name an error shows: many errors may be about one long name.
const SHOWN: usize = 40;

fn cut(name: &str) -> Arc<str> {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.into(),
    }
}
