//! Where in their text attributes are.

use alloc::boxed::Box;

use crate::attributes::Ranges;

/// How many attributes have their places inside.
pub(super) const FEW: usize = 4;

#[derive(Clone)]
pub(super) enum Places {
    Few { count: u8, places: [Near; FEW] },
    Many(Box<[Place]>),
}

/// Where an attribute's name and value are, by lengths: of what is to skip, and of themselves.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) before: usize,
    pub(super) name: usize,
    pub(super) between: usize,
    pub(super) value: usize,
}

/// A place whose lengths fit one byte, that of the value two. Two bytes and not a number, which would have to begin at
/// every other byte.
#[derive(Clone, Copy)]
pub(super) struct Near {
    before: u8,
    name: u8,
    between: u8,
    value: [u8; 2],
}

impl Near {
    const NOWHERE: Self = Self {
        before: 0,
        name: 0,
        between: 0,
        value: [0; 2],
    };
}

impl Place {
    /// The place of an attribute in the input, if it is there; what is before it ends at `end`, which moves to its end.
    /// What comes too early is very far off then, too far to be a place.
    #[inline(always)]
    pub(super) fn after(end: &mut usize, (name, value): Ranges) -> Option<Self> {
        let (name, mut value) = (name?, value?);
        if value.0 == value.1 {
            // What is empty may be anywhere.
            value = (name.1, name.1);
        }
        let place = Self {
            before: name.0.wrapping_sub(*end),
            name: name.1.wrapping_sub(name.0),
            between: value.0.wrapping_sub(name.1),
            value: value.1.wrapping_sub(value.0),
        };
        *end = value.1;
        Some(place)
    }

    /// It, if there is not much to skip.
    pub(super) fn close(self) -> Option<Self> {
        (self.before | self.between <= usize::from(u8::MAX)).then_some(self)
    }

    #[inline(always)]
    pub(super) fn near(self) -> Option<Near> {
        let fits = self.before | self.name | self.between <= usize::from(u8::MAX);
        (fits && self.value <= usize::from(u16::MAX)).then_some(Near {
            before: self.before as u8,
            name: self.name as u8,
            between: self.between as u8,
            value: (self.value as u16).to_le_bytes(),
        })
    }
}

impl From<Near> for Place {
    #[inline(always)]
    fn from(place: Near) -> Self {
        Self {
            before: place.before.into(),
            name: place.name.into(),
            between: place.between.into(),
            value: u16::from_le_bytes(place.value).into(),
        }
    }
}

impl Places {
    pub(super) const NONE: Self = Self::Few {
        count: 0,
        places: [Near::NOWHERE; FEW],
    };

    #[inline]
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Few { count, .. } => usize::from(*count),
            Self::Many(places) => places.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> Place {
        match self {
            Self::Few { places, .. } => places[index % FEW].into(),
            Self::Many(places) => places[index],
        }
    }
}
