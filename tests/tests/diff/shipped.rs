//! The comparisons whose pages are checked in, and the tests of each.

use std::path::PathBuf;
use std::sync::OnceLock;

use speclex_analysis::diff::{Behaviour, Diff, Witness};
use speclex_tests::workspace;

/// A checked-in comparison.
pub(crate) struct Shipped {
    pub(crate) names: [&'static str; 2],
    /// How many lines its page may have that are not folded, and how many in all.
    pub(crate) most_lines: [usize; 2],
    /// Its witnesses are no fewer.
    least_witnesses: usize,
    made: OnceLock<Diff>,
}

pub(crate) static SINCE_2009: Shipped = Shipped::new(["html-2009", "html-2012"], [400; 2], 150);
pub(crate) static SINCE_2012: Shipped = Shipped::new(["html-2012", "html-2014"], [80; 2], 2);
pub(crate) static SINCE_2014: Shipped = Shipped::new(["html-2014", "html-2026-06"], [450; 2], 25);
pub(crate) static JUNE_2026: Shipped = Shipped::new(["html-2026-06", "html-living"], [80, 130], 10);
pub(crate) static XML5: Shipped = Shipped::new(["xml5-2016", "xml5"], [300; 2], 70);

impl Shipped {
    const fn new(names: [&'static str; 2], most_lines: [usize; 2], least_witnesses: usize) -> Self {
        Self {
            names,
            most_lines,
            least_witnesses,
            made: OnceLock::new(),
        }
    }

    /// The comparison, made once for all its tests.
    pub(crate) fn diff(&self) -> &Diff {
        self.made.get_or_init(|| {
            let [a, b] = self.names;
            let diff = speclex_cli::diff(a, b);
            diff.unwrap_or_else(|e| panic!("{}", e.render(false)))
        })
    }

    /// What the search found.
    pub(crate) fn behaviour(&self) -> &Behaviour {
        self.diff().behaviour.as_ref().expect("a search")
    }

    /// The inputs that both tables make different things of.
    pub(crate) fn witnesses(&self) -> &[Witness] {
        let witnesses = &self.behaviour().searched.witnesses;
        let count = witnesses.len();
        assert!(count >= self.least_witnesses, "only {count} witnesses");
        witnesses
    }

    pub(crate) fn path(&self) -> PathBuf {
        let [a, b] = self.names;
        workspace().join(format!("docs/diffs/{a}--{b}.md"))
    }

    /// The page as it is checked in.
    pub(crate) fn page(&self) -> String {
        let path = self.path();
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }
}

/// The tests of a comparison. Those that need its search have the attribute.
macro_rules! tests_of {
    ($module:ident: $shipped:ident $(, #[$ignored:meta])?) => {
        mod $module {
            use crate::shipped::$shipped;

            #[test]
            fn the_file_in_docs_has_no_markup_of_inputs() {
                crate::pages::the_file_in_docs_has_no_markup_of_inputs(&$shipped);
            }

            #[test]
            fn the_page_is_short_enough_to_be_read() {
                crate::pages::the_page_is_short_enough_to_be_read(&$shipped);
            }

            #[test]
            fn the_file_in_docs_quotes_what_is_in_the_texts() {
                crate::quotations::the_file_in_docs_quotes_what_is_in_the_texts(&$shipped);
            }

            #[test]
            $(#[$ignored])?
            fn the_file_in_docs_is_fresh() {
                crate::the_file_in_docs_is_fresh(&$shipped);
            }

            #[test]
            $(#[$ignored])?
            fn the_examples_of_the_explorer_are_fresh() {
                crate::the_examples_of_the_explorer_are_fresh(&$shipped);
            }

            #[test]
            $(#[$ignored])?
            fn witnesses_hold_for_the_generated_tokenizers() {
                crate::witnesses_hold_for_the_generated_tokenizers(&$shipped);
            }

            #[test]
            $(#[$ignored])?
            fn every_change_has_its_part() {
                crate::every_change_has_its_part(&$shipped);
            }

            #[test]
            $(#[$ignored])?
            fn an_example_as_a_document_stands_under_its_change() {
                crate::an_example_as_a_document_stands_under_its_change(&$shipped);
            }

            #[test]
            $(#[$ignored])?
            fn two_traces_part_where_the_comparison_says() {
                crate::traces::two_traces_part_where_the_comparison_says(&$shipped);
            }

            #[test]
            $(#[$ignored])?
            fn nothing_is_the_first_table_and_everything_the_second() {
                crate::between::nothing_is_the_first_table_and_everything_the_second(&$shipped);
            }

            #[test]
            $(#[$ignored])?
            fn a_row_cites_an_input_that_goes_through_its_arms() {
                crate::citations::a_row_cites_an_input_that_goes_through_its_arms(&$shipped);
            }
        }
    };
}

tests_of!(html_2009_to_html_2012: SINCE_2009, #[ignore = "the search takes half a minute; .ci/run runs it"]);
tests_of!(html_2012_to_html_2014: SINCE_2012, #[ignore = "the search takes long; .ci/run runs it"]);
tests_of!(html_2014_to_html_2026_06: SINCE_2014);
tests_of!(html_2026_06_to_html_living: JUNE_2026);
tests_of!(xml5_2016_to_xml5: XML5);
