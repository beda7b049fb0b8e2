//! A shipped table with both of its engines.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use speclex_analysis::engine::{Engine, InterpreterEngine};
use speclex_analysis::entry_states::EntryStates;
use speclex_analysis::html5lib::Form;
use speclex_codegen::machine::Machine;

/// A shipped table, lowered.
#[derive(Debug)]
pub struct Revision {
    /// Its machine.
    pub machine: Machine,
    /// Where it can start.
    pub starts: EntryStates,
    /// How its tokens are written.
    pub form: Form,
}

/// Whether a trial is of a language's newest table: `html-living/random/data`. What takes long is done with the others in
/// `.ci/run`.
pub fn is_newest(trial: &str) -> bool {
    matches!(trial.split('/').next(), Some("html-living" | "xml5"))
}

impl Revision {
    /// The table with this name.
    ///
    /// # Panics
    /// When there is none, or it has faults.
    pub fn named(name: &str) -> Self {
        let machine = speclex_cli::machine(name).unwrap_or_else(|e| panic!("{}", e.render(false)));
        Self {
            starts: EntryStates::of(&machine),
            form: Form::of(&machine),
            machine,
        }
    }

    /// The shipped table with this name, which the program loads once.
    ///
    /// # Panics
    /// When there is none.
    pub fn shared(name: &str) -> &'static Self {
        static LOADED: Mutex<BTreeMap<String, &Revision>> = Mutex::new(BTreeMap::new());
        let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        loaded
            .entry(name.to_owned())
            .or_insert_with(|| Box::leak(Box::new(Self::named(name))))
    }

    /// The interpreter.
    pub fn interpreter(&self) -> Box<dyn Engine + '_> {
        Box::new(InterpreterEngine::new(&self.machine))
    }

    /// The generated tokenizer.
    ///
    /// # Panics
    /// When there is none.
    pub fn generated(&self) -> Box<dyn Engine> {
        speclex_cli::generated(&self.machine.name)
            .unwrap_or_else(|| panic!("no generated tokenizer for {}", self.machine.name))
    }
}
