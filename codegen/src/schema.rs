//! The JSON Schema of the table language, from the definitions that reading uses: an editor completes
//! and checks a table with it while it is typed.

use crate::check::{GUARDS, PHRASES};
use crate::json::{Json, map};
use crate::phrase::{Template, is_open, templates_of};
use crate::set_notation::BUILT_IN;
use crate::written::{BODIES, ERRATUM, Key, KeyOf, PREPROCESSING, PROCEDURE, STATE, Shape};
use crate::written::{TEXT, TOP, VOCABULARY};

/// The schema, in draft 2020-12.
pub fn schema() -> String {
    let root = object("A tokenizer table.", TOP);
    let head = map([
        (
            "$schema",
            Json::from("https://json-schema.org/draft/2020-12/schema"),
        ),
        ("title", Json::from("Tokenizer table")),
    ]);
    let (Json::Map(mut entries), Json::Map(root)) = (head, root) else {
        return String::new();
    };
    entries.extend(root);
    entries.push(("required".to_owned(), vec!["table"].into()));
    entries.push(("$defs".to_owned(), definitions()));
    Json::Map(entries).print()
}

fn reference(name: &str) -> Json {
    map([("$ref", format!("#/$defs/{name}").into())])
}

fn text(about: &str) -> Json {
    map([("type", "string".into()), ("description", about.into())])
}

fn any_of(kinds: Vec<Json>) -> Json {
    map([("anyOf", Json::List(kinds))])
}

fn of_type(ty: impl Into<Json>) -> Json {
    map([("type", ty.into())])
}

/// A mapping with names of the table's own as keys.
fn named(value: Json) -> Json {
    of_type("object").with("additionalProperties", value)
}

/// What stands behind a key.
fn shape(shape: &Shape) -> Json {
    match shape {
        Shape::Text => of_type("string"),
        Shape::Said(about) => text(about),
        Shape::Matching(pattern) => of_type("string").with("pattern", *pattern),
        Shape::OneOf(words) => map([("enum", words.to_vec().into())]),
        Shape::Boolean => of_type("boolean"),
        Shape::Types(types) => of_type(types.to_vec()),
        Shape::Defined(name) => reference(name),
        Shape::Any(kinds) => any_of(kinds.iter().map(self::shape).collect()),
        Shape::List(items) => of_type("array").with("items", self::shape(items)),
        Shape::Named(value) => named(self::shape(value)),
        Shape::NamedInSection(value) => {
            let section = map([("section", reference("section"))]);
            named(self::shape(value)).with("properties", section)
        }
    }
}

/// What a base has and an extending table can take away.
fn removable(value: Json) -> Json {
    any_of(vec![value, shape(&Shape::OneOf(&["removed"]))])
}

/// A mapping with keys of the language.
fn object<T>(about: &str, keys: &'static [KeyOf<T>]) -> Json {
    object_of(about, keys.iter().map(|of| &of.key))
}

fn object_of(about: &str, keys: impl Iterator<Item = &'static Key>) -> Json {
    let property = |key: &Key| {
        let value = shape(&key.shape).with("description", key.about);
        (key.name.to_owned(), value)
    };
    map([
        ("description", about.into()),
        ("type", "object".into()),
        ("properties", Json::Map(keys.map(property).collect())),
        ("additionalProperties", false.into()),
    ])
}

/// The keys `if …`, `otherwise if …` and `otherwise`, each with this value.
fn branches(value: &str) -> Json {
    let keys = ["^if .+$", "^otherwise,? if .+$", "^otherwise$"];
    Json::Map(keys.map(|key| (key.to_owned(), reference(value))).into())
}

fn definitions() -> Json {
    let keys = STATE.iter().map(|of| &of.key);
    let bodies = keys.filter(|key| BODIES.contains(&key.name));
    let set = map([
        ("type", "string".into()),
        ("description", "A character set: code points, ranges, quoted characters and classes, separated by commas; what follows `except` is taken away.".into()),
        ("examples", set_examples()),
    ]);
    let branch = map([
        (
            "description",
            "Branches: `if GUARD`, `otherwise if GUARD`, `otherwise`.".into(),
        ),
        ("type", "object".into()),
        ("patternProperties", branches("steps")),
        ("additionalProperties", false.into()),
    ]);
    let items = vec![reference("phrase"), reference("branch")];
    let steps = any_of(vec![
        reference("phrase"),
        reference("branch"),
        of_type("array").with("items", any_of(items)),
    ]);
    let change = map([
        (
            "description",
            "In an extending table: a new arm after another one.".into(),
        ),
        ("type", "object".into()),
        (
            "properties",
            map([
                ("after arm", reference("set")),
                ("then", reference("steps")),
            ]),
        ),
        ("required", vec!["after arm", "then"].into()),
        ("additionalProperties", false.into()),
    ]);
    let arm = removable(any_of(vec![reference("steps"), change]));
    let arms = map([
        (
            "description",
            "Arms by character set, literal, `EOF` or `anything else`.".into(),
        ),
        ("type", "object".into()),
        (
            "properties",
            map([("EOF", arm.clone()), ("anything else", arm.clone())]),
        ),
        ("additionalProperties", arm.clone()),
    ]);
    let matching = map([
        ("type", "object".into()),
        (
            "properties",
            map([("match", arm.clone()), ("no match", arm)]),
        ),
        ("additionalProperties", false.into()),
    ]);
    map([
        ("section", of_type(vec!["string", "number"])),
        ("set", set),
        ("guard", guard()),
        ("phrase", phrase()),
        ("branch", branch),
        ("steps", steps),
        ("arms", arms),
        ("match", matching),
        (
            "state",
            object("A state.", STATE).with("patternProperties", branches("body")),
        ),
        (
            "body",
            object_of("What a state does in a case.", bodies)
                .with("patternProperties", branches("body")),
        ),
        ("procedure", object("A sub-machine.", PROCEDURE)),
        ("preprocessing", object("The input stream.", PREPROCESSING)),
        ("text", object("The text of the table.", TEXT)),
        (
            "vocabulary",
            object("Tokens of the table's own.", VOCABULARY),
        ),
        (
            "erratum",
            object(
                "A place where the text is ambiguous or has a slip.",
                ERRATUM,
            ),
        ),
    ])
}

fn set_examples() -> Json {
    let classes = BUILT_IN.iter().map(|class| class.name);
    let others = [
        "U+003C (<)",
        "U+0041 (A) to U+005A (Z)",
        "EOF",
        "anything else",
    ];
    let examples: Vec<&str> = others.into_iter().chain(classes).collect();
    examples.into()
}

/// A phrase of the vocabulary, or the name of a step list, which begins with no verb of a phrase.
fn phrase() -> Json {
    let mut verbs: Vec<&str> = templates_of(PHRASES)
        .filter_map(|template| template.pattern.split(' ').next())
        .collect();
    verbs.sort_unstable();
    verbs.dedup();
    let mut kinds: Vec<Json> = templates_of(PHRASES).map(one_template).collect();
    let own = format!("^(?!({})( |$)).+$", verbs.join("|"));
    kinds.push(text("The name of a step list in `procedures`.").with("pattern", own));
    map([
        (
            "description",
            "One thing that a sentence of a text says.".into(),
        ),
        ("anyOf", Json::List(kinds)),
        (
            "defaultSnippets",
            Json::List(templates_of(PHRASES).map(snippet).collect()),
        ),
    ])
}

fn guard() -> Json {
    let examples: Vec<&str> = templates_of(GUARDS)
        .map(|template| template.example)
        .collect();
    map([
        ("type", "string".into()),
        (
            "description",
            "A guard: parts joined by `and` or by `or`, each perhaps with `not`.".into(),
        ),
        ("examples", examples.into()),
    ])
}

fn one_template(template: &Template) -> Json {
    map([
        ("type", "string".into()),
        ("pattern", pattern(template).into()),
        (
            "description",
            format!("`{}`. {}", template.pattern, template.about).into(),
        ),
        ("examples", vec![template.example].into()),
    ])
}

/// A regular expression: what is open matches anything, an article may be left out.
fn pattern(template: &Template) -> String {
    let mut out = String::from("^");
    for (i, word) in template.pattern.split(' ').enumerate() {
        let (word, comma) = match word.strip_suffix(',') {
            Some(word) => (word, ","),
            None => (word, ""),
        };
        let is_article = matches!(word, "the" | "a") && !template.pattern.starts_with("emit a ");
        if is_article {
            out.push_str("( (the|a|an))?");
            continue;
        }
        if i > 0 {
            out.push(' ');
        }
        out.push_str(if word == "a" {
            "an?"
        } else if is_open(word) {
            ".+"
        } else {
            word
        });
        out.push_str(comma);
    }
    out.push('$');
    out
}

/// A completion with a place to fill for each open part.
fn snippet(template: &Template) -> Json {
    let mut number = 0;
    let words: Vec<String> = template
        .pattern
        .split(' ')
        .map(|word| {
            let bare = word.trim_end_matches(',');
            if !is_open(bare) {
                return word.to_owned();
            }
            number += 1;
            word.replace(bare, &format!("${{{number}:{bare}}}"))
        })
        .collect();
    map([
        ("label", template.pattern.into()),
        ("description", template.about.into()),
        ("body", words.join(" ").into()),
    ])
}
