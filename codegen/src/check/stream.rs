//! What surrounds the states: the input stream, entries, emission.

use super::Checker;
use super::model::{Entry, Goal, OnEmit, StepKind};
use crate::charset::{CharSet, display_char};
use crate::diagnostic::{Code, Span};
use crate::lexer::number;
use crate::lookups::References;
use crate::machine::{Action, Preprocessing};
use crate::phrase::Name;
use crate::read::quoting::item;
use crate::set_notation;
use crate::suggest::{one_of, which_of};
use crate::written::{self, EntryState, Text};

impl Checker<'_, '_> {
    pub(super) fn preprocessing(&mut self) -> Preprocessing {
        let table = self.table;
        let Some(written) = &table.preprocessing else {
            return Preprocessing::default();
        };
        let drop_bom = self.choice(written.byte_order_mark.as_ref(), ["drop", "keep"]);
        let normalize_newlines = self.choice(written.newlines.as_ref(), ["normalize", "keep"]);
        let mut replace: Vec<(char, char)> = Vec::new();
        let gone = self.gone();
        for (from, to) in &written.replace {
            let pair = self.one_character(from).zip(self.one_character(to));
            let Some((c, seen_as)) = pair else { continue };
            if replace.iter().any(|(other, _)| *other == c) {
                let message = format!("{} is replaced above already", display_char(c));
                self.fault(Code::OverlappingArms, from.span(), message);
            }
            // Which of two replacements comes first would matter then.
            if gone.contains(seen_as) {
                let message = format!("no state sees {}", display_char(seen_as));
                self.fault(Code::NeverMatches, to.span(), message).help(
                    "preprocessing replaces it too: name the character that states see in the end",
                );
            }
            replace.push((c, seen_as));
        }
        let mut taken = CharSet::new();
        let mut errors = Vec::new();
        for (set, code) in &written.errors {
            let here = set.span();
            let characters =
                set_notation::characters_only(&set.text, here, &mut self.classes, self.faults);
            let code = if code.text == "parse error" {
                Some(self.parse_error())
            } else {
                self.error(&name(code))
            };
            if normalize_newlines && characters.contains('\n') {
                let message = "newlines are normalized: U+000A is no error of the input stream";
                self.fault(Code::BadSet, here, message)
                    .help("say `except U+000A`, and report the error in the states that see it");
            }
            let overlap = characters.intersection(&taken);
            if !overlap.is_empty() {
                self.fault(
                    Code::OverlappingArms,
                    here,
                    format!("{overlap} is in a set above already"),
                );
            }
            taken = taken.union(&characters);
            errors.extend(code.map(|code| (characters, code)));
        }
        Preprocessing {
            drop_bom,
            normalize_newlines,
            replace,
            errors,
        }
    }

    /// Whether the first of two words is chosen; the second when nothing is said.
    fn choice(&mut self, text: Option<&Text>, words: [&'static str; 2]) -> bool {
        let Some(text) = text else { return false };
        if !words.contains(&text.text.as_str()) {
            let message = format!("`{}` is not known here", text.text);
            self.fault(Code::UnknownWord, text.at, message)
                .help(one_of(words));
        }
        text.text == words[0]
    }

    fn one_character(&mut self, text: &Text) -> Option<char> {
        let here = text.span();
        let set = set_notation::characters_only(&text.text, here, &mut self.classes, self.faults);
        if set.len() > 1 {
            self.fault(Code::BadSet, here, "expected one character")
                .help("write it as `U+FFFD`");
            return None;
        }
        set.first()
    }

    pub(super) fn replacements(&mut self) -> Vec<(u32, u32)> {
        let mut replacements = Vec::new();
        for (key, to) in self.table.replacements.iter().flatten() {
            let Some(from) = number(&key.text) else {
                let message = format!("`{}` is no number", key.text);
                self.fault(Code::BadNumber, key.at, message)
                    .help("write it as `0x80`");
                continue;
            };
            let from = self.in_range(from, key.span());
            let to = self.one_character(to);
            replacements.extend(from.zip(to).map(|(from, to)| (from, u32::from(to))));
        }
        replacements.sort_unstable();
        replacements
    }

    pub(super) fn references(&mut self, references: &References<'_>) -> Vec<(String, String)> {
        let Some(file) = &self.table.references else {
            return Vec::new();
        };
        let Some(mut list) = references(&file.text) else {
            let message = format!("there is no file `{}` to read", file.text);
            self.fault(Code::UnknownFile, file.at, message)
                .help("it stands beside the table and maps names to lists of code points");
            return Vec::new();
        };
        list.sort();
        list.dedup_by(|a, b| a.0 == b.0);
        list
    }

    pub(super) fn entries(&mut self) -> Vec<Entry> {
        let table = self.table;
        let mut entries = Vec::new();
        for entry in &table.entries {
            if self.is_turned_round(entry) {
                continue;
            }
            let content = self.content(&entry.name);
            let Some(value) = &entry.value else { continue };
            let state = match value {
                EntryState::State(state) => self.state(&name(state)).map(|s| (s, Vec::new())),
                EntryState::Steps(steps) => self.entry_steps(entry.name.span(), steps),
            };
            if let Some((content, (state, sets))) = content.zip(state) {
                entries.push(Entry {
                    content,
                    state,
                    sets,
                });
            }
        }
        let key = table.keys.iter().rfind(|key| key.text == "entry states");
        // If it has faults, they say more.
        if let (Some(key), true) = (key, table.entries.is_empty() && !self.faults.any_error()) {
            written::no_entry_state(key.at, self.faults);
        }
        if let Some(initial) = &table.initial {
            let content = match self.is_initial_state() {
                true => None,
                false => self.content(initial),
            };
            let found = entries.iter().position(|e| Some(e.content) == content);
            match found {
                Some(found) => entries[..=found].rotate_right(1),
                None if content.is_some() => {
                    let message = format!("the content `{}` has no entry state", initial.text);
                    self.fault(Code::UnknownContent, initial.at, message)
                        .help("write the content of one of the `entry states`");
                }
                None => {}
            }
        }
        entries
    }

    /// Whether an entry names the state first, which is refused.
    fn is_turned_round(&mut self, entry: &written::Entry<EntryState>) -> bool {
        let contents = &self.vocabulary.contents;
        let (Some(EntryState::State(content)), state) = (&entry.value, &entry.name) else {
            return false;
        };
        let is_turned_round = !contents.contains(&state.text)
            && contents.contains(&content.text)
            && self.state_named(&state.text).is_some();
        if is_turned_round {
            let message = format!(
                "`{}` is a state, and the content stands before it",
                state.text
            );
            self.fault(Code::UnknownContent, state.at, message)
                .help(format!("write `{}: {}`", content.text, item(&state.text)));
        }
        is_turned_round
    }

    /// Whether `initial state` names a state, and not the content that starts in it.
    pub(super) fn is_initial_state(&self) -> bool {
        let initial = self.table.initial.as_ref();
        initial.is_some_and(|initial| {
            // A state may be called as a content is.
            let is_content =
                !self.table.entries.is_empty() && self.vocabulary.contents.contains(&initial.text);
            !is_content && self.state_named(&initial.text).is_some()
        })
    }

    pub(super) fn content(&mut self, text: &Text) -> Option<u32> {
        let contents = &self.vocabulary.contents;
        if let Some(found) = contents.iter().position(|c| *c == text.text) {
            return u32::try_from(found).ok();
        }
        let help = which_of(&text.text, contents.iter().map(String::as_str));
        let message = format!("the vocabulary has no content `{}`", text.text);
        self.fault(Code::UnknownContent, text.at, message)
            .help(help);
        None
    }

    /// `[set REGISTER to WORD, switch to STATE]`.
    fn entry_steps(
        &mut self,
        span: Span,
        steps: &[Text],
    ) -> Option<(super::Named, Vec<(crate::machine::RegisterId, u32)>)> {
        let list = written::Steps {
            list: steps.iter().cloned().map(written::Step::Phrase).collect(),
            is_list: true,
        };
        let mut target = None;
        let mut faulty = false;
        let mut sets = Vec::new();
        for step in self.steps(&list) {
            match step.kind {
                StepKind::Go(Goal::State(state), false) if target.is_none() => {
                    target = Some(state);
                }
                StepKind::Do(Action::SetFinite(register, word)) => sets.push((register, word)),
                StepKind::Unknown => faulty = true,
                _ => {
                    let message = "an entry sets registers to words and switches to a state";
                    self.fault(Code::MisplacedPhrase, step.span, message).help(
                        "for example: `[set the content model flag to RCDATA, switch to data]`",
                    );
                }
            }
        }
        if target.is_none() && !faulty {
            let message = "the entry does not name a state";
            self.fault(Code::MissingSuccessor, span, message)
                .help("end it with `switch to STATE`");
        }
        Some((target?, sets))
    }

    pub(super) fn on_emit(&mut self) -> Vec<OnEmit> {
        let table = self.table;
        let mut list = Vec::new();
        for entry in &table.on_emitting {
            let kind = self.kind(&name(&entry.name), None);
            let steps = entry.value.as_ref().map(|steps| self.steps(steps));
            if let Some(((token, kind), steps)) = kind.zip(steps) {
                list.push(OnEmit { token, kind, steps });
            }
        }
        list
    }
}

/// A scalar as a name.
pub(super) fn name(text: &Text) -> Name {
    Name::new(text.text.as_str(), text.span())
}
