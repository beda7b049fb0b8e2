//! The JSON Schema of both table languages, from the definitions that reading uses: an editor completes and checks a table with it
//! while it is typed.

use crate::check::{GUARDS, PHRASES};
use crate::json::{Json, map};
use crate::phrase::{Template, is_open, templates_of};
use crate::set_notation::BUILT_IN;
use crate::tree;
use crate::written::{BODIES, ERRATUM, Key, KeyOf, PREPROCESSING, PROCEDURE, STATE, Shape};
use crate::written::{TEXT, TOP, VOCABULARY};

/// The schema, in draft 2020-12. A table with the key `tree` is one of tree construction.
pub fn schema() -> String {
    let required = |keys: &[&str]| map([("required", keys.to_vec().into())]);
    let names = ["table", "tree"].map(|name| (name, Json::Bool(true)));
    map([
        (
            "$schema",
            "https://json-schema.org/draft/2020-12/schema".into(),
        ),
        ("title", "Tokenizer table or tree table".into()),
        ("type", "object".into()),
        ("properties", map(names)),
        ("if", required(&["tree"])),
        ("then", reference("tree-table")),
        ("else", reference("tokenizer-table")),
        ("$defs", definitions()),
    ])
    .print()
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
    keys_like(&BRANCHES, value)
}

const BRANCHES: [&str; 3] = ["^if .+$", "^otherwise,? if .+$", "^otherwise$"];
/// In lists of a tree table: `while …`, and labels.
const LOOPS: [&str; 2] = ["^while .+$", "^[A-Z][A-Za-z0-9]*$"];

fn keys_like(keys: &[&str], value: &str) -> Json {
    let keys = keys.iter();
    Json::Map(
        keys.map(|key| ((*key).to_owned(), reference(value)))
            .collect(),
    )
}

/// A phrase or a branch, or a list of them.
fn steps(phrase: &str, branch: &str) -> Json {
    let either = || vec![reference(phrase), reference(branch)];
    let list = of_type("array").with("items", any_of(either()));
    any_of([either(), vec![list]].concat())
}

/// A mapping whose keys all are like these.
fn branch(about: &str, keys: Json) -> Json {
    map([
        ("description", about.into()),
        ("type", "object".into()),
        ("patternProperties", keys),
        ("additionalProperties", false.into()),
    ])
}

fn definitions() -> Json {
    let keys = STATE.iter().map(|of| &of.key);
    let bodies = keys.filter(|key| BODIES.contains(&key.name));
    let set = map([
        ("type", "string".into()),
        ("description", "A character set: code points, ranges, quoted characters and classes, separated by commas; what follows `except` is taken away.".into()),
        ("examples", set_examples()),
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
    let required = |table: Json, keys: Vec<&str>| table.with("required", keys);
    let [tree_steps, tree_guards, _] = tree::rows();
    let tree_arm = removable(reference("tree-steps"));
    let tree_arms = TREE_ARMS.map(|key| (key, tree_arm.clone()));
    map([
        (
            "tokenizer-table",
            required(object("A tokenizer table.", TOP), vec!["table"]),
        ),
        (
            "tree-table",
            required(
                object("A table of tree construction.", tree::TOP),
                vec!["tree", "tokenizer"],
            ),
        ),
        (
            "insertion-mode",
            removable(
                object(
                    "The arms of an insertion mode, by the tokens that they take.",
                    tree::MODE,
                )
                .with_all("properties", tree_arms)
                .with("additionalProperties", tree_arm),
            ),
        ),
        (
            "fragments",
            object("How a fragment is parsed.", tree::FRAGMENTS),
        ),
        ("tree-phrase", tree_phrase(&tree_steps)),
        ("tree-guard", guard(tree_guards.into_iter())),
        (
            "tree-branch",
            branch(
                "Branches: `if GUARD`, `otherwise if GUARD`, `otherwise`, `while GUARD`, and a label, which is a capitalized word.",
                keys_like(&[&BRANCHES[..], &LOOPS].concat(), "tree-steps"),
            ),
        ),
        ("tree-steps", steps("tree-phrase", "tree-branch")),
        ("section", of_type(vec!["string", "number"])),
        ("set", set),
        ("guard", guard(templates_of(GUARDS))),
        ("phrase", phrase()),
        (
            "branch",
            branch(
                "Branches: `if GUARD`, `otherwise if GUARD`, `otherwise`.",
                branches("steps"),
            ),
        ),
        ("steps", steps("phrase", "branch")),
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
    one_of_phrases(kinds, templates_of(PHRASES).map(snippet))
}

/// What stands in most insertion modes.
const TREE_ARMS: [&str; 8] = [
    "character token that is white space",
    "comment token",
    "DOCTYPE token",
    "start tag \"NAME\"",
    "any other start tag",
    "any other end tag",
    "end-of-file token",
    "anything else",
];

/// A step of tree construction, or what the table calls one, which may begin as any.
fn tree_phrase(steps: &[&'static Template]) -> Json {
    let steps = steps.iter().filter(|step| step.fixed().next().is_some());
    let mut kinds: Vec<Json> = steps.clone().map(|step| one_template(step)).collect();
    kinds.push(text("The name of a procedure or of a host step."));
    one_of_phrases(kinds, steps.map(|step| snippet(step)))
}

fn one_of_phrases(kinds: Vec<Json>, snippets: impl Iterator<Item = Json>) -> Json {
    let snippets = Json::List(snippets.collect());
    let about = "One thing that a sentence of a text says.";
    map([
        ("description", about.into()),
        ("anyOf", Json::List(kinds)),
        ("defaultSnippets", snippets),
    ])
}

fn guard(rows: impl Iterator<Item = &'static Template>) -> Json {
    let examples: Vec<&str> = rows.map(|template| template.example).collect();
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
        let is_article =
            matches!(word, "the" | "a" | "an") && !template.pattern.starts_with("emit a ");
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
