//! From a call to modules.

use std::env;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::quote;
use speclex_codegen::Source;
use speclex_codegen::emit::{self, Paths};
use speclex_codegen::files::{Failure, Found, Place, Readable, find};
use syn::{Ident, LitStr};

use crate::call::{Call, Kind, Module, Table};

/// The variable by which Cargo says where the user's package is.
const FOLDER: &str = "CARGO_MANIFEST_DIR";

/// The modules of a call; for a table that is at fault, what is wrong with it.
pub(crate) fn modules(call: &Call) -> TokenStream {
    call.modules
        .iter()
        .map(|module| match load(&module.table) {
            Ok(found) => tokenizer(module, &found, &call.runtime),
            Err(message) => {
                syn::Error::new(module.table.literal.span(), message).into_compile_error()
            }
        })
        .collect()
}

fn tokenizer(module: &Module, found: &Found, runtime: &TokenStream) -> TokenStream {
    let Module {
        attributes,
        visibility,
        name,
        ..
    } = module;
    let paths = Paths {
        runtime: runtime.clone(),
        ..Paths::default()
    };
    let items = emit::module(&found.loaded.machine, &paths);
    let files = found.files.iter().map(|file| tracked(file));
    let warnings = warnings(module, found);
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
fn warnings(module: &Module, found: &Found) -> Option<TokenStream> {
    let report = &found.loaded.warnings;
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

fn load(table: &Table) -> Result<Found, String> {
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
