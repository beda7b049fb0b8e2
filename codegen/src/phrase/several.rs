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
    if text.starts_with("if ") || text.starts_with("otherwise ") {
        return None;
    }
    let comment = ["//", "#"]
        .into_iter()
        .find_map(|mark| text.split_once(mark));
    if let Some((phrase, _)) = comment
        && !text.contains(['"', '('])
        && is_phrase(phrase.trim())
    {
        let phrase = phrase.trim();
        return Some(format!(
            "a comment begins with a space and `#`: `{phrase} # …`"
        ));
    }
    // Of characters, `(])` may be one.
    let text = match text.contains("U+") {
        true => text,
        false => text
            .trim_start_matches(['(', '['])
            .trim_end_matches([')', ']']),
    };
    let with_commas = text.replace([';', '；', '，'], ",");
    let text = match text.contains('"') || text.contains("(;)") {
        true => text,
        false => &with_commas,
    };
    let tokens = tokens(text, Span::default(), &mut Faults::default());
    let mut pieces: Vec<String> = Vec::new();
    for tokens in tokens.split(|token| token.kind == Kind::Comma) {
        let piece = Cursor::new(text, tokens, Span::default());
        let piece = normal_outside_quotes(piece.typed());
        match pieces.last_mut() {
            Some(last) if takes_with(last) && piece.starts_with("with ") => {
                *last = format!("{last}, {piece}");
            }
            _ if piece.is_empty() => {}
            _ => pieces.push(piece),
        }
    }
    if let [only] = pieces.as_slice() {
        pieces = two(only, &is_phrase)?;
        // The second may be two in turn.
        while let Some(more) = pieces.last().and_then(|last| two(last, &is_phrase)) {
            pieces.pop();
            pieces.extend(more);
        }
    }
    let (first, others) = pieces.split_first()?;
    let among_others = others.iter().any(|piece| is_phrase(piece));
    // What comes behind `attempt to PROCEDURE,` may be a misspelt `with`.
    let is_several = among_others || !others.is_empty() && !takes_with(first) && is_phrase(first);
    let list = |separated: fn(&String) -> String| {
        let pieces: Vec<_> = pieces.iter().map(separated).collect();
        pieces.join(", ")
    };
    is_several.then(|| match in_list {
        true => format!(
            "several phrases are several items of the list: {}",
            list(|piece| format!("`{piece}`"))
        ),
        false => format!(
            "several phrases are a list in brackets: `[{}]`",
            list(|piece| item(piece))
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
        let between = matches!(after, ["and" | "then" | "-" | "—" | "–", ..]);
        let pieces = [before, &after[usize::from(between)..]].map(|words| words.join(" "));
        let is_one = |piece: &String| {
            !matches!(before.last(), Some(&("the" | "a" | "an")))
                && !piece.ends_with(':')
                && is_phrase(piece)
        };
        pieces.iter().all(is_one).then(|| pieces.to_vec())
    })
}

/// Whether a comma and `with` may follow.
fn takes_with(piece: &str) -> bool {
    piece.starts_with("attempt to ") && !piece.contains(',')
}
