//! Which run a person means by a name.

/// How well a name fits an id; less is better.
const LEVELS: [fn(&str, &str) -> bool; 5] = [
    |wanted, id| id == wanted,
    // One with a number behind `#` may be an execution within a log.
    |wanted, id| id == stem(wanted),
    // Whole folders or files of the id.
    |wanted, id| holds(id, wanted, |c| c == '/'),
    // Whole words of it.
    |wanted, id| holds(id, wanted, |c| !c.is_alphanumeric()),
    // The head of a word, as one shortens a session's id.
    |wanted, id| starts_word(id, wanted),
];

/// The ids that `wanted` names best: the id itself, else whole parts of it, else whole words, else the head of a word, else
/// letters from within a word, where one id alone holds them: `api` shall not show `rapid-fix` beside `api`. Those that hold
/// `wanted` anywhere come second, to be suggested where nothing fits. Both are in the order of the ids.
pub fn fitting<'i>(wanted: &str, ids: impl Iterator<Item = &'i str>) -> (Vec<&'i str>, Vec<&'i str>) {
    let ids: Vec<&str> = ids.collect();
    if wanted.is_empty() {
        return (Vec::new(), ids);
    }
    let mut best: Vec<&str> = LEVELS
        .iter()
        .map(|fits| ids.iter().copied().filter(|id| fits(wanted, id)).collect())
        .find(|f: &Vec<&str>| !f.is_empty())
        .unwrap_or_default();
    let lower = wanted.to_lowercase();
    let mut near: Vec<&str> = ids.into_iter().filter(|id| id.to_lowercase().contains(&lower)).collect();
    if let ([], [only]) = (best.as_slice(), near.as_slice()) {
        best.push(only);
    }
    best.sort_unstable();
    near.sort_unstable();
    (best, near)
}

/// An id without the number of an execution.
fn stem(id: &str) -> &str {
    id.rsplit_once('#').filter(|(_, n)| n.bytes().all(|b| b.is_ascii_digit())).map_or(id, |(stem, _)| stem)
}

/// Whether `id` holds `wanted` with a boundary, or an end of the id, on both sides.
fn holds(id: &str, wanted: &str, boundary: fn(char) -> bool) -> bool {
    id.match_indices(wanted).any(|(at, _)| {
        let before = id.get(..at).and_then(|b| b.chars().next_back());
        let after = id.get(at + wanted.len()..).and_then(|a| a.chars().next());
        before.is_none_or(boundary) && after.is_none_or(boundary)
    })
}

/// Whether a word of `id` begins with `wanted`.
fn starts_word(id: &str, wanted: &str) -> bool {
    id.match_indices(wanted).any(|(at, _)| id.get(..at).and_then(|b| b.chars().next_back()).is_none_or(|c| !c.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 8] = ["api", "api/night", "api-v2", "rapid-fix", "week/billing-fix", "7e80b23c-1e5e", "log#2", "billing-fixes"];

    fn found(wanted: &str) -> Vec<&'static str> {
        fitting(wanted, IDS.into_iter()).0
    }

    #[test]
    fn the_surest_reading_of_a_name_wins() {
        assert_eq!(found("api"), ["api"]);
        assert_eq!(found("api/night"), ["api/night"]);
        assert_eq!(found("night"), ["api/night"]);
        assert_eq!(found("billing-fix"), ["week/billing-fix"]);
        assert_eq!(found("week"), ["week/billing-fix"]);
        assert_eq!(found("v2"), ["api-v2"]);
        assert_eq!(found("7e80"), ["7e80b23c-1e5e"]);
        assert_eq!(found("api#3"), ["api"]);
        assert_eq!(found("log#2"), ["log#2"]);
        assert_eq!(found("bill"), ["billing-fixes", "week/billing-fix"]);
    }

    #[test]
    fn letters_within_a_word_name_a_run_where_it_is_the_only_one() {
        assert_eq!([found("pid"), found("e80b")], [["rapid-fix"], ["7e80b23c-1e5e"]]);
        for wanted in ["ix", "ill", "API", ""] {
            assert!(found(wanted).is_empty(), "{wanted}");
        }
        assert_eq!(fitting("API", IDS.into_iter()).1, ["api", "api-v2", "api/night", "rapid-fix"]);
        assert_eq!(fitting("", IDS.into_iter()).1.len(), IDS.len());
    }
}
