//! Sentences of the standards on the pages: each is in its text, word for word, where the page says.

use std::fs;

use speclex_analysis::diff;
use speclex_analysis::engine::InterpreterEngine;
use speclex_audit::{Audit, quotations};
use speclex_codegen::{Loaded, Source};
use speclex_tests::shared;

use super::machine;
use super::shipped::Shipped;

/// A sentence that a page quotes.
#[derive(Debug)]
struct Quoted {
    side: usize,
    /// The section that the page names.
    section: String,
    sentence: String,
}

/// The lines of a page before they were broken.
fn unbroken(page: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for line in page.lines() {
        match lines.last_mut() {
            Some(before)
                if !before.is_empty()
                    && !line.is_empty()
                    && !line.trim_start().starts_with("- ") =>
            {
                *before += " ";
                *before += line.trim_start();
            }
            _ => lines.push(line.to_owned()),
        }
    }
    lines
}

/// A line with the text of each link alone.
fn without_links(line: &str) -> String {
    let mut parts = line.split("](");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |mut before, after| {
        before.remove(before.rfind('[').expect("a link's text"));
        before + after.split_once(')').expect("an address").1
    })
}

/// The quotations of a page, which a reader knows by the dash in front of them.
fn quoted(page: &str) -> Vec<Quoted> {
    let mut found = Vec::new();
    let mut sections = [String::new(), String::new()];
    for line in unbroken(page) {
        let rule = without_links(&line);
        let named = rule
            .split_once("), on ")
            .and_then(|(rule, _)| rule.rsplit_once('('));
        // A number that both have stands there once.
        let named = named.map(|(_, pair)| pair.split_once(" → ").unwrap_or((pair, pair)));
        if let Some((one, other)) = named {
            sections = [one, other].map(str::to_owned);
        }
        for (side, mark) in ["- A: ", "- B: "].into_iter().enumerate() {
            let arm = line.trim_start().strip_prefix(mark);
            if let Some((_, sentence)) = arm.and_then(|arm| arm.split_once(" — “")) {
                let sentence = sentence.strip_suffix('”').expect("its end");
                found.push(Quoted {
                    side,
                    section: sections[side].clone(),
                    sentence: sentence.replace('\\', ""),
                });
            }
        }
    }
    found
}

/// The lines of a section of a text, without the notes of those who made the file.
fn lines_of<'t>(text: &'t str, section: &str) -> Vec<&'t str> {
    let is_heading = |line: &&str| {
        let number = line.split(' ').next().unwrap_or_default();
        number.trim_end_matches('.') == section
    };
    let lines = text.lines().filter(|line| !line.starts_with("# "));
    let after = lines.skip_while(|line| !is_heading(line));
    after.take_while(|line| !line.is_empty()).collect()
}

pub(crate) fn the_file_in_docs_quotes_what_is_in_the_texts(shipped: &Shipped) {
    let Some(texts) = shared("specs") else { return };
    let page = shipped.page();
    let quoted = quoted(&page);
    assert_eq!(
        page.matches(" — “").count() + page.matches(" —\n").count(),
        quoted.len()
    );
    for (side, table) in shipped.names.into_iter().enumerate() {
        let loaded = speclex_cli::load(table).unwrap_or_else(|e| panic!("{}", e.render(false)));
        let path = texts.join(loaded.text.expect("the name of a text"));
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let own: Vec<&Quoted> = quoted.iter().filter(|it| it.side == side).collect();
        println!("{table}: {} sentences", own.len());
        for it in &own {
            let lines = lines_of(&text, &it.section);
            assert!(
                lines.iter().any(|line| line.contains(&it.sentence)),
                "{table}: {it:?}"
            );
            // The states before are not the standard's own words.
            let state = it
                .section
                .rsplit('.')
                .next()
                .and_then(|it| it.parse::<u32>().ok());
            assert!(table != "html-2012" || state >= Some(45), "{it:?}");
        }
        let notice = loaded.terms.map(|terms| {
            let title = &loaded.machine.title;
            format!(
                "[{title}]({}), [{}]({}).",
                terms.link, terms.licence, terms.licence_link
            )
        });
        let has_notice = notice.is_some_and(|notice| unbroken(&page).concat().contains(&notice));
        assert_eq!(has_notice, !own.is_empty(), "{table}");
    }
}

const TABLE: &str = "
table: one
section: '1'
text: {file: one.txt, link: 'https://example.org/', licence: CC0 1.0, licence link: 'https://example.org/cc0'}
vocabulary: {tokens: {end: {}}, contents: [data]}
entry states: {data: data}
states:
  data:
    consume:
      U+003C (<): [parse error, emit U+003C (<)]
      U+003E (>): emit U+003E (>)
      EOF: emit EOF
      anything else: emit the current input character
";

const TEXT: &str = "
1 Tokenization
The state machine must start in the data state.

1.1 Data state
Consume the next input character:
U+003C LESS-THAN SIGN (<)
  Parse error. Emit a U+003C LESS-THAN SIGN character token.
U+003E GREATER-THAN SIGN (>)
  Emit a U+003E GREATER-THAN SIGN character token.
EOF
  Emit an end-of-file token.
Anything else
  Emit the current input character as a character token.
";

fn table(text: &str) -> Loaded {
    let source = Source {
        name: "one.yaml".to_owned(),
        text: text.to_owned(),
    };
    let loaded = speclex_codegen::load(source, &|_| None, &|_| None);
    loaded.unwrap_or_else(|report| panic!("{report}"))
}

/// What is quoted of two tables and their texts: for each rule that differs, of each side.
fn quotes(tables: [&str; 2], texts: [&str; 2]) -> Vec<[Option<String>; 2]> {
    let tables = tables.map(table);
    let html = machine("html-living");
    let audits = [0, 1].map(|side| {
        let mut html = InterpreterEngine::new(&html);
        let audit = Audit::new(&tables[side], "one.txt", texts[side], &mut html);
        let audit = audit.unwrap_or_else(|why| panic!("{why}"));
        assert!(audit.report().is_clean(), "{}", audit.report().render());
        audit
    });
    let diff = diff::compare(&tables[0].machine, &tables[1].machine, false);
    let rows = diff.structure.arms.iter();
    rows.map(|row| quotations([Some(&audits[0]), Some(&audits[1])], row))
        .collect()
}

#[test]
fn the_sentence_that_the_other_text_has_not_is_quoted() {
    let error = "Parse error.";
    let some = |sentence: &str| Some(sentence.to_owned());
    let changed = |from: &str, to: &str| {
        assert!([TABLE, TEXT].iter().any(|it| it.contains(from)), "{from}");
        [TABLE, TEXT].map(|it| it.replacen(from, to, 1))
    };
    // What both have is not.
    let [other, other_text] = [
        TABLE.replace("[parse error, emit U+003C (<)]", "emit U+003C (<)"),
        TEXT.replace("Parse error. ", ""),
    ];
    assert_eq!(
        quotes([TABLE, &other], [TEXT, &other_text]),
        [[some(error), None]]
    );
    assert_eq!(
        quotes([&other, TABLE], [&other_text, TEXT]),
        [[None, some(error)]]
    );
    // An arm of one sentence is quoted, in whatever words it is.
    let own = "Emit a U+003C LESS-THAN SIGN character token.";
    let whole = "Finally, emit a U+003C LESS-THAN SIGN character token.";
    let reworded = other_text.replace(own, whole);
    assert_eq!(
        quotes([TABLE, &other], [TEXT, &reworded]),
        [[some(error), some(whole)]]
    );
    // Nothing is quoted without a licence, or before the section that it begins with.
    let [without, _] = changed(
        ", link: 'https://example.org/', licence: CC0 1.0, licence link: 'https://example.org/cc0'",
        "",
    );
    assert_eq!(
        quotes([&without, &other], [TEXT, &other_text]),
        [[None, None]]
    );
    for (from, quote) in [
        ("1.2", None),
        ("1.1", some(error)),
        ("1.0.9", some(error)),
        ("later", None),
    ] {
        let [from, _] = changed(
            "file: one.txt",
            &format!("file: one.txt, quoted from: '{from}'"),
        );
        assert_eq!(
            quotes([&from, &other], [TEXT, &other_text]),
            [[quote, None]]
        );
    }
    // Two sentences that the other has not: which of them is the change is not known.
    let [_, two] = changed("  Parse error. Emit", "  Parse error. Parse error. Emit");
    let [twice, _] = changed("[parse error, ", "[parse error, parse error, ");
    assert_eq!(
        quotes([&twice, &other], [&two, &other_text]),
        [[None, None]]
    );
    // A sentence that an erratum reads otherwise.
    let [_, slip] = changed("  Parse error. Emit", "  Parse errors. Emit");
    let [erratum, _] = changed(
        "      anything else: emit the current input character\n",
        "      anything else: emit the current input character
    errata:
      U+003C (<): {says: Parse errors., reads: Parse error., does: One error., why: A slip.}
",
    );
    assert_eq!(
        quotes([&erratum, &other], [&slip, &other_text]),
        [[None, None]]
    );
    // One arm of the table for two of the text.
    let both =
        "      U+0041 (A), U+0042 (B): [parse error, emit the current input character]\n      EOF";
    let [merged, _] = changed("      EOF", both);
    let two = "U+0041 LATIN CAPITAL LETTER A
  Parse error. Emit the current input character as a character token.
U+0042 LATIN CAPITAL LETTER B
  Parse error. Emit the current input character as a character token.
EOF";
    let [_, apart] = changed("EOF", two);
    let other = "Emit the current input character as a character token.";
    assert_eq!(
        quotes([&merged, TABLE], [&apart, TEXT]),
        [[None, some(other)]]
    );
}

#[test]
fn a_table_has_no_text_of_its_base() {
    let source = |name: &str, text: &str| Source {
        name: name.to_owned(),
        text: text.to_owned(),
    };
    let base = |_: &str| Some(source("one.yaml", TABLE));
    let two = source("two.yaml", "table: two\nextends: one\n");
    let loaded = speclex_codegen::load(two, &base, &|_| None);
    let loaded = loaded.unwrap_or_else(|report| panic!("{report}"));
    assert_eq!((loaded.text, loaded.terms), (None, None));
    assert_eq!(table(TABLE).text.as_deref(), Some("one.txt"));
}
