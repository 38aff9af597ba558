//! pytest, unittest and tracebacks.

use super::{lines, plain, same_coarse, same_fine, same_keys};
use crate::trace::signature::Stage;

const PYTEST: &str = "\
============================= test session starts ==============================
collected 4 items

tests/test_auth.py::test_ok PASSED                                       [ 25%]
tests/test_auth.py::test_login FAILED                                    [ 50%]
tests/test_auth.py::test_x[a - b] FAILED                                 [ 75%]

=================================== FAILURES ===================================
__________________________________ test_login __________________________________

    def test_login():
>       assert login() == 200
E       assert 401 == 200
E        +  where 401 = login()

tests/test_auth.py:12: AssertionError
__________________________________ test_x[a - b] _______________________________
E   KeyError: 'b'
=========================== short test summary info ============================
FAILED tests/test_auth.py::test_login - assert 401 == 200
FAILED tests/test_auth.py::test_x[a - b] - KeyError: 'b'
ERROR tests/test_db.py - ModuleNotFoundError: No module named 'psyc...
=================== 2 failed, 1 passed, 1 error in 0.31s ====================
";

#[test]
fn pytest_prefers_its_summary() {
    let got = lines(PYTEST);
    assert_eq!(
        got,
        [
            "FAILED tests/test_auth.py::test_login - assert 401 == 200",
            "FAILED tests/test_auth.py::test_x[a - b] - KeyError: 'b'",
            "ERROR tests/test_db.py - ModuleNotFoundError: No module named 'psyc...",
        ]
    );
    let r = plain(PYTEST);
    assert_eq!((r.failed, r.passed, r.verdict), (Some(3), Some(1), Some(false)));
    assert_eq!(r.stage, Some(Stage::Compile));
    assert_eq!(r.infrastructure, None);
    // The line alone is the same failure as in the whole output.
    let one = plain("FAILED tests/test_auth.py::test_login - assert 401 == 200");
    assert_eq!(one.failures[0].coarse, r.failures[0].coarse);
    assert_eq!(one.failures[0].key, r.failures[0].key);
}

#[test]
fn pytest_without_a_summary() {
    let cut: String =
        PYTEST.lines().filter(|l| !l.starts_with("FAILED") && !l.starts_with("ERROR") && !l.contains("[ ")).collect::<Vec<_>>().join("\n");
    assert_eq!(lines(&cut).len(), 2);
    assert!(same_coarse(&cut, &cut.replace("401", "500")));
    assert!(!same_fine(&cut, &cut.replace("401", "500")));
    assert!(!same_coarse(&cut, &cut.replace("KeyError", "TypeError")));
    assert!(same_keys(&cut, &cut.replace("KeyError", "TypeError")));
    // Only the progress lines.
    assert_eq!(lines("x\ntests/a.py::test_a FAILED  [ 50%]\ntests/a.py::test_b PASSED  [100%]\n"), ["tests/a.py::test_a FAILED  [ 50%]"]);
    // Only E lines: a failure without a name, and no infrastructure whatever it says.
    let e = plain("E   ConnectionRefusedError: refused\nE   more\n");
    assert_eq!((e.failures.len(), e.infrastructure), (2, None));
}

#[test]
fn a_message_cut_by_pytest_loses_its_half_word() {
    assert!(same_coarse("FAILED a.py::t - assert 5 items in lis...", "FAILED a.py::t - assert 15 items in li..."));
}

#[test]
fn pytest_parse_and_integration() {
    assert_eq!(plain("ERROR tests/test_a.py - SyntaxError: invalid syntax").stage, Some(Stage::Parse));
    assert_eq!(plain("FAILED tests/integration/test_a.py::test_x - x").stage, Some(Stage::Integration));
    assert_eq!(plain("FAILED tests/test_a.py::test_x - x").stage, Some(Stage::Unit));
}

const UNITTEST: &str = "\
.FE
======================================================================
FAIL: test_login (test_auth.LoginTest)
----------------------------------------------------------------------
Traceback (most recent call last):
  File \"/w/p/test_auth.py\", line 9, in test_login
    self.assertEqual(login(), 200)
AssertionError: 401 != 200

======================================================================
ERROR: test_db (test_auth.LoginTest)
----------------------------------------------------------------------
Traceback (most recent call last):
  File \"/w/p/test_auth.py\", line 12, in test_db
    connect()
ConnectionRefusedError: [Errno 111] Connection refused

----------------------------------------------------------------------
Ran 5 tests in 0.003s

FAILED (failures=1, errors=1, skipped=1)
";

#[test]
fn unittest_attaches_the_last_line() {
    assert_eq!(lines(UNITTEST), ["FAIL: test_login (test_auth.LoginTest)", "ERROR: test_db (test_auth.LoginTest)"]);
    let r = plain(UNITTEST);
    assert_eq!((r.failed, r.passed, r.verdict, r.infrastructure), (Some(2), Some(2), Some(false), None));
    assert!(same_coarse(UNITTEST, &UNITTEST.replace("401 != 200", "500 != 200").replace("line 9", "line 19")));
    assert!(!same_fine(UNITTEST, &UNITTEST.replace("401 != 200", "500 != 200")));
    assert!(!same_coarse(UNITTEST, &UNITTEST.replace("AssertionError", "ValueError")));
}

#[test]
fn tracebacks() {
    let t = "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    f()\nmylib.Oops: it broke at 12\n";
    assert_eq!(lines(t), ["mylib.Oops: it broke at 12"]);
    assert!(same_coarse(t, &t.replace("at 12", "at 13").replace("line 3", "line 4")));
    assert!(!same_coarse(t, &t.replace("mylib.Oops", "mylib.Other")));
    assert_eq!(lines("Traceback (most recent call last):\n  File \"a.py\", line 3, in f\nKeyError: 'x'\nLoading more data...\n").len(), 1);
    assert_eq!(plain("  File \"a.py\", line 3\n    x =\n      ^\nSyntaxError: invalid syntax\n").stage, Some(Stage::Parse));
    assert_eq!(
        plain("Traceback (most recent call last):\n  File \"a\", line 1\nModuleNotFoundError: No module named 'x'\n").stage,
        Some(Stage::Compile)
    );
    assert_eq!(lines("Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat a.b(C.java:12)\n").len(), 1);
}

#[test]
fn the_worker_that_ran_a_test_is_no_part_of_it() {
    let alone = "FAILED tests/a.py::t";
    for mark in ["[gw3] [ 24%] ", "[gw0] [100%] ", "[gw12] [ 3/40] ", "[gw1] ", "[12:00:01] [gw3] [ 24%] "] {
        for text in [format!("{mark}{alone}"), format!("{mark}{alone} "), format!("x\n{mark}{alone}\n")] {
            assert!(same_fine(alone, &text) && same_coarse(alone, &text) && same_keys(alone, &text), "{text}");
        }
        assert!(!same_coarse(alone, &format!("{mark}FAILED tests/a.py::u")), "{mark}");
        assert!(lines(&format!("x\n{mark}PASSED tests/a.py::t\n")).is_empty(), "{mark}");
    }
    assert!(same_fine("[gw0] [  4%] ERROR tests/a.py::t", "[gw7] [ 96%] ERROR tests/a.py::t"));
    // The summary says more than the progress, and both are one failure.
    let whole = "[gw3] [ 24%] FAILED tests/a.py::t\n[gw1] [ 48%] PASSED tests/a.py::u\nFAILED tests/a.py::t - assert 1 == 2\n1 failed, 1 passed in 0.12s\n";
    assert_eq!(lines(whole), ["FAILED tests/a.py::t - assert 1 == 2"]);
    assert!(same_fine(whole, &whole.replace("gw3", "gw0").replace("24%", "51%")));
    let shown = |line: &str| crate::trace::signature::coarse_text(line.as_bytes(), &[]);
    assert_eq!(shown("[gw3] [ 24%] FAILED tests/a.py::t"), alone);
    assert_eq!(shown("[gw] odd"), "[gw] odd");
}
