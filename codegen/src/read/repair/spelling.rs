//! What a line lacks that YAML refuses: quotes, brackets, colons, dashes.

use super::{Candidate, MOST_OF_A_LINE, Repair, Worth, indent, is_item, is_word};
use crate::read::quoting::{
    Quoted, glyph_end, is_special, key_end, lacks_a_value, quote_end, quoted, quoted_in_brackets,
};

pub(super) const MISSING_COLON: &str = "a colon is missing here";

const OPEN_BRACKET: &str = "the bracket is not closed";

const ANYTHING_ELSE: &str = "anything else";

const LITERALS: &str = "write texts in double quotes, and quote it:";

pub(super) const BY_NUMBERS: &str = "write characters by their numbers:";

impl Repair<'_> {
    /// What is typed without quotes, brackets or spaces that YAML needs, the likeliest first.
    pub(super) fn spellings(&self, number: usize) -> Vec<Candidate> {
        let line = self.line(number);
        let all = quoted(line);
        let is_starred = line.trim_start().starts_with("* ");
        let first = [
            self.star(number),
            self.missing_commas(number),
            condition(line),
            behind_brackets(line),
            without_braces(line),
            self.guard_end(line).map(|end| with_colon(line, end)),
            self.value_and_lines(number),
            of_other_languages(line),
            self.dash(number).filter(|_| is_starred),
            unquoted(line, &all),
            unquoted(line, &quoted_in_brackets(line)),
            colon_without_space(line),
            self.dash(number),
            too_much(line),
            self.missing_colon(number),
        ];
        let mut found: Vec<Candidate> = first.into_iter().flatten().collect();
        if let Some(fixed) = closed_by(&all.open, &all.line) {
            let at = line.find(['[', '{']).unwrap_or(0);
            let closed = Candidate::showing(line, fixed, OPEN_BRACKET, "close it:");
            found.push(closed.at(at..at + 1).worth(Worth::Nothing));
        }
        for (at, quote) in odd_quotes(line) {
            // In brackets it is to be closed before theirs.
            let closed = line.trim_end();
            let text = match line[..at].contains(['[', '{']) {
                true => closed.trim_end_matches([']', '}']),
                false => closed,
            };
            let fixed = format!("{text}{quote}{}", &closed[text.len()..]);
            let closed = Candidate::showing(line, fixed, "the quote is not closed", "close it:");
            // A value that begins with the quote.
            let is_key = key_end(line) == Some(all.piece.end);
            let begins = !is_key && all.piece.len() > 1 && all.piece.start == at;
            let place = if begins { 0 } else { found.len() };
            found.insert(place, closed.at(at..at + 1).worth(Worth::Nothing));
        }
        found
    }

    /// Closes a bracket that was opened on a line above, behind what is indented below that line.
    pub(super) fn open_bracket(&self, first: usize, line: usize) -> Option<(usize, Candidate)> {
        let of = indent(self.line(first));
        let is_inside =
            |&n: &usize| n <= line && indent(self.line(n)) > of && key_end(self.line(n)).is_none();
        let last = self.below(first).take_while(is_inside).last()?;
        let lines: Vec<&str> = (first..=last).map(|n| self.line(n).trim_end()).collect();
        let lines = Some(lines.join(" ")).filter(|lines| lines.len() <= MOST_OF_A_LINE)?;
        let closed = closed_by(&quoted(&lines).open, self.line(last))?;
        let at = self.line(first).find(['[', '{']).unwrap_or(of);
        let candidate = Candidate {
            shown: Some(first),
            ..Candidate::showing("", closed, OPEN_BRACKET, "close it:")
        };
        Some((last, candidate.at(at..at + 1)))
    }

    /// An arm for `*`, beside which there is none for anything else.
    fn star(&self, number: usize) -> Option<Candidate> {
        let line = self.line(number);
        let (of, value) = (indent(line), line.trim_start().strip_prefix("*:")?);
        let is_other = |&n: &usize| self.line(n).trim_start().starts_with(ANYTHING_ELSE);
        let beside = |n: &usize| indent(self.line(*n)) >= of;
        let mut arms =
            (self.above(number).take_while(beside)).chain(self.below(number).take_while(beside));
        let message = "to YAML, an unquoted `*` is not text";
        let words = format!(
            "`{ANYTHING_ELSE}` takes what no other arm takes, `U+002A (*)` takes the character; write:"
        );
        let fixed = format!("{}{ANYTHING_ELSE}:{value}", &line[..of]);
        (!arms.any(|n| is_other(&n))).then(|| Candidate::showing(line, fixed, message, &words))
    }

    /// Entries in brackets without commas between them: `{data: data RCDATA: raw}`, `[{…} {…}]`.
    fn missing_commas(&self, number: usize) -> Option<Candidate> {
        let line = self.line(number);
        let above = self.line_above(number).unwrap_or_default().trim_end();
        let mut depth = usize::from(above.ends_with([',', '[', '{']));
        // Behind the colon of the entry.
        let mut value = None;
        let mut missing = Vec::new();
        let mut at = indent(line);
        while let Some(c) = line[at..].chars().next() {
            let rest = &line[at..];
            let begins = line[..at].ends_with([' ', '[', '{', ',']);
            let after = rest[c.len_utf8()..].trim_start();
            match c {
                '[' | '{' => (depth, value) = (depth + 1, None),
                ']' | '}' => {
                    (depth, value) = (depth.saturating_sub(1), None);
                    if depth > 0 && after.starts_with(|c: char| !",]}:#".contains(c)) {
                        missing.push(at + 1);
                    }
                }
                ',' => value = None,
                '#' if begins => break,
                ':' if depth > 0 && rest[1..].starts_with(' ') => {
                    if let Some(value) = value {
                        missing.push(value + self.value_end(&line[value..at])?);
                    }
                    value = Some(at + 1);
                }
                _ => {}
            }
            at += match c {
                '"' => quote_end(rest).unwrap_or(1),
                '\'' if begins => quote_end(rest).unwrap_or(1),
                'U' => glyph_end(rest).unwrap_or(1),
                c => c.len_utf8(),
            };
        }
        let first = *missing.first()?;
        let mut fixed = line.to_owned();
        for at in missing.into_iter().rev() {
            fixed.insert(at, ',');
        }
        let candidate = Candidate::showing(line, fixed, "a comma is missing here", "write:");
        Some(candidate.at(first..first + 1))
    }

    /// Where a value ends that has the key of another one behind it: before an arm or a branch, behind the longest beginning
    /// that is a type, a word or a key of the table, or before the last word.
    fn value_end(&self, typed: &str) -> Option<usize> {
        let is_key =
            |value: &str| (self.typed.iter()).any(|l| l.trim().strip_suffix(':') == Some(value));
        let known = |value: &str| VALUES.contains(&value) || is_key(value);
        let lead = typed.len() - typed.trim_start().len();
        let ends = typed.match_indices(' ').map(|(at, _)| at);
        let ends = || ends.clone().filter(|&at| at > lead).rev();
        let arm = ARMS.iter().find_map(|words| {
            let is_last = words.ends_with([' ', '+']) || typed.ends_with(words);
            typed.rfind(words).filter(|&at| is_last && at > lead)
        });
        arm.or_else(|| ends().find(|&end| known(typed[..end].trim())))
            .or_else(|| ends().next())
    }

    /// The key above states that have none, on the blank line above.
    pub(super) fn missing_states(&self, line: usize) -> Option<(usize, Candidate)> {
        let blank = line.checked_sub(1).filter(|&n| !self.is_written(n))?;
        let is_head = indent(self.line(line)) > 0 && self.line(line).trim_end().ends_with(':');
        let is_below_nothing = is_head
            && !self.typed.iter().any(|line| line.starts_with("states:"))
            && !self.line_above(blank)?.trim_end().ends_with(':');
        let candidate = Candidate {
            shown: Some(line),
            help: "if the states begin here, write `states:` above this line".to_owned(),
            ..Candidate::showing("", "states:", "there is no key that this belongs to", "")
        };
        let of = indent(self.line(line));
        is_below_nothing.then(|| (blank, candidate.at(of..of)))
    }

    /// Where the guard of a branch without its colon ends: `if whitespace is "" [stay]`.
    fn guard_end(&self, line: &str) -> Option<usize> {
        let typed = line.trim_start().trim_start_matches("- ");
        if !typed.starts_with("if ") && !typed.starts_with("otherwise ") || key_end(line).is_some()
        {
            return None;
        }
        let mut ends = line.match_indices(" [").chain(line.match_indices(' '));
        let is_end = |&(at, _): &(usize, &str)| {
            !line[..at].ends_with(" is") && (self.is_steps)(line[at..].trim())
        };
        ends.find(is_end).map(|(at, _)| at)
    }

    /// A value in the line of a key that has lines below it, too.
    fn value_and_lines(&self, number: usize) -> Option<Candidate> {
        let line = self.line(number);
        let end = key_end(line)? + 1;
        let value = line[end..].trim();
        let is_plain =
            !value.is_empty() && !value.starts_with(['[', '{', '"', '\'', '|', '>', '&', '#']);
        // One line, and then others beside this one: it is that line that is too deep.
        let below = self.below(number).next()?;
        let is_one = self.indent_below(below) == Some(indent(line))
            && !is_item(self.line(below))
            && key_end(self.line(below)).is_some();
        // Or it is this line that is not deep enough, between two that are.
        let is_between = self.line_above(number).map(indent) == self.indent_below(number)
            && !value.ends_with(':');
        let is_deeper = self.indent_below(number) > Some(indent(line) + 1);
        let has_lines = !is_one && !is_between && is_deeper;
        // Beside a key without a value it is this line that is not indented.
        let above = self.line_above(number).unwrap_or_default();
        let is_beside = above.trim_end().ends_with(':') && indent(above) == indent(line);
        let (words, worth) = match key_end(value) {
            Some(_) => (
                "move the value to a line below it, and write:",
                Worth::Nothing,
            ),
            None => ("write:", Worth::All),
        };
        let message = "a key has a value in its line, or lines below it, and not both";
        (is_plain && has_lines && !is_beside && !self.is_off(number))
            .then(|| Candidate::showing(line, &line[..end], message, words).worth(worth))
    }

    /// The colon of a key without one: of an arm (`EOF emit EOF`), of a line with lines below it, or of one beside keys that
    /// is no phrase.
    fn missing_colon(&self, number: usize) -> Option<Candidate> {
        let line = self.line(number);
        let typed = line.trim();
        if typed.is_empty() || typed.starts_with('#') || key_end(line).is_some() {
            return None;
        }
        let end = line.trim_end().len();
        let is_item = typed.starts_with("- ");
        if self.indent_below(number) > Some(indent(line)) && !is_item {
            return Some(with_colon(line, end));
        }
        if let Some(end) = end_of_arm(line) {
            return Some(with_colon(line, end));
        }
        let mut around = self.above(number).take(1).chain(self.below(number).take(1));
        let is_key = |n| {
            let other = self.line(n);
            indent(other) == indent(line) && !super::is_item(other) && key_end(other).is_some()
        };
        // Nothing is known of a value that is not there.
        let is_lone = !typed.starts_with('-') && !(self.is_steps)(typed) && around.any(is_key);
        is_lone.then(|| with_colon(line, end).worth(Worth::Shape))
    }

    /// A dash that the lines around have, or have not.
    fn dash(&self, number: usize) -> Option<Candidate> {
        let line = self.line(number);
        let own = indent(line);
        let mut above = self.above(number).map(|n| self.line(n));
        let above = above.find(|other| indent(other) <= own)?;
        // The first phrase of a list without dashes, or with dashes on the other lines.
        let below = self.below(number).next().map(|n| self.line(n));
        let of_list = below.filter(|below| indent(below) == own || is_item(below));
        let is_first = above.trim_end().ends_with(':')
            && of_list.is_some_and(|below| indent(below) >= own.max(indent(above) + 1))
            && key_end(line).is_none()
            && (self.is_steps)(line.trim());
        let is_beside = indent(above) == own;
        let mark = line[own..].find(|c| !"-* •".contains(c)).unwrap_or(0);
        let lacks_dash = is_first || is_beside && is_item(above) || line[own..].starts_with("* ");
        let (fixed, message) = match (lacks_dash, is_item(line)) {
            (true, false) => (
                format!(
                    "{}- {}",
                    " ".repeat(of_list.filter(|_| is_first).map_or(own, indent)),
                    &line[own + mark..]
                ),
                "an item of a list begins with a dash and a space",
            ),
            (false, true) if is_beside && key_end(line).is_some() => (
                line.replacen("- ", "", 1),
                "the dash makes an item of a list of this, unlike the lines around it",
            ),
            _ => return None,
        };
        Some(Candidate::showing(line, fixed, message, "write:"))
    }
}

/// What the value of a key can be that is no phrase.
#[rustfmt::skip]
const VALUES: [&str; 10] = [
    "text", "optional text", "flag", "attributes", "number", "state", "character", "normalize", "keep", "drop",
];

/// How the keys of arms and branches begin, the longest first.
const ARMS: [&str; 5] = [
    " otherwise if ",
    " otherwise",
    " anything else",
    " EOF",
    " U+",
];

/// The line with the quotes that it needs.
pub(super) fn unquoted(line: &str, written: &Quoted) -> Option<Candidate> {
    let piece = &line[written.piece.clone()];
    let by_number = written.line[written.piece.start..].starts_with("U+");
    let is_odd = piece.starts_with(['>', '|', '&', '*', '!', '%', '@', '`']);
    let candidate = Candidate {
        worth: match by_number || !is_odd {
            true => Worth::All,
            false => Worth::Shape,
        },
        ..Candidate::showing(
            line,
            &*written.line,
            reason(piece),
            how_to_write(piece, written),
        )
    };
    let candidate = candidate.at(written.piece.clone());
    (written.line != line).then(
        || match piece.strip_prefix('*').filter(|name| is_word(name)) {
            Some(name) => Candidate {
                message: format!(
                    "to YAML, `*{name}` is what `&{name}` marks, and nothing above is marked so"
                ),
                help: format!("mark it where it first stands: `&{name} …`"),
                ..candidate
            },
            None => candidate,
        },
    )
}

/// A line with these brackets at its end, if there are any to close.
fn closed_by(open: &str, line: &str) -> Option<String> {
    let text = line.trim_end();
    let is_odd = text.matches(')').count() > text.matches('(').count();
    let text = text.strip_suffix(')').filter(|_| is_odd).unwrap_or(text);
    (!open.is_empty()).then(|| format!("{text}{open}"))
}

/// Why a piece of a line needs quotes.
pub(super) fn reason(piece: &str) -> String {
    match piece.chars().next() {
        Some('"' | '\'') if piece.len() > 1 => {
            "to YAML, a text that begins with a quote ends at the next one".to_owned()
        }
        Some('#') => "to YAML, an unquoted `#` begins a comment".to_owned(),
        Some('`') => "to YAML, an unquoted backtick is not text".to_owned(),
        Some(c) if is_special(c) => format!("to YAML, an unquoted `{c}` is not text"),
        _ if piece.contains(" #") => "to YAML, an unquoted ` #` begins a comment".to_owned(),
        _ if piece.contains(": ") => "a text with a colon and a space needs quotes".to_owned(),
        _ => "in a list in brackets, a text with a bracket or a comma needs quotes".to_owned(),
    }
}

pub(super) fn how_to_write(typed: &str, written: &Quoted) -> &'static str {
    let rest = &written.line[written.piece.start..];
    if typed.len() > 1 && typed.starts_with(['"', '\'']) && rest.starts_with(&typed[1..]) {
        return "without the quote:";
    }
    if rest.starts_with(&format!("'{}'", typed.replace('\'', "''"))) {
        "quote it:"
    } else if rest.starts_with("'\"") {
        LITERALS
    } else if rest.contains("U+") {
        BY_NUMBERS
    } else {
        LITERALS
    }
}

/// The line with a space behind the first colon, which was meant to end a key: `EOF:emit EOF`, `consume:{…}`.
fn colon_without_space(line: &str) -> Option<Candidate> {
    let (key, value) = line.split_once(':')?;
    let is_value = value.starts_with(|c: char| c.is_alphanumeric() || c == '[' || c == '{');
    let message = "a space is missing after the colon";
    let fixed = format!("{key}: {value}");
    (is_value && !key.contains(['"', '\'', '[', '{', '#']))
        .then(|| Candidate::showing(line, fixed, message, "write:"))
}

/// A key whose value in braces is a part of it for YAML: `consume:{EOF: stay}`.
pub(super) fn glued(line: &str) -> Option<Candidate> {
    let colon = line.find(':')?;
    let is_glued = line[colon + 1..].starts_with(['{', '[']) && key_end(line) != Some(colon);
    colon_without_space(line).filter(|_| is_glued)
}

/// A condition with what is done, in the line of an arm: only a list has that.
fn condition(line: &str) -> Option<Candidate> {
    let value = key_end(line)? + 2;
    let typed = line.get(value..)?.trim_end();
    let begins = ["if ", "otherwise if ", "otherwise: "].iter();
    let is_condition =
        begins.into_iter().any(|words| typed.starts_with(words)) && typed.contains(": ");
    let fixed = format!("{}[{typed}]", &line[..value]);
    let message = "a condition with what is done is an item of a list";
    is_condition.then(|| Candidate::showing(line, fixed, message, "put it in brackets:"))
}

/// A phrase behind the brackets of a list: `[parse error] stay`.
fn behind_brackets(line: &str) -> Option<Candidate> {
    let value = key_end(line)? + 2;
    let typed = line.get(value..)?.trim_end();
    let (list, phrase) = typed.strip_prefix('[')?.split_once("] ")?;
    let plain = !phrase.is_empty() && !phrase.contains(['[', ']', '{', '#', '"']);
    let piece = value + typed.len() - phrase.len()..value + typed.len();
    let key = line[..value].trim().trim_end_matches(':');
    let is_text = ["title", "source", "section"].contains(&key);
    let (message, fixed) = match is_text {
        true => (
            "a text that begins with a bracket stands in quotes",
            format!("'{}'", typed.replace('\'', "''")),
        ),
        false => (
            "a list in brackets ends before this",
            format!("[{list}, {phrase}]"),
        ),
    };
    let fixed = line[..value].to_owned() + &fixed;
    let candidate = Candidate::showing(line, fixed, message, "write:").at(piece);
    (plain || is_text).then(|| candidate.worth(Worth::Shape))
}

/// Names with their values that stand behind a key of the table, and not in braces: `registers: depth: number`.
fn without_braces(line: &str) -> Option<Candidate> {
    let (key, value) = line.trim_end().split_once(": ")?;
    // One of them may be there.
    let value = value.trim_end_matches('}');
    let is_of_names = ["entry states", "registers", "conditions", "preprocessing"].contains(&key);
    let is_pair = |pair: &str| pair.contains(": ") && !pair.contains(['"', '[', '{', '#']);
    let message = "names with their values stand in braces";
    let fixed = format!("{key}: {{{value}}}");
    (is_of_names && value.split(", ").all(is_pair))
        .then(|| Candidate::showing(line, fixed, message, "write:"))
}

/// The line with a colon at the end of its key.
fn with_colon(line: &str, end: usize) -> Candidate {
    // Other languages have these signs there.
    let rest = line[end..].trim_start_matches([' ', '：', '-', '=', '>', '→']);
    let fixed = format!("{}: {rest}", &line[..end]);
    Candidate::showing(line, fixed.trim_end(), MISSING_COLON, "write:").at(end - 1..end)
}

/// A comment of another language, or a bracket that closes one of another kind.
fn of_other_languages(line: &str) -> Option<Candidate> {
    let start = indent(line);
    let (typed, closed) = (&line[start..], line.trim_end());
    let mut comment = ["//", "; ", "```"]
        .iter()
        .filter_map(|mark| typed.strip_prefix(mark));
    if let Some(text) = comment.next() {
        let fixed = format!("{}# {}", &line[..start], text.trim_start());
        let message = "a comment begins with `#`";
        return Some(Candidate::showing(line, fixed, message, "write:"));
    }
    let value = closed[key_end(closed)? + 1..].trim_start();
    let (opening, meant) = match (value.chars().next()?, closed.chars().next_back()?) {
        ('[', '}') => ('[', ']'),
        ('{', ']') => ('{', '}'),
        _ => return None,
    };
    let rest = &closed[..closed.len() - 1];
    let message = format!("a `{opening}` opens this");
    (surplus(value) == 0 && !lacks_a_value(rest))
        .then(|| Candidate::showing(line, format!("{rest}{meant}"), message, "write:"))
}

/// A bracket or a comma that is too much.
fn too_much(line: &str) -> Option<Candidate> {
    let closed = line.trim_end();
    let surplus = surplus(&closed[key_end(closed).unwrap_or(0)..]);
    let rest = closed.trim_end_matches([']', '}', ',']);
    let rest = &closed[..rest.len().max(closed.len().saturating_sub(1))];
    let (at, message) = match (closed.find(",,"), &closed[rest.len()..]) {
        (Some(at), _) => (at + 1, "nothing is between the commas"),
        (_, "]" | "}") if surplus > 0 => (rest.len(), "no bracket is open that this one closes"),
        (_, ",") if surplus == 0 && rest.ends_with([']', '}']) => {
            (rest.len(), "nothing is open that this comma could separate")
        }
        _ => return None,
    };
    let fixed = format!("{}{}", &closed[..at], &closed[at + 1..]);
    Some(Candidate::showing(line, fixed, message, "write:").at(at..at + 1))
}

/// How many more brackets a text closes than it opens.
fn surplus(text: &str) -> isize {
    let count = |bracket: [char; 2]| text.matches(bracket).count() as isize;
    count([']', '}']) - count(['[', '{'])
}

/// The quotes of which there is an odd number, and where the first of them is.
pub(super) fn odd_quotes(line: &str) -> impl Iterator<Item = (usize, char)> {
    ['"', '\''].into_iter().filter_map(move |quote| {
        // Without those in parentheses after a code point.
        let counted = line.replace(&format!("({quote})"), "(_)");
        let is_odd = counted.matches(quote).count() % 2 == 1;
        Some((counted.find(quote).filter(|_| is_odd)?, quote))
    })
}

/// Where the key of an arm ends that has a value behind it and no colon: `EOF emit EOF`.
fn end_of_arm(line: &str) -> Option<usize> {
    let key = line.trim_start();
    let after = if let Some(code) = key.strip_prefix("U+") {
        let rest = code.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        glyph_end(key).map_or(rest, |end| &key[end..])
    } else {
        let words = ["EOF", ANYTHING_ELSE, "otherwise"];
        words.iter().find_map(|word| key.strip_prefix(word))?
    };
    let is_arm = after.starts_with([' ', '：']) && !after.trim().is_empty();
    is_arm.then_some(line.len() - after.len())
}
