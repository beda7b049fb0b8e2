//! Tokens, states and registers whose names the generated code has for itself, and macros, modules and types
//! of the user's that it must not see.
macro_rules! matches {
    () => {};
}
macro_rules! concat {
    () => {};
}
macro_rules! include_bytes {
    () => {};
}
matches!();
concat!();
include_bytes!();

#[allow(dead_code)]
mod core {}
#[allow(dead_code)]
mod alloc {}
#[allow(dead_code)]
mod speclex_ {}
#[allow(dead_code)]
enum Option<T> {
    Some(T),
    None,
}
#[allow(dead_code)]
struct String;

speclex::tokenizer! {
    // It has registers that nothing uses, for their names.
    #[allow(deprecated)]
    mod names = "tables/names.yaml";
    mod html = builtin "html-2012";
}

fn main() {
    assert_eq!(names::tokens("").count(), 1);
    assert_eq!(html::tokens("").count(), 1);
}
