//! The blocks of a body, before they are printed: where slots are used, the questions at the start, and blocks without steps.

use std::collections::BTreeSet;

use super::super::facts::{Fact, Facts};
use super::super::machine::{Block, BlockId, Body, Exit, Guard, Step};

/// Where a slot is read and written: the block, the number of the step (the number of steps for the exit), and whether it is written.
pub(super) fn uses(body: &Body, slot: usize) -> Vec<(BlockId, usize, bool)> {
    let mut uses = Vec::new();
    for (block, it) in body.blocks.iter().enumerate() {
        let mut note = |at: usize, fact| {
            match fact {
                Fact::Reads(read) if read == slot => uses.push((block, at, false)),
                Fact::Writes(written) if written == slot => uses.push((block, at, true)),
                _ => {}
            };
        };
        for (at, step) in it.steps.iter().enumerate() {
            step.facts(&mut |fact| note(at, fact));
            // These write what they read.
            if let Step::Increment(of, _) | Step::SetPrevious(of) = step {
                note(at, Fact::Writes(*of));
            }
        }
        it.exit.facts(&mut |fact| note(it.steps.len(), fact));
    }
    uses
}

/// Whether a slot is read. An element's attributes are its own from the start: to append them right after its creation reads nothing.
pub(super) fn is_read(body: &Body, slot: usize) -> bool {
    uses(body, slot).iter().any(|&(block, at, writes)| {
        let step = body.blocks[block].steps.get(at);
        let is_part = |step: &Step| matches!(step, Step::AppendAttributes(..));
        !writes && !step.is_some_and(is_part)
    })
}

/// Whether a slot is written where that is not read before it is written again, or the body ends.
pub(super) fn has_unread(body: &Body, slot: usize) -> bool {
    let uses = uses(body, slot);
    let is_read_next = |after: usize| {
        let (first, ..) = uses[after];
        let (mut seen, mut todo) = (BTreeSet::new(), Vec::new());
        let mut next = uses[after + 1..].iter().find(|it| it.0 == first);
        let mut block = first;
        loop {
            match next {
                Some((.., false)) => return true,
                Some((.., true)) => {}
                None => match body.blocks[block].exit {
                    Exit::Go(to) => todo.push(to),
                    Exit::If { yes, no, .. } => todo.extend([yes, no]),
                    _ => {}
                },
            }
            todo.retain(|it| seen.insert(*it));
            let Some(to) = todo.pop() else { return false };
            block = to;
            next = uses.iter().find(|it| it.0 == block);
        }
    };
    (0..uses.len()).any(|at| uses[at].2 && !is_read_next(at))
}

/// The questions at the start of a body whose answer yes ends it, and the body without them.
pub(super) fn ways_out(body: &Body) -> (Vec<Guard>, Body) {
    let (mut guards, mut at) = (Vec::new(), 0);
    while let Exit::If { guard, yes, no } = &body.blocks[at].exit
        && body.blocks[at].steps.is_empty()
        && body.blocks[*yes].steps.is_empty()
        && body.blocks[*yes].exit == Exit::Done
        && guards.len() < body.blocks.len()
    {
        guards.push(guard.clone());
        at = *no;
    }
    let mut rest = body.clone();
    rest.blocks[0] = Block {
        steps: Vec::new(),
        exit: Exit::Go(at),
    };
    (guards, rest)
}

/// A body without blocks that only lead to others, and without the same end twice.
pub(super) fn threaded(body: &Body) -> Body {
    let mut body = body.clone();
    let follow = |blocks: &[Block], mut to: BlockId| {
        // A chain of blocks is no longer than the list of them.
        for _ in 0..blocks.len() {
            match (&blocks[to].steps[..], &blocks[to].exit) {
                ([], Exit::Go(next)) => to = *next,
                _ => break,
            }
        }
        to
    };
    for at in 0..body.blocks.len() {
        let exit = match body.blocks[at].exit.clone() {
            Exit::Go(to) => {
                let to = follow(&body.blocks, to);
                let next = &body.blocks[to];
                match (&next.steps[..], &next.exit) {
                    ([], exit) if !matches!(exit, Exit::If { .. }) => exit.clone(),
                    _ => Exit::Go(to),
                }
            }
            Exit::If { guard, yes, no } => Exit::If {
                guard,
                yes: follow(&body.blocks, yes),
                no: follow(&body.blocks, no),
            },
            exit => exit,
        };
        body.blocks[at].exit = exit;
    }
    // If both branches of a question end in the same way, that end is printed once, after the question.
    for at in 0..body.blocks.len() {
        let Exit::If { yes, no, .. } = body.blocks[at].exit else {
            continue;
        };
        let is_end = !matches!(body.blocks[no].exit, Exit::Go(_) | Exit::If { .. });
        if yes != no && is_end && body.blocks[yes].exit == body.blocks[no].exit {
            match [yes, no].map(|it| body.blocks[it].steps.is_empty()) {
                [false, true] => body.blocks[yes].exit = Exit::Go(no),
                [true, false] => body.blocks[no].exit = Exit::Go(yes),
                _ => {}
            }
        }
    }
    body
}
