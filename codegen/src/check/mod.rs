//! Checking: every name is looked up, and every fault of meaning is reported.
//!
//! AFTER THIS POINT there are no unresolved names, no unread phrases and no classes. What is left of
//! the table's shape (arms, branches, step lists, procedures) is for lowering.

mod arms;
mod assignment;
mod contents;
mod explanations;
mod guards;
pub(crate) mod model;
mod names;
mod phrases;
mod questions;
mod states;
mod steps;
mod stream;
mod unreachable_steps;
mod vocabulary;

use crate::charset::CharSet;
use crate::diagnostic::{Code, Faults, Hint, Span};
use crate::lookups::References;
use crate::machine::{Register, RegisterType, Vocabulary};
use crate::read::quoting::item;
use crate::set_notation::{Classes, parse, resolve};
use crate::written::{self, Entry, Procedure, Sections, Table, Text};
use guards::Condition;
use model::{Checked, Named};
pub(crate) use names::article;
pub(crate) use phrases::{Means, PHRASES, is_phrase};
pub(crate) use questions::GUARDS;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
pub(crate) use vocabulary::{markup, read_markup};

/// What checking knows and has found.
pub(crate) struct Checker<'t, 'f> {
    table: &'t Table,
    faults: &'f mut Faults,
    vocabulary: Vocabulary,
    classes: Classes,
    errors: Vec<String>,
    used_errors: HashSet<usize>,
    /// Where the table declares no error codes: those that it reports, and where.
    undeclared_errors: Vec<(String, Span)>,
    registers: Vec<Register>,
    used_registers: HashSet<usize>,
    /// Index in the table's conditions.
    condition_index: HashMap<String, usize>,
    conditions: Vec<Condition>,
    /// How many conditions are being read, each for the one before.
    conditions_open: usize,
    /// The parts of the guard that is being read, with the conditions that it names, and its place.
    guard_parts: (usize, Span),
    /// Of all guards.
    parts: usize,
    used_conditions: HashSet<usize>,
    /// Conditions and questions: where one stands, a guard begins.
    guard_names: Rc<HashSet<String>>,
    /// By procedure and name.
    state_names: BTreeMap<(Option<usize>, String), Named>,
    state_procedures: Vec<Option<usize>>,
    procedure_names: Vec<String>,
    list_names: Vec<String>,
    /// The places of the names in `list_names`.
    list_numbers: HashMap<String, usize>,
    used_procedures: BTreeSet<String>,
    /// By token and kind: where a token first becomes one.
    made_kinds: HashMap<(u32, u32), Span>,
    emitted_tokens: HashSet<u32>,
    /// The sub-machine whose states are being read.
    procedure: Option<usize>,
}

/// Checks a table. The model is complete only if no fault was found.
pub(crate) fn check(table: &Table, references: &References<'_>, faults: &mut Faults) -> Checked {
    let mut checker = Checker {
        table,
        faults,
        vocabulary: markup(),
        classes: Classes::default(),
        errors: Vec::new(),
        used_errors: HashSet::new(),
        undeclared_errors: Vec::new(),
        registers: Vec::new(),
        used_registers: HashSet::new(),
        condition_index: HashMap::new(),
        conditions: Vec::new(),
        conditions_open: 0,
        guard_parts: (0, Span::default()),
        parts: 0,
        used_conditions: HashSet::new(),
        guard_names: Rc::default(),
        state_names: BTreeMap::new(),
        state_procedures: Vec::new(),
        procedure_names: Vec::new(),
        list_names: Vec::new(),
        list_numbers: HashMap::new(),
        used_procedures: BTreeSet::new(),
        made_kinds: HashMap::new(),
        emitted_tokens: HashSet::new(),
        procedure: None,
    };
    checker.vocabulary();
    checker.declare();
    checker.missing_keys();
    let checked = checker.checked_model(references);
    checker.vocabulary_of_base();
    checker.no_error_codes();
    unreachable_steps::check(&checked, checker.faults);
    checker.unused();
    checked
}

impl Checker<'_, '_> {
    fn fault(&mut self, code: Code, span: impl Into<Span>, message: impl Into<String>) -> Hint<'_> {
        self.faults.add(code, span, message)
    }

    /// Does something, and keeps the faults that it reports apart from the others.
    fn apart<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> (T, Faults) {
        let others = std::mem::take(self.faults);
        let done = act(self);
        (done, std::mem::replace(self.faults, others))
    }

    fn missing_keys(&mut self) {
        let Some(at) = self.table.at else { return };
        let first = self.table.states.first();
        let start = first.map_or("STATE".to_owned(), |state| item(&state.name.text));
        let start = format!("say where the tokenizer starts: `entry states: {{data: {start}}}`");
        let required = [
            ("table", "name the table: `table: my-table`"),
            ("vocabulary", "declare the tokens: `vocabulary: markup`"),
            ("entry states", &start),
            ("states", "a table without states does nothing"),
        ];
        for (key, help) in required {
            let is_instead = key == "entry states" && self.is_initial_state();
            // The first key may be meant for it, and is said to be none.
            let named = Some(at).filter(|_| key == "table" && self.table.name.is_none());
            if let Some(hint) = named.and_then(|at| self.faults.at(at)) {
                hint.help("the first key is `table`, with the table's name");
            } else if !is_instead && !self.table.keys.iter().any(|k| k.text == key) {
                self.fault(Code::MissingKey, at, format!("the table has no `{key}`"))
                    .help(help);
            }
        }
        if let Some(initial) = self
            .table
            .initial
            .as_ref()
            .filter(|_| self.is_initial_state())
        {
            let state = item(&initial.text);
            let message = "`initial state` names a content, and this is a state";
            let help = format!("say what starts there: `entry states: {{data: {state}}}`");
            let is_key = |key: &&Text| key.text == "initial state";
            let key = self.table.keys.iter().find(is_key).map(|key| key.at);
            let hint = match key.filter(|&key| self.faults.at(key).is_some()) {
                // Which is said of the key.
                Some(key) => self.faults.at(key),
                None => Some(self.fault(Code::UnknownContent, initial.at, message)),
            };
            hint.map(|hint| hint.help(help));
        }
    }

    /// Everything that has a name, before anything that uses one.
    fn declare(&mut self) {
        let table = self.table;
        let codes = table.errors.iter().flatten();
        self.errors = codes.map(|code| code.text.clone()).collect();
        for entry in &table.classes {
            self.class(entry);
        }
        for entry in &table.registers {
            self.register_declared(entry);
        }
        let mut names = HashSet::new();
        for (index, entry) in table.conditions.iter().enumerate() {
            let name = entry.name.text.clone();
            self.condition_index.insert(name.clone(), index);
            names.insert(name);
            self.conditions.push(Condition::Unread);
        }
        names.extend(self.vocabulary.questions.iter().cloned());
        self.guard_names = Rc::new(names);
        self.declare_states(None, &table.states);
        for entry in &table.procedures {
            match &entry.value {
                Some(Procedure::Steps(_)) => {
                    let number = self.list_names.len();
                    let name = entry.name.text.clone();
                    self.list_numbers.entry(name.clone()).or_insert(number);
                    self.list_names.push(name);
                }
                Some(Procedure::States { states, .. }) => {
                    let number = self.procedure_names.len();
                    self.procedure_names.push(entry.name.text.clone());
                    self.declare_states(Some(number), states);
                }
                None => {}
            }
        }
    }

    fn declare_states(&mut self, procedure: Option<usize>, states: &[written::State]) {
        for state in states {
            let named = Named(self.state_procedures.len());
            self.state_procedures.push(procedure);
            self.state_names
                .entry((procedure, state.name.text.clone()))
                .or_insert(named);
        }
    }

    fn class(&mut self, entry: &Entry<Vec<written::Text>>) {
        let name = &entry.name;
        if Classes::is_built_in(&name.text) {
            let message = format!("`{}` is a class of every table", name.text);
            self.fault(Code::DuplicateName, name.at, message)
                .help("give the class another name");
        }
        let mut ranges = Vec::new();
        for text in entry.value.iter().flatten() {
            let written = parse(&text.text, text.span(), self.faults);
            let meaning = resolve(&written, &mut self.classes, self.faults);
            if meaning.eof || meaning.anything_else || !meaning.literals.is_empty() {
                self.fault(Code::BadSet, text.at, "a class holds characters only");
            }
            ranges.extend_from_slice(meaning.set.ranges());
        }
        self.classes
            .declare(name.text.clone(), CharSet::from_ranges(ranges));
    }

    /// The type, or the one that was probably meant, if one was.
    fn register_type_named(&mut self, ty: &written::Text) -> Option<RegisterType> {
        let typed = ty.text.as_str();
        if typed.contains(", ") {
            let message = "words are a list, which has brackets";
            self.fault(Code::TypeMismatch, ty.at, message)
                .help(format!("write `[{typed}]`"));
            let words = typed.split(", ").map(str::to_owned);
            return Some(RegisterType::Finite(words.collect()));
        }
        let types = [
            ("text", RegisterType::Text),
            ("state", RegisterType::State),
            ("number", RegisterType::Number),
            ("character", RegisterType::Character),
        ];
        let otherwise = |typed: &str| match typed {
            "bool" | "boolean" | "flag" => "a register with two words is one: `[off, on]`",
            _ => "it can be `text`, `state`, `number`, `character`, or a list of words",
        };
        let otherwise = |typed: &str| otherwise(typed).to_owned();
        let what = (Code::TypeMismatch, "register");
        names::type_named(ty, what, &types, otherwise, self.faults)
    }

    fn register_declared(&mut self, entry: &Entry<written::RegisterType>) {
        let ty = match &entry.value {
            Some(written::RegisterType::Words(words)) => {
                if words.is_empty() {
                    self.fault(
                        Code::EmptyValue,
                        entry.name.at,
                        "a register with words needs at least one",
                    );
                }
                let words = words.iter().map(|w| w.text.clone());
                Some(RegisterType::Finite(words.collect()))
            }
            Some(written::RegisterType::Named(ty)) => self.register_type_named(ty),
            None => return,
        };
        let Some(ty) = ty else {
            return self.faults.may_be_declared(&entry.name.text);
        };
        self.registers.push(Register {
            name: entry.name.text.clone(),
            ty,
        });
    }

    /// Warns of what is declared but not used.
    fn unused(&mut self) {
        let table = self.table;
        for section in table.sections() {
            let is_used = |number, name: &str| match section.kind {
                Sections::Class => self.classes.is_used(name),
                Sections::Register => self.used_registers.contains(&number),
                Sections::Condition => self.used_conditions.contains(&number),
                Sections::Procedure => self.used_procedures.contains(name),
                Sections::Explanation
                | Sections::Link
                | Sections::EntryState
                | Sections::ContentAfter
                | Sections::OnEmitting
                | Sections::Remark => true,
            };
            section.warn_unused(is_used, self.faults);
        }
        self.unused_kinds();
        for (index, code) in table.errors.iter().flatten().enumerate() {
            if !self.used_errors.contains(&index) && !table.unreported.contains(&code.text) {
                written::unused(code, "error code", Code::UnusedErrorCode, self.faults);
            }
        }
    }

    /// Warns of kinds that are made and not emitted, and of those that the table itself declares and never makes.
    fn unused_kinds(&mut self) {
        let declared = match &self.table.vocabulary {
            Some(written::Vocabulary::Own(own)) => own.tokens.as_deref().unwrap_or_default(),
            _ => &[],
        };
        for (token, number) in self.vocabulary.tokens.iter().zip(0..) {
            let written = declared.get(number as usize);
            // What a base declares may be of no use to this table.
            let written = written.filter(|written| written.name.at.source == 0);
            let is_emitted = self.emitted_tokens.contains(&number);
            for (kind, index) in token.kinds.iter().zip(0..) {
                let made = self.made_kinds.get(&(number, index)).copied();
                let place = written.map(|written| {
                    let name = written.kinds.get(index as usize);
                    name.unwrap_or(&written.name).span()
                });
                let (Some(span), false) = (place.or(made), made.is_some() && is_emitted) else {
                    continue;
                };
                let (what, help) = match made {
                    Some(_) => (
                        "emitted",
                        format!("emit it: `emit the {} token`", token.name),
                    ),
                    None => (
                        "created",
                        format!("create it: `create {} token`", names::article(&kind.name)),
                    ),
                };
                let message = format!("the kind of token `{}` is never {what}", kind.name);
                self.faults.add(Code::UnusedKind, span, message).help(help);
            }
        }
    }
}
