//! JavaScript, type checkers, linters, the JVM and more.

use super::{lines, plain, same_coarse, same_fine, same_keys};
use crate::trace::signature::Stage;

const JEST: &str = "\
FAIL src/auth.test.ts
  login
    ✓ works (3 ms)
    ✕ returns 200 (5 ms)

  ● login › returns 200

    expect(received).toBe(expected) // Object.is equality

    Expected: 200
    Received: 401

      10 |   test('returns 200', () => {
    > 11 |     expect(login()).toBe(200);

Tests:       1 failed, 1 passed, 2 total
Time:        1.2 s
";

#[test]
fn jest_prefers_titles() {
    assert_eq!(lines(JEST), ["● login › returns 200"]);
    let r = plain(JEST);
    assert_eq!((r.failed, r.passed, r.verdict, r.stage), (Some(1), Some(1), Some(false), Some(Stage::Unit)));
    assert!(same_coarse(JEST, &JEST.replace("Received: 401", "Received: 500").replace("(5 ms)", "(90 ms)")));
    assert!(!same_fine(JEST, &JEST.replace("Received: 401", "Received: 500")));
    assert!(!same_keys(JEST, &JEST.replace("returns 200", "returns 404")));
    // Shortened to what an agent's shell shows.
    assert_eq!(lines("FAIL auth.test.js\n  ● login › returns 200\n    expected 200 got 401"), ["● login › returns 200"]);
}

#[test]
fn suites_that_cannot_run_are_told_apart() {
    let one = "FAIL src/a.test.ts\n  ● Test suite failed to run\n\n    Cannot find module './x'\n";
    let two = format!("{one}FAIL src/b.test.ts\n  ● Test suite failed to run\n\n    Cannot find module './x'\n");
    assert_eq!((plain(one).failures.len(), plain(&two).failures.len()), (1, 2));
    assert!(!same_keys(one, &one.replace("a.test", "b.test")));
    let vitest =
        " FAIL  src/a.test.ts [ src/a.test.ts ]\nError: Failed to resolve import\n FAIL  src/b.test.ts > works\nAssertionError: no\n";
    assert_eq!(lines(vitest).len(), 2);
}

#[test]
fn vitest_mocha_and_friends() {
    let vitest = " FAIL  src/a.test.ts > login > returns 200\nAssertionError: expected 401 to be 200\n";
    assert_eq!(lines(vitest), ["FAIL  src/a.test.ts > login > returns 200"]);
    assert!(same_coarse(vitest, &vitest.replace("401", "500")));
    assert!(!same_keys(vitest, &vitest.replace("returns 200", "returns 404")));
    let mocha = "\n  1 passing (9ms)\n  1 failing\n\n  1) login\n       returns 200:\n     AssertionError: expected 401 to equal 200\n      at Context.<anonymous> (test/a.js:5:3)\n";
    let r = plain(mocha);
    assert_eq!((r.failures.len(), r.failed, r.passed), (1, Some(1), Some(1)));
    assert!(same_coarse(mocha, &mocha.replace("expected 401", "expected 500").replace("a.js:5:3", "a.js:6:1")));
    assert!(!same_keys(mocha, &mocha.replace("returns 200", "returns 404")));
    assert!(!same_keys(mocha, &mocha.replace("1) login", "1) logout")));
    let playwright = "  1 failed\n    [chromium] › login.spec.ts:3:5 › login › returns 200 ─────\n  2 passed (3.1s)\n";
    let r = plain(playwright);
    assert_eq!((r.failures.len(), r.failed, r.passed, r.stage), (1, Some(1), Some(2), Some(Stage::Integration)));
    assert!(same_keys(playwright, &playwright.replace(":3:5", ":14:2").replace("──", "─")));
    assert_eq!(lines("x\n(fail) login > returns 200 [0.5ms]\n"), ["(fail) login > returns 200 [0.5ms]"]);
}

#[test]
fn type_checkers_and_linters() {
    let tsc = "src/a.ts(12,5): error TS2345: Argument of type 'string' is not assignable.\n";
    let pretty = "src/a.ts:12:5 - error TS2345: Argument of type 'string' is not assignable.\n";
    assert!(same_fine(tsc, pretty));
    assert!(same_fine(tsc, &tsc.replace("(12,5)", "(99,1)")));
    assert!(!same_keys(tsc, &tsc.replace("2345", "2322")));
    assert!(!same_coarse(tsc, &tsc.replace("a.ts", "b.ts")));
    assert_eq!(plain(tsc).stage, Some(Stage::Types));
    assert_eq!(plain("src/a.ts(1,5): error TS1005: ';' expected.").stage, Some(Stage::Parse));
    let eslint = "\n/w/p/src/a.js\n  12:5  error  'x' is not defined  no-undef\n  14:1  warning  Unexpected console  no-console\n\n✖ 2 problems (1 error, 1 warning)\n";
    assert_eq!(lines(eslint), ["12:5  error  'x' is not defined  no-undef"]);
    assert_eq!((plain(eslint).failed, plain(eslint).stage), (Some(1), Some(Stage::Types)));
    assert!(same_fine(eslint, &eslint.replace("12:5", "99:1")));
    assert!(!same_keys(eslint, &eslint.replace("a.js", "b.js")));
    assert!(!same_keys(eslint, &eslint.replace("no-undef", "no-unused")));
    let mypy = "app/a.py:12: error: Name \"x\" is not defined  [name-defined]\nFound 1 error in 1 file (checked 3 source files)\n";
    assert_eq!((lines(mypy).len(), plain(mypy).failed, plain(mypy).stage), (1, Some(1), Some(Stage::Types)));
    assert!(!same_keys(mypy, &mypy.replace("\"x\"", "\"y\"")));
    assert_eq!(lines("a.py:1:8: F401 `os` imported but unused\nx"), ["a.py:1:8: F401 `os` imported but unused"]);
    assert_eq!(plain("a.c:12:5: error: use of undeclared identifier 'x'").stage, Some(Stage::Compile));
    assert_eq!(plain("A.cs(12,5): error CS0103: The name 'x' does not exist [/w/p/A.csproj]").failures.len(), 1);
    // Notes and warnings are no failures.
    assert!(lines("a.c:12:5: warning: unused variable 'x'\na.c:12:5: note: here\n").is_empty());
}

#[test]
fn maven_gradle_and_others() {
    let maven = "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 0.1 s <<< FAILURE! - in com.x.LoginTest\n[ERROR] com.x.LoginTest.login  Time elapsed: 0.01 s  <<< FAILURE!\norg.opentest4j.AssertionFailedError: expected: <200> but was: <401>\n\n[ERROR] Failures:\n[ERROR]   LoginTest.login:23 expected: <200> but was: <401>\n[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n[INFO] BUILD FAILURE\n[ERROR] Failed to execute goal x\n";
    let r = plain(maven);
    assert_eq!((r.failures.len(), r.failed, r.passed, r.verdict), (1, Some(1), Some(2), Some(false)));
    assert!(same_coarse(maven, &maven.replace("<401>", "<500>").replace("0.01 s", "0.7 s")));
    assert!(!same_fine(maven, &maven.replace("<401>", "<500>")));
    let gradle = "> Task :test FAILED\n\nLoginTest > returns200() FAILED\n    org.opentest4j.AssertionFailedError: expected: <200> but was: <401>\n\n5 tests completed, 2 failed\nBUILD FAILED in 3s\n";
    let r = plain(gradle);
    assert_eq!((lines(gradle), r.failed, r.passed), (vec!["LoginTest > returns200() FAILED"], Some(2), Some(3)));
    let dotnet = "  Failed App.Tests.Login.Returns200 [12 ms]\n  Error Message:\n   Expected 200 but got 401\nFailed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5\n";
    let r = plain(dotnet);
    assert_eq!((r.failures.len(), r.failed, r.passed), (1, Some(1), Some(4)));
    assert!(!same_fine(dotnet, &dotnet.replace("401", "500")));
    assert!(same_coarse(dotnet, &dotnet.replace("401", "500")));
    let ctest = " 2/3 Test  #2: login ............***Failed    0.01 sec\n\n67% tests passed, 1 tests failed out of 3\n\nThe following tests FAILED:\n\t  2 - login (Failed)\n";
    let r = plain(ctest);
    assert_eq!((lines(ctest), r.failed, r.passed), (vec!["2 - login (Failed)"], Some(1), Some(2)));
    let gtest = "[  FAILED  ] Login.Returns200 (0 ms)\n[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Login.Returns200\n";
    assert_eq!(lines(gtest).len(), 1);
    let rspec = "Failures:\n\n  1) Login returns 200\n     Failure/Error: expect(login).to eq(200)\n\n       expected: 200\n            got: 401\n\n5 examples, 1 failure\n\nrspec ./spec/login_spec.rb:12 # Login returns 200\n";
    let r = plain(rspec);
    assert_eq!((lines(rspec), r.failed, r.passed), (vec!["rspec ./spec/login_spec.rb:12 # Login returns 200"], Some(1), Some(4)));
    let phpunit = "There was 1 failure:\n\n1) Tests\\LoginTest::testLogin\nFailed asserting that 401 matches expected 200.\n\n/w/p/tests/LoginTest.php:12\n\nFAILURES!\nTests: 5, Assertions: 9, Failures: 1.\n";
    let r = plain(phpunit);
    assert_eq!((lines(phpunit), r.failed, r.passed), (vec!["1) Tests\\LoginTest::testLogin"], Some(1), Some(4)));
    assert!(same_coarse(phpunit, &phpunit.replace("401", "500")));
    let minitest = "  1) Failure:\nLoginTest#test_login [test/login_test.rb:12]:\nExpected: 200\n  Actual: 401\n\n5 runs, 9 assertions, 1 failures, 0 errors, 0 skips\n";
    let r = plain(minitest);
    assert_eq!((lines(minitest).len(), r.failed, r.passed), (1, Some(1), Some(4)));
    assert!(same_keys(minitest, &minitest.replace(":12]", ":99]")));
}
