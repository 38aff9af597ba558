//! What the name of a script or of a build target says about it.

use super::CheckKind;
use super::CheckKind::{Build, Format, Lint, Test, Types};

/// First words of names that do something to a check instead of running it, or something else altogether.
const VERBS: &[&str] = &[
    "add",
    "clean",
    "cleanup",
    "configure",
    "convert",
    "count",
    "create",
    "deploy",
    "dev",
    "download",
    "fetch",
    "find",
    "gen",
    "generate",
    "init",
    "install",
    "kill",
    "list",
    "make",
    "open",
    "parse",
    "prepare",
    "publish",
    "release",
    "remove",
    "seed",
    "serve",
    "setup",
    "show",
    "start",
    "stop",
    "update",
    "watch",
    "write",
];
/// Words that make a name one of the surroundings of a check, wherever they stand.
const AROUND: &[&str] = &[
    "clean",
    "container",
    "data",
    "db",
    "deps",
    "down",
    "env",
    "fixtures",
    "image",
    "install",
    "seed",
    "server",
    "setup",
    "shell",
    "teardown",
    "up",
];
/// Words that say "and nothing is changed" beside a formatter's name.
const CHECKING: &[&str] = &["check", "checks", "ci", "diff", "verify"];
const FORMATS: &[&str] = &["black", "fmt", "format", "formatting", "gofmt", "isort", "prettier", "rustfmt", "spotless", "style"];
const LINTS: &[&str] = &[
    "checkstyle",
    "clippy",
    "detekt",
    "eslint",
    "flake8",
    "golangci",
    "hadolint",
    "ktlint",
    "lint",
    "linter",
    "linters",
    "lints",
    "markdownlint",
    "pylint",
    "rubocop",
    "ruff",
    "shellcheck",
    "stylelint",
    "swiftlint",
    "tflint",
    "vet",
];
const TYPES: &[&str] = &["mypy", "pyright", "tsc", "typecheck", "typechecks", "types", "typing"];
const TESTS: &[&str] = &[
    "coverage",
    "doctest",
    "doctests",
    "jest",
    "mocha",
    "nextest",
    "phpunit",
    "pytest",
    "rspec",
    "runtest",
    "runtests",
    "spec",
    "specs",
    "test",
    "testall",
    "testing",
    "tests",
    "unittest",
    "unittests",
    "vitest",
];
/// The plainest of them, for file names: a script called `coverage.py` need not test anything.
const SCRIPT_TESTS: &[&str] = &["runtest", "runtests", "spec", "specs", "test", "testall", "tests", "testthat", "unittest", "unittests"];
/// They say "test" too, and that it is a part of the tests.
const TEST_PARTS: &[&str] = &["cypress", "e2e", "functional", "integration", "playwright", "regression", "smoke", "unit"];
const BUILDS: &[&str] = &["assemble", "build", "builds", "bundle", "compile"];
/// They judge something, without saying what.
const WEAK: &[&str] = &["check", "checks", "ci", "quality", "sanity", "validate", "verify"];
/// With these a script's name stays general.
const RUNNING: &[&str] = &["all", "full", "project", "run", "runner", "script", "suite", "the"];
/// They leave the size of what is judged as it is.
const NEUTRAL: &[&str] = &[
    "all",
    "ci",
    "cov",
    "coverage",
    "debug",
    "dev",
    "fix",
    "full",
    "local",
    "once",
    "parallel",
    "prod",
    "production",
    "project",
    "quiet",
    "race",
    "release",
    "report",
    "run",
    "runner",
    "script",
    "silent",
    "strict",
    "suite",
    "the",
    "verbose",
    "watch",
];

/// Every word that [`kind`] or [`script`] can react to.
pub(super) fn hints() -> impl Iterator<Item = &'static str> {
    [LINTS, TYPES, TESTS, TEST_PARTS, BUILDS, WEAK, FORMATS].into_iter().flatten().copied().chain(["type"])
}

/// What a target of that name judges. `weak`: what `check`, `verify` and the like mean to this runner.
pub(super) fn kind(name: &str, weak: CheckKind) -> Option<CheckKind> {
    let words = words(name);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if words.first().is_some_and(|first| VERBS.contains(&first.as_str())) || has(AROUND) {
        return None;
    }
    let checking = has(CHECKING);
    let strong = words.iter().find_map(|word| match word.as_str() {
        w if LINTS.contains(&w) => Some(Lint),
        w if TYPES.contains(&w) || w == "type" && checking => Some(Types),
        w if FORMATS.contains(&w) && checking => Some(Format),
        w if TESTS.contains(&w) || TEST_PARTS.contains(&w) => Some(Test),
        w if BUILDS.contains(&w) => Some(Build),
        _ => None,
    });
    // `format` alone rewrites files, whatever else its name says.
    strong.or_else(|| (has(WEAK) && !has(FORMATS)).then_some(weak))
}

/// Does the name pick a part (`test:unit`) and not the whole (`test:ci`)?
pub(super) fn is_part(name: &str) -> bool {
    words(name).iter().any(|word| {
        let word = word.as_str();
        let whole = [LINTS, TYPES, TESTS, BUILDS, WEAK, FORMATS, NEUTRAL].iter().any(|list| list.contains(&word)) || word == "type";
        !whole
    })
}

/// What a script file judges when it is run: only what its name states plainly.
/// `shell`: it is a shell script, of which `build.sh` and `lint.sh` count too.
pub(super) fn script(path: &str, shell: bool) -> Option<CheckKind> {
    let mut parts = path.rsplit(['/', '\\']);
    let base = parts.next().unwrap_or(path);
    let words = words(stem(base));
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    if words.first().is_some_and(|first| VERBS.contains(&first.as_str())) || has(&["env", "setup", "teardown"]) {
        return None;
    }
    // `tests/run.sh`: the folder says what is run.
    let mut folder = || parts.next().is_some_and(|folder| SCRIPT_TESTS.contains(&folder)) && is_runner(base);
    if has(SCRIPT_TESTS) || folder() {
        return Some(Test);
    }
    let checks = has(&["check", "checks", "verify"]);
    (shell || checks).then(|| kind(stem(base), Test)).flatten().or(checks.then_some(Test))
}

/// Is it a project's own runner (`run_tests.sh`), and not one test of many (`test_login.py`)?
pub(super) fn is_runner(base: &str) -> bool {
    words(stem(base))
        .iter()
        .all(|word| [LINTS, TYPES, SCRIPT_TESTS, BUILDS, WEAK, FORMATS, RUNNING].iter().any(|list| list.contains(&word.as_str())))
}

/// Is a script one that others use for their tests (`test-harness.sh`)?
pub(super) fn is_tool(base: &str) -> bool {
    const TOOLS: &[&str] = &["cli", "ctl", "driver", "harness", "helper", "helpers", "tool", "tools", "util", "utils"];
    words(stem(base)).iter().any(|word| TOOLS.contains(&word.as_str()))
}

/// Is a script that gets this as its first argument told to do something else than to judge?
pub(super) fn sets_up(argument: &str) -> bool {
    words(argument).first().is_some_and(|first| VERBS.contains(&first.as_str()) || AROUND.contains(&first.as_str()))
}

/// A file's name without its last extension.
fn stem(base: &str) -> &str {
    match base.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() && extension.len() <= 4 => stem,
        _ => base,
    }
}

/// The words of a name: cut at everything that is no letter or digit, and where a capital begins; in small letters.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open = false;
    let mut small = false;
    for next in name.chars() {
        if !next.is_alphanumeric() {
            open = false;
            continue;
        }
        let begins = !open || small && next.is_uppercase();
        small = !next.is_uppercase();
        open = true;
        if begins {
            out.push(String::new());
        }
        if let Some(word) = out.last_mut() {
            word.extend(next.to_lowercase());
        }
    }
    out
}
