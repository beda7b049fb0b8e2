//! Selects in the pages of a folder, with this crate or with scraper, for callgrind: see docs/performance.md.

use std::hint::black_box;

const SELECTORS: &[&str] = &[
    "a[href]",
    "div.content > p",
    "#main",
    "ul li a",
    "li:nth-child(2n+1)",
    "h2 + p",
    "div:not(.x) span",
    ":is(h1, h2, h3)",
    "p:has(a)",
    "table tr:last-child td",
    "[class*=nav]",
    "div > div > div",
    "p ~ p",
    "img[src$=\".png\" i]",
    "*",
];

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, library] = arguments.as_slice() else {
        return eprintln!("usage: speed FOLDER speclex|scraper|none");
    };
    let files = std::fs::read_dir(folder).expect("a folder").flatten();
    let mut paths: Vec<_> = files.map(|it| it.path()).collect();
    paths.sort();
    let mut found = 0;
    for path in paths.iter().step_by(12) {
        let Ok(page) = std::fs::read_to_string(path) else {
            continue;
        };
        let (dom, html) = (speclex::parse(&page), scraper::Html::parse_document(&page));
        for selector in SELECTORS {
            found += match library.as_str() {
                "speclex" => speclex_select::Select::select(&dom, selector)
                    .expect("right")
                    .len(),
                "scraper" => {
                    let selector = scraper::Selector::parse(selector).expect("right");
                    html.select(&selector).map(black_box).count()
                }
                _ => 0,
            };
        }
    }
    println!("{library}: {found} elements");
}
