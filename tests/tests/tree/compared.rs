//! Tables compared: the documents of the checked-in pages still show what the pages say.

use libtest_mimic::Failed;
use speclex_analysis::tree::{Context, Environment, Scripting};
use speclex_tests::cases::Cases;
use speclex_tests::workspace;

use super::html::Pair;

/// The pairs of tables that have a page, and how many documents it has at least.
const PAGES: [([&str; 2], usize); 3] = [
    (["html-tree-2022-10", "html-tree-2026-06"], 10),
    (["html-tree-2026-06", "html-tree-2026-08"], 10),
    (["html-tree-2026-08", "html-tree-living"], 2),
];

pub(crate) fn add(suite: &mut Cases) {
    for ([one, other], least) in PAGES {
        suite.add_trial(
            format!("{one}--{other}: documents of the page"),
            move || documents(one, other, least),
        );
    }
}

fn documents(one: &str, other: &str, least: usize) -> Result<(), Failed> {
    let path = workspace().join(format!("docs/diffs/{one}--{other}.md"));
    let page = std::fs::read_to_string(path)?;
    let pairs = [one, other].map(Pair::named);
    let mut count = 0;
    // The line before a document says what it is; the block behind it shows the lines that differ.
    let mut parts = page.split("\n```html\n");
    let mut before = parts.next().unwrap_or_default();
    for part in parts {
        let said = before
            .lines()
            .rev()
            .find(|line| !line.is_empty())
            .unwrap_or_default();
        let (input, rest) = part.split_once("\n```\n").ok_or("a document has no end")?;
        let shown = rest
            .split("```diff\n")
            .nth(1)
            .and_then(|rest| rest.split("```").next());
        let context = said
            .split_once("A fragment in `")
            .and_then(|(_, rest)| rest.split_once('`'));
        let environment = Environment {
            scripting: match said.contains("with scripts") {
                true => Scripting::Normal,
                false => Scripting::Disabled,
            },
            context: context.map(|(context, _)| Context::parse(context)),
            ..Environment::default()
        };
        let [one, other] = pairs.each_ref().map(|pair| pair.parse(input, &environment));
        let (one, other) = (one?, other?);
        let trees = [one.tree.dump(), other.tree.dump()];
        let errors =
            [one, other].map(|parsed| parsed.tree_errors.len() + parsed.tokenizer_errors.len());
        if trees[0] == trees[1] && errors[0] == errors[1] {
            return Err(format!("{input}: no difference").into());
        }
        for line in shown.unwrap_or_default().lines() {
            let (sign, line) = line.split_at(line.len().min(2));
            let has = |tree: &String| tree.lines().any(|it| it == line);
            if trees[0] != trees[1]
                && (sign == "- " && !has(&trees[0]) || sign == "+ " && !has(&trees[1]))
            {
                return Err(format!("{input}: {sign}{line} is not in the tree").into());
            }
        }
        count += 1;
        before = rest;
    }
    if count < least {
        return Err(format!("only {count} documents").into());
    }
    Ok(())
}
