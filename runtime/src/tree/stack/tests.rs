//! The stack beside one that looks at every element.

#![cfg(test)]

use super::*;
use crate::tree::ordered::testing::{Random, TYPES};

type Scopes = [ScopeEnds; 3];

const fn ends(sets: u64, all_except: bool) -> ScopeEnds {
    ScopeEnds { sets, all_except }
}

/// In the second, elements of one set only end scopes.
const SCOPES: [Scopes; 2] = [
    [ends(1, false), ends(2 | 4, false), ends(2 | 4, true)],
    [ends(1, false), ends(1 | 8, false), ends(8, false)],
];

/// The stack with nothing but searches.
#[derive(Default)]
struct Model {
    open: Vec<Element<u32>>,
    was_above: BTreeMap<u32, u32>,
}

impl Model {
    fn at(&self, serial: u32) -> Option<usize> {
        self.open.iter().position(|it| it.serial == serial)
    }

    fn remove(&mut self, at: usize) {
        let removed = self.open.remove(at);
        if at > 0 && at < self.open.len() {
            let above = self.open[at - 1].serial;
            self.was_above.insert(removed.serial, above);
        }
    }

    fn above(&self, serial: u32) -> Option<u32> {
        match self.at(serial) {
            Some(at) => Some(self.open.get(at.checked_sub(1)?)?.serial),
            None => self.was_above.get(&serial).copied(),
        }
    }

    fn has(&self, is: impl Fn(&Element<u32>) -> bool, scope: ScopeEnds) -> bool {
        for element in self.open.iter().rev() {
            if is(element) {
                return true;
            }
            if element.is_in(scope.sets) != scope.all_except {
                return false;
            }
        }
        false
    }
}

fn serial(element: Option<&Element<u32>>) -> Option<u32> {
    element.map(|element| element.serial)
}

const SOUGHT: [Sought; 5] = [
    Sought::in_sets(1),
    Sought::in_sets(2 | 4),
    Sought::in_sets(1).or_html(),
    Sought::in_sets(2 | 4).or_html().others(),
    Sought::in_sets(8),
];

fn compare(stack: &mut Stack<u32, 3>, model: &Model, random: &mut Random, serials: u32) {
    let open = &model.open;
    assert_eq!(stack.len(), open.len());
    assert_eq!(stack.is_empty(), open.is_empty());
    assert_eq!(serial(stack.current()), serial(open.last()));
    assert_eq!(serial(stack.first()), serial(open.first()));
    assert_eq!(serial(stack.get(1)), serial(open.get(1)));
    let some = random.below(serials as usize + 2) as u32;
    let one = serial(open.get(random.below(open.len() + 1))).unwrap_or(some);
    for of in [some, one] {
        let at = model.at(of);
        assert_eq!(stack.contains(of), at.is_some());
        let lower = stack.position(of) > stack.position(one);
        assert_eq!(lower, at > model.at(one));
        assert_eq!(serial(stack.above(of)), model.above(of));
        for (number, scope) in stack.scopes.into_iter().enumerate() {
            let has = model.has(|it| it.serial == of, scope);
            assert_eq!(stack.has_element_in_scope(of, number), has);
        }
        let sought = SOUGHT[random.below(SOUGHT.len())];
        let is = |it: &&Element<u32>| sought.is(it);
        let mut lower = open.iter().skip(at.map_or(open.len(), |at| at + 1));
        assert_eq!(
            serial(stack.topmost_lower(of, sought)),
            serial(lower.find(is))
        );
        assert_eq!(serial(stack.nearest(sought)), serial(open.iter().rfind(is)));
        let types = &TYPES[..random.below(3)];
        let mut higher = open.iter().take(at.unwrap_or(0));
        let topmost = higher.clone().next();
        let found = higher
            .rfind(|it| is(it) || types.contains(&it.ty))
            .or(topmost);
        let found = at.map_or_else(|| model.above(of), |_| serial(found));
        assert_eq!(serial(stack.nearest_above(of, sought, types)), found);
    }
    for ty in TYPES {
        let last = open.iter().rfind(|it| it.ty == ty);
        assert_eq!(serial(stack.last_of(ty)), serial(last));
        let last = open.iter().rfind(|it| it.ty.name() == ty.name());
        assert_eq!(serial(stack.last_named(ty.name())), serial(last));
        for (number, scope) in stack.scopes.into_iter().enumerate() {
            let has = model.has(|it| it.ty == ty, scope);
            assert_eq!(stack.has_in_scope(ty, number), has);
            let other = TYPES[random.below(TYPES.len())];
            let has = model.has(|it| it.ty == ty || it.ty == other, scope);
            assert_eq!(stack.has_any_in_scope(&[ty, other], number), has);
        }
    }
}

#[test]
fn equals_a_naive_stack() {
    SCOPES.into_iter().for_each(beside_a_naive_stack);
}

fn beside_a_naive_stack(scopes: Scopes) {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut stack, mut model) = (Stack::new(scopes), Model::default());
    for serials in 0..100_000 {
        let at = random.below(model.open.len().max(1));
        let of = serial(model.open.get(at)).unwrap_or(serials);
        let element = random.element(serials);
        // It grows for a while, then it shrinks.
        let choice = match serials / 100 % 2 {
            0 => random.below(16),
            _ => random.below(16) + 10,
        };
        match choice {
            0..8 => {
                model.open.push(element.clone());
                stack.push(element);
            }
            8..11 => {
                let replaced = stack.replace(of, element.clone());
                assert_eq!(replaced.is_some(), !model.open.is_empty());
                if replaced.is_some() {
                    model.remove(at);
                    model.open.insert(at, element);
                }
            }
            11..13 => {
                stack.insert_below(of, element.clone());
                if !model.open.is_empty() {
                    model.open.insert(at + 1, element);
                }
            }
            13..16 => {
                let removed = stack.remove(of);
                assert_eq!(removed.is_some(), !model.open.is_empty());
                if removed.is_some() {
                    model.remove(at);
                }
            }
            _ => assert_eq!(
                serial(stack.pop().as_ref()),
                serial(model.open.pop().as_ref())
            ),
        }
        compare(&mut stack, &model, &mut random, serials);
    }
    stack.clear();
    compare(&mut stack, &Model::default(), &mut random, 100_000);
}
