//! The grammar of phrases.

use super::cursor::Cursor;
use super::other_verbs;
use super::templates::{PHRASES, did_you_mean, nearest};
use super::value::operand;
use super::{Name, Phrase, VALUES, With};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Kind, number, tokens};
use crate::suggest::closest;

/// Reads a phrase. `None` after a fault.
pub(crate) fn parse(text: &str, span: Span, faults: &mut Faults) -> Option<Phrase> {
    let tokens = tokens(text, span, faults);
    let whole = Cursor::new(text, &tokens, span);
    read(whole, faults).unwrap_or_else(|| {
        unknown(whole, faults);
        None
    })
}

/// Whether a text is a phrase, as far as the names in it exist.
fn is_phrase(text: &str) -> bool {
    let (span, faults) = (Span::default(), &mut Faults::default());
    let tokens = tokens(text, span, faults);
    let whole = Cursor::new(text, &tokens, span);
    matches!(read(whole, faults), Some(Some(_)))
}

/// Whether the value of a key is a phrase, or a list in brackets that begins with one.
pub(crate) fn is_steps(value: &str) -> bool {
    let value = value.split(" #").next().unwrap_or_default();
    let first = match value.strip_prefix('[') {
        Some(list) => list.split([',', ']']).next().unwrap_or_default(),
        None => value,
    };
    is_phrase(first.trim_matches([' ', '\''])) || value.starts_with("[if ")
}

/// `None` if it begins as no phrase does, `Some(None)` after a fault.
fn read(whole: Cursor<'_>, faults: &mut Faults) -> Option<Option<Phrase>> {
    let mut rest = whole;
    let fixed = [
        ("switch back", Phrase::SwitchBack),
        ("stay", Phrase::Stay),
        ("as anything else", Phrase::AsAnythingElse),
        ("ignore", Phrase::Ignore),
        ("consume it", Phrase::ConsumeIt),
        ("parse error", Phrase::ParseError),
        ("emit EOF", Phrase::EmitEof),
        ("start a new attribute", Phrase::StartAttribute),
        ("start new attribute", Phrase::StartAttribute),
        ("drop the attribute", Phrase::DropAttribute),
        ("drop attribute", Phrase::DropAttribute),
        ("return nothing", Phrase::ReturnNothing),
    ];
    for (words, phrase) in fixed {
        if rest.eat(words) && rest.is_empty() {
            return Some(Some(phrase));
        }
        rest = whole;
    }
    let mut read = Reader { whole, faults };
    let verbs = [
        "switch to",
        "reconsume in",
        "error",
        "emit",
        "create",
        "make",
        "append",
        "set",
        "multiply",
        "add the digit to",
        "increase",
        "decrease",
        "replace",
        "attempt to",
        "return",
    ];
    for verb in verbs {
        if rest.eat(verb) {
            return Some(read.verb(verb, rest));
        }
    }
    None
}

/// Of what is like no phrase.
const EACH_BEGINS: &str = "a phrase begins with `switch to`, `reconsume in`, `stay`, `ignore`, `error`, `emit`, \
                           `create`, `append`, `set`, … or is the name of a step list in `procedures`; \
                           `speclex explain PHRASE` says what one does, and `speclex schema` prints all of them, with \
                           examples";

/// Words that are no phrases here, and those that are.
const OTHER_WORDS: [(&str, &str); 18] = [
    ("start ", "create "),
    ("begin ", "create "),
    ("new ", "create a "),
    ("output ", "emit "),
    ("report ", "error "),
    ("remove ", "drop "),
    ("increment ", "increase "),
    ("add 1 to ", "increase "),
    ("subtract 1 from ", "decrease "),
    ("decrement ", "decrease "),
    ("do nothing", "ignore"),
    ("skip", "ignore"),
    ("anything else", "as anything else"),
    ("parse error ", "error "),
    ("reconsume to ", "reconsume in "),
    ("reconsume ", "reconsume in "),
    ("stop", "emit EOF"),
    ("end", "emit EOF"),
];

/// The phrase for what other languages write with signs: `depth += 1`, `depth++`.
fn with_signs(typed: &str) -> Option<String> {
    let signs = [
        ("++", "increase "),
        ("+= 1", "increase "),
        ("--", "decrease "),
        ("-= 1", "decrease "),
    ];
    let assigned = typed.trim_start_matches("set ").split_once(" = ");
    let assigned = assigned.map(|(name, value)| format!("set {name} to {value}"));
    let of_signs = signs.into_iter().filter_map(|(sign, verb)| {
        let name = typed.strip_suffix(sign)?.trim_end();
        Some(format!("{verb}{name}"))
    });
    assigned
        .into_iter()
        .chain(of_signs)
        .find(|phrase| is_phrase(phrase))
}

/// The phrase for a sentence of the standard, or for one like it.
fn of_the_standard(typed: &str) -> Option<String> {
    if let Some(text) = typed.strip_prefix("clear ") {
        return Some(format!("set {text} to the empty string"));
    }
    let begins = ["start", "create"]
        .iter()
        .any(|verb| typed.starts_with(verb));
    if begins && typed.contains(" attribute") {
        return Some("start a new attribute".to_owned());
    }
    if let Some(error) = typed.strip_suffix(" parse error") {
        let code = error.rsplit(' ').next()?;
        return Some(format!("error {code}"));
    }
    let phrase = typed.strip_suffix(" as a character token")?;
    is_phrase(phrase).then(|| phrase.to_owned())
}

fn unknown(whole: Cursor<'_>, faults: &mut Faults) {
    let typed = whole.typed();
    let mut others = OTHER_WORDS.iter().filter_map(|(other, word)| {
        let meant = format!("{word}{}", typed.strip_prefix(other)?);
        is_phrase(&meant).then_some(meant)
    });
    let others = of_the_standard(typed).or_else(|| others.next());
    let others = others.or_else(|| with_signs(typed));
    let condition = typed.strip_prefix("if ").and_then(|condition| {
        let parts = condition.split_once(" then ");
        let list = || Some((condition, &condition[condition.find(" [")? + 1..]));
        let list = || list().map(|(all, list)| (all[..all.len() - list.len()].trim_end(), list));
        parts.or_else(list).or_else(|| condition.split_once(", "))
    });
    let help = if let Some(meant) = others {
        format!("did you mean `{meant}`? `speclex explain PHRASE` says what a phrase does")
    } else if typed.starts_with("consume the next") {
        "the key `consume` of a state does so: an arm says what follows".to_owned()
    } else if typed.starts_with("call ") {
        "what is in `procedures` is used by its name alone if it is a list of steps, or with `attempt to NAME`".to_owned()
    } else if typed.starts_with("with ") || typed.starts_with(')') {
        "in a list in brackets, quote a phrase that has a comma: `'emit U+002C (,)'`".to_owned()
    } else if let Some((guard, phrase)) = condition {
        format!("did you mean `if {guard}: {phrase}`?")
    } else if typed.starts_with("if ") || typed.starts_with("otherwise") {
        "a colon comes after a condition and after `otherwise`, then what is done: `if CONDITION: PHRASE`".to_owned()
    } else if typed.starts_with(['-', '—', '–', '•']) {
        "an item of a list begins with a dash and a space".to_owned()
    } else if let Some(meant) = other_verbs::meant(typed, is_phrase) {
        meant
    } else {
        did_you_mean(typed, PHRASES, is_phrase).unwrap_or_else(|| EACH_BEGINS.to_owned())
    };
    let message = format!("`{typed}` is not a phrase");
    faults
        .add(Code::UnknownPhrase, whole.here(), message)
        .help(help);
}

struct Reader<'t, 'f> {
    whole: Cursor<'t>,
    faults: &'f mut Faults,
}

impl Reader<'_, '_> {
    fn verb(&mut self, verb: &str, rest: Cursor<'_>) -> Option<Phrase> {
        const NUMBER: &str = "a number register";
        const STATE: &str = "a state or a state register";
        Some(match verb {
            "switch to" => Phrase::SwitchTo(self.name(rest, STATE)?),
            "reconsume in" => Phrase::ReconsumeIn(self.name(rest, STATE)?),
            "error" => Phrase::Error(self.name(rest, "an error code")?),
            "create" => Phrase::Create(self.token(rest, "a kind of token")?),
            "add the digit to" => Phrase::AddDigit(self.name(rest, NUMBER)?),
            "increase" => Phrase::Increase(self.name(rest, NUMBER)?),
            "decrease" => Phrase::Decrease(self.name(rest, NUMBER)?),
            "replace" => Phrase::Replace(self.name(rest, NUMBER)?),
            "return" if rest.tokens.last().is_some_and(|t| t.is("token")) => {
                Phrase::ReturnToken(self.token(rest, "a token")?)
            }
            "return" => Phrase::Return(self.value(rest)?),
            "emit" => return self.emit(rest),
            "make" => return self.make(rest),
            "append" => return self.append(rest),
            "set" => return self.set(rest),
            "multiply" => return self.multiply(rest),
            _ => return self.attempt(rest),
        })
    }

    /// Reports that the phrase lacks a part.
    fn expected(&mut self, what: &str) {
        let typed = self.whole.typed();
        if of_the_standard(typed).is_some() {
            unknown(self.whole, self.faults);
            return;
        }
        let (start, last) = typed.rsplit_once(' ').unwrap_or_default();
        let whole = match closest(last, ["token"]) {
            Some(token) => format!("{start} {token}"),
            None => format!("{typed} token"),
        };
        let mut help = match nearest(typed, PHRASES) {
            // Behind an open quote the word would be lacking again.
            Some(t)
                if t.pattern.ends_with("token")
                    && !typed.ends_with("token")
                    && !typed.contains(" token whose ")
                    && is_phrase(&whole) =>
            {
                format!(
                    "did you mean `{whole}`? The general form is `{}`",
                    t.pattern
                )
            }
            Some(t) => format!(
                "the phrase is `{}`, for example: `{}`",
                t.pattern, t.example
            ),
            None => String::new(),
        };
        if what == "a value" {
            help.push_str("\na value is ");
            help.push_str(VALUES);
        }
        let message = format!("`{typed}` lacks a part");
        self.faults
            .add(Code::IncompletePhrase, self.whole.here(), message)
            .label(format!("expected {what}"))
            .help(help);
    }

    fn name(&mut self, cursor: Cursor<'_>, what: &str) -> Option<Name> {
        let name = cursor.name();
        if name.is_none() {
            self.expected(what);
        }
        name
    }

    /// `a KIND token`: the name without "token".
    fn token(&mut self, mut cursor: Cursor<'_>, what: &str) -> Option<Name> {
        if !cursor.eat_end("token") {
            self.expected(&format!("{what}, and `token`"));
            return None;
        }
        self.name(cursor, what)
    }

    fn value(&mut self, cursor: Cursor<'_>) -> Option<super::Operand> {
        let value = operand(cursor);
        if value.is_none() {
            self.expected("a value");
        }
        value
    }

    fn emit(&mut self, cursor: Cursor<'_>) -> Option<Phrase> {
        if !cursor.tokens.last().is_some_and(|t| t.is("token")) {
            return Some(Phrase::Emit(self.value(cursor)?));
        }
        if let Some((token, kind)) = cursor.split("as") {
            let token = self.token(token, "a token")?;
            return Some(Phrase::EmitTokenAs(
                token,
                self.token(kind, "a kind of token")?,
            ));
        }
        let name = self.token(cursor, "a token")?;
        Some(match { cursor }.article() {
            Some("a" | "an") => Phrase::EmitNew(name),
            _ => Phrase::EmitToken(name),
        })
    }

    fn make(&mut self, cursor: Cursor<'_>) -> Option<Phrase> {
        match cursor.split("token") {
            Some((token, kind)) => {
                let token = self.name(token, "a token")?;
                Some(Phrase::Make(token, self.token(kind, "a kind of token")?))
            }
            None => {
                self.expected("a token and the kind it becomes");
                None
            }
        }
    }

    fn append(&mut self, cursor: Cursor<'_>) -> Option<Phrase> {
        match cursor.split("to") {
            Some((value, field)) => {
                let value = self.value(value)?;
                Some(Phrase::Append(value, self.name(field, "a field")?))
            }
            None => {
                self.expected("a value, `to`, and a field or text register");
                None
            }
        }
    }

    fn set(&mut self, cursor: Cursor<'_>) -> Option<Phrase> {
        if let Some((name, value)) = cursor.split("to") {
            let name = self.name(name, "a field or register")?;
            return Some(Phrase::Set(name, self.value(value)?));
        }
        if cursor.tokens.last().is_some_and(|t| t.is("to")) {
            self.expected("a value");
            return None;
        }
        if with_signs(self.whole.typed()).is_some() {
            unknown(self.whole, self.faults);
            return None;
        }
        Some(Phrase::SetFlag(self.name(cursor, "a flag")?))
    }

    fn multiply(&mut self, cursor: Cursor<'_>) -> Option<Phrase> {
        let split = cursor.split("by");
        let factor = split.and_then(|(_, factor)| number(factor.typed()));
        match (split, factor) {
            (Some((name, _)), Some(factor)) => Some(Phrase::Multiply(
                self.name(name, "a number register")?,
                factor,
            )),
            _ => {
                self.expected("a number register, `by`, and a number");
                None
            }
        }
    }

    fn attempt(&mut self, cursor: Cursor<'_>) -> Option<Phrase> {
        let comma = cursor.tokens.iter().position(|t| t.kind == Kind::Comma);
        let Some(comma) = comma else {
            return Some(Phrase::Attempt(self.name(cursor, "a procedure")?, None));
        };
        let mut before = cursor;
        before.tokens = &cursor.tokens[..comma];
        let mut with = cursor;
        with.tokens = &cursor.tokens[comma + 1..];
        let procedure = self.name(before, "a procedure")?;
        if with.eat("with no") {
            let register = self.name(with, "a character register")?;
            return Some(Phrase::Attempt(
                procedure,
                Some(With {
                    register,
                    value: None,
                }),
            ));
        }
        let parts = with.eat("with").then(|| with.split("being")).flatten();
        let Some((register, value)) = parts else {
            self.expected("`with no REGISTER` or `with REGISTER being VALUE` after the comma");
            return None;
        };
        let register = self.name(register, "a character register")?;
        let value = Some(self.value(value)?);
        Some(Phrase::Attempt(procedure, Some(With { register, value })))
    }
}
