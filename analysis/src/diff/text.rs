//! A comparison as text for people: Markdown that reads well as it is.

use std::fmt::Write;

use super::report::{Arms, Report, Said, Shown, Start};

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
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_all(&mut out, report, paint);
    out
}

fn write_all(out: &mut String, report: &Report, paint: Paint) -> std::fmt::Result {
    let [a, b] = &report.tables;
    writeln!(out, "# {a} → {b}\n")?;
    writeln!(
        out,
        "- {}A{} is {a}: {}",
        paint.first, paint.plain, report.titles[0]
    )?;
    writeln!(
        out,
        "- {}B{} is {b}: {}\n",
        paint.second, paint.plain, report.titles[1]
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
                .map(|from| format!("; it does what {from} does"))
                .unwrap_or_default();
            writeln!(
                out,
                "- only in {}: {} ({}){split}{}",
                state.table,
                state.state,
                state.section,
                status(state.status.as_ref())
            )?;
        }
        for [one, other] in &report.renamed {
            writeln!(out, "- {one} is now {other}")?;
        }
    }
    if !report.arms.is_empty() {
        writeln!(out, "\n## Arms")?;
        let mut before: Option<&Arms> = None;
        for arms in &report.arms {
            if before.is_none_or(|before| before.states != arms.states) {
                let names = one_or_both(&arms.states, " → ");
                writeln!(
                    out,
                    "\n### {names} ({} → {})\n",
                    arms.sections[0], arms.sections[1]
                )?;
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
                text.to_owned()
            }
        };
        writeln!(
            out,
            "- {}: A {}, B {}{}",
            other.what,
            side(&other.sides[0]),
            side(&other.sides[1]),
            status(other.status.as_ref())
        )?;
    }
    Ok(())
}

/// What came of it, in a few sentences.
pub(super) fn summary_lines(report: &Report) -> Vec<String> {
    let counts = &report.counts;
    let verdict = match report.verdict {
        "proven equal" => "Proven equal: no input tells the two apart.",
        "different" => "Different.",
        "no difference found" => "No difference was found; that is no proof.",
        _ => "Only the structure was compared.",
    };
    let mut lines = vec![
        verdict.to_owned(),
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
        "Structural differences: {} with a witness, {} proven not to show, {} not found.",
        counts.witnessed, counts.proven, counts.not_found
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

fn status(said: Option<&Said>) -> String {
    match said {
        None => String::new(),
        Some(Said {
            text,
            witness: Some(number),
        }) => format!(" – {text}: no. {number}"),
        Some(Said { text, .. }) => format!(" – {text}"),
    }
}

/// What an input starts with, in words; nothing for the initial state.
pub(super) fn started(start: &Start) -> String {
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
    out: &mut String,
    number: usize,
    witness: &Shown,
    paint: Paint,
) -> std::fmt::Result {
    let started = started(&witness.start);
    let from = if started.is_empty() {
        String::new()
    } else {
        format!(" ({started})")
    };
    writeln!(
        out,
        "\n{number}. `{:?}`{from}: {} differ",
        witness.input, witness.differs
    )?;
    writeln!(out, "   - at {}", one_or_both(&witness.arms, " / "))?;
    for (name, colour, lines) in [
        ("A", paint.first, &witness.outputs[0]),
        ("B", paint.second, &witness.outputs[1]),
    ] {
        let lines = if lines.is_empty() {
            "nothing".to_owned()
        } else {
            lines.join(", ")
        };
        writeln!(out, "   - {colour}{name}: {lines}{}", paint.plain)?;
    }
    Ok(())
}

fn write_arms(out: &mut String, arms: &Arms, paint: Paint) -> std::fmt::Result {
    writeln!(out, "- on {}{}", arms.on, status(arms.status.as_ref()))?;
    for (name, colour, lines) in [
        ("A", paint.first, &arms.sides[0]),
        ("B", paint.second, &arms.sides[1]),
    ] {
        if lines.is_empty() {
            writeln!(out, "  - {colour}{name}: no such arm{}", paint.plain)?;
        }
        for line in lines {
            writeln!(out, "  - {colour}{name}: {line}{}", paint.plain)?;
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
