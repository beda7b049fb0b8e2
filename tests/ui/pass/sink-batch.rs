//! The sink that keeps tokens together, of tokens with all kinds of fields.
speclex::tokenizer! {
    mod fields = inline r#"
        table: fields
        vocabulary:
          tokens:
            item:
              kinds: [item, other item]
              mark: flag
              remark: optional text
              parts: attributes
              first: text
              second: text
              missing: optional text
            bare: {}
            flagged: {on: flag}
            batch: {name: text}
        entry states: {data: data}
        states:
          data:
            consume:
              "\"!\"": [create an other item token, set the item mark, append "ONE" to the first, append the current input character to the second, append "r" to the remark, switch to part]
              "\"?\"": [create an item token, append the current input character to the first, emit the item token]
              "\"-\"": emit a bare token
              "\"+\"": [create a flagged token, set the flagged on, emit the flagged token]
              "\"b\"": [create a batch token, append the current input character to the name, emit the batch token]
              EOF: emit EOF
              anything else: emit the current input character
          part:
            consume:
              "\";\"": [emit the item token, switch to data]
              EOF: [emit the item token, emit EOF]
              anything else: [start a new attribute, append the current input character to the attribute name, append "V" to the attribute value]
    "#;
}

use fields::{Batch, Token, TokenView};

fn main() {
    let input = "x!abc;?y-+b!;";
    for length in 1..=input.len() {
        let mut batches = fields::Tokenizer::new(Batch::<true>::default());
        let mut collector = fields::Tokenizer::new(fields::Collector::<true>::default());
        for piece in input.as_bytes().chunks(length) {
            batches.feed_bytes(piece).unwrap();
            collector.feed_bytes(piece).unwrap();
        }
        batches.end().unwrap();
        collector.end().unwrap();
        let batch = batches.into_sink();
        let tokens: Vec<_> = batch
            .iter()
            .map(|(token, span)| (Token::from(token), span))
            .collect();
        assert_eq!(tokens, collector.into_sink().tokens);
        let item = batch.iter().find_map(|(token, _)| match token {
            TokenView::OtherItem(item) => Some(item),
            _ => None,
        });
        let item = item.unwrap();
        assert!(item.mark);
        assert_eq!(
            (item.first, item.second, item.remark, item.missing),
            ("ONE", "!", Some("r"), None)
        );
        assert_eq!(item.parts.get("b"), Some("V"));
        assert_eq!(item.parts.len(), 3);
    }
}
