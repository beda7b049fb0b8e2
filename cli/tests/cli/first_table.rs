//! Does what docs/your-first-table.md and docs/your-first-tree.md say, and compares what is printed.
//!
//! A block with `file=PATH` is saved there, one with `append=PATH` is added there, and one with `shows=PATH` is there already, from a
//! command; one of `diff` replaces lines of a file. A `console` block has commands
//! after `$`, each with its output, which may be left out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{cargo, run};

/// A fenced block: what stands after the fence, and its lines.
struct Block {
    info: String,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let text = lines.by_ref().take_while(|line| *line != "```");
            blocks.push(Block {
                info: info.to_owned(),
                text: text.map(|line| format!("{line}\n")).collect(),
            });
        }
    }
    blocks
}

/// Where the reader is.
struct Reader {
    folder: PathBuf,
    commands: usize,
}

impl Reader {
    fn save(&self, file: &str, text: &str) {
        let path = self.folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        fs::write(path, text).expect("a file");
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).expect("a file")
    }

    fn edit(&self, file: &str, change: &str) {
        let lines = |sign| -> String {
            let lines = change.lines().filter_map(|line| line.strip_prefix(sign));
            lines.flat_map(|line| [line, "\n"]).collect()
        };
        let (from, to) = (lines('-'), lines('+'));
        let text = self.read(file);
        assert_eq!(text.matches(&from).count(), 1, "{from}");
        self.save(file, &text.replace(&from, &to));
    }

    fn console(&mut self, text: &str) {
        for part in text.split("$ ").skip(1) {
            let (command, expected) = part.split_once('\n').expect("a line");
            let printed = self.run(command);
            if !expected.is_empty() {
                assert_eq!(printed, expected, "$ {command}");
            }
            self.commands += 1;
        }
    }

    /// Gives the crates in the clone the paths that other tests give them: cargo would build them once more for these.
    fn name_the_clone(&self) {
        let manifest = self.read("Cargo.toml");
        let (clone, linked) = (workspace(), "../speclex");
        assert!(manifest.contains(linked), "{manifest}");
        self.save("Cargo.toml", &manifest.replace(linked, clone));
    }

    fn run(&mut self, line: &str) -> String {
        let words: Vec<_> = line.split(' ').collect();
        let mut command = match &words[..] {
            ["cd", folder] => {
                self.folder.push(folder);
                return String::new();
            }
            // This package, which is built.
            ["cargo", "install", "--locked", "--path", path] => {
                assert!(self.folder.join(path).join("Cargo.toml").exists(), "{line}");
                return String::new();
            }
            ["speclex", arguments @ ..] => {
                let mut command = Command::new(env!("CARGO_BIN_EXE_speclex"));
                command.args(arguments).current_dir(&self.folder);
                command
            }
            ["cargo", arguments @ ..] => cargo(&self.folder, arguments),
            _ => panic!("what to do about `{line}`?"),
        };
        let output = run(&mut command);
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let (printed, told) = (text(output.stdout), text(output.stderr));
        let fails = told.contains("error");
        let printed = printed + &told;
        assert_eq!(output.status.success(), !fails, "$ {line}\n{printed}");
        if line.starts_with("cargo add") {
            self.name_the_clone();
        }
        printed
    }
}

fn workspace() -> &'static str {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().and_then(Path::to_str).expect("a folder")
}

#[test]
fn the_page_of_a_table_is_true() {
    follow("your-first-table.md");
}

#[test]
fn the_page_of_a_tree_is_true() {
    follow("your-first-tree.md");
    // Another page begins with the same table.
    let table = include_str!("../../src/init/outline-tree.yaml");
    let language = include_str!("../../../docs/tree-language.md");
    let (_, below_the_comment) = table.split_once('\n').expect("lines");
    assert!(language.contains(below_the_comment));
}

/// Does what a page says.
fn follow(page: &str) {
    let page = Path::new(workspace()).join("docs").join(page);
    let page = fs::read_to_string(page).expect("the page");
    let folder = tempfile::tempdir().expect("a folder");
    let mut reader = Reader {
        folder: folder.path().to_owned(),
        commands: 0,
    };
    // The clone beside the crate.
    std::os::unix::fs::symlink(workspace(), folder.path().join("speclex")).expect("a link");
    let (mut before_the_crate, mut shown) = (Vec::new(), Vec::new());
    for Block { info, text } in blocks(&page) {
        let what = info.split(' ').find_map(|word| word.split_once('='));
        match what {
            _ if info == "console" => reader.console(&text),
            Some(("file", file)) if info.starts_with("diff ") => reader.edit(file, &text),
            Some(("file", file)) if reader.commands == 0 => {
                before_the_crate.push((file.to_owned(), text))
            }
            Some(("file", file)) => reader.save(file, &text),
            Some(("append", file)) => reader.save(file, &(reader.read(file) + "\n" + &text)),
            Some(("shows", file)) => shown.push((file.to_owned(), text)),
            _ => panic!("a block that is not run: {info}\n{text}"),
        }
        if reader.folder.join("tables").exists() {
            for (file, text) in shown.drain(..) {
                assert_eq!(reader.read(&file), text, "{file}");
            }
        }
        if reader.commands > 0 {
            for (file, text) in before_the_crate.drain(..) {
                reader.save(&file, &text);
            }
        }
    }
    assert!(reader.commands >= 10, "{} commands", reader.commands);
    assert!(shown.is_empty(), "{shown:?}");
}
