//! The tree builder of html5ever (Rust), for `speclex conform`: its own, not ours.
//! `cargo build -p speclex-html5ever --example conform_trees` builds it.

#[path = "../../html5ever/tests/common/mod.rs"]
mod common;

use common::html5lib::Tree;
use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let text = request["document"].as_str().unwrap_or_default();
        let scripting = request["scripting"] == true;
        let tree = Tree::parse(text, request["context"].as_str(), scripting, None);
        println!("{}", json!({"id": request["id"], "tree": tree.dump}));
    }
    Ok(())
}
