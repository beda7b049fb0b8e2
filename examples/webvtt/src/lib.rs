//! The cue text of WebVTT: a tokenizer made from `tables/webvtt.yaml`, and what of the file around it the
//! program needs.
//!
//! ```
//! use webvtt_example::plain;
//! assert_eq!(plain("<v Fred>Hi, I&rsquo;m <i.loud>Fred</i>"), "Hi, I\u{2019}m Fred");
//! ```
#![forbid(unsafe_code)]

speclex::tokenizer! {
    /// Tags, timestamps and text of a cue.
    pub mod cue = "tables/webvtt.yaml";
}

/// What a cue says, without its tags.
#[must_use]
pub fn plain(text: &str) -> String {
    cue::tokens(text)
        .filter_map(|(token, _)| match token {
            cue::Token::Characters(data) => Some(data),
            _ => None,
        })
        .collect()
}

/// The timings and the text of each cue of a file: the blocks with a line that has an arrow.
pub fn cues(file: &str) -> impl Iterator<Item = (&str, String)> {
    let mut lines = file.lines();
    std::iter::from_fn(move || {
        let timings = lines.by_ref().find(|line| line.contains("-->"))?;
        let text: Vec<_> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
        Some((timings, text.join("\n")))
    })
}
