//! What a task asks for.

use super::super::WeakeningKind::{self, *};
use super::super::{Weakening, asked_for};

fn rewritten() -> Weakening {
    Weakening { kind: ExpectationRewritten, line: "assert round_total(2) == 4".to_owned(), tests: vec!["test_rounding".to_owned()] }
}

fn of(kind: WeakeningKind) -> Weakening {
    Weakening { kind, ..rewritten() }
}

const P: &str = "tests/test_cart.py";

#[test]
fn by_name() {
    assert!(asked_for("Update tests/test_cart.py for the new rounding.", P, &rewritten()));
    assert!(asked_for("In test_cart the totals are out of date", P, &rewritten()));
    assert!(asked_for("test_rounding should expect half-up values now", P, &rewritten()));
    assert!(asked_for("Make round_total round half up.", P, &rewritten()));
    assert!(asked_for("Please adjust the expectations to the new API", P, &rewritten()));
    assert!(asked_for("regenerate the snapshots", "src/__snapshots__/a.snap", &of(ExpectationRewritten)));
    assert!(!asked_for("Add a login page.", P, &rewritten()));
    assert!(!asked_for("", P, &rewritten()));
}

#[test]
fn tests_that_shall_pass_are_not_to_be_changed() {
    assert!(!asked_for("Make tests/test_cart.py pass.", P, &rewritten()));
    assert!(!asked_for("test_rounding fails, find out why", P, &rewritten()));
    assert!(!asked_for("Get all tests green", P, &rewritten()));
    assert!(asked_for("test_rounding fails because it is outdated: update it", P, &rewritten()));
}

#[test]
fn forbidden() {
    assert!(!asked_for("Change round_total to round half up. Do not modify the tests.", P, &rewritten()));
    assert!(!asked_for("Make round_total faster without changing any test", P, &rewritten()));
    assert!(!asked_for("Fix round_total; never touch tests/test_cart.py", P, &rewritten()));
    assert!(asked_for("Change round_total to round half up. Don't forget to update the tests.", P, &rewritten()));
}

#[test]
fn removal_is_asked_for_by_its_own_words() {
    assert!(asked_for("Remove the test for rounding", P, &of(TestRemoved)));
    assert!(asked_for("Delete test_rounding", P, &of(TestRemoved)));
    assert!(asked_for("Drop round_total from the API", P, &of(TestRemoved)));
    assert!(!asked_for("Make round_total round half up", P, &of(TestRemoved)));
    assert!(!asked_for("Add tests for the cart", P, &of(TestRemoved)));
}

#[test]
fn skips_and_forced_results() {
    assert!(asked_for("Skip test_rounding on Windows", P, &of(Skipped)));
    assert!(asked_for("quarantine the flaky tests", P, &of(Skipped)));
    assert!(!asked_for("Update the tests", P, &of(Skipped)));
    assert!(asked_for("Make the lint step non-blocking in CI", ".github/workflows/ci.yml", &of(ForcedGreen)));
    assert!(!asked_for("Fix the CI", ".github/workflows/ci.yml", &of(ForcedGreen)));
}

#[test]
fn mocks_and_thresholds() {
    assert!(asked_for("Mock the payment service in the tests", P, &of(Mocked)));
    assert!(!asked_for("Speed up the tests", P, &of(Mocked)));
    assert!(asked_for("Lower the coverage threshold to 70", ".coveragerc", &of(Narrowed)));
    assert!(asked_for("disable the no-unused-vars rule", ".eslintrc.json", &of(Narrowed)));
    assert!(!asked_for("Reach the coverage threshold", ".coveragerc", &of(Narrowed)));
}

#[test]
fn common_words_name_nothing() {
    let w = Weakening { kind: ExpectationRewritten, line: "expect(result.status).toBe(200)".to_owned(), tests: Vec::new() };
    assert!(!asked_for("Show the status of the result", "src/a.test.ts", &w));
}

#[test]
fn other_languages_name_files_too() {
    assert!(asked_for("请更新 test_cart.py 里的断言", P, &rewritten()));
    assert!(asked_for("Bitte test_rounding an die neue Regel anpassen", P, &rewritten()));
}
