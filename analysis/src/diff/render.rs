//! A comparison for people: as text, and as Markdown that reads well as it is.

use std::cell::RefCell;
use std::collections::BTreeSet;

use speclex_codegen::escape;

use super::page::{Block, Span, cause, page};
use super::report::Report;

/// How many columns a line of the text has, if it can be broken.
const WIDTH: usize = 116;

const COLOURS: [&str; 2] = ["\x1b[31m", "\x1b[32m"];
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

/// What the text may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Nothing but text.
    Plain,
    /// What a terminal shows in colours and in bold.
    Terminal,
    Markdown,
}

impl Form {
    /// Of a text.
    fn text(colour: bool) -> Self {
        match colour {
            true => Self::Terminal,
            false => Self::Plain,
        }
    }

    /// Text of a table.
    fn prose(self, text: &str) -> String {
        match self {
            Self::Markdown => prose(text),
            Self::Plain | Self::Terminal => escape::line(text),
        }
    }

    fn code(self, text: &str) -> String {
        match self {
            Self::Markdown => escape::markdown_code(text),
            Self::Plain | Self::Terminal => escape::line(text),
        }
    }

    fn marked(self, shown: &str) -> String {
        match self {
            Self::Markdown => format!("**{shown}**"),
            Self::Terminal => format!("{BOLD}{shown}{PLAIN}"),
            Self::Plain => shown.to_owned(),
        }
    }

    /// A heading of this level, from 1.
    fn heading(self, level: usize, shown: &str) -> String {
        match self {
            Self::Markdown => format!("{} {shown}", "#".repeat(level)),
            Self::Plain | Self::Terminal => self.marked(shown),
        }
    }

    fn side(self, side: usize) -> String {
        let name = ["A", "B"][side];
        match self {
            Self::Terminal => format!("{}{name}{PLAIN}", COLOURS[side]),
            Self::Plain | Self::Markdown => name.to_owned(),
        }
    }

    fn link(self, text: &str, to: &str) -> String {
        match self {
            Self::Markdown => {
                let to = to.replace('(', "%28").replace(')', "%29");
                format!("[{}]({to})", prose(text))
            }
            Self::Plain | Self::Terminal => escape::line(&format!("{text} ({to})")),
        }
    }
}

/// How the text is written.
struct Style<'s> {
    form: Form,
    /// Where sections are links.
    links: Option<Links<'s>>,
    /// The links that there are already: one of each is enough.
    linked: RefCell<BTreeSet<String>>,
}

impl<'s> Style<'s> {
    fn new(form: Form, links: Option<Links<'s>>) -> Self {
        let linked = RefCell::default();
        Self {
            form,
            links,
            linked,
        }
    }

    fn is_new(&self, address: &str) -> bool {
        self.linked.borrow_mut().insert(address.to_owned())
    }
}

/// The text, without markup. With colour it is for terminals, where the differences are bold.
pub fn text(report: &Report, colour: bool) -> String {
    styled(report, &Style::new(Form::text(colour), None))
}

/// The text as Markdown whose sections are links. `address` gives that of a state in a table's text, if there is one to link to:
/// of the table, the section and the state.
pub fn markdown(report: &Report, address: &Address) -> String {
    let links = Links { report, address };
    styled(report, &Style::new(Form::Markdown, Some(links)))
}

fn styled(report: &Report, style: &Style<'_>) -> String {
    let form = style.form;
    let names = report.tables.each_ref().map(|name| form.prose(name));
    let mut out = form.heading(1, &names.join(" → ")) + "\n\n";
    let blocks = page(report);
    let (verdict, rest) = blocks.split_at(blocks.len().min(1));
    write_blocks(&mut out, verdict, style);
    for (side, (name, title)) in names.iter().zip(&report.titles).enumerate() {
        out += &format!("- {} is {name}: {}\n", form.side(side), form.prose(title));
    }
    out.push('\n');
    write_blocks(&mut out, rest, style);
    out.truncate(out.trim_end().len());
    out + "\n"
}

/// The text about one change, by its number.
pub fn cause_text(report: &Report, number: usize, colour: bool) -> String {
    let mut out = String::new();
    write_blocks(
        &mut out,
        &cause(report, number),
        &Style::new(Form::text(colour), None),
    );
    out.truncate(out.trim_end().len());
    out.trim_start().to_owned() + "\n"
}

/// Text of a table among the sentences of the page, which is Markdown.
fn prose(text: &str) -> String {
    let escaped = escape::markdown(text)
        .replace('`', "\\`")
        .replace("**", "\\*\\*");
    // A name of a reference would be shown as its characters.
    let mut parts = escaped.split('&');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |before, after| {
        let begins = after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '#');
        before + ["&", "\\&"][usize::from(begins)] + after
    })
}

fn write_blocks(out: &mut String, blocks: &[Block], style: &Style<'_>) {
    let mut after_item = false;
    for block in blocks {
        match block {
            Block::Heading(title) => {
                out.push_str(if out.ends_with("\n\n") { "" } else { "\n" });
                let title: String = pieces(title, style).into_iter().map(|(it, _)| it).collect();
                *out += &(style.form.heading(2, &title) + "\n\n");
            }
            Block::Text(spans) => {
                out.push_str(if after_item { "\n" } else { "" });
                write_line(out, "", spans, style);
                out.push('\n');
            }
            Block::Item(depth, spans) => {
                let dash = format!("{}- ", "  ".repeat(*depth));
                write_line(out, &dash, spans, style);
            }
            Block::Example(input, outputs) => {
                let [a, b] = [0, 1].map(|side| {
                    let name = [Span::Text("; ".to_owned()), Span::Side(side)];
                    name.into_iter().chain(outputs[side].iter().cloned())
                });
                let spans: Vec<Span> = input.iter().cloned().chain(a).chain(b).collect();
                write_line(out, "- ", &spans, style);
            }
            Block::Fold(what, blocks) => {
                out.push_str(if after_item { "\n" } else { "" });
                let what = style.form.prose(what);
                let (before, after) = match style.form {
                    Form::Markdown => (
                        format!("<details><summary>{what}</summary>"),
                        "</details>\n\n",
                    ),
                    Form::Plain | Form::Terminal => (format!("{what}:"), ""),
                };
                *out += &(before + "\n\n");
                // Of many lines each would be longer by a link.
                write_blocks(out, blocks, &Style::new(style.form, None));
                out.truncate(out.trim_end().len());
                *out += &format!("\n\n{after}");
            }
        }
        after_item = matches!(block, Block::Item(..) | Block::Example(..));
    }
}

/// A line in pieces: each with whether it may be broken.
fn pieces(spans: &[Span], style: &Style<'_>) -> Vec<(String, bool)> {
    let form = style.form;
    let piece = |span: &Span| match span {
        Span::Text(text) => (form.prose(text), true),
        Span::Marked(text) => (form.marked(&form.prose(text)), true),
        Span::Code(text) => (form.code(text), false),
        Span::MarkedCode(text) => (form.marked(&form.code(text)), false),
        Span::OfMarks(_) if form == Form::Plain => (String::new(), true),
        Span::OfMarks(text) => (form.prose(text), true),
        Span::Side(of) => (form.side(*of) + ": ", true),
        Span::Quote(quote) => (format!("\u{201C}{}\u{201D}", form.prose(quote)), true),
        Span::Link(text, to) => (form.link(text, to), true),
        Span::Sections(all) => {
            let sections = sections(all, style.links.as_ref());
            let shown = sections.into_iter().map(|(section, to)| match to {
                Some(to) if style.is_new(&to) => form.link(&section, &to),
                _ => form.prose(&section),
            });
            (shown.collect::<Vec<_>>().join(" → "), true)
        }
    };
    spans.iter().map(piece).collect()
}

/// Writes a line, broken where it is long; what is code is not broken.
fn write_line(out: &mut String, dash: &str, spans: &[Span], style: &Style<'_>) {
    let mut line = dash.to_owned();
    let indent = " ".repeat(dash.len());
    // A terminal does not show what makes it write in bold or in a colour.
    let width = |text: &str| {
        let mut parts = text.split("\x1b[");
        let first = parts.next().map_or(0, |part| part.chars().count());
        let shown = |part: &str| part.split_once('m').map_or(0, |(_, it)| it.chars().count());
        first + parts.map(shown).sum::<usize>()
    };
    let mut atom = String::new();
    let flush = |line: &mut String, atom: &mut String, out: &mut String| {
        let fits = width(line) + width(atom) <= WIDTH;
        if !fits && width(line) > indent.len() && line.trim() != "-" {
            out.push_str(line.trim_end());
            out.push('\n');
            *line = format!("{indent}{}", atom.trim_start());
        } else {
            line.push_str(atom);
        }
        atom.clear();
    };
    for (piece, breaks) in pieces(spans, style) {
        if !breaks {
            atom.push_str(&piece);
            continue;
        }
        for (index, word) in piece.split(' ').enumerate() {
            if index > 0 {
                flush(&mut line, &mut atom, out);
                atom.push(' ');
            }
            atom.push_str(word);
        }
    }
    flush(&mut line, &mut atom, out);
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Where sections are.
struct Links<'l> {
    report: &'l Report,
    address: &'l Address,
}

/// Sections with their addresses; once if both sides have one number, unless there is an address for each.
fn sections(
    all: &[(usize, String, String)],
    links: Option<&Links<'_>>,
) -> Vec<(String, Option<String>)> {
    let linked = all.iter().map(|(side, section, state)| {
        let to = links.and_then(|it| (it.address)(&it.report.own_names[*side], section, state));
        (section.clone(), to)
    });
    let mut linked: Vec<(String, Option<String>)> = linked.collect();
    linked.dedup_by(|next, before| {
        let same =
            next.0 == before.0 && (next.1.is_none() || before.1.is_none() || next.1 == before.1);
        before.1 = before.1.take().or_else(|| next.1.clone().filter(|_| same));
        same
    });
    linked
}

/// The address of a state in the text of its table.
pub type Address = dyn Fn(&str, &str, &str) -> Option<String>;
