//! Texts in lines, and in markup.

use speclex_codegen::escape::is_control;

/// A text in lines of at most so many characters, cut at spaces where there are any.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    let mut length = 0;
    for word in text.split(' ') {
        let mut word = word;
        let mut count = word.chars().count();
        if !line.is_empty() && length + 1 + count > width {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        while count > width {
            let at = word
                .char_indices()
                .nth(width)
                .map_or(word.len(), |(at, _)| at);
            let (start, rest) = word.split_at(at);
            lines.push(start.to_owned());
            word = rest;
            count = word.chars().count();
        }
        if !line.is_empty() {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += count;
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

/// A text as it stands between tags, or in an attribute in double quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push('\n'),
            // XML has no others, nor these two.
            '\u{FFFE}' | '\u{FFFF}' => escaped.push(char::REPLACEMENT_CHARACTER),
            c if is_control(c) => escaped.push(char::REPLACEMENT_CHARACTER),
            c => escaped.push(c),
        }
    }
    escaped
}
