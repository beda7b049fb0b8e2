//! What a call becomes, as a file to read. `UPDATE_EXPECT=1 cargo test -p speclex-macros` writes it anew.
#![cfg(test)]

use std::path::Path;
use std::{env, fs};

use speclex_codegen::emit;

use crate::call::Call;
use crate::module::{modules, tokenizer};

#[test]
fn the_expansion_is_as_it_was_read() {
    let call = r#"
        /// Words.
        pub mod words = "../tests/ui/tables/words.yaml";
    "#;
    let call: Call = syn::parse_str(call).expect("a call");
    let header = ["What `tokenizer!` makes of tests/ui/tables/words.yaml.".to_owned()];
    let expansion = emit::file(modules(&call, tokenizer), &header).expect("Rust");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("expansion/words.rs");
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&file, &expansion).expect("a file");
    }
    let known = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        known == expansion,
        "{} differs:\n{expansion}",
        file.display()
    );
}

/// What is wrong with a call, in one text.
fn faults(call: &str) -> String {
    match syn::parse_str::<Call>(call) {
        Ok(call) => modules(&call, tokenizer).to_string(),
        Err(error) => error.into_compile_error().to_string(),
    }
}

#[test]
fn all_faults_of_a_call_are_said_at_once() {
    let said = faults(
        r#"
        #[derive(Debug)] mod one = "nowhere/one.yaml";
        #[path = "two.rs"] mod one = "nowhere/two.yaml";
        "#,
    );
    for part in ["`derive`", "`path`", "a module `one`"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = faults(r#"mod one = "nowhere/one.yaml"; mod two = builtin "no-such-table";"#);
    for part in ["`nowhere/one.yaml`", "`no-such-table`"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn the_last_crate_that_is_named_counts() {
    // `$crate` comes first, from the macro around this one; then what the user says.
    let call = r#"crate = speclex; crate = tables; mod words = "../tests/ui/tables/words.yaml";"#;
    let expansion = faults(call);
    assert!(expansion.contains(":: tables :: rt"), "{expansion}");
    assert!(!expansion.contains("speclex"), "{expansion}");
}
