//! A comparison for people: as text, Markdown that reads well as it is, and as one self-contained page.

use std::fmt::Write;

use speclex_codegen::escape;

use super::report::{ArmsRow, Report, Start, StatusText, WitnessRow};
use crate::text::escaped;

/// How differences are marked.
#[derive(Clone, Copy, Debug, Default)]
struct Paint {
    first: &'static str,
    second: &'static str,
    plain: &'static str,
}

const COLOURS: Paint = Paint {
    first: "\x1b[31m",
    second: "\x1b[32m",
    plain: "\x1b[0m",
};

/// The text; with colour for terminals.
pub fn text(report: &Report, colour: bool) -> String {
    let paint = if colour { COLOURS } else { Paint::default() };
    let mut out = Shown {
        text: String::new(),
        paint,
    };
    // Writing to a string cannot fail.
    let _ = write_all(&mut out, report, paint);
    out.text
}

/// Text for a terminal: of what would steer it only our own colours and line breaks get there.
struct Shown {
    text: String,
    paint: Paint,
}

impl Write for Shown {
    fn write_str(&mut self, piece: &str) -> std::fmt::Result {
        let Paint {
            first,
            second,
            plain,
        } = self.paint;
        if [first, second, plain].contains(&piece) {
            self.text.push_str(piece);
        } else {
            self.text.push_str(&escape::lines(piece));
        }
        Ok(())
    }
}

fn write_all(out: &mut Shown, report: &Report, paint: Paint) -> std::fmt::Result {
    let [a, b] = report.tables.each_ref().map(|name| prose(name));
    let titles = report.titles.each_ref().map(|title| prose(title));
    writeln!(out, "# {a} → {b}\n")?;
    writeln!(
        out,
        "- {}A{} is {a}: {}",
        paint.first, paint.plain, titles[0]
    )?;
    writeln!(
        out,
        "- {}B{} is {b}: {}\n",
        paint.second, paint.plain, titles[1]
    )?;
    for line in summary_lines(report) {
        writeln!(out, "- {line}")?;
    }
    if !report.witnesses.is_empty() {
        writeln!(out, "\n## Inputs that show it")?;
        for (index, witness) in report.witnesses.iter().enumerate() {
            write_witness(out, index + 1, witness, paint)?;
        }
    }
    if !report.only.is_empty() || !report.renamed.is_empty() {
        writeln!(out, "\n## States\n")?;
        for state in &report.only {
            let split = state.split_from.as_ref();
            let split = split
                .map(|from| format!("; it does what {} does", prose(from)))
                .unwrap_or_default();
            writeln!(
                out,
                "- only in {}: {}{}{split}{}",
                prose(&state.table),
                prose(&state.state),
                within(&prose(&state.section)),
                status(state.status.as_ref())
            )?;
        }
        for [one, other] in &report.renamed {
            writeln!(out, "- {} is now {}", prose(one), prose(other))?;
        }
    }
    if !report.arms.is_empty() {
        writeln!(out, "\n## Arms")?;
        let mut before: Option<&ArmsRow> = None;
        for arms in &report.arms {
            if before.is_none_or(|before| before.states != arms.states) {
                let names = prose(&one_or_both(&arms.states, " → "));
                let sections = between(&arms.sections.each_ref().map(|section| prose(section)));
                writeln!(out, "\n### {names}{sections}\n")?;
            }
            write_arms(out, arms, paint)?;
            before = Some(arms);
        }
    }
    let mut part = "";
    for other in &report.others {
        if part != other.part {
            part = other.part;
            writeln!(out, "\n## {}{}\n", part[..1].to_uppercase(), &part[1..])?;
        }
        let side = |text: &str| {
            if text.is_empty() {
                "–".to_owned()
            } else {
                prose(text)
            }
        };
        writeln!(
            out,
            "- {}: A {}, B {}{}",
            prose(&other.what),
            side(&other.sides[0]),
            side(&other.sides[1]),
            status(other.status.as_ref())
        )?;
    }
    Ok(())
}

/// Text of a table among the sentences of the page, which is Markdown.
fn prose(text: &str) -> String {
    escape::markdown(text).replace('`', "\\`")
}

/// What came of it, in a few sentences.
pub(super) fn summary_lines(report: &Report) -> Vec<String> {
    let counts = &report.counts;
    let compared = format!("compared in {}", report.compared.join(", "));
    let verdict = match report.verdict {
        "proven equal" => format!("Proven equal, {compared}: no input tells the two apart."),
        "different" => format!("Different, {compared}."),
        "no difference found" => {
            format!("No difference was found, {compared}; that is no proof.")
        }
        _ => format!(
            "Only the structure was compared, errors by {}.",
            ["code", "presence"][usize::from(report.compared[1] == "presence of errors")]
        ),
    };
    let mut lines = vec![
        verdict,
        format!(
            "Structure: {} states in common, {} only in A, {} only in B, {} renamed; {} arms differ; {} other differences.",
            counts.common_states,
            counts.only[0],
            counts.only[1],
            counts.renamed,
            counts.arms,
            counts.others
        ),
    ];
    let Some(search) = &report.search else {
        return lines;
    };
    lines.push(format!(
        "Causes: {} change tokens, {} only errors, {} only positions.",
        counts.tokens, counts.errors, counts.positions
    ));
    lines.push(format!(
        "Structural differences: {} with a witness, {} proven not to show, {} proven to begin none, {} not decided, {} not found.",
        counts.witnessed, counts.proven, counts.begin_none, counts.not_decided, counts.not_found
    ));
    let (situations, length) = (search.situations, search.length);
    if search.closed {
        lines.push(format!(
            "The search closed: {situations} situations, the last new one after {length} characters."
        ));
    } else {
        let unknown: Vec<String> = search
            .unknown
            .iter()
            .map(|(why, times)| format!("{why} ({times} times)"))
            .collect();
        lines.push(format!(
            "The search followed {situations} situations, of inputs up to length {length}, and is no proof where nothing was found: {}.",
            unknown.join("; ")
        ));
    }
    lines
}

fn status(status: Option<&StatusText>) -> String {
    match status {
        None => String::new(),
        Some(StatusText {
            text,
            witness: Some(number),
        }) => format!(" – {text}: no. {number}"),
        Some(StatusText { text, .. }) => format!(" – {text}"),
    }
}

/// What an input starts with, in words; nothing for the initial state.
pub(super) fn start_text(start: &Start) -> String {
    let mut parts = Vec::new();
    parts.extend(
        start
            .content
            .iter()
            .map(|content| format!("content {content}")),
    );
    parts.extend(
        start
            .last_start_tag
            .iter()
            .map(|name| format!("last start tag {name:?}")),
    );
    parts.extend(
        start
            .answer
            .then(|| "questions answered with yes".to_owned()),
    );
    parts.join(", ")
}

fn write_witness(
    out: &mut Shown,
    number: usize,
    witness: &WitnessRow,
    paint: Paint,
) -> std::fmt::Result {
    let start_text = start_text(&witness.start);
    let from = if start_text.is_empty() {
        String::new()
    } else {
        format!(" ({})", prose(&start_text))
    };
    let input = escape::markdown_code(&format!("{:?}", witness.input));
    writeln!(out, "\n{number}. {input}{from}: {} differ", witness.differs)?;
    writeln!(out, "   - at {}", prose(&one_or_both(&witness.arms, " / ")))?;
    for (name, colour, lines) in [
        ("A", paint.first, &witness.outputs[0]),
        ("B", paint.second, &witness.outputs[1]),
    ] {
        let lines = if lines.is_empty() {
            "nothing".to_owned()
        } else {
            escape::markdown_code(&lines.join(", "))
        };
        writeln!(out, "   - {colour}{name}: {lines}{}", paint.plain)?;
    }
    Ok(())
}

fn write_arms(out: &mut Shown, arms: &ArmsRow, paint: Paint) -> std::fmt::Result {
    let on = prose(&arms.on);
    writeln!(out, "- on {on}{}", status(arms.status.as_ref()))?;
    for (name, colour, lines) in [
        ("A", paint.first, &arms.sides[0]),
        ("B", paint.second, &arms.sides[1]),
    ] {
        if lines.is_empty() {
            writeln!(out, "  - {colour}{name}: no such arm{}", paint.plain)?;
        }
        for line in lines {
            writeln!(out, "  - {colour}{name}: {}{}", prose(line), paint.plain)?;
        }
    }
    Ok(())
}

/// What both sides are called: once, if they are called the same.
pub(crate) fn one_or_both([one, other]: &[String; 2], between: &str) -> String {
    if one == other {
        one.clone()
    } else {
        format!("{one}{between}{other}")
    }
}

/// A section in parentheses; nothing where a table has none.
fn within(section: &str) -> String {
    match section {
        "" => String::new(),
        section => format!(" ({section})"),
    }
}

/// The sections of a state in both tables, in parentheses; nothing where neither has one.
fn between([one, other]: &[String; 2]) -> String {
    match (one.as_str(), other.as_str()) {
        ("", "") => String::new(),
        (one, "") => format!(" ({one} → –)"),
        ("", other) => format!(" (– → {other})"),
        (one, other) => format!(" ({one} → {other})"),
    }
}

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

    fn witness(&mut self, number: usize, witness: &WitnessRow) -> std::fmt::Result {
        let start_text = start_text(&witness.start);
        let from = if start_text.is_empty() {
            String::new()
        } else {
            format!(" ({start_text})")
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
                "<li class=\"{side}\"><b>only in {}</b>: {}{}{} {}",
                escaped(&state.table),
                escaped(&state.state),
                within(&link),
                split.unwrap_or_default(),
                status_html(state.status.as_ref())
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
                    "<h3>{}{}</h3>",
                    escaped(&names),
                    between(&sections)
                )?;
            }
            before = Some(&arms.states);
            write!(
                self.out,
                "<div class=\"row\"><p>on {} {}</p>",
                escaped(&arms.on),
                status_html(arms.status.as_ref())
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
                status_html(other.status.as_ref())
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

fn status_html(status: Option<&StatusText>) -> String {
    match status {
        None => String::new(),
        Some(StatusText {
            text,
            witness: Some(number),
        }) => format!(
            "<span class=\"status\">– {}: <a href=\"#w{number}\">no. {number}</a></span>",
            escaped(text)
        ),
        Some(StatusText { text, .. }) => {
            format!("<span class=\"status\">– {}</span>", escaped(text))
        }
    }
}
