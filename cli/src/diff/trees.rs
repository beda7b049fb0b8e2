//! Tables of tree construction, compared.

use std::process::ExitCode;

use serde_json::{Value, json};
use speclex_analysis::tree_diff::{self, Comparison, Outcome, Side};

use crate::args::DiffFormat;
use crate::tree_source::TreeSpec;
use crate::{Failure, terminal};

/// Compares; exits with 1 if something differs.
pub(super) fn run(tables: [&str; 2], format: DiffFormat) -> Result<ExitCode, Failure> {
    let load = |table: &str| TreeSpec::parse(table)?.load();
    let (one, other) = (load(tables[0])?, load(tables[1])?);
    let sides = [&one, &other].map(|table| Side {
        tokenizer: &table.tokenizer.machine,
        tree: &table.tree.machine,
    });
    let errata = [&one, &other].map(|table| &table.tree.errata[..]);
    let comparison = tree_diff::compare(sides, errata, &|changes, side| {
        let base = TreeSpec::parse(tables[side]).ok()?;
        let machine = sides[side].tree;
        base.extended(&machine.tokenizer, changes)
    });
    let out = match format {
        DiffFormat::Human => tree_diff::text(&comparison),
        DiffFormat::Markdown => tree_diff::markdown(&comparison),
        DiffFormat::Json => format!("{:#}\n", to_json(&comparison)),
        DiffFormat::Html => {
            let message = "tables of tree construction are compared as text, Markdown or JSON";
            return Err(Failure::Other(message.to_owned()));
        }
    };
    match format {
        DiffFormat::Json => terminal::print_json(&out)?,
        _ => terminal::print(out)?,
    }
    Ok(ExitCode::from(u8::from(!comparison.changes.is_empty())))
}

fn to_json(comparison: &Comparison) -> Value {
    let outcome = |it: &Outcome| json!({"tree": it.tree, "errors": it.errors});
    let changes = comparison.changes.iter().map(|(change, witness)| {
        let witness = witness.as_ref().map(|it| {
            json!({
                "input": it.input,
                "context": it.context,
                "scripting": it.scripting,
                "alone": it.is_alone,
                "before": outcome(&it.outcomes[0]),
                "after": outcome(&it.outcomes[1]),
            })
        });
        json!({
            "place": change.place,
            "what": change.what,
            "before": change.before,
            "after": change.after,
            "witness": witness,
        })
    });
    let errata = comparison.errata.iter();
    let errata = errata
        .map(|(about, before, after)| json!({"about": about, "before": before, "after": after}));
    json!({
        "tables": [comparison.tables[0].0, comparison.tables[1].0],
        "changes": changes.collect::<Vec<_>>(),
        "errata": errata.collect::<Vec<_>>(),
    })
}
