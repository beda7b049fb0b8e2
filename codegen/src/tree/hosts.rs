//! What the runtime and the interpreter know of what tables leave to their host, as `host.yaml` beside this file says.

use std::sync::LazyLock;

use super::phrase::looks_like_a_phrase;
use super::written::{self, Table};
use crate::diagnostic::{Code, Faults, Source};
use crate::read::read;
use crate::suggest::closest;
use crate::written::{Reader, RegisterType, Text};

/// What is left to the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Step,
    Question,
    Property,
    Variable,
}

/// By name, with what is said of each: `[element, may pause]`.
static KNOWN: LazyLock<Vec<(Left, String, String)>> = LazyLock::new(|| {
    let source = Source {
        name: "host.yaml".to_owned(),
        text: include_str!("host.yaml").to_owned(),
    };
    let mut faults = Faults::default();
    let mut reader = Reader::new(&source, looks_like_a_phrase, &mut faults);
    let node = read(0, &source.text).node;
    let table = node.map(|node| written::table(&mut reader, &node));
    let all = table.iter().flat_map(left);
    all.map(|(left, name, says)| (left, name.text.clone(), says))
        .collect()
});

/// All that a table leaves to its host.
fn left(table: &Table) -> Vec<(Left, &Text, String)> {
    let steps = table.hosts.iter().map(|it| {
        let given = it.value.as_deref().unwrap_or_default();
        (Left::Step, &it.name, list(given))
    });
    let says = |ty: &RegisterType| match ty {
        RegisterType::Words(words) => list(words),
        RegisterType::Named(ty) => ty.text.clone(),
    };
    let states = [
        (Left::Question, &table.questions),
        (Left::Variable, &table.variables),
    ];
    let states = states.into_iter().flat_map(|(left, entries)| {
        let entries = entries.iter();
        entries.map(move |it| {
            (
                left,
                &it.name,
                it.value.as_ref().map_or_else(String::new, says),
            )
        })
    });
    let properties = table.properties.iter().map(|it| {
        let says = it.value.as_ref().map(|ty| ty.text.clone());
        (Left::Property, &it.name, says.unwrap_or_default())
    });
    steps.chain(states).chain(properties).collect()
}

fn list(words: &[Text]) -> String {
    let words: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    format!("[{}]", words.join(", "))
}

/// What of a table the runtime and the interpreter know, by its place in the lists of steps, of questions and of properties.
pub(super) fn known(table: &Table, wanted: Left) -> Vec<bool> {
    let all = left(table).into_iter().filter(|it| it.0 == wanted);
    all.map(|(left, name, says)| is_known(left, &name.text, &says))
        .collect()
}

fn is_known(left: Left, name: &str, says: &str) -> bool {
    KNOWN
        .iter()
        .any(|it| (it.0, &*it.1, &*it.2) == (left, name, says))
}

/// Notes the steps and questions that only a host of the user's own knows. Steps of the table may set a property, too.
pub(super) fn note(table: &Table, faults: &mut Faults) {
    for (left, name, says) in left(table) {
        let (what, label) = match left {
            Left::Step => ("host step", "`speclex tree` prints it and does nothing"),
            Left::Question => (
                "question",
                "`speclex tree` answers no, null or the first word",
            ),
            Left::Property | Left::Variable => continue,
        };
        if is_known(left, &name.text, &says) || faults.at(name.at).is_some() {
            continue;
        }
        let alike = || KNOWN.iter().filter(|it| it.0 == left);
        let same = alike().find(|it| it.1 == name.text);
        let meant = closest(&name.text, alike().map(|it| &*it.1));
        let help = match (same, meant) {
            (Some((.., says)), _) => {
                format!("the one that Speclex knows is `{}: {says}`", name.text)
            }
            (None, Some(meant)) => format!("did you mean `{meant}`?"),
            (None, None) => "docs/tree-language.md says in section 8 how to try it".to_owned(),
        };
        let message = format!("the {what} `{}` is the table's own", name.text);
        let note = faults.add(Code::OwnHost, name.at, message);
        note.label(label).help(help);
    }
}
