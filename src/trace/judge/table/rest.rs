//! Runners of everything else: proofs, infrastructure, shells, data languages, build systems of their own.

use super::super::CheckKind::{Build, Format, Lint, Test, Types};
use super::super::args::{NONE, Style};
use super::super::scope::Words::{Files, Ignore, Labels, Names, Paths, Sources};
use super::styles::{BAZEL, COMPILER, FEW, MIX, PERL, PLAIN, RUBY_PHP};
use super::{Lang, Program, Row, program, row};

const BAZEL_ROWS: &[Row] =
    &[row("test", Test, "bazel test", Labels), row("coverage", Test, "bazel test", Labels), row("build", Build, "bazel build", Labels)];
const SHELLCHECK: &[Row] = &[row("", Lint, "shellcheck", Files)];

pub(super) const PROGRAMS: &[Program] = &[
    program("R", Lang::Other, &PLAIN, &[row("CMD check", Test, "R CMD check", Paths), row("CMD build", Build, "R CMD build", Paths)]),
    program("actionlint", Lang::Other, &PLAIN, &[row("", Lint, "actionlint", Paths)]),
    program("agda", Lang::Proof, &PLAIN, &[row("", Build, "agda", Sources)]),
    program("anchor", Lang::Other, &PLAIN, &[row("test", Test, "anchor test", Ignore), row("build", Build, "anchor build", Ignore)]),
    program("bats", Lang::Shell, &RUBY_PHP, &[row("", Test, "bats", Paths)]),
    program("bazel", Lang::Any, &BAZEL, BAZEL_ROWS),
    program("bazelisk", Lang::Any, &BAZEL, BAZEL_ROWS),
    program("buck", Lang::Any, &BAZEL, BAZEL_ROWS),
    program("buck2", Lang::Any, &BAZEL, BAZEL_ROWS),
    program("buf", Lang::Other, &PLAIN, &[row("lint", Lint, "buf lint", Paths), row("build", Build, "buf build", Paths)]),
    program("codespell", Lang::Other, &PLAIN, &[row("", Lint, "codespell", Paths)]),
    program("coqc", Lang::Proof, &PLAIN, &[row("", Build, "coqc", Sources)]),
    program("crystal", Lang::Other, &FEW, &[row("spec", Test, "crystal spec", Paths), row("build", Build, "crystal build", Paths)]),
    program("dafny", Lang::Proof, &PLAIN, &[row("verify", Build, "dafny", Paths), row("build", Build, "dafny", Paths)]),
    program("dbt", Lang::Other, &DBT, &[row("test", Test, "dbt test", Ignore), row("build", Build, "dbt build", Ignore)]),
    program("elm", Lang::Other, &PLAIN, &[row("make", Build, "elm make", Paths)]),
    program("elm-test", Lang::Other, &PLAIN, &[row("", Test, "elm-test", Paths)]),
    program("forge", Lang::Other, &FEW, &[row("test", Test, "forge test", Ignore), row("build", Build, "forge build", Ignore)]),
    program(
        "gleam",
        Lang::Beam,
        &FEW,
        &[row("test", Test, "gleam test", Ignore), row("build", Build, "gleam build", Ignore), row("check", Types, "gleam check", Ignore)],
    ),
    program("hadolint", Lang::Other, &PLAIN, &[row("", Lint, "hadolint", Paths)]),
    program("helm", Lang::Other, &PLAIN, &[row("lint", Lint, "helm lint", Paths)]),
    program("html-validate", Lang::Other, &PLAIN, &[row("", Lint, "html-validate", Paths)]),
    program("htmlhint", Lang::Other, &PLAIN, &[row("", Lint, "htmlhint", Paths)]),
    program("isabelle", Lang::Proof, &NONE, &[row("build", Build, "isabelle", Ignore)]),
    program("kubeconform", Lang::Other, &PLAIN, &[row("", Lint, "kubeconform", Paths)]),
    program(
        "lake",
        Lang::Proof,
        &FEW,
        &[row("build", Build, "lake build", Names), row("test", Test, "lake test", Ignore), row("lint", Lint, "lake lint", Ignore)],
    ),
    program("lean", Lang::Proof, &COMPILER, &[row("", Build, "lean", Sources)]),
    program(
        "mix",
        Lang::Beam,
        &MIX,
        &[
            row("test", Test, "mix test", Paths),
            row("compile", Build, "mix compile", Ignore),
            row("format", Format, "mix format", Paths).needs(&["--check-formatted"]),
            row("credo", Lint, "mix credo", Paths),
            row("dialyzer", Types, "mix dialyzer", Ignore),
        ],
    ),
    program("nim", Lang::Other, &COMPILER, &[row("c", Build, "nim c", Sources), row("check", Build, "nim c", Sources)]),
    program("nimble", Lang::Other, &COMPILER, &[row("test", Test, "nimble test", Ignore), row("build", Build, "nimble build", Ignore)]),
    program("nix", Lang::Any, &PLAIN, &[row("flake check", Test, "nix flake check", Paths), row("build", Build, "nix build", Names)]),
    program(
        "odin",
        Lang::Other,
        &PLAIN,
        &[row("test", Test, "odin test", Paths), row("build", Build, "odin build", Paths), row("check", Types, "odin check", Paths)],
    ),
    program(
        "pants",
        Lang::Any,
        &BAZEL,
        &[row("test", Test, "pants test", Labels), row("lint", Lint, "pants lint", Labels), row("check", Types, "pants check", Labels)],
    ),
    program("prove", Lang::Other, &PERL, &[row("", Test, "prove", Paths)]),
    program(
        "rebar3",
        Lang::Beam,
        &MIX,
        &[
            row("eunit", Test, "rebar3 test", Ignore),
            row("ct", Test, "rebar3 test", Ignore),
            row("compile", Build, "rebar3 compile", Ignore),
        ],
    ),
    program("shellcheck", Lang::Shell, &PLAIN, SHELLCHECK),
    program("shfmt", Lang::Shell, &PLAIN, &[row("", Format, "shfmt", Paths).needs(&["-d", "--diff", "-l", "--list"]).unless(&["-w"])]),
    program("stylua", Lang::Other, &PLAIN, &[row("", Format, "stylua", Paths).needs(&["--check"])]),
    program(
        "taplo",
        Lang::Other,
        &PLAIN,
        &[
            row("check", Lint, "taplo", Paths),
            row("lint", Lint, "taplo", Paths),
            row("fmt", Format, "taplo fmt", Paths).needs(&["--check"]),
        ],
    ),
    program(
        "terraform",
        Lang::Other,
        &TERRAFORM,
        &[
            row("validate", Lint, "terraform validate", Ignore),
            row("test", Test, "terraform test", Ignore),
            row("fmt", Format, "terraform fmt", Paths).needs(&["-check", "--check"]),
        ],
    ),
    program("tflint", Lang::Other, &PLAIN, &[row("", Lint, "tflint", Paths)]),
    program(
        "tofu",
        Lang::Other,
        &TERRAFORM,
        &[
            row("validate", Lint, "terraform validate", Ignore),
            row("test", Test, "terraform test", Ignore),
            row("fmt", Format, "terraform fmt", Paths).needs(&["-check", "--check"]),
        ],
    ),
    program("vale", Lang::Other, &PLAIN, &[row("", Lint, "vale", Paths)]),
];

const TERRAFORM: Style = Style { dir: &["-chdir"], select: &["-filter"], value: &["-var", "-var-file"], long: true, ..NONE };
const DBT: Style = Style {
    select: &["-s|--select|-m|--models", "--exclude"],
    dir: &["--project-dir"],
    value: &["--profiles-dir", "--target|-t", "--vars", "--threads"],
    ..NONE
};
