//! Finds the examples: one file for each comparison whose page is in `docs/diffs`.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=examples");
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("examples");
    let mut files = Vec::new();
    for file in fs::read_dir(folder)? {
        files.push(file?.path());
    }
    files.sort();
    let mut list = String::new();
    for path in files {
        let name = path.file_stem().and_then(|stem| stem.to_str());
        if let Some((one, other)) = name.and_then(|name| name.split_once("--")) {
            writeln!(list, "    ([{one:?}, {other:?}], include_str!({path:?})),")?;
        }
    }
    let list = format!("const FILES: &[([&str; 2], &str)] = &[\n{list}];\n");
    let out = Path::new(&env::var("OUT_DIR")?).join("examples.rs");
    Ok(fs::write(out, list)?)
}
