//! Whether an agent's words claim that the work is done. Words are never evidence of success; they only show what was claimed.

/// What claims success in any sentence. Plain descriptions of what was changed do not. Words that only colour a sentence
/// (`now`, `already`) are taken out before a sentence is compared.
const CLAIMS: &[&str] = &[
    "is complete",
    "are complete",
    "is completed",
    "are completed",
    "completed successfully",
    "successfully completed",
    "successfully implemented",
    "successfully fixed",
    "is fixed",
    "are fixed",
    "been fixed",
    "is resolved",
    "are resolved",
    "been resolved",
    "is solved",
    "is migrated",
    "are migrated",
    "is finished",
    "are finished",
    "is done",
    "are done",
    "been completed",
    "been implemented successfully",
    "have completed the",
    "implementation complete",
    "task completed",
    "work finished",
    "criteria are met",
    "everything's working",
    "everything is working",
    "is green",
    "are green",
    "all green",
    "all done",
    "everything works",
    "works correctly",
    "working correctly",
    "works as expected",
    "working as expected",
    "<promise>",
    "task complete",
    "mission accomplished",
    "ready for production",
    "ready for review",
    "ready to merge",
    "ready to ship",
    "nothing left to do",
    "nothing is left",
    "nothing remains",
    "no changes needed",
    "no further changes",
    "no remaining",
    "completed the task",
    "tasks complete",
    "migration complete",
    // agents answer in the language of their prompt
    "tests laufen",
    "tests bestanden",
    "тесты проходят",
    "тесты пройдены",
    "테스트가 통과",
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
/// What can pass.
const JUDGES: &[&str] =
    &["test", "tests", "check", "checks", "suite", "suites", "spec", "specs", "everything", "build", "builds", "pipeline", "ci", "lint"];
/// That it does.
const PASSES: &[&str] = &["pass", "passes", "passing", "passed", "succeeds", "succeed"];
/// What may stand between the two.
const LINKS: &[&str] = &["all", "are", "is", "have", "has", "successfully", "cleanly"];
/// A message, or a line of it, that begins with one of these and then stops or goes on to a conclusion.
const CONCLUSIONS: &[&str] =
    &["done", "fixed", "finished", "complete", "completed", "resolved", "fertig", "terminé", "listo", "готово", "완료", "完成"];
/// Words that take a claim back, or only hope for it.
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
    "not resolved",
    "not all",
    "not yet",
    "isn't",
    "aren't",
    "unable to",
    "could not",
    "couldn't",
    "cannot",
    "can't",
    "remains red",
    "once ",
    "until ",
    "when all",
    "when everything",
    "if all",
    "if everything",
    "whether",
    "should",
    "must ",
    "let me",
    "let's",
    "i'll",
    "i will",
    "need to",
    "needs to",
    "want to",
    "going to",
    "make sure",
    "ensure",
    "see if",
    "to check",
    "check if",
    "check that",
    "to confirm",
    "to verify",
    "verify that",
    "verify the",
    "waiting",
    // a part of the work that leaves nothing behind
    "analysis ",
    "analyses ",
    "research ",
    "investigation ",
    "exploration ",
    "review ",
    "so that",
    "before ",
    "some tests",
    "most ",
    "almost",
    "nearly",
    "partial",
    "so far",
    "will be",
    "only ",
    "except",
    "?",
];
/// Words that colour a sentence and change nothing.
const COLOUR: &[&str] = &["now", "already", "fully", "again", "finally", "also", "both", "entirely", "just"];
/// Words that leave something open, whatever else is said.
const STILL: &[&str] = &[
    "still fail",
    "still red",
    "still broken",
    "still to do",
    "still waiting",
    "not green",
    "not passing",
    "keep failing",
    "keeps failing",
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
    let sentences = || text.split_inclusive(['.', '!', '\n', ';', '?', '。', '！']);
    if sentences().any(leaves_open) {
        return false;
    }
    // One word as a sentence stands for all that is said, and so does what is said against it anywhere.
    let one_word = |s: &str| CONCLUSIONS.contains(&s.trim_matches(|c: char| !c.is_alphanumeric()));
    sentences().enumerate().any(|(k, s)| claims(s, k == 0)) || (sentences().any(one_word) && !doubted(&text))
}

/// "Tests: 12/12 passing": as many as there are.
fn all_of_them(words: &[&str]) -> bool {
    let whole = |w: &str| w.trim_matches(|c: char| !c.is_ascii_digit()).split_once('/').is_some_and(|(n, of)| n == of && !n.is_empty());
    words.windows(2).any(|w| whole(w[0]) && PASSES.iter().any(|p| w[1].starts_with(p)))
}

/// A sentence that says what is still to be done takes back what another one claims.
fn leaves_open(sentence: &str) -> bool {
    let nothing = || ["nothing", "no ", "none"].iter().any(|w| sentence.contains(w));
    let still = STILL.iter().any(|w| sentence.contains(w));
    still || sentence.split(|c: char| !c.is_alphanumeric()).any(|w| matches!(w, "remain" | "remains" | "remaining")) && !nothing()
}

fn doubted(text: &str) -> bool {
    let text = text.replace("let me know", "");
    DOUBTS.iter().any(|w| text.contains(w))
}

fn claims(sentence: &str, first: bool) -> bool {
    if doubted(sentence) {
        return false;
    }
    let words: Vec<&str> = sentence.split_whitespace().filter(|w| !COLOUR.contains(&w.trim_end_matches(['.', '!', ',', ';']))).collect();
    let plain = words.join(" ");
    CLAIMS.iter().any(|w| plain.contains(w)) || judged(&words) || all_of_them(&words) || first && concludes(&plain)
}

/// "All 12 tests pass", "the suite passes": what can pass stands right before the word that says so.
fn judged(words: &[&str]) -> bool {
    let mut bare = words.iter().map(|w| w.trim_matches(|c: char| !c.is_alphanumeric()));
    let Some(passes) = bare.clone().position(|w| PASSES.contains(&w)) else { return false };
    let subject = bare.by_ref().take(passes).filter(|w| !LINKS.contains(w)).last();
    subject.is_some_and(|w| JUDGES.contains(&w))
}

/// "Done.", "Done: …", "Fixed and verified."; not "Fixed the typo in the title".
fn concludes(sentence: &str) -> bool {
    let sentence = sentence.trim_start_matches(|c: char| !c.is_alphanumeric());
    CONCLUSIONS.iter().filter_map(|w| sentence.strip_prefix(w)).any(|rest| {
        let end = rest.trim_start();
        end.is_empty()
            || end.starts_with(['.', '!', ':', ';', ',', '\u{2014}', '\u{2013}', '-'])
            || end.starts_with("and verified")
            || end.starts_with("and tested")
            || end.starts_with("and committed")
            || end.starts_with("with all")
    })
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
            "Done. Everything passes now.",
            "All checks are green; the work is complete.",
            "Fixed and verified.",
            "The suite passes, I committed the change.",
            "Finished: all tests pass.",
            "All 42 tests passed.",
            "Everything is green and complete.",
            "All tasks are already complete.",
            "Nothing left to do.",
            "The issue has now been resolved.",
            "I verified it by hand, and all tests pass.",
            "All tests pass, let me know what else you need.",
            "Tests: 12/12 passing.",
            "The feature has been implemented successfully.",
            "Great, that fixed it. Everything's working now.",
            "All acceptance criteria are met.",
            "I have completed the task.",
            "Готово, все тесты проходят.",
            "모든 테스트가 통과했습니다.",
            "Implementation complete.",
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
            "I took the lexer out. Done. Two tests could not be run.",
            "I will say done when all tests are green.",
            "The undone part stays undone.",
            "Good progress! Most issues are fixed. Let me fix the remaining two issues.",
            "Progress so far:\n- Completed: inspection, model review.\n- Next: the reader.",
            "Let me make sure all tests pass.",
            "I need to see if all checks are green",
            "Now I will work until everything passes.",
            "The build should be green.",
            "Do all tests pass?",
            "Fixed the typo in the title.",
            "Item 3 is done; 4 items remain.",
            "I could not get it to pass yet.",
            "Not all tests pass.",
            "Tests: 9/12 passing.",
            "The first part is done; the tests are not green yet.",
            "The parser is fixed, the exporter tests keep failing.",
            "I added a check, then passed the argument on.",
            "",
        ] {
            assert!(!of_done(text), "{text}");
        }
    }
}
