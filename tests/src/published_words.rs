//! Actions and successors of the arm notation in the standard's words.

pub(crate) fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| {
        c.to_ascii_lowercase().to_string() + chars.as_str()
    })
}

/// The successor.
pub(crate) fn next(to: &str) -> String {
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
pub(crate) fn actions(what: &str) -> String {
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
