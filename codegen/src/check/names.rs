//! Looking names up, and saying what was meant when they do not exist.

use super::Checker;
use super::model::Named;
use crate::diagnostic::{Code, Faults, Span};
use crate::machine::{
    AttributePart, ErrorId, FieldId, FieldType, RegisterId, RegisterType, TokenId,
};
use crate::phrase::{Name, value_meant};
use crate::read::quoting::item;
use crate::set_notation::character_meant;
use crate::suggest::{closest, did_you_mean, one_of, which_of};
use crate::written::Text;

/// How many names a help text lists at most.
pub(super) const MOST_NAMES: usize = 12;

/// Something that a step can set or append to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(RegisterId),
    Field(FieldId),
    Attribute(TokenId, AttributePart),
}

impl Checker<'_, '_> {
    /// The state with this name: of the procedure that is being read, or of the table.
    pub(super) fn find_state(&self, name: &Name) -> Option<Named> {
        [&name.text, &name.with_article]
            .into_iter()
            .find_map(|text| self.state_named(text))
    }

    pub(super) fn state_named(&self, text: &str) -> Option<Named> {
        let of = |procedure| self.state_names.get(&(procedure, text.to_owned()));
        let own = self.procedure.and_then(|p| of(Some(p)));
        own.or_else(|| of(None)).copied()
    }

    pub(super) fn state(&mut self, name: &Name) -> Option<Named> {
        let found = self.find_state(name);
        if found.is_none() {
            self.unknown_state(name, "state", &[]);
        }
        found
    }

    /// Reports an unknown state; `also` are other names that could have been meant.
    pub(super) fn unknown_state(&mut self, name: &Name, what: &str, also: &[String]) {
        let states: Vec<&str> = self
            .state_names
            .keys()
            .filter(|(procedure, _)| procedure.is_none() || *procedure == self.procedure)
            .map(|(_, state)| state.as_str())
            .chain(also.iter().map(String::as_str))
            .collect();
        let among = |bare: Option<&str>| {
            bare.map(str::to_owned)
                .filter(|b| states.contains(&b.as_str()))
        };
        let help = if let Some(bare) = among(name.text.strip_suffix(" state")) {
            format!("did you mean `{bare}`? States are named without the word \"state\"")
        } else if let Some(long) = among(Some(&format!("{} state", name.text))) {
            format!("its key is `{long}`: leave out the word \"state\" there")
        } else if let Some(bare) = among(name.text.strip_prefix("switch to ")) {
            format!("did you mean `{bare}`?")
        } else if name.text == "return" {
            "a sub-machine ends with `return nothing` or `return VALUE`".to_owned()
        } else {
            did_you_mean(&name.text, states, || {
                "the states are the keys under `states`".to_owned()
            })
        };
        self.faults
            .unknown(Code::UnknownState, name.span, what, &name.text)
            .help(help);
    }

    /// The register with this name.
    pub(super) fn find_register(&mut self, name: &Name) -> Option<RegisterId> {
        let found = self.registers.iter().position(|r| name.is(&r.name))?;
        self.used_registers.insert(found);
        Some(RegisterId(u32::try_from(found).ok()?))
    }

    pub(super) fn register_type(&self, register: RegisterId) -> Option<&RegisterType> {
        self.registers.get(register.0 as usize).map(|r| &r.ty)
    }

    /// A register of a type, or a fault.
    pub(super) fn register(
        &mut self,
        name: &Name,
        what: &str,
        fits: impl Fn(&RegisterType) -> bool,
    ) -> Option<RegisterId> {
        let Some(found) = self.find_register(name) else {
            let names = self.registers.iter().filter(|r| fits(&r.ty));
            let names: Vec<&str> = names.map(|r| r.name.as_str()).collect();
            let help = did_you_mean(&name.text, names.iter().copied(), || match names.len() {
                0 => format!("declare it: `registers: {{{}: {what}}}`", item(&name.text)),
                _ => one_of(names.clone()),
            });
            self.faults
                .unknown(
                    Code::UnknownRegister,
                    name.span,
                    &format!("{what} register"),
                    &name.text,
                )
                .help(help);
            return None;
        };
        let ty = self.register_type(found)?;
        if fits(ty) {
            return Some(found);
        }
        let holds = register_holds(ty);
        self.fault(
            Code::TypeMismatch,
            name.span,
            format!("`{}` holds {holds}, not {}", name.text, article(what)),
        );
        None
    }

    pub(super) fn number(&mut self, name: &Name) -> Option<RegisterId> {
        self.register(name, "number", |ty| *ty == RegisterType::Number)
    }

    /// The error with this code, which is reported somewhere.
    pub(super) fn error(&mut self, name: &Name) -> Option<ErrorId> {
        let found = self.find_error(name)?;
        self.used_errors.insert(found);
        Some(ErrorId(u32::try_from(found).ok()?))
    }

    /// The index of an error code, or a fault.
    pub(super) fn find_error(&mut self, name: &Name) -> Option<usize> {
        let found = self.errors.iter().position(|code| *code == name.text);
        if found.is_some() {
            return found;
        }
        if self.table.errors.is_none() {
            self.undeclared_errors.push((name.text.clone(), name.span));
            return None;
        }
        let help = did_you_mean(&name.text, self.errors.iter().map(String::as_str), || {
            "declare it in `error codes`, or say `parse error`".to_owned()
        });
        self.faults
            .unknown(Code::UnknownErrorCode, name.span, "error code", &name.text)
            .help(help);
        None
    }

    /// Says once what a table without `error codes` has to declare.
    pub(super) fn no_error_codes(&mut self) {
        let Some((first, at)) = self.undeclared_errors.first() else {
            return;
        };
        let mut codes: Vec<String> = Vec::new();
        for (code, _) in &self.undeclared_errors {
            let code = match codes.len() {
                MOST_NAMES => break,
                _ => item(code),
            };
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        self.faults
            .unknown(Code::UnknownErrorCode, *at, "error code", first)
            .help(format!(
                "declare it, or say `parse error`: `error codes: [{}]`",
                codes.join(", ")
            ));
    }

    /// The code of an error without a code, declared by its first use.
    pub(super) fn parse_error(&mut self) -> ErrorId {
        let code = "parse-error";
        let found = self.errors.iter().position(|c| c == code);
        let at = found.unwrap_or_else(|| {
            self.errors.push(code.to_owned());
            self.errors.len() - 1
        });
        self.used_errors.insert(at);
        ErrorId(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// The token with this name.
    pub(super) fn token(&mut self, name: &Name) -> Option<TokenId> {
        if let Some(found) = self.find_token(&name.text) {
            return Some(found);
        }
        let help = match self.find_kind(&name.text) {
            Some((token, _)) => {
                let token = &self.vocabulary.tokens[token.0 as usize].name;
                format!(
                    "`{}` is a kind of the `{token}` token: say `the {token} token`, or create one with `emit {} token`",
                    name.text,
                    article(&name.text)
                )
            }
            None => {
                let tokens = || self.vocabulary.tokens.iter().map(|t| t.name.as_str());
                let otherwise = emitted_otherwise(&name.text);
                let help = did_you_mean(&name.text, tokens(), || {
                    let (_, last) = name.text.rsplit_once(' ').unwrap_or_default();
                    match tokens().find(|token| *token == last) {
                        Some(token) => format!("did you mean `the {token} token`?"),
                        None => one_of(tokens()),
                    }
                });
                otherwise.unwrap_or(help)
            }
        };
        self.faults
            .unknown(Code::UnknownToken, name.span, "token", &name.text)
            .help(help);
        None
    }

    pub(super) fn find_token(&self, name: &str) -> Option<TokenId> {
        let found = self.vocabulary.tokens.iter().position(|t| t.name == name)?;
        Some(TokenId(u32::try_from(found).ok()?))
    }

    fn find_kind(&self, name: &str) -> Option<(TokenId, u32)> {
        self.vocabulary
            .tokens
            .iter()
            .zip(0..)
            .find_map(|(token, id)| {
                let kind = token.kinds.iter().position(|k| k.name == name)?;
                Some((TokenId(id), u32::try_from(kind).ok()?))
            })
    }

    /// The kind with this name, of any token or of this one.
    pub(super) fn kind(&mut self, name: &Name, of: Option<TokenId>) -> Option<(TokenId, u32)> {
        let found = self.find_kind(&name.text);
        if let Some((token, _)) = found
            && of.is_none_or(|of| of == token)
        {
            return found;
        }
        let tokens = self.vocabulary.tokens.iter().zip(0..);
        let tokens = tokens.filter(|&(_, id)| of.is_none_or(|of| of.0 == id));
        let kinds: Vec<&str> = tokens
            .flat_map(|(token, _)| token.kinds.iter().map(|k| k.name.as_str()))
            .collect();
        let help = emitted_otherwise(&name.text)
            .unwrap_or_else(|| which_of(&name.text, kinds.iter().copied()));
        let message = match (found, of) {
            (Some(_), Some(of)) => format!(
                "`{}` is no kind of the {} token",
                name.text, self.vocabulary.tokens[of.0 as usize].name
            ),
            _ => format!("there is no kind of token `{}`", name.text),
        };
        self.fault(Code::UnknownKind, name.span, message).help(help);
        None
    }

    /// The token whose attributes are built.
    pub(super) fn attribute_token(&mut self, span: Span) -> Option<TokenId> {
        let found = self.find_attribute_token();
        if found.is_none() {
            self.fault(Code::UnknownField, span, "no token has attributes")
                .help("a token's field of the type `attributes` holds them");
        }
        found
    }

    fn find_attribute_token(&self) -> Option<TokenId> {
        let has = |token: &crate::machine::Token| {
            token.fields.iter().any(|f| f.ty == FieldType::Attributes)
        };
        let found = self.vocabulary.tokens.iter().position(has)?;
        Some(TokenId(u32::try_from(found).ok()?))
    }

    /// A field, an attribute part, or a register.
    pub(super) fn place(&mut self, name: &Name) -> Option<Place> {
        if let Some(register) = self.find_register(name) {
            return Some(Place::Register(register));
        }
        let part = match name.text.as_str() {
            "attribute name" => Some(AttributePart::Name),
            "attribute value" => Some(AttributePart::Value),
            _ => None,
        };
        if let Some(part) = part {
            return Some(Place::Attribute(self.attribute_token(name.span)?, part));
        }
        let found = self.fields_named(&name.text);
        match found.as_slice() {
            [field] => Some(Place::Field(*field)),
            [] => {
                self.unknown_place(name);
                None
            }
            several => {
                let names: Vec<String> = several
                    .iter()
                    .map(|f| format!("the {}", self.field_name(*f)))
                    .collect();
                let help = one_of(names.iter().map(String::as_str));
                let message = format!("several tokens have a `{}`", name.text);
                self.fault(Code::AmbiguousField, name.span, message)
                    .help(help);
                None
            }
        }
    }

    fn unknown_place(&mut self, name: &Name) {
        let mut names: Vec<String> = self.registers.iter().map(|r| r.name.clone()).collect();
        for (token, id) in self.vocabulary.tokens.iter().zip(0..) {
            for (field, of) in (0..).zip(&token.fields) {
                let token = TokenId(id);
                names.push(self.field_name(FieldId { token, field }));
                // Alone it says enough where no other token has one.
                if self.fields_named(&of.name).len() == 1 {
                    names.push(of.name.clone());
                }
            }
        }
        let others = ["attribute name", "attribute value"];
        let meant = names.iter().map(String::as_str).chain(others);
        let meant = closest(&name.text, meant.chain(value_meant(&name.text)));
        let token = self.find_token(&name.text);
        let token = token.or_else(|| Some(self.find_kind(&name.text)?.0));
        // So the standard says: `the current tag token's tag name`.
        let bare = name.text.replace("current ", "");
        let (_, field) = bare.rsplit_once("'s ").unwrap_or_default();
        let said = [
            bare.as_str(),
            &bare.replace(" token's ", " "),
            &bare.replace("'s ", " "),
            field,
        ];
        let is_place = |text: &str| !self.fields_named(text).is_empty() || others.contains(&text);
        let said = said
            .into_iter()
            .find(|text| *text != name.text && is_place(text));
        let help = if let Some(said) = said {
            format!("did you mean `the {said}`?")
        } else if let Some(TokenId(token)) = token {
            let token = &self.vocabulary.tokens[token as usize].name;
            format!(
                "a token is emitted as a whole: `emit the {token} token`; a register is declared in `registers`"
            )
        } else if let Some(help) = self.flag_meant(&name.text) {
            help
        } else if let Some(meant) = meant.or_else(|| value_meant(&name.text)) {
            format!("did you mean `the {meant}`?")
        } else if let Some(help) =
            character_meant(&name.text).or_else(|| emitted_otherwise(&name.text))
        {
            help
        } else if (1..=MOST_NAMES).contains(&names.len()) {
            let declared = match self.registers.is_empty() {
                true => format!("; or declare it: `registers: {{{}: TYPE}}`", name.text),
                false => String::new(),
            };
            one_of(names.iter().map(String::as_str)) + &declared
        } else {
            "a field is `the NAME of the TOKEN` or `the TOKEN NAME`; registers are declared in `registers`"
                .to_owned()
        };
        self.faults
            .unknown(
                Code::UnknownField,
                name.span,
                "field or register",
                &name.text,
            )
            .help(help);
    }

    /// What to say for `the quoted flag` if the flag's name is `quoted`.
    fn flag_meant(&self, text: &str) -> Option<String> {
        let without = text.replacen(" flag", "", 1);
        let [field] = self.fields_named(&without)[..] else {
            return None;
        };
        let token = &self.vocabulary.tokens[field.token.0 as usize];
        let named = &token.fields[field.field as usize];
        (named.ty == FieldType::Flag).then(|| {
            format!(
                "the flag is called `{}`: `set the {without}`, or in a guard `the {without} is set`",
                named.name
            )
        })
    }

    fn field_name(&self, field: FieldId) -> String {
        let token = &self.vocabulary.tokens[field.token.0 as usize];
        format!("{} {}", token.name, token.fields[field.field as usize].name)
    }

    /// `NAME of the TOKEN`, `TOKEN NAME`, or `NAME` of any token.
    pub(super) fn fields_named(&self, text: &str) -> Vec<FieldId> {
        let bare = |token: &str| {
            let token = token.strip_prefix("the ").unwrap_or(token);
            token.strip_suffix(" token").unwrap_or(token).to_owned()
        };
        let mut found = Vec::new();
        for (token, id) in self.vocabulary.tokens.iter().zip(0..) {
            for (field, index) in token.fields.iter().zip(0..) {
                let of = text
                    .strip_prefix(field.name.as_str())
                    .and_then(|rest| rest.strip_prefix(" of "))
                    .is_some_and(|rest| bare(rest) == token.name);
                let joined = text
                    .strip_prefix(token.name.as_str())
                    .and_then(|rest| rest.strip_prefix(' '))
                    .is_some_and(|rest| rest == field.name);
                let id = FieldId {
                    token: TokenId(id),
                    field: index,
                };
                if of || joined {
                    return vec![id];
                }
                if text == field.name {
                    found.push(id);
                }
            }
        }
        found
    }

    pub(super) fn field_type(&self, field: FieldId) -> Option<FieldType> {
        let token = self.vocabulary.tokens.get(field.token.0 as usize)?;
        token.fields.get(field.field as usize).map(|f| f.ty)
    }

    /// Whether a field holds a text.
    pub(super) fn is_text(&self, field: FieldId) -> bool {
        let ty = self.field_type(field);
        matches!(ty, Some(FieldType::Text | FieldType::OptionalText))
    }

    /// The flag with this name.
    pub(super) fn flag(&mut self, name: &Name) -> Option<FieldId> {
        match self.place(name)? {
            Place::Field(field) if self.field_type(field) == Some(FieldType::Flag) => Some(field),
            _ => {
                let message = format!("`{}` is no flag", name.text);
                self.fault(Code::TypeMismatch, name.span, message)
                    .help("add the value: `set REGISTER to VALUE`");
                None
            }
        }
    }
}

/// How to emit what the standard calls a token and the vocabulary does not have.
fn emitted_otherwise(name: &str) -> Option<String> {
    let character = || {
        // `U+003C LESS-THAN SIGN character`
        let (code, _) = name.strip_suffix(" character")?.split_once(' ')?;
        code.starts_with("U+").then_some(code)
    };
    let value = match name.to_ascii_lowercase().replace('-', " ").as_str() {
        "eof" | "end of file" | "end of input" | "end of the input" => "EOF",
        "current input character" => "the current input character",
        _ => character()?,
    };
    Some(format!("did you mean `emit {value}`?"))
}

/// The type with this name, or the one that was probably meant, if one was.
pub(super) fn type_named<T: Clone>(
    ty: &Text,
    what: (Code, &str),
    types: &[(&'static str, T)],
    otherwise: impl FnOnce(&str) -> String,
    faults: &mut Faults,
) -> Option<T> {
    let named = |name: &str| types.iter().find(|(known, _)| *known == name);
    let typed = ty.text.as_str();
    if let Some((_, known)) = named(typed) {
        return Some(known.clone());
    }
    let in_another_language = match typed {
        "bool" | "boolean" => "flag",
        "string" => "text",
        "int" | "integer" | "counter" => "number",
        "char" => "character",
        // A first value.
        _ if typed.parse::<u64>().is_ok() => "number",
        _ => "",
    };
    let names = types.iter().map(|(name, _)| *name);
    let meant = named(in_another_language).or_else(|| named(closest(typed, names)?));
    let help = match meant {
        Some((meant, _)) => format!("did you mean `{meant}`?"),
        None => otherwise(typed),
    };
    let (code, what) = what;
    faults
        .add(code, ty.at, format!("`{typed}` is no type of {what}"))
        .help(help);
    meant.map(|(_, meant)| meant.clone())
}

/// What a register holds, for messages.
pub(super) fn register_holds(ty: &RegisterType) -> &'static str {
    match ty {
        RegisterType::Text => "a text",
        RegisterType::State => "a state",
        RegisterType::Number => "a number",
        RegisterType::Character => "a character",
        RegisterType::Finite(_) => "a word",
    }
}

/// A noun with its article.
pub(crate) fn article(what: &str) -> String {
    let article = match what.starts_with(['a', 'e', 'i', 'o', 'u']) {
        true => "an",
        false => "a",
    };
    format!("{article} {what}")
}
