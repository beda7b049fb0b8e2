//! What only the tests of this workspace need of the insides.

use std::ops::Range;

use crate::charset::CharSet;
use crate::check::model::Cond;
use crate::check::{GUARDS, Means, PHRASES};
use crate::diagnostic::{Faults, Span};
use crate::emit::names;
use crate::json::{Json, map};
use crate::lexer::tokens;
use crate::lower::facts::{Facts, Folded};
use crate::machine::{Action, Guard};
use crate::phrase::{self, Cursor, templates_of};
use crate::read::{self, At, Node, Positions, Yaml, quoting};
use crate::references;
use crate::set_notation::{self, Classes};
use crate::source::Source;
use crate::tree;

pub use crate::analyse::deferred_append::{creates_for_next, left_to_next};
pub use crate::analyse::emission::shared;

/// How many ranges a set of bytes to search for may have.
pub const MOST_RANGES: usize = crate::emit::MOST_RANGES;
/// How deep brackets may be nested.
pub const MOST_NESTING: usize = read::nesting::MOST_NESTING;

/// A name as the identifiers of a value, a type and a constant.
pub fn identifiers(name: &str) -> [String; 3] {
    [names::snake, names::pascal, names::shouting].map(|identifier| identifier(name).to_string())
}

/// A list, an empty list and a yes, as JSON.
pub fn json(key: &str, items: Vec<&str>) -> String {
    map([(key, Json::from(items)), ("empty", Json::List(Vec::new()))])
        .with("yes", true)
        .print()
}

/// Whether the shared vocabulary has a fault.
pub fn markup_has_faults() -> bool {
    let mut faults = Faults::default();
    crate::check::read_markup(&mut faults);
    faults.any_error()
}

/// A pattern of phrases or guards.
#[derive(Debug)]
pub struct Template {
    /// With open parts in capitals.
    pub pattern: &'static str,
    /// One that could stand in a table.
    pub example: &'static str,
    /// What it means.
    pub about: &'static str,
}

fn templates(all: impl Iterator<Item = &'static phrase::Template>) -> Vec<Template> {
    let shown = |template: &phrase::Template| Template {
        pattern: template.pattern,
        example: template.example,
        about: template.about,
    };
    all.map(shown).collect()
}

/// The phrases and guards of states, and those of tree construction with what stands in their holes.
pub fn all_templates() -> [Vec<Template>; 5] {
    let [steps, guards, values] = tree::rows();
    [
        templates(templates_of(PHRASES)),
        templates(templates_of(GUARDS)),
        templates(steps.into_iter()),
        templates(guards.into_iter()),
        templates(values.into_iter()),
    ]
}

/// The pattern of the phrase that may be meant.
pub fn nearest_phrase(typed: &str) -> Option<&'static str> {
    phrase::nearest(typed, templates_of(PHRASES)).map(|template| template.pattern)
}

/// The patterns by which phrases and guards of states are read, each once.
pub fn patterns() -> impl Iterator<Item = &'static str> {
    let phrases = PHRASES.iter().map(phrase::Row::pattern);
    phrases.chain(GUARDS.iter().map(phrase::Row::pattern))
}

/// The pattern by which a phrase is read first, if it is read without a fault.
pub fn phrase_pattern(text: &str) -> Option<&'static str> {
    let mut faults = Faults::default();
    let tokens = tokens(text, Span::default(), &mut faults);
    let whole = Cursor::new(text, &tokens, Span::default());
    let readings = phrase::phrase(PHRASES, whole, &mut faults);
    let first = readings.first().filter(|_| !faults.any_error())?;
    Some(first.row.pattern())
}

/// A guard as it is read, if it is without fault, with what stands in holes in brackets.
pub fn read_guard(text: &str, questions: &[&str]) -> Option<String> {
    with_guard(text, questions, show_guard)
}

/// The patterns by which the parts of a guard are read first; none if it has a fault.
pub fn guard_patterns(text: &str, questions: &[&str]) -> Vec<&'static str> {
    with_guard(text, questions, parts_of_guard).unwrap_or_default()
}

fn with_guard<T>(
    text: &str,
    questions: &[&str],
    seen: fn(&phrase::Guard<'_, Means<Cond>>) -> T,
) -> Option<T> {
    let mut faults = Faults::default();
    let named = |name: &str| questions.contains(&name);
    let tokens = tokens(text, Span::default(), &mut faults);
    let whole = Cursor::new(text, &tokens, Span::default()).with_names(&named);
    let guard = phrase::guard(GUARDS, whole, &mut faults)?;
    (!faults.any_error()).then(|| seen(&guard))
}

fn parts_of_guard<M>(guard: &phrase::Guard<'_, M>) -> Vec<&'static str> {
    use phrase::Guard::{All, Any, Atom};
    match guard {
        All(parts) | Any(parts) => parts.iter().flat_map(parts_of_guard).collect(),
        Atom(readings, _) => readings
            .first()
            .map(|it| it.row.pattern())
            .into_iter()
            .collect(),
    }
}

fn show_guard<M>(guard: &phrase::Guard<'_, M>) -> String {
    use phrase::Guard::{All, Any, Atom};
    let list = |parts: &[phrase::Guard<'_, M>]| parts.iter().map(show_guard).collect::<Vec<_>>();
    match guard {
        All(parts) => format!("({})", list(parts).join(" & ")),
        Any(parts) => format!("({})", list(parts).join(" | ")),
        Atom(readings, _) => readings.first().map_or_else(String::new, |reading| {
            let not = if reading.negated { "!" } else { "" };
            format!("{not}{}", reading.shown)
        }),
    }
}

/// Whether a text looks like a phrase of tree construction.
pub fn reads_tree_phrase(text: &str) -> bool {
    tree::looks_like_a_phrase(text)
}

/// What happens along a path.
#[derive(Debug)]
pub enum Happens {
    /// A guard is answered.
    Answer(Guard, bool),
    /// An action is done.
    Action(Action),
}

/// The answer of a guard after what happened.
///
/// # Errors
/// When it is not known: what is left to ask.
pub fn answer(happened: &[Happens], guard: Guard) -> Result<bool, Guard> {
    let mut facts = Facts::default();
    for event in happened {
        match event {
            Happens::Answer(guard, answer) => facts.assume(guard, *answer),
            Happens::Action(action) => facts.after(action),
        }
    }
    match facts.fold(guard) {
        Folded::Known(answer) => Ok(answer),
        Folded::Open(guard) => Err(guard),
    }
}

/// A line with the quotes that it lacks, the piece that was changed, and the brackets that are open at its end.
pub fn quoted(line: &str) -> (String, Range<usize>, String) {
    let quoted = quoting::quoted(line);
    (quoted.line, quoted.piece, quoted.open)
}

/// A line that begins inside brackets, with the quotes that it lacks.
pub fn quoted_in_brackets(line: &str) -> String {
    quoting::quoted_in_brackets(line).line
}

/// Where the key of a line ends.
pub fn key_end(line: &str) -> Option<usize> {
    quoting::key_end(line)
}

/// Where brackets are nested deeper than this.
pub fn deeper_than(most: usize, text: &str) -> Option<usize> {
    read::nesting::deeper_than(most, text)
}

/// A scalar of a YAML text.
#[derive(Debug)]
pub struct Scalar {
    /// What it says, if it is a string.
    pub value: Option<String>,
    /// Where it starts in the text, and its length there, by the walk that finds all scalars.
    pub found: (usize, usize),
    /// Where it starts, by a walk that stops at it.
    pub stopped: Option<usize>,
}

/// All scalars of a text, in order; `None` when it is not sound.
pub fn scalars(text: &str) -> Option<Vec<Scalar>> {
    let mut all = Vec::new();
    collect(&read::read(0, text).node?, &mut all);
    let wanted: Vec<At> = all.iter().map(|(at, _)| *at).collect();
    let source = source(text);
    let positions = Positions::find(std::slice::from_ref(&source), &wanted);
    let scalar = |(at, value): (At, _)| Scalar {
        value,
        found: positions.span(&source, at.into()),
        stopped: read::stop_at(0, text, at.scalar),
    };
    Some(all.into_iter().map(scalar).collect())
}

fn collect(node: &Node, into: &mut Vec<(At, Option<String>)>) {
    match &node.value {
        Yaml::List(items) => items.iter().for_each(|item| collect(item, into)),
        Yaml::Map(entries) => entries.iter().for_each(|(key, value)| {
            collect(key, into);
            collect(value, into);
        }),
        Yaml::Text(text) => into.push((node.at, Some(text.clone()))),
        _ => into.push((node.at, None)),
    }
}

fn source(text: &str) -> Source {
    Source {
        name: "text".to_owned(),
        text: text.to_owned(),
    }
}

/// Where a part of a scalar's value stands in the text, and its length there.
pub fn part(text: &str, scalar: u32, start: usize, len: usize) -> (usize, usize) {
    let (at, source) = (At { source: 0, scalar }, source(text));
    let positions = Positions::find(std::slice::from_ref(&source), &[at]);
    positions.span(&source, Span { at, start, len })
}

/// A scalar as it stands in the text.
pub fn raw(text: &str, scalar: u32) -> Option<String> {
    let at = At { source: 0, scalar };
    Positions::raw(&source(text), at).map(str::to_owned)
}

/// A set of characters as it is read.
#[derive(Debug)]
pub struct Set {
    /// Its characters.
    pub characters: CharSet,
    /// Its strings, and whether their case is ignored.
    pub literals: Vec<(String, bool)>,
    /// Whether the end of the input belongs to it.
    pub eof: bool,
    /// Whether it is `anything else`.
    pub anything_else: bool,
    /// The set in one spelling.
    pub label: String,
    /// Whether it has a fault.
    pub has_faults: bool,
}

/// Reads a set; the class `letter` has these characters.
pub fn set(text: &str, letter: CharSet) -> Set {
    let mut faults = Faults::default();
    let mut classes = Classes::default();
    classes.declare("letter".to_owned(), letter);
    let written = set_notation::parse(text, At::default().into(), &mut faults);
    let meaning = set_notation::resolve(&written, &mut classes, &mut faults);
    let literals = meaning.literals.into_iter();
    Set {
        characters: meaning.set,
        literals: literals.map(|it| (it.text, it.ignore_case)).collect(),
        eof: meaning.eof,
        anything_else: meaning.anything_else,
        label: set_notation::label(&written),
        has_faults: faults.any_error(),
    }
}

/// The table of named character references that the runtime searches.
#[derive(Debug)]
pub struct References {
    /// Of each row: the name, its value, and the longest other name that it starts with.
    pub rows: Vec<(String, String, Option<String>)>,
    /// What the rows refer to.
    pub text: String,
    /// Length of the longest name.
    pub longest: usize,
    /// A character that names have only at their end; NUL when there is none.
    pub terminator: u8,
}

/// The table for these names and values.
///
/// # Errors
/// When there is none: why.
pub fn references(names: &[(String, String)]) -> Result<References, String> {
    let table = references::build(names).map_err(|why| why.to_string())?;
    let row = |row: &references::Row| {
        let length = usize::from(row.length);
        let head = row.head.iter().take(length).copied().map(char::from);
        let text = &table.text[usize::from(row.text)..];
        let (tail, value) = text.split_at(length.saturating_sub(row.head.len()));
        let value = &value[..usize::from(row.value)];
        (head.collect::<String>() + tail, value.to_owned())
    };
    let rows = table.rows.iter().map(|of| {
        let (name, value) = row(of);
        let prefix = table.rows.get(usize::from(of.prefix));
        (name, value, prefix.map(|prefix| row(prefix).0))
    });
    Ok(References {
        rows: rows.collect(),
        text: table.text.clone(),
        longest: table.longest,
        terminator: table.terminator,
    })
}

/// Names and what they stand for, from a file of data; `None` when it has a fault.
#[cfg(feature = "files")]
pub fn references_in(text: &str) -> Option<Vec<(String, String)>> {
    crate::file_contents::references(source(text)).ok()
}

/// Line and column of the first byte that is no text.
#[cfg(feature = "files")]
pub fn not_text(bytes: &[u8]) -> Option<(usize, usize)> {
    let report = crate::file_contents::text("text", bytes.to_vec()).err()?;
    let first = report.diagnostics.first()?;
    Some((first.line, first.col))
}

/// A path without `.` and without `folder/..`.
#[cfg(feature = "files")]
pub fn normalized(path: &std::path::Path) -> std::path::PathBuf {
    crate::files::normalized(path)
}
