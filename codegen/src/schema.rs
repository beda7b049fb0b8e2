//! The JSON Schema of the table language, from the definitions that reading uses: an editor completes
//! and checks a table with it while it is typed.

use crate::json::{Json, map};
use crate::phrase::{GUARDS, PHRASES, Template, is_open, templates_of};
use crate::set_notation::BUILT_IN;
use crate::written::{
    BODIES, ERRATUM, Key, PREPROCESSING, PROCEDURE, STATE, TEXT, TOP, VOCABULARY,
};

/// The schema, in draft 2020-12.
pub fn schema() -> String {
    let root = object("A tokenizer table.", TOP, top);
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

fn string() -> Json {
    map([("type", "string".into())])
}

fn one_of(words: &[&str]) -> Json {
    map([("enum", words.to_vec().into())])
}

fn list(items: Json) -> Json {
    map([("type", "array".into()), ("items", items)])
}

fn any_of(kinds: Vec<Json>) -> Json {
    map([("anyOf", Json::List(kinds))])
}

/// A mapping with names of the table's own as keys.
fn named(value: Json) -> Json {
    map([("type", "object".into()), ("additionalProperties", value)])
}

/// What a base has and an extending table can take away.
fn removable(value: Json) -> Json {
    any_of(vec![value, one_of(&["removed"])])
}

/// A mapping with keys of the language.
fn object(about: &str, keys: &[Key], value: impl Fn(&str) -> Json) -> Json {
    let properties = keys.iter().map(|key| {
        (
            key.name.to_owned(),
            value(key.name).with("description", key.about),
        )
    });
    map([
        ("description", about.into()),
        ("type", "object".into()),
        ("properties", Json::Map(properties.collect())),
        ("additionalProperties", false.into()),
    ])
}

fn top(key: &str) -> Json {
    match key {
        "table" => map([
            ("type", "string".into()),
            ("pattern", "^[a-z][a-z0-9-]*$".into()),
        ]),
        "section" => reference("section"),
        "vocabulary" => any_of(vec![one_of(&["markup"]), reference("vocabulary")]),
        "error codes" => list(map([("type", vec!["string", "object"].into())])),
        "hot" => list(string()),
        "classes" => named(removable(any_of(vec![
            reference("set"),
            list(reference("set")),
        ]))),
        "registers" => named(any_of(vec![
            one_of(&["text", "state", "number", "character", "removed"]),
            list(map([("type", vec!["string", "boolean"].into())])),
        ])),
        "conditions" => named(reference("guard")),
        "remarks" | "error explanations" | "error links" => named(string()),
        "preprocessing" | "text" => reference(key),
        "numeric replacements" => named(reference("set")),
        "entry states" => named(any_of(vec![string(), list(reference("phrase"))])),
        "contents after start tags" => {
            let names = vec![string(), list(string())];
            named(removable(any_of(names)))
                .with("properties", map([("section", reference("section"))]))
        }
        "on emitting" => named(removable(reference("steps"))),
        "procedures" => named(removable(any_of(vec![
            reference("steps"),
            reference("procedure"),
        ]))),
        "states" => named(removable(reference("state"))),
        "errata" => named(reference("erratum")),
        _ => string(),
    }
}

fn state(key: &str) -> Json {
    match key {
        "section" => reference("section"),
        "includes the character that switched here" => map([("type", "boolean".into())]),
        "first" | "steps" | "leaving" => reference("steps"),
        "consume" | "look ahead" => reference("arms"),
        "match a named character reference" => reference("match"),
        "errata" => named(reference("erratum")),
        _ => string(),
    }
}

/// The keys `if …`, `otherwise if …` and `otherwise`, each with this value.
fn branches(value: &str) -> Json {
    let keys = ["^if .+$", "^otherwise,? if .+$", "^otherwise$"];
    Json::Map(keys.map(|key| (key.to_owned(), reference(value))).into())
}

fn definitions() -> Json {
    let is_body = |key: &&Key| BODIES.contains(&key.name);
    let bodies: Vec<Key> = STATE.iter().filter(is_body).copied().collect();
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
        list(any_of(items)),
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
        ("section", map([("type", vec!["string", "number"].into())])),
        ("set", set),
        ("guard", guard()),
        ("phrase", phrase()),
        ("branch", branch),
        ("steps", steps),
        ("arms", arms),
        ("match", matching),
        (
            "state",
            object("A state.", STATE, state).with("patternProperties", branches("body")),
        ),
        (
            "body",
            object("What a state does in a case.", &bodies, state)
                .with("patternProperties", branches("body")),
        ),
        (
            "procedure",
            object("A sub-machine.", PROCEDURE, |key| match key {
                "section" => reference("section"),
                _ => named(reference("state")),
            }),
        ),
        (
            "preprocessing",
            object("The input stream.", PREPROCESSING, |key| match key {
                "byte order mark" => one_of(&["drop", "keep"]),
                "newlines" => one_of(&["normalize", "keep"]),
                "replace" => named(reference("set")),
                _ => named(text("An error code, or `parse error`.")),
            }),
        ),
        (
            "text",
            object("The text of the table.", TEXT, |key| match key {
                "quoted from" => reference("section"),
                _ => string(),
            }),
        ),
        (
            "vocabulary",
            object("Tokens of the table's own.", VOCABULARY, |key| match key {
                "tokens" => named(named(any_of(vec![
                    one_of(&["text", "optional text", "flag", "attributes"]),
                    list(string()),
                ]))),
                "start tag" => string(),
                _ => list(string()),
            }),
        ),
        (
            "erratum",
            object(
                "A place where the text is ambiguous or has a slip.",
                ERRATUM,
                |_| string(),
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
