//! cargo, rustc and go.

use super::{lines, plain, same_coarse, same_fine, same_keys};
use crate::trace::signature::Stage;

const CARGO: &str = "\
running 3 tests
test auth::tests::ok ... ok
test auth::tests::login ... FAILED
test auth::tests::logout ... FAILED

failures:

---- auth::tests::login stdout ----

thread 'auth::tests::login' (4711) panicked at src/auth.rs:12:9:
assertion `left == right` failed
  left: 401
 right: 200
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace

---- auth::tests::logout stdout ----

thread 'auth::tests::logout' (4712) panicked at src/auth.rs:19:9:
called `Option::unwrap()` on a `None` value


failures:
    auth::tests::login
    auth::tests::logout

test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s

error: test failed, to rerun pass `--lib`
";

#[test]
fn cargo_counts_each_test_once() {
    let r = plain(CARGO);
    assert_eq!(r.failures.len(), 2);
    assert_eq!((r.failed, r.passed, r.verdict, r.stage), (Some(2), Some(1), Some(false), Some(Stage::Unit)));
    let moved = CARGO.replace("4711", "99").replace(":12:9", ":112:19").replace("0.02s", "1.50s").replace("left: 401", "left: 500");
    assert!(same_coarse(CARGO, &moved));
    assert!(!same_fine(CARGO, &moved));
    assert!(!same_coarse(CARGO, &CARGO.replace("tests::login", "tests::signin")));
    assert!(!same_coarse(CARGO, &CARGO.replace("called `Option", "called `Result")));
    // The end of the output names the same tests, without what they said.
    let at = CARGO.rfind("failures:").expect("the list is there");
    assert!(same_keys(CARGO, &CARGO[at..]));
}

#[test]
fn rust_doc_tests_and_nextest() {
    assert!(same_keys("test src/lib.rs - f (line 12) ... FAILED", "test src/lib.rs - f (line 40) ... FAILED"));
    assert!(!same_keys("test src/lib.rs - f (line 12) ... FAILED", "test src/lib.rs - g (line 12) ... FAILED"));
    assert!(same_fine("        FAIL [   0.005s] app tests::x", "        FAIL [   1.500s] (3/9) app tests::x"));
    assert!(!same_keys("FAIL [   0.005s] app tests::x", "FAIL [   0.005s] app tests::y"));
}

const RUSTC: &str = "\
   Compiling app v0.1.0 (/w/p)
error[E0308]: mismatched types
  --> src/auth.rs:12:5
   |
12 |     true
   |     ^^^^ expected `u32`, found `bool`

error: expected one of `;` or `}`, found `x`
 --> src/db.rs:3:1

error: aborting due to 2 previous errors

error: could not compile `app` (lib) due to 2 previous errors
";

#[test]
fn rustc_faults() {
    let r = plain(RUSTC);
    assert_eq!(lines(RUSTC), ["error[E0308]: mismatched types", "error: expected one of `;` or `}`, found `x`"]);
    assert_eq!((r.failed, r.verdict, r.stage), (Some(2), Some(false), Some(Stage::Parse)));
    assert!(same_fine(RUSTC, &RUSTC.replace(":12:5", ":99:1")));
    assert!(!same_keys(RUSTC, &RUSTC.replace("auth.rs", "user.rs")));
    assert!(!same_coarse(RUSTC, &RUSTC.replace("E0308", "E0277")));
    // One line of it.
    assert!(!same_coarse("error[E0308]: mismatched types", "error[E0277]: mismatched types"));
    assert_eq!(plain("error[E0308]: mismatched types").stage, Some(Stage::Compile));
    // Only the wrapper is left.
    assert_eq!(plain("x\nerror: could not compile `app` (lib) due to 1 previous error\n").failures.len(), 1);
}

#[test]
fn panic_of_a_program() {
    let a = "thread 'main' panicked at src/main.rs:12:5:\nindex out of bounds: the len is 3 but the index is 7\n";
    assert_eq!(plain(a).failures.len(), 1);
    assert!(same_coarse(a, &a.replace(":12:5", ":40:9").replace("index is 7", "index is 9")));
    assert!(!same_fine(a, &a.replace("index is 7", "index is 9")));
    assert!(!same_coarse(a, &a.replace("src/main.rs", "src/other.rs")));
    assert!(!same_coarse(a, &a.replace("index out of bounds", "division by zero")));
}

const GO: &str = "\
--- FAIL: TestLogin (0.00s)
    auth_test.go:12: got 401 want 200
    --- FAIL: TestLogin/case_3 (0.00s)
        auth_test.go:31: bad token
FAIL
FAIL\texample.com/app/auth\t0.012s
ok  \texample.com/app/db\t0.5s
FAIL
";

#[test]
fn go_tests() {
    assert_eq!(lines(GO), ["--- FAIL: TestLogin (0.00s)", "--- FAIL: TestLogin/case_3 (0.00s)"]);
    let r = plain(GO);
    assert_eq!((r.failed, r.passed, r.verdict), (Some(1), None, Some(false)));
    assert!(same_coarse(GO, &GO.replace("got 401", "got 500").replace(":12:", ":13:")));
    assert!(!same_fine(GO, &GO.replace("got 401", "got 500")));
    assert!(!same_keys(GO, &GO.replace("case_3", "case_4")));
    assert_eq!(lines("FAIL\texample.com/app/auth\t0.012s"), ["FAIL\texample.com/app/auth\t0.012s"]);
    let build = "# example.com/app\n./auth.go:12:5: undefined: token\nFAIL\texample.com/app [build failed]\n";
    assert_eq!(plain(build).stage, Some(Stage::Compile));
    assert!(same_fine(build, &build.replace(":12:5", ":14:2")));
    assert!(!same_keys(build, &build.replace("undefined: token", "undefined: user")));
}
