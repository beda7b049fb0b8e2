//! A text as sections, paragraphs and lists of conditions with actions: what the English of both layouts has
//! in common.

/// One section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) number: String,
    pub(crate) title: String,
    pub(crate) line: usize,
    pub(crate) items: Vec<Item>,
}

/// A part of a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Paragraph(Text),
    Arms(Vec<ArmText>),
    /// A list of points, each of them parts again.
    List(Vec<Vec<Item>>),
    /// A row of a table.
    Row(Text),
}

/// Conditions and what is done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ArmText {
    pub(crate) conditions: Vec<Text>,
    pub(crate) body: Vec<Item>,
}

/// Words, and in which line they stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) line: usize,
    pub(crate) text: String,
}

impl Text {
    pub(crate) fn new(line: usize, text: &str) -> Self {
        Self {
            line,
            text: plain(text),
        }
    }
}

/// One kind of quotation marks, apostrophes and spaces.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{2019}' | '\u{2018}' => out.push('\''),
            '\u{201C}' | '\u{201D}' => out.push('"'),
            c if c.is_whitespace() => {
                if !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}

impl Section {
    /// The title without the word "state", if it is a state's.
    pub(crate) fn state_name(&self) -> &str {
        self.title.strip_suffix(" state").unwrap_or(&self.title)
    }

    /// All texts, for changing them.
    pub(crate) fn texts_mut(&mut self) -> Vec<&mut Text> {
        let mut found = Vec::new();
        texts_mut(&mut self.items, &mut found);
        found
    }

    /// All texts.
    pub(crate) fn texts(&self) -> Vec<&Text> {
        let mut found = Vec::new();
        texts(&self.items, &mut found);
        found
    }
}

fn texts_mut<'i>(items: &'i mut [Item], found: &mut Vec<&'i mut Text>) {
    for item in items {
        match item {
            Item::Paragraph(text) | Item::Row(text) => found.push(text),
            Item::List(points) => points.iter_mut().for_each(|point| texts_mut(point, found)),
            Item::Arms(arms) => {
                for arm in arms {
                    found.extend(&mut arm.conditions);
                    texts_mut(&mut arm.body, found);
                }
            }
        }
    }
}

fn texts<'i>(items: &'i [Item], found: &mut Vec<&'i Text>) {
    for item in items {
        match item {
            Item::Paragraph(text) | Item::Row(text) => found.push(text),
            Item::List(points) => points.iter().for_each(|point| texts(point, found)),
            Item::Arms(arms) => {
                for arm in arms {
                    found.extend(&arm.conditions);
                    texts(&arm.body, found);
                }
            }
        }
    }
}
