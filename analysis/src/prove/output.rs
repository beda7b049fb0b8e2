//! What comes out of a move.

use super::known::Known;
use super::term::{Term, concat, later};

/// Something that comes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Out {
    /// Character tokens.
    Text { text: Term, start: Term, end: Term },
    /// Another token.
    Token {
        kind: u32,
        /// For each field what its places hold.
        fields: Vec<Vec<Term>>,
        start: Term,
        end: Term,
        /// The place of the next input if the sink is asked about the token; `None` while it is not known.
        resume: Option<Term>,
    },
}

/// What came out in normal form, with neighbouring texts joined: how a text is cut is not compared.
pub(super) fn joined(outs: &[Out], known: &Known) -> Vec<Out> {
    let mut all: Vec<Out> = Vec::new();
    for out in outs {
        let out = normal(out, known);
        match (all.last_mut(), &out) {
            // An empty text comes out as nothing.
            (_, Out::Text { text, .. }) if *text == Term::text("") => {}
            (
                Some(Out::Text {
                    text: before,
                    end: last,
                    ..
                }),
                Out::Text { text, end, .. },
            ) if before.is_never_empty() && text.is_never_empty() => {
                *before = concat(before, text);
                *last = later(last, end);
            }
            _ => all.push(out),
        }
    }
    all
}

fn normal(out: &Out, known: &Known) -> Out {
    match out {
        Out::Text { text, start, end } => Out::Text {
            text: known.normal(text),
            start: known.normal(start),
            end: known.normal(end),
        },
        Out::Token {
            kind,
            fields,
            start,
            end,
            resume,
        } => {
            let normal = |parts: &Vec<Term>| parts.iter().map(|it| known.normal(it)).collect();
            Out::Token {
                kind: *kind,
                fields: fields.iter().map(normal).collect(),
                start: known.normal(start),
                end: known.normal(end),
                resume: resume.as_ref().map(|it| known.normal(it)),
            }
        }
    }
}
