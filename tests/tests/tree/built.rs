//! The generated builders beside the interpreter: the same trees and errors, however the input comes.

use libtest_mimic::Failed;
use speclex::tree::{Context as Element, DocumentMode, Options, Space, TagAttributes, TreeError};
use speclex::{DomSink, Tokenizer};
use speclex_analysis::tree::{ContextMode, Environment, Parsed, Scripting};
use speclex_tokenizers::{html_2026_06, html_tree_2026_06};

type Sink<'t> = html_tree_2026_06::Builder<DomSink<'t, true>>;

/// What a builder makes of an input.
pub(crate) struct Built {
    pub(crate) dump: String,
    pub(crate) errors: Vec<TreeError>,
}

fn options(environment: &Environment) -> Options {
    let mut options = Options::default();
    options.scripting = match environment.scripting {
        Scripting::Normal => speclex::tree::Scripting::Normal,
        Scripting::Disabled => speclex::tree::Scripting::Disabled,
        Scripting::Inert => speclex::tree::Scripting::Inert,
        Scripting::Fragment => speclex::tree::Scripting::Fragment,
    };
    options.context_mode = match environment.context_mode {
        ContextMode::NoQuirks => DocumentMode::NoQuirks,
        ContextMode::LimitedQuirks => DocumentMode::LimitedQuirks,
        ContextMode::Quirks => DocumentMode::Quirks,
    };
    options.is_srcdoc = environment.is_srcdoc;
    options
}

/// Builds a tree from an input in pieces.
pub(crate) fn build(pieces: &[&str], environment: &Environment) -> Built {
    let input = pieces.concat();
    let sink = DomSink::new(&input, &html_tree_2026_06::NAMES);
    let options = options(environment);
    let mut builder: Sink<'_> = match &environment.context {
        None => Sink::new(sink, &options),
        Some(context) => {
            let context = Element {
                node: None,
                space: match context.space.as_str() {
                    "SVG" => Space::Svg,
                    "MathML" => Space::MathMl,
                    _ => Space::Html,
                },
                local: &context.name,
                attributes: TagAttributes::NONE,
                ancestors: &[],
            };
            Sink::for_fragment(sink, &options, context)
        }
    };
    let content = builder.first_content();
    let mut tokenizer = Tokenizer::<html_2026_06::Machine<Sink<'_>>>::new(builder);
    if let Some(content) = content {
        tokenizer.enter(content).expect("the tokenizer has all contents");
    }
    for piece in pieces {
        tokenizer.feed(piece).expect("nothing is too large");
    }
    tokenizer.end().expect("nothing is too large");
    let dom = tokenizer.into_sink().into_sink().finish();
    Built {
        dump: dom.dump(),
        errors: dom.errors().to_vec(),
    }
}

/// Whether the builder makes the same of an input as the interpreter, whole and in pieces.
pub(crate) fn compare(
    parsed: &Parsed,
    modes: &[String],
    kinds: &[String],
    input: &str,
    environment: &Environment,
    pieces: &[&str],
) -> Result<(), Failed> {
    let built = build(pieces, environment);
    let dump = parsed.tree.dump();
    if dump != built.dump {
        return Err(format!("{input:?} in {pieces:?}\ninterpreter\n{dump}\nbuilder\n{}", built.dump).into());
    }
    let expected: Vec<_> = (parsed.tree_errors.iter())
        .map(|error| (error.offset, error.code, modes[error.mode].as_str(), kinds[error.kind].as_str()))
        .collect();
    let found: Vec<_> = (built.errors.iter())
        .map(|error| (error.offset, error.code, error.mode, error.kind))
        .collect();
    match expected == found {
        true => Ok(()),
        false => Err(format!("{input:?} in {pieces:?}\ninterpreter {expected:#?}\nbuilder {found:#?}").into()),
    }
}
