//! The macro, as users call it.

/// Makes modules of tables: tokenizers, generated while your crate compiles.
///
/// ```
/// speclex::tokenizer! {
///     /// Words with white space between them.
///     pub mod words = inline r#"
///         table: words
///         vocabulary: {tokens: {word: {text: text}}}
///         entry states: {data: between words}
///         states:
///           between words:
///             consume:
///               U+0020, U+000A: ignore
///               EOF: emit EOF
///               anything else: [create a word token, reconsume in word]
///           word:
///             consume:
///               U+0020, U+000A, EOF: [emit the word token, reconsume in between words]
///               anything else: append the current input character to the text
///     "#;
/// }
///
/// let words: Vec<_> = words::tokens("one two").map(|(token, _)| token).collect();
/// assert_eq!(words[1], words::Token::Word { text: "two".into() });
/// ```
///
/// # Tables
///
/// A call has any number of modules. After `mod NAME =` stands
///
/// * `"tables/csv.yaml"`: a file; the path starts at the folder of your `Cargo.toml`. The crate is compiled again
///   when the file changes, or one that it names;
/// * `builtin "html-2012"`: a table that ships with Speclex;
/// * `inline r#"…"#`: the table itself.
///
/// A table may `extend` one that ships, by its name, or a file beside it.
///
/// Visibilities and documentation are kept, and the attributes `cfg`, `cfg_attr`, `deprecated` and those for lints.
///
/// # What is in a module
///
/// | item | what it is |
/// |---|---|
/// | `Tokenizer<S>` | a [`Tokenizer`](crate::Tokenizer) with a sink `S` |
/// | `Sink` | the trait of sinks: a method for each kind of token, with defaults that do nothing |
/// | `tokens(text)` | an iterator over the tokens of a text in memory and their [`Span`](crate::Span)s |
/// | `Token` | those tokens: an enum, whose strings are `Cow`s that borrow from the text what stands there |
/// | `Collector` | a sink that keeps such tokens, with strings of their own, of input in pieces |
/// | `Content` | what [`enter`](crate::Tokenizer::enter) takes: where the tokenizer can start |
/// | `errors` | the codes of the parse errors |
///
/// For a table whose vocabulary is its own there is a struct for each token with fields, as the sink sees it.
/// Tables with the vocabulary `markup` share those in [`markup`](crate::markup), so that one sink serves them all.
///
/// # Faults
///
/// What is wrong with a table is told at the call, all of it at once, with the table's lines and columns, as
/// `speclex check` does. What it warns of is a warning of the compiler (`deprecated`) at the call, but for tables
/// that ship; `#[allow(deprecated)]` before the module silences it.
///
/// # The path of this crate
///
/// The modules find this crate under whatever name you have it. A first line `crate = path::to::speclex;` overrides
/// that.
#[macro_export]
macro_rules! tokenizer {
    ($($call:tt)*) => {
        $crate::__tokenizer! { crate = $crate; $($call)* }
    };
}
