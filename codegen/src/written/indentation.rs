//! What is not indented below its key. YAML reads `consume:` and the arms below it, at the same indentation, as keys
//! of one mapping, the first of them without a value. Such a table is not read further: too much would follow from it.

use super::reader::{Entries, Reader};
use crate::diagnostic::Code;
use crate::read::quoting::outside_brackets;
use crate::read::{At, Node, Yaml};

impl Reader<'_, '_> {
    /// Takes entries that are none of a mapping out of it, if they seem to belong to the key above them: one that has
    /// nothing, or `has_like` tells that it has entries like them.
    pub(crate) fn indented<'n>(
        &mut self,
        map: Entries<'n>,
        has_like: fn(&Node, &Node) -> bool,
        is_other: impl Fn(&str, &Node) -> bool,
    ) -> Entries<'n> {
        let mut kept: Entries<'n> = Vec::new();
        let mut last = None;
        for (key, value) in map {
            let above = kept.last().filter(|_| is_other(&key.text, value));
            let parent = above.and_then(|(name, above)| {
                let open = open(&name.text, name.at, above);
                let like = || has_like(above, value).then_some((name.text.as_str(), name.at));
                open.map(|it| (it, true)).or_else(|| Some((like()?, false)))
            });
            let Some(((parent, at), is_empty)) = parent else {
                kept.push((key, value));
                continue;
            };
            let parent = parent.to_owned();
            self.is_out_of_place = true;
            if is_empty {
                self.adopting.insert(at);
            }
            if last.replace(at) == Some(at) {
                continue;
            }
            let name = outside_brackets(&key.text);
            let said = value.text().map_or("…".to_owned(), outside_brackets);
            let message = format!("`{}` is not indented below `{parent}`", key.text);
            self.fault(Code::UnknownKey, key.at, message).help(format!(
                "indent it, and all that belongs to `{parent}`, by two more spaces than that:\n{parent}:\n  {name}: {said}"
            ));
        }
        kept
    }

    /// Refuses a state or an insertion mode that is indented below another one.
    pub(crate) fn too_deep(&mut self, name: &str, at: At, what: &str) {
        self.is_out_of_place = true;
        let message = format!("`{name}` is indented below another {what}");
        self.fault(Code::UnknownKey, at, message).help(format!(
            "indent it, and all that belongs to it, as far as the other {what}s"
        ));
    }

    /// Refuses entries that lack the key above them.
    pub(crate) fn lacks_key(&mut self, key: &str, at: At, what: &str) {
        self.is_out_of_place = true;
        let message = format!("`{key}:` is missing above this line");
        let help = format!("write it there, and indent all {what} by two more spaces than it");
        self.fault(Code::MissingKey, at, message).help(help);
    }
}

/// Whether a key is one of an arm that is no class of the table.
pub(crate) fn is_plain_arm(key: &str) -> bool {
    let is_one = |item: &str| {
        ["U+", "\"", "ASCII "]
            .iter()
            .any(|lead| item.starts_with(lead))
            || matches!(item, "EOF" | "anything else" | "any")
    };
    key.split(", ").any(is_one)
}

/// The key without a value that ends an entry.
fn open<'n>(name: &'n str, at: At, value: &'n Node) -> Option<(&'n str, At)> {
    match &value.value {
        Yaml::Null => Some((name, at)),
        Yaml::Map(entries) => {
            let (key, value) = entries.last()?;
            open(key.text()?, key.at, value)
        }
        _ => None,
    }
}
