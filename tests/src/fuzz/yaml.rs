//! The target `yaml`: whatever the text of a table, loading ends with a machine or a report, within a bound of memory and work.

use std::fs;
use std::path::{Path, PathBuf};

use speclex_codegen::{Report, Severity, Source, load, tree, vocabulary};

use super::case::Case;
use super::shrink::shrink;
use super::{Failure, Progress, Run, caught};
use crate::random::Random;
use crate::{files, workspace};

/// The most bytes that loading may allocate in all, and hold at once: for each byte of the texts, and besides. Most of it is
/// what the budgets of lowering, of the proofs and of repairs allow whatever the text. 300,000 texts took up to 318, and 25.4, million.
const ALLOCATED: Bound = Bound {
    each: 1_500,
    besides: 300_000_000,
};
const HELD: Bound = Bound {
    each: 20,
    besides: 35_000_000,
};

/// The most allocations: work is counted by them. Those texts took up to 3.2 million.
const ALLOCATIONS: Bound = Bound {
    each: 10,
    besides: 3_600_000,
};

/// A bound that grows with the text.
#[derive(Clone, Copy, Debug)]
struct Bound {
    each: u64,
    besides: u64,
}

impl Bound {
    fn check(self, what: &str, used: u64, bytes: usize) -> Result<(), String> {
        let most = self.each * bytes as u64 + self.besides;
        match used <= most {
            true => Ok(()),
            false => Err(format!("{what}: {used} for {bytes} bytes, at most {most}")),
        }
    }
}

/// What something took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// How many allocations.
    pub allocations: u64,
    /// The bytes of all allocations.
    pub allocated: u64,
    /// The most bytes at one time.
    pub held: u64,
}

/// Measures a call.
pub type Measure = fn(&mut dyn FnMut()) -> Memory;

/// A table to change.
#[derive(Debug)]
pub struct Original {
    folder: PathBuf,
    text: String,
    is_tree: bool,
}

/// The tokens of the shared vocabulary, all of which are created.
fn all_tokens() -> tree::Vocabulary {
    let of_tokenizer = vocabulary::markup();
    let kinds = of_tokenizer.tokens.iter().flat_map(|token| &token.kinds);
    let created = kinds.map(|kind| kind.name.clone()).collect();
    tree::Vocabulary {
        of_tokenizer,
        created,
    }
}

impl Original {
    /// Loads a text in place of this table.
    fn load(&self, text: &str) -> Result<(), Report> {
        let source = |name: &str, text: String| Source {
            name: name.to_owned(),
            text,
        };
        let base = |name: &str| {
            let file = format!("{}.yaml", name.trim_end_matches(".yaml"));
            let path = self.folder.join(&file);
            Some(source(&file, fs::read_to_string(path).ok()?))
        };
        let table = source("table.yaml", text.to_owned());
        if self.is_tree {
            let tokens = |tokenizer: &str| (tokenizer != "none").then(all_tokens);
            return tree::load(table, &base, &tokens).map(drop);
        }
        let references = |_: &str| {
            let references = [("amp", "&"), ("amp;", "&"), ("not", "¬"), ("notin;", "∉")];
            Some(
                references
                    .map(|(name, value)| (name.into(), value.into()))
                    .to_vec(),
            )
        };
        load(table, &base, &references).map(drop)
    }

    /// Checks what loading a text takes and says.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self, text: &str, measure: Measure) -> Result<Loading, String> {
        let mut loaded = Ok(());
        let memory = measure(&mut || loaded = self.load(text));
        let bytes = text.len() + self.text.len();
        ALLOCATED.check("bytes allocated", memory.allocated, bytes)?;
        HELD.check("bytes held", memory.held, bytes)?;
        ALLOCATIONS.check("allocations", memory.allocations, bytes)?;
        let is_sound = match loaded {
            Ok(()) => true,
            Err(report) => {
                if report.count(Severity::Error) == 0 || report.render(true).is_empty() {
                    return Err("it is refused without a reason".to_owned());
                }
                false
            }
        };
        Ok(Loading { is_sound, memory })
    }
}

/// What loading a text has taken.
#[derive(Clone, Copy, Debug)]
pub struct Loading {
    is_sound: bool,
    memory: Memory,
}

/// The shipped tables and the fixtures of the generator's tests.
pub fn originals() -> Vec<Original> {
    let mut originals = Vec::new();
    for folder in ["spec-tables", "codegen/tests"] {
        for path in files(&workspace().join(folder), &["yaml"]) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let is_tree = text.lines().any(|line| line.starts_with("tree:"));
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            originals.push(Original {
                folder,
                text,
                is_tree,
            });
        }
    }
    // The short ones first.
    originals.sort_by(|a, b| (a.text.len(), &a.folder).cmp(&(b.text.len(), &b.folder)));
    originals
}

/// What the run has seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// Texts that loaded.
    pub loaded: u64,
    /// Texts that were refused.
    pub refused: u64,
    /// The most bytes allocated, and held, and allocations, for a text.
    pub most: [u64; 3],
}

/// Runs changed texts.
///
/// # Errors
/// The first text for which something is wrong, made small.
///
/// # Panics
/// When there are no tables.
pub fn run(run: Run, measure: Measure) -> Result<Summary, Failure> {
    let originals = originals();
    let sound = originals.iter();
    let sound: Vec<&Original> = sound.filter(|o| o.load(&o.text).is_ok()).collect();
    let mut summary = Summary::default();
    let mut progress = Progress::new("yaml", run.runs);
    for index in 0..run.runs {
        let seed = run.seed.wrapping_add(index);
        let mut random = Random::new(seed);
        // Half of the texts start without faults.
        let original = match random.below(2) {
            0 => random.one(&originals),
            _ => *random.one(&sound),
        };
        let text = changed(original, random.one(&originals), &mut random);
        let check = |text: &str| caught(|| original.check(text, measure));
        match check(&text) {
            Ok(loading) => summary.add(loading),
            Err(_) => {
                let case = Case {
                    input: text,
                    ..Case::default()
                };
                let command = format!("cargo xtask fuzz yaml --runs 1 --seed {seed}");
                let case = shrink(case, &command, |case| check(&case.input).is_err());
                return Err(Failure {
                    what: check(&case.input).err().unwrap_or_default(),
                    reproducer: case.input,
                    command,
                });
            }
        }
        progress.step();
    }
    Ok(summary)
}

impl Summary {
    fn add(&mut self, loading: Loading) {
        match loading.is_sound {
            true => self.loaded += 1,
            false => self.refused += 1,
        }
        let Memory {
            allocations,
            allocated,
            held,
        } = loading.memory;
        for (most, used) in self.most.iter_mut().zip([allocated, held, allocations]) {
            *most = (*most).max(used);
        }
    }
}

/// What YAML, sets, phrases and names are made of.
const BITS: &[&str] = &[
    " ",
    "\n",
    "\t",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "!",
    ">",
    "|",
    "~",
    "U+",
    "U+D800",
    "U+110000",
    " to ",
    " except ",
    "EOF",
    "anything else",
    "if ",
    "otherwise",
    " and ",
    " or ",
    "not ",
    " is ",
    "the ",
    "leaving: ",
    "first: ",
    "consume: ",
    "look ahead: ",
    "removed",
    "switch to ",
    "reconsume in ",
    "emit ",
    "append ",
    "set ",
    "as anything else",
    "consume it",
    "attempt to ",
    "99999999999999999999",
    "-1",
    "null",
    "\u{2028}",
    "\u{feff}",
    "\0",
    "---\n",
];

/// A text with some changes; lines of another table may come in.
pub fn changed(original: &Original, other: &Original, random: &mut Random) -> String {
    let mut lines: Vec<String> = original.text.lines().map(str::to_owned).collect();
    let others: Vec<&str> = other.text.lines().collect();
    for _ in 0..1 + random.below(3) {
        if lines.is_empty() {
            break;
        }
        let line = random.below(lines.len());
        match random.below(10) {
            0 => drop(lines.remove(line)),
            1 => lines.insert(random.below(lines.len()), lines[line].clone()),
            2 => lines.swap(line, random.below(others.len().max(1)).min(line)),
            3 => lines.truncate(line),
            4 => lines[line].insert_str(0, "  "),
            5 => {
                lines[line] = lines[line].strip_prefix("  ").unwrap_or("").to_owned();
            }
            6 if !others.is_empty() => {
                let from = random.below(others.len());
                let to = (from + 1 + random.below(6)).min(others.len());
                let block = others[from..to].iter().map(|&line| line.to_owned());
                lines.splice(line..line, block);
            }
            7 => {
                // Much of the same.
                let again = lines[line].clone();
                let count = 1 + random.below(300);
                lines.splice(line..line, std::iter::repeat_n(again, count));
            }
            8 => {
                let word = random.one(BITS).repeat(1 + random.below(200));
                insert(&mut lines[line], &word, random);
            }
            _ => insert(&mut lines[line], random.one::<&str>(BITS), random),
        }
    }
    lines.join("\n") + "\n"
}

fn insert(line: &mut String, text: &str, random: &mut Random) {
    let at = random.below(line.len() + 1);
    let at = (at..line.len()).find(|&at| line.is_char_boundary(at));
    line.insert_str(at.unwrap_or(line.len()), text);
}
