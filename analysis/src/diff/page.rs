//! A comparison as a page, whatever it is written in: each change once, those that show first.

mod rules;

use std::collections::BTreeMap;

use super::replay::Setup;
use super::report::{ArmsRow, CauseRow, OtherRow, Report, WitnessRow};
use super::wording::{effects, is_error, one_or_both};

/// A part of a page.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// A chapter, with an anchor.
    Heading(String, Vec<Span>),
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
    /// A sentence of a side's text.
    Quote(usize, String),
    /// A text, and its address.
    Link(String, String),
    /// A section: which table's, and the state that it is about.
    Section(usize, String, String),
}

/// Of longer lists the rest is folded.
const ITEMS: usize = 15;

/// More arms of one change are folded.
const ARMS: usize = 3;

/// What a reader has to know.
const READING: &str = "\
    A change is a part of B that can be put into A by itself. Each is shown on a short input, written as in Rust \
    (\\0 is U+0000), with all that comes out of A and of B, tokens before errors; what differs is marked. \
    \u{201C}at 2\u{201D} is the byte where an error is, \u{201C}at 0..8\u{201D} are those of a token; \u{2013} is a \
    field that is missing, [flag] one that is set; \u{201C}in RCDATA\u{201D} is inside an element with such text, as \
    title is. The rules of both follow: what a state of the tokenizer does with its input. A change that is only named \
    is named after the first rule that it alters.";

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
        quoted: [false; 2],
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
    page.notice();
    page.blocks
}

/// The part of the page that is about one change.
pub(super) fn cause(report: &Report, number: usize) -> Vec<Block> {
    let mut page = Page {
        report,
        blocks: Vec::new(),
        quoted: [false; 2],
    };
    let cause = number
        .checked_sub(1)
        .and_then(|index| report.causes.get(index));
    page.group(&cause.map(|cause| (number, cause)).into_iter().collect());
    page.notice();
    page.blocks
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
        let [tokens, errors, positions] = report.compared;
        let compared = format!("compared in {tokens}, {errors} and {positions}");
        let mut said = match report.verdict {
            "proven equal" => format!("Proven equal, {compared}: no input tells the two apart."),
            "different" => format!("The two differ, {compared}."),
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
                (counts.companions, "only together with others"),
                (counts.proven, "in nothing that comes out, which is proven"),
            ];
            let places = places.iter().filter(|(number, _)| *number > 0).enumerate();
            let places = places.map(|(index, (number, place))| match (index, number) {
                (0, 1) => format!("1 shows {place}"),
                (0, _) => format!("{number} show {place}"),
                _ => format!("{number} {place}"),
            });
            let open = counts.not_decided;
            let open = (open > 0).then(|| match open {
                1 => "1 is not decided".to_owned(),
                _ => format!("{open} are not decided"),
            });
            let places: Vec<String> = places.chain(open).collect();
            said += &format!(
                " B is A with {}",
                count(counts.changes, "change", "changes")
            );
            said += &match places.is_empty() {
                true => ".".to_owned(),
                false => format!(": {}.", places.join("; ")),
            };
        }
        self.say(said);
        // A report of inputs alone has no rows for this.
        if counts.witnessed == 0 || report.others.len() < counts.others {
            return;
        }
        self.say("What to look at, if your code moves from A to B and reads …");
        for (differs, what, part, named) in [
            ("tokens", "tokens", "tokens", "kinds of token"),
            ("errors", "errors too", "error codes", "codes"),
            ("positions", "positions too", "", ""),
        ] {
            let causes = (1..).zip(&report.causes);
            let causes = causes.filter(|(_, cause)| cause.differs == Some(differs));
            let mut spans = vec![text(format!("{what}: "))];
            spans.push(text(match ranges(causes.map(|(number, _)| number)) {
                none if none.is_empty() && differs == "tokens" => "no change".to_owned(),
                none if none.is_empty() => "no other change".to_owned(),
                one if one.parse::<usize>().is_ok() => format!("change {one}"),
                numbers => format!("changes {numbers}"),
            }));
            let rows = report.others.iter().filter(|row| row.part == part);
            let rows: Vec<&OtherRow> = rows.collect();
            if part == "error codes" && report.compared[1] == "presence of errors" {
                // The one row says which side has names.
                let only = rows.first().map(|row| usize::from(row.sides[1] == "yes"));
                let side = only.map_or("neither", |side| ["only A", "only B"][side]);
                spans.push(text(format!(
                    "; {side} names them, so that only their presence is compared"
                )));
            } else if !rows.is_empty() {
                spans.push(text(format!("; {named} ")));
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
            self.heading("not-decided", vec![text("Not decided")]);
            let reasons = open.iter().map(|(_, cause)| {
                let reason = cause.reason.as_deref().unwrap_or_default();
                let name = match self.name(cause) {
                    name if name.is_empty() => name,
                    name => format!("{name}: "),
                };
                Block::Item(0, vec![text(format!("{name}{reason}"))])
            });
            self.list("Why", ITEMS, reasons.collect());
        }
        if !alone.is_empty() {
            self.heading(
                "companions",
                vec![text("Changes that show only together with others")],
            );
            let (these, them) = match alone.len() {
                1 => ("1 change alters".to_owned(), "it"),
                many => (format!("{many} changes alter"), "them"),
            };
            self.say(format!(
                "{these} what A or B by itself makes of some input, but no input was found on which the two differ because of {them}."
            ));
            self.names(&alone, "Which they are");
        }
        if !invisible.is_empty() {
            self.heading("invisible", vec![text("Changes that no input shows")]);
            let these = count(invisible.len(), "change alters", "changes alter");
            let together = [", nor do all of them together", ""][usize::from(invisible.len() == 1)];
            self.say(format!(
                "{these} nothing that comes out{together}. That is proven: all inputs were searched, with the change made \
                 in A and with it taken back in B.",
            ));
            self.names(&invisible, "Which they are");
        }
    }

    fn heading(&mut self, anchor: &str, title: Vec<Span>) {
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
        let names = group.iter().filter_map(|(number, cause)| {
            // There is none in a report without the structure.
            let name = Some(self.name(cause)).filter(|name| !name.is_empty())?;
            Some(match cause.arms[..] {
                // The name of a reference.
                [] => name,
                _ => format!("{number}: {name}"),
            })
        });
        let names: Vec<String> = names.collect();
        if names.is_empty() {
            return;
        }
        let names = Block::Text(vec![text(format!("{}.", names.join("; ")))]);
        self.blocks.push(Block::Fold(what.to_owned(), vec![names]));
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
                title.push(text(format!("{} {}, as ", group.len(), other.part)));
            }
            (_, None) => title.push(text(self.name(cause))),
            _ => {}
        }
        if let Some(witness) = self.example(cause) {
            title.extend(input(witness));
            if others.is_empty() && group.len() > 1 {
                title.push(text(format!(" and {} alike", group.len() - 1)));
            }
            title.push(text(format!(": {}", self.effect(witness))));
        }
        self.heading(&format!("c{number}"), title);
        match cause.role {
            "no effect" => self.say("No input shows this change, which is proven."),
            "not decided" => self.say(cause.reason.clone().unwrap_or_default()),
            _ => {}
        }
        self.examples(&cause.examples);
        if !cause.needs.is_empty() {
            let needs = ranges(cause.needs.iter().copied());
            self.say(format!("This shows only together with change {needs}."));
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
            let what = count(companions.len(), "other change has", "other changes have");
            self.names(&companions, &format!("{what} no effect without this one"));
        }
    }

    /// The other changes of a group: where they are, each with an example, or names that are examples themselves.
    fn alike(&mut self, group: &Group<'r>) {
        let others = group.get(1..).unwrap_or_default().to_vec();
        if group.iter().all(|(_, cause)| cause.arms.is_empty()) {
            return self.names(&others, &format!("The {} others", others.len()));
        }
        let items = others.iter().map(|(number, cause)| {
            let mut spans = vec![text(format!("change {number}: {}", self.name(cause)))];
            if let Some(witness) = self.example(cause) {
                spans.push(text(": "));
                spans.extend(input(witness));
            }
            Block::Item(0, spans)
        });
        self.list("The same elsewhere", ITEMS, items.collect());
    }

    /// A line of an output or an arm as it is compared: where only their presence counts, errors have no names.
    fn compared<'l>(&self, line: &'l str) -> &'l str {
        match is_error(line) && self.report.compared[1] == "presence of errors" {
            true => line.rsplit_once(" at ").map_or("", |(_, place)| place),
            false => line,
        }
    }

    /// The lines that a side makes of an input, and whether the other makes them too.
    fn output(&self, witness: &'r WitnessRow, side: usize) -> Vec<(&'r str, bool)> {
        let theirs = witness.outputs[1 - side].iter();
        let mut theirs: Vec<&str> = theirs.map(|line| self.compared(line)).collect();
        let lines = witness.outputs[side].iter().map(|line| {
            let own = self.compared(line);
            let at = theirs.iter().position(|their| *their == own);
            at.map(|at| theirs.remove(at));
            (line.as_str(), at.is_some())
        });
        lines.collect()
    }

    /// What an example shows, in words.
    fn effect(&self, witness: &'r WitnessRow) -> String {
        let own = [0, 1].map(|side| {
            let lines = self.output(witness, side).into_iter();
            let lines = lines.filter(|(_, both)| !both).map(|(line, _)| line);
            lines.collect::<Vec<_>>()
        });
        effects(witness.differs, own, self.report.compared[1])
    }

    /// Examples, by their numbers, with what both make of them; of many the rest as inputs only.
    fn examples(&mut self, numbers: &[usize]) {
        let all = pick(&self.report.witnesses, numbers);
        let (shown, rest) = all.split_at(all.len().min(ITEMS));
        for witness in shown {
            let outputs = [0, 1].map(|side| {
                let mut spans = Vec::new();
                for (line, both) in self.output(witness, side) {
                    spans.extend((!spans.is_empty()).then(|| text(", ")));
                    spans.push(match both {
                        true => Span::Code(line.to_owned()),
                        false => Span::MarkedCode(line.to_owned()),
                    });
                }
                if spans.is_empty() {
                    spans.push(text("nothing"));
                }
                spans
            });
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
        self.heading("declared", vec![text("Names")]);
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
                spans.extend([
                    text(["Quotations of A are from ", " Quotations of B are from "][side]),
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
        let mut said = format!(
            "The two have {} in common, {} only in A, {} only in B, {} with another name; {}, and {} outside the states. \
             A state that does several things one after the other counts as several.",
            count(counts.common_states, "state", "states"),
            counts.only[0],
            counts.only[1],
            counts.renamed,
            count(counts.arms, "rule differs", "rules differ"),
            count(counts.others, "thing", "things")
        );
        if let Some(search) = &report.search
            && search.situations > 0
        {
            said += &format!(
                " Both were run side by side on all inputs at once, shortest first, up to {} characters: what they remember of an \
                 input came in {} combinations.",
                search.length, search.situations
            );
            if !search.unknown.is_empty() {
                said += " Not all of these were followed to the end (--format json says why); what is called proven was searched \
                         by itself.";
            }
        }
        self.heading("search", vec![text("How this was found")]);
        self.say(said);
    }
}

/// An input with what it starts with, if that is not the initial state.
fn input(witness: &WitnessRow) -> Vec<Span> {
    let Setup {
        content,
        last_start_tag,
        answer,
        scripting,
    } = &witness.start;
    let content = content.iter().map(|content| format!(" in {content}"));
    let name = last_start_tag
        .iter()
        .map(|name| format!(" after the start tag {name:?}"));
    let answer = answer.then(|| " with questions answered with yes".to_owned());
    let page = scripting.map(|on| [" in a page without scripting", " in a page"][usize::from(on)]);
    let page = page.map(str::to_owned);
    let given: String = content.chain(name).chain(answer).chain(page).collect();
    let mut spans = vec![Span::Code(format!("{:?}", witness.input))];
    spans.extend((!given.is_empty()).then(|| text(given)));
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
        let steps = row
            .sides
            .each_ref()
            .map(|said| said.split("; ").collect::<Vec<_>>());
        for (side, own) in steps.iter().enumerate() {
            spans.extend([text([" ", ", "][side]), Span::Side(side)]);
            for (index, step) in own.iter().enumerate() {
                spans.extend((index > 0).then(|| text("; ")));
                let both = own.len() == 1 || steps[1 - side].contains(step);
                spans.push(if both {
                    text(*step)
                } else {
                    Span::Marked((*step).to_owned())
                });
            }
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
    let ranges = ranges.iter().map(|(first, last)| match last - first {
        0 => format!("{first}"),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    ranges.collect::<Vec<_>>().join(", ")
}
