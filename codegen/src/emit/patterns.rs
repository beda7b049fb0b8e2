//! Character sets as match patterns.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::charset::CharSet;

/// The set's ASCII members as a pattern of bytes; `None` when it has none.
pub(crate) fn bytes(set: &CharSet) -> Option<TokenStream> {
    let ranges = set
        .ranges()
        .iter()
        .filter(|(first, _)| *first < 0x80)
        .map(|&(first, last)| {
            let (first, last) = (first as u8, last.min(0x7F) as u8);
            let (a, b) = (
                Literal::byte_character(first),
                Literal::byte_character(last),
            );
            match last - first {
                0 => quote!(#a),
                1 => quote!(#a | #b),
                _ => quote!(#a..=#b),
            }
        });
    alternatives(ranges)
}

/// The set as a pattern of characters; `None` when it is empty.
pub(crate) fn chars(set: &CharSet) -> Option<TokenStream> {
    let ranges = set.ranges().iter().filter_map(|&(first, last)| {
        let (first, last) = (char::from_u32(first)?, char::from_u32(last)?);
        let (a, b) = (Literal::character(first), Literal::character(last));
        Some(if first == last {
            quote!(#a)
        } else {
            quote!(#a..=#b)
        })
    });
    alternatives(ranges)
}

/// Numbers as a pattern.
pub(crate) fn numbers(ranges: &[(u32, u32)]) -> TokenStream {
    let ranges = ranges.iter().map(|&(first, last)| {
        let (a, b) = (hex(first), hex(last));
        if first == last {
            quote!(#a)
        } else {
            quote!(#a..=#b)
        }
    });
    alternatives(ranges).unwrap_or_default()
}

/// A number as the texts write it.
pub(crate) fn hex(number: u32) -> TokenStream {
    format!("{number:#04X}")
        .replace("0X", "0x")
        .parse()
        .unwrap_or_else(|_| quote!(#number))
}

/// Whether a value has the pattern, as a function; without a pattern no value has.
pub(crate) fn holds(pattern: Option<TokenStream>) -> TokenStream {
    match pattern {
        Some(pattern) => quote!(|c| ::core::matches!(c, #pattern)),
        None => quote!(|_| false),
    }
}

fn alternatives(patterns: impl Iterator<Item = TokenStream>) -> Option<TokenStream> {
    let patterns: Vec<_> = patterns.collect();
    (!patterns.is_empty()).then(|| quote!(#(#patterns)|*))
}

/// Whether all members are ASCII.
pub(crate) fn is_ascii(set: &CharSet) -> bool {
    set.ranges().last().is_none_or(|&(_, last)| last < 0x80)
}
