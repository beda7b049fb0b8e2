//! The closed vocabulary of steps: what phrases and guards say.

use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Kind, tokens};
use crate::phrase::{Template, did_you_mean, templates};
use crate::suggest::one_of;
use crate::tree::machine::Place;
use crate::written::Text;

/// What one step says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phrase {
    ParseError,
    Ignore,
    CreateElement,
    InsertElement,
    AppendElement(Place),
    PushElement,
    PopElement,
    PopUntil,
    AppendCharacter(Place),
    AppendCodePoint(char, Place),
    AppendEntityReference(Place),
    AppendComment(Place),
    AppendProcessingInstruction(Place),
    AppendDoctype(Place),
    SwitchTo(PhaseName),
    ReprocessIn(PhaseName),
    StopParsing,
}

/// The name of a phase and where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PhaseName {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// What a guard asks; with `not`, the answer is turned round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) guard: GuardKind,
    pub(crate) not: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GuardKind {
    TokenHasName(String),
    CurrentHasName,
    InScope,
    NoOpenElements,
}

/// All phrases.
pub(crate) const PHRASES: &[Template] = templates! {
    /// Report an error.
    "parse error" = "parse error";
    /// Do nothing.
    "ignore the token" = "ignore the token";
    /// Make an element with the token's name and attributes.
    "create an element for the token" = "create an element for the token";
    /// Create it, append it to the current element and push it.
    "insert an element for the token" = "insert an element for the token";
    /// Append the element just created.
    "append it to PLACE" = "append it to the Document";
    /// It becomes the current element.
    "push it into the stack of open elements" = "push it into the stack of open elements";
    /// Pop the current element.
    "pop an element from the stack of open elements" = "pop an element from the stack of open elements";
    /// Up to and with the nearest element that has the token's name.
    "pop nodes from the stack of open elements until the first such element has been popped" =
        "pop nodes from the stack of open elements until the first such element has been popped";
    /// Characters that follow each other become one Text node.
    "append the character to PLACE" = "append the character to the current element";
    /// As a character of the text.
    "append CHARACTER to PLACE" = "append U+0026 (&) to the current element";
    /// With the token's name.
    "append an EntityReference node to PLACE" = "append an EntityReference node to the current element";
    /// With the token's data.
    "append a Comment node to PLACE" = "append a Comment node to the current element";
    /// With the token's target and data.
    "append a ProcessingInstruction node to PLACE" = "append a ProcessingInstruction node to the Document";
    /// With the token's name and identifiers.
    "append a DocumentType node to PLACE" = "append a DocumentType node to the Document";
    /// The phase takes the next token.
    "switch to PHASE" = "switch to main";
    /// The phase takes this token again.
    "reprocess the token in PHASE" = "reprocess the token in end";
    /// Take no more tokens.
    "stop parsing" = "stop parsing";
};

/// All guards.
pub(crate) const GUARDS: &[Template] = templates! {
    /// With `is not` for the opposite.
    "the name of the token is TEXT" = "the name of the token is \"amp\"";
    /// With `does not match` for the opposite.
    "the tag name of the current element matches that of the token" =
        "the tag name of the current element matches that of the token";
    /// With `there is no element` for the opposite.
    "there is an element in scope with the same tag name as that of the token" =
        "there is an element in scope with the same tag name as that of the token";
    /// With `there are elements` for the opposite.
    "there are no more elements on the stack of open elements" =
        "there are no more elements on the stack of open elements";
};

/// Reads a phrase. `None` after a fault.
pub(crate) fn phrase(text: &Text, faults: &mut Faults) -> Option<Phrase> {
    let plain = plain(&text.text);
    let fixed = [
        ("parse error", Phrase::ParseError),
        ("ignore token", Phrase::Ignore),
        ("ignore", Phrase::Ignore),
        ("create element for token", Phrase::CreateElement),
        ("insert element for token", Phrase::InsertElement),
        ("push it into stack of open elements", Phrase::PushElement),
        (
            "pop element from stack of open elements",
            Phrase::PopElement,
        ),
        (
            "pop nodes from stack of open elements until first such element has been popped",
            Phrase::PopUntil,
        ),
        ("stop parsing", Phrase::StopParsing),
    ];
    for (words, phrase) in fixed {
        if plain == words {
            return Some(phrase);
        }
    }
    let places = [
        (" to Document", Place::Document),
        (" to current element", Place::CurrentElement),
    ];
    for (words, place) in places {
        match plain.strip_suffix(words) {
            Some("append it") => return Some(Phrase::AppendElement(place)),
            Some("append character") => return Some(Phrase::AppendCharacter(place)),
            Some("append EntityReference node") => {
                return Some(Phrase::AppendEntityReference(place));
            }
            Some("append Comment node") => return Some(Phrase::AppendComment(place)),
            Some("append ProcessingInstruction node") => {
                return Some(Phrase::AppendProcessingInstruction(place));
            }
            Some("append DocumentType node") => return Some(Phrase::AppendDoctype(place)),
            Some(rest) if rest.starts_with("append U+") => {
                let written = from(&text.text, "U+");
                let end = written.rfind(" to ").unwrap_or(written.len());
                let span = text.span().part(text.text.len() - written.len(), end);
                if let [token] = &tokens(&written[..end], span, faults)[..]
                    && let Kind::CodePoint(character) = token.kind
                {
                    // A fault is reported already; any character will do.
                    let character = character.unwrap_or_default();
                    return Some(Phrase::AppendCodePoint(character, place));
                }
            }
            _ => {}
        }
    }
    if let Some(name) = after(text, &["switch", "to"]) {
        return Some(Phrase::SwitchTo(name));
    }
    if let Some(name) = after(text, &["reprocess", "the", "token", "in"]) {
        return Some(Phrase::ReprocessIn(name));
    }
    let help =
        did_you_mean(&text.text, PHRASES.iter(), |_| false).unwrap_or_else(|| all_of(PHRASES));
    let message = format!("`{}` is not a phrase of tree construction", text.text);
    faults
        .add(Code::UnknownPhrase, text.span(), message)
        .help(help);
    None
}

/// Reads a guard. `None` after a fault.
pub(crate) fn guard(text: &str, span: Span, faults: &mut Faults) -> Option<Question> {
    use GuardKind::{CurrentHasName, InScope, NoOpenElements};
    let plain = plain(text);
    if let Some(rest) = plain.strip_prefix("name of token is ") {
        let (not, object) = match rest.strip_prefix("not ") {
            Some(object) => (true, object),
            None => (false, rest),
        };
        let written = from(text, "\"");
        let span = span.part(text.len() - written.len(), written.len());
        if object.starts_with('"')
            && let [token] = &tokens(written, span, faults)[..]
            && let Kind::Quoted(name) = &token.kind
        {
            let guard = GuardKind::TokenHasName(name.clone());
            return Some(Question { guard, not });
        }
    }
    let all = [
        (
            "tag name of current element matches that of token",
            "tag name of current element does not match that of token",
            CurrentHasName,
        ),
        (
            "there is element in scope with same tag name as that of token",
            "there is no element in scope with same tag name as that of token",
            InScope,
        ),
        (
            "there are no more elements on stack of open elements",
            "there are elements on stack of open elements",
            NoOpenElements,
        ),
    ];
    for (yes, no, guard) in all {
        if plain == yes || plain == no {
            let not = plain == no;
            return Some(Question { guard, not });
        }
    }
    let help = did_you_mean(text, GUARDS.iter(), |_| false).unwrap_or_else(|| all_of(GUARDS));
    let message = format!("`{text}` is not a guard of tree construction");
    faults.add(Code::UnknownGuard, span, message).help(help);
    None
}

/// The help for what is like nothing that there is.
fn all_of(templates: &[Template]) -> String {
    one_of(templates.iter().map(|template| template.pattern))
}

/// The rest of a text from where these characters are first; nothing if they are not.
fn from<'t>(text: &'t str, characters: &str) -> &'t str {
    text.find(characters).map_or("", |start| &text[start..])
}

/// The words without articles.
fn plain(text: &str) -> String {
    let words = text.split_whitespace();
    let words = words.filter(|word| !matches!(*word, "the" | "a" | "an"));
    words.collect::<Vec<_>>().join(" ")
}

/// What follows these words, articles aside.
fn after(text: &Text, lead: &[&str]) -> Option<PhaseName> {
    let mut rest = text.text.as_str();
    for word in lead {
        let trimmed = rest.trim_start();
        match trimmed.strip_prefix(word) {
            Some(after) if after.starts_with(char::is_whitespace) => rest = after,
            _ if *word == "the" => {}
            _ => return None,
        }
    }
    let name = rest.trim();
    let start = text.text.len() - rest.trim_start().len();
    (!name.is_empty()).then(|| PhaseName {
        text: crate::lexer::normal(name),
        span: text.span().part(start, name.len()),
    })
}
