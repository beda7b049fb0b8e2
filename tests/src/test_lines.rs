//! Test files with one test a line: the expectations for processing instructions.

use serde::Deserialize;
use serde_json::Value as Json;

use speclex_analysis::html5lib::{Case, ExpectedError, ExpectedErrors, Start, Suite};
use speclex_analysis::testing::read_token;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    id: String,
    input: String,
    initial_state: Option<String>,
    last_start_tag: Option<String>,
    #[serde(default)]
    cdata_allowed: bool,
    output: Vec<Json>,
    errors: Vec<ExpectedError>,
    description: Option<String>,
}

/// Reads a file of one JSON object a line.
///
/// # Errors
/// When a line is not such an object: which, and what is wrong.
pub fn read_lines(file: &str, text: &str) -> Result<Suite, String> {
    let mut suite = Suite::default();
    let lines = text.lines().enumerate();
    for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let case = read_line(file, index, line);
        suite
            .cases
            .push(case.map_err(|what| format!("{file}:{}: {what}", index + 1))?);
    }
    Ok(suite)
}

fn read_line(file: &str, index: usize, line: &str) -> Result<Case, String> {
    let line: Line = serde_json::from_str(line).map_err(|e| e.to_string())?;
    let start = line
        .initial_state
        .unwrap_or_else(|| "Data state".to_owned());
    Ok(Case {
        file: file.to_owned(),
        index,
        description: line.description.unwrap_or_default(),
        id: line.id,
        start: Start::State(start),
        input: line.input,
        last_start_tag: line.last_start_tag,
        cdata_allowed: line.cdata_allowed,
        tokens: line
            .output
            .iter()
            .map(read_token)
            .collect::<Result<_, _>>()?,
        errors: ExpectedErrors::Exact(line.errors),
    })
}
