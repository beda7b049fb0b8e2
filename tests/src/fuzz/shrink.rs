//! Making a failing case small.

use super::case::{Answer, Case, Feedback, Stop};

/// How many smaller cases are tried.
const TRIES: usize = 20_000;

/// The smallest case found that still fails. Prints `command` first, which repeats the case: the search can take minutes.
pub fn shrink(case: Case, command: &str, fails: impl FnMut(&Case) -> bool) -> Case {
    eprintln!("a case fails and is made small now: {command}");
    let mut shrinker = Shrinker {
        case,
        fails,
        tries: TRIES,
    };
    while shrinker.round() {}
    shrinker.case
}

struct Shrinker<F> {
    case: Case,
    fails: F,
    tries: usize,
}

impl<F: FnMut(&Case) -> bool> Shrinker<F> {
    /// Tries everything once; whether anything got smaller.
    fn round(&mut self) -> bool {
        let before = self.case.clone();
        self.change(|case| case.content = None);
        self.change(|case| case.last_start_tag = None);
        self.change(|case| case.cdata_allowed = false);
        self.change(|case| case.feedback = Feedback::Off);
        self.change(|case| case.skip_bom = false);
        self.list(|case| &mut case.chunks);
        for index in (1..self.case.chunks.len()).rev() {
            // One cut fewer.
            self.change(|case| {
                if index < case.chunks.len() {
                    case.chunks[index - 1] += case.chunks.remove(index);
                }
            });
        }
        self.list(|case| &mut case.answers);
        for index in 0..self.case.answers.len() {
            self.change(|case| case.answers[index] = Answer::Continue);
        }
        self.change(|case| {
            if case.answers.last() == Some(&Answer::Continue) {
                case.answers.pop();
            }
        });
        self.list(|case| &mut case.stops);
        for index in 0..self.case.stops.len() {
            self.change(|case| case.stops[index] = Stop::default());
            self.change(|case| case.stops[index].content = None);
            self.change(|case| case.stops[index].last_start_tag = None);
            self.change(|case| case.stops[index].chunks = 0);
            self.list(|case| &mut case.stops[index].inserts);
            for insert in 0..self.case.stops[index].inserts.len() {
                self.text(|case| &mut case.stops[index].inserts[insert]);
            }
        }
        self.text(|case| &mut case.input);
        self.case != before && self.tries > 0
    }

    /// Keeps a change if the case still fails.
    fn change(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        let mut case = self.case.clone();
        change(&mut case);
        if case == self.case || self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let fails = (self.fails)(&case);
        if fails {
            self.case = case;
        }
        fails
    }

    /// Drops parts of a list: large ones first.
    fn list<T>(&mut self, list: impl Fn(&mut Case) -> &mut Vec<T>) {
        let mut size = list(&mut self.case).len();
        while size > 0 {
            let mut at = 0;
            while at + size <= list(&mut self.case).len() {
                let dropped = self.change(|case| {
                    list(case).drain(at..at + size);
                });
                if !dropped {
                    at += size;
                }
            }
            size /= 2;
        }
    }

    /// Drops parts of a text, then makes its characters plain.
    fn text(&mut self, text: impl Fn(&mut Case) -> &mut String) {
        let set = |case: &mut Case, characters: &[char]| {
            *text(case) = characters.iter().collect();
        };
        let mut characters: Vec<char> = text(&mut self.case).chars().collect();
        let mut size = characters.len();
        while size > 0 {
            let mut at = 0;
            while at + size <= characters.len() {
                let mut fewer = characters.clone();
                fewer.drain(at..at + size);
                if self.change(|case| set(case, &fewer)) {
                    characters = fewer;
                } else {
                    at += size;
                }
            }
            size /= 2;
        }
        for at in 0..characters.len() {
            for plain in ['a', ' '] {
                let mut plainer = characters.clone();
                plainer[at] = plain;
                if characters[at] != 'a' && self.change(|case| set(case, &plainer)) {
                    characters = plainer;
                    break;
                }
            }
        }
    }
}
