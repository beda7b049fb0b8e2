//! Sentences as words: articles left out, quoted strings and characters recognised, however a text names them
//! (`U+003C LESS-THAN SIGN (<)`, `"-" (U+002D)`, `APOSTROPHE (')`).

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
    if let Some(named) = named_character(rest) {
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
            let len = word_length(rest);
            let text = &rest[..len];
            (plain_word(text), len)
        }
        _ => (None, first.len_utf8()),
    }
}

/// How long a word is: hyphens, apostrophes and full stops within it belong to it.
fn word_length(rest: &str) -> usize {
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

/// A character that a text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NamedCharacter {
    pub(crate) character: char,
    /// How many bytes its naming takes.
    pub(crate) len: usize,
    /// What contradicts itself: the number, the name and the glyph should be of one character.
    pub(crate) slip: Option<String>,
}

/// Names of characters that the texts speak of, besides letters and digits.
const NAMES: &[(char, &str)] = &[
    ('\0', "NULL"),
    ('\t', "CHARACTER TABULATION"),
    ('\n', "LINE FEED"),
    ('\u{C}', "FORM FEED"),
    ('\r', "CARRIAGE RETURN"),
    (' ', "SPACE"),
    ('!', "EXCLAMATION MARK"),
    ('"', "QUOTATION MARK"),
    ('#', "NUMBER SIGN"),
    ('%', "PERCENT SIGN"),
    ('&', "AMPERSAND"),
    ('\'', "APOSTROPHE"),
    ('-', "HYPHEN-MINUS"),
    ('/', "SOLIDUS"),
    (':', "COLON"),
    (';', "SEMICOLON"),
    ('<', "LESS-THAN SIGN"),
    ('=', "EQUALS SIGN"),
    ('>', "GREATER-THAN SIGN"),
    ('?', "QUESTION MARK"),
    ('[', "LEFT SQUARE BRACKET"),
    (']', "RIGHT SQUARE BRACKET"),
    ('_', "LOW LINE"),
    ('`', "GRAVE ACCENT"),
    ('\u{FEFF}', "BYTE ORDER MARK"),
    ('\u{FFFD}', "REPLACEMENT CHARACTER"),
];

/// The character that a text names at its beginning.
pub(crate) fn named_character(text: &str) -> Option<NamedCharacter> {
    by_number(text)
        .or_else(|| by_glyph(text))
        .or_else(|| by_name(text))
}

/// `U+003C LESS-THAN SIGN (<)`
fn by_number(text: &str) -> Option<NamedCharacter> {
    let (character, mut len) = number(text)?;
    let name = capitals(&text[len..]);
    let slip_name = name_slip(character, text[len..len + name].trim());
    len += name;
    if name > 0 && plural(&text[len..]) {
        len += 1;
    }
    let (glyph, slip_glyph) = glyph(&text[len..], character);
    // "character" between the name and the glyph belongs to the naming; without a glyph it does not.
    let word = [" characters", " character"]
        .iter()
        .find(|word| text[len..].starts_with(**word));
    let (glyph, slip_glyph) = match word {
        Some(word) if glyph == 0 => {
            let (found, slip) = self::glyph(&text[len + word.len()..], character);
            (if found > 0 { found + word.len() } else { 0 }, slip)
        }
        _ => (glyph, slip_glyph),
    };
    len += glyph;
    let slip = (slip_name || slip_glyph).then(|| text[..len].trim().to_owned());
    Some(NamedCharacter {
        character,
        len,
        slip,
    })
}

/// `"-" (U+002D)`, `"tab" (U+0009)`
fn by_glyph(text: &str) -> Option<NamedCharacter> {
    let rest = text.strip_prefix('"')?;
    let end = match rest.starts_with('"') {
        true => 1 + rest[1..].find('"')?,
        false => rest.find('"')?,
    };
    let quoted = &rest[..end];
    let rest = rest[end + 1..].strip_prefix(" (")?;
    let (character, number_len) = number(rest)?;
    rest[number_len..].strip_prefix(')')?;
    let len = 1 + end + 1 + 2 + number_len + 1;
    let mut glyphs = quoted.chars();
    let single = glyphs.next().filter(|_| glyphs.next().is_none());
    let slip = single.is_some_and(|glyph| glyph != character);
    Some(NamedCharacter {
        character,
        len,
        slip: slip.then(|| text[..len].to_owned()),
    })
}

/// `APOSTROPHE (')`
fn by_name(text: &str) -> Option<NamedCharacter> {
    let len = capitals(text);
    let name = text[..len].trim();
    let &(character, _) = NAMES.iter().find(|(c, n)| *n == name && !c.is_control())?;
    let (glyph, slip) = glyph(&text[len..], character);
    let len = len + glyph;
    (glyph > 0).then(|| NamedCharacter {
        character,
        len,
        slip: slip.then(|| text[..len].to_owned()),
    })
}

/// Whether a name has an `s` behind it.
fn plural(text: &str) -> bool {
    let mut rest = text.chars();
    rest.next() == Some('s') && !rest.next().is_some_and(char::is_alphanumeric)
}

fn number(text: &str) -> Option<(char, usize)> {
    let digits = text.strip_prefix("U+")?;
    let len = digits.chars().take_while(char::is_ascii_hexdigit).count();
    let number = u32::from_str_radix(digits.get(..len)?, 16).ok()?;
    // Surrogates are not in the input: these two make a range of them empty.
    let no_character = if number < 0xDC00 {
        '\u{E000}'
    } else {
        '\u{D7FF}'
    };
    let character = char::from_u32(number).unwrap_or(no_character);
    (len >= 4).then_some((character, 2 + len))
}

/// The length of words in capitals.
fn capitals(text: &str) -> usize {
    let mut len = 0;
    for word in text.split_inclusive(' ') {
        let bare = word.trim_end();
        let letters = bare.trim_end_matches(|c: char| !c.is_ascii_uppercase());
        let is_name = !letters.is_empty()
            && letters.chars().all(|c| c.is_ascii_uppercase() || c == '-')
            && !matches!(letters, "EOF" | "ASCII")
            && !letters.starts_with("U+");
        if word.trim().is_empty() {
            len += word.len();
            continue;
        }
        if !is_name {
            break;
        }
        len += letters.len();
        if letters.len() < bare.len() {
            return len;
        }
        len += word.len() - bare.len();
    }
    text[..len].trim_end().len()
}

/// Whether a name that is another character's stands here.
fn name_slip(character: char, name: &str) -> bool {
    let letter = |prefix: &str| name.strip_prefix(prefix).filter(|rest| rest.len() == 1);
    let named = if let Some(letter) = letter("LATIN SMALL LETTER ") {
        letter.to_ascii_lowercase().chars().next()
    } else if let Some(letter) = letter("LATIN CAPITAL LETTER ") {
        letter.chars().next()
    } else {
        let known = NAMES.iter().find(|(_, known)| *known == name);
        known.map(|(character, _)| *character)
    };
    named.is_some_and(|named| named != character)
}

/// The length of `(<)` and whether it is another character's; an alias such as `(tab)` is none.
fn glyph(text: &str, character: char) -> (usize, bool) {
    let start = text.len() - text.trim_start().len();
    let Some(inside) = text[start..].strip_prefix('(') else {
        return (0, false);
    };
    // The glyph may be a bracket itself.
    let skip = usize::from(inside.starts_with(')'));
    let Some(end) = inside[skip..].find(')').map(|end| end + skip) else {
        return (0, false);
    };
    let content = inside[..end].trim();
    let aliases = ["tab", "Tab", "LF", "FF", "CR", "Space", "]]>"];
    let mut glyphs = content.chars();
    let single = glyphs.next().filter(|_| glyphs.next().is_none());
    if single.is_none() && !aliases.contains(&content) {
        let quoted = content.len() > 2 && content.starts_with('\'');
        return if quoted {
            (start + end + 2, false)
        } else {
            (0, false)
        };
    }
    let slip = single.is_some_and(|glyph| glyph != character);
    (start + end + 2, slip)
}
