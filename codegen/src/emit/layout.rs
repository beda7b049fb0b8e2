//! Lines of generated files as a person would break them, where the formatter gives each item of a list its own.

/// The widest line.
const WIDTH: usize = 100;

/// The lines of items, with an empty one between items.
pub(super) fn laid_out(items: &str) -> String {
    let mut lines: Vec<String> = items.lines().map(str::to_owned).collect();
    loop {
        let before = std::mem::take(&mut lines);
        lines = filled(&before);
        if lines.len() == before.len() {
            return spaced(&lines);
        }
    }
}

/// The lines with lists and expressions on as few as they need: arguments on one line, or names and literals next to each other.
fn filled(lines: &[String]) -> Vec<String> {
    let (mut filled, mut at) = (Vec::with_capacity(lines.len()), 0);
    while let Some(line) = lines.get(at) {
        if let Some(length) = matches(&lines[at..], &mut filled) {
            at += length;
            continue;
        }
        if let Some((all, length)) = chain(&lines[at..]).or_else(|| arm(&lines[at..])) {
            filled.push(all);
            at += length;
            continue;
        }
        let inside = (list(&lines[at..]).map(|length| (at + 1, length)))
            .or_else(|| alternatives(&lines[at..]).map(|length| (at, length)));
        let Some((first, length)) = inside else {
            filled.push(line.clone());
            at += 1;
            continue;
        };
        let (items, end) = (&lines[first..first + length], first + length);
        match one_line(line, items, lines.get(end)) {
            Some(all) if first > at => {
                filled.push(all);
                at = end + 1;
            }
            _ => {
                filled.extend_from_slice(&lines[at..first]);
                fill(items, &mut filled);
                at = end;
            }
        }
    }
    filled
}

/// Adds a test of a pattern, which the formatter takes for any tokens, and returns how many lines it had.
fn matches(lines: &[String], filled: &mut Vec<String>) -> Option<usize> {
    let indent = indent(&lines[0]);
    lines[0].ends_with("matches!(").then_some(())?;
    let is_inside = |line: &&String| self::indent(line) > indent;
    let length = lines[1..].iter().take_while(is_inside).count();
    let (inside, end) = (&lines[1..=length], lines.get(length + 1)?);
    let inside: Vec<&str> = inside.iter().map(|line| line.trim()).collect();
    let inside = inside.join(" ");
    let all = format!("{}{inside}{}", lines[0], end.trim_start());
    let (value, pattern) = inside.split_once(", ")?;
    if width(&all) <= WIDTH {
        filled.push(all);
        return Some(length + 2);
    }
    // A text may have a bar in it.
    (!pattern.contains('"')).then_some(())?;
    let margin = " ".repeat(indent + 4);
    let mut items = vec![format!("{margin}{value},")];
    let mut next = margin.clone();
    for item in pattern.split(" | ") {
        items.push(format!("{next}{item}"));
        next = format!("{margin}| ");
    }
    filled.extend([lines[0].clone(), items.remove(0)]);
    fill(&items, filled);
    filled.push(end.clone());
    Some(length + 2)
}

/// A chain of methods or conditions as one line, and how many it had.
fn chain(lines: &[String]) -> Option<(String, usize)> {
    let indent = indent(&lines[0]);
    let is_next = |line: &&String| {
        let is_link = |start: &&str| line.trim_start().starts_with(*start);
        self::indent(line) > indent && [".", "&& ", "|| "].iter().any(is_link)
    };
    let length = lines[1..].iter().take_while(is_next).count();
    let after = lines.get(length + 1)?;
    let is_whole = !opens(&lines[0]) && !opens(&lines[length]);
    (length > 0 && is_whole && self::indent(after) <= indent).then_some(())?;
    let mut all = lines[0].clone();
    for line in &lines[1..=length] {
        let line = line.trim_start();
        let space = if line.starts_with('.') { "" } else { " " };
        all = all + space + line;
    }
    let has_block = after.trim_start() == "{" && self::indent(after) == indent;
    if has_block {
        all += " {";
    }
    (width(&all) <= WIDTH).then_some((all, length + 1 + usize::from(has_block)))
}

/// An arm of a match, or a closure, with a block of one expression as one line, and how many it had.
fn arm(lines: &[String]) -> Option<(String, usize)> {
    let [first, inner, last, ..] = lines else {
        return None;
    };
    let value = inner.trim_start();
    let rest = last.trim_start().strip_prefix('}')?;
    let is_one = is_balanced(value) && !value.ends_with(';');
    (is_one && indent(last) == indent(first)).then_some(())?;
    let all = match first.strip_suffix(" {")? {
        arm if arm.ends_with(" =>") && rest.is_empty() => format!("{arm} {value},"),
        closure if closure.ends_with('|') && !rest.is_empty() => format!("{closure} {value}{rest}"),
        _ => return None,
    };
    (width(&all) <= WIDTH).then_some((all, 3))
}

/// Whether a line ends with an opening bracket.
fn opens(line: &str) -> bool {
    line.ends_with(['(', '[', '{', '<'])
}

fn width(line: &str) -> usize {
    line.chars().count()
}

/// How many lines of items follow a line that opens a list, up to the line that closes it.
fn list(lines: &[String]) -> Option<usize> {
    let indent = indent(&lines[0]);
    lines[0].ends_with(['(', '[']).then_some(())?;
    let is_item = |line: &&String| {
        self::indent(line) == indent + 4 && line.ends_with(',') && is_balanced(line)
    };
    let length = lines[1..].iter().take_while(is_item).count();
    let end = lines.get(length + 1)?;
    let is_end = self::indent(end) == indent && end.trim_start().starts_with([')', ']']);
    (length > 0 && is_end && !end.ends_with('<')).then_some(length)
}

/// How many lines there are of a pattern with alternatives, `A`, `| B`, `| C => …`.
fn alternatives(lines: &[String]) -> Option<usize> {
    let indent = indent(&lines[0]);
    is_plain(lines[0].trim_start()).then_some(())?;
    let is_next =
        |line: &&String| self::indent(line) == indent && line.trim_start().starts_with("| ");
    let length = lines[1..].iter().take_while(is_next).count();
    (length > 0).then_some(length + 1)
}

/// A list with the line that opens it and the one that closes it as one, if that is not too wide.
fn one_line(opening: &str, items: &[String], closing: Option<&String>) -> Option<String> {
    // The comma of a tuple of one is needed.
    let before = opening.trim_end_matches(['(', '[']).chars().next_back();
    let is_call = before.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | '>' | '!'));
    (is_call || items.len() > 1).then_some(())?;
    let items: Vec<&str> = items.iter().map(|it| it.trim_start()).collect();
    let items = items.join(" ");
    let all = format!(
        "{opening}{}{}",
        items.strip_suffix(',')?,
        closing?.trim_start()
    );
    (width(&all) <= WIDTH).then_some(all)
}

/// Adds items, as many on a line as it has room for if all are names or literals.
fn fill(items: &[String], lines: &mut Vec<String>) {
    let is_short = |item: &String| {
        let item = item.trim_start();
        let item = item.split(" => ").next().unwrap_or(item);
        is_plain(item.trim_start_matches("| ").trim_end_matches(','))
    };
    if !items.iter().all(is_short) {
        lines.extend_from_slice(items);
        return;
    }
    let mut line = items[0].clone();
    for item in &items[1..] {
        let item = item.trim_start();
        if width(&line) + 1 + width(item) > WIDTH {
            let next = " ".repeat(indent(&line)) + item;
            lines.push(std::mem::replace(&mut line, next));
        } else {
            line.push(' ');
            line += item;
        }
    }
    lines.push(line);
}

/// Whether a text is one name, path or literal.
fn is_plain(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '&');
    match text.strip_prefix('"') {
        Some(rest) => rest.find('"') == Some(rest.len().wrapping_sub(1)),
        None => !text.is_empty() && text.chars().all(is_word),
    }
}

/// Whether each bracket of a line has its other one there.
fn is_balanced(line: &str) -> bool {
    let (mut open, mut chars) = (Vec::new(), line.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' => {
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    if c == '\\' {
                        chars.next();
                    }
                }
            }
            // A character, or a lifetime.
            '\'' => {
                let first = chars.next();
                if first == Some('\\') {
                    chars.next();
                    while chars.next().is_some_and(|c| c != '\'') {}
                } else if chars.peek() == Some(&'\'') {
                    chars.next();
                }
            }
            '(' | '[' | '{' => open.push(c),
            ')' | ']' | '}' if open.pop().is_none() => return false,
            _ => {}
        }
    }
    open.is_empty()
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// An empty line between items, which the formatter leaves out.
fn spaced(lines: &[String]) -> String {
    let mut text = String::new();
    let (mut after_item, mut in_prelude) = (false, false);
    let mut before = "";
    for line in lines {
        let indented = line.starts_with([' ', '}', ')', ']']);
        let prelude = line.starts_with("#[") || line.starts_with("///");
        // One list: names of elements, lines of imports.
        let goes_on = ["use ", "pub use ", "const "];
        let goes_on = (goes_on.iter())
            .any(|it| line.starts_with(it) && (*it != "const " || before.starts_with(it)));
        if after_item && !indented && !in_prelude && !goes_on {
            text.push('\n');
        }
        text += line;
        text.push('\n');
        in_prelude = prelude;
        after_item = line == "}" || !indented && line.ends_with([';', '}']);
        before = line;
    }
    text
}
