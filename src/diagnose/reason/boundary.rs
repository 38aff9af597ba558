//! The boundaries that a loop must not cross on its own, and when a text says that it came to one.

use super::{Reason, is_name, of, own_words};
use crate::trace::signature;

/// What a loop must not do on its own.
struct Boundary {
    name: &'static str,
    /// Words that are an act by themselves.
    acts: &'static [&'static str],
    /// Things that it takes an act to touch.
    things: &'static [&'static str],
}

const BOUNDARIES: &[Boundary] = &[
    Boundary {
        name: "secrets",
        acts: &["secret-file"],
        things: &[
            "secret",
            "secrets",
            "credential file",
            "credentials file",
            "credentials",
            "private key",
            "private keys",
            "api key",
            "api keys",
            "vault",
            "password",
            "passwords",
        ],
    },
    Boundary {
        name: "a deployment",
        acts: &[
            "deploy",
            "deploys",
            "deploying",
            "deployment",
            "redeploy",
            "terraform apply",
            "kubectl apply",
            "helm upgrade",
            "publish",
            "publishing",
            "release to",
            "rollout",
        ],
        things: &["production", "prod"],
    },
    Boundary {
        name: "a database",
        acts: &[
            "drop table",
            "drop database",
            "delete from",
            "truncate table",
            "alter table",
            "psql",
            "migration on",
            "database migration",
            "run migrations",
        ],
        things: &["database", "databases", "db"],
    },
    Boundary {
        name: "external writes",
        acts: &[
            "external write",
            "external writes",
            "force push",
            "force-push",
            "push --force",
            "push -f",
            "push to main",
            "push to master",
            "git push",
            "http post",
            "send mail",
            "send email",
            "sending mail",
        ],
        things: &["webhook", "external service", "external api"],
    },
    Boundary {
        name: "wider rights",
        acts: &[
            "sudo",
            "chmod 777",
            "disable the sandbox",
            "disabling the sandbox",
            "privilege escalation",
            "--dangerously-skip-permissions",
        ],
        things: &["wider rights", "privilege", "privileges", "elevated rights", "elevated permissions", "admin rights", "root rights"],
    },
];

/// An act was wanted, tried or asked for; it follows in the same clause.
const WANTED: &[&str] = &[
    "wants to",
    "want to",
    "wanted to",
    "tries to",
    "tried to",
    "trying to",
    "attempt to",
    "attempts to",
    "attempted",
    "attempt at",
    "about to",
    "asks to",
    "asked to",
    "refused to",
    "refuses to",
    "refusing to",
    "allowed to",
    "permitted to",
    "may not",
    "must not",
    "approval to",
    "approval for",
    "permission to",
    "confirmation to",
    "caught",
];
/// An act was refused, before or behind its name.
const REFUSED: &[&str] = &[
    "denied",
    "refused",
    "rejected",
    "not allowed",
    "not permitted",
    "disallowed",
    "forbidden",
    "prohibited",
    "attempt",
    "needs approval",
    "requires approval",
];
/// Verbs that turn a thing into an act.
const VERBS: &[&str] = &[
    "read",
    "reading",
    "print",
    "printing",
    "open",
    "opening",
    "write",
    "writing",
    "access to",
    "accessing",
    "change",
    "changing",
    "modify",
    "modifying",
    "delete",
    "deleting",
    "drop",
    "dropping",
    "truncate",
    "wipe",
    "wiping",
    "reset",
    "resetting",
    "migrate",
    "migrating",
    "touch",
    "touching",
    "push",
    "pushing",
    "copy",
    "copying",
    "upload",
    "uploading",
    "send",
    "sending",
    "post",
    "posting",
    "call",
    "calling",
    "edit",
    "editing",
    "request",
    "requesting",
    "gain",
    "gaining",
];

/// Verbs that carry out the act that is named behind them.
const DOING: &[&str] = &[
    "run", "start", "trigger", "execute", "use", "perform", "make", "do", "apply", "disable", "access", "query", "get", "escalate",
    "obtain",
];

/// The boundary at which a stop's text says that an act was wanted, refused or caught. A boundary's name alone says
/// nothing: a test, a decision or an outage may have it too.
#[must_use]
pub(in crate::diagnose) fn boundary(text: &str) -> Option<&'static str> {
    let own = own_words(text);
    if signature::read(own.as_bytes(), &[]).infrastructure.is_some() {
        return None;
    }
    // `time budget exceeded before deploying` is the budget's.
    let capped = matches!(of(own, None), Some(Reason::Limit(_) | Reason::NoProgress));
    let clauses = clauses(own);
    let refuses = |k: usize| clauses.get(k).is_some_and(|c| REFUSED.iter().any(|w| at(c, w).is_some()));
    clauses.iter().enumerate().find_map(|(k, clause)| {
        let follows = wanted(clause).or_else(|| at(clause, "before").filter(|_| !capped).and_then(|from| clause.get(from..)));
        // `denied: git push`, `git push: denied`
        let refused = || refuses(k) || refuses(k + 1) || k.checked_sub(1).is_some_and(refuses);
        follows.and_then(|rest| crossed(rest, true)).or_else(|| refused().then(|| crossed(clause, false)).flatten())
    })
}

/// What follows the words that say that an act was wanted. `tried to fix the deploy script` wants no deployment: after
/// `to` comes the act itself, or a verb that does one.
fn wanted(clause: &str) -> Option<&str> {
    WANTED.iter().find_map(|words| {
        let rest = clause.get(at(clause, words)? + 1 + words.len()..)?;
        let verb = rest.split_whitespace().next().unwrap_or_default();
        let acts = || BOUNDARIES.iter().flat_map(|b| b.acts).any(|a| at(rest, a) == Some(0));
        (!words.ends_with(" to") || VERBS.contains(&verb) || DOING.contains(&verb) || acts()).then_some(rest)
    })
}

/// The boundary at which a call stands that was denied: the denial is on record, the text names the call.
#[must_use]
pub(in crate::diagnose) fn denied(text: &str) -> Option<&'static str> {
    clauses(text).iter().find_map(|clause| crossed(clause, clause.split_whitespace().count() <= 2)).or_else(|| boundary(text))
}

/// The boundary that a clause names: an act, or a thing that a verb reaches. `meant`: what stands before it is verb enough.
fn crossed(clause: &str, meant: bool) -> Option<&'static str> {
    let verb = if meant { Some(0) } else { VERBS.iter().filter_map(|v| at(clause, v)).min() };
    let reached = |thing: &str| verb.is_some_and(|v| clause.get(v..).is_some_and(|rest| at(rest, thing).is_some()));
    BOUNDARIES.iter().find(|b| b.acts.iter().any(|a| at(clause, a).is_some()) || b.things.iter().any(|t| reached(t))).map(|b| b.name)
}

/// Where whole words stand in a clause.
fn at(clause: &str, words: &str) -> Option<usize> {
    clause.find(&format!(" {words} "))
}

/// Clauses in lower case, each word between single blanks. Files of secrets become one word; other names leave a gap.
fn clauses(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let mut all = vec![String::from(" ")];
    for raw in lower.split_whitespace() {
        let opens = raw.starts_with(['(', '[']) || matches!(raw, "-" | "–" | "—");
        let closes = raw.ends_with([':', ';', ',', '.', ')', '?', '!']);
        let word =
            raw.trim_start_matches(['(', '[', '"', '\'', '`']).trim_end_matches([')', ']', '"', '\'', '`', ':', ';', ',', '.', '?', '!']);
        if opens {
            all.push(String::from(" "));
        }
        if let Some(clause) = all.last_mut()
            && !word.is_empty()
        {
            clause.push_str(match word {
                _ if is_secret_file(word) => "secret-file",
                _ if is_name(word) => "…",
                _ => word,
            });
            clause.push(' ');
        }
        if closes {
            all.push(String::from(" "));
        }
    }
    all
}

/// `.env`, `.env.production`, `~/.ssh/id_rsa`, `server.pem`, `config/secrets.yaml`.
fn is_secret_file(word: &str) -> bool {
    let base = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let stem = base.split('.').next().unwrap_or(base);
    let path = base != word || base != stem;
    base == ".env"
        || base.starts_with(".env.")
        || matches!(base, "id_rsa" | "id_ed25519" | ".netrc" | ".pgpass")
        || [".pem", ".p12", ".pfx"].iter().any(|e| base.ends_with(e))
        || path && matches!(stem, "secrets" | "secret" | "credentials")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundary_is_an_act_that_was_refused_wanted_or_caught() {
        for (text, want) in [
            ("wants to read .env.production", "secrets"),
            ("stopped before reading secrets", "secrets"),
            ("denied: cat ~/.ssh/id_rsa", "secrets"),
            ("tried to print the API key", "secrets"),
            ("agent attempted to write to the production database", "a deployment"),
            ("needs approval to deploy", "a deployment"),
            ("stopped before deploying", "a deployment"),
            ("deployment to production not allowed", "a deployment"),
            ("refused to run terraform apply", "a deployment"),
            ("wants to drop table users", "a database"),
            ("tried to delete rows of the database", "a database"),
            ("git push --force origin main: denied", "external writes"),
            ("attempt to force push caught", "external writes"),
            ("sudo is not allowed", "wider rights"),
            ("wants to disable the sandbox", "wider rights"),
        ] {
            assert_eq!(boundary(text), Some(want), "{text}");
        }
    }

    #[test]
    fn a_boundary_that_is_only_named_is_none() {
        for text in [
            "circuit breaker: same failure 5 times: tests/test_password.py::test_reset",
            "same failure 3 times: FAIL: refuses to deploy when not allowed to",
            "invalid API key",
            "API key denied",
            "database connection refused",
            "permission denied for database app",
            "Access denied for user 'app' (using password: YES)",
            "interrupted by user (Ctrl-C) during production build",
            "needs a decision: which database schema?",
            "turn cap reached while fixing deploy_test",
            "time budget exceeded before deploying",
            "deploy looks wrong, stopping",
            "tried to fix the deploy script five times",
            "not allowed to edit tests/test_deploy.py",
            "wants to touch src/database.rs",
            "cargo test",
            "",
        ] {
            assert_eq!(boundary(text), None, "{text}");
        }
    }

    #[test]
    fn a_denied_call_needs_no_word_of_denial() {
        assert_eq!(denied("secrets: .env.production may not be read"), Some("secrets"));
        assert_eq!(denied("git push origin main"), Some("external writes"));
        assert_eq!(denied("cargo test --test database"), None);
        assert_eq!(denied("edit tests/test_deploy.py"), None);
    }
}
