//! Unified diffs and envelopes.

use super::super::WeakeningKind::{self, *};
use super::super::{Weakening, examine_patch};

#[track_caller]
fn weak(patch: &str, path: &str, kind: WeakeningKind) -> Weakening {
    let found = examine_patch(patch);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((found[0].0.as_str(), found[0].1.kind), (path, kind));
    found[0].1.clone()
}

#[track_caller]
fn honest(patch: &str) {
    let found = examine_patch(patch);
    assert!(found.is_empty(), "nothing expected: {found:#?}");
}

#[test]
fn expectation_in_a_unified_diff() {
    let w = weak(
        "diff --git a/tests/test_cart.py b/tests/test_cart.py\nindex 1..2 100644\n--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -3,3 +3,3 @@ def test_total():\n     c = cart()\n-    assert c.total() == 3\n+    assert c.total() == 4\n",
        "tests/test_cart.py",
        ExpectationRewritten,
    );
    assert_eq!((w.line.as_str(), w.tests.as_slice()), ("assert c.total() == 4", &["test_total".to_owned()][..]));
    honest(
        "--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -3,3 +3,4 @@ def test_total():\n     c = cart()\n     assert c.total() == 3\n+    assert c.count() == 2\n     done()\n",
    );
}

#[test]
fn several_files() {
    let found = examine_patch(
        "--- a/src/cart.py\n+++ b/src/cart.py\n@@ -1 +1 @@\n-x = 3\n+x = 4\n--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -1,2 +1,3 @@\n+@pytest.mark.skip\n def test_total():\n     assert total() == 3\n",
    );
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].0.as_str(), found[0].1.kind), ("tests/test_cart.py", Skipped));
}

#[test]
fn moved_to_another_file() {
    honest(
        "--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -1,5 +1,2 @@\n-def test_total():\n-    assert total() == 3\n-\n def test_count():\n     assert count() == 2\n--- /dev/null\n+++ b/tests/test_total.py\n@@ -0,0 +1,2 @@\n+def test_total():\n+    assert total() == 3\n",
    );
    weak(
        "--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -1,5 +1,2 @@\n-def test_total():\n-    assert total() == 3\n-\n def test_count():\n     assert count() == 2\n",
        "tests/test_cart.py",
        TestRemoved,
    );
}

#[test]
fn deleted_and_renamed_files() {
    let w = weak(
        "--- a/tests/test_cart.py\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-def test_total():\n-    assert total() == 3\n",
        "tests/test_cart.py",
        TestRemoved,
    );
    assert_eq!(w.tests, ["test_total"]);
    weak(
        "diff --git a/pkg/cart_test.go b/pkg/cart.go.off\nsimilarity index 100%\nrename from pkg/cart_test.go\nrename to pkg/cart.go.off\n",
        "pkg/cart_test.go",
        TestRemoved,
    );
    honest(
        "diff --git a/tests/test_cart.py b/tests/test_basket.py\nsimilarity index 100%\nrename from tests/test_cart.py\nrename to tests/test_basket.py\n",
    );
}

#[test]
fn moved_between_hunks() {
    honest(
        "--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -1,4 +1,1 @@\n-def test_total():\n-    assert total() == 3\n-\n import os\n@@ -20,2 +17,5 @@\n def test_count():\n     assert count() == 2\n+\n+def test_total():\n+    assert total() == 3\n",
    );
}

#[test]
fn open_strings_end_with_their_hunk() {
    weak(
        "--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -1,2 +1,2 @@\n def test_text():\n-    x = \"\"\"one\n+    x = \"\"\"two\n@@ -20,3 +20,2 @@ def test_total():\n     c = cart()\n     assert c.total() == 3\n-    assert c.count() == 2\n",
        "tests/test_cart.py",
        AssertionRemoved,
    );
}

#[test]
fn envelopes() {
    let w = weak(
        "*** Begin Patch\n*** Update File: src/cart.test.ts\n@@ it('adds', () => {\n   const c = cart();\n-  expect(c.total).toBe(3);\n+  expect(c.total).toBe(4);\n });\n*** End Patch\n",
        "src/cart.test.ts",
        ExpectationRewritten,
    );
    assert_eq!(w.tests, ["adds"]);
    honest(
        "*** Begin Patch\n*** Update File: src/cart.test.ts\n@@ it('adds', () => {\n   const c = cart();\n   expect(c.total).toBe(3);\n+  expect(c.count).toBe(2);\n });\n*** End Patch\n",
    );
    weak("*** Begin Patch\n*** Delete File: tests/test_cart.py\n*** End Patch\n", "tests/test_cart.py", TestRemoved);
    honest("*** Begin Patch\n*** Delete File: src/cart.py\n*** Add File: src/basket.py\n+x = 1\n*** End Patch\n");
    honest("*** Begin Patch\n*** Add File: tests/test_new.py\n+@pytest.mark.skip\n+def test_new():\n+    assert f() == 1\n*** End Patch\n");
    honest(
        "*** Begin Patch\n*** Update File: tests/test_cart.py\n*** Move to: tests/test_basket.py\n@@\n-from cart import total\n+from basket import total\n*** End Patch\n",
    );
    weak(
        "*** Begin Patch\n*** Update File: tests/test_cart.py\n*** Move to: attic/cart.txt\n@@\n-a = 1\n+a = 2\n*** End Patch\n",
        "tests/test_cart.py",
        TestRemoved,
    );
}

#[test]
fn rust_test_beside_the_code() {
    weak(
        "*** Begin Patch\n*** Update File: src/cart.rs\n@@\n     #[test]\n+    #[ignore]\n     fn adds() {\n         assert_eq!(add(1, 2), 3);\n*** End Patch\n",
        "src/cart.rs",
        Skipped,
    );
}

#[test]
fn broken_patches() {
    honest("");
    honest("--- \n+++ \n@@");
    honest("@@ -1,9999999999999999999999 +1 @@\n-x\n");
    honest("*** Update File: \n@@ @@ @@\n");
    honest("no patch at all\n+ but signs\n- of one\n");
}
