//! `diff --merge`: adds up surveys.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::PathBuf;

use speclex_analysis::survey::{Mismatch, Survey};

use crate::document::is_standard_input;
use crate::{Failure, terminal};

/// The sum of all surveys in files, each of which may hold any number of them.
pub(super) fn merged(files: &[PathBuf]) -> Result<Survey, Failure> {
    terminal::read_once(files)?;
    let mut sum: Option<Survey> = None;
    for path in files {
        let input: Box<dyn Read> = match is_standard_input(path) {
            true => Box::new(io::stdin().lock()),
            false => Box::new(File::open(path).map_err(Failure::io("cannot read", path))?),
        };
        let refused = |reason: &dyn std::fmt::Display| {
            Failure::Other(format!("{}: {reason}", path.display()))
        };
        let surveys = serde_json::Deserializer::from_reader(BufReader::new(input));
        for (number, survey) in (1..).zip(surveys.into_iter::<Survey>()) {
            let survey = survey.map_err(|error| {
                refused(&format_args!(
                    "this is not what `diff --input … --format json` prints: {error}"
                ))
            })?;
            let mismatched =
                |mismatch: Mismatch| refused(&format_args!("survey {number}: {mismatch}"));
            match &mut sum {
                Some(sum) => sum.merge(survey).map_err(mismatched)?,
                None => sum = Some(survey),
            }
        }
    }
    sum.ok_or_else(|| Failure::Other("there are no surveys to merge".to_owned()))
}
