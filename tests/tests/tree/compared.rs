//! Tables compared: pages are not stale, their documents show what they say, and single edits are found.

use libtest_mimic::Failed;
use speclex_analysis::tree::{Context, Environment, Parsed, Scripting};
use speclex_analysis::tree_diff::Comparison;
use speclex_tests::cases::Cases;
use speclex_tests::workspace;

use super::html::Pair;

/// The pairs of tables that have a page, how many documents it has at least, and whether the search is quick; `.ci/run` runs the
/// others, too.
const PAGES: [([&str; 2], usize, bool); 3] = [
    (["html-tree-2022-10", "html-tree-2026-06"], 21, false),
    (["html-tree-2026-06", "html-tree-2026-08"], 19, false),
    (["html-tree-2026-08", "html-tree-living"], 5, true),
];

pub(crate) fn add(suite: &mut Cases) {
    for ([one, other], least, is_quick) in PAGES {
        suite.add_trial(
            format!("{one}--{other}: documents of the page"),
            move || documents(one, other, least),
        );
        let (name, run) = (format!("{one}--{other}: the page"), move || {
            page(one, other)
        });
        match is_quick {
            true => suite.add_trial(name, run),
            false => suite.add_ignored(name, run),
        }
    }
    for edit in EDITS {
        suite.add_trial(format!("compared: {}", edit[0]), move || edited(edit));
    }
    for edit in ALIKE {
        suite.add_trial(format!("alike: {}", edit[0]), move || is_alike(edit, true));
    }
    for edit in UNLIKE {
        suite.add_trial(format!("unlike: {}", edit[0]), move || {
            is_alike(edit, false)
        });
    }
}

/// Edits of `html-tree-2026-06`: a text in it, from where the first such text is replaced, and by what.
const EDITS: [[&str; 4]; 20] = [
    [
        "a flag is no longer set",
        "    start tag \"hr\":",
        "      - set the frameset-ok flag to not ok\n",
        "",
    ],
    [
        "any other end tag has no name of its own",
        "pop all the nodes from the current node up to node, including node",
        "              - return\n",
        "",
    ],
    [
        "a host step is no longer run",
        "    start tag \"script\":",
        "      - set force async to false given element\n",
        "",
    ],
    [
        "elements before the way to the insertion mode show it",
        "  in cell:",
        "      - clear the list of active formatting elements up to the last marker\n",
        "",
    ],
    [
        "a member of a scope",
        "scopes:",
        "[scope, ol, ul]",
        "[scope, ol]",
    ],
    [
        "another scope",
        "insertion modes:",
        "in list item scope",
        "in button scope",
    ],
    [
        "a form in a template",
        "    start tag \"form\":",
        "not null and there is no template element on the stack of open elements:",
        "not null:",
    ],
    [
        "the content of an element",
        "    start tag \"title\":",
        "RCDATA element",
        "raw text element",
    ],
    [
        "rules that run for ever",
        "    any other end tag:\n      - let node be the current node",
        "set node to the previous entry in the stack of open elements",
        "set node to the current node",
    ],
    [
        "what runs a procedure, after other elements",
        "procedures:",
        "        - if node is a colgroup element: [switch the insertion mode to \"in column group\", return]\n",
        "",
    ],
    [
        "steps that few documents come to",
        "run the adoption agency algorithm for TOKEN:",
        "            - append lastNode to node\n            - set lastNode to node\n",
        "            - set lastNode to node\n            - append lastNode to node\n",
    ],
    [
        "a fragment that starts in the insertion mode",
        "    start tag \"caption\", \"col\", \"colgroup\", \"tbody\", \"tfoot\", \"thead\"; end tag \"table\":",
        "      - if the stack of open elements does not have a tbody, thead or tfoot element in table scope: [parse error, ignore the token]\n",
        "",
    ],
    [
        "more than three equal elements",
        "  push ELEMENT onto the list",
        "        - remove earliest from the list of active formatting elements\n",
        "",
    ],
    [
        "a counter up to eight",
        "run the adoption agency algorithm for TOKEN:",
        "        - if outerLoopCounter is greater than or equal to 8: return\n",
        "",
    ],
    [
        "a counter up to three",
        "run the adoption agency algorithm for TOKEN:",
        "            - increment innerLoopCounter by 1\n",
        "",
    ],
    [
        "names of attributes",
        "    start tag \"math\":",
        "      - adjust MathML attributes for the token\n",
        "",
    ],
    [
        "attributes that are added",
        "    start tag \"html\":\n      - parse error\n      - if there is a template",
        "      - if there is a template element on the stack of open elements: ignore the token\n",
        "",
    ],
    [
        "a DOCTYPE's identifier",
        "  quirks:",
        "      - \"HTML\"\n",
        "",
    ],
    [
        "a fragment in a form",
        "  fragments:",
        "    - set the form element pointer to the nearest form element among the context element and its ancestors\n",
        "",
    ],
    [
        "a scope that other elements end",
        "    start tag \"hr\":",
        "has a select element in scope",
        "has a select element in table scope",
    ],
];

/// Edits that change nothing.
const ALIKE: [[&str; 4]; 4] = [
    [
        "a value has another name",
        "procedures:",
        "        - let entry be the last entry in the list of active formatting elements
        - remove entry from the list of active formatting elements
        - if entry is a marker: return\n",
        "        - let newest be the last entry in the list of active formatting elements
        - remove newest from the list of active formatting elements
        - if newest is a marker: return\n",
    ],
    [
        "names have another order",
        "procedures:",
        "tbody, thead or tfoot element: [switch",
        "thead, tfoot or tbody element: [switch",
    ],
    [
        "a flag and the insertion mode",
        "    start tag \"template\":\n      - insert a marker",
        "      - set the frameset-ok flag to not ok
      - switch the insertion mode to \"in template\"\n",
        "      - switch the insertion mode to \"in template\"
      - set the frameset-ok flag to not ok\n",
    ],
    [
        "a flag and an element that is popped",
        "    start tag \"hr\":",
        "      - pop the current node off the stack of open elements
      - acknowledge the token's self-closing flag\n",
        "      - acknowledge the token's self-closing flag
      - pop the current node off the stack of open elements\n",
    ],
];

/// Edits after which the order of two steps matters.
const UNLIKE: [[&str; 4]; 3] = [
    [
        "the insertion mode is remembered after it is switched",
        "  follow the generic raw text",
        "    - set the original insertion mode to the current insertion mode
    - switch the insertion mode to \"text\"\n",
        "    - switch the insertion mode to \"text\"
    - set the original insertion mode to the current insertion mode\n",
    ],
    [
        "an error has the insertion mode",
        "  after after body:",
        "[parse error, switch the insertion mode to \"in body\", reprocess the token]",
        "[switch the insertion mode to \"in body\", parse error, reprocess the token]",
    ],
    [
        "two steps with the same list",
        "procedures:",
        "        - remove formattingElement from the list of active formatting elements
        - insert newElement into the list of active formatting elements at bookmark\n",
        "        - insert newElement into the list of active formatting elements at bookmark
        - remove formattingElement from the list of active formatting elements\n",
    ],
];

/// A table with one edit: whether that is recognized as none.
fn is_alike(edit: [&str; 4], is_it: bool) -> Result<(), Failed> {
    let comparison = compared(edit)?;
    let [(change, witness)] = &comparison.changes[..] else {
        return Err(format!("{} changes", comparison.changes.len()).into());
    };
    match change.is_alike == is_it && (witness.is_none() || !is_it) {
        true => Ok(()),
        false => Err(format!("{}: {}: {}", change.place, change.what, change.is_alike).into()),
    }
}

/// A table with one edit: the change shows in more than errors.
fn edited(edit: [&str; 4]) -> Result<(), Failed> {
    let comparison = compared(edit)?;
    let [(change, witness)] = &comparison.changes[..] else {
        return Err(format!("{} changes", comparison.changes.len()).into());
    };
    let Some(witness) = witness else {
        return Err(format!("no document for {}: {}", change.place, change.what).into());
    };
    let [one, other] = &witness.outcomes;
    match one.tree == other.tree && one.host_calls == other.host_calls {
        true => Err(format!("only errors differ in {}", witness.input).into()),
        false => Ok(()),
    }
}

fn compared([_, from, text, by]: [&str; 4]) -> Result<Comparison, Failed> {
    let table = "html-tree-2026-06";
    let whole = speclex_tables::tree(table).ok_or("no such table")?.text;
    let at = whole.find(from).ok_or("no such part")?;
    let (before, rest) = whole.split_at(at);
    let edited = format!("{before}{}", rest.replacen(text, by, 1));
    if edited == whole {
        return Err(format!("{text:?} is not there").into());
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("edited.yaml");
    std::fs::write(&path, edited)?;
    let comparison = speclex_cli::diff_trees(table, &path.display().to_string());
    comparison.map_err(|failure| failure.render(false).into())
}

/// What had no document once.
const SHOWN: [[&str; 3]; 6] = [
    [
        "html-tree-2026-06--html-tree-2026-08",
        "in template",
        "processing instruction token",
    ],
    [
        "html-tree-2026-06--html-tree-2026-08",
        "in head",
        "end tag \"template\"",
    ],
    [
        "html-tree-2022-10--html-tree-2026-06",
        "in head",
        "start tag \"template\"",
    ],
    [
        "html-tree-2022-10--html-tree-2026-06",
        "in head",
        "start tag \"script\"",
    ],
    [
        "html-tree-2022-10--html-tree-2026-06",
        "in body",
        "end tag \"search\", \"select\"",
    ],
    [
        "html-tree-2022-10--html-tree-2026-06",
        "in body",
        "start tag \"option\"",
    ],
];

/// A page says what the command says, and shows what once had no document. `UPDATE_EXPECT=1` writes it.
fn page(one: &str, other: &str) -> Result<(), Failed> {
    let name = format!("{one}--{other}");
    let path = workspace().join(format!("docs/diffs/{name}.md"));
    let comparison =
        speclex_cli::diff_trees(one, other).map_err(|failure| failure.render(false))?;
    let page = speclex_analysis::tree_diff::markdown(&comparison);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, page)?;
    } else if std::fs::read_to_string(&path)? != page {
        return Err(format!("{name}.md is stale: UPDATE_EXPECT=1 writes it anew").into());
    }
    // The explorer offers what the page shows.
    let path = workspace().join(format!("explore/examples/{name}.json"));
    let examples = speclex_explore::of_trees(&comparison);
    let examples = serde_json::to_string_pretty(&examples)? + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, examples)?;
    } else if std::fs::read_to_string(&path)? != examples {
        return Err(format!("{name}.json is stale: UPDATE_EXPECT=1 writes it anew").into());
    }
    for [_, place, what] in SHOWN.into_iter().filter(|[of, ..]| *of == name) {
        let mut changes = comparison.changes.iter();
        let found = changes.find(|(change, _)| change.place == place && change.what == what);
        if found.is_none_or(|(_, witness)| witness.is_none()) {
            return Err(format!("no document for {place}: {what}").into());
        }
    }
    Ok(())
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
        let scripting = [
            ("with scripts", Scripting::Normal),
            ("in scripting mode Inert", Scripting::Inert),
            ("in scripting mode Fragment", Scripting::Fragment),
        ];
        let scripting = scripting
            .into_iter()
            .find(|(words, _)| said.contains(words));
        let environment = Environment {
            scripting: scripting.map_or(Scripting::Disabled, |(_, scripting)| scripting),
            context: context.map(|(context, _)| Context::parse(context)),
            has_shadow_roots: said.contains("with declarative shadow roots"),
            ..Environment::default()
        };
        let parsed = pairs.each_ref().map(|pair| pair.parse(input, &environment));
        let [one, other] = parsed;
        let (one, other) = (one?, other?);
        let trees = [one.tree.dump(), other.tree.dump()];
        let rest_of = |parsed: &Parsed| {
            let errors = parsed.tree_errors.len() + parsed.tokenizer_errors.len();
            (errors, parsed.host_calls.len())
        };
        if trees[0] == trees[1] && rest_of(&one) == rest_of(&other) {
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
