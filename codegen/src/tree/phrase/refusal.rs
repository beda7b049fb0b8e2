//! What is wrong with a text that has no reading, and what may be meant.

use super::chart::{Chart, Furthest, Reading};
use super::declared::{Form, SaysWhat};
use super::pattern::{Piece, is_article};
use super::reading::{Phrases, looks_like_a_phrase, with_possessives};
use super::rows;
use super::sort::Sort;
use crate::charset::display_char;
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Kind, Token, tokens};
use crate::phrase::{self, Template, nearest};
use crate::suggest::{closest, did_you_mean, some_of};
use crate::tree::machine::{ElementName, Holds, Space};

/// How many names a help lists at most.
const MOST_NAMES: usize = 12;
/// How many words of a guard without a reading are read with undeclared names at once: that takes time that grows with the
/// square of their number. A longer guard is refused part by part.
const MOST_LENIENT: usize = 40;

impl Phrases<'_, '_> {
    /// Says what is wrong with a text that has no reading.
    pub(super) fn refuse(
        &mut self,
        sort: Sort,
        text: &str,
        words: &[Token<'_>],
        span: Span,
        furthest: &Furthest,
    ) {
        let is_known = words.iter().any(|word| self.faulty.contains(word.text));
        if let [first, name, ..] = words
            && first.is("let")
        {
            self.faulty.insert(name.text.to_owned());
        }
        if is_known {
            return;
        }
        if sort == Sort::Guard && words.len() > MOST_LENIENT {
            return self.refuse_parts(text, words, span);
        }
        let code = if matches!(sort, Sort::Guard) {
            Code::UnknownGuard
        } else {
            Code::UnknownPhrase
        };
        let what = sort.expected().trim_start_matches("a ");
        let message = format!("`{text}` is not a {what} of tree construction");
        if let Some(help) = self.said_otherwise(sort, text) {
            self.faults.add(code, span, message).help(help);
            return;
        }
        let mut chart = Chart::new(words, &self.declared, true);
        let lenient = chart.whole(sort);
        if let Some(found) = lenient.first() {
            let mut unknown = Vec::new();
            collect(&found.reading, &mut unknown);
            if unknown.len() == 1 && found.unknown + 2 <= words.len()
                || unknown.len() * 4 <= words.len()
            {
                for (sort, start, end) in unknown {
                    self.unknown(sort, text, &words[start..end], span);
                }
                return;
            }
        }
        let templates = templates(sort);
        let template = nearest(text, templates.iter().copied());
        let parts = text.split(", ");
        let is_list = sort == Sort::Step
            && parts.clone().count() > 1
            && parts.clone().all(looks_like_a_phrase);
        let typed: Vec<&str> = words.iter().map(|word| word.text).collect();
        let shared = template.map_or(0, |template| template.shared(&typed).len());
        let own = self
            .own_phrase(sort, words)
            .filter(|(own, _)| *own > shared);
        let expected = self.expected(furthest);
        let bare = words.iter().skip(furthest.at);
        let mut bare = bare.skip_while(|word| is_article(word.text));
        let bare = bare.next().filter(|word| word.kind == Kind::Word);
        let quoted = bare.and_then(|word| match expected.as_deref()? {
            "an insertion mode" => {
                let typed = text[word.start..].trim_matches('\'');
                let names = self.declared.names_of(Sort::Mode);
                let names = || names.iter().map(String::as_str);
                let meant = names()
                    .find(|name| *name == typed)
                    .or_else(|| closest(typed, names()));
                Some(match meant {
                    Some(mode) => format!("names of insertion modes have quotes: `\"{mode}\"`"),
                    None => format!("in quotes, {}", some_of(names(), MOST_NAMES)),
                })
            }
            "a string in quotes" => Some(format!("strings have quotes: `\"{}\"`", word.text)),
            _ => None,
        });
        let help = match own {
            _ if let Some(quoted) = quoted => quoted,
            _ if sort == Sort::Step && text.starts_with("if ") => "`if GUARD` is a key: write `if GUARD: [STEPS]`, in a list of its own if brackets are around it".to_owned(),
            _ if is_list => format!("a list of steps has brackets: `[{text}]`"),
            Some((_, name)) => format!("did you mean `{name}`?"),
            None => match template {
                Some(Template {
                    pattern, example, ..
                }) if pattern == example => format!("did you mean `{pattern}`?"),
                Some(Template {
                    pattern, example, ..
                }) => format!("did you mean `{pattern}`? For example: `{example}`"),
                None => format!("docs/tree-language.md lists all of them; {}", begins(sort)),
            },
        };
        let at = words.get(furthest.at).filter(|_| furthest.at > 1);
        match (at, expected) {
            (Some(word), Some(expected)) => {
                let last = words.last().map_or(word.end(), Token::end);
                self.faults
                    .add(code, span.part(word.start, last - word.start), message)
                    .label(format!("expected {expected}"))
                    .help(help);
            }
            (None, Some(expected)) if furthest.at >= words.len() && furthest.at > 0 => {
                let message = format!("`{text}` lacks a part");
                self.faults
                    .add(Code::IncompletePhrase, span, message)
                    .label(format!("expected {expected}"))
                    .help(help);
            }
            _ => _ = self.faults.add(code, span, message).help(help),
        }
    }

    /// The phrase for one with signs or words of other languages, with quotes around elements, or for a guard that stands where a
    /// step does.
    fn said_otherwise(&self, sort: Sort, text: &str) -> Option<String> {
        let others = [
            ("set ", "switch "),
            ("go to ", "switch to "),
            ("goto ", "switch to "),
            ("add ", "append "),
            ("add ", "push "),
        ];
        let verbs = others.into_iter().filter(|_| sort == Sort::Step);
        let said =
            verbs.filter_map(|(other, verb)| Some(format!("{verb}{}", text.strip_prefix(other)?)));
        let signs = phrase::with_signs(text).filter(|_| sort == Sort::Guard);
        let bare = text.replace('"', "");
        let mut said = said.chain(signs).chain([bare]).filter(|said| said != text);
        if let Some(said) = said.find(|said| self.is_read(sort, said)) {
            return Some(format!("did you mean `{said}`?"));
        }
        let is_guard = sort == Sort::Step && self.is_read(Sort::Guard, text);
        is_guard.then(|| format!("a guard stands after `if`: `if {text}: STEP`"))
    }

    /// Whether a text has a reading.
    fn is_read(&self, sort: Sort, text: &str) -> bool {
        let lexed = tokens(text, Span::default(), &mut Faults::default());
        let words = with_possessives(&lexed);
        words.len() <= MOST_LENIENT
            && !Chart::new(&words, &self.declared, false)
                .whole(sort)
                .is_empty()
    }

    /// Refuses those parts of a long guard, between `or` and `and`, that have no reading.
    fn refuse_parts(&mut self, text: &str, words: &[Token<'_>], span: Span) {
        let is_joint = |at: usize| words.get(at).is_none_or(|it| it.is("or") || it.is("and"));
        let mut faulty = Vec::new();
        let mut chart = Chart::new(words, &self.declared, false);
        let mut at = 0;
        while at < words.len() {
            let ends = chart.ends(Sort::Atom, at);
            let end = ends.into_iter().filter(|&end| is_joint(end)).max();
            let end = end.unwrap_or_else(|| {
                let end = (at..).find(|&it| is_joint(it)).unwrap_or(words.len());
                faulty.push(at..end);
                end
            });
            at = end + 1;
        }
        if faulty.is_empty() {
            let message = "this guard cannot be read, though each of its parts can";
            self.faults.add(Code::UnknownGuard, span, message);
        }
        for part in faulty {
            let part = &words[part];
            let (Some(first), Some(last)) = (part.first(), part.last()) else {
                let message = "a part of this guard is missing";
                self.faults.add(Code::IncompletePhrase, span, message);
                continue;
            };
            let (start, end) = (first.start, last.end());
            let mut from_start = part.to_vec();
            from_start.iter_mut().for_each(|word| word.start -= start);
            let mut chart = Chart::new(&from_start, &self.declared, false);
            chart.whole(Sort::Guard);
            let furthest = std::mem::take(&mut chart.furthest);
            let place = span.part(start, end - start);
            let part = part.len().min(MOST_LENIENT);
            self.refuse(
                Sort::Guard,
                &text[start..end],
                &from_start[..part],
                place,
                &furthest,
            );
        }
    }

    /// What was expected where reading failed; `None` if that takes more than a few words.
    fn expected(&self, furthest: &Furthest) -> Option<String> {
        let mut all: Vec<String> = Vec::new();
        // What the phrase itself expects is said, and not what its holes do.
        let is_whole = |sort: Sort| matches!(sort, Sort::Step | Sort::Atom);
        let has_whole = furthest.expected.iter().any(|it| is_whole(it.0));
        let expected = furthest
            .expected
            .iter()
            .filter(|it| !has_whole || is_whole(it.0));
        for &(sort, number, piece) in expected {
            let form: &Form = self.declared.forms(sort).get(number)?;
            let words = form
                .pieces
                .get(piece..)?
                .iter()
                .map_while(|piece| match piece {
                    Piece::Word(word) => Some(word.clone()),
                    Piece::Article => Some(String::new()),
                    Piece::Hole(_) => None,
                });
            let words: Vec<String> = words.filter(|word| !word.is_empty()).collect();
            let shown = match (form.pieces.get(piece), words.is_empty()) {
                (Some(Piece::Hole(sort)), _) => sort.expected().to_owned(),
                (_, false) => format!("`{}`", words.join(" ").replace(" ,", ",")),
                _ => continue,
            };
            if !all.contains(&shown) {
                all.push(shown);
            }
        }
        match &all[..] {
            [] => None,
            [one] => Some(one.clone()),
            [one, other] => Some(format!("{one} or {other}")),
            [one, other, third] => Some(format!("{one}, {other} or {third}")),
            _ => None,
        }
    }

    /// The phrase of the table's own that shares most words with a text, if it shares most of its own.
    fn own_phrase(&self, sort: Sort, words: &[Token<'_>]) -> Option<(usize, String)> {
        let of = if sort == Sort::Guard {
            Sort::Atom
        } else {
            sort
        };
        let is_own = |form: &&Form| matches!(form.says, SaysWhat::Procedure(_) | SaysWhat::Ask(..));
        let own = self.declared.forms(of).iter().filter(is_own);
        let own = own.map(|form| (&form.pieces, form.shown.clone()));
        let hosts = self.declared.hosts.iter().filter(|_| sort == Sort::Step);
        let hosts = hosts.map(|host| (&host.pieces, format!("{} given ELEMENT", host.shown)));
        let score = |pieces: &[Piece]| {
            let fixed = pieces.iter().filter_map(|piece| match piece {
                Piece::Word(word) => Some(word.as_str()),
                _ => None,
            });
            let fixed: Vec<&str> = fixed.collect();
            let mut rest = words.iter();
            let same = |word: &&&str| {
                rest.any(|it| it.text == **word || closest(it.text, [**word]).is_some())
            };
            let shared = fixed.iter().filter(same).count();
            (shared > 1 && shared * 3 >= fixed.len() * 2)
                .then_some((shared, usize::MAX - fixed.len()))
        };
        let scored = own
            .chain(hosts)
            .filter_map(|(pieces, shown)| Some((score(pieces)?, shown)));
        scored
            .max_by_key(|(score, _)| *score)
            .map(|((shared, _), shown)| (shared, shown))
    }

    /// Refuses a name that is not declared, or that holds something else.
    fn unknown(&mut self, sort: Sort, text: &str, words: &[Token<'_>], span: Span) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let at = span.part(first.start, last.end() - first.start);
        let typed = match &first.kind {
            Kind::Quoted(text) => text.as_str(),
            _ => &text[first.start..last.end()],
        };
        let is_tired = self.suggestions == 0;
        self.suggestions = self.suggestions.saturating_sub(1);
        let mut names = if is_tired {
            Vec::new()
        } else {
            self.declared.names_of(sort)
        };
        if sort == Sort::Word {
            let states = self
                .declared
                .states
                .iter()
                .filter(|state| text.contains(&state.name));
            if let Some(Holds::Words(words)) = states.map(|state| &state.holds).next_back() {
                names.clone_from(words);
            }
        }
        if let Some(local) = self.declared.local(typed) {
            let message = format!(
                "`{typed}` is {}, but this needs {}",
                local.sort.expected(),
                sort.expected()
            );
            let help = some_of(names.iter().map(String::as_str), MOST_NAMES);
            self.faults.add(Code::TypeMismatch, at, message).help(help);
            return;
        }
        if sort == Sort::ElementNames {
            return self.unknown_elements(text, words, span, &names);
        }
        let is_element = |name: &str| {
            let name = name.to_owned();
            self.declared.has_element(&ElementName {
                space: Space::Html,
                name,
            })
        };
        if sort == Sort::Set && is_element(typed) {
            let help = format!("did you mean `a {typed} element`?");
            self.faults
                .unknown(Code::UnknownWord, at, "set of element types", typed)
                .help(help);
            return;
        }
        if sort == Sort::Set {
            names.extend(["null", "a marker"].map(str::to_owned));
        }
        let is_variable = Sort::VALUES.contains(&sort) || sort == Sort::Assigned;
        let mut letters = typed.chars();
        let sign = letters
            .next()
            .filter(|c| letters.next().is_none() && c.is_ascii_punctuation());
        let help = did_you_mean(
            typed,
            names.iter().map(String::as_str),
            || match is_variable {
                true if let Some(sign) = sign => {
                    format!("write the character as `{}`", display_char(sign))
                }
                true if typed.contains(' ') => {
                    let all = some_of(names.iter().map(String::as_str), MOST_NAMES);
                    format!("{all}, or another one that `variables` declares")
                }
                true => format!("declare it above: `let {typed} be VALUE`"),
                false => some_of(names.iter().map(String::as_str), MOST_NAMES),
            },
        );
        if is_variable {
            self.faults
                .unknown(Code::UnknownVariable, at, "variable", typed)
                .help(help);
            return;
        }
        let (code, what) = match sort {
            Sort::Mode | Sort::Modes => (Code::UnknownMode, "insertion mode"),
            Sort::Content => (Code::UnknownContent, "content of the tokenizer"),
            Sort::Class => (Code::UnknownClass, "class"),
            Sort::Word => (Code::UnknownWord, "word"),
            _ => (
                Code::UnknownVariable,
                sort.expected()
                    .trim_start_matches("a ")
                    .trim_start_matches("an "),
            ),
        };
        self.faults.unknown(code, at, what, typed).help(help);
    }

    fn unknown_elements(&mut self, text: &str, words: &[Token<'_>], span: Span, names: &[String]) {
        let inner = words
            .iter()
            .filter(|word| word.kind == Kind::Word && !word.is("or"));
        let mut prefix = None;
        for word in inner {
            if matches!(word.text, "MathML" | "SVG") {
                prefix = Some(word);
                continue;
            }
            let prefix = prefix.take();
            let start = prefix.map_or(word.start, |prefix: &Token<'_>| prefix.start);
            let typed = &text[start..word.end()];
            let spaces = [Space::MathMl, Space::Svg].into_iter();
            let is_prefix = |space: &Space| prefix.is_some_and(|prefix| prefix.is(space.as_str()));
            let name = ElementName {
                space: spaces.clone().find(is_prefix).unwrap_or(Space::Html),
                name: word.text.to_owned(),
            };
            if self.declared.has_element(&name) {
                continue;
            }
            let at = span.part(start, word.end() - start);
            let sets = self.declared.names_of(Sort::Set);
            let all = names.iter().chain(&sets).map(String::as_str);
            let help = did_you_mean(typed, all, || {
                "a name stands in the key of an arm, in a set, or in `a new element with the tag name …`".to_owned()
            });
            self.faults
                .unknown(Code::UnknownWord, at, "element type", typed)
                .help(help);
        }
    }
}

fn begins(sort: Sort) -> &'static str {
    match sort {
        Sort::Guard => "a guard says what is: `node is a tr element`",
        _ => "a phrase begins with a verb: `insert`, `pop`, `switch`, `set`",
    }
}

/// The names in a reading that are not declared.
fn collect(reading: &Reading, unknown: &mut Vec<(Sort, usize, usize)>) {
    match reading {
        Reading::Term(_) => {}
        Reading::Unknown(sort, start, end) => unknown.push((*sort, *start, *end)),
        Reading::As(_, inner) => collect(inner, unknown),
        Reading::Both(one, other) | Reading::Either(one, other) | Reading::ButNot(one, other) => {
            collect(one, unknown);
            collect(other, unknown);
        }
        Reading::Form(_, _, parts) | Reading::AnyOf(parts) | Reading::Host(_, parts) => {
            parts.iter().for_each(|part| collect(part, unknown));
        }
    }
}

fn templates(sort: Sort) -> Vec<&'static Template> {
    let [steps, guards, values] = rows();
    match sort {
        Sort::Guard => guards,
        Sort::Step => steps,
        _ => values,
    }
}
