//! Two revisions agree on random inputs wherever their texts agree: html-2012 and html-2026-06, fourteen
//! years apart.
//!
//! Each place where the texts disagree is listed, with an input that shows it and the inputs that can reach it.
//! An input that reaches none of them must give the same tokens and as many errors.

use speclex_analysis::engine::{Engine, Request};
use speclex_analysis::token::{Output, Token};
use speclex_tests::alphabet::Alphabet;
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;

const INPUTS: usize = 400_000;

/// What differs at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Differs {
    Tokens,
    /// Only how many errors there are.
    Errors,
}

/// A place where the two texts disagree.
struct Place {
    what: &'static str,
    differs: Differs,
    /// An input that shows it, and the content that it starts in.
    example: (&'static str, &'static str),
    /// Whether an input can reach it.
    reached: fn(&Request<'_>) -> bool,
}

const PLACES: &[Place] = &[
    Place {
        what: "2012, 8.2.2.5 Preprocessing the input stream: a leading byte order mark is ignored",
        differs: Differs::Tokens,
        example: ("\u{FEFF}", "data"),
        reached: |request| request.input.starts_with('\u{FEFF}'),
    },
    Place {
        what: "2012, 8.2.4.44 Bogus comment state: U+0000 is replaced without an error",
        differs: Differs::Errors,
        example: ("<?\0", "data"),
        reached: |request| {
            let opens = ["<!", "</", "<?"];
            request.input.contains('\0') && opens.iter().any(|open| request.input.contains(open))
        },
    },
    Place {
        what: "2012, 8.2.4.50 Comment end state: \"-\" and anything else are errors; since then \"<!--\" in a comment is",
        differs: Differs::Errors,
        example: ("<!--a--->", "data"),
        reached: |request| {
            let comment = request.input.split_once("<!--");
            comment.is_some_and(|(_, rest)| rest.contains("--") || rest.contains("<!"))
        },
    },
    Place {
        what: "2012, 8.2.4.68 CDATA section state: EOF is no error",
        differs: Differs::Errors,
        example: ("", "CDATA section"),
        reached: |request| {
            request.content == Some("CDATA section") || request.input.contains("<![CDATA[")
        },
    },
    Place {
        what: "2012, 8.2.4.52 DOCTYPE state: \">\" is an error there, and another one in the next state",
        differs: Differs::Errors,
        example: ("<!DOCTYPE>", "data"),
        reached: |request| request.input.to_ascii_lowercase().contains("<!doctype>"),
    },
    Place {
        what: "2012, 8.2.4.55 After DOCTYPE name state and others: what makes a DOCTYPE bogus is not reconsumed, so U+0000 is one error",
        differs: Differs::Errors,
        example: ("<!DOCTYPE a \0", "data"),
        reached: |request| {
            let input = request.input.to_ascii_lowercase();
            let doctype = input.split_once("<!doctype");
            doctype.is_some_and(|(_, rest)| rest.contains('\0'))
        },
    },
];

fn tokens(output: &Output) -> impl Iterator<Item = &Token> {
    output.tokens.iter().map(|emitted| &emitted.token)
}

#[test]
fn revisions_agree_wherever_their_texts_agree() {
    let [old, new] = ["html-2012", "html-2026-06"].map(Revision::named);
    let contents = &new.machine.vocabulary.contents;
    let alphabets = [&old, &new].map(|revision| Alphabet::of(&revision.machine));
    let mut engines = [&old, &new].map(Revision::generated);
    let mut random = Random::named("agreement");
    let mut difference = |request: &Request<'_>| {
        let [before, after] = engines.each_mut().map(|engine| {
            let output = engine.tokenize(request).expect("an entry state of both");
            output.coalesced()
        });
        if tokens(&before).ne(tokens(&after)) {
            Some(Differs::Tokens)
        } else if before.errors.len() != after.errors.len() {
            Some(Differs::Errors)
        } else {
            None
        }
    };
    for place in PLACES {
        let (input, content) = place.example;
        let request = Request {
            input,
            content: Some(content),
            ..Request::default()
        };
        assert!((place.reached)(&request), "{}", place.what);
        assert_eq!(difference(&request), Some(place.differs), "{}", place.what);
    }
    let (mut shown, mut same) = (vec![0; PLACES.len()], 0);
    for _ in 0..INPUTS {
        let input = random.one(&alphabets).clone().text(8, &mut random);
        let content = random.one(contents);
        let request = Request {
            input: &input,
            content: Some(content),
            last_start_tag: (random.below(3) > 0).then_some("script"),
            cdata_allowed: random.below(2) == 0,
            ..Request::default()
        };
        let Some(differs) = difference(&request) else {
            same += 1;
            continue;
        };
        let place = PLACES
            .iter()
            .position(|place| place.differs == differs && (place.reached)(&request));
        let Some(place) = place else {
            panic!("{differs:?} differ: {request:?}");
        };
        shown[place] += 1;
    }
    println!("{INPUTS} inputs: {same} agree");
    for (place, shown) in PLACES.iter().zip(&shown) {
        println!("{shown} differ: {}", place.what);
    }
}
