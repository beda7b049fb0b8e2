//! Random cases for a table.

use speclex_analysis::html5lib::read_folder;
use speclex_codegen::machine::Machine;

use super::case::{Answer, Case, Feedback, Stop};
use crate::alphabet::Alphabet;
use crate::random::Random;
use crate::{files, shared, splits};

/// How much of each document is used.
const DOCUMENT: usize = 1 << 16;

/// How much of a document goes into a case.
const WINDOW: usize = 200;

/// Texts that cases are made of, besides a table's alphabet.
#[derive(Debug, Default)]
pub struct Corpus {
    /// The beginnings of real documents.
    documents: Vec<String>,
    /// The inputs of html5lib-tests.
    inputs: Vec<String>,
}

impl Corpus {
    /// The real documents and the inputs of html5lib-tests; none where there is no test data.
    ///
    /// # Panics
    /// When the tests cannot be read.
    pub fn read() -> Self {
        let mut corpus = Self::default();
        if let Some(folder) = shared("corpora") {
            for path in files(&folder, &["html", "xml", "svg"]) {
                let bytes = std::fs::read(path).unwrap_or_default();
                let bytes = &bytes[..bytes.len().min(DOCUMENT)];
                let text = String::from_utf8_lossy(bytes).into_owned();
                corpus.documents.extend((!text.is_empty()).then_some(text));
            }
        }
        if let Some(folder) = shared("html5lib-tests/tokenizer") {
            let suite = read_folder(&folder).expect("tests");
            let inputs = suite.cases.into_iter().map(|case| case.input);
            corpus.inputs.extend(inputs);
            corpus.inputs.sort();
            corpus.inputs.dedup();
        }
        corpus
    }
}

/// Makes random cases for a table.
#[derive(Debug)]
pub struct Generator<'c> {
    alphabet: Alphabet,
    contents: Vec<String>,
    corpus: &'c Corpus,
}

impl<'c> Generator<'c> {
    /// A generator for a machine.
    pub fn new(machine: &Machine, corpus: &'c Corpus) -> Self {
        Self {
            alphabet: Alphabet::of(machine),
            contents: machine.vocabulary.contents.clone(),
            corpus,
        }
    }

    /// A case.
    pub fn case(&self, random: &mut Random) -> Case {
        let input = self.input(random);
        self.case_of(input, random)
    }

    /// A case with this input.
    pub fn case_of(&self, input: String, random: &mut Random) -> Case {
        let mut case = Case {
            content: (random.below(2) == 0).then(|| random.one(&self.contents).clone()),
            last_start_tag: last_start_tag(random),
            cdata_allowed: random.below(2) == 0,
            feedback: *random.one(&Feedback::ALL),
            skip_bom: random.below(2) == 0,
            chunks: chunks(input.len(), random),
            input,
            ..Case::default()
        };
        if random.below(2) == 0 {
            case.answers = (0..1 + random.below(8))
                .map(|_| self.answer(random))
                .collect();
            case.stops = (0..random.below(4)).map(|_| self.stop(random)).collect();
        }
        case
    }

    /// An input.
    pub fn input(&self, random: &mut Random) -> String {
        let input = match random.below(20) {
            0..8 => self.alphabet.text(12, random),
            8 => self.alphabet.run(random),
            9..14 => self.markup(random),
            14..17 => match self.corpus.documents.is_empty() {
                true => self.markup(random),
                false => window(random.one::<String>(&self.corpus.documents), random).to_owned(),
            },
            _ => match self.corpus.inputs.is_empty() {
                true => self.markup(random),
                false => window(random.one::<String>(&self.corpus.inputs), random).to_owned(),
            },
        };
        match random.below(2) {
            0 => input,
            _ => self.changed(input, random),
        }
    }

    /// Constructs of markup, most of them whole.
    fn markup(&self, random: &mut Random) -> String {
        const NAMES: &[&str] = &["a", "A", "script", "title", "x:y", "é", "a\0", "style"];
        const VALUES: &[&str] = &[
            "",
            "=",
            "=b",
            "='c'",
            "=\"&amp;\"",
            " = 'd\r\n'",
            "=&#65",
            "='",
        ];
        const OTHERS: &[&str] = &[
            "<!-- a -- b -->",
            "<!doctype html>",
            "<!DOCTYPE a PUBLIC 'b' \"c\" [<!ENTITY d 'e'>]>",
            "<![CDATA[ f ]]>",
            "<?xml version='1.0' encoding=\"g\"?>",
            "<?h i?>",
            "&amp;",
            "&#x10FFFF;",
            "&notit;",
            "</>",
            "</ j>",
            "text\r\n",
        ];
        let mut text = String::new();
        for _ in 0..1 + random.below(4) {
            match random.below(4) {
                0 => text += *random.one(OTHERS),
                1 => text += &self.alphabet.text(3, random),
                _ => {
                    text += *random.one(&["<", "<", "</"]);
                    text += *random.one(NAMES);
                    for _ in 0..random.below(4) {
                        text += *random.one(&[" ", " ", "\t", "/", ""]);
                        text += *random.one(NAMES);
                        text += *random.one(VALUES);
                    }
                    text += *random.one(&[">", ">", ">", "/>", "", " "]);
                }
            }
        }
        text
    }

    /// A text with a few changes.
    fn changed(&self, mut text: String, random: &mut Random) -> String {
        for _ in 0..1 + random.below(3) {
            let [mut from, mut to] = [(); 2].map(|()| boundary(&text, random));
            if from > to {
                (from, to) = (to, from);
            }
            match random.below(6) {
                0 => text.truncate(to),
                1 => text.replace_range(from..to.min(boundary_after(&text, from + 8)), ""),
                2 => {
                    let again = text[from..to.min(boundary_after(&text, from + 8))].to_owned();
                    text.insert_str(to, &again);
                }
                3 => text.insert(from, *random.one(&['\0', '\r', '\u{FEFF}', '\u{1}', '\n'])),
                _ => text.insert_str(from, &self.alphabet.text(2, random)),
            }
        }
        text
    }

    fn answer(&self, random: &mut Random) -> Answer {
        match random.below(5) {
            0 | 1 => Answer::Continue,
            2 => Answer::Switch(random.one(&self.contents).clone()),
            _ => Answer::Pause,
        }
    }

    fn stop(&self, random: &mut Random) -> Stop {
        Stop {
            chunks: random.below(3),
            inserts: (0..random.below(3))
                .map(|_| self.alphabet.text(3, random))
                .collect(),
            content: (random.below(6) == 0).then(|| random.one(&self.contents).clone()),
            last_start_tag: match random.below(6) {
                0 => last_start_tag(random),
                _ => None,
            },
        }
    }
}

fn last_start_tag(random: &mut Random) -> Option<String> {
    const NAMES: &[&str] = &[
        "script", "script", "a", "x", "title", "", "é", "xy-", "a\nb",
    ];
    match random.below(10) {
        0..5 => None,
        5 => Some("a".repeat(1 + random.below(60))),
        _ => Some((*random.one(NAMES)).to_owned()),
    }
}

/// Where an input is cut.
fn chunks(length: usize, random: &mut Random) -> Vec<usize> {
    match random.below(4) {
        0 => splits::bytes(length),
        1 => splits::random(length, 100, random),
        _ => {
            let longest = 1 + random.below(6);
            splits::random(length, longest, random)
        }
    }
}

/// A part of a text.
fn window<'t>(text: &'t str, random: &mut Random) -> &'t str {
    let from = match random.below(4) {
        0 => 0,
        _ => boundary(text, random),
    };
    let to = boundary_after(text, from + 1 + random.below(WINDOW));
    &text[from..to]
}

/// A random place between two characters.
fn boundary(text: &str, random: &mut Random) -> usize {
    boundary_after(text, random.below(text.len() + 1))
}

fn boundary_after(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(text.len())
}
