//! Text as people read it.

use alloc::string::String;

use crate::tree::Space;

use super::edges::Edge;
use super::node::{Node, NodeKind};

/// How [`Node::text_with`] makes text. The default is near to what scripts read as `innerText`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TextOptions<'a> {
    /// What separates the texts of block elements: a newline.
    pub block: &'a str,
    /// What separates paragraphs (`p`) from other text: two newlines.
    pub paragraph: &'a str,
    /// What separates the cells of a row: a tab.
    pub cell: &'a str,
    /// What stands for `br`: a newline.
    pub line_break: &'a str,
    /// Whether white space becomes one space, and none where a line starts or ends, but in `pre`, `textarea`, `listing`, `plaintext` and `xmp`: yes.
    pub collapses: bool,
    /// The names of HTML elements that are left out with what is in them: `script`, `style` and `template`.
    pub without: &'a [&'a str],
}

impl Default for TextOptions<'_> {
    fn default() -> Self {
        Self {
            block: "\n",
            paragraph: "\n\n",
            cell: "\t",
            line_break: "\n",
            collapses: true,
            without: &["script", "style", "template"],
        }
    }
}

/// What an element does to the text around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Break {
    None,
    Block,
    Paragraph,
}

/// What the style sheet of browsers makes of an HTML element.
fn break_of(name: &str) -> Break {
    match name {
        "p" => Break::Paragraph,
        "address" | "article" | "aside" | "blockquote" | "body" | "caption" | "center" | "dd"
        | "details" | "dialog" | "dir" | "div" | "dl" | "dt" | "fieldset" | "figcaption"
        | "figure" | "footer" | "form" | "frameset" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6"
        | "header" | "hgroup" | "hr" | "html" | "legend" | "li" | "listing" | "main" | "menu"
        | "nav" | "ol" | "optgroup" | "option" | "plaintext" | "pre" | "search" | "section"
        | "summary" | "table" | "tr" | "title" | "ul" | "xmp" => Break::Block,
        _ => Break::None,
    }
}

fn keeps_space(name: &str) -> bool {
    matches!(name, "pre" | "textarea" | "listing" | "plaintext" | "xmp")
}

/// A text that is made.
struct Lines<'o> {
    options: &'o TextOptions<'o>,
    out: String,
    /// What comes before the next characters, if any come and any are there.
    pending: Break,
    /// Whether there is white space before the next characters.
    has_space: bool,
    /// Whether white space would start a line.
    starts_line: bool,
}

impl Lines<'_> {
    fn push(&mut self, text: &str) {
        let pending = core::mem::replace(&mut self.pending, Break::None);
        let is_first = self.out.is_empty();
        match pending {
            Break::Block if !is_first => self.out.push_str(self.options.block),
            Break::Paragraph if !is_first => self.out.push_str(self.options.paragraph),
            _ if self.has_space && !self.starts_line => self.out.push(' '),
            _ => {}
        }
        self.has_space = false;
        self.starts_line = false;
        self.out.push_str(text);
    }

    /// Adds something after which a line starts.
    fn push_break(&mut self, text: &str) {
        self.has_space = false;
        self.push(text);
        self.starts_line = true;
    }

    fn interrupt(&mut self, by: Break) {
        if by != Break::None {
            self.pending = self.pending.max(by);
            (self.has_space, self.starts_line) = (false, true);
        }
    }

    fn collapse(&mut self, text: &str) {
        let is_space = |c: char| c.is_ascii_whitespace();
        self.has_space |= text.starts_with(is_space);
        for word in text.split_ascii_whitespace() {
            self.push(word);
            self.has_space = true;
        }
        self.has_space = self.has_space && (text.is_empty() || text.ends_with(is_space));
    }
}

impl<'d> Node<'d> {
    /// The characters in it as people read them: without scripts and styles, a line for each block element, white space collapsed.
    ///
    /// It is near to `innerText` ([3.2.7]) as far as that needs no style sheet of the page and no layout. It differs where those hide text or
    /// change `display`, `white-space` or `text-transform`; empty rows of tables make no lines; what a browser shows in place of
    /// their content (`iframe`, `object`, `video`, `select`) has its content here; and `title` is in the text of the document. Of a `script`
    /// it is the script, and of a cell the text in it, without the tab after it.
    ///
    /// ```
    /// # #[cfg(feature = "parse")] {
    /// use speclex::TextOptions;
    ///
    /// let dom = speclex::parse("<h1>News</h1> <p>Good\n <b>morning</b>,<br>all<script>x()</script> <p>Bye<table><tr><td>1<td>2</table>");
    /// let text = dom.root().text_with(&TextOptions::default());
    /// assert_eq!(text, "News\n\nGood morning,\nall\n\nBye\n1\t2");
    ///
    /// let mut options = TextOptions::default();
    /// (options.block, options.paragraph, options.without) = (" | ", " | ", &["script", "h1", "table"]);
    /// assert_eq!(dom.root().text_with(&options), "Good morning,\nall | Bye");
    /// # }
    /// ```
    ///
    /// [3.2.7]: https://html.spec.whatwg.org/multipage/dom.html#the-innertext-idl-attribute
    pub fn text_with(self, options: &TextOptions<'_>) -> String {
        let mut lines = Lines {
            options,
            out: String::new(),
            pending: Break::None,
            has_space: false,
            starts_line: true,
        };
        let mut keeping = 0_usize;
        let mut walk = self.walk();
        while let Some(edge) = walk.next() {
            let (Edge::Open(node) | Edge::Close(node)) = edge;
            let opens = matches!(edge, Edge::Open(_));
            let html = match node.kind() {
                NodeKind::Text(text) if opens => {
                    match options.collapses && keeping == 0 {
                        true => lines.collapse(text),
                        false if text.is_empty() => {}
                        false => lines.push(text),
                    }
                    continue;
                }
                NodeKind::Element if node.namespace() == Space::Html => node.name(),
                _ => None,
            };
            let Some(name) = html else { continue };
            let is_itself = node == self;
            if !is_itself && options.without.contains(&name) {
                if opens {
                    walk.skip_subtree();
                }
                continue;
            }
            lines.interrupt(break_of(name));
            match (name, opens) {
                ("br", true) => lines.push_break(options.line_break),
                ("td" | "th", false) if !is_itself && is_cell(next_element(node)) => {
                    lines.push_break(options.cell);
                }
                _ if !keeps_space(name) => {}
                (_, true) => keeping += 1,
                (_, false) => keeping -= 1,
            }
        }
        lines.out
    }
}

fn next_element(node: Node<'_>) -> Option<Node<'_>> {
    let mut after = core::iter::successors(node.next_sibling(), |it| it.next_sibling());
    after.find(|it| it.is_element())
}

fn is_cell(node: Option<Node<'_>>) -> bool {
    node.is_some_and(|node| node.is("td") || node.is("th"))
}
