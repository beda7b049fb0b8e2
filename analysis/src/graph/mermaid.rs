//! The diagram for Mermaid, as a flowchart.

use std::fmt::Write;

use speclex_codegen::escape::is_control;

use super::sheet::{Sheet, StateBox};
use crate::text::wrapped;

/// How long a line of a label may be.
const WIDE: usize = 44;

/// Writes it.
pub(super) fn mermaid(sheet: &Sheet) -> String {
    let mut out = String::new();
    // A String takes everything.
    let _ = write_sheet(&mut out, sheet);
    out
}

fn write_sheet(out: &mut String, sheet: &Sheet) -> std::fmt::Result {
    writeln!(out, "---\ntitle: {}\n---", yaml(&sheet.title))?;
    writeln!(out, "flowchart LR")?;
    let mut errors = Vec::new();
    let mut entries = Vec::new();
    let mut count = 0;
    for (index, panel) in sheet.panels.iter().enumerate() {
        let nested = !panel.name.is_empty();
        if nested {
            let title = escaped(&format!("{} {}s", panel.name, sheet.called));
            writeln!(out, "subgraph g{index} [\"{title}\"]\ndirection TB")?;
        }
        for made in &panel.boxes {
            writeln!(out, "s{}[\"{}\"]", made.state, label(made))?;
            if !made.entries.is_empty() || made.chosen {
                entries.push(format!("s{}", made.state));
            }
        }
        for line in &panel.lines {
            let ends = [line.from, line.to].map(|end| panel.boxes.get(end).map(|b| b.state));
            let [Some(from), Some(to)] = ends else {
                continue;
            };
            let arrow = if line.error { "-.->" } else { "-->" };
            let labels = line.label.iter().flat_map(|(text, _)| wrapped(text, WIDE));
            let label: Vec<String> = labels.map(|text| escaped(&text)).collect();
            writeln!(out, "s{from} {arrow}|\"{}\"| s{to}", label.join("<br>"))?;
            if line.error {
                errors.push(count.to_string());
            }
            count += 1;
        }
        if nested {
            writeln!(out, "end")?;
        }
    }
    if !errors.is_empty() {
        writeln!(
            out,
            "linkStyle {} stroke:#b42318,color:#b42318",
            errors.join(",")
        )?;
    }
    if !entries.is_empty() {
        writeln!(out, "classDef entry stroke-width:3px")?;
        writeln!(out, "class {} entry", entries.join(","))?;
    }
    Ok(())
}

fn label(made: &StateBox) -> String {
    let mut lines = vec![format!("<b>{}</b>", escaped(&made.name))];
    if !made.entries.is_empty() {
        lines.push(escaped(&format!("▶ {}", made.entries.join(", "))));
    }
    for row in &made.rows {
        lines.extend(wrapped(&row.text, WIDE).iter().map(|line| escaped(line)));
    }
    lines.join("<br>")
}

/// Text in a quoted label. Letters, digits and what has no meaning there stay; the rest becomes the codes that
/// Mermaid reads back.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            c if is_control(c) => escaped.push(char::REPLACEMENT_CHARACTER),
            c if c.is_alphanumeric() || " .,:()-/→↻↺⚠▶…–'+".contains(c) => {
                escaped.push(c)
            }
            c if !c.is_ascii() => escaped.push(c),
            c => {
                // Writing to a String cannot fail.
                let _ = write!(escaped, "#{};", c as u32);
            }
        }
    }
    escaped
}

/// A string in the front matter.
fn yaml(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            // The diagram may stand in a page.
            '<' => quoted.push_str("\\x3C"),
            '>' => quoted.push_str("\\x3E"),
            c if is_control(c) => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
