//! Loops with two entrances, such as "advance" and "create" of reconstructing formatting elements: a copy of the shorter one makes them a
//! loop with one.

use std::collections::BTreeSet;

use super::super::machine::{Block, BlockId, Body, Exit};
use super::flow::Graph;

/// How many steps a block has at most that is copied, and how often that is done in a body.
const MOST_STEPS: usize = 4;
const MOST_COPIES: usize = 8;

/// A body whose loops have one entrance each, if a few copies of short blocks are enough for that.
pub(super) fn with_one_entrance(body: Body) -> Body {
    let mut copied = body.clone();
    for _ in 0..=MOST_COPIES {
        let graph = Graph::of(&copied);
        match graph.second_entrance() {
            None => return copied,
            Some(edge) if !copy_an_entrance(&mut copied, &graph, edge) => return body,
            Some(_) => {}
        }
    }
    body
}

/// Copies the shortest entrance of the loop that an edge closes: what enters it from outside runs the copy.
fn copy_an_entrance(body: &mut Body, graph: &Graph, (end, start): (BlockId, BlockId)) -> bool {
    let of = |block: BlockId| next(&body.blocks[block]);
    let blocks = reach(0, of, &|_| false);
    // What is before all entrances is in no loop between them.
    let is_before = |block: BlockId| graph.dominates(block, start) && graph.dominates(block, end);
    let before = |to: BlockId| {
        let blocks = blocks.iter().copied();
        let before = blocks.filter(|&it| of(it).contains(&to));
        before.collect::<Vec<_>>()
    };
    let (reached, reaching) = (reach(start, of, &is_before), reach(end, before, &is_before));
    let inside: BTreeSet<BlockId> = reached.intersection(&reaching).copied().collect();
    let entrances = inside.iter().copied().filter(|&it| {
        let is_short = body.blocks[it].steps.len() <= MOST_STEPS;
        is_short && it != 0 && before(it).iter().any(|from| !inside.contains(from))
    });
    let Some(entrance) = entrances.min_by_key(|&it| body.blocks[it].steps.len()) else {
        return false;
    };
    let copy = body.blocks.len();
    for &block in blocks.difference(&inside) {
        let lead = |to: &mut BlockId| {
            if *to == entrance {
                *to = copy;
            }
        };
        match &mut body.blocks[block].exit {
            Exit::Go(to) => lead(to),
            Exit::If { yes, no, .. } => [yes, no].into_iter().for_each(lead),
            _ => {}
        }
    }
    body.blocks.push(body.blocks[entrance].clone());
    true
}

fn next(block: &Block) -> Vec<BlockId> {
    match &block.exit {
        Exit::Go(to) => vec![*to],
        Exit::If { yes, no, .. } => vec![*yes, *no],
        _ => Vec::new(),
    }
}

/// The blocks that are reached from one, but through none that is left out.
fn reach(
    from: BlockId,
    next: impl Fn(BlockId) -> Vec<BlockId>,
    is_left_out: &impl Fn(BlockId) -> bool,
) -> BTreeSet<BlockId> {
    let (mut reached, mut todo) = (BTreeSet::from([from]), vec![from]);
    while let Some(block) = todo.pop() {
        let new = next(block).into_iter().filter(|&it| !is_left_out(it));
        todo.extend(new.filter(|&it| reached.insert(it)).collect::<Vec<_>>());
    }
    reached
}
