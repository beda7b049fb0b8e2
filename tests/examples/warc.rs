//! Makes a WARC file of documents: `cargo run -p speclex-tests --example warc -- FOLDER OUT.warc.gz`.

use std::path::Path;

use speclex_tests::files;
use speclex_tests::warc::{Packing, Warc};

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, out] = arguments.as_slice() else {
        eprintln!("usage: warc FOLDER OUT.warc[.gz]");
        std::process::exit(2);
    };
    let packing = match out.ends_with(".gz") {
        true => Packing::Gzip,
        false => Packing::Plain,
    };
    let mut warc = Warc::new(packing);
    for path in files(Path::new(folder), &["html"]) {
        let name = path
            .strip_prefix(folder)
            .unwrap_or(&path)
            .display()
            .to_string();
        let fields = "Content-Type: text/html; charset=utf-8\r\n";
        warc.response(
            &format!("https://example.org/{name}"),
            fields,
            &std::fs::read(&path)?,
        );
    }
    std::fs::write(out, warc.finish())
}
