//! Where test data is. The tests of `html5ever/` include this file: they need nothing else of this crate.

use std::path::{Path, PathBuf};

/// The environment variable that names the folder with test data; `../shared` beside the workspace if it
/// is not set.
pub const SHARED: &str = "SPECLEX_SHARED";

/// A folder of the test data; `None`, loudly, when it is not there.
///
/// # Panics
/// When it is not there and the environment variable `CI` is set: continuous integration must not pass by
/// skipping.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let root =
        std::env::var_os(SHARED).map_or_else(|| workspace().join("../shared"), PathBuf::from);
    let path = root.join(folder);
    if path.is_dir() {
        return Some(path);
    }
    assert!(
        std::env::var_os("CI").is_none(),
        "test data is missing: {} (set {SHARED} to the folder that has `{folder}`)",
        path.display()
    );
    eprintln!("SKIPPED: no test data at {} (set {SHARED})", path.display());
    None
}

/// The workspace's folder.
pub fn workspace() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// All files below a folder, sorted, with one of the extensions.
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(folder) = todo.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                todo.push(path);
            } else if path
                .extension()
                .is_some_and(|e| extensions.iter().any(|x| e == *x))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
