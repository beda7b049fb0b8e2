//! Names looked up, phrases read: a table becomes a machine.

mod arms;
mod bodies;
mod declare;
mod errata;
mod flow;
mod kinds;
mod lists;
mod procedures;
mod unused;

pub(super) use self::bodies::Places;
use super::machine::{ArmId, Fragments, Node, TreeMachine};
use super::phrase::{Declared, MOST_SUGGESTIONS, Phrases};
use super::written::{TOP, Table};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::normal;
use crate::set_notation::Classes;
use crate::suggest::{did_you_mean, which_of};
use crate::tree::vocabulary::Vocabulary;
use crate::written::Text;
use std::collections::{HashMap, HashSet};

/// A machine, and where its parts are written.
pub(super) struct Checked {
    pub(super) machine: TreeMachine,
    /// By the number of the body.
    pub(super) places: Vec<Places>,
}

/// Checks a table. The machine is sound only if there are no faults.
pub(super) fn check(
    table: &Table,
    vocabulary: &dyn Fn(&str) -> Option<Vocabulary>,
    faults: &mut Faults,
) -> Checked {
    for key in [
        "tree",
        "tokenizer",
        "initial insertion mode",
        "insertion modes",
    ] {
        if !table.keys.iter().any(|k| k == key) {
            let about = TOP.iter().find(|of| of.key.name == key);
            let about =
                about.map(|of| format!("{} For example: `{}`", of.key.about, of.key.example));
            let of_base = table.tokenizer_of_base.as_ref();
            let about = match of_base.filter(|_| key == "tokenizer") {
                Some(base) => format!(
                    "that of a base is not taken over: `tokenizer: {}`, say",
                    base.text
                ),
                None => about.unwrap_or_default(),
            };
            let message = format!("the table has no `{key}`");
            faults.add(Code::MissingKey, table.at, message).help(about);
        }
    }
    if table.modes.is_empty() && !faults.any_error() {
        let message = "the table has no insertion modes";
        faults
            .add(Code::MissingBody, table.at, message)
            .help("name at least one: `insertion modes: {main: {end-of-file: stop parsing, …}}`");
    }
    let vocabulary = vocabulary_of(table, vocabulary, faults);
    if vocabulary.is_none() {
        // What tokens and contents there are is not known: nearly every step would be a fault that follows from it.
        return Checked {
            machine: machine_of(table),
            places: Vec::new(),
        };
    }
    let questions = vocabulary
        .as_ref()
        .map(|it| it.of_tokenizer.questions.clone());
    let (contents, kinds, created) = match vocabulary {
        Some(it) => (
            it.of_tokenizer.contents.clone(),
            kinds::kinds(it.of_tokenizer),
            it.created,
        ),
        None => Default::default(),
    };
    let mut checker = Checker {
        table,
        phrases: Phrases {
            declared: Declared::new(kinds, &contents),
            faults,
            faulty: HashSet::new(),
            suggestions: MOST_SUGGESTIONS,
        },
        created,
        questions: questions.unwrap_or_default(),
        classes: Classes::default(),
        machine: machine_of(table),
        places: Vec::new(),
        arms: HashMap::new(),
    };
    checker.declare();
    checker.procedures();
    checker.rules();
    checker.bodies(&contents);
    checker.errata();
    if !checker.phrases.faults.any_error() {
        checker.flow();
        checker.unused();
    }
    if let Some(name) = &table.initial {
        checker.machine.initial = checker.mode_named(&normal(&name.text), name.span());
    }
    let Checker {
        phrases,
        mut machine,
        places,
        ..
    } = checker;
    machine.kinds = phrases.declared.kinds;
    machine.hot = hot(table, &machine, phrases.faults);
    machine.states = phrases.declared.states;
    Checked { machine, places }
}

/// The machine of a table of which nothing has been read but its head.
fn machine_of(table: &Table) -> TreeMachine {
    TreeMachine {
        name: text(&table.name),
        title: text(&table.title),
        section: text(&table.section),
        tokenizer: text(&table.tokenizer),
        called: table.called().to_owned(),
        kinds: Vec::new(),
        variables: Vec::new(),
        states: Vec::new(),
        properties: Vec::new(),
        hosts: Vec::new(),
        conditions: Vec::new(),
        sets: Vec::new(),
        scopes: Vec::new(),
        on_popping: Vec::new(),
        hot: None,
        names: Vec::new(),
        quirks: Vec::new(),
        fragments: None,
        modes: Vec::new(),
        initial: 0,
        dispatcher: None,
        bodies: Vec::new(),
    }
}

/// The names of `hot`. Those that the table does not tell apart from others are no names of its own.
fn hot(table: &Table, machine: &TreeMachine, faults: &mut Faults) -> Option<Vec<String>> {
    let names = table.hot.as_ref()?;
    let known = machine.element_names();
    for name in names {
        if !known.contains(name.text.as_str()) && !faults.any_error() {
            let message = format!("the table tells no tag `{}` apart from others", name.text);
            let help = did_you_mean(&name.text, known.iter().copied(), || {
                "`speclex profile` prints such a list".to_owned()
            });
            faults.add(Code::UnknownToken, name.at, message).help(help);
        }
    }
    Some(names.iter().map(|name| name.text.clone()).collect())
}

fn text(text: &Option<Text>) -> String {
    text.as_ref().map(|t| t.text.clone()).unwrap_or_default()
}

fn vocabulary_of(
    table: &Table,
    vocabulary: &dyn Fn(&str) -> Option<Vocabulary>,
    faults: &mut Faults,
) -> Option<Vocabulary> {
    let name = table.tokenizer.as_ref()?;
    let found = vocabulary(&name.text);
    if found.is_none() {
        faults
            .unknown(
                Code::UnknownTokenizer,
                name.at,
                "tokenizer table",
                &name.text,
            )
            .help("it is named as its file is, beside this table or as a relative path");
    }
    found
}

/// Arms by a kind, whether it is any other of it, and a name.
type ArmIndex = HashMap<(Option<usize>, bool, Option<String>), ArmId>;

/// A table being checked.
struct Checker<'t, 'f> {
    table: &'t Table,
    phrases: Phrases<'t, 'f>,
    /// The names of the kinds of tokens that the tokenizer creates.
    created: Vec<String>,
    /// What the tokenizer asks; the table answers by its conditions.
    questions: Vec<String>,
    classes: Classes,
    machine: TreeMachine,
    places: Vec<Places>,
    /// By the number of the rules: their arms by what they take. Filled when a step first names one of the arms.
    arms: HashMap<usize, ArmIndex>,
}

impl<'t> Checker<'t, '_> {
    /// All bodies: procedures first, then those of the arms, and the rest.
    fn bodies(&mut self, contents: &[String]) {
        for (number, entry) in self.table.procedures.iter().enumerate() {
            if let Some(steps) = &entry.value {
                self.procedure(number, entry.name.text.as_str(), steps);
            }
        }
        for (mode, rules) in self.table.rules().enumerate() {
            for (arm, written) in rules.arms.iter().enumerate() {
                if let Some(steps) = &written.steps {
                    let body = self.body(&written.key.text, &[], Some(mode), None, steps);
                    if let Some(arm) = self
                        .machine
                        .modes
                        .get_mut(mode)
                        .and_then(|rules| rules.arms.get_mut(arm))
                    {
                        arm.body = body;
                    }
                }
            }
        }
        if let Some(steps) = &self.table.dispatcher {
            self.machine.dispatcher =
                Some(self.body("tree construction dispatcher", &[], None, None, steps));
        }
        for entry in &self.table.popping {
            let (Some(element), Some(steps)) = (self.element(&entry.name), &entry.value) else {
                continue;
            };
            let body = self.body(
                &format!("on popping {}", entry.name.text),
                &[],
                None,
                None,
                steps,
            );
            self.machine.on_popping.push((element, body));
        }
        if let Some(written) = &self.table.fragments {
            let steps = match &written.steps {
                Some(steps) => self.body("fragments", &[], None, None, steps),
                None => 0,
            };
            self.phrases.declared.locals.clear();
            let contents = self.contents(&written.contents, contents);
            let result = written.result.as_ref().and_then(|it| {
                let node = it.text.strip_prefix("the child nodes of ");
                if node.is_none() {
                    let message = "the result is the child nodes of a node";
                    let help = "write `the child nodes of the Document`, or of another node";
                    self.phrases
                        .faults
                        .add(Code::UnknownPhrase, it.at, message)
                        .help(help);
                }
                self.phrases.read::<Node>(node?, it.span())
            });
            if written.steps.is_none() || written.result.is_none() {
                let message = "`fragments` needs `steps` and `result`";
                let help =
                    "say what is done before the first token, and which nodes are the result";
                self.phrases
                    .faults
                    .add(Code::MissingKey, self.table.at, message)
                    .help(help);
            }
            self.machine.fragments = Some(Fragments {
                contents,
                steps,
                result: result.unwrap_or(Node::Document),
            });
        }
    }

    /// The number of an insertion mode; any after a fault.
    fn mode_named(&mut self, name: &str, span: Span) -> usize {
        let names = self.table.modes.iter().map(|mode| &*mode.name.text);
        if let Some(number) = names.clone().position(|it| it == name) {
            return number;
        }
        let help = which_of(name, names);
        self.phrases
            .faults
            .unknown(Code::UnknownMode, span, self.table.called(), name)
            .help(help);
        0
    }
}
