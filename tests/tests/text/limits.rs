//! Tokens that exceed a limit and do not stop the stream: what comes of them and behind them, however the input is cut.

use std::borrow::Cow;

use allocation_counter::measure;
use speclex::markup::{Answer, Collector, Comment, Sink, Tag, Token};
use speclex::rt::Machine;
use speclex::{Exceeded, Excess, FeedError, Limit, Limits, ParseError, Span, Tokenizer};
use speclex_tests::alphabet::Alphabet;
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;
use speclex_tests::splits;

/// The fewest bytes that are allowed.
const LEAST: usize = 64;

/// What a sink gets.
#[derive(Debug, Default, PartialEq)]
struct Got {
    tokens: Vec<(Token<'static>, Span)>,
    errors: Vec<ParseError>,
    exceeded: Vec<Exceeded>,
    end: Option<FeedError>,
}

/// What is got of an input in these chunks.
fn run<M: Machine<Sink = Collector<true>>>(
    input: &str,
    cuts: impl IntoIterator<Item = usize>,
    limits: Limits,
) -> Got {
    let mut tokenizer = Tokenizer::<M>::new(Collector::default());
    tokenizer.set_limits(limits);
    let mut rest = input.as_bytes();
    for cut in cuts {
        let (chunk, after) = rest.split_at(cut.min(rest.len()));
        let _ = tokenizer.feed_bytes(chunk);
        rest = after;
    }
    let _ = tokenizer.feed_bytes(rest);
    let end = tokenizer.end().err();
    let sink = tokenizer.into_sink();
    Got {
        tokens: sink.tokens,
        errors: sink.errors,
        exceeded: sink.exceeded,
        end,
    }
}

fn with(excess: Excess) -> Limits {
    Limits::default()
        .with_token_bytes(LEAST)
        .with_tags(excess)
        .with_comments(excess)
        .with_doctypes(excess)
        .with_others(excess)
}

/// Whether a token is what another one begins with.
fn is_start_of(cut: &Token<'_>, whole: &Token<'_>) -> bool {
    type Attributes<'t> = [(Cow<'t, str>, Cow<'t, str>)];
    let tags = |(a, b): (&str, &Attributes<'_>), (name, all): (&str, &Attributes<'_>)| {
        let (Some((last, before)), true) = (b.split_last(), b.len() <= all.len()) else {
            return b.is_empty() && name.starts_with(a);
        };
        let whole = &all[before.len()];
        a == name
            && *before == all[..before.len()]
            && last.0 == whole.0
            && whole.1.starts_with(&*last.1)
    };
    let start = |a: &Option<Cow<'_, str>>, b: &Option<Cow<'_, str>>| match (a, b) {
        (None, _) => true,
        (Some(a), Some(b)) => b.starts_with(&**a),
        (Some(_), None) => false,
    };
    match (cut, whole) {
        (Token::Comment { data: a, .. }, Token::Comment { data: b, .. }) => b.starts_with(&**a),
        (
            Token::StartTag {
                name: a,
                attributes: b,
                ..
            },
            Token::StartTag {
                name: c,
                attributes: d,
                ..
            },
        )
        | (
            Token::EndTag {
                name: a,
                attributes: b,
                ..
            },
            Token::EndTag {
                name: c,
                attributes: d,
                ..
            },
        )
        | (
            Token::EmptyTag {
                name: a,
                attributes: b,
                ..
            },
            Token::EmptyTag {
                name: c,
                attributes: d,
                ..
            },
        ) => tags((a, b), (c, d)),
        (
            Token::Doctype {
                name: a,
                public_identifier: b,
                system_identifier: c,
                ..
            },
            Token::Doctype {
                name: d,
                public_identifier: e,
                system_identifier: f,
                ..
            },
        ) => start(a, d) && start(b, e) && start(c, f),
        (
            Token::ProcessingInstruction {
                target: a, data: b, ..
            },
            Token::ProcessingInstruction {
                target: c, data: d, ..
            },
        ) => c.starts_with(&**a) && d.starts_with(&**b),
        _ => cut == whole,
    }
}

/// Errors that depend on a token's attributes, which may not be kept.
fn others(errors: &[ParseError]) -> Vec<ParseError> {
    let of_tags = [
        "duplicate-attribute",
        "end-tag-with-attributes",
        "end-tag-with-trailing-solidus",
        "parse-error",
    ];
    let errors = errors.iter().copied();
    errors
        .filter(|it| !of_tags.contains(&it.code.as_str()))
        .collect()
}

/// Checks what comes of an input against what comes of it without limits.
fn check(input: &str, excess: Excess, got: &Got, unlimited: &Got) -> usize {
    assert_eq!(got.end, None, "{input:?}");
    assert_eq!(others(&got.errors), others(&unlimited.errors), "{input:?}");
    let is_text = |token: &Token<'_>| matches!(token, Token::Characters(_));
    // A token of which nothing is known yet does not exceed a limit: a DOCTYPE that begins with white space, say.
    let starts: Vec<_> = got.exceeded.iter().map(|it| it.offset).collect();
    let is_long = |it: &&(Token<'_>, Span)| !is_text(&it.0) && starts.contains(&it.1.start);
    let long = unlimited.tokens.iter().filter(is_long);
    assert!(
        long.clone()
            .all(|(_, span)| (span.end - span.start) as usize >= LEAST),
        "{input:?}"
    );
    let long = long.count();
    assert!(
        got.exceeded.iter().all(|it| it.excess == excess),
        "{input:?}"
    );
    let text = |got: &Got| -> String {
        let tokens = got.tokens.iter().map(|(token, _)| match token {
            Token::Characters(text) => text,
            _ => "",
        });
        tokens.collect()
    };
    assert_eq!(text(got), text(unlimited), "{input:?}");
    let wanted = unlimited.tokens.iter();
    let is_tag = |token: &Token<'_>| {
        !matches!(
            token,
            Token::Comment { .. } | Token::Doctype { .. } | Token::ProcessingInstruction { .. }
        )
    };
    let wanted = wanted.filter(|it| excess != Excess::Drop || is_tag(&it.0) || !is_long(it));
    let found = got.tokens.iter().filter(|(token, _)| !is_text(token));
    let wanted: Vec<_> = wanted.filter(|(token, _)| !is_text(token)).collect();
    let found: Vec<_> = found.collect();
    let places = |tokens: &[&(Token<'_>, Span)]| tokens.iter().map(|it| it.1).collect::<Vec<_>>();
    assert_eq!(places(&found), places(&wanted), "{input:?}");
    for (found, wanted) in found.iter().zip(wanted) {
        if is_long(&wanted) {
            assert!(is_start_of(&found.0, &wanted.0), "{found:?} {wanted:?}");
        } else {
            assert_eq!(*found, wanted);
        }
    }
    long
}

/// Something long, of pieces of an alphabet.
fn input(alphabet: &Alphabet, random: &mut Random) -> String {
    let long = |random: &mut Random| {
        let piece = *random.one(&[
            "x",
            " ",
            "é",
            "a=b ",
            "a='' ",
            "Ab=\"c&amp;\" ",
            "&notit;",
            "\r\n",
            "\0",
            "-",
            "b c=d ",
        ]);
        piece.repeat(random.below(90))
    };
    let mut input = String::new();
    for _ in 0..1 + random.below(3) {
        input += &alphabet.text(4, random);
        input += *random.one(&[
            "<a ",
            "<title ",
            "<b c=\"",
            "</p ",
            "<!--",
            "<!",
            "<!DOCTYPE ",
            "<!DOCTYPE a PUBLIC \"",
            "<?pi ",
            "</title x='",
        ]);
        input += &long(random);
        input += &long(random);
        input += *random.one(&[">", "-->", "\">", "'>", "?>", "/>"]);
    }
    input + &alphabet.text(3, random)
}

/// Letters of which it is not known what they become: text, a tag or another token. A tag ends the input.
fn undecided(random: &mut Random) -> String {
    let start = *random.one(&[
        "<title></",
        "<title></title",
        "<style></st",
        "<script></S",
        "<script><!--</a",
        "<script><!--<a",
        "<script><!--<script></a",
        "<?",
        "<?xml",
        "</",
        "a=<",
    ]);
    let letters = *random.one(&["x", "Y", "xZ"]);
    let most = *random.one(&[3, 80, 1500]);
    let letters = letters.repeat(random.below(most));
    let end = *random.one(&[">", " b=c>", "?>", " ?>", "/>", "", "\0", "<!--"]);
    let closed = *random.one(&["</title>", "</style>", "--></script>", "-->"]);
    format!("{start}{letters}{end}{closed}<i>z")
}

macro_rules! tests {
    ($($name:literal => $module:ident),* $(,)?) => {
        $(mod $module {
            use super::*;
            use speclex_tokenizers::$module::Machine;

            #[test]
            fn what_exceeds_a_limit_is_cut_or_dropped_and_the_rest_is_the_same() {
                type M = Machine<Collector<true>>;
                let alphabet = Alphabet::of(&Revision::named($name).machine);
                let mut random = Random::named(concat!($name, "/limits"));
                let mut long = 0;
                for number in 0..1500 {
                    let input = input(&alphabet, &mut random);
                    let unlimited = run::<M>(&input, [], Limits::MAX);
                    for excess in [Excess::Truncate, Excess::Drop] {
                        let limits = with(excess);
                        let whole = run::<M>(&input, [], limits);
                        long += check(&input, excess, &whole, &unlimited);
                        let bytes = splits::bytes(input.len());
                        let some = splits::random(input.len(), 90, &mut random);
                        for cuts in [bytes, some] {
                            let got = run::<M>(&input, cuts, limits);
                            assert_eq!(got.end, whole.end, "{input:?}");
                            assert_eq!(got.exceeded, whole.exceeded, "{input:?}");
                            assert_eq!(got.tokens, whole.tokens, "{input:?}");
                            assert_eq!(got.errors, whole.errors, "{input:?}");
                        }
                        if number % 50 == 0 {
                            for cut in 0..input.len() {
                                assert_eq!(run::<M>(&input, [cut], limits), whole, "{input:?}");
                            }
                        }
                    }
                }
                assert!(long > 1000, "{long}");
            }

            #[test]
            fn a_word_that_is_too_long_by_a_letter_is_another_word() {
                type M = Machine<Collector<true>>;
                for page in [
                    "<script><!--<scripta></script>b<i>",
                    "<script><!--<script></SCRIPTé></script>--></script>b<i>",
                    "<?xml-stylesheeta?><?xmla b?><?xml vversion='1'?>",
                ] {
                    let whole = run::<M>(page, [], Limits::default());
                    let bytes = splits::bytes(page.len());
                    assert_eq!(run::<M>(page, bytes, Limits::default()), whole);
                    for cut in 0..page.len() {
                        assert_eq!(run::<M>(page, [cut], Limits::default()), whole, "{page} {cut}");
                    }
                }
            }

            #[test]
            fn letters_that_may_become_anything_do_not_stop_the_stream() {
                type M = Machine<Collector<true>>;
                let mut random = Random::named(concat!($name, "/undecided"));
                let mut long = 0;
                for _ in 0..600 {
                    let input = undecided(&mut random);
                    let unlimited = run::<M>(&input, [], Limits::MAX);
                    for excess in [Excess::Truncate, Excess::Drop] {
                        let limits = with(excess);
                        let whole = run::<M>(&input, [], limits);
                        assert_eq!(whole.end, None, "{input:?}");
                        long += whole.exceeded.len();
                        let behind = |got: &Got| {
                            let mut last: Vec<_> = got.tokens.iter().rev().take(3).cloned().collect();
                            last.retain(|(_, span)| span.start as usize >= input.len() - "<i>z".len());
                            last
                        };
                        assert_eq!(behind(&whole), behind(&unlimited), "{input:?}");
                        let bytes = splits::bytes(input.len());
                        let some = splits::random(input.len(), 90, &mut random);
                        for cuts in [bytes, some] {
                            assert_eq!(run::<M>(&input, cuts, limits), whole, "{input:?}");
                        }
                    }
                }
                assert!(long > 100, "{long}");
            }
        })*
    };
}
speclex_tokenizers::for_each_revision!(tests);

/// Keeps nothing.
struct Nothing<const COMMENTS: bool>;

impl<const COMMENTS: bool> Sink for Nothing<COMMENTS> {
    const COMMENTS: bool = COMMENTS;

    fn comment(&mut self, _: &Comment<'_>, _: Span) {
        assert!(COMMENTS);
    }
}

/// The most bytes that are kept while a long input comes in chunks of 4 KiB.
fn memory<const COMMENTS: bool>(before: &str, piece: &str, limits: Limits) -> u64 {
    let piece = piece.repeat(4096 / piece.len());
    let info = measure(|| {
        let mut tokenizer = speclex_tokenizers::html_living::Tokenizer::new(Nothing::<COMMENTS>);
        tokenizer.set_limits(limits);
        tokenizer.feed(before).expect("no limit");
        for _ in 0..300 {
            tokenizer.feed(&piece).expect("no limit");
        }
        tokenizer.end().expect("no limit");
    });
    info.bytes_max
}

#[test]
fn memory_is_bounded_by_the_limit_and_a_chunk() {
    for excess in [Excess::Truncate, Excess::Drop] {
        let limits = with(excess).with_token_bytes(10_000).with_attributes(500);
        for (before, piece) in [
            ("<!--", "x"),
            ("<!--", "\0-"),
            ("<!", "x\r\n"),
            ("<p ", "a "),
            ("<p ", "A=x "),
            ("<p a='", "x&amp;"),
            ("<p", "X"),
            ("</p a=", "\0"),
            ("<!doctype ", "\0"),
            ("<!doctype x public '", "x"),
            ("<?x ", "y"),
            ("<?", "x"),
            ("<title></", "X"),
            ("<script><!--<", "x"),
        ] {
            let bytes = memory::<true>(before, piece, limits);
            assert!(bytes < 100_000, "{excess:?} {before} {piece:?}: {bytes}");
        }
    }
}

#[test]
fn nothing_is_kept_of_comments_that_nobody_wants() {
    for (before, piece) in [
        ("<!--", "x"),
        ("<!--", "\0-"),
        ("</ ", "x\r\n"),
        ("x<!", "é"),
    ] {
        // No limit holds for them.
        let bytes = memory::<false>(before, piece, Limits::default().with_token_bytes(100));
        assert!(bytes < 10_000, "{before} {piece:?}: {bytes}");
    }
}

/// Writes down what comes.
#[derive(Default)]
struct Log<const COMMENTS: bool>(Vec<String>);

impl<const COMMENTS: bool> Sink for Log<COMMENTS> {
    const COMMENTS: bool = COMMENTS;

    fn characters(&mut self, data: &str, _: Span) {
        self.0.push(data.to_owned());
    }

    fn start_tag(&mut self, tag: &Tag<'_>, span: Span) -> Answer {
        let attributes = tag.attributes.to_vec();
        self.0.push(format!(
            "<{} {attributes:?}> {}-{}",
            tag.name, span.start, span.end
        ));
        Answer::Continue
    }

    fn end_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        self.0.push(format!("</{}>", tag.name));
        Answer::Continue
    }

    fn comment(&mut self, comment: &Comment<'_>, _: Span) {
        self.0.push(format!("<!--{}-->", comment.data));
    }

    fn exceeded(&mut self, exceeded: Exceeded) {
        let Exceeded {
            limit,
            allowed,
            offset,
            excess,
            ..
        } = exceeded;
        self.0
            .push(format!("{limit:?} {allowed} at {offset}: {excess:?}"));
    }
}

fn log<const COMMENTS: bool>(input: &str, limits: Limits) -> Vec<String> {
    let mut tokenizer = speclex_tokenizers::html_living::Tokenizer::new(Log::<COMMENTS>::default());
    tokenizer.set_limits(limits);
    tokenizer
        .feed(input)
        .and_then(|()| tokenizer.end())
        .expect("no limit");
    tokenizer.into_sink().0
}

#[test]
fn a_sink_learns_of_it_in_front_of_the_token() {
    let long = "x".repeat(100);
    let input = format!("a<b c=1 d={long} e=2>f<i>");
    let cut = "x".repeat(64 - "<b c=1 d=".len());
    let got = log::<true>(&input, with(Excess::Truncate));
    let tag = format!("<b [(\"c\", \"1\"), (\"d\", \"{cut}\")]> 1-115");
    assert_eq!(
        got,
        [
            "a",
            "TokenBytes 64 at 1: Truncate",
            &tag,
            "f",
            "<i []> 116-119"
        ]
    );
    let got = log::<true>(&input, with(Excess::Drop));
    assert_eq!(
        got,
        [
            "a",
            "TokenBytes 64 at 1: Drop",
            "<b []> 1-115",
            "f",
            "<i []> 116-119"
        ]
    );
    let few = with(Excess::Truncate).with_attributes(2);
    let got = log::<true>("<b c d=1 e f>", few);
    let tag = "<b [(\"c\", \"\"), (\"d\", \"1\")]> 0-13";
    assert_eq!(got, ["Attributes 2 at 0: Truncate", tag]);
}

#[test]
fn what_follows_a_dropped_tag_is_read_as_if_it_had_come() {
    let long = "x".repeat(100);
    let input = format!("<script src={long}><b></script a={long}><i>");
    let got = log::<true>(&input, with(Excess::Drop));
    let wanted = [
        "TokenBytes 64 at 0: Drop",
        "<script []> 0-113",
        "<b>",
        "TokenBytes 64 at 116: Drop",
        "</script>",
        "<i []> 228-231",
    ];
    assert_eq!(got, wanted);
}

#[test]
fn each_kind_of_token_has_its_own_answer() {
    let long = "x".repeat(100);
    let limits = Limits::default()
        .with_token_bytes(LEAST)
        .with_comments(Excess::Drop);
    assert_eq!(
        log::<true>(&format!("<!--{long}-->a"), limits),
        ["TokenBytes 64 at 0: Drop", "a"]
    );
    let mut tokenizer = speclex_tokenizers::html_living::Tokenizer::new(Log::<true>::default());
    tokenizer.set_limits(limits);
    let error = tokenizer
        .feed(&format!("a<b {long}>"))
        .expect_err("a limit");
    let wanted = FeedError::TooLarge {
        limit: Limit::TokenBytes,
        allowed: LEAST,
        offset: 1,
    };
    assert_eq!(error, wanted);
    let _ = tokenizer.end();
}

#[test]
fn a_sink_without_comments_gets_all_else() {
    let long = "x".repeat(100);
    let input = format!("a<!--b--><p><!--{long}--><i></p><!{long}></ {long}");
    let got = log::<false>(&input, Limits::default().with_token_bytes(LEAST));
    assert_eq!(got, ["a", "<p []> 9-12", "<i []> 119-122", "</p>"]);
}
