//! Generated tokenizers make of a document what interpreters make of it, as far as a survey looks: whether it differs, where first, and
//! how that looks.

use std::fs;
use std::sync::OnceLock;

use speclex_analysis::diff::{Blame, ErrorComparison, difference};
use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::survey::{Name, Surveyor};
use speclex_analysis::token::StreamErrors;
use speclex_codegen::machine::Feedback;
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;
use speclex_tests::{files, random_documents, shared};

use crate::{Checked, check, same};

/// The tables, and how many documents differ at least.
const PAIRS: [([&str; 2], usize); 5] = [
    (["html-2014", "html-living"], 200),
    (["html-2009", "html-2012"], 200),
    (["html-2026-06", "html-living"], 100),
    (["xml5-2016", "xml5"], 100),
    (["html-living", "html-living"], 0),
];

/// What tokenizers may disagree on.
const ODD: [&str; 24] = [
    "<?xml a?>",
    "<?a",
    "\0",
    "\r",
    "\r\n",
    "\n",
    "&ampx",
    "&notit;",
    "&#x80;",
    "<!-- -- >",
    "--!>",
    "<!---",
    "\u{1}",
    "]]>",
    "<script><!--<script>",
    "</scr\0ipt>",
    "\u{FEFF}",
    "\u{FDD0}",
    "<A B='1' b=2 =c>",
    "<a/",
    "<!DOCTYPE a PUBLIC 'b'",
    "<title>",
    "é\u{9F}\u{1F600}",
    "<![CDATA[",
];

/// Pieces of pages, what is odd, and bytes that are no UTF-8.
fn random_text(random: &mut Random) -> String {
    let mut pieces = random_documents::document(random);
    for _ in 0..random.below(6) {
        let at = random.below(pieces.len() + 1);
        pieces.insert(at, (*random.one(&ODD)).to_owned());
    }
    let mut bytes = pieces.concat().into_bytes();
    for _ in 0..random.below(3) {
        let at = random.below(bytes.len() + 1);
        bytes.insert(at, *random.one(&[0xC2, 0xE2, 0xFF, b'<', b'"', b'-']));
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// All of these find the same, and the kind of difference is that of the outputs.
fn compare(pair: [&str; 2], texts: &[String], least: usize) -> Checked {
    let revisions = pair.map(Revision::shared);
    let machines = revisions.map(|it| &it.machine);
    let blame: OnceLock<Blame> = OnceLock::new();
    let feedbacks = [Feedback::Off, Feedback::NoScripting, Feedback::Scripting];
    let readings = feedbacks.map(|feedback| Request {
        feedback,
        skip_bom: feedback == Feedback::Scripting,
        ..Request::default()
    });
    let mut surveyors = readings.map(|reading| {
        [[true, true], [false, false], [true, false]].map(|generated| {
            let engines = [0, 1].map(|side| match generated[side] {
                true => revisions[side].generated(),
                false => revisions[side].interpreter(),
            });
            Surveyor::new(machines, engines, reading, &blame)
        })
    });
    let of_input = machines.map(StreamErrors::of);
    let compared = ErrorComparison::of(machines[0], machines[1]);
    let mut differing = 0;
    for (number, text) in texts.iter().enumerate() {
        let what = || format!("{pair:?} on {text:?}");
        let number = number % readings.len();
        let mut found = Vec::new();
        for surveyor in &mut surveyors[number] {
            found.push(surveyor.compare(&Name::default(), text)?);
        }
        same(&found[0], &found[1], &what())?;
        same(&found[0], &found[2], &what())?;
        let request = Request {
            input: text,
            ..readings[number]
        };
        let outputs = [0, 1].map(|side| {
            let output = revisions[side].generated().tokenize(&request);
            output.map(|it| it.coalesced().with_sorted_errors(&of_input[side]))
        });
        let [one, other] = outputs;
        let kind = difference(&one?, &other?, compared);
        same(found[0].as_ref().map(|it| it.differs), kind, &what())?;
        differing += usize::from(kind.is_some());
    }
    check(differing >= least, || {
        format!("{pair:?}: only {differing} differ")
    })
}

pub(crate) fn random_documents() -> Checked {
    for (pair, least) in PAIRS {
        let mut random = Random::named(pair[0]);
        let texts: Vec<_> = (0..800).map(|_| random_text(&mut random)).collect();
        compare(pair, &texts, least)?;
    }
    Ok(())
}

/// Of the corpora those that are not too long for interpreters.
pub(crate) fn real_documents() -> Checked {
    let Some(corpora) = shared("corpora") else {
        return Ok(());
    };
    let paths = files(&corpora, &["html", "xml"]);
    let texts = paths.iter().filter_map(|path| fs::read(path).ok());
    let texts = texts.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let texts: Vec<_> = texts.filter(|text| text.len() < 1 << 14).collect();
    compare(PAIRS[0].0, &texts, 30)
}
