//! Runs a tree construction table, naively: tokens go in, a tree comes out. It shares nothing with a builder that is generated.

use std::collections::BTreeSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use speclex_codegen::tree::machine::{
    ArmId, Block, BlockId, BodyId, END_OF_FILE, Exit, Guard, Holds, Mode, ModeId, Rules, Space,
    Tokens, TreeMachine,
};

use super::arena::{Element, NodeId, Tag, Tree};
use super::errors::TreeError;
use super::log::{HostEvent, Log};
use super::outside::{Environment, has_selectedcontent};
use super::passed::{Journal, Passed};
use super::received::Received;
use super::slot::{End, Frame, Slot};
use super::stack::{List, Stack};
use crate::token::Token;

/// Steps that a token may take, beyond some for each element that is open: a sound table needs far fewer.
const PATIENCE: usize = 1 << 16;
/// Steps that it may take for each of these.
const PATIENCE_EACH: usize = 1 << 10;
/// How deep bodies may run each other: a sound table needs about ten.
const DEPTH: usize = 48;

/// Why a builder stopped: the table is at fault, not the input. The checks of a table do not rule it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What the steps do.
    pub loops: Loop,
    /// Byte offset of the token.
    pub offset: u64,
    /// Which steps: a body, and one of its blocks.
    pub place: (BodyId, BlockId),
}

/// How steps come to no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// They run on and on with a token.
    Stuck,
    /// They run each other.
    TooDeep,
}

impl fmt::Display for Loop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stuck => "run for ever",
            Self::TooDeep => "run each other without end",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { loops, offset, .. } = self;
        write!(f, "the steps {loops} with the token at byte {offset}")
    }
}

impl std::error::Error for Fault {}

/// What was built, the errors, what has run, and what only a host of the user's own knows of that.
pub(super) type Finished = (Tree, Vec<TreeError>, BTreeSet<Passed>, Vec<HostEvent>);

/// Takes tokens and builds a tree.
#[derive(Clone, Debug)]
pub struct Builder<'m> {
    pub(super) machine: &'m TreeMachine,
    pub(super) tree: Tree,
    pub(super) errors: Vec<TreeError>,
    pub(super) mode: ModeId,
    pub(super) original: ModeId,
    pub(super) templates: Vec<ModeId>,
    pub(super) stack: Stack,
    pub(super) list: List,
    /// What the variables and questions of the table's own hold.
    pub(super) states: Vec<Slot>,
    pub(super) pending: Vec<(char, Range<u64>)>,
    pub(super) foster_parenting: bool,
    pub(super) context: Option<NodeId>,
    /// Whether attaching a declarative shadow root succeeds.
    pub(super) has_shadow_roots: bool,
    /// The element that was created last.
    pub(super) new: Option<NodeId>,
    pub(super) popped: Option<NodeId>,
    /// The element that has got an end tag last.
    ended: Option<NodeId>,
    pub(super) token: Received,
    pub(super) ignored_next: Option<char>,
    /// The content that the tokenizer is switched to.
    pub(super) content: Option<String>,
    /// Whether the dispatcher gets this token again.
    reprocess: bool,
    stopped: bool,
    fault: Option<Fault>,
    steps_left: usize,
    depth: usize,
    /// The body and the block that run.
    running: (BodyId, BlockId),
    /// What has run.
    passed: Journal,
    /// The host steps that have run: one entry for each argument, and one for a step without any.
    pub(super) host_calls: Vec<(usize, Option<NodeId>)>,
    /// Those of them that only a host of the user's own knows.
    pub(super) host_events: Vec<HostEvent>,
    /// For those who follow it.
    pub(super) log: Option<Log>,
}

impl<'m> Builder<'m> {
    /// A builder at the start of a document or fragment.
    pub fn new(machine: &'m TreeMachine, environment: &Environment) -> Self {
        let mut tree = Tree::new();
        tree.selection.is_followed = has_selectedcontent(machine);
        tree.selection.is_fragment = environment.context.is_some();
        let context = environment.context.as_ref().map(|context| {
            let id = tree.create_element(context.space, &context.name);
            let tag = Tag {
                name: context.name.clone(),
                attributes: Arc::new(context.attributes.clone()),
            };
            tree.set_token(id, Arc::new(tag), None);
            id
        });
        let states = machine.states.iter();
        let mut builder = Self {
            states: states
                .map(|state| environment.value(state, context))
                .collect(),
            machine,
            tree,
            errors: Vec::new(),
            mode: machine.initial,
            original: machine.initial,
            templates: Vec::new(),
            stack: Stack::default(),
            list: List::default(),
            pending: Vec::new(),
            foster_parenting: false,
            context,
            has_shadow_roots: environment.has_shadow_roots,
            new: None,
            popped: None,
            ended: None,
            token: Received::end_of_file(0),
            ignored_next: None,
            content: None,
            reprocess: false,
            stopped: false,
            fault: None,
            steps_left: PATIENCE,
            depth: 0,
            running: (0, 0),
            passed: Journal::new(machine),
            host_calls: Vec::new(),
            host_events: Vec::new(),
            log: None,
        };
        if let (Some(fragments), Some(_)) = (&machine.fragments, context) {
            builder.run(fragments.steps, Frame::new());
            // The stack is empty when parsing has stopped.
            let root = builder.node(&fragments.result, &Frame::new());
            builder.tree.root = root.unwrap_or(builder.tree.root);
        }
        builder
    }

    /// The content in which the tokenizer starts, if the context element decides that.
    pub fn first_content(&mut self) -> Option<&'m str> {
        let element = self.tree.element(self.context?)?;
        let name = (element.space == Space::Html).then(|| Arc::clone(&element.name))?;
        let mut contents = self.machine.fragments.as_ref()?.contents.iter();
        let found = contents.find(|first| *first.element == *name && self.allows(&first.guard))?;
        Some(&found.content)
    }

    /// Takes a token; one of a kind that the tokenizer of the table does not have is ignored. Returns the content to which the
    /// tokenizer is switched, if it is.
    pub fn token(&mut self, token: &Token, span: Range<u64>) -> Option<String> {
        match token {
            Token::Characters(text) => self.characters(text, span),
            Token::Declared { kind, fields } => {
                let mut kinds = self.machine.kinds.iter().enumerate().skip(END_OF_FILE + 1);
                if let Some((number, kind)) = kinds.find(|(_, it)| it.name == *kind) {
                    self.process(Received::declared(number, kind, fields, span));
                }
            }
        }
        self.content.take()
    }

    /// Takes a run of character tokens. If they stand in the input as they are, each has a place.
    pub fn characters(&mut self, text: &str, span: Range<u64>) {
        let length = span.end.saturating_sub(span.start);
        let longer = length.checked_sub(text.len() as u64);
        let mut start = span.start;
        for (at, character) in text.char_indices() {
            // A newline of two characters may come with what follows it.
            let newline = u64::from(at == 0 && character == '\n' && longer == Some(1));
            let is_verbatim = longer == Some(0) || longer == Some(1) && text.starts_with('\n');
            let place = match is_verbatim {
                true => start..start + character.len_utf8() as u64 + newline,
                false => span.clone(),
            };
            start = place.end;
            self.process(Received::character(character, place));
        }
    }

    /// Takes the end-of-file token. Returns what was built, and the errors of tree construction in the order of the tokens.
    ///
    /// # Errors
    /// When the table is malformed.
    pub fn end(self, offset: u64) -> Result<(Tree, Vec<TreeError>), Fault> {
        let (tree, errors, ..) = self.finish(offset)?;
        Ok((tree, errors))
    }

    /// The same, and what has run.
    pub(super) fn finish(mut self, offset: u64) -> Result<Finished, Fault> {
        self.end_of_file(offset);
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok((self.tree, self.errors, self.passed.all(), self.host_events)),
        }
    }

    /// Takes the end-of-file token.
    pub(super) fn end_of_file(&mut self, offset: u64) {
        self.process(Received::end_of_file(offset));
    }

    /// Why it has stopped, if the table is at fault.
    pub(super) fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// The insertion mode that takes the next token, and the name of the current node.
    pub(super) fn state(&self) -> (ModeId, String) {
        let current = self
            .stack
            .current()
            .and_then(|node| self.tree.element(node));
        let shown = current.map(|element| format!("{} {}", element.space.as_str(), element.name));
        (self.mode, shown.unwrap_or_default())
    }

    /// A hash of what later tokens depend on, but for the tree: modes, the stack and the list, flags and pointers by the names of
    /// elements, with their places in the input or without.
    pub(super) fn situation(&self, with_places: bool) -> u64 {
        let mut hash = DefaultHasher::new();
        for &mode in [self.mode, self.original].iter().chain(&self.templates) {
            let rules = self.machine.modes.get(mode);
            rules.map(|rules| &rules.name).hash(&mut hash);
        }
        let node = |node: NodeId, hash: &mut DefaultHasher| {
            let element = self.tree.element(node);
            element.map(|it| (it.space.as_str(), &it.name)).hash(hash);
            if with_places {
                self.tree.span(node).map(|it| it.start).hash(hash);
            }
        };
        for entries in [self.stack.entries(), self.list.entries()] {
            entries.len().hash(&mut hash);
            entries.iter().for_each(|&it| node(it, &mut hash));
        }
        let states = self.machine.states.iter().zip(&self.states);
        for (state, holds) in states.filter(|(state, _)| !state.is_asked) {
            state.name.hash(&mut hash);
            match (holds, &state.holds) {
                (Slot::Node(it), _) => node(*it, &mut hash),
                (Slot::Word(word), Holds::Words(words)) => words.get(*word).hash(&mut hash),
                (Slot::Truth(truth), _) => truth.hash(&mut hash),
                _ => {}
            }
        }
        (self.foster_parenting, self.ignored_next, self.stopped).hash(&mut hash);
        let pending: String = self.pending.iter().map(|(it, _)| it).collect();
        (pending, &self.content).hash(&mut hash);
        hash.finish()
    }

    /// The answer to a question of the tokenizer.
    pub fn answer(&mut self, question: &str) -> bool {
        let mut conditions = self.machine.conditions.iter();
        let condition = conditions.find(|condition| condition.name == question);
        condition.is_some_and(|condition| self.holds(&condition.guard, &Frame::new()))
    }

    pub(super) fn process(&mut self, token: Received) {
        let ignored = self.ignored_next.take();
        let errors = self.errors.len();
        if ignored.is_some() && ignored == token.character {
            self.token = token;
            self.note_token(errors);
            return;
        }
        let open = self.stack.entries().len() + self.list.entries().len() + self.pending.len();
        self.steps_left = PATIENCE.saturating_add(open.saturating_mul(PATIENCE_EACH));
        self.list.forget_positions();
        self.token = token;
        if self.token.is_end_tag && !self.token.has_name {
            let current = self.stack.current().and_then(|it| self.tree.element(it));
            let name = current.map_or_else(String::new, |current| current.name.to_string());
            Arc::make_mut(&mut self.token.tag).name = name;
        }
        self.reprocess = true;
        while std::mem::take(&mut self.reprocess) && !self.is_over() {
            match self.machine.dispatcher {
                Some(body) => self.run_to_its_end(body),
                None => self.rules(self.mode),
            }
        }
        if self.token.must_be_acknowledged && !self.is_over() {
            self.error(Some(
                "non-void-html-element-start-tag-with-trailing-solidus",
            ));
        }
        self.note_token(errors);
    }

    /// Whether nothing more happens.
    pub(super) fn is_over(&self) -> bool {
        self.stopped || self.fault.is_some()
    }

    /// Runs rules with the token.
    pub(super) fn rules(&mut self, mode: ModeId) {
        if let Some(arm) = self.arm_for_token(mode) {
            self.arm(mode, arm);
        }
    }

    pub(super) fn arm(&mut self, mode: ModeId, arm: ArmId) {
        if let Some(body) = self.body_of(mode, arm) {
            self.run_to_its_end(body);
        }
    }

    fn body_of(&self, mode: ModeId, arm: ArmId) -> Option<BodyId> {
        Some(self.machine.modes.get(mode)?.arms.get(arm)?.body)
    }

    /// Runs a body, and what it hands the token on to.
    fn run_to_its_end(&mut self, body: BodyId) {
        let mut next = Some(body);
        while let Some(body) = next {
            next = match self.run(body, Frame::new()) {
                End::Done(_) => None,
                End::Act(mode, arm) => self.body_of(mode, arm),
                End::Using(mode) => {
                    let mode = self.mode_of(mode);
                    let arm = self.arm_for_token(mode);
                    arm.and_then(|arm| self.body_of(mode, arm))
                }
            };
        }
    }

    /// The arm that takes the token: one that names it, else one for any other of its kind, else the one for anything else.
    fn arm_for_token(&mut self, mode: ModeId) -> Option<ArmId> {
        let rules: &Rules = self.machine.modes.get(mode)?;
        let (number, part, tokens) = (0..3).find_map(|rank| {
            let mut arms = rules.arms.iter().enumerate();
            arms.find_map(|(number, arm)| {
                let mut takes = arm.takes.iter().enumerate();
                let found = takes.find(|(_, takes)| {
                    self.rank(&takes.tokens) == Some(rank) && self.allows(&takes.guard)
                });
                found.map(|(part, takes)| (number, part, &takes.tokens))
            })
        })?;
        if let Tokens::Named(_, names) = tokens {
            let name = names.iter().position(|it| self.token.name() == Some(it));
            if let Some(name) = name {
                self.passed.name(Passed::Name(mode, number, part, name));
            }
        }
        Some(number)
    }

    fn allows(&mut self, guard: &Option<Guard>) -> bool {
        guard
            .as_ref()
            .is_none_or(|guard| self.holds(guard, &Frame::new()))
    }

    /// How closely a part of a key describes the token, if it does.
    fn rank(&self, tokens: &Tokens) -> Option<usize> {
        let token = &self.token;
        let (takes, rank) = match tokens {
            Tokens::Kind(kind) => (*kind == token.kind, 0),
            Tokens::Named(kind, names) => {
                let mut names = names.iter();
                let mut is_named = || names.any(|name| token.name() == Some(name));
                (*kind == token.kind && is_named(), 0)
            }
            Tokens::Characters(ranges) => (token.character.is_some_and(|it| is_in(it, ranges)), 0),
            Tokens::AnyOther(kind) => (*kind == token.kind, 1),
            Tokens::AnythingElse => (true, 2),
        };
        takes.then_some(rank)
    }

    /// Runs a body.
    pub(super) fn run(&mut self, body: BodyId, mut frame: Frame) -> End {
        let nothing = End::Done(Slot::Null);
        let Some(it) = self.machine.bodies.get(body) else {
            return nothing;
        };
        frame.resize(it.slots.len(), Slot::Null);
        self.nested(|this| this.run_blocks(body, &it.blocks, frame))
            .unwrap_or(nothing)
    }

    fn run_blocks(&mut self, body: BodyId, blocks: &'m [Block], mut frame: Frame) -> End {
        let nothing = End::Done(Slot::Null);
        let mut next = 0;
        while let Some(block) = blocks.get(next) {
            self.running = (body, next);
            self.passed.block(body, next);
            self.spend();
            for (number, step) in block.steps.iter().enumerate() {
                if self.is_over() {
                    return nothing;
                }
                self.note((body, next), Some(number), None);
                self.step(step, &mut frame);
            }
            if self.is_over() {
                return nothing;
            }
            if !matches!(block.exit, Exit::Go(_) | Exit::If { .. }) {
                self.note((body, next), None, None);
            }
            match &block.exit {
                Exit::Go(block) => next = *block,
                Exit::If { guard, yes, no } => {
                    let holds = self.holds(guard, &frame);
                    self.passed.answer(body, next, holds);
                    self.note((body, next), None, Some(holds));
                    next = if holds { *yes } else { *no };
                }
                Exit::Done => return nothing,
                Exit::Return(value) => return End::Done(self.value(value, &frame)),
                Exit::Reprocess => {
                    self.reprocess = true;
                    return nothing;
                }
                Exit::ReprocessUsing(mode) => return End::Using(*mode),
                Exit::ActAs(mode, arm) => return End::Act(*mode, *arm),
                Exit::StopParsing => {
                    while self.pop().is_some() {}
                    self.stopped = true;
                    return nothing;
                }
            }
        }
        nothing
    }

    /// Runs something that may run itself, by way of the table.
    pub(super) fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= DEPTH {
            self.fail(Loop::TooDeep);
            return None;
        }
        let running = self.running;
        self.depth += 1;
        let done = run(self);
        self.depth -= 1;
        self.running = running;
        Some(done)
    }

    fn spend(&mut self) {
        match self.steps_left.checked_sub(1) {
            Some(left) => self.steps_left = left,
            None => self.fail(Loop::Stuck),
        }
    }

    fn fail(&mut self, loops: Loop) {
        self.fault.get_or_insert(Fault {
            loops,
            offset: self.token.span.start,
            place: self.running,
        });
    }

    /// The rules that are meant.
    pub(super) fn mode_of(&self, mode: Mode) -> ModeId {
        match mode {
            Mode::Named(mode) => mode,
            Mode::Current => self.mode,
            Mode::Original => self.original,
            Mode::CurrentTemplate => self.templates.last().copied().unwrap_or(self.mode),
        }
    }

    /// Pops the current node, and does what follows from it.
    pub(super) fn pop(&mut self) -> Option<NodeId> {
        if self.is_over() {
            return None;
        }
        let node = self.stack.pop(&self.tree)?;
        let machine = self.machine;
        self.leaves_the_stack(node);
        for (of, body) in &machine.on_popping {
            if self.tree.is(node, of.space, &of.name) {
                self.popped = Some(node);
                self.run(*body, Frame::new());
            }
        }
        Some(node)
    }

    /// An element that leaves the stack at an end tag of its name has that end tag. Of several the last one has it, but elements
    /// that have a start tag before others.
    pub(super) fn leaves_the_stack(&mut self, node: NodeId) {
        let token = &self.token;
        let is_its = |element: &Element| element.name.eq_ignore_ascii_case(&token.tag.name);
        if !token.is_end_tag || !self.tree.element(node).is_some_and(is_its) {
            return;
        }
        let span = Some(token.span.clone());
        let has_it = |id: &NodeId| self.tree.element(*id).is_some_and(|it| it.end_tag == span);
        if let Some(other) = self.ended.filter(has_it) {
            if self.tree.span(other).is_some() && self.tree.span(node).is_none() {
                return;
            }
            if let Some(element) = self.tree.element_mut(other) {
                element.end_tag = None;
            }
        }
        if let Some(element) = self.tree.element_mut(node) {
            element.end_tag = span;
        }
        self.ended = Some(node);
    }

    /// Reports an error at the token.
    pub(super) fn error(&mut self, code: Option<&'static str>) {
        let open = self.stack.current().and_then(|it| self.tree.element(it));
        self.errors.push(TreeError {
            offset: self.token.span.start,
            code,
            mode: self.mode,
            kind: self.token.kind,
            name: self.token.name().map(|name| match self.tree.name(name) {
                Some((name, _)) => shown(name),
                None => cut(name),
            }),
            open: open.map(|element| shown(&element.name)),
        });
    }
}

pub(super) fn is_in(character: char, ranges: &[(char, char)]) -> bool {
    ranges
        .iter()
        .any(|&(first, last)| (first..=last).contains(&character))
}

/// How many characters of a name an error shows: many errors may be about one long name.
const SHOWN: usize = 40;

/// A name as errors show it. Short ones are shared.
fn shown(name: &Arc<str>) -> Arc<str> {
    if name.len() <= SHOWN {
        Arc::clone(name)
    } else {
        cut(name)
    }
}

fn cut(name: &str) -> Arc<str> {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]).into(),
        None => name.into(),
    }
}
