//! What a state did for one input.

use std::collections::HashSet;

use super::facts::{Act, Piece, Target, To};
use super::side::Side;

/// How much of the input a state has consumed when it is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Consumed {
    #[default]
    Nothing,
    One,
    /// All of the string that was looked for.
    All,
}

/// Actions in order, and where they lead.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) acts: Vec<Act>,
    pub(crate) to: Option<To>,
    pub(crate) consumed: Consumed,
}

impl Trace {
    /// The form in which equal behaviour is equal: writes to the same place are joined, and a new token's
    /// text is not made empty again.
    pub(crate) fn normal(self, side: &Side<'_>) -> Self {
        let mut fresh: HashSet<Target> = HashSet::new();
        let mut created: Option<String> = None;
        let mut acts: Vec<Act> = Vec::with_capacity(self.acts.len());
        for act in self.acts {
            match act {
                Act::Create(kind) => {
                    created = side.token_of(&kind);
                    fresh.clear();
                    acts.push(Act::Create(kind));
                }
                Act::StartAttribute => {
                    fresh.remove(&Target::AttributeName);
                    fresh.remove(&Target::AttributeValue);
                    created = Some("attribute".to_owned());
                    acts.push(Act::StartAttribute);
                }
                Act::Write { target, set, value } => {
                    let new = belongs(&target, created.as_deref()) && fresh.insert(target.clone());
                    let optional = side.is_optional(&target);
                    if new && value.is_empty() && !optional {
                        fresh.remove(&target);
                        continue;
                    }
                    let set = set && !new;
                    write(&mut acts, target, set, value, optional);
                }
                Act::EmitText(value) => match acts.last_mut() {
                    Some(Act::EmitText(before)) => join(before, value),
                    _ if value.is_empty() => {}
                    _ => {
                        let mut joined = Vec::new();
                        join(&mut joined, value);
                        acts.push(Act::EmitText(joined));
                    }
                },
                act => acts.push(act),
            }
        }
        Self { acts, ..self }
    }
}

/// Whether a place is part of what was created last.
fn belongs(target: &Target, created: Option<&str>) -> bool {
    match (target, created) {
        (Target::Field(token, _), Some(created)) => token == created,
        (Target::AttributeName | Target::AttributeValue, Some(created)) => created == "attribute",
        _ => false,
    }
}

fn write(acts: &mut Vec<Act>, target: Target, set: bool, value: Vec<Piece>, optional: bool) {
    if let Some(Act::Write {
        target: before,
        set: before_set,
        value: text,
    }) = acts.last_mut()
        && *before == target
    {
        if set {
            text.clear();
            *before_set = true;
        }
        join(text, value);
        return;
    }
    if !set && value.is_empty() && !optional {
        return;
    }
    let mut joined = Vec::new();
    join(&mut joined, value);
    acts.push(Act::Write {
        target,
        set,
        value: joined,
    });
}

/// Appends pieces; fixed texts that meet become one.
fn join(before: &mut Vec<Piece>, after: Vec<Piece>) {
    for piece in after {
        match (before.last_mut(), piece) {
            (Some(Piece::Lit(text)), Piece::Lit(more)) => text.push_str(&more),
            (_, piece) => before.push(piece),
        }
    }
}
