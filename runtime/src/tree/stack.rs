//! The stack of open elements.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::mem::{replace, take};

use super::element::{Element, Type};
use super::marks::{AllMarks, Sought};
use super::names::{Name, Space};
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
    const fn has(self, sets: u64) -> bool {
        (self.sets & sets != 0) != self.all_except
    }
}

/// So many elements are looked at one by one before something is sought by its marks.
const FEW: usize = if cfg!(test) { 2 } else { 8 };

#[derive(Clone, Debug)]
struct Open<N> {
    element: Element<N>,
    /// The place of the nearest one above it with its type.
    same_above: Place,
    /// That of the nearest one below it; it means nothing if this is the last one of its type.
    same_below: Place,
}

/// The serial of an element that left the middle of the stack: its position stays free, and what is below keeps its own.
const FREE: u32 = u32::MAX;

impl<N> Open<N> {
    #[inline(always)]
    fn element(&self) -> Option<&Element<N>> {
        (self.element.serial != FREE).then_some(&self.element)
    }
}

/// The stack of open elements; the last one is the current node. An element is in it at most once.
///
/// What is asked for nearly every tag takes constant time: the current node, whether an element is open, the last one of a type, and
/// whether it is in a scope. So do changes in the middle, but for ends of scopes and where there is no free position above: they take
/// time for what is below.
#[derive(Clone, Debug)]
pub struct Stack<N, const SCOPES: usize> {
    open: Vec<Open<N>>,
    /// How many positions are free; the last one is not.
    free: usize,
    by_serial: Places,
    by_type: ByType,
    marks: AllMarks,
    scopes: [ScopeEnds; SCOPES],
    /// The sets of all scopes.
    any_ends: u64,
    /// Whether an element that is in none of these sets ends no scope.
    may_skip: bool,
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
        let (mut any_ends, mut scope) = (0, 0);
        let mut may_skip = true;
        while scope < SCOPES {
            any_ends |= scopes[scope].sets;
            may_skip &= !scopes[scope].all_except;
            scope += 1;
        }
        Self {
            open: Vec::new(),
            free: 0,
            by_serial: Places::new(),
            by_type: ByType::new(),
            marks: AllMarks::new(),
            scopes,
            any_ends,
            may_skip,
            ends: [0; SCOPES],
            ends_above: [const { Vec::new() }; SCOPES],
            was_above: BTreeMap::new(),
            below: Vec::new(),
        }
    }

    /// Empty again.
    pub fn clear(&mut self) {
        self.open.clear();
        self.free = 0;
        self.by_serial.clear();
        self.by_type.clear();
        self.marks.lower(0);
        self.ends = [0; SCOPES];
        self.ends_above.iter_mut().for_each(Vec::clear);
        self.was_above.clear();
    }

    /// How many elements are open.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.open.len() - self.free
    }

    /// Whether no element is open.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// An element by its number from the top; the topmost one has 0.
    #[inline]
    pub fn get(&self, number: usize) -> Option<&Element<N>> {
        match self.free {
            0 => self.at(number),
            _ => self.iter().nth(number),
        }
    }

    /// The element at a position, if that is not free.
    #[inline(always)]
    fn at(&self, position: usize) -> Option<&Element<N>> {
        self.open.get(position)?.element()
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
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Element<N>> {
        self.open.iter().filter_map(Open::element)
    }

    /// Where an element is: further down, the position is greater.
    #[inline]
    pub fn position(&self, serial: u32) -> Option<usize> {
        // The place of a popped element stays in the table.
        let position = (self.by_serial.get(serial) as usize).wrapping_sub(1);
        let open = self.open.get(position)?;
        (open.element.serial == serial).then_some(position)
    }

    /// The place of an element.
    #[inline]
    fn place(&self, serial: u32) -> Place {
        self.position(serial)
            .map_or(NOWHERE, |position| position as Place + 1)
    }

    /// Whether an element is open.
    #[inline]
    pub fn contains(&self, serial: u32) -> bool {
        self.position(serial).is_some()
    }

    /// Makes room for the serials of this many elements.
    pub fn reserve(&mut self, elements: usize) {
        self.by_serial.reserve(elements);
    }

    /// Opens an element.
    #[inline(always)]
    pub fn push(&mut self, element: Element<N>) {
        let position = self.open.len() as u32;
        if self.may_end_scopes(&element) {
            self.begin_scopes(element.sets, position);
        }
        self.by_serial.set(element.serial, position + 1);
        let same_above = self.by_type.set(element.ty, position + 1);
        self.link_down(same_above, position + 1);
        self.open.push(Open {
            element,
            same_above,
            same_below: NOWHERE,
        });
    }

    /// Takes the current node.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<Element<N>> {
        let Open {
            element,
            same_above,
            ..
        } = self.open.pop()?;
        self.marks.lower(self.open.len());
        if self.may_end_scopes(&element) {
            self.leave_scopes(&element);
        }
        self.by_type.set(element.ty, same_above);
        if self.free > 0 {
            self.drop_free();
        }
        Some(element)
    }

    /// The current node, if nothing but its type has to be known to take it.
    #[inline(always)]
    pub fn plain_current(&self) -> Option<&Element<N>> {
        let current = self.current()?;
        (!self.may_end_scopes(current) && self.free == 0).then_some(current)
    }

    /// Takes the current node, which is the [`plain_current`](Self::plain_current).
    #[inline(always)]
    pub fn pop_plain(&mut self) {
        if let Some(open) = self.open.last() {
            let (ty, same_above) = (open.element.ty, open.same_above);
            self.by_type.set(ty, same_above);
            self.open.truncate(self.open.len() - 1);
            self.marks.lower(self.open.len());
        }
    }

    /// Drops the free positions at the end.
    #[cold]
    fn drop_free(&mut self) {
        while self.open.pop_if(|it| it.element.serial == FREE).is_some() {
            self.free -= 1;
        }
        self.marks.lower(self.open.len());
    }

    /// Tells an element where the one below it with its type is.
    #[inline(always)]
    fn link_down(&mut self, place: Place, below: Place) {
        if let Some(open) = self.open.get_mut((place as usize).wrapping_sub(1)) {
            open.same_below = below;
        }
    }

    /// Tells the element below another one, with its type, where the one above it is. If there is none below, that one is the last
    /// one of the type.
    fn link_up(&mut self, ty: Type, (place, below): (Place, Place), above: Place) {
        if self.by_type.get(ty) == place {
            self.by_type.set(ty, above);
        } else if let Some(open) = self.open.get_mut((below as usize).wrapping_sub(1)) {
            open.same_above = above;
        }
    }

    #[inline(always)]
    const fn may_end_scopes(&self, element: &Element<N>) -> bool {
        element.is_in(self.any_ends) || !self.may_skip
    }

    #[inline(never)]
    fn begin_scopes(&mut self, sets: u64, position: u32) {
        for (scope, ends) in self.scopes.iter().enumerate() {
            if ends.has(sets) {
                self.ends_above[scope].push(self.ends[scope]);
                self.ends[scope] = position;
            }
        }
    }

    #[inline(never)]
    fn leave_scopes(&mut self, element: &Element<N>) {
        for (scope, ends) in self.scopes.iter().enumerate() {
            if ends.has(element.sets) {
                self.ends[scope] = self.ends_above[scope].pop().unwrap_or(0);
            }
        }
    }

    /// Takes an element, wherever it is.
    pub fn remove(&mut self, serial: u32) -> Option<Element<N>> {
        let position = self.position(serial)?;
        self.leaves_the_middle(position);
        let ends_scopes = self.may_end_scopes(&self.open[position].element);
        if ends_scopes || position + 1 == self.open.len() {
            let mut removed = None;
            self.below(position + 1, |this| removed = this.pop());
            return removed;
        }
        let open = &mut self.open[position];
        let free = Element {
            node: open.element.node.clone(),
            serial: FREE,
            ty: Type::NONE,
            sets: 0,
        };
        let (above, below) = (open.same_above, open.same_below);
        let removed = replace(&mut open.element, free);
        self.link_up(removed.ty, (position as Place + 1, below), above);
        self.link_down(above, below);
        self.by_serial.set(serial, NOWHERE);
        self.marks.change(position, &removed);
        self.free += 1;
        if 2 * self.free > self.open.len() {
            // All positions anew.
            self.below(0, |_| {});
        }
        Some(removed)
    }

    /// Puts an element where another one is; that one, if it is open.
    pub fn replace(&mut self, serial: u32, with: Element<N>) -> Option<Element<N>> {
        let position = self.position(serial)?;
        self.leaves_the_middle(position);
        let old = &mut self.open.get_mut(position)?.element;
        if old.ty == with.ty && old.sets == with.sets {
            let place = self.by_serial.set(serial, NOWHERE);
            self.by_serial.set(with.serial, place);
            return Some(replace(old, with));
        }
        let mut replaced = None;
        self.below(position + 1, |this| {
            replaced = this.pop();
            this.push(with);
        });
        replaced
    }

    /// Inserts an element immediately below another one, if that is open.
    pub fn insert_below(&mut self, above: u32, element: Element<N>) {
        let Some(position) = self.position(above) else {
            return;
        };
        let mut near = (position.saturating_sub(FEW)..position).rev();
        let free = near.find(|&it| self.open[it].element.serial == FREE);
        let Some(free) = free.filter(|_| !self.may_end_scopes(&element)) else {
            return self.below(position + 1, |this| this.push(element));
        };
        (free + 1..=position).for_each(|from| self.move_up(from));
        self.fill(position, element);
    }

    /// Moves an element to the free position above, which its own becomes.
    fn move_up(&mut self, from: usize) {
        self.open.swap(from - 1, from);
        let (old, new) = (from as Place + 1, from as Place);
        let Open {
            element,
            same_above,
            same_below,
        } = &self.open[from - 1];
        let (serial, ty, above, below) = (element.serial, element.ty, *same_above, *same_below);
        self.marks.move_up(from, element);
        for (scope, ends) in self.scopes.iter().enumerate() {
            if ends.has(element.sets) {
                let above = &mut self.ends_above[scope];
                let at = above.partition_point(|&it| (it as usize) < from);
                let end = above.get_mut(at).unwrap_or(&mut self.ends[scope]);
                *end -= 1;
            }
        }
        self.by_serial.set(serial, new);
        self.link_up(ty, (old, below), new);
        self.link_down(above, new);
    }

    /// Puts an element at a free position.
    fn fill(&mut self, position: usize, element: Element<N>) {
        let place = position as Place + 1;
        let (ty, serial) = (element.ty, element.serial);
        let (mut above, mut below) = (self.by_type.get(ty), NOWHERE);
        while above > place {
            below = above;
            above = self.open[above as usize - 1].same_above;
        }
        match below {
            NOWHERE => _ = self.by_type.set(ty, place),
            below => self.open[below as usize - 1].same_above = place,
        }
        self.link_down(above, place);
        self.by_serial.set(serial, place);
        self.marks.change(position, &element);
        self.open[position] = Open {
            element,
            same_above: above,
            same_below: below,
        };
        self.free -= 1;
    }

    /// Changes the stack as if it ended before a position.
    fn below(&mut self, position: usize, change: impl FnOnce(&mut Self)) {
        let mut below = take(&mut self.below);
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
        if let (Some(above), Some(element)) = (self.above_position(position), self.at(position))
            && position + 1 < self.open.len()
        {
            self.was_above.insert(element.serial, above.clone());
        }
    }

    /// The element immediately above another one, or what was above that when it left the middle of the stack.
    pub fn above(&self, serial: u32) -> Option<&Element<N>> {
        match self.position(serial) {
            Some(position) => self.above_position(position),
            None => self.was_above.get(&serial),
        }
    }

    fn above_position(&self, position: usize) -> Option<&Element<N>> {
        let above = self.open.get(..position)?;
        above.iter().rev().find_map(Open::element)
    }

    /// The last element of a type: the nearest to the current node.
    #[inline]
    pub fn last_of(&self, ty: Type) -> Option<&Element<N>> {
        self.at((self.by_type.get(ty) as usize).checked_sub(1)?)
    }

    /// The last element with a name, in any namespace.
    pub fn last_named(&self, name: Name) -> Option<&Element<N>> {
        let spaces = [Space::Html, Space::MathMl, Space::Svg, Space::None];
        let places = spaces.map(|space| self.by_type.get(Type::new(space, name)));
        self.at((places.into_iter().max()? as usize).checked_sub(1)?)
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
        self.is_in_scope(self.place(serial), scope)
    }

    #[inline(always)]
    fn is_in_scope(&self, place: Place, scope: usize) -> bool {
        self.ends.get(scope).is_some_and(|&end| place > end)
    }

    fn marks(&mut self, sought: Sought) -> &[u32] {
        let Self { open, marks, .. } = self;
        marks.find(sought, open.len(), |at| open[at].element())
    }

    /// The topmost element below another one that is sought.
    #[inline]
    pub fn topmost_lower(&mut self, serial: u32, sought: Sought) -> Option<&Element<N>> {
        let lower = self.position(serial)? + 1;
        if self.open.len() - lower <= FEW {
            let mut lower = self.open.get(lower..)?.iter().filter_map(Open::element);
            return lower.find(|it| sought.is(it));
        }
        let marks = self.marks(sought);
        let &found = marks.get(marks.partition_point(|&it| (it as usize) < lower))?;
        self.at(found as usize)
    }

    /// The nearest element to the current node that is sought.
    pub fn nearest(&mut self, sought: Sought) -> Option<&Element<N>> {
        let lowest = self.open.len().saturating_sub(FEW);
        let mut near = (lowest..self.open.len()).rev();
        let near = near.find(|&it| self.at(it).is_some_and(|it| sought.is(it)));
        let found = near.or_else(|| self.marks(sought).last().map(|&it| it as usize))?;
        self.at(found)
    }

    /// The nearest element above another one that is sought, or is of one of these types; if there is none, the topmost
    /// element. What [`above`](Self::above) says, if the other one is not open.
    pub fn nearest_above(
        &mut self,
        serial: u32,
        sought: Sought,
        types: &[Type],
    ) -> Option<&Element<N>> {
        let Some(position) = self.position(serial) else {
            return self.above(serial);
        };
        let is = |it: &Element<N>| sought.is(it) || types.contains(&it.ty);
        let mut near = (position.saturating_sub(FEW)..position).rev();
        if let Some(found) = near.find(|&it| self.at(it).is_some_and(is)) {
            return self.at(found);
        }
        let marks = self.marks(sought);
        let higher = marks.partition_point(|&it| (it as usize) < position);
        // One more than a position.
        let mut found = higher.checked_sub(1).map_or(0, |at| marks[at] as usize + 1);
        for &ty in types {
            let mut place = self.by_type.get(ty) as usize;
            while place > position {
                place = self.open[place - 1].same_above as usize;
            }
            found = found.max(place);
        }
        match found {
            0 => self.first().filter(|it| it.serial != serial),
            found => self.at(found - 1),
        }
    }
}

#[cfg(test)]
mod tests;
