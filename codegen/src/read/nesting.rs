//! How deep flow collections (`[…]`, `{…}`) nest in a text, before the YAML library reads it: that takes time
//! with the square of the depth.
//!
//! This is not a parser: it follows scalars, comments and indentation just far enough to tell the brackets
//! that open a collection from those that are text, as in `U+005B ([): stay`.

/// Deeper collections are refused. The shipped tables have at most 9 levels.
pub(crate) const MOST_NESTING: usize = 64;

/// Where a flow collection nests too deep.
pub(crate) fn too_deep(text: &str) -> Option<usize> {
    deeper_than(MOST_NESTING, text)
}

pub(crate) fn deeper_than(most: usize, text: &str) -> Option<usize> {
    let mut scan = Scan {
        text: text.as_bytes(),
        at: 0,
        depth: 0,
        columns: Vec::new(),
    };
    scan.document(most)
}

/// What was read so far.
struct Scan<'t> {
    text: &'t [u8],
    at: usize,
    /// Open flow collections.
    depth: usize,
    /// Outside of flow collections: the columns of the keys and dashes around this place.
    columns: Vec<usize>,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Whether nothing or white space comes after the next byte.
    fn is_blank_after(&self) -> bool {
        matches!(
            self.text.get(self.at + 1),
            None | Some(b' ' | b'\t' | b'\r' | b'\n')
        )
    }

    fn skip_line(&mut self) {
        while self.peek().is_some_and(|b| b != b'\n') {
            self.at += 1;
        }
    }

    /// Skips line breaks and indentation; the column of what comes then.
    fn next_line(&mut self) -> Option<usize> {
        let mut column = 0;
        loop {
            match self.peek()? {
                b'\n' => column = 0,
                b' ' | b'\t' | b'\r' => column += 1,
                _ => return Some(column),
            }
            self.at += 1;
        }
    }

    fn document(&mut self, most: usize) -> Option<usize> {
        if self.text.starts_with(b"\xEF\xBB\xBF") {
            self.at = 3;
        }
        // The column that a plain scalar's next line must be right of to belong to it.
        let mut goes_on: Option<usize> = None;
        while let Some(column) = self.next_line() {
            let first = self.text[self.at];
            let line = &self.text[self.at..];
            if column == 0 && (line.starts_with(b"---") || line.starts_with(b"...")) {
                self.columns.clear();
                goes_on = None;
                self.at += 3;
                continue;
            }
            if first == b'#' || column == 0 && first == b'%' {
                self.skip_line();
                goes_on = None;
                continue;
            }
            if goes_on.is_some_and(|parent| column >= parent) {
                if !self.plain() {
                    goes_on = None;
                }
                if self.peek() == Some(b':') {
                    self.at += 1;
                }
                continue;
            }
            self.leave(column);
            goes_on = match self.line(column, most) {
                Ok(goes_on) => goes_on,
                Err(deep) => return Some(deep),
            };
        }
        None
    }

    fn leave(&mut self, column: usize) {
        while self.columns.last().is_some_and(|&c| c >= column) {
            self.columns.pop();
        }
    }

    fn enter(&mut self, column: usize) {
        self.leave(column);
        self.columns.push(column);
    }

    /// The least column of what belongs to the value that stands here.
    fn inside(&self) -> usize {
        self.columns.last().map_or(0, |column| column + 1)
    }

    /// The rest of a line outside of flow collections, or of several if a scalar or a collection has more of
    /// them; the least column of a plain scalar's next line, or where a collection is too deep.
    fn line(&mut self, column: usize, most: usize) -> Result<Option<usize>, usize> {
        let start = self.at;
        let here = |at: usize| column + (at - start);
        // A node: where it began, to be a key's column if a colon comes.
        let mut node = column;
        let mut fresh = true;
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => return Ok(None),
                b' ' | b'\t' | b'\r' => self.at += 1,
                b'#' => self.skip_line(),
                b'-' | b'?' if fresh && self.is_blank_after() => {
                    self.enter(here(self.at));
                    self.at += 1;
                    node = here(self.at);
                }
                b':' if self.is_blank_after() => {
                    self.enter(node);
                    self.at += 1;
                    fresh = true;
                    node = here(self.at);
                }
                b'&' | b'*' | b'!' if fresh => self.word(),
                b'|' | b'>' if fresh => {
                    self.block_scalar();
                    return Ok(None);
                }
                b'"' | b'\'' if fresh => {
                    node = here(self.at);
                    fresh = false;
                    self.quoted(byte);
                }
                b'[' | b'{' if fresh => {
                    node = here(self.at);
                    fresh = false;
                    self.flow(most)?;
                }
                _ => {
                    if fresh {
                        node = here(self.at);
                    }
                    fresh = false;
                    if self.plain() {
                        return Ok(Some(self.inside()));
                    }
                }
            }
        }
        Ok(None)
    }

    /// A plain scalar outside of flow collections, to the end of its line; whether it can go on in the next.
    fn plain(&mut self) -> bool {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => return true,
                b':' if self.is_blank_after() => return false,
                b' ' | b'\t' if self.text.get(self.at + 1) == Some(&b'#') => {
                    self.skip_line();
                    return false;
                }
                _ => self.at += 1,
            }
        }
        true
    }

    /// An anchor, an alias or a tag.
    fn word(&mut self) {
        let ends = |b: u8| {
            matches!(
                b,
                b' ' | b'\t' | b'\r' | b'\n' | b',' | b'[' | b']' | b'{' | b'}'
            )
        };
        self.at += 1;
        while self.peek().is_some_and(|b| !ends(b)) {
            self.at += 1;
        }
    }

    fn quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += 1;
            if byte == b'\\' && quote == b'"' {
                self.at += 1;
            } else if byte == quote {
                if quote == b'\'' && self.peek() == Some(quote) {
                    self.at += 1;
                } else {
                    return;
                }
            }
        }
    }

    /// A literal or folded scalar: its lines are right of the key or dash before it, as far as the first.
    fn block_scalar(&mut self) {
        let header = self.at;
        self.skip_line();
        let number = self.text[header..self.at.min(header + 3)]
            .iter()
            .find(|b| b.is_ascii_digit());
        let mut least = number.map(|b| self.inside().saturating_sub(1) + usize::from(b - b'0'));
        loop {
            let line = self.at;
            let Some(column) = self.next_line() else {
                return;
            };
            let least = *least.get_or_insert(column.max(self.inside()));
            if column < least {
                self.at = line;
                return;
            }
            self.skip_line();
        }
    }

    /// A flow collection; outside of it again, or where it is too deep.
    fn flow(&mut self, most: usize) -> Result<(), usize> {
        let mut plain = false;
        while let Some(byte) = self.peek() {
            match byte {
                b'[' | b'{' => {
                    if self.depth == most {
                        return Err(self.at);
                    }
                    self.depth += 1;
                    plain = false;
                }
                b']' | b'}' => {
                    plain = false;
                    self.depth -= 1;
                    if self.depth == 0 {
                        self.at += 1;
                        return Ok(());
                    }
                }
                b',' => plain = false,
                b':' if self.is_blank_after() || !plain => plain = false,
                b'#' if self.at > 0 && matches!(self.text[self.at - 1], b' ' | b'\t' | b'\n') => {
                    self.skip_line();
                    plain = false;
                    continue;
                }
                b'"' | b'\'' if !plain => {
                    self.quoted(byte);
                    continue;
                }
                b'&' | b'*' | b'!' if !plain => {
                    self.word();
                    continue;
                }
                b' ' | b'\t' | b'\r' | b'\n' => {}
                _ => plain = true,
            }
            self.at += 1;
        }
        Ok(())
    }
}
