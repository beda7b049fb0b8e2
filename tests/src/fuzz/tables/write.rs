//! Random tables in the table language, nearly all of them free of faults.
//!
//! The state with the number 0 consumes whatever comes. A path that consumes nothing leads to a state with a lower number, so
//! that the machine gets on. Each state knows which token is under construction in it; a path to a state creates what that
//! needs.

use crate::random::Random;

/// The named character references of these tables.
pub(super) const REFERENCES: &[(&str, &str)] = &[
    ("a", "1"),
    ("ab;", "2"),
    ("abcdefghijkl;", "3\u{338}"),
    ("amp", "&"),
    ("amp;", "&"),
];

/// The registers of these tables.
const REGISTERS: [&str; 6] = [
    "buffer: text",
    "number: number",
    "count: number",
    "flag: [off, on]",
    "back: state",
    "quote: character",
];

/// The table with its registers declared in another order: they have other numbers.
pub fn with_registers_reversed(text: &str) -> String {
    let mut reversed = REGISTERS;
    reversed.reverse();
    text.replace(&REGISTERS.join(", "), &reversed.join(", "))
}

/// What is under construction in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Building {
    Nothing,
    Tag,
    Attribute,
    Comment,
    Doctype,
}

use Building::{Attribute, Comment, Doctype, Nothing, Tag};

/// What a list of steps knows.
#[derive(Clone, Copy, Debug)]
struct Place {
    state: usize,
    /// The current input character is known.
    has_character: bool,
    /// It is a digit.
    is_digit: bool,
    /// What was consumed is not put back.
    consumes: bool,
    /// The end of the input.
    is_end: bool,
    /// In an arm that only looks.
    only_looks: bool,
}

/// A random table.
pub(super) fn table(name: &str, random: &mut Random) -> String {
    let states = (0..2 + random.below(7))
        .map(|state| match state {
            0 => Nothing,
            _ => *random.one(&[Nothing, Nothing, Tag, Tag, Attribute, Comment, Doctype]),
        })
        .collect();
    let mut writer = Writer {
        random,
        states,
        text: String::new(),
    };
    writer.head(name);
    for state in 0..writer.states.len() {
        writer.state(state);
    }
    writer.text
}

struct Writer<'r> {
    random: &'r mut Random,
    states: Vec<Building>,
    text: String,
}

impl Writer<'_> {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn head(&mut self, name: &str) {
        self.line(&format!("table: {name}\ntitle: Random\nsection: \"1\""));
        self.line(
            "error codes: [odd]\nvocabulary: markup\nnamed character references: references.json",
        );
        self.line("numeric replacements: {0x80: U+20AC, 3: U+0034}");
        self.line(&format!("registers: {{{}}}", REGISTERS.join(", ")));
        let newlines = *self.random.one(&["normalize", "keep"]);
        let mark = *self.random.one(&["drop", "keep"]);
        self.line(&format!(
            "preprocessing:\n  newlines: {newlines}\n  byte order mark: {mark}"
        ));
        if self.one_in(3) {
            self.line("  errors: {noncharacter: odd}");
        }
        let rcdata = self.of(Nothing);
        let cdata = self.of(Nothing);
        self.line(&format!(
            "entry states:\n  data: s0\n  RCDATA: {rcdata}\n  CDATA section: [set the flag to on, switch to {cdata}]"
        ));
        let initial = *self
            .random
            .one(&["data", "data", "RCDATA", "CDATA section"]);
        self.line(&format!("initial state: {initial}"));
        if self.one_in(2) {
            self.line("contents after start tags: {RCDATA: [a, title if scripting is enabled], CDATA section: b}");
        }
        if self.one_in(2) {
            let token = *self
                .random
                .one(&["start tag", "end tag", "comment", "DOCTYPE"]);
            self.line(&format!("on emitting:\n  {token}:"));
            for _ in 0..=self.random.below(2) {
                let step = *self.random.one(&[
                    "parse error",
                    "set the flag to on",
                    "set the flag to off",
                    "set the number to 3",
                    "if the flag is on: parse error",
                    "if the buffer is \"ab\" or \"a\": set the flag to on",
                ]);
                self.line(&format!("    - {step}"));
            }
            if token == "end tag" {
                self.line("    - if the tag token has attributes: parse error");
            }
        }
        self.procedure();
        self.line("states:");
    }

    /// A sub-machine that looks for one of three things: nothing that it consumes is left out if it finds none.
    fn procedure(&mut self) {
        self.line("procedures:\n  try:\n    states:\n      t0:\n        consume:");
        for set in ["U+0061 (a)", "U+003C (<)"] {
            let end = self.returned();
            self.line(&format!("          {set}: {end}"));
        }
        self.line("          ASCII digit: [set the buffer to \"\", switch to t1]");
        self.line("          EOF: return nothing\n          anything else:");
        let end = self.returned();
        self.line("            - if the current input character is the quote: return nothing");
        self.line(&format!("            - otherwise: {end}"));
        let end = self.returned();
        self.line("      t1:\n        consume:");
        self.line("          ASCII upper alpha: [append the current input character to the buffer, return the buffer]");
        self.line(&format!(
            "          EOF: return nothing\n          anything else: {end}"
        ));
    }

    fn returned(&mut self) -> &'static str {
        self.random.one::<&str>(&[
            "return nothing",
            "return \"xy\"",
            "return the current input character",
        ])
    }

    /// Steps that run the sub-machine and lead to another state.
    fn attempt(&mut self, place: Place) {
        let with = *self
            .random
            .one(&["", ", with no quote", ", with the quote being U+0062 (b)"]);
        self.line(&format!("        - attempt to try{with}"));
        let nothing = self.ending(place);
        self.line(&format!("        - if nothing is returned: [{nothing}]"));
        let found = self.ending(place);
        self.line(&format!(
            "        - otherwise: [emit the returned characters, {found}]"
        ));
    }

    /// A state in which this is under construction.
    fn of(&mut self, building: Building) -> String {
        let states = self.states.iter().enumerate();
        let states: Vec<usize> = states
            .filter(|(_, other)| **other == building)
            .map(|(state, _)| state)
            .collect();
        format!("s{}", self.random.one(&states))
    }

    fn state(&mut self, state: usize) {
        self.line(&format!("  s{state}:"));
        let kind = match state {
            0 => 0,
            _ => self.random.below(9),
        };
        let place = Place {
            state,
            has_character: false,
            is_digit: false,
            consumes: false,
            is_end: false,
            only_looks: false,
        };
        if kind < 8 && self.one_in(5) {
            let first = self.action(place, Nothing);
            self.line(&format!("    first: [{first}]"));
        }
        match kind {
            6 => {
                self.line("    look ahead:");
                self.arms(Place {
                    only_looks: true,
                    ..place
                });
            }
            7 => {
                self.line("    match a named character reference:\n      match:");
                let value = *self.random.one(&[
                    "emit the characters of the named character reference",
                    "append the name of the named character reference to the buffer",
                ]);
                self.line(&format!("        - {value}"));
                self.steps(Place {
                    consumes: true,
                    ..place
                });
                self.line("      no match:");
                self.steps(place);
            }
            8 => {
                self.line("    steps:");
                match self.one_in(2) {
                    true => self.attempt(place),
                    false => self.steps(place),
                }
            }
            _ => {
                self.line("    consume:");
                self.arms(Place {
                    consumes: true,
                    ..place
                });
            }
        }
        if kind < 6 && self.one_in(8) {
            let last = self.action(place, Nothing);
            self.line(&format!("    leaving: [{last}]"));
        }
    }

    fn arms(&mut self, place: Place) {
        const SETS: &[&str] = &[
            "U+003C (<)",
            "U+003E (>)",
            "U+0026 (&)",
            "U+002D (-)",
            "ASCII upper alpha",
            "ASCII digit",
            "U+0020, U+000A",
            "U+0000",
            "U+0061 (a)",
            "U+0062 (b) to U+0066 (f), U+00E9",
        ];
        const LITERALS: &[&str] = &[
            "\"ab\"",
            "\"<!\"",
            "\"aB\" ASCII case-insensitively",
            "\"--\"",
        ];
        if self.one_in(3) {
            let literal = *self.random.one(LITERALS);
            self.line(&format!("      '{literal}':"));
            self.steps(place);
        }
        for set in SETS {
            if self.one_in(3) {
                self.line(&format!("      {set}:"));
                self.steps(Place {
                    has_character: true,
                    is_digit: *set == "ASCII digit",
                    ..place
                });
            }
        }
        self.line("      EOF:");
        self.steps(Place {
            consumes: false,
            is_end: true,
            ..place
        });
        self.line("      anything else:");
        self.steps(Place {
            has_character: true,
            ..place
        });
    }

    /// The steps of an arm.
    fn steps(&mut self, mut place: Place) {
        if place.only_looks && !place.is_end {
            // Without it the character is looked at again.
            place.consumes = self.one_in(2);
            if place.consumes {
                self.line("        - consume it");
            }
        }
        for _ in 0..self.random.below(3) {
            let action = self.action(place, self.states[place.state]);
            self.line(&format!("        - {action}"));
        }
        if self.one_in(3) {
            let guard = self.guard(place);
            let list = self.ending(place);
            self.line(&format!("        - if {guard}: [{list}]"));
            if self.one_in(2) {
                let list = self.ending(place);
                self.line(&format!("        - otherwise: [{list}]"));
                return;
            }
        }
        let list = self.ending(place);
        for step in list.split(", ") {
            self.line(&format!("        - {step}"));
        }
    }

    /// Steps that lead to another state.
    fn ending(&mut self, mut place: Place) -> String {
        let mut steps = Vec::new();
        let mut building = self.states[place.state];
        if self.one_in(4) {
            steps.push(self.action(place, building));
        }
        if building != Nothing && self.one_in(2) {
            steps.push(match building {
                Comment => "emit the comment token".to_owned(),
                Doctype => "emit the DOCTYPE token".to_owned(),
                _ => "emit the tag token".to_owned(),
            });
            building = Nothing;
            // A sink that answers twice.
            if self.one_in(4) {
                steps.push("emit an end tag token".to_owned());
            }
        }
        if place.is_end && (place.state == 0 || self.one_in(2)) {
            steps.push("emit EOF".to_owned());
            return steps.join(", ");
        }
        let mut verb = "switch to";
        if place.consumes && !place.only_looks && place.state > 0 && self.one_in(4) {
            (verb, place.consumes) = ("reconsume in", false);
        }
        if place.consumes && self.one_in(8) {
            steps.push("switch to the back".to_owned());
            return steps.join(", ");
        }
        let states = match place.consumes {
            true => self.states.len(),
            false => place.state,
        };
        let target = self.random.below(states);
        match (building, self.states[target]) {
            (_, Nothing) | (Tag | Attribute, Tag) | (Comment, Comment) | (Doctype, Doctype) => {}
            (Attribute, Attribute) if self.one_in(2) => {}
            (Tag | Attribute, Attribute) => steps.push("start a new attribute".to_owned()),
            (_, Comment) => steps.push("create a comment token".to_owned()),
            (_, Doctype) => steps.push("create a DOCTYPE token".to_owned()),
            (_, wanted) => {
                let kind = *self
                    .random
                    .one(&["a start tag", "an end tag", "a start tag"]);
                steps.push(format!("create {kind} token"));
                if wanted == Attribute {
                    steps.push("start a new attribute".to_owned());
                }
            }
        }
        steps.push(format!("{verb} s{target}"));
        steps.join(", ")
    }

    /// A step that leads nowhere.
    fn action(&mut self, place: Place, building: Building) -> String {
        let value = match place.has_character {
            true => *self.random.one(&[
                "the current input character",
                "the current input character",
                "the lowercase of the current input character",
            ]),
            false => *self.random.one(&["U+FFFD", "\"xy\"", "the buffer"]),
        };
        if place.is_digit && self.one_in(2) {
            return "add the digit to the number".to_owned();
        }
        let back = self.of(Nothing);
        let own = match building {
            Nothing => vec![],
            Tag => vec![
                format!("append {value} to the tag name"),
                "set the self-closing flag".to_owned(),
                "make the tag token an end tag token".to_owned(),
            ],
            Attribute => vec![
                format!("append {value} to the attribute name"),
                format!("append {value} to the attribute value"),
                format!("append {value} to the tag name"),
                format!("set the attribute value to {value}"),
            ],
            Comment => vec![format!("append {value} to the comment data")],
            Doctype => vec![
                format!("append {value} to the DOCTYPE name"),
                format!("set the DOCTYPE public identifier to {value}"),
                "set the force-quirks flag".to_owned(),
            ],
        };
        if !own.is_empty() && !self.one_in(3) {
            return self.random.one(&own).clone();
        }
        match self.random.below(14) {
            0..5 => format!("emit {value}"),
            5 => "parse error".to_owned(),
            6 => "set the buffer to \"\"".to_owned(),
            // `check` refuses a text that is appended to itself.
            7 if value == "the buffer" => "append \"xy\" to the buffer".to_owned(),
            7 => format!("append {value} to the buffer"),
            8 => "emit the buffer".to_owned(),
            9 => format!("set the flag to {}", self.random.one(&["on", "off"])),
            10 => format!("set the number to {}", self.random.one(&["0", "3", "0x80"])),
            11 => (*self.random.one(&[
                "increase the number",
                "increase the count",
                "decrease the count",
                "multiply the number by 10",
                "replace the number",
            ]))
            .to_owned(),
            12 => "emit the character of the number".to_owned(),
            _ => format!("set the back to {back}"),
        }
    }

    fn guard(&mut self, place: Place) -> &'static str {
        let building = self.states[place.state];
        let own: &[&str] = match building {
            Tag => &[
                "appropriate end tag token",
                "the self-closing flag is set",
                "the tag token is an end tag token",
            ],
            Attribute => &["the attribute name is already in the token"],
            _ => &[],
        };
        if !own.is_empty() && self.one_in(2) {
            return self.random.one::<&str>(own);
        }
        let guards: &[&str] = &[
            "the flag is on",
            "the buffer is \"ab\" or \"a\"",
            "the number is greater than 3",
            "the count is 1 to 3",
            "the number has a replacement",
            "the back is s0",
            "CDATA sections are allowed",
            "a start tag token has been emitted",
            "not the flag is on",
            "the next input character is U+0061 (a)",
            "the next input characters are the last start tag name then U+003E (>)",
            "the last characters consumed are \"<a\"",
        ];
        // Where an arm only looks, and at the end, nothing is known of what comes after it.
        let count = match (place.only_looks || place.is_end, place.has_character) {
            (true, _) => guards.len() - 3,
            (false, false) => guards.len() - 1,
            (false, true) => guards.len(),
        };
        self.random.one::<&str>(&guards[..count])
    }
}
