//! One walk over the YAML events: it builds nodes, or stops at a scalar to learn its position.

use super::nesting::{MOST_NESTING, too_deep};
use super::node::{Node, Yaml};
use crate::source::At;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess};
use serde::de::{VariantAccess, Visitor};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt;

/// What the walk does besides counting scalars.
pub(super) struct Walk<'t> {
    source: u32,
    /// The number of the next scalar.
    next: Cell<u32>,
    /// How many more levels may nest.
    levels: Cell<usize>,
    /// How many more nodes may come: without aliases a node takes at least a character.
    budget: Cell<usize>,
    /// The scalar to stop at.
    pub(super) stop_at: Option<u32>,
    pub(super) lent: Option<Lent<'t>>,
}

/// The text, and the positions of the scalars that the YAML library lent from it.
pub(super) struct Lent<'t> {
    pub(super) text: &'t str,
    /// By number: offset and length, without quotes.
    pub(super) positions: RefCell<BTreeMap<u32, (usize, usize)>>,
}

/// Too many nodes; told apart from a syntax error by its message.
const TOO_LARGE: &str = "the table is far larger than its text";

/// Too many levels; told apart in the same way.
const TOO_DEEP: &str = "lists and mappings nest more than 64 levels deep";

impl<'t> Walk<'t> {
    pub(super) fn new(source: u32, text: &'t str) -> Self {
        Self {
            source,
            next: Cell::new(0),
            levels: Cell::new(MOST_NESTING),
            budget: Cell::new(text.len() * 2 + 16),
            stop_at: None,
            lent: None,
        }
    }

    fn at(&self, scalar: u32) -> At {
        At {
            source: self.source,
            scalar,
        }
    }

    fn spend<E: Error>(&self) -> Result<(), E> {
        let left = self.budget.get().checked_sub(1);
        self.budget.set(left.ok_or_else(|| E::custom(TOO_LARGE))?);
        Ok(())
    }

    /// A list or a mapping begins.
    fn descend<E: Error>(&self) -> Result<(), E> {
        self.spend()?;
        let left = self.levels.get().checked_sub(1);
        self.levels.set(left.ok_or_else(|| E::custom(TOO_DEEP))?);
        Ok(())
    }

    /// It ends.
    fn ascend(&self) {
        self.levels.set(self.levels.get() + 1);
    }

    fn scalar<E: Error>(&self, value: Yaml) -> Result<Node, E> {
        self.spend()?;
        let number = self.next.get();
        if self.stop_at == Some(number) {
            return Err(E::custom("here"));
        }
        self.next.set(number + 1);
        Ok(Node {
            at: self.at(number),
            value,
        })
    }
}

/// Why a text is not a tree.
pub(super) struct Problem {
    pub(super) message: String,
    /// The line, from 0, and the byte in it.
    pub(super) line: usize,
    pub(super) column: usize,
    /// The line, from 0, on which the unfinished part began.
    pub(super) began: Option<usize>,
    pub(super) too_large: bool,
}

/// Reads a text into nodes.
pub(super) fn nodes(source: u32, text: &str) -> Result<Node, Problem> {
    let problem = |message: &str, too_large, offset: usize, began| {
        let before = &text.as_bytes()[..offset];
        let line = before.iter().rposition(|b| *b == b'\n');
        Problem {
            message: message.to_owned(),
            line: before.iter().filter(|b| **b == b'\n').count(),
            column: offset - line.map_or(0, |end| end + 1),
            began,
            too_large,
        }
    };
    if let Some(offset) = too_deep(text) {
        return Err(problem(TOO_DEEP, true, offset, None));
    }
    let walk = Walk::new(source, text);
    walk.deserialize(yaml(text)).map_err(|error| {
        let whole = error.to_string();
        let mut limits = [TOO_LARGE, TOO_DEEP].into_iter();
        let limit = limits.find(|limit| whole.contains(limit));
        // "did not find … at line 7 column 3, while parsing … at line 5 column 2". The first place is shown by
        // the caret; what the text lacks at its end is shown after its last word.
        let message = whole.split(" at line ").next().unwrap_or_default();
        let began = whole.rsplit(" at line ").next().unwrap_or_default();
        let began = began.split(' ').next().unwrap_or_default().parse::<usize>();
        let began = began.ok().and_then(|line| line.checked_sub(1));
        let offset = offset(&error).unwrap_or(0).min(text.trim_end().len());
        problem(limit.unwrap_or(message), limit.is_some(), offset, began)
    })
}

pub(super) fn yaml(text: &str) -> serde_yaml::Deserializer<'_> {
    serde_yaml::Deserializer::from_str(text)
}

/// Where an error is, in bytes.
pub(super) fn offset(error: &serde_yaml::Error) -> Option<usize> {
    Some(error.location()?.index())
}

impl<'de> DeserializeSeed<'de> for &Walk<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &Walk<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E: Error>(self) -> Result<Node, E> {
        self.scalar(Yaml::Null)
    }

    /// A text without a value at all.
    fn visit_none<E: Error>(self) -> Result<Node, E> {
        self.visit_unit()
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Node, E> {
        self.scalar(Yaml::Bool(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Node, E> {
        self.scalar(Yaml::Int(value.into()))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Node, E> {
        self.scalar(Yaml::Int(value.into()))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Node, E> {
        self.scalar(Yaml::Int(value))
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Node, E> {
        // As with a number with a point, the text says what it is.
        let float = |_| Yaml::Float(value as f64);
        self.scalar(i128::try_from(value).map_or_else(float, Yaml::Int))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Node, E> {
        self.scalar(Yaml::Float(value))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Node, E> {
        self.scalar(Yaml::Text(value.to_owned()))
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<Node, E> {
        if let Some(lent) = &self.lent {
            let offset = (value.as_ptr() as usize).wrapping_sub(lent.text.as_ptr() as usize);
            let rest = lent.text.get(offset..);
            if rest.is_some_and(|rest| rest.starts_with(value)) {
                let position = (offset, value.len());
                lent.positions
                    .borrow_mut()
                    .insert(self.next.get(), position);
            }
        }
        self.visit_str(value)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        self.descend()?;
        let before = self.next.get();
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        self.ascend();
        Ok(Node {
            at: self.at(first_scalar(before, self.next.get())),
            value: Yaml::List(list),
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        self.descend()?;
        let before = self.next.get();
        let mut map = Vec::new();
        while let Some(key) = entries.next_key_seed(self)? {
            map.push((key, entries.next_value_seed(self)?));
        }
        self.ascend();
        Ok(Node {
            at: self.at(first_scalar(before, self.next.get())),
            value: Yaml::Map(map),
        })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Node, A::Error> {
        let (tag, content): (String, _) = tagged.variant()?;
        let content = content.newtype_variant_seed(self)?;
        Ok(Node {
            at: content.at,
            value: Yaml::Tag(tag),
        })
    }
}

fn first_scalar(before: u32, after: u32) -> u32 {
    if after > before {
        before
    } else {
        before.saturating_sub(1)
    }
}
