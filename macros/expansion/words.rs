// What `tokenizer!` makes of tests/ui/tables/words.yaml.

/// Words.
pub mod words {
    #[allow(unused_imports)]
    use ::core::option::Option::{self, None, Some};
    use ::speclex::rt::{Input, Step};
    /// Contents that the outside may start in or switch to, whatever the states are called.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
        fn from_str(name: &str) -> ::core::result::Result<Self, Self::Err> {
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
        /// Whether parse errors are reported. Off, they cost nothing.
        const ERRORS: bool = false;
        /// Whether errors of the input stream itself (control characters and the like) are
        /// reported. They cost a pass over the input.
        const INPUT_ERRORS: bool = false;
        /// The input at hand: the tokens up to the next call borrow from it what they can. Nothing is at hand
        /// between pieces, when this is empty.
        fn input(&mut self, text: &str) {
            let _ = text;
        }
        /// Character tokens, in pieces: only their concatenation means something.
        fn characters(&mut self, data: &str, span: ::speclex::Span) {
            let _ = (data, span);
        }
        /// The token "word".
        fn word(&mut self, token: &Word<'_>, span: ::speclex::Span) {
            let _ = token;
            let _ = span;
        }
        /// The end-of-file token.
        fn end_of_file(&mut self) {}
        /// A parse error.
        fn error(&mut self, error: ::speclex::ParseError) {
            let _ = error;
        }
    }
    /// The events of a sink that do not depend on the vocabulary.
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Events<S>(pub S);
    impl<S: Sink> ::speclex::rt::Events for Events<S> {
        const ERRORS: bool = S::ERRORS;
        const INPUT_ERRORS: bool = S::INPUT_ERRORS;
        #[inline(always)]
        fn input(&mut self, text: &str) {
            self.0.input(text);
        }
        #[inline(always)]
        fn characters(&mut self, data: &str, span: ::speclex::Span) {
            self.0.characters(data, span);
        }
        #[inline(always)]
        fn error(&mut self, error: ::speclex::ParseError) {
            self.0.error(error);
        }
        #[inline(always)]
        fn end_of_file(&mut self) {
            self.0.end_of_file();
        }
    }
    /// A word token, borrowed from the tokenizer.
    #[derive(Clone, Copy, Debug)]
    pub struct Word<'a> {
        /// The text.
        pub text: &'a str,
    }
    /// A token that owns what it holds.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum Token {
        /// Character tokens that follow each other.
        Characters(::speclex::InlineText<22>),
        /// The token "word".
        Word {
            /// The text.
            text: ::speclex::Text,
        },
        /// The end-of-file token.
        EndOfFile,
    }
    ::speclex::__serialize! {
        Token : 0 Characters(data); 1 Word { text }; 2 EndOfFile;
    }
    impl Token {
        const fn empty_characters() -> Self {
            Self::Characters(::speclex::InlineText::new())
        }
        const fn empty_word() -> Self {
            Self::Word {
                text: ::speclex::Text::new(),
            }
        }
        #[inline(always)]
        fn fill_word(&mut self, token: &Word<'_>) {
            if let Self::Word { text: to_0 } = self {
                to_0.set(token.text);
            }
        }
    }
    /// A sink that makes owned tokens, with adjacent characters joined, and keeps errors.
    #[derive(Debug, Default)]
    pub struct Collector<const ERRORS: bool = false> {
        /// The tokens so far, with their spans.
        pub tokens: ::speclex::rt::Vec<(Token, ::speclex::Span)>,
        /// The errors so far, in the order of reporting.
        pub errors: ::speclex::rt::Vec<::speclex::ParseError>,
    }
    impl<const ERRORS: bool> Collector<ERRORS> {
        #[cold]
        #[inline(never)]
        fn characters_with_room(&mut self, data: &str, span: ::speclex::Span) {
            self.tokens.reserve(1);
            self.characters(data, span);
        }
        #[inline(always)]
        fn push(
            &mut self,
            empty: impl ::core::ops::FnOnce() -> (Token, ::speclex::Span),
            span: ::speclex::Span,
        ) -> ::core::option::Option<&mut Token> {
            self.tokens.extend(::core::iter::once_with(empty));
            let (token, place) = self.tokens.last_mut()?;
            *place = span;
            ::core::option::Option::Some(token)
        }
    }
    impl<const ERRORS: bool> Sink for Collector<ERRORS> {
        const ERRORS: bool = ERRORS;
        const INPUT_ERRORS: bool = ERRORS;
        fn characters(&mut self, data: &str, span: ::speclex::Span) {
            if self.tokens.len() == self.tokens.capacity() {
                return self.characters_with_room(data, span);
            }
            if let ::core::option::Option::Some((Token::Characters(text), whole)) = self
                .tokens
                .last_mut()
            {
                whole.end = span.end;
                text.push_str(data);
            } else if let ::core::option::Option::Some(Token::Characters(text)) = self
                .push(
                    || const { (Token::empty_characters(), ::speclex::rt::NOWHERE) },
                    span,
                )
            {
                text.set(data);
            }
        }
        #[inline]
        fn word(&mut self, token: &Word<'_>, span: ::speclex::Span) {
            let empty = || const { (Token::empty_word(), ::speclex::rt::NOWHERE) };
            if let ::core::option::Option::Some(new) = self.push(empty, span) {
                new.fill_word(token);
            }
        }
        fn end_of_file(&mut self) {
            let end = self.tokens.last().map_or(0, |(_, span)| span.end);
            self.push(
                || (Token::EndOfFile, ::speclex::rt::NOWHERE),
                ::speclex::Span { start: end, end },
            );
        }
        fn error(&mut self, error: ::speclex::ParseError) {
            self.errors.push(error);
        }
    }
    impl<const ERRORS: bool> ::speclex::rt::Queue for Collector<ERRORS> {
        type Token = Token;
        fn tokens(&mut self) -> &mut ::speclex::rt::Vec<(Token, ::speclex::Span)> {
            &mut self.tokens
        }
    }
    /// Where [`Each`] hands owned tokens: a function of a token and its span, or what implements this by itself.
    pub trait TokenSink {
        /// As for a [`Sink`].
        const ERRORS: bool = false;
        /// As for a [`Sink`].
        const INPUT_ERRORS: bool = false;
        /// A token, at the place where it was made: what has just been written piece by piece is slow to move. To keep
        /// it, put another there: `core::mem::replace(token, Token::EndOfFile)`.
        fn token(&mut self, token: &mut Token, span: ::speclex::Span);
        /// A parse error.
        fn error(&mut self, error: ::speclex::ParseError) {
            let _ = error;
        }
    }
    impl<F: ::core::ops::FnMut(&mut Token, ::speclex::Span)> TokenSink for F {
        #[inline]
        fn token(&mut self, token: &mut Token, span: ::speclex::Span) {
            self(token, span)
        }
    }
    /// A sink that makes owned tokens, with adjacent characters joined, and hands each on when it is complete. A
    /// [`Collector`] keeps them in a list and takes longer; a [`Batch`] keeps many together and takes less.
    #[derive(Debug)]
    pub struct Each<T> {
        /// What takes them.
        pub sink: T,
        /// Characters that others may join, if there are any.
        characters: Token,
        has_characters: bool,
        /// Theirs, or that of the last token.
        span: ::speclex::Span,
    }
    impl<T> Each<T> {
        /// Before the first token.
        pub const fn new(sink: T) -> Self {
            Self {
                sink,
                characters: Token::empty_characters(),
                has_characters: false,
                span: ::speclex::rt::NOWHERE,
            }
        }
    }
    impl<T: ::core::default::Default> ::core::default::Default for Each<T> {
        fn default() -> Self {
            Self::new(T::default())
        }
    }
    impl<T: TokenSink> Each<T> {
        #[inline(always)]
        fn hand_on(&mut self, token: &mut Token, span: ::speclex::Span) {
            self.hand_on_characters();
            self.span = span;
            self.sink.token(token, span)
        }
        /// Characters, where the token was kept that had characters before.
        #[cold]
        fn characters_anew(&mut self, data: &str, span: ::speclex::Span) {
            self.characters = Token::empty_characters();
            self.characters(data, span);
        }
        #[inline(always)]
        fn hand_on_characters(&mut self) {
            if self.has_characters {
                self.has_characters = false;
                self.sink.token(&mut self.characters, self.span);
            }
        }
    }
    impl<T: TokenSink> Sink for Each<T> {
        const ERRORS: bool = T::ERRORS;
        const INPUT_ERRORS: bool = T::INPUT_ERRORS;
        fn characters(&mut self, data: &str, span: ::speclex::Span) {
            let Token::Characters(text) = &mut self.characters else {
                return self.characters_anew(data, span);
            };
            if self.has_characters {
                text.push_str(data);
            } else {
                self.has_characters = true;
                self.span.start = span.start;
                text.set(data);
            }
            self.span.end = span.end;
        }
        #[inline]
        fn word(&mut self, token: &Word<'_>, span: ::speclex::Span) {
            let mut new = const { Token::empty_word() };
            new.fill_word(token);
            self.hand_on(&mut new, span);
        }
        fn end_of_file(&mut self) {
            self.hand_on_characters();
            let end = self.span.end;
            self.hand_on(&mut Token::EndOfFile, ::speclex::Span { start: end, end });
        }
        fn error(&mut self, error: ::speclex::ParseError) {
            self.sink.error(error);
        }
    }
    /// A token that is borrowed from a [`Batch`].
    #[derive(Clone, Copy, Debug)]
    pub enum TokenView<'a> {
        /// Character tokens that follow each other.
        Characters(&'a str),
        /// The token "word".
        Word(Word<'a>),
        /// The end-of-file token.
        EndOfFile,
    }
    impl ::core::convert::From<TokenView<'_>> for Token {
        fn from(token: TokenView<'_>) -> Self {
            match token {
                TokenView::Characters(data) => Self::Characters(data.into()),
                TokenView::Word(token) => {
                    Self::Word {
                        text: token.text.into(),
                    }
                }
                TokenView::EndOfFile => Self::EndOfFile,
            }
        }
    }
    /// The kinds of the tokens in a [`Batch`], with their flags.
    #[doc(hidden)]
    #[allow(missing_docs)]
    #[derive(Clone, Copy, Debug)]
    pub enum BatchKind {
        Characters,
        Word {},
        EndOfFile,
    }
    impl ::speclex::rt::BatchKind for BatchKind {
        type View<'a> = TokenView<'a>;
        const CHARACTERS: Self = Self::Characters;
        const END_OF_FILE: Self = Self::EndOfFile;
        #[inline(always)]
        fn is_characters(self) -> bool {
            ::core::matches!(self, Self::Characters)
        }
        #[inline(always)]
        fn view(self, recorded: ::speclex::rt::Recorded<'_>) -> TokenView<'_> {
            match self {
                Self::Characters => TokenView::Characters(recorded.first()),
                Self::Word {} => TokenView::Word(Word { text: recorded.first() }),
                Self::EndOfFile => TokenView::EndOfFile,
            }
        }
    }
    /// A sink that keeps many tokens together, with adjacent characters joined: all characters in one string.
    /// Reading it yields [`TokenView`]s.
    pub type Batch<const ERRORS: bool = false> = ::speclex::Batch<BatchKind, ERRORS>;
    impl<const ERRORS: bool> Sink for ::speclex::Batch<BatchKind, ERRORS> {
        const ERRORS: bool = ERRORS;
        const INPUT_ERRORS: bool = ERRORS;
        fn input(&mut self, text: &str) {
            self.store().input(text);
        }
        fn characters(&mut self, data: &str, span: ::speclex::Span) {
            self.store().characters(data, span);
        }
        #[inline]
        fn word(&mut self, token: &Word<'_>, span: ::speclex::Span) {
            self.store().token(BatchKind::Word {}, span, token.text);
        }
        fn end_of_file(&mut self) {
            self.store().end_of_file();
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
        /// Makes it independent of the input, which is about to go.
        pub fn detach(&mut self, input: ::speclex::rt::Input<'_>) {
            self.text.detach(input);
        }
    }
    /// The tokens under construction.
    #[doc(hidden)]
    #[allow(missing_docs)]
    #[derive(Debug, Default)]
    pub struct Tokens {
        pub word: WordUnderConstruction,
    }
    const _: () = ::speclex::rt::assert_format(1);
    /// A tokenizer for Words with white space between them.
    pub type Tokenizer<S> = ::speclex::Tokenizer<Machine<S>>;
    /// The tokens of a text in memory, one after the other, without their errors.
    pub fn tokens(text: &str) -> ::speclex::Tokens<'_, Machine<Collector>> {
        ::speclex::Tokens::new(text)
    }
    /// The states, the steps that end several arms, and where the machine waits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum State {
        /// between words
        BetweenWords,
        /// word
        Word,
        /// More input is needed, or there is a pause.
        Suspended,
    }
    /// The codes of the parse errors.
    #[allow(missing_docs, dead_code)]
    pub mod errors {
        use ::speclex::ErrorCode;
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
    impl<S: Sink> Machine<S> {
        /// Emits the word token; `end` is where it ends.
        #[inline(always)]
        fn emit_word(&mut self, input: Input<'_>, at: usize, end: usize) {
            let _ = at;
            self.core.flush(input);
            let span = self.core.span(end);
            self.core.emitted(end);
            self.core.events.0.word(&self.tokens.word.view(input), span);
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
        fn at_end(
            &mut self,
            input: Input<'_>,
            from: Step<State>,
        ) -> Option<Step<State>> {
            let step = at_end(self, input, from)?;
            Some(
                if step.state == State::Suspended {
                    Step::to(self.resume, step.at)
                } else {
                    step
                },
            )
        }
        fn detach(&mut self, input: Input<'_>, state: State) {
            let _ = (input, state);
            match state {
                State::Word => {
                    self.tokens.word.detach(input);
                }
                _ => {}
            }
        }
        fn input_errors(&mut self, _text: &str, _offset: u64) {}
    }
    /// Runs until more input is needed or there is a pause. The hot states are tried in the order
    /// in which documents go through them.
    fn run<S: Sink>(
        t: &mut Machine<S>,
        input: Input<'_>,
        from: Step<State>,
    ) -> Step<State> {
        let mut step = from;
        loop {
            if step.state == State::BetweenWords {
                step = between_words(t, input, step.at);
            } else {
                step.state = ::speclex::rt::apart(step.state);
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
    fn between_words<S: Sink>(
        t: &mut Machine<S>,
        input: Input<'_>,
        at: usize,
    ) -> Step<State> {
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
        let _ = input;
        match from.state {
            State::BetweenWords => {
                t.core.end_of_file(input);
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
            const RANGES: &'static [(u8, u8)] = &[
                (0x00, 0x09),
                (0x0B, 0x1F),
                (b'!', 0xFF),
            ];
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
