//! Tables in Markdown, so that they can be pasted into the documentation.

use std::fmt::{self, Display, Formatter};

/// A table with a heading.
#[derive(Clone, Debug)]
pub struct Table {
    /// The heading.
    pub heading: String,
    /// The columns' titles.
    pub titles: Vec<&'static str>,
    /// The rows, each as long as the titles.
    pub rows: Vec<Vec<String>>,
}

/// The first column is left-aligned, the others are right-aligned.
impl Display for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let titles: Vec<_> = self.titles.iter().map(|&title| title.to_owned()).collect();
        let mut widths = vec![0; titles.len()];
        for row in self.rows.iter().chain([&titles]) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = cell.chars().count().max(*width);
            }
        }
        writeln!(f, "### {}\n", self.heading)?;
        line(f, &titles, &widths)?;
        for (column, width) in widths.iter().enumerate() {
            match column {
                0 => write!(f, "|{}|", "-".repeat(width + 2))?,
                _ => write!(f, "{}:|", "-".repeat(width + 1))?,
            }
        }
        writeln!(f)?;
        self.rows.iter().try_for_each(|row| line(f, row, &widths))
    }
}

fn line(f: &mut Formatter<'_>, cells: &[String], widths: &[usize]) -> fmt::Result {
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        match column {
            0 => write!(f, "| {cell:<width$} |")?,
            _ => write!(f, " {cell:>width$} |")?,
        }
    }
    writeln!(f)
}

/// A number with three significant digits or so.
pub fn number(value: f64) -> String {
    let decimals = match value {
        100.0.. => 0,
        10.0.. => 1,
        _ => 2,
    };
    format!("{value:.decimals$}")
}

/// A count with spaces between thousands.
pub fn count(value: u64) -> String {
    match value {
        0..1000 => value.to_string(),
        _ => format!("{} {:03}", count(value / 1000), value % 1000),
    }
}
