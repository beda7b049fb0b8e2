//! Self-loops: states whose arm for anything else appends or emits the current input character and
//! stays. They skip to the next byte that another arm cares about.

use super::{Path, decided, paths};
use crate::machine::{
    Action, Arm, Body, Consume, Guard, Machine, Next, RegisterId, RegisterType, StateId, StateKind,
    Target, Value,
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
    /// What stops the scan.
    pub stops: Stops,
    /// When what stops it depends on registers: these, and what does while they have certain values.
    pub by_value: Option<(Vec<RegisterId>, Vec<ForValues>)>,
}

/// What stops a scan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stops {
    /// Bytes that stop it when errors are not reported.
    pub bytes: ByteSet,
    /// Bytes that stop it when they are: arms that only report an error beside what the loop does.
    pub with_errors: ByteSet,
    /// A byte that stops it only near its start.
    pub near: Option<Near>,
}

/// A byte that matters only behind certain characters, of which the first stops the scan. So it matters
/// only where that one was consumed before the scan: among the first bytes of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Near {
    /// The byte.
    pub byte: u8,
    /// Among how many.
    pub reach: usize,
}

/// What stops a self-loop while registers have certain values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForValues {
    /// The values, one for each register; `None` stands for all that a register may have.
    pub values: Vec<Vec<Option<u32>>>,
    /// What stops the scan then.
    pub stops: Stops,
}

/// The self-loop of a state, or the reason why it has none.
pub fn self_loop(machine: &Machine, id: StateId) -> Result<SelfLoop, &'static str> {
    let (consume, default) = looping(machine, id)?;
    Ok(SelfLoop {
        actions: default.body.actions.clone(),
        stops: stops(machine, consume, default, &Known::new()),
        by_value: by_value(machine, consume, default),
    })
}

/// What the self-loop of a state does with each character, if it has one. Unlike [`self_loop`] this does not look
/// at all arms.
pub fn loop_actions(machine: &Machine, id: StateId) -> Option<&[Action]> {
    let (_, default) = looping(machine, id).ok()?;
    Some(&default.body.actions)
}

/// The state's arms and the one that loops.
pub(super) fn looping(machine: &Machine, id: StateId) -> Result<(&Consume, &Arm), &'static str> {
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
    let actions = &default.body.actions;
    if (1..actions.len()).any(|index| actions[..index].contains(&actions[index])) {
        return Err("its arm for anything else appends or emits the character twice");
    }
    Ok((consume, default))
}

/// The byte that is looked for before a scan: in a hot state for text, the one that leads to another hot
/// state. Text between tags is often empty, and this is known sooner than what a scan finds.
pub fn looks_first(machine: &Machine, hot: &[StateId], id: StateId) -> Option<u8> {
    let run = self_loop(machine, id).ok().filter(|_| hot.contains(&id))?;
    if run.actions != [Action::EmitText(Value::Current)] {
        return None;
    }
    let StateKind::Consume(consume) = &machine.states[id.0 as usize].kind else {
        return None;
    };
    // Literals come before arms.
    if !consume.literals.is_empty() {
        return None;
    }
    let goes_on = |path: Path<'_>| match path.target {
        Target::State(to) => to != id && hot.contains(&to) && !path.reconsume && !path.reports(),
        _ => false,
    };
    let mut bytes = consume
        .arms
        .iter()
        .filter_map(|arm| match arm.set.ranges() {
            [(first, last)] if first == last && *first < 0x80 => paths(&arm.body)
                .into_iter()
                .any(goes_on)
                .then_some(*first as u8),
            _ => None,
        });
    bytes.next().filter(|_| bytes.next().is_none())
}

/// Whether an arm of a hot state, other than that for anything else, ignores its characters, which are ASCII, and stays: a run of
/// them, indentation in a tag, is skipped.
pub fn skips(hot: &[StateId], id: StateId, consume: &Consume, arm: &Arm) -> bool {
    let is_last = (consume.arms.last()).is_some_and(|last| std::ptr::eq(last, arm));
    let is_ascii = arm.set.ranges().last().is_none_or(|last| last.1 < 0x80);
    hot.contains(&id)
        && !is_last
        && is_ascii
        && consume.literals.is_empty()
        && !arm.peeked
        && arm.body.actions.is_empty()
        && loops(&arm.body, id)
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

/// The arms of a self-loop that do what it does and report errors besides: they stop the scan only where errors are reported.
pub fn error_only(machine: &Machine, id: StateId) -> Vec<&Arm> {
    let Ok((consume, default)) = looping(machine, id) else {
        return Vec::new();
    };
    let others = consume.arms.split_last().map_or(&[][..], |(_, rest)| rest);
    let only_report = others.iter().filter(|arm| only_reports(arm, default));
    only_report.collect()
}

/// Whether the arm does what the loop does and reports errors besides.
pub(crate) fn only_reports(arm: &Arm, default: &Arm) -> bool {
    let rest = arm
        .body
        .actions
        .iter()
        .filter(|a| !matches!(a, Action::Error(_)));
    arm.peeked == default.peeked
        && arm.body.next == default.body.next
        && rest.eq(&default.body.actions)
}

/// Up to so many registers are told apart, if they have no more combinations of values.
const MOST_REGISTERS: usize = 2;
const MOST_VALUES: usize = 64;

/// What stops the loop for each value of the first registers for which that differs.
fn by_value(
    machine: &Machine,
    consume: &Consume,
    default: &Arm,
) -> Option<(Vec<RegisterId>, Vec<ForValues>)> {
    let stops = |known: &Known| stops(machine, consume, default, known);
    let values = |id: RegisterId| match &machine.registers[id.0 as usize].ty {
        RegisterType::Finite(values) => values.len() as u32,
        _ => 0,
    };
    let ids = (0..machine.registers.len()).map(|index| RegisterId(index as u32));
    let mut registers: Vec<RegisterId> = Vec::new();
    // All values of the registers found so far, with what stops the loop then.
    let mut found: Vec<(Known, Stops)> = vec![(Known::new(), stops(&Known::new()))];
    for id in ids.filter(|id| values(*id) > 0) {
        if registers.len() == MOST_REGISTERS || found.len() * values(id) as usize > MOST_VALUES {
            continue;
        }
        let with = |known: &Known, value| known.iter().copied().chain([(id, value)]).collect();
        let refined: Vec<(Known, Stops)> = (found.iter())
            .flat_map(|(known, _)| (0..values(id)).map(move |value| with(known, value)))
            .map(|known| {
                let stops = stops(&known);
                (known, stops)
            })
            .collect();
        let each = refined.chunks(values(id) as usize);
        if each.clone().any(|of| of.iter().any(|f| f.1 != of[0].1)) {
            registers.push(id);
            found = refined;
        }
    }
    let last = registers.last().map(|id| values(*id) as usize)?;
    Some((registers, grouped(&found, last)))
}

/// The values for which the same stops the loop, together; `last` is how many the last register has.
fn grouped(found: &[(Known, Stops)], last: usize) -> Vec<ForValues> {
    let mut groups: Vec<ForValues> = Vec::new();
    let mut add = |values: Vec<Option<u32>>, stops: Stops| match groups
        .iter_mut()
        .find(|group| group.stops == stops)
    {
        Some(group) => group.values.push(values),
        None => groups.push(ForValues {
            values: vec![values],
            stops,
        }),
    };
    for of in found.chunks(last) {
        let alike = of.len() > 1 && of[0].0.len() > 1 && of.iter().all(|f| f.1 == of[0].1);
        for (known, stops) in &of[..if alike { 1 } else { of.len() }] {
            let mut values: Vec<_> = known.iter().map(|(_, value)| Some(*value)).collect();
            if alike {
                values.pop();
                values.push(None);
            }
            add(values, *stops);
        }
    }
    groups
}

/// Values that registers have.
type Known = Vec<(RegisterId, u32)>;

/// Whether a body may do anything but what the loop does while registers have these values, `behind`
/// says whether it may behind certain characters.
fn does_more(body: &Body, default: &Body, known: &Known, behind: bool) -> bool {
    match &body.next {
        Next::If {
            guard,
            then,
            otherwise,
        } if body.actions.is_empty() => match answer(guard, known, behind) {
            Some(true) => does_more(then, default, known, behind),
            Some(false) => does_more(otherwise, default, known, behind),
            None => {
                does_more(then, default, known, behind)
                    || does_more(otherwise, default, known, behind)
            }
        },
        _ => body != default,
    }
}

/// The answer to a guard while registers have these values, if that decides it.
fn answer(guard: &Guard, known: &Known, behind: bool) -> Option<bool> {
    decided(guard, &|guard| match guard {
        Guard::FiniteIs(register, values) => {
            let (_, value) = known.iter().find(|(id, _)| id == register)?;
            Some(values.contains(value))
        }
        Guard::LastConsumed(_) if !behind => Some(false),
        _ => None,
    })
}

/// What stops the loop while registers have these values.
fn stops(machine: &Machine, consume: &Consume, default: &Arm, known: &Known) -> Stops {
    let more = |arm: &Arm, behind| does_more(&arm.body, &default.body, known, behind);
    let bytes = |errors: bool, behind: bool| {
        let others = consume
            .arms
            .iter()
            .filter(|arm| !std::ptr::eq(*arm, default));
        let others = others.filter(|arm| errors || !only_reports(arm, default));
        let arms = others.filter(|arm| more(arm, behind));
        stopping(machine, consume, arms)
    };
    let (least, all) = (bytes(true, false), bytes(true, true));
    let mut only_behind = all.iter().filter(|byte| !least.contains(*byte));
    let near = match (only_behind.next(), only_behind.next()) {
        (Some(byte), None) => near(consume, byte, &bytes(false, false)),
        _ => None,
    };
    Stops {
        bytes: bytes(false, near.is_none()),
        with_errors: bytes(true, near.is_none()),
        near,
    }
}

/// How near a byte matters that does so only behind certain characters, if the first of these stops the
/// loop.
fn near(consume: &Consume, byte: u8, stops: &ByteSet) -> Option<Near> {
    let arm = consume
        .arms
        .iter()
        .find(|arm| arm.set.contains(byte.into()))?;
    let mut reach = 0;
    for question in arm.body.all_questions() {
        if let Guard::LastConsumed(string) = question {
            reach = reach.max(string.len().saturating_sub(1));
            let mut bytes = string.bytes();
            bytes.next().filter(|first| stops.contains(*first))?;
        }
    }
    Some(Near { byte, reach })
}

/// The bytes of arms and literals, and CR where it is special.
fn stopping<'m>(
    machine: &Machine,
    consume: &Consume,
    arms: impl Iterator<Item = &'m Arm>,
) -> ByteSet {
    let mut stops = ByteSet::default();
    for arm in arms {
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
