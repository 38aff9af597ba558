//! Which green settles which red.

use crate::trace::judge::{CheckKind, OwnJudge, covers, judges, judges_at};

/// Both commands have one judge; does the first one's green settle the second one's red?
fn settles(green: &str, red: &str) -> bool {
    let (green, red) = (judges(green, &[]), judges(red, &[]));
    assert_eq!((green.len(), red.len()), (1, 1));
    covers(&green[0], &red[0])
}

#[test]
fn settled() {
    let pairs = [
        ("pytest", "pytest -q"),
        ("pytest", "pytest tests/test_a.py"),
        ("pytest", "pytest -k login"),
        ("pytest", "cd web && pytest"),
        ("pytest", "python test_login.py"),
        ("pytest tests/unit", "pytest tests/unit/test_a.py::test_b"),
        ("pytest tests/test_a.py", "pytest tests/test_a.py::test_b"),
        ("pytest 'tests/test_a.py::test_b'", "pytest 'tests/test_a.py::test_b[1]'"),
        ("pytest tests/unit tests/api", "pytest tests/api/test_a.py"),
        ("pytest -k login", "pytest tests/test_a.py -k login"),
        ("cargo test", "cargo test -p core login"),
        ("cargo test -p core", "cargo test -p core --test cli"),
        ("cargo test -p core -p cli", "cargo test -p core"),
        ("cargo nextest run", "cargo test"),
        ("cargo build", "cargo check"),
        ("go test ./...", "go test ./cart"),
        ("go test ./cart/...", "go test ./cart"),
        ("go test ./cart/...", "go test ./cart/items/... -run TestAdd"),
        ("npm test", "npm run test:unit"),
        ("npm test", "npx jest src/a.test.ts"),
        ("npx vitest run", "npm test"),
        ("cd web && npm test", "npm --prefix web test -- src/a.test.ts"),
        ("make test", "pytest tests/test_a.py"),
        ("make lint", "ruff check src"),
        ("npm run lint", "npx eslint src"),
        ("pre-commit run -a", "ruff check"),
        ("./run_tests.sh", "bash run_tests.sh unit"),
        ("mypy .", "mypy src"),
        ("rspec", "rspec spec/a_spec.rb:4"),
    ];
    for (green, red) in pairs {
        assert!(settles(green, red), "{green} settles {red}");
    }
}

#[test]
fn not_settled() {
    let pairs = [
        // Another kind.
        ("ruff check .", "pytest"),
        ("npm run lint", "npm test"),
        ("mypy .", "ruff check ."),
        ("cargo clippy", "cargo test"),
        ("cargo test", "cargo build"),
        // A part does not stand for more than itself.
        ("pytest tests/test_a.py", "pytest"),
        ("pytest tests/test_a.py", "pytest tests/test_b.py"),
        ("pytest tests/a", "pytest tests/ab"),
        ("pytest -k login", "pytest"),
        ("pytest -k login", "pytest -k logout"),
        ("pytest --deselect tests/test_a.py", "pytest"),
        ("pytest tests/unit", "pytest tests/unit tests/api"),
        ("cd web && pytest", "pytest"),
        ("cargo test -p core", "cargo test"),
        ("cargo test -p core", "cargo test -p core -p cli"),
        ("cargo test -- --skip slow", "cargo test"),
        ("cargo test -- --skip slow --skip net", "cargo test -- --skip slow"),
        ("npm run test:unit", "npm test"),
        ("go test .", "go test ./..."),
        ("go test ./cart", "go test ./cart/..."),
        // Another variant.
        ("cargo test", "cargo test --no-default-features"),
        ("GOOS=linux go build ./...", "go build ./..."),
        // Another language, another tool, another script.
        ("cargo test", "pytest"),
        ("npm test", "pytest"),
        ("ruff check .", "flake8 ."),
        ("mypy .", "pyright"),
        ("gcc a.c", "cargo build"),
        ("pytest", "./verify.sh"),
        ("./check.sh", "./verify.sh"),
        ("mix test", "dart test"),
    ];
    for (green, red) in pairs {
        assert!(!settles(green, red), "{green} does not settle {red}");
    }
}

#[test]
fn configured_judges() {
    let own = [
        OwnJudge { pattern: "acme verify".into(), kind: CheckKind::Test },
        OwnJudge { pattern: "acme probe".into(), kind: CheckKind::Test },
    ];
    let one = |command: &str| judges(command, &own).remove(0);
    assert!(covers(&one("acme verify"), &one("acme verify unit")));
    assert!(!covers(&one("acme verify unit"), &one("acme verify")));
    assert!(!covers(&one("acme verify"), &one("acme probe")));
    assert!(!covers(&one("pytest"), &one("acme verify")));
    assert!(!covers(&one("make test"), &one("acme verify")));
}

#[test]
fn folders_above() {
    let at = |cwd: &str| judges_at("pytest", &[], "/srv/shop/web", cwd).remove(0);
    let (above, top, part) = (at("/srv/shop"), at("/srv/shop/web"), at("/srv/shop/web/api"));
    assert!(covers(&above, &top) && covers(&above, &part) && covers(&at("/srv"), &above));
    assert!(!covers(&top, &above) && !covers(&part, &above) && !covers(&above, &at("/srv")));
}
