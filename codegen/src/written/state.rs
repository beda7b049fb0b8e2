//! States.

use super::arms::is_branch;
use super::keys::{BODIES, ERRATUM, STATE};
use super::reader::Reader;
use super::{Arm, Body, Erratum, Place, State, Text};
use crate::diagnostic::Code;
use crate::read::{At, Node, Yaml};

impl Reader<'_, '_> {
    /// The states of a table or of a procedure. A second one of a name is refused, and read for its own faults.
    pub(super) fn states(&mut self, node: &Node, at: At) -> Vec<State> {
        let (map, again) = self.map_with_twice(node, at, "states");
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
            self.faults
                .add(Code::BadName, name.at, "the name of a state holds no comma")
                .help("only the parts of a split state have names with a comma");
        }
        let at = name.at;
        let mut state = State {
            name,
            removed: Self::is_removed(node),
            place: None,
            section: None,
            includes: None,
            first: None,
            leaving: None,
            body: None,
            errata: Vec::new(),
        };
        if state.removed {
            return state;
        }
        if let Yaml::List(_) = node.value {
            let message = "expected a state, found a list";
            self.faults
                .add(Code::WrongType, at, message)
                .help("the list of a state that consumes nothing stands below its key `steps:`");
            state.body = Some(Body::Steps(self.steps(node, at)));
            return state;
        }
        let mut rest = Vec::new();
        let map = self.map(node, at, "a state");
        let count = map.len();
        let map = self.spelled(map, "a state", STATE.iter().map(|k| k.name), is_branch);
        let all_read = map.len() == count && matches!(node.value, Yaml::Map(_));
        for (key, value) in map {
            match key.text.as_str() {
                "section" => state.section = self.name(value, "a section number"),
                "after" => state.place = self.name(value, "a state").map(Place::After),
                "before" => state.place = self.name(value, "a state").map(Place::Before),
                "includes the character that switched here" => {
                    state.includes = Some(self.is_true(value, key.at));
                }
                "first" => state.first = Some(self.steps(value, key.at)),
                "leaving" => state.leaving = Some(self.steps(value, key.at)),
                "errata" => state.errata = self.errata(value, key.at),
                _ => rest.push((key, value)),
            }
        }
        state.body = self.body(rest);
        if state.body.is_none() && !all_read {
            state.body = Some(Body::fault());
        }
        state
    }

    fn is_true(&mut self, node: &Node, at: At) -> bool {
        if let Yaml::Bool(value) = node.value {
            return value;
        }
        let message = format!("expected true or false, found {}", node.value.type_name());
        self.faults
            .add(Code::WrongType, at, message)
            .label("expected `true`");
        false
    }

    /// One of the bodies, or branches.
    fn body(&mut self, entries: Vec<(Text, &Node)>) -> Option<Body> {
        let mut bodies: Vec<(Text, Body)> = Vec::new();
        let mut branches = Vec::new();
        for (key, value) in entries {
            let at = key.at;
            let body = match key.text.as_str() {
                "consume" => self.arms(value, at).map_or_else(Body::fault, Body::Consume),
                "look ahead" => self
                    .arms(value, at)
                    .map_or_else(Body::fault, Body::LookAhead),
                "match a named character reference" => match self.match_arms(value, at) {
                    Some(arms) => Body::Match { at, arms },
                    None => Body::fault(),
                },
                "steps" => Body::Steps(self.steps(value, at)),
                _ => {
                    let Some(branch) = self.branch(key) else {
                        continue;
                    };
                    let map = self.map(value, at, "a state's body");
                    let count = map.len();
                    let names = BODIES.iter().copied();
                    let entries = self.spelled(map, "a branch of a state", names, is_branch);
                    let all_read = entries.len() == count && matches!(value.value, Yaml::Map(_));
                    let body = self.body(entries).unwrap_or_else(|| {
                        if all_read {
                            self.missing_body(at);
                        }
                        Body::fault()
                    });
                    branches.push((branch, body));
                    continue;
                }
            };
            bodies.push((key, body));
        }
        let first = bodies.first().map(|(key, _)| key.text.clone());
        if let (Some(first), Some((second, _))) = (first, bodies.get(1)) {
            let message = format!("the state has `{first}` already");
            self.faults
                .add(Code::SeveralBodies, second.at, message)
                .help(format!("a state has one of `{}`", BODIES.join("`, `")));
        }
        match (bodies.into_iter().next(), branches.first()) {
            (Some(_), Some((branch, _))) => {
                let message = "a state has either branches or a body";
                self.faults
                    .add(Code::SeveralBodies, branch.key.at, message)
                    .help("move the body under `otherwise`");
                Some(Body::Branches(branches))
            }
            (Some((_, body)), None) => Some(body),
            (None, Some(_)) => Some(Body::Branches(branches)),
            (None, None) => None,
        }
    }

    pub(super) fn missing_body(&mut self, at: At) {
        self.faults
            .add(Code::MissingBody, at, "this branch does nothing")
            .help(format!(
                "say what it does: one of `{}`",
                BODIES.join("`, `")
            ));
    }

    fn match_arms(&mut self, node: &Node, at: At) -> Option<Vec<Arm>> {
        let arms = self.arms(node, at)?;
        for arm in &arms {
            if !matches!(arm.key.text.as_str(), "match" | "no match") {
                self.faults
                    .add(
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
        map.into_iter()
            .map(|(place, node)| {
                let mut erratum = Erratum::default();
                for (key, value) in self.known(node, place.at, "an erratum", ERRATUM) {
                    let text = self.text(value, "a remark");
                    match key.text.as_str() {
                        "says" => erratum.says = text,
                        "reads" => erratum.reads = text,
                        "does" => erratum.does = text,
                        _ => erratum.why = text,
                    }
                }
                (place, erratum)
            })
            .collect()
    }
}
