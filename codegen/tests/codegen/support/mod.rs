//! Tables from files, with what they name beside them.

// Each test uses a part of it.
#![allow(dead_code)]

pub(crate) mod dump;
pub(crate) mod mistakes;

use speclex_codegen::tree::{self, LoadedTree};
use speclex_codegen::vocabulary::markup;
use speclex_codegen::{Loaded, Report, Source, load as load_source};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Loads a table; its name is shown without its folder.
pub(crate) fn load(path: &Path) -> Result<Loaded, Report> {
    let table = source(path, &name(path)).expect("a table");
    load_beside(table, path)
}

/// Loads a text as if it stood where `path` is.
pub(crate) fn load_beside(table: Source, path: &Path) -> Result<Loaded, Report> {
    let base = |wanted: &str| base(wanted, path);
    load_source(table, &base, &|file| references(&path.with_file_name(file)))
}

/// Loads a table of tree construction as if it stood where `path` is; the tokens are those of `markup`, whatever tokenizer
/// it names but `none`.
pub(crate) fn load_tree_beside(table: Source, path: &Path) -> Result<LoadedTree, Report> {
    let base = |wanted: &str| base(wanted, path);
    tree::load(table, &base, &|tokenizer| {
        // What the tokenizers of HTML create; only the younger one makes processing instructions.
        let of_html = ["start tag", "end tag", "comment", "DOCTYPE"];
        let is_of_html = |name: &str| {
            of_html.contains(&name)
                || tokenizer == "html-living" && name == "processing instruction"
        };
        let of_tokenizer = markup();
        let kinds = of_tokenizer.tokens.iter().flat_map(|token| &token.kinds);
        let kinds = kinds.map(|kind| kind.name.clone());
        let is_html = tokenizer.starts_with("html");
        let created = kinds.filter(|name| !is_html || is_of_html(name));
        let created = created.collect();
        (tokenizer != "none").then_some(tree::Vocabulary {
            of_tokenizer,
            created,
        })
    })
}

/// The table with this name beside another one.
fn base(wanted: &str, path: &Path) -> Option<Source> {
    let file = format!("{}.yaml", wanted.trim_end_matches(".yaml"));
    source(&path.with_file_name(&file), &file)
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn source(path: &Path, name: &str) -> Option<Source> {
    Some(Source {
        name: name.to_owned(),
        text: fs::read_to_string(path).ok()?,
    })
}

/// `{"amp;": [38]}`; every JSON file is a YAML file.
fn references(path: &Path) -> Option<Vec<(String, String)>> {
    let text = fs::read_to_string(path).ok()?;
    let map: BTreeMap<String, Vec<u32>> = serde_yaml::from_str(&text).ok()?;
    let text = |points: Vec<u32>| points.into_iter().filter_map(char::from_u32).collect();
    Some(
        map.into_iter()
            .map(|(name, points)| (name, text(points)))
            .collect(),
    )
}
