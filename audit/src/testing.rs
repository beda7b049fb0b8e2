//! What the tests of this workspace need of the insides.

/// The character that a text names at its beginning, how many bytes its naming takes, and what contradicts itself in it.
pub fn named_character(text: &str) -> Option<(char, usize, Option<String>)> {
    let named = crate::words::named_character(text)?;
    Some((named.character, named.len, named.slip))
}
