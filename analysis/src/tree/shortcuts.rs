//! The shortcuts of builders, checked: the rules run beside the effects that a shortcut has, in many situations.

use std::sync::Arc;

use speclex_codegen::tree::machine::{Guard, Holds, ModeId, Space, TreeMachine};
use speclex_codegen::tree::shortcuts::{Ends, Start, characters, element, ends, start};

use super::arena::{Node, NodeId, Place, Tag};
use super::builder::Builder;
use super::outside::Environment;
use super::received::Received;
use super::slot::{Frame, Slot};

/// Elements above the current node.
const AROUND: [&[&str]; 4] = [
    &[],
    &["html", "body"],
    &["html", "body", "table", "tbody", "tr", "td", "p"],
    &["html", "body", "template", "form", "a", "b"],
];

/// Where the current node is in the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Listed {
    No,
    Last,
    /// Another one, which is open, comes after it.
    First,
    /// A marker comes after it.
    BeforeMarker,
    /// One that is not open comes after it.
    BeforeClosed,
}

const LISTED: [Listed; 5] = [
    Listed::No,
    Listed::Last,
    Listed::First,
    Listed::BeforeMarker,
    Listed::BeforeClosed,
];

/// What is known before a token.
#[derive(Clone, Copy)]
struct Situation<'a> {
    machine: &'a TreeMachine,
    mode: Option<ModeId>,
    around: &'a [&'a str],
    current: &'a str,
    listed: Listed,
    /// Whether variables have their last words.
    is_late: bool,
}

impl<'a> Situation<'a> {
    fn builder(self) -> Builder<'a> {
        let mut builder = Builder::new(self.machine, &Environment::default());
        builder.mode = self.mode.unwrap_or(builder.mode);
        let mut parent = super::arena::DOCUMENT;
        for name in self.around.iter().chain([&self.current]) {
            let id = builder.tree.create_element(Space::Html, name);
            append(&mut builder, id, parent);
            builder.stack.push(&builder.tree, id);
            parent = id;
        }
        let above = builder.stack.entries().iter().rev().nth(1).copied();
        let closed = builder.tree.create_element(Space::Html, "i");
        if self.listed != Listed::No {
            builder.list.push(parent);
        }
        match self.listed {
            Listed::No | Listed::Last => {}
            Listed::First => builder.list.push(above.unwrap_or(closed)),
            Listed::BeforeMarker => {
                let marker = builder.tree.create(Node::Marker, None);
                builder.list.push(marker);
            }
            Listed::BeforeClosed => builder.list.push(closed),
        }
        if self.is_late {
            for (state, slot) in self.machine.states.iter().zip(&mut builder.states) {
                if let (Holds::Words(words), false) = (&state.holds, state.is_asked) {
                    *slot = Slot::Word(words.len() - 1);
                }
            }
        }
        builder
    }

    /// The same with each answer to what is not said.
    fn all(machine: &'a TreeMachine, names: &'a [String]) -> impl Iterator<Item = Self> {
        let of = move |current: &'a String| {
            AROUND.into_iter().flat_map(move |around| {
                LISTED.into_iter().flat_map(move |listed| {
                    [false, true].into_iter().map(move |is_late| Self {
                        machine,
                        mode: None,
                        around,
                        current,
                        listed,
                        is_late,
                    })
                })
            })
        };
        names.iter().flat_map(of)
    }
}

fn append(builder: &mut Builder<'_>, id: NodeId, parent: NodeId) {
    let before = None;
    builder.tree.insert(id, Place { parent, before });
}

/// Whether two builders are alike.
fn are_alike(one: &Builder<'_>, other: &Builder<'_>) -> bool {
    let of = |it: &Builder<'_>| (it.situation(false), it.tree.dump(), it.errors.len());
    of(one) == of(other)
}

/// The shortcuts of a table's builder that do something else than the rules do, or are never taken in any of many situations: none.
/// Each is named with the situation.
pub fn refuted(machine: &TreeMachine) -> Vec<String> {
    let names = machine.element_names().into_iter().map(str::to_owned);
    let names: Vec<String> = names.chain(["x-other".to_owned()]).collect();
    let mut refuted = Vec::new();
    for mode in 0..machine.modes.len() {
        let shown = &machine.modes[mode].name;
        for situation in Situation::all(machine, &names) {
            let situation = Situation {
                mode: Some(mode),
                ..situation
            };
            if !end_tag_holds(situation, mode) {
                refuted.push(format!("{shown}: end tag {:?}", situation.current));
            }
        }
        if let Some(guard) = characters(machine, mode) {
            let taken: Vec<bool> = Situation::all(machine, &names)
                .filter_map(|it| {
                    characters_hold(
                        Situation {
                            mode: Some(mode),
                            ..it
                        },
                        &guard,
                    )
                })
                .collect();
            if taken.is_empty() || taken.contains(&false) {
                refuted.push(format!("{shown}: characters"));
            }
        }
    }
    for (mode, rules) in machine.modes.iter().enumerate() {
        for (number, name) in names.iter().enumerate() {
            let Some(start) = start(machine, mode, known(machine, name)) else {
                continue;
            };
            // Not each one with each other one; all are tried with the same guard.
            let tried = Situation::all(machine, &names).skip(number).step_by(97);
            let mode = Some(mode);
            let mut taken = tried.filter_map(|it| {
                let run = |builder: &mut Builder<'_>, token| builder.process(token);
                element_holds(Situation { mode, ..it }, name, &start, run)
            });
            if !taken.all(|holds| holds) {
                refuted.push(format!("{}: start tag {name:?}", rules.name));
            }
        }
    }
    for body in 0..machine.bodies.len() {
        if let Some((guard, space)) = element(machine, body) {
            let enters_list = false;
            let start = Start {
                guard,
                space,
                enters_list,
            };
            let run = |builder: &mut Builder<'_>, token: Received| {
                let given = Slot::Token(Arc::clone(&token.tag));
                builder.token = token;
                builder.run(body, vec![given]);
            };
            let taken: Vec<bool> = Situation::all(machine, &names)
                .filter_map(|it| element_holds(it, "x-new", &start, run))
                .collect();
            if taken.is_empty() || taken.contains(&false) {
                refuted.push(machine.bodies[body].name.clone());
            }
        }
    }
    refuted
}

fn tag(machine: &TreeMachine, kind: &str, name: &str) -> Option<Received> {
    let number = machine.kinds.iter().position(|it| it.name == kind)?;
    let mut token = Received::declared(number, &machine.kinds[number], &[], 0..1);
    token.tag = Arc::new(Tag {
        name: name.to_owned(),
        ..Tag::default()
    });
    token.has_name = true;
    Some(token)
}

/// The name if the table has it, else the empty name, which means any other.
fn known<'a>(machine: &TreeMachine, name: &'a str) -> &'a str {
    let is_known = machine.element_names().contains(name);
    if is_known { name } else { "" }
}

fn end_tag_holds(situation: Situation<'_>, mode: ModeId) -> bool {
    let Situation {
        machine, current, ..
    } = situation;
    let ends = ends(machine, mode, known(machine, current));
    let leaves = match ends {
        Ends::More => return true,
        Ends::Pops => false,
        Ends::PopsAndLeavesList if situation.listed == Listed::Last => true,
        Ends::PopsAndLeavesList => return true,
    };
    let (mut rules, mut shortcut) = (situation.builder(), situation.builder());
    let Some(token) = tag(machine, "end tag", current) else {
        return false;
    };
    rules.process(token);
    shortcut.stack.pop(&shortcut.tree);
    if leaves {
        shortcut.list.remove(shortcut.list.entries().len() - 1);
    }
    are_alike(&rules, &shortcut)
}

fn characters_hold(situation: Situation<'_>, guard: &Guard) -> Option<bool> {
    let mut shortcut = situation.builder();
    if !shortcut.holds(guard, &Frame::new()) {
        return None;
    }
    let mut rules = situation.builder();
    let text = "a \n\t\u{c}\r\u{1}\u{10FFFF}é";
    for character in text.chars() {
        rules.process(Received::character(character, 0..1));
    }
    let parent = shortcut.stack.current()?;
    let node = shortcut.tree.create(Node::Text(text.to_owned()), None);
    append(&mut shortcut, node, parent);
    Some(are_alike(&rules, &shortcut))
}

fn element_holds(
    situation: Situation<'_>,
    name: &str,
    start: &Start,
    run: impl FnOnce(&mut Builder<'_>, Received),
) -> Option<bool> {
    let token = tag(situation.machine, "start tag", name)?;
    let mut shortcut = situation.builder();
    shortcut.token = token.clone();
    let entries = shortcut
        .list
        .entries()
        .iter()
        .rev()
        .map(|it| shortcut.tree.node(*it));
    let mut named = entries.take_while(|it| !matches!(it, Node::Marker));
    let is_named = named.any(|it| matches!(it, Node::Element(it) if &*it.name == name));
    if start.enters_list && is_named || !shortcut.holds(&start.guard, &Frame::new()) {
        return None;
    }
    let mut rules = situation.builder();
    run(&mut rules, token);
    let parent = shortcut.stack.current()?;
    let id = shortcut.tree.create_element(start.space, name);
    append(&mut shortcut, id, parent);
    shortcut.stack.push(&shortcut.tree, id);
    if start.enters_list {
        shortcut.list.push(id);
    }
    shortcut.new = Some(id);
    let new = |it: &Builder<'_>| it.new == it.stack.current();
    Some(are_alike(&rules, &shortcut) && new(&rules) && new(&shortcut))
}
