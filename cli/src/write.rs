//! Files that are either whole or as they were.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use speclex_codegen::escape;

use crate::{Failure, terminal};

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It had the contents already, and was not touched.
    Fresh,
    /// It was written, or would have to be.
    Stale,
}

/// Whether a file is there that is somebody's own work: `is_ours` knows what this project writes.
pub(crate) fn is_foreign(path: &Path, is_ours: impl FnOnce(&str) -> bool) -> Result<bool, Failure> {
    match fs::read(path) {
        Ok(found) => Ok(!is_ours(&String::from_utf8_lossy(&found))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Failure::io("cannot read", path)(error)),
    }
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
    match fs::read(path) {
        Ok(present) if present == contents.as_bytes() => return Ok(Fate::Fresh),
        _ if check => return Ok(Fate::Stale),
        _ => {}
    }
    write(path, contents)?;
    Ok(Fate::Stale)
}

/// Writes a file beside its place, then moves it there. What is no file (a device, a pipe) is written to, and a link
/// stays a link: neither is replaced.
pub(crate) fn write(path: &Path, contents: &str) -> Result<(), Failure> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        let opened = fs::OpenOptions::new().write(true).open(path);
        let written = opened.and_then(|mut file| file.write_all(contents.as_bytes()));
        return written.map_err(Failure::io("cannot write", path));
    }
    let linked = path.is_symlink().then(|| fs::canonicalize(path).ok());
    let path = linked.flatten().unwrap_or_else(|| path.to_owned());
    Staged::new(&path, contents)?.place().map(|_| ())
}

/// A file beside its place, which is gone unless it is moved there.
#[derive(Debug)]
pub(crate) struct Staged<'p> {
    file: tempfile::NamedTempFile,
    path: &'p Path,
}

impl<'p> Staged<'p> {
    pub(crate) fn new(path: &'p Path, contents: &str) -> Result<Self, Failure> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let failed = || Failure::io("cannot write", path);
        fs::create_dir_all(&folder).map_err(failed())?;
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
        let mut file = builder.tempfile_in(&folder).map_err(failed())?;
        file.write_all(contents.as_bytes()).map_err(failed())?;
        Ok(Self { file, path })
    }

    /// Moves it.
    pub(crate) fn place(self) -> Result<&'p Path, Failure> {
        let moved = self.file.persist(self.path).map_err(|e| e.error);
        moved.map_err(Failure::io("cannot write", self.path))?;
        Ok(self.path)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::write;
    use std::fs;
    use std::os::unix::fs::{FileTypeExt, symlink};
    use std::os::unix::net::UnixListener;

    #[test]
    fn only_files_are_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").expect("a file");
        symlink("file", &link).expect("a link");
        assert!(write(&link, "new").is_ok());
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).expect("a file"), "new");

        // Nothing can be written to a socket in this way.
        let socket = folder.path().join("socket");
        let _listener = UnixListener::bind(&socket).expect("a socket");
        assert!(write(&socket, "new").is_err());
        let kind = fs::metadata(&socket).expect("a socket").file_type();
        assert!(kind.is_socket());
    }
}
