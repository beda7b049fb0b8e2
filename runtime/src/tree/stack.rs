//! stub
use alloc::vec::Vec;
use super::element::{Element, Type};
/// Ends.
#[derive(Clone, Copy, Debug)]
pub struct ScopeEnds { pub sets: u64, pub all_except: bool }
#[derive(Debug)]
pub struct Stack<N, const SCOPES: usize> { entries: Vec<Element<N>>, scopes: [ScopeEnds; SCOPES], was_above: Vec<(u32, Element<N>)> }
impl<N: Clone, const SCOPES: usize> Stack<N, SCOPES> {
    pub fn new(scopes: [ScopeEnds; SCOPES]) -> Self { Self { entries: Vec::new(), scopes, was_above: Vec::new() } }
    pub fn len(&self) -> usize { self.entries.len() }
    pub fn is_empty(&self) -> bool { self.entries.is_empty() }
    pub fn get(&self, i: usize) -> Option<&Element<N>> { self.entries.get(i) }
    pub fn current(&self) -> Option<&Element<N>> { self.entries.last() }
    pub fn first(&self) -> Option<&Element<N>> { self.entries.first() }
    pub fn push(&mut self, e: Element<N>) { self.entries.push(e) }
    pub fn pop(&mut self) -> Option<Element<N>> { self.entries.pop() }
    pub fn position(&self, serial: u32) -> Option<usize> { self.entries.iter().position(|e| e.serial == serial) }
    pub fn contains(&self, serial: u32) -> bool { self.position(serial).is_some() }
    pub fn remove(&mut self, serial: u32) { if let Some(at) = self.position(serial) { if at > 0 && at + 1 < self.entries.len() { let a = self.entries[at-1].clone(); self.was_above.retain(|w| w.0 != serial); self.was_above.push((serial, a)); } self.entries.remove(at); } }
    pub fn replace(&mut self, serial: u32, e: Element<N>) { if let Some(at) = self.position(serial) { self.entries[at] = e; } }
    pub fn insert_below(&mut self, above: u32, e: Element<N>) { if let Some(at) = self.position(above) { self.entries.insert(at + 1, e); } }
    pub fn above(&self, serial: u32) -> Option<&Element<N>> { match self.position(serial) { Some(at) => self.entries.get(at.checked_sub(1)?), None => self.was_above.iter().find(|w| w.0 == serial).map(|w| &w.1) } }
    pub fn last_of(&self, ty: Type) -> Option<&Element<N>> { self.entries.iter().rev().find(|e| e.ty == ty) }
    fn ends(&self, e: &Element<N>, scope: usize) -> bool { e.is_in(self.scopes[scope].sets) != self.scopes[scope].all_except }
    pub fn has_in_scope(&self, ty: Type, scope: usize) -> bool { for e in self.entries.iter().rev() { if e.ty == ty { return true; } if self.ends(e, scope) { return false; } } false }
    pub fn has_any_in_scope(&self, tys: &[Type], scope: usize) -> bool { tys.iter().any(|t| self.has_in_scope(*t, scope)) }
    pub fn has_element_in_scope(&self, serial: u32, scope: usize) -> bool { for e in self.entries.iter().rev() { if e.serial == serial { return true; } if self.ends(e, scope) { return false; } } false }
    pub fn topmost_lower(&self, serial: u32, is: impl Fn(&Element<N>) -> bool) -> Option<&Element<N>> { let at = self.position(serial)?; self.entries[at + 1..].iter().find(|e| is(e)) }
    pub fn nearest(&self, is: impl Fn(&Element<N>) -> bool) -> Option<&Element<N>> { self.entries.iter().rev().find(|e| is(e)) }
}
