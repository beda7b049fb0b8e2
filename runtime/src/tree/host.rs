//! What the tables of HTML leave to the program around the parser.

use super::sink::{HostAnswer, TreeSink};

/// The host steps of HTML's tables, and the properties of elements that the host keeps: one method for each, named as in the table. A sink
/// for a builder of HTML implements it in addition to [`TreeSink`]. `None` means the table's null.
///
/// [`DomSink`](crate::DomSink) does what changes the tree, and pauses where it is told to; there is no script, so the rest does nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not run the host steps of HTML",
    note = "a builder of HTML needs `speclex::tree::HtmlHost` for its sink; `speclex::DomSink` has it"
)]
pub trait HtmlHost: TreeSink {
    /// Maybe clones an `option` element that was popped into `selectedcontent` elements (4.10.7).
    fn maybe_clone_an_option_into_selectedcontent(&mut self, option: Option<&Self::Node>);

    /// Runs the reset algorithm of a new form control (4.10.21.6).
    fn run_the_reset_algorithm_of_a_resettable_element(&mut self, element: Option<&Self::Node>);

    /// Associates a new form control, which gets this parent, with a `form` element.
    fn associate_a_form_associated_element_with_its_form_owner(
        &mut self,
        element: Option<&Self::Node>,
        form: Option<&Self::Node>,
        parent: Option<&Self::Node>,
    );

    /// Changes the encoding to the one that a `meta` element declares (13.2.3.4); a pause lets the caller do so.
    fn change_the_encoding_if_the_meta_element_says_so(
        &mut self,
        meta: Option<&Self::Node>,
    ) -> HostAnswer;

    /// Makes the Document the parser document of a `script` element.
    fn set_the_parser_document(&mut self, script: Option<&Self::Node>);

    /// Sets the flag "force async" of a `script` element to false.
    fn set_force_async_to_false(&mut self, script: Option<&Self::Node>);

    /// Sets the flag "already started" of a `script` element to true.
    fn set_already_started_to_true(&mut self, script: Option<&Self::Node>);

    /// Runs a `script` element that has ended, and those that parsing waits for; a pause lets the caller do so.
    fn run_the_script_and_wait_for_the_pending_parsing_blocking_script(
        &mut self,
        script: Option<&Self::Node>,
    ) -> HostAnswer;

    /// The same for a `script` element of SVG.
    fn process_the_svg_script_element(&mut self, script: Option<&Self::Node>) -> HostAnswer;

    /// Attaches a declarative shadow root to `host` for a `template` element; whether it has.
    fn attach_a_declarative_shadow_root(
        &mut self,
        host: Option<&Self::Node>,
        template: Option<&Self::Node>,
    ) -> bool;

    /// Looks inside `scope` for the markers that a `template` element names, and removes what is between them (4.12.3); whether there
    /// are some. The three properties are asked for after a yes.
    fn prepare_content_patching(
        &mut self,
        scope: Option<&Self::Node>,
        template: Option<&Self::Node>,
    ) -> bool;

    /// Where the contents of the template go: the parent of the markers.
    fn insertion_target(&mut self) -> Option<Self::Node>;

    /// The first marker.
    fn insertion_start_marker(&mut self) -> Option<Self::Node>;

    /// The last marker; none if there is only one end.
    fn insertion_end_marker(&mut self) -> Option<Self::Node>;
}
