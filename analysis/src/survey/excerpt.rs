//! The part of a document in which two tokenizers fall out of step: from a tag before the first difference
//! that leaves both as a fresh start would. Documents are long, and their causes are near.

use speclex_codegen::machine::{Feedback, Machine};

use super::first_difference::FirstDifference;
use crate::diff::{Cause, Causes, Setup};
use crate::engine::Request;
use crate::token::{Output, Token, Value};

/// A place to start, and what to start with.
struct Start {
    offset: usize,
    setup: Setup,
}

/// The second try starts at least so many bytes earlier.
const FURTHER: u64 = 1 << 12;

/// A difference may show so many characters after the end of what differs.
const LATER: usize = 1 << 12;

/// The cause of a difference, with the byte offset of the first character that its arms may have read.
pub(super) fn cause(
    causes: &Causes<'_>,
    machines: [&Machine; 2],
    request: &Request<'_>,
    outputs: &[Output; 2],
    first: &FirstDifference,
) -> Option<(Cause, u64)> {
    let [one, other] = machines.map(|machine| &machine.preprocessing);
    let text = request.input;
    let after_mark = text.strip_prefix('\u{FEFF}').filter(|_| request.skip_bom);
    // The two then read different characters.
    let marked = after_mark.unwrap_or(text).starts_with('\u{FEFF}');
    let mark = one.drop_bom != other.drop_bom && marked;
    if mark || one.normalize_newlines != other.normalize_newlines && text.contains('\r') {
        return None;
    }
    let beginning = Start {
        offset: 0,
        setup: Setup::default(),
    };
    let starts = [
        after_tag(machines, request.feedback, outputs, first, first.span.start),
        after_tag(
            machines,
            request.feedback,
            outputs,
            first,
            first.span.start.saturating_sub(FURTHER),
        ),
        Some(beginning),
    ];
    starts.into_iter().flatten().find_map(|start| {
        let marks = usize::from(one.drop_bom) + usize::from(request.skip_bom);
        let stream = Stream::new(text, start.offset, marks, one.normalize_newlines);
        let characters = stream.clone().map(|(_, c)| c);
        let cause = causes.find(&start.setup, characters, first.kind)?;
        let offset = |place: usize| {
            let found = stream.clone().nth(place);
            found.map_or(text.len(), |(offset, _)| offset) as u64
        };
        // A start that is not like the real run shows something else.
        let shown = offset(cause.shown);
        let latest = first.span.end + LATER as u64;
        (first.span.start <= shown && shown <= latest).then(|| {
            let place = offset(cause.place);
            (cause, place)
        })
    })
}

/// The end of the last tag before a place, of those that both sides have.
fn after_tag(
    machines: [&Machine; 2],
    feedback: Feedback,
    outputs: &[Output; 2],
    first: &FirstDifference,
    before: u64,
) -> Option<Start> {
    let [one, other] = outputs.each_ref().map(|output| &output.tokens);
    let same = |&index: &usize| match (one.get(index), other.get(index)) {
        (Some(a), Some(b)) => a.span == b.span && a.span.end <= before && is_tag(&a.token),
        _ => false,
    };
    let index = (0..first.tokens).rev().find(same)?;
    let tag = one.get(index)?;
    let last = one
        .get(..=index)?
        .iter()
        .rev()
        .find_map(|emitted| start_tag(&emitted.token));
    let name = start_tag(&tag.token).unwrap_or_default();
    let [content, others] = machines.map(|machine| machine.content_after(name, feedback));
    if content != others {
        return None;
    }
    Some(Start {
        offset: usize::try_from(tag.span.end).ok()?,
        setup: Setup {
            content: content.map(str::to_owned),
            last_start_tag: last.map(str::to_owned),
            answer: false,
        },
    })
}

fn is_tag(token: &Token) -> bool {
    matches!(token, Token::Declared { kind, .. } if kind == "start tag" || kind == "end tag")
}

/// The name of a start tag.
fn start_tag(token: &Token) -> Option<&str> {
    match token {
        Token::Declared { kind, fields } if kind == "start tag" => {
            fields.first().and_then(Value::text)
        }
        _ => None,
    }
}

/// The characters of a document from a place on, preprocessed, with their byte offsets.
#[derive(Clone, Debug)]
struct Stream<'t> {
    rest: std::iter::Peekable<std::str::CharIndices<'t>>,
    start: usize,
    normalize: bool,
}

impl<'t> Stream<'t> {
    fn new(text: &'t str, start: usize, marks: usize, normalize: bool) -> Self {
        let rest = text.get(start..).unwrap_or_default();
        let mut rest = rest.char_indices().peekable();
        for _ in (0..marks).filter(|_| start == 0) {
            rest.next_if(|(_, c)| *c == '\u{FEFF}');
        }
        Self {
            rest,
            start,
            normalize,
        }
    }
}

impl Iterator for Stream<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<Self::Item> {
        let (offset, mut c) = self.rest.next()?;
        if c == '\r' && self.normalize {
            self.rest.next_if(|(_, c)| *c == '\n');
            c = '\n';
        }
        Some((self.start + offset, c))
    }
}
