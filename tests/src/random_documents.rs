//! Random documents, in pieces: tags, texts, comments, DOCTYPEs.

use crate::random::Random;

/// Tag names; those of the first line come more often.
const NAMES: [&str; 2] = [
    "a b i p div table tr td select option template svg math form nobr font",
    "em span li ul dd dt dl h1 h2 pre textarea th tbody thead tfoot caption col colgroup optgroup hr input button mi mo annotation-xml \
     foreignObject desc title script style body html head frameset frame noframes noscript marquee object applet ruby rb rt rp rtc address \
     center br img image xmp iframe noembed listing search x-y sarcasm mglyph malignmark param area keygen base meta link main details \
     menu dialog selectedcontent isindex",
];

/// What stands in tags, mostly nothing.
const ATTRIBUTES: &[(&str, &[&str])] = &[
    ("input", &[" type=hidden", " TYPE=Hidden", " type=x"]),
    ("font", &[" color", " size=1", " x"]),
    (
        "annotation-xml",
        &[
            " encoding=text/html",
            " encoding='application/xhtml+xml'",
            " encoding=x",
        ],
    ),
    ("svg", &[" viewbox=1 xlink:href=2", " xmlns=x xml:lang=y"]),
    ("math", &[" definitionurl=1"]),
];

const TEXTS: &[&str] = &[
    "x", " ", "\n", "y z", "\t\u{c}", "\0", "&amp;", "\r\n", " x", "é", "</>",
];

const DOCTYPES: &[&str] = &[
    "<!DOCTYPE html>",
    "<!DOCTYPE a>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Transitional//' ''>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Frameset//' ''>",
    "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Transitional//EN'>",
    "<!DOCTYPE html SYSTEM 'about:legacy-compat'>",
];

/// Context elements of fragments, in html5lib's form with `·` for the space: all that a table asks for, all that html5lib's tests
/// have, and a few others.
pub const CONTEXTS: &str = "div td th tr tbody thead tfoot table select template colgroup caption html body head frameset form p option \
                        optgroup button title textarea style script noscript xmp iframe noembed noframes plaintext svg·svg svg·path \
                        svg·title svg·desc svg·foreignObject math·mi math·mo math·mn math·ms math·mtext math·math math·annotation-xml \
                        math·mfenced math·malignmark";

/// A tag, a text, a comment, a CDATA section or a DOCTYPE.
fn piece(names: &[&str], random: &mut Random) -> String {
    let name = *random.one(names);
    match random.below(100) {
        0..50 => {
            let own = ATTRIBUTES.iter().find(|(tag, _)| *tag == name);
            let mut attributes = match own {
                Some((_, some)) if random.below(2) == 0 => (*random.one(some)).to_owned(),
                _ => String::new(),
            };
            if random.below(10) == 0 {
                attributes += &format!(" id={}", random.below(3));
            }
            let slash = if random.below(12) == 0 { "/" } else { "" };
            format!("<{name}{attributes}{slash}>")
        }
        50..80 => format!("</{name}>"),
        80..95 => (*random.one(TEXTS)).to_owned(),
        95..98 => "<!--c-->".to_owned(),
        98 => (*random.one(DOCTYPES)).to_owned(),
        _ => "<![CDATA[d]]>".to_owned(),
    }
}

/// Few names in each: so they meet.
pub fn document(random: &mut Random) -> Vec<String> {
    let names = NAMES.map(|names| names.split(' ').collect::<Vec<_>>());
    let mut one = || {
        let names = &names[random.below(2)];
        *random.one(names)
    };
    let few: Vec<&str> = (0..11).map(|_| one()).collect();
    let few = &few[..2 + random.below(10)];
    let most = *random.one(&[6, 12, 25, 50]);
    let length = 1 + random.below(most);
    let mut pieces: Vec<_> = (0..length).map(|_| piece(few, random)).collect();
    match random.below(4) {
        0 | 1 => pieces.insert(0, DOCTYPES[0].to_owned()),
        2 => pieces.insert(0, (*random.one(DOCTYPES)).to_owned()),
        _ => {}
    }
    match random.below(40) {
        0 => pieces.push("<plaintext>x".to_owned()),
        // The input ends in the midst of a piece.
        1..5 => pieces.push("<p id='x' y".to_owned()),
        5 => pieces.push("<!--".to_owned()),
        6 => pieces.push("<!DOCTYPE html".to_owned()),
        _ => {}
    }
    pieces
}

/// What documents of XML have beside tags and texts.
const OF_XML: &[&str] = &[
    "</>",
    "<a/>",
    "<A b='1' B=2>",
    "</A>",
    "<n:a xmlns:n='x' n:b=y>",
    "</n:a>",
    "&amp;",
    "&lt;&gt;",
    "&foo;",
    "&#65;&quot;",
    "<?x y?>",
    "<?xml version='1.0' encoding='UTF-8'?>",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "<![CDATA[d]]>",
    "]]>",
    "\r",
    "\0x",
    "&",
    "<",
    "</ a>",
];

/// A document of XML, often well-formed up to its middle.
pub fn xml(random: &mut Random) -> Vec<String> {
    let mut pieces = document(random);
    for piece in &mut pieces {
        if random.below(2) == 0 {
            *piece = (*random.one(OF_XML)).to_owned();
        }
    }
    if random.below(4) > 0 {
        pieces.insert(0, "<a>".to_owned());
    }
    pieces
}

/// Tags of select elements and of what decides which option is shown; those around them move elements.
const SELECT_TAGS: &[&str] = &[
    "<select>",
    "<select>",
    "<select multiple>",
    "<select size=2>",
    "<select size=1>",
    "</select>",
    "<button>",
    "<selectedcontent>",
    "<selectedcontent>",
    "<selectedcontent>",
    "</selectedcontent>",
    "</selectedcontent></button>",
    "<option>",
    "<option>",
    "<option>",
    "<option selected>",
    "<option selected>",
    "<option disabled>",
    "<option disabled selected>",
    "</option>",
    "</option>",
    "<optgroup>",
    "<optgroup disabled>",
    "</optgroup>",
    "<datalist>",
    "</datalist>",
    "<hr>",
    "<b>",
    "<p>",
    "</b>",
    "</p>",
    "<font size=1>",
    "</font>",
    "<div>",
    "</div>",
    "<table>",
    "<tr><td>",
    "</table>",
    "<object>",
    "</object>",
    "<template>",
    "</template>",
    "<svg><option>",
    "x",
    "y",
];

/// A select element with options, and `selectedcontent` elements anywhere.
pub fn select(random: &mut Random) -> Vec<String> {
    let mut pieces = vec![(*random.one(&SELECT_TAGS[..5])).to_owned()];
    if random.below(2) == 0 {
        pieces.push("<button><selectedcontent></selectedcontent></button>".to_owned());
    }
    let most = *random.one(&[6, 12, 25]);
    let length = 1 + random.below(most);
    pieces.extend((0..length).map(|_| (*random.one(SELECT_TAGS)).to_owned()));
    pieces
}
