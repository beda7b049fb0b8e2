//! Whole attributes: where the most likely path through an attribute only appends to its name and then to its
//! value, it is gone in one pass and the attribute added when its end is found.

use super::finished_attribute::is_finished;
use super::scan::{SelfLoop, only_reports, self_loop};
use super::{Path, paths};
use crate::machine::{
    Action, Arm, AttributePart, Body, Consume, ErrorId, Guard, Machine, Next, StateId, StateKind,
    Target, TokenId, Value,
};

/// The path through an attribute, from the state that starts one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeAttribute<'m> {
    /// The token that it belongs to.
    pub token: TokenId,
    /// Characters that the state has other arms for but that do not stop the scan of a name.
    pub apart: Vec<char>,
    /// The state whose self-loop appends to the name.
    pub name: StateId,
    /// What leads from the name to the value.
    pub between: Vec<u8>,
    /// What is reported when an earlier attribute has the name; this one is dropped then.
    pub duplicate: Vec<ErrorId>,
    /// The state whose self-loop appends to the value.
    pub value: StateId,
    /// The character behind the value.
    pub close: u8,
    /// The state behind it.
    pub behind: StateId,
    /// The arm of that state that leads to the next attribute; none where that state is where one starts.
    pub again: Option<&'m Arm>,
}

/// Up to so many characters are asked for before the scan of a name is believed.
const MOST_APART: usize = 4;

/// Up to so many characters lead from a name to a value.
const MOST_BETWEEN: usize = 4;

/// The path through a whole attribute from a state, or the reason why there is none.
pub fn whole_attribute<'m>(
    machine: &'m Machine,
    hot: &[StateId],
    from: StateId,
) -> Result<WholeAttribute<'m>, &'static str> {
    let (default, others) = consume_of(machine, from)
        .and_then(|start| start.arms.split_last())
        .ok_or("it takes no single characters")?;
    let (name, token) =
        attribute_started(default).ok_or("its arm for anything else starts no attribute")?;
    if !hot.contains(&from) {
        return Err("it is not hot");
    }
    let of_name = appends(machine, name, token, AttributePart::Name)
        .ok_or("what follows does not append to the name only")?;
    let apart = few_apart(machine, default, others, &of_name)
        .ok_or("too many of its characters do not stop a name")?;
    let paths = (consume_of(machine, name).into_iter().flat_map(|c| &c.arms)).filter_map(|arm| {
        let (next, duplicate) = leaving_name(&arm.body, token)?;
        let path = to_value(machine, hot, token, next, vec![one_byte(arm)?])?;
        Some((path, duplicate))
    });
    let (path, duplicate) = paths
        .min_by_key(|(path, _)| (path.between.len(), path.rank))
        .ok_or("more is done between name and value than to ask for duplicates")?;
    let PathToValue { between, value, .. } = path;
    let mut closing = consume_of(machine, value).into_iter().flat_map(|c| &c.arms);
    let (close, behind) = closing
        .find_map(|arm| Some((one_byte(arm)?, only_goes(arm)?)))
        .ok_or("more is done at the end of a value than to go on")?;
    if !is_finished(machine, token, behind) {
        return Err("an attribute may change behind its value");
    }
    let again = if behind == from {
        None
    } else {
        let mut arms = consume_of(machine, behind)
            .into_iter()
            .flat_map(|c| &c.arms);
        let goes_back = arms.find(|arm| is_ascii(arm) && only_goes(arm) == Some(from));
        Some(goes_back.ok_or("nothing leads from behind a value to the next attribute")?)
    };
    Ok(WholeAttribute {
        token,
        apart,
        name,
        between,
        duplicate,
        value,
        close,
        behind,
        again,
    })
}

/// The characters that a state has other arms for but that do not stop the scan of a name, if they are few.
/// Where the scan of a name stops at once, another arm is meant.
fn few_apart(
    machine: &Machine,
    default: &Arm,
    others: &[Arm],
    name: &SelfLoop,
) -> Option<Vec<char>> {
    let mut apart = Vec::new();
    for arm in others {
        let stops = if only_reports(arm, default) {
            name.stops.with_errors
        } else {
            name.stops.bytes
        };
        let goes_on = |c: &char| !(c.is_ascii() && stops.contains(*c as u8));
        apart.extend(arm.set.iter().filter(goes_on).take(MOST_APART + 1));
    }
    let newline = machine.preprocessing.normalize_newlines && !name.stops.bytes.contains(b'\r');
    let few = !newline && apart.len() <= MOST_APART && apart.iter().all(char::is_ascii);
    few.then_some(apart)
}

fn is_ascii(arm: &Arm) -> bool {
    arm.set.ranges().iter().all(|(_, last)| *last < 0x80)
}

/// The state of the name that an arm's character is the first of, and the token whose attribute it starts.
fn attribute_started(arm: &Arm) -> Option<(StateId, TokenId)> {
    let Next::Go {
        target: Target::State(name),
        reconsume,
    } = arm.body.next
    else {
        return None;
    };
    let (Action::StartAttribute(token), mut rest) = arm.body.actions.split_first()? else {
        return None;
    };
    if !reconsume {
        let (last, before) = rest.split_last()?;
        let first = match last {
            Action::SetAttribute(of, part, value) | Action::AppendAttribute(of, part, value) => {
                (*of, *part, value) == (*token, AttributePart::Name, &Value::Current)
            }
            _ => false,
        };
        rest = before;
        if !first {
            return None;
        }
    }
    // Both parts of a new attribute are empty.
    let empties = |action: &Action| match action {
        Action::SetAttribute(of, _, Value::Literal(text)) => of == token && text.is_empty(),
        _ => false,
    };
    rest.iter().all(empties).then_some((name, *token))
}

/// The arms of a state that takes one character after the other.
fn consume_of(machine: &Machine, id: StateId) -> Option<&Consume> {
    match &machine.states[id.0 as usize].kind {
        StateKind::Consume(consume) if consume.literals.is_empty() => Some(consume),
        _ => None,
    }
}

/// The self-loop of a state that appends to a part of the attribute, whatever registers hold.
fn appends(
    machine: &Machine,
    id: StateId,
    token: TokenId,
    part: AttributePart,
) -> Option<SelfLoop> {
    let run = self_loop(machine, id).ok()?;
    let wanted = [Action::AppendAttribute(token, part, Value::Current)];
    (run.actions == wanted && run.by_value.is_none() && run.stops.near.is_none()).then_some(run)
}

/// The one ASCII character that an arm consumes; newlines are more than one.
fn one_byte(arm: &Arm) -> Option<u8> {
    match arm.set.ranges() {
        [(first, last)] if first == last && *first < 0x80 && !arm.peeked => Some(*first as u8),
        _ => None,
    }
    .filter(|byte| !matches!(byte, b'\n' | b'\r'))
}

/// Where an arm leads that only consumes its character.
fn only_goes(arm: &Arm) -> Option<StateId> {
    match arm.body.next {
        Next::Go {
            target: Target::State(id),
            reconsume: false,
        } => Some(id),
        _ => None,
    }
    .filter(|_| !arm.peeked && arm.body.actions.is_empty())
}

/// Where the name is left to, and the errors reported when an earlier attribute has it, if that only means that
/// this one is dropped.
fn leaving_name(body: &Body, token: TokenId) -> Option<(StateId, Vec<ErrorId>)> {
    let mut paths = paths(body);
    if paths.len() != 2 || paths.iter().any(|path| path.reconsume) {
        return None;
    }
    let asks = |path: &Path<'_>, answer| {
        path.guards()
            .eq([(&Guard::DuplicateAttribute(token), answer)])
    };
    let kept = paths.remove(paths.iter().position(|path| asks(path, false))?);
    let dropped = paths.pop().filter(|path| asks(path, true))?;
    let (Target::State(next), true) = (kept.target, kept.target == dropped.target) else {
        return None;
    };
    let mut errors = dropped.actions();
    let last = errors.next_back()?;
    let errors = errors.map(|action| match action {
        Action::Error(id) => Some(*id),
        _ => None,
    });
    let only_dropped = kept.actions().next().is_none() && *last == Action::DropAttribute(token);
    Some((next, errors.collect::<Option<_>>()?)).filter(|_| only_dropped)
}

/// A path from behind the name to a value.
struct PathToValue {
    between: Vec<u8>,
    value: StateId,
    /// Which hot state that is.
    rank: usize,
}

/// The shortest path from behind the name to a value.
fn to_value(
    machine: &Machine,
    hot: &[StateId],
    token: TokenId,
    at: StateId,
    between: Vec<u8>,
) -> Option<PathToValue> {
    let rank = hot.iter().position(|id| *id == at)?;
    if appends(machine, at, token, AttributePart::Value).is_some() {
        return Some(PathToValue {
            between,
            value: at,
            rank,
        });
    }
    if between.len() == MOST_BETWEEN {
        return None;
    }
    let paths = consume_of(machine, at)?.arms.iter().filter_map(|arm| {
        let between = between.iter().copied().chain([one_byte(arm)?]).collect();
        to_value(machine, hot, token, only_goes(arm)?, between)
    });
    paths.min_by_key(|path| (path.between.len(), path.rank))
}
