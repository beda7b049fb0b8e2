//! Trees as HTML: what is in a fragment as `innerHTML` has it, and processing instructions that are parsed again.

use libtest_mimic::Failed;
use speclex::tree::Options;
use speclex::{DomSink, Keep, Node, NodeKind, SerializeOptions, TextOptions};
use speclex_analysis::tree::Context;
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;
use speclex_tokenizers::html_tree_living::{parse, parse_fragment};

use crate::built::element;

pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("serialized: contexts of fragments", contexts);
    suite.add_trial("serialized: noscript", noscript);
    suite.add_trial("serialized: processing instructions", instructions);
    suite.add_trial("serialized: with options", with_options);
    suite.add_trial("serialized: hostile pages, and their text", hostile);
}

/// `FRAGMENT | CONTEXT | WHAT INNERHTML HAS`. Some elements of HTML have their text as it is, those of other namespaces do not.
const FRAGMENTS: &[(&str, &str, &str)] = &[
    ("a>b", "style", "a>b"),
    ("a<b>&amp;", "script", "a<b>&amp;"),
    ("a>b", "xmp", "a>b"),
    ("a>b", "iframe", "a>b"),
    ("a>b", "noembed", "a>b"),
    ("a>b", "noframes", "a>b"),
    ("a>b", "plaintext", "a>b"),
    ("a>b", "textarea", "a&gt;b"),
    ("a>b", "title", "a&gt;b"),
    ("a>b", "noscript", "a&gt;b"),
    ("a>b", "div", "a&gt;b"),
    ("a>b", "svg style", "a&gt;b"),
    ("a>b", "svg script", "a&gt;b"),
    ("a>b", "math xmp", "a&gt;b"),
    ("a><b>b", "template", "a&gt;<b>b</b>"),
    ("<template>a>b", "template", "<template>a&gt;b</template>"),
    ("<style>a>b", "div", "<style>a>b</style>"),
    ("<svg><style>a>b", "div", "<svg><style>a&gt;b</style></svg>"),
    // It has nothing inside.
    ("x", "br", ""),
    ("x", "svg br", "x"),
];

fn contexts() -> Result<(), Failed> {
    for &(fragment, context, wanted) in FRAGMENTS {
        let dom = parse_fragment(fragment, context);
        let found = [dom.serialize(), dom.root().inner_html()];
        if found != [wanted; 2] {
            return Err(format!("{fragment:?} in {context}: {found:?}, not {wanted:?}").into());
        }
    }
    // With the element around it, the root is what its name says; a text is in the context element.
    let dom = parse_fragment("a>b", "style");
    let text = dom.root().first_child().map(speclex::Node::outer_html);
    let found = [dom.root().outer_html(), text.unwrap_or_default()];
    match found == ["<html>a&gt;b</html>", "a>b"] {
        true => Ok(()),
        false => Err(format!("{found:?}").into()),
    }
}

/// Text in `noscript` is written as it is where scripts run.
fn noscript() -> Result<(), Failed> {
    use speclex_tokenizers::html_tree_living::{Builder, NAMES, Parser};
    for (is_scripted, wanted) in [(false, "a&gt;b"), (true, "a>b")] {
        let mut sink = DomSink::<false>::new("a>b", &NAMES);
        sink.set_scripting(is_scripted);
        let mut options = Options::default();
        if is_scripted {
            options.scripting = speclex::tree::Scripting::Inert;
        }
        let context = Context::parse("noscript");
        let mut builder = Builder::for_fragment(sink, &options, element(&context));
        let content = builder.first_content();
        let mut parser = Parser::new(builder);
        if let Some(content) = content {
            parser.enter(content)?;
        }
        parser.feed("a>b")?;
        parser.end()?;
        let found = parser.into_sink().into_sink().finish().serialize();
        if found != wanted {
            return Err(format!("scripting {is_scripted}: {found:?}").into());
        }
    }
    Ok(())
}

/// What follows `<?`.
const PARTS: &[&str] = &[
    "p", "xml", "a=\"b\"", "?", "?", "??", " ", "\n", "<", "=", "'", "é", "\0", "&amp;",
];

/// Documents of texts and processing instructions: serialized and parsed again they are the same.
fn instructions() -> Result<(), Failed> {
    let mut random = Random::named("processing instructions");
    let (mut all, mut with_mark) = (0, 0);
    for _ in 0..20_000 {
        let mut document = "<!DOCTYPE html><p>".to_owned();
        for _ in 0..1 + random.below(4) {
            document += "<?p";
            (0..random.below(6)).for_each(|_| document += *random.one(PARTS));
            document += [">", "?>", ">x", " ?>y"][random.below(4)];
        }
        let one = parse(&document);
        let again = one.serialize();
        let other = parse(&again);
        if one.dump() != other.dump() {
            let [one, other] = [one, other].map(|dom| dom.dump());
            return Err(format!("{document:?}, as {again:?}:\n{one}\n{other}").into());
        }
        all += again.matches("<?").count();
        with_mark += again.matches("??>").count();
    }
    match all > 20_000 && with_mark > 1_000 {
        true => Ok(()),
        false => Err(format!("only {all} instructions, {with_mark} with a mark at the end").into()),
    }
}

/// Filters, newlines, XML's syntax and bounds.
fn with_options() -> Result<(), Failed> {
    let with = |page: &str, change: &dyn Fn(&mut SerializeOptions<'_>)| {
        let mut options = SerializeOptions::default();
        change(&mut options);
        parse_fragment(page, "body").serialize_with(&options)
    };
    let filtered = |page: &str, filter: &dyn Fn(Node<'_>) -> Keep| {
        let mut options = SerializeOptions::default();
        options.filter = Some(filter);
        parse_fragment(page, "body").serialize_with(&options)
    };
    // What was raw is escaped once its element is gone.
    let contents = |node: Node<'_>| match node.is("style") || node.is("br") || node.is("template") {
        true => Keep::Contents,
        false => Keep::All,
    };
    let page = "<style><img src=x onerror=y></style><br>a<template><b>c</b></template><script>1<2</script>";
    let wanted = "&lt;img src=x onerror=y&gt;a<b>c</b><script>1<2</script>";
    assert_eq!(filtered(page, &contents).as_deref(), Ok(wanted));
    let nothing = |node: Node<'_>| match node.kind() {
        NodeKind::Comment(_) | NodeKind::TemplateContents => Keep::Nothing,
        _ => Keep::All,
    };
    let page = "<!--a--><template>b</template>c";
    assert_eq!(
        filtered(page, &nothing).as_deref(),
        Ok("<template></template>c")
    );
    let xml = |options: &mut SerializeOptions<'_>| options.xml_syntax = true;
    let page = "<p><br><svg><path/><g>x</g></svg></p><p></p>";
    let wanted = "<p><br/><svg><path/><g>x</g></svg></p><p></p>";
    assert_eq!(with(page, &xml).as_deref(), Ok(wanted));
    // Both mean the same to the parser, with all newlines.
    let mut random = Random::named("serialized with options");
    let mut newlines = 0;
    for _ in 0..5_000 {
        let mut page = document(&mut random).concat();
        if random.below(2) == 0 {
            let element = *random.one(&["pre", "textarea", "listing"]);
            page = format!("<{element}>\n\n{page}</{element}>{page}");
            newlines += 1;
        }
        let dom = parse(&page);
        let mut options = SerializeOptions::default();
        let plain = parse(&dom.serialize()).dump();
        options.xml_syntax = true;
        assert_eq!(
            parse(&dom.serialize_with(&options)?).dump(),
            plain,
            "{page:?}"
        );
        options.xml_syntax = false;
        options.keeps_first_newline = true;
        let kept = dom.serialize_with(&options)?;
        let without = dom.serialize();
        assert_eq!(kept.replace('\n', ""), without.replace('\n', ""));
        for most in [without.len(), without.len().saturating_sub(1)] {
            options.keeps_first_newline = false;
            options.most_bytes = Some(most);
            assert_eq!(dom.serialize_with(&options).is_ok(), most == without.len());
        }
    }
    assert!(newlines > 2_000);
    let first = |options: &mut SerializeOptions<'_>| options.keeps_first_newline = true;
    for page in [
        "<pre>\n\na</pre>",
        "<textarea>\n\n</textarea>",
        "<listing>\n\n<b>c</b></listing>",
        "<pre>a\n</pre>",
    ] {
        assert_eq!(with(page, &first).as_deref(), Ok(page));
    }
    Ok(())
}

/// Deep, wide, and what the standard makes quadratic: no stack, no more time than for what is written.
fn hostile() -> Result<(), Failed> {
    const N: usize = 200_000;
    let attributes: String = (0..1_000_000).map(|n| format!(" a{n}")).collect();
    for page in [
        "<div>".repeat(N),
        "<br>x".repeat(N),
        "<template>".repeat(N),
        "<table><td>x".repeat(N / 4),
        format!("<p{attributes}>x"),
    ] {
        let dom = speclex::parse(&page);
        let mut options = SerializeOptions::default();
        (options.xml_syntax, options.keeps_first_newline) = (true, true);
        let filter = |node: Node<'_>| {
            if node.is("div") {
                Keep::Contents
            } else {
                Keep::All
            }
        };
        options.filter = Some(&filter);
        assert!(dom.serialize_with(&options)?.len() < 5 * page.len() + 100);
        let text = dom.root().text_with(&TextOptions::default());
        assert_eq!(text.matches('x').count(), page.matches('x').count());
        assert!(text.len() <= 3 * N);
    }
    // 80 KB, of which the standard makes 250 MB.
    let page = [
        "<p><a href=",
        &"x".repeat(10_000),
        ">",
        &"<p>a".repeat(20_000),
    ]
    .concat();
    let dom = speclex::parse(&page);
    let mut options = SerializeOptions::default();
    options.most_bytes = Some(1_000_000);
    assert!(dom.serialize_with(&options).is_err());
    Ok(())
}
