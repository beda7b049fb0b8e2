//! The driver: feeds a machine with the input stream, in pieces of any size.

use alloc::string::String;
use alloc::vec::Vec;

use crate::core::Events;
use crate::input::Input;
use crate::machine::{Machine, Step};
use crate::utf8::Utf8Decoder;

/// Positions inside a piece fit 31 bits: longer chunks are cut.
const LONGEST_PIECE: usize = 1 << 30;

/// How much of a chunk is copied at first to finish what the chunk before it left undecided.
const BRIDGE: usize = 64;

/// Where feeding stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All input was used; more may come.
    Ready,
    /// The sink asked for a pause, or text was inserted. [`Tokenizer::resume`] goes on;
    /// [`Tokenizer::insert`] puts text in first.
    Paused,
}

/// The table has no entry state for the content that was asked for; the request was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownContent;

impl core::fmt::Display for UnknownContent {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("this table has no entry state for the content asked for")
    }
}

#[cfg(feature = "std")]
impl std::error::Error for UnknownContent {}

/// Text that waits for a pause to end: input kept back, or text put in at the insertion point.
#[derive(Debug)]
struct Waiting {
    text: String,
    at: usize,
}

/// A tokenizer: a generated machine with its sink, and what of the input is not used yet.
///
/// Feed it the document in any pieces, then [`end`](Self::end) it. Output does not depend on where the
/// pieces are cut, except that character tokens come in pieces too.
#[derive(Debug)]
pub struct Tokenizer<M: Machine> {
    machine: M,
    state: M::State,
    /// The undecided end of what was fed: the start of a possible literal, reference or CR LF.
    carry: String,
    /// How far into the undecided input the machine is; it may have to come back.
    resume: usize,
    /// The last is used first.
    waiting: Vec<Waiting>,
    decoder: Utf8Decoder,
    started: bool,
    ended: bool,
}

impl<M: Machine> Tokenizer<M> {
    /// A tokenizer in its initial state.
    pub fn new(sink: M::Sink) -> Self {
        Self {
            machine: M::new(sink),
            state: M::initial(),
            carry: String::new(),
            resume: 0,
            waiting: Vec::new(),
            decoder: Utf8Decoder::new(),
            started: false,
            ended: false,
        }
    }

    /// Goes on in the state for this content, or starts in it: what tree construction does when it
    /// says "switch the tokenizer to the RCDATA state".
    ///
    /// # Errors
    /// When the table has no entry state for it; the state is unchanged then.
    pub fn enter(&mut self, content: M::Content) -> Result<(), UnknownContent> {
        self.state = self.machine.enter(content).ok_or(UnknownContent)?;
        Ok(())
    }

    /// Sets the name, in lower case, that an end tag must have to be an appropriate end tag token. A
    /// tokenizer only remembers the names of start tags whose answer named a content: call this when
    /// [`enter`](Self::enter)ing a content from outside.
    pub fn set_last_start_tag(&mut self, name: &str) {
        self.machine.core().set_last_start_tag(name);
    }

    /// The sink.
    pub fn sink(&mut self) -> &mut M::Sink {
        self.machine.sink()
    }

    /// The sink, when all is done.
    pub fn into_sink(self) -> M::Sink {
        self.machine.into_sink()
    }

    /// Tokenizes more of the stream.
    ///
    /// # Errors
    /// When the sink asked for a content that the table has no entry state for. The request was
    /// ignored and everything fed was tokenized.
    #[inline(always)]
    pub fn feed(&mut self, chunk: &str) -> Result<Status, UnknownContent> {
        if self.feed_chunk(chunk) {
            return Ok(Status::Ready);
        }
        self.status()
    }

    /// Tokenizes more of the stream, given as UTF-8 in pieces that may be cut inside a character.
    /// Each malformed sequence becomes U+FFFD, as in the Encoding Standard.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn feed_bytes(&mut self, bytes: &[u8]) -> Result<Status, UnknownContent> {
        self.decode_and_feed(bytes, false);
        self.status()
    }

    /// Puts text in front of the input not yet used, as `document.write` does at the insertion point.
    /// It is tokenized by the next [`resume`](Self::resume).
    pub fn insert(&mut self, text: &str) {
        self.waiting.push(Waiting {
            text: String::from(text),
            at: 0,
        });
    }

    /// Goes on after a pause.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn resume(&mut self) -> Result<Status, UnknownContent> {
        self.tokenize_waiting();
        self.status()
    }

    /// Says that the stream has ended: tokenizes what is left and emits the end-of-file token. When the
    /// sink pauses, call it again after what the pause was for. Calls after the end do nothing.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn end(&mut self) -> Result<Status, UnknownContent> {
        self.decode_and_feed(&[], true);
        self.tokenize_waiting();
        if !self.ended && !self.machine.core().is_paused() {
            self.run_to_end();
        }
        self.status()
    }

    fn status(&mut self) -> Result<Status, UnknownContent> {
        let core = self.machine.core();
        let paused = core.take_pause() || !self.waiting.is_empty();
        if core.take_refusal() {
            return Err(UnknownContent);
        }
        Ok(if paused {
            Status::Paused
        } else {
            Status::Ready
        })
    }

    /// Runs on what is left of the input until the end-of-file token or a pause.
    fn run_to_end(&mut self) {
        let carry = core::mem::take(&mut self.carry);
        let input = Input::new(&carry);
        self.machine.core().start_input(input, true);
        let mut step = Step::to(self.state, core::mem::take(&mut self.resume));
        loop {
            step = self.machine.run(input, step);
            if self.machine.core().is_paused() {
                break;
            }
            match self.machine.at_end(input, step) {
                Some(next) => step = next,
                None => self.ended = true,
            }
            if self.ended || self.machine.core().is_paused() {
                break;
            }
        }
        self.state = step.state;
        self.machine.detach(input, step.state);
        self.machine.core().detach(input, step.at);
        if step.at < carry.len() {
            self.waiting.push(Waiting {
                text: carry,
                at: step.at,
            });
        }
    }

    fn decode_and_feed(&mut self, bytes: &[u8], last: bool) {
        let mut decoder = core::mem::take(&mut self.decoder);
        decoder.decode(bytes, last, |text| self.feed_chunk_by_call(text));
        self.decoder = decoder;
    }

    /// Tokenizes a chunk; returns whether there is nothing to tell of it.
    ///
    /// Most chunks are one piece, have nothing in front of them and are used up at their end. For them the way is as
    /// straight as it can be, without a call: at a chunk's end all code is code that the processor has half forgotten.
    #[inline(always)]
    fn feed_chunk(&mut self, chunk: &str) -> bool {
        let in_one_piece = chunk.len().wrapping_sub(1) < LONGEST_PIECE;
        if in_one_piece
            && self.started
            && self.waiting.is_empty()
            && self.carry.is_empty()
            && !<M::Events as Events>::INPUT_ERRORS
            && !self.machine.core().is_paused()
        {
            let used = self.run(chunk);
            if used == chunk.len() {
                return self.machine.core().has_nothing_to_tell();
            }
            self.keep_unused(chunk, used);
        } else {
            self.feed_any_chunk(chunk);
        }
        false
    }

    /// As [`feed_chunk`](Self::feed_chunk), by a call: bytes become text in several places.
    #[inline(never)]
    fn feed_chunk_by_call(&mut self, chunk: &str) {
        self.feed_chunk(chunk);
    }

    /// Tokenizes a chunk, whatever it is and whatever is in front of it.
    #[cold]
    fn feed_any_chunk(&mut self, chunk: &str) {
        let chunk = if self.started {
            chunk
        } else {
            self.strip_bom(chunk)
        };
        let used = if self.waiting.is_empty() {
            self.tokenize(chunk, 0)
        } else {
            0
        };
        self.keep_waiting(chunk, used);
    }

    /// Keeps what a run has not used of a chunk.
    #[cold]
    fn keep_unused(&mut self, chunk: &str, used: usize) {
        let used = self.carry_over(chunk, used);
        self.keep_waiting(chunk, used);
    }

    /// What is left of the first chunk.
    #[cold]
    fn strip_bom<'c>(&mut self, chunk: &'c str) -> &'c str {
        self.started = !chunk.is_empty();
        match chunk.strip_prefix('\u{FEFF}') {
            Some(rest) if M::DROP_BOM => {
                self.machine.core().advance('\u{FEFF}'.len_utf8());
                rest
            }
            _ => chunk,
        }
    }

    /// Keeps what is not used of a text until a pause has ended, behind what waits already.
    fn keep_waiting(&mut self, text: &str, used: usize) {
        if used < text.len() {
            let text = String::from(&text[used..]);
            self.waiting.insert(0, Waiting { text, at: 0 });
        }
    }

    /// Tokenizes text that waits, until a pause.
    fn tokenize_waiting(&mut self) {
        while !self.machine.core().is_paused()
            && let Some(Waiting { text, at }) = self.waiting.pop()
        {
            let at = self.tokenize(&text, at);
            if at < text.len() {
                self.waiting.push(Waiting { text, at });
            }
        }
    }

    /// Tokenizes `text` from `at` on until its end or a pause; returns how far it came.
    fn tokenize(&mut self, text: &str, mut at: usize) -> usize {
        while at < text.len() && !self.machine.core().is_paused() {
            let mut piece = &text[at..];
            if piece.len() > LONGEST_PIECE {
                piece = &piece[..boundary(piece, LONGEST_PIECE)];
            }
            if <M::Events as Events>::INPUT_ERRORS {
                let offset = self.machine.core().offset(self.carry.len());
                self.machine.input_errors(piece, offset);
            }
            at += self.tokenize_piece(piece);
        }
        at
    }

    /// Tokenizes a piece after what was carried over; returns how much of the piece is used: all of it
    /// unless there is a pause, for what is undecided at its end is carried over.
    #[inline(always)]
    fn tokenize_piece(&mut self, piece: &str) -> usize {
        let used = if self.carry.is_empty() {
            0
        } else {
            self.bridge(piece)
        };
        if used == piece.len() || self.machine.core().is_paused() {
            return used;
        }
        let used = used + self.run_by_call(&piece[used..]);
        self.carry_over(piece, used)
    }

    /// Carries over what a run has not used of a piece, unless there is a pause; returns how much is used then.
    fn carry_over(&mut self, piece: &str, used: usize) -> usize {
        if used == piece.len() || self.machine.core().is_paused() {
            return used;
        }
        self.carry.push_str(&piece[used..]);
        piece.len()
    }

    /// Finishes what is carried over, on a copy that has a little of the piece behind it; returns how much of the
    /// piece is used.
    #[cold]
    fn bridge(&mut self, piece: &str) -> usize {
        let mut used = 0;
        let mut bridge = BRIDGE;
        while !self.carry.is_empty() && used < piece.len() && !self.machine.core().is_paused() {
            let to = boundary(piece, used.saturating_add(bridge));
            let mut carry = core::mem::take(&mut self.carry);
            let carried = carry.len();
            carry.push_str(&piece[used..to]);
            let keep = self.run_by_call(&carry);
            used = to;
            bridge = bridge.saturating_mul(2);
            if keep >= carried {
                // The rest of the copy is in the piece too.
                used -= carry.len() - keep;
                carry.clear();
            } else {
                carry.drain(..keep);
            }
            self.carry = carry;
        }
        used
    }

    /// As [`run`](Self::run), by a call.
    #[inline(never)]
    fn run_by_call(&mut self, text: &str) -> usize {
        self.run(text)
    }

    /// Runs the machine on `text`; returns where the undecided rest starts.
    #[inline(always)]
    fn run(&mut self, text: &str) -> usize {
        let input = Input::new(text);
        self.machine.core().start_input(input, false);
        let step = self.machine.run(input, Step::to(self.state, self.resume));
        let keep = self.machine.keep(step);
        self.state = step.state;
        self.resume = step.at - keep;
        self.machine.detach(input, step.state);
        self.machine.core().detach(input, keep);
        keep
    }
}

/// The first character boundary at or after `at`.
#[inline]
pub(crate) fn boundary(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}
