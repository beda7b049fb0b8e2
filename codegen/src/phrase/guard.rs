//! The grammar of guards.

use super::cursor::Cursor;
use super::guards::GUARDS;
use super::rows::{Read, read, templates};
use super::templates::{did_you_mean, nearest};
use super::{Atom, Guard};
use crate::diagnostic::{Code, Faults, Span};
use crate::lexer::{Token, by_quotes, normal, number, tokens};

/// Reads a guard. `named` holds the conditions of the table and the questions of the vocabulary,
/// which tell where a list ends and the next guard begins. `None` after a fault.
pub(crate) fn parse(
    text: &str,
    span: Span,
    named: &dyn Fn(&str) -> bool,
    faults: &mut Faults,
) -> Option<Guard> {
    let mut own = Faults::default();
    let guard = whole(text, span, named, &mut own);
    match repeated(text, named).filter(|_| guard.is_none()) {
        Some(meant) => {
            let message = format!("`{}` is not a guard", text.trim());
            let hint = faults.add(Code::UnknownGuard, span, message);
            hint.help(format!("each part says what it is about: `{meant}`"));
        }
        None => faults.append(own),
    }
    guard
}

fn whole(
    text: &str,
    span: Span,
    named: &dyn Fn(&str) -> bool,
    faults: &mut Faults,
) -> Option<Guard> {
    let tokens = tokens(text, span, faults);
    let whole = Cursor::new(text, &tokens, span);
    let is_odd = |token: &Token<'_>| token.is("&&") || token.is("||");
    // A condition may be called `if`.
    let is_if_again = tokens.len() > 1 && tokens[0].is("if");
    if tokens.iter().any(is_odd) || is_if_again {
        refuse(whole, None, named, faults);
        return None;
    }
    let (pieces, connectives) = split(whole, named);
    let mut guards = Vec::new();
    let mut sound = true;
    for piece in pieces {
        match negated(piece, named, faults) {
            Some(guard) => guards.push(guard),
            None => sound = false,
        }
    }
    let other = connectives.windows(2).find(|w| w[0].text != w[1].text);
    if let Some(pair) = other {
        let here = span.part(pair[1].start, pair[1].text.len());
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
fn split<'t>(
    whole: Cursor<'t>,
    named: &dyn Fn(&str) -> bool,
) -> (Vec<Cursor<'t>>, Vec<&'t Token<'t>>) {
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
            .filter(|&end| is_named(piece(joint + 1, end), named))
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
fn is_named(mut cursor: Cursor<'_>, named: &dyn Fn(&str) -> bool) -> bool {
    let whole = named(&normal(cursor.typed()));
    cursor.eat("not");
    let bare = named(&normal(cursor.typed()));
    cursor.article();
    whole || bare || named(&normal(cursor.typed()))
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

fn negated(
    mut cursor: Cursor<'_>,
    named: &dyn Fn(&str) -> bool,
    faults: &mut Faults,
) -> Option<Guard> {
    let mut negated = false;
    if !named(&normal(cursor.typed())) {
        while cursor.eat("not") {
            negated = !negated;
        }
    }
    let here = cursor.here();
    match atom(cursor, named) {
        Ok((atom, not)) if not == negated => Some(Guard::Atom(atom, here)),
        Ok((atom, _)) => Some(Guard::Not(Box::new(Guard::Atom(atom, here)))),
        Err(expected) => {
            refuse(cursor, expected, named, faults);
            None
        }
    }
}

const ALL_GUARDS: &str = "a guard is a question such as `the next input character is U+003D (=)`, or a name in \
                          `conditions`; `speclex schema` prints examples of all guards";

fn refuse(
    cursor: Cursor<'_>,
    expected: Option<String>,
    named: &dyn Fn(&str) -> bool,
    faults: &mut Faults,
) {
    let typed = cursor.typed();
    if typed.is_empty() {
        faults
            .add(Code::UnknownGuard, cursor.here(), "a guard is missing")
            .help(ALL_GUARDS);
        return;
    }
    let compared = compared(typed).filter(|meant| meant != typed);
    if let Some(expected) = expected.filter(|_| compared.is_none()) {
        let help = nearest(typed, templates(GUARDS))
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
        let cursor = Cursor::new(text, &tokens, Span::default());
        atom(cursor, named).is_ok()
    };
    let help = match with_signs(typed).or(compared) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => {
            did_you_mean(typed, templates(GUARDS), reads).unwrap_or_else(|| ALL_GUARDS.to_owned())
        }
    };
    let message = format!("`{typed}` is not a guard");
    faults
        .add(Code::UnknownGuard, cursor.here(), message)
        .help(help);
}

/// The guard whose parts after `and` and `or` lack what they are about: `the depth is 0 or greater than 5`.
fn repeated(typed: &str, named: &dyn Fn(&str) -> bool) -> Option<String> {
    let (subject, _) = typed.split_once(" is ")?;
    let tokens = tokens(typed, Span::default(), &mut Faults::default());
    let all = Cursor::new(typed, &tokens, Span::default());
    let is_joint = |token: &Token<'_>| token.is("and") || token.is("or");
    tokens.iter().find(|token| is_joint(token))?;
    let mut meant = String::new();
    for part in tokens.split_inclusive(is_joint) {
        let joint = part.last().filter(|token| is_joint(token));
        let mut part = Cursor {
            tokens: &part[..part.len() - usize::from(joint.is_some())],
            ..all
        };
        part.eat("it");
        part.eat("is");
        let part = match is_guard(part) {
            true => part.typed().to_owned(),
            false => format!("{subject} is {}", part.typed()),
        };
        meant.push_str(compared(&part).as_deref().unwrap_or(&part));
        if let Some(joint) = joint {
            meant.extend([" ", joint.text, " "]);
        }
    }
    let reads = whole(&meant, Span::default(), named, &mut Faults::default());
    reads.map(|_| meant)
}

/// The guard for what other languages write with signs, or with `if`: `a == b && c`.
fn with_signs(typed: &str) -> Option<String> {
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

/// The guard for a comparison that is not `greater than`.
fn compared(typed: &str) -> Option<String> {
    let words = [
        (" >= ", "is at least"),
        (" >= ", "is greater than or equal to"),
        (" <= ", "is at most"),
        (" <= ", "is less than or equal to"),
        (" > ", "is more than"),
        (" > ", "is greater then"),
        (" > ", "greater than"),
        (" < ", "is less than"),
    ];
    words.into_iter().find_map(|(sign, words)| {
        let words = format!(" {words} ");
        let (subject, n) = typed
            .split_once(sign)
            .or_else(|| typed.split_once(&words))?;
        let n = number(n)?;
        let subject = subject.strip_suffix(" is").unwrap_or(subject);
        Some(match sign {
            " > " => format!("{subject} is greater than {n}"),
            " >= " => format!("{subject} is greater than {}", n.checked_sub(1)?),
            " < " => format!("{subject} is 0 to {}", n.checked_sub(1)?),
            _ => format!("{subject} is 0 to {n}"),
        })
    })
}

/// An atom and whether it is negated; or what is missing.
fn atom(cursor: Cursor<'_>, named: &dyn Fn(&str) -> bool) -> Result<(Atom, bool), Option<String>> {
    let mut bare = cursor;
    bare.article();
    if named(&normal(cursor.typed())) || named(&normal(bare.typed())) {
        let name = cursor.name().ok_or(None)?;
        return Ok((Atom::Named(name), false));
    }
    // An article may stand before words that have none.
    let read = match read(GUARDS, cursor) {
        Read::Unknown => read(GUARDS, bare),
        found => found,
    };
    match read {
        Read::Readings(readings) => {
            let reading = readings.into_iter().next().ok_or(None)?;
            Ok((reading.meaning, reading.negated))
        }
        Read::Lacks(expected) => Err(Some(expected)),
        Read::Unknown => Err(None),
    }
}
