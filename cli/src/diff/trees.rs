//! Tables of tree construction, compared.

use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use speclex_analysis::tree::Scripting;
use speclex_analysis::tree_diff::{self, Comparison, Outcome, Progress, Side};

use crate::args::DiffFormat;
use crate::tree_source::TreeSpec;
use crate::{Failure, terminal};

/// How often progress is shown.
const PROGRESS: Duration = Duration::from_millis(200);

/// Compares; exits with 1 if something differs.
pub(super) fn run(tables: [&str; 2], format: DiffFormat) -> Result<ExitCode, Failure> {
    let is_terminal = io::stderr().is_terminal();
    let mut shown = Instant::now();
    let mut show = |progress: Progress| {
        if is_terminal && shown.elapsed() >= PROGRESS {
            shown = Instant::now();
            terminal::tell(format_args!(
                "\r\x1b[K{} of at most {} documents, {} of {} shown",
                progress.documents,
                progress.most,
                progress.found,
                terminal::count(progress.changes, "change")
            ));
        }
    };
    let comparison = compare(tables, &mut show)?;
    if is_terminal {
        terminal::tell("\r\x1b[K");
    }
    let out = match format {
        DiffFormat::Human => tree_diff::text(&comparison),
        DiffFormat::Markdown => tree_diff::markdown(&comparison),
        DiffFormat::Json => format!("{:#}\n", to_json(&comparison)),
    };
    match format {
        DiffFormat::Json => terminal::print_json(&out)?,
        _ => terminal::print(out)?,
    }
    let differs = comparison
        .changes
        .iter()
        .any(|(change, _)| !change.is_alike);
    Ok(ExitCode::from(u8::from(differs)))
}

/// Compares tables, by name or path.
pub(crate) fn compare(
    tables: [&str; 2],
    progress: &mut dyn FnMut(Progress),
) -> Result<Comparison, Failure> {
    let specs = [TreeSpec::parse(tables[0])?, TreeSpec::parse(tables[1])?];
    let (one, other) = (specs[0].load()?, specs[1].load()?);
    let sides = [&one, &other].map(|table| Side {
        tokenizer: &table.tokenizer.machine,
        tree: &table.tree.machine,
    });
    let errata = [&one, &other].map(|table| &table.tree.errata[..]);
    let load = |changes: &str, side: usize| {
        let Side { tree, tokenizer } = sides[side];
        specs[side].extended(&tree.tokenizer, tokenizer, changes)
    };
    Ok(tree_diff::compare(sides, errata, &load, progress))
}

fn to_json(comparison: &Comparison) -> Value {
    let outcome =
        |it: &Outcome| json!({"tree": it.tree, "hostSteps": it.host_calls, "errors": it.errors});
    let changes = comparison.changes.iter().map(|(change, witness)| {
        let witness = witness.as_ref().map(|it| {
            json!({
                "input": it.input,
                "context": it.context,
                "scripting": it.scripting != Scripting::Disabled,
                "scriptingMode": format!("{:?}", it.scripting),
                "declarativeShadowRoots": it.has_shadow_roots,
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
            "alike": change.is_alike,
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
