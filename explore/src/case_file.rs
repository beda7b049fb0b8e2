//! An input and what comes of it, as a test of html5lib-tests.

use serde_json::json;
use speclex_analysis::engine::{Engine, InterpreterEngine};
use speclex_analysis::html5lib::{self, Form};
use speclex_analysis::position::Lines;
use speclex_analysis::token::StreamErrors;
use speclex_codegen::Either;
use speclex_codegen::machine::Machine;

use crate::case::{Start, Table};
use crate::compare;
use crate::library::{Library, Refused};

/// The file of a test, which says what the table makes of the input.
pub(crate) fn test(
    library: &Library,
    table: &Table,
    input: &str,
    start: &Start,
) -> Result<String, Refused> {
    match &*library.load(table)? {
        Either::States(found) => of_states(&found.loaded.machine, input, start),
        Either::Tree(_) => {
            let outcome = compare::outcome(library, table, input, start)?;
            let Some(tree) = outcome.tree else {
                return Err(Refused::Other(outcome.built_by));
            };
            let errors = outcome
                .errors
                .iter()
                .map(|error| format!("{}\n", error.text));
            let errors: String = errors.collect();
            let context = start.context.as_ref();
            let context = context.map_or(String::new(), |it| format!("#document-fragment\n{it}\n"));
            let scripting = match start.scripting.as_deref() {
                Some("disabled") => "#script-off\n",
                _ => "#script-on\n",
            };
            Ok(format!(
                "#data\n{input}\n#errors\n{errors}{context}{scripting}#document\n{tree}"
            ))
        }
    }
}

/// Such tests are of the states alone: no start tag switches them.
fn of_states(machine: &Machine, input: &str, start: &Start) -> Result<String, Refused> {
    let setup = Start {
        states_alone: true,
        ..start.clone()
    }
    .setup();
    let output = InterpreterEngine::new(machine).tokenize(&setup.request(input));
    let output = output.map_err(Refused::Other)?.coalesced();
    let output = output.with_sorted_errors(&StreamErrors::of(machine));
    let form = Form::of(machine);
    let tokens = output.tokens.iter().map(|it| form.to_json(&it.token));
    let lines = Lines::new(input);
    let errors = output.errors.iter().map(|error| {
        let at = lines.position(error.offset);
        json!({"code": error.code, "line": at.line, "col": at.column})
    });
    let content = start.content.as_deref();
    let content = content.or_else(|| machine.contents().next().map(|(_, content)| content));
    let mut test = json!({
        "description": format!("{}: {input:?}", machine.name),
        "initialStates": [html5lib::Start::of_content(content.unwrap_or_default()).to_string()],
        "input": input,
        "output": tokens.collect::<Vec<_>>(),
        "errors": errors.collect::<Vec<_>>(),
    });
    if let Some(name) = &start.last_start_tag {
        test["lastStartTag"] = json!(name);
    }
    if start.answer {
        test["cdataAllowed"] = json!(true);
    }
    Ok(format!("{:#}\n", json!({"tests": [test]})))
}
