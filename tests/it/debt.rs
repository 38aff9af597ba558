//! `--repo`: a real repository, made by git itself.

use crate::support::{program, triage};
use std::path::Path;
use std::process::Command;

fn git(dir: &Path, who: &str, args: &[&str]) {
    let day = "2026-11-25T12:00:00Z";
    let mail = format!("{}@example.com", who.to_lowercase());
    let status = Command::new("git")
        .arg("-C")
        .arg(dir)
        .args(["-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"])
        .args(args)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .envs([("GIT_AUTHOR_NAME", who), ("GIT_AUTHOR_EMAIL", &mail), ("GIT_COMMITTER_NAME", who), ("GIT_COMMITTER_EMAIL", &mail)])
        .envs([("GIT_AUTHOR_DATE", day), ("GIT_COMMITTER_DATE", day)])
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success(), "git {args:?}");
}

fn write(dir: &Path, name: &str, lines: usize) {
    std::fs::write(dir.join(name), "line\n".repeat(lines)).unwrap();
    git(dir, "Ada", &["add", "-A"]);
}

/// Ada writes 5 lines. Claude adds 40 that nobody reviews, 30 with a review in a trailer, and 20 on a branch that Ada merges.
/// By loops: 90. Reviewed: 50, all of them the loops'.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    git(dir, "Ada", &["init", "-q"]);
    write(dir, "base.txt", 5);
    git(dir, "Ada", &["commit", "-qm", "Begin"]);
    write(dir, "unread.txt", 40);
    git(dir, "Claude", &["commit", "-qm", "Add much"]);
    write(dir, "read.txt", 30);
    git(dir, "Claude", &["commit", "-qm", "Add less", "-m", "Reviewed-by: Ada <ada@example.com>"]);
    git(dir, "Ada", &["checkout", "-qb", "topic"]);
    write(dir, "merged.txt", 20);
    git(dir, "Claude", &["commit", "-qm", "Add on a branch"]);
    git(dir, "Ada", &["checkout", "-q", "-"]);
    git(dir, "Ada", &["merge", "-q", "--no-ff", "-m", "Merge topic", "topic"]);
    folder
}

fn runs() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let log = "{\"ts\":1795741200,\"iter\":1,\"event\":\"iter_start\",\"detail\":\"\"}\n{\"ts\":1795741230,\"iter\":1,\"event\":\"green\",\"detail\":\"done in 1\"}\n";
    std::fs::write(folder.path().join(".loop_log.jsonl"), log).unwrap();
    folder
}

#[test]
fn lines_by_loops_against_lines_reviewed() {
    let (repo, runs) = (repository(), runs());
    let at = repo.path().to_str().unwrap();
    let report = triage(runs.path(), "2026-11-29T08:00:00Z", &["--repo", at]);
    let week = serde_json::json!([{"week": "2026-11-23", "by_loops": 90, "reviewed": 50, "by_loops_reviewed": 50}]);
    assert_eq!(report["totals"]["understanding_debt"]["weeks"], week);
    let without = triage(runs.path(), "2026-11-29T08:00:00Z", &[]);
    assert_eq!(without["totals"].get("understanding_debt"), None);
}

#[test]
fn the_weekly_report_says_it_either_way() {
    let (repo, runs) = (repository(), runs());
    let out = tempfile::tempdir().unwrap();
    let write = |more: &[&str]| {
        let status = program()
            .args(["report", "--as-of", "2026-11-29T08:00:00Z", "--out"])
            .arg(out.path())
            .args(more)
            .arg(runs.path())
            .output()
            .unwrap()
            .status;
        assert!(status.success());
        ["index.html", "summary.md", "report.json"].map(|n| std::fs::read_to_string(out.path().join(n)).unwrap())
    };
    let [html, markdown, _] = write(&[]);
    assert!(html.contains("is not visible in any log") && markdown.contains("is not visible in any log"));
    let [html, markdown, json] = write(&["--repo", repo.path().to_str().unwrap()]);
    assert!(html.contains("<td class=\"n\">90</td>") && html.contains("loops added 90 lines"), "{html}");
    assert!(markdown.contains("| 2026-11-23 | 90 | 50 | 50 |") && markdown.contains("40 were in no reviewed commit"), "{markdown}");
    let document: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(crate::schemas::Validator::new("report").faults(&document), None);
}

#[test]
fn a_folder_without_a_repository_is_a_usage_error() {
    let runs = runs();
    let output = program().args(["triage", "--repo"]).arg(runs.path()).arg(runs.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("--repo") && said.contains("git"), "{said}");
}
