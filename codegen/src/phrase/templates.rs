//! What a row says of itself, and which row may be meant.

use crate::suggest::closest;

/// A phrase or guard with its open parts in capitals.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Template {
    /// `switch to STATE`.
    pub(crate) pattern: &'static str,
    /// One that could stand in a table.
    pub(crate) example: &'static str,
    /// What it does.
    pub(crate) about: &'static str,
}

macro_rules! templates {
    ($($(#[doc = $about:literal])+ $pattern:literal = $example:literal;)+) => {
        &[$($crate::phrase::Template {
            pattern: $pattern,
            example: $example,
            about: concat!($($about),+).trim_ascii_start(),
        }),+]
    };
}
pub(crate) use templates;

/// The question what was meant: the text itself without misspelt words, if this reads, and its general form.
pub(crate) fn did_you_mean(
    typed: &str,
    templates: impl DoubleEndedIterator<Item = &'static Template>,
    reads: impl Fn(&str) -> bool,
) -> Option<String> {
    let template = nearest(typed, templates)?;
    let &Template {
        pattern, example, ..
    } = template;
    let corrected = template.corrected(typed).filter(|text| reads(text));
    Some(match corrected {
        Some(text) if text == pattern => format!("did you mean `{pattern}`?"),
        Some(text) => format!("did you mean `{text}`? The general form is `{pattern}`"),
        None if pattern == example => format!("did you mean `{pattern}`?"),
        None => format!("did you mean `{pattern}`? For example: `{example}`"),
    })
}

impl Template {
    /// The words that do not stand for something else, articles aside.
    pub(crate) fn fixed(&self) -> impl Iterator<Item = &'static str> {
        let words = self.pattern.split([' ', ',']);
        words.filter(|w| !w.is_empty() && !is_open(w) && !matches!(*w, "the" | "a" | "or"))
    }

    /// Which fixed words are among those typed, in order: each with its place there.
    pub(crate) fn shared(&self, typed: &[&str]) -> Vec<(usize, &'static str)> {
        let mut from = 0;
        let place = |(number, word): (usize, &'static str)| {
            let same = |typed: &&str| similar(typed, word, number == 0);
            let at = from + typed[from..].iter().position(same)?;
            from = at + 1;
            Some((at, word))
        };
        self.fixed().enumerate().filter_map(place).collect()
    }

    /// Whether a text is the pattern, with something in its open parts.
    pub(crate) fn takes(&self, typed: &str) -> bool {
        takes(self.pattern, typed)
    }

    /// The text with its misspelt words corrected.
    fn corrected(&self, typed: &str) -> Option<String> {
        let words: Vec<&str> = typed.split_whitespace().collect();
        let mut shared = self.shared(&words).into_iter().peekable();
        let mut corrected = String::new();
        let mut rest = typed;
        for (number, typed) in words.into_iter().enumerate() {
            let (spaces, after) = rest.split_once(typed)?;
            let word = shared.next_if(|&(at, _)| at == number);
            corrected.push_str(spaces);
            corrected.push_str(word.map_or(typed, |(_, word)| word));
            rest = after;
        }
        Some(corrected)
    }
}

/// A text of more words is taken by no pattern.
const MOST_WORDS: usize = 40;

/// Whether a text is a pattern, with something in its open parts. Articles are free.
pub(crate) fn takes(pattern: &str, typed: &str) -> bool {
    fn rest(pattern: &[&str], typed: &[&str]) -> bool {
        let Some((word, pattern)) = pattern.split_first() else {
            return typed.is_empty();
        };
        let bare = word.trim_start_matches('(');
        let end = bare.trim_start_matches(|c: char| c.is_ascii_uppercase());
        let is_open = end.len() < bare.len() && !end.starts_with(char::is_alphanumeric);
        let most = [1, typed.len()][usize::from(is_open)];
        (1..=most.min(typed.len())).any(|count| {
            let last = typed[count - 1];
            let fits = last == *word || is_open && last.ends_with(end);
            fits && rest(pattern, &typed[count..])
        })
    }
    let words = |text| -> Vec<&str> {
        let words = str::split_whitespace(text).filter(|word| !matches!(*word, "the" | "a" | "an"));
        words.take(MOST_WORDS + 1).collect()
    };
    let typed = words(typed);
    typed.len() <= MOST_WORDS && rest(&words(pattern), &typed)
}

/// The template that shares most of its fixed words, in order, with what was typed.
pub(crate) fn nearest(
    typed: &str,
    templates: impl DoubleEndedIterator<Item = &'static Template>,
) -> Option<&'static Template> {
    let typed: Vec<&str> = typed.split_whitespace().collect();
    let lead = typed
        .iter()
        .find(|word| !matches!(**word, "the" | "a" | "an"));
    let score = |template: &Template| {
        let count = template.fixed().count();
        let shared = template.shared(&typed);
        let found = shared.len();
        let verb = template.fixed().next().zip(lead);
        let first = verb.is_some_and(|(word, typed)| similar(typed, word, true));
        let exact = verb.is_some_and(|(word, typed)| *typed == word);
        // "an item token" is one of a kind.
        let article = |words: &[&str]| words.iter().any(|word| matches!(*word, "a" | "an"));
        let pattern: Vec<&str> = template.pattern.split(' ').collect();
        let same_article = article(&pattern) == article(&typed);
        // A shared verb counts most; then shared words, the shorter template, and the article.
        (first || found > 1 && found == count).then_some((
            usize::from(first) + usize::from(exact),
            found,
            usize::MAX - count,
            same_article,
        ))
    };
    templates
        .filter_map(|template| Some((score(template)?, template)))
        // The first of equals is the plainest.
        .rev()
        .max_by_key(|&(score, _)| score)
        .map(|(_, template)| template)
}

/// Short words must be the same, long ones may be misspelt; of a verb, less is enough.
fn similar(typed: &str, word: &str, is_verb: bool) -> bool {
    let begins_alike = typed.chars().next() == word.chars().next();
    let is_long = word.len() > 4 || is_verb && word.len() == 4 && begins_alike;
    typed == word || is_long && closest(typed, [word]).is_some()
}

/// Whether a word of a pattern stands for something else.
pub(crate) fn is_open(word: &str) -> bool {
    word != "EOF" && word.chars().all(|c| c.is_ascii_uppercase())
}
