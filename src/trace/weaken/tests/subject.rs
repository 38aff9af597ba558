//! Paths.

use super::super::Subject::*;
use super::super::subject;

#[track_caller]
fn all(paths: &[&str], kind: super::super::Subject) {
    for path in paths {
        assert_eq!(subject(path), kind, "{path}");
    }
}

#[test]
fn tests_by_name() {
    all(
        &[
            "tests/test_cart.py",
            "src/cart_test.py",
            "app/tests.py",
            "/w/x/test_a.py",
            "src/cart.test.ts",
            "src/cart.spec.tsx",
            "cypress/e2e/cart.cy.ts",
            "pkg/cart_test.go",
        ],
        Test,
    );
    all(
        &[
            "src/test/java/shop/CartTest.java",
            "src/CartSpec.kt",
            "Shop.Tests/CartTests.cs",
            "spec/cart_spec.rb",
            "test/test_cart.rb",
            "tests/CartTest.php",
            "test/cart_test.cc",
            "src/cart_unittest.cc",
            "test/cart.bats",
        ],
        Test,
    );
    all(&["tests/cart.rs", "src/parser/tests.rs", "src/__tests__/cart.js", "test\\cart.js", "./tests/helpers.py"], Test);
}

#[test]
fn sources() {
    all(
        &[
            "src/cart.py",
            "src/contest.py",
            "src/latest.ts",
            "README.md",
            "tests/README.md",
            "tests/__init__.py",
            "spec/api.md",
            "src/testing.rs",
            "src/attestation.go",
            "tests/requirements.txt",
            "",
            "docs/test-plan.md",
        ],
        Source,
    );
    all(&["node_modules/jest/jest.config.js", "venv/lib/site-packages/x/test_y.py", "testdata/input.go", "src/Latest.java"], Source);
}

#[test]
fn expected_output() {
    all(
        &[
            "src/__snapshots__/a.test.ts.snap",
            "tests/golden/report.txt",
            "tests/fixtures/users.json",
            "testdata/out.json",
            "tests/data/cases.json",
            "a.approved.txt",
            "x/expected_output.txt",
            "test_cases.json",
            "tests/__snapshots__/x.ambr",
        ],
        Snapshot,
    );
    all(&["src/__snapshots__/a.snap.new", "x.received.txt"], Source);
}

#[test]
fn configurations() {
    all(
        &[
            "pytest.ini",
            "pyproject.toml",
            "tests/conftest.py",
            "package.json",
            "packages/a/package.json",
            "jest.config.mjs",
            "vitest.config.ts",
            "tsconfig.json",
            "tsconfig.build.json",
            ".eslintrc.json",
            "eslint.config.js",
        ],
        RunnerConfig,
    );
    all(
        &[
            "Makefile",
            ".github/workflows/ci.yml",
            ".gitlab-ci.yml",
            "Cargo.toml",
            ".golangci.yml",
            "pom.xml",
            "build.gradle.kts",
            "App.csproj",
            "phpunit.xml",
            ".rspec",
            ".pre-commit-config.yaml",
            "spec/spec_helper.rb",
            ".circleci/config.yml",
        ],
        RunnerConfig,
    );
}

#[test]
fn scripts() {
    all(
        &[
            "scripts/check.sh",
            "run_tests.sh",
            "run-tests.sh",
            ".husky/pre-commit",
            ".git/hooks/pre-push",
            "bin/test",
            "ci/lint.sh",
            "run_tests.py",
            "tools/verify.py",
        ],
        CheckScript,
    );
    all(&["scripts/deploy.sh", "install.sh", "src/test", "scripts/latest.sh", ".git/hooks/pre-commit.sample"], Source);
}
