//! The state diagram of a machine.

mod dot;
mod groups;
mod labels;
mod layout;
mod mermaid;
mod model;
mod sheet;
mod svg;

use std::collections::BTreeSet;

use model::Model;
use sheet::Sheet;
use speclex_codegen::machine::Machine;

/// A form in which a diagram is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For Graphviz.
    Dot,
    /// For Mermaid.
    Mermaid,
    /// A picture.
    Svg,
}

/// The diagram of all states of a machine.
pub fn diagram(machine: &Machine, form: Form) -> String {
    let model = Model::new(machine);
    let sheet = Sheet::whole(&model, &groups::groups(&model));
    written(&sheet, form)
}

/// The diagram of a state, named as in the table, with what leads to it and from it: of several, when it was
/// lowered to several. `None` when there is no such state.
pub fn state(machine: &Machine, name: &str, form: Form) -> Option<String> {
    let model = Model::new(machine);
    let nodes = model.nodes.iter().enumerate();
    let chosen: BTreeSet<usize> = nodes
        .filter(|(_, node)| node.name == name || node.origin == name)
        .map(|(index, _)| index)
        .collect();
    (!chosen.is_empty()).then(|| written(&sheet::neighbours(&model, &chosen), form))
}

/// What a state does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arms {
    /// The state's name.
    pub state: String,
    /// The section of the text that describes it; empty if the table does not say.
    pub section: String,
    /// Each path through each arm, in the order of the table: on what input, if what holds, what is done, and where it leads.
    pub paths: Vec<String>,
}

/// All arms of a state, named as in the table: of several states, when it was lowered to several.
pub fn arms(machine: &Machine, name: &str) -> Vec<Arms> {
    let nodes = Model::new(machine).nodes.into_iter();
    let chosen = nodes.filter(|node| node.name == name || node.origin == name);
    let arms = chosen.map(|node| Arms {
        state: node.name,
        section: node.section,
        paths: node.paths.into_iter().map(|path| path.full).collect(),
    });
    arms.collect()
}

fn written(sheet: &Sheet, form: Form) -> String {
    match form {
        Form::Dot => dot::dot(sheet),
        Form::Mermaid => mermaid::mermaid(sheet),
        Form::Svg => svg::svg(sheet),
    }
}
