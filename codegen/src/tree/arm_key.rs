//! The key of an arm: `start tag "a", "b", if GUARD; any other end tag`.

use super::keys::{ANY_OTHER, ANYTHING_ELSE};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Kind, Token, normal, tokens};
use crate::written::Text;

/// One of the parts that semicolons separate.
#[derive(Clone, Debug)]
pub(super) struct KeyPart {
    /// The kind of token; `anything else`.
    pub(super) kind: String,
    /// Whether it is for `any other` token of the kind.
    pub(super) is_other: bool,
    /// The names of the tokens.
    pub(super) names: Vec<(String, Span)>,
    /// The set of characters behind `that is`.
    pub(super) set: Option<(String, Span)>,
    /// What must hold.
    pub(super) guard: Option<(String, Span)>,
    pub(super) span: Span,
}

impl KeyPart {
    /// Whether both are for the same tokens, names aside.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let same = |one: &Option<(String, Span)>, other: &Option<(String, Span)>| {
            one.as_ref().map(|it| &it.0) == other.as_ref().map(|it| &it.0)
        };
        self.kind == other.kind
            && self.is_other == other.is_other
            && same(&self.set, &other.set)
            && same(&self.guard, &other.guard)
    }

    /// As it is written.
    pub(super) fn shown(&self) -> String {
        let names: Vec<String> = self
            .names
            .iter()
            .map(|(name, _)| format!("\"{name}\""))
            .collect();
        let mut shown = if self.is_other { ANY_OTHER } else { "" }.to_owned();
        shown += &self.kind;
        if !names.is_empty() {
            shown += &format!(" {}", names.join(", "));
        }
        if let Some((set, _)) = &self.set {
            shown += &format!(" that is {set}");
        }
        if let Some((guard, _)) = &self.guard {
            shown += &format!(", if {guard}");
        }
        shown
    }
}

/// The parts as one key.
pub(super) fn shown(parts: &[KeyPart]) -> String {
    parts
        .iter()
        .map(KeyPart::shown)
        .collect::<Vec<_>>()
        .join("; ")
}

/// The parts of a key.
pub(super) fn parts(key: &Text, faults: &mut Faults) -> Vec<KeyPart> {
    let mut parts = Vec::new();
    let mut start = 0;
    for end in semicolons(&key.text) {
        let text = &key.text[start..end];
        let lead = text.len() - text.trim_start().len();
        let span = key.span().part(start + lead, text.trim().len());
        start = end + 1;
        if text.trim().is_empty() {
            let message = "a kind of token is missing beside a semicolon";
            faults
                .add(Code::UnknownKind, key.span(), message)
                .help("write `start tag; empty tag: ...`");
        } else {
            parts.push(part(text.trim(), span, faults));
        }
    }
    parts
}

/// Where parts end: semicolons that stand in no quotes, and the end.
fn semicolons(text: &str) -> Vec<usize> {
    let mut in_quotes = false;
    let mut ends = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '"' => in_quotes = !in_quotes,
            ';' if !in_quotes => ends.push(at),
            _ => {}
        }
    }
    ends.push(text.len());
    ends
}

fn part(text: &str, span: Span, faults: &mut Faults) -> KeyPart {
    let words = tokens(text, span, faults);
    let is = |at: usize, word: &str| words.get(at).is_some_and(|it: &Token<'_>| it.is(word));
    let guard = (1..words.len()).find(|&at| words[at - 1].kind == Kind::Comma && is(at, "if"));
    let head = &words[..guard.map_or(words.len(), |at| at - 1)];
    let set = (1..head.len()).find(|&at| head[at - 1].is("that") && head[at].is("is"));
    let rest = |from: usize, to: usize| {
        let first = words.get(from).filter(|_| from < to)?;
        let length = words[to - 1].end() - first.start;
        let part = &text[first.start..first.start + length];
        Some((normal(part), span.part(first.start, length)))
    };
    let mut kind = String::new();
    let mut names = Vec::new();
    for word in &head[..set.map_or(head.len(), |at| at - 1)] {
        match &word.kind {
            Kind::Quoted(name) => {
                names.push((name.clone(), span.part(word.start, word.text.len())))
            }
            Kind::Comma => {}
            _ => kind = normal(&format!("{kind} {}", word.text)),
        }
    }
    let other = kind.strip_prefix(ANY_OTHER).map(str::to_owned);
    let is_other = other.is_some();
    let kind = other.unwrap_or(kind);
    let bare = kind
        .strip_suffix(" token")
        .filter(|_| kind != ANYTHING_ELSE)
        .map(str::to_owned);
    KeyPart {
        kind: bare.unwrap_or(kind),
        is_other,
        names,
        set: set.and_then(|at| rest(at + 1, head.len())),
        guard: guard.and_then(|at| rest(at + 1, words.len())),
        span,
    }
}
