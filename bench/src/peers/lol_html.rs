//! lol_html, which rewrites: without handlers it only looks for tags it may have to care about; with
//! all of them (elements, text, comments, DOCTYPEs) it tokenizes.

use std::cell::RefCell;
use std::rc::Rc;

use lol_html::{HtmlRewriter, Settings, doc_comments, doc_text, doctype, element};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;

pub(super) fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    vec![
        Contender::by_text("lol_html, no handlers", corpus, |text, counts| {
            let output = |bytes: &[u8]| counts.text_bytes += bytes.len() as u64;
            let mut rewriter = HtmlRewriter::new(settings(), output);
            let written = rewriter
                .write(text.as_bytes())
                .and_then(|()| rewriter.end());
            counts.errors += u64::from(written.is_err());
        }),
        Contender::by_text("lol_html, all handlers", corpus, |text, counts| {
            let shared = Rc::new(RefCell::new(Counts::default()));
            let mut rewriter = HtmlRewriter::new(handlers(&shared), |_: &[u8]| {});
            let written = rewriter
                .write(text.as_bytes())
                .and_then(|()| rewriter.end());
            *counts += *shared.borrow();
            counts.errors += u64::from(written.is_err());
        }),
    ]
}

/// It stops at markup that a tree builder may take otherwise, unless told not to.
pub(super) fn settings() -> Settings<'static, 'static> {
    Settings::new().with_strict(false)
}

fn handlers(counts: &Rc<RefCell<Counts>>) -> Settings<'static, 'static> {
    let [elements, comments, texts, doctypes] = std::array::from_fn(|_| Rc::clone(counts));
    settings()
        .append_element_content_handler(element!("*", move |element| {
            let mut counts = elements.borrow_mut();
            counts.start_tags += 1;
            counts.name_bytes += element.tag_name().len() as u64;
            for attribute in element.attributes() {
                counts.attribute(attribute.name().len(), attribute.value().len());
            }
            Ok(())
        }))
        .append_document_content_handler(doc_comments!(move |comment| {
            comments.borrow_mut().comment(comment.text().len());
            Ok(())
        }))
        .append_document_content_handler(doc_text!(move |text| {
            texts.borrow_mut().text_bytes += text.as_str().len() as u64;
            Ok(())
        }))
        .append_document_content_handler(doctype!(move |_| {
            doctypes.borrow_mut().others += 1;
            Ok(())
        }))
}
