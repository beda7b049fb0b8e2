//! The parser makes the trees that html5ever makes, but for known deviations.

mod common;
// Without the rest of `speclex-tests`, which takes minutes to build.
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/data.rs"]
mod data;
#[allow(dead_code)]
#[path = "common/deviations.rs"]
mod deviations;
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/random.rs"]
mod random;
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/random_documents.rs"]
mod random_documents;
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/splits.rs"]
mod splits;
#[path = "../../analysis/src/html5lib/trees.rs"]
#[allow(dead_code, unreachable_pub)]
mod tree_cases;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use common::{context, html5lib, pieces};
use data::{files, shared};
use deviations::{DEVIATIONS, Input};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::{
    ElementFlags, NodeOrText, QuirksMode, Tracer, TreeBuilderOpts, TreeSink,
};
use html5ever::{Attribute, LocalName, QualName, TokenizerResult, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use random::Random;
use random_documents::{CONTEXTS, document};
use speclex_html5ever::driver::parse_document_as;
use speclex_html5ever::{ParseOpts, Revision, parse_document, parse_fragment};
use tree_cases::read_dat;

/// What html5ever takes for another mode, see [`DEVIATIONS`].
const OTHER_MODE: &str = "4.01 Frameset//' ''";

/// The mode of a document and its tree, or the tree of a fragment.
fn tree(dom: &RcDom, input: &Input) -> String {
    let root = match input.context {
        Some(_) => dom.document.children.borrow()[0].clone(),
        None => dom.document.clone(),
    };
    let mode = (!input.text.contains(OTHER_MODE)).then_some(dom.quirks_mode.get());
    format!("{mode:?}\n{}", html5lib::dump(&root))
}

macro_rules! parsed {
    ($parser:path, $fragments:path, $input:expr, $pieces:expr) => {{
        let input: &Input = $input;
        let options = ParseOpts {
            tree_builder: TreeBuilderOpts {
                scripting_enabled: input.scripting,
                ..TreeBuilderOpts::default()
            },
            ..ParseOpts::default()
        };
        let sink = RcDom::default();
        let mut parser = match &input.context {
            None => $parser(sink, options),
            Some(name) => {
                let (namespace, name) = context(name);
                let name = QualName::new(None, namespace, LocalName::from(name));
                $fragments(sink, options, name, Vec::new(), input.scripting)
            }
        };
        for piece in $pieces {
            parser.process(piece.into());
        }
        tree(&parser.finish(), input)
    }};
}

fn ours(input: &Input, lengths: &[usize]) -> String {
    let pieces = pieces(&input.text, lengths);
    parsed!(parse_document, parse_fragment, input, pieces)
}

fn theirs(input: &Input) -> String {
    let whole = [&*input.text];
    parsed!(
        html5ever::parse_document,
        html5ever::parse_fragment,
        input,
        whole
    )
}

/// Whole, and twice in pieces.
fn ours_in_pieces(input: &Input, random: &mut Random) -> String {
    let whole = ours(input, &[]);
    for most in [3, 40] {
        let lengths = splits::random(input.text.len(), most, random);
        assert_eq!(ours(input, &lengths), whole, "{input:?} in {lengths:?}");
    }
    whole
}

#[test]
fn html5lib_s_trees_are_html5ever_s_or_those_that_are_expected() {
    let Some(folder) = shared("html5lib-tests/tree-construction") else {
        return;
    };
    let mut random = Random::named("html5lib builder");
    let (mut runs, mut deviating) = (0, 0);
    for path in files(&folder, &["dat"]) {
        if path.components().any(|it| it.as_os_str() == "scripted") {
            continue;
        }
        let file = fs::read_to_string(&path).expect("a file in UTF-8");
        for case in read_dat("", &file).expect("tests") {
            for scripting in [false, true] {
                if case.scripting.is_some_and(|only| only != scripting) {
                    continue;
                }
                let input = Input::new(case.data.clone(), case.context.as_deref(), scripting);
                let (ours, theirs) = (ours_in_pieces(&input, &mut random), theirs(&input));
                runs += 1;
                if ours != theirs {
                    let is_expected = ours
                        .split_once('\n')
                        .is_some_and(|it| it.1 == case.document);
                    assert!(is_expected, "{input:?}\nours\n{ours}\ntheirs\n{theirs}");
                    deviating += 1;
                }
            }
        }
    }
    println!("{runs} runs, of which {deviating} are as expected, and not so in html5ever");
    assert!(runs > 3500, "{runs} runs");
}

#[test]
fn pages_give_the_same_trees() {
    let Some(folder) = shared("corpora/html") else {
        return;
    };
    let mut random = Random::named("pages");
    for path in &files(&folder, &["html"]) {
        let page = fs::read_to_string(path).expect("a page in UTF-8");
        let input = Input::new(page, None, random.below(2) == 0);
        let lengths = splits::random(input.text.len(), 3000, &mut random);
        let (ours, theirs) = (ours(&input, &lengths), theirs(&input));
        assert!(ours == theirs, "{path:?}");
    }
}

#[test]
fn random_documents_give_the_same_trees_but_for_known_deviations() {
    let mut random = Random::named("random builder");
    let contexts: Vec<_> = CONTEXTS
        .split(' ')
        .map(|name| name.replace('·', " "))
        .collect();
    for _ in 0..3_000 {
        let text = document(&mut random).concat();
        let context = (random.below(4) == 0).then(|| random.one(&contexts).as_str());
        let input = Input::new(text, context, random.below(2) == 0);
        let ours = ours_in_pieces(&input, &mut random);
        if !DEVIATIONS.iter().any(|it| it.may_show(&input)) {
            assert_eq!(ours, theirs(&input), "{input:?}");
        }
    }
}

/// As browsers drive it: by the fields of the parser.
#[test]
fn scripts_and_encodings_stop_the_parser_where_it_is_fed_by_a_queue() {
    let parser = parse_document(RcDom::default(), ParseOpts::default());
    parser
        .input_buffer
        .push_back("<meta><meta charset=x><meta http-equiv=content-type content='a; charset=y;'><p>a<script>x</script>d</p>".into());
    let feed = || parser.tokenizer.feed(&parser.input_buffer);
    for label in ["x", "y"] {
        assert!(
            matches!(feed(), TokenizerResult::EncodingIndicator(it) if *it == *label),
            "{label}"
        );
    }
    let TokenizerResult::Script(script) = feed() else {
        panic!("no script");
    };
    assert_eq!(html5lib::dump(&script), "| \"x\"");
    parser.input_buffer.push_front("b<i>c</i>".into());
    assert!(matches!(feed(), TokenizerResult::Done));
    // There is no DOCTYPE.
    assert_eq!(parser.tokenizer.sink.sink.errors.borrow().len(), 1);
    parser.tokenizer.end();
    let dom = parser.tokenizer.sink.sink.finish();
    let dump = html5lib::dump(&dom.document);
    let wanted = "|     <p>\n|       \"a\"\n|       <script>\n|         \"x\"\n|       \"b\"\n|       <i>\n|         \"c\"\n|       \"d\"";
    assert!(dump.ends_with(wanted), "{dump}");
}

/// Keeps the names of elements.
struct Names(RefCell<Vec<String>>);

impl Tracer for Names {
    type Handle = Handle;

    fn trace_handle(&self, node: &Handle) {
        self.0.borrow_mut().push(match &node.data {
            NodeData::Element { name, .. } => name.local.to_string(),
            _ => "#document".to_owned(),
        });
    }
}

#[test]
fn handles_of_the_builder_can_be_traced() {
    let page = "<head></head><form><p><b></p></form><div>";
    let mut parser = parse_document(RcDom::default(), ParseOpts::default());
    parser.process(page.into());
    let builder = &parser.tokenizer.sink;
    assert!(!builder.is_fragment());
    let names = Names(RefCell::default());
    builder.trace_handles(&names);
    let names = names.0.take();
    // The head element, the open elements, and the formatting element.
    let wanted = ["#document", "head", "html", "body", "div", "b"];
    assert_eq!(names, wanted);
}

#[test]
fn errors_are_reported_with_more_words_where_that_is_wanted() {
    let errors = |exact_errors| {
        let mut options = ParseOpts::default();
        options.tokenizer.exact_errors = exact_errors;
        options.tree_builder.exact_errors = exact_errors;
        let page = "<!doctype html><p a a>\u{1}</b>";
        let dom = parse_document(RcDom::default(), options).one(page);
        dom.errors.take()
    };
    assert_eq!(errors(false), ["duplicate-attribute", "unexpected token"]);
    assert_eq!(
        errors(true),
        [
            "duplicate-attribute",
            "control-character-in-input-stream",
            "unexpected end tag in the insertion mode \"in body\"",
        ]
    );
}

/// The sink knows the attributes of a context element, the parser does not.
#[test]
fn a_context_element_may_be_an_integration_point() {
    let parsed = |value: &str| {
        let name = QualName::new(None, ns!(mathml), LocalName::from("annotation-xml"));
        let attribute = Attribute {
            name: QualName::new(None, ns!(), LocalName::from("encoding")),
            value: value.into(),
        };
        let options = ParseOpts::default();
        let parser = parse_fragment(RcDom::default(), options, name, vec![attribute], false);
        let dom = parser.one("<a><svg>");
        let root = dom.document.children.borrow()[0].clone();
        html5lib::dump(&root)
    };
    assert_eq!(parsed("text/html"), "| <a>\n|   <svg svg>");
    assert_eq!(parsed("x"), "| <math a>\n|   <math svg>");
}

#[test]
fn text_is_a_part_of_the_chunk() {
    let text: StrTendril = "<p>a text that is long enough".into();
    let place = text.as_ptr();
    let mut parser = parse_document(RcDom::default(), ParseOpts::default());
    parser.process(text);
    let dom = parser.finish();
    let nodes = common::nodes(&dom.document);
    let text = nodes.iter().find_map(|(node, _)| match &node.data {
        NodeData::Text { contents } => Some(contents.borrow().as_ptr()),
        _ => None,
    });
    assert_eq!(text, Some(place.wrapping_add(3)));
}

/// Counts elements and texts, and panics at an element with a name.
#[derive(Default)]
struct Panics {
    elements: Cell<usize>,
    texts: Cell<usize>,
    name: RefCell<Vec<QualName>>,
}

impl TreeSink for Panics {
    type Handle = usize;
    type Output = [usize; 2];
    type ElemName<'a> = std::cell::Ref<'a, QualName>;

    fn finish(self) -> [usize; 2] {
        [self.elements.get(), self.texts.get()]
    }

    fn create_element(&self, name: QualName, _: Vec<Attribute>, _: ElementFlags) -> usize {
        assert_ne!(&*name.local, "crash", "a sink may panic");
        self.elements.set(self.elements.get() + 1);
        self.name.borrow_mut().push(name);
        self.elements.get()
    }

    fn append(&self, _: &usize, child: NodeOrText<usize>) {
        if let NodeOrText::AppendText(_) = child {
            self.texts.set(self.texts.get() + 1);
        }
    }

    fn elem_name<'a>(&'a self, target: &'a usize) -> Self::ElemName<'a> {
        std::cell::Ref::map(self.name.borrow(), |names| &names[*target - 1])
    }

    fn append_based_on_parent_node(&self, _: &usize, above: &usize, child: NodeOrText<usize>) {
        self.append(above, child);
    }

    fn get_document(&self) -> usize {
        0
    }

    fn same_node(&self, one: &usize, other: &usize) -> bool {
        one == other
    }

    fn create_comment(&self, _: StrTendril) -> usize {
        0
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> usize {
        0
    }

    fn get_template_contents(&self, target: &usize) -> usize {
        *target
    }

    fn parse_error(&self, _: Cow<'static, str>) {}
    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}
    fn set_quirks_mode(&self, _: QuirksMode) {}
    fn append_before_sibling(&self, _: &usize, _: NodeOrText<usize>) {}
    fn add_attrs_if_missing(&self, _: &usize, _: Vec<Attribute>) {}
    fn remove_from_parent(&self, _: &usize) {}
    fn reparent_children(&self, _: &usize, _: &usize) {}
}

#[test]
fn after_a_panic_of_the_sink_the_rest_is_dropped_and_the_sink_finishes() {
    for revision in [Revision::default(), Revision::Html2012] {
        let parser = || parse_document_as(revision, Panics::default(), ParseOpts::default());
        let mut whole = parser();
        whole.process("<p>a".into());
        whole.process("<b>c".into());
        assert_eq!(whole.finish(), [5, 2]);
        let mut parser = parser();
        let panic = catch_unwind(AssertUnwindSafe(|| parser.process("<p>a<crash>b".into())));
        assert!(panic.is_err());
        parser.process("<b>c".into());
        assert_eq!(parser.finish(), [4, 1]);
    }
}

/// How many ancestors the deepest node has.
fn deepest(dom: &RcDom) -> usize {
    let (mut most, mut depths) = (0, vec![(dom.document.clone(), 0)]);
    while let Some((node, depth)) = depths.pop() {
        most = most.max(depth);
        let children = node.children.borrow();
        depths.extend(children.iter().map(|it| (it.clone(), depth + 1)));
    }
    most
}

#[test]
fn no_node_is_deeper_than_the_limit_and_one() {
    for (part, times) in [
        ("<div>", 3_000),
        ("<form><div></form>", 3_000),
        ("<a><table><a><tr><td>", 2_000),
    ] {
        let parser = parse_document(RcDom::default(), ParseOpts::default());
        parser.tokenizer.sink.limit_depth(50);
        let dom = parser.one(part.repeat(times));
        assert!(deepest(&dom) <= 51, "{part}: {}", deepest(&dom));
    }
}
