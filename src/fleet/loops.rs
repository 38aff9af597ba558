//! What "the same loop" means. It is said here once: the green runs that a run is held against, the starts after the work was
//! done, and the `loop` of the tables and groups all follow it.
//!
//! - Executions in one log are of one loop, whatever the log is called.
//! - Runs of a loop's log are of one loop where their names are equal without what only tells executions apart.
//! - Sessions of one folder are many tasks. Those that begin with the same words in the same folder are of one loop.
//! - A headless agent's output that does not hold its prompt is known by its name, as a loop's log is.
//!
//! When in doubt two runs are of two loops: a run that is held against another loop's runs is judged wrongly, one that is held
//! against none is judged by itself.

use crate::format::{self, Role, json::hash};
use crate::report::model::RunReport;
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The loop that a run is an execution of; nothing where neither a name nor a task tells.
#[must_use]
pub fn loop_of(run: &RunReport) -> Option<String> {
    let log = log_of(run);
    match (format::by_id(run.agent).map(format::Format::role), run.task) {
        (Some(Role::Transcript | Role::Stream), Some(task)) => Some(asked(run, task)),
        (Some(Role::Transcript), None) => run.execution.map(|_| log.to_owned()),
        _ => name(log).or_else(|| run.execution.map(|_| log.to_owned())),
    }
}

/// The id of the log that a run is one of several executions of, else its own.
fn log_of(run: &RunReport) -> &str {
    let numbered = run.execution.and_then(|n| run.run.strip_suffix(&format!("#{n}")));
    numbered.unwrap_or(&run.run)
}

/// The folder and the task. Of the folder its last part is shown; the digits stand for all of it.
fn asked(run: &RunReport, task: u64) -> String {
    let path = run.sources.first().map_or("", |s| &s.path);
    let beside = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = if run.workspace.is_empty() { beside } else { &run.workspace };
    let folder = name(&folder.replace('\\', "/")).unwrap_or_default();
    let key = hash(&[&task.to_le_bytes(), folder.as_bytes()].concat());
    let last = folder.rsplit('/').next().unwrap_or_default();
    format!("{last}~{:012x}", key >> 16)
}

/// Whether runs of two groups of files may be of one loop, as far as ids and formats tell before anything is read.
pub(crate) fn may_be_of_one(a: (&str, Role), b: (&str, Role)) -> bool {
    let asked = |role| matches!(role, Role::Transcript | Role::Stream);
    a.0 == b.0 || asked(a.1) && asked(b.1) || name(a.0).is_some_and(|n| Some(n) == name(b.0))
}

/// What only tells executions apart, with what stands around it.
static TELLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let uuid = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
    let time = "[0-9]{2}[-:_.h]?[0-9]{2}(?:[-:_.]?[0-9]{2})?(?:[.,][0-9]+)?Z?";
    let day = "[0-9]{4}[-_.][0-9]{2}[-_.][0-9]{2}|20[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])";
    // Ticket numbers have up to seven digits; seconds since 1970 have ten.
    let long = "[0-9]{8,}(?:[T_-][0-9]{4,6}Z?)?";
    let word = "(?:run|attempt|try|night|nightly|session|job)[-_. ]?[0-9]+";
    let edge = "[-_. :]";
    Regex::new(&format!(
        "(?:^|{edge})(?:((?:{day})(?:{edge}(?:{day}))*(?:[T_ -]{time})?|{uuid}|{long})|([0-9a-f]{{7,40}})|({word}))(?:$|({edge}))"
    ))
    .ok()
});

/// A day as three folders, as some agents keep their sessions.
static DAY_FOLDERS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("(^|/)20[0-9]{2}/(?:0[1-9]|1[0-2])/(?:0[1-9]|[12][0-9]|3[01])(/|$)").ok());

/// A name without what only tells executions apart: days, times, UUIDs, numbers of eight and more digits, and hashes as words
/// of their own, and `run-3` as a whole part or at its end. A short number stays, since `issue-12` and `issue-13` are two
/// tasks. Of `run-3` alone the word is left: those that lie beside each other are counted executions. Nothing where nothing is
/// left.
fn name(id: &str) -> Option<String> {
    let id = DAY_FOLDERS.as_ref().map_or(Cow::Borrowed(id), |r| r.replace_all(id, "$1$2"));
    let parts: Vec<Cow<'_, str>> = id.split('/').map(part).collect();
    let rooted = id.starts_with('/');
    let kept: Vec<&str> = parts.iter().map(AsRef::as_ref).filter(|p| !p.is_empty()).collect();
    if kept.is_empty() {
        let counted = id.rsplit('/').find_map(|p| TELLS.as_ref()?.captures(p)?.get(3).filter(|m| m.len() == p.len()))?;
        return Some(counted.as_str().trim_end_matches(|c: char| !c.is_ascii_alphabetic()).to_owned());
    }
    Some(format!("{}{}", if rooted { "/" } else { "" }, kept.join("/")))
}

/// The same for one part of a path.
fn part(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    let mut from = 0;
    while let Some(found) = TELLS.as_ref().and_then(|r| r.captures_at(&text, from)) {
        let Some(all) = found.get(0) else { break };
        let whole = all.start() == 0;
        let tells = match (found.get(2), found.get(3)) {
            (Some(word), _) => is_hash(word.as_str()),
            // `try-2-factor` is no second try.
            (_, Some(_)) => all.end() == text.len(),
            _ => true,
        };
        if !tells {
            from = found.get(2).or(found.get(3)).map_or(text.len(), |m| m.end());
            continue;
        }
        let edge = found.get(4).filter(|_| !whole).map_or("", |m| m.as_str());
        let mut rest = String::with_capacity(text.len());
        rest.extend([&text[..all.start()], edge, &text[all.end()..]]);
        from = 0;
        text = Cow::Owned(rest);
    }
    text
}

/// A word of hexadecimal digits that nobody would write: `facade2` and `cafe2024` are names.
fn is_hash(word: &str) -> bool {
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let name_and_number = word.trim_start_matches(|c: char| c.is_ascii_alphabetic()).bytes().all(|b| b.is_ascii_digit());
    digits >= 2 && digits < word.len() && (word.len() >= 16 || !name_and_number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn executions_of_one_loop_share_its_name() {
        for (id, is) in [
            ("billing-fix", Some("billing-fix")),
            ("billing-fix-2026-11-28", Some("billing-fix")),
            ("2026-11-28-billing-fix", Some("billing-fix")),
            ("2026-11-28/billing-fix", Some("billing-fix")),
            ("nights/2026-11-28/billing-fix", Some("nights/billing-fix")),
            ("sessions/2026/11/28/rollout", Some("sessions/rollout")),
            ("2026/11/28", None),
            ("billing-fix_20261128_231500", Some("billing-fix")),
            ("billing-20261128-fix", Some("billing-fix")),
            ("billing-fix.2026-11-28T23:15:00Z", Some("billing-fix")),
            ("billing-2026-11-28-2026-11-29", Some("billing")),
            ("team/billing-fix/run-003", Some("team/billing-fix")),
            ("team/billing-fix/2026-11-28/attempt2", Some("team/billing-fix")),
            ("night-3/billing-fix", Some("billing-fix")),
            ("job-000", Some("job")),
            ("2026-11-28/run-3", Some("run")),
            ("billing-fix/1795939200", Some("billing-fix")),
            ("job-7e80b23c", Some("job")),
            ("/w/p", Some("/w/p")),
            // tasks, tickets and names
            ("issue-12", Some("issue-12")),
            ("OPS-123456", Some("OPS-123456")),
            ("try-2-factor", Some("try-2-factor")),
            ("facade22", Some("facade22")),
            ("cafe2024", Some("cafe2024")),
            ("port-99999999", Some("port")),
            ("deadbeef", Some("deadbeef")),
            ("v2", Some("v2")),
            ("fix#12", Some("fix#12")),
            ("prerun-3", Some("prerun-3")),
            ("api/7e80b23c-1e5e-577c-a4d6-5661fff7d885", Some("api")),
            ("7e80b23c-1e5e-577c-a4d6-5661fff7d885", None),
            ("2026-11-28", None),
            ("", None),
        ] {
            assert_eq!(name(id).as_deref(), is, "{id}");
        }
    }

    #[test]
    fn what_may_be_of_one_loop_is_known_before_it_is_read() {
        use Role::{Log, Stream, Transcript};
        assert!(may_be_of_one(("x/2026-11-28", Log), ("x/2026-11-29", Log)));
        assert!(!may_be_of_one(("x", Log), ("y", Log)) && may_be_of_one(("2026-11-28", Log), ("2026-11-28", Log)));
        assert!(may_be_of_one(("a", Transcript), ("b", Stream)) && !may_be_of_one(("a", Transcript), ("b", Log)));
    }

    proptest! {
        #[test]
        fn a_name_is_its_own_name(id in "([a-c0-9#/_. -]|2026-11-28|run-3|7e80b23c|20261128){0,12}") {
            if let Some(once) = name(&id) {
                prop_assert_eq!(name(&once), Some(once.clone()), "{}", id);
            }
        }

        #[test]
        fn a_day_a_time_and_a_hash_tell_nothing(stem in "[g-z]{1,8}(-[g-z]{1,8})?", day in 1_u32..29, hour in 0_u32..24, hash in "[1-9][a-f][0-9a-f]{6}") {
            let hash = format!("{hash}1");
            for id in [
                format!("{stem}-2026-11-{day:02}"), format!("202611{day:02}/{stem}"), format!("2026-11-{day:02}T{hour:02}:30:00Z_{stem}"),
                format!("{stem}/202611{day:02}-{hour:02}3000"), format!("{stem}.{hash}"), format!("{hash}/{stem}"),
            ] {
                prop_assert_eq!(name(&id), Some(stem.clone()), "{}", id);
            }
        }
    }
}
