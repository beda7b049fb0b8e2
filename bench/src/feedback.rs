//! What tree construction says to the tokenizer after a start tag, by the tag's name: that of an
//! ordinary document without scripting. Every contender that can be told gets this very function.

/// The content that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// Text and character references.
    Rcdata,
    /// Text.
    Rawtext,
    /// Text with escapes.
    ScriptData,
    /// Text up to the end.
    Plaintext,
}

/// The content after a start tag. Compares bytes, for which the compiler makes a decision tree. Always inlined, so
/// that no contender pays for a call that another does not.
#[inline(always)]
pub fn follows(start_tag: &[u8]) -> Option<Follows> {
    Some(match start_tag {
        b"title" | b"textarea" => Follows::Rcdata,
        b"style" | b"xmp" | b"iframe" | b"noembed" | b"noframes" => Follows::Rawtext,
        b"script" => Follows::ScriptData,
        b"plaintext" => Follows::Plaintext,
        _ => return None,
    })
}
