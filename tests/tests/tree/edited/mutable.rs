//! A tree that is changed as the DOM is, which knows nothing of texts and places.

use std::collections::HashMap;

use speclex::tree::{DocumentMode, Scripting, Space};
use speclex::{Context, Dom, Node, NodeId, NodeKind};

use super::{Edit, again, is_element};

#[derive(Clone)]
enum Kind {
    Document,
    Element(String, Space, Vec<(String, String)>),
    Contents,
    Text(String),
    /// Any other, in words.
    Leaf(String),
}

#[derive(Clone)]
struct Item {
    kind: Kind,
    children: Vec<usize>,
    parent: usize,
}

/// A tree.
#[derive(Clone)]
pub(super) struct Mutable {
    items: Vec<Item>,
    mode: DocumentMode,
    scripting: Scripting,
    /// The element in which a fragment was parsed.
    context: Option<Context>,
}

/// The root, and how many of its last children were appended: they may come earlier, before an end tag.
type Appended = Option<(usize, usize)>;

const NO_PARENT: usize = usize::MAX;

impl Mutable {
    /// A copy of a tree, and the numbers of its nodes.
    pub(super) fn of(
        dom: &Dom<'_>,
        context: Option<&Context>,
        scripting: Scripting,
    ) -> (Self, HashMap<NodeId, usize>) {
        let mut tree = Self {
            items: Vec::new(),
            mode: dom.document_mode(),
            scripting,
            context: context.cloned(),
        };
        let mut numbers = HashMap::new();
        tree.add(dom.root(), NO_PARENT, &mut numbers);
        (tree, numbers)
    }

    fn add(
        &mut self,
        node: Node<'_>,
        parent: usize,
        numbers: &mut HashMap<NodeId, usize>,
    ) -> usize {
        let kind = match node.kind() {
            NodeKind::Document => Kind::Document,
            NodeKind::TemplateContents => Kind::Contents,
            NodeKind::Text(text) => Kind::Text(text.into()),
            NodeKind::Element => {
                let attributes = node.attributes().map(|it| {
                    let prefix = it.prefix().map(|prefix| format!("{prefix}:"));
                    let name = prefix.unwrap_or_default() + it.name();
                    (name, it.value().to_owned())
                });
                let name = node.name().unwrap_or_default();
                Kind::Element(name.into(), node.namespace(), attributes.collect())
            }
            kind => Kind::Leaf(format!("{kind:?}")),
        };
        let at = self.items.len();
        let children = Vec::new();
        self.items.push(Item {
            kind,
            children,
            parent,
        });
        numbers.insert(node.id(), at);
        let inside = node.template_contents().into_iter().chain(node.children());
        for child in inside {
            let child = self.add(child, at, numbers);
            self.items[at].children.push(child);
        }
        at
    }

    /// What is parsed as `insertAdjacentHTML` does. `None`: no context has the name.
    fn fragment(&mut self, html: &str, parent: usize) -> Option<Vec<usize>> {
        let mut context = match (&self.context, &self.items[parent].kind) {
            (Some(context), _) if parent == 0 => context.clone(),
            (_, Kind::Element(name, Space::Html, _)) if name == "html" => {
                Context::new("body").ok()?
            }
            (_, Kind::Element(name, space, attributes)) => {
                let prefix = match space {
                    Space::Svg => "svg ",
                    Space::MathMl => "math ",
                    _ => "",
                };
                let context = Context::new(&format!("{prefix}{name}")).ok()?;
                let attributes = attributes.iter();
                attributes.fold(context, |context, (name, value)| {
                    context.with_attribute(name, value)
                })
            }
            _ => Context::new("template").ok()?,
        };
        let mut above = parent;
        while let Some(item) = self.items.get(above)
            && !matches!(item.kind, Kind::Contents)
        {
            if matches!(&item.kind, Kind::Element(name, Space::Html, _) if name == "form") {
                context = context.in_form();
            }
            above = item.parent;
        }
        let mut options = speclex::tree::Options::default();
        if self.scripting != Scripting::Disabled {
            options.scripting = Scripting::Inert;
        }
        let dom = speclex::parse_fragment_with(html, context.in_mode(self.mode), &options).ok()?;
        let mut numbers = HashMap::new();
        let children = dom.root().children();
        Some(
            children
                .map(|it| self.add(it, parent, &mut numbers))
                .collect(),
        )
    }

    fn index(&self, at: usize) -> usize {
        let siblings = &self.items[self.items[at].parent].children;
        siblings.iter().position(|&it| it == at).unwrap_or_default()
    }

    fn insert(&mut self, html: &str, parent: usize, index: usize) -> Option<usize> {
        let new = self.fragment(html, parent)?;
        let count = new.len();
        self.items[parent].children.splice(index..index, new);
        Some(count)
    }

    /// The edits as operations of the DOM: first those that insert, then those that replace and remove. `None`: the tree has no such.
    pub(super) fn apply(&mut self, edits: &[(usize, &Edit)]) -> Option<Appended> {
        let mut appended = None;
        for &(at, edit) in edits {
            if let (Edit::Rename(new), Kind::Element(name, ..)) = (edit, &mut self.items[at].kind) {
                *name = new.to_ascii_lowercase();
            }
        }
        for &(at, edit) in edits {
            let parent = self.items[at].parent;
            let holder = self.items[at].children.first().copied();
            let is_contents = |at: &usize| matches!(self.items[*at].kind, Kind::Contents);
            let holder = holder.filter(is_contents).unwrap_or(at);
            match edit {
                Edit::Before(html) | Edit::ReplaceWith(html) => {
                    self.insert(html, parent, self.index(at))?;
                }
                Edit::After(html) => {
                    self.insert(html, parent, self.index(at) + 1)?;
                }
                Edit::Prepend(html) => {
                    self.insert(html, holder, 0)?;
                }
                Edit::Append(html) => {
                    let end = self.items[holder].children.len();
                    let count = self.insert(html, holder, end)?;
                    let outer = ["body", "head", "html"];
                    if let Kind::Element(name, ..) = &self.items[holder].kind
                        && outer.contains(&name.as_str())
                    {
                        appended = Some((holder, count));
                    }
                }
                Edit::SetAttribute(name, value) => {
                    let attributes = self.attributes(at)?;
                    let mut found = attributes.iter_mut();
                    match found.find(|it| it.0.eq_ignore_ascii_case(name)) {
                        Some(attribute) => attribute.1.clone_from(value),
                        None => attributes.push((name.clone(), value.clone())),
                    }
                }
                Edit::RemoveAttribute(name) => {
                    let attributes = self.attributes(at)?;
                    attributes.retain(|it| !it.0.eq_ignore_ascii_case(name));
                }
                Edit::SetText(_) | Edit::Remove | Edit::Rename(_) => {}
            }
        }
        for &(at, edit) in edits {
            match edit {
                Edit::SetText(new) => match &mut self.items[at].kind {
                    Kind::Text(text) => text.clone_from(new),
                    Kind::Leaf(leaf) => *leaf = format!("Comment({new:?})"),
                    _ => {
                        self.items[at].children = vec![self.items.len()];
                        self.items.push(Item {
                            kind: Kind::Text(new.clone()),
                            children: Vec::new(),
                            parent: at,
                        });
                    }
                },
                Edit::Remove | Edit::ReplaceWith(_) => {
                    let parent = self.items[at].parent;
                    self.items[parent].children.retain(|&it| it != at);
                }
                _ => {}
            }
        }
        Some(appended)
    }

    fn attributes(&mut self, at: usize) -> Option<&mut Vec<(String, String)>> {
        match &mut self.items[at].kind {
            Kind::Element(_, _, attributes) => Some(attributes),
            _ => None,
        }
    }

    /// All that the tree is, in lines.
    pub(super) fn dump(&self) -> String {
        let mut out = String::new();
        self.dump_inside(0, 0, &mut out);
        out
    }

    fn dump_inside(&self, at: usize, depth: usize, out: &mut String) {
        let mut text = String::new();
        let flush = |text: &mut String, out: &mut String| {
            if !text.is_empty() {
                *out += &format!("{depth} {text:?}\n");
                text.clear();
            }
        };
        for &child in &self.items[at].children {
            if let Kind::Text(more) = &self.items[child].kind {
                text += more;
                continue;
            }
            flush(&mut text, out);
            match &self.items[child].kind {
                Kind::Element(name, space, attributes) => {
                    let lower = |(name, value): &(String, String)| {
                        (name.to_ascii_lowercase(), value.clone())
                    };
                    let mut attributes: Vec<_> = attributes.iter().map(lower).collect();
                    attributes.sort();
                    *out += &format!("{depth} <{name} {space:?} {attributes:?}>\n");
                }
                Kind::Contents => *out += &format!("{depth} content\n"),
                Kind::Leaf(leaf) => *out += &format!("{depth} {leaf}\n"),
                Kind::Document | Kind::Text(_) => {}
            }
            self.dump_inside(child, depth + 1, out);
        }
        flush(&mut text, out);
    }

    /// Whether it is this one, or the same but for what was appended to `body`, `head` or `html`, which comes before an end tag.
    pub(super) fn is(&self, dump: &str, appended: Appended) -> bool {
        if self.dump() == dump {
            return true;
        }
        let Some((holder, count)) = appended else {
            return false;
        };
        let children = &self.items[holder].children;
        let Some(rest) = children.len().checked_sub(count) else {
            return false;
        };
        let (rest, new) = children.split_at(rest);
        (0..rest.len()).rev().any(|index| {
            let mut moved = self.clone();
            moved.items[holder].children = [&rest[..index], new, &rest[index..]].concat();
            if moved.dump() == dump {
                return true;
            }
            let Kind::Text(text) = &self.items[rest[index]].kind else {
                return false;
            };
            let cuts = (1..text.len())
                .rev()
                .filter(|&at| text.is_char_boundary(at));
            cuts.take(200).any(|cut| {
                let mut moved = self.clone();
                moved.items[rest[index]].kind = Kind::Text(text[..cut].into());
                moved.items.push(Item {
                    kind: Kind::Text(text[cut..].into()),
                    children: Vec::new(),
                    parent: holder,
                });
                let last = [moved.items.len() - 1];
                let before = &rest[..=index];
                moved.items[holder].children = [before, new, &last, &rest[index + 1..]].concat();
                moved.dump() == dump
            })
        })
    }
}

/// The nodes of the edits, with all copies for those of attributes.
pub(super) fn with_copies<'d>(
    dom: &'d Dom<'_>,
    edits: &'d [(NodeId, Edit)],
) -> Vec<(NodeId, &'d Edit)> {
    let written = |node: Node<'d>| node.origin().unwrap_or(node);
    let mut all = Vec::new();
    for (id, edit) in edits {
        let is_attribute = matches!(edit, Edit::SetAttribute(..) | Edit::RemoveAttribute(_));
        match dom.node(*id) {
            Some(node) if is_attribute => {
                let elements = dom.root().descendants_with_templates();
                let alike = elements.filter(|it| is_element(*it) && written(*it) == written(node));
                all.extend(alike.map(|it| (it.id(), edit)));
            }
            _ => all.push((*id, edit)),
        }
    }
    all
}

/// Whether a text is the tree that the edits make of another one. `None`: the oracle cannot say.
pub(super) fn is_meant(
    dom: &Dom<'_>,
    edits: &[(NodeId, Edit)],
    context: Option<&Context>,
    scripting: Scripting,
    text: &str,
) -> Option<Result<(), String>> {
    let (mut tree, numbers) = Mutable::of(dom, context, scripting);
    let edits = with_copies(dom, edits);
    let edits = edits
        .iter()
        .map(|(id, edit)| Some((*numbers.get(id)?, *edit)));
    let edits: Vec<_> = edits.collect::<Option<_>>()?;
    let appended = tree.apply(&edits)?;
    let found = again(text, context, scripting);
    let dump = Mutable::of(&found, context, scripting).0.dump();
    if tree.is(&dump, appended) {
        return Some(Ok(()));
    }
    Some(Err(format!("--- meant\n{}--- found\n{dump}", tree.dump())))
}
