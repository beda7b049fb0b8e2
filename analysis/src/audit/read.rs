//! Reads a text in any of the three layouts.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::Loaded;
use speclex_codegen::errata::Erratum;

use super::cursor::Names;
use super::document::{Section, Text, plain};
use super::errata::{self, concerns, is_procedure};
use super::facts::{Facts, Said, State};
use super::flow::Reading;
use super::report::Finding;
use super::{place, reference, states, stream, text_arms, text_html, text_prose};
use crate::engine::Engine;

/// How a text is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// English, with conditions flush and actions indented.
    Prose,
    /// `input -> error ; actions ; next`
    Arms,
    /// English, in the standard's HTML.
    Html,
}

impl Layout {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Prose => "prose",
            Self::Arms => "arm notation",
            Self::Html => "HTML",
        }
    }
}

/// A text that was read.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) layout: Layout,
    pub(crate) facts: Facts,
    pub(crate) sentences: usize,
    pub(crate) remarks: usize,
    pub(crate) applied: usize,
    pub(crate) unread: Vec<String>,
    /// What cannot be read, and what is said of the text that does not hold.
    pub(crate) findings: Vec<Finding>,
}

/// Reads a text.
pub(crate) fn read(loaded: &Loaded, text: &str, html: &mut dyn Engine) -> Result<Read, String> {
    let remarks = Remarks::of(loaded);
    let mut read = if text_arms::is_notation(text) {
        notation(text, &remarks)
    } else {
        let is_html = text.trim_start().starts_with('<');
        let (layout, sections) = match is_html {
            true => (Layout::Html, text_html::sections(text, html)?),
            false => (Layout::Prose, text_prose::sections(text)),
        };
        english(loaded, layout, sections, &remarks)
    };
    if read.facts.states.is_empty() {
        return Err("it has no states: neither headings such as \"8.2.4.1 Data state\", nor \"[13.2.5.1] Data state\", nor <h5> with such words".to_owned());
    }
    read.remarks = remarks.used.borrow().len();
    // The arm notation has no sentences, and of the standard's HTML one may give a part.
    let unused = remarks.unused().filter(|_| read.layout == Layout::Prose);
    for (begins, _) in unused {
        let (file, line) = place::top(&loaded.sources, "remarks").unzip();
        read.findings.push(Finding {
            kind: "stale remark".to_owned(),
            file,
            line,
            text: "no sentence begins so".to_owned(),
            table: begins.clone(),
            ..Finding::default()
        });
    }
    Ok(read)
}

/// Sentences that the table lists.
struct Remarks<'l> {
    all: &'l [(String, String)],
    begins: Vec<(String, bool)>,
    used: RefCell<BTreeSet<usize>>,
}

impl<'l> Remarks<'l> {
    fn of(loaded: &'l Loaded) -> Self {
        let begins = loaded.remarks.iter().map(|(begins, _)| {
            let begins = plain(begins);
            match begins.strip_suffix('\u{2026}') {
                Some(start) => (start.trim_end().to_owned(), true),
                None => (begins, false),
            }
        });
        Self {
            all: &loaded.remarks,
            begins: begins.collect(),
            used: RefCell::default(),
        }
    }

    fn has(&self, sentence: &str) -> bool {
        let fits = |(begins, open): &(String, bool)| match open {
            true => sentence.starts_with(begins.as_str()),
            false => sentence == begins,
        };
        let at = self.begins.iter().position(fits);
        self.used.borrow_mut().extend(at);
        at.is_some()
    }

    fn unused(&self) -> impl Iterator<Item = &'l (String, String)> {
        let used = self.used.borrow().clone();
        let all = self.all.iter().enumerate();
        all.filter(move |(index, _)| !used.contains(index))
            .map(|(_, remark)| remark)
    }
}

fn notation(text: &str, remarks: &Remarks<'_>) -> Read {
    let lines: Vec<(usize, String)> = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.to_owned()))
        .collect();
    let notation = text_arms::read(&lines, &|line| remarks.has(line));
    Read {
        layout: Layout::Arms,
        facts: notation.facts,
        sentences: notation.sentences,
        remarks: 0,
        applied: 0,
        unread: Vec::new(),
        findings: notation.puzzles.iter().map(puzzle).collect(),
    }
}

fn puzzle(text: &Text) -> Finding {
    Finding {
        kind: "a sentence that is not understood".to_owned(),
        text_line: Some(text.line),
        text: text.text.clone(),
        ..Finding::default()
    }
}

/// What the sections of a text say.
#[derive(Debug, Default)]
struct Said_ {
    facts: Facts,
    sentences: usize,
    puzzles: Vec<Text>,
    slips: Vec<Text>,
}

fn english(
    loaded: &Loaded,
    layout: Layout,
    mut sections: Vec<Section>,
    remarks: &Remarks<'_>,
) -> Read {
    let parent = parent(&sections);
    let is_state = |section: &Section| match (&parent, section.number.rsplit_once('.')) {
        (Some(parent), Some((own, _))) => own == parent,
        _ => false,
    };
    let names = Names::of(
        sections
            .iter()
            .filter(|s| is_state(s))
            .map(Section::state_name),
    );
    let is_read = |s: &Section| is_state(s) || stream::topic(&s.title).is_some();
    let unread = sections
        .iter()
        .filter(|section| !is_read(section) && !section.items.is_empty())
        .map(|section| {
            format!("{} {}", section.number, section.title)
                .trim()
                .to_owned()
        })
        .collect();
    sections.retain(|section| is_read(section));

    let mut findings = Vec::new();
    let mut applied = Vec::new();
    let original = sections.clone();
    for (index, erratum) in loaded.errata.iter().enumerate() {
        let problem = match errata::apply(erratum, &mut sections) {
            Ok(()) if erratum.reads.is_some() => {
                applied.push(index);
                None
            }
            // What the published standard quotes, a part of it or another layout need not have.
            Ok(()) if layout == Layout::Html => None,
            Ok(()) => errata::misquotes(erratum, &original),
            Err(problem) => Some(problem),
        };
        findings.extend(problem.map(|problem| stale(loaded, index, &problem)));
    }
    let say = |sections: &[&Section], remarks: &dyn Fn(&str) -> bool| {
        let mut said = Said_::default();
        for section in sections {
            say(section, is_state(section), &names, remarks, &mut said);
        }
        said
    };
    let said = say(&sections.iter().collect::<Vec<_>>(), &|s| remarks.has(s));
    // An erratum that changes nothing is stale: read its section without it.
    for &index in &applied {
        let erratum = &loaded.errata[index];
        let mut without = original.clone();
        for &other in applied.iter().filter(|other| **other != index) {
            let _ = errata::apply(&loaded.errata[other], &mut without);
        }
        let own = |all: &[Section]| -> Vec<Section> {
            all.iter()
                .filter(|s| concerns(erratum, s))
                .cloned()
                .collect()
        };
        let (a, b) = (own(&sections), own(&without));
        let (a, b) = (
            say(&a.iter().collect::<Vec<_>>(), &|s| remarks.has(s)),
            say(&b.iter().collect::<Vec<_>>(), &|s| remarks.has(s)),
        );
        if a.facts.states == b.facts.states && a.puzzles == b.puzzles && a.slips == b.slips {
            findings.push(stale(loaded, index, "what it `reads` says the same"));
        }
    }
    let mut puzzles = said.puzzles;
    puzzles.sort_by_key(|text| (text.line, text.text.clone()));
    puzzles.dedup();
    findings.extend(puzzles.iter().map(puzzle));
    // A character that is named in two ways needs a word of the table.
    let noted = |slip: &&Text| {
        let says = |erratum: &Erratum| plain(&erratum.says).contains(&slip.text);
        !loaded.errata.iter().any(says)
    };
    findings.extend(said.slips.iter().filter(noted).map(|slip| Finding {
        kind: "a character that is named in two ways".to_owned(),
        text_line: Some(slip.line),
        text: slip.text.clone(),
        ..Finding::default()
    }));
    Read {
        layout,
        facts: said.facts,
        sentences: said.sentences,
        remarks: 0,
        applied: applied.len(),
        unread,
        findings,
    }
}

/// The number of the section whose subsections are the states: the one with most of them.
fn parent(sections: &[Section]) -> Option<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for section in sections.iter().filter(|s| s.title.ends_with(" state")) {
        if let Some((parent, _)) = section.number.rsplit_once('.') {
            *count.entry(parent).or_default() += 1;
        }
    }
    let most = count.into_iter().max_by_key(|(_, states)| *states)?;
    Some(most.0.to_owned())
}

fn stale(loaded: &Loaded, index: usize, problem: &str) -> Finding {
    let erratum = &loaded.errata[index];
    let state = erratum.state.clone();
    let at = match &state {
        Some(state) => place::place(&loaded.sources, state, None),
        None => place::top(&loaded.sources, "errata"),
    };
    let (file, line) = at.unzip();
    Finding {
        kind: "stale erratum".to_owned(),
        state,
        arm: Some(erratum.key.clone()),
        file,
        line,
        text: problem.to_owned(),
        table: erratum.says.clone(),
        ..Finding::default()
    }
}

/// Reads a section.
fn say(
    section: &Section,
    is_state: bool,
    names: &Names,
    remarks: &dyn Fn(&str) -> bool,
    said: &mut Said_,
) {
    let mut reading = Reading {
        names,
        sentences: 0,
        puzzles: Vec::new(),
        slips: Vec::new(),
        rows: Vec::new(),
        remarks,
    };
    if is_procedure(section) {
        said.facts
            .states
            .extend(reference::states(section, &mut reading));
    } else if is_state {
        let state: State = states::state(section, &mut reading);
        said.facts.states.push(state);
    } else if let Some(topic) = stream::topic(&section.title) {
        stream::read(section, topic, &mut reading, &mut said.facts.stream);
    }
    for text in &reading.rows {
        reading.sentences += 1;
        match row(&text.text) {
            Some(what) => said.facts.stream.replacements.push(Said {
                line: text.line,
                what,
            }),
            None => reading.puzzles.push(text.clone()),
        }
    }
    said.sentences += reading.sentences;
    said.puzzles.extend(reading.puzzles);
    said.slips.extend(reading.slips);
}

/// `0x80 U+20AC EURO SIGN (…)`, `0x80 0x20AC EURO SIGN`
fn row(text: &str) -> Option<(u32, u32)> {
    let mut words = text.split(' ');
    let number = |word: Option<&str>, prefixes: &[&str]| {
        let word = word?;
        let digits = prefixes
            .iter()
            .find_map(|prefix| word.strip_prefix(prefix))?;
        u32::from_str_radix(digits, 16).ok()
    };
    let row = (
        number(words.next(), &["0x"])?,
        number(words.next(), &["U+", "0x"])?,
    );
    // A glyph behind the name is of the same character.
    let last = words
        .next_back()
        .and_then(|w| w.strip_prefix('(')?.strip_suffix(')'));
    let glyph = last.map(|glyph| glyph.trim_matches('\''));
    let fits = glyph.is_none_or(|glyph| {
        let mut chars = glyph.chars();
        let single = chars.next().filter(|_| chars.next().is_none());
        // As all quotation marks of a text, those in it were made one kind.
        let to = char::from_u32(row.1).map(|to| plain(&to.to_string()));
        single.is_none_or(|_| to.is_some_and(|to| to == glyph))
    });
    fits.then_some(row)
}
