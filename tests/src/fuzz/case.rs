//! A case: an input, what the sink answers, what the caller does at each stop, and where the input is cut.
//!
//! This file needs only the standard library: the crates of generated tables include it.

use std::io::{BufRead, Error, ErrorKind, Result, Write};

/// What a tokenizer is asked to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The input.
    pub input: String,
    /// The content to start in; the initial one if `None`.
    pub content: Option<String>,
    /// The name of the last start tag.
    pub last_start_tag: Option<String>,
    /// The answer to the question whether CDATA sections are allowed.
    pub cdata_allowed: bool,
    /// What follows a start tag to which the sink says nothing.
    pub feedback: Feedback,
    /// Whether a byte order mark at the start is skipped.
    pub skip_bom: bool,
    /// What the sink answers to the tokens that it may answer, in their order; afterwards it goes on.
    pub answers: Vec<Answer>,
    /// What the caller does when the tokenizer stops, in the order of the stops; afterwards it resumes.
    pub stops: Vec<Stop>,
    /// Lengths in bytes of the chunks; the rest comes last.
    pub chunks: Vec<usize>,
}

/// What follows a start tag to which the sink says nothing: markup, or what the table says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Feedback {
    /// Markup.
    #[default]
    Off,
    /// What the table says without scripting.
    NoScripting,
    /// What the table says with scripting.
    Scripting,
}

impl Feedback {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Off, Self::NoScripting, Self::Scripting];
}

/// What a sink answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Go on.
    Continue,
    /// Go on in this content, for which there may be no entry state.
    Switch(String),
    /// Stop.
    Pause,
}

/// What a caller does when a sink has stopped the tokenizer, before it resumes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stop {
    /// How many chunks it feeds.
    pub chunks: usize,
    /// Texts that it inserts, one after the other.
    pub inserts: Vec<String>,
    /// The content that it enters.
    pub content: Option<String>,
    /// The name that it sets for the last start tag.
    pub last_start_tag: Option<String>,
}

impl Stop {
    /// What a caller does that only resumes.
    pub const RESUME: &'static Self = &Self {
        chunks: 0,
        inserts: Vec::new(),
        content: None,
        last_start_tag: None,
    };
}

impl Case {
    /// What the caller does at a stop.
    pub fn stop(&self, index: usize) -> &Stop {
        self.stops.get(index).unwrap_or(Stop::RESUME)
    }

    /// Whether the sink only listens.
    pub fn is_without_answers(&self) -> bool {
        self.answers.is_empty() && !self.cdata_allowed
    }
}

/// As a program hands a case to another.
impl Case {
    /// Writes the case.
    ///
    /// # Errors
    /// When nobody reads it.
    pub fn write(&self, to: &mut impl Write) -> Result<()> {
        write_text(to, &self.input)?;
        write_option(to, self.content.as_deref())?;
        write_option(to, self.last_start_tag.as_deref())?;
        writeln!(to, "{}", usize::from(self.cdata_allowed))?;
        writeln!(to, "{}", self.feedback as usize)?;
        writeln!(to, "{}", usize::from(self.skip_bom))?;
        writeln!(to, "{}", self.answers.len())?;
        for answer in &self.answers {
            match answer {
                Answer::Continue => write_text(to, "continue")?,
                Answer::Pause => write_text(to, "pause")?,
                Answer::Switch(content) => write_text(to, &format!("={content}"))?,
            }
        }
        writeln!(to, "{}", self.stops.len())?;
        for stop in &self.stops {
            writeln!(to, "{}\n{}", stop.chunks, stop.inserts.len())?;
            for insert in &stop.inserts {
                write_text(to, insert)?;
            }
            write_option(to, stop.content.as_deref())?;
            write_option(to, stop.last_start_tag.as_deref())?;
        }
        writeln!(to, "{}", self.chunks.len())?;
        for chunk in &self.chunks {
            writeln!(to, "{chunk}")?;
        }
        to.flush()
    }

    /// Reads what [`write`](Self::write) has written.
    ///
    /// # Errors
    /// When it is something else, or the end.
    pub fn read(from: &mut impl BufRead) -> Result<Self> {
        let mut case = Self {
            input: read_text(from)?,
            content: read_option(from)?,
            last_start_tag: read_option(from)?,
            cdata_allowed: read_number(from)? == 1,
            feedback: Feedback::ALL[read_number(from)? % 3],
            skip_bom: read_number(from)? == 1,
            ..Self::default()
        };
        for _ in 0..read_number(from)? {
            let answer = read_text(from)?;
            case.answers.push(match answer.strip_prefix('=') {
                Some(content) => Answer::Switch(content.to_owned()),
                None if answer == "pause" => Answer::Pause,
                None => Answer::Continue,
            });
        }
        for _ in 0..read_number(from)? {
            let chunks = read_number(from)?;
            let inserts = (0..read_number(from)?).map(|_| read_text(from));
            case.stops.push(Stop {
                chunks,
                inserts: inserts.collect::<Result<_>>()?,
                content: read_option(from)?,
                last_start_tag: read_option(from)?,
            });
        }
        for _ in 0..read_number(from)? {
            case.chunks.push(read_number(from)?);
        }
        Ok(case)
    }
}

fn write_text(to: &mut impl Write, text: &str) -> Result<()> {
    write!(to, "{}\n{text}", text.len())
}

fn write_option(to: &mut impl Write, text: Option<&str>) -> Result<()> {
    match text {
        Some(text) => write_text(to, &format!("={text}")),
        None => write_text(to, ""),
    }
}

fn read_number(from: &mut impl BufRead) -> Result<usize> {
    let mut line = String::new();
    from.read_line(&mut line)?;
    let number = line.trim_end().parse();
    number.map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

fn read_text(from: &mut impl BufRead) -> Result<String> {
    let mut bytes = vec![0; read_number(from)?];
    from.read_exact(&mut bytes)?;
    String::from_utf8(bytes).map_err(|error| Error::new(ErrorKind::InvalidData, error))
}

fn read_option(from: &mut impl BufRead) -> Result<Option<String>> {
    Ok(read_text(from)?.strip_prefix('=').map(str::to_owned))
}
