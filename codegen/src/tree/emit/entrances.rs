//! Loops with two entrances, such as "advance" and "create" of reconstructing formatting elements: a copy of the shorter one makes them a
//! loop with one.

use std::collections::BTreeSet;

use super::super::machine::{BlockId, Body, Exit};
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
    // What is before all entrances is in no loop between them.
    let before: BTreeSet<BlockId> = graph.dominators(start).collect();
    let before: BTreeSet<BlockId> = graph
        .dominators(end)
        .filter(|it| before.contains(it))
        .collect();
    let reached = reach(start, &graph.to, &before);
    let reaching = reach(end, &graph.from, &before);
    let inside: BTreeSet<BlockId> = reached.intersection(&reaching).copied().collect();
    let entrances = inside.iter().copied().filter(|&it| {
        let is_short = body.blocks[it].steps.len() <= MOST_STEPS;
        is_short && it != 0 && graph.from[it].iter().any(|from| !inside.contains(from))
    });
    let Some(entrance) = entrances.min_by_key(|&it| body.blocks[it].steps.len()) else {
        return false;
    };
    let copy = body.blocks.len();
    for block in (0..copy).filter(|it| !inside.contains(it)) {
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

/// The blocks that edges lead to from one, but through none of those before.
fn reach(from: BlockId, edges: &[Vec<BlockId>], before: &BTreeSet<BlockId>) -> BTreeSet<BlockId> {
    let (mut reached, mut todo) = (BTreeSet::from([from]), vec![from]);
    while let Some(block) = todo.pop() {
        let new = edges[block].iter().filter(|it| !before.contains(it));
        todo.extend(new.filter(|&&it| reached.insert(it)));
    }
    reached
}
