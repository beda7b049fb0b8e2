//! Edits of documents, in parses: how much `apply` costs.

use std::hint::black_box;
use std::io;
use std::process::ExitCode;

use speclex::{Dom, Edits, Node};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::instructions::{count, has_valgrind};
use crate::table::Table;

/// How many parses [`Edits::apply`] costs at most.
const MOST: f64 = 3.0;

/// The classes; all documents of them.
const CLASSES: [&str; 3] = ["web", "docs", "intl"];

/// Documents without `noscript`, and with it: those are checked with scripting and without.
const GROUPS: [&str; 2] = ["", ", noscript"];

/// What the edits are.
type Kind = (&'static str, fn(&Dom<'_>, &mut Edits<'_>));

const KINDS: [Kind; 8] = [
    ("remove an element", |dom, edits| {
        edits.remove(middle(dom));
    }),
    ("set an attribute", |dom, edits| {
        edits.set_attribute(middle(dom), "class", "a b");
    }),
    ("append a span", |dom, edits| {
        edits.append(middle(dom), "<span>new</span>");
    }),
    ("script at end of body", |dom, edits| {
        if let Some(body) = dom.body() {
            edits.append(body, "<script src=x.js></script>");
        }
    }),
    ("link at end of head", |dom, edits| {
        if let Some(head) = dom.head() {
            edits.append(head, "<link rel=stylesheet href=x.css>");
        }
    }),
    ("remove all scripts", |dom, edits| {
        for script in dom.elements("script") {
            edits.remove(script);
        }
    }),
    ("rel on all links", |dom, edits| {
        for link in dom.elements("a") {
            edits.set_attribute(link, "rel", "nofollow");
        }
    }),
    ("all texts", |dom, edits| {
        let is_text = |node: &Node<'_>| matches!(node.kind(), speclex::NodeKind::Text(text) if !text.trim().is_empty());
        for text in dom.root().descendants().filter(is_text) {
            edits.set_text(text, "T");
        }
    }),
];

/// An element in the middle that may hold elements.
fn middle<'d>(dom: &'d Dom<'_>) -> Node<'d> {
    let all: Vec<_> = dom.elements("div").chain(dom.elements("p")).collect();
    all.get(all.len() / 2)
        .copied()
        .or(dom.body())
        .unwrap_or(dom.root())
}

fn name(kind: &str, group: &str, applies: bool) -> String {
    format!(
        "edits, {kind}{group}{}",
        if applies { "" } else { ", not applied" }
    )
}

/// Parses, and edits that are applied or not.
pub fn contenders(corpus: &'static Corpus) -> impl Iterator<Item = Contender> {
    let kinds = KINDS
        .into_iter()
        .chain([("none", (|_, _| {}) as fn(&Dom<'_>, &mut Edits<'_>))]);
    kinds.flat_map(move |(kind, edit)| {
        let all = [(false, false), (false, true), (true, false), (true, true)];
        all.into_iter().map(move |(has_noscript, applies)| {
            let name = name(kind, GROUPS[usize::from(has_noscript)], applies);
            Contender::by_text(name, corpus, move |text, counts| {
                if text.contains("<noscript") != has_noscript {
                    return;
                }
                let dom = speclex::parse(text);
                let mut edits = Edits::new(&dom);
                edit(&dom, &mut edits);
                if !applies {
                    black_box(&edits);
                    return;
                }
                match edits.apply() {
                    Ok(text) => counts.start_tags += text.len() as u64,
                    Err(_) => counts.errors += 1,
                }
            })
        })
    })
}

/// Counts, and compares with the limit. Exits with 1 if an edit costs more; says so if nothing could be counted.
///
/// # Errors
/// When callgrind cannot be used.
pub fn check(only: &[String]) -> io::Result<ExitCode> {
    if !has_valgrind() {
        println!("SKIPPED, NO INSTRUCTION WAS COUNTED: there is no `valgrind`");
        return Ok(ExitCode::SUCCESS);
    }
    let every = 4;
    let (mut rows, mut all_met) = (Vec::new(), true);
    let is_wanted = |kind: &str| only.is_empty() || only.iter().any(|word| kind.contains(word));
    for group in GROUPS {
        let mut parses = Vec::new();
        for class in CLASSES {
            parses.push(count(name("none", group, false), class, every)?.instructions());
        }
        for (kind, _) in KINDS.into_iter().filter(|(kind, _)| is_wanted(kind)) {
            let mut row = vec![format!("{kind}{group}")];
            for (class, &parse) in CLASSES.into_iter().zip(&parses) {
                let [with, without] =
                    [true, false].map(|applies| count(name(kind, group, applies), class, every));
                let ratio = (with?.instructions() - without?.instructions()) as f64 / parse as f64;
                all_met &= ratio <= MOST;
                row.push(format!("{ratio:.2}"));
            }
            rows.push(row);
        }
    }
    let heading = format!("What `apply` costs in parses: {MOST} at most");
    let titles = vec!["edits", CLASSES[0], CLASSES[1], CLASSES[2]];
    println!(
        "{}",
        Table {
            heading,
            titles,
            rows
        }
    );
    Ok(ExitCode::from(u8::from(!all_met)))
}
