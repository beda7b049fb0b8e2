//! Comparisons of tables: what is equal is proven so, what is planted is found, and what is checked in is
//! fresh and true of the generated tokenizers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use speclex_analysis::diff::{self, Blame, ErrorComparison, Kind, Report, Role, Witness};
use speclex_analysis::engine::Engine;
use speclex_analysis::prove::prove;
use speclex_analysis::testing::first_difference;
use speclex_analysis::token::{Output, StreamErrors};
use speclex_codegen::machine::Machine;
use speclex_codegen::{Source, load};
use speclex_tests::revision::Revision;
use speclex_tests::{mutations, shared, workspace};

mod between;
mod citations;
mod edits;
mod inlined;
mod names;
mod numbers;
mod outside_states;
mod pages;
mod pairs;
mod proven;
mod quotations;
mod rules;
mod shipped;
mod strings;
mod traces;
mod verdicts;
mod words;

use shipped::Shipped;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn machine(name: &str) -> Machine {
    Revision::shared(name).machine.clone()
}

/// The machine of a table.
fn table(text: &str) -> Machine {
    let source = Source {
        name: "table.yaml".to_owned(),
        text: text.to_owned(),
    };
    let loaded = load(source, &|_| None, &|_| None);
    loaded.unwrap_or_else(|report| panic!("{report}")).machine
}

fn the_file_in_docs_is_fresh(shipped: &Shipped) {
    let Some(texts) = shared("specs") else { return };
    let [a, b] = shipped.names;
    let report = speclex_cli::quoting(&texts, [a, b], shipped.diff());
    let report = report.unwrap_or_else(|e| panic!("{}", e.render(false)));
    let page = diff::markdown(&report, &speclex_tables::address);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(shipped.path(), &page).expect("a page that can be written");
    }
    assert!(
        shipped.page() == page,
        "{} is stale: UPDATE_EXPECT=1 writes it anew",
        shipped.path().display()
    );
}

/// The explorer offers an example for each change that the page shows.
fn the_examples_of_the_explorer_are_fresh(shipped: &Shipped) {
    let [a, b] = shipped.names;
    let path = workspace().join(format!("explore/examples/{a}--{b}.json"));
    let examples = speclex_explore::of_states(&Report::new(shipped.diff()));
    let text = serde_json::to_string_pretty(&examples).expect("strings") + "\n";
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &text).expect("a file that can be written");
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let path = path.display();
    assert!(
        written == text,
        "{path} is stale: UPDATE_EXPECT=1 writes it anew"
    );
}

/// What the generated tokenizers make of a witness.
fn generated_outputs(names: [&str; 2], witness: &Witness) -> [Output; 2] {
    static STREAMS: OnceLock<BTreeMap<&str, StreamErrors>> = OnceLock::new();
    let streams = STREAMS.get_or_init(|| {
        let tables = speclex_tables::all().iter();
        tables
            .map(|table| (table.name, StreamErrors::of(&machine(table.name))))
            .collect()
    });
    names.map(|name| {
        let mut engine = speclex_cli::generated(name).expect("a generated tokenizer");
        let output = engine
            .tokenize(&witness.setup.request(&witness.input))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        output.coalesced().with_sorted_errors(&streams[name])
    })
}

fn witnesses_hold_for_the_generated_tokenizers(shipped: &Shipped) {
    let (diff, [a, b]) = (shipped.diff(), shipped.names);
    for witness in shipped.witnesses() {
        let outputs = generated_outputs([a, b], witness);
        assert_eq!(
            outputs, witness.outputs,
            "{a} and {b} on {:?}",
            witness.input
        );
        let differs = diff::difference(&outputs[0], &outputs[1], diff.compared);
        assert_eq!(
            differs,
            Some(witness.kind),
            "{a} and {b} on {:?}",
            witness.input
        );
    }
}

#[test]
fn june_2026_changed_processing_instructions_and_nothing_else() {
    let diff = shipped::JUNE_2026.diff();
    let behaviour = shipped::JUNE_2026.behaviour();
    for witness in &behaviour.searched.witnesses {
        assert!(witness.input.starts_with("<?"), "{:?}", witness.input);
    }
    let roles: Vec<Role> = behaviour
        .causes
        .iter()
        .map(|cause| cause.role.clone())
        .collect();
    assert_eq!(roles, [Role::Cause, Role::NoEffect]);
    let folded: Vec<&str> = behaviour.causes[1]
        .only
        .iter()
        .map(|state| diff.structure.only[*state].name.as_str())
        .collect();
    assert_eq!(folded, ["decimal character reference start"]);
    let through = &behaviour.causes[0].passing;
    assert_eq!(through.len(), 5, "an example for each new state");
    assert!(through.iter().all(|inputs| inputs.len() > 1), "{through:?}");
    let shown = behaviour.causes[0]
        .examples
        .iter()
        .chain(through.iter().flatten());
    let shown: BTreeSet<&str> = shown
        .map(|index| behaviour.searched.witnesses[*index].input.as_str())
        .collect();
    let wanted = [
        "<?", "<?>", "<?a", "<?a ", "<?a >", "<?a a>", "<?a)>", "<?a>", "<?a?", "<?a?>", "<?a?a>",
        "<?xml>",
    ];
    assert_eq!(shown, wanted.into(), "readable, and one for each new arm");
}

#[test]
#[ignore = "takes a minute with the other tests of this comparison; .ci/run runs it"]
fn what_html_2009_to_html_2012_changed_has_witnesses() {
    let diff = shipped::SINCE_2009.diff();
    let behaviour = shipped::SINCE_2009.behaviour();
    let find = |what: &str| {
        let rows = diff.structure.arms.iter();
        let arm = rows
            .map(|row| format!("{} on {}", row.states[1], row.on))
            .position(|it| it == what);
        let row = diff.tables.iter().position(|row| row.what == what);
        let mut causes = behaviour.causes.iter();
        causes.find(|cause| {
            arm.is_some_and(|arm| cause.arms.contains(&arm))
                || row.is_some_and(|row| cause.tables.contains(&row))
        })
    };
    for (what, kind) in [
        ("tag name on EOF", Kind::Tokens),
        ("U+0000 is seen as", Kind::Tokens),
        // States in place of the content model flag and the escape flag.
        ("data on U+002D (-)", Kind::Tokens),
        ("comment end on U+0021 (!)", Kind::Tokens),
        (
            "after DOCTYPE name on the string \"PUBLIC\" in any case",
            Kind::Errors,
        ),
        ("&NotEqualTilde;", Kind::Tokens),
        ("the list of numbers has 0x81 as", Kind::Tokens),
    ] {
        let found = find(what).unwrap_or_else(|| panic!("no change: {what}"));
        assert_eq!(
            (found.role.clone(), found.kind),
            (Role::Cause, Some(kind)),
            "{what}: {found:?}"
        );
    }
    // The one rule for U+0000 is to blame, and not the arms that came in its place.
    let on_null = |cause: &&diff::Cause| {
        let arms = cause.arms.iter().map(|arm| &diff.structure.arms[*arm]);
        cause.role == Role::Companion && arms.into_iter().any(|row| row.on == "U+0000")
    };
    assert!(behaviour.causes.iter().filter(on_null).count() > 15);
    // The end of the escape flag is seen by itself.
    let flag = find("data on U+002D (-)").expect("the flag");
    let mut examples = flag
        .examples
        .iter()
        .map(|index| &behaviour.searched.witnesses[*index]);
    let shows = |witness: &Witness| {
        witness.setup.content.as_deref() == Some("RCDATA") && witness.input.starts_with("<!--")
    };
    assert!(examples.any(shows));
}

#[test]
fn an_end_tag_without_a_name_is_one_change_of_xml5() {
    let behaviour = shipped::XML5.behaviour();
    let about = |cause: &&diff::Cause| {
        let mut examples = cause
            .examples
            .iter()
            .map(|index| &behaviour.searched.witnesses[*index]);
        examples.any(|witness| witness.input.starts_with("<//"))
    };
    assert_eq!(behaviour.causes.iter().filter(about).count(), 1);
}

/// No change is left open, and those of which no input shows anything are proven together.
fn every_change_has_its_part(shipped: &Shipped) {
    for cause in &shipped.behaviour().causes {
        assert!(!matches!(cause.role, Role::Undecided(_)), "{cause:?}");
        let shows = matches!(cause.role, Role::Cause | Role::WithOthers);
        assert_eq!(shows, !cause.examples.is_empty(), "{cause:?}");
    }
}

/// Whoever asks for a document and whoever asks for all inputs blames the same change.
fn an_example_as_a_document_stands_under_its_change(shipped: &Shipped) {
    let (diff, machines) = (shipped.diff(), shipped.names.map(machine));
    let blame = Blame::new(&machines[0], &machines[1]);
    let behaviour = shipped.behaviour();
    let (mut same, mut all) = (0, 0);
    for cause in &behaviour.causes {
        let arm = cause.arms.first().map(|arm| {
            let row = &diff.structure.arms[*arm];
            row.states
                .each_ref()
                .map(|state| format!("{state} on {}", row.on))
        });
        let row = cause
            .tables
            .first()
            .map(|row| [&diff.tables[*row].what; 2].map(String::clone));
        let label = arm.or(row).expect("a name");
        for witness in cause
            .examples
            .iter()
            .map(|it| &behaviour.searched.witnesses[*it])
        {
            let request = witness.setup.request(&witness.input);
            let found = blame.find(&request, witness.kind);
            let found = found.unwrap_or_else(|| panic!("{:?}", witness.input));
            all += 1;
            same += usize::from(found.labels == label);
        }
    }
    assert!(all > 0 && same * 10 >= all * 9, "{same} of {all}");
}

fn proven_equal(one: &Machine, other: &Machine) {
    let diff = diff::compare(one, other, true);
    let report = diff::text(&Report::new(&diff), false);
    assert!(diff.proven_equal(), "{report}");
    assert!(!diff.differs(), "{report}");
}

#[test]
fn the_folded_start_state_is_proven_equal() {
    let path = workspace().join("tests/tables/html-living-85.yaml");
    let unfolded = machine(&path.to_string_lossy());
    assert_eq!(
        unfolded.states.len(),
        machine("html-living").states.len() + 1
    );
    proven_equal(&machine("html-living"), &unfolded);
}

#[test]
fn renamed_states_are_proven_equal() {
    for name in ["html-living", "xml5"] {
        let table = machine(name);
        let mut renamed = table.clone();
        for (index, state) in renamed.states.iter_mut().enumerate() {
            state.name = format!("state number {index}");
        }
        let diff = diff::compare(&table, &renamed, false);
        assert_eq!(diff.structure.renamed.len(), table.states.len(), "{name}");
        assert!(
            diff.structure.only.is_empty() && diff.structure.arms.is_empty(),
            "{name}"
        );
        proven_equal(&table, &renamed);
    }
}

/// Of every so many states of a table one gets a mutant in the quick test: all of them take a quarter of an hour.
const EVERY: usize = 24;

/// How many mutants of a state are tried until one is a table.
const TRIES: usize = 4;

/// What became of mutants.
#[derive(Debug, Default)]
struct Planted {
    witnessed: usize,
    equal: usize,
    /// Of no table: checking refuses what goes round in circles.
    endless: usize,
    neither: Vec<String>,
    /// States of which no mutant is a table.
    without: Vec<String>,
}

impl Planted {
    /// Searches for a change in a state, and says whether it was one that a table can have.
    fn search(&mut self, table: &str, what: &str, base: &Machine, mutant: &Machine) -> bool {
        let searched = first_difference(base, mutant);
        let stuck = |unknown: &diff::Unknown| unknown.gap == diff::Gap::Stuck;
        let proof = || prove(base, mutant, ErrorComparison::of(base, mutant));
        if !searched.witnesses.is_empty() {
            self.witnessed += 1;
        } else if proof().is_ok() {
            self.equal += 1;
        } else if searched.refused.is_some() || searched.unknown.iter().any(stuck) {
            self.endless += 1;
            return false;
        } else {
            self.neither.push(format!("{table}, {what}"));
        }
        true
    }

    /// One change in each of some states of a table.
    fn plant(&mut self, table: &str, chosen: impl Fn(usize) -> bool) {
        let base = machine(table);
        let planned = |visit: &mut dyn FnMut(usize, &str, &Machine)| {
            mutations::each(&base, &mut |what, mutant| {
                let states = base.states.iter().zip(&mutant.states);
                let changed = states.into_iter().position(|(a, b)| a.kind != b.kind);
                if let Some(state) = changed.filter(|state| chosen(*state))
                    && !mutations::leads_into_procedure(&base, mutant, state)
                    && !mutations::changes_replaced_only(
                        &base,
                        &base.states[state].kind,
                        &mutant.states[state].kind,
                    )
                {
                    visit(state, what, mutant);
                }
            });
        };
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        planned(&mut |state, _, _| *counts.entry(state).or_default() += 1);
        // Those that are tried, by the order in which they are.
        let mut mutants: BTreeMap<usize, BTreeMap<usize, (String, Machine)>> = BTreeMap::new();
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        planned(&mut |state, what, mutant| {
            let number = numbers.entry(state).or_default();
            // Another kind of change for each state, and the same ones each time.
            let order = (*number + state * 7919 + 13) % counts[&state];
            *number += 1;
            if order < TRIES {
                let mutant = (what.to_owned(), mutant.clone());
                mutants.entry(state).or_default().insert(order, mutant);
            }
        });
        for (state, mutants) in &mut mutants {
            let tried = mutants.values_mut().any(|(what, mutant)| {
                // They come without the table of references.
                mutant.references.clone_from(&base.references);
                self.search(table, what, &base, mutant)
            });
            if !tried {
                self.without
                    .push(format!("{table}, {}", base.states[*state].name));
            }
        }
    }

    fn check(&self) {
        eprintln!("{self:#?}");
        assert!(self.neither.is_empty(), "{:#?}", self.neither);
    }
}

#[test]
fn planted_changes_are_found() {
    let mut planted = Planted::default();
    for table in speclex_tables::all() {
        planted.plant(table.name, |state| state % EVERY == 3);
    }
    assert!(planted.witnessed >= 12, "{planted:#?}");
    planted.check();
}
