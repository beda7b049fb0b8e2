//! A text with indented actions in the standard's layout: the same sentences, as headings, lists and tables
//! in HTML.

use std::fmt::Write;

/// The page that a text in prose comes to.
pub fn page_of_prose(text: &str) -> String {
    let mut page = String::from("<!doctype html><html><body>\n");
    let mut block = Vec::new();
    let mut after_blank = true;
    for line in text.lines().filter(|line| !line.starts_with("# ")) {
        let words = line.trim_start();
        let depth = (line.len() - words.len()) / 2;
        if words.is_empty() {
            after_blank = true;
            continue;
        }
        if std::mem::take(&mut after_blank) && depth == 0 {
            page.push_str(&items(&block, 0));
            block.clear();
            let (number, title) = words.split_once(' ').unwrap_or((words, ""));
            let _ = writeln!(
                page,
                "<h5><span class=secno>{number}</span> <dfn>{title}</dfn><a class=self-link href=#s></a></h5>"
            );
        } else {
            block.push((depth, words));
        }
    }
    page.push_str(&items(&block, 0));
    page
}

/// What stands at a depth, and what belongs to it.
fn items(lines: &[(usize, &str)], depth: usize) -> String {
    let mut html = String::new();
    let mut rest = lines;
    let mut open = "";
    while !rest.is_empty() {
        let flush = rest.iter().take_while(|(own, _)| *own <= depth).count();
        let deeper = rest[flush..].iter().take_while(|(own, _)| *own > depth);
        let (own, inner) = rest.split_at(flush);
        let (inner, after) = inner.split_at(deeper.count());
        let conditions = match inner.is_empty() {
            true => own.len(),
            false => own
                .iter()
                .rposition(|(_, text)| !is_condition(text))
                .map_or(0, |at| at + 1),
        };
        for (_, text) in &own[..conditions] {
            let kind = if text.starts_with("0x") { "table" } else { "p" };
            switch(&mut html, &mut open, kind);
            let _ = match (kind, text.split_once(' ')) {
                ("table", Some((number, what))) => {
                    writeln!(html, "<tr><td>{number}<td>{}", escaped(what))
                }
                _ => writeln!(html, "<p>{}", escaped(text)),
            };
        }
        if !inner.is_empty() {
            switch(&mut html, &mut open, "dl");
            for (_, text) in &own[conditions..] {
                let _ = writeln!(html, "<dt>{}", escaped(text));
            }
            let _ = writeln!(html, "<dd>{}", items(inner, depth + 1));
        }
        rest = after;
    }
    switch(&mut html, &mut open, "");
    html
}

/// Ends one element and begins another.
fn switch(html: &mut String, open: &mut &'static str, kind: &'static str) {
    if *open != kind {
        if matches!(*open, "dl" | "table") {
            let _ = write!(html, "</{open}>");
        }
        if matches!(kind, "dl" | "table") {
            let _ = write!(html, "<{kind}>");
        }
        *open = kind;
    }
}

fn is_condition(text: &str) -> bool {
    match text.chars().last() {
        Some('.') => text.starts_with("Exact match"),
        Some(':') => text.starts_with("U+"),
        _ => true,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}
