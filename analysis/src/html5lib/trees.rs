//! The `.dat` files of tree construction tests. The tests of `html5ever/` include this file: they need nothing else of this crate.

/// One test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TreeCase {
    /// The name of its file.
    pub file: String,
    /// The line of its `#data`.
    pub line: usize,
    /// The input.
    pub data: String,
    /// A line for each error; `None` if the test has no `#errors`.
    pub errors: Option<Vec<String>>,
    /// The context element of a fragment: its name, after `svg ` or `math ` if it is not one of HTML.
    pub context: Option<String>,
    /// Whether scripting is on; `None` if the tree is the same either way.
    pub scripting: Option<bool>,
    /// The dump of the tree, without a newline at its end.
    pub document: String,
}

/// What the lines of a file belong to.
enum Part {
    Nothing,
    Data,
    Errors,
    /// Errors once more, of the tokenizer only, by the standard's codes.
    NewErrors,
    Context,
    Document,
}

/// Reads a file.
///
/// # Errors
/// What is not as it should be, and where.
pub fn read_dat(file: &str, text: &str) -> Result<Vec<TreeCase>, String> {
    let mut cases: Vec<TreeCase> = Vec::new();
    let mut part = Part::Nothing;
    for (line, number) in text.split('\n').zip(1..) {
        let wrong = |what: &str| Err(format!("{file}:{number}: {what}"));
        if line == "#data" && matches!(part, Part::Nothing | Part::Document) {
            cases.push(TreeCase {
                file: file.to_owned(),
                line: number,
                ..TreeCase::default()
            });
            part = Part::Data;
            continue;
        }
        let Some(case) = cases.last_mut() else {
            if line.is_empty() {
                continue;
            }
            return wrong("expected `#data`");
        };
        match (&part, line) {
            (Part::Data, "#errors") => {
                case.errors = Some(Vec::new());
                part = Part::Errors;
            }
            (Part::Data | Part::Errors | Part::NewErrors, "#document") => part = Part::Document,
            (Part::Errors, "#new-errors") => part = Part::NewErrors,
            (Part::Data | Part::Errors | Part::NewErrors, "#document-fragment") => {
                part = Part::Context;
            }
            (Part::Errors | Part::NewErrors, "#script-on") => case.scripting = Some(true),
            (Part::Errors | Part::NewErrors, "#script-off") => case.scripting = Some(false),
            (Part::Context, line) => {
                case.context = Some(line.to_owned());
                part = Part::NewErrors;
            }
            (Part::Data, line) => {
                case.data.push_str(line);
                case.data.push('\n');
            }
            (Part::Errors | Part::NewErrors, line) if line.starts_with('#') || line.is_empty() => {
                return wrong("expected an error or `#document`");
            }
            (Part::Errors, line) => case.errors.get_or_insert_default().push(line.to_owned()),
            (Part::NewErrors, _) => {}
            (Part::Nothing | Part::Document, line) => {
                case.document.push_str(line);
                case.document.push('\n');
            }
        }
    }
    if !matches!(part, Part::Nothing | Part::Document) {
        return Err(format!("{file}: the last test has no `#document`"));
    }
    for case in &mut cases {
        // The newline before `#errors` belongs to the form; so do those between tests.
        case.data.pop();
        case.document
            .truncate(case.document.trim_end_matches('\n').len());
    }
    Ok(cases)
}
