//! The same source in several programs. How the compiler uses registers and where the linker puts the code move the
//! ratios among our own contenders by 2 % and more from one program to the next, as much as what they are about. So
//! what counts is the program in the middle.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo;
use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::ours::{self, style};
use crate::rounds::{self, SpeedUp};
use crate::suite;
use crate::table::{Cell, Table};
use crate::worker::Worker;

/// Into so many units the compiler divides this crate: each number makes another program of it.
const UNITS: [u32; 5] = [1, 2, 5, 16, 40];

/// The revision whose ratios are asked for.
const REVISION: &str = "html-living";

/// What a program compares with its leader by itself.
const STYLES: [&str; 2] = [style::PARSE_ERRORS, style::CHUNKS];

/// Our tokenizers, built in one way.
#[derive(Clone, Debug)]
pub struct Program {
    /// As by default.
    default: PathBuf,
    /// Without `unsafe` code.
    safe: PathBuf,
}

/// A ratio in each program.
#[derive(Clone, Debug)]
pub struct Ratios {
    /// The class of documents.
    pub class: &'static str,
    /// What is compared with the leader.
    pub style: &'static str,
    /// How many times as fast as the leader, by program.
    pub programs: Vec<SpeedUp>,
}

impl Ratios {
    /// That of the program in the middle.
    pub fn middle(&self) -> SpeedUp {
        let middle = |ratio: fn(&SpeedUp) -> f64| {
            let ratios: Vec<_> = self.programs.iter().map(ratio).collect();
            rounds::median(&ratios)
        };
        SpeedUp {
            median: middle(|ratio| ratio.median),
            least: middle(|ratio| ratio.least),
        }
    }
}

/// Builds all of them.
///
/// # Errors
/// When one cannot be built.
pub fn build() -> io::Result<Vec<Program>> {
    let build = |units: u32| {
        Ok(Program {
            default: build_one(Some(units), true)?,
            safe: build_one(Some(units), false)?,
        })
    };
    UNITS.into_iter().map(build).collect()
}

/// Our tokenizers in a build of their own without `unsafe` code, otherwise as this one: the program's path.
///
/// # Errors
/// When it cannot be built.
pub fn safe() -> io::Result<PathBuf> {
    build_one(None, false)
}

fn build_one(units: Option<u32>, simd: bool) -> io::Result<PathBuf> {
    let target = cargo::target()?.join("programs");
    let mut build = cargo::cargo(&cargo::root(), &target);
    build.args(["build", "--quiet", "--profile", "xtask"]);
    build.args(["--package", "speclex-bench", "--bin", "speclex-bench"]);
    build.arg("--no-default-features");
    let mut name = String::from("ours");
    if simd {
        build.args(["--features", "simd"]);
    } else {
        name += "-safe";
    }
    if let Some(units) = units {
        // Only of this crate, so that the others are built once.
        let setting = format!("profile.xtask.package.speclex-bench.codegen-units={units}");
        build.args(["--config", &setting]);
        name += &format!("-{units}");
    }
    eprintln!("building {name}");
    cargo::output(&mut build)?;
    let program = target.join(name);
    fs::copy(target.join("xtask/speclex-bench"), &program)?;
    Ok(program)
}

/// Whether ratios are asked for that are means of several programs.
pub fn concern(corpus: &Corpus) -> bool {
    suite::revision(suite::leader(corpus)) == REVISION
}

/// Measures the ratios of a class in all programs.
///
/// # Errors
/// When a program fails.
pub fn measure(programs: &[Program], corpus: &Corpus, rounds: usize) -> io::Result<Vec<Ratios>> {
    let styles = STYLES.into_iter().chain([style::SAFE]);
    let mut all: Vec<_> = styles
        .map(|style| Ratios {
            class: corpus.class,
            style,
            programs: Vec::new(),
        })
        .collect();
    for program in programs {
        let mut ratios = by_itself(program, corpus, rounds)?;
        ratios.push(against_safe(program, corpus, rounds)?);
        for (all, ratio) in all.iter_mut().zip(ratios) {
            all.programs.push(ratio);
        }
    }
    Ok(all)
}

/// What a program finds when it compares its contenders.
fn by_itself(program: &Program, corpus: &Corpus, rounds: usize) -> io::Result<Vec<SpeedUp>> {
    let mut command = Command::new(&program.default);
    command.args(["ratios", corpus.class, &rounds.to_string()]);
    let said = cargo::output(&mut command)?;
    let text = String::from_utf8_lossy(&said.stdout);
    let ratios: Vec<_> = text.lines().filter_map(parse).collect();
    match ratios.len() == STYLES.len() {
        true => Ok(ratios),
        false => Err(io::Error::other(format!("{command:?} said `{text}`"))),
    }
}

fn parse(line: &str) -> Option<SpeedUp> {
    let (median, least) = line.split_once(' ')?;
    Some(SpeedUp {
        median: median.parse().ok()?,
        least: least.parse().ok()?,
    })
}

/// The other side: compares the contenders of this very program and writes a line for each style.
///
/// # Errors
/// When a contender fails or the other side is gone.
pub fn serve(corpus: &'static Corpus, rounds: usize, mut answers: impl Write) -> io::Result<()> {
    let leader = suite::leader(corpus);
    let of_style = |style: &&str| ours::name(suite::revision(leader), style);
    let names: Vec<_> = STYLES.iter().map(of_style).collect();
    let mut contenders = ours::contenders(corpus);
    contenders.retain(|c| c.name == leader || names.contains(&c.name));
    let times = rounds::run(&mut contenders, leader, rounds)?;
    let find = |name: &str| times.iter().find(|times| times.name == name);
    for name in &names {
        if let (Some(own), Some(leader)) = (find(name), find(leader)) {
            let ratio = own.speed_up(leader);
            writeln!(answers, "{} {}", ratio.median, ratio.least)?;
        }
    }
    Ok(())
}

/// How many times as fast the safe build is: both in processes of their own.
fn against_safe(program: &Program, corpus: &Corpus, rounds: usize) -> io::Result<SpeedUp> {
    let mut both = [
        elsewhere(style::BORROWED, &program.default, corpus)?,
        elsewhere(style::SAFE, &program.safe, corpus)?,
    ];
    let times = rounds::run(&mut both, style::BORROWED, rounds)?;
    match &times[..] {
        [default, safe] => Ok(safe.speed_up(default)),
        _ => Err(io::Error::other("a contender was lost")),
    }
}

/// The leader of a class, in another program.
///
/// # Errors
/// When the program cannot be started.
pub fn elsewhere(
    name: impl Into<String>,
    program: &Path,
    corpus: &Corpus,
) -> io::Result<Contender> {
    let mut command = Command::new(program);
    command.args(["worker", suite::leader(corpus)]);
    let worker = Worker::start(&mut command, corpus)?;
    Ok(Contender::elsewhere(name, corpus.documents.len(), worker))
}

/// The table: a row for each class and style.
pub fn table(ratios: &[Ratios]) -> Table {
    let rows = ratios.iter().map(|ratios| {
        let middle = ratios.middle();
        let of = |ratio: fn(&SpeedUp) -> f64| {
            let each: Vec<_> = ratios
                .programs
                .iter()
                .map(|r| format!("{:.3}", ratio(r)))
                .collect();
            Cell::from(each.join(", "))
        };
        vec![
            Cell::from(format!("{}: {}", ratios.class, ratios.style)),
            Cell::from(format!("{:.3}", middle.median)),
            Cell::from(format!("{:.3}", middle.least)),
            of(|ratio| ratio.median),
            of(|ratio| ratio.least),
        ]
    });
    Table {
        heading: format!(
            "In {} programs of the same source, against borrowed in the same",
            UNITS.len()
        ),
        titles: vec!["contender", "middle", "by best", "each", "each by best"],
        rows: rows.collect(),
    }
}
