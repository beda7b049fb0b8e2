//! A comparison as a page, be it text or Markdown: each change once, those that show first.

mod rules;
mod summary;

use std::collections::BTreeMap;

use super::outside::{Part, TableRow};
use super::replay::Setup;
use super::report::{CauseRow, Report, Row, WitnessRow};
use super::structure::ArmRow;
use super::wording::{beside, effects, one_or_both};

/// A part of a page.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// A chapter.
    Heading(Vec<Span>),
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
    /// What is true where such text is marked.
    OfMarks(&'static str),
    /// The first or the second table.
    Side(usize),
    /// A sentence of a text.
    Quote(String),
    /// A text, and its address.
    Link(String, String),
    /// Sections: which table's, the number, and the state that it is about.
    Sections(Vec<(usize, String, String)>),
}

/// Of longer lists the rest is folded.
const ITEMS: usize = 15;

/// Of more examples only two of each effect are shown in full.
const EXAMPLES: usize = 8;

/// More arms of one change are folded.
const ARMS: usize = 3;

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

/// Items in one line.
fn joined(between: &str, items: impl IntoIterator<Item = Vec<Span>>) -> Vec<Span> {
    let mut line: Vec<Span> = Vec::new();
    for item in items {
        line.extend((!line.is_empty()).then(|| text(between)));
        line.extend(item);
    }
    line
}

/// Lines that both sides have, or one alone, as they are shown then.
fn marked(
    between: &str,
    lines: Vec<(&str, bool)>,
    [both, alone]: [fn(String) -> Span; 2],
) -> Vec<Span> {
    let span = |(line, is_both): (&str, bool)| {
        let shown = if is_both { both } else { alone };
        vec![shown(line.to_owned())]
    };
    joined(between, lines.into_iter().map(span))
}

/// The page of a report.
pub(super) fn page(report: &Report) -> Vec<Block> {
    let mut page = Page::new(report);
    page.summary();
    if report.search.is_none() {
        page.rules(&report.arms.iter().collect::<Vec<_>>(), usize::MAX);
        page.states(&(1..=report.only.len()).collect::<Vec<_>>());
    } else {
        page.causes();
    }
    page.declared();
    page.searched();
    page.notice();
    page.blocks
}

/// The part of the page that is about one change.
pub(super) fn cause(report: &Report, number: usize) -> Vec<Block> {
    let mut page = Page::new(report);
    let cause = pick(&report.causes, &[number]);
    page.group(&cause.into_iter().map(|cause| (number, cause)).collect());
    page.notice();
    page.blocks
}

/// One example for each change that an input shows: what it shows, and the input.
pub fn examples(report: &Report) -> Vec<(String, &WitnessRow)> {
    let page = Page::new(report);
    let groups = page.groups().into_values();
    let example = |group: Group<'_>| {
        let (_, cause) = group.first()?;
        let witness = page.example(cause)?;
        Some((page.sentence(group.len(), cause, witness), witness))
    };
    groups.filter_map(example).collect()
}

struct Page<'r> {
    report: &'r Report,
    blocks: Vec<Block>,
    /// Whose text is quoted.
    quoted: [bool; 2],
}

/// Causes that are shown as one: they are alike but for where they are.
type Group<'r> = Vec<(usize, &'r CauseRow)>;

impl<'r> Page<'r> {
    fn new(report: &'r Report) -> Self {
        Self {
            report,
            blocks: Vec::new(),
            quoted: [false; 2],
        }
    }

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

    /// The changes that are shown, by the number of the first.
    fn groups(&self) -> BTreeMap<usize, Group<'r>> {
        let mut groups: BTreeMap<usize, Group<'r>> = BTreeMap::new();
        let causes = (1..).zip(&self.report.causes);
        for (number, cause) in causes.filter(|(_, cause)| is_shown(cause)) {
            let group = groups
                .entry(cause.shown_with.unwrap_or(number))
                .or_default();
            group.push((number, cause));
        }
        groups
    }

    /// All changes.
    fn causes(&mut self) {
        let causes = || (1..).zip(&self.report.causes);
        let groups = self.groups();
        let of_role =
            |role: &str| -> Group<'r> { causes().filter(|(_, it)| it.role == role).collect() };
        let [open, alone, invisible] = ["not decided", "companion", "no effect"].map(of_role);
        for group in groups.values() {
            self.group(group);
        }
        if !open.is_empty() {
            self.heading(vec![text("Not decided")]);
            let reasons = open.iter().map(|(_, cause)| {
                let name = Some(self.name(cause)).filter(|name| !name.is_empty());
                let name = name.map(|name| vec![text(name)]);
                let reason = cause.reason.as_deref().map(with_code);
                Block::Item(0, joined(": ", name.into_iter().chain(reason)))
            });
            self.list("Why", ITEMS, reasons.collect());
        }
        let (together, these, them) = match invisible.len() {
            1 => ("", "the change", "it"),
            _ => (", nor do all of them together", "the changes", "them"),
        };
        for (group, title, what) in [
            (
                alone,
                "Changes that show nowhere by themselves",
                "what A or B makes of some input, but no input was found on which A and B differ because of that.".to_owned(),
            ),
            (
                invisible,
                "Changes without effect",
                format!(
                    "nothing that comes out{together}. This is proven: A is equal to A with {these}, and B to B without {them}."
                ),
            ),
        ] {
            if !group.is_empty() {
                self.heading(vec![text(title)]);
                let these = count(group.len(), "change alters", "changes alter");
                self.say(format!("{these} {what}"));
                self.names(&group, "Which they are");
            }
        }
    }

    fn heading(&mut self, title: Vec<Span>) {
        self.blocks.push(Block::Heading(title));
    }

    /// What a change is called: by its first arm, or what else it is.
    fn name(&self, cause: &CauseRow) -> String {
        let (arms, others) = self.parts(cause);
        let more = (arms.len() + others.len()).saturating_sub(1);
        let more = match (more, others.is_empty()) {
            (0, _) => String::new(),
            (_, true) => format!(", and {}", count(more, "more rule", "more rules")),
            _ => format!(", and {more} more rules and rows of lists"),
        };
        let name = match (arms.first(), others.first()) {
            (Some(arm), _) => format!("{}, on {}", one_or_both(&arm.states, " → "), arm.on),
            (None, Some(other)) => other.what.clone(),
            (None, None) => {
                let example = self.example(cause);
                example.map_or_else(String::new, |it| one_or_both(&it.arms, " / "))
            }
        };
        name + &more
    }

    /// The states of one table only that belong to a change: a few by name.
    fn only(&self, cause: &CauseRow) -> String {
        let all = pick(&self.report.only, &cause.only);
        let sides = (0..).zip(["B lacks", "B adds"]);
        let of_tables = sides.filter_map(|(side, verb)| {
            let states = all.iter().filter(|state| state.side == side);
            let names: Vec<&str> = states.map(|state| state.name.as_str()).collect();
            match names.len() {
                0 => None,
                1 => Some(format!("{verb} the state {}", names.concat())),
                2 => Some(format!("{verb} the states {}", names.join(" and "))),
                many => Some(format!("{verb} {many} states")),
            }
        });
        let of_tables: Vec<String> = of_tables.collect();
        match of_tables.is_empty() {
            true => String::new(),
            false => format!(" ({})", of_tables.join("; ")),
        }
    }

    /// What a change consists of.
    fn parts(&self, cause: &CauseRow) -> (Vec<&'r Row<ArmRow>>, Vec<&'r Row<TableRow>>) {
        let report = self.report;
        (
            pick(&report.arms, &cause.arms),
            pick(&report.others, &cause.others),
        )
    }

    /// The example that names a change.
    fn example(&self, cause: &CauseRow) -> Option<&'r WitnessRow> {
        let numbers = [&cause.examples[..], &cause.passing].concat();
        let examples = pick(&self.report.witnesses, &numbers).into_iter();
        examples.min_by_key(|witness| self.gravity(witness))
    }

    /// The order of examples: other tokens before the same with another text, then errors, then positions.
    fn gravity(&self, witness: &WitnessRow) -> [bool; 3] {
        let differs = |what| witness.differs != what;
        let is_text = self.effect(witness).contains("different");
        [differs("tokens"), differs("errors"), is_text]
    }

    /// The names of changes, folded.
    fn names(&mut self, group: &Group<'r>, what: &str) {
        // There is none in a report without the structure.
        let named = group
            .iter()
            .map(|(number, cause)| (number, cause, self.name(cause)));
        let named = named.filter(|(.., name)| !name.is_empty());
        let names = named.map(|(number, cause, name)| match self.parts(cause) {
            (_, others) if is_reference(&others) => {
                let meanings = others.first().map(|row| row.sides.each_ref());
                let meanings = meanings.filter(|sides| !sides[0].is_empty());
                let meanings = meanings.map(|[a, b]| text(format!(": {a} → {b}")));
                [Span::Code(name)].into_iter().chain(meanings).collect()
            }
            _ => vec![text(format!("{number}: {name}{}", self.only(cause)))],
        });
        let names = joined("; ", names);
        if !names.is_empty() {
            let names = vec![Block::Text(names)];
            self.blocks.push(Block::Fold(what.to_owned(), names));
        }
    }

    /// What an example shows of so many changes that are alike; of one of them.
    fn sentence(&self, many: usize, cause: &CauseRow, witness: &WitnessRow) -> String {
        let sentence = self.effect(witness) + &self.only(cause);
        match many > 1 && !cause.arms.is_empty() {
            true => format!("{sentence} (the same edit in {many} rules)"),
            false => sentence,
        }
    }

    /// Changes that are alike.
    fn group(&mut self, group: &Group<'r>) {
        let Some((number, cause)) = group.first() else {
            return;
        };
        let (arms, others) = self.parts(cause);
        let mut title = vec![text(format!("{number}. "))];
        match (others.first(), self.example(cause)) {
            (Some(other), Some(_)) if group.len() > 1 => {
                title.push(text(format!("{} {}, as ", group.len(), other.part.name())));
            }
            (_, None) => title.push(text(self.name(cause))),
            _ => {}
        }
        if let Some(witness) = self.example(cause) {
            title.extend(input(witness));
            title.push(text(format!(
                ": {}",
                self.sentence(group.len(), cause, witness)
            )));
        }
        self.heading(title);
        match cause.role {
            "no effect" => self.say("No input shows this change, which is proven."),
            "not decided" => {
                let reason = cause.reason.as_deref().unwrap_or_default();
                self.blocks.push(Block::Text(with_code(reason)));
            }
            _ => {}
        }
        self.examples(&cause.examples);
        if cause.role == "cause with others" {
            self.say("This shows only together with other changes.");
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
    }

    /// The other changes of a group: where they are, each with an example, or names that are examples themselves.
    fn alike(&mut self, group: &Group<'r>) {
        let others = group.get(1..).unwrap_or_default().to_vec();
        if group.iter().all(|(_, cause)| cause.arms.is_empty()) {
            return self.names(&others, &format!("The {} others", others.len()));
        }
        let effect = |cause: &CauseRow| self.example(cause).map(|witness| self.effect(witness));
        let first = group.first().map(|(_, cause)| (cause.role, effect(cause)));
        let items = others.iter().map(|(number, cause)| {
            let mut spans = vec![text(format!("change {number}: {}: ", self.name(cause)))];
            spans.extend(self.example(cause).into_iter().flat_map(input));
            // What is not as with the first.
            let effect = effect(cause);
            if let (Some((role, shown)), Some(own)) = (&first, &effect) {
                spans.extend((effect != *shown).then(|| text(format!(", {own}"))));
                let is_more = cause.role != *role && cause.role == "cause with others";
                spans.extend(is_more.then(|| text(", only together with other changes")));
            }
            Block::Item(0, spans)
        });
        let items = items.collect();
        self.list("The same elsewhere", ITEMS, items);
    }

    /// The lines that a side makes of an input, and whether the other makes them too.
    fn output<'w>(&self, witness: &'w WitnessRow, side: usize) -> Vec<(&'w str, bool)> {
        let [own, theirs] = [side, 1 - side].map(|side| &witness.outputs[side]);
        beside(own, theirs, self.report.errors)
    }

    /// What an example shows, in words.
    fn effect(&self, witness: &WitnessRow) -> String {
        let own = [0, 1].map(|side| {
            let lines = self.output(witness, side).into_iter();
            let lines = lines.filter(|(_, both)| !both).map(|(line, _)| line);
            lines.collect::<Vec<_>>()
        });
        effects(witness.differs, own, self.report.errors)
    }

    /// Examples, by their numbers, with what both make of them, the gravest first. Of many that show the same, two are shown.
    fn examples(&mut self, numbers: &[usize]) {
        let mut shown = pick(&self.report.witnesses, numbers);
        shown.sort_by_key(|it| self.gravity(it));
        let mut rest = Vec::new();
        if shown.len() > EXAMPLES {
            let mut seen: BTreeMap<String, usize> = BTreeMap::new();
            (shown, rest) = shown.into_iter().partition(|witness| {
                let times = seen.entry(self.effect(witness)).or_default();
                *times += 1;
                *times <= 2
            });
        }
        let mut blocks: Vec<Block> = shown.into_iter().map(|it| self.block(it)).collect();
        let more = blocks.split_off(blocks.len().min(ITEMS));
        self.blocks.extend(blocks);
        if !more.is_empty() {
            let what = count(more.len(), "more example", "more examples");
            self.blocks.push(Block::Fold(what, more));
        }
        if !rest.is_empty() {
            let what = count(rest.len(), "more example", "more examples");
            let inputs = joined("; ", rest.into_iter().map(input));
            let what = format!("{what} of the same effects");
            self.blocks
                .push(Block::Fold(what, vec![Block::Text(inputs)]));
        }
    }

    /// An example with what both make of it.
    fn block(&self, witness: &'r WitnessRow) -> Block {
        let outputs = [0, 1].map(|side| {
            let lines = self.output(witness, side);
            match lines.is_empty() {
                true => vec![text("nothing")],
                false => marked(", ", lines, [Span::Code, told_apart]),
            }
        });
        Block::Example(input(witness), outputs)
    }

    /// What is outside the states: an item for each part.
    fn others(&mut self, others: &[&'r Row<TableRow>]) {
        for rows in others.chunk_by(|one, other| one.part == other.part) {
            let part = rows.first().map_or("", |row| row.part.name());
            match &part_spans(rows)[..] {
                [one] => self.item(0, [&[text(format!("{part}: "))], &one[..]].concat()),
                several => {
                    self.item(0, vec![text(format!("{part}:"))]);
                    several.iter().for_each(|it| self.item(1, it.clone()));
                }
            }
        }
    }

    /// What is only declared and not said before, or with no search everything outside the states.
    fn declared(&mut self) {
        let is_declared = |number: usize, row: &Row<TableRow>| {
            let said = [Part::Tokens, Part::Codes, Part::Contents];
            let is_said = self.report.verdict == "different" && said.contains(&row.part);
            let mut causes = self.report.causes.iter();
            !is_said && !causes.any(|cause| cause.others.contains(&number))
        };
        let rows = (1..).zip(&self.report.others);
        let rows = rows.filter(|(number, row)| is_declared(*number, row));
        let rows: Vec<&Row<TableRow>> = rows.map(|(_, row)| row).collect();
        if rows.is_empty() && self.report.renamed.is_empty() {
            return;
        }
        self.heading(vec![text("Names")]);
        for [one, other] in &self.report.renamed {
            self.item(0, vec![text(format!("the state {one} is now {other}"))]);
        }
        self.others(&rows);
    }

    /// Whose words the quotations are, and under which licence.
    fn notice(&mut self) {
        let mut spans = Vec::new();
        for (side, terms) in self.report.terms.iter().enumerate() {
            if let Some(terms) = terms.as_ref().filter(|_| self.quoted[side]) {
                let title = self.report.titles[side].clone();
                let space = ["", " "][usize::from(!spans.is_empty())];
                spans.extend([
                    text(format!(
                        "{space}Quotations of {} are from ",
                        ["A", "B"][side]
                    )),
                    Span::Link(title, terms.link.clone()),
                    text(", "),
                    Span::Link(terms.licence.clone(), terms.licence_link.clone()),
                    text("."),
                ]);
            }
        }
        if !spans.is_empty() {
            self.blocks.push(Block::Text(spans));
        }
    }

    /// How it was found.
    fn searched(&mut self) {
        let (report, counts) = (self.report, &self.report.counts);
        let states = [
            (counts.only[0], "only in A"),
            (counts.only[1], "only in B"),
            (counts.renamed, "with another name"),
        ];
        let common = count(counts.common_states, "state", "states");
        let mut said = vec![format!("The tables have {common} in common")];
        let states = states.iter().filter(|(number, _)| *number > 0);
        said.extend(states.map(|(number, which)| format!("{number} {which}")));
        if counts.arms > 0 {
            said.push(count(counts.arms, "rule differs", "rules differ"));
        }
        let parts = report.others.chunk_by(|one, other| one.part == other.part);
        let parts = parts
            .filter_map(|rows| Some(format!("{} ({})", rows.first()?.part.name(), rows.len())));
        let parts: Vec<String> = parts.collect();
        if !parts.is_empty() {
            said.push(format!("outside the states differ: {}", parts.join(", ")));
        }
        let mut said = format!(
            "{}. A state with several steps counts as several.",
            said.join("; ")
        );
        if let Some(search) = report.search.as_ref().filter(|it| it.situations > 0) {
            said += &format!(
                " Both were run side by side, the shortest inputs first. Of inputs that leave both in the same state, only the \
                 first was continued: {}, the longest of {} characters",
                search.situations, search.length
            );
            let may_show = |it: &CauseRow| it.role != "no effect" && it.differs != Some("tokens");
            let causes = (1..).zip(&report.causes);
            let cut = causes.filter(|(_, cause)| cause.is_cut && may_show(cause));
            let cut: Vec<usize> = cut.map(|(number, _)| number).collect();
            let [many, them] = [["s", "them"], ["", "it"]][usize::from(cut.len() == 1)];
            said += &match (cut.is_empty(), search.unknown.is_empty()) {
                (true, true) => ", and then none was left.".to_owned(),
                (true, false) => ".".to_owned(),
                (false, _) => format!(
                    ". The search for change{many} {} ended at a limit: more than is said here may come of {them}.",
                    ranges(cut.iter().copied()),
                ),
            };
        }
        self.heading(vec![text("How this was found")]);
        self.say(said);
    }
}

/// A text in which names are between backticks.
fn with_code(said: &str) -> Vec<Span> {
    let parts = said.split('`').zip([false, true].into_iter().cycle());
    let span = |(part, is_code): (&str, bool)| match is_code {
        true => Span::Code(part.to_owned()),
        false => text(part),
    };
    parts.map(span).collect()
}

/// What only one side has, as code. It shows characters outside ASCII by number: U+2126 and U+03A9 both look like an omega.
fn told_apart(line: String) -> Span {
    let shown = |c: char| c.is_ascii() || ['\u{FFFD}', '\u{2013}'].contains(&c);
    let parts = line.chars().map(|c| match shown(c) {
        true => c.to_string(),
        false => c.escape_unicode().to_string(),
    });
    Span::MarkedCode(parts.collect())
}

/// Whether this is the name of a reference.
fn is_reference(others: &[&Row<TableRow>]) -> bool {
    matches!(others, [row] if row.part == Part::References)
}

/// Whether an input shows a change.
fn is_shown(cause: &CauseRow) -> bool {
    matches!(cause.role, "cause" | "cause with others")
}

/// An input with what it starts with, if that is not the initial state.
fn input(witness: &WitnessRow) -> Vec<Span> {
    let Setup {
        content,
        last_start_tag,
        answer,
        questions,
        scripting,
    } = &witness.start;
    let content = content.iter().map(|content| format!(" in {content}"));
    let name = last_start_tag
        .iter()
        .map(|name| format!(" after the start tag {name:?}"));
    let questions = match questions.is_empty() {
        true => "questions".to_owned(),
        false => format!("“{}”", questions.join("”, “")),
    };
    let answer = answer.then(|| format!(" with {questions} answered with yes"));
    let page = scripting.map(|on| [" in a page without scripting", " in a page"][usize::from(on)]);
    let page = page.map(str::to_owned);
    let given: String = content.chain(name).chain(answer).chain(page).collect();
    let mut spans = vec![Span::Code(format!("{:?}", witness.input))];
    spans.extend((!given.is_empty()).then(|| text(given)));
    spans
}

/// What two tables have outside the states, of one part: what only one has, then what they do not have alike.
fn part_spans(rows: &[&Row<TableRow>]) -> Vec<Vec<Span>> {
    let lacks = |said: &String| said.is_empty() || said == "no";
    let mut items = Vec::new();
    for side in 0..2 {
        let only = rows.iter().filter(|row| lacks(&row.sides[1 - side]));
        let only: Vec<String> = only
            .map(|row| match row.sides[side].as_str() {
                "yes" => row.what.clone(),
                said => format!("{} {said}", row.what),
            })
            .collect();
        if !only.is_empty() {
            let only = text(only.join(", "));
            items.push(vec![text("only in "), Span::Side(side), only]);
        }
    }
    for row in rows.iter().filter(|row| !row.sides.iter().any(lacks)) {
        // Lists of characters have commas only.
        let is_list = row.sides.iter().any(|said| said.contains("; "));
        let between = [", ", "; "][usize::from(is_list)];
        let parts = row.sides.each_ref();
        let parts = parts.map(|said| said.split(between).collect::<Vec<_>>());
        let mut spans = vec![text(format!("{}: ", row.what))];
        for (side, own) in parts.iter().enumerate() {
            spans.extend((side > 0).then(|| text("; ")));
            spans.push(Span::Side(side));
            let own = own
                .iter()
                .map(|part| (*part, parts[1 - side].contains(part)));
            spans.extend(marked(between, own.collect(), [Span::Text, Span::Marked]));
        }
        items.push(spans);
    }
    items
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
    let ranges = ranges.iter().map(|(first, last)| match last - first {
        0 => format!("{first}"),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    ranges.collect::<Vec<_>>().join(", ")
}
