//! Guards with their names looked up.

use super::Checker;
use super::model::{Cond, Named};
use super::names::register_holds;
use super::phrases::Means;
use super::questions::GUARDS;
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Kind, normal, number, tokens};
use crate::machine::{Guard, RegisterId, RegisterType, TOO_LARGE};
use crate::phrase::{self, Cursor, Name};
use crate::ranges::merged;
use crate::set_notation;
use crate::suggest::{closest, did_you_mean};
use crate::written::{Branch, BranchWord};
use std::collections::BTreeSet;
use std::rc::Rc;

/// How far a named condition has been read.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Unread,
    Reading,
    Read(Option<Cond>),
}

/// How many conditions may be defined by each other in a row.
const MOST_CONDITIONS: usize = 50;

/// How many parts a guard may have, with those of the conditions that it names. Each of them is evaluated,
/// and compared with what a path knows already.
const MOST_PARTS_OF_A_GUARD: usize = 250;

/// How many characters, with the current one, generated code remembers: `TAIL` of the runtime.
const MOST_REMEMBERED: usize = 16;

/// How many parts all guards of a table may have together.
const MOST_PARTS: usize = 500_000;

impl Cond {
    /// How many questions and connectives it has.
    pub(crate) fn parts(&self) -> usize {
        match self {
            Self::Not(inner) => 1 + inner.parts(),
            Self::All(parts) | Self::Any(parts) => 1 + parts.iter().map(Self::parts).sum::<usize>(),
            _ => 1,
        }
    }
}

impl Checker<'_, '_> {
    /// The guard of a branch; `None` for `otherwise` and after a fault.
    pub(super) fn branch_guard(&mut self, branch: &Branch) -> Option<Cond> {
        if branch.word == BranchWord::Otherwise {
            return None;
        }
        self.guard(branch.guard(), branch.guard_span())
    }

    pub(super) fn guard(&mut self, text: &str, span: Span) -> Option<Cond> {
        let names = Rc::clone(&self.guard_names);
        let named = |name: &str| names.contains(name);
        let tokens = tokens(text, span, self.faults);
        let whole = Cursor::new(text, &tokens, span).with_names(&named);
        let (guard, own) = self.apart(|c| phrase::guard(GUARDS, whole, c.faults));
        let Some(guard) = guard else {
            self.unknown_guard(text, span, own);
            return None;
        };
        self.faults.append(own);
        let around = std::mem::replace(&mut self.guard_parts, (0, span));
        let cond = self.cond(&guard);
        self.guard_parts = around;
        cond
    }

    /// Reports what is wrong with a guard: it may be a name that is misspelt.
    fn unknown_guard(&mut self, text: &str, span: Span, own: Faults) {
        let name = normal(text);
        let negated = name.strip_prefix("not ").or(name.strip_prefix('!'));
        let (not, name) = match negated {
            Some(name) => ("not ", name),
            None => ("", name.as_str()),
        };
        let conditions = self
            .table
            .conditions
            .iter()
            .map(|entry| entry.name.text.as_str());
        let questions = self.vocabulary.questions.iter().map(String::as_str);
        let of_register = self.word_of_register(name);
        let meant = closest(name, conditions.chain(questions)).map(str::to_owned);
        match of_register.or(meant) {
            Some(meant) => {
                let message = format!("`{}` is not a guard", text.trim());
                self.fault(Code::UnknownGuard, span, message)
                    .help(format!("did you mean `{not}{meant}`?"));
            }
            None => self.faults.append(own),
        }
    }

    /// What is meant by `mode raw`, alone or among others, if `raw` is a word of the register `mode`.
    fn word_of_register(&self, text: &str) -> Option<String> {
        let parts = text.split(" and ").flat_map(|part| part.split(" or "));
        let meant = |part: &str| {
            self.registers.iter().find_map(|register| {
                let word = part.strip_prefix(&register.name)?.trim_start_matches(" =");
                let word = word.strip_prefix(' ')?.trim_start();
                let RegisterType::Finite(words) = &register.ty else {
                    return None;
                };
                let is_word = words.iter().any(|it| it == word);
                is_word.then(|| format!("the {} is {word}", register.name))
            })
        };
        parts.into_iter().find_map(meant)
    }

    /// Counts parts of the guard that is being read. `None`, with a fault, when it has too many.
    fn count_parts(&mut self, parts: usize) -> Option<()> {
        let (of_guard, span) = &mut self.guard_parts;
        *of_guard += parts;
        let (of_guard, span) = (*of_guard, *span);
        self.parts += parts;
        let message = if of_guard > MOST_PARTS_OF_A_GUARD {
            format!(
                "with the conditions that it names, the guard has more than {MOST_PARTS_OF_A_GUARD} parts"
            )
        } else if self.parts > MOST_PARTS {
            format!(
                "with the conditions that they name, the guards have more than {MOST_PARTS} parts"
            )
        } else {
            return Some(());
        };
        self.fault(Code::TooLarge, span, message)
            .help("each use of a condition counts all its parts: use it in fewer places, or keep the answer in a register");
        None
    }

    fn cond(&mut self, guard: &phrase::Guard<'_, Means<Cond>>) -> Option<Cond> {
        self.count_parts(1)?;
        Some(match guard {
            phrase::Guard::All(parts) => Cond::All(self.conds(parts)?),
            phrase::Guard::Any(parts) => Cond::Any(self.conds(parts)?),
            phrase::Guard::Atom(readings, span) => match self.one_reading(readings, *span)? {
                (cond, false) => cond,
                (cond, true) => Cond::Not(Box::new(cond)),
            },
        })
    }

    fn conds(&mut self, parts: &[phrase::Guard<'_, Means<Cond>>]) -> Option<Vec<Cond>> {
        let parts: Vec<Option<Cond>> = parts.iter().map(|part| self.cond(part)).collect();
        parts.into_iter().collect()
    }

    pub(super) fn greater_than(&mut self, name: &Name, n: u32, span: Span) -> Option<Guard> {
        let register = self.number(name)?;
        if n >= TOO_LARGE {
            self.fault(Code::BadNumber, span, "no number is greater than 0x110000")
                .help("0x110000 stands for every number above U+10FFFF");
            return None;
        }
        Some(Guard::NumberIn(register, vec![(n + 1, TOO_LARGE)]))
    }

    /// Whether the current character is in a set, or that of a register.
    pub(super) fn current_is(&mut self, object: &Name) -> Option<Guard> {
        let is_register = self
            .registers
            .iter()
            .any(|r| r.ty == RegisterType::Character && object.is(&r.name));
        Some(match is_register {
            true => Guard::CurrentIsCharacter(self.find_register(object)?),
            false => Guard::CurrentIn(self.characters(object)),
        })
    }

    pub(super) fn next_are(&mut self, run: &Name, then: &Name) -> Guard {
        let end = then.span;
        let (run, then) = (self.characters(run), self.characters(then));
        let both = run.intersection(&then);
        if !both.is_empty() {
            let message = format!("{both} is among the characters before it already");
            self.fault(Code::OverlappingArms, end, message)
                .help("what follows must end them: use `except`");
        }
        Guard::NextAre { run, then }
    }

    pub(super) fn last_consumed(&mut self, text: String, span: Span) -> Option<Guard> {
        if text.is_empty() || !text.is_ascii() {
            let message = "the string must be ASCII and not empty";
            self.fault(Code::BadLiteral, span, message);
            return None;
        }
        if text.len() > MOST_REMEMBERED {
            let message = format!("the string has more than {MOST_REMEMBERED} characters");
            self.fault(Code::BadLiteral, span, message)
                .help("only so many are remembered");
        }
        let gone = self.gone();
        if text.contains('\n') && gone.contains('\r') {
            let message = "newlines are normalized: the string may not have U+000A";
            self.fault(Code::BadLiteral, span, message)
                .help("say in a register that a newline was consumed");
        }
        self.replaced_in(&text, span, &gone);
        Some(Guard::LastConsumed(text))
    }

    pub(super) fn flag_is_set(&mut self, name: &Name) -> Option<Cond> {
        Some(Cond::Is(Guard::FlagIs(self.flag(name)?)))
    }

    pub(super) fn token_is(&mut self, token: &Name, kind: &Name) -> Option<Cond> {
        let token = self.token(token)?;
        let (_, kind) = self.kind(kind, Some(token))?;
        Some(Cond::Is(Guard::KindIs(token, kind)))
    }

    /// The states of a list.
    pub(super) fn states_listed(&mut self, list: &Name) -> Option<Vec<Named>> {
        let names = self.list(list, |c, name| c.find_state(name).is_some());
        let states: Vec<_> = names.iter().map(|name| self.state(name)).collect();
        states.into_iter().collect()
    }

    pub(super) fn characters(&mut self, name: &Name) -> crate::charset::CharSet {
        set_notation::characters_only(&name.text, name.span, &mut self.classes, self.faults)
    }

    pub(super) fn set_or_eof(&mut self, name: &Name) -> (crate::charset::CharSet, bool) {
        set_notation::with_eof(&name.text, name.span, &mut self.classes, self.faults)
    }

    /// A condition of the table or a question of the vocabulary.
    pub(super) fn named(&mut self, name: &Name) -> Option<Cond> {
        for text in [&name.with_article, &name.text] {
            if let Some(index) = self.condition_index.get(text).copied() {
                self.used_conditions.insert(index);
                let cond = self.condition(index, name.span)?;
                // The name itself is counted already.
                self.count_parts(cond.parts() - 1)?;
                return Some(cond);
            }
            if let Some(question) = self.vocabulary.questions.iter().position(|q| q == text) {
                return Some(Cond::Is(Guard::Question(u32::try_from(question).ok()?)));
            }
        }
        None
    }

    /// Reads a condition, once.
    pub(super) fn condition(&mut self, index: usize, used: Span) -> Option<Cond> {
        match self.conditions.get(index)? {
            Condition::Read(cond) => return cond.clone(),
            Condition::Reading => {
                let message = "the condition is defined by itself";
                self.fault(Code::RecursiveName, used, message)
                    .help("a condition may name others, but not itself");
                return None;
            }
            Condition::Unread => {}
        }
        if self.conditions_open > MOST_CONDITIONS {
            let message = "the condition is defined by too many others in a row";
            self.fault(Code::RecursiveName, used, message)
                .help("name fewer parts");
            return None;
        }
        let table = self.table;
        let text = table.conditions.get(index)?.value.as_ref()?;
        self.conditions[index] = Condition::Reading;
        self.conditions_open += 1;
        // Inside a procedure the same names mean other states.
        let procedure = self.procedure.take();
        let cond = self.guard(&text.text, text.span());
        self.procedure = procedure;
        self.conditions_open -= 1;
        self.conditions[index] = Condition::Read(cond.clone());
        cond
    }

    /// `SUBJECT is OBJECT`.
    pub(super) fn is(&mut self, subject: &Name, object: &Name, span: Span) -> Option<Cond> {
        if let Some(token) = subject.text.strip_suffix(" token") {
            let kind = Name::new(normal(&object.text), object.span);
            return self.token_is(&Name::new(token, subject.span), &kind);
        }
        let Some(register) = self.find_register(subject) else {
            self.unknown_subject(subject, span);
            return None;
        };
        let ty = self.register_type(register)?.clone();
        Some(match ty {
            RegisterType::Text => Cond::Is(self.text_is(register, object)?),
            RegisterType::Number => Cond::Is(self.number_is(register, object)?),
            RegisterType::State => {
                let mut states = self.states_listed(object)?;
                let mut seen = BTreeSet::new();
                states.retain(|state| seen.insert(*state));
                Cond::StateIs(register, states)
            }
            RegisterType::Finite(words) => {
                let names = self.list(object, |_, name| words.contains(&name.text));
                let found: Vec<_> = names.iter().map(|n| self.word(n, &words)).collect();
                let mut found: Vec<u32> = found.into_iter().collect::<Option<_>>()?;
                found.sort_unstable();
                found.dedup();
                Cond::Is(Guard::FiniteIs(register, found))
            }
            RegisterType::Character => {
                let message = format!("`{}` holds {}", subject.text, register_holds(&ty));
                self.fault(Code::TypeMismatch, subject.span, message)
                    .help(format!(
                        "say `the current input character is the {}`",
                        subject.text
                    ));
                return None;
            }
        })
    }

    fn unknown_subject(&mut self, subject: &Name, span: Span) {
        let mut names: Vec<&str> = self.registers.iter().map(|r| r.name.as_str()).collect();
        names.extend([
            "current input character",
            "next input character",
            "last character matched",
        ]);
        let of_input = subject.text.replace(" character", " input character");
        let help = if names.contains(&of_input.as_str()) {
            format!("did you mean `the {of_input}`?")
        } else if self.fields_named(&subject.text).is_empty() {
            did_you_mean(&subject.text, names, || {
                "a register is declared in `registers`, a condition in `conditions`".to_owned()
            })
        } else {
            "a guard cannot read the field of a token: collect the text in a text register too, and test that register"
                .to_owned()
        };
        let at = if subject.span.len == 0 {
            span
        } else {
            subject.span
        };
        self.faults
            .unknown(Code::UnknownRegister, at, "register", &subject.text)
            .help(help);
    }

    fn text_is(&mut self, register: RegisterId, object: &Name) -> Option<Guard> {
        let list = tokens(&object.text, object.span, self.faults);
        let mut any_of = Vec::new();
        let mut ignore_case = false;
        for token in &list {
            match &token.kind {
                Kind::Quoted(text) => any_of.push(text.clone()),
                Kind::Comma => {}
                Kind::Word if token.text == "or" => {}
                Kind::Word if token.text == "ASCII" => {}
                Kind::Word if token.text == "case-insensitively" => ignore_case = true,
                _ => {
                    let hint = self.fault(
                        Code::TypeMismatch,
                        object.span.part(token.start, token.text.len()),
                        "the register holds a text",
                    );
                    let hint = hint.label("expected a quoted string");
                    if token.is("empty") {
                        hint.help("the empty string is `\"\"`");
                    }
                    return None;
                }
            }
        }
        if any_of.is_empty() {
            self.fault(Code::IncompletePhrase, object.span, "a text is missing")
                .label("expected a quoted string");
            return None;
        }
        let mut seen = BTreeSet::new();
        any_of.retain(|text| seen.insert(text.clone()));
        Some(Guard::TextIs {
            register,
            any_of,
            ignore_case,
        })
    }

    fn number_is(&mut self, register: RegisterId, object: &Name) -> Option<Guard> {
        let mut ranges = Vec::new();
        for item in pieces(object) {
            let text = item.text.as_str();
            let ends = match text.split_once(" to ") {
                Some((a, b)) => number(a.trim()).zip(number(b.trim())),
                None => number(text).map(|n| (n, n)),
            };
            match ends {
                Some((a, b)) if a > b => {
                    self.fault(Code::BadRange, item.span, "the range ends before it starts")
                        .help(format!("did you mean `0x{b:X} to 0x{a:X}`?"));
                    return None;
                }
                Some((a, b)) => {
                    self.in_range(b, item.span)?;
                    ranges.push((a, b));
                }
                None if self.classes.names().all(|class| class != text)
                    && closest(text, self.classes.names()).is_none()
                    && text.chars().all(|c| c.is_alphabetic() || c == ' ') =>
                {
                    let message = format!("`{text}` is no number");
                    self.fault(Code::TypeMismatch, item.span, message)
                        .help("write a number, a range such as `0 to 9`, or a class of characters");
                    return None;
                }
                None => ranges.extend_from_slice(self.characters(&item).ranges()),
            }
        }
        Some(Guard::NumberIn(register, merged(ranges)))
    }

    /// The names in `A, B or C`; a name may itself hold an `or`.
    fn list(&mut self, object: &Name, known: impl Fn(&Self, &Name) -> bool) -> Vec<Name> {
        let pieces = pieces(object);
        let mut names = Vec::new();
        let mut at = 0;
        while at < pieces.len() {
            // A name holds few `or`s.
            let furthest = pieces.len().min(at + 5);
            let joined = (at + 1..=furthest).rev().find_map(|end| {
                let joined = join(object, &pieces[at..end])?;
                known(self, &joined).then_some((joined, end))
            });
            let (name, end) = joined.unwrap_or_else(|| (pieces[at].clone(), at + 1));
            names.push(name);
            at = end;
        }
        names
    }
}

/// The parts of a list between commas and `or`.
fn pieces(object: &Name) -> Vec<Name> {
    let mut ignored = crate::diagnostic::Faults::default();
    let tokens = tokens(&object.text, object.span, &mut ignored);
    let ends = |t: &crate::lexer::Token<'_>| t.kind == Kind::Comma || t.is("or");
    tokens
        .split(ends)
        .filter_map(|part| {
            let (mut first, last) = (part.first()?, part.last()?);
            let whole = normal(&object.text[first.start..last.end()]);
            if part.len() > 1 && ["a", "an", "the"].iter().any(|a| first.is(a)) {
                first = &part[1];
            }
            Some(Name {
                text: normal(&object.text[first.start..last.end()]),
                with_article: whole,
                span: object.span.part(first.start, last.end() - first.start),
            })
        })
        .collect()
}

/// The text from the first to the last of these pieces.
fn join(object: &Name, pieces: &[Name]) -> Option<Name> {
    let (first, last) = (pieces.first()?, pieces.last()?);
    let start = first.span.start - object.span.start;
    let end = last.span.start - object.span.start + last.span.len;
    let text = normal(object.text.get(start..end)?);
    Some(Name::new(text, object.span.part(start, end - start)))
}
