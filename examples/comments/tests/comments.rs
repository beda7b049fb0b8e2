//! Comments, and what is left of them.

use comments_example::clean;

#[track_caller]
fn check(comment: &str, cleaned: &str) {
    assert_eq!(
        clean(comment),
        format!("<div>{cleaned}</div>"),
        "{comment:?}"
    );
}

#[test]
fn what_is_allowed_stays() {
    check(
        "I <em>like</em> it &amp; more",
        "I <em>like</em> it &amp; more",
    );
    check("<p>one<p>two", "<p>one</p><p>two</p>");
    check("<ul><li>a<li>b</ul>c", "<ul><li>a</li><li>b</li></ul>c");
}

#[test]
fn other_tags_and_all_attributes_go() {
    check("<b onclick=evil()>x</b>", "<b>x</b>");
    check("<a href='javascript:evil()'>x</a>", "x");
    check("<img src=x onerror=evil()><!-- x -->", "");
    check("<<script></script>script>", "&lt;script&gt;");
    check("<script>evil()</script>", "evil()");
}

#[test]
fn what_is_open_is_closed() {
    check("<b><i>x</b>y", "<b><i>x</i></b>y");
    check("</p></b>x<li>y", "xy");
    check("<p><b>x<ul><li>y", "<p><b>x</b></p><ul><li>y</li></ul>");
}
