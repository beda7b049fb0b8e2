//! Crates of ports.tsv as published and with one dependency changed, side by side on pages. `ports.sh --speed` builds it.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

/// Does something with a page; a number that shows that both crates did the same.
type Work = fn(&str) -> usize;

/// How often both run on all pages of a class.
const ROUNDS: usize = 15;

const CLASSES: [&str; 4] = ["web", "docs", "intl", "big"];

/// The same work with two crates, in both of which it knows the crate as `it`.
macro_rules! sides {
    ($published:ident, $ported:ident, $($work:tt)*) => {
        [
            {
                use $published as it;
                $($work)*
            },
            {
                use $ported as it;
                $($work)*
            },
        ]
    };
}

fn works() -> Vec<(&'static str, [Work; 2])> {
    let mut all: Vec<(&'static str, [Work; 2])> = Vec::new();
    #[cfg(feature = "scraper")]
    all.push((
        "scraper, `Html::parse_document`",
        sides!(published_scraper, ported_scraper, |page| {
            it::Html::parse_document(page).tree.values().count()
        }),
    ));
    #[cfg(feature = "ammonia")]
    {
        all.push((
            "ammonia, `clean`",
            sides!(published_ammonia, ported_ammonia, |page| it::clean(page)
                .len()),
        ));
        all.push((
            "ammonia, `is_html`",
            sides!(published_ammonia, ported_ammonia, |page| usize::from(
                it::is_html(page)
            )),
        ));
    }
    #[cfg(feature = "html2text")]
    {
        all.push((
            "html2text, `Config::parse_html`",
            sides!(published_html2text, ported_html2text, |page| {
                usize::from(it::config::plain().parse_html(page.as_bytes()).is_ok())
            }),
        ));
        all.push((
            "html2text, `from_read`",
            sides!(published_html2text, ported_html2text, |page| {
                it::from_read(page.as_bytes(), 80).map_or(0, |text| text.len())
            }),
        ));
    }
    #[cfg(feature = "kuchikiki")]
    all.push((
        "kuchikiki, `parse_html`",
        sides!(published_kuchikiki, ported_kuchikiki, |page| {
            use it::traits::TendrilSink;
            it::parse_html()
                .one(page)
                .document_node
                .descendants()
                .count()
        }),
    ));
    all
}

/// The time that work on all pages takes, and what it comes to.
fn time(work: Work, pages: &[String]) -> (Duration, usize) {
    let start = Instant::now();
    let sum = pages.iter().map(|page| work(black_box(page))).sum();
    (start.elapsed(), sum)
}

/// How many times as fast the second side is: the median of ratios of runs next to each other.
fn ratio([published, ported]: [Work; 2], pages: &[String]) -> f64 {
    let mut ratios: Vec<f64> = Vec::new();
    for _ in 0..ROUNDS {
        let [(slow, one), (fast, other)] = [published, ported].map(|work| time(work, pages));
        assert_eq!(one, other, "both do the same");
        ratios.push(slow.as_secs_f64() / fast.as_secs_f64());
    }
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_default();
    let mut classes = Vec::new();
    for class in CLASSES {
        let files = fs::read_dir(Path::new(&folder).join(class))?;
        let mut paths = files
            .map(|file| Ok(file?.path()))
            .collect::<std::io::Result<Vec<_>>>()?;
        paths.sort();
        classes.push(
            paths
                .iter()
                .map(fs::read_to_string)
                .collect::<std::io::Result<Vec<_>>>()?,
        );
    }
    println!("| | {} |\n|---|--:|--:|--:|--:|", CLASSES.join(" | "));
    for (name, sides) in works() {
        let ratios = classes
            .iter()
            .map(|pages| format!("{:.2}", ratio(sides, pages)));
        println!("| {name} | {} |", ratios.collect::<Vec<_>>().join(" | "));
    }
    Ok(())
}
