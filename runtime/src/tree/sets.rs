//! The sets of a table in which elements are.

use super::element::Type;
use super::names::{Name, Space};

/// The sets of a table in which elements are, by their types.
#[derive(Debug)]
pub struct Sets<const NAMES: usize> {
    html: [u64; NAMES],
    math: &'static [(Name, u64)],
    svg: &'static [(Name, u64)],
}

impl<const NAMES: usize> Sets<NAMES> {
    /// The names of the HTML elements in each set, and the sets of each MathML and SVG element.
    pub const fn new(
        html: &[(u64, &[Name])],
        math: &'static [(Name, u64)],
        svg: &'static [(Name, u64)],
    ) -> Self {
        let mut by_number = [0; NAMES];
        let mut at = 0;
        while at < html.len() {
            let (set, names) = html[at];
            let mut name = 0;
            while name < names.len() {
                by_number[names[name].0 as usize] |= set;
                name += 1;
            }
            at += 1;
        }
        Self {
            html: by_number,
            math,
            svg,
        }
    }

    /// Those of an element.
    #[inline(always)]
    pub fn of(&self, ty: Type) -> u64 {
        let name = ty.name();
        let others = match ty.space() {
            Space::Html => return self.html.get(name.0 as usize).copied().unwrap_or(0),
            Space::MathMl => self.math,
            Space::Svg => self.svg,
            _ => return 0,
        };
        others.iter().find(|it| it.0 == name).map_or(0, |it| it.1)
    }
}
