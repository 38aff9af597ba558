//! Whether an agent's words claim that the work is done. Words are never evidence of success; they only show what was claimed.

/// What claims success. Plain descriptions of what was changed do not.
const CLAIMS: &[&str] = &[
    "all tests pass",
    "all tests are passing",
    "all tests now pass",
    "tests pass",
    "tests are passing",
    "tests now pass",
    "all checks pass",
    "everything passes",
    "everything works",
    "all green",
    "is complete",
    "is now complete",
    "are complete",
    "completed successfully",
    "successfully completed",
    "successfully implemented",
    "successfully fixed",
    "is fixed",
    "is now fixed",
    "has been fixed",
    "have been fixed",
    "works correctly",
    "working correctly",
    "is done",
    "all done",
    "<promise>",
    "task complete",
    "mission accomplished",
    "ready for production",
];
/// Words that take a claim back.
const DOUBTS: &[&str] = &[
    "still fail",
    "still red",
    "not pass",
    "don't pass",
    "do not pass",
    "doesn't pass",
    "fails",
    "failing",
    "not done",
    "not complete",
    "not fixed",
    "unable to",
    "could not",
    "couldn't",
    "remains red",
    "once ",
    "until ",
    "when all",
    "if all",
    "should now",
];
/// How much of a long text is looked at, from its end: a conclusion stands last.
const LAST: usize = 2_000;

/// Whether `text` claims that the work is done.
pub(super) fn of_done(text: &str) -> bool {
    let mut from = text.len().saturating_sub(LAST);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let text = text[from..].to_lowercase();
    // A message that is one word, as in "Done."
    let bare = text.trim().trim_end_matches(['.', '!']);
    if ["done", "fixed", "finished", "complete", "completed"].contains(&bare)
        || text.trim_start().starts_with("done:")
        || text.trim_start().starts_with("done!")
        || text.trim_start().starts_with("done.")
    {
        return !DOUBTS.iter().any(|w| text.contains(w));
    }
    let sentences = || text.split(['.', '!', '\n', ';']);
    sentences().any(|s| CLAIMS.iter().any(|w| s.contains(w)) && !DOUBTS.iter().any(|w| s.contains(w)))
        && !sentences().any(|s| s.contains("still fail") || s.contains("still red"))
}

#[cfg(test)]
mod tests {
    use super::of_done;

    #[test]
    fn claims_and_descriptions() {
        for text in [
            "All tests pass. Done!",
            "Done.",
            "The login bug is fixed and all tests are passing.",
            "Done: all tests pass.",
            "<promise>COMPLETE</promise>",
        ] {
            assert!(of_done(text), "{text}");
        }
        for text in [
            "Still failing.",
            "I changed the parser; nothing was run.",
            "Once all tests pass I will commit.",
            "Two tests are still failing, the rest is done.",
            "Let me run the tests.",
            "",
        ] {
            assert!(!of_done(text), "{text}");
        }
    }
}
