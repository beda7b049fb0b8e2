//! What a tree does of HTML's host steps.

#[cfg(feature = "encoding")]
use crate::encoding::declared_by;
use crate::tree::{HostAnswer, HtmlHost};

use super::NodeId;
use super::sink::DomSink;

impl<const ERRORS: bool> DomSink<'_, ERRORS> {
    /// Pauses after a script, if that is wanted.
    fn pause_at(&mut self, script: Option<&NodeId>) -> HostAnswer {
        if !self.pauses_at_scripts || script.is_none() {
            return HostAnswer::No;
        }
        self.script = script.copied();
        HostAnswer::Pause
    }
}

impl<const ERRORS: bool> HtmlHost for DomSink<'_, ERRORS> {
    #[inline(always)]
    fn maybe_clone_an_option_into_selectedcontent(&mut self, option: Option<&NodeId>) {
        if let Some(option) = option {
            self.clone_option(option.0);
        }
    }

    #[inline(always)]
    fn run_the_reset_algorithm_of_a_resettable_element(&mut self, _: Option<&NodeId>) {}

    #[inline(always)]
    fn associate_a_form_associated_element_with_its_form_owner(
        &mut self,
        _: Option<&NodeId>,
        _: Option<&NodeId>,
        _: Option<&NodeId>,
    ) {
    }

    #[cfg(not(feature = "encoding"))]
    #[inline(always)]
    fn change_the_encoding_if_the_meta_element_says_so(
        &mut self,
        _: Option<&NodeId>,
    ) -> HostAnswer {
        HostAnswer::No
    }

    #[cfg(feature = "encoding")]
    #[inline(always)]
    fn change_the_encoding_if_the_meta_element_says_so(
        &mut self,
        meta: Option<&NodeId>,
    ) -> HostAnswer {
        let (Some(meta), true) = (meta, self.pauses_at_encoding) else {
            return HostAnswer::No;
        };
        let meta = self.dom.at(meta.0);
        self.declared_encoding = declared_by(|name| meta.attribute(name));
        self.pauses_at_encoding = self.declared_encoding.is_none();
        match self.declared_encoding {
            Some(_) => HostAnswer::Pause,
            None => HostAnswer::No,
        }
    }

    #[inline(always)]
    fn set_the_parser_document(&mut self, _: Option<&NodeId>) {}

    #[inline(always)]
    fn set_force_async_to_false(&mut self, _: Option<&NodeId>) {}

    #[inline(always)]
    fn set_already_started_to_true(&mut self, _: Option<&NodeId>) {}

    fn run_the_script_and_wait_for_the_pending_parsing_blocking_script(
        &mut self,
        script: Option<&NodeId>,
    ) -> HostAnswer {
        self.pause_at(script)
    }

    fn process_the_svg_script_element(&mut self, script: Option<&NodeId>) -> HostAnswer {
        self.pause_at(script)
    }

    fn attach_a_declarative_shadow_root(&mut self, _: Option<&NodeId>, _: Option<&NodeId>) -> bool {
        false
    }

    fn prepare_content_patching(
        &mut self,
        scope: Option<&NodeId>,
        template: Option<&NodeId>,
    ) -> bool {
        let (Some(scope), Some(template)) = (scope, template) else {
            return false;
        };
        self.patched = self.prepare_patching(*scope, *template);
        self.patched.is_some()
    }

    fn insertion_target(&mut self) -> Option<NodeId> {
        self.patched.map(|it| NodeId(it.target))
    }

    fn insertion_start_marker(&mut self) -> Option<NodeId> {
        self.patched.map(|it| NodeId(it.start))
    }

    fn insertion_end_marker(&mut self) -> Option<NodeId> {
        self.patched?.end.map(NodeId)
    }
}
