//! A line as it would be with the quotes that YAML needs. Not a parser: it knows how tables write characters,
//! phrases and sets, so that it can tell what was meant.

use crate::charset::display_char;
use std::ops::Range;

/// A line that says to YAML what it seems to mean.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Quoted {
    /// The whole line.
    pub(crate) line: String,
    /// What had to be written otherwise: bytes of the line as typed.
    pub(crate) piece: Range<usize>,
    /// Brackets that are open at the end of the line.
    pub(crate) open: String,
}

/// Deeper brackets are left alone.
const MOST_NESTING: usize = 16;

/// The line with quotes where they are needed: `>: stay` becomes `U+003E (>): stay`.
pub(crate) fn quoted(line: &str) -> Quoted {
    let mut writer = Writer::new(line);
    writer.block();
    writer.finish()
}

/// The same for a line inside of a list in brackets that began on another line.
pub(crate) fn quoted_in_brackets(line: &str) -> Quoted {
    let mut writer = Writer::new(line);
    writer.lead();
    while !writer.rest().is_empty() {
        writer.items(0);
        // A bracket that closes what is open on a line above.
        if let Some(bracket) = writer.peek() {
            writer.copy(bracket.len_utf8());
        }
    }
    writer.finish()
}

/// The key that a line begins with: where it ends, before the colon.
pub(crate) fn key_end(line: &str) -> Option<usize> {
    let mut writer = Writer::new(line);
    writer.lead();
    let start = writer.at;
    Some(start + writer.key()?)
}

struct Writer<'t> {
    line: &'t str,
    /// How far it is read.
    at: usize,
    out: String,
    piece: Option<Range<usize>>,
    open: String,
}

impl<'t> Writer<'t> {
    fn new(line: &'t str) -> Self {
        Self {
            line,
            at: 0,
            out: String::new(),
            piece: None,
            open: String::new(),
        }
    }

    fn finish(mut self) -> Quoted {
        self.copy(self.line.len() - self.at);
        Quoted {
            line: self.out,
            piece: self.piece.unwrap_or(0..0),
            open: self.open.chars().rev().collect(),
        }
    }

    fn rest(&self) -> &'t str {
        &self.line[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn copy(&mut self, count: usize) {
        self.out.push_str(&self.rest()[..count]);
        self.at += count;
    }

    fn spaces(&mut self) {
        let rest = self.rest();
        self.copy(rest.len() - rest.trim_start_matches([' ', '\t']).len());
    }

    /// Indentation and the dashes of lists.
    fn lead(&mut self) {
        self.spaces();
        while self.rest().starts_with("- ") {
            self.copy(1);
            self.spaces();
        }
    }

    /// A line outside of brackets.
    fn block(&mut self) {
        self.lead();
        if let Some(end) = self.key() {
            self.scalar(end, false);
            self.copy(1);
            self.spaces();
        }
        let is_header = |rest: &str| rest.trim_end().trim_start_matches(['|', '>']).len() < 2;
        match self.peek() {
            None => {}
            Some(_) if is_comment(self.rest()) => {}
            Some('[' | '{') => self.brackets(0),
            Some('|' | '>') if is_header(self.rest()) => {}
            _ => self.scalar(text_end(self.rest(), &[]), false),
        }
    }

    /// Where the key that begins here ends, if one does.
    fn key(&self) -> Option<usize> {
        let rest = self.rest();
        let is_character = rest.starts_with(is_special)
            && (rest[1..].trim_end() == ":" || rest[1..].starts_with(": "));
        if is_character {
            return Some(1);
        }
        if let Some(end) = bare_literal(rest) {
            return Some(end);
        }
        if is_comment(rest) || rest.starts_with(['[', '{']) && !is_lone(rest) {
            return None;
        }
        let end = text_end(rest, &[":"]);
        rest[end..].starts_with(':').then_some(end)
    }

    /// `[…]` or `{…}`.
    fn brackets(&mut self, depth: usize) {
        self.open
            .push(if self.peek() == Some('[') { ']' } else { '}' });
        self.copy(1);
        self.items(depth + 1);
        if matches!(self.peek(), Some(']' | '}')) {
            self.copy(1);
            self.open.pop();
        }
    }

    /// What stands between brackets, as far as the one that closes them.
    fn items(&mut self, depth: usize) {
        loop {
            self.spaces();
            match self.peek() {
                None | Some(']' | '}') => return,
                Some(',') => self.copy(1),
                Some('[' | '{') if !is_lone(self.rest()) => {
                    if depth > MOST_NESTING {
                        return;
                    }
                    self.brackets(depth);
                }
                Some(_) if is_comment(self.rest()) => return self.copy(self.rest().len()),
                Some(_) => {
                    let lone = usize::from(is_lone(self.rest()));
                    let end = lone.max(text_end(self.rest(), &[",", "]", "}", ":"]));
                    self.scalar(end, true);
                    if self.peek() == Some(':') {
                        self.copy(1);
                    }
                }
            }
        }
    }

    /// The next bytes are one scalar.
    fn scalar(&mut self, count: usize, in_brackets: bool) {
        let typed = self.rest()[..count].trim_end();
        let start = self.at;
        let is_key = self.rest()[count..].starts_with(':');
        let literal = || is_key.then(|| meant_as_literal(typed)).flatten();
        let written = characters_by_number(typed, is_key)
            .or_else(|| name_behind_a_quote(typed).filter(|_| is_key))
            .or_else(|| values(typed))
            .map(|written| with_quotes(&written, in_brackets))
            .or_else(literal)
            .unwrap_or_else(|| match is_quoted(typed) {
                true => typed.to_owned(),
                false => with_quotes(typed, in_brackets),
            });
        if written != typed && self.piece.is_none() {
            self.piece = Some(start..start + typed.len());
        }
        self.out.push_str(&written);
        self.at += typed.len();
        self.copy(count - typed.len());
    }
}

/// Where a text ends: at one of the marks, at a comment, or with the line. Quoted strings and the characters
/// in parentheses after a code point are passed over; a colon is a mark only before a space.
fn text_end(text: &str, marks: &[&str]) -> usize {
    end_of(text, marks, true)
}

fn end_of(text: &str, marks: &[&str], comments: bool) -> usize {
    let mut at = 0;
    if text.starts_with('\'')
        && let Some(end) = quote_end(text)
    {
        at = end;
    }
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let before_blank = |rest: &str| {
            let after = rest[1..].chars().next();
            after.is_none_or(char::is_whitespace)
        };
        let before = &text[..at];
        let is_value = before.ends_with(' ')
            && lacks_a_value(before)
            && rest
                .get(1..)
                .is_some_and(|after| after.starts_with([',', ']']));
        let is_mark = !is_value && marks.iter().any(|mark| rest.starts_with(mark));
        if is_mark && (c != ':' || before_blank(rest)) {
            return at;
        }
        let is_comment = is_comment(rest) && !lacks_a_value(before);
        if comments && c == '#' && before.ends_with([' ', '\t']) && is_comment {
            return before.trim_end().len();
        }
        let begins_word = before.ends_with([' ', ',']);
        at += match c {
            '"' => quote_end(rest).unwrap_or(1),
            '\'' | '“' | '‘' if begins_word => word_in_quotes(rest).unwrap_or(c.len_utf8()),
            'U' => glyph_end(rest).unwrap_or(1),
            c => c.len_utf8(),
        };
    }
    text.len()
}

/// Whether the `#` at the start begins a comment that was meant as one: `#, U+0021` and `#: stay` were not.
fn is_comment(text: &str) -> bool {
    text.starts_with('#') && !text[1..].starts_with([',', ':', ']', '}'])
}

/// Whether a value has to follow: `emit #` is no comment.
pub(super) fn lacks_a_value(text: &str) -> bool {
    let last = text.trim_end().rsplit([' ', '[', ',']).next();
    matches!(last, Some("emit" | "append" | "is" | "are"))
}

/// The length of a word in quotes that are no double quotes at the start: `'a, b'`, `“a, b”`.
fn word_in_quotes(text: &str) -> Option<usize> {
    let quote = text.chars().next()?;
    let close = match quote {
        '“' => '”',
        '‘' => '’',
        quote => quote,
    };
    let end = text[quote.len_utf8()..].find(close)? + quote.len_utf8() + close.len_utf8();
    text[end..]
        .chars()
        .next()
        .is_none_or(|c| " ,]}:".contains(c))
        .then_some(end)
}

/// A phrase whose characters and texts stand for themselves, or in other quotes, with those written as phrases have
/// them: `emit #` becomes `emit U+0023 (#)`.
fn values(phrase: &str) -> Option<String> {
    let mut written = String::with_capacity(phrase.len());
    let mut at = 0;
    let mut changed = false;
    while let Some(c) = phrase[at..].chars().next() {
        let (before, rest) = (&phrase[..at], &phrase[at..]);
        let length = match c {
            '"' => quote_end(rest).unwrap_or(1),
            _ if !before.ends_with(' ') => c.len_utf8(),
            '\'' | '“' | '‘' => word_in_quotes(rest).unwrap_or(c.len_utf8()),
            c => c.len_utf8(),
        };
        let piece = &rest[..length];
        let inner = piece.trim_matches(['\'', '“', '”', '‘', '’']);
        let ends = phrase[at + length..]
            .chars()
            .next()
            .is_none_or(|c| c == ' ');
        let is_value = lacks_a_value(before) && before.ends_with(' ') && ends;
        let meant = match only(piece).filter(|&c| is_special(c) || c == ':') {
            Some(c) if is_value => Some(display_char(c)),
            None if piece != inner && !inner.contains(['"', '\\']) && !inner.is_empty() => {
                Some(match only(inner) {
                    Some(c) => display_char(c),
                    None => format!("\"{inner}\""),
                })
            }
            _ => None,
        };
        changed |= meant.is_some();
        written.push_str(meant.as_deref().unwrap_or(piece));
        at += length;
    }
    changed.then_some(written)
}

/// Where a literal without quotes ends that is the key of an arm: `}}: stay`.
fn bare_literal(text: &str) -> Option<usize> {
    let ends = |c: char| !c.is_ascii_punctuation() || "\"',\\".contains(c);
    let end = text.find(ends).unwrap_or(text.len());
    let key = text[..end].strip_suffix(':')?;
    let ends = text[end..].chars().next().is_none_or(char::is_whitespace);
    (ends && key.len() > 1 && !key.starts_with('#')).then_some(key.len())
}

/// A key without quotes, or with one of YAML's only, that is a literal.
fn meant_as_literal(key: &str) -> Option<String> {
    let half = |text: &&str| is_quoted(text) && text.starts_with('"');
    let inner = key.strip_prefix('\'').filter(half);
    let inner = inner.or_else(|| key.strip_suffix('\'').filter(half));
    if let Some(inner) = inner {
        return Some(format!("'{inner}'"));
    }
    bare_literal(&format!("{key}: ")).map(|_| literal_key(key))
}

/// A name of several words behind a quote that nothing closes.
fn name_behind_a_quote(key: &str) -> Option<String> {
    let name = key.strip_prefix(['"', '\''])?;
    let is_name = |c: char| c.is_alphanumeric() || c == ' ';
    (name.contains(' ') && name.chars().all(is_name)).then(|| name.to_owned())
}

/// A literal as the key of an arm.
pub(crate) fn literal_key(text: &str) -> String {
    format!("'\"{}\"'", text.replace('\'', "''"))
}

/// Whether the text begins with a character that stands alone in a list: `[, U+0021 (!)`.
fn is_lone(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(is_special) && text[1..].starts_with(',')
}

/// The length of the quoted string at the start.
pub(super) fn quote_end(text: &str) -> Option<usize> {
    let mut chars = text.char_indices().peekable();
    let (_, quote) = chars.next()?;
    while let Some((at, c)) = chars.next() {
        if c == '\\' && quote == '"' {
            chars.next();
        } else if c == quote {
            // Two single quotes are one that belongs to the text.
            let is_doubled = quote == '\'' && chars.next_if(|&(_, c)| c == quote).is_some();
            if !is_doubled {
                return Some(at + 1);
            }
        }
    }
    None
}

/// The length of `U+005B ([)` at the start.
pub(super) fn glyph_end(text: &str) -> Option<usize> {
    let digits = text.strip_prefix("U+")?;
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    let rest = rest.trim_start_matches(' ').strip_prefix('(')?;
    let glyph = rest.chars().next()?;
    let rest = rest[glyph.len_utf8()..].strip_prefix(')')?;
    Some(text.len() - rest.len())
}

/// Whether it is one quoted string of YAML.
fn is_quoted(text: &str) -> bool {
    text.starts_with(['"', '\'']) && quote_end(text) == Some(text.len())
}

/// Characters that begin something in YAML, or end a list in brackets.
pub(super) fn is_special(c: char) -> bool {
    ">|&*!%@`\"'[]{},#".contains(c)
}

/// A text as an item of a list in brackets.
pub(crate) fn item(text: &str) -> String {
    with_quotes(text, true)
}

/// A text as a key or a value that is in no brackets.
pub(crate) fn outside_brackets(text: &str) -> String {
    with_quotes(text, false)
}

fn with_quotes(text: &str, in_brackets: bool) -> String {
    match needs_quotes(text, in_brackets) {
        true => format!("'{}'", text.replace('\'', "''")),
        false => text.to_owned(),
    }
}

fn needs_quotes(text: &str, in_brackets: bool) -> bool {
    let begins =
        |c: char| is_special(c) || matches!(c, '-' | '?' | ':') && text[1..].starts_with(' ');
    text.starts_with(begins)
        || text.contains(": ")
        || text.ends_with(':')
        || text.contains(" #")
        || in_brackets && text.contains([',', '[', ']', '{', '}'])
}

/// A set in which special characters stand for themselves, or are in single quotes, with those written by
/// their numbers. In keys, literals in single quotes get the quotes of a set.
fn characters_by_number(set: &str, is_key: bool) -> Option<String> {
    if is_quoted(set) && set.len() > 1 {
        return None;
    }
    let mut items = Vec::new();
    let mut rest = set;
    loop {
        let end = match rest.trim_start().starts_with(',') {
            // The comma itself, before another one or at the end.
            true if items.is_empty() => rest.len() - rest.trim_start().len() + 1,
            _ => end_of(rest, &[","], false),
        };
        items.push(rest[..end].trim());
        match rest[end..].strip_prefix(',') {
            Some(after) => rest = after,
            None => break,
        }
    }
    let meant = |item: &str| {
        let in_quotes = in_single_quotes(item);
        let one_quote = is_key && item.matches(['"', '\'']).count() == 1;
        let stray = || only(item.trim_matches(['"', '\''])).filter(|_| one_quote);
        let lone = || only(item).or_else(stray).filter(|&c| is_special(c));
        match in_quotes.map_or_else(lone, only) {
            Some(c) => Some(display_char(c)),
            None => in_quotes
                .filter(|text| is_key && !text.contains(['"', '\\']))
                .map(|text| format!("\"{text}\"")),
        }
    };
    let changed = items.iter().any(|item| meant(item).is_some());
    let items: Vec<String> = items
        .into_iter()
        .map(|item| meant(item).unwrap_or_else(|| item.to_owned()))
        .collect();
    changed.then(|| items.join(", "))
}

/// What is within the single quotes of a text that has no others.
pub(crate) fn in_single_quotes(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    (!inner.is_empty() && !inner.contains('\'')).then_some(inner)
}

/// The only character.
fn only(text: &str) -> Option<char> {
    let mut chars = text.chars();
    chars.next().filter(|_| chars.next().is_none())
}
