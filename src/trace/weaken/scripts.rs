//! Scripts that check: hooks, `check.sh`, `run_tests.py`.

use std::collections::{HashMap, HashSet};

use super::judge::{Class, Judged, is_usual, judged};
use super::lang::Lang;
use super::mask::Text;
use super::shell::words::commands;
use super::util::evidence;
use super::{Weakening, WeakeningKind};

fn weakening(kind: WeakeningKind, line: &str) -> Weakening {
    Weakening { kind, line: evidence(line), tests: Vec::new() }
}

/// Compares two sides of a shell script that checks.
pub(super) fn compare(old: &Text<'_>, new: &Text<'_>) -> Vec<Weakening> {
    if new.lang != Lang::Shell {
        return Vec::new();
    }
    let (before, after) = (judged(old.raw), judged(new.raw));
    let mut found = verdicts(&before, &after);
    found.extend(exits(old, new));
    found
}

/// A script of which only the new text is known: is there anything left in it that can fail?
pub(super) fn hollow(new: &Text<'_>) -> Vec<Weakening> {
    let all = commands(new.raw);
    let idle = |w: Option<&String>| matches!(w.map(String::as_str), None | Some("echo" | "true" | ":" | "exit" | "printf" | "set" | "cd"));
    let green = all.iter().find(|c| matches!(c.text.as_str(), "exit 0" | "true" | ":"));
    match green {
        Some(c) if new.lang == Lang::Shell && all.iter().all(|c| idle(c.program().first())) => {
            vec![weakening(WeakeningKind::ForcedGreen, &c.text)]
        }
        _ => Vec::new(),
    }
}

/// What changed about the judges that a script runs.
fn verdicts(before: &[Judged], after: &[Judged]) -> Vec<Weakening> {
    let mut found = Vec::new();
    let mut forced: HashMap<&str, usize> = HashMap::new();
    let mut narrowed: HashSet<(&str, &str)> = HashSet::new();
    for j in before {
        *forced.entry(j.tool.as_str()).or_default() += usize::from(j.forced.is_some());
        narrowed.extend(j.narrowing.iter().map(|n| (j.tool.as_str(), n.as_str())));
    }
    for j in after {
        let known = before.iter().any(|b| b.tool == j.tool);
        if j.forced.is_some() {
            let n = forced.entry(j.tool.as_str()).or_default();
            if *n > 0 {
                *n -= 1;
            } else if known {
                found.push(weakening(WeakeningKind::ForcedGreen, &j.text));
            }
        }
        if known && j.narrowing.iter().any(|n| !narrowed.contains(&(j.tool.as_str(), n.as_str())) && !is_usual(n)) {
            found.push(weakening(WeakeningKind::Narrowed, &j.text));
        }
    }
    let count = |all: &[Judged], class: Class| all.iter().filter(|j| j.class == class).count();
    for j in before {
        if j.class != Class::Build && !after.iter().any(|a| a.tool == j.tool) && count(after, j.class) < count(before, j.class) {
            found.push(weakening(WeakeningKind::Narrowed, &j.text));
            break;
        }
    }
    found
}

/// `exit 0` before the end, `set +e` with nobody looking at the status.
fn exits(old: &Text<'_>, new: &Text<'_>) -> Vec<Weakening> {
    let lines = |text: &Text<'_>| -> Vec<(usize, String)> {
        (0..text.lines.len()).filter(|l| !text.idle(*l)).map(|l| (l, text.code(l).trim().to_owned())).collect()
    };
    let (was, is) = (lines(old), lines(new));
    let had: HashSet<&str> = was.iter().map(|(_, l)| l.as_str()).collect();
    let mut found = Vec::new();
    let looks = new.code.contains("$?") || new.code.contains("PIPESTATUS");
    for (at, (line, code)) in is.iter().enumerate() {
        if had.contains(code.as_str()) {
            continue;
        }
        let deep = new.lines.get(*line).is_some_and(|l| l.indent > 0);
        let last = at + 1 == is.len();
        let report = match code.as_str() {
            "exit 0" | "exit" | "return 0" | "exec true" => {
                let took_over =
                    was.iter().any(|(_, l)| (l.starts_with("exit ") || l.starts_with("return ")) && !is.iter().any(|(_, n)| n == l));
                let after_judge = at.checked_sub(1).and_then(|i| is.get(i)).is_some_and(|(_, l)| !judged(l).is_empty());
                // Inside a condition it is a branch of the script, such as its help.
                !deep && (!last || after_judge) || took_over
            }
            "set +e" | "set +o errexit" => !looks,
            c => c.starts_with("trap ") && (c.contains("exit 0") || c.contains("'' ERR")),
        };
        if report {
            found.push(weakening(WeakeningKind::ForcedGreen, new.raw(*line)));
        }
    }
    let strict = |code: &str| {
        code.starts_with("set -") && code.split_whitespace().nth(1).is_some_and(|f| f.contains('e') && !f.starts_with("--"))
            || code == "set -o errexit"
    };
    let dropped = was.iter().find(|(_, l)| strict(l)).filter(|_| !is.iter().any(|(_, l)| strict(l)) && is.len() + 3 >= was.len());
    if let Some((line, _)) = dropped.filter(|_| !looks && !is.is_empty()) {
        found.push(weakening(WeakeningKind::ForcedGreen, old.raw(*line)));
    }
    found
}
