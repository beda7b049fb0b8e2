//! stub
use alloc::vec::Vec;
use super::element::{Element, Type};
#[derive(Clone, Debug)]
pub struct Entry<N, K> { pub element: Element<N>, pub kept: Option<K>, pub hash: u64 }
#[derive(Clone, Copy, Debug)]
pub struct Position(usize);
#[derive(Debug)]
pub struct List<N, K> { entries: Vec<Entry<N, K>>, positions: Vec<usize> }
impl<N: Clone, K: Clone> List<N, K> {
    pub fn new() -> Self { Self { entries: Vec::new(), positions: Vec::new() } }
    pub fn len(&self) -> usize { self.entries.len() }
    pub fn is_empty(&self) -> bool { self.entries.is_empty() }
    pub fn first(&self) -> Option<&Entry<N, K>> { self.entries.first() }
    pub fn last(&self) -> Option<&Entry<N, K>> { self.entries.last() }
    pub fn position(&self, serial: u32) -> Option<usize> { self.entries.iter().position(|e| e.element.serial == serial) }
    pub fn contains(&self, serial: u32) -> bool { self.position(serial).is_some() }
    pub fn entry(&self, serial: u32) -> Option<&Entry<N, K>> { self.entries.get(self.position(serial)?) }
    pub fn push(&mut self, e: Entry<N, K>) { self.entries.push(e) }
    pub fn push_marker(&mut self, element: Element<N>) { self.push(Entry { element, kept: None, hash: 0 }) }
    pub fn remove(&mut self, serial: u32) { if let Some(at) = self.position(serial) { self.entries.remove(at); for p in &mut self.positions { if *p > at { *p -= 1 } } } }
    pub fn replace(&mut self, serial: u32, e: Entry<N, K>) { if let Some(at) = self.position(serial) { self.entries[at] = e; } }
    pub fn insert_at(&mut self, p: Position, e: Entry<N, K>) { let at = self.positions[p.0].min(self.entries.len()); self.entries.insert(at, e); for p in &mut self.positions { if *p > at { *p += 1 } } }
    pub fn before(&self, serial: u32) -> Option<&Entry<N, K>> { self.entries.get(self.position(serial)?.checked_sub(1)?) }
    pub fn after(&self, serial: u32) -> Option<&Entry<N, K>> { self.entries.get(self.position(serial)? + 1) }
    fn behind(&self) -> &[Entry<N, K>] { let m = self.entries.iter().rposition(|e| e.element.ty == Type::MARKER).map_or(0, |m| m + 1); &self.entries[m..] }
    pub fn last_of(&self, ty: Type) -> Option<&Entry<N, K>> { self.behind().iter().rev().find(|e| e.element.ty == ty) }
    pub fn count_alike(&self, e: &Entry<N, K>, mut eq: impl FnMut(&K, &K) -> bool) -> usize { self.behind().iter().filter(|o| o.element.ty == e.element.ty && o.hash == e.hash && matches!((&o.kept, &e.kept), (Some(a), Some(b)) if eq(a, b))).count() }
    pub fn earliest_alike(&self, e: &Entry<N, K>, mut eq: impl FnMut(&K, &K) -> bool) -> Option<&Entry<N, K>> { self.behind().iter().find(|o| o.element.ty == e.element.ty && o.hash == e.hash && matches!((&o.kept, &e.kept), (Some(a), Some(b)) if eq(a, b))) }
    pub fn remember(&mut self, at: usize) -> Option<Position> { self.positions.push(at); Some(Position(self.positions.len() - 1)) }
    pub fn forget_positions(&mut self) { self.positions.clear() }
}
