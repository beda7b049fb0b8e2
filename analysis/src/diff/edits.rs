//! What differs between two arms, as it is written: a question that is another one, or steps, each once.
//!
//! The ways through two arms say the same of each way: one word in a question makes all of them differ.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Body, Guard, Next, Target};

use super::arms::{Case, case, same, ways};
use super::wording::beside;
use crate::error_comparison::ErrorComparison;
use crate::paths::answer;
use crate::spelling::Spelling;

/// An arm of a table as it is said, and under the numbering that both tables share.
#[derive(Clone, Copy)]
pub(super) struct Arm<'m> {
    pub(super) said: &'m Body,
    pub(super) numbered: &'m Body,
}

/// Two arms that are compared.
pub(super) struct Edits<'m, 's> {
    spellings: [&'s Spelling<'m>; 2],
    on: Option<&'s CharSet>,
    compared: ErrorComparison,
    /// What each edit removes and adds, and the case in which it was met first.
    found: Vec<([Vec<String>; 2], [Case; 2])>,
}

impl<'m, 's> Edits<'m, 's> {
    /// The cases of two arms that differ; none if the arms ask in another order.
    pub(super) fn of(
        spellings: [&'s Spelling<'m>; 2],
        arms: [Arm<'_>; 2],
        on: Option<&'s CharSet>,
        compared: ErrorComparison,
    ) -> Option<[Vec<Case>; 2]> {
        let mut edits = Self {
            spellings,
            on,
            compared,
            found: Vec::new(),
        };
        edits.walk(arms, &[Vec::new(), Vec::new()])?;
        let (ours, theirs) = edits.found.into_iter().map(|(_, [a, b])| (a, b)).unzip();
        Some([ours, theirs])
    }

    fn walk(&mut self, arms: [Arm<'_>; 2], when: &[Vec<String>; 2]) -> Option<()> {
        let [ours, theirs] = arms.map(|arm| arm.numbered);
        let all_steps = || arms.map(|arm| arm.said.actions.as_slice());
        let [next, other] = [&ours.next, &theirs.next];
        if let [Next::Go { .. }, Next::Go { .. }] = [next, other] {
            if !self.is_same(ours, theirs) {
                let ends = [0, 1].map(|side| self.ends(side, arms[side].said));
                self.add_steps(all_steps(), ends, when);
            }
            return Some(());
        }
        if !self.is_same(&steps(ours), &steps(theirs)) {
            self.add_steps(all_steps(), Default::default(), when);
        }
        let [one, two] = arms.map(Branches::of);
        let (one, two) = (one?, two?);
        let said = [one.asked.said, two.asked.said];
        if one.asked.numbered == two.asked.numbered {
            let known = self.on.and_then(|set| answer(one.asked.numbered, set));
            return self.branches([&one, &two], when, known);
        }
        // The same, whatever it is that is asked; or the other way round.
        let leads = |answer| [one.on(true), two.on(answer), one.on(false), two.on(!answer)];
        let is_same = |answer: &bool| {
            let [a, b, c, d] = leads(*answer).map(|arm| arm.numbered);
            self.is_same(a, b) && self.is_same(c, d)
        };
        let same = [true, false].into_iter().find(is_same);
        let answers = [true, same.unwrap_or(true)];
        let leads = [one.on(true).said, two.on(answers[1]).said];
        let cases = [0, 1].map(|side| {
            let questions = self.parts(side, said[side], answers[side]);
            Case {
                when: [when[side].clone(), questions].concat(),
                target: self.ends(side, leads[side]),
                ..case(self.spellings[side], leads[side].actions.iter())
            }
        });
        let edit = [0, 1].map(|side| vec![self.spellings[side].guard(said[side])]);
        self.add(edit, cases);
        match same {
            Some(_) => Some(()),
            None => self.branches([&one, &two], when, None),
        }
    }

    /// What follows a question, with the answer if that is known.
    fn branches(
        &mut self,
        both: [&Branches<'_>; 2],
        when: &[Vec<String>; 2],
        known: Option<bool>,
    ) -> Option<()> {
        for answer in [true, false] {
            let mut when = when.clone();
            match known {
                Some(known) if known != answer => continue,
                Some(_) => {}
                None => (0..2).for_each(|side| {
                    when[side].extend(self.parts(side, both[side].asked.said, answer));
                }),
            }
            self.walk(both.map(|it| it.on(answer)), &when)?;
        }
        Some(())
    }

    /// A question with its answer, as what holds: each part of a question of which all must hold.
    fn parts(&self, side: usize, guard: &Guard, answer: bool) -> Vec<String> {
        let spelling = self.spellings[side];
        match (guard, answer) {
            (Guard::All(parts), true) => parts.iter().map(|it| spelling.guard(it)).collect(),
            (Guard::Not(guard), false) => vec![spelling.guard(guard)],
            (_, true) => vec![spelling.guard(guard)],
            (_, false) => vec![spelling.negated(guard)],
        }
    }

    /// Where a body leads, or that more is asked.
    fn ends(&self, side: usize, body: &Body) -> String {
        match &body.next {
            Next::Go { target, reconsume } => self.spellings[side].target(*target, *reconsume),
            Next::If { .. } => "…".to_owned(),
        }
    }

    fn add_steps(&mut self, steps: [&[Action]; 2], ends: [String; 2], when: &[Vec<String>; 2]) {
        let mut ends = ends.into_iter();
        let cases = [0, 1].map(|side| Case {
            when: when[side].clone(),
            target: ends.next().unwrap_or_default(),
            ..case(self.spellings[side], steps[side].iter())
        });
        let lines = cases.each_ref().map(Case::steps);
        let edit = [0, 1].map(|side| {
            let lines = beside(&lines[side], &lines[1 - side], self.compared).into_iter();
            let own = lines.filter(|(_, is_both)| !is_both);
            own.map(|(line, _)| line.to_owned()).collect()
        });
        self.add(edit, cases);
    }

    fn is_same(&self, one: &Body, other: &Body) -> bool {
        let [one, other] = [one, other].map(|body| ways(body, self.on));
        same(&one, &other, self.compared)
    }

    fn add(&mut self, edit: [Vec<String>; 2], cases: [Case; 2]) {
        match self.found.iter_mut().find(|(known, _)| *known == edit) {
            Some((_, known)) => known.iter_mut().for_each(|case| case.more += 1),
            None => self.found.push((edit, cases)),
        }
    }
}

/// A body without what comes after its steps.
fn steps(body: &Body) -> Body {
    let next = Next::Go {
        target: Target::End,
        reconsume: false,
    };
    let actions = body.actions.clone();
    Body { actions, next }
}

struct Question<'m> {
    said: &'m Guard,
    numbered: &'m Guard,
}

/// A question, and what follows it.
struct Branches<'m> {
    asked: Question<'m>,
    then: Arm<'m>,
    otherwise: Arm<'m>,
}

impl<'m> Branches<'m> {
    fn of(arm: Arm<'m>) -> Option<Self> {
        fn parts(body: &Body) -> Option<(&Guard, &Body, &Body)> {
            match &body.next {
                Next::If {
                    guard,
                    then,
                    otherwise,
                } => Some((guard, then, otherwise)),
                Next::Go { .. } => None,
            }
        }
        let (said, numbered) = (parts(arm.said)?, parts(arm.numbered)?);
        let arm = |said, numbered| Arm { said, numbered };
        Some(Self {
            asked: Question {
                said: said.0,
                numbered: numbered.0,
            },
            then: arm(said.1, numbered.1),
            otherwise: arm(said.2, numbered.2),
        })
    }

    fn on(&self, answer: bool) -> Arm<'m> {
        match answer {
            true => self.then,
            false => self.otherwise,
        }
    }
}
