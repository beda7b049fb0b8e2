//! The state diagram of a machine, and that of the insertion modes of a table of tree construction.

mod dot;
mod groups;
mod labels;
mod layout;
mod mermaid;
mod model;
mod sheet;
mod svg;

use std::collections::BTreeSet;

use model::{Goal, How, Model};
use sheet::Sheet;
use speclex_codegen::machine::Machine;
use speclex_codegen::tree::TreeMachine;

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
    whole(&Model::new(machine), form)
}

/// The diagram of the insertion modes of a table of tree construction.
pub fn tree_diagram(machine: &TreeMachine, form: Form) -> String {
    whole(&Model::of_tree(machine), form)
}

fn whole(model: &Model, form: Form) -> String {
    written(&Sheet::whole(model, &groups::groups(model)), form)
}

/// The diagram of a state, named as in the table, with what leads to it and from it: of several, when it was
/// lowered to several. `None` when there is no such state.
pub fn state(machine: &Machine, name: &str, form: Form) -> Option<String> {
    one(&Model::new(machine), name, form)
}

/// The diagram of an insertion mode in the same way.
pub fn insertion_mode(machine: &TreeMachine, name: &str, form: Form) -> Option<String> {
    one(&Model::of_tree(machine), name, form)
}

fn one(model: &Model, name: &str, form: Form) -> Option<String> {
    let nodes = model.nodes.iter().enumerate();
    let chosen: BTreeSet<usize> = nodes
        .filter(|(_, node)| node.name == name || node.origin == name)
        .map(|(index, _)| index)
        .collect();
    (!chosen.is_empty()).then(|| written(&sheet::neighbours(model, &chosen), form))
}

/// To which insertion modes one leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeadsTo {
    /// Those to which its arms switch.
    pub switches: Vec<String>,
    /// Those in which they reprocess the token.
    pub reprocesses: Vec<String>,
    /// Those whose rules they use.
    pub rules: Vec<String>,
}

/// To which insertion modes each one leads, in the order of the table.
pub fn leads(machine: &TreeMachine) -> Vec<LeadsTo> {
    let model = Model::of_tree(machine);
    let mut all = vec![LeadsTo::default(); model.nodes.len()];
    for link in &model.links {
        let name = match &link.to {
            Goal::State(to) => &model.nodes[*to].name,
            Goal::Register(name) => name,
            Goal::End => continue,
        };
        let leads = &mut all[link.from];
        for (list, how) in [
            (&mut leads.switches, How::Switches),
            (&mut leads.reprocesses, How::Reprocesses),
            (&mut leads.rules, How::UsesRules),
        ] {
            if link.paths.iter().any(|path| path.how == how) {
                list.push(name.clone());
            }
        }
    }
    all
}

/// What a state does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arms {
    /// The state's name.
    pub state: String,
    /// The section of the text that describes it; empty if the table does not say.
    pub section: String,
    /// The name in the table of the state that this one comes from.
    pub origin: String,
    /// What starts in it.
    pub entries: Vec<String>,
    /// Each path through each arm, in the order of the table: on what input, if what holds, what is done, and where it leads.
    pub paths: Vec<String>,
    /// The states to which it leads.
    pub leads_to: Vec<String>,
}

/// What all states do.
pub fn states(machine: &Machine) -> Vec<Arms> {
    all_arms(Model::new(machine))
}

/// What all insertion modes do, in the same way.
pub fn insertion_modes(machine: &TreeMachine) -> Vec<Arms> {
    all_arms(Model::of_tree(machine))
}

fn all_arms(model: Model) -> Vec<Arms> {
    let leads_to = |from| {
        let goals = model.from(from).filter_map(|link| match &link.to {
            Goal::State(to) => Some(model.nodes[*to].name.clone()),
            Goal::Register(_) | Goal::End => None,
        });
        goals.collect()
    };
    let nodes = model.nodes.iter().enumerate();
    let arms = nodes.map(|(index, node)| Arms {
        state: node.name.clone(),
        section: node.section.clone(),
        origin: node.origin.clone(),
        entries: node.entries.clone(),
        paths: node.paths.iter().map(|path| path.full.clone()).collect(),
        leads_to: leads_to(index),
    });
    arms.collect()
}

/// All arms of a state, named as in the table: of several states, when it was lowered to several.
pub fn arms(machine: &Machine, name: &str) -> Vec<Arms> {
    let mut all = states(machine);
    all.retain(|arms| arms.state == name || arms.origin == name);
    all
}

fn written(sheet: &Sheet, form: Form) -> String {
    match form {
        Form::Dot => dot::dot(sheet),
        Form::Mermaid => mermaid::mermaid(sheet),
        Form::Svg => svg::svg(sheet),
    }
}
