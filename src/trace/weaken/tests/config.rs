//! Configurations.

use super::super::WeakeningKind::*;
use super::super::examine;
use super::{honest, weak, weak_at};

#[test]
fn pytest_options() {
    let old = "[pytest]\naddopts = -q\ntestpaths = tests\n";
    weak_at(
        "pytest.ini",
        old,
        &old.replace("-q", "-q --deselect tests/test_a.py::test_b"),
        Narrowed,
        "addopts = -q --deselect tests/test_a.py::test_b",
    );
    weak("pytest.ini", old, &old.replace("-q", "-q -k \"not total\""), Narrowed);
    weak("pytest.ini", old, &old.replace("-q", "-q --ignore=tests/test_cart.py"), Narrowed);
    weak("pytest.ini", old, &old.replace("= tests", "= tests/unit"), Narrowed);
    honest("pytest.ini", old, &old.replace("-q", "-ra --strict-markers"));
    honest("pytest.ini", old, &old.replace("-q", "-q --ignore=node_modules"));
    honest("pytest.ini", old, &old.replace("-q", "-q -m \"not slow\""));
    honest("pytest.ini", old, &old.replace("= tests", "= tests integration"));
}

#[test]
fn coverage_thresholds() {
    weak_at(".coveragerc", "[report]\nfail_under = 90\n", "[report]\nfail_under = 70\n", Narrowed, "fail_under = 70");
    weak(".coveragerc", "[report]\nfail_under = 90\nshow_missing = true\n", "[report]\nshow_missing = true\n", Narrowed);
    honest(".coveragerc", "[report]\nfail_under = 90\n", "[report]\nfail_under = 95\n");
    let jest = "module.exports = {\n  coverageThreshold: { global: { branches: 80, lines: 90 } },\n};\n";
    weak("jest.config.js", jest, &jest.replace("branches: 80", "branches: 40"), Narrowed);
    honest("jest.config.js", jest, &jest.replace("branches: 80", "branches: 85"));
    weak(
        "pyproject.toml",
        "[tool.pytest.ini_options]\naddopts = \"--cov-fail-under=90\"\n",
        "[tool.pytest.ini_options]\naddopts = \"--cov-fail-under=50\"\n",
        Narrowed,
    );
}

#[test]
fn strictness() {
    let ts = "{\n  \"compilerOptions\": {\n    \"strict\": true,\n    \"target\": \"es2022\"\n  }\n}\n";
    weak_at("tsconfig.json", ts, &ts.replace("\"strict\": true", "\"strict\": false"), Narrowed, "\"strict\": false,");
    weak("tsconfig.json", ts, &ts.replace("    \"strict\": true,\n", ""), Narrowed);
    honest("tsconfig.json", ts, &ts.replace("es2022", "es2023"));
    honest("tsconfig.json", &ts.replace("true", "false"), ts);
    weak("mypy.ini", "[mypy]\ndisallow_untyped_defs = True\n", "[mypy]\ndisallow_untyped_defs = False\n", Narrowed);
    weak("mypy.ini", "[mypy]\nstrict = True\n", "[mypy]\nstrict = True\nignore_errors = True\n", Narrowed);
    weak(
        "pyproject.toml",
        "[tool.pytest.ini_options]\nxfail_strict = true\n",
        "[tool.pytest.ini_options]\nxfail_strict = false\n",
        Narrowed,
    );
}

#[test]
fn test_script_of_a_package() {
    let old = "{\n  \"scripts\": {\n    \"test\": \"jest --ci\",\n    \"lint\": \"eslint .\"\n  }\n}\n";
    weak_at("package.json", old, &old.replace("jest --ci", "jest --ci || true"), ForcedGreen, "\"test\": \"jest --ci || true\",");
    weak_at("package.json", old, &old.replace("jest --ci", "echo ok"), ForcedGreen, "\"test\": \"echo ok\",");
    weak("package.json", old, &old.replace("jest --ci", "exit 0"), ForcedGreen);
    weak("package.json", old, &old.replace("jest --ci", "jest --ci; exit 0"), ForcedGreen);
    weak("package.json", old, &old.replace("jest --ci", "jest --ci --testPathIgnorePatterns cart"), Narrowed);
    weak("package.json", old, &old.replace("jest --ci", "jest --ci src/util.test.js"), Narrowed);
    weak("package.json", old, &old.replace("eslint .", "eslint . || true"), ForcedGreen);
    honest("package.json", old, &old.replace("jest --ci", "jest --ci --coverage"));
    honest("package.json", old, &old.replace("jest --ci", "vitest run"));
    honest("package.json", old, &old.replace("    \"lint\"", "    \"build\": \"rm -rf dist || true\",\n    \"lint\""));
}

#[test]
fn runner_lists() {
    let jest = "module.exports = {\n  testPathIgnorePatterns: ['/node_modules/'],\n};\n";
    weak("jest.config.js", jest, &jest.replace("'/node_modules/'", "'/node_modules/', 'src/cart.test.ts'"), Narrowed);
    honest("jest.config.js", jest, &jest.replace("'/node_modules/'", "'/node_modules/', '/dist/'"));
    let vitest = "export default defineConfig({\n  test: {\n    exclude: ['node_modules'],\n  },\n});\n";
    weak(
        "vitest.config.ts",
        vitest,
        &vitest.replace("['node_modules']", "[\n      'node_modules',\n      'src/cart.test.ts',\n    ]"),
        Narrowed,
    );
    honest("vitest.config.ts", vitest, &vitest.replace("['node_modules']", "['node_modules', 'e2e/**']"));
}

#[test]
fn lists_on_one_line() {
    let vitest = "export default defineConfig({\n  test: { globals: true },\n});\n";
    weak("vitest.config.ts", vitest, &vitest.replace("true }", "true, exclude: ['src/cart.test.ts'] }"), Narrowed);
    honest("vitest.config.ts", vitest, &vitest.replace("true }", "true, exclude: ['node_modules'] }"));
    honest("vitest.config.ts", vitest, &vitest.replace("true }", "true, environment: 'jsdom' }"));
}

#[test]
fn tests_left_out_by_pattern() {
    let phpunit = "<testsuite name=\"unit\">\n  <directory>tests</directory>\n</testsuite>\n";
    let with = |line: &str| phpunit.replace("</directory>\n", &format!("</directory>\n  {line}\n"));
    weak("phpunit.xml", phpunit, &with("<exclude>tests/CartTest.php</exclude>"), Narrowed);
    honest("phpunit.xml", phpunit, &with("<directory>more</directory>"));
    let pom = "<configuration>\n  <excludes>\n  </excludes>\n</configuration>\n";
    weak("pom.xml", pom, &pom.replace("<excludes>\n", "<excludes>\n    <exclude>**/CartTest.java</exclude>\n"), Narrowed);
    honest("pom.xml", pom, &pom.replace("<excludes>\n", "<excludes>\n    <exclude>**/logback.xml</exclude>\n"));
    let gradle = "test {\n    useJUnitPlatform()\n}\n";
    weak("build.gradle", gradle, &gradle.replace("()\n", "()\n    exclude '**/CartTest*'\n"), Narrowed);
    weak("build.gradle.kts", gradle, &gradle.replace("()\n", "()\n    exclude(\"**/CartTest*\")\n"), Narrowed);
    honest("build.gradle", gradle, &gradle.replace("()\n", "()\n    exclude group: 'org.acme', module: 'base'\n"));
    weak(".rspec", "--require spec_helper\n", "--require spec_helper\n--exclude-pattern spec/cart_spec.rb\n", Narrowed);
    weak("Cargo.toml", "[[test]]\nname = \"cart\"\n", "[[test]]\nname = \"cart\"\ntest = false\n", Narrowed);
    honest("Cargo.toml", "[[test]]\nname = \"cart\"\ntest = false\n", "[[test]]\nname = \"cart\"\n");
}

#[test]
fn conftest() {
    let old = "import pytest\n\n\n@pytest.fixture\ndef cart():\n    return Cart()\n";
    weak("tests/conftest.py", old, &format!("{old}\ncollect_ignore = ['test_cart.py']\n"), Narrowed);
    weak(
        "tests/conftest.py",
        old,
        &format!("{old}\n\ndef pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n"),
        ForcedGreen,
    );
    weak(
        "tests/conftest.py",
        old,
        &format!(
            "{old}\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    out.get_result().outcome = \"passed\"\n"
        ),
        ForcedGreen,
    );
    weak(
        "tests/conftest.py",
        old,
        &format!("{old}\n\ndef pytest_collection_modifyitems(items):\n    for item in items:\n        item.add_marker(pytest.mark.skip)\n"),
        Skipped,
    );
    honest(
        "tests/conftest.py",
        old,
        &format!(
            "{old}\n\ndef pytest_collection_modifyitems(config, items):\n    if config.getoption('--slow'):\n        return\n    for item in items:\n        if 'slow' in item.keywords:\n            item.add_marker(pytest.mark.skip(reason='slow'))\n"
        ),
    );
    honest("tests/conftest.py", old, &old.replace("Cart()", "Cart(currency='EUR')"));
}

#[test]
fn new_conftest() {
    assert_eq!(examine("conftest.py", Some(""), "collect_ignore = ['tests/test_cart.py']\n").len(), 1);
    assert_eq!(examine("conftest.py", Some(""), "import os\n\n\ndef pytest_sessionfinish(session):\n    os._exit(0)\n").len(), 1);
    assert!(examine("conftest.py", Some(""), "import pytest\n\n\n@pytest.fixture\ndef cart():\n    return Cart()\n").is_empty());
    assert!(examine("conftest.py", Some(""), "collect_ignore = ['node_modules']\n").is_empty());
}

#[test]
fn new_configurations_are_the_authors_choice() {
    assert!(
        examine(
            ".github/workflows/ci.yml",
            Some(""),
            "jobs:\n  test:\n    continue-on-error: true\n    steps:\n      - run: pytest || true\n"
        )
        .is_empty()
    );
    assert!(examine(".golangci.yaml", None, "linters:\n  disable:\n    - shadow\n    - lll\n").is_empty());
    assert!(examine("eslint.config.js", Some(""), "export default [{ ignores: ['**/*.test.ts', 'src/old.ts'] }];\n").is_empty());
    assert!(examine("tsconfig.json", None, "{ \"compilerOptions\": { \"strict\": false } }\n").is_empty());
    assert!(examine("package.json", None, "{ \"scripts\": { \"test\": \"echo none yet\" } }\n").is_empty());
}

#[test]
fn make_targets() {
    let old = "test:\n\tpytest tests\n\nclean:\n\trm -rf build\n";
    weak_at("Makefile", old, &old.replace("\tpytest", "\t-pytest"), ForcedGreen, "-pytest tests");
    weak("Makefile", old, &old.replace("pytest tests", "pytest tests || true"), ForcedGreen);
    weak("Makefile", old, &old.replace("pytest tests", "@echo ok"), ForcedGreen);
    weak("Makefile", old, &old.replace("pytest tests", "pytest tests/test_safe.py"), Narrowed);
    honest("Makefile", old, &old.replace("\trm", "\t-rm"));
    honest("Makefile", old, &old.replace("pytest tests", "pytest -q tests"));
    honest("Makefile", old, &old.replace("\tpytest tests\n", "\tpytest tests\n\truff check .\n"));
}

#[test]
fn workflows() {
    let old = "jobs:\n  test:\n    steps:\n      - name: tests\n        run: npm test\n      - name: lint\n        run: npm run lint\n";
    let p = ".github/workflows/ci.yml";
    weak_at(
        p,
        old,
        &old.replace("        run: npm test\n", "        run: npm test\n        continue-on-error: true\n"),
        ForcedGreen,
        "continue-on-error: true",
    );
    weak_at(p, old, &old.replace("npm test", "npm test || true"), ForcedGreen, "run: npm test || true");
    weak_at(p, old, &old.replace("      - name: lint\n        run: npm run lint\n", ""), Narrowed, "run: npm run lint");
    weak(p, old, &old.replace("      - name: lint\n", "      - name: lint\n        if: false\n"), Narrowed);
    honest(p, old, &old.replace("npm test", "pnpm test"));
    honest(p, old, &old.replace("npm run lint", "make lint"));
    honest(p, old, &old.replace("        run: npm test\n", "        run: npm test\n        timeout-minutes: 10\n"));
    weak(".gitlab-ci.yml", "test:\n  script:\n    - pytest\n", "test:\n  allow_failure: true\n  script:\n    - pytest\n", ForcedGreen);
}

#[test]
fn lint_rules() {
    let eslint = "{\n  \"rules\": {\n    \"no-unused-vars\": \"error\",\n    \"semi\": \"error\"\n  }\n}\n";
    weak_at(
        ".eslintrc.json",
        eslint,
        &eslint.replace("\"no-unused-vars\": \"error\"", "\"no-unused-vars\": \"off\""),
        Narrowed,
        "\"no-unused-vars\": \"off\",",
    );
    weak(".eslintrc.json", eslint, &eslint.replace("\"no-unused-vars\": \"error\"", "\"no-unused-vars\": \"warn\""), Narrowed);
    honest(".eslintrc.json", eslint, &eslint.replace("\"semi\": \"error\"", "\"semi\": \"error\",\n    \"no-undef\": \"error\""));
    weak("ruff.toml", "ignore = [\"E501\"]\n", "ignore = [\"E501\", \"F841\"]\n", Narrowed);
    honest("ruff.toml", "ignore = [\"E501\", \"F841\"]\n", "ignore = [\"E501\"]\n");
    weak("Cargo.toml", "[lints.clippy]\nunwrap_used = \"deny\"\n", "[lints.clippy]\nunwrap_used = \"allow\"\n", Narrowed);
    honest("Cargo.toml", "[dependencies]\nserde = \"1.0.1\"\n", "[dependencies]\nserde = \"1.0.2\"\n");
}

#[test]
fn builds_of_the_jvm() {
    weak(
        "pom.xml",
        "<properties>\n  <skipTests>false</skipTests>\n</properties>\n",
        "<properties>\n  <skipTests>true</skipTests>\n</properties>\n",
        Narrowed,
    );
    weak(
        "pom.xml",
        "<configuration>\n</configuration>\n",
        "<configuration>\n  <testFailureIgnore>true</testFailureIgnore>\n</configuration>\n",
        ForcedGreen,
    );
    weak(
        "build.gradle",
        "test {\n    useJUnitPlatform()\n}\n",
        "test {\n    useJUnitPlatform()\n    ignoreFailures = true\n}\n",
        ForcedGreen,
    );
    honest("build.gradle", "test {\n    useJUnitPlatform()\n}\n", "test {\n    useJUnitPlatform()\n    maxParallelForks = 2\n}\n");
}

#[test]
fn dependencies_and_versions_are_nothing() {
    honest(
        "package.json",
        "{\n  \"devDependencies\": {\n    \"jest\": \"^29.0.0\"\n  }\n}\n",
        "{\n  \"devDependencies\": {\n    \"jest\": \"^29.1.0\"\n  }\n}\n",
    );
    honest("pyproject.toml", "[project]\nversion = \"1.2.0\"\n", "[project]\nversion = \"1.1.0\"\n");
    honest("Cargo.toml", "[[test]]\nname = \"a\"\n", "[[test]]\nname = \"a\"\n\n[[test]]\nname = \"b\"\n");
}
