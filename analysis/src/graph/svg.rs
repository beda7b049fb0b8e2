//! The diagram as a picture that needs nothing else: it can be read in the dark, and whoever points at a line
//! or a row sees its arms in full.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::layout::{Joins, Placed, Point, Size, layers, pack};
use super::sheet::{Line, Panel, Row, Sheet, StateBox};
use crate::text::{escaped, wrapped};

/// How long a line of a label may be, and how many lines it may have.
const LABEL: (usize, usize) = (24, 3);
/// How long a row of a box may be; of a box that the picture is about.
const ROW: usize = 40;
const CHOSEN: usize = 90;
/// The height of a row, and what letters take in width: of a name, of a row, of a label.
const HEIGHT: f64 = 15.0;
const NAME: f64 = 7.9;
const LETTER: f64 = 6.9;
const SMALL: f64 = 6.6;
/// Space inside boxes and panels, and for a panel's name.
const PAD: f64 = 8.0;
const FRAME: f64 = 16.0;
/// How far the second line of a row is moved in.
const INDENT: f64 = 14.0;
const HEAD: f64 = 34.0;

const STYLE: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:#1f2328}\
.page{fill:#fff}.panel{fill:#f6f8fa;stroke:#afb8c1}.head{font-size:18px;font-weight:600}\
.title{font-size:20px;font-weight:600}.state>rect{fill:#fff;stroke:#57606a}.entry>rect{stroke-width:2.5}\
.chosen>rect{fill:#ddf4ff;stroke-width:2.5}.name{font-size:13px;font-weight:600}.section,.from{fill:#656d76}\
.label{font-size:11px;font-weight:600}.under{fill:#f6f8fa;fill-opacity:.88}.line path{fill:none;stroke:#57606a;stroke-width:1.3}\
.line.error path{stroke:#b42318;stroke-dasharray:6 4}.error,.error text{fill:#b42318}\
a:hover text{text-decoration:underline}.state:target>rect{stroke:#0969da;stroke-width:4}\
.line:hover path{stroke-width:3.5}.line:hover text{font-weight:700}#tip path{fill:#57606a}#wrong path{fill:#b42318}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.panel{fill:#161b22;stroke:#444c56}\
.state>rect{fill:#0d1117;stroke:#8b949e}.chosen>rect{fill:#0c2d4a}.section,.from{fill:#9198a1}\
.under{fill:#161b22}.line path{stroke:#9198a1}.line.error path{stroke:#ff7b72}.error,.error text{fill:#ff7b72}\
#tip path{fill:#9198a1}#wrong path{fill:#ff7b72}}";

/// Writes it.
pub(super) fn svg(sheet: &Sheet) -> String {
    let mut out = String::new();
    // A String takes everything.
    let _ = Picture::new(sheet).write(&mut out);
    out
}

/// The lines of a label, and whether each is about errors.
type Label = Vec<(String, bool)>;

/// A row as it is written: its lines.
struct Text<'s> {
    lines: Vec<String>,
    row: &'s Row,
}

/// A box with its text.
struct Boxed<'s> {
    of: &'s StateBox,
    rows: Vec<Text<'s>>,
    size: Size,
}

/// A panel with what is in it, placed.
struct Framed<'s> {
    panel: &'s Panel,
    boxes: Vec<(Boxed<'s>, Point)>,
    lines: Vec<(&'s Line, Label, Placed)>,
    size: Size,
}

struct Picture<'s> {
    sheet: &'s Sheet,
    panels: Vec<Framed<'s>>,
    corners: Vec<Point>,
    size: Size,
    /// For each state that is drawn the name of its box.
    ids: BTreeMap<usize, String>,
}

impl<'s> Picture<'s> {
    fn new(sheet: &'s Sheet) -> Self {
        let panels: Vec<Framed<'s>> = sheet.panels.iter().map(framed).collect();
        let sizes: Vec<Size> = panels.iter().map(|panel| panel.size).collect();
        let (corners, size) = pack(&sizes, 24.0);
        let boxes = sheet.panels.iter().flat_map(|panel| &panel.boxes);
        let ids = boxes.map(|made| (made.state, format!("s{}", made.state)));
        Self {
            sheet,
            panels,
            corners,
            size,
            ids: ids.collect(),
        }
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        let legend = wrapped(
            &self.sheet.legend.join(" · "),
            legend_width(self.size.width),
        );
        let top = 44.0 + HEIGHT * legend.len() as f64 + 10.0;
        let width = (self.size.width + 2.0 * FRAME)
            .max(360.0)
            .max(NAME * 1.5 * self.sheet.title.chars().count() as f64 + 2.0 * FRAME);
        let height = self.size.height + top + FRAME;
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\">"
        )?;
        writeln!(out, "<title>{}</title>", escaped(&self.sheet.title))?;
        writeln!(out, "<style>{STYLE}</style>")?;
        writeln!(out, "<defs>")?;
        for id in ["tip", "wrong"] {
            writeln!(
                out,
                "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
                 markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\"/></marker>"
            )?;
        }
        writeln!(out, "</defs>")?;
        writeln!(out, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>")?;
        text(out, "title", FRAME, 30.0, &self.sheet.title)?;
        for (index, line) in legend.iter().enumerate() {
            text(out, "from", FRAME, 50.0 + HEIGHT * index as f64, line)?;
        }
        for (framed, corner) in self.panels.iter().zip(&self.corners) {
            let (x, y) = (corner.x + FRAME, corner.y + top);
            writeln!(out, "<g transform=\"translate({x:.1} {y:.1})\">")?;
            self.write_panel(out, framed)?;
            writeln!(out, "</g>")?;
        }
        writeln!(out, "</svg>")
    }

    fn write_panel(&self, out: &mut String, framed: &Framed<'_>) -> fmt::Result {
        let mut head = 0.0;
        if !framed.panel.name.is_empty() {
            head = HEAD;
            let Size { width, height } = framed.size;
            writeln!(
                out,
                "<rect class=\"panel\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"10\"/>"
            )?;
            let name = format!("{} states", framed.panel.name);
            text(out, "head", FRAME, 25.0, &name)?;
        }
        writeln!(
            out,
            "<g transform=\"translate({FRAME} {:.1})\">",
            head + 6.0
        )?;
        for (line, _, placed) in &framed.lines {
            write_path(out, line, placed)?;
        }
        for (made, middle) in &framed.boxes {
            self.write_box(out, made, *middle)?;
        }
        // Labels last: nothing may cover them.
        for (line, label, placed) in &framed.lines {
            write_label(out, line, label, placed)?;
        }
        writeln!(out, "</g>")
    }

    fn write_box(&self, out: &mut String, made: &Boxed<'_>, middle: Point) -> fmt::Result {
        let Size { width, height } = made.size;
        let (x, y) = (middle.x - width / 2.0, middle.y - height / 2.0);
        let mut class = String::from("state");
        if !made.of.entries.is_empty() {
            class += " entry";
        }
        if made.of.chosen {
            class += " chosen";
        }
        let id = self.ids.get(&made.of.state).map_or("", String::as_str);
        writeln!(
            out,
            "<g class=\"{class}\" id=\"{id}\" transform=\"translate({x:.1} {y:.1})\">\
             <rect width=\"{width:.1}\" height=\"{height:.1}\" rx=\"6\"/>"
        )?;
        let mut line = PAD + 11.0;
        writeln!(
            out,
            "<text x=\"{PAD}\" y=\"{line:.1}\"><tspan class=\"name\">{}</tspan> <tspan class=\"section\">{}</tspan></text>",
            escaped(&made.of.name),
            escaped(&made.of.section)
        )?;
        if !made.of.entries.is_empty() {
            line += HEIGHT;
            text(out, "start", PAD, line, &entries(made.of))?;
        }
        for row in &made.rows {
            let target = row.row.link.and_then(|state| self.ids.get(&state));
            match target {
                Some(id) => write!(out, "<a href=\"#{id}\">")?,
                None => write!(out, "<g>")?,
            }
            write!(out, "<title>{}</title>", escaped(&row.row.full))?;
            let class = match row.row.error {
                true => "error",
                false if row.row.text.starts_with("from:") => "from",
                false => "row",
            };
            for (index, words) in row.lines.iter().enumerate() {
                line += HEIGHT;
                let x = if index == 0 { PAD } else { PAD + INDENT };
                text(out, class, x, line, words)?;
            }
            writeln!(out, "{}", if target.is_some() { "</a>" } else { "</g>" })?;
        }
        writeln!(out, "</g>")
    }
}

fn legend_width(width: f64) -> usize {
    // Rounded down to whole letters; a picture is never narrower than its legend's longest words.
    ((width / LETTER) as usize).max(50)
}

fn entries(made: &StateBox) -> String {
    format!("▶ {}", made.entries.join(", "))
}

fn framed(panel: &Panel) -> Framed<'_> {
    let boxes: Vec<Boxed<'_>> = panel.boxes.iter().map(boxed).collect();
    let labels: Vec<Label> = panel.lines.iter().map(label).collect();
    let joins: Vec<Joins> = panel
        .lines
        .iter()
        .zip(&labels)
        .map(|(line, label)| Joins {
            from: line.from,
            to: line.to,
            label: label_size(label),
        })
        .collect();
    let sizes: Vec<Size> = boxes.iter().map(|made| made.size).collect();
    let layout = layers(&sizes, &joins);
    let named = !panel.name.is_empty();
    let head = if named { HEAD } else { 0.0 };
    let name = NAME * 1.4 * (panel.name.chars().count() + 7) as f64;
    Framed {
        panel,
        boxes: boxes.into_iter().zip(layout.boxes).collect(),
        lines: (panel.lines.iter().zip(labels).zip(layout.lines))
            .map(|((line, label), placed)| (line, label, placed))
            .collect(),
        size: Size {
            width: (layout.size.width + 2.0 * FRAME).max(if named { name } else { 0.0 }),
            height: layout.size.height + head + FRAME + 6.0,
        },
    }
}

fn boxed(made: &StateBox) -> Boxed<'_> {
    let wide = if made.chosen { CHOSEN } else { ROW };
    let rows: Vec<Text<'_>> = made
        .rows
        .iter()
        .map(|row| Text {
            lines: wrapped(&row.text, wide),
            row,
        })
        .collect();
    let count: usize = rows.iter().map(|row| row.lines.len()).sum();
    let longest = rows.iter().flat_map(|row| &row.lines);
    let longest = longest.map(|line| line.chars().count()).max().unwrap_or(0);
    let mut width = LETTER * longest as f64;
    let name = made.name.chars().count() as f64;
    width = width.max(NAME * name + LETTER * (made.section.chars().count() + 2) as f64);
    if !made.entries.is_empty() {
        width = width.max(LETTER * entries(made).chars().count() as f64);
    }
    let indent = if rows.iter().any(|row| row.lines.len() > 1) {
        INDENT
    } else {
        0.0
    };
    let lines = 1 + count + usize::from(!made.entries.is_empty());
    Boxed {
        of: made,
        rows,
        size: Size {
            width: width + 2.0 * PAD + indent,
            height: HEIGHT * lines as f64 + 2.0 * PAD - 2.0,
        },
    }
}

/// The lines of a label.
fn label(line: &Line) -> Label {
    let mut lines = Vec::new();
    for (words, error) in &line.label {
        let mut some = wrapped(words, LABEL.0);
        if some.len() > LABEL.1 {
            some.truncate(LABEL.1);
            if let Some(last) = some.last_mut() {
                last.push_str(" …");
            }
        }
        lines.extend(some.into_iter().map(|words| (words, *error)));
    }
    lines
}

fn label_size(label: &[(String, bool)]) -> Size {
    let longest = label.iter().map(|(words, _)| words.chars().count()).max();
    Size {
        width: SMALL * longest.unwrap_or(0) as f64 + 8.0,
        height: HEIGHT * label.len() as f64 + 2.0,
    }
}

fn class(line: &Line) -> &'static str {
    if line.error { "line error" } else { "line" }
}

fn write_path(out: &mut String, line: &Line, placed: &Placed) -> fmt::Result {
    let marker = if line.error { "wrong" } else { "tip" };
    writeln!(
        out,
        "<g class=\"{}\"><title>{}</title><path marker-end=\"url(#{marker})\" d=\"{}\"/></g>",
        class(line),
        escaped(&line.full),
        curve(&placed.points)
    )
}

/// A line through points, round where it bends.
fn curve(points: &[Point]) -> String {
    let mut path = String::new();
    let at = |point: &Point| format!("{:.1} {:.1}", point.x, point.y);
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return path;
    };
    path += &format!("M{}", at(first));
    for pair in points.windows(2).skip(1) {
        if let [bend, next] = pair {
            let middle = Point {
                x: (bend.x + next.x) / 2.0,
                y: (bend.y + next.y) / 2.0,
            };
            path += &format!("Q{} {}", at(bend), at(&middle));
        }
    }
    path + &format!("L{}", at(last))
}

fn write_label(
    out: &mut String,
    line: &Line,
    label: &[(String, bool)],
    placed: &Placed,
) -> fmt::Result {
    let size = label_size(label);
    let (x, y) = (
        placed.label.x - size.width / 2.0,
        placed.label.y - size.height / 2.0,
    );
    writeln!(
        out,
        "<g class=\"{}\"><title>{}</title>\
         <rect class=\"under\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\"/>",
        class(line),
        escaped(&line.full),
        size.width,
        size.height
    )?;
    for (index, (words, error)) in label.iter().enumerate() {
        let class = if *error { "label error" } else { "label" };
        text(out, class, x + 4.0, y + 12.0 + HEIGHT * index as f64, words)?;
    }
    writeln!(out, "</g>")
}

fn text(out: &mut String, class: &str, x: f64, y: f64, text: &str) -> fmt::Result {
    writeln!(
        out,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>",
        escaped(text)
    )
}
