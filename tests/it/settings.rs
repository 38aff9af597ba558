//! A threshold moves the verdict to the expected iteration, wherever it is set.

use crate::support::{program, triage};
use serde_json::Value;
use std::path::Path;

const AS_OF: &str = "2025-11-30T09:00:00Z";

/// Five reds with one failure, then the cap.
fn five_equal(folder: &Path) {
    let mut log = String::new();
    for k in 1..=5 {
        let ts = 1_764_460_800 + k * 300;
        log += &format!("{{\"ts\":{ts},\"iter\":{k},\"event\":\"iter_start\",\"detail\":\"\"}}\n");
        log += &format!(
            "{{\"ts\":{},\"iter\":{k},\"event\":\"agent_call\",\"detail\":\"FAILED tests/test_a.py::test_total - assert 3 == 4\"}}\n",
            ts + 9
        );
    }
    log += "{\"ts\":1764462600,\"iter\":5,\"event\":\"iter_limit\",\"detail\":\"\"}\n";
    std::fs::write(folder.join("loop_log.jsonl"), log).unwrap();
}

fn stuck(report: &Value) -> (Option<&str>, Option<&str>, f64) {
    let run = &report["runs"][0];
    let finding = run["findings"].as_array().unwrap().iter().find(|f| f["kind"] == "stuck");
    let used = finding.and_then(|f| f["thresholds"].as_object()).and_then(|t| t.values().next()).and_then(Value::as_f64);
    (run["mode"].as_str(), finding.and_then(|f| f["confidence"].as_str()), used.unwrap_or(0.0))
}

#[test]
fn a_threshold_decides_between_verdict_and_suspicion() {
    let dir = tempfile::tempdir().unwrap();
    five_equal(dir.path());
    let with = |more: &[&str]| triage(dir.path(), AS_OF, more);
    assert_eq!(stuck(&with(&[])), (Some("stuck"), Some("high"), 4.0));
    assert_eq!(stuck(&with(&["--stuck-verdict", "5"])), (Some("stuck"), Some("high"), 5.0));
    assert_eq!(stuck(&with(&["--stuck-verdict", "6"])), (None, Some("low"), 3.0));
    assert_eq!(stuck(&with(&["--stuck-verdict", "7", "--stuck-suspect", "6"])), (None, None, 0.0));
}

#[test]
fn file_environment_and_flag_in_their_order() {
    let dir = tempfile::tempdir().unwrap();
    five_equal(dir.path());
    std::fs::write(dir.path().join("loopmortem.toml"), "[thresholds]\nstuck_verdict = 6\n").unwrap();
    let run = |env: Option<&str>, flag: Option<&str>| {
        let mut command = program();
        command.current_dir(dir.path()).args(["triage", "--json", "--as-of", AS_OF, "."]);
        if let Some(value) = env {
            command.env("LOOPMORTEM_STUCK_VERDICT", value);
        }
        if let Some(value) = flag {
            command.args(["--stuck-verdict", value]);
        }
        let report: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
        report["runs"][0]["mode"].as_str().map(ToOwned::to_owned)
    };
    assert_eq!(run(None, None), None);
    assert_eq!(run(Some("5"), None).as_deref(), Some("stuck"));
    assert_eq!(run(Some("5"), Some("6")), None);
}

#[test]
fn faults_in_settings_are_usage_errors_with_a_suggestion() {
    let dir = tempfile::tempdir().unwrap();
    five_equal(dir.path());
    std::fs::write(dir.path().join("loopmortem.toml"), "[thresholds]\nstuck_verdikt = 6\n").unwrap();
    let output = program().current_dir(dir.path()).arg(".").output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("loopmortem.toml: unknown setting `stuck_verdikt`; did you mean `stuck_verdict`?"), "{error}");
    std::fs::remove_file(dir.path().join("loopmortem.toml")).unwrap();
    let output = program().current_dir(dir.path()).env("LOOPMORTEM_STUCK_VERDIKT", "3").args([".", "--as-of", AS_OF]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("did you mean LOOPMORTEM_STUCK_VERDICT?"));
    for (flag, value) in [
        ("--stuck-verdict", "0"),
        ("--walk-distinct", "much"),
        ("--tz", "Mars/Olympus"),
        ("--as-of", "soon"),
        ("--format", "loop-lag"),
        ("--fail-on", "stuk"),
    ] {
        let output = program().arg(dir.path()).args([flag, value]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{flag} {value}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(value), "{flag} {value}");
    }
}
