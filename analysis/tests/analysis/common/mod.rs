//! The machines of the tables.

use std::collections::BTreeMap;

use speclex_codegen::machine::Machine;
use speclex_codegen::{Source, load};

fn source(name: &str) -> Option<Source> {
    let table = speclex_tables::get(name)?;
    Some(Source {
        name: table.file.to_owned(),
        text: table.text.to_owned(),
    })
}

fn references(file: &str) -> Option<Vec<(String, String)>> {
    let text = speclex_tables::references(file)?;
    let names: BTreeMap<String, Vec<u32>> = serde_json::from_str(text).ok()?;
    let code_points = |points: Vec<u32>| points.into_iter().filter_map(char::from_u32).collect();
    let names = names.into_iter();
    Some(
        names
            .map(|(name, points)| (name, code_points(points)))
            .collect(),
    )
}

/// The machine of a table.
pub(crate) fn machine(name: &str) -> Machine {
    let table = source(name).unwrap_or_else(|| panic!("there is no table {name}"));
    match load(table, &source, &references) {
        Ok(loaded) => loaded.machine,
        Err(report) => panic!("{}", report.render(false)),
    }
}
