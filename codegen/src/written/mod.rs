//! The table as typed: keys and texts in order, nothing looked up yet.

mod arms;
mod indentation;
mod keys;
mod reader;
mod sections;
mod state;
mod table;

pub(crate) use arms::is_branch;
pub(crate) use keys::{Key, KeyOf, Shape, example_of, keys, names};
pub(crate) use reader::Reader;
pub(crate) use sections::{
    NO_BASE, Section, lacks_its_base, limit, merged, nothing_to_change, refuse_removed, sections,
    unused,
};
pub(crate) use state::{BODIES, ERRATUM, STATE};
pub(crate) use table::{PREPROCESSING, PROCEDURE, TEXT, TOP, VOCABULARY, no_entry_state, table};

use crate::diagnostic::{Code, Faults, Span};
use crate::read::At;

/// How a key could stand in a table.
pub(crate) fn example(key: &str) -> Option<&'static str> {
    (example_of(TOP, key).or_else(|| example_of(STATE, key)))
        .or_else(|| example_of(VOCABULARY, key))
        .or_else(|| example_of(PREPROCESSING, key))
}

/// A scalar and where it is.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) at: At,
}

impl Text {
    /// The whole scalar.
    pub(crate) fn span(&self) -> Span {
        self.at.into()
    }
}

/// The number of the section after another one: `1.4.10` after `1.4.9`.
pub(crate) fn next_section(section: &str) -> Option<String> {
    let (parent, number) = section.rsplit_once('.')?;
    let next = number.parse::<u32>().ok()?.checked_add(1)?;
    Some(format!("{parent}.{next}"))
}

/// A named thing; `None` when an extending table says `removed`.
#[derive(Clone, Debug)]
pub(crate) struct Entry<T> {
    pub(crate) name: Text,
    pub(crate) value: Option<T>,
}

/// The whole table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    pub(crate) name: Option<Text>,
    pub(crate) title: Option<Text>,
    /// What is said of the text, by the keys of [`TEXT`].
    pub(crate) text: Vec<(Text, Text)>,
    pub(crate) extends: Option<Text>,
    pub(crate) section: Option<Text>,
    pub(crate) vocabulary: Option<Vocabulary>,
    pub(crate) errors: Option<Vec<Text>>,
    /// Error codes that the text lists and no state reports.
    pub(crate) unreported: Vec<String>,
    /// A sentence for people, by code.
    pub(crate) explanations: Vec<Entry<Text>>,
    /// A link to the text, by code.
    pub(crate) links: Vec<Entry<Text>>,
    pub(crate) classes: Vec<Entry<Vec<Text>>>,
    pub(crate) registers: Vec<Entry<RegisterType>>,
    pub(crate) conditions: Vec<Entry<Text>>,
    pub(crate) preprocessing: Option<Preprocessing>,
    pub(crate) references: Option<Text>,
    pub(crate) replacements: Option<Vec<(Text, Text)>>,
    pub(crate) initial: Option<Text>,
    pub(crate) entries: Vec<Entry<EntryState>>,
    pub(crate) contents_section: Option<Text>,
    pub(crate) contents_after: Vec<Entry<Vec<Text>>>,
    pub(crate) on_emitting: Vec<Entry<Steps>>,
    pub(crate) procedures: Vec<Entry<Procedure>>,
    pub(crate) hot: Option<Vec<Text>>,
    pub(crate) states: Vec<State>,
    pub(crate) errata: Vec<(Text, Erratum)>,
    pub(crate) remarks: Vec<Entry<Text>>,
    /// Where faults of the table as a whole are shown.
    pub(crate) at: Option<At>,
    /// The top-level keys it has, to tell a missing one from a faulty one.
    pub(crate) keys: Vec<Text>,
}

sections! { Table,
    /// The keys of a tokenizer's table that declare names.
    Sections {
        Explanation(explanations): "error explanations", "error explanation";
        Link(links): "error links", "error link";
        Class(classes): "classes", "class", UnusedClass;
        Register(registers): "registers", "register", UnusedRegister;
        Condition(conditions): "conditions", "condition", UnusedCondition;
        EntryState(entries): "entry states", "entry state";
        ContentAfter(contents_after): "contents after start tags", "content after start tags";
        OnEmitting(on_emitting): "kinds of tokens with steps on emitting", "kind of token with steps on emitting";
        Procedure(procedures): "procedures", "procedure", UnusedProcedure;
        Remark(remarks): "remarks", "remark";
    }
}

/// The tokens.
#[derive(Clone, Debug)]
pub(crate) enum Vocabulary {
    Shared(Text),
    Own(OwnVocabulary),
}

/// A vocabulary of a table's own.
#[derive(Clone, Debug, Default)]
pub(crate) struct OwnVocabulary {
    pub(crate) at: At,
    /// `None` after a fault.
    pub(crate) tokens: Option<Vec<Token>>,
    pub(crate) contents: Option<Vec<Text>>,
    pub(crate) questions: Vec<Text>,
    pub(crate) answering: Vec<Text>,
    pub(crate) start_tag: Option<Text>,
}

/// A token of a table's own.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) name: Text,
    pub(crate) kinds: Vec<Text>,
    pub(crate) fields: Vec<(Text, Text)>,
}

/// What a register holds.
#[derive(Clone, Debug)]
pub(crate) enum RegisterType {
    Named(Text),
    Words(Vec<Text>),
}

/// The input stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Preprocessing {
    pub(crate) byte_order_mark: Option<Text>,
    pub(crate) newlines: Option<Text>,
    pub(crate) replace: Vec<(Text, Text)>,
    pub(crate) errors: Vec<(Text, Text)>,
}

/// Where a content starts.
#[derive(Clone, Debug)]
pub(crate) enum EntryState {
    State(Text),
    Steps(Vec<Text>),
}

/// A step list or a sub-machine.
#[derive(Clone, Debug)]
pub(crate) enum Procedure {
    Steps(Steps),
    States {
        section: Option<Text>,
        states: Vec<State>,
    },
}

/// One state, or a change to one of the base.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) name: Text,
    pub(crate) removed: bool,
    pub(crate) place: Option<Place>,
    pub(crate) section: Option<Text>,
    /// Whether it says that it includes the character that switched here.
    pub(crate) includes: Option<bool>,
    pub(crate) first: Option<Steps>,
    pub(crate) leaving: Option<Steps>,
    pub(crate) body: Option<Body>,
    pub(crate) errata: Vec<(Text, Erratum)>,
}

/// Where a new state goes.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    After(Text),
    Before(Text),
}

/// What a state does.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Consume(Vec<Arm>),
    LookAhead(Vec<Arm>),
    Match { at: At, arms: Vec<Arm> },
    Steps(Steps),
    Branches(Vec<(Branch, Body)>),
}

impl Body {
    /// What was refused: nothing more is said about it.
    fn fault() -> Self {
        Self::Steps(Steps {
            list: vec![Step::Fault],
            is_list: false,
        })
    }
}

/// One arm, or a change to one of the base.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub(crate) key: Text,
    pub(crate) removed: bool,
    /// The arm of the base that it follows.
    pub(crate) after: Option<Text>,
    pub(crate) steps: Steps,
}

/// A phrase list.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    pub(crate) list: Vec<Step>,
    /// Whether it is written as a list, and not as its only phrase.
    pub(crate) is_list: bool,
}

/// One item of a phrase list.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Phrase(Text),
    Branch(Branch, Steps),
    /// What stood here was refused; the path must not be blamed for lacking it.
    Fault,
}

/// `if GUARD`, `otherwise if GUARD` or `otherwise`; in a language with loops also `while GUARD` or a label.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) key: Text,
    pub(crate) word: BranchWord,
    /// The guard: byte offset and length in the key; empty for `otherwise` and labels.
    pub(crate) guard: (usize, usize),
}

/// Which branch it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BranchWord {
    If,
    OtherwiseIf,
    Otherwise,
    While,
    /// A capitalized word, by which steps jump to its list.
    Label,
}

impl Branch {
    pub(crate) fn guard(&self) -> &str {
        let (start, len) = self.guard;
        self.key.text.get(start..start + len).unwrap_or_default()
    }

    pub(crate) fn guard_span(&self) -> Span {
        self.key.span().part(self.guard.0, self.guard.1)
    }

    /// Refuses an `otherwise` that follows no `if`.
    pub(crate) fn refuse_without_if(&self, faults: &mut Faults) {
        let message = "there is no `if` before this `otherwise`";
        faults
            .add(Code::MisplacedOtherwise, self.key.span(), message)
            .help("`if`, `otherwise if` and `otherwise` follow each other in one list");
    }
}

/// A remark on a place where the text is ambiguous or has a slip.
#[derive(Clone, Debug, Default)]
pub(crate) struct Erratum {
    pub(crate) says: Option<Text>,
    pub(crate) reads: Option<Text>,
    pub(crate) does: Option<Text>,
    pub(crate) why: Option<Text>,
}
