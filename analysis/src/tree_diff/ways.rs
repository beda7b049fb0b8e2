//! Short documents that come to each insertion mode and run each body.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{BodyId, ModeId};

use super::pieces::{self, Pieces};
use crate::tree::{Environment, Parsed, Parser, Passed};

/// How many documents are kept for an insertion mode.
const WAYS: usize = 2;
/// How many documents are kept for a body.
const RUNS: usize = 6;

/// What has been found: documents grow by a tag at a time, the shortest first.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    pieces: Pieces,
    /// Documents that end in an insertion mode, by its name.
    to_modes: BTreeMap<String, Vec<Pieces>>,
    /// Documents that run a body.
    to_bodies: BTreeMap<BodyId, Vec<Pieces>>,
    /// The shortest document that passes something.
    shortest: BTreeMap<Passed, String>,
    seen: BTreeSet<(ModeId, String)>,
    todo: VecDeque<Pieces>,
}

impl Ways {
    pub(crate) fn new(tree: &TreeMachine) -> Self {
        Self {
            pieces: pieces::of_table(tree),
            to_modes: BTreeMap::new(),
            to_bodies: BTreeMap::new(),
            shortest: BTreeMap::new(),
            seen: BTreeSet::new(),
            todo: VecDeque::from([Pieces::new()]),
        }
    }

    /// Documents that end in an insertion mode.
    pub(super) fn reaching_mode(
        &mut self,
        parser: &mut Parser<'_>,
        tree: &TreeMachine,
        mode: &str,
    ) -> Vec<Pieces> {
        while self.to_modes.get(mode).is_none_or(|it| it.len() < WAYS) && self.grow(parser, tree) {}
        self.to_modes.get(mode).cloned().unwrap_or_default()
    }

    /// Documents that run one of these bodies.
    pub(super) fn running(
        &mut self,
        parser: &mut Parser<'_>,
        tree: &TreeMachine,
        bodies: &BTreeSet<BodyId>,
    ) -> Vec<Pieces> {
        while self.grow(parser, tree) {}
        let found = bodies.iter().filter_map(|body| self.to_bodies.get(body));
        found.flatten().cloned().collect()
    }

    /// For all that documents pass that grow by a tag at a time: the shortest of them.
    pub(crate) fn all(
        &mut self,
        parser: &mut Parser<'_>,
        tree: &TreeMachine,
    ) -> &BTreeMap<Passed, String> {
        while self.grow(parser, tree) {}
        &self.shortest
    }

    /// Adds each tag to a document. Whether there was one.
    fn grow(&mut self, parser: &mut Parser<'_>, tree: &TreeMachine) -> bool {
        let Some(document) = self.todo.pop_front() else {
            return false;
        };
        for piece in std::iter::once("").chain(self.pieces.iter().map(String::as_str)) {
            let mut longer = document.clone();
            longer.push(piece.to_owned());
            let text = longer.concat();
            let Ok(parsed) = parser.parse(&text, &Environment::default()) else {
                continue;
            };
            for passed in &parsed.passed {
                let known = self.shortest.entry(*passed).or_insert_with(|| text.clone());
                if text.len() < known.len() {
                    known.clone_from(&text);
                }
            }
            for &body in &parsed.ran {
                let known = self.to_bodies.entry(body).or_default();
                if known.len() < RUNS {
                    known.push(longer.clone());
                }
            }
            let Some(name) = place_at_end(tree, &parsed) else {
                continue;
            };
            let (mode, current) = parsed.before_end;
            let known = self.to_modes.entry(name.to_owned()).or_default();
            if known.len() < WAYS && self.seen.insert((mode, current)) {
                known.push(longer.clone());
                self.todo.push_back(longer);
            }
        }
        true
    }
}

/// The rules that take the token after a document.
pub(super) fn place_at_end<'m>(tree: &'m TreeMachine, parsed: &Parsed) -> Option<&'m str> {
    let (mode, current) = &parsed.before_end;
    match current.starts_with("HTML") || current.is_empty() {
        true => Some(&tree.modes.get(*mode)?.name),
        false => Some("foreign content"),
    }
}
