//! Pages and what becomes of them.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a program makes of a page; an error is what it says.
fn run(program: &str, arguments: &[&str], page: &str) -> Result<String, String> {
    let mut command = Command::new(program);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes
        .stderr(Stdio::piped())
        .args(arguments)
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(page.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    match output.status.success() {
        true => Ok(text(output.stdout)),
        false => Err(text(output.stderr)),
    }
}

#[test]
fn scripts_are_removed() {
    let program = env!("CARGO_BIN_EXE_remove_scripts");
    let page = "<!DOCTYPE html>\r\n<Title>a &amp; b</title><script src=x></SCRIPT ><p Class=x>1<svg><script/></svg>\r\n<template><script>2</script></template>";
    let without = "<!DOCTYPE html>\r\n<Title>a &amp; b</title><p Class=x>1<svg></svg>\r\n<template></template>";
    assert_eq!(run(program, &[], page).as_deref(), Ok(without));
    // What is left would be a script.
    let error = run(program, &[], "<<script></script>script>alert(1)</script>").unwrap_err();
    assert!(error.contains("the text would be another tree"), "{error}");
}

#[test]
fn attributes_are_rewritten() {
    let program = env!("CARGO_BIN_EXE_rewrite_attributes");
    let page = "<a href=/x>1</a><A class=b HREF='/y?a&amp;b' >2<img src=x/><a href=z>";
    let rewritten = "<a href=\"https://example.org/x\">1</a><A class=b HREF='https://example.org/y?a&amp;b' >2<img src=x/ loading=\"lazy\"><a href=z>";
    let host = ["https://example.org"];
    assert_eq!(run(program, &host, page).as_deref(), Ok(rewritten));
    // A copy has the attributes of its tag.
    let page = "<p><a href=/x>1<p>2";
    let rewritten = "<p><a href=\"https://example.org/x\">1<p>2";
    assert_eq!(run(program, &host, page).as_deref(), Ok(rewritten));
}
