//! Walks two interpreters together, as a proof does two machines, and looks at each pair of points whether what the proof
//! says there is true.

use std::ops::Range;

use speclex_codegen::machine::{Action, Body, Machine, Next, StateId, StateKind};

use crate::error_comparison::ErrorComparison;
use crate::interpreter::{Answer, Fault, Host, Interpreter};
use crate::prove::concrete::Claims;
use crate::token::{Output, Token};

/// A run of more moves than this is not looked at further.
const MOVES: usize = 2_000;

/// A proof of which it is to be seen whether what it says is true.
#[derive(Debug)]
pub struct Claimed<'m> {
    machines: [&'m Machine; 2],
    claims: Claims<'m>,
}

/// Acts on an interpreter from outside.
pub type ActOn<'a, 'm, H> = &'a dyn Fn(&mut Interpreter<'m, Watched<H>>) -> Result<(), Fault>;

/// A host, watched.
#[derive(Debug)]
pub struct Watched<H> {
    /// The host.
    pub host: H,
    /// Where the body of each match stands.
    matched: Vec<usize>,
    move_: Move,
}

/// What was done in a move.
#[derive(Debug, Default)]
struct Move {
    /// The host was asked about a token.
    is_asked: bool,
    /// The mark was set in this move, or where it began.
    has_mark: bool,
    /// The input was put back to a mark of an earlier move.
    is_back: bool,
    /// The step matched a name.
    has_matched: bool,
    /// The names of references that were matched, by where they begin.
    names: Vec<u64>,
}

impl<H: Host> Host for Watched<H> {
    fn emitted(&mut self, token: &Token) -> Answer {
        self.move_.is_asked = true;
        self.host.emitted(token)
    }

    fn token(&mut self, token: &Token, span: &Range<u64>) {
        self.host.token(token, span);
    }

    fn text(&mut self, text: &str, span: &Range<u64>) {
        self.host.text(text, span);
    }

    fn question(&mut self, question: &str) -> bool {
        self.host.question(question)
    }

    fn reached(&mut self, _: StateId, body: &Body, _: Option<char>) {
        let done = &mut self.move_;
        done.has_matched |= self.matched.contains(&std::ptr::from_ref(body).addr());
        for action in &body.actions {
            match action {
                Action::Mark => done.has_mark = !done.is_back,
                Action::Rewind => done.is_back |= !std::mem::take(&mut done.has_mark),
                _ => {}
            }
        }
        if let Next::Go {
            reconsume: true, ..
        } = body.next
        {
            done.is_back = false;
        }
    }
}

/// What a run has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How many moves were made.
    pub moves: usize,
    /// How often the outside was asked.
    pub pauses: usize,
}

impl<'m> Claimed<'m> {
    /// The proof that two machines do the same, if there is one.
    pub fn of(machines: [&'m Machine; 2], compared: ErrorComparison) -> Option<Self> {
        let claims = Claims::of(machines, compared)?;
        Some(Self { machines, claims })
    }

    /// Runs both on an input, from where `begin` leaves them; `pause` acts on them where the outside may.
    ///
    /// # Errors
    /// What the proof says that is not true.
    pub fn walk<H: Host>(
        &self,
        hosts: [H; 2],
        input: &str,
        begin: ActOn<'_, 'm, H>,
        pause: ActOn<'_, 'm, H>,
    ) -> Result<Seen, String> {
        let [one, other] = hosts;
        let [of_one, of_other] = self.machines;
        let mut runs = [watched(of_one, one), watched(of_other, other)];
        for run in &mut runs {
            begin(run).map_err(|fault| fault.to_string())?;
            run.push(input);
            run.push_end();
        }
        let mut outputs = [Output::default(), Output::default()];
        let mut seen = Seen::default();
        while seen.moves < MOVES {
            let marks = self.claims.holding(&runs)?;
            for (run, has_mark) in runs.iter_mut().zip(marks) {
                run.host().move_ = Move {
                    has_mark,
                    ..Move::default()
                };
            }
            seen.moves += 1;
            if self.advance(&mut runs).is_err() {
                // A machine of no table, which goes round in circles.
                return Ok(seen);
            }
            for (run, output) in runs.iter_mut().zip(&mut outputs) {
                let more = run.take_output();
                output.tokens.extend(more.tokens);
                *output = std::mem::take(output).coalesced();
            }
            if outputs[0].tokens != outputs[1].tokens {
                return Err(format!("other tokens came out: {outputs:?}"));
            }
            let [one, other] = runs
                .each_ref()
                .map(|run| (run.state().is_none(), run.offset()));
            if one != other {
                return Err(format!("one is at {one:?}, the other one at {other:?}"));
            }
            if one.0 {
                return Ok(seen);
            }
            let [one, other] = runs.each_mut().map(|run| run.host().move_.is_asked);
            if one != other {
                return Err("only one asks the outside".to_owned());
            }
            if one {
                seen.pauses += 1;
                for run in &mut runs {
                    pause(run).map_err(|fault| fault.to_string())?;
                }
            }
        }
        Ok(seen)
    }

    /// Runs both until they wait for the same item.
    fn advance<H: Host>(&self, runs: &mut [Interpreter<'m, Watched<H>>; 2]) -> Result<(), Fault> {
        let mut target = runs[0].offset() + 1;
        loop {
            let mut all_wait = true;
            let mut furthest = target;
            for (run, machine) in runs.iter_mut().zip(self.machines) {
                if !to(run, machine, target)? {
                    furthest = furthest.max(run.offset());
                    target = furthest;
                }
            }
            for (run, machine) in runs.iter_mut().zip(self.machines) {
                all_wait &= is_over(run, machine) || run.offset() == target;
            }
            if all_wait {
                return Ok(());
            }
        }
    }
}

fn watched<'m, H: Host>(machine: &'m Machine, host: H) -> Interpreter<'m, Watched<H>> {
    let bodies = machine.states.iter().filter_map(|state| match &state.kind {
        StateKind::Match { matched, .. } => Some(std::ptr::from_ref(matched).addr()),
        StateKind::Consume(_) | StateKind::Steps(_) => None,
    });
    let host = Watched {
        host,
        matched: bodies.collect(),
        move_: Move::default(),
    };
    Interpreter::with_host(machine, host)
}

/// Whether a move ends here, whatever comes next.
fn is_over<H: Host>(run: &mut Interpreter<'_, Watched<H>>, machine: &Machine) -> bool {
    let Some(state) = run.state() else {
        return true;
    };
    let here = run.offset();
    let reads = matches!(machine.states[state.0 as usize].kind, StateKind::Consume(_));
    let done = &run.host().move_;
    // A name that was put back is read letter by letter now.
    done.is_asked || done.is_back || reads && done.names.contains(&here)
}

/// Runs until input at `target` or behind it is to be read, or the move is over; whether it is.
fn to<H: Host>(
    run: &mut Interpreter<'_, Watched<H>>,
    machine: &Machine,
    target: u64,
) -> Result<bool, Fault> {
    while !is_over(run, machine) {
        let state = run.state().map_or(0, |state| state.0 as usize);
        let waits = !matches!(machine.states[state].kind, StateKind::Steps(_));
        let here = run.offset();
        if waits && here >= target {
            return Ok(false);
        }
        run.step()?;
        let done = &mut run.host().move_;
        if std::mem::take(&mut done.has_matched) {
            done.names.push(here);
        }
    }
    Ok(true)
}
