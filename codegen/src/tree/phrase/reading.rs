//! Reading a phrase: exactly one reading is right; if there is none, what is wrong with it.

use super::chart::{Chart, Reading};
use super::declared::{Declared, SaysWhat};
use super::pattern::Holes;
use super::sort::Says;
use super::sort::{Both, Part, Sort, Term};
use super::steps;
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Kind, Token, tokens};
use crate::phrase;
use crate::tree::machine::{Call, Guard, HostCall, Location, Node, Step, Truth, Types, Value};
use std::collections::HashSet;
use std::rc::Rc;

/// How many words a phrase has at most.
const MOST_WORDS: usize = 250;

/// Reads phrases with the names that are declared.
pub(crate) struct Phrases<'t, 'f> {
    pub(crate) declared: Declared<'t>,
    pub(crate) faults: &'f mut Faults,
    /// Variables whose values could not be read: of what is said of them nothing is said.
    pub(crate) faulty: HashSet<String>,
    /// How many more times all names are compared with one that is not declared.
    pub(crate) suggestions: u32,
}

/// How many times they are.
pub(crate) const MOST_SUGGESTIONS: u32 = 100;

impl Phrases<'_, '_> {
    /// What a text says. `None` after a fault.
    pub(crate) fn read<T: Part>(&mut self, text: &str, span: Span) -> Option<T> {
        let read = self.read_only(text, span);
        // Whatever was forgotten: a text without a reading never loads.
        if read.is_none() && !self.faults.any_error() {
            let message = format!("`{text}` cannot be read");
            self.faults.add(Code::UnknownPhrase, span, message);
        }
        read
    }

    fn read_only<T: Part>(&mut self, text: &str, span: Span) -> Option<T> {
        let lexed = tokens(text, span, self.faults);
        let words = with_possessives(&lexed);
        if words.len() > MOST_WORDS {
            let message = format!("a phrase has at most {MOST_WORDS} words");
            self.faults
                .add(Code::TooLarge, span, message)
                .help("say it in several steps, or by a procedure");
            return None;
        }
        let mut chart = Chart::new(&words, &self.declared, false);
        let found = chart.whole(T::SORT);
        let furthest = std::mem::take(&mut chart.furthest);
        match &found[..] {
            [] => {
                self.refuse(T::SORT, text, &words, span, &furthest);
                None
            }
            [one] => T::of(self.build(&one.reading, span)?),
            [one, other, ..] => {
                let help = format!(
                    "as {}, or as {}",
                    self.shown(&one.reading),
                    self.shown(&other.reading)
                );
                self.faults
                    .add(Code::Ambiguous, span, "this can be read in two ways")
                    .help(help);
                None
            }
        }
    }

    /// The sort of a value, if the text is one.
    pub(crate) fn sort_of(&self, text: &str) -> Option<Sort> {
        let mut ignored = Faults::default();
        let lexed = tokens(text, Span::default(), &mut ignored);
        let words = with_possessives(&lexed);
        if words.len() > MOST_WORDS {
            return None;
        }
        let mut chart = Chart::new(&words, &self.declared, false);
        Sort::LET
            .into_iter()
            .find(|&sort| !chart.whole(sort).is_empty())
    }

    fn build(&mut self, reading: &Reading, span: Span) -> Option<Term> {
        match reading {
            Reading::Term(term) => Some(term.clone()),
            Reading::Unknown(..) => None,
            Reading::As(sort, inner) => {
                let term = self.build(inner, span)?;
                Some(match (sort, term) {
                    (Sort::Value, term) => term.value()?.into(),
                    (Sort::Types, Term::One(one)) => one.0.into(),
                    (Sort::Both, Term::Atom(atom)) => Both(atom.0).into(),
                    (Sort::Guard, Term::Both(both)) => both.0.into(),
                    (_, term) => term,
                })
            }
            Reading::Either(one, other) => {
                let mut all = vec![Both::of(self.build(one, span)?)?.0];
                match Guard::of(self.build(other, span)?)? {
                    Guard::Any(rest) if is_chain(other) => all.extend(rest),
                    rest => all.push(rest),
                }
                Some(Guard::Any(all).into())
            }
            Reading::Both(one, other) => {
                let Term::Atom(first) = self.build(one, span)? else {
                    return None;
                };
                let mut all = vec![first.0];
                match Both::of(self.build(other, span)?)?.0 {
                    Guard::All(rest) if is_chain(other) => all.extend(rest),
                    rest => all.push(rest),
                }
                Some(Both(Guard::All(all)).into())
            }
            Reading::ButNot(one, other) => {
                let (one, other) = (self.one(one, span)?, self.one(other, span)?);
                Some(Types::ButNot(one.into(), other.into()).into())
            }
            Reading::AnyOf(list) => {
                let list: Option<Vec<Types>> = list.iter().map(|it| self.one(it, span)).collect();
                Some(Types::Any(list?).into())
            }
            Reading::Host(host, arguments) => {
                let values = self.values(arguments, span)?;
                Some(
                    HostCall {
                        host: *host,
                        arguments: values,
                    }
                    .into(),
                )
            }
            Reading::Form(sort, number, parts) => self.form(*sort, *number, parts, span),
        }
    }

    fn one(&mut self, reading: &Reading, span: Span) -> Option<Types> {
        match self.build(reading, span)? {
            Term::One(one) => Some(one.0),
            _ => None,
        }
    }

    fn values(&mut self, parts: &[Rc<Reading>], span: Span) -> Option<Vec<Value>> {
        parts
            .iter()
            .map(|part| self.build(part, span)?.value())
            .collect()
    }

    fn form(
        &mut self,
        sort: Sort,
        number: usize,
        parts: &[Rc<Reading>],
        span: Span,
    ) -> Option<Term> {
        match &self.declared.forms(sort).get(number)?.says {
            SaysWhat::Name(term) => Some(term.clone()),
            SaysWhat::Ask(guard, negated) => Some(negate(guard.clone(), *negated)),
            &SaysWhat::Procedure(body) => {
                let call = Call {
                    body,
                    arguments: self.values(parts, span)?,
                };
                Some(match sort {
                    Sort::Step => Says::Does(Step::Run(call)).into(),
                    Sort::Location => Location::Call(call.into()).into(),
                    _ => Node::Call(call.into()).into(),
                })
            }
            &SaysWhat::Row(row, negated) => {
                let terms: Option<Vec<Term>> =
                    parts.iter().map(|part| self.build(part, span)).collect();
                let mut holes = Holes {
                    terms: terms?.into_iter(),
                    states: &self.declared.states,
                    faults: self.faults,
                    span,
                };
                match (row.means)(&mut holes)? {
                    Term::Atom(atom) => Some(negate(atom.0, negated)),
                    Term::Truth(Truth::Host(call)) => self.answering(call, span),
                    term => Some(term),
                }
            }
        }
    }

    /// A host step whose answer is used must have one.
    fn answering(&mut self, call: HostCall, span: Span) -> Option<Term> {
        if self
            .declared
            .hosts
            .get(call.host)
            .is_some_and(|host| host.answers)
        {
            return Some(Truth::Host(call).into());
        }
        let message = "this host step gives no answer";
        let help = "declare that it does: `NAME: [element, answers]`";
        self.faults
            .add(Code::TypeMismatch, span, message)
            .help(help);
        None
    }

    /// A reading for people: the words of its form.
    fn shown(&self, reading: &Reading) -> String {
        match reading {
            Reading::Form(sort, number, parts) => {
                let form = self.declared.forms(*sort).get(*number);
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| self.shown(part))
                    .filter(|it| !it.is_empty())
                    .collect();
                let shown = form.map_or(String::new(), |form| format!("`{}`", form.shown));
                match parts.is_empty() {
                    true => shown,
                    false => format!("{shown} with {}", parts.join(" and ")),
                }
            }
            Reading::As(_, inner) => self.shown(inner),
            Reading::Either(one, other) => format!("{} or {}", self.shown(one), self.shown(other)),
            Reading::Both(one, other) => format!("{} and {}", self.shown(one), self.shown(other)),
            Reading::Host(..)
            | Reading::Term(_)
            | Reading::AnyOf(_)
            | Reading::ButNot(..)
            | Reading::Unknown(..) => String::new(),
        }
    }
}

fn is_chain(reading: &Reading) -> bool {
    matches!(reading, Reading::Either(..) | Reading::Both(..))
}

fn negate(guard: Guard, negated: bool) -> Term {
    let guard = if negated {
        Guard::Not(Box::new(guard))
    } else {
        guard
    };
    super::sort::Atom(guard).into()
}

/// The words, with a parenthesis, a name and its `'s` as words of their own.
pub(super) fn with_possessives<'a>(words: &[Token<'a>]) -> Vec<Token<'a>> {
    let mut all = Vec::new();
    for word in words {
        if word.kind != Kind::Word {
            all.push(word.clone());
            continue;
        }
        let mut from = 0;
        let mut push = |until: usize| {
            if from < until {
                all.push(Token {
                    kind: Kind::Word,
                    text: &word.text[from..until],
                    start: word.start + from,
                });
                from = until;
            }
        };
        push(usize::from(word.text.starts_with('(')));
        let bare = word.text.trim_end_matches(')');
        push(bare.strip_suffix("'s").map_or(bare.len(), str::len));
        push(bare.len());
        push(word.text.len());
    }
    all
}

/// Whether a text may be a phrase, as far as that can be seen without its table: the words of a row are there, in order.
pub(crate) fn looks_like_a_phrase(text: &str) -> bool {
    let words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_end_matches(','))
        .collect();
    let fits = |row: &super::pattern::Pattern| {
        let mut rest = words.iter();
        let mut fixed = row
            .template
            .pattern
            .split_whitespace()
            .map(|word| word.trim_end_matches(','));
        fixed.all(|word| {
            phrase::is_open(word) || super::pattern::is_article(word) || rest.any(|it| *it == word)
        }) && row.template.pattern.split(' ').next() == words.first().copied()
    };
    steps::STEPS.iter().any(fits)
}

/// Whether a text is a row of the language without holes.
pub(crate) fn looks_like_a_row(text: &str) -> bool {
    let plain = |text: &str| {
        let words = text
            .split_whitespace()
            .filter(|word| !super::pattern::is_article(word));
        words.collect::<Vec<_>>().join(" ")
    };
    steps::STEPS
        .iter()
        .any(|row| row.holes.is_empty() && plain(row.template.pattern) == plain(text))
}
