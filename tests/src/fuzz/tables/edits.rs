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
pub(in crate::fuzz) fn edited(text: &str, random: &mut Random) -> Option<String> {
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
    match (is_step(&line), random.below(5)) {
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
        (false, 0) if line.starts_with("      U+") => lines[at] = random.one::<&str>(ARMS),
        _ if at + 1 < lines.len() => lines.swap(at, at + 1),
        _ => return None,
    }
    Some(lines.iter().flat_map(|line| [line, "\n"]).collect())
}
