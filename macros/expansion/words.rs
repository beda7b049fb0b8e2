// What `tokenizer!` makes of tests/ui/tables/words.yaml.

/// Words.
pub mod words {
    #[allow(unused_imports)]
    use ::core::option::Option::{self, None, Some};
    use ::speclex::rt::{Input, Step};
    /// Contents that the outside may start in or switch to, whatever the states are called.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Content {
        /// What the text calls data.
        Data,
    }
    impl Content {
        /// The content's name in tables.
        pub const fn as_str(self) -> &'static str {
            match self {
                Self::Data => "data",
            }
        }
    }
    impl ::core::str::FromStr for Content {
        type Err = ::speclex::UnknownContent;
        fn from_str(name: &str) -> ::core::result::Result<Self, ::speclex::UnknownContent> {
            ::core::result::Result::Ok(
                match name {
                    "data" => Self::Data,
                    _ => return ::core::result::Result::Err(::speclex::UnknownContent),
                },
            )
        }
    }
    /// Where tokens go. Every method has a default that does nothing.
    pub trait Sink {
        /// Whether [`Self::error`] is called. Set it to `false` in a sink that wants no parse errors: then they
        /// cost nothing.
        const ERRORS: bool = true;
        /// Whether [`Self::error`] is also called for errors of the input stream itself (control characters and
        /// the like). They cost a pass over the input.
        const INPUT_ERRORS: bool = false;
        /// Whether an error comes behind all text before it. Off, text that has not come to its end may come behind
        /// errors in it and behind it.
        const ERRORS_IN_ORDER: bool = false;
        /// Whether each U+0000 in the text comes in a separate call.
        const NULLS_ALONE: bool = false;
        /// Character tokens, in pieces: only their concatenation means something.
        fn characters(&mut self, data: &str, span: ::speclex::Span) {
            let _ = (data, span);
        }
        /// The token "word".
        fn word(&mut self, token: &Word<'_>, span: ::speclex::Span) {
            let _ = token;
            let _ = span;
        }
        /// The end-of-file token, and where the input ended, in bytes: it comes when the caller says that the input has
        /// ended.
        fn end_of_file(&mut self, at: u64) {
            let _ = at;
        }
        /// A parse error, if [`Self::ERRORS`] and [`Self::INPUT_ERRORS`] do not turn it off.
        ///
        /// Errors come in one order however the input is cut: those of states as the states report them, and one of the
        /// input stream before the first of those at a greater offset.
        fn error(&mut self, error: ::speclex::ParseError) {
            let _ = error;
        }
        /// The token that comes next exceeds a limit: it comes with what fits or, if it is to be dropped, not at all; a tag
        /// without attributes.
        fn exceeded(&mut self, exceeded: ::speclex::Exceeded) {
            let _ = exceeded;
        }
    }
    /// The events of a sink that do not depend on the vocabulary.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Events<S>(pub S);
    impl<S: Sink> ::speclex::rt::Events for Events<S> {
        const ERRORS: bool = S::ERRORS;
        const INPUT_ERRORS: bool = S::INPUT_ERRORS;
        const ERRORS_IN_ORDER: bool = S::ERRORS_IN_ORDER;
        #[inline(always)]
        fn characters(&mut self, data: &str, span: ::speclex::Span) {
            self.0.characters(data, span);
        }
        #[inline(always)]
        fn error(&mut self, error: ::speclex::ParseError) {
            self.0.error(error);
        }
        #[inline(always)]
        fn end_of_file(&mut self, at: u64) {
            self.0.end_of_file(at);
        }
        fn exceeded(&mut self, exceeded: ::speclex::Exceeded) {
            self.0.exceeded(exceeded);
        }
    }
    /// A word token, borrowed from the tokenizer.
    #[derive(Clone, Copy, Debug)]
    #[non_exhaustive]
    pub struct Word<'a> {
        /// The text.
        pub text: &'a str,
    }
    /// A token with strings of its own or of the text.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum Token<'t> {
        /// Character tokens that follow each other.
        Characters(::speclex::rt::Cow<'t, str>),
        /// The token "word".
        Word {
            /// The text.
            text: ::speclex::rt::Cow<'t, str>,
        },
        /// The end-of-file token.
        EndOfFile,
    }
    impl Token<'_> {
        /// The token with strings of its own.
        pub fn into_owned(self) -> Token<'static> {
            match self {
                Self::Characters(data) => Token::Characters(::speclex::rt::own_string(data)),
                Self::Word { text } => {
                    Token::Word {
                        text: ::speclex::rt::own_string(text),
                    }
                }
                Self::EndOfFile => Token::EndOfFile,
            }
        }
    }
    ::speclex::__serialize! {
        Token : 0 Characters(data); 1 Word { text }; 2 EndOfFile;
    }
    /// A sink that keeps tokens with strings of their own, with adjacent characters joined, and errors.
    pub type Collector<const ERRORS: bool = false> = ::speclex::rt::Collector<
        Token<'static>,
        ::speclex::rt::Copied,
        ERRORS,
    >;
    impl<'t, S: ::speclex::rt::Source<'t>, const ERRORS: bool> Sink
    for ::speclex::rt::Collector<Token<'t>, S, ERRORS> {
        const ERRORS: bool = ERRORS;
        const INPUT_ERRORS: bool = ERRORS;
        fn exceeded(&mut self, exceeded: ::speclex::Exceeded) {
            self.exceeded.push(exceeded);
        }
        fn characters(&mut self, data: &str, span: ::speclex::Span) {
            self.push_characters(
                data,
                span,
                Token::Characters,
                |token| match token {
                    Token::Characters(text) => ::core::option::Option::Some(text),
                    _ => ::core::option::Option::None,
                },
            );
        }
        #[inline]
        fn word(&mut self, token: &Word<'_>, span: ::speclex::Span) {
            let own_text = ::speclex::rt::Collector::string(self, token.text);
            self.push(|| Token::Word { text: own_text }, span);
        }
        fn end_of_file(&mut self, at: u64) {
            self.push(
                || Token::EndOfFile,
                ::speclex::Span {
                    start: at,
                    end: at,
                },
            );
        }
        fn error(&mut self, error: ::speclex::ParseError) {
            self.errors.push(error);
        }
    }
    /// A word token under construction.
    #[doc(hidden)]
    #[allow(missing_docs)]
    #[derive(Debug, Default)]
    pub struct WordUnderConstruction {
        pub text: ::speclex::rt::Buffer,
    }
    impl WordUnderConstruction {
        /// Makes all fields what they are on creation; the next characters come from `at`.
        #[inline(always)]
        pub fn create(&mut self, at: usize) {
            let _ = at;
            self.text.clear(at);
        }
        /// What a sink gets to see.
        #[inline(always)]
        pub fn view<'a>(&'a self, input: ::speclex::rt::Input<'a>) -> Word<'a> {
            Word { text: self.text.get(input) }
        }
        /// Whether it is left out: it exceeds a limit, or the sink does not want it.
        pub fn is_dropped(&self) -> bool {
            self.text.is_dropped()
        }
        /// Makes it independent of the input, which is about to go.
        pub fn detach(&mut self, input: ::speclex::rt::Input<'_>, held: &mut ::speclex::rt::Held) {
            held.start_token(::speclex::rt::TokenKind::Other);
            self.text.detach(input, held);
            held.end_token();
        }
    }
    /// The tokens under construction.
    #[doc(hidden)]
    #[allow(missing_docs)]
    #[derive(Debug, Default)]
    pub struct Tokens {
        pub word: WordUnderConstruction,
    }
    impl Tokens {
        /// Makes all of them what they are at first. What was allocated is kept.
        pub fn reset(&mut self) {
            self.word.create(0);
        }
    }
    const _: () = ::speclex::rt::assert_format(7);
    /// A tokenizer for Words with white space between them.
    pub type Tokenizer<S> = ::speclex::Tokenizer<Machine<S>>;
    /// The tokens of a text in memory, one after the other, without their errors.
    pub fn tokens(
        text: &str,
    ) -> ::speclex::Tokens<
        '_,
        Machine<::speclex::rt::Collector<Token<'_>, ::speclex::rt::Borrowed<'_>>>,
    > {
        ::speclex::Tokens::new(text)
    }
    /// The states, the steps that end several arms, and where the machine waits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum State {
        /// between words
        BetweenWords,
        /// word
        Word,
        /// More input is needed, or there is a pause.
        Suspended,
    }
    /// The codes of the parse errors, and what people are told of them.
    #[allow(missing_docs, dead_code)]
    pub mod errors {
        /// An error as people read it. `text` is the whole input.
        pub fn explain(error: ::speclex::ParseError, text: &str) -> ::speclex::Explained {
            static EXPLANATIONS: ::speclex::rt::Explanations = ::speclex::rt::Explanations {
                sentences: &[],
                links: &[],
                link: ::core::option::Option::None,
            };
            ::speclex::Explained::new(error, text, &EXPLANATIONS)
        }
    }
    /// The machine: registers, and tokens under construction.
    #[derive(Debug)]
    pub struct Machine<S> {
        core: ::speclex::rt::Core<Events<S>>,
        tokens: Tokens,
        /// The state to go on with when there is more input.
        resume: State,
    }
    impl<S: Sink> Machine<S> {
        fn with_sink(sink: S) -> Self {
            Self {
                core: ::speclex::rt::Core::new(Events(sink)),
                tokens: ::core::default::Default::default(),
                resume: State::BetweenWords,
            }
        }
        fn reset(&mut self) {
            self.core.reset();
            self.tokens.reset();
            self.resume = State::BetweenWords;
        }
        /// Waits for more input in a state.
        #[inline(always)]
        fn suspend(&mut self, state: State, at: usize) -> Step<State> {
            self.resume = state;
            Step::to(State::Suspended, at)
        }
        fn enter(&mut self, content: Content) -> Option<State> {
            Some(
                match content {
                    Content::Data => State::BetweenWords,
                },
            )
        }
    }
    impl<S: Sink, T: Sink> ::speclex::rt::Exchange<T> for Machine<S> {
        type With = Machine<T>;
        fn exchange(self, sink: T) -> (Machine<T>, S) {
            let (core, before) = self.core.exchange(Events(sink));
            let machine = Machine {
                core,
                tokens: self.tokens,
                resume: self.resume,
            };
            (machine, before.0)
        }
    }
    /// What a tokenizer is like between two tokens.
    pub type Checkpoint = ::speclex::Checkpoint<State, ()>;
    impl<S: Sink> Machine<S> {
        /// Emits the word token; `end` is where it ends.
        #[inline(always)]
        fn emit_word(&mut self, input: Input<'_>, _at: usize, end: usize) {
            self.core.flush(input);
            let span = self.core.span(end);
            self.core.emitted(end);
            if !self.tokens.word.is_dropped() {
                self.core.events.0.word(&self.tokens.word.view(input), span);
            }
        }
    }
    impl<S: Sink> ::speclex::rt::Machine for Machine<S> {
        type State = State;
        type Content = Content;
        type Sink = S;
        type Events = Events<S>;
        const DROP_BOM: bool = false;
        fn new(sink: S) -> Self {
            Self::with_sink(sink)
        }
        fn reset(&mut self) {
            Self::reset(self);
        }
        fn sink(&mut self) -> &mut S {
            &mut self.core.events.0
        }
        fn into_sink(self) -> S {
            self.core.events.0
        }
        fn core(&mut self) -> &mut ::speclex::rt::Core<Events<S>> {
            &mut self.core
        }
        fn initial() -> State {
            State::BetweenWords
        }
        fn enter(&mut self, content: Content) -> Option<State> {
            Self::enter(self, content)
        }
        fn run(&mut self, input: Input<'_>, from: Step<State>) -> Step<State> {
            let step = run(self, input, from);
            Step::to(self.resume, step.at)
        }
        fn at_end(&mut self, input: Input<'_>, from: Step<State>) -> Option<Step<State>> {
            let step = at_end(self, input, from)?;
            Some(
                if step.state == State::Suspended {
                    Step::to(self.resume, step.at)
                } else {
                    step
                },
            )
        }
        fn detach(&mut self, input: Input<'_>, state: State, held: &mut ::speclex::rt::Held) {
            match state {
                State::Word => {
                    held.construct();
                    self.tokens.word.detach(input, held);
                }
                _ => {}
            }
        }
        type Registers = ();
        const LOOKED_BEHIND: &'static [&'static str] = &[];
        const ASKS_START_TAG: bool = false;
        fn is_content(state: State) -> bool {
            ::core::matches!(state, State::BetweenWords)
        }
        fn registers(&self, state: State) -> Option<()> {
            ::core::matches!(state, State::BetweenWords).then_some(())
        }
        fn set_registers(&mut self, _registers: &()) {}
        fn input_error(_text: &str, _from: usize) -> Option<(usize, ::speclex::ErrorCode)> {
            None
        }
    }
    /// Runs until more input is needed or there is a pause. The hot states are tried in the order
    /// in which documents go through them.
    fn run<S: Sink>(t: &mut Machine<S>, input: Input<'_>, from: Step<State>) -> Step<State> {
        let mut step = from;
        loop {
            if step.state == State::BetweenWords {
                step = between_words(t, input, step.at);
            } else {
                step.state = ::speclex::rt::opaque(step.state);
            }
            if step.state == State::Word {
                step = word(t, input, step.at);
            }
            if step.state == State::Suspended {
                return step;
            }
        }
    }
    /// Between words state
    #[inline(always)]
    fn between_words<S: Sink>(t: &mut Machine<S>, input: Input<'_>, at: usize) -> Step<State> {
        match input.byte(at) {
            Some(b'\n' | b' ') => {
                Step::to(
                    State::BetweenWords,
                    ::speclex::rt::scan::find::<
                        sets::BetweenWordsIgnoring,
                    >(input.bytes(), at + 1),
                )
            }
            Some(_) => {
                t.core.start_token(at);
                t.tokens.word.create(at);
                word(t, input, at)
            }
            None => t.suspend(State::BetweenWords, at),
        }
    }
    /// Word state
    #[inline(always)]
    fn word<S: Sink>(t: &mut Machine<S>, input: Input<'_>, at: usize) -> Step<State> {
        let end = ::speclex::rt::scan::find::<sets::Word>(input.bytes(), at);
        t.tokens.word.text.push_run(input, at, end);
        let at = end;
        match input.byte(at) {
            Some(b'\n' | b' ') => {
                t.emit_word(input, at, at);
                Step::to(State::BetweenWords, at)
            }
            Some(_) => {
                let end = input.after(at);
                t.tokens.word.text.push_run(input, at, end);
                Step::to(State::Word, end)
            }
            None => t.suspend(State::Word, at),
        }
    }
    /// What each state does at the end of the input.
    #[cold]
    fn at_end<S: Sink>(
        t: &mut Machine<S>,
        input: Input<'_>,
        from: Step<State>,
    ) -> Option<Step<State>> {
        let at = from.at;
        match from.state {
            State::BetweenWords => {
                t.core.end_of_file(input, at);
                None
            }
            State::Word => {
                t.emit_word(input, at, at);
                Some(Step::to(State::BetweenWords, at))
            }
            _ => None,
        }
    }
    /// The bytes at which states stop skipping.
    mod sets {
        pub(super) struct BetweenWordsIgnoring;
        impl ::speclex::rt::scan::Set for BetweenWordsIgnoring {
            const RANGES: &'static [(u8, u8)] = &[(0x00, 0x09), (0x0B, 0x1F), (b'!', 0xFF)];
        }
        pub(super) struct Word;
        impl ::speclex::rt::scan::Set for Word {
            const RANGES: &'static [(u8, u8)] = &[(0x0A, 0x0A), (b' ', b' ')];
        }
    }
    const _: &[u8] = ::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"),
        "/../tests/ui/tables/words.yaml")
    );
}
