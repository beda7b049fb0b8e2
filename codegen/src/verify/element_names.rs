//! Names of elements that no start tag has: with capital letters, where the table makes all names lower-case.

// A new action, guard or value must be named here.
#![deny(clippy::wildcard_enum_match_arm)]

use super::successors::each_body;
use crate::check::model::Checked;
use crate::diagnostic::{Code, Faults};
use crate::lower::Lowered;
use crate::lower::traced::{Body, Kind};
use crate::machine::{FieldId, FieldType, TokenId, Value};
use crate::uses::Place;
use crate::written::{Entry, Text};

pub(super) fn check(
    contents: &[Entry<Vec<Text>>],
    checked: &Checked,
    lowered: &Lowered,
    faults: &mut Faults,
) {
    let elements = contents
        .iter()
        .flat_map(|entry| entry.value.iter().flatten());
    let has_capital = |text: &&Text| name(text).contains(|c: char| c.is_ascii_uppercase());
    let mut capital = elements.filter(has_capital).peekable();
    if capital.peek().is_none()
        || name_of_start_tags(checked).is_none_or(|n| may_be_capital(lowered, n))
    {
        return;
    }
    for text in capital {
        let message = format!("no start tag has the name `{}`", name(text));
        faults.add(Code::BadName, text.at, message).help(format!(
            "this table makes names lower-case: `{}`",
            name(text).to_ascii_lowercase()
        ));
    }
}

/// An element's name, without the words that may follow it.
fn name(text: &Text) -> &str {
    text.text.split(' ').next().unwrap_or_default()
}

fn name_of_start_tags(checked: &Checked) -> Option<FieldId> {
    let tokens = checked.vocabulary.tokens.iter().zip(0..);
    let mut fields = tokens.flat_map(|(token, id)| {
        let is_tag = token.kinds.iter().any(|kind| kind.is_start_tag);
        let fields = token.fields.iter().zip(0..).filter(move |_| is_tag);
        fields.map(move |(field, index)| {
            (
                field,
                FieldId {
                    token: TokenId(id),
                    field: index,
                },
            )
        })
    });
    let is_name =
        |field: &crate::machine::Field| field.name == "name" && field.ty == FieldType::Text;
    fields.find(|(field, _)| is_name(field)).map(|(_, id)| id)
}

/// Whether a step may put a capital letter into a field.
fn may_be_capital(lowered: &Lowered, field: FieldId) -> bool {
    let capitals = || (b'A'..=b'Z').map(char::from);
    lowered.states.iter().any(|state| match &state.kind {
        Kind::Consume {
            literals,
            arms,
            eof,
        } => {
            let literals = literals.iter().map(|(_, body)| body);
            arms.iter().any(|(head, body)| {
                puts_a_capital(body, field, capitals().any(|c| head.set.contains(c)))
            }) || literals
                .chain([eof])
                .any(|body| puts_a_capital(body, field, true))
        }
        Kind::Steps(_) | Kind::Match { .. } => state
            .bodies()
            .into_iter()
            .any(|body| puts_a_capital(body, field, true)),
    })
}

fn puts_a_capital(body: &Body, name: FieldId, current_may_be: bool) -> bool {
    let mut may_be = false;
    each_body(body, &mut |body| {
        for (action, _) in &body.actions {
            let changes_name = |(place, _)| place == Place::Field(name);
            may_be |= action.touches().any(changes_name)
                && match action.value() {
                    Some(Value::Current) => current_may_be,
                    Some(Value::LowerCurrent) => false,
                    Some(Value::Literal(text)) => text.contains(|c: char| c.is_ascii_uppercase()),
                    _ => true,
                };
        }
    });
    may_be
}
