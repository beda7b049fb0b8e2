//! A user's small table against a hand-written crate for the same format: comma-separated values.

use speclex::Span;

use crate::contender::Contender;
use crate::corpus::{Corpus, Document};
use crate::tally::Tally;

// The runtime's code in it is what it would be in the user's crate.
speclex::tokenizer! {
    /// The table of the example `csv`.
    mod table = "../examples/csv/tables/csv.yaml";
}

/// The class.
pub const CLASS: &str = "csv";
/// Ours.
pub const OURS: &str = "csv table, borrowed";
/// The crate's fastest way.
pub const THEIRS: &str = "csv crate, byte records";

/// How many records the document has.
const RECORDS: u32 = 40_000;

#[derive(Default)]
struct Counts(Tally);

impl table::Sink for Counts {
    fn field(&mut self, field: &table::Field<'_>, _: Span) {
        self.0.attribute(0, field.value.len());
    }

    fn record_end(&mut self, _: Span) {
        self.0.end_tags += 1;
    }
}

/// A made-up document: there is no such corpus. Numbers, dates, names, and texts of which some need
/// quotes.
pub fn corpus() -> Corpus {
    let mut text = String::from("id,date,name,amount,currency,note,status\r\n");
    let mut seed = 1_u32;
    let mut random = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) % below
    };
    let names = [
        "Ada",
        "Grace Hopper",
        "Müller",
        "O'Neil",
        "Li",
        "Nwosu-Adichie",
    ];
    let words = [
        "paid",
        "late",
        "see invoice",
        "refund",
        "by transfer",
        "second reminder",
    ];
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
        documents: vec![Document {
            name: "made-up.csv".to_owned(),
            text,
        }],
    }
}

/// Both.
pub fn contenders(corpus: &'static Corpus) -> Vec<Contender> {
    vec![
        Contender::each(OURS, corpus, |text, tally| {
            let mut tokenizer = table::Tokenizer::new(Counts::default());
            // The sink names no content, so none can be refused.
            let _ = tokenizer.feed(text).and_then(|_| tokenizer.end());
            *tally += tokenizer.into_sink().0;
        }),
        Contender::each(THEIRS, corpus, |text, tally| {
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .flexible(true)
                .from_reader(text.as_bytes());
            let mut record = csv::ByteRecord::new();
            while let Ok(true) = reader.read_byte_record(&mut record) {
                for field in &record {
                    tally.attribute(0, field.len());
                }
                tally.end_tags += 1;
            }
        }),
    ]
}
