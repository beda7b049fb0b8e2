//! What a table declares: the names that phrases may use, and the phrases that the table adds to the language.

use super::guards::GUARDS;
use super::pattern::{Pattern, Piece, pieces};
use super::sort::{
    ArmWanted, Assigned, Class, Content, Flag, KindOf, NamesOf, PropertyOf, Question, QuirksOf,
    ScopeOf, SetOf, Sort, Term, Word,
};
use super::steps::STEPS;
use super::values::{NODES, OTHERS, TYPES};
use crate::diagnostic::Faults;
use crate::tree::arm_key;
use crate::tree::keys::{ANYTHING_ELSE, CHARACTER};
use crate::tree::machine::{
    ElementName, Guard, Holds, Kind, Mode, ModeId, Node, SlotId, State, Tokens,
};
use crate::written::Text;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How a phrase or name can be written.
pub(super) struct Form {
    pub(super) pieces: Vec<Piece>,
    pub(super) says: SaysWhat,
    /// As messages show it.
    pub(super) shown: String,
}

/// What a form stands for.
pub(super) enum SaysWhat {
    /// A row of the language; whether it is the contrary.
    Row(&'static Pattern, bool),
    /// A procedure, by its number.
    Procedure(usize),
    /// A guard of the table's own; whether it is the contrary.
    Ask(Guard, bool),
    /// A name.
    Name(Term),
}

/// A host step as it is read.
pub(super) struct Host {
    pub(super) pieces: Vec<Piece>,
    pub(super) shown: String,
    pub(super) arguments: usize,
    pub(super) answers: bool,
}

/// A variable that a list of steps declares.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) sort: Sort,
    pub(crate) slot: SlotId,
}

/// What a table declares.
pub(crate) struct Declared<'t> {
    pub(crate) kinds: Vec<Kind>,
    /// All rules by their names.
    pub(crate) modes: Vec<&'t str>,
    /// How many of them are insertion modes. These come first.
    pub(crate) insertion_modes: usize,
    pub(crate) states: Vec<State>,
    pub(super) hosts: Vec<Host>,
    elements: HashSet<ElementName>,
    element_names: HashSet<String>,
    forms: BTreeMap<Sort, Vec<Form>>,
    pub(crate) locals: Vec<Local>,
}

impl<'t> Declared<'t> {
    pub(crate) fn new(kinds: Vec<Kind>, contents: &[String]) -> Self {
        let mut declared = Self {
            kinds: Vec::new(),
            modes: Vec::new(),
            insertion_modes: 0,
            states: Vec::new(),
            hosts: Vec::new(),
            elements: HashSet::new(),
            element_names: HashSet::new(),
            forms: BTreeMap::new(),
            locals: Vec::new(),
        };
        let rows = [STEPS, GUARDS, NODES, TYPES]
            .into_iter()
            .chain(OTHERS.iter().copied());
        for row in rows.flatten() {
            declared.row(row, row.template.pattern, false);
            if let Some(negated) = row.negated {
                declared.row(row, negated, true);
            }
        }
        for (number, kind) in kinds.iter().enumerate() {
            declared.name(Sort::Kind, &kind.name, KindOf(number));
            declared.name(Sort::Kind, &format!("{} token", kind.name), KindOf(number));
        }
        for content in contents {
            declared.name(Sort::Content, content, Content(content.clone()));
        }
        declared.kinds = kinds;
        declared
    }

    fn row(&mut self, row: &'static Pattern, pattern: &str, negated: bool) {
        let mut holes = row.holes.iter().copied();
        let mut next = holes.next();
        let pieces = pieces(pattern, |word| {
            let sort = next.filter(|sort| sort.word() == word)?;
            next = holes.next();
            Some(sort)
        });
        let form = Form {
            pieces,
            says: SaysWhat::Row(row, negated),
            shown: pattern.to_owned(),
        };
        self.forms.entry(row.sort).or_default().push(form);
    }

    /// A name of a sort.
    pub(crate) fn name(&mut self, sort: Sort, name: &str, term: impl Into<Term>) {
        let form = Form {
            pieces: pieces(name, |_| None),
            says: SaysWhat::Name(term.into()),
            shown: name.to_owned(),
        };
        let forms = self.forms.entry(sort).or_default();
        // Two flags may have one word.
        if forms.iter().all(|it| it.shown != form.shown) {
            forms.push(form);
        }
    }

    /// Rules. Only insertion modes stand in quotes.
    pub(crate) fn rules(&mut self, name: &'t str, is_insertion_mode: bool) {
        if is_insertion_mode {
            self.insertion_modes += 1;
        } else {
            self.name(Sort::Mode, name, Mode::Named(self.modes.len()));
        }
        self.modes.push(name);
    }

    /// A variable or question of the table's own.
    pub(crate) fn state(&mut self, state: State) {
        let number = self.states.len();
        match &state.holds {
            Holds::Words(words) => {
                for word in words {
                    self.name(Sort::Word, word, Word(word.clone()));
                }
                match state.is_asked {
                    true => self.name(Sort::Question, &state.name, Question(number)),
                    false => self.name(Sort::Flag, &state.name, Flag(number)),
                }
            }
            Holds::Node => {
                self.name(Sort::Node, &state.name, Node::State(number));
                if !state.is_asked {
                    self.name(Sort::Assigned, &state.name, Assigned::State(number));
                }
            }
            Holds::Truth => self.guard(&state.name, &Guard::IsYes(number)),
        }
        self.states.push(state);
    }

    /// A guard with a name. Its contrary has `not` behind its verb.
    pub(crate) fn guard(&mut self, name: &str, guard: &Guard) {
        let words: Vec<&str> = name.split_whitespace().collect();
        let verb = words
            .iter()
            .position(|word| matches!(*word, "is" | "are" | "was" | "were"));
        let contrary = verb.map(|verb| {
            [&words[..=verb], &["not"], &words[verb + 1..]]
                .concat()
                .join(" ")
        });
        for (name, negated) in [(Some(name.to_owned()), false), (contrary, true)] {
            let Some(name) = name else { continue };
            let form = Form {
                pieces: pieces(&name, |_| None),
                says: SaysWhat::Ask(guard.clone(), negated),
                shown: name,
            };
            self.forms.entry(Sort::Atom).or_default().push(form);
        }
    }

    pub(crate) fn host(&mut self, name: &str, arguments: usize, answers: bool) {
        self.hosts.push(Host {
            pieces: pieces(name, |_| None),
            shown: name.to_owned(),
            arguments,
            answers,
        });
    }

    /// A set of element types: `special element`, `HTML integration point`.
    pub(crate) fn set(&mut self, name: &str, number: usize) {
        for name in [
            name.to_owned(),
            format!("{name} element"),
            format!("{name} elements"),
        ] {
            self.name(Sort::Set, &name, SetOf(number));
        }
    }

    pub(crate) fn scope(&mut self, name: &str, number: usize) {
        self.name(Sort::Scope, name, ScopeOf(number));
    }

    pub(crate) fn property(&mut self, name: &str, number: usize) {
        self.name(Sort::Property, name, PropertyOf(number));
    }

    pub(crate) fn names(&mut self, name: &str, number: usize) {
        self.name(Sort::Names, name, NamesOf(number));
    }

    pub(crate) fn quirks(&mut self, name: &str, number: usize) {
        self.name(Sort::Quirks, name, QuirksOf(number));
    }

    pub(crate) fn class(&mut self, name: &str, ranges: Vec<(char, char)>) {
        self.name(Sort::Class, name, Class(ranges));
    }

    pub(crate) fn element(&mut self, name: ElementName) {
        self.element_names.insert(name.name.clone());
        self.elements.insert(name);
    }

    pub(crate) fn has_element(&self, name: &ElementName) -> bool {
        self.elements.contains(name)
    }

    /// A procedure: what it is where it stands in a phrase, and what its holes are.
    pub(crate) fn procedure(&mut self, name: &str, number: usize, sort: Sort) {
        let form = Form {
            pieces: pieces(name, hole),
            says: SaysWhat::Procedure(number),
            shown: name.to_owned(),
        };
        self.forms.entry(sort).or_default().push(form);
    }

    pub(super) fn forms(&self, sort: Sort) -> &[Form] {
        self.forms.get(&sort).map_or(&[], Vec::as_slice)
    }

    /// Whether a sort has names only, which may be written with an article.
    pub(super) fn is_name(&self, sort: Sort) -> bool {
        matches!(
            self.forms(sort),
            [
                Form {
                    says: SaysWhat::Name(_),
                    ..
                },
                ..
            ]
        ) || matches!(
            sort,
            Sort::Mode | Sort::CodePoint | Sort::Kind | Sort::Quoted
        )
    }

    /// Whether a procedure stands for a value of this sort.
    pub(crate) fn is_procedure(&self, number: usize, sort: Sort) -> bool {
        let is = |form: &Form| matches!(form.says, SaysWhat::Procedure(it) if it == number);
        self.forms(sort).iter().any(is)
    }

    /// Whether a variable cannot have this name: it would be read as something else.
    pub(crate) fn is_taken(&self, name: &str) -> bool {
        self.element_names.contains(name)
            || matches!(
                name,
                "null" | "true" | "false" | "marker" | "the" | "a" | "an"
            )
    }

    pub(super) fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().find(|local| local.name == name)
    }

    pub(super) fn mode(&self, name: &str) -> Option<ModeId> {
        let mut modes = self.modes.iter().take(self.insertion_modes);
        modes.position(|mode| *mode == name)
    }

    /// An arm by what its key would say.
    pub(super) fn arm(&self, text: &str) -> Option<ArmWanted> {
        let key = Text {
            text: text.to_owned(),
            at: Default::default(),
        };
        let mut ignored = Faults::default();
        let parts = arm_key::parts(&key, &mut ignored);
        let [part] = &parts[..] else { return None };
        let kind = || self.kinds.iter().position(|kind| kind.name == part.kind);
        let names = || {
            part.names
                .iter()
                .map(|(name, _)| name.clone())
                .collect::<Vec<_>>()
        };
        if part.set.is_some() || part.guard.is_some() || ignored.any_error() {
            return None;
        }
        Some(ArmWanted(match (&*part.kind, part.is_other) {
            (ANYTHING_ELSE, false) => Tokens::AnythingElse,
            (_, true) => Tokens::AnyOther(kind()?),
            (CHARACTER, false) => return None,
            (_, false) if part.names.is_empty() => Tokens::Kind(kind()?),
            (_, false) => Tokens::Named(kind()?, names()),
        }))
    }

    /// The names of a sort, for helps.
    pub(super) fn names_of(&self, sort: Sort) -> Vec<String> {
        match sort {
            Sort::Mode | Sort::Modes => self.modes.iter().map(|&name| name.to_owned()).collect(),
            Sort::ElementNames => {
                let shown = |name: &ElementName| match name.space {
                    crate::tree::machine::Space::Html => name.name.clone(),
                    space => format!("{} {}", space.as_str(), name.name),
                };
                let mut names: Vec<String> = self.elements.iter().map(shown).collect();
                names.sort();
                names
            }
            _ => {
                let names = self
                    .forms(sort)
                    .iter()
                    .filter(|form| matches!(form.says, SaysWhat::Name(_)));
                let names = names.map(|form| form.shown.clone());
                let locals = self
                    .locals
                    .iter()
                    .filter(|it| it.sort == sort || sort == Sort::Assigned);
                names
                    .chain(locals.map(|local| local.name.clone()))
                    .collect()
            }
        }
    }
}

/// What a word in the name of a procedure is a hole for.
pub(crate) fn hole(word: &str) -> Option<Sort> {
    let known: HashMap<&str, Sort> = Sort::HOLES.into_iter().collect();
    known.get(word).copied()
}

/// The holes of a procedure's name, in order.
pub(crate) fn holes(name: &str) -> Vec<(String, Sort)> {
    let mut holes = Vec::new();
    pieces(name, |word| {
        let sort = hole(word)?;
        holes.push((word.to_owned(), sort));
        Some(sort)
    });
    holes
}
