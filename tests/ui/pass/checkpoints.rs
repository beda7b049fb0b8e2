//! Registers of each type are in the checkpoints of a table that needs them.
speclex::tokenizer! {
    mod registers = "tables/registers.yaml";
}

use std::collections::HashSet;

use registers::{Checkpoint, Collector, Token, Tokenizer};
use speclex::Span;

type Tokens = Vec<(Token<'static>, Span)>;

/// The tokens of a text whose first ones and checkpoint are known.
fn rest((checkpoint, at): &(Checkpoint, u64), text: &str) -> Tokens {
    let mut tokenizer = Tokenizer::new(Collector::new());
    tokenizer.restore(checkpoint, *at);
    tokenizer.feed(&text[*at as usize..]).expect("no pauses");
    tokenizer.end().expect("no pauses");
    tokenizer.into_sink().tokens
}

/// Whether a text goes on at each checkpoint; returns these.
fn checkpoints(text: &str) -> Vec<Checkpoint> {
    let whole: Tokens = registers::tokens(text)
        .map(|(token, span)| (token.into_owned(), span))
        .collect();
    let mut tokenizer = Tokenizer::new(Collector::new());
    let mut found = Vec::new();
    for at in 0..text.len() {
        tokenizer.feed(&text[at..=at]).expect("no pauses");
        let Some(checkpoint) = tokenizer.checkpoint() else {
            continue;
        };
        let mut all = tokenizer.sink().tokens.clone();
        for (token, span) in rest(&checkpoint, text) {
            if let Token::Characters(more) = &token
                && let Some((Token::Characters(text), whole)) = all.last_mut()
            {
                text.to_mut().push_str(more);
                whole.end = span.end;
            } else {
                all.push((token, span));
            }
        }
        assert_eq!(all, whole, "{text} from {checkpoint:?} on");
        found.push(checkpoint.0);
    }
    tokenizer.end().expect("no pauses");
    found
}

fn main() {
    let pieces = [
        "(", ")", "\"", "'", "!", "?", ":", ";", "=", "1", "23", ">", "<", ".\"x',", ".",
    ];
    let mut different = HashSet::new();
    for first in pieces {
        for second in pieces {
            for third in pieces {
                let text = format!("((1{first}{second}{third}a.\"',<.b");
                different.extend(checkpoints(&text));
            }
        }
    }
    assert!(different.len() > 100, "{}", different.len());
    // What was is no part of them.
    let last = |text| checkpoints(text).pop();
    assert!(last("(!1").is_some());
    assert_eq!(last("(!1"), last("a.b,:;((?1=)!.c,1"));
    assert_ne!(last("(!1"), last("(?1"));
    // Inside a token there are none.
    assert_eq!(checkpoints("a.b").len(), 1);
}
