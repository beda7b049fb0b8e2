//! The arms of an insertion mode: every token has one, and every arm a token.

use super::Checker;
use crate::diagnostic::Code;
use crate::suggest::which_of;
use crate::tree::keys::{ANYTHING_ELSE, END_OF_FILE as END};
use crate::tree::machine::{END_OF_FILE, Mode};
use crate::tree::written;

impl<'t> Checker<'t, '_> {
    pub(super) fn mode(&mut self, written: &'t written::Mode) -> Mode {
        let called = self.table.called().to_owned();
        let arms = written.arms.iter().map(|arm| arm.key.text.as_str());
        let what = format!("an arm's key, or by `{called}`");
        self.errata(&written.errata, arms.chain([called.as_str()]), &what);
        let chosen = self.choose(written);
        let mut bodies = Vec::new();
        for (number, arm) in written.arms.iter().enumerate() {
            let kinds = chosen.iter().enumerate();
            let kinds = kinds.filter(|(_, chosen)| **chosen == Some(number));
            let kinds: Vec<usize> = kinds.map(|(kind, _)| kind).collect();
            let (body, ends) = match &arm.steps {
                Some(steps) => self.arm(steps, &kinds),
                None => (0, true),
            };
            bodies.push(body);
            if !ends && arm.kinds.iter().any(|kind| kind.text == END) {
                let message = "no token follows the end-of-file token, but parsing goes on";
                self.faults
                    .add(Code::MissingSuccessor, arm.key.at, message)
                    .label("this arm does not end the parsing")
                    .help("say `stop parsing` or `reprocess the token in MODE`, in every branch");
            }
        }
        let body = |arm: &Option<usize>| arm.and_then(|arm| bodies.get(arm)).copied();
        Mode {
            name: written.name.text.clone(),
            arms: chosen
                .iter()
                .map(|arm| body(arm).unwrap_or_default())
                .collect(),
        }
    }

    /// The number of the arm for each kind of token.
    fn choose(&mut self, mode: &written::Mode) -> Vec<Option<usize>> {
        let mut chosen: Vec<Option<usize>> = vec![None; self.kinds.len()];
        // Without a tokenizer no kind is known.
        if chosen.is_empty() {
            return chosen;
        }
        let mut anything_else = None;
        for (number, arm) in mode.arms.iter().enumerate() {
            for kind in &arm.kinds {
                let names = self.kinds.iter().map(|kind| kind.name.as_str());
                let slot = if kind.text == ANYTHING_ELSE {
                    &mut anything_else
                } else if let Some(kind) = names.clone().position(|name| name == kind.text) {
                    &mut chosen[kind]
                } else {
                    let help = which_of(&kind.text, names.chain([ANYTHING_ELSE]));
                    self.faults
                        .unknown(Code::UnknownKind, kind.span, "kind of token", &kind.text)
                        .help(help);
                    continue;
                };
                if slot.is_some() {
                    let message = format!("there is an arm for `{}` already", kind.text);
                    self.faults
                        .add(Code::OverlappingArms, kind.span, message)
                        .help("join the two arms or remove one");
                } else {
                    *slot = Some(number);
                }
            }
        }
        self.complete(mode, &chosen, anything_else);
        for slot in &mut chosen {
            *slot = slot.or(anything_else);
        }
        chosen
    }

    fn complete(
        &mut self,
        mode: &written::Mode,
        chosen: &[Option<usize>],
        anything_else: Option<usize>,
    ) {
        let called = self.table.called();
        let without = |kind: &usize| chosen.get(*kind).is_some_and(Option::is_none);
        let missing: Vec<usize> = (0..chosen.len()).filter(without).collect();
        if missing.contains(&END_OF_FILE) {
            let message = format!("the {called} has no arm for `{END}`");
            self.faults
                .add(Code::MissingArm, mode.name.at, message)
                .help("say what ends the parsing: `end-of-file: stop parsing`");
        }
        let others = missing.iter().filter(|&&kind| kind != END_OF_FILE);
        let others: Vec<&str> = others.map(|&kind| &*self.kinds[kind].name).collect();
        match (
            anything_else.and_then(|arm| mode.arms.get(arm)),
            &others[..],
        ) {
            (Some(arm), []) => {
                let message = "every kind of token has an arm of its own";
                self.faults
                    .add(Code::NeverMatches, arm.key.at, message)
                    .help("remove it");
            }
            (None, [_, ..]) => {
                let message = format!("the {called} has no arm for `{ANYTHING_ELSE}`");
                self.faults
                    .add(Code::MissingArm, mode.name.at, message)
                    .help(format!(
                        "these kinds have no arm: `{}`",
                        others.join("`, `")
                    ));
            }
            _ => {}
        }
    }
}
