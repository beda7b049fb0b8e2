//! Tips beside arguments that are refused.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use speclex_codegen::escape::shell_word;

use crate::args::{Arguments, Command};

/// Refuses tables in the place of documents, where `--spec` is not required.
pub(crate) fn no_tables(arguments: Arguments) -> Result<Arguments, clap::Error> {
    let Command::Tokenize(tokenize) = &arguments.command else {
        return Ok(arguments);
    };
    let mut words = tokenize.files.iter().filter_map(|file| file.to_str());
    if tokenize.spec.is_some() || !words.any(is_table) {
        return Ok(arguments);
    }
    let mut all = Arguments::command();
    all.build();
    let mut refusal = clap::Error::new(ErrorKind::MissingRequiredArgument);
    if let Some(command) = all.find_subcommand("tokenize") {
        refusal = refusal.with_cmd(command);
    }
    let lacking = ContextValue::Strings(vec!["--spec <TABLE>".to_owned()]);
    refusal.insert(ContextKind::InvalidArg, lacking);
    Err(refusal)
}

fn is_table(word: &str) -> bool {
    speclex_tables::get(word).is_some() || word.ends_with(".yaml")
}

/// Says how the command would be right, if what it lacks is `--spec` before the table.
pub(crate) fn with_tip(mut refusal: clap::Error, command: &str, typed: &[OsString]) -> clap::Error {
    if let Some(meant) = with_spec(typed) {
        let words: Vec<String> = meant
            .iter()
            .skip(1)
            .map(|word| shell_word(&word.to_string_lossy()))
            .collect();
        let tip = format!("`--spec` names the table: {command} {}", words.join(" "));
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        refusal.insert(ContextKind::Suggested, tips);
    }
    refusal
}

/// The arguments with `--spec` before the table, or instead of `--table`, if they are right then.
fn with_spec(typed: &[OsString]) -> Option<Vec<OsString>> {
    let name = typed.get(1)?.to_str()?;
    let arguments = Arguments::command();
    let mut options = arguments.find_subcommand(name)?.get_arguments();
    options.find(|option| option.get_long() == Some("spec"))?;
    (2..typed.len()).find_map(|at| {
        let mut meant = typed.to_vec();
        match typed[at].to_str()? {
            "--table" => meant[at] = "--spec".into(),
            word if is_table(word) => meant.insert(at, "--spec".into()),
            _ => return None,
        }
        let lacks_more =
            |refusal: clap::Error| refusal.kind() == ErrorKind::MissingRequiredArgument;
        let is_right = Arguments::try_parse_from(&meant).map_or_else(lacks_more, |_| true);
        is_right.then_some(meant)
    })
}
