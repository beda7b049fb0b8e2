//! Attempts to write edits, until the text is the tree that is meant.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};

use crate::dom::{Dom, NodeId};

use super::error::{EditError, EditErrorKind, EditReader, Refused};
use super::noscript::{change_some, is_read_alike};
use super::plan::{Edit, Task, plan};
use super::splice::{Splice, spliced, splices};
use super::view::{Parser, View, other_scripting, parse};
use super::write::write;

/// How often the omitted tags of one more edit are written out, before those of all are.
const ROUNDS: usize = 4;

/// How many texts [`Session::possible`] parses at most.
const ATTEMPTS: usize = 300;

/// Other readers of the text.
pub(super) struct Others {
    pub(super) also: Vec<Parser>,
    /// Their trees.
    doms: Vec<OnceCell<Dom<'static>>>,
}

impl Others {
    pub(super) fn new(also: &[Parser]) -> Self {
        Self {
            also: also.to_vec(),
            doms: (0..=also.len()).map(|_| OnceCell::new()).collect(),
        }
    }
}

/// The edits of a tree, while they are tried.
pub(super) struct Session<'s> {
    dom: &'s Dom<'s>,
    /// The nodes, none if they are of another tree.
    edits: &'s [(NodeId, bool, Edit)],
    main: View<'s>,
    others: &'s Others,
    views: Vec<OnceCell<View<'s>>>,
    /// Whether a reader with other scripting reads a tree that is known from this one.
    is_alike: bool,
    /// What becomes of new text where not all characters can be written.
    rewrite: Option<&'s dyn Fn(&str) -> String>,
    attempts: Cell<usize>,
}

impl<'s> Session<'s> {
    pub(super) fn new(
        dom: &'s Dom<'s>,
        edits: &'s [(NodeId, bool, Edit)],
        others: &'s Others,
        rewrite: Option<&'s dyn Fn(&str) -> String>,
    ) -> Self {
        Self {
            dom,
            edits,
            main: View::new(dom, dom.options().clone(), None, EditReader::Same),
            others,
            views: others.doms.iter().map(|_| OnceCell::new()).collect(),
            is_alike: is_read_alike(dom),
            rewrite,
            attempts: Cell::new(0),
        }
    }

    fn task(&self, number: usize) -> Result<Task<'s>, Refused> {
        let refused = |kind| Refused { number, kind };
        let (id, is_here, edit) = &self.edits[number];
        if let Some(limit) = self.dom.limit() {
            return Err(refused(EditErrorKind::Limit(limit)));
        }
        let node = self.dom.node(*id).filter(|_| *is_here);
        let node = node.ok_or(refused(EditErrorKind::OtherTree))?;
        let at = self.main.tree.position(node);
        let at = at.ok_or(refused(EditErrorKind::NoPlace))?;
        Ok(Task { number, at, edit })
    }

    /// Another reader, by number: the one with other scripting is the first.
    fn view(&self, index: usize) -> &View<'s> {
        let text = self.dom.input();
        self.views[index].get_or_init(|| {
            let (parser, reader, options) = match index.checked_sub(1) {
                None => (None, EditReader::OtherScripting, other_scripting(self.dom)),
                Some(number) => {
                    let options = self.dom.options().clone();
                    (
                        Some(self.others.also[number]),
                        EditReader::Also(number),
                        options,
                    )
                }
            };
            let dom = self.others.doms[index].get_or_init(|| match parser {
                Some(parser) => parser(text).into_owned(),
                None => parse(text, self.dom, &options).into_owned(),
            });
            View::new(dom, options, parser, reader)
        })
    }

    /// Writes some edits, with the omitted tags written out for some of them.
    fn attempt(
        &self,
        numbers: &[usize],
        is_explicit: &dyn Fn(usize) -> bool,
    ) -> Result<Vec<Splice>, Refused> {
        self.attempts.set(self.attempts.get() + 1);
        let tasks = numbers.iter().map(|&number| self.task(number));
        let tasks: Vec<_> = tasks.collect::<Result<_, _>>()?;
        let plan = plan(&self.main.tree, &tasks)?;
        let written = write(&self.main, &plan, is_explicit)?;
        let mut parts = written.parts;
        if let Some(rewrite) = self.rewrite {
            parts.iter_mut().for_each(|it| it.text = rewrite(&it.text));
        }
        let splices = splices(&parts);
        let text = spliced(self.dom.input(), &splices);
        let dom = self.main.check(&plan, &written.splits, &text)?;
        let is_alike = self.is_alike && is_read_alike(&dom) && !change_some(&self.main.tree, &plan);
        let first = usize::from(is_alike);
        for index in first..self.views.len() {
            let (view, tree) = (self.view(index), &self.main.tree);
            view.check_too(tree, &tasks, &parts, is_explicit, &text)?;
        }
        Ok(splices)
    }

    /// Writes some edits; if the text is another tree then, with the omitted tags written out for the edits with which it differs, and
    /// then for all.
    fn settle(&self, numbers: &[usize]) -> Result<Vec<Splice>, Refused> {
        let mut refused = match self.attempt(numbers, &|_| false) {
            Err(refused) if refused.is_different() => refused,
            done => return done,
        };
        let mut explicit = BTreeSet::from([refused.number]);
        let mut is_all = numbers.len() == 1;
        for round in 1..=ROUNDS + 1 {
            let is_explicit = |number: usize| is_all || explicit.contains(&number);
            let again = match self.attempt(numbers, &is_explicit) {
                Err(again) if again.is_different() => again,
                done => return done,
            };
            let number = again.number;
            if again.is_of_others() {
                refused = again;
            }
            if is_all {
                break;
            }
            let is_new = explicit.insert(number);
            is_all = !is_new || round == ROUNDS || explicit.len() == numbers.len();
        }
        Err(refused)
    }

    /// Writes all edits, or says which is the first with which those up to it cannot be written.
    pub(super) fn all(&self) -> Result<Vec<Splice>, EditError> {
        let numbers: Vec<_> = (0..self.edits.len()).collect();
        let mut refused = match self.settle(&numbers) {
            Ok(done) => return Ok(done),
            Err(refused) => refused,
        };
        if refused.is_different() {
            let (mut good, mut bad) = (0, numbers.len());
            while bad - good > 1 {
                let middle = usize::midpoint(good, bad);
                match self.settle(&numbers[..middle]) {
                    Ok(_) => good = middle,
                    Err(found) => (bad, refused) = (middle, found),
                }
            }
            refused.number = bad - 1;
        }
        Err(self.error(refused))
    }

    /// Writes the edits that can be, and says which cannot.
    pub(super) fn possible(&self) -> (Vec<Splice>, Vec<EditError>) {
        let mut found = Found::default();
        let mut numbers = Vec::new();
        for number in 0..self.edits.len() {
            // What can be seen without a parse.
            let task = self.task(number);
            match task.and_then(|task| plan(&self.main.tree, &[task]).map(|_| ())) {
                Ok(()) => numbers.push(number),
                Err(refused) => found.refused.push(refused),
            }
        }
        self.divide(&numbers, &mut found);
        found.refused.sort_by_key(|refused| refused.number);
        let refused = found.refused.into_iter().map(|it| self.error(it));
        (found.splices, refused.collect())
    }

    /// Takes all of these edits, or both halves of them each by itself.
    fn divide(&self, numbers: &[usize], found: &mut Found) {
        if numbers.is_empty() {
            return;
        }
        let all = [&found.taken[..], numbers].concat();
        let refused = match self.attempts.get() < ATTEMPTS {
            true => self.settle(&all),
            false => Err(Refused {
                number: 0,
                kind: EditErrorKind::NotTried,
            }),
        };
        match (refused, numbers) {
            (Ok(splices), _) => (found.taken, found.splices) = (all, splices),
            (Err(refused), &[number]) => found.refused.push(Refused { number, ..refused }),
            (Err(_), _) => {
                let (one, other) = numbers.split_at(numbers.len() / 2);
                self.divide(one, found);
                self.divide(other, found);
            }
        }
    }

    pub(super) fn error(&self, Refused { number, kind }: Refused) -> EditError {
        let (node, is_here, _) = self.edits[number];
        let span = self.dom.node(node).filter(|_| is_here);
        EditError {
            edit: number,
            node,
            span: span.and_then(|node| node.span()),
            kind,
        }
    }
}

/// What [`Session::possible`] finds.
#[derive(Default)]
struct Found {
    taken: Vec<usize>,
    splices: Vec<Splice>,
    refused: Vec<Refused>,
}
