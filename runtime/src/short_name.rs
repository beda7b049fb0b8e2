//! A name that outlives the input it stood in.

use alloc::string::String;

/// Bytes of a name that takes no allocation: as many as fit beside its length in the place of a `String`.
const ROOM: usize = 22;

/// A name; most are short.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) enum ShortName {
    Short(u8, [u8; ROOM]),
    Long(String),
}

impl ShortName {
    pub(crate) fn new(name: &str) -> Self {
        let mut bytes = [0; ROOM];
        match bytes.get_mut(..name.len()) {
            Some(short) => {
                short.copy_from_slice(name.as_bytes());
                Self::Short(name.len() as u8, bytes)
            }
            None => Self::Long(String::from(name)),
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            // They were those of a string.
            Self::Short(length, bytes) => bytes
                .get(..usize::from(*length))
                .and_then(|name| core::str::from_utf8(name).ok())
                .unwrap_or_default(),
            Self::Long(name) => name,
        }
    }
}

impl core::fmt::Debug for ShortName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.as_str().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_any_length_is_what_it_was() {
        for length in 0..60 {
            let name = "añ€".chars().cycle().take(length).collect::<String>();
            assert_eq!(ShortName::new(&name).as_str(), name);
        }
    }
}
