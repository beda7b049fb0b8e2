//! The reference of both languages, word by word: diagnostic codes, phrases, guards, values and keys, from where reading and the
//! pages in `docs` have them.

use crate::check::{GUARDS, PHRASES};
use crate::diagnostic::{Code, Severity};
use crate::phrase::{Template, VALUES, nearest, templates_of};
use crate::set_notation::BUILT_IN;
use crate::suggest::closest;
use crate::tree;
use crate::written::{ERRATUM, KeyOf, PREPROCESSING, PROCEDURE, STATE, TEXT, TOP, VOCABULARY};

/// A word of the table language or of its diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What it is: `phrase`, `key of a state`.
    pub kind: &'static str,
    /// The word, with open parts in capitals: `switch to STATE`.
    pub name: &'static str,
    /// One that could stand in a table.
    pub example: Option<&'static str>,
    /// What it means.
    pub about: &'static str,
}

/// All of them.
pub fn entries() -> impl Iterator<Item = Entry> {
    let codes = |wanted: Severity, kind| {
        let codes = Code::ALL.iter().filter(move |c| c.severity() == wanted);
        codes.map(move |code| Entry {
            kind,
            name: code.as_str(),
            example: None,
            about: code.about(),
        })
    };
    let [
        [phrases, steps],
        [guards, tree_guards],
        [values, tree_values],
    ] = rows();
    let keys = of_keys("key of a table", TOP)
        .chain(of_keys("key of `vocabulary`", VOCABULARY))
        .chain(of_keys("key of `preprocessing`", PREPROCESSING))
        .chain(of_keys("key of `text`", TEXT))
        .chain(of_keys("key of a procedure", PROCEDURE))
        .chain(of_keys("key of a state", STATE))
        .chain(of_keys("key of an erratum", ERRATUM))
        .chain(of_keys("key of a tree table", tree::TOP))
        .chain(of_keys("key of an insertion mode", tree::MODE))
        .chain(of_keys("key of `fragments`", tree::FRAGMENTS));
    let classes = BUILT_IN.iter().map(|class| Entry {
        kind: "class",
        name: class.name,
        example: None,
        about: class.about,
    });
    codes(Severity::Error, "code of an error")
        .chain(codes(Severity::Warning, "code of a warning"))
        .chain(phrases.entries())
        .chain(guards.entries())
        .chain(words(&[NOT]))
        .chain(values.entries())
        .chain(steps.entries())
        .chain(tree_guards.entries())
        .chain(tree_values.entries())
        .chain(classes)
        .chain(keys)
        .chain(words(WORDS))
}

/// The rows of one kind in one of the languages.
struct Rows {
    kind: &'static str,
    rows: Vec<&'static Template>,
}

impl Rows {
    fn entries(self) -> impl Iterator<Item = Entry> {
        let of_kind = move |row| of_template(self.kind, row);
        self.rows.into_iter().map(of_kind)
    }
}

/// Phrases, guards and values: those of tokenizers, and those of tree construction.
fn rows() -> [[Rows; 2]; 3] {
    let [steps, guards, values] = tree::rows();
    let of = |kind, rows| Rows { kind, rows };
    [
        [
            of("phrase", templates_of(PHRASES).collect()),
            of(STEP, steps),
        ],
        [
            of("guard", templates_of(GUARDS).collect()),
            of(TREE_GUARD, guards),
        ],
        [
            of("value", templates_of(VALUES).collect()),
            of("value of a tree table", values),
        ],
    ]
}

const STEP: &str = "step of a tree table";
const TREE_GUARD: &str = "guard of a tree table";

fn of_keys<T>(kind: &'static str, keys: &'static [KeyOf<T>]) -> impl Iterator<Item = Entry> {
    keys.iter().map(move |of| Entry {
        kind,
        name: of.key.name,
        example: Some(of.key.example),
        about: of.key.about,
    })
}

fn words(words: &'static [[&'static str; 3]]) -> impl Iterator<Item = Entry> {
    let entry = |&[kind, name, about]: &[&'static str; 3]| Entry {
        kind,
        name,
        example: None,
        about,
    };
    words.iter().map(entry)
}

/// The guard that has another one in it.
const NOT: [&str; 3] = ["guard", "not GUARD", "The guard does not hold."];

/// What else is written in tables: what it is, the word, and what it means.
#[rustfmt::skip]
const WORDS: &[[&str; 3]] = &[
    ["key of an arm", "EOF", "The end of the input."],
    ["key of an arm", "anything else", "All input that no other arm of the state takes, or all tokens that no other arm of the rules takes."],
    ["key of an arm", "end-of-file", "In a tree table: the end-of-file token."],
    ["key of an arm", "any other KIND", "In a tree table: the tokens of this kind that no other part of a key takes."],
    ["key of an arm", "character token that is CLASS", "In a tree table: the characters of a class."],
    ["branch", "if GUARD", "The phrases of this branch run if the guard holds."],
    ["branch", "otherwise if GUARD", "The phrases of this branch run if this guard is the first that holds."],
    ["branch", "otherwise", "The phrases of this branch, which is the last, run if no guard holds."],
    ["branch", "while GUARD", "In a tree table: these steps run again and again as long as the guard holds."],
    ["type of a field or register", "text", "A string, empty at first."],
    ["type of a field", "optional text", "A string or none; none at first."],
    ["type of a field", "flag", "Set or unset; unset at first."],
    ["type of a field", "attributes", "A list of names and values, empty at first."],
    ["type of a register", "state", "A state; at first the initial state."],
    ["type of a register", "number", "A number, 0 at first; 0x110000 stands for all numbers above U+10FFFF."],
    ["type of a register", "list of words", "One of these words, the first at first: `[no, yes]`."],
    ["type of a register", "character", "A character or none; none at first."],
    ["type in a tree table", "insertion mode", "One of the table's; at first the initial one."],
    ["type in a tree table", "stack of insertion modes", "Insertion modes, the last of which is the current one; empty at first."],
    ["type in a tree table", "stack of elements", "Elements, the last of which is the current node; empty at first."],
    ["type in a tree table", "list of elements and markers", "The list of active formatting elements; empty at first."],
    ["type in a tree table", "list of characters", "Character tokens that wait; empty at first."],
    ["type in a tree table", "element", "An element or null; null at first. Of a question: what the host answers."],
    ["type in a tree table", "yes or no", "Of a question: a guard, which the host answers."],
    ["type in a tree table", "[WORD, WORD]", "A flag or a question with these words; a flag has the first at first."],
];

fn of_template(kind: &'static str, template: &'static Template) -> Entry {
    Entry {
        kind,
        name: template.pattern,
        example: Some(template.example),
        about: template.about,
    }
}

/// What may stand before a guard.
const GUARD_AFTER: [&str; 3] = ["if ", "otherwise if ", "not "];

/// The entries of a word: a key may belong to several places, and a phrase to both languages. A phrase or guard may be written as
/// in a table.
///
/// # Errors
/// When there is none: the word that may be meant.
pub fn explain(words: &str) -> Result<Vec<Entry>, Option<&'static str>> {
    // As `check` prints a code, perhaps with the message behind it.
    let pasted = ["error[", "warning["].iter().find_map(|before| {
        let (code, _) = words.trim_start().strip_prefix(before)?.split_once(']')?;
        Some(code)
    });
    // As a key stands in a table.
    let whole = pasted.unwrap_or(words).trim().trim_end_matches(':');
    let mut words = whole;
    while let Some(guard) = guard_in(words) {
        words = guard;
    }
    for words in [whole, words] {
        let same = |entry: &Entry| {
            let example = entry.example.is_some_and(|e| e.eq_ignore_ascii_case(words));
            // The first word of phrases or guards stands for all of them.
            let is_phrase = ["phrase", "guard", STEP, TREE_GUARD].contains(&entry.kind)
                || entry.name.ends_with("GUARD");
            let begins = is_phrase && begins_with(entry.name, words);
            entry.name.eq_ignore_ascii_case(words) || example || begins
        };
        let found: Vec<_> = entries().filter(same).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    // One word is a code or a key: only what has several can be a phrase with names in it.
    let has_several = words.contains(' ');
    let [phrases, guards, values] = rows();
    // A phrase is known by its verb. What else is like another word is a slip.
    let all = phrases.iter().flat_map(|language| &language.rows).copied();
    let phrase = nearest(words, all).filter(|_| has_several);
    let is_phrase = |row: &Template| has_several && same_verb(row.pattern, words);
    let meant = like(words, &phrases, is_phrase);
    if !meant.is_empty() {
        return Ok(meant);
    }
    if let Some(meant) = closest(words, entries().map(|entry| entry.name)) {
        return Err(Some(meant));
    }
    // A guard is known by its first word, or else by all of its words; a value by all of them.
    let typed: Vec<&str> = words.split_whitespace().collect();
    let has_all = |row: &Template| has_several && row.shared(&typed).len() == row.fixed().count();
    let meant = like(words, &guards, |guard| is_phrase(guard) || has_all(guard));
    let meant = match meant.is_empty() {
        true => like(words, &values, |value| has_all(value) && value.takes(words)),
        false => meant,
    };
    match meant.is_empty() {
        true => Err(phrase.map(|phrase| phrase.pattern)),
        false => Ok(meant),
    }
}

/// Of each language the row that is most like a text, if it can be meant. One that takes the text as it stands is meant alone, or
/// beside one of the other language.
fn like(words: &str, languages: &[Rows; 2], is_meant: impl Fn(&Template) -> bool) -> Vec<Entry> {
    let nearest = languages.iter().filter_map(|language| {
        let row = nearest(words, language.rows.iter().copied())?;
        is_meant(row).then_some((language.kind, row))
    });
    let mut rows: Vec<_> = nearest.collect();
    if rows.iter().any(|(_, row)| row.takes(words)) {
        rows.retain(|(_, row)| row.takes(words));
    }
    let entries = rows.into_iter().map(|(kind, row)| of_template(kind, row));
    entries.collect()
}

/// The guard behind words that stand before one. Alone they are an entry themselves.
fn guard_in(words: &str) -> Option<&str> {
    let behind = |before: &&str| {
        let start = words.get(..before.len())?;
        let guard = words[before.len()..].trim_start();
        start.eq_ignore_ascii_case(before).then_some(guard)
    };
    let guard = GUARD_AFTER.iter().find_map(behind)?;
    (!guard.is_empty() && guard != "GUARD").then_some(guard)
}

/// Whether a phrase or guard begins with this one word.
fn begins_with(name: &str, word: &str) -> bool {
    let rest = name
        .get(..word.len())
        .filter(|start| start.eq_ignore_ascii_case(word));
    rest.is_some() && !word.contains(' ') && name[word.len()..].starts_with(' ')
}

fn same_verb(one: &str, other: &str) -> bool {
    let verb = |text: &str| text.split(' ').next().map(str::to_ascii_lowercase);
    verb(one) == verb(other)
}
