//! The program from outside: outputs, exit codes, what stands on which stream.

use crate::support::{fixtures, program, triage};
use serde_json::{Value, json};
use std::io::Write as _;

const AS_OF: &str = "2026-11-29T08:00:00Z";

fn overnight(more: &[&str]) -> std::process::Output {
    program().arg(fixtures().join("overnight")).args(["--as-of", AS_OF]).args(more).output().unwrap()
}

#[test]
fn the_table_names_every_run_worst_first() {
    let output = overnight(&[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    let at = |name: &str| text.find(name).unwrap_or_else(|| panic!("no {name} in\n{text}"));
    // failing, then at work, then succeeded
    assert!(at("ledger-rounding") < at("locale-fallbacks") && at("locale-fallbacks") < at("billing-fix"));
    for words in ["common cause: 3 runs blocked", "most frequent failures", "total: 18 runs", "read 1067 lines"] {
        assert!(text.contains(words), "no {words} in\n{text}");
    }
    assert!(!text.contains('\u{1b}'), "colours on a pipe");
}

#[test]
fn no_line_is_wider_than_asked() {
    for width in [60, 80, 100, 160] {
        let output = overnight(&["--width", &width.to_string()]);
        let text = String::from_utf8(output.stdout).unwrap();
        let table = text.lines().take_while(|l| !l.starts_with("common cause"));
        for line in table {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
    }
}

#[test]
fn colours_follow_flag_and_environment() {
    let coloured = |set: &[(&str, &str)], args: &[&str]| {
        let mut command = program();
        command.arg(fixtures().join("overnight")).args(["--as-of", AS_OF]).args(args);
        for (name, value) in set {
            command.env(name, value);
        }
        command.output().unwrap().stdout.contains(&0x1b)
    };
    assert!(!coloured(&[], &[]));
    assert!(coloured(&[], &["--color", "always"]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
}

#[test]
fn json_is_the_same_bytes_for_any_number_of_threads() {
    let one = overnight(&["--json", "--threads", "1"]).stdout;
    let two = overnight(&["--json", "--threads", "2"]).stdout;
    let epoch = program().arg(fixtures().join("overnight")).arg("--json").env("SOURCE_DATE_EPOCH", "1795939200").output().unwrap().stdout;
    assert!(one == two && one == epoch);
    let report: Value = serde_json::from_slice(&one).unwrap();
    assert_eq!((report["schema"].as_str(), report["schema_version"].as_str()), (Some("loopmortem/triage"), Some("1.0")));
    let ids: Vec<&str> = report["runs"].as_array().unwrap().iter().map(|r| r["run"].as_str().unwrap()).collect();
    assert!(ids.is_sorted());
}

#[test]
fn json_holds_every_field_of_the_contract() {
    let report = triage(&fixtures().join("overnight"), AS_OF, &[]);
    for run in report["runs"].as_array().unwrap() {
        let keys = [
            "run",
            "agent",
            "models",
            "sources",
            "ending",
            "mode",
            "confidence",
            "health",
            "findings",
            "iterations",
            "calls",
            "tool_calls",
            "checks",
            "tokens",
            "cost",
            "waste",
            "started",
            "ended",
            "wall_s",
            "last_green",
            "next_action",
            "baseline",
        ];
        for key in keys {
            assert!(run.get(key).is_some(), "{key}");
        }
        for (group, keys) in [
            ("tokens", &["input_uncached", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning", "under_reported"][..]),
            ("cost", &["status", "usd", "reported_usd", "source", "unpriced_tokens", "unpriced_models"]),
            ("waste", &["state", "usd", "tokens", "seconds", "after"]),
            ("checks", &["green", "red", "no_verdict"]),
            ("next_action", &["kind", "reason"]),
        ] {
            for key in keys {
                assert!(run[group].get(key).is_some(), "{group}.{key}");
            }
        }
        for finding in run["findings"].as_array().unwrap() {
            for key in ["kind", "variant", "confidence", "summary", "remedy", "onset", "evidence"] {
                assert!(finding.get(key).is_some(), "finding.{key}");
            }
            let evidence = finding["evidence"].as_array().unwrap();
            assert!(!evidence.is_empty(), "a finding without evidence");
            for e in evidence {
                assert!(
                    e["path"].is_string()
                        && e["line"].is_u64()
                        && e["excerpt"].is_string()
                        && e["measured"].is_string()
                        && e["threshold"].is_string()
                );
            }
        }
        for source in run["sources"].as_array().unwrap() {
            for key in ["path", "format", "bytes", "lines", "salvaged", "lost", "duplicates", "torn_tail"] {
                assert!(source.get(key).is_some(), "source.{key}");
            }
        }
    }
    assert!(report["totals"]["by_mode"].is_object() && report["prices"].get("snapshot").is_some());
}

#[test]
fn fail_on_turns_findings_into_exit_1() {
    let code = |what: &str| overnight(&["--fail-on", what]).status.code();
    assert_eq!(
        [code("stuck"), code("budget_overrun"), code("died"), code("failing"), code("healthy"), code("snapshot")],
        [Some(1), Some(1), Some(1), Some(1), Some(1), Some(0)]
    );
}

#[test]
fn explain_takes_an_id_a_part_of_it_or_a_path() {
    let night = fixtures().join("overnight");
    for (run, paths) in
        [("ledger-rounding", Some(&night)), ("rounding", Some(&night)), (night.join("ledger-rounding").to_str().unwrap(), None)]
    {
        let output = program().args(["explain", run, "--as-of", AS_OF]).args(paths).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(0), "{run}");
        for words in [
            "limit_hit (iterations), stuck (high confidence), failing",
            "timeline",
            "stuck/check",
            "threshold: stuck_verdict = 4",
            "remedy:",
            "why this mode",
            "next: split",
        ] {
            assert!(text.contains(words), "{run}: no {words} in\n{text}");
        }
    }
    let many = program().args(["explain", "e", "--as-of", AS_OF]).arg(&night).output().unwrap();
    assert_eq!(many.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&many.stderr).contains("fits"));
    let none = program().args(["explain", "nowhere"]).arg(&night).output().unwrap();
    assert_eq!(none.status.code(), Some(3));
    // Letters within a word name a run where it alone holds them.
    let part = program().args(["explain", "edger-roun", "--as-of", AS_OF]).arg(&night).output().unwrap();
    assert!(String::from_utf8_lossy(&part.stdout).starts_with("ledger-rounding"));
    for command in [&["explain", "ing"][..], &["forecast", "--iterations", "40", "--run", "ing"]] {
        let within = program().args(command).arg(&night).output().unwrap();
        assert_eq!(within.status.code(), Some(3), "{command:?}");
        let said = String::from_utf8(within.stderr).unwrap();
        assert!(said.contains("no run is called `ing`; these hold it within a word: ") && said.contains("ledger-rounding"), "{said}");
    }
}

/// Silences are counted up to now, which is hardly meant of a night of last week.
#[test]
fn old_logs_are_read_with_a_hint_where_nothing_pins_the_time() {
    let night = fixtures().join("overnight");
    let said = |args: &[&str], epoch: Option<&str>| {
        let mut command = program();
        command.args(args).arg(&night);
        if let Some(epoch) = epoch {
            command.env("SOURCE_DATE_EPOCH", epoch);
        }
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    let now = chrono::Utc::now().timestamp();
    // The newest record is of 2026-11-29 07:58:10; the hint wants a clock that is a day further.
    if now > 1_795_939_090 + 86_400 {
        assert!(said(&["triage"], None).contains("--as-of 2026-11-29T07:58:10Z reads the logs as of their own time"));
        assert!(said(&["explain", "image-thumbnailer"], None).contains("reads the logs as of their own time"));
        // A run that finished ends as it does whatever the time.
        assert_eq!(said(&["explain", "billing-fix"], None), "");
    }
    assert_eq!(said(&["triage", "--as-of", "2027-11-29"], None), "");
    assert_eq!(said(&["triage"], Some("1895939090")), "");
}

#[test]
fn explain_mode_shows_the_table_that_detects() {
    let output = program().args(["explain", "--mode", "stuck", "--stuck-verdict", "9"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("stuck_verdict = 9 red iterations") && text.contains("variants") && text.contains("remedy"), "{text}");
    let wrong = program().args(["explain", "--mode", "stuk"]).output().unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("did you mean `stuck`?"));
    let all = program().args(["explain", "--mode", "all"]).output().unwrap();
    assert!(String::from_utf8(all.stdout).unwrap().lines().count() >= 11);
}

#[test]
fn standard_input_gzip_and_zstd_give_what_the_plain_file_gives() {
    let log = std::fs::read(fixtures().join("overnight/ledger-rounding/.loop_log.jsonl")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gz.write_all(&log).unwrap();
    std::fs::write(dir.path().join("a.loop_log.jsonl.gz"), gz.finish().unwrap()).unwrap();
    std::fs::write(dir.path().join("b.loop_log.jsonl.zst"), zstd::encode_all(&log[..], 3).unwrap()).unwrap();
    std::fs::write(dir.path().join("c.loop_log.jsonl"), &log).unwrap();
    let report = triage(dir.path(), AS_OF, &[]);
    let strip = |run: &Value| {
        let mut run = run.clone();
        run["run"] = Value::Null;
        let text = run.to_string();
        ["a.loop_log.jsonl.gz", "b.loop_log.jsonl.zst", "c.loop_log.jsonl", "-"]
            .iter()
            .fold(text, |t, name| t.replace(&format!("\"path\":\"{name}\""), "\"path\":\"\""))
    };
    let piped = program().args(["--json", "--as-of", AS_OF, "-"]).write_stdin(log).output().unwrap();
    let piped: Value = serde_json::from_slice(&piped.stdout).unwrap();
    let runs: Vec<String> = report["runs"].as_array().unwrap().iter().chain(piped["runs"].as_array().unwrap()).map(strip).collect();
    assert_eq!(runs.len(), 4);
    assert!(runs.iter().all(|r| r == &runs[0]), "{runs:#?}");
    assert!(runs[0].contains("FAILED tests/ledger"), "excerpts are kept while a pipe is read");
}

#[test]
fn help_shows_examples_and_long_help_every_threshold() {
    let short = String::from_utf8(program().arg("-h").output().unwrap().stdout).unwrap();
    assert!(short.contains("Examples:") && !short.contains("--stuck-verdict <"), "{short}");
    let long = String::from_utf8(program().arg("--help").output().unwrap().stdout).unwrap();
    for setting in loopmortem::settings::TABLE {
        assert!(long.contains(&format!("--{}", setting.name.replace('_', "-"))), "{}", setting.name);
    }
    assert_eq!(program().output().unwrap().status.code(), Some(2));
}

#[test]
fn formats_lists_the_registry() {
    let text = String::from_utf8(program().arg("formats").output().unwrap().stdout).unwrap();
    let json: Value = serde_json::from_slice(&program().args(["formats", "--json"]).output().unwrap().stdout).unwrap();
    for format in loopmortem::format::REGISTRY {
        assert!(text.contains(format.id()));
    }
    assert_eq!(json.as_array().unwrap().len(), loopmortem::format::REGISTRY.len());
}

/// A failure that stands far behind its record's envelope is shown all the same, from a file and from a pipe.
#[test]
fn sessions_show_the_failing_line() {
    let record = |n: u32, kind: &str, message: Value| {
        json!({"type": kind, "uuid": format!("u{n}"), "sessionId": "s1", "cwd": "/w/p", "version": "2.1.90", "message": message,
            "timestamp": format!("2026-11-29T01:00:{n:02}.000Z")})
    };
    let said = |n: u32, block: Value, stop: &str| {
        record(
            n,
            "assistant",
            json!({"id": format!("msg_{n}"), "role": "assistant", "model": "claude-sonnet-4-5-20250929", "content": [block], "stop_reason": stop,
            "usage": {"input_tokens": 1, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}}),
        )
    };
    let printed = format!(
        "Exit code 1\n{}FAILED tests/test_far.py::test_last - assert 3 == 4\n1 failed, 9 passed in 0.31s",
        "a line of setup\n".repeat(900)
    );
    let lines = [
        record(1, "user", json!({"role": "user", "content": "Make it pass."})),
        said(2, json!({"type": "tool_use", "id": "t2", "name": "Bash", "input": {"command": "pytest"}}), "tool_use"),
        record(
            3,
            "user",
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2", "is_error": true, "content": printed}]}),
        ),
        said(4, json!({"type": "text", "text": "I could not repair it."}), "end_turn"),
    ];
    let text: String = lines.iter().map(|l| format!("{l}\n")).collect();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("s1.jsonl"), &text).unwrap();
    let want = "last failure: FAILED tests/test_far.py::test_last - assert 3 == 4";
    let by_file = triage(dir.path(), AS_OF, &[]);
    assert_eq!(by_file["runs"][0]["why"], want);
    let args = ["triage", "--json", "--as-of", AS_OF, "--format", "claude-code", "-"];
    let output = program().args(args).write_stdin(text).output().unwrap();
    let by_pipe: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(by_pipe["runs"][0]["why"], want);
    for case in ["claude-code/working-directory-moved", "codex/workdir", "codex-exec/resumed-anew"] {
        let output = program().args(["explain", "--as-of", AS_OF]).arg(fixtures().join("formats").join(case)).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(
            shown.contains("1x FAILED tests/test_tax.py::test_rounding")
                || shown.contains("1x FAIL api/cart.test.js")
                || shown.contains("adds an item"),
            "{case}: {shown}"
        );
    }
}
