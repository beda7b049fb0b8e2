//! Running a case in the interpreter.

use std::borrow::Cow;

use speclex::Span;
use speclex::markup::Token;
use speclex_analysis::interpreter::{Answer, Fault, Host, Interpreter, Status};
use speclex_analysis::token::{self, Emitted, Output, Value};
use speclex_codegen::machine::{self, Machine};

use super::case::{self, Case, Feedback};
use super::drive::Recording;

/// Answers as a case says.
#[derive(Debug, Default)]
struct Script {
    answers: std::vec::IntoIter<case::Answer>,
    cdata_allowed: bool,
}

impl Host for Script {
    fn emitted(&mut self, _: &token::Token) -> Answer {
        match self.answers.next() {
            None | Some(case::Answer::Continue) => Answer::Nothing,
            Some(case::Answer::Switch(content)) => Answer::Content(content),
            Some(case::Answer::Pause) => Answer::Pause,
        }
    }

    fn question(&mut self, _: &str) -> bool {
        self.cdata_allowed
    }
}

/// An interpreter for cases of one machine.
#[derive(Debug)]
pub struct Interpreted<'m> {
    interpreter: Interpreter<'m, Script>,
}

impl<'m> Interpreted<'m> {
    /// The interpreter for a machine.
    pub fn new(machine: &'m Machine) -> Self {
        let interpreter = Interpreter::with_host(machine, Script::default());
        Self { interpreter }
    }

    /// Records a case, fed at once.
    ///
    /// # Errors
    /// When the machine is malformed.
    pub fn record(&mut self, case: &Case) -> Result<Recording, String> {
        self.run(case).map_err(|fault| fault.to_string())?;
        let end = self.interpreter.end_of_file().unwrap_or_default();
        Ok(recording(self.interpreter.take_output().coalesced(), end))
    }

    fn run(&mut self, case: &Case) -> Result<(), Fault> {
        let interpreter = &mut self.interpreter;
        interpreter.reset();
        *interpreter.host() = Script {
            answers: case.answers.clone().into_iter(),
            cdata_allowed: case.cdata_allowed,
        };
        interpreter.set_feedback(match case.feedback {
            Feedback::Off => machine::Feedback::Off,
            Feedback::NoScripting => machine::Feedback::NoScripting,
            Feedback::Scripting => machine::Feedback::Scripting,
        });
        if case.skip_bom {
            interpreter.skip_bom();
        }
        if let Some(content) = &case.content {
            // A case may name a content without an entry state.
            let _ = interpreter.start(content);
        }
        if let Some(name) = &case.last_start_tag {
            interpreter.set_last_start_tag(name);
        }
        let mut stops = 0;
        let fed = interpreter.feed(&case.input);
        self.resume_until_ready(case, &mut stops, fed)?;
        let ended = self.interpreter.end();
        self.resume_until_ready(case, &mut stops, ended)
    }

    fn resume_until_ready(
        &mut self,
        case: &Case,
        stops: &mut usize,
        mut status: Result<Status, Fault>,
    ) -> Result<(), Fault> {
        let interpreter = &mut self.interpreter;
        loop {
            match status {
                Ok(Status::Ready | Status::Finished) => return Ok(()),
                Ok(Status::Paused) | Err(Fault::NoEntry(_)) => {}
                Err(fault) => return Err(fault),
            }
            let stop = case.stop(*stops);
            *stops += 1;
            for text in &stop.inserts {
                interpreter.insert(text);
            }
            if let Some(content) = &stop.content {
                // A case may name a content without an entry state.
                let _ = interpreter.start(content);
            }
            if let Some(name) = &stop.last_start_tag {
                interpreter.set_last_start_tag(name);
            }
            status = interpreter.resume();
        }
    }
}

fn recording(output: Output, end: u64) -> Recording {
    let mut tokens = Vec::with_capacity(output.tokens.len() + 1);
    for Emitted { token, span } in output.tokens {
        let span = Span {
            start: span.start,
            end: span.end,
        };
        tokens.push((markup_token(token), span));
    }
    tokens.push((Token::EndOfFile, Span { start: end, end }));
    let errors = output.errors.into_iter();
    Recording {
        tokens,
        errors: errors.map(|error| (error.code, error.offset)).collect(),
        failure: None,
    }
}

/// The token in the vocabulary of markup.
fn markup_token(token: token::Token) -> Token<'static> {
    let (kind, fields) = match token {
        token::Token::Characters(text) => return Token::Characters(text.into()),
        token::Token::Declared { kind, fields } => (kind, fields),
    };
    let mut fields = Fields(fields.into_iter());
    match kind.as_str() {
        "start tag" => Token::StartTag {
            name: fields.text(),
            self_closing_flag: fields.flag(),
            attributes: fields.attributes(),
        },
        "end tag" => Token::EndTag {
            name: fields.text(),
            self_closing_flag: fields.flag(),
            attributes: fields.attributes(),
        },
        "empty tag" => Token::EmptyTag {
            name: fields.text(),
            self_closing_flag: fields.flag(),
            attributes: fields.attributes(),
        },
        "short end tag" => Token::ShortEndTag,
        "comment" => Token::Comment {
            data: fields.text(),
        },
        "DOCTYPE" => Token::Doctype {
            name: fields.optional_text(),
            public_identifier: fields.optional_text(),
            system_identifier: fields.optional_text(),
            force_quirks_flag: fields.flag(),
        },
        "processing instruction" => Token::ProcessingInstruction {
            target: fields.text(),
            data: fields.text(),
        },
        "XML declaration" => Token::XmlDeclaration {
            version: fields.optional_text(),
            encoding: fields.optional_text(),
            standalone: fields.optional_text(),
        },
        "entity reference" => Token::EntityReference {
            name: fields.text(),
        },
        other => panic!("`{other}` is no token of the vocabulary `markup`"),
    }
}

/// The fields of a token, in order.
struct Fields(std::vec::IntoIter<Value>);

impl Fields {
    fn text(&mut self) -> Cow<'static, str> {
        self.optional_text().unwrap_or_default()
    }

    fn optional_text(&mut self) -> Option<Cow<'static, str>> {
        match self.0.next() {
            Some(Value::Text(text)) => Some(text.into()),
            _ => None,
        }
    }

    fn flag(&mut self) -> bool {
        matches!(self.0.next(), Some(Value::Flag(true)))
    }

    fn attributes(&mut self) -> Vec<(Cow<'static, str>, Cow<'static, str>)> {
        match self.0.next() {
            Some(Value::Attributes(attributes)) => attributes
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            _ => Vec::new(),
        }
    }
}
