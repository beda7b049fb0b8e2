//! Small documents take no more allocations than with html5ever's own tokenizer. Some do, which have names in capitals or a reference
//! without `;`: docs/porting.md says how many.

use html5ever::tendril::TendrilSink;
use markup5ever_rcdom::RcDom;

/// The allocations of a parse with a crate.
macro_rules! allocations {
    ($crate_name:ident, $document:expr) => {{
        let parse = || {
            let parser = $crate_name::parse_document(RcDom::default(), Default::default());
            drop(parser.one($document));
        };
        // What a thread keeps is allocated by the first.
        parse();
        allocation_counter::measure(parse).count_total
    }};
}

#[test]
fn small_documents_take_no_more_allocations_than_with_html5ever() {
    for document in [
        "",
        "text",
        "<p>",
        "<p class=a id=b>text &amp; more</p>",
        "<!DOCTYPE html><title>a</title><p>b<!-- c -->",
        "<ul><li>1<li>2</ul><script>3</script>",
    ] {
        let [theirs, ours] = [
            allocations!(html5ever, document),
            allocations!(speclex_html5ever, document),
        ];
        assert!(
            ours <= theirs,
            "{document:?}: {ours}, and html5ever {theirs}"
        );
    }
}
