//! What a table makes of an input: tokens, errors and the tree.

use serde::Serialize;
use speclex_analysis::engine::{Engine, InterpreterEngine, Request};
use speclex_analysis::position::Lines;
use speclex_analysis::token::{Emitted, Output, StreamErrors, Token};
use speclex_analysis::token_text::Described;
use speclex_analysis::tree::errors::merged;
use speclex_analysis::tree::{Context, Environment, Refusal, Tree, parse};
use speclex_codegen::files::FoundTree;
use speclex_codegen::machine::Machine;
use speclex_codegen::{Either, tree};

use crate::case::{Start, Table};
use crate::library::{Library, Refused};

/// What comes of an input.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// The table's name.
    pub table: String,
    /// Its title.
    pub title: String,
    /// The tokens.
    pub tokens: Vec<TokenRow>,
    /// The errors, by place.
    pub errors: Vec<ErrorRow>,
    /// The tree in html5lib's form.
    pub tree: Option<String>,
    /// The table that built the tree; or else why there is none.
    pub built_by: String,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TokenRow {
    /// Its kind: `start tag`.
    pub kind: String,
    /// As `speclex tokenize` prints it.
    pub text: String,
    /// Byte offset of its start.
    pub start: u64,
    /// Byte offset of its end.
    pub end: u64,
}

/// A parse error.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorRow {
    /// Its code; `parse-error` if it has none.
    pub code: String,
    /// Its place and what it is about, as `speclex tree` prints it.
    pub text: String,
    /// Byte offset.
    pub offset: u64,
}

/// What a table makes of an input. That of a tokenizer has a tree, too, if a table of tree construction ships for it.
pub(crate) fn outcome(
    library: &Library,
    table: &Table,
    input: &str,
    start: &Start,
) -> Result<Outcome, Refused> {
    match &*library.load(table)? {
        Either::Tree(found) => of_tree(found, input, start),
        Either::States(found) => {
            let machine = &found.loaded.machine;
            let mut outcome = of_states(machine, input, start)?;
            match builder(&machine.name) {
                // An edit of a tokenizer: with the same tree construction.
                Some(name) => match &*library.load(&Table::named(name))? {
                    Either::Tree(tree) => {
                        let with = FoundTree {
                            tokenizer: found.loaded.clone(),
                            ..(**tree).clone()
                        };
                        let built = of_tree(&with, input, start)?;
                        if built.tokens == outcome.tokens {
                            outcome.tree = built.tree;
                            outcome.built_by = built.built_by;
                        } else {
                            outcome.built_by = "Tree construction reads this input as a page, which has other tokens.".to_owned();
                        }
                    }
                    Either::States(_) => {}
                },
                None => {
                    outcome.built_by =
                        format!("No table of tree construction ships for {}.", machine.name);
                }
            }
            Ok(outcome)
        }
    }
}

/// The youngest table of tree construction that says that it belongs to a tokenizer.
fn builder(tokenizer: &str) -> Option<&'static str> {
    let mut trees = speclex_tables::trees().iter();
    let found = trees.rfind(|it| tree::tokenizer(it.text).as_deref() == Some(tokenizer));
    found.map(|table| table.name)
}

fn of_states(machine: &Machine, input: &str, start: &Start) -> Result<Outcome, Refused> {
    let setup = start.setup();
    let request = Request {
        skip_bom: !start.states_alone,
        ..setup.request(input)
    };
    let output = InterpreterEngine::new(machine).tokenize(&request);
    let output = output.map_err(Refused::Other)?.coalesced();
    let output = output.with_sorted_errors(&StreamErrors::of(machine));
    let lines = Lines::new(input);
    let errors = output.errors.into_iter().map(|error| {
        let at = lines.position(error.offset);
        ErrorRow {
            text: format!("{}:{} {}", at.line, at.column, error.code),
            code: error.code,
            offset: error.offset,
        }
    });
    Ok(Outcome {
        table: machine.name.clone(),
        title: machine.title.clone(),
        errors: errors.collect(),
        tokens: tokens(machine, &output.tokens),
        tree: None,
        built_by: String::new(),
    })
}

fn tokens(machine: &Machine, tokens: &[Emitted]) -> Vec<TokenRow> {
    let row = |Emitted { token, span }: &Emitted| TokenRow {
        kind: match token {
            Token::Characters(_) => "characters".to_owned(),
            Token::Declared { kind, .. } => kind.clone(),
        },
        text: Described { machine, token }.to_string(),
        start: span.start,
        end: span.end,
    };
    tokens.iter().map(row).collect()
}

/// What a document or fragment is parsed for.
pub(crate) fn environment(start: &Start) -> Environment {
    Environment {
        scripting: start.scripting(),
        context: start.context.as_deref().map(Context::parse),
        has_shadow_roots: start.shadow_roots,
        skip_bom: true,
        ..Environment::default()
    }
}

fn of_tree(found: &FoundTree, input: &str, start: &Start) -> Result<Outcome, Refused> {
    let (machine, builder) = (&found.tokenizer.machine, &found.tree.machine);
    let parsed = parse(machine, builder, input, &environment(start));
    let parsed = parsed.map_err(|refusal| endless(found, refusal))?;
    let (stream, tree) = (&parsed.tokenizer_errors, &parsed.tree_errors);
    // In the order of `merged`: those of the tokenizer come first where both are at one place.
    let mut offsets: Vec<u64> = stream.iter().map(|it| it.offset).collect();
    offsets.extend(tree.iter().map(|it| it.offset));
    offsets.sort_unstable();
    let errors = merged(builder, input, stream, tree)
        .into_iter()
        .zip(offsets);
    let errors = errors.map(|(error, offset)| ErrorRow {
        code: error.code.to_owned(),
        text: error.to_string(),
        offset,
    });
    let dump = dump(&parsed.tree);
    let output = Output {
        tokens: parsed.tokens,
        ..Output::default()
    };
    Ok(Outcome {
        table: builder.name.clone(),
        title: builder.title.clone(),
        errors: errors.collect(),
        tokens: tokens(machine, &output.coalesced().tokens),
        built_by: match dump {
            Some(_) => builder.name.clone(),
            None => "The tree is too deep to be shown.".to_owned(),
        },
        tree: dump,
    })
}

/// The tree in html5lib's form, unless it is far too large: each line begins with two spaces for each parent.
fn dump(tree: &Tree) -> Option<String> {
    const MOST: usize = 4 << 20;
    let mut bytes = vec![0; MOST];
    // A slice does not grow: what does not fit is an error.
    let mut left = &mut bytes[..];
    tree.write_dump(&mut left).ok()?;
    let length = MOST - left.len();
    bytes.truncate(length);
    String::from_utf8(bytes).ok()
}

/// Steps of a table that come to no end are faults of it.
pub(crate) fn endless(found: &FoundTree, refusal: Refusal) -> Refused {
    match refusal {
        Refusal::Tree(fault) => {
            let message = format!(
                "these steps {} with the token at byte {}",
                fault.loops, fault.offset
            );
            found.tree.endless(fault.place, &message).into()
        }
        Refusal::Other(text) => Refused::Other(text),
    }
}
