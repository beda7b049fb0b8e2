//! The layout of the published standard: headings with numbers, `p`, `dl` with `dt` and `dd`, lists and
//! tables. End tags may be left out, as the standard's are.

use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::token::{Emitted, Token, Value};
use speclex_codegen::machine::Feedback;

use crate::document::{ArmText, Item, Section, Text};

/// Reads a text.
pub(crate) fn sections(text: &str, html: &mut dyn Engine) -> Result<Vec<Section>, String> {
    let request = Request {
        input: text,
        feedback: Feedback::Scripting,
        ..Request::default()
    };
    let output = html.tokenize(&request)?.coalesced();
    let mut reader = Reader {
        lines: Lines::new(text),
        sections: Vec::new(),
        stack: Vec::new(),
        text: String::new(),
        line: 0,
        number: None,
        heading: false,
        skipping: None,
        row: None,
    };
    for Emitted { token, span } in output.tokens {
        reader.token(&token, usize::try_from(span.start).unwrap_or(usize::MAX));
    }
    reader.end_heading();
    reader.close_to(0);
    Ok(reader.sections)
}

/// Elements at whose beginning a paragraph ends.
const BLOCKS: &[&str] = &[
    "p", "div", "dl", "ol", "ul", "table", "h1", "h2", "h3", "h4", "h5", "h6",
];

/// What is open, with what it holds.
#[derive(Debug)]
enum Open {
    Arms {
        arms: Vec<ArmText>,
        /// Whether the last of them has its action.
        has_action: bool,
    },
    Condition,
    Action(Vec<Item>),
    List(Vec<Vec<Item>>),
    Point(Vec<Item>),
}

/// Byte offsets of line beginnings.
#[derive(Debug)]
struct Lines(Vec<usize>);

impl Lines {
    fn new(text: &str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self(std::iter::once(0).chain(ends).collect())
    }

    fn of(&self, offset: usize) -> usize {
        self.0.partition_point(|start| *start <= offset)
    }
}

struct Reader {
    lines: Lines,
    sections: Vec<Section>,
    stack: Vec<Open>,
    /// What is being read, and where it began.
    text: String,
    line: usize,
    /// The number of a heading while it is read.
    number: Option<String>,
    heading: bool,
    /// The element whose content is left out, and how deep in elements of its name.
    skipping: Option<(String, usize)>,
    /// In a row of a table: `true` if it is its head.
    row: Option<bool>,
}

impl Reader {
    fn token(&mut self, token: &Token, offset: usize) {
        match token {
            Token::Characters(text) => {
                if self.skipping.is_none() {
                    if self.text.trim().is_empty() && !text.trim().is_empty() {
                        let blank = text.len() - text.trim_start().len();
                        self.line = self.lines.of(offset + blank);
                    }
                    self.text.push_str(text);
                }
            }
            Token::Declared { kind, fields } => {
                let name = fields.first().and_then(Value::text).unwrap_or_default();
                match kind.as_str() {
                    "start tag" => self.start(name, attribute(fields, "class")),
                    "end tag" => self.end(name),
                    _ => {}
                }
            }
        }
    }

    fn start(&mut self, name: &str, class: &str) {
        if let Some((skipped, depth)) = &mut self.skipping {
            // A paragraph ends where a block begins.
            if skipped == "p" && BLOCKS.contains(&name) {
                self.skipping = None;
            } else {
                *depth += usize::from(skipped == name);
                return;
            }
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => {
                self.end_heading();
                self.close_to(0);
                self.heading = true;
                self.text.clear();
            }
            "script" | "style" | "head" => self.skip(name),
            // Notes and examples say nothing; a link to the section itself is no word of its heading.
            "div" | "p" | "aside" if matches!(class, "note" | "example" | "warning") => {
                self.paragraph();
                self.skip(name);
            }
            "a" if class == "self-link" => self.skip(name),
            "p" if self.row.is_some() => self.text.push(' '),
            "p" | "div" | "table" | "thead" | "tbody" => {
                self.paragraph();
                self.row = None;
            }
            "tr" => {
                self.paragraph();
                self.row = Some(false);
            }
            "td" => self.text.push(' '),
            "th" => self.row = Some(true),
            "dl" => {
                self.paragraph();
                self.stack.push(Open::Arms {
                    arms: Vec::new(),
                    has_action: true,
                });
            }
            "dt" => {
                self.close_to_last(|open| matches!(open, Open::Arms { .. }));
                self.stack.push(Open::Condition);
            }
            "dd" => {
                self.close_to_last(|open| matches!(open, Open::Arms { .. }));
                self.stack.push(Open::Action(Vec::new()));
            }
            "ol" | "ul" => {
                self.paragraph();
                self.stack.push(Open::List(Vec::new()));
            }
            "li" => {
                self.close_to_last(|open| matches!(open, Open::List(_)));
                self.stack.push(Open::Point(Vec::new()));
            }
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        if let Some((skipped, depth)) = &mut self.skipping {
            if skipped == name {
                *depth -= 1;
                if *depth == 0 {
                    self.skipping = None;
                }
            }
            return;
        }
        match name {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => self.end_heading(),
            "p" if self.row.is_some() => self.text.push(' '),
            "p" | "div" => self.paragraph(),
            "tr" | "table" => {
                self.paragraph();
                self.row = None;
            }
            "span" if self.heading && self.number.is_none() => {
                self.number = Some(std::mem::take(&mut self.text).trim().to_owned());
            }
            "dl" => self.close_kind(|open| matches!(open, Open::Arms { .. })),
            "ol" | "ul" => self.close_kind(|open| matches!(open, Open::List(_))),
            "dt" | "dd" => self.close_to_last(|open| matches!(open, Open::Arms { .. })),
            "li" => self.close_to_last(|open| matches!(open, Open::List(_))),
            _ => {}
        }
    }

    fn skip(&mut self, name: &str) {
        self.skipping = Some((name.to_owned(), 1));
    }

    fn end_heading(&mut self) {
        if !std::mem::take(&mut self.heading) {
            return;
        }
        let title = std::mem::take(&mut self.text);
        let title = title.trim();
        // The number may stand in the heading without an element of its own.
        let (number, title) = match self.number.take() {
            Some(number) => (number, title),
            None => match title.split_once(' ') {
                Some((first, rest)) if first.starts_with(|c: char| c.is_ascii_digit()) => {
                    (first.to_owned(), rest)
                }
                _ => (String::new(), title),
            },
        };
        self.sections.push(Section {
            number: number.trim_end_matches('.').to_owned(),
            title: Text::new(0, title).text,
            line: self.line,
            items: Vec::new(),
        });
    }

    /// Ends what is being read.
    fn paragraph(&mut self) {
        if self.heading {
            return;
        }
        let text = Text::new(self.line, &std::mem::take(&mut self.text));
        if text.text.is_empty() || self.row == Some(true) {
            return;
        }
        if let Some(Open::Condition) = self.stack.last() {
            self.condition(text);
            return;
        }
        let item = match text.text.starts_with("0x") {
            true => Item::Row(text),
            false => Item::Paragraph(text),
        };
        self.put(item);
    }

    fn condition(&mut self, text: Text) {
        for open in self.stack.iter_mut().rev() {
            if let Open::Arms { arms, has_action } = open {
                if std::mem::take(has_action) {
                    arms.push(ArmText::default());
                }
                if let Some(arm) = arms.last_mut() {
                    arm.conditions.push(text);
                }
                return;
            }
        }
    }

    /// Puts something into what is open.
    fn put(&mut self, item: Item) {
        for open in self.stack.iter_mut().rev() {
            if let Open::Action(items) | Open::Point(items) = open {
                items.push(item);
                return;
            }
        }
        if let Some(section) = self.sections.last_mut() {
            section.items.push(item);
        }
    }

    /// Ends what is open inside the last of a kind.
    fn close_to_last(&mut self, is_kind: impl Fn(&Open) -> bool) {
        if let Some(at) = self.stack.iter().rposition(is_kind) {
            self.close_to(at + 1);
        }
    }

    /// Ends the last of a kind.
    fn close_kind(&mut self, is_kind: impl Fn(&Open) -> bool) {
        if let Some(at) = self.stack.iter().rposition(is_kind) {
            self.close_to(at);
        }
    }

    fn close_to(&mut self, depth: usize) {
        self.paragraph();
        while self.stack.len() > depth {
            match self.stack.pop() {
                Some(Open::Arms { arms, .. }) => self.put(Item::Arms(arms)),
                Some(Open::List(points)) => self.put(Item::List(points)),
                Some(Open::Point(items)) => {
                    if let Some(Open::List(points)) = self.stack.last_mut() {
                        points.push(items);
                    }
                }
                Some(Open::Action(items)) => {
                    if let Some(Open::Arms { arms, has_action }) = self.stack.last_mut() {
                        *has_action = true;
                        if let Some(arm) = arms.last_mut() {
                            arm.body.extend(items);
                        }
                    }
                }
                Some(Open::Condition) | None => {}
            }
        }
    }
}

/// An attribute's value.
fn attribute<'v>(fields: &'v [Value], name: &str) -> &'v str {
    let attributes = fields.iter().find_map(|field| match field {
        Value::Attributes(attributes) => Some(attributes),
        _ => None,
    });
    let found = attributes.and_then(|all| all.iter().find(|(own, _)| own == name));
    found.map_or("", |(_, value)| value)
}
