//! Edits of pages: how many are possible, and whether those are right.

use std::collections::BTreeMap;

use libtest_mimic::Failed;
use speclex::{Dom, Node, NodeId, NodeKind};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::{files, shared};

use super::{Count, Edit};

/// Elements that hold no elements, or only some.
const HOLD_LITTLE: &str = "script style title textarea iframe noscript br img input meta link hr col source wbr area param embed base track option \
     select table tbody thead tr colgroup xmp noembed noframes html head body";

/// The least share of edits that are possible, in percent; those of others are figures only.
const LEAST: &[(&str, f64)] = &[
    ("append span", 99.0),
    ("page: all texts", 99.0),
    ("page: html lang", 99.0),
    ("page: lazy images", 99.0),
    // Nine heads of 441 have a `noscript` with something else than links and styles: the head ends there without scripting only.
    ("page: link at end of head", 97.9),
    ("page: rel on links", 99.0),
    ("page: remove all scripts", 99.0),
    ("remove element", 99.7),
    ("remove text", 100.0),
    ("remove_attribute", 100.0),
    ("set_attribute class", 100.0),
    ("set_text of text", 100.0),
];

struct Figures {
    random: Random,
    counts: BTreeMap<&'static str, Count>,
    refused: BTreeMap<(&'static str, String), usize>,
}

impl Figures {
    fn try_(
        &mut self,
        kind: &'static str,
        dom: &Dom<'_>,
        list: &[(NodeId, Edit)],
    ) -> Result<(), Failed> {
        if list.is_empty() {
            return Ok(());
        }
        let compares = dom.input().len() < 300_000 && self.random.below(4) == 0;
        let count = self.counts.entry(kind).or_default();
        if let Some(error) = count.one(dom, list, None, compares)? {
            let node = dom.node(error.node()).and_then(Node::name);
            let name = node.unwrap_or("#text").to_owned();
            *self.refused.entry((kind, name)).or_default() += 1;
            if std::env::var_os("SHOW").is_some() {
                println!("{kind}: {error:.1000}");
            }
        }
        Ok(())
    }

    fn page(&mut self, text: &str) -> Result<(), Failed> {
        let dom = speclex::parse(text);
        let all: Vec<_> = dom.root().descendants().collect();
        let elements: Vec<_> = all.iter().copied().filter(|it| it.is_element()).collect();
        let outer = ["html", "head", "body"];
        let is_inner = |it: &Node<'_>| !outer.iter().any(|name| it.is(name));
        let inner: Vec<_> = elements.iter().copied().filter(is_inner).collect();
        let is_text =
            |it: &Node<'_>| matches!(it.kind(), NodeKind::Text(text) if !text.trim().is_empty());
        let texts: Vec<_> = all.iter().copied().filter(is_text).collect();
        let is_holder = |it: &Node<'_>| {
            let is_html = it.namespace() == speclex::tree::Space::Html;
            is_html && !HOLD_LITTLE.split_whitespace().any(|name| it.is(name))
        };
        let holders: Vec<_> = elements.iter().copied().filter(is_holder).collect();
        let has_some = |it: &Node<'_>| it.attributes().next().is_some();
        let with_attributes: Vec<_> = inner.iter().copied().filter(has_some).collect();
        if [&inner, &texts, &holders, &with_attributes]
            .iter()
            .any(|it| it.is_empty())
        {
            return Ok(());
        }
        let span = "<span class=n>new</span>";
        let ones: [(&str, &[Node<'_>], Edit); 12] = [
            ("remove element", &inner, Edit::Remove),
            ("remove text", &texts, Edit::Remove),
            (
                "set_attribute class",
                &inner,
                Edit::SetAttribute("class".into(), "a \"b\" & c".into()),
            ),
            (
                "set_text of text",
                &texts,
                Edit::SetText("new text, a & b".into()),
            ),
            (
                "set_text of element",
                &holders,
                Edit::SetText("new <text> & more".into()),
            ),
            ("append span", &holders, Edit::Append(span.into())),
            (
                "append div",
                &holders,
                Edit::Append("<div>new</div>".into()),
            ),
            ("prepend span", &holders, Edit::Prepend(span.into())),
            ("after: comment", &inner, Edit::After("<!--new-->".into())),
            ("before: span", &holders, Edit::Before(span.into())),
            (
                "replace_with span",
                &holders,
                Edit::ReplaceWith(span.into()),
            ),
            ("rename to x-y", &holders, Edit::Rename("x-y".into())),
        ];
        for (kind, nodes, edit) in ones {
            let node = self.random.one(nodes).id();
            self.try_(kind, &dom, &[(node, edit)])?;
        }
        let node = *self.random.one(&with_attributes);
        let attribute = node.attributes().next().ok_or("none")?;
        let prefix = attribute
            .prefix()
            .map(|it| format!("{it}:"))
            .unwrap_or_default();
        let name = prefix + attribute.name();
        self.try_(
            "remove_attribute",
            &dom,
            &[(node.id(), Edit::RemoveAttribute(name))],
        )?;
        let each = |name: &str, edit: Edit| -> Vec<_> {
            let named = elements.iter().filter(|it| it.is(name));
            named.map(|it| (it.id(), edit.clone())).collect()
        };
        let set = |name: &str, value: &str| Edit::SetAttribute(name.into(), value.into());
        let script = Edit::Append("<script src=x.js></script>".into());
        let meta = Edit::Prepend("<meta name=x content=y>".into());
        let link = Edit::Append("<link rel=stylesheet href=x>".into());
        self.try_("page: script at end of body", &dom, &each("body", script))?;
        self.try_("page: meta at start of head", &dom, &each("head", meta))?;
        self.try_("page: link at end of head", &dom, &each("head", link))?;
        self.try_("page: html lang", &dom, &each("html", set("lang", "en")))?;
        self.try_(
            "page: remove all scripts",
            &dom,
            &each("script", Edit::Remove),
        )?;
        self.try_(
            "page: lazy images",
            &dom,
            &each("img", set("loading", "lazy")),
        )?;
        self.try_(
            "page: rel on links",
            &dom,
            &each("a", set("rel", "nofollow")),
        )?;
        let texts = texts.iter().map(|it| (it.id(), Edit::SetText("T".into())));
        self.try_("page: all texts", &dom, &texts.collect::<Vec<_>>())
    }
}

/// Pages of the corpora, one of some.
fn pages(every: usize) -> Result<(), Failed> {
    let random = Random::named("edits of pages");
    let (counts, refused) = (BTreeMap::new(), BTreeMap::new());
    let mut figures = Figures {
        random,
        counts,
        refused,
    };
    for class in ["web", "docs", "intl"] {
        let Some(folder) = shared(&format!("corpora/html/{class}")) else {
            return Ok(());
        };
        for path in files(&folder, &["html"]).iter().step_by(every) {
            let text = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
            figures.page(&text).map_err(|failed| {
                let message = failed.message().unwrap_or_default();
                format!("{path:?}: {message:.6000}")
            })?;
        }
    }
    for (kind, it) in &figures.counts {
        let Count {
            taken,
            tried,
            compared,
        } = it;
        println!(
            "| {kind} | {taken}/{tried} ({:.1} %) | {compared} |",
            it.share()
        );
    }
    println!("refused: {:?}", figures.refused);
    for &(kind, least) in LEAST {
        let count = figures.counts.get(kind).copied().unwrap_or_default();
        assert!(
            count.share() >= least,
            "{kind}: {count:?}, {:?}",
            figures.refused
        );
    }
    Ok(())
}

pub(super) fn add(suite: &mut Cases) {
    suite.add_ignored("edits: pages", || pages(1));
}
