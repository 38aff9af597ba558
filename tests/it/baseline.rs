//! `baseline record`, `baseline compare` and `--baseline`, from outside.

use crate::support::{fixtures, program};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

const AS_OF: &str = "2026-11-29T08:00:00Z";

struct Said {
    code: i32,
    out: String,
    err: String,
}

impl Said {
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {} {}", self.out, self.err))
    }
}

fn run(folder: &Path, args: &[&str]) -> Said {
    let output = program().current_dir(folder).args(args).args(["--as-of", AS_OF]).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

fn by_hand() -> String {
    fixtures().join("baseline/by-hand").display().to_string()
}

/// A loop's log with `reds` red iterations of one model call each, green at the end or not.
fn log(reds: u32, green: bool, usd: &str) -> String {
    let mut text = String::new();
    for k in 1..=reds + u32::from(green) {
        let ts = 1_795_900_000 + k * 100;
        let _ = writeln!(text, "{{\"ts\":{ts},\"iter\":{k},\"event\":\"iter_start\",\"detail\":\"\"}}");
        if k > reds {
            let _ = writeln!(text, "{{\"ts\":{},\"iter\":{k},\"event\":\"green\",\"detail\":\"done in {k}\"}}", ts + 5);
            return text;
        }
        // Each failure twice: neither stuck nor a random walk.
        let _ = writeln!(
            text,
            "{{\"ts\":{},\"iter\":{k},\"event\":\"agent_call\",\"detail\":\"FAILED tests/test_{}.py::test_x - assert 1 == 2\"}}",
            ts + 5,
            char::from(b'a' + u8::try_from(k / 2).unwrap())
        );
        if !usd.is_empty() {
            let _ = writeln!(
                text,
                "{{\"ts\":{},\"iter\":{k},\"event\":\"model_call\",\"detail\":\"\",\"model\":\"own-model\",\"tokens_in\":900,\"tokens_out\":100,\"cost_usd\":{usd}}}",
                ts + 60
            );
        }
    }
    let _ = writeln!(text, "{{\"ts\":{},\"iter\":{reds},\"event\":\"iter_limit\",\"detail\":\"\"}}", 1_795_900_090 + reds * 100);
    text
}

fn put(folder: &Path, name: &str, text: &str) {
    let folder = folder.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("loop_log.jsonl"), text).unwrap();
}

fn write(folder: &Path, name: &str, value: &Value) {
    std::fs::write(folder.join(name), value.to_string()).unwrap();
}

fn findings<'r>(report: &'r Value, id: &str) -> Vec<(&'r str, Option<&'r str>)> {
    let run = report["runs"].as_array().unwrap().iter().find(|r| r["run"] == id).unwrap_or_else(|| panic!("no {id}: {report}"));
    run["findings"].as_array().unwrap().iter().map(|f| (f["kind"].as_str().unwrap(), f["variant"].as_str())).collect()
}

#[test]
fn the_bundled_baseline_is_what_record_writes() {
    let dir = tempfile::tempdir().unwrap();
    let said = run(
        dir.path(),
        &["baseline", "record", &by_hand(), "--task", "report-export-rewrite", "--human-minutes", "18", "--repo-sha", "8f2c41d09be7"],
    );
    assert_eq!(said.code, 0, "{}", said.err);
    let mut bundled: Value = serde_json::from_str(&std::fs::read_to_string(fixtures().join("overnight-baseline.json")).unwrap()).unwrap();
    assert_eq!(bundled["runs"][0]["check"].take()["repeats"], 10);
    assert_eq!(said.json(), bundled);
    // Worked out from the transcript: 16 calls of 6 uncached tokens; 96 x 3 + 645,800 x 0.3 + 35,700 x 3.75 + 6,420 x 15
    // dollars a million; 921 s from the first record to the last, less the one pause of 412 s.
    let one = &bundled["runs"][0];
    assert_eq!((one["calls"].as_u64(), one["tool_calls"].as_u64(), one["iterations"].as_u64()), (Some(16), Some(13), Some(6)));
    assert_eq!((one["cost"]["usd"].as_str(), one["outcome"].as_str()), (Some("0.424203"), Some("succeeded")));
    assert_eq!((one["wall_s"].as_f64(), one["active_s"].as_f64(), one["human_s"].as_f64()), (Some(921.0), Some(509.0), Some(1080.0)));
    // Five files fail at first; footers in all four reds.
    let errors = one["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 5);
    assert_eq!(
        errors[0],
        json!({"signature": "FAILED tests/export/test_footers.py::test_matches_old_report - AssertionError: cells differ", "count": 4})
    );
}

#[test]
fn the_readme_has_the_figure_of_the_night() {
    let root = fixtures().join("..");
    let said = run(&root, &["--json", "fixtures/overnight", "--baseline", "fixtures/overnight-baseline.json"]);
    let report = said.json();
    let runs = report["runs"].as_array().unwrap();
    let with: Vec<&Value> = runs.iter().filter(|r| !r["baseline"].is_null()).collect();
    assert_eq!(with.len(), 1, "one run is named after the task");
    let b = &with[0]["baseline"];
    // $17.474... over $0.424203; tokens 5,197,807 over 688,016
    let ratio = b["usd"]["ratio"].as_f64().unwrap();
    assert!(b["anomaly"] == true && b["usd"]["low"].is_null() && b["usd"]["high"].is_null());
    assert!((b["tokens"]["ratio"].as_f64().unwrap() - 5_197_807.0 / 688_016.0).abs() < 1e-4);
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.contains(&format!("spent {ratio:.1} times")), "{ratio}");
    let table = run(&root, &["fixtures/overnight", "--baseline", "fixtures/overnight-baseline.json", "--width", "132"]).out;
    assert!(table.contains("by hand") && table.contains(&format!("{ratio:.1}x $")), "{table}");
    let explained = run(&root, &["explain", "report-export", "fixtures/overnight", "--baseline", "fixtures/overnight-baseline.json"]).out;
    assert!(explained.contains(&format!("against 1 run by hand of report-export-rewrite: money {ratio:.2}x")), "{explained}");
}

#[test]
fn nothing_is_executed_without_check_and_the_check_as_often_as_asked() {
    let dir = tempfile::tempdir().unwrap();
    let seen = dir.path().join("seen");
    let record = ["baseline", "record", &by_hand(), "--task", "t"];
    assert_eq!(run(dir.path(), &record).code, 0);
    assert!(!seen.exists());
    // The second of three fails.
    let cmd = "echo x >> seen; [ $(wc -l < seen) -ne 2 ] || { echo 'FAILED tests/a.py::b - 17 of 20'; exit 1; }";
    let said = run(dir.path(), &[&record[..], &["--check", cmd, "--repeat", "3"]].concat());
    assert_eq!(std::fs::read_to_string(&seen).unwrap(), "x\nx\nx\n");
    let report = said.json();
    let check = &report["runs"][0]["check"];
    assert_eq!((check["repeats"].as_u64(), check["passes"].as_u64()), (Some(3), Some(2)));
    assert_eq!(check["flake_signatures"], json!(["FAILED tests/a.py::b - # of #"]));
    assert_eq!(check["durations_s"].as_array().unwrap().len(), 3);
    // 1 of 3: (1 - p)^3 + 3 p (1 - p)^2 is 5 % at p = 86.5 %
    assert!(said.err.contains("executing `echo x") && said.err.contains("86.5 %"), "{}", said.err);
    let elsewhere = tempfile::tempdir().unwrap();
    let cwd = elsewhere.path().display().to_string();
    run(dir.path(), &[&record[..], &["--check", "touch here", "--repeat", "1", "--cwd", &cwd]].concat());
    assert!(elsewhere.path().join("here").exists() && !dir.path().join("here").exists());
    assert_eq!(run(dir.path(), &[&record[..], &["--repeat", "3"]].concat()).code, 2);
}

#[test]
fn runs_are_added_and_nothing_else_is_overwritten() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    put(dir.path(), "first", &log(3, true, "0.25"));
    put(dir.path(), "second", &log(4, true, "0.25"));
    let record =
        |log: &str, more: &[&str]| run(dir.path(), &[&["baseline", "record", log, "--task", "t", "--out", "b.json"], more].concat());
    assert_eq!(record("first", &[]).code, 0);
    let once = std::fs::read(at("b.json")).unwrap();
    let again = record("first", &[]);
    assert_eq!((again.code, std::fs::read(at("b.json")).unwrap() == once), (2, true));
    assert!(again.err.contains("first is in the baseline already"), "{}", again.err);
    assert_eq!(record("second", &["--who", "me"]).code, 0);
    let both: Value = serde_json::from_slice(&std::fs::read(at("b.json")).unwrap()).unwrap();
    // 3 x 0.25 and 4 x 0.25
    assert_eq!([&both["runs"][0]["cost"]["usd"], &both["runs"][1]["cost"]["usd"]], ["0.75", "1"]);
    assert_eq!((both["runs"][0]["cost"]["source"].as_str(), both["runs"][0]["cost"]["snapshot"].as_str()), (Some("reported"), None));
    std::fs::write(at("b.json"), "{\"notes\": 1}").unwrap();
    let other = record("second", &[]);
    assert_eq!((other.code, std::fs::read_to_string(at("b.json")).unwrap().as_str()), (2, "{\"notes\": 1}"));
    assert!(other.err.contains("b.json:1: unknown key `notes`"), "{}", other.err);
    assert_eq!(run(dir.path(), &["baseline", "record", "none", "--task", "t"]).code, 3);
    assert_eq!(run(dir.path(), &["baseline", "record", "first", "--task", "t", "--date", "soon"]).code, 2);
}

#[test]
fn a_run_far_above_the_baseline_is_an_anomaly_and_a_runaway() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "night/dear", &log(12, false, "0.05"));
    put(dir.path(), "night/fair", &log(12, false, "0.01"));
    let baseline = json!({"schema": "baseline/1", "task": "t", "runs": [{"calls": 10, "cost": {"usd": "0.2"}, "tokens": null}]});
    write(dir.path(), "b.json", &baseline);
    let report = run(dir.path(), &["--json", "night", "--baseline", "b.json"]).json();
    // 12 x 0.05 = 0.6, three times 0.2 to the cent; 12 x 0.01 is less.
    let dear = findings(&report, "dear");
    assert!(dear.contains(&("runaway", Some("baseline"))) && dear.contains(&("baseline_anomaly", Some("usd"))), "{dear:?}");
    assert!(findings(&report, "fair").iter().all(|f| !matches!(f.0, "runaway" | "baseline_anomaly")));
    let b = &report["runs"][0]["baseline"];
    assert_eq!(b["usd"], json!({"ratio": 3.0, "low": null, "high": null}));
    assert_eq!(b["tokens"], json!({"ratio": null, "low": null, "high": null}));
    assert_eq!((b["calls"]["ratio"].as_f64(), b["anomaly"].as_bool()), (Some(1.2), Some(true)));
    let quiet = run(dir.path(), &["--json", "night", "--baseline", "b.json", "--baseline-anomaly", "4", "--runaway-baseline", "4"]).json();
    assert!(findings(&quiet, "dear").iter().all(|f| !matches!(f.0, "runaway" | "baseline_anomaly")));
    // Several manual runs give the ratio an interval; the configuration names the file for every call.
    let twice = json!({"schema": "baseline/1", "task": "t", "runs": [{"cost": {"usd": "0.2"}}, {"cost": {"usd": "0.3"}}]});
    write(dir.path(), "twice.json", &twice);
    std::fs::write(dir.path().join("loopmortem.toml"), "baseline = \"twice.json\"\n").unwrap();
    let usd = run(dir.path(), &["--json", "night"]).json()["runs"][0]["baseline"]["usd"].clone();
    let part = |key: &str| usd[key].as_f64().unwrap();
    assert!(part("ratio") == 2.4 && part("low") < 2.4 && part("high") > 2.4, "{usd}");
    let bad = run(dir.path(), &["night", "--baseline", "night/dear/loop_log.jsonl"]);
    assert!(bad.code == 2 && bad.err.contains("loop_log.jsonl:"), "{}", bad.err);
}

#[test]
fn with_neither_cost_nor_tokens_the_calls_decide() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "night/plain", &log(12, false, ""));
    for (calls, hit) in [(4, true), (5, false)] {
        write(dir.path(), "b.json", &json!({"schema": "baseline/1", "task": "t", "runs": [{"calls": calls}]}));
        let report = run(dir.path(), &["--json", "night", "--baseline", "b.json"]).json();
        assert_eq!(findings(&report, "plain").contains(&("runaway", Some("length"))), hit, "{calls}");
    }
}

#[test]
fn a_run_far_above_its_own_loop_is_a_runaway() {
    let dir = tempfile::tempdir().unwrap();
    // The one that was never green comes first, and none of the others is known before it.
    put(dir.path(), "job-000", &log(12, false, "0.05"));
    for k in 1..=19 {
        put(dir.path(), &format!("job-{k:03}"), &log(2, true, "0.10"));
    }
    let paths = ["--json", "."];
    assert!(findings(&run(dir.path(), &paths).json(), "job-000").iter().all(|f| f.0 != "runaway"));
    put(dir.path(), "job-020", &log(2, true, "0.10"));
    // 12 x 0.05 = 0.60, three times the median of 0.20
    let report = run(dir.path(), &paths).json();
    assert!(findings(&report, "job-000").contains(&("runaway", Some("peers"))), "{report}");
    let one = run(dir.path(), &["--json", ".", "--threads", "1"]).out;
    assert_eq!(one, run(dir.path(), &["--json", ".", "--threads", "4"]).out);
    assert!(run(dir.path(), &["explain", "job-000", "."]).out.contains("runaway/peers"));
    // Another loop's green runs say nothing about it.
    std::fs::rename(dir.path().join("job-000"), dir.path().join("other-000")).unwrap();
    assert!(findings(&run(dir.path(), &paths).json(), "other-000").iter().all(|f| f.0 != "runaway"));
}

#[test]
fn a_loop_that_usually_takes_long_may_take_long() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "job-000", &log(12, false, "0.50"));
    // $6 are above the fallback of 3.
    let runaway = |report: &Value| findings(report, "job-000").iter().any(|f| f.0 == "runaway");
    assert!(runaway(&run(dir.path(), &["--json", "."]).json()));
    for k in 1..=20 {
        put(dir.path(), &format!("job-{k:03}"), &log(14, true, "0.40"));
    }
    // 95 % of the green runs take 15 iterations, and a median of 5.60.
    assert!(!runaway(&run(dir.path(), &["--json", "."]).json()));
}

#[test]
fn loops_are_compared_and_the_gate_needs_an_interval() {
    let dir = tempfile::tempdir().unwrap();
    for k in 0..12_u32 {
        put(dir.path(), &format!("night/t-{k:02}"), &log(4 + k % 2, true, "0.10"));
    }
    let runs: Vec<Value> =
        (0..12).map(|k| json!({"calls": 1, "iterations": 2, "outcome": "succeeded", "cost": {"usd": format!("0.1{}", k % 3)}})).collect();
    write(dir.path(), "many.json", &json!({"schema": "baseline/1", "task": "t", "runs": runs}));
    write(dir.path(), "one.json", &json!({"schema": "baseline/1", "task": "t", "runs": [runs[0]]}));
    let compare = |base: &str, paths: &str, more: &[&str]| run(dir.path(), &[&["baseline", "compare", base, paths], more].concat());
    let report = compare("many.json", "night", &["--json"]);
    let report = report.json();
    assert_eq!((report["schema"].as_str(), report["schema_version"].as_str()), (Some("loopmortem/baseline-compare"), Some("1.0")));
    let row = |measure: &str, per: &str| {
        report["rows"].as_array().unwrap().iter().find(|r| r["measure"] == measure && r["per"] == per).unwrap().clone()
    };
    // Loops: 0.4 and 0.5 in turns, 0.45 in the mean; by hand 0.10, 0.11, 0.12, 0.11 in the mean.
    let usd = row("usd", "run");
    assert!((usd["ratio"].as_f64().unwrap() - 0.45 / 0.11).abs() < 1e-4);
    assert_eq!((usd["word"].as_str(), usd["method"].as_str()), (Some("worse"), Some("bootstrap")));
    // 12 x 0.45 dollars over 12 greens
    assert!((row("usd", "green")["loops"].as_f64().unwrap() - 0.45).abs() < 1e-6);
    assert_eq!(row("tokens", "run")["word"], "unknown");
    assert_eq!(compare("many.json", "night", &["--max-ratio", "3"]).code, 1);
    assert_eq!(compare("many.json", "night", &["--max-ratio", "6"]).code, 0);
    assert_eq!(compare("many.json", "night", &["--max-ratio", "3", "--of", "iterations"]).code, 0);
    let wrong = compare("many.json", "night", &["--max-ratio", "3", "--of", "tokns"]);
    assert!(wrong.code == 2 && wrong.err.contains("did you mean `tokens`?"), "{}", wrong.err);
    // One run a side: 4 times and no gate.
    let alone = compare("one.json", "night/t-00", &["--max-ratio", "1.5"]);
    assert_eq!(alone.code, 0);
    assert!(alone.out.contains("4.00x") && alone.out.contains("one run a side") && alone.out.contains("not judged"), "{}", alone.out);
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    let nothing = compare("one.json", "empty", &["--json"]);
    assert_eq!((nothing.code, nothing.json()["runs_loops"].as_u64()), (3, Some(0)));
    // One baseline against another; three times or more is said, whatever the interval.
    let other = compare("one.json", "many.json", &[]);
    assert!(other.out.contains("12 runs of loops against 1 run by hand") && !other.out.contains("anomaly"), "{}", other.out);
    assert!(alone.out.contains("anomaly: money a run, calls a run: 3 times the baseline or more"), "{}", alone.out);
}

/// What cannot be compared is said in a line; asked for, it is shown.
#[test]
fn figures_that_are_not_comparable_stand_in_one_line() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "night/t-00", &log(4, true, "0.40"));
    let one = json!({"calls": 1, "iterations": 2, "tokens": {"input_uncached": 9, "output": 1}, "wall_s": 60.0, "outcome": "succeeded", "cost": {"usd": "0.10"}});
    write(dir.path(), "b.json", &json!({"schema": "baseline/1", "task": "t", "models": ["other-model"], "runs": [one]}));
    let short = run(dir.path(), &["baseline", "compare", "b.json", "night"]);
    let lines: Vec<&str> = short.out.lines().filter(|l| l.contains("not comparable")).collect();
    assert_eq!(lines.len(), 1, "{}", short.out);
    assert!(
        lines[0].contains("figures not comparable: other model: other-model by hand, own-model in the loops; --verbose shows them"),
        "{}",
        short.out
    );
    let long = run(dir.path(), &["baseline", "compare", "b.json", "night", "--verbose"]);
    let shown = long.out.lines().filter(|l| l.ends_with("not comparable")).count();
    assert!(lines[0].starts_with(&format!("{shown} figures")) && shown > 4, "{}", long.out);
}

/// Runs of which money, tokens or only calls are known stand in one column: each cell says which.
#[test]
fn the_column_by_hand_says_what_it_counts() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "money/job", &log(4, true, "0.40"));
    put(dir.path(), "calls/job", &log(4, true, ""));
    let one = json!({"calls": 2, "iterations": 2, "outcome": "succeeded", "cost": {"usd": "0.50"}});
    write(dir.path(), "b.json", &json!({"schema": "baseline/1", "task": "job", "runs": [one]}));
    let cell = |folder: &str| {
        let out = run(dir.path(), &[folder, "--baseline", "b.json", "--width", "140"]).out;
        out.lines().find(|l| l.contains("succeeded")).unwrap().to_owned()
    };
    // Five iterations: $2.00 against $0.50, and 5 calls against 2 in the last.
    assert!(cell("money").contains("x $"), "{}", cell("money"));
    assert!(cell("calls").contains("x calls"), "{}", cell("calls"));
}

#[test]
fn hostile_names_are_inert() {
    let dir = tempfile::tempdir().unwrap();
    put(dir.path(), "night/a", &log(2, true, "0.1"));
    let name = "t\u{1b}[31mred\n::error::x";
    let run_of = json!({"task": name, "calls": 3, "errors": [{"signature": "\u{1b}]0;x\u{7} boom", "count": 1}]});
    write(dir.path(), "b.json", &json!({"schema": "baseline/1", "task": name, "runs": [run_of]}));
    for args in [
        &["baseline", "compare", "b.json", "night"][..],
        &["baseline", "compare", "b.json", "night", "--json"],
        &["night", "--baseline", "b.json"],
        &["--json", "night", "--baseline", "b.json"],
        &["explain", "night/a", "--baseline", "b.json"],
    ] {
        let said = run(dir.path(), args);
        assert_eq!(said.code, 0, "{args:?} {}", said.err);
        assert!(!said.out.contains('\u{1b}') && !said.out.contains('\u{7}'), "{args:?}");
        assert!(!said.out.lines().any(|l| l.trim_start().starts_with("::error")), "{args:?}");
    }
}

/// The lines of the document are followed as they stand; only the check is another.
#[test]
fn the_document_records_as_it_says() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("session.jsonl"), log(3, true, "0.5")).unwrap();
    std::fs::write(folder.path().join("second.jsonl"), log(2, true, "0.25")).unwrap();
    let document = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/baseline.md")).unwrap();
    let block = document.split("```sh\n").nth(1).unwrap().split("```").next().unwrap().replace("'make test'", "true");
    let lines: Vec<Vec<&str>> =
        block.lines().filter(|l| l.contains("baseline record")).map(|l| l.split_whitespace().skip(1).collect()).collect();
    assert_eq!(lines.len(), 2);
    for line in &lines {
        let said = run(folder.path(), line);
        assert_eq!(said.code, 0, "{line:?}: {}", said.err);
    }
    let recorded: Value = serde_json::from_slice(&std::fs::read(folder.path().join("billing.json")).unwrap()).unwrap();
    let runs = recorded["runs"].as_array().unwrap();
    assert_eq!((runs.len(), &runs[0]["check"]["passes"], &runs[0]["human_s"]), (2, &json!(10), &json!(1500.0)));
    let again = run(folder.path(), &lines[0]);
    assert!(again.code == 2 && again.err.contains("already; record another run of the task"), "{}", again.err);
}
