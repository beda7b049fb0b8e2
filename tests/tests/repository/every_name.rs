//! Whatever a table calls its tokens, fields, contents, registers, words, questions, conditions, errors and states, the
//! generated code compiles: each identifier that occurs in generated code is used as each of these, and so are random characters.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use speclex_codegen::emit::{self, Paths};
use speclex_codegen::machine::{Machine, RegisterType};
use speclex_codegen::{Source, load, vocabulary};
use speclex_tests::random::Random;
use speclex_tests::workspace;

use crate::cargo;

/// Names that the compiler, the prelude, the runtime or people's code around the module may have.
const OTHERS: &str = "\
    T t S s E e N n A a U u F f K k V v R r Into into From from TryInto try_into Ok Err Vec Box String ToString to_string \
    ToOwned to_owned Borrow borrow AsRef as_ref Iterator IntoIterator into_iter iter next Default default Clone clone \
    clone_into Copy Drop drop Fn FnMut FnOnce Send Sync Sized Unpin Eq PartialEq PartialOrd Ord eq ne cmp partial_cmp \
    Hash hash Debug fmt Display Result Option Some None Cow str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 isize bool char \
    f32 f64 self super crate Self static dyn async await gen try yield union auto macro_rules raw safe core std alloc \
    speclex main test derive inline doc allow cfg track_caller panic assert matches concat env include_bytes \
    vec format println write borrow_mut any type_id";

/// How many names one table has.
const BATCH: usize = 20;

/// A table with these conditions, as many of everything else, and all that code is generated for.
fn table(conditions: &[String]) -> String {
    let count = conditions.len();
    let list = |name: &str| {
        let names = (0..count).map(|i| format!("{name}{i}"));
        names.collect::<Vec<_>>().join(", ")
    };
    let mut text = String::from("table: names\ntitle: Names\nvocabulary:\n  tokens:\n");
    let fields = (0..count).map(|i| format!("f{i}: {}", ["text", "optional text", "flag"][i % 3]));
    let fields = fields.collect::<Vec<_>>().join(", ");
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "    k0: {{{fields}}}\n    fixed many: {{kinds: [{}], fixed own: text}}",
        list("m")
    );
    let _ = writeln!(
        text,
        "    fixed tag: {{fixed list: attributes}}\n    fixed empty: {{}}"
    );
    for i in 1..count {
        let field = ["text", "optional text", "flag"][i % 3];
        let _ = writeln!(text, "    k{i}: {{g{i}: {field}}}");
    }
    let _ = writeln!(
        text,
        "  contents: [{}]\n  questions: [{}]",
        list("c"),
        list("q")
    );
    let _ = writeln!(
        text,
        "  answering: [k0, k1, m0, fixed empty]\nerror codes: [{}]",
        list("e")
    );
    text += "registers:\n  all words: [";
    text += &list("w");
    text += "]\n";
    for i in 0..count {
        let types = ["[one, two]", "text", "number", "character", "state"];
        let _ = writeln!(text, "  r{i}: {}", types[i % types.len()]);
    }
    text += "conditions:\n";
    for (i, name) in conditions.iter().enumerate() {
        let _ = writeln!(text, "  {name:?}: the all words is w{i}");
    }
    text += "preprocessing: {newlines: normalize, errors: {U+0001: e0}}\nnumeric replacements: {0x80: U+20AC}\n";
    text += "entry states:\n";
    for i in 0..count {
        let _ = writeln!(text, "  c{i}: s{i}");
    }
    text += "on emitting:\n  k0: {if the all words is w1: error e1}\n";
    text += "hot: [s0, s1]\nstates:\n";
    for (i, condition) in conditions.iter().enumerate() {
        let next = (i + 1) % count;
        let field = if i == 0 {
            "f0".to_owned()
        } else {
            format!("g{i}")
        };
        let is_flag = i % 3 == 2;
        let append = match is_flag {
            true => format!("set the {field} of the k{i}"),
            false => format!("append the current input character to the {field} of the k{i}"),
        };
        let register = match i % 5 {
            // Where words and states are known, the checker follows each combination.
            0 | 4 => "ignore".to_owned(),
            1 => format!("append the current input character to the r{i}"),
            2 => format!("set the r{i} to 1"),
            _ => format!("set the r{i} to U+0061"),
        };
        let _ = writeln!(
            text,
            "  s{i}:\n    consume:\n      U+0061: [create a k{i} token, \"{append}\", \"{register}\", emit the k{i} token, switch to s{next}]"
        );
        let _ = writeln!(
            text,
            "      U+0062: [create a m{i} token, append the current input character to the fixed own of the fixed many, emit the fixed many token, error e{i}]"
        );
        let _ = writeln!(
            text,
            "      U+0063: [set the all words to w{i}, switch to t{i}]"
        );
        let _ = writeln!(
            text,
            "      '\"xy\"': [emit a fixed empty token, create a fixed tag token, start a new attribute, emit the fixed tag token]"
        );
        let _ = writeln!(
            text,
            "      EOF: emit EOF\n      anything else: emit the current input character"
        );
        let _ = writeln!(
            text,
            "  t{i}:\n    steps:\n      if q{i}: switch to s{next}\n      \"otherwise if {condition}\": switch to s{i}\n      otherwise: switch to s{next}"
        );
    }
    text
}

fn machine(text: String) -> Machine {
    let name = "names.yaml".to_owned();
    let references = vec![("amp;".to_owned(), "&".to_owned())];
    match load(Source { name, text }, &|_| None, &|_| {
        Some(references.clone())
    }) {
        Ok(loaded) => loaded.machine,
        Err(report) => panic!("{report}"),
    }
}

/// Calls everything else by these names, too: the vocabulary by the first ones, all else by the others.
fn rename(mut machine: Machine, names: &[String], inner: &[String]) -> Machine {
    let renamed_in = |names: &[String], old: &mut String, prefix: &str| {
        let number = old
            .strip_prefix(prefix)
            .and_then(|n| n.parse::<usize>().ok());
        if let Some(number) = number {
            names[number].clone_into(old);
        }
    };
    let renamed = |old: &mut String, prefix: &str| renamed_in(names, old, prefix);
    for token in &mut machine.vocabulary.tokens {
        renamed(&mut token.name, "k");
        for kind in &mut token.kinds {
            renamed(&mut kind.name, "k");
            // A kind is another kind of token's too; here it may not be.
            if let Some(number) = kind.name.strip_prefix('m')
                && number.parse::<usize>().is_ok()
            {
                kind.name = format!("kind {number}");
            }
        }
        for field in &mut token.fields {
            renamed(&mut field.name, "f");
            renamed(&mut field.name, "g");
        }
    }
    let vocabulary = &mut machine.vocabulary;
    vocabulary.contents.iter_mut().for_each(|c| renamed(c, "c"));
    vocabulary
        .questions
        .iter_mut()
        .for_each(|q| renamed(q, "q"));
    let renamed = |old: &mut String, prefix: &str| renamed_in(inner, old, prefix);
    machine.errors.iter_mut().for_each(|e| renamed(e, "e"));
    for register in &mut machine.registers {
        renamed(&mut register.name, "r");
        if let RegisterType::Finite(words) = &mut register.ty {
            words.iter_mut().for_each(|w| renamed(w, "w"));
        }
    }
    for state in &mut machine.states {
        renamed(&mut state.name, "s");
    }
    machine
}

fn identifiers(tokens: TokenStream, into: &mut BTreeSet<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                into.insert(ident.to_string());
            }
            TokenTree::Group(group) => identifiers(group.stream(), into),
            _ => {}
        }
    }
}

/// `EmitRun` and `emit_run` alike are what a table calls `emit run`.
fn in_words(identifier: &str) -> String {
    let mut words = String::new();
    let mut before = '_';
    for c in identifier.chars() {
        if c == '_' || c.is_ascii_uppercase() && before.is_ascii_lowercase() {
            words.push(' ');
        }
        if c != '_' {
            words.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    words.trim().to_owned()
}

/// All names, each once in Rust, in lists for tables.
fn names() -> Vec<Vec<String>> {
    let conditions: Vec<String> = (0..6).map(|i| format!("v{i}")).collect();
    let mut all: BTreeSet<String> = OTHERS.split_whitespace().map(str::to_owned).collect();
    identifiers(
        emit::module(&machine(table(&conditions)), &Paths::default()),
        &mut all,
    );
    let runtime = Paths::default().runtime;
    identifiers(
        emit::vocabulary_module(&vocabulary::markup(), &runtime),
        &mut all,
    );
    for file in [
        "examples/csv/tables/csv.yaml",
        "examples/webvtt/tables/webvtt.yaml",
    ] {
        let text = fs::read_to_string(workspace().join(file)).expect("a table");
        identifiers(emit::module(&machine(text), &Paths::default()), &mut all);
    }
    let names: BTreeSet<String> = all.iter().map(|identifier| in_words(identifier)).collect();
    // What the table above calls its own.
    let is_own = |name: &str| {
        let number = name.get(1..).unwrap_or_default();
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        name.starts_with("fixed") || is_number && !name.starts_with(['u', 'i'])
    };
    let names = names
        .into_iter()
        .filter(|name| !name.is_empty() && !is_own(name));
    // Beside a token without these words there may be none with them: they are names of the former's types.
    let is_part = |name: &String| name.ends_with(" under construction") || name.ends_with(" kind");
    let (parts, whole): (Vec<String>, Vec<String>) = names.partition(is_part);
    assert!(
        whole.len() > 200 && !parts.is_empty(),
        "{whole:?} {parts:?}"
    );
    let tables = whole.chunks(BATCH).chain(parts.chunks(BATCH));
    tables.map(<[String]>::to_vec).collect()
}

/// What a YAML text may hold and the checker takes for a name.
fn name(random: &mut Random) -> String {
    const CHARACTERS: [(u32, u32); 8] = [
        (0x21, 0x7E),
        (0x20, 0x40),
        (0xA0, 0x24F),
        (0x300, 0x36F),
        (0x370, 0x5FF),
        (0x2010, 0x2027),
        (0x4E00, 0x9FFF),
        (0x1F300, 0x1F6FF),
    ];
    let character = |random: &mut Random| {
        let (first, last) = *random.one(&CHARACTERS);
        let number = first + random.below((last - first) as usize) as u32;
        char::from_u32(number).unwrap_or('$')
    };
    let name: String = (0..=random.below(4)).map(|_| character(random)).collect();
    match name.trim() {
        "" => "$".to_owned(),
        name => name.to_owned(),
    }
}

/// A table whose vocabulary has these names.
fn vocabulary_with(names: &[String]) -> String {
    let names: Vec<_> = names.iter().map(|name| yaml(name)).collect();
    let list = names.join(", ");
    let tokens = names.iter().map(|name| format!("{name}: {{}}"));
    let fields = names.iter().map(|name| format!("{name}: text"));
    let (tokens, fields) = (tokens.collect::<Vec<_>>(), fields.collect::<Vec<_>>());
    format!(
        "table: names\nvocabulary:\n  tokens: {{fixed many: {{{}}}, {}}}\n  contents: [{list}]\n  questions: [{list}]\n\
         entry states: {{{}: s}}\nstates: {{s: {{consume: {{EOF: emit EOF, anything else: ignore}}}}}}\n",
        fields.join(", "),
        tokens.join(", "),
        names[0],
    )
}

/// In quotes, which are doubled inside.
fn yaml(name: &str) -> String {
    format!("'{}'", name.replace('\'', "''"))
}

/// Names of a vocabulary that the checker accepts beside each other, and names for all else.
fn random_names(random: &mut Random) -> [Vec<String>; 2] {
    let is_accepted = |names: &[String]| {
        let text = vocabulary_with(names);
        let name = "names.yaml".to_owned();
        load(Source { name, text }, &|_| None, &|_| None).is_ok()
    };
    let mut names: Vec<String> = Vec::new();
    while names.len() < BATCH {
        names.push(name(random));
        if !is_accepted(&names) {
            names.pop();
        }
    }
    // Some differ only in what an identifier cannot hold.
    let alike = [
        "1", "$", "2 x", "a (b)", "a b)", "a b", "A-b", "_1", "u0024",
    ];
    let mut inner: Vec<String> = alike.map(str::to_owned).to_vec();
    while inner.len() < BATCH {
        let one = name(random);
        if !inner.contains(&one) {
            inner.push(one);
        }
    }
    [names, inner]
}

/// Each kind of name in the text of a table, phrases and all.
const WRITTEN: &str = r#"
table: written
title: 名 🐟
vocabulary:
  tokens:
    名: {é: text, É: flag, "1": optional text, input: flag}
    "🐟": {kinds: ["ß", "ẞ"], at: flag}
  contents: [名, "1", "$"]
  questions: [名 前]
  answering: [名]
error codes: ["-", "--", 名, "1"]
registers: {ñ: [ı, i, "1"], "ö": text, end: [off, on]}
conditions: {"ü": the ñ is ı}
procedures:
  名 (1): [error 名, error -]
  try 名:
    states:
      a b: {consume: {U+0078: return "x", EOF: return nothing, anything else: return nothing}}
entry states: {名: a (b), "1": 2 x, "$": "$"}
states:
  a (b):
    consume:
      U+0061: [create a 名 token, append the current input character to the é, switch to 1]
      U+0062: [create a ß token, set the at, emit the 🐟 token]
      EOF: emit EOF
      anything else: emit the current input character
  a b):
    consume:
      U+0063: [set the end to on, switch to a b]
      EOF: emit EOF
      anything else: ignore
  a b:
    steps:
      - if ü: switch to 🐟
      - if 名 前: switch to 名
      - otherwise: switch to 2 x
  "1":
    consume:
      U+0061: [set the input, set the É, ignore]
      EOF: [emit the 名 token, emit EOF]
      anything else: [emit the 名 token, switch to $]
  "$":
    consume:
      U+0062: [名 (1), switch to a b)]
      U+0063: [error --, error 1, set the ñ to i]
      U+0064: [append the current input character to the ö, emit the ö]
      EOF: emit EOF
      anything else: ignore
  🐟:
    consume:
      U+0062: switch to a (b)
      EOF: emit EOF
      anything else: ignore
  名:
    consume:
      EOF: emit EOF
      anything else: switch to a (b)
  2 x:
    consume:
      U+0062: [if the end is on: parse error, switch to a (b)]
      EOF: emit EOF
      anything else: switch to a b)
"#;

#[test]
#[ignore = "compiles for half a minute; .ci/run runs it"]
fn whatever_the_checker_accepts_compiles() {
    let conditions: Vec<String> = (0..BATCH).map(|i| format!("v{i}")).collect();
    let of_identifiers = names()
        .into_iter()
        .map(|names| rename(machine(table(&names)), &names, &names));
    let of_characters = (0..6).map(|seed| {
        let [names, inner] = random_names(&mut Random::new(seed));
        rename(machine(table(&conditions)), &names, &inner)
    });
    let written = std::iter::once_with(|| machine(WRITTEN.to_owned()));
    let machines = of_identifiers.chain(of_characters).chain(written);
    let modules: Vec<String> = machines
        .map(|machine| {
            let items = emit::module(&machine, &Paths::default());
            emit::file(items, &["Names.".to_owned()]).expect("Rust")
        })
        .collect();
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("every-name");
    fs::create_dir_all(package.join("src")).expect("a folder");
    let save = |file: &str, text: &str| {
        fs::write(package.join(file), text).expect("a file");
    };
    let manifest = format!(
        "[package]\nname = \"every-name\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         speclex = {{ path = {:?}, default-features = false, features = [\"serde\", \"std\"] }}\n\n[workspace]\n",
        workspace().join("runtime")
    );
    save("Cargo.toml", &manifest);
    let mut list = String::from("#![deny(warnings)]\n#![allow(dead_code)]\n");
    for (index, code) in modules.iter().enumerate() {
        let _ = writeln!(list, "#[allow(clippy::pedantic)]\npub mod names{index};");
        save(&format!("src/names{index}.rs"), code);
    }
    save("src/lib.rs", &list);
    let lock = workspace().join("Cargo.lock");
    fs::copy(lock, package.join("Cargo.lock")).expect("the versions that are here");
    let output = cargo(&package, &["check"]).output().expect("cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}
