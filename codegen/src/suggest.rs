//! "Did you mean …?"

/// Of fewer letters than these it is not known what they begin.
const LEAST_OF_A_BEGINNING: usize = 4;

/// The candidate closest to what was typed, if one is close enough to be meant; or the only one that begins so.
pub fn closest<'a>(typed: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let length = typed.chars().count();
    // One letter is like every other letter.
    let limit = (length / 3).clamp(usize::from(length > 1), 6);
    let begins = |candidate: &&str| candidate.starts_with(typed) && *candidate != typed;
    let mut longer = candidates.iter().copied().filter(begins);
    let longer = longer.next().filter(|_| longer.next().is_none());
    let longer = longer.filter(|_| length >= LEAST_OF_A_BEGINNING);
    candidates
        .into_iter()
        .filter(|candidate| *candidate != typed)
        .map(|candidate| (distance(typed, candidate, limit), candidate))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, candidate)| candidate)
        .or(longer)
}

/// "did you mean `x`?", or what else to say.
pub(crate) fn did_you_mean<'a>(
    typed: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    otherwise: impl FnOnce() -> String,
) -> String {
    match closest(typed, candidates) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None => otherwise(),
    }
}

/// Which of these names may be meant: the closest one, or any of them.
pub(crate) fn which_of<'a>(
    typed: &str,
    names: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> String {
    let names = names.into_iter();
    did_you_mean(typed, names.clone(), || one_of(names))
}

/// "one of `a`, `b` or `c`", for short lists.
pub(crate) fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        None => "there are none".to_owned(),
        Some((only, [])) => format!("it can only be {only}"),
        Some((last, rest)) => format!("it can be {} or {last}", rest.join(", ")),
    }
}

/// The same for lists that may be long: the first ones, and how many there are besides.
pub(crate) fn some_of<'a>(names: impl IntoIterator<Item = &'a str>, most: usize) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.len().saturating_sub(most) {
        0 => one_of(names),
        more => {
            let shown: Vec<String> = names[..most].iter().map(|it| format!("`{it}`")).collect();
            let others = if more == 1 { "other" } else { "others" };
            format!("it can be {} or one of {more} {others}", shown.join(", "))
        }
    }
}

/// Edit distance where case counts half as much as a letter (so at most 1 for all of it), and
/// swapped neighbours count once. Gives up above `limit`.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return 0;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before = vec![usize::MAX; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = last.clone();
    for (i, &x) in a.iter().enumerate() {
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let mut cost = last[j] + usize::from(!x.eq_ignore_ascii_case(&y));
            cost = cost.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                cost = cost.min(before[j - 1] + 1);
            }
            row[j + 1] = cost;
        }
        // Whatever follows comes of one of these.
        if row.iter().chain(&last).all(|&cost| cost > limit) {
            return limit + 1;
        }
        (before, last, row) = (last, row, before);
    }
    last[b.len()]
}
