//! The crate under other names: the modules find it without being told.
mod vendored {
    pub use ::speclex as tokenizing;

    /// A macro of the user's around ours.
    macro_rules! table {
        ($name:ident, $path:literal) => {
            $crate::vendored::tokenizing::tokenizer! { mod $name = $path; }
        };
    }
    pub(crate) use table;
}
extern crate speclex as lexing;

/// Not the crate.
#[allow(dead_code)]
mod speclex {}

vendored::tokenizing::tokenizer! {
    mod one = "tables/words.yaml";
}
lexing::tokenizer! {
    mod two = "tables/words.yaml";
}
vendored::table!(three, "tables/words.yaml");
lexing::tokenizer! {
    crate = crate::vendored::tokenizing;
    mod four = "tables/words.yaml";
}

fn main() {
    assert_eq!(one::tokens("one").count(), 2);
    assert_eq!(two::tokens("one").count(), 2);
    assert_eq!(three::tokens("one").count(), 2);
    assert_eq!(four::tokens("one").count(), 2);
}
