//! How test files and requests name the place to start: html5lib-tests by the heading of a state, older
//! ones by a value of the content model flag.

use speclex_codegen::machine::{Machine, RegisterId, RegisterType};

/// The contents that a machine can start in, under all the names they go by.
#[derive(Clone, Debug)]
pub struct EntryStates {
    /// The content to start in when nothing is said.
    initial: Option<String>,
    /// A name, and the content it stands for.
    states: Vec<(String, String)>,
    /// A value of the content model flag, and the content that sets it.
    content_models: Vec<(String, String)>,
}

impl EntryStates {
    /// The names for a machine's entries.
    pub fn of(machine: &Machine) -> Self {
        let entries = machine.contents();
        let entries: Vec<_> = entries
            .map(|(entry, content)| (entry, content.to_owned()))
            .collect();
        // A content's own name goes before the name of the state that it happens to start in.
        let mut states: Vec<_> = (entries.iter())
            .map(|(_, content)| (content.clone(), content.clone()))
            .collect();
        for (entry, content) in &entries {
            if let Some(state) = machine.states.get(entry.state.0 as usize) {
                states.push((state.name.clone(), content.clone()));
            }
        }
        let mut content_models = Vec::new();
        if let Some((flag, values)) = content_model_flag(machine) {
            for (index, value) in (0..).zip(values) {
                let sets = |set: &(RegisterId, u32)| *set == (flag, index);
                let leaves = |set: &(RegisterId, u32)| set.0 != flag;
                let entry = (entries.iter())
                    .find(|(entry, _)| entry.sets.iter().any(sets))
                    .or_else(|| {
                        // Registers start with their first value.
                        let mut untouched = entries.iter().filter(|_| index == 0);
                        untouched.find(|(entry, _)| entry.sets.iter().all(leaves))
                    });
                if let Some((_, content)) = entry {
                    content_models.push((value.clone(), content.clone()));
                }
            }
        }
        Self {
            initial: entries.first().map(|(_, content)| content.clone()),
            states,
            content_models,
        }
    }

    /// The content of the initial state.
    pub fn initial(&self) -> Option<&str> {
        self.initial.as_deref()
    }

    /// The content for a state's heading, such as `RCDATA state`, in either case of letters.
    pub fn state(&self, heading: &str) -> Option<&str> {
        const SUFFIX: &str = " state";
        let name = match heading.len().checked_sub(SUFFIX.len()) {
            Some(at) if heading.is_char_boundary(at) => match heading.split_at(at) {
                (name, suffix) if suffix.eq_ignore_ascii_case(SUFFIX) => name,
                _ => heading,
            },
            _ => heading,
        };
        find(&self.states, |known| known.eq_ignore_ascii_case(name))
    }

    /// The content that sets the content model flag to this value.
    pub(crate) fn content_model(&self, value: &str) -> Option<&str> {
        find(&self.content_models, |known| known == value)
    }

    /// Whether the machine has a content model flag.
    pub(crate) fn has_content_models(&self) -> bool {
        !self.content_models.is_empty()
    }
}

fn find(names: &[(String, String)], is_it: impl Fn(&str) -> bool) -> Option<&str> {
    let found = names.iter().find(|(name, _)| is_it(name));
    found.map(|(_, content)| content.as_str())
}

/// The content model flag of the machine, if it has one, with its values.
fn content_model_flag(machine: &Machine) -> Option<(RegisterId, &[String])> {
    (0..)
        .zip(&machine.registers)
        .find_map(|(id, register)| match &register.ty {
            RegisterType::Finite(values) if register.name == "content model flag" => {
                Some((RegisterId(id), values.as_slice()))
            }
            _ => None,
        })
}
