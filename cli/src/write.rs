//! Files that are either whole or as they were.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use speclex_codegen::escape;
use speclex_codegen::files::target;

use crate::source::is_stream;
use crate::{Failure, terminal};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It had the contents already, and was not touched.
    Fresh,
    /// It was written, or would have to be.
    Stale,
}

/// Whether two paths name one file.
#[cfg(feature = "analysis")]
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let [one, other] = [one, other].map(|path| fs::canonicalize(path).ok());
    one.is_some() && one == other
}

/// What a file holds, if there is one.
fn present(path: &Path) -> Result<Option<Vec<u8>>, Failure> {
    if is_stream(path) {
        return Ok(None);
    }
    match fs::read(path) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Failure::io("cannot read", path)(error)),
    }
}

/// Whether a file is there that is somebody's own work: `is_ours` knows what this project writes.
pub(crate) fn is_foreign(path: &Path, is_ours: impl FnOnce(&str) -> bool) -> Result<bool, Failure> {
    let found = present(path)?;
    Ok(found.is_some_and(|found| !is_ours(&String::from_utf8_lossy(&found))))
}

/// Says that these files are kept, and why.
pub(crate) fn keep(paths: &[&Path], why: &str) -> ExitCode {
    for path in paths {
        let path = escape::line(&path.display().to_string());
        terminal::note(format_args!("{path} {why}"));
    }
    terminal::note("nothing is written; `--force` overwrites it");
    ExitCode::from(1)
}

/// Makes sure that a file has these contents; with `check` only says whether it has.
pub(crate) fn ensure(path: &Path, contents: &str, check: bool) -> Result<Fate, Failure> {
    match present(path) {
        Ok(Some(present)) if present == contents.as_bytes() => return Ok(Fate::Fresh),
        _ if check => return Ok(Fate::Stale),
        _ => {}
    }
    write(path, contents)?;
    Ok(Fate::Stale)
}

/// Writes a file beside its place, then moves it there. What is no file (a device, a pipe) is written to, and a link
/// stays a link: neither is replaced. A file keeps its mode.
pub(crate) fn write(path: &Path, contents: &str) -> Result<(), Failure> {
    Staged::new(path, contents)?.place().map(|_| ())
}

/// What is to be written. Unless it gets to its place, nothing of it stays.
#[derive(Debug)]
pub(crate) struct Staged<'p> {
    path: &'p Path,
    form: Form<'p>,
}

#[derive(Debug)]
enum Form<'p> {
    /// A file beside its place, which a link may name.
    Beside(tempfile::NamedTempFile, PathBuf),
    /// For a device or a pipe.
    Contents(&'p str),
}

impl<'p> Staged<'p> {
    pub(crate) fn new(path: &'p Path, contents: &'p str) -> Result<Self, Failure> {
        if is_stream(path) {
            let form = Form::Contents(contents);
            return Ok(Self { path, form });
        }
        let failed = || Failure::io("cannot write", path);
        let place = target(path).map_err(failed())?;
        let folder = match place.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        fs::create_dir_all(&folder).map_err(failed())?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
        let file = builder.tempfile_in(&folder);
        // The user does not know the name of the temporary file.
        let file = file.map_err(|error| io::Error::from(error.kind()));
        let mut file = file.map_err(failed())?;
        file.write_all(contents.as_bytes()).map_err(failed())?;
        if let Ok(before) = fs::metadata(&place) {
            let kept = file.as_file().set_permissions(before.permissions());
            kept.map_err(failed())?;
        }
        let form = Form::Beside(file, place);
        Ok(Self { path, form })
    }

    /// Moves or writes it there.
    pub(crate) fn place(self) -> Result<&'p Path, Failure> {
        let placed = match self.form {
            Form::Beside(file, place) => file.persist(place).map(|_| ()).map_err(|e| e.error),
            Form::Contents(contents) => {
                let opened = fs::OpenOptions::new().write(true).open(self.path);
                opened.and_then(|mut file| file.write_all(contents.as_bytes()))
            }
        };
        placed.map_err(Failure::io("cannot write", self.path))?;
        Ok(self.path)
    }
}
