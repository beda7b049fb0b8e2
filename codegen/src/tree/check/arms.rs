//! The arms of rules: every token has one, and every arm a token.

use super::Checker;
use crate::diagnostic::{Code, Span};
use crate::suggest::{closest, some_of, which_of};
use crate::tree::arm_key::KeyPart;
use crate::tree::keys::{ANYTHING_ELSE, END_OF_FILE as END, FOREIGN_CONTENT};
use crate::tree::machine::{
    Arm, ArmId, CHARACTER, END_OF_FILE, Guard, ModeId, Rules, Takes, Tokens,
};
use crate::tree::phrase::ArmWanted;
use crate::tree::written;
use crate::written::next_section;
use std::collections::{BTreeMap, HashMap, HashSet};

/// How many keys a help lists at most.
const MOST_KEYS: usize = 6;

/// One part of a key as it is compared with others.
struct Taken<'m> {
    takes: &'m Takes,
    shown: String,
    span: Span,
}

impl<'t> Checker<'t, '_> {
    /// Reads the keys of all arms.
    pub(super) fn rules(&mut self) {
        let table = self.table;
        let mut next = None;
        for written in table.rules() {
            self.phrases.declared.locals.clear();
            let mut spans = Vec::new();
            let own = written.section.as_ref().map(|own| own.text.clone());
            let section = own.or(next.take());
            next = section.as_deref().and_then(next_section);
            let mut rules = Rules {
                name: written.name.text.clone(),
                section: section.unwrap_or_else(|| self.machine.section.clone()),
                arms: Vec::new(),
            };
            for arm in &written.arms {
                let mut takes = Vec::new();
                for part in &arm.parts {
                    if let Some(it) = self.takes(part) {
                        takes.push(it);
                        spans.push((part.shown(), part.span));
                    }
                }
                rules.arms.push(Arm {
                    key: arm.key.text.clone(),
                    takes,
                    body: 0,
                });
            }
            if !self.phrases.declared.kinds.is_empty() && !written.arms.is_empty() {
                self.compare(written, &rules, spans);
            }
            self.machine.modes.push(rules);
        }
    }

    fn takes(&mut self, part: &KeyPart) -> Option<Takes> {
        let guard = match &part.guard {
            Some((text, span)) => Some(self.phrases.read::<Guard>(text, *span)?),
            None => None,
        };
        let condition = part
            .guard
            .as_ref()
            .map_or_else(String::new, |(text, _)| text.clone());
        if part.kind == ANYTHING_ELSE && !part.is_other {
            return Some(Takes {
                tokens: Tokens::AnythingElse,
                guard,
                condition,
            });
        }
        let names = self
            .phrases
            .declared
            .kinds
            .iter()
            .map(|kind| kind.name.as_str());
        let Some(kind) = names.clone().position(|name| name == part.kind) else {
            // Without a tokenizer no kind is known.
            if self.phrases.declared.kinds.is_empty() {
                return None;
            }
            let help = kind_meant(part, names.clone())
                .unwrap_or_else(|| which_of(&part.kind, names.chain([ANYTHING_ELSE])));
            self.phrases
                .faults
                .unknown(Code::UnknownKind, part.span, "kind of token", &part.kind)
                .help(help);
            return None;
        };
        let tokens = match (&part.set, part.is_other) {
            (Some((_, span)), _) if kind != CHARACTER || part.is_other => {
                let message = "only `character token` can be of a class";
                self.phrases
                    .faults
                    .add(Code::MisplacedPhrase, *span, message)
                    .help("write `character token that is …`");
                return None;
            }
            (Some((set, span)), _) => Tokens::Characters(self.characters(set, *span)),
            (None, true) => Tokens::AnyOther(kind),
            (None, false) if part.names.is_empty() => Tokens::Kind(kind),
            (None, false) => Tokens::Named(
                kind,
                part.names.iter().map(|(name, _)| name.clone()).collect(),
            ),
        };
        Some(Takes {
            tokens,
            guard,
            condition,
        })
    }

    /// Compares all parts of the keys of an insertion mode.
    fn compare(&mut self, written: &written::Mode, rules: &Rules, spans: Vec<(String, Span)>) {
        let parts = rules.arms.iter().flat_map(|arm| &arm.takes).zip(spans);
        let parts = parts.map(|(takes, (shown, span))| Taken { takes, shown, span });
        let parts: Vec<Taken<'_>> = parts.collect();
        // The conditions under which a token has been taken; an empty one is none.
        let mut taken: HashMap<TokenKey<'_>, HashSet<&str>> = HashMap::new();
        let mut others: HashMap<usize, &str> = HashMap::new();
        // By condition: the characters that have been taken, by the first of each range.
        let mut characters: HashMap<&str, BTreeMap<char, char>> = HashMap::new();
        for part in &parts {
            let condition = part.takes.condition.as_str();
            let is_taken = |taken: &HashMap<TokenKey<'_>, HashSet<&str>>, key| {
                let before = taken.get(&key);
                before.is_some_and(|it| it.contains("") || it.contains(condition))
            };
            let mut twice = None;
            for key in keys(&part.takes.tokens) {
                let (kind, is_other, name) = key;
                if is_taken(&taken, key) || !is_other && is_taken(&taken, (kind, false, None)) {
                    twice = twice.or(Some(name.unwrap_or(&part.shown)));
                }
                taken.entry(key).or_default().insert(condition);
            }
            if let Tokens::Characters(ranges) = &part.takes.tokens {
                let meets = |condition: &str| {
                    let before = characters.get(condition);
                    before.is_some_and(|before| ranges.iter().any(|range| meets(before, *range)))
                };
                let is_met = meets("") || meets(condition);
                let is_hidden = is_met || is_taken(&taken, (Some(CHARACTER), false, None));
                twice = twice.or(is_hidden.then_some(part.shown.as_str()));
                characters
                    .entry(condition)
                    .or_default()
                    .extend(ranges.iter().copied());
            }
            let (kind, is_late) = match part.takes.tokens {
                Tokens::AnyOther(kind) => {
                    others.entry(kind).or_insert(&part.shown);
                    (kind, false)
                }
                Tokens::Named(kind, _) => (kind, true),
                _ => (
                    CHARACTER,
                    matches!(part.takes.tokens, Tokens::Characters(_)),
                ),
            };
            let other = others.get(&kind).filter(|_| is_late);
            let (message, help) = match (twice, other) {
                (Some(what), _) => (
                    format!("there is an arm for `{what}` already"),
                    "join the two arms or remove one",
                ),
                (None, Some(other)) => (
                    format!("`{other}` stands before this arm"),
                    "put `any other …` behind the arms that it leaves out",
                ),
                (None, None) => continue,
            };
            let faults = &mut *self.phrases.faults;
            faults
                .add(Code::OverlappingArms, part.span, message)
                .help(help);
        }
        self.complete(written, &parts);
    }

    fn complete(&mut self, mode: &written::Mode, parts: &[Taken<'_>]) {
        let kinds = self.phrases.declared.kinds.len();
        let is_whole = |kind: usize| {
            let whole = |it: &&Taken<'_>| {
                it.takes.guard.is_none()
                    && matches!(it.takes.tokens, Tokens::Kind(of) | Tokens::AnyOther(of) if of == kind)
            };
            parts.iter().any(|it| whole(&it))
        };
        // What comes to rules that are no insertion mode, the dispatcher says.
        let name = |kind: usize| &self.phrases.declared.kinds[kind].name;
        let may_lack = |kind: usize| match kind {
            CHARACTER => false,
            END_OF_FILE => mode.name.text == FOREIGN_CONTENT,
            _ => !self.created.contains(name(kind)),
        };
        let missing = (0..kinds).filter(|&kind| !is_whole(kind) && !may_lack(kind));
        let missing: Vec<usize> = missing.collect();
        let others: Vec<&str> = missing
            .iter()
            .map(|&kind| &*self.phrases.declared.kinds[kind].name)
            .collect();
        let anything_else = parts
            .iter()
            .find(|it| it.takes.tokens == Tokens::AnythingElse);
        match (anything_else, &others[..]) {
            (Some(part), []) => {
                let message = "every kind of token has an arm of its own";
                self.phrases
                    .faults
                    .add(Code::NeverMatches, part.span, message)
                    .help("remove it");
            }
            (None, [_, ..]) => {
                let what = match missing[..] {
                    [END_OF_FILE] => END,
                    _ => ANYTHING_ELSE,
                };
                let message = format!("`{}` has no arm for `{what}`", mode.name.text);
                let names = self.table.modes.iter().map(|mode| &*mode.name.text);
                let meant = closest(&mode.name.text, names);
                let help = match what {
                    _ if self.table.extends.is_some() && meant.is_some() => format!(
                        "this table has it in addition to those of its base; did you mean `{}`?",
                        meant.unwrap_or_default()
                    ),
                    END => "say what ends the parsing: `end-of-file: stop parsing`".to_owned(),
                    _ => format!(
                        "these kinds have no arm for all their tokens: `{}`",
                        others.join("`, `")
                    ),
                };
                self.phrases
                    .faults
                    .add(Code::MissingArm, mode.name.at, message)
                    .help(help);
            }
            _ => {}
        }
        for kind in 0..kinds {
            let takes = |tokens: &Tokens| {
                parts
                    .iter()
                    .find(|it| it.takes.guard.is_none() && it.takes.tokens == *tokens)
            };
            if let (Some(_), Some(other)) =
                (takes(&Tokens::Kind(kind)), takes(&Tokens::AnyOther(kind)))
            {
                let message = "another arm takes all tokens of this kind";
                self.phrases
                    .faults
                    .add(Code::NeverMatches, other.span, message)
                    .help("remove one of them");
            }
        }
    }

    /// The arm of rules that is meant.
    pub(super) fn arm_of(&mut self, mode: ModeId, wanted: &ArmWanted, span: Span) -> Option<ArmId> {
        let rules = self.machine.modes.get(mode)?;
        let index = self.arms.entry(mode).or_insert_with(|| {
            let mut index = HashMap::new();
            for (number, arm) in rules.arms.iter().enumerate() {
                for (kind, is_other, name) in arm.takes.iter().flat_map(|takes| keys(&takes.tokens))
                {
                    index
                        .entry((kind, is_other, name.map(str::to_owned)))
                        .or_insert(number);
                }
            }
            index
        });
        let wanted = keys(&wanted.0);
        let arm = |&(kind, is_other, name): &TokenKey<'_>| {
            index.get(&(kind, is_other, name.map(str::to_owned)))
        };
        let found = wanted.first().and_then(arm).copied();
        let found = found.filter(|&found| wanted.iter().all(|key| arm(key) == Some(&found)));
        if found.is_none() {
            let message = format!("`{}` has no such arm", rules.name);
            let mut keys: Vec<&str> = rules.arms.iter().map(|arm| &*arm.key).collect();
            keys.sort_by_key(|key| key.len());
            let help = some_of(keys, MOST_KEYS);
            self.phrases
                .faults
                .add(Code::UnknownArm, span, message)
                .help(help);
        }
        found
    }
}

/// What may be meant by a key that names no kind of token.
fn kind_meant<'k>(
    part: &KeyPart,
    mut kinds: impl Iterator<Item = &'k str> + Clone,
) -> Option<String> {
    let typed = part.kind.as_str();
    let tag = |typed: &str| {
        typed
            .strip_prefix('<')?
            .strip_suffix('>')
            .map(str::to_owned)
    };
    if let Some(name) = tag(typed) {
        let kind = if name.starts_with('/') {
            "end tag"
        } else {
            "start tag"
        };
        return Some(format!(
            "did you mean `{kind} \"{}\"`?",
            name.trim_start_matches('/')
        ));
    }
    let meant = match typed {
        "EOF" | "eof" => Some(END),
        "otherwise" | "else" | "default" | "any" | "_" => Some(ANYTHING_ELSE),
        "whitespace" | "white space" | "space" => Some("character token that is white space"),
        _ => None,
    };
    if let Some(meant) = meant {
        return Some(format!("did you mean `{meant}`?"));
    }
    if let Some(kind) = typed.strip_prefix("other ")
        && kinds.clone().any(|it| it == kind)
    {
        return Some(format!("did you mean `any other {kind}`?"));
    }
    let (kind, rest) =
        kinds.find_map(|kind| Some((kind, typed.strip_prefix(kind)?.strip_prefix(' ')?)))?;
    let joints = ["and", "or"];
    let names = part.names.iter().map(|(name, _)| name.as_str());
    let bare = rest
        .split(' ')
        .map(|name| name.trim_matches('\''))
        .filter(|name| !joints.contains(name));
    let names: Vec<String> = names
        .chain(bare)
        .map(|name| format!("\"{name}\""))
        .collect();
    let names = format!("{kind} {}", names.join(", "));
    Some(match rest.split_once("any other ") {
        Some((_, other)) => {
            format!("parts of a key have semicolons between them: `; any other {other}`")
        }
        None if rest.split(' ').all(|word| joints.contains(&word)) => {
            format!("names have commas between them: `{names}`")
        }
        None => format!("names have quotes: `{names}`"),
    })
}

/// What tokens are: a kind, none for `anything else`; whether it is any other of it; and a name.
pub(super) type TokenKey<'t> = (Option<usize>, bool, Option<&'t str>);

/// The keys of some tokens; none of characters of a class.
fn keys(tokens: &Tokens) -> Vec<TokenKey<'_>> {
    match tokens {
        Tokens::Kind(kind) => vec![(Some(*kind), false, None)],
        Tokens::Named(kind, names) => names
            .iter()
            .map(|name| (Some(*kind), false, Some(name.as_str())))
            .collect(),
        Tokens::AnyOther(kind) => vec![(Some(*kind), true, None)],
        Tokens::AnythingElse => vec![(None, false, None)],
        Tokens::Characters(_) => Vec::new(),
    }
}

/// Whether a range meets one of those, by the first of each.
fn meets(ranges: &BTreeMap<char, char>, (first, last): (char, char)) -> bool {
    let before = ranges.range(..=last).next_back();
    before.is_some_and(|(_, end)| *end >= first)
}
