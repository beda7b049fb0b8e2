//! How the lines of generated files are broken: only spaces, commas at the end of a list and braces around one expression change.

use quote::quote;
use speclex_codegen::emit::file;

fn laid_out(items: proc_macro2::TokenStream) -> String {
    let text = file(items, &[]).expect("Rust");
    text.trim_start().to_owned()
}

#[test]
fn short_lists_are_one_line_and_long_ones_are_filled() {
    let long = (0..30).map(|it| format!("name{it}"));
    let long: Vec<String> = long.collect();
    let text = laid_out(quote! {
        const LONG: &[&str] = &[#(#long),*];
        fn with_a_name_that_leaves_little_room_for_its_arguments(first: &mut First, second: Second) {}
    });
    let expected = "\
const LONG: &[&str] = &[
    \"name0\", \"name1\", \"name2\", \"name3\", \"name4\", \"name5\", \"name6\", \"name7\", \"name8\", \"name9\",
    \"name10\", \"name11\", \"name12\", \"name13\", \"name14\", \"name15\", \"name16\", \"name17\", \"name18\",
    \"name19\", \"name20\", \"name21\", \"name22\", \"name23\", \"name24\", \"name25\", \"name26\", \"name27\",
    \"name28\", \"name29\",
];
fn with_a_name_that_leaves_little_room_for_its_arguments(first: &mut First, second: Second) {}
";
    assert_eq!(text, expected);
}

#[test]
fn patterns_chains_and_arms_use_the_width() {
    let states = (0..12).map(|it| quote::format_ident!("StateNumber{it}"));
    let states: Vec<_> = states.collect();
    let text = laid_out(quote! {
        fn f() {
            match state {
                #(State::#states)|* => { Step::to_the_state_of_that_name(State::StateNumber0, at_the_end_of_it_all) }
                _ => { report(); }
            }
            t.core.error_that_has_a_long_name(input, errors::ABSENCE_OF_DIGITS_IN_A_REFERENCE, at);
            if matches!(state, #(State::#states)|*) {}
        }
    });
    let expected = "\
fn f() {
    match state {
        State::StateNumber0 | State::StateNumber1 | State::StateNumber2 | State::StateNumber3
        | State::StateNumber4 | State::StateNumber5 | State::StateNumber6 | State::StateNumber7
        | State::StateNumber8 | State::StateNumber9 | State::StateNumber10
        | State::StateNumber11 => {
            Step::to_the_state_of_that_name(State::StateNumber0, at_the_end_of_it_all)
        }
        _ => {
            report();
        }
    }
    t.core.error_that_has_a_long_name(input, errors::ABSENCE_OF_DIGITS_IN_A_REFERENCE, at);
    if matches!(
        state,
        State::StateNumber0 | State::StateNumber1 | State::StateNumber2 | State::StateNumber3
        | State::StateNumber4 | State::StateNumber5 | State::StateNumber6 | State::StateNumber7
        | State::StateNumber8 | State::StateNumber9 | State::StateNumber10 | State::StateNumber11
    ) {}
}
";
    assert_eq!(text, expected);
}

#[test]
fn brackets_and_quotes_in_literals_are_no_syntax() {
    let text = laid_out(quote! {
        const TEXTS: &[&str] = &["a long text with a bracket ( and a comma, and more of it", "another \" with [ and a quote", "x"];
        const ONE: (&str,) = ("a long text that fills the line of a tuple of one, whose comma has to stay in place",);
        fn f() {
            call_with_characters('(', '\'', "one", something::<'static>(another_argument), '"');
            if matches!(t.temporary_buffer.get(input), "a | long text with a bar" | "another, with a comma | and a bar") {}
        }
    });
    let expected = "\
const TEXTS: &[&str] = &[
    \"a long text with a bracket ( and a comma, and more of it\",
    \"another \\\" with [ and a quote\",
    \"x\",
];
const ONE: (&str,) = (
    \"a long text that fills the line of a tuple of one, whose comma has to stay in place\",
);
fn f() {
    call_with_characters('(', '\\'', \"one\", something::<'static>(another_argument), '\"');
    if matches!(
        t.temporary_buffer.get(input), \"a | long text with a bar\" |
        \"another, with a comma | and a bar\"
    ) {}
}
";
    assert_eq!(text, expected);
}
