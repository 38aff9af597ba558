//! What a path is to the checks, by the conventions of the common languages and runners.

use super::Subject;
use super::util::base_name;

/// Configurations by their whole name, in lower case.
const CONFIG_NAMES: &[&str] = &[
    // Python
    "pytest.ini",
    ".pytest.ini",
    "tox.ini",
    "setup.cfg",
    "pyproject.toml",
    "conftest.py",
    "sitecustomize.py",
    "usercustomize.py",
    "noxfile.py",
    ".coveragerc",
    ".flake8",
    ".pylintrc",
    "pylintrc",
    "mypy.ini",
    ".mypy.ini",
    "ruff.toml",
    ".ruff.toml",
    "pyrightconfig.json",
    // JavaScript
    "package.json",
    "cypress.json",
    ".eslintignore",
    ".oxlintrc.json",
    "biome.json",
    "biome.jsonc",
    "deno.json",
    "deno.jsonc",
    "turbo.json",
    "codecov.yml",
    ".codecov.yml",
    "setuptests.js",
    "setuptests.ts",
    "lerna.json",
    "nx.json",
    // make and friends
    "makefile",
    "gnumakefile",
    "justfile",
    "taskfile.yml",
    "taskfile.yaml",
    "cmakelists.txt",
    // Ruby, PHP
    "rakefile",
    ".rspec",
    ".rubocop.yml",
    ".rubocop_todo.yml",
    ".simplecov",
    "spec_helper.rb",
    "rails_helper.rb",
    "test_helper.rb",
    "phpunit.xml",
    "phpunit.xml.dist",
    "phpunit.dist.xml",
    "phpstan.neon",
    "phpstan.neon.dist",
    "psalm.xml",
    // JVM, .NET
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "build.sbt",
    "checkstyle.xml",
    "detekt.yml",
    "directory.build.props",
    "directory.build.targets",
    // Rust, Go
    "cargo.toml",
    "clippy.toml",
    ".clippy.toml",
    "nextest.toml",
    ".golangci.yml",
    ".golangci.yaml",
    ".golangci.toml",
    // Continuous integration
    ".gitlab-ci.yml",
    "jenkinsfile",
    "azure-pipelines.yml",
    ".travis.yml",
    "bitbucket-pipelines.yml",
    ".drone.yml",
    ".pre-commit-config.yaml",
    "lefthook.yml",
    "lefthook.yaml",
];
/// Configurations by the beginning of their name: `jest.config.mjs`, `.eslintrc.json`.
const CONFIG_STARTS: &[&str] = &[
    "jest.config.",
    "jest.setup.",
    "vitest.config.",
    "vitest.setup.",
    "vitest.workspace.",
    "vite.config.",
    ".mocharc",
    "karma.conf.",
    "playwright.config.",
    "cypress.config.",
    "ava.config.",
    ".nycrc",
    ".c8rc",
    "tsconfig.",
    "jsconfig.",
    ".eslintrc",
    "eslint.config.",
    ".stylelintrc",
    ".lintstagedrc",
    "lint-staged.config.",
    "wdio.conf.",
    "web-test-runner.config.",
];
/// Directories whose files belong to a run's pipeline.
const CI_DIRECTORIES: &[&str] = &[".github/workflows/", ".github/actions/", ".circleci/", ".buildkite/", ".gitlab/ci/"];
/// Directories of hooks that refuse a commit or a push.
const HOOK_DIRECTORIES: &[&str] = &[".husky/", ".githooks/", ".git/hooks/"];
/// Directories where scripts live.
const SCRIPT_DIRECTORIES: &[&str] = &["script", "scripts", "bin", "tools", "ci", ".ci", "hack", "dev"];
/// Words by which a script says that it checks something.
const CHECK_WORDS: &[&str] =
    &["check", "checks", "test", "tests", "verify", "lint", "ci", "validate", "runtests", "runtest", "grade", "grader", "precommit"];
/// Extensions of scripts.
const SCRIPT_EXTENSIONS: &[&str] = &["", "sh", "bash", "zsh", "ps1", "bat", "cmd"];
/// Extensions of programs in which tests are written.
const CODE: &[&str] = &[
    "py", "js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts", "rs", "go", "java", "kt", "kts", "scala", "groovy", "cs", "fs", "rb",
    "php", "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "m", "mm", "bats", "sh", "bash", "swift", "dart", "ex", "exs", "clj", "hs", "ml",
    "lua", "r", "jl", "pl", "t", "zig", "vue", "svelte", "robot", "feature",
];
/// Extensions of data that tests compare with or feed on.
const DATA: &[&str] = &[
    "json", "jsonl", "ndjson", "yaml", "yml", "txt", "csv", "tsv", "xml", "html", "out", "stdout", "stderr", "log", "sql", "toml", "diff",
    "patch", "svg", "png", "bin", "dat", "golden", "expected",
];
/// Directories of expected results, whatever lies in them.
const GOLDEN_DIRECTORIES: &[&str] = &[
    "__snapshots__",
    "snapshots",
    "snapshot",
    "golden",
    "goldens",
    "golden_files",
    "goldenfiles",
    "expected",
    "expected_output",
    "expected_outputs",
    "__image_snapshots__",
    "approvals",
];
/// Directories of test data.
const DATA_DIRECTORIES: &[&str] = &["fixtures", "fixture", "__fixtures__", "testdata", "test_data", "test-data", "cassettes"];
/// Directories of tests.
const TEST_DIRECTORIES: &[&str] = &[
    "tests",
    "test",
    "__tests__",
    "__test__",
    "e2e",
    "integration-tests",
    "integration_tests",
    "unit-tests",
    "unittests",
    "functional_tests",
];
/// Directories of specs; a `spec` folder also holds documents, so only code in it counts.
const SPEC_DIRECTORIES: &[&str] = &["spec", "specs"];

/// What a path is to the checks.
///
/// The path decides alone: a Rust source file with tests inside is `Source`, and [`super::examine`] looks for them.
#[must_use]
pub fn subject(path: &str) -> Subject {
    let original = base_name(path.trim());
    let path = path.trim().replace('\\', "/").to_ascii_lowercase();
    let path = path.strip_prefix("./").unwrap_or(&path);
    let (folder, base) = path.rsplit_once('/').unwrap_or(("", path));
    let folders: Vec<&str> = folder.split('/').filter(|f| !f.is_empty()).collect();
    let within = |names: &[&str]| folders.iter().any(|f| names.contains(f));
    let extension = base.rsplit_once('.').map_or("", |(_, e)| e);
    // `.snap.new` and `.received.` are what a run saw, not what is expected.
    let seen = base.ends_with(".snap.new") || base.contains(".received.");
    if seen || within(&["node_modules", "site-packages", "__pycache__", ".venv", "venv", ".pytest_cache", ".mypy_cache"]) || base.is_empty()
    {
        return Subject::Source;
    }
    let slashed = format!("/{path}");
    if HOOK_DIRECTORIES.iter().any(|d| slashed.contains(&format!("/{d}")))
        && !base.ends_with(".sample")
        && !matches!(base, ".gitignore" | "husky.sh" | "_")
    {
        return Subject::CheckScript;
    }
    if is_config(&slashed, base, extension) {
        return Subject::RunnerConfig;
    }
    if is_golden(base, extension) || within(GOLDEN_DIRECTORIES) && !CODE.contains(&extension) && extension != "md" {
        return Subject::Snapshot;
    }
    let code = CODE.contains(&extension);
    if code && is_test_name(base, extension, original) && !is_runner(base) {
        return Subject::Test;
    }
    if is_check_script(base, extension, &folders) {
        return Subject::CheckScript;
    }
    let data = DATA.contains(&extension);
    if data && (within(DATA_DIRECTORIES) || within(TEST_DIRECTORIES)) && !base.starts_with("requirements") {
        return Subject::Snapshot;
    }
    // Code among the fixtures is what tests feed on; it says nothing about what they expect.
    if code
        && !within(DATA_DIRECTORIES)
        && !within(GOLDEN_DIRECTORIES)
        && (within(TEST_DIRECTORIES) || within(SPEC_DIRECTORIES))
        && !matches!(base, "__init__.py" | "mod.rs")
    {
        return Subject::Test;
    }
    Subject::Source
}

fn is_config(path: &str, base: &str, extension: &str) -> bool {
    CONFIG_NAMES.contains(&base)
        || CONFIG_STARTS.iter().any(|s| base.starts_with(s))
        || base.starts_with("tsconfig") && extension == "json"
        || matches!(extension, "csproj" | "fsproj" | "vbproj" | "runsettings" | "mk")
        || CI_DIRECTORIES.iter().any(|d| path.contains(&format!("/{d}")))
        || path.ends_with("/.cargo/config.toml")
}

fn is_golden(base: &str, extension: &str) -> bool {
    let data = DATA.contains(&extension) || extension.is_empty();
    matches!(extension, "snap" | "ambr" | "golden" | "expected")
        || base.contains(".approved.")
        || base.contains(".verified.")
        || base.contains(".golden.")
        || base.contains(".expected.")
        || data
            && (base.starts_with("expected")
                || base.starts_with("golden")
                || base.contains("_expected.")
                || base.contains("-expected.")
                || base.starts_with("test_cases.")
                || base.starts_with("testcases."))
}

fn is_test_name(base: &str, extension: &str, original: &str) -> bool {
    let stem = base.strip_suffix(extension).map_or(base, |s| s.trim_end_matches('.'));
    let ends = |ends: &[&str]| ends.iter().any(|e| stem.ends_with(e));
    match extension {
        "py" => stem.starts_with("test_") || ends(&["_test", "_tests"]) || matches!(stem, "test" | "tests"),
        "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs" | "mts" | "cts" | "vue" | "svelte" => {
            ends(&[".test", ".spec", "-test", "_test", ".cy", ".e2e", "-spec", "_spec", ".e2e-spec"]) || matches!(stem, "test" | "tests")
        }
        "rs" => matches!(stem, "tests" | "test") || ends(&["_test", "_tests"]) || stem.starts_with("test_"),
        "go" => ends(&["_test"]),
        "java" | "kt" | "kts" | "scala" | "groovy" | "cs" | "fs" | "swift" => camel(original),
        "rb" => ends(&["_spec", "_test"]) || stem.starts_with("test_"),
        "php" => camel(original),
        "c" | "cc" | "cpp" | "cxx" | "m" | "mm" => ends(&["_test", "_tests", "_unittest", "test", "tests"]) || stem.starts_with("test_"),
        "bats" | "feature" | "robot" => true,
        "exs" | "dart" | "ex" => ends(&["_test"]),
        _ => false,
    }
}

/// `CartTest.java`, `TestCart.kt`: only the capital letter tells `CartTest` from `Latest`.
fn camel(base: &str) -> bool {
    let stem = base.split('.').next().unwrap_or(base);
    ["Test", "Tests", "Spec", "TestCase", "IT"].iter().any(|e| stem.ends_with(e))
        || stem.strip_prefix("Test").is_some_and(|r| r.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// `run_tests.py` runs tests and holds none.
fn is_runner(base: &str) -> bool {
    let stem = base.split('.').next().unwrap_or(base);
    matches!(stem, "run_tests" | "run-tests" | "runtests" | "run_checks" | "run-checks")
}

fn is_check_script(base: &str, extension: &str, folders: &[&str]) -> bool {
    let stem = base.strip_suffix(extension).map_or(base, |s| s.trim_end_matches('.'));
    let says_so = stem.split(['-', '_', '.']).any(|word| CHECK_WORDS.contains(&word));
    let among_scripts = folders.last().is_some_and(|f| SCRIPT_DIRECTORIES.contains(f));
    match extension {
        // A file without an extension is a program only where programs live: `bin/test`, not `src/test`.
        "" => says_so && among_scripts,
        e if SCRIPT_EXTENSIONS.contains(&e) => says_so,
        "py" | "js" | "mjs" | "ts" | "rb" | "php" => is_runner(base) || matches!(stem, "grader" | "grade") || among_scripts && says_so,
        _ => false,
    }
}
