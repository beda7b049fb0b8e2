//! What of a machine a text means that stands outside a table: insertion modes, arms and procedures.

use super::arm_key::{self, KeyPart};
use super::keys::ANYTHING_ELSE;
use super::machine::{ArmId, BodyId, ModeId, TreeMachine};
use crate::diagnostic::Faults;
use crate::phrase::takes;
use crate::written::Text;

/// The rules of this name, perhaps in quotes, perhaps with the word for an insertion mode.
pub fn mode(machine: &TreeMachine, typed: &str) -> Option<ModeId> {
    let name = typed.strip_suffix(&machine.called).unwrap_or(typed).trim();
    let name = name.trim_matches('"');
    let mut modes = machine.modes.iter();
    modes.position(|rules| rules.name.eq_ignore_ascii_case(name))
}

/// The arms that a key or a part of one names: `start tag "li"`. With ` in "in body"` it is the one arm that takes the token there.
pub fn arms(machine: &TreeMachine, typed: &str) -> Vec<(ModeId, ArmId)> {
    let place = typed.rsplit_once(" in ");
    let place = place.and_then(|(key, name)| Some((key, mode(machine, name)?)));
    let (key, wanted) = place.map_or((typed, None), |(key, mode)| (key, Some(mode)));
    let parts = |text: &str| {
        let (text, at) = (text.to_owned(), Default::default());
        arm_key::parts(&Text { text, at }, &mut Faults::default())
    };
    let Some(part) = parts(key).into_iter().next() else {
        return Vec::new();
    };
    let is_kind = machine.kinds.iter().any(|kind| kind.name == part.kind);
    if !is_kind && (part.kind != ANYTHING_ELSE || wanted.is_none()) {
        return Vec::new();
    }
    let named = |of: &KeyPart| {
        let has = |(name, _): &(String, _)| of.names.iter().any(|(it, _)| it == name);
        let set = |part: &KeyPart| part.set.as_ref().map(|(set, _)| set.clone());
        of.kind == part.kind
            && of.is_other == part.is_other
            && of.names.is_empty() == part.names.is_empty()
            && part.names.iter().all(has)
            && set(of) == set(&part)
    };
    let of_kind = |of: &KeyPart| of.kind == part.kind && of.names.is_empty() && of.set.is_none();
    let others = |of: &KeyPart| of.kind == ANYTHING_ELSE;
    let meant: [&dyn Fn(&KeyPart) -> bool; 3] = [&named, &of_kind, &others];
    let tries = [1, meant.len()][usize::from(wanted.is_some())];
    let modes = machine.modes.iter().enumerate();
    let modes = modes.filter(|(mode, _)| wanted.is_none_or(|wanted| wanted == *mode));
    let keys: Vec<_> = modes
        .flat_map(|(mode, rules)| {
            let arms = rules.arms.iter().enumerate();
            arms.map(move |(arm, it)| ((mode, arm), parts(&it.key)))
        })
        .collect();
    let found = meant[..tries].iter().map(|is_meant| {
        let arms = keys.iter().filter(|(_, parts)| parts.iter().any(is_meant));
        arms.map(|(arm, _)| *arm).collect::<Vec<_>>()
    });
    found
        .into_iter()
        .find(|arms| !arms.is_empty())
        .unwrap_or_default()
}

/// The procedures of this name, perhaps with something in its holes.
pub fn procedures(machine: &TreeMachine, typed: &str) -> Vec<BodyId> {
    let bodies = machine.bodies.iter().take(machine.procedures());
    let bodies = bodies.enumerate();
    let named = bodies.filter(|(_, body)| takes(&body.name, typed));
    named.map(|(number, _)| number).collect()
}
