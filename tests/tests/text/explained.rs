//! Every error code of every shipped table has an explanation and a link, which the generated module gives.

use std::collections::BTreeMap;

use speclex::{ErrorCode, Explained, ParseError, Span};
use speclex_tests::revision::Revision;
use speclex_tests::shared;

/// What the generated module tells of each code of a table.
fn all(table: &str, explain: fn(ParseError, &str) -> Explained) -> BTreeMap<String, Explained> {
    let codes = &Revision::shared(table).machine.errors;
    let told = codes.iter().map(|code| {
        let error = ParseError {
            code: ErrorCode::new(code.clone().leak()),
            offset: 1,
        };
        let told = explain(error, "aé");
        assert_eq!(told.code, error.code);
        assert_eq!(told.span, Span { start: 1, end: 3 });
        (code.clone(), told)
    });
    told.collect()
}

macro_rules! tests {
    ($($name:literal => $module:ident),* $(,)?) => {$(
        #[test]
        fn $module() {
            let told = all($name, speclex_tokenizers::$module::errors::explain);
            assert!(!told.is_empty());
            let mut sentences = BTreeMap::new();
            for (code, error) in &told {
                let sentence = error.explanation.unwrap_or_else(|| panic!("{code} is not explained"));
                assert!(sentence.ends_with('.') && !sentence.contains(". "), "{sentence}");
                assert!(!sentence.starts_with(|c: char| c.is_ascii_lowercase()), "{sentence}");
                assert!((15..=120).contains(&sentence.chars().count()), "{sentence}");
                let other = sentences.insert(sentence, code);
                assert_eq!(other, None, "{code} has the same sentence");
                let link = error.link.as_deref().unwrap_or_else(|| panic!("{code} has no link"));
                assert!(link.starts_with("https://") && !link.contains("CODE"), "{link}");
            }
        }
    )*};
}
speclex_tokenizers::for_each_revision!(tests);

/// On the page as it was published in 2021: the codes since then came with processing instructions.
#[test]
fn links_lead_to_anchors_of_the_page() {
    let Some(folder) = shared("specs/published") else {
        return;
    };
    let page = std::fs::read_to_string(folder.join("whatwg-2021-12-01-parsing.html"));
    // With quotation marks or without.
    let page = page.expect("a page").replace('"', "").replace('>', " ");
    let told = all(
        "html-2026-06",
        speclex_tokenizers::html_2026_06::errors::explain,
    );
    for error in told.values() {
        let link = error.link.as_deref().expect("a link");
        let anchor = link.strip_prefix("https://html.spec.whatwg.org/multipage/parsing.html#");
        let anchor = format!("id={} ", anchor.expect("a link to that page"));
        assert!(page.contains(&anchor), "{anchor}");
    }
}
