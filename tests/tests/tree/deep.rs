//! Bad input: deep, wide, cut off anywhere, and machines that no checked table lowers to. No panic, no overflow of the stack, and
//! each end has a name.

use std::fmt::Write;
use std::sync::{Arc, OnceLock};

use libtest_mimic::Failed;
use speclex_analysis::tree::{Context, Environment, Event, Node};
use speclex_codegen::tree::machine::{Block, Exit, Guard, Mode, Step};
use speclex_tests::cases::Cases;

use crate::html::Pair;

type Run = Box<dyn FnOnce(&Pair) -> Result<(), Failed> + Send>;

const N: usize = 100_000;

/// Text that stands before, text that is repeated, and how deep the tree is at least, in parts of the repetitions.
const FAMILIES: &[(&str, &str, usize)] = &[
    ("", "<div>", 1),
    ("", "<font>", 1),
    ("<p>", "<b><p>", 0),
    ("", "<a-b>", 1),
    ("", "<ul><li>", 2),
    ("", "<ruby><rt>", 1),
    ("", "<b><object>", 1),
    ("", "<template>", 1),
    ("", "<table><tr><td>", 4),
    ("", "<svg>", 1),
    ("", "<math><mi>", 1),
    ("<svg>", "<foreignObject><div>", 1),
    ("", "<table>", 0),
    ("", "<table><b>x", 0),
    ("", "<select>", 0),
    ("<select><button><selectedcontent></button>", "<option>x", 0),
    ("<frameset>", "<frameset>", 1),
    ("", "<form><div></form>", 1),
    ("", "<a><b><p></a></b>", 0),
    ("", "<body></body></html>", 0),
    ("", "<!---->", 0),
    ("", "\0", 0),
    ("<table>", "\0 x", 0),
    ("", "<?a?>", 0),
];

/// Documents with something of everything, for all their beginnings.
const DOCUMENTS: &[&str] = &[
    "<!DOCTYPE html PUBLIC \"a\" 'b'><head><title>&amp;t</title><script><!--x--></script><body><p>a<table>b<tr><td><b>c\
     <svg viewbox=1><foreignobject><i>d</table>e<template><td>f</template><select><option>g<button>h</select></p></b>",
    "<frameset><frame/><noframes>x</noframes></frameset></html><!--y-->",
    "<math><annotation-xml encoding=text/html><div><mi><mglyph></math><a><div><a><?p q?><pre>\n\0</body> z<ruby><rt>",
];

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    let pair: Arc<OnceLock<Pair>> = Arc::default();
    let mut trial = |name: String, run: Run| {
        let pair = Arc::clone(&pair);
        let is_ignored = name.ends_with("million");
        let run = move || run(pair.get_or_init(|| Pair::named("html-tree-living")));
        match is_ignored {
            true => suite.add_ignored(name, run),
            false => suite.add_trial(name, run),
        }
    };
    for (before, repeated, depth) in FAMILIES {
        let run = move |pair: &Pair| {
            let times = N / repeated.matches('<').count().max(1);
            let least = depth * times;
            let deepest = deepest(pair, &(before.to_string() + &repeated.repeat(times)))?;
            match deepest >= least {
                true => Ok(()),
                false => Err(format!("{deepest} deep, expected {least}").into()),
            }
        };
        trial(
            format!("deep/{before}{}", repeated.escape_debug()),
            Box::new(run),
        );
    }
    let million = move |pair: &Pair| deepest(pair, &"<div>".repeat(10 * N)).map(drop);
    trial("deep/a million".to_owned(), Box::new(million));
    trial("wide/attributes".to_owned(), Box::new(many_attributes));
    trial("cut off anywhere".to_owned(), Box::new(cut_off));
    trial("malformed machines".to_owned(), Box::new(malformed));
}

/// How deep the tree of a document is. It is printed, too.
fn deepest(pair: &Pair, input: &str) -> Result<usize, Failed> {
    let parsed = pair.parse(input, &Environment::default())?;
    parsed.tree.write_json(&mut std::io::sink())?;
    Ok(parsed
        .tree
        .events()
        .map(|(_, depth)| depth)
        .max()
        .unwrap_or(0))
}

fn many_attributes(pair: &Pair) -> Result<(), Failed> {
    let mut tag = "<html".to_owned();
    for number in 0..N {
        write!(tag, " a{number}=x")?;
    }
    // The second tag has nothing that the first does not have; `font` and its copy have all.
    let font = tag.replace("<html", "<p><font");
    let input = format!("{tag} b>{tag} c>{font}><p>x");
    let parsed = pair.parse(&input, &Environment::default())?;
    let mut counts = Vec::new();
    for (event, _) in parsed.tree.events() {
        if let Event::Enter(id) = event
            && let Node::Element(element) = parsed.tree.node(id)
            && !element.attributes.is_empty()
        {
            counts.push((element.name.to_string(), element.attributes.len()));
        }
    }
    let expected = [("html", N + 2), ("font", N), ("font", N)];
    match counts
        .iter()
        .map(|(name, count)| (name.as_str(), *count))
        .eq(expected)
    {
        true => Ok(()),
        false => Err(format!("found {counts:?}").into()),
    }
}

fn cut_off(pair: &Pair) -> Result<(), Failed> {
    for document in DOCUMENTS {
        for (end, _) in document.char_indices() {
            let start = document.get(..end).unwrap_or_default();
            pair.parse(start, &Environment::default())?;
            for context in ["template", "td", "select", "svg path", "script", "frameset"] {
                let environment = Environment {
                    context: Some(Context::parse(context)),
                    ..Environment::default()
                };
                pair.parse(start, &environment)?;
            }
        }
    }
    Ok(())
}

/// Machines whose bodies run for ever or run themselves stop, with a named fault.
fn malformed(pair: &Pair) -> Result<(), Failed> {
    let own_rules = Step::UseRules(Mode::Current);
    let for_ever = Exit::If {
        guard: Guard::True,
        yes: 0,
        no: 0,
    };
    for (steps, exit, expected) in [
        (vec![], for_ever, "run for ever"),
        (vec![], Exit::Reprocess, "run for ever"),
        (vec![], Exit::ReprocessUsing(Mode::Current), "run for ever"),
        (vec![own_rules], Exit::Done, "run each other without end"),
        (vec![], Exit::Go(9), ""),
        (
            vec![Step::Pop, Step::SwitchTo(Mode::Named(999))],
            Exit::Done,
            "",
        ),
    ] {
        let mut tree = pair.tree.clone();
        for body in &mut tree.bodies {
            body.slots.clear();
            body.blocks = vec![Block {
                steps: steps.clone(),
                exit: exit.clone(),
            }];
        }
        tree.dispatcher = None;
        let end =
            speclex_analysis::tree::parse(&pair.tokenizer, &tree, "<p>x", &Environment::default());
        let found = end
            .err()
            .map_or(String::new(), |refusal| refusal.to_string());
        if !found.contains(expected) || found.is_empty() != expected.is_empty() {
            return Err(format!("{exit:?}: expected {expected:?}, found {found:?}").into());
        }
    }
    Ok(())
}
