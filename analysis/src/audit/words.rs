//! Sentences as words: articles left out, characters and quoted strings recognised.

use super::characters::named;

/// A word of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    /// In small letters.
    Plain(String),
    Character(char),
    Quoted(String),
    Number(u32),
    /// `,` `;` `:` `(` `)`
    Mark(char),
}

/// A sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sentence {
    pub(crate) line: usize,
    /// As written.
    pub(crate) text: String,
    pub(crate) words: Vec<Word>,
    /// Remarks in parentheses, taken out of it.
    pub(crate) remarks: Vec<Vec<Word>>,
    /// Characters whose naming contradicts itself.
    pub(crate) slips: Vec<String>,
    /// Whether it begins a paragraph.
    pub(crate) first: bool,
}

/// Words in parentheses that are part of a name.
const PARTS_OF_NAMES: &[&str] = &["double-quoted", "single-quoted", "unquoted", "quoted"];

/// The sentences of a paragraph.
pub(crate) fn sentences(line: usize, paragraph: &str) -> Vec<Sentence> {
    let mut all = Vec::new();
    let mut sentence = Sentence {
        first: true,
        ..Sentence::default()
    };
    let mut start = 0;
    let mut at = 0;
    let mut depth = 0_usize;
    while at < paragraph.len() {
        let rest = &paragraph[at..];
        let (word, len) = word(rest, &mut sentence.slips);
        let stop = len == 1 && rest.starts_with(['.', '?']);
        let ends = depth == 0 && stop && is_end(&rest[1..]);
        match word {
            Some(Word::Mark('(')) => depth += 1,
            Some(Word::Mark(')')) => depth = depth.saturating_sub(1),
            _ => {}
        }
        sentence.words.extend(word);
        at += len;
        if ends {
            finish(&mut sentence, line, &paragraph[start..at], &mut all);
            start = at;
        }
    }
    finish(&mut sentence, line, &paragraph[start..], &mut all);
    all
}

/// Whether what follows a full stop begins a sentence: an abbreviation goes on in small letters.
fn is_end(rest: &str) -> bool {
    let next = rest.trim_start().chars().next();
    next.is_none_or(|c| c.is_uppercase() || matches!(c, '"' | ')' | '('))
}

fn finish(sentence: &mut Sentence, line: usize, text: &str, all: &mut Vec<Sentence>) {
    let mut done = std::mem::take(sentence);
    done.line = line;
    done.text = text.trim().to_owned();
    done.first = all.is_empty();
    take_remarks(&mut done);
    let empty = done.words.is_empty() && done.remarks.is_empty();
    match all.last_mut() {
        // A remark behind the full stop belongs to the sentence before it.
        Some(before) if done.words.is_empty() && !empty => {
            before.remarks.append(&mut done.remarks);
        }
        _ if empty => {}
        _ => all.push(done),
    }
}

/// Takes remarks in parentheses out of the words.
fn take_remarks(sentence: &mut Sentence) {
    let words = std::mem::take(&mut sentence.words);
    let mut at = 0;
    while at < words.len() {
        if words[at] == Word::Mark('(') {
            let mut depth = 0_usize;
            let end = words[at..].iter().position(|word| {
                match word {
                    Word::Mark('(') => depth += 1,
                    Word::Mark(')') => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
            let end = at + end.unwrap_or(words.len() - at - 1);
            let inside = &words[at + 1..end.max(at + 1)];
            let part = matches!(inside, [Word::Plain(w)] if PARTS_OF_NAMES.contains(&w.as_str()));
            match part {
                true => sentence.words.extend(words[at..=end].iter().cloned()),
                false if inside.is_empty() => {}
                false => sentence.remarks.push(inside.to_vec()),
            }
            at = end + 1;
        } else {
            sentence.words.push(words[at].clone());
            at += 1;
        }
    }
}

/// The word at the beginning, if it is one, and its length.
fn word(rest: &str, slips: &mut Vec<String>) -> (Option<Word>, usize) {
    if let Some(named) = named(rest) {
        slips.extend(named.slip);
        return (Some(Word::Character(named.character)), named.len);
    }
    let Some(first) = rest.chars().next() else {
        return (None, 1);
    };
    match first {
        ',' | ';' | ':' | '(' | ')' => (Some(Word::Mark(first)), 1),
        '"' => match rest[1..].find('"') {
            Some(end) => (Some(Word::Quoted(rest[1..=end].to_owned())), end + 2),
            None => (None, 1),
        },
        _ if first.is_alphanumeric() => {
            let len = length(rest);
            let text = &rest[..len];
            (plain_word(text), len)
        }
        _ => (None, first.len_utf8()),
    }
}

/// How long a word is: hyphens, apostrophes and full stops within it belong to it.
fn length(rest: &str) -> usize {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'' | '=' | '_');
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let follows = chars.peek().map(|(_, next)| *next);
        let abbreviation =
            c == '.' && follows.is_some_and(|n| n.is_ascii_lowercase() || n.is_ascii_digit());
        if !(inner(c) || abbreviation) {
            return at;
        }
    }
    rest.len()
}

fn plain_word(text: &str) -> Option<Word> {
    if let Some(digits) = text.strip_prefix("0x")
        && let Ok(number) = u32::from_str_radix(digits, 16)
    {
        return Some(Word::Number(number));
    }
    if let Ok(number) = text.parse() {
        return Some(Word::Number(number));
    }
    let word = text.to_lowercase();
    match word.trim_end_matches(['-', '\'']) {
        "the" | "a" | "an" => None,
        word => Some(Word::Plain(word.to_owned())),
    }
}
