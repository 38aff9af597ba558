//! What the text of a stop says about its reason. Texts come from loops and guards of many authors, so words decide:
//! whole words only, and never those inside a test's id or a file's name, which say what was worked on.

mod boundary;

pub(super) use boundary::{boundary, denied};

use crate::trace::signature;

/// A stop's reason, as its text tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// A person.
    Person,
    /// An explicit cap: which.
    Limit(&'static str),
    /// Permission, credential, dependency, environment.
    Blocked,
    /// A guard saw no progress.
    NoProgress,
}

/// A person's own stop. `operator`, `cancelled` or `interrupted by` alone name nobody: guards and schedulers say them too.
const PERSON: &[&str] =
    &["sigint", "ctrl c", "keyboardinterrupt", "keyboard interrupt", "by hand", "stopped manually", "manual stop", "manually stopped"];
const PEOPLE: &[&str] = &["user", "human", "person", "operator", "developer", "maintainer", "owner"];
const STOPPED: &[&str] = &["interrupted", "cancelled", "canceled", "stopped", "aborted", "killed", "halted", "terminated", "ended"];

/// What a guard says of the failure that it saw again. What stands behind it is that failure's own text.
const REPEATED: &[&str] = &[
    "same failure",
    "same error",
    "same signature",
    "identical failure",
    "identical failures",
    "repeated failure",
    "repeated tool call",
    "repeated call",
    "stagnation",
    "stagnated",
    "no progress",
    "without progress",
    "no information gain",
    "no gain",
    "without gain",
    "no improvement",
    "never converged",
    "not converging",
    "did not converge",
    "failed to converge",
    "thrashing",
    "loop detected",
    "is stuck",
    "got stuck",
    "stuck in a loop",
    "stuck on the same",
];
/// A guard by its name, whatever made it trip.
const BREAKER: &[&str] = &["circuit breaker", "circuit open"];

/// What a cap may be on.
const DIMENSIONS: &[(&str, &[&str])] = &[
    ("turns", &["turn", "turns"]),
    ("tokens", &["token", "tokens", "total tokens", "output tokens"]),
    ("cost", &["cost", "usd", "dollar", "dollars", "spend", "spending"]),
    ("time", &["time", "wall clock", "wallclock", "runtime", "duration", "wall time", "minutes", "hours", "seconds"]),
    ("iterations", &["iteration", "iterations", "iter", "attempt", "attempts"]),
    ("tool calls", &["tool call", "tool calls"]),
    ("usage", &["usage"]),
];
/// Caps that are one word or name no dimension.
const CAPS: &[(&str, &[&str])] = &[
    ("turns", &["maxturns", "modelturns"]),
    ("tokens", &["maxtotaltokens", "totaltokens"]),
    ("cost", &["costusd", "budget exhausted", "budget exceeded", "over budget", "budget is spent"]),
    ("time", &["wall clock", "wallclock", "deadline"]),
    ("iterations", &["maxiterations", "max iter"]),
    ("tool calls", &["toolcalls", "maxtoolcalls"]),
    ("usage", &["hit your limit", "quota exhausted"]),
];
const OVER: &[&str] = &["reached", "exceeded", "exhausted", "hit", "spent", "used up"];

/// What more code cannot supply.
const MISSING: &[&str] = &[
    "permission",
    "permissions",
    "credential",
    "credentials",
    "not authorized",
    "unauthorized",
    "not authenticated",
    "authentication",
    "access denied",
    "api key",
    "token has expired",
    "token expired",
    "not logged in",
    "login required",
    "missing dependency",
    "not installed",
    "command not found",
    "environment variable",
    "missing variable",
    "missing secret",
    "missing token",
    "missing key",
    "quota",
    "rate limit",
    "unavailable",
    "needs a decision",
    "decision needed",
    "needs approval",
    "requires approval",
    "waiting for approval",
];
/// What is said of a variable, written in capitals, that is not there.
const UNSET: &[&str] = &["is not set", "not set", "is missing", "missing", "is unset", "is empty", "is not defined", "not found"];

/// The reason that a stop's text or its author gives, if any is known.
#[must_use]
pub(super) fn of(text: &str, by: Option<&str>) -> Option<Reason> {
    if by.is_some_and(|by| PEOPLE.iter().any(|p| by.eq_ignore_ascii_case(p))) {
        return Some(Reason::Person);
    }
    let said = plain(own_words(text));
    let first = |words: &[&str]| words.iter().filter_map(|w| said.find(&format!(" {w} "))).min();
    let breaker = first(BREAKER);
    if breaker.is_none() && is_person(&said, text) {
        return Some(Reason::Person);
    }
    let repeated = first(REPEATED);
    if let Some((at, which)) = limit(&said)
        && repeated.is_none_or(|r| at < r)
        // A breaker quotes what it saw: a cap is one there only if it is said to be used up.
        && (breaker.is_none() || first(OVER).is_some())
    {
        return Some(Reason::Limit(which));
    }
    if repeated.or(breaker).is_some() {
        return Some(Reason::NoProgress);
    }
    let infrastructure = || signature::read(text.as_bytes(), &[]).infrastructure.is_some();
    if first(MISSING).is_some() || names_unset_variable(text) || infrastructure() {
        return Some(Reason::Blocked);
    }
    first(&["timeout", "timed out"]).map(|_| Reason::Limit("time"))
}

fn is_person(said: &str, text: &str) -> bool {
    let has = |words: &str| said.contains(&format!(" {words} "));
    let articles = ["", "the ", "a ", "an "];
    PERSON.iter().any(|w| has(w))
        || text.split_whitespace().any(|w| w.trim_matches(['(', ')', ',', '.']).eq_ignore_ascii_case("^c"))
        || PEOPLE.iter().any(|who| {
            STOPPED.iter().any(|how| has(&format!("{who} {how}")) || articles.iter().any(|a| has(&format!("{how} by {a}{who}"))))
        })
        || has("user interrupt")
        || has("user abort")
}

/// Which cap a text names, and where.
fn limit(said: &str) -> Option<(usize, &'static str)> {
    // How fast is no cap on how much: it is over in a minute.
    if said.contains(" rate limit") || said.contains(" per minute ") {
        return None;
    }
    let capped = |dimension: &str| {
        let after = ["cap", "limit", "budget", "ceiling"].map(|cap| format!(" {dimension} {cap} "));
        let before = ["max", "maximum", "maximum number of", "too many"].map(|cap| format!(" {cap} {dimension} "));
        after.iter().chain(&before).filter_map(|p| said.find(p.as_str())).min()
    };
    let by_dimension =
        DIMENSIONS.iter().flat_map(|(which, words)| words.iter().map(move |w| (*which, *w))).filter_map(|(w, d)| Some((capped(d)?, w)));
    let by_name = CAPS
        .iter()
        .flat_map(|(which, words)| words.iter().map(move |w| (*which, *w)))
        .filter_map(|(which, w)| Some((said.find(&format!(" {w} "))?, which)));
    // A dimension beside its cap says more than `budget exceeded`, which stands inside it.
    by_dimension.min_by_key(|(at, _)| *at).or_else(|| by_name.min_by_key(|(at, _)| *at))
}

/// `OPENAI_API_KEY is not set`: a name in capitals with a joint, and what is said of it.
fn names_unset_variable(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().map(|w| w.trim_matches(|c: char| !c.is_ascii_alphanumeric())).collect();
    let variable = |w: &str| w.contains('_') && w.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    words.iter().enumerate().filter(|(_, w)| variable(w)).any(|(at, _)| {
        let after = words.get(at + 1..).unwrap_or_default().join(" ").to_ascii_lowercase();
        let before = at.checked_sub(1).and_then(|b| words.get(b)).is_some_and(|w| w.eq_ignore_ascii_case("missing"));
        before || UNSET.iter().any(|u| after.starts_with(u))
    })
}

/// A guard's text without the failure that it quotes: `same failure 5 times: <the failure>`.
fn own_words(text: &str) -> &str {
    let lower = text.to_ascii_lowercase();
    let Some(at) = REPEATED.iter().filter_map(|w| lower.find(w)).min() else { return text };
    let quoted = lower.get(at..).and_then(|rest| rest.find(": ")).map(|n| at + n);
    quoted.and_then(|end| text.get(..end)).unwrap_or(text)
}

/// Names of tests and files say what was worked on, not what was done.
fn is_name(word: &str) -> bool {
    const SOURCES: &[&str] = &[
        "py", "rs", "ts", "tsx", "js", "jsx", "mjs", "go", "java", "kt", "rb", "php", "cs", "c", "cpp", "h", "sql", "yaml", "yml", "json",
        "toml", "sh", "md", "log", "html", "css", "txt",
    ];
    let test =
        word.starts_with("test_") || word.starts_with("test-") || ["_test", "-test", "_tests", "_spec"].iter().any(|e| word.ends_with(e));
    let file = word.rsplit_once('.').is_some_and(|(stem, ext)| !stem.is_empty() && SOURCES.contains(&ext));
    test || file || word.contains("::") || word.contains('/') || word.contains('\\')
}

/// Lower case, one blank around each word, joints taken as blanks, names left out.
fn plain(text: &str) -> String {
    let lower = text.to_lowercase();
    let mut out = String::from(" ");
    for word in lower.split_whitespace().filter(|w| !is_name(w.trim_matches(|c: char| !c.is_alphanumeric()))) {
        for part in word.split(|c: char| !c.is_alphanumeric()).filter(|p| !p.is_empty()) {
            out.push_str(part);
            out.push(' ');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_stops() {
        let cases: &[(&str, Option<Reason>)] = &[
            ("SIGINT", Some(Reason::Person)),
            ("interrupted by the user", Some(Reason::Person)),
            ("interrupted by user (Ctrl-C) during production build", Some(Reason::Person)),
            ("stopped by hand (^C)", Some(Reason::Person)),
            ("no progress, stopped by the user", Some(Reason::Person)),
            ("turn cap of 10 reached", Some(Reason::Limit("turns"))),
            ("turn cap reached while fixing deploy_test", Some(Reason::Limit("turns"))),
            ("max_turns", Some(Reason::Limit("turns"))),
            ("max iteration count reached", Some(Reason::Limit("iterations"))),
            ("token budget exceeded, job cancelled", Some(Reason::Limit("tokens"))),
            ("cost cap reached: 10.02 of 10.00", Some(Reason::Limit("cost"))),
            ("budget exceeded", Some(Reason::Limit("cost"))),
            ("time budget exceeded (35m)", Some(Reason::Limit("time"))),
            ("wall clock budget exceeded", Some(Reason::Limit("time"))),
            ("wall-clock timeout", Some(Reason::Limit("time"))),
            ("usage limit: resets 3am", Some(Reason::Limit("usage"))),
            ("circuit breaker: turn cap reached", Some(Reason::Limit("turns"))),
            ("max iterations reached, no progress", Some(Reason::Limit("iterations"))),
            ("no information gain in 5 iterations", Some(Reason::NoProgress)),
            ("Circuit breaker OPEN", Some(Reason::NoProgress)),
            ("circuit breaker: operator precedence test", Some(Reason::NoProgress)),
            ("circuit breaker: same failure 5 times: tests/test_password.py::test_reset", Some(Reason::NoProgress)),
            ("same failure 3 times: FAIL: SIGINT reaches the child, max turns reached", Some(Reason::NoProgress)),
            ("permission denied for tool Bash", Some(Reason::Blocked)),
            ("invalid API key", Some(Reason::Blocked)),
            ("database connection refused", Some(Reason::Blocked)),
            ("No space left on device", Some(Reason::Blocked)),
            ("429 Too Many Requests", Some(Reason::Blocked)),
            ("ANTHROPIC_API_KEY is not set", Some(Reason::Blocked)),
            ("missing STRIPE_TOKEN", Some(Reason::Blocked)),
            ("rate limit: max tokens per minute", Some(Reason::Blocked)),
            // Nobody is named, and nothing is missing.
            ("cancelled", None),
            ("interrupted by", None),
            ("operator precedence", None),
            ("tests/test_permission.py looks odd", None),
            ("", None),
        ];
        for (text, want) in cases {
            assert_eq!(of(text, None), *want, "{text}");
        }
        for by in ["human", "User", "operator"] {
            assert_eq!(of("deploy looks wrong, stopping", Some(by)), Some(Reason::Person));
        }
        assert_eq!(of("turn cap reached", Some("guard")), Some(Reason::Limit("turns")));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,120}", head in "(same failure|before|denied|wants to)?") {
            let text = format!("{head} {text}");
            let _ = (of(&text, None), boundary(&text), denied(&text));
        }
    }
}
