//! A random table and an input: lowered, emitted and interpreted; nothing is compiled.
#![no_main]

use libfuzzer_sys::fuzz_target;
use speclex_tests::fuzz::libfuzzer;

fuzz_target!(|data: &[u8]| libfuzzer::table(data));
