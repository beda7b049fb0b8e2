//! Selectors: what they select beside scraper, what is an error, and hostile pages.

#[allow(unreachable_pub)]
#[path = "../../tests/src/data.rs"]
mod data;
mod selectors;

use std::collections::BTreeMap;

use scraper::{ElementRef, Html};
use speclex::DomSink;
use speclex::tree::{Options, Scripting};
use speclex::{Dom, Node};
use speclex_select::{Matches as _, Select as _, Selector};
use speclex_tokenizers::html_tree_2022_10::{Builder, NAMES, Parser};

/// The elements of a scraper's document by their numbers, without those in templates.
fn theirs(html: &Html) -> BTreeMap<ego_tree::NodeId, usize> {
    let elements = html.tree.root().descendants().filter_map(ElementRef::wrap);
    let outside = elements.filter(|it| !it.ancestors().any(|it| it.value().is_fragment()));
    outside
        .zip(0..)
        .map(|(it, number)| (it.id(), number))
        .collect()
}

fn ours(dom: &Dom<'_>) -> BTreeMap<speclex::NodeId, usize> {
    let elements = dom.root().descendants().filter(|it| it.is_element());
    elements
        .zip(0..)
        .map(|(it, number)| (it.id(), number))
        .collect()
}

/// Compares all selectors on a page: the number of elements that they select.
fn compare(page: &str) -> usize {
    // scraper has no quirks mode.
    let page = format!("<!DOCTYPE html>{page}");
    let mut options = Options::default();
    options.scripting = Scripting::Normal;
    let mut parser = Parser::new(Builder::new(DomSink::<false>::new(&page, &NAMES), &options));
    parser.feed(&page).expect("not too large");
    parser.end().expect("not too large");
    let dom = parser.into_sink().into_sink().finish();
    let html = Html::parse_document(&page);
    let (by_id, their_ids) = (ours(&dom), theirs(&html));
    assert_eq!(by_id.len(), their_ids.len());
    let mut found = 0;
    for selector in selectors::all() {
        let (mine, other) = (
            Selector::parse(&selector),
            scraper::Selector::parse(&selector),
        );
        let (mine, other) = (mine.expect("right"), other.expect("right"));
        let selected = mine.select(dom.root());
        let numbers: Vec<_> = selected.iter().map(|it| by_id[&it.id()]).collect();
        let wanted = html
            .select(&other)
            .filter_map(|it| their_ids.get(&it.id()).copied());
        let mut wanted: Vec<_> = wanted.collect();
        wanted.sort_unstable();
        assert_eq!(numbers, wanted, "{selector}");
        found += numbers.len();
        // The same of a single element, which looks at less of the tree.
        for node in selected.iter().step_by(1 + selected.len() / 2) {
            assert!(
                mine.matches(*node) && mine.closest(*node) == Some(*node),
                "{selector}"
            );
            let inside: Vec<_> = mine.select(*node).into_iter().map(Node::id).collect();
            let all = selected
                .iter()
                .filter(|it| it.ancestors().any(|it| it == *node));
            if !selector.contains(":scope") {
                assert_eq!(
                    inside,
                    all.map(|it| it.id()).collect::<Vec<_>>(),
                    "{selector}"
                );
            }
        }
    }
    found
}

fn compare_pages(step: usize, most: usize) {
    assert!(selectors::all().len() >= 300);
    let Some(folder) = data::shared("corpora/html") else {
        return;
    };
    let mut found = 0;
    for path in data::files(&folder, &["html"]).iter().step_by(step) {
        let page = std::fs::read(path).expect("a page");
        if page.len() <= most {
            found += compare(&String::from_utf8_lossy(&page));
        }
    }
    assert!(found > 1_000_000 / step, "{found}");
}

#[test]
fn answers_are_those_of_scraper() {
    compare_pages(10, 100_000);
}

#[test]
#[ignore = "takes a minute; .ci/run runs it"]
fn answers_on_all_pages_are_those_of_scraper() {
    compare_pages(1, usize::MAX);
}

#[test]
fn what_scraper_does_not_have() {
    let count = |page: &str, selector: &str| {
        let dom = speclex::parse(page);
        dom.select(selector)
            .unwrap_or_else(|error| panic!("{error}"))
            .len()
    };
    // Quirks mode: classes and ids in any case, and nothing else.
    let page = "<p class=Card id=One title=X>";
    assert_eq!(count(page, ".card"), 1);
    assert_eq!(count(page, "#ONE"), 1);
    assert_eq!(count(page, "[title=x]"), 0);
    let page = "<!DOCTYPE html><p class=Card id=One title=X>";
    assert_eq!(count(page, ".card, #ONE, [title=x]"), 0);
    assert_eq!(count(page, ".Card, #One"), 1);
    assert_eq!(count(page, "[title=x i]"), 1);
    // Names of elements in any case, but those of SVG; some values of HTML in any case.
    let page = "<P TYPE=A><svg viewBox='0'><foreignObject><title>x</title></foreignObject></svg>";
    assert_eq!(count(page, "P[TYPE=a]"), 1);
    assert_eq!(count(page, "foreignObject, svg[viewBox]"), 2);
    assert_eq!(count(page, "foreignobject, svg[viewbox]"), 0);
    assert_eq!(count(page, "svg|*"), 2);
    assert_eq!(count(page, "html|title"), 1);
    assert_eq!(count(page, "svg|title, math|*"), 0);
    assert_eq!(count("<svg><a xlink:href=x>", "[xlink|href], [*|href]"), 1);
    assert_eq!(count("<svg><a xlink:href=x>", "[href]"), 0);
    // Templates are trees of their own.
    let page = "<template><p>a<p>b</template><p>c";
    assert_eq!(count(page, "p"), 1);
    let dom = speclex::parse(page);
    let contents = dom.select("template").expect("right")[0]
        .template_contents()
        .expect("some");
    assert_eq!(
        contents.select("p:last-child").expect("right")[0].text(),
        "b"
    );
    assert_eq!(contents.select(":root").expect("right").len(), 0);
    // Scopes.
    let dom = speclex::parse("<ul><li><ul><li>x</ul></ul>");
    let list = dom.select("ul").expect("right")[0];
    assert_eq!(list.select(":scope > li").expect("right").len(), 1);
    assert_eq!(list.select("ul li").expect("right").len(), 2);
    assert_eq!(list.select("body li li").expect("right").len(), 1);
    assert_eq!(
        list.select("body > ul:last-child li:has(> ul)")
            .expect("right")
            .len(),
        1
    );
    assert_eq!(dom.select(":scope > body").expect("right").len(), 1);
    let fragment = speclex::parse_fragment("<td>a<td>b", "tr").expect("a name");
    assert_eq!(
        fragment
            .select(":scope > td:nth-last-child(1)")
            .expect("right")[0]
            .text(),
        "b"
    );
    let text = list.select("li li").expect("right")[0]
        .first_child()
        .expect("text");
    assert!(!text.matches("*").expect("right"));
    assert_eq!(text.closest("*").expect("right"), text.parent());
}

#[test]
fn errors_have_places() {
    for (selector, offset) in [
        ("", 0),
        ("a,", 2),
        ("a >", 2),
        ("> a", 0),
        ("a..b", 2),
        ("a:nope", 2),
        ("a[=b]", 1),
        ("x|a", 1),
        ("a::before", 3),
        (":is(a,)", 6),
        (":not()", 5),
        ("a b:nth-child(x)", 14),
        ("p {", 0),
        ("\u{e9}\n>> b", 3),
        ("a, b:not(c, :is(d, ~ e)) f", 19),
    ] {
        let error = Selector::parse(selector).expect_err(selector);
        assert_eq!(error.offset(), offset, "{error}");
        assert_eq!(error.selector(), selector);
    }
    let deep = [":not(".repeat(10_000), "a".into(), ")".repeat(10_000)].concat();
    assert!(Selector::parse(&deep).is_err());
}

/// Deep, wide, many attributes and classes: linear, and without recursion.
#[test]
fn hostile_pages() {
    const N: usize = 100_000;
    let selectors = [
        "div div div span",
        "p ~ p ~ b",
        ":has(i)",
        "div:has(div > b)",
        ":not(div) div",
        "p:nth-last-of-type(2n+1)",
        "div.x > div:not(.y) div div i",
        ":nth-child(3 of p) + p ~ :empty",
        "* * * * * *",
    ];
    for page in [
        "<div>".repeat(N),
        "<p>".repeat(N),
        "<div class=x><p></p>".repeat(N / 2),
        "<b><p>".repeat(1000),
    ] {
        let dom = speclex::parse(&page);
        let last = dom.root().descendants().last().expect("some");
        for selector in selectors {
            let selector = Selector::parse(selector).expect("right");
            let found = selector.select(dom.root());
            assert_eq!(selector.matches(last), found.last() == Some(&last));
            selector.closest(last);
        }
    }
    let attributes: String = (0..1_000_000).map(|n| format!(" a{n}")).collect();
    let classes = "c ".repeat(1_000_000);
    let page = format!("<p{attributes} class='{classes}'>");
    let dom = speclex::parse(&page);
    assert_eq!(
        dom.select("p.c[a999999]:not(.d):not([a])")
            .expect("right")
            .len(),
        1
    );
    let wide = ["a, b > c ~ d"; 10_000].join(",");
    assert_eq!(dom.select(&wide).expect("right").len(), 0);
}
