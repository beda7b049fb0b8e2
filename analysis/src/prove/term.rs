//! Exact terms: what a place holds, in terms of what was held at the start of a move and of the input read since.
//! Two places hold the same if their terms are equal.

use std::rc::Rc;

use speclex_codegen::machine::TOO_LARGE;

/// What is applied to terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Function {
    /// A number, times this.
    Times(u32),
    /// A number and a character: their sum, as a digit.
    AddDigit,
    Increase,
    Decrease,
    /// A number, replaced as both tables say.
    Replaced,
    /// The character with this number, as a piece of a text.
    Character,
    /// What a matched reference stands for, as a piece of a text.
    ReplacementOf,
    /// The name of a matched reference, as a piece of a text.
    NameOf,
    /// The last character of the name of a matched reference, as a number.
    LastOf,
    /// The latest of several places of the input.
    Latest,
    /// A list of attributes with one more: its name, its value.
    WithAttribute,
    /// What became of it outside, of which nothing is known but that it is the same for both.
    Outside,
}

/// A term. A text is always a [`Term::Text`], without literals side by side; a literal is never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Term {
    /// What a class of places holds at the start of the move.
    Held(u32),
    /// A number, the index of a state or of a word, a character and one more, or for nothing 0.
    Number(u32),
    /// A piece of a text: a string.
    Literal(String),
    /// A piece of a text: the character that is an item of the input.
    Character(i32),
    /// A piece of a text: the lowercase of that character.
    Lowercase(i32),
    /// A reference: the name that is an item of the input.
    Name(i32),
    /// The place before an item of the input.
    Before(i32),
    /// A text: its pieces.
    Text(Rc<Vec<Term>>),
    /// A function of terms.
    Of(Function, Rc<Vec<Term>>),
}

impl Term {
    /// A text of one string.
    pub(super) fn text(literal: &str) -> Self {
        Self::pieces(match literal {
            "" => Vec::new(),
            _ => vec![Self::Literal(literal.to_owned())],
        })
    }

    /// A text of these pieces.
    pub(super) fn pieces(pieces: Vec<Self>) -> Self {
        Self::Text(Rc::new(pieces))
    }

    /// A function of terms.
    pub(super) fn of(function: Function, parts: Vec<Self>) -> Self {
        Self::Of(function, Rc::new(parts))
    }

    /// A text of one piece.
    pub(super) fn piece(piece: Self) -> Self {
        Self::pieces(vec![piece])
    }

    /// Whether it is the same in every move.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Number(_) | Self::Before(_) => true,
            Self::Text(pieces) => matches!(pieces.as_slice(), [] | [Self::Literal(_)]),
            _ => false,
        }
    }

    /// Whether it is a text that is never empty.
    pub(super) fn is_never_empty(&self) -> bool {
        let Self::Text(pieces) = self else {
            return false;
        };
        pieces.iter().any(|piece| match piece {
            Self::Literal(_) | Self::Character(_) | Self::Lowercase(_) => true,
            Self::Of(function, _) => matches!(function, Function::Character | Function::NameOf),
            _ => false,
        })
    }

    /// What became of it outside.
    pub(super) fn outside(self) -> Self {
        let is_text = matches!(self, Self::Text(_));
        let outside = Self::of(Function::Outside, vec![self]);
        if is_text {
            Self::piece(outside)
        } else {
            outside
        }
    }
}

/// Adds a piece to those of a text.
pub(super) fn push(pieces: &mut Vec<Term>, piece: Term) {
    match (pieces.last_mut(), piece) {
        (Some(Term::Literal(before)), Term::Literal(more)) => before.push_str(&more),
        (_, piece) => pieces.push(piece),
    }
}

/// Two texts, one after the other.
pub(super) fn concat(one: &Term, more: &Term) -> Term {
    let (Term::Text(one), Term::Text(more)) = (one, more) else {
        return Term::of(Function::Outside, vec![one.clone(), more.clone()]);
    };
    let mut all = Vec::clone(one);
    more.iter().for_each(|piece| push(&mut all, piece.clone()));
    Term::pieces(all)
}

/// The later of two places.
pub(super) fn later(one: &Term, other: &Term) -> Term {
    let mut parts: Vec<Term> = Vec::new();
    let mut last: Option<i32> = None;
    for term in [one, other] {
        let all = match term {
            Term::Of(Function::Latest, all) => all.as_slice(),
            one => std::slice::from_ref(one),
        };
        for term in all {
            match term {
                Term::Before(at) => last = last.max(Some(*at)),
                other => parts.push(other.clone()),
            }
        }
    }
    parts.extend(last.map(Term::Before));
    parts.sort();
    parts.dedup();
    match parts.len() {
        1 => parts.remove(0),
        _ => Term::of(Function::Latest, parts),
    }
}

/// A function of one number, if it is arithmetic.
pub(super) fn arithmetic(function: &Function, number: u32) -> Option<u32> {
    Some(match function {
        Function::Times(factor) => number.saturating_mul(*factor).min(TOO_LARGE),
        Function::Increase => number.saturating_add(1).min(TOO_LARGE),
        Function::Decrease => number.saturating_sub(1),
        _ => return None,
    })
}

/// The digit that a character is.
pub(super) fn digit(c: char) -> u32 {
    c.to_digit(16).unwrap_or(0)
}
