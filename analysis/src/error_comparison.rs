//! What of the errors of two tables is compared: their codes, or where one table names none how many there are.

use speclex_codegen::machine::Machine;

/// The code of an error without a name.
pub(crate) const UNNAMED: &str = "parse-error";

/// What of two tables' errors is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorComparison {
    /// The codes. An error without a name is equal to another without a name only.
    Codes,
    /// That there is an error, whatever its code is: one of the tables names none at all.
    Presence,
}

impl ErrorComparison {
    /// What is compared of these two tables.
    pub fn of(one: &Machine, other: &Machine) -> Self {
        if names_errors(one) && names_errors(other) {
            Self::Codes
        } else {
            Self::Presence
        }
    }

    /// Whether two bags of codes are equal.
    pub(crate) fn agree<T: Ord + Clone>(self, one: &[T], other: &[T]) -> bool {
        if one.len() != other.len() {
            return false;
        }
        if self == Self::Presence || one == other {
            return true;
        }
        let sorted = [one, other].map(|codes| {
            let mut codes = codes.to_vec();
            codes.sort_unstable();
            codes
        });
        sorted[0] == sorted[1]
    }
}

/// Whether a table gives a name to any of its errors.
pub(crate) fn names_errors(machine: &Machine) -> bool {
    machine.errors.iter().any(|code| code != UNNAMED)
}
