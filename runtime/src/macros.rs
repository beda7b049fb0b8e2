//! The macros, as users call them.

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

/// Makes modules of tables of tree construction: parsers, generated while your crate compiles.
///
/// ```
/// speclex::parser! {
///     /// XML, with end tags that close what is around an element too.
///     pub mod xml = builtin "xml5-tree";
/// }
///
/// let dom = xml::parse("<list><item>one</list>");
/// assert_eq!(dom.dump(), "| <list>\n|   <item>\n|     \"one\"\n");
/// ```
///
/// A call is like one of [`tokenizer!`](crate::tokenizer): `mod outline = "tables/outline-tree.yaml";`, `builtin "…"` or
/// `inline r#"…"#`, with the same visibilities, attributes and faults. The tokenizer is the table's that `tokenizer:` names: one
/// that ships, or a file beside the table. Your crate is compiled again when one of the files changes.
///
/// # What is in a module
///
/// | item | what it is |
/// |---|---|
/// | `parse(text)` | the [`Dom`](crate::Dom) of a text |
/// | `parse_fragment(text, context)` | the content of an element, if the table says what a fragment is |
/// | `Parser<S>` | a [`Tokenizer`](crate::Tokenizer) that takes the text in pieces, for a sink `S` of yours: a [`TreeSink`](crate::tree::TreeSink) |
/// | `Builder<S>` | what takes the tokens and tells the sink what to insert |
/// | `NAMES` | the names that the table knows, which a sink gets by number |
/// | `Mode`, and a type for each variable of words | what the builder is in |
/// | `tokenizer` | what [`tokenizer!`](crate::tokenizer) makes of the tokenizer's table |
#[cfg(feature = "trees")]
#[macro_export]
macro_rules! parser {
    ($($call:tt)*) => {
        $crate::__parser! { crate = $crate; $($call)* }
    };
}
