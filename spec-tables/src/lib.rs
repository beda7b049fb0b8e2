//! Tokenizer tables: one for each revision of a specification, as YAML text.
//!
//! A table says, state by state and in the order of the specification's text, what the tokenizer does. The
//! language is described in `docs/table-language.md`. This crate is data: it holds the texts and the files
//! that they name, and knows nothing of what they mean. It is the only place that knows which revisions
//! there are: the build script finds every `NAME.yaml` of the crate.
//!
//! ```
//! let table = speclex_tables::get("html-living").expect("a table of this crate");
//! assert_eq!(table.file, "html-living.yaml");
//! assert!(table.text.contains("extends: html-2026-06"));
//! ```
//!
//! # Named character references
//!
//! A table names the file of its named character references: a JSON object from each name, as written
//! after the `&` and with its `;` if it has one, to a list of one or two code points, sorted by name.
//! [`references`] gives its text.
//!
//! | file | names | the table of |
//! |---|---|---|
//! | `references-html.json` | 2231 | HTML since 29 September 2010; the standard promises that it will not grow |
//! | `references-html-2009.json` | 2137 | the HTML 5 draft of 7 February 2009 |
//!
//! No features.

/// The table of one revision: of its tokenizer, or of its tree construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    /// The revision's name, by which other tables extend it: `html-2012`.
    pub name: &'static str,
    /// The file's name.
    pub file: &'static str,
    /// The file's text.
    pub text: &'static str,
}

// `TABLES`, `TREES` and `REFERENCES`: what the build script finds beside itself.
include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// Where texts stay, by the name of the table: the page, and what the numbers of its states or insertion modes begin with.
const PAGES: &[(&str, &str, &str)] = &[
    (
        "html-tree-living",
        "https://html.spec.whatwg.org/multipage/parsing.html",
        "13.2.6.",
    ),
    (
        "html-living",
        "https://html.spec.whatwg.org/multipage/parsing.html",
        "13.2.5.",
    ),
    (
        "html-2012",
        "https://www.w3.org/TR/2012/CR-html5-20121217/syntax.html",
        "8.2.4.",
    ),
];

/// The address of a state or insertion mode in the text of a table, where that stays at one and has one for each: of that with
/// this section and name.
pub fn address(table: &str, section: &str, state: &str) -> Option<String> {
    let (_, page, states) = PAGES.iter().find(|(name, ..)| *name == table)?;
    if tree(table).is_some() {
        let place = insertion_mode(state);
        return section
            .starts_with(states)
            .then(|| format!("{page}#{place}"));
    }
    // A part of a state is where the state is. The one procedure is no state.
    let state = state.split(", ").next()?.to_lowercase().replace(' ', "-");
    let end = ["-state", ""][usize::from(state == "consume-a-character-reference")];
    section
        .starts_with(states)
        .then(|| format!("{page}#{state}{end}"))
}

/// What HTML's page calls the section of an insertion mode.
fn insertion_mode(name: &str) -> String {
    let short = match name {
        "initial"
        | "before html"
        | "before head"
        | "after head"
        | "after after body"
        | "after after frameset" => {
            return format!("the-{}-insertion-mode", name.replace(' ', "-"));
        }
        "text" => "incdata",
        "in column group" => "incolgroup",
        "in table body" => "intbody",
        "in row" => "intr",
        "in cell" => "intd",
        "foreign content" => "inforeign",
        name => return format!("parsing-main-{}", name.replace(' ', "")),
    };
    format!("parsing-main-{short}")
}

/// The name of the table of tree construction that `speclex::parse` follows: change it here, and run `cargo xtask gen`. That writes its
/// builder, its tokenizer and their character references into the crate `speclex`, and `speclex-tokenizers` has them from there.
pub const PARSED: &str = "html-tree-living";

/// That of the table that `speclex::xml::parse` follows.
pub const PARSED_XML: &str = "xml5-tree";

/// Every table, by name. The names of a standard's revisions are in the order of their dates: `html-2009`, … `html-living`.
pub fn all() -> &'static [Table] {
    TABLES
}

/// The table with this name.
pub fn get(name: &str) -> Option<&'static Table> {
    TABLES.iter().find(|table| table.name == name)
}

/// Every table of tree construction. Each names the table of its tokenizer.
pub fn trees() -> &'static [Table] {
    TREES
}

/// The table of tree construction with this name.
pub fn tree(name: &str) -> Option<&'static Table> {
    TREES.iter().find(|table| table.name == name)
}

/// The text of the data file that a table gives for its `named character references`, by the file's name.
pub fn references(file: &str) -> Option<&'static str> {
    let (_, text) = REFERENCES.iter().find(|(name, _)| *name == file)?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const MODELINE: &str = "# yaml-language-server: $schema=schema.json";

    /// The value of a key at the top level of a table.
    fn top<'a>(table: &Table, text: &'a str, key: &str) -> Option<&'a str> {
        let mut values = text
            .lines()
            .filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        let value = values.next();
        assert_eq!(values.next(), None, "{}: `{key}` twice", table.name);
        value
    }

    #[test]
    fn tables_name_themselves() {
        let names: BTreeSet<_> = all().iter().map(|table| table.name).collect();
        assert_eq!(names.len(), all().len(), "two tables of one name");
        for table in all() {
            assert_eq!(table.text.lines().next(), Some(MODELINE), "{}", table.file);
            assert_eq!(top(table, table.text, "table"), Some(table.name));
            assert_eq!(get(table.name), Some(table));
        }
    }

    #[test]
    fn trees_name_themselves_and_what_is_here() {
        assert!(tree(PARSED).is_some(), "{PARSED}");
        assert!(tree(PARSED_XML).is_some(), "{PARSED_XML}");
        for table in trees() {
            assert_eq!(top(table, table.text, "tree"), Some(table.name));
            assert_eq!(tree(table.name), Some(table));
            assert!(get(table.name).is_none(), "a tokenizer has this name");
            let tokenizer = top(table, table.text, "tokenizer");
            assert!(tokenizer.is_some_and(|name| get(name).is_some()));
            let base = top(table, table.text, "extends");
            assert!(base.is_none_or(|base| tree(base).is_some()), "{base:?}");
        }
    }

    #[test]
    fn tables_name_only_what_is_here() {
        let mut named = BTreeSet::new();
        for table in all() {
            let base = top(table, table.text, "extends");
            assert!(base.is_none_or(|base| get(base).is_some()), "{base:?}");
            let file = top(table, table.text, "named character references");
            if let Some(file) = file {
                assert!(references(file).is_some(), "{}: {file}", table.name);
                named.insert(file);
            }
        }
        let here: BTreeSet<_> = REFERENCES.iter().map(|&(file, _)| file).collect();
        assert_eq!(named, here, "files that tables name, files embedded");
    }

    #[test]
    fn references_are_sorted_lists_of_code_points() {
        for (file, text) in REFERENCES {
            let lines: Vec<_> = text.lines().collect();
            let [first, entries @ .., last] = &lines[..] else {
                panic!("{file} is empty");
            };
            assert_eq!((*first, *last), ("{", "}"), "{file}");
            let mut before = "";
            for entry in entries {
                let (name, points) = entry
                    .trim_end_matches(',')
                    .trim()
                    .strip_prefix('"')
                    .and_then(|entry| entry.split_once("\": ["))
                    .unwrap_or_else(|| panic!("{file}: {entry}"));
                assert!(before < name, "{file}: {name} after {before}");
                before = name;
                let points: Vec<_> = points.trim_end_matches(']').split(", ").collect();
                assert!((1..=2).contains(&points.len()), "{file}: {entry}");
                for point in points {
                    let point = point.parse().ok().and_then(char::from_u32);
                    assert!(point.is_some(), "{file}: {entry}");
                }
            }
        }
    }

    #[test]
    fn states_have_the_addresses_of_their_texts() {
        for (table, section, state, wanted) in [
            (
                "html-living",
                "13.2.5.77",
                "character reference, first",
                "character-reference-state",
            ),
            (
                "html-living",
                "13.2.5.36",
                "attribute value (double-quoted)",
                "attribute-value-(double-quoted)-state",
            ),
            ("html-2012", "8.2.4.2", "RCDATA", "rcdata-state"),
            (
                "html-2012",
                "8.2.4.69",
                "consume a character reference, named character reference",
                "consume-a-character-reference",
            ),
        ] {
            let address = address(table, section, state).expect("an address");
            assert_eq!(
                address.split_once('#').map(|(_, state)| state),
                Some(wanted)
            );
        }
        assert_eq!(address("html-2009", "8.2.4.1", "data"), None);
        assert_eq!(address("my table", "1", "data"), None);
    }
}
