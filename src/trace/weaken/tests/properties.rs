//! Whatever the text, there is an answer; and what did not change is no weakening.

use proptest::prelude::*;

use super::super::{Weakening, WeakeningKind, asked_for, examine, examine_command, examine_patch, subject};

const PATHS: &[&str] = &[
    "tests/test_a.py",
    "a.test.ts",
    "tests/a.rs",
    "src/a.rs",
    "a_test.go",
    "ATest.java",
    "ATest.kt",
    "ATests.cs",
    "a_spec.rb",
    "ATest.php",
    "a_test.cpp",
    "a.bats",
    "conftest.py",
    "package.json",
    "Makefile",
    "pytest.ini",
    ".github/workflows/a.yml",
    "tsconfig.json",
    "pom.xml",
    "jest.config.js",
    "Cargo.toml",
    ".eslintrc.json",
    "scripts/check.sh",
    "tests/golden/a.txt",
    "tests/fixtures/a.json",
    "src/a.py",
    "src/a.ts",
    "",
];

/// Pieces of which real files are made, and of which broken ones are made even better.
const PIECES: &[&str] = &[
    "def test_a():\n",
    "    assert f(1) == 2\n",
    "    assert ",
    "it('a', () => {\n",
    "  expect(f()).toBe(1);\n",
    "});\n",
    "#[test]\n",
    "fn a() {\n",
    "    assert_eq!(a, b);\n",
    "}\n",
    "func TestA(t *testing.T) {\n",
    "\tif got != 1 {\n",
    "\t\tt.Error(got)\n",
    "\t}\n",
    "@Test\n",
    "void a() {\n",
    "assertEquals(1, f());\n",
    "[Fact]\n",
    "\"\"\"",
    "'''",
    "`",
    "'",
    "\"",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "/*",
    "*/",
    "//",
    "#",
    "\\",
    "\n",
    "\t",
    "é",
    "日",
    "\u{2}\n",
    "\u{1}",
    "@@ -1,2 +1,2 @@\n",
    "--- a/tests/test_a.py\n",
    "+++ b/tests/test_a.py\n",
    "-    assert f(1) == 2\n",
    "+    assert f(1) == 3\n",
    "*** Begin Patch\n",
    "*** Update File: tests/test_a.py\n",
    "<<EOF\n",
    "EOF\n",
    "sed -i 's/",
    "/d' tests/test_a.py",
    "pytest ",
    "|| true",
    "; ",
    "$(",
    "&& ",
    "> tests/test_a.py ",
    "cat ",
    "expect(",
    ".to eq(",
    " do\n",
    "end\n",
    "\"test\": \"jest\",\n",
    "run: npm test\n",
    "exclude = [\n",
    "fail_under = 90\n",
    "try:\n",
    "except:\n",
    "pass\n",
    "catch (e) {",
    ".each([\n",
    "#[case(1, 2)]\n",
    "@pytest.mark.parametrize('a', [\n",
    "r#\"",
    "assert!(matches!(",
    "<",
    ">",
    "=",
    "==",
    " and ",
    " or True",
    ".replace(",
    "write",
];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(PIECES), 0..40).prop_map(|p| p.concat()),
        proptest::collection::vec(prop_oneof![proptest::sample::select(PIECES).prop_map(str::to_owned), ".{0,12}"], 0..25)
            .prop_map(|p| p.concat()),
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn never_fails(path in proptest::sample::select(PATHS), old in text(), new in text()) {
        for old in [None, Some(""), Some(old.as_str())] {
            for w in examine(path, old, &new) {
                prop_assert!(w.line.chars().count() <= 160);
                prop_assert!(!w.line.contains('\n'));
            }
        }
    }

    #[test]
    fn commands_and_patches_never_fail(text in text(), path in ".{0,40}") {
        for (_, w) in examine_command(&text).into_iter().chain(examine_patch(&text)) {
            let _ = asked_for(&text, &path, &w);
            prop_assert!(w.line.chars().count() <= 160);
        }
        let _ = subject(&path);
    }

    #[test]
    fn asking_never_fails(task in text(), path in ".{0,40}", line in text(), name in ".{0,20}") {
        for kind in [WeakeningKind::AssertionRemoved, WeakeningKind::ExpectationRewritten, WeakeningKind::Narrowed, WeakeningKind::ForcedGreen] {
            let _ = asked_for(&task, &path, &Weakening { kind, line: line.clone(), tests: vec![name.clone()] });
        }
    }

    #[test]
    fn what_stays_is_no_weakening(path in proptest::sample::select(PATHS), text in text()) {
        prop_assert_eq!(examine(path, Some(&text), &text), Vec::new());
    }

    #[test]
    fn comments_are_no_weakening(a in 0_u32..1000, b in 0_u32..1000, word in "[a-z]{1,12}") {
        let old = format!("def test_a():\n    assert f({a}) == {b}\n");
        let new = format!("def test_a():\n    # {word}\n    assert f({a}) == {b}  # {word}\n");
        prop_assert_eq!(examine("tests/test_a.py", Some(&old), &new), Vec::new());
    }

    #[test]
    fn any_other_number_is_another_expectation(input in 0_u32..1000, was in 0_u32..1000, is in 0_u32..1000) {
        prop_assume!(was != is);
        let side = |n: u32| format!("it('a', () => {{\n  expect(f({input})).toBe({n});\n}});\n");
        let found = examine("a.test.ts", Some(&side(was)), &side(is));
        prop_assert_eq!(found.len(), 1);
        prop_assert_eq!(found[0].kind, WeakeningKind::ExpectationRewritten);
    }

    #[test]
    fn order_of_tests_is_free(order in Just((0..8_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let one = |i: &usize| format!("def test_{i}():\n    x = make({i})\n    assert f(x) == {i}\n\n\n");
        let old: String = (0..8).map(|i| one(&i)).collect();
        let new: String = order.iter().map(one).collect();
        prop_assert_eq!(examine("tests/test_a.py", Some(&old), &new), Vec::new());
    }
}

/// The work grows with the text and not with its square: fifty times the text takes nowhere near 2,500 times
/// as long, even where nothing is ever closed.
#[test]
fn long_texts_take_linear_time() {
    for piece in [
        "expect(",
        "assert f(1) == 2\n",
        "def test_a():\n    assert f(1) == 2\n",
        "it('a', () => {\n",
        "(/[",
        "try:\n  x()\nexcept:\n  pass\n",
        "'",
        "{ a: [",
        "| sed -i 's/a/b/' x ",
        "$(",
        "<<EOF\n",
        "if got != 1 {\n",
        "@a(\n",
    ] {
        let time = |n: usize| {
            let text = piece.repeat(n);
            let start = std::time::Instant::now();
            for path in ["tests/test_a.py", "a.test.ts", "a_test.go", "pytest.ini", "scripts/check.sh"] {
                let _ = examine(path, Some(&text), &format!("{text}x"));
            }
            let _ = examine_command(&text);
            let _ = examine_patch(&text);
            start.elapsed()
        };
        time(10);
        let (small, large) = (time(50), time(2_500));
        assert!(large < small * 500 + std::time::Duration::from_millis(500), "{piece:?}: {small:?}, then {large:?}");
    }
}
