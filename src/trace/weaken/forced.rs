//! Programs that report success whatever happened.

use std::collections::HashSet;

use super::lang::Lang;
use super::mask::Text;
use super::util::{evidence, has_any};
use super::{Weakening, WeakeningKind};

/// Calls that end the process as a success.
const EXITS: &[&str] = &[
    "sys.exit(0)",
    "sys.exit()",
    "os._exit(0)",
    "quit(0)",
    "process.exit(0)",
    "process.exit()",
    "Deno.exit(0)",
    "process::exit(0)",
    "os.Exit(0)",
    "System.exit(0)",
    "exitProcess(0)",
    "Environment.Exit(0)",
    "exit!(0)",
];
/// Calls that end it as a failure, or as whatever a value says.
const FAILING_EXITS: &[&str] = &[
    "exit(1",
    "exit(2",
    "Exit(1",
    "exit(-1",
    "exit(main",
    "exit(pytest",
    "exit(not",
    "exit(code",
    "exit(failed",
    "exit(fail",
    "exit(len",
    "exit(int(",
    "exit(status",
    "exit(rc",
    "exit(result",
    "exitCode =",
    "exit(min",
];
/// What rewrites a runner's results or switches its assertions off.
const TAMPERING: &[&str] = &[
    ".outcome = \"passed\"",
    ".outcome = 'passed'",
    "outcome=\"passed\"",
    "exitstatus = 0",
    "exitstatus=0",
    "TestCase.assertEqual =",
    "TestCase.assertTrue =",
    "TestCase.fail =",
    "TestCase.run =",
    "global.expect =",
    "globalThis.expect =",
    "globalThis.assert =",
    "assert.equal =",
    "assert.strictEqual =",
    "assert.deepEqual =",
    "assert.deepStrictEqual =",
    "process.exitCode = 0",
    "TestResult.addFailure =",
    "TestResult.addError =",
    "TestResult.wasSuccessful =",
    "_pytest.assertion",
    "builtins.AssertionError =",
    "sys.excepthook =",
    "pytest.main =",
    "force_result(",
];

/// What a write adds to a test or to a runner's own code. `known` are the lines of the old side.
pub(super) fn in_code(new: &Text<'_>, known: &HashSet<&str>, old: Option<&str>) -> Vec<Weakening> {
    let mut found = Vec::new();
    let report = |line: usize| Weakening { kind: WeakeningKind::ForcedGreen, line: evidence(new.raw(line)), tests: Vec::new() };
    // A script that can also fail ends well only where it may.
    let fails = has_any(new.raw, FAILING_EXITS)
        && !old.is_some_and(|o| FAILING_EXITS.iter().any(|f| o.matches(f).count() > new.raw.matches(f).count()));
    for line in 0..new.lines.len() {
        let (code, bare) = (new.code(line), new.bare(line));
        if new.idle(line) || known.contains(code.trim()) {
            continue;
        }
        let exits = has_any(bare, EXITS) || matches!(bare.trim(), "exit(0)" | "exit(0);" | "exit 0");
        if has_any(code, TAMPERING) && !code.contains("==") || exits && (!fails || bare.contains("os._exit(0)")) {
            found.push(report(line));
        }
    }
    found
}

/// Objects that are equal to everything: any comparison with one of them passes.
pub(super) fn equal_to_all(new: &Text<'_>, known: &HashSet<&str>) -> Vec<Weakening> {
    let mut found = Vec::new();
    if !matches!(new.lang, Lang::Python | Lang::Ruby) || !has_any(new.raw, &["__eq__", "def =="]) {
        return found;
    }
    for line in 0..new.lines.len() {
        let bare = new.bare(line).trim();
        if new.idle(line) || !(bare.starts_with("def __eq__(") || bare.starts_with("def ==(")) {
            continue;
        }
        let own = bare.rsplit_once(':').map_or("", |(_, body)| body.trim());
        let next =
            (line + 1..new.lines.len().min(line + 12)).find(|l| !new.idle(*l) && !new.code(*l).trim_start().starts_with(['"', '\'']));
        let body = if own.is_empty() { next.map_or("", |l| new.code(l).trim()) } else { own };
        let body_is_new = next.is_none_or(|l| !known.contains(new.code(l).trim())) || !known.contains(new.code(line).trim());
        if matches!(body, "return True" | "true" | "return true") && body_is_new {
            found.push(Weakening {
                kind: WeakeningKind::ForcedGreen,
                line: evidence(&format!("{bare} {}", if own.is_empty() { body } else { "" })),
                tests: Vec::new(),
            });
        }
    }
    found
}

/// The lines of a text without layout and comments.
pub(super) fn code_lines<'t>(text: &'t Text<'_>) -> HashSet<&'t str> {
    (0..text.lines.len()).map(|l| text.code(l).trim()).collect()
}

/// What hooks of pytest do to the collected tests.
pub(super) fn in_conftest(new: &Text<'_>, known: &HashSet<&str>) -> Vec<Weakening> {
    let mut found = Vec::new();
    // Marks by option or keyword are how slow tests are left out on purpose, and say so.
    let by_keyword = has_any(new.raw, &["item.keywords", "get_closest_marker", "getoption", "getvalue("]);
    for line in 0..new.lines.len() {
        if new.idle(line) || known.contains(new.code(line).trim()) {
            continue;
        }
        let bare = new.bare(line);
        let marks = bare.contains("add_marker(") && has_any(bare, &["skip", "xfail"]);
        let empties = has_any(bare, &["items.clear()", "items[:] = []", "items[:]=[]", "del items[", "items.remove("])
            || bare.trim().starts_with("items[:] =");
        let kind = if marks { WeakeningKind::Skipped } else { WeakeningKind::Narrowed };
        if (marks || empties) && !by_keyword {
            found.push(Weakening { kind, line: evidence(new.raw(line)), tests: Vec::new() });
        }
    }
    found
}
