//! Every text of some pieces.

/// Calls `check` with every text that consists of a beginning and at most `most` pieces.
pub fn each(beginning: &str, pieces: &[&str], most: u32, check: &mut dyn FnMut(&str)) {
    for length in 0..=most {
        for mut number in 0..pieces.len().pow(length) {
            let mut text = beginning.to_owned();
            for _ in 0..length {
                text += pieces[number % pieces.len()];
                number /= pieces.len();
            }
            check(&text);
        }
    }
}
