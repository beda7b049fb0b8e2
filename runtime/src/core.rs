//! What every machine has: pending text, positions, the last start tag's name, and the events' sink.

mod start_tag;

use crate::buffer::starts_with;
use crate::feed_error::Exceeded;
use crate::feedback::Feedback;
use crate::input::{Ahead, Input};
use crate::lookahead::{Lookaheads, Pattern};
use crate::name_ahead::NameAhead;
use crate::short_name::ShortName;
use crate::span::{ErrorCode, ParseError, Span};

/// The events that do not depend on a vocabulary. Implemented once per vocabulary by generated code.
pub trait Events {
    /// Whether parse errors are reported.
    const ERRORS: bool;
    /// Whether errors of the input stream itself are reported.
    const INPUT_ERRORS: bool;
    /// Whether an error comes behind all text before it.
    const ERRORS_IN_ORDER: bool;
    /// Whether the sink gets comments.
    const COMMENTS: bool = true;
    /// Character tokens.
    fn characters(&mut self, data: &str, span: Span);
    /// A parse error.
    fn error(&mut self, error: ParseError);
    /// The end-of-file token.
    fn end_of_file(&mut self, at: u64);
    /// The token under construction exceeds a limit.
    fn exceeded(&mut self, exceeded: Exceeded) {
        let _ = exceeded;
    }
}

/// Finds the first error of the input stream in a text at or after a place: where its character is, and its code.
pub(crate) type InputError = fn(&str, usize) -> Option<(usize, ErrorCode)>;

/// How many bytes before the input at hand are remembered for look-behind.
const TAIL: usize = 16;

/// The part of a machine that does not depend on its table.
#[derive(Debug)]
pub struct Core<E> {
    /// The sink.
    pub events: E,
    /// Offset in the stream of the first byte of the input at hand.
    base: u64,
    /// Pending text: a range of the input at hand. When it is empty: where the last emission ended, which
    /// wraps around when that was in front of the input at hand.
    text: (usize, usize),
    /// Whether the pending text starts with the LF of a CR LF pair.
    text_after_cr: bool,
    /// Where the input that the pending text comes from ends, if that is after the text.
    text_to: usize,
    /// Offset of the character with which the token at hand started.
    token_start: u64,
    /// The name of the last start tag, unless `last_start_tag_at` has one that is newer.
    last_start_tag: Option<ShortName>,
    /// Where the last start tag's name is in the input at hand; nowhere when empty.
    last_start_tag_at: (usize, usize),
    name_ahead: NameAhead,
    lookaheads: Lookaheads,
    /// Finds errors of the input stream.
    input_error: InputError,
    /// Offset in the stream up to which they have been reported.
    reported: u64,
    tail: [u8; TAIL],
    /// Whether nothing comes after the input at hand.
    last: bool,
    paused: bool,
    refused: bool,
    feedback: Feedback,
}

impl<E: Events> Core<E> {
    /// A core at the start of a stream.
    pub fn new(events: E) -> Self {
        Self {
            events,
            base: 0,
            text: (0, 0),
            text_after_cr: false,
            text_to: 0,
            token_start: 0,
            last_start_tag: None,
            last_start_tag_at: (0, 0),
            name_ahead: NameAhead::default(),
            lookaheads: Lookaheads::default(),
            input_error: |_, _| None,
            reported: 0,
            tail: [0; TAIL],
            last: false,
            paused: false,
            refused: false,
            feedback: Feedback::default(),
        }
    }

    /// The core with other events, and the events that it had.
    pub fn exchange<T>(self, events: T) -> (Core<T>, E) {
        let Self {
            events: before,
            base,
            text,
            text_after_cr,
            text_to,
            token_start,
            last_start_tag,
            last_start_tag_at,
            name_ahead,
            lookaheads,
            input_error,
            reported,
            tail,
            last,
            paused,
            refused,
            feedback,
        } = self;
        let core = Core {
            events,
            base,
            text,
            text_after_cr,
            text_to,
            token_start,
            last_start_tag,
            last_start_tag_at,
            name_ahead,
            lookaheads,
            input_error,
            reported,
            tail,
            last,
            paused,
            refused,
            feedback,
        };
        (core, before)
    }

    /// Back to the start of a stream.
    pub fn reset(&mut self) {
        self.base = 0;
        self.text = (0, 0);
        self.text_after_cr = false;
        self.text_to = 0;
        self.token_start = 0;
        self.last_start_tag = None;
        self.last_start_tag_at = (0, 0);
        self.name_ahead = NameAhead::default();
        self.lookaheads = Lookaheads::default();
        self.reported = 0;
        self.tail = [0; TAIL];
        self.last = false;
        self.paused = false;
        self.refused = false;
    }

    /// Goes on at an offset in a stream, after a [`reset`](Self::reset).
    pub(crate) fn restore(
        &mut self,
        offset: u64,
        last_start_tag: Option<ShortName>,
        consumed: &str,
    ) {
        self.base = offset;
        self.reported = offset;
        self.last_start_tag = last_start_tag;
        let at = TAIL.saturating_sub(consumed.len());
        self.tail[at..].copy_from_slice(&consumed.as_bytes()[..TAIL - at]);
    }

    /// The offset of the input at hand, if all before it is done with: it belongs to tokens and errors that have been handed
    /// over, and to nothing else. `is_content`: tokens start where the state is left.
    pub(crate) fn between_tokens(&self, is_content: bool) -> Option<u64> {
        // A machine may have put back what it has made into tokens, or has reported errors of.
        let is_reported = E::INPUT_ERRORS && self.reported > self.base;
        let start = if is_content {
            self.offset(self.text.1).max(self.base)
        } else {
            self.span(0).start
        };
        let is_between = start == self.base && !is_reported && !self.lookaheads.is_waiting();
        is_between.then_some(self.base)
    }

    /// How much was consumed last of one of these texts: the most.
    pub(crate) fn consumed_of(&self, texts: &[&'static str]) -> &'static str {
        let starts = texts.iter().flat_map(|text| {
            let lengths = (1..=text.len()).rev();
            lengths.filter_map(|length| text.get(..length))
        });
        let consumed = starts.filter(|start| self.tail.ends_with(start.as_bytes()));
        consumed.max_by_key(|start| start.len()).unwrap_or_default()
    }

    /// The name of the last start tag, when the input at hand is gone.
    pub(crate) fn kept_start_tag(&self) -> Option<ShortName> {
        self.last_start_tag.clone()
    }

    /// Sets how errors of the input stream are found.
    pub(crate) fn set_input_error(&mut self, input_error: InputError) {
        self.input_error = input_error;
    }

    /// Sets what follows a start tag to which the sink answers that the tokenizer continues.
    pub(crate) fn set_feedback(&mut self, feedback: Feedback) {
        self.feedback = feedback;
    }

    /// Whether the table says what follows a start tag.
    pub fn has_feedback(&self) -> bool {
        self.feedback != Feedback::Off
    }

    /// Whether it says so for a page with scripting.
    pub fn scripting(&self) -> bool {
        self.feedback == Feedback::Scripting
    }

    /// Emits the input's characters from `from` to `to`: they join the pending text.
    #[inline(always)]
    pub fn emit_run(&mut self, input: Input<'_>, from: usize, to: usize) {
        if self.text.1 == from {
            self.text.1 = to;
        } else {
            self.emit_new_run(input, from, to);
        }
    }

    #[inline(never)]
    fn emit_new_run(&mut self, input: Input<'_>, from: usize, to: usize) {
        self.flush(input);
        if self.offset(self.text.1) <= self.offset(from) {
            self.text = (from, to);
        } else if from != to {
            // A token has been emitted that ends behind it.
            self.emit_other_str(input, input.slice(from, to), to);
        }
    }

    /// As [`emit_run`](Self::emit_run), in a state that is no entry state: characters of the same token may have been
    /// dropped before.
    #[inline(always)]
    pub fn emit_run_of_token(&mut self, input: Input<'_>, from: usize, to: usize) {
        if self.text.1 == from {
            self.text.1 = to;
        } else if from != to {
            self.emit_other_run(input, from, to);
        }
    }

    // A call of its own: taking the slice in each place is 1 KB.
    #[inline(never)]
    fn emit_other_run(&mut self, input: Input<'_>, from: usize, to: usize) {
        self.emit_other_str(input, input.slice(from, to), to);
    }

    /// Emits a string; `at` is the position up to which the input has become tokens then.
    #[inline(never)]
    pub fn emit_str(&mut self, input: Input<'_>, string: &str, at: usize) {
        let (start, end) = self.text;
        // What stands in the input right after the pending text is more of the same run. It is the
        // same string wherever it stands, so nothing needs to be known about who consumed it.
        let in_place = start != end || self.offset(end) == self.span(at).start;
        let here = input.bytes().get(end..);
        // An empty string is no more of it: the text before it ends where it did. Nor is what has not become a token.
        let in_place = in_place && !string.is_empty();
        // Where errors have their places among the text, each character has one: text with a reference is a piece of its own.
        let fits = |to: usize| {
            if E::ERRORS_IN_ORDER {
                to == at
            } else {
                to <= at
            }
        };
        let is_here = |here| starts_with(here, string) && fits(end + string.len());
        if in_place && here.is_some_and(is_here) {
            self.text.1 = end + string.len();
            self.text_to = at;
            return;
        }
        self.emit_other_str(input, string, at);
    }

    /// Emits a string that does not join the pending text.
    #[inline(never)]
    fn emit_other_str(&mut self, input: Input<'_>, string: &str, at: usize) {
        self.flush(input);
        let span = self.span(at);
        self.emitted(at);
        if !string.is_empty() {
            self.events.characters(string, span);
        }
    }

    /// Emits a character, as [`emit_str`](Self::emit_str) does a string.
    pub fn emit_char(&mut self, input: Input<'_>, c: char, at: usize) {
        self.emit_str(input, c.encode_utf8(&mut [0; 4]), at);
    }

    /// Emits a newline for the CR at `at`, and says where to go on. Of a CR LF pair only the CR is
    /// dropped: the LF is then a character of the input like any other.
    #[inline]
    pub fn emit_newline(&mut self, input: Input<'_>, at: usize) -> usize {
        self.flush(input);
        if input.byte(at + 1) == Some(b'\n') {
            self.text = (at + 1, at + 2);
            self.text_after_cr = true;
            at + 2
        } else {
            self.start_token(at);
            self.emit_str(input, "\n", at + 1);
            at + 1
        }
    }

    /// As [`emit_newline`](Self::emit_newline), in a state that is no entry state: characters of the same token may have been
    /// dropped before.
    #[inline]
    pub fn emit_newline_of_token(&mut self, input: Input<'_>, at: usize) -> usize {
        if self.text.1 == at {
            return self.emit_newline(input, at);
        }
        let end = at + 1 + usize::from(input.byte(at + 1) == Some(b'\n'));
        self.emit_str(input, "\n", end);
        end
    }

    /// Emits the end-of-file token, where the input ends for the table.
    pub fn end_of_file(&mut self, input: Input<'_>, at: usize) {
        self.flush(input);
        if E::INPUT_ERRORS {
            self.report_input_errors(input, at);
        }
        let at = self.offset(at);
        self.events.end_of_file(at);
    }

    /// Hands the pending text to the sink.
    #[inline(always)]
    pub fn flush(&mut self, input: Input<'_>) {
        let (start, end) = self.text;
        if start != end {
            self.hand_over(input.slice(start, end));
        }
    }

    /// As [`flush`](Self::flush), where that is seldom done.
    #[cold]
    #[inline(never)]
    pub fn flush_by_call(&mut self, input: Input<'_>) {
        self.flush(input);
    }

    /// Hands the pending text, which is this, to the sink.
    #[inline(always)]
    fn hand_over(&mut self, text: &str) {
        let (start, end) = self.text;
        let from = start - usize::from(core::mem::take(&mut self.text_after_cr));
        let to = core::mem::take(&mut self.text_to).max(end);
        self.text = (to, to);
        let span = Span {
            start: self.offset(from),
            end: self.offset(to),
        };
        self.events.characters(text, span);
    }

    /// Says that everything before `at` belongs to tokens that have been emitted.
    #[inline(always)]
    pub fn emitted(&mut self, at: usize) {
        self.text = (at, at);
    }

    /// Remembers that a token starts at `at`.
    #[inline(always)]
    pub fn start_token(&mut self, at: usize) {
        self.token_start = self.offset(at);
    }

    /// The span of a token that ends at `end`: it starts where the machine left the state for text, or
    /// where the emission before it ended if that is later.
    #[inline(always)]
    pub fn span(&self, end: usize) -> Span {
        let start = self.token_start.max(self.offset(self.text.1));
        Span {
            start,
            // A machine may put back more than it has emitted.
            end: self.offset(end).max(start),
        }
    }

    /// The events, to ask the sink something: its answer may depend on the text before.
    #[cold]
    pub fn asking(&mut self, input: Input<'_>) -> &mut E {
        self.flush(input);
        &mut self.events
    }

    /// Reports a parse error at `at`.
    #[inline(always)]
    pub fn error(&mut self, input: Input<'_>, code: ErrorCode, at: usize) {
        if E::ERRORS {
            self.report_error(input, code, at);
        }
    }

    /// A call of its own: there are many places, and errors are rare.
    #[cold]
    #[inline(never)]
    fn report_error(&mut self, input: Input<'_>, code: ErrorCode, at: usize) {
        if E::ERRORS {
            self.prepare_error(input, at);
            let error = self.parse_error(code, at);
            let events = &mut self.events;
            self.lookaheads.error(error, |error| events.error(error));
        }
    }

    /// Hands over what comes before an error of a state at `at`.
    fn prepare_error(&mut self, input: Input<'_>, at: usize) {
        if E::INPUT_ERRORS {
            self.report_input_errors(input, at);
        } else if E::ERRORS_IN_ORDER {
            self.flush(input);
        }
    }

    /// Reports the errors of the input stream before `to`.
    ///
    /// Their order does not depend on how the input is cut: where a stretch ends, this is called for all that is never read
    /// again, and states report no errors there any more.
    #[cold]
    #[inline(never)]
    pub(crate) fn report_input_errors(&mut self, input: Input<'_>, to: usize) {
        if E::ERRORS_IN_ORDER {
            self.flush(input);
        }
        let text = input.text().get(..to).unwrap_or_default();
        let mut from = usize::try_from(self.reported.saturating_sub(self.base)).unwrap_or(to);
        while from < to
            && let Some((at, code)) = (self.input_error)(text, from)
        {
            let error = self.parse_error(code, at);
            let events = &mut self.events;
            self.lookaheads.error(error, |error| events.error(error));
            from = at + 1;
        }
        self.reported = self.reported.max(self.offset(to));
    }

    /// Says that what is at `at` and behind it will be read with other offsets: text is put in front of it.
    pub(crate) fn put_text_before(&mut self, at: usize) {
        self.forget_name_ahead();
        self.reported = self.reported.min(self.offset(at));
    }

    #[inline(always)]
    fn parse_error(&self, code: ErrorCode, at: usize) -> ParseError {
        let offset = self.offset(at);
        ParseError { code, offset }
    }

    /// The offset in the stream of a position.
    #[inline(always)]
    pub(crate) fn offset(&self, at: usize) -> u64 {
        // Sign-extended: what wraps around lies in front of the input at hand.
        self.base.wrapping_add(at as isize as u64)
    }

    /// Reports `code` at `at` if the characters from `from` on are one or more of the pattern's run,
    /// then one of what must follow; now, or when enough input has come. Retains no input.
    pub fn error_if_ahead(
        &mut self,
        input: Input<'_>,
        from: usize,
        pattern: &'static Pattern,
        (code, at): (ErrorCode, usize),
    ) {
        if E::ERRORS {
            self.prepare_error(input, at);
            let error = self.parse_error(code, at);
            let (events, place) = (&mut self.events, (self.base, from));
            self.lookaheads.add(input, place, pattern, error);
            if self.last {
                self.lookaheads.end();
            }
            self.lookaheads.report(|error| events.error(error));
        }
    }

    /// Whether nothing comes after the input at hand.
    #[inline(always)]
    pub fn is_last(&self) -> bool {
        self.last
    }

    /// Whether it must be known what comes at `at`, and is not yet.
    #[inline(always)]
    pub fn must_wait(&self, input: Input<'_>, at: usize) -> bool {
        at >= input.len() && !self.last
    }

    /// The position after the newline at `at`: a CR LF pair counts as one character. `None` when it
    /// is a CR and its LF may still come.
    #[inline]
    pub fn after_newline(&self, input: Input<'_>, at: usize) -> Option<usize> {
        match input.byte(at + 1) {
            Some(b'\n') => Some(at + 2),
            None if !self.last => None,
            _ => Some(at + 1),
        }
    }

    /// Whether the input continues with the ASCII string at `at`, letters in either case if
    /// `ignore_case`.
    #[inline]
    pub fn ahead(&self, input: Input<'_>, at: usize, string: &str, ignore_case: bool) -> Ahead {
        let rest = &input.bytes()[at..];
        let length = rest.len().min(string.len());
        let (rest, wanted) = (&rest[..length], &string.as_bytes()[..length]);
        let equal = if ignore_case {
            rest.eq_ignore_ascii_case(wanted)
        } else {
            rest == wanted
        };
        match equal {
            false => Ahead::No,
            true if length == string.len() => Ahead::Yes,
            true if self.last => Ahead::No,
            true => Ahead::More,
        }
    }

    /// Takes new input, `last` when nothing comes after it; shows it to the look-aheads that the input
    /// before did not decide.
    pub(crate) fn start_input(&mut self, input: Input<'_>, last: bool) {
        self.last = last;
        if E::ERRORS && !self.lookaheads.is_empty() {
            let events = &mut self.events;
            self.lookaheads.resume(input, self.base);
            if last {
                self.lookaheads.end();
            }
            self.lookaheads.report(|error| events.error(error));
        }
    }

    /// Whether the characters consumed up to `end` end with this ASCII string (at most 16 bytes).
    #[inline]
    pub fn consumed_ends_with(&self, input: Input<'_>, end: usize, string: &str) -> bool {
        let string = string.as_bytes();
        let here = &input.bytes()[..end];
        if here.len() >= string.len() {
            return here.ends_with(string);
        }
        let (before, after) = string.split_at(string.len() - here.len());
        here == after && self.tail.ends_with(before)
    }

    /// Asks the driver to stop after the token at hand.
    #[inline]
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Whether a pause was asked for.
    #[inline(always)]
    pub(crate) fn is_paused(&self) -> bool {
        self.paused
    }

    /// Notes that the sink asked for a content that the table has no entry for: a pause, so that the caller learns
    /// of it at the same place however the input is cut.
    #[cold]
    pub fn refuse(&mut self) {
        self.paused = true;
        self.refused = true;
    }

    /// Ends a pause.
    pub(crate) fn end_pause(&mut self) {
        self.paused = false;
    }

    pub(crate) fn take_refusal(&mut self) -> bool {
        core::mem::take(&mut self.refused)
    }

    /// Makes everything independent of the input at hand, of which `consumed` bytes are done with.
    pub(crate) fn detach(&mut self, input: Input<'_>, consumed: usize) {
        let (start, end) = self.text;
        if start != end {
            // Mostly all that is left, for which `flush` has no short way.
            self.hand_over(input.text().get(start..end).unwrap_or_default());
        }
        let (start, end) = self.last_start_tag_at;
        if start < end {
            self.set_last_start_tag(input.slice(start, end));
        }
        let done = &input.bytes()[..consumed];
        if let Some(last) = done.last_chunk::<TAIL>() {
            self.tail = *last;
        } else {
            self.tail.copy_within(done.len().., 0);
            self.tail[TAIL - done.len()..].copy_from_slice(done);
        }
        self.advance(consumed);
    }

    /// Offset of the character with which the token under construction starts, when `undecided` bytes of the input at
    /// hand are read; and how long it is so far.
    pub(crate) fn unfinished(&self, undecided: usize) -> (u64, u64) {
        let span = self.span(undecided);
        (span.start, span.end - span.start)
    }

    /// Leaves behind the first bytes: the stream's offsets count them.
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.base += bytes as u64;
        let emitted = self.text.1.wrapping_sub(bytes);
        self.text = (emitted, emitted);
    }
}
