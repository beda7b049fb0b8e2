//! A comparison as a page, whatever it is written in: each change once, those that show first.

use std::collections::{BTreeMap, BTreeSet};

use super::report::{ArmsRow, CauseRow, OtherRow, Report, Start, WitnessRow};

/// A part of a page.
#[derive(Clone, Debug)]
pub(super) enum Block {
    /// A chapter, with an anchor.
    Heading(String, String),
    Text(Vec<Span>),
    /// An item of a list, of this depth.
    Item(usize, Vec<Span>),
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

/// Lists with more items are folded.
const ITEMS: usize = 15;

/// How many examples of a change are shown. The JSON has all of them.
const EXAMPLES: usize = 8;

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
        page.rows(&report.arms.iter().collect::<Vec<_>>(), 0);
        page.states(
            &report
                .only
                .iter()
                .enumerate()
                .map(|(at, _)| at + 1)
                .collect::<Vec<_>>(),
        );
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

    /// Puts what `add` adds under a label, and folds it if it is more than a few items.
    fn folded(&mut self, what: &str, few: usize, add: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.blocks);
        add(self);
        let added = std::mem::replace(&mut self.blocks, before);
        let is_item = |block: &&Block| matches!(block, Block::Item(0, _));
        match added.iter().filter(is_item).count() {
            0 => {}
            items if items > few => self.blocks.push(Block::Fold(what.to_owned(), added)),
            _ => {
                self.blocks
                    .push(Block::Text(vec![text(format!("{what}:"))]));
                self.blocks.extend(added);
            }
        }
    }

    fn witness(&self, number: usize) -> Option<&'r WitnessRow> {
        self.report.witnesses.get(number.checked_sub(1)?)
    }

    fn arms_of(&self, cause: &CauseRow) -> Vec<&'r ArmsRow> {
        let arms = cause.arms.iter();
        arms.filter_map(|number| self.report.arms.get(number - 1))
            .collect()
    }

    fn others_of(&self, cause: &CauseRow) -> Vec<&'r OtherRow> {
        let others = cause.others.iter();
        others
            .filter_map(|number| self.report.others.get(number - 1))
            .collect()
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
            _ => format!(
                "Only the structure was compared, errors by {}.",
                ["code", "presence"][usize::from(report.compared[1] == "presence of errors")]
            ),
        };
        if report.search.is_some() {
            said += &format!(
                " B is A with {}.",
                count(counts.changes, "change", "changes")
            );
            let shown = counts.tokens + counts.errors + counts.positions;
            let kinds = [
                (counts.tokens, "in tokens"),
                (counts.errors, "only in errors"),
                (counts.positions, "only in positions"),
            ];
            let kinds = kinds.iter().filter(|(count, _)| *count > 0);
            let kinds: Vec<String> = kinds
                .map(|(count, what)| format!("{count} {what}"))
                .collect();
            if shown > 0 {
                said += &format!(" {shown} can be seen: {}.", kinds.join(", "));
            }
            if counts.companions > 0 {
                said += &format!(
                    " Others need {}, with no effect of their own.",
                    counts.companions
                );
            }
            if counts.proven > 0 {
                said += &format!(" {} cannot be seen: that is proven.", counts.proven);
            }
            if counts.not_decided > 0 {
                said += &format!(" Of {} it is not known.", counts.not_decided);
            }
        }
        let mut spans = vec![text(said)];
        let inputs = report
            .causes
            .iter()
            .filter_map(|cause| cause.examples.first());
        let inputs = inputs.filter_map(|number| self.witness(*number)).take(4);
        let inputs: Vec<&WitnessRow> = inputs.collect();
        if !inputs.is_empty() {
            spans.push(text(" Inputs that show it:"));
        }
        for (index, witness) in inputs.iter().enumerate() {
            let comma = if index + 1 < inputs.len() { "," } else { "." };
            spans.extend([
                text(" "),
                Span::Code(format!("{:?}", witness.input)),
                text(comma),
            ]);
        }
        self.blocks.push(Block::Text(spans));
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
        let of_role = |role: &str| {
            let causes = (1..).zip(&self.report.causes);
            causes
                .filter(|(_, cause)| cause.role == role)
                .collect::<Group<'r>>()
        };
        let not_decided = of_role("not decided");
        if !not_decided.is_empty() {
            self.heading("not-decided", "Not decided".to_owned());
            for (_, cause) in not_decided {
                let reason = cause.reason.as_deref().unwrap_or_default();
                self.item(0, vec![text(format!("{}: {reason}", self.name(cause)))]);
            }
        }
        let alone: Group<'r> = of_role("companion")
            .into_iter()
            .filter(|(_, it)| it.needs.is_empty())
            .collect();
        if !alone.is_empty() {
            self.heading("companions", "Only beside others".to_owned());
            let what = "alter nothing on which the two tables differ because of them";
            self.blocks
                .push(Block::Text(vec![text(format!("{} {what}.", alone.len()))]));
            self.names(&alone, "Which they are");
        }
        let invisible = of_role("no effect");
        if !invisible.is_empty() {
            self.heading("invisible", "What no input shows".to_owned());
            let together = if invisible.len() > 1 {
                ", and so for all of them together"
            } else {
                ""
            };
            self.blocks.push(Block::Text(vec![text(format!(
                "{}: all inputs were searched with it made in A, and with it taken back in B, and nothing that comes out \
                 is altered{together}.",
                count(invisible.len(), "change cannot be seen", "changes cannot be seen, each"),
            ))]));
            self.names(&invisible, "Which they are");
        }
    }

    fn heading(&mut self, anchor: &str, title: String) {
        self.blocks.push(Block::Heading(anchor.to_owned(), title));
    }

    /// What a change has in common with others that are shown with it.
    fn likeness(&self, number: usize, cause: &CauseRow) -> String {
        let (arms, others) = (self.arms_of(cause), self.others_of(cause));
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
        let (arms, others) = (self.arms_of(cause), self.others_of(cause));
        let more = (arms.len() + others.len()).saturating_sub(1);
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        match (arms.first(), others.first()) {
            (Some(arm), _) => format!("{}, {}{more}", one_or_both(&arm.states, " → "), arm.on),
            (None, Some(other)) => format!("{}{more}", other.what),
            (None, None) => {
                let example = cause
                    .examples
                    .first()
                    .and_then(|number| self.witness(*number));
                example.map_or_else(String::new, |it| one_or_both(&it.arms, " / "))
            }
        }
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
        let (arms, others) = (self.arms_of(cause), self.others_of(cause));
        let differs = cause.differs.unwrap_or_default();
        let title = match (group.len(), others.first()) {
            (1, _) => format!("{number}. {}: {differs} differ", self.name(cause)),
            (many, Some(other)) => format!("{number}. {many} {}: {differs} differ", other.part),
            (many, None) => {
                format!(
                    "{number}. {} and {} alike: {differs} differ",
                    self.name(cause),
                    many - 1
                )
            }
        };
        self.heading(&format!("c{number}"), title);
        let examples = cause.examples.iter().filter_map(|it| self.witness(*it));
        let examples: Vec<&WitnessRow> = examples.collect();
        if let Some(witness) = examples.first() {
            self.example(witness);
        }
        if !cause.needs.is_empty() {
            let needs: Vec<String> = cause.needs.iter().map(|it| it.to_string()).collect();
            let needs = format!(
                "It alters something only together with no. {}.",
                needs.join(", ")
            );
            self.blocks.push(Block::Text(vec![text(needs)]));
        }
        self.folded("More inputs", EXAMPLES, |page| {
            examples
                .iter()
                .skip(1)
                .take(EXAMPLES)
                .for_each(|witness| page.short_example(witness));
        });
        self.rows(&arms, 3);
        self.states(&cause.only);
        self.passing(cause);
        if group.len() == 1 {
            self.others(&others);
        } else {
            self.alike(group);
        }
        let companions = (1..).zip(&self.report.causes).filter(|(_, it)| {
            it.role == "companion"
                && it
                    .needs
                    .first()
                    .is_some_and(|need| group.iter().any(|(no, _)| no == need))
        });
        let companions: Group<'r> = companions.collect();
        if !companions.is_empty() {
            let what = count(companions.len(), "change goes", "changes go");
            self.names(
                &companions,
                &format!("{what} with it, and alter nothing more"),
            );
        }
    }

    /// The other changes of a group: where they are, each with an example, or names that are examples themselves.
    fn alike(&mut self, group: &Group<'r>) {
        let others = group.get(1..).unwrap_or_default().to_vec();
        if group.iter().all(|(_, cause)| cause.arms.is_empty()) {
            return self.names(&others, &format!("The {} others", others.len()));
        }
        self.folded("The same elsewhere", ITEMS, |page| {
            for (number, cause) in others {
                let mut spans = vec![text(format!("no. {number}: {}", page.name(cause)))];
                let example = cause
                    .examples
                    .first()
                    .and_then(|number| page.witness(*number));
                if let Some(witness) = example {
                    spans.extend([text(": "), Span::Code(format!("{:?}", witness.input))]);
                }
                page.item(0, spans);
            }
        });
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

    /// An input, and what both make of it, with what differs marked.
    fn example(&mut self, witness: &WitnessRow) {
        let mut spans = vec![Span::Code(format!("{:?}", witness.input))];
        spans.extend(from(&witness.start).map(text));
        let outputs = [0, 1].map(|side| self.output(witness, side));
        let sentence = match (witness.differs, outputs[0].1, outputs[1].1) {
            ("tokens", ..) => "Other tokens come out.",
            ("positions", ..) => "The same comes out, at other places.",
            (_, 0, _) => "B reports an error more.",
            (_, _, 0) => "A reports an error more.",
            _ => "Other errors are reported.",
        };
        spans.push(text(format!(". {sentence}")));
        self.blocks.push(Block::Text(spans));
        for (side, (output, _)) in outputs.into_iter().enumerate() {
            self.item(0, [vec![Span::Side(side)], output].concat());
        }
    }

    /// The same on one item.
    fn short_example(&mut self, witness: &WitnessRow) {
        let mut spans = vec![Span::Code(format!("{:?}", witness.input))];
        spans.extend(from(&witness.start).map(text));
        for side in 0..2 {
            spans.extend([text("; "), Span::Side(side)]);
            spans.extend(self.output(witness, side).0);
        }
        self.item(0, spans);
    }

    /// Arms of both tables, with what is different marked.
    fn rows(&mut self, rows: &[&'r ArmsRow], few: usize) {
        let few = if few == 0 { usize::MAX } else { few };
        let is_short = |row: &ArmsRow| row.sides.iter().all(|lines| lines.len() == 1);
        self.folded("In the tables", few, |page| {
            for row in rows {
                page.row(row, rows.len() <= few || is_short(row));
            }
        });
    }

    /// An arm with what it does, if that is shown, else with an example.
    fn row(&mut self, row: &ArmsRow, whole: bool) {
        let mut spans = vec![text(one_or_both(&row.states, " → "))];
        let sections = [0, 1]
            .map(|side| Span::Section(side, row.sections[side].clone(), row.states[side].clone()));
        if row.sections.iter().any(|section| !section.is_empty()) {
            let [one, other] = sections;
            spans.extend([text(" ("), one, text(" → "), other, text(")")]);
        }
        spans.push(text(format!(", on {}", row.on)));
        let example = row
            .status
            .as_ref()
            .and_then(|status| self.witness(status.witness?));
        if let Some(witness) = example.filter(|_| !whole) {
            spans.extend([text(": "), Span::Code(format!("{:?}", witness.input))]);
            spans.extend(from(&witness.start).map(text));
        }
        self.item(0, spans);
        for side in (0..2).filter(|_| whole) {
            let lines = &row.sides[side];
            if lines.is_empty() {
                self.item(1, vec![Span::Side(side), text("no such arm")]);
            }
            for line in lines {
                let theirs: Vec<&str> = row.sides[1 - side]
                    .iter()
                    .flat_map(|it| pieces(it))
                    .collect();
                let mut spans = vec![Span::Side(side)];
                for (index, piece) in pieces(line).into_iter().enumerate() {
                    spans.extend((index > 0).then(|| text("; ")));
                    spans.push(match theirs.contains(&piece) {
                        true => text(piece),
                        false => Span::Marked(piece.to_owned()),
                    });
                }
                self.item(1, spans);
            }
        }
    }

    /// States of one table only.
    fn states(&mut self, numbers: &[usize]) {
        let states = numbers
            .iter()
            .filter_map(|number| self.report.only.get(number - 1));
        let states: Vec<_> = states.collect();
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

    /// Inputs that go through states of one table only.
    fn passing(&mut self, cause: &CauseRow) {
        let passing: BTreeSet<usize> = cause.passing.iter().copied().collect();
        let passing = passing
            .iter()
            .filter(|number| !cause.examples.contains(number));
        let passing = passing
            .filter_map(|number| self.witness(*number))
            .take(EXAMPLES);
        let passing: Vec<&WitnessRow> = passing.collect();
        self.folded("Inputs that go through these states", ITEMS, |page| {
            passing
                .iter()
                .for_each(|witness| page.short_example(witness));
        });
    }

    /// What is outside the states: an item for each part.
    fn others(&mut self, others: &[&'r OtherRow]) {
        for rows in others.chunk_by(|one, other| one.part == other.part) {
            let mut spans = Vec::new();
            for row in rows {
                spans.push(text(match spans.is_empty() {
                    true => format!("{}: {}", row.part, row.what),
                    false => format!("; {}", row.what),
                }));
                let only = [["yes", "no"], ["no", "yes"]];
                match only.iter().position(|only| row.sides == *only) {
                    Some(side) => spans.push(text([" only in A", " only in B"][side])),
                    None => {
                        for (side, said) in row.sides.iter().enumerate() {
                            let said = if said.is_empty() { "–" } else { said };
                            spans.extend([text(" "), Span::Side(side), text(said)]);
                        }
                    }
                }
            }
            self.item(0, spans);
        }
    }

    /// What is only declared, or with no search everything outside the states.
    fn declared(&mut self) {
        let is_declared = |number: usize| {
            let mut causes = self.report.causes.iter();
            !causes.any(|cause| cause.others.contains(&number))
        };
        let rows = (1..)
            .zip(&self.report.others)
            .filter(|(number, _)| is_declared(*number));
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
            "The tables: {} states in common, {} only in A, {} only in B, {} renamed; {} arms differ; {} other differences.",
            counts.common_states,
            counts.only[0],
            counts.only[1],
            counts.renamed,
            counts.arms,
            counts.others
        );
        if let Some(search) = &report.search {
            said += &format!(
                " The search for causes followed {} situations, of inputs of up to {} characters.",
                search.situations, search.length
            );
        }
        self.heading("search", "How this was found".to_owned());
        self.blocks.push(Block::Text(vec![text(said)]));
    }
}

/// What an input starts with, in parentheses; nothing for the initial state.
fn from(start: &Start) -> Option<String> {
    let mut parts = Vec::new();
    parts.extend(
        start
            .content
            .iter()
            .map(|content| format!("content {content}")),
    );
    let name = start.last_start_tag.iter();
    parts.extend(name.map(|name| format!("last start tag {name:?}")));
    parts.extend(
        start
            .answer
            .then(|| "questions answered with yes".to_owned()),
    );
    (!parts.is_empty()).then(|| format!(" ({})", parts.join(", ")))
}

/// The parts of what an arm does in a case.
fn pieces(line: &str) -> Vec<&str> {
    line.split("; ").collect()
}

/// What both sides are called: once, if they are called the same.
pub(crate) fn one_or_both([one, other]: &[String; 2], between: &str) -> String {
    if one == other {
        one.clone()
    } else {
        format!("{one}{between}{other}")
    }
}
