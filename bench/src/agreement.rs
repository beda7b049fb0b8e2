//! How far a table's `contents after start tags`, which know names only, agree with a tree builder: with html5ever's,
//! which sees the whole document.

use std::cell::RefCell;
use std::fs;
use std::io;

use html5ever::interface::TokenizerResult;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use html5ever::tree_builder::{TreeBuilder, TreeBuilderOpts};
use markup5ever_rcdom::{Handle, RcDom};
use speclex::{ByteOrderMark, Feedback, markup};
use speclex_tokenizers::html_2026_06::{self as table, Content};

use crate::corpus;
use crate::peers::rewrite;

/// What came of a document.
#[derive(Default, PartialEq)]
struct Outcome {
    /// Tokens, with adjacent characters joined.
    tokens: Vec<String>,
    /// Behind which tokens another content began.
    switches: Vec<(usize, Content)>,
}

impl Outcome {
    fn characters(&mut self, text: &str) {
        match self.tokens.last_mut() {
            Some(last) if last.starts_with('"') => last.push_str(text),
            _ => self.tokens.push(format!("\"{text}")),
        }
    }

    fn tag(&mut self, sign: &str, name: &str, attributes: &mut [(String, String)]) {
        attributes.sort();
        self.tokens.push(format!("{sign}{name} {attributes:?}"));
    }
}

/// Records what goes to html5ever's tree builder, and what that answers.
struct Recorder {
    builder: TreeBuilder<Handle, RcDom>,
    outcome: RefCell<Outcome>,
}

impl TokenSink for Recorder {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        let mut outcome = self.outcome.borrow_mut();
        match &token {
            Token::TagToken(Tag {
                kind, name, attrs, ..
            }) => {
                let sign = if *kind == TagKind::StartTag {
                    "<"
                } else {
                    "</"
                };
                let pair =
                    |a: &html5ever::Attribute| (a.name.local.to_string(), a.value.to_string());
                let mut attributes: Vec<_> = attrs.iter().map(pair).collect();
                outcome.tag(sign, name, &mut attributes);
            }
            Token::CharacterTokens(text) => outcome.characters(text),
            Token::NullCharacterToken => outcome.characters("\0"),
            Token::CommentToken(data) => outcome.tokens.push(format!("<!--{data}")),
            Token::DoctypeToken(doctype) => {
                let name = doctype.name.as_deref().unwrap_or_default();
                outcome.tokens.push(format!("<!{name}"));
            }
            Token::ParseError(_) | Token::EOFToken => {}
        }
        let at = outcome.tokens.len();
        drop(outcome);
        let result = self.builder.process_token(token, line);
        let content = match &result {
            TokenSinkResult::RawData(RawKind::Rcdata) => Content::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => Content::Rawtext,
            TokenSinkResult::RawData(_) => Content::ScriptData,
            TokenSinkResult::Plaintext => Content::Plaintext,
            _ => return result,
        };
        self.outcome.borrow_mut().switches.push((at, content));
        result
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        (self.builder).adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// With a tree builder.
fn with_tree(text: &str, scripting: bool) -> Outcome {
    let options = TreeBuilderOpts {
        scripting_enabled: scripting,
        ..TreeBuilderOpts::default()
    };
    let recorder = Recorder {
        builder: TreeBuilder::new(RcDom::default(), options),
        outcome: RefCell::default(),
    };
    let tokenizer = Tokenizer::new(recorder, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(text.into());
    // The end of a script and a `meta` that names an encoding stop the tokenizer.
    while !matches!(tokenizer.feed(&input), TokenizerResult::Done) {}
    tokenizer.end();
    tokenizer.sink.outcome.into_inner()
}

/// By names alone.
fn by_names(text: &str, feedback: Feedback) -> Outcome {
    let mut outcome = Outcome::default();
    let mut tokens = table::tokens(text);
    tokens.tokenizer().set_feedback(feedback);
    // As html5ever does.
    (tokens.tokenizer()).set_byte_order_mark(ByteOrderMark::Skip);
    for (token, _) in tokens {
        match token {
            markup::Token::StartTag {
                name, attributes, ..
            } => {
                outcome.tag("<", &name, &mut owned(&attributes));
                let content = match feedback {
                    Feedback::Off => None,
                    _ => table::content_after(&name, feedback == Feedback::Scripting),
                };
                let at = outcome.tokens.len();
                outcome
                    .switches
                    .extend(content.map(|content| (at, content)));
            }
            markup::Token::EndTag {
                name, attributes, ..
            } => {
                outcome.tag("</", &name, &mut owned(&attributes));
            }
            markup::Token::Characters(text) => outcome.characters(&text),
            markup::Token::Comment { data } => outcome.tokens.push(format!("<!--{data}")),
            markup::Token::Doctype { name, .. } => {
                outcome
                    .tokens
                    .push(format!("<!{}", name.unwrap_or_default()));
            }
            _ => {}
        }
    }
    outcome
}

fn owned(attributes: &[(impl ToString, impl ToString)]) -> Vec<(String, String)> {
    let pairs = attributes.iter();
    pairs
        .map(|(name, value)| (name.to_string(), value.to_string()))
        .collect()
}

/// Prints on how many documents tokens and switches are the same.
///
/// # Errors
/// When documents cannot be read.
pub fn report() -> io::Result<()> {
    println!("| documents | feedback | number | same tokens | same switches |");
    println!("|---|---|--:|--:|--:|");
    let mut pages = Vec::new();
    for class in corpus::classes().filter(|class| *class != "xml") {
        let documents = corpus::load(class)?.documents;
        pages.extend(documents.into_iter().map(|text| (text, true)));
    }
    let mut rewritten = 0;
    for (page, _) in &pages {
        rewritten += usize::from(rewrite::agree(page)?);
    }
    let tests = tree_construction()?;
    for (what, documents) in [
        ("pages of `corpora/html`", &pages),
        ("html5lib's documents", &tests),
    ] {
        for (name, off) in [("by names", false), ("none", true)] {
            let (mut tokens, mut switches) = (0, 0);
            for (text, scripting) in documents {
                let feedback = match (off, scripting) {
                    (true, _) => Feedback::Off,
                    (_, true) => Feedback::Scripting,
                    _ => Feedback::NoScripting,
                };
                let (tree, ours) = (with_tree(text, *scripting), by_names(text, feedback));
                let same = tree.tokens == ours.tokens;
                tokens += usize::from(same);
                switches += usize::from(same && tree.switches == ours.switches);
            }
            println!(
                "| {what} | {name} | {} | {tokens} | {switches} |",
                documents.len()
            );
        }
    }
    println!(
        "\nWith every href rewritten by spans and by lol_html, {rewritten} of {} pages have the same tokens.",
        pages.len()
    );
    Ok(())
}

/// The documents of html5lib's tests of tree construction, each with whether scripting is on.
fn tree_construction() -> io::Result<Vec<(String, bool)>> {
    let folder = corpus::shared().join("html5lib-tests/tree-construction");
    let mut paths: Vec<_> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "dat"));
    paths.sort();
    let mut documents = Vec::new();
    for path in paths {
        let file = fs::read_to_string(&path)?;
        for test in format!("\n{file}").split("\n#data\n").skip(1) {
            let (data, rest) = test.split_once("\n#errors").unwrap_or((test, ""));
            if !rest.contains("\n#document-fragment") {
                documents.push((data.to_owned(), !rest.contains("\n#script-off")));
            }
        }
    }
    Ok(documents)
}
