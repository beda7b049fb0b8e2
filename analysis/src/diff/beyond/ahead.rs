//! Characters of names that are looked ahead for, in strings or by questions: the names that are tried may have others.

use std::collections::BTreeSet;

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Guard};

use crate::diff::flow::{Flow, Way};
use crate::paths::ArmInput;

/// Whether a character that is looked ahead for may be added to a name.
pub(super) fn looks_into_names(flow: &Flow<'_>, names: &dyn Fn(&Action) -> bool) -> bool {
    let mut found = false;
    flow.beside_strings(&mut |_, way, _| found |= way.path.actions().any(names));
    let mut ways = (0..flow.len()).flat_map(|node| flow.ways(node));
    found || ways.any(|(way, to)| looks_at(way).any(|at| reads_name(flow, to, at, names)))
}

/// The characters that are looked ahead for: how many at most, and those that may stand before the last one.
type LookedAt<'m> = (usize, Option<&'m CharSet>);

/// What each question of a way looks at.
fn looks_at<'m>(way: &Way<'m>) -> impl Iterator<Item = LookedAt<'m>> {
    // A character that is put back is read before.
    let count = 1 + usize::from(way.on.set().is_some() && way.puts_back());
    way.path.questions().filter_map(move |guard| match guard {
        Guard::NextIn { .. } => Some((count, None)),
        Guard::NextAre { run, .. } => Some((usize::MAX, Some(run))),
        _ => None,
    })
}

/// Whether a node or one behind it adds one of the next characters to a name.
fn reads_name(
    flow: &Flow<'_>,
    node: Option<usize>,
    (count, run): LookedAt<'_>,
    names: &dyn Fn(&Action) -> bool,
) -> bool {
    let mut open: Vec<(usize, usize)> = node.map(|node| (node, count)).into_iter().collect();
    let mut seen = BTreeSet::new();
    while let Some((node, count)) = open.pop() {
        if !seen.insert((node, count)) {
            continue;
        }
        for (way, to) in flow.ways(node) {
            let consumes = match way.on {
                ArmInput::Eof => continue,
                ArmInput::Entering | ArmInput::Unmatched => false,
                ArmInput::Set(..) => !way.puts_back(),
                ArmInput::Literal(_) | ArmInput::Matched => true,
            };
            if way.path.actions().any(names) {
                return true;
            }
            let is_in = |run: &CharSet| {
                way.on
                    .set()
                    .is_none_or(|set| !set.intersection(run).is_empty())
            };
            let left = match count {
                _ if !consumes => count,
                usize::MAX if !run.is_none_or(is_in) => continue,
                usize::MAX => count,
                _ => count - 1,
            };
            open.extend(to.filter(|_| left > 0).map(|to| (to, left)));
        }
    }
    false
}
