//! A token, as the steps see it.

use std::ops::Range;
use std::sync::Arc;

use speclex_codegen::tree::machine::{
    CHARACTER, DoctypeTest, END_OF_FILE, Identifier, Kind, Part, Space,
};

use super::arena::{Attribute, Tag};
use crate::token::Value;

/// What the language calls the tokens whose self-closing flag must be acknowledged.
const START_TAG: &str = "start tag";
/// What it calls those that end elements. One without a name ends the current node.
const END_TAGS: [&str; 2] = ["end tag", "short end tag"];

/// The token that is processed.
#[derive(Clone, Debug)]
pub(super) struct Received {
    pub(super) kind: usize,
    pub(super) span: Range<u64>,
    pub(super) character: Option<char>,
    /// The name of a tag, a DOCTYPE or an entity, and the attributes.
    pub(super) tag: Arc<Tag>,
    pub(super) has_name: bool,
    pub(super) is_end_tag: bool,
    pub(super) is_self_closing: bool,
    /// Whether the self-closing flag is an error if no step acknowledges it.
    pub(super) must_be_acknowledged: bool,
    pub(super) data: String,
    pub(super) target: String,
    public: Option<String>,
    system: Option<String>,
    forces_quirks: bool,
}

impl Received {
    fn new(kind: usize, span: Range<u64>) -> Self {
        Self {
            kind,
            span,
            character: None,
            tag: Arc::default(),
            has_name: false,
            is_end_tag: false,
            is_self_closing: false,
            must_be_acknowledged: false,
            data: String::new(),
            target: String::new(),
            public: None,
            system: None,
            forces_quirks: false,
        }
    }

    pub(super) fn end_of_file(offset: u64) -> Self {
        Self::new(END_OF_FILE, offset..offset)
    }

    pub(super) fn character(character: char, span: Range<u64>) -> Self {
        let mut token = Self::new(CHARACTER, span);
        token.character = Some(character);
        token
    }

    /// A token of a kind that the tokenizer declares: the kind's number, and the values of its fields.
    pub(super) fn declared(number: usize, kind: &Kind, fields: &[Value], span: Range<u64>) -> Self {
        let value = |part| fields.get(kind.field(part)?);
        let text = |part| value(part).and_then(Value::text).map(str::to_owned);
        let is_set = |part| matches!(value(part), Some(Value::Flag(true)));
        let attributes = match value(Part::Attributes) {
            Some(Value::Attributes(attributes)) => attributes.as_slice(),
            _ => &[],
        };
        let attributes = attributes.iter().map(|(name, value)| Attribute {
            prefix: None,
            name: name.clone(),
            space: Space::None,
            value: value.clone(),
        });
        let name = text(Part::Name);
        let mut token = Self::new(number, span);
        token.has_name = name.is_some();
        token.tag = Arc::new(Tag {
            name: name.unwrap_or_default(),
            attributes: Arc::new(attributes.collect()),
        });
        token.is_end_tag = END_TAGS.contains(&kind.name.as_str());
        token.is_self_closing = is_set(Part::SelfClosing);
        token.must_be_acknowledged = token.is_self_closing && kind.name == START_TAG;
        token.data = text(Part::Data).unwrap_or_default();
        token.target = text(Part::Target).unwrap_or_default();
        token.public = text(Part::PublicIdentifier);
        token.system = text(Part::SystemIdentifier);
        token.forces_quirks = is_set(Part::ForceQuirks);
        token
    }

    /// The name of the token, if it has one.
    pub(super) fn name(&self) -> Option<&str> {
        self.has_name.then_some(self.tag.name.as_str())
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.tag.attributes.iter();
        let found = attributes.find(|it| it.prefix.is_none() && it.name == name);
        found.map(|attribute| attribute.value.as_str())
    }

    /// The attributes, to change.
    pub(super) fn attributes_mut(&mut self) -> &mut Vec<Attribute> {
        Arc::make_mut(&mut Arc::make_mut(&mut self.tag).attributes)
    }

    pub(super) fn identifier(&self, which: Identifier) -> Option<&str> {
        match which {
            Identifier::Public => self.public.as_deref(),
            Identifier::System => self.system.as_deref(),
        }
    }

    /// Whether a DOCTYPE token is as a test says.
    pub(super) fn passes(&self, test: &DoctypeTest) -> bool {
        let identifier = |which: &Identifier| self.identifier(*which);
        match test {
            DoctypeTest::ForceQuirks => self.forces_quirks,
            DoctypeTest::NameIs(name) => self.name() == Some(name),
            DoctypeTest::Not(test) => !self.passes(test),
            DoctypeTest::Both(one, other) => self.passes(one) && self.passes(other),
            DoctypeTest::IsMissing(which) => identifier(which).is_none(),
            DoctypeTest::Is(which, text) => {
                identifier(which).is_some_and(|it| it.eq_ignore_ascii_case(text))
            }
            DoctypeTest::IsExactly(which, text) => identifier(which) == Some(text),
            DoctypeTest::StartsWith(which, text) => identifier(which).is_some_and(|it| {
                let start = it.as_bytes().get(..text.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes()))
            }),
        }
    }
}
