//! Pieces of text that matter to a table: what random inputs are made of.

use speclex_codegen::machine::{Body, Guard, Machine, Next, StateKind};

use crate::random::Random;

/// The pieces of a machine's random inputs.
#[derive(Clone, Debug)]
pub struct Alphabet(Vec<String>);

impl Alphabet {
    /// Characters of every set of every arm, literals, words that registers are compared with, and
    /// some named character references.
    pub fn of(machine: &Machine) -> Self {
        let mut pieces: Vec<String> = [
            "\n", "\r\n", "\r", "\0", "\u{FEFF}", "é", "\u{FFFF}", "𝒳", "a", "A", "x", "1",
        ]
        .map(str::to_owned)
        .to_vec();
        for state in &machine.states {
            match &state.kind {
                StateKind::Consume(consume) => {
                    for literal in &consume.literals {
                        pieces.push(literal.text.clone());
                        pieces.push(literal.text.to_ascii_lowercase());
                        bodies_words(&literal.body, &mut pieces);
                    }
                    for arm in &consume.arms {
                        // Both ends of a small set's ranges; of large ones the first.
                        for &(first, last) in arm.set.ranges().iter().take(4) {
                            let ends = [first, last].into_iter().filter_map(char::from_u32);
                            pieces.extend(ends.filter(char::is_ascii).map(String::from));
                        }
                        bodies_words(&arm.body, &mut pieces);
                    }
                    bodies_words(&consume.eof, &mut pieces);
                }
                StateKind::Steps(body) => bodies_words(body, &mut pieces),
                StateKind::Match { matched, unmatched } => {
                    bodies_words(matched, &mut pieces);
                    bodies_words(unmatched, &mut pieces);
                    for name in ["amp", "amp;", "not", "notin;", "lt", "copy", "AMP"] {
                        pieces.push(format!("&{name}"));
                    }
                }
            }
        }
        pieces.sort();
        pieces.dedup();
        // What opens most constructs, more often than its share.
        for common in [
            "<", "</", "<!", "<!--", "-->", ">", "&", "&#", "&#x", ";", " ", "=", "\"", "'", "-",
            "</script", "script", "<a ",
        ] {
            pieces.extend(std::iter::repeat_n(common.to_owned(), 4));
        }
        Self(pieces)
    }

    /// A text of up to `most` pieces.
    pub fn text(&self, most: usize, random: &mut Random) -> String {
        (0..1 + random.below(most))
            .map(|_| random.one(&self.0).as_str())
            .collect()
    }

    /// A text with a piece again and again in its middle: longer than what scans look at at once.
    pub fn run(&self, random: &mut Random) -> String {
        let before = self.text(5, random);
        let run = random.one(&self.0).repeat(1 + random.below(200));
        before + &run + &self.text(5, random)
    }
}

/// Words that registers are compared with.
fn bodies_words(body: &Body, words: &mut Vec<String>) {
    if let Next::If {
        guard,
        then,
        otherwise,
    } = &body.next
    {
        guard_words(guard, words);
        bodies_words(then, words);
        bodies_words(otherwise, words);
    }
}

fn guard_words(guard: &Guard, words: &mut Vec<String>) {
    match guard {
        Guard::TextIs { any_of, .. } => words.extend(any_of.iter().cloned()),
        Guard::LastConsumed(word) => words.push(word.clone()),
        Guard::Not(inner) => guard_words(inner, words),
        Guard::All(all) | Guard::Any(all) => all.iter().for_each(|g| guard_words(g, words)),
        _ => {}
    }
}
