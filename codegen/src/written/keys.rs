//! The keys of the language, once: for reading, for messages and for the schema.

/// A key and what it says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
}

macro_rules! keys {
    ($($(#[doc = $about:literal])+ $name:literal;)+) => {
        &[$($crate::written::Key {
            name: $name,
            about: concat!($($about),+).trim_ascii_start(),
        }),+]
    };
}
pub(crate) use keys;

/// Top level.
pub(crate) const TOP: &[Key] = keys! {
    /// The table's name: lower-case letters, digits and hyphens.
    "table";
    /// One line for people.
    "title";
    /// Where the text comes from; for readers only.
    "source";
    /// The file of the text, and under which licence it may be quoted.
    "text";
    /// The name, or relative path, of a base table.
    "extends";
    /// The number of the section whose subsections are the states.
    "section";
    /// `markup`, or a vocabulary of the table's own.
    "vocabulary";
    /// The codes that `error CODE` may name.
    "error codes";
    /// For each error code a sentence for people.
    "error explanations";
    /// For each error code a link to the text; `anything else` is that of all others, in which `CODE` stands for the
    /// code.
    "error links";
    /// Names for character sets.
    "classes";
    /// Variables besides the tokens under construction.
    "registers";
    /// Names for guards.
    "conditions";
    /// Changes of the input stream before the states see it.
    "preprocessing";
    /// The data file of the named character references table, beside the table.
    "named character references";
    /// Numbers that a numeric character reference replaces.
    "numeric replacements";
    /// The content in whose entry state the tokenizer starts.
    "initial state";
    /// The states in which the caller may start, or to which it may switch; by content.
    "entry states";
    /// For each content, the names of the start tags that it follows.
    "contents after start tags";
    /// Steps that run when a token of a kind is emitted.
    "on emitting";
    /// Named step lists and sub-machines that several states use.
    "procedures";
    /// The states that matter for speed, in path order. Does not change what the tokenizer does.
    "hot";
    /// The states, in the order of the text.
    "states";
    /// Ambiguities and slips of the text that concern a top-level key.
    "errata";
    /// Sentences of the text that no table can express, by their beginnings, each with the reason; for the audit.
    "remarks";
};

/// Of `text`.
pub(crate) const TEXT: &[Key] = keys! {
    /// Its name, in the folder that `diff --texts` names.
    "file";
    /// Where the text is published.
    "link";
    /// Whose words they are, and the licence; without it nothing is quoted.
    "licence";
    /// Where the licence is published.
    "licence link";
    /// The first section that may be quoted; by default all may be.
    "quoted from";
};

/// Of a state.
pub(crate) const STATE: &[Key] = keys! {
    /// Its number, when it does not follow from the order.
    "section";
    /// In an extending table: the state that it follows.
    "after";
    /// In an extending table: the state that follows it.
    "before";
    /// A switch from an arm that consumed a character reconsumes it here.
    "includes the character that switched here";
    /// Steps on entering the state, before it consumes; not repeated when the state stays.
    "first";
    /// Consume the next input character: arms.
    "consume";
    /// Arms that look at the next input character and consume nothing unless they say so.
    "look ahead";
    /// Two arms, `match` and `no match`.
    "match a named character reference";
    /// The steps of a state that consumes nothing.
    "steps";
    /// Steps that run before the actions of each arm that goes elsewhere.
    "leaving";
    /// Ambiguities and slips of the text, by arm.
    "errata";
};

/// Of a state: what it does.
pub(crate) const BODIES: &[&str] = &[
    "consume",
    "look ahead",
    "match a named character reference",
    "steps",
];

/// Of `preprocessing`.
pub(crate) const PREPROCESSING: &[Key] = keys! {
    /// `drop` or `keep` one leading U+FEFF.
    "byte order mark";
    /// `normalize` or `keep`: whether CR LF and CR become LF.
    "newlines";
    /// Characters that the states see as others.
    "replace";
    /// Characters that are errors wherever they occur, by set.
    "errors";
};

/// Of a vocabulary of the table's own.
pub(crate) const VOCABULARY: &[Key] = keys! {
    /// The tokens, each with its fields and their types.
    "tokens";
    /// The contents that the caller may ask for; the default is `data` alone.
    "contents";
    /// Yes/no questions that guards may ask the caller.
    "questions";
    /// The kinds whose emission lets the sink answer with a content.
    "answering";
    /// The kind whose `name` becomes the last start tag's and selects its content; one of `answering`.
    "start tag";
};

/// Of a sub-machine.
pub(crate) const PROCEDURE: &[Key] = keys! {
    /// Its number, when it has one of its own.
    "section";
    /// Its states; it starts in the first.
    "states";
};

/// Of an erratum.
pub(crate) const ERRATUM: &[Key] = keys! {
    /// The words of the text.
    "says";
    /// The words that the audit reads in their place, in the style of the text.
    "reads";
    /// What the table does.
    "does";
    /// The reason.
    "why";
};
