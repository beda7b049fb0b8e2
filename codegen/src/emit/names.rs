//! The one place where names of tables become Rust identifiers.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;

use crate::escape;

/// The words of a name: `character reference in data` and `attribute value (double-quoted)` alike. A character beyond ASCII is
/// a word, its code point: `u540d`. Lints of the compiler refuse many of those characters, and it takes some for the same.
fn words(name: &str) -> Vec<String> {
    let code_point = |c: char| format!("u{:04x}", u32::from(c));
    let mut words = vec![String::new()];
    for c in name.chars() {
        match (c.is_ascii_alphanumeric(), words.last_mut()) {
            (true, Some(word)) => word.push(c.to_ascii_lowercase()),
            _ if c.is_ascii() => words.push(String::new()),
            _ => words.extend([code_point(c), String::new()]),
        }
    }
    words.retain(|word| !word.is_empty());
    if words.is_empty() {
        words = name.chars().map(code_point).collect();
    }
    words
}

/// `tag_open`, `doctype`, `attribute_value_double_quoted`.
pub(crate) fn snake(name: &str) -> Ident {
    ident(&words(name).join("_"))
}

/// `TagOpen`, `Doctype`, `AttributeValueDoubleQuoted`.
pub(crate) fn pascal(name: &str) -> Ident {
    let mut text = String::new();
    for word in words(name) {
        let (first, rest) = word.split_at(1);
        text += &(first.to_ascii_uppercase() + rest);
    }
    // With an underscore behind it, it could not begin the name of a type.
    if text == "Self" {
        return ident("Oneself");
    }
    ident(&text)
}

/// `EOF_IN_TAG`.
pub(crate) fn shouting(name: &str) -> Ident {
    ident(&words(name).join("_").to_ascii_uppercase())
}

/// A name with a word in front of it.
pub(crate) fn behind(word: &str, name: &Ident) -> Ident {
    let name = name.to_string();
    ident(&format!("{word}_{}", name.trim_start_matches('_')))
}

/// A line of documentation. Names and titles go into it as text, whatever Markdown would read there.
pub(crate) fn doc_line(text: &str) -> String {
    escape::markdown(text)
}

/// Types that a generated module has or imports, and the parameter of its functions.
#[rustfmt::skip]
pub(crate) const RESERVED_TYPES: [&str; 20] = [
    "Ahead", "Answer", "Checkpoint", "Collector", "Content", "Events", "Input", "Machine", "Match", "None", "Option", "Registers",
    "S", "Sink", "Some", "State", "Step", "Token", "Tokenizer", "Tokens",
];

/// An identifier; what is not one by itself becomes one.
fn ident(text: &str) -> Ident {
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic());
    let text = if starts_well {
        text.to_owned()
    } else {
        format!("_{text}")
    };
    let text = if KEYWORDS.contains(&text.as_str()) {
        text + "_"
    } else {
        text
    };
    Ident::new(&text, Span::call_site())
}

/// What cannot be a name in some edition.
#[rustfmt::skip]
const KEYWORDS: [&str; 53] = [
    "_", "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self",
    "static", "struct", "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Whether a variable occurs in the tokens.
pub(crate) fn mentions(tokens: &TokenStream, name: &str) -> bool {
    count(tokens, name) > 0
}

/// The names of parameters: those that the body does not mention begin with `_`.
pub(crate) fn parameters<const N: usize>(names: [&str; N], body: &TokenStream) -> [Ident; N] {
    names.map(|name| match mentions(body, name) {
        true => ident(name),
        false => Ident::new(&format!("_{name}"), Span::call_site()),
    })
}

/// Whether a path begins with the name: `Match::Nothing`, but not the state `State::Match`.
pub(crate) fn has_path(tokens: &TokenStream, name: &str) -> bool {
    let mut tokens = tokens.clone().into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_colon = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ':');
        let found = match token {
            TokenTree::Ident(ident) => ident == name && tokens.peek().is_some_and(is_colon),
            TokenTree::Group(group) => has_path(&group.stream(), name),
            _ => false,
        };
        if found {
            return true;
        }
    }
    false
}

/// Whether the tokens are one call, and no statements.
pub(crate) fn is_call(tokens: &TokenStream) -> bool {
    let mut tokens = tokens.clone().into_iter();
    tokens.all(|token| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Parenthesis,
        TokenTree::Punct(sign) => sign.as_char() != ';',
        _ => true,
    })
}

/// Statements as the value of an arm: a single `return` needs no block.
pub(crate) fn as_arm(statements: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = statements.clone().into_iter().collect();
    let is_return = matches!(tokens.first(), Some(TokenTree::Ident(it)) if it == "return");
    tokens.pop();
    let value: TokenStream = tokens.into_iter().collect();
    match is_return && is_call(&value) {
        true => quote!(#value,),
        false => quote!({ #statements }),
    }
}

/// Tells variables from fields: what stands behind one dot.
#[derive(Default)]
struct Dots(usize);

impl Dots {
    /// Whether this is a variable with the name. Tokens come in order.
    fn is_variable(&mut self, token: &TokenTree, name: &str) -> bool {
        let is_field = self.0 == 1;
        let is_dot = matches!(token, TokenTree::Punct(sign) if sign.as_char() == '.');
        self.0 = if is_dot { self.0 + 1 } else { 0 };
        matches!(token, TokenTree::Ident(ident) if ident == name && !is_field)
    }
}

/// How often a variable occurs in the tokens.
pub(crate) fn count(tokens: &TokenStream, name: &str) -> usize {
    let mut dots = Dots::default();
    let of = |token| match dots.is_variable(&token, name) {
        true => 1,
        false => match token {
            TokenTree::Group(group) => count(&group.stream(), name),
            _ => 0,
        },
    };
    tokens.clone().into_iter().map(of).sum()
}

/// The tokens with others in place of a variable.
pub(crate) fn replace(tokens: TokenStream, name: &str, with: &TokenStream) -> TokenStream {
    let mut dots = Dots::default();
    tokens
        .into_iter()
        .flat_map(|token| match dots.is_variable(&token, name) {
            true => with.clone(),
            false => match token {
                TokenTree::Group(group) => {
                    let inner = replace(group.stream(), name, with);
                    TokenTree::from(Group::new(group.delimiter(), inner)).into()
                }
                other => other.into(),
            },
        })
        .collect()
}

/// Replaces each block that consists of these statements by a call. Returns the tokens and the number of replaced blocks.
pub(crate) fn replace_blocks(
    tokens: TokenStream,
    statements: &str,
    call: &TokenStream,
) -> (TokenStream, usize) {
    let mut count = 0;
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) => {
            let is_it =
                group.delimiter() == Delimiter::Brace && group.stream().to_string() == statements;
            let (inner, inside) = match is_it {
                true => (call.clone(), 1),
                false => replace_blocks(group.stream(), statements, call),
            };
            count += inside;
            TokenTree::from(Group::new(group.delimiter(), inner))
        }
        other => other,
    });
    (replaced.collect(), count)
}
