//! What elements contain, by the names of their start tags.

use super::Checker;
use super::model::Entry;
use crate::diagnostic::Code;
use crate::machine::{ContentsAfter, Element};
use crate::source::At;
use crate::written::Text;
use std::collections::HashMap;

/// What may follow an element's name.
const IF_SCRIPTING: &str = " if scripting is enabled";

impl Checker<'_, '_> {
    pub(super) fn contents_after(&mut self, entries: &[Entry]) -> ContentsAfter {
        let table = self.table;
        if let Some(first) = table.contents_after.first() {
            self.start_tag_token(first.name.span());
        }
        let mut elements = Vec::new();
        let mut seen: HashMap<&str, (&str, At)> = HashMap::new();
        for entry in &table.contents_after {
            let content = self.content(&entry.name);
            if content.is_some() && !entries.iter().any(|e| Some(e.content) == content) {
                let message = format!("the content `{}` has no entry state", entry.name.text);
                self.fault(Code::UnknownContent, entry.name.at, message)
                    .help("say in `entry states` where it begins");
            }
            for text in entry.value.iter().flatten() {
                let (name, if_scripting) = self.element(text);
                let here = (entry.name.text.as_str(), text.at);
                if let Some(before) = seen.insert(name, here) {
                    self.listed_twice(name, before, here);
                }
                elements.extend(content.map(|content| Element {
                    name: name.to_owned(),
                    content,
                    if_scripting,
                }));
            }
        }
        ContentsAfter {
            section: table.contents_section.as_ref().map(|s| s.text.clone()),
            elements,
        }
    }

    /// Of two contents with an element, that of the base is not at fault.
    fn listed_twice(&mut self, name: &str, before: (&str, At), here: (&str, At)) {
        let (of_base, own) = match before.1.source > here.1.source {
            true => (before, here),
            false => (here, before),
        };
        let message = format!("the element `{name}` is listed twice");
        if of_base.1.source == own.1.source {
            self.fault(Code::DuplicateName, here.1, message);
            return;
        }
        let content = of_base.0;
        self.fault(Code::DuplicateName, own.1, message)
            .label(format!("the base lists it under `{content}`"))
            .help(format!(
                "a list replaces the base's of the same content: write `{content}`, too, without `{name}`"
            ));
    }

    /// An element's name, and whether it counts only with scripting.
    fn element<'t>(&mut self, text: &'t Text) -> (&'t str, bool) {
        let (name, if_scripting) = match text.text.strip_suffix(IF_SCRIPTING) {
            Some(name) => (name, true),
            None => (text.text.as_str(), false),
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            let message = format!("`{}` is no name of an element", text.text);
            self.fault(Code::BadName, text.at, message)
                .help("write it as `noframes`, or as `noscript if scripting is enabled`");
        }
        (name, if_scripting)
    }
}
