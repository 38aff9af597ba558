//! Expected output.

use super::super::WeakeningKind::*;
use super::super::examine;
use super::{honest, weak, weak_at};

#[test]
fn golden_text() {
    weak_at("tests/golden/report.txt", "total 3\nitems 2\n", "total 4\nitems 2\n", ExpectationRewritten, "total 4");
    honest("tests/golden/report.txt", "total 3\n", "total 3\nitems 2\n");
    honest("tests/golden/report.txt", "{\n  \"a\": 1\n}\n", "{\n    \"a\": 1\n}\n");
    weak("tests/golden/report.txt", "total 3\nitems 2\n", "total 3\n", AssertionRemoved);
    assert!(examine("tests/golden/report.txt", None, "total 4\n").is_empty());
    assert!(examine("tests/golden/report.txt", Some(""), "total 4\n").is_empty());
}

#[test]
fn snapshots() {
    let old = "exports[`cart 1`] = `<b>3</b>`;\n\nexports[`cart 2`] = `<i>x</i>`;\n";
    weak("src/__snapshots__/cart.test.ts.snap", old, &old.replace("<b>3</b>", "<b>4</b>"), ExpectationRewritten);
    // An entry goes with its test, which is judged where the test stood.
    honest("src/__snapshots__/cart.test.ts.snap", old, "exports[`cart 1`] = `<b>3</b>`;\n");
    weak("src/__snapshots__/cart.test.ts.snap", old, "", AssertionRemoved);
}

#[test]
fn cases_of_inputs_and_outputs() {
    let old = "[\n  {\n    \"input\": \"1 2\",\n    \"expected\": \"3\"\n  }\n]\n";
    weak_at("tests/data/cases.json", old, &old.replace("\"3\"", "\"4\""), ExpectationRewritten, "\"expected\": \"4\"");
    honest("tests/data/cases.json", old, &old.replace("\"1 2\"", "\"1  2\""));
    honest("tests/data/cases.json", old, &old.replace("  }\n]", "  },\n  {\n    \"input\": \"2 2\",\n    \"expected\": \"4\"\n  }\n]"));
}

#[test]
fn inputs_are_free() {
    honest("tests/fixtures/users.json", "{ \"name\": \"a\" }\n", "{ \"name\": \"b\" }\n");
}
