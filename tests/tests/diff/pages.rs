//! The comparisons as Markdown: no input and no output of a table is markup there.

use speclex_analysis::diff::{self, Report};
use speclex_codegen::{Source, load};

use super::shipped::Shipped;

/// The code spans of a line, and what is beside them, as `CommonMark` reads it.
fn spans(line: &str) -> (Vec<String>, String) {
    let (mut code, mut beside) = (Vec::new(), String::new());
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let ticks = rest.len() - rest.trim_start_matches('`').len();
        if ticks > 0 {
            let (fence, after) = rest.split_at(ticks);
            let mut closing = after.match_indices(fence).map(|(at, _)| at);
            let is_whole =
                |&at: &usize| !after[..at].ends_with('`') && !after[at + ticks..].starts_with('`');
            if let Some(end) = closing.find(is_whole) {
                code.push(after[..end].to_owned());
                rest = &after[end + ticks..];
            } else {
                beside.push_str(fence);
                rest = after;
            }
            continue;
        }
        let length = match c {
            '\\' => rest.chars().take(2).map(char::len_utf8).sum(),
            _ => c.len_utf8(),
        };
        beside.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    (code, beside)
}

fn assert_no_markup(page: &str) {
    let is_fold = |line: &&str| line.starts_with("<details><summary>") || *line == "</details>";
    for line in page.lines().filter(|line| !is_fold(line)) {
        let (_, beside) = spans(line);
        let shown = beside.replace("\\<", "").replace("\\`", "");
        let begins = |(at, _): (usize, &str)| {
            let next = shown[at + 1..].chars().next();
            next.is_some_and(|c| c.is_ascii_alphabetic() || "/!?".contains(c))
        };
        assert!(!shown.match_indices('<').any(begins), "{line}");
        assert!(!shown.contains('`'), "{line}");
    }
}

pub(crate) fn the_file_in_docs_has_no_markup_of_inputs(shipped: &Shipped) {
    assert_no_markup(&shipped.page());
}

#[test]
fn backticks_and_comments_are_shown_as_they_are() {
    let text = "
table: ticks
title: A ` and <!-- in a title
section: '1'
vocabulary: {tokens: {end: {}}, contents: [data]}
entry states: {data: data}
states:
  data:
    consume:
      '\"<!--``\"': emit \"`\"
      U+0060 (`): emit \"<b>\"
      EOF: emit EOF
      anything else: emit the current input character
";
    let table = |text: &str| {
        let source = Source {
            name: "ticks.yaml".to_owned(),
            text: text.to_owned(),
        };
        let loaded = load(source, &|_| None, &|_| None);
        loaded.unwrap_or_else(|report| panic!("{report}")).machine
    };
    let one = table(text);
    let other = table(
        &text
            .replace("emit \"`\"", "emit \"<!--\"")
            .replace("<b>", "`<i>`"),
    );
    let report = Report::new(&diff::compare(&one, &other, true));
    let page = diff::markdown(&report, &|_, _, _| None);
    assert_no_markup(&page);
    let code: Vec<String> = page.lines().flat_map(|line| spans(line).0).collect();
    for witness in &report.witnesses {
        for text in [
            &format!("{:?}", witness.input),
            &witness.outputs[1].join(", "),
        ] {
            assert!(code.contains(text), "{text} in {page}");
        }
    }
    for input in ["`", "<!--``"] {
        assert!(
            report.witnesses.iter().any(|it| it.input == input),
            "{page}"
        );
    }
}

/// How long a page may be, a line, and a list that is not folded.
pub(crate) fn the_page_is_short_enough_to_be_read(shipped: &Shipped) {
    let page = shipped.page();
    let all = page.lines().count();
    let folds = page.split("<details>").skip(1);
    let folded = folds.map(|fold| {
        fold.split("</details>")
            .next()
            .map_or(0, |it| it.lines().count())
    });
    let lines = [all - folded.sum::<usize>(), all];
    let most = shipped.most_lines;
    assert!(
        lines[0] <= most[0] && lines[1] <= most[1],
        "{lines:?} lines"
    );
    let longest = page.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(200), "{longest:?}");
    let (mut folded, mut items) = (false, 0);
    for line in page.lines() {
        match line {
            "</details>" => folded = false,
            _ if line.starts_with("<details>") => folded = true,
            _ if line.starts_with("- ") => items += usize::from(!folded),
            _ if line.starts_with("  ") => {}
            _ => items = 0,
        }
        assert!(items <= 15, "{line}");
    }
    // What is listed in a sentence.
    for text in page.split("\n\n").filter(|text| !text.starts_with("- ")) {
        let before = page.split_once(text).map_or("", |(before, _)| before);
        let folded = before.rfind("<details>") > before.rfind("</details>");
        let listed = text.matches("; ").count() + 1;
        assert!(folded || listed <= 15, "{listed} in {text}");
    }
}
