//! Self-loops: states whose arm for anything else appends or emits the current input character and
//! stays. They skip to the next byte that another arm cares about.

use super::{Path, paths};
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
    /// Bytes that stop the scan when errors are not reported.
    pub stops: ByteSet,
    /// Bytes that stop it when they are: arms that only report an error beside what the loop does.
    pub stops_with_errors: ByteSet,
    /// When what stops it depends on registers: these, and what does while they have certain values.
    pub by_value: Option<(Vec<RegisterId>, Vec<ForValues>)>,
}

/// What stops a self-loop while registers have certain values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForValues {
    /// The values, one for each register; `None` stands for all that a register may have.
    pub values: Vec<Vec<Option<u32>>>,
    /// Bytes that stop the scan then, when errors are not reported.
    pub stops: ByteSet,
    /// The same when they are.
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
    let always = |_: &Arm| true;
    Ok(SelfLoop {
        actions: default.body.actions.clone(),
        stops: stops(machine, consume, default, false, &always),
        stops_with_errors: stops(machine, consume, default, true, &always),
        by_value: by_value(machine, consume, default),
    })
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
    let goes_on = |path: Path<'_>| match path.target {
        Target::State(to) => {
            let reports = path.actions.iter().any(|a| matches!(a, Action::Error(_)));
            to != id && hot.contains(&to) && !path.reconsume && !reports
        }
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

/// Up to so many registers are told apart.
const MOST_REGISTERS: usize = 2;

/// What stops the loop for each value of the first registers for which that differs.
fn by_value(
    machine: &Machine,
    consume: &Consume,
    default: &Arm,
) -> Option<(Vec<RegisterId>, Vec<ForValues>)> {
    let stops = |known: &Known| {
        let matters = |arm: &Arm| does_more(&arm.body, &default.body, known);
        [false, true].map(|errors| stops(machine, consume, default, errors, &matters))
    };
    let values = |id: RegisterId| match &machine.registers[id.0 as usize].ty {
        RegisterType::Finite(values) => values.len() as u32,
        _ => 0,
    };
    let ids = (0..machine.registers.len()).map(|index| RegisterId(index as u32));
    let mut registers: Vec<RegisterId> = Vec::new();
    // All values of the registers found so far, with what stops the loop then.
    let mut found: Vec<(Known, [ByteSet; 2])> = vec![(Known::new(), stops(&Known::new()))];
    for id in ids.filter(|id| values(*id) > 0) {
        let with = |known: &Known, value| known.iter().copied().chain([(id, value)]).collect();
        let refined: Vec<(Known, [ByteSet; 2])> = (found.iter())
            .flat_map(|(known, _)| (0..values(id)).map(move |value| with(known, value)))
            .map(|known| {
                let stops = stops(&known);
                (known, stops)
            })
            .collect();
        let each = refined.chunks(values(id) as usize);
        if registers.len() < MOST_REGISTERS
            && each.clone().any(|of| of.iter().any(|f| f.1 != of[0].1))
        {
            registers.push(id);
            found = refined;
        }
    }
    let last = registers.last().map(|id| values(*id) as usize)?;
    Some((registers, grouped(&found, last)))
}

/// The values for which the same stops the loop, together; `last` is how many the last register has.
fn grouped(found: &[(Known, [ByteSet; 2])], last: usize) -> Vec<ForValues> {
    let mut groups: Vec<ForValues> = Vec::new();
    let mut add = |values: Vec<Option<u32>>, [stops, stops_with_errors]: [ByteSet; 2]| {
        let same =
            |g: &&mut ForValues| g.stops == stops && g.stops_with_errors == stops_with_errors;
        match groups.iter_mut().find(same) {
            Some(group) => group.values.push(values),
            None => groups.push(ForValues {
                values: vec![values],
                stops,
                stops_with_errors,
            }),
        }
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

/// Whether a body may do anything but what the loop does while registers have these values.
fn does_more(body: &Body, default: &Body, known: &Known) -> bool {
    match &body.next {
        Next::If {
            guard,
            then,
            otherwise,
        } if body.actions.is_empty() => match answer(guard, known) {
            Some(true) => does_more(then, default, known),
            Some(false) => does_more(otherwise, default, known),
            None => does_more(then, default, known) || does_more(otherwise, default, known),
        },
        _ => body != default,
    }
}

/// The answer to a guard while registers have these values, if that decides it.
fn answer(guard: &Guard, known: &Known) -> Option<bool> {
    let all = |guards: &[Guard], decisive: bool| {
        let answers: Vec<_> = guards.iter().map(|guard| answer(guard, known)).collect();
        if answers.contains(&Some(decisive)) {
            Some(decisive)
        } else {
            (!answers.contains(&None)).then_some(!decisive)
        }
    };
    match guard {
        Guard::FiniteIs(register, values) => {
            let (_, value) = known.iter().find(|(id, _)| id == register)?;
            Some(values.contains(value))
        }
        Guard::Not(inner) => Some(!answer(inner, known)?),
        Guard::All(guards) => all(guards, false),
        Guard::Any(guards) => all(guards, true),
        _ => None,
    }
}

/// The bytes of the arms that matter and do not what the loop does.
fn stops(
    machine: &Machine,
    consume: &Consume,
    default: &Arm,
    errors: bool,
    matters: &dyn Fn(&Arm) -> bool,
) -> ByteSet {
    let mut stops = ByteSet::default();
    for arm in &consume.arms {
        if std::ptr::eq(arm, default) || !matters(arm) || !errors && only_reports(arm, default) {
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
