//! The package has what crates on top of html5ever use, and serializes trees as html5ever does.

// Without the rest of `speclex-tests`, which takes minutes to build.
#[allow(dead_code, unreachable_pub)]
#[path = "../../tests/src/data.rs"]
mod data;
#[path = "../../analysis/src/html5lib/trees.rs"]
#[allow(dead_code, unreachable_pub)]
mod tree_cases;

use std::cell::RefCell;
use std::fs;

use data::{files, shared};
use html5ever::serialize::{HtmlSerializer, SerializeOpts, Serializer, TraversalScope};
use html5ever::tendril::TendrilSink;
use html5ever::tokenizer::{
    BufferQueue, CharacterTokens, Doctype, EOFToken, EndTag, StartTag, Tag, TagToken, Token,
    TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts, states,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{
    Attribute, LocalName, ParseOpts, QualName, TokenizerResult, expanded_name, local_name,
    namespace_url, ns, parse_document, parse_fragment,
};
use markup5ever_rcdom::{Handle, RcDom, SerializableHandle};
use tree_cases::read_dat;

fn parse(page: &str) -> RcDom {
    parse_document(RcDom::default(), ParseOpts::default()).one(page)
}

/// Written by a crate, with scripting and without.
macro_rules! written {
    ($crate_name:ident, $node:expr, $scope:expr) => {
        [true, false].map(|scripting_enabled| {
            let options = $crate_name::serialize::SerializeOpts {
                scripting_enabled,
                traversal_scope: $scope,
                create_missing_parent: false,
            };
            let mut html = Vec::new();
            let node = SerializableHandle::from($node.clone());
            $crate_name::serialize(&mut html, &node, options).expect("no failure");
            String::from_utf8(html).expect("UTF-8")
        })
    };
}

/// Compares what is written of a document and of its nodes.
fn same(document: &Handle, what: &str) {
    let style = QualName::new(None, ns!(html), local_name!("style"));
    let of_style = TraversalScope::ChildrenOnly(Some(style));
    let children = document.children.borrow();
    let nodes = children.iter().map(|it| (it, TraversalScope::IncludeNode));
    let scopes = [TraversalScope::ChildrenOnly(None), of_style];
    for (node, scope) in nodes.chain(scopes.map(|scope| (document, scope))) {
        let ours = written!(html5ever, node, scope.clone());
        assert_eq!(ours, written!(published, node, scope.clone()), "{what:?}");
    }
}

#[test]
fn trees_are_written_as_by_html5ever() {
    same(
        &parse("<p title='&amp;\"<>\u{A0}é'>&amp;\"&lt;>\u{A0}é<br><svg xlink:href=a xml:lang=b xmlns:xlink=c xmlns=d><br/></svg><noscript><b>&lt;</noscript><!--x--><?y z><xmp>&amp;").document,
        "by hand",
    );
    let Some(folder) = shared("html5lib-tests/tree-construction") else {
        return;
    };
    let mut documents = 0;
    for path in files(&folder, &["dat"]) {
        let file = fs::read_to_string(&path).expect("a file in UTF-8");
        for case in read_dat("", &file).expect("tests") {
            same(&parse(&case.data).document, &case.data);
            documents += 1;
        }
    }
    assert!(documents > 1700, "{documents} documents");
}

#[test]
fn pages_are_parsed_and_written_as_by_html5ever() {
    let Some(folder) = shared("corpora/html") else {
        return;
    };
    for path in files(&folder, &["html"]) {
        let page = fs::read_to_string(&path).expect("a page in UTF-8");
        let ours = parse(&page).document;
        let theirs = published::parse_document(RcDom::default(), Default::default());
        let theirs = theirs.one(page.as_str()).document;
        let scope = TraversalScope::ChildrenOnly(None);
        let ours = written!(html5ever, ours, scope.clone());
        let is_same = ours == written!(published, theirs, scope.clone());
        assert!(is_same, "{path:?}");
    }
}

#[test]
fn an_end_without_a_start_is_no_panic() {
    let mut html = Vec::new();
    let mut serializer = HtmlSerializer::new(&mut html, SerializeOpts::default());
    let name = QualName::new(None, ns!(html), local_name!("p"));
    for _ in 0..3 {
        serializer.end_elem(name.clone()).expect("no failure");
    }
    serializer.write_text("<").expect("no failure");
    assert_eq!(html, b"</p></p></p>&lt;");
}

/// Keeps the names of tags.
#[derive(Default)]
struct Tags(RefCell<Vec<LocalName>>);

impl TokenSink for Tags {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            TagToken(Tag {
                kind: StartTag | EndTag,
                name,
                ..
            }) => self.0.borrow_mut().push(name),
            CharacterTokens(_) | EOFToken => {}
            Token::DoctypeToken(Doctype { force_quirks, .. }) => assert!(!force_quirks),
            other => panic!("{other:?}"),
        }
        TokenSinkResult::Continue
    }
}

#[test]
fn crates_on_top_find_what_they_use() {
    let options = TokenizerOpts {
        initial_state: Some(states::Data),
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(Tags::default(), options);
    let queue = BufferQueue::default();
    queue.push_back("<!doctype html><p>a</p>".into());
    assert_eq!(tokenizer.feed(&queue), TokenizerResult::Done);
    tokenizer.end();
    assert_eq!(
        *tokenizer.sink.0.borrow(),
        [local_name!("p"), local_name!("p")]
    );

    let builder = TreeBuilder::new(RcDom::default(), TreeBuilderOpts::default());
    let tokenizer = Tokenizer::new(builder, TokenizerOpts::default());
    queue.push_back("<p>a".into());
    assert!(matches!(tokenizer.feed(&queue), TokenizerResult::Done));
    tokenizer.end();
    let dom = tokenizer.sink.sink.finish();
    let [html, _] = written!(html5ever, dom.document, TraversalScope::ChildrenOnly(None));
    assert_eq!(html, "<html><head></head><body><p>a</p></body></html>");

    let context = QualName::new(None, ns!(html), local_name!("td"));
    assert!(context.expanded() == expanded_name!(html "td"));
    assert_eq!(*ns!(html), *namespace_url!("http://www.w3.org/1999/xhtml"));
    let attribute = Attribute {
        name: QualName::new(None, ns!(), local_name!("id")),
        value: "x".into(),
    };
    let parser = parse_fragment(
        RcDom::default(),
        ParseOpts::default(),
        context,
        vec![attribute],
        false,
    );
    let dom = parser.one("<td>b");
    let [html, _] = written!(html5ever, dom.document, TraversalScope::ChildrenOnly(None));
    assert_eq!(html, "<html>b</html>");
}

/// Only with the feature there are others than the default one.
#[cfg(feature = "revisions")]
#[test]
fn revisions_differ() {
    use html5ever::Revision;
    use html5ever::driver::parse_document_as;
    // `<?` opens a processing instruction since July 2026, which html5ever's builder gets as a comment; before, the comment had the `?`s.
    let comment = |revision| {
        let parser = parse_document_as(revision, RcDom::default(), ParseOpts::default());
        let dom = parser.one("<?a b?><p>");
        let [html, _] = written!(html5ever, dom.document, TraversalScope::ChildrenOnly(None));
        html
    };
    let rest = "<html><head></head><body><p></p></body></html>";
    assert_eq!(comment(Revision::default()), format!("<!--?a b?-->{rest}"));
    assert_eq!(comment(Revision::HtmlLiving), format!("<!--?a b-->{rest}"));
}
