//! The tokens under construction.

use std::collections::HashSet;

use speclex_codegen::machine::{
    AttributePart, FieldId, FieldType, Machine, Token as Declaration, TokenId,
};

use super::fault::{Fault, dangling};
use crate::token::{Token, Value};

/// A token under construction.
#[derive(Clone, Debug)]
pub(super) struct Construction<'m> {
    declaration: &'m Declaration,
    /// Index in the declaration's kinds.
    pub(super) kind: u32,
    fields: Vec<Value>,
    /// Whether the last attribute is the current one; there may be none, or it was dropped.
    has_current: bool,
    /// The names of the attributes before the current one.
    earlier_names: HashSet<String>,
}

fn initial(ty: FieldType) -> Value {
    match ty {
        FieldType::Text => Value::Text(String::new()),
        FieldType::OptionalText => Value::Missing,
        FieldType::Flag => Value::Flag(false),
        FieldType::Attributes => Value::Attributes(Vec::new()),
    }
}

impl<'m> Construction<'m> {
    fn new(declaration: &'m Declaration) -> Self {
        Self {
            declaration,
            kind: 0,
            fields: (declaration.fields.iter().map(|field| initial(field.ty))).collect(),
            has_current: false,
            earlier_names: HashSet::new(),
        }
    }

    /// Starts anew, as this kind.
    pub(super) fn create(&mut self, kind: u32) {
        self.kind = kind;
        self.has_current = false;
        self.earlier_names.clear();
        for (value, field) in self.fields.iter_mut().zip(&self.declaration.fields) {
            match value {
                // What they have grown to is kept for the next token.
                Value::Text(text) if field.ty == FieldType::Text => text.clear(),
                Value::Attributes(attributes) => attributes.clear(),
                value => *value = initial(field.ty),
            }
        }
    }

    /// The token as it is.
    pub(super) fn finished(&self) -> Result<Token, Fault> {
        let kind = self.declaration.kinds.get(self.kind as usize);
        Ok(Token::Declared {
            kind: kind.ok_or_else(|| dangling("kind"))?.name.clone(),
            fields: self.fields.clone(),
        })
    }

    /// The field that names the token.
    pub(super) fn name(&self) -> Option<&str> {
        let fields = &self.declaration.fields;
        let index = fields.iter().position(|field| field.name == "name")?;
        self.fields.get(index)?.text()
    }

    /// All fields.
    pub(super) fn fields(&self) -> &[Value] {
        &self.fields
    }

    /// A field's value.
    pub(super) fn field(&self, index: u32) -> Result<&Value, Fault> {
        let value = self.fields.get(index as usize);
        value.ok_or_else(|| dangling("field"))
    }

    /// A field's string, to change; a missing one becomes present.
    pub(super) fn text_mut(&mut self, index: u32) -> Result<&mut String, Fault> {
        let value = self.fields.get_mut(index as usize);
        let value = value.ok_or_else(|| dangling("field"))?;
        if *value == Value::Missing {
            *value = Value::Text(String::new());
        }
        match value {
            Value::Text(text) => Ok(text),
            _ => Err(dangling("text field")),
        }
    }

    /// Sets or unsets a flag.
    pub(super) fn set_flag(&mut self, index: u32, set: bool) -> Result<(), Fault> {
        match self.fields.get_mut(index as usize) {
            Some(Value::Flag(flag)) => {
                *flag = set;
                Ok(())
            }
            _ => Err(dangling("flag")),
        }
    }

    /// The attributes.
    pub(super) fn attributes(&self) -> &[(String, String)] {
        let attributes = self.fields.iter().find_map(|value| match value {
            Value::Attributes(attributes) => Some(attributes.as_slice()),
            _ => None,
        });
        attributes.unwrap_or_default()
    }

    fn attributes_mut(&mut self) -> Result<&mut Vec<(String, String)>, Fault> {
        let attributes = self.fields.iter_mut().find_map(|value| match value {
            Value::Attributes(attributes) => Some(attributes),
            _ => None,
        });
        attributes.ok_or_else(|| dangling("attributes field"))
    }

    /// Starts a new attribute, which becomes the current one.
    pub(super) fn start_attribute(&mut self) -> Result<(), Fault> {
        if let Some((name, _)) = self.current_attribute() {
            let name = name.clone();
            self.earlier_names.insert(name);
        }
        self.has_current = true;
        self.attributes_mut()?.push(Default::default());
        Ok(())
    }

    /// Removes the current attribute. What would go to it later is lost.
    pub(super) fn drop_attribute(&mut self) -> Result<(), Fault> {
        if std::mem::take(&mut self.has_current) {
            self.attributes_mut()?.pop();
        }
        Ok(())
    }

    /// The attribute under construction, if it was not dropped.
    pub(super) fn current_attribute(&self) -> Option<&(String, String)> {
        self.attributes().last().filter(|_| self.has_current)
    }

    /// A part of the current attribute; `None` if it was dropped.
    pub(super) fn attribute_part_mut(
        &mut self,
        part: AttributePart,
    ) -> Result<Option<&mut String>, Fault> {
        let has_current = self.has_current;
        let current = self.attributes_mut()?.last_mut().filter(|_| has_current);
        Ok(current.map(|(name, value)| match part {
            AttributePart::Name => name,
            AttributePart::Value => value,
        }))
    }

    /// The names of the attributes before the current one, in no particular order.
    pub(super) fn earlier_names(&self) -> impl Iterator<Item = &str> {
        self.earlier_names.iter().map(String::as_str)
    }

    /// Whether an earlier attribute has the current one's name.
    pub(super) fn has_duplicate_attribute(&self) -> bool {
        let current = self.current_attribute();
        current.is_some_and(|(name, _)| self.earlier_names.contains(name))
    }
}

/// The tokens under construction of a machine, one for each declared token.
#[derive(Clone, Debug)]
pub(super) struct Constructions<'m>(Vec<Construction<'m>>);

impl<'m> Constructions<'m> {
    /// All tokens at their initial values.
    pub(super) fn new(machine: &'m Machine) -> Self {
        let tokens = &machine.vocabulary.tokens;
        Self(tokens.iter().map(Construction::new).collect())
    }

    /// The token under construction.
    pub(super) fn get(&self, id: TokenId) -> Result<&Construction<'m>, Fault> {
        self.0.get(id.0 as usize).ok_or_else(|| dangling("token"))
    }

    /// The token under construction, to change.
    pub(super) fn get_mut(&mut self, id: TokenId) -> Result<&mut Construction<'m>, Fault> {
        let token = self.0.get_mut(id.0 as usize);
        token.ok_or_else(|| dangling("token"))
    }

    /// A field's value.
    pub(super) fn field(&self, id: FieldId) -> Result<&Value, Fault> {
        self.get(id.token)?.field(id.field)
    }
}
