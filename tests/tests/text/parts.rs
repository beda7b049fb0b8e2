//! The parts of tags, comments and DOCTYPEs are where the tokens have them.

use speclex::Span;
use speclex::markup::Token;
use speclex::parts::{DoctypeParts, TagParts, comment_data, written_attributes};
use speclex_tests::alphabet::Alphabet;
use speclex_tests::each_text::each;
use speclex_tests::random::Random;
use speclex_tests::revision::Revision;
use speclex_tokenizers::html_2026_06::tokens;

/// A part of a text as a token has it.
fn part(text: &str, part: Span) -> String {
    let part = &text[part.start as usize..part.end as usize];
    let part = part.replace("\r\n", "\n").replace('\r', "\n");
    part.replace('\0', "\u{FFFD}")
}

#[test]
fn data_of_comments_is_where_the_tokenizer_has_it() {
    let pieces = ["-", "!", ">", "<", "é\0", "\r\n"];
    let mut comments = 0;
    for beginning in ["<!--", "x<!--", "<!", "</", "<?"] {
        each(beginning, &pieces, 6, &mut |text| {
            for (token, span) in tokens(text) {
                if let Token::Comment { data, .. } = token {
                    let source = &text[span.start as usize..span.end as usize];
                    let found = comment_data(source, span.start);
                    assert_eq!(part(text, found), data, "{text:?}");
                    comments += 1;
                }
            }
        });
    }
    assert!(comments > 100_000, "{comments}");
}

#[test]
fn parts_of_doctypes_are_where_the_tokenizer_has_them() {
    let pieces = [" ", "A\0", ">", "\"", "'", "PUBLIC", "system", "\r\n"];
    let mut doctypes = [0; 3];
    each("x<!DOCtype", &pieces, 6, &mut |text| {
        for (token, span) in tokens(text) {
            let Token::Doctype {
                name,
                public_identifier,
                system_identifier,
                ..
            } = token
            else {
                continue;
            };
            let source = &text[span.start as usize..span.end as usize];
            let found = DoctypeParts::of(source, span.start);
            let found_name = found.name.map(|it| part(text, it).to_ascii_lowercase());
            assert_eq!(found_name.as_deref(), name.as_deref(), "{text:?}");
            let wanted = [public_identifier, system_identifier];
            for (index, found) in [found.public_id, found.system_id].into_iter().enumerate() {
                let value = found.map(|it| part(text, it.value));
                assert_eq!(value.as_deref(), wanted[index].as_deref(), "{text:?}");
                let Some(found) = found else { continue };
                let quoted = &text[found.quoted.start as usize..found.quoted.end as usize];
                assert!(quoted.starts_with(['"', '\'']), "{text:?}");
                let last = quoted.len() - 1;
                let is_closed = last > 0 && quoted.as_bytes()[last] == quoted.as_bytes()[0];
                let length = (found.value.end - found.value.start) as usize;
                assert_eq!(
                    quoted.len(),
                    1 + length + usize::from(is_closed),
                    "{text:?}"
                );
                doctypes[index] += 1;
            }
            doctypes[2] += 1;
        }
    });
    assert!(doctypes.iter().all(|&count| count > 500), "{doctypes:?}");
}

/// The attributes of a tag.
fn attributes<'s>(token: &'s Token<'_>) -> Option<Vec<(&'s str, &'s str)>> {
    match token {
        Token::StartTag { attributes, .. }
        | Token::EndTag { attributes, .. }
        | Token::EmptyTag { attributes, .. } => {
            let pairs = attributes.iter();
            Some(pairs.map(|(name, value)| (&**name, &**value)).collect())
        }
        _ => None,
    }
}

/// Tags whose text is in pieces, random ones of a table's alphabet among them.
fn tags(alphabet: &Alphabet, random: &mut Random) -> String {
    let pieces = [
        " ", " a=", " A='", " a ", "a", "A", "b\0", "=", "='", "'", "\"", "&lt;", "&ampx", "/",
        ":", "\x0C", "\r\n", "é=1", "x=y",
    ];
    let mut text = String::from("<b ");
    for _ in 0..random.below(12) {
        match random.below(8) {
            0 => text += &alphabet.text(1, random),
            _ => text += *random.one(&pieces),
        }
    }
    text + *random.one(&[">", "/>", "'>", "\">", "'\">"])
}

macro_rules! tests {
    ($($name:literal => $module:ident),* $(,)?) => {
        $(mod $module {
            use super::*;
            use speclex_tokenizers::$module::{Tokenizer, tokens};

            #[test]
            fn attributes_are_where_the_table_has_them() {
                let is_html = $name.starts_with("html");
                let alphabet = Alphabet::of(&Revision::named($name).machine);
                let mut random = Random::named(concat!($name, "/parts"));
                let (mut duplicates, mut unknown) = (0, 0);
                for _ in 0..3000 {
                    let text = tags(&alphabet, &mut random);
                    for (token, span) in tokens(&text) {
                        let Some(wanted) = attributes(&token) else {
                            continue;
                        };
                        let source = &text[span.start as usize..span.end as usize];
                        let Some(written) = written_attributes(Tokenizer::new, source, span.start) else {
                            assert!(!is_html, "{text:?}");
                            unknown += 1;
                            continue;
                        };
                        let kept: Vec<_> = written.iter().filter(|it| !it.parts.is_duplicate).collect();
                        let found: Vec<_> = kept.iter().map(|it| (&*it.name, &*it.value)).collect();
                        assert_eq!(found, wanted, "{text:?}");
                        for attribute in &written {
                            let same = kept.iter().find(|it| it.name == attribute.name).expect("the first");
                            let is_first = same.parts == attribute.parts;
                            assert_eq!(attribute.parts.is_duplicate, !is_first, "{text:?}");
                            duplicates += usize::from(!is_first);
                            if !attribute.value.contains(['&', '<', '>']) && !source.contains('&') {
                                let value = attribute.parts.value().map_or_else(String::new, |it| part(&text, it));
                                assert_eq!(value, attribute.value.replace('\0', "\u{FFFD}"), "{text:?}");
                            }
                        }
                        let parts = written.into_iter().map(|it| it.parts).collect::<Vec<_>>();
                        if is_html {
                            assert_eq!(TagParts::of(source, span.start).attributes, parts, "{text:?}");
                        }
                    }
                }
                assert!(duplicates > 100, "{duplicates}");
                assert!(unknown < 1000, "{unknown}");
            }
        })*
    };
}
speclex_tokenizers::for_each_revision!(tests);

#[test]
fn duplicates_of_many_attributes_are_found_too() {
    let names: String = (0..50)
        .map(|number| format!(" A{}=x", number % 40))
        .collect();
    let tag = format!("<p{names}>");
    let parts = TagParts::of(&tag, 0);
    assert_eq!((parts.attributes.len(), parts.kept().count()), (50, 40));
    let written = written_attributes(speclex_tokenizers::html_living::Tokenizer::new, &tag, 0);
    let written = written.expect("attributes").into_iter();
    assert!(written.map(|it| it.parts).eq(parts.attributes));
    // In XML, letters of both cases differ.
    let names = "<p A=1 a=2 A=3>";
    let written = written_attributes(speclex_tokenizers::xml5::Tokenizer::new, names, 0);
    let are_duplicates = written
        .expect("attributes")
        .into_iter()
        .map(|it| it.parts.is_duplicate);
    assert!(are_duplicates.eq([false, false, true]));
}

#[test]
fn what_is_no_tag_has_no_attributes() {
    for text in ["", "text", "<!-- a=1 -->", "<", "<p a=1"] {
        let written = written_attributes(speclex_tokenizers::html_living::Tokenizer::new, text, 0);
        assert_eq!(written, None, "{text:?}");
        let _ = TagParts::of(text, 7);
        let _ = comment_data(text, 7);
        let _ = DoctypeParts::of(text, 7);
    }
}
