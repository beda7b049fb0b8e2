//! What small documents allocate, and how much memory they take at once, beside html5ever: docs/porting.md has the figures.

// Without the rest of `speclex-tests`, which takes minutes to build.
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/data.rs"]
mod data;
#[path = "../../analysis/src/html5lib/trees.rs"]
#[allow(dead_code, unreachable_pub)]
mod tree_cases;

use std::fs;

use data::{files, shared};
use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;
use speclex_html5ever::their_builder;
use tree_cases::read_dat;

/// The allocations of a parse with a crate, and the most bytes that it has at once.
macro_rules! heap {
    ($parser:path, $document:expr) => {{
        let parse = || {
            let parser = $parser(RcDom::default(), Default::default());
            drop(parser.one($document));
        };
        // What a thread keeps is allocated by the first.
        parse();
        let heap = allocation_counter::measure(parse);
        [heap.count_total, heap.bytes_max]
    }};
}

/// What Speclex's builder may take besides: its stack and list have tables, which find each element in constant time.
const MORE: [u64; 2] = [8, 1536];
/// The same for html5lib's documents.
const MORE_OF_HTML5LIB: [u64; 2] = [19, 5400];

#[test]
fn small_documents_take_little_more_than_with_html5ever() {
    for document in [
        "",
        "text",
        "<p>",
        "<p class=a id=b>text &amp; more</p>",
        "<!DOCTYPE html><title>a</title><p>b<!-- c -->",
        "<ul><li>1<li>2</ul><script>3</script>",
    ] {
        let theirs = heap!(html5ever::parse_document, document);
        let with_their_builder = heap!(their_builder::parse_document, document);
        let ours = heap!(speclex_html5ever::parse_document, document);
        for what in [0, 1] {
            let all = format!("{document:?}: {theirs:?}, {with_their_builder:?}, {ours:?}");
            assert!(with_their_builder[what] <= theirs[what], "{all}");
            assert!(ours[what] <= theirs[what] + MORE[what], "{all}");
        }
    }
}

#[test]
fn html5lib_documents_take_little_more() {
    let Some(folder) = shared("html5lib-tests/tree-construction") else {
        return;
    };
    let (mut documents, mut less, mut more) = (0, [0, 0], [0, 0]);
    let mut most = [0, 0];
    for path in files(&folder, &["dat"]) {
        let file = fs::read_to_string(&path).expect("a file in UTF-8");
        for case in read_dat("", &file).expect("tests") {
            if case.context.is_some() {
                continue;
            }
            let theirs = heap!(html5ever::parse_document, &*case.data);
            let with_their_builder = heap!(their_builder::parse_document, &*case.data);
            let ours = heap!(speclex_html5ever::parse_document, &*case.data);
            documents += 1;
            for what in [0, 1] {
                less[what] += usize::from(with_their_builder[what] < theirs[what]);
                more[what] += usize::from(with_their_builder[what] > theirs[what]);
                most[what] = ours[what].saturating_sub(theirs[what]).max(most[what]);
            }
        }
    }
    println!("{documents} documents: with their builder {less:?} less, {more:?} more");
    println!("with Speclex's at most {most:?} more");
    assert!(documents > 1600, "{documents} documents");
    assert!(more[0] < 20 && more[1] < 20, "{more:?} documents take more");
    let is_within = most
        .iter()
        .zip(MORE_OF_HTML5LIB)
        .all(|(it, most)| *it <= most);
    assert!(is_within, "{most:?} more");
}
