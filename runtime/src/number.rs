//! Numbers of numeric character references: they saturate above the last code point.

/// Stands for every number above the last code point.
const TOO_LARGE: u32 = 0x11_0000;

/// `number * by`.
#[inline]
pub fn multiply(number: u32, by: u32) -> u32 {
    number.saturating_mul(by).min(TOO_LARGE)
}

/// `number` plus the value of a digit (0-9, A-F, a-f); anything else counts as 0.
#[inline]
pub fn add_digit(number: u32, digit: Option<u8>) -> u32 {
    let digit = digit.and_then(|digit| char::from(digit).to_digit(16));
    number.saturating_add(digit.unwrap_or(0)).min(TOO_LARGE)
}

/// `number + 1`.
#[inline]
pub fn increase(number: u32) -> u32 {
    number.saturating_add(1).min(TOO_LARGE)
}

/// The character with this code point; U+FFFD when there is none.
#[inline]
pub fn character(number: u32) -> char {
    char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
}
