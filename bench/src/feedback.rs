//! The feedback of tree construction after a start tag, by the tag's name, for a document without scripting. All
//! contenders that can switch content use this function.

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

/// The content after a start tag. The compiler makes a decision tree of the comparisons. Always inlined, so that no
/// contender pays for a call that another avoids.
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
