//! `cargo xtask revision`: the files and rows of this repository that a new table needs, with what is true of a copy of its base.

mod copies;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;
use speclex_codegen::{closest, escape};
use speclex_tables::Table;

use crate::output::Generated;
use crate::source::Spec;
use crate::{Failure, Home, generate, terminal};

const HELP: &str = "\
The table says only what it extends: it is a copy of its base. It gets a module and a feature, and where the
repository has rows, test plans and a suite of its base it gets the same. The command says what is left to do;
docs/adding-a-revision.md says more.

Examples:
  cargo xtask revision html-2027-01 --extends html-living --title 'HTML, 9 January 2027'
      Make a table of a tokenizer
  cargo xtask revision html-tree-2027-01 --extends html-tree-living --tokenizer html-2027-01
      Make one of tree construction, beside it

Exit codes:
  0  done
  2  the name is taken or is none, there is no such base, or a file could not be read or written";

/// Make a table for a new revision of a standard, and all that the repository has for one
#[derive(Debug, Parser)]
#[command(name = "cargo xtask revision", bin_name = "cargo xtask revision", after_help = HELP)]
struct Revision {
    /// The name of the new table: lowercase letters, digits and `-`
    name: String,
    /// The table that it starts from, of a tokenizer or of tree construction
    #[arg(long, value_name = "OLD")]
    extends: String,
    /// What it is called in lists and reports; its name otherwise
    #[arg(long)]
    title: Option<String>,
    /// The file with its text, in ../shared/specs; NAME.txt otherwise
    #[arg(long, value_name = "FILE")]
    text: Option<String>,
    /// Of tree construction: the table of the tokenizer; that of OLD otherwise
    #[arg(long, value_name = "TABLE")]
    tokenizer: Option<String>,
}

/// Runs the command of these arguments; the first is the name of the program.
pub fn new_revision(home: &Home, arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let wanted = match Revision::try_parse_from(arguments) {
        Ok(wanted) => wanted,
        Err(refusal) => {
            // Help is no error.
            let code = if refusal.use_stderr() { 2 } else { 0 };
            let _ = refusal.print();
            return ExitCode::from(code);
        }
    };
    crate::exit(wanted.make(home))
}

fn other<T>(why: String) -> Result<T, Failure> {
    Err(Failure::Other(why))
}

/// The table with this name, or which one may be meant.
fn known(name: &str, tables: &[&'static Table]) -> Result<&'static Table, Failure> {
    if let Some(table) = tables.iter().find(|table| table.name == name) {
        return Ok(table);
    }
    let names = || tables.iter().map(|table| table.name);
    let help = match closest(name, names()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
    };
    other(format!(
        "there is no table `{}`; {help}",
        escape::line(name)
    ))
}

impl Revision {
    fn make(&self, home: &Home) -> Result<ExitCode, Failure> {
        let Some(root) = &home.repository else {
            return other(
                "this is about Speclex's repository: run `cargo xtask revision` in it".to_owned(),
            );
        };
        let tokenizers: Vec<_> = speclex_tables::all().iter().collect();
        let trees: Vec<_> = speclex_tables::trees().iter().collect();
        let base = known(&self.extends, &[&tokenizers[..], &trees].concat())?;
        let is_tree = trees.contains(&base);
        self.check_name(root, base, is_tree)?;
        let tokenizer = match (is_tree, &self.tokenizer) {
            (false, Some(_)) => {
                return other(format!(
                    "{} is a table of a tokenizer: it has no `--tokenizer`",
                    base.name
                ));
            }
            (true, Some(name)) => Some(known(name, &tokenizers)?.name.to_owned()),
            (_, None) => speclex_codegen::tree::tokenizer(base.text),
        };

        let file = format!("{}.yaml", self.name);
        let mut files = vec![Generated {
            path: root.join("spec-tables").join(&file),
            contents: self.table(base, tokenizer.as_deref())?,
        }];
        // It lives as long as the program, as those that are part of it do.
        let table = Box::leak(Box::new(Table {
            name: self.name.clone().leak(),
            file: file.leak(),
            text: files[0].contents.clone().leak(),
        }));
        files.extend(generate::repository(home, root, Some(&*table))?);
        let base_title = match is_tree {
            true => String::new(),
            false => Spec::Shipped(base).load()?.machine.title,
        };
        let about = if is_tree {
            copies::TREE
        } else {
            copies::TOKENIZER
        };
        for it in about {
            let path = root.join(it.file);
            let position = files.iter().position(|file| file.path == path);
            let mut file = match position {
                Some(position) => files.remove(position),
                None => Generated {
                    contents: read(&path)?,
                    path,
                },
            };
            let names = [base.name, &self.name];
            file.contents = it.copied(&file.contents, names, |rest| self.said(&base_title, rest));
            files.push(file);
        }
        let suite = |name: &str| root.join(format!("tests/suites/{name}.test"));
        if !is_tree {
            files.push(Generated {
                path: suite(&self.name),
                contents: read(&suite(base.name))?,
            });
        }
        let left_over = generate::left_over(root, &files)?;
        generate::report(&files, &left_over, false, "")?;
        terminal::print(self.what_is_left(base, is_tree))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Faults of the name, before anything is made.
    fn check_name(&self, root: &Path, base: &Table, is_tree: bool) -> Result<(), Failure> {
        let name = &self.name;
        let is_part = |part: &str| {
            !part.is_empty()
                && part
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        // Modules and features have it, too: `mod` and `default` are taken.
        let is_name = name.split('-').all(is_part)
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.contains(|c: char| c.is_ascii_digit() || c == '-')
            && !name.starts_with("references-");
        if !is_name {
            return other(format!(
                "`{}` is no name for a table: it has lowercase letters, digits and `-`, such as `html-2026-10`",
                escape::line(name)
            ));
        }
        if root.join(format!("spec-tables/{name}.yaml")).exists() {
            return other(format!(
                "there is a table `{name}` already: spec-tables/{name}.yaml"
            ));
        }
        let kinds = ["a tokenizer", "tree construction"];
        let says = name.split('-').any(|part| part == "tree");
        if says != is_tree {
            return other(format!(
                "{} is a table of {}, and `{name}` is a name for one of {}: those have `tree` in their names",
                base.name,
                kinds[usize::from(is_tree)],
                kinds[usize::from(says)],
            ));
        }
        Ok(())
    }

    fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.name)
    }

    fn text(&self) -> String {
        self.text
            .clone()
            .unwrap_or_else(|| format!("{}.txt", self.name))
    }

    /// The table, without any arm.
    fn table(&self, base: &Table, tokenizer: Option<&str>) -> Result<String, Failure> {
        let quoted = |text: &str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || " ,./_-".contains(c);
            match text.chars().any(char::is_control) {
                true => other(format!("`{}` does not fit in a line", escape::line(text))),
                false if text.chars().all(is_plain) && text.starts_with(char::is_alphabetic) => {
                    Ok(text.to_owned())
                }
                false => Ok(format!("'{}'", text.replace('\'', "''"))),
            }
        };
        let (title, text, base) = (quoted(self.title())?, quoted(&self.text())?, base.name);
        let (begins, ends) = match tokenizer {
            None => (
                "# yaml-language-server: $schema=schema.json\ntable",
                String::new(),
            ),
            Some(tokenizer) => ("tree", format!("tokenizer: {tokenizer}\n")),
        };
        Ok(format!(
            "{begins}: {}\ntitle: {title}\nsource: >-\n  Not written yet: the sections, their day, and what differs from {base}\n\
             text: {{file: {text}}}\nextends: {base}\n{ends}",
            self.name
        ))
    }

    /// What follows the name in a line about the new table: its own title and text, if these stand there.
    fn said(&self, base_title: &str, rest: &str) -> Option<String> {
        // The trees of a table of XML are those of its own tree construction.
        if rest.contains(", trees |") && rest.starts_with(" xml") {
            return None;
        }
        if let Some(rest) = rest.strip_prefix(&format!(" {base_title} |")) {
            return Some(format!(" {} |{rest}", self.title()));
        }
        // "html-2012 against html-2012.txt (prose): …"
        match rest.split_once(' ') {
            Some((text, form)) if text.contains('.') && form.starts_with('(') => {
                Some(format!("{} {form}", self.text()))
            }
            _ => Some(rest.to_owned()),
        }
    }

    fn what_is_left(&self, base: &Table, is_tree: bool) -> String {
        let (name, old, text) = (&self.name, base.name, self.text());
        let diff = format!("cargo xtask diff {old} {name} --format markdown");
        let page = format!("docs/diffs/{old}--{name}.md");
        let mut steps = vec![
            format!("Save its text as ../shared/specs/{text}."),
            format!(
                "In spec-tables/{name}.yaml write `source` and what differs from {old}, until `cargo xtask check spec-tables/{name}.yaml` \
                 reports no error; then `cargo xtask gen`."
            ),
        ];
        if is_tree {
            steps.push(format!(
                "`{diff} > {page}`, and its row in tests/tests/tree/compared.rs."
            ));
            steps.push(
                "`cargo test -p speclex-tests --test tree` says which rows of tests/tests/tree/html.rs and tests/tree-construction/ \
                 do not hold for it; docs/conformance.md has them, too."
                    .to_owned(),
            );
        } else {
            steps.push(format!("`cargo xtask audit --spec {name} --text ../shared/specs/{text}`, and its last line to docs/conformance.md."));
            steps.push(format!(
                "`cargo xtask cover --spec {name}`, and what it counts to docs/conformance.md."
            ));
            steps.push(format!("`{diff} --texts ../shared/specs > {page}`, and its row in tests/tests/diff/shipped.rs."));
            steps.push(format!(
                "A state that reads otherwise to docs/how-tables-read.md, under `{name}`."
            ));
            if name.starts_with("html") {
                steps.push("A variant of `Revision` in html5ever/src/revision.rs, its module in engine.rs, its feature in html5ever/Cargo.toml \
                            and html5ever-patch/Cargo.toml, and its row in html5ever/tests/conformance/main.rs."
                    .to_owned());
            }
        }
        steps.push("`UPDATE_EXPECT=1 cargo test -p speclex-codegen`, `TRYBUILD=overwrite cargo test -p speclex-ui-tests`, \
                    CHANGELOG.md, `cargo xtask test`."
            .to_owned());
        let mut text = "\nIt is a copy of its base so far. What is left:\n".to_owned();
        for (step, number) in steps.iter().zip(1..) {
            text += &format!("{number}. {step}\n");
        }
        text
    }
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(Failure::io("cannot read", path))
}
