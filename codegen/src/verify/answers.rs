//! A sink answers once on a path: two answers may want different things.

use crate::check::model::Checked;
use crate::diagnostic::{Code, Faults};
use crate::lower::Lowered;
use crate::lower::traced::{Body, End};
use crate::machine::Action;

pub(super) fn check(checked: &Checked, lowered: &Lowered, faults: &mut Faults) {
    let tokens = &checked.vocabulary.tokens;
    let answers = |action: &Action| match action {
        Action::Emit(token) => {
            let kinds = &tokens[token.0 as usize].kinds;
            kinds.iter().any(|kind| kind.answers)
        }
        _ => false,
    };
    for body in lowered.states.iter().flat_map(|state| state.bodies()) {
        path(body, false, &answers, faults);
    }
}

fn path(body: &Body, mut answered: bool, answers: &impl Fn(&Action) -> bool, faults: &mut Faults) {
    for (_, span) in body.actions.iter().filter(|(action, _)| answers(action)) {
        if std::mem::replace(&mut answered, true) {
            let message = "the sink has answered to a token on this path already";
            faults
                .add(Code::MisplacedPhrase, *span, message)
                .help("emit this token in a state of its own, to which the path leads");
        }
    }
    if let End::If {
        then, otherwise, ..
    } = &body.end
    {
        path(then, answered, answers, faults);
        path(otherwise, answered, answers, faults);
    }
}
