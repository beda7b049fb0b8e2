//! Tables by path, text or shipped name, with what they name: their bases and data files.
//!
//! This module and [`builder`](crate::Builder) are the only parts of the crate that touch files. The macro, the
//! command and build scripts find tables through it, so that one table means the same to all of them.

use std::cell::RefCell;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::path::{Component, Path, PathBuf};

use speclex_tables::Table;

use crate::diagnostic::Code;
use crate::escape;
use crate::file_contents;
use crate::machine::Machine;
use crate::suggest::{closest, one_of};
use crate::tree::{self, LoadedTree, Vocabulary};
use crate::{Loaded, Report, Source, load};

/// Which table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The table that ships under this name.
    Shipped(String),
    /// A file. A relative path is shown as it is, and starts at the folder given beside it.
    File(PathBuf),
    /// A text; what it names lies in the folder given beside it.
    Text(Source),
}

/// A table that was found and is free of faults.
#[derive(Clone, Debug)]
pub struct Found {
    /// The table.
    pub loaded: Loaded,
    /// The files that were read: when one of them changes, the table may. Absolute, or relative to the
    /// folder that was given.
    pub files: Vec<PathBuf>,
}

/// A table of tree construction that was found, with its tokenizer's. Both are free of faults.
#[derive(Clone, Debug)]
pub struct FoundTree {
    /// The table.
    pub tree: LoadedTree,
    /// The table that it names as its tokenizer.
    pub tokenizer: Loaded,
    /// The files that were read for both, as in [`Found::files`].
    pub files: Vec<PathBuf>,
}

/// Why there is no table.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// There is no file at this path, but perhaps one with a similar name.
    NoFile {
        /// The path as given.
        path: PathBuf,
        /// A file in the same folder that may be meant.
        similar: Option<String>,
    },
    /// The file is there and cannot be read.
    Unreadable {
        /// The path as given.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// No table ships under this name.
    NotShipped {
        /// The name.
        name: String,
        /// The shipped tables of the same language: tokenizers or tree construction.
        shipped: &'static [Table],
    },
    /// The table has faults: all of them.
    Faults(Box<Report>),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFile { path, similar } => {
                write!(
                    f,
                    "there is no file `{}`",
                    escape::line(&display_path(path))
                )?;
                match similar {
                    Some(name) => write!(f, "; did you mean `{}`?", escape::line(name)),
                    None => Ok(()),
                }
            }
            Self::Unreadable { path, error } => {
                write!(
                    f,
                    "cannot read {}: {error}",
                    escape::line(&display_path(path))
                )
            }
            Self::NotShipped { name, .. } if let Some(language) = language_of(name) => {
                write!(f, "`{name}` is a table of {language}")
            }
            Self::NotShipped { name, shipped } => {
                let names = || shipped.iter().map(|table| table.name);
                write!(
                    f,
                    "no table ships under the name `{}`; ",
                    escape::line(name)
                )?;
                match closest(name, names()) {
                    Some(similar) => write!(f, "did you mean `{similar}`?"),
                    None => f.write_str(&one_of(names())),
                }
            }
            Self::Faults(report) => report.fmt(f),
        }
    }
}

impl std::error::Error for Failure {}

/// The folders from which tables may read what they name. A table is input like any other: what it names in
/// `extends` or as a data file is read only there, after links are followed.
#[derive(Clone, Debug, Default)]
pub struct Readable {
    /// Absolute, without links.
    roots: Vec<PathBuf>,
}

impl Readable {
    /// The project around a folder: the nearest folder above it, or it itself, whose `Cargo.toml` has a
    /// `[workspace]`; if there is none, the nearest one with a `.git`; if there is none, the folder itself.
    pub fn around(folder: &Path) -> Self {
        let Ok(folder) = absolute(folder) else {
            return Self::default();
        };
        let workspace = |folder: &&Path| {
            let manifest = regular(&folder.join("Cargo.toml")).and_then(io::read_to_string);
            (manifest.unwrap_or_default().lines()).any(|line| line.trim().starts_with("[workspace"))
        };
        let root = (folder.ancestors().find(workspace))
            .or_else(|| folder.ancestors().find(|f| f.join(".git").exists()))
            .unwrap_or(&folder);
        Self {
            roots: vec![root.to_owned()],
        }
    }

    /// These folders too.
    #[must_use]
    pub fn and_also(mut self, folders: &[PathBuf]) -> Self {
        let folders = folders.iter().filter_map(|folder| absolute(folder).ok());
        self.roots.extend(folders);
        self
    }

    /// Whether a file that is there may be read.
    pub fn has(&self, path: &Path) -> bool {
        absolute(path).is_ok_and(|path| self.roots.iter().any(|root| path.starts_with(root)))
    }
}

/// Without links; what is not there has none.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    std::env::current_dir()?.join(path).canonicalize()
}

/// Finds and loads a table. Relative paths start at `folder`.
///
/// A name after `extends` is that of a shipped table, or else of a file beside the table that says it. Data
/// files lie beside the table or one of its bases, or ship. The table itself is read wherever it lies; what it
/// names, where `readable` says and in the table's own folder.
///
/// # Errors
/// When it is not there or has faults.
pub fn find(place: Place, folder: &Path, readable: &Readable) -> Result<Found, Failure> {
    let (reader, source) = Reader::open(place, folder, readable, speclex_tables::all)?;
    let loaded = load(source, &|name| reader.base(name), &|file| {
        reader.references(file)
    });
    Ok(Found {
        loaded: loaded.map_err(|report| Failure::Faults(Box::new(reader.suggest(report))))?,
        files: reader.files.into_inner(),
    })
}

/// The same for a table of tree construction. A name after `tokenizer` is that of a shipped table, or else of a file beside the
/// table.
///
/// # Errors
/// When it is not there or has faults, or its tokenizer has.
pub fn find_tree(place: Place, folder: &Path, readable: &Readable) -> Result<FoundTree, Failure> {
    let (reader, source) = Reader::open(place, folder, readable, speclex_tables::trees)?;
    let tokenizer = RefCell::new(None);
    let tree = tree::load(source, &|name| reader.base(name), &|name| {
        let found = reader.tokenizer(name)?;
        let vocabulary = found.as_ref().ok();
        let vocabulary = vocabulary.map(|it| Vocabulary::from(&it.loaded.machine));
        tokenizer.replace(Some(found));
        vocabulary
    });
    match (tree, tokenizer.into_inner()) {
        // The tokenizer's own report says what is wrong with it.
        (_, Some(Err(failure))) => Err(failure),
        (Err(report), _) => Err(Failure::Faults(Box::new(reader.suggest(report)))),
        (Ok(tree), Some(Ok(mut found))) => {
            let mut files = reader.files.into_inner();
            files.append(&mut found.files);
            Ok(FoundTree {
                tree,
                tokenizer: found.loaded,
                files,
            })
        }
        // A table that names no tokenizer has been refused.
        (Ok(tree), None) => Err(Failure::NotShipped {
            name: tree.machine.tokenizer,
            shipped: speclex_tables::all(),
        }),
    }
}

/// A table of tree construction that extends another one, with a tokenizer that has been loaded.
///
/// # Errors
/// As for [`find_tree`].
pub fn extend_tree(
    source: Source,
    folder: &Path,
    readable: &Readable,
    tokenizer: &Machine,
) -> Result<LoadedTree, Failure> {
    let place = Place::Text(source);
    let (reader, source) = Reader::open(place, folder, readable, speclex_tables::trees)?;
    let vocabulary = |_: &str| Some(Vocabulary::from(tokenizer));
    tree::load(source, &|name| reader.base(name), &vocabulary)
        .map_err(|report| Failure::Faults(Box::new(reader.suggest(report))))
}

/// A text that is not in a file, such as that of the standard input, under this name.
///
/// # Errors
/// When it cannot be read, is too large or not UTF-8.
pub fn text(name: &str, from: impl io::Read) -> Result<Source, Failure> {
    let bytes = read(from).map_err(|error| Failure::Unreadable {
        path: PathBuf::from(name),
        error,
    })?;
    file_contents::text(name, bytes).map_err(|report| Failure::Faults(Box::new(report)))
}

/// Opens a file that is neither a folder, a pipe, a socket nor a device: reading one of those may never end, and a pipe without a
/// writer cannot even be opened. What a table, a macro's call or a list names is opened by this.
///
/// # Errors
/// When it cannot be opened, or is something else: what it is.
pub fn regular(path: &Path) -> io::Result<File> {
    match what_it_is(&std::fs::metadata(path)?) {
        None => File::open(path),
        Some(other) => Err(io::Error::new(io::ErrorKind::InvalidInput, other)),
    }
}

/// What has this metadata, if it is no regular file: `it is a folder`.
#[must_use]
pub fn what_it_is(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        return None;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return Some("it is a pipe");
        }
        if kind.is_socket() {
            return Some("it is a socket");
        }
    }
    Some(match metadata.is_dir() {
        true => "it is a folder",
        false => "it is a device",
    })
}

/// How many links lead to a file at most.
const MOST_LINKS: usize = 40;

/// The path at the end of all links, which need not be there: what is written to a link is written there.
///
/// # Errors
/// When links lead in a circle, or through more than the system follows.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..=MOST_LINKS {
        match std::fs::read_link(&target) {
            Ok(to) => target = parent(&target).join(to),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// All bytes of a file; of one that is too large only the first, because a device may never end.
fn read(from: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(file_contents::MOST as u64 + 1)
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What reading one table leads to.
struct Reader<'a> {
    folder: &'a Path,
    readable: Readable,
    /// The shipped tables of the language that is read.
    shipped: fn() -> &'static [Table],
    /// Why something that a table names is not read, although it is there.
    refused: RefCell<Option<String>>,
    /// The folders of the tables read so far. Each extends the next, so the last asks for its base.
    beside: RefCell<Vec<PathBuf>>,
    files: RefCell<Vec<PathBuf>>,
    /// What is wrong with a file that was found.
    unusable: RefCell<Option<Report>>,
}

/// The codes of faults that say that something which a table names was not found.
const NOT_FOUND: [Code; 3] = [Code::UnknownBase, Code::UnknownFile, Code::UnknownTokenizer];

impl<'a> Reader<'a> {
    /// Reads a table.
    fn open(
        place: Place,
        folder: &'a Path,
        readable: &Readable,
        shipped: fn() -> &'static [Table],
    ) -> Result<(Self, Source), Failure> {
        let mut readable = readable.clone();
        if let Place::File(path) = &place {
            readable = readable.and_also(&[folder.join(parent(path))]);
        }
        let reader = Reader {
            folder,
            readable,
            shipped,
            refused: RefCell::default(),
            beside: RefCell::default(),
            files: RefCell::default(),
            unusable: RefCell::default(),
        };
        let source = match place {
            Place::Shipped(name) => match reader.shipped(&name) {
                Some(source) => source,
                None => {
                    let shipped = shipped();
                    return Err(Failure::NotShipped { name, shipped });
                }
            },
            Place::File(path) => {
                let source = reader.table(&path)?;
                reader.beside.borrow_mut().push(parent(&path));
                source
            }
            Place::Text(source) => {
                reader.beside.borrow_mut().push(PathBuf::new());
                source
            }
        };
        Ok((reader, source))
    }

    /// Adds what may be meant by the name of a base or a tokenizer that was not found.
    fn suggest(&self, mut report: Report) -> Report {
        for diagnostic in &mut report.diagnostics {
            let folders = self.beside.borrow();
            let (shipped, folder) = match diagnostic.code {
                Code::UnknownBase => ((self.shipped)(), folders.last()),
                Code::UnknownTokenizer => (speclex_tables::all(), folders.first()),
                _ => continue,
            };
            let Some(name) = diagnostic.message.split('`').nth(1) else {
                continue;
            };
            let similar = || folder.and_then(|folder| self.similar_name(name, folder));
            let names = shipped.iter().map(|table| table.name);
            let meant = closest(name, names).map(str::to_owned).or_else(similar);
            if let Some(language) = language_of(name) {
                diagnostic.help = format!("`{name}` is a table of {language}");
            } else if let Some(meant) = meant {
                diagnostic.help = format!("did you mean `{meant}`?");
            }
        }
        if let Some(unusable) = self.unusable.take() {
            // It is there: what it holds is the fault.
            report.diagnostics.retain(|d| !NOT_FOUND.contains(&d.code));
            report.diagnostics.extend(unusable.diagnostics);
            report.sources.extend(unusable.sources);
        }
        if let Some(why) = &*self.refused.borrow() {
            let unread = report.diagnostics.iter_mut();
            for diagnostic in unread.filter(|d| NOT_FOUND.contains(&d.code)) {
                diagnostic.help.clone_from(why);
            }
        }
        report
    }

    /// Reads what a table names.
    fn named(&self, path: &Path) -> io::Result<Source> {
        self.may_be_read(path)?;
        self.read(path)
    }

    /// Whether there is a file that a table may name.
    fn may_be_read(&self, path: &Path) -> io::Result<()> {
        let place = self.folder.join(path);
        let why = match std::fs::metadata(&place) {
            Err(error) => return Err(error),
            Ok(_) if !self.readable.has(&place) => {
                "lies outside the folders that tables may read; `--allow-read DIR` adds one"
            }
            Ok(found) => match what_it_is(&found) {
                None => return Ok(()),
                Some(other) => &format!("is no file to read: {other}"),
            },
        };
        let path = escape::line(&display_path(path));
        *self.refused.borrow_mut() = Some(format!("`{path}` {why}"));
        Err(io::ErrorKind::NotFound.into())
    }

    fn read(&self, path: &Path) -> io::Result<Source> {
        let bytes = read(regular(&self.folder.join(path))?)?;
        self.files.borrow_mut().push(path.to_owned());
        file_contents::text(&display_path(path), bytes).map_err(|report| {
            *self.unusable.borrow_mut() = Some(report);
            io::ErrorKind::InvalidData.into()
        })
    }

    fn table(&self, path: &Path) -> Result<Source, Failure> {
        let path = normalized(path);
        match self.read(&path) {
            Ok(source) => Ok(source),
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                match self.unusable.take() {
                    Some(report) => Err(Failure::Faults(Box::new(report))),
                    None => Err(Failure::Unreadable { path, error }),
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Failure::NoFile {
                similar: self.similar(&path),
                path,
            }),
            Err(error) => Err(Failure::Unreadable { path, error }),
        }
    }

    /// A table in the same folder whose name is nearly this one.
    fn similar(&self, path: &Path) -> Option<String> {
        let wanted = path.file_name()?.to_str()?;
        // The current folder has no name to be read by.
        let folder = absolute(&self.folder.join(parent(path))).ok()?;
        if !self.readable.has(&folder) {
            return None;
        }
        let folder = std::fs::read_dir(folder).ok()?;
        let mut names: Vec<String> = folder
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".yaml") || name.ends_with(".yml"))
            .collect();
        names.sort_unstable();
        let name = closest(wanted, names.iter().map(String::as_str))?;
        Some(display_path(&path.with_file_name(name)))
    }

    /// A table in a folder whose name is nearly this one, as `extends` says it.
    fn similar_name(&self, name: &str, folder: &Path) -> Option<String> {
        let similar = self.similar(&folder.join(name).with_extension("yaml"))?;
        let stem = Path::new(&similar).file_stem()?;
        Some(display_path(&Path::new(name).with_file_name(stem)))
    }

    /// The text of a shipped table.
    fn shipped(&self, name: &str) -> Option<Source> {
        let table = (self.shipped)().iter().find(|table| table.name == name)?;
        Some(Source {
            name: format!("spec-tables/{}", table.file),
            text: table.text.to_owned(),
        })
    }

    /// The files that a name may mean beside the table in a folder.
    fn files_named(name: &str, folder: &Path) -> [PathBuf; 2] {
        let path = folder.join(name);
        let mut with_extension = path.clone().into_os_string();
        with_extension.push(".yaml");
        [path, PathBuf::from(with_extension)].map(|path| normalized(&path))
    }

    fn base(&self, name: &str) -> Option<Source> {
        if let Some(source) = self.shipped(name) {
            return Some(source);
        }
        let files = Self::files_named(name, self.beside.borrow().last()?);
        let mut found = files.into_iter().filter_map(|path| {
            let source = self.named(&path).ok()?;
            Some((path, source))
        });
        let (path, source) = found.next()?;
        self.refused.take();
        self.beside.borrow_mut().push(parent(&path));
        Some(source)
    }

    /// The table that the first table names as its tokenizer.
    fn tokenizer(&self, name: &str) -> Option<Result<Found, Failure>> {
        let place = match speclex_tables::get(name) {
            Some(_) => Place::Shipped(name.to_owned()),
            None => {
                let files = Self::files_named(name, self.beside.borrow().first()?);
                let mut files = files.into_iter();
                let path = files.find(|path| self.may_be_read(path).is_ok())?;
                self.refused.take();
                Place::File(path)
            }
        };
        Some(find(place, self.folder, &self.readable))
    }

    fn references(&self, file: &str) -> Option<Vec<(String, String)>> {
        let folders = self.beside.borrow();
        let beside = folders
            .iter()
            .find_map(|folder| self.named(&normalized(&folder.join(file))).ok());
        let source = match beside {
            Some(source) => source,
            None if self.unusable.borrow().is_some() => return None,
            None => Source {
                name: file.to_owned(),
                text: speclex_tables::references(file)?.to_owned(),
            },
        };
        file_contents::references(source)
            .map_err(|report| *self.unusable.borrow_mut() = Some(report))
            .ok()
    }
}

/// What the shipped table of this name describes, if there is one.
fn language_of(name: &str) -> Option<&'static str> {
    match (speclex_tables::get(name), speclex_tables::tree(name)) {
        (Some(_), _) => Some("a tokenizer"),
        (_, Some(_)) => Some("tree construction"),
        _ => None,
    }
}

fn parent(path: &Path) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).to_owned()
}

/// The path without `.` and without `folder/..`, so that one file has one name.
pub(crate) fn normalized(path: &Path) -> PathBuf {
    let mut normalized = PathBuf::new();
    for part in path.components() {
        match (part, normalized.components().next_back()) {
            (Component::CurDir, _) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                normalized.pop();
            }
            _ => normalized.push(part),
        }
    }
    normalized
}

/// A path as people see it, the same on every system.
fn display_path(path: &Path) -> String {
    path.display().to_string().replace('\\', "/")
}
