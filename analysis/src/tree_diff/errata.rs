//! Errata of two tables: what each table does where the text cannot be followed, as far as the tables differ.

use speclex_codegen::tree::TreeErratum;

/// Those that one table alone has, or that differ: in the order of the second table, then those of the first alone.
pub(super) fn differing(tables: [&[TreeErratum]; 2]) -> Vec<(String, Vec<String>, Vec<String>)> {
    let [first, second] = tables;
    let is_about =
        |one: &TreeErratum, other: &TreeErratum| (&one.mode, &one.key) == (&other.mode, &other.key);
    let find = |errata: &[TreeErratum], like: &TreeErratum| {
        let found = errata.iter().find(|it| is_about(it, like));
        found.map_or_else(Vec::new, lines)
    };
    let only_first = (first.iter()).filter(|it| !second.iter().any(|other| is_about(it, other)));
    second
        .iter()
        .chain(only_first)
        .map(|it| (place(it), find(first, it), find(second, it)))
        .filter(|(_, before, after)| before != after)
        .collect()
}

fn place(erratum: &TreeErratum) -> String {
    match &erratum.mode {
        Some(mode) => format!("{mode}: {}", erratum.key),
        None => erratum.key.clone(),
    }
}

fn lines(erratum: &TreeErratum) -> Vec<String> {
    let parts = [
        ("the text", &erratum.says),
        ("the table", &erratum.does),
        ("why", &erratum.why),
    ];
    let given = parts.into_iter().filter(|(_, text)| !text.is_empty());
    given
        .map(|(what, text)| format!("{what}: {text}"))
        .collect()
}
