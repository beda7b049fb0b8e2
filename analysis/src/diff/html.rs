//! A comparison as one self-contained page.

use std::fmt::Write;

use super::report::{Report, Said, Shown};
use super::text::{one_or_both, started, summary_lines};
use crate::text::escaped;

const STYLE: &str = "\
:root{color-scheme:light dark;--a:#b3261e;--b:#146c2e;--line:#8884;--back:#8881}
@media(prefers-color-scheme:dark){:root{--a:#ff897d;--b:#7bdb8c}}
*{box-sizing:border-box}
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1,h2,h3{line-height:1.2}
h3{margin:2rem 0 .5rem}
code,pre{font:14px/1.4 ui-monospace,monospace}
.row{border:1px solid var(--line);border-radius:.5rem;padding:.75rem;margin:.75rem 0}
.row>p{margin:0 0 .5rem}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:.75rem}
.sides>div{background:var(--back);border-left:.25rem solid var(--line);padding:.5rem;min-width:0}
.sides>.a{border-color:var(--a)}
.sides>.b{border-color:var(--b)}
.sides ul{margin:0;padding-left:1.1rem}
.a b{color:var(--a)}
.b b{color:var(--b)}
.status{font-size:.85em;opacity:.85}
@media(max-width:40rem){.sides{grid-template-columns:1fr}}
";

/// The address of a state in the text of its table.
pub type Address = dyn Fn(&str, &str, &str) -> Option<String>;

/// The page. `address` gives that of a state in a table's text, if there is one to link to: of the table, the
/// section and the state.
pub fn html(report: &Report, address: &Address) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = Page {
        out: &mut out,
        report,
        address,
    }
    .write();
    out
}

struct Page<'p> {
    out: &'p mut String,
    report: &'p Report,
    address: &'p Address,
}

impl Page<'_> {
    fn write(&mut self) -> std::fmt::Result {
        let report = self.report;
        let [a, b] = report.tables.each_ref().map(|name| escaped(name));
        write!(
            self.out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
             <title>{a} → {b}</title>\n<style>\n{STYLE}</style>\n<h1>{a} → {b}</h1>\n"
        )?;
        writeln!(
            self.out,
            "<p class=\"a\"><b>A</b> is {a}: {}<p class=\"b\"><b>B</b> is {b}: {}",
            escaped(&report.titles[0]),
            escaped(&report.titles[1])
        )?;
        for line in summary_lines(report) {
            writeln!(self.out, "<p>{}", escaped(&line))?;
        }
        if !report.witnesses.is_empty() {
            writeln!(self.out, "<h2>Inputs that show it</h2>")?;
        }
        for (index, witness) in report.witnesses.iter().enumerate() {
            self.witness(index + 1, witness)?;
        }
        self.states()?;
        self.arms()?;
        self.others()
    }

    fn sides(&mut self, sides: &[Vec<String>; 2], nothing: &str) -> std::fmt::Result {
        self.out.push_str("<div class=\"sides\">");
        for (class, name, lines) in [("a", "A", &sides[0]), ("b", "B", &sides[1])] {
            write!(self.out, "<div class=\"{class}\"><b>{name}</b><ul>")?;
            if lines.is_empty() {
                write!(self.out, "<li>{nothing}")?;
            }
            for line in lines {
                write!(self.out, "<li>{}", escaped(line))?;
            }
            self.out.push_str("</ul></div>");
        }
        self.out.push_str("</div>");
        Ok(())
    }

    fn witness(&mut self, number: usize, witness: &Shown) -> std::fmt::Result {
        let started = started(&witness.start);
        let from = if started.is_empty() {
            String::new()
        } else {
            format!(" ({started})")
        };
        let at = one_or_both(&witness.arms, " / ");
        write!(
            self.out,
            "<div class=\"row\" id=\"w{number}\"><p>{number}. <code>{}</code>{}: {} differ, at {}</p>",
            escaped(&format!("{:?}", witness.input)),
            escaped(&from),
            witness.differs,
            escaped(&at)
        )?;
        self.sides(&witness.outputs, "nothing")?;
        writeln!(self.out, "</div>")
    }

    fn link(&self, table: &str, section: &str, state: &str) -> String {
        match (self.address)(table, section, state) {
            Some(address) => format!("<a href=\"{}\">{}</a>", escaped(&address), escaped(section)),
            None => escaped(section),
        }
    }

    fn states(&mut self) -> std::fmt::Result {
        let report = self.report;
        if report.only.is_empty() && report.renamed.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "<h2>States</h2>\n<ul>")?;
        for state in &report.only {
            let link = self.link(&state.table, &state.section, &state.state);
            let side = if state.table == report.tables[0] {
                "a"
            } else {
                "b"
            };
            let split = state.split_from.as_ref();
            let split = split.map(|from| format!("; it does what {} does", escaped(from)));
            writeln!(
                self.out,
                "<li class=\"{side}\"><b>only in {}</b>: {} ({link}){} {}",
                escaped(&state.table),
                escaped(&state.state),
                split.unwrap_or_default(),
                status(state.status.as_ref())
            )?;
        }
        for [one, other] in &report.renamed {
            writeln!(self.out, "<li>{} is now {}", escaped(one), escaped(other))?;
        }
        writeln!(self.out, "</ul>")
    }

    fn arms(&mut self) -> std::fmt::Result {
        let report = self.report;
        if !report.arms.is_empty() {
            writeln!(self.out, "<h2>Arms</h2>")?;
        }
        let mut before: Option<&[String; 2]> = None;
        for arms in &report.arms {
            if before != Some(&arms.states) {
                let names = one_or_both(&arms.states, " → ");
                let sections = [0, 1].map(|side| {
                    self.link(
                        &report.tables[side],
                        &arms.sections[side],
                        &arms.states[side],
                    )
                });
                writeln!(
                    self.out,
                    "<h3>{} ({} → {})</h3>",
                    escaped(&names),
                    sections[0],
                    sections[1]
                )?;
            }
            before = Some(&arms.states);
            write!(
                self.out,
                "<div class=\"row\"><p>on {} {}</p>",
                escaped(&arms.on),
                status(arms.status.as_ref())
            )?;
            self.sides(&arms.sides, "no such arm")?;
            writeln!(self.out, "</div>")?;
        }
        Ok(())
    }

    fn others(&mut self) -> std::fmt::Result {
        let mut part = "";
        for other in &self.report.others {
            if part != other.part {
                part = other.part;
                writeln!(
                    self.out,
                    "<h2>{}{}</h2>",
                    part[..1].to_uppercase(),
                    &part[1..]
                )?;
            }
            write!(
                self.out,
                "<div class=\"row\"><p>{} {}</p>",
                escaped(&other.what),
                status(other.status.as_ref())
            )?;
            let lines = other.sides.each_ref().map(|side| {
                if side.is_empty() {
                    Vec::new()
                } else {
                    vec![side.clone()]
                }
            });
            self.sides(&lines, "–")?;
            writeln!(self.out, "</div>")?;
        }
        Ok(())
    }
}

fn status(said: Option<&Said>) -> String {
    match said {
        None => String::new(),
        Some(Said {
            text,
            witness: Some(number),
        }) => format!(
            "<span class=\"status\">– {}: <a href=\"#w{number}\">no. {number}</a></span>",
            escaped(text)
        ),
        Some(Said { text, .. }) => format!("<span class=\"status\">– {}</span>", escaped(text)),
    }
}
