//! What git says of a repository: read-only, without its pager, its hooks, its helpers and its network.

use super::DebtError;
use crate::report::escape::visible;
use crate::report::redact::redact;
use crate::trace::Time;
use chrono::NaiveDate;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// A commit with the lines that it added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Commit {
    pub(super) hash: Box<str>,
    pub(super) parents: Vec<Box<str>>,
    /// When it was committed.
    pub(super) at: Time,
    /// Name and address of who wrote it.
    pub(super) author: Box<str>,
    /// Name and address of who committed it.
    pub(super) committer: Box<str>,
    /// Its trailers, one a piece: `Reviewed-by: …`.
    pub(super) trailers: Vec<Box<str>>,
    /// Lines added, binary files left out.
    pub(super) added: u64,
}

/// Between the fields of a commit, before each commit, and between its trailers.
const FIELD: char = '\x1f';
const RECORD: char = '\x1e';
const TRAILER: char = '\x1d';

fn command(dir: &Path) -> Command {
    let mut git = Command::new("git");
    git.arg("--no-pager").arg("-C").arg(dir);
    git.args(["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "log.showSignature=false", "-c", "log.mailmap=false"]);
    // The folder decides, not what surrounds the program; nothing is fetched and nobody is asked.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_TRACE"] {
        git.env_remove(variable);
    }
    git.env("GIT_NO_LAZY_FETCH", "1").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0").env("LC_ALL", "C");
    git.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    git
}

/// Whether the folder is a repository's, with a commit.
pub(super) fn ask(dir: &Path) -> Result<(), DebtError> {
    run(dir, command(dir).args(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])).map(|_| ())
}

/// The commits that HEAD leads to, since midnight of a day, newest first.
pub(super) fn log(dir: &Path, since: NaiveDate) -> Result<Vec<Commit>, DebtError> {
    let format = format!("--format={RECORD}%H{FIELD}%P{FIELD}%ct{FIELD}%an %ae{FIELD}%cn %ce{FIELD}%(trailers:only,unfold,separator=%x1d)");
    let mut git = command(dir);
    git.args(["log", "--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--diff-merges=off"]);
    git.arg(format!("--since={since}T00:00:00Z")).arg(format).args(["HEAD", "--"]);
    Ok(read(&run(dir, &mut git)?))
}

/// What git prints, or its first words where it fails.
fn run(dir: &Path, git: &mut Command) -> Result<String, DebtError> {
    let mut child = git.spawn().map_err(DebtError::NoGit)?;
    let mut complaint = child.stderr.take();
    // Two pipes: the one that nobody reads would hold git up.
    let listener = std::thread::spawn(move || {
        let mut text = Vec::new();
        complaint.as_mut().map(|pipe| pipe.read_to_end(&mut text));
        text
    });
    let mut out = Vec::new();
    if let Some(pipe) = child.stdout.as_mut() {
        pipe.read_to_end(&mut out).map_err(DebtError::NoGit)?;
    }
    let status = child.wait().map_err(DebtError::NoGit)?;
    let complaint = listener.join().unwrap_or_default();
    if status.success() {
        return Ok(String::from_utf8_lossy(&out).into_owned());
    }
    let said = String::from_utf8_lossy(&complaint);
    let said = said.lines().find(|l| !l.trim().is_empty()).unwrap_or("it is no git repository, or has no commit");
    let clean = |text: &str| visible(&redact(text)).into_owned();
    Err(DebtError::Refused { dir: clean(&dir.display().to_string()), reason: clean(said) })
}

/// Reads the log. What does not have its form is passed over.
pub(super) fn read(text: &str) -> Vec<Commit> {
    text.split(RECORD).skip(1).filter_map(commit).collect()
}

fn commit(record: &str) -> Option<Commit> {
    let (head, numbers) = record.split_once('\n').unwrap_or((record, ""));
    let mut fields = head.splitn(6, FIELD);
    let hash = fields.next()?.into();
    let parents = fields.next()?.split_whitespace().map(Into::into).collect();
    let at = Time(fields.next()?.parse::<i64>().ok()?.checked_mul(1_000)?);
    let (author, committer) = (fields.next()?.into(), fields.next()?.into());
    let trailers = fields.next()?.split(TRAILER).filter(|t| !t.trim().is_empty()).map(Into::into).collect();
    let added = numbers.lines().filter_map(|l| l.split_once('\t')?.0.parse::<u64>().ok()).sum();
    Some(Commit { hash, parents, at, author, committer, trailers, added })
}
