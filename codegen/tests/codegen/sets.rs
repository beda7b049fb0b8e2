//! Sets of characters and of bytes.

use speclex_codegen::analyse::scan::ByteSet;
use speclex_codegen::charset::{self, CharSet};
use speclex_codegen::emit::encode;
use speclex_codegen::explain;
use speclex_codegen::testing;

#[test]
fn complement_and_difference_leave_out_surrogates() {
    let whole = CharSet::all();
    assert_eq!(whole.len(), charset::MAX + 1 - 0x800);
    assert!(whole.complement().is_empty());
    let a = CharSet::from_ranges([(0x41, 0x5A)]);
    assert_eq!(a.complement().complement(), a);
    assert_eq!(whole.difference(&a).len(), whole.len() - 26);
    assert!(!whole.difference(&a).contains('Q'));
}

#[test]
fn ranges_are_merged_and_shown_as_the_texts_write_them() {
    let set = CharSet::from_ranges([(0x3C, 0x3C), (0x41, 0x45), (0x46, 0x5A), (0, 0)]);
    assert_eq!(
        set.to_string(),
        "U+0000, U+003C (<), U+0041 (A) to U+005A (Z)"
    );
}

fn read(text: &str) -> testing::Set {
    testing::set(text, CharSet::from_ranges([(0x61, 0x63)]))
}

#[test]
fn classes_are_what_is_said_of_them() {
    let mut in_words = Vec::new();
    for class in explain::entries().filter(|entry| entry.kind == "class") {
        let characters = read(class.name);
        assert!(!characters.has_faults, "{class:?}");
        let about = read(class.about.trim_end_matches('.'));
        match about.has_faults {
            false => assert_eq!(about.characters, characters.characters, "{class:?}"),
            true => in_words.push((class.name, characters.characters)),
        }
    }
    let [("noncharacter", set)] = &in_words[..] else {
        panic!("{in_words:?}");
    };
    assert!(set.contains('\u{FDD0}') && set.contains('\u{FDEF}'));
    assert!(set.contains('\u{FFFE}') && set.contains('\u{10FFFF}'));
    assert_eq!(set.len(), 32 + 2 * 17);
}

#[test]
fn sets_are_read_and_shown_in_one_spelling() {
    let cases = [
        ("U+003C", "U+003C (<)", "U+003C (<)"),
        (
            "U+003c(<) ,U+0020",
            "U+0020, U+003C (<)",
            "U+003C (<), U+0020",
        ),
        ("U+002C (,), \",\"", "U+002C (,)", "U+002C (,), U+002C (,)"),
        (
            "U+0041 to  U+0043 (C)",
            "U+0041 (A) to U+0043 (C)",
            "U+0041 (A) to U+0043 (C)",
        ),
        (
            "letter, U+0064",
            "U+0061 (a) to U+0064 (d)",
            "letter, U+0064 (d)",
        ),
        (
            "ASCII digit except U+0031 (1), U+0033 to U+0039",
            "U+0030 (0), U+0032 (2)",
            "ASCII digit except U+0031 (1), U+0033 (3) to U+0039 (9)",
        ),
        ("U+0020 ( )", "U+0020", "U+0020"),
    ];
    for (text, set, shown) in cases {
        let read = read(text);
        assert!(!read.has_faults, "{text}");
        assert_eq!(read.characters.to_string(), set, "{text}");
        assert_eq!(read.label, shown, "{text}");
    }
}

#[test]
fn literals_and_ends_are_no_characters() {
    let set = read("\"PUBLIC\" ASCII case-insensitively, \"x\", EOF");
    assert!(!set.has_faults);
    assert!(set.eof && !set.anything_else);
    assert_eq!(set.characters, CharSet::single('x'));
    assert_eq!(set.literals, [("PUBLIC".to_owned(), true)]);
    assert_eq!(
        set.label,
        "\"PUBLIC\" ASCII case-insensitively, U+0078 (x), EOF"
    );
    assert!(read("anything else").anything_else);
}

#[test]
fn a_surrogate_in_a_range_is_left_out() {
    let set = read("any except ASCII, noncharacter").characters;
    assert!(!set.contains('a') && !set.contains('\u{FFFE}'));
    assert!(set.contains('é') && set.contains('\u{FFFD}'));
}

fn encoded(bytes: &[u8]) -> Vec<(u8, u8)> {
    let mut set = ByteSet::default();
    bytes.iter().for_each(|byte| set.insert(*byte));
    encode(&set)
}

#[test]
fn nul_and_cr_go_together_unless_what_lies_between_is_wanted() {
    let low = [(0, 7), (0x0C, 0x0F)];
    assert_eq!(encoded(b"\0\r"), low);
    assert_eq!(encoded(b"\0\x0C\r<"), [low[0], low[1], (b'<', b'<')]);
    assert_eq!(encoded(b"\0\t\r"), [(0, 0), (9, 9), (13, 13)]);
    assert_eq!(encoded(b"\r<"), [(13, 13), (b'<', b'<')]);
    let to_space: Vec<u8> = [0].into_iter().chain(b'\r'..=b' ').collect();
    assert_eq!(encoded(&to_space), [(0, 7), (0x0C, b' ')]);
}

#[test]
fn encoded_sets_hold_all_their_members_in_few_ranges() {
    let mut set = ByteSet::default();
    for byte in b"\t\n\x0C />AZQX!?;:0\"'" {
        set.insert(*byte);
    }
    let ranges = encode(&set);
    assert!(ranges.len() <= testing::MOST_RANGES);
    assert_eq!(ranges[0], (0, b'"'));
    for byte in set.iter() {
        assert!(
            ranges.iter().any(|(a, b)| (*a..=*b).contains(&byte)),
            "{byte}"
        );
    }
}
