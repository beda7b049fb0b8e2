//! Error codes of two machines: by name, or by presence where one side gives no name.

use speclex_codegen::machine::Machine;

/// The code of an error without a name.
pub(super) const UNNAMED: &str = "parse-error";

/// How the codes of two machines compare.
#[derive(Clone, Debug)]
pub(super) struct Codes {
    /// For each side's codes a number that both share; 0 for an error without a name.
    shared: [Vec<u32>; 2],
}

impl Codes {
    pub(super) fn new(one: &Machine, other: &Machine) -> Self {
        let mut names: Vec<&str> = vec![UNNAMED];
        let shared = [one, other].map(|machine| {
            let number = |code| match names.iter().position(|name| *name == code) {
                Some(index) => index as u32,
                None => {
                    names.push(code);
                    names.len() as u32 - 1
                }
            };
            machine
                .errors
                .iter()
                .map(String::as_str)
                .map(number)
                .collect()
        });
        Self { shared }
    }

    fn of(&self, side: usize, codes: &[u32]) -> Vec<u32> {
        let code = |code: &u32| self.shared[side].get(*code as usize).copied().unwrap_or(0);
        codes.iter().map(code).collect()
    }

    /// Whether the errors at one place are the same.
    pub(super) fn agree(&self, one: &[u32], other: &[u32]) -> bool {
        agree(&self.of(0, one), &self.of(1, other), |code| *code == 0)
    }
}

/// Whether two bags are the same when an unnamed one may be any.
fn agree<T: Ord + Clone>(one: &[T], other: &[T], unnamed: impl Fn(&T) -> bool) -> bool {
    if one.len() != other.len() {
        return false;
    }
    if one == other {
        return true;
    }
    let sorted = [one, other].map(|codes| {
        let mut codes = codes.to_vec();
        codes.sort_unstable();
        codes
    });
    let [mut ones, mut others] = sorted.each_ref().map(|codes| codes.iter().peekable());
    // What has no namesake needs one without a name on the other side.
    let (mut left, mut named) = (0, 0);
    loop {
        match (ones.peek(), others.peek()) {
            (Some(a), Some(b)) if a == b => {
                ones.next();
                others.next();
            }
            (Some(a), b) if b.is_none_or(|b| a < b) => {
                left += 1;
                named += usize::from(!unnamed(a));
                ones.next();
            }
            (_, Some(b)) => {
                named += usize::from(!unnamed(b));
                others.next();
            }
            (_, None) => return named <= left,
        }
    }
}

/// Whether errors at one place, given by their codes' names, are the same.
pub(crate) fn names_agree(one: &[&str], other: &[&str]) -> bool {
    agree(one, other, |code| *code == UNNAMED)
}

#[cfg(test)]
mod tests {
    use super::names_agree;

    #[test]
    fn an_error_without_a_name_may_be_any() {
        assert!(names_agree(&["a", "parse-error"], &["b", "a"]));
        assert!(!names_agree(&["a"], &["b"]));
        assert!(!names_agree(&["a", "parse-error"], &["b", "c"]));
        assert!(!names_agree(&["a"], &[]));
        assert!(names_agree(&["parse-error", "parse-error"], &["b", "c"]));
    }
}
