//! `cover`: a shortest input for every arm and branch of a table.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use speclex_analysis::cover::{self, Found, Items, Progress};
use speclex_analysis::tree_cover::{self, Kind};
use speclex_analysis::tree_diff::Side;
use speclex_codegen::escape;

use crate::args::Cover;
use crate::source::Spec;
use crate::terminal::{self, count};
use crate::tree_source::TreeSpec;
use crate::write::{Fate, ensure, is_foreign, keep};
use crate::{Failure, Home};

/// How often progress is shown.
const PROGRESS: Duration = Duration::from_millis(100);

/// Searches and writes; with `--check` only says what is stale, and the command that writes it.
pub(crate) fn run(home: &Home, args: &Cover, again: &str) -> Result<ExitCode, Failure> {
    let is_tree = args.spec.as_deref().is_some_and(TreeSpec::is_meant_by);
    let specs: Vec<Spec> = match (&args.spec, &home.repository) {
        (Some(word), _) if is_tree => vec![TreeSpec::parse(word)?.0],
        (Some(word), _) => vec![Spec::parse(word)?],
        (None, Some(_)) => speclex_tables::all().iter().map(Spec::Shipped).collect(),
        (None, None) => {
            return Err(Failure::Other(
                "which table? Name one: `speclex cover --spec tables/my.yaml`".to_owned(),
            ));
        }
    };
    let place = |spec: &Spec| match (&args.out, &home.repository, spec) {
        (Some(out), ..) => Some(out.clone()),
        (None, Some(root), Spec::Shipped(table)) => Some(checked_in(root, table.name, is_tree)),
        _ => None,
    };
    // The search takes long: what can be refused is refused before it.
    if args.check && specs.iter().any(|spec| place(spec).is_none()) {
        return Err(Failure::Other(
            "which file is to be checked? Name it with --out".to_owned(),
        ));
    }
    let mut stale = Vec::new();
    for spec in &specs {
        let out = place(spec);
        let may_be_foreign = out.iter().filter(|_| !args.force);
        for out in may_be_foreign {
            let (is_ours, why): (fn(&str) -> bool, _) = match is_tree {
                false => (
                    cover::is_suite,
                    "was not written by `cover`: it has no list of what is unreachable after its tests",
                ),
                true => (
                    tree_cover::is_suite,
                    "was not written by `cover`: its errors do not begin with line, column and code",
                ),
            };
            if is_foreign(out, is_ours)? {
                return Ok(keep(&[out], why));
            }
        }
        let (text, complete) = match is_tree {
            true => (tree_suite(TreeSpec(spec.clone()))?, true),
            false => suite(spec)?,
        };
        let Some(out) = out else {
            match is_tree {
                true => terminal::print(text)?,
                false => terminal::print_json(&text)?,
            }
            continue;
        };
        if !complete {
            terminal::note("  the search was stopped: the table has too many configurations");
        }
        if ensure(&out, &text, args.check)? == Fate::Stale {
            let word = if args.check { "stale" } else { "wrote" };
            let path = escape::line(&out.display().to_string());
            terminal::note(format_args!("  {word} {path}"));
            stale.push(out);
        }
    }
    if args.check && !stale.is_empty() {
        terminal::note(format_args!("run `{again}` to bring them up to date"));
        return Ok(ExitCode::from(1));
    }
    Ok(ExitCode::SUCCESS)
}

/// Where the repository has the suite of a table.
fn checked_in(root: &Path, table: &str, is_tree: bool) -> PathBuf {
    let ending = if is_tree { "dat" } else { "test" };
    root.join("tests/suites").join(format!("{table}.{ending}"))
}

/// The suite of a table of tree construction. Says on the standard error what it reaches and notices.
fn tree_suite(spec: TreeSpec) -> Result<String, Failure> {
    let loaded = spec.load()?;
    let side = Side {
        tokenizer: &loaded.tokenizer.machine,
        tree: &loaded.tree.machine,
    };
    let name = &side.tree.name;
    let is_terminal = io::stderr().is_terminal();
    let mut shown = Instant::now();
    let mut show = |progress: tree_cover::Progress| {
        if is_terminal && shown.elapsed() >= PROGRESS {
            shown = Instant::now();
            let tree_cover::Progress { tests, done, all } = progress;
            terminal::tell(format_args!(
                "\r\x1b[K{name}: {tests} tests, {done} of {all} looked at"
            ));
        }
    };
    let found = tree_cover::search(side, true, &mut show);
    if is_terminal {
        terminal::tell("\r\x1b[K");
    }
    let items = tree_cover::items(side.tree);
    let reached = tree_cover::measure(side, &found.tests);
    let unreached = tree_cover::unreached(side.tree, &items, &reached, &found.elsewhere);
    let of = |kind: Kind| {
        let all = items.iter().filter(|item| item.kind == kind).count();
        let missed = unreached.iter().filter(|it| it.item.kind == kind).count();
        format!("{} of {all}", all - missed)
    };
    terminal::note(format_args!(
        "{name}: {} arms, {} lists of steps and {} answers are reached by {}, which notice {} of {} single changes",
        of(Kind::Arm),
        of(Kind::Steps),
        of(Kind::Answer),
        count(found.tests.len(), "test"),
        found.noticed,
        found.changes,
    ));
    for it in unreached.iter().filter(|it| !it.is_inner) {
        terminal::note(format_args!(
            "  not reached: {}: {}",
            escape::line(&it.item.label),
            escape::line(&it.why)
        ));
    }
    tree_cover::write(side, &found.tests).map_err(|e| Failure::Other(format!("{name}: {e}")))
}

/// The suite of a table, and whether the search for it came to its end. Says on the standard error what
/// was found.
fn suite(spec: &Spec) -> Result<(String, bool), Failure> {
    let loaded = spec.load()?;
    let machine = &loaded.machine;
    let items = Items::of(machine);
    let is_terminal = io::stderr().is_terminal();
    let mut shown = Instant::now();
    let mut show = |progress: Progress| {
        if is_terminal && shown.elapsed() >= PROGRESS {
            shown = Instant::now();
            terminal::tell(format_args!(
                "\r\x1b[K{}: inputs of length {}, {} of {} reached, {} configurations",
                machine.name,
                progress.length,
                progress.reached,
                items.all().len(),
                progress.configurations
            ));
        }
    };
    let covered = cover::search(&items, &mut show)
        .map_err(|fault| Failure::Other(format!("{}: {fault}", machine.name)))?;
    if is_terminal {
        terminal::tell("\r\x1b[K");
    }
    report(&machine.name, &items, &covered);
    let text = cover::write(&items, &covered)
        .map_err(|what| Failure::Other(format!("{}: {what}", machine.name)))?;
    Ok((text, covered.complete))
}

/// What was found, for people.
fn report(name: &str, items: &Items<'_>, covered: &Found) {
    let unreached = |is_arm: bool| {
        let items = covered.unreached.iter().map(|u| &items.all()[u.item]);
        items.filter(|item| item.branch.is_none() == is_arm).count()
    };
    let arms = items.arms();
    let branches = items.all().len() - arms;
    terminal::note(format_args!(
        "{name}: {} of {arms} arms and {} of {branches} branches are reachable; {} for all of them",
        arms - unreached(true),
        branches - unreached(false),
        count(covered.tests.len(), "test"),
    ));
    for unreached in &covered.unreached {
        terminal::note(format_args!(
            "  unreachable: {}: {}",
            items.label(unreached.item),
            unreached.why
        ));
    }
}
