//! Typed reading of nodes: every wrong type is a fault, and reading goes on.

use super::Text;
use crate::charset::display_char;
use crate::diagnostic::{Code, Faults, Hint, Source};
use crate::escape::is_control;
use crate::lexer::{by_quotes, normal_outside_quotes};
use crate::read::quoting::{item, outside_brackets};
use crate::read::{At, Node, Positions, Yaml};
use crate::suggest::{closest, which_of};
use std::collections::{HashMap, HashSet};

/// What a key may be called by people who have not read about it, and the key.
const OTHER_KEYS: [(&str, &str); 17] = [
    ("name", "table"),
    ("errors", "error codes"),
    ("sets", "classes"),
    ("variables", "registers"),
    ("registers", "variables"),
    ("states", "insertion modes"),
    ("modes", "insertion modes"),
    ("phases", "insertion modes"),
    ("initial state", "initial insertion mode"),
    ("start state", "entry states"),
    ("start", "entry states"),
    ("init", "entry states"),
    ("peek", "look ahead"),
    ("arms", "consume"),
    ("on", "consume"),
    ("do", "steps"),
    ("functions", "procedures"),
];

/// Keys with their values.
pub(super) type Entries<'n> = Vec<(Text, &'n Node)>;

/// What reading needs.
pub(crate) struct Reader<'s, 'f> {
    pub(super) source: &'s Source,
    pub(crate) faults: &'f mut Faults,
    pub(super) is_phrase: fn(&str) -> bool,
    /// Whether lists of steps have `while` and labels.
    pub(crate) has_loops: bool,
    /// Whether something is not indented as it is meant.
    pub(crate) is_out_of_place: bool,
    /// Keys with nothing, above what belongs to them.
    pub(super) adopting: HashSet<At>,
    /// How many numbers may yet be looked up as typed; each takes a walk over the text.
    lookups: u32,
}

/// How many numbers are looked up as typed.
const MOST_LOOKUPS: u32 = 100;

impl<'s, 'f> Reader<'s, 'f> {
    pub(crate) fn new(
        source: &'s Source,
        is_phrase: fn(&str) -> bool,
        faults: &'f mut Faults,
    ) -> Self {
        Self {
            source,
            faults,
            is_phrase,
            has_loops: false,
            is_out_of_place: false,
            adopting: HashSet::new(),
            lookups: MOST_LOOKUPS,
        }
    }
}

/// Refuses a key that a mapping has already.
pub(super) fn twice(key: &str, at: At, faults: &mut Faults) {
    let message = format!("the key `{key}` stands twice");
    faults
        .add(Code::DuplicateKey, at, message)
        .label("the first one is above")
        .help("YAML would keep only one of them: join them or remove one");
}

impl Reader<'_, '_> {
    pub(super) fn fault(&mut self, code: Code, at: At, message: impl Into<String>) -> Hint<'_> {
        self.faults.add(code, at, message)
    }

    pub(crate) fn wrong_type(&mut self, node: &Node, at: At, expected: &str) -> Hint<'_> {
        self.faults.not_read(node);
        let message = format!("expected {expected}, found {}", node.value.type_name());
        self.fault(Code::WrongType, at, message)
            .label(format!("expected {expected}"))
    }

    /// Refuses a state where entry states are to be, each with its content.
    pub(super) fn one_entry_state(&mut self, node: &Node, at: At, state: &str) {
        let help = format!(
            "name the content that starts there: `entry states: {{data: {}}}`",
            item(state)
        );
        match self.faults.at(at) {
            // The key is another one, too.
            Some(hint) => hint.help(help),
            None => self.wrong_type(node, at, "entry states").help(help),
        };
    }

    fn empty(&mut self, node: &Node, what: &str) {
        let typed = match node.value {
            Yaml::Null if what == "a key" => self.as_typed(node.at).unwrap_or_default(),
            _ => String::new(),
        };
        if typed.starts_with(['n', 'N', '~']) {
            let message = format!("YAML reads `{typed}` as nothing; expected {what}");
            self.fault(Code::EmptyValue, node.at, message)
                .help(format!("quote it: `'{typed}'`"));
            return;
        }
        let (found, help) = match &node.value {
            Yaml::Tag(tag) => {
                let bang = if tag.starts_with('!') { "" } else { "!" };
                (format!("YAML reads `{bang}{tag}` as a tag"), "")
            }
            _ => (
                "nothing is written here".to_owned(),
                "write it in this line or indented below it; ",
            ),
        };
        self.fault(Code::EmptyValue, node.at, format!("{found}; expected {what}"))
            .label(format!("expected {what}"))
            .help(format!(
                "{help}YAML swallows an unquoted `>`, `|`, `!`, `#`, `&` or `*`: write characters as `U+003E (>)`",
            ));
    }

    /// Reports a text of blanks, which in quotes are often meant as characters.
    fn blank(&mut self, node: &Node, text: &str, what: &str) {
        let mut numbers = Vec::new();
        for c in text.chars().map(|c| format!("`{}`", display_char(c))) {
            if !numbers.contains(&c) {
                numbers.push(c);
            }
        }
        let characters = match numbers.len() {
            1 => "character",
            _ => "characters",
        };
        let message = format!("only blanks are written here; expected {what}");
        self.fault(Code::EmptyValue, node.at, message)
            .label(format!("expected {what}"))
            .help(format!("write the {characters} as {}", numbers.join(", ")));
    }

    /// A non-empty scalar.
    pub(crate) fn text(&mut self, node: &Node, what: &str) -> Option<Text> {
        let text = match &node.value {
            Yaml::Null | Yaml::Tag(_) => {
                self.empty(node, what);
                return None;
            }
            Yaml::Text(text) if text.is_empty() => {
                self.empty(node, what);
                return None;
            }
            Yaml::Text(text) if text.trim().is_empty() => {
                self.blank(node, text, what);
                return None;
            }
            Yaml::Text(text) => text.trim_end().to_owned(),
            Yaml::Bool(value) => value.to_string(),
            Yaml::Int(value) => value.to_string(),
            // `1.10` is a number to YAML, but not here.
            Yaml::Float(value) => self.as_typed(node.at).unwrap_or_else(|| value.to_string()),
            Yaml::List(items) => {
                let help = match &items[..] {
                    [only] => only
                        .text()
                        .map(|text| format!("leave out the brackets: `{text}`")),
                    _ => None,
                };
                self.wrong_type(node, node.at, what)
                    .help(help.unwrap_or_default());
                return None;
            }
            Yaml::Map(_) => {
                self.wrong_type(node, node.at, what);
                return None;
            }
        };
        // A phrase or a set may be about such characters, in quotes.
        let parts = by_quotes(&text);
        let outside = parts.into_iter().step_by(2).flat_map(str::chars);
        self.no_controls(node.at, outside.filter(|&c| c != '\n' && c != '\t'));
        Some(Text { text, at: node.at })
    }

    /// A plain scalar that is a number to YAML, as typed.
    pub(super) fn as_typed(&mut self, at: At) -> Option<String> {
        let left = self.lookups.checked_sub(1);
        self.lookups = left.unwrap_or(0);
        let raw = left.and_then(|_| Positions::raw(self.source, at));
        raw.map(str::to_owned)
    }

    /// A name or a title: it stands in comments, on terminals and in Rust, on one line.
    pub(crate) fn name(&mut self, node: &Node, what: &str) -> Option<Text> {
        let text = self.text(node, what)?;
        self.is_name(&text);
        Some(text)
    }

    /// Refuses the name if it cannot be one.
    pub(crate) fn is_name(&mut self, name: &Text) {
        self.no_controls(name.at, name.text.chars());
    }

    /// Sentences for people.
    pub(crate) fn prose(&mut self, node: &Node, what: &str) -> Option<Text> {
        let text = self.text(node, what)?;
        let within = text.text.chars().filter(|&c| c != '\n' && c != '\t');
        self.no_controls(text.at, within);
        Some(text)
    }

    fn no_controls(&mut self, at: At, mut text: impl Iterator<Item = char>) {
        if let Some(c) = text.find(|&c| is_control(c)) {
            self.acts(at, c);
        }
    }

    fn acts(&mut self, at: At, c: char) {
        let what = match c {
            '\n' => "a line break".to_owned(),
            '\t' => "a tab".to_owned(),
            c => format!("the control character U+{:04X}", u32::from(c)),
        };
        self.fault(Code::BadText, at, format!("the text holds {what}"))
            .help("write a control character by its number, as in `U+0007`, or in the quotes of a phrase");
    }

    /// A key.
    pub(crate) fn key(&mut self, node: &Node) -> Option<Text> {
        let mut text = match &node.value {
            Yaml::List(items) => self.key_in_brackets(node, items)?,
            _ => self.text(node, "a key")?,
        };
        // Names are compared in one spacing; a key on one line keeps its columns.
        let is_blank = |c: char| c.is_whitespace() && c != ' ';
        if text.text.contains(is_blank) || text.text.contains("  ") {
            text.text = normal_outside_quotes(&text.text);
        }
        Some(text)
    }

    /// Refuses a list as a key; its items as a set, if they may be one.
    fn key_in_brackets(&mut self, node: &Node, items: &[Node]) -> Option<Text> {
        let texts: Option<Vec<&str>> = items.iter().map(Node::text).collect();
        let Some(texts) = texts.filter(|texts| texts.len() > 1) else {
            self.wrong_type(node, node.at, "a key").help(
                "characters are written by their numbers, as in `U+0041 (A) to U+005A (Z)`; a text in brackets needs quotes",
            );
            return None;
        };
        let text = texts.join(", ");
        let help = format!("leave out the brackets: `{}: …`", outside_brackets(&text));
        let message = "expected a key, found a list";
        self.fault(Code::WrongType, node.at, message)
            .label("expected a key")
            .help(help);
        Some(Text { text, at: node.at })
    }

    /// A mapping. Every key is non-empty and stands once.
    pub(crate) fn map<'n>(&mut self, node: &'n Node, at: At, what: &str) -> Entries<'n> {
        let (map, again) = self.map_with_twice(node, at, what);
        for (_, value) in again {
            self.faults.not_read(value);
        }
        map
    }

    /// A mapping, and the entries whose keys it has already, which are refused.
    pub(super) fn map_with_twice<'n>(
        &mut self,
        node: &'n Node,
        at: At,
        what: &str,
    ) -> (Entries<'n>, Entries<'n>) {
        let lists: Vec<&[(Node, Node)]> = match &node.value {
            Yaml::Map(entries) => vec![entries],
            Yaml::Null if self.adopting.contains(&at) => Vec::new(),
            Yaml::Null => {
                let message = format!("nothing belongs to this key; expected {what}");
                self.fault(Code::EmptyValue, at, message)
                    .help("what belongs to it is indented below it; `{}` stands for nothing");
                Vec::new()
            }
            Yaml::Tag(_) => {
                self.empty(node, what);
                Vec::new()
            }
            value => self.entries_of_list(node, value, at, what),
        };
        let mut seen = HashMap::new();
        let (mut map, mut again) = (Entries::new(), Entries::new());
        for (key, value) in lists.into_iter().flatten() {
            let Some(key) = self.key(key) else { continue };
            let place = *seen.entry(key.text.clone()).or_insert(map.len());
            let Some((_, first)) = map.get_mut(place) else {
                map.push((key, value));
                continue;
            };
            twice(&key.text, key.at, self.faults);
            match first.value {
                Yaml::Null => *first = value,
                _ => again.push((key, value)),
            }
        }
        (map, again)
    }

    /// Refuses what is no mapping; the entries of one that is written as a list of mappings.
    fn entries_of_list<'n>(
        &mut self,
        node: &Node,
        value: &'n Yaml,
        at: At,
        what: &str,
    ) -> Vec<&'n [(Node, Node)]> {
        let items = match value {
            Yaml::List(items) => items.as_slice(),
            _ => &[],
        };
        let maps = items.iter().map(|item| match &item.value {
            Yaml::Map(entries) => Some(entries.as_slice()),
            _ => None,
        });
        let maps: Option<Vec<_>> = maps.collect();
        if let Some(maps) = maps.filter(|maps| !maps.is_empty()) {
            let message = format!("expected {what}, found a list");
            let hint = self.fault(Code::WrongType, at, message);
            hint.label(format!("expected {what}"))
                .help("leave out the dashes, or the brackets, of the list");
            return maps;
        }
        let first = items.iter().find_map(Node::text);
        let help = match (first, node.text()) {
            (Some(first), _) => format!(
                "each name has a colon and a value behind it: `{}: …`",
                item(first)
            ),
            (None, Some(text)) => format!(
                "names with their values are indented below it, or stand in braces: `{{NAME: {}}}`",
                item(text)
            ),
            (None, None) => String::new(),
        };
        self.wrong_type(node, at, what).help(help);
        Vec::new()
    }

    /// The entries with one of these keys, or another one that is right. A misspelt key is refused and read as the
    /// one that is meant.
    pub(crate) fn spelled<'n>(
        &mut self,
        map: Vec<(Text, &'n Node)>,
        what: &str,
        names: impl Iterator<Item = &'static str> + Clone,
        is_right: impl Fn(&str) -> bool,
    ) -> Vec<(Text, &'n Node)> {
        let is_known = |key: &str| is_right(key) || names.clone().any(|name| name == key);
        let is_other = |key: &str, _: &Node| {
            let other = OTHER_KEYS.iter().any(|(other, _)| *other == key);
            !is_known(key) && !other && closest(key, names.clone()).is_none()
        };
        let map = self.indented(map, has_like, is_other);
        let (mut spelled, misspelt): (Vec<_>, Vec<_>) =
            map.into_iter().partition(|(key, _)| is_known(&key.text));
        for (mut key, value) in misspelt {
            let other = OTHER_KEYS.iter().find(|(other, _)| *other == key.text);
            let other = other.and_then(|(_, meant)| names.clone().find(|name| name == meant));
            let help = match other {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => which_of(&key.text, names.clone()),
            };
            let message = format!("`{}` is not a key of {what}", key.text);
            self.fault(Code::UnknownKey, key.at, message).help(help);
            let is_free = |name: &&str| spelled.iter().all(|(key, _)| key.text != *name);
            let meant = other.or_else(|| closest(&key.text, names.clone()));
            match meant.filter(is_free) {
                Some(meant) => {
                    meant.clone_into(&mut key.text);
                    spelled.push((key, value));
                }
                None => self.faults.not_read(value),
            }
        }
        spelled
    }

    /// A list of scalars; a single scalar is a list of one.
    pub(crate) fn texts(&mut self, node: &Node, what: &str) -> Vec<Text> {
        match &node.value {
            Yaml::List(items) => items
                .iter()
                .filter_map(|item| self.text(item, what))
                .collect(),
            _ => self.text(node, what).into_iter().collect(),
        }
    }

    /// A list of names; a single one is a list of one.
    pub(crate) fn names(&mut self, node: &Node, what: &str) -> Vec<Text> {
        if let Yaml::List(items) = &node.value {
            return items
                .iter()
                .filter_map(|item| self.name(item, what))
                .collect();
        }
        if let Yaml::Map(entries) = &node.value {
            let message = format!("expected a list, found {}", node.value.type_name());
            let names: Vec<Text> = entries
                .iter()
                .filter_map(|(key, _)| self.name(key, what))
                .collect();
            self.no_brackets(node.at, message, &names)
                .label(format!("expected {what}"));
            return names;
        }
        let Some(Text { text, at }) = self.name(node, what) else {
            return Vec::new();
        };
        let names = text.split(", ").map(|name| Text {
            text: name.trim().to_owned(),
            at,
        });
        let names: Vec<Text> = names.collect();
        if names.len() > 1 {
            self.no_brackets(at, "this is one name with a comma in it", &names);
        }
        names
    }

    /// Refuses names that are no list.
    pub(super) fn no_brackets(
        &mut self,
        at: At,
        message: impl Into<String>,
        names: &[Text],
    ) -> Hint<'_> {
        let list: Vec<String> = names.iter().map(|name| item(&name.text)).collect();
        let hint = self.fault(Code::WrongType, at, message);
        hint.help(format!("a list has brackets: `[{}]`", list.join(", ")))
    }

    /// A mapping of scalars to scalars.
    pub(crate) fn pairs(&mut self, node: &Node, at: At, what: &str) -> Vec<(Text, Text)> {
        let map = self.map(node, at, what);
        map.into_iter()
            .filter_map(|(key, value)| Some((key, self.text(value, "a value")?)))
            .collect()
    }

    /// Names that must not repeat.
    pub(crate) fn distinct(&mut self, names: &[Text]) {
        let mut seen = HashSet::new();
        for name in names {
            if !seen.insert(&name.text) {
                self.fault(
                    Code::DuplicateName,
                    name.at,
                    format!("`{}` stands twice in this list", name.text),
                );
            }
        }
    }

    /// Whether a value says `removed`.
    pub(crate) fn is_removed(node: &Node) -> bool {
        matches!(&node.value, Yaml::Text(text) if text == "removed")
    }
}

/// Whether the entries of a mapping are like this value: mappings, too, or no mappings.
fn has_like(above: &Node, value: &Node) -> bool {
    let is_map = |node: &Node| matches!(node.value, Yaml::Map(_));
    let Yaml::Map(entries) = &above.value else {
        return false;
    };
    entries
        .last()
        .is_some_and(|(_, last)| is_map(last) == is_map(value))
}
