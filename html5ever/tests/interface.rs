//! html5ever's interface: options, scripts, calls back, chunks, and each place where this crate departs from html5ever.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use html5ever::TokenizerResult;
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tokenizer::states::{RawKind, ScriptEscapeKind, State};
use html5ever::tokenizer::{
    BufferQueue, TagKind, Token, TokenSink, TokenSinkResult, TokenizerOpts,
};
use markup5ever_rcdom::{RcDom, SerializableHandle};
use speclex_html5ever::driver::{parse_document_as, parse_fragment_as};
use speclex_html5ever::tokenizer::Tokenizer;
use speclex_html5ever::{ParseOpts, QualName, Revision, local_name, ns, parse_document};

/// Writes down tokens, and answers by the names of tags.
#[derive(Default)]
struct Log {
    all: RefCell<Vec<String>>,
    ends: Cell<u32>,
    keeps_errors: bool,
}

impl TokenSink for Log {
    type Handle = &'static str;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Self::Handle> {
        let (text, answer) = match token {
            Token::CharacterTokens(text) => {
                let mut all = self.all.borrow_mut();
                if let Some(last) = all.last_mut()
                    && last.starts_with('"')
                {
                    last.push_str(&text);
                    return TokenSinkResult::Continue;
                }
                (format!("\"{text}"), TokenSinkResult::Continue)
            }
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => {
                let answer = match &*tag.name {
                    "title" => TokenSinkResult::RawData(RawKind::Rcdata),
                    "style" => TokenSinkResult::RawData(RawKind::Rawtext),
                    "script" => TokenSinkResult::RawData(RawKind::ScriptData),
                    "plaintext" => TokenSinkResult::Plaintext,
                    "meta" => TokenSinkResult::EncodingIndicator("label".into()),
                    _ => TokenSinkResult::Continue,
                };
                (format!("{line} <{}>", tag.name), answer)
            }
            Token::TagToken(tag) => {
                let answer = match &*tag.name {
                    "script" => TokenSinkResult::Script("the script"),
                    _ => TokenSinkResult::Continue,
                };
                (format!("{line} </{}>", tag.name), answer)
            }
            Token::ParseError(_) if !self.keeps_errors => return TokenSinkResult::Continue,
            Token::ParseError(message) => (format!("{line} {message}"), TokenSinkResult::Continue),
            Token::NullCharacterToken => ("NUL".to_owned(), TokenSinkResult::Continue),
            Token::EOFToken => ("EOF".to_owned(), TokenSinkResult::Continue),
            other => (format!("{other:?}"), TokenSinkResult::Continue),
        };
        self.all.borrow_mut().push(text);
        answer
    }

    fn end(&self) {
        self.ends.set(self.ends.get() + 1);
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        true
    }
}

fn queue(text: &str) -> BufferQueue {
    let queue = BufferQueue::default();
    queue.push_back(text.into());
    queue
}

fn rest(queue: &BufferQueue) -> String {
    std::iter::from_fn(|| queue.pop_front())
        .map(String::from)
        .collect()
}

/// All tokens of a text in chunks, from a tokenizer of either crate.
macro_rules! tokens {
    ($crate_name:ident, $chunks:expr, $options:expr, $log:expr) => {{
        let tokenizer = $crate_name::tokenizer::Tokenizer::new($log, $options);
        for chunk in $chunks {
            let queue = queue(chunk);
            while !matches!(tokenizer.feed(&queue), TokenizerResult::Done) {}
        }
        tokenizer.end();
        tokenizer.sink.all.take()
    }};
}

fn with_errors() -> Log {
    Log {
        keeps_errors: true,
        ..Log::default()
    }
}

#[test]
fn a_byte_order_mark_is_dropped_at_the_start_of_the_stream_only() {
    let mark = "\u{FEFF}";
    let page = format!("{mark}{mark}<script></script>{mark}a");
    let whole = [page.as_str()];
    let options = TokenizerOpts::default;
    let scripts = ["1 <script>", "1 </script>"];
    let here = tokens!(speclex_html5ever, whole, options(), Log::default());
    assert_eq!(here[0], "\"\u{FEFF}");
    assert_eq!(here[1..3], scripts);
    assert_eq!(here[3], "\"\u{FEFF}a");
    // html5ever drops one in front of whatever it is fed: its own tree depends on the chunks.
    let there = tokens!(html5ever, whole, options(), Log::default());
    assert_eq!(there[3], "\"a");
    let chunks = ["a", "\u{FEFF}b"];
    let here = tokens!(speclex_html5ever, chunks, options(), Log::default());
    assert_eq!(here, ["\"a\u{FEFF}b", "EOF"]);
    let there = tokens!(html5ever, chunks, options(), Log::default());
    assert_eq!(there, ["\"ab", "EOF"]);
    // Without the option it stays.
    let options = || TokenizerOpts {
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let here = tokens!(speclex_html5ever, ["\u{FEFF}a"], options(), Log::default());
    assert_eq!(here, ["\"\u{FEFF}a", "EOF"]);
    let there = tokens!(html5ever, ["\u{FEFF}a"], options(), Log::default());
    assert_eq!(there, here);
}

#[test]
fn lines_count_a_newline_in_front_of_a_value() {
    let page = ["<a b=\r\n'c\rd'>\n<e>"];
    let options = TokenizerOpts::default;
    let here = tokens!(speclex_html5ever, page, options(), Log::default());
    assert_eq!(here, ["3 <a>", "\"\n", "4 <e>", "EOF"]);
    let there = tokens!(html5ever, page, options(), Log::default());
    assert_eq!(there, ["2 <a>", "\"\n", "3 <e>", "EOF"]);
}

#[test]
fn errors_are_those_of_the_text_in_its_order() {
    let page = ["\u{1}</>\n&bogus;\u{FFFE}<a a a \u{2}></b c>\0<!doctype"];
    let options = |exact_errors| TokenizerOpts {
        exact_errors,
        ..TokenizerOpts::default()
    };
    let exact = tokens!(speclex_html5ever, page, options(true), with_errors());
    let wanted = [
        "\"\u{1}",
        "1 control-character-in-input-stream",
        "1 missing-end-tag-name",
        "\"\n&bogus",
        "2 unknown-named-character-reference",
        "\";\u{FFFE}",
        "2 noncharacter-in-input-stream",
        "2 duplicate-attribute",
        "2 control-character-in-input-stream",
        "2 <a>",
        "2 end-tag-with-attributes",
        "2 </b>",
        "2 unexpected-null-character",
        "NUL",
        "2 eof-in-doctype",
    ];
    assert_eq!(exact[..wanted.len()], wanted, "{exact:#?}");
    // As html5ever, it reports the others always.
    let usual = tokens!(speclex_html5ever, page, options(false), with_errors());
    let others = |text: &String| !text.contains("in-input-stream");
    let others: Vec<_> = exact.iter().filter(|text| others(text)).collect();
    assert_eq!(usual.iter().collect::<Vec<_>>(), others);
}

#[test]
fn a_tokenizer_starts_in_the_states_that_tests_and_fragments_start_in() {
    let page = ["<b>&lt;</title>]]>\0"];
    for state in [
        State::Data,
        State::Plaintext,
        State::RawData(RawKind::Rcdata),
        State::RawData(RawKind::Rawtext),
        State::RawData(RawKind::ScriptData),
        State::CdataSection,
    ] {
        for last_start_tag_name in [None, Some("title".to_owned())] {
            let options = || TokenizerOpts {
                initial_state: Some(state),
                last_start_tag_name: last_start_tag_name.clone(),
                ..TokenizerOpts::default()
            };
            let here = tokens!(speclex_html5ever, page, options(), Log::default());
            let there = tokens!(html5ever, page, options(), Log::default());
            assert_eq!(here, there, "{state:?} {last_start_tag_name:?}");
        }
    }
}

#[test]
fn a_state_that_nothing_starts_in_is_an_error() {
    let options = TokenizerOpts {
        initial_state: Some(State::RawData(RawKind::ScriptDataEscaped(
            ScriptEscapeKind::Escaped,
        ))),
        profile: true,
        ..TokenizerOpts::default()
    };
    let here = tokens!(speclex_html5ever, ["<b>"], options, with_errors());
    assert!(here[0].contains("there is no way to start in the state"));
    assert_eq!(here[1..], ["1 <b>", "EOF"]);
}

#[test]
fn what_a_paused_script_has_not_consumed_is_in_the_queue() {
    let page = "a<script>b</script>\nc<meta>d<script></script>e";
    let written = "<script>w</script><i>";
    for cut in 0..=page.len() {
        let tokenizer = Tokenizer::new(Log::default(), TokenizerOpts::default());
        let queue = BufferQueue::default();
        let mut stops = Vec::new();
        let mut to_write = Some(written);
        for piece in [&page[..cut], &page[cut..]] {
            queue.push_back(piece.into());
            loop {
                let result = tokenizer.feed(&queue);
                // Look, and put it back.
                let left = rest(&queue);
                queue.push_back(left.as_str().into());
                match result {
                    TokenizerResult::Done => break,
                    TokenizerResult::Script(script) => {
                        assert_eq!(script, "the script");
                        stops.push(format!("script {}", &left));
                        if let Some(text) = to_write.take() {
                            queue.push_front(text.into());
                        }
                    }
                    TokenizerResult::EncodingIndicator(label) => {
                        stops.push(format!("{label} {left}"));
                    }
                }
            }
            assert!(queue.is_empty());
        }
        tokenizer.end();
        // What waits is the rest of what has been fed.
        let rests = [
            "script \nc<meta>d<script></script>e",
            "script <i>\nc<meta>d<script></script>e",
            "label d<script></script>e",
            "script e",
        ];
        assert_eq!(stops.len(), rests.len(), "{cut} {stops:?}");
        for (stop, rest) in stops.iter().zip(rests) {
            assert!(rest.starts_with(stop), "{cut} {stops:?}");
            assert!(cut > 0 || *stop == rest, "{stops:?}");
        }
        let wanted = [
            "\"a",
            "1 <script>",
            "\"b",
            "1 </script>",
            "1 <script>",
            "\"w",
            "1 </script>",
            "1 <i>",
            "\"\nc",
            "2 <meta>",
            "\"d",
            "2 <script>",
            "2 </script>",
            "\"e",
            "EOF",
        ];
        assert_eq!(tokenizer.sink.all.take(), wanted, "{cut}");
    }
}

#[test]
fn very_many_scripts_on_one_line_take_no_time_that_grows_with_their_square() {
    // Without a bound on how far lines are looked for, this takes minutes.
    let page = "<script></script>".repeat(200_000);
    for exact_errors in [false, true] {
        let options = TokenizerOpts {
            exact_errors,
            ..TokenizerOpts::default()
        };
        let tokenizer = Tokenizer::new(Counter::default(), options);
        let queue = queue(&page);
        let mut scripts = 0;
        while let TokenizerResult::Script(()) = tokenizer.feed(&queue) {
            scripts += 1;
        }
        assert_eq!(scripts, 200_000);
    }
}

/// Stops at each end tag.
#[derive(Default)]
struct Counter(Cell<u32>);

impl TokenSink for Counter {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        self.0.set(self.0.get() + 1);
        match token {
            Token::TagToken(tag) if tag.kind == TagKind::EndTag => TokenSinkResult::Script(()),
            _ => TokenSinkResult::Continue,
        }
    }
}

/// Calls the tokenizer that it belongs to back, once, when it is given text.
struct AtText<T> {
    log: Log,
    tokenizer: RefCell<Option<Rc<T>>>,
    call: fn(&T),
}

/// What a sink gets of a page that calls back when it is given text, with the tokenizer of either crate.
macro_rules! at_text {
    ($crate_name:ident, $chunks:expr, $call:expr) => {{
        struct Caller(AtText<$crate_name::tokenizer::Tokenizer<Caller>>);
        impl TokenSink for Caller {
            type Handle = &'static str;
            fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Self::Handle> {
                let is_text = matches!(token, Token::CharacterTokens(_));
                let answer = self.0.log.process_token(token, line);
                if is_text && let Some(tokenizer) = self.0.tokenizer.take() {
                    (self.0.call)(&tokenizer);
                }
                answer
            }
        }
        let sink = Caller(AtText {
            log: with_errors(),
            tokenizer: RefCell::new(None),
            call: $call,
        });
        let options = TokenizerOpts::default();
        let tokenizer = Rc::new($crate_name::tokenizer::Tokenizer::new(sink, options));
        tokenizer.sink.0.tokenizer.replace(Some(tokenizer.clone()));
        for chunk in $chunks {
            // Panics are of the call.
            let _ = catch_unwind(AssertUnwindSafe(|| tokenizer.feed(&queue(chunk))));
        }
        tokenizer.sink.0.log.all.take()
    }};
}

#[test]
fn calls_back_inside_text_differ_from_html5ever() {
    // PLAINTEXT begins behind the next tag; html5ever goes on from the state that it was in.
    let page = ["some text<a><b>"];
    let here = at_text!(speclex_html5ever, page, |it| it.set_plaintext_state());
    assert_eq!(here, ["\"some text", "1 <a>", "\"<b>"]);
    let there = at_text!(html5ever, page, |it| it.set_plaintext_state());
    assert_eq!(there, ["\"some text", "1 <a>", "1 <b>"]);
    // With the next chunk it begins in both.
    let chunks = ["some text", "<a><b>"];
    let here = at_text!(speclex_html5ever, chunks, |it| it.set_plaintext_state());
    assert_eq!(here, ["\"some text<a><b>"]);
    let there = at_text!(html5ever, chunks, |it| it.set_plaintext_state());
    assert_eq!(there, here);
    // What is fed stays in its queue.
    let page = ["some text<a>"];
    let here = at_text!(speclex_html5ever, page, |it| {
        let nested = queue("<i>");
        let _ = it.feed(&nested);
        assert_eq!(rest(&nested), "<i>");
    });
    let told = "1 the tokenizer was fed or ended by its own sink: nothing was done";
    assert_eq!(here, ["\"some text", told, "1 <a>"]);
    let there = at_text!(html5ever, page, |it| {
        let nested = queue("<i>");
        let _ = it.feed(&nested);
        assert_eq!(rest(&nested), "");
    });
    assert_eq!(there, ["\"some text", "1 <i>", "1 <a>"]);
    // After a panic nothing more comes.
    let chunks = ["some text", "<a>"];
    let here = at_text!(speclex_html5ever, chunks, |_| panic!("a sink may panic"));
    assert_eq!(here, ["\"some text"]);
    let there = at_text!(html5ever, chunks, |_| panic!("a sink may panic"));
    assert_eq!(there, ["\"some text", "1 <a>"]);
}

#[test]
fn a_text_has_the_line_of_its_end() {
    /// Keeps the lines of texts.
    #[derive(Default)]
    struct Lines(RefCell<Vec<(u64, String)>>);
    impl TokenSink for Lines {
        type Handle = ();
        fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<()> {
            if let Token::CharacterTokens(text) = token {
                self.0.borrow_mut().push((line, text.into()));
            }
            TokenSinkResult::Continue
        }
    }
    macro_rules! lines {
        ($crate_name:ident) => {{
            // In data, html5ever cuts at some newlines only.
            let options = TokenizerOpts {
                initial_state: Some(State::RawData(RawKind::Rcdata)),
                ..TokenizerOpts::default()
            };
            let tokenizer = $crate_name::tokenizer::Tokenizer::new(Lines::default(), options);
            let _ = tokenizer.feed(&queue("a\nb"));
            tokenizer.sink.0.take()
        }};
    }
    let text = |line, text: &str| (line, text.to_owned());
    assert_eq!(lines!(speclex_html5ever), [text(2, "a\nb")]);
    let there = [text(1, "a"), text(2, "\n"), text(2, "b")];
    assert_eq!(lines!(html5ever), there);
}

/// Calls its tokenizer back at a tag's name.
#[derive(Default)]
struct CallsBack {
    log: Log,
    tokenizer: RefCell<Option<Rc<Tokenizer<CallsBack>>>>,
    queue: BufferQueue,
}

impl TokenSink for CallsBack {
    type Handle = &'static str;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Self::Handle> {
        if let Token::TagToken(tag) = &token
            && let Some(tokenizer) = &*self.tokenizer.borrow()
        {
            match &*tag.name {
                "feed" => assert_eq!(tokenizer.feed(&self.queue), TokenizerResult::Done),
                "end" => tokenizer.end(),
                "all-text" => tokenizer.set_plaintext_state(),
                "crash" => panic!("a sink may panic"),
                _ => {}
            }
        }
        self.log.process_token(token, line)
    }

    fn end(&self) {
        self.log.end();
    }
}

fn calls_back() -> Rc<Tokenizer<CallsBack>> {
    let sink = CallsBack {
        log: with_errors(),
        queue: queue("nested"),
        ..CallsBack::default()
    };
    let tokenizer = Rc::new(Tokenizer::new(sink, TokenizerOpts::default()));
    *tokenizer.sink.tokenizer.borrow_mut() = Some(tokenizer.clone());
    tokenizer
}

#[test]
fn a_sink_that_calls_back_gets_an_error() {
    let tokenizer = calls_back();
    assert_eq!(
        tokenizer.feed(&queue("<feed>a<end>b")),
        TokenizerResult::Done
    );
    let told = "1 the tokenizer was fed or ended by its own sink: nothing was done";
    let wanted = ["1 <feed>", told, "\"a", "1 <end>", told, "\"b"];
    assert_eq!(tokenizer.sink.log.all.take(), wanted);
    assert_eq!(rest(&tokenizer.sink.queue), "nested");
    assert_eq!(tokenizer.sink.log.ends.get(), 0);
}

#[test]
fn a_sink_can_switch_to_plaintext() {
    let tokenizer = calls_back();
    assert_eq!(
        tokenizer.feed(&queue("<all-text><b>")),
        TokenizerResult::Done
    );
    let wanted = ["1 <all-text>", "\"<b>"];
    assert_eq!(tokenizer.sink.log.all.take(), wanted);
    // And from outside, between chunks.
    let tokenizer = Tokenizer::new(Log::default(), TokenizerOpts::default());
    let _ = tokenizer.feed(&queue("<b>"));
    tokenizer.set_plaintext_state();
    let _ = tokenizer.feed(&queue("<b>"));
    assert_eq!(tokenizer.sink.all.take(), ["1 <b>", "\"<b>"]);
}

#[test]
fn after_a_panic_of_the_sink_the_rest_is_dropped() {
    let tokenizer = calls_back();
    let input = queue("<b>some longer text<crash>more <i>");
    let panic = catch_unwind(AssertUnwindSafe(|| tokenizer.feed(&input)));
    assert!(panic.is_err());
    assert_eq!(tokenizer.feed(&queue("<u>more")), TokenizerResult::Done);
    tokenizer.set_plaintext_state();
    tokenizer.end();
    let wanted = ["1 <b>", "\"some longer text"];
    assert_eq!(tokenizer.sink.log.all.take(), wanted);
    assert_eq!(tokenizer.sink.log.ends.get(), 1);
}

#[test]
fn a_stream_after_the_end_starts_in_data() {
    macro_rules! twice {
        ($crate_name:ident, $texts:expr) => {{
            let tokenizer =
                $crate_name::tokenizer::Tokenizer::new(Log::default(), TokenizerOpts::default());
            for text in $texts {
                let _ = tokenizer.feed(&queue(text));
                tokenizer.end();
            }
            (tokenizer.sink.all.take(), tokenizer.sink.ends.get())
        }};
    }
    // The second calls to `end` give the sink an end again, and lines are counted on.
    let texts = ["a\n<b", "<i x='", "", "c&am", "\n</i>"];
    assert_eq!(twice!(speclex_html5ever, texts), twice!(html5ever, texts));
    // html5ever goes on in the content that it ended in.
    let texts = ["<title>a", "<i>"];
    let here = ["1 <title>", "\"a", "EOF", "1 <i>", "EOF"].map(str::to_owned);
    assert_eq!(twice!(speclex_html5ever, texts), (here.to_vec(), 2));
    let there = ["1 <title>", "\"a", "EOF", "\"<i>", "EOF"].map(str::to_owned);
    assert_eq!(twice!(html5ever, texts), (there.to_vec(), 2));
}

#[test]
fn text_and_values_are_parts_of_the_chunk() {
    struct Shares(StrTendril, Cell<u32>);
    impl TokenSink for Shares {
        type Handle = ();
        fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
            let mut texts = Vec::new();
            match token {
                Token::TagToken(tag) => texts.extend(tag.attrs.into_iter().map(|a| a.value)),
                Token::CharacterTokens(text) | Token::CommentToken(text) => texts.push(text),
                Token::DoctypeToken(doctype) => texts.extend(doctype.public_id),
                _ => {}
            }
            for text in texts {
                assert!(text.is_shared_with(&self.0), "{text:?}");
                self.1.set(self.1.get() + 1);
            }
            TokenSinkResult::Continue
        }
    }
    let page = "<!doctype html public 'a public identifier'><a href='a value that is long'>some text & so\
                <!-- a comment that is long --></a>more text";
    let chunk = StrTendril::from(page);
    let tokenizer = Tokenizer::new(
        Shares(chunk.clone(), Cell::new(0)),
        TokenizerOpts::default(),
    );
    let queue = BufferQueue::default();
    queue.push_back(chunk);
    assert_eq!(tokenizer.feed(&queue), TokenizerResult::Done);
    assert_eq!(tokenizer.sink.1.get(), 5);
}

/// The tree as HTML.
fn html(dom: &RcDom) -> String {
    let mut html = Vec::new();
    let node = SerializableHandle::from(dom.document.clone());
    speclex_html5ever::serialize(&mut html, &node, Default::default()).expect("no failure");
    String::from_utf8(html).expect("UTF-8")
}

#[test]
fn bytes_and_readers_give_the_same_tree() {
    let mut page = b"<p>\xFF\xE2\x82 <!-- \xC3".to_vec();
    page.extend(b"<a title='\xE2\x82\xAC'>x</a>".repeat(1000));
    let parser = || parse_document(RcDom::default(), ParseOpts::default()).from_utf8();
    let there = html5ever::parse_document(RcDom::default(), ParseOpts::default()).from_utf8();
    let wanted = html(&there.one(&*page));
    assert!(wanted.len() > 1000);
    assert_eq!(html(&parser().one(&*page)), wanted);
    let read = parser().read_from(&mut &*page).expect("no failure");
    assert_eq!(html(&read), wanted);
    assert_eq!(html(&parser().from_iter(page.chunks(1))), wanted);
}

#[test]
fn each_revision_reads_pages_as_it_says() {
    let parse = |revision, page: &str| {
        html(&parse_document_as(revision, RcDom::default(), ParseOpts::default()).one(page))
    };
    let body = |text: &str| format!("<html><head></head><body>{text}</body></html>");
    // A bogus comment until June 2026; then an instruction, which html5ever's tree builder cannot be told of.
    let page = "<p>a<?php  echo 1 ?>b<?x?>";
    let before = body("<p>a<!--?php  echo 1 ?-->b<!--?x?--></p>");
    for revision in [
        Revision::Html2009,
        Revision::Html2012,
        Revision::Html2014,
        Revision::Html2026June,
    ] {
        assert_eq!(parse(revision, page), before, "{revision:?}");
    }
    let living = parse(Revision::HtmlLiving, page);
    assert_eq!(living, body("<p>a<!--?php echo 1 -->b<!--?x--></p>"));
    // A comment that ends with `--!>` did not end before 2011.
    let page = "<!--a--!>b-->";
    assert!(!parse(Revision::Html2009, page).contains("<body>b"));
    assert!(parse(Revision::Html2012, page).contains("<body>b"));
}

#[test]
fn fragments_start_in_the_state_of_their_context() {
    for revision in [Revision::Html2012, Revision::HtmlLiving] {
        let name = QualName::new(None, ns!(html), local_name!("title"));
        let sink = RcDom::default();
        let options = ParseOpts::default();
        let parser = parse_fragment_as(revision, sink, options, name, Vec::new(), true);
        let dom = parser.one("<b>&amp;</title>");
        assert_eq!(
            html(&dom),
            "<html>&lt;b&gt;&amp;&lt;/title&gt;</html>",
            "{revision:?}"
        );
    }
}

#[test]
fn plaintext_between_chunks_keeps_what_is_undecided() {
    macro_rules! text {
        ($crate_name:ident, $first:expr, $second:expr) => {{
            use $crate_name::tokenizer::{Tokenizer, TokenizerOpts};
            let tokenizer = Tokenizer::new(Log::default(), TokenizerOpts::default());
            let _ = tokenizer.feed(&queue($first));
            tokenizer.set_plaintext_state();
            let _ = tokenizer.feed(&queue($second));
            tokenizer.end();
            tokenizer.sink.all.take().remove(0)
        }};
    }
    // The start of a keyword, which html5ever drops.
    for (first, second, here, there) in [
        ("<!doctype a sy", "stem><b>", "\"system><b>", "\"stem><b>"),
        ("<!doctype a pub", "<b>", "\"pub<b>", "\"<b>"),
        ("<!doc", "type><b>", "\"doctype><b>", "\"type><b>"),
        ("<!-", "-<b>", "\"--<b>", "\"-<b>"),
        ("<![CD", "ATA[", "\"[CDATA[", "\"ATA["),
        (
            "<!doctype a",
            " system><b>",
            "\" system><b>",
            "\" system><b>",
        ),
        ("a<b", "c><b>", "\"ac><b>", "\"ac><b>"),
    ] {
        assert_eq!(text!(speclex_html5ever, first, second), here);
        assert_eq!(text!(html5ever, first, second), there);
    }
    // In a reference, of which the ampersand is consumed, html5ever panics.
    let here = text!(speclex_html5ever, "a&am", "p;<b>");
    assert_eq!(here, "\"aamp;<b>");
}
