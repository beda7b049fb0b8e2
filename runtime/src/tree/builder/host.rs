//! Host steps, and what the table keeps with elements.

use super::super::element::{Element, Type};
use super::super::sink::{HostAnswer, TreeSink};
use super::{Builder, Rules};

impl<S: TreeSink, R: Rules<S, SCOPES>, const SCOPES: usize> Builder<S, R, SCOPES> {
    /// Whether a node is the body element of its document.
    pub fn is_body(&mut self, node: Option<&Element<S::Node>>) -> bool {
        node.is_some_and(|node| self.sink.is_body(&node.node))
    }

    /// Whether both are one node, or both none. The sink may have found one of them.
    pub fn is_same_node(
        &self,
        one: Option<&Element<S::Node>>,
        other: Option<&Element<S::Node>>,
    ) -> bool {
        match (one, other) {
            // The node of a marker means nothing.
            (Some(one), Some(other)) if one.is(Type::MARKER) || other.is(Type::MARKER) => {
                one.is_same(other)
            }
            (Some(one), Some(other)) => self.sink.is_same_node(&one.node, &other.node),
            (one, other) => one.is_none() && other.is_none(),
        }
    }

    /// What the table keeps with an element.
    pub fn property(
        &self,
        number: usize,
        of: Option<&Element<S::Node>>,
    ) -> Option<Element<S::Node>> {
        self.properties.get(&(of?.serial, number)).cloned()
    }

    /// Keeps a node with an element, or nothing.
    pub fn set_property(
        &mut self,
        number: usize,
        of: Option<Element<S::Node>>,
        value: Option<Element<S::Node>>,
    ) {
        let Some(of) = of else { return };
        match value {
            Some(value) => self.properties.insert((of.serial, number), value),
            None => self.properties.remove(&(of.serial, number)),
        };
    }

    /// Takes the answer of a host step about an element; whether that is yes.
    #[inline(always)]
    pub fn answered(
        &mut self,
        answer: impl Into<HostAnswer>,
        of: Option<&Element<S::Node>>,
    ) -> bool {
        let answer = answer.into();
        self.pauses |= answer == HostAnswer::Pause;
        let is_yes = answer == HostAnswer::Yes;
        if is_yes && R::PROPERTIES > 0 {
            self.keep_properties(of);
        }
        is_yes
    }

    /// Keeps with an element what a host step found.
    #[cold]
    fn keep_properties(&mut self, of: Option<&Element<S::Node>>) {
        for number in 0..R::PROPERTIES {
            if let (Some(of), Some(node)) = (of, R::property(&mut self.sink, number)) {
                if self.depths.are_limited() {
                    self.puts_inside(of.serial, &node);
                }
                let node = self.found(node);
                self.set_property(number, Some(of.clone()), Some(node));
            }
        }
    }

    /// What is parsed in an open element may get into a node, or beside it: it is not deeper than in the node.
    pub(super) fn puts_inside(&mut self, element: u32, node: &S::Node) {
        let limit = self.depths.limit.cast_signed();
        let (mut inside, mut at) = (0, node.clone());
        while let Some(parent) = self.sink.parent(&at)
            && inside <= limit
        {
            (inside, at) = (inside + 1, parent);
        }
        let mut depth = 0;
        for open in self.stack.iter() {
            depth += 1;
            if open.serial == element || depth > limit {
                break;
            }
            depth += self.depths.below(open.serial);
        }
        let more = inside - depth - self.depths.below(element);
        if more > 0 {
            self.depths.add_inside(element, more);
        }
    }
}
