//! Says, in debug builds with `std`, that a tokenizer was dropped without the end of its input.

/// Says once in a process that a tokenizer was dropped in the middle of a token. In other builds it does nothing.
#[derive(Debug)]
pub(crate) struct EndReminder {
    /// Where the tokenizer was made; `None` if its caller may stop anywhere.
    #[cfg(all(debug_assertions, feature = "std"))]
    made_at: Option<&'static core::panic::Location<'static>>,
    /// Whether a token would be lost now.
    #[cfg(all(debug_assertions, feature = "std"))]
    is_due: bool,
}

impl EndReminder {
    /// A reminder for a tokenizer that its caller makes.
    #[cfg_attr(all(debug_assertions, feature = "std"), track_caller)]
    pub(crate) const fn new() -> Self {
        Self {
            #[cfg(all(debug_assertions, feature = "std"))]
            made_at: Some(core::panic::Location::caller()),
            #[cfg(all(debug_assertions, feature = "std"))]
            is_due: false,
        }
    }

    /// None: the caller may stop anywhere.
    pub(crate) fn turn_off(&mut self) {
        #[cfg(all(debug_assertions, feature = "std"))]
        {
            self.made_at = None;
        }
    }

    /// Sets whether a token would be lost now.
    #[inline(always)]
    pub(crate) fn set(&mut self, is_due: bool) {
        #[cfg(all(debug_assertions, feature = "std"))]
        {
            self.is_due = is_due;
        }
        let _ = is_due;
    }
}

#[cfg(all(debug_assertions, feature = "std"))]
impl Drop for EndReminder {
    fn drop(&mut self) {
        static ONCE: std::sync::Once = std::sync::Once::new();
        if let Some(made_at) = self.made_at
            && self.is_due
            && !std::thread::panicking()
        {
            ONCE.call_once(|| {
                std::eprintln!(
                    "speclex: the tokenizer made at {made_at} was dropped in the middle of a token, which is lost: \
                     call `Tokenizer::end` where the input ends, or `reset` to drop the token. Debug builds say so once."
                );
            });
        }
    }
}
