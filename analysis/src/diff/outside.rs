//! What is different between two tables outside their states: preprocessing, references, numbers, tokens, contents, error
//! codes, what is done on emitting, and what elements hold.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};
use speclex_codegen::charset::{CharSet, display_char};
use speclex_codegen::machine::{Action, Entry, FieldType, Kind, Machine, RegisterType};

use super::arms::{Way, emission_cases, emission_ways, same};
use super::replay::Setup;
use super::wording::case_line;
use crate::error_comparison::{ErrorComparison, names_errors};
use crate::paths::{ArmInput, arms};
use crate::spelling::characters;

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
#[derive(Clone, Debug, Serialize)]
pub struct TableRow {
    /// Where.
    #[serde(serialize_with = "name")]
    pub part: Part,
    /// What it is about.
    pub what: String,
    /// What each table says; empty for nothing.
    pub sides: [String; 2],
    /// Inputs that should show it.
    #[serde(skip)]
    pub(super) inputs: Vec<(Setup, String)>,
    /// What can be taken from the other table by itself: a rule, a name, a number, a kind of token, a content.
    #[serde(skip)]
    pub(super) about: String,
}

fn name<S: Serializer>(part: &Part, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(part.name())
}

impl TableRow {
    fn new(part: Part, what: impl Into<String>, sides: [String; 2]) -> Self {
        Self {
            part,
            what: what.into(),
            sides,
            inputs: Vec::new(),
            about: String::new(),
        }
    }

    fn about(mut self, about: impl Into<String>) -> Self {
        self.about = about.into();
        self
    }

    fn tried(mut self, inputs: impl IntoIterator<Item = String>) -> Self {
        let inputs = inputs.into_iter();
        self.inputs = inputs.map(|input| (Setup::default(), input)).collect();
        self
    }

    /// Whether the tokenizer does anything else with it: the others are only declared.
    pub(super) fn is_switch(&self) -> bool {
        let declared = [Part::Codes, Part::Tokens, Part::Registers, Part::Contents];
        !declared.contains(&self.part)
    }

    /// Whether only one of the two can start in a content, so that no input compares them there.
    pub(super) fn is_content(&self) -> bool {
        self.part == Part::Contents && !self.about.is_empty()
    }
}

/// All of them.
pub(super) fn rows(
    machines: [&Machine; 2],
    both: &[Machine; 2],
    compared: ErrorComparison,
) -> Vec<TableRow> {
    let mut rows = preprocessing(machines, compared);
    rows.extend(references(machines));
    rows.extend(numbers(machines));
    rows.extend(tokens(machines));
    rows.extend(lists(machines));
    rows.extend(registers(machines, both));
    rows.extend(emitting(machines, both, compared));
    rows.extend(entries(machines, both));
    rows.extend(elements(machines));
    rows
}

fn yes_or_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

fn preprocessing(machines: [&Machine; 2], compared: ErrorComparison) -> Vec<TableRow> {
    let both = machines.map(|machine| &machine.preprocessing);
    let row = |what: &str, sides| TableRow::new(Part::Preprocessing, what, sides);
    let mark = both.map(|it| yes_or_no(it.drop_bom));
    let newlines = both.map(|it| yes_or_no(it.normalize_newlines));
    let mut rows = vec![
        row("a leading byte order mark is dropped", mark)
            .about("mark")
            .tried(["\u{FEFF}".to_owned()]),
        row("CR LF and CR become LF", newlines)
            .about("newlines")
            .tried(["\r", "\r\n"].map(str::to_owned)),
    ];
    for (c, with) in differing(both.map(|it| it.replace.iter().copied().collect())) {
        let with = with.map(|to| to.map_or("itself".to_owned(), display_char));
        let row = row(&format!("{} is seen as", display_char(c)), with);
        rows.push(row.about(c).tried([c.to_string()]));
    }
    // The characters of each code; of all codes together where codes are not compared.
    let sets = machines.map(|machine| {
        let mut sets: BTreeMap<String, CharSet> = BTreeMap::new();
        for (set, code) in &machine.preprocessing.errors {
            let code = machine.errors.get(code.0 as usize);
            let code = code.filter(|_| compared == ErrorComparison::Codes);
            let all = sets.entry(code.cloned().unwrap_or_default()).or_default();
            *all = all.union(set);
        }
        sets
    });
    let union = |one: CharSet, other: &CharSet| one.union(other);
    let all = |sets: &BTreeMap<String, CharSet>| sets.values().fold(CharSet::default(), union);
    let only_codes = all(&sets[0]) == all(&sets[1]);
    let mut differ = CharSet::default();
    for (_, both) in differing(sets.clone()) {
        let [ours, theirs] = both.map(Option::unwrap_or_default);
        differ = differ
            .union(&ours.difference(&theirs))
            .union(&theirs.difference(&ours));
    }
    let inputs = differ.ranges().iter().take(4);
    let inputs = inputs.filter_map(|(c, _)| char::from_u32(*c).map(String::from));
    let shown = sets.each_ref().map(|sets| match all(sets) {
        set if set.is_empty() => "none".to_owned(),
        set if !only_codes => characters(&set),
        _ => {
            let codes = sets
                .iter()
                .map(|(code, set)| format!("{code}: {}", characters(set)));
            codes.collect::<Vec<_>>().join("; ")
        }
    });
    let errors = row("characters that are errors", shown).about("errors");
    rows.push(errors.tried(inputs));
    rows.retain(|row| row.sides[0] != row.sides[1]);
    rows
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
pub(super) fn references(machines: [&Machine; 2]) -> Vec<TableRow> {
    let maps = machines.map(|machine| machine.references.iter().cloned().collect());
    let rows = differing::<String, String>(maps).map(|(name, values)| {
        let shown = values.map(|value| {
            let characters = value.iter().flat_map(|value| value.chars());
            let characters: Vec<String> = characters.map(display_char).collect();
            characters.join(" ")
        });
        let input = format!("&{name}");
        let row = TableRow::new(Part::References, input.clone(), shown);
        row.about(name).tried([input])
    });
    rows.collect()
}

fn numbers(machines: [&Machine; 2]) -> Vec<TableRow> {
    let maps = machines.map(|machine| machine.replacements.iter().copied().collect());
    let rows = differing::<u32, u32>(maps).map(|(number, codes)| {
        let shown = codes.map(|code| match code.map(|code| (code, char::from_u32(code))) {
            None => String::new(),
            Some((_, Some(c))) => display_char(c),
            Some((code, None)) => format!("{code:#X}"),
        });
        let what = format!("the list of numbers has {number:#04X} as");
        let row = TableRow::new(Part::Numbers, what, shown).about(number.to_string());
        row.tried([format!("&#{number};"), format!("&#x{number:X};")])
    });
    rows.collect()
}

/// The tokens that come out of each table, and what they hold.
fn tokens(machines: [&Machine; 2]) -> Vec<TableRow> {
    let described = machines.map(|machine| {
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
            let held = match all.is_empty() {
                true => "without fields".to_owned(),
                false => format!("with {}", all.join(", ")),
            };
            (token.name.clone(), held)
        });
        all.collect::<BTreeMap<_, _>>()
    });
    let described =
        differing(described).map(|(name, sides)| (name, sides.map(Option::unwrap_or_default)));
    let start_tags = machines.map(|machine| kinds(machine, |kind| kind.is_start_tag));
    let answering = machines.map(|machine| kinds(machine, |kind| kind.answers));
    let kinds = [
        ("start tags".to_owned(), start_tags),
        ("tokens that are answered".to_owned(), answering),
    ];
    let kinds = kinds.into_iter().filter(|(_, sides)| sides[0] != sides[1]);
    let kinds = kinds.map(|(what, sides)| TableRow::new(Part::Tokens, &what, sides).about(&what));
    let described = described.map(|(what, sides)| TableRow::new(Part::Tokens, what, sides));
    described.chain(kinds).collect()
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

/// The words that registers of the same name begin with, where the two tables have one each for that.
fn registers(machines: [&Machine; 2], both: &[Machine; 2]) -> Vec<TableRow> {
    let first = |machine: &Machine, name: &str| {
        machine.registers.iter().find_map(|it| match &it.ty {
            RegisterType::Finite(words) if it.name == name => words.first().cloned(),
            _ => None,
        })
    };
    let own = machines[0].registers.len();
    let rows = both[0].registers.iter().skip(own).filter_map(|register| {
        let [one, other] = machines.map(|machine| first(machine, &register.name));
        Some(TableRow::new(
            Part::Registers,
            &register.name,
            [one?, other?],
        ))
    });
    rows.collect()
}

/// What the states of a table do.
fn all_actions(machine: &Machine) -> impl Iterator<Item = &Action> {
    let arms = machine.states.iter().flat_map(arms);
    arms.flat_map(|arm| arm.body.all_actions())
}

fn lists(machines: [&Machine; 2]) -> Vec<TableRow> {
    let mut rows = Vec::new();
    let mut compare = |part: Part, what: &str, lists: [Vec<&str>; 2]| {
        let maps = lists.map(|list| list.into_iter().map(|name| (name, ())).collect());
        for (name, has) in differing(maps) {
            let sides = has.map(|has| yes_or_no(has.is_some()));
            let about = if what == "content " { name } else { "" };
            rows.push(TableRow::new(part, format!("{what}{name}"), sides).about(about));
        }
    };
    fn texts(all: &[String]) -> Vec<&str> {
        all.iter().map(String::as_str).collect()
    }
    let contents = machines.map(|it| it.contents().map(|(_, name)| name).collect());
    compare(Part::Contents, "content ", contents);
    let questions = machines.map(|it| texts(&it.vocabulary.questions));
    compare(Part::Contents, "question: ", questions);
    // Where a side names no errors there is nothing to compare.
    let named = machines.map(names_errors);
    if named == [true, true] {
        compare(
            Part::Codes,
            "",
            machines.map(|machine| texts(&machine.errors)),
        );
    } else if named[0] != named[1] {
        let sides = named.map(yes_or_no);
        rows.push(TableRow::new(Part::Codes, "names of errors", sides));
    }
    rows
}

/// What is done on emitting a token, for each kind that is emitted.
fn emitting(
    machines: [&Machine; 2],
    both: &[Machine; 2],
    compared: ErrorComparison,
) -> Vec<TableRow> {
    let all = [0, 1].map(|side| {
        let steps = machines[side].on_emit.iter().zip(&both[side].on_emit);
        let mut all: BTreeMap<String, (Vec<Way>, Vec<String>)> = BTreeMap::new();
        for (own, common) in steps {
            let token = machines[side].vocabulary.tokens.get(own.token.0 as usize);
            if let Some(kind) = token.and_then(|token| token.kinds.get(own.kind as usize)) {
                let (ways, lines) = all.entry(kind.name.clone()).or_default();
                ways.extend(emission_ways(&common.steps));
                let cases = emission_cases(machines[side], &own.steps);
                lines.extend(cases.iter().map(case_line));
            }
        }
        all
    });
    let rows = differing(all).filter_map(|(kind, sides)| {
        let [(ours, one), (theirs, other)] = sides.map(Option::unwrap_or_default);
        let sides = [one, other].map(|lines| lines.join("; "));
        let row = || TableRow::new(Part::Emitting, &kind, sides).about(&kind);
        (!same(&ours, &theirs, compared)).then(row)
    });
    rows.collect()
}

/// The states in which the contents that both have start, and that in which a machine starts.
fn entries<'m>(machines: [&'m Machine; 2], both: &'m [Machine; 2]) -> Vec<TableRow> {
    let row = |content: &str, with_content: bool| {
        let find = |machine: &'m Machine| match content {
            "" => machine.entries.first(),
            content => machine.entry(content),
        };
        let [own, common] = [machines, both.each_ref()].map(|all| all.map(find));
        let does = |entry: &'m Entry| {
            let content = with_content.then_some(entry.content);
            (entry.state, &entry.sets, content)
        };
        if common[0].map(does)? == common[1].map(does)? {
            return None;
        }
        let sides = [0, 1].map(|side| {
            let state = own[side].and_then(|it| machines[side].states.get(it.state.0 as usize));
            let state = state.map_or("no state", |state| &state.name);
            let sets = own[side].map(|entry| sets_text(machines[side], entry));
            format!("{state}{}", sets.unwrap_or_default())
        });
        let what = match content {
            "" => "the initial state".to_owned(),
            content => format!("{content} starts in"),
        };
        Some(TableRow::new(Part::Entries, what, sides).about(content))
    };
    let contents = machines[0].contents().map(|(_, content)| content);
    let mut rows: Vec<TableRow> = contents.filter_map(|content| row(content, false)).collect();
    // Which content is the first matters where any starts otherwise.
    let first = row("", !rows.is_empty());
    rows.splice(0..0, first);
    rows
}

/// What follows the start tags of elements.
fn elements(machines: [&Machine; 2]) -> Vec<TableRow> {
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
    let firsts = tell_apart(machines);
    let rows = differing(held).map(|(name, sides)| {
        let sides = sides.map(Option::unwrap_or_default);
        let mut row = TableRow::new(Part::Elements, format!("<{name}>"), sides).about(name);
        for scripting in [true, false].map(Some) {
            let setup = || Setup {
                scripting,
                ..Setup::default()
            };
            let texts = firsts.iter().map(|first| format!("<{name}>{first}"));
            row.inputs.extend(texts.map(|text| (setup(), text)));
        }
        row
    });
    rows.collect()
}

/// Texts that may tell contents apart: markup, a reference, and what the states in which they start have an arm for.
fn tell_apart(machines: [&Machine; 2]) -> BTreeSet<String> {
    let mut texts = BTreeSet::from(["<a>", "&lt;"].map(str::to_owned));
    for machine in machines {
        let entries = machine.entries.iter();
        let states = entries.filter_map(|entry| machine.states.get(entry.state.0 as usize));
        for arm in states.flat_map(arms) {
            match arm.on {
                ArmInput::Set(set, _) => {
                    let first = set.ranges().first();
                    texts.extend(
                        first
                            .and_then(|(c, _)| char::from_u32(*c))
                            .map(String::from),
                    );
                }
                ArmInput::Literal(arm) => texts.extend([arm.text.clone()]),
                _ => {}
            }
        }
    }
    texts
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
