//! Edits of texts that others read otherwise: with scripting, by older revisions of the standard, in other encodings.

use libtest_mimic::Failed;
use speclex::encoding::Hints;
use speclex::encoding::encoding_rs::{Encoding, UTF_16BE, UTF_16LE};
use speclex::tree::Scripting;
use speclex::{EditErrorKind, EditReader, Edits};
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;

use super::{Count, Edit, again, mutable, random};

fn element<'d>(dom: &'d speclex::Dom<'_>, name: &str) -> Result<speclex::Node<'d>, Failed> {
    Ok(dom.elements(name).next().ok_or("no such element")?)
}

/// Who reads another tree.
fn reader(edits: &Edits<'_>) -> Option<EditReader> {
    match edits.apply().map_err(|error| error.kind().clone()) {
        Err(EditErrorKind::Differs { reader, .. } | EditErrorKind::Absent(reader)) => Some(reader),
        _ => None,
    }
}

fn scripting() -> Result<(), Failed> {
    // Without scripting the image ends the head.
    let page = "<head><title>t</title><noscript><img src=a></noscript><script>1</script></head>";
    for mode in [Scripting::Disabled, Scripting::Normal] {
        let dom = again(page, None, mode);
        let mut edits = Edits::new(&dom);
        edits.append(dom.head().ok_or("no head")?, "<link rel=stylesheet href=x>");
        assert_eq!(reader(&edits), Some(EditReader::OtherScripting), "{mode:?}");
        let mut edits = Edits::new(&dom);
        edits.prepend(dom.head().ok_or("no head")?, "<link href=x>");
        assert_eq!(reader(&edits), None);
        let mut edits = Edits::new(&dom);
        // The image is in it with scripting only.
        edits.remove(element(&dom, "noscript")?);
        assert_eq!(reader(&edits), Some(EditReader::OtherScripting), "{mode:?}");
    }
    let page = "<p>a<noscript><i>b</i></noscript>c";
    let dom = speclex::parse(page);
    let mut edits = Edits::new(&dom);
    edits
        .set_text(element(&dom, "i")?, "d")
        .set_attribute(element(&dom, "i")?, "id", "e");
    edits.append(element(&dom, "noscript")?, "<b>f</b>");
    let changed = "<p>a<noscript><i id=\"e\">d</i><b>f</b></noscript>c";
    assert_eq!(edits.apply()?, changed);
    let mut edits = Edits::new(&dom);
    edits.remove(element(&dom, "noscript")?);
    assert_eq!(edits.apply()?, "<p>ac");
    // It would end the `noscript` where that is text.
    let mut edits = Edits::new(&dom);
    edits.append(
        element(&dom, "i")?,
        "<!--</noscript><script>alert(1)</script>-->",
    );
    assert_eq!(reader(&edits), Some(EditReader::OtherScripting));
    // `b` is reopened for the `noscript`; with scripting, for the text after it.
    let reopens = speclex::parse("<body><p><b>x</p><noscript>y</noscript>z");
    let mut edits = Edits::new(&reopens);
    edits.remove(element(&reopens, "p")?);
    assert_eq!(reader(&edits), Some(EditReader::OtherScripting));
    let dom = again(page, None, Scripting::Normal);
    let mut edits = Edits::new(&dom);
    edits.set_text(element(&dom, "noscript")?, "<i id=\"e\">d</i>");
    assert_eq!(
        edits.apply()?,
        "<p>a<noscript><i id=\"e\">d</i></noscript>c"
    );
    edits.set_text(element(&dom, "noscript")?, "<!--");
    assert_eq!(reader(&edits), Some(EditReader::OtherScripting));
    Ok(())
}

/// Parts of documents where elements with a `noscript` in them are open, left open, or read otherwise.
const PARTS: &[&str] = &[
    "<noscript><img src=a></noscript>",
    "<noscript><a href=b><img></a></noscript>",
    "<noscript><p>x</p></noscript>",
    "<noscript> <div>a<span>b</span></div>\n<!--c--></noscript>",
    "<noscript><iframe>x</iframe></NOSCRIPT >",
    "<noscript><link href=x><style>y</style></noscript>",
    "<noscript></p></noscript>",
    "<noscript><a></noscript>",
    "<noscript></b></noscript>",
    "<noscript><body id=b>x</body></noscript>",
    "<noscript><iframe></noscript></iframe></noscript>",
    "<noscript><!--</noscript>--></noscript>",
    "<noscript>\0</noscript>",
    "<noscript>",
    "</noscript>",
    "<b>",
    "<b>",
    "</b>",
    "<a>",
    "</a>",
    "<nobr>",
    "<p>",
    "</p>",
    "<table>",
    "<tr><td>",
    "<caption>",
    "</table>",
    "<body>",
    "<body class=x>",
    "<frameset>",
    "<form>",
    "</form>",
    "<select>",
    "<option>",
    "</select>",
    "<svg>",
    "</svg>",
    "<template>",
    "</template>",
    "<ul>",
    "<li>",
    "<h1>",
    "</body>",
    "</html>",
    "<head>",
    "</head>",
    "<!doctype html>",
    "<title>t</title>",
    "<div>",
    "</div>",
    "<button>",
    "x",
    " ",
    "<colgroup>",
    "<applet>",
    "</applet>",
    "<selectedcontent>",
];

/// Random edits of random documents with many `noscript` elements: where scripts run, they mean the same, too.
fn noscripts(wanted: usize) -> Result<(), Failed> {
    let mut random = Random::named("edits of noscript");
    let mut count = Count::default();
    while count.tried < wanted {
        let parts = (0..2 + random.below(10)).map(|_| *random.one(PARTS));
        let text: String = parts.collect();
        let dom = speclex::parse(&text);
        let list = random::edits(&dom, &mut random);
        if !list.is_empty() {
            count.one(&dom, &list, None, true)?;
        }
    }
    assert!(count.taken * 3 > count.tried, "{count:?}");
    assert!(count.compared * 10 > count.taken * 9, "{count:?}");
    Ok(())
}

/// Before 2026 a `select` had no such elements inside.
fn older_revision() -> Result<(), Failed> {
    let dom = speclex::parse("<select><option>a</select>");
    let option = element(&dom, "option")?;
    let mut edits = Edits::new(&dom);
    edits.append(option, "<b>c</b>");
    assert_eq!(edits.apply()?, "<select><option>a<b>c</b></select>");
    edits.also(speclex_tokenizers::html_tree_2022_10::parse);
    assert_eq!(reader(&edits), Some(EditReader::Also(0)));
    let mut edits = Edits::new(&dom);
    edits
        .also(speclex_tokenizers::html_tree_2022_10::parse)
        .set_text(option, "b");
    assert_eq!(edits.apply()?, "<select><option>b</select>");
    Ok(())
}

/// Random edits of the bytes of random documents, some of them malformed.
fn encodings(wanted: usize) -> Result<(), Failed> {
    let labels = [
        "utf-8",
        "utf-16be",
        "utf-16le",
        "gb18030",
        "big5",
        "euc-jp",
        "shift_jis",
        "euc-kr",
        "windows-1252",
    ];
    let mut random = Random::named("edits of bytes");
    let (mut tried, mut taken) = (0, 0);
    while tried < wanted {
        let label = *random.one(&labels);
        let encoding = Encoding::for_label(label.as_bytes()).ok_or(label)?;
        let text = document(&mut random).concat() + "é<p>日本<b class=한>€";
        let mut bytes = match encoding {
            it if it == UTF_16BE => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            it if it == UTF_16LE => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            it => it.encode(&text).0.into_owned(),
        };
        for _ in 0..random.below(3) {
            let at = random.below(bytes.len());
            bytes.insert(at, *random.one(&[0xFF, 0x80, 0xE3, b'<']));
        }
        let hints = Hints::html().encoding(encoding);
        let (dom, _) = speclex::parse_bytes(&bytes, &hints);
        let list = random::edits(&dom, &mut random);
        if list.is_empty() {
            continue;
        }
        tried += 1;
        let mut edits = Edits::new(&dom);
        for (id, edit) in &list {
            edit.ask(&mut edits, dom.node(*id).ok_or("no node")?);
        }
        let Ok(new) = edits.apply_bytes(&bytes, &hints) else {
            continue;
        };
        taken += 1;
        let (found, _) = speclex::parse_bytes(&new, &hints);
        let meant = mutable::is_meant(&dom, &list, None, Scripting::Disabled, found.input());
        if let Some(Err(trees)) = meant {
            return Err(format!("{label}: {text:?} {list:?}\n{trees:.4000}").into());
        }
        // What comes before all changes is as it was.
        let first = list
            .iter()
            .filter_map(|(id, _)| dom.node(*id)?.extent())
            .map(|it| it.start);
        if let (true, [(_, Edit::SetText(_))], Some(first)) =
            (encoding == UTF_16LE, &list[..], first.min())
        {
            let units = dom.input()[..first as usize].encode_utf16().count();
            assert_eq!(new[..2 * units], bytes[..2 * units]);
        }
    }
    assert!(taken * 3 > tried, "{taken} of {tried}");
    Ok(())
}

/// What cannot be written in the encoding, and what changes it.
fn refused_bytes() -> Result<(), Failed> {
    let kind = |page: &[u8], change: fn(&mut Edits<'_>, speclex::Node<'_>)| {
        let (dom, _) = speclex::parse_bytes(page, &Hints::html());
        let mut edits = Edits::new(&dom);
        change(
            &mut edits,
            dom.root().descendants().last().unwrap_or(dom.root()),
        );
        edits
            .apply_bytes(page, &Hints::html())
            .map_err(|error| error.kind().clone())
    };
    let snowman =
        |edits: &mut Edits<'_>, node: speclex::Node<'_>| _ = edits.set_text(node, "\u{2603}");
    let script = b"<meta charset=latin1><script>x";
    assert!(matches!(
        kind(script, snowman),
        Err(EditErrorKind::Differs { .. })
    ));
    let text = kind(b"<meta charset=latin1><p>x", snowman);
    assert_eq!(text, Ok(b"<meta charset=latin1><p>&#9731;".to_vec()));
    let remove = |edits: &mut Edits<'_>, node: speclex::Node<'_>| {
        _ = edits.before(node, "\u{E9}<meta charset=utf-8>")
    };
    assert_eq!(kind(b"<p>x", remove), Err(EditErrorKind::Encoding));
    assert_eq!(
        kind(b"<meta charset=iso-2022-jp><p>x", snowman),
        Err(EditErrorKind::Encoding)
    );
    Ok(())
}

pub(super) fn add(suite: &mut Cases) {
    suite.add_trial("edits: scripting", scripting);
    suite.add_trial("edits: noscripts", || noscripts(3_000));
    suite.add_trial("edits: an older revision", older_revision);
    suite.add_trial("edits: encodings", || encodings(500));
    suite.add_trial("edits: refused bytes", refused_bytes);
    suite.add_ignored("edits: many encodings", || encodings(20_000));
    suite.add_ignored("edits: many noscripts", || {
        noscripts(std::env::var("EDITS").map_or(Ok(30_000), |number| number.parse())?)
    });
}
