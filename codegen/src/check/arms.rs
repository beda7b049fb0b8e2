//! Arms: their sets are disjoint, and every input has one.

use super::Checker;
use super::model::Arm;
use super::states::display_label;
use crate::charset::{CharSet, display_char};
use crate::diagnostic::{Code, Span};
use crate::set_notation::{self, ANYTHING_ELSE, EOF};
use crate::written;
use std::collections::{BTreeMap, BTreeSet, HashMap};

const END_OF_INPUT: &str = "say what happens at the end of the input; `EOF: as anything else` does what the arm \
                            `anything else` does";

const DISJOINT: &str = "the sets of different arms are disjoint; use `except`";

impl Checker<'_, '_> {
    pub(super) fn missing_arm(&mut self, key: &str, span: Span) {
        let help = match key {
            EOF => END_OF_INPUT,
            ANYTHING_ELSE => "say what happens to all other characters: `anything else: ignore`",
            _ => "a match has the arms `match` and `no match`",
        };
        let message = format!("there is no arm for `{key}`");
        self.fault(Code::MissingArm, span, message).help(help);
    }

    /// The arms of a block.
    pub(super) fn arms(&mut self, list: &[written::Arm], span: Span, look_ahead: bool) -> Vec<Arm> {
        let (mut taken, mut overlaps) = (Taken::default(), Vec::new());
        let mut literals = Literals::default();
        let gone = self.gone();
        let (mut eof, mut anything_else) = (false, false);
        let (mut eof_in, mut else_in) = (String::new(), String::new());
        let mut meant = Vec::new();
        let mut arms: Vec<Arm> = Vec::new();
        let has_else = list.iter().any(|arm| arm.key.text == ANYTHING_ELSE);
        for arm in list {
            let here = arm.key.span();
            let written = set_notation::parse(&arm.key.text, here, self.faults);
            let mut meaning = set_notation::resolve(&written, &mut self.classes, self.faults);
            if !has_else
                && arm.key.text.split(' ').next() == Some("any")
                && written.items.len() == 1
            {
                let message = "this arm takes the characters of the others, too";
                let hint = self.fault(Code::OverlappingArms, here, message);
                hint.help("did you mean `anything else`, which takes what no other arm takes?");
                meaning.set = CharSet::new();
                meaning.meant = Some(ANYTHING_ELSE);
            }
            let label = set_notation::label(&written);
            if meaning.anything_else && written.items.len() + written.except.len() > 1 {
                self.fault(Code::BadSet, here, "`anything else` stands alone")
                    .help(END_OF_INPUT);
            }
            for (what, seen, own, first) in [
                (EOF, &mut eof, meaning.eof, &mut eof_in),
                (
                    ANYTHING_ELSE,
                    &mut anything_else,
                    meaning.anything_else,
                    &mut else_in,
                ),
            ] {
                if *seen && own {
                    let message = format!("there is an arm for `{what}` already");
                    self.fault(Code::OverlappingArms, here, message)
                        .help(format!(
                            "it is `{first}`; to replace such an arm of a base, say `{first}: removed` too"
                        ));
                } else if own {
                    first.clone_from(&label);
                }
                *seen |= own;
            }
            meant.extend(meaning.meant.map(|what| (arms.len(), what)));
            overlaps.extend(taken.overlaps(&meaning.set).map(|(both, of)| Overlap {
                arms: [of, arms.len()],
                both,
            }));
            if !meaning.set.is_empty() && meaning.set.difference(&gone).is_empty() {
                self.never_matches(here);
            }
            for literal in &meaning.literals {
                self.shadowed(literal, here, &literals);
                self.replaced_in(&literal.text, here, &gone);
                literals.add(literal.clone());
            }
            taken.add(&meaning.set);
            arms.push(Arm {
                label: display_label(&written),
                span: Some(here),
                set: meaning.set,
                literals: meaning.literals,
                eof: meaning.eof,
                anything_else: meaning.anything_else,
                steps: self.steps(&arm.steps),
            });
        }
        self.overlaps(&overlaps, &arms);
        for (arm, what) in meant {
            match what {
                EOF if !eof => (eof, arms[arm].eof) = (true, true),
                ANYTHING_ELSE if !anything_else => {
                    (anything_else, arms[arm].anything_else) = (true, true);
                }
                _ => {}
            }
        }
        if !eof && !look_ahead {
            self.missing_arm(EOF, span);
        }
        if !anything_else {
            self.missing_arm(ANYTHING_ELSE, span);
        }
        arms
    }

    /// One arm that has characters of several others is one fault.
    fn overlaps(&mut self, overlaps: &[Overlap], arms: &[Arm]) {
        let mut of_arms = vec![Vec::new(); arms.len()];
        for (index, overlap) in overlaps.iter().enumerate() {
            overlap
                .arms
                .iter()
                .for_each(|arm| of_arms[*arm].push(index));
        }
        let mut most: Vec<usize> = (0..arms.len()).collect();
        most.sort_by_key(|arm| std::cmp::Reverse(of_arms[*arm].len()));
        let mut said = vec![false; overlaps.len()];
        for arm in most {
            let its = || of_arms[arm].iter().filter(|index| !said[**index]);
            if its().nth(1).is_some() {
                let its: Vec<usize> = its().copied().collect();
                let others = its.iter().flat_map(|index| overlaps[*index].arms);
                let others = others
                    .filter(|other| *other != arm)
                    .map(|other| &arms[other]);
                self.one_overlaps(&arms[arm], &others.collect::<Vec<_>>());
                its.into_iter().for_each(|index| said[index] = true);
            }
        }
        let alone = overlaps.iter().zip(said).filter(|(_, said)| !said);
        for (Overlap { arms: pair, both }, _) in alone {
            let [of, arm] = pair.map(|arm| &arms[arm]);
            let message = format!("{both} is in the arm `{}` already", of.label);
            self.fault(Code::OverlappingArms, arm.span.unwrap_or_default(), message)
                .help(DISJOINT);
        }
    }

    fn one_overlaps(&mut self, arm: &Arm, others: &[&Arm]) {
        let label = &arm.label;
        let (named, more) = match others.get(..MOST_OVERLAPS) {
            Some(first) if others.len() > MOST_OVERLAPS => (first, " and others"),
            _ => (others, ""),
        };
        let labels: Vec<&str> = named.iter().map(|other| other.label.as_str()).collect();
        let is_plain = |of: &Arm| of.literals.is_empty() && !of.eof && !of.label.contains("except");
        let sets = named.iter().map(|other| &other.set);
        let rest = sets.fold(arm.set.clone(), |rest, other| rest.difference(other));
        let all_plain = is_plain(arm) && named.iter().all(|other| is_plain(other));
        let help = match all_plain && more.is_empty() && !rest.is_empty() {
            true => format!(
                "the sets of different arms are disjoint: `{label} except {}`",
                labels.join(", ")
            ),
            false => DISJOINT.to_owned(),
        };
        let message = format!(
            "the arm `{label}` has characters of other arms: `{}`{more}",
            labels.join("`, `")
        );
        self.fault(Code::OverlappingArms, arm.span.unwrap_or_default(), message)
            .help(help);
    }

    fn never_matches(&mut self, span: Span) {
        let message = "no input has this character after preprocessing";
        self.fault(Code::NeverMatches, span, message)
            .help("preprocessing normalizes newlines and replaces characters");
    }

    /// The characters that no state sees.
    pub(super) fn gone(&self) -> CharSet {
        let newline = self
            .table
            .preprocessing
            .as_ref()
            .and_then(|p| p.newlines.as_ref());
        let normalized = newline.is_some_and(|n| n.text == "normalize");
        let replaced = self.replaced().into_iter().filter_map(|[from, _]| from);
        CharSet::from_iter(replaced.chain(normalized.then_some('\r')))
    }

    /// The characters that preprocessing replaces, and what states see in their place.
    pub(super) fn replaced(&self) -> Vec<[Option<char>; 2]> {
        let mut ignored = crate::diagnostic::Faults::default();
        let mut classes = set_notation::Classes::default();
        let list = self.table.preprocessing.iter().flat_map(|p| &p.replace);
        list.map(|(from, to)| {
            [from, to].map(|text| {
                let here = text.span();
                set_notation::characters_only(&text.text, here, &mut classes, &mut ignored).first()
            })
        })
        .collect()
    }

    /// Strings are compared with the input as it is before characters are replaced.
    pub(super) fn replaced_in(&mut self, text: &str, span: Span, gone: &CharSet) {
        if text.chars().any(|c| gone.contains(c)) {
            self.never_matches(span);
        }
        let mut seen = self.replaced().into_iter().filter_map(|[_, to]| to);
        if let Some(c) = seen.find(|c| text.contains(*c)) {
            let c = display_char(c);
            let message =
                format!("a string may not have {c}, which preprocessing puts for another");
            self.fault(Code::BadSet, span, message)
                .help("give this character an arm in a state of its own");
        }
    }

    fn shadowed(&mut self, literal: &set_notation::Literal, span: Span, before: &Literals) {
        if let Some(other) = before.covering(literal) {
            let message = format!("the literal {other} above matches first");
            self.fault(Code::NeverMatches, span, message)
                .help("literals are tried in order: put the longer one first");
        }
    }
}

/// Two arms of a block with the same characters; the first has them.
struct Overlap {
    arms: [usize; 2],
    both: CharSet,
}

/// So many arms are named that an arm overlaps with.
const MOST_OVERLAPS: usize = 10;

/// Which arm has which characters. Where several have one, the first of them counts.
#[derive(Default)]
struct Taken {
    /// By first code point: the last one, and the arm.
    ranges: BTreeMap<u32, (u32, usize)>,
    arms: usize,
}

impl Taken {
    fn add(&mut self, set: &CharSet) {
        let arm = self.arms;
        self.arms += 1;
        for &(first, last) in set.ranges() {
            let mut next = first;
            for (a, b, _) in self.within(first, last) {
                if next < a {
                    self.ranges.insert(next, (a - 1, arm));
                }
                next = b + 1;
            }
            if next <= last {
                self.ranges.insert(next, (last, arm));
            }
        }
    }

    /// The ranges with a part between two code points.
    fn within(&self, first: u32, last: u32) -> Vec<(u32, u32, usize)> {
        let before = self.ranges.range(..first).next_back();
        let before = before.filter(|&(_, &(end, _))| end >= first);
        let after = self.ranges.range(first..=last);
        before
            .into_iter()
            .chain(after)
            .map(|(&a, &(b, arm))| (a, b, arm))
            .collect()
    }

    /// What a set has in common with the arms so far, and which these are.
    fn overlaps(&self, set: &CharSet) -> impl Iterator<Item = (CharSet, usize)> + use<> {
        let mut common: BTreeMap<usize, Vec<(u32, u32)>> = BTreeMap::new();
        for &(first, last) in set.ranges() {
            for (a, b, arm) in self.within(first, last) {
                common
                    .entry(arm)
                    .or_default()
                    .push((a.max(first), b.min(last)));
            }
        }
        let common = common.into_iter().take(MOST_OVERLAPS);
        common.map(|(arm, ranges)| (CharSet::from_ranges(ranges), arm))
    }
}

/// The literals of the arms so far: by text, the first of each.
#[derive(Default)]
struct Literals {
    all: Vec<set_notation::Literal>,
    exact: HashMap<String, usize>,
    /// Those that match in either case, by lower-case text.
    in_any_case: HashMap<String, usize>,
    lengths: BTreeSet<usize>,
}

impl Literals {
    fn add(&mut self, literal: set_notation::Literal) {
        let place = self.all.len();
        self.lengths.insert(literal.text.len());
        let (places, text) = match literal.ignore_case {
            true => (&mut self.in_any_case, literal.text.to_ascii_lowercase()),
            false => (&mut self.exact, literal.text.clone()),
        };
        places.entry(text).or_insert(place);
        self.all.push(literal);
    }

    /// The first literal that matches wherever this one does.
    fn covering(&self, literal: &set_notation::Literal) -> Option<&set_notation::Literal> {
        let text = &literal.text;
        let lower = text.to_ascii_lowercase();
        let letter = text.bytes().position(|b| b.is_ascii_alphabetic());
        // With letters in either case it still matches other spellings than a literal with a case.
        let fixed = letter.filter(|_| literal.ignore_case).unwrap_or(text.len());
        self.lengths
            .range(..=text.len())
            .filter_map(|&length| {
                let exact = self.exact.get(text.get(..length)?);
                let exact = exact.filter(|_| length <= fixed);
                let in_any_case = self.in_any_case.get(lower.get(..length)?);
                exact.into_iter().chain(in_any_case).min().copied()
            })
            .min()
            .map(|place| &self.all[place])
    }
}
