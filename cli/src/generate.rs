//! `gen`: tables to Rust modules.

mod features;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use proc_macro2::TokenStream;
use speclex_codegen::emit::{self, Paths};
use speclex_codegen::files::{FoundTree, what_it_is};
use speclex_codegen::statistics::tree_header;
use speclex_codegen::{Either, escape, machine::Machine};
use speclex_tables::Table;

use crate::args::Gen;
use crate::output::{Generated, header};
use crate::source::Spec;
use crate::terminal::{self, count};
use crate::tree_source::{self, TreeSpec};
use crate::write::{Fate, Staged, ensure, is_foreign, keep};
use crate::{Failure, Home, output};

/// Generates; with `--check` only says what is stale, and the command that writes it.
pub(crate) fn run(home: &Home, args: &Gen, again: &str) -> Result<ExitCode, Failure> {
    let words: Vec<_> = args.specs.iter().chain(&args.files).collect();
    let (files, left_over) = match (&home.repository, words.is_empty(), &args.out) {
        (Some(root), true, None) => {
            let files = repository(home, root, None)?;
            let left_over = left_over(root, &files)?;
            (files, left_over)
        }
        (None, true, _) => {
            return Err(Failure::Other(
                "which table? Name one: `speclex gen tables/my.yaml --out src`".to_owned(),
            ));
        }
        (root, all, out) => {
            let specs = if all {
                speclex_tables::all().iter().map(Spec::Shipped).collect()
            } else {
                words
                    .iter()
                    .map(|word| tree_source::parse(word))
                    .collect::<Result<Vec<_>, _>>()?
            };
            match (root, out) {
                (Some(root), None) if specs.iter().all(|s| matches!(s, Spec::Shipped(_))) => {
                    let wanted: Vec<_> = specs.iter().map(output::module_file).collect();
                    let is_wanted = |path: &Path| {
                        let name = path.file_name();
                        name.is_some_and(|name| wanted.iter().any(|it| name == it.as_str()))
                    };
                    let mut files = repository(home, root, None)?;
                    let mut left_over = left_over(root, &files)?;
                    files.retain(|file| is_wanted(&file.path));
                    left_over.retain(|path| is_wanted(path));
                    (files, left_over)
                }
                (_, out) => {
                    let out = out.as_deref().unwrap_or(Path::new("."));
                    (alone(home, &specs, out)?, Vec::new())
                }
            }
        }
    };
    // Only files are replaced; a pipe would be written to when somebody reads it.
    for file in &files {
        if let Some(other) = fs::metadata(&file.path).ok().as_ref().and_then(what_it_is) {
            let error = io::Error::new(io::ErrorKind::InvalidInput, other);
            return Err(Failure::io("cannot write", &file.path)(error));
        }
    }
    let mut foreign = Vec::new();
    for file in files.iter().filter(|_| !args.force) {
        if is_foreign(&file.path, |found| file.is_ours(found))? {
            foreign.push(file.path.as_path());
        }
    }
    if !foreign.is_empty() {
        let why = "was not generated: its first line does not say so";
        return Ok(keep(&foreign, why));
    }
    report(&files, &left_over, args.check, again)
}

/// Generated modules of the repository that are not generated any more: a table was renamed, removed, or its module is in the other
/// crate now.
pub(crate) fn left_over(root: &Path, files: &[Generated]) -> Result<Vec<PathBuf>, Failure> {
    let mut found = Vec::new();
    for folder in [Crate::Runtime, Crate::Tokenizers].map(|place| place.folder(root)) {
        let entries = match fs::read_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            entries => entries.map_err(Failure::io("cannot read", &folder))?,
        };
        for entry in entries {
            let path = entry.map_err(Failure::io("cannot read", &folder))?.path();
            let is_known = files.iter().any(|file| file.path == path);
            if !is_known && path.is_file() && !is_foreign(&path, emit::is_generated)? {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Writes the files and removes those that are left over, or says which these are.
pub(crate) fn report(
    files: &[Generated],
    left_over: &[PathBuf],
    check: bool,
    again: &str,
) -> Result<ExitCode, Failure> {
    let mut stale = 0;
    let mut staged = Vec::new();
    for file in files {
        if ensure(&file.path, &file.contents, true)? == Fate::Stale {
            stale += 1;
            if check {
                let path = escape::line(&file.path.display().to_string());
                terminal::line(format_args!("stale {path}"))?;
            } else {
                staged.push(Staged::new(&file.path, &file.contents)?);
            }
        }
    }
    // All of them are whole before the first is in its place.
    for file in staged {
        let path = file.place()?;
        let path = escape::line(&path.display().to_string());
        terminal::line(format_args!("wrote {path}"))?;
    }
    for path in left_over {
        let shown = escape::line(&path.display().to_string());
        if check {
            terminal::line(format_args!("left over {shown}"))?;
        } else {
            fs::remove_file(path).map_err(Failure::io("cannot remove", path))?;
            terminal::line(format_args!("removed {shown}"))?;
        }
    }
    let fresh = files.len() - stale;
    match (stale + left_over.len(), check) {
        (0, _) => terminal::line(format_args!("{}, up to date", count(fresh, "file")))?,
        (_, false) => {
            let removed = match left_over.len() {
                0 => String::new(),
                removed => format!(", {removed} removed"),
            };
            let written = count(stale, "file");
            terminal::line(format_args!(
                "{written} written{removed}, {fresh} up to date"
            ))?;
        }
        (_, true) => {
            let of_how_many = count(files.len(), "file");
            let left_over = match left_over.len() {
                0 => String::new(),
                left_over => format!(", and {} left over", count(left_over, "file")),
            };
            terminal::note(format_args!(
                "stale: {stale} of {of_how_many}{left_over}; run `{again}`"
            ));
            return Ok(ExitCode::from(1));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The modules of tables by themselves. A table may be named twice. That of tree construction has its tokenizer inside.
fn alone(home: &Home, specs: &[Spec], out: &Path) -> Result<Vec<Generated>, Failure> {
    let mut files: Vec<Generated> = Vec::new();
    for spec in specs {
        let found = tree_source::of(spec)?;
        let header = found.header(&output::command(home, spec));
        let items = found.module(&Paths::default()).map_err(Failure::Other)?;
        let contents = match found {
            Either::States(_) => output::source(items, &header)?,
            Either::Tree(_) => tree_module(items, &header)?,
        };
        let file = Generated {
            path: out.join(output::module_file(spec)),
            contents,
        };
        match files.iter().find(|other| other.path == file.path) {
            None => files.push(file),
            Some(same) if same.contents == file.contents => {}
            Some(_) => {
                let path = escape::line(&file.path.display().to_string());
                return Err(Failure::Other(format!(
                    "two tables would be written to {path}: generate them into different folders"
                )));
            }
        }
    }
    Ok(files)
}

/// A crate that generated modules are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Crate {
    /// `speclex`: what `speclex::parse` is made of.
    Runtime,
    /// `speclex-tokenizers`: all others. It exports those of the runtime, too.
    Tokenizers,
}

impl Crate {
    /// That of a table's module.
    fn of(table: &Table) -> Self {
        match Parser::of(table) {
            Some(_) => Self::Runtime,
            None => Self::Tokenizers,
        }
    }

    fn folder(self, root: &Path) -> PathBuf {
        root.join(match self {
            Self::Runtime => "runtime/src/generated",
            Self::Tokenizers => "tokenizers/src/generated",
        })
    }

    /// The path of the runtime in it.
    fn runtime(self) -> TokenStream {
        match self {
            Self::Runtime => tokens("crate"),
            Self::Tokenizers => Paths::default().runtime,
        }
    }
}

/// A parser of the runtime, over the modules of two tables.
struct Parser {
    /// The table of tree construction.
    tree: &'static str,
    /// The feature that turns it on; with `-tokenizer` that of its tokenizer.
    feature: &'static str,
    /// What the builder's module is called in the runtime, and the constant with its revision.
    names: [&'static str; 2],
    /// The documentation of that.
    doc: &'static str,
}

/// All of them.
const PARSERS: [Parser; 2] = [
    Parser {
        tree: speclex_tables::PARSED,
        feature: "parse",
        names: ["parsed", "HTML_REVISION"],
        doc: " The revision of HTML that [`parse`](crate::parse) follows, by its rules of tree construction.",
    },
    Parser {
        tree: speclex_tables::PARSED_XML,
        feature: "xml",
        names: ["parsed_xml", "XML_REVISION"],
        doc: " The draft that [`xml::parse`](crate::xml::parse) follows.",
    },
];

impl Parser {
    /// The one that is over a table.
    fn of(table: &Table) -> Option<&'static Self> {
        PARSERS.iter().find(|parser| {
            let tree = speclex_tables::tree(parser.tree);
            let tokenizer = tree.and_then(|tree| speclex_codegen::tree::tokenizer(tree.text));
            parser.tree == table.name || tokenizer.as_deref() == Some(table.name)
        })
    }
}

fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

/// A module of a table.
struct Module {
    /// The table's name, and that of its feature of `speclex-tokenizers`.
    table: &'static str,
    title: String,
    place: Crate,
    parser: Option<&'static Parser>,
    /// The features that its feature turns on.
    needs: Vec<String>,
}

/// Everything generated that this repository has checked in, or will have with another table.
pub(crate) fn repository(
    home: &Home,
    root: &Path,
    added: Option<&'static Table>,
) -> Result<Vec<Generated>, Failure> {
    let with_added = |shipped: &'static [Table], are_trees: bool| {
        let added = added.filter(|it| speclex_codegen::tree::is_tree(it.text) == are_trees);
        let mut tables: Vec<&Table> = shipped.iter().chain(added).collect();
        tables.sort_by_key(|table| table.name);
        tables
    };
    has_all(root)?;
    let mut files = vec![vocabulary(root)?];
    let mut tables = Vec::new();
    for table in with_added(speclex_tables::all(), false) {
        tables.push((table, Spec::Shipped(table).load()?));
    }
    let mut references = References::default();
    for (table, loaded) in &tables {
        references.add(&loaded.machine, Crate::of(table));
    }
    files.extend(references.files(root)?);
    let mut modules = Vec::new();
    for (table, loaded) in &tables {
        let (spec, place) = (Spec::Shipped(table), Crate::of(table));
        let paths = Paths {
            references: references.path(&loaded.machine),
            runtime: place.runtime(),
        };
        let items = emit::module(&loaded.machine, &paths);
        files.push(Generated {
            path: place.folder(root).join(output::module_file(&spec)),
            contents: output::source(items, &header(home, &spec, loaded))?,
        });
        modules.push(Module {
            table: table.name,
            title: loaded.machine.title.clone(),
            place,
            parser: Parser::of(table),
            needs: match Parser::of(table) {
                Some(parser) => vec![format!("speclex/{}-tokenizer", parser.feature)],
                None if references.are_in_runtime(&loaded.machine) => {
                    vec!["speclex/parse-references".to_owned()]
                }
                None => Vec::new(),
            },
        });
    }
    let mut trees = Vec::new();
    for table in with_added(speclex_tables::trees(), true) {
        let (spec, place) = (TreeSpec(Spec::Shipped(table)), Crate::of(table));
        let FoundTree {
            tree: loaded,
            tokenizer,
            ..
        } = spec.load()?;
        // Its tokenizer is a module beside it.
        let items = speclex_codegen::tree::emit::module(&loaded.machine, None, &place.runtime());
        let items = items.map_err(|faults| Failure::Other(faults.join("; ")))?;
        let contents = tree_module(items, &tree_header(&loaded, "cargo xtask gen"))?;
        files.push(Generated {
            path: place.folder(root).join(output::module_file(&spec.0)),
            contents,
        });
        trees.push(Module {
            table: table.name,
            title: loaded.machine.title,
            place,
            parser: Parser::of(table),
            needs: vec![
                tokenizer.machine.name,
                format!(
                    "speclex/{}",
                    Parser::of(table).map_or("trees", |it| it.feature)
                ),
            ],
        });
    }
    for (place, text) in [
        (Crate::Runtime, runtime_list(&modules, &trees, &references)),
        (Crate::Tokenizers, list(&modules, &trees, &references)),
    ] {
        files.push(Generated {
            path: place.folder(root).join("mod.rs"),
            contents: list_file(&text)?,
        });
    }
    files.push(features::manifest(root, &modules, &trees)?);
    files.push(Generated {
        path: root.join("spec-tables/schema.json"),
        contents: speclex_codegen::schema(),
    });
    Ok(files)
}

/// Tables are part of the program: one that was built before a table came would remove its module.
fn has_all(root: &Path) -> Result<(), Failure> {
    let folder = root.join("spec-tables");
    let Ok(entries) = fs::read_dir(&folder) else {
        return Ok(());
    };
    for entry in entries {
        let path = entry.map_err(Failure::io("cannot read", &folder))?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let is_known = speclex_tables::get(&name)
            .or(speclex_tables::tree(&name))
            .is_some();
        if path.extension().is_some_and(|it| it == "yaml") && !is_known {
            let name = escape::line(&name);
            return Err(Failure::Other(format!(
                "this program was built without the table {name}: run it by `cargo xtask`, which builds it anew"
            )));
        }
    }
    Ok(())
}

/// The text of a module of tree construction. It has warnings of Clippy only, about style, which it allows for itself.
fn tree_module(items: TokenStream, header: &[String]) -> Result<String, Failure> {
    let mut module = tokens("#![allow(clippy::all)]");
    module.extend(items);
    output::source(module, header)
}

/// The shared vocabulary's items, in the runtime.
fn vocabulary(root: &Path) -> Result<Generated, Failure> {
    let vocabulary = speclex_codegen::vocabulary::markup();
    let items = emit::vocabulary_module(&vocabulary, &Crate::Runtime.runtime());
    let header =
        ["@generated by `cargo xtask gen` from the markup vocabulary. Do not edit.".to_owned()];
    Ok(Generated {
        path: root.join("runtime/src/markup/generated.rs"),
        contents: output::source(items, &header)?,
    })
}

/// The tables of named character references that several machines share, in the order of the first machines that have them.
#[derive(Default)]
struct References<'m>(Vec<Shared<'m>>);

/// A module with references, and the machines that use it.
struct Shared<'m> {
    module: String,
    names: &'m [(String, String)],
    place: Crate,
    machines: Vec<(&'m Machine, Crate)>,
}

impl<'m> References<'m> {
    /// Adds those of a machine. What one in the runtime needs is in the runtime.
    fn add(&mut self, machine: &'m Machine, place: Crate) {
        let names = machine.references.as_slice();
        if names.is_empty() {
            return;
        }
        match self.0.iter_mut().find(|shared| shared.names == names) {
            Some(shared) => {
                shared.machines.push((machine, place));
                if place == Crate::Runtime {
                    shared.place = place;
                }
            }
            None => self.0.push(Shared {
                // Named after the first table that has it.
                module: format!("references_{}", output::module_name(&machine.name)),
                names,
                place,
                machines: vec![(machine, place)],
            }),
        }
    }

    fn of(&self, machine: &Machine) -> Option<&Shared<'m>> {
        self.0.iter().find(|it| it.names == machine.references)
    }

    /// Those of a machine, as a module beside them names them.
    fn path(&self, machine: &Machine) -> Option<TokenStream> {
        let module = &self.of(machine)?.module;
        Some(tokens(&format!("super::{module}::REFERENCES")))
    }

    fn are_in_runtime(&self, machine: &Machine) -> bool {
        self.of(machine)
            .is_some_and(|it| it.place == Crate::Runtime)
    }

    fn files(&self, root: &Path) -> Result<Vec<Generated>, Failure> {
        let files = self.0.iter().map(|shared| {
            let visibility = tokens(match shared.place {
                Crate::Runtime => "pub",
                Crate::Tokenizers => "pub(crate)",
            });
            let (machine, _) = shared.machines[0];
            let items = emit::references_module(machine, &shared.place.runtime(), &visibility);
            let header = [
                "@generated by `cargo xtask gen` from a table's named character references. Do not edit.".to_owned(),
                format!("{} names.", shared.names.len()),
            ];
            let name = format!("{}.rs", shared.module);
            Ok(Generated {
                path: shared.place.folder(root).join(name),
                contents: output::source(items, &header)?,
            })
        });
        files.collect()
    }
}

/// The list of the runtime's modules. Their features are named after what they are for, so that another table changes none.
fn runtime_list(modules: &[Module], trees: &[Module], references: &References<'_>) -> String {
    let mut text = String::new();
    for Shared { module, .. } in references.0.iter().filter(|it| it.place == Crate::Runtime) {
        text += "/// Named character references.\n";
        text += &format!("#[cfg(any(test, feature = \"parse-references\"))]\npub mod {module};\n");
    }
    let in_runtime = |module: &Module| {
        let name = output::module_name(module.table);
        Some((name, format!(" {}.", module.title), module.parser?))
    };
    for (module, doc, parser) in modules.iter().filter_map(in_runtime) {
        let feature = format!("{}-tokenizer", parser.feature);
        let is_tested = parser.tree == speclex_tables::PARSED;
        let used = match is_tested {
            true => format!("any(test, feature = {feature:?})"),
            false => format!("feature = {feature:?}"),
        };
        // Other crates must expect variants that a vocabulary has later; its own knows all.
        text += &format!(
            "#[doc = {doc:?}]\n#[cfg({used})]\n#[allow(unreachable_patterns)]\npub mod {module};\n"
        );
        if is_tested {
            text += &format!("#[cfg(test)]\npub(crate) use {module} as tokenizer;\n");
        }
    }
    for (module, doc, parser) in trees.iter().filter_map(in_runtime) {
        let Parser {
            feature,
            names: [parsed, revision],
            doc: of_revision,
            ..
        } = parser;
        let title = doc.trim().trim_end_matches('.');
        text += &format!(
            "#[doc = {doc:?}]\n#[cfg(feature = {feature:?})]\npub mod {module};\n\
             #[cfg(feature = {feature:?})]\npub(crate) use {module} as {parsed};\n\
             #[doc = {of_revision:?}]\n#[cfg(feature = {feature:?})]\npub const {revision}: &str = {title:?};\n"
        );
    }
    text
}

/// The list of all modules.
fn list(modules: &[Module], trees: &[Module], references: &References<'_>) -> String {
    let mut text = String::new();
    for shared in &references.0 {
        let machines = shared.machines.iter();
        // Those in the runtime find them there.
        let features: Vec<_> = machines
            .filter(|(_, place)| *place == Crate::Tokenizers)
            .map(|(machine, _)| format!("feature = {:?}", machine.name))
            .collect();
        let used = match &features[..] {
            [feature] => feature.clone(),
            _ => format!("any({})", features.join(", ")),
        };
        let item = match shared.place {
            Crate::Tokenizers => "mod ",
            Crate::Runtime => "use ::speclex::generated::",
        };
        text += &format!("#[cfg({used})]\n{item}{};\n", shared.module);
    }
    let mut module = |module: &Module| {
        let Module {
            table,
            title,
            place,
            ..
        } = module;
        let name = output::module_name(table);
        // The compiler shows this line where the module is used without its feature.
        let doc =
            format!(" {title}; `cargo add speclex-tokenizers --features {table}` turns it on.");
        text += &format!("#[cfg(feature = {table:?})]\n#[doc = {doc:?}]\npub mod {name}");
        text += &match place {
            Crate::Tokenizers => ";\n".to_owned(),
            Crate::Runtime => {
                format!(" {{ #[doc(inline)] pub use ::speclex::generated::{name}::*; }}\n")
            }
        };
        format!("{table:?} => {name},")
    };
    let rows: String = modules.iter().map(&mut module).collect();
    let tree_rows: String = trees.iter().map(&mut module).collect();
    for (what, feature, name, rows) in [
        ("tokenizer", "all-tokenizers", "for_each_revision", rows),
        ("tree builder", "all", "for_each_tree", tree_rows),
    ] {
        text += &format!(
            "/// Calls a macro with the name and the module of every {what}; the feature `{feature}` must be on.\n\
             #[macro_export]\nmacro_rules! {name} {{ ($callback:ident) => {{ $callback! {{ {rows} }} }}; }}\n"
        );
    }
    text
}

/// The file of a list of modules.
fn list_file(text: &str) -> Result<String, Failure> {
    let header =
        ["@generated by `cargo xtask gen` from the list of tables. Do not edit.".to_owned()];
    let items = text
        .parse()
        .map_err(|e| Failure::Other(format!("the list of modules: {e}")))?;
    output::source(items, &header)
}
