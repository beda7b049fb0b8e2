//! What a document passes: blocks, answers and names in keys of arms.

use std::collections::BTreeSet;

use speclex_codegen::tree::machine::{ArmId, BlockId, BodyId, ModeId, TreeMachine};

/// What a document passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Passed {
    /// A block of a body runs.
    Block(BodyId, BlockId),
    /// The question at the end of a block has this answer.
    Answer(BodyId, BlockId, bool),
    /// An arm takes a token by its name: the insertion mode, the arm, the part of its key, and the name in it.
    Name(ModeId, ArmId, usize, usize),
}

impl Passed {
    /// The body, if it is in one.
    pub(crate) fn body(self) -> Option<BodyId> {
        match self {
            Self::Block(body, _) | Self::Answer(body, _, _) => Some(body),
            Self::Name(..) => None,
        }
    }
}

const RAN: u8 = 1;
const ANSWERS: [u8; 2] = [2, 4];

/// What has been passed so far. Some blocks run for every token, so that each is a bit, and not an entry of a set.
#[derive(Clone, Debug)]
pub(super) struct Journal {
    /// For each body the number of its first block among all.
    first: Vec<usize>,
    /// For each block whether it ran and which answers it had.
    blocks: Vec<u8>,
    names: BTreeSet<Passed>,
}

impl Journal {
    pub(super) fn new(machine: &TreeMachine) -> Self {
        let mut count = 0;
        let first = machine.bodies.iter().map(|body| {
            let first = count;
            count += body.blocks.len();
            first
        });
        Self {
            first: first.collect(),
            blocks: vec![0; count],
            names: BTreeSet::new(),
        }
    }

    pub(super) fn block(&mut self, body: BodyId, block: BlockId) {
        self.add(body, block, RAN);
    }

    pub(super) fn answer(&mut self, body: BodyId, block: BlockId, holds: bool) {
        self.add(body, block, ANSWERS[usize::from(holds)]);
    }

    pub(super) fn name(&mut self, name: Passed) {
        self.names.insert(name);
    }

    fn add(&mut self, body: BodyId, block: BlockId, bit: u8) {
        let first = self.first.get(body).copied().unwrap_or(usize::MAX);
        if let Some(bits) = self.blocks.get_mut(first.saturating_add(block)) {
            *bits |= bit;
        }
    }

    pub(super) fn all(self) -> BTreeSet<Passed> {
        let mut all = self.names;
        for (body, &first) in self.first.iter().enumerate() {
            let end = self.first.get(body + 1).copied();
            let blocks = first..end.unwrap_or(self.blocks.len());
            for (block, bits) in self.blocks[blocks].iter().enumerate() {
                all.extend((bits & RAN != 0).then_some(Passed::Block(body, block)));
                for holds in [false, true] {
                    let is_set = bits & ANSWERS[usize::from(holds)] != 0;
                    all.extend(is_set.then_some(Passed::Answer(body, block, holds)));
                }
            }
        }
        all
    }
}
