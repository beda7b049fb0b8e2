//! Proofs that two machines do the same: for every input, every answer of the sink and every chunking the same tokens, errors
//! and places.
//!
//! Both machines are walked together, from one *pair of points* at which both wait for the same character to the next. A move
//! runs both on terms (`term`): what a place holds is written in terms of what was held at the start of the move and of the
//! characters read since. Whenever one of them asks what is not known, the way forks, for both alike (`known`); a set of
//! characters is cut by the question itself, so that nothing is ever a sample. At the end of each way both must have emitted equal
//! terms. What is kept from move to move is which places hold the same (`relation`).
//!
//! The search for a proof (`search`) finds a certificate, a relation for each pair of points, and `check` confirms it
//! without the search.

mod actions;
mod alike;
mod certificate;
mod check;
pub(crate) mod concrete;
mod guards;
mod known;
mod output;
mod outside;
mod places;
mod relation;
mod run;
mod search;
mod set;
mod side;
mod term;
mod values;
mod ways;
mod words;

use serde::Serialize;
use speclex_codegen::machine::Machine;

use crate::error_comparison::ErrorComparison;
use ways::{Both, Obstacle};

/// A proof that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How many pairs of points the two machines can be at together.
    pub pairs: usize,
}

/// Why two machines are not proven to do the same. They may do the same nevertheless.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unproved {
    /// The states of both in which it is not shown; none where the machines were not run.
    pub states: Option<[String; 2]>,
    /// The characters that come there, in words; empty for any.
    #[serde(rename = "on")]
    pub items: String,
    /// What is not shown, in words.
    pub obligation: String,
}

impl std::fmt::Display for Unproved {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some([one, other]) = &self.states {
            match one == other {
                true => write!(f, "in `{one}`")?,
                false => write!(f, "in `{one}` and `{other}`")?,
            }
            if !self.items.is_empty() {
                write!(f, " on {}", self.items)?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.obligation)
    }
}

/// Proves that two machines do the same.
///
/// # Errors
/// Where that is not shown, and what is missing.
pub fn prove(one: &Machine, other: &Machine, compared: ErrorComparison) -> Result<Proof, Unproved> {
    let machines = [one, other];
    if let Some(what) = outside::difference(machines, compared) {
        return Err(Unproved {
            states: None,
            items: String::new(),
            obligation: what.to_owned(),
        });
    }
    let both = Both::of(machines, compared);
    if alike::are_equal(machines, &both) {
        return Ok(Proof {
            pairs: one.states.len(),
        });
    }
    let unproved = |(states, obstacle): ([u32; 2], Obstacle)| Unproved {
        states: Some([0, 1].map(|side| {
            let state = machines[side].states.get(states[side] as usize);
            state.map_or(String::new(), |state| state.name.clone())
        })),
        items: obstacle.items,
        obligation: obstacle.what,
    };
    let certificate = search::certificate(&both).map_err(unproved)?;
    if !check::is_proof(&both, &certificate) {
        return Err(Unproved {
            states: None,
            items: String::new(),
            obligation: "the check of a proof failed".to_owned(),
        });
    }
    Ok(Proof {
        pairs: certificate.0.len(),
    })
}
