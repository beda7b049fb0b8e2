//! Where html5ever's trees, those of `markup5ever_rcdom`, are not those of the text.

/// The table whose revision html5ever implements.
pub(crate) const TREE: &str = "html-tree-2026-06";

/// A document, or a fragment with its context element as html5lib's tests name it.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub(crate) text: String,
    pub(crate) context: Option<String>,
    pub(crate) scripting: bool,
}

impl Input {
    pub(crate) fn new(text: String, context: Option<&str>, scripting: bool) -> Self {
        let context = context.map(str::to_owned);
        Self {
            text,
            context,
            scripting,
        }
    }
}

/// A known one.
#[derive(Debug)]
pub(crate) struct Deviation {
    pub(crate) section: &'static str,
    /// What html5ever does.
    pub(crate) what: &'static str,
    /// The shortest input that shows it, and its context element.
    pub(crate) shortest: (&'static str, Option<&'static str>),
    /// It shows only in inputs that have one part of each list, in this order: the tags `p`, `/p` and `/`, which is `</>`,
    /// `/*` for an end tag that walks the stack, `!doctype`, `#text`. A fragment begins with `in:`
    /// and the words of its context element: `in:math in:mi`.
    order: &'static [&'static str],
    /// What the text has besides.
    has: &'static str,
}

impl Deviation {
    /// Whether it may show.
    pub(crate) fn may_show(&self, input: &Input) -> bool {
        let mut lists = self.order.iter().peekable();
        for part in parts(input) {
            let is_listed = |list: &&&str| {
                let mut names = list.split(' ');
                names.any(|name| name == part || name == "/*" && is_walking_end_tag(&part))
            };
            if lists.next_if(is_listed).is_some() && lists.peek().is_none() {
                return input.text.contains(self.has);
            }
        }
        false
    }
}

/// The tags of an input by name, and where text is; what is text for the tokenizer may look like a tag.
fn parts(input: &Input) -> Vec<String> {
    let words = input
        .context
        .iter()
        .flat_map(|it| [""].into_iter().chain(it.split(' ')));
    let mut parts: Vec<_> = words.map(|word| format!("in:{word}")).collect();
    for part in input.text.split_inclusive('>') {
        let (text, tag) = part.split_once('<').unwrap_or((part, ""));
        parts.extend((!text.is_empty()).then(|| "#text".to_owned()));
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '!');
        let slash = usize::from(tag.starts_with('/'));
        let rest = &tag[slash..];
        let end = slash + rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        parts.push(tag[..end].to_ascii_lowercase());
    }
    parts
}

/// Whether an end tag is one of "any other end tag", or of a formatting element.
fn is_walking_end_tag(tag: &str) -> bool {
    let name = tag.strip_prefix('/').unwrap_or_default();
    !name.is_empty() && !WITH_SCOPE.split(' ').any(|other| other == name)
}

/// Names of end tags with arms of their own in "in body", but those of formatting elements.
const WITH_SCOPE: &str = "address applet article aside blockquote body br button center dd details dialog dir div dl dt fieldset figcaption \
                          figure footer form h1 h2 h3 h4 h5 h6 header hgroup html li listing main marquee menu nav object ol p pre search \
                          section select summary template ul";

/// What an element in the special category stops: the walk of "any other end tag", and those of `li`, `dd`, and formatting elements.
const STOPPED: &str = "a nobr li dd dt /*";

const FORMATTING: &str = "a b big code em font i nobr s small strike strong tt u";

const TABLE_PARTS: &str = "caption colgroup col tbody thead tfoot tr td th /caption /colgroup /tbody /thead /tfoot /tr /td /th /table";

pub(crate) const DEVIATIONS: &[Deviation] = &[
    Deviation {
        section: "13.2.4.2",
        what: "`search` is not in the special category",
        shortest: ("<b><search></b>", None),
        order: &["search", STOPPED],
        has: "",
    },
    Deviation {
        section: "13.2.4.2",
        what: "`isindex` is in the special category",
        shortest: ("<b><isindex></b>", None),
        order: &["isindex", STOPPED],
        has: "",
    },
    Deviation {
        section: "13.2.4.2",
        what: "elements of MathML and SVG are not in the special category",
        shortest: ("<x><svg><desc></x>y", None),
        order: &[
            "svg math in:svg in:math",
            "mi mo mn ms mtext annotation-xml foreignobject desc title",
            "li dd dt /*",
        ],
        has: "",
    },
    Deviation {
        section: "13.2.4.2, 13.2.6.5",
        what: "`annotation-xml` does not end a scope, and a start tag of HTML closes it",
        shortest: ("<p><math><annotation-xml encoding=text/html><p>", None),
        order: &["math in:math", "annotation-xml in:annotation-xml"],
        has: "",
    },
    Deviation {
        section: "13.2.6.4.1",
        what: "an empty system identifier is not missing",
        shortest: (
            "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01 Frameset//' ''><p><table>",
            None,
        ),
        order: &["!doctype", "p", "table"],
        has: "4.01 Frameset//' ''",
    },
    Deviation {
        section: "13.2.6.4.7",
        what: "an error between a tag and a newline keeps the newline",
        shortest: ("<pre></>\n", None),
        order: &["pre listing textarea", "/", "#text"],
        has: "></>",
    },
    Deviation {
        section: "13.2.6.4.7",
        what: "`input` is not ignored in a fragment of `select`",
        shortest: ("<input>", Some("select")),
        order: &["in:select", "input"],
        has: "",
    },
    Deviation {
        section: "4.10.10",
        what: "an `option` is not cloned into `selectedcontent`: html5ever requests it only at `</option>`, and `markup5ever_rcdom` finds no `selectedcontent`",
        shortest: ("<select><selectedcontent><option>", None),
        order: &["select", "selectedcontent"],
        has: "<option",
    },
    Deviation {
        section: "13.2.6.4.9",
        what: "text directly in a `template` of table rows opens formatting elements again",
        shortest: ("<template><caption><b><object></caption> ", None),
        order: &[
            "template in:template",
            TABLE_PARTS,
            FORMATTING,
            TABLE_PARTS,
            "#text",
        ],
        has: "",
    },
    Deviation {
        section: "13.2.6.4.10",
        what: "a DOCTYPE does not end the text in a table",
        shortest: ("<table>a<!DOCTYPE> ", None),
        order: &[
            "table in:table in:tbody in:thead in:tr",
            "#text",
            "!doctype",
            "#text",
        ],
        has: "",
    },
    Deviation {
        section: "13.2.6.4.13",
        what: "`thead` without a `table` around is not closed by `tbody`",
        shortest: ("<thead><tbody>", Some("table")),
        order: &[
            "template in:template in:table",
            "thead",
            "caption col colgroup tbody tfoot thead /table",
        ],
        has: "",
    },
    Deviation {
        section: "13.2.6.5",
        what: "end tags in MathML and SVG directly below the root of a fragment do not close a formatting element",
        shortest: ("<p><b></p><x></b><br>", Some("math math")),
        order: &["in:", "svg math in:svg in:math", FORMATTING, "/*"],
        has: "",
    },
    Deviation {
        section: "13.2.6.5",
        what: "`</form>` in MathML or SVG directly below the root of a fragment does not allow another `form`",
        shortest: ("<form><svg></form></svg><form>", Some("table")),
        order: &["in:", "form", "/form", "form"],
        has: "",
    },
    Deviation {
        section: "13.4",
        what: "in a fragment of `form`, `form` is not ignored",
        shortest: ("<form>", Some("form")),
        order: &["in:form", "form"],
        has: "",
    },
];
