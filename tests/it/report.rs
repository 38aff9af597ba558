//! The weekly report from outside: its files, the window, the comparison, the budget.

use crate::support::{fixtures, program};
use serde_json::Value;
use std::path::Path;

const AS_OF: &str = "2026-11-29T08:00:00Z";

fn report(paths: &Path, out: &Path, more: &[&str]) -> std::process::Output {
    program().arg("report").arg(paths).arg("--out").arg(out).args(["--as-of", AS_OF]).args(more).output().unwrap()
}

fn json(out: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(out.join("report.json")).unwrap()).unwrap()
}

fn files(out: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![out.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push((path.strip_prefix(out).unwrap().display().to_string(), std::fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_same_bytes_for_one_thread_or_two() {
    let dir = tempfile::tempdir().unwrap();
    let of = |name: &str, threads: &str, pinned: bool| {
        let out = dir.path().join(name);
        let mut command = program();
        command.arg("report").arg(fixtures().join("overnight")).arg("--out").arg(&out).args(["--threads", threads]);
        if pinned {
            command.args(["--as-of", AS_OF]);
        } else {
            command.env("SOURCE_DATE_EPOCH", "1795939200");
        }
        assert_eq!(command.output().unwrap().status.code(), Some(0));
        files(&out)
    };
    let one = of("one", "1", true);
    assert!(one.len() >= 4);
    assert!(one == of("two", "2", true) && one == of("epoch", "2", false));
    let policy = dir.path().join("p.toml");
    std::fs::write(&policy, "[forbid]\nhealth = ['failing']\n[max]\ntotal_usd = 1\nwaste_usd = 1\n").unwrap();
    let check = |threads: &str| {
        let junit = dir.path().join(format!("{threads}.xml"));
        let mut command = program();
        command.args(["check", "--json", "--as-of", AS_OF, "--threads", threads, "--policy"]).arg(&policy).arg("--junit").arg(&junit);
        (command.arg(fixtures().join("overnight")).output().unwrap().stdout, std::fs::read(junit).unwrap())
    };
    assert!(check("1") == check("2"));
}

/// Worked out by hand from the fixtures' own expectations: three runs succeed; of the money $17.47 went into one runaway, two
/// runs died, three were blocked by one outage.
#[test]
fn the_first_screen_says_what_happened() {
    let dir = tempfile::tempdir().unwrap();
    let output = report(&fixtures().join("overnight"), dir.path(), &[]);
    assert_eq!(output.status.code(), Some(0));
    let head = &json(dir.path())["headline"];
    assert_eq!((head["runs"].as_u64(), head["greens"].as_u64()), (Some(18), Some(3)));
    let spent: f64 = head["spent"]["usd"].as_str().unwrap().parse().unwrap();
    let per: f64 = head["cost_per_green"]["usd"].as_str().unwrap().parse().unwrap();
    assert!((per * 3.0 - spent).abs() < 1e-9);
    assert_eq!(head["cost_per_green"]["status"], "at_least");
    let causes: Vec<(&str, usize)> =
        head["causes"].as_array().unwrap().iter().map(|c| (c["cause"].as_str().unwrap(), c["runs"].as_array().unwrap().len())).collect();
    assert_eq!(causes[..3], [("runaway", 1), ("silent_death", 2), ("blocked", 3)]);
    assert_eq!(causes.iter().map(|(_, n)| n).sum::<usize>() as u64, head["failing"].as_u64().unwrap());
    // The dearest green run cost $2.53: twice that, the next sum that is tried is $10, and the runaway spent $17.47.
    let guard = &head["guard"];
    assert_eq!((guard["cause"].as_str(), guard["setting"].as_str()), (Some("runaway"), Some("costUsd: 10")));
    let saved: f64 = guard["saving"]["usd"].as_str().unwrap().parse().unwrap();
    assert!(saved > 7.0 && saved < 7.48, "{saved}");
    let html = std::fs::read_to_string(dir.path().join("index.html")).unwrap();
    for words in [
        "Spent",
        "Wasted",
        "3 of 18",
        "Cost per green",
        "Top causes",
        "One guard to set",
        "Common cause",
        "prices of",
        "Thresholds in force",
    ] {
        assert!(html.contains(words), "{words}");
    }
}

/// Nothing in the page asks for anything outside of it, and the policy names what may run by its hash.
#[test]
fn the_page_is_one_file() {
    let dir = tempfile::tempdir().unwrap();
    report(&fixtures().join("overnight"), dir.path(), &[]);
    let html = std::fs::read_to_string(dir.path().join("index.html")).unwrap();
    assert!(html.contains("default-src 'none'; style-src 'sha256-") && !html.contains("unsafe-inline"));
    for outside in ["src=", "<link", "@import", "url(", "<iframe", "<base", "href=\"http", " style=\"", " onclick"] {
        assert!(!html.contains(outside), "{outside}");
    }
    // Every link leads to a section that is there, once.
    let mut links = 0;
    for part in html.split("href=\"#").skip(1) {
        let anchor = part.split('"').next().unwrap();
        assert_eq!(html.matches(&format!("id=\"{anchor}\"")).count(), 1, "{anchor}");
        links += 1;
    }
    assert!(links > 18);
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).map(|p| p.split('"').next().unwrap()).collect();
    let n = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), n, "an id stands twice");
    assert!(html.len() < 2 << 20, "{} bytes", html.len());
}

#[test]
fn since_leaves_out_what_is_older_and_says_so() {
    let dir = tempfile::tempdir().unwrap();
    // Two sessions of the fixtures ended before 2026-11-28 08:00.
    report(&fixtures().join("overnight"), dir.path(), &["--since", "24h"]);
    let document = json(dir.path());
    let since = &document["since"];
    assert_eq!((since["from"].as_str(), since["to"].as_str()), (Some("2026-11-28T08:00:00Z"), Some(AS_OF)));
    let out: Vec<&str> = since["left_out"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
    assert_eq!(out, ["7e80b23c-1e5e-577c-a4d6-5661fff7d885", "ecc854c0-28cc-5295-b0be-64bdd6d32437", "price-feed"]);
    assert_eq!(document["totals"]["runs"], 15);
    let summary = std::fs::read_to_string(dir.path().join("summary.md")).unwrap();
    assert!(summary.contains("3 runs outside that time left out"), "{summary}");
    assert!(std::fs::read_to_string(dir.path().join("index.html")).unwrap().contains("3 runs outside that time left out"));
    // Only the run that is still at work; then none.
    let output = report(&fixtures().join("overnight"), dir.path(), &["--since", "5m"]);
    assert_eq!((output.status.code(), json(dir.path())["totals"]["runs"].as_u64()), (Some(0), Some(1)));
    let output = report(&fixtures().join("overnight"), dir.path(), &["--since", "1s"]);
    assert_eq!((output.status.code(), json(dir.path())["totals"]["runs"].as_u64()), (Some(3), Some(0)));
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("\n18 runs outside that time left out\n"), "{said}");
    // Held against a week with runs, an empty one is neither better nor worse.
    let old = tempfile::tempdir().unwrap();
    report(&fixtures().join("overnight"), old.path(), &[]);
    let compared = old.path().join("report.json");
    let output = report(&fixtures().join("overnight"), dir.path(), &["--since", "1s", "--compare", compared.to_str().unwrap()]);
    let c = &json(dir.path())["comparison"];
    assert_eq!((output.status.code(), c["vanished_causes"].as_array().unwrap().len()), (Some(3), 0));
    assert!(c["figures"].as_array().unwrap().iter().all(|f| f["change"].is_null()), "{c}");
    assert!(c["notes"].as_array().unwrap().iter().any(|n| n == "this report holds no runs: nothing is compared"), "{c}");
    let later = report(&fixtures().join("overnight"), dir.path(), &["--since", "2026-11-30"]);
    assert_eq!(later.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&later.stderr).contains("--since: 2026-11-30T00:00:00Z lies after the observation time"));
    let wrong = report(&fixtures().join("overnight"), dir.path(), &["--since", "last week"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("no time; write 2026-11-22"));
}

fn log(folder: &Path, run: &str, rows: &[(i64, u32, &str, &str)]) {
    std::fs::create_dir_all(folder.join(run)).unwrap();
    let text: String = rows
        .iter()
        .map(|(at, iter, event, more)| format!("{{\"ts\":{},\"iter\":{iter},\"event\":\"{event}\"{more}}}\n", 1_764_460_800 + at))
        .collect();
    std::fs::write(folder.join(run).join("loop_log.jsonl"), text).unwrap();
}

/// Two weeks written by hand: the first has a green of $2 and a stuck run of $4, the second two greens of $1 and $1.50.
#[test]
fn week_over_week_by_hand() {
    let dir = tempfile::tempdir().unwrap();
    let (first, second) = (dir.path().join("1"), dir.path().join("2"));
    let green = |usd: &'static str| [(0, 1, "iter_start", ""), (10, 1, "model_call", usd), (60, 2, "iter_start", ""), (70, 2, "green", "")];
    log(&first, "a", &green(",\"cost_usd\":2"));
    let same = ",\"detail\":\"FAILED a::t\",\"cost_usd\":1";
    let stuck: Vec<(i64, u32, &str, &str)> =
        (1..=4).map(|k| (i64::from(k) * 60, k, "agent_call", same)).chain([(300, 5, "stuck", "")]).collect();
    log(&first, "b", &stuck);
    log(&second, "a", &green(",\"cost_usd\":1"));
    log(&second, "b", &green(",\"cost_usd\":1.5"));
    let (old, new) = (dir.path().join("old"), dir.path().join("new"));
    assert_eq!(report(&first, &old, &[]).status.code(), Some(0));
    let compared = old.join("report.json");
    report(&second, &new, &["--compare", compared.to_str().unwrap()]);
    let c = &json(&new)["comparison"];
    let figure = |name: &str| c["figures"].as_array().unwrap().iter().find(|f| f["figure"] == name).unwrap().clone();
    let spent = figure("spent");
    assert_eq!((spent["before"].as_str(), spent["after"].as_str(), spent["change"]["by"].as_str()), (Some("6"), Some("2.5"), Some("-3.5")));
    let greens = figure("greens");
    assert_eq!(
        (greens["before"].as_u64(), greens["after"].as_u64(), greens["change"]["direction"].as_str()),
        (Some(1), Some(2), Some("better"))
    );
    let per = figure("cost per green");
    assert_eq!(
        (per["before"].as_str(), per["after"].as_str(), per["change"]["direction"].as_str()),
        (Some("6"), Some("1.25"), Some("better"))
    );
    assert_eq!(c["by_mode"]["stuck"], serde_json::json!({"before": 1, "after": 0}));
    assert_eq!((c["new_causes"].as_array().unwrap().len(), &c["vanished_causes"]), (0, &serde_json::json!(["stuck"])));
    assert_eq!((c["common_runs"].as_u64(), c["moved"].as_array().unwrap().len()), (Some(2), 1));
    assert_eq!(c["moved"][0], serde_json::json!({"run": "b", "before": "non_convergent, stuck", "after": "succeeded"}));
    for file in ["index.html", "summary.md"] {
        let text = std::fs::read_to_string(new.join(file)).unwrap();
        assert!(text.contains("−$3.50 (−58 %)"), "{file}: {text}");
    }
    // The output of `triage --json` serves as well.
    let triage = program().args(["triage", "--json", "--as-of", AS_OF]).arg(&first).output().unwrap().stdout;
    std::fs::write(dir.path().join("triage.json"), triage).unwrap();
    report(&second, &new, &["--compare", dir.path().join("triage.json").to_str().unwrap()]);
    let again = &json(&new)["comparison"];
    assert_eq!((&again["figures"], &again["moved"]), (&c["figures"], &c["moved"]));
    let wrong = report(&second, &new, &["--compare", second.join("a/loop_log.jsonl").to_str().unwrap()]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("loop_log.jsonl"), "{}", String::from_utf8_lossy(&wrong.stderr));
}

/// A summary beyond a mebibyte would be dropped as a whole.
#[test]
fn a_summary_of_very_many_runs_stays_within_its_budget() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    let detail = format!("FAILED {}", "tests/a_long_module_name.py::test_with_a_long_name ".repeat(6));
    for n in 0..700 {
        let more = format!(",\"detail\":\"{n} {detail}\"");
        let rows: Vec<(i64, u32, &str, &str)> = (1..=5).map(|k| (i64::from(k) * 60, k, "agent_call", more.as_str())).collect();
        log(&runs, &format!("loop-with-a-name-{n:04}"), &rows);
    }
    let out = dir.path().join("out");
    assert_eq!(report(&runs, &out, &[]).status.code(), Some(0));
    let summary = std::fs::read_to_string(out.join("summary.md")).unwrap();
    assert!(summary.len() <= 900 << 10, "{} bytes", summary.len());
    assert!(summary.contains("> Cut to stay within 900 KiB: the sections of "), "{}", &summary[summary.len() - 2000..]);
    assert!(summary.contains("What these figures rest on"));
    // Whole sections: each that is opened is closed.
    assert_eq!(summary.matches("<details>").count(), summary.matches("</details>").count());
    let html = std::fs::read_to_string(out.join("index.html")).unwrap();
    assert!(html.len() < 12 << 20, "{} bytes", html.len());
    assert!(html.contains("To keep this file small"));
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let output = report(&fixtures().join("overnight"), &file.join("out"), &[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--out: "), "{}", String::from_utf8_lossy(&output.stderr));
}
