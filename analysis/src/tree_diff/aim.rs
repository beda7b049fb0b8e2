//! What a change is about: the tokens that may show it, and the settings in which they may.

use std::collections::BTreeSet;

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{Body, Variable};

use super::changes::Change;
use super::pieces::{self, Pieces, name_of, tags_of};
use super::sides::Side;
use super::witness::{CONTENT_CONTEXTS, CONTEXTS, Setting};
use crate::tree::Scripting;

/// How many tokens are tried for what a change is about.
const MOST: usize = 80;
/// How many tokens of a part of an arm's key are tried, if the arm only speaks of the same things.
const FEW: usize = 4;
/// The variables that many arms use.
const COMMON: [Variable; 2] = [Variable::InsertionMode, Variable::OpenElements];

/// What shows in which content the tokenizer is.
const CONTENTS: [&str; 3] = ["&amp;", "<!---->", "</x-y>"];

/// Where a search looks for documents that show a change.
#[derive(Clone, Debug)]
pub(super) struct Aim {
    /// Documents that come to where the change is.
    pub(super) starts: Vec<Pieces>,
    /// The tokens that the change is of.
    pub(super) own: Pieces,
    /// Tokens of what speaks of the same flags, scopes and elements; the change's own come first.
    pub(super) about: Pieces,
    pub(super) settings: Vec<Setting>,
}

impl Aim {
    /// Without starts. `all` are the tokens of both tables; `contexts` start in the insertion mode of the change.
    pub(super) fn at(
        change: &Change,
        sides: [Side<'_>; 2],
        all: &[String],
        contexts: &[&'static str],
    ) -> Self {
        let mut own = change.tokens.clone();
        own.extend(with_attributes(change));
        let mut about = own.clone();
        if change.place == "procedures" {
            for side in sides {
                own.extend(running(side.tree, &change.what));
            }
        }
        pieces::without_doubles(&mut own);
        about.extend(tokens_about(change, sides, all));
        pieces::without_doubles(&mut about);
        about.truncate(MOST);
        Self {
            starts: Vec::new(),
            own,
            about,
            settings: settings(change, contexts),
        }
    }
}

/// All that is said of a change, also what both tables say.
fn lines(change: &Change) -> impl Iterator<Item = &str> {
    let conditions = change.arms.iter().flatten().map(|(condition, _)| condition);
    let lines = change.before.iter().chain(&change.after);
    lines.chain(conditions).map(String::as_str)
}

/// What only one table says.
fn changed_lines(change: &Change) -> impl Iterator<Item = &str> {
    let before = change.before.iter().filter(|it| !change.after.contains(it));
    let after = change.after.iter().filter(|it| !change.before.contains(it));
    before.chain(after).map(String::as_str)
}

/// The change's own tags with each attribute that a line names.
fn with_attributes(change: &Change) -> Pieces {
    let mut tags = Pieces::new();
    for line in lines(change).filter(|line| line.contains("attribute")) {
        let mut quoted = line.split('"').skip(1).step_by(2);
        let Some(attribute) = quoted.next() else {
            continue;
        };
        let value = quoted.next().unwrap_or("a");
        let own = change.tokens.iter();
        let own = own.filter_map(|tag| tag.strip_prefix('<')?.strip_suffix('>'));
        tags.extend(
            own.take(FEW)
                .map(|tag| format!("<{tag} {attribute}=\"{value}\">")),
        );
    }
    tags
}

/// The tokens of the arms that run a procedure, one of each arm first; if no arm does, of those that run what runs it.
fn running(tree: &TreeMachine, procedure: &str) -> Pieces {
    let mut names = vec![procedure];
    loop {
        let runs = |body: &Body| {
            body.lines
                .iter()
                .any(|line| names.iter().any(|name| says(&[line], name)))
        };
        let arms = tree.modes.iter().flat_map(|rules| &rules.arms);
        let arms = arms.filter(|arm| tree.bodies.get(arm.body).is_some_and(runs));
        let mut tokens: Vec<Pieces> = arms
            .map(|arm| pieces::of_arm(tree, arm, usize::MAX))
            .collect();
        if tokens.iter().any(|it| !it.is_empty()) {
            let first = tokens.iter_mut().filter_map(|it| it.first().cloned());
            let first: Pieces = first.collect();
            return first.into_iter().chain(tokens.concat()).collect();
        }
        let more = tree
            .bodies
            .iter()
            .filter(|body| runs(body) && !names.contains(&body.name.as_str()));
        let more: Vec<&str> = more.map(|body| body.name.as_str()).collect();
        if more.is_empty() {
            return Pieces::new();
        }
        names.extend(more);
    }
}

fn tokens_about(change: &Change, sides: [Side<'_>; 2], all: &[String]) -> Pieces {
    let names: BTreeSet<&str> = all.iter().filter_map(|it| name_of(it)).collect();
    let named_in = |line: &str| {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let words = words.filter(|word| names.contains(word));
        words.flat_map(tags_of).collect::<Vec<_>>()
    };
    let mut text: Vec<&str> = changed_lines(change).collect();
    text.extend(
        matches!(
            change.place.as_str(),
            "scopes" | "element types" | "names" | "procedures"
        )
        .then_some(change.what.as_str()),
    );
    let own = change.tokens.iter().filter_map(|token| name_of(token));
    let mut found: Pieces = own.flat_map(tags_of).collect();
    found.extend(text.iter().flat_map(|line| named_in(line)));
    for tree in sides.map(|side| side.tree) {
        // What is run says what the change does.
        let run = tree.bodies.iter().filter(|body| says(&text, &body.name));
        let run: Vec<&str> = run
            .flat_map(|body| &body.lines)
            .map(String::as_str)
            .collect();
        found.extend(run.iter().flat_map(|line| named_in(line)));
        let text = [&text[..], &run].concat();
        if says(&text, "switch the tokenizer") {
            found.extend(CONTENTS.map(str::to_owned));
        }
        for scope in tree.scopes.iter().filter(|it| says(&text, &it.name)) {
            let ends = scope
                .ends
                .iter()
                .filter(|end| names.contains(end.name.as_str()));
            found.extend(ends.map(|end| format!("<{}>", end.name)));
        }
        let variables = Variable::ALL.iter().filter(|it| !COMMON.contains(it));
        let things: Vec<&str> = (variables.map(|it| it.as_str()))
            .chain(tree.states.iter().map(|it| it.name.as_str()))
            .chain(tree.sets.iter().map(|it| it.name.as_str()))
            .chain(tree.scopes.iter().map(|it| it.name.as_str()))
            .chain(tree.names.iter().map(|it| it.name.as_str()))
            .filter(|thing| says(&text, thing))
            .chain((change.place == "procedures").then_some(change.what.as_str()))
            .chain((change.place == "quirks").then_some("document mode"))
            .collect();
        for rules in &tree.modes {
            let mode = format!("\"{}\"", rules.name);
            let is_named = text.iter().any(|line| line.contains(&mode));
            for arm in &rules.arms {
                let body = tree.bodies.get(arm.body).into_iter();
                let said = body.flat_map(|body| &body.lines).chain([&arm.key]);
                let said = said.filter(|line| things.iter().any(|thing| says(&[line], thing)));
                let said: Vec<_> = said.flat_map(|line| named_in(line)).collect();
                if is_named || !said.is_empty() {
                    found.extend(pieces::of_arm(tree, arm, FEW));
                }
                found.extend(said);
            }
        }
    }
    found.extend(lines(change).flat_map(named_in));
    found
}

/// Whether a line has a name. What a name has in capitals is another word there.
fn says(lines: &[&str], name: &str) -> bool {
    let is_capital = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
    let mut parts = vec![String::new()];
    for word in name.split(' ') {
        match (is_capital(&word), parts.last_mut()) {
            (false, Some(part)) if part.is_empty() => part.push_str(word),
            (false, Some(part)) => *part += &format!(" {word}"),
            _ => parts.push(String::new()),
        }
    }
    let is_telling = parts.iter().any(|part| part.len() > 4);
    is_telling && (lines.iter()).any(|line| parts.iter().all(|part| line.contains(part.as_str())))
}

/// What a change is tried in: first a document without scripts.
fn settings(change: &Change, contexts: &[&'static str]) -> Vec<Setting> {
    let has = |what: &str| lines(change).any(|line| line.contains(what));
    let mut settings = vec![Setting::PLAIN];
    if has("shadow") {
        settings.push(Setting {
            has_shadow_roots: true,
            ..Setting::PLAIN
        });
    }
    let scripting = [Scripting::Normal, Scripting::Inert, Scripting::Fragment];
    let scripting = &scripting[..if has("script") { 3 } else { 1 }];
    settings.extend(scripting.iter().map(|&scripting| Setting {
        scripting,
        ..Setting::PLAIN
    }));
    let more: &[_] = match change.place == "fragments" {
        true => &CONTENT_CONTEXTS,
        false => &[],
    };
    let general = CONTEXTS.iter().filter(|it| !contexts.contains(it));
    let contexts = contexts.iter().chain(more).chain(general);
    settings.extend(contexts.map(|&context| Setting {
        context: Some(context),
        ..Setting::PLAIN
    }));
    settings
}
