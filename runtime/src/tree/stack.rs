//! The stack of open elements.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use super::element::{Element, Type};
use super::ordered::{ByType, NOWHERE, Place, Places};

/// The elements at which a scope ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScopeEnds {
    /// Sets of elements, a bit each.
    pub sets: u64,
    /// Whether all elements end the scope except those in the sets.
    pub all_except: bool,
}

impl ScopeEnds {
    #[inline(always)]
    const fn has<N>(self, element: &Element<N>) -> bool {
        element.is_in(self.sets) != self.all_except
    }
}

#[derive(Clone, Debug)]
struct Open<N> {
    element: Element<N>,
    /// The place of the nearest one above it with its type.
    same_above: Place,
}

/// The stack of open elements; the last one is the current node. An element is in it at most once.
///
/// What is asked for nearly every tag takes constant time: the current node, whether an element is open, the last one of a type, and
/// whether it is in a scope. Changes in the middle take time for what is below.
#[derive(Clone, Debug)]
pub struct Stack<N, const SCOPES: usize> {
    open: Vec<Open<N>>,
    by_serial: Places,
    by_type: ByType,
    scopes: [ScopeEnds; SCOPES],
    /// The position of the nearest end of each scope, 0 without one: all elements are there or below.
    ends: [u32; SCOPES],
    /// For each end of each scope what `ends` was before it.
    ends_above: [Vec<u32>; SCOPES],
    /// What was above elements when they left the middle of the stack.
    was_above: BTreeMap<u32, Element<N>>,
    /// For elements that are pushed again after a change above them.
    below: Vec<Element<N>>,
}

impl<N: Clone, const SCOPES: usize> Stack<N, SCOPES> {
    /// An empty stack, with the scopes of a table.
    pub const fn new(scopes: [ScopeEnds; SCOPES]) -> Self {
        Self {
            open: Vec::new(),
            by_serial: Places::new(),
            by_type: ByType::new(),
            scopes,
            ends: [0; SCOPES],
            ends_above: [const { Vec::new() }; SCOPES],
            was_above: BTreeMap::new(),
            below: Vec::new(),
        }
    }

    /// Empty again.
    pub fn clear(&mut self) {
        self.open.clear();
        self.by_serial.clear();
        self.by_type.clear();
        self.ends = [0; SCOPES];
        self.ends_above.iter_mut().for_each(Vec::clear);
        self.was_above.clear();
    }

    /// How many elements are open.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether no element is open.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// An element by its position; the topmost one has 0.
    #[inline(always)]
    pub fn get(&self, position: usize) -> Option<&Element<N>> {
        self.open.get(position).map(|it| &it.element)
    }

    /// The current node.
    #[inline(always)]
    pub fn current(&self) -> Option<&Element<N>> {
        self.open.last().map(|it| &it.element)
    }

    /// The topmost element.
    #[inline]
    pub fn first(&self) -> Option<&Element<N>> {
        self.get(0)
    }

    /// All elements from the topmost one to the current node.
    #[inline]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Element<N>> + ExactSizeIterator {
        self.open.iter().map(|it| &it.element)
    }

    /// Where an element is.
    #[inline]
    pub fn position(&self, serial: u32) -> Option<usize> {
        (self.by_serial.get(serial) as usize).checked_sub(1)
    }

    /// Whether an element is open.
    #[inline]
    pub fn contains(&self, serial: u32) -> bool {
        self.by_serial.get(serial) != NOWHERE
    }

    /// Opens an element.
    #[inline]
    pub fn push(&mut self, element: Element<N>) {
        let position = self.open.len() as u32;
        for (scope, ends) in self.scopes.iter().enumerate() {
            if ends.has(&element) {
                self.ends_above[scope].push(self.ends[scope]);
                self.ends[scope] = position;
            }
        }
        self.by_serial.set(element.serial, position + 1);
        let same_above = self.by_type.set(element.ty, position + 1);
        self.open.push(Open {
            element,
            same_above,
        });
    }

    /// Takes the current node.
    #[inline]
    pub fn pop(&mut self) -> Option<Element<N>> {
        let Open {
            element,
            same_above,
        } = self.open.pop()?;
        for (scope, ends) in self.scopes.iter().enumerate() {
            if ends.has(&element) {
                self.ends[scope] = self.ends_above[scope].pop().unwrap_or(0);
            }
        }
        self.by_serial.set(element.serial, NOWHERE);
        self.by_type.set(element.ty, same_above);
        Some(element)
    }

    /// Takes an element, wherever it is.
    pub fn remove(&mut self, serial: u32) -> Option<Element<N>> {
        let position = self.position(serial)?;
        self.leaves_the_middle(position);
        let mut removed = None;
        self.below(position + 1, |this| removed = this.pop());
        removed
    }

    /// Puts an element where another one is; that one, if it is open.
    pub fn replace(&mut self, serial: u32, with: Element<N>) -> Option<Element<N>> {
        let position = self.position(serial)?;
        self.leaves_the_middle(position);
        let mut replaced = None;
        self.below(position + 1, |this| {
            replaced = this.pop();
            this.push(with);
        });
        replaced
    }

    /// Inserts an element immediately below another one, if that is open.
    pub fn insert_below(&mut self, above: u32, element: Element<N>) {
        if let Some(position) = self.position(above) {
            self.below(position + 1, |this| this.push(element));
        }
    }

    /// Changes the stack as if it ended before a position.
    fn below(&mut self, position: usize, change: impl FnOnce(&mut Self)) {
        let mut below = core::mem::take(&mut self.below);
        while self.open.len() > position {
            below.extend(self.pop());
        }
        change(self);
        while let Some(element) = below.pop() {
            self.push(element);
        }
        self.below = below;
    }

    fn leaves_the_middle(&mut self, position: usize) {
        let above = position.checked_sub(1).and_then(|above| self.get(above));
        if let (Some(above), Some(element)) = (above, self.get(position))
            && position + 1 < self.open.len()
        {
            self.was_above.insert(element.serial, above.clone());
        }
    }

    /// The element immediately above another one, or what was above that when it left the middle of the stack.
    pub fn above(&self, serial: u32) -> Option<&Element<N>> {
        match self.position(serial) {
            Some(position) => self.get(position.checked_sub(1)?),
            None => self.was_above.get(&serial),
        }
    }

    /// The last element of a type: the nearest to the current node.
    #[inline]
    pub fn last_of(&self, ty: Type) -> Option<&Element<N>> {
        self.get((self.by_type.get(ty) as usize).checked_sub(1)?)
    }

    /// Whether the stack has an element of a type in a scope. An end of the scope is in it, too.
    #[inline]
    pub fn has_in_scope(&self, ty: Type, scope: usize) -> bool {
        self.is_in_scope(self.by_type.get(ty), scope)
    }

    /// Whether the stack has an element of one of these types in a scope.
    #[inline]
    pub fn has_any_in_scope(&self, types: &[Type], scope: usize) -> bool {
        types.iter().any(|&ty| self.has_in_scope(ty, scope))
    }

    /// Whether the stack has an element in a scope.
    #[inline]
    pub fn has_element_in_scope(&self, serial: u32, scope: usize) -> bool {
        self.is_in_scope(self.by_serial.get(serial), scope)
    }

    #[inline(always)]
    fn is_in_scope(&self, place: Place, scope: usize) -> bool {
        self.ends.get(scope).is_some_and(|&end| place > end)
    }

    /// The topmost element below another one that fits.
    pub fn topmost_lower(
        &self,
        serial: u32,
        is: impl Fn(&Element<N>) -> bool,
    ) -> Option<&Element<N>> {
        let below = self.open.get(self.position(serial)? + 1..)?;
        below.iter().map(|it| &it.element).find(|it| is(it))
    }

    /// The first element that fits, from the current node upwards.
    #[inline]
    pub fn nearest(&self, is: impl Fn(&Element<N>) -> bool) -> Option<&Element<N>> {
        self.iter().rev().find(|it| is(it))
    }
}
