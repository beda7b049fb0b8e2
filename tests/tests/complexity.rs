//! What a tokenizer does grows as its input does, whatever the input, the chunks, the way it is fed and the way its tokens are
//! taken: no clock is asked. Counted are the bytes that are allocated, those that the machine and its look-aheads go over, and
//! those that are searched for errors of the input stream.

use std::cell::Cell;
use std::sync::Mutex;

use allocation_counter::AllocationInfo;
use speclex::markup::{Answer, Content, Sink, Tag};
use speclex::rt::{Borrowed, Core, Held, Input, Machine, Queue, Step, looked_at};
use speclex::{ErrorCode, FeedError, Limit, Limits, Span, Tokenizer, Tokens};
use speclex_tests::fuzz::case::{self, Case};
use speclex_tests::fuzz::drive::Recorder;
use speclex_tokenizers::{html_2009, html_living, xml5};

/// How long the shorter input of a family is: between two powers of two, for what grows by doubling.
const LENGTH: usize = 12_000;

/// How much longer the other one is.
const FACTOR: u64 = 4;

/// What is done may grow by so many tenths.
const GROWTH: u64 = 44;

const CHUNKS: [usize; 3] = [1, 64, 4096];

/// Look-aheads count for the whole process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

thread_local! {
    static GONE_OVER: Cell<u64> = const { Cell::new(0) };
}

fn go_over(bytes: usize) {
    GONE_OVER.set(GONE_OVER.get() + bytes as u64);
}

/// Counts the bytes that a machine goes over.
struct Counting<M>(M);

impl<M: Machine> Machine for Counting<M> {
    type State = M::State;
    type Content = M::Content;
    type Sink = M::Sink;
    type Events = M::Events;
    type Registers = M::Registers;

    const DROP_BOM: bool = M::DROP_BOM;
    const LOOKED_BEHIND: &'static [&'static str] = M::LOOKED_BEHIND;
    const ASKS_START_TAG: bool = M::ASKS_START_TAG;

    fn new(sink: Self::Sink) -> Self {
        Self(M::new(sink))
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn sink(&mut self) -> &mut Self::Sink {
        self.0.sink()
    }

    fn into_sink(self) -> Self::Sink {
        self.0.into_sink()
    }

    fn core(&mut self) -> &mut Core<Self::Events> {
        self.0.core()
    }

    fn initial() -> Self::State {
        M::initial()
    }

    fn enter(&mut self, content: Self::Content) -> Option<Self::State> {
        self.0.enter(content)
    }

    fn run(&mut self, input: Input<'_>, from: Step<Self::State>) -> Step<Self::State> {
        let step = self.0.run(input, from);
        // A byte for the call itself.
        go_over(1 + step.at.abs_diff(from.at));
        step
    }

    fn keep(&mut self, step: Step<Self::State>) -> usize {
        self.0.keep(step)
    }

    fn at_end(&mut self, input: Input<'_>, from: Step<Self::State>) -> Option<Step<Self::State>> {
        self.0.at_end(input, from)
    }

    fn detach(&mut self, input: Input<'_>, state: Self::State, held: &mut Held) {
        self.0.detach(input, state, held);
    }

    fn is_content(state: Self::State) -> bool {
        M::is_content(state)
    }

    fn registers(&self, state: Self::State) -> Option<Self::Registers> {
        self.0.registers(state)
    }

    fn set_registers(&mut self, registers: &Self::Registers) {
        self.0.set_registers(registers);
    }

    fn input_error(text: &str, from: usize) -> Option<(usize, ErrorCode)> {
        let error = M::input_error(text, from);
        go_over(error.map_or(text.len(), |error| error.0) - from);
        error
    }
}

/// A family of inputs.
struct Family {
    name: &'static str,
    first: &'static str,
    /// `#` is another number each time.
    repeated: &'static str,
    content: Content,
    has_long_name: bool,
}

const fn family(name: &'static str, first: &'static str, repeated: &'static str) -> Family {
    Family {
        name,
        first,
        repeated,
        content: Content::Data,
        has_long_name: false,
    }
}

impl Family {
    const fn in_content(self, content: Content) -> Self {
        Self { content, ..self }
    }

    const fn with_a_long_name(self) -> Self {
        Self {
            has_long_name: true,
            ..self
        }
    }

    fn input(&self, length: usize) -> String {
        let mut input = self.first.to_owned();
        for number in 0.. {
            if input.len() >= length {
                break;
            }
            input += &self.repeated.replace('#', &format!("{number:06}"));
        }
        input
    }
}

const FAMILIES: &[Family] = &[
    family("text", "", "text "),
    family("elements", "", "<i a=b>c</i>"),
    family("a long name", "<", "a"),
    family("names in names", "", "<a"),
    family("attributes", "<i", " a#=b"),
    family("attributes with the same name", "<i", " a=b"),
    family("names that start with each other", "<i a", "a a"),
    family("upper-case letters", "<A", "A"),
    family("an unfinished value", "<i a='", "x"),
    family("an unfinished value with references", "<i a='", "x&amp;"),
    family(
        "an unfinished value with references without end",
        "<i a='",
        "&x",
    ),
    family("an unfinished comment", "<!--", "x"),
    family("dashes in a comment", "<!--", "-"),
    family("starts of comments", "", "<!<!"),
    family("comments", "", "<!-->"),
    family("an unfinished DOCTYPE", "<!DOCTYPE ", "x"),
    family("an unfinished identifier", "<!DOCTYPE a PUBLIC '", "x"),
    family("keywords in a DOCTYPE", "<!DOCTYPE a ", "PUBLI"),
    family("an unfinished subset", "<!DOCTYPE a [", "<!ENTITY b 'c'>"),
    family("an unfinished processing instruction", "<?a ", "?"),
    family("an entity name without end", "<b>&", "a"),
    family("digits of a reference", "&#", "9"),
    family("ampersands", "", "&"),
    family(
        "starts of long references",
        "",
        "&CounterClockwiseContourIntegra",
    ),
    family("CR", "", "\r"),
    family("CR LF", "", "\r\n"),
    family("NUL", "", "\0"),
    family("errors of the input stream", "", "\u{1}"),
    family("pauses", "", "<p>\u{1}</p>"),
    family("pauses in text", "", "<p>text &amp; text"),
    family("brackets", "<a><![CDATA[", "]"),
    family("brackets in a section", "", "]]").in_content(Content::CdataSection),
    family("end tags that never are", "", "</scrip").in_content(Content::ScriptData),
    family("escapes in a script", "", "<!--<script").in_content(Content::ScriptData),
    family("look-behind", "", "<!-").in_content(Content::Rcdata),
    family("a long last start tag", "x</", "a")
        .in_content(Content::Rcdata)
        .with_a_long_name(),
    family(
        "long last start tags",
        "",
        "</aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    )
    .in_content(Content::Rcdata)
    .with_a_long_name(),
];

/// How the input comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Feeding {
    /// `feed`, and `resume` at each pause.
    Text,
    /// `feed_bytes`, and `resume` at each pause.
    Bytes,
    /// During a pause, before it ends.
    Paused,
    /// At the insertion point during a pause.
    Inserted,
}

const FEEDINGS: [Feeding; 4] = [
    Feeding::Text,
    Feeding::Bytes,
    Feeding::Paused,
    Feeding::Inserted,
];

/// A sink that keeps nothing and pauses at each `p`.
struct Listener;

impl Sink for Listener {
    const ERRORS: bool = true;
    const INPUT_ERRORS: bool = true;

    fn start_tag(&mut self, tag: &Tag<'_>, _: Span) -> Answer {
        match tag.name {
            "p" => Answer::Pause,
            _ => Answer::Continue,
        }
    }
}

/// A sink that collects and pauses at each other tag; the inputs of pauses have nothing else.
fn recorder(input: &str) -> Recorder {
    let count = 1 + input.matches('<').count();
    let pauses = input.contains("<p>");
    let answer = |index| match index {
        0 => case::Answer::Pause,
        index if pauses && index % 2 == 1 => case::Answer::Pause,
        _ => case::Answer::Continue,
    };
    Recorder::new(&Case {
        answers: (0..count).map(answer).collect(),
        ..Case::default()
    })
}

/// What is done for an input.
fn work(run: impl FnOnce()) -> u64 {
    let _guard = ONE_AT_A_TIME.lock();
    GONE_OVER.set(0);
    let looked_before = looked_at();
    let allocated: AllocationInfo = allocation_counter::measure(run);
    allocated.bytes_total + GONE_OVER.get() + (looked_at() - looked_before) as u64
}

fn feed<M>(sink: M::Sink, family: &Family, input: &str, feeding: Feeding, chunk: usize) -> u64
where
    M: Machine<Content = Content>,
{
    let name = "a".repeat(if family.has_long_name { input.len() } else { 1 });
    work(|| {
        let mut tokenizer = Tokenizer::<Counting<M>>::new(sink);
        // With a pause of which nothing depends on the family.
        let waits = matches!(feeding, Feeding::Paused | Feeding::Inserted);
        if waits {
            assert_eq!(tokenizer.feed("<p>"), Err(FeedError::Paused));
        }
        // A table without such a content starts where it starts.
        let _ = tokenizer.enter(family.content);
        if family.has_long_name {
            tokenizer.set_last_start_tag(&name);
        }
        let chunks = input.as_bytes().chunks(chunk);
        let text = |bytes| std::str::from_utf8(bytes).expect("ASCII");
        match feeding {
            Feeding::Text => chunks.for_each(|chunk| {
                let mut status = tokenizer.feed(text(chunk));
                while status == Err(FeedError::Paused) {
                    status = tokenizer.resume();
                }
            }),
            Feeding::Bytes => chunks.for_each(|chunk| {
                let mut status = tokenizer.feed_bytes(chunk);
                while status == Err(FeedError::Paused) {
                    status = tokenizer.resume();
                }
            }),
            Feeding::Paused => chunks.for_each(|chunk| {
                assert_eq!(tokenizer.feed(text(chunk)), Err(FeedError::Paused));
            }),
            Feeding::Inserted => chunks.for_each(|chunk| tokenizer.insert(text(chunk))),
        }
        while tokenizer.end() == Err(FeedError::Paused) {}
        assert_eq!(tokenizer.end(), Ok(()));
        drop(tokenizer.into_sink());
    })
}

/// The iterator, which takes all of the text.
fn iterate<'t, M>(family: &Family, input: &'t str) -> u64
where
    M: Machine<Sink: Queue<'t>, Content = Content>,
{
    let name = "a".repeat(if family.has_long_name { input.len() } else { 1 });
    work(|| {
        let mut tokens = Tokens::<Counting<M>>::new(input);
        let _ = tokens.tokenizer().enter(family.content);
        if family.has_long_name {
            tokens.tokenizer().set_last_start_tag(&name);
        }
        assert!(tokens.by_ref().last().is_some());
        assert_eq!(tokens.error(), None);
    })
}

/// Compares what is done for an input and for a longer one.
fn check(what: &str, work: impl Fn(&str) -> u64, [short, long]: &[String; 2]) -> Option<String> {
    let [before, after] = [short, long].map(|input| work(input));
    // What does not depend on the length counts as if it did.
    (after * 10 > before * GROWTH).then(|| {
        let growth = after as f64 / before as f64;
        format!("{what}: {before} and {after} bytes, {growth:.1} times as many")
    })
}

macro_rules! linear {
    ($($module:ident),* $(,)?) => {$(
        #[test]
        fn $module() {
            use $module::Machine;
            type Iterated<'t> = Machine<
                speclex::rt::Collector<speclex::markup::Token<'t>, Borrowed<'t>>
            >;
            let mut wrong = Vec::new();
            for family in FAMILIES {
                let lengths = [LENGTH, LENGTH * FACTOR as usize];
                let inputs = lengths.map(|length| family.input(length));
                for (feeding, chunk) in
                    FEEDINGS.into_iter().flat_map(|f| CHUNKS.map(|chunk| (f, chunk)))
                {
                    let what = format!("{}, {feeding:?} by {chunk}", family.name);
                    wrong.extend(check(&format!("{what}, a sink"), |input| {
                        feed::<Machine<Listener>>(Listener, family, input, feeding, chunk)
                    }, &inputs));
                    wrong.extend(check(&format!("{what}, a collector"), |input| {
                        let sink = recorder(input);
                        feed::<Machine<Recorder>>(sink, family, input, feeding, chunk)
                    }, &inputs));
                }
                wrong.extend(check(&format!("{}, the iterator", family.name), |input| {
                    // The machine's type names the text's lifetime.
                    iterate::<Iterated<'_>>(family, input)
                }, &inputs));
            }
            assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        }
    )*};
}
linear!(html_2009, html_living, xml5);

/// What is kept of a token that does not end: never more than a few times the limit, and a chunk.
#[test]
fn an_unfinished_token_is_bounded_by_the_limits() {
    const LIMIT: usize = 1 << 12;
    const TIMES: usize = 8;
    let limits = Limits::MAX.with_token_bytes(LIMIT).with_attributes(LIMIT);
    for family in FAMILIES {
        let input = family.input(LIMIT << 6);
        for chunk in [1, 64, 4096, 1 << 16] {
            let mut result = Ok(());
            let memory = allocation_counter::measure(|| {
                let mut tokenizer = html_living::Tokenizer::new(Listener);
                tokenizer.set_limits(limits);
                for chunk in input.as_bytes().chunks(chunk) {
                    result = tokenizer.feed_bytes(chunk);
                    while result == Err(FeedError::Paused) {
                        result = tokenizer.resume();
                    }
                }
            });
            let most = (TIMES * LIMIT + chunk) as u64;
            assert!(
                memory.bytes_max <= most,
                "{} by {chunk}: {} bytes, not {most}; {result:?}",
                family.name,
                memory.bytes_max
            );
        }
    }
    // It is the limit that bounds them.
    let mut tokenizer = html_living::Tokenizer::new(Listener);
    tokenizer.set_limits(limits);
    let error = tokenizer.feed(&("<i a='".to_owned() + &"x".repeat(LIMIT)));
    assert_eq!(
        error,
        Err(FeedError::TooLarge {
            limit: Limit::TokenBytes,
            allowed: LIMIT,
            offset: 0
        })
    );
}
