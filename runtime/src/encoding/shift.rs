//! Decoders that start in the middle of a stream.
//!
//! Between characters a decoder has no state, except that of ISO-2022-JP: escape sequences choose its set of characters.

use encoding_rs::{Decoder, DecoderResult, Encoding, ISO_2022_JP};

/// The state between characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shift {
    /// The set of characters, a place in [`SETS`].
    pub(super) set: u8,
    /// Whether an escape sequence stands right before: another one is an error then.
    pub(super) is_new: bool,
}

/// Escape sequences, each with a character of its set.
const SETS: [(&[u8], &[u8]); 4] = [
    (b"\x1B(B", b"a"),
    (b"\x1B(J", b"a"),
    (b"\x1B(I", b"!"),
    (b"\x1B$B", b"$\""),
];

/// The longest output of one call here: two characters.
const OUTPUT: usize = 16;

/// The set that an escape sequence chooses with which these bytes begin.
fn escape(bytes: &[u8]) -> Option<u8> {
    match bytes {
        [0x1B, b'(', b'B', ..] => Some(0),
        [0x1B, b'(', b'J', ..] => Some(1),
        [0x1B, b'(', b'I', ..] => Some(2),
        [0x1B, b'$', b'@' | b'B', ..] => Some(3),
        _ => None,
    }
}

impl Shift {
    /// The state after these bytes, which end between characters. Wherever ESC stands, it starts an escape sequence.
    pub(super) fn after(self, encoding: &'static Encoding, bytes: &[u8]) -> Self {
        if encoding != ISO_2022_JP {
            return self;
        }
        let ends = (0..bytes.len()).rev();
        let mut last = ends.filter_map(|at| Some((at, escape(&bytes[at..])?)));
        match last.next() {
            Some((at, set)) => Self {
                set,
                is_new: at + SETS[0].0.len() == bytes.len(),
            },
            None => Self {
                is_new: self.is_new && bytes.is_empty(),
                ..self
            },
        }
    }

    /// A decoder in this state.
    pub(super) fn decoder(self, encoding: &'static Encoding) -> Decoder {
        let mut decoder = encoding.new_decoder_without_bom_handling();
        if self != Self::default() {
            let (escape, character) = SETS[usize::from(self.set)];
            let mut dropped = [0; OUTPUT];
            let _ = decoder.decode_to_utf8(escape, &mut dropped, false);
            if !self.is_new {
                let _ = decoder.decode_to_utf8(character, &mut dropped, false);
            }
        }
        decoder
    }
}

/// The least part of a stream that is decoded by itself: a character, two that have one code, a malformed sequence, or an
/// escape sequence.
pub(super) struct Unit {
    /// How many bytes it has.
    pub(super) bytes: usize,
    /// How many bytes of UTF-8 it becomes.
    pub(super) text: usize,
    /// The state behind it.
    pub(super) shift: Shift,
}

/// The unit with which the rest of a stream begins.
pub(super) fn unit(encoding: &'static Encoding, shift: Shift, rest: &[u8]) -> Option<Unit> {
    const REPLACEMENT: usize = '\u{FFFD}'.len_utf8();
    if encoding == ISO_2022_JP
        && let Some(set) = escape(rest)
    {
        return Some(Unit {
            bytes: SETS[0].0.len(),
            text: if shift.is_new { REPLACEMENT } else { 0 },
            shift: Shift { set, is_new: true },
        });
    }
    let shift = Shift {
        is_new: false,
        ..shift
    };
    let mut decoder = shift.decoder(encoding);
    let mut text = [0; OUTPUT];
    for at in 0..=rest.len() {
        let byte = rest.get(at..=at).unwrap_or_default();
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(byte, &mut text, byte.is_empty());
        let (bytes, text) = match result {
            DecoderResult::Malformed(_, behind) => (at + read - usize::from(behind), REPLACEMENT),
            _ if written > 0 => (at + read, written),
            _ => continue,
        };
        return Some(Unit { bytes, text, shift });
    }
    None
}
