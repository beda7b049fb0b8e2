//! The edges of the builders' shortcuts: before each tag and text the guards of shortcuts have another answer each.

use libtest_mimic::Failed;
use speclex::Span;
use speclex::markup::{Content, Sink};
use speclex_analysis::tree::Environment;
use speclex_tests::cases::Cases;
use speclex_tests::random::Random;
use speclex_tests::random_documents::document;

use crate::built::{compare, compare_without_errors, cut, of_html};
use crate::html::Pair;

/// What comes before a tag or text.
const BEFORE: &[&str] = &[
    "",
    "<body>",
    "<body>x",
    "x<p>",
    "x<h1>",
    "x<li>",
    "x<ul><li>",
    "x<dl><dd>",
    "x<b>",
    "x<b><p>",
    "x<p><b></p>",
    "x<b><i></b>",
    "x<b><b><b>",
    "x<b id=1><b id=1><b id=2><b id=1>",
    "x<a>",
    "x<nobr>",
    "x<applet><b></applet>",
    "x<b><object>",
    "x<button>",
    "x<ruby><rtc>",
    "x<select>",
    "x<select><optgroup><option>",
    "x<form>",
    "x<x-y>",
    "x<pre>",
    "x<template>",
    "x<template><b>",
    "x<div><template><p>",
    "x<table>",
    "x<table><b>",
    "x<table><tr>",
    "x<table><tr><td>",
    "x<table><tr><td><b>",
    "x<table><caption>",
    "x<b><table><tr><td>",
    "x<svg>",
    "x<svg><desc>",
    "x<svg><desc><b>",
    "x<math><mi>",
    "x<math><annotation-xml encoding=text/html>",
    "<frameset>",
    "<title>",
    "x</body>",
];

/// Texts.
const TEXTS: &[&str] = &[
    "y",
    " ",
    "\n",
    "\0",
    "y\0z",
    "\0\0y\0",
    "é\0—",
    "&#0;é—\0",
    "y\r\0\nz",
    "&amp;\0",
    "<![CDATA[y\0z]]>w\0",
    "<!--c-->y\0",
];

/// Each tag and text after each beginning. A table has some of them; all have the same generator.
fn edges() -> Result<(), Failed> {
    let environment = Environment::default();
    let mut random = Random::named("edges");
    let tables = of_html();
    for (number, table) in tables.iter().enumerate() {
        let pair = Pair::named(table);
        let names = pair.tree.element_names();
        let names = names.iter().copied().chain(["x-y"]);
        let tags = names.flat_map(|name| {
            let forms = ["<N>", "</N>", "<N id=1>", "<N/>"];
            forms.map(|form| form.replace('N', name))
        });
        let texts = TEXTS.iter().map(|text| (*text).to_owned());
        let all: Vec<_> = tags.chain(texts).collect();
        for (row, before) in BEFORE.iter().enumerate() {
            // Each text with each table.
            let is_mine = |it: &(usize, &String)| {
                (it.0 + row) % tables.len() == number || !it.1.starts_with("<")
            };
            for (_, between) in all.iter().enumerate().filter(is_mine) {
                let input = format!("{before}{between}w<i>v</i>\0u</p>t");
                let parsed = pair.parse(&input, &environment)?;
                compare(&pair, &parsed, &input, &environment, &[&input])?;
                compare_without_errors(&pair, &parsed, &input)?;
                if random.below(4) == 0 {
                    let pieces = cut(&input, &mut random);
                    compare(&pair, &parsed, &input, &environment, &pieces)?;
                }
            }
        }
    }
    Ok(())
}

/// The text of a document. With `ALONE` each U+0000 has to come alone.
#[derive(Debug, Default)]
struct Text<const ALONE: bool> {
    text: String,
    together: Option<String>,
}

impl<const ALONE: bool> Sink for Text<ALONE> {
    const ERRORS: bool = false;
    const NULLS_ALONE: bool = ALONE;

    fn characters(&mut self, data: &str, _span: Span) {
        self.text.push_str(data);
        if data.contains('\0') && data != "\0" {
            self.together = Some(data.to_owned());
        }
    }

    fn cdata_sections_are_allowed(&mut self) -> bool {
        true
    }
}

macro_rules! texts {
    ($($name:literal => $module:ident),* $(,)?) => {
        /// The text that each tokenizer makes of a document, where each U+0000 may come with others, and alone.
        fn texts(pieces: &[&str], content: Content) -> Vec<(&'static str, String, Text<true>)> {
            vec![$({
                use speclex_tokenizers::$module::Tokenizer;
                let mut together = Tokenizer::new(Text::<false>::default());
                let mut alone = Tokenizer::new(Text::<true>::default());
                // Not all have all contents.
                let _ = (together.enter(content), alone.enter(content));
                for piece in pieces {
                    let _ = (together.feed(piece), alone.feed(piece));
                }
                let _ = (together.end(), alone.end());
                ($name, together.into_sink().text, alone.into_sink())
            }),*]
        }
    };
}

speclex_tokenizers::for_each_revision!(texts);

/// Each U+0000 comes alone to a sink that wants it so, and the text is the same.
fn nulls() -> Result<(), Failed> {
    let mut random = Random::named("nulls");
    for number in 0..600 {
        let mut input = document(&mut random);
        for piece in &mut input {
            match random.below(6) {
                0 => piece.push_str("a\0b"),
                1 => piece.insert(0, '\0'),
                2 => *piece = "<![CDATA[x\0\0]y]]>".to_owned(),
                _ => {}
            }
        }
        let input = input.concat();
        let contents = [Content::Data, Content::Rawtext, Content::ScriptData];
        let content = contents[number % contents.len()];
        for (table, together, alone) in texts(&cut(&input, &mut random), content) {
            if let Some(text) = alone.together {
                return Err(format!("{table}: {text:?} of {input:?}").into());
            }
            if alone.text != together {
                return Err(format!("{table}: {:?}, not {together:?}", alone.text).into());
            }
        }
    }
    Ok(())
}

/// Adds the cases.
pub(crate) fn add(suite: &mut Cases) {
    suite.add_trial("builders: edges of shortcuts", edges);
    suite.add_trial("tokenizers: each U+0000 alone", nulls);
}
