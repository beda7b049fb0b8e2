//! Prints the tokens of each cue of a WebVTT file.
#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;
use std::{env, fs, io};

use speclex::Span;
use webvtt_example::{cue, cues};

/// A sink that writes a line for each token.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.0, "  {line}");
    }
}

impl cue::Sink for Lines {
    fn characters(&mut self, data: &str, _: Span) {
        self.line(format_args!("{data:?}"));
    }

    fn start_tag(&mut self, tag: &cue::StartTag<'_>, _: Span) {
        let mut line = format!("<{}", tag.name);
        for (class, _) in tag.classes.iter() {
            line.push('.');
            line += class;
        }
        if let Some(annotation) = tag.annotation {
            line.push(' ');
            line += annotation;
        }
        self.line(format_args!("{line}>"));
    }

    fn end_tag(&mut self, tag: &cue::EndTag<'_>, _: Span) {
        self.line(format_args!("</{}>", tag.name));
    }

    fn timestamp_tag(&mut self, tag: &cue::TimestampTag<'_>, _: Span) {
        self.line(format_args!("at {}", tag.name));
    }
}

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: webvtt-example FILE");
        return ExitCode::from(2);
    };
    let file = match fs::read_to_string(&path) {
        Ok(file) => file,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let mut out = io::stdout().lock();
    for (timings, text) in cues(&file) {
        let mut tokenizer = cue::Tokenizer::new(Lines::default());
        // No sink of this table names a content, so none can be refused.
        let _ = tokenizer.feed(&text).and_then(|_| tokenizer.end());
        let Lines(lines) = tokenizer.into_sink();
        // Whoever reads the output may have read enough.
        if write!(out, "{timings}\n{lines}").is_err() {
            break;
        }
    }
    ExitCode::SUCCESS
}
