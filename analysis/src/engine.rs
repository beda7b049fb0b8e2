//! Whatever tokenizes: the interpreter here, generated tokenizers elsewhere.

use speclex_codegen::machine::{Feedback, Machine};

use crate::interpreter::{Answer, Fault, Host, Interpreter};
use crate::token::{Output, Token};

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
    /// Whether the table says what follows a start tag; if not, markup follows.
    pub feedback: Feedback,
    /// Whether a byte order mark at the start is skipped, as who decodes bytes does. Offsets count it.
    pub skip_bom: bool,
    /// Lengths in bytes of the chunks that the input comes in. The rest comes last.
    pub chunks: &'a [usize],
}

impl<'a> Request<'a> {
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
    /// Tokenizes a request.
    ///
    /// # Errors
    /// What is wrong, for people.
    fn tokenize(&mut self, request: &Request<'_>) -> Result<Output, String>;
}

impl<E: Engine + ?Sized> Engine for Box<E> {
    fn tokenize(&mut self, request: &Request<'_>) -> Result<Output, String> {
        (**self).tokenize(request)
    }
}

/// Runs a machine in the interpreter.
#[derive(Debug)]
pub struct InterpreterEngine<'m> {
    interpreter: Interpreter<'m, Permissions>,
}

/// Answers the question about CDATA sections.
#[derive(Debug, Default)]
struct Permissions {
    cdata: bool,
}

impl Host for Permissions {
    fn emitted(&mut self, _: &Token) -> Answer {
        Answer::Nothing
    }

    fn question(&mut self, question: &str) -> bool {
        self.cdata && question == CDATA_ALLOWED
    }
}

impl<'m> InterpreterEngine<'m> {
    /// An engine for a machine.
    pub fn new(machine: &'m Machine) -> Self {
        let interpreter = Interpreter::with_host(machine, Permissions::default());
        Self { interpreter }
    }

    fn run(&mut self, request: &Request<'_>) -> Result<Output, Fault> {
        let interpreter = &mut self.interpreter;
        interpreter.reset();
        *interpreter.host() = Permissions {
            cdata: request.cdata_allowed,
        };
        interpreter.set_feedback(request.feedback);
        if request.skip_bom {
            interpreter.skip_bom();
        }
        if let Some(content) = request.content {
            interpreter.start(content)?;
        }
        if let Some(name) = request.last_start_tag {
            interpreter.set_last_start_tag(name);
        }
        let mut split_character = Vec::new();
        for piece in request.pieces() {
            split_character.extend_from_slice(piece);
            let whole = match std::str::from_utf8(&split_character) {
                Ok(text) => text,
                // The input is valid: what is not is the start of a character.
                Err(e) => {
                    std::str::from_utf8(&split_character[..e.valid_up_to()]).unwrap_or_default()
                }
            };
            interpreter.feed(whole)?;
            let used = whole.len();
            split_character.drain(..used);
        }
        interpreter.end()?;
        Ok(interpreter.take_output())
    }
}

impl Engine for InterpreterEngine<'_> {
    fn tokenize(&mut self, request: &Request<'_>) -> Result<Output, String> {
        self.run(request).map_err(|fault| fault.to_string())
    }
}
