//! The trees, tokens and lines are those of html5ever's own tokenizer.

mod common;
// Without the rest of `speclex-tests`, which takes minutes to build.
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/data.rs"]
mod data;
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/random.rs"]
mod random;
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/splits.rs"]
mod splits;
#[path = "../../analysis/src/html5lib/trees.rs"]
#[allow(dead_code, unreachable_pub)]
mod tree_cases;

use std::fs;

use common::{Setting, compare, context, namespace};
use data::{files, shared};
use html5ever::ns;
use random::Random;
use tree_cases::read_dat;

/// How many random documents there are, unless the environment variable `DOCUMENTS` has another number.
const DOCUMENTS: usize = 2000;

/// Whole, at random places twice, and byte by byte unless it is long.
fn all_splits(text: &str, random: &mut Random) -> Vec<Vec<usize>> {
    let mut all = vec![
        splits::random(text.len(), 12, random),
        splits::random(text.len(), 3000, random),
    ];
    if text.len() < 20_000 {
        all.push(splits::bytes(text.len()));
    }
    all
}

#[test]
fn html5lib_tests_give_the_same_trees() {
    let Some(folder) = shared("html5lib-tests/tree-construction") else {
        return;
    };
    let mut random = Random::named("html5lib trees");
    let mut runs = 0;
    for path in files(&folder, &["dat"]) {
        let file = fs::read_to_string(&path).expect("a file in UTF-8");
        for case in read_dat("", &file).expect("tests") {
            for scripting in [false, true] {
                let setting = Setting {
                    scripting,
                    context: case.context.as_deref().map(context),
                    ..Setting::default()
                };
                compare(&case.data, &setting, &all_splits(&case.data, &mut random));
                runs += 1;
            }
        }
    }
    println!("{runs} runs");
    assert!(runs > 3500, "{runs} runs");
}

#[test]
fn pages_give_the_same_trees() {
    let Some(folder) = shared("corpora/html") else {
        return;
    };
    let mut random = Random::named("pages");
    let pages = files(&folder, &["html"]);
    for path in &pages {
        let page = fs::read_to_string(path).expect("a page in UTF-8");
        let setting = Setting {
            scripting: random.below(2) == 0,
            ..Setting::default()
        };
        compare(&page, &setting, &all_splits(&page, &mut random));
    }
    println!("{} pages", pages.len());
    assert!(pages.len() > 400, "{} pages", pages.len());
}

/// What random documents are made of.
const PIECES: &[&str] = &[
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "\0",
    "\u{FEFF}",
    "é",
    "𝒳",
    "\u{1}",
    "\u{FFFE}",
    "a",
    "X",
    "1",
    "text ",
    "<",
    "</",
    "<!",
    "<?",
    "<?x y?>",
    ">",
    "/>",
    "</>",
    "<>",
    "&",
    "&#",
    "&#x",
    ";",
    "=",
    "\"",
    "'",
    "-",
    "`",
    "&amp;",
    "&amp",
    "&lt;b&gt;",
    "&#10",
    "&#10;",
    "&#13;",
    "&#x0;",
    "&#128;",
    "&#xD800;",
    "&#x110000;",
    "&#1;",
    "&notit;",
    "&notin;",
    "&bogus;",
    "&NewLine;",
    "&ampx=",
    "&CounterClockwiseContourIntegral;",
    "&NotEqualTilde;",
    "<!--",
    "-->",
    "--!>",
    "--",
    "<!-->",
    "<!--->",
    "<!-- a -->",
    "<!--<!--",
    "<!---!",
    "<![CDATA[",
    "]]>",
    "]",
    "]]",
    "<!doctype html>",
    "<!DOCTYPE",
    "<!doctype>",
    "<!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"x\">",
    "<!doctype x system 'y'",
    "<!doctype html public",
    " PUBLIC",
    " SYSTEM",
    "<pre>",
    "<pre>",
    "<pre>\n",
    "<pre\n>",
    "</pre>",
    "<textarea>",
    "<textarea>\n",
    "</textarea>",
    "<listing>",
    "</listing>",
    "<title>",
    "</title>",
    "</title ",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "<script",
    "</script\n>",
    "</scr",
    "<script src=x>",
    "<noscript>",
    "</noscript>",
    "<iframe>",
    "</iframe>",
    "<xmp>",
    "</xmp>",
    "<noframes>",
    "</noframes>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "</td>",
    "<caption>",
    "<colgroup>",
    "<col>",
    "<tbody>",
    "<select>",
    "</select>",
    "<option>",
    "<optgroup>",
    "<input type=hidden>",
    "<form>",
    "</form>",
    "<button>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<b>",
    "</b>",
    "<i class=x>",
    "</i>",
    "<a href='1'>",
    "</a>",
    "<nobr>",
    "<font size=1>",
    "<svg>",
    "</svg>",
    "<desc>",
    "</desc>",
    "<foreignObject>",
    "</foreignObject>",
    "<math>",
    "</math>",
    "<mi>",
    "</mi>",
    "<annotation-xml encoding='text/html'>",
    "<svg><title>",
    "<svg><script>",
    "<path/>",
    "<template>",
    "</template>",
    "<html lang=x>",
    "<head>",
    "</head>",
    "<body>",
    "<body id=y>",
    "</body>",
    "</html>",
    "<frameset>",
    "</frameset>",
    "<frame>",
    "<meta charset=utf-8>",
    "<meta http-equiv=content-type content='text/html; charset=x'>",
    "<link>",
    "<base>",
    "<br>",
    "</br>",
    "<hr>",
    "<img alt=x>",
    "<image>",
    "<isindex>",
    "<ruby>",
    "<rt>",
    "<rp>",
    "<li>",
    "</li>",
    "<dd>",
    "<h1>",
    "</h1>",
    "<marquee>",
    "<applet>",
    "</applet>",
    "<object>",
    "<main>",
    "<search>",
    "<menuitem>",
    "<keygen>",
    "<p a=b a=c>",
    "<p a b=c d='e' f=\"g\">",
    "<p A=\n'x'>",
    "<p a=&amp;b&amp=c&notx>",
    "<p a=a\0b c='\r\n'>",
    "</p x>",
    "</p/>",
    "<long-name-of-an-element attribute-with-a-name=\"a value of some length, and more of it\">",
    "<p =a>",
    "<p a'b>",
];

fn document(random: &mut Random) -> String {
    let most = *random.one(&[3, 8, 20, 60]);
    (0..1 + random.below(most))
        .map(|_| *random.one(PIECES))
        .collect()
}

/// Contexts of fragments.
const CONTEXTS: &[(&str, &str)] = &[
    ("", "div"),
    ("", "title"),
    ("", "style"),
    ("", "script"),
    ("", "plaintext"),
    ("", "noscript"),
    ("", "table"),
    ("", "tr"),
    ("", "select"),
    ("", "template"),
    ("", "html"),
    ("", "frameset"),
    ("svg", "desc"),
    ("svg", "svg"),
    ("math", "mi"),
    ("math", "math"),
];

/// Documents that random ones show seldom.
#[test]
fn places_where_order_matters_give_the_same_trees() {
    let mut random = Random::named("order");
    for text in [
        // Text opens `b` again, so that the current node is no longer one of `svg`, where CDATA sections are allowed.
        "<svg><desc><p><b></p>x<![CDATA[y]]>z",
        // An error between the tag and the newline: html5ever keeps the newline then.
        "<pre></>\nx",
        "<pre>&#10x",
        "<pre>&#10;x",
        // An error in the text behind the newline.
        "<pre>\n&bogus;x",
        "<textarea>\n</><",
        "<pre>\r\n\u{1}x",
        "<svg><![CDATA[\0\n]]>\0",
    ] {
        for exact_errors in [false, true] {
            let setting = Setting {
                exact_errors,
                ..Setting::default()
            };
            compare(text, &setting, &all_splits(text, &mut random));
        }
    }
}

#[test]
fn random_documents_give_the_same_trees() {
    let wanted = std::env::var("DOCUMENTS").map_or(DOCUMENTS, |number| {
        number.parse().expect("a number of documents")
    });
    let mut random = Random::named("random documents");
    for _ in 0..wanted {
        let mut text = document(&mut random);
        if random.below(200) == 0 {
            text.push_str("<plaintext>");
            text += &document(&mut random);
        }
        let context = (random.below(4) == 0).then(|| {
            let (space, name) = random.one(CONTEXTS);
            (namespace(space).unwrap_or(ns!(html)), (*name).to_owned())
        });
        let writes = (0..random.below(3))
            .map(|_| document(&mut random))
            .collect();
        let setting = Setting {
            scripting: random.below(2) == 0,
            exact_errors: random.below(4) == 0,
            context,
            writes,
        };
        compare(&text, &setting, &all_splits(&text, &mut random));
    }
    println!("{wanted} documents");
}
