//! The files below paths, in the order of their names. Of folders only the names in those under way are in
//! memory.

use std::fs;
use std::io;
use std::path::PathBuf;

/// What is met on the way.
#[derive(Debug)]
pub(crate) enum Entry {
    /// A file.
    File(PathBuf),
    /// Nothing to read: for this reason.
    LeftOut(&'static str),
    /// A folder or an entry that cannot be read.
    Unreadable(PathBuf, io::Error),
}

/// Iterates over the files of paths and folders.
#[derive(Debug)]
pub(crate) struct Files {
    /// What is to be visited, the next one last, and whether it was named by the caller.
    todo: Vec<(PathBuf, bool)>,
    /// Whether those named by the caller are read, too, if they are pipes or devices.
    streams: bool,
}

impl Files {
    /// The files of these paths, in this order.
    pub(crate) fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let mut todo: Vec<_> = paths.into_iter().map(|path| (path, true)).collect();
        todo.reverse();
        Self {
            todo,
            streams: true,
        }
    }

    /// The files of a path that stands in a list.
    #[cfg(feature = "analysis")]
    pub(crate) fn listed(path: PathBuf) -> Self {
        Self {
            streams: false,
            ..Self::new([path])
        }
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

impl Iterator for Files {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            let (path, named) = self.todo.pop()?;
            let metadata = match fs::metadata(&path) {
                Ok(metadata) => metadata,
                Err(error) => return Some(Entry::Unreadable(path, error)),
            };
            if metadata.is_dir() {
                // A link may lead back to where it is.
                if !named && path.is_symlink() {
                    return Some(Entry::LeftOut("links to folders"));
                }
                if let Err(error) = self.enter(&path) {
                    return Some(Entry::Unreadable(path, error));
                }
                continue;
            }
            // Reading a pipe or a device may never end; who names one wants it read.
            return Some(match named && self.streams || metadata.is_file() {
                true => Entry::File(path),
                false => Entry::LeftOut("pipes, sockets and devices"),
            });
        }
    }
}
