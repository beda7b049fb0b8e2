//! Two revisions agree on random inputs wherever their texts agree: html-2012 and html-2026-06, fourteen
//! years apart.
//!
//! Each place where the texts disagree is listed, with the inputs that can reach it. An input that reaches
//! none of them must give the same tokens and as many errors; a place on which no input showed a difference
//! is listed in vain and fails too.

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
    /// Whether an input can reach it.
    reached: fn(&Request<'_>) -> bool,
}

const PLACES: &[Place] = &[
    Place {
        what: "2012, 8.2.2.5 Preprocessing the input stream: a leading byte order mark is ignored",
        differs: Differs::Tokens,
        reached: |request| request.input.starts_with('\u{FEFF}'),
    },
    Place {
        what: "2012, 8.2.4.44 Bogus comment state: U+0000 is replaced without an error",
        differs: Differs::Errors,
        reached: |request| {
            let opens = ["<!", "</", "<?"];
            request.input.contains('\0') && opens.iter().any(|open| request.input.contains(open))
        },
    },
    Place {
        what: "2012, 8.2.4.50 Comment end state: \"-\" and anything else are errors; since then \"<!--\" in a comment is",
        differs: Differs::Errors,
        reached: |request| {
            let comment = request.input.split_once("<!--");
            comment.is_some_and(|(_, rest)| rest.contains("--") || rest.contains("<!"))
        },
    },
    Place {
        what: "2012, 8.2.4.68 CDATA section state: EOF is no error",
        differs: Differs::Errors,
        reached: |request| {
            request.content == Some("CDATA section") || request.input.contains("<![CDATA[")
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
        let [before, after] = engines.each_mut().map(|engine| {
            let output = engine.tokenize(&request).expect("an entry state of both");
            output.coalesced()
        });
        let differs = if tokens(&before).ne(tokens(&after)) {
            Differs::Tokens
        } else if before.errors.len() != after.errors.len() {
            Differs::Errors
        } else {
            same += 1;
            continue;
        };
        let place = PLACES
            .iter()
            .position(|place| place.differs == differs && (place.reached)(&request));
        let Some(place) = place else {
            panic!("{differs:?} differ: {request:?}\n{before:?}\n{after:?}");
        };
        shown[place] += 1;
    }
    println!("{INPUTS} inputs: {same} agree");
    for (place, shown) in PLACES.iter().zip(&shown) {
        println!("{shown} differ: {}", place.what);
        assert!(*shown > 0, "{} never shows", place.what);
    }
}
