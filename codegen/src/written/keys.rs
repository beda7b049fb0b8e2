//! The keys of the language, once: for reading, for messages and for the schema.

/// A key and what it says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}

/// A key.
pub(crate) const fn k(name: &'static str, about: &'static str) -> Key {
    Key { name, about }
}

/// Top level.
pub(crate) const TOP: &[Key] = &[
    k(
        "table",
        "The table's name: lower-case letters, digits and hyphens.",
    ),
    k("title", "One line for people."),
    k("source", "Where the text comes from. Information."),
    k("extends", "The name, or relative path, of a base table."),
    k(
        "section",
        "The number of the section whose subsections are the states.",
    ),
    k(
        "vocabulary",
        "`markup`, or a vocabulary of the table's own.",
    ),
    k("error codes", "The codes that `error CODE` may name."),
    k("classes", "Names for character sets."),
    k(
        "registers",
        "Variables besides the tokens under construction.",
    ),
    k("conditions", "Names for guards."),
    k("preprocessing", "The input stream."),
    k(
        "named character references",
        "The data file of the named character references table, beside the table.",
    ),
    k(
        "numeric replacements",
        "Numbers that a numeric character reference replaces.",
    ),
    k(
        "initial state",
        "The content in whose entry state the tokenizer starts.",
    ),
    k("entry states", "Where the outside may start or switch to."),
    k(
        "contents after start tags",
        "What an element contains, by the name of its start tag: names for each content.",
    ),
    k("on emitting", "Steps when a token of a kind is emitted."),
    k(
        "procedures",
        "Named step lists and sub-machines that several states use.",
    ),
    k(
        "hot",
        "The states that matter for speed, in path order. Says nothing about meaning.",
    ),
    k("states", "The states, in the order of the text."),
    k(
        "errata",
        "Ambiguities and slips of the text that concern a top-level key.",
    ),
    k(
        "remarks",
        "Sentences of the text that no table can hold, by how they begin, each with the reason; for the audit.",
    ),
];

/// Of a state.
pub(crate) const STATE: &[Key] = &[
    k(
        "section",
        "Its number, when it does not follow from the order.",
    ),
    k("after", "In an extending table: the state that it follows."),
    k(
        "before",
        "In an extending table: the state that follows it.",
    ),
    k(
        "includes the character that switched here",
        "A switch from an arm that consumed a character reconsumes it here.",
    ),
    k(
        "first",
        "Steps on entering the state, before it consumes; not repeated when the state stays.",
    ),
    k("consume", "Consume the next input character: arms."),
    k(
        "look ahead",
        "Arms that look at the next input character and consume nothing unless they say so.",
    ),
    k(
        "match a named character reference",
        "Two arms, `match` and `no match`.",
    ),
    k("steps", "A state that consumes nothing: its steps."),
    k(
        "leaving",
        "Steps that run before the actions of each arm that goes elsewhere.",
    ),
    k("errata", "Ambiguities and slips of the text, by arm."),
];

/// Of a state: what it does.
pub(crate) const BODIES: &[&str] = &[
    "consume",
    "look ahead",
    "match a named character reference",
    "steps",
];

/// Of `preprocessing`.
pub(crate) const PREPROCESSING: &[Key] = &[
    k("byte order mark", "`drop` or `keep` one leading U+FEFF."),
    k(
        "newlines",
        "`normalize` or `keep`: whether CR LF and CR become LF.",
    ),
    k("replace", "Characters that the states see as others."),
    k(
        "errors",
        "Occurrences that are errors in themselves, by set.",
    ),
];

/// Of a vocabulary of the table's own.
pub(crate) const VOCABULARY: &[Key] = &[
    k(
        "tokens",
        "The tokens, each with its fields and their types.",
    ),
    k(
        "contents",
        "What the outside may ask for; `data` alone when left out.",
    ),
    k(
        "questions",
        "Yes/no questions that guards may ask the outside.",
    ),
    k(
        "answering",
        "The kinds whose emission lets the outside answer with a content.",
    ),
    k(
        "start tag",
        "The kind whose `name` becomes the last start tag's and says what its element contains; one of `answering`.",
    ),
];

/// Of a sub-machine.
pub(crate) const PROCEDURE: &[Key] = &[
    k("section", "Its number, when it has one of its own."),
    k("states", "Its states; it starts in the first."),
];

/// Of an erratum.
pub(crate) const ERRATUM: &[Key] = &[
    k("says", "What is written."),
    k(
        "reads",
        "What the audit reads in its place, in the text's way of saying things.",
    ),
    k("does", "What the table does."),
    k("why", "Why."),
];
