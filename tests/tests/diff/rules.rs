//! The rules of the prover. What a proof says at a pair of points is looked at in two interpreters that are there: it is true,
//! they do the same on what comes next, and it is true again where they get to.

use std::collections::BTreeSet;
use std::env;

use speclex_analysis::diff::{ErrorComparison, compare, difference};
use speclex_analysis::prove::prove;
use speclex_analysis::testing::{Claimed, Seen};
use speclex_codegen::machine::Machine;
use speclex_codegen::testing::{guard_patterns, patterns, phrase_pattern};
use speclex_tests::fuzz::tables;
use speclex_tests::outside::Script;
use speclex_tests::random::Random;
use speclex_tests::{mutations, refactorings};

use super::machine;
use super::pairs::Pair;

/// What was looked at.
#[derive(Debug, Default)]
struct Looked {
    proofs: usize,
    moves: usize,
    pauses: usize,
}

impl Looked {
    /// Looks at the proof that two machines do the same, if there is one, on random inputs.
    fn at(&mut self, what: &str, machines: [&Machine; 2], runs: usize, random: &mut Random) {
        let [one, other] = machines;
        let compared = ErrorComparison::of(one, other);
        let claimed = Claimed::of(machines, compared);
        // Machines that differ in a few states are proven without a certificate.
        if claimed.is_none() && prove(one, other, compared).is_err() {
            return;
        }
        self.proofs += 1;
        for run in 0..runs {
            let script = Script::random(machines[run % 2], random);
            if let Some(claimed) = &claimed {
                let seen = walk(claimed, &script);
                let Seen { moves, pauses } =
                    seen.unwrap_or_else(|e| panic!("{what}: {script:?}: {e}"));
                self.moves += moves;
                self.pauses += pauses;
            }
            // Errors and places at the end; a mutant may be a machine of no table.
            if let [Ok(ours), Ok(theirs)] = machines.map(|machine| script.output(machine)) {
                let differs = difference(&ours, &theirs, compared);
                assert_eq!(differs, None, "{what}: {script:?}: {ours:?} {theirs:?}");
            }
        }
    }

    /// Looks at proofs about the tables of a pair and changes of them.
    fn at_changes(&mut self, name: &str, random: &mut Random) {
        for base in &Pair::named(name).tables {
            let mut mutants = vec![("itself".to_owned(), base.clone())];
            mutations::each(base, &mut |what, mutant| {
                let references = base.references.clone();
                let mutant = Machine {
                    references,
                    ..mutant.clone()
                };
                mutants.push((what.to_owned(), mutant));
            });
            for (what, mutant) in &mutants {
                self.at(&format!("{name}: {what}"), [base, mutant], 12, random);
                let (again, second) = random.one(&mutants);
                let what = format!("{name}: {what} against {again}");
                self.at(&what, [mutant, second], 12, random);
            }
        }
    }

    /// Looks at the proofs that changes of the random table of a seed do the same.
    fn at_random_table(&mut self, seed: u64) {
        let mut random = Random::new(seed);
        let text = tables::table(seed);
        let Ok(table) = tables::machine(&text) else {
            return;
        };
        for _ in 0..4 {
            let edited = tables::edited(&text, &mut random);
            if let Some(Ok(other)) = edited.map(|text| tables::machine(&text)) {
                self.at(&format!("seed {seed}"), [&table, &other], 20, &mut random);
            }
        }
    }

    /// Looks at the proof that a table written differently does the same.
    fn at_refactoring(&mut self, table: &str, refactoring: usize, random: &mut Random) {
        let table = machine(table);
        let refactoring = &refactorings::ALL[refactoring];
        let mut other = table.clone();
        (refactoring.apply)(&mut other);
        self.at(refactoring.name, [&table, &other], 100, random);
    }
}

fn walk(claimed: &Claimed<'_>, script: &Script) -> Result<Seen, String> {
    claimed.walk(
        [script.host(), script.host()],
        &script.input,
        &|interpreter| script.begin(interpreter),
        &|interpreter| {
            let acts = interpreter.host().host.take_acts();
            acts.iter().try_for_each(|act| act.perform(interpreter))
        },
    )
}

/// A test for each file of `rules/`: proofs about changes of its tables, which lean on the rule that it is about.
macro_rules! rules {
    ($($name:ident)*) => {
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];

        $(#[test]
        fn $name() {
            let name = stringify!($name);
            let mut looked = Looked::default();
            looked.at_changes(&name.replace('_', "-"), &mut Random::named(name));
            assert!(looked.proofs > 5 && looked.moves > 500, "{looked:?}");
        })*
    };
}

rules! {
    another_successor
    answer_at_the_end
    answer_before_what_follows
    attribute_of_the_same_name
    byte_order_mark
    content_after_a_token
    content_after_content
    content_in_another_state
    content_in_the_midst_of_a_move
    depth_that_falls_behind
    depth_that_is_seldom_reached
    empty_text_comes_out
    end_of_a_token_before_what_is_put_back
    end_of_a_token_put_back_on_one_way
    error_in_a_string_put_back
    errors_of_the_stream
    letter_of_a_word_in_a_class
    lowercase_letter
    missing_text
    name_read_by_letters
    name_set_after_a_token
    name_set_at_the_start
    names_of_references
    newlines
    on_emitting
    put_back_to_an_earlier_move
    question_after_a_token
    question_after_text
    question_of_another_name
    replaced_numbers
    text_put_in_after_a_token
    token_begins_where_a_content_does
    two_numbers_of_one_interval
    type_of_a_field
    value_of_a_finished_attribute
    what_another_way_sets
    word_in_another_case
    words_of_two_ways
}

/// The patterns of the phrases and guards in a table's text.
fn patterns_in(text: &str) -> BTreeSet<&'static str> {
    let questions = ["CDATA sections are allowed", "scripting is enabled"];
    let mut found = BTreeSet::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches("- ");
        let (key, steps) = line.rsplit_once(": ").unwrap_or((line, line));
        let key = key.trim_end_matches(':').trim_matches('\'');
        let guard = key.trim_start_matches("otherwise ").strip_prefix("if ");
        found.extend(
            guard
                .map(|guard| guard_patterns(guard, &questions))
                .unwrap_or_default(),
        );
        let steps = steps.trim_matches(['[', ']']).split(", ");
        let steps = steps.chain([line]).map(|step| step.trim_matches('\''));
        found.extend(steps.filter_map(phrase_pattern));
    }
    found
}

/// Generated code, the interpreter, the prover and `diff` are compared on the shipped tables and on random ones
/// (`cargo xtask fuzz tables`, `fuzz diff`): a new phrase has a place in `tests/src/fuzz/tables/write.rs`.
#[test]
fn each_phrase_is_in_a_table_that_is_compared() {
    let mut found: BTreeSet<_> = (0..300)
        .flat_map(|seed| patterns_in(&tables::table(seed)))
        .collect();
    let random = found.len();
    for table in speclex_tables::all() {
        found.extend(patterns_in(table.text));
    }
    let missing: Vec<_> = patterns()
        .filter(|pattern| !found.contains(pattern))
        .collect();
    assert!(missing.is_empty(), "{missing:#?}, {random}");
}

#[test]
fn proofs_of_random_tables_are_true() {
    let mut looked = Looked::default();
    (0..400).for_each(|seed| looked.at_random_table(seed));
    assert!(looked.proofs > 100 && looked.pauses > 5_000, "{looked:?}");
}

/// A table is given the numbers of another one before it is compared with it: a register that keeps its own is another register.
#[test]
fn registers_in_another_order_are_the_same_table() {
    let mut unproven = Vec::new();
    for seed in 0..50 {
        let text = tables::table(seed);
        let reversed = tables::with_registers_reversed(&text);
        assert_ne!(text, reversed);
        if let [Ok(one), Ok(other)] = [text, reversed].map(|text| tables::machine(&text)) {
            let diff = compare(&one, &other, true);
            assert!(!diff.differs(), "seed {seed}");
            unproven.extend((!diff.proven_equal()).then_some(seed));
        }
    }
    // Of one table too much is done with numbers.
    assert!(unproven.len() <= 1, "{unproven:?}");
}

#[test]
fn proofs_of_shipped_tables_are_true() {
    let mut looked = Looked::default();
    let mut random = Random::named("shipped");
    for table in ["xml5", "html-living"] {
        let refactoring = random.below(refactorings::ALL.len());
        looked.at_refactoring(table, refactoring, &mut random);
    }
    assert!(looked.proofs == 2 && looked.moves > 1_000, "{looked:?}");
}

/// The same with more random numbers: `SPECLEX_SEED=7 cargo test -p speclex-tests --test diff rules:: -- --ignored`.
#[test]
#[ignore = "takes minutes; .ci/run runs it"]
fn more_proofs_are_true() {
    let seed = env::var("SPECLEX_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    let mut random = Random::new(seed);
    let mut looked = Looked::default();
    for name in NAMES {
        looked.at_changes(&name.replace('_', "-"), &mut random);
    }
    for number in 0..3_000 {
        looked.at_random_table(seed.wrapping_add(number));
    }
    for table in speclex_tables::all() {
        for refactoring in 0..refactorings::ALL.len() {
            if random.below(4) == 0 {
                looked.at_refactoring(table.name, refactoring, &mut random);
            }
        }
    }
    eprintln!("{looked:?}");
}
