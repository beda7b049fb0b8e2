//! The body of an HTTP response as it was recorded.

use std::io::Read;

use flate2::read::{DeflateDecoder, MultiGzDecoder, ZlibDecoder};

use super::headers::Headers;

/// What decoding comes to when it is not a body.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum NoBody {
    /// Nothing to compare, for this reason.
    LeftOut(&'static str),
    /// A document that cannot be read.
    Broken(String),
}

/// The content types that are compared if nothing else is asked for.
pub(super) const HTML: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// The body of a response of one of these content types, at most so long.
pub(super) fn body(block: &[u8], types: &[String], longest: u64) -> Result<Vec<u8>, NoBody> {
    let (headers, body) =
        split(block).ok_or_else(|| NoBody::Broken("the record is no HTTP response".to_owned()))?;
    let content_type = headers.get("content-type").unwrap_or_default();
    let content_type = content_type.split(';').next().unwrap_or_default().trim();
    if !types
        .iter()
        .any(|wanted| wanted.eq_ignore_ascii_case(content_type))
    {
        return Err(NoBody::LeftOut("responses of another content type"));
    }
    let is_chunked = |codings: &str| {
        let last = codings.rsplit(',').next().unwrap_or_default();
        last.trim().eq_ignore_ascii_case("chunked")
    };
    let mut body = match headers.get("transfer-encoding").filter(|c| is_chunked(c)) {
        Some(_) => unchunked(body)?,
        None => body.to_vec(),
    };
    let codings = headers.get("content-encoding").unwrap_or_default();
    for coding in codings.rsplit(',').map(str::trim) {
        body = decoded(body, &coding.to_ascii_lowercase(), longest)?;
    }
    Ok(body)
}

/// The headers and the body.
fn split(block: &[u8]) -> Option<(Headers, &[u8])> {
    if !block.starts_with(b"HTTP/") {
        return None;
    }
    let mut lines = Vec::new();
    let mut rest = block;
    while !rest.is_empty() {
        let (line, after) = line(rest);
        rest = after;
        if line.is_empty() {
            break;
        }
        lines.push(line);
    }
    let fields = lines.into_iter().skip(1);
    Some((Headers::parse(fields), rest))
}

/// The first line without its end, and the rest.
fn line(text: &[u8]) -> (&[u8], &[u8]) {
    let Some(end) = text.iter().position(|&byte| byte == b'\n') else {
        return (text, &[]);
    };
    let (line, rest) = (&text[..end], &text[end + 1..]);
    (line.strip_suffix(b"\r").unwrap_or(line), rest)
}

/// The body without the lengths of its chunks. Some crawlers have taken these out already and left the field:
/// what does not begin with a length is the body.
fn unchunked(body: &[u8]) -> Result<Vec<u8>, NoBody> {
    let length = |line: &[u8]| {
        let digits = line.split(|&byte| byte == b';').next().unwrap_or_default();
        let digits = std::str::from_utf8(digits).ok()?.trim();
        usize::from_str_radix(digits, 16).ok()
    };
    let mut whole = Vec::new();
    let mut rest = body;
    loop {
        let (first, after) = line(rest);
        let Some(length) = length(first) else {
            return match rest.len() == body.len() {
                true => Ok(body.to_vec()),
                false => Err(NoBody::Broken(
                    "a chunk of the body has no length".to_owned(),
                )),
            };
        };
        if length == 0 {
            return Ok(whole);
        }
        let Some((chunk, after)) = after.split_at_checked(length) else {
            return Err(NoBody::Broken(
                "the last chunk of the body is not complete".to_owned(),
            ));
        };
        whole.extend_from_slice(chunk);
        rest = after
            .strip_prefix(b"\r\n")
            .or(after.strip_prefix(b"\n"))
            .unwrap_or(after);
    }
}

/// The body without a content coding. Crawlers may have taken it off already: what is not compressed stays.
fn decoded(body: Vec<u8>, coding: &str, longest: u64) -> Result<Vec<u8>, NoBody> {
    match coding {
        "" | "identity" => Ok(body),
        "gzip" | "x-gzip" if !body.starts_with(&super::inputs::GZIP) => Ok(body),
        "gzip" | "x-gzip" => inflated(MultiGzDecoder::new(body.as_slice()), longest),
        // Both forms are sent under this name.
        "deflate" => inflated(ZlibDecoder::new(body.as_slice()), longest)
            .or_else(|_| inflated(DeflateDecoder::new(body.as_slice()), longest)),
        _ => Err(NoBody::LeftOut(
            "responses compressed by other means than gzip and deflate",
        )),
    }
}

fn inflated(decoder: impl Read, longest: u64) -> Result<Vec<u8>, NoBody> {
    let mut whole = Vec::new();
    match decoder.take(longest + 1).read_to_end(&mut whole) {
        Err(error) => Err(NoBody::Broken(format!(
            "the compressed body is broken: {error}"
        ))),
        Ok(_) if whole.len() as u64 > longest => {
            Err(NoBody::Broken(super::inputs::too_long(longest)))
        }
        Ok(_) => Ok(whole),
    }
}
