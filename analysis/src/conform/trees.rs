//! Tree builders of others: documents and fragments, and trees in html5lib's form.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::answer::read_tree;
use super::asking::{Asked, Foreign, Judged, Judges, Outcome};
use super::blame::Difference;
use super::input::Source;
use super::random::Random;
use super::report::{Report, TreeExample};
use super::run::{Progress, Sorted, compare};
use crate::tree::{Parser, Passed, Refusal};
use crate::tree_cover::{Found, Item, Kind, Test, items};
use crate::tree_diff::{CONTEXTS, Side, pieces_of_table};

/// At most this many pieces are put into a random document.
const PIECES: usize = 6;
/// How many times more inputs must agree than deviate at an item, if what deviates there is to have another cause.
const SOUND: usize = 4;

/// A document or fragment for a tree builder.
#[derive(Clone, Debug)]
pub struct TreeInput {
    /// The document, and what it is parsed for.
    pub test: Test,
    /// Where it is from.
    pub source: Source,
}

/// A request, to be written.
#[derive(Serialize)]
struct Request<'a> {
    id: u64,
    document: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'a str>,
    scripting: bool,
}

/// The inputs: the cover suite, those of tests, and random ones, the same for the same seed. None comes twice.
pub fn tree_inputs(
    side: Side<'_>,
    covered: &Found,
    cases: Vec<Test>,
    random: usize,
    seed: u64,
) -> Vec<TreeInput> {
    let of = |source| move |test| TreeInput { test, source };
    let of_cover = covered.tests.iter().cloned().map(of(Source::Cover));
    let mut inputs: Vec<_> = of_cover
        .chain(cases.into_iter().map(of(Source::Test)))
        .collect();
    let mut known = HashSet::new();
    inputs.retain(|input| known.insert(input.test.clone()));
    let pieces = pieces_of_table(side.tree);
    let mut numbers = Random::new(seed);
    for test in covered.tests.iter().cycle().take(random) {
        let mut test = test.clone();
        for _ in 0..=numbers.below(PIECES) {
            // What leads to some arm is a piece, too.
            let piece = match numbers.below(4) {
                0 => numbers.one(&covered.tests).map(|test| &test.input),
                _ => numbers.one(&pieces),
            };
            let parts = parts(&test.input);
            // Most come after what leads to the arm.
            let at = match numbers.below(3) {
                0 => numbers.below(parts.len() + 1),
                _ => parts.len(),
            };
            let piece = piece.map_or("", String::as_str);
            test.input = [parts[..at].concat(), piece.to_owned(), parts[at..].concat()].concat();
        }
        if numbers.below(8) == 0 {
            test.context = numbers.one(&CONTEXTS).map(|&name| name.to_owned());
        }
        if known.insert(test.clone()) {
            inputs.push(of(Source::Random)(test));
        }
    }
    inputs
}

/// Sends documents to a foreign tree builder, and compares the trees.
///
/// # Errors
/// When the interpreter cannot run a document.
pub fn run_trees(
    side: Side<'_>,
    inputs: &[TreeInput],
    foreign: &mut dyn Foreign,
    progress: &mut dyn FnMut(Progress),
) -> Result<Report<TreeExample>, Refusal> {
    let items = items(side.tree);
    let numbers = items.iter().enumerate();
    let mut judge = TreeJudge {
        parser: Parser::new(side.tokenizer, side.tree),
        numbers: numbers
            .map(|(number, item)| (item.passed, number))
            .collect(),
        kinds: items.iter().map(|item| item.kind).collect(),
        asked: Asked::new(foreign),
    };
    let label = |item: usize| items[item].label.clone();
    let is_plain = |input: &TreeInput| input.test.context.is_none() && !input.test.scripting;
    let is_sound = |agreeing, deviating| agreeing > SOUND * deviating;
    let judgement = (&is_plain as &dyn Fn(&TreeInput) -> bool, &is_sound as _);
    let (mut report, sorted) = compare(
        &mut judge,
        (items.len(), &label),
        inputs,
        judgement,
        progress,
    )?;
    let arms = |wanted| {
        let arms = items.iter().zip(&sorted);
        let arms = arms.filter(|(item, sorted)| item.kind == Kind::Arm && **sorted == wanted);
        arms.map(|(Item { label, .. }, _)| label.clone()).collect()
    };
    report.table.clone_from(&side.tree.name);
    report.hidden = arms(Sorted::Hidden);
    report.unreached = arms(Sorted::Unreached);
    Ok(report)
}

struct TreeJudge<'a, 'm> {
    parser: Parser<'m>,
    numbers: BTreeMap<Passed, usize>,
    kinds: Vec<Kind>,
    asked: Asked<'a>,
}

impl Judges for TreeJudge<'_, '_> {
    type Input = TreeInput;
    type Key = Test;
    type Example = TreeExample;
    type Fault = Refusal;

    fn stops(&self) -> Option<String> {
        self.asked.stops()
    }

    fn answers(&self) -> usize {
        self.asked.answers
    }

    fn judge(&mut self, input: &TreeInput) -> Result<Judged<TreeExample>, Refusal> {
        let Test {
            input: document,
            context,
            scripting,
        } = &input.test;
        let parsed = self.parser.parse(document, &input.test.environment())?;
        let reached = parsed
            .passed
            .iter()
            .filter_map(|it| self.numbers.get(it).copied());
        let mut reached: Vec<usize> = reached.collect();
        // Of several that are to blame alike the first is named: what a token is says more than what is done with it.
        reached.sort_by_key(|&item| self.kinds[item]);
        let expected = parsed.tree.dump();
        let expected = expected.trim_end_matches('\n').to_owned();
        let request = |id| {
            let request = Request {
                id,
                document,
                context: context.as_deref(),
                scripting: *scripting,
            };
            // A text and a number are always JSON.
            serde_json::to_string(&request).unwrap_or_default() + "\n"
        };
        let (outcome, given) = match self.asked.ask(request, read_tree) {
            Ok(given) if given == expected => (Outcome::Agrees, None),
            Ok(given) => (Outcome::Differs(Difference::Trees), Some(given)),
            Err(other) => (other, None),
        };
        Ok(Judged {
            reached,
            outcome,
            example: TreeExample {
                document: document.clone(),
                context: context.clone(),
                scripting: *scripting,
                expected,
                given,
                failure: None,
            },
        })
    }

    fn key(input: &TreeInput) -> Test {
        input.test.clone()
    }

    fn text(input: &TreeInput) -> &str {
        &input.test.input
    }

    fn with_text(input: &TreeInput, text: String) -> TreeInput {
        let mut input = input.clone();
        input.test.input = text;
        input
    }

    fn source(input: &TreeInput) -> Source {
        input.source
    }

    fn parts(text: &str) -> Vec<&str> {
        parts(text)
    }

    fn failed(example: &mut TreeExample, what: String) {
        example.failure = Some(what);
    }
}

/// The tags and texts of a document.
fn parts(text: &str) -> Vec<&str> {
    let to_tags = text.split_inclusive('>');
    let parts = to_tags.flat_map(|part| {
        let (text, tag) = part.split_at(part.find('<').unwrap_or(part.len()));
        [text, tag]
    });
    parts.filter(|part| !part.is_empty()).collect()
}
