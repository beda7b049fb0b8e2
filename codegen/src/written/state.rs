//! States.

use super::arms::is_branch;
use super::indentation::is_plain_arm;
use super::keys::{KeyOf, Shape, keys, names};
use super::reader::Reader;
use super::{Arm, Body, Branch, Erratum, Place, State, Steps, Text};
use crate::diagnostic::Code;
use crate::read::{At, Node, Yaml};
use crate::suggest::closest;

/// What a state says, by its keys.
#[derive(Default)]
pub(crate) struct Parts {
    place: Option<Place>,
    section: Option<Text>,
    includes: Option<bool>,
    first: Option<Steps>,
    leaving: Option<Steps>,
    bodies: Vec<(Text, Body)>,
    body: Option<Body>,
    errata: Vec<(Text, Erratum)>,
}

const STRING: Shape = Shape::Text;
const STEPS: Shape = Shape::Defined("steps");
const ARMS: Shape = Shape::Defined("arms");

/// Of a state.
pub(crate) const STATE: &[KeyOf<Parts>] = keys! {
    /// Its number, when it does not follow from the order.
    "section": Shape::Defined("section"), "section: 13.2.5.1"
        => |r, s, node, _| s.section = r.name(node, "a section number");
    /// In an extending table: the state that it follows.
    "after": STRING, "after: tag open"
        => |r, s, node, _| s.place = r.name(node, "a state").map(Place::After);
    /// In an extending table: the state that follows it.
    "before": STRING, "before: tag name"
        => |r, s, node, _| s.place = r.name(node, "a state").map(Place::Before);
    /// A switch from an arm that consumed a character reconsumes it here.
    "includes the character that switched here": Shape::Boolean, "includes the character that switched here: true"
        => |r, s, node, key| s.includes = Some(r.is_true(node, key.at));
    /// Steps on entering the state, before it consumes; not repeated when the state stays.
    "first": STEPS, "first: set the temporary buffer to the empty string"
        => |r, s, node, key| s.first = Some(r.steps(node, key.at));
    /// Consume the next input character: arms.
    "consume": ARMS, "consume: {EOF: emit EOF, anything else: ignore}"
        => |r, s, node, key| {
            let arms = r.arms(node, key.at);
            s.bodies.push((key.clone(), arms.map_or_else(Body::fault, Body::Consume)));
        };
    /// Arms that look at the next input character and consume nothing unless they say so.
    "look ahead": ARMS, "look ahead: {U+003D (=): consume it, anything else: switch to data}"
        => |r, s, node, key| {
            let arms = r.arms(node, key.at);
            s.bodies.push((key.clone(), arms.map_or_else(Body::fault, Body::LookAhead)));
        };
    /// Two arms, `match` and `no match`.
    "match a named character reference": Shape::Defined("match"),
        "match a named character reference: {match: switch to data, no match: switch to data}"
        => |r, s, node, key| {
            let at = key.at;
            let arms = r.match_arms(node, at).map(|arms| Body::Match { at, arms });
            s.bodies.push((key.clone(), arms.unwrap_or_else(Body::fault)));
        };
    /// The steps of a state that consumes nothing.
    "steps": STEPS, "steps: [emit the tag token, switch to data]"
        => |r, s, node, key| s.bodies.push((key.clone(), Body::Steps(r.steps(node, key.at))));
    /// Steps that run before the actions of each arm that goes elsewhere.
    "leaving": STEPS, "leaving: emit the tag token"
        => |r, s, node, key| s.leaving = Some(r.steps(node, key.at));
    /// Ambiguities and slips of the text, by arm.
    "errata": Shape::Named(&Shape::Defined("erratum")), "errata: {EOF: {says: may, does: it does}}"
        => |r, s, node, key| s.errata = r.errata(node, key.at);
};

/// Of a state: what it does.
pub(crate) const BODIES: &[&str] = &[
    "consume",
    "look ahead",
    "match a named character reference",
    "steps",
];

/// Of an erratum.
pub(crate) const ERRATUM: &[KeyOf<Erratum>] = keys! {
    /// The words of the text.
    "says": STRING, "says: the next input character may be any" => |r, e, node, _| e.says = r.text(node, "a remark");
    /// The words that the audit reads in their place, in the style of the text.
    "reads": STRING, "reads: the next input character" => |r, e, node, _| e.reads = r.text(node, "a remark");
    /// What the table does.
    "does": STRING, "does: what the words before it say" => |r, e, node, _| e.does = r.text(node, "a remark");
    /// The reason.
    "why": STRING, "why: a slip of the pen" => |r, e, node, _| e.why = r.text(node, "a remark");
};

impl Reader<'_, '_> {
    /// The states of a table or of a procedure. A second one of a name is refused, and read for its own faults.
    pub(super) fn states(&mut self, node: &Node, at: At) -> Vec<State> {
        let (map, again) = self.map_with_twice(node, at, "states");
        let map = self.indented(
            map,
            |_, _| false,
            |name, value| match &value.value {
                Yaml::Map(_) => names(STATE).any(|key| key == name),
                _ => !Self::is_removed(value),
            },
        );
        if map.is_empty() && !matches!(node.value, Yaml::Map(_)) {
            self.faults.not_declared(Code::UnknownState);
        }
        let again = again
            .into_iter()
            .filter(|(_, node)| node.value != Yaml::Null);
        let states = map.into_iter().chain(again);
        states.map(|(name, node)| self.state(name, node)).collect()
    }

    fn state(&mut self, name: Text, node: &Node) -> State {
        self.is_name(&name);
        if name.text.contains(',') {
            self.fault(Code::BadName, name.at, "the name of a state holds no comma")
                .help("only the parts of a split state have names with a comma");
        }
        let at = name.at;
        let removed = Self::is_removed(node);
        let parts = match &node.value {
            _ if removed => Parts::default(),
            Yaml::List(_) => {
                let message = "expected a state, found a list";
                self.fault(Code::WrongType, at, message).help(
                    "the list of a state that consumes nothing stands below its key `steps:`",
                );
                let body = Body::Steps(self.steps(node, at));
                Parts {
                    body: Some(body),
                    ..Parts::default()
                }
            }
            _ => {
                let map = self.map(node, at, "a state");
                self.parts(node, map, "a state", names(STATE))
            }
        };
        State {
            name,
            removed,
            place: parts.place,
            section: parts.section,
            includes: parts.includes,
            first: parts.first,
            leaving: parts.leaving,
            body: parts.body,
            errata: parts.errata,
        }
    }

    /// What is said of a state, or of a branch of one. `None` for its body if nothing says what it does.
    fn parts(
        &mut self,
        node: &Node,
        map: Vec<(Text, &Node)>,
        what: &str,
        names: impl Iterator<Item = &'static str> + Clone,
    ) -> Parts {
        let mut parts = Parts::default();
        if let Some((name, _)) = map
            .iter()
            .find(|(_, value)| is_state(value))
            .filter(|(name, _)| !is_branch(&name.text))
        {
            self.too_deep(&name.text, name.at, "state");
            return parts;
        }
        let is_body = |key: &str| {
            let bodies = || BODIES.iter().copied();
            is_branch(key) || bodies().any(|body| body == key) || closest(key, bodies()).is_some()
        };
        if let Some((arm, _)) = map.iter().find(|(key, _)| is_plain_arm(&key.text))
            && !map.iter().any(|(key, _)| is_body(&key.text))
        {
            self.lacks_key("consume", arm.at, "arms of the state");
            return parts;
        }
        let count = map.len();
        let entries = self.spelled(map, what, names, is_branch);
        let all_read = entries.len() == count && matches!(node.value, Yaml::Map(_));
        let mut branches = Vec::new();
        for (key, value) in self.fill(entries, STATE, &mut parts) {
            let at = key.at;
            let Some(branch) = self.branch(key) else {
                continue;
            };
            let map = self.map(value, at, "a state's body");
            let names = BODIES.iter().copied();
            let body = self.parts(value, map, "a branch of a state", names).body;
            let body = body.unwrap_or_else(|| {
                self.missing_body(at);
                Body::fault()
            });
            branches.push((branch, body));
        }
        parts.body = self.body(std::mem::take(&mut parts.bodies), branches);
        if parts.body.is_none() && !all_read {
            parts.body = Some(Body::fault());
        }
        parts
    }

    fn is_true(&mut self, node: &Node, at: At) -> bool {
        if let Yaml::Bool(value) = node.value {
            return value;
        }
        let message = format!("expected true or false, found {}", node.value.type_name());
        self.fault(Code::WrongType, at, message)
            .label("expected `true`");
        false
    }

    /// One of the bodies, or branches.
    fn body(&mut self, bodies: Vec<(Text, Body)>, branches: Vec<(Branch, Body)>) -> Option<Body> {
        let first = bodies.first().map(|(key, _)| key.text.clone());
        if let (Some(first), Some((second, _))) = (first, bodies.get(1)) {
            let message = format!("the state has `{first}` already");
            self.fault(Code::SeveralBodies, second.at, message)
                .help(format!("a state has one of `{}`", BODIES.join("`, `")));
        }
        match (bodies.into_iter().next(), branches.first()) {
            (Some(_), Some((branch, _))) => {
                let message = "a state has either branches or a body";
                self.fault(Code::SeveralBodies, branch.key.at, message)
                    .help("move the body under `otherwise`");
                Some(Body::Branches(branches))
            }
            (Some((_, body)), None) => Some(body),
            (None, Some(_)) => Some(Body::Branches(branches)),
            (None, None) => None,
        }
    }

    pub(super) fn missing_body(&mut self, at: At) {
        self.fault(Code::MissingBody, at, "this branch does nothing")
            .help(format!(
                "say what it does: one of `{}`",
                BODIES.join("`, `")
            ));
    }

    fn match_arms(&mut self, node: &Node, at: At) -> Option<Vec<Arm>> {
        let arms = self.arms(node, at)?;
        for arm in &arms {
            if !matches!(arm.key.text.as_str(), "match" | "no match") {
                self.fault(
                    Code::UnknownKey,
                    arm.key.at,
                    format!("`{}` is neither `match` nor `no match`", arm.key.text),
                )
                .help("it can be `match` or `no match`");
            }
        }
        Some(arms)
    }

    /// Remarks, by the key of an arm or another key.
    pub(crate) fn errata(&mut self, node: &Node, at: At) -> Vec<(Text, Erratum)> {
        let map = self.map(node, at, "errata");
        let erratum = |(place, node): (Text, &Node)| {
            let erratum = self.object(node, place.at, "an erratum", ERRATUM);
            (place, erratum)
        };
        map.into_iter().map(erratum).collect()
    }
}

/// Whether it is a state, as its keys tell.
fn is_state(node: &Node) -> bool {
    let is_body = |(key, _): &(Node, Node)| key.text().is_some_and(|key| BODIES.contains(&key));
    matches!(&node.value, Yaml::Map(entries) if entries.iter().any(is_body))
}
