//! The rules that a change alters, and the states that it brings, with sentences of the texts.

use super::{Block, ITEMS, Page, Span, count, input, joined, marked, pick, text};
use crate::diff::arms::Case;
use crate::diff::report::Row;
use crate::diff::structure::{ArmRow, OnlyState};
use crate::diff::wording::{beside, one_or_both};

impl<'r> Page<'r> {
    /// Arms of both tables, with what is different marked.
    pub(super) fn rules(&mut self, rows: &[&'r Row<ArmRow>], few: usize) {
        let is_short = |row: &Row<ArmRow>| row.sides.iter().all(|lines| lines.len() == 1);
        let label = count(rows.len(), "rule differs", "rules differ");
        // One rule needs no list of its own.
        if let [row] = rows {
            let rule = self.rule(row, true, Some(&label));
            return self.blocks.extend(rule);
        }
        let rules = rows
            .iter()
            .map(|row| self.rule(row, rows.len() <= few || is_short(row), None));
        let rules = rules.flatten().collect();
        self.list(&label, few, rules);
    }

    /// An arm with what it does, if that is shown, else with an example.
    fn rule(&mut self, row: &Row<ArmRow>, whole: bool, label: Option<&str>) -> Vec<Block> {
        let label_span = label.map(|label| text(format!("{label}: ")));
        let mut spans: Vec<Span> = label_span.into_iter().collect();
        spans.push(text(one_or_both(&row.states, " → ")));
        if row.sections.iter().any(|section| !section.is_empty()) {
            let sections = [0, 1].map(|side| {
                // A table of one's own need not have any.
                let number = Some(row.sections[side].clone()).filter(|it| !it.is_empty());
                (
                    side,
                    number.unwrap_or_else(|| "–".to_owned()),
                    row.states[side].clone(),
                )
            });
            spans.extend([text(" ("), Span::Sections(sections.into()), text(")")]);
        }
        spans.push(text(format!(", on {}", row.on)));
        if let Some(witness) = pick(&self.report.witnesses, row.shown_by.as_slice()).pop()
            && !whole
        {
            spans.push(text(": "));
            spans.extend(input(witness));
        }
        // What all cases of both sides need is said once.
        let mut all = row.cases.iter().flatten();
        let mut shared = all.next().map_or(Vec::new(), |case| case.when.clone());
        let is_one = row.cases.iter().all(|cases| cases.len() < 2);
        shared.retain(|condition| !is_one && all.clone().all(|it| it.when.contains(condition)));
        if whole && !shared.is_empty() {
            spans.push(text(format!(", {}", conditions(&shared))));
        }
        let (mut blocks, depth) = match label {
            Some(_) => (vec![Block::Text(spans)], 0),
            None => (vec![Block::Item(0, spans)], 1),
        };
        for side in (0..2).filter(|_| whole) {
            if row.cases[side].is_empty() {
                let none = text("has no rule of its own for this");
                blocks.push(Block::Item(depth, vec![Span::Side(side), none]));
            }
            // A sentence that says no more than the step is not quoted.
            let steps = row.cases[side].iter().flat_map(Case::steps);
            let says_more = |quote: &String| !steps.clone().any(|step| is_said(&step, quote));
            let mut quote = row.quotes[side].clone().filter(says_more);
            for case in &row.cases[side] {
                let mut spans = vec![Span::Side(side)];
                spans.extend(self.case(case, side, &row.cases[1 - side], &shared));
                if let Some(quote) = quote.take() {
                    self.quoted[side] = true;
                    spans.extend([text(" \u{2014} "), Span::Quote(quote)]);
                }
                blocks.push(Block::Item(depth, spans));
            }
        }
        blocks
    }

    /// A case, with what none of the other side's has marked, and without the conditions that all have.
    fn case(&self, case: &Case, side: usize, theirs: &[Case], shared: &[String]) -> Vec<Span> {
        let mut spans = Vec::new();
        let own = case.when.iter().filter(|it| !shared.contains(it));
        let own = own.map(|it| {
            let is_theirs = theirs.iter().any(|their| their.when.contains(it));
            (it.as_str(), is_theirs)
        });
        let own = marked(" and ", own.collect(), [Span::Text, Span::Marked]);
        let has_own = !own.is_empty();
        spans.extend(has_own.then(|| text("if ")));
        spans.extend(own);
        let steps = case.steps();
        spans.extend((has_own && !steps.is_empty()).then(|| text(": ")));
        match theirs {
            [their] if side == 1 && has_own && their.steps() == steps => {
                spans.push(text("the same as A"));
            }
            _ => {
                let theirs: Vec<String> = theirs.iter().flat_map(Case::steps).collect();
                let steps = beside(&steps, &theirs, self.report.errors);
                spans.extend(marked("; ", steps, [Span::Text, Span::Marked]));
            }
        }
        let more = (case.more > 0).then(|| count(case.more, "more case", "more cases"));
        spans.extend(more.map(|more| text(format!(" (and in {more})"))));
        spans
    }

    /// States of one table only.
    pub(super) fn states(&mut self, numbers: &[usize]) {
        let states = pick(&self.report.only, numbers);
        for side in 0..2 {
            let states = states.iter().filter(|state| state.side == side);
            let mut spans = joined(
                "; ",
                states.clone().map(|state| {
                    let mut spans = vec![text(state.name.as_str())];
                    if !state.section.is_empty() {
                        let section = vec![(side, state.section.clone(), state.name.clone())];
                        spans.extend([text(" ("), Span::Sections(section), text(")")]);
                    }
                    spans
                }),
            );
            match states.clone().count() {
                0 => {}
                few if few <= ITEMS => {
                    spans.splice(0..0, [text("States only in "), Span::Side(side)]);
                    self.blocks.push(Block::Text(spans));
                    // Of a table that is rewritten this would be most of the page.
                    if self.report.only.len() <= ITEMS {
                        let rules = states.flat_map(|state| own_rules(state)).collect();
                        let label = ["Its rules", "Their rules"][usize::from(few > 1)];
                        self.blocks.push(Block::Fold(label.to_owned(), rules));
                    }
                }
                many => {
                    let label = format!("{many} states only in {}", ["A", "B"][side]);
                    self.blocks
                        .push(Block::Fold(label, vec![Block::Text(spans)]));
                }
            }
        }
    }
}

/// A state of one table only, with what it does.
fn own_rules(state: &OnlyState) -> Vec<Block> {
    let mut blocks = vec![Block::Item(0, vec![text(state.name.as_str())])];
    for (on, cases) in &state.arms {
        let lines = cases.iter().map(|case| {
            let when = [on.clone(), conditions(&case.when)];
            let when: Vec<String> = when.into_iter().filter(|it| !it.is_empty()).collect();
            let said = format!("on {}: {}", when.join(", "), case.steps().join("; "));
            Block::Item(1, vec![text(said)])
        });
        blocks.extend(lines);
    }
    blocks
}

/// Whether a sentence of a text says no more than a step: the table leaves out "the" and "state" where it leads.
fn is_said(step: &str, quote: &str) -> bool {
    let said = quote.trim_end_matches('.').trim_end_matches(" state");
    let words = said.split(' ').filter(|word| *word != "the");
    let steps = step.split(' ').filter(|word| *word != "the");
    words
        .map(str::to_ascii_lowercase)
        .eq(steps.map(str::to_ascii_lowercase))
}

/// When something is done.
fn conditions(when: &[String]) -> String {
    match when {
        [] => String::new(),
        all => format!("if {}", all.join(" and ")),
    }
}
