//! The files below paths, in the order of their names. Of folders only the names in those under way are in
//! memory.

use std::fs;
use std::io;
use std::path::PathBuf;

/// What a walk comes to.
#[derive(Debug)]
pub(crate) enum Step {
    /// A file.
    File(PathBuf),
    /// Nothing to read: for this reason.
    LeftOut(&'static str),
    /// A folder or an entry that cannot be read.
    Unreadable(PathBuf, io::Error),
}

/// Goes through paths and what is below them.
#[derive(Debug)]
pub(crate) struct Walk {
    /// What is to be visited, the next one last, and whether it was named by the caller.
    todo: Vec<(PathBuf, bool)>,
}

impl Walk {
    /// A walk through these, in this order.
    pub(crate) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut todo: Vec<_> = paths.into_iter().map(|path| (path, true)).collect();
        todo.reverse();
        Self { todo }
    }

    fn enter(&mut self, folder: &PathBuf) -> io::Result<()> {
        let entries = fs::read_dir(folder)?;
        let mut inside = entries
            .map(|entry| Ok((entry?.path(), false)))
            .collect::<io::Result<Vec<_>>>()?;
        inside.sort_unstable_by(|one, other| other.cmp(one));
        self.todo.extend(inside);
        Ok(())
    }
}

impl Iterator for Walk {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        loop {
            let (path, named) = self.todo.pop()?;
            let found = match fs::metadata(&path) {
                Ok(found) => found,
                Err(error) => return Some(Step::Unreadable(path, error)),
            };
            if found.is_dir() {
                // A link may lead back to where it is.
                if !named && path.is_symlink() {
                    return Some(Step::LeftOut("links to folders"));
                }
                if let Err(error) = self.enter(&path) {
                    return Some(Step::Unreadable(path, error));
                }
                continue;
            }
            // Reading a pipe or a device may never end; who names one wants it read.
            return Some(match named || found.is_file() {
                true => Step::File(path),
                false => Step::LeftOut("pipes, sockets and devices"),
            });
        }
    }
}
