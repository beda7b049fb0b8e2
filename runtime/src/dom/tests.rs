//! Trees that are driven by hand.

use alloc::string::String;
use alloc::vec::Vec;

use super::*;
use crate::attributes::AttributeList;
use crate::input::Input;
use crate::tree::{ElementName, Name, NameTable, Place, Space, TagAttributes, Text, TreeSink};

static NAMES: NameTable = NameTable::new(&[
    "html",
    "head",
    "body",
    "p",
    "a",
    "b",
    "template",
    "select",
    "option",
    "selectedcontent",
    "br",
    "script",
    "svg",
    "div",
    "noscript",
]);

/// A builder without rules: tags open and close elements, nothing else is known.
struct Driver<'t, const ERRORS: bool = false> {
    sink: DomSink<'t, ERRORS>,
    names: crate::tree::Names,
    open: Vec<(String, NodeId)>,
    at: usize,
}

impl<'t, const ERRORS: bool> Driver<'t, ERRORS> {
    fn new(mut sink: DomSink<'t, ERRORS>) -> Self {
        let document = sink.document();
        Self {
            sink,
            names: crate::tree::Names::new(&NAMES),
            open: Vec::from([(String::new(), document)]),
            at: 0,
        }
    }

    fn span(&self, length: usize) -> Span {
        Span {
            start: self.at as u64,
            end: (self.at + length) as u64,
        }
    }

    fn end(&self) -> Place<NodeId> {
        Place::LastChild(self.open.last().expect("the Document").1)
    }

    fn create(&mut self, name: &str, attributes: &TagAttributes<'_>, span: Option<Span>) -> NodeId {
        let (space, local) = match name.split_once(':') {
            Some(("svg", name)) => (Space::Svg, name),
            Some(("math", name)) => (Space::MathMl, name),
            _ => (Space::Html, name),
        };
        let number = self.names.intern(local);
        let name = ElementName {
            space,
            local,
            number,
        };
        self.sink.create_element(name, attributes, span)
    }

    /// Feeds whole tags and texts: `<a b=c>`, `<a/>`, `</a>`, `<!comment>`, `<?target data>`, `<!DOCTYPE name>`; `&amp;` is the
    /// only reference.
    fn feed(&mut self, text: &str) {
        let mut rest = text;
        while !rest.is_empty() {
            let end = match rest.strip_prefix('<') {
                Some(tag) => 2 + tag.find('>').expect("whole tags"),
                None if rest.starts_with('&') => "&amp;".len(),
                None => rest.find(['<', '&']).unwrap_or(rest.len()),
            };
            let (token, after) = rest.split_at(end);
            let span = self.span(end);
            match token.strip_prefix('<').map(|tag| &tag[..tag.len() - 1]) {
                None => {
                    let text = if token == "&amp;" { "&" } else { token };
                    let end = self.end();
                    self.sink.insert_text(Text { text, span }, &end);
                }
                Some(tag) => self.tag(tag, span),
            }
            self.at += end;
            rest = after;
        }
    }

    fn tag(&mut self, tag: &str, span: Span) {
        let end = self.end();
        if let Some(name) = tag.strip_prefix('/') {
            if self.open.last().is_some_and(|(open, _)| open == name) {
                let (_, node) = self.open.pop().expect("it");
                self.sink.popped(&node, Some(span));
                self.sink
                    .host_step("maybe clone an option into selectedcontent", &[Some(&node)]);
            }
        } else if let Some(name) = tag.strip_prefix("!DOCTYPE ") {
            let (name, system_identifier) = name.split_once(' ').unwrap_or((name, ""));
            let doctype = Doctype {
                name,
                public_identifier: "",
                system_identifier,
            };
            self.sink.append_doctype(&doctype, span);
        } else if let Some(data) = tag.strip_prefix('!') {
            self.sink.insert_comment(data, span, &end);
        } else if let Some(data) = tag.strip_prefix('?') {
            let (target, data) = data.split_once(' ').unwrap_or((data, ""));
            self.sink
                .insert_processing_instruction(target, data, span, &end);
        } else {
            let is_closed = tag.ends_with('/');
            let tag = tag.trim_end_matches('/');
            let node = with_attributes(tag, |name, attributes| {
                let node = self.create(name, attributes, Some(span));
                self.sink.insert(&node, &end);
                let inside = self.sink.template_contents(&node);
                if !is_closed {
                    self.open.push((String::from(name), inside));
                }
            });
            let () = node;
        }
    }
}

/// Calls with the name and the attributes of a tag.
fn with_attributes<R>(tag: &str, run: impl FnOnce(&str, &TagAttributes<'_>) -> R) -> R {
    let mut parts = tag.split(' ');
    let name = parts.next().unwrap_or_default();
    let input = Input::new(tag);
    let mut list = AttributeList::default();
    for attribute in parts {
        let start = attribute.as_ptr().addr() - tag.as_ptr().addr();
        let end = start + attribute.len();
        let equals = attribute.find('=').map_or(end, |at| start + at);
        list.add(input, (start, equals), ((equals + 1).min(end), end));
    }
    run(name, &TagAttributes::new(list.view(input)))
}

fn dom(text: &str) -> Dom<'_> {
    let mut driver = Driver::new(DomSink::<false>::new(text, &NAMES));
    driver.feed(text);
    driver.sink.finish()
}

const PAGE: &str = "<!DOCTYPE html about:x><!c><html lang=de a=b><p>one &amp; two</p><svg:svg viewBox=x><x-y></x-y></svg:svg>\
<template><b>in</b></template><?a b></html>";

#[test]
fn a_dump_is_in_the_form_of_html5lib() {
    assert_eq!(
        dom(PAGE).dump(),
        "| <!DOCTYPE html \"\" \"about:x\">\n| <!-- c -->\n| <html>\n|   a=\"b\"\n|   lang=\"de\"\n|   <p>\n\
         |     \"one & two\"\n|   <svg svg>\n|     viewBox=\"x\"\n|     <x-y>\n|   <template>\n|     content\n\
         |       <b>\n|         \"in\"\n|   <?a b>\n"
    );
}
