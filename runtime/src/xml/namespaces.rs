//! Names with their namespaces, once a tree is made.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use crate::dom::{Attribute, Dom, Edge, Node, NodeId};

/// The names of a tree's elements and attributes with their namespaces, by [Namespaces in XML 1.0].
///
/// This is a layer over the tree: the XML5 draft leaves open how to deal with namespaces, so [`parse`](super::parse) resolves none, and
/// nothing in the tree depends on this. It takes one walk over the tree.
///
/// A prefix that no `xmlns` attribute binds has no namespace, and so has one that is bound to the empty string. What is no name of one
/// part or of two, such as `a:b:c` or `a:`, is a local name as a whole.
///
/// [Namespaces in XML 1.0]: https://www.w3.org/TR/xml-names/
///
/// ```
/// use speclex::xml::{self, Namespaces};
///
/// let dom = xml::parse("<feed xmlns='urn:atom' xmlns:dc='urn:dc'><title/><dc:title dc:lang='en' x:y=''/></feed>");
/// let names = Namespaces::of(&dom);
/// let title = names.elements(Some("urn:dc"), "title").next().unwrap();
/// assert_eq!(title.name(), Some("dc:title"));
/// assert_eq!(names.attribute(title, Some("urn:dc"), "lang"), Some("en"));
/// // An attribute without a prefix has no namespace, and neither has a prefix that is not bound.
/// assert_eq!(names.attribute(title, None, "y"), Some(""));
/// let feed = title.parent().and_then(|feed| names.name(feed)).unwrap();
/// assert_eq!((feed.namespace, feed.prefix, feed.local), (Some("urn:atom"), None, "feed"));
/// ```
pub struct Namespaces<'d> {
    dom: &'d Dom<'d>,
    /// The namespaces; of the first there is none.
    all: Vec<&'d str>,
    /// By the numbers of nodes.
    elements: Vec<Resolved>,
    /// The namespaces of the attributes of elements that have some with prefixes.
    attributes: Vec<u32>,
}

/// The number of an element's namespace, and the place of those of its attributes.
#[derive(Clone, Copy, Default)]
struct Resolved {
    namespace: u32,
    attributes: Option<u32>,
}

/// A name and its namespace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExpandedName<'d> {
    /// The namespace.
    pub namespace: Option<&'d str>,
    /// The prefix, as it is written. If there is one but no namespace, it is not bound.
    pub prefix: Option<&'d str>,
    /// The name without its prefix.
    pub local: &'d str,
}

/// The prefixes that are bound everywhere, with their namespaces.
const EVERYWHERE: [(&str, &str); 2] = [
    ("xml", "http://www.w3.org/XML/1998/namespace"),
    ("xmlns", "http://www.w3.org/2000/xmlns/"),
];

/// The prefix of a name and the rest; the prefix is empty if there is none.
fn split(name: &str) -> (&str, &str) {
    match name.split_once(':') {
        Some((prefix, local))
            if !prefix.is_empty() && !local.is_empty() && !local.contains(':') =>
        {
            (prefix, local)
        }
        _ => ("", name),
    }
}

/// The prefix that an attribute binds.
fn bound_by(attribute: &str) -> Option<&str> {
    match split(attribute) {
        ("", "xmlns") => Some(""),
        ("xmlns", prefix) => {
            Some(prefix).filter(|it| EVERYWHERE.iter().all(|(name, _)| name != it))
        }
        _ => None,
    }
}

/// What prefixes are bound to, as a walk over the tree goes on.
struct Bindings<'d> {
    now: BTreeMap<&'d str, u32>,
    /// What the elements that are open have changed.
    before: Vec<(NodeId, &'d str, u32)>,
}

impl<'d> Namespaces<'d> {
    /// Those of a tree.
    pub fn of(dom: &'d Dom<'_>) -> Self {
        let mut names = Self {
            dom,
            all: [("", "")]
                .into_iter()
                .chain(EVERYWHERE)
                .map(|(_, it)| it)
                .collect(),
            elements: Vec::new(),
            attributes: Vec::new(),
        };
        let mut bindings = Bindings {
            now: EVERYWHERE
                .into_iter()
                .zip(1..)
                .map(|((prefix, _), it)| (prefix, it))
                .collect(),
            before: Vec::new(),
        };
        for edge in dom.document().walk() {
            match edge {
                Edge::Open(node) => names.resolve(node, &mut bindings),
                Edge::Close(node) => {
                    while let Some((_, prefix, before)) =
                        bindings.before.pop_if(|it| it.0 == node.id())
                    {
                        bindings.now.insert(prefix, before);
                    }
                }
            }
        }
        names
    }

    fn resolve(&mut self, node: Node<'d>, bindings: &mut Bindings<'d>) {
        let Some(name) = node.name() else { return };
        let mut has_prefixes = false;
        for attribute in node.attributes() {
            has_prefixes |= attribute.name().contains(':') || attribute.name() == "xmlns";
            let Some(prefix) = bound_by(attribute.name()) else {
                continue;
            };
            let namespace = match attribute.value() {
                "" => 0,
                value => {
                    self.all.push(value);
                    self.all.len() as u32 - 1
                }
            };
            let before = bindings.now.insert(prefix, namespace).unwrap_or_default();
            bindings.before.push((node.id(), prefix, before));
        }
        let of = |prefix| bindings.now.get(prefix).copied().unwrap_or_default();
        let place = self.attributes.len() as u32;
        if has_prefixes {
            self.attributes.extend(node.attributes().map(|attribute| {
                match split(attribute.name()) {
                    ("", "xmlns") => of("xmlns"),
                    ("", _) => 0,
                    (prefix, _) => of(prefix),
                }
            }));
        }
        let number = node.id().index();
        if self.elements.len() <= number {
            self.elements.resize(number + 1, Resolved::default());
        }
        self.elements[number] = Resolved {
            namespace: of(split(name).0),
            attributes: has_prefixes.then_some(place),
        };
    }

    fn expanded(&self, name: &'d str, namespace: u32) -> ExpandedName<'d> {
        let (prefix, local) = split(name);
        ExpandedName {
            namespace: self
                .all
                .get(namespace as usize)
                .copied()
                .filter(|it| !it.is_empty()),
            prefix: Some(prefix).filter(|it| !it.is_empty()),
            local,
        }
    }

    fn resolved(&self, node: Node<'d>) -> Resolved {
        self.elements
            .get(node.id().index())
            .copied()
            .unwrap_or_default()
    }

    /// The name of an element of this tree.
    pub fn name(&self, element: Node<'d>) -> Option<ExpandedName<'d>> {
        Some(self.expanded(element.name()?, self.resolved(element).namespace))
    }

    /// The attributes of an element of this tree, in the order of its tag. Those that bind prefixes are among them.
    pub fn attributes(
        &self,
        element: Node<'d>,
    ) -> impl Iterator<Item = (ExpandedName<'d>, Attribute<'d>)> {
        let place = self.resolved(element).attributes;
        let namespaces = place.map_or(&[][..], |place| &self.attributes[place as usize..]);
        let namespaces = namespaces.iter().copied().chain(core::iter::repeat(0));
        let attributes = element.attributes().zip(namespaces);
        attributes
            .map(|(attribute, namespace)| (self.expanded(attribute.name(), namespace), attribute))
    }

    /// The value of an element's attribute, by its namespace and local name.
    pub fn attribute(
        &self,
        element: Node<'d>,
        namespace: Option<&str>,
        local: &str,
    ) -> Option<&'d str> {
        let mut attributes = self.attributes(element);
        let found =
            attributes.find(|(name, _)| name.namespace == namespace && name.local == local)?;
        Some(found.1.value())
    }

    /// The elements with a namespace and local name, in the order of the document.
    pub fn elements(&self, namespace: Option<&str>, local: &str) -> impl Iterator<Item = Node<'d>> {
        let is_it =
            move |name: ExpandedName<'_>| name.namespace == namespace && name.local == local;
        let elements = self.dom.document().descendants();
        elements.filter(move |node| self.name(*node).is_some_and(is_it))
    }
}

impl fmt::Debug for Namespaces<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Namespaces").finish_non_exhaustive()
    }
}
