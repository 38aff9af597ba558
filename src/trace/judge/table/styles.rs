//! How the runners read their arguments.

use crate::trace::judge::args::{NONE, Style};

/// A runner behind a script whose arguments are passed on to it.
pub(in crate::trace::judge) const GENERIC: Style = Style {
    select: &[
        "-k",
        "-m",
        "-t|--testNamePattern",
        "-g|--grep",
        "-run|--run",
        "-w|--workspace",
        "--filter|-F",
        "-p|--package",
        "--test",
        "--tests",
        "--project",
        "--only",
        "--suite",
        "--testsuite",
        "--group",
        "--example|-e",
        "--tags|--tag",
        "-R",
    ],
    path: &["--testPathPattern|--testPathPatterns", "--spec"],
    dir: &["-C|--directory|--dir|--cwd|--prefix"],
    value: &[
        "-n",
        "-j|--jobs",
        "--timeout|-timeout",
        "-count",
        "--reporter",
        "--reporters",
        "--maxfail",
        "--tb",
        "-c|--config",
        "--max-warnings",
        "-o|--output",
        "--port",
        "--host",
        "--format",
        "--color",
        "--mode",
        "--env",
        "--workers",
        "--maxWorkers",
        "--max-workers",
    ],
    off: &["--list", "--collect-only", "--listTests", "--dry-run"],
    plain: &["-ws"],
    long: true,
    loose: Some(0),
    ..NONE
};

/// Programs that take a configuration, an output format and files.
pub(super) const PLAIN: Style = Style {
    value: &["-c|--config", "-f|--format", "-o|--output", "-j|--jobs", "--ignore", "--exclude", "--severity|-S", "--shell|-s", "--threads"],
    ..NONE
};

pub(super) const PYTHON_TEST: Style = Style {
    select: &["-k", "-m", "--deselect", "--ignore", "--ignore-glob"],
    switch: &["--lf|--last-failed", "--sw|--stepwise"],
    value: &[
        "-p",
        "-c|--config-file",
        "-o|--override-ini",
        "-n|--numprocesses",
        "-W|--pythonwarnings",
        "-r",
        "--tb",
        "--maxfail",
        "--durations",
        "--durations-min",
        "--junitxml|--junit-xml",
        "--timeout",
        "--cov",
        "--cov-report",
        "--cov-config",
        "--cov-fail-under",
        "--color",
        "--capture",
        "--rootdir",
        "--confcutdir",
        "--basetemp",
        "--import-mode",
        "--log-level",
        "--log-cli-level",
        "--log-file",
        "--reruns",
        "--reruns-delay",
        "--dist",
        "--ds",
        "--html",
        "--asyncio-mode",
        "--verbosity",
        "--show-capture",
        "--maxprocesses",
        "--report-log",
        "--randomly-seed",
    ],
    off: &["--collect-only|--co", "--fixtures", "--markers", "--cache-show", "--setup-plan", "-V"],
    roots: &["tests", "test"],
    ..NONE
};

pub(super) const UNITTEST: Style = Style {
    select: &["-k", "-p|--pattern", "--tag", "--exclude-tag"],
    path: &["-s|--start-directory"],
    value: &["-t|--top-level-directory", "--settings", "--pythonpath", "-v|--verbosity", "--parallel", "--testrunner", "--database"],
    roots: &["tests", "test"],
    ..NONE
};

/// `unittest -v` is a switch; Django's `-v 2` takes a number, which is dropped anyway.
pub(super) const BARE_UNITTEST: Style = Style { value: &["-t|--top-level-directory"], ..UNITTEST };

pub(super) const PYTHON_LINT: Style = Style {
    select: &["--select", "--enable", "-p|--package", "--only"],
    switch: &["-E|--errors-only"],
    value: &[
        "--config|--config-file|-c",
        "--rcfile",
        "--max-line-length",
        "--ignore",
        "--extend-ignore",
        "--extend-select",
        "--exclude",
        "-j|--jobs",
        "--output-format|-f|--format",
        "--disable|-d",
        "--fail-under",
        "--python-version|--pythonversion",
        "--pythonpath",
        "--cache-dir",
        "--follow-imports",
        "--platform",
        "--python-executable",
        "--target-version",
        "--line-length|-l",
        "--load-plugins",
        "--settings-path|--sp",
        "--profile",
        "--level",
    ],
    off: &["-V", "--show-settings", "--show-files", "--list-msgs", "--generate-rcfile"],
    ..NONE
};

/// isort's `-c` only checks; elsewhere it names a configuration.
pub(super) const ISORT: Style = Style {
    value: &[
        "--settings-path|--sp|--settings-file",
        "--profile",
        "-l|--line-length",
        "-s|--skip",
        "--skip-glob|--sg",
        "-p|--project",
        "--src",
        "-j|--jobs",
    ],
    ..NONE
};

/// mypy's `-m` names a module, and black's `-l` a length.
pub(super) const MYPY: Style = Style { select: &["-p|--package", "-m|--module"], switch: &[], ..PYTHON_LINT };

pub(in crate::trace::judge) const JS_TEST: Style = Style {
    select: &[
        "-t|--testNamePattern",
        "-g|--grep",
        "--fgrep",
        "--grep-invert",
        "--project",
        "--selectProjects",
        "--shard",
        "--changedSince",
        "-m|--match",
        "--tags",
        "-w|--workspace",
        "--filter|-F",
    ],
    switch: &["--onlyChanged|-o", "--onlyFailures|-f", "--last-failed", "--changed", "--findRelatedTests", "--lastCommit"],
    path: &["--testPathPattern|--testPathPatterns", "--spec"],
    value: &[
        "-c|--config",
        "--reporter|--reporters",
        "--maxWorkers|--max-workers",
        "--workers|-j",
        "--timeout|--testTimeout",
        "--retries",
        "--coverageDirectory",
        "--coverageReporters",
        "--rootDir|--root",
        "--env|--environment",
        "--browser|-b",
        "--setupFiles",
        "-r|--require",
        "--pool",
        "--outputFile",
        "--max-failures",
        "--repeat-each",
        "--bail",
        "--seed",
        "--extension|--ext",
        "--import",
        "--loader",
        "--tsconfig",
        "--preload",
        "--testEnvironment",
        "--timezone",
        "--port",
        "--host",
        "--mode",
        "--tsconfig-raw",
        "--maxConcurrency",
        "--trace",
        "--ui-port",
    ],
    plain: &["-ws"],
    off: &["--listTests", "--showConfig", "--clearCache", "--init", "--list", "--dry-run"],
    ..NONE
};

pub(super) const JS_LINT: Style = Style {
    select: &["--rule", "--only", "--skip"],
    switch: &["--changed", "--staged"],
    value: &[
        "-c|--config",
        "--ext",
        "--format|-f",
        "--max-warnings",
        "--ignore-path",
        "--ignore-pattern",
        "--cache-location",
        "--cache-strategy",
        "--parser",
        "--plugin",
        "--output-file|-o",
        "--resolve-plugins-relative-to",
        "--rulesdir",
        "--parser-options",
        "--config-path",
        "--diagnostic-level",
        "--log-level|--loglevel|--logLevel",
        "--reporter",
        "--max-diagnostics",
        "--files-max-size",
        "--threshold",
        "--tsconfig|--workspace",
        "--output",
        "--fail-on-warnings",
    ],
    off: &["--print-config", "--init", "--env-info", "--inspect-config", "--showConfig"],
    ..NONE
};

/// Prettier's `-c` only checks.
pub(super) const PRETTIER: Style = Style {
    value: &[
        "--config",
        "--ignore-path",
        "--parser",
        "--plugin",
        "--log-level|--loglevel",
        "--cache-location",
        "--cache-strategy",
        "--stdin-filepath",
    ],
    ..NONE
};

pub(super) const TSC: Style = Style {
    path: &["-p|--project"],
    value: &[
        "--target|-t",
        "--module|-m",
        "--moduleResolution",
        "--outDir",
        "--lib",
        "--jsx",
        "--rootDir",
        "--types",
        "--declarationDir",
        "--tsBuildInfoFile",
        "--baseUrl",
        "--outFile",
        "--typeRoots",
        "--mode",
    ],
    off: &["-v", "--init", "--showConfig", "--listFilesOnly", "--all"],
    ..NONE
};

pub(super) const CARGO: Style = Style {
    select: &[
        "-p|--package",
        "--test",
        "--bin",
        "--example",
        "--bench",
        "--exclude",
        "-E|--filter-expr|--filterset",
        "--skip",
        "--partition",
        "--run-ignored",
    ],
    switch: &["--lib", "--bins", "--doc", "--ignored"],
    dir: &["--manifest-path", "-C"],
    variant: &["--features|-F", "--target"],
    variant_switch: &["--no-default-features"],
    value: &[
        "-j|--jobs|--test-threads",
        "--color",
        "--message-format",
        "--profile",
        "--cargo-profile",
        "--target-dir",
        "-Z",
        "--config",
        "--retries",
        "--format",
        "-D",
        "-W",
        "-A",
        "-P",
        "--failure-output",
        "--success-output",
        "--status-level",
        "--out",
        "--output-path",
        "--edition",
        "--timeout",
    ],
    off: &["--list", "-V"],
    build_only: &["--no-run"],
    ..NONE
};

pub(super) const GO: Style = Style {
    select: &["-run", "-skip"],
    switch: &["-short"],
    dir: &["-C"],
    variant: &["-tags"],
    value: &[
        "-count",
        "-timeout",
        "-parallel",
        "-cpu",
        "-coverprofile",
        "-covermode",
        "-coverpkg",
        "-o",
        "-ldflags",
        "-gcflags",
        "-mod",
        "-p",
        "-bench",
        "-benchtime",
        "-cpuprofile",
        "-memprofile",
        "-exec",
        "-vet",
        "-shuffle",
        "-modfile",
        "-overlay",
        "-asmflags",
        "-fuzz",
        "-fuzztime",
        "-outputdir",
        "-trace",
        "-blockprofile",
        "-mutexprofile",
        "-pgo",
        "-checks",
        "-f",
        "--format",
        "--jsonfile",
        "--junitfile",
        "--rerun-fails",
    ],
    off: &["-list", "-n"],
    build_only: &["-c"],
    long: true,
    ..NONE
};

pub(super) const GOLANGCI: Style = Style {
    select: &["--enable-only", "--new-from-rev", "--new-from-patch"],
    switch: &["--new|-n", "--fast", "--fast-only"],
    variant: &["--build-tags"],
    value: &[
        "-E|--enable",
        "-D|--disable",
        "-c|--config",
        "--timeout",
        "--out-format",
        "--concurrency|-j",
        "--max-issues-per-linter",
        "--max-same-issues",
        "--go",
        "-e|--exclude",
        "--path-prefix",
        "--modules-download-mode",
        "--issues-exit-code",
        "--path-mode",
    ],
    ..NONE
};

pub(super) const COMPILER: Style = Style {
    value: &[
        "-o",
        "-include",
        "-imacros",
        "-MF",
        "-MT",
        "-MQ",
        "-T",
        "--out-dir",
        "--emit",
        "-d",
        "-I",
        "-L",
        "-isystem",
        "-Xlinker",
        "--dep-info",
    ],
    off: &["-E", "-M", "-MM", "-dM", "--print", "-dumpversion", "-dumpmachine", "--explain"],
    long: true,
    ..NONE
};

pub(super) const CTEST: Style = Style {
    select: &["-R|--tests-regex", "-L|--label-regex", "-E|--exclude-regex", "-LE", "-I|--tests-information"],
    switch: &["--rerun-failed"],
    dir: &["--test-dir"],
    value: &[
        "-j|--parallel",
        "-C|--build-config",
        "--timeout",
        "-S",
        "-D",
        "-T",
        "-M",
        "--output-junit",
        "-O",
        "--preset",
        "--repeat",
        "--stop-time",
    ],
    off: &["-N|--show-only", "--print-labels"],
    ..NONE
};

pub(super) const MESON: Style = Style {
    select: &["--suite", "--no-suite"],
    dir: &["-C"],
    value: &["-j|--jobs|--num-processes", "-t|--timeout-multiplier", "--setup", "--wrap|--wrapper", "--repeat", "--test-args"],
    off: &["--list"],
    ..NONE
};

pub(super) const DOTNET: Style = Style {
    select: &["--filter"],
    path: &["--project", "--solution"],
    value: &[
        "-c|--configuration",
        "-f|--framework",
        "-v|--verbosity",
        "--logger|-l",
        "-o|--output",
        "-r|--runtime|--results-directory",
        "--collect",
        "-s|--settings",
        "--os",
        "-a|--arch",
        "--blame-hang-timeout",
        "--severity",
        "--diagnostics",
    ],
    off: &["--list-tests|-t"],
    ..NONE
};

pub(super) const RUBY_PHP: Style = Style {
    select: &[
        "-e|--example",
        "-E",
        "-t|--tag",
        "-P|--pattern",
        "--filter",
        "--testsuite",
        "--group",
        "--exclude-group",
        "-n|--name",
        "--only",
    ],
    switch: &["--only-failures", "--next-failure"],
    value: &[
        "-f|--format",
        "-r|--require",
        "-o|--out",
        "-I",
        "--seed|-s",
        "-c|--configuration|--config",
        "--bootstrap",
        "--coverage-html",
        "--log-junit",
        "--order-by",
        "-d",
        "--standard",
        "--extensions",
        "--memory-limit",
        "-l|--level",
        "--error-format",
        "--ignore",
    ],
    off: &["--dry-run", "--init", "--list-tests", "--list-suites", "--list-groups"],
    roots: &["spec", "tests"],
    ..NONE
};

pub(super) const MIX: Style = Style {
    select: &["--only", "--exclude"],
    switch: &["--failed", "--stale"],
    value: &["--seed", "--max-failures", "--max-cases", "--timeout", "--slowest", "--formatter", "--include", "--partitions"],
    roots: &["test"],
    ..NONE
};

pub(super) const PERL: Style = Style {
    value: &["-I", "-j|--jobs", "-e|--exec", "-P", "-M", "--formatter", "-a|--archive", "--source"],
    off: &["-D|--dry", "-V"],
    ..NONE
};

/// Swift, Zig, Dart, Flutter, Haskell and others whose flags are few.
pub(super) const FEW: Style = Style {
    select: &[
        "--filter|-p|--name|-n|--plain-name",
        "--skip",
        "--test-arguments|--ta",
        "--test-filter|-Dtest-filter",
        "--match|-m",
        "--match-path",
        "--match-contract",
        "--match-test",
    ],
    dir: &["--package-path", "-chdir", "--root", "-C"],
    value: &[
        "-c|--configuration|--config",
        "-j|--jobs",
        "--coverage",
        "--reporter|-r",
        "--tags",
        "--target",
        "-Doptimize",
        "--flavor",
        "-d",
        "--build-path",
        "--log-level",
    ],
    off: &["--list-tests|-l"],
    ..NONE
};

pub(super) const BAZEL: Style = Style {
    select: &["--test_filter", "--test_tag_filters", "--tag"],
    value: &["-c|--compilation_mode", "--config", "--jobs|-j", "--test_output", "--verbose_failures"],
    off: &["--nobuild"],
    ..NONE
};

pub(super) const XCODE: Style = Style {
    select: &["-only-testing", "-skip-testing", "-testPlan"],
    variant: &["-scheme"],
    value: &[
        "-destination",
        "-project",
        "-workspace",
        "-configuration",
        "-sdk",
        "-derivedDataPath",
        "-resultBundlePath",
        "-arch",
        "-target",
    ],
    off: &["-list", "-showBuildSettings", "-showsdks", "-showdestinations"],
    long: true,
    ..NONE
};

pub(super) const PRE_COMMIT: Style =
    Style { path: &["--files"], value: &["--hook-stage", "--from-ref|-s", "--to-ref|-o", "-c|--config", "--color"], ..NONE };
