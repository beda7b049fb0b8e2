//! Documents, or names of files, one after the other in one stream.

use std::io::{self, BufRead, Read};

use serde_json::Value;

/// A record is not read because it is too long.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// The bytes up to a byte, or to the end of the input; `None` at the end.
pub(super) fn next(
    input: &mut impl BufRead,
    end: u8,
    longest: u64,
) -> io::Result<Option<Result<Vec<u8>, TooLong>>> {
    let mut bytes = Vec::new();
    input
        .by_ref()
        .take(longest + 1)
        .read_until(end, &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.last() == Some(&end) {
        bytes.pop();
    } else if bytes.len() as u64 > longest {
        input.skip_until(end)?;
        return Ok(Some(Err(TooLong)));
    }
    Ok(Some(Ok(bytes)))
}

/// How long a line may be whose document may be so long: `\u0000` stands for one byte.
pub(super) fn longest_line(longest: u64) -> u64 {
    longest.saturating_mul(6)
}

/// The name that a line of JSON has, if any, and its document; or why there is none: its own `error`, if it has one.
pub(super) fn json(line: &[u8]) -> (Option<String>, Result<String, String>) {
    let mut fields = match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => fields,
        Ok(Value::String(text)) => return (None, Ok(text)),
        Ok(_) => {
            let reason = "the line is neither a JSON string nor an object";
            return (None, Err(reason.to_owned()));
        }
        Err(error) => {
            let reason = format!("the line is not JSON (column {})", error.column());
            return (None, Err(reason));
        }
    };
    let mut text = |key| match fields.remove(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    };
    match (text("name"), text("document"), text("error")) {
        (Some(name), Some(text), _) => (Some(name), Ok(text)),
        (Some(name), None, Some(error)) => (Some(name), Err(error)),
        (name, _, _) => {
            let reason = "the object has no texts `name` and `document`";
            (name, Err(reason.to_owned()))
        }
    }
}
