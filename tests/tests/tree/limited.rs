//! Trees with a limit of their depth: nothing is lost, and nothing is deeper. Limits of nodes and memory, and contexts of fragments.

use libtest_mimic::Failed;
use speclex::encoding::{Hints, encoding_rs::UTF_8};
use speclex::tree::Options;
use speclex::tree::{DocumentMode, Scripting};
use speclex::{Context, Dom, DomLimit, DomSink, Node, NodeKind};
use speclex::{parse_bytes_with, parse_fragment, parse_fragment_with, parse_with};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::{CONTEXTS, document};
// With `<template for>`, which puts its content elsewhere.
use speclex_tokenizers::html_tree_living::{Builder, NAMES, Parser};

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("depth/siblings".to_owned(), siblings);
    suite.add_trial("depth/families".to_owned(), families);
    suite.add_trial("depth/random documents".to_owned(), random_documents);
    suite.add_trial("limits/nodes".to_owned(), nodes);
    suite.add_trial("limits/memory".to_owned(), memory);
    suite.add_trial("limits/contexts".to_owned(), contexts);
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
        ("<div><?marker name='q'?><template for=q><b>", 1_000),
        (
            "<div><?marker name='q'?><template for=q><div></template>",
            1_000,
        ),
        (
            "<p><?marker name='q'?></p><template for=q><table><i>x</template>",
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
                "<?marker name='q'?>",
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

/// The number of nodes, all of which are linked both ways.
fn count(dom: &Dom<'_>) -> usize {
    let nodes = dom.document().descendants_with_templates();
    let linked = nodes.inspect(|node| {
        let is_first = node.previous_sibling().is_none();
        let before = node.previous_sibling().and_then(Node::next_sibling);
        let above = node
            .parent()
            .and_then(Node::first_child)
            .filter(|_| is_first);
        let is_contents = node.kind() == NodeKind::TemplateContents;
        assert!(is_contents || before.or(above) == Some(*node));
    });
    1 + linked.count()
}

/// With any limit the tree is whole, and its nodes are those that are made first without one.
fn nodes() -> Result<(), Failed> {
    let mut random = Random::named("limits of nodes");
    let (mut limited, hints) = (0, Hints::html().encoding(UTF_8));
    for _ in 0..3_000 {
        let page = document(&mut random).concat();
        let whole = speclex::parse(&page);
        let mut options = Options::default();
        for most in [1, 4, 5 + random.below(20), 1_000_000] {
            options.most_nodes = Some(most);
            let dom = parse_with(&page, &options);
            let count = count(&dom);
            assert!(count <= most, "{page:?}");
            match dom.limit() {
                None => assert_eq!(dom.dump(), whole.dump(), "{page:?}"),
                Some(limit) => {
                    assert_eq!(limit, DomLimit::Nodes);
                    limited += 1;
                }
            }
            for node in dom.document().descendants_with_templates() {
                let same = whole.node(node.id()).ok_or("too many")?;
                assert_eq!(
                    (same.name(), same.span().is_some()),
                    (node.name(), node.span().is_some())
                );
            }
            let (of_bytes, _) = parse_bytes_with(page.as_bytes(), &hints, &options);
            assert_eq!(
                (of_bytes.dump(), of_bytes.limit()),
                (dom.dump(), dom.limit())
            );
        }
    }
    assert!(limited > 4_000, "{limited}");
    Ok(())
}

/// Pages of which trees are large take no more than wanted, about; others are as without limit, wherever pieces end.
fn memory() -> Result<(), Failed> {
    let copies: String = (0..4_000).map(|n| format!("<p><font size={n}>")).collect();
    let attributes: String = (0..300_000).map(|n| format!(" a{n}")).collect();
    let pages = [
        copies,
        "<br>".repeat(300_000),
        format!("<p{attributes}>x"),
        "<table>a&amp;<td>b&lt;</td>".repeat(40_000),
        "x&amp;</a>".repeat(100_000),
    ];
    let mut options = Options::default();
    for page in &pages {
        options.most_memory = Some(400_000);
        let dom = parse_with(page, &options);
        count(&dom);
        assert!(
            dom.memory() < 1_200_000 || page.contains(" a9 "),
            "{}",
            dom.memory()
        );
        assert_eq!(dom.limit(), Some(DomLimit::Memory), "{}", &page[..20]);
    }
    options.most_memory = Some(1 << 30);
    for page in [&pages[1], &"\u{e9}<p>x&amp;".repeat(20_000)] {
        let (limited, whole) = (parse_with(page, &options), speclex::parse(page));
        assert_eq!(
            (limited.limit(), limited.serialize()),
            (None, whole.serialize())
        );
        let fragment = parse_fragment_with(page, "body", &options)?;
        assert_eq!(
            fragment.serialize(),
            parse_fragment(page, "body")?.serialize()
        );
    }
    Ok(())
}

fn contexts() -> Result<(), Failed> {
    for name in CONTEXTS
        .split_whitespace()
        .map(|it| it.replace('\u{b7}', " "))
    {
        let mut random = Random::named(&name);
        let context = Context::new(&name)?;
        for _ in 0..50 {
            let text = document(&mut random).concat();
            let wanted = speclex_tokenizers::html_tree_living::parse_fragment(&text, &name);
            assert_eq!(
                parse_fragment(&text, context.clone())?.dump(),
                wanted.dump()
            );
        }
    }
    for (name, meant) in [
        ("TR", "tr"),
        ("svg foreignobject", "svg foreignObject"),
        ("SVG path", "svg path"),
        ("svg PATH", "svg path"),
        ("mathml mi", "math mi"),
        ("math MI", "math mi"),
        ("foreignObject", "svg foreignObject"),
        ("html td", "td"),
        ("X-Y", "x-y"),
        ("svg linearGRADIENT", "svg linearGradient"),
        ("", ""),
        ("td>", ""),
        ("svg", "svg svg"),
        ("td tr", ""),
        ("svg ", ""),
        ("1", ""),
    ] {
        match Context::new(name) {
            Err(error) => assert_eq!(error.meant().unwrap_or(""), meant, "{error}"),
            // An HTML element may have this name.
            Ok(_) => assert_eq!(name, "svg"),
        }
    }
    let html = |context: Context, text: &str| -> Result<String, Failed> {
        Ok(parse_fragment(text, context)?.serialize())
    };
    let annotation = Context::new("math annotation-xml")?;
    let is_html = annotation.clone().with_attribute("encoding", "Text/HTML");
    assert_eq!(html(is_html, "<p/>x")?, "<p>x</p>");
    assert_eq!(html(annotation, "<a/>x")?, "<a></a>x");
    let div = Context::new("div")?;
    assert_eq!(html(div.clone().in_form(), "a<form>b")?, "ab");
    assert_eq!(html(div.clone(), "<p><table>")?, "<p></p><table></table>");
    assert_eq!(
        html(div.in_mode(DocumentMode::Quirks), "<p><table>")?,
        "<p><table></table></p>"
    );
    let mut options = Options::default();
    options.scripting = Scripting::Inert;
    let text = "<noscript><p>x";
    let dom = parse_fragment_with(text, "div", &options)?;
    assert_eq!(dom.serialize(), "<noscript><p>x</noscript>");
    assert_eq!(
        parse_with(text, &options)
            .body()
            .map(|it| it.children().count()),
        Some(0)
    );
    Ok(())
}
