//! `--repo`: what a repository's history shows of the understanding debt.

use anyhow::Context as _;
use loopmortem::fleet::debt::Repo;
use loopmortem::report::model::UnderstandingDebt;
use loopmortem::trace::Time;
use std::path::Path;

/// What cannot be read shall show before the long run, not after it.
pub(crate) fn open(dir: Option<&Path>) -> anyhow::Result<Option<Repo>> {
    dir.map(Repo::open).transpose().context("--repo")
}

/// The debt since the first run's week.
pub(crate) fn of(repo: Option<&Repo>, began: Option<Time>, as_of: Time) -> anyhow::Result<Option<UnderstandingDebt>> {
    repo.map(|r| r.debt(began, as_of)).transpose().context("--repo")
}

/// The earlier of two times, where they are known.
pub(crate) fn earlier(a: Option<Time>, b: Option<Time>) -> Option<Time> {
    a.into_iter().chain(b).min()
}
