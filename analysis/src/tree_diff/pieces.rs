//! Pieces of documents: tokens, as they are written.

use std::collections::BTreeSet;

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{Arm, Tokens};

/// A document in pieces.
pub(crate) type Pieces = Vec<String>;

/// A tag name that no arm of a standard has, for "any other" tags.
pub(super) const OTHER_NAME: &str = "x-y";

/// Tokens that no name of a table makes.
const OTHERS: [&str; 7] = [
    "x",
    "&amp;",
    " ",
    "\n",
    "<!---->",
    "<?i?>",
    "<!DOCTYPE html>",
];

/// All tokens that a table names, and some others.
pub(crate) fn of_table(tree: &TreeMachine) -> Pieces {
    let arms = tree.modes.iter().flat_map(|rules| &rules.arms);
    let named: BTreeSet<String> = arms.flat_map(|arm| of_arm(tree, arm, usize::MAX)).collect();
    let others = OTHERS.map(str::to_owned).into_iter();
    let others: Pieces = others.filter(|it| !named.contains(it)).collect();
    others.into_iter().chain(named).collect()
}

/// The tags that an arm takes; of each part of its key some.
pub(super) fn of_arm(tree: &TreeMachine, arm: &Arm, most: usize) -> Pieces {
    let mut pieces = Pieces::new();
    for takes in &arm.takes {
        let other = [OTHER_NAME.to_owned()];
        let (kind, names) = match &takes.tokens {
            Tokens::Named(kind, names) => (kind, &names[..]),
            Tokens::AnyOther(kind) => (kind, &other[..]),
            _ => continue,
        };
        let slash = match tree.kinds.get(*kind).map(|kind| kind.name.as_str()) {
            Some("end tag") => "/",
            Some("start tag") => "",
            _ => continue,
        };
        let names = names.iter().take(most);
        pieces.extend(names.map(|name| format!("<{slash}{name}>")));
    }
    pieces
}

/// The start tag and the end tag of a name.
pub(super) fn tags_of(name: &str) -> [String; 2] {
    [format!("<{name}>"), format!("</{name}>")]
}

/// The name in a tag without attributes.
pub(super) fn name_of(piece: &str) -> Option<&str> {
    let name = piece.strip_prefix('<')?.strip_suffix('>')?;
    let name = name.strip_prefix('/').unwrap_or(name);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    is_name.then_some(name)
}

/// The tags and texts of a document.
pub(super) fn split(input: &str) -> Pieces {
    let mut pieces = Pieces::new();
    for c in input.chars() {
        match pieces.last_mut() {
            Some(last) if c != '<' && !last.ends_with('>') => last.push(c),
            _ => pieces.push(c.to_string()),
        }
    }
    pieces
}

/// Keeps the first of those that are the same.
pub(super) fn without_doubles(pieces: &mut Pieces) {
    let mut seen = BTreeSet::new();
    pieces.retain(|piece| seen.insert(piece.clone()));
}
