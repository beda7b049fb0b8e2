//! What two machines put out, compared as it comes: one may be ahead of the other.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use super::{Reported, Step};
use crate::diff::{ErrorComparison, Kind, show_token};
use crate::token::Token;

/// Where two outputs part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// What differs.
    pub kind: Kind,
    /// What each side put out; empty where it put out nothing.
    pub sides: [Vec<String>; 2],
}

/// A token that the other side has not put out yet.
#[derive(Clone, Debug)]
enum Item {
    Text { text: String, span: Range<u64> },
    Token { token: Token, span: Range<u64> },
}

/// What one side has put out and the other not yet.
#[derive(Clone, Debug, Default)]
struct Side {
    items: VecDeque<Item>,
    errors: Vec<Reported>,
    /// Where the run of characters is that both sides have put out so far.
    run: Option<Range<u64>>,
}

/// Compares.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    sides: [Side; 2],
    compared: ErrorComparison,
    /// They differ, and nothing has brought the machines together again.
    pub(super) astray: bool,
}

impl Outputs {
    pub(super) fn new(compared: ErrorComparison) -> Self {
        Self {
            sides: Default::default(),
            compared,
            astray: false,
        }
    }

    /// Takes what a step put out.
    pub(super) fn add(&mut self, side: usize, step: &Step) {
        let side = &mut self.sides[side];
        side.errors.extend(step.errors.iter().cloned());
        for emitted in &step.tokens {
            let span = emitted.span.clone();
            match (&emitted.token, side.items.back_mut()) {
                (Token::Characters(more), Some(Item::Text { text, span: so_far })) => {
                    text.push_str(more);
                    so_far.end = so_far.end.max(span.end);
                }
                (Token::Characters(text), _) => {
                    let text = text.clone();
                    side.items.push_back(Item::Text { text, span });
                }
                (token, _) => {
                    let token = token.clone();
                    side.items.push_back(Item::Token { token, span });
                }
            }
        }
    }

    /// Compares what both have put out. Nothing, as long as they are astray.
    pub(super) fn compare(&mut self) -> Option<Divergence> {
        while !self.astray {
            let [one, other] = &mut self.sides;
            let kind = match (one.items.front_mut(), other.items.front_mut()) {
                (Some(Item::Text { text: a, .. }), Some(Item::Text { text: b, .. })) => {
                    let common = common(a, b);
                    if common > 0 {
                        a.drain(..common);
                        b.drain(..common);
                        self.sides.iter_mut().for_each(Side::drop_text);
                        continue;
                    }
                    Kind::Tokens
                }
                (
                    Some(Item::Token { token: a, span: at }),
                    Some(Item::Token {
                        token: b,
                        span: other_at,
                    }),
                ) => {
                    if a != b {
                        Kind::Tokens
                    } else if at == other_at && one.run == other.run {
                        self.sides.iter_mut().for_each(Side::drop_token);
                        continue;
                    } else {
                        Kind::Positions
                    }
                }
                (Some(_), Some(_)) => Kind::Tokens,
                _ => return None,
            };
            let sides = [0, 1].map(|side| self.sides[side].first(kind));
            if kind == Kind::Tokens {
                self.forget();
                self.astray = true;
            } else {
                self.sides.iter_mut().for_each(Side::drop_token);
            }
            return Some(Divergence { kind, sides });
        }
        None
    }

    /// Both machines are where the same content starts, at the same place: nothing is half done. Errors are
    /// compared, since all before this place have been reported.
    pub(super) fn together(&mut self) -> Vec<Divergence> {
        if self.astray {
            self.forget();
            self.astray = false;
            return Vec::new();
        }
        if self.sides.iter().any(|side| !side.items.is_empty()) {
            return Vec::new();
        }
        let reported = [0, 1].map(|side| std::mem::take(&mut self.sides[side].errors));
        let [one, other] = [0, 1].map(|side| by_place(&reported[side]));
        errors(&one, &other, self.compared).into_iter().collect()
    }

    /// Both machines have come to the end.
    pub(super) fn end(&mut self) -> Vec<Divergence> {
        if self.astray {
            return Vec::new();
        }
        let rest = self.sides.iter().any(|side| !side.items.is_empty());
        if rest {
            let kind = Kind::Tokens;
            let sides = [0, 1].map(|side| self.sides[side].first(kind));
            return vec![Divergence { kind, sides }];
        }
        let [one, other] = &self.sides;
        if one.run != other.run {
            let kind = Kind::Positions;
            let sides = [0, 1].map(|side| self.sides[side].first(kind));
            return vec![Divergence { kind, sides }];
        }
        self.together()
    }

    fn forget(&mut self) {
        self.sides = Default::default();
    }
}

impl Side {
    /// Lets go of text that both have put out, and keeps where it was.
    fn drop_text(&mut self) {
        if let Some(Item::Text { text, span }) = self.items.front() {
            let run = self.run.get_or_insert(span.clone());
            if text.is_empty() {
                run.end = run.end.max(span.end);
                self.items.pop_front();
            }
        }
    }

    /// Lets go of a token that both have put out, and of the text before it.
    fn drop_token(&mut self) {
        self.items.pop_front();
        self.run = None;
    }

    /// What comes first, in words.
    fn first(&self, kind: Kind) -> Vec<String> {
        let place = |span: &Range<u64>| match kind {
            Kind::Positions => format!(" at {}..{}", span.start, span.end),
            _ => String::new(),
        };
        let mut said = Vec::new();
        if let (Kind::Positions, Some(run)) = (kind, &self.run) {
            said.push(format!("characters{}", place(run)));
        }
        match self.items.front() {
            Some(Item::Text { text, span }) => {
                let token = Token::Characters(text.clone());
                said.push(format!("{}{}", show_token(&token), place(span)));
            }
            Some(Item::Token { token, span }) => {
                said.push(format!("{}{}", show_token(token), place(span)));
            }
            None => {}
        }
        said
    }
}

/// How many bytes two texts have in common at their start.
fn common(one: &str, other: &str) -> usize {
    let pairs = one.chars().zip(other.chars());
    let same = pairs.take_while(|(a, b)| a == b);
    same.map(|(c, _)| c.len_utf8()).sum()
}

fn by_place(errors: &[Reported]) -> BTreeMap<u64, Vec<&Reported>> {
    let mut places: BTreeMap<u64, Vec<&Reported>> = BTreeMap::new();
    for error in errors {
        places.entry(error.offset).or_default().push(error);
    }
    places
}

/// The errors that only one side has at a place.
fn errors(
    one: &BTreeMap<u64, Vec<&Reported>>,
    other: &BTreeMap<u64, Vec<&Reported>>,
    compared: ErrorComparison,
) -> Option<Divergence> {
    let mut sides: [Vec<String>; 2] = Default::default();
    let mut offsets: Vec<u64> = one.keys().chain(other.keys()).copied().collect();
    offsets.sort_unstable();
    offsets.dedup();
    for offset in offsets {
        let at = [one, other].map(|side| side.get(&offset).map_or(&[][..], Vec::as_slice));
        let codes = at.map(|errors| errors.iter().map(|e| e.code.as_str()).collect::<Vec<_>>());
        if compared.agree(&codes[0], &codes[1]) {
            continue;
        }
        for (said, errors) in sides.iter_mut().zip(at) {
            let say = |error: &&Reported| {
                let at = error.at;
                format!("error {} at {}:{}", error.code, at.line, at.column)
            };
            said.extend(errors.iter().map(say));
        }
    }
    if sides.iter().all(Vec::is_empty) {
        return None;
    }
    // The same errors at other places.
    let all = [one, other].map(|side| side.values().flatten().map(|e| e.code.as_str()).collect());
    let [ours, theirs]: [Vec<&str>; 2] = all;
    let kind = if compared.agree(&ours, &theirs) {
        Kind::Positions
    } else {
        Kind::Errors
    };
    Some(Divergence { kind, sides })
}
