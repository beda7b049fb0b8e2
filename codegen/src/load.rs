//! From text to machine: the passes in order.

use crate::check::{check, is_phrase};
use crate::diagnostic::{Code, Faults, Report, Source, Span};
use crate::errata::{Erratum, Terms, errata, remarks, text};
use crate::extend::{extend, refuse_changes};
use crate::lookups::{References, Resolve};
use crate::lower::{Lowered, lower};
use crate::machine::Machine;
use crate::read::{Node, RefusalKind, read};
use crate::verify::{check_checkpoints, emissions, verify};
use crate::written::{self, Reader, Table, Text, lacks_its_base};

/// A table that is free of faults.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What it lowers to.
    pub machine: Machine,
    /// Warnings only; perhaps none.
    pub warnings: Report,
    /// All texts that were read: the table first, then its bases.
    pub sources: Vec<Source>,
    /// The data files that were asked for, as the table names them.
    pub files: Vec<String>,
    /// Where the text is ambiguous or has a slip.
    pub errata: Vec<Erratum>,
    /// Sentences of the text that no table can hold: how they begin, and why.
    pub remarks: Vec<(String, String)>,
    /// The name of the text's file.
    pub text: Option<String>,
    /// Under which terms the text may be quoted.
    pub terms: Option<Terms>,
}

/// How many names each key of a table can declare: a test reads, checks and generates tables of this size in linear time.
const MOST_NAMES: usize = 20_000;

/// Loads a table: reads, extends, checks, lowers and verifies it. All faults are reported at once.
///
/// `resolve` finds the table that `extends` names, `references` the data file of the named character
/// references; this crate reads no files.
///
/// # Errors
///
/// A report of everything that is wrong.
pub fn load(
    source: Source,
    resolve: &Resolve<'_>,
    references: &References<'_>,
) -> Result<Loaded, Report> {
    let mut faults = Faults::default();
    let mut sources = vec![source];
    let language = Language {
        example: written::example,
        is_phrase,
        table: written::table,
        base: |table: &Table| table.extends.as_ref(),
        extend,
    };
    let table = language.read(&mut sources, resolve, &mut faults);
    let Some(table) = table else {
        return Err(faults.report(sources));
    };
    refuse_changes(&table, &mut faults);
    let at = table.at.unwrap_or_default();
    let is_whole = sources.len() > 1 || !table.entries.is_empty();
    if lacks_its_base(is_whole, at, &mut faults) {
        return Err(faults.report(sources));
    }
    for section in table.sections() {
        section.limit(MOST_NAMES, at, &mut faults);
    }
    let checked = check(&table, references, &mut faults);
    let lowered = lower(&checked, &mut faults);
    if !faults.any_error() {
        verify(&table, &checked, &lowered, &mut faults);
    }
    if faults.any_error() {
        return Err(faults.report(sources));
    }
    let emissions = emissions(&lowered);
    let Lowered {
        states,
        registers,
        entries,
        on_emit,
        conditions,
        hot,
        ..
    } = lowered;
    let machine = Machine {
        name: checked.name,
        title: checked.title,
        vocabulary: checked.vocabulary,
        errors: checked.errors,
        explanations: checked.explanations,
        registers,
        preprocessing: checked.preprocessing,
        references: checked.references,
        replacements: checked.replacements,
        states: states.into_iter().map(|state| state.strip()).collect(),
        entries,
        contents_after: checked.contents_after,
        on_emit,
        conditions,
        hot,
    };
    check_checkpoints(&machine, &emissions, &mut faults);
    let (text, terms) = text(&table);
    Ok(Loaded {
        machine,
        warnings: faults.report(sources.clone()),
        sources,
        files: table.references.iter().map(|f| f.text.clone()).collect(),
        errata: errata(&table),
        remarks: remarks(&table),
        text,
        terms,
    })
}

/// A language whose tables can extend others.
pub(crate) struct Language<T> {
    /// How a key could stand in a table.
    pub(crate) example: fn(&str) -> Option<&'static str>,
    pub(crate) is_phrase: fn(&str) -> bool,
    /// Reads a table.
    pub(crate) table: fn(&mut Reader<'_, '_>, &Node) -> T,
    /// What it extends.
    pub(crate) base: fn(&T) -> Option<&Text>,
    /// A base with the changes of a table.
    pub(crate) extend: fn(T, T, &mut Faults) -> T,
}

impl<T> Language<T> {
    /// Reads the table and its bases, and applies the changes from the deepest base up.
    pub(crate) fn read(
        &self,
        sources: &mut Vec<Source>,
        resolve: &Resolve<'_>,
        faults: &mut Faults,
    ) -> Option<T> {
        let mut tables: Vec<T> = Vec::new();
        loop {
            let number = tables.len();
            let source = &mut sources[number];
            // Editors hide a byte order mark and do not count a column for it.
            if source.text.starts_with('\u{FEFF}') {
                source.text.remove(0);
            }
            let number = u32::try_from(number).ok()?;
            let (node, source) = node(number, source, self.example, faults)?;
            let mut reader = Reader::new(&source, self.is_phrase, faults);
            let table = (self.table)(&mut reader, &node);
            if reader.is_out_of_place {
                return None;
            }
            let base = (self.base)(&table).cloned();
            tables.push(table);
            let Some(base) = base else { break };
            let Some(source) = resolve(&base.text) else {
                let message = format!("there is no table `{}` to extend", base.text);
                faults
                    .add(Code::UnknownBase, base.at, message)
                    .help("it is named as its file is, beside this table or as a relative path");
                return None;
            };
            if sources.iter().any(|s| s.name == source.name) {
                let message = format!("`{}` extends this table in turn", base.text);
                faults
                    .add(Code::CyclicBase, base.at, message)
                    .help("a table must not extend itself, directly or through its base");
                return None;
            }
            sources.push(source);
        }
        let mut table = tables.pop()?;
        while let Some(over) = tables.pop() {
            table = (self.extend)(table, over, faults);
        }
        Some(table)
    }
}

/// The nodes of a source, with the text that they are of; `None` when it cannot be read.
fn node(
    number: u32,
    source: &Source,
    example: fn(&str) -> Option<&'static str>,
    faults: &mut Faults,
) -> Option<(Node, Source)> {
    let reading = read(number, &source.text);
    for mut refusal in reading.refusals {
        if refusal.kind == RefusalKind::Yaml {
            let before = source.text.get(..refusal.offset).unwrap_or_default();
            let keys = before.lines().rev().filter_map(|line| line.split_once(':'));
            if let Some(example) = keys.filter_map(|(key, _)| example(key.trim())).next() {
                refusal
                    .help
                    .push_str(&format!("; for example: `{example}`"));
            }
        }
        let code = match refusal.kind {
            RefusalKind::Syntax | RefusalKind::Yaml => Code::YamlSyntax,
            RefusalKind::TooLarge => Code::TooLarge,
            RefusalKind::Comment => Code::HiddenInComment,
            RefusalKind::Invisible => Code::BadText,
        };
        let span = Span::in_text(number, refusal.offset, refusal.len);
        let hint = faults.add(code, span, refusal.message);
        hint.help(refusal.help);
    }
    let mut source = source.clone();
    if let Some(repaired) = reading.repaired {
        source.text.clone_from(&repaired);
        faults.repaired(number, repaired);
    }
    Some((reading.node?, source))
}
