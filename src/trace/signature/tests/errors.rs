//! Error lines, sets of failures, and what is left when nothing is named.

use super::{lines, plain, same_coarse};
use crate::trace::signature::{MAX_FAILURES, Stage, last_line};

#[test]
fn wrappers_count_only_alone() {
    let made = "Error: config is missing\nmake: *** [Makefile:3: check] Error 2\n";
    assert_eq!(lines(made), ["Error: config is missing"]);
    assert_eq!(lines("building\nmake: *** [Makefile:3: check] Error 2\n"), ["make: *** [Makefile:3: check] Error 2"]);
    assert!(same_coarse("make: *** [Makefile:3: check] Error 2", "make: *** [Makefile:9: check] Error 2"));
    assert!(!same_coarse("make: *** [check] Error 2", "make: *** [test] Error 2"));
    assert!(!same_coarse("make: *** [check] Error 2", "make: *** [check] Error 127"));
    let npm = "FAIL test_login\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 1\n";
    assert_eq!(lines(npm), ["FAIL test_login"]);
}

#[test]
fn the_error_lines_of_the_last_resort() {
    for line in [
        "Error: x",
        "ERROR: x",
        "error: x",
        "Fatal: x",
        "fatal: not a repository",
        "[build]: error x",
        "tool: error: bad flag",
        "12:00:01 ERROR x",
        "KeyError: 'x'",
        "step failed with error 3",
    ] {
        assert_eq!(lines(&format!("start\n{line}\nend\n")), [line], "{line}");
    }
    for line in [
        "\"is_error\": false,",
        "{\"is_error\": false}",
        "\"error\": null",
        "error: null",
        "errors: 0",
        "0 failed",
        "0 errors, 0 warnings",
        "no errors found",
        "+ error: x",
        "- error: x",
        "> error: x",
        "12 | error: x",
        "error = f()",
        "errors.push(x)",
        "error(\"x\");",
        "throw new Error(\"x\");",
        "catch (Exception e) {",
        "fatal_count 3",
        "all tests passed without error",
    ] {
        assert!(lines(&format!("start\n{line}\nend\n")).is_empty(), "{line}");
    }
    for line in ["\"is_error\": false,", "{\"is_error\": false}", "0 failed", "errors: 0"] {
        assert!(lines(line).is_empty(), "{line}");
    }
    let diff = "@@ -1,2 +1,2 @@\n-error: old\n+error: new\n error: context\ndone\n";
    assert!(lines(diff).is_empty());
}

#[test]
fn an_error_without_a_place_has_no_stage() {
    assert_eq!(plain("error: config is missing").stage, None);
    assert_eq!(plain("error: expected `;`\n --> src/a.rs:1:2\n").stage, Some(Stage::Parse));
    assert_eq!(plain("error: unused variable: `x`\n --> src/a.rs:1:2\n").stage, Some(Stage::Compile));
}

#[test]
fn several_errors_are_a_set() {
    let two = "Error: a is missing\nError: b is missing\n";
    assert!(same_coarse(two, "Error: b is missing\nError: a is missing\n"));
    assert!(same_coarse(two, "Error: b is missing\nnoise\nError: a is missing\nError: a is missing\n"));
    assert!(!same_coarse(two, "Error: a is missing\nother\n"));
    assert!(!same_coarse("Error: cannot open a1", "Error: cannot open a2"));
}

#[test]
fn a_green_runner_has_no_failures() {
    let green = "test auth::t ... ok\nthread 'auth::t' panicked at src/a.rs:1:1:\nexpected panic\nError: printed by a test\ntest result: ok. 3 passed; 0 failed; 0 ignored\n";
    let r = plain(green);
    assert_eq!((r.failures.len(), r.verdict, r.failed, r.passed), (0, Some(true), Some(0), Some(3)));
    let r = plain("12 passed in 0.50s");
    assert_eq!((r.failures.len(), r.verdict, r.passed), (0, Some(true), Some(12)));
    // Another runner behind it that is red.
    let r = plain("12 passed in 0.50s\nsrc/a.ts(1,5): error TS2345: bad\n");
    assert_eq!((r.failures.len(), r.verdict), (1, Some(false)));
}

#[test]
fn nothing_and_the_last_line() {
    assert_eq!(plain(""), crate::trace::signature::Reading::default());
    assert_eq!(plain(" \n\n"), crate::trace::signature::Reading::default());
    let text = "one\ntwo took 3s\n\n";
    assert!(lines(text).is_empty());
    let a = last_line(text.as_bytes(), &[], Some(2)).expect("there is a line");
    assert_eq!(&text[a.span.0 as usize..a.span.1 as usize], "two took 3s");
    let b = last_line(b"two took 9s", &[], Some(2)).expect("there is a line");
    assert_eq!(a.coarse, b.coarse);
    let c = last_line(b"two took 9s", &[], Some(1)).expect("there is a line");
    assert_ne!(a.coarse, c.coarse);
    assert!(last_line(b"\n", &[], None).is_none());
    assert!(last_line(b"", &[], Some(1)).is_some());
}

#[test]
fn too_many_failures_are_capped() {
    let mut text = String::new();
    for i in 0..MAX_FAILURES + 5 {
        text.push_str(&format!("FAILED a.py::test_{i} - x\n"));
    }
    let r = plain(&text);
    assert_eq!((r.failures.len(), r.capped), (MAX_FAILURES, true));
    assert!(!plain("FAILED a.py::t").capped);
}
