//! A prefix in front of every `href` of a stream: by the example `rewrite`, which has spans, and by lol_html.

use std::io::{self, Write};

use lol_html::{HtmlRewriter, element};
use rewrite_example::Rewriter;
use speclex::Limits;
use speclex_tokenizers::html_living::{Token, tokens};

use super::lol_html::settings;
use crate::contender::Contender;
use crate::corpus::Corpus;

/// How many bytes come at a time.
const CHUNK: usize = 1 << 16;

const PREFIX: &str = "https://example.org/?";

/// Rewrites a page.
type Rewrite = fn(&str, &mut dyn Write) -> io::Result<()>;

const CONTENDERS: [(&str, Rewrite); 2] = [
    ("rewriting every href, by spans", ours),
    ("rewriting every href, lol_html", lol_html),
];

pub(super) fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    let contenders = CONTENDERS.iter().map(|(name, rewrite)| {
        Contender::by_text(*name, corpus, |text, counts| {
            let mut written = Counting(0);
            counts.errors += u64::from(rewrite(text, &mut written).is_err());
            counts.text_bytes += written.0;
        })
    });
    contenders.collect()
}

/// Counts what is written.
struct Counting(u64);

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn ours(page: &str, mut out: &mut dyn Write) -> io::Result<()> {
    let change = |href: &str| Some([PREFIX, href].concat());
    let mut rewriter = Rewriter::new(Limits::default(), change);
    for chunk in page.as_bytes().chunks(CHUNK) {
        rewriter.feed(chunk, &mut out)?;
    }
    rewriter.end(&mut out)
}

fn lol_html(page: &str, out: &mut dyn Write) -> io::Result<()> {
    let change = element!("[href]", |element| {
        let href = element.get_attribute("href").unwrap_or_default();
        Ok(element.set_attribute("href", &[PREFIX, &href].concat())?)
    });
    let settings = settings().append_element_content_handler(change);
    let mut written = Ok(());
    let mut rewriter = HtmlRewriter::new(settings, |bytes: &[u8]| {
        if written.is_ok() {
            written = out.write_all(bytes);
        }
    });
    for chunk in page.as_bytes().chunks(CHUNK) {
        rewriter.write(chunk).map_err(io::Error::other)?;
    }
    rewriter.end().map_err(io::Error::other)?;
    written
}

/// Whether what both make of a page has the same tokens.
pub fn agree(page: &str) -> io::Result<bool> {
    let [ours, theirs] = CONTENDERS.map(|(_, rewrite)| {
        let mut out = Vec::new();
        rewrite(page, &mut out)?;
        String::from_utf8(out).map_err(io::Error::other)
    });
    let without_spans = |text| {
        tokens(text)
            .map(|(token, _)| token)
            .collect::<Vec<Token<'_>>>()
    };
    Ok(without_spans(&ours?) == without_spans(&theirs?))
}
