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

fn written(sheet: &Sheet, form: Form) -> String {
    match form {
        Form::Dot => dot::dot(sheet),
        Form::Mermaid => mermaid::mermaid(sheet),
        Form::Svg => svg::svg(sheet),
    }
}
