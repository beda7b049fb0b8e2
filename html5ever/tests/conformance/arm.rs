//! The arm of a table with which it first does another thing than a second table.

use std::ops::Range;

use speclex_analysis::diff::{Blame, Kind, Setup};
use speclex_analysis::engine::Request;
use speclex_analysis::token::{Emitted, Token, Value};
use speclex_analysis::trace::{Step, Tracer};
use speclex_codegen::machine::{Feedback, Machine};

/// A table beside the one that makes what is expected.
pub(crate) struct Tables<'m> {
    machines: [&'m Machine; 2],
    blame: Blame,
}

/// What a machine puts out.
struct Item {
    /// A token, or one character.
    token: Token,
    /// The bytes that it comes from.
    span: Range<u64>,
    /// The steps behind what comes before it.
    steps: Vec<Step>,
}

impl<'m> Tables<'m> {
    pub(crate) fn new(table: &'m Machine, expected: &'m Machine) -> Self {
        Self {
            machines: [table, expected],
            blame: Blame::new(table, expected),
        }
    }

    /// The arm that makes the tokens of an input others: the one that puts out another character, or gives a part of a token
    /// another value. Where neither is to be seen, the first arm of the change that is to blame. The tokenizers run without a
    /// tree builder, so each answer that it may give is tried.
    pub(crate) fn arm(
        &self,
        input: &str,
        context: Option<&str>,
        scripting: bool,
    ) -> Option<String> {
        let by_names = match scripting {
            true => Feedback::Scripting,
            false => Feedback::NoScripting,
        };
        let content = context.and_then(|name| self.machines[1].content_after(name, by_names));
        let answers = [by_names, Feedback::Off].into_iter();
        let mut answers = answers.flat_map(|feedback| [(feedback, false), (feedback, true)]);
        answers.find_map(|(feedback, cdata_allowed)| {
            let request = Request {
                input,
                content,
                cdata_allowed,
                feedback,
                skip_bom: true,
                ..Request::default()
            };
            let [label, _] = self.blame.find(&request, Kind::Tokens)?.labels;
            // What is not in a state is exact.
            let seen = label
                .contains(" on ")
                .then(|| self.seen(&request))
                .flatten();
            Some(seen.unwrap_or(label))
        })
    }

    /// The arm at which a difference is to be seen.
    fn seen(&self, request: &Request<'_>) -> Option<String> {
        let [got, expected] = self.machines.map(|machine| items(machine, request));
        let same = |(one, other): &(&Item, &Item)| {
            one.token == other.token && (one.span == other.span || !is_character(&one.token))
        };
        let common = got.iter().zip(&expected).take_while(same).count();
        let got = got.get(common)?;
        let expected = expected.get(common).map(|item| &item.token);
        let step = match (&got.token, expected) {
            (
                Token::Declared { kind, fields },
                Some(Token::Declared {
                    kind: expected_kind,
                    fields: expected,
                }),
            ) => {
                let has =
                    |all: &[Value], value: &str| texts(all).any(|text| text.starts_with(value));
                let is_other = |(_, value): &(_, String)| {
                    let value = value.trim_matches('"');
                    has(fields, value) && !has(expected, value)
                };
                let mut steps = got.steps.iter().filter(|_| kind == expected_kind);
                steps.find(|step| step.changed.iter().any(is_other))
            }
            _ => got.steps.last(),
        };
        step.map(Step::arm)
    }
}

fn is_character(token: &Token) -> bool {
    matches!(token, Token::Characters(_))
}

fn items(machine: &Machine, request: &Request<'_>) -> Vec<Item> {
    let setup = Setup {
        content: request.content.map(str::to_owned),
        answer: request.cdata_allowed,
        ..Setup::default()
    };
    let mut tracer = Tracer::new(machine, &setup).expect("a content of the table");
    tracer.read_page(request.feedback, request.skip_bom);
    tracer.push(request.input);
    tracer.end();
    let (mut items, mut steps) = (Vec::new(), Vec::new());
    while let Some(step) = tracer.step().expect("a sound machine") {
        let emitted = step.tokens.clone();
        steps.push(step);
        for Emitted { token, span } in emitted {
            let mut push = |token, span| {
                let steps = steps.clone();
                items.push(Item { token, span, steps });
            };
            match token {
                Token::Characters(text) => {
                    // Characters of the input, or what stands for some.
                    let is_input = text.len() as u64 == span.end - span.start;
                    for (at, c) in text.char_indices() {
                        let start = span.start + at as u64;
                        let own = start..start + c.len_utf8() as u64;
                        let span = if is_input { own } else { span.clone() };
                        push(Token::Characters(c.to_string()), span);
                    }
                }
                token => push(token, span),
            }
            steps.clear();
        }
    }
    items
}

/// The strings of a token.
fn texts(fields: &[Value]) -> impl Iterator<Item = &str> {
    fields.iter().flat_map(|field| match field {
        Value::Text(text) => vec![text.as_str()],
        Value::Attributes(all) => all
            .iter()
            .flat_map(|(name, value)| [name.as_str(), value])
            .collect(),
        _ => Vec::new(),
    })
}
