//! The search: breadth first, so that the first input that reaches something is a shortest one.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use speclex_codegen::machine::Machine;

use super::items::Items;
use super::key::{Key, Keys};
use super::observer::{Arrival, Observer};
use super::questions::{LAST_START_TAG, Questions, alphabet};
use super::unreached::{Unreached, explain};
use crate::engine::CDATA_ALLOWED;
use crate::interpreter::{Fault, Interpreter};

/// More configurations than any table here needs; a table that has more is not searched to the end.
const MOST: usize = 4_000_000;

/// What a run starts with.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Start {
    /// The content.
    pub content: String,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// Whether CDATA sections are allowed.
    pub cdata_allowed: bool,
}

/// An input and what no shorter one reaches.
#[derive(Clone, Debug)]
pub struct Test {
    /// What it starts with.
    pub start: Start,
    /// The input.
    pub input: String,
    /// The items for which it is the first of the shortest.
    pub items: Vec<usize>,
}

/// The result of a search.
#[derive(Debug)]
pub struct Found {
    /// One test for each input that some item needs, in order of their length.
    pub tests: Vec<Test>,
    /// What no test reaches.
    pub unreached: Vec<Unreached>,
    /// How many configurations there are.
    pub configurations: usize,
    /// Whether all were explored: else what was not reached may yet be reachable.
    pub complete: bool,
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The length of the inputs being tried.
    pub length: usize,
    /// How many items were reached.
    pub reached: usize,
    /// How many configurations were found.
    pub configurations: usize,
}

/// An input to be continued.
struct Node {
    start: usize,
    input: String,
}

/// Finds a shortest input for each arm and each branch.
///
/// # Errors
/// When the machine is malformed.
pub fn search(items: &Items<'_>, progress: &mut dyn FnMut(Progress)) -> Result<Found, Fault> {
    let machine = items.machine();
    let questions = Questions::of(machine);
    let alphabet = alphabet(machine, &questions);
    let mut search = Search {
        starts: starts(machine, &questions),
        fresh: Interpreter::with_host(machine, Observer::new(items)),
        keys: Keys::new(items, &questions),
        known: HashSet::new(),
        reached: vec![false; items.all().len()],
        left: items.all().len(),
        tests: Vec::new(),
        by_input: BTreeMap::new(),
        arrived: BTreeSet::new(),
    };
    let mut level = search.first()?;
    let mut length = 0;
    let mut complete = true;
    while !level.is_empty() && search.left > 0 {
        progress(Progress {
            length,
            reached: items.all().len() - search.left,
            configurations: search.known.len(),
        });
        for node in &level {
            search.end(node)?;
        }
        if search.known.len() > MOST {
            complete = false;
            break;
        }
        let mut next = Vec::new();
        for node in &level {
            search.continue_with(node, &alphabet, &mut next)?;
        }
        level = next;
        length += 1;
    }
    let unreached = (0..items.all().len()).filter(|&id| !search.reached[id]);
    let unreached = explain(items, unreached, &search.reached, &search.arrived);
    Ok(Found {
        unreached,
        tests: search.tests,
        configurations: search.known.len(),
        complete,
    })
}

/// All that a run can start with, the plainest first.
fn starts(machine: &Machine, questions: &Questions) -> Vec<Start> {
    let asked = |question: &&String| question.as_str() == CDATA_ALLOWED;
    let asks = questions
        .outside
        .iter()
        .filter_map(|&id| machine.vocabulary.questions.get(id as usize));
    let answers: &[bool] = match asks.into_iter().find(asked) {
        Some(_) => &[false, true],
        None => &[false],
    };
    let last_start_tags: &[Option<&str>] = match questions.last_start_tag {
        true => &[None, Some(LAST_START_TAG)],
        false => &[None],
    };
    let mut starts = Vec::new();
    for &cdata_allowed in answers {
        for last_start_tag in last_start_tags {
            starts.extend(machine.contents().map(|(_, content)| Start {
                content: content.to_owned(),
                last_start_tag: last_start_tag.map(str::to_owned),
                cdata_allowed,
            }));
        }
    }
    starts
}

struct Search<'a, 'm> {
    starts: Vec<Start>,
    /// An interpreter that has not run.
    fresh: Interpreter<'m, Observer<'a, 'm>>,
    keys: Keys<'a, 'm>,
    known: HashSet<Key>,
    reached: Vec<bool>,
    /// How many items were not reached.
    left: usize,
    tests: Vec<Test>,
    /// The test of an input.
    by_input: BTreeMap<(usize, String), usize>,
    /// The states entered, and the characters that came there.
    arrived: BTreeSet<Arrival>,
}

impl<'a, 'm> Search<'a, 'm> {
    /// The nodes of the empty input.
    fn first(&mut self) -> Result<Vec<Node>, Fault> {
        let mut first = Vec::new();
        for start in 0..self.starts.len() {
            let node = Node {
                start,
                input: String::new(),
            };
            let interpreter = self.replay(&node)?;
            first.extend(self.take_if_new(&interpreter, node));
        }
        Ok(first)
    }

    /// Runs an input to its end.
    fn end(&mut self, node: &Node) -> Result<(), Fault> {
        let mut interpreter = self.replay(node)?;
        interpreter.end()?;
        self.take_down(&mut interpreter, node);
        Ok(())
    }

    /// Tries an input with every character after it.
    fn continue_with(
        &mut self,
        node: &Node,
        alphabet: &[char],
        next: &mut Vec<Node>,
    ) -> Result<(), Fault> {
        let before = self.replay(node)?;
        // A literal as the table spells it comes before other cases of its letters.
        let first = self.keys.next_of_literal(&before);
        let others = alphabet.iter().copied().filter(|&c| Some(c) != first);
        for c in first.into_iter().chain(others) {
            let mut interpreter = before.clone();
            interpreter.feed(c.encode_utf8(&mut [0; 4]))?;
            let mut input = node.input.clone();
            input.push(c);
            let start = node.start;
            let node = Node { start, input };
            self.take_down(&mut interpreter, &node);
            next.extend(self.take_if_new(&interpreter, node));
        }
        Ok(())
    }

    /// An interpreter that has run an input, which is not at its end.
    fn replay(&self, node: &Node) -> Result<Interpreter<'m, Observer<'a, 'm>>, Fault> {
        let start = &self.starts[node.start];
        let mut interpreter = self.fresh.clone();
        interpreter.host().cdata_allowed = start.cdata_allowed;
        interpreter.start(&start.content)?;
        if let Some(name) = &start.last_start_tag {
            interpreter.set_last_start_tag(name);
        }
        interpreter.feed(&node.input)?;
        // What is reached so far was taken down when the input was shorter.
        interpreter.host().reached.clear();
        interpreter.host().arrived.clear();
        interpreter.take_output();
        Ok(interpreter)
    }

    /// A node, if its configuration was not known.
    fn take_if_new(
        &mut self,
        interpreter: &Interpreter<'m, Observer<'a, 'm>>,
        node: Node,
    ) -> Option<Node> {
        let answer = self.starts[node.start].cdata_allowed;
        let key = self.keys.key(interpreter, answer)?;
        self.known.insert(key).then_some(node)
    }

    /// Takes down what an input is the first to reach.
    fn take_down(&mut self, interpreter: &mut Interpreter<'m, Observer<'a, 'm>>, node: &Node) {
        let observer = interpreter.host();
        self.arrived.extend(observer.arrived.drain(..));
        for id in observer.reached.drain(..) {
            if std::mem::replace(&mut self.reached[id], true) {
                continue;
            }
            self.left -= 1;
            let tests = &mut self.tests;
            let key = (node.start, node.input.clone());
            let test = *self.by_input.entry(key).or_insert_with(|| {
                tests.push(Test {
                    start: self.starts[node.start].clone(),
                    input: node.input.clone(),
                    items: Vec::new(),
                });
                tests.len() - 1
            });
            self.tests[test].items.push(id);
        }
    }
}
