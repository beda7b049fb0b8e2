//! Random edits of random documents and fragments.

use std::collections::BTreeMap;

use libtest_mimic::Failed;
use speclex::tree::Scripting;
use speclex::{Context, Dom, NodeId, NodeKind};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;

use super::{Count, Edit, again, mutable};

const NAMES: &str = "p div b i a table tr td tbody caption select option ul li h1 h2 form svg path foreignObject math mi annotation-xml template \
     script style title textarea pre br img html head body frameset noscript button nobr font dd dt ruby rt span x-y col desc image input meta \
     colgroup selectedcontent noscript";
const TEXTS: &[&str] = &[
    "a", "\n", " ", "&am", "p;", "&amp;", "<", "x y", "\r", "\r\n", "é", "]]>", "&lt;b>", "q",
    "\0", "--", "script>", "=", "\n\n", "\"", "'",
];
const VALUES: &[&str] = &[
    "",
    "=1",
    "=\"a b\"",
    "='x\"'",
    "=a&amp;b",
    "=\"&quot;\"",
    " = z",
    "=",
    "=x/",
    "='\r\n'",
    "=\"é\"",
];
const ATTRIBUTES: &[&str] = &[
    "class",
    "ID",
    "viewbox",
    "xlink:href",
    "type",
    "n",
    "a'b",
    "xml:lang",
    "href",
    "hidden",
    "encoding",
];
const OTHERS: &[&str] = &[
    "<!--c-->",
    "<!-- x --",
    "<?pi x>",
    "<!doctype html>",
    "<![CDATA[x]]>",
    "<!>",
    "<!--a--><!--b-->",
    "<plaintext>",
];
const GOOD: &[&str] = &[
    "<b>x</b>",
    "text",
    "<div>x</div>",
    "<p>x</p>",
    "<!--n-->",
    "<li>x</li>",
    "<tr><td>x</td></tr>",
    "<img src=x>",
    "<script>1<2</script>",
    "<meta charset=utf-8>",
    "<svg><g/></svg>",
    "\n",
    "<td>x",
    "<option>x",
    "&amp;",
    "",
    "<form>x</form>",
];

/// Tags and texts.
fn pieces(random: &mut Random, count: usize) -> String {
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    let mut out = String::new();
    let mut open: Vec<&str> = Vec::new();
    for _ in 0..count {
        match random.below(20) {
            0..=7 => {
                let name = *random.one(&names);
                out += "<";
                out += name;
                for _ in 0..random.below(3) {
                    out += *random.one(&[" ", "\n", "/", "  "]);
                    out += *random.one(ATTRIBUTES);
                    out += *random.one(VALUES);
                }
                out += if random.below(12) == 0 { " />" } else { ">" };
                open.push(name);
            }
            8..=10 => {
                if let Some(name) = open.pop() {
                    out += &format!("</{name}>");
                }
            }
            11..=12 => out += &format!("</{}>", *random.one(&names)),
            13 => out += *random.one(OTHERS),
            _ => out += *random.one(TEXTS),
        }
    }
    out
}

fn edit(random: &mut Random) -> Edit {
    let html = |random: &mut Random| match random.below(3) {
        0 => {
            let count = 1 + random.below(4);
            pieces(random, count)
        }
        _ => (*random.one(GOOD)).to_owned(),
    };
    let text = |random: &mut Random| match random.below(2) {
        0 => "new <text> & \"more\"".to_owned(),
        _ => (0..random.below(4)).map(|_| *random.one(TEXTS)).collect(),
    };
    let names = [
        "class",
        "id",
        "viewBox",
        "xlink:href",
        "data-x",
        "TYPE",
        "xml:lang",
        "n",
    ];
    let new = [
        "div", "span", "p", "section", "X-z", "h3", "td", "b", "br", "g", "noscript",
    ];
    match random.below(12) {
        0..=1 => Edit::Remove,
        2 => Edit::ReplaceWith(html(random)),
        3 => Edit::Before(html(random)),
        4 => Edit::After(html(random)),
        5 => Edit::Prepend(html(random)),
        6 => Edit::Append(html(random)),
        7..=8 => Edit::SetText(text(random)),
        9 => Edit::SetAttribute((*random.one(&names)).into(), text(random)),
        10 => Edit::RemoveAttribute((*random.one(&names)).into()),
        _ => Edit::Rename((*random.one(&new)).into()),
    }
}

/// Some edits of different nodes. Where the order of the operations matters, the tree has one and edits have none: such sets are left out.
pub(super) fn edits(dom: &Dom<'_>, random: &mut Random) -> Vec<(NodeId, Edit)> {
    let nodes: Vec<_> = dom.root().descendants_with_templates().collect();
    let mut list: Vec<(NodeId, Edit)> = Vec::new();
    let mut outer = 0;
    if nodes.is_empty() {
        return list;
    }
    let count = [1, 1, 1, 2, 3, 4][random.below(6)];
    for _ in 0..count {
        let node = *random.one(&nodes);
        let edit = edit(random);
        let is_outer = ["body", "head", "html"].iter().any(|name| node.is(name));
        outer += usize::from(matches!(edit, Edit::Append(_)) && is_outer);
        let fits = match (&edit, node.kind()) {
            (Edit::SetText(_), kind) => {
                matches!(kind, NodeKind::Text(_) | NodeKind::Comment(_)) || node.is_element()
            }
            (Edit::Remove | Edit::ReplaceWith(_) | Edit::Before(_) | Edit::After(_), kind) => {
                kind != NodeKind::TemplateContents
            }
            _ => node.is_element(),
        };
        let is_renamed = |edit: &Edit| matches!(edit, Edit::Rename(_));
        let parents = list.iter().any(|(id, other)| {
            let above = node.parent().is_some_and(|it| it.id() == *id) && is_renamed(other);
            let other = dom.node(*id).and_then(|it| it.parent());
            above || is_renamed(&edit) && other.is_some_and(|it| it == node)
        });
        let is_there = list.iter().any(|(id, _)| *id == node.id());
        if fits && outer <= 1 && !parents && !is_there {
            list.push((node.id(), edit));
        }
    }
    list
}

/// What they are, by the name of the method.
fn kind(list: &[(NodeId, Edit)]) -> String {
    match list {
        [(_, edit)] => {
            let name = format!("{edit:?}");
            name.split('(').next().unwrap_or_default().to_owned()
        }
        _ => "Several".into(),
    }
}

fn run(wanted: usize, random: &mut Random, in_contexts: bool) -> Result<(), Failed> {
    let contexts = [
        "div", "body", "td", "tr", "table", "ul", "template", "svg g", "p", "select", "textarea",
        "head",
    ];
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut tried = 0;
    while tried < wanted {
        let length = 4 + random.below(24);
        let text = match random.below(4) {
            0 => document(random).concat(),
            1 => format!(
                "<!doctype html><html><head><title>t</title></head><body>{}</body>\n</html>\n",
                pieces(random, length)
            ),
            _ => pieces(random, length),
        };
        let name = *random.one(&contexts);
        let context = in_contexts.then(|| Context::new(name)).transpose()?;
        let dom = again(&text, context.as_ref(), Scripting::Disabled);
        let list = edits(&dom, random);
        if list.is_empty() {
            continue;
        }
        tried += 1;
        let count = counts.entry(kind(&list)).or_default();
        count.one(&dom, &list, context.as_ref(), true)?;
    }
    let shares: Vec<_> = counts
        .iter()
        .map(|(kind, it)| format!("{kind} {}/{} ({:.1} %)", it.taken, it.tried, it.share()))
        .collect();
    println!("{shares:#?}");
    let taken: usize = counts.values().map(|it| it.taken).sum();
    let compared: usize = counts.values().map(|it| it.compared).sum();
    assert!(taken * 5 > tried * 2, "{taken} of {tried}");
    assert!(compared * 10 > taken * 9, "{compared} of {taken}");
    Ok(())
}

/// The oracle finds wrong texts.
fn oracle_is_no_rubber_stamp() -> Result<(), Failed> {
    let dom = speclex::parse("<<script></script>script>alert(1)</script>");
    let script = dom.elements("script").next().ok_or("none")?;
    let list = [(script.id(), Edit::Remove)];
    let text = "<script>alert(1)</script>";
    let result = mutable::is_meant(&dom, &list, None, Scripting::Disabled, text);
    assert!(matches!(result, Some(Err(_))));
    let right = "&lt;script>alert(1)</script>";
    let result = mutable::is_meant(&dom, &list, None, Scripting::Disabled, right);
    assert_eq!(result, Some(Ok(())));
    Ok(())
}

/// What is removed has copies, which stay.
fn copies() -> Result<(), Failed> {
    let dom = speclex::parse("<p>1<a id=x />2<i>3<p>4<p>5");
    for (name, expected) in [
        ("a", "<p>1<p><a id=x /><i>4<p>5"),
        ("p", "<body><p><a id=x /><i>4<p>5"),
    ] {
        let mut edits = speclex::Edits::new(&dom);
        edits.remove(dom.elements(name).next().ok_or("none")?);
        assert_eq!(edits.apply()?, expected);
    }
    Ok(())
}

/// How many random sets are many, unless the environment variable `EDITS` has another number.
const MANY: usize = 100_000;

/// Adds the cases. `EDITS=1000000 cargo test -p speclex-tests --test tree -- --ignored edits` takes more sets.
pub(super) fn add(suite: &mut Cases) {
    suite.add_trial("edits: the oracle", oracle_is_no_rubber_stamp);
    suite.add_trial("edits: copies", copies);
    suite.add_trial("edits: random documents", || {
        run(3_000, &mut Random::named("edits"), false)
    });
    suite.add_trial("edits: random fragments", || {
        run(1_000, &mut Random::named("edits of fragments"), true)
    });
    suite.add_ignored("edits: many random documents", || {
        let wanted = std::env::var("EDITS").map_or(Ok(MANY), |number| number.parse())?;
        run(wanted, &mut Random::named("many edits"), false)?;
        run(
            wanted / 5,
            &mut Random::named("many edits of fragments"),
            true,
        )
    });
}
