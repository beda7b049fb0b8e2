//! Random changes of a random table's text, as a slip of the pen makes them.

use crate::random::Random;

/// Lines of the head, and what may stand there instead.
const HEAD: &[(&str, &str)] = &[
    ("flag: [off, on]", "flag: [on, off]"),
    ("newlines: normalize", "newlines: keep"),
    ("byte order mark: drop", "byte order mark: keep"),
    ("[a, title if scripting is enabled]", "[a]"),
    ("CDATA section: b", "CDATA section: [b, ab]"),
    ("0x80: U+20AC", "0x80: U+20AD"),
    ("set the flag to on, switch", "switch"),
    ("    - set the flag to on", "    - set the flag to off"),
];

/// Words of steps, each of which may stand for another.
const WORDS: &[&str] = &[
    "s0",
    "s1",
    "s2",
    "s3",
    "on",
    "off",
    "\"ab\" or \"a\"",
    "\"b\" or \"xy\"",
    "the buffer",
    "U+FFFD",
];

/// Arms, each of which may be for other characters.
const ARMS: &[&str] = &[
    "      U+003C (<):",
    "      U+003E (>):",
    "      U+0000:",
    "      U+0063 (c):",
];

/// What a table does with its number, and what replaces that.
const NUMBERS: &[(&str, &str)] = &[
    ("the number is greater than 3", "the flag is on"),
    ("the number has a replacement", "the flag is on"),
    ("the count is 1 to 3", "the flag is on"),
    ("increase the count", "parse error"),
    ("decrease the count", "parse error"),
    ("add the digit to the number", "parse error"),
    ("set the number to 0x80", "parse error"),
    ("set the number to 0", "parse error"),
    ("set the number to 3", "parse error"),
    ("increase the number", "parse error"),
    ("multiply the number by 10", "parse error"),
    ("replace the number", "parse error"),
    ("emit the character of the number", "parse error"),
];

/// The table without its number.
pub(in crate::fuzz) fn without_numbers(text: &str) -> String {
    let mut text = text.to_owned();
    for (from, to) in NUMBERS {
        text = text.replace(from, to);
    }
    text
}

/// The text with a change of one line, which may be no table; `None` if the place that was chosen has none.
pub fn edited(text: &str, random: &mut Random) -> Option<String> {
    if random.below(8) == 0 {
        let (from, to) = *random.one(HEAD);
        return text.contains(from).then(|| text.replacen(from, to, 1));
    }
    let mut lines: Vec<&str> = text.lines().collect();
    let is_step = |line: &&str| line.starts_with("        - ");
    let steps: Vec<&str> = lines.iter().copied().filter(is_step).collect();
    let first = lines.iter().position(|line| *line == "states:")? + 1;
    let at = first + random.below(lines.len() - first);
    let line = lines[at];
    let changed;
    match (is_step(&line), random.below(6)) {
        (true, 4) => return asked_first(&lines, at),
        (false, 0 | 1) if line.starts_with("      ") => return arms_swapped(&lines, at),
        (true, 0) => {
            lines.remove(at);
        }
        (true, 1) => lines.insert(at, random.one::<&str>(&steps)),
        (true, 2) => lines[at] = random.one::<&str>(&steps),
        (true, 3) => {
            let found: Vec<&&str> = WORDS.iter().filter(|word| line.contains(**word)).collect();
            let word = found.get(random.below(found.len().max(1)))?;
            changed = line.replacen(**word, random.one::<&str>(WORDS), 1);
            lines[at] = &changed;
        }
        (false, 2) if line.starts_with("      U+") => lines[at] = random.one::<&str>(ARMS),
        _ if at + 1 < lines.len() => lines.swap(at, at + 1),
        _ => return None,
    }
    Some(lines.iter().flat_map(|line| [line, "\n"]).collect())
}

/// The text with the question behind a step asked before it; `None` if there is none.
fn asked_first(lines: &[&str], at: usize) -> Option<String> {
    let step = lines[at].trim_start().strip_prefix("- ")?;
    let if_so = lines.get(at + 1)?;
    if step.starts_with("if ") || !if_so.trim_start().starts_with("- if ") {
        return None;
    }
    let with_step = |line: &str| {
        let (head, list) = line.split_once(": [")?;
        Some(format!("{head}: [{step}, {list}"))
    };
    let otherwise = lines.get(at + 2).copied().unwrap_or_default();
    let (otherwise, rest) = match otherwise.trim_start().starts_with("- otherwise") {
        true => (with_step(otherwise)?, &lines[at + 3..]),
        false => (format!("        - otherwise: {step}"), &lines[at + 2..]),
    };
    let if_so = with_step(if_so)?;
    let lines = lines[..at].iter().copied();
    let lines = lines.chain([if_so.as_str(), &otherwise]);
    Some(
        lines
            .chain(rest.iter().copied())
            .flat_map(|line| [line, "\n"])
            .collect(),
    )
}

/// The text with an arm behind the next one; `None` if it is the last one of its state.
fn arms_swapped(lines: &[&str], at: usize) -> Option<String> {
    let is_arm = |line: &&str| line.starts_with("      ") && !line.starts_with("       ");
    let end = |from: usize| {
        let more = lines.get(from + 1..)?.iter();
        let steps = more.take_while(|line| line.starts_with("       ")).count();
        Some(from + 1 + steps)
    };
    let middle = end(at)?;
    lines.get(at).filter(|line| is_arm(line))?;
    lines.get(middle).filter(|line| is_arm(line))?;
    let last = end(middle)?;
    let parts = [
        &lines[..at],
        &lines[middle..last],
        &lines[at..middle],
        &lines[last..],
    ];
    let lines = parts.concat();
    Some(lines.into_iter().flat_map(|line| [line, "\n"]).collect())
}
