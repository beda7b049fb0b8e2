//! Finds the tables and the files that they name: all that lie beside this file. A new revision is a new file.

use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=.");
    let mut files = Vec::new();
    for file in fs::read_dir(env::var("CARGO_MANIFEST_DIR")?)? {
        files.push(file?.path());
    }
    // By names without extensions: `xml5` before `xml5-2016`.
    files.sort_by_key(|path| path.with_extension(""));
    let (mut tables, mut trees, mut references) = (String::new(), String::new(), String::new());
    for path in &files {
        let part =
            |part: Option<&std::ffi::OsStr>| part.and_then(|p| p.to_str()).unwrap_or("").to_owned();
        let (name, file) = (part(path.file_stem()), part(path.file_name()));
        let text = format!(
            "include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?}))",
            format!("/{file}")
        );
        if part(path.extension()) == "yaml" {
            let list = if is_tree(path)? {
                &mut trees
            } else {
                &mut tables
            };
            writeln!(
                list,
                "    Table {{ name: {name:?}, file: {file:?}, text: {text} }},"
            )?;
        } else if file.starts_with("references-") && file.ends_with(".json") {
            writeln!(references, "    ({file:?}, {text}),")?;
        }
    }
    let lists = format!(
        "const TABLES: &[Table] = &[\n{tables}];\n\nconst TREES: &[Table] = &[\n{trees}];\n\n\
         const REFERENCES: &[(&str, &str)] = &[\n{references}];\n"
    );
    Ok(fs::write(
        Path::new(&env::var("OUT_DIR")?).join("tables.rs"),
        lists,
    )?)
}

/// Whether a table is one of tree construction: it gives its name so.
fn is_tree(path: &Path) -> Result<bool, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    Ok(text.lines().any(|line| line.starts_with("tree: ")))
}
