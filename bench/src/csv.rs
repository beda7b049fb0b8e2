//! A user's small table against a hand-written crate for the same format: comma-separated values.

use speclex::Span;

use crate::contender::Contender;
use crate::corpus::Corpus;
use crate::counts::Counts;

speclex::tokenizer! {
    /// The table of the example `csv`.
    mod table = "../examples/csv/tables/csv.yaml";
}

/// The class.
pub const CLASS: &str = "csv";
/// Ours.
pub const OURS: &str = "csv table, borrowed";

/// How many records the document has.
const RECORDS: u32 = 40_000;

#[derive(Default)]
struct Counting(Counts);

impl table::Sink for Counting {
    const ERRORS: bool = false;

    fn field(&mut self, field: &table::Field<'_>, _: Span) {
        self.0.attribute(0, field.value.len());
    }

    fn record_end(&mut self, _: Span) {
        self.0.end_tags += 1;
    }
}

/// One generated document: numbers, dates, names, and texts of which some need quotes.
pub fn corpus() -> Corpus {
    let mut text = String::from("id,date,name,amount,currency,note,status\r\n");
    let mut seed = 1_u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    let names: Vec<_> = "Ada,Grace Hopper,Müller,O'Neil,Li,Nwosu-Adichie"
        .split(',')
        .collect();
    let words: Vec<_> = "paid,late,see invoice,refund,by transfer,second reminder"
        .split(',')
        .collect();
    for id in 0..RECORDS {
        let name = names[random(6) as usize];
        let mut note = words[random(6) as usize].to_owned();
        for _ in 0..random(6) {
            note = note + " " + words[random(6) as usize];
        }
        let note = match random(4) {
            0 => format!("\"{note}, {note}\""),
            1 => format!("\"{note} \"\"{name}\"\"\r\n{note}\""),
            2 => String::new(),
            _ => note,
        };
        let (day, cents) = (random(28) + 1, random(100));
        let euros = random(10_000);
        text += &format!("{id},2026-03-{day:02},{name},{euros}.{cents:02},EUR,{note},open\r\n");
    }
    Corpus {
        class: CLASS,
        documents: vec![text],
    }
}

/// Ours and the crate `csv`, with its fastest interface.
pub fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    vec![
        Contender::by_text(OURS, corpus, |text, counts| {
            let mut tokenizer = table::Tokenizer::new(Counting::default());
            // The sink names no content, so none can be refused.
            let _ = tokenizer.feed(text).and_then(|_| tokenizer.end());
            *counts += tokenizer.into_sink().0;
        }),
        Contender::by_text("csv crate, byte records", corpus, |text, counts| {
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(text.as_bytes());
            let mut record = csv::ByteRecord::new();
            while let Ok(true) = reader.read_byte_record(&mut record) {
                for field in &record {
                    counts.attribute(0, field.len());
                }
                counts.end_tags += 1;
            }
        }),
    ]
}
