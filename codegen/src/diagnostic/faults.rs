//! The collector: passes add faults as they find them, and only at the end are places looked up.

use super::{Code, Diagnostic, Report, Severity};
use crate::read::{Node, Positions, Yaml, column_as_typed};
use crate::source::{At, Source, Span};
use std::collections::{BTreeMap, HashSet};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Fault {
    code: Code,
    span: Span,
    message: String,
    label: String,
    help: String,
}

/// All faults found so far.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    list: Vec<Fault>,
    seen: HashSet<(Code, Span, String)>,
    /// By source: what was read where the text could not be.
    repaired: BTreeMap<u32, String>,
    /// What is written where nothing could be read: it may declare these names.
    not_read: HashSet<String>,
    /// Codes of names that could all be declared there.
    not_declared: HashSet<Code>,
}

/// The latest fault, to say more about it.
pub(crate) struct Hint<'a>(Option<&'a mut Fault>);

impl Hint<'_> {
    /// What stands beside the caret.
    pub(crate) fn label(self, label: impl Into<String>) -> Self {
        if let Self(Some(fault)) = self {
            fault.label = label.into();
            return Self(Some(fault));
        }
        self
    }

    /// What to do about it.
    pub(crate) fn help(self, help: impl Into<String>) -> Self {
        if let Self(Some(fault)) = self {
            fault.help = help.into();
            return Self(Some(fault));
        }
        self
    }
}

impl Faults {
    /// Adds a fault; the same fault of the same place counts once, since a part that is used in
    /// several places is looked at several times.
    pub(crate) fn add(
        &mut self,
        code: Code,
        span: impl Into<Span>,
        message: impl Into<String>,
    ) -> Hint<'_> {
        let (span, message) = (span.into(), message.into());
        if !self.seen.insert((code, span, message.clone())) {
            return Hint(None);
        }
        self.list.push(Fault {
            code,
            span,
            message,
            label: String::new(),
            help: String::new(),
        });
        Hint(self.list.last_mut())
    }

    /// The fault of this place, if there is one.
    pub(crate) fn at(&mut self, span: impl Into<Span>) -> Option<Hint<'_>> {
        let span = span.into();
        let fault = self.list.iter_mut().find(|fault| fault.span == span)?;
        Some(Hint(Some(fault)))
    }

    /// Says that there is no such thing of this name.
    pub(crate) fn unknown(
        &mut self,
        code: Code,
        span: impl Into<Span>,
        what: &str,
        name: &str,
    ) -> Hint<'_> {
        self.add(code, span, format!("there is no {what} `{name}`"))
    }

    /// Adds all faults of another collector.
    pub(crate) fn append(&mut self, other: Self) {
        for fault in other.list {
            let key = (fault.code, fault.span, fault.message.clone());
            if self.seen.insert(key) {
                self.list.push(fault);
            }
        }
    }

    /// Without the faults that follow from an open quote or a wrong escape, if there is one.
    pub(crate) fn only_of_quotes(mut self) -> Self {
        let is_cause = |fault: &Fault| fault.code == Code::BadLiteral;
        if self.list.iter().any(is_cause) {
            self.list.retain(is_cause);
        }
        self
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether a fault refuses the table.
    pub(crate) fn any_error(&self) -> bool {
        self.list
            .iter()
            .any(|f| f.code.severity() == Severity::Error)
    }

    /// Whether one has this code.
    pub(crate) fn any_of(&self, code: Code) -> bool {
        self.list.iter().any(|fault| fault.code == code)
    }

    /// The scalars of a source are those of a repaired text.
    pub(crate) fn repaired(&mut self, source: u32, repaired: String) {
        self.repaired.insert(source, repaired);
    }

    /// What a node says is not read: the names in it are not called unknown.
    pub(crate) fn not_read(&mut self, node: &Node) {
        match &node.value {
            Yaml::Text(text) => self.may_be_declared(text),
            Yaml::List(items) => items.iter().for_each(|item| self.not_read(item)),
            Yaml::Map(entries) => entries.iter().for_each(|(key, value)| {
                self.not_read(key);
                self.not_read(value);
            }),
            _ => {}
        }
    }

    /// Something of this name is there, but it is not known what.
    pub(crate) fn may_be_declared(&mut self, name: &str) {
        self.not_read.insert(name.to_owned());
    }

    /// Names with this code could be declared by what is not read.
    pub(crate) fn not_declared(&mut self, code: Code) {
        self.not_declared.insert(code);
    }

    /// Takes away the faults with these codes in all sources but one; whether there were any.
    pub(crate) fn forget(&mut self, codes: &[Code], but: u32) -> bool {
        let before = self.list.len();
        let is_kept = |fault: &Fault| fault.span.at.source == but || !codes.contains(&fault.code);
        self.list.retain(is_kept);
        self.list.len() < before
    }

    /// Looks up all positions.
    pub(crate) fn report(self, sources: Vec<Source>) -> Report {
        let mut wanted: Vec<At> = self.list.iter().map(|f| f.span.at).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let typed: Vec<Lines<'_>> = sources.iter().map(Lines::new).collect();
        let mut readable = sources.clone();
        for (&number, repaired) in &self.repaired {
            if let Some(source) = readable.get_mut(number as usize) {
                source.text.clone_from(repaired);
            }
        }
        let positions = Positions::find(&readable, &wanted);
        let read: Vec<Lines<'_>> = readable.iter().map(Lines::new).collect();
        let refused = self.any_error();
        let (mut placed, mut hidden) = (Vec::new(), Vec::new());
        for fault in self.list {
            // A misspelt use would be reported twice.
            if refused && fault.code.is_of_unused() {
                continue;
            }
            let number = fault.span.at.source;
            let index = number as usize;
            let (Some(typed), Some(read)) = (typed.get(index), read.get(index)) else {
                continue;
            };
            let (mut offset, mut len) = positions.span(read.source, fault.span);
            if self.repaired.contains_key(&number) && fault.span.at != At::nowhere(number) {
                let end = typed.as_typed(read, offset + len);
                offset = typed.as_typed(read, offset);
                len = end.saturating_sub(offset);
            }
            let is_hidden =
                self.not_declared.contains(&fault.code) || names_one_of(&fault, &self.not_read);
            let place = (number, offset, fault.code);
            let list = if is_hidden { &mut hidden } else { &mut placed };
            list.push((place, typed.diagnostic(offset, len, fault)));
        }
        // No table is refused without a reason.
        if refused && placed.iter().all(|(_, d)| d.severity == Severity::Warning) {
            placed.append(&mut hidden);
        }
        placed.sort_by_key(|(place, _)| *place);
        Report {
            diagnostics: placed
                .into_iter()
                .map(|(_, diagnostic)| diagnostic)
                .collect(),
            sources,
        }
    }
}

/// Whether a fault says that there is no name, and it is one of these.
fn names_one_of(fault: &Fault, names: &HashSet<String>) -> bool {
    let is_of_a_name = matches!(
        fault.code,
        Code::UnknownClass
            | Code::UnknownPhrase
            | Code::UnknownGuard
            | Code::UnknownState
            | Code::UnknownRegister
            | Code::UnknownField
            | Code::UnknownToken
            | Code::UnknownKind
            | Code::UnknownErrorCode
            | Code::UnknownContent
            | Code::UnknownProcedure
    );
    is_of_a_name && names.contains(name(fault))
}

/// The name that a fault is about.
fn name(fault: &Fault) -> &str {
    fault.message.split('`').nth(1).unwrap_or_default()
}

/// A text and where its lines start.
struct Lines<'s> {
    source: &'s Source,
    starts: Vec<usize>,
}

impl<'s> Lines<'s> {
    fn new(source: &'s Source) -> Self {
        let breaks = source.text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            source,
            starts: [0].into_iter().chain(breaks).collect(),
        }
    }

    /// The line of an offset, from 0.
    fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// Where it starts, and its text.
    fn text(&self, line: usize) -> (usize, &'s str) {
        let text = &self.source.text;
        let start = self.starts.get(line).copied().unwrap_or(text.len());
        let end = self.starts.get(line + 1).copied().unwrap_or(text.len());
        (start, text[start..end].trim_end_matches(['\r', '\n']))
    }

    /// The place in this text of an offset in a repaired one.
    fn as_typed(&self, repaired: &Lines<'_>, offset: usize) -> usize {
        let line = repaired.line(offset);
        let (from, read) = repaired.text(line);
        let (start, typed) = self.text(line);
        if read == typed {
            return start + (offset - from);
        }
        start + column_as_typed(typed, read, offset - from)
    }

    fn diagnostic(&self, offset: usize, len: usize, fault: Fault) -> Diagnostic {
        let text = &self.source.text;
        let offset = floor_char(text, offset);
        let line = self.line(offset) + 1;
        let (start, snippet) = self.text(line - 1);
        let last = floor_char(text, (offset + len).min(start + snippet.len()));
        let covered = text
            .get(offset..last)
            .map_or(0, |part| part.chars().count());
        Diagnostic {
            severity: fault.code.severity(),
            code: fault.code,
            message: fault.message,
            file: self.source.name.clone(),
            line,
            col: 1 + text[start..offset].chars().count(),
            len: covered.max(1),
            label: fault.label,
            help: fault.help,
            snippet: snippet.to_owned(),
        }
    }
}

/// The nearest character boundary at or before `offset`.
fn floor_char(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}
