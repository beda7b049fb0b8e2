//! What both machines must have alike, which no move looks at.

use std::collections::BTreeSet;

use speclex_codegen::machine::{Kind, Machine, Token};

use crate::error_comparison::ErrorComparison;

/// In what machines differ that is not compared by running them, in words.
pub(super) fn difference(
    machines: [&Machine; 2],
    compared: ErrorComparison,
) -> Option<&'static str> {
    let [one, other] = machines;
    let (ours, theirs) = (&one.preprocessing, &other.preprocessing);
    let parts = [
        (
            "byte order marks are dropped by one of them",
            ours.drop_bom != theirs.drop_bom,
        ),
        (
            "newlines are normalized by one of them",
            ours.normalize_newlines != theirs.normalize_newlines,
        ),
        (
            "other characters are errors of the input stream",
            stream_errors(one, compared) != stream_errors(other, compared),
        ),
        (
            "they have other named character references",
            one.references != other.references,
        ),
        (
            "they have other contents",
            contents(one) != contents(other) || one.entries.is_empty(),
        ),
        (
            "they have other contents after start tags",
            contents_after(one) != contents_after(other),
        ),
        ("a kind of token has other fields", !tokens_agree(machines)),
    ];
    let mut parts = parts.into_iter();
    parts.find(|(_, differs)| *differs).map(|(what, _)| what)
}

/// The characters that are errors, with their codes.
fn stream_errors(machine: &Machine, compared: ErrorComparison) -> BTreeSet<(u32, u32, &str)> {
    let errors = machine.preprocessing.errors.iter();
    let rows = errors.flat_map(|(set, id)| {
        let code = match compared {
            ErrorComparison::Presence => "",
            ErrorComparison::Codes => machine.errors.get(id.0 as usize).map_or("", |it| it),
        };
        set.ranges()
            .iter()
            .map(move |(from, to)| (*from, *to, code))
    });
    rows.collect()
}

/// The initial content, and all of them.
fn contents(machine: &Machine) -> (Option<&str>, BTreeSet<&str>) {
    let mut contents = machine.contents().map(|(_, name)| name);
    let all = machine.contents().map(|(_, name)| name).collect();
    (contents.next(), all)
}

fn contents_after(machine: &Machine) -> Vec<(&str, Option<&String>, bool)> {
    let elements = machine.contents_after.elements.iter();
    let rows = elements.map(|element| {
        let content = machine.vocabulary.contents.get(element.content as usize);
        (&*element.name, content, element.if_scripting)
    });
    rows.collect()
}

/// Whether all kinds that both have are of tokens with the same fields, and are answered alike.
fn tokens_agree([one, other]: [&Machine; 2]) -> bool {
    let kinds = |machine: &Machine, agree: &mut dyn FnMut(&Token, &Kind) -> bool| {
        let mut tokens = machine.vocabulary.tokens.iter();
        tokens.all(|token| token.kinds.iter().all(|kind| agree(token, kind)))
    };
    kinds(one, &mut |token, kind| {
        kinds(other, &mut |with, other| {
            kind.name != other.name || kind == other && token.fields == with.fields
        })
    })
}
