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

/// The name, if there is one, and the document that a line of JSON holds; or why it holds none.
pub(super) fn json(line: &[u8]) -> Result<(Option<String>, String), String> {
    match serde_json::from_slice(line) {
        Ok(Value::String(text)) => Ok((None, text)),
        Ok(Value::Object(mut fields)) => match (fields.remove("name"), fields.remove("document")) {
            (Some(Value::String(name)), Some(Value::String(text))) => Ok((Some(name), text)),
            _ => Err("the object has no texts `name` and `document`".to_owned()),
        },
        Ok(_) => Err("the line is neither a JSON string nor an object".to_owned()),
        Err(error) => Err(format!("the line is not JSON (column {})", error.column())),
    }
}
