//! Documents that are hard for a tree builder, as long as one likes.

/// A document with a pattern repeated: `%` is the number of the repetition.
pub(crate) type Family = (&'static str, &'static [(Part, &'static str)]);

/// Whether a part stands once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Once,
    Repeated,
}

use Part::{Once, Repeated};

/// Documents that are hard for a tree builder.
#[rustfmt::skip]
pub(crate) const FAMILIES: [Family; 55] = [
    ("formatting elements that differ", &[(Repeated, "<font size=%>")]),
    ("and as many end tags of others", &[(Repeated, "<font size=%>"), (Repeated, "</b>")]),
    ("and as many end tags of theirs", &[(Repeated, "<font size=%>"), (Repeated, "</font>")]),
    ("the same formatting element", &[(Repeated, "<b>")]),
    ("unknown elements, end tags of others", &[(Repeated, "<a-b>"), (Repeated, "</c>")]),
    ("unknown elements, end tags of formatting elements", &[(Repeated, "<a-b>"), (Repeated, "</b>")]),
    ("unknown elements, paragraphs", &[(Repeated, "<a-b>"), (Repeated, "<p></p>")]),
    ("unknown elements, list items", &[(Repeated, "<a-b>"), (Repeated, "<li></li>")]),
    ("unknown elements, terms", &[(Repeated, "<a-b>"), (Repeated, "<dt></dt><dd></dd>")]),
    ("unknown elements, forms", &[(Repeated, "<a-b>"), (Repeated, "<form></form>")]),
    ("unknown elements, headings", &[(Repeated, "<a-b>"), (Repeated, "<h1></h2>")]),
    ("unknown elements, misnested links", &[(Repeated, "<a-b>"), (Repeated, "<a><b>x</a></b>")]),
    ("divisions, tables", &[(Repeated, "<div>"), (Repeated, "<table></table>")]),
    ("divisions, templates", &[(Repeated, "<div>"), (Repeated, "<template></template>")]),
    ("divisions, selects", &[(Repeated, "<div>"), (Repeated, "<select><option>a</select>")]),
    ("list items in terms, ends of the body", &[(Repeated, "<li><dd>"), (Repeated, "x</body>")]),
    ("nested lists", &[(Repeated, "<ul><li>")]),
    ("list items", &[(Once, "<ul>"), (Repeated, "<li>a")]),
    ("paragraphs", &[(Repeated, "<p>a")]),
    ("end tags of paragraphs", &[(Repeated, "</p>")]),
    ("links", &[(Repeated, "<a href=%>")]),
    ("links around divisions", &[(Repeated, "<a href=%><div>")]),
    ("nested tables", &[(Repeated, "<table><tr><td>")]),
    ("tables inside tables, and their ends", &[(Repeated, "<table><tr><td>"), (Repeated, "</table>")]),
    ("text in a table", &[(Once, "<table>"), (Repeated, "a<b>")]),
    ("nested templates", &[(Repeated, "<template>")]),
    ("nested objects, cells with formatting", &[(Repeated, "<object><b>"), (Repeated, "</object>")]),
    ("groups in SVG, end tags of others", &[(Once, "<svg>"), (Repeated, "<g>"), (Repeated, "</x>")]),
    ("groups in SVG, end tags of theirs", &[(Once, "<svg>"), (Repeated, "<g>"), (Repeated, "</g>")]),
    ("foreign objects", &[(Repeated, "<svg><foreignObject>"), (Repeated, "</foreignObject></svg>")]),
    ("options that are shown", &[(Once, "<select><button><selectedcontent></button>"), (Repeated, "<option>a</option>")]),
    ("options that are shown, deep inside, and elements that move",
        &[(Once, "<select><button><selectedcontent></button>"), (Repeated, "<div>"), (Repeated, "<option>x</option><b><p></b></p>")]),
    ("elements that show an option", &[(Once, "<select><option>"), (Repeated, "x<i></i>"), (Once, "</option>"), (Repeated, "<selectedcontent></selectedcontent>")]),
    ("disabled options", &[(Once, "<select><button><selectedcontent></button>"), (Repeated, "<option disabled>x")]),
    ("templates that find no marker", &[(Repeated, "<div></div><template for=q>x</template>")]),
    ("templates that find another marker", &[(Once, "<?marker name=y?>"), (Repeated, "<template for=z>x</template>")]),
    ("templates that find their marker late", &[(Repeated, "<div></div><?marker name=q?><template for=q>x</template>")]),
    ("body tags with attributes", &[(Repeated, "<body a%=%>")]),
    ("names of elements and attributes", &[(Repeated, "<x% a%=%>")]),
    ("pieces of text", &[(Repeated, "a&amp;b<!---->")]),
    ("divisions in formatting elements", &[(Repeated, "<b><div>"), (Repeated, "</b>")]),
    ("divisions in a form", &[(Repeated, "<form><div>"), (Repeated, "</form>")]),
    ("an element around unknown ones", &[(Once, "<b>"), (Repeated, "<a-b>"), (Once, "<p>"), (Repeated, "<a-b>"), (Once, "</b>")]),
    ("an element around paragraphs", &[(Once, "<b>"), (Repeated, "<a-b><p>"), (Repeated, "</b>")]),
    ("links around closed divisions", &[(Once, "<a>"), (Repeated, "<div>"), (Repeated, "<a>")]),
    ("XML: elements, end tags of others", &[(Repeated, "<a>"), (Repeated, "</b>")]),
    ("XML: elements that differ, ends as they start", &[(Repeated, "<x%>"), (Repeated, "</x%>")]),
    ("XML: elements in others, and only the ends of those", &[(Repeated, "<a><b><c>"), (Repeated, "</a>")]),
    ("XML: names of elements and attributes", &[(Once, "<a>"), (Repeated, "<x% a%='%'/>")]),
    ("XML: attributes", &[(Once, "<a"), (Repeated, " a%='&amp;%'"), (Once, ">")]),
    ("XML: references", &[(Once, "<a>"), (Repeated, "&x%;&amp;&#65;")]),
    ("XML: pieces of text", &[(Once, "<a>"), (Repeated, "a&amp;b<!----><?c?><![CDATA[d]]>")]),
    ("XML: namespaces inside each other", &[(Repeated, "<p%:a xmlns:p%='%' p%:b=''>"), (Repeated, "<p%:a/>")]),
    ("XML: namespaces of one prefix", &[(Repeated, "<p:a xmlns:p='%' xmlns='%'>"), (Repeated, "</p:a>")]),
    ("XML: namespaces of one element", &[(Once, "<a"), (Repeated, " xmlns:p%='%' p%:a=''"), (Once, ">"), (Repeated, "<p%:b q%:c=''/>")]),
];

/// The prefix of the class of such documents.
pub(crate) const CLASS: &str = "growth ";

/// Whether a family, or its class, is of XML.
pub(crate) fn is_xml(name: &str) -> bool {
    name.contains("XML: ")
}

/// The document of a class `growth N FAMILY`.
pub(crate) fn document(class: &str) -> Option<String> {
    let (times, family) = class.strip_prefix(CLASS)?.split_once(' ')?;
    let times = times.parse().ok()?;
    let (_, parts) = FAMILIES.iter().find(|(name, _)| *name == family)?;
    let mut document = String::new();
    for (part, pattern) in *parts {
        let times = if *part == Repeated { times } else { 1 };
        (0..times).for_each(|number| document += &pattern.replace('%', &number.to_string()));
    }
    Some(document)
}
