//! Tree construction: HTML by html5lib-tests, web-platform-tests and tests of our own, XML by xml5lib-tests and tests of our
//! own, and bad input.

mod accessors;
mod built;
mod compared;
mod cuts;
mod deep;
mod edges;
mod edited;
mod html;
mod inner_text;
mod limited;
mod scripts;
mod serialized;
mod shortcuts;
mod shown;
mod walked;
mod xml;

use std::process::ExitCode;

use libtest_mimic::Arguments;
use speclex_tests::cases::Cases;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let mut suite = Cases::new("tree");
    xml::add(&mut suite);
    html::add(&mut suite);
    accessors::add(&mut suite);
    built::add(&mut suite);
    cuts::add(&mut suite);
    scripts::add(&mut suite);
    inner_text::add(&mut suite);
    serialized::add(&mut suite);
    shortcuts::add(&mut suite);
    shown::add(&mut suite);
    walked::add(&mut suite);
    deep::add(&mut suite);
    edited::add(&mut suite);
    edges::add(&mut suite);
    limited::add(&mut suite);
    compared::add(&mut suite);
    suite.run(arguments).exit_code()
}
