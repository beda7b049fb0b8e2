//! What stands in a call of the macro.

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, LitStr, Token, bracketed, parenthesized, token};

/// `crate = …;`, then modules.
pub(crate) struct Call {
    /// Where the runtime is.
    pub(crate) runtime: TokenStream,
    pub(crate) modules: Vec<Module>,
}

/// `#[attributes] pub mod name = table;`
pub(crate) struct Module {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: TokenStream,
    pub(crate) name: Ident,
    pub(crate) table: Table,
}

/// `#[name …]`
pub(crate) struct Attribute {
    name: Ident,
    whole: TokenStream,
}

/// What a module is made from.
pub(crate) struct Table {
    pub(crate) kind: Kind,
    /// The path, the name or the text.
    pub(crate) literal: LitStr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `"tables/csv.yaml"`
    File,
    /// `builtin "html-2012"`
    Builtin,
    /// `inline r#"…"#`
    Inline,
}

/// Attributes that mean something on the module. Others would reach into what is generated, or are
/// meant for what is written by hand.
const ATTRIBUTES: [&str; 9] = [
    "allow",
    "cfg",
    "cfg_attr",
    "deny",
    "deprecated",
    "doc",
    "expect",
    "forbid",
    "warn",
];

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut faults = Faults::default();
        let mut runtime = quote!(::speclex);
        // More than one when the macro that hands its own crate over is called with one.
        while input.peek(Token![crate]) && input.peek2(Token![=]) {
            runtime = faults.some(runtime_path(input)?).unwrap_or(runtime);
        }
        let mut modules: Vec<Module> = Vec::new();
        while !input.is_empty() {
            let module: Module = input.parse()?;
            for attribute in &module.attributes {
                faults.some(known(attribute));
            }
            let may_stay_away = |m: &Module| m.attributes.iter().any(|a| a.name == "cfg");
            let twice = |m: &Module| m.name == module.name && !may_stay_away(m);
            if !may_stay_away(&module) && modules.iter().any(twice) {
                let message = format!("there is a module `{}` in this call already", module.name);
                faults.add(syn::Error::new(module.name.span(), message));
            }
            modules.push(module);
        }
        if modules.is_empty() {
            faults.add(syn::Error::new(
                Span::call_site(),
                "no table: say `pub mod my_language = \"tables/my-language.yaml\";`",
            ));
        }
        faults.or(Self { runtime, modules })
    }
}

/// `crate = my_speclex;`
fn runtime_path(input: ParseStream<'_>) -> syn::Result<syn::Result<TokenStream>> {
    input.parse::<Token![crate]>()?;
    input.parse::<Token![=]>()?;
    let colons: Option<Token![::]> = input.parse()?;
    let parts: Punctuated<Ident, Token![::]> =
        Punctuated::parse_separated_nonempty_with(input, Ident::parse_any)?;
    input.parse::<Token![;]>()?;
    let Some(first) = parts.first() else {
        return Ok(Err(input.error("the path of the crate `speclex`")));
    };
    if first == "self" || first == "super" {
        return Ok(Err(syn::Error::new(
            first.span(),
            "the path of the crate `speclex` starts with a crate's name or `crate`: it is used inside of the modules",
        )));
    }
    let lone = colons.is_none() && first != "crate" && first != "$crate";
    let colons = if lone {
        Some(Default::default())
    } else {
        colons
    };
    Ok(Ok(quote!(#colons #parts)))
}

impl Parse for Module {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut attributes = Vec::new();
        while input.peek(Token![#]) {
            attributes.push(input.parse()?);
        }
        let visibility = visibility(input)?;
        if !input.peek(Token![mod]) {
            return Err(input.error("expected a module: `mod name = \"tables/name.yaml\";`"));
        }
        input.parse::<Token![mod]>()?;
        let name = input.parse()?;
        input.parse::<Token![=]>()?;
        let table: Table = input.parse()?;
        if !input.peek(Token![;]) {
            // The end of the call, where it is missed, is no place to point at.
            let message = "expected `;` after the table";
            return Err(syn::Error::new(table.literal.span(), message));
        }
        input.parse::<Token![;]>()?;
        Ok(Self {
            attributes,
            visibility,
            name,
            table,
        })
    }
}

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let content;
        let pound: Token![#] = input.parse()?;
        if input.peek(Token![!]) {
            return Err(input.error("attributes stand before a module: `#[…]`"));
        }
        bracketed!(content in input);
        let name = content.fork().call(Ident::parse_any)?;
        let content: TokenStream = content.parse()?;
        Ok(Self {
            name,
            whole: quote!(#pound [#content]),
        })
    }
}

impl ToTokens for Attribute {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.whole.to_tokens(tokens);
    }
}

/// Nothing, `pub` or `pub(…)`.
fn visibility(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let Some(public) = input.parse::<Option<Token![pub]>>()? else {
        return Ok(TokenStream::new());
    };
    if !input.peek(token::Paren) {
        return Ok(quote!(#public));
    }
    let content;
    parenthesized!(content in input);
    let content: TokenStream = content.parse()?;
    Ok(quote!(#public (#content)))
}

impl Parse for Table {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let kind = if input.peek(LitStr) {
            Kind::File
        } else if let Some(word) = input.call(|i| i.parse::<Option<Ident>>())? {
            match word.to_string().as_str() {
                "builtin" => Kind::Builtin,
                "inline" => Kind::Inline,
                _ => return Err(syn::Error::new(word.span(), EXPECTED)),
            }
        } else {
            return Err(input.error(EXPECTED));
        };
        let literal = input
            .parse()
            .map_err(|error| syn::Error::new(error.span(), EXPECTED))?;
        Ok(Self { kind, literal })
    }
}

const EXPECTED: &str = "expected a table: its path, `builtin \"html-living\"` or `inline r#\"…\"#`";

fn known(attribute: &Attribute) -> syn::Result<()> {
    let name = &attribute.name;
    if ATTRIBUTES.iter().any(|known| name == known) {
        return Ok(());
    }
    let names = ATTRIBUTES.map(|name| format!("`{name}`")).join(", ");
    Err(syn::Error::new(
        name.span(),
        format!("`{name}` is no attribute for a tokenizer's module; these are: {names}"),
    ))
}

/// All that is wrong with a call, to be said at once.
#[derive(Default)]
struct Faults(Option<syn::Error>);

impl Faults {
    fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }

    fn some<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    fn or<T>(self, value: T) -> syn::Result<T> {
        match self.0 {
            Some(errors) => Err(errors),
            None => Ok(value),
        }
    }
}
