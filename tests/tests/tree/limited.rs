//! Trees with a limit of their depth: nothing is lost, and nothing is deeper.

use libtest_mimic::Failed;
use speclex::tree::Options;
use speclex::{Dom, DomSink, Node};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;
// With `<template for>`, which puts its content elsewhere.
use speclex_tokenizers::html_tree_living::{Builder, NAMES, Parser};

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("depth/siblings".to_owned(), siblings);
    suite.add_trial("depth/families".to_owned(), families);
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

/// How many ancestors the deepest node has; what is in a template is in its element.
fn deepest(dom: &Dom<'_>) -> usize {
    let (mut most, mut depths) = (0, vec![(dom.document(), 0)]);
    while let Some((node, depth)) = depths.pop() {
        most = most.max(depth);
        let contents = node.template_contents();
        let inside = contents.into_iter().flat_map(Node::children);
        depths.extend(node.children().chain(inside).map(|it| (it, depth + 1)));
    }
    most
}

/// Elements that leave the stack and not the tree count, and those that are put before a table.
fn families() -> Result<(), Failed> {
    for (part, times) in [
        ("<form><div></form>", 3_000),
        ("<a><table><a><tr><td>", 2_000),
        ("<b><p></b><i><div></i>", 2_000),
        ("<table><form><tr><td></form><form>", 1_000),
        ("<template><form></form><div>", 1_000),
        ("<a><div><a>", 1_000),
        ("<nobr><table><nobr>", 1_000),
        ("<div><?marker name=q?><template for=q><b>", 1_000),
        (
            "<div><?marker name=q?><template for=q><div></template>",
            1_000,
        ),
        (
            "<p><?marker name=q?></p><template for=q><table><i>x</template>",
            1_000,
        ),
    ] {
        let text = part.repeat(times);
        let found = deepest(&parse(&text, Some(50)));
        if found > 51 {
            return Err(format!("{part}: {found}").into());
        }
    }
    Ok(())
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
    for _ in 0..2_000 {
        let mut pieces = document(&mut random);
        for _ in 0..random.below(12) {
            let tag = *random.one(&[
                "<form>",
                "</form>",
                "<a>",
                "<table>",
                "<tr>",
                "<b>",
                "</b>",
                "<p>",
                "<?marker name=q?>",
                "<template for=q>",
                "</template>",
            ]);
            pieces.insert(random.below(pieces.len() + 1), tag.to_owned());
        }
        let text = pieces.concat();
        let whole = parse(&text, None);
        for limit in [1, 2, 3, 5, 8, 1_000] {
            let limited = parse(&text, Some(limit));
            let is_same = limit < 1_000 || limited.dump() == whole.dump();
            if deepest(&limited) > limit + 1 || !is_same {
                let found = limited.dump();
                return Err(format!("at most {limit} deep: {text:?}\n{found}").into());
            }
        }
    }
    Ok(())
}
