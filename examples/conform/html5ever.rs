//! The tokenizer of html5ever (Rust), for `speclex conform`: its own, not ours. Its errors have no codes.
//! `cargo build -p speclex-html5ever --example conform` builds it.

use html5ever::tokenizer::states::{RawKind, State};
use html5ever::tokenizer::{BufferQueue, TagKind, Token, TokenSink, TokenSinkResult};
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use serde_json::{Map, Value, json};
use std::cell::RefCell;

/// The tokens, and whether CDATA sections are allowed.
struct Sink(RefCell<Vec<Value>>, bool);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        self.0.borrow_mut().push(match token {
            Token::CharacterTokens(text) => json!(["Character", &*text]),
            Token::NullCharacterToken => json!(["Character", "\0"]),
            Token::CommentToken(data) => json!(["Comment", &*data]),
            Token::DoctypeToken(d) => {
                let [name, public, system] =
                    [d.name, d.public_id, d.system_id].map(|text| text.map(String::from));
                json!(["DOCTYPE", name, public, system, !d.force_quirks])
            }
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => json!(["EndTag", &*tag.name]),
            Token::TagToken(tag) => {
                let attributes = tag.attrs.iter();
                let attributes: Map<_, _> = attributes
                    .map(|a| (a.name.local.to_string(), json!(&*a.value)))
                    .collect();
                json!(["StartTag", &*tag.name, attributes, tag.self_closing])
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
    let options = TokenizerOpts {
        discard_bom: false,
        initial_state: Some(match request["initialState"].as_str() {
            Some("Data state") => State::Data,
            Some("RCDATA state") => State::RawData(RawKind::Rcdata),
            Some("RAWTEXT state") => State::RawData(RawKind::Rawtext),
            Some("Script data state") => State::RawData(RawKind::ScriptData),
            Some("PLAINTEXT state") => State::Plaintext,
            Some("CDATA section state") => State::CdataSection,
            _ => return json!({"error": "there is no such state"}),
        }),
        last_start_tag_name: request["lastStartTag"].as_str().map(str::to_owned),
        ..TokenizerOpts::default()
    };
    let sink = Sink(RefCell::default(), request["cdataAllowed"] == true);
    let (tokenizer, queue) = (Tokenizer::new(sink, options), BufferQueue::default());
    let mut rest = request["input"].as_str().unwrap_or_default();
    let lengths = request["chunks"].as_array().into_iter().flatten();
    for length in lengths.filter_map(Value::as_u64).chain([u64::MAX]) {
        let (piece, after) = rest.split_at(rest.len().min(length as usize));
        rest = after;
        queue.push_back(piece.into());
        let _ = tokenizer.feed(&queue);
    }
    tokenizer.end();
    json!({"id": request["id"], "tokens": tokenizer.sink.0.take()})
}

fn main() -> std::io::Result<()> {
    for line in std::io::stdin().lines() {
        println!("{}", answer(&serde_json::from_str(&line?)?));
    }
    Ok(())
}
