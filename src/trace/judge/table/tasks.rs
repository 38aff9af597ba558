//! Programs that run targets by name: what a target is called tells what it judges.

use super::super::CheckKind::{self, Build, Lint, Test};
use super::super::args::{NONE, Style};
use super::Lang;
use super::styles::{GENERIC, PYTHON_TEST};

/// One such program.
#[derive(Debug)]
pub(in crate::trace::judge) struct Tasks {
    pub(in crate::trace::judge) name: &'static str,
    /// The name under which its results are compared.
    pub(in crate::trace::judge) runner: &'static str,
    pub(in crate::trace::judge) lang: Lang,
    pub(in crate::trace::judge) style: &'static Style,
    /// Words that may stand before the target.
    pub(in crate::trace::judge) verbs: &'static [&'static str],
    /// One of the verbs has to be there.
    pub(in crate::trace::judge) must: bool,
    /// A task runs in the project's root, wherever it is called from.
    pub(in crate::trace::judge) rooted: bool,
    /// Every word is a target; else the first is, and the others are its arguments.
    pub(in crate::trace::judge) many: bool,
    /// What it does when no target is named.
    pub(in crate::trace::judge) default: Option<CheckKind>,
    /// What a target is whose name says nothing.
    pub(in crate::trace::judge) unknown: Option<CheckKind>,
    /// What `check` and `verify` are to it.
    pub(in crate::trace::judge) weak: CheckKind,
    /// Targets that are called otherwise.
    pub(in crate::trace::judge) also: &'static [(&'static str, CheckKind)],
}

/// The target's own name must not be taken for a flag's value.
const TARGET: Style = Style { loose: Some(1), ..GENERIC };
const VERB_TARGET: Style = Style { loose: Some(2), ..GENERIC };

const PLAIN: Tasks = Tasks {
    name: "",
    runner: "",
    lang: Lang::Any,
    style: &TARGET,
    verbs: &[],
    must: false,
    rooted: false,
    many: false,
    default: None,
    unknown: None,
    weak: Test,
    also: &[],
};

const MAKE_STYLE: Style = Style {
    dir: &["-C|--directory"],
    value: &["-f|--file|--makefile", "-l|--load-average", "-o|--old-file", "-W|--what-if", "-I|--include-dir"],
    off: &["-n|--dry-run|--just-print|--recon", "-p|--print-data-base", "-q|--question", "-v", "-t|--touch"],
    ..NONE
};
const MAKE: Tasks =
    Tasks { name: "make", runner: "make", style: &MAKE_STYLE, many: true, default: Some(Build), also: &[("all", Build)], ..PLAIN };

const NINJA_STYLE: Style = Style { dir: &["-C"], value: &["-f", "-j", "-k", "-l", "-d", "-w"], off: &["-n", "-t"], ..NONE };

const CMAKE_STYLE: Style = Style {
    dir: &["--build"],
    target: &["-t|--target"],
    value: &["-j|--parallel", "--config", "--preset", "-S", "-B", "-G", "-D", "-P", "-E"],
    ..NONE
};

const MAVEN_STYLE: Style = Style {
    select: &["-Dtest", "-Dit.test", "-Dgroups", "-pl|--projects"],
    dir: &["-f|--file"],
    value: &["-P|--activate-profiles", "-s|--settings", "-T|--threads", "-l|--log-file", "-rf|--resume-from"],
    build_only: &["-DskipTests", "-Dmaven.test.skip"],
    long: true,
    ..NONE
};
const MAVEN: Tasks = Tasks {
    name: "mvn",
    runner: "maven",
    lang: Lang::Jvm,
    style: &MAVEN_STYLE,
    many: true,
    also: &[("package", Build), ("install", Build), ("test-compile", Build), ("process-classes", Build)],
    ..PLAIN
};

const GRADLE_STYLE: Style = Style {
    select: &["--tests"],
    dir: &["-p|--project-dir"],
    value: &[
        "-x|--exclude-task",
        "-b|--build-file",
        "-c|--settings-file",
        "-g|--gradle-user-home",
        "--max-workers",
        "--console",
        "-I|--init-script",
        "--warning-mode",
    ],
    off: &["-m|--dry-run"],
    long: true,
    ..NONE
};
const GRADLE: Tasks = Tasks {
    name: "gradle",
    runner: "gradle",
    lang: Lang::Jvm,
    style: &GRADLE_STYLE,
    many: true,
    also: &[("classes", Build), ("testClasses", Build)],
    ..PLAIN
};

const TOX_STYLE: Style = Style {
    target: &["-e|--env", "-s|--session|--sessions", "-m"],
    value: &["-c|--conf", "-p|--parallel|--python", "-f|--noxfile", "--workdir", "-x", "-k", "-t"],
    off: &["-l|--list|--listenvs", "-a|--listenvs-all", "--showconfig", "--notest"],
    ..PYTHON_TEST
};
const TOX: Tasks = Tasks {
    name: "tox",
    runner: "tox",
    lang: Lang::Python,
    style: &TOX_STYLE,
    verbs: &["run", "r", "run-parallel", "p"],
    default: Some(Test),
    unknown: Some(Test),
    ..PLAIN
};

/// Tasks whose own flags are few; what the target gets is read as [`GENERIC`] does.
const INVOKE: Tasks = Tasks { name: "invoke", runner: "invoke", lang: Lang::Python, ..PLAIN };
const TASK: Tasks = Tasks { name: "task", runner: "task", many: true, ..PLAIN };
const MISE: Tasks =
    Tasks { name: "mise", runner: "mise", style: &VERB_TARGET, verbs: &["run", "r", "task", "tasks"], rooted: true, ..PLAIN };

const JUST_STYLE: Style = Style {
    dir: &["-d|--working-directory"],
    value: &["-f|--justfile"],
    off: &["-l|--list", "-n|--dry-run", "--show|-s", "--summary", "--evaluate", "--fmt"],
    ..TARGET
};
const NX_STYLE: Style = Style {
    target: &["-t|--target|--targets"],
    select: &["-p|--projects|--project"],
    value: &["--parallel", "-c|--configuration", "--base", "--head"],
    ..VERB_TARGET
};

/// All of them, found by their names.
pub(in crate::trace::judge) const TASKS: &[Tasks] = &[
    MAKE,
    Tasks { name: "gmake", ..MAKE },
    Tasks { name: "mingw32-make", ..MAKE },
    Tasks { name: "ninja", runner: "ninja", lang: Lang::C, style: &NINJA_STYLE, ..MAKE },
    Tasks { name: "cmake", runner: "cmake", lang: Lang::C, style: &CMAKE_STYLE, default: Some(Build), also: &[("all", Build)], ..PLAIN },
    Tasks { name: "scons", runner: "scons", lang: Lang::C, style: &MAKE_STYLE, many: true, default: Some(Build), ..PLAIN },
    Tasks { name: "ant", runner: "ant", lang: Lang::Jvm, style: &MAKE_STYLE, many: true, also: &[("jar", Build)], ..PLAIN },
    MAVEN,
    Tasks { name: "mvnw", ..MAVEN },
    Tasks { name: "mvnd", ..MAVEN },
    GRADLE,
    Tasks { name: "gradlew", ..GRADLE },
    Tasks { name: "sbt", runner: "sbt", lang: Lang::Jvm, many: true, also: &[("testOnly", Test), ("testQuick", Test)], ..PLAIN },
    Tasks { name: "lein", runner: "lein", lang: Lang::Jvm, ..PLAIN },
    Tasks { name: "just", runner: "just", style: &JUST_STYLE, ..PLAIN },
    TASK,
    Tasks { name: "go-task", ..TASK },
    MISE,
    Tasks { name: "mage", runner: "mage", lang: Lang::Go, many: true, ..PLAIN },
    Tasks { name: "rake", runner: "rake", lang: Lang::Ruby, many: true, ..PLAIN },
    Tasks { name: "rails", runner: "rails", lang: Lang::Ruby, ..PLAIN },
    Tasks { name: "artisan", runner: "artisan", lang: Lang::Php, ..PLAIN },
    Tasks {
        name: "composer",
        runner: "composer",
        lang: Lang::Php,
        style: &VERB_TARGET,
        verbs: &["run", "run-script"],
        weak: Lint,
        also: &[("validate", Lint)],
        ..PLAIN
    },
    TOX,
    Tasks { name: "nox", runner: "nox", many: true, verbs: &[], ..TOX },
    INVOKE,
    Tasks { name: "inv", ..INVOKE },
    Tasks { name: "poe", runner: "poe", lang: Lang::Python, ..PLAIN },
    Tasks { name: "pdm", runner: "pdm", lang: Lang::Python, style: &VERB_TARGET, verbs: &["run"], must: true, ..PLAIN },
    Tasks { name: "pixi", runner: "pixi", style: &VERB_TARGET, verbs: &["run", "r"], must: true, ..PLAIN },
    Tasks { name: "hatch", runner: "hatch", lang: Lang::Python, style: &VERB_TARGET, verbs: &["run"], must: true, ..PLAIN },
    Tasks { name: "deno", runner: "deno task", lang: Lang::Js, style: &VERB_TARGET, verbs: &["task"], must: true, weak: Lint, ..PLAIN },
    Tasks { name: "turbo", runner: "turbo", lang: Lang::Js, style: &VERB_TARGET, verbs: &["run"], many: true, weak: Lint, ..PLAIN },
    Tasks { name: "lerna", runner: "lerna", lang: Lang::Js, style: &VERB_TARGET, verbs: &["run"], must: true, weak: Lint, ..PLAIN },
    Tasks { name: "nx", runner: "nx", lang: Lang::Js, style: &NX_STYLE, verbs: &["run", "run-many", "affected"], weak: Lint, ..PLAIN },
    Tasks { name: "moon", runner: "moon", style: &VERB_TARGET, verbs: &["run", "r", "ci"], ..PLAIN },
    Tasks { name: "earthly", runner: "earthly", many: true, ..PLAIN },
    Tasks { name: "cargo-make", runner: "cargo make", lang: Lang::Rust, ..PLAIN },
    Tasks { name: "cargo-xtask", runner: "cargo xtask", lang: Lang::Rust, ..PLAIN },
];
