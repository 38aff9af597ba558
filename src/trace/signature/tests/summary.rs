use super::plain;

/// Text, failed, passed, verdict.
type Case = (&'static str, Option<u32>, Option<u32>, Option<bool>);

#[test]
fn counts_by_runner() {
    let cases: &[Case] = &[
        ("=== 3 failed, 9 passed in 1.2s ===", Some(3), Some(9), Some(false)),
        ("3 failed, 9 passed, 1 skipped, 2 warnings in 61.20s (0:01:01)", Some(3), Some(9), Some(false)),
        ("12 passed in 0.50s", Some(0), Some(12), Some(true)),
        ("==== 2 passed, 1 error in 0.1s ====", Some(1), Some(2), Some(false)),
        ("no tests ran in 0.01s", None, None, None),
        ("Tests:       3 failed, 12 passed, 15 total", Some(3), Some(12), Some(false)),
        ("Test Suites: 1 failed, 2 passed, 3 total\nTests: 15 passed, 15 total", Some(0), Some(15), Some(true)),
        (" Test Files  1 failed | 2 passed (3)\n      Tests  3 failed | 12 passed (15)\n", Some(3), Some(12), Some(false)),
        (
            "test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s",
            Some(2),
            Some(10),
            Some(false),
        ),
        (
            "test result: ok. 10 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n",
            Some(2),
            Some(11),
            Some(false),
        ),
        ("     Summary [   0.005s] 5 tests run: 4 passed, 1 failed, 0 skipped", Some(1), Some(4), Some(false)),
        ("Ran 5 tests in 0.001s\n\nOK", Some(0), Some(5), Some(true)),
        ("Ran 5 tests in 0.001s\n\nOK (skipped=2)", Some(0), Some(3), Some(true)),
        ("Ran 9 tests in 0.001s\n\nFAILED (failures=3, errors=1)", Some(4), Some(5), Some(false)),
        ("  3 passing (12ms)\n  1 pending\n  2 failing\n", Some(2), Some(3), Some(false)),
        ("ok  \texample.com/a\t0.1s\nok  \texample.com/b\t(cached)\n", None, None, Some(true)),
        ("--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\nFAIL\n", Some(1), Some(1), Some(false)),
        ("Tests run: 5, Failures: 2, Errors: 1, Skipped: 1", Some(3), Some(1), Some(false)),
        (
            "[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s - in A\n[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s - in B\n[INFO] Tests run: 9, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n",
            Some(0),
            Some(9),
            Some(true),
        ),
        ("[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1 s - in A\n[INFO] x\n", Some(0), Some(5), Some(true)),
        ("5 tests completed, 2 failed\n", Some(2), Some(3), Some(false)),
        ("Tests: 5, Assertions: 9, Failures: 1, Errors: 1.", Some(2), Some(3), Some(false)),
        ("OK (5 tests, 9 assertions)", Some(0), Some(5), Some(true)),
        ("5 examples, 1 failure, 1 pending", Some(1), Some(3), Some(false)),
        ("5 examples, 0 failures", Some(0), Some(5), Some(true)),
        ("Found 3 errors in 2 files.", Some(3), None, Some(false)),
        ("Found 0 errors. Watching for file changes.", Some(0), None, Some(true)),
        ("✖ 5 problems (3 errors, 2 warnings)", Some(3), None, Some(false)),
        ("3 errors, 1 warning, 0 informations", Some(3), None, Some(false)),
        ("Success: no issues found in 5 source files", None, None, Some(true)),
        ("All checks passed!", None, None, Some(true)),
        ("Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 3 s", Some(1), Some(4), Some(false)),
        ("Total tests: 5\n     Passed: 4\n     Failed: 1\n", Some(1), Some(4), Some(false)),
        ("80% tests passed, 1 tests failed out of 5", Some(1), Some(4), Some(false)),
        ("# tests 5\n# pass 4\n# fail 1\n", Some(1), Some(4), Some(false)),
        ("ℹ pass 5\nℹ fail 0\n", Some(0), Some(5), Some(true)),
        ("ok 1 - a\nnot ok 2 - b\nok 3 - c # SKIP later\n", Some(1), Some(1), Some(false)),
        ("FAILED | 3 passed | 1 failed (12ms)", Some(1), Some(3), Some(false)),
        ("ok | 4 passed | 0 failed (12ms)", Some(0), Some(4), Some(true)),
        (" 3 pass\n 1 fail\nRan 4 tests across 1 files.\n", Some(1), Some(3), Some(false)),
        ("  1 failed\n  2 passed (3.1s)\n", Some(1), Some(2), Some(false)),
        ("error: could not compile `x` (lib) due to 3 previous errors", Some(3), None, Some(false)),
        ("BUILD FAILED in 3s", None, None, Some(false)),
        ("in the end 3 failed and 4 worked", None, None, None),
        ("nothing to see", None, None, None),
    ];
    for (text, failed, passed, verdict) in cases {
        let r = plain(text);
        assert_eq!((r.failed, r.passed, r.verdict), (*failed, *passed, *verdict), "{text}");
    }
}

#[test]
fn numbers_too_large_are_no_counts() {
    let r = plain("99999999999 passed in 1s");
    assert_eq!((r.passed, r.failed), (None, None));
}

/// What builders say in the end is no verdict on tests.
#[test]
fn last_words_of_builders() {
    for (text, built) in [
        ("   Compiling a v0.1.0\n    Finished `dev` profile [unoptimized + debuginfo] target(s) in 2.10s", Some(true)),
        ("Build succeeded.\n    0 Warning(s)\n    0 Error(s)", Some(true)),
        ("vite v5.4.0 building for production...\n✓ built in 2.31s", Some(true)),
        ("webpack 5.90.0 compiled successfully in 812 ms", Some(true)),
        ("webpack 5.90.0 compiled with 2 errors in 812 ms", Some(false)),
        ("Failed to compile.\n\n./a.ts", Some(false)),
        ("0 issues.", Some(true)),
        ("a.go:1:2: x\n3 issues:\n* errcheck: 3", Some(false)),
        ("12 files inspected, no offenses detected", Some(true)),
        ("12 files inspected, 3 offenses detected, 2 offenses autocorrectable", None),
        ("12 files inspected, 3 offenses detected", Some(false)),
        ("All matched files use Prettier code style!", Some(true)),
        ("would reformat a.py\n1 file would be reformatted, 2 files would be left unchanged.", Some(false)),
        ("3 files would be left unchanged.", Some(true)),
        (" Tasks:    5 successful, 5 total\nCached:    3 cached, 5 total", Some(true)),
        (" Tasks:    4 successful, 5 total\n Failed:    web#build", Some(false)),
        ("Checked 12 files in 31ms. No fixes applied.", Some(true)),
        // rspec's, before its sum.
        ("Finished in 2.3 seconds (files took 1 second to load)", None),
        ("we Finished in time", None),
        ("3 issues were open", None),
    ] {
        assert_eq!(plain(text).built, built, "{text}");
    }
    assert_eq!(plain("00:03 +5: All tests passed!").verdict, Some(true));
    assert_eq!(plain("00:03 +4 -1: Some tests failed.").verdict, Some(false));
}
