//! The names that others rely on: docs/public-names.txt; options and JSON keys are in docs/command-names.txt. Who changes one does so knowingly.
//!
//! `UPDATE_EXPECT=1 cargo test -p speclex-codegen --test public_names` writes it anew.
#![cfg(feature = "format")]

use serde_yaml::Value;
use speclex_codegen::diagnostic::Code;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use syn::{Item, Visibility};

/// The crates that are published.
const CRATES: [&str; 8] = [
    "analysis",
    "audit",
    "cli",
    "codegen",
    "macros",
    "runtime",
    "spec-tables",
    "tokenizers",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// The items that a file makes public, and those of its public modules.
fn items(path: &str, folder: &Path, file: &Path, names: &mut BTreeSet<String>) {
    let text = fs::read_to_string(file).expect("a source file");
    let file = syn::parse_file(&text).expect("Rust");
    let mut add = |kind: &str, name: &dyn std::fmt::Display| {
        names.insert(format!("{kind} {path}::{name}"));
    };
    for item in &file.items {
        match item {
            Item::Fn(item) if is_public(&item.vis) => add("fn", &item.sig.ident),
            Item::Const(item) if is_public(&item.vis) => add("const", &item.ident),
            Item::Type(item) if is_public(&item.vis) => add("type", &item.ident),
            Item::Trait(item) if is_public(&item.vis) => add("trait", &item.ident),
            Item::Enum(item) if is_public(&item.vis) => {
                add("enum", &item.ident);
                for variant in &item.variants {
                    add("variant", &format!("{}::{}", item.ident, variant.ident));
                }
            }
            Item::Struct(item) if is_public(&item.vis) => {
                add("struct", &item.ident);
                for field in item.fields.iter().filter(|field| is_public(&field.vis)) {
                    if let Some(name) = &field.ident {
                        add("field", &format!("{}::{name}", item.ident));
                    }
                }
            }
            Item::Impl(item) if item.trait_.is_none() => {
                let syn::Type::Path(of) = &*item.self_ty else {
                    continue;
                };
                let Some(of) = of.path.segments.last() else {
                    continue;
                };
                for part in &item.items {
                    if let syn::ImplItem::Fn(method) = part
                        && is_public(&method.vis)
                    {
                        add("method", &format!("{}::{}", of.ident, method.sig.ident));
                    }
                }
            }
            _ => {}
        }
    }
    for item in &file.items {
        let (name, is_inline) = match item {
            Item::Mod(item) => (item.ident.to_string(), item.content.is_some()),
            // `include!("generated/mod.rs")` is written where the names are used, as a module without a name.
            Item::Macro(item) if item.mac.path.is_ident("include") => {
                match item.mac.parse_body::<syn::LitStr>() {
                    Ok(file) => (file.value().trim_end_matches("/mod.rs").to_owned(), false),
                    Err(_) => continue,
                }
            }
            _ => continue,
        };
        // For the tests of this workspace only.
        if name == "testing" {
            continue;
        }
        let files = [
            folder.join(format!("{name}.rs")),
            folder.join(&name).join("mod.rs"),
        ];
        // Private modules too: by the lint `unreachable_pub`, what is public in them is re-exported.
        if let Some(file) = files.iter().find(|file| !is_inline && file.is_file()) {
            items(&format!("{path}::{name}"), &folder.join(&name), file, names);
        }
    }
}

/// The features of a manifest.
fn features(folder: &str, names: &mut BTreeSet<String>) {
    let manifest = root().join(folder).join("Cargo.toml");
    let manifest = fs::read_to_string(manifest).expect("a manifest");
    let Some((_, rest)) = manifest.split_once("\n[features]\n") else {
        return;
    };
    let lines = rest.lines().take_while(|line| !line.starts_with('['));
    for (name, _) in lines.filter_map(|line| line.split_once(" = ")) {
        names.insert(format!("feature {folder}/{name}"));
    }
}

/// The keys of a schema's objects, and the phrases that it gives as examples.
fn schema(value: &Value, names: &mut BTreeSet<String>) {
    if let Some(keys) = value.get("properties").and_then(Value::as_mapping) {
        let keys = keys.iter().filter_map(|(key, _)| key.as_str());
        names.extend(keys.map(|key| format!("table key {key}")));
    }
    if let Some(examples) = value.get("examples").and_then(Value::as_sequence) {
        let examples = examples.iter().filter_map(Value::as_str);
        names.extend(examples.map(|example| format!("phrase {example}")));
    }
    match value {
        Value::Mapping(map) => map.iter().for_each(|(_, value)| schema(value, names)),
        Value::Sequence(list) => list.iter().for_each(|value| schema(value, names)),
        _ => {}
    }
}

#[test]
fn public_names_change_knowingly() {
    let mut names = BTreeSet::new();
    for folder in CRATES {
        let source = root().join(folder).join("src");
        items(folder, &source, &source.join("lib.rs"), &mut names);
        features(folder, &mut names);
    }
    // JSON is YAML too.
    let value = serde_yaml::from_str(&speclex_codegen::schema()).expect("a schema");
    schema(&value, &mut names);
    names.extend(
        Code::ALL
            .iter()
            .map(|code| format!("diagnostic code {}", code.as_str())),
    );
    let names: String = names.iter().map(|name| format!("{name}\n")).collect();
    let path = root().join("docs/public-names.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &names).expect("a writable file");
    }
    let listed = fs::read_to_string(&path).unwrap_or_default();
    for (sign, some, others) in [("-", &listed, &names), ("+", &names, &listed)] {
        let others: BTreeSet<_> = others.lines().collect();
        for line in some.lines().filter(|line| !others.contains(line)) {
            println!("{sign} {line}");
        }
    }
    assert!(listed == names, "UPDATE_EXPECT=1 writes {}", path.display());
}
