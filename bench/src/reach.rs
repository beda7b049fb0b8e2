//! What is asked of this project, and whether it is reached.

use crate::bounds;
use crate::code::{self, Cost};
use crate::heap::Heap;
use crate::ours::{self, style};
use crate::speed::Class;
use crate::suite;
use crate::table::{Cell, Table};

/// All that was measured.
#[derive(Debug, Default)]
pub struct Measured {
    /// Speeds by class.
    pub classes: Vec<Class>,
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
    value: Option<f64>,
}

impl Row {
    fn new(measure: impl Into<String>, at_least: f64, aim: f64, value: Option<f64>) -> Self {
        Self {
            measure: measure.into(),
            at_least,
            aim,
            smaller_is_better: false,
            value,
        }
    }

    fn at_most(measure: impl Into<String>, at_least: f64, aim: f64, value: Option<f64>) -> Self {
        Self {
            smaller_is_better: true,
            ..Self::new(measure, at_least, aim, value)
        }
    }

    fn verdict(&self) -> &'static str {
        let reaches = |value: f64, bound: f64| match self.smaller_is_better {
            true => value < bound,
            false => value >= bound,
        };
        match self.value {
            None => "not measured",
            Some(value) if reaches(value, self.aim) => "aim met",
            Some(value) if reaches(value, self.at_least) => "met",
            Some(_) => "NOT MET",
        }
    }

    fn cells(&self) -> Vec<Cell> {
        vec![
            Cell::from(self.measure.as_str()),
            self.at_least.into(),
            self.aim.into(),
            self.value.into(),
            self.verdict().into(),
        ]
    }
}

impl Measured {
    /// The table.
    pub fn table(&self) -> Table {
        let mut rows = self.against_html_peers();
        rows.push(Row::new(
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
            titles: vec!["measure", "at least", "aim", "measured", "verdict"],
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

    /// The class in which one is slowest compared with the other.
    fn worst(&self, one: &str, other: &str) -> Option<(&'static str, f64)> {
        self.html()
            .filter_map(|class| Some((class.name, class.speed_up(one, other)?)))
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
    }

    /// A row about the class in which one is slowest compared with the other.
    fn worst_row(&self, what: &str, one: &str, other: &str, at_least: f64, aim: f64) -> Row {
        let worst = self.worst(one, other);
        let class = worst.map_or("html", |(class, _)| class);
        Row::new(
            format!("{class} (the worst class): {what}"),
            at_least,
            aim,
            worst.map(|(_, value)| value),
        )
    }

    fn against_html_peers(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut against = |peer: &str, at_least: f64, aim: f64| {
            for class in self.html() {
                let measure = format!("{}: {LEADER} against {peer}", class.name);
                rows.push(Row::new(
                    measure,
                    at_least,
                    aim,
                    class.speed_up(class.leader, peer),
                ));
            }
        };
        #[cfg(feature = "peers")]
        against(names::HTML5GUM_EMITTER, 2.5, 4.0);
        against(suite::LEXBOR, 3.0, 4.5);
        #[cfg(feature = "peers")]
        against(names::HTML5EVER, 10.0, 20.0);
        #[cfg(feature = "peers")]
        rows.push(self.worst_row(
            "owned tokens against html5gum's",
            &ours::name(LEADER, style::OWNED),
            names::HTML5GUM_DEFAULT,
            4.0,
            6.0,
        ));
        #[cfg(feature = "peers")]
        rows.push(self.worst_row(
            "owned tokens in a batch against html5gum's default tokens",
            &ours::name(LEADER, style::BATCH),
            names::HTML5GUM_DEFAULT,
            4.0,
            6.0,
        ));
        rows
    }

    fn among_ours(&self) -> Vec<Row> {
        let leader = ours::name(LEADER, style::BORROWED);
        let mut rows = vec![
            self.worst_row(
                "parse errors on, against off",
                &ours::name(LEADER, style::PARSE_ERRORS),
                &leader,
                0.97,
                1.0,
            ),
            self.worst_row(
                "4 KiB chunks against whole",
                &ours::name(LEADER, style::CHUNKS),
                &leader,
                0.93,
                0.98,
            ),
            self.worst_row(
                "fully safe build against the default",
                &ours::name(LEADER, style::SAFE),
                &leader,
                0.85,
                0.95,
            ),
        ];
        let revisions: Vec<_> = self
            .html()
            .next()
            .into_iter()
            .flat_map(Class::names)
            .filter_map(|name| name.strip_suffix(style::BORROWED)?.strip_suffix(", "))
            .filter(|revision| *revision != LEADER)
            .collect();
        for revision in revisions {
            rows.push(self.worst_row(
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
            Row::new(
                "xml: xml5 against quick-xml's events",
                1.5,
                3.0,
                against(names::QUICK_XML_EVENTS),
            ),
            Row::new(
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
        vec![Row::new(
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
