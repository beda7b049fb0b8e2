//! Tests in the form of html5lib-tests.

use super::search::Test;
use crate::tree::errors::merged;
use crate::tree::{Parser, Refusal};
use crate::tree_diff::Side;

/// The file: for each test its text, its errors with their places, the context element of a fragment, whether scripts run if that
/// makes a difference, and the tree.
///
/// # Errors
/// When a document cannot be parsed.
pub fn write(side: Side<'_>, tests: &[Test]) -> Result<String, Refusal> {
    let mut parser = Parser::new(side.tokenizer, side.tree);
    let mut text = String::new();
    for test in tests {
        let mut parse = |scripting| {
            let test = Test {
                scripting,
                ..test.clone()
            };
            let parsed = parser.parse(&test.input, &test.environment())?;
            let errors = merged(
                side.tree,
                &test.input,
                &parsed.tokenizer_errors,
                &parsed.tree_errors,
            );
            let errors: String = errors.iter().map(|error| format!("{error}\n")).collect();
            Ok::<_, Refusal>((errors, parsed.tree.dump()))
        };
        let (errors, tree) = parse(test.scripting)?;
        let context = test.context.as_ref();
        let context = context.map_or(String::new(), |it| format!("#document-fragment\n{it}\n"));
        let scripting = match (
            parse(!test.scripting)? == (errors.clone(), tree.clone()),
            test.scripting,
        ) {
            (true, _) => "",
            (false, true) => "#script-on\n",
            (false, false) => "#script-off\n",
        };
        let separator = if text.is_empty() { "" } else { "\n" };
        let input = &test.input;
        text += &format!(
            "{separator}#data\n{input}\n#errors\n{errors}{context}{scripting}#document\n{tree}"
        );
    }
    Ok(text)
}

/// Whether a text is such a file: the errors of others begin otherwise than with a line, a column and a code.
pub fn is_suite(text: &str) -> bool {
    let is_place = |place: &str| {
        let place = place.split_once(':');
        place.is_some_and(|(line, column)| {
            line.parse::<u64>().is_ok() && column.parse::<u64>().is_ok()
        })
    };
    let mut errors = text.split("\n#errors\n").skip(1);
    let mut errors = errors.by_ref().filter(|it| !it.starts_with('#')).peekable();
    let has_errors = errors.peek().is_some();
    has_errors && errors.all(|it| it.split_once(' ').is_some_and(|(place, _)| is_place(place)))
}
