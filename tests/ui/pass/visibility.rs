//! Visibilities, and a call in a function.
pub mod outer {
    speclex::tokenizer! {
        pub mod everywhere = "tables/words.yaml";
        pub(crate) mod in_crate = "tables/words.yaml";
        pub(super) mod in_parent = "tables/words.yaml";
        pub(in crate::outer) mod here = "tables/words.yaml";
        mod private = "tables/words.yaml";
    }

    pub fn count(text: &str) -> usize {
        here::tokens(text).count() + private::tokens(text).count()
    }
}

fn main() {
    speclex::tokenizer! {
        mod local = "tables/words.yaml";
    }
    assert_eq!(outer::everywhere::tokens("one").count(), 2);
    assert_eq!(outer::in_crate::tokens("one").count(), 2);
    assert_eq!(outer::in_parent::tokens("one").count(), 2);
    assert_eq!(outer::count("one"), 4);
    assert_eq!(local::tokens("one").count(), 2);
}
