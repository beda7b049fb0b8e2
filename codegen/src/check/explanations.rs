//! What people are told of errors, and of the text.

use super::Checker;
use super::stream::name;
use crate::diagnostic::Code;
use crate::machine::Explanations;
use crate::written::{Entry, Text};

/// The key of the link that all codes without one of their own have.
const ALL_OTHERS: &str = "anything else";

impl Checker<'_, '_> {
    /// After all states, whose first use of `parse error` declares its code.
    pub(super) fn explanations(&mut self) -> Explanations {
        let table = self.table;
        let sentences = self.by_code(&table.explanations);
        for link in table.links.iter().filter_map(|entry| entry.value.as_ref()) {
            self.link(link);
        }
        for (key, value) in &table.text {
            match key.text.as_str() {
                "link" | "licence link" => self.link(value),
                "file" if value.text.contains(['/', '\\', ':']) => {
                    let message = format!("`{}` is no name of a file", value.text);
                    self.fault(Code::BadName, value.at, message)
                        .help("name the file without its folder, which `diff --texts` names");
                }
                _ => {}
            }
        }
        let (for_all, links): (Vec<_>, Vec<_>) =
            (table.links.iter().cloned()).partition(|entry| entry.name.text == ALL_OTHERS);
        let for_all = for_all.into_iter().find_map(|entry| entry.value);
        Explanations {
            sentences,
            links: self.by_code(&links),
            link: for_all.map(|link| link.text),
        }
    }

    fn by_code(&mut self, entries: &[Entry<Text>]) -> Vec<(String, String)> {
        let mut known = Vec::new();
        for entry in entries {
            if self.find_error(&name(&entry.name)).is_some()
                && let Some(value) = &entry.value
            {
                known.push((entry.name.text.clone(), value.text.clone()));
            }
        }
        known
    }

    fn link(&mut self, link: &Text) {
        let is_url = ["https://", "http://"]
            .iter()
            .any(|scheme| link.text.starts_with(scheme));
        if !is_url || link.text.contains(char::is_whitespace) {
            let message = format!("`{}` is no link", link.text);
            self.fault(Code::BadName, link.at, message)
                .help("write a whole URL: `https://example.org/page.html#CODE`");
        }
    }
}
