//! The page without a server: the answers to all that needs no computation, as files for any web server.

use serde_json::json;

use crate::api::{Answer, Request, answer};
use crate::case::{Start, Table};
use crate::library::Library;
use crate::page::ASSETS;

/// What tells the page that it has no server, and stands for the headers of one.
const STATIC: &str = "<meta name=\"static\" content=\"data\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
    script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'\">\n";

/// The files of a static page, by their paths: Compare with its examples, Read, and search.
pub fn files(library: &Library) -> Vec<(String, Vec<u8>)> {
    let assets = ASSETS.iter().map(|asset| {
        let text = std::str::from_utf8(asset.bytes).unwrap_or_default();
        let text = match asset.file {
            "index.html" => text.replacen("<title>", &format!("{STATIC}<title>"), 1),
            _ => text.to_owned(),
        };
        (asset.file.to_owned(), text.into_bytes())
    });
    let mut files: Vec<(String, Vec<u8>)> = assets.collect();
    let mut requests = vec![Request::Start {}, Request::Words {}];
    if let Answer::Start {
        tables,
        comparisons,
    } = answer(library, &Request::Start {}, &mut |_, _| {})
    {
        requests.extend(tables.into_iter().map(|row| Request::Read {
            table: Table::named(&row.name),
        }));
        for comparison in comparisons {
            for example in comparison.examples {
                // In this browser nothing runs.
                let disabled = Start {
                    scripting: Some("disabled".to_owned()),
                    ..Start::default()
                };
                for start in [example.start, disabled] {
                    requests.push(Request::Compare {
                        tables: comparison
                            .tables
                            .iter()
                            .map(|it| Table::named(it))
                            .collect(),
                        input: example.input.clone(),
                        start,
                    });
                }
            }
        }
    }
    for request in requests {
        let answer = json!(answer(library, &request, &mut |_, _| {}));
        let name = format!("data/{:016x}.json", key(&json!(request).to_string()));
        files.push((name, answer.to_string().into_bytes()));
    }
    files
}

/// FNV-1a of a request's JSON, as the page computes it.
fn key(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}
