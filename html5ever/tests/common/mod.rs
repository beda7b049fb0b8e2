//! What the tests share: both parsers, observed in the same way.
#![allow(dead_code, unreachable_pub)]

pub mod html5lib;

use std::cell::RefCell;
use std::fmt::Write as _;

use html5ever::TokenizerResult;
use html5ever::interface::create_element;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::State;
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use html5ever::{Attribute, LocalName, Namespace, QualName, ns};
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use speclex_html5ever::{Revision, Spans, TagParts};

/// What a document is parsed with.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    pub scripting: bool,
    pub exact_errors: bool,
    /// The context element of a fragment: its namespace and name.
    pub context: Option<(Namespace, String)>,
    /// What each script that ends writes at the insertion point, the first first.
    pub writes: Vec<String>,
}

/// What came of a document.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    /// Tokens but text and errors with the line that they came with; adjacent text joined.
    pub tokens: Vec<String>,
    /// The tree.
    pub tree: String,
}

/// What this crate's tokenizer says besides: equal whatever the chunks.
#[derive(Debug, PartialEq)]
pub struct Rest {
    pub errors: Vec<(u64, String)>,
    pub places: Vec<(u64, u64)>,
}

/// Records what goes to html5ever's tree builder.
pub struct Recorder {
    builder: TreeBuilder<Handle, RcDom>,
    tokens: RefCell<Vec<String>>,
    pub errors: RefCell<Vec<(u64, String)>>,
    /// Of this crate's tokenizer.
    pub spans: Spans,
    has_spans: bool,
    /// The spans of tokens but text and errors, which come in pieces.
    pub places: RefCell<Vec<(u64, u64)>>,
    /// Lines are not comparable: html5ever has not counted a newline in front of an attribute's value.
    ignores_lines: bool,
}

impl Recorder {
    fn new(setting: &Setting, ignores_lines: bool) -> (Self, Option<State>) {
        let sink = RcDom::default();
        let options = TreeBuilderOpts {
            scripting_enabled: setting.scripting,
            ..TreeBuilderOpts::default()
        };
        let mut state = None;
        let builder = match &setting.context {
            Some((namespace, name)) => {
                let name = QualName::new(None, namespace.clone(), LocalName::from(&**name));
                let context = create_element(&sink, name, Vec::new());
                let builder = TreeBuilder::new_for_fragment(sink, context, None, options);
                state = Some(builder.tokenizer_state_for_context_elem(setting.scripting));
                builder
            }
            None => TreeBuilder::new(sink, options),
        };
        let recorder = Self {
            builder,
            tokens: RefCell::default(),
            errors: RefCell::default(),
            spans: Spans::new(),
            has_spans: false,
            places: RefCell::default(),
            ignores_lines,
        };
        (recorder, state)
    }

    /// The parts of a tag are those that the token has.
    fn check_spans(&self, token: &Token) {
        let span = self.spans.token();
        match token {
            Token::TagToken(tag) => {
                let parts = self.spans.tag().expect("a tag");
                let source = self.spans.text(span).expect("a text");
                assert_eq!(*parts, TagParts::of(&source, span.start), "{source:?}");
                let named =
                    |spelling: &str| spelling.to_ascii_lowercase().replace('\0', "\u{FFFD}");
                let text = |part| named(&self.spans.text(part).expect("a part"));
                assert_eq!(text(parts.name), &*tag.name);
                let names: Vec<_> = parts.kept().map(|a| text(a.name)).collect();
                let wanted: Vec<_> = tag.attrs.iter().map(|a| a.name.local.to_string()).collect();
                assert_eq!(names, wanted);
                assert_eq!(parts.slash.is_some(), tag.self_closing);
                for (part, attribute) in parts.kept().zip(&tag.attrs) {
                    let length = part.value().map_or(0, |value| value.end - value.start);
                    // References and U+0000 change the length.
                    assert_eq!(
                        length == 0,
                        attribute.value.is_empty(),
                        "{part:?} {attribute:?}"
                    );
                    assert!(span.start < part.name.start && part.name.end < span.end);
                }
            }
            Token::CharacterTokens(_) | Token::NullCharacterToken | Token::ParseError(_) => {
                assert!(self.spans.tag().is_none());
                return;
            }
            _ => assert!(self.spans.tag().is_none()),
        }
        self.places.borrow_mut().push((span.start, span.end));
    }

    fn outcome(&self) -> Outcome {
        let mut tree = format!("{:?}\n", self.builder.sink.quirks_mode.get());
        dump(&self.builder.sink.document, &mut tree);
        Outcome {
            tokens: self.tokens.take(),
            tree,
        }
    }
}

impl TokenSink for Recorder {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if self.has_spans {
            self.check_spans(&token);
        }
        let mut tokens = self.tokens.borrow_mut();
        let shown_line = if self.ignores_lines { 0 } else { line };
        match &token {
            Token::ParseError(message) => {
                self.errors.borrow_mut().push((line, message.to_string()));
            }
            Token::CharacterTokens(text) => {
                assert!(!text.contains('\0'), "{text:?}");
                match tokens.last_mut() {
                    Some(last) if last.starts_with('"') => last.push_str(text),
                    // html5ever makes empty ones in CDATA sections.
                    _ if text.is_empty() => {}
                    _ => tokens.push(format!("\"{text}")),
                }
            }
            Token::NullCharacterToken => match tokens.last_mut() {
                Some(last) if last.starts_with('"') => last.push('\0'),
                _ => tokens.push("\"\0".to_owned()),
            },
            // Those of html5ever have no end in the text.
            Token::EOFToken => tokens.push("EOF".to_owned()),
            Token::TagToken(tag) => {
                let sign = match tag.kind {
                    TagKind::StartTag => "",
                    TagKind::EndTag => "/",
                };
                tokens.push(format!(
                    "{shown_line}: <{sign}{}{}{}{}>",
                    tag.name,
                    shown(&tag.attrs),
                    if tag.self_closing { " /" } else { "" },
                    if tag.had_duplicate_attributes {
                        " duplicate"
                    } else {
                        ""
                    },
                ));
            }
            Token::CommentToken(data) => tokens.push(format!("{shown_line}: <!--{}", &**data)),
            Token::DoctypeToken(doctype) => {
                let parts = [&doctype.name, &doctype.public_id, &doctype.system_id];
                let parts = parts.map(|part| part.as_deref());
                let quirks = doctype.force_quirks;
                tokens.push(format!("{shown_line}: <!{parts:?} {quirks}"));
            }
        }
        drop(tokens);
        self.builder.process_token(token, line)
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        (self.builder).adjusted_current_node_present_but_not_in_html_namespace()
    }
}

fn shown(attributes: &[Attribute]) -> String {
    let one = |Attribute { name, value }: &Attribute| {
        let (prefix, space) = (name.prefix.as_deref(), &*name.ns);
        format!(" {prefix:?} {space:?} {}={:?}", &*name.local, &**value)
    };
    attributes.iter().map(one).collect()
}

/// The nodes below one, in the order of the document, with their depths; what a template holds is a document behind it.
pub fn nodes(node: &Handle) -> Vec<(Handle, usize)> {
    // Trees may be deep: no recursion.
    let mut todo = vec![(node.clone(), 0)];
    let mut nodes = Vec::new();
    while let Some((node, depth)) = todo.pop() {
        let children = node.children.borrow();
        todo.extend(
            children
                .iter()
                .rev()
                .map(|child| (child.clone(), depth + 1)),
        );
        if let NodeData::Element {
            template_contents, ..
        } = &node.data
            && let Some(contents) = &*template_contents.borrow()
        {
            todo.push((contents.clone(), depth + 1));
        }
        drop(children);
        nodes.push((node, depth));
    }
    nodes
}

/// The tree, a line for each node.
fn dump(node: &Handle, out: &mut String) {
    for (node, depth) in nodes(node) {
        let _ = write!(out, "{:depth$}", "");
        let _ = match &node.data {
            NodeData::Document => writeln!(out, "#document"),
            NodeData::Doctype {
                name,
                public_id,
                system_id,
            } => writeln!(
                out,
                "<!{:?}>",
                [name, public_id, system_id].map(|part| &**part)
            ),
            NodeData::Text { contents } => writeln!(out, "{:?}", &**contents.borrow()),
            NodeData::Comment { contents } => writeln!(out, "<!--{:?}-->", &**contents),
            NodeData::Element { name, attrs, .. } => {
                writeln!(
                    out,
                    "<{} {}{}>",
                    &*name.ns,
                    &*name.local,
                    shown(&attrs.borrow())
                )
            }
            NodeData::ProcessingInstruction { target, contents } => {
                writeln!(out, "<?{} {}>", &**target, &**contents)
            }
        };
    }
}

macro_rules! drive {
    ($tokenizer:expr, $pieces:expr, $setting:expr) => {{
        let input = BufferQueue::default();
        let mut writes = $setting.writes.iter();
        for piece in $pieces {
            input.push_back(StrTendril::from_slice(piece));
            loop {
                match $tokenizer.feed(&input) {
                    TokenizerResult::Done => break,
                    TokenizerResult::Script(_) => {
                        if let Some(text) = writes.next() {
                            input.push_front(StrTendril::from_slice(text));
                        }
                    }
                    TokenizerResult::EncodingIndicator(_) => {}
                }
            }
            assert!(input.is_empty());
        }
        $tokenizer.end();
    }};
}

/// Whether a newline stands between `=` and a value, or may: html5ever's lines are wrong then.
fn may_have_uncounted_newlines(text: &str, setting: &Setting) -> bool {
    let texts = setting.writes.iter().map(String::as_str);
    std::iter::once(text).chain(texts).any(|text| {
        let is_newline = |at: &usize| matches!(text.as_bytes()[*at], b'\n' | b'\r');
        (0..text.len()).filter(is_newline).any(|at| {
            let before = text[..at].trim_end_matches(['\n', '\r', '\t', ' ', '\x0C']);
            before.is_empty() || before.ends_with('=')
        })
    })
}

/// With html5ever's tokenizer, of the whole text. It drops U+FEFF wherever it is fed: only the first is given to it so.
pub fn theirs(text: &str, setting: &Setting) -> Outcome {
    let (recorder, state) = Recorder::new(setting, may_have_uncounted_newlines(text, setting));
    let options = TokenizerOpts {
        exact_errors: setting.exact_errors,
        discard_bom: false,
        initial_state: state,
        ..TokenizerOpts::default()
    };
    let tokenizer = html5ever::tokenizer::Tokenizer::new(recorder, options);
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    drive!(tokenizer, [text], setting);
    tokenizer.sink.outcome()
}

/// With this crate's tokenizer, of the text in pieces of these lengths, each up to the next character.
pub fn ours(text: &str, lengths: &[usize], setting: &Setting) -> (Outcome, Rest) {
    ours_as(Revision::default(), text, lengths, setting)
}

/// The same, as a revision has it.
pub fn ours_as(
    revision: Revision,
    text: &str,
    lengths: &[usize],
    setting: &Setting,
) -> (Outcome, Rest) {
    let (mut recorder, state) = Recorder::new(setting, may_have_uncounted_newlines(text, setting));
    recorder.has_spans = true;
    let spans = recorder.spans.clone();
    let options = TokenizerOpts {
        exact_errors: setting.exact_errors,
        initial_state: state,
        ..TokenizerOpts::default()
    };
    let mut tokenizer =
        speclex_html5ever::tokenizer::Tokenizer::new_as(revision, recorder, options);
    tokenizer.show_spans(&spans);
    drive!(tokenizer, pieces(text, lengths), setting);
    let rest = Rest {
        errors: tokenizer.sink.errors.take(),
        places: tokenizer.sink.places.take(),
    };
    (tokenizer.sink.outcome(), rest)
}

/// The text in pieces of these lengths, each up to the next character.
pub fn pieces<'t>(text: &'t str, lengths: &[usize]) -> Vec<&'t str> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for length in lengths {
        let mut end = (at + length).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        if at < end {
            pieces.push(&text[at..end]);
            at = end;
        }
    }
    pieces.push(&text[at..]);
    pieces
}

/// Fails, with the document, unless both parsers agree on it, whole and in pieces of these lengths.
pub fn compare(text: &str, setting: &Setting, splits: &[Vec<usize>]) {
    let theirs = theirs(text, setting);
    let (whole, rest) = ours(text, &[], setting);
    equal(text, setting, &[], &whole, &theirs);
    for lengths in splits {
        let (outcome, rest_of_pieces) = ours(text, lengths, setting);
        equal(text, setting, lengths, &outcome, &theirs);
        assert_eq!(rest_of_pieces, rest, "of {text:?} in pieces of {lengths:?}");
    }
}

fn equal(text: &str, setting: &Setting, lengths: &[usize], ours: &Outcome, theirs: &Outcome) {
    let tokens = |outcome: &Outcome| outcome.tokens.join("\n");
    assert!(
        ours == theirs,
        "{}\nwith {setting:?} in pieces of {:?}...\ntokens: {}\ntree: {}",
        start(&format!("{text:?}")),
        &lengths[..lengths.len().min(10)],
        difference(&tokens(ours), &tokens(theirs)),
        difference(&ours.tree, &theirs.tree),
    );
}

/// A namespace as html5lib's tests name it.
pub fn namespace(name: &str) -> Option<Namespace> {
    Some(match name {
        "svg" => ns!(svg),
        "math" => ns!(mathml),
        _ => return None,
    })
}

/// A context element as html5lib's tests name it.
pub fn context(name: &str) -> (Namespace, String) {
    match name.split_once(' ') {
        Some((prefix, name)) => (namespace(prefix).expect("known"), name.to_owned()),
        None => (ns!(html), name.to_owned()),
    }
}

/// The first lines that differ.
fn difference(ours: &str, theirs: &str) -> String {
    let both = ours.lines().zip(theirs.lines());
    let same = both.take_while(|(ours, theirs)| ours == theirs).count();
    let rest = |text: &str| {
        let lines: Vec<_> = text.lines().skip(same).take(4).collect();
        start(&lines.join("\n"))
    };
    format!("ours\n{}\ntheirs\n{}", rest(ours), rest(theirs))
}

fn start(text: &str) -> String {
    text.chars().take(1000).collect()
}
