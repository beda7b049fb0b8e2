//! Lists of steps become bodies: names are looked up, branches become blocks.

use super::Checker;
use super::names::plain;
use super::phrases::{Says, What, is_phrase};
use crate::diagnostic::{Code, Span};
use crate::tree::effects::{Effects, HasEffects, Need};
use crate::tree::machine::{Block, BlockId, Body, BodyId, CHARACTER, Exit, Step};
use crate::written::{Branch, BranchWord, Entry, Step as Written, Steps};
use std::collections::BTreeSet;

/// What leads from a body to an insertion mode.
pub(in crate::tree) struct Move {
    pub(in crate::tree) from: BodyId,
    pub(in crate::tree) to: usize,
    /// Whether the token goes along.
    pub(in crate::tree) reprocesses: bool,
    pub(in crate::tree) span: Span,
}

/// A procedure, as far as it has been read.
#[derive(Clone)]
pub(super) enum Procedure<'t> {
    Unread(&'t Entry<Steps>),
    /// A phrase in it is being read.
    Open(&'t Entry<Steps>),
    Read(Summary),
}

/// What a caller must know of a procedure.
#[derive(Clone, Default)]
pub(super) struct Summary {
    body: BodyId,
    needs: BTreeSet<Need>,
    /// Whether there is a new element after it in any case.
    creates: bool,
    /// Whether it uses a new element that it has not created.
    uses_new: bool,
    /// How many steps it has with those of the procedures that it runs.
    steps: usize,
}

/// How many steps a procedure may have with those of the procedures that it runs, and how deep these may be nested.
const MOST_STEPS: usize = 10_000;
const MOST_NESTING: usize = 50;

/// Where the next step of a list goes.
#[derive(Clone, Copy, Default)]
struct Open {
    block: BlockId,
    /// Whether an element has been created on every way here.
    created: bool,
}

/// `if`, any number of `otherwise if`, perhaps `otherwise`.
struct Chain {
    /// The block that runs if no guard has held so far; `None` behind `otherwise`.
    otherwise: Option<Open>,
    /// The ends of the branches that do not end the arm.
    ends: Vec<Open>,
}

/// A body on its way.
struct Lowering<'l, 't, 'f> {
    checker: &'l mut Checker<'t, 'f>,
    number: BodyId,
    blocks: Vec<Block>,
    /// The kinds of the tokens that come here; none for a procedure.
    kinds: &'l [usize],
    /// What is known so far, if it is a procedure.
    procedure: Option<Summary>,
    /// Whether a way ends the arm and neither ends the parsing nor hands the token on.
    ignores: bool,
    /// Whether a step was refused as it was read: then it is not known what it does.
    is_faulty: bool,
}

impl<'t, 'f> Checker<'t, 'f> {
    /// The body of an arm, and whether every way through it ends the parsing or hands the token on.
    pub(super) fn arm(&mut self, steps: &'t Steps, kinds: &[usize]) -> (BodyId, bool) {
        let mut lowering = self.lowering(kinds, None);
        let end = lowering.list(steps, Some(Open::default()));
        let ends = lowering.is_faulty || end.is_none() && !lowering.ignores;
        (lowering.finish(), ends)
    }

    pub(super) fn procedures(&mut self) {
        for entry in &self.table.procedures {
            let name = plain(&entry.name.text);
            if is_phrase(&entry.name.text) {
                let message = format!("`{}` is a phrase of the language already", entry.name.text);
                self.faults
                    .add(Code::BadName, entry.name.at, message)
                    .help("give the procedure another name");
            } else if self
                .procedures
                .insert(name, Procedure::Unread(entry))
                .is_some()
            {
                let message = format!(
                    "`{}` is the name of another procedure but for articles",
                    entry.name.text
                );
                self.faults
                    .add(Code::DuplicateName, entry.name.at, message)
                    .help("give one of them another name");
            }
        }
        for entry in &self.table.procedures {
            self.procedure(&plain(&entry.name.text), entry.name.span());
        }
    }

    /// What is known of the procedure with this name, which is read if it has not been. `None` after a fault.
    fn procedure(&mut self, name: &str, span: Span) -> Option<Summary> {
        let procedure = self.procedures.get_mut(name)?;
        let entry = match procedure {
            Procedure::Unread(entry) => *entry,
            Procedure::Read(summary) => return Some(summary.clone()),
            Procedure::Open(entry) => {
                let message = format!("`{}` runs itself", entry.name.text);
                self.faults.add(Code::RecursiveName, span, message).help(
                    "a procedure comes to its end: say what is done with the steps themselves",
                );
                return None;
            }
        };
        *procedure = Procedure::Open(entry);
        self.nesting += 1;
        let mut lowering = self.lowering(&[], Some(Summary::default()));
        let end = match &entry.value {
            Some(steps) if lowering.checker.nesting <= MOST_NESTING => {
                lowering.list(steps, Some(Open::default()))
            }
            _ => None,
        };
        let mut summary = lowering.procedure.take().unwrap_or_default();
        summary.body = lowering.finish();
        summary.creates = end.is_some_and(|end| end.created);
        if self.nesting > MOST_NESTING || summary.steps > MOST_STEPS {
            let message = format!("`{}` runs too many steps", entry.name.text);
            self.faults
                .add(Code::TooLarge, entry.name.at, message)
                .help(format!(
                    "a procedure has at most {MOST_STEPS} steps, with those of the procedures that it runs, which are \
                     nested at most {MOST_NESTING} deep"
                ));
            summary.steps = 0;
        }
        self.nesting -= 1;
        self.procedures
            .insert(name.to_owned(), Procedure::Read(summary.clone()));
        Some(summary)
    }

    fn lowering<'l>(
        &'l mut self,
        kinds: &'l [usize],
        procedure: Option<Summary>,
    ) -> Lowering<'l, 't, 'f> {
        // Procedures that it runs come behind it.
        let number = self.bodies.len();
        self.bodies.push(Body { blocks: Vec::new() });
        Lowering {
            checker: self,
            number,
            blocks: vec![Block {
                steps: Vec::new(),
                exit: Exit::Done,
            }],
            kinds,
            procedure,
            ignores: false,
            is_faulty: false,
        }
    }
}

impl<'t> Lowering<'_, 't, '_> {
    fn finish(self) -> BodyId {
        self.checker.bodies[self.number].blocks = self.blocks;
        self.number
    }

    fn block(&mut self) -> BlockId {
        self.blocks.push(Block {
            steps: Vec::new(),
            exit: Exit::Done,
        });
        self.blocks.len() - 1
    }

    /// A list that begins there; where it ends, if it does not end the arm.
    fn list(&mut self, steps: &'t Steps, mut open: Option<Open>) -> Option<Open> {
        let mut chain: Option<Chain> = None;
        for step in &steps.list {
            match step {
                Written::Fault => self.is_faulty = true,
                Written::Branch(branch, steps) => self.branch(branch, steps, &mut open, &mut chain),
                Written::Phrase(text) => {
                    self.close(&mut open, chain.take());
                    open = self.phrase(&text.text, text.span(), open);
                }
            }
        }
        self.close(&mut open, chain);
        open
    }

    fn branch(
        &mut self,
        branch: &'t Branch,
        steps: &'t Steps,
        open: &mut Option<Open>,
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
                branch.refuse_without_if(self.checker.faults);
            }
            return;
        };
        let mut then = chain.otherwise.take();
        if let (Some(at), true) = (then, branch.word != BranchWord::Otherwise) {
            let [yes, no] = [self.block(), self.block()];
            let span = branch.guard_span();
            if let Some((guard, not)) = self.checker.guard(branch.guard(), span) {
                self.check(guard.effects(), at, span, "this");
                let [yes, no] = if not { [no, yes] } else { [yes, no] };
                self.blocks[at.block].exit = Exit::If { guard, yes, no };
            }
            chain.otherwise = Some(Open { block: no, ..at });
            then = Some(Open { block: yes, ..at });
        }
        let end = self.list(steps, then);
        chain.ends.extend(end);
    }

    /// Joins the branches of a chain.
    fn close(&mut self, open: &mut Option<Open>, chain: Option<Chain>) {
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
            for end in &ends {
                self.blocks[end.block].exit = Exit::Go(block);
            }
            let created = ends.iter().all(|end| end.created);
            Open { block, created }
        });
    }

    fn reachable(&mut self, open: Option<Open>, span: Span) {
        if open.is_none() {
            let message = "this step never runs: the step before it ends the arm";
            self.checker
                .faults
                .add(Code::UnreachableStep, span, message)
                .help("put it in front, or remove it");
        }
    }

    /// One phrase; where the next goes.
    fn phrase(&mut self, text: &'t str, span: Span, open: Option<Open>) -> Option<Open> {
        self.reachable(open, span);
        let name = plain(text);
        if self.checker.procedures.contains_key(&name) {
            self.checker.used.insert(name.clone());
            let summary = self.checker.procedure(&name, span);
            return self.run(summary.as_ref(), text, span, open);
        }
        let Some(Says { what, span: at }) = self.checker.says(text, span) else {
            return open;
        };
        match what {
            What::Step(step) => {
                let mut open = open?;
                let effects = step.effects();
                self.check(effects, open, at, "this");
                open.created |= effects.creates;
                self.blocks[open.block].steps.push(step);
                Some(open)
            }
            What::End(exit) => {
                self.ignores |= exit == Exit::Done;
                if self.procedure.is_some() {
                    let message = "a procedure cannot end the arm that runs it";
                    self.checker
                        .faults
                        .add(Code::MisplacedPhrase, span, message)
                        .help("say it in the arm, after the name of the procedure");
                }
                let open = open?;
                self.check(exit.effects(), open, at, "this");
                self.blocks[open.block].exit = exit;
                None
            }
        }
    }

    fn run(
        &mut self,
        summary: Option<&Summary>,
        name: &str,
        span: Span,
        open: Option<Open>,
    ) -> Option<Open> {
        let (Some(summary), Some(mut open)) = (summary, open) else {
            return open;
        };
        let name = format!("`{name}`");
        self.has(summary.needs.iter().copied(), span, &name);
        let effects = Effects {
            uses_new: summary.uses_new,
            ..Effects::default()
        };
        self.check(effects, open, span, &name);
        if let Some(own) = &mut self.procedure {
            own.steps = own.steps.saturating_add(summary.steps);
        }
        open.created |= summary.creates;
        self.checker.runs.push((self.number, summary.body));
        self.blocks[open.block].steps.push(Step::Run(summary.body));
        Some(open)
    }

    /// Refuses what the token does not have, and a new element where there is none; remembers the rest.
    fn check(&mut self, effects: Effects, open: Open, span: Span, who: &str) {
        self.has(effects.needs.iter().copied(), span, who);
        if let Some(to) = effects.leads_to {
            self.checker.moves.push(Move {
                from: self.number,
                to,
                reprocesses: effects.reprocesses,
                span,
            });
        }
        if !effects.uses_new || open.created {
            return;
        }
        match &mut self.procedure {
            Some(summary) => summary.uses_new = true,
            None => {
                let message = "no element has been created before this";
                self.checker
                    .faults
                    .add(Code::MisplacedPhrase, span, message)
                    .help("say `create an element for the token` first");
            }
        }
    }

    fn has(&mut self, needs: impl Iterator<Item = Need> + Clone, span: Span, who: &str) {
        if let Some(summary) = &mut self.procedure {
            summary.needs.extend(needs);
            summary.steps += 1;
            return;
        }
        let each = self
            .kinds
            .iter()
            .flat_map(|&kind| needs.clone().map(move |it| (kind, it)));
        for (kind, need) in each {
            let it = &self.checker.kinds[kind];
            let name = &it.name;
            let (code, message) = match need {
                Need::Character if kind == CHARACTER => continue,
                Need::Part(part) if it.field(part).is_some() => continue,
                Need::Character => (
                    Code::MisplacedPhrase,
                    format!("the {name} token is no character"),
                ),
                Need::Part(part) => {
                    let part = part.as_str();
                    (
                        Code::UnknownField,
                        format!("the {name} token has no {part}, which {who} needs"),
                    )
                }
            };
            self.checker
                .faults
                .add(code, span, message)
                .help("give the token an arm of its own");
        }
    }
}
