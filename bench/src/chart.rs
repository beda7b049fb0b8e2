//! `--write`: docs/benchmarks.md and its chart, from one run.

use std::fmt::Write;
use std::fs;
use std::io;

use crate::cargo;
use crate::table::Table;

/// The bars, with what they are called. All are of the class `web`.
const BARS: [(&str, &str); 6] = [
    ("html-living, borrowed", "Speclex, borrowed tokens"),
    ("html-living, iterator", "Speclex, owned tokens"),
    ("html5gum, own emitter", "html5gum, an emitter of ours"),
    ("html5gum, default tokens", "html5gum, its tokens"),
    ("lol_html, all handlers", "lol_html, all handlers"),
    ("html5ever", "html5ever, its tokenizer"),
];

const HEIGHT: usize = 26;
const LABEL: usize = 190;
const WIDTH: f64 = 380.0;

/// Writes the page and the chart. `tables`: a class and its speeds.
///
/// # Errors
/// When a file cannot be written.
pub fn write(tables: &[(&str, Table)]) -> io::Result<()> {
    let docs = cargo::root().join("docs");
    let mut page = "# Benchmarks\n\nWritten by `cargo xtask bench --peers --write`, with the chart of the README. All contenders run \
        side by side in one run on two\nvirtual cores of a shared machine: compare figures of one table only. Ratios are medians of \
        neighbouring runs.\n[How it is measured](performance.md#how-to-measure).\n\n*Borrowed* tokens point into the input, *owned* \
        ones have strings of their own; *collected* ones are in a `Collector`. *Markup alone*\ntakes the content of `<script>` for \
        markup, too; *bytes* come through `feed_bytes`. *Own emitter*: tokens go to an emitter that we\nwrote, as html5gum lets one. \
        The *bound* only looks for two characters.\n"
        .to_owned();
    for (_, table) in tables {
        write!(page, "\n{}", table.to_string().replacen("###", "##", 1)).expect("a string");
    }
    fs::write(docs.join("benchmarks.md"), page)?;
    let web = tables.iter().find(|(class, _)| *class == "web");
    match web {
        Some((_, table)) => fs::write(docs.join("pictures/speed.svg"), chart(table)),
        None => Ok(()),
    }
}

/// Bars of megabytes a second.
fn chart(table: &Table) -> String {
    let speed = |name: &str| {
        let row = table.rows.iter().find(|row| row[0] == name)?;
        Some((row[1].clone(), row[1].parse::<f64>().ok()?))
    };
    let bars: Vec<_> = (BARS.iter())
        .filter_map(|(name, label)| Some((label, speed(name)?)))
        .collect();
    let most = bars
        .iter()
        .map(|(_, (_, value))| *value)
        .fold(1.0, f64::max);
    let height = (bars.len() + 1) * HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 {height}\" width=\"640\" height=\"{height}\" role=\"img\">\n\
         <title>Megabytes of HTML tokenized in a second, on 143 web pages</title>\n\
         <style>text{{font:13px sans-serif;fill:#24292f}}rect{{fill:#8c959f}}.ours{{fill:#0969da}}\
         @media(prefers-color-scheme:dark){{text{{fill:#e6edf3}}rect{{fill:#6e7681}}.ours{{fill:#4493f8}}}}</style>\n\
         <text x=\"0\" y=\"16\">MB of HTML a second, 143 web pages, one core</text>\n"
    );
    for (index, (label, (shown, value))) in bars.iter().enumerate() {
        let y = (index + 1) * HEIGHT;
        let width = (value / most * WIDTH).max(1.0);
        let class = if label.starts_with("Speclex") {
            " class=\"ours\""
        } else {
            ""
        };
        let end = LABEL as f64 + width + 6.0;
        writeln!(
            svg,
            "<text x=\"0\" y=\"{text}\">{label}</text><rect x=\"{LABEL}\" y=\"{y}\" width=\"{width:.0}\" height=\"18\"{class}/>\
             <text x=\"{end:.0}\" y=\"{text}\">{shown}</text>",
            text = y + 14,
        )
        .expect("a string");
    }
    svg + "</svg>\n"
}
