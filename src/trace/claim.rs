//! Whether an agent's words claim that the work is done. Words are never evidence of success; they only show what was claimed.

/// What claims success, within one sentence. Plain descriptions of what was changed do not.
const CLAIMS: &[&str] = &[
    // of the checks
    "tests pass",
    "tests all pass",
    "tests now pass",
    "test passes",
    "tests are passing",
    "tests are green",
    "tests are now green",
    "suite is green",
    "suite passes",
    "build is green",
    "checks pass",
    "checks are green",
    "everything passes",
    "everything is green",
    "all green",
    "all passing",
    "now passes",
    // of the work
    "everything works",
    "is complete",
    "is now complete",
    "are complete",
    "are now complete",
    "completed successfully",
    "completed the task",
    "has been completed",
    "have been completed",
    "successfully completed",
    "successfully implemented",
    "successfully fixed",
    "fully implemented",
    "is finished",
    "is fixed",
    "is now fixed",
    "are fixed",
    "are now fixed",
    "has been fixed",
    "have been fixed",
    "is resolved",
    "is now resolved",
    "has been resolved",
    "have been resolved",
    "works correctly",
    "working correctly",
    "works as expected",
    "working as expected",
    "works now",
    "now works",
    "is done",
    "all done",
    "<promise>",
    "task complete",
    "mission accomplished",
    "ready for production",
    "ready to merge",
    // agents answer in the language of their prompt
    "tests bestehen",
    "tests sind grün",
    "alles grün",
    "ist fertig",
    "ist behoben",
    "tests passent",
    "est terminé",
    "pruebas pasan",
    "está terminado",
    "testes passam",
    "测试通过",
    "测试均通过",
    "已完成",
    "テストが通",
    "完了しました",
];
/// Sentences that are nothing but the claim.
const BARE: &[&str] = &["done", "fixed", "finished", "complete", "completed", "all fixed", "fertig", "terminé", "listo", "完成"];
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
    "will be",
    "most ",
    "almost",
    "nearly",
    "remaining",
    "partial",
    "so far",
];
/// Words by which a sentence tells what is still to be seen, or of a part of the work that leaves nothing behind.
const AHEAD: &[&str] = &[
    "let me ",
    "let's ",
    "i'll ",
    "i will ",
    "to verify",
    "verify that",
    "verify the",
    "to confirm",
    "to check",
    "make sure",
    "ensure ",
    "whether ",
    "check if",
    "see if",
    "so that ",
    "analysis ",
    "analyses ",
    "research ",
    "investigation ",
    "exploration ",
    "review ",
    "waiting on",
    "waiting for",
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
    let sentences = || text.split(['.', '!', '\n', ';', '。', '！']).map(bare);
    let doubted = |s: &str| DOUBTS.iter().any(|w| s.contains(w));
    if sentences().any(|s| s.contains("still fail") || s.contains("still red")) {
        return false;
    }
    let ahead = |s: &str| AHEAD.iter().any(|w| s.replace("let me know", "").contains(w));
    let phrased = sentences().any(|s| CLAIMS.iter().any(|w| s.contains(w)) && !doubted(s) && !ahead(s));
    // "Done: the parser reads tabs." One word stands for all that is said, and so does what is said against it anywhere.
    let opens = bare(&text).split_once([':', ',', '—']).is_some_and(|(first, _)| BARE.contains(&first.trim_end()));
    phrased || ((opens || sentences().any(|s| BARE.contains(&s))) && !doubted(&text))
}

/// A sentence without marks of lists, emphasis and success before and behind.
fn bare(sentence: &str) -> &str {
    sentence.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '<' | '>'))
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
            "The safe tests are green. Done.",
            "I rewrote the reader.\n\n**Done!** ✅",
            "- ✅ All 47 unit tests pass",
            "The race is resolved; the suite is green.",
            "Done: the parser reads tabs.",
            "Alle Tests sind grün.",
            "所有测试通过。",
            "I verified it by hand, and all tests pass.",
            "All tests pass, let me know what else you need.",
        ] {
            assert!(of_done(text), "{text}");
        }
        for text in [
            "Still failing.",
            "I changed the parser; nothing was run.",
            "Once all tests pass I will commit.",
            "Two tests are still failing, the rest is done.",
            "Let me run the tests.",
            "Now let me run the tests and lint to verify everything works.",
            "All edits applied. Let me verify the unit tests pass and typecheck.",
            "Next I'll make sure that everything works.",
            "The analysis of the parser is done, still waiting on the other one.",
            "All four analyses are complete.",
            "Done with the first file; the other two are failing.",
            "Done. Two tests could not be run.",
            "What remains is done by hand once the tests pass.",
            "I will say done when all tests are green.",
            "The undone part stays undone.",
            "Good progress! Most issues are fixed. Let me fix the remaining two issues.",
            "Progress so far:\n- Completed: inspection, model review.\n- Next: the reader.",
            "",
        ] {
            assert!(!of_done(text), "{text}");
        }
    }
}
