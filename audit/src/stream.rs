//! What texts say outside the states: on tokens, on emission, on the input stream, on codes of errors.

use speclex_codegen::charset::CharSet;

use crate::cursor::Cursor;
use crate::document::Section;
use crate::facts::{Action, Guard, Located, OnEmit, RegisterFact, Stream, TokenFact, UNNAMED};
use crate::sentences::Reading;
use crate::words::{Sentence, sentences};

/// What a section is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Tokenization,
    Stream,
    Codes,
    Idioms,
}

/// What a section outside the states is about, by its title; `None` when it is not about tokenization.
pub(crate) fn topic(title: &str) -> Option<Topic> {
    match title.to_lowercase().as_str() {
        "tokenization" => Some(Topic::Tokenization),
        "preprocessing the input stream" | "input stream" => Some(Topic::Stream),
        "parse errors" => Some(Topic::Codes),
        "common parser idioms" => Some(Topic::Idioms),
        _ => None,
    }
}

/// Reads such a section.
pub(crate) fn read(section: &Section, topic: Topic, reading: &mut Reading<'_>, out: &mut Stream) {
    for text in section.texts() {
        if topic == Topic::Codes
            && let Some(code) = code(&text.text)
        {
            reading.sentences += sentences(text.line, &text.text).len();
            out.codes.push(Located {
                line: text.line,
                value: code,
            });
            continue;
        }
        for sentence in reading.sentences_of(text) {
            if !read_sentence(&sentence, reading, out) {
                reading.refuse(&sentence);
            }
        }
    }
}

/// "eof-in-tag This error occurs if …"
fn code(text: &str) -> Option<String> {
    let (code, rest) = text.split_once(' ')?;
    let is_code = code.contains('-') && code.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    (is_code && rest.starts_with("This error occur")).then(|| code.to_owned())
}

fn read_sentence(sentence: &Sentence, reading: &Reading<'_>, out: &mut Stream) -> bool {
    let line = sentence.line;
    let mut cursor = Cursor::new(&sentence.words, reading.names);
    if cursor.eat("state machine must start in") {
        out.initial = cursor.state().map(|what| Located { line, value: what });
        return out.initial.is_some() && cursor.is_done();
    }
    if cursor.eat("when end tag token is emitted") {
        let found = emission(&mut cursor).map(|what| Located { line, value: what });
        let understood = found.is_some();
        out.on_emit.extend(found);
        return understood;
    }
    tokens(&cursor, line, out) || stream(&cursor, line, out) || idiom(&cursor)
}

/// What is a parse error, or done, when an end tag is emitted.
fn emission(cursor: &mut Cursor<'_>) -> Option<OnEmit> {
    let kind = "end tag".to_owned();
    if cursor.eat(", content model flag must be switched to") {
        let word = cursor.plain()?.to_uppercase();
        cursor.eat("state");
        return Some(OnEmit {
            kind,
            guard: None,
            action: Action::SetWord("content model flag".to_owned(), word),
        });
    }
    let guard = if cursor.eat("with attributes") {
        Guard::HasAttributes
    } else if cursor.eat("with its self-closing flag set") {
        Guard::FlagIs("self-closing flag".to_owned())
    } else {
        return None;
    };
    cursor.eat(",");
    cursor.eat("that|this is");
    let code = match cursor.sees("parse error") {
        true => UNNAMED.to_owned(),
        false => cursor.plain()?.to_owned(),
    };
    let action = Action::Error(code);
    (cursor.eat("parse error") && cursor.is_done()).then_some(OnEmit {
        kind,
        guard: Some(guard),
        action,
    })
}

/// What tokens have.
fn tokens(cursor: &Cursor<'_>, line: usize, out: &mut Stream) -> bool {
    let fields: &[(&str, &str, &[&str], bool)] = &[
        (
            "doctype tokens have name , public identifier , system identifier , and force-quirks flag",
            "DOCTYPE",
            &[
                "name",
                "public identifier",
                "system identifier",
                "force-quirks flag",
            ],
            false,
        ),
        (
            "when doctype token is created , its name , public identifier , and system identifier must be marked as missing , and force-quirks flag must be set to off",
            "DOCTYPE",
            &["name", "public identifier", "system identifier"],
            true,
        ),
        (
            "start and end tag tokens have tag name , self-closing flag , and list of attributes",
            "tag",
            &["name", "self-closing flag", "attributes"],
            false,
        ),
        (
            "comment and character tokens have data",
            "comment",
            &["data"],
            false,
        ),
    ];
    if let Some((_, token, fields, missing)) = fields.iter().find(|f| cursor.sees(f.0)) {
        out.tokens.extend(fields.iter().map(|field| {
            let (token, field) = ((*token).to_owned(), (*field).to_owned());
            let what = match missing {
                true => TokenFact::Missing(token, field),
                false => TokenFact::Has(token, field),
            };
            Located { line, value: what }
        }));
        return true;
    }
    variables(cursor, line, out) || is_meaning(cursor)
}

/// What variables hold.
fn variables(cursor: &Cursor<'_>, line: usize, out: &mut Stream) -> bool {
    let mut cursor = *cursor;
    let flag = "content model flag".to_owned();
    if cursor.eat("flag has several states :") {
        let mut words = Vec::new();
        while let Some(word) = cursor.plain() {
            words.push(word.to_uppercase());
            cursor.eat(",");
            cursor.eat("and");
        }
        let what = RegisterFact::Values(flag, words);
        out.words.push(Located { line, value: what });
        return cursor.is_done();
    }
    if cursor.eat("initially it must be in") {
        let word = cursor.plain().unwrap_or_default().to_uppercase();
        let what = RegisterFact::Initial(flag, word);
        out.words.push(Located { line, value: what });
        return cursor.eat("state");
    }
    if cursor.eat("it is either true or false , and initially must be set to") {
        let flag = "escape flag".to_owned();
        let word = cursor.plain().unwrap_or_default().to_owned();
        let words = ["false", "true"].map(str::to_owned).to_vec();
        for what in [
            RegisterFact::Values(flag.clone(), words),
            RegisterFact::Initial(flag, word),
        ] {
            out.words.push(Located { line, value: what });
        }
        return cursor.eat("state");
    }
    false
}

/// What the questions mean, and what all tables have.
fn is_meaning(cursor: &Cursor<'_>) -> bool {
    [
        "when start or end tag token is created , its self-closing flag must be unset",
        "appropriate end tag token is end tag token whose tag name matches tag name of last start tag to have been emitted from this tokenizer",
        "if no start tag has been emitted from this tokenizer , then no end tag token is appropriate",
        "character reference is said to be consumed as part of attribute if return state is",
    ]
    .iter()
    .any(|phrase| cursor.sees(phrase))
}

/// The input stream.
fn stream(cursor: &Cursor<'_>, line: usize, out: &mut Stream) -> bool {
    let mut cursor = *cursor;
    if cursor.eat("one leading") && cursor.character() == Some('\u{FEFF}') {
        cursor.eat("character");
        out.drop_bom = Some(Located { line, value: true });
        return cursor.eat("must be ignored");
    }
    cursor.at = 0;
    if cursor.eat("all")
        && let Some(from) = cursor.character()
        && cursor.eat("characters? in input must be replaced by")
        && let Some(to) = cursor.character()
    {
        out.replace.push(Located {
            line,
            value: (from, to),
        });
        return true;
    }
    cursor.at = 0;
    if cursor.eat("any occurrences of such characters is parse error") {
        let set = out.replace.iter().map(|phrase| phrase.value.0).collect();
        out.errors.push(Located {
            line,
            value: (set, UNNAMED.to_owned()),
        });
        return true;
    }
    if cursor.sees("any occurrences of") {
        return occurrences(&mut cursor, line, out);
    }
    let newlines = [
        "any cr characters that are followed by lf characters must be removed , and any cr characters not followed by lf characters must be converted to lf characters",
        "before tokenization stage , input stream must be preprocessed by normalizing newlines",
    ];
    if newlines.iter().any(|phrase| cursor.sees(phrase)) {
        out.newlines = Some(Located { line, value: true });
        return true;
    }
    false
}

/// "Any occurrences of … are … parse errors [and any occurrences of …]"
fn occurrences(cursor: &mut Cursor<'_>, line: usize, out: &mut Stream) -> bool {
    while cursor.eat("any occurrences of") {
        cursor.eat("any");
        let set = if cursor.eat("surrogates") {
            CharSet::new()
        } else if cursor.eat("noncharacters") {
            CharSet::from_ranges(crate::conditions::noncharacters())
        } else if cursor.eat("controls other than ascii whitespace and") {
            let mut set = CharSet::from_ranges(crate::conditions::controls());
            if let Some(character) = cursor.character() {
                set = set.difference(&CharSet::single(character));
                cursor.eat("characters");
            }
            set
        } else {
            cursor.eat("characters");
            match cursor.set() {
                Some((set, _)) => set,
                None => return false,
            }
        };
        if !cursor.eat("are") {
            return false;
        }
        let code = match cursor.sees("parse errors") {
            true => UNNAMED.to_owned(),
            false => cursor.plain().unwrap_or_default().to_owned(),
        };
        if !cursor.eat("parse errors") {
            return false;
        }
        out.errors.push(Located {
            line,
            value: (set, code),
        });
        cursor.eat("and");
    }
    cursor.is_done()
}

/// A class of characters defined as it is understood.
fn idiom(cursor: &Cursor<'_>) -> bool {
    let mut cursor = *cursor;
    let class = match cursor.class() {
        Some(class) => class,
        None if cursor.eat("lowercase ascii letters") => CharSet::from_ranges([(0x61, 0x7A)]),
        None if cursor.eat("uppercase ascii letters") => CharSet::from_ranges([(0x41, 0x5A)]),
        None => return false,
    };
    cursor.eat("are characters");
    cursor.eat("in range between");
    cursor.set().is_some_and(|(set, _)| set == class) && cursor.is_done()
}
