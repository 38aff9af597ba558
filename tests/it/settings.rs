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
    assert!(error.contains("loopmortem.toml:2: unknown setting `stuck_verdikt`; did you mean `stuck_verdict`?"), "{error}");
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

/// Whatever is wrong with a setting, the message says where it was given.
#[test]
fn a_fault_names_the_place_that_it_came_from() {
    let dir = tempfile::tempdir().unwrap();
    five_equal(dir.path());
    let fault = |toml: &str, env: &[(&str, &str)], args: &[&str]| {
        std::fs::write(dir.path().join("loopmortem.toml"), toml).unwrap();
        let output = program().current_dir(dir.path()).arg(".").args(args).envs(env.iter().copied()).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{toml} {env:?} {args:?}: {error}");
        error
    };
    let said = |error: String, want: &str| assert!(error.contains(want), "{want}: {error}");
    let zone = "cannot be Mars/Olympus: no zone is called that";
    said(fault("# ours\n\ntz = \"Mars/Olympus\"\n", &[], &[]), &format!("loopmortem.toml:3: `tz` {zone}"));
    said(fault("", &[("LOOPMORTEM_TZ", "Mars/Olympus")], &[]), &format!("environment: `LOOPMORTEM_TZ` {zone}"));
    said(fault("tz = \"UTC\"\n", &[("LOOPMORTEM_TZ", "UTC")], &["--tz", "Mars/Olympus"]), &format!("arguments: `--tz` {zone}"));
    said(fault("color = \"pink\"\n", &[], &[]), "loopmortem.toml:1: `color` cannot be pink: it takes auto, always or never");
    said(fault("", &[("LOOPMORTEM_COLOR", "pink")], &[]), "environment: `LOOPMORTEM_COLOR` cannot be pink");
    said(fault("tz = \"UTC\"\nprices = \"gone.json\"\n", &[], &[]), "loopmortem.toml:2: `prices`: ");
    said(fault("tz = \"UTC\"\nbaseline = \"gone.json\"\n", &[], &[]), "loopmortem.toml:2: `baseline`: ");
    said(fault("", &[("LOOPMORTEM_CONFIG", "gone.toml")], &[]), "gone.toml: ");
    said(fault("", &[("LOOPMORTEM_CONFIG", "gone.toml")], &[]), "(named by LOOPMORTEM_CONFIG)");
    said(fault("", &[("SOURCE_DATE_EPOCH", "soon")], &[]), "SOURCE_DATE_EPOCH: `soon`");
    said(fault("[thresholds]\n\nno_effect_share = 80\n", &[], &[]), "loopmortem.toml:3: `no_effect_share` cannot be 80: it takes a share");
    said(
        fault("", &[("LOOPMORTEM_POLL_SUSPECT", "21")], &[]),
        "environment: `LOOPMORTEM_POLL_SUSPECT` cannot be 21: it takes at most what poll_verdict is",
    );
    said(fault("[thresholds]\nstuck_verdict = 4\n", &[], &["--stuck-suspect", "5"]), "arguments: `--stuck-suspect` cannot be 5");
    said(fault("[thresholds]\nstuck_verdict = 4\n", &[], &["--stuck-suspect", "5"]), "loopmortem.toml:2: `stuck_verdict` is 4");
    // An empty variable is none.
    std::fs::write(dir.path().join("loopmortem.toml"), "").unwrap();
    let output = program().current_dir(dir.path()).arg(".").envs([("LOOPMORTEM_TZ", ""), ("LOOPMORTEM_COLOR", "")]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

/// One parser reads every point in time that is an argument.
#[test]
fn times_are_given_in_one_way() {
    let dir = tempfile::tempdir().unwrap();
    five_equal(dir.path());
    let root = dir.path().to_str().unwrap();
    let out = dir.path().join("out");
    let out = out.to_str().unwrap();
    for (text, zone, want) in [
        ("2025-11-30", "UTC", Some("2025-11-30T00:00:00Z")),
        ("2025-11-30", "Europe/Berlin", Some("2025-11-29T23:00:00Z")),
        ("2025-11-30T09:00", "UTC", Some("2025-11-30T09:00:00Z")),
        ("2025-11-30 09:00:01", "Asia/Tokyo", Some("2025-11-30T00:00:01Z")),
        ("1764493200", "UTC", Some("2025-11-30T09:00:00Z")),
        ("2025-11-30T09:00:00+01:00", "UTC", Some("2025-11-30T08:00:00Z")),
        ("tomorrow", "UTC", None),
        ("7", "UTC", None),
    ] {
        let as_of = program().args(["triage", "--json", root, "--tz", zone, "--as-of", text]).output().unwrap();
        let since = program()
            .args(["report", root, "--out", out, "--tz", zone, "--as-of", "2025-12-01T00:00:00Z", "--since", text])
            .output()
            .unwrap();
        match want {
            Some(want) => {
                let report: Value = serde_json::from_slice(&as_of.stdout).unwrap();
                assert_eq!(report["as_of"], want, "{text}");
                let week: Value = serde_json::from_slice(&std::fs::read(dir.path().join("out/report.json")).unwrap()).unwrap();
                assert_eq!(week["since"]["from"], want, "{text}");
            }
            None => {
                let said = |flag: &str| format!("loopmortem: {flag}: `{text}` is no time; write {}\n", loopmortem::settings::WHEN);
                assert_eq!(String::from_utf8(as_of.stderr).unwrap(), said("--as-of"));
                assert_eq!(String::from_utf8(since.stderr).unwrap(), said("--since"));
            }
        }
    }
    for command in ["triage", "report", "check"] {
        let help = String::from_utf8(program().args([command, "--help"]).output().unwrap().stdout).unwrap();
        let words: String = help.split_whitespace().collect::<Vec<_>>().join(" ");
        let times = if command == "triage" { 1 } else { 2 };
        assert_eq!(words.matches(loopmortem::settings::WHEN).count(), times, "{command}");
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

/// A reader who doubts a finding sees the figures that it rests on, and can change each of them.
#[test]
fn every_threshold_is_printed_by_a_finding_that_used_it() {
    // What no finding of these fixtures rests on: endings, gates, what wants a baseline or other runs beside it.
    const ELSEWHERE: &[&str] = &[
        "runaway_baseline",
        "runaway_peers",
        "runaway_peer_runs",
        "blocked_iterations",
        "blocked_iteration_s",
        "restart_s",
        "baseline_anomaly",
        "baseline_pause_s",
        "design_score",
        "design_passes",
        "restart_runs",
        "common_cause_runs",
        "common_cause_s",
    ];
    let mut printed = std::collections::BTreeSet::new();
    for part in ["modes", "survey", "formats"] {
        let report = triage(&crate::support::fixtures().join(part), "2026-11-29T08:00:00Z", &[]);
        for run in report["runs"].as_array().unwrap() {
            for finding in run["findings"].as_array().unwrap() {
                for (name, value) in finding["thresholds"].as_object().unwrap() {
                    let row = loopmortem::settings::TABLE.iter().find(|row| row.name == name);
                    let row = row.unwrap_or_else(|| panic!("{name} is no setting"));
                    assert_eq!(value.as_f64(), Some(row.default), "{name}");
                    printed.insert(row.name);
                }
            }
        }
    }
    let silent: Vec<&str> = loopmortem::settings::TABLE.iter().map(|row| row.name).filter(|name| !printed.contains(name)).collect();
    assert_eq!(silent, ELSEWHERE);
}
