//! The tokenizer of html5ever (Rust), for `speclex conform`: html5ever's own, not ours. Its errors have no codes.
//!
//! `cargo build -p speclex-html5ever --example conform`

use std::cell::RefCell;
use std::io::{self, BufRead};

use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use serde_json::{Map, Value, json};

/// Takes tokens down; says whether CDATA sections are allowed.
struct Tokens(RefCell<Vec<Value>>, bool);

impl TokenSink for Tokens {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let text =
            |text: Option<_>| text.map(|text: html5ever::tendril::StrTendril| text.to_string());
        self.0.borrow_mut().push(match token {
            Token::CharacterTokens(text) => json!(["Character", &*text]),
            Token::NullCharacterToken => json!(["Character", "\0"]),
            Token::CommentToken(data) => json!(["Comment", &*data]),
            Token::DoctypeToken(d) => {
                json!([
                    "DOCTYPE",
                    text(d.name),
                    text(d.public_id),
                    text(d.system_id),
                    !d.force_quirks
                ])
            }
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => json!(["EndTag", &*tag.name]),
            Token::TagToken(tag) => {
                let attributes = tag.attrs.iter();
                let attributes: Map<_, _> = attributes
                    .map(|a| (a.name.local.to_string(), json!(&*a.value)))
                    .collect();
                match tag.self_closing {
                    true => json!(["StartTag", &*tag.name, attributes, true]),
                    false => json!(["StartTag", &*tag.name, attributes]),
                }
            }
            Token::ParseError(_) | Token::EOFToken => return TokenSinkResult::Continue,
        });
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.1
    }
}

fn answer(request: &Value) -> Value {
    let state = match request["initialState"].as_str() {
        Some("Data state") => State::Data,
        Some("RCDATA state") => State::RawData(RawKind::Rcdata),
        Some("RAWTEXT state") => State::RawData(RawKind::Rawtext),
        Some("Script data state") => State::RawData(RawKind::ScriptData),
        Some("PLAINTEXT state") => State::Plaintext,
        Some("CDATA section state") => State::CdataSection,
        _ => return json!({"error": "there is no such state"}),
    };
    let options = TokenizerOpts {
        discard_bom: false,
        initial_state: Some(state),
        last_start_tag_name: request["lastStartTag"].as_str().map(str::to_owned),
        ..TokenizerOpts::default()
    };
    let sink = Tokens(RefCell::default(), request["cdataAllowed"] == true);
    let tokenizer = Tokenizer::new(sink, options);
    let queue = BufferQueue::default();
    let mut rest = request["input"].as_str().unwrap_or_default();
    let chunks = request["chunks"].as_array().into_iter().flatten();
    let lengths = chunks.filter_map(|length| Some(length.as_u64()? as usize));
    for length in lengths.chain([usize::MAX]) {
        let (piece, after) = rest.split_at(length.min(rest.len()));
        rest = after;
        queue.push_back(piece.into());
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    json!({"id": request["id"], "tokens": tokenizer.sink.0.take()})
}

fn main() -> io::Result<()> {
    for line in io::stdin().lock().lines() {
        println!("{}", answer(&serde_json::from_str(&line?)?));
    }
    Ok(())
}
