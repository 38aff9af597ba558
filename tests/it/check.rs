//! The gate from outside: exit codes, what is not known, annotations, JUnit, the job summary.

use crate::support::{fixtures, program};
use serde_json::Value;
use std::path::Path;
use std::process::Output;

const AS_OF: &str = "2026-11-29T08:00:00Z";

struct Gate {
    dir: tempfile::TempDir,
}

impl Gate {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn run(&self, policy: &str, path: &Path, more: &[&str], environment: &[(&str, &Path)]) -> Output {
        let file = self.dir.path().join("policy.toml");
        std::fs::write(&file, policy).unwrap();
        let mut command = program();
        command.arg("check").arg(path).args(["--as-of", AS_OF, "--policy"]).arg(&file).args(more);
        for (name, value) in environment {
            command.env(name, value);
        }
        command.output().unwrap()
    }

    fn overnight(&self, policy: &str) -> (Option<i32>, Value) {
        let output = self.run(policy, &fixtures().join("overnight"), &["--json"], &[]);
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
    }
}

/// `(rule, state, runs behind it)` of each rule.
fn rules(document: &Value) -> Vec<(String, String, Vec<String>)> {
    let text = |v: &Value| v.as_str().unwrap().to_owned();
    let rules = document["rules"].as_array().unwrap().iter();
    rules.map(|r| (text(&r["rule"]), text(&r["state"]), r["runs"].as_array().unwrap().iter().map(|r| text(&r["run"])).collect())).collect()
}

#[test]
fn forbidden_modes_findings_endings_and_health() {
    let gate = Gate::new();
    let (code, document) = gate.overnight(
        "[forbid]\nmodes = ['runaway', 'stuck/check', 'stuck/poll']\nfindings = ['false_done', 'snapshot']\nendings = ['died']\nhealth = ['healthy']\n",
    );
    assert_eq!((code, document["passed"].as_bool()), (Some(1), Some(false)));
    let found = rules(&document);
    let of = |rule: &str| {
        let (_, state, runs) = found.iter().find(|(r, ..)| r == rule).unwrap_or_else(|| panic!("{rule}"));
        (state.as_str(), runs.iter().map(String::as_str).collect::<Vec<_>>())
    };
    assert_eq!(of("forbid.modes runaway"), ("fail", vec!["report-export-rewrite"]));
    assert_eq!(of("forbid.modes stuck/check"), ("fail", vec!["ledger-rounding"]));
    assert_eq!(of("forbid.modes stuck/poll"), ("pass", vec![]));
    assert_eq!(of("forbid.findings snapshot"), ("pass", vec![]));
    assert_eq!(of("forbid.endings died"), ("fail", vec!["image-thumbnailer", "queue-consumer"]));
    assert_eq!(of("forbid.health healthy"), ("fail", vec!["billing-fix", "docs-link-checker", "search-index-migration"]));
    let (code, document) = gate.overnight("[forbid]\nmodes = ['stuck/poll']\n");
    assert_eq!((code, document["passed"].as_bool()), (Some(0), Some(true)));
}

/// `type-strict-rollout` is a random walk of medium confidence.
#[test]
fn min_confidence_decides_what_counts() {
    let gate = Gate::new();
    let code = |least: &str| gate.overnight(&format!("[forbid]\nmodes = ['random_walk']\nmin_confidence = '{least}'\n")).0;
    assert_eq!([code("low"), code("medium"), code("high")], [Some(1), Some(1), Some(0)]);
}

#[test]
fn what_is_not_known_passes_no_rule_about_money() {
    let gate = Gate::new();
    // 9 of the 18 runs have no cost at all; one cost $17.47.
    let (code, document) = gate.overnight("[max]\nrun_usd = 1000\ntotal_usd = 1000\n");
    assert_eq!(code, Some(1));
    let found = rules(&document);
    assert_eq!((found[0].1.as_str(), found[1].1.as_str()), ("unknown", "unknown"));
    assert!(found[0].2.contains(&"billing-fix".to_owned()) && !found[0].2.contains(&"report-export-rewrite".to_owned()));
    // What is at least so much is beyond a smaller limit for certain.
    let (_, document) = gate.overnight("[max]\nrun_usd = 17\ntotal_usd = 20\n");
    let found = rules(&document);
    assert_eq!((found[0].1.as_str(), found[1].1.as_str()), ("fail", "fail"));
    assert_eq!(document["rules"][0]["runs"].as_array().unwrap().iter().filter(|r| r["state"] == "fail").count(), 1);
    // Without a baseline no ratio is known.
    let (code, document) = gate.overnight("[max]\nbaseline_ratio = 3\n");
    assert_eq!((code, rules(&document)[0].1.as_str()), (Some(1), "unknown"));
}

/// A run of exactly $0.30 passes a cap of 0.30: money is held against money as decimals.
#[test]
fn a_limit_is_the_last_value_that_passes() {
    let gate = Gate::new();
    let dir = tempfile::tempdir().unwrap();
    let rows: String = (0..3)
        .map(|k| format!("{{\"ts\":{},\"iter\":{},\"event\":\"model_call\",\"cost_usd\":0.1}}\n", 1_764_460_800 + k * 60, k + 1))
        .chain(["{\"ts\":1764461000,\"iter\":3,\"event\":\"green\"}\n".to_owned()])
        .collect();
    std::fs::write(dir.path().join("loop_log.jsonl"), rows).unwrap();
    let code = |policy: &str| gate.run(policy, dir.path(), &[], &[]).status.code();
    assert_eq!([code("[max]\nrun_usd = 0.30"), code("[max]\nrun_usd = 0.299999999999")], [Some(0), Some(1)]);
    assert_eq!([code("[max]\nrun_iterations = 3"), code("[max]\nrun_iterations = 2")], [Some(0), Some(1)]);
    assert_eq!([code("[max]\nrun_wall = 200"), code("[max]\nrun_wall = '3m'")], [Some(0), Some(1)]);
    assert_eq!([code("[min]\ngreens = 1"), code("[min]\ngreens = 2"), code("[min]\ngreen_share = 1.0")], [Some(0), Some(1), Some(0)]);
    assert_eq!([code("[min]\nruns = 1"), code("[min]\nruns = 2")], [Some(0), Some(1)]);
    assert_eq!(
        [code("[max]\nlost_lines = 0\nunreadable = 0\nfailing = 0\ndead = 0\ntotal_usd = 0.3"), code("[max]\ntotal_usd = 0.2")],
        [Some(0), Some(1)]
    );
}

/// By hand: the manual run took $1, the loop $2: twice as much, and with one run a side there is no interval.
#[test]
fn a_baseline_makes_its_ratio_known() {
    let gate = Gate::new();
    let write = |run: &str, usd: &str| {
        let folder = gate.dir.path().join(run);
        std::fs::create_dir_all(&folder).unwrap();
        let log = format!(
            "{{\"ts\":1764460800,\"iter\":1,\"event\":\"iter_start\"}}\n{{\"ts\":1764460810,\"iter\":1,\"event\":\"model_call\",\"cost_usd\":{usd}}}\n\
             {{\"ts\":1764460900,\"iter\":1,\"event\":\"green\"}}\n"
        );
        std::fs::write(folder.join("loop_log.jsonl"), log).unwrap();
        folder
    };
    let (manual, _) = (write("manual/fix", "1"), write("loops/fix", "2"));
    let file = gate.dir.path().join("fix.json");
    let recorded = program().args(["baseline", "record", "--task", "fix", "--out"]).arg(&file).arg(manual).output().unwrap();
    assert_eq!(recorded.status.code(), Some(0), "{}", String::from_utf8_lossy(&recorded.stderr));
    let code = |limit: &str| {
        let policy = format!("[max]\nbaseline_ratio = {limit}\n");
        gate.run(&policy, &gate.dir.path().join("loops"), &["--baseline", file.to_str().unwrap()], &[]).status.code()
    };
    assert_eq!([code("2"), code("1.9")], [Some(0), Some(1)]);
}

#[test]
fn exit_2_for_a_policy_and_3_for_nothing() {
    let gate = Gate::new();
    let wrong = gate.run("[forbid]\nmodes = ['stuk']", &fixtures().join("overnight"), &[], &[]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("policy.toml:2: unknown setting `stuk`; did you mean `stuck`?"));
    let missing = program().args(["check", "--policy", "/nowhere.toml"]).arg(fixtures()).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
    let empty = tempfile::tempdir().unwrap();
    assert_eq!(gate.run("[max]\nlost_lines = 0", empty.path(), &[], &[]).status.code(), Some(3));
}

#[test]
fn annotations_are_nine_and_a_count() {
    let gate = Gate::new();
    let policy = "[forbid]\nhealth = ['failing']\n";
    let plain = gate.run(policy, &fixtures().join("overnight"), &[], &[]);
    assert!(!String::from_utf8(plain.stdout).unwrap().contains("::error"));
    for (more, environment) in [(&["--annotations"][..], None), (&[], Some(("GITHUB_ACTIONS", Path::new("true"))))] {
        let environment: Vec<_> = environment.into_iter().collect();
        let output = gate.run(policy, &fixtures().join("overnight"), more, &environment);
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("::")).collect();
        assert_eq!(lines.len(), 10, "{text}");
        // 13 runs fail.
        assert_eq!(lines[9], "::error title=loop policy::and 4 more");
        assert!(
            lines[0].contains("file=") && lines[0].contains("overnight/7e80b23c") || lines[0].contains("agents/.claude"),
            "{}",
            lines[0]
        );
        assert!(lines[0].contains(",line=8,title=loop policy%3A forbid.health failing::"), "{}", lines[0]);
    }
    // A document stays a document.
    let output = gate.run(policy, &fixtures().join("overnight"), &["--json", "--annotations"], &[]);
    assert!(serde_json::from_slice::<Value>(&output.stdout).is_ok());
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().filter(|l| l.starts_with("::error")).count(), 10);
}

#[test]
fn junit_blames_runs_for_what_they_do() {
    let gate = Gate::new();
    let junit = gate.dir.path().join("check.xml");
    let policy = "[forbid]\nmodes = ['runaway']\n[max]\nrun_usd = 17\nlost_lines = 0\n";
    gate.run(policy, &fixtures().join("overnight"), &["--junit", junit.to_str().unwrap()], &[]);
    let text = std::fs::read_to_string(junit).unwrap();
    assert!(text.contains("<testsuite name=\"policy\" tests=\"3\" skipped=\"0\" errors=\"0\" failures=\"2\""), "{text}");
    assert!(text.contains("<testsuite name=\"runs\" tests=\"18\""), "{text}");
    assert!(text.contains("type=\"forbid.modes runaway\""), "{text}");
}

#[test]
fn the_weekly_junit_is_surefire() {
    let dir = tempfile::tempdir().unwrap();
    program().arg("report").arg(fixtures().join("overnight")).args(["--as-of", AS_OF, "--out"]).arg(dir.path()).output().unwrap();
    let text = std::fs::read_to_string(dir.path().join("junit.xml")).unwrap();
    // 13 failing, 2 inconclusive, 3 healthy
    assert!(text.contains("tests=\"18\" skipped=\"2\" errors=\"0\" failures=\"13\""), "{text}");
    for words in [
        "<testcase name=\"ledger-rounding\" classname=\"loopmortem.loop-log\"",
        "type=\"stuck\"",
        "<skipped message=\"inconclusive, running: at work\"",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
}

#[test]
fn the_job_summary_is_appended_within_its_limit() {
    let gate = Gate::new();
    let file = gate.dir.path().join("step.md");
    std::fs::write(&file, "before\n").unwrap();
    let policy = "[forbid]\nhealth = ['failing']\n[max]\nlost_lines = 0\n";
    gate.run(policy, &fixtures().join("overnight"), &[], &[("GITHUB_STEP_SUMMARY", &file)]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("before\n# Loop policy: ❌ failed\n"), "{text}");
    assert!(text.contains("| ❌ | `forbid.health failing` | `none` | `13 runs` |") && text.contains("| ✅ | `max.lost_lines` |"), "{text}");
    // Nearly full: the rules fit, the runs do not. Full: nothing is written.
    std::fs::write(&file, "x".repeat((900 << 10) - 1_000)).unwrap();
    gate.run(policy, &fixtures().join("overnight"), &[], &[("GITHUB_STEP_SUMMARY", &file)]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.len() <= 900 << 10 && text.contains("the runs behind 1 rules"), "{}", &text[text.len() - 900..]);
    std::fs::write(&file, "x".repeat(900 << 10)).unwrap();
    let output = gate.run(policy, &fixtures().join("overnight"), &[], &[("GITHUB_STEP_SUMMARY", &file)]);
    assert_eq!(std::fs::metadata(&file).unwrap().len(), 900 << 10);
    assert!(String::from_utf8_lossy(&output.stderr).contains("it is full"));
    assert_eq!(output.status.code(), Some(1));
}

/// Over nothing no rule passes, in any of the outputs; over a time without runs the gate says that it judged nothing.
#[test]
fn nothing_is_not_judged_as_if_it_were_good() {
    let gate = Gate::new();
    let policy = "[forbid]\nendings = ['died']\nmodes = ['runaway']\n[max]\nrun_usd = 5\ntotal_usd = 9\nlost_lines = 0\ndead = '1h'\n";
    let empty = tempfile::tempdir().unwrap();
    let blank = tempfile::tempdir().unwrap();
    std::fs::write(blank.path().join(".loop_log.jsonl"), "\n\n").unwrap();
    for folder in [empty.path(), blank.path()] {
        let output = gate.run(policy, folder, &[], &[]);
        let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(3));
        assert!(!text.lines().any(|l| l.starts_with("pass")) && text.contains("failed: 6 of 6 rules do not pass"), "{text}");
        assert_eq!(text.matches("nothing to judge").count(), 6, "{text}");
        assert!(said.contains("nothing was judged, so nothing passed"), "{said}");
        let document: Value = serde_json::from_slice(&gate.run(policy, folder, &["--json"], &[]).stdout).unwrap();
        assert_eq!(document["passed"], false);
        assert!(rules(&document).iter().all(|(_, state, _)| state == "unknown"), "{document}");
        let junit = gate.dir.path().join("check.xml");
        gate.run(policy, folder, &["--junit", junit.to_str().unwrap()], &[]);
        let xml = std::fs::read_to_string(&junit).unwrap();
        assert_eq!(xml.matches("measured nothing to judge").count(), 6, "{xml}");
    }
    let quiet = gate.run(policy, &fixtures().join("overnight"), &["--since", "2026-11-29T07:59:59Z"], &[]);
    let (text, said) = (String::from_utf8(quiet.stdout).unwrap(), String::from_utf8(quiet.stderr).unwrap());
    assert_eq!(quiet.status.code(), Some(0));
    assert!(text.ends_with("passed: there was nothing to judge\n"), "{text}");
    assert!(said.contains("nothing was judged: --since leaves out 18 runs, all there are"), "{said}");
}
