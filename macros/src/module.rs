//! From a call to modules.

use std::env;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use speclex_codegen::emit::Paths;
use speclex_codegen::files::{Failure, Place, Readable, find, find_tree};
use speclex_codegen::{Either, Report, Source};
use syn::{Ident, LitStr};

use crate::call::{Call, Kind, Module, Table};

/// The variable by which Cargo says where the user's package is.
const FOLDER: &str = "CARGO_MANIFEST_DIR";

/// What finds a table.
type Find = fn(Place, &Path, &Readable) -> Result<Either, Failure>;

/// Finds a table of a tokenizer.
pub(crate) fn tokenizer(
    place: Place,
    folder: &Path,
    readable: &Readable,
) -> Result<Either, Failure> {
    Ok(Either::States(find(place, folder, readable)?.into()))
}

/// Finds a table of tree construction.
pub(crate) fn parser(place: Place, folder: &Path, readable: &Readable) -> Result<Either, Failure> {
    Ok(Either::Tree(find_tree(place, folder, readable)?.into()))
}

/// The modules of a call; for a table that is at fault, what is wrong with it.
pub(crate) fn modules(call: &Call, find: Find) -> TokenStream {
    let paths = Paths {
        runtime: call.runtime.clone(),
        ..Paths::default()
    };
    let modules = call.modules.iter().map(|module| {
        let found = load(&module.table, find);
        let items = found.and_then(|found| Ok((found.module(&paths)?, found)));
        items
            .map(|(items, found)| filled(module, &items, &found))
            .unwrap_or_else(|message| {
                syn::Error::new(module.table.literal.span(), message).into_compile_error()
            })
    });
    modules.collect()
}

fn filled(module: &Module, items: &TokenStream, found: &Either) -> TokenStream {
    let Module {
        attributes,
        visibility,
        name,
        ..
    } = module;
    let files = found.files().iter().map(|file| tracked(file));
    let warnings = warnings(module, &found.warnings());
    quote! {
        #(#attributes)*
        #visibility mod #name {
            #items
            #(#files)*
            #warnings
        }
    }
}

/// Makes the compiler show what `speclex check` warns of. A macro has no warnings of its own; the use of
/// something deprecated is one, with a text of its own. Of a table that ships, they are not the user's.
fn warnings(module: &Module, report: &Report) -> Option<TokenStream> {
    if report.diagnostics.is_empty() || module.table.kind == Kind::Builtin {
        return None;
    }
    let note = format!("this table has warnings\n\n{report}");
    let used = Ident::new("TABLE", module.table.literal.span());
    Some(quote! {
        const _: () = {
            #[deprecated(note = #note)]
            const TABLE: () = ();
            #used
        };
    })
}

/// Makes the compiler notice when the file changes.
fn tracked(file: &Path) -> TokenStream {
    let shown = file.to_string_lossy();
    let path = if file.is_absolute() {
        quote!(#shown)
    } else {
        let from_folder = format!("/{shown}");
        quote!(::core::concat!(::core::env!(#FOLDER), #from_folder))
    };
    quote!(
        const _: &[u8] = ::core::include_bytes!(#path);
    )
}

fn load(table: &Table, find: Find) -> Result<Either, String> {
    let folder = env::var_os(FOLDER)
        .map(PathBuf::from)
        .ok_or_else(|| format!("{FOLDER} is not set: a table's path starts there"))?;
    let text = table.literal.value();
    let place = match table.kind {
        Kind::File => Place::File(PathBuf::from(text)),
        Kind::Builtin => Place::Shipped(text),
        Kind::Inline => Place::Text(inline(&table.literal, text)),
    };
    find(place, &folder, &Readable::around(&folder)).map_err(|failure| match failure {
        Failure::NoFile { .. } | Failure::Unreadable { .. } => {
            format!("{failure}\npaths start at the folder of this package's Cargo.toml")
        }
        Failure::Faults(report) => format!("this table has faults\n\n{report}"),
        _ => failure.to_string(),
    })
}

/// The text with the lines that it has in the user's file, if it stands there as it is.
fn inline(literal: &LitStr, text: String) -> Source {
    let span = literal.span().unwrap();
    let raw = literal.token().to_string().starts_with('r');
    let before = if raw {
        span.line().saturating_sub(1)
    } else {
        0
    };
    Source {
        name: span.file(),
        text: "\n".repeat(before) + &text,
    }
}
