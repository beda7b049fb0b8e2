//! What is meant by verbs that people know from other languages: `push it to value` appends.

/// What is meant by a verb.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    /// `VERB VALUE to PLACE` appends.
    Append,
    /// It appends or sets.
    Keep,
    /// It sets.
    Set,
    /// `VERB PLACE` or `VERB PLACE to VALUE` sets.
    SetPlace,
    /// `VERB VALUE` emits.
    Emit,
    /// Another verb is.
    Begins(&'static str),
    /// `VERB it` ignores.
    Ignore,
}

/// The first one counts whose phrase is one.
#[rustfmt::skip]
const VERBS: [(Meaning, &[&str]); 9] = [
    (Meaning::Begins("switch to"), &["go to", "jump to", "move to", "transition to", "change to", "enter", "become"]),
    (Meaning::Begins("error"), &["throw", "raise", "signal", "fail with"]),
    (Meaning::Begins("reconsume in"), &["unread in", "put back in", "back up to"]),
    (Meaning::Append, &["push", "add", "concat", "concatenate", "collect", "accumulate", "insert", "attach"]),
    (Meaning::Emit, &["print", "yield", "send", "flush", "write"]),
    (Meaning::Keep, &["save", "store", "put", "write", "copy", "remember", "record", "place", "keep", "move"]),
    (Meaning::Set, &["assign"]),
    (Meaning::SetPlace, &["empty", "reset", "initialize", "initialise", "let", "update", "change"]),
    (Meaning::Ignore, &["discard", "drop", "skip", "pass", "omit"]),
];

/// What stands for the current input character.
#[rustfmt::skip]
const IT: [&str; 14] = [
    "it", "this", "that", "c", "ch", "char", "character", "input", "byte", "current char", "current character", "input character",
    "current input", "this character",
];

/// The phrases that may be meant; `is_phrase` knows phrases.
pub(super) fn meant(typed: &str, is_phrase: impl Fn(&str) -> bool) -> Option<String> {
    let of_verb = |meaning: Meaning, verb: &str| {
        let rest = typed.strip_prefix(verb)?;
        let rest = match rest.strip_prefix(' ') {
            None if rest.is_empty() => "",
            rest => rest?.trim_start(),
        };
        let phrases: Vec<String> = (phrases(meaning, rest).into_iter())
            .filter(|phrase| is_phrase(phrase))
            .map(|phrase| format!("`{phrase}`"))
            .collect();
        (!phrases.is_empty()).then(|| format!("did you mean {}?", phrases.join(" or ")))
    };
    let all = VERBS
        .iter()
        .flat_map(|(meaning, verbs)| verbs.iter().map(|verb| (*meaning, *verb)));
    all.into_iter()
        .find_map(|(meaning, verb)| of_verb(meaning, verb))
}

/// The phrases that a verb may mean before the rest of a phrase.
fn phrases(meaning: Meaning, rest: &str) -> Vec<String> {
    let between = ["at the end of", "onto", "into", "to", "in", "on"];
    let mut split = between
        .iter()
        .filter_map(|word| rest.split_once(&format!(" {word} ")));
    let to_place = split.next().map(|(value, place)| (value_of(value), place));
    let is_it = value_of(rest) == CURRENT;
    match (meaning, to_place) {
        (Meaning::Append, Some((value, place))) => vec![format!("append {value} to {place}")],
        (Meaning::Keep, Some((value, place))) => {
            vec![
                format!("append {value} to {place}"),
                format!("set {place} to {value}"),
            ]
        }
        (Meaning::Append | Meaning::Keep, None) if is_it => {
            vec![format!("append {CURRENT} to FIELD")]
        }
        (Meaning::Set, Some((value, place))) => vec![format!("set {place} to {value}")],
        (Meaning::SetPlace, None) if !rest.is_empty() => vec![match rest.split_once(" be ") {
            Some((place, value)) => format!("set {place} to {}", value_of(value)),
            None => format!("set {rest} to the empty string"),
        }],
        (Meaning::SetPlace, Some(_)) => (rest.split_once(" to "))
            .map(|(place, value)| format!("set {place} to {}", value_of(value)))
            .into_iter()
            .collect(),
        (Meaning::Emit, None) => vec![format!("emit {}", value_of(rest))],
        (Meaning::Begins(verb), _) => vec![format!("{verb} {rest}")],
        (Meaning::Ignore, None) if is_it || rest.is_empty() => vec!["ignore".to_owned()],
        _ => Vec::new(),
    }
}

const CURRENT: &str = "the current input character";

fn value_of(text: &str) -> &str {
    let bare = text.strip_prefix("the ").unwrap_or(text);
    match IT.contains(&bare) {
        true => CURRENT,
        false => text,
    }
}
