//! The diagram for Graphviz.

use std::fmt::Write;

use speclex_codegen::escape::is_control;

use super::sheet::{Line, Sheet, StateBox};
use crate::text::{escaped, wrapped};

/// How long a line of a label may be.
const WIDE: usize = 26;
/// How long a row of a box may be.
const ROW: usize = 44;

/// Writes it.
pub(super) fn dot(sheet: &Sheet) -> String {
    let mut out = String::new();
    // A String takes everything.
    let _ = write_sheet(&mut out, sheet);
    out
}

fn write_sheet(out: &mut String, sheet: &Sheet) -> std::fmt::Result {
    writeln!(out, "digraph {} {{", quoted(&sheet.title))?;
    let legend = sheet.legend.join(" · ");
    writeln!(
        out,
        "  graph [label={}, labelloc=t, fontname=\"Helvetica\", fontsize=18, rankdir=TB, pack=24, packmode=\"array_3\", \
         nodesep=0.35, ranksep=0.45];",
        quoted(&format!("{}\n{legend}", sheet.title))
    )?;
    writeln!(
        out,
        "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f6f8fa\", color=\"#57606a\", fontname=\"Helvetica\", fontsize=11];"
    )?;
    writeln!(
        out,
        "  edge [color=\"#57606a\", fontname=\"Helvetica\", fontsize=10];"
    )?;
    for (index, panel) in sheet.panels.iter().enumerate() {
        let nested = !panel.name.is_empty();
        if nested {
            writeln!(out, "  subgraph cluster_{index} {{")?;
            writeln!(
                out,
                "    label={}; labeljust=l; fontsize=16; style=rounded; color=\"#8c959f\";",
                quoted(&format!("{} {}s", panel.name, sheet.called))
            )?;
        }
        for made in &panel.boxes {
            write_box(out, made)?;
        }
        for line in &panel.lines {
            let ends = [line.from, line.to].map(|end| panel.boxes.get(end).map(|b| b.state));
            if let [Some(from), Some(to)] = ends {
                write_line(out, line, from, to)?;
            }
        }
        if nested {
            writeln!(out, "  }}")?;
        }
    }
    writeln!(out, "}}")
}

fn write_box(out: &mut String, made: &StateBox) -> std::fmt::Result {
    let mut rows = Vec::new();
    let mut title = made.name.clone();
    if !made.section.is_empty() {
        title += &format!("   {}", made.section);
    }
    rows.push((title, false, true));
    if !made.entries.is_empty() {
        rows.push((format!("▶ {}", made.entries.join(", ")), false, false));
    }
    for row in &made.rows {
        let lines = wrapped(&row.text, ROW);
        rows.extend(lines.into_iter().map(|line| (line, row.error, false)));
    }
    let cells: Vec<String> = rows
        .iter()
        .map(|(text, error, head)| {
            let text = html(text);
            let text = match (head, error) {
                (true, _) => format!("<b>{text}</b>"),
                (false, true) => format!("<font color=\"#b42318\">{text}</font>"),
                (false, false) => text,
            };
            format!("<tr><td align=\"left\">{text}</td></tr>")
        })
        .collect();
    let full: Vec<&str> = made.rows.iter().map(|row| row.full.as_str()).collect();
    let mut more = String::new();
    if !made.entries.is_empty() {
        more += ", penwidth=2.5";
    }
    if made.chosen {
        more += ", fillcolor=\"#ddf4ff\"";
    }
    writeln!(
        out,
        "    s{} [label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"1\">{}</table>>, tooltip={}{more}];",
        made.state,
        cells.concat(),
        quoted(&format!("{}\n{}", made.name, full.join("\n")))
    )
}

fn write_line(out: &mut String, line: &Line, from: usize, to: usize) -> std::fmt::Result {
    let labels = line.label.iter().flat_map(|(text, _)| wrapped(text, WIDE));
    let label = labels.collect::<Vec<_>>().join("\n");
    let style = if line.error {
        ", style=dashed, color=\"#b42318\", fontcolor=\"#b42318\""
    } else {
        ""
    };
    let full = quoted(&line.full);
    writeln!(
        out,
        "    s{from} -> s{to} [label={}, edgetooltip={full}, labeltooltip={full}{style}];",
        quoted(&label)
    )
}

/// A string of the language. A backslash would start one of its escapes.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '&' => quoted.push_str("&amp;"),
            c if is_control(c) => quoted.push(char::REPLACEMENT_CHARACTER),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Text in a label of the form of HTML.
fn html(text: &str) -> String {
    let line = text.replace('\n', "\u{FFFD}");
    escaped(&line).replace('[', "&#91;").replace(']', "&#93;")
}
