//! Which runs a baseline is about.

use super::Baseline;
use std::collections::BTreeSet;

/// Which task of a baseline each run belongs to. A run is of a task that its id names (`billing-fix/2026-11-28` is of
/// `Billing fix`); where no run at all is named so and the baseline has one task, all runs are taken for it: whoever
/// holds a folder against a baseline says so.
#[derive(Debug, Clone)]
pub struct Assignment {
    tasks: Vec<(String, String)>,
    /// The task of every run, where ids name none.
    all: Option<String>,
}

impl Assignment {
    /// Looks at all ids that there are.
    #[must_use]
    pub fn new<'a>(baseline: &Baseline, ids: impl IntoIterator<Item = &'a str>) -> Self {
        let names: BTreeSet<&str> = baseline.runs.iter().map(|r| baseline.task_of(r)).collect();
        let mut tasks: Vec<(String, String)> = names.into_iter().map(|t| (plain(t), t.to_owned())).filter(|(p, _)| p.len() > 2).collect();
        // The longest name that fits is the one that is meant.
        tasks.sort_by_key(|(plain, _)| std::cmp::Reverse(plain.len()));
        let mut found = Self { tasks, all: None };
        if !ids.into_iter().any(|id| found.named(id).is_some()) {
            let mut names = baseline.runs.iter().map(|r| baseline.task_of(r));
            let first = names.next();
            found.all = first.filter(|f| names.all(|n| n == *f)).map(ToOwned::to_owned);
        }
        found
    }

    /// The task of a run.
    #[must_use]
    pub fn of(&self, id: &str) -> Option<&str> {
        self.all.as_deref().or_else(|| self.named(id))
    }

    /// No id names a task, so that all runs are taken for the only one.
    #[must_use]
    pub fn is_assumed(&self) -> bool {
        self.all.is_some()
    }

    fn named(&self, id: &str) -> Option<&str> {
        let id = plain(id);
        self.tasks.iter().find(|(plain, _)| id.contains(plain.as_str())).map(|(_, task)| task.as_str())
    }
}

/// Letters and digits, with one dash between words and at both ends: a task's name fits whole words only.
fn plain(text: &str) -> String {
    let mut out = String::from("-");
    for c in text.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    if !out.ends_with('-') {
        out.push('-');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::baseline::Run;

    fn baseline(tasks: &[&str]) -> Baseline {
        let runs = tasks.iter().map(|t| Run { task: Some((*t).to_owned()), ..Run::default() }).collect();
        Baseline { task: "file".into(), repo_sha: None, who: None, date: None, harness: None, models: vec![], runs }
    }

    #[test]
    fn a_name_fits_whole_words() {
        let a = Assignment::new(&baseline(&["Billing fix", "billing"]), ["x/billing-fix/2026-11-28", "billing#3", "rebilling", "other"]);
        assert_eq!(
            ["x/billing-fix/2026-11-28", "billing#3", "rebilling", "other"].map(|id| a.of(id)),
            [Some("Billing fix"), Some("billing"), None, None]
        );
        assert!(!a.is_assumed());
    }

    #[test]
    fn without_a_name_the_only_task_is_meant() {
        let one = Assignment::new(&baseline(&["tax import", "tax import"]), ["run-1", "run-2"]);
        assert_eq!((one.of("run-1"), one.is_assumed()), (Some("tax import"), true));
        let two = Assignment::new(&baseline(&["a task", "b task"]), ["run-1"]);
        assert_eq!((two.of("run-1"), two.is_assumed()), (None, false));
    }
}
