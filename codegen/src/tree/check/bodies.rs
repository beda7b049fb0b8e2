//! Lists of steps become bodies: phrases are read, branches, loops and labels become blocks.

use super::Checker;
use crate::diagnostic::{Code, Span};
use crate::lexer::normal_outside_quotes;
use crate::suggest::which_of;
use crate::tree::limits::MOST_LOCALS;
use crate::tree::machine::{
    Block, BlockId, Body, BodyId, Exit, Guard, Mode, ModeId, Slot, Step, Value, ValueSort,
};
use crate::tree::phrase::{Assigned, Local, Says, Sort, holes};
use crate::written::{Branch, BranchWord, Step as Written, Steps, Text};

/// Where the steps and exits of a body are written, by their blocks.
#[derive(Clone, Debug, Default)]
pub(in crate::tree) struct Places {
    pub(in crate::tree) blocks: Vec<(Vec<Span>, Span)>,
    /// The whole list.
    pub(in crate::tree) whole: Span,
}

/// `if`, any number of `otherwise if`, perhaps `otherwise`.
struct Chain {
    /// The block that runs if no guard has held so far; `None` behind `otherwise`.
    otherwise: Option<BlockId>,
    /// The ends of the branches that do not end the list.
    ends: Vec<BlockId>,
}

/// A label that steps may jump to.
struct Label<'t> {
    name: &'t str,
    block: BlockId,
    span: Span,
    is_used: bool,
}

/// A body on its way.
struct Lowering<'l, 't, 'f> {
    checker: &'l mut Checker<'t, 'f>,
    blocks: Vec<Block>,
    places: Places,
    /// The rules that an arm belongs to.
    mode: Option<ModeId>,
    /// What the procedure returns, if it is one that returns something.
    returns: Option<Sort>,
    /// Those of the lists that are being read.
    labels: Vec<Label<'t>>,
    /// For each `while` that is being read: the block that asks, and the block behind it.
    loops: Vec<[BlockId; 2]>,
    /// How many lines have been read.
    line: usize,
    /// As [`Body::places`] has them.
    lines_of_blocks: Vec<(Vec<usize>, usize)>,
    /// How many faults there were before it, or those that follow from no other.
    faults: usize,
}

impl<'t, 'f> Checker<'t, 'f> {
    /// Reads the body of a procedure into its place.
    pub(super) fn procedure(&mut self, number: usize, name: &str, steps: &'t Steps) {
        let holes = holes(name);
        let returns = [
            Sort::Node,
            Sort::Location,
            Sort::Position,
            Sort::Text,
            Sort::Number,
            Sort::Truth,
        ];
        let returns = returns
            .into_iter()
            .find(|&sort| self.phrases.declared.is_procedure(number, sort));
        // Procedures come first, in their order; a faulty name leaves its place empty.
        while self.machine.bodies.len() < number {
            self.push(
                Body {
                    name: String::new(),
                    parameters: 0,
                    slots: Vec::new(),
                    returns: None,
                    blocks: Vec::new(),
                    lines: Vec::new(),
                    places: Vec::new(),
                },
                Places::default(),
            );
        }
        self.body(name, &holes, None, returns, steps);
    }

    /// Reads a list; the number of its body.
    pub(super) fn body(
        &mut self,
        name: &str,
        holes: &[(String, Sort)],
        mode: Option<ModeId>,
        returns: Option<Sort>,
        steps: &'t Steps,
    ) -> BodyId {
        self.phrases.faulty.clear();
        let faults = self.phrases.faults.len();
        let slots = holes.iter().enumerate();
        self.phrases.declared.locals = slots
            .map(|(slot, (name, sort))| Local {
                name: name.clone(),
                sort: *sort,
                slot,
            })
            .collect();
        let mut lowering = Lowering {
            checker: self,
            blocks: Vec::new(),
            places: Places::default(),
            mode,
            returns,
            labels: Vec::new(),
            loops: Vec::new(),
            line: 0,
            lines_of_blocks: Vec::new(),
            faults,
        };
        let start = lowering.block();
        let end = lowering.list(steps, Some(start));
        let is_read = lowering.is_read();
        let (blocks, mut places) = (lowering.blocks, lowering.places);
        let lines_of_blocks = lowering.lines_of_blocks;
        places.whole = first_span(steps);
        if returns.is_some() && end.is_some() && is_read {
            let message = format!("`{name}` returns a value, but not on every path");
            let help = "end each path with `return VALUE`";
            self.phrases
                .faults
                .add(Code::NothingReturned, places.whole, message)
                .help(help);
        }
        let locals = &self.phrases.declared.locals;
        let body = Body {
            name: name.to_owned(),
            parameters: holes.len(),
            slots: locals.iter().map(slot).collect(),
            returns: returns.and_then(Sort::of_value),
            blocks,
            lines: lines(steps, 0),
            places: lines_of_blocks,
        };
        self.push(body, places)
    }

    fn push(&mut self, body: Body, places: Places) -> BodyId {
        self.machine.bodies.push(body);
        self.places.push(places);
        self.machine.bodies.len() - 1
    }
}

fn slot(local: &Local) -> Slot {
    Slot {
        name: local.name.clone(),
        // Only values are declared.
        sort: local.sort.of_value().unwrap_or(ValueSort::Node),
    }
}

/// A list as it is written.
fn lines(steps: &Steps, depth: usize) -> Vec<String> {
    let indent = "  ".repeat(depth);
    let mut all = Vec::new();
    for step in &steps.list {
        match step {
            Written::Phrase(text) => {
                all.push(format!("{indent}{}", normal_outside_quotes(&text.text)))
            }
            Written::Branch(branch, steps) => {
                all.push(format!(
                    "{indent}{}:",
                    normal_outside_quotes(&branch.key.text)
                ));
                all.extend(lines(steps, depth + 1));
            }
            Written::Fault => {}
        }
    }
    all
}

fn first_span(steps: &Steps) -> Span {
    match steps.list.first() {
        Some(Written::Phrase(text)) => text.span(),
        Some(Written::Branch(branch, _)) => branch.key.span(),
        _ => Span::default(),
    }
}

impl<'t> Lowering<'_, 't, '_> {
    fn block(&mut self) -> BlockId {
        self.blocks.push(Block {
            steps: Vec::new(),
            exit: Exit::Done,
        });
        self.places.blocks.push((Vec::new(), Span::default()));
        self.lines_of_blocks.push((Vec::new(), 0));
        self.blocks.len() - 1
    }

    fn fault(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
    ) -> crate::diagnostic::Hint<'_> {
        self.checker.phrases.faults.add(code, span, message)
    }

    /// Whether all steps up to here could be read.
    fn is_read(&self) -> bool {
        self.faults == self.checker.phrases.faults.len()
    }

    fn exit(&mut self, block: BlockId, exit: Exit, span: Span) {
        self.blocks[block].exit = exit;
        self.places.blocks[block].1 = span;
        self.lines_of_blocks[block].1 = self.line.saturating_sub(1);
    }

    fn step(&mut self, block: BlockId, step: Step, span: Span) {
        self.blocks[block].steps.push(step);
        self.places.blocks[block].0.push(span);
        let line = self.line.saturating_sub(1);
        self.lines_of_blocks[block].0.push(line);
    }

    /// A list that begins there; where it ends, if it does not end the body.
    fn list(&mut self, steps: &'t Steps, mut open: Option<BlockId>) -> Option<BlockId> {
        let outside = self.labels.len();
        for step in &steps.list {
            if let Written::Branch(
                Branch {
                    word: BranchWord::Label,
                    key,
                    ..
                },
                _,
            ) = step
            {
                self.label(key);
            }
        }
        let mut chain: Option<Chain> = None;
        for step in &steps.list {
            self.line += usize::from(!matches!(step, Written::Fault));
            match step {
                // Nothing more is said of what follows.
                Written::Fault => self.faults = 0,
                Written::Branch(branch, steps) => match branch.word {
                    BranchWord::If | BranchWord::OtherwiseIf | BranchWord::Otherwise => {
                        self.branch(branch, steps, &mut open, &mut chain);
                    }
                    BranchWord::While => {
                        self.close(&mut open, chain.take());
                        open = self.repeat(branch, steps, open);
                    }
                    BranchWord::Label => {
                        self.close(&mut open, chain.take());
                        open = self.labeled(&branch.key, steps, open);
                    }
                },
                Written::Phrase(text) => {
                    self.close(&mut open, chain.take());
                    open = self.phrase(text, open);
                }
            }
        }
        self.close(&mut open, chain);
        for label in self.labels.split_off(outside) {
            if !label.is_used && self.is_read() {
                self.faults += 1;
                let message = format!("no step jumps to `{}`", label.name);
                let help = "write its steps without a label, or jump to it";
                self.fault(Code::UnusedLabel, label.span, message)
                    .help(help);
            }
        }
        open
    }

    fn label(&mut self, key: &'t Text) {
        if self.labels.iter().any(|label| label.name == key.text) {
            let message = format!("there is a label `{}` here already", key.text);
            self.fault(Code::DuplicateName, key.span(), message)
                .help("give one of them another name");
        }
        if self.labels.len() >= MOST_LOCALS {
            let message = format!("a list of steps has at most {MOST_LOCALS} labels");
            self.fault(Code::TooLarge, key.span(), message)
                .help("say some of it by a procedure");
            return;
        }
        let block = self.block();
        self.labels.push(Label {
            name: &key.text,
            block,
            span: key.span(),
            is_used: false,
        });
    }

    fn labeled(
        &mut self,
        key: &'t Text,
        steps: &'t Steps,
        open: Option<BlockId>,
    ) -> Option<BlockId> {
        let label = self.labels.iter().rfind(|label| label.name == key.text)?;
        let block = label.block;
        if let Some(open) = open {
            self.exit(open, Exit::Go(block), key.span());
        }
        self.list(steps, Some(block))
    }

    fn repeat(
        &mut self,
        branch: &'t Branch,
        steps: &'t Steps,
        open: Option<BlockId>,
    ) -> Option<BlockId> {
        self.reachable(open, branch.key.span());
        let [head, inner, behind] = [self.block(), self.block(), self.block()];
        if let Some(open) = open {
            self.exit(open, Exit::Go(head), branch.key.span());
        }
        let span = branch.guard_span();
        let guard = self
            .checker
            .phrases
            .read::<Guard>(branch.guard(), span)
            .unwrap_or(Guard::True);
        let is_endless = guard == Guard::True;
        self.exit(
            head,
            Exit::If {
                guard,
                yes: inner,
                no: behind,
            },
            span,
        );
        self.loops.push([head, behind]);
        let end = self.list(steps, Some(inner));
        self.loops.pop();
        if let Some(end) = end {
            self.exit(end, Exit::Go(head), branch.key.span());
        }
        // What is behind `while true` is reached by `break` only.
        let is_left = self
            .blocks
            .iter()
            .any(|block| block.exit == Exit::Go(behind));
        (!is_endless || is_left).then_some(behind)
    }

    fn branch(
        &mut self,
        branch: &'t Branch,
        steps: &'t Steps,
        open: &mut Option<BlockId>,
        chain: &mut Option<Chain>,
    ) {
        if branch.word == BranchWord::If {
            self.close(open, chain.take());
            self.reachable(*open, branch.key.span());
            *chain = Some(Chain {
                otherwise: open.take(),
                ends: Vec::new(),
            });
        }
        let Some(chain) = chain.as_mut().filter(|chain| chain.otherwise.is_some()) else {
            // After a step that never runs nothing more is said.
            if branch.word != BranchWord::If {
                branch.refuse_without_if(self.checker.phrases.faults);
            }
            return;
        };
        let mut then = chain.otherwise.take();
        if let (Some(at), true) = (then, branch.word != BranchWord::Otherwise) {
            let [yes, no] = [self.block(), self.block()];
            let span = branch.guard_span();
            if let Some(guard) = self.checker.phrases.read::<Guard>(branch.guard(), span) {
                self.exit(at, Exit::If { guard, yes, no }, span);
            }
            chain.otherwise = Some(no);
            then = Some(yes);
        }
        let end = self.list(steps, then);
        chain.ends.extend(end);
    }

    /// Joins the branches of a chain.
    fn close(&mut self, open: &mut Option<BlockId>, chain: Option<Chain>) {
        let Some(Chain {
            otherwise,
            mut ends,
        }) = chain
        else {
            return;
        };
        ends.extend(otherwise);
        *open = (!ends.is_empty()).then(|| {
            let block = self.block();
            for end in ends {
                self.exit(end, Exit::Go(block), Span::default());
            }
            block
        });
    }

    fn reachable(&mut self, open: Option<BlockId>, span: Span) {
        if open.is_none() {
            let message = "this step never runs: the step before it ends the arm";
            self.fault(Code::UnreachableStep, span, message)
                .help("put it in front, or remove it");
        }
    }

    /// One phrase; where the next goes.
    fn phrase(&mut self, text: &'t Text, open: Option<BlockId>) -> Option<BlockId> {
        let span = text.span();
        self.reachable(open, span);
        let says = self.checker.phrases.read::<Says>(&text.text, span);
        // Nothing more is said of what a faulty phrase leads to.
        let (Some(says), Some(at)) = (says, open) else {
            return open;
        };
        let end = match says {
            Says::Does(step) => {
                let (Step::SwitchTo(mode) | Step::PushMode(mode)) = &step else {
                    self.step(at, step, span);
                    return open;
                };
                if matches!(mode, Mode::Named(mode) if *mode >= self.checker.phrases.declared.insertion_modes)
                {
                    let message = "these rules are no insertion mode";
                    let help = "they have the token by `process the token using the rules for …`";
                    self.fault(Code::UnknownMode, span, message).help(help);
                }
                self.step(at, step, span);
                return open;
            }
            Says::Lets(name, value) => {
                let slot = self.declare(name.0, sort_of(&value), span);
                self.step(at, Step::Set(slot, value), span);
                return open;
            }
            Says::Sets(assigned, value) => {
                if let Some(step) = self.set(assigned, value, span) {
                    self.step(at, step, span);
                }
                return open;
            }
            Says::Runs(wanted, mode) => {
                if let Some(arm) = self.checker.arm_of(mode, &wanted, span) {
                    self.step(at, Step::RunArm(mode, arm), span);
                }
                return open;
            }
            Says::RunsForPending(wanted, mode) => {
                if let Some(arm) = self.checker.arm_of(mode, &wanted, span) {
                    self.step(at, Step::RunArmForPending(mode, arm), span);
                }
                return open;
            }
            Says::ActsAs(wanted) => match self.mode {
                Some(mode) => Exit::ActAs(mode, self.checker.arm_of(mode, &wanted, span)?),
                None => {
                    let message = "outside of an insertion mode it is not known which arm that is";
                    let help = "say in which: `act as any other end tag in \"in body\"`";
                    self.fault(Code::MisplacedPhrase, span, message).help(help);
                    return open;
                }
            },
            Says::Ends(exit) => {
                if self.mode.is_none() {
                    let message = "a procedure cannot end the arm that runs it";
                    let help = "say it in the arm, after the name of the procedure; `return` ends the procedure";
                    self.fault(Code::MisplacedPhrase, span, message).help(help);
                }
                exit
            }
            Says::Returns(value) => self.returned(value, span),
            Says::Breaks | Says::Continues => {
                let is_break = says == Says::Breaks;
                let Some(&[head, behind]) = self.loops.last() else {
                    let message = "there is no `while` around this";
                    self.fault(Code::MisplacedPhrase, span, message)
                        .help("`return` ends the whole list");
                    return open;
                };
                Exit::Go(if is_break { behind } else { head })
            }
            Says::Jumps(label) => {
                let found = self.labels.iter_mut().rfind(|it| it.name == label.0);
                let Some(found) = found else {
                    let names = self.labels.iter().map(|it| it.name);
                    let help = which_of(&label.0, names);
                    let message = format!(
                        "there is no label `{}` in this list or one around it",
                        label.0
                    );
                    self.fault(Code::UnknownLabel, span, message).help(help);
                    return open;
                };
                found.is_used = true;
                Exit::Go(found.block)
            }
        };
        self.exit(at, end, span);
        None
    }

    fn returned(&mut self, value: Option<Value>, span: Span) -> Exit {
        match (value, self.returns) {
            (None, None) => Exit::Done,
            (Some(value), Some(sort)) if sort == sort_of(&value) => Exit::Return(value),
            (Some(_), Some(sort)) => {
                let message = format!("this procedure returns {} elsewhere", sort.expected());
                self.fault(Code::TypeMismatch, span, message)
                    .help("return one sort of values on all paths");
                Exit::Done
            }
            (Some(_), None) => {
                let message = "an arm returns no value";
                self.fault(Code::MisplacedPhrase, span, message)
                    .help("write `return`");
                Exit::Done
            }
            (None, Some(sort)) => {
                let message = format!("this procedure returns {} elsewhere", sort.expected());
                self.fault(Code::NothingReturned, span, message)
                    .help("write `return VALUE`");
                Exit::Done
            }
        }
    }

    /// The slot of a variable that is declared here.
    fn declare(&mut self, name: String, sort: Sort, span: Span) -> usize {
        let locals = &self.checker.phrases.declared.locals;
        if let Some(local) = locals.iter().find(|local| local.name == name) {
            let (slot, before) = (local.slot, local.sort);
            if before != sort {
                let message = format!(
                    "`{name}` is {} above, and {} here",
                    before.expected(),
                    sort.expected()
                );
                self.fault(Code::TypeMismatch, span, message)
                    .help("give one of them another name");
            }
            return slot;
        }
        if locals.len() >= MOST_LOCALS {
            let message = format!("a list of steps has at most {MOST_LOCALS} variables");
            self.fault(Code::TooLarge, span, message)
                .help("say some of it by a procedure");
            return 0;
        }
        let is_taken = self.checker.phrases.declared.is_taken(&name);
        let slot = locals.len();
        if is_taken {
            let message =
                format!("`{name}` is the name of an element type or a word of the language");
            self.fault(Code::BadName, span, message)
                .help("give the variable another name");
        }
        self.checker
            .phrases
            .declared
            .locals
            .push(Local { name, sort, slot });
        slot
    }

    fn set(&mut self, assigned: Assigned, value: Value, span: Span) -> Option<Step> {
        let (sort, step) = match assigned {
            Assigned::Slot(slot, sort) => (sort, Step::Set(slot, value.clone())),
            Assigned::State(state) => (Sort::Node, Step::SetNode(state, value.clone())),
        };
        if sort == sort_of(&value) {
            return Some(step);
        }
        let message = format!(
            "the variable holds {}, but this is {}",
            sort.expected(),
            sort_of(&value).expected()
        );
        self.fault(Code::TypeMismatch, span, message)
            .help("declare another variable with `let`");
        None
    }
}

/// The sort of a value. Null is no node.
fn sort_of(value: &Value) -> Sort {
    match value {
        Value::Null | Value::Node(_) => Sort::Node,
        Value::Location(_) => Sort::Location,
        Value::Position(_) => Sort::Position,
        Value::Text(_) => Sort::Text,
        Value::Number(_) => Sort::Number,
        Value::Truth(_) => Sort::Truth,
        Value::Token(_) => Sort::Token,
        Value::Namespace(_) => Sort::Namespace,
        Value::Types(_) => Sort::Types,
    }
}
