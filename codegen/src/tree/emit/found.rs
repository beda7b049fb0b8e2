//! What the generator finds out about each insertion mode, for people.

use super::super::machine::{BodyId, ModeId, TreeMachine};
use super::super::shortcuts::{Ends, characters, ends, start};
use super::idents::named;
use super::printer::Printer;

/// What it found out about one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Found {
    /// How many names of tags and other tokens are told apart, by their kind.
    pub names: Vec<(String, usize)>,
    /// The keys of arms without a function, since they only hand the token on: to which rules.
    pub hands_on: Vec<(String, String)>,
    /// Characters, by the keys of the arms that take them: whether a run is taken at once.
    pub runs: Vec<(String, bool)>,
    /// What tokens do at once in the usual case, and the names of those that do; none for characters.
    pub at_once: Vec<(&'static str, Vec<String>)>,
    /// The keys of arms in which a loop up the stack goes from one element that it looks for to the next.
    pub searches: Vec<String>,
}

/// What the generator finds out about each insertion mode; about procedures, which search as arms do; and why there can be no builder.
pub fn found(machine: &TreeMachine) -> (Vec<Found>, Vec<String>, Vec<String>) {
    let printer = Printer::new(machine);
    let searches = |body: BodyId| {
        let printing = printer.outside(&printer.functions[body]);
        printing.searches(&machine.bodies[body])
    };
    let key = |key: &str| key.split_whitespace().collect::<Vec<_>>().join(" ");
    let names_of_elements = machine.element_names().into_iter().map(str::to_owned);
    let names_of_elements: Vec<_> = names_of_elements.collect();
    let of_mode = |mode: ModeId| {
        let rules = &machine.modes[mode];
        let kinds = machine.kinds.iter().enumerate();
        let names = kinds.map(|(number, kind)| (kind.name.clone(), named(rules, number).len()));
        let hands_on = rules.arms.iter().filter_map(|arm| {
            let to = printer.delegates(arm.body)?;
            Some((key(&arm.key), machine.modes[to].name.clone()))
        });
        let runs = printer.runs_of(mode).into_iter();
        let runs = runs.map(|(keys, is_run)| {
            let keys: Vec<_> = keys.into_iter().map(key).collect();
            (keys.join(", or "), is_run)
        });
        let searching = rules.arms.iter().filter(|arm| searches(arm.body));
        Found {
            names: names.filter(|(_, count)| *count > 0).collect(),
            hands_on: hands_on.collect(),
            runs: runs.collect(),
            at_once: at_once(machine, mode, &names_of_elements),
            searches: searching.map(|arm| key(&arm.key)).collect(),
        }
    };
    let modes = (0..machine.modes.len()).map(of_mode).collect();
    let procedures = 0..machine.procedures();
    let procedures = procedures.filter(|body| searches(*body));
    let procedures = procedures.map(|body| machine.bodies[body].name.clone());
    let faults = super::module(machine, None, &quote::quote!(speclex)).err();
    (modes, procedures.collect(), faults.unwrap_or_default())
}

/// What tokens do at once in an insertion mode.
fn at_once(
    machine: &TreeMachine,
    mode: ModeId,
    names: &[String],
) -> Vec<(&'static str, Vec<String>)> {
    let named = |does: &dyn Fn(&str) -> bool| -> Vec<String> {
        let known = names.iter().filter(|name| does(name)).cloned();
        let others = does("").then(|| "any other".to_owned());
        known.chain(others).collect()
    };
    let ends = |wanted| named(&|name| ends(machine, mode, name) == wanted);
    let starts = |enters_list| {
        let does = |name: &str| start(machine, mode, name).map(|it| it.enters_list);
        named(&|name| does(name) == Some(enters_list))
    };
    let are_inserted = characters(machine, mode).is_some();
    let rows = [
        ("start tags that insert an element", starts(false)),
        (
            "start tags that insert an element and add it to the list",
            starts(true),
        ),
        ("end tags that pop the current node", ends(Ends::Pops)),
        (
            "end tags that pop the current node and take it off the list",
            ends(Ends::PopsAndLeavesList),
        ),
    ];
    let rows = rows.into_iter().filter(|(_, names)| !names.is_empty());
    let characters = are_inserted.then(|| ("characters that are inserted", Vec::new()));
    characters.into_iter().chain(rows).collect()
}
