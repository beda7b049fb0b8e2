//! What is checked in is what the generator makes; and the generator needs none of it.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use speclex_cli::{Home, run_from};
use speclex_tests::workspace;

/// Where all generated modules of tables are.
pub(crate) const FOLDERS: [&str; 2] = ["runtime/src/generated", "tokenizers/src/generated"];

/// What is generated below a root is as it is checked in.
fn compare(root: &Path) {
    for folder in FOLDERS {
        for entry in fs::read_dir(workspace().join(folder)).expect("modules") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name");
            assert!(
                fs::read(&path).expect("a file")
                    == fs::read(root.join(folder).join(name)).expect("a file"),
                "{name:?} was not generated as it is checked in"
            );
        }
    }
}

/// A root with what `gen` does not write.
fn without_generated() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let manifest = "tokenizers/Cargo.toml";
    fs::create_dir(folder.path().join("tokenizers")).expect("a folder");
    fs::copy(workspace().join(manifest), folder.path().join(manifest)).expect("a copy");
    folder
}

fn run(root: &Path, arguments: &[&str]) -> ExitCode {
    let home = Home {
        repository: Some(root.to_owned()),
    };
    let arguments = ["xtask"].iter().chain(arguments).map(Into::into);
    run_from(&home, arguments)
}

#[test]
fn checked_in_files_are_fresh() {
    let code = run(workspace(), &["gen", "--check"]);
    assert_eq!(
        code,
        ExitCode::SUCCESS,
        "stale files are named above; run `cargo xtask gen`"
    );
}

#[test]
fn generating_twice_gives_the_same_bytes() {
    let folder = without_generated();
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::SUCCESS);
    compare(folder.path());
    assert_eq!(run(folder.path(), &["gen", "--check"]), ExitCode::SUCCESS);
}

#[test]
fn a_stale_file_is_named_and_exits_with_1() {
    let folder = without_generated();
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::SUCCESS);
    let file = folder.path().join("tokenizers/src/generated/xml5_2016.rs");
    let edited = fs::read_to_string(&file).expect("a file") + "// edited by hand\n";
    fs::write(&file, &edited).expect("a file that can be written");
    assert_eq!(run(folder.path(), &["gen", "--check"]), ExitCode::from(1));
    assert_eq!(fs::read_to_string(&file).expect("a file"), edited);
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::SUCCESS);
    assert_eq!(run(folder.path(), &["gen", "--check"]), ExitCode::SUCCESS);
}

#[test]
#[ignore = "generates all tables four times; .ci/run runs it"]
fn a_file_that_gen_did_not_write_is_kept_unless_forced() {
    let folder = without_generated();
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::SUCCESS);
    let file = folder.path().join("tokenizers/src/generated/xml5_2016.rs");
    fs::write(&file, "// my hand-written file\n").expect("a file that can be written");
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::from(1));
    let kept = fs::read_to_string(&file).expect("a file");
    assert_eq!(kept, "// my hand-written file\n");
    assert_eq!(run(folder.path(), &["gen", "--force"]), ExitCode::SUCCESS);
    assert_eq!(run(folder.path(), &["gen", "--check"]), ExitCode::SUCCESS);
}

/// As after `PARSED` is changed: modules change their crates.
#[test]
#[ignore = "generates all tables four times; .ci/run runs it"]
fn a_module_that_is_left_over_is_removed() {
    let folder = without_generated();
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::SUCCESS);
    let [runtime, tokenizers] = FOLDERS.map(|place| folder.path().join(place));
    let left_over = runtime.join("xml5_2016.rs");
    fs::copy(tokenizers.join("xml5_2016.rs"), &left_over).expect("a copy");
    let own = runtime.join("notes.rs");
    fs::write(&own, "// by hand\n").expect("a file that can be written");
    assert_eq!(run(folder.path(), &["gen", "--check"]), ExitCode::from(1));
    assert_eq!(
        run(folder.path(), &["gen", "html-2009"]),
        ExitCode::SUCCESS,
        "it is about one table"
    );
    assert!(left_over.exists());
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::SUCCESS);
    assert!(!left_over.exists() && own.exists());
    assert_eq!(run(folder.path(), &["gen", "--check"]), ExitCode::SUCCESS);
}

/// Cargo reads features from nowhere else.
#[test]
fn features_are_generated() {
    let folder = without_generated();
    let path = folder.path().join("tokenizers/Cargo.toml");
    let manifest = fs::read_to_string(&path).expect("a manifest");
    let changed = manifest.replace("xml5-2016 = []\n", "my-own = []\n");
    assert_ne!(changed, manifest);
    fs::write(&path, changed).expect("a file that can be written");
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::SUCCESS);
    assert_eq!(fs::read_to_string(&path).expect("a manifest"), manifest);

    fs::write(&path, "[features]\n").expect("a file that can be written");
    assert_eq!(run(folder.path(), &["gen"]), ExitCode::from(2));
}

#[test]
fn parse_follows_the_living_standard() {
    let machines = speclex_cli::tree_machines("html-tree-living");
    let (living, _) = machines.unwrap_or_else(|e| panic!("{}", e.render(false)));
    assert_eq!(speclex::HTML_REVISION, living.title);
    // Until June 2026 this was a comment.
    let dom = speclex::parse("<?a b?>");
    let node = dom.document().children().next().expect("a node");
    let kind = node.kind();
    let is_it = matches!(
        kind,
        speclex::NodeKind::ProcessingInstruction { target: "a", .. }
    );
    assert!(is_it, "{kind:?}");
}

/// Copies what cargo needs of the workspace, without anything built.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name");
        let skip = ["target", ".git", "docs"].iter().any(|s| name == *s);
        if path.is_dir() && !skip {
            copy(&path, &to.join(name));
        } else if path.is_file() {
            fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

/// The crate with the generated code is no dependency of the generator.
#[test]
fn the_generator_needs_no_generated_code() {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["tree", "--package", "speclex-cli", "--no-default-features"])
        .args(["--edges", "normal,build", "--prefix", "none", "--offline"])
        .current_dir(workspace())
        .output()
        .expect("cargo");
    let tree = String::from_utf8(output.stdout).expect("UTF-8");
    let has = |package: &str| {
        let names = tree.lines().filter_map(|line| line.split(' ').next());
        names.into_iter().any(|name| name == package)
    };
    assert!(has("speclex-codegen"), "{tree}");
    assert!(!has("speclex-tokenizers"), "{tree}");
}

/// Deletes all generated code in a copy of the workspace, breaks what is left of the crate, and
/// generates it again: the generator builds without it.
#[test]
#[ignore = "builds for 20 seconds; .ci/run runs it, and the test before it looks at the dependencies"]
fn deleted_code_is_generated_again() {
    // Always the same place, so that a second run builds little. Not where the workspace itself is built:
    // cargo would take the copy's crates for the workspace's.
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let root = scratch.join("without-generated-code");
    if root.exists() {
        fs::remove_dir_all(&root).expect("an earlier run's folder");
    }
    copy(workspace(), &root);
    for generated in FOLDERS {
        fs::remove_dir_all(root.join(generated)).expect("generated code");
    }
    let status = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--package", "speclex-cli"])
        .args(["--no-default-features", "--profile", "generate"])
        .args(["--", "gen"])
        .env(speclex_cli::REPOSITORY, &root)
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TARGET_DIR", scratch.join("generator"))
        .env("CARGO_INCREMENTAL", "0")
        .current_dir(&root)
        .status()
        .expect("cargo");
    assert!(
        status.success(),
        "the generator does not build without generated code"
    );
    compare(&root);
}
