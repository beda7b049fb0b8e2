//! What hand-written files of the repository say of a table, said of another one, too.

use speclex_codegen::emit::module_name;

/// A file, and what of it is about one table.
pub(super) struct About {
    pub(super) file: &'static str,
    /// How its lines begin, with `{name}` and `{module}`.
    begins: &'static str,
    shape: Shape,
}

/// What belongs to such a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Nothing else.
    Line,
    /// The line before it, and all lines up to the brace that ends them.
    Item,
}

/// The line that ends an item.
const END: &str = "    },";

const fn about(file: &'static str, begins: &'static str, shape: Shape) -> About {
    About {
        file,
        begins,
        shape,
    }
}

/// What is about a tokenizer.
pub(super) const TOKENIZER: &[About] = &[
    about("docs/conformance.md", "| `{name}` |", Shape::Line),
    about("docs/conformance.md", "{name} against ", Shape::Line),
    about(
        "tests/tests/conformance.rs",
        "        revision: \"{name}\",",
        Shape::Item,
    ),
    about(
        "tests/ui/pass/every-revision.rs",
        "    mod {module} = builtin \"{name}\";",
        Shape::Line,
    ),
    about(
        "tests/ui/pass/every-revision.rs",
        "        {module};",
        Shape::Line,
    ),
];

/// What is about a table of tree construction.
pub(super) const TREE: &[About] = &[
    about("docs/conformance.md", "| `{name}` |", Shape::Line),
    about(
        "tests/tests/tree/html.rs",
        "        tree: \"{name}\",",
        Shape::Item,
    ),
    about(
        "tests/tree-construction/other-trees.txt",
        "{name} | ",
        Shape::Line,
    ),
];

impl About {
    fn begin(&self, name: &str) -> String {
        let module = module_name(name);
        self.begins
            .replace("{name}", name)
            .replace("{module}", &module)
    }

    /// The text, and after all that is about the old table in one place the same about the new one. `change` gets what follows the
    /// name in such a line: what the new line has there, if there is to be one.
    pub(super) fn copied(
        &self,
        text: &str,
        [old, new]: [&str; 2],
        change: impl Fn(&str) -> Option<String>,
    ) -> String {
        let [begins, begins_new] = [old, new].map(|name| self.begin(name));
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut copied = String::new();
        // What is to stand after the lines before this one, and up to where these are about the old table.
        let (mut pending, mut end) = (String::new(), 0);
        for (at, line) in lines.iter().enumerate() {
            let is_item = self.shape == Shape::Item;
            let first = if is_item { at + 1 } else { at };
            let after = lines
                .get(first)
                .and_then(|line| line.strip_prefix(begins.as_str()))
                .filter(|_| at >= end);
            match after {
                Some(after) => {
                    let length = match self.shape {
                        Shape::Line => 1,
                        Shape::Item => {
                            let ends = |line: &&str| line.trim_end_matches('\n') == END;
                            lines[at..].iter().position(ends).map_or(0, |at| at + 1)
                        }
                    };
                    end = at + length;
                    if let (Some(after), true) = (change(after), length > 0) {
                        pending += &lines[at..first].concat();
                        pending += &format!("{begins_new}{after}");
                        pending += &lines[first + 1..end].concat();
                    }
                }
                None if at >= end => copied += &std::mem::take(&mut pending),
                None => {}
            }
            copied += line;
        }
        copied + &pending
    }
}
