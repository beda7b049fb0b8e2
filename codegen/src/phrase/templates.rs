//! The closed vocabulary, once: for help texts, the schema and completion.

use crate::suggest::closest;

/// A phrase or guard with its open parts in capitals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Template {
    /// `switch to STATE`.
    pub(crate) pattern: &'static str,
    /// One that could stand in a table.
    pub(crate) example: &'static str,
    /// What it does.
    pub(crate) about: &'static str,
}

/// A template.
pub(crate) const fn t(
    pattern: &'static str,
    example: &'static str,
    about: &'static str,
) -> Template {
    Template {
        pattern,
        example,
        about,
    }
}

/// All phrases.
pub(crate) const PHRASES: &[Template] = &[
    t(
        "switch to STATE",
        "switch to tag open",
        "Go to a state; it consumes the next character.",
    ),
    t(
        "switch to the REGISTER",
        "switch to the return state",
        "Go to the state that a register holds.",
    ),
    t(
        "switch back",
        "switch back",
        "Go to the state that switched here.",
    ),
    t(
        "reconsume in STATE",
        "reconsume in data",
        "Go to a state; it consumes the same character again.",
    ),
    t(
        "reconsume in the REGISTER",
        "reconsume in the return state",
        "Go to the state that a register holds; it consumes the same character again.",
    ),
    t(
        "stay",
        "stay",
        "Stay in the state; an arm without a successor does the same.",
    ),
    t(
        "as anything else",
        "as anything else",
        "Continue with the `anything else` arm.",
    ),
    t("ignore", "ignore", "Do nothing."),
    t(
        "consume it",
        "consume it",
        "In a `look ahead` block: consume the characters that the arm matched.",
    ),
    t(
        "parse error",
        "parse error",
        "Report an error that has no code.",
    ),
    t("error CODE", "error eof-in-tag", "Report an error."),
    t(
        "emit VALUE",
        "emit the current input character",
        "Emit character tokens.",
    ),
    t(
        "emit the TOKEN token",
        "emit the comment token",
        "Emit the token under construction.",
    ),
    t(
        "emit the TOKEN token as a KIND token",
        "emit the tag token as an empty tag token",
        "Emit the token as another kind.",
    ),
    t(
        "emit a KIND token",
        "emit a short end tag token",
        "Create a token and emit it at once.",
    ),
    t(
        "emit EOF",
        "emit EOF",
        "Emit an end-of-file token, which ends the tokenization.",
    ),
    t(
        "create a KIND token",
        "create a start tag token",
        "Begin a new token.",
    ),
    t(
        "make the TOKEN token a KIND token",
        "make the tag token an empty tag token",
        "Change the kind of the token.",
    ),
    t(
        "start a new attribute",
        "start a new attribute",
        "Begin an attribute, with empty name and value.",
    ),
    t(
        "drop the attribute",
        "drop the attribute",
        "Remove the attribute under construction.",
    ),
    t(
        "append VALUE to FIELD",
        "append the current input character to the tag name",
        "Append to a field or a text register.",
    ),
    t(
        "set FIELD to VALUE",
        "set the DOCTYPE name to the empty string",
        "Set a text field or text register.",
    ),
    t(
        "set REGISTER to VALUE",
        "set the return state to data",
        "Set a register of any type.",
    ),
    t("set FLAG", "set the force-quirks flag", "Set a flag."),
    t(
        "multiply REGISTER by N",
        "multiply the character reference code by 16",
        "Multiply a number.",
    ),
    t(
        "add the digit to REGISTER",
        "add the digit to the character reference code",
        "Add the value of the current input character as a digit.",
    ),
    t(
        "increase REGISTER",
        "increase the doctype depth",
        "Add one.",
    ),
    t(
        "decrease REGISTER",
        "decrease the doctype depth",
        "Subtract one; 0 stays 0.",
    ),
    t(
        "replace REGISTER",
        "replace the character reference code",
        "Replace a number by its entry in `numeric replacements`.",
    ),
    t(
        "attempt to PROCEDURE",
        "attempt to consume a character reference",
        "Run a sub-machine.",
    ),
    t(
        "attempt to PROCEDURE, with no REGISTER",
        "attempt to consume a character reference, with no additional allowed character",
        "Run a sub-machine with a character register set to none.",
    ),
    t(
        "attempt to PROCEDURE, with REGISTER being VALUE",
        "attempt to consume a character reference, with the additional allowed character being U+0022 (\")",
        "Run a sub-machine with a character register set.",
    ),
    t(
        "return nothing",
        "return nothing",
        "Leave the sub-machine and put back all characters that it consumed.",
    ),
    t(
        "return VALUE",
        "return the characters of the named character reference",
        "Leave the sub-machine with a value.",
    ),
    t(
        "return the TOKEN token",
        "return the entity reference token",
        "Leave the sub-machine with the token under construction.",
    ),
];

/// All guards.
pub(crate) const GUARDS: &[Template] = &[
    t(
        "appropriate end tag token",
        "appropriate end tag token",
        "The end tag token has the last start tag's name.",
    ),
    t(
        "REGISTER is TEXT or TEXT",
        "the temporary buffer is \"script\"",
        "A text register equals one of the strings; `ASCII case-insensitively` may follow.",
    ),
    t(
        "REGISTER is WORD or WORD",
        "the content model flag is RCDATA or CDATA",
        "A register of words holds one of these words.",
    ),
    t(
        "REGISTER is STATE or STATE",
        "the return state is data",
        "A state register holds one of the states.",
    ),
    t(
        "REGISTER is N to M or K",
        "the character reference code is 0xD800 to 0xDFFF",
        "A number register is in one of the ranges or classes.",
    ),
    t(
        "REGISTER is greater than N",
        "the character reference code is greater than 0x10FFFF",
        "A number register is greater than a number.",
    ),
    t(
        "REGISTER has a replacement",
        "the character reference code has a replacement",
        "A number has an entry in `numeric replacements`.",
    ),
    t(
        "the current input character is SET",
        "the current input character is ASCII digit",
        "The consumed character is in the set.",
    ),
    t(
        "the current input character is the REGISTER",
        "the current input character is the additional allowed character",
        "The consumed character is the one in a character register.",
    ),
    t(
        "the last character matched is SET",
        "the last character matched is U+003B (;)",
        "The last character of the matched reference is in the set.",
    ),
    t(
        "the next input character is SET",
        "the next input character is U+003D (=)",
        "The next input character, which is not consumed, is in the set; the set may contain `EOF`.",
    ),
    t(
        "the next input characters are one or more SET then SET",
        "the next input characters are one or more ASCII alphanumeric then U+003B (;)",
        "Characters of the first set follow, then one of the second; only a list of errors may depend on this guard.",
    ),
    t(
        "the next input characters are the last start tag name then SET",
        "the next input characters are the last start tag name then U+003E (>)",
        "The last start tag's name follows, then a character of the set.",
    ),
    t(
        "a start tag token has been emitted",
        "a start tag token has been emitted",
        "A start tag has been emitted, or the caller has set the name of one.",
    ),
    t(
        "the last characters consumed are TEXT",
        "the last characters consumed are \"-->\"",
        "The input up to the current character, included, ends with this text.",
    ),
    t(
        "the attribute name is already in the token",
        "the attribute name is already in the token",
        "An earlier attribute has exactly this name.",
    ),
    t(
        "the TOKEN token has attributes",
        "the tag token has attributes",
        "The token has at least one attribute.",
    ),
    t(
        "FLAG is set",
        "the self-closing flag is set",
        "A flag of the token is set.",
    ),
    t(
        "the TOKEN token is a KIND token",
        "the tag token is an end tag token",
        "The token has this kind.",
    ),
    t(
        "QUESTION",
        "CDATA sections are allowed",
        "A question of the vocabulary, or a condition of the table.",
    ),
    t(
        "nothing is returned",
        "nothing is returned",
        "After `attempt to`: the sub-machine returned nothing.",
    ),
    t(
        "the TOKEN token is returned",
        "the entity reference token is returned",
        "After `attempt to`: the sub-machine returned a token.",
    ),
    t(
        "called from STATE or STATE",
        "called from character reference in attribute value",
        "In a procedure: one of these states attempted it.",
    ),
];

/// What VALUE can be.
pub(crate) const VALUES: &str = "U+003C (<), a quoted string, the empty string, the current input character, the lowercase of \
     the current input character, a text register, the character of REGISTER, the characters of the named character \
     reference, the name of the named character reference, the returned characters, or a field";

/// The question what was meant: the text itself without misspelt words, if this reads, and its general form.
pub(crate) fn did_you_mean(
    typed: &str,
    templates: &'static [Template],
    reads: impl Fn(&str) -> bool,
) -> Option<String> {
    let template = nearest(typed, templates)?;
    let &Template {
        pattern, example, ..
    } = template;
    let corrected = template.corrected(typed).filter(|text| reads(text));
    Some(match corrected {
        Some(text) if text == pattern => format!("did you mean `{pattern}`?"),
        Some(text) => format!("did you mean `{text}`? The general form is `{pattern}`"),
        None if pattern == example => format!("did you mean `{pattern}`?"),
        None => format!("did you mean `{pattern}`? For example: `{example}`"),
    })
}

impl Template {
    /// The words that do not stand for something else, articles aside.
    fn fixed(&self) -> impl Iterator<Item = &'static str> {
        let words = self.pattern.split([' ', ',']);
        words.filter(|w| !w.is_empty() && !is_open(w) && !matches!(*w, "the" | "a" | "or"))
    }

    /// Which fixed words are among those typed, in order: each with its place there.
    fn shared(&self, typed: &[&str]) -> Vec<(usize, &'static str)> {
        let mut from = 0;
        let place = |(number, word): (usize, &'static str)| {
            let same = |typed: &&str| similar(typed, word, number == 0);
            let at = from + typed[from..].iter().position(same)?;
            from = at + 1;
            Some((at, word))
        };
        self.fixed().enumerate().filter_map(place).collect()
    }

    /// The text with its misspelt words corrected.
    fn corrected(&self, typed: &str) -> Option<String> {
        let words: Vec<&str> = typed.split_whitespace().collect();
        let mut shared = self.shared(&words).into_iter().peekable();
        let mut corrected = String::new();
        let mut rest = typed;
        for (number, typed) in words.into_iter().enumerate() {
            let (spaces, after) = rest.split_once(typed)?;
            let word = shared.next_if(|&(at, _)| at == number);
            corrected.push_str(spaces);
            corrected.push_str(word.map_or(typed, |(_, word)| word));
            rest = after;
        }
        Some(corrected)
    }
}

/// The template that shares most of its fixed words, in order, with what was typed.
pub(crate) fn nearest(typed: &str, templates: &'static [Template]) -> Option<&'static Template> {
    let typed: Vec<&str> = typed.split_whitespace().collect();
    let lead = typed
        .iter()
        .find(|word| !matches!(**word, "the" | "a" | "an"));
    let score = |template: &Template| {
        let count = template.fixed().count();
        let shared = template.shared(&typed);
        let found = shared.len();
        let verb = template.fixed().next().zip(lead);
        let first = verb.is_some_and(|(word, typed)| similar(typed, word, true));
        let exact = verb.is_some_and(|(word, typed)| *typed == word);
        // "an item token" is one of a kind.
        let article = |words: &[&str]| words.iter().any(|word| matches!(*word, "a" | "an"));
        let pattern: Vec<&str> = template.pattern.split(' ').collect();
        let same_article = article(&pattern) == article(&typed);
        // A shared verb counts most; then shared words, the shorter template, and the article.
        (first || found > 1 && found == count).then_some((
            usize::from(first) + usize::from(exact),
            found,
            usize::MAX - count,
            same_article,
        ))
    };
    templates
        .iter()
        .filter_map(|template| Some((score(template)?, template)))
        // The first of equals is the plainest.
        .rev()
        .max_by_key(|&(score, _)| score)
        .map(|(_, template)| template)
}

/// Short words must be the same, long ones may be misspelt; of a verb, less is enough.
fn similar(typed: &str, word: &str, is_verb: bool) -> bool {
    let begins_alike = typed.chars().next() == word.chars().next();
    let is_long = word.len() > 4 || is_verb && word.len() == 4 && begins_alike;
    typed == word || is_long && closest(typed, [word]).is_some()
}

/// Whether a word of a pattern stands for something else.
pub(crate) fn is_open(word: &str) -> bool {
    word != "EOF" && word.chars().all(|c| c.is_ascii_uppercase())
}
