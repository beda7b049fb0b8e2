//! Instructions of whole parses: html5ever with its own tokenizer, and with ours. By callgrind, and against goals.

use std::io;
use std::process::ExitCode;

use crate::dom::{DOM, NAMESPACES, XML};
use crate::instructions::count;
use crate::peers::html5ever::ALONE;
use crate::peers::trees::{KINDS, PARSERS, WITH_PARTS, WITH_SPANS, name};
use crate::peers::xml_trees::{ROXMLTREE, XML5EVER};
use crate::table::Table;

/// The classes.
const CLASSES: [&str; 4] = ["web", "docs", "intl", "big"];

/// A kind of parse, and for each class how many times fewer instructions it needs at least.
const GOALS: [(&str, [f64; 4]); 3] = [
    (ALONE, [5.0, 4.8, 4.6, 4.5]),
    (KINDS[0], [3.0, 2.6, 2.55, 2.3]),
    (KINDS[1], [2.4, 2.05, 2.0, 1.85]),
];

/// For each class how many instructions for a byte a parse into the arena takes at most.
const MOST: [f64; 4] = [26.8, 52.9, 50.2, 41.5];

/// For each class how many instructions for a byte a parse into our `Dom` takes at most.
const DOM_AT_MOST: [f64; 4] = [13.0, 24.7, 25.1, 20.4];

/// Two kinds of parse with our tokenizer, and how many times the instructions of the first the second takes at most.
const ADDITIONS: [([&str; 2], f64); 3] = [
    ([KINDS[1], KINDS[2]], 1.07),
    ([KINDS[0], WITH_SPANS], 1.02),
    ([KINDS[0], WITH_PARTS], 1.1),
];

/// Other trees of XML and ours, and how many times fewer instructions ours needs at least, of every eighth document.
const XML_GOALS: [([&str; 2], f64); 4] = [
    ([XML5EVER, XML], 1.0),
    ([XML5EVER, NAMESPACES], 1.0),
    ([ROXMLTREE, XML], 1.0),
    ([ROXMLTREE, NAMESPACES], 1.0),
];

/// Counts, and compares with the goals. Exits with 1 when one is missed.
///
/// # Errors
/// When callgrind cannot be used.
pub fn report() -> io::Result<ExitCode> {
    let mut rows = Vec::new();
    let mut all_met = true;
    let mut row = |what: &str, class: &str, [theirs, ours]: [f64; 2], goal: String, holds| {
        all_met &= holds;
        rows.push(vec![
            what.to_owned(),
            class.to_owned(),
            format!("{theirs:.2}"),
            format!("{ours:.2}"),
            format!("{:.2}", theirs / ours),
            goal,
            if holds { "met" } else { "MISSED" }.to_owned(),
        ]);
    };
    for (index, class) in CLASSES.into_iter().enumerate() {
        for (kind, ratios) in GOALS {
            let [theirs, ours] = PARSERS.map(|parser| count(name(parser, kind), class, 1));
            let [theirs, ours] = [theirs?.per_byte(), ours?.per_byte()];
            let ratio = ratios[index];
            let is_arena = kind == KINDS[0];
            let holds = theirs / ours >= ratio && (!is_arena || ours <= MOST[index]);
            let goal = match is_arena {
                true => format!("{ratio} times, {} at most", MOST[index]),
                false => format!("{ratio} times"),
            };
            row(kind, class, [theirs, ours], goal, holds);
        }
        let theirs = count(name(PARSERS[0], KINDS[0]), class, 1)?.per_byte();
        let ours = count(DOM.to_owned(), class, 1)?.per_byte();
        let most = DOM_AT_MOST[index];
        row(
            DOM,
            class,
            [theirs, ours],
            format!("{most} at most"),
            ours <= most,
        );
        for ([kind, more], most) in ADDITIONS {
            let both = [kind, more].map(|kind| count(name(PARSERS[1], kind), class, 1));
            let [one, other] = both.map(|count| count.map(|count| count.per_byte()));
            let (one, other) = (one?, other?);
            let goal = format!("{most} times as many at most");
            row(more, class, [one, other], goal, other <= most * one);
        }
    }
    for (pair, ratio) in XML_GOALS {
        let [theirs, ours] = pair.map(|name| count(name.to_owned(), "xml", 8));
        let [theirs, ours] = [theirs?.per_byte(), ours?.per_byte()];
        let what = format!("{} / {}", pair[0], pair[1]);
        row(
            &what,
            "xml",
            [theirs, ours],
            format!("{ratio} times"),
            theirs / ours >= ratio,
        );
    }
    let table = Table {
        heading: "Instructions for a byte: html5ever, and with our tokenizer; of XML, other trees and ours".to_owned(),
        titles: vec![
            "what",
            "class",
            "theirs",
            "ours",
            "ratio",
            "goal",
            "verdict",
        ],
        rows,
    };
    println!("{table}");
    Ok(ExitCode::from(u8::from(!all_met)))
}
