//! Trees as HTML: what is in a fragment as `innerHTML` has it, and processing instructions that are parsed again.

use libtest_mimic::Failed;
use speclex::DomSink;
use speclex::tree::Options;
use speclex_analysis::tree::Context;
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tokenizers::html_tree_living::{parse, parse_fragment};

use crate::built::element;

pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("serialized: contexts of fragments", contexts);
    suite.add_trial("serialized: noscript", noscript);
    suite.add_trial("serialized: processing instructions", instructions);
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
