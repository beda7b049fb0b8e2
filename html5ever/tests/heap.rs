//! Small documents take no more allocations, and no more memory at once, than with html5ever's own tokenizer. A few of html5lib's
//! do: docs/porting.md says how many.

// Without the rest of `speclex-tests`, which takes minutes to build.
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/data.rs"]
mod data;
#[path = "../../tests/src/tree_cases.rs"]
#[allow(dead_code, unreachable_pub)]
mod tree_cases;

use std::cell::Cell;
use std::fs;

use data::{files, shared};
use html5ever::tendril::TendrilSink;
use html5ever::{QualName, local_name, ns};
use markup5ever_rcdom::RcDom;
use speclex_html5ever::tokenizer::{
    BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use speclex_html5ever::{Origin, Spans};
use tree_cases::read_dat;

/// The allocations of a parse with a crate, and the most bytes that it has at once.
macro_rules! heap {
    ($crate_name:ident, $document:expr) => {{
        let parse = || {
            let parser = $crate_name::parse_document(RcDom::default(), Default::default());
            drop(parser.one($document));
        };
        // What a thread keeps is allocated by the first.
        parse();
        let heap = allocation_counter::measure(parse);
        [heap.count_total, heap.bytes_max]
    }};
}

#[test]
fn small_documents_take_no_more_than_with_html5ever() {
    for document in [
        "",
        "text",
        "<p>",
        "<p class=a id=b>text &amp; more</p>",
        "<!DOCTYPE html><title>a</title><p>b<!-- c -->",
        "<ul><li>1<li>2</ul><script>3</script>",
    ] {
        let [theirs, ours] = [
            heap!(html5ever, document),
            heap!(speclex_html5ever, document),
        ];
        assert!(
            ours[0] <= theirs[0] && ours[1] <= theirs[1],
            "{document:?}: {ours:?}, and html5ever {theirs:?}"
        );
    }
}

#[test]
fn few_of_html5lib_documents_take_more() {
    let Some(folder) = shared("html5lib-tests/tree-construction") else {
        return;
    };
    let (mut documents, mut less, mut more) = (0, [0, 0], [0, 0]);
    for path in files(&folder, &["dat"]) {
        let file = fs::read_to_string(&path).expect("a file in UTF-8");
        for case in read_dat("", &file).expect("tests") {
            if case.context.is_some() {
                continue;
            }
            let theirs = heap!(html5ever, &*case.data);
            let ours = heap!(speclex_html5ever, &*case.data);
            documents += 1;
            for what in [0, 1] {
                less[what] += usize::from(ours[what] < theirs[what]);
                more[what] += usize::from(ours[what] > theirs[what]);
            }
        }
    }
    println!("{documents} documents: {less:?} less, {more:?} more");
    assert!(documents > 1600, "{documents} documents");
    assert!(more[0] < 20 && more[1] < 20, "{more:?} documents take more");
}

/// Asks for the origin of copies of elements while it is given a long tag, and counts what that allocates.
struct Copies {
    spans: Spans,
    copies: u64,
    allocated: Cell<u64>,
}

impl TokenSink for Copies {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(tag) = token {
            let name = QualName::new(None, ns!(html), local_name!("b"));
            let number = tag.attrs[0].value.clone();
            assert!(matches!(
                self.spans.origin(&name, &tag.attrs),
                Origin::Own(_)
            ));
            if &*number == "last" {
                let mut copy = vec![tag.attrs[0].clone()];
                let heap = allocation_counter::measure(|| {
                    for number in 0..self.copies {
                        copy[0].value = number.to_string().into();
                        let origin = self.spans.origin(&name, &copy);
                        assert!(matches!(origin, Origin::CopyOf(_)), "{origin:?}");
                    }
                });
                self.allocated.set(heap.bytes_total);
            }
        }
        TokenSinkResult::Continue
    }
}

#[test]
fn a_tag_is_read_once_however_many_elements_are_copied_for_it() {
    let mut page: String = (0..1000).map(|number| format!("<b id={number}>")).collect();
    let long = page.len();
    page += "<b id=last";
    page.extend((0..1000).map(|number| format!(" a{number}='{number}'")));
    page += ">";
    for cut in [0, long + 5000] {
        let [few, many] = [10, 1000].map(|copies| {
            let spans = Spans::new();
            let sink = Copies {
                spans: spans.clone(),
                copies,
                allocated: Cell::new(0),
            };
            let mut tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
            tokenizer.show_spans(&spans);
            let input = BufferQueue::default();
            for piece in [&page[..cut], &page[cut..]] {
                input.push_back(piece.into());
                let _ = tokenizer.feed(&input);
            }
            tokenizer.end();
            tokenizer.sink.allocated.get()
        });
        // A number for each.
        assert!(many - few < 1000 * 100, "{few} and {many} bytes");
    }
}
