//! What `cargo xtask test` makes of what `cargo test` prints.

use crate::test;

fn report(printed: &str) -> String {
    let mut out = Vec::new();
    let mut report = test::Report::new(&mut out, false);
    for line in printed.lines() {
        report.line(line).expect("a buffer");
    }
    report.end().expect("a buffer");
    drop(report);
    // Times differ.
    let shown = String::from_utf8(out).expect("UTF-8");
    let without_time = |line: &str| {
        let is_time = line.ends_with(" s") && (line.contains("passed") || line.contains("min"));
        let end = line.rfind([',', ';']).filter(|_| is_time);
        line[..end.unwrap_or(line.len())].to_owned()
    };
    let lines: Vec<_> = shown.lines().map(without_time).collect();
    lines.join("\n")
}

#[test]
fn suites_are_lines_and_failures_are_shown() {
    let printed = "   Compiling serde v1.0.0
   Compiling speclex v0.1.0 (/a/runtime)
warning: unused
    Finished `test` profile
     Running unittests src/lib.rs (target/debug/deps/speclex-0123456789abcdef)

running 2 tests
test a ... ok
test b ... ignored

test result: ok. 1 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s

     Running tests/conformance.rs (target/debug/deps/conformance-0123456789abcdef)
html-2012: 12 runs deviate
conformance: 72743 cases

running 2 tests
test a (72742 cases) ... ok
test b ... FAILED

failures:

---- b ----
3 of 4 cases fail

failures:
    b

test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 9.00s

error: test failed, to rerun pass `-p speclex-tests --test conformance`
     Running pass/file.rs (target/debug/deps/file-0123456789abcdef)
     Running pass/inline.rs (target/debug/deps/inline-0123456789abcdef)
thread 'main' panicked
error: test failed, to rerun pass `-p speclex-ui-tests --test inline`
   Doc-tests speclex

running 1 test
test runtime/src/lib.rs - (line 3) ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s

error: 2 targets failed:
    `-p speclex-tests --test conformance`";
    let expected = "   Compiling speclex v0.1.0 (/a/runtime)
warning: unused
    Finished `test` profile
speclex, unit tests                    1 passed, 1 ignored
conformance                            1 passed, 1 FAILED, 72,743 cases
html-2012: 12 runs deviate

test b ... FAILED

failures:

---- b ----
3 of 4 cases fail

failures:
    b


error: test failed, to rerun pass `-p speclex-tests --test conformance`
file                                   1 passed
inline                                 0 passed, 1 FAILED
thread 'main' panicked
error: test failed, to rerun pass `-p speclex-ui-tests --test inline`
examples of speclex                    1 passed

4 passed, 2 failed, 1 ignored; 72,747 cases";
    assert_eq!(report(printed), expected);
}
