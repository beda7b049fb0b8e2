//! The standard's layout in HTML, made from the arm notation: headings with numbers, `dl`, `dt` and `dd`,
//! in the words that the audit knows. A stand-in for the published page, which is not ours to keep.

use std::fmt::Write;

/// The page that a text in the arm notation comes to.
///
/// # Panics
/// When the text has something that is not in the notation.
pub fn page_of_arms(notation: &str) -> String {
    let mut page =
        String::from("<!doctype html><html><head><title>A standard</title></head><body>\n");
    let mut heading = "";
    let mut state: Option<State<'_>> = None;
    for line in notation
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        if let Some((number, title)) = line.strip_prefix('[').and_then(|l| l.split_once("] ")) {
            flush(&mut state, &mut page);
            let id = title.to_lowercase().replace(' ', "-");
            let _ = writeln!(
                page,
                "<h5 id=\"{id}\"><span class=\"secno\">{number}</span> <dfn>{title}</dfn><a class=\"self-link\" href=\"#{id}\">#</a></h5>"
            );
            state = Some(State::default());
        } else if let Some(title) = line.strip_prefix("== ") {
            flush(&mut state, &mut page);
            heading = title.trim_end_matches(" ==");
            outside(heading, &mut page);
        } else if let Some(note) = line.strip_prefix("# ") {
            if let Some(state) = &mut state {
                state.note(note);
            }
        } else if let Some(state) = &mut state {
            state.lines.push(line);
        } else if heading.contains("Parse error codes")
            && let Some((code, _)) = line.split_once(": ")
        {
            let _ = writeln!(
                page,
                "<tr><td><dfn>{code}</dfn><td><p>This error occurs.</p>"
            );
        }
    }
    flush(&mut state, &mut page);
    page
}

fn flush(state: &mut Option<State<'_>>, page: &mut String) {
    if let Some(state) = state.take() {
        page.push_str(&state.html());
    }
}

/// What stands outside the states.
fn outside(heading: &str, page: &mut String) {
    if heading.contains("Preprocessing") {
        page.push_str(
            "<h5><span class=\"secno\">13.2.3.5</span> Preprocessing the input stream</h5>\n\
             <p>Any occurrences of surrogates are surrogate-in-input-stream parse errors. Any occurrences of \
             noncharacters are noncharacter-in-input-stream parse errors and any occurrences of controls other \
             than ASCII whitespace and U+0000 NULL characters are control-character-in-input-stream parse errors.\n\
             <p>Before the tokenization stage, the input stream must be preprocessed by normalizing newlines.\n",
        );
    } else if heading.contains("Parse error codes") {
        page.push_str("<h4><span class=\"secno\">13.2.2</span> Parse errors</h4>\n<table><tr><th>Code<th>Description\n");
    } else if heading.contains("States") {
        page.push_str(
            "<h4><span class=\"secno\">13.2.5</span> Tokenization</h4>\n\
             <p>The state machine must start in the data state.\n\
             <p class=\"note\">This is no part of it.\n\
             <p>When an end tag token is emitted with attributes, that is an end-tag-with-attributes parse error.\n\
             <p>When an end tag token is emitted with its self-closing flag set, that is an \
             end-tag-with-trailing-solidus parse error.\n",
        );
    }
}

#[derive(Debug, Default)]
struct State<'t> {
    lines: Vec<&'t str>,
    entry: String,
    finally: String,
    leaving: bool,
    looks: bool,
}

impl<'t> State<'t> {
    fn note(&mut self, note: &str) {
        if let Some(entry) = note.strip_prefix("on entry: ") {
            if !entry.starts_with("consume the longest run") {
                self.entry = actions(entry.split("; then").next().unwrap_or(entry));
            }
        } else if let Some(finally) = note.strip_prefix("finally (always): ") {
            for part in finally.split(';').map(str::trim) {
                self.finally.push_str(&match part {
                    "temp := the code point" => "Set the temporary buffer to the empty string. Append a code point equal to the <var>character reference code</var> to the temporary buffer. ".to_owned(),
                    "return state" => next(part),
                    part => actions(part),
                });
            }
        }
        self.leaving |= note.starts_with("On leaving this state");
        self.looks |= note.starts_with("looks ahead");
    }

    fn html(&self) -> String {
        let rows: Vec<&str> = self
            .lines
            .iter()
            .copied()
            .filter(|l| l.starts_with("0x"))
            .collect();
        let arms = self.lines.iter().filter_map(|line| line.split_once(" -> "));
        let arms: Vec<(&str, &str)> = arms.collect();
        if self.lines.iter().any(|line| line.starts_with("code ")) {
            return self.checks(&arms, &rows);
        }
        if self.lines.iter().any(|line| line.starts_with("no match")) {
            return matches(&arms);
        }
        let mut html = String::new();
        if !self.entry.is_empty() {
            let _ = write!(html, "<p>{}", self.entry);
        }
        html.push_str(match self.looks {
            true => "<p>If the next few characters are:\n<dl class=switch>",
            false => "<p>Consume the <a href=\"#next\">next input character</a>:</p>\n<dl class=\"switch\">",
        });
        let mut done: Vec<String> = Vec::new();
        for &(input, says) in &arms {
            let (keys, guard) = keys(input);
            if done.contains(&keys) {
                continue;
            }
            let others: Vec<(&str, &str)> = arms
                .iter()
                .copied()
                .filter(|(other, _)| self::keys(other).0 == keys)
                .collect();
            html.push_str(&keys);
            html.push_str("<dd>");
            match (guard, others.as_slice()) {
                (_, [_, second, rest @ ..]) if guard != Guard::None => {
                    let _ = write!(html, "{}", cases(&[(input, says), *second], rest));
                }
                _ => html.push_str(&body(says, &self.consumed(input))),
            }
            done.push(keys);
        }
        html.push_str("</dl>\n");
        if self.leaving {
            html.push_str(
                "<p>When the user agent leaves this state (and before emitting the tag token, if appropriate), the \
                 complete attribute's name must be compared to the other attributes on the same token; if \
                 there is already an attribute on the token with the exact same name, then \
                 this is a duplicate-attribute parse error and the new attribute must be removed from the token.\n",
            );
        }
        html
    }

    /// The words for what a look ahead consumes.
    fn consumed(&self, input: &str) -> String {
        match self.looks && input.starts_with("next characters") {
            true => "Consume those characters. ".to_owned(),
            false => String::new(),
        }
    }

    /// The checks of a number.
    fn checks(&self, arms: &[(&str, &str)], rows: &[&str]) -> String {
        let mut html = String::from("<p>Check the character reference code:\n<ul>");
        for (input, says) in arms {
            let asked = input
                .replace("code = ", "")
                .replace("code > ", "greater than ")
                .replace("code is a surrogate (0xD800-0xDFFF)", "a surrogate")
                .replace("code is a noncharacter", "a noncharacter")
                .replace(
                    "code is a control but not ASCII whitespace",
                    "a control that's not ASCII whitespace",
                );
            let (error, what) = says.split_once(" ; ").expect("an error and actions");
            let _ = write!(
                html,
                "<li><p>If the number is {asked}, then this is a {error} parse error. "
            );
            if what.starts_with("if the code is in the table") {
                html.push_str(
                    "If the number is one of the numbers in the first column of the following table, then find the \
                     row with that number in the first column, and set the character reference code to the number in \
                     the second column of that row.</p>\n<table><thead><tr><th>Number<th>Code point<tbody>",
                );
                for row in rows {
                    let cells: Vec<&str> = row.splitn(3, ' ').collect();
                    let _ = write!(html, "<tr><td>{}", cells.join("<td>"));
                }
                html.push_str("</table>");
            } else {
                html.push_str(&actions(what));
            }
        }
        let _ = write!(html, "</ul>\n<p>{}\n", self.finally);
        html
    }
}

/// A match and what is done without one.
fn matches(arms: &[(&str, &str)]) -> String {
    let mut html = String::from(
        "<p>Consume the maximum number of characters possible, where the consumed characters are one of the \
         identifiers in the first column of the named character references table. Append each character to the temporary buffer when \
         it's consumed.\n<dl><dt>If there is a match<dd>",
    );
    for (index, (input, says)) in arms.iter().enumerate() {
        if *input == "no match" {
            let _ = write!(html, "<dt>Otherwise<dd>{}", body(says, ""));
            continue;
        }
        let asked: String = input
            .trim_start_matches("match, ")
            .trim_start_matches("otherwise, ")
            .trim_start_matches("if ")
            .split(", ")
            .map(|part| match part {
                "in attribute" => "the character reference was consumed as part of an attribute, and ".to_owned(),
                part => part
                    .trim_start_matches("and ")
                    .replace("last character", "the last character")
                    .replace("next character is = (U+003D) or", "the next input character is either a U+003D EQUALS SIGN character (=) or an")
                    .replace("; (U+003B)", "a U+003B SEMICOLON character (;), and "),
            })
            .collect();
        let asked = asked.trim_end_matches(", and ");
        let otherwise = if index > 0 { "Otherwise, if" } else { "If" };
        let _ = write!(
            html,
            "<p>{otherwise} {asked}, then:</p><ol><li>{}</ol>",
            body(says, "")
        );
    }
    html.push_str("</dl>\n");
    html
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    None,
    If,
    Otherwise,
}

/// The conditions of an arm, as `dt`s, and whether it is one of several cases.
fn keys(input: &str) -> (String, Guard) {
    if input.starts_with("other, current and next") || input == "other" {
        let guard = if input == "other" {
            Guard::Otherwise
        } else {
            Guard::If
        };
        return ("<dt>Anything else".to_owned(), guard);
    }
    if let Some(literal) = input.strip_prefix("next characters ") {
        let (text, how) = literal[1..].split_once('"').expect("a string");
        let key = match (text, how.contains("insensitive")) {
            ("--", _) => "Two U+002D HYPHEN-MINUS characters (-)".to_owned(),
            (text, true) => format!("ASCII case-insensitive match for the word \"{text}\""),
            (text, false) => format!("The string \"<code>{text}</code>\" (in that case)"),
        };
        let guard = match how {
            how if how.contains(", if ") => Guard::If,
            how if how.contains(", otherwise") => Guard::Otherwise,
            _ => Guard::None,
        };
        return (format!("<dt>{key}"), guard);
    }
    let (set, guard) = match (input.split_once(", if "), input.strip_suffix(", otherwise")) {
        (Some((set, _)), _) => (set, Guard::If),
        (_, Some(set)) => (set, Guard::Otherwise),
        _ => (input, Guard::None),
    };
    let keys = set.split(", ").flat_map(|item| match item {
        "WS" => vec![
            "U+0009 CHARACTER TABULATION (tab)".to_owned(),
            "U+000A LINE FEED (LF)".to_owned(),
            "U+000C FORM FEED (FF)".to_owned(),
            "U+0020 SPACE".to_owned(),
        ],
        "NULL" => vec!["U+0000 NULL".to_owned()],
        item => vec![character(item)],
    });
    (keys.map(|key| format!("<dt>{key}\n")).collect(), guard)
}

/// `& (U+0026)` the other way round.
fn character(item: &str) -> String {
    match item
        .strip_suffix(')')
        .and_then(|item| item.split_once(" (U+"))
    {
        Some((glyph, number)) => {
            let glyph = if glyph == "'#'" { "#" } else { glyph };
            let glyph = glyph.replace('&', "&amp;").replace('<', "&lt;");
            format!("U+{number} ({glyph})")
        }
        None => item.to_owned(),
    }
}

/// Cases of one input, one after the other.
fn cases(first: &[(&str, &str); 2], rest: &[(&str, &str)]) -> String {
    let all: Vec<&(&str, &str)> = first.iter().chain(rest).collect();
    let mut html = String::new();
    let literal = first[0].0.starts_with("next characters");
    if literal {
        html.push_str("<p>Consume those characters.");
    }
    for (index, (input, says)) in all.iter().enumerate() {
        let what = body(says, "");
        let otherwise = if index > 0 { "Otherwise" } else { "" };
        let asked = if let Some((_, word)) = input.split_once(", current and next five are ") {
            let word = word.split('"').nth(1).expect("a word");
            format!(
                "the six characters starting from the current input character are an ASCII case-insensitive match for the word \"{word}\", then consume those characters."
            )
        } else if let Some((_, words)) = input.split_once(", if temp is ") {
            let words = words.trim_end_matches(" (ASCII case-insensitive)");
            format!("the temporary buffer is an ASCII case-insensitive match for {words},")
        } else if input.contains(", if there is an adjusted current node") {
            "there is an adjusted current node and it is not an element in the HTML namespace,"
                .to_owned()
        } else {
            let _ = write!(html, "<p>{otherwise}, {}", lower(&what));
            continue;
        };
        let lead = if index > 0 { "Otherwise, if" } else { "If" };
        let then = if asked.ends_with('.') {
            what
        } else {
            lower(&what)
        };
        if literal && index == 0 {
            let _ = write!(html, " {lead} {asked} then {then}");
        } else {
            let _ = write!(html, "<p>{lead} {asked} {then}");
        }
    }
    html
}

/// What an arm does.
fn body(says: &str, consumed: &str) -> String {
    let parts: Vec<&str> = says.split(" ; ").collect();
    let (error, rest) = parts.split_first().expect("an error or none");
    let mut out = consumed.to_owned();
    if *error != "-" {
        let _ = write!(
            out,
            "This is an <a href=\"#{error}\">{error}</a> <a>parse error</a>. "
        );
    }
    match rest {
        [what, "otherwise as \"other\""] => {
            let (_, then) = what.split_once(": ").expect("a case");
            let steps: String = then
                .split(", ")
                .map(|part| {
                    if part.ends_with(" state") {
                        next(part)
                    } else {
                        actions(part)
                    }
                })
                .collect();
            let steps = steps.trim().trim_end_matches('.').replace(". ", " and ");
            let _ = write!(
                out,
                "If the current end tag token is an appropriate end tag token, then {}. Otherwise, treat it as per the \"anything else\" entry below.",
                lower(&steps)
            );
        }
        [what, to] => {
            // The standard switches before it emits.
            let first = what.starts_with("emit ") && !to.starts_with("reconsume");
            let (what, to) = (actions(what), next(to));
            out.push_str(&if first { to + &what } else { what + &to });
        }
        _ => panic!("{says}"),
    }
    out
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| {
        c.to_ascii_lowercase().to_string() + chars.as_str()
    })
}

/// The successor.
fn next(to: &str) -> String {
    if let Some((_, cases)) = to.split_once("if temp = \"script\": ") {
        let (then, otherwise) = cases.split_once(", otherwise: ").expect("two cases");
        return format!(
            "If the temporary buffer is the string \"script\", then switch to the {then}. Otherwise, switch to the {otherwise}. "
        );
    }
    match to.strip_prefix("reconsume in ") {
        Some(to) => format!("Reconsume in the {to}. "),
        None if matches!(to, "stay" | "end") => String::new(),
        None => format!("Switch to the <a>{to}</a>. "),
    }
}

/// Actions as sentences.
fn actions(what: &str) -> String {
    match what {
        "-" | "code unchanged" => return String::new(),
        "ignore" => return "Ignore the character. ".to_owned(),
        _ => {}
    }
    if let Some((then, otherwise)) = what
        .strip_prefix("if in attribute: ")
        .and_then(|w| w.split_once(", otherwise: "))
    {
        return format!(
            "If the character reference was consumed as part of an attribute, then {}. Otherwise, {}",
            lower(actions(then).trim().trim_end_matches('.')),
            lower(&actions(otherwise)),
        );
    }
    let mut out = String::new();
    let mut depth = 0_i32;
    let split = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    for action in what.split(split) {
        out.push_str(&action_words(action.trim()));
        out.push_str(". ");
    }
    out
}

fn action_words(action: &str) -> String {
    if let Some(what) = action.strip_prefix("emit ") {
        return match what {
            "EOF" => "Emit an end-of-file token".to_owned(),
            "current" => "Emit the <a>current input character</a> as a character token".to_owned(),
            "PI" => "Emit the current processing instruction token".to_owned(),
            "tag" | "comment" | "DOCTYPE" => format!("Emit the current {what} token"),
            "each of temp" => "Emit a character token for each of the characters in the temporary buffer (in the order they were added to the buffer)".to_owned(),
            character => format!("Emit a {character} character token"),
        };
    }
    if let Some(what) = action.strip_prefix("create ") {
        let (kind, with) = what.split_once(" (").unwrap_or((what, ""));
        let with = with.trim_end_matches(')');
        return match kind {
            "start tag" | "end tag" => format!("Create a new {kind} token, set its tag name to the empty string"),
            "PI" => "Create a new processing instruction token whose target is the temporary buffer and whose data is the empty string".to_owned(),
            "comment" => format!("Create a comment token whose data is {}", value(with.trim_start_matches("data "))),
            kind => format!("Create a new {kind} token"),
        };
    }
    if let Some(with) = action.strip_prefix("start attribute (name ") {
        let name = with.split(", ").next().expect("a name");
        return format!(
            "Start a new attribute in the current tag token. Set that attribute's name to {}, and its value to the empty string",
            value(name)
        );
    }
    match action {
        "flush temp" => return "Flush code points consumed as a character reference".to_owned(),
        "convert temp to comment" => return "Convert the temporary buffer to a comment".to_owned(),
        "self-closing flag := set" => {
            return "Set the self-closing flag of the current tag token".to_owned();
        }
        "force-quirks := on" => {
            return "Set the current DOCTYPE token's force-quirks flag to on".to_owned();
        }
        "code := 0" => return "Set the character reference code to zero (0)".to_owned(),
        _ => {}
    }
    if let Some(rest) = action.strip_prefix("code := code * ") {
        let base = rest.split(' ').next().expect("a number");
        return format!(
            "Multiply the character reference code by {base}. Add a numeric version of the current input character (subtract 0x0030 from the character's code point) to the character reference code"
        );
    }
    if let Some(number) = action.strip_prefix("code := ") {
        return format!("Set the character reference code to {number}");
    }
    if let Some(state) = action.strip_prefix("return state := ") {
        return format!("Set the <var>return state</var> to the <a>{state}</a>");
    }
    if let Some((place, what)) = action.split_once(" += ") {
        return format!("Append {} to {}", value(what), place_words(place));
    }
    let (place, what) = action
        .split_once(" := ")
        .unwrap_or_else(|| panic!("{action}"));
    format!("Set {} to {}", place_words(place), value(what))
}

fn place_words(place: &str) -> &'static str {
    match place {
        "temp" => "the <var>temporary buffer</var>",
        "tag name" => "the current tag token's tag name",
        "attribute name" => "the current attribute's name",
        "attribute value" => "the current attribute's value",
        "comment data" => "the comment token's data",
        "name" => "the current DOCTYPE token's name",
        "public id" => "the current DOCTYPE token's public identifier",
        "system id" => "the current DOCTYPE token's system identifier",
        "PI data" => "the current processing instruction token's data",
        place => panic!("{place}"),
    }
}

fn value(what: &str) -> String {
    match what {
        "\"\"" => "the empty string".to_owned(),
        "\"&\"" => "a U+0026 AMPERSAND character (&amp;)".to_owned(),
        "\"[CDATA[\"" => "the \"<code>[CDATA[</code>\" string".to_owned(),
        "current" => "the current input character".to_owned(),
        "lower(current)" => "the lowercase version of the current input character (add 0x0020 to the character's code point)".to_owned(),
        "temp" => "the temporary buffer".to_owned(),
        "the one or two characters of the name" => "one or two characters corresponding to the character reference name (as given by the second column of the named character references table)".to_owned(),
        character => format!("a {character} character"),
    }
}
