//! The beginning of a page: how many changes there are, which of them matter to whom, and how to read them.

use std::collections::BTreeSet;

use super::{
    Block, Page, Span, count, input, is_shown, joined, part_spans, pick, ranges, text, with_code,
};
use crate::diff::outside::{Part, TableRow};
use crate::diff::report::{Row, WitnessRow};
use crate::diff::wording::is_error;
use crate::error_comparison::ErrorComparison;

/// How many elements of a content are named.
const FEW: usize = 3;

impl Page<'_> {
    /// What the comparison comes to, in a line.
    fn verdict(&mut self) {
        let report = self.report;
        let shown = report.causes.iter().filter(|cause| is_shown(cause));
        let witnesses = shown.filter_map(|cause| self.example(cause));
        let mut line = match report.verdict {
            "proven equal" => {
                vec![text("A and B are proven equal: no input tells them apart")]
            }
            "different" => match witnesses.min_by_key(|witness| self.gravity(witness)) {
                Some(witness) => {
                    let differs = format!("A and B differ in {}, as on ", witness.differs);
                    let mut line = vec![text(differs)];
                    line.extend(input(witness));
                    let none = "; no input was found on which tokens differ";
                    line.extend((witness.differs != "tokens").then(|| text(none)));
                    line
                }
                None => vec![text("A and B differ in what they can start in")],
            },
            "structure only" => vec![text(
                "Only the rules of the tables are compared here, not what they do",
            )],
            _ => match &report.unproved {
                Some(why) => with_code(&format!(
                    "No difference was found, and A and B are not proven equal: {why}"
                )),
                None => vec![text(
                    "No difference was found. A and B are not called equal, since they declare different things",
                )],
            },
        };
        line.push(text("."));
        self.blocks.push(Block::Text(line));
    }

    pub(super) fn summary(&mut self) {
        let (report, counts) = (self.report, &self.report.counts);
        let [tokens, errors, positions] = report.compared;
        let compared = format!("The comparison covers {tokens}, {errors} and {positions}.");
        let mut said = compared;
        self.verdict();
        if counts.changes > 0 {
            let effects = [
                (counts.tokens, "alters tokens", "alter tokens"),
                (counts.errors, "alters only errors", "alter only errors"),
                (
                    counts.positions,
                    "alters only positions",
                    "alter only positions",
                ),
                (
                    counts.companions,
                    "shows only together with others, or is hidden by others",
                    "show only together with others, or are hidden by others",
                ),
                (
                    counts.proven,
                    "has no effect, which is proven",
                    "have no effect, which is proven",
                ),
                (
                    counts.not_decided,
                    "has no effect on what was tried, which is no proof",
                    "have no effect on what was tried, which is no proof",
                ),
            ];
            let effects = effects.iter().filter(|(number, ..)| *number > 0);
            let effects = effects.map(|&(number, one, many)| count(number, one, many));
            let effects: Vec<String> = effects.collect();
            let lead = count(counts.changes, "change leads", "changes lead");
            said += &format!(" {lead} from A to B: {}.", effects.join("; "));
        }
        self.say(said);
        // A report of inputs alone has no rows for this.
        if report.verdict == "different" && report.others.len() >= counts.others {
            self.say("If your code moves from A to B, look at these changes:");
            let mut named = BTreeSet::new();
            let mut reads = |differs, what, part, rows| {
                self.reads(differs, what, part, rows, &mut named);
            };
            reads(
                "tokens",
                "if it reads tokens",
                Some(Part::Tokens),
                "kinds of token ",
            );
            reads("errors", "if it reads errors", Some(Part::Codes), "codes ");
            reads("positions", "if it reads positions", None, "");
            reads("", "not compared", Some(Part::Contents), "");
        }
        if counts.witnessed > 0 {
            self.reading();
        }
    }

    /// Which changes matter to code that reads this, beside those that are named already, and what else of the tables does.
    fn reads(
        &mut self,
        differs: &str,
        what: &str,
        part: Option<Part>,
        title: &str,
        named: &mut BTreeSet<usize>,
    ) {
        let report = self.report;
        let shows = |number: &usize| {
            let witness = pick(&report.witnesses, &[*number]).pop();
            let other_errors = |it| differs == "errors" && self.has_other_errors(it);
            witness.is_some_and(|it| it.differs == differs || other_errors(it))
        };
        let causes = (1..).zip(&report.causes);
        let causes = causes
            .filter(|(_, it)| is_shown(it) && it.examples.iter().chain(&it.passing).any(shows));
        let (known, new): (BTreeSet<usize>, BTreeSet<usize>) = causes
            .map(|(number, _)| number)
            .partition(|number| named.contains(number));
        let changes = |numbers: &BTreeSet<usize>| {
            let many = ["s", ""][usize::from(numbers.len() == 1)];
            format!("change{many} {}", ranges(numbers.iter().copied()))
        };
        let before = match differs {
            "errors" if known.is_empty() => None,
            "errors" if known != *named => Some(format!("of these {}", changes(&known))),
            "errors" => Some("the same".to_owned()),
            _ => (!named.is_empty() && !new.is_empty()).then(|| "the same".to_owned()),
        };
        let after = (!new.is_empty()).then(|| changes(&new));
        let mut said = before
            .into_iter()
            .chain(after)
            .collect::<Vec<_>>()
            .join(" and ");
        named.extend(new);
        let rows = report.others.iter().filter(|row| Some(row.part) == part);
        let mut rows: Vec<&Row<TableRow>> = rows.collect();
        if part == Some(Part::Codes) && report.errors == ErrorComparison::Presence {
            // The one row says which side has names.
            let side = match rows.pop() {
                None => "neither table names its",
                Some(row) if row.sides[1] == "yes" => "A does not name its",
                Some(_) => "B does not name its",
            };
            if !said.is_empty() {
                said += &format!("; {side} errors, so only their number and places are compared");
            }
        }
        if said.is_empty() && rows.is_empty() {
            // That these stay is said too.
            said += ["", "no change"][usize::from(differs == "tokens")];
        }
        let between = ["", "; "][usize::from(!said.is_empty() && !rows.is_empty())];
        if !said.is_empty() || !rows.is_empty() {
            let title = ["", title][usize::from(!rows.is_empty())];
            let label = text(format!("{what}: {said}{between}{title}"));
            let rows = joined("; ", part_spans(&rows));
            self.item(0, [label].into_iter().chain(rows).collect());
        }
    }

    /// Whether an example shows that other errors are reported, wherever they are.
    fn has_other_errors(&self, witness: &WitnessRow) -> bool {
        let [ours, theirs] = witness.outputs.each_ref().map(|lines| {
            let errors = lines.iter().filter(|line| is_error(line));
            let codes = errors.map(|line| line.rsplit_once(" at ").map_or("", |(code, _)| code));
            codes.collect::<Vec<_>>()
        });
        !self.report.errors.agree(&ours, &theirs)
    }

    /// What a reader has to know of what is on this page.
    fn reading(&mut self) {
        let report = self.report;
        let begin = "A change is a part of B that can be made in A without the others. Each example is a short, readable input with \
                     the full output of A and of B: first the tokens, then the errors.";
        let mut said = " Then follow the rules that differ: what a state of the tokenizer does with its input, in A and in B."
            .to_owned();
        let mut causes = report.causes.iter();
        if causes.any(|it| it.shown_with.is_some() && !it.arms.is_empty()) {
            said += " Of changes that make the same edit in several rules, the first is shown and the others are listed.";
        }
        if !report.causes.iter().all(is_shown) {
            said += " A change without an example stands in a list, under the name of the first rule that it alters.";
        }
        let outputs = report
            .witnesses
            .iter()
            .flat_map(|it| it.outputs.iter().flatten());
        let has = |what: &dyn Fn(&str) -> bool| outputs.clone().any(|line| what(line));
        let inputs = || report.witnesses.iter().map(|it| format!("{:?}", it.input));
        let fields = report.legend.fields.iter().filter(|(kind, fields)| {
            let texts = fields.iter().filter(|field| !field.starts_with('['));
            let many = texts.count() > 2;
            has(&|line| {
                let of_kind = line.strip_prefix(&format!("{kind} "));
                of_kind.is_some_and(|rest| many || rest.contains("[flag]"))
            })
        });
        let fields =
            fields.map(|(kind, fields)| format!("the fields of {kind} are {}", fields.join(", ")));
        let contents = report
            .witnesses
            .iter()
            .filter_map(|it| it.start.content.as_ref());
        let contents: BTreeSet<&String> = contents.collect();
        let contents =
            contents
                .into_iter()
                .map(|content| match report.legend.elements.get(content) {
                    None => format!("“in {content}” is what the input is read as"),
                    Some(elements) => {
                        let few: Vec<&str> =
                            elements.iter().map(String::as_str).take(FEW).collect();
                        let more = ["", " and others"][usize::from(elements.len() > FEW)];
                        format!(
                            "“in {content}” is read as in {}{more}",
                            few.join([", ", " and "][usize::from(elements.len() == 2)])
                        )
                    }
                });
        let after = report
            .witnesses
            .iter()
            .find_map(|it| it.start.last_start_tag.as_ref());
        let after = after.map(|name| {
            format!("“after the start tag {name:?}” means that its end tag ends the content")
        });
        let signs = [
            inputs()
                .any(|input| input.contains("\\"))
                .then_some("texts are written as in Rust (\\\" is a quotation mark, \\0 is U+0000, \\u{c} is U+000C)"),
            has(&|line| is_error(line) && line.contains(" at "))
                .then_some("“at 2” is the byte offset of an error, from 0"),
            has(&|line| !is_error(line) && line.contains(" at "))
                .then_some("“at 0..8” are the bytes of a token, byte 8 not included"),
            has(&|line| line.contains(" –")).then_some("– is a field that is missing"),
            has(&|line| line.contains(" [flag]")).then_some("[flag] is a flag that is set"),
        ];
        let signs = signs.into_iter().flatten().map(str::to_owned);
        let signs: Vec<String> = signs.chain(fields).chain(contents).chain(after).collect();
        if !signs.is_empty() {
            said += &format!(" How to read the examples: {}.", signs.join("; "));
        }
        let marks = Span::OfMarks(" Differences are marked.");
        let spans = vec![text(begin), marks, text(said)];
        self.blocks.push(Block::Text(spans));
    }
}
