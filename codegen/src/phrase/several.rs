//! Several phrases in one text, which are a list.

use super::cursor::Cursor;
use crate::diagnostic::{Faults, Span};
use crate::lexer::{Kind, normal_outside_quotes, tokens};
use crate::read::quoting::item;

/// Longer texts are not tried as two phrases.
const MOST_WORDS: usize = 40;

/// How to write several phrases that stand in one text; `None` if the text is not several phrases.
pub(crate) fn several(
    text: &str,
    in_list: bool,
    is_phrase: impl Fn(&str) -> bool,
) -> Option<String> {
    if text.starts_with("if ") || text.starts_with("otherwise ") || text.contains(", with") {
        return None;
    }
    let bare = text.trim_matches(['(', ')', '[', ']']);
    let text = if text.contains("U+") { text } else { bare };
    let with_commas = text.replace(';', ",");
    let text = if text.contains('"') {
        text
    } else {
        &with_commas
    };
    let tokens = tokens(text, Span::default(), &mut Faults::default());
    let pieces = tokens
        .split(|token| token.kind == Kind::Comma)
        .map(|tokens| {
            let piece = Cursor::new(text, tokens, Span::default());
            normal_outside_quotes(piece.typed())
        });
    let pieces: Vec<String> = pieces.filter(|piece| !piece.is_empty()).collect();
    let pieces: Vec<String> = match pieces.as_slice() {
        [only] => two(only, &is_phrase)?,
        [_, .., last] if last.starts_with("then ") || last.starts_with("and ") => {
            let bare = last.split_once(' ').map_or("", |(_, rest)| rest).to_owned();
            pieces[..pieces.len() - 1]
                .iter()
                .cloned()
                .chain([bare])
                .collect()
        }
        _ => pieces,
    };
    let is_one = |piece: &String| is_phrase(piece.as_str());
    let is_several = pieces.len() > 1 && pieces.iter().any(is_one);
    let list: Vec<String> = pieces.iter().map(|piece| item(piece)).collect();
    is_several.then(|| match in_list {
        true if text.contains(" - ") => format!(
            "an item that is indented deeper than the one above is part of it; these are several: `{}`",
            list.join("`, `")
        ),
        true => format!(
            "several phrases are several items of the list: `{}`",
            list.join("`, `")
        ),
        false => format!(
            "several phrases are a list in brackets: `[{}]`",
            list.join(", ")
        ),
    })
}

/// Two phrases with nothing between them, or a word or dash that does not belong there.
fn two(text: &str, is_phrase: impl Fn(&str) -> bool) -> Option<Vec<String>> {
    let words: Vec<&str> = text.split(' ').collect();
    if words.len() > MOST_WORDS {
        return None;
    }
    (1..words.len()).find_map(|at| {
        let (before, after) = words.split_at(at);
        let between = matches!(after, ["and" | "then" | "-", ..]);
        let pieces = [before, &after[usize::from(between)..]].map(|words| words.join(" "));
        let is_whole = !matches!(before.last(), Some(&("the" | "a" | "an")));
        (is_whole && pieces.iter().all(|piece| is_phrase(piece))).then(|| pieces.to_vec())
    })
}
