//! Rows: a phrase of a language is one row of a table, from which it is read, explained and suggested.
//!
//! A row's pattern has words that stand as they are, and holes in capitals: `append VALUE to FIELD`. Articles are free.

use super::cursor::Cursor;
use super::templates::{Template, is_open};
use crate::lexer::{Kind, Token};

/// How many ways to divide one text into the holes of one pattern are tried: the words between holes may also
/// stand in names.
const MOST_TRIES: usize = 16;

/// Behind these a text may say `not`, and behind `has` also `no`.
const VERBS: [&str; 3] = ["is", "are", "has"];

/// How many parts are named one by one where they are expected.
const MOST_EXPECTED: usize = 3;

/// What stands in an open part of a pattern.
pub(crate) struct Hole<V> {
    /// What is expected there: "a number register".
    pub(crate) expected: &'static str,
    /// Reads it; `None` if it is something else.
    pub(crate) read: fn(Cursor<'_>) -> Option<V>,
}

/// One phrase of a language, with what it means: a constructor of what its holes hold.
pub(crate) struct Row<M: 'static> {
    /// What it says of itself: the patterns differ in what stands in the holes.
    pub(crate) templates: &'static [Template],
    /// What is expected in each hole.
    pub(crate) expected: &'static [&'static str],
    /// Which hole holds something else, if one does.
    pub(crate) odd: fn(&[Cursor<'_>]) -> Option<usize>,
    pub(crate) means: M,
}

impl<M> Row<M> {
    /// The pattern by which it is read.
    pub(crate) fn pattern(&self) -> &'static str {
        self.templates.first().map_or("", |first| first.pattern)
    }
}

/// Rows: what a phrase does, its pattern, an example, and how it is built from what its holes hold.
macro_rules! rows {
    ($($($(#[doc = $about:literal])+ $pattern:literal = $example:literal)+
       $(with $($name:ident: $hole:ident),+)? => |$checker:pat_param, $span:pat_param| $built:expr;)+) => {
        &[$($crate::phrase::Row {
            templates: $crate::phrase::templates![$($(#[doc = $about])+ $pattern = $example;)+],
            expected: &[$($($hole.expected),+)?],
            odd: |_holes| {
                let mut _number = 0..;
                $($({
                    let number = _number.next().unwrap_or_default();
                    if _holes.get(number).and_then(|found| ($hole.read)(*found)).is_none() {
                        return Some(number);
                    }
                })+)?
                None
            },
            means: |$checker, _holes, $span| {
                let mut _holes = _holes.iter();
                $($(let $name = ($hole.read)(*_holes.next()?)?;)+)?
                $built
            },
        }),+]
    };
}
pub(crate) use rows;

/// What the rows of a language have to say about themselves.
pub(crate) fn templates<M>(
    rows: &'static [Row<M>],
) -> impl DoubleEndedIterator<Item = &'static Template> + Clone {
    rows.iter().flat_map(|row| row.templates)
}

/// What reading a text found.
pub(crate) enum Read<'t, M: 'static> {
    /// What the text can mean, as far as its words tell: the names in it may decide. The likeliest comes first.
    Readings(Vec<Reading<'t, M>>),
    /// It begins as a phrase does, and this is expected further on.
    Lacks(String),
    /// It begins as no phrase does.
    Unknown,
}

/// One of them.
pub(crate) struct Reading<'t, M: 'static> {
    pub(crate) row: &'static Row<M>,
    pub(crate) holes: Vec<Cursor<'t>>,
    /// Whether it says `not` behind its verb.
    pub(crate) negated: bool,
    /// Those with a higher one count first.
    pub(crate) rank: usize,
    /// The words of the pattern, with what stands in its holes in brackets: `append [x] to [the name]`.
    pub(crate) shown: String,
}

/// A row and the parts of its pattern.
type Divided<M> = (&'static Row<M>, Vec<Part>);

/// The rank of what is a name of the table's own.
pub(crate) const NAME: usize = usize::MAX;

/// Reads a text: of the patterns that fit, names of the table's own come first, and then those with most words.
pub(crate) fn read<'t, M>(rows: &'static [Row<M>], text: Cursor<'t>) -> Read<'t, M> {
    let mut found = Vec::new();
    let mut furthest: (usize, Vec<Divided<M>>) = (0, Vec::new());
    let mut bare = text;
    bare.article();
    let begins = |row: &&Row<M>| {
        let mut words = row.pattern().split([' ', ',']);
        let first = words.find(|word| !matches!(*word, "the" | "a"));
        first.is_some_and(|word| is_open(word) || bare.tokens.first().is_some_and(|t| t.is(word)))
    };
    for row in rows.iter().filter(begins) {
        let parts = parts(row.pattern());
        let words = parts.iter().filter(|part| part.is_word()).count();
        let mut matching = Matching {
            row,
            rank: match words {
                0 => NAME,
                count => count,
            },
            found: &mut found,
            negated: false,
            reached: 0,
            tries: MOST_TRIES,
        };
        matching.parts(&parts, text, &mut Vec::new(), 0);
        let reached = matching.reached;
        if is_meant(&parts, reached) {
            if reached > furthest.0 {
                furthest = (reached, Vec::new());
            }
            if reached == furthest.0 {
                furthest.1.push((row, parts));
            }
        }
    }
    found.sort_by_key(|reading| std::cmp::Reverse(reading.rank));
    let (reached, rows) = furthest;
    if !found.is_empty() {
        Read::Readings(found)
    } else if rows.is_empty() {
        Read::Unknown
    } else {
        Read::Lacks(expected(reached, &rows))
    }
}

/// Whether a pattern of which this part is missing is meant: up to a hole its words are there, or with its verb.
fn is_meant(parts: &[Part], missing: usize) -> bool {
    let before = parts.get(..missing).unwrap_or_default();
    let has_verb = || {
        before
            .iter()
            .any(|part| matches!(part, Part::Word("is" | "are")))
    };
    let is_hole = |part: &Part| matches!(part, Part::Hole(_));
    let lead = parts.iter().position(is_hole);
    let has_lead = lead.is_some_and(|lead| 0 < lead && lead <= missing);
    missing < parts.len() && (has_lead || has_verb())
}

/// One part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Word(&'static str),
    /// `the`, `a` or `an`, which may be missing.
    Article(&'static str),
    /// A hole, and the article before it, which it reads if it is there.
    Hole(&'static str),
}

impl Part {
    fn is_word(self) -> bool {
        matches!(self, Self::Word(_))
    }

    /// As the pattern has it.
    fn text(self) -> &'static str {
        match self {
            Self::Word(text) | Self::Article(text) | Self::Hole(text) => text,
        }
    }
}

fn parts(pattern: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut rest = pattern;
    while !rest.is_empty() {
        let (word, others) = rest.split_once(' ').unwrap_or((rest, ""));
        let bare = word.trim_end_matches(',');
        if is_open(bare) {
            let article = parts.pop_if(|part| matches!(part, Part::Article(_)));
            let article = article.map_or(0, |article| article.text().len() + 1);
            let mut start = pattern.len() - rest.len();
            let end = start + bare.len();
            // What ends with `or` and a hole is a list, which is read as one hole.
            if parts.ends_with(&[Part::Word("or")]) {
                parts.pop();
                while let Some(part) = parts.pop_if(|part| is_of_a_list(*part)) {
                    start -= part.text().len() + 1;
                }
                start -= "or ".len();
            }
            parts.push(Part::Hole(&pattern[start - article..end]));
        } else if matches!(bare, "the" | "a" | "an") {
            parts.push(Part::Article(bare));
        } else {
            parts.push(Part::Word(bare));
        }
        if bare != word {
            parts.push(Part::Word(","));
        }
        rest = others;
    }
    parts
}

/// Whether it may be of a list that `or` ends: `N to M or K`.
fn is_of_a_list(part: Part) -> bool {
    matches!(part, Part::Hole(_) | Part::Word("to"))
}

/// A pattern beside a text.
struct Matching<'f, 't, M: 'static> {
    row: &'static Row<M>,
    rank: usize,
    found: &'f mut Vec<Reading<'t, M>>,
    /// Whether the way that is tried has a `not`.
    negated: bool,
    /// The first part that is missing in the reading that reaches furthest.
    reached: usize,
    /// How many more ways are tried.
    tries: usize,
}

impl<'t, M> Matching<'_, 't, M> {
    /// Matches the parts from one on. A try takes as long as the text has words, and the tries are few.
    fn parts(
        &mut self,
        parts: &[Part],
        mut rest: Cursor<'t>,
        holes: &mut Vec<Cursor<'t>>,
        mut at: usize,
    ) {
        // An article that is missing is missing with what follows.
        let mut missing = at;
        while let Some(&part) = parts.get(at) {
            match part {
                Part::Hole(_) => break,
                Part::Article(_) if rest.article().is_none() => {
                    at += 1;
                    continue;
                }
                Part::Article(_) => {}
                Part::Word(word) => match rest.tokens.split_first() {
                    Some((first, others)) if is(first, word) => {
                        rest.tokens = others;
                        if VERBS.contains(&word) {
                            self.negated = rest.eat("not") || word == "has" && rest.eat("no");
                        }
                    }
                    _ => return self.reach(missing),
                },
            }
            at += 1;
            missing = at;
        }
        if parts.get(at).is_none() {
            if rest.is_empty() {
                self.build(parts, holes);
            }
            return;
        }
        self.reach(at);
        let count = rest.tokens.len();
        let ends = (1..=count).filter(|&end| match (parts.get(at + 1), rest.tokens.get(end)) {
            (Some(Part::Word(word)), Some(token)) => is(token, word),
            // An article may be missing.
            (Some(_), Some(_)) => true,
            (next, token) => next.is_none() && token.is_none(),
        });
        for end in ends {
            if self.tries == 0 {
                return;
            }
            self.tries -= 1;
            let (hole, behind) = rest.tokens.split_at(end);
            let of = |tokens| Cursor { tokens, ..rest };
            holes.push(of(hole));
            self.parts(parts, of(behind), holes, at + 1);
            holes.pop();
        }
    }

    fn build(&mut self, parts: &[Part], holes: &[Cursor<'t>]) {
        let Some(odd) = (self.row.odd)(holes) else {
            return self.found.push(Reading {
                row: self.row,
                holes: holes.to_vec(),
                negated: self.negated,
                rank: self.rank,
                shown: shown(parts, holes),
            });
        };
        let is_hole = |&at: &usize| matches!(parts[at], Part::Hole(_));
        let place = (0..parts.len()).filter(is_hole).nth(odd);
        self.reach(place.unwrap_or_default());
    }

    fn reach(&mut self, at: usize) {
        self.reached = self.reached.max(at);
    }
}

/// The parts, with what stands in their holes.
fn shown(parts: &[Part], holes: &[Cursor<'_>]) -> String {
    let mut holes = holes.iter();
    let parts = parts.iter().map(|part| match part {
        Part::Hole(_) => format!("[{}]", holes.next().map_or("", Cursor::typed)),
        word => word.text().to_owned(),
    });
    joined(parts.collect())
}

/// The words of a pattern as they are written.
fn joined(words: Vec<String>) -> String {
    words.join(" ").replace(" ,", ",")
}

fn is(token: &Token<'_>, word: &str) -> bool {
    match word {
        "," => token.kind == Kind::Comma,
        _ => token.is(word),
    }
}

/// What is expected from a part of these rows on: "a value, `to`, and a field".
fn expected<M>(from: usize, rows: &[Divided<M>]) -> String {
    let rest = |parts: &[Part]| {
        let parts = parts[from..].iter().map(|part| part.text().to_owned());
        format!("`{}`", joined(parts.collect()))
    };
    let Some((row, parts)) = rows.first() else {
        return String::new();
    };
    if parts.get(from).is_some_and(|part| part.is_word()) {
        let rests: Vec<String> = rows.iter().map(|(_, parts)| rest(parts)).collect();
        let behind = from.checked_sub(1).and_then(|before| parts.get(before));
        let behind = match behind {
            Some(Part::Word(",")) => " after the comma",
            _ => "",
        };
        return format!("{}{behind}", rests.join(" or "));
    }
    if parts.len() - from > MOST_EXPECTED {
        return rest(parts);
    }
    let mut holes = row.expected.iter();
    let named = parts.iter().enumerate().filter_map(|(number, part)| {
        let shown = match part {
            Part::Hole(_) => (*holes.next()?).to_owned(),
            word => format!("`{}`", word.text()),
        };
        (number >= from).then_some(shown)
    });
    let named: Vec<String> = named.collect();
    match named.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{}, and {last}", others.join(", ")),
        _ => named.concat(),
    }
}
