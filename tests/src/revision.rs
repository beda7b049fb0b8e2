//! A shipped table with both of its engines.

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
