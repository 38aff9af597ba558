use super::git::{Commit, read};
use super::{merged_by_persons, monday, weeks, who};
use crate::trace::Time;
use chrono::NaiveDate;

const PERSON: &str = "Ada ada@example.com";
const AGENT: &str = "Claude noreply@anthropic.com";
/// Wednesday, 2026-11-25T12:00:00Z.
const WEDNESDAY: i64 = 1_795_608_000_000;

fn commit(hash: &str, parents: &[&str], author: &str, trailers: &[&str], added: u64) -> Commit {
    Commit {
        hash: hash.into(),
        parents: parents.iter().map(|p| (*p).into()).collect(),
        at: Time(WEDNESDAY),
        author: author.into(),
        committer: author.into(),
        trailers: trailers.iter().map(|t| (*t).into()).collect(),
        added,
    }
}

#[test]
fn names_of_agents_are_whole_words() {
    for who in [AGENT, "Codex x@example.com", "build-bot ci@example.com", "dependabot[bot] 1+x@example.com", "x aider@example.com"] {
        assert!(!who::is_person(who), "{who}");
    }
    for who in [PERSON, "Claudette c@example.com", "Abbot a@example.com", "Jo jo@openai.example.com"] {
        assert!(who::is_person(who), "{who}");
    }
}

#[test]
fn a_review_is_another_persons() {
    for (author, trailers, read) in [
        (AGENT, &["Reviewed-by: Ada <ada@example.com>"][..], true),
        (AGENT, &["Reviewed-by: Claude <noreply@anthropic.com>"], false),
        (PERSON, &["Reviewed-by: Ada <ada@example.com>"], false),
        (PERSON, &["Acked-by: Bo <bo@example.com>"], true),
        (AGENT, &["Co-authored-by: Ada <ada@example.com>"], true),
        (PERSON, &["Co-Authored-By: Claude <noreply@anthropic.com>"], false),
        (PERSON, &["Signed-off-by: Bo <bo@example.com>"], false),
        (AGENT, &[], false),
    ] {
        assert_eq!(who::reviewed(&commit("a", &[], author, trailers, 1)), read, "{author} {trailers:?}");
    }
    assert!(who::of_a_loop(&commit("a", &[], PERSON, &["Co-Authored-By: Claude <noreply@anthropic.com>"], 1)));
    assert!(!who::of_a_loop(&commit("a", &[], PERSON, &[], 1)));
}

/// ```text
/// m2 (agent) ─ m1 (person) ─ base
///   └ d           └ c ─ b
/// ```
#[test]
fn a_persons_merge_is_a_look_at_what_it_brings() {
    let commits = [
        commit("m2", &["m1", "d"], AGENT, &[], 0),
        commit("d", &["m1"], AGENT, &[], 50),
        commit("m1", &["base", "c"], PERSON, &[], 0),
        commit("c", &["b"], AGENT, &[], 20),
        commit("b", &["base"], AGENT, &[], 10),
        commit("base", &[], PERSON, &[], 5),
    ];
    let mut merged: Vec<usize> = merged_by_persons(&commits).into_iter().collect();
    merged.sort_unstable();
    assert_eq!(merged, [3, 4]);
    let weeks = weeks(&commits, Time(WEDNESDAY));
    assert_eq!(weeks.len(), 1);
    assert_eq!((&*weeks[0].week, weeks[0].by_loops, weeks[0].reviewed, weeks[0].by_loops_reviewed), ("2026-11-23", 80, 30, 30));
}

#[test]
fn what_comes_after_the_observation_is_left_out() {
    assert!(weeks(&[commit("a", &[], AGENT, &[], 3)], Time(WEDNESDAY - 1)).is_empty());
}

#[test]
fn weeks_begin_on_monday() {
    let day = |d| NaiveDate::from_ymd_opt(2026, 11, d).unwrap();
    assert_eq!([22, 23, 29, 30].map(|d| monday(day(d))), [16, 23, 23, 30].map(day));
}

#[test]
fn the_log_is_read() {
    let text = "\x1eaa\x1fbb cc\x1f1795608000\x1fAda ada@example.com\x1fBo bo@example.com\x1fReviewed-by: Bo <b@example.com>\x1dX: y\n\n\
                3\t1\tsrc/a.rs\n-\t-\tlogo.png\n40\t0\tname\twith tab\n\x1edd\x1f\x1fnever\x1f\x1f\x1f\n\x1eee\x1f\x1f1795608000\x1fA\x1fA\x1f\n";
    let commits = read(text);
    assert_eq!(commits.len(), 2);
    let first = &commits[0];
    assert_eq!((first.added, first.parents.len(), first.trailers.len(), first.at), (43, 2, 2, Time(WEDNESDAY)));
    assert_eq!((&*commits[1].hash, commits[1].added, commits[1].parents.len()), ("ee", 0, 0));
}
