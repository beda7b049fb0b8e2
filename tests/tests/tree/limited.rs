//! Trees with a limit of their depth: nothing is lost, and nothing is deeper.

use libtest_mimic::Failed;
use speclex::tree::Options;
use speclex::{Dom, DomSink, Node};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;
use speclex_tokenizers::html_tree_2026_06::{Builder, NAMES, Parser};

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("depth/siblings".to_owned(), siblings);
    suite.add_trial("depth/random documents".to_owned(), random_documents);
}

fn parse(text: &str, depth: Option<usize>) -> Dom<'_> {
    let mut options = Options::default();
    options.depth = depth;
    let mut parser = Parser::new(Builder::new(DomSink::<false>::new(text, &NAMES), &options));
    parser.feed(text).expect("nothing is too large");
    parser.end().expect("nothing is too large");
    parser.into_sink().into_sink().finish()
}

/// How many ancestors a node has.
fn depth(node: Node<'_>) -> usize {
    node.ancestors().count()
}

fn deepest(dom: &Dom<'_>) -> usize {
    let depths = dom.document().descendants().map(depth);
    depths.max().unwrap_or_default()
}

/// As Blink does it: the open element at the limit has the rest as children.
fn siblings() -> Result<(), Failed> {
    let text = "<div>x".repeat(2_000) + "<b>y</b><!--z-->";
    let dom = parse(&text, Some(512));
    let last = dom.elements("div").last().and_then(|it| it.parent());
    let children = last.map(|it| it.children().filter(|it| it.name() == Some("div")).count());
    // The Document, `html`, `body` and 510 `div` elements are above; one is a child of the limit's parent.
    match (deepest(&dom), children) == (1 + 512, Some(2_000 - 510)) {
        true => Ok(()),
        false => Err(format!("{} deep, {children:?} children", deepest(&dom)).into()),
    }
}

/// What is not too deep stays as it is.
fn random_documents() -> Result<(), Failed> {
    let mut random = Random::named("limited");
    for _ in 0..500 {
        let text = document(&mut random).concat();
        let whole = parse(&text, None);
        for limit in [1, 2, 3, 5, 8, 1_000] {
            let limited = parse(&text, Some(limit));
            let is_same = limit < 1_000 || limited.dump() == whole.dump();
            // The Document is above the root, and a form that is no longer open may be above each open element.
            if deepest(&limited) > 2 * limit + 1 || !is_same {
                let found = limited.dump();
                return Err(format!("at most {limit} deep: {text:?}\n{found}").into());
            }
        }
    }
    Ok(())
}
