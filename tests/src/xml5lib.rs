//! Where xml5lib-tests want something else than the draft of 30 August 2016 says: they follow an implementation
//! that takes over HTML's rules. Each predicate goes with one place of the text.

use speclex_analysis::html5lib::Case;
use speclex_analysis::token::{Token, Value};

/// `<!-->` and `<!--->` are comments of their own in HTML.
pub fn comment_closes_at_once(case: &Case) -> bool {
    case.input.starts_with("<!-->") || case.input.starts_with("<!--->")
}

/// U+0000 becomes U+FFFD in HTML, unless it is skipped.
pub fn null_is_replaced(case: &Case) -> bool {
    let has_replacement =
        |value: &Value| value.text().is_some_and(|text| text.contains('\u{FFFD}'));
    let replaced = |token: &Token| match token {
        Token::Characters(text) => text.contains('\u{FFFD}'),
        Token::Declared { fields, .. } => fields.iter().any(has_replacement),
    };
    case.input.contains('\0') && case.tokens.iter().any(replaced)
}

/// Controls and noncharacters are errors of HTML's input stream.
pub fn control_or_noncharacter(case: &Case) -> bool {
    case.input
        .chars()
        .any(|c| c != '\0' && is_control_or_noncharacter(c as u32))
}

/// HTML replaces 0 and what windows-1252 has at 0x80 to 0x9F, with an error; so it is for the rows of the
/// table that change nothing.
pub fn number_is_replaced(case: &Case) -> bool {
    number(case).is_some_and(|number| number == 0 || (0x80..=0x9F).contains(&number))
}

/// HTML has errors for the numbers of controls and noncharacters, and for that of CR.
pub fn number_is_refused(case: &Case) -> bool {
    let refused = |n| n == 0x0D || n != 0 && is_control_or_noncharacter(n);
    !number_is_replaced(case) && number(case).is_some_and(refused)
}

/// HTML resolves names by its own table, where the draft returns a reference.
pub fn name_is_returned(case: &Case) -> bool {
    has_name(case) && case.input.contains(';') && !is_in_attribute(case)
}

/// HTML resolves many names without a semicolon, and has no error for others.
pub fn name_without_semicolon(case: &Case) -> bool {
    has_name(case) && !case.input.contains(';') && !case.input.starts_with("<![CDATA[")
}

fn is_in_attribute(case: &Case) -> bool {
    case.input.starts_with("<h a=")
}

fn has_name(case: &Case) -> bool {
    let after = case.input.split_once('&').map(|(_, after)| after);
    after.is_some_and(|after| after.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// The number of a reference that is all of the input.
fn number(case: &Case) -> Option<u32> {
    let digits = case.input.strip_prefix("&#")?.strip_suffix(';')?;
    match digits.strip_prefix('x') {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    }
}

/// HTML's controls except white space, and noncharacters.
fn is_control_or_noncharacter(c: u32) -> bool {
    matches!(c, 0x01..=0x08 | 0x0B | 0x0E..=0x1F | 0x7F..=0x9F | 0xFDD0..=0xFDEF)
        || c & 0xFFFE == 0xFFFE
}
