//! Walks over trees, their order, copies and pieces of texts, beside the same by recursion and by hand.

use libtest_mimic::Failed;
use speclex::{Dom, Edge, Node, NodeKind};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;

/// What a walk yields, by recursion.
fn recurse<'d>(node: Node<'d>, with_templates: bool, edges: &mut Vec<Edge<Node<'d>>>) {
    edges.push(Edge::Open(node));
    if let Some(contents) = node.template_contents().filter(|_| with_templates) {
        recurse(contents, with_templates, edges);
    }
    node.children()
        .for_each(|child| recurse(child, with_templates, edges));
    edges.push(Edge::Close(node));
}

fn check(dom: &Dom<'_>) {
    for node in dom.root().descendants_with_templates() {
        let (mut plain, mut all) = (Vec::new(), Vec::new());
        recurse(node, false, &mut plain);
        recurse(node, true, &mut all);
        assert!(node.walk().eq(plain.iter().copied()), "{node:?}");
        assert!(node.walk().with_templates().eq(all.iter().copied()));
        let opened = |edges: &[Edge<Node<'_>>]| -> Vec<_> {
            let opened = edges.iter().filter_map(|edge| edge.opened());
            opened.skip(1).map(Node::id).collect()
        };
        let ids: Vec<_> = node.descendants().map(Node::id).collect();
        assert_eq!(ids, opened(&plain));
        let ids: Vec<_> = node.descendants_with_templates().map(Node::id).collect();
        assert_eq!(ids, opened(&all));
        // Without the subtrees of the children.
        let mut walk = node.walk();
        let mut seen = Vec::new();
        while let Some(edge) = walk.next() {
            seen.push(edge);
            if edge != Edge::Open(node) {
                walk.skip_subtree();
            }
        }
        let children = node
            .children()
            .flat_map(|it| [Edge::Open(it), Edge::Close(it)]);
        let wanted = [Edge::Open(node)].into_iter().chain(children);
        assert!(seen.iter().copied().eq(wanted.chain([Edge::Close(node)])));
    }
    let order = dom.document_order();
    let all = [dom.document()].into_iter();
    let all = all.chain(dom.document().descendants_with_templates());
    let positions: Vec<_> = all.map(|node| order.position(node)).collect();
    assert!(positions.iter().copied().eq((0..positions.len()).map(Some)));
}

/// The pieces of a text are its text, and what stands in the input there.
fn check_places(dom: &Dom<'_>) -> (usize, usize) {
    let (mut several, mut copies) = (0, 0);
    for node in dom.document().descendants_with_templates() {
        let pieces: Vec<_> = node.pieces().collect();
        if let (NodeKind::Text(text), Some(span)) = (node.kind(), node.span()) {
            let joined: String = pieces.iter().map(|(_, text)| *text).collect();
            // A copy that got more has no place.
            let has_copied = node.ancestors().any(|it| it.is("selectedcontent"));
            let is_all = joined == text || has_copied && text.ends_with(&joined);
            assert!(is_all, "{:?}: {joined:?} {text:?}", dom.input());
            let ends = pieces.first().zip(pieces.last());
            let ends = ends.map(|((first, _), (last, _))| (first.start, last.end));
            assert_eq!(ends, Some((span.start, span.end)), "{:?}", dom.input());
            several += usize::from(pieces.len() > 1);
        } else {
            assert_eq!(pieces, [], "{node:?}");
        }
        let apart = pieces.windows(2).all(|two| two[0].0.end < two[1].0.start);
        assert!(apart, "{:?}: {pieces:?}", dom.input());
        for (span, text) in pieces {
            let source = &dom.input()[span.range()];
            // A NUL may be left out.
            let is_plain = !source.contains(['&', '\0', '\r']) && source.is_ascii();
            assert!(!is_plain || source == text, "{source:?} {text:?}");
        }
        if let Some(origin) = node.origin() {
            copies += 1;
            assert_eq!((node.span(), origin.origin()), (None, None));
            assert_eq!(node.name(), origin.name());
            if origin.span().is_some() && node.is_element() {
                let [copied, written] = [node, origin].map(|node| {
                    let values = node.attributes().map(|it| it.value_span());
                    values.collect::<Vec<_>>()
                });
                assert!(written.starts_with(&copied));
            }
        }
    }
    (several, copies)
}

fn random_pages() -> Result<(), Failed> {
    let mut random = Random::named("walks");
    let (mut several, mut copies) = (0, 0);
    for _ in 0..3_000 {
        let page = document(&mut random).concat();
        let dom = speclex::parse(&page);
        check(&dom);
        let found = check_places(&dom);
        (several, copies) = (several + found.0, copies + found.1);
    }
    assert!(several > 100 && copies > 300, "{several} {copies}");
    Ok(())
}

fn copies() -> Result<(), Failed> {
    // As parse5 has it: the end tag is that of the element that was written, if it closes that.
    let page = "<b>a<p>b</b>";
    let dom = speclex::parse(page);
    let b: Vec<_> = dom.elements("b").collect();
    assert_eq!(dom.source(b[0]), Some(page));
    assert_eq!((b[1].origin(), b[1].end_tag()), (Some(b[0]), None));
    // A copy of a copy, and without attributes.
    let dom = speclex::parse("<i><b>1<p>2<div>3<p>4");
    let copies = dom.elements("b").skip(1).map(|it| it.origin());
    assert!(copies.eq(vec![
        dom.elements("b").next();
        dom.elements("b").count() - 1
    ]));
    let page =
        "<select><button><selectedcontent></selectedcontent></button><option>a<b>c<!--d--></b>";
    let dom = speclex::parse(page);
    let content = dom.elements("selectedcontent").next().ok_or("none")?;
    let option = dom.elements("option").next().ok_or("none")?;
    let origins = content.descendants().filter_map(|it| it.origin());
    assert!(origins.eq(option.descendants()) && content.descendants().count() == 4);
    assert!(content.descendants().all(|it| it.extent().is_none()));
    assert_eq!(option.origin(), None);
    Ok(())
}

/// Deep, wide, many pieces and copies: a step for each node, and no stack.
fn hostile() -> Result<(), Failed> {
    const N: usize = 200_000;
    for piece in [
        "<i a>",
        "<template>",
        "<br>x",
        "<p>",
        "x</x>",
        "<table>x<td>",
        "<svg>",
    ] {
        let page = piece.repeat(N / 2);
        let dom = speclex::parse(&page);
        let all = dom.document().walk().with_templates().count();
        let order = dom.document_order();
        let last = dom.document().descendants_with_templates().last();
        assert_eq!(last.and_then(|it| order.position(it)), Some(all / 2 - 1));
        let texts = dom.document().descendants_with_templates();
        let pieces: usize = texts.map(|it| it.pieces().count()).sum();
        assert_eq!(pieces, piece.matches('x').count().min(1) * N / 2, "{piece}");
    }
    let attributes: String = (0..1_000_000).map(|n| format!(" a{n}")).collect();
    let page = format!("<b{attributes}><p></b>x");
    let dom = speclex::parse(&page);
    let copy = dom.elements("b").nth(1).ok_or("no copy")?;
    assert_eq!(
        copy.origin().map(|it| it.attributes().len()),
        Some(1_000_000)
    );
    Ok(())
}

pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("walks: random pages", random_pages);
    suite.add_trial("walks: copies", copies);
    suite.add_trial("walks: hostile pages", hostile);
}
