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
    k("source", "Where the text comes from; for readers only."),
    k(
        "text",
        "The file of the text, and under which licence it may be quoted.",
    ),
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
    k(
        "error explanations",
        "For each error code a sentence for people.",
    ),
    k(
        "error links",
        "For each error code a link to the text; `anything else` is that of all others, in which `CODE` stands for the code.",
    ),
    k("classes", "Names for character sets."),
    k(
        "registers",
        "Variables besides the tokens under construction.",
    ),
    k("conditions", "Names for guards."),
    k(
        "preprocessing",
        "Changes of the input stream before the states see it.",
    ),
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
    k(
        "entry states",
        "The states in which the caller may start, or to which it may switch; by content.",
    ),
    k(
        "contents after start tags",
        "For each content, the names of the start tags that it follows.",
    ),
    k(
        "on emitting",
        "Steps that run when a token of a kind is emitted.",
    ),
    k(
        "procedures",
        "Named step lists and sub-machines that several states use.",
    ),
    k(
        "hot",
        "The states that matter for speed, in path order. Does not change what the tokenizer does.",
    ),
    k("states", "The states, in the order of the text."),
    k(
        "errata",
        "Ambiguities and slips of the text that concern a top-level key.",
    ),
    k(
        "remarks",
        "Sentences of the text that no table can express, by their beginnings, each with the reason; for the audit.",
    ),
];

/// Of `text`.
pub(crate) const TEXT: &[Key] = &[
    k("file", "Its name, in the folder that `diff --texts` names."),
    k("link", "Where the text is published."),
    k(
        "licence",
        "Whose words they are, and the licence; without it nothing is quoted.",
    ),
    k("licence link", "Where the licence is published."),
    k(
        "quoted from",
        "The first section that may be quoted; by default all may be.",
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
    k("steps", "The steps of a state that consumes nothing."),
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
        "Characters that are errors wherever they occur, by set.",
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
        "The contents that the caller may ask for; the default is `data` alone.",
    ),
    k(
        "questions",
        "Yes/no questions that guards may ask the caller.",
    ),
    k(
        "answering",
        "The kinds whose emission lets the sink answer with a content.",
    ),
    k(
        "start tag",
        "The kind whose `name` becomes the last start tag's and selects its content; one of `answering`.",
    ),
];

/// Of a sub-machine.
pub(crate) const PROCEDURE: &[Key] = &[
    k("section", "Its number, when it has one of its own."),
    k("states", "Its states; it starts in the first."),
];

/// Of an erratum.
pub(crate) const ERRATUM: &[Key] = &[
    k("says", "The words of the text."),
    k(
        "reads",
        "The words that the audit reads in their place, in the style of the text.",
    ),
    k("does", "What the table does."),
    k("why", "The reason."),
];
