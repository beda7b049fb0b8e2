//! Actions that a slip of the pen could make of one.

use speclex_codegen::machine::{
    Action, AttributePart, ErrorId, FieldId, Machine, StateId, TokenId, Value,
};

/// Whether an action sets a text.
pub(crate) fn sets(action: &Action) -> bool {
    matches!(action, Action::Set(..) | Action::SetText(..))
}

/// Whether what an action appends to is known to be empty.
pub(crate) fn is_empty(before: &[Action], action: &Action) -> bool {
    for earlier in before.iter().rev() {
        match (earlier, action) {
            (Action::Append(a, _) | Action::Set(a, _), Action::Append(b, _)) if a == b => {
                return false;
            }
            (Action::Create(token, _), Action::Append(field, _)) => return *token == field.token,
            (Action::SetText(a, value), Action::AppendRegister(b, _)) if a == b => {
                return *value == Value::Literal(String::new());
            }
            (Action::AppendRegister(a, _), Action::AppendRegister(b, _)) if a == b => return false,
            _ => {}
        }
    }
    false
}

/// Actions that a slip could make of one.
pub(crate) fn others(action: &Action, machine: &Machine, lowers: bool) -> Vec<Action> {
    let other_value = |value: &Value| match value {
        Value::Current if lowers => Value::LowerCurrent,
        Value::LowerCurrent => Value::Current,
        Value::Literal(text) => Value::Literal(format!("{text}x")),
        _ => Value::Literal("x".to_owned()),
    };
    let other_field = |id: &FieldId| {
        let fields = &machine.vocabulary.tokens[id.token.0 as usize].fields;
        let same = |index: &usize| {
            *index != id.field as usize && fields[*index].ty == fields[id.field as usize].ty
        };
        (0..fields.len()).find(same).map(|index| FieldId {
            token: id.token,
            field: u32::try_from(index).unwrap_or_default(),
        })
    };
    match action {
        Action::Error(ErrorId(id)) => {
            let errors = u32::try_from(machine.errors.len()).unwrap_or(u32::MAX);
            let other = (id + 1) % errors;
            (other != *id)
                .then_some(Action::Error(ErrorId(other)))
                .into_iter()
                .collect()
        }
        Action::EmitText(value) => vec![Action::EmitText(other_value(value))],
        Action::Emit(TokenId(id)) => {
            let tokens = u32::try_from(machine.vocabulary.tokens.len()).unwrap_or(u32::MAX);
            vec![Action::Emit(TokenId((id + 1) % tokens))]
        }
        Action::SetKind(token, kind) | Action::Create(token, kind) => {
            let kinds = machine.vocabulary.tokens[token.0 as usize].kinds.len();
            let kinds = u32::try_from(kinds).unwrap_or(1);
            let other = (kind + 1) % kinds;
            let make = |kind| match action {
                Action::Create(..) => Action::Create(*token, kind),
                _ => Action::SetKind(*token, kind),
            };
            (other != *kind).then(|| make(other)).into_iter().collect()
        }
        Action::Append(field, value) => {
            let mut all = vec![
                Action::Append(*field, other_value(value)),
                Action::Set(*field, value.clone()),
            ];
            all.extend(other_field(field).map(|f| Action::Append(f, value.clone())));
            all
        }
        Action::Set(field, value) => {
            let mut all = vec![Action::Set(*field, other_value(value))];
            all.extend(other_field(field).map(|f| Action::Set(f, value.clone())));
            all
        }
        Action::AppendAttribute(token, part, value) => vec![
            Action::AppendAttribute(*token, *part, other_value(value)),
            Action::AppendAttribute(*token, other_part(*part), value.clone()),
        ],
        Action::SetAttribute(token, part, value) => vec![
            Action::SetAttribute(*token, *part, other_value(value)),
            Action::SetAttribute(*token, other_part(*part), value.clone()),
        ],
        Action::SetFlag(field, on) => vec![Action::SetFlag(*field, !on)],
        Action::AppendRegister(register, value) => vec![
            Action::AppendRegister(*register, other_value(value)),
            Action::SetText(*register, value.clone()),
        ],
        Action::SetText(register, value) => vec![Action::SetText(*register, other_value(value))],
        Action::SetState(register, StateId(id)) => {
            let states = u32::try_from(machine.states.len()).unwrap_or(u32::MAX);
            vec![Action::SetState(*register, StateId((id + 1) % states))]
        }
        Action::SetNumber(register, number) => vec![Action::SetNumber(*register, number + 1)],
        Action::Multiply(register, by) => vec![Action::Multiply(*register, by + 1)],
        Action::Increase(register) => vec![Action::Decrease(*register)],
        Action::Decrease(register) => vec![Action::Increase(*register)],
        Action::SetCharacter(register, None) => vec![Action::SetCharacter(*register, Some('x'))],
        Action::SetCharacter(register, Some(_)) => vec![Action::SetCharacter(*register, None)],
        Action::SetFinite(register, word) => {
            vec![Action::SetFinite(*register, u32::from(*word == 0))]
        }
        _ => Vec::new(),
    }
}

fn other_part(part: AttributePart) -> AttributePart {
    match part {
        AttributePart::Name => AttributePart::Value,
        AttributePart::Value => AttributePart::Name,
    }
}
