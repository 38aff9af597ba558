//! What an output tells of a judge whose exit code the command line hides.

use super::super::judges;

/// The outcome by the output, of the last judge in the command.
fn told(command: &str, output: &str) -> Option<bool> {
    let judge = judges(command, &[]).pop().unwrap();
    assert!(judge.hides_exit, "{command}");
    judge.told_by(output)
}

#[test]
fn a_printed_exit_code() {
    for (command, output, expected) in [
        ("pytest; echo \"EXIT: $?\"", "..F\nEXIT: 1", Some(false)),
        ("pytest; echo \"EXIT: $?\"", "...\nEXIT: 0\n", Some(true)),
        ("pytest; echo EXIT=$?", "EXIT=0", Some(true)),
        ("pytest\necho $?", "F\n2", Some(false)),
        ("cd a && pytest -q 2>&1; echo \"exit code $? (pytest)\"", "exit code 5 (pytest)", Some(false)),
        ("pytest | tail -3; echo \"rc ${PIPESTATUS[0]}\"", "rc 1", Some(false)),
        ("set -o pipefail; pytest | tail -3; echo \"rc $?\"", "rc 0", Some(true)),
        ("pytest > log 2>&1; rc=$?; tail log; echo \"rc=$rc\"", "3 passed\nrc=1", Some(false)),
        ("pytest; rc=$?; echo \"done ${rc}.\"", "done 0.", Some(true)),
        // The status is that of `tail`.
        ("pytest | tail -3; echo \"rc $?\"", "rc 0", None),
        ("tail log | pytest; echo ${PIPESTATUS[0]}", "1", None),
        // Nothing was printed after all, or not a number.
        ("pytest; echo \"EXIT: $?\"", "Killed", None),
        ("pytest; echo \"EXIT: $?\"", "EXIT: unknown", None),
        ("pytest; date; echo \"EXIT: $?\"", "EXIT: 0", None),
    ] {
        assert_eq!(told(command, output), expected, "{command} {output}");
    }
}

#[test]
fn words_for_either_outcome() {
    for (command, output, expected) in [
        ("make test && echo PASSED || echo FAILED", "x\nFAILED", Some(false)),
        ("make test && echo PASSED || echo FAILED", "x\nPASSED\n", Some(true)),
        ("make test && echo PASSED || echo FAILED", "FAILED\nPASSED", None),
        ("make test && echo PASSED || echo FAILED", "", None),
        ("pytest && echo 'all good'\nls", "all good\na.py", Some(true)),
        ("pytest && echo 'all good'\nls", "a.py", None),
        ("pytest && echo same || echo same", "same", None),
        // `tail` is always content.
        ("pytest | tail -3 && echo PASSED || echo FAILED", "PASSED", None),
    ] {
        assert_eq!(told(command, output), expected, "{command} {output}");
    }
}

#[test]
fn silence_of_a_quiet_runner() {
    for (command, output, expected) in [
        ("go build ./... 2>&1 | tail -50", "(Bash completed with no output)", Some(true)),
        ("go build ./... 2>&1 | tail -50", "", Some(true)),
        ("go build ./... 2>&1 | tail -50 && echo \"build OK\"", "build OK\n", Some(true)),
        ("go test ./... 2>&1 | grep -v \"^ok\\|no test files\"\necho \"empty above: all pass\"", "empty above: all pass", Some(true)),
        ("npx tsc --noEmit | head -20", "", Some(true)),
        ("npx tsc --noEmit 2>&1 | grep error | head", "", None),
        ("npx eslint . | cat; echo done", "done", Some(true)),
        ("gofmt -l . | head", "main.go", Some(false)),
        ("echo --- ; gofmt -l .", "---", Some(true)),
        ("GOOS=linux go vet ./... 2>&1 | grep -v vendor && echo OK", "Exit code 1", Some(true)),
        ("go vet ./... 2>&1 | tee v.txt; echo VET_EXIT:$?; echo done", "VET_EXIT:0\ndone", Some(true)),
        // Something was said: the words decide, not the silence.
        ("go build ./... | tail", "# app", None),
        // A filter may leave the failure out; a file may hold it.
        ("go test ./... | grep PASS", "", None),
        ("go test ./... | grep -v FAIL", "", None),
        ("go build ./... > /tmp/log 2>&1; true", "", None),
        ("go build ./... 2>/dev/null | tail", "", None),
        ("(go build ./... ; true) | wc -l", "", None),
        // These say something when all is well.
        ("pytest -q | tail -3", "", None),
        ("cargo test | tail", "", None),
    ] {
        assert_eq!(told(command, output), expected, "{command} {output}");
    }
}
