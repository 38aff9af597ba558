//! Rust, Go, C and C++.

use super::super::WeakeningKind::*;
use super::super::examine;
use super::{honest, weak, weak_at};

const R: &str = "tests/cart.rs";
const G: &str = "pkg/cart_test.go";
const C: &str = "test/cart_test.cpp";

fn rust(name: &str, body: &str) -> String {
    format!("#[test]\nfn {name}() {{\n    {}\n}}\n", body.replace('\n', "\n    "))
}

#[test]
fn rust_assertions() {
    let old = rust("adds", "let c = cart();\nassert_eq!(c.total(), 3);\nassert!(c.ok());");
    let w = weak_at(R, &old, &rust("adds", "let c = cart();\nassert_eq!(c.total(), 3);"), AssertionRemoved, "assert!(c.ok());");
    assert_eq!(w.tests, ["adds"]);
    weak(R, &old, &rust("adds", "let c = cart();\nassert_eq!(c.total(), 4);\nassert!(c.ok());"), ExpectationRewritten);
    weak(R, &old, &rust("adds", "let c = cart();\nassert_eq!(c.total(), 3);\nassert!(!c.ok());"), ExpectationRewritten);
    honest(R, &old, &rust("adds", "let c = cart();\nassert!(c.ok(), \"not ok\");\nassert_eq!(3, c.total());"));
    honest(R, &old, &rust("adds_up", "let c = cart();\nassert_eq!(c.total(), 3);\nassert!(c.ok());"));
}

#[test]
fn rust_patterns() {
    let old = rust("fails", "assert!(matches!(parse(\"\"), Err(Error::Empty)));");
    weak(R, &old, &rust("fails", "assert!(parse(\"\").is_err() || true);"), AssertionRemoved);
    honest(R, &old, &rust("fails", "assert_eq!(parse(\"\"), Err(Error::Empty));"));
}

#[test]
fn rust_ignored() {
    let old = rust("adds", "assert_eq!(add(1, 2), 3);");
    let w = weak_at(R, &old, &format!("#[ignore = \"flaky\"]\n{old}"), Skipped, "#[ignore = \"flaky\"]");
    assert_eq!(w.tests, ["adds"]);
    weak(R, &old, &old.replace("#[test]\n", ""), Skipped);
    weak(R, &old, &old.replace("#[test]\n", "#[test]\n#[cfg(any())]\n"), Skipped);
    honest(R, &old, &old.replace("#[test]\n", "#[test]\n#[cfg(unix)]\n"));
    honest(R, &old, &format!("{old}\n#[test]\n#[ignore]\nfn slow() {{\n    assert_eq!(f(), 1);\n}}\n"));
}

#[test]
fn rust_panics() {
    let old = "#[test]\n#[should_panic(expected = \"empty\")]\nfn panics() {\n    parse(\"\");\n}\n";
    honest(R, old, old);
    weak(R, old, &old.replace("#[should_panic(expected = \"empty\")]\n", ""), AssertionRemoved);
    weak_at(R, old, "", TestRemoved, "fn panics() {");
}

#[test]
fn rust_cases() {
    let old = "#[rstest]\n#[case(1, 2)]\n#[case(2, 4)]\nfn doubles(#[case] a: u32, #[case] b: u32) {\n    assert_eq!(double(a), b);\n}\n";
    weak(R, old, &old.replace("#[case(2, 4)]", "#[case(2, 5)]"), ExpectationRewritten);
    weak_at(R, old, &old.replace("#[case(2, 4)]\n", ""), TestRemoved, "#[case(2, 4)]");
    honest(R, old, &old.replace("#[case(2, 4)]\n", "#[case(2, 4)]\n#[case(3, 6)]\n"));
}

#[test]
fn rust_results_ignored() {
    let old = rust("saves", "save(1).unwrap();\nassert_eq!(load(), 1);");
    weak_at(R, &old, &rust("saves", "let _ = save(1);\nassert_eq!(load(), 1);"), Swallowed, "let _ = save(1);");
    honest(R, &old, &rust("saves", "save(1).expect(\"saves\");\nassert_eq!(load(), 1);"));
}

#[test]
fn rust_tests_beside_the_code() {
    let path = "src/cart.rs";
    let old = "pub fn add(a: u32, b: u32) -> u32 {\n    assert!(a < 9);\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n";
    let w = weak(path, old, &old.replace("2), 3", "2), 4"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["adds"]);
    weak(path, old, &old.replace("    #[test]\n", "    #[test]\n    #[ignore]\n"), Skipped);
    // The program's own assertions are its own.
    honest(path, old, &old.replace("    assert!(a < 9);\n", ""));
    weak(path, "        assert_eq!(add(1, 2), 3);\n", "        assert_eq!(add(1, 2), 4);\n", ExpectationRewritten);
    honest(path, "    assert!(a < 9);\n", "");
}

#[test]
fn rust_lints() {
    weak("src/cart.rs", "fn long() {\n    x()\n}\n", "#[allow(dead_code)]\nfn long() {\n    x()\n}\n", Narrowed);
    honest("src/cart.rs", "fn long() {\n    x()\n}\n", "fn long() {\n    x()\n}\n\n#[allow(dead_code)]\nfn other() {}\n");
}

#[test]
fn rust_strings_are_no_code() {
    let old = rust("quotes", "assert_eq!(quote(r#\"assert!(x)\"#), \"// no\");\nlet c = 'x';\nassert!(life::<'static>());");
    honest(R, &old, &format!("{old}{}", rust("more", "assert!(true_thing());")));
}

fn go(body: &str) -> String {
    format!("func TestAdd(t *testing.T) {{\n\t{}\n}}\n", body.replace('\n', "\n\t"))
}

#[test]
fn go_conditions() {
    let old = go("got := Add(1, 2)\nif got != 3 {\n\tt.Errorf(\"got %d, want 3\", got)\n}");
    let w = weak_at(
        G,
        &old,
        &go("got := Add(1, 2)\nif got != 4 {\n\tt.Errorf(\"got %d, want 4\", got)\n}"),
        ExpectationRewritten,
        "if got != 4 {",
    );
    assert_eq!(w.tests, ["TestAdd"]);
    weak(G, &old, &go("got := Add(1, 2)\n_ = got"), AssertionRemoved);
    honest(G, &old, &go("got := Add(1, 2)\nif got != 3 {\n\tt.Fatalf(\"Add(1, 2) = %d\", got)\n}"));
    honest(G, &old, &go("if got := Add(1, 2); got != 3 {\n\tt.Errorf(\"got %d\", got)\n}"));
    honest(G, &old, &go("got := Add(1, 3)\nif got != 4 {\n\tt.Errorf(\"got %d, want 4\", got)\n}"));
}

#[test]
fn go_errors() {
    let old = go("v, err := Parse(\"1\")\nif err != nil {\n\tt.Fatal(err)\n}\nif v != 1 {\n\tt.Error(v)\n}");
    weak(G, &old, &go("v, _ := Parse(\"1\")\nif v != 1 {\n\tt.Error(v)\n}"), AssertionRemoved);
    honest(G, &old, &go("v, err := Parse(\"1\")\nrequire.NoError(t, err)\nassert.Equal(t, 1, v)"));
}

#[test]
fn go_preparation() {
    let old = go("if err := os.WriteFile(\"a\", nil, 0o644); err != nil {\n\tt.Fatal(err)\n}\nif !Has(\"a\") {\n\tt.Error(\"no a\")\n}");
    honest(G, &old, &go("write(t, \"a\")\nif !Has(\"a\") {\n\tt.Error(\"no a\")\n}"));
    weak(G, &old, &go("if err := os.WriteFile(\"a\", nil, 0o644); err != nil {\n\tt.Fatal(err)\n}"), AssertionRemoved);
}

#[test]
fn go_tables() {
    let old = go(
        "tests := []struct{ name string; in, want int }{\n\t{name: \"one\", in: 1, want: 2},\n\t{name: \"two\", in: 2, want: 4},\n}\nfor _, tt := range tests {\n\tif got := Double(tt.in); got != tt.want {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}",
    );
    weak(G, &old, &old.replace("want: 4}", "want: 5}"), ExpectationRewritten);
    weak(G, &old, &old.replace("\t\t{name: \"two\", in: 2, want: 4},\n", ""), TestRemoved);
    honest(G, &old, &old.replace("want: 4},\n", "want: 4},\n\t\t{name: \"three\", in: 3, want: 6},\n"));
}

#[test]
fn go_testify() {
    let old = go("assert.Equal(t, 3, Add(1, 2))");
    weak(G, &old, &go("assert.Equal(t, 4, Add(1, 2))"), ExpectationRewritten);
    weak(G, &old, &go("assert.NotNil(t, Add(1, 2))"), ExpectationRewritten);
    weak(G, &go("assert.Equal(t, http.StatusOK, w.Code)"), &go("assert.Equal(t, http.StatusBadRequest, w.Code)"), ExpectationRewritten);
    honest(G, &old, &go("require.Equal(t, 3, Add(1, 2), \"sum\")"));
}

#[test]
fn go_skips() {
    let old = go("if Add(1, 2) != 3 {\n\tt.Error(\"no\")\n}");
    let w = weak_at(G, &old, &go("t.Skip(\"flaky\")\nif Add(1, 2) != 3 {\n\tt.Error(\"no\")\n}"), Skipped, "t.Skip(\"flaky\")");
    assert_eq!(w.tests, ["TestAdd"]);
    weak(G, &format!("package cart\n\n{old}"), &format!("//go:build ignore\n\npackage cart\n\n{old}"), Skipped);
    honest(G, &old, &go("t.Parallel()\nif Add(1, 2) != 3 {\n\tt.Error(\"no\")\n}"));
}

#[test]
fn go_removed() {
    let old = format!(
        "{}\nfunc TestSub(t *testing.T) {{\n\tif Sub(2, 1) != 1 {{\n\t\tt.Error(\"no\")\n\t}}\n}}\n",
        go("if Add(1, 2) != 3 {\n\tt.Error(\"no\")\n}")
    );
    weak_at(G, &old, &go("if Add(1, 2) != 3 {\n\tt.Error(\"no\")\n}"), TestRemoved, "func TestSub(t *testing.T) {");
    honest(G, &old, &old.replace("TestSub", "TestSubtract"));
}

#[test]
fn google_test() {
    let old = "TEST(Cart, Adds) {\n  EXPECT_EQ(add(1, 2), 3);\n  EXPECT_TRUE(ok());\n}\n";
    let w = weak(C, old, &old.replace("2), 3", "2), 4"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["Cart.Adds"]);
    weak(C, old, &old.replace("  EXPECT_TRUE(ok());\n", ""), AssertionRemoved);
    weak_at(C, old, &old.replace("Adds", "DISABLED_Adds"), Skipped, "TEST(Cart, DISABLED_Adds) {");
    weak(C, old, &old.replace("  EXPECT_EQ", "  GTEST_SKIP() << \"later\";\n  EXPECT_EQ"), Skipped);
    honest(C, old, &old.replace("EXPECT_EQ(add(1, 2), 3)", "ASSERT_EQ(3, add(1, 2)) << \"sum\""));
}

#[test]
fn catch2() {
    let old = "TEST_CASE(\"adds\", \"[cart]\") {\n  REQUIRE(add(1, 2) == 3);\n}\n";
    weak(C, old, &old.replace("== 3", "== 4"), ExpectationRewritten);
    weak(C, old, &old.replace("[cart]", "[.][cart]"), Skipped);
    honest(C, old, &old.replace("REQUIRE", "CHECK"));
    honest(C, old, "TEST_CASE(\"adds\", \"[cart]\")\n{\n  REQUIRE(add(1, 2) == 3);\n}\n");
}

#[test]
fn nothing_in_new_files() {
    assert!(examine(G, Some(""), &go("t.Skip(\"x\")")).is_empty());
    assert!(examine(R, Some(""), "#[test]\n#[ignore]\nfn a() {}\n").is_empty());
}
