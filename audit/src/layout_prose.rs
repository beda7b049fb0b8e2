//! The layout of plain texts: a blank line before a heading, a condition flush, its action indented by two,
//! conditions in a row share the next action. Lines that begin with `# ` are notes.

use crate::document::{ArmText, Item, Section, Text};

/// A line that is neither blank nor a note.
#[derive(Clone, Copy, Debug)]
struct Line<'t> {
    number: usize,
    depth: usize,
    text: &'t str,
}

/// Reads a text.
pub(crate) fn sections(text: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut block: Vec<Line<'_>> = Vec::new();
    let mut after_blank = true;
    for (index, raw) in text.lines().enumerate() {
        let trimmed = raw.trim();
        if trimmed.is_empty() {
            after_blank = true;
            continue;
        }
        if raw.starts_with("# ") {
            continue;
        }
        let indent = raw.len() - raw.trim_start_matches(' ').len();
        if std::mem::take(&mut after_blank) && indent == 0 {
            end(&mut sections, &mut block);
            let (number, title) = heading(trimmed);
            sections.push(Section {
                number,
                title,
                line: index + 1,
                items: Vec::new(),
            });
        } else {
            block.push(Line {
                number: index + 1,
                depth: indent / 2,
                text: trimmed,
            });
        }
    }
    end(&mut sections, &mut block);
    sections
}

fn end(sections: &mut [Section], block: &mut Vec<Line<'_>>) {
    if let Some(section) = sections.last_mut() {
        section.items = items(block, 0);
    }
    block.clear();
}

/// Number and title.
fn heading(line: &str) -> (String, String) {
    let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
    match first.chars().next() {
        Some(c) if c.is_ascii_digit() => (
            first.trim_end_matches('.').to_owned(),
            rest.trim().to_owned(),
        ),
        _ => (String::new(), line.to_owned()),
    }
}

fn items(lines: &[Line<'_>], depth: usize) -> Vec<Item> {
    let mut out = Vec::new();
    let mut arms: Vec<ArmText> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let flush = lines[at..].iter().take_while(|line| line.depth <= depth);
        let flush = at + flush.count();
        let deeper = lines[flush..].iter().take_while(|line| line.depth > depth);
        let deeper = flush + deeper.count();
        let conditions = if deeper > flush {
            let own = &lines[at..flush];
            at + own
                .iter()
                .rposition(|l| !is_condition(l.text))
                .map_or(0, |p| p + 1)
        } else {
            flush
        };
        if conditions > at && !arms.is_empty() {
            out.push(Item::Arms(std::mem::take(&mut arms)));
        }
        paragraphs(&lines[at..conditions], &mut out);
        if deeper > flush {
            let text = |line: &Line<'_>| Text::new(line.number, line.text);
            arms.push(ArmText {
                conditions: lines[conditions..flush].iter().map(text).collect(),
                body: items(&lines[flush..deeper], depth + 1),
            });
        }
        at = deeper.max(flush);
    }
    if !arms.is_empty() {
        out.push(Item::Arms(arms));
    }
    out
}

/// Whether a line in front of an indented one is a condition and not a paragraph before the conditions.
fn is_condition(text: &str) -> bool {
    match text.chars().last() {
        Some('.') => text.starts_with("Exact match"),
        Some(':') => text.starts_with("U+"),
        _ => true,
    }
}

/// Paragraphs; one with points marked by `* ` is one paragraph with them.
fn paragraphs(lines: &[Line<'_>], out: &mut Vec<Item>) {
    let mut joining = false;
    for line in lines {
        let point = line.text.strip_prefix("* ");
        let goes_on = line.text.strip_prefix("...");
        match (out.last_mut(), point.or(goes_on)) {
            (Some(Item::Paragraph(before)), Some(more)) if point.is_some() || joining => {
                let with = if joining { ", " } else { " " };
                before.text.push_str(with);
                before.text.push_str(&Text::new(0, more).text);
                joining = point.is_some();
            }
            _ => {
                joining = false;
                let text = Text::new(line.number, line.text);
                out.push(match line.text.starts_with("0x") {
                    true => Item::Row(text),
                    false => Item::Paragraph(text),
                });
            }
        }
    }
}
