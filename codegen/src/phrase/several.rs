//! Several phrases in one text, which are a list.

use super::cursor::Cursor;
use crate::diagnostic::{Faults, Span};
use crate::lexer::{Kind, normal_outside_quotes, tokens};
use crate::read::quoting::item;

/// How to write several phrases that commas separate; `None` if the text is not several phrases.
pub(crate) fn several(
    text: &str,
    in_list: bool,
    is_phrase: impl Fn(&str) -> bool,
) -> Option<String> {
    let tokens = tokens(text, Span::default(), &mut Faults::default());
    let mut pieces: Vec<String> = Vec::new();
    for tokens in tokens.split(|token| token.kind == Kind::Comma) {
        let piece = Cursor {
            text,
            tokens,
            span: Span::default(),
        };
        let piece = normal_outside_quotes(piece.typed());
        match pieces.last_mut() {
            Some(last) if takes_with(last) && piece.starts_with("with ") => {
                *last = format!("{last}, {piece}");
            }
            _ if piece.is_empty() => {}
            _ => pieces.push(piece),
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

/// Whether a comma and `with` may follow.
fn takes_with(piece: &str) -> bool {
    piece.starts_with("attempt to ") && !piece.contains(',')
}
