//! Tree construction of XML: xml5lib-tests and tests of our own, with generated and interpreted tokenizers; whole, byte by
//! byte and at random splits.

use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use libtest_mimic::Failed;
use speclex::Node;
use speclex::xml::{ExpandedName, Namespaces};
use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::tree::errors::merged;
use speclex_analysis::tree::{Environment, Tree, construct};
use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{Block, Body, BodyId, Exit, Rules};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;
use speclex_tests::tree_cases::{TreeCase, read_dat};
use speclex_tests::{files, runs, shared, splits, workspace};

use crate::{built, html};

/// A tokenizer table and tests for its tree construction.
struct Plan {
    revision: &'static str,
    tests: Tests,
    /// How many there are.
    count: usize,
    /// Tests that contradict the text, with the sentence that decides.
    deviations: &'static [Deviation],
}

enum Tests {
    /// A folder of the shared test data.
    Shared(&'static str),
    /// A file of ours. Its lines of errors are exact.
    Own(&'static str),
}

struct Deviation {
    /// Whether a test deviates.
    is: fn(&TreeCase) -> bool,
    /// How many do.
    count: usize,
    /// The sentence of the text.
    sentence: &'static str,
    /// What must be the same in the document expected and the one found, nevertheless.
    otherwise: Option<fn(&str) -> Vec<String>>,
}

/// The drafts' only words about namespaces.
const NAMESPACES: Deviation = Deviation {
    is: |case| case.document.contains('{') && !case.data.contains("n2:"),
    count: 12,
    sentence: "\"Decide how to deal with namespaces\": they are not resolved",
    otherwise: Some(without_namespaces),
};

const EXPANDED_NAMES: Deviation = Deviation {
    is: |case| case.document.contains('{') && case.data.contains("n2:"),
    count: 2,
    sentence: "\"if there is already an attribute on the token with the exact same name\": names with two \
               prefixes are two names",
    otherwise: None,
};

/// The document of a test without its namespaces, its lines sorted: attributes stand in another order.
fn without_namespaces(document: &str) -> Vec<String> {
    let mut lines: Vec<String> = document
        .lines()
        .map(|line| match (line.split_once('{'), line.split_once('}')) {
            (Some((before, _)), Some((_, after))) => format!("{before}{after}"),
            _ => line.to_owned(),
        })
        .collect();
    lines.sort();
    lines
}

const OWN: &str = "tests/tree-construction/xml5.dat";

const PLANS: &[Plan] = &[
    Plan {
        revision: "xml5-2016",
        tests: Tests::Shared("xml5lib-tests/tree-construction"),
        count: 36,
        deviations: &[NAMESPACES, EXPANDED_NAMES],
    },
    Plan {
        revision: "xml5",
        tests: Tests::Shared("xml5lib-tests/tree-construction"),
        count: 36,
        deviations: &[
            NAMESPACES,
            EXPANDED_NAMES,
            Deviation {
                is: |case| case.document.contains("<!DOCTYPE xhtml \""),
                count: 1,
                sentence: "1.4.48 After DOCTYPE name state, anything else: \"Remain in current state\": public and \
                           system identifiers are skipped",
                otherwise: None,
            },
        ],
    },
    Plan {
        revision: "xml5",
        tests: Tests::Own(OWN),
        count: 43,
        deviations: &[],
    },
];

/// A tokenizer with its tree construction.
struct Pair {
    tokenizer: &'static Revision,
    machines: html::Pair,
}

impl Pair {
    fn named(revision: &str) -> Self {
        Self {
            tokenizer: Revision::shared(revision),
            machines: html::Pair::named(&format!("{revision}-tree")),
        }
    }
}

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    for plan in PLANS {
        let (files, exact) = match plan.tests {
            Tests::Shared(folder) => (shared(folder).map(|f| files(&f, &["dat"])), false),
            Tests::Own(file) => (Some(vec![workspace().join(file)]), true),
        };
        if let Some(files) = files {
            add_plan(suite, plan, &files, exact);
        }
    }
    suite.add_trial("xml5: every step matters", every_step_matters);
    suite.add_trial("both drafts: references", references);
    suite.add_trial("speclex::xml: namespaces", namespaces);
    suite.add_trial(
        "xml5: errors beside newlines of two characters",
        errors_beside_newlines,
    );
}

fn read(files: &[PathBuf]) -> Vec<TreeCase> {
    let mut cases = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        cases.extend(read_dat(&name, &text).unwrap_or_else(|e| panic!("{e}")));
    }
    let is_of_html = |case: &TreeCase| case.context.is_some() || case.scripting.is_some();
    assert!(!cases.iter().any(is_of_html), "a case is not of XML");
    cases
}

fn add_plan(suite: &mut Cases, plan: &'static Plan, files: &[PathBuf], exact: bool) {
    let pair = Arc::new(Pair::named(plan.revision));
    let cases = read(files);
    println!(
        "{}: {} tests; errors are not compared in {}, which list none",
        plan.revision,
        cases.len(),
        cases.iter().filter(|case| case.errors.is_none()).count()
    );
    let mut found = vec![0; plan.deviations.len()];
    let count = cases.len();
    let mut with_deviations = Vec::new();
    for case in cases {
        let mut deviations = plan.deviations.iter().zip(&mut found);
        let deviation = deviations.find(|(d, _)| (d.is)(&case)).map(|(d, found)| {
            *found += 1;
            let at = format!("{}:{}", case.file, case.line);
            println!("{}: deviates: {at}: {}", plan.revision, d.sentence);
            d
        });
        with_deviations.push((Arc::new(case), deviation));
    }
    for (engine, generated) in runs::ENGINES {
        for (case, deviation) in &with_deviations {
            let (pair, case, deviation) = (Arc::clone(&pair), Arc::clone(case), *deviation);
            let trial = format!("{}/{engine}/{}", plan.revision, case.file);
            suite.add(trial.clone(), format!("{trial}:{}", case.line), move || {
                run(&pair, &case, generated, exact, deviation)
            });
        }
    }
    let name = match plan.tests {
        Tests::Shared(name) | Tests::Own(name) => name,
    };
    suite.add_trial(
        format!("{}/{name}: count of tests", plan.revision),
        move || {
            if count != plan.count {
                return Err(format!("{count} tests, expected {}", plan.count).into());
            }
            let expected = plan.deviations.iter().map(|deviation| deviation.count);
            let expected: Vec<_> = expected.collect();
            if found != expected {
                return Err(format!("{found:?} deviations, expected {expected:?}").into());
            }
            Ok(())
        },
    );
}

/// One test, in all ways of cutting. One that deviates must fail: else its listing is stale.
fn run(
    pair: &Pair,
    case: &TreeCase,
    generated: bool,
    exact: bool,
    deviation: Option<&Deviation>,
) -> Result<(), Failed> {
    let mut engine = if generated {
        pair.tokenizer.generated()
    } else {
        pair.tokenizer.interpreter()
    };
    if generated {
        let (pair, environment) = (&pair.machines, Environment::default());
        let parsed = pair.parse(&case.data, &environment)?;
        let characters: Vec<&str> = case.data.split_inclusive(|_: char| true).collect();
        for pieces in [&[&*case.data][..], &characters] {
            built::compare(pair, &parsed, &case.data, &environment, pieces)?;
        }
        built::compare_without_errors(pair, &parsed, &case.data)?;
    }
    let whole = check(pair, case, &mut *engine, exact, &[]);
    if let Some(deviation) = deviation {
        if whole.is_ok() {
            return Err("it is listed as a deviation, but passes".into());
        }
        let found = build(pair, case, &mut *engine, &[])?.0.dump();
        return match deviation.otherwise {
            Some(same) if same(&found) != same(&case.document) => Err(format!(
                "it deviates in more than is listed\nexpected\n{}\nfound\n{found}",
                case.document
            )
            .into()),
            _ => Ok(()),
        };
    }
    whole?;
    let length = case.data.len();
    let mut random = Random::named(&format!("{}:{}", case.file, case.line));
    let mut ways = vec![splits::bytes(length)];
    ways.extend([3, 7].map(|longest| splits::random(length, longest, &mut random)));
    for chunks in ways {
        check(pair, case, &mut *engine, exact, &chunks)?;
    }
    Ok(())
}

/// The tree, and the errors of both stages.
fn build(
    pair: &Pair,
    case: &TreeCase,
    engine: &mut dyn Engine,
    chunks: &[usize],
) -> Result<(Tree, Vec<String>), String> {
    let request = Request {
        input: &case.data,
        chunks,
        ..Request::default()
    };
    let output = engine.tokenize(&request)?;
    let tree = &pair.machines.tree;
    let built = construct(tree, &output, case.data.len() as u64);
    let (built, errors) = built.map_err(|fault| fault.to_string())?;
    let errors = merged(tree, &case.data, &output.errors, &errors);
    let errors = errors.iter().map(ToString::to_string).collect();
    Ok((built, errors))
}

fn check(
    pair: &Pair,
    case: &TreeCase,
    engine: &mut dyn Engine,
    exact: bool,
    chunks: &[usize],
) -> Result<(), String> {
    let (tree, found) = build(pair, case, engine, chunks)?;
    let dump = tree.dump();
    let dump = dump.trim_end_matches('\n');
    if dump != case.document {
        return Err(format!(
            "{:?} in chunks {chunks:?}\nexpected\n{}\nfound\n{dump}",
            case.data, case.document
        ));
    }
    let Some(expected) = &case.errors else {
        return Ok(());
    };
    let same = match exact {
        true => found == *expected,
        false => found.len() == expected.len(),
    };
    if !same {
        return Err(format!(
            "{:?} in chunks {chunks:?}\nexpected errors {expected:#?}\nfound {found:#?}",
            case.data
        ));
    }
    Ok(())
}

/// No reference is lost, and the five that XML predefines are characters, in either draft.
fn references() -> Result<(), Failed> {
    for (data, document) in [
        ("<a>File &amp; Edit</a>", "| <a>\n|   \"File & Edit\""),
        ("<a>&lt;</a>", "| <a>\n|   \"<\""),
        ("<a>x&foo;y</a>", "| <a>\n|   \"x\"\n|   &foo;\n|   \"y\""),
        (
            "<a b=\"&lt;&gt;&amp;&apos;&quot;\" c='&#38;lt;&foo;'/>",
            "| <a>\n|   b=\"<>&'\"\"\n|   c=\"&lt;&foo;\"",
        ),
    ] {
        let case = TreeCase {
            data: data.to_owned(),
            errors: Some(Vec::new()),
            document: document.to_owned(),
            ..TreeCase::default()
        };
        for revision in ["xml5", "xml5-2016"] {
            let pair = Pair::named(revision);
            for generated in [true, false] {
                run(&pair, &case, generated, true, None)?;
            }
        }
    }
    Ok(())
}

/// The namespaces of broken documents are those that a search of the ancestors finds.
fn namespaces() -> Result<(), Failed> {
    const XML: &str = "http://www.w3.org/XML/1998/namespace";
    let mut random = Random::named("namespaces");
    let mut unbound = 0;
    for _ in 0..3_000 {
        let pieces = [
            "<p:a>",
            "<q:a>",
            "<a>",
            "<p:q:a>",
            "<a:>",
            "<xml:a/>",
            "</p:a>",
            "</a>",
            "</>",
            "x",
            "&y;",
            "<!--",
            "<p:a xmlns:p='u' p:b='' b=''>",
            "<a xmlns='v' p:b='' q:c='' xml:d=''>",
            "<q:b xmlns:q='w' xmlns:p='' xmlns=''>",
            "<xml:b xmlns:xml='no' xmlns:xmlns='no' xmlns:xml='no'>",
            "<a p:c='' xmlns:p='a&amp;b'/>",
            "-->",
            "<",
        ];
        let text: String = (0..random.below(20))
            .map(|_| *random.one(&pieces))
            .collect();
        let dom = speclex::xml::parse(&text);
        let names = Namespaces::of(&dom);
        let expected = |element: Node<'_>, name: &str, is_attribute: bool| {
            let (prefix, local) = match name.split(':').collect::<Vec<_>>()[..] {
                [prefix, local] if !prefix.is_empty() && !local.is_empty() => (Some(prefix), local),
                _ => (None, name),
            };
            let declaration = prefix.map_or("xmlns".to_owned(), |prefix| format!("xmlns:{prefix}"));
            let mut around = iter::once(element).chain(element.ancestors());
            let namespace = match prefix {
                Some("xml") => Some(XML),
                Some("xmlns") => Some("http://www.w3.org/2000/xmlns/"),
                None if is_attribute && local == "xmlns" => Some("http://www.w3.org/2000/xmlns/"),
                None if is_attribute => None,
                _ => around
                    .find_map(|node| node.attribute(&declaration))
                    .filter(|it| !it.is_empty()),
            };
            (
                namespace.map(str::to_owned),
                prefix.map(str::to_owned),
                local.to_owned(),
            )
        };
        let owned = |it: ExpandedName<'_>| {
            (
                it.namespace.map(str::to_owned),
                it.prefix.map(str::to_owned),
                it.local.to_owned(),
            )
        };
        for node in dom
            .document()
            .descendants()
            .filter(|node| node.is_element())
        {
            let name = names.name(node).map(owned);
            unbound += usize::from(
                name.as_ref()
                    .is_some_and(|(space, prefix, _)| space.is_none() && prefix.is_some()),
            );
            let mut pairs = vec![(name, expected(node, node.name().unwrap_or_default(), false))];
            for (name, attribute) in names.attributes(node) {
                pairs.push((Some(owned(name)), expected(node, attribute.name(), true)));
            }
            if let Some((found, expected)) = pairs
                .into_iter()
                .find(|(found, it)| found.as_ref() != Some(it))
            {
                return Err(format!("{text}: {found:?}, expected {expected:?}").into());
            }
        }
    }
    match unbound {
        0 => Err("no prefix is unbound".into()),
        _ => Ok(()),
    }
}

/// Each character has its place, whatever was a newline before it. (A file of tests cannot hold it: its own
/// newlines may change.)
fn errors_beside_newlines() -> Result<(), Failed> {
    let pair = Pair::named("xml5");
    let characters = |places: &[&str]| {
        let errors = places.iter();
        errors
            .map(|place| format!("{place} parse-error (character in the end phase)"))
            .collect()
    };
    for (data, places) in [
        ("<a/>\r\nx\r\ny", &["1:5", "2:1", "2:2", "3:1"][..]),
        (
            "<a/>\n\rx&#65;\r\n\r\n\r\ny",
            &["1:5", "2:1", "3:1", "3:2", "3:7", "4:1", "5:1", "6:1"],
        ),
        (
            "<a/><![CDATA[\r\nx]]>\r\n&#9;\r",
            &["1:14", "2:1", "2:5", "3:1", "3:5"],
        ),
        ("<a/>\r\n&\r\n", &["1:5", "2:1", "2:2"]),
    ] {
        let case = TreeCase {
            data: data.to_owned(),
            errors: Some(characters(places)),
            document: "| <a>".to_owned(),
            ..TreeCase::default()
        };
        for generated in [true, false] {
            run(&pair, &case, generated, true, None)?;
        }
    }
    Ok(())
}

/// A table without one of its steps, or with one of its guards turned round, fails one of our tests. What
/// happens after the end-of-file token nobody can see.
fn every_step_matters() -> Result<(), Failed> {
    let mut pair = Pair::named("xml5");
    let cases = read(&[workspace().join(OWN)]);
    let sound = pair.machines.tree.clone();
    let (mut mutants, mut survivors) = (0, Vec::new());
    for body in 0..sound.bodies.len() {
        let place = place_of(&sound, body);
        for mutant in mutants_of(&sound.bodies[body]) {
            mutants += 1;
            pair.machines.tree.bodies[body] = mutant;
            let mut engine = pair.tokenizer.generated();
            let mut passes = cases.iter();
            if passes.all(|case| check(&pair, case, &mut *engine, true, &[]).is_ok()) {
                survivors.push(place.clone());
            }
        }
        pair.machines.tree.bodies[body].clone_from(&sound.bodies[body]);
    }
    println!("xml5: {mutants} tables with a step less, another end or a guard turned round");
    let unseen = ["start", "main", "end"].map(|mode| format!("end-of-file in {mode}"));
    if survivors != unseen {
        return Err(format!("no test notices changes in {survivors:?}").into());
    }
    Ok(())
}

/// The arm that has a body: its key, and its insertion mode.
fn place_of(machine: &TreeMachine, body: BodyId) -> String {
    let of_mode = |mode: &Rules| {
        let mut arms = mode.arms.iter();
        let arm = arms.find(|arm| arm.body == body)?;
        Some(format!("{} in {}", arm.key, mode.name))
    };
    let place = machine.modes.iter().find_map(of_mode);
    place.unwrap_or_else(|| "a procedure".to_owned())
}

/// A body without one of its steps, or with another end or answer.
pub(crate) fn mutants_of(body: &Body) -> Vec<Body> {
    let mut mutants = Vec::new();
    for (number, block) in body.blocks.iter().enumerate() {
        let mut with = |block: Block| {
            let mut mutant = body.clone();
            mutant.blocks[number] = block;
            mutants.push(mutant);
        };
        for at in 0..block.steps.len() {
            let mut fewer = block.clone();
            fewer.steps.remove(at);
            with(fewer);
        }
        let exit = match &block.exit {
            Exit::Go(_) | Exit::Done => continue,
            Exit::If { guard, yes, no } => Exit::If {
                guard: guard.clone(),
                yes: *no,
                no: *yes,
            },
            Exit::Return(_)
            | Exit::Reprocess
            | Exit::ReprocessUsing(_)
            | Exit::ActAs(..)
            | Exit::StopParsing => Exit::Done,
        };
        with(Block {
            exit,
            ..block.clone()
        });
    }
    mutants
}
