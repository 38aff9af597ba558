//! Understanding debt: the repository grows faster than anyone reads it. No log shows it. Git's history holds the only proxy
//! there is: the lines that loops added, week by week, against the lines of commits that a person reviewed.

mod git;
mod who;

use crate::report::model::{DebtWeek, UnderstandingDebt};
use crate::trace::Time;
use chrono::{DateTime, Datelike, Days, NaiveDate};
use git::Commit;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Why a repository's history cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DebtError {
    /// Git cannot be run.
    #[error("git cannot be run: {0}")]
    NoGit(std::io::Error),
    /// Git says no.
    #[error("{dir}: {reason}")]
    Refused {
        /// The folder.
        dir: String,
        /// Git's own words.
        reason: String,
    },
}

/// Weeks that are looked at where no run says when it began.
const WEEKS: u64 = 8;

/// A repository whose history can be read.
pub struct Repo(PathBuf);

impl Repo {
    /// Asks git whether the folder is a repository's.
    ///
    /// # Errors
    /// Where git is not there, or says that it is none.
    pub fn open(dir: &Path) -> Result<Self, DebtError> {
        git::ask(dir)?;
        Ok(Self(dir.to_owned()))
    }

    /// The debt from the week of `from` (the first run's start) up to `to`. Weeks begin on Monday, in UTC.
    ///
    /// # Errors
    /// Where git fails.
    pub fn debt(&self, from: Option<Time>, to: Time) -> Result<UnderstandingDebt, DebtError> {
        let until = date(to);
        let first = from.map_or_else(|| until.checked_sub_days(Days::new(7 * WEEKS)).unwrap_or(until), date);
        let commits = git::log(&self.0, monday(first))?;
        Ok(UnderstandingDebt { repo: self.0.display().to_string().into(), weeks: weeks(&commits, to) })
    }
}

fn date(at: Time) -> NaiveDate {
    DateTime::from_timestamp_millis(at.0).map_or(NaiveDate::MIN, |t| t.date_naive())
}

fn monday(day: NaiveDate) -> NaiveDate {
    day.checked_sub_days(Days::new(u64::from(day.weekday().num_days_from_monday()))).unwrap_or(day)
}

/// Lines by week. A commit of a loop that a person reviewed counts on both sides.
fn weeks(commits: &[Commit], to: Time) -> Vec<DebtWeek> {
    let merged = merged_by_persons(commits);
    let mut weeks: BTreeMap<NaiveDate, DebtWeek> = BTreeMap::new();
    for (k, commit) in commits.iter().enumerate().filter(|(_, c)| c.at <= to) {
        let by_loop = who::of_a_loop(commit);
        let reviewed = merged.contains(&k) || who::reviewed(commit);
        let monday = monday(date(commit.at));
        let week = weeks.entry(monday).or_insert_with(|| DebtWeek { week: monday.to_string().into(), ..DebtWeek::default() });
        week.by_loops += if by_loop { commit.added } else { 0 };
        week.reviewed += if reviewed { commit.added } else { 0 };
        week.by_loops_reviewed += if by_loop && reviewed { commit.added } else { 0 };
    }
    weeks.into_values().collect()
}

/// Commits that came in by a merge that a person made: those that only the merge's further parents lead to. Each commit is
/// looked at once.
fn merged_by_persons(commits: &[Commit]) -> HashSet<usize> {
    let known: HashMap<&str, usize> = commits.iter().enumerate().map(|(k, c)| (&*c.hash, k)).collect();
    let mut line = Vec::new();
    let mut next = (!commits.is_empty()).then_some(0);
    while let Some(k) = next {
        line.push(k);
        next = commits.get(k).and_then(|c| known.get(&**c.parents.first()?).copied()).filter(|n| *n != k);
    }
    let mut seen: HashSet<usize> = line.iter().copied().collect();
    let mut found = HashSet::new();
    // The oldest merge that brings a commit is the one that counts.
    for merge in line.into_iter().rev().filter_map(|k| commits.get(k)).filter(|c| c.parents.len() > 1) {
        let mut open: Vec<usize> = merge.parents.iter().skip(1).filter_map(|p| known.get(&**p).copied()).collect();
        while let Some(k) = open.pop() {
            if seen.insert(k)
                && let Some(commit) = commits.get(k)
            {
                if who::is_person(&merge.author) {
                    found.insert(k);
                }
                open.extend(commit.parents.iter().filter_map(|p| known.get(&**p).copied()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
