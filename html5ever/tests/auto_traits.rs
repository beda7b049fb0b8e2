//! The crate's types have the auto traits of html5ever's own, so that code that moves one into `catch_unwind` compiles as before.

use std::cell::{Cell, RefCell};
use std::marker::{PhantomData, PhantomPinned};
use std::panic::{RefUnwindSafe, UnwindSafe, catch_unwind};
use std::rc::Rc;

use html5ever::tree_builder::{TreeBuilder, TreeSink};
use markup5ever_rcdom::RcDom;
use speclex_html5ever::tokenizer::{
    BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};
use speclex_html5ever::{Parser, Spans};

/// Whether a type has a trait: then the constant of `Probe` hides that of `No`.
macro_rules! has {
    ($type:ty, $trait:path) => {{
        #[allow(dead_code)]
        trait No {
            const HAS: bool = false;
        }
        struct Probe<T>(PhantomData<T>);
        impl<T> No for Probe<T> {}
        #[allow(dead_code)]
        impl<T: $trait> Probe<T> {
            const HAS: bool = true;
        }
        Probe::<$type>::HAS
    }};
}

macro_rules! auto_traits {
    ($type:ty) => {
        [
            ("Send", has!($type, Send)),
            ("Sync", has!($type, Sync)),
            ("UnwindSafe", has!($type, UnwindSafe)),
            ("RefUnwindSafe", has!($type, RefUnwindSafe)),
            ("Unpin", has!($type, Unpin)),
        ]
    };
}

macro_rules! tokenizers_are_alike {
    ($($sink:ty),*) => {
        $(assert_eq!(
            auto_traits!(Tokenizer<$sink>),
            auto_traits!(html5ever::tokenizer::Tokenizer<$sink>),
            "{}",
            stringify!($sink)
        );)*
    };
}

#[test]
fn auto_traits_are_those_of_html5ever() {
    tokenizers_are_alike!(
        (),
        RefCell<Vec<String>>,
        Rc<Cell<u8>>,
        &'static Cell<u8>,
        &'static mut u8,
        PhantomPinned,
        RcDom,
        Spans
    );
    assert_eq!(
        auto_traits!(Parser<RcDom>),
        auto_traits!(html5ever::Parser<RcDom>)
    );
}

/// Compiles only if each parser is unwind safe whose tree builder is.
#[allow(dead_code)]
fn a_parser_is_unwind_safe_if_its_tree_builder_is<S: TreeSink>(
    here: Parser<S>,
    there: html5ever::Parser<S>,
) where
    TreeBuilder<S::Handle, S>: UnwindSafe,
    speclex_html5ever::tree_builder::TreeBuilder<S::Handle, S>: UnwindSafe,
{
    fn check(_: impl UnwindSafe) {}
    check(here);
    check(there);
}

/// Compiles only if each tree builder is whose sink and handles are.
#[allow(dead_code)]
fn a_tree_builder_is_unwind_safe_if_its_sink_is<S: TreeSink + UnwindSafe>(
    here: speclex_html5ever::tree_builder::TreeBuilder<S::Handle, S>,
    there: TreeBuilder<S::Handle, S>,
) where
    S::Handle: UnwindSafe,
{
    fn check(_: impl UnwindSafe) {}
    check(here);
    check(there);
}

/// A sink that panics at the first tag. It has a cell for spans.
struct Panics(Spans);

impl TokenSink for Panics {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        match token {
            Token::TagToken(_) => panic!("a sink may panic: {:?}", self.0),
            _ => TokenSinkResult::Continue,
        }
    }
}

#[test]
fn a_tokenizer_with_spans_can_be_moved_into_catch_unwind() {
    let spans = Spans::new();
    let mut tokenizer = Tokenizer::new(Panics(spans.clone()), TokenizerOpts::default());
    tokenizer.show_spans(&spans);
    let input = BufferQueue::default();
    input.push_back("text <b>".into());
    let caught = catch_unwind(move || tokenizer.feed(&input));
    assert!(caught.is_err());
    // The cell says where that was.
    assert_eq!((spans.token().start, spans.token().end), (5, 8));
}
