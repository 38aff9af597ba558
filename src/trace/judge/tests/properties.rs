//! What holds for any text.

use std::fmt::Write as _;
use std::time::Instant;

use proptest::prelude::*;

use crate::trace::judge::dir::Dir;
use crate::trace::judge::walk::{Shell, Walk};
use crate::trace::judge::{CheckKind, OwnJudge, covers, hint, judges, judges_at, table};

fn own() -> Vec<OwnJudge> {
    vec![OwnJudge { pattern: "acme verify".into(), kind: CheckKind::Test }]
}

/// Pieces out of which broken command lines are made.
const PIECES: &[&str] = &[
    "pytest",
    "npm",
    "test",
    "cargo",
    "run",
    "make",
    "cd",
    "web",
    "bash",
    "-c",
    "-lc",
    "'",
    "\"",
    "`",
    "$(",
    "${",
    "$((",
    ")",
    "(",
    "{",
    "}",
    "<<EOF",
    "<<-'E F'",
    "<<<",
    "\n",
    "EOF",
    ";",
    "&",
    "&&",
    "|",
    "||",
    ">",
    "2>&1",
    "\\",
    "\\\n",
    "#",
    "if",
    "then",
    "fi",
    "for",
    "in",
    "do",
    "done",
    "case",
    "esac",
    "!",
    "-k",
    "--",
    "=",
    "A=b",
    "$?",
    "exit",
    "é",
    "\u{1f600}",
    "\u{0}",
    "\r",
    "..",
    "/",
    "//",
    ".",
    "-",
    "--test",
    "~",
    "'x y'",
    "py",
    "g++",
    "c++",
    "R",
    "CMD",
    "check",
    "php",
    "-l",
    "-n",
    "node",
    "julia",
    "-e",
    "Pkg.test()",
    "t",
    "xargs",
    "find",
    "-exec",
    "docker",
    "exec",
    "set",
    "-e",
    "pipefail",
    "-o",
    "uv",
    "python",
    "-m",
    "[",
    "]",
    "time",
    "timeout",
    "sudo",
    "gcc",
    "a.c",
];

proptest! {
    #[test]
    fn any_text(text in ".{0,400}", workspace in ".{0,20}", cwd in ".{0,20}") {
        let _ = judges_at(&text, &own(), &workspace, &cwd);
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = judges(&String::from_utf8_lossy(&bytes), &own());
    }

    #[test]
    fn any_pieces(picks in proptest::collection::vec((0..PIECES.len(), any::<bool>()), 0..60)) {
        let mut text = String::new();
        for (at, blank) in picks {
            text.push_str(PIECES[at]);
            if blank {
                text.push(' ');
            }
        }
        let own = own();
        let mut walk = Walk::new(&own);
        walk.text(&text, &mut Shell::new(Dir::start("", "")), false);
        let found = walk.finish();
        for one in &found {
            prop_assert!(covers(one, one), "{one:?}");
        }
        // The quick look never passes over a judge.
        prop_assert!(found.is_empty() || hint::may_judge(&text, &own));
    }

    #[test]
    fn spelling_does_not_matter(blanks in " {1,3}", quiet in "(-q |-v |--tb=short )?", dot in "(\\./)?") {
        let plain = judges("cd web && pytest tests/unit/test_a.py -k login", &[]);
        let other = judges(&format!("cd{blanks}{dot}web/{blanks}&&{blanks}pytest {quiet}-klogin {dot}tests/unit/test_a.py"), &[]);
        prop_assert_eq!(plain, other);
    }

    #[test]
    fn a_covered_scope_is_covered_by_what_covers_its_cover(a in 0usize..6, b in 0usize..6, c in 0usize..6) {
        let all: Vec<_> = ["pytest", "pytest tests/a", "pytest tests/a/b", "pytest tests/a/b/test_c.py", "pytest -k x", "pytest tests/a -k x"]
            .iter()
            .flat_map(|command| judges(command, &[]))
            .collect();
        if covers(&all[a], &all[b]) && covers(&all[b], &all[c]) {
            prop_assert!(covers(&all[a], &all[c]));
        }
    }
}

#[test]
fn every_known_program_passes_the_quick_look() {
    for program in table::programs().filter(|program| program.name != "R") {
        assert!(hint::may_judge(program.name, &[]), "{}", program.name);
    }
    for tasks in table::TASKS {
        assert!(hint::may_judge(tasks.name, &[]), "{}", tasks.name);
    }
    assert!(hint::may_judge("R CMD check", &[]));
    assert!(hint::may_judge("./runTests", &[]));
    assert!(!hint::may_judge("ls -la && git status", &[]));
    assert!(!hint::may_judge("cat latest.txt | grep -c contest", &[]));
}

#[test]
fn tables_are_sorted() {
    for program in table::programs() {
        assert_eq!(table::find(program.name).map(|found| found.name), Some(program.name));
    }
}

/// Nothing here is anywhere near the bound unless some step looks at the whole text again and again.
#[test]
fn long_texts_take_linear_time() {
    let mut names = String::new();
    for number in 0..5_000 {
        let _ = write!(names, "tests/test_{number}.py ");
    }
    let texts = [
        format!("pytest {names}"),
        format!("tox {} {names}", "-e lint ".repeat(5_000)),
        format!("sbt {} -- {names}", "test ".repeat(5_000)),
        "pytest && ".repeat(10_000),
        "cd web; ".repeat(10_000) + "pytest",
        "rc=$?; ".repeat(10_000) + "pytest; exit $rc",
        "pytest | ".repeat(10_000),
        "(".repeat(80_000) + "pytest",
        "$(".repeat(40_000) + "pytest",
        "\"$(".repeat(25_000) + "pytest",
        "`pytest` ".repeat(8_000),
        "time ".repeat(15_000) + "pytest",
        "bash -c '".repeat(8_000) + "pytest",
        "cat <<A\npytest\n".repeat(5_000),
        "if pytest; then ".repeat(5_000),
        "a() { pytest; }; ".repeat(5_000),
        "pytest -".to_owned() + &"k".repeat(80_000),
        "make ".to_owned() + &"test A=b ".repeat(5_000),
        "{ pytest & } ".repeat(5_000),
        "'pytest\\".repeat(8_000),
    ];
    for text in texts {
        let start = Instant::now();
        let _ = judges(&text, &own());
        let took = start.elapsed();
        // No measurement: what grows with the square of such a text would take many minutes on any machine.
        assert!(took.as_secs() < 120, "{took:?} for {}…", text.chars().take(30).collect::<String>());
    }
}
