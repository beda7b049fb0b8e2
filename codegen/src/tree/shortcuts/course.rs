//! What rules do with a token where something is known about the current node: partial evaluation of their bodies.

mod values;

use super::super::facts::{Fact, Facts};
use super::super::machine::{
    BodyId, CHARACTER, Call, ElementName, Exit, Guard, Location, Mode, ModeId, Namespace, Node,
    Number, Space, Step, Text, TokenOf, Tokens, TreeMachine, Truth, Types, Value, Variable,
};

/// The token, and what is known before it. The current node is an HTML element, and the adjusted current node is one, too.
#[derive(Clone, Copy)]
pub(super) struct Situation<'a> {
    /// The insertion mode, if that is known.
    pub(super) mode: Option<ModeId>,
    /// The kind of the token.
    pub(super) kind: usize,
    /// The name of the token. `Some("")` is a name that the table does not have.
    pub(super) name: Option<&'a str>,
    /// Whether the current node has that name.
    pub(super) is_current: bool,
    /// Whether no entry of the list after the last marker has the token's name.
    pub(super) is_alone: bool,
    /// Whether the current node is the last entry of the list of active formatting elements.
    pub(super) is_last_entry: bool,
    /// The token, if it is a character.
    pub(super) character: char,
}

impl<'a> Situation<'a> {
    /// The name of the current node, if it is known.
    fn current(&self) -> Option<&'a str> {
        self.name.filter(|_| self.is_current)
    }
}

/// One thing that is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The current node is popped.
    Pops,
    /// What was the current node leaves the list of active formatting elements.
    LeavesList,
    /// An element is created with the name of the token.
    Creates(Space),
    /// It gets the attributes of the token.
    GetsAttributes,
    /// It becomes the last child of the current node.
    Inserts,
    /// It is pushed onto the stack of open elements.
    Pushes,
    /// It gets an entry at the end of the list of active formatting elements.
    EntersList,
    /// The character is inserted after the last child of the current node.
    InsertsText,
}

/// Why the course of the rules is not known to its end.
#[derive(Debug)]
pub(super) enum Stop {
    /// It depends on this, which can be asked before the token is processed.
    Ask(Guard),
    /// It does more than the effects above, or depends on more than what can be asked.
    More,
}

type Known<T> = Result<T, Stop>;

/// The slots of a body: what is in them, as far as it was set.
type Frame = Vec<Option<Value>>;

/// More blocks are not run: no course that is of use needs as many.
const BLOCKS: usize = 100;

/// A run of the rules under assumptions.
pub(super) struct Course<'a> {
    machine: &'a TreeMachine,
    situation: Situation<'a>,
    /// Questions that were asked before the token, and the answers.
    assumed: &'a [(Guard, bool)],
    effects: Vec<Effect>,
    /// How many rules run that others have called.
    depth: usize,
    blocks: usize,
}

impl<'a> Course<'a> {
    fn of(
        machine: &'a TreeMachine,
        situation: Situation<'a>,
        assumed: &'a [(Guard, bool)],
    ) -> Self {
        Self {
            machine,
            situation,
            assumed,
            effects: Vec::new(),
            depth: 0,
            blocks: 0,
        }
    }

    /// What is done with the token.
    pub(super) fn of_token(
        machine: &'a TreeMachine,
        situation: Situation<'a>,
        assumed: &'a [(Guard, bool)],
    ) -> Known<Vec<Effect>> {
        let mut course = Self::of(machine, situation, assumed);
        match machine.dispatcher {
            Some(body) => _ = course.run(body, Vec::new())?,
            None => course.rules(Mode::Current)?,
        }
        Ok(course.effects)
    }

    /// What a procedure does that is given the token.
    pub(super) fn of_procedure(
        machine: &'a TreeMachine,
        situation: Situation<'a>,
        body: BodyId,
        assumed: &'a [(Guard, bool)],
    ) -> Known<Vec<Effect>> {
        let mut course = Self::of(machine, situation, assumed);
        course.run(body, vec![Some(Value::Token(TokenOf::Current))])?;
        Ok(course.effects)
    }

    /// Whether the stack or the list is no longer what it was before the token.
    fn has_changed(&self) -> bool {
        use Effect::{EntersList, LeavesList, Pops, Pushes};
        let changes = |it: &Effect| matches!(it, Pops | LeavesList | Pushes | EntersList);
        self.effects.iter().any(changes)
    }

    fn rules(&mut self, mode: Mode) -> Known<()> {
        let mode = match mode {
            Mode::Named(mode) => mode,
            Mode::Current => self.situation.mode.ok_or(Stop::More)?,
            Mode::Original | Mode::CurrentTemplate => return Err(Stop::More),
        };
        let Situation {
            kind,
            name,
            character,
            ..
        } = self.situation;
        let takes = |tokens: &Tokens| match tokens {
            Tokens::Kind(of) => (*of == kind).then_some(0),
            Tokens::Named(of, names) => {
                let is_named = names.iter().any(|it| Some(it.as_str()) == name);
                (*of == kind && is_named).then_some(0)
            }
            Tokens::Characters(class) => {
                let mut ranges = class.iter();
                let is_in = ranges.any(|(first, last)| (first..=last).contains(&&character));
                (kind == CHARACTER && is_in).then_some(0)
            }
            Tokens::AnyOther(of) => (*of == kind).then_some(1),
            Tokens::AnythingElse => Some(2),
        };
        for (guard, arm) in self.machine.modes[mode].candidates(&takes) {
            if guard.map_or(Ok(true), |guard| self.holds(guard, &Vec::new()))? {
                return self.run(arm.body, Vec::new()).map(|_| ());
            }
        }
        Ok(())
    }

    fn run(&mut self, body: BodyId, mut frame: Frame) -> Known<Value> {
        let machine = self.machine;
        let body = &machine.bodies[body];
        frame.resize(body.slots.len(), None);
        let mut at = 0;
        loop {
            self.blocks += 1;
            if self.blocks > BLOCKS {
                return Err(Stop::More);
            }
            let block = &body.blocks[at];
            for step in &block.steps {
                self.step(step, &mut frame)?;
            }
            at = match &block.exit {
                Exit::Go(to) => *to,
                Exit::If { guard, yes, no } => match self.holds(guard, &frame)? {
                    true => *yes,
                    false => *no,
                },
                Exit::Done => return Ok(Value::Null),
                Exit::Return(value) => return self.value(value, &frame),
                Exit::ActAs(mode, arm) => {
                    return self.run(machine.modes[*mode].arms[*arm].body, Vec::new());
                }
                // Rules that called this one would go on before.
                Exit::ReprocessUsing(mode) if self.depth == 0 => {
                    return self.rules(*mode).map(|()| Value::Null);
                }
                Exit::ReprocessUsing(_) | Exit::Reprocess | Exit::StopParsing => {
                    return Err(Stop::More);
                }
            };
        }
    }

    fn call(&mut self, call: &Call, frame: &Frame) -> Known<Value> {
        let arguments = call.arguments.iter();
        let given: Known<Frame> = arguments
            .map(|it| self.value(it, frame).map(Some))
            .collect();
        self.run(call.body, given?)
    }

    fn step(&mut self, step: &Step, frame: &mut Frame) -> Known<()> {
        match step {
            Step::Set(slot, value) => frame[*slot] = Some(self.value(value, frame)?),
            Step::Increment(slot, by) => {
                let sum = self.number(Number::Slot(*slot), frame)?;
                let sum = sum.saturating_add(self.number(*by, frame)?);
                frame[*slot] = Some(Value::Number(Number::Literal(sum)));
            }
            Step::SetWord(state, word) => {
                // It has it already.
                if !self.ask(Guard::HasWord(*state, *word))? {
                    return Err(Stop::More);
                }
            }
            Step::UseRules(mode) => {
                self.depth += 1;
                self.rules(*mode)?;
                self.depth -= 1;
            }
            Step::RunArm(mode, arm) => {
                self.depth += 1;
                self.run(self.machine.modes[*mode].arms[*arm].body, Vec::new())?;
                self.depth -= 1;
            }
            Step::Run(call) => _ = self.call(call, frame)?,
            // A sink that takes elements at once does nothing in these.
            Step::Host(call) if !self.machine.hosts[call.host].answers => {
                for argument in &call.arguments {
                    self.value(argument, frame)?;
                }
                if !self
                    .effects
                    .iter()
                    .any(|it| matches!(it, Effect::Creates(_)))
                {
                    return Err(Stop::More);
                }
            }
            Step::Pop => self.pop()?,
            Step::PopUntil(types) => match self.current_is(&self.types(types, frame)?) {
                Some(true) => self.pop()?,
                _ => return Err(Stop::More),
            },
            Step::PopThrough(node) => match self.node(node, frame)? {
                Some(Node::Current) => self.pop()?,
                _ => return Err(Stop::More),
            },
            Step::Remove(Variable::ActiveFormattingElements, node) => {
                match self.node(node, frame)? {
                    Some(Node::Current) if self.is_last_entry() => {
                        self.effects.push(Effect::LeavesList);
                    }
                    _ => return Err(Stop::More),
                }
            }
            Step::Push(node) => match self.node(node, frame)? {
                Some(Node::New) => self.effects.push(Effect::Pushes),
                _ => return Err(Stop::More),
            },
            Step::Add(node) => match self.node(node, frame)? {
                Some(Node::New) => self.effects.push(Effect::EntersList),
                _ => return Err(Stop::More),
            },
            Step::Insert(node, at) => {
                let at = self.location(at, frame)?;
                match (self.node(node, frame)?, at) {
                    (Some(Node::New), Location::LastChild(Node::Current)) => {
                        self.effects.push(Effect::Inserts);
                    }
                    _ => return Err(Stop::More),
                }
            }
            Step::AppendAttributes(token, to) => {
                let token = self.token(token, frame)?;
                match (token, self.node(to, frame)?) {
                    (TokenOf::Current, Some(Node::New)) => {
                        self.effects.push(Effect::GetsAttributes);
                    }
                    _ => return Err(Stop::More),
                }
            }
            Step::AppendText(text, at) | Step::InsertText(text, at) => {
                let text = self.text(text, frame)?;
                match (text, self.location(at, frame)?) {
                    (Text::Character, Location::LastChild(Node::Current)) => {
                        self.effects.push(Effect::InsertsText);
                    }
                    _ => return Err(Stop::More),
                }
            }
            _ => return Err(Stop::More),
        }
        Ok(())
    }

    fn pop(&mut self) -> Known<()> {
        let mut followed = self.machine.on_popping.iter();
        let follows = followed.any(|(element, _)| {
            let current = self.situation.current();
            element.space == Space::Html && current.is_none_or(|name| name == element.name)
        });
        if self.has_changed() || follows {
            return Err(Stop::More);
        }
        self.effects.push(Effect::Pops);
        Ok(())
    }

    /// Whether what was the current node before the token is the last entry of the list.
    fn is_last_entry(&self) -> bool {
        self.situation.is_last_entry && !self.effects.contains(&Effect::LeavesList)
    }

    /// Whether no entry of the list after the last marker has the token's name.
    fn is_alone(&self) -> bool {
        self.situation.is_alone && !self.effects.contains(&Effect::EntersList)
    }

    /// What is asked before the token.
    fn ask(&self, guard: Guard) -> Known<bool> {
        let mut is_known = !self.has_changed();
        guard.facts(&mut |fact| {
            is_known &= matches!(
                fact,
                Fact::Variable(_) | Fact::State(_) | Fact::Set(_) | Fact::Scope(_)
            );
        });
        let answer = self.assumed.iter().find(|(asked, _)| *asked == guard);
        match answer {
            _ if !is_known => Err(Stop::More),
            Some((_, answer)) => Ok(*answer),
            None => Err(Stop::Ask(guard)),
        }
    }

    fn holds(&mut self, guard: &Guard, frame: &Frame) -> Known<bool> {
        let is_open = !self.has_changed();
        match guard {
            Guard::Not(guard) => Ok(!self.holds(guard, frame)?),
            Guard::All(guards) => {
                for guard in guards {
                    if !self.holds(guard, frame)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Guard::Any(guards) => {
                for guard in guards {
                    if self.holds(guard, frame)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Guard::True => Ok(true),
            Guard::Condition(number) => {
                let machine = self.machine;
                self.holds(&machine.conditions[*number].guard, &Vec::new())
            }
            Guard::Is(node, types) => {
                let types = self.types(types, frame)?;
                match self.node(node, frame)? {
                    None => Ok(false),
                    Some(Node::Current) => match self.current_is(&types) {
                        Some(answer) => Ok(answer),
                        None => self.ask(Guard::Is(Node::Current, types)),
                    },
                    Some(Node::AdjustedCurrent) if is_html(&types) => Ok(true),
                    Some(node) => self.ask(Guard::Is(node, types)),
                }
            }
            Guard::Same(one, other) => match (self.node(one, frame)?, self.node(other, frame)?) {
                (None, None) => Ok(true),
                (Some(Node::Current), Some(Node::Current)) => Ok(true),
                (Some(Node::Current), None) | (None, Some(Node::Current)) => Ok(false),
                _ => Err(Stop::More),
            },
            Guard::IsNull(node) => match self.node(node, frame)? {
                None => Ok(true),
                Some(Node::Current | Node::New) => Ok(false),
                Some(node) => self.ask(Guard::IsNull(node)),
            },
            Guard::IsMarker(node) => match self.node(node, frame)? {
                None | Some(Node::Current | Node::New) => Ok(false),
                Some(node) => self.ask(Guard::IsMarker(node)),
            },
            Guard::IsIn(node, variable) => match (self.node(node, frame)?, variable) {
                (None, _) => Ok(false),
                (Some(Node::Current), Variable::OpenElements) if is_open => Ok(true),
                (Some(Node::Current), Variable::ActiveFormattingElements)
                    if self.is_last_entry() =>
                {
                    Ok(true)
                }
                (Some(node), variable) => self.ask(Guard::IsIn(node, *variable)),
            },
            Guard::IsEmpty(Variable::OpenElements) if is_open => Ok(false),
            Guard::IsEmpty(Variable::ActiveFormattingElements) if self.is_last_entry() => Ok(false),
            Guard::IsEmpty(variable) => self.ask(Guard::IsEmpty(*variable)),
            Guard::HasInScope(types, scope) => {
                let types = self.types(types, frame)?;
                match is_open && self.current_is(&types) == Some(true) {
                    true => Ok(true),
                    false => self.ask(Guard::HasInScope(types, *scope)),
                }
            }
            Guard::IsOnStack(types) => {
                let types = self.types(types, frame)?;
                match is_open && self.current_is(&types) == Some(true) {
                    true => Ok(true),
                    false => self.ask(Guard::IsOnStack(types)),
                }
            }
            Guard::HasElementInScope(node, _) => match self.node(node, frame)? {
                Some(Node::Current) if is_open => Ok(true),
                _ => Err(Stop::More),
            },
            Guard::HasTagNameOfToken(node) => {
                match (self.node(node, frame)?, self.situation.current()) {
                    (Some(Node::Current), Some(name)) if name == name.to_ascii_lowercase() => {
                        Ok(true)
                    }
                    _ => Err(Stop::More),
                }
            }
            Guard::HasThreeLike(node) => match self.node(node, frame)? {
                Some(Node::New) if self.is_alone() => Ok(false),
                _ => Err(Stop::More),
            },
            // The attributes of the token are in no namespace.
            Guard::HasOtherNamespaceIn(node, ..) => match self.node(node, frame)? {
                Some(Node::New) => Ok(false),
                _ => Err(Stop::More),
            },
            Guard::TokenIs(kind) => Ok(*kind == self.situation.kind),
            Guard::TokenIsNamed(names) => match self.situation.name {
                Some(name) => Ok(names.iter().any(|it| it == name)),
                None => Err(Stop::More),
            },
            Guard::HasWord(..) | Guard::IsYes(_) | Guard::FosterParenting => {
                self.ask(guard.clone())
            }
            Guard::InsertionModeIs(modes) => {
                let mode = self.situation.mode.ok_or(Stop::More)?;
                Ok(modes.contains(&mode))
            }
            Guard::IsInDocument(at) => match self.location(at, frame)? {
                Location::LastChild(Node::Current) => Ok(false),
                _ => Err(Stop::More),
            },
            Guard::IsInside(at, types) => match self.location(at, frame)? {
                Location::LastChild(node) => self.holds(&Guard::Is(node, types.clone()), frame),
                _ => Err(Stop::More),
            },
            // Whether characters are appended to a Text node or in a new one is the sink's to know.
            Guard::HasTextBefore(_) => Ok(true),
            Guard::IsPossible(node, at) => {
                match (self.node(node, frame)?, self.location(at, frame)?) {
                    (Some(Node::New), Location::LastChild(Node::Current)) => Ok(true),
                    _ => Err(Stop::More),
                }
            }
            Guard::IsGreater(one, other) => {
                Ok(self.number(*one, frame)? > self.number(*other, frame)?)
            }
            Guard::IsAtLeast(one, other) => {
                Ok(self.number(*one, frame)? >= self.number(*other, frame)?)
            }
            Guard::IsTrue(Truth::Literal(truth)) => Ok(*truth),
            _ => Err(Stop::More),
        }
    }

    /// Whether the current node is of types, as far as that is known.
    fn current_is(&self, types: &Types) -> Option<bool> {
        let name = self.situation.current();
        let of = |element: &ElementName| match (element.space, name) {
            (Space::Html, None) => None,
            (Space::Html, Some(name)) => Some(element.name == name),
            _ => Some(false),
        };
        match types {
            Types::Names(names) => any(names.iter().map(of)),
            Types::Set(set) => any(self.machine.sets[*set].members.iter().map(|member| {
                // What the attributes of its tag were is not known.
                of(&member.element).filter(|is| !is || member.attribute.is_none())
            })),
            Types::In(namespace) => match **namespace {
                Namespace::Fixed(space) => Some(space == Space::Html),
                _ => None,
            },
            Types::Any(types) => any(types.iter().map(|types| self.current_is(types))),
            Types::ButNot(one, not) => match (self.current_is(one), self.current_is(not)) {
                (Some(false), _) | (_, Some(true)) => Some(false),
                (Some(true), Some(false)) => Some(true),
                _ => None,
            },
            Types::Slot(_) | Types::SameName | Types::Named(_) | Types::NamedAny(_) => None,
        }
    }
}

/// Whether one of some answers is yes, as far as they are known.
fn any(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut found = Some(false);
    for answer in answers {
        match answer {
            Some(true) => return Some(true),
            Some(false) => {}
            None => found = None,
        }
    }
    found
}

/// Whether types are all HTML elements.
fn is_html(types: &Types) -> bool {
    matches!(types, Types::In(space) if **space == Namespace::Fixed(Space::Html))
}
