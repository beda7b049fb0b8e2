//! The generated builders where scripts write: they pause at each script, text is inserted there, and the tree, its places and errors
//! are what the interpreter makes of the page with the text in it.

use libtest_mimic::Failed;
use speclex::rt::Machine;
use speclex::{Dom, DomSink, FeedError, Tokenizer};
use speclex_analysis::tree::{Environment, Scripting};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;

use crate::built::{cut, is_same, of_html, options};
use crate::html::Pair;

/// Parses a page with scripts that write, and says what the page is then.
type Run = fn(&str, &Environment, &mut Random) -> (String, Dom<'static>);

macro_rules! builders {
    ($($name:literal => $module:ident),* $(,)?) => {
        const BUILDERS: &[(&str, Run)] = &[$(($name, $module)),*];

        $(fn $module(
            page: &str,
            environment: &Environment,
            random: &mut Random,
        ) -> (String, Dom<'static>) {
            use speclex_tokenizers::$module::{Builder, NAMES, Parser};
            let mut sink = DomSink::<true>::new(page, &NAMES);
            sink.set_pauses_at_scripts(true);
            let mut parser = Parser::new(Builder::new(sink, &options(environment)));
            let mut scripts = Scripts {
                text: page.to_owned(),
                count: 0,
                last: None,
                random,
            };
            let at = |builder: &mut Builder<DomSink<'_, true>>| {
                let script = builder.sink.script()?;
                let tag = script.end_tag().or(script.span()).expect("a tag");
                Some(tag.end as usize)
            };
            match scripts.random.below(2) {
                0 => scripts.feed(&mut parser, page, at),
                _ => scripts.feed_until_pause(&mut parser, page, at),
            }
            let text = scripts.text;
            let dom = parser.into_sink().into_sink().finish().into_owned();
            (text, dom)
        })*
    };
}

speclex_tokenizers::for_each_tree!(builders);

/// The scripts of a page.
struct Scripts<'r> {
    /// The page with all that was written.
    text: String,
    count: usize,
    /// Where the last one ends.
    last: Option<usize>,
    random: &'r mut Random,
}

impl Scripts<'_> {
    /// Runs the script that the parser has paused behind, at a place of the page, if it has not run: whether it has now. It mostly
    /// writes, and may write another script.
    fn run<M: Machine>(&mut self, parser: &mut Tokenizer<M>, at: Option<usize>) -> bool {
        let Some(end) = at.filter(|_| at != self.last) else {
            return false;
        };
        self.last = at;
        self.count += 1;
        if self.count <= 12 && self.random.below(4) > 0 {
            let text = page(self.random, 4);
            // It may end in the midst of a tag.
            let parts = cut(&text, self.random);
            let parts = &parts[..self.random.below(parts.len() + 1)];
            parts.iter().for_each(|part| parser.insert(part));
            self.text.insert_str(end, &parts.concat());
        }
        true
    }

    /// The page comes in pieces, some of them before a script has run on.
    fn feed<M: Machine>(
        &mut self,
        parser: &mut Tokenizer<M>,
        page: &str,
        at: impl Fn(&mut M::Sink) -> Option<usize>,
    ) {
        let mut is_paused = |parser: &mut Tokenizer<M>, result| match result {
            Ok(()) => false,
            Err(FeedError::Paused) => {
                let at = at(parser.sink());
                self.run(parser, at);
                true
            }
            Err(error) => panic!("{error}"),
        };
        let mut order = Random::new(page.len() as u64);
        for piece in cut(page, &mut order) {
            let result = parser.feed(piece);
            let mut pauses = is_paused(parser, result);
            while pauses && order.below(3) > 0 {
                let result = parser.resume();
                pauses = is_paused(parser, result);
            }
        }
        loop {
            let result = parser.end();
            if !is_paused(parser, result) {
                break;
            }
        }
    }

    /// The page comes in pieces, each up to the end of a script.
    fn feed_until_pause<M: Machine>(
        &mut self,
        parser: &mut Tokenizer<M>,
        page: &str,
        at: impl Fn(&mut M::Sink) -> Option<usize>,
    ) {
        for mut rest in cut(page, self.random) {
            loop {
                let used = parser.feed_until_pause(rest).expect("nothing is too large");
                rest = &rest[used..];
                let at = at(parser.sink());
                if !self.run(parser, at) && rest.is_empty() {
                    break;
                }
            }
        }
        while parser.end() == Err(FeedError::Paused) {
            let at = at(parser.sink());
            self.run(parser, at);
        }
    }
}

/// A random page, or some of one, with up to so many scripts.
fn page(random: &mut Random, most: usize) -> String {
    let mut pieces = document(random);
    for _ in 0..random.below(most) {
        let script = match random.below(8) {
            0 => "<svg><script x/></svg>",
            1 => "<svg><script></script>",
            2 => "<script><!--<script></script>-->&amp;</script>",
            3 => "<script>\r\0",
            _ => "<script>x</script>",
        };
        pieces.insert(random.below(pieces.len() + 1), script.to_owned());
    }
    pieces.concat()
}

fn random_pages(wanted: usize) -> Result<(), Failed> {
    let mut random = Random::named("scripts that write");
    let (mut ran, mut wrote) = (0, 0);
    let tables = of_html();
    for (table, run) in BUILDERS.iter().filter(|(table, _)| tables.contains(table)) {
        let pair = Pair::named(table);
        for _ in 0..wanted / tables.len() {
            let page = page(&mut random, 5);
            let environment = Environment {
                scripting: Scripting::Normal,
                ..Environment::default()
            };
            let (text, dom) = run(&page, &environment, &mut random);
            let parsed = pair.parse(&text, &environment)?;
            is_same(&pair, &parsed, &dom, &text, &format!("scripts of {page:?}"))?;
            ran += 1;
            wrote += usize::from(text != page);
        }
    }
    assert!(
        wrote > ran / 3,
        "only {wrote} of {ran} pages have scripts that write"
    );
    Ok(())
}

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("builders: scripts that write", || random_pages(6_000));
    suite.add_ignored("builders: many scripts that write", || {
        random_pages(100_000)
    });
}
