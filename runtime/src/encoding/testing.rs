//! A slow reference of decoders, written from the Encoding Standard; only its indexes are those of `encoding_rs`.

#![cfg(test)]

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Range;

use encoding_rs::*;

/// All encodings.
pub(super) const ALL: [&Encoding; 40] = [
    BIG5,
    EUC_JP,
    EUC_KR,
    GB18030,
    GBK,
    IBM866,
    ISO_2022_JP,
    ISO_8859_2,
    ISO_8859_3,
    ISO_8859_4,
    ISO_8859_5,
    ISO_8859_6,
    ISO_8859_7,
    ISO_8859_8,
    ISO_8859_8_I,
    ISO_8859_10,
    ISO_8859_13,
    ISO_8859_14,
    ISO_8859_15,
    ISO_8859_16,
    KOI8_R,
    KOI8_U,
    MACINTOSH,
    REPLACEMENT,
    SHIFT_JIS,
    UTF_16BE,
    UTF_16LE,
    UTF_8,
    WINDOWS_1250,
    WINDOWS_1251,
    WINDOWS_1252,
    WINDOWS_1253,
    WINDOWS_1254,
    WINDOWS_1255,
    WINDOWS_1256,
    WINDOWS_1257,
    WINDOWS_1258,
    WINDOWS_874,
    X_MAC_CYRILLIC,
    X_USER_DEFINED,
];

/// What each part of a document becomes: its bytes, and its text.
pub(super) type Units = Vec<(Range<usize>, String)>;

/// A step of a decoder: how many bytes are used, and what they become; U+FFFD stands for an error, and nothing for a change of
/// state.
type Step = (usize, String);

const ERROR: &str = "\u{FFFD}";

/// All units of a document.
pub(super) fn reference(encoding: &'static Encoding, bytes: &[u8]) -> Units {
    if encoding == REPLACEMENT {
        let units = [(0..bytes.len(), ERROR.to_owned())];
        return units
            .into_iter()
            .filter(|(bytes, _)| !bytes.is_empty())
            .collect();
    }
    let mut japanese = Japanese::default();
    let mut units = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (used, text) = if encoding == ISO_2022_JP {
            japanese.step(rest)
        } else {
            step(encoding, rest)
        };
        units.push((at..at + used, text));
        at += used;
    }
    units.retain(|(_, text)| !text.is_empty());
    units
}

/// What an index has for a code.
fn index(encoding: &'static Encoding, code: &[u8]) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(code)?;
    Some(text.into_owned())
}

fn step(encoding: &'static Encoding, rest: &[u8]) -> Step {
    let first = rest[0];
    if encoding == UTF_8 {
        let chunk = rest.utf8_chunks().next().expect("a chunk");
        return match chunk.valid().chars().next() {
            Some(c) => (c.len_utf8(), c.to_string()),
            None => (chunk.invalid().len(), ERROR.to_owned()),
        };
    }
    if encoding == UTF_16BE || encoding == UTF_16LE {
        let unit = |pair: &[u8]| match encoding == UTF_16BE {
            true => u16::from_be_bytes([pair[0], pair[1]]),
            false => u16::from_le_bytes([pair[0], pair[1]]),
        };
        let units: Vec<u16> = rest.chunks_exact(2).take(2).map(unit).collect();
        return match char::decode_utf16(units.iter().copied()).next() {
            Some(Ok(c)) => (c.len_utf16() * 2, c.to_string()),
            // A lead surrogate waits for a whole unit: what the end of the document cuts off is one error.
            Some(Err(error)) if error.unpaired_surrogate() < 0xDC00 && rest.len() < 4 => {
                (rest.len(), ERROR.to_owned())
            }
            Some(Err(_)) => (2, ERROR.to_owned()),
            None => (1, ERROR.to_owned()),
        };
    }
    if first < 0x80 {
        return (1, char::from(first).to_string());
    }
    if (encoding == GBK || encoding == GB18030)
        && let Some(step) = four_bytes(rest)
    {
        return step;
    }
    if encoding == EUC_JP && first == 0x8F && rest.get(1).is_some_and(|b| (0xA1..=0xFE).contains(b))
    {
        return match rest.get(2) {
            Some(third) => match index(encoding, &rest[..3]) {
                Some(text) => (3, text),
                None if third.is_ascii() => (2, ERROR.to_owned()),
                None => (3, ERROR.to_owned()),
            },
            None => (2, ERROR.to_owned()),
        };
    }
    let is_lead = if [BIG5, EUC_KR, GBK, GB18030].contains(&encoding) {
        matches!(first, 0x81..=0xFE)
    } else if encoding == SHIFT_JIS {
        matches!(first, 0x81..=0x9F | 0xE0..=0xFC)
    } else {
        encoding == EUC_JP && matches!(first, 0x8E | 0x8F | 0xA1..=0xFE)
    };
    if is_lead {
        return match rest.get(1) {
            None => (1, ERROR.to_owned()),
            // An index of two bytes has no code that is two single ones: the lead is none.
            Some(second) => match index(encoding, &rest[..2]) {
                Some(text) => (2, text),
                None if second.is_ascii() => (1, ERROR.to_owned()),
                None => (2, ERROR.to_owned()),
            },
        };
    }
    (1, index(encoding, &rest[..1]).unwrap_or(ERROR.to_owned()))
}

/// Of gb18030: a code of four bytes, or how that goes wrong.
fn four_bytes(rest: &[u8]) -> Option<Step> {
    let is_lead = |byte: &u8| (0x81..=0xFE).contains(byte);
    if !is_lead(&rest[0]) || !rest.get(1)?.is_ascii_digit() {
        return None;
    }
    let error = |used| Some((used, ERROR.to_owned()));
    match (rest.get(2), rest.get(3)) {
        (None, _) => error(2),
        (Some(third), _) if !is_lead(third) => error(1),
        (_, None) => error(3),
        (_, Some(fourth)) if !fourth.is_ascii_digit() => error(1),
        _ => Some((4, index(GB18030, &rest[..4]).unwrap_or(ERROR.to_owned()))),
    }
}

/// ISO-2022-JP.
#[derive(Default)]
struct Japanese {
    set: Set,
    /// The output flag.
    is_new: bool,
}

#[derive(Clone, Copy, Default)]
enum Set {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Pairs,
}

impl Japanese {
    fn step(&mut self, rest: &[u8]) -> Step {
        let set = match rest {
            [0x1B, b'(', b'B', ..] => Some(Set::Ascii),
            [0x1B, b'(', b'J', ..] => Some(Set::Roman),
            [0x1B, b'(', b'I', ..] => Some(Set::Katakana),
            [0x1B, b'$', b'@' | b'B', ..] => Some(Set::Pairs),
            _ => None,
        };
        if let Some(set) = set {
            self.set = set;
            let was_new = core::mem::replace(&mut self.is_new, true);
            return (3, if was_new { ERROR } else { "" }.to_owned());
        }
        self.is_new = false;
        let error = |used| (used, ERROR.to_owned());
        let one = |c: Option<char>| (1, c.unwrap_or(char::REPLACEMENT_CHARACTER).to_string());
        match (self.set, rest[0]) {
            (Set::Ascii, 0x0E | 0x0F | 0x1B | 0x80..) => error(1),
            (Set::Ascii, byte) => one(Some(byte.into())),
            (Set::Roman, b'\\') => one(Some('¥')),
            (Set::Roman, b'~') => one(Some('‾')),
            (Set::Roman, 0x0E | 0x0F | 0x1B | 0x80..) => error(1),
            (Set::Roman, byte) => one(Some(byte.into())),
            (Set::Katakana, byte @ 0x21..=0x5F) => {
                one(char::from_u32(0xFF61 - 0x21 + u32::from(byte)))
            }
            (Set::Katakana, _) => error(1),
            (Set::Pairs, lead @ 0x21..=0x7E) => match rest.get(1) {
                // The end, or an escape sequence: only the lead is wrong.
                None | Some(0x1B) => error(1),
                Some(trail @ 0x21..=0x7E) => match index(EUC_JP, &[lead | 0x80, trail | 0x80]) {
                    Some(text) => (2, text),
                    None => error(2),
                },
                Some(_) => error(2),
            },
            (Set::Pairs, _) => error(1),
        }
    }
}

/// Seeded random numbers.
pub(super) struct Random(pub(super) u64);

impl Random {
    /// A number below `end`.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }

    /// A document in an encoding: text of all planes, damaged here and there.
    pub(super) fn document(&mut self, encoding: &'static Encoding) -> Vec<u8> {
        const BOUNDS: &[u8] = b"\0\x0E\x0F\x1B !09@AZ\\a~\x7F\x80\x81\x8E\x8F\x9F\xA0\xA1\xC2\xD7\xD8\xDB\xDC\xDF\xE0\xED\xF0\xF4\xFC\xFD\xFE\xFF";
        const ESCAPES: [&[u8]; 6] = [
            b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B", b"\x1B$",
        ];
        const STARTS: [u32; 12] = [
            0, 0x20, 0x60, 0xA0, 0x380, 0x400, 0x5D0, 0x3040, 0x4E00, 0xAC00, 0xFF61, 0x1F600,
        ];
        let mut bytes = Vec::new();
        let damage = self.below(6);
        for _ in 0..self.below(40) {
            match self.below(8) < damage {
                true if encoding == ISO_2022_JP && self.below(2) == 0 => {
                    bytes.extend_from_slice(ESCAPES[self.below(ESCAPES.len())]);
                }
                true => bytes.push(BOUNDS[self.below(BOUNDS.len())]),
                false => {
                    let start = STARTS[self.below(STARTS.len())];
                    let c = char::from_u32(start + self.below(60) as u32).unwrap_or('x');
                    if encoding == UTF_16LE || encoding == UTF_16BE {
                        for unit in c.encode_utf16(&mut [0; 2]) {
                            bytes.extend(match encoding == UTF_16BE {
                                true => unit.to_be_bytes(),
                                false => unit.to_le_bytes(),
                            });
                        }
                    } else {
                        // Several at once, so that ISO-2022-JP shifts less often.
                        let text: String = [c, c].into_iter().collect();
                        bytes.extend_from_slice(&encoding.encode(&text).0);
                    }
                }
            }
        }
        bytes
    }
}
