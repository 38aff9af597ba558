//! Commands that judge: which they are, what they leave out, and whether their verdict still counts.

use super::Subject;
use super::shell::words::{Joint, Simple, commands};
use super::subject::subject;
use super::util::base_name;

/// What a judge looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Class {
    Test,
    Lint,
    Type,
    Build,
}

/// One command that judges.
#[derive(Debug, Clone)]
pub(super) struct Judged {
    /// Its name, the same for all package managers.
    pub(super) tool: String,
    pub(super) class: Class,
    /// Flags that leave something out, with their values.
    pub(super) narrowing: Vec<String>,
    /// Words that are no flags: what it is to look at.
    pub(super) targets: Vec<String>,
    /// How its failure is thrown away.
    pub(super) forced: Option<Forced>,
    /// As it was written, with what throws the verdict away.
    pub(super) text: String,
}

/// How a verdict is thrown away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Forced {
    /// `|| true`, `|| exit 0`.
    OrTrue,
    /// `|| echo failed`: a person still sees it, a machine does not.
    OrEcho,
    /// `; exit 0`, `; true`.
    Then,
    /// `--exit-zero` and its like.
    Flag,
}

/// Reasons for which tests are left out of everyday runs.
const USUAL: &[&str] = &[
    "slow",
    "integration",
    "e2e",
    "network",
    "gpu",
    "benchmark",
    "docker",
    "live",
    "online",
    "external",
    "manual",
    "perf",
    "performance",
    "heavy",
    "nightly",
    "cuda",
    "windows",
    "linux",
    "stress",
    "load",
    "browser",
    "selenium",
    "playwright",
    "postgres",
    "redis",
    "db",
    "database",
    "aws",
    "s3",
    "internet",
    "long",
    "llm",
    "api",
    "smoke",
    "acceptance",
    "system",
    "hardware",
    "large",
];
/// Paths that no check has to look at.
const OUTSIDE: &[&str] = &[
    "node_modules",
    "dist",
    "build",
    "out",
    "coverage",
    ".git",
    ".next",
    ".nuxt",
    ".turbo",
    "venv",
    ".venv",
    "env",
    "site-packages",
    "vendor",
    "third_party",
    "target",
    "__pycache__",
    ".cache",
    "generated",
    "migrations",
    "docs",
    "examples",
    "tmp",
    "temp",
    "e2e",
    "playwright",
    "cypress",
    "fixtures",
    "testdata",
    ".tox",
    ".nox",
    ".claude",
    ".worktrees",
    "worktrees",
    "public",
    "static",
    "assets",
    "bin",
    "obj",
    ".eggs",
    "benchmarks",
    "storybook",
    "public/build",
    ".svelte-kit",
    ".vercel",
    ".output",
    "snapshots",
    "*.d.ts",
    "gen",
];

/// Whether leaving something out is usual: dependencies, build results, slow tests.
pub(super) fn is_usual(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    let mut parts = value
        .split(['/', ' ', ',', '*', '"', '\'', '(', ')', '|', '^', '$', '\\'])
        .filter(|p| {
            !p.is_empty()
                && !matches!(*p, "not" | "and" | "or" | "." | ".." | "src" | "tests" | "test" | "<rootdir>" | "rootdir" | "<rootDir>")
        })
        .peekable();
    parts.peek().is_some() && parts.any(|p| OUTSIDE.contains(&p) || USUAL.contains(&p) || p.ends_with(".d.ts") || p.contains("generated"))
}

/// The judges in a shell text.
pub(super) fn judged(text: &str) -> Vec<Judged> {
    let all = commands(text);
    let mut found = Vec::new();
    for (i, simple) in all.iter().enumerate() {
        let words = simple.program();
        let Some((tool, class, rest)) = judge(words) else { continue };
        let next = all.get(i + 1);
        let forced = if words
            .iter()
            .any(|w| matches!(w.as_str(), "--exit-zero" | "--no-error-on-unmatched-pattern" | "--force-exit-zero") && tool != "eslint")
        {
            Some(Forced::Flag)
        } else {
            next.and_then(|n| forced(simple, n, i + 2 == all.len()))
        };
        let text = if forced.is_some_and(|f| f != Forced::Flag) {
            format!("{} {} {}", simple.text, sign(simple.after), next.map_or("", |n| n.text.as_str()))
        } else {
            simple.text.clone()
        };
        let (narrowing, targets) = arguments(&tool, rest);
        found.push(Judged { tool, class, narrowing, targets, forced, text });
    }
    found
}

fn sign(joint: Joint) -> &'static str {
    match joint {
        Joint::Or => "||",
        Joint::And => "&&",
        Joint::Pipe => "|",
        _ => ";",
    }
}

fn forced(simple: &Simple, next: &Simple, last: bool) -> Option<Forced> {
    let words: Vec<&str> = next.words.iter().map(String::as_str).collect();
    let succeeds = matches!(words.as_slice(), ["true" | ":"] | ["exit" | "return", "0"]);
    match simple.after {
        Joint::Or if succeeds => Some(Forced::OrTrue),
        Joint::Or if matches!(words.first(), Some(&("echo" | "printf"))) && matches!(next.after, Joint::Line) => Some(Forced::OrEcho),
        Joint::Semicolon if succeeds && last => Some(Forced::Then),
        _ => None,
    }
}

/// Which judge a command is, and the words behind its name.
fn judge(words: &[String]) -> Option<(String, Class, &[String])> {
    let first = words.first()?;
    let name = base_name(first);
    let second = words.get(1).map_or("", String::as_str);
    let from = |n: usize| words.get(n..).unwrap_or_default();
    let direct = match name {
        "pytest" | "py.test" | "unittest" | "nose2" | "tox" | "nox" | "jest" | "vitest" | "mocha" | "ava" | "tap" | "rspec" | "phpunit"
        | "pest" | "ctest" | "bats" | "karma" | "testem" | "stestr" => Some(Class::Test),
        "eslint" | "flake8" | "pylint" | "ruff" | "golangci-lint" | "rubocop" | "shellcheck" | "stylelint" | "oxlint" | "biome"
        | "clang-tidy" | "hadolint" | "markdownlint" | "standard" | "xo" | "phpcs" => Some(Class::Lint),
        "tsc" | "mypy" | "pyright" | "basedpyright" | "vue-tsc" | "phpstan" | "psalm" | "pyre" | "ty" => Some(Class::Type),
        _ => None,
    };
    if let Some(class) = direct {
        // `ruff format` writes; only `--check` judges.
        let judges = name != "ruff" || second == "check" || words.iter().any(|w| w == "--check");
        return judges.then(|| (name.to_owned(), class, from(if matches!(second, "run" | "check") { 2 } else { 1 })));
    }
    let class_of = |task: &str| -> Option<Class> {
        let head = task.split([':', '-', '_', '.']).next().unwrap_or(task);
        match head {
            "test" | "tests" | "check" | "verify" | "ci" | "validate" | "spec" | "unit" => Some(Class::Test),
            "lint" => Some(Class::Lint),
            "typecheck" | "type" | "types" | "tsc" => Some(Class::Type),
            "build" => Some(Class::Build),
            _ => None,
        }
    };
    match name {
        "npm" | "pnpm" | "yarn" | "bun" => {
            let flags = words.iter().skip(1).take_while(|w| w.starts_with('-')).count();
            let (task, skip) = match words.get(1 + flags).map_or("", String::as_str) {
                "run" | "run-script" => (words.get(2 + flags)?.as_str(), 3 + flags),
                "t" => ("test", 2 + flags),
                // Plain npm knows only this one.
                task if name != "npm" || task == "test" => (task, 2 + flags),
                _ => return None,
            };
            class_of(task).map(|c| (format!("run {task}"), c, from(skip)))
        }
        "cargo" => {
            let task = words.iter().skip(1).find(|w| !w.starts_with('+') && !w.starts_with('-'))?;
            let at = words.iter().position(|w| w == task)? + 1;
            match task.as_str() {
                "test" | "t" | "nextest" => Some(("cargo test".to_owned(), Class::Test, from(at))),
                "clippy" => Some(("cargo clippy".to_owned(), Class::Lint, from(at))),
                "check" | "build" | "c" | "b" => Some((format!("cargo {task}"), Class::Build, from(at))),
                _ => None,
            }
        }
        "go" => match second {
            "test" => Some(("go test".to_owned(), Class::Test, from(2))),
            "vet" => Some(("go vet".to_owned(), Class::Lint, from(2))),
            "build" => Some(("go build".to_owned(), Class::Build, from(2))),
            _ => None,
        },
        "make" | "just" | "task" | "rake" | "mvn" | "mvnw" | "gradle" | "gradlew" | "dotnet" | "deno" | "swift" | "mix" | "flutter"
        | "dart" | "turbo" | "nx" | "sbt" | "bazel" | "composer" | "lerna" => {
            let task = words.iter().skip(1).find(|w| !w.starts_with('-') && !w.contains('='))?;
            let bare = task.rsplit(':').next().unwrap_or(task);
            class_of(bare).map(|c| (format!("{name} {bare}"), c, from(1)))
        }
        "node" if second == "--test" => Some(("node --test".to_owned(), Class::Test, from(2))),
        "playwright" | "cypress" if matches!(second, "test" | "run") => Some((name.to_owned(), Class::Test, from(2))),
        "prettier" | "black" | "isort"
            if words.iter().any(|w| matches!(w.as_str(), "--check" | "-c" | "--list-different" | "-l" | "--check-only")) =>
        {
            Some((name.to_owned(), Class::Lint, from(1)))
        }
        "bash" | "sh" | "zsh" | "python" | "python3" | "node" => {
            let script = words.iter().skip(1).find(|w| !w.starts_with('-'))?;
            (subject(script) == Subject::CheckScript).then(|| (base_name(script).to_owned(), Class::Test, from(2)))
        }
        _ => (first.contains('/') && subject(first) == Subject::CheckScript).then(|| (name.to_owned(), Class::Test, from(1))),
    }
}

/// Flags that leave something out, where their value is the next word.
const WITH_VALUE: &[&str] = &[
    "--deselect",
    "--ignore",
    "--ignore-glob",
    "--testPathIgnorePatterns",
    "--test-path-ignore-patterns",
    "--exclude",
    "--skip",
    "-skip",
    "--exclude-task",
    "--exclude-group",
    "--exclude-testsuite",
    "--extend-ignore",
    "--disable",
    "--ignore-pattern",
    "--extend-exclude",
    "-A",
    "--exclude-regex",
    "--exclude-tag",
    "--filter-tags",
];

/// The flags that leave something out, and the targets.
fn arguments(tool: &str, words: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut narrowing, mut targets) = (Vec::new(), Vec::new());
    let mut i = 0;
    while let Some(word) = words.get(i).map(String::as_str) {
        i += 1;
        let (flag, own) = word.split_once('=').map_or((word, None), |(f, v)| (f, Some(v)));
        let next = words.get(i).map(String::as_str);
        let value = own.or(next.filter(|n| !n.starts_with('-'))).unwrap_or("");
        let takes_next = own.is_none() && !value.is_empty();
        let negative = |v: &str| {
            v.starts_with("not ")
                || v.contains(" not ")
                || v.starts_with('~')
                || v.starts_with('!')
                || v.contains("!=")
                || v.contains("not test(")
        };
        let hit = match flag {
            _ if WITH_VALUE.contains(&flag) => !(tool == "pytest" && flag == "--disable"),
            "-k" | "-m" | "-E" | "--filter" | "--filter-expr" | "--tag" | "--tags" | "-t" | "--testNamePattern" | "--grep" | "-g" => {
                negative(value) || value.contains("(?!")
            }
            "-x" if tool.starts_with("gradle") => true,
            "-DskipTests"
            | "-Dmaven.test.skip"
            | "-Dmaven.test.failure.ignore"
            | "--skipLibCheck"
            | "--noCheck"
            | "--ignore-missing-imports" => value != "false",
            "-LE" => tool == "ctest",
            "--invert" => tool == "mocha",
            "-Dtest" => value.starts_with('!'),
            _ => false,
        } || flag == "-E" && tool == "ctest";
        if hit {
            narrowing.push(format!("{flag} {value}").trim().to_owned());
        }
        if word.starts_with('-') {
            // A flag that is known to take a value takes the next word with it.
            let known = WITH_VALUE.contains(&flag)
                || matches!(
                    flag,
                    "-k" | "-m"
                        | "-E"
                        | "-t"
                        | "-g"
                        | "--grep"
                        | "--tag"
                        | "--filter"
                        | "-c"
                        | "--config"
                        | "-p"
                        | "--project"
                        | "-n"
                        | "--testNamePattern"
                        | "--reporter"
                        | "--timeout"
                        | "-run"
                        | "--package"
                        | "--features"
                        | "-x"
                        | "-o"
                        | "--cov"
                        | "--tb"
                        | "--maxfail"
                        | "-count"
                        | "--rcfile"
                        | "--ext"
                        | "--max-warnings"
                );
            if known && takes_next {
                i += 1;
            }
        } else {
            targets.push(word.trim_end_matches('/').to_owned());
        }
    }
    (narrowing, targets)
}
