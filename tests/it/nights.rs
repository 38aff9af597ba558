//! One log, many executions; several loops in one folder; what shells really write. Each is a way in which a night's log was
//! once misread.

use crate::support::{program, triage};
use serde_json::Value;
use std::path::Path;

const AS_OF: &str = "2026-01-01T00:00:00Z";
const BEGIN: i64 = 1_764_460_800;

/// `(seconds, iteration, event, detail, more)` as a line.
fn line(at: i64, iter: u32, event: &str, detail: &str, more: &str) -> String {
    format!("{{\"ts\":{},\"iter\":{iter},\"event\":\"{event}\",\"detail\":\"{detail}\"{more}}}\n", BEGIN + at)
}

fn log(rows: &[(i64, u32, &str, &str, &str)]) -> String {
    rows.iter().map(|(at, iter, event, detail, more)| line(*at, *iter, event, detail, more)).collect()
}

/// `(ending, mode)` of each run in a log.
fn fates(text: &str) -> Vec<(String, String)> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("loop_log.jsonl"), text).unwrap();
    of_folder(dir.path())
}

fn of_folder(folder: &Path) -> Vec<(String, String)> {
    let report = triage(folder, AS_OF, &[]);
    let word = |v: &Value| v.as_str().unwrap_or("none").to_owned();
    report["runs"].as_array().unwrap().iter().map(|r| (word(&r["ending"]), word(&r["mode"]))).collect()
}

fn plain(fates: &[(&str, &str)]) -> Vec<(String, String)> {
    fates.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

const RED: (i64, u32, &str, &str, &str) = (9, 1, "agent_call", "FAILED a::t", "");

#[test]
fn a_green_lint_does_not_cover_a_red_test() {
    let rows = [
        (0, 1, "iter_start", "", ""),
        (5, 1, "check", "FAILED a::t", ",\"check\":\"test\",\"exit_code\":1"),
        RED,
        (60, 2, "iter_start", "", ""),
        (65, 2, "check", "", ",\"check\":\"lint\",\"exit_code\":0"),
        (70, 2, "iter_limit", "", ""),
    ];
    assert_eq!(fates(&log(&rows)), plain(&[("limit_hit", "none")]));
}

#[test]
fn what_the_runner_counts_beats_an_exit_code_that_a_pipe_hid() {
    let rows = [
        (0, 1, "iter_start", "", ""),
        (5, 1, "check", "3 failed, 10 passed in 2.1s", ",\"exit_code\":0,\"failures\":3"),
        (9, 1, "done", "", ""),
    ];
    assert_eq!(fates(&log(&rows)), plain(&[("unverified", "none")]));
}

#[test]
fn records_after_the_end_record_do_not_unfinish_a_run() {
    let green = [(0, 1, "iter_start", "", ""), RED, (60, 2, "iter_start", "", ""), (70, 2, "green", "", "")];
    for late in [
        (75, 2, "check", "final verification", ",\"exit_code\":0"),
        (75, 2, "model_call", "", ",\"tokens_in\":5"),
        (75, 2, "tool_result", "ok", ""),
    ] {
        assert_eq!(fates(&log(&[&green[..], &[late]].concat())), plain(&[("succeeded", "none")]), "{late:?}");
    }
}

#[test]
fn nights_in_one_log_are_runs_of_their_own() {
    let night = |day: i64, end: &'static str| {
        let t = day * 86_400;
        [
            (t, 1, "iter_start", "", ""),
            (t + 9, 1, "agent_call", "FAILED a::t", ""),
            (t + 60, 2, "iter_start", "", ""),
            (t + 70, 2, end, "FAILED a::t", ""),
        ]
    };
    let two = [&night(0, "green")[..], &night(1, "stuck")].concat();
    assert_eq!(fates(&log(&two)), plain(&[("succeeded", "none"), ("non_convergent", "stuck")]));
    // a check before the first start of the second night belongs to it
    let early = [&night(0, "green")[..], &[(86_390, 0, "check", "FAILED b::u", ",\"exit_code\":1")], &night(1, "green")].concat();
    assert_eq!(fates(&log(&early)), plain(&[("succeeded", "none"), ("succeeded", "none")]));
    // a resume joins one start, not all that follow
    let resumed = [&night(0, "resume")[..], &night(1, "green"), &night(2, "green")].concat();
    assert_eq!(fates(&log(&resumed)).len(), 2);
}

#[test]
fn a_loop_that_dies_in_its_first_iteration_again_and_again_is_many_runs() {
    let rows: Vec<_> =
        (0..4).flat_map(|n| [(n * 7_200, 1, "iter_start", "", ""), (n * 7_200 + 9, 1, "agent_call", "FAILED a::t", "")]).collect();
    assert_eq!(fates(&log(&rows)), plain(&[("died", "silent_death"); 4]));
}

#[test]
fn a_record_that_was_appended_to_a_torn_one_is_not_swallowed() {
    let whole = line(70, 2, "agent_call", "FAILED b::u", "");
    for cut in 1..whole.len() - 1 {
        let first = log(&[(0, 1, "iter_start", "", ""), RED, (60, 2, "iter_start", "", "")]);
        let next = log(&[(36_000, 1, "iter_start", "", ""), (36_060, 2, "iter_start", "", ""), (36_070, 2, "green", "", "")]);
        assert_eq!(fates(&(first + &whole[..cut] + &next)), plain(&[("died", "silent_death"), ("succeeded", "none")]), "cut at {cut}");
    }
}

#[test]
fn numbers_as_shells_print_them_cost_nothing() {
    let rows: String = (1..=5)
        .map(|k| {
            format!(
                "{{\"ts\":{},\"iter\":0{k},\"event\":\"agent_call\",\"cost_usd\":.42,\"exit_code\":,\"detail\":\"FAILED a::t\"}}\n",
                BEGIN + 60 * k
            )
        })
        .collect();
    assert_eq!(fates(&(rows + &line(400, 6, "iter_limit", "", ""))), plain(&[("limit_hit", "stuck")]));
}

#[test]
fn loops_with_their_own_suffix_are_loops_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let green = log(&[(0, 1, "iter_start", "", ""), (60, 2, "iter_start", "", ""), (70, 2, "green", "", "")]);
    std::fs::write(dir.path().join("loop_log_api.jsonl"), log(&[(120, 1, "iter_start", "", ""), RED])).unwrap();
    std::fs::write(dir.path().join("loop_log_web.jsonl"), &green).unwrap();
    assert_eq!(of_folder(dir.path()), plain(&[("died", "silent_death"), ("succeeded", "none")]));
}

#[test]
fn what_is_no_run_is_not_counted_as_one() {
    let dir = tempfile::tempdir().unwrap();
    let run = dir.path().join("run");
    std::fs::create_dir_all(dir.path().join("other")).unwrap();
    std::fs::create_dir_all(&run).unwrap();
    std::fs::write(run.join("loop_log.jsonl"), line(0, 1, "green", "", "")).unwrap();
    std::fs::write(dir.path().join("other/budget.json"), "{\"quarter\":1}").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(run.join("loop_log.jsonl"), dir.path().join("latest.loop_log.jsonl")).unwrap();
    assert_eq!(of_folder(dir.path()).len(), 1);
}

#[test]
fn a_log_that_breaks_off_gives_no_verdict() {
    use std::io::Write as _;
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    for k in 1..=4_000_u32 {
        gz.write_all(line(i64::from(k) * 60, k, "agent_call", &format!("FAILED t{}", k.wrapping_mul(2_654_435_761)), "").as_bytes())
            .unwrap();
    }
    let whole = gz.finish().unwrap();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("loop_log.jsonl.gz"), &whole[..whole.len() / 2]).unwrap();
    let report = triage(dir.path(), AS_OF, &[]);
    let run = &report["runs"][0];
    assert_eq!((run["ending"].as_str(), run["mode"].as_str(), run["health"].as_str()), (None, None, Some("inconclusive")));
    assert!(run["findings"].as_array().unwrap().iter().any(|f| f["kind"] == "parse_loss"));
}

/// Time that grows with the square shows as minutes here; linear work takes seconds even unoptimised.
#[test]
fn long_logs_of_every_shape_stay_linear() {
    let dir = tempfile::tempdir().unwrap();
    let checks: String = (0..20_000).map(|k| line(k, 1, "check", "FAILED a::t", ",\"exit_code\":1")).collect();
    let streaks: String = (0..30_000_u32).map(|k| line(i64::from(k), k + 1, "agent_call", &format!("FAILED a::t{}", k / 3), "")).collect();
    let quotes = format!(
        "{{\"ts\":1,\"iter\":1,\"event\":\"agent_call\",\"detail\":\"FAIL {{\"type\":\"x\",{}\"x\"}} tail\"}}\n",
        "\"id\":\"x1\",\"model\":\"m\",".repeat(20_000)
    );
    for (name, text) in [("checks", checks), ("streaks", streaks), ("quotes", quotes)] {
        std::fs::create_dir(dir.path().join(name)).unwrap();
        std::fs::write(dir.path().join(name).join("loop_log.jsonl"), text).unwrap();
    }
    let output = program()
        .args(["triage", "--json", "--as-of", AS_OF])
        .arg(dir.path())
        .timeout(std::time::Duration::from_secs(300))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
}

/// A session in the loop's folder belongs to the loop: its tokens count, the log's sum of the same work does not count again.
#[test]
fn a_session_beside_its_loop_is_counted_once() {
    let dir = tempfile::tempdir().unwrap();
    let rows = [
        (0, 1, "iter_start", "", ""),
        (5, 1, "agent_call", "FAILED a::t", ",\"tokens_in\":100,\"tokens_out\":20"),
        (60, 2, "iter_start", "", ""),
        (70, 2, "green", "", ""),
    ];
    std::fs::write(dir.path().join("loop_log.jsonl"), log(&rows)).unwrap();
    let session = "{\"type\":\"assistant\",\"uuid\":\"u1\",\"parentUuid\":null,\"sessionId\":\"s1\",\"timestamp\":\"2025-11-30T00:00:20.000Z\",\"message\":{\"id\":\"msg_1\",\"role\":\"assistant\",\"model\":\"claude-sonnet-4-5\",\"content\":[{\"type\":\"text\",\"text\":\"ok\"}],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":100,\"output_tokens\":20}}}\n";
    std::fs::write(dir.path().join("session.jsonl"), session).unwrap();
    let report = triage(dir.path(), AS_OF, &[]);
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    assert_eq!(
        (run["tokens"]["input_uncached"].as_u64(), run["tokens"]["output"].as_u64(), run["calls"].as_u64()),
        (Some(100), Some(20), Some(1))
    );
    assert_eq!(
        (run["ending"].as_str(), run["iterations"].as_u64(), run["cost"]["usd"].as_str()),
        (Some("succeeded"), Some(2), Some("0.0006"))
    );
}

/// The log tells of the model call that the session beside it tells too, with its cost: one call for the report, the tables,
/// the budget and the charts.
#[test]
fn a_model_call_that_log_and_session_tell_is_one_call() {
    let dir = tempfile::tempdir().unwrap();
    let at = dir.path();
    let rows = [
        (0, 1, "iter_start", "", ""),
        (20, 1, "model_call", "", ",\"model\":\"claude-sonnet-4-5\",\"tokens_in\":100,\"tokens_out\":20,\"cost_usd\":9.5"),
        (30, 1, "agent_call", "FAILED a::t", ""),
        (60, 2, "iter_start", "", ""),
        (62, 2, "model_call", "", ",\"model\":\"claude-sonnet-4-5\",\"tokens_in\":100,\"tokens_out\":20,\"cost_usd\":9.5"),
        (70, 2, "green", "", ""),
    ];
    std::fs::write(at.join("loop_log.jsonl"), log(&rows)).unwrap();
    let call = |n: u32, second: u32| {
        let message = serde_json::json!({"id": format!("msg_{n}"), "role": "assistant", "model": "claude-sonnet-4-5",
            "content": [{"type": "text", "text": "ok"}], "stop_reason": "end_turn", "usage": {"input_tokens": 100, "output_tokens": 20}});
        let time = format!("2025-11-30T00:{:02}:{:02}.000Z", second / 60, second % 60);
        serde_json::json!({"type": "assistant", "uuid": format!("u{n}"), "sessionId": "s1", "timestamp": time, "message": message})
            .to_string()
            + "\n"
    };
    std::fs::write(at.join("session.jsonl"), call(1, 10) + &call(2, 61)).unwrap();
    std::fs::write(at.join("loopBudget.json"), "{\"loopBudget\": {\"modelTurns\": 2, \"costUsd\": 1, \"totalTokens\": 300}}").unwrap();
    let report = triage(at, AS_OF, &[]);
    let run = &report["runs"][0];
    assert_eq!((run["calls"].as_u64(), run["tokens"]["input_uncached"].as_u64()), (Some(2), Some(200)), "{run}");
    // 2 x (100 x 3 + 20 x 15) millionths of a dollar
    assert_eq!(run["cost"]["usd"], "0.0012");
    let overrun = run["findings"].as_array().unwrap().iter().find(|f| f["kind"] == "budget_overrun");
    assert!(overrun.is_none(), "{overrun:?}");
    let out = program().args(["export", "--to", "csv", "--table", "calls", "--out", "-", "--as-of", AS_OF]).arg(at).output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
}

fn loop_of(runs: &[&str]) -> String {
    let mut log = String::new();
    for (k, run) in runs.iter().enumerate() {
        let at = 1_795_827_600 + 600 * k;
        log += &format!("{{\"ts\":{at},\"iter\":1,\"event\":\"iter_start\",\"detail\":\"\"}}\n");
        if *run == "works" {
            log += &format!("{{\"ts\":{},\"iter\":1,\"event\":\"agent_call\",\"detail\":\"FAILED t.py::a - assert 1 == 2\"}}\n", at + 10);
            log += &format!("{{\"ts\":{},\"iter\":2,\"event\":\"iter_start\",\"detail\":\"\"}}\n", at + 20);
        }
        let iter = if *run == "works" { 2 } else { 1 };
        log += &format!("{{\"ts\":{},\"iter\":{iter},\"event\":\"green\",\"detail\":\"done in {iter}\"}}\n", at + 30);
    }
    log
}

#[test]
fn a_loop_that_is_started_again_after_its_work_was_done() {
    for (runs, told) in
        [(&["works", "idle", "idle", "idle"][..], 1), (&["works", "idle", "idle"][..], 0), (&["works", "idle", "works", "idle"][..], 0)]
    {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("x")).unwrap();
        std::fs::write(folder.path().join("x/.loop_log.jsonl"), loop_of(runs)).unwrap();
        let report = triage(folder.path(), "2026-11-29T08:00:00Z", &[]);
        assert_eq!(report["runs"].as_array().unwrap().len(), runs.len(), "{runs:?}");
        let restarted = report["restarted_after_done"].as_array().unwrap();
        assert_eq!(restarted.len(), told, "{runs:?}");
        if let Some(one) = restarted.first() {
            assert_eq!((one["done"].as_str(), one["runs"].as_array().unwrap().len()), (Some("x#1"), 3));
        }
    }
}

/// The same loop with a folder for each start, named so that the order of names is not that of time; and sessions of one
/// folder, where only the task says that it is the same loop.
#[test]
fn a_loop_that_is_started_again_in_folders_of_its_own() {
    let log = |kind: &str, at: u64| loop_of(&[kind]).replace("\"ts\":17958", &format!("\"ts\":{}", 17_958 + at));
    let starts = [("run-9", "works", 0), ("run-1", "idle", 1), ("run-2", "idle", 2), ("run-3", "idle", 3)];
    for (names, told) in [(["x", "x", "x", "x"], 1), (["x", "x", "x", "y"], 0)] {
        let folder = tempfile::tempdir().unwrap();
        for (name, (run, kind, at)) in names.iter().zip(starts) {
            let dir = folder.path().join(name).join(run);
            std::fs::create_dir_all(&dir).unwrap();
            std::fs::write(dir.join(".loop_log.jsonl"), log(kind, at)).unwrap();
        }
        let report = triage(folder.path(), "2026-11-29T08:00:00Z", &[]);
        let restarted = report["restarted_after_done"].as_array().unwrap();
        assert_eq!(restarted.len(), told, "{names:?}");
        if let Some(one) = restarted.first() {
            assert_eq!(one["done"], "x/run-9");
            assert_eq!(one["runs"], serde_json::json!(["x/run-1", "x/run-2", "x/run-3"]));
        }
    }
}

/// A session in which pytest is green at once; or only after a repair.
fn session(id: &str, task: &str, minute: u32, works: bool) -> String {
    let mut lines = vec![serde_json::json!({"type": "user", "message": {"role": "user", "content": task}})];
    let mut call = |n: u32, out: &str, failed: bool| {
        let (tool, msg) = (format!("toolu_{id}{n}"), format!("msg_{id}{n}"));
        let input = serde_json::json!({"command": "pytest -q"});
        let used = serde_json::json!([{"type": "tool_use", "id": tool, "name": "Bash", "input": input}]);
        let usage = serde_json::json!({"input_tokens": 9, "output_tokens": 9});
        lines.push(serde_json::json!({"type": "assistant", "message":
            {"role": "assistant", "id": msg, "model": "claude-sonnet-4-5", "content": used, "stop_reason": "tool_use", "usage": usage}}));
        let answer = serde_json::json!([{"type": "tool_result", "tool_use_id": tool, "content": out, "is_error": failed}]);
        lines.push(serde_json::json!({"type": "user", "message": {"role": "user", "content": answer}}));
    };
    if works {
        call(1, "Exit code 1\nFAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed in 0.1s", true);
    }
    call(2, "3 passed in 0.1s", false);
    let words = serde_json::json!([{"type": "text", "text": "The suite is green."}]);
    lines.push(serde_json::json!({"type": "assistant", "message":
        {"role": "assistant", "id": format!("msg_{id}9"), "model": "claude-sonnet-4-5", "content": words, "stop_reason": "end_turn",
         "usage": {"input_tokens": 9, "output_tokens": 9}}}));
    let mut text = String::new();
    for (k, mut line) in lines.into_iter().enumerate() {
        line["sessionId"] = id.into();
        line["uuid"] = format!("{id}-{k}").into();
        line["timestamp"] = format!("2026-11-28T01:{minute:02}:{k:02}Z").into();
        text += &format!("{line}\n");
    }
    text
}

#[test]
fn a_task_that_is_given_again_and_again_after_it_was_done() {
    let ids = ["0a", "0b", "0c", "0d"].map(|k| format!("{k}111111-2222-4333-8444-555555555555"));
    let fix = "Fix the suite, please.";
    // The same words in another folder are another task.
    for (last, place, told) in [(fix, "/w/p", 1), ("Now write the manual.", "/w/p", 0), (fix, "/w/q", 0)] {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("projects/-w-p");
        std::fs::create_dir_all(&dir).unwrap();
        for (k, id) in ids.iter().enumerate() {
            let (task, cwd) = if k == 3 { (last, place) } else { (fix, "/w/p") };
            let text = session(id, task, 10 * u32::try_from(k).unwrap(), k == 0);
            let text = text.replace("\"sessionId\"", &format!("\"cwd\":\"{cwd}\",\"sessionId\""));
            std::fs::write(dir.join(format!("{id}.jsonl")), text).unwrap();
        }
        let report = triage(folder.path(), "2026-11-29T08:00:00Z", &[]);
        assert_eq!(report["runs"].as_array().unwrap().len(), 4);
        assert_eq!(report["restarted_after_done"].as_array().unwrap().len(), told, "{last} {place}");
    }
}

/// 5, 6, 4 failures and green: only the third and the fourth gain. One error line at a time shows no gain.
#[test]
fn the_gain_series() {
    for (failures, series) in [(["5", "6", "4"].map(Some), Some("..fg")), ([None, None, None], Some("...g"))] {
        let folder = tempfile::tempdir().unwrap();
        let mut log = String::new();
        for (k, n) in failures.iter().enumerate() {
            let (at, iter) = (1_795_827_600 + 60 * k, k + 1);
            let count = n.map(|n| format!(",\"failures\":{n}")).unwrap_or_default();
            log += &format!("{{\"ts\":{at},\"iter\":{iter},\"event\":\"iter_start\",\"detail\":\"\"}}\n");
            log += &format!(
                "{{\"ts\":{},\"iter\":{iter},\"event\":\"agent_call\",\"detail\":\"FAILED t.py::a{k} - assert 1\"{count}}}\n",
                at + 10
            );
        }
        log += "{\"ts\":1795828000,\"iter\":4,\"event\":\"iter_start\",\"detail\":\"\"}\n";
        log += "{\"ts\":1795828010,\"iter\":4,\"event\":\"green\",\"detail\":\"done in 4\"}\n";
        std::fs::write(folder.path().join(".loop_log.jsonl"), log).unwrap();
        let report = triage(folder.path(), "2026-11-29T08:00:00Z", &[]);
        assert_eq!(report["runs"][0]["gain"].as_str(), series);
    }
}

/// A run that nothing judged has no series at all.
#[test]
fn no_gain_series_where_none_could_be_seen() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(".loop_log.jsonl"), "{\"ts\":1795827600,\"iter\":1,\"event\":\"iter_start\",\"detail\":\"\"}\n")
        .unwrap();
    let report = triage(folder.path(), "2026-11-29T08:00:00Z", &[]);
    assert_eq!(report["runs"][0].get("gain"), None);
}

#[test]
fn runs_that_were_expected_and_never_started() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["billing", "search"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
        std::fs::write(folder.path().join(name).join(".loop_log.jsonl"), loop_of(&["works"])).unwrap();
    }
    let report = triage(folder.path(), "2026-11-29T08:00:00Z", &["--expect", "3"]);
    assert_eq!((report["never_started"]["expected"].as_u64(), report["never_started"]["found"].as_u64()), (Some(3), Some(2)));
    let list = folder.path().join("expected.txt");
    std::fs::write(&list, "billing\nsearch # nightly\ndocs\n").unwrap();
    let report = triage(folder.path(), "2026-11-29T08:00:00Z", &["--expect", list.to_str().unwrap()]);
    assert_eq!(report["never_started"]["missing"], serde_json::json!(["docs"]));
    let output = program()
        .args(["triage", "--as-of", "2026-11-29T08:00:00Z", "--expect", "3", "--fail-on", "never_started"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("never started: 1 of 3"));
}

/// 20 green runs of one loop at 0.10 USD and up to 4 iterations, and one that never gets green at 0.50 USD in 12.
#[test]
fn a_run_that_costs_three_times_its_green_peers() {
    let mut log = String::new();
    let mut at = 1_795_000_000;
    for run in 0..21 {
        let (iterations, cost) = if run == 20 { (12, 0.05) } else { (4, 0.025) };
        for i in 1..=iterations {
            log += &format!("{{\"ts\":{at},\"iter\":{i},\"event\":\"iter_start\",\"detail\":\"\"}}\n");
            log += &format!("{{\"ts\":{},\"iter\":{i},\"event\":\"model_call\",\"cost_usd\":{cost},\"detail\":\"\"}}\n", at + 5);
            if i < iterations || run == 20 {
                log += &format!(
                    "{{\"ts\":{},\"iter\":{i},\"event\":\"agent_call\",\"detail\":\"FAILED t.py::t{} - assert 1 == 2\"}}\n",
                    at + 10,
                    i % 7 + run
                );
            }
            at += 60;
        }
        let (event, n) = if run == 20 { ("iter_limit", iterations) } else { ("green", iterations) };
        log += &format!("{{\"ts\":{at},\"iter\":{n},\"event\":\"{event}\",\"detail\":\"\"}}\n");
        at += 600;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("x")).unwrap();
    std::fs::write(folder.path().join("x/.loop_log.jsonl"), log).unwrap();
    let report = triage(folder.path(), "2026-11-29T08:00:00Z", &[]);
    let runs = report["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 21);
    let last = runs.iter().find(|r| r["run"] == "x#21").unwrap();
    let runaway = last["findings"].as_array().unwrap().iter().find(|f| f["kind"] == "runaway").unwrap();
    // 3 x 0.10 is crossed by the seventh iteration's call.
    assert_eq!((runaway["variant"].as_str(), runaway["onset"]["iteration"].as_u64()), (Some("peers"), Some(7)));
}
