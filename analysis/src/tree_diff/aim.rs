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
/// How many of a change's own tokens have attributes.
const OWN: usize = 8;
/// The variables that many arms use.
const COMMON: [Variable; 2] = [Variable::InsertionMode, Variable::OpenElements];

/// What shows in which content the tokenizer is.
const CONTENTS: [&str; 3] = ["&amp;", "<!---->", "</x-y>"];

/// Where a search looks for documents that show a change.
#[derive(Clone, Debug)]
pub(super) struct Aim<'c> {
    /// Documents that come to where the change is.
    pub(super) starts: Vec<Pieces>,
    /// The tokens that the change is of.
    pub(super) own: Pieces,
    /// Tokens of what speaks of the same flags, scopes and elements; the change's own come first.
    pub(super) about: Pieces,
    pub(super) settings: Vec<Setting<'c>>,
}

impl<'c> Aim<'c> {
    /// Without starts. `all` are the tokens of both tables; `contexts` start in the insertion mode of the change.
    pub(super) fn at(
        change: &Change,
        sides: [Side<'_>; 2],
        all: &'c [String],
        contexts: &[&'c str],
    ) -> Self {
        let mut own = change.tokens.clone();
        let mut about = own.clone();
        if change.place == "procedures" {
            for side in sides {
                own.extend(running(side.tree, &change.what));
            }
        }
        let with_attributes = with_attributes(change, sides, &own);
        about.extend(with_attributes.iter().take(OWN).cloned());
        own.extend(with_attributes);
        pieces::without_doubles(&mut own);
        about.extend(tokens_about(change, sides, all));
        pieces::without_doubles(&mut about);
        about.truncate(MOST);
        Self {
            starts: Vec::new(),
            own,
            about,
            settings: settings(change, all, contexts),
        }
    }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
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

/// Tags with each attribute that a line names, or one of each list of names that it speaks of; and tags with a name of such a list.
fn with_attributes(change: &Change, sides: [Side<'_>; 2], own: &[String]) -> Pieces {
    let mut attributes = Pieces::new();
    let mut tags = Pieces::new();
    for line in lines(change) {
        for names in sides.iter().flat_map(|side| &side.tree.names) {
            if line.contains(&names.name)
                && let Some((name, _)) = names.entries.first()
            {
                attributes.push(format!("{name}=\"a\""));
                tags.push(format!("<{name}>"));
            }
        }
        let mut quoted = line.split('"').skip(1).step_by(2);
        if line.contains("attribute") {
            let attribute = quoted.next().unwrap_or("a");
            let value = quoted.next().unwrap_or("a");
            attributes.push(format!("{attribute}=\"{value}\""));
        }
        if line.contains("self-closing flag") {
            attributes.push("/".to_owned());
        }
    }
    pieces::without_doubles(&mut attributes);
    let own = own.iter();
    let own = own.filter_map(|tag| tag.strip_prefix('<')?.strip_suffix('>'));
    for tag in own.take(OWN) {
        tags.extend(attributes.iter().map(|it| format!("<{tag} {it}>")));
    }
    tags
}

/// The tokens of the arms that run a procedure, then of those that run what runs it: one of each arm first.
fn running(tree: &TreeMachine, procedure: &str) -> Pieces {
    let mut names = vec![procedure];
    let (mut firsts, mut others) = (Pieces::new(), Pieces::new());
    let mut known = 0;
    while known < names.len() {
        let new = &names[known..];
        let runs = |body: &Body| {
            body.lines
                .iter()
                .any(|line| new.iter().any(|name| says(&[line], name)))
        };
        let arms = tree.modes.iter().flat_map(|rules| &rules.arms);
        let arms = arms.filter(|arm| tree.bodies.get(arm.body).is_some_and(runs));
        for mut tokens in arms.map(|arm| pieces::of_arm(tree, arm, usize::MAX)) {
            firsts.extend(tokens.drain(..tokens.len().min(1)));
            others.extend(tokens);
        }
        let more = tree.bodies.iter().filter(|body| runs(body));
        let more = more.map(|body| body.name.as_str());
        let more: Vec<&str> = more.filter(|name| !names.contains(name)).collect();
        known = names.len();
        names.extend(more);
    }
    firsts.into_iter().chain(others).collect()
}

fn tokens_about(change: &Change, sides: [Side<'_>; 2], all: &[String]) -> Pieces {
    let names: BTreeSet<&str> = all.iter().filter_map(|it| name_of(it)).collect();
    let named_in = |line: &str| {
        let words = line.split(|c: char| !is_of_name(c));
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
fn settings<'c>(change: &Change, all: &'c [String], contexts: &[&'c str]) -> Vec<Setting<'c>> {
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
    // Elements of which a line speaks that speaks of a context.
    let is_word = |line: &str, name| line.split(|c: char| !is_of_name(c)).any(|it| it == name);
    let named = all.iter().filter_map(|it| name_of(it));
    let named = named.filter(|name| {
        changed_lines(change).any(|line| line.contains("context") && is_word(line, *name))
    });
    let contexts = contexts
        .iter()
        .chain(more)
        .copied()
        .chain(named)
        .chain(CONTEXTS);
    for context in contexts {
        let setting = Setting {
            context: Some(context),
            ..Setting::PLAIN
        };
        if !settings.contains(&setting) {
            settings.push(setting);
        }
    }
    settings
}
