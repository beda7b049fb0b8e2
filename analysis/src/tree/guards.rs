//! Questions that are answered yes or no.

use speclex_codegen::tree::machine::{Guard, ScopeId, Space, Types, Variable};

use super::arena::{DOCUMENT, Element, Node, NodeId};
use super::builder::{Builder, is_in};
use super::slot::{Frame, Slot, number_of};

/// What is looked for in a scope.
enum Wanted<'a> {
    Types(&'a Types),
    Node(NodeId),
}

impl Builder<'_> {
    /// Whether a guard holds. What is about a node does not hold for null, unless it asks for null.
    pub(super) fn holds(&mut self, guard: &Guard, frame: &Frame) -> bool {
        self.decide(guard, frame).unwrap_or(false)
    }

    fn decide(&mut self, guard: &Guard, frame: &Frame) -> Option<bool> {
        Some(match guard {
            Guard::Not(guard) => !self.holds(guard, frame),
            Guard::All(guards) => guards.iter().all(|guard| self.holds(guard, frame)),
            Guard::Any(guards) => guards.iter().any(|guard| self.holds(guard, frame)),
            Guard::True => true,
            Guard::Condition(number) => self.condition(*number)?,

            Guard::Is(node, types) => {
                let node = self.node(node, frame)?;
                self.is_of(node, types, frame)
            }
            Guard::Same(one, other) => self.node(one, frame) == self.node(other, frame),
            Guard::IsNull(node) => self.node(node, frame).is_none(),
            Guard::IsMarker(node) => {
                let node = self.node(node, frame)?;
                matches!(self.tree.node(node), Node::Marker)
            }
            Guard::IsIn(node, variable) => {
                let node = self.node(node, frame)?;
                match variable {
                    Variable::OpenElements => self.stack.order().contains(node),
                    Variable::ActiveFormattingElements => self.list.order().contains(node),
                    _ => false,
                }
            }
            Guard::IsLower(one, other) => {
                let [one, other] = [one, other].map(|node| {
                    let node = self.node(node, frame);
                    node.and_then(|node| self.stack.order().position(node))
                });
                one? > other?
            }
            Guard::IsFirstEntry(node) => {
                let node = self.node(node, frame);
                node.is_some() && node == self.list.entries().first().copied()
            }
            Guard::IsEmpty(variable) => match variable {
                Variable::OpenElements => self.stack.entries().is_empty(),
                Variable::ActiveFormattingElements => self.list.entries().is_empty(),
                Variable::TemplateInsertionModes => self.templates.is_empty(),
                Variable::PendingTableCharacters => self.pending.is_empty(),
                Variable::InsertionMode
                | Variable::OriginalInsertionMode
                | Variable::FosterParenting => false,
            },
            Guard::HasOneElement => self.stack.entries().len() == 1,
            Guard::HasThreeLike(node) => {
                let node = self.node(node, frame)?;
                self.like(node).nth(2).is_some()
            }
            Guard::HasInScope(types, scope) => {
                let may_have = self.may_be_on_stack(types, frame);
                may_have && self.has_in_scope(&Wanted::Types(types), *scope, frame)
            }
            Guard::HasElementInScope(node, scope) => {
                let node = self.node(node, frame)?;
                let is_open = self.stack.order().contains(node);
                is_open && self.has_in_scope(&Wanted::Node(node), *scope, frame)
            }
            Guard::IsOnStack(types) => self.last_on_stack(types, frame).is_some(),
            Guard::IsOtherOnStack(types) => {
                let other = self.upwards(|this, node| !this.is_of(node, types, frame));
                other.is_some()
            }
            Guard::IsBody(node) => {
                let node = self.node(node, frame)?;
                self.is_body(node)?
            }
            Guard::HasParent(node) => {
                let node = self.node(node, frame)?;
                self.tree.parent(node).is_some()
            }
            Guard::HasTagNameOfToken(node) => {
                let name = self.element(node, frame)?.name.to_ascii_lowercase();
                name == self.token.tag.name
            }
            Guard::HasOtherNamespaceIn(node, name, namespace) => {
                let node = self.node(node, frame)?;
                let url = self.space(namespace, frame).url();
                has_other_namespace(self.tree.element(node)?, name, url)
            }

            Guard::TokenIs(kind) => self.token.kind == *kind,
            Guard::TokenIsNamed(names) => {
                let name = self.token.name()?;
                names.iter().any(|it| it == name)
            }
            Guard::TokenHasAttribute(names) => names
                .iter()
                .any(|name| self.token.attribute(name).is_some()),
            Guard::TokenHasValue(name, values) => {
                let value = self.token.attribute(name)?;
                values.iter().any(|it| it.eq_ignore_ascii_case(value))
            }
            Guard::TokenIsSelfClosing => self.token.is_self_closing,
            Guard::Doctype(test) => self.token.passes(test),
            Guard::TokenMatches(list) => {
                let (_, tests) = self.machine.quirks.get(*list)?;
                tests.iter().any(|test| self.token.passes(test))
            }

            Guard::HasWord(state, word) => {
                matches!(self.states.get(*state)?, Slot::Word(it) if it == word)
            }
            Guard::IsYes(state) => matches!(self.states.get(*state)?, Slot::Truth(true)),
            Guard::InsertionModeIs(modes) => modes.contains(&self.mode),
            Guard::FosterParenting => self.foster_parenting,
            Guard::PendingHasOther(class) => self
                .pending
                .iter()
                .any(|(character, _)| !is_in(*character, class)),
            Guard::IsInDocument(location) => self.place(location, frame)?.parent == DOCUMENT,
            Guard::IsInside(location, types) => {
                let parent = self.place(location, frame)?.parent;
                self.is_of(parent, types, frame)
            }
            Guard::HasTextBefore(location) => {
                let place = self.place(location, frame)?;
                self.tree.text_before(place).is_some()
            }
            Guard::IsPossible(node, location) => {
                let node = self.node(node, frame)?;
                let place = self.place(location, frame)?;
                self.tree.can_insert(node, place)
            }
            Guard::IsGreater(one, other) => number_of(*one, frame) > number_of(*other, frame),
            Guard::IsAtLeast(one, other) => number_of(*one, frame) >= number_of(*other, frame),
            Guard::IsTrue(truth) => self.truth(truth, frame),
        })
    }

    fn condition(&mut self, number: usize) -> Option<bool> {
        let condition = self.machine.conditions.get(number)?;
        self.nested(|this| this.holds(&condition.guard, &Frame::new()))
    }

    /// 13.2.4.2: goes from the current node up to what is wanted, or to where the scope ends.
    fn has_in_scope(&mut self, wanted: &Wanted<'_>, scope: ScopeId, frame: &Frame) -> bool {
        let Some(scope) = self.machine.scopes.get(scope) else {
            return false;
        };
        let mut is_wanted = false;
        self.upwards(|this, node| {
            is_wanted = match wanted {
                Wanted::Types(types) => this.is_of(node, types, frame),
                Wanted::Node(wanted) => node == *wanted,
            };
            let element = this.tree.element(node);
            let is_named = element.is_some_and(|it| scope.ends.iter().any(|end| it.is_named(end)));
            is_wanted || is_named != scope.all_except
        });
        is_wanted
    }

    /// Whether a node is the body element: the first `body` or `frameset` in the `html` element of its document.
    fn is_body(&self, node: NodeId) -> Option<bool> {
        let html = self.tree.parent(node)?;
        let is = |node, name| self.tree.is(node, Space::Html, name);
        let mut children = self.tree.children(html);
        let body = children.find(|&it| is(it, "body") || is(it, "frameset"));
        let is_root = is(html, "html") && self.tree.parent(html) == Some(DOCUMENT);
        Some(is_root && body == Some(node) && is(node, "body"))
    }
}

/// Whether an element has an attribute in the XMLNS namespace, by its qualified name, whose value is another URL.
fn has_other_namespace(element: &Element, name: &str, url: &str) -> bool {
    element.attributes.iter().any(|it| {
        let qualified = match &it.prefix {
            Some(prefix) => format!("{prefix}:{}", it.name),
            None => it.name.clone(),
        };
        it.space == Space::Xmlns && qualified == name && it.value != url
    })
}
