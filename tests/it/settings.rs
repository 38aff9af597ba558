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

/// A session whose only check is the project's own program.
fn own_check(folder: &Path) {
    let record = |n: u32, kind: &str, message: Value| {
        serde_json::json!({
            "type": kind, "uuid": format!("u{n}"), "sessionId": "s1", "cwd": "/w/p", "isSidechain": false, "version": "2.1.90",
            "timestamp": format!("2025-11-30T01:00:{n:02}.000Z"), "message": message,
        })
    };
    let said = |n: u32, block: Value, stop: &str| {
        let message = serde_json::json!({
            "id": format!("msg_{n}"), "role": "assistant", "model": "claude-sonnet-4-5-20250929", "content": [block], "stop_reason": stop,
            "usage": {"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
        });
        record(n, "assistant", message)
    };
    let run = |n: u32| {
        said(
            n,
            serde_json::json!({"type": "tool_use", "id": format!("t{n}"), "name": "Bash", "input": {"command": "cd /w/p && ./acme verify --all"}}),
            "tool_use",
        )
    };
    let answer = |n: u32, text: &str, failed: bool| {
        let block = serde_json::json!({"type": "tool_result", "tool_use_id": format!("t{}", n - 1), "content": text, "is_error": failed});
        record(n, "user", serde_json::json!({"role": "user", "content": [block]}))
    };
    let edit = said(
        4,
        serde_json::json!({"type": "tool_use", "id": "t4", "name": "Edit", "input": {"file_path": "/w/p/a.py", "old_string": "1", "new_string": "2"}}),
        "tool_use",
    );
    let lines = [
        record(1, "user", serde_json::json!({"role": "user", "content": "Make it pass."})),
        run(2),
        answer(3, "Exit code 1\nerror: totals differ", true),
        edit,
        answer(5, "updated", false),
        run(6),
        answer(7, "all fine", false),
        said(8, serde_json::json!({"type": "text", "text": "Done."}), "end_turn"),
    ];
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    std::fs::write(folder.join("s1.jsonl"), text).unwrap();
}

#[test]
fn a_configured_judge_judges() {
    let dir = tempfile::tempdir().unwrap();
    own_check(dir.path());
    let config = dir.path().join("own.toml");
    std::fs::write(&config, "[[judge]]\ncommand = \"acme verify\"\nkind = \"test\"\n").unwrap();
    let of = |more: &[&str]| {
        let run = triage(dir.path(), AS_OF, more)["runs"][0].clone();
        (run["ending"].clone(), run["checks"]["red"].clone(), run["checks"]["green"].clone())
    };
    assert_eq!(of(&[]), ("unverified".into(), 0.into(), 0.into()));
    assert_eq!(of(&["--config", config.to_str().unwrap()]), ("succeeded".into(), 1.into(), 1.into()));
    std::fs::write(&config, "tz = \"UTC\"\n\n[[judge]]\ncommand = \"acme verify\"\nkind = \"tset\"\n").unwrap();
    let output = program().arg(dir.path()).args(["--config", config.to_str().unwrap()]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2));
    assert!(error.contains("own.toml:3: `judge.kind` cannot be \"tset\"") && error.contains("did you mean test?"), "{error}");
}
