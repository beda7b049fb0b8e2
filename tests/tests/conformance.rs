//! html5lib-tests: generated and interpreted; whole, byte by byte and at
//! random splits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed};
use speclex_analysis::html5lib::read_folder;
use speclex_analysis::html5lib::{Case, Skip, Start, Suite};
use speclex_analysis::token::{Token, Value};
use speclex_tests::cases::Cases;
use speclex_tests::revision::Revision;
use speclex_tests::test_lines::read_lines;
use speclex_tests::{runs, shared, xml5lib};

/// A revision and the test data that fits its text.
struct Plan {
    revision: &'static str,
    folder: &'static str,
    /// How many runs there are.
    runs: usize,
    /// Runs that contradict the text, by the start of their names, with the section that decides.
    deviations: &'static [Deviation],
}

struct Deviation {
    /// Whether a run deviates.
    is: fn(&Case) -> bool,
    /// How many do.
    count: usize,
    /// The section of the text, and what it says.
    section: &'static str,
}

const PLANS: &[Plan] = &[
    Plan {
        revision: "html-2026-06",
        folder: "html5lib-tests/tokenizer",
        runs: 7028,
        deviations: &[],
    },
    Plan {
        revision: "html-2012",
        folder: "html5lib-tests/snapshots/2016-11-30",
        runs: 6681,
        deviations: &[Deviation {
            is: |case| case.input.starts_with('\u{FEFF}'),
            count: 1,
            section: "8.2.2.5 Preprocessing the input stream: one leading byte order mark is ignored",
        }],
    },
    Plan {
        revision: "html-2014",
        folder: "html5lib-tests/snapshots/2016-11-30",
        runs: 6681,
        deviations: &[],
    },
    Plan {
        revision: "html-2009",
        folder: "html5lib-tests/snapshots/2009-02-07",
        runs: 2922,
        deviations: &[Deviation {
            is: wants_an_empty_doctype_name,
            count: 14,
            section: "8.2.4 Tokenization: \"When a DOCTYPE token is created, its name, public identifier, and system \
                identifier must be marked as missing (which is a distinct state from the empty string)\"",
        }],
    },
    Plan {
        revision: "html-living",
        folder: "html5lib-tests/processing-instructions",
        runs: 165,
        deviations: &[],
    },
    Plan {
        revision: "html-living",
        folder: "html5lib-tests/tokenizer",
        runs: 7028,
        deviations: &[Deviation {
            is: |case| {
                case.input.contains("<?")
                    && matches!(&case.start, Start::State(s) if s == "Data state")
            },
            count: 38,
            section: "13.2.5.6 Tag open state: since 25 June 2026 \"<?\" starts a processing instruction",
        }],
    },
    Plan {
        revision: "xml5-2016",
        folder: "xml5lib-tests/tokenizer",
        runs: 5863,
        deviations: &[
            Deviation {
                is: xml5lib::comment_closes_at_once,
                count: 4,
                section: "1.3.12 Markup declaration state: after \"--\" the comment state follows, which knows no \
                    empty comment: `>` is its first character",
            },
            Deviation {
                is: xml5lib::null_is_replaced,
                count: 10,
                section: "1.2 Input stream: \"Decide how to deal with null values\": nothing is decided, U+0000 is kept",
            },
            Deviation {
                is: xml5lib::control_or_noncharacter,
                count: 140,
                section: "1.2 Input stream: no character is an error in itself",
            },
            Deviation {
                is: xml5lib::number_is_replaced,
                count: 63,
                section: "1.3.35 Tokenizing character references: \"Should we do HTML like replacement? At least for \
                    null?\": a question, no rule",
            },
            Deviation {
                is: xml5lib::number_is_refused,
                count: 96,
                section: "1.3.35 Tokenizing character references: \"Should we refuse Unicode from ranges listed\": a \
                    question, no rule",
            },
            Deviation {
                is: xml5lib::name_is_returned,
                count: 2125,
                section: "1.3.35 Tokenizing character references: \"return a reference with name equal to consumed \
                    characters\"",
            },
            Deviation {
                is: xml5lib::name_without_semicolon,
                count: 2086,
                section: "1.3.35 Tokenizing character references: \"If the last character matched is not a U+003B \
                    SEMICOLON character (;), there is a parse error\", and the characters are text",
            },
        ],
    },
];

/// How many runs of a deviation are listed one by one.
const LISTED: usize = 20;

fn wants_an_empty_doctype_name(case: &Case) -> bool {
    case.tokens.iter().any(|token| match token {
        Token::Declared { kind, fields } => {
            kind == "DOCTYPE" && fields.first() == Some(&Value::Text(String::new()))
        }
        Token::Characters(_) => false,
    })
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut cases = Cases::new("conformance");
    for plan in PLANS {
        if let Some(folder) = shared(plan.folder) {
            add_plan(&mut cases, plan, folder);
        }
    }
    cases.run(arguments).exit_code()
}

fn add_plan(cases: &mut Cases, plan: &'static Plan, folder: PathBuf) {
    let suite = if plan.folder.ends_with("processing-instructions") {
        let mut suite = Suite::default();
        for path in speclex_tests::files(&folder, &["jsonl"]) {
            let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            suite.cases.extend(
                read_lines(&name, &text)
                    .unwrap_or_else(|e| panic!("{e}"))
                    .cases,
            );
        }
        suite
    } else {
        read_folder(&folder).unwrap_or_else(|e| panic!("{e}"))
    };
    let revision = Revision::shared(plan.revision);
    println!(
        "{}: {} runs of {}; left out: {} with lone surrogates, {} that want the coercion to an XML infoset",
        plan.revision,
        suite.cases.len(),
        plan.folder,
        suite.count_skipped(Skip::LoneSurrogate),
        suite.count_skipped(Skip::InfosetCoercion),
    );
    let mut deviating: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    let runs = suite.cases.len();
    let mut with_deviations = Vec::new();
    for case in suite.cases {
        let deviation = plan.deviations.iter().position(|d| (d.is)(&case));
        if let Some(index) = deviation {
            deviating.entry(index).or_default().push(case.name());
        }
        with_deviations.push((Arc::new(case), deviation.is_some()));
    }
    for (engine, generated) in runs::ENGINES {
        for (case, deviates) in &with_deviations {
            let (case, deviates) = (Arc::clone(case), *deviates);
            let trial = format!("{}/{engine}/{}", plan.revision, case.file);
            let name = format!("{}/{engine}/{}", plan.revision, case.name());
            cases.add(trial, name, move || {
                run(revision, &case, generated, deviates)
            });
        }
    }
    let mut counts = Vec::new();
    for (index, deviation) in plan.deviations.iter().enumerate() {
        let names = deviating.remove(&index).unwrap_or_default();
        println!(
            "{}: {} runs deviate: {}",
            plan.revision,
            names.len(),
            deviation.section
        );
        names
            .iter()
            .take(LISTED)
            .for_each(|name| println!("  {name}"));
        if names.len() > LISTED {
            println!(
                "  ... and {} more, to {}",
                names.len() - LISTED,
                names[names.len() - 1]
            );
        }
        counts.push((names.len(), deviation.count));
    }
    cases.add_trial(
        format!("{}/{}: count of runs", plan.revision, plan.folder),
        move || {
            if runs != plan.runs {
                return Err(format!("{runs} runs, expected {}", plan.runs).into());
            }
            match counts.iter().find(|(found, expected)| found != expected) {
                Some((found, expected)) => {
                    Err(format!("{found} deviations, expected {expected}").into())
                }
                None => Ok(()),
            }
        },
    );
}

/// One run, in all ways of cutting. A run that deviates must fail: else its listing is stale.
fn run(
    revision: &'static Revision,
    case: &Case,
    generated: bool,
    deviates: bool,
) -> Result<(), Failed> {
    if !deviates {
        return Ok(runs::run(revision, case, generated)?);
    }
    match runs::run_whole(revision, case, generated) {
        Err(_) => Ok(()),
        Ok(()) => Err("it is listed as a deviation, but passes".into()),
    }
}
