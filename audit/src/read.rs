//! Reads a text in any of the three layouts, under the names that the table uses.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use speclex_analysis::engine::Engine;
use speclex_codegen::Loaded;
use speclex_codegen::charset::CharSet;
use speclex_codegen::errata::Erratum;

use crate::cursor::Names;
use crate::document::{Section, Text, is_about, is_procedure, plain};
use crate::facts::{
    Action, Arm, Body, Consume, Facts, Guard, Located, Place, RETURN_STATE, State, Step, Successor,
};
use crate::report::{Finding, line_of_arm, line_of_key};
use crate::sentences::Reading;
use crate::{document, layout_arms, layout_html, layout_prose, references, states, stream};

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
pub(crate) struct ReadText {
    pub(crate) layout: Layout,
    /// As they are read, with the errata applied; none in the arm notation.
    pub(crate) sections: Vec<Section>,
    pub(crate) names: Names,
    pub(crate) facts: Facts,
    pub(crate) sentences: usize,
    pub(crate) remarks: usize,
    pub(crate) applied: usize,
    pub(crate) unread: Vec<String>,
    /// What cannot be read, and what is said of the text that does not hold.
    pub(crate) findings: Vec<Finding>,
}

/// Reads a text. Its states get the names that the table has in its facts.
pub(crate) fn read(
    loaded: &Loaded,
    table: &Facts,
    text: &str,
    html: &mut dyn Engine,
) -> Result<ReadText, String> {
    let remarks = Remarks::of(loaded);
    let mut read = if layout_arms::is_notation(text) {
        read_notation(text, &remarks)
    } else {
        let is_html = text.trim_start().starts_with('<');
        let (layout, sections) = match is_html {
            true => (Layout::Html, layout_html::sections(text, html)?),
            false => (Layout::Prose, layout_prose::sections(text)),
        };
        read_english(loaded, layout, sections, &remarks)
    };
    if read.facts.states.is_empty() {
        return Err("it has no states: neither headings such as \"8.2.4.1 Data state\", nor \"[13.2.5.1] Data state\", nor <h5> with such words".to_owned());
    }
    read.remarks = remarks.used.borrow().len();
    // The arm notation has no sentences, and of the standard's HTML one may give a part.
    let unused = remarks.unused().filter(|_| read.layout == Layout::Prose);
    for (begins, _) in unused {
        let (file, line) = line_of_key(&loaded.sources, "remarks").unzip();
        read.findings.push(Finding {
            kind: "stale remark".to_owned(),
            file,
            line,
            text: "no sentence begins so".to_owned(),
            table: begins.clone(),
            ..Finding::default()
        });
    }
    use_table_names(&mut read.facts, table);
    resolve_in_attribute(&mut read.facts);
    read.findings.extend(duplicates(&read.facts));
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

fn read_notation(text: &str, remarks: &Remarks<'_>) -> ReadText {
    let notation = layout_arms::read(text, &|line| remarks.has(line));
    ReadText {
        layout: Layout::Arms,
        sections: Vec::new(),
        names: Names::default(),
        facts: notation.facts,
        sentences: notation.sentences,
        remarks: 0,
        applied: 0,
        unread: Vec::new(),
        findings: notation
            .not_understood
            .iter()
            .map(unknown_sentence)
            .collect(),
    }
}

fn unknown_sentence(text: &Text) -> Finding {
    Finding {
        kind: "a sentence that is not understood".to_owned(),
        text_line: Some(text.line),
        text: text.text.clone(),
        ..Finding::default()
    }
}

/// What the sections of a text say.
#[derive(Debug, Default)]
struct SectionFacts {
    facts: Facts,
    sentences: usize,
    not_understood: Vec<Text>,
    slips: Vec<Text>,
}

fn read_english(
    loaded: &Loaded,
    layout: Layout,
    mut sections: Vec<Section>,
    remarks: &Remarks<'_>,
) -> ReadText {
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
        let problem = match document::apply_erratum(erratum, &mut sections) {
            Ok(()) if erratum.reads.is_some() => {
                applied.push(index);
                None
            }
            // What the published standard quotes, a part of it or another layout need not have.
            Ok(()) if layout == Layout::Html => None,
            Ok(()) => document::misquotes(erratum, &original),
            Err(problem) => Some(problem),
        };
        findings.extend(problem.map(|problem| stale(loaded, index, &problem)));
    }
    let read_those = |sections: &[Section], those: &dyn Fn(&Section) -> bool| {
        let mut found = SectionFacts::default();
        for section in sections.iter().filter(|section| those(section)) {
            let has = |sentence: &str| remarks.has(sentence);
            read_section(section, is_state(section), &names, &has, &mut found);
        }
        found
    };
    let found = read_those(&sections, &|_| true);
    // An erratum that changes nothing is stale: read its section without it.
    for &index in &applied {
        let erratum = &loaded.errata[index];
        let mut unchanged = original.clone();
        for &other in applied.iter().filter(|other| **other != index) {
            let _ = document::apply_erratum(&loaded.errata[other], &mut unchanged);
        }
        let own = |section: &Section| is_about(erratum, section);
        let with = read_those(&sections, &own);
        let without = read_those(&unchanged, &own);
        if with.facts.states == without.facts.states
            && with.not_understood == without.not_understood
            && with.slips == without.slips
        {
            findings.push(stale(loaded, index, "what it `reads` says the same"));
        }
    }
    let mut not_understood = found.not_understood;
    not_understood.sort_by_key(|text| (text.line, text.text.clone()));
    not_understood.dedup();
    findings.extend(not_understood.iter().map(unknown_sentence));
    // A character that is named in two ways needs a word of the table.
    let noted = |slip: &&Text| {
        let says = |erratum: &Erratum| plain(&erratum.says).contains(&slip.text);
        !loaded.errata.iter().any(says)
    };
    findings.extend(found.slips.iter().filter(noted).map(|slip| Finding {
        kind: "a character that is named in two ways".to_owned(),
        text_line: Some(slip.line),
        text: slip.text.clone(),
        ..Finding::default()
    }));
    ReadText {
        layout,
        sections,
        names,
        facts: found.facts,
        sentences: found.sentences,
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
        Some(state) => line_of_arm(&loaded.sources, state, None),
        None => line_of_key(&loaded.sources, "errata"),
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
fn read_section(
    section: &Section,
    is_state: bool,
    names: &Names,
    remarks: &dyn Fn(&str) -> bool,
    section_facts: &mut SectionFacts,
) {
    let mut reading = Reading {
        names,
        sentences: 0,
        not_understood: Vec::new(),
        slips: Vec::new(),
        rows: Vec::new(),
        remarks,
    };
    if is_procedure(section) {
        section_facts
            .facts
            .states
            .extend(references::states(section, &mut reading));
    } else if is_state {
        let state: State = states::state(section, &mut reading);
        section_facts.facts.states.push(state);
    } else if let Some(topic) = stream::topic(&section.title) {
        stream::read(
            section,
            topic,
            &mut reading,
            &mut section_facts.facts.stream,
        );
    }
    for text in &reading.rows {
        reading.sentences += 1;
        match row(&text.text) {
            Some(what) => section_facts.facts.stream.replacements.push(Located {
                line: text.line,
                value: what,
            }),
            None => reading.not_understood.push(text.clone()),
        }
    }
    section_facts.sentences += reading.sentences;
    section_facts.not_understood.extend(reading.not_understood);
    section_facts.slips.extend(reading.slips);
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

/// Renames the states of a text as the table writes them: only the case of letters may differ.
fn use_table_names(text: &mut Facts, table: &Facts) {
    let mut names: HashMap<String, String> = HashMap::new();
    for state in &table.states {
        names.insert(state.name.to_lowercase(), state.name.clone());
    }
    let rename = |name: &mut String| {
        if let Some(known) = names.get(&name.to_lowercase()) {
            name.clone_from(known);
        }
    };
    for state in &mut text.states {
        rename(&mut state.name);
        state.lists_mut(&mut |steps| rename_steps(steps, &rename));
    }
    if let Some(initial) = &mut text.stream.initial {
        rename(&mut initial.value);
    }
}

fn rename_steps(steps: &mut [Step], rename: &dyn Fn(&mut String)) {
    for step in steps {
        match step {
            Step::Go(Successor::State(name)) | Step::Do(Action::SetState(_, name)) => rename(name),
            Step::If(_, then, otherwise) => {
                rename_steps(then, rename);
                rename_steps(otherwise, rename);
            }
            _ => {}
        }
    }
}

/// Says which question "consumed as part of an attribute" is: by the procedure's callers, or by the return
/// state. Either way it is those states that put references into attribute values.
fn resolve_in_attribute(facts: &mut Facts) {
    let mut callers = Vec::new();
    let mut returning = Vec::new();
    for state in &facts.states {
        let (mut attempts, mut writes, mut returns) = (false, false, false);
        state.steps(&mut |step| match step {
            Step::Attempt(_) => attempts = true,
            Step::Do(Action::Write {
                target: Place::AttributeValue,
                ..
            }) => writes = true,
            Step::Do(Action::SetState(register, own)) => {
                returns |= register == RETURN_STATE && *own == state.name;
            }
            _ => {}
        });
        if attempts && writes {
            callers.push(state.name.clone());
        } else if returns && writes {
            returning.push(state.name.clone());
        }
    }
    let meant = match callers.is_empty() {
        true => Guard::StateIs(RETURN_STATE.to_owned(), returning),
        false => Guard::Caller(callers),
    };
    for state in &mut facts.states {
        state.lists_mut(&mut |steps| replace_steps(steps, &meant));
        replace_branches(&mut state.body, &meant);
    }
}

fn replace_steps(steps: &mut [Step], meant: &Guard) {
    for step in steps {
        if let Step::If(guard, then, otherwise) = step {
            replace(guard, meant);
            replace_steps(then, meant);
            replace_steps(otherwise, meant);
        }
    }
}

fn replace_branches(body: &mut Body, meant: &Guard) {
    if let Body::Branch(guard, then, otherwise) = body {
        replace(guard, meant);
        replace_branches(then, meant);
        replace_branches(otherwise, meant);
    }
}

fn replace(guard: &mut Guard, meant: &Guard) {
    match guard {
        Guard::InAttribute => *guard = meant.clone(),
        Guard::Not(inner) => replace(inner, meant),
        Guard::All(all) | Guard::Any(all) => all.iter_mut().for_each(|guard| replace(guard, meant)),
        _ => {}
    }
}

/// States with the same name, and inputs with two arms.
fn duplicates(facts: &Facts) -> Vec<Finding> {
    let mut found = Vec::new();
    // A procedure by its first state.
    let begins = |state: &&State| !state.inner || state.name.ends_with(", start");
    let own: Vec<&State> = facts.states.iter().filter(begins).collect();
    for (index, state) in own.iter().enumerate() {
        if let Some(before) = own[..index].iter().find(|s| s.name == state.name) {
            found.push(Finding {
                text: format!("it has it in line {} already", before.line),
                ..duplicate("the text has this state twice", state, state.line)
            });
        }
    }
    for state in &facts.states {
        for body in state.body.branches() {
            let Body::Consume(consume) = body else {
                continue;
            };
            found.extend(clashing_arms(consume).map(|(arm, before)| Finding {
                arm: Some(arm.label.clone()),
                text: format!("line {} has it already", before.line),
                ..duplicate("the text has two arms for this input", state, arm.line)
            }));
        }
    }
    found
}

fn duplicate(kind: &str, state: &State, line: usize) -> Finding {
    Finding {
        kind: kind.to_owned(),
        state: Some(state.name.clone()),
        section: Some(state.section.clone()),
        text_line: Some(line),
        ..Finding::default()
    }
}

/// Each arm that does something else for an input of an earlier one, and that. (The standard's classes of
/// hexadecimal digits all have the decimal ones.)
fn clashing_arms(consume: &Consume) -> impl Iterator<Item = (&Arm, &Arm)> {
    let all = &consume.arms;
    all.iter().enumerate().filter_map(move |(index, arm)| {
        let other = consume
            .anything_else
            .as_ref()
            .filter(|_| is_anything_else(arm));
        let before = other.or_else(|| {
            all[..index]
                .iter()
                .find(|b| b.steps != arm.steps && overlap(arm, b))
        });
        before.map(|before| (arm, before))
    })
}

/// Whether it is for what the others leave.
fn is_anything_else(arm: &Arm) -> bool {
    arm.set.is_empty() && !arm.eof && !arm.allowed && arm.literal.is_none()
}

fn overlap(one: &Arm, other: &Arm) -> bool {
    if one.literal.is_some() || other.literal.is_some() {
        return one.literal == other.literal;
    }
    let outside = |set: &CharSet| set.difference(&other.set);
    (one.eof && other.eof) || outside(&one.set) != one.set
}
