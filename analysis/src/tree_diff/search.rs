//! Looks for short documents from which two tables build different trees, or report different errors.

use std::collections::{BTreeMap, BTreeSet};

use speclex_codegen::tree::TreeMachine;
use speclex_codegen::tree::machine::{BodyId, ModeId, Tokens};

use super::changes::Change;
use super::hybrid::hybrids;
use super::sides::{Load, Side};
use crate::tree::errors::merged;
use crate::tree::{Context, Environment, Scripting, parse};

/// What a table makes of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The tree in html5lib's form.
    pub tree: String,
    /// The errors, each with its place.
    pub errors: Vec<String>,
}

/// A document that shows a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The document, or the fragment.
    pub input: String,
    /// The context element of a fragment, in html5lib's form.
    pub context: Option<String>,
    /// Whether scripts run.
    pub scripting: bool,
    /// What each table makes of it.
    pub outcomes: [Outcome; 2],
    /// Whether the change alone makes a difference: a table with only this change of the other one differs, too. Where no such
    /// table can be made, other changes may have a part in it.
    pub is_alone: bool,
}

/// What may follow a token, so that its effect shows.
const SUFFIXES: [&str; 15] = [
    "",
    "x",
    "<p>",
    "<b>",
    "<i>x",
    "</p>",
    "<td>",
    "<table>",
    "<option>",
    "<div>x",
    "</select>",
    "<svg>",
    "</template>x",
    "<hr>",
    "<p><table>",
];
/// Context elements of fragments that are tried.
const CONTEXTS: [&str; 5] = ["select", "template", "td", "div", "svg desc"];
/// Tags that many rules are about, for changes of procedures and lists.
const GENERIC: [&str; 12] = [
    "<p>",
    "<b>",
    "<table>",
    "<td>",
    "<select>",
    "<option>",
    "<template>",
    "<svg>",
    "<a>",
    "x",
    "</b>",
    "</p>",
];
/// What a template that patches content looks for.
const MARKER: &str = "<div><?marker name=\"a\"?>";
/// How many ways to an insertion mode are tried.
const WAYS: usize = 3;
/// How many words of one change are tried as tags.
const MOST_TAGS: usize = 4;

/// Searches a document for each change: the shortest found, those first that show in the tree of a document without scripts.
pub fn search(sides: [Side<'_>; 2], changes: &[Change], load: Load<'_>) -> Vec<Option<Witness>> {
    let mut search = Search {
        sides,
        changes,
        hybrids: changes
            .iter()
            .map(|change| hybrids(sides, change, load))
            .collect(),
        found: vec![None; changes.len()],
        tried: BTreeSet::new(),
    };
    let ways = sides.map(ways);
    for (number, change) in changes.iter().enumerate() {
        let tags = tags(change);
        let starts = ways.iter().filter_map(|ways| ways.get(&change.place));
        let mut starts: BTreeSet<&str> = starts.flatten().map(String::as_str).collect();
        if starts.is_empty() {
            starts.insert("");
        }
        if tags.iter().any(|tag| tag.starts_with("<template ")) {
            starts.insert(MARKER);
        }
        // A document shows more than a fragment, and one without scripts more than one with scripts.
        let environments = [(None, false), (None, true)].into_iter();
        let environments = environments.chain(CONTEXTS.map(|context| (Some(context), false)));
        for (context, scripting) in environments {
            let starts = starts
                .iter()
                .filter(|start| context.is_none() || start.is_empty());
            let starts: Vec<&str> = starts.copied().chain(context.map(|_| "")).collect();
            for start in starts {
                for tag in change.tokens.iter().chain(&tags) {
                    for suffix in SUFFIXES {
                        search.consider(&format!("{start}{tag}{suffix}"), context, scripting);
                    }
                }
            }
            if search.shows(number) {
                break;
            }
        }
    }
    for (number, change) in changes.iter().enumerate() {
        if search.shows(number) {
            continue;
        }
        let mut pieces: Vec<String> = change
            .tokens
            .iter()
            .chain(&tags(change))
            .take(MOST_TAGS)
            .cloned()
            .collect();
        let own = pieces.len();
        pieces.extend(GENERIC.iter().map(|&tag| tag.to_owned()));
        // Each has a piece of the change's own, if there is one.
        let is_own = |them: &[usize]| own == 0 || them.iter().any(|&it| it < own);
        let count = pieces.len();
        for one in 0..count {
            for other in 0..count {
                if is_own(&[one, other]) {
                    search.consider(&format!("{}{}", pieces[one], pieces[other]), None, false);
                }
                for third in 0..count {
                    if is_own(&[one, other, third]) {
                        search.consider(
                            &format!("{}{}{}x", pieces[one], pieces[other], pieces[third]),
                            None,
                            false,
                        );
                    }
                }
            }
        }
    }
    search.found
}

/// Tags made from the lines of a change: its own tags with each attribute that a line names, the words before `element`, and for a
/// procedure all words, the longest first.
fn tags(change: &Change) -> Vec<String> {
    let changed = change
        .before
        .iter()
        .filter(|line| !change.after.contains(line));
    let changed = changed.chain(
        change
            .after
            .iter()
            .filter(|line| !change.before.contains(line)),
    );
    let (mut tags, mut words) = (Vec::new(), Vec::new());
    for line in changed {
        let mut quoted = line.split('"').skip(1).step_by(2);
        let attribute = quoted.next().filter(|_| line.contains("attribute"));
        let value = quoted.next().unwrap_or("a");
        let own = change
            .tokens
            .iter()
            .filter_map(|tag| tag.strip_prefix('<')?.strip_suffix('>'));
        tags.extend(attribute.into_iter().flat_map(|attribute| {
            own.clone()
                .map(move |name| format!("<{name} {attribute}=\"{value}\">"))
        }));
        let line: Vec<&str> = line.split([' ', ',']).collect();
        let before_element = line
            .windows(2)
            .filter(|pair| pair[1] == "element")
            .map(|pair| pair[0]);
        match change.place == "procedures" {
            true => words.extend(line.iter().copied()),
            false => words.extend(before_element),
        }
    }
    let is_name = |word: &&str| {
        word.len() > 2
            && word
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    words.retain(is_name);
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    tags.extend(words.into_iter().map(|word| format!("<{word}>")));
    let mut seen = BTreeSet::new();
    tags.retain(|tag| seen.insert(tag.clone()));
    tags.truncate(MOST_TAGS * 2);
    tags
}

/// Short documents that end in each insertion mode, by its name: found by adding tags that the table names.
fn ways(side: Side<'_>) -> BTreeMap<String, Vec<String>> {
    let mut pieces: BTreeSet<String> = BTreeSet::from(["x".to_owned()]);
    for takes in side
        .tree
        .modes
        .iter()
        .flat_map(|rules| &rules.arms)
        .flat_map(|arm| &arm.takes)
    {
        if let Tokens::Named(kind, names) = &takes.tokens {
            let slash = match side.tree.kinds.get(*kind).map(|kind| kind.name.as_str()) {
                Some("end tag") => "/",
                _ => "",
            };
            pieces.extend(names.iter().map(|name| format!("<{slash}{name}>")));
        }
    }
    let mut ways: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut seen: BTreeSet<(ModeId, String)> = BTreeSet::new();
    let mut todo = vec![String::new()];
    while !todo.is_empty() {
        let mut next = Vec::new();
        for document in todo {
            for piece in std::iter::once("").chain(pieces.iter().map(String::as_str)) {
                let longer = format!("{document}{piece}");
                let Ok(parsed) = parse(side.tokenizer, side.tree, &longer, &Environment::default())
                else {
                    continue;
                };
                let (mode, current) = parsed.before_end;
                let Some(rules) = side.tree.modes.get(mode) else {
                    continue;
                };
                let is_foreign = !current.starts_with("HTML") && !current.is_empty();
                let name = if is_foreign {
                    "foreign content"
                } else {
                    &rules.name
                };
                let known = ways.entry(name.to_owned()).or_default();
                if known.len() < WAYS && seen.insert((mode, current)) {
                    known.push(longer.clone());
                    next.push(longer);
                }
            }
        }
        todo = next;
    }
    ways
}

struct Search<'s, 'm> {
    sides: [Side<'m>; 2],
    changes: &'s [Change],
    /// For each change: each side with only this change of the other one, if such a table can be made.
    hybrids: Vec<[Option<TreeMachine>; 2]>,
    found: Vec<Option<Witness>>,
    tried: BTreeSet<(String, Option<String>, bool)>,
}

impl Search<'_, '_> {
    /// Runs both tables; keeps the document for each change that it shows better than what was found before.
    fn consider(&mut self, input: &str, context: Option<&str>, scripting: bool) {
        let key = (input.to_owned(), context.map(str::to_owned), scripting);
        if !self.tried.insert(key) {
            return;
        }
        let environment = environment(context, scripting);
        let outcomes = self.sides.map(|side| run(side, input, &environment));
        let [Some((one, ran)), Some((other, other_ran))] = outcomes else {
            return;
        };
        if one == other {
            return;
        }
        let comes_across = |change: &Change| {
            let bodies = change.bodies.iter().zip([&ran, &other_ran]);
            let mut by_body = bodies.filter_map(|(body, ran)| body.map(|body| ran.contains(&body)));
            // A list is asked all the time: it counts if the document has one of its names.
            let mut names = change.tokens.iter().map(|tag| tag.trim_end_matches('>'));
            by_body.any(|it| it) || is_list(change) && names.any(|name| input.contains(name))
        };
        for (number, change) in self.changes.iter().enumerate() {
            if !comes_across(change) {
                continue;
            }
            let mut witness = Witness {
                input: input.to_owned(),
                context: context.map(str::to_owned),
                scripting,
                outcomes: [one.clone(), other.clone()],
                is_alone: false,
            };
            let before = self.found[number].as_ref();
            if before.is_some_and(|before| rank(&witness) >= rank(before)) {
                continue;
            }
            let hybrids = self.hybrids[number]
                .iter()
                .zip(self.sides)
                .zip([&one, &other]);
            let hybrids = hybrids.filter_map(|((tree, side), own)| {
                Some((
                    Side {
                        tree: tree.as_ref()?,
                        ..side
                    },
                    own,
                ))
            });
            let mut differ = hybrids
                .map(|(side, own)| run(side, input, &environment).is_some_and(|(it, _)| it != *own))
                .peekable();
            if differ.peek().is_some() {
                witness.is_alone = differ.any(|it| it);
                if !witness.is_alone {
                    continue;
                }
            }
            self.found[number] = Some(witness);
        }
    }

    /// Whether a document has been found in whose tree a change shows.
    fn shows(&self, number: usize) -> bool {
        self.found[number].as_ref().is_some_and(shows_in_the_tree)
    }
}

fn is_list(change: &Change) -> bool {
    change.bodies == [None, None]
}

fn shows_in_the_tree(witness: &Witness) -> bool {
    witness.outcomes[0].tree != witness.outcomes[1].tree
}

/// The less, the better.
fn rank(witness: &Witness) -> (bool, bool, bool, usize, &str) {
    let in_errors = !shows_in_the_tree(witness);
    let input = &witness.input;
    (
        in_errors,
        witness.context.is_some(),
        witness.scripting,
        input.len(),
        input,
    )
}

pub(super) fn environment(context: Option<&str>, scripting: bool) -> Environment {
    Environment {
        scripting: if scripting {
            Scripting::Normal
        } else {
            Scripting::Disabled
        },
        context: context.map(Context::parse),
        ..Environment::default()
    }
}

/// What a table makes of a document, and the bodies that ran.
fn run(
    side: Side<'_>,
    input: &str,
    environment: &Environment,
) -> Option<(Outcome, BTreeSet<BodyId>)> {
    let parsed = parse(side.tokenizer, side.tree, input, environment).ok()?;
    let errors = merged(
        side.tree,
        input,
        &parsed.tokenizer_errors,
        &parsed.tree_errors,
    );
    let errors = errors.iter().map(|error| {
        format!(
            "{}:{} {}",
            error.position.line, error.position.column, error.code
        )
    });
    let outcome = Outcome {
        tree: parsed.tree.dump(),
        errors: errors.collect(),
    };
    Some((outcome, parsed.ran))
}
