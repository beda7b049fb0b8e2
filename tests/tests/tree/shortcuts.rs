//! The shortcuts of builders, which are found by partial evaluation, against the interpreter.

use speclex_analysis::tree::shortcuts::refuted;
use speclex_tests::cases::Cases;

/// Adds the cases: the standard of today, and for `.ci/run` all others.
pub(crate) fn add(suite: &mut Cases) {
    for table in speclex_tables::trees() {
        let (name, run) = (format!("shortcuts/{}", table.name), || {
            let machines = speclex_cli::tree_machines(table.name);
            let (tree, _) = machines.map_err(|failure| failure.render(false))?;
            let refuted = refuted(&tree);
            match refuted.is_empty() {
                true => Ok(()),
                false => Err(format!("{refuted:#?}").into()),
            }
        });
        match table.name {
            "html-tree-living" => suite.add_trial(name, run),
            _ => suite.add_ignored(name, run),
        }
    }
}
