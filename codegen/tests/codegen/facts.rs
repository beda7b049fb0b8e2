//! What is known along a path is not asked.

use speclex_codegen::charset::CharSet;
use speclex_codegen::machine::{Action, Guard, RegisterId};
use speclex_codegen::testing::{Happens, answer};

const N: RegisterId = RegisterId(0);

fn is(a: u32, b: u32) -> Guard {
    Guard::NumberIn(N, vec![(a, b)])
}

#[test]
fn what_was_answered_is_not_asked_again() {
    let mut happened = Vec::new();
    assert_eq!(answer(&happened, is(1, 5)), Err(is(1, 5)));
    happened.push(Happens::Answer(is(1, 5), true));
    assert_eq!(answer(&happened, is(0, 9)), Ok(true));
    assert_eq!(answer(&happened, is(6, 9)), Ok(false));
    happened.push(Happens::Answer(is(2, 3), false));
    assert_eq!(answer(&happened, is(3, 3)), Ok(false));
    assert_eq!(answer(&happened, is(4, 4)), Err(is(4, 4)));
    happened.push(Happens::Action(Action::SetNumber(N, 4)));
    assert_eq!(answer(&happened, is(4, 4)), Ok(true));
    happened.push(Happens::Action(Action::Increase(N)));
    assert_eq!(answer(&happened, is(4, 4)), Err(is(4, 4)));
}

#[test]
fn answers_about_the_input_hold() {
    let guard = Guard::CurrentIn(CharSet::single('x'));
    let no = Happens::Answer(Guard::Not(Box::new(guard.clone())), true);
    let both = Guard::Any(vec![guard, is(1, 1)]);
    assert_eq!(answer(&[no], both), Err(is(1, 1)));
}

#[test]
fn alternatives_become_one_question() {
    let any = Guard::Any(vec![is(4, 9), is(0, 3), Guard::StartTagEmitted]);
    let one = Guard::Any(vec![is(0, 9), Guard::StartTagEmitted]);
    assert_eq!(answer(&[], any), Err(one));
}
