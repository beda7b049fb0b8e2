//! Whatever tokenizes: the interpreter here, generated tokenizers elsewhere.

use speclex_codegen::machine::{Feedback, Machine};

use crate::interpreter::{Answer, Fault, Host, Interpreter};
use crate::token::{Exceeded, Output, Token};
use crate::token_stream::TokenStream;

/// What is to be tokenized, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Request<'a> {
    /// The input.
    pub input: &'a str,
    /// The content to start in; the initial one if `None`.
    pub content: Option<&'a str>,
    /// The name of the last start tag emitted.
    pub last_start_tag: Option<&'a str>,
    /// The answer to the question whether CDATA sections are allowed.
    pub cdata_allowed: bool,
    /// The answer to the other questions.
    pub answer: bool,
    /// Of these only, if there are any: all others are answered with no.
    pub questions: &'a [String],
    /// Whether the table says what follows a start tag; if not, markup follows.
    pub feedback: Feedback,
    /// Whether a byte order mark at the start is skipped, as who decodes bytes does. Offsets count it.
    pub skip_bom: bool,
    /// Lengths in bytes of the chunks that the input comes in. The rest comes last.
    pub chunks: &'a [usize],
}

impl<'a> Request<'a> {
    /// With these questions answered with yes, or with all if there are none.
    pub(crate) fn allowing(self, answer: bool, questions: &'a [String]) -> Self {
        Self {
            cdata_allowed: answer && is_among(CDATA_ALLOWED, questions),
            answer,
            questions,
            ..self
        }
    }

    /// The input in chunks. A cut may be inside a character, hence bytes.
    pub fn pieces(&self) -> impl Iterator<Item = &'a [u8]> {
        let mut rest = self.input.as_bytes();
        let lengths = self.chunks.iter().copied().chain([usize::MAX]);
        lengths.map(move |length| {
            let (piece, after) = rest.split_at(length.min(rest.len()));
            rest = after;
            piece
        })
    }
}

/// The question that [`Request::cdata_allowed`] answers.
pub(crate) const CDATA_ALLOWED: &str = "CDATA sections are allowed";

/// Tokenizes requests.
pub trait Engine {
    /// Starts as a request says, whose input and chunks are left to the caller to feed.
    ///
    /// # Errors
    /// What is wrong, for people.
    fn start(&mut self, request: &Request<'_>) -> Result<Box<dyn Session + '_>, String>;

    /// Tokenizes a request.
    ///
    /// # Errors
    /// What is wrong, for people.
    fn tokenize(&mut self, request: &Request<'_>) -> Result<Output, String> {
        let mut session = self.start(request)?;
        if request.chunks.is_empty() {
            session.feed(request.input)?;
        } else {
            for piece in request.pieces() {
                session.feed_bytes(piece)?;
            }
        }
        session.end()?;
        Ok(session.take_output())
    }

    /// Tokenizes a request, all of the input at once. Adjacent characters are one token.
    ///
    /// # Errors
    /// What is wrong, for people.
    fn tokenize_to(&mut self, request: &Request<'_>, to: &mut TokenStream) -> Result<(), String> {
        let output = self.tokenize(request)?;
        to.begin(request.input);
        to.extend(output);
        Ok(())
    }
}

/// An input under way, which comes in pieces.
pub trait Session {
    /// Tokenizes more of the input.
    ///
    /// # Errors
    /// What is wrong, for people.
    fn feed(&mut self, piece: &str) -> Result<(), String>;

    /// The same for UTF-8 in pieces that may be cut inside a character.
    ///
    /// # Errors
    /// What is wrong, for people.
    fn feed_bytes(&mut self, piece: &[u8]) -> Result<(), String>;

    /// Says that the input has ended.
    ///
    /// # Errors
    /// What is wrong, for people.
    fn end(&mut self) -> Result<(), String>;

    /// Takes what came out since it was taken last. Character tokens and errors of the input stream may come later
    /// than what comes after them.
    fn take_output(&mut self) -> Output;

    /// Takes the tokens that exceed a limit, of those that came out since they were taken last. An engine without limits has none.
    fn take_exceeded(&mut self) -> Vec<Exceeded> {
        Vec::new()
    }
}

impl<E: Engine + ?Sized> Engine for Box<E> {
    fn start(&mut self, request: &Request<'_>) -> Result<Box<dyn Session + '_>, String> {
        (**self).start(request)
    }

    fn tokenize_to(&mut self, request: &Request<'_>, to: &mut TokenStream) -> Result<(), String> {
        (**self).tokenize_to(request, to)
    }
}

impl<H: Host> Interpreter<'_, H> {
    /// Starts as a request says, whose input is left to the caller to feed.
    pub(crate) fn start_as(&mut self, request: &Request<'_>) -> Result<(), Fault> {
        self.set_feedback(request.feedback);
        if request.skip_bom {
            self.skip_bom();
        }
        if let Some(content) = request.content {
            self.start(content)?;
        }
        if let Some(name) = request.last_start_tag {
            self.set_last_start_tag(name);
        }
        Ok(())
    }
}

/// Runs a machine in the interpreter.
#[derive(Debug)]
pub struct InterpreterEngine<'m> {
    interpreter: Interpreter<'m, Permissions>,
}

/// Answers questions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Permissions {
    cdata: bool,
    others: bool,
    /// Of the others these only, if there are any.
    questions: Vec<String>,
}

impl Permissions {
    pub(crate) fn of(request: &Request<'_>) -> Self {
        Self {
            cdata: request.cdata_allowed,
            others: request.answer,
            questions: request.questions.to_vec(),
        }
    }

    pub(crate) fn answer(&self, question: &str) -> bool {
        match question {
            CDATA_ALLOWED => self.cdata,
            _ => self.others && is_among(question, &self.questions),
        }
    }
}

/// Whether a question is one of these, or there are none.
fn is_among(question: &str, questions: &[String]) -> bool {
    questions.is_empty() || questions.iter().any(|it| it == question)
}

impl Host for Permissions {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Nothing
    }

    fn question(&mut self, question: &str) -> bool {
        self.answer(question)
    }
}

impl<'m> InterpreterEngine<'m> {
    /// An engine for a machine.
    pub fn new(machine: &'m Machine) -> Self {
        let interpreter = Interpreter::with_host(machine, Permissions::default());
        Self { interpreter }
    }
}

impl Engine for InterpreterEngine<'_> {
    fn start(&mut self, request: &Request<'_>) -> Result<Box<dyn Session + '_>, String> {
        let interpreter = &mut self.interpreter;
        interpreter.reset();
        *interpreter.host() = Permissions::of(request);
        let begun = interpreter.start_as(request);
        begun.map_err(|fault| fault.to_string())?;
        Ok(Box::new(InterpreterSession {
            interpreter,
            split_character: Vec::new(),
        }))
    }
}

/// An input in the interpreter.
struct InterpreterSession<'i, 'm> {
    interpreter: &'i mut Interpreter<'m, Permissions>,
    /// What has come of a character that is cut.
    split_character: Vec<u8>,
}

impl Session for InterpreterSession<'_, '_> {
    fn feed(&mut self, piece: &str) -> Result<(), String> {
        let fed = self.interpreter.feed(piece);
        fed.map(|_| ()).map_err(|fault| fault.to_string())
    }

    fn feed_bytes(&mut self, piece: &[u8]) -> Result<(), String> {
        let mut bytes = std::mem::take(&mut self.split_character);
        bytes.extend_from_slice(piece);
        let whole = match std::str::from_utf8(&bytes) {
            Ok(text) => text,
            // The input is valid: what is not is the start of a character.
            Err(e) => std::str::from_utf8(&bytes[..e.valid_up_to()]).unwrap_or_default(),
        };
        self.feed(whole)?;
        let used = whole.len();
        bytes.drain(..used);
        self.split_character = bytes;
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        let ended = self.interpreter.end();
        ended.map(|_| ()).map_err(|fault| fault.to_string())
    }

    fn take_output(&mut self) -> Output {
        self.interpreter.take_output()
    }
}
