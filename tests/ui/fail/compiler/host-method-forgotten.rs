use speclex::Span;
use speclex::tree::{
    Doctype, ElementName, HostAnswer, HtmlHost, Place, TagAttributes, Text, TreeSink,
};

struct Mine;

impl TreeSink for Mine {
    type Node = u32;
    type Kept = ();
    fn is_same_node(&self, one: &u32, other: &u32) -> bool {
        one == other
    }
    fn document(&mut self) -> u32 {
        0
    }
    fn create_element(
        &mut self,
        _: ElementName<'_>,
        _: &TagAttributes<'_>,
        _: Option<Span>,
    ) -> u32 {
        0
    }
    fn keep(&mut self, _: &u32, _: &TagAttributes<'_>) {}
    fn create_again(&mut self, _: ElementName<'_>, _: &()) -> u32 {
        0
    }
    fn hash(&self, _: &()) -> u64 {
        0
    }
    fn is_alike(&self, _: &(), _: &()) -> bool {
        true
    }
    fn insert(&mut self, _: &u32, _: &Place<u32>) {}
    fn insert_text(&mut self, _: Text<'_>, _: &Place<u32>) {}
    fn insert_comment(&mut self, _: &str, _: Span, _: &Place<u32>) {}
    fn insert_processing_instruction(&mut self, _: &str, _: &str, _: Span, _: &Place<u32>) {}
    fn append_doctype(&mut self, _: &Doctype<'_>, _: Span) {}
    fn has_parent(&mut self, _: &u32) -> bool {
        true
    }
    fn template_contents(&mut self, _: &u32) -> u32 {
        0
    }
    fn move_children(&mut self, _: &u32, _: &u32) {}
    fn detach(&mut self, _: &u32) {}
    fn add_missing_attributes(&mut self, _: &u32, _: &TagAttributes<'_>) {}
}

type Given<'n> = Option<&'n u32>;

impl HtmlHost for Mine {
    fn maybe_clone_an_option_into_selectedcontent(&mut self, _: Given<'_>) {}
    fn run_the_reset_algorithm_of_a_resettable_element(&mut self, _: Given<'_>) {}
    fn associate_a_form_associated_element_with_its_form_owner(
        &mut self,
        _: Given<'_>,
        _: Given<'_>,
        _: Given<'_>,
    ) {
    }
    fn change_the_encoding_if_the_meta_element_says_so(&mut self, _: Given<'_>) -> HostAnswer {
        HostAnswer::No
    }
    fn set_the_parser_document(&mut self, _: Given<'_>) {}
    fn set_already_started_to_true(&mut self, _: Given<'_>) {}
    fn run_the_script_and_wait_for_the_pending_parsing_blocking_script(
        &mut self,
        _: Given<'_>,
    ) -> HostAnswer {
        HostAnswer::No
    }
    fn process_the_svg_script_element(&mut self, _: Given<'_>) -> HostAnswer {
        HostAnswer::No
    }
    fn attach_a_declarative_shadow_root(&mut self, _: Given<'_>, _: Given<'_>) -> bool {
        false
    }
    fn prepare_content_patching(&mut self, _: Given<'_>, _: Given<'_>) -> bool {
        false
    }
    fn insertion_target(&mut self) -> Option<u32> {
        None
    }
    fn insertion_start_marker(&mut self) -> Option<u32> {
        None
    }
    fn insertion_end_marker(&mut self) -> Option<u32> {
        None
    }
}

fn main() {}
