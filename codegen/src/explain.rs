//! The reference, word by word: diagnostic codes, phrases, guards and keys, from where reading and the pages in `docs`
//! have them.

use crate::diagnostic::{Code, Severity};
use crate::phrase::{GUARDS, PHRASES, Template, nearest};
use crate::suggest::closest;
use crate::written::{ERRATUM, Key, PREPROCESSING, PROCEDURE, STATE, TOP, VOCABULARY};

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
    let keys = [
        ("key of a table", TOP),
        ("key of `vocabulary`", VOCABULARY),
        ("key of `preprocessing`", PREPROCESSING),
        ("key of a procedure", PROCEDURE),
        ("key of a state", STATE),
        ("key of an erratum", ERRATUM),
    ];
    let keys = keys.into_iter().flat_map(|(kind, keys)| {
        keys.iter().map(move |&Key { name, about }| Entry {
            kind,
            name,
            example: None,
            about,
        })
    });
    let words = WORDS.iter().map(|&(kind, name, about)| Entry {
        kind,
        name,
        example: None,
        about,
    });
    codes(Severity::Error, "code of an error")
        .chain(codes(Severity::Warning, "code of a warning"))
        .chain(PHRASES.iter().map(|phrase| of_template("phrase", phrase)))
        .chain(GUARDS.iter().map(|guard| of_template("guard", guard)))
        .chain(keys)
        .chain(words)
}

/// What else is written in tables: the kind, the word, and what it means.
const WORDS: &[(&str, &str, &str)] = &[
    ("guard", "not GUARD", "The guard does not hold."),
    ("key of an arm", "EOF", "The end of the input."),
    (
        "key of an arm",
        "anything else",
        "What no other arm of the state takes.",
    ),
    (
        "branch",
        "if GUARD",
        "What follows is done where the guard holds.",
    ),
    (
        "branch",
        "otherwise if GUARD",
        "What follows is done where this guard is the first to hold.",
    ),
    (
        "branch",
        "otherwise",
        "What follows is done where no guard holds; the last of the branches.",
    ),
    (
        "type of a field or register",
        "text",
        "A string, empty at first.",
    ),
    (
        "type of a field",
        "optional text",
        "A string, or none, as at first.",
    ),
    ("type of a field", "flag", "Set or not, as at first."),
    (
        "type of a field",
        "attributes",
        "A list of names and values, empty at first.",
    ),
    (
        "type of a register",
        "state",
        "A state; at first the initial state.",
    ),
    (
        "type of a register",
        "number",
        "A number, 0 at first; 0x110000 stands for all above U+10FFFF.",
    ),
    (
        "type of a register",
        "character",
        "A character, or none, as at first.",
    ),
];

fn of_template(kind: &'static str, template: &'static Template) -> Entry {
    Entry {
        kind,
        name: template.pattern,
        example: Some(template.example),
        about: template.about,
    }
}

/// The entries of a word: a key may belong to several places. A phrase or guard may be written as in a table.
///
/// # Errors
/// When there is none: the word that may be meant.
pub fn explain(words: &str) -> Result<Vec<Entry>, Option<&'static str>> {
    // As a key stands in a table.
    let words = words.trim_end_matches(':');
    let same = |entry: &Entry| {
        let example = entry.example.is_some_and(|e| e.eq_ignore_ascii_case(words));
        // The first word of phrases or guards stands for all of them.
        let is_phrase = entry.example.is_some() || entry.name.ends_with("GUARD");
        let begins = is_phrase && begins_with(entry.name, words);
        entry.name.eq_ignore_ascii_case(words) || example || begins
    };
    let found: Vec<_> = entries().filter(same).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    // One word is a code or a key: only what has several can be a phrase with names in it.
    let templates = |templates| nearest(words, templates).filter(|_| words.contains(' '));
    // A phrase is known by its verb. What else is like another word is a slip.
    if let Some(phrase) = templates(PHRASES).filter(|phrase| same_verb(phrase.pattern, words)) {
        return Ok(vec![of_template("phrase", phrase)]);
    }
    if let Some(meant) = closest(words, entries().map(|entry| entry.name)) {
        return Err(Some(meant));
    }
    let guard = templates(GUARDS).map(|guard| of_template("guard", guard));
    guard.map(|entry| vec![entry]).ok_or(None)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn named(words: &str) -> Result<Vec<&'static str>, Option<&'static str>> {
        explain(words).map(|found| found.iter().map(|entry| entry.name).collect())
    }

    #[test]
    fn words_are_found_as_they_are_written() {
        assert_eq!(named("unknown-state"), Ok(vec!["unknown-state"]));
        assert_eq!(named("switch to STATE"), Ok(vec!["switch to STATE"]));
        assert_eq!(named("switch to before value"), Ok(vec!["switch to STATE"]));
        assert_eq!(
            named("the depth is greater than 3"),
            Ok(vec!["REGISTER is greater than N"])
        );
        assert_eq!(named("section"), Ok(vec!["section"; 3]));
        assert_eq!(named("unknown-stat"), Err(Some("unknown-state")));
        assert_eq!(named("entry sates"), Err(Some("entry states")));
        assert_eq!(named("qqq"), Err(None));
        assert_eq!(named("consume:"), Ok(vec!["consume it", "consume"]));
        assert_eq!(named("decrease the depth"), Ok(vec!["decrease REGISTER"]));
        assert_eq!(named("increase the depth"), Ok(vec!["increase REGISTER"]));
        assert_eq!(named("emit an item token"), Ok(vec!["emit a KIND token"]));
        assert_eq!(
            named("emit the item token"),
            Ok(vec!["emit the TOKEN token"])
        );
        assert_eq!(
            named("reconsume"),
            Ok(vec!["reconsume in STATE", "reconsume in the REGISTER"])
        );
        assert_eq!(named("anything else"), Ok(vec!["anything else"]));
    }

    #[test]
    fn each_entry_explains_itself() {
        for entry in entries() {
            assert!(
                named(entry.name).is_ok_and(|found| found.contains(&entry.name)),
                "{entry:?}"
            );
            assert!(!entry.about.is_empty(), "{entry:?}");
            if let Some(example) = entry.example {
                assert!(named(example).is_ok(), "{entry:?}");
            }
        }
    }
}
