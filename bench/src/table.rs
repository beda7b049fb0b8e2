//! Tables, for people and for programs.

/// A table's cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A measure or a ratio; printed with three significant digits or so.
    Number(f64),
    /// A count; printed with spaces between thousands.
    Count(u64),
    /// Nothing to say here.
    Empty,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Self::Empty, Into::into)
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Number(number) => f.write_str(&measure(*number)),
            Self::Count(number) => f.write_str(&count(*number)),
            Self::Empty => f.write_str("-"),
        }
    }
}

/// A table with a heading.
#[derive(Clone, Debug)]
pub struct Table {
    /// The heading.
    pub heading: String,
    /// The columns' titles.
    pub titles: Vec<&'static str>,
    /// The rows, each as long as the titles.
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// Markdown, so that it can be pasted into the documentation: the first column is left-aligned, the
    /// others right-aligned.
    pub fn render(&self) -> String {
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(Cell::to_string).collect())
            .collect();
        let length = |cell: &String| cell.chars().count();
        let widths: Vec<usize> = self
            .titles
            .iter()
            .enumerate()
            .map(|(column, title)| {
                let longest = rows
                    .iter()
                    .filter_map(|row| row.get(column).map(length))
                    .max();
                longest.unwrap_or(0).max(title.len())
            })
            .collect();
        let titles: Vec<_> = self.titles.iter().map(|&title| title.to_owned()).collect();
        let rule = widths
            .iter()
            .enumerate()
            .map(|(column, width)| match column {
                0 => format!("{}|", "-".repeat(width + 2)),
                _ => format!("{}:|", "-".repeat(width + 1)),
            })
            .collect::<String>();
        let mut text = format!(
            "### {}\n\n{}|{rule}\n",
            self.heading,
            line(&titles, &widths)
        );
        for row in &rows {
            text += &line(row, &widths);
        }
        text
    }

    /// An object: the heading, the columns and the rows.
    pub fn to_json(&self) -> serde_json::Value {
        let rows: Vec<Vec<serde_json::Value>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(json).collect())
            .collect();
        serde_json::json!({"heading": self.heading, "columns": self.titles, "rows": rows})
    }
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::from("|");
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        line += &match column {
            0 => format!(" {cell:<width$} |"),
            _ => format!(" {cell:>width$} |"),
        };
    }
    line + "\n"
}

fn json(cell: &Cell) -> serde_json::Value {
    match cell {
        Cell::Text(text) => text.as_str().into(),
        Cell::Number(number) => (*number).into(),
        Cell::Count(count) => (*count).into(),
        Cell::Empty => serde_json::Value::Null,
    }
}

fn measure(value: f64) -> String {
    if !value.is_finite() {
        "-".to_owned()
    } else if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
