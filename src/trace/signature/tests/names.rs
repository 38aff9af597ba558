//! What is a name and what is message, where no runner says so.

use super::{lines, plain, same_coarse, same_fine, same_keys};
use crate::trace::signature::{Stage, read};

#[test]
fn a_bare_name_is_kept_and_free_numbers_are_message() {
    for name in [
        "FAIL test_login",
        "FAIL A",
        "FAILED test_a12",
        "FAIL auth2.spec.ts",
        "FAIL test_x[3-foo]",
        "FAIL login › returns 200",
        "FAIL test \"login › returns 200\"",
        "FAIL \"step 7\"",
        "not ok 3 - test_a3",
        "✗ test_a3",
        "FAIL TestX/case_3",
        "FAIL suite::case_3",
    ] {
        assert!(!same_coarse(name, &name.replace(['3', '2', 'A', '7'], "4").replace("login", "logout")), "{name}");
        assert_eq!(plain(name).failures.len(), 1, "{name}");
        assert_eq!(plain(name).verdict, Some(false), "{name}");
    }
    for (a, b) in [
        ("FAIL step 7", "FAIL step 8"),
        ("expected 200 got 401", "expected 200 got 500"),
        ("FAIL test_login expected 200 got 401", "FAIL test_login expected 200 got 403"),
        ("FAIL login › works: expected 200 got 401", "FAIL login › works: expected 200 got 403"),
        ("FAILED a.py::t - assert 3 == 4", "FAILED a.py::t - assert 3 == 5"),
        ("not ok 3 - step 7", "not ok 3 - step 8"),
        ("✗ step 7", "✗ step 8"),
    ] {
        assert!(same_coarse(a, b), "{a} | {b}");
        assert!(!same_fine(a, b), "{a} | {b}");
        assert!(same_keys(a, b), "{a} | {b}");
    }
    assert_eq!(plain("FAIL step 7").verdict, Some(false), "the check says so itself");
    assert!(!same_coarse("FAIL a1", "FAIL a2"));
    assert!(!same_coarse("FAIL test_a1 raised KeyError", "FAIL test_a1 raised TypeError"));
    assert!(same_keys("FAIL test_a1 raised KeyError", "FAIL test_a1 raised TypeError"));
}

#[test]
fn the_mark_before_a_name_does_not_matter() {
    for form in
        ["FAILED test_login", "FAIL: test_login", "not ok 3 - test_login", "✗ test_login", "✕ test_login (5 ms)", "FAIL test_login (0.53s)"]
    {
        assert!(same_coarse("FAIL test_login", form), "{form}");
    }
}

#[test]
fn unescaped_windows_detail() {
    let line = "FAIL test \"login › ok\" in C:\\work\\auth.spec.ts";
    let other = "FAIL test \"login › ok\" in C:\\work\\auth2.spec.ts";
    assert!(same_keys(line, other));
    assert!(!same_coarse(line, other));
}

#[test]
fn roots_do_not_matter_to_ids() {
    let a = read(b"FAILED /w/one/tests/a.py::test_x - assert 1", &["/w/one"]);
    let b = read(b"FAILED /w/two/tests/a.py::test_x - assert 1", &["/w/two"]);
    let c = read(b"FAILED tests/a.py::test_x - assert 1", &[]);
    assert_eq!(a.fine(), b.fine());
    assert_eq!(a.fine(), c.fine());
}

#[test]
fn tap_lines() {
    let tap = "TAP version 13\n1..4\nok 1 - works\nnot ok 2 - returns 200\nnot ok 3 - later # TODO not yet\nnot ok 4 - returns 404\n";
    let r = plain(tap);
    assert_eq!((lines(tap), r.failed, r.passed), (vec!["not ok 2 - returns 200", "not ok 4 - returns 404"], Some(2), Some(1)));
    // A test's number in the plan is no part of its name.
    assert!(same_coarse(tap, &tap.replace("not ok 4", "not ok 5")));
    assert!(!same_coarse(tap, &tap.replace("returns 404", "returns 410")));
}

#[test]
fn marks_before_messages_are_no_tests() {
    for line in ["× Building wheel for x (pyproject.toml) did not run successfully.", "✖ 2 problems (0 errors, 2 warnings)"] {
        assert!(lines(&format!("start\n{line}\nend\n")).is_empty(), "{line}");
    }
    for line in ["✗ test_login", "✖ returns 200 (1.2ms)", "× login > returns 200 12ms", "✕ returns 200"] {
        assert_eq!(lines(&format!("start\n{line}\nend\n")), [line]);
    }
    for line in ["❌ CONFIRMED: values differ", "✗ Branch not found"] {
        let r = plain(&format!("start\n{line}\nend\n"));
        assert_eq!((r.failures.len(), r.verdict), (1, None), "a message, not a name: {line}");
    }
    let lint = "a/b.go:12:5: Error return value of `x.Write` is not checked (errcheck)\nmore\n";
    assert_eq!(plain(lint).stage, Some(Stage::Types));
    let markdown = "docs/a.md:12 error MD013/line-length Line length [Expected: 80; Actual: 99]\nmore\n";
    assert_eq!(plain(markdown).stage, Some(Stage::Types));
}

#[test]
fn one_line_of_anything_is_the_failure() {
    for line in ["something odd happened", "3 failed, 9 passed in 1.2s", "{\"error\": \"x\"}"] {
        assert_eq!(lines(line), [line]);
    }
    assert!(same_coarse("  odd 3\r\n", "odd 4"));
}
