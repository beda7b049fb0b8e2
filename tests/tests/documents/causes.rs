//! Where documents differ first, why, and how that adds up.

use std::fs;
use std::sync::OnceLock;

use libtest_mimic::Failed;
use speclex_analysis::diff::{Blame, kind_name};
use speclex_analysis::engine::{InterpreterEngine, Request};
use speclex_analysis::survey::{Difference, Name, Survey, Surveyor, Tables};
use speclex_codegen::machine::{Feedback, Machine};
use speclex_tests::revision::Revision;
use speclex_tests::{files, shared};

use crate::{Checked, check, same};

fn machine(name: &str) -> Machine {
    Revision::shared(name).machine.clone()
}

fn surveyor<'m>(machines: &'m [Machine; 2], blame: &'m OnceLock<Blame>) -> Surveyor<'m> {
    let machines = machines.each_ref();
    Surveyor::new(
        machines,
        machines.map(|m| Box::new(InterpreterEngine::new(m)) as Box<_>),
        Request {
            feedback: Feedback::Scripting,
            ..Request::default()
        },
        blame,
    )
}

fn compare(surveyor: &mut Surveyor<'_>, text: &str) -> Result<Option<Difference>, Failed> {
    Ok(surveyor.compare(&Name::default(), text)?)
}

/// What differs, the line and the column, and the arm of the first table.
type Expected = (&'static str, u64, u64, &'static str);

/// The tables, a document, and what is to be found in it; worked out by hand.
const KNOWN: &[(&str, &str, &str, Option<Expected>)] = &[
    (
        "html-2026-06",
        "html-living",
        "<p>\n<?a b?>",
        Some(("tokens", 2, 2, "tag open on U+003F (?)")),
    ),
    (
        "html-2026-06",
        "html-living",
        "\r\n\r<p><?a b?>",
        Some(("tokens", 3, 5, "tag open on U+003F (?)")),
    ),
    // What scripts hold is no markup, and what comes after them is.
    (
        "html-2026-06",
        "html-living",
        "<script><?a b?></script><style><?a b?></style><textarea><?a?>",
        None,
    ),
    (
        "html-2026-06",
        "html-living",
        "<script>'</p><?a?>'</script>\u{1F600}<?a?>",
        Some(("tokens", 1, 32, "tag open on U+003F (?)")),
    ),
    ("html-2026-06", "html-living", "", None),
    (
        "html-2014",
        "html-2026-06",
        "<!---- >a-->",
        Some(("errors", 1, 7, "comment end on anything else")),
    ),
    (
        "html-2012",
        "html-2014",
        "\u{FEFF}<p>",
        Some(("tokens", 1, 1, "a leading byte order mark is dropped")),
    ),
    // With the same mark everything else still has its arms.
    (
        "html-2009",
        "html-2012",
        "\u{FEFF}<p>\0",
        Some(("tokens", 1, 5, "U+0000 is seen as")),
    ),
];

pub(crate) fn known_documents() -> Checked {
    for (one, other, text, wanted) in KNOWN {
        let machines = [machine(one), machine(other)];
        let found = compare(&mut surveyor(&machines, &OnceLock::new()), text)?;
        let found = found.as_ref().map(|found| {
            let Difference {
                shown,
                differs,
                arms,
            } = found;
            (
                kind_name(*differs),
                shown.line,
                shown.column,
                arms[0].as_str(),
            )
        });
        same(found, *wanted, &format!("{one} and {other} on {text:?}"))?;
    }
    Ok(())
}

/// What both sides make of the errors at the first place where they differ: where one has none, its next one that the other lacks.
pub(crate) fn errors_elsewhere() -> Checked {
    for (one, other, text, wanted) in [
        (
            "html-2014",
            "html-living",
            "<p>\n<?xml?>",
            [
                "parse error at 2:2",
                "error disallowed-processing-instruction-target at 2:6",
            ],
        ),
        (
            "html-living",
            "html-2026-06",
            "<p>\n<?xml?>",
            [
                "error disallowed-processing-instruction-target at 2:6",
                "error unexpected-question-mark-instead-of-tag-name at 2:2",
            ],
        ),
        // What both have elsewhere is not beside it.
        (
            "html-2014",
            "html-2026-06",
            "<!---- >a-->\n<?xml?>",
            ["parse error", "no error here"],
        ),
    ] {
        let machines = [machine(one), machine(other)];
        let found = compare(&mut surveyor(&machines, &OnceLock::new()), text)?;
        let found = found.map(|it| it.shown.outputs);
        let what = format!("{one} and {other} on {text:?}");
        same(found, Some(wanted.map(str::to_owned)), &what)?;
    }
    Ok(())
}

/// Small real documents have the same cause whether they are replayed from near the difference or from their
/// beginning.
pub(crate) fn excerpts() -> Checked {
    let Some(corpora) = shared("corpora") else {
        return Ok(());
    };
    let mut checked = 0;
    for pair in [
        ["html-2009", "html-2012"],
        ["html-2014", "html-living"],
        ["xml5-2016", "xml5"],
    ] {
        let machines = pair.map(machine);
        let blame = OnceLock::new();
        let mut surveyor = surveyor(&machines, &blame);
        let blame = Blame::new(&machines[0], &machines[1]);
        for path in files(&corpora, &["html", "xml"]) {
            let text = fs::read_to_string(&path).unwrap_or_default();
            if text.len() > 1 << 13 || text.starts_with('\u{FEFF}') {
                continue;
            }
            if let Some(found) = compare(&mut surveyor, &text)? {
                let request = Request {
                    input: &text,
                    feedback: Feedback::Scripting,
                    ..Request::default()
                };
                let whole = blame
                    .find(&request, found.differs)
                    .map(|blamed| blamed.labels);
                same(whole, Some(found.arms), &path.display().to_string())?;
                checked += 1;
            }
        }
    }
    check(checked > 300, || format!("only {checked} documents"))
}

pub(crate) fn add_up() -> Checked {
    let machines = ["html-2009", "html-2012"].map(machine);
    let tables = Tables::of(machines.each_ref());
    let blame = OnceLock::new();
    let mut surveyor = surveyor(&machines, &blame);
    let texts = [
        "<!--x",
        "\0",
        "<p a='&a=",
        "fine",
        "<title>a</p>",
        "\0\0",
        "&#xD;",
        "<a",
        "<a b",
    ];
    let mut parts: Vec<Survey> = (0..3).map(|_| Survey::new(tables.clone(), true)).collect();
    let mut whole = Survey::new(tables, true);
    for (number, text) in texts.iter().enumerate() {
        let name = Name {
            file: format!("document {}", 7 * number % 10),
            record: None,
        };
        let found = surveyor.compare(&name, text)?;
        for survey in [&mut whole, &mut parts[number % 3]] {
            survey.compared(text.len() as u64, number != 4, found.clone());
            survey.left_out("for a reason", 1);
            survey.not_read(name.clone(), "for another".to_owned());
        }
    }
    whole.sort();
    check(whole.differing.all() > 5, || format!("{whole:#?}"))?;
    for order in [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ] {
        let [a, b, c] = order.map(|index| parts[index].clone());
        // (a + b) + c, and a + (b + c).
        let mut first = a.clone();
        first.merge(b.clone()).map_err(|e| e.to_string())?;
        first.merge(c.clone()).map_err(|e| e.to_string())?;
        let (mut second, mut rest) = (a, b);
        rest.merge(c).map_err(|e| e.to_string())?;
        second.merge(rest).map_err(|e| e.to_string())?;
        same(&first, &whole, "first two")?;
        same(&second, &whole, "last two")?;
    }
    Ok(())
}

/// What is known of two tables is found out once: a small document takes little, however many came before it. Counted are the
/// bytes that are allocated.
pub(crate) fn small_documents_take_little() -> Checked {
    const LITTLE: u64 = 400_000;
    for (one, other, texts) in [
        ("html-2026-06", "html-living", &["<?x ?>", "a<?x"][..]),
        ("html-2014", "html-living", &["<!---- >a-->", "a<?x"]),
        ("html-2009", "html-2012", &["\u{FEFF}<p>\0", "<a/"]),
        // No change alone is to blame.
        ("html-2009", "html-living", &["</a&#x80;<?x=!x--b</a <%"]),
    ] {
        let machines = [machine(one), machine(other)];
        let blame = OnceLock::new();
        let mut surveyor = surveyor(&machines, &blame);
        for text in texts {
            let first = compare(&mut surveyor, text)?;
            check(first.is_some(), || format!("{text:?} does not differ"))?;
            let mut second = Ok(None);
            let memory = allocation_counter::measure(|| second = compare(&mut surveyor, text));
            same(second?, first, text)?;
            check(memory.bytes_total < LITTLE, || {
                format!(
                    "{one} and {other} on {text:?}: {} bytes",
                    memory.bytes_total
                )
            })?;
        }
    }
    Ok(())
}
