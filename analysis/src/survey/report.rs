//! What came of many documents, as data that can be added up. `docs/diffing.md` describes its JSON.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use speclex_codegen::escape::is_control;
use speclex_codegen::machine::Machine;
use twox_hash::XxHash3_128;

use crate::diff::Kind;

/// The version of the JSON.
pub const FORM: u32 = 1;

/// So many of what could not be read are listed, the first by name; all are counted.
pub const LISTED: usize = 1000;

/// The greatest number that a survey counts to, and that all readers of JSON hold exactly: 2^53.
const MOST: u64 = 1 << 53;

/// The sum of two counts of this name.
fn sum(name: &str, count: u64, more: u64) -> Result<u64, Mismatch> {
    let sum = count.checked_add(more).filter(|sum| *sum <= MOST);
    sum.ok_or_else(|| Mismatch(format!("the sum of `{name}` is greater than 2^53")))
}

/// Reads a count. A survey may come from a file that anyone may have written.
fn count<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let count = u64::deserialize(from)?;
    match count <= MOST {
        true => Ok(count),
        false => Err(D::Error::custom(format_args!(
            "{count} is no count: it is greater than 2^53"
        ))),
    }
}

/// Reads counts by reason.
fn counts<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, u64>, D::Error> {
    #[derive(Deserialize)]
    struct Count(#[serde(deserialize_with = "count")] u64);
    let counts = BTreeMap::<String, Count>::deserialize(from)?;
    Ok(counts
        .into_iter()
        .map(|(reason, Count(times))| (reason, times))
        .collect())
}

/// What a document is called.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name {
    /// The file.
    pub file: String,
    /// In a file of several documents which one: its number or its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Names come from files that anyone may have written.
        let shown = |text: &str, f: &mut fmt::Formatter<'_>| {
            text.chars().try_for_each(|c| match is_control(c) {
                true => write!(f, "{}", c.escape_default()),
                false => f.write_char(c),
            })
        };
        shown(&self.file, f)?;
        if let Some(record) = &self.record {
            f.write_char(' ')?;
            shown(record, f)?;
        }
        Ok(())
    }
}

/// Where a difference is, and how it looks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Shown {
    /// The document.
    #[serde(flatten)]
    pub name: Name,
    /// The line where the tokenizers fall out of step, from 1.
    pub line: u64,
    /// The column, from 1, in UTF-16 code units.
    pub column: u64,
    /// The text before.
    pub before: String,
    /// The text from there on.
    pub after: String,
    /// What each side makes of it: the first token or the first errors that differ.
    pub outputs: [String; 2],
}

/// The first difference of a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Difference {
    /// Where, and how it looks.
    #[serde(flatten)]
    pub shown: Shown,
    /// What differs.
    pub differs: Kind,
    /// The arms with which the tokenizers fall out of step.
    pub arms: [String; 2],
}

/// Documents that differ for the same reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CauseRow {
    /// What differs.
    pub differs: Kind,
    /// The arms with which the tokenizers fall out of step.
    pub arms: [String; 2],
    /// How many.
    #[serde(deserialize_with = "count")]
    pub documents: u64,
    /// The first of them by name.
    pub example: Shown,
}

/// A document, or a file of documents, that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unread {
    /// Which.
    #[serde(flatten)]
    pub name: Name,
    /// Why.
    pub why: String,
}

/// How many documents differ, by the gravest kind of difference that they have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Differing {
    /// In tokens.
    #[serde(deserialize_with = "count")]
    pub tokens: u64,
    /// Only in errors.
    #[serde(deserialize_with = "count")]
    pub errors: u64,
    /// Only in positions.
    #[serde(deserialize_with = "count")]
    pub positions: u64,
}

impl Differing {
    /// All that differ.
    pub fn all(&self) -> u64 {
        let both = self.tokens.saturating_add(self.errors);
        both.saturating_add(self.positions)
    }
}

/// Which tables were compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// What they are called: as they call themselves, or as the user calls them.
    pub names: [String; 2],
    /// A number for what each of them says, by which they are known.
    pub digests: [String; 2],
}

impl Tables {
    /// Those of two machines.
    pub fn of(machines: [&Machine; 2]) -> Self {
        Self {
            names: machines.map(|machine| machine.name.clone()),
            digests: machines.map(|machine| {
                let said = format!("{machine:?}");
                format!("{:032x}", XxHash3_128::oneshot(said.as_bytes()))
            }),
        }
    }
}

/// What came of documents. Two of them [add up](Self::merge) to what would have come of all documents in one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Survey {
    /// The version of this form.
    pub survey: u32,
    /// The version of the program.
    pub speclex: String,
    /// What was compared.
    pub tables: Tables,
    /// Documents compared.
    #[serde(deserialize_with = "count")]
    pub documents: u64,
    /// Their bytes.
    #[serde(deserialize_with = "count")]
    pub bytes: u64,
    /// How many of them were not valid UTF-8: what is malformed was read as U+FFFD.
    #[serde(deserialize_with = "count")]
    pub not_utf8: u64,
    /// How many of them differ.
    pub differing: Differing,
    /// Why: by what differs, the most frequent reason first.
    pub causes: Causes,
    /// The first difference of each document that has one, by name; `None` if only totals were wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differences: Option<Vec<Difference>>,
    /// How many documents or files could not be read.
    #[serde(deserialize_with = "count")]
    pub unread_count: u64,
    /// The first [`LISTED`] of these by name.
    pub unread: Vec<Unread>,
    /// What was left out because it is no document to compare, by reason.
    #[serde(deserialize_with = "counts")]
    pub skipped: BTreeMap<String, u64>,
}

/// Reasons by what differs and the arms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<CauseRow>", into = "Vec<CauseRow>")]
pub struct Causes(BTreeMap<(Kind, [String; 2]), CauseRow>);

impl Causes {
    /// The most frequent one first.
    pub fn rows(&self) -> Vec<&CauseRow> {
        let mut rows: Vec<_> = self.0.values().collect();
        rows.sort_by_key(|row| (row.differs, std::cmp::Reverse(row.documents)));
        rows
    }

    fn add(&mut self, row: CauseRow) -> Result<(), Mismatch> {
        let key = (row.differs, row.arms.clone());
        match self.0.get_mut(&key) {
            Some(known) => {
                known.documents = sum("causes.documents", known.documents, row.documents)?;
                if row.example < known.example {
                    known.example = row.example;
                }
            }
            None => drop(self.0.insert(key, row)),
        }
        Ok(())
    }
}

impl TryFrom<Vec<CauseRow>> for Causes {
    type Error = Mismatch;

    fn try_from(rows: Vec<CauseRow>) -> Result<Self, Mismatch> {
        let mut causes = Self::default();
        rows.into_iter().try_for_each(|row| causes.add(row))?;
        Ok(causes)
    }
}

impl From<Causes> for Vec<CauseRow> {
    fn from(causes: Causes) -> Self {
        causes.rows().into_iter().cloned().collect()
    }
}

/// Why two surveys do not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch(String);

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Survey {
    /// A survey of no documents; with a list of those that differ or only with totals.
    pub fn new(tables: Tables, list: bool) -> Self {
        Self {
            survey: FORM,
            speclex: env!("CARGO_PKG_VERSION").to_owned(),
            tables,
            documents: 0,
            bytes: 0,
            not_utf8: 0,
            differing: Differing::default(),
            causes: Causes::default(),
            differences: list.then(Vec::new),
            unread_count: 0,
            unread: Vec::new(),
            skipped: BTreeMap::new(),
        }
    }

    /// Counts a document of so many bytes that was compared.
    pub fn compared(&mut self, bytes: u64, valid: bool, difference: Option<Difference>) {
        self.documents += 1;
        self.bytes += bytes;
        self.not_utf8 += u64::from(!valid);
        let Some(difference) = difference else { return };
        let count = match difference.differs {
            Kind::Tokens => &mut self.differing.tokens,
            Kind::Errors => &mut self.differing.errors,
            Kind::Positions => &mut self.differing.positions,
        };
        *count += 1;
        // One more of one document each: no machine counts so far.
        let _ = self.causes.add(CauseRow {
            differs: difference.differs,
            arms: difference.arms.clone(),
            documents: 1,
            example: difference.shown.clone(),
        });
        if let Some(all) = &mut self.differences {
            all.push(difference);
        }
    }

    /// Counts what could not be read.
    pub fn not_read(&mut self, name: Name, why: String) {
        self.unread_count += 1;
        self.unread.push(Unread { name, why });
        if self.unread.len() >= 2 * LISTED {
            self.sort();
        }
    }

    /// Counts what is no document to compare.
    pub fn left_out(&mut self, reason: &str, times: u64) {
        let count = self.skipped.entry(reason.to_owned()).or_default();
        *count = count.saturating_add(times);
    }

    /// Puts the lists in order: needed before it is shown.
    pub fn sort(&mut self) {
        if let Some(all) = &mut self.differences {
            all.sort();
        }
        self.unread.sort();
        self.unread.truncate(LISTED);
    }

    /// Adds another survey's documents. In which order surveys are added makes no difference. If one of them
    /// has only totals, so has the sum.
    ///
    /// # Errors
    /// When they are not of the same tables, or of another version, or when a count of the sum is greater than
    /// 2^53. Then this survey may have some of the other's counts.
    pub fn merge(&mut self, other: Self) -> Result<(), Mismatch> {
        self.agree(&other).map_err(Mismatch)?;
        // One table may lie in several places.
        let names = &mut self.tables.names;
        *names = std::mem::take(names).min(other.tables.names);
        let (ours, theirs) = (&mut self.differing, other.differing);
        for (name, count, more) in [
            ("documents", &mut self.documents, other.documents),
            ("bytes", &mut self.bytes, other.bytes),
            ("notUtf8", &mut self.not_utf8, other.not_utf8),
            ("differing.tokens", &mut ours.tokens, theirs.tokens),
            ("differing.errors", &mut ours.errors, theirs.errors),
            ("differing.positions", &mut ours.positions, theirs.positions),
            ("unreadCount", &mut self.unread_count, other.unread_count),
        ] {
            *count = sum(name, *count, more)?;
        }
        let mut rows = other.causes.0.into_values();
        rows.try_for_each(|row| self.causes.add(row))?;
        self.differences = match (self.differences.take(), other.differences) {
            (Some(mut ours), Some(theirs)) => {
                ours.extend(theirs);
                Some(ours)
            }
            _ => None,
        };
        self.unread.extend(other.unread);
        for (reason, times) in other.skipped {
            let count = self.skipped.entry(reason).or_default();
            *count = sum("skipped", *count, times)?;
        }
        self.sort();
        Ok(())
    }

    fn agree(&self, other: &Self) -> Result<(), String> {
        if (self.survey, &self.speclex) != (other.survey, &other.speclex) {
            return Err(format!(
                "one survey was made by speclex {} (form {}), another by speclex {} (form {})",
                self.speclex, self.survey, other.speclex, other.survey
            ));
        }
        let (ours, theirs) = (&self.tables, &other.tables);
        let differs = |side: &usize| ours.digests[*side] != theirs.digests[*side];
        match [0, 1].into_iter().find(differs) {
            None => Ok(()),
            Some(side) if ours.names == theirs.names => Err(format!(
                "the surveys were made with different tables of the name {}",
                ours.names[side]
            )),
            Some(_) => {
                let [ours, theirs] = [ours, theirs].map(|tables| tables.names.join(" with "));
                Err(format!("one survey compares {ours}, another {theirs}"))
            }
        }
    }
}
