//! `check FILE`: reports every fault of a table.

use speclex_codegen::{Source, load};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn source(path: &Path) -> Option<Source> {
    Some(Source {
        name: path.display().to_string(),
        text: std::fs::read_to_string(path).ok()?,
    })
}

/// `{"amp;": [38]}`; every JSON file is a YAML file.
fn references(path: &Path) -> Option<Vec<(String, String)>> {
    let text = std::fs::read_to_string(path).ok()?;
    let map: BTreeMap<String, Vec<u32>> = serde_yaml::from_str(&text).ok()?;
    let text = |points: Vec<u32>| points.into_iter().filter_map(char::from_u32).collect();
    Some(
        map.into_iter()
            .map(|(name, points)| (name, text(points)))
            .collect(),
    )
}

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: check FILE");
        return ExitCode::from(2);
    };
    let Some(table) = source(&path) else {
        eprintln!("cannot read {}", path.display());
        return ExitCode::from(2);
    };
    let beside = |name: &str| path.with_file_name(name);
    let base = |name: &str| {
        let named = beside(name);
        source(&named).or_else(|| source(&beside(&format!("{name}.yaml"))))
    };
    match load(table, &base, &|name| references(&beside(name))) {
        Ok(loaded) => {
            print!("{}", loaded.warnings);
            println!(
                "{}: {} states",
                loaded.machine.name,
                loaded.machine.states.len()
            );
            ExitCode::SUCCESS
        }
        Err(report) => {
            print!("{report}");
            ExitCode::FAILURE
        }
    }
}
