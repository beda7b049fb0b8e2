//! Runs a tree construction table. Like the interpreter of states it is naive, but linear: the names of the elements on a
//! stack are counted, so that a stack is asked for a name without a search.

use std::collections::HashMap;
use std::sync::Arc;

use speclex_codegen::tree::{
    Block, BodyId, CHARACTER, Content, END_OF_FILE, Elements, Exit, Guard, Kind, Location, ModeId,
    Part, Step, TreeMachine, Type, VariableId,
};

use super::sink::{Doctype, TreeError, TreeSink};
use crate::token::{Emitted, Token, Value};

/// Takes tokens and builds a tree in a sink.
#[derive(Debug)]
pub struct Builder<'m, S: TreeSink> {
    machine: &'m TreeMachine,
    sink: S,
    mode: ModeId,
    stopped: bool,
    /// By the number of the variable. One that is no stack stays empty.
    stacks: Vec<Stack<S::Node>>,
    /// The stack that has the current element.
    open: Option<VariableId>,
    /// Numbers of names of elements that have been pushed.
    names: HashMap<String, usize>,
    /// Names as errors show them, by their numbers.
    shown_names: Vec<Arc<str>>,
    /// The element created last, and its name.
    new: Option<S::Node>,
    new_name: String,
    /// Characters that await more, and where they go.
    text: String,
    text_location: Location,
}

#[derive(Debug)]
struct Stack<N> {
    /// Each with the number of its name.
    elements: Vec<(N, usize)>,
    /// How many of them have a name, by its number.
    counts: Vec<usize>,
}

/// A token, as the steps see it.
struct Received<'t> {
    number: usize,
    kind: &'t Kind,
    fields: &'t [Value],
    character: Option<char>,
    offset: u64,
}

impl Received<'_> {
    fn value(&self, part: Part) -> Option<&Value> {
        self.fields.get(self.kind.field(part)?)
    }

    /// A part of the token; empty if it has none.
    fn text(&self, part: Part) -> &str {
        self.value(part).and_then(Value::text).unwrap_or_default()
    }
}

/// How a body ends.
#[derive(PartialEq, Eq)]
enum Flow {
    /// The next step or token.
    On,
    /// The same token again, in another insertion mode.
    Again,
    /// No more tokens.
    Stop,
}

impl<'m, S: TreeSink> Builder<'m, S> {
    /// A builder at the start of a document.
    pub fn new(machine: &'m TreeMachine, sink: S) -> Self {
        let stack = |_| Stack {
            elements: Vec::new(),
            counts: Vec::new(),
        };
        let mut variables = machine.variables.iter();
        Self {
            machine,
            sink,
            mode: machine.initial,
            stopped: false,
            stacks: machine.variables.iter().map(stack).collect(),
            open: variables.position(|it| it.ty == Type::StackOfElements),
            names: HashMap::new(),
            shown_names: Vec::new(),
            new: None,
            new_name: String::new(),
            text: String::new(),
            text_location: Location::Document,
        }
    }

    /// The name of the current insertion mode.
    pub fn mode(&self) -> &'m str {
        let mode = self.machine.modes.get(self.mode);
        mode.map_or("", |mode| mode.name.as_str())
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
                if let Some(number) = declared.position(|it| it.name == *kind) {
                    let number = number + END_OF_FILE + 1;
                    self.process(number, fields, None, emitted.span.start);
                }
            }
        }
    }

    /// Takes the end-of-file token and gives the sink back.
    pub fn end(mut self, offset: u64) -> S {
        self.process(END_OF_FILE, &[], None, offset);
        self.flush();
        self.sink
    }

    /// Takes a run of character tokens. If they stand in the input as they are, each has a place.
    fn characters(&mut self, text: &str, start: u64, verbatim: bool) {
        for (at, character) in text.char_indices() {
            let body = self
                .arm(CHARACTER)
                .and_then(|arm| self.machine.bodies.get(arm));
            if let Some(
                [
                    Block {
                        steps,
                        exit: Exit::Done,
                    },
                ],
            ) = body.map(|body| &body.blocks[..])
                && let [Step::Append(Content::Character, location)] = steps[..]
                && !self.stopped
            {
                // All of the run goes one way.
                self.append_characters(location, &text[at..]);
                return;
            }
            let offset = start + if verbatim { at as u64 } else { 0 };
            self.process(CHARACTER, &[], Some(character), offset);
        }
    }

    fn arm(&self, kind: usize) -> Option<BodyId> {
        let mode = self.machine.modes.get(self.mode)?;
        mode.arms.get(kind).copied()
    }

    fn process(&mut self, number: usize, fields: &[Value], character: Option<char>, offset: u64) {
        let Some(kind) = self.machine.kinds.get(number) else {
            return;
        };
        let token = Received {
            number,
            kind,
            fields,
            character,
            offset,
        };
        // A table whose insertion modes hand a token on for ever is refused.
        while let (false, Some(arm)) = (self.stopped, self.arm(number)) {
            match self.body(arm, &token) {
                Flow::On => return,
                Flow::Again => {}
                Flow::Stop => self.stopped = true,
            }
        }
    }

    /// Runs an arm or a procedure. A table whose procedures run themselves is refused.
    fn body(&mut self, body: BodyId, token: &Received<'_>) -> Flow {
        let machine = self.machine;
        let mut next = 0;
        while let Some(block) = machine.bodies.get(body).and_then(|it| it.blocks.get(next)) {
            for step in &block.steps {
                match self.step(*step, token) {
                    Flow::On => {}
                    end => return end,
                }
            }
            match &block.exit {
                Exit::Go(block) => next = *block,
                Exit::If { guard, yes, no } => {
                    next = if self.holds(guard, token) { *yes } else { *no };
                }
                Exit::Done => break,
                Exit::ReprocessIn(mode) => {
                    self.mode = *mode;
                    return Flow::Again;
                }
                Exit::StopParsing => return Flow::Stop,
            }
        }
        Flow::On
    }

    fn holds(&self, guard: &Guard, token: &Received<'_>) -> bool {
        match guard {
            Guard::TokenIsNamed(name) => token.text(Part::Name) == name,
            Guard::CurrentIs(elements) => self
                .current()
                .is_some_and(|(_, name)| Some(*name) == self.name_of(*elements, token)),
            Guard::Has(stack, elements) => self
                .name_of(*elements, token)
                .and_then(|name| self.stacks[*stack].counts.get(name))
                .is_some_and(|&count| count > 0),
            Guard::IsEmpty(stack) => self.stacks[*stack].elements.is_empty(),
        }
    }

    /// The number of the name that these elements have; `None` if no element with it has been pushed.
    fn name_of(&self, elements: Elements, token: &Received<'_>) -> Option<usize> {
        match elements {
            Elements::SameName => self.names.get(token.text(Part::Name)).copied(),
        }
    }

    fn step(&mut self, step: Step, token: &Received<'_>) -> Flow {
        match step {
            Step::ParseError => {
                let has_name = token.kind.field(Part::Name).is_some();
                let error = TreeError {
                    offset: token.offset,
                    mode: self.mode,
                    kind: token.number,
                    name: has_name.then(|| self.shown_name(token.text(Part::Name))),
                    open: self.shown_current(),
                };
                self.sink.parse_error(error);
            }
            Step::CreateElement => {
                let attributes = match token.value(Part::Attributes) {
                    Some(Value::Attributes(attributes)) => attributes.as_slice(),
                    _ => &[],
                };
                let name = token.text(Part::Name);
                self.new = Some(self.sink.create_element(name, attributes));
                name.clone_into(&mut self.new_name);
            }
            Step::Append(content, location) => self.append(content, location, token),
            Step::Push(stack) => self.push(stack),
            Step::Pop(stack) => {
                self.pop(stack);
            }
            Step::PopUntil(elements, stack) => {
                let wanted = self.name_of(elements, token);
                while let Some(popped) = self.pop(stack) {
                    if Some(popped) == wanted {
                        break;
                    }
                }
            }
            Step::SwitchTo(mode) => self.mode = mode,
            Step::Run(procedure) => return self.body(procedure, token),
        }
        Flow::On
    }

    fn append(&mut self, content: Content, location: Location, token: &Received<'_>) {
        let character = match content {
            Content::Character => token.character,
            Content::CodePoint(character) => Some(character),
            _ => None,
        };
        if let Some(character) = character {
            return self.append_characters(location, character.encode_utf8(&mut [0; 4]));
        }
        let parent = self.parent(location);
        let (sink, text) = (&mut self.sink, |part| token.text(part));
        match content {
            Content::NewElement => {
                if let Some(element) = &self.new {
                    sink.append_element(&parent, element);
                }
            }
            // Without a character there is nothing to append.
            Content::Character | Content::CodePoint(_) => {}
            Content::EntityReference => sink.append_entity_reference(&parent, text(Part::Name)),
            Content::Comment => sink.append_comment(&parent, text(Part::Data)),
            Content::ProcessingInstruction => {
                sink.append_processing_instruction(&parent, text(Part::Target), text(Part::Data));
            }
            Content::DocumentType => {
                let doctype = Doctype {
                    name: text(Part::Name),
                    public_identifier: text(Part::PublicIdentifier),
                    system_identifier: text(Part::SystemIdentifier),
                };
                sink.append_doctype(&parent, doctype);
            }
        }
    }

    /// The node to append another node to; what characters are left go first.
    fn parent(&mut self, location: Location) -> S::Node {
        self.flush();
        self.node(location)
    }

    fn node(&mut self, location: Location) -> S::Node {
        match (location, self.current()) {
            (Location::CurrentElement, Some((node, _))) => node.clone(),
            _ => self.sink.document(),
        }
    }

    /// The current element and the number of its name.
    fn current(&self) -> Option<&(S::Node, usize)> {
        self.stacks[self.open?].elements.last()
    }

    fn append_characters(&mut self, location: Location, characters: &str) {
        if self.text_location != location {
            self.flush();
            self.text_location = location;
        }
        self.text.push_str(characters);
    }

    /// Appends the characters that were collected.
    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            let parent = self.node(self.text_location);
            self.sink.append_text(&parent, text);
        }
    }

    fn push(&mut self, stack: VariableId) {
        let Some(element) = self.new.clone() else {
            return;
        };
        self.flush();
        let number = match self.names.get(&self.new_name) {
            Some(&number) => number,
            None => {
                let number = self.shown_names.len();
                self.names.insert(self.new_name.clone(), number);
                self.shown_names.push(cut(&self.new_name));
                number
            }
        };
        let stack = &mut self.stacks[stack];
        if stack.counts.len() <= number {
            stack.counts.resize(number + 1, 0);
        }
        stack.counts[number] += 1;
        stack.elements.push((element, number));
    }

    /// A name as errors show it. Names of open elements are shared.
    fn shown_name(&self, name: &str) -> Arc<str> {
        let number = self.names.get(name);
        let shown = number.and_then(|&number| self.shown_names.get(number));
        shown.map_or_else(|| cut(name), Arc::clone)
    }

    fn shown_current(&self) -> Option<Arc<str>> {
        let (_, number) = self.current()?;
        self.shown_names.get(*number).map(Arc::clone)
    }

    /// Pops the last element; the number of its name.
    fn pop(&mut self, stack: VariableId) -> Option<usize> {
        self.flush();
        let stack = &mut self.stacks[stack];
        let (_, number) = stack.elements.pop()?;
        stack.counts[number] -= 1;
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
