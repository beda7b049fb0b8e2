//! The arms of rules: every token has one, and every arm a token.

use super::Checker;
use crate::diagnostic::{Code, Span};
use crate::suggest::which_of;
use crate::tree::arm_key::KeyPart;
use crate::tree::keys::{ANYTHING_ELSE, END_OF_FILE as END, FOREIGN_CONTENT};
use crate::tree::machine::{
    Arm, ArmId, CHARACTER, END_OF_FILE, Guard, ModeId, Rules, Takes, Tokens,
};
use crate::tree::phrase::ArmWanted;
use crate::tree::written;

/// One part of a key as it is compared with others.
struct Taken<'m> {
    takes: &'m Takes,
    shown: String,
    span: Span,
}

impl<'t> Checker<'t, '_> {
    /// Reads the keys of all arms.
    pub(super) fn rules(&mut self) {
        let table = self.table;
        for written in table.rules() {
            self.phrases.declared.locals.clear();
            let mut spans = Vec::new();
            let mut rules = Rules {
                name: written.name.text.clone(),
                arms: Vec::new(),
            };
            for arm in &written.arms {
                let mut takes = Vec::new();
                for part in &arm.parts {
                    if let Some(it) = self.takes(part) {
                        takes.push(it);
                        spans.push((part.shown(), part.span));
                    }
                }
                rules.arms.push(Arm {
                    key: arm.key.text.clone(),
                    takes,
                    body: 0,
                });
            }
            if !self.phrases.declared.kinds.is_empty() && !written.arms.is_empty() {
                self.compare(written, &rules, spans);
            }
            self.machine.modes.push(rules);
        }
    }

    fn takes(&mut self, part: &KeyPart) -> Option<Takes> {
        let guard = match &part.guard {
            Some((text, span)) => Some(self.phrases.read::<Guard>(text, *span)?),
            None => None,
        };
        let condition = part
            .guard
            .as_ref()
            .map_or_else(String::new, |(text, _)| text.clone());
        if part.kind == ANYTHING_ELSE && !part.is_other {
            return Some(Takes {
                tokens: Tokens::AnythingElse,
                guard,
                condition,
            });
        }
        let names = self
            .phrases
            .declared
            .kinds
            .iter()
            .map(|kind| kind.name.as_str());
        let Some(kind) = names.clone().position(|name| name == part.kind) else {
            // Without a tokenizer no kind is known.
            if self.phrases.declared.kinds.is_empty() {
                return None;
            }
            let help = which_of(&part.kind, names.chain([ANYTHING_ELSE]));
            self.phrases
                .faults
                .unknown(Code::UnknownKind, part.span, "kind of token", &part.kind)
                .help(help);
            return None;
        };
        let tokens = match (&part.set, part.is_other) {
            (Some((_, span)), _) if kind != CHARACTER || part.is_other => {
                let message = "only `character token` can be of a class";
                self.phrases
                    .faults
                    .add(Code::MisplacedPhrase, *span, message)
                    .help("write `character token that is …`");
                return None;
            }
            (Some((set, span)), _) => Tokens::Characters(self.characters(set, *span)),
            (None, true) => Tokens::AnyOther(kind),
            (None, false) if part.names.is_empty() => Tokens::Kind(kind),
            (None, false) => Tokens::Named(
                kind,
                part.names.iter().map(|(name, _)| name.clone()).collect(),
            ),
        };
        Some(Takes {
            tokens,
            guard,
            condition,
        })
    }

    /// Compares all parts of the keys of an insertion mode.
    fn compare(&mut self, written: &written::Mode, rules: &Rules, spans: Vec<(String, Span)>) {
        let parts = rules.arms.iter().flat_map(|arm| &arm.takes).zip(spans);
        let parts: Vec<Taken<'_>> = parts
            .map(|(takes, (shown, span))| Taken { takes, shown, span })
            .collect();
        let refuse =
            |this: &mut Self, part: &Taken<'_>, code: Code, message: String, help: &str| {
                this.phrases.faults.add(code, part.span, message).help(help);
            };
        for (number, part) in parts.iter().enumerate() {
            let before = &parts[..number];
            let hides =
                |it: &&Taken<'_>| it.takes.guard.is_none() || it.takes.guard == part.takes.guard;
            let twice = before
                .iter()
                .filter(hides)
                .find_map(|it| both(&it.takes.tokens, &part.takes.tokens));
            if let Some(what) = twice {
                let what = if what.is_empty() {
                    part.shown.clone()
                } else {
                    what
                };
                let message = format!("there is an arm for `{what}` already");
                refuse(
                    self,
                    part,
                    Code::OverlappingArms,
                    message,
                    "join the two arms or remove one",
                );
            }
            let is_late = |it: &&Taken<'_>| match (&it.takes.tokens, &part.takes.tokens) {
                (Tokens::AnyOther(kind), Tokens::Named(of, _)) => kind == of,
                (Tokens::AnyOther(kind), Tokens::Characters(_)) => *kind == CHARACTER,
                _ => false,
            };
            if let Some(other) = before.iter().find(is_late) {
                let message = format!("`{}` stands before this arm", other.shown);
                refuse(
                    self,
                    part,
                    Code::OverlappingArms,
                    message,
                    "put `any other …` behind the arms that it leaves out",
                );
            }
        }
        self.complete(written, &parts);
    }

    fn complete(&mut self, mode: &written::Mode, parts: &[Taken<'_>]) {
        let kinds = self.phrases.declared.kinds.len();
        let is_whole = |kind: usize| {
            let whole = |it: &&Taken<'_>| {
                it.takes.guard.is_none()
                    && matches!(it.takes.tokens, Tokens::Kind(of) | Tokens::AnyOther(of) if of == kind)
            };
            parts.iter().any(|it| whole(&it))
        };
        // What comes to rules that are no insertion mode, the dispatcher says.
        let name = |kind: usize| &self.phrases.declared.kinds[kind].name;
        let may_lack = |kind: usize| match kind {
            CHARACTER => false,
            END_OF_FILE => mode.name.text == FOREIGN_CONTENT,
            _ => !self.created.contains(name(kind)),
        };
        let missing = (0..kinds).filter(|&kind| !is_whole(kind) && !may_lack(kind));
        let missing: Vec<usize> = missing.collect();
        let others: Vec<&str> = missing
            .iter()
            .map(|&kind| &*self.phrases.declared.kinds[kind].name)
            .collect();
        let anything_else = parts
            .iter()
            .find(|it| it.takes.tokens == Tokens::AnythingElse);
        match (anything_else, &others[..]) {
            (Some(part), []) => {
                let message = "every kind of token has an arm of its own";
                self.phrases
                    .faults
                    .add(Code::NeverMatches, part.span, message)
                    .help("remove it");
            }
            (None, [_, ..]) => {
                let what = match missing[..] {
                    [END_OF_FILE] => END,
                    _ => ANYTHING_ELSE,
                };
                let message = format!("`{}` has no arm for `{what}`", mode.name.text);
                let help = match what {
                    END => "say what ends the parsing: `end-of-file: stop parsing`".to_owned(),
                    _ => format!(
                        "these kinds have no arm for all their tokens: `{}`",
                        others.join("`, `")
                    ),
                };
                self.phrases
                    .faults
                    .add(Code::MissingArm, mode.name.at, message)
                    .help(help);
            }
            _ => {}
        }
        for kind in 0..kinds {
            let takes = |tokens: &Tokens| {
                parts
                    .iter()
                    .find(|it| it.takes.guard.is_none() && it.takes.tokens == *tokens)
            };
            if let (Some(_), Some(other)) =
                (takes(&Tokens::Kind(kind)), takes(&Tokens::AnyOther(kind)))
            {
                let message = "another arm takes all tokens of this kind";
                self.phrases
                    .faults
                    .add(Code::NeverMatches, other.span, message)
                    .help("remove one of them");
            }
        }
    }

    /// The arm of rules that is meant.
    pub(super) fn arm_of(&mut self, mode: ModeId, wanted: &ArmWanted, span: Span) -> Option<ArmId> {
        let rules = self.machine.modes.get(mode)?;
        let is = |takes: &Takes| match (&takes.tokens, &wanted.0) {
            (Tokens::Named(kind, names), Tokens::Named(of, these)) => {
                kind == of && these.iter().all(|it| names.contains(it))
            }
            (tokens, wanted) => tokens == wanted,
        };
        let found = rules.arms.iter().position(|arm| arm.takes.iter().any(is));
        if found.is_none() {
            let message = format!("`{}` has no such arm", rules.name);
            let mut keys: Vec<&str> = rules.arms.iter().map(|arm| &*arm.key).collect();
            keys.sort_by_key(|key| key.len());
            let help = crate::suggest::one_of(keys.into_iter().take(6));
            self.phrases
                .faults
                .add(Code::UnknownArm, span, message)
                .help(help);
        }
        found
    }
}

/// What both take, if the second takes nothing without the first or both name it; empty for all of the second.
fn both(one: &Tokens, other: &Tokens) -> Option<String> {
    match (one, other) {
        (Tokens::Named(kind, names), Tokens::Named(of, others)) if kind == of => {
            others.iter().find(|name| names.contains(name)).cloned()
        }
        (Tokens::Kind(kind), Tokens::Named(of, _)) => (kind == of).then(String::new),
        (Tokens::Kind(CHARACTER), Tokens::Characters(_)) => Some(String::new()),
        (Tokens::Characters(ranges), Tokens::Characters(others)) => {
            let meet = |&(first, last): &(char, char)| {
                others.iter().any(|&(from, to)| first <= to && from <= last)
            };
            ranges.iter().any(meet).then(String::new)
        }
        (one, other) => (one == other).then(String::new),
    }
}
