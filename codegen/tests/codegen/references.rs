//! The named character references in the form in which the runtime searches them.

use speclex_codegen::testing;

fn built(names: &[(&str, &str)]) -> Result<testing::References, String> {
    let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
    testing::references(&names.iter().map(owned).collect::<Vec<_>>())
}

#[test]
fn rows_hold_the_names_sorted_with_value_and_longest_prefix() {
    let names = [
        ("notinva;", "∉"),
        ("not", "¬"),
        ("notin;", "∉"),
        ("not;", "¬"),
        ("NotGreaterEqual;", "≱"),
        ("NotGreater;", "≯"),
        ("no", "№"),
        ("nothing", ""),
        ("CounterClockwise;", "∳∳"),
    ];
    let table = built(&names).unwrap();
    let mut expected: Vec<_> = names
        .iter()
        .map(|&(name, value)| {
            let shorter = names
                .iter()
                .map(|n| n.0)
                .filter(|n| *n != name && name.starts_with(n));
            let prefix = shorter.max_by_key(|n| n.len());
            (name.to_owned(), value.to_owned(), prefix.map(str::to_owned))
        })
        .collect();
    expected.sort();
    assert_eq!(table.rows, expected);
    assert_eq!((table.longest, table.terminator), (17, b';'));
}

#[test]
fn equal_text_is_there_once() {
    assert_eq!(
        built(&[("amp", "&"), ("amp;", "&"), ("lt;", "<")])
            .unwrap()
            .text,
        "&<"
    );
}

#[test]
fn the_terminator_is_the_most_frequent_character_that_only_ends_names() {
    let terminator = |names: &[&str]| {
        let names: Vec<_> = names.iter().map(|name| (*name, "")).collect();
        built(&names).unwrap().terminator
    };
    assert_eq!(terminator(&["a.", "b.", "c!", "d!", "e!", "x!y"]), b'.');
    assert_eq!(terminator(&["aa", "a;b", "b;"]), 0);
    assert_eq!(terminator(&[]), 0);
}

#[test]
fn unsuitable_names_are_refused() {
    let fault = |names: &[(&str, &str)]| built(names).unwrap_err();
    for name in ["", "é;", "a\0"] {
        assert!(
            fault(&[(name, "x")]).contains(&format!(
                "name {name:?} of a character reference is not made of"
            )),
            "{name}"
        );
    }
    let repeated = fault(&[("a", "x"), ("b", ""), ("a", "y")]);
    assert!(
        repeated.contains("name \"a\" of a character reference is there twice"),
        "{repeated}"
    );
    let long = "x".repeat(50_000);
    let too_much = fault(&[("a", &long), ("b", &long[1..])]);
    assert!(too_much.contains("too many"), "{too_much}");
    assert_eq!(fault(&[("a", &long.repeat(2))]), too_much);
    let many: Vec<_> = (0..65_535)
        .map(|i| (format!("n{i}"), String::new()))
        .collect();
    assert_eq!(testing::references(&many).unwrap_err(), too_much);
}
