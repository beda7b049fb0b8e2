//! Outlines, and the HTML that is made of them.

use outline_example::{outline, to_html};

#[test]
fn blocks_become_html() {
    let (html, errors) =
        to_html("# Fruit\nApples\nare round.\n\n- red\n- green\n## Citrus\nLemons");
    assert_eq!(
        html,
        "<article><h1>Fruit</h1><p>Apples\nare round.\n</p><ul><li>red</li><li>green</li></ul><h2>Citrus</h2><p>Lemons</p></article>"
    );
    assert!(errors.is_empty());
}

#[test]
fn text_is_escaped() {
    assert_eq!(
        to_html("<script>&").0,
        "<article><p>&lt;script&gt;&amp;</p></article>"
    );
}

#[test]
fn errors_have_lines() {
    let (html, errors) = to_html("# one\n\n#### four\ntext\n");
    assert_eq!(html, "<article><h1>one</h1><p>four\ntext\n</p></article>");
    assert_eq!(errors, [3]);
}

#[test]
fn nodes_have_places() {
    let text = "one\n# two\n";
    let dom = outline::parse(text);
    let heading = dom.elements("h1").next().expect("a heading");
    let span = heading.span().expect("a place");
    assert_eq!(&text[span.start as usize..span.end as usize], "# ");
}
