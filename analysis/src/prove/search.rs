//! Looks for a certificate: from the starts on, what is known at each pair of points is weakened until all ways keep it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap as HashMap;

use super::certificate::Certificate;
use super::ways::{Both, End, Obstacle, Pair};

/// More pairs of points than this are not followed.
const PAIRS: usize = 60_000;

struct Search {
    certificate: Certificate,
    /// Pairs from which the ways are to be followed, by the order in which they were met: what comes before is settled
    /// first.
    open: BTreeMap<usize, Pair>,
    order: HashMap<Pair, usize>,
}

/// A certificate that two machines do the same, or in which states that is not shown.
pub(super) fn certificate(both: &Both<'_>) -> Result<Certificate, ([u32; 2], Obstacle)> {
    let mut search = Search {
        certificate: Certificate::default(),
        open: BTreeMap::new(),
        order: HashMap::default(),
    };
    both.starts().into_iter().for_each(|end| search.add(end));
    while let Some((_, pair)) = search.open.pop_first() {
        let relation = &search.certificate.0[&pair];
        let followed = both.from(&pair, relation);
        let ends = match followed {
            Ok(ends) if search.certificate.0.len() <= PAIRS => ends,
            Ok(_) => {
                let what = "there are too many pairs of points".to_owned();
                let items = String::new();
                return Err((pair.states, Obstacle { items, what }));
            }
            Err(obstacle) => return Err((pair.states, obstacle)),
        };
        ends.into_iter().for_each(|end| search.add(end));
    }
    Ok(search.certificate)
}

impl Search {
    fn add(&mut self, end: End) {
        let End { pair, relation } = end;
        let met = match self.certificate.0.get(&pair) {
            Some(known) if *known == relation => return,
            Some(known) => {
                let met = known.meet(&relation);
                if met == *known {
                    return;
                }
                met
            }
            None => relation,
        };
        let next = self.order.len();
        let order = *self.order.entry(pair.clone()).or_insert(next);
        self.certificate.0.insert(pair.clone(), met);
        self.open.insert(order, pair);
    }
}
