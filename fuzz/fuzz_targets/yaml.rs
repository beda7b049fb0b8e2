//! The text of a table.
#![no_main]

use libfuzzer_sys::fuzz_target;
use speclex_tests::fuzz::libfuzzer;

fuzz_target!(|data: &[u8]| libfuzzer::yaml(data));
