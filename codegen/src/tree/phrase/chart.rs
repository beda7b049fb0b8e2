//! All readings of a phrase: what each sort can be from each word on, remembered, so that nothing is read twice.

use super::declared::{Declared, Form};
use super::pattern::{Piece, is_article};
use super::sort::{
    Assigned, CodePoint, ElementNames, Label, Modes, NewName, Quoted, Sort, Strings, Term,
};
use crate::lexer::{Kind, Token};
use crate::tree::machine::{ElementName, Mode, Number, Space};
use std::collections::HashMap;
use std::rc::Rc;

/// How many readings of one part are remembered: two are ambiguous already.
const MOST_READINGS: usize = 3;
/// How many words an unknown name has at most.
const LONGEST_NAME: usize = 5;

/// How a part of a phrase can be read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Reading {
    Term(Term),
    /// By a form of this sort, by its number, with what stands in its holes.
    Form(Sort, usize, Vec<Rc<Reading>>),
    /// As another sort.
    As(Sort, Rc<Reading>),
    Both(Rc<Reading>, Rc<Reading>),
    Either(Rc<Reading>, Rc<Reading>),
    ButNot(Rc<Reading>, Rc<Reading>),
    AnyOf(Vec<Rc<Reading>>),
    Host(usize, Vec<Rc<Reading>>),
    /// A name that is not declared.
    Unknown(Sort, usize, usize),
}

/// A reading, where it ends, and how many words of it are names that are not declared.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) end: usize,
    pub(super) reading: Rc<Reading>,
    pub(super) unknown: usize,
}

/// The furthest word at which reading failed, and what was expected there: forms, each with the number of a piece.
#[derive(Default)]
pub(super) struct Furthest {
    pub(super) at: usize,
    pub(super) expected: Vec<(Sort, usize, usize)>,
}

/// The readings of one phrase.
pub(super) struct Chart<'c> {
    words: &'c [Token<'c>],
    declared: &'c Declared<'c>,
    /// Whether names that are not declared are read, too.
    lenient: bool,
    cells: HashMap<(Sort, usize), Vec<Found>>,
    pub(super) furthest: Furthest,
}

impl<'c> Chart<'c> {
    pub(super) fn new(words: &'c [Token<'c>], declared: &'c Declared<'c>, lenient: bool) -> Self {
        Self {
            words,
            declared,
            lenient,
            cells: HashMap::new(),
            furthest: Furthest::default(),
        }
    }

    /// The readings of the whole phrase, those with the fewest undeclared names first.
    pub(super) fn whole(&mut self, sort: Sort) -> Vec<Found> {
        let mut all = self.at(sort, 0);
        all.retain(|found| found.end == self.words.len());
        all.sort_by_key(|found| found.unknown);
        all
    }

    /// Where the readings of a part end that begins at a word.
    pub(super) fn ends(&mut self, sort: Sort, start: usize) -> Vec<usize> {
        let found = self.at(sort, start);
        found.into_iter().map(|found| found.end).collect()
    }

    fn at(&mut self, sort: Sort, start: usize) -> Vec<Found> {
        if let Some(found) = self.cells.get(&(sort, start)) {
            return found.clone();
        }
        // A form that begins with its own sort finds nothing there.
        self.cells.insert((sort, start), Vec::new());
        let mut found = Cell::default();
        if start < self.words.len() {
            self.read(sort, start, &mut found);
            if self.lenient {
                self.unknown(sort, start, &mut found);
            }
        }
        self.cells.insert((sort, start), found.0.clone());
        found.0
    }

    fn read(&mut self, sort: Sort, start: usize, out: &mut Cell) {
        match sort {
            Sort::Guard => self.chain(Sort::Both, "or", sort, start, out),
            Sort::Both => self.chain(Sort::Atom, "and", sort, start, out),
            Sort::Value => {
                for of in Sort::LET {
                    self.wrapped(of, sort, start, out);
                }
            }
            Sort::Types => self.types(start, out),
            Sort::ElementNames => self.element_names(start, out),
            Sort::Host => self.host(start, out),
            Sort::Strings => self.strings(
                start,
                &|text| Some(text.to_owned()),
                &|it| Strings(it).into(),
                out,
            ),
            Sort::Modes => {
                let declared = self.declared;
                self.strings(
                    start,
                    &|text| declared.mode(text),
                    &|it| Modes(it).into(),
                    out,
                );
            }
            Sort::Arm => self.arm(start, out),
            _ => {}
        }
        self.terminal(sort, start, out);
        let declared = self.declared;
        for (number, form) in declared.forms(sort).iter().enumerate() {
            if self.can_begin(form, start) {
                self.pieces(form, (sort, number), 0, start, &mut Vec::new(), 0, out);
            }
        }
    }

    fn can_begin(&self, form: &Form, start: usize) -> bool {
        let first = form.pieces.iter().find(|piece| **piece != Piece::Article);
        let Some(Piece::Word(first)) = first else {
            return true;
        };
        let is = |at: usize| self.words.get(at).is_some_and(|word| is(word, first));
        is(start) || self.is_article(start) && is(start + 1)
    }

    /// What is one word, or as many as the name of a value.
    fn terminal(&self, sort: Sort, start: usize, out: &mut Cell) {
        let Some(word) = self.words.get(start) else {
            return;
        };
        let term = match (sort, &word.kind) {
            (Sort::Quoted, Kind::Quoted(text)) => Some(Quoted(text.clone()).into()),
            (Sort::Mode, Kind::Quoted(text)) => self
                .declared
                .mode(text)
                .map(|mode| Mode::Named(mode).into()),
            (Sort::CodePoint, Kind::CodePoint(character)) => {
                Some(CodePoint(character.unwrap_or_default()).into())
            }
            (Sort::NewName, Kind::Word) => Some(NewName(word.text.to_owned()).into()),
            (Sort::Label, Kind::Word) => Some(Label(word.text.to_owned()).into()),
            (Sort::Number, Kind::Word) => word
                .text
                .parse()
                .ok()
                .map(|number| Number::Literal(number).into()),
            _ => None,
        };
        if let Some(term) = term {
            out.add(start + 1, Reading::Term(term), 0);
        }
        if let Some(local) = self
            .declared
            .local(word.text)
            .filter(|_| word.kind == Kind::Word)
        {
            let slot = match sort {
                Sort::Assigned => Some(Assigned::Slot(local.slot, local.sort).into()),
                _ if sort == local.sort => sort.slot(local.slot),
                _ => None,
            };
            if let Some(term) = slot {
                out.add(start + 1, Reading::Term(term), 0);
            }
        }
    }

    /// Parts of one sort with a word between them.
    fn chain(&mut self, of: Sort, word: &str, sort: Sort, start: usize, out: &mut Cell) {
        for first in self.at(of, start) {
            out.add(
                first.end,
                Reading::As(sort, Rc::clone(&first.reading)),
                first.unknown,
            );
            if self.words.get(first.end).is_some_and(|it| it.is(word)) {
                for rest in self.at(sort, first.end + 1) {
                    let (one, other) = (Rc::clone(&first.reading), Rc::clone(&rest.reading));
                    let both = match sort {
                        Sort::Guard => Reading::Either(one, other),
                        _ => Reading::Both(one, other),
                    };
                    out.add(rest.end, both, first.unknown + rest.unknown);
                }
            }
        }
    }

    fn wrapped(&mut self, of: Sort, sort: Sort, start: usize, out: &mut Cell) {
        for found in self.at(of, start) {
            out.add(found.end, Reading::As(sort, found.reading), found.unknown);
        }
    }

    /// Types: one, one but not another, or a list of them.
    fn types(&mut self, start: usize, out: &mut Cell) {
        let ones = self.at(Sort::One, start);
        for one in &ones {
            out.add(
                one.end,
                Reading::As(Sort::Types, Rc::clone(&one.reading)),
                one.unknown,
            );
            if self.is(one.end, "but") && self.is(one.end + 1, "not") {
                for other in self.at(Sort::One, one.end + 2) {
                    let reading = Reading::ButNot(Rc::clone(&one.reading), other.reading);
                    out.add(other.end, reading, one.unknown + other.unknown);
                }
            }
        }
        let mut lists: Vec<(usize, Vec<Rc<Reading>>, usize)> = ones
            .into_iter()
            .map(|one| (one.end, vec![one.reading], one.unknown))
            .collect();
        while let Some((end, list, unknown)) = lists.pop() {
            let or = self.is(end, "or");
            if !or && !self.is_comma(end) || list.len() > MOST_READINGS * 8 {
                continue;
            }
            for one in self.at(Sort::One, end + 1) {
                let mut list = list.clone();
                list.push(one.reading);
                let unknown = unknown + one.unknown;
                if or {
                    out.add(one.end, Reading::AnyOf(list), unknown);
                } else {
                    lists.push((one.end, list, unknown));
                }
            }
        }
    }

    /// `a td, th or MathML mi element`.
    fn element_names(&mut self, start: usize, out: &mut Cell) {
        let begin = start + usize::from(self.is_article(start));
        // `the last a element`: an article can be a name.
        let begins = [begin, start];
        let begins = if begin == start {
            &begins[..1]
        } else {
            &begins[..]
        };
        for &begin in begins {
            let (mut at, mut names, mut unknown) = (begin, Vec::new(), 0);
            while let Some((name, end)) = self.element_name(at) {
                unknown += if self.declared.has_element(&name) {
                    0
                } else {
                    end - at
                };
                names.push(name);
                at = end;
                if self.is(at, "element") || self.is(at, "elements") {
                    if unknown == 0 {
                        out.add(at + 1, Reading::Term(ElementNames(names.clone()).into()), 0);
                    } else if self.lenient {
                        out.add(
                            at + 1,
                            Reading::Unknown(Sort::ElementNames, begin, at),
                            unknown,
                        );
                    }
                    break;
                }
                if !self.is(at, "or") && !self.is_comma(at) {
                    break;
                }
                at += 1;
            }
        }
    }

    /// The name of an element type, known or not, and where it ends.
    pub(super) fn element_name(&self, at: usize) -> Option<(ElementName, usize)> {
        let prefixed = [Space::MathMl, Space::Svg]
            .into_iter()
            .find(|space| self.is(at, space.as_str()));
        let place = at + usize::from(prefixed.is_some());
        let word = self
            .words
            .get(place)
            .filter(|word| word.kind == Kind::Word)?;
        let name = ElementName {
            space: prefixed.unwrap_or(Space::Html),
            name: word.text.to_owned(),
        };
        Some((name, place + 1))
    }

    /// A host step: its name, and what it is given.
    fn host(&mut self, start: usize, out: &mut Cell) {
        let declared = self.declared;
        for (number, form) in declared.hosts.iter().enumerate() {
            let Some(end) = self.literal(&form.pieces, start) else {
                continue;
            };
            if form.arguments == 0 {
                out.add(end, Reading::Host(number, Vec::new()), 0);
            }
            let mut lists = vec![(end, Vec::new(), 0)];
            while let Some((end, list, unknown)) = lists.pop() {
                let goes_on = if list.is_empty() {
                    self.is(end, "given")
                } else {
                    self.is_comma(end)
                };
                if !goes_on || list.len() >= form.arguments {
                    continue;
                }
                for value in self.at(Sort::Value, end + 1) {
                    let mut list = list.clone();
                    list.push(value.reading);
                    let unknown = unknown + value.unknown;
                    if list.len() == form.arguments {
                        out.add(value.end, Reading::Host(number, list.clone()), unknown);
                    }
                    lists.push((value.end, list, unknown));
                }
            }
        }
    }

    /// Where words of a name end that begin here.
    fn literal(&self, pieces: &[Piece], start: usize) -> Option<usize> {
        let mut at = start;
        for piece in pieces {
            match piece {
                Piece::Article => at += usize::from(self.is_article(at)),
                Piece::Word(word) => {
                    at += usize::from(self.is_article(at) && !is_article(word));
                    self.words.get(at).filter(|it| is(it, word))?;
                    at += 1;
                }
                Piece::Hole(_) => return None,
            }
        }
        Some(at)
    }

    /// Strings in quotes, with commas, `or` or nothing between them.
    fn strings<T: Clone>(
        &self,
        start: usize,
        each: &dyn Fn(&str) -> Option<T>,
        all: &dyn Fn(Vec<T>) -> Term,
        out: &mut Cell,
    ) {
        let (mut at, mut list) = (start, Vec::new());
        while let Some(Kind::Quoted(text)) = self.words.get(at).map(|word| &word.kind) {
            let Some(one) = each(text) else { return };
            list.push(one);
            out.add(at + 1, Reading::Term(all(list.clone())), 0);
            at += 1;
            if !self.is(at, "or") && !self.is_comma(at) {
                return;
            }
            at += 1;
        }
    }

    /// An arm by its key: `any other end tag`, `start tag "br"`.
    fn arm(&self, start: usize, out: &mut Cell) {
        for end in start + 1..=self.words.len().min(start + LONGEST_NAME) {
            let words = self.words[start..end].iter().map(|word| word.text);
            let text = words.collect::<Vec<_>>().join(" ");
            if let Some(wanted) = self.declared.arm(&text) {
                out.add(end, Reading::Term(wanted.into()), 0);
            }
        }
    }

    /// Matches the pieces of a form from one on.
    #[allow(clippy::too_many_arguments)]
    fn pieces(
        &mut self,
        form: &Form,
        number: (Sort, usize),
        piece: usize,
        at: usize,
        parts: &mut Vec<Rc<Reading>>,
        unknown: usize,
        out: &mut Cell,
    ) {
        let Some(next) = form.pieces.get(piece) else {
            return out.add(
                at,
                Reading::Form(number.0, number.1, parts.clone()),
                unknown,
            );
        };
        match next {
            Piece::Article => {
                let after = at + usize::from(self.is_article(at));
                self.pieces(form, number, piece + 1, after, parts, unknown, out);
            }
            Piece::Word(word) => {
                let at = at
                    + usize::from(
                        self.is_article(at)
                            && self.words.get(at + 1).is_some_and(|it| is(it, word)),
                    );
                match self.words.get(at) {
                    Some(it) if is(it, word) => {
                        self.pieces(form, number, piece + 1, at + 1, parts, unknown, out)
                    }
                    _ => self.stops(number, piece, at),
                }
            }
            Piece::Hole(sort) => {
                let mut found = self.at(*sort, at);
                // A name may be written with an article.
                if self.is_article(at) && self.declared.is_name(*sort) {
                    found.extend(self.at(*sort, at + 1));
                }
                if found.is_empty() {
                    self.stops(number, piece, at);
                }
                for part in found {
                    parts.push(part.reading);
                    self.pieces(
                        form,
                        number,
                        piece + 1,
                        part.end,
                        parts,
                        unknown + part.unknown,
                        out,
                    );
                    parts.pop();
                }
            }
        }
    }

    fn stops(&mut self, (sort, form): (Sort, usize), piece: usize, at: usize) {
        // What an article begins is expected with it.
        let at = at - usize::from(at > 0 && self.is_article(at - 1));
        if at > self.furthest.at {
            self.furthest = Furthest {
                at,
                expected: Vec::new(),
            };
        }
        if at == self.furthest.at {
            self.furthest.expected.push((sort, form, piece));
        }
    }

    /// Words that stand where a name is expected.
    fn unknown(&self, sort: Sort, start: usize, out: &mut Cell) {
        let longest = match sort {
            Sort::Scope
            | Sort::Set
            | Sort::Names
            | Sort::Content
            | Sort::Flag
            | Sort::Word
            | Sort::Class => LONGEST_NAME,
            Sort::Property | Sort::Question | Sort::Assigned => LONGEST_NAME,
            Sort::Mode | Sort::Modes | Sort::Quirks => 1,
            sort if Sort::VALUES.contains(&sort) && sort != Sort::Types => 1,
            _ => return,
        };
        for end in start + 1..=self.words.len().min(start + longest) {
            let word = &self.words[end - 1];
            let is_quoted = matches!(word.kind, Kind::Quoted(_));
            if matches!(word.kind, Kind::Comma)
                || is_quoted != matches!(sort, Sort::Mode | Sort::Modes)
            {
                return;
            }
            // Of several words only such as are like a variable of the table.
            if sort == Sort::Assigned && end > start + 1 && !self.is_like_a_variable(start, end) {
                continue;
            }
            out.add(end, Reading::Unknown(sort, start, end), end - start);
        }
    }

    /// Whether the words, perhaps but for one, are in the name of a variable of the table.
    fn is_like_a_variable(&self, start: usize, end: usize) -> bool {
        let words = &self.words[start..end];
        let has_most = |form: &Form| {
            let is_in = |word: &&Token<'_>| form.shown.split(' ').any(|it| word.is(it));
            words.iter().filter(is_in).count() + 1 >= words.len()
        };
        !self.is_article(start) && self.declared.forms(Sort::Assigned).iter().any(has_most)
    }

    fn is(&self, at: usize, word: &str) -> bool {
        self.words.get(at).is_some_and(|it| it.is(word))
    }

    fn is_comma(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|it| it.kind == Kind::Comma)
    }

    fn is_article(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|it| is_article(it.text))
    }
}

fn is(token: &Token<'_>, word: &str) -> bool {
    match token.kind {
        Kind::Comma => word == ",",
        Kind::Word => token.text == word,
        _ => false,
    }
}

/// What has been found from one word on.
#[derive(Default)]
struct Cell(Vec<Found>);

impl Cell {
    fn add(&mut self, end: usize, reading: Reading, unknown: usize) {
        let same_end = || self.0.iter().filter(|found| found.end == end);
        if same_end().any(|found| *found.reading == reading) {
            return;
        }
        let found = Found {
            end,
            reading: Rc::new(reading),
            unknown,
        };
        if same_end().count() < MOST_READINGS {
            return self.0.push(found);
        }
        // Those with fewer undeclared names are better.
        let worst = self
            .0
            .iter_mut()
            .filter(|it| it.end == end)
            .max_by_key(|it| it.unknown);
        if let Some(worst) = worst.filter(|worst| worst.unknown > unknown) {
            *worst = found;
        }
    }
}
