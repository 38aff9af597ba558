//! Targets of build tools, and a project's own scripts.

use super::{check, lines};
use crate::trace::judge::{CheckKind, OwnJudge, judges, judges_at};

#[test]
fn targets() {
    check(&[
        ("make", "build make []"),
        ("make -j$(nproc)", "build make []"),
        ("make -j 4 all", "build make []"),
        ("make CC=clang LDFLAGS=-static", "build make []"),
        ("make test", "test make []"),
        ("make check", "test make []"),
        ("make -C web test", "test make [web]"),
        ("cd web && make test", "test make [web]"),
        ("make lint test", "lint make [] ; test make []"),
        ("make test-unit", "test make [~test-unit] part"),
        ("make test TEST=login", "test make [~TEST=login] part"),
        ("make clean test", "test make []"),
        ("make fmt-check", "format make []"),
        ("make typecheck", "types make []"),
        ("just test", "test just []"),
        ("just test login", "test just [~login] part"),
        ("task lint test", "lint task [] ; test task []"),
        ("mise run test", "test mise []"),
        ("mise run test -- -run TestAdd ./cart/", "test mise [cart -run=TestAdd] part"),
        ("mise run lint:full", "lint mise []"),
        ("mise exec -- golangci-lint run ./...", "lint golangci-lint []"),
        ("nix flake check", "test nix flake check []"),
        ("earthly -P +test", "test earthly []"),
        ("just --verbose test", "test just []"),
        ("mise run --force test", "test mise []"),
        ("sbt clean coverage test", "test sbt []"),
        ("composer run test -- --filter=Cart", "test composer [--filter=Cart] part"),
        ("earthly +test", "test earthly []"),
    ]);
}

#[test]
fn scripts() {
    check(&[
        ("./run_tests.sh", "test script [run_tests.sh]"),
        ("bash run-tests.sh", "test script [run-tests.sh]"),
        ("bash -x ./scripts/run-tests.sh", "test script [scripts/run-tests.sh]"),
        ("sh scripts/check.sh", "test script [scripts/check.sh]"),
        ("./scripts/verify.sh --fast", "test script [scripts/verify.sh]"),
        ("./scripts/lint.sh", "lint script [scripts/lint.sh]"),
        ("bash build.sh", "build script [build.sh]"),
        ("./run_tests.sh unit", "test script [run_tests.sh ~unit] part"),
        ("cd web && ./test.sh", "test script [web/test.sh]"),
        ("source ./run_tests.sh", "test script [run_tests.sh]"),
        ("./tests/run.sh", "test script [tests/run.sh]"),
        ("python tests/run_all.py", "test python file [tests/run_all.py]"),
        ("bin/check-types", "types script [bin/check-types]"),
        ("python check_data.py", "test python file [check_data.py] part"),
        ("./build/tests/cart_test", "test script [build/tests/cart_test] part"),
        ("bash -n scripts/deploy.sh", "build bash -n [scripts/deploy.sh] part"),
        ("pwsh -File .\\build.ps1", "build script [build.ps1]"),
        (".\\scripts\\run-tests.ps1 -Verbose", "test script [scripts/run-tests.ps1]"),
        ("perl t/cart_test.pl", "test perl file [t/cart_test.pl] part"),
    ]);
}

#[test]
fn configured() {
    let own = vec![
        OwnJudge { pattern: "acme verify-all".into(), kind: CheckKind::Test },
        OwnJudge { pattern: "pytest --slow".into(), kind: CheckKind::Build },
        OwnJudge { pattern: "./quality".into(), kind: CheckKind::Lint },
        OwnJudge { pattern: "  ".into(), kind: CheckKind::Lint },
    ];
    let show = |command: &str| lines(&judges(command, &own));
    assert_eq!(show("acme verify-all"), "test own ['=acme verify-all']");
    assert_eq!(show("cd web && timeout 5 acme verify-all src/a.c | tail"), "test own [web/src/a.c '=acme verify-all'] part hidden");
    assert_eq!(show("acme verify-none"), "");
    assert_eq!(show("acme"), "");
    assert_eq!(show("./quality"), "lint own [=./quality]");
    // A configured judge goes before a known one.
    assert_eq!(show("pytest --slow"), "build own ['=pytest --slow']");
    assert_eq!(show("pytest"), "test pytest []");
    assert_eq!(show("echo acme verify-all"), "");
}

#[test]
fn places() {
    let show = |command: &str, workspace: &str, cwd: &str| lines(&judges_at(command, &[], workspace, cwd));
    // Unknown workspace: the last name of an absolute path.
    assert_eq!(show("cd /srv/shop && pytest", "", ""), "test pytest [shop]");
    assert_eq!(show("cd /srv/shop/web && npm test", "", ""), "test package script [web]");
    assert_eq!(show("cd \"D:/code/shop/web\" && npm test", "", ""), "test package script [web]");
    assert_eq!(show("cd /srv/shop && pytest /srv/shop/tests/test_a.py", "", ""), "test pytest [shop/tests/test_a.py] part");
    // Known workspace.
    assert_eq!(show("cd /srv/shop && pytest", "/srv/shop", ""), "test pytest []");
    assert_eq!(show("cd /srv/shop/web && npm test", "/srv/shop/", ""), "test package script [web]");
    assert_eq!(show("pytest /srv/shop/tests/test_a.py", "/srv/shop", ""), "test pytest [tests/test_a.py] part");
    assert_eq!(show("cd /srv/shopping && pytest", "/srv/shop", ""), "test pytest [shopping]");
    assert_eq!(show("npm test", "/srv/shop", "/srv/shop/web"), "test package script [web]");
    assert_eq!(show("cd .. && pytest", "/srv/shop", "/srv/shop/web"), "test pytest []");
    assert_eq!(show("npm test", "", "/srv/shop/web"), "test package script []");
    assert_eq!(show("cd /srv/shop/web/api && npm test", "", "/srv/shop/web"), "test package script [api]");
    // Above the workspace, and where the directory is itself relative.
    assert_eq!(show("pytest", "/srv/shop/web", "/srv/shop"), "test pytest [..]");
    assert_eq!(show("cd /srv/shop && pytest", "/srv/shop/web", "/srv/shop/web"), "test pytest [..]");
    assert_eq!(show("cd .. && pytest", "/srv/shop/web", "/srv/shop/web"), "test pytest [..]");
    assert_eq!(show("cd web && pytest", "/srv/shop/web", "/srv/shop"), "test pytest []");
    assert_eq!(show("pytest web/tests/a.py", "/srv/shop/web", "/srv/shop"), "test pytest [tests/a.py] part");
    assert_eq!(show("pytest api", "/srv/shop/web", "/srv/shop"), "test pytest [../api]");
    assert_eq!(show("pytest", "/srv/shop", "/tmp/elsewhere"), "test pytest []");
    assert_eq!(show("pytest", "", "tools"), "test pytest [tools]");
    // Relative ways.
    assert_eq!(show("cd web && cd api && npm test", "", ""), "test package script [web/api]");
    assert_eq!(show("cd web && cd .. && npm test", "", ""), "test package script []");
    assert_eq!(show("cd web && cd - && npm test", "", ""), "test package script []");
    assert_eq!(show("pushd web; npm test; popd; pytest", "", ""), "test package script [web] hidden ; test pytest []");
    assert_eq!(show("(cd web && npm test) && pytest", "", ""), "test package script [web] ; test pytest []");
    assert_eq!(show("cd web | true; pytest", "", ""), "test pytest []");
    assert_eq!(show("cd \"$(git rev-parse --show-toplevel)\" && pytest", "", ""), "test pytest []");
    assert_eq!(show("pytest web/../tests/unit/./a", "", ""), "test pytest [tests/unit/a]");
}
