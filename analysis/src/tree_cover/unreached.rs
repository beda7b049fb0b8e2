//! Why no document was found that reaches something.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{BlockId, BodyId, Exit};

use super::items::{Item, Kind};
use crate::tree::{Passed, Scripting};
use crate::tree_diff::Witness;

/// Something that no test reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached<'i> {
    /// What it is.
    pub item: &'i Item,
    /// Why, for people.
    pub why: String,
    /// Whether it goes without saying: what leads to it is not reached either.
    pub is_inner: bool,
}

/// Says why, of all items that were not reached. `elsewhere` has documents that html5lib's form cannot say.
pub fn unreached<'i>(
    tree: &TreeMachine,
    items: &'i [Item],
    reached: &BTreeSet<Passed>,
    elsewhere: &BTreeMap<Passed, Witness>,
) -> Vec<Unreached<'i>> {
    let open = items.iter().filter(|item| !reached.contains(&item.passed));
    let explained = open.map(|item| {
        let is_inner = match item.passed {
            Passed::Answer(body, block, _) => !reached.contains(&Passed::Block(body, block)),
            Passed::Block(body, block) => block > 0 && !is_led_to(tree, body, block, reached),
            Passed::Name(mode, arm, ..) => {
                let arm = tree.modes.get(mode).and_then(|rules| rules.arms.get(arm));
                arm.is_none_or(|arm| !reached.contains(&Passed::Block(arm.body, 0)))
            }
        };
        let why = match (elsewhere.get(&item.passed), item.passed) {
            (Some(witness), _) => only(witness),
            _ if is_inner => "what leads to it is not reached".to_owned(),
            (None, Passed::Answer(_, _, is_so)) => {
                let answer = if is_so { "no" } else { "yes" };
                format!("in all documents that were tried the answer is {answer}")
            }
            (None, _) if matches!(item.kind, Kind::Arm | Kind::Name) => {
                "no document was found in which such a token comes there".to_owned()
            }
            (None, _) => "no document was found that runs it".to_owned(),
        };
        Unreached {
            item,
            why,
            is_inner,
        }
    });
    explained.collect()
}

/// Whether a block or an answer that was reached leads to a block.
fn is_led_to(tree: &TreeMachine, body: BodyId, to: BlockId, reached: &BTreeSet<Passed>) -> bool {
    let blocks = tree.bodies.get(body).map_or(&[][..], |body| &body.blocks);
    blocks.iter().enumerate().any(|(block, it)| {
        let answered = |is_so| reached.contains(&Passed::Answer(body, block, is_so));
        match it.exit {
            Exit::Go(next) => next == to && reached.contains(&Passed::Block(body, block)),
            Exit::If { yes, no, .. } => yes == to && answered(true) || no == to && answered(false),
            _ => false,
        }
    })
}

/// In which setting a document reaches it.
fn only(witness: &Witness) -> String {
    let setting = match (witness.has_shadow_roots, witness.scripting) {
        (true, _) => "with declarative shadow roots".to_owned(),
        (false, Scripting::Fragment) => "in the scripting mode Fragment".to_owned(),
        (false, mode) => format!("in the scripting mode {mode:?}"),
    };
    let context = witness
        .context
        .as_ref()
        .map_or(String::new(), |it| format!(" in a fragment for {it}"));
    format!("only {setting}: {:?}{context}", witness.input)
}
