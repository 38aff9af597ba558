//! Whether a change to a test was asked for, by the words of the task.

use super::util::{base_name, has_any, words};
use super::{Subject, Weakening, WeakeningKind, subject};

/// Words that ask for a change of what they stand beside.
const CHANGE: &str = "\
    update updates updating updated adjust adjusting change changing changes rewrite rewriting edit editing modify modifying \
    refactor refactoring rename renaming move regenerate refresh align migrate migrating convert converting clean cleanup \
    replace replacing correct revise simplify split merge consolidate reorganize restructure port bless accept sync adapt \
    bring";
/// Words that ask for something to go.
const REMOVE: &str = "\
    remove removing delete deleting drop dropping prune rid trim strip discard consolidate merge dedupe deduplicate clean \
    cleanup obsolete retire";
/// Words that name tests in general.
const OBJECTS: &str = "\
    test tests testcase testcases snapshot snapshots fixture fixtures golden goldens expectation expectations assertion \
    assertions spec specs expected baseline baselines suite";
/// Words that demand a result of the tests, not a change of them.
const DEMAND: &str = "pass passes passing green succeed succeeds fail fails failing failed failure failures broken red";
/// Names that are in every program; a task that has one of them names nothing by it.
const COMMON: &str = "\
    assert assertequal assertequals asserttrue assertin assertthat expect expected toequal tobe tostrictequal tohavelength \
    tocontain self this result results response data value values return true false none null test tests pytest mark skip \
    skipif xfail reason import from const async await function class with raises length name status error output input item \
    items list dict string text json should raise when that have been called describe user users file files path code type \
    config message body content server client page count total exit allow ignore deleted unittest jest";

/// See [`super::asked_for`].
pub(super) fn asked_for(task: &str, path: &str, weakening: &Weakening) -> bool {
    asked(task, path, weakening, true)
}

/// See [`super::is_about`].
pub(super) fn is_about(task: &str, path: &str, weakening: &Weakening) -> bool {
    !asked(task, path, weakening, false)
}

/// With `symbols`, a task that names what the line looks at asks for it.
fn asked(task: &str, path: &str, weakening: &Weakening, symbols: bool) -> bool {
    let task = task.to_lowercase();
    let names = Names::of(path, weakening);
    let mut asked = false;
    for clause in clauses(&task) {
        let words: Vec<&str> = words(clause).collect();
        let has = |list: &str| words.iter().any(|w| listed(list, w));
        let named = match names.in_clause(clause, &words) {
            Named::Symbol if !symbols => Named::Nothing,
            named => named,
        };
        let object = has(OBJECTS) || named == Named::Test;
        if object && forbids(clause, &words) {
            return false;
        }
        asked |= asks(weakening.kind, clause, named, object, &has);
    }
    asked
}

/// Whether a list of words has one.
fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|l| l == word)
}

/// What a clause says about the thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    Nothing,
    /// Something that the changed line is about.
    Symbol,
    /// The file or the test itself.
    Test,
}

fn asks(kind: WeakeningKind, clause: &str, named: Named, object: bool, has: &dyn Fn(&str) -> bool) -> bool {
    let change = has(CHANGE)
        || clause.contains("fix the test")
        || clause.contains("fix the expect")
        || clause.contains("fix the assertion")
        || clause.contains("fix the snapshot");
    let only_demands = has(DEMAND) && !change;
    match kind {
        WeakeningKind::ExpectationRewritten => object && change || named != Named::Nothing && !only_demands,
        WeakeningKind::AssertionRemoved | WeakeningKind::TestRemoved => {
            object && (has(REMOVE) || change && named == Named::Test || change && kind == WeakeningKind::AssertionRemoved)
                || named == Named::Symbol && has(REMOVE)
                || named == Named::Test && !only_demands && kind == WeakeningKind::AssertionRemoved
        }
        WeakeningKind::Skipped => {
            (object || named != Named::Nothing)
                && has("skip skipping skipped disable disabling disabled xfail ignore ignored quarantine mute todo focus only")
        }
        WeakeningKind::Mocked => has("mock mocks mocked mocking stub stubs stubbed stubbing fake fakes faked double"),
        WeakeningKind::Swallowed => has("swallow suppress ignore tolerate catch best-effort") && (object || named != Named::Nothing),
        WeakeningKind::Narrowed => {
            has(
                "exclude excluding ignore ignoring suppress suppressing lower lowering relax relaxing disable disabling noqa allow loosen deselect skip omit turn drop remove",
            ) && (object
                || named != Named::Nothing
                || has("lint linter eslint ruff mypy clippy coverage strict threshold rule rules warning warnings type ci check checks"))
        }
        WeakeningKind::ForcedGreen => has_any(
            clause,
            &[
                "|| true",
                "continue-on-error",
                "continue on error",
                "allow failure",
                "allow_failure",
                "ignore failure",
                "non-blocking",
                "nonblocking",
                "not block",
                "exit 0",
                "best effort",
                "best-effort",
                "allowed to fail",
            ],
        ),
    }
}

/// A clause that says to leave the tests alone.
fn forbids(clause: &str, words: &[&str]) -> bool {
    let denies = has_any(
        clause,
        &[
            "do not ",
            "don't ",
            "dont ",
            "never ",
            "without ",
            "must not ",
            "mustn't ",
            "not allowed to ",
            "no changes to ",
            "shouldn't ",
            "should not ",
            "cannot ",
            "leave ",
            "instead of ",
        ],
    );
    // "Don't forget to update the tests" asks for it.
    let reminder = has_any(clause, &["forget", "hesitate"]);
    let touches = words.iter().any(|w| {
        listed(CHANGE, w)
            || listed(REMOVE, w)
            || matches!(
                *w,
                "touch"
                    | "touching"
                    | "weaken"
                    | "weakening"
                    | "skip"
                    | "skipping"
                    | "disable"
                    | "alter"
                    | "tamper"
                    | "alone"
                    | "untouched"
                    | "mock"
                    | "ignore"
                    | "fix"
                    | "cheat"
            )
    });
    denies && touches && !reminder
}

/// The names by which a task may mean the thing.
struct Names {
    files: Vec<String>,
    tests: Vec<String>,
    symbols: Vec<String>,
}

impl Names {
    fn of(path: &str, weakening: &Weakening) -> Self {
        let base = base_name(path).to_lowercase();
        let stem = base.split('.').next().unwrap_or("").to_owned();
        let distinct = |n: &String| n.len() >= 4 && !listed(COMMON, n);
        // `test_price` is about `price`.
        let about =
            stem.trim_start_matches("test_").trim_end_matches("_test").trim_end_matches("_spec").trim_end_matches("_tests").to_owned();
        let tests = weakening.tests.iter().map(|t| t.to_lowercase()).filter(distinct).collect();
        let mut symbols: Vec<String> = words(&weakening.line)
            .filter(|w| !w.starts_with(|c: char| c.is_ascii_digit()))
            .map(str::to_lowercase)
            .filter(distinct)
            .collect();
        // A plain word is in many tasks by chance; what is written like a name is not.
        let original: Vec<&str> = words(&weakening.line).collect();
        symbols.retain(|s| {
            original.iter().any(|o| {
                o.to_lowercase() == *s
                    && (o.contains('_') || o.chars().skip(1).any(char::is_uppercase) || weakening.line.contains(&format!("{o}(")))
            })
        });
        let config = subject(path) == Subject::RunnerConfig;
        symbols.extend(Some(about).filter(|a| !config && distinct(a) && *a != stem));
        Self { files: [base, stem].into_iter().filter(distinct).collect(), tests, symbols }
    }

    fn in_clause(&self, clause: &str, words: &[&str]) -> Named {
        // Names with dots and blanks are looked for as they are, others as words.
        let there = |name: &String| {
            if name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
                words.contains(&name.as_str())
            } else {
                clause.contains(name.as_str())
            }
        };
        if self.files.iter().chain(&self.tests).any(there) {
            Named::Test
        } else if self.symbols.iter().any(there) {
            Named::Symbol
        } else {
            Named::Nothing
        }
    }
}

/// Sentences, and their parts where "but" turns them. A dot inside a name ends nothing.
fn clauses(task: &str) -> impl Iterator<Item = &str> {
    task.split(['\n', ';', '!', '?', '。', '；']).flat_map(|l| l.split(". ")).flat_map(|l| l.split(" but "))
}
