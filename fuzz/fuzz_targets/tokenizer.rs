//! The input comes from libFuzzer; answers, chunks and the rest of the case from the number in front of it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use speclex_tests::fuzz::libfuzzer;

fuzz_target!(|data: &[u8]| libfuzzer::tokenizer(data));
