//! Comma-separated values: a tokenizer for RFC 4180 with error recovery, made from `tables/csv.yaml`.
//!
//! ```
//! let (records, errors) = csv_example::read("name,age\r\n\"Doe, \"\"J.\"\"\",42\r\n");
//! assert_eq!(records, [["name", "age"], ["Doe, \"J.\"", "42"]]);
//! assert!(errors.is_empty());
//! ```
#![forbid(unsafe_code)]

use speclex::{ParseError, Span};

speclex::tokenizer! {
    /// Fields and record ends.
    pub mod csv = "tables/csv.yaml";
}

/// A sink that makes records of fields.
#[derive(Debug, Default)]
pub struct Records {
    record: Vec<String>,
    /// The records so far.
    pub records: Vec<Vec<String>>,
    /// The errors so far.
    pub errors: Vec<ParseError>,
}

impl csv::Sink for Records {
    const ERRORS: bool = true;
    const INPUT_ERRORS: bool = true;

    fn field(&mut self, field: &csv::Field<'_>, _: Span) {
        self.record.push(field.value.to_owned());
    }

    fn record_end(&mut self, _: Span) {
        self.records.push(std::mem::take(&mut self.record));
    }

    fn error(&mut self, error: ParseError) {
        self.errors.push(error);
    }
}

/// The records of a text, and what is wrong with it. No text is refused.
#[must_use]
pub fn read(text: &str) -> (Vec<Vec<String>>, Vec<ParseError>) {
    let mut tokenizer = csv::Tokenizer::new(Records::default());
    // No sink of this table names a content, so none can be refused.
    let _ = tokenizer.feed(text).and_then(|_| tokenizer.end());
    let Records { records, errors, .. } = tokenizer.into_sink();
    (records, errors)
}
