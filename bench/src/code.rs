//! What a tokenizer costs a crate that has it: compile time and machine code, measured on a crate that
//! is made for it, with the generated module, one of the sinks and nothing else.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::cargo;
use crate::ours::{kept, sinks};
use crate::table::{Cell, Table};

/// Types as source text. This crate names them too, so that it does not compile when they are gone.
macro_rules! sinks {
    ($($name:expr => $sink:ty),* $(,)?) => {
        /// The sinks: a name, the type.
        const SINKS: &[(&str, &str)] = &[$(($name, stringify!($sink))),*];
        const _: fn() = || {
            $(let _ = <$sink as Default>::default;)*
        };
    };
}

sinks! {
    BORROWED => sinks::Borrowed::<true, 0>,
    "parse errors" => sinks::Borrowed::<true, 1>,
    "all errors" => sinks::Borrowed::<true, 2>,
    "owned, collected" => kept::Collected::<true>,
    "Collector" => speclex::markup::Collector,
}

/// The sink whose cost the aims are about.
pub const BORROWED: &str = "borrowed";

/// The crate is called so; its own code is found by it.
const CRATE: &str = "measured";

/// A crate that has tokenizers.
struct Scratch {
    folder: PathBuf,
}

/// What one costs.
#[derive(Clone, Debug)]
pub struct Cost {
    /// What was compiled.
    pub name: String,
    /// Seconds of CPU and of the clock on the wall, optimised.
    pub release: (f64, f64),
    /// The same, not optimised.
    pub debug: (f64, f64),
    /// Bytes of machine code of the tokenizer and the sink, the runtime's included; for one tokenizer.
    pub code: Option<u64>,
}

/// Measures `html-living` with each sink, and all tokenizers at once.
///
/// # Errors
/// When something cannot be built.
pub fn measure() -> io::Result<Vec<Cost>> {
    let scratch = Scratch {
        folder: cargo::target()?.join("bench-scratch"),
    };
    let generated = cargo::root().join("tokenizers/src/generated");
    let mut modules = Vec::new();
    for entry in fs::read_dir(&generated)? {
        let name = entry?.file_name().to_string_lossy().replace(".rs", "");
        modules.push(name);
    }
    modules.sort();
    modules.retain(|name| name != "mod");
    let tokenizers: Vec<_> = modules
        .iter()
        .filter(|m| !m.starts_with("references"))
        .collect();
    let mut costs = Vec::new();
    for (name, sink) in SINKS {
        scratch.write(&modules, &["html_living"], sink)?;
        costs.push(scratch.cost(format!("html-living, {name}"), true)?);
    }
    let all: Vec<_> = tokenizers.iter().map(|m| m.as_str()).collect();
    scratch.write(&modules, &all, SINKS[0].1)?;
    costs.push(scratch.cost(format!("all {} tokenizers, {BORROWED}", all.len()), false)?);
    Ok(costs)
}

impl Scratch {
    fn write(&self, modules: &[String], used: &[&str], sink: &str) -> io::Result<()> {
        let root = cargo::root();
        let root = root.display();
        let mut main = String::from("#![allow(dead_code, unused_imports)]\n");
        let mut module = |name: &str, path: &str| {
            main += &format!("#[path = \"{root}/{path}\"]\nmod {name};\n");
        };
        module("feedback", "bench/src/feedback.rs");
        module("tally", "bench/src/tally.rs");
        module("sinks", "bench/src/ours/sinks.rs");
        module("kept", "bench/src/ours/kept.rs");
        for name in modules {
            let needed = used.contains(&name.as_str()) || name.starts_with("references");
            if needed {
                module(name, &format!("tokenizers/src/generated/{name}.rs"));
            }
        }
        main += "fn main() -> std::io::Result<()> {\n\
                 let text = std::io::read_to_string(std::io::stdin())?;\n";
        for name in used {
            main += &format!(
                "let mut tokenizer = {name}::Tokenizer::new(<{sink} as Default>::default());\n\
                 let _ = tokenizer.feed(&text).and_then(|_| tokenizer.end());\n\
                 std::hint::black_box(tokenizer.into_sink());\n"
            );
        }
        main += "Ok(())\n}\n";
        let manifest = format!(
            "[package]\nname = \"{CRATE}\"\nedition = \"2024\"\n\n[dependencies]\nspeclex = {{ path = \
             \"{root}/runtime\", default-features = false, features = [\"std\", \"simd\"] }}\n\n\
             [profile.dev]\nincremental = false\n\n[workspace]\n"
        );
        fs::create_dir_all(self.folder.join("src"))?;
        fs::write(self.folder.join("Cargo.toml"), manifest)?;
        fs::write(self.folder.join("src/main.rs"), main)
    }

    fn cost(&self, name: String, with_code: bool) -> io::Result<Cost> {
        let release = self.compile(&["--release"])?;
        let code = with_code.then(|| self.code()).transpose()?;
        let debug = self.compile(&[])?;
        Ok(Cost {
            name,
            release,
            debug,
            code,
        })
    }

    /// Seconds to build the crate, its dependencies being built.
    fn compile(&self, options: &[&str]) -> io::Result<(f64, f64)> {
        let mut build = cargo::cargo(&self.folder, &self.folder.join("target"));
        // Names of functions tell the types that they are instances for.
        build.env("RUSTFLAGS", "-Csymbol-mangling-version=v0");
        build.args(["build", "--quiet"]).args(options);
        cargo::output(&mut build)?;
        fs::OpenOptions::new()
            .append(true)
            .open(self.folder.join("src/main.rs"))?
            .set_modified(std::time::SystemTime::now())?;
        let (cpu, wall) = (children_seconds()?, Instant::now());
        cargo::output(&mut build)?;
        Ok((children_seconds()? - cpu, wall.elapsed().as_secs_f64()))
    }

    /// The sizes of the functions that belong to the crate or to the runtime.
    fn code(&self) -> io::Result<u64> {
        let program = self.folder.join("target/release").join(CRATE);
        let said = cargo::output(Command::new("nm").args(["-C", "-S"]).arg(program))?;
        let text = String::from_utf8_lossy(&said.stdout);
        Ok(text.lines().filter_map(function_size).sum())
    }
}

/// A line of `nm -S`: address, size, kind, name. The size, for code of ours.
fn function_size(line: &str) -> Option<u64> {
    let mut words = line.splitn(4, ' ');
    let (_, size, kind, name) = (words.next()?, words.next()?, words.next()?, words.next()?);
    let is_ours = name.contains(CRATE) || name.contains("speclex");
    (matches!(kind, "t" | "T" | "w" | "W") && is_ours)
        .then(|| u64::from_str_radix(size, 16).ok())
        .flatten()
}

/// The CPU time, user's and system's, of all processes that this one has waited for: columns 16 and 17
/// of its line in `/proc`, in hundredths of a second.
fn children_seconds() -> io::Result<f64> {
    let line = fs::read_to_string(Path::new("/proc/self/stat"))?;
    // The second column may have spaces, but is in parentheses.
    let rest = line.rsplit(')').next().unwrap_or_default();
    let ticks: f64 = rest
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|word| word.parse::<f64>().ok())
        .sum();
    Ok(ticks / 100.0)
}

/// The table.
pub fn table(costs: &[Cost]) -> Table {
    let rows = costs
        .iter()
        .map(|cost| {
            vec![
                Cell::from(cost.name.as_str()),
                cost.release.0.into(),
                cost.debug.0.into(),
                cost.release.1.into(),
                cost.debug.1.into(),
                cost.code.into(),
            ]
        })
        .collect();
    Table {
        heading: "Compile time, and machine code of tokenizer, sink and runtime".to_owned(),
        titles: vec![
            "crate with",
            "release, CPU s",
            "debug, CPU s",
            "release, s",
            "debug, s",
            "code bytes",
        ],
        rows,
    }
}
