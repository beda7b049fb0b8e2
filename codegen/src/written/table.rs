//! The top level.

use super::keys::{KeyOf, Shape, keys, names};
use super::reader::Reader;
use super::{Entry, EntryState, OwnVocabulary, Preprocessing, Procedure, RegisterType};
use super::{State, Table, Text, Token, Vocabulary};
use crate::diagnostic::{Code, Faults};
use crate::read::quoting::outside_brackets;
use crate::read::{At, Node, Yaml};
use crate::suggest::closest;

const STRING: Shape = Shape::Text;
const SECTION: Shape = Shape::Defined("section");
const SET: Shape = Shape::Defined("set");
const STEPS: Shape = Shape::Defined("steps");
/// What a table says of an entry of its base that it takes away.
const REMOVED: Shape = Shape::OneOf(&["removed"]);

/// Top level.
pub(crate) const TOP: &[KeyOf<Table>] = keys! {
    /// The table's name: lower-case letters, digits and hyphens.
    "table": Shape::Matching("^[a-z][a-z0-9-]*$"), "table: my-table"
        => |r, t, node, _| t.name = r.table_name(node);
    /// One line for people.
    "title": STRING, "title: Lists of words"
        => |r, t, node, _| t.title = r.name(node, "one line");
    /// Where the text comes from; for readers only.
    "source": STRING, "source: https://example.org/page.html"
        => |r, _, node, _| drop(r.name(node, "one line"));
    /// The file of the text, and under which licence it may be quoted.
    "text": Shape::Defined("text"), "text: {file: page.html}"
        => |r, t, node, key| t.text = r.text_keys(node, key.at);
    /// The name, or relative path, of a base table.
    "extends": STRING, "extends: base-table"
        => |r, t, node, key| t.extends = r.base(node, key.at);
    /// The number of the section whose subsections are the states.
    "section": SECTION, "section: 13.2.5"
        => |r, t, node, _| t.section = r.name(node, "a section number");
    /// `markup`, or a vocabulary of the table's own.
    "vocabulary": Shape::Any(&[Shape::OneOf(&["markup"]), Shape::Defined("vocabulary")]), "vocabulary: markup"
        => |r, t, node, key| t.vocabulary = r.vocabulary(node, key.at);
    /// The codes that `error CODE` may name.
    "error codes": Shape::List(&Shape::Types(&["string", "object"])), "error codes: [eof-in-tag]"
        => |r, t, node, _| {
            let codes = r.error_codes(node, &mut t.unreported);
            r.distinct(&codes);
            t.errors = Some(codes);
        };
    /// For each error code a sentence for people.
    "error explanations": Shape::Named(&STRING), "error explanations: {eof-in-tag: The input ends within a tag.}"
        => |r, t, node, key| {
            t.explanations = r.entries(node, key.at, "error codes", |r, node, _| r.name(node, "a sentence"));
        };
    /// For each error code a link to the text; `anything else` is that of all others, in which `CODE` stands for the
    /// code.
    "error links": Shape::Named(&STRING), "error links: {anything else: 'https://example.org/page.html#CODE'}"
        => |r, t, node, key| t.links = r.entries(node, key.at, "error codes", |r, node, _| r.name(node, "a link"));
    /// Names for character sets.
    "classes": Shape::Named(&Shape::Any(&[Shape::Any(&[SET, Shape::List(&SET)]), REMOVED])),
        "classes: {space: U+0020}"
        => |r, t, node, key| {
            t.classes = r.entries(node, key.at, "classes", |r, node, _| Some(r.texts(node, "a character set")));
        };
    /// Variables besides the tokens under construction.
    "registers": Shape::Named(&Shape::Any(&[
            Shape::OneOf(&["text", "state", "number", "character", "removed"]),
            Shape::List(&Shape::Types(&["string", "boolean"])),
        ])), "registers: {depth: number}"
        => |r, t, node, key| t.registers = r.entries(node, key.at, "registers", Reader::register);
    /// Names for guards.
    "conditions": Shape::Named(&Shape::Defined("guard")), "conditions: {deep: the depth is greater than 3}"
        => |r, t, node, key| {
            t.conditions = r.entries(node, key.at, "conditions", |r, node, _| r.text(node, "a guard"));
        };
    /// Changes of the input stream before the states see it.
    "preprocessing": Shape::Defined("preprocessing"), "preprocessing: {newlines: normalize}"
        => |r, t, node, key| {
            t.preprocessing = Some(r.object(node, key.at, "`preprocessing`", PREPROCESSING));
        };
    /// The data file of the named character references table, beside the table.
    "named character references": STRING, "named character references: entities.json"
        => |r, t, node, _| t.references = r.name(node, "a file name");
    /// Numbers that a numeric character reference replaces.
    "numeric replacements": Shape::Named(&SET), "numeric replacements: {0x80: U+20AC}"
        => |r, t, node, key| t.replacements = Some(r.pairs(node, key.at, "numeric replacements"));
    /// The content in whose entry state the tokenizer starts.
    "initial state": STRING, "initial state: data"
        => |r, t, node, _| t.initial = r.name(node, "a content");
    /// The states in which the caller may start, or to which it may switch; by content.
    "entry states": Shape::Named(&Shape::Any(&[STRING, Shape::List(&Shape::Defined("phrase"))])),
        "entry states: {data: data}"
        => |r, t, node, key| t.entries = r.entry_states(node, key.at);
    /// For each content, the names of the start tags that it follows.
    "contents after start tags": Shape::NamedInSection(
            &Shape::Any(&[Shape::Any(&[STRING, Shape::List(&STRING)]), REMOVED]),
        ), "contents after start tags: {RCDATA: [title, textarea]}"
        => |r, t, node, key| {
            let mut contents = r.map(node, key.at, "contents");
            let section = contents.iter().position(|(key, _)| key.text == "section");
            t.contents_section = section.and_then(|at| r.name(contents.remove(at).1, "a section number"));
            t.contents_after = r.named(contents, |r, node, _| Some(r.names(node, "the name of an element")));
        };
    /// Steps that run when a token of a kind is emitted.
    "on emitting": Shape::Named(&Shape::Any(&[STEPS, REMOVED])), "on emitting: {start tag: set mode to tag}"
        => |r, t, node, key| {
            t.on_emitting = r.entries(node, key.at, "kinds of tokens", |r, node, at| Some(r.steps(node, at)));
        };
    /// Named step lists and sub-machines that several states use.
    "procedures": Shape::Named(&Shape::Any(&[Shape::Any(&[STEPS, Shape::Defined("procedure")]), REMOVED])),
        "procedures: {end here: [emit the tag token, switch to data]}"
        => |r, t, node, key| t.procedures = r.entries(node, key.at, "procedures", Reader::procedure);
    /// The states that matter for speed, in path order. Does not change what the tokenizer does.
    "hot": Shape::List(&STRING), "hot: [data, tag name]"
        => |r, t, node, _| {
            let hot = r.names(node, "a state");
            r.distinct(&hot);
            t.hot = Some(hot);
        };
    /// The states, in the order of the text.
    "states": Shape::Named(&Shape::Any(&[Shape::Defined("state"), REMOVED])), "states: {data: {steps: emit EOF}}"
        => |r, t, node, key| t.states = r.states(node, key.at);
    /// Ambiguities and slips of the text that concern a top-level key.
    "errata": Shape::Named(&Shape::Defined("erratum")), "errata: {preprocessing: {says: may, does: it does}}"
        => |r, t, node, key| t.errata = r.errata(node, key.at);
    /// Sentences of the text that no table can express, by their beginnings, each with the reason; for the audit.
    "remarks": Shape::Named(&STRING), "remarks: {'When the user agent': it is about scripts}"
        => |r, t, node, key| t.remarks = r.entries(node, key.at, "remarks", |r, node, _| r.prose(node, "a reason"));
};

/// Of `text`.
pub(crate) const TEXT: &[KeyOf<Vec<(Text, Text)>>] = keys! {
    /// Its name, in the folder that `diff --texts` names.
    "file": STRING, "file: page.html" => one_line;
    /// Where the text is published.
    "link": STRING, "link: https://example.org/page.html" => one_line;
    /// Whose words they are, and the licence; without it nothing is quoted.
    "licence": STRING, "licence: The authors, CC BY 4.0" => one_line;
    /// Where the licence is published.
    "licence link": STRING, "licence link: https://creativecommons.org/licenses/by/4.0/" => one_line;
    /// The first section that may be quoted; by default all may be.
    "quoted from": SECTION, "quoted from: 13.2" => one_line;
};

fn one_line(reader: &mut Reader<'_, '_>, into: &mut Vec<(Text, Text)>, node: &Node, key: &Text) {
    let value = reader.name(node, "one line");
    into.extend(value.map(|value| (key.clone(), value)));
}

/// Of `preprocessing`.
pub(crate) const PREPROCESSING: &[KeyOf<Preprocessing>] = keys! {
    /// `drop` or `keep` one leading U+FEFF.
    "byte order mark": Shape::OneOf(&["drop", "keep"]), "byte order mark: drop"
        => |r, p, node, _| p.byte_order_mark = r.text(node, "`drop` or `keep`");
    /// `normalize` or `keep`: whether CR LF and CR become LF.
    "newlines": Shape::OneOf(&["normalize", "keep"]), "newlines: normalize"
        => |r, p, node, _| p.newlines = r.text(node, "`normalize` or `keep`");
    /// Characters that the states see as others.
    "replace": Shape::Named(&SET), "replace: {U+0000: U+FFFD}"
        => |r, p, node, key| p.replace = r.pairs(node, key.at, "replacements");
    /// Characters that are errors wherever they occur, by set.
    "errors": Shape::Named(&Shape::Said("An error code, or `parse error`.")), "errors: {noncharacter: parse error}"
        => |r, p, node, key| p.errors = r.pairs(node, key.at, "sets with their error codes");
};

/// Of a vocabulary of the table's own.
pub(crate) const VOCABULARY: &[KeyOf<OwnVocabulary>] = keys! {
    /// The tokens, each with its fields and their types.
    "tokens": Shape::Named(&Shape::Named(&Shape::Any(&[
            Shape::OneOf(&["text", "optional text", "flag", "attributes"]),
            Shape::List(&STRING),
        ]))), "tokens: {comment: {data: text}}"
        => |r, v, node, key| v.tokens = Some(r.tokens(node, key.at));
    /// The contents that the caller may ask for; the default is `data` alone.
    "contents": Shape::List(&STRING), "contents: [data, RCDATA]"
        => |r, v, node, _| v.contents = Some(r.names(node, "a content"));
    /// Yes/no questions that guards may ask the caller.
    "questions": Shape::List(&STRING), "questions: [CDATA sections are allowed]"
        => |r, v, node, _| v.questions = r.names(node, "a question");
    /// The kinds whose emission lets the sink answer with a content.
    "answering": Shape::List(&STRING), "answering: [start tag]"
        => |r, v, node, _| v.answering = r.names(node, "a kind of token");
    /// The kind whose `name` becomes the last start tag's and selects its content; one of `answering`.
    "start tag": STRING, "start tag: start tag"
        => |r, v, node, _| v.start_tag = r.text(node, "a kind of token");
};

/// The section and the states of a sub-machine.
type SubMachine = (Option<Text>, Option<Vec<State>>);

/// Of a sub-machine.
pub(crate) const PROCEDURE: &[KeyOf<SubMachine>] = keys! {
    /// Its number, when it has one of its own.
    "section": SECTION, "section: 13.2.5.72"
        => |r, p, node, _| p.0 = r.name(node, "a section number");
    /// Its states; it starts in the first.
    "states": Shape::Named(&Shape::Defined("state")), "states: {start: {steps: return nothing}}"
        => |r, p, node, key| p.1 = Some(r.states(node, key.at));
};

/// Refuses `entry states` without any.
pub(crate) fn no_entry_state(at: At, faults: &mut Faults) {
    faults
        .add(Code::EmptyValue, at, "there is no entry state")
        .help("say where the tokenizer starts: `entry states: {data: STATE}`");
}

/// Reads a table from its nodes.
pub(crate) fn table(reader: &mut Reader<'_, '_>, node: &Node) -> Table {
    let mut table = Table::default();
    if let Yaml::Null = node.value {
        reader
            .fault(Code::EmptyValue, node.at, "the table is empty")
            .help("name the table, and then its states: `table: my-table`");
        return table;
    }
    let other = [
        "tree construction, and no tokenizer can be made of it",
        "`speclex::parser!` and `speclex gen` make a parser",
    ];
    if !reader.is_of(node, ["table", "tree"], other) {
        return table;
    }
    // What is no mapping lacks more than keys.
    table.at = matches!(node.value, Yaml::Map(_)).then_some(node.at);
    let known = reader.known(node, node.at, "a table", TOP);
    table.keys = known.iter().map(|(key, _)| key.clone()).collect();
    reader.fill(known, TOP, &mut table);
    table
}

/// A field and its type behind a colon without a space, or without a colon.
fn name_and_type(typed: &str) -> Option<(&str, &str)> {
    typed.split_once(':').or_else(|| typed.rsplit_once(' '))
}

impl Reader<'_, '_> {
    /// Whether a table is of the language whose tables begin with `own`. If it is of the other one, nothing else is said of it.
    pub(crate) fn is_of(
        &mut self,
        node: &Node,
        [own, other]: [&str; 2],
        [what, made_of_it]: [&str; 2],
    ) -> bool {
        let Yaml::Map(entries) = &node.value else {
            return true;
        };
        let named = |name: &str| entries.iter().find(|(key, _)| key.text() == Some(name));
        match (named(other), named(own)) {
            (Some((key, _)), None) => {
                let message = format!("this table is of {what}");
                self.fault(Code::UnknownKey, key.at, message)
                    .help(format!("{made_of_it} of it"));
                self.is_out_of_place = true;
                false
            }
            _ => true,
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
            self.fault(Code::MissingKey, at, message);
        }
        let mut text = Vec::new();
        self.fill(known, TEXT, &mut text);
        text
    }

    fn entry_states(&mut self, node: &Node, at: At) -> Vec<Entry<EntryState>> {
        if matches!(&node.value, Yaml::Map(entries) if entries.is_empty()) {
            no_entry_state(at, self.faults);
        }
        let only = match &node.value {
            Yaml::List(states) if states.len() == 1 => states[0].text(),
            _ => node.text(),
        };
        if let Some(state) = only.filter(|state| !state.trim().is_empty()) {
            self.one_entry_state(node, at, state);
            return Vec::new();
        }
        self.entries(node, at, "entry states", |r, node, _| {
            Some(match &node.value {
                Yaml::List(_) => EntryState::Steps(r.texts(node, "a phrase")),
                _ => EntryState::State(r.name(node, "a state")?),
            })
        })
    }

    /// The table that this one extends: the first of a list, which is refused.
    fn base(&mut self, node: &Node, at: At) -> Option<Text> {
        let Yaml::List(bases) = &node.value else {
            return self.name(node, "the name of a table");
        };
        let base = self.name(bases.first()?, "the name of a table")?;
        self.fault(Code::WrongType, at, "a table extends one other table")
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
            self.fault(Code::BadName, name.at, message)
                .help("a table's name has lower-case letters, digits and hyphens, a letter first");
        }
        Some(name)
    }

    /// Named things, any of which may be `removed`.
    pub(crate) fn entries<T>(
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

    pub(crate) fn register(&mut self, node: &Node, _: At) -> Option<RegisterType> {
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
        let (section, states) = self.object(node, at, "a procedure", PROCEDURE);
        let Some(states) = states else {
            self.fault(Code::MissingKey, at, "the procedure has no `states`")
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
        self.fault(Code::WrongType, node.at, message).help(format!(
            "an item of a list begins with a dash, or the list has brackets and commas: `[{}]`",
            codes.join(", ")
        ));
        let codes = codes.into_iter().map(|code| Text {
            text: code.to_owned(),
            at: node.at,
        });
        codes.collect()
    }

    fn vocabulary(&mut self, node: &Node, at: At) -> Option<Vocabulary> {
        if self.adopting.contains(&at) {
            return None;
        }
        if !matches!(node.value, Yaml::Map(_)) {
            return Some(Vocabulary::Shared(
                self.text(node, "`markup` or a mapping")?,
            ));
        }
        let names = || names(VOCABULARY);
        let entries = match &node.value {
            Yaml::Map(entries) => entries.as_slice(),
            _ => &[],
        };
        let is_token = |(key, value): &&(Node, Node)| {
            let key = key.text().unwrap_or_default();
            let is_key = names().any(|name| name == key) || closest(key, names()).is_some();
            matches!(value.value, Yaml::Map(_)) && !is_key
        };
        if let Some((key, _)) = entries.first().filter(is_token) {
            self.lacks_key("tokens", key.at, "tokens");
            return None;
        }
        let mut own = self.object(node, at, "a vocabulary", VOCABULARY);
        own.at = at;
        if own.tokens.is_none() {
            self.fault(Code::MissingKey, at, "the vocabulary has no `tokens`")
                .help("declare them, as in `tokens: {field: {value: text, quoted: flag}}`");
        }
        let contents = own.contents.as_deref().unwrap_or(&[]);
        for list in [contents, &own.questions, &own.answering] {
            self.distinct(list);
        }
        Some(Vocabulary::Own(own))
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
                        self.fault(Code::EmptyValue, key.at, message).help(format!(
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
