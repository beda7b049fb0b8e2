//! The contract between a generated machine and the driver.

use core::fmt::Debug;
use core::hash::Hash;

use crate::core::{Core, Events};
use crate::held::Held;
use crate::input::Input;
use crate::span::ErrorCode;

/// The version of this contract. Generated code states the one that it was made for.
pub const FORMAT: u32 = 7;

/// Fails to compile unless generated code and runtime agree on the contract.
#[track_caller]
pub const fn assert_format(made_for: u32) {
    assert!(
        made_for == FORMAT,
        "this tokenizer was generated for another version of the `speclex` runtime: \
         run the generator again (`speclex gen`, or `cargo xtask gen` in the repository), \
         or use the `speclex` version that the generator belongs to"
    );
}

/// A state and the position of its next input character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<State> {
    /// The state.
    pub state: State,
    /// The position.
    pub at: usize,
}

impl<State> Step<State> {
    /// Goes to a state with the next input character at `at`.
    #[inline(always)]
    pub const fn to(state: State, at: usize) -> Self {
        Self { state, at }
    }
}

/// The same value, of which the compiler knows nothing any more.
///
/// Comparisons of a value, one after the other, become one jump by table. Where one value is by far the likeliest, a
/// comparison of its own is shorter, easier to foresee and does not depend on where in memory the jump comes to stand:
/// what comes after it asks for the value that this returns.
#[inline(always)]
pub fn opaque<T>(value: T) -> T {
    core::hint::black_box(value)
}

/// A generated machine.
pub trait Machine {
    /// Its states.
    type State: Copy + Eq + Hash + Debug;
    /// The contents that the outside may name.
    type Content: Copy;
    /// The sink behind the events.
    type Sink;
    /// The events.
    type Events: Events;
    /// The registers on which the rest of the stream depends between two tokens, beside the state.
    type Registers: Clone + Eq + Hash + Debug;

    /// Whether one leading U+FEFF is dropped.
    const DROP_BOM: bool;
    /// The texts of which it may ask whether they were consumed last.
    const LOOKED_BEHIND: &'static [&'static str];
    /// Whether it asks for the name of the last start tag.
    const ASKS_START_TAG: bool;

    /// A machine in its initial configuration.
    fn new(sink: Self::Sink) -> Self;

    /// Back to the initial configuration. What was allocated is kept.
    fn reset(&mut self);

    /// The sink.
    fn sink(&mut self) -> &mut Self::Sink;

    /// The sink, at the end.
    fn into_sink(self) -> Self::Sink;

    /// The common part.
    fn core(&mut self) -> &mut Core<Self::Events>;

    /// The state to start in.
    fn initial() -> Self::State;

    /// Sets registers for a content and returns its state; `None` if the table has no entry for it.
    fn enter(&mut self, content: Self::Content) -> Option<Self::State>;

    /// Runs from a state until more input is needed or there is a pause. Returns the state to go on
    /// with and the position.
    fn run(&mut self, input: Input<'_>, from: Step<Self::State>) -> Step<Self::State>;

    /// Where the input that is still needed starts when the run stopped at `step`: in front of it if the
    /// state may put characters back.
    fn keep(&mut self, step: Step<Self::State>) -> usize {
        step.at
    }

    /// What the state does at the end of the input; returns where to go on, `None` after the
    /// end-of-file token.
    fn at_end(&mut self, input: Input<'_>, from: Step<Self::State>) -> Option<Step<Self::State>>;

    /// Makes what is used from `state` on independent of the input: tokens under construction and registers. Counts
    /// how much that is.
    fn detach(&mut self, input: Input<'_>, state: Self::State, held: &mut Held);

    /// Whether tokens start where the state is left, and not before.
    fn is_content(state: Self::State) -> bool;

    /// What decides how it goes on from a state, if that does not depend on a token under construction. All else has initial values.
    /// It must be independent of the input.
    fn registers(&self, state: Self::State) -> Option<Self::Registers>;

    /// Sets what decides how it goes on.
    fn set_registers(&mut self, registers: &Self::Registers);

    /// The first error of the input stream in `text` at or after `from`: where its character is, and its code.
    fn input_error(text: &str, from: usize) -> Option<(usize, ErrorCode)>;
}

/// A generated machine that can go on with a sink of type `T`.
pub trait Exchange<T>: Machine {
    /// The machine with that sink.
    type With: Machine<State = Self::State, Content = Self::Content, Registers = Self::Registers, Sink = T>;

    /// The machine with another sink, and the sink that it had.
    fn exchange(self, sink: T) -> (Self::With, Self::Sink);
}
