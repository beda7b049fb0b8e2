//! Places for boxes and lines: each panel for itself in layers, then the panels side by side.

use dugong::graphlib::{Graph, GraphOptions};
use dugong::{EdgeLabel, GraphLabel, NodeLabel};

/// Above this many boxes in a panel they stand in columns: layers would take too long, and no reader could
/// follow their lines.
const MOST: usize = 150;

/// A width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Size {
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// A line to be placed: the boxes that it joins, and how large its label is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Joins {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: Size,
}

/// A line in its place.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    pub(super) points: Vec<Point>,
    /// The middle of its label.
    pub(super) label: Point,
}

/// Boxes and lines in their places.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) size: Size,
    /// The middle of each box.
    pub(super) boxes: Vec<Point>,
    pub(super) lines: Vec<Placed>,
}

/// Space between boxes.
const GAP: f64 = 26.0;

/// Places boxes and the lines between them.
pub(super) fn layers(boxes: &[Size], lines: &[Joins]) -> Layout {
    if boxes.len() > MOST {
        return columns(boxes, lines);
    }
    let mut graph: Graph<NodeLabel, EdgeLabel, GraphLabel> = Graph::new(GraphOptions {
        directed: true,
        multigraph: true,
        // Without it parts that do not hang together are not placed.
        compound: true,
    });
    graph.set_graph(GraphLabel {
        nodesep: GAP,
        ranksep: 34.0,
        edgesep: 14.0,
        ..GraphLabel::default()
    });
    for (index, size) in boxes.iter().enumerate() {
        let label = NodeLabel {
            width: size.width,
            height: size.height,
            ..NodeLabel::default()
        };
        graph.set_node(key(index), label);
    }
    for line in lines {
        let label = EdgeLabel {
            width: line.label.width,
            height: line.label.height,
            weight: 1.0,
            ..EdgeLabel::default()
        };
        graph.set_edge_with_label(key(line.from), key(line.to), label);
    }
    dugong::layout_dagreish(&mut graph);
    let places: Option<Vec<Point>> = (0..boxes.len())
        .map(|index| {
            let node = graph.node(&key(index))?;
            finite(node.x?, node.y?)
        })
        .collect();
    let placed: Option<Vec<Placed>> = lines
        .iter()
        .map(|line| {
            let edge = graph.edge(&key(line.from), &key(line.to), None)?;
            let points: Option<Vec<Point>> = edge.points.iter().map(|p| finite(p.x, p.y)).collect();
            let points = points?;
            let middle = points.get(points.len() / 2).copied().unwrap_or_default();
            let label = match (edge.x, edge.y) {
                (Some(x), Some(y)) => finite(x, y)?,
                _ => middle,
            };
            Some(Placed { points, label })
        })
        .collect();
    match (places, placed) {
        (Some(places), Some(placed)) => fitted(boxes, lines, places, placed),
        _ => columns(boxes, lines),
    }
}

fn key(index: usize) -> String {
    format!("{index:06}")
}

fn finite(x: f64, y: f64) -> Option<Point> {
    (x.is_finite() && y.is_finite()).then_some(Point { x, y })
}

/// Boxes one below the other, lines straight.
fn columns(boxes: &[Size], lines: &[Joins]) -> Layout {
    const ROWS: usize = 20;
    let mut places = Vec::new();
    let mut left = 0.0;
    for column in boxes.chunks(ROWS) {
        let width = column.iter().map(|size| size.width).fold(0.0, f64::max);
        let mut top = 0.0;
        for size in column {
            places.push(Point {
                x: left + width / 2.0,
                y: top + size.height / 2.0,
            });
            top += size.height + GAP;
        }
        left += width + 4.0 * GAP;
    }
    let placed = lines.iter().map(|line| {
        let ends = [line.from, line.to].map(|end| places.get(end).copied().unwrap_or_default());
        let [from, to] = ends;
        Placed {
            points: vec![from, to],
            label: Point {
                x: (from.x + to.x) / 2.0,
                y: (from.y + to.y) / 2.0,
            },
        }
    });
    let placed = placed.collect();
    fitted(boxes, lines, places, placed)
}

/// Moves all so that it starts at the origin.
fn fitted(
    boxes: &[Size],
    lines: &[Joins],
    mut places: Vec<Point>,
    mut placed: Vec<Placed>,
) -> Layout {
    let (mut low, mut high) = (
        Point {
            x: f64::MAX,
            y: f64::MAX,
        },
        Point {
            x: f64::MIN,
            y: f64::MIN,
        },
    );
    let mut see = |middle: Point, size: Size| {
        low.x = low.x.min(middle.x - size.width / 2.0);
        low.y = low.y.min(middle.y - size.height / 2.0);
        high.x = high.x.max(middle.x + size.width / 2.0);
        high.y = high.y.max(middle.y + size.height / 2.0);
    };
    for (place, size) in places.iter().zip(boxes) {
        see(*place, *size);
    }
    for (line, joins) in placed.iter().zip(lines) {
        see(line.label, joins.label);
        for point in &line.points {
            see(*point, Size::default());
        }
    }
    if places.is_empty() {
        (low, high) = (Point::default(), Point::default());
    }
    let shift = |point: &mut Point| {
        point.x -= low.x;
        point.y -= low.y;
    };
    places.iter_mut().for_each(shift);
    for line in &mut placed {
        shift(&mut line.label);
        line.points.iter_mut().for_each(shift);
    }
    Layout {
        size: Size {
            width: high.x - low.x,
            height: high.y - low.y,
        },
        boxes: places,
        lines: placed,
    }
}

/// Places panels side by side so that the whole is about as wide as it is high: the corner of each, and the
/// size of the whole.
pub(super) fn pack(panels: &[Size], gap: f64) -> (Vec<Point>, Size) {
    let area: f64 = (panels.iter())
        .map(|panel| (panel.width + gap) * (panel.height + gap))
        .sum();
    let widest = panels.iter().map(|panel| panel.width).fold(0.0, f64::max);
    let wide = (area * 1.5).sqrt().max(widest);
    let mut order: Vec<usize> = (0..panels.len()).collect();
    // The highest first, since low ones fill gaps.
    order.sort_by(|&a, &b| {
        panels[b]
            .height
            .total_cmp(&panels[a].height)
            .then(a.cmp(&b))
    });
    let mut corners = vec![Point::default(); panels.len()];
    let mut taken: Vec<(Point, Size)> = Vec::new();
    for index in order {
        let size = panels[index];
        let mut best: Option<Point> = None;
        let edges = taken.iter().map(|(at, size)| at.x + size.width + gap);
        for x in [0.0].into_iter().chain(edges) {
            if x > 0.0 && x + size.width > wide {
                continue;
            }
            let below = |(at, other): &&(Point, Size)| {
                at.x < x + size.width + gap && x < at.x + other.width + gap
            };
            let floor = taken.iter().filter(below);
            let y = floor
                .map(|(at, other)| at.y + other.height + gap)
                .fold(0.0, f64::max);
            if best.is_none_or(|best| (y, x) < (best.y, best.x)) {
                best = Some(Point { x, y });
            }
        }
        let at = best.unwrap_or_default();
        corners[index] = at;
        taken.push((at, size));
    }
    let whole = taken
        .iter()
        .fold(Size::default(), |whole, (at, size)| Size {
            width: whole.width.max(at.x + size.width),
            height: whole.height.max(at.y + size.height),
        });
    (corners, whole)
}
