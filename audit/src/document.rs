//! A text as sections, paragraphs and lists of conditions with actions, which is what the English of both layouts
//! has in common; and the table's errata applied to it: what is to be read in place of what is written.

use std::collections::BTreeSet;

use speclex_codegen::errata::Erratum;

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
    fn texts_mut(&mut self) -> Vec<&mut Text> {
        let mut found = Vec::new();
        texts_mut(&mut self.items, &mut found);
        found
    }

    /// All texts.
    pub(crate) fn texts(&self) -> Vec<&Text> {
        texts(&self.items)
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

/// All texts of items.
pub(crate) fn texts(items: &[Item]) -> Vec<&Text> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Paragraph(text) | Item::Row(text) => found.push(text),
            Item::List(points) => found.extend(points.iter().flat_map(|point| texts(point))),
            Item::Arms(arms) => {
                for arm in arms {
                    found.extend(&arm.conditions);
                    found.extend(texts(&arm.body));
                }
            }
        }
    }
    found
}

/// What an erratum `reads` where what is written is to be passed over.
const NOTHING: &str = "nothing";

/// Whether a section is the one that an erratum is about.
pub(crate) fn is_about(erratum: &Erratum, section: &Section) -> bool {
    match (&erratum.procedure, &erratum.state) {
        (Some(_), _) => is_procedure(section),
        (None, Some(state)) => section.state_name().eq_ignore_ascii_case(state),
        (None, None) => true,
    }
}

/// Whether a section is that of the procedure.
pub(crate) fn is_procedure(section: &Section) -> bool {
    section
        .title
        .eq_ignore_ascii_case("Tokenizing character references")
}

/// Applies an erratum that says what to read.
pub(crate) fn apply_erratum(erratum: &Erratum, sections: &mut [Section]) -> Result<(), String> {
    let Some(reads) = &erratum.reads else {
        return Ok(());
    };
    let says = plain(&erratum.says);
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut fitting: Vec<(usize, usize)> = Vec::new();
    for (number, section) in sections.iter().enumerate() {
        if !is_about(erratum, section) {
            continue;
        }
        let within = lines_of_arm(&section.items, &erratum.key);
        for (index, text) in section.texts().iter().enumerate() {
            if text.text.contains(&says) {
                places.push((number, index));
                if within.contains(&text.line) {
                    fitting.push((number, index));
                }
            }
        }
    }
    let places = if fitting.is_empty() { places } else { fitting };
    match places.as_slice() {
        [(section, index)] => {
            let mut texts = sections[*section].texts_mut();
            let text = &mut texts[*index];
            let reads = if reads == NOTHING { "" } else { reads };
            text.text = plain(&text.text.replacen(&says, &plain(reads), 1));
            Ok(())
        }
        [] => Err("what it `says` is not in the text".to_owned()),
        many => Err(format!("what it `says` stands in {} places", many.len())),
    }
}

/// An erratum without `reads` that quotes what is not there.
pub(crate) fn misquotes(erratum: &Erratum, sections: &[Section]) -> Option<String> {
    if erratum.reads.is_some() || erratum.state.is_none() {
        return None;
    }
    let says = plain(&erratum.says);
    if let Some(of) = says.strip_prefix("There is no entry for EOF") {
        let own = sections.iter().filter(|section| is_about(erratum, section));
        let has = own.flat_map(Section::texts).any(|text| text.text == "EOF");
        return (has && of.starts_with('.')).then(|| "there is an entry for EOF".to_owned());
    }
    if !says.starts_with('"') {
        return None;
    }
    // Quotation marks within a quotation are written in different ways.
    let bare = |text: &str| text.to_lowercase().replace(['"', '\''], "");
    let texts: Vec<String> = sections
        .iter()
        .flat_map(Section::texts)
        .map(|text: &Text| bare(&text.text))
        .collect();
    let pieces = says
        .split(['\u{2026}', ':', ';'])
        .flat_map(|piece| piece.split("\" and "))
        .flat_map(|piece| piece.split(". "));
    let quoted = pieces
        .map(|piece| bare(piece).trim().trim_end_matches('.').to_owned())
        .any(|piece| piece.len() > 8 && texts.iter().any(|text| text.contains(&piece)));
    (!quoted).then(|| "nothing of what it quotes is in the text".to_owned())
}

/// The lines of the arm that a key of the table names.
fn lines_of_arm(items: &[Item], key: &str) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for item in items {
        let Item::Arms(arms) = item else { continue };
        for arm in arms {
            if is_for_key(arm, key) {
                found.extend(arm.conditions.iter().map(|text| text.line));
                lines(&arm.body, &mut found);
            }
            found.extend(lines_of_arm(&arm.body, key));
        }
    }
    found
}

fn lines(items: &[Item], found: &mut BTreeSet<usize>) {
    for item in items {
        match item {
            Item::Paragraph(text) | Item::Row(text) => {
                found.insert(text.line);
            }
            Item::List(points) => points.iter().for_each(|point| lines(point, found)),
            Item::Arms(arms) => arms.iter().for_each(|arm| lines(&arm.body, found)),
        }
    }
}

/// Whether an arm of the text is for the input of a key: the same numbers, and EOF, or words.
fn is_for_key(arm: &ArmText, key: &str) -> bool {
    let all: Vec<&str> = arm
        .conditions
        .iter()
        .map(|text| text.text.as_str())
        .collect();
    let all = all.join(", ");
    let about = |text: &str| {
        let numbers: BTreeSet<String> = text
            .split("U+")
            .skip(1)
            .map(|rest| rest.chars().take_while(char::is_ascii_hexdigit).collect())
            .collect();
        (numbers, text.contains("EOF"))
    };
    if key.contains("U+") || key == "EOF" {
        about(key) == about(&all)
    } else {
        all.eq_ignore_ascii_case(key)
    }
}
