//! Every example in Rust of the README and the pages builds and runs as a reader copies it: in a crate with the manifest that
//! stands before it on the page, or else with that of the README. The clone lies beside the crate, as the manifests say.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("a workspace")
}

/// The fenced blocks of a page: what stands behind the fence, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut open = None::<(String, String)>;
    for line in page.lines() {
        match (&mut open, line.trim_start().strip_prefix("```")) {
            (None, Some(kind)) => open = Some((kind.to_owned(), String::new())),
            (None, None) => {}
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, text)), None) => *text += &format!("{line}\n"),
        }
    }
    assert!(open.is_none(), "a fence is open at the end");
    found
}

/// The examples of each manifest, each with its page and its text. Another test follows the steps of `your-first-….md`.
fn examples() -> BTreeMap<String, Vec<(String, String)>> {
    let docs = fs::read_dir(workspace().join("docs")).expect("pages");
    let docs = docs.map(|entry| entry.expect("a page").path());
    let mut paths: Vec<PathBuf> = docs
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    paths.sort();
    paths.insert(0, workspace().join("README.md"));
    let mut examples = BTreeMap::<_, Vec<_>>::new();
    let mut of_readme = None;
    for path in paths {
        let name = path.file_stem().expect("a name").to_string_lossy();
        let page = fs::read_to_string(&path).expect("a page");
        let mut manifest = of_readme.clone();
        for (at, (kind, text)) in blocks(&page).into_iter().enumerate() {
            match &*kind {
                "toml" => manifest = Some(text),
                "rust" => examples
                    .entry(manifest.clone().expect("a manifest in the README"))
                    .or_default()
                    .push((format!("{name}-{at}").to_lowercase(), text)),
                // A part of generated code, which another test compares.
                "rust,ignore" => assert_eq!(name, "README", "{text}"),
                other => assert!(
                    !other.starts_with("rust") || name.starts_with("your-first-"),
                    "{name}: what is {other}?"
                ),
            }
        }
        of_readme.get_or_insert_with(|| manifest.expect("a manifest in the README"));
    }
    examples
}

/// Writes a crate with the examples as its programs.
fn write(folder: &Path, manifest: &str, examples: &[(String, String)]) {
    let clone = workspace().to_str().expect("a path of UTF-8");
    let package = "[package]\nname = \"my-crate\"\nedition = \"2024\"\n";
    let manifest = format!("{package}{manifest}\n[workspace]\n");
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder.join("tests")).expect("a folder");
    fs::create_dir_all(folder.join("src")).expect("a folder");
    fs::write(folder.join("src/lib.rs"), "").expect("a library");
    // The README reads a folder of pages.
    fs::create_dir_all(folder.join("pages")).expect("a folder");
    let page = workspace().join("tests/pages/hello.html");
    fs::copy(page, folder.join("pages/hello.html")).expect("a page");
    fs::write(
        folder.join("Cargo.toml"),
        manifest.replace("../speclex", clone),
    )
    .expect("a manifest");
    for (name, text) in examples {
        let program = match text.contains("fn main()") {
            true => text.clone(),
            false => format!("fn main() {{\n{text}}}\n"),
        };
        let test = program.replace("fn main()", "#[test]\nfn main()");
        fs::write(folder.join(format!("tests/{name}.rs")), test).expect("an example");
    }
}

fn cargo(folder: &Path, arguments: &[&str]) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("tests/trybuild");
    let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_TEST_DEBUG", "false")
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .expect("cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", folder.display());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn is_patched(manifest: &str) -> bool {
    manifest.contains("[patch.crates-io]")
}

#[test]
fn the_examples_of_all_pages_build_with_their_manifests() {
    let examples = examples();
    let ours = examples
        .iter()
        .filter(|(manifest, _)| !is_patched(manifest));
    for (number, (manifest, examples)) in ours.enumerate() {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pages-{number}"));
        write(&folder, manifest, examples);
        fs::copy(workspace().join("Cargo.lock"), folder.join("Cargo.lock")).expect("a lock file");
        cargo(&folder, &["test", "--offline", "--quiet"]);
    }
}

/// Newer versions than those of the page fit as well.
fn without_versions(tree: &str) -> String {
    let is_version =
        |word: &&str| word.starts_with('v') && word.ends_with(|c: char| c.is_ascii_digit());
    let lines = tree.lines().map(|line| {
        let words: Vec<_> = line.split(' ').filter(|word| !is_version(word)).collect();
        words.join(" ") + "\n"
    });
    lines.collect()
}

/// What the page says of crates on top of html5ever: manifest, code and tree.
#[test]
#[ignore = "downloads published crates: in CI"]
fn crates_on_top_of_html5ever_build_with_the_patch() {
    let examples = examples();
    let patched: Vec<_> = examples.iter().filter(|(m, _)| is_patched(m)).collect();
    let [(manifest, examples)] = &patched[..] else {
        panic!("one page has one patch");
    };
    let page = fs::read_to_string(workspace().join("docs/porting.md")).expect("a page");
    let blocks = blocks(&page);
    let tree = blocks.iter().find(|block| block.0 == "console");
    let tree = &tree.expect("a tree").1;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages-patched");
    write(&folder, manifest, examples);
    let clone = workspace().to_str().expect("a path of UTF-8");
    cargo(&folder, &["test", "--quiet"]);
    let (command, shown) = tree.split_once('\n').expect("a tree");
    let arguments: Vec<_> = command.split(' ').skip(2).collect();
    let tree = cargo(&folder, &arguments);
    let tree = tree.replace(folder.to_str().expect("UTF-8"), "/home/me/my-crate");
    let tree = tree.replace(clone, "/home/me/speclex");
    assert_eq!(without_versions(&tree), without_versions(shown));
}
