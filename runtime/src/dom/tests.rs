//! Trees that are driven by hand.

#![cfg(test)]

use alloc::string::String;
use alloc::vec::Vec;

use super::links::What;
use super::*;
use crate::attributes::AttributeList;
use crate::input::Input;
use crate::tree::{
    AttributeName, DocumentMode, ElementName, HtmlHost, NameTable, Place, Space, TagAttributes,
    Text, TreeSink,
};

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

    /// Feeds whole tags and texts: `<a b=c>`, `</a>`, `<!comment>`, `<?target data>`, `<!DOCTYPE name>`; `&amp;` is the only
    /// reference.
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
                self.sink.end_tag(&node, span);
                if name == "option" {
                    self.sink
                        .maybe_clone_an_option_into_selectedcontent(Some(&node));
                }
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
            with_attributes(tag, span, |name, attributes| {
                let node = self.create(name, attributes, Some(span));
                self.sink.insert(&node, &end);
                let inside = self.sink.template_contents(&node);
                self.open.push((String::from(name), inside));
            });
        }
    }
}

/// Calls with the name and the attributes of a tag.
fn with_attributes<R>(tag: &str, span: Span, run: impl FnOnce(&str, &TagAttributes<'_>) -> R) -> R {
    let mut parts = tag.split(' ');
    let name = parts.next().unwrap_or_default();
    let input = Input::new(tag);
    let mut list = AttributeList::default();
    for attribute in parts {
        let start = attribute.as_ptr().addr() - tag.as_ptr().addr();
        let end = start + attribute.len();
        // Without a value, it is empty where the name starts.
        let (name, value) = match attribute.find('=') {
            Some(at) => ((start, start + at), (start + at + 1, end)),
            None => ((start, end), (start, start)),
        };
        list.add(input, name, value);
    }
    run(name, &TagAttributes::new(&list.view(input), span))
}

/// The tree of a text that is there at once.
fn dom(text: &str) -> Dom<'_> {
    let mut driver = Driver::new(DomSink::<false>::new(text, &NAMES));
    driver.feed(text);
    driver.sink.finish()
}

/// The tree of a text that comes tag by tag, from memory that is used again.
fn dom_of_chunks(text: &str) -> Dom<'static> {
    let mut driver = Driver::new(DomSink::<false>::in_chunks(&NAMES));
    let mut buffer = String::new();
    for chunk in text.split_inclusive('>') {
        buffer.clear();
        buffer.push_str(chunk);
        driver.sink.feed(&buffer);
        driver.feed(&buffer);
    }
    driver.sink.finish()
}

const PAGE: &str = "<!DOCTYPE html about:x><!c><html lang=de a=b><p>one &amp; two</p><svg:svg viewBox=x><x-y></x-y></svg:svg>\
<template><b>in</b></template><?a b></html>";

#[test]
fn a_dump_is_in_the_form_of_html5lib() {
    let wanted = "| <!DOCTYPE html \"\" \"about:x\">\n| <!-- c -->\n| <html>\n|   a=\"b\"\n|   lang=\"de\"\n|   <p>\n\
         |     \"one & two\"\n|   <svg svg>\n|     viewBox=\"x\"\n|     <x-y>\n|   <template>\n|     content\n\
         |       <b>\n|         \"in\"\n|   <?a b>\n";
    assert_eq!(dom(PAGE).dump(), wanted);
    assert_eq!(dom_of_chunks(PAGE).dump(), wanted);
    assert_eq!(dom(PAGE).into_owned().dump(), wanted);
}

#[test]
fn html_is_serialized_as_the_standard_says() {
    let shown = |text| (dom(text).serialize(), dom_of_chunks(text).serialize());
    for (text, wanted) in [
        (
            PAGE,
            "<!DOCTYPE html><!--c--><html lang=\"de\" a=\"b\"><p>one &amp; two</p><svg viewBox=\"x\"><x-y></x-y></svg>\
             <template><b>in</b></template><?a b?></html>",
        ),
        ("<?p ?>", "<?p ??>"),
        ("<?p>", "<?p ?>"),
        (
            "<p a=\"<\u{A0}&\">\u{A0}\"</p>",
            "<p a=\"&quot;&lt;&nbsp;&amp;&quot;\">&nbsp;\"</p>",
        ),
        ("<div><br>no</br></div>", "<div><br></div>"),
        ("<div><svg:br>yes</svg:br></div>", "<div><br>yes</br></div>"),
        ("<script>a &amp; b</script>", "<script>a & b</script>"),
        (
            "<svg:script>a &amp; b</svg:script>",
            "<script>a &amp; b</script>",
        ),
        (
            "<noscript>a &amp; b</noscript>",
            "<noscript>a &amp; b</noscript>",
        ),
    ] {
        assert_eq!(shown(text), (wanted.into(), wanted.into()));
    }
    let page = dom(PAGE);
    let template = page.elements("template").next().expect("one");
    assert_eq!(template.inner_html(), "<b>in</b>");
    assert_eq!(template.outer_html(), "<template><b>in</b></template>");
    let page = dom("<p><br></p>");
    assert_eq!(page.elements("br").next().expect("one").inner_html(), "");
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.sink.set_scripting(true);
    driver.feed("<noscript>a &amp; b</noscript>");
    assert_eq!(
        driver.sink.finish().serialize(),
        "<noscript>a & b</noscript>"
    );
}

#[test]
fn adjusted_names_of_attributes_have_prefixes() {
    fn adjust(name: &str) -> Option<AttributeName<'static>> {
        let (prefix, local, space) = match name {
            "xlink:href" => (Some("xlink"), "href", Space::XLink),
            "xml:lang" => (Some("xml"), "lang", Space::Xml),
            "xmlns" => (None, "xmlns", Space::Xmlns),
            "xmlns:xlink" => (Some("xmlns"), "xlink", Space::Xmlns),
            _ => return None,
        };
        Some(AttributeName {
            prefix,
            local,
            space,
        })
    }
    let tag = "a xlink:href=1 xml:lang=2 xmlns=3 xmlns:xlink=4 href=5 xlink:x=6";
    let mut driver = Driver::new(DomSink::<false>::new(tag, &NAMES));
    with_attributes(tag, Span::default(), |name, attributes| {
        let mut attributes = *attributes;
        attributes.adjust(adjust);
        for _ in 0..2 {
            let node = driver.create(name, &attributes, None);
            let document = driver.end();
            driver.sink.insert(&node, &document);
        }
    });
    let dom = driver.sink.finish();
    assert_eq!(
        dom.dump(),
        "| <a>\n|   href=\"5\"\n|   xlink href=\"1\"\n|   xlink:x=\"6\"\n|   xml lang=\"2\"\n|   xmlns xlink=\"4\"\n|   xmlns xmlns=\"3\"\n"
    );
    assert_eq!(
        dom.serialize(),
        "<a xlink:href=\"1\" xml:lang=\"2\" xmlns=\"3\" xmlns:xlink=\"4\" href=\"5\" xlink:x=\"6\"></a>"
    );
    let a = dom.elements("a").next().expect("one");
    for attribute in tag.split(' ').skip(1) {
        let (name, value) = attribute.split_once('=').expect("a value");
        assert_eq!(a.attribute(name), Some(value));
    }
    assert_eq!(a.attribute("lang"), None);
}

#[test]
fn places_are_those_of_the_input() {
    let text = "<html><p a=bc d>one</p>two&amp;three<!x></html>";
    for dom in [dom(text), dom_of_chunks(text)] {
        let at = |span: Option<Span>| span.map(|span| &text[span.range()]);
        let html = dom.elements("html").next().expect("one");
        assert_eq!(
            (at(html.span()), at(html.end_tag())),
            (Some("<html>"), Some("</html>"))
        );
        let p = dom.elements("p").next().expect("one");
        assert_eq!(
            (at(p.span()), at(p.end_tag())),
            (Some("<p a=bc d>"), Some("</p>"))
        );
        let values: Vec<_> = p.attributes().map(|it| at(it.value_span())).collect();
        assert_eq!(values, [Some("bc"), None]);
        let spans: Vec<_> = html.children().map(|node| at(node.span())).collect();
        assert_eq!(
            spans,
            [Some("<p a=bc d>"), Some("two&amp;three"), Some("<!x>")]
        );
        assert_eq!(html.text(), "onetwo&three");
        assert!(matches!(p.text(), alloc::borrow::Cow::Borrowed("one")));
        assert_eq!(dom.document().span(), None);
        assert_eq!(dom.input(), text);
        assert_eq!(dom.elements("x-y").count(), 0);
    }
}

#[test]
fn attributes_that_come_later_are_added_once() {
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed("<html a=1 b=2>");
    let html = driver.open[1].1;
    let copy = with_attributes("html a=1 b=2", Span::default(), |_, attributes| {
        driver.sink.keep(&html, attributes)
    });
    let mut add = |tag: &str| {
        with_attributes(tag, Span::default(), |_, attributes| {
            driver.sink.add_missing_attributes(&html, attributes)
        })
    };
    add("html b=3");
    add("html b=3 c=4");
    add("html c=5 d=6");
    for i in 0..100 {
        add(&alloc::format!("html x{i}={i} a=9"));
    }
    // Those that it was created with stay as they are.
    let kept = with_attributes("html a=1 b=2", Span::default(), |_, attributes| {
        driver.sink.keep(&html, attributes)
    });
    assert!(driver.sink.is_alike(&copy, &kept));
    let dom = driver.sink.finish();
    let attributes: Vec<_> = dom
        .elements("html")
        .next()
        .expect("one")
        .attributes()
        .collect();
    assert_eq!(
        alloc::format!("{:?}", &attributes[..4]),
        "[a=\"1\", b=\"2\", c=\"4\", d=\"6\"]"
    );
    assert_eq!(attributes.len(), 104);
}

#[test]
fn tags_are_alike_in_any_order() {
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    let mut keep = |tag: &str| {
        with_attributes(tag, Span::default(), |name, attributes| {
            let node = driver.create(name, attributes, None);
            driver.sink.keep(&node, attributes)
        })
    };
    let kept = [
        "a",
        "a x=1 y=2",
        "a y=2 x=1",
        "a x=2 y=1",
        "a x=1",
        "a x=1 y=23456789ab",
    ]
    .map(&mut keep);
    let sink = driver.sink;
    for (i, one) in kept.iter().enumerate() {
        for (j, other) in kept.iter().enumerate() {
            let is_alike = i == j || (i, j) == (1, 2) || (i, j) == (2, 1);
            assert_eq!(sink.is_alike(one, other), is_alike, "{i} {j}");
            assert_eq!(sink.hash(one) == sink.hash(other), is_alike, "{i} {j}");
        }
    }
}

/// The simplest tree: lists of children.
#[derive(Default)]
struct Model {
    /// What a node is: `d`, `e`lement, `t`ext, `c`omment, `C`ontents.
    kinds: Vec<char>,
    texts: Vec<String>,
    children: Vec<Vec<usize>>,
}

impl Model {
    fn create(&mut self, kind: char, text: &str) -> usize {
        self.kinds.push(kind);
        self.texts.push(text.into());
        self.children.push(Vec::new());
        self.kinds.len() - 1
    }

    fn parent(&self, id: usize) -> Option<usize> {
        self.children
            .iter()
            .position(|children| children.contains(&id))
    }

    fn contains(&self, id: usize, other: usize) -> bool {
        let contents = self.kinds.get(id + 1) == Some(&'C') && self.contains(id + 1, other);
        id == other
            || contents
            || self.children[id]
                .iter()
                .any(|&child| self.contains(child, other))
    }

    fn can_insert(&self, id: usize, parent: usize) -> bool {
        let has_element = |id: usize| self.children[id].iter().any(|&it| self.kinds[it] == 'e');
        let fits = match (self.kinds[parent], self.kinds[id]) {
            (_, 'd' | 'C') | ('d', 't') | ('t' | 'c', _) => false,
            ('d', 'e') => !has_element(parent),
            _ => true,
        };
        fits && !self.contains(id, parent)
    }

    fn insert(&mut self, id: usize, parent: usize, before: Option<usize>) {
        if self.can_insert(id, parent) && before != Some(id) {
            self.detach(id);
            let at =
                before.and_then(|before| self.children[parent].iter().position(|&it| it == before));
            let at = at.unwrap_or(self.children[parent].len());
            self.children[parent].insert(at, id);
        }
    }

    fn detach(&mut self, id: usize) {
        self.children
            .iter_mut()
            .for_each(|children| children.retain(|&it| it != id));
    }
}

#[test]
fn links_are_those_of_a_list_of_children() {
    let mut seed = 7_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..100 {
        let text = "0123456789";
        let mut driver = Driver::new(DomSink::<false>::new(text, &NAMES));
        let mut model = Model::default();
        model.create('d', "");
        for _ in 0..300 {
            let count = model.kinds.len();
            let (one, other) = (next(count), next(count));
            let [node, target] = [one, other].map(|id| NodeId(id as u32));
            // Before a node that has a parent, or at the end of one.
            let (parent, before) = match model.parent(other) {
                Some(parent) if next(2) == 0 => (parent, Some(other)),
                _ => (other, None),
            };
            let place = match before {
                Some(_) => Place::Before {
                    sibling: target,
                    above: target,
                },
                None => Place::LastChild(target),
            };
            match next(9) {
                0 => {
                    let name = if next(3) == 0 { "template" } else { "div" };
                    driver.create(name, &TagAttributes::NONE, None);
                    model.create('e', "");
                    if name == "template" {
                        model.create('C', "");
                    }
                }
                1 => {
                    let id = model.create('c', "");
                    driver.sink.insert_comment("", Span::default(), &place);
                    model.insert(id, parent, before);
                }
                2 | 3 => {
                    let at = next(text.len());
                    let text = if next(3) == 0 { "x" } else { &text[at..at + 1] };
                    let span = Span::default();
                    driver.sink.insert_text(Text { text, span }, &place);
                    let siblings = &model.children[parent];
                    let at = siblings
                        .iter()
                        .position(|&it| Some(it) == before)
                        .unwrap_or(siblings.len());
                    let previous = at.checked_sub(1).map(|at| siblings[at]);
                    if let Some(previous) = previous.filter(|&it| model.kinds[it] == 't') {
                        model.texts[previous].push_str(text);
                    } else if matches!(model.kinds[parent], 'e' | 'C') {
                        let id = model.create('t', text);
                        model.insert(id, parent, before);
                    }
                }
                4 => {
                    driver.sink.detach(&node);
                    model.detach(one);
                }
                5 => {
                    driver.sink.move_children(&node, &target);
                    for child in model.children[one].clone() {
                        model.insert(child, other, None);
                    }
                }
                _ => {
                    driver.sink.insert(&node, &place);
                    model.insert(one, parent, before);
                }
            }
            assert_eq!(driver.sink.has_parent(&node), model.parent(one).is_some());
        }
        let dom = driver.sink.finish();
        for id in 0..model.kinds.len() {
            let node = dom.node(NodeId(id as u32)).expect("a node");
            let ids = |nodes: &mut dyn Iterator<Item = Node<'_>>| {
                nodes.map(|it| it.id().0 as usize).collect::<Vec<_>>()
            };
            let children = &model.children[id];
            assert_eq!(ids(&mut node.children()), *children);
            let backwards = core::iter::successors(node.last_child(), |it| it.previous_sibling());
            let mut backwards = ids(&mut backwards.into_iter());
            backwards.reverse();
            assert_eq!(backwards, *children);
            assert_eq!(node.parent().map(|it| it.id().0 as usize), model.parent(id));
            if let NodeKind::Text(text) = node.kind() {
                assert_eq!(text, model.texts[id]);
            }
            let others = 0..model.kinds.len();
            let mut inside: Vec<_> = others
                .filter(|&it| it != id && node.dom.links.is_above(id as u32, it as u32))
                .collect();
            inside.retain(|&it| {
                core::iter::successors(Some(it), |&it| model.parent(it)).any(|it| it == id)
            });
            let mut descendants = ids(&mut node.descendants());
            descendants.sort_unstable();
            assert_eq!(descendants, inside);
        }
        assert_eq!(dom.links.edges(0).count() % 2, 0);
    }
}

#[test]
fn texts_that_take_turns_grow_in_linear_time() {
    // Two texts that grow in turns, and comments between them: each would move each time.
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed("<html><p></p><b></b>");
    let html = driver.open[1].1;
    let ends: Vec<_> = [2, 3].map(NodeId).map(Place::LastChild).into();
    let span = Span::default();
    for i in 0..100_000 {
        driver
            .sink
            .insert_text(Text { text: "ab", span }, &ends[i % 2]);
        driver
            .sink
            .insert_comment("c", span, &Place::LastChild(html));
    }
    let dom = driver.sink.finish();
    let texts: Vec<_> = ["p", "b"]
        .map(|name| dom.elements(name).next().expect("one").text().len())
        .into();
    assert_eq!(texts, [100_000, 100_000]);
    // 100,000 comments, each with a character of its own.
    assert!(
        dom.memory() < 100_000 * (32 + 1 + 2) * 2,
        "{}",
        dom.memory()
    );
}

#[test]
fn depth_costs_no_stack() {
    const DEPTH: usize = 1_000_000;
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed("<select><selectedcontent></selectedcontent><option>");
    let (_, option) = driver.open[2];
    let mut end = Place::LastChild(option);
    for _ in 0..DEPTH {
        let node = driver.create("b", &TagAttributes::NONE, None);
        driver.sink.insert(&node, &end);
        end = Place::LastChild(node);
    }
    let span = Span::default();
    driver.sink.insert_text(Text { text: "x", span }, &end);
    driver.feed("</option>");
    let dom = driver.sink.finish();
    assert_eq!(
        dom.clone().serialize().len(),
        "<select><selectedcontent></selectedcontent><option>x</option></select>x".len()
            + 2 * 7 * DEPTH
    );
    let content = dom.elements("selectedcontent").next().expect("one");
    assert_eq!(content.descendants().count(), DEPTH + 1);
    assert_eq!(content.text(), "x");
    let deepest = content.descendants().last().expect("one");
    assert_eq!(deepest.ancestors().count(), DEPTH + 3);
    // The lines of a dump are as long as it is deep: one of 2,000 is enough.
    let text = "<div>".repeat(2000);
    assert_eq!(dom_of_chunks(&text).dump().len(), 2000 * 8 + 1999 * 2000);
}

#[test]
fn selected_options_are_shown() {
    let contents = |text: &str| -> Vec<String> {
        let dom = dom(text);
        dom.elements("selectedcontent")
            .map(Node::inner_html)
            .collect()
    };
    let shown = |text: &str| contents(text).into_iter().next().unwrap_or_default();
    let select = "<div><select><selectedcontent>old</selectedcontent>";
    for (options, wanted) in [
        ("<option>a</option><option>b</option>", "a"),
        (
            "<option>a</option><option selected>b</option><option>c</option>",
            "b",
        ),
        (
            "<option selected>a</option><option selected>b&amp;</option>",
            "b&amp;",
        ),
        (
            "<option><template><b>x</b></template><!c><?p i></option>",
            "<template><b>x</b></template><!--c--><?p i?>",
        ),
        (
            "<p><option>a<option>b</option></option></p>",
            "a<option>b</option>",
        ),
        ("<optgroup><option>a</option></optgroup>", "a"),
        ("<option disabled>a</option><option>b</option>", "b"),
        (
            "<optgroup disabled><option>a</option></optgroup><option>b</option>",
            "b",
        ),
        (
            "<option disabled selected>a</option><option>b</option>",
            "a",
        ),
        ("<option disabled>a</option>", ""),
        (
            "<datalist><option>a</option></datalist><option>b</option>",
            "b",
        ),
        // The last one, and none that was selected before is selected again.
        (
            "<option selected>a</option><option>b</option><option selected>c</option><option>d</option>",
            "c",
        ),
        (
            "<optgroup><optgroup><option>a</option></optgroup></optgroup>",
            "old",
        ),
        ("<datalist><option>a</option></datalist>", "old"),
        ("<template><option>a</option></template>", "old"),
        ("<svg:option>a</svg:option>", "old"),
        (
            "<option a=b>x<selectedcontent>y</selectedcontent></option><option selected>z</option>",
            "z",
        ),
    ] {
        assert_eq!(shown(&[select, options].concat()), wanted, "{options}");
    }
    assert_eq!(
        shown("<select multiple><selectedcontent></selectedcontent><option>a</option>"),
        ""
    );
    assert_eq!(
        shown("<selectedcontent></selectedcontent><select><option>a</option>"),
        ""
    );
    for (size, wanted) in [
        ("1", "a"),
        ("2", ""),
        ("0", ""),
        ("x", "a"),
        ("-2", "a"),
        ("+01x", "a"),
        ("18446744073709551617", ""),
    ] {
        let text = "<select size=%><selectedcontent></selectedcontent><option>a</option>";
        assert_eq!(shown(&text.replace('%', size)), wanted, "{size}");
        let text = text.replace("<option>", "<option selected>");
        assert_eq!(shown(&text.replace('%', size)), "a", "{size}");
    }
    // When the element is inserted, an option may be there; others are cleared.
    assert_eq!(
        shown("<select><option>a<b>c</b></option><selectedcontent></selectedcontent>"),
        "a<b>c</b>"
    );
    let text = "<select><option>a</option><selectedcontent></selectedcontent><i><selectedcontent>x</selectedcontent></i>";
    assert_eq!(
        contents(&[text, "<selectedcontent></selectedcontent>"].concat()),
        ["a", "", ""]
    );
    // An element in an option is disabled, and so is one in two select elements.
    assert_eq!(
        shown("<select><option>a<selectedcontent>b</selectedcontent></option>"),
        "b"
    );
    assert_eq!(
        shown("<select><p><select><selectedcontent>b</selectedcontent><option>a</option>"),
        "b"
    );
    // The option may be in the element: it leaves.
    assert_eq!(
        shown("<select><selectedcontent><option>a<b>c</b></option>"),
        ""
    );
}

#[test]
fn what_was_copied_grows_by_itself() {
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed("<select><selectedcontent></selectedcontent><option>a</option>");
    let dom = driver.sink.dom.clone();
    let [content, option] =
        ["selectedcontent", "option"].map(|name| dom.elements(name).next().expect("one").id());
    let mut add = |text, id| {
        driver.sink.insert_text(
            Text {
                text,
                span: Span { start: 3, end: 4 },
            },
            &Place::LastChild(id),
        )
    };
    for _ in 0..3 {
        add("b", content);
        add("c", option);
    }
    let dom = driver.sink.finish();
    assert_eq!(
        dom.serialize(),
        "<select><selectedcontent>abbb</selectedcontent><option>accc</option></select>"
    );
    let copy = dom.node(content).and_then(Node::first_child).expect("text");
    assert_eq!(copy.span(), Some(Span { start: 3, end: 4 }));
}

#[test]
fn what_is_too_large_is_left_out() {
    for (text, wanted) in [
        ("<p>12&amp;</p>", None),
        ("<p>12345</p>", Some(DomLimit::Text)),
        ("<p>12&amp;12&amp;</p>", Some(DomLimit::Text)),
        ("<p a=12345></p>", Some(DomLimit::Text)),
        ("<p><b><b><b><b><b></p>", Some(DomLimit::Nodes)),
        ("<p><b><b><template>", Some(DomLimit::Nodes)),
        ("<p a b></p><b a b c></b>", Some(DomLimit::Attributes)),
    ] {
        let mut driver = Driver::new(DomSink::<false>::with_limit("", &NAMES, 4));
        driver.feed(text);
        // It can be read.
        let dom = driver.sink.finish();
        let _ = (dom.dump(), dom.serialize());
        assert_eq!(dom.limit(), wanted, "{text}");
    }
    let sink = DomSink::<false>::with_limit("12345", &NAMES, 4);
    assert_eq!(sink.limit(), Some(DomLimit::Input));
    let mut sink = DomSink::<false>::in_chunks_with_limit(&NAMES, 5);
    for chunk in ["abc", "def", "g"] {
        sink.feed(chunk);
    }
    assert_eq!(
        (sink.limit(), sink.finish().input()),
        (Some(DomLimit::Input), "abc")
    );
}

#[test]
fn errors_are_kept_if_they_are_wanted() {
    let error = TreeError {
        offset: 3,
        code: None,
        mode: "in body",
        kind: "character",
    };
    let mut sink = DomSink::<true>::new("", &NAMES);
    TreeSink::error(&mut sink, error.clone());
    sink.set_document_mode(DocumentMode::Quirks);
    let dom = sink.finish();
    assert_eq!(
        (dom.errors(), dom.document_mode()),
        (&[error][..], DocumentMode::Quirks)
    );
    const { assert!(DomSink::<true>::ERRORS && !DomSink::<false>::ERRORS) }
}

#[test]
fn many_options_and_attributes_take_linear_time() {
    // In quadratic time each would take minutes.
    const MANY: usize = 100_000;
    let deep = [
        "<select><selectedcontent></selectedcontent>",
        &"<div>".repeat(MANY),
    ]
    .concat();
    let late = [
        "<select>",
        &"<div></div>".repeat(MANY),
        "<selectedcontent></selectedcontent>",
    ]
    .concat();
    let none = [
        "<selectedcontent></selectedcontent><select>",
        &"<div></div>".repeat(MANY),
    ]
    .concat();
    for select in [deep, late, none] {
        for option in ["<option selected>x</option>", "<option>x</option>"] {
            let dom = dom_of_chunks(&[&*select, &option.repeat(MANY)].concat());
            assert!(dom.memory() > MANY * 64);
        }
    }
    // What moves beside the options changes nothing for them.
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed("<select><selectedcontent></selectedcontent>");
    driver.feed(&"<div>".repeat(MANY));
    let end = driver.end();
    for _ in 0..MANY {
        driver.feed("<option>x</option>");
        let [b, p] = ["b", "p"].map(|name| driver.create(name, &TagAttributes::NONE, None));
        driver.sink.insert(&b, &end);
        driver.sink.insert(&p, &Place::LastChild(b));
        driver.sink.insert(&p, &end);
    }
    // Elements that show the same option again and again copy it once.
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed("<select><option>");
    driver.feed(&"x<b></b>".repeat(MANY));
    driver.feed("</option>");
    driver.feed(&"<selectedcontent></selectedcontent>".repeat(MANY));
    assert_eq!(driver.sink.dom.links.nodes.len(), 3 + 5 * MANY);
    let text = "<html a=b>";
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed(text);
    let html = driver.open[1].1;
    for i in 0..MANY {
        with_attributes(
            &alloc::format!("html a{i}=x"),
            Span::default(),
            |_, attributes| {
                driver.sink.add_missing_attributes(&html, attributes);
            },
        );
        driver.feed("<b c=d></b>");
    }
    let dom = driver.sink.finish();
    assert_eq!(
        dom.elements("html")
            .map(|html| html.attributes().len())
            .next(),
        Some(MANY + 1)
    );
}

#[test]
fn markers_are_found_in_linear_time() {
    const MANY: usize = 50_000;
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed("<div><?marker name='y'>");
    let (_, scope) = driver.open[1];
    let [known, unknown] = ["for=q", "for=z"].map(|name| {
        let mut template = None;
        with_attributes(
            &["template ", name].concat(),
            Span::default(),
            |name, attributes| {
                template = Some(driver.create(name, attributes, None));
            },
        );
        template.expect("one")
    });
    let found = |driver: &mut Driver<'_>, template| {
        let sink = &mut driver.sink;
        let is_there = sink.prepare_content_patching(Some(&scope), Some(&template));
        is_there.then(|| sink.insertion_start_marker()).flatten()
    };
    for _ in 0..MANY {
        driver.feed("<p></p>");
        assert_eq!(found(&mut driver, unknown), None);
        assert_eq!(found(&mut driver, known), None);
        driver.feed("<b><?marker name='q'></b>");
        let marker = found(&mut driver, known).expect("it is there");
        driver.sink.detach(&marker);
    }
    driver.feed(&"<?marker name='z'>".repeat(MANY));
    for _ in 0..MANY {
        let marker = found(&mut driver, unknown).expect("the first");
        driver.sink.detach(&marker);
    }
    assert_eq!(found(&mut driver, unknown), None);
}

#[test]
fn the_first_marker_in_the_scope_is_found() {
    let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
    driver.feed("<html><div><?marker name='q'></div><div><template><?marker name='q'></template><?end name='q'><?start name='q' x=''><p></p><?marker x='y' name='q'></div>");
    let ids: Vec<_> = (0..driver.sink.dom.links.nodes.len() as u32)
        .filter(|&id| driver.sink.marker(id).as_deref() == Some("q"))
        .collect();
    let dom = driver.sink.dom.clone();
    let parent = |id: u32| dom.links.node(id).parent;
    let mut template = None;
    with_attributes("template for=q", Span::default(), |name, attributes| {
        template = Some(driver.create(name, attributes, None));
    });
    let template = template.expect("one");
    let found = |driver: &mut Driver<'_>, scope| {
        let found = driver.sink.prepare_patching(NodeId(scope), template);
        found.map(|it| it.start)
    };
    let [first, inner, start, last] = ids[..] else {
        panic!("{ids:?}");
    };
    assert_eq!(found(&mut driver, 0), Some(first));
    assert_eq!(found(&mut driver, parent(inner)), Some(inner));
    let (one, two) = (parent(first), parent(last));
    // A marker that moves keeps its place in the order.
    driver.sink.insert(
        &NodeId(last),
        &Place::Before {
            sibling: NodeId(start),
            above: NodeId(two),
        },
    );
    assert_eq!(found(&mut driver, two), Some(last));
    driver
        .sink
        .insert(&NodeId(one), &Place::LastChild(NodeId(two)));
    assert_eq!(found(&mut driver, 0), Some(last));
    driver.sink.detach(&NodeId(last));
    assert_eq!(found(&mut driver, two), Some(start));
    driver.sink.detach(&NodeId(one));
    assert_eq!(found(&mut driver, one), Some(first));
    driver.sink.detach(&NodeId(start));
    assert_eq!(found(&mut driver, two), None);
}

#[test]
fn a_tree_takes_little_memory() {
    let words = "some words of a story that are not short ".repeat(2);
    let part =
        alloc::format!("<div class=story><p>{words}<b>{words}</b> end.</p>\n\n<br></br></div>");
    let text = ["<html>", &part.repeat(1000)].concat();
    for dom in [dom(&text), dom_of_chunks(&text)] {
        let most = text.len() * 5 / 2;
        assert!(dom.memory() <= most, "{} for {}", dom.memory(), text.len());
    }
}

/// The select element in whose list an option is.
fn select_of(option: Node<'_>) -> Option<Node<'_>> {
    let mut groups = 0;
    let select = option.ancestors().find(|&it| {
        groups += usize::from(is(it, "optgroup"));
        groups > 1
            || ["select", "datalist", "hr", "option"]
                .iter()
                .any(|name| is(it, name))
    })?;
    let is_list = groups < 2 && is(select, "select") && select.attribute("multiple").is_none();
    is_list.then_some(select)
}

fn is(node: Node<'_>, name: &str) -> bool {
    node.is(name) && node.namespace() == Space::Html
}

/// What is kept of watched nodes is what the tree has.
fn check_watched(sink: &mut DomSink<'_>) {
    let dom = sink.dom.clone();
    let all = || (0..dom.links.nodes.len() as u32).map(|id| dom.at(id));
    let root = |node: Node<'_>| node.ancestors().last().unwrap_or(node).id().0;
    for node in all().filter(|&it| is(it, "select")) {
        let options = node.descendants().filter(|&it| is(it, "option"));
        let options = options.filter(|&it| select_of(it).is_some_and(|it| it.id() == node.id()));
        let options: Vec<_> = options.map(|it| it.id().0).collect();
        let selected = sink.selected_of(node.id().0);
        let wanted = options
            .iter()
            .copied()
            .filter(|&it| sink.is_selected(it))
            .collect::<Vec<_>>();
        assert_eq!(selected, wanted);
        let is_enabled = |id: &&u32| {
            let option = dom.at(**id);
            let mut groups = option.ancestors().filter(|&it| is(it, "optgroup"));
            let group = groups.find(|it| it.descendants().all(|it| it.id() != node.id()));
            option.attribute("disabled").is_none()
                && group.is_none_or(|it| it.attribute("disabled").is_none())
        };
        let has_enabled = options.iter().find(is_enabled).is_some();
        assert!(wanted.len() < 2 && (wanted.len() == 1 || !has_enabled));
    }
    let contents = all().filter(|&it| is(it, "selectedcontent"));
    let mut wanted: Vec<_> = contents.map(|it| (root(it), it.id().0)).collect();
    let mut lists = Vec::new();
    for (&root, list) in &sink.watched.contents {
        let ids: Vec<_> = list.iter().collect();
        let in_order = dom.at(root).descendants().map(|it| it.id().0);
        let in_order = core::iter::once(root).chain(in_order);
        let in_order: Vec<_> = in_order.filter(|it| ids.contains(it)).collect();
        assert_eq!(ids, in_order);
        lists.extend(ids.into_iter().map(|id| (root, id)));
    }
    // Those that were never inserted are in no list.
    wanted.retain(|(root, id)| root != id || lists.contains(&(*root, *id)));
    lists.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(lists, wanted);
    let filled = all().filter(|&it| is(it, "selectedcontent") && it.first_child().is_some());
    let mut filled: Vec<_> = filled.map(|it| (root(it), it.id().0)).collect();
    let lists = sink.watched.filled.iter();
    let mut lists: Vec<_> = lists
        .flat_map(|(&root, list)| list.iter().map(move |id| (root, id)))
        .collect();
    lists.sort_unstable();
    filled.sort_unstable();
    assert_eq!(lists, filled);
    if let Some((option, content)) = sink.shown() {
        assert_eq!(dom.at(option).inner_html(), dom.at(content).inner_html());
    }
}

#[test]
fn what_is_kept_of_watched_nodes_is_what_the_tree_has() {
    const TAGS: [&str; 16] = [
        "<select>",
        "<select>",
        "<option>",
        "<option>",
        "<option>",
        "<option disabled>",
        "<option selected>",
        "<optgroup>",
        "<optgroup disabled>",
        "<div>",
        "<selectedcontent>",
        "<selectedcontent>",
        "<svg:option>",
        "<hr>",
        "<template>",
        "x",
    ];
    let mut seed = 11_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    let (mut shown, mut kept) = (0, 0);
    for _ in 0..4000 {
        let mut driver = Driver::new(DomSink::<false>::new("", &NAMES));
        driver.feed(
            [
                "<div><select>",
                "<div><select><selectedcontent></selectedcontent>",
            ][next(2)],
        );
        for _ in 0..50 {
            let count = driver.sink.dom.links.nodes.len();
            let [one, other] = [next(count), next(count)].map(|id| NodeId(id as u32));
            let place = match next(2) {
                0 => Place::LastChild(other),
                _ => Place::Before {
                    sibling: other,
                    above: one,
                },
            };
            match next(20) {
                0 => driver.sink.detach(&one),
                1 => driver.sink.insert(&one, &place),
                2 => driver.sink.move_children(&one, &other),
                3 | 4 => {
                    let tag = ["option", "option selected", "selectedcontent", "div"][next(4)];
                    with_attributes(tag, Span::default(), |name, attributes| {
                        let node = driver.create(name, attributes, None);
                        driver.sink.insert(&node, &place);
                    });
                }
                5..=13 => driver.feed(TAGS[next(TAGS.len())]),
                _ if driver.open.len() > 2 => {
                    let (name, node) = driver.open.pop().expect("it");
                    if name == "option" {
                        let before = driver.sink.shown();
                        driver.sink.clone_option(node.0);
                        let is_shown = driver.sink.shown() != before;
                        *if is_shown { &mut shown } else { &mut kept } += 1;
                    }
                }
                _ => {}
            }
        }
        check_watched(&mut driver.sink);
    }
    assert!(shown > 200 && kept > 300, "{shown} {kept}");
}

#[test]
fn a_name_with_too_high_a_number_is_refused() {
    let name = crate::tree::Name;
    assert!(What::element(Space::Svg, name((1 << 29) - 1)).is_some_and(What::is_element));
    assert_eq!(What::element(Space::Html, name(1 << 29)), None);
}
