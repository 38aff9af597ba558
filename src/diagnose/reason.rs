//! What the text of a stop says about its reason. Texts come from loops and guards of many authors, so words decide.

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

/// Words for each reason; the first row that matches decides.
const WORDS: &[(Reason, &[&str])] = &[
    (
        Reason::Person,
        &[
            "sigint",
            "ctrl-c",
            "ctrl+c",
            "^c",
            "interrupted by",
            "user interrupt",
            "keyboardinterrupt",
            "by hand",
            "operator",
            "cancelled",
            "canceled",
        ],
    ),
    (
        Reason::NoProgress,
        &[
            "circuit breaker",
            "stagnation",
            "no progress",
            "repeated tool call",
            "repeated call",
            "same failure",
            "never converged",
            "thrashing",
            "not converging",
            "loop detected",
        ],
    ),
    (Reason::Limit("turns"), &["turn cap", "max turns", "maxturns", "max_turns", "turn limit"]),
    (Reason::Limit("tokens"), &["token budget", "token limit", "max tokens", "maxtotaltokens"]),
    (
        Reason::Limit("cost"),
        &["cost limit", "cost budget", "budget exhausted", "budget exceeded", "over budget", "max cost", "max_cost", "costusd"],
    ),
    (Reason::Limit("time"), &["wall-clock", "wall clock", "wallclock", "time limit", "deadline", "max runtime", "max_runtime", "timeout"]),
    (Reason::Limit("iterations"), &["max iterations", "max_iterations", "iteration limit", "iteration cap", "iter_limit"]),
    (Reason::Limit("usage"), &["usage limit", "hit your limit", "quota exhausted"]),
    (
        Reason::Blocked,
        &[
            "permission",
            "credential",
            "not authorized",
            "unauthorized",
            "api key",
            "missing dependency",
            "not installed",
            "quota",
            "rate limit",
            "unavailable",
            "needs a decision",
            "needs approval",
        ],
    ),
];

/// The reason that a stop's text or its author gives, if any is known.
#[must_use]
pub(super) fn of(text: &str, by: Option<&str>) -> Option<Reason> {
    if matches!(by.map(str::to_ascii_lowercase).as_deref(), Some("human" | "person" | "user" | "operator")) {
        return Some(Reason::Person);
    }
    let text = text.to_lowercase();
    WORDS.iter().find(|(_, words)| words.iter().any(|w| text.contains(w))).map(|(reason, _)| *reason)
}

/// Boundaries that a loop must not cross on its own, with the words that name them.
const BOUNDARIES: &[(&str, &[&str])] = &[
    ("secrets", &["secret", ".env", "credential file", "private key", "id_rsa", "api key", "vault", ".pem", "password"]),
    ("a deployment", &["deploy", "production", "terraform apply", "kubectl apply", "publish", "release to"]),
    ("a database", &["database", "drop table", "migration on", "psql", "delete from"]),
    ("external writes", &["external write", "force push", "push --force", "push to main", "http post", "send mail", "git push", "webhook"]),
    ("wider rights", &["sudo", "wider rights", "privilege", "chmod 777", "elevated", "disable the sandbox", "--dangerously"]),
];

/// The boundary that a text names, if any.
#[must_use]
pub(super) fn boundary(text: &str) -> Option<&'static str> {
    let text = text.to_lowercase();
    BOUNDARIES.iter().find(|(_, words)| words.iter().any(|w| text.contains(w))).map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_stops() {
        assert_eq!(of("SIGINT", None), Some(Reason::Person));
        assert_eq!(of("stopped", Some("human")), Some(Reason::Person));
        assert_eq!(of("turn cap of 10 reached", None), Some(Reason::Limit("turns")));
        assert_eq!(of("Circuit breaker OPEN", None), Some(Reason::NoProgress));
        assert_eq!(of("permission denied for tool Bash", None), Some(Reason::Blocked));
        assert_eq!(of("", None), None);
        assert_eq!(boundary("wants to read .env.production"), Some("secrets"));
        assert_eq!(boundary("cargo test"), None);
    }
}
