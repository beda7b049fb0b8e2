//! A comparison as a page, whatever it is written in: each change once, those that show first.

use std::collections::BTreeMap;

use super::replay::Setup;
use super::report::{ArmsRow, CauseRow, OtherRow, Report, WitnessRow};

/// A part of a page.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// A chapter, with an anchor.
    Heading(String, String),
    Text(Vec<Span>),
    /// An item of a list, of this depth.
    Item(usize, Vec<Span>),
    /// An input, and what each side makes of it.
    Example(Vec<Span>, [Vec<Span>; 2]),
    /// Parts that are folded, and the line that unfolds them.
    Fold(String, Vec<Block>),
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Span {
    Text(String),
    /// Text that the other side does not have.
    Marked(String),
    Code(String),
    MarkedCode(String),
    /// The first or the second table.
    Side(usize),
    /// A section: which table's, and the state that it is about.
    Section(usize, String, String),
}

/// Of longer lists the rest is folded.
const ITEMS: usize = 15;

/// More arms of one change are folded.
const ARMS: usize = 3;

/// What a reader has to know.
const READING: &str = "\
    Each change is a piece of B that can be put into A by itself. It is named after the first rule that it alters: a state \
    of the tokenizer, and the input there. An example is an input, written as in Rust (\\0 is U+0000), with the tokens and \
    the errors that come out of A and of B; what the other does not have is marked. Places count bytes: \
    \u{201C}at 2\u{201D} is that of an error, \u{201C}at 0..8\u{201D} that of a token. A dash is a field that is missing, \
    [flag] one that is set. Where a content is named, the example stands in an element with such text, as title holds RCDATA.";

/// Rows by their numbers, from 1.
fn pick<'r, R>(rows: &'r [R], numbers: &[usize]) -> Vec<&'r R> {
    let rows = numbers
        .iter()
        .map(|number| rows.get(number.checked_sub(1)?));
    rows.flatten().collect()
}

fn text(text: impl Into<String>) -> Span {
    Span::Text(text.into())
}

fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}

/// The page of a report.
pub(super) fn page(report: &Report) -> Vec<Block> {
    let mut page = Page {
        report,
        blocks: Vec::new(),
    };
    page.summary();
    if report.search.is_none() {
        page.rules(&report.arms.iter().collect::<Vec<_>>(), usize::MAX);
        page.states(&(1..=report.only.len()).collect::<Vec<_>>());
    } else {
        page.causes();
    }
    page.declared();
    page.searched();
    page.blocks
}

/// The part of the page that is about one change.
pub(super) fn cause(report: &Report, number: usize) -> Vec<Block> {
    let mut page = Page {
        report,
        blocks: Vec::new(),
    };
    let cause = number
        .checked_sub(1)
        .and_then(|index| report.causes.get(index));
    page.group(&cause.map(|cause| (number, cause)).into_iter().collect());
    page.blocks
}

struct Page<'r> {
    report: &'r Report,
    blocks: Vec<Block>,
}

/// Causes that are shown as one: they are alike but for where they are.
type Group<'r> = Vec<(usize, &'r CauseRow)>;

impl<'r> Page<'r> {
    fn item(&mut self, depth: usize, spans: Vec<Span>) {
        self.blocks.push(Block::Item(depth, spans));
    }

    fn say(&mut self, said: impl Into<String>) {
        self.blocks.push(Block::Text(vec![text(said)]));
    }

    /// A list under a label, folded if it has more than a few items.
    fn list(&mut self, label: &str, few: usize, blocks: Vec<Block>) {
        let is_item = |block: &&Block| matches!(block, Block::Item(0, _));
        match blocks.iter().filter(is_item).count() {
            0 => {}
            items if items > few => self.blocks.push(Block::Fold(label.to_owned(), blocks)),
            _ => {
                self.say(format!("{label}:"));
                self.blocks.extend(blocks);
            }
        }
    }

    fn summary(&mut self) {
        let (report, counts) = (self.report, &self.report.counts);
        let compared = format!("compared in {}", report.compared.join(", "));
        let mut said = match report.verdict {
            "proven equal" => format!("Proven equal, {compared}: no input tells the two apart."),
            "different" => format!("Different, {compared}."),
            "no difference found" => {
                format!("No difference was found, {compared}; that is no proof.")
            }
            _ => format!("What the tables say, {compared}; what comes of it was not searched for."),
        };
        if report.search.is_some() {
            let places = [
                (counts.tokens, "in tokens"),
                (counts.errors, "only in errors"),
                (counts.positions, "only in positions"),
                (counts.companions, "only beside another change"),
                (counts.proven, "not at all, which is proven"),
                (counts.not_decided, "where is not known"),
            ];
            let places = places.iter().filter(|(number, _)| *number > 0);
            let places: Vec<String> = places.map(|(n, place)| format!("{place}: {n}")).collect();
            said += &format!(
                " B is A with {}",
                count(counts.changes, "change", "changes")
            );
            said += &match places.is_empty() {
                true => ".".to_owned(),
                false => format!(". They show {}.", places.join("; ")),
            };
        }
        self.say(said);
        if counts.witnessed == 0 {
            return;
        }
        self.say("Moving from A to B, look at this if your code reads …");
        for (differs, what, part) in [
            ("tokens", "tokens", "tokens"),
            ("errors", "errors too", "error codes"),
            ("positions", "positions too", ""),
        ] {
            let causes = (1..).zip(&report.causes);
            let causes = causes.filter(|(_, cause)| cause.differs == Some(differs));
            let mut spans = vec![text(format!("{what}: "))];
            spans.push(text(match ranges(causes.map(|(number, _)| number)) {
                none if none.is_empty() => "no further change".to_owned(),
                one if one.parse::<usize>().is_ok() => format!("change {one}"),
                numbers => format!("changes {numbers}"),
            }));
            let rows = report.others.iter().filter(|row| row.part == part);
            let rows: Vec<&OtherRow> = rows.collect();
            if !rows.is_empty() {
                spans.push(text("; "));
                spans.extend(part_spans(&rows));
            }
            self.item(0, spans);
        }
        self.say(READING);
    }

    /// All changes.
    fn causes(&mut self) {
        let mut groups: Vec<Group<'r>> = Vec::new();
        let mut places: BTreeMap<String, usize> = BTreeMap::new();
        for (number, cause) in (1..).zip(&self.report.causes) {
            if !matches!(cause.role, "cause" | "cause with others") {
                continue;
            }
            let place = *places
                .entry(self.likeness(number, cause))
                .or_insert(groups.len());
            match groups.get_mut(place) {
                Some(group) => group.push((number, cause)),
                None => groups.push(vec![(number, cause)]),
            }
        }
        for group in &groups {
            self.group(group);
        }
        let of_role = |role: &str| -> Group<'r> {
            let causes = (1..).zip(&self.report.causes);
            causes
                .filter(|(_, it)| it.role == role && it.needs.is_empty())
                .collect()
        };
        let [open, alone, invisible] = ["not decided", "companion", "no effect"].map(of_role);
        if !open.is_empty() {
            self.heading("not-decided", "Not decided".to_owned());
            let reasons = open.iter().map(|(_, cause)| {
                let reason = cause.reason.as_deref().unwrap_or_default();
                Block::Item(0, vec![text(format!("{}: {reason}", self.name(cause)))])
            });
            self.list("Why", ITEMS, reasons.collect());
        }
        if !alone.is_empty() {
            self.heading("companions", "Only beside others".to_owned());
            let these = count(alone.len(), "change alters", "changes alter");
            self.say(format!(
                "{these} nothing on which the two tables differ because of it."
            ));
            self.names(&alone, "Which they are");
        }
        if !invisible.is_empty() {
            self.heading("invisible", "What no input shows".to_owned());
            let these = count(invisible.len(), "change alters", "changes alter");
            let together = [", nor do all of them together", ""][usize::from(invisible.len() == 1)];
            self.say(format!(
                "{these} nothing that comes out{together}. That is proven: all inputs were searched, with the change made \
                 in A and with it taken back in B.",
            ));
            self.names(&invisible, "Which they are");
        }
    }

    fn heading(&mut self, anchor: &str, title: String) {
        self.blocks.push(Block::Heading(anchor.to_owned(), title));
    }

    /// What a change has in common with others that are shown with it.
    fn likeness(&self, number: usize, cause: &CauseRow) -> String {
        let (arms, others) = self.parts(cause);
        match (&arms[..], &others[..]) {
            ([arm], []) => format!("{:?} {:?} {:?}", cause.role, cause.differs, arm.sides),
            ([], [other]) if matches!(other.part, "named character references") => {
                format!("{:?} {}", cause.differs, other.part)
            }
            _ => format!("{number}"),
        }
    }

    /// What a change is called: by its first arm, or what else it is.
    fn name(&self, cause: &CauseRow) -> String {
        let (arms, others) = self.parts(cause);
        let more = match (arms.len() + others.len()).saturating_sub(1) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let name = match (arms.first(), others.first()) {
            (Some(arm), _) => format!("{}, {}", one_or_both(&arm.states, " → "), arm.on),
            (None, Some(other)) => other.what.clone(),
            (None, None) => {
                let example = self.example(cause);
                example.map_or_else(String::new, |it| one_or_both(&it.arms, " / "))
            }
        };
        name + &more
    }

    /// What a change consists of.
    fn parts(&self, cause: &CauseRow) -> (Vec<&'r ArmsRow>, Vec<&'r OtherRow>) {
        let report = self.report;
        (
            pick(&report.arms, &cause.arms),
            pick(&report.others, &cause.others),
        )
    }

    /// The first example of a change.
    fn example(&self, cause: &CauseRow) -> Option<&'r WitnessRow> {
        pick(&self.report.witnesses, &cause.examples)
            .into_iter()
            .next()
    }

    /// The names of changes, folded.
    fn names(&mut self, group: &Group<'r>, what: &str) {
        let names: Vec<String> = group.iter().map(|(_, cause)| self.name(cause)).collect();
        let names = Block::Text(vec![text(format!("{}.", names.join("; ")))]);
        self.blocks.push(Block::Fold(what.to_owned(), vec![names]));
    }

    /// Changes that are alike.
    fn group(&mut self, group: &Group<'r>) {
        let Some((number, cause)) = group.first() else {
            return;
        };
        let (arms, others) = self.parts(cause);
        let title = match (group.len(), others.first()) {
            (1, _) => self.name(cause),
            (many, Some(other)) => format!("{many} {}", other.part),
            (many, None) => format!("{} and {} alike", self.name(cause), many - 1),
        };
        let effect = self.example(cause).map(|it| self.effect(it));
        let effect = effect.unwrap_or_default();
        self.heading(
            &format!("c{number}"),
            format!("{number}. {title}: {effect}"),
        );
        self.examples(&cause.examples);
        if !cause.needs.is_empty() {
            let needs = ranges(cause.needs.iter().copied());
            self.say(format!("This shows only if no. {needs} is made too."));
        }
        self.rules(&arms, ARMS);
        self.states(&cause.only);
        let mut passing = cause.passing.clone();
        passing.retain(|number| !cause.examples.contains(number));
        passing.sort_unstable();
        passing.dedup();
        if !passing.is_empty() {
            self.say("Examples for the rules of these states:");
            self.examples(&passing);
        }
        if group.len() == 1 {
            self.others(&others);
        } else {
            self.alike(group);
        }
        let needs = |it: &CauseRow| it.needs.first().copied();
        let companions = (1..).zip(&self.report.causes).filter(|(_, it)| {
            it.role == "companion" && group.iter().any(|(number, _)| needs(it) == Some(*number))
        });
        let companions: Group<'r> = companions.collect();
        if !companions.is_empty() {
            let what = count(companions.len(), "change alters", "changes alter");
            self.names(&companions, &format!("{what} nothing without this one"));
        }
    }

    /// The other changes of a group: where they are, each with an example, or names that are examples themselves.
    fn alike(&mut self, group: &Group<'r>) {
        let others = group.get(1..).unwrap_or_default().to_vec();
        if group.iter().all(|(_, cause)| cause.arms.is_empty()) {
            return self.names(&others, &format!("The {} others", others.len()));
        }
        let items = others.iter().map(|(number, cause)| {
            let mut spans = vec![text(format!("no. {number}: {}", self.name(cause)))];
            if let Some(witness) = self.example(cause) {
                spans.push(text(": "));
                spans.extend(input(witness));
            }
            Block::Item(0, spans)
        });
        self.list("The same elsewhere", ITEMS, items.collect());
    }

    /// A line of an output as it is compared: where only their presence counts, errors have no names.
    fn compared(&self, line: &str) -> String {
        let is_error = line.starts_with("error ") || line.starts_with("parse error");
        match is_error && self.report.compared[1] == "presence of errors" {
            true => line
                .rsplit_once(" at ")
                .map_or("", |(_, place)| place)
                .to_owned(),
            false => line.to_owned(),
        }
    }

    /// What a side makes of an input, with what the other does not marked; and how much that is.
    fn output(&self, witness: &WitnessRow, side: usize) -> (Vec<Span>, usize) {
        let theirs = witness.outputs[1 - side]
            .iter()
            .map(|line| self.compared(line));
        let mut theirs: Vec<String> = theirs.collect();
        let (mut spans, mut marked) = (Vec::new(), 0);
        for line in &witness.outputs[side] {
            spans.extend((!spans.is_empty()).then(|| text(", ")));
            let own = self.compared(line);
            match theirs.iter().position(|their| *their == own) {
                Some(at) => {
                    theirs.remove(at);
                    spans.push(Span::Code(line.clone()));
                }
                None => {
                    marked += 1;
                    spans.push(Span::MarkedCode(line.clone()));
                }
            }
        }
        if spans.is_empty() {
            spans.push(text("nothing"));
        }
        (spans, marked)
    }

    /// What an example shows, in words.
    fn effect(&self, witness: &WitnessRow) -> &'static str {
        let marked = [0, 1].map(|side| self.output(witness, side).1);
        match (witness.differs, marked) {
            ("tokens", _) => "other tokens",
            ("positions", _) => "other positions",
            (_, [0, _]) => "more errors in B",
            (_, [_, 0]) => "fewer errors in B",
            _ => "other errors",
        }
    }

    /// Examples, by their numbers, with what both make of them; of many the rest as inputs only.
    fn examples(&mut self, numbers: &[usize]) {
        let all = pick(&self.report.witnesses, numbers);
        let (shown, rest) = all.split_at(all.len().min(ITEMS));
        for witness in shown {
            let outputs = [0, 1].map(|side| self.output(witness, side).0);
            self.blocks.push(Block::Example(input(witness), outputs));
        }
        if !rest.is_empty() {
            let mut spans = Vec::new();
            for witness in rest {
                spans.extend((!spans.is_empty()).then(|| text("; ")));
                spans.extend(input(witness));
            }
            let what = count(rest.len(), "example more", "examples more");
            self.blocks
                .push(Block::Fold(what, vec![Block::Text(spans)]));
        }
    }

    /// Arms of both tables, with what is different marked.
    fn rules(&mut self, rows: &[&'r ArmsRow], few: usize) {
        let is_short = |row: &ArmsRow| row.sides.iter().all(|lines| lines.len() == 1);
        let rules = rows
            .iter()
            .map(|row| self.rule(row, rows.len() <= few || is_short(row)));
        let label = count(rows.len(), "rule differs", "rules differ");
        self.list(&label, few, rules.flatten().collect());
    }

    /// An arm with what it does, if that is shown, else with an example.
    fn rule(&self, row: &ArmsRow, whole: bool) -> Vec<Block> {
        let mut spans = vec![text(one_or_both(&row.states, " → "))];
        let sections = [0, 1]
            .map(|side| Span::Section(side, row.sections[side].clone(), row.states[side].clone()));
        if row.sections.iter().any(|section| !section.is_empty()) {
            let [one, other] = sections;
            spans.extend([text(" ("), one, text(" → "), other, text(")")]);
        }
        spans.push(text(format!(", on {}", row.on)));
        let number = row.status.as_ref().and_then(|it| it.witness);
        let example = pick(&self.report.witnesses, number.as_slice()).pop();
        if let Some(witness) = example.filter(|_| !whole) {
            spans.push(text(": "));
            spans.extend(input(witness));
        }
        let mut blocks = vec![Block::Item(0, spans)];
        for side in (0..2).filter(|_| whole) {
            let lines = &row.sides[side];
            if lines.is_empty() {
                let none = text("has no rule of its own for this");
                blocks.push(Block::Item(1, vec![Span::Side(side), none]));
            }
            let theirs = row.sides[1 - side].iter().flat_map(|it| it.split("; "));
            let theirs: Vec<&str> = theirs.collect();
            for line in lines {
                let mut spans = vec![Span::Side(side)];
                for (index, piece) in line.split("; ").enumerate() {
                    spans.extend((index > 0).then(|| text("; ")));
                    spans.push(match theirs.contains(&piece) {
                        true => text(piece),
                        false => Span::Marked(piece.to_owned()),
                    });
                }
                blocks.push(Block::Item(1, spans));
            }
        }
        blocks
    }

    /// States of one table only.
    fn states(&mut self, numbers: &[usize]) {
        let states = pick(&self.report.only, numbers);
        for (side, table) in self.report.tables.iter().enumerate() {
            let mut spans = Vec::new();
            for state in states.iter().filter(|state| state.table == *table) {
                spans.push(text(if spans.is_empty() {
                    "States only in "
                } else {
                    "; "
                }));
                spans.extend((spans.len() == 1).then_some(Span::Side(side)));
                spans.push(text(state.state.as_str()));
                if !state.section.is_empty() {
                    let section = Span::Section(side, state.section.clone(), state.state.clone());
                    spans.extend([text(" ("), section, text(")")]);
                }
                if let Some(from) = &state.split_from {
                    spans.push(text(format!(", does what {from} does")));
                }
            }
            if !spans.is_empty() {
                self.blocks.push(Block::Text(spans));
            }
        }
    }

    /// What is outside the states: an item for each part.
    fn others(&mut self, others: &[&'r OtherRow]) {
        for rows in others.chunk_by(|one, other| one.part == other.part) {
            let part = rows.first().map(|row| text(format!("{}: ", row.part)));
            self.item(0, part.into_iter().chain(part_spans(rows)).collect());
        }
    }

    /// What is only declared and not said before, or with no search everything outside the states.
    fn declared(&mut self) {
        let is_declared = |number: usize, row: &OtherRow| {
            let is_said =
                self.report.counts.witnessed > 0 && ["tokens", "error codes"].contains(&row.part);
            let mut causes = self.report.causes.iter();
            !is_said && !causes.any(|cause| cause.others.contains(&number))
        };
        let rows = (1..).zip(&self.report.others);
        let rows = rows.filter(|(number, row)| is_declared(*number, row));
        let rows: Vec<&OtherRow> = rows.map(|(_, row)| row).collect();
        if rows.is_empty() && self.report.renamed.is_empty() {
            return;
        }
        self.heading("declared", "Names".to_owned());
        for [one, other] in &self.report.renamed {
            self.item(0, vec![text(format!("the state {one} is now {other}"))]);
        }
        self.others(&rows);
    }

    /// How it was found.
    fn searched(&mut self) {
        let (report, counts) = (self.report, &self.report.counts);
        let mut said = format!(
            "The two have {} in common, {} only in A, {} only in B, {} with another name; {} and {}. A state of a table \
             that does several things one after the other counts as several.",
            count(counts.common_states, "state", "states"),
            counts.only[0],
            counts.only[1],
            counts.renamed,
            count(counts.arms, "rule differs", "rules differ"),
            count(counts.others, "other thing", "other things")
        );
        if let Some(search) = &report.search {
            said += &format!(
                " The search followed {} situations of the two side by side, on inputs of up to {} characters.",
                search.situations, search.length
            );
        }
        self.heading("search", "How this was found".to_owned());
        self.say(said);
    }
}

/// An input with what it starts with, if that is not the initial state.
fn input(witness: &WitnessRow) -> Vec<Span> {
    let Setup {
        content,
        last_start_tag,
        answer,
    } = &witness.start;
    let content = content.iter().map(|content| format!("content {content}"));
    let name = last_start_tag
        .iter()
        .map(|name| format!("last start tag {name:?}"));
    let answer = answer.then(|| "questions answered with yes".to_owned());
    let given: Vec<String> = content.chain(name).chain(answer).collect();
    let mut spans = vec![Span::Code(format!("{:?}", witness.input))];
    spans.extend((!given.is_empty()).then(|| text(format!(" ({})", given.join(", ")))));
    spans
}

/// What two tables have outside the states, of one part: what only one has, then what they do not have alike.
fn part_spans(rows: &[&OtherRow]) -> Vec<Span> {
    let lacks = |said: &String| said.is_empty() || said == "no";
    let mut spans = Vec::new();
    for side in 0..2 {
        let only = rows.iter().filter(|row| lacks(&row.sides[1 - side]));
        let only: Vec<String> = only
            .map(|row| match row.sides[side].as_str() {
                "yes" => row.what.clone(),
                said => format!("{} {said}", row.what),
            })
            .collect();
        if !only.is_empty() {
            spans.push(text(if spans.is_empty() {
                "only in "
            } else {
                "; only in "
            }));
            spans.extend([Span::Side(side), text(only.join(", "))]);
        }
    }
    for row in rows.iter().filter(|row| !row.sides.iter().any(lacks)) {
        spans.extend((!spans.is_empty()).then(|| text("; ")));
        spans.push(text(row.what.as_str()));
        for (side, said) in row.sides.iter().enumerate() {
            spans.extend([text(" "), Span::Side(side), text(said)]);
        }
    }
    spans
}

/// Numbers in order, those that follow each other as one range.
fn ranges(numbers: impl Iterator<Item = usize>) -> String {
    let mut ranges: Vec<(usize, usize)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let ranges = ranges.iter().map(|(first, last)| match first == last {
        true => format!("{first}"),
        false => format!("{first} to {last}"),
    });
    ranges.collect::<Vec<_>>().join(", ")
}

/// What both sides are called: once, if they are called the same.
pub(crate) fn one_or_both([one, other]: &[String; 2], between: &str) -> String {
    if one == other {
        one.clone()
    } else {
        format!("{one}{between}{other}")
    }
}
