//! The lines before and after the states in the arm notation.

use speclex_codegen::charset::CharSet;

use super::conditions::{controls, noncharacters};
use super::facts::{Act, Cond, OnEmit, Said, Stream, TokenFact};

/// Reads a line below a heading; whether it was understood.
pub(crate) fn term(heading: &str, line: usize, text: &str, out: &mut Stream) -> bool {
    let Some((term, says)) = text.split_once(": ") else {
        return match text.split_once(" -> ") {
            Some((what, says)) => occurrence(what, says, line, out),
            None if text == "end-of-file" => true,
            None if text.starts_with("A token that was created but not emitted") => true,
            None => bytes(text, line, out),
        };
    };
    if heading.contains("Parse error codes") {
        let is_code = term.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        if is_code {
            out.codes.push(Said {
                line,
                what: term.to_owned(),
            });
        }
        return is_code;
    }
    match heading {
        "Tokens" => token(term, says, line, out),
        _ => definition(term, says, line, out),
    }
}

fn token(term: &str, says: &str, line: usize, out: &mut Stream) -> bool {
    if term == "character" {
        return true;
    }
    let token = if term.starts_with("start tag") {
        "tag"
    } else {
        term
    };
    let missing = says.contains("missing on creation");
    // What is in parentheses, or follows as a sentence, is on one field or a remark.
    let first = says.split(". ").next().unwrap_or(says);
    for part in bare(first)
        .split(',')
        .map(str::trim)
        .filter(|p| !p.is_empty())
    {
        let field = part.strip_prefix("tag ").unwrap_or(part).to_owned();
        if missing && !field.ends_with("flag") {
            out.tokens.push(Said {
                line,
                what: TokenFact::Missing(token.to_owned(), field.clone()),
            });
        }
        out.tokens.push(Said {
            line,
            what: TokenFact::Has(token.to_owned(), field),
        });
    }
    true
}

/// Without what is in parentheses.
fn bare(text: &str) -> String {
    let mut depth = 0_i32;
    let keep = |c: &char| {
        depth += i32::from(*c == '(');
        let outside = depth == 0;
        depth -= i32::from(*c == ')');
        outside
    };
    text.chars().filter(keep).collect()
}

fn definition(term: &str, says: &str, line: usize, out: &mut Stream) -> bool {
    if term == "start state" {
        let state = says
            .split('.')
            .next()
            .and_then(|s| s.strip_suffix(" state"));
        out.initial = state.map(|state| Said {
            line,
            what: state.to_owned(),
        });
        return state.is_some();
    }
    if let Some(with) = term.strip_prefix("On emitting an end tag ") {
        return emission(with, says, line, out);
    }
    if term == "newlines" {
        out.newlines = Some(Said {
            line,
            what: says.contains("CR LF pair -> LF") && says.contains("remaining CR -> LF"),
        });
        return true;
    }
    if term.starts_with("On emitting a start tag with the self-closing flag set") {
        // For tree construction to report; the codes are listed at the end.
        return says
            .trim_end_matches('.')
            .chars()
            .all(|c| c.is_ascii_lowercase() || c == '-');
    }
    // Terms that the states use, and what they come to.
    if [
        "adjusted current node",
        "next input character",
        "Processing instruction targets",
    ]
    .contains(&term)
    {
        return true;
    }
    // What the notation's own words mean.
    let meant = [
        (
            "appropriate end tag",
            "the last start tag emitted by this tokenizer",
        ),
        (
            "in attribute",
            "attribute value (double-quoted), (single-quoted) or (unquoted) state",
        ),
        (
            "flush temp",
            "append it to the current attribute's value if in attribute, else emit it",
        ),
        (
            "convert temp to comment",
            "create a comment token whose data is \"?\" followed by temp",
        ),
    ];
    meant
        .iter()
        .any(|(name, meaning)| term.starts_with(name) && says.contains(meaning))
}

/// `with attributes: CODE. With the self-closing flag set: CODE.`
fn emission(with: &str, says: &str, line: usize, out: &mut Stream) -> bool {
    let mut push = |with: &str, code: &str| {
        let guard = match with.to_lowercase().as_str() {
            "with attributes" => Cond::HasAttributes,
            "with the self-closing flag set" => Cond::FlagIs("self-closing flag".to_owned()),
            _ => return false,
        };
        out.on_emit.push(Said {
            line,
            what: OnEmit {
                kind: "end tag".to_owned(),
                guard: Some(guard),
                act: Act::Error(code.to_owned()),
            },
        });
        true
    };
    let mut parts = bare(says).trim().trim_end_matches('.').to_owned();
    parts = parts.trim().trim_end_matches('.').to_owned();
    let mut with = with.to_owned();
    for part in parts.split(". ") {
        let code = match part.split_once(": ") {
            Some((next, code)) => {
                with = next.to_owned();
                code
            }
            None => part,
        };
        if !push(&with, code) {
            return false;
        }
    }
    true
}

/// `noncharacter (…) -> CODE ; kept`
fn occurrence(what: &str, says: &str, line: usize, out: &mut Stream) -> bool {
    let Some((code, kept)) = says.split_once(" ; ") else {
        return what == "NULL" && says.starts_with("no error here");
    };
    let set = if what.starts_with("surrogate ") {
        CharSet::new()
    } else if what.starts_with("noncharacter ") {
        CharSet::from_ranges(noncharacters())
    } else if bare(what)
        .trim()
        .starts_with("control  other than ASCII whitespace")
    {
        CharSet::from_ranges(controls()).difference(&CharSet::single('\0'))
    } else {
        return false;
    };
    out.errors.push(Said {
        line,
        what: (set, code.to_owned()),
    });
    kept.starts_with("kept")
}

fn bytes(text: &str, line: usize, out: &mut Stream) -> bool {
    let decoder =
        text.starts_with("Decode bytes") && text.contains("BOM is handled by the decoder");
    if decoder {
        out.drop_bom = Some(Said { line, what: false });
    }
    decoder
}
