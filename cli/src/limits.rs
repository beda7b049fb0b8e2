//! How large the tokens of `tokenize` may be.

use std::num::IntErrorKind;

use clap::Args;
use speclex::{Excess, Limits};

use crate::Failure;

/// The options. Without them tokens have the largest limits that there are.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// The most bytes that a token may have; characters have no limit, but a reference counts as a tag
    #[arg(long, value_name = "N", conflicts_with_all = ["jsonl", "interpret"], allow_negative_numbers = true, value_parser = positive)]
    pub(crate) token_bytes: Option<usize>,
    /// The most attributes that a tag may have
    #[arg(long, value_name = "N", conflicts_with_all = ["jsonl", "interpret"], allow_negative_numbers = true, value_parser = positive)]
    pub(crate) attributes: Option<usize>,
    /// What happens to a larger token: stop (the default), truncate or drop. KIND is tags, comments, doctypes or others;
    /// without it, this is for all kinds. May be repeated: of two for a kind, the later decides. With it, --token-bytes is at least
    /// 64. A tag that is dropped keeps its name
    #[arg(long, value_name = "[KIND=]EXCESS", conflicts_with_all = ["jsonl", "interpret"], value_parser = excess)]
    pub(crate) excess: Vec<(Option<Kind>, Excess)>,
}

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Tags,
    Comments,
    Doctypes,
    Others,
}

const KINDS: [(&str, Kind); 4] = [
    ("tags", Kind::Tags),
    ("comments", Kind::Comments),
    ("doctypes", Kind::Doctypes),
    ("others", Kind::Others),
];

const EXCESSES: [(&str, Excess); 3] = [
    ("stop", Excess::Stop),
    ("truncate", Excess::Truncate),
    ("drop", Excess::Drop),
];

/// What happens to a token, as the option has it.
pub(crate) fn name_of(excess: Excess) -> &'static str {
    let mut all = EXCESSES.iter();
    all.find(|(_, known)| *known == excess)
        .map_or("stop", |(name, _)| name)
}

impl LimitArgs {
    /// Whether an option is given.
    pub(crate) fn are_given(&self) -> bool {
        self.token_bytes.is_some() || self.attributes.is_some() || !self.excess.is_empty()
    }

    /// The limits.
    pub(crate) fn limits(&self) -> Result<Limits, Failure> {
        let mut limits = Limits::MAX;
        limits.token_bytes = self.token_bytes.unwrap_or(limits.token_bytes);
        limits.attributes = self.attributes.unwrap_or(limits.attributes);
        for &(kind, excess) in &self.excess {
            for (_, each) in KINDS {
                if kind.is_some_and(|kind| kind != each) {
                    continue;
                }
                limits = match each {
                    Kind::Tags => limits.with_tags(excess),
                    Kind::Comments => limits.with_comments(excess),
                    Kind::Doctypes => limits.with_doctypes(excess),
                    Kind::Others => limits.with_others(excess),
                };
            }
        }
        let kinds = [limits.tags, limits.comments, limits.doctypes, limits.others];
        let always_stops = kinds.iter().all(|excess| *excess == Excess::Stop);
        if !always_stops && limits.token_bytes < LEAST {
            return Err(Failure::Other(format!(
                "--token-bytes {} is too few with --excess: in fewer than {LEAST} bytes it is not always known what a token is",
                limits.token_bytes
            )));
        }
        Ok(limits)
    }
}

/// The fewest bytes that a token may have where it does not stop the stream. A tokenizer raises what is less, without a word.
const LEAST: usize = 64;

fn positive(word: &str) -> Result<usize, String> {
    match word.parse::<usize>() {
        Ok(number) if number > 0 => Ok(number),
        Err(e) if *e.kind() == IntErrorKind::PosOverflow => {
            Err(format!("no limit is larger than {}", usize::MAX))
        }
        _ => Err("a limit is a number from 1".to_owned()),
    }
}

fn excess(word: &str) -> Result<(Option<Kind>, Excess), String> {
    let (kind, excess) = match word.split_once('=') {
        Some((kind, excess)) => (Some(named(kind, &KINDS)?), excess),
        None => (None, word),
    };
    Ok((kind, named(excess, &EXCESSES)?))
}

/// What a word names among these.
fn named<T: Copy>(word: &str, all: &[(&str, T)]) -> Result<T, String> {
    if let Some((_, value)) = all.iter().find(|(name, _)| *name == word) {
        return Ok(*value);
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let meant = speclex_codegen::closest(word, names.iter().copied())
        .map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    Err(format!("`{word}` is none of {}{meant}", names.join(", ")))
}
