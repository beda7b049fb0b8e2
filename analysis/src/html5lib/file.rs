//! The `.test` files of html5lib-tests, of all years.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;

use super::{Case, ExpectedError, ExpectedErrors, Skip, Skipped, Start, Suite, read_token};
use crate::json_escapes::{LoneSurrogate, has_lone_surrogate, unescape};
use crate::token::{Emitted, Output, Token};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    #[serde(borrow, default)]
    tests: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    xml_violation_tests: Vec<&'a RawValue>,
}

/// A test as written. The key `ignoreErrorOrder` is not read: the order of errors among tokens is never
/// looked at, only where they are or how many.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    description: String,
    input: String,
    output: Vec<Json>,
    initial_states: Option<Vec<String>>,
    content_model_flags: Option<Vec<String>>,
    last_start_tag: Option<String>,
    #[serde(default)]
    double_escaped: bool,
    /// Not in html5lib-tests, which has no test inside foreign content.
    #[serde(default)]
    cdata_allowed: bool,
    errors: Option<Vec<ExpectedError>>,
}

/// Reads all `.test` files of a folder, in the order of their names.
///
/// # Errors
/// When a file cannot be read or is not such a file.
pub fn read_folder(folder: &Path) -> Result<Suite, String> {
    let shown = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(shown)? {
        let path = entry.map_err(shown)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "test")
        {
            paths.push(path);
        }
    }
    paths.sort();
    let mut suite = Suite::default();
    for path in paths {
        let text = std::fs::read_to_string(&path).map_err(shown)?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let Suite { cases, skipped } = read_tests(&file, &text)?;
        suite.cases.extend(cases);
        suite.skipped.extend(skipped);
    }
    Ok(suite)
}

/// Reads one `.test` file.
///
/// # Errors
/// When it is not such a file: what is wrong, and in which test.
pub fn read_tests(file: &str, text: &str) -> Result<Suite, String> {
    let written: File<'_> = serde_json::from_str(text).map_err(|e| format!("{file}: {e}"))?;
    let mut suite = Suite::default();
    for (index, test) in written.tests.iter().enumerate() {
        read_test(file, index, test.get(), &mut suite)
            .map_err(|what| format!("{file}#{index}: {what}"))?;
    }
    let coercions = written.xml_violation_tests.len();
    suite.skipped.extend((0..coercions).map(|index| Skipped {
        file: file.to_owned(),
        index,
        why: Skip::InfosetCoercion,
    }));
    Ok(suite)
}

fn read_test(file: &str, index: usize, written: &str, suite: &mut Suite) -> Result<(), String> {
    let mut skip = |runs: usize| {
        let why = Skip::LoneSurrogate;
        let file = file.to_owned();
        let skipped = Skipped { file, index, why };
        suite.skipped.extend(std::iter::repeat_n(skipped, runs));
    };
    let mut test: Test = match serde_json::from_str(written) {
        Ok(test) => test,
        Err(_) if has_lone_surrogate(written) => {
            skip(1);
            return Ok(());
        }
        Err(e) => return Err(e.to_string()),
    };
    let starts: Vec<Start> = match (test.initial_states.take(), test.content_model_flags.take()) {
        (Some(states), _) => states.into_iter().map(Start::State).collect(),
        (None, Some(flags)) => flags.into_iter().map(Start::ContentModel).collect(),
        (None, None) => vec![Start::State("Data state".to_owned())],
    };
    if test.double_escaped {
        let strings = std::iter::once(unescape(&mut test.input));
        let outputs = test.output.iter_mut().map(unescape_all);
        if strings.chain(outputs).any(|done| done.is_err()) {
            skip(starts.len());
            return Ok(());
        }
    }
    let inline_errors = test.output.iter().filter(|item| **item == "ParseError");
    let errors = match test.errors {
        Some(errors) => ExpectedErrors::Exact(errors),
        None => ExpectedErrors::Count(inline_errors.count()),
    };
    let tokens: Vec<Token> = (test.output.iter())
        .filter(|item| **item != "ParseError")
        .map(read_token)
        .collect::<Result<_, _>>()?;
    let tokens = joined(tokens);
    suite.cases.extend(starts.into_iter().map(|start| Case {
        file: file.to_owned(),
        index,
        id: format!("{file}#{index}"),
        description: test.description.clone(),
        start,
        input: test.input.clone(),
        last_start_tag: test.last_start_tag.clone(),
        cdata_allowed: test.cdata_allowed,
        tokens: tokens.clone(),
        errors: errors.clone(),
    }));
    Ok(())
}

/// Joins the character tokens that stood on both sides of a `ParseError`.
fn joined(tokens: Vec<Token>) -> Vec<Token> {
    let emitted = |token| Emitted { token, span: 0..0 };
    let output = Output {
        tokens: tokens.into_iter().map(emitted).collect(),
        errors: Vec::new(),
    };
    let tokens = output.coalesced().tokens.into_iter();
    tokens.map(|emitted| emitted.token).collect()
}

/// Resolves `\uHHHH` in all strings of a value, keys included.
fn unescape_all(value: &mut Json) -> Result<(), LoneSurrogate> {
    match value {
        Json::String(text) => unescape(text),
        Json::Array(items) => items.iter_mut().try_for_each(unescape_all),
        Json::Object(members) => {
            let written = std::mem::take(members);
            for (mut key, mut member) in written {
                unescape(&mut key)?;
                unescape_all(&mut member)?;
                members.insert(key, member);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
