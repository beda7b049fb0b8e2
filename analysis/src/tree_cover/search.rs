//! Finds the documents.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::tree::machine::Step;

use super::items::{Item, items};
use super::mutants::Mutant;
use crate::tree::{Context, Environment, Parser, Passed, Scripting};
use crate::tree_diff::{self, Outcome, Side, Ways, Witness, search_from};

/// How many documents are parsed for something that is not reached, or not noticed.
const PATIENCE: usize = 2_500;

/// A document or a fragment, as far as html5lib's form says what it is parsed for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Test {
    /// The text.
    pub input: String,
    /// The context element of a fragment, in html5lib's form.
    pub context: Option<String>,
    /// Whether scripting is on.
    pub scripting: bool,
}

impl Test {
    /// What it is parsed for.
    pub fn environment(&self) -> Environment {
        Environment {
            scripting: match (self.scripting, &self.context) {
                (false, _) => Scripting::Disabled,
                (true, None) => Scripting::Normal,
                (true, Some(_)) => Scripting::Inert,
            },
            context: self.context.as_deref().map(Context::parse),
            ..Environment::default()
        }
    }
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many tests there are.
    pub tests: usize,
    /// How many items and changes have been looked at.
    pub done: usize,
    /// Of how many.
    pub all: usize,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The tests, in the order in which they were found.
    pub tests: Vec<Test>,
    /// What is reached by documents that the form cannot say.
    pub elsewhere: BTreeMap<Passed, Witness>,
    /// How many single changes of what the tests reach were tried.
    pub changes: usize,
    /// How many of them a test notices.
    pub noticed: usize,
}

/// Searches tests that reach each item, the shortest first; then, if wanted, such as notice each single change.
pub fn search(side: Side<'_>, with_changes: bool, progress: &mut dyn FnMut(Progress)) -> Found {
    let mut ways = Ways::new(side.tree);
    let mut parser = Parser::new(side.tokenizer, side.tree);
    let documents = ways.all(&mut parser, side.tree).values().cloned();
    let mut documents: Vec<String> = documents.collect();
    documents.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    documents.dedup();
    let mut suite = Suite {
        side,
        parser,
        ways: [ways.clone(), ways],
        known: Vec::new(),
        reached: BTreeSet::new(),
        found: Found::default(),
    };
    let items = items(side.tree);
    let wanted: BTreeSet<Passed> = items.iter().map(|item| item.passed).collect();
    for input in documents {
        let known = suite.run(Test {
            input,
            context: None,
            scripting: false,
        });
        let mut new = known.passed.difference(&suite.reached);
        if new.any(|it| wanted.contains(it)) {
            suite.add(known);
        }
    }
    let mutants = match with_changes {
        true => Mutant::all(side.tree),
        false => Vec::new(),
    };
    let all = items.len() + mutants.len();
    let mut show = |tests: usize, done: usize| progress(Progress { tests, done, all });
    for (done, Item { passed, .. }) in items.iter().enumerate() {
        show(suite.known.len(), done);
        if !suite.reached.contains(passed) {
            suite.reach(*passed);
        }
    }
    for (done, mutant) in mutants.into_iter().enumerate() {
        show(suite.known.len(), items.len() + done);
        let passes = mutant.passes();
        if passes.is_none_or(|it| suite.reached.contains(&it)) {
            suite.found.changes += 1;
            suite.found.noticed += usize::from(suite.notice(mutant));
        }
    }
    let Suite {
        known, mut found, ..
    } = suite;
    found.tests = known.into_iter().map(|known| known.test).collect();
    found
}

/// What tests reach.
pub fn measure(side: Side<'_>, tests: &[Test]) -> BTreeSet<Passed> {
    let mut parser = Parser::new(side.tokenizer, side.tree);
    let parsed = tests
        .iter()
        .filter_map(|it| parser.parse(&it.input, &it.environment()).ok());
    parsed.flat_map(|parsed| parsed.passed).collect()
}

/// A test, and what comes of it.
struct Known {
    test: Test,
    passed: BTreeSet<Passed>,
    outcome: Outcome,
}

struct Suite<'m> {
    side: Side<'m>,
    parser: Parser<'m>,
    ways: [Ways; 2],
    known: Vec<Known>,
    reached: BTreeSet<Passed>,
    found: Found,
}

/// How a change shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shows {
    Not,
    InErrors,
    InTree,
}

impl Shows {
    fn between(one: &Outcome, other: &Outcome) -> Self {
        match (
            one.tree == other.tree,
            one.errors.len() == other.errors.len(),
        ) {
            (false, _) => Self::InTree,
            (true, false) => Self::InErrors,
            (true, true) => Self::Not,
        }
    }
}

impl Suite<'_> {
    fn run(&mut self, test: Test) -> Known {
        let parsed = self.parser.parse(&test.input, &test.environment());
        let outcome = Outcome::of(self.side.tree, &parsed, &test.input);
        Known {
            passed: parsed.map(|parsed| parsed.passed).unwrap_or_default(),
            outcome,
            test,
        }
    }

    fn add(&mut self, known: Known) {
        self.reached.extend(&known.passed);
        self.known.push(known);
    }

    /// Looks for a document that passes something.
    fn reach(&mut self, passed: Passed) {
        let probed = Mutant::Probe(passed).applied(self.side.tree);
        let probed = Side {
            tree: &probed,
            ..self.side
        };
        let Some(witness) = self.witness(probed) else {
            return;
        };
        for test in said(&witness) {
            let known = self.run(test);
            if known.passed.contains(&passed) {
                return self.add(known);
            }
        }
        self.found.elsewhere.insert(passed, witness);
    }

    /// Whether a test notices a change, perhaps a new one. Most change a tree; others are noticed by the number of errors.
    fn notice(&mut self, mutant: Mutant) -> bool {
        let tree = mutant.applied(self.side.tree);
        let changed = Side {
            tree: &tree,
            ..self.side
        };
        let mut parser: Parser<'_> = self.parser.clone();
        parser.set_tree(&tree);
        let mut shows = |known: &Known| {
            let Test { input, .. } = &known.test;
            let parsed = parser.parse(input, &known.test.environment());
            Shows::between(&known.outcome, &Outcome::of(&tree, &parsed, input))
        };
        let passes = mutant.passes();
        let is_met = |known: &&Known| passes.is_none_or(|it| known.passed.contains(&it));
        let mut best = Shows::Not;
        for known in self.known.iter().filter(is_met) {
            best = best.max(shows(known));
            if best == Shows::InTree {
                return true;
            }
        }
        if best == Shows::InErrors && mutant.is_of_errors(self.side.tree) {
            return true;
        }
        let Some(witness) = self.witness(changed) else {
            return best != Shows::Not;
        };
        let tests = said(&witness).map(|test| self.run(test));
        let tests = tests.map(|known| (shows(&known), known));
        let new = tests.into_iter().rev().max_by_key(|(shows, _)| *shows);
        match new {
            Some((shows, known)) if shows > best => {
                self.add(known);
                true
            }
            _ => best != Shows::Not,
        }
    }

    /// A short document that shows the only change.
    fn witness(&mut self, changed: Side<'_>) -> Option<Witness> {
        let sides = [self.side, changed];
        let changes = tree_diff::changes(sides[0].tree, sides[1].tree);
        let mut found = changes.iter().filter_map(|change| {
            let change = std::slice::from_ref(change);
            let mut other: Parser<'_> = self.parser.clone();
            other.set_tree(changed.tree);
            let parsers = [self.parser.clone(), other];
            let found = search_from(
                sides,
                change,
                &|_, _| None,
                (parsers, &mut self.ways),
                PATIENCE,
                &mut |_| {},
            );
            found.into_iter().flatten().next()
        });
        let first = found.next()?;
        match first.outcomes[0].tree == first.outcomes[1].tree {
            true => found
                .find(|it| it.outcomes[0].tree != it.outcomes[1].tree)
                .or(Some(first)),
            false => Some(first),
        }
    }
}

/// What the form says of a document, with its own scripting first.
fn said(witness: &Witness) -> [Test; 2] {
    let scripting = witness.scripting != Scripting::Disabled;
    [scripting, !scripting].map(|scripting| Test {
        input: witness.input.clone(),
        context: witness.context.clone(),
        scripting,
    })
}

impl Mutant {
    /// Whether it shows in errors alone.
    fn is_of_errors(self, tree: &speclex_codegen::tree::TreeMachine) -> bool {
        let Self::WithoutStep(body, block, step) = self else {
            return false;
        };
        matches!(
            tree.bodies[body].blocks[block].steps[step],
            Step::ParseError | Step::Acknowledge
        )
    }
}
