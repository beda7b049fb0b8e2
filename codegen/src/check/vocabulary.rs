//! The vocabulary: the shared one, or the table's own.

use super::Checker;
use super::names::type_named;
use super::phrases::is_phrase;
use crate::diagnostic::{Code, Faults, Source};
use crate::emit::{Collision, collisions};
use crate::machine::{Field, FieldType, Kind, Token, Vocabulary};
use crate::source::At;
use crate::suggest::{one_of, which_of};
use crate::written::{OwnVocabulary, Reader};
use crate::{read, written};
use std::sync::LazyLock;

/// The shared vocabulary.
static MARKUP: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary {
    shared: Some("markup".to_owned()),
    ..read_markup(&mut Faults::default())
});

pub(crate) fn markup() -> Vocabulary {
    MARKUP.clone()
}

pub(crate) fn read_markup(faults: &mut Faults) -> Vocabulary {
    let source = Source {
        name: "markup.yaml".to_owned(),
        text: include_str!("../markup.yaml").to_owned(),
    };
    let node = read::read(0, &source.text).node;
    let table =
        node.map(|node| written::table(&mut Reader::new(&source, is_phrase, faults), &node));
    let vocabulary = table.and_then(|table| table.vocabulary);
    Own(faults).vocabulary(vocabulary.as_ref())
}

impl Checker<'_, '_> {
    pub(super) fn vocabulary(&mut self) {
        let table = self.table;
        match &table.vocabulary {
            None => self.no_vocabulary(),
            Some(written::Vocabulary::Shared(name)) if name.text == "markup" => {}
            Some(written::Vocabulary::Shared(name)) => {
                self.no_vocabulary();
                self.faults
                    .unknown(
                        Code::BadVocabulary,
                        name.at,
                        "shared vocabulary",
                        &name.text,
                    )
                    .help(
                        "it can only be `markup`; a table declares tokens of its own with `tokens`",
                    );
            }
            own => self.vocabulary = Own(self.faults).vocabulary(own.as_ref()),
        }
    }

    fn no_vocabulary(&mut self) {
        for code in OF_VOCABULARY {
            self.faults.not_declared(code);
        }
    }

    /// Says once that the states of a base use tokens that are not in the vocabulary with which a table replaces its own.
    pub(super) fn vocabulary_of_base(&mut self) {
        if let Some(written::Vocabulary::Own(OwnVocabulary { at, .. })) = &self.table.vocabulary
            && self.faults.forget(&OF_VOCABULARY, at.source)
        {
            let message = "the states of the base use tokens that this vocabulary does not have";
            self.fault(Code::BadVocabulary, *at, message).help(
                "a vocabulary replaces that of the base: write its tokens and fields here, too",
            );
        }
    }
}

/// What is said of names that the vocabulary does not have.
const OF_VOCABULARY: [Code; 5] = [
    Code::UnknownToken,
    Code::UnknownKind,
    Code::UnknownField,
    Code::AmbiguousField,
    Code::UnknownContent,
];

/// Reads a vocabulary that lists its tokens.
struct Own<'f>(&'f mut Faults);

impl Own<'_> {
    /// Without tokens when they are not listed.
    fn vocabulary(&mut self, written: Option<&written::Vocabulary>) -> Vocabulary {
        let Some(written::Vocabulary::Own(own)) = written else {
            return Vocabulary {
                shared: None,
                tokens: Vec::new(),
                contents: Vec::new(),
                questions: Vec::new(),
            };
        };
        let OwnVocabulary { at, contents, .. } = own;
        let tokens = own.tokens.as_deref().unwrap_or_default();
        let mut vocabulary = Vocabulary {
            shared: None,
            tokens: tokens.iter().map(|token| self.own_token(token)).collect(),
            contents: match contents {
                Some(contents) => contents.iter().map(|c| c.text.clone()).collect(),
                None => vec!["data".to_owned()],
            },
            questions: own.questions.iter().map(|q| q.text.clone()).collect(),
        };
        if vocabulary.contents.is_empty() {
            self.0
                .add(Code::BadVocabulary, *at, "there must be a content")
                .help("leave `contents` out for `data` alone");
            vocabulary.contents.push("data".to_owned());
        }
        let with_attributes = |t: &Token| {
            t.fields
                .iter()
                .filter(|f| f.ty == FieldType::Attributes)
                .count()
        };
        if vocabulary.tokens.iter().map(with_attributes).sum::<usize>() > 1 {
            let message = "only one token can have attributes, in one field";
            self.0
                .add(Code::BadVocabulary, *at, message)
                .help("the attribute under construction belongs to that token");
        }
        self.distinct_kinds(tokens);
        for name in &own.answering {
            if let Some((token, kind)) = self.own_kind(&vocabulary, name) {
                vocabulary.tokens[token].kinds[kind].answers = true;
            }
        }
        if let Some(name) = &own.start_tag {
            self.start_tag(&mut vocabulary, name);
        }
        let written = tokens.iter().flat_map(|token| {
            let fields = token.fields.iter().map(|(name, _)| name);
            [&token.name].into_iter().chain(&token.kinds).chain(fields)
        });
        let written: Vec<&written::Text> = written
            .chain(contents.iter().flatten())
            .chain(&own.questions)
            .collect();
        self.distinct_in_rust(&vocabulary, &written, *at);
        vocabulary
    }

    fn start_tag(&mut self, vocabulary: &mut Vocabulary, written: &written::Text) {
        let Some((token, kind)) = self.own_kind(vocabulary, written) else {
            return;
        };
        let token = &mut vocabulary.tokens[token];
        let is_name = |field: &Field| field.name == "name" && field.ty == FieldType::Text;
        if !token.fields.iter().any(is_name) {
            let message = format!("a start tag needs a name, which `{}` has not", token.name);
            self.0
                .add(Code::BadVocabulary, written.at, message)
                .help("give it a field `name: text`");
        }
        let kind = &mut token.kinds[kind];
        if !kind.answers {
            let message = format!("the start tag `{}` is not among `answering`", kind.name);
            self.0
                .add(Code::BadVocabulary, written.at, message)
                .help("list it there: the sink may answer with the content of its element");
        }
        kind.is_start_tag = true;
    }

    /// Names that differ in what Rust has no place for must not be all that tells two things apart.
    fn distinct_in_rust(&mut self, vocabulary: &Vocabulary, written: &[&written::Text], at: At) {
        for Collision { what, names, rust } in collisions(vocabulary) {
            let [one, other] = &names;
            let place = written.iter().rev().find(|text| text.text == *other);
            self.0
                .add(
                    Code::DuplicateName,
                    place.map_or(at, |text| text.at),
                    format!("the {what} `{one}` and `{other}` are both `{rust}` in Rust"),
                )
                .help("names differ in their letters and digits, and not only in case, spaces or other characters");
        }
    }

    fn own_token(&mut self, token: &written::Token) -> Token {
        Token {
            name: token.name.text.clone(),
            kinds: kinds_of(token)
                .iter()
                .map(|kind| Kind {
                    name: kind.text.clone(),
                    answers: false,
                    is_start_tag: false,
                })
                .collect(),
            fields: token
                .fields
                .iter()
                .filter_map(|(name, ty)| {
                    Some(Field {
                        name: name.text.clone(),
                        ty: self.field_type_named(ty)?,
                    })
                })
                .collect(),
        }
    }

    /// The type, or the one that was probably meant: phrases about the field are read with that.
    fn field_type_named(&mut self, ty: &written::Text) -> Option<FieldType> {
        const TYPES: [(&str, FieldType); 4] = [
            ("text", FieldType::Text),
            ("optional text", FieldType::OptionalText),
            ("flag", FieldType::Flag),
            ("attributes", FieldType::Attributes),
        ];
        let what = (Code::BadVocabulary, "field");
        let otherwise = |_: &str| one_of(TYPES.map(|(name, _)| name));
        let named = type_named(ty, what, &TYPES, otherwise, self.0);
        if named.is_none() {
            self.0.not_declared(Code::UnknownField);
        }
        named
    }

    /// A kind belongs to one token, since phrases name it alone.
    fn distinct_kinds(&mut self, tokens: &[written::Token]) {
        let mut seen = std::collections::HashMap::new();
        for token in tokens {
            for kind in kinds_of(token) {
                let of = *seen.entry(&kind.text).or_insert(&token.name.text);
                if *of != token.name.text {
                    self.0.add(
                        Code::DuplicateName,
                        kind.at,
                        format!("another token has the kind `{}` too", kind.text),
                    );
                }
            }
        }
    }

    fn own_kind(
        &mut self,
        vocabulary: &Vocabulary,
        name: &written::Text,
    ) -> Option<(usize, usize)> {
        let found = vocabulary.tokens.iter().enumerate().find_map(|(t, token)| {
            let kind = token.kinds.iter().position(|k| k.name == name.text)?;
            Some((t, kind))
        });
        if found.is_none() {
            let kinds = vocabulary.tokens.iter().flat_map(|token| &token.kinds);
            let kinds = kinds.map(|kind| kind.name.as_str());
            self.0
                .unknown(Code::UnknownKind, name.at, "kind of token", &name.text)
                .help(which_of(&name.text, kinds));
        }
        found
    }
}

/// The kinds that a token declares, or its only one.
fn kinds_of(token: &written::Token) -> &[written::Text] {
    match token.kinds.is_empty() {
        true => std::slice::from_ref(&token.name),
        false => &token.kinds,
    }
}
