//! Text of tables and documents where it must not act: on a terminal, in a line comment, in Markdown.
//!
//! A control character moves a terminal's cursor or sets its title, a line break ends a comment, and a
//! bidirectional control shows code in an order that the compiler does not read it in.

/// Whether a character acts instead of being shown: controls, line and paragraph separators, and the
/// controls of the bidirectional algorithm.
pub fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

/// One line: each control as `\u{1b}`. For terminals, and for what follows `//` in Rust.
pub fn line(text: &str) -> String {
    escape(text, is_control)
}

/// Lines, with their breaks; other controls as in [`line()`].
pub fn lines(text: &str) -> String {
    escape(text, |c| c != '\n' && is_control(c))
}

fn escape(text: &str, acts: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if acts(c) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// A word for people to copy into a shell: in quotes if it is not plain.
pub fn shell_word(word: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || "_-+=./,:@%".contains(c) || cfg!(windows) && c == '\\';
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    match cfg!(windows) {
        // No path has a quote there.
        true => format!("\"{word}\""),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// A part of a line of Markdown: no markup of HTML begins in it, no link has an address.
///
/// `U+003C (<)` stays as it is; `<b>` becomes `\<b>`, and `](` becomes `]\(`.
pub fn markdown(text: &str) -> String {
    let text = line(text);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('<', Some(next)) if next.is_ascii_alphabetic() || "/!?".contains(*next) => {
                out.push_str("\\<");
            }
            (']', Some('(')) => {
                chars.next();
                out.push_str("]\\(");
            }
            _ => out.push(c),
        }
    }
    out
}

/// Text as a span of code of Markdown, whatever backticks it holds.
pub fn markdown_code(text: &str) -> String {
    let text = line(text);
    let runs = text.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}
