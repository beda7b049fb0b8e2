//! Tables in the call, one of which extends a file.
speclex::tokenizer! {
    /// Lines.
    mod lines = inline r#"
        table: lines
        title: Lines
        vocabulary: {tokens: {line: {text: text}}}
        entry states: {data: line start}
        states:
          line start:
            consume:
              EOF: emit EOF
              anything else: [create a line token, reconsume in line]
          line:
            consume:
              U+000A: [emit the line token, switch to line start]
              EOF: [emit the line token, emit EOF]
              anything else: append the current input character to the text
    "#;
    mod initial = inline r#"
        table: initial
        vocabulary: {tokens: {word: {text: text}}, contents: [plain, loud]}
        registers: {mode: [quiet, noisy]}
        entry states: {plain: text, loud: [set the mode to noisy, switch to text]}
        initial state: loud
        states:
          text:
            consume:
              EOF: emit EOF
              anything else:
                - create a word token
                - if the mode is noisy: append "!" to the text
                - append the current input character to the text
                - emit the word token
                - stay
    "#;
    // Names of states that generated code has for itself, and what few tables say.
    mod corners = inline r##"
        table: corners
        title: Corners
        vocabulary: markup
        error codes: [odd, even]
        classes: {odd control: [control except U+000A]}
        preprocessing:
          newlines: normalize
          replace: {U+0000: U+FFFD}
          errors: {odd control: odd}
        registers: {end: number, next: state}
        procedures:
          letter:
            states:
              start: {consume: {U+0061: return "A", EOF: return "", anything else: return "?"}}
          number:
            states:
              start: {consume: {U+0023 (#): [set the next to digit, switch to between], EOF: return nothing, anything else: return nothing}}
              between: {consume: {EOF: switch to the next, anything else: switch to the next}}
              digit: {consume: {U+003B (;): return "N", EOF: return nothing, anything else: return nothing}}
        entry states: {data: data}
        states:
          data:
            consume:
              U+0021 (!): [create a comment token, set the comment data to "", append the current input character to the comment data, switch to at]
              U+003C (<):
                - if the next input characters are the last start tag name then U+003E (>): emit "[>]"
                - otherwise if the next input characters are the last start tag name then U+0020: emit "[ ]"
                - otherwise if the next input characters are the last start tag name then U+0000: emit "[0]"
                - otherwise: emit "[]"
              U+0026 (&):
                - if the next input characters are one or more ASCII alpha then U+003B (;): error odd
                - if the next input characters are one or more ASCII digit then U+003B (;): error even
                - if the next input characters are one or more U+0000 then U+003B (;): error odd
                - if the next input character is odd control: emit "&^"
                - otherwise: switch to end
              '"=="':
                - if the next input characters are one or more ASCII alpha then U+003B (;): error even
                - reconsume in end
              U+0025 (%): [attempt to letter, if nothing is returned: emit "%", otherwise: emit the returned characters]
              U+0023 (#): [attempt to number, if nothing is returned: emit "#", otherwise: emit the returned characters]
              U+002B (+): [set the end to 1, if the end has a replacement: replace the end]
              U+000A:
                - if the next input character is U+0061 (a): [emit "N", reconsume in end]
                - otherwise: reconsume in end
              EOF: as anything else
              anything else:
                - if the next input characters are the last start tag name then U+003E (>): parse error
                - switch to other
          other: {consume: {EOF: emit EOF, anything else: reconsume in data}}
          at: {consume: {EOF: [emit the comment token, emit EOF], anything else: append the current input character to the comment data}}
          end:
            consume:
              EOF: emit EOF
              anything else: [emit the current input character, switch to data]
    "##;
    mod with_tabs = inline r#"
        table: words-and-tabs
        extends: tables/words
        states:
          between words:
            consume:
              U+0009: ignore
    "#;
}

/// The texts of tokens and the errors, whole and in pieces.
macro_rules! run {
    ($table:ident, $input:expr) => {{
        let run = |pieces: &[&str]| {
            let mut tokenizer = $table::Tokenizer::new($table::Collector::with_errors());
            tokenizer.set_last_start_tag("e");
            for piece in pieces {
                tokenizer.feed(piece).unwrap();
            }
            tokenizer.end().unwrap();
            let sink = tokenizer.into_sink();
            let mut texts = String::new();
            for (token, _) in &sink.tokens {
                match token {
                    $table::Token::Characters(text) => texts += text,
                    $table::Token::Comment { data } => texts += &format!("<!--{data}-->"),
                    _ => {}
                }
            }
            let errors = sink
                .errors
                .iter()
                .map(|e| format!(" {}@{}", e.code, e.offset));
            texts + &errors.collect::<String>()
        };
        let pieces: Vec<&str> = $input.split_inclusive(|_| true).collect();
        let whole = run(&[$input]);
        assert_eq!(whole, run(&pieces), "{:?}", $input);
        whole
    }};
}

fn main() {
    assert_eq!(lines::tokens("one\n\ntwo").count(), 4);
    // The initial state's entry sets the mode.
    let mut first = initial::tokens("a");
    assert!(matches!(first.next(), Some((initial::Token::Word { text }, _)) if text == "!a"));
    let mut tokenizer = initial::Tokenizer::new(initial::Collector::new());
    tokenizer.reset();
    tokenizer.feed("b").and_then(|()| tokenizer.end()).unwrap();
    assert_eq!(
        format!("{:?}", tokenizer.sink().tokens)
            .matches("!b")
            .count(),
        1
    );
    assert_eq!(with_tabs::tokens("one \t two").count(), 3);
    for (input, output) in [
        ("!ab", "<!--!ab-->"),
        ("<e><e <f<e\0", "[>][ ][][] odd@10"),
        ("xe>", " parse-error@0"),
        ("&\r&\u{1}", "\n&^ odd@3"),
        ("&a;&1;&a", "a1a odd@0 even@3"),
        ("==a;", "= even@0"),
        ("\r\na\r\n\n", "N\n\n\n"),
        ("%a%b+", "A?"),
        ("##1;##1x", "N##"),
    ] {
        assert_eq!(run!(corners, input), output);
    }
    // What is inserted is looked at anew.
    let mut tokenizer = corners::Tokenizer::new(corners::Collector::new());
    tokenizer.set_last_start_tag("abcdef");
    tokenizer.feed("<abc").unwrap();
    tokenizer.insert("<zzzdef>");
    tokenizer.resume().and_then(|()| tokenizer.end()).unwrap();
    let tokens = format!("{:?}", tokenizer.sink().tokens);
    assert!(tokens.contains("[][]"), "{tokens}");
}
