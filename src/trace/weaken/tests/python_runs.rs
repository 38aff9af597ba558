//! pytest and unittest: tests that are there and no longer decide anything.

use super::super::WeakeningKind::*;
use super::super::examine;
use super::{honest, weak, weak_at};

const P: &str = "tests/test_price.py";

#[test]
fn skip_markers() {
    let old = "def test_a():\n    assert f() == 1\n";
    for marker in [
        "@pytest.mark.skip(reason='flaky')",
        "@pytest.mark.xfail",
        "@unittest.skip('later')",
        "@pytest.mark.skipif(sys.platform == 'win32', reason='posix only')",
        "@unittest.expectedFailure",
    ] {
        let w = weak_at(P, old, &format!("{marker}\n{old}"), Skipped, marker);
        assert_eq!(w.tests, ["test_a"]);
    }
    // On a new test it only says that the test is not ready.
    honest(P, old, &format!("{old}\n\n@pytest.mark.skip(reason='needs a server')\ndef test_b():\n    assert g() == 2\n"));
    honest(P, &format!("@pytest.mark.skip\n{old}"), &format!("@pytest.mark.skip(reason='see the tracker')\n{old}"));
    honest(P, &format!("@pytest.mark.skip\n{old}"), old);
    honest(P, old, &format!("@pytest.mark.asyncio\n{old}"));
}

#[test]
fn skipped_inside() {
    let old = "def test_a():\n    assert f() == 1\n";
    weak_at(P, old, "def test_a():\n    pytest.skip('not now')\n    assert f() == 1\n", Skipped, "pytest.skip('not now')");
    weak_at(P, old, "def test_a():\n    return\n    assert f() == 1\n", Skipped, "return");
    weak(P, "    assert f() == 1\n", "    pytest.skip('x')\n    assert f() == 1\n", Skipped);
    honest(P, old, "def test_a():\n    \"\"\"Does not skip: pytest.skip('no').\"\"\"\n    assert f() == 1\n");
    honest(
        P,
        "def test_a():\n    if not ready():\n        pytest.skip('no')\n    assert f() == 1\n",
        "def test_a():\n    if not ready(1):\n        pytest.skip('no')\n    assert f() == 1\n",
    );
}

#[test]
fn module_skipped() {
    weak_at(
        P,
        "import pytest\n\n\ndef test_a():\n    assert f() == 1\n",
        "import pytest\n\npytestmark = pytest.mark.skip\n\n\ndef test_a():\n    assert f() == 1\n",
        Skipped,
        "pytestmark = pytest.mark.skip",
    );
    honest(
        P,
        "import pytest\n\n\ndef test_a():\n    assert f() == 1\n",
        "import pytest\n\npytestmark = pytest.mark.unit\n\n\ndef test_a():\n    assert f() == 1\n",
    );
}

#[test]
fn a_whole_class_skipped() {
    let old =
        "class TestCart:\n    def test_add(self):\n        assert add() == 1\n\n    def test_drop(self):\n        assert drop() == 0\n";
    let w = weak_at(P, old, &format!("@pytest.mark.skip\n{old}"), Skipped, "@pytest.mark.skip");
    assert_eq!(w.tests, ["test_add", "test_drop"]);
}

#[test]
fn swallowed() {
    let old = "def test_a():\n    result = run()\n    assert result == 1\n";
    let w = weak_at(
        P,
        old,
        "def test_a():\n    try:\n        result = run()\n        assert result == 1\n    except Exception:\n        pass\n",
        Swallowed,
        "except Exception:",
    );
    assert_eq!(w.tests, ["test_a"]);
    weak(
        P,
        old,
        "def test_a():\n    with contextlib.suppress(AssertionError):\n        result = run()\n        assert result == 1\n",
        Swallowed,
    );
    weak(
        P,
        old,
        "def test_a():\n    try:\n        result = run()\n        assert result == 1\n    except AssertionError as e:\n        print(e)\n",
        Swallowed,
    );
    let guarded = "def test_a():\n    try:\n        import fast\n    except ImportError:\n        pass\n    assert f() == 1\n";
    honest(P, guarded, &guarded.replace("test_a", "test_f"));
    // Cleaning up is no swallowing, and neither is a handler that fails.
    honest(
        P,
        old,
        "def test_a():\n    result = run()\n    assert result == 1\n    try:\n        os.remove('x')\n    except FileNotFoundError:\n        pass\n",
    );
    honest(
        P,
        old,
        "def test_a():\n    try:\n        result = run()\n        assert result == 1\n    except TimeoutError:\n        pytest.fail('took too long')\n",
    );
    honest(P, old, "def test_a():\n    try:\n        result = run()\n        assert result == 1\n    finally:\n        close()\n");
}

#[test]
fn mocked() {
    let old = "from app import total\n\n\ndef test_total():\n    result = total([1, 2])\n    assert result == 3\n";
    weak(
        P,
        old,
        "from app import total\n\n\ndef test_total(mocker):\n    mocker.patch('app.total', return_value=3)\n    result = total([1, 2])\n    assert result == 3\n",
        Mocked,
    );
    weak(
        P,
        old,
        "from unittest.mock import Mock\n\ntotal = Mock(return_value=3)\n\n\ndef test_total():\n    result = total([1, 2])\n    assert result == 3\n",
        Mocked,
    );
    weak(P, old, "def total(items):\n    return 3\n\n\ndef test_total():\n    result = total([1, 2])\n    assert result == 3\n", Mocked);
    // What the thing needs may be replaced.
    honest(
        P,
        old,
        "from app import total\n\n\ndef test_total(mocker):\n    mocker.patch('app.rates.load_rates', return_value={})\n    result = total([1, 2])\n    assert result == 3\n",
    );
    honest(
        P,
        old,
        "from app import total\n\n\ndef test_total(monkeypatch):\n    monkeypatch.setattr('time.time', lambda: 0)\n    result = total([1, 2])\n    assert result == 3\n",
    );
}

#[test]
fn a_namesake_of_the_surroundings_mocked() {
    let old = "def test_order():\n    result = order.run(1)\n    assert result == 3\n";
    let with = |patch: &str| old.replace("def test_order(", &format!("@patch(\"{patch}\", return_value=3)\ndef test_order(fake, "));
    weak("tests/test_order.py", old, &with("shop.order.run"), Mocked);
    honest("tests/test_order.py", old, &with("shop.order.subprocess.run"));
}

#[test]
fn object_mocked() {
    let old = "def test_a():\n    service = Service()\n    assert service.run() == 3\n";
    weak(P, old, "def test_a():\n    service = MagicMock()\n    service.run.return_value = 3\n    assert service.run() == 3\n", Mocked);
    honest(
        P,
        "def test_a():\n    db = Database()\n    assert Service(db).run() == 3\n",
        "def test_a():\n    db = MagicMock()\n    assert Service(db).run() == 3\n",
    );
}

#[test]
fn mock_expectations() {
    let old = "def test_a():\n    notify(m)\n    m.send.assert_called_once_with('x')\n";
    weak(P, old, "def test_a():\n    notify(m)\n    m.send.assert_called()\n", ExpectationRewritten);
    honest(P, "def test_a():\n    notify(m)\n    m.send.assert_called()\n", old);
}

#[test]
fn process_ends_green() {
    let old = "def test_a():\n    assert f() == 1\n";
    weak_at(P, old, &format!("import os\nos._exit(0)\n{old}"), ForcedGreen, "os._exit(0)");
    weak(P, "if failures:\n    sys.exit(1)\n", "if failures:\n    sys.exit(0)\n", ForcedGreen);
    // A script that fails where it should may also end well.
    honest(P, "if failures:\n    sys.exit(1)\n", "if failures:\n    sys.exit(1)\nsys.exit(0)\n");
}

#[test]
fn equal_to_everything() {
    let new = "class Result:\n    def __eq__(self, other):\n        return True\n";
    let found = examine("src/result.py", Some(""), new);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, ForcedGreen);
    honest("src/result.py", "", "class Result:\n    def __eq__(self, other):\n        return self.value == other.value\n");
}

#[test]
fn runner_patched() {
    let old = "def test_a():\n    assert f() == 1\n";
    weak(P, old, &format!("unittest.TestCase.assertEqual = lambda *a: None\n{old}"), ForcedGreen);
}

#[test]
fn lints_silenced() {
    let source = "src/app.py";
    let w = weak_at(source, "x = compute( )\n", "x = compute( )  # type: ignore\n", Narrowed, "x = compute( )  # type: ignore");
    assert!(w.lint_only());
    // New code, or a changed line, comes as it is.
    honest(source, "x = 1\n", "x = 1\ny = compute()  # noqa: E501\n");
    honest(source, "x = compute()  # noqa: E501\n", "x = compute()  # noqa: E501, F841\n");
}

#[test]
fn never_reached() {
    let old = "def test_a():\n    x = f()\n    assert x == 1\n";
    weak_at(P, old, "def test_a():\n    x = f()\n    if False:\n        assert x == 1\n", Skipped, "if False:");
    honest(P, old, "def test_a():\n    x = f()\n    if True:\n        assert x == 1\n");
}

#[test]
fn helpers_that_skip() {
    let old = "def test_a():\n    assert f() == 1\n";
    honest(
        P,
        old,
        &format!(
            "def needs_docker():\n    if not docker():\n        pytest.skip('no docker')\n\n\n{old}\n\ndef test_b():\n    needs_docker()\n    assert g() == 2\n"
        ),
    );
    weak(P, old, &format!("import pytest\n\npytest.skip('all of it', allow_module_level=True)\n\n\n{old}"), Skipped);
}
