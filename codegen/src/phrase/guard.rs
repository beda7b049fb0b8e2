//! The grammar of guards.

use super::cursor::Cursor;
use super::rows::{Read, Reading, Row, read, templates};
use super::templates::{did_you_mean, nearest};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Token, by_quotes, normal, tokens};

/// A guard as written.
pub(crate) enum Guard<'t, M: 'static> {
    All(Vec<Guard<'t, M>>),
    Any(Vec<Guard<'t, M>>),
    /// One question: all that it can mean.
    Atom(Vec<Reading<'t, M>>, Span),
}

/// Reads a guard. `None` after a fault.
pub(crate) fn guard<'t, M>(
    rows: &'static [Row<M>],
    whole: Cursor<'t>,
    faults: &mut Faults,
) -> Option<Guard<'t, M>> {
    let tokens = whole.tokens;
    let is_odd = |token: &Token<'_>| token.is("&&") || token.is("||");
    // A condition may be called `if`.
    let is_if_again = tokens.len() > 1 && tokens[0].is("if");
    if tokens.iter().any(is_odd) || is_if_again {
        refuse(rows, whole, None, faults);
        return None;
    }
    let (pieces, connectives) = split(whole);
    let mut guards = Vec::new();
    let mut sound = true;
    for piece in pieces {
        match negated(rows, piece, faults) {
            Some(guard) => guards.push(guard),
            None => sound = false,
        }
    }
    let other = connectives.windows(2).find(|w| w[0].text != w[1].text);
    if let Some(pair) = other {
        let here = whole.span.part(pair[1].start, pair[1].text.len());
        let message = "`and` and `or` are mixed in one guard";
        faults
            .add(Code::MixedGuard, here, message)
            .help("name a part of it in `conditions`, or nest the `if`");
        return None;
    }
    if !sound {
        return None;
    }
    match (guards.len(), connectives.first()) {
        (1, _) => guards.pop(),
        (_, Some(or)) if or.is("or") => Some(Guard::Any(guards)),
        _ => Some(Guard::All(guards)),
    }
}

/// Splits at each `and` or `or` that a guard follows; the others belong to lists and names.
fn split(whole: Cursor<'_>) -> (Vec<Cursor<'_>>, Vec<&Token<'_>>) {
    let count = whole.tokens.len();
    let joints: Vec<usize> = (1..count)
        .filter(|&i| whole.tokens[i].is("and") || whole.tokens[i].is("or"))
        .collect();
    let piece = |from: usize, to: usize| Cursor {
        tokens: &whole.tokens[from..to],
        ..whole
    };
    let (mut pieces, mut connectives) = (Vec::new(), Vec::new());
    let mut start = 0;
    for (n, &joint) in joints.iter().enumerate() {
        if joint < start {
            // Within the name of a condition.
            continue;
        }
        // A condition's name may hold a few joints itself: the longest name wins.
        let ends = joints[n + 1..].iter().copied().chain([count]).take(5);
        let name = ends
            .clone()
            .filter(|&end| is_named(piece(joint + 1, end)))
            .max();
        let next = ends.min().unwrap_or(count);
        if name.is_some() || is_guard(piece(joint + 1, next)) {
            pieces.push(piece(start, joint));
            connectives.push(&whole.tokens[joint]);
            start = joint + 1;
        }
        if let Some(end) = name
            && end < count
        {
            pieces.push(piece(start, end));
            connectives.push(&whole.tokens[end]);
            start = end + 1;
        }
    }
    pieces.push(piece(start, count));
    (pieces, connectives)
}

/// Whether it is the name of a condition or question, perhaps with `not` or an article.
fn is_named(mut cursor: Cursor<'_>) -> bool {
    let whole = cursor.is_named();
    cursor.eat("not");
    whole || cursor.is_named()
}

/// Whether it begins as the guards of the language do.
fn is_guard(mut cursor: Cursor<'_>) -> bool {
    cursor.eat("not");
    let mut bare = cursor;
    bare.article();
    let fixed = ["appropriate end tag token", "called from"];
    let verbs = ["is", "are", "has"];
    fixed.iter().any(|words| { bare }.eat(words))
        || cursor
            .tokens
            .iter()
            .any(|token| verbs.iter().any(|verb| token.is(verb)))
}

fn negated<'t, M>(
    rows: &'static [Row<M>],
    mut cursor: Cursor<'t>,
    faults: &mut Faults,
) -> Option<Guard<'t, M>> {
    let mut negated = false;
    if !(cursor.named)(&normal(cursor.typed())) {
        while cursor.eat("not") {
            negated = !negated;
        }
    }
    match atom(rows, cursor) {
        Read::Readings(mut readings) => {
            for reading in &mut readings {
                reading.negated ^= negated;
            }
            return Some(Guard::Atom(readings, cursor.here()));
        }
        Read::Lacks(expected) => refuse(rows, cursor, Some(expected), faults),
        Read::Unknown => refuse(rows, cursor, None, faults),
    }
    None
}

const ALL_GUARDS: &str = "a guard is a question such as `the next input character is U+003D (=)`, or a name in \
                          `conditions`; `speclex schema` prints examples of all guards";

fn refuse<M>(
    rows: &'static [Row<M>],
    cursor: Cursor<'_>,
    expected: Option<String>,
    faults: &mut Faults,
) {
    let typed = cursor.typed();
    if typed.is_empty() {
        faults
            .add(Code::UnknownGuard, cursor.here(), "a guard is missing")
            .help(ALL_GUARDS);
        return;
    }
    if let Some(expected) = expected {
        let help = nearest(typed, templates(rows))
            .map(|t| format!("the guard is `{}`, for example: `{}`", t.pattern, t.example))
            .unwrap_or_default();
        let message = format!("`{typed}` lacks a part");
        faults
            .add(Code::IncompletePhrase, cursor.here(), message)
            .label(format!("expected {expected}"))
            .help(help);
        return;
    }
    let reads = |text: &str| {
        let tokens = tokens(text, Span::default(), &mut Faults::default());
        let text = Cursor::new(text, &tokens, Span::default()).with_names(cursor.named);
        matches!(atom(rows, text), Read::Readings(_))
    };
    let help = match with_signs(typed) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            did_you_mean(typed, templates(rows), reads).unwrap_or_else(|| ALL_GUARDS.to_owned())
        }
    };
    let message = format!("`{typed}` is not a guard");
    faults
        .add(Code::UnknownGuard, cursor.here(), message)
        .help(help);
}

/// The guard for what other languages write with signs, or with `if`: `a == b && c`.
pub(crate) fn with_signs(typed: &str) -> Option<String> {
    let signs = [
        (" equals ", " is "),
        (" == ", " is "),
        ("==", " is "),
        (" != ", " is not "),
        (" = ", " is "),
        (" && ", " and "),
        (" || ", " or "),
    ];
    let in_words = |text: &str| {
        let text = text.strip_prefix("if ").unwrap_or(text);
        let text = match text.strip_prefix('!') {
            Some(text) => format!("not {text}"),
            None => text
                .trim_start_matches('(')
                .trim_end_matches(')')
                .to_owned(),
        };
        let signs = signs.iter();
        signs.fold(text, |text, (sign, word)| text.replace(sign, word))
    };
    let parts = by_quotes(typed)
        .into_iter()
        .zip([true, false].into_iter().cycle());
    let parts = parts.map(|(part, is_outside)| match is_outside {
        true => in_words(part),
        false => part.to_owned(),
    });
    let meant: String = parts.collect();
    (meant != typed).then_some(meant)
}

/// What a guard without `and`, `or` and `not` can mean. An article may stand before words that have none.
fn atom<'t, M>(rows: &'static [Row<M>], cursor: Cursor<'t>) -> Read<'t, M> {
    let mut bare = cursor;
    bare.article();
    match read(rows, cursor) {
        Read::Unknown => read(rows, bare),
        found => found,
    }
}
