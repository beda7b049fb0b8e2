//! What is different between two tables as they are written: states, arms as disjoint classes of characters, and
//! outside the states preprocessing, references, numbers, tokens, contents and error codes.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::charset::{CharSet, display_char};
use speclex_codegen::machine::{
    Action, Body, Entry, FieldType, Kind, Machine, RegisterType, State, StateKind,
};

use super::arms::{Case, canonical, on_emitting, same, same_case, spelled_cases};
use super::errors::{ErrorComparison, names_errors};
use super::liveness::Liveness;
use super::matching::Matching;
use super::wording::case_line;
use crate::body::visit;
use crate::paths::{Arm, ArmIndex, ArmInput, arms};
use crate::spelling::characters;

/// A state that only one of the tables has.
#[derive(Clone, Debug)]
pub struct OnlyState {
    /// 0 for the first table, 1 for the second.
    pub side: usize,
    /// Its name.
    pub name: String,
    /// Its section.
    pub section: String,
    /// The state of the other table that does the same and has another partner: it seems to be split.
    pub split_from: Option<String>,
    pub(super) id: u32,
}

/// Arms of two states that differ.
#[derive(Clone, Debug)]
pub struct ArmRow {
    /// The states' names.
    pub states: [String; 2],
    /// Their sections.
    pub sections: [String; 2],
    /// On which input.
    pub on: String,
    /// What each table does; empty where it has no such arm.
    pub cases: [Vec<Case>; 2],
    /// The numbers of the states.
    pub ids: [u32; 2],
    /// Which arms of theirs it is about.
    pub arms: (Option<ArmIndex>, Option<ArmIndex>),
    /// The characters, where it is about characters.
    pub set: Option<CharSet>,
}

impl ArmRow {
    /// What the arms are called in both tables.
    pub(super) fn labels(&self) -> [String; 2] {
        let on = &self.on;
        self.states
            .each_ref()
            .map(|state| format!("{state} on {on}"))
    }
}

/// All structural differences of states.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// States of one table only.
    pub only: Vec<OnlyState>,
    /// States with another name in the second table.
    pub renamed: Vec<[String; 2]>,
    /// Arms that differ.
    pub arms: Vec<ArmRow>,
    /// States that both tables have.
    pub common: usize,
}

/// Arms that belong together: for which input, which arms, and their bodies.
struct PairedArms<'m> {
    on: String,
    set: Option<CharSet>,
    arms: (Option<ArmIndex>, Option<ArmIndex>),
    bodies: [Option<&'m Body>; 2],
}

impl<'m> PairedArms<'m> {
    /// Arms on an input that the first there is says.
    fn new(one: Option<Arm<'m>>, other: Option<Arm<'m>>) -> Self {
        Self {
            on: one
                .or(other)
                .map(|arm| arm.on.spelled())
                .unwrap_or_default(),
            set: None,
            arms: (one.map(|arm| arm.index), other.map(|arm| arm.index)),
            bodies: [one, other].map(|arm| arm.map(|arm| arm.body)),
        }
    }
}

impl Structure {
    pub(super) fn new(one: &Machine, other: &Machine, matching: &Matching) -> Self {
        let machines = [one, other];
        let compared = ErrorComparison::of(one, other);
        let own: Vec<String> = one.states.iter().map(|state| state.name.clone()).collect();
        let names = [own, matching.names(one, other)];
        let mut structure = Self::default();
        for (left, right) in (0u32..).zip(&matching.forth) {
            let Some(a) = one.states.get(left as usize) else {
                continue;
            };
            let Some((right, b)) = right.and_then(|id| Some((id, other.states.get(id as usize)?)))
            else {
                structure.only.push(only(machines, 0, left, a, matching));
                continue;
            };
            structure.common += 1;
            if a.name != b.name {
                structure.renamed.push([a.name.clone(), b.name.clone()]);
            }
            let mut rows: Vec<ArmRow> = Vec::new();
            for both in pairs(a, b) {
                let cases = [0, 1].map(|side| {
                    let body = both.bodies[side];
                    body.map(|body| {
                        canonical(machines[side], &names[side], body, both.set.as_ref())
                    })
                });
                if let [Some(ours), Some(theirs)] = &cases
                    && same(ours, theirs, compared)
                {
                    continue;
                }
                let shown = [0, 1].map(|side| {
                    let Some(body) = both.bodies[side] else {
                        return Vec::new();
                    };
                    let all = spelled_cases(machines[side], body, both.set.as_ref());
                    // Of many cases only those that the other side has not.
                    let [own, theirs] = [&cases[side], &cases[1 - side]];
                    let differs = |case: &Case| match theirs {
                        Some(theirs) => {
                            !theirs.iter().any(|other| same_case(case, other, compared))
                        }
                        None => true,
                    };
                    let pairs = all.iter().zip(own.iter().flatten());
                    let some: Vec<Case> = pairs
                        .filter(|(_, own)| differs(own))
                        .map(|(case, _)| case.clone())
                        .collect();
                    if some.is_empty() { all } else { some }
                });
                rows.push(ArmRow {
                    states: [a.name.clone(), b.name.clone()],
                    sections: [a.section.clone(), b.section.clone()],
                    on: both.on,
                    cases: shown,
                    ids: [left, right],
                    arms: both.arms,
                    set: both.set,
                });
            }
            structure.arms.extend(rows);
        }
        for (right, left) in (0u32..).zip(&matching.back) {
            if let (None, Some(state)) = (left, other.states.get(right as usize)) {
                structure
                    .only
                    .push(only(machines, 1, right, state, matching));
            }
        }
        structure
    }

    /// How many differences there are.
    pub fn len(&self) -> usize {
        self.only.len() + self.renamed.len() + self.arms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

fn only(
    machines: [&Machine; 2],
    side: usize,
    id: u32,
    state: &State,
    matching: &Matching,
) -> OnlyState {
    let split = matching
        .split
        .iter()
        .find(|(of, split, _)| (*of, *split) == (side, id));
    let from = split.and_then(|(_, _, from)| machines[1 - side].states.get(*from as usize));
    OnlyState {
        side,
        name: state.name.clone(),
        section: state.section.clone(),
        split_from: from.map(|state| state.name.clone()),
        id,
    }
}

/// The arms of two states, on disjoint inputs.
fn pairs<'m>(one: &'m State, other: &'m State) -> Vec<PairedArms<'m>> {
    match (&one.kind, &other.kind) {
        (StateKind::Steps(_), StateKind::Steps(_))
        | (StateKind::Match { .. }, StateKind::Match { .. }) => {
            let both = arms(one).into_iter().zip(arms(other));
            both.map(|(arm, with)| PairedArms::new(Some(arm), Some(with)))
                .collect()
        }
        (StateKind::Consume(a), StateKind::Consume(b)) => {
            let mut pairs = literals(one, other);
            for (left, arm) in (0u32..).zip(&a.arms) {
                for (right, with) in (0u32..).zip(&b.arms) {
                    let set = arm.set.intersection(&with.set);
                    if set.is_empty() {
                        continue;
                    }
                    let on = match [set == arm.set, set == with.set] {
                        [true, _] => arm.label.clone(),
                        [false, true] => with.label.clone(),
                        _ => characters(&set),
                    };
                    pairs.push(PairedArms {
                        on,
                        set: Some(set),
                        arms: (Some(ArmIndex::Set(left)), Some(ArmIndex::Set(right))),
                        bodies: [Some(&arm.body), Some(&with.body)],
                    });
                }
            }
            let eof = arms(one).pop().zip(arms(other).pop());
            pairs.extend(eof.map(|(arm, with)| PairedArms::new(Some(arm), Some(with))));
            pairs
        }
        // One consumes and the other does not: each arm stands alone.
        _ => {
            let ours = arms(one)
                .into_iter()
                .map(|arm| PairedArms::new(Some(arm), None));
            let theirs = arms(other)
                .into_iter()
                .map(|arm| PairedArms::new(None, Some(arm)));
            ours.chain(theirs).collect()
        }
    }
}

/// The strings of two consuming states.
fn literals<'m>(one: &'m State, other: &'m State) -> Vec<PairedArms<'m>> {
    let literals = |state| {
        let all = arms(state).into_iter();
        let some = all.filter(|arm| matches!(arm.on, ArmInput::Literal(_)));
        some.collect::<Vec<Arm<'m>>>()
    };
    let same = |one: &Arm<'_>, other: &Arm<'_>| match (one.on, other.on) {
        (ArmInput::Literal(a), ArmInput::Literal(b)) => {
            (&a.text, a.ignore_case) == (&b.text, b.ignore_case)
        }
        _ => false,
    };
    let (ours, theirs) = (literals(one), literals(other));
    let mut pairs = Vec::new();
    for arm in &ours {
        let with = theirs.iter().find(|with| same(arm, with));
        pairs.push(PairedArms::new(Some(*arm), with.copied()));
    }
    let rest = theirs
        .iter()
        .filter(|with| !ours.iter().any(|arm| same(arm, with)));
    pairs.extend(rest.map(|with| PairedArms::new(None, Some(*with))));
    pairs
}

/// Which part of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// What happens to the input before the states see it.
    Preprocessing,
    /// The named character references.
    References,
    /// The numbers that stand for other code points.
    Numbers,
    /// Tokens, their kinds and fields.
    Tokens,
    /// The contents that a tokenizer can start in, and the questions it asks.
    Contents,
    /// The error codes.
    Codes,
    /// The words that registers begin with.
    Registers,
    /// What is done whenever a token is emitted.
    Emitting,
    /// The states in which the contents start.
    Entries,
    /// What elements hold, by the names of their start tags.
    Elements,
}

impl Part {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preprocessing => "preprocessing",
            Self::References => "named character references",
            Self::Numbers => "numeric character references",
            Self::Tokens => "tokens",
            Self::Contents => "contents and questions",
            Self::Codes => "error codes",
            Self::Registers => "registers at the start",
            Self::Emitting => "on emitting",
            Self::Entries => "entry states",
            Self::Elements => "contents after start tags",
        }
    }
}

/// A difference that is not in a state.
#[derive(Clone, Debug)]
pub struct TableRow {
    /// Where.
    pub part: Part,
    /// What it is about.
    pub what: String,
    /// What each table says; empty for nothing.
    pub sides: [String; 2],
    /// Inputs that should show it.
    pub(super) inputs: Vec<String>,
    /// What can be taken from the other table by itself: a rule, a name, a number, a kind of token, a content.
    pub(super) about: String,
}

impl TableRow {
    fn new(part: Part, what: String, sides: [String; 2]) -> Self {
        Self {
            part,
            what,
            sides,
            inputs: Vec::new(),
            about: String::new(),
        }
    }

    fn about(self, about: &str, inputs: Vec<String>) -> Self {
        let about = about.to_owned();
        Self {
            about,
            inputs,
            ..self
        }
    }

    /// Whether the tokenizer does anything else with it: codes, tokens and questions are only declared.
    pub(super) fn is_switch(&self) -> bool {
        match self.part {
            Part::Codes | Part::Tokens | Part::Registers => false,
            Part::Contents => !self.about.is_empty(),
            Part::Preprocessing
            | Part::References
            | Part::Numbers
            | Part::Emitting
            | Part::Entries
            | Part::Elements => true,
        }
    }
}

/// All of them.
pub(super) fn rows(one: &Machine, other: &Machine, matching: &Matching) -> Vec<TableRow> {
    let mut rows = Vec::new();
    let own = one.states.iter().map(|state| state.name.clone()).collect();
    let names = [own, matching.names(one, other)];
    preprocessing(one, other, &mut rows);
    references(one, other, &mut rows);
    numbers(one, other, &mut rows);
    tokens(one, other, &mut rows);
    lists(one, other, &mut rows);
    registers([one, other], &mut rows);
    emitting([one, other], &names, &mut rows);
    entries([one, other], &names, &mut rows);
    elements([one, other], &mut rows);
    rows
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

fn preprocessing(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let (a, b) = (&one.preprocessing, &other.preprocessing);
    let mut row = |what: &str, about: &str, sides: [String; 2], inputs: Vec<String>| {
        if sides[0] != sides[1] {
            let row = TableRow::new(Part::Preprocessing, what.to_owned(), sides);
            rows.push(row.about(about, inputs));
        }
    };
    row(
        "a leading byte order mark is dropped",
        "mark",
        [a, b].map(|p| yes_or_no(p.drop_bom)),
        vec!["\u{FEFF}".to_owned()],
    );
    row(
        "CR LF and CR become LF",
        "newlines",
        [a, b].map(|p| yes_or_no(p.normalize_newlines)),
        vec!["\r".to_owned(), "\r\n".to_owned()],
    );
    for (c, with) in differing([a, b].map(|p| p.replace.iter().copied().collect())) {
        let with = with.map(|to| to.map_or("itself".to_owned(), display_char));
        let what = format!("{} is seen as", display_char(c));
        row(&what, &c.to_string(), with, vec![c.to_string()]);
    }
    let compared = ErrorComparison::of(one, other);
    // The characters of each code; of all codes together where codes are not compared.
    let sets = |machine: &Machine| {
        let mut sets: BTreeMap<String, CharSet> = BTreeMap::new();
        for (set, code) in &machine.preprocessing.errors {
            let code = machine.errors.get(code.0 as usize);
            let code = code.filter(|_| compared == ErrorComparison::Codes);
            let all = sets.entry(code.cloned().unwrap_or_default()).or_default();
            *all = all.union(set);
        }
        sets
    };
    let sets = [sets(one), sets(other)];
    let all = |sets: &BTreeMap<String, CharSet>| {
        let all = sets.values();
        all.fold(CharSet::default(), |all, set| all.union(set))
    };
    let only_codes = all(&sets[0]) == all(&sets[1]);
    let mut differ = CharSet::default();
    for (_, both) in differing(sets.clone()) {
        let [ours, theirs] = both.map(Option::unwrap_or_default);
        for set in [ours.difference(&theirs), theirs.difference(&ours)] {
            differ = differ.union(&set);
        }
    }
    let inputs = |set: CharSet| -> Vec<String> {
        set.ranges()
            .iter()
            .take(4)
            .filter_map(|(c, _)| char::from_u32(*c))
            .map(String::from)
            .collect()
    };
    let shown = |sets: &BTreeMap<String, CharSet>| match all(sets) {
        set if set.is_empty() => "none".to_owned(),
        set if !only_codes => characters(&set),
        _ => {
            let codes = sets
                .iter()
                .map(|(code, set)| format!("{code}: {}", characters(set)));
            codes.collect::<Vec<_>>().join("; ")
        }
    };
    row(
        "characters that are errors",
        "errors",
        sets.each_ref().map(shown),
        inputs(differ),
    );
}

/// What is not the same in two maps: each key with what both have for it.
fn differing<K: Ord + Clone, V: PartialEq + Clone>(
    maps: [BTreeMap<K, V>; 2],
) -> impl Iterator<Item = (K, [Option<V>; 2])> {
    let keys: BTreeSet<K> = maps.iter().flat_map(|map| map.keys().cloned()).collect();
    let both = keys.into_iter().map(move |key| {
        let values = maps.each_ref().map(|map| map.get(&key).cloned());
        (key, values)
    });
    both.filter(|(_, [one, other])| one != other)
}

/// Names whose replacement, or absence, differs; each is tried.
pub(super) fn references(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let maps = [one, other].map(|machine| machine.references.iter().cloned().collect());
    for (name, values) in differing(maps) {
        let shown = values.map(|value| {
            let characters = value.iter().flat_map(|value| value.chars());
            let characters: Vec<String> = characters.map(display_char).collect();
            characters.join(" ")
        });
        let row = TableRow::new(Part::References, format!("&{name}"), shown);
        rows.push(row.about(&name, vec![format!("&{name}")]));
    }
}

fn numbers(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let maps = [one, other].map(|machine| machine.replacements.iter().copied().collect());
    for (number, codes) in differing::<u32, u32>(maps) {
        let shown = codes.map(|code| match code.map(|code| (code, char::from_u32(code))) {
            None => String::new(),
            Some((_, Some(c))) => display_char(c),
            Some((code, None)) => format!("{code:#X}"),
        });
        let what = format!("the number {number:#04X} stands for");
        let inputs = vec![format!("&#{number};"), format!("&#x{number:X};")];
        let row = TableRow::new(Part::Numbers, what, shown);
        rows.push(row.about(&number.to_string(), inputs));
    }
}

/// The tokens that come out of each table, and what they hold.
fn tokens(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let describe = |machine: &Machine| {
        let made: BTreeSet<u32> = all_actions(machine)
            .filter_map(|action| match action {
                Action::Create(token, _) => Some(token.0),
                _ => None,
            })
            .collect();
        let tokens = (0..).zip(&machine.vocabulary.tokens);
        let tokens = tokens.filter(|(number, _)| made.contains(number));
        let all = tokens.map(|(_, token)| {
            let fields = token.fields.iter().map(|field| {
                let ty = match field.ty {
                    FieldType::Text => "text",
                    FieldType::OptionalText => "text or missing",
                    FieldType::Flag => "flag",
                    FieldType::Attributes => "attributes",
                };
                format!("{} ({ty})", field.name)
            });
            let kinds = token.kinds.iter().map(|kind| kind.name.clone());
            let kinds = kinds.filter(|kind| *kind != token.name);
            let all: Vec<String> = kinds.chain(fields).collect();
            (token.name.clone(), format!("with {}", all.join(", ")))
        });
        all.collect::<BTreeMap<_, _>>()
    };
    for (name, sides) in differing([describe(one), describe(other)]) {
        let sides = sides.map(Option::unwrap_or_default);
        rows.push(TableRow::new(Part::Tokens, name, sides));
    }
    let start_tags = [one, other].map(|machine| kinds(machine, |kind| kind.is_start_tag));
    let answering = [one, other].map(|machine| kinds(machine, |kind| kind.answers));
    for (what, sides) in [
        ("start tags", start_tags),
        ("tokens that are answered", answering),
    ] {
        if sides[0] != sides[1] {
            rows.push(TableRow::new(Part::Tokens, what.to_owned(), sides));
        }
    }
}

/// The kinds of tokens of which something is true.
fn kinds(machine: &Machine, is_one: impl Fn(&Kind) -> bool) -> String {
    let kinds = machine.vocabulary.tokens.iter();
    let kinds = kinds.flat_map(|token| &token.kinds);
    let mut names: Vec<&str> = kinds
        .filter(|kind| is_one(kind))
        .map(|kind| kind.name.as_str())
        .collect();
    names.sort_unstable();
    names.join(", ")
}

/// The words that registers of the same name begin with, where these may be read.
fn registers(machines: [&Machine; 2], rows: &mut Vec<TableRow>) {
    let is_read = |machine: &Machine, name: &str| {
        let mut names = machine.registers.iter();
        let register = names.position(|register| register.name == name);
        register.is_some_and(|register| Liveness::new(machine).is_live_at_start(machine, register))
    };
    let first = |machine: &Machine| -> BTreeMap<String, String> {
        let words = machine.registers.iter().filter_map(|register| {
            let RegisterType::Finite(words) = &register.ty else {
                return None;
            };
            Some((register.name.clone(), words.first()?.clone()))
        });
        words.collect()
    };
    for (name, sides) in differing(machines.map(first)) {
        if let [Some(one), Some(other)] = sides
            && machines.iter().any(|machine| is_read(machine, &name))
        {
            rows.push(TableRow::new(Part::Registers, name, [one, other]));
        }
    }
}

/// What the states of a table do.
fn all_actions(machine: &Machine) -> impl Iterator<Item = &Action> {
    let bodies = machine.states.iter().flat_map(arms).map(|arm| arm.body);
    bodies.flat_map(|body| {
        let mut all = Vec::new();
        visit(body, &mut |actions, _| all.extend(actions));
        all
    })
}

fn lists(one: &Machine, other: &Machine, rows: &mut Vec<TableRow>) {
    let mut compare = |part: Part, what: &str, ours: &[String], theirs: &[String]| {
        let maps = [ours, theirs].map(|list| list.iter().map(|name| (name, ())).collect());
        for (name, has) in differing(maps) {
            let sides = has.map(|has| yes_or_no(has.is_some()));
            let about = if what == "content " { name } else { "" };
            let row = TableRow::new(part, format!("{what}{name}"), sides);
            rows.push(row.about(about, Vec::new()));
        }
    };
    let (a, b) = (&one.vocabulary, &other.vocabulary);
    compare(Part::Contents, "content ", &a.contents, &b.contents);
    compare(Part::Contents, "question: ", &a.questions, &b.questions);
    // Where a side names no errors there is nothing to compare.
    let named = [one, other].map(names_errors);
    if named == [true, true] {
        compare(Part::Codes, "", &one.errors, &other.errors);
    } else if named[0] != named[1] {
        let what = "names of errors".to_owned();
        rows.push(TableRow::new(Part::Codes, what, named.map(yes_or_no)));
    }
}

/// What is done on emitting a token, for each kind that is emitted.
fn emitting(machines: [&Machine; 2], names: &[Vec<String>; 2], rows: &mut Vec<TableRow>) {
    let compared = ErrorComparison::of(machines[0], machines[1]);
    let cases = [0, 1].map(|side| on_emitting(machines[side], &names[side]));
    let kinds: BTreeSet<&String> = cases.iter().flat_map(BTreeMap::keys).collect();
    for kind in kinds {
        let of = |side: usize| cases[side].get(kind).map_or(&[][..], Vec::as_slice);
        if !same(of(0), of(1), compared) {
            let lines = |cases: &[Case]| {
                let lines: Vec<String> = cases.iter().map(case_line).collect();
                lines.join("; ")
            };
            let sides = [0, 1].map(|side| lines(of(side)));
            let row = TableRow::new(Part::Emitting, kind.clone(), sides);
            rows.push(row.about(kind, Vec::new()));
        }
    }
}

/// The states in which the contents that both have start, and that in which a machine starts.
fn entries(machines: [&Machine; 2], names: &[Vec<String>; 2], rows: &mut Vec<TableRow>) {
    let [one, other] = machines;
    let both = |content: &&String| other.vocabulary.contents.contains(content);
    let contents = one.vocabulary.contents.iter().filter(both);
    for content in [None].into_iter().chain(contents.map(Some)) {
        let entries = machines.map(|machine| match content {
            Some(content) => machine.entry(content),
            None => machine.entries.first(),
        });
        let [Some(ours), Some(theirs)] = entries else {
            continue;
        };
        let states = [ours.state.0, theirs.state.0];
        let name = |side: usize| names[side].get(states[side] as usize);
        let sets = [sets_text(one, ours), sets_text(other, theirs)];
        if name(0) == name(1) && sets[0] == sets[1] {
            continue;
        }
        let sides = [0, 1].map(|side| {
            let state = machines[side].states.get(states[side] as usize);
            let state = state.map_or("no state", |state| &state.name);
            format!("{state}{}", sets[side])
        });
        let what = match content {
            Some(content) => format!("{content} starts in"),
            None => "the initial state".to_owned(),
        };
        let about = content.map_or("", String::as_str);
        rows.push(TableRow::new(Part::Entries, what, sides).about(about, Vec::new()));
    }
}

/// What follows the start tags of elements.
fn elements(machines: [&Machine; 2], rows: &mut Vec<TableRow>) {
    let held = machines.map(|machine| {
        let elements = machine.contents_after.elements.iter();
        let held = elements.filter_map(|element| {
            let content = machine.vocabulary.contents.get(element.content as usize)?;
            let condition = if element.if_scripting {
                " if scripting is enabled"
            } else {
                ""
            };
            Some((element.name.as_str(), format!("{content}{condition}")))
        });
        held.collect::<BTreeMap<_, _>>()
    });
    for (name, sides) in differing(held) {
        let sides = sides.map(Option::unwrap_or_default);
        let row = TableRow::new(Part::Elements, format!("<{name}>"), sides);
        rows.push(row.about(name, Vec::new()));
    }
}

/// What variables are set to at an entry.
fn sets_text(machine: &Machine, entry: &Entry) -> String {
    let mut text = String::new();
    for &(register, value) in &entry.sets {
        let register = machine.registers.get(register.0 as usize);
        if let Some((name, RegisterType::Finite(values))) = register.map(|r| (&r.name, &r.ty))
            && let Some(value) = values.get(value as usize)
        {
            text += &format!(", with {name} {value}");
        }
    }
    text
}
