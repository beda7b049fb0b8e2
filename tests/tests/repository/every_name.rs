//! Whatever a table calls its tokens, fields, contents, registers, words, questions, conditions, errors and states, the
//! generated code compiles: each identifier that occurs in generated code is used as each of these.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use speclex_codegen::emit::{self, Paths};
use speclex_codegen::machine::{Machine, RegisterType};
use speclex_codegen::{Source, load, vocabulary};
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

/// Calls everything else by these names, too.
fn rename(mut machine: Machine, names: &[String]) -> Machine {
    let renamed = |old: &mut String, prefix: &str| {
        let number = old
            .strip_prefix(prefix)
            .and_then(|n| n.parse::<usize>().ok());
        if let Some(number) = number {
            names[number].clone_into(old);
        }
    };
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

#[test]
fn every_identifier_of_generated_code_can_be_a_name() {
    let modules: Vec<String> = names()
        .iter()
        .map(|names| {
            let machine = rename(machine(table(names)), names);
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
