//! The top level.

use super::indentation::indented;
use super::keys::{PREPROCESSING, PROCEDURE, TEXT, TOP, VOCABULARY};
use super::reader::Reader;
use super::{Entry, EntryState, Preprocessing, Procedure, RegisterType, Table, Text, Token};
use crate::diagnostic::{Code, Faults, Source};
use crate::read::quoting::outside_brackets;
use crate::read::{At, Node, Yaml};

/// Reads a table from its nodes.
pub(crate) fn table(node: &Node, source: &Source, faults: &mut Faults) -> Table {
    let mut reader = Reader {
        source,
        faults,
        lookups: 100,
    };
    let mut table = Table::default();
    if !reader.is_of_a_tokenizer(node) {
        return table;
    }
    let node = indented(node.clone(), reader.faults);
    // What is no mapping lacks more than keys.
    table.at = matches!(node.value, Yaml::Map(_)).then_some(node.at);
    for (key, value) in reader.known(&node, node.at, "a table", TOP) {
        table.keys.push(key.clone());
        reader.top(&mut table, &key, value);
    }
    table
}

/// Refuses `entry states` without any.
pub(crate) fn no_entry_state(at: At, faults: &mut Faults) {
    faults
        .add(Code::EmptyValue, at, "there is no entry state")
        .help("say where the tokenizer starts: `entry states: {data: STATE}`");
}

/// A field and its type behind a colon without a space, or without a colon.
fn name_and_type(typed: &str) -> Option<(&str, &str)> {
    typed.split_once(':').or_else(|| typed.rsplit_once(' '))
}

impl Reader<'_, '_> {
    /// Says so, once, where nothing of a tokenizer's table is to be expected.
    fn is_of_a_tokenizer(&mut self, node: &Node) -> bool {
        if let Yaml::Null = node.value {
            self.faults
                .add(Code::EmptyValue, node.at, "the table is empty")
                .help("name the table, and then its states: `table: my-table`");
            return false;
        }
        let Yaml::Map(entries) = &node.value else {
            return true;
        };
        let named = |name: &str| {
            let is_name =
                |(key, _): &&(Node, Node)| matches!(&key.value, Yaml::Text(text) if text == name);
            entries.iter().find(is_name)
        };
        match (named("tree"), named("table")) {
            (Some((key, _)), None) => {
                let message =
                    "this table is of tree construction, and no tokenizer can be made of it";
                self.faults.add(Code::UnknownKey, key.at, message);
                false
            }
            _ => true,
        }
    }

    fn top(&mut self, table: &mut Table, key: &Text, node: &Node) {
        let at = key.at;
        match key.text.as_str() {
            "table" => table.name = self.table_name(node),
            "title" => table.title = self.name(node, "one line"),
            "source" => {
                self.name(node, "one line");
            }
            "text" => table.text = self.text_keys(node, at),
            "extends" => table.extends = self.base(node, at),
            "section" => table.section = self.name(node, "a section number"),
            "vocabulary" => table.vocabulary = self.vocabulary(node, at),
            "error codes" => {
                let codes = self.error_codes(node, &mut table.unreported);
                self.distinct(&codes);
                table.errors = Some(codes);
            }
            "error explanations" => {
                table.explanations = self.entries(node, at, "error codes", |r, node, _| {
                    r.name(node, "a sentence")
                });
            }
            "error links" => {
                table.links =
                    self.entries(node, at, "error codes", |r, node, _| r.name(node, "a link"));
            }
            "classes" => {
                table.classes = self.entries(node, at, "classes", |r, node, _| {
                    Some(r.texts(node, "a character set"))
                });
            }
            "registers" => table.registers = self.entries(node, at, "registers", Self::register),
            "conditions" => {
                table.conditions =
                    self.entries(node, at, "conditions", |r, node, _| r.text(node, "a guard"));
            }
            "preprocessing" => table.preprocessing = Some(self.preprocessing(node, at)),
            "named character references" => table.references = self.name(node, "a file name"),
            "numeric replacements" => {
                table.replacements = Some(self.pairs(node, at, "numeric replacements"));
            }
            "initial state" => table.initial = self.name(node, "a content"),
            "entry states" => {
                if matches!(&node.value, Yaml::Map(entries) if entries.is_empty()) {
                    no_entry_state(at, self.faults);
                }
                let only = match &node.value {
                    Yaml::List(states) if states.len() == 1 => states[0].text(),
                    _ => node.text(),
                };
                if let Some(state) = only.filter(|state| !state.trim().is_empty()) {
                    return self.one_entry_state(node, at, state);
                }
                table.entries = self.entries(node, at, "entry states", |r, node, _| {
                    Some(match &node.value {
                        Yaml::List(_) => EntryState::Steps(r.texts(node, "a phrase")),
                        _ => EntryState::State(r.name(node, "a state")?),
                    })
                });
            }
            "contents after start tags" => {
                let mut contents = self.map(node, at, "contents");
                let section = contents.iter().position(|(key, _)| key.text == "section");
                table.contents_section =
                    section.and_then(|at| self.name(contents.remove(at).1, "a section number"));
                table.contents_after = self.named(contents, |r, node, _| {
                    Some(r.names(node, "the name of an element"))
                });
            }
            "on emitting" => {
                table.on_emitting = self.entries(node, at, "kinds of tokens", |r, node, at| {
                    Some(r.steps(node, at))
                });
            }
            "procedures" => {
                table.procedures = self.entries(node, at, "procedures", Self::procedure);
            }
            "hot" => {
                let hot = self.names(node, "a state");
                self.distinct(&hot);
                table.hot = Some(hot);
            }
            "states" => table.states = self.states(node, at),
            "errata" => table.errata = self.errata(node, at),
            _ => {
                table.remarks =
                    self.entries(node, at, "remarks", |r, node, _| r.prose(node, "a reason"));
            }
        }
    }

    /// What is said of the text: it is quoted with its address and that of the licence.
    fn text_keys(&mut self, node: &Node, at: At) -> Vec<(Text, Text)> {
        let known = self.known(node, at, "`text`", TEXT);
        let has = |name: &str| known.iter().any(|(key, _)| key.text == name);
        let needed: &[&str] = match has("licence") {
            true => &["file", "link", "licence link"],
            false => &["file"],
        };
        for name in needed.iter().filter(|name| !has(name)) {
            let message = format!("`text` has no `{name}`");
            self.faults.add(Code::MissingKey, at, message);
        }
        let values = known.into_iter();
        values
            .filter_map(|(key, value)| Some((key, self.name(value, "one line")?)))
            .collect()
    }

    /// The table that this one extends: the first of a list, which is refused.
    fn base(&mut self, node: &Node, at: At) -> Option<Text> {
        let Yaml::List(bases) = &node.value else {
            return self.name(node, "the name of a table");
        };
        let base = self.name(bases.first()?, "the name of a table")?;
        self.faults
            .add(Code::WrongType, at, "a table extends one other table")
            .help(format!("write `extends: {}`", outside_brackets(&base.text)));
        Some(base)
    }

    pub(crate) fn table_name(&mut self, node: &Node) -> Option<Text> {
        let name = self.text(node, "a name")?;
        let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if !name.text.chars().all(allowed)
            || !name.text.starts_with(|c: char| c.is_ascii_lowercase())
        {
            let message = format!("`{}` is no name of a table", name.text);
            self.faults
                .add(Code::BadName, name.at, message)
                .help("a table's name has lower-case letters, digits and hyphens, a letter first");
        }
        Some(name)
    }

    /// Named things, any of which may be `removed`.
    fn entries<T>(
        &mut self,
        node: &Node,
        at: At,
        what: &str,
        value: impl Fn(&mut Self, &Node, At) -> Option<T>,
    ) -> Vec<Entry<T>> {
        let map = self.map(node, at, what);
        self.named(map, value)
    }

    fn named<T>(
        &mut self,
        map: Vec<(Text, &Node)>,
        value: impl Fn(&mut Self, &Node, At) -> Option<T>,
    ) -> Vec<Entry<T>> {
        map.into_iter()
            .filter_map(|(name, node)| {
                self.is_name(&name);
                let value = match Self::is_removed(node) {
                    true => None,
                    false => Some(value(self, node, name.at).or_else(|| {
                        self.faults.may_be_declared(&name.text);
                        None
                    })?),
                };
                Some(Entry { name, value })
            })
            .collect()
    }

    fn register(&mut self, node: &Node, _: At) -> Option<RegisterType> {
        if let Yaml::List(_) | Yaml::Map(_) = node.value {
            let words = self.names(node, "a word");
            self.distinct(&words);
            return Some(RegisterType::Words(words));
        }
        Some(RegisterType::Named(
            self.text(node, "a type or a list of words")?,
        ))
    }

    fn procedure(&mut self, node: &Node, at: At) -> Option<Procedure> {
        let is_machine = match &node.value {
            Yaml::Map(entries) => !entries.iter().any(|(key, _)| {
                matches!(&key.value, Yaml::Text(t) if t.starts_with("if ") || t == "otherwise")
            }),
            _ => false,
        };
        if !is_machine {
            return Some(Procedure::Steps(self.steps(node, at)));
        }
        let (mut section, mut states) = (None, None);
        for (key, value) in self.known(node, at, "a procedure", PROCEDURE) {
            match key.text.as_str() {
                "section" => section = self.name(value, "a section number"),
                _ => states = Some(self.states(value, key.at)),
            }
        }
        let Some(states) = states else {
            self.faults
                .add(Code::MissingKey, at, "the procedure has no `states`")
                .help("a procedure is a list of steps, or a mapping with `states`");
            return None;
        };
        Some(Procedure::States { section, states })
    }

    /// Error codes; one that no state reports has the reason behind it.
    fn error_codes(&mut self, node: &Node, unreported: &mut Vec<String>) -> Vec<Text> {
        let Yaml::List(items) = &node.value else {
            return self.codes_in_a_text(node);
        };
        let mut codes = Vec::new();
        for item in items {
            let code = item.text().unwrap_or_default();
            let is_several = code.contains(' ') && code.split(' ').all(|code| code.contains('-'));
            if is_several {
                codes.extend(self.codes_in_a_text(item));
            } else if let Yaml::Map(_) = &item.value {
                for (code, _) in self.pairs(item, item.at, "a code and why no state reports it") {
                    self.is_name(&code);
                    unreported.push(code.text.clone());
                    codes.push(code);
                }
            } else {
                codes.extend(self.name(item, "an error code"));
            }
        }
        codes
    }

    /// Codes that are no list: YAML reads lines without dashes as one text.
    fn codes_in_a_text(&mut self, node: &Node) -> Vec<Text> {
        let Some(text) = node
            .text()
            .filter(|text| text.contains(' ') && !text.contains(','))
        else {
            return self.names(node, "an error code");
        };
        let codes: Vec<&str> = text.split_whitespace().collect();
        let message = "this is one error code with spaces in it";
        self.faults
            .add(Code::WrongType, node.at, message)
            .help(format!(
                "an item of a list begins with a dash, or the list has brackets and commas: `[{}]`",
                codes.join(", ")
            ));
        let codes = codes.into_iter().map(|code| Text {
            text: code.to_owned(),
            at: node.at,
        });
        codes.collect()
    }

    fn preprocessing(&mut self, node: &Node, at: At) -> Preprocessing {
        let mut preprocessing = Preprocessing::default();
        for (key, value) in self.known(node, at, "`preprocessing`", PREPROCESSING) {
            match key.text.as_str() {
                "byte order mark" => {
                    preprocessing.byte_order_mark = self.text(value, "`drop` or `keep`");
                }
                "newlines" => preprocessing.newlines = self.text(value, "`normalize` or `keep`"),
                "replace" => preprocessing.replace = self.pairs(value, key.at, "replacements"),
                _ => {
                    preprocessing.errors = self.pairs(value, key.at, "sets with their error codes")
                }
            }
        }
        preprocessing
    }

    fn vocabulary(&mut self, node: &Node, at: At) -> Option<super::Vocabulary> {
        if !matches!(node.value, Yaml::Map(_)) {
            return Some(super::Vocabulary::Shared(
                self.text(node, "`markup` or a mapping")?,
            ));
        }
        let mut tokens = None;
        let (mut contents, mut questions, mut answering) = (None, Vec::new(), Vec::new());
        let mut start_tag = None;
        for (key, value) in self.known(node, at, "a vocabulary", VOCABULARY) {
            match key.text.as_str() {
                "tokens" => tokens = Some(self.tokens(value, key.at)),
                "contents" => contents = Some(self.names(value, "a content")),
                "questions" => questions = self.names(value, "a question"),
                "answering" => answering = self.names(value, "a kind of token"),
                _ => start_tag = self.text(value, "a kind of token"),
            }
        }
        if tokens.is_none() {
            self.faults
                .add(Code::MissingKey, at, "the vocabulary has no `tokens`")
                .help("declare them, as in `tokens: {field: {value: text, quoted: flag}}`");
        }
        for list in [contents.as_deref().unwrap_or(&[]), &questions, &answering] {
            self.distinct(list);
        }
        Some(super::Vocabulary::Own {
            at,
            tokens: tokens.unwrap_or_default(),
            contents,
            questions,
            answering,
            start_tag,
        })
    }

    fn tokens(&mut self, node: &Node, at: At) -> Vec<Token> {
        let map = self.map(node, at, "tokens");
        if map.is_empty() && !matches!(node.value, Yaml::Map(_)) {
            self.faults.not_declared(Code::UnknownField);
        }
        map.into_iter()
            .map(|(name, node)| {
                let mut token = Token {
                    name,
                    kinds: Vec::new(),
                    fields: Vec::new(),
                };
                self.is_name(&token.name);
                let fields = self.map(node, token.name.at, "fields with their types");
                if fields.is_empty() && !matches!(node.value, Yaml::Map(_) | Yaml::Null) {
                    self.faults.not_declared(Code::UnknownField);
                }
                let mut fields = fields.into_iter().peekable();
                while let Some((key, value)) = fields.next() {
                    self.is_name(&key);
                    if key.text == "kinds" {
                        token.kinds = self.names(value, "a kind");
                        // Without brackets, commas in braces end what has no value.
                        let is_text = value.text().is_some();
                        while let Some((kind, _)) =
                            fields.next_if(|(_, value)| is_text && value.value == Yaml::Null)
                        {
                            token.kinds.push(kind);
                        }
                        if token
                            .kinds
                            .iter()
                            .any(|kind| is_text && kind.at != value.at)
                        {
                            let message = "in braces, this name ends at the comma";
                            self.no_brackets(value.at, message, &token.kinds);
                        }
                        self.distinct(&token.kinds);
                    } else if let Yaml::Null = value.value {
                        let named = name_and_type(&key.text);
                        let (name, ty) = named.unwrap_or((&key.text, "text"));
                        let message = format!("the field `{}` has no type", key.text);
                        self.faults
                            .add(Code::EmptyValue, key.at, message)
                            .help(format!(
                                "a type stands behind a colon and a space: `{name}: {ty}`"
                            ));
                        let text = |text: &str| Text {
                            text: text.to_owned(),
                            at: key.at,
                        };
                        token.fields.push((text(name), text(ty)));
                    } else if let Some(ty) = self.text(value, "a field type") {
                        token.fields.push((key, ty));
                    }
                }
                token
            })
            .collect()
    }
}
