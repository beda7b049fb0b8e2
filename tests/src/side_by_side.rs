//! Two tables side by side on one input.

use speclex_analysis::diff::Setup;
use speclex_analysis::trace::{Beside, Block, Divergence};
use speclex_codegen::machine::Machine;

/// The steps of two tables on an input that comes in pieces.
///
/// # Panics
/// When a table cannot run it.
pub fn blocks_of(machines: [&Machine; 2], setup: &Setup, pieces: &[&str]) -> Vec<Block> {
    let mut beside = Beside::new(machines, setup).expect("a start");
    let mut blocks = Vec::new();
    for piece in pieces {
        beside.push(piece);
        while let Some(block) = beside.block().expect("a block") {
            blocks.push(block);
        }
    }
    beside.end();
    while let Some(block) = beside.block().expect("a block") {
        blocks.push(block);
    }
    blocks
}

/// Where their outputs differ.
pub fn divergences(blocks: &[Block]) -> Vec<Divergence> {
    let all = blocks.iter().flat_map(|block| &block.divergences);
    all.cloned().collect()
}
