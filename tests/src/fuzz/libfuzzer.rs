//! The targets for the folder `fuzz`: libFuzzer makes the bytes, and a panic is a finding.

use std::cell::RefCell;
use std::sync::LazyLock;

use speclex_codegen::emit::{self, Paths};
use speclex_codegen::machine::Machine;

use super::generate::{Corpus, Generator};
use super::interpreted::Interpreted;
use super::tokenizer::Comparison;
use super::yaml::Original;
use super::{tables, yaml};
use crate::random::Random;
use crate::revision::Revision;

/// The number in front of the data, and the text behind it.
fn split(data: &[u8]) -> Option<(Random, String)> {
    let (seed, text) = data.split_first_chunk()?;
    let text = String::from_utf8_lossy(text).into_owned();
    Some((Random::new(u64::from_le_bytes(*seed)), text))
}

/// A tokenizer with what compares it.
type Prepared = (Generator<'static>, Comparison<'static>);

/// Compares all ways to run a tokenizer on a text; the number in front of it says which, and what else happens.
///
/// # Panics
/// When something differs.
pub fn tokenizer(data: &[u8]) {
    thread_local! {
        static ALL: RefCell<Vec<Prepared>> = RefCell::new(all());
    }
    static CORPUS: LazyLock<Corpus> = LazyLock::new(Corpus::default);
    static MACHINES: LazyLock<Vec<Machine>> = LazyLock::new(|| {
        let tables = speclex_tables::all().iter();
        tables
            .map(|table| Revision::named(table.name).machine)
            .collect()
    });
    fn all() -> Vec<Prepared> {
        let prepared = MACHINES.iter().filter_map(|machine| {
            Some((Generator::new(machine, &CORPUS), Comparison::new(machine)?))
        });
        prepared.collect()
    }
    let Some((mut random, text)) = split(data) else {
        return;
    };
    ALL.with_borrow_mut(|all| {
        let choice = random.below(all.len());
        let (generator, comparison) = &mut all[choice];
        let case = generator.case_of(text, &mut random);
        if let Err(what) = comparison.check(&case) {
            panic!("{what}\n{case:#?}");
        }
    });
}

/// Lowers, emits and interprets a random table; the text is its input.
///
/// # Panics
/// When a stage panics or emitted code does not parse.
pub fn table(data: &[u8]) {
    let Some((mut random, text)) = split(data) else {
        return;
    };
    let Ok(machine) = tables::machine(&tables::table(random.number())) else {
        return;
    };
    emit::file(emit::module(&machine, &Paths::default()), &[]).expect("Rust");
    let corpus = Corpus::default();
    let case = Generator::new(&machine, &corpus).case_of(text, &mut random);
    Interpreted::new(&machine)
        .record(&case)
        .expect("a sound machine");
}

/// Loads the text of a table: one that libFuzzer makes, or a change of one of ours.
///
/// # Panics
/// When loading does, or refuses without a reason.
pub fn yaml(data: &[u8]) {
    thread_local! {
        static ALL: Vec<Original> = yaml::originals();
    }
    let Some((mut random, text)) = split(data) else {
        return;
    };
    ALL.with(|all| {
        let original = &all[random.below(all.len() / 2)];
        let text = match random.below(2) {
            0 => text,
            _ => yaml::changed(original, &all[random.below(all.len())], &mut random) + &text,
        };
        let measure = |call: &mut dyn FnMut()| {
            call();
            yaml::Memory::default()
        };
        if let Err(what) = original.check(&text, measure) {
            panic!("{what}\n{text}");
        }
    });
}
