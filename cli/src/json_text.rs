//! JSON on its way out: the standard lets most controls stand in strings as they are, where they would steer a terminal.

use std::io::{self, Write};

use speclex_codegen::escape::is_control;

/// JSON without controls but newlines: each as `\u009b`. They are all of the Basic Multilingual Plane.
pub(crate) fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            c if c != '\n' && is_control(c) => text += &format!("\\u{:04x}", u32::from(c)),
            c => text.push(c),
        }
    }
    text
}

/// Writes JSON so.
pub(crate) struct JsonText<W: Write> {
    out: W,
    /// The start of a character that has not come whole.
    start: Vec<u8>,
}

impl<W: Write> JsonText<W> {
    pub(crate) fn new(out: W) -> Self {
        let start = Vec::new();
        Self { out, start }
    }
}

impl<W: Write> Write for JsonText<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.start.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.start) {
            Ok(text) => text.len(),
            Err(e) => e.valid_up_to(),
        };
        let rest = self.start.split_off(whole);
        // All that is there was found to be UTF-8.
        let text = String::from_utf8_lossy(&self.start);
        self.out.write_all(escaped(&text).as_bytes())?;
        self.start = rest;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
