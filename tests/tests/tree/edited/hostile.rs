//! Many edits at one place, deep and wide trees, many attributes, many copies: it takes linear time, and no stack. With the square of it the
//! many would take hours.

use libtest_mimic::Failed;
use speclex::{Edits, Node};
use speclex_tests::cases::Cases;

fn named<'d>(dom: &'d speclex::Dom<'_>, name: &str) -> Result<Node<'d>, Failed> {
    Ok(dom.elements(name).next().ok_or("no such element")?)
}

fn one_place(many: usize) -> Result<(), Failed> {
    let dom = speclex::parse("<div><p>x</p></div>");
    let (p, div) = (named(&dom, "p")?, named(&dom, "div")?);
    let mut edits = Edits::new(&dom);
    for _ in 0..many / 10 {
        edits
            .before(p, "<b>1</b>")
            .after(p, "2")
            .prepend(div, "3")
            .append(div, "<i>4</i>");
        edits.prepend(p, "5").append(p, "6");
    }
    for number in 0..many / 2 {
        edits.set_attribute(p, &format!("a{number}"), "1");
        edits.set_attribute(p, "class", &number.to_string());
    }
    let text = edits.apply()?;
    assert_eq!(text.matches("<b>1</b>").count(), many / 10);
    assert!(text.contains(&format!(" class=\"{}\"", many / 2 - 1)));
    // All are refused, after a while without a parse for each.
    let mut edits = Edits::new(&dom);
    for _ in 0..many {
        edits.append(p, "<div>");
    }
    let (text, refused) = edits.apply_possible();
    assert_eq!((text.as_str(), refused.len()), (dom.input(), many));
    assert_eq!(edits.apply().map_err(|error| error.edit()), Err(0));
    Ok(())
}

fn deep_and_wide(many: usize) -> Result<(), Failed> {
    let pages = [
        "<div>".repeat(many),
        "<p>x".repeat(many),
        "<span>".repeat(many) + &"</span>".repeat(many),
        // Copies: of three `b` elements at most, in each `p`.
        "<b><b><b><b>".to_owned() + &"<p>x".repeat(many / 10),
        // Texts that are moved before their tables.
        "<table>x<td>".repeat(many / 100),
        format!("<table>{}", "<tr>x".repeat(many)),
        "<pre>\n".repeat(many / 10),
        "</p>".repeat(many),
        "<noscript><p>x</noscript>".repeat(many / 10),
        "<noscript>".to_owned() + &"<p>x</p>".repeat(many) + "</noscript>",
    ];
    for page in &pages {
        let dom = speclex::parse(page);
        for change in [
            |edits: &mut Edits<'_>, node: Node<'_>| _ = edits.set_attribute(node, "id", "a&b"),
            |edits: &mut Edits<'_>, node: Node<'_>| _ = edits.before(node, "<!--x-->"),
            |edits: &mut Edits<'_>, node: Node<'_>| _ = edits.append(node, "<i>x</i>"),
            |edits: &mut Edits<'_>, node: Node<'_>| _ = edits.rename(node, "x-y"),
            |edits: &mut Edits<'_>, node: Node<'_>| _ = edits.remove(node),
        ] {
            let mut edits = Edits::new(&dom);
            let body = dom.body().ok_or("no body")?;
            body.descendants()
                .filter(|it| it.is_element())
                .for_each(|it| change(&mut edits, it));
            // What is not possible is said in time, too.
            drop(edits.apply());
            drop(edits.apply_possible());
        }
    }
    Ok(())
}

fn attributes(many: usize) -> Result<(), Failed> {
    let names: String = (0..many).map(|number| format!(" a{number}=x")).collect();
    let page = format!("<p{names}><p{names}>");
    let dom = speclex::parse(&page);
    let mut edits = Edits::new(&dom);
    let (first, second) = (named(&dom, "p")?, dom.elements("p").last().ok_or("none")?);
    for number in 0..many {
        edits.set_attribute(first, &format!("A{number}"), "y");
        edits.remove_attribute(second, &format!("a{number}"));
    }
    assert_eq!(
        edits.apply()?,
        format!("<p{}><p>", names.replace("=x", "=\"y\""))
    );
    Ok(())
}

pub(super) fn add(suite: &mut Cases) {
    suite.add_trial("edits: some at one place", || one_place(5_000));
    suite.add_trial("edits: deep and wide", || deep_and_wide(500));
    suite.add_trial("edits: attributes", || attributes(5_000));
    suite.add_ignored("edits: many at one place", || one_place(100_000));
    suite.add_ignored("edits: very deep and wide", || deep_and_wide(10_000));
    suite.add_ignored("edits: many attributes", || attributes(100_000));
}
