//! The name of the last start tag, and whether it comes next.

use crate::buffer::Buffer;
use crate::input::{Ahead, Input};
use crate::lookahead::count;
use crate::name_ahead::NameAhead;
use crate::short_name::ShortName;

use super::{Core, Events};

impl<E: Events> Core<E> {
    /// Remembers the name of a start tag that is being emitted.
    #[inline(always)]
    pub fn remember_start_tag(&mut self, input: Input<'_>, name: &Buffer) {
        match name.range() {
            Some((start, end)) if start < end => self.remember_start_tag_at(start, end),
            _ => self.set_last_start_tag(name.get(input)),
        }
    }

    /// Remembers the name of a start tag, which is this range of the input.
    #[inline(always)]
    pub const fn remember_start_tag_at(&mut self, start: usize, end: usize) {
        self.last_start_tag_at = (start, end);
    }

    /// Forgets how far a look-ahead came: what it has seen may not come next any more.
    pub(crate) fn forget_name_ahead(&mut self) {
        self.name_ahead = NameAhead::default();
    }

    /// Sets the name of the last start tag.
    pub fn set_last_start_tag(&mut self, name: &str) {
        // What a look-ahead has found is of the name before.
        self.forget_name_ahead();
        self.last_start_tag_at = (0, 0);
        self.last_start_tag = Some(ShortName::new(name));
    }

    /// The name of the last start tag emitted, if one was.
    #[inline]
    pub fn last_start_tag<'a>(&'a self, input: Input<'a>) -> Option<&'a str> {
        match self.last_start_tag_at {
            (start, end) if start < end => Some(input.slice(start, end)),
            _ => self.last_start_tag.as_ref().map(ShortName::as_str),
        }
    }

    /// Whether the input continues at `at` with the last start tag's name, followed by a character
    /// that `followed_by` accepts (`None` is the end of the input). With `newlines` a CR, alone or before an
    /// LF, is an LF of the name. Remembers what it has found, so that a name that arrives in many pieces, or for which
    /// it is asked at many places, is compared once.
    pub fn last_start_tag_ahead(
        &mut self,
        input: Input<'_>,
        at: usize,
        newlines: bool,
        followed_by: fn(Option<char>) -> bool,
    ) -> Ahead {
        let mut known = core::mem::take(&mut self.name_ahead);
        let Some(name) = self.last_start_tag(input) else {
            return Ahead::No;
        };
        let (name, start) = (name.as_bytes(), self.offset(at));
        let Some((mut probed, from)) = known.known(name, self.last_start_tag_at, start) else {
            self.name_ahead = known;
            return Ahead::No;
        };
        let mut place = at + from;
        let ahead = loop {
            let Some(wanted) = name.get(probed) else {
                break if !self.last && place >= input.len() {
                    Ahead::More
                } else if followed_by(input.char(place)) {
                    Ahead::Yes
                } else {
                    Ahead::No
                };
            };
            place = match input.byte(place) {
                Some(b'\r') if newlines && *wanted == b'\n' => {
                    match self.after_newline(input, place) {
                        Some(after) => after,
                        None => break Ahead::More,
                    }
                }
                Some(byte) if byte.eq_ignore_ascii_case(wanted) => place + 1,
                None if !self.last => break Ahead::More,
                _ => break Ahead::No,
            };
            probed += 1;
        };
        let seen = place - at;
        count(seen - from);
        if ahead == Ahead::More {
            known.wait(probed, seen);
        } else if seen == probed {
            // Where a CR LF is an LF of the name, bytes are not bytes of the name.
            known.found(start, probed);
        }
        self.name_ahead = known;
        ahead
    }
}
