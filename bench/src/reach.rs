//! What is asked of this project, and whether it is reached.

use crate::bounds;
use crate::code::{self, Cost};
use crate::heap::Heap;
use crate::ours::{self, style};
use crate::programs::Ratios;
use crate::rounds::SpeedUp;
use crate::speed::Class;
use crate::suite;
use crate::table::{Cell, Table};

/// All that was measured.
#[derive(Debug, Default)]
pub struct Measured {
    /// Speeds by class.
    pub classes: Vec<Class>,
    /// Ratios in several programs, when measured.
    pub ratios: Vec<Ratios>,
    /// Heaps, when measured.
    pub heaps: Vec<Heap>,
    /// Costs of compilation, when measured.
    pub costs: Vec<Cost>,
}

/// Names of contenders that rows are about.
#[cfg(feature = "peers")]
mod names {
    pub(super) use crate::csv::{CLASS as CSV, OURS as CSV_OURS, THEIRS as CSV_THEIRS};
    pub(super) use crate::peers::{
        HTML5EVER, HTML5GUM_DEFAULT, HTML5GUM_EMITTER, QUICK_XML_EVENTS, XML5EVER,
    };
}

const LEADER: &str = "html-living";

/// A row: at least and aim are smallest values, or largest ones.
struct Row {
    measure: String,
    at_least: f64,
    aim: f64,
    smaller_is_better: bool,
    /// What was measured; of ratios the median.
    value: Option<f64>,
    /// Of ratios that by each document's least time.
    by_best: Option<f64>,
}

impl Row {
    fn ratio(measure: impl Into<String>, at_least: f64, aim: f64, ratio: Option<SpeedUp>) -> Self {
        Self {
            measure: measure.into(),
            at_least,
            aim,
            smaller_is_better: false,
            value: ratio.map(|ratio| ratio.median),
            by_best: ratio.map(|ratio| ratio.least),
        }
    }

    fn at_most(measure: impl Into<String>, at_least: f64, aim: f64, value: Option<f64>) -> Self {
        Self {
            smaller_is_better: true,
            value,
            ..Self::ratio(measure, at_least, aim, None)
        }
    }

    fn verdict(&self) -> &'static str {
        let reaches = |value: f64, bound: f64| match self.smaller_is_better {
            true => value < bound,
            false => value >= bound,
        };
        let all = |bound| {
            let mut values = [self.value, self.by_best].into_iter().flatten();
            values.all(|value| reaches(value, bound))
        };
        let one = |value: Option<f64>| value.is_some_and(|value| reaches(value, self.at_least));
        match self.value {
            None => "not measured",
            Some(_) if all(self.aim) => "aim met",
            Some(_) if all(self.at_least) => "met",
            Some(_) if one(self.by_best) => "met by best",
            Some(_) if one(self.value) => "met by median",
            Some(_) => "NOT MET",
        }
    }

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(self.measure.as_str()),
            self.at_least.into(),
            self.aim.into(),
            self.value.into(),
            self.by_best.into(),
            self.verdict().into(),
        ]
    }
}

impl Measured {
    /// The table.
    pub fn table(&self) -> Table {
        let mut rows = self.against_html_peers();
        rows.push(Row::ratio(
            "web: fraction of the memchr2 bound",
            0.35,
            0.60,
            self.class("web")
                .and_then(|c| c.speed_up(c.leader, bounds::MEMCHR2)),
        ));
        rows.extend(self.among_ours());
        rows.extend(self.xml());
        rows.extend(self.csv());
        rows.extend(self.costs());
        Table {
            heading: "Reach".to_owned(),
            titles: vec![
                "measure", "at least", "aim", "measured", "by best", "verdict",
            ],
            rows: rows.iter().map(Row::cells).collect(),
        }
    }

    fn class(&self, name: &str) -> Option<&Class> {
        self.classes.iter().find(|class| class.name == name)
    }

    fn html(&self) -> impl Iterator<Item = &Class> {
        let is_html = |class: &&Class| class.leader.starts_with(LEADER);
        self.classes.iter().filter(is_html)
    }

    /// A row for each class.
    fn rows(&self, what: &str, one: &str, other: &str, at_least: f64, aim: f64) -> Vec<Row> {
        let row = |class: &Class| {
            let measure = format!("{}: {what}", class.name);
            Row::ratio(measure, at_least, aim, class.speed_up(one, other))
        };
        self.html().map(row).collect()
    }

    /// Classes and what the middle one of several programs says of a style, when they were asked.
    fn middles(&self, style: &str) -> impl Iterator<Item = (&'static str, SpeedUp)> {
        let of_style = self.ratios.iter().filter(move |r| r.style == style);
        of_style.map(|ratios| (ratios.class, ratios.middle()))
    }

    fn against_html_peers(&self) -> Vec<Row> {
        let leader = ours::name(LEADER, style::BORROWED);
        let mut rows = Vec::new();
        let mut against = |peer: &str, at_least: f64, aim: f64| {
            let what = format!("{LEADER} against {peer}");
            rows.extend(self.rows(&what, &leader, peer, at_least, aim));
        };
        #[cfg(feature = "peers")]
        against(names::HTML5GUM_EMITTER, 2.5, 4.0);
        against(suite::LEXBOR, 3.0, 4.5);
        #[cfg(feature = "peers")]
        against(names::HTML5EVER, 10.0, 20.0);
        #[cfg(feature = "peers")]
        for style in [style::COLLECTED] {
            let what = format!("{style} against html5gum's default tokens");
            let ours = ours::name(LEADER, style);
            rows.extend(self.rows(&what, &ours, names::HTML5GUM_DEFAULT, 4.0, 6.0));
        }
        rows
    }

    fn among_ours(&self) -> Vec<Row> {
        let leader = ours::name(LEADER, style::BORROWED);
        let mut rows = Vec::new();
        for (what, style, at_least, aim) in [
            (
                "parse errors on, against off",
                style::PARSE_ERRORS,
                0.97,
                1.0,
            ),
            ("4 KiB chunks against whole", style::CHUNKS, 0.93, 0.98),
            (
                "fully safe build against the default",
                style::SAFE,
                0.85,
                0.95,
            ),
        ] {
            let mut middles = self.middles(style).peekable();
            if middles.peek().is_none() {
                let ours = ours::name(LEADER, style);
                rows.extend(self.rows(what, &ours, &leader, at_least, aim));
            }
            rows.extend(middles.map(|(class, middle)| {
                let measure = format!("{class}: {what}, of programs the middle");
                Row::ratio(measure, at_least, aim, Some(middle))
            }));
        }
        let revisions: Vec<_> = self
            .html()
            .next()
            .into_iter()
            .flat_map(Class::names)
            .filter_map(|name| name.strip_suffix(style::BORROWED)?.strip_suffix(", "))
            .filter(|revision| *revision != LEADER)
            .collect();
        for revision in revisions {
            rows.extend(self.rows(
                &format!("{revision} against {LEADER}"),
                &ours::name(revision, style::BORROWED),
                &leader,
                0.9,
                1.0,
            ));
        }
        rows
    }

    #[cfg(feature = "peers")]
    fn xml(&self) -> Vec<Row> {
        let against = |peer: &str| self.class("xml").and_then(|c| c.speed_up(c.leader, peer));
        vec![
            Row::ratio(
                "xml: xml5 against quick-xml's events",
                1.5,
                3.0,
                against(names::QUICK_XML_EVENTS),
            ),
            Row::ratio(
                "xml: xml5 against xml5ever",
                10.0,
                20.0,
                against(names::XML5EVER),
            ),
        ]
    }

    #[cfg(not(feature = "peers"))]
    fn xml(&self) -> Vec<Row> {
        Vec::new()
    }

    #[cfg(feature = "peers")]
    fn csv(&self) -> Vec<Row> {
        let ratio = self
            .class(names::CSV)
            .and_then(|class| class.speed_up(names::CSV_OURS, names::CSV_THEIRS));
        vec![Row::ratio(
            "csv: the example's table against the crate",
            0.8,
            1.5,
            ratio,
        )]
    }

    #[cfg(not(feature = "peers"))]
    fn csv(&self) -> Vec<Row> {
        Vec::new()
    }

    fn costs(&self) -> Vec<Row> {
        let leader = ours::name(LEADER, style::BORROWED);
        let heap = self.heaps.iter().find(|heap| heap.name == leader);
        let name = format!("{LEADER}, {}", code::BORROWED);
        let cost = self.costs.iter().find(|cost| cost.name == name);
        vec![
            Row::at_most(
                "allocations on the largest page",
                50.0,
                10.0,
                heap.map(|heap| heap.allocations as f64),
            ),
            Row::at_most(
                "one tokenizer: release compile, CPU seconds",
                5.0,
                2.5,
                cost.map(|cost| cost.release.0),
            ),
            Row::at_most(
                "one tokenizer: machine code, KB",
                80.0,
                45.0,
                cost.and_then(|cost| cost.code)
                    .map(|bytes| bytes as f64 / 1000.0),
            ),
        ]
    }
}
