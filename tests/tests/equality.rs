//! Generated tokenizers and the interpreter agree: on random inputs for every entry state, short ones and ones with long
//! runs, and on real documents; whole and at random splits. With `--ignored` those of older revisions.

use speclex_codegen::machine::Feedback;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed};
use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::token::{Output, StreamErrors};
use speclex_tests::alphabet::Alphabet;
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::revision::{Revision, is_newest};
use speclex_tests::{files, shared, splits};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Random inputs for each entry state.
const INPUTS: usize = 100_000;

/// And fewer with a long run in each: the interpreter takes longer for them.
const RUNS: usize = 5_000;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut cases = Cases::new("equality");
    for table in speclex_tables::all() {
        let revision = Revision::shared(table.name);
        let machine = &revision.machine;
        for entry in &machine.entries {
            let content = machine.vocabulary.contents[entry.content as usize].clone();
            cases.add_trial(format!("{}/random/{content}", table.name), {
                let content = content.clone();
                move || random_inputs(revision, &content, INPUTS, |a, r| (a.text(12, r), 4))
            });
            cases.add_trial(format!("{}/runs/{content}", table.name), move || {
                random_inputs(revision, &content, RUNS, |a, r| (a.run(r), 100))
            });
        }
        cases.add_trial(
            format!("{}/newline in the last start tag's name", table.name),
            move || newline_in_a_name(revision),
        );
        if let Some(corpora) = shared("corpora") {
            for file in files(&corpora, &["html", "xml", "svg"]) {
                let named = |path: &Path| {
                    let path = path.strip_prefix(&corpora).unwrap_or(path);
                    format!("{}/{}", table.name, path.display())
                };
                let folder = named(file.parent().unwrap_or(&file));
                cases.add(folder, named(&file), move || document(revision, &file));
            }
        }
    }
    cases.ignore(|trial| !is_newest(trial));
    cases.run(arguments).exit_code()
}

/// `make` makes an input and says how long its chunks are at most.
fn random_inputs(
    revision: &Revision,
    content: &str,
    count: usize,
    make: fn(&Alphabet, &mut Random) -> (String, usize),
) -> Result<(), Failed> {
    let alphabet = Alphabet::of(&revision.machine);
    let mut random = Random::named(&format!("{}/{content}", revision.machine.name));
    let stream = StreamErrors::of(&revision.machine);
    let (mut generated, mut interpreter) = (revision.generated(), revision.interpreter());
    for _ in 0..count {
        let (input, longest) = make(&alphabet, &mut random);
        let chunks = splits::random(input.len(), 1 + random.below(longest), &mut random);
        let request = Request {
            input: &input,
            content: Some(content),
            last_start_tag: (random.below(4) > 0).then(|| *random.one(&["script", "a", "x"])),
            cdata_allowed: random.below(2) == 0,
            ..Request::default()
        };
        let expected = run(&mut *interpreter, &stream, &request)?;
        for chunks in [&[], chunks.as_slice()] {
            check_cut(&mut *generated, &stream, &expected, &request, chunks)?;
        }
    }
    Ok(())
}

/// A caller may set such a name. Tables that look ahead for it see newlines as they are after preprocessing.
fn newline_in_a_name(revision: &Revision) -> Result<(), Failed> {
    let machine = &revision.machine;
    let stream = StreamErrors::of(machine);
    let (mut generated, mut interpreter) = (revision.generated(), revision.interpreter());
    for content in &machine.vocabulary.contents {
        for input in ["</A\nb>", "</a\rb>", "</a\r\nb>", "</a\r", "</a\n\nb>"] {
            let chunks = splits::bytes(input.len());
            let whole = Request {
                input,
                content: revision.starts.state(content),
                last_start_tag: Some("a\nb"),
                ..Request::default()
            };
            let expected = run(&mut *interpreter, &stream, &whole)?;
            for chunks in [&[], chunks.as_slice()] {
                check_cut(&mut *generated, &stream, &expected, &whole, chunks)?;
            }
        }
    }
    Ok(())
}

fn document(revision: &Revision, path: &Path) -> Result<(), Failed> {
    let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
    let input = String::from_utf8_lossy(&bytes);
    let stream = StreamErrors::of(&revision.machine);
    let (mut generated, mut interpreter) = (revision.generated(), revision.interpreter());
    let request = Request {
        input: &input,
        feedback: Feedback::Scripting,
        ..Request::default()
    };
    let expected = run(&mut *interpreter, &stream, &request)?;
    check_cut(&mut *generated, &stream, &expected, &request, &[])?;
    let mut random = Random::named(&format!("{}{}", revision.machine.name, path_name(path)));
    for longest in [7, 1000, 60_000] {
        let chunks = splits::random(input.len(), longest, &mut random);
        check_cut(&mut *generated, &stream, &expected, &request, &chunks)?;
    }
    Ok(())
}

fn path_name(path: &Path) -> String {
    PathBuf::from(path.file_name().unwrap_or_default())
        .display()
        .to_string()
}

fn run(
    engine: &mut dyn Engine,
    stream: &StreamErrors,
    request: &Request<'_>,
) -> Result<Output, String> {
    Ok(engine
        .tokenize(request)?
        .coalesced()
        .with_sorted_errors(stream))
}

/// Compares what comes of a request that is cut.
fn check_cut(
    engine: &mut dyn Engine,
    stream: &StreamErrors,
    expected: &Output,
    request: &Request<'_>,
    chunks: &[usize],
) -> Result<(), String> {
    let request = Request { chunks, ..*request };
    same(expected, &run(engine, stream, &request)?, &request)
}

/// Compares tokens, spans and errors.
fn same(expected: &Output, found: &Output, request: &Request<'_>) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    let different = expected
        .tokens
        .iter()
        .zip(&found.tokens)
        .find(|(a, b)| a != b);
    let error = expected
        .errors
        .iter()
        .zip(&found.errors)
        .find(|(a, b)| a != b);
    let input = if request.input.len() > 300 {
        "(a document)"
    } else {
        request.input
    };
    Err(format!(
        "generated code and interpreter differ\n  input {input:?} in {:?}, chunks {:?}, last start tag {:?}, CDATA {}\n  \
         tokens: {} interpreted, {} generated; first difference {different:?}\n  \
         errors: {} interpreted, {} generated; first difference {error:?}",
        request.content,
        &request.chunks[..request.chunks.len().min(40)],
        request.last_start_tag,
        request.cdata_allowed,
        expected.tokens.len(),
        found.tokens.len(),
        expected.errors.len(),
        found.errors.len(),
    ))
}
