//! The collector: passes add faults as they find them, and only at the end are places looked up.

use super::{Code, Diagnostic, Report, Severity};
use crate::read::Positions;
use crate::source::{At, Source, Span};
use std::collections::HashSet;

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

    /// Adds all faults of another collector.
    pub(crate) fn append(&mut self, other: Self) {
        for fault in other.list {
            let key = (fault.code, fault.span, fault.message.clone());
            if self.seen.insert(key) {
                self.list.push(fault);
            }
        }
    }

    /// Whether a fault refuses the table.
    pub(crate) fn any_error(&self) -> bool {
        self.list
            .iter()
            .any(|f| f.code.severity() == Severity::Error)
    }

    /// Looks up all positions.
    pub(crate) fn report(self, sources: Vec<Source>) -> Report {
        let mut wanted: Vec<At> = self.list.iter().map(|f| f.span.at).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let positions = Positions::find(&sources, &wanted);
        let lines: Vec<Lines<'_>> = sources.iter().map(Lines::new).collect();
        let mut placed: Vec<_> = self
            .list
            .into_iter()
            .filter_map(|fault| {
                let number = fault.span.at.source;
                let lines = lines.get(number as usize)?;
                let (offset, len) = positions.span(lines.source, fault.span);
                Some((
                    (number, offset, fault.code),
                    lines.diagnostic(offset, len, fault),
                ))
            })
            .collect();
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

    fn diagnostic(&self, offset: usize, len: usize, fault: Fault) -> Diagnostic {
        let text = &self.source.text;
        let offset = floor_char(text, offset);
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[..line].last().copied().unwrap_or(0);
        let end = self.starts.get(line).copied().unwrap_or(text.len());
        let snippet = text[start..end].trim_end_matches(['\r', '\n']);
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
