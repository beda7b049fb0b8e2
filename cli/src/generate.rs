//! `gen`: tables to Rust modules.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use speclex_codegen::emit::{self, Paths};
use speclex_codegen::tree::LoadedTree;
use speclex_codegen::{Loaded, escape, machine::Machine};

use crate::args::Gen;
use crate::output::{Generated, header};
use crate::source::Spec;
use crate::terminal::{self, count};
use crate::tree_source::TreeSpec;
use crate::write::{Fate, Staged, ensure, is_foreign, keep};
use crate::{Failure, Home, output};

/// Generates; with `--check` only says what is stale, and the command that writes it.
pub(crate) fn run(home: &Home, args: &Gen, again: &str) -> Result<ExitCode, Failure> {
    let words: Vec<_> = args.specs.iter().chain(&args.files).collect();
    let files = match (&home.repository, words.is_empty(), &args.out) {
        (Some(root), true, None) => repository(home, root)?,
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
                    .map(|word| Spec::parse(word))
                    .collect::<Result<Vec<_>, _>>()?
            };
            match (root, out) {
                (Some(root), None) if specs.iter().all(|s| matches!(s, Spec::Shipped(_))) => {
                    let wanted: Vec<_> = specs.iter().map(output::module_file).collect();
                    let mut files = repository(home, root)?;
                    files.retain(|f| {
                        f.path
                            .file_name()
                            .is_some_and(|n| wanted.iter().any(|w| n == w.as_str()))
                    });
                    files
                }
                (_, out) => alone(home, &specs, out.as_deref().unwrap_or(Path::new(".")))?,
            }
        }
    };
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
    report(&files, args.check, again)
}

/// Writes the files, or says which are stale.
fn report(files: &[Generated], check: bool, again: &str) -> Result<ExitCode, Failure> {
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
    let fresh = files.len() - stale;
    match (stale, check) {
        (0, _) => terminal::line(format_args!("{}, up to date", count(fresh, "file")))?,
        (_, false) => terminal::line(format_args!(
            "{} written, {fresh} up to date",
            count(stale, "file")
        ))?,
        (_, true) => {
            terminal::note(format_args!(
                "stale: {stale} of {}; run `{again}`",
                count(files.len(), "file")
            ));
            return Ok(ExitCode::from(1));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The modules of tables by themselves. A table may be named twice.
fn alone(home: &Home, specs: &[Spec], out: &Path) -> Result<Vec<Generated>, Failure> {
    let mut files: Vec<Generated> = Vec::new();
    for spec in specs {
        let loaded = spec.load()?;
        let items = emit::module(&loaded.machine, &Paths::default());
        let file = Generated {
            path: out.join(output::module_file(spec)),
            contents: output::source(items, &header(home, spec, &loaded))?,
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

/// Everything generated that this repository has checked in.
fn repository(home: &Home, root: &Path) -> Result<Vec<Generated>, Failure> {
    let out = root.join("tokenizers/src/generated");
    let mut files = vec![vocabulary(root)?];
    let mut references = References::default();
    let mut modules = Vec::new();
    for table in speclex_tables::all() {
        let spec = Spec::Shipped(table);
        let loaded = spec.load()?;
        let paths = Paths {
            references: references.path(&loaded.machine, &out)?,
            ..Paths::default()
        };
        let items = emit::module(&loaded.machine, &paths);
        files.push(Generated {
            path: out.join(output::module_file(&spec)),
            contents: output::source(items, &header(home, &spec, &loaded))?,
        });
        modules.push((table.name, loaded));
    }
    files.extend(references.files);
    let mut trees = Vec::new();
    for table in speclex_tables::trees() {
        let spec = TreeSpec(Spec::Shipped(table));
        let loaded = spec.load()?.tree;
        // Without a dispatcher it is a tree of XML, whose references to entities no builder takes.
        if loaded.machine.dispatcher.is_none() {
            continue;
        }
        let contents = tree_module(&loaded, "cargo xtask gen")?;
        files.push(Generated {
            path: out.join(output::module_file(&spec.0)),
            contents,
        });
        trees.push((table.name, loaded));
    }
    files.push(Generated {
        path: out.join("mod.rs"),
        contents: list(&modules, &trees, &references.modules)?,
    });
    files.push(Generated {
        path: root.join("spec-tables/schema.json"),
        contents: speclex_codegen::schema(),
    });
    Ok(files)
}

/// The module of a tree construction table.
fn tree_module(loaded: &LoadedTree, command: &str) -> Result<String, Failure> {
    let machine = &loaded.machine;
    let runtime = Paths::default().runtime;
    let items = speclex_codegen::tree::emit::module(machine, &runtime).map_err(|faults| {
        let faults = faults.join("; ");
        Failure::Other(format!(
            "no builder can be generated from the table {}: {faults}",
            machine.name
        ))
    })?;
    let header = [
        format!("@generated by `{command}`. Do not edit: change the table and run it again."),
        format!("Table: {} ({}).", machine.name, machine.title),
        format!(
            "{} insertion modes, {} arms, {} procedures and other bodies.",
            loaded.insertion_modes,
            loaded.arms,
            machine.bodies.len() - loaded.arms.min(machine.bodies.len())
        ),
    ];
    output::source(items, &header)
}

/// The shared vocabulary's items, in the runtime.
fn vocabulary(root: &Path) -> Result<Generated, Failure> {
    let vocabulary = speclex_codegen::vocabulary::markup();
    let items = emit::vocabulary_module(&vocabulary, &"crate".parse().unwrap_or_default());
    let header =
        ["@generated by `cargo xtask gen` from the markup vocabulary. Do not edit.".to_owned()];
    Ok(Generated {
        path: root.join("runtime/src/markup/generated.rs"),
        contents: output::source(items, &header)?,
    })
}

/// The modules with tables of named character references that several machines share.
#[derive(Default)]
struct References {
    /// Which of the modules is for a table, by its contents.
    known: BTreeMap<Vec<(String, String)>, usize>,
    modules: Vec<Shared>,
    files: Vec<Generated>,
}

/// A module and the machines that use it.
struct Shared {
    module: String,
    machines: Vec<String>,
}

impl References {
    fn path(
        &mut self,
        machine: &Machine,
        out: &Path,
    ) -> Result<Option<proc_macro2::TokenStream>, Failure> {
        if machine.references.is_empty() {
            return Ok(None);
        }
        if !self.known.contains_key(&machine.references) {
            // Named after the first table that has it.
            let module = format!("references_{}", output::module_name(&machine.name));
            let items = emit::references_module(machine, &Paths::default().runtime);
            let count = machine.references.len();
            let header = [
                "@generated by `cargo xtask gen` from a table's named character references. Do not edit.".to_owned(),
                format!("{count} names."),
            ];
            self.files.push(Generated {
                path: PathBuf::from(out).join(format!("{module}.rs")),
                contents: output::source(items, &header)?,
            });
            let index = self.modules.len();
            self.known.insert(machine.references.clone(), index);
            self.modules.push(Shared {
                module,
                machines: Vec::new(),
            });
        }
        let shared = &mut self.modules[self.known[&machine.references]];
        shared.machines.push(machine.name.clone());
        let module = &shared.module;
        Ok(format!("super::{module}::REFERENCES").parse().ok())
    }
}

/// The list of modules.
fn list(
    modules: &[(&str, Loaded)],
    trees: &[(&str, LoadedTree)],
    references: &[Shared],
) -> Result<String, Failure> {
    let mut text = String::new();
    for Shared { module, machines } in references {
        let features: Vec<_> = machines
            .iter()
            .map(|name| format!("feature = {name:?}"))
            .collect();
        let used = match &features[..] {
            [feature] => feature.clone(),
            _ => format!("any({})", features.join(", ")),
        };
        text += &format!("#[cfg({used})]\nmod {module};\n");
    }
    let mut rows = String::new();
    for (name, loaded) in modules {
        let module = output::module_name(name);
        text += &format!(
            "#[cfg(feature = {name:?})]\n#[doc = {:?}]\npub mod {module};\n",
            // The compiler shows this line where the module is used without its feature.
            format!(
                " {}; `cargo add speclex-tokenizers --features {name}` turns it on.",
                loaded.machine.title
            )
        );
        rows += &format!("{name:?} => {module},");
    }
    for (name, loaded) in trees {
        let module = output::module_name(name);
        let doc = format!(
            " {}; `cargo add speclex-tokenizers --features {name}` turns it on.",
            loaded.machine.title
        );
        text += &format!("#[cfg(feature = {name:?})]\n#[doc = {doc:?}]\npub mod {module};\n");
    }
    text += &format!(
        "/// Calls a macro with the name and the module of every revision; all features must be on.\n\
         #[macro_export]\nmacro_rules! for_each_revision {{ ($callback:ident) => {{ $callback! {{ {rows} }} }}; }}"
    );
    let header =
        ["@generated by `cargo xtask gen` from the list of tables. Do not edit.".to_owned()];
    let items = text
        .parse()
        .map_err(|e| Failure::Other(format!("the list of modules: {e}")))?;
    output::source(items, &header)
}
