//! What `selectedcontent` elements show (4.10.7, 4.10.10), in trees of generated builders.

use libtest_mimic::Failed;
use speclex::{Dom, Node};
use speclex_tests::cases::Cases;
use speclex_tokenizers::html_tree_living::{parse, parse_fragment};

pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("selectedcontent: what is shown", shown);
}

/// Documents, and what is in each of their `selectedcontent` elements.
const DOCUMENTS: &[(&str, &[&str])] = &[
    // It is disabled in an option, so that nothing is copied.
    ("<select><option>x<selectedcontent>y", &["y"]),
    (
        "<select><button><selectedcontent></button><option disabled>A<option>B",
        &["B"],
    ),
    (
        "<select><button><selectedcontent></button><optgroup disabled><option>A</optgroup><option>B",
        &["B"],
    ),
    (
        "<select size=2><button><selectedcontent></button><option>A",
        &[""],
    ),
    (
        "<select><button><selectedcontent></button><datalist><option>A</datalist><option>B",
        &["B"],
    ),
    (
        "<select><option>A</option><button><selectedcontent></selectedcontent></button>",
        &["A"],
    ),
    // The last one that says so is selected.
    (
        "<select><button><selectedcontent></button><option selected>A<option><b>B</b><option selected>C<option>D",
        &["C"],
    ),
    (
        "<select multiple><button><selectedcontent>x</button><option selected>A",
        &["x"],
    ),
    // The first element shows it, the others are cleared when one is inserted.
    (
        "<select><option>A</option><selectedcontent></selectedcontent><i><selectedcontent>x</selectedcontent></i>\
         <selectedcontent>y",
        &["A", "", "y"],
    ),
    // When an end tag in the wrong place moves the option, none is selected for a moment. Then it is again, but that copies nothing.
    (
        "<select><selectedcontent></selectedcontent><b><p><i><option>A</option></b><option>B",
        &[""],
    ),
];

fn shown() -> Result<(), Failed> {
    let contents = |dom: &Dom<'_>| -> Vec<String> {
        let contents = dom.elements("selectedcontent");
        contents.map(Node::inner_html).collect()
    };
    for (document, wanted) in DOCUMENTS {
        let found = contents(&parse(document));
        if found != *wanted {
            return Err(format!("{document}: {found:?}, not {wanted:?}").into());
        }
    }
    // Nothing is connected in a fragment: an option is copied only when it ends.
    for (fragment, wanted) in [
        (
            "<select><option>A</option><selectedcontent></selectedcontent>",
            "",
        ),
        (
            "<select><selectedcontent></selectedcontent><option>A</option>",
            "A",
        ),
    ] {
        let found = contents(&parse_fragment(fragment, "div"));
        if found != [wanted] {
            return Err(format!("fragment {fragment}: {found:?}").into());
        }
    }
    Ok(())
}
