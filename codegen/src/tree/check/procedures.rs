//! Procedures: their names are phrases, of the sort that they return.

use super::Checker;
use crate::diagnostic::Code;
use crate::tree::phrase::{Local, Sort, holes, looks_like_a_row};
use crate::written::{Step, Steps};
use std::collections::HashSet;

/// How phrases begin that return a value, and what begins so and returns none.
const RETURN: &str = "return ";
const RETURN_TO: &str = "return to the step labeled ";

impl Checker<'_, '_> {
    /// Declares the names of all procedures. What one returns may depend on others.
    pub(super) fn procedures(&mut self) {
        let mut open: Vec<(usize, &str, &Steps)> = Vec::new();
        let mut names: HashSet<String> = HashSet::new();
        for (number, entry) in self.table.procedures.iter().enumerate() {
            let name = entry.name.text.as_str();
            let plain = plain(name);
            if looks_like_a_row(name) {
                let message = format!("`{name}` is a phrase of the language already");
                let help = "give the procedure another name";
                self.phrases
                    .faults
                    .add(Code::BadName, entry.name.at, message)
                    .help(help);
                continue;
            }
            if names.contains(&plain) {
                let message = format!("`{name}` is the name of another procedure but for articles");
                let help = "give one of them another name";
                self.phrases
                    .faults
                    .add(Code::DuplicateName, entry.name.at, message)
                    .help(help);
                continue;
            }
            names.insert(plain);
            match &entry.value {
                Some(steps) if returned(steps).next().is_some() => open.push((number, name, steps)),
                _ => self.phrases.declared.procedure(name, number, Sort::Step),
            }
        }
        // A few rounds, since a procedure may return what another one returns.
        loop {
            let before = open.len();
            open.retain(
                |&(number, name, steps)| match self.sort_returned(name, steps) {
                    Some(sort) => {
                        self.phrases.declared.procedure(name, number, sort);
                        false
                    }
                    None => true,
                },
            );
            if open.is_empty() || open.len() == before {
                break;
            }
        }
        for (number, name, _) in open {
            self.phrases.declared.procedure(name, number, Sort::Node);
        }
    }

    /// The sort of what a procedure returns, if it can be read yet.
    fn sort_returned(&mut self, name: &str, steps: &Steps) -> Option<Sort> {
        let parameters = holes(name).into_iter().enumerate();
        self.phrases.declared.locals = parameters
            .map(|(slot, (name, sort))| Local { name, sort, slot })
            .collect();
        let mut lets = Vec::new();
        phrases(steps, &mut lets);
        for text in lets {
            let Some((name, value)) = text
                .strip_prefix("let ")
                .and_then(|rest| rest.split_once(" be "))
            else {
                continue;
            };
            let slot = self.phrases.declared.locals.len();
            if let Some(sort) = self.phrases.sort_of(value) {
                let name = name.to_owned();
                self.phrases
                    .declared
                    .locals
                    .push(Local { name, sort, slot });
            }
        }
        let sorts = returned(steps).filter_map(|value| self.phrases.sort_of(&value));
        // Where they differ, the last is the likeliest.
        let sort = sorts.last();
        self.phrases.declared.locals.clear();
        sort
    }
}

/// What the phrases of a list return.
fn returned(steps: &Steps) -> impl Iterator<Item = String> {
    let mut all = Vec::new();
    phrases(steps, &mut all);
    let returns = all.into_iter().filter(|text| !text.starts_with(RETURN_TO));
    returns
        .filter_map(|text| text.strip_prefix(RETURN).map(str::to_owned))
        .collect::<Vec<_>>()
        .into_iter()
}

/// All phrases of a list, those in lists within it too.
fn phrases(steps: &Steps, all: &mut Vec<String>) {
    for step in &steps.list {
        match step {
            Step::Phrase(text) => all.push(crate::lexer::normal(&text.text)),
            Step::Branch(_, steps) => phrases(steps, all),
            Step::Fault => {}
        }
    }
}

/// The words without articles.
pub(super) fn plain(text: &str) -> String {
    let words = text.split_whitespace();
    let words = words.filter(|word| !matches!(*word, "the" | "a" | "an"));
    words.collect::<Vec<_>>().join(" ")
}
