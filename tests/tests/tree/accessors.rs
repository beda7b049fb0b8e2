//! All that a `Dom` says of a document, so that two are compared by each of its public accessors.

use std::fmt::Debug;

use libtest_mimic::Failed;
use speclex::{Attribute, Dom, Node, SerializeOptions, TextOptions};
use speclex_tests::cases::Cases;
use speclex_tests::workspace;

/// What an accessor says, with its name.
type Said = (&'static str, String);

macro_rules! accessors {
    ($($function:ident($it:ident: $type:ty) $name:literal { $($accessor:ident => $value:expr,)* })*) => {
        $(fn $function($it: $type) -> Vec<Said> {
            vec![$((stringify!($accessor), said(&$value)),)*]
        })*

        /// The public methods that are compared, as docs/public-names.txt has them.
        const COMPARED: &[(&str, &[&str])] = &[$(($name, &[$(stringify!($accessor),)*]),)*];
    };
}

fn said(value: &dyn Debug) -> String {
    format!("{value:?}")
}

/// Nodes by their numbers.
fn ids<'d>(nodes: impl IntoIterator<Item = Node<'d>>) -> Vec<speclex::NodeId> {
    nodes.into_iter().map(Node::id).collect()
}

accessors! {
    of_dom(it: &Dom<'_>) "Dom" {
        body => ids(it.body()),
        document => ids([it.document()]),
        document_mode => it.document_mode(),
        document_order => it.document_order().position(it.root()),
        dump => it.dump(),
        elements => ids(it.elements("title")),
        elements_in_all_namespaces => ids(it.elements_in_all_namespaces("title")),
        errors => it.errors(),
        head => ids(it.head()),
        input => it.input(),
        into_owned => it.clone().into_owned().dump(),
        limit => it.limit(),
        // Strings that were cut are copies: it depends on that.
        memory => (),
        node => it.node(it.root().id()).map(Node::id),
        root => ids([it.root()]),
        serialize => it.serialize(),
        serialize_with => it.serialize_with(&SerializeOptions::default()),
        // Of nodes, below.
        source => (),
        title => it.title(),
        tokenizer_errors => it.tokenizer_errors(),
    }
    of_node(it: Node<'_>) "Node" {
        ancestors => ids(it.ancestors()),
        attribute => it.attribute("id"),
        // Below.
        attributes => it.attributes().len(),
        children => ids(it.children()),
        descendants => ids(it.descendants()),
        descendants_with_templates => ids(it.descendants_with_templates()),
        // Above.
        dom => (),
        end_tag => it.end_tag(),
        extent => it.extent(),
        first_child => ids(it.first_child()),
        id => it.id(),
        inner_html => it.inner_html(),
        is => it.is("p"),
        is_element => it.is_element(),
        kind => it.kind(),
        last_child => ids(it.last_child()),
        name => it.name(),
        namespace => it.namespace(),
        next_sibling => ids(it.next_sibling()),
        origin => ids(it.origin()),
        outer_html => it.outer_html(),
        parent => ids(it.parent()),
        pieces => it.pieces().collect::<Vec<_>>(),
        previous_sibling => ids(it.previous_sibling()),
        serialize_with => it.serialize_with(&SerializeOptions::default()),
        span => it.span(),
        template_contents => ids(it.template_contents()),
        text => it.text(),
        text_with => it.text_with(&TextOptions::default()),
        walk => ids(it.walk().filter_map(speclex::Edge::opened)),
    }
    of_attribute(it: Attribute<'_>) "Attribute" {
        name => it.name(),
        namespace => it.namespace(),
        prefix => it.prefix(),
        value => it.value(),
        value_span => it.value_span(),
    }
}

/// All nodes, those in the contents of templates too.
pub(crate) fn nodes<'d>(dom: &'d Dom<'_>) -> Vec<Node<'d>> {
    let mut roots = vec![dom.root()];
    let mut all = Vec::new();
    while let Some(root) = roots.pop() {
        for node in std::iter::once(root).chain(root.descendants()) {
            roots.extend(node.template_contents());
            all.push(node);
        }
    }
    all
}

/// What all accessors say, in one order.
fn all(dom: &Dom<'_>) -> Vec<Said> {
    let mut all = of_dom(dom);
    for node in nodes(dom) {
        all.extend(of_node(node));
        all.push(("source", said(&dom.source(node))));
        all.extend(node.attributes().flat_map(of_attribute));
    }
    all
}

/// Whether two trees are the same, whatever is asked of them.
pub(crate) fn are_same(one: &Dom<'_>, other: &Dom<'_>, how: &str) -> Result<(), Failed> {
    let (one, other) = (all(one), all(other));
    match one.iter().zip(&other).find(|(one, other)| one != other) {
        Some((one, other)) => Err(format!("{how}\n{one:?}\n{other:?}").into()),
        None if one.len() != other.len() => Err(how.into()),
        None => Ok(()),
    }
}

/// Each public method is compared.
fn none_is_forgotten() -> Result<(), Failed> {
    let listed = std::fs::read_to_string(workspace().join("docs/public-names.txt"))?;
    for (owner, compared) in COMPARED {
        let methods = listed.lines().filter_map(|line| {
            let path = line.strip_prefix("method runtime::dom::")?;
            let (path, method) = path.rsplit_once("::")?;
            (path.rsplit("::").next() == Some(owner)).then_some(method)
        });
        let mut methods: Vec<_> = methods.collect();
        methods.sort_unstable();
        if methods != *compared {
            return Err(format!("{owner} has {methods:?}, compared {compared:?}").into());
        }
    }
    Ok(())
}

pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial(
        "builders: each accessor of a tree is compared",
        none_is_forgotten,
    );
}
