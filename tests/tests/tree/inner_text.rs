//! `text_with` beside `innerText` of a browser: each content of a `div` was given to Chromium 156 in a document with a DOCTYPE.

use libtest_mimic::Failed;
use speclex::{TextOptions, parse_fragment};

use speclex_tests::cases::Cases;

/// Contents, and their `innerText`.
#[rustfmt::skip]
const EQUAL: &[(&str, &str)] = &[
    ("<h1>News</h1> <p>Good\n <b>morning</b>,<br>all<p>Bye<table><tr><td>1<td>2<tr><td>3</table>x", "News\n\nGood morning,\nall\n\nBye\n\n1\t2\n3\nx"),
    ("a<div>b</div>c", "a\nb\nc"),
    ("a<div></div>c", "a\nc"),
    ("<p></p>a<p></p>", "a"),
    ("<p>a</p><p>b</p>", "a\n\nb"),
    ("<div>a</div><p>b</p><div>c</div>", "a\n\nb\n\nc"),
    ("a <span> b </span> c", "a b c"),
    ("a<br>b", "a\nb"),
    ("a<br><br>b", "a\n\nb"),
    ("<div>a<br></div>b", "a\n\nb"),
    ("<div><br></div>b", "\n\nb"),
    ("<p>a<br></p>b", "a\n\n\nb"),
    ("<ul><li>a<li>b</ul>c", "a\nb\nc"),
    ("<ol><li><p>a</p><li>b</ol>", "a\n\nb"),
    ("<dl><dt>a<dd>b</dl>", "a\nb"),
    ("<pre>  a\n b  </pre>c", "  a\n b  \nc"),
    ("<pre>\n\na</pre>", "\na"),
    ("<pre>a\n</pre>b", "a\n\nb"),
    ("a<pre></pre>b", "a\nb"),
    ("<table><tr><td>1<td>2</table>", "1\t2"),
    ("<table><tr><th>1<td>2<tr><td>3<td>4</table>", "1\t2\n3\t4"),
    ("<table><caption>C</caption><thead><tr><td>1<tbody><tr><td>2</table>x", "C\n1\n2\nx"),
    ("<table><tr><td><p>a</p><td>b</table>", "a\n\n\tb"),
    ("<table><tr><td></td><td>x</td></tr></table>", "\tx"),
    ("<script>x</script>a<style>y</style>b", "ab"),
    ("a<script>x</script> b", "a b"),
    ("a &nbsp; b", "a \u{a0} b"),
    ("a\u{3000}b", "a\u{3000}b"),
    ("a\u{200b}b", "a\u{200b}b"),
    ("<hr>a<hr>b", "a\nb"),
    ("a<hr>b", "a\nb"),
    ("a<img alt=x>b", "ab"),
    ("<select><option>a<option>b</select>c", "a\nb\nc"),
    ("<button>a</button>b", "ab"),
    ("<input value=x>a", "a"),
    ("<template>x</template>a", "a"),
    ("<ruby>a<rt>b</rt></ruby>c", "abc"),
    ("a<wbr>b", "ab"),
    ("<blockquote>a</blockquote>b", "a\nb"),
    ("<article><h2>a</h2><section>b</section></article>", "a\nb"),
    ("<div>a</div> <div>b</div>", "a\nb"),
    ("<div> a </div>b", "a\nb"),
    ("a\t\n b", "a b"),
    (" a ", "a"),
    ("<b>a </b> b", "a b"),
    ("<b>a</b><i> b</i>", "a b"),
    ("<div><span> </span></div>a", "a"),
    ("<p>a</p> b <p>c</p>", "a\n\nb\n\nc"),
    ("<center>a</center>b", "a\nb"),
    ("<form>a</form>b", "a\nb"),
    ("<fieldset><legend>l</legend>a</fieldset>b", "l\na\nb"),
    ("<figure>a<figcaption>b</figcaption></figure>c", "a\nb\nc"),
    ("<dialog open>x</dialog>a", "x\na"),
    ("<nav>a</nav><main>b</main>", "a\nb"),
    ("<address>a</address>b", "a\nb"),
    ("a<p>b<div>c</div>d", "a\n\nb\n\nc\nd"),
    ("<li>a</li><li>b</li>", "a\nb"),
    ("<table><tr><td>a<br>b<td>c</table>", "a\nb\tc"),
    ("<div>a<p>b</p></div>c", "a\n\nb\n\nc"),
    ("<p>a</p><div>b</div>", "a\n\nb"),
    ("<div><p>a</p></div><div>b</div>", "a\n\nb"),
    ("<table><tbody><tr><td>a</table><p>b", "a\n\nb"),
    ("<h1>a</h1><h2>b</h2>", "a\nb"),
    ("<pre>a</pre><pre>b</pre>", "a\nb"),
    ("<pre>a <b> c </b>\td</pre>", "a  c \td"),
    ("<xmp> a </xmp>b", " a \nb"),
    ("<listing> a </listing>b", " a \nb"),
    ("<optgroup label=x><option>a</optgroup>", "a"),
    ("<marquee>a</marquee>b", "ab"),
    ("<slot>a</slot>b", "ab"),
    ("<map><area>a</map>b", "ab"),
    ("<label>a</label>b", "ab"),
    ("<menu><li>a</menu>b", "a\nb"),
    ("<dir><li>a</dir>b", "a\nb"),
    ("<search>a</search>b", "a\nb"),
    ("<hgroup>a</hgroup>b", "a\nb"),
    ("a<br> b", "a\nb"),
    ("a <br>b", "a\nb"),
    ("<p> <b> </b> a", "a"),
];

/// Contents, their `innerText`, what `text_with` gives, and why.
#[rustfmt::skip]
const OTHERWISE: &[(&str, &str, &str, &str)] = &[
    ("<table><tr></tr><tr><td>x</table>", "\nx", "x", "an empty row makes no line"),
    ("a <img alt=x> b", "a  b", "a b", "an image is not there"),
    ("<textarea> a\nb </textarea>c", "c", " a\nb c", "content that is shown otherwise is text"),
    ("<details><summary>s</summary>t</details>", "s", "s\nt", "what a click shows is text"),
    ("<noscript>x</noscript>a", "a", "xa", "without scripting it is there"),
    ("<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp></ruby>c", "abc", "a(b)c", "`rp` is hidden by the style sheet"),
    ("<video>x</video>a", "a", "xa", "content that is shown otherwise is text"),
    ("<iframe>x</iframe>a", "a", "xa", "content that is shown otherwise is text"),
    ("<object>x</object>a", "a", "xa", "content that is shown otherwise is text"),
    ("<svg><text>t</text></svg>a", "t\na", "ta", "a block by layout"),
    ("<math><mi>x</mi></math>a", "\u{1d465}\na", "xa", "a block by layout, and italic letters"),
    ("<dialog>x</dialog>a", "a", "x\na", "hidden until it is opened"),
    ("<p hidden>x</p>a", "a", "x\n\na", "hidden by an attribute"),
    ("<audio>x</audio>a", "a", "xa", "content that is shown otherwise is text"),
    ("<canvas>x</canvas>a", "a", "xa", "content that is shown otherwise is text"),
    ("<title>x</title>a", "a", "x\na", "hidden by the style sheet"),
    ("<datalist><option>x</datalist>a", "a", "x\na", "hidden by the style sheet"),
    ("<progress>x</progress>a", "a", "xa", "content that is shown otherwise is text"),
    ("<meter>x</meter>a", "a", "xa", "content that is shown otherwise is text"),
];

fn text(content: &str) -> Result<String, Failed> {
    let dom = parse_fragment(content, "div")?;
    Ok(dom.root().text_with(&TextOptions::default()))
}

fn as_in_a_browser() -> Result<(), Failed> {
    for (content, expected) in EQUAL {
        assert_eq!(text(content)?, *expected, "{content}");
    }
    for (content, of_browser, expected, why) in OTHERWISE {
        assert_ne!(of_browser, expected, "{content}: {why}");
        assert_eq!(text(content)?, *expected, "{content}: {why}");
    }
    Ok(())
}

/// A node that is asked itself: nothing separates it from what comes after it, and it is not left out.
fn of_the_node_itself() -> Result<(), Failed> {
    let dom = parse_fragment("<td>1<td>2<script>x()</script>", "tr")?;
    let text = |name: &str| {
        let found = dom.elements(name).next().expect("one");
        found.text_with(&TextOptions::default())
    };
    assert_eq!([text("td"), text("script")], ["1", "x()"]);
    Ok(())
}

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("text: as in a browser", as_in_a_browser);
    suite.add_trial("text: of the node itself", of_the_node_itself);
}
