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
    codes(Severity::Error, "code of an error")
        .chain(codes(Severity::Warning, "code of a warning"))
        .chain(PHRASES.iter().map(|phrase| of_template("phrase", phrase)))
        .chain(GUARDS.iter().map(|guard| of_template("guard", guard)))
        .chain(keys)
}

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
    let same = |entry: &Entry| {
        let example = entry.example.is_some_and(|e| e.eq_ignore_ascii_case(words));
        entry.name.eq_ignore_ascii_case(words) || example
    };
    let found: Vec<_> = entries().filter(same).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    // One word is a code or a key: only what has several can be a phrase with names in it.
    let templates = |templates| nearest(words, templates).filter(|_| words.contains(' '));
    let phrase = templates(PHRASES).map(|phrase| of_template("phrase", phrase));
    // A phrase is known by its verb. What else is like another word is a slip.
    let verb = |text: &str| text.split(' ').next().map(str::to_ascii_lowercase);
    if let Some(phrase) = phrase.filter(|phrase| verb(phrase.name) == verb(words)) {
        return Ok(vec![phrase]);
    }
    if let Some(meant) = closest(words, entries().map(|entry| entry.name)) {
        return Err(Some(meant));
    }
    let guard = templates(GUARDS).map(|guard| of_template("guard", guard));
    guard.or(phrase).map(|entry| vec![entry]).ok_or(None)
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
