//! Self-loops: states whose arm for anything else appends or emits the current input character and
//! stays. They skip to the next byte that another arm cares about.

use crate::machine::{
    Action, Arm, Body, Consume, Machine, Next, StateId, StateKind, Target, Value,
};

/// A set of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ByteSet([bool; 256]);

impl Default for ByteSet {
    fn default() -> Self {
        Self([false; 256])
    }
}

impl std::fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl ByteSet {
    /// Adds a byte.
    pub fn insert(&mut self, byte: u8) {
        self.0[byte as usize] = true;
    }

    /// Whether it holds a byte.
    pub fn contains(&self, byte: u8) -> bool {
        self.0[byte as usize]
    }

    /// Its members, in order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=255).filter(|&b| self.contains(b))
    }
}

/// How a self-loop goes fast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfLoop {
    /// What is done with each character; no action when they are ignored.
    pub actions: Vec<Action>,
    /// Bytes that stop the scan when errors are not reported.
    pub stops: ByteSet,
    /// Bytes that stop it when they are: arms that only report an error beside what the loop does.
    pub stops_with_errors: ByteSet,
}

/// The self-loop of a state, or the reason why it has none.
pub fn self_loop(machine: &Machine, id: StateId) -> Result<SelfLoop, &'static str> {
    let StateKind::Consume(consume) = &machine.states[id.0 as usize].kind else {
        return Err("consumes nothing");
    };
    let default = consume.arms.last().ok_or("has no arm for anything else")?;
    if default.set.is_empty() {
        return Err("nothing is left for the arm for anything else");
    }
    if default.peeked {
        return Err("its arm for anything else only looks");
    }
    if !loops(&default.body, id) {
        return Err("its arm for anything else leaves the state");
    }
    if !default.body.actions.iter().all(takes_runs) {
        return Err("its arm for anything else does more than to append or emit the character");
    }
    Ok(SelfLoop {
        actions: default.body.actions.clone(),
        stops: stops(machine, consume, default, false),
        stops_with_errors: stops(machine, consume, default, true),
    })
}

fn loops(body: &Body, id: StateId) -> bool {
    body.next
        == Next::Go {
            target: Target::State(id),
            reconsume: false,
        }
}

/// Whether doing it once for a run of characters is the same as doing it for each.
fn takes_runs(action: &Action) -> bool {
    matches!(
        action,
        Action::EmitText(Value::Current)
            | Action::Append(_, Value::Current)
            | Action::AppendAttribute(_, _, Value::Current)
            | Action::AppendRegister(_, Value::Current)
    )
}

/// Whether the arm does what the loop does and reports errors besides.
pub fn only_reports(arm: &Arm, default: &Arm) -> bool {
    let rest = arm
        .body
        .actions
        .iter()
        .filter(|a| !matches!(a, Action::Error(_)));
    arm.peeked == default.peeked
        && arm.body.next == default.body.next
        && rest.eq(&default.body.actions)
}

fn stops(machine: &Machine, consume: &Consume, default: &Arm, errors: bool) -> ByteSet {
    let mut stops = ByteSet::default();
    for arm in &consume.arms {
        if std::ptr::eq(arm, default) || !errors && only_reports(arm, default) {
            continue;
        }
        for &(first, last) in arm.set.ranges() {
            (first..=last.min(0x7F)).for_each(|b| stops.insert(b as u8));
            if last > 0x7F {
                // Which of them it is takes decoding.
                (0x80..=0xFF).for_each(|b| stops.insert(b));
            }
        }
    }
    for literal in &consume.literals {
        let first = literal.text.as_bytes()[0];
        stops.insert(first);
        if literal.ignore_case {
            stops.insert(first.to_ascii_lowercase());
            stops.insert(first.to_ascii_uppercase());
        }
    }
    if machine.preprocessing.normalize_newlines {
        stops.insert(b'\r');
    }
    stops
}
