//! quick-xml's events: as they are, and with references resolved.
//!
//! Names of end tags are not compared with those of start tags, which no tokenizer does.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;

pub(super) fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    vec![
        Contender::by_text("quick-xml, events", corpus, tokenize::<false>),
        Contender::by_text("quick-xml, unescaped", corpus, tokenize::<true>),
    ]
}

fn tag<const UNESCAPE: bool>(counts: &mut Counts, tag: &BytesStart<'_>) {
    counts.start_tags += 1;
    counts.name_bytes += tag.name().as_ref().len() as u64;
    for attribute in tag.attributes().with_checks(UNESCAPE) {
        match attribute {
            Ok(attribute) => {
                let name = attribute.key.as_ref().len();
                let value = if UNESCAPE {
                    attribute
                        .normalized_value(XmlVersion::Implicit1_0)
                        // One with an entity it does not know.
                        .map_or(attribute.value.len(), |value| value.len())
                } else {
                    attribute.value.len()
                };
                counts.attribute(name, value);
            }
            Err(_) => counts.errors += 1,
        }
    }
}

fn tokenize<const UNESCAPE: bool>(text: &'static str, counts: &mut Counts) {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start) | Event::Empty(start)) => tag::<UNESCAPE>(counts, &start),
            Ok(Event::End(end)) => {
                counts.end_tags += 1;
                counts.name_bytes += end.name().as_ref().len() as u64;
            }
            Ok(Event::Text(text)) if UNESCAPE => {
                counts.text_bytes += text.xml10_content().len() as u64;
            }
            Ok(Event::Text(text)) => counts.text_bytes += text.len() as u64,
            Ok(Event::CData(text)) => counts.text_bytes += text.len() as u64,
            Ok(Event::GeneralRef(reference)) if UNESCAPE => {
                let length = match reference.resolve_char_ref() {
                    Ok(Some(character)) => character.len_utf8(),
                    _ => {
                        let known = quick_xml::escape::resolve_predefined_entity(&reference);
                        known.map_or(0, str::len)
                    }
                };
                counts.text_bytes += length as u64;
            }
            // As long as it was written.
            Ok(Event::GeneralRef(reference)) => counts.text_bytes += reference.len() as u64 + 2,
            Ok(Event::Comment(data)) => counts.comment(data.len()),
            Ok(Event::Decl(_) | Event::PI(_) | Event::DocType(_)) => counts.others += 1,
            Ok(Event::Eof) => return,
            Err(_) => {
                counts.errors += 1;
                return;
            }
        }
    }
}
