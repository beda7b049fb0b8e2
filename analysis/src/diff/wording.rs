//! Outputs and arms as lines for people.

use std::cmp::Ordering;

use super::arms::Case;
use super::replay::Kind;
use crate::error_comparison::{ErrorComparison, UNNAMED};
use crate::spelling::with_article;
use crate::token::{Output, Token, Value};

/// An error.
pub(crate) fn error_line(code: &str) -> String {
    if code == UNNAMED {
        "parse error".to_owned()
    } else {
        format!("error {code}")
    }
}

/// A line for each token, with its place if only places differ, then one for each error.
pub(super) fn output(output: &Output, kind: Kind) -> Vec<String> {
    let tokens = output.tokens.iter().map(|emitted| {
        let line = token(&emitted.token);
        match kind {
            Kind::Positions => format!("{line} at {}..{}", emitted.span.start, emitted.span.end),
            _ => line,
        }
    });
    let errors = output.errors.iter();
    let errors = errors.map(|error| format!("{} at {}", error_line(&error.code), error.offset));
    tokens.chain(errors).collect()
}

/// A token.
pub fn token(token: &Token) -> String {
    match token {
        Token::Characters(text) => format!("characters {text:?}"),
        Token::Declared { kind, fields } => {
            let mut line = kind.clone();
            for value in fields {
                match value {
                    Value::Text(text) => line += &format!(" {text:?}"),
                    Value::Missing => line += " –",
                    Value::Flag(false) => {}
                    Value::Flag(true) => line += " [flag]",
                    Value::Attributes(all) => {
                        for (name, value) in all {
                            line += &format!(" {name:?}={value:?}");
                        }
                    }
                }
            }
            line
        }
    }
}

impl Case {
    /// What is done, one after the other.
    pub(super) fn steps(&self) -> Vec<String> {
        let errors = self.errors.iter().map(|code| error_line(code));
        let target = Some(self.target.clone()).filter(|target| !target.is_empty());
        errors
            .chain(self.actions.iter().cloned())
            .chain(target)
            .collect()
    }
}

/// A case as a line.
pub(super) fn case_line(case: &Case) -> String {
    let more = match case.more {
        0 => String::new(),
        more => format!(" (and in {more} more)"),
    };
    let done = case.steps().join("; ") + &more;
    if case.when.is_empty() {
        done
    } else {
        format!("if {}: {done}", case.when.join(" and "))
    }
}

/// Whether a line of an output or an arm is an error.
pub(super) fn is_error(line: &str) -> bool {
    line.starts_with("error ") || line.starts_with("parse error")
}

/// The lines of one side, each with whether the other side has one like it. Where only their presence counts, errors have no
/// names.
pub(super) fn beside<'l>(
    own: &'l [String],
    theirs: &[String],
    compared: ErrorComparison,
) -> Vec<(&'l str, bool)> {
    fn known(line: &str, compared: ErrorComparison) -> &str {
        match is_error(line) && compared == ErrorComparison::Presence {
            true => line.rsplit_once(" at ").map_or("", |(_, place)| place),
            false => line,
        }
    }
    let mut theirs: Vec<&str> = theirs.iter().map(|line| known(line, compared)).collect();
    let lines = own.iter().map(|line| {
        let at = theirs.iter().position(|it| *it == known(line, compared));
        at.map(|at| theirs.remove(at));
        (line.as_str(), at.is_some())
    });
    lines.collect()
}

/// What is different, given the lines that only one side has: of tokens their kind, of errors their name if it counts.
pub(super) fn effects(differs: &str, own: [Vec<&str>; 2], compared: ErrorComparison) -> String {
    let kind = |line: &str| {
        let ends = [" \"", " \u{2013}", " [", " at "].into_iter();
        let end = ends.filter_map(|end| line.find(end)).min();
        line[..end.unwrap_or(line.len())].to_owned()
    };
    let wanted = |line: &&&str| differs != "tokens" || !is_error(line);
    let kinds = own.each_ref().map(|lines| {
        let kinds = lines.iter().filter(wanted).map(|line| kind(line));
        kinds.collect::<Vec<_>>()
    });
    // A kind that only one side has says more than another text.
    let only = [0, 1].map(|side| {
        let mut own = kinds[side].iter();
        own.find(|kind| !kinds[1 - side].contains(kind))
    });
    let first = match only {
        [None, None] => kinds.each_ref().map(|kinds| kinds.first()),
        only => only,
    };
    let first = first.map(Option::<&String>::cloned);
    let counts = own.each_ref().map(Vec::len);
    let change = match (differs, counts, compared) {
        ("positions", ..) => None,
        ("errors", [a, b], ErrorComparison::Presence) => match a.cmp(&b) {
            Ordering::Less => return "more errors".to_owned(),
            Ordering::Equal => None,
            Ordering::Greater => return "fewer errors".to_owned(),
        },
        _ => Some(()),
    };
    match (change, first) {
        (None, [Some(a), _] | [None, Some(a)]) if is_error(&a) => {
            "an error at another place".to_owned()
        }
        (None, [Some(a), _] | [None, Some(a)]) => format!("{a} at another place"),
        (Some(()), [Some(a), Some(b)]) if a != b => {
            format!("{} instead of {}", one_of(&b), one_of(&a))
        }
        (Some(()), [Some(a), Some(_)]) if a == "characters" => "different characters".to_owned(),
        (Some(()), [Some(a), Some(_)]) if is_error(&a) => "an error at another place".to_owned(),
        (Some(()), [Some(a), Some(_)]) => format!("a different {a}"),
        (Some(()), [Some(a), None]) => format!("{a} only in A"),
        (Some(()), [None, Some(b)]) => format!("{b} only in B"),
        (_, [None, None]) => format!("different {differs}"),
    }
}

/// A kind of token or an error, with its article.
fn one_of(kind: &str) -> String {
    match kind {
        "characters" => kind.to_owned(),
        _ => with_article(kind),
    }
}

/// What both sides are called: once, if they are called the same.
pub(crate) fn one_or_both([one, other]: &[String; 2], between: &str) -> String {
    if one == other {
        one.clone()
    } else {
        format!("{one}{between}{other}")
    }
}
