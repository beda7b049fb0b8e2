//! The driver: feeds a machine with the input stream, in pieces of any size.

use alloc::collections::VecDeque;
use alloc::string::String;

use crate::byte_order_mark::ByteOrderMark;
use crate::checkpoint::Checkpoint;
use crate::core::Events;
use crate::end_reminder::EndReminder;
use crate::feed_error::{Exceeded, FeedError, Limit, UnknownContent};
use crate::feedback::Feedback;
use crate::held::{Held, Seal, TokenKind};
use crate::input::Input;
use crate::limits::{Excess, Limits};
use crate::machine::{Exchange, Machine, Step};
#[cfg(feature = "std")]
use crate::read_error::ReadError;
use crate::utf8::Utf8Decoder;

/// Longer chunks are cut, so that limits are checked before much more than they allow is kept.
const PIECE: usize = Limits::MAX.token_bytes >> 8;

/// By how many bytes what is kept of a token may grow when one is read; more only in tables that copy strings.
const GROWTH: usize = '\u{FFFD}'.len_utf8();

/// How much of a chunk is copied at first to finish what the chunk before it left undecided.
const BRIDGE: usize = 64;

/// Where a stream may start at most: offsets behind it must not overflow.
const LAST_OFFSET: u64 = 1 << 63;

/// The checkpoints of a machine.
type CheckpointOf<M> = Checkpoint<<M as Machine>::State, <M as Machine>::Registers>;

/// A token of which nothing more is kept.
#[derive(Clone, Copy, Debug)]
struct Sealed {
    /// Where it starts.
    offset: u64,
    seal: Seal,
    /// How many bytes of it are kept.
    bytes: usize,
    /// How many bytes are read at most at a time. A list of attributes grows for a while.
    piece: usize,
}

/// Text that waits for a pause to end: input, or text put in at the insertion point.
#[derive(Debug)]
struct Waiting {
    text: String,
    at: usize,
    /// Whether it was put in at the insertion point since the tokenizer ran last: that point is behind it.
    is_inserted: bool,
}

impl Waiting {
    /// Text that waits from a place on.
    fn from(text: String, at: usize) -> Self {
        Self {
            text,
            at,
            is_inserted: false,
        }
    }
}

/// A tokenizer: a generated machine with its sink, and what of the input is not used yet.
///
/// Feed it the document in any pieces, then [`end`](Self::end) it: only then the last token comes, if it is incomplete, and
/// the end-of-file token.
///
/// Output does not depend on where the pieces are cut, except that character tokens come in pieces too. So errors come in one
/// order: those of states as the states report them, which is mostly by offset; one of the input stream before the first of
/// those at a greater offset.
///
/// It keeps the token under construction, which [`Limits`] bound, and what is fed while the sink has paused it.
#[derive(Debug)]
pub struct Tokenizer<M: Machine> {
    machine: M,
    state: M::State,
    /// The undecided end of what was fed: the start of a possible literal, reference or CR LF.
    carry: String,
    /// How far into the undecided input the machine is; it may have to come back.
    resume: usize,
    /// The first is used first.
    waiting: VecDeque<Waiting>,
    decoder: Utf8Decoder,
    limits: Limits,
    /// How many bytes are run at most before the limits are checked again.
    piece: usize,
    /// How many bytes of the token under construction may come before the limits are checked again.
    allowed: usize,
    /// The same, but none while input only waits: before the start, during a pause, after the end or a failure.
    room: usize,
    /// The token under construction exceeds a limit.
    failed: Option<FeedError>,
    /// Of which token nothing more is kept.
    sealed: Option<Sealed>,
    byte_order_mark: ByteOrderMark,
    /// Whether the stream comes as bytes.
    is_bytes: bool,
    /// How many byte order marks may still be dropped, once the first chunk has come.
    marks: Option<u8>,
    started: bool,
    /// Whether the caller said that the stream has ended.
    is_ending: bool,
    ended: bool,
    end_reminder: EndReminder,
}

impl<M: Machine> Tokenizer<M> {
    /// A tokenizer in its initial state.
    #[cfg_attr(all(debug_assertions, feature = "std"), track_caller)]
    pub fn new(sink: M::Sink) -> Self {
        let mut machine = M::new(sink);
        find_input_errors(&mut machine);
        Self {
            machine,
            state: M::initial(),
            carry: String::new(),
            resume: 0,
            waiting: VecDeque::new(),
            decoder: Utf8Decoder::new(),
            limits: Limits::default().clamped(),
            piece: PIECE,
            allowed: PIECE,
            room: 0,
            failed: None,
            sealed: None,
            byte_order_mark: ByteOrderMark::default(),
            is_bytes: false,
            marks: None,
            started: false,
            is_ending: false,
            ended: false,
            end_reminder: EndReminder::new(),
        }
    }

    /// Back to the start of a stream, with the same sink, limits and other settings. What was allocated is kept.
    pub fn reset(&mut self) {
        self.machine.reset();
        self.state = M::initial();
        self.carry.clear();
        self.resume = 0;
        self.waiting.clear();
        self.decoder = Utf8Decoder::new();
        self.allowed = self.piece;
        self.room = 0;
        self.failed = None;
        self.sealed = None;
        self.is_bytes = false;
        self.marks = None;
        self.started = false;
        self.is_ending = false;
        self.ended = false;
        self.end_reminder.set(false);
    }

    /// What the tokenizer is like between two tokens, and the offset in the stream from which it goes on: all input before it has become
    /// tokens and errors, which the sink has got. Text counts as tokens that may end anywhere. Nothing is done for it in advance.
    ///
    /// `None` inside a token, while an error waits for what comes, and after [`end`](Self::end) or a token that stopped the stream.
    /// A checkpoint depends on what was fed, and on nothing that comes then. The offset is in front of the end of what was fed where
    /// something is undecided, such as whether an LF follows a CR; during a pause it is behind the token. Input that waits is not part of the
    /// checkpoint, nor are settings, the sink and what it answers.
    /// The page "How a page is read" has an example.
    pub fn checkpoint(&mut self) -> Option<(CheckpointOf<M>, u64)> {
        let is_stopped = self.is_ending || self.failed.is_some() || self.sealed.is_some();
        if is_stopped || self.resume > 0 {
            return None;
        }
        let registers = self.machine.registers(self.state)?;
        let core = self.machine.core();
        let offset = core.between_tokens(M::is_content(self.state))?;
        let last_start_tag = core.kept_start_tag().filter(|_| M::ASKS_START_TAG);
        let checkpoint = Checkpoint {
            state: self.state,
            registers,
            last_start_tag,
            consumed: core.consumed_of(M::LOOKED_BEHIND),
            marks: if self.started { Some(0) } else { self.marks },
        };
        // Who goes on from there may drop this tokenizer.
        self.end_reminder.set(false);
        Some((checkpoint, offset))
    }

    /// Continues at a checkpoint, as the tokenizer that gave it would, with input that is at `offset` in its stream: spans and errors count from
    /// there. Otherwise it is a [`reset`](Self::reset). An offset above 2^63 counts as 2^63.
    pub fn restore(&mut self, checkpoint: &CheckpointOf<M>, offset: u64) {
        let Checkpoint {
            state,
            registers,
            last_start_tag,
            consumed,
            marks,
        } = checkpoint;
        self.reset();
        self.state = *state;
        self.machine.set_registers(registers);
        let core = self.machine.core();
        core.restore(offset.min(LAST_OFFSET), last_start_tag.clone(), consumed);
        self.marks = *marks;
        if *marks == Some(0) {
            self.started = true;
            self.room = self.allowed;
        }
    }

    /// Sets how large a token may get; the limits are [`Limits::default`] otherwise.
    ///
    /// Small limits cost time: they are checked each time when so many bytes have been read.
    pub fn set_limits(&mut self, limits: Limits) {
        let limits = limits.clamped();
        self.limits = limits;
        self.piece = PIECE.min(limits.token_bytes).min(limits.attributes);
        self.allowed = self.allowed.min(self.piece);
        self.room = self.room.min(self.piece);
    }

    /// Sets what follows a start tag to which the sink answers that the tokenizer continues; [`Feedback::Scripting`]
    /// otherwise. A sink with `FEEDBACK = false` does not get it.
    pub fn set_feedback(&mut self, feedback: Feedback) {
        self.machine.core().set_feedback(feedback);
    }

    /// Sets what happens to a byte order mark at the start of the stream; [`ByteOrderMark::Decoded`] otherwise.
    pub fn set_byte_order_mark(&mut self, byte_order_mark: ByteOrderMark) {
        self.byte_order_mark = byte_order_mark;
    }

    /// Goes on in the state for this content, or starts in it: what tree construction does when it
    /// says "switch the tokenizer to the RCDATA state".
    ///
    /// # Errors
    /// When the table has no entry state for it; the state is unchanged then.
    pub fn enter(&mut self, content: M::Content) -> Result<(), UnknownContent> {
        self.state = self.machine.enter(content).ok_or(UnknownContent)?;
        self.machine.core().forget_name_ahead();
        Ok(())
    }

    /// Sets the name, in lower case, that an end tag must have to be an appropriate end tag token: call this when
    /// [`enter`](Self::enter)ing a content for which no start tag was read, as for the fragment of an element.
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

    /// The tokenizer with another sink, and the sink that it had. So a sink that borrows can be lent for one chunk: the page
    /// "How a page is read" has an example.
    pub fn with_sink<T>(self, sink: T) -> (Tokenizer<M::With>, M::Sink)
    where
        M: Exchange<T>,
    {
        let (mut machine, before) = self.machine.exchange(sink);
        find_input_errors(&mut machine);
        let tokenizer = Tokenizer {
            machine,
            state: self.state,
            carry: self.carry,
            resume: self.resume,
            waiting: self.waiting,
            decoder: self.decoder,
            limits: self.limits,
            piece: self.piece,
            allowed: self.allowed,
            room: self.room,
            failed: self.failed,
            sealed: self.sealed,
            byte_order_mark: self.byte_order_mark,
            is_bytes: self.is_bytes,
            marks: self.marks,
            started: self.started,
            is_ending: self.is_ending,
            ended: self.ended,
            end_reminder: self.end_reminder,
        };
        (tokenizer, before)
    }

    /// Tokenizes more of the stream. Empty chunks change nothing. A character of which
    /// [`feed_bytes`](Self::feed_bytes) got only the start ends here: U+FFFD replaces it, in front of the chunk.
    ///
    /// # Errors
    /// [`FeedError::Paused`] when the sink paused the tokenizer: what comes after the pause waits, and so does what is fed
    /// until [`resume`](Self::resume) runs on. [`FeedError::UnknownContent`] when the sink names a content without an entry state in the table:
    /// [`resume`](Self::resume) goes on. [`FeedError::Ended`] after [`end`](Self::end), [`FeedError::TooLarge`] when a
    /// token exceeds the limits.
    #[inline(always)]
    pub fn feed(&mut self, chunk: &str) -> Result<(), FeedError> {
        if self.decoder.is_inside_character() {
            self.cut_character_short(chunk);
        }
        if self.feed_chunk(chunk) {
            return Ok(());
        }
        self.status_of_feeding()
    }

    /// Tokenizes more of the stream, given as UTF-8 in pieces that may be cut inside a character.
    /// Each malformed sequence becomes U+FFFD, and a byte order mark at the start is skipped, as in the Encoding Standard: unless
    /// text was fed before it, or [`set_byte_order_mark`](Self::set_byte_order_mark) says otherwise.
    /// Spans count the three bytes of that U+FFFD, and [`LineIndex::push_bytes`](crate::LineIndex::push_bytes) does so too.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn feed_bytes(&mut self, bytes: &[u8]) -> Result<(), FeedError> {
        self.decode_and_feed(bytes, false);
        self.status_of_feeding()
    }

    /// Tokenizes text that is decoded from bytes meanwhile, and whether these begin with a byte order mark.
    #[cfg(feature = "encoding")]
    pub(crate) fn feed_decoded(
        &mut self,
        decode: impl FnOnce(&mut dyn FnMut(&str, bool)),
    ) -> Result<(), FeedError> {
        decode(&mut |text, is_marked| {
            if self.decoder.is_inside_character() {
                self.cut_character_short(text);
            }
            self.is_bytes |= is_marked;
            self.feed_chunk_by_call(text);
        });
        self.status_of_feeding()
    }

    /// Tokenizes all that a reader gives, decoded as by [`feed_bytes`](Self::feed_bytes). `buffer` is how many bytes are read
    /// at most at a time; so much memory is allocated once. The end of the reader is not the [`end`](Self::end) of the
    /// stream: another reader may follow.
    ///
    /// # Errors
    /// [`ReadError::Feed`] as for [`feed`](Self::feed). When the sink pauses the tokenizer, what is read already waits, and
    /// nothing more is read, also not by calls during the pause: [`resume`](Self::resume), then call this again with the
    /// same reader, passed as `&mut reader`. [`ReadError::Io`] when the reader fails; what it gave before is tokenized, and
    /// another call reads on. [`Interrupted`](std::io::ErrorKind::Interrupted) is no failure: the read is repeated.
    #[cfg(feature = "std")]
    pub fn feed_reader(
        &mut self,
        mut reader: impl std::io::Read,
        buffer: usize,
    ) -> Result<(), ReadError> {
        self.status_of_feeding()?;
        let size = buffer.max(1);
        let mut buffer = alloc::vec::Vec::new();
        buffer
            .try_reserve_exact(size)
            .map_err(std::io::Error::from)?;
        buffer.resize(size, 0);
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => return Ok(()),
                Ok(read) => self.feed_bytes(&buffer[..read.min(size)])?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Tokenizes a chunk to its end or to a pause; returns how many of its bytes are used. The tokenizer keeps none of the
    /// others: it is the caller's to feed them again, behind text for the insertion point. The next call ends the pause.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed), but a pause is none. Before the chunk comes what waits already, and then a pause in that
    /// leaves the whole chunk. After [`FeedError::UnknownContent`] the rest of the chunk waits.
    pub fn feed_until_pause(&mut self, chunk: &str) -> Result<usize, FeedError> {
        if self.is_ending && self.failed.is_none() {
            return Err(FeedError::Ended);
        }
        if self.machine.core().is_paused() || !self.waiting.is_empty() {
            self.end_pause();
        }
        self.cut_character_short(chunk);
        let rest = if self.started {
            chunk
        } else {
            self.strip_bom(chunk)
        };
        let mut used = chunk.len() - rest.len();
        used += self.tokenize(rest, 0);
        match self.status() {
            Ok(()) | Err(FeedError::Paused) => Ok(used),
            Err(error) => {
                self.keep_waiting(chunk, used);
                Err(error)
            }
        }
    }

    /// Puts text in at the insertion point, as `document.write` does: in front of the input not yet used, and behind what was
    /// inserted since the tokenizer ran last. So one text may end in half a tag, which the next one completes. When the
    /// sink pauses the tokenizer inside inserted text, the insertion point is in front of the rest of that text.
    ///
    /// It is also in front of a character of which [`feed_bytes`](Self::feed_bytes) got only the start. The text is tokenized by
    /// the next [`resume`](Self::resume), [`end`](Self::end) or [`feed_until_pause`](Self::feed_until_pause); until then what is
    /// fed waits, as during a pause. An empty text changes nothing, and so does any after the end-of-file token.
    pub fn insert(&mut self, text: &str) {
        if text.is_empty() || self.ended || self.failed.is_some() {
            return;
        }
        if let Some(first) = self.waiting.front_mut()
            && first.is_inserted
        {
            first.text.push_str(text);
            return;
        }
        self.machine.core().put_text_before(self.resume);
        if !self.carry.is_empty() {
            let text = core::mem::take(&mut self.carry);
            self.waiting.push_front(Waiting::from(text, 0));
        }
        // What the machine has read, though it may come back to it, stays in front of the text.
        if let Some(next) = self.waiting.front_mut()
            && let Some(read) = next.text.get(next.at..next.at + self.resume)
        {
            self.carry.push_str(read);
            next.at += self.resume;
        }
        self.waiting.push_front(Waiting {
            is_inserted: true,
            ..Waiting::from(String::from(text), 0)
        });
        self.room = 0;
    }

    /// Goes on after a pause.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed).
    pub fn resume(&mut self) -> Result<(), FeedError> {
        self.end_pause();
        self.status()
    }

    /// Says that the stream has ended: tokenizes what is left and emits the end-of-file token. When the
    /// sink pauses, call it again after what the pause was for. Calls after the end do nothing.
    ///
    /// Without this call an incomplete last token is lost, such as `&amp` at the end of a text: debug builds with the feature
    /// `std` say so on standard error, once, when the tokenizer is dropped.
    ///
    /// # Errors
    /// As for [`feed`](Self::feed): there is no end-of-file token yet, and after [`FeedError::Paused`] and
    /// [`FeedError::UnknownContent`] another call runs on.
    pub fn end(&mut self) -> Result<(), FeedError> {
        if !self.is_ending {
            self.decode_and_feed(&[], true);
            self.is_ending = true;
        }
        self.end_pause();
        if !self.ended && self.failed.is_none() && !self.machine.core().is_paused() {
            self.run_to_end();
        }
        self.status()
    }

    /// Says that the caller may stop in the middle of a token.
    pub(crate) fn without_reminder(&mut self) {
        self.end_reminder.turn_off();
    }

    /// Ends a pause and tokenizes what waits.
    fn end_pause(&mut self) {
        if self.failed.is_some() {
            return;
        }
        if self.machine.core().is_paused() {
            self.machine.core().end_pause();
            if !self.carry.is_empty() {
                let text = core::mem::take(&mut self.carry);
                self.waiting.push_front(Waiting::from(text, 0));
            }
        }
        self.room = self.allowed;
        while self.room > 0
            && let Some(Waiting { text, at, .. }) = self.waiting.pop_front()
        {
            let at = self.tokenize(&text, at);
            if at < text.len() {
                self.waiting.push_front(Waiting::from(text, at));
            }
        }
        if self.is_ending || !self.started {
            // The first chunk comes by the way that looks for a byte order mark.
            self.room = 0;
        }
    }

    #[cold]
    fn status_of_feeding(&mut self) -> Result<(), FeedError> {
        match (self.failed, self.is_ending) {
            (None, true) => Err(FeedError::Ended),
            _ => self.status(),
        }
    }

    fn status(&mut self) -> Result<(), FeedError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let core = self.machine.core();
        if core.take_refusal() {
            return Err(FeedError::UnknownContent);
        }
        if core.is_paused() || !self.waiting.is_empty() {
            return Err(FeedError::Paused);
        }
        Ok(())
    }

    /// Runs on what is left of the input until the end-of-file token or a pause.
    fn run_to_end(&mut self) {
        let carry = core::mem::take(&mut self.carry);
        let input = Input::new(&carry);
        self.machine.core().start_input(input, true);
        let mut step = Step::to(self.state, self.resume);
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
        let keep = if self.ended {
            carry.len()
        } else {
            self.machine.keep(step)
        };
        self.leave_input(input, step, keep);
        self.room = 0;
        if keep < carry.len() {
            self.waiting.push_front(Waiting::from(carry, keep));
        }
    }

    fn decode_and_feed(&mut self, bytes: &[u8], last: bool) {
        self.is_bytes |= !bytes.is_empty();
        let mut decoder = core::mem::take(&mut self.decoder);
        decoder.decode(bytes, last, |text| self.feed_chunk_by_call(text));
        self.decoder = decoder;
    }

    /// The bytes before this chunk end inside a character, which does not come whole any more.
    #[cold]
    fn cut_character_short(&mut self, chunk: &str) {
        if !chunk.is_empty() {
            self.decode_and_feed(&[], true);
        }
    }

    /// Tokenizes a chunk; returns whether there is nothing to tell of it.
    ///
    /// Most chunks are one piece, have nothing in front of them and are used up at their end. For them the way is as
    /// straight as it can be, without a call: at a chunk's end the processor has code of other kinds in its caches.
    #[inline(always)]
    fn feed_chunk(&mut self, chunk: &str) -> bool {
        let is_one_piece = chunk.len().wrapping_sub(1) < self.room;
        if is_one_piece && self.carry.is_empty() {
            let used = self.run(chunk);
            if used == chunk.len() {
                return self.room > 0;
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
        if self.is_ending || self.failed.is_some() {
            return;
        }
        let chunk = if self.started {
            chunk
        } else {
            self.strip_bom(chunk)
        };
        // When there is no room, something waits or there is a pause.
        let used = self.tokenize(chunk, 0);
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
    fn strip_bom<'c>(&mut self, mut chunk: &'c str) -> &'c str {
        if chunk.is_empty() {
            // It does not say whether the stream comes as bytes.
            return chunk;
        }
        let is_skipped = match self.byte_order_mark {
            ByteOrderMark::Decoded => self.is_bytes,
            ByteOrderMark::Skip => true,
            ByteOrderMark::Table => false,
        };
        let marks = u8::from(is_skipped) + u8::from(M::DROP_BOM);
        let marks = self.marks.get_or_insert(marks);
        while *marks > 0
            && let Some(rest) = chunk.strip_prefix('\u{FEFF}')
        {
            *marks -= 1;
            self.machine.core().advance('\u{FEFF}'.len_utf8());
            chunk = rest;
        }
        self.started = !chunk.is_empty();
        if self.started && self.waiting.is_empty() && !self.machine.core().is_paused() {
            self.room = self.allowed;
        }
        chunk
    }

    /// Keeps what is not used of a chunk until a pause has ended, behind what waits already.
    fn keep_waiting(&mut self, chunk: &str, used: usize) {
        if used < chunk.len() && self.failed.is_none() {
            let text = String::from(&chunk[used..]);
            self.waiting.push_back(Waiting::from(text, 0));
        }
    }

    /// Tokenizes `text` from `at` on until its end, a pause or a failure; returns how far it came.
    fn tokenize(&mut self, text: &str, mut at: usize) -> usize {
        while at < text.len() && self.room > 0 {
            let rest = &text[at..];
            let piece = &rest[..cut(rest, self.room)];
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
        if used == piece.len() || self.room == 0 {
            return used;
        }
        let used = used + self.run_by_call(&piece[used..]);
        self.carry_over(piece, used)
    }

    /// Carries over what a run has not used of a piece, unless there is a pause; returns how much is used then.
    fn carry_over(&mut self, piece: &str, used: usize) -> usize {
        if used == piece.len() || self.room == 0 {
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
        while !self.carry.is_empty() && used < piece.len() && self.room > 0 {
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
        self.leave_input(input, step, keep);
        keep
    }

    /// Makes everything independent of an input of which `keep` bytes are done with, and checks the limits.
    #[inline(always)]
    fn leave_input(&mut self, input: Input<'_>, step: Step<M::State>, keep: usize) {
        self.state = step.state;
        self.resume = step.at - keep.min(step.at);
        let mut held = match self.sealed {
            None => Held::keeping(<M::Events as Events>::COMMENTS),
            Some(sealed) => self.held_once_more(sealed, step.at),
        };
        self.machine.detach(input, step.state, &mut held);
        if <M::Events as Events>::INPUT_ERRORS {
            // Not of the rest: during a pause other text may be inserted in front of it.
            self.machine.core().report_input_errors(input, keep);
        }
        self.machine.core().detach(input, keep);
        let is_between_tokens = held.is_nothing() && self.machine.core().unfinished(0).1 == 0;
        let is_done = is_between_tokens && self.resume == 0 && keep == input.len();
        if is_done {
            self.sealed = None;
            self.allowed = self.piece;
        } else {
            self.check_limits(held, input.len() - keep);
        }
        let is_paused = self.machine.core().is_paused() || self.failed.is_some();
        self.room = if is_paused { 0 } else { self.allowed };
        self.end_reminder.set(!(is_done || is_paused || self.ended));
    }

    /// What to keep where a token ends, or goes on, of which nothing more is kept.
    #[cold]
    fn held_once_more(&mut self, sealed: Sealed, at: usize) -> Held {
        if self.machine.core().unfinished(at).0 == sealed.offset {
            Held::sealing(sealed.seal, false)
        } else {
            Held::keeping(<M::Events as Events>::COMMENTS)
        }
    }

    /// Fails if the token under construction exceeds a limit; says how many bytes may be read until that can be so.
    /// `undecided`: how many bytes at the end of the input come again.
    #[cold]
    fn check_limits(&mut self, held: Held, undecided: usize) {
        let (offset, length) = self.machine.core().unfinished(self.resume);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let Limits {
            token_bytes,
            attributes,
            ..
        } = self.limits;
        let is_ignored = !<M::Events as Events>::COMMENTS && held.kind == Some(TokenKind::Comment);
        self.sealed = self.sealed.filter(|sealed| sealed.offset == offset);
        let kept = match self.sealed {
            _ if is_ignored => Some((0, self.piece)),
            sealed => sealed.map(|sealed| (sealed.bytes, sealed.piece)),
        };
        // It grows no more. What else there is does.
        if let Some((kept, piece)) = kept
            && (held.kind.is_some() || self.sealed.is_some())
            && held.bytes <= kept + token_bytes
            && undecided < token_bytes
        {
            self.allowed = piece;
            return;
        }
        // Of a token that has only been opened, as by `</`, nothing is kept. Perhaps it has been dropped since.
        let is_kept = !held.is_nothing() || undecided > 0;
        // What is kept grows by at most three bytes for each, for U+0000 becomes U+FFFD. In a script that is a register that
        // outlives tokens.
        let stops = self.limits.always_stop();
        // Where tokens do not stop the stream, the limit must not depend on where the input is cut: in pieces, more strings of a
        // token are copied.
        let growth = match held.kind {
            Some(_) if !stops => GROWTH * GROWTH,
            _ => GROWTH,
        };
        let is_large = undecided >= token_bytes || held.bytes / growth > token_bytes;
        // Where tokens that exceed a limit do not stop the stream, one that has not begun to grow does not either.
        let may_stop = held.kind.is_some() || stops;
        let is_long = is_large || length >= token_bytes && may_stop;
        let (limit, allowed) = if is_kept && is_long {
            (Limit::TokenBytes, token_bytes)
        } else if held.attributes > attributes {
            (Limit::Attributes, attributes)
        } else {
            // Each attribute takes a byte at least.
            let more = attributes - held.attributes;
            let unread = undecided - self.resume.min(undecided);
            let more = more.min(token_bytes.saturating_sub(length + unread));
            let more = more.min((GROWTH * (token_bytes + 1)).saturating_sub(held.bytes) / GROWTH);
            self.allowed = self.piece.min(more.max(1));
            return;
        };
        // What is not known to be a token is not dropped: it may become text.
        let excess = match held.kind {
            Some(kind) => kind.excess(&self.limits),
            None if self.limits.others == Excess::Stop => Excess::Stop,
            None => Excess::Truncate,
        };
        let seal = match excess {
            Excess::Truncate => Seal::Cut,
            Excess::Drop => Seal::Drop,
            Excess::Stop => return self.fail(limit, allowed, offset),
        };
        if undecided >= token_bytes {
            // The table looks that far ahead.
            return self.fail(limit, allowed, offset);
        }
        let is_first = self.sealed.is_none();
        if is_first {
            let exceeded = Exceeded {
                limit,
                allowed,
                offset,
                excess,
            };
            self.machine.core().events.exceeded(exceeded);
        }
        let mut sealing = Held::sealing(seal, is_first);
        let grows_elsewhere = is_large || !is_first;
        if grows_elsewhere {
            // A register whose text may become text, or part of a token.
            sealing = sealing.sealing_registers();
        }
        self.machine
            .detach(Input::new(""), self.state, &mut sealing);
        let piece = match held.kind {
            Some(TokenKind::Comment | TokenKind::Doctype | TokenKind::Other)
                if !grows_elsewhere =>
            {
                self.piece
            }
            _ => 1,
        };
        self.allowed = piece;
        self.sealed = Some(Sealed {
            offset,
            seal,
            bytes: sealing.bytes,
            piece,
        });
    }

    fn fail(&mut self, limit: Limit, allowed: usize, offset: u64) {
        self.failed = Some(FeedError::TooLarge {
            limit,
            allowed,
            offset,
        });
    }
}

/// Lets the machine's sink get errors of the input stream, if it wants them.
fn find_input_errors<M: Machine>(machine: &mut M) {
    if <M::Events as Events>::INPUT_ERRORS {
        machine.core().set_input_error(M::input_error);
    }
}

/// Where to cut a text so that the piece has at most `most` bytes, or is one character.
fn cut(text: &str, most: usize) -> usize {
    if most >= text.len() {
        return text.len();
    }
    let cut = (0..=most).rev().find(|&at| text.is_char_boundary(at));
    match cut {
        Some(0) | None => boundary(text, 1),
        Some(at) => at,
    }
}

/// The first character boundary at or after `at`.
#[inline]
pub(crate) fn boundary(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}
