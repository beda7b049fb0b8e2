//! After each edit of a page, `examples/editor` has the tokens, errors and places of a complete run.

use std::env;
use std::fs;
use std::ops::Range;

use editor_example::{Document, Page};
use speclex::Tokenizer;
use speclex::markup::Collector;
use speclex::rt::Machine;
use speclex_tests::random::Random;
use speclex_tests::{files, shared};

type Sink = Collector<true>;

/// Edits of one page.
const EDITS: usize = 20;

/// What is put in. Most of it changes how the text behind it is read.
const PIECES: &[&str] = &[
    "<",
    ">",
    "/",
    "!",
    "-",
    "--",
    "\"",
    "'",
    "=",
    " ",
    "&",
    ";",
    "#",
    "x",
    "p",
    "script",
    "amp",
    "é",
    "\r",
    "\n",
    "\0",
    "\u{1}",
    "\u{FEFF}",
    "<p>",
    "</p>",
    "<a b='c'>",
    "</",
    "<!--",
    "-->",
    "--!>",
    "<!",
    "<?",
    "<?xml",
    "?>",
    "<![CDATA[",
    "]]>",
    "<script>",
    "</script>",
    "<title>",
    "</title>",
    "<style>",
    "</style>",
    "<textarea>",
    "</textarea>",
    "<plaintext>",
    "&amp;",
    "&am",
    "&#x",
    "<!DOCTYPE html>",
    "<title/>",
    "</x>",
    "<x>",
];

fn pages(extensions: &[&str]) -> Vec<String> {
    let Some(corpora) = shared("corpora") else {
        return Vec::new();
    };
    let pages = files(&corpora, extensions).into_iter();
    let pages = pages.map(|page| fs::read(page).expect("a page"));
    pages
        .map(|page| String::from_utf8_lossy(&page).into_owned())
        .collect()
}

/// A place in a text, mostly a `<` or near one.
fn place(text: &str, random: &mut Random) -> usize {
    let mut place = random.below(text.len() + 1);
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    match random.below(3) {
        0 => place,
        1 => text[place..].find('<').map_or(place, |more| place + more),
        _ => text[place..]
            .find('>')
            .map_or(place, |more| place + more + 1),
    }
}

/// A range of a text, mostly a short one, and what comes in its place.
fn edit(text: &str, page: &str, random: &mut Random) -> (Range<usize>, String) {
    let start = place(text, random);
    let longest = *random.one(&[1, 1, 2, 8, 64, 2000]);
    let mut end = (start + random.below(longest)).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let new = match random.below(12) {
        0 => String::new(),
        1 => excerpt(page, 600, random).to_owned(),
        _ => (0..1 + random.below(3))
            .map(|_| *random.one(PIECES))
            .collect(),
    };
    (start..end, new)
}

/// A piece of a page, which may begin anywhere.
fn excerpt<'p>(page: &'p str, longest: usize, random: &mut Random) -> &'p str {
    let start = place(page, random);
    let mut end = (start + random.below(longest)).min(page.len());
    while !page.is_char_boundary(end) {
        end += 1;
    }
    &page[start..end]
}

/// Edits pages. Returns how many bytes were read again, and how many the texts had.
fn check<M: Machine<Sink = Sink>>(
    pages: &[String],
    (edits, longest): (usize, usize),
    random: &mut Random,
) -> (usize, usize) {
    let (mut read, mut all) = (0, 0);
    let mut tokenizer = Tokenizer::<M>::new(Sink::with_errors());
    for _ in 0..edits.div_ceil(EDITS) {
        let page = random.one(pages);
        let mut text = match random.below(8) {
            0 => String::new(),
            _ => excerpt(page, longest, random).to_owned(),
        };
        let mut document = Document::<M>::new(&text);
        let mut done = Vec::new();
        for _ in 0..EDITS {
            let (range, new) = edit(&text, page, random);
            text.replace_range(range.clone(), &new);
            read += document.edit(range.clone(), &new);
            all += text.len();
            done.push((range, new));
            tokenizer.reset();
            *tokenizer.sink() = Sink::with_errors();
            tokenizer.feed(&text).expect("a small text");
            tokenizer.end().expect("a small text");
            let whole = tokenizer.sink();
            assert_eq!(document.text(), text, "{done:?}");
            let tokens = document.tokens();
            if tokens != whole.tokens {
                let equal = tokens.iter().zip(&whole.tokens).take_while(|(a, b)| a == b);
                let at = equal.count();
                let (found, wanted) = (tokens.get(at), whole.tokens.get(at));
                panic!("{found:?}, not {wanted:?} after {done:?}: {text:?}");
            }
            assert_eq!(document.errors(), whole.errors, "{done:?}: {text:?}");
        }
    }
    (read, all)
}

/// So many edits with all tables, of texts that are at first as long as this at most.
fn check_all(edits: usize, longest: usize, seed: u64) {
    let (html, xml) = (pages(&["html"]), pages(&["xml", "svg"]));
    if html.is_empty() {
        return;
    }
    let mut random = Random::new(seed);
    let random = &mut random;
    let mut results = Vec::new();
    macro_rules! check_each {
        ($($name:literal => $module:ident),* $(,)?) => {
            let edits = (edits.div_ceil([$($name),*].len()), longest);
            $(
                let texts = if $name.starts_with("xml") { &xml } else { &html };
                results.push(check::<speclex_tokenizers::$module::Machine<Sink>>(texts, edits, random));
            )*
        };
    }
    speclex_tokenizers::for_each_revision!(check_each);
    let read: usize = results.iter().map(|(read, _)| read).sum();
    let all: usize = results.iter().map(|(_, all)| all).sum();
    assert!(read * 2 < all, "of {all} bytes {read} were read again");
}

#[test]
fn edits_give_what_a_complete_run_gives() {
    check_all(2000, 6000, 0);
}

/// `SPECLEX_SEED=7 cargo test --test text -- --ignored editor`.
#[test]
#[ignore = "takes some seconds; .ci/run runs it"]
fn many_edits_give_what_a_complete_run_gives() {
    let seed = env::var("SPECLEX_SEED").map_or(0, |seed| seed.parse().expect("a number"));
    check_all(100_000, 50_000, seed);
}

#[test]
fn an_edit_is_read_no_further_than_to_the_next_checkpoint_that_is_as_it_was() {
    let line = "<p title='a'>one &amp; two</p>\n";
    let length = line.len() * 1000;
    let mut page = Page::new(&line.repeat(1000));
    let before = page.tokens().len();
    // In the middle of text, of a tag, and a start tag.
    for (at, new) in [
        (15_518, "x"),
        (15_509, "x"),
        (15_500, "<i>"),
        (31_000, "end"),
    ] {
        let read = page.edit(at..at, new);
        assert!(read < 700, "{read} bytes for {new} at {at}");
    }
    // A comment that is opened goes on to the end, and ends there when it is closed.
    let text = page.text();
    for (at, new) in [(15_500, "<!--"), (15_504, "-->")] {
        let read = page.edit(at..at, new);
        assert!(read > length / 2, "{read} bytes for {new}");
    }
    assert_eq!(page.tokens().len(), before + 2);
    let read = page.edit(15_500..15_507, "");
    assert!(read < 700, "{read}");
    assert_eq!(page.text(), text);
}
