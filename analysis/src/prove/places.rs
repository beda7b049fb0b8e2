//! The places in which a machine remembers something, in one row.

use speclex_codegen::machine::{FieldType, Machine, RegisterType, Token};

use super::set::{ANY_NUMBER, Set, merged};
use super::term::Term;

/// What a place holds.
#[derive(Clone, Debug)]
pub(super) enum Sort {
    /// A text, and whether it is compared with words.
    Text {
        /// Whether it is compared with words.
        is_compared: bool,
    },
    /// One of these numbers.
    Number(Set),
    /// A place of the input, a reference, or attributes.
    Other,
}

impl Sort {
    /// Whether it is a text that is compared with words.
    pub(super) fn is_compared(&self) -> bool {
        matches!(self, Self::Text { is_compared: true })
    }
}

/// Where the places of a token under construction are.
#[derive(Debug)]
pub(super) struct TokenPlaces {
    pub(super) kind: usize,
    /// The first place of each field. An optional text has another one (whether it is there), attributes have three more
    /// (whether there is a current one, its name, its value).
    pub(super) fields: Vec<(usize, FieldType)>,
}

/// All places: first the registers in their order.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) sorts: Vec<Sort>,
    pub(super) tokens: Vec<TokenPlaces>,
    /// The name of the last start tag.
    pub(super) last_start_tag: usize,
    /// Whether there is one.
    pub(super) has_last_start_tag: usize,
    pub(super) matched: usize,
    pub(super) mark: usize,
    pub(super) token_start: usize,
    /// Where the token emitted last ended.
    pub(super) emitted: usize,
    /// How far the input was looked at for errors of the stream.
    pub(super) delivered: usize,
}

const FLAG: [(u32, u32); 1] = [(0, 1)];

impl Places {
    /// The places of a machine whose kinds of tokens have these numbers.
    pub(super) fn of(machine: &Machine, kinds: &[Vec<u32>]) -> Self {
        let mut is_compared = vec![false; machine.registers.len()];
        for guard in machine.all_questions() {
            if let speclex_codegen::machine::Guard::TextIs { register, .. } = guard
                && let Some(is_compared) = is_compared.get_mut(register.0 as usize)
            {
                *is_compared = true;
            }
        }
        let registers = machine.registers.iter().zip(is_compared);
        let registers = registers.map(|(register, is_compared)| match register.ty {
            RegisterType::Text => Sort::Text { is_compared },
            RegisterType::State
            | RegisterType::Number
            | RegisterType::Character
            | RegisterType::Finite(_) => Sort::Number(ANY_NUMBER.to_vec()),
        });
        let mut row = Row(registers.collect());
        let tokens = machine.vocabulary.tokens.iter().zip(kinds);
        let tokens = tokens
            .map(|(token, kinds)| row.token(token, kinds))
            .collect();
        Self {
            tokens,
            last_start_tag: row.text(),
            has_last_start_tag: row.flag(),
            matched: row.add(Sort::Other),
            mark: row.add(Sort::Other),
            token_start: row.add(Sort::Other),
            emitted: row.add(Sort::Other),
            delivered: row.add(Sort::Other),
            sorts: row.0,
        }
    }

    /// What they hold before any input, but for the entry.
    pub(super) fn initial(&self, machine: &Machine, kinds: &[Vec<u32>]) -> Vec<Term> {
        let sorts = self.sorts.iter().map(|sort| match sort {
            Sort::Text { .. } => Term::text(""),
            Sort::Number(_) | Sort::Other => Term::Number(0),
        });
        let mut store: Vec<Term> = sorts.collect();
        let first = machine.entries.first().map_or(0, |entry| entry.state.0);
        for (place, register) in store.iter_mut().zip(&machine.registers) {
            if register.ty == RegisterType::State {
                *place = Term::Number(first);
            }
        }
        for (token, kinds) in self.tokens.iter().zip(kinds) {
            store[token.kind] = Term::Number(kinds.first().copied().unwrap_or(0));
        }
        for at in [self.token_start, self.emitted, self.delivered] {
            store[at] = Term::Before(0);
        }
        store
    }
}

struct Row(Vec<Sort>);

impl Row {
    fn add(&mut self, sort: Sort) -> usize {
        self.0.push(sort);
        self.0.len() - 1
    }

    fn flag(&mut self) -> usize {
        self.add(Sort::Number(FLAG.to_vec()))
    }

    fn text(&mut self) -> usize {
        self.add(Sort::Text { is_compared: false })
    }

    fn token(&mut self, token: &Token, kinds: &[u32]) -> TokenPlaces {
        let kind = self.add(Sort::Number(merged(kinds.iter().map(|it| (*it, *it)))));
        let fields = token.fields.iter().map(|field| {
            let first = match field.ty {
                FieldType::Text => self.text(),
                FieldType::Flag => self.flag(),
                FieldType::OptionalText => {
                    let first = self.text();
                    self.flag();
                    first
                }
                FieldType::Attributes => {
                    let first = self.add(Sort::Other);
                    self.flag();
                    self.text();
                    self.text();
                    first
                }
            };
            (first, field.ty)
        });
        let fields = fields.collect();
        TokenPlaces { kind, fields }
    }
}
