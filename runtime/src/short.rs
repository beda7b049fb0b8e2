//! Short strings in place.

#[cfg(feature = "simd")]
use crate::fast::characters;

/// A string of up to `ROOM` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Short<const ROOM: usize> {
    length: u8,
    bytes: [u8; ROOM],
}

impl<const ROOM: usize> Short<ROOM> {
    /// No characters.
    pub(crate) const EMPTY: Self = {
        assert!(ROOM <= u8::MAX as usize, "a length is one byte");
        Self {
            length: 0,
            bytes: [0; ROOM],
        }
    };

    /// Appends characters, if all have room.
    #[inline(always)]
    pub(crate) fn push_str(&mut self, more: &str) -> bool {
        self.put(usize::from(self.length), more)
    }

    /// Takes these characters in place of its own, if all have room.
    #[inline(always)]
    pub(crate) fn set(&mut self, text: &str) -> bool {
        self.put(0, text)
    }

    /// Takes these characters in place of its own from `start` on, which is 0 or its end.
    #[inline(always)]
    fn put(&mut self, start: usize, text: &str) -> bool {
        let room = self.bytes.get_mut(start..);
        let Some(room) = room.and_then(|room| room.get_mut(..text.len())) else {
            return false;
        };
        copy(text.as_bytes(), room);
        self.length = (start + text.len()) as u8;
        true
    }

    /// The bytes of its characters: of one string after the other.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> &[u8] {
        let bytes = self.bytes.get(..usize::from(self.length));
        bytes.unwrap_or_default()
    }

    /// Its characters.
    #[inline(always)]
    pub(crate) fn as_str(&self) -> &str {
        characters(self)
    }
}

#[cfg(not(feature = "simd"))]
#[inline(always)]
fn characters<const ROOM: usize>(text: &Short<ROOM>) -> &str {
    core::str::from_utf8(text.bytes()).unwrap_or_default()
}

/// Copies as many bytes as there is room for: up to 24, as many as names have, by moves of pieces that may overlap, without
/// a call.
#[inline(always)]
fn copy(from: &[u8], to: &mut [u8]) {
    if from.len() > 24 {
        to.copy_from_slice(from);
    } else if ends::<8>(from, to) {
        let middle = from.get(8..).and_then(<[u8]>::first_chunk::<8>);
        let room = to.get_mut(8..).and_then(<[u8]>::first_chunk_mut);
        if let (Some(middle), Some(room)) = (middle, room) {
            *room = *middle;
        }
    } else if !ends::<4>(from, to) && !ends::<2>(from, to) {
        ends::<1>(from, to);
    }
}

/// Copies the first and the last so many bytes; not if there are fewer.
#[inline(always)]
fn ends<const N: usize>(from: &[u8], to: &mut [u8]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else {
        return false;
    };
    if let Some(room) = to.first_chunk_mut() {
        *room = *first;
    }
    if let Some(room) = to.last_chunk_mut() {
        *room = *last;
    }
    true
}
