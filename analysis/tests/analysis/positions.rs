//! Lines and columns: of a whole text, of its last stretch and of one that comes in pieces.

use speclex_analysis::position::{Lines, Position, Window};
use speclex_analysis::testing;

/// Counts from the start, character by character.
fn counted(text: &str, offset: usize) -> Position {
    let (mut line, mut column) = (1, 1);
    for (at, c) in text[..offset].char_indices() {
        let crlf = c == '\r' && text.as_bytes().get(at + 1) == Some(&b'\n');
        if matches!(c, '\r' | '\n') && !crlf {
            (line, column) = (line + 1, 1);
        } else {
            column += c.len_utf16() as u64;
        }
    }
    Position { line, column }
}

#[test]
fn lines_agree_with_counting() {
    let line = "aé€\u{1F600}\r\nb\rc\n\r\r\n";
    let long = "x€".repeat(300);
    for text in [
        "",
        "\u{FEFF}a",
        line,
        &line.repeat(40),
        &long,
        &"a".repeat(2 * testing::BLOCK),
    ] {
        let lines = Lines::new(text);
        for offset in (0..=text.len()).filter(|&o| text.is_char_boundary(o)) {
            assert_eq!(
                lines.position(offset as u64),
                counted(text, offset),
                "{offset}"
            );
        }
        assert_eq!(lines.position(u64::MAX), lines.position(text.len() as u64));
    }
}

#[test]
fn a_window_agrees_with_the_whole() {
    let line = "aé€\u{1F600}\r\nb\rc\n\r\r\n";
    let text = [
        &*line.repeat(9_000),
        &"x€".repeat(90_000),
        &line.repeat(9_000),
    ]
    .concat();
    let lines = Lines::new(&text);
    let mut window = Window::default();
    let (mut at, mut length, mut largest) = (0, 1, 0);
    while at < text.len() {
        let mut end = (at + length).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        window.push(&text[at..end]);
        largest = largest.max(testing::kept(&window));
        // Between a carriage return and a line feed only who has both can tell.
        let wanted = at.saturating_sub(5_000)..=end - usize::from(text[..end].ends_with('\r'));
        for offset in wanted.step_by(997).filter(|&o| text.is_char_boundary(o)) {
            let offset = offset as u64;
            assert_eq!(window.position(offset), lines.position(offset), "{offset}");
        }
        window.release(at.saturating_sub(5_000) as u64);
        (at, length) = (end, length * 7 % 2_039);
    }
    assert_eq!(window.end(), text.len() as u64);
    assert!(largest < 3 * testing::LEAST_LET_GO, "{largest}");
}

#[test]
fn places_in_pieces_agree_with_the_lines_of_the_whole_text() {
    for text in [
        "",
        "\u{FEFF}a\u{1F600}\r\nb\rc\n\r\r\n",
        "a\r",
        "\r\n",
        "\n\r",
    ] {
        let mut window = Window::default();
        for c in text.chars() {
            window.push(c.encode_utf8(&mut [0; 4]));
        }
        let lines = Lines::new(text);
        let all = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        for at in all {
            let at = at as u64;
            assert_eq!(window.position(at), lines.position(at), "{text:?} at {at}");
        }
    }
}
