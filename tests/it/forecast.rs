//! `forecast` from outside: the contract of its JSON, its gate, its errors, past runs and runs under way.

use crate::support::{fixtures, program};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

fn forecast(args: &[&str]) -> (Value, Option<i32>, String) {
    let output = program().args(["forecast", "--json"]).args(args).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    let document = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}: {stderr}"));
    (document, output.status.code(), stderr)
}

/// S, F, a, o, m, e, T.
fn launch(shape: [u64; 7], model: &str, more: &[&str]) -> (Value, Option<i32>, String) {
    let flags =
        ["--state-tokens", "--disk-state", "--work-tokens", "--output-tokens", "--calls-per-iteration", "--reorient-calls", "--iterations"];
    let numbers = shape.map(|n| n.to_string());
    let mut args: Vec<&str> = flags.iter().zip(&numbers).flat_map(|(flag, n)| [*flag, n.as_str()]).collect();
    args.extend(["--model", model]);
    args.extend(more);
    forecast(&args)
}

const SMALL: [u64; 7] = [5_000, 0, 2_000, 500, 1, 0, 10];

/// A launch, the models that cost the same, its tokens, its cost without cache and with a warm one.
type Vector<'a, T> = ([u64; 7], &'a [&'a str], T, &'a str, &'a str);

#[test]
fn the_published_vectors_to_the_last_digit() {
    let opus = ["claude-opus-4-5", "claude-opus-4-6", "anthropic/claude-opus-4.7", "claude-opus-4-8"];
    let sonnet = ["claude-sonnet-4-5", "anthropic/claude-sonnet-4.5"];
    // Input; cost without cache and with a warm one.
    let stateful: [Vector<'_, u64>; 8] = [
        (SMALL, &sonnet, 140_000, "0.495", "0.19635"),
        (SMALL, &opus, 140_000, "0.825", "0.32725"),
        ([18_000, 0, 1_500, 400, 1, 0, 60], &sonnet, 3_735_000, "11.565", "1.847925"),
        ([18_000, 0, 1_500, 400, 1, 0, 60], &opus, 3_735_000, "19.275", "3.079875"),
        ([30_000, 0, 2_000, 500, 1, 0, 120], &sonnet, 17_880_000, "54.54", "7.1886"),
        ([30_000, 0, 2_000, 500, 1, 0, 120], &opus, 17_880_000, "90.9", "11.981"),
        ([0, 0, 250, 100, 1, 0, 400], &sonnet, 19_950_000, "60.45", "6.9291375"),
        ([0, 0, 250, 100, 1, 0, 400], &opus, 19_950_000, "100.75", "11.5485625"),
    ];
    for (shape, models, input, plain, warm) in stateful {
        for model in models {
            let (document, code, _) = launch(shape, model, &[]);
            let cases = &document["regimes"]["stateful"];
            assert_eq!((code, &cases["no_cache"]["usd"], &cases["warm_cache"]["usd"]), (Some(0), &json!(plain), &json!(warm)), "{model}");
            assert_eq!((&cases["no_cache"]["input_tokens"], &cases["warm_cache"]["input_tokens"]), (&json!(input), &json!(input)));
        }
    }
    // Input, cache read, cache write, output.
    let stateless: [Vector<'_, [u64; 4]>; 4] = [
        (SMALL, &sonnet, [50_000, 45_000, 5_000, 5_000], "0.225", "0.10725"),
        ([15_000, 8_000, 2_000, 500, 12, 4, 20], &sonnet, [12_160_000, 11_385_000, 775_000, 160_000], "38.88", "8.72175"),
        ([15_000, 8_000, 2_000, 500, 12, 4, 40], &opus, [24_320_000, 22_785_000, 1_535_000, 320_000], "129.6", "28.98625"),
        ([68_453, 1_200, 900, 300, 5, 2, 6], &opus, [3_038_826, 2_930_773, 108_053, 12_600], "15.50913", "2.45571775"),
    ];
    for (shape, models, [input, read, write, output], plain, warm) in stateless {
        for model in models {
            let (document, ..) = launch(shape, model, &[]);
            let cases = &document["regimes"]["stateless"];
            let expected = json!({"input_tokens": input, "cache_read": read, "cache_write": write, "output_tokens": output, "usd": warm});
            assert_eq!(cases["warm_cache"], expected, "{model}");
            let expected = json!({"input_tokens": input, "cache_read": 0, "cache_write": 0, "output_tokens": output, "usd": plain});
            assert_eq!(cases["no_cache"], expected, "{model}");
        }
    }
}

#[test]
fn json_holds_every_field_of_the_contract() {
    let (document, ..) = launch(SMALL, "claude-sonnet-4-5", &[]);
    assert_eq!((&document["schema"], &document["schema_version"]), (&json!("loopmortem/forecast"), &json!("1.0")));
    for regime in ["stateful", "stateless"] {
        for caching in ["no_cache", "warm_cache", "cache_expiry"] {
            let case = document["regimes"][regime][caching].as_object().unwrap();
            let mut keys: Vec<&str> = case.keys().map(String::as_str).collect();
            keys.sort_unstable();
            assert_eq!(keys, ["cache_read", "cache_write", "input_tokens", "output_tokens", "usd"]);
        }
    }
    // 10 * 7000 at 3 dollars a million; all written anew at 3.75 and 5000 out at 15.
    assert_eq!((&document["launch_estimate"], &document["ceiling"]), (&json!("0.21"), &json!("0.6")));
    assert_eq!((&document["break_even_iteration"], &document["budget"]), (&json!(1.0), &Value::Null));
    let (document, ..) = launch([15_000, 8_000, 2_000, 500, 12, 4, 20], "claude-sonnet-4-5", &[]);
    assert!((document["break_even_iteration"].as_f64().unwrap() - 344.0 / 144.0).abs() < 1e-12);
    // A session passes the window of 200k: 23000 + 2000 * 89 is its 90th call's context.
    assert_eq!(document["context"]["stateful"]["beyond_window_at_call"], json!(90));
}

#[test]
fn a_budget_passes_only_what_is_known_to_fit() {
    let code = |budget: &str, more: &[&str]| {
        let (document, code, stderr) = launch(SMALL, "claude-sonnet-4-5", &[&["--budget", budget], more].concat());
        (code, document["budget"]["verdict"].as_str().unwrap().to_owned(), stderr)
    };
    assert_eq!(code("0.6", &[]), (Some(0), "within".to_owned(), String::new()));
    let (exit, verdict, stderr) = code("0.59", &[]);
    assert_eq!((exit, verdict.as_str()), (Some(1), "beyond"));
    assert_eq!(stderr, "loopmortem: --budget $0.59 is exceeded: $0.60 (10 iterations, stateful, cache expiry)\n");
    assert_eq!(code("0.2", &["--regime", "stateless", "--cache", "warm"]).0, Some(0));
    assert_eq!(code("0.6", &["--max-iter", "11"]).0, Some(1));

    let (document, exit, stderr) = launch(SMALL, "sonnet-4.5", &["--budget", "1000"]);
    assert_eq!((exit, &document["ceiling"], &document["launch_estimate"]), (Some(1), &Value::Null, &Value::Null));
    assert_eq!(document["regimes"]["stateful"]["no_cache"]["usd"], Value::Null);
    assert!(stderr.contains("does not pass, the cost is not known") && stderr.contains("did you mean `claude-sonnet-4-5`"), "{stderr}");
    let (document, exit, stderr) = launch(SMALL, "sonnet-4.5", &[]);
    assert_eq!((exit, &document["regimes"]["stateless"]["warm_cache"]["usd"]), (Some(0), &Value::Null));
    assert!(stderr.contains("no list has a price for `sonnet-4.5`"), "{stderr}");
}

#[test]
fn own_prices_and_baselines_count() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let prices = file("prices.json", r#"{"schema":"loopmortem/prices","models":{"house":{"input":1,"output":2}}}"#);
    let (document, ..) = launch(SMALL, "house", &["--prices", &prices]);
    // 140000 * 1 + 5000 * 2; no price for a cache.
    let cases = &document["regimes"]["stateful"];
    assert_eq!((&cases["no_cache"]["usd"], &cases["warm_cache"]["usd"]), (&json!("0.15"), &Value::Null));
    let baseline = file(
        "baseline.json",
        r#"{"schema": "baseline/1", "task": "t", "runs": [{"cost": {"usd": "0.80"}, "iterations": 4}, {"cost": {"usd": null}, "iterations": 1}]}"#,
    );
    let (document, ..) = launch(SMALL, "claude-sonnet-4-5", &["--baseline", &baseline, "--max-iter", "25"]);
    assert_eq!((&document["ceiling"], &document["ceiling_basis"]["kind"]), (&json!("5"), &json!("baseline")));
    let silent = file("silent.json", r#"{"schema": "baseline/1", "task": "t", "runs": [{"cost": null, "iterations": 4}]}"#);
    let (document, exit, _) = launch(SMALL, "claude-sonnet-4-5", &["--baseline", &silent, "--budget", "1000"]);
    assert_eq!((exit, &document["ceiling"]), (Some(1), &Value::Null));
    let broken = file("broken.json", "{\"schema\": \"baseline/1\", \"task\": \"t\",\n  \"runs\": 7\n}");
    let output = program()
        .args(["forecast", "--iterations", "1", "--state-tokens", "1", "--work-tokens", "1", "--output-tokens", "1"])
        .args(["--model", "x", "--baseline", &broken])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("broken.json:2: "));
}

#[test]
fn absurd_numbers_are_refused_with_their_flag() {
    let good = [
        ("--iterations", "10"),
        ("--state-tokens", "5k"),
        ("--work-tokens", "2k"),
        ("--output-tokens", "500"),
        ("--model", "claude-sonnet-4-5"),
    ];
    let run = |flag: &str, value: Option<&str>| {
        let mut args = vec!["forecast"];
        for (name, default) in good.iter().filter(|(name, _)| *name != flag) {
            args.extend([*name, *default]);
        }
        args.extend(value.into_iter().flat_map(|v| [flag, v]));
        let output = program().args(&args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for flag in [
        "--iterations",
        "--state-tokens",
        "--work-tokens",
        "--output-tokens",
        "--calls-per-iteration",
        "--max-iter",
        "--budget",
        "--subagents",
    ] {
        for value in ["-1", "NaN", "inf", "1e30", "1.5", "", "99999999999999999999"] {
            if flag == "--budget" && value == "1.5" {
                continue;
            }
            let (code, stderr) = run(flag, Some(value));
            assert_eq!(code, Some(2), "{flag} {value}: {stderr}");
            assert!(stderr.contains(flag), "{flag} {value}: {stderr}");
        }
    }
    for flag in ["--iterations", "--calls-per-iteration", "--max-iter"] {
        let (code, stderr) = run(flag, Some("0"));
        assert_eq!((code, stderr.contains(flag)), (Some(2), true), "{stderr}");
    }
    let (code, stderr) = run("--model", None);
    assert_eq!((code, stderr.contains("a launch needs --model")), (Some(2), true), "{stderr}");
    assert!(run("--compact-at", Some("4k")).1.contains("--compact-to"));
    let (code, stderr) = run("--work-tokens", Some("900M"));
    assert_eq!(code, Some(0), "{stderr}");
    // A name with an escape code is shown inert.
    let output = program()
        .args([
            "forecast",
            "--iterations",
            "1",
            "--state-tokens",
            "1",
            "--work-tokens",
            "1",
            "--output-tokens",
            "1",
            "--model",
            "x\u{1b}[31mred",
        ])
        .output()
        .unwrap();
    assert!(!output.stdout.contains(&0x1b) && !output.stderr.contains(&0x1b));
}

/// A loop whose agent makes one call an iteration, without cache: 10000 tokens, 1000 more with each, 100 out.
fn looped(folder: &Path, iterations: u64, last: &str) {
    std::fs::create_dir_all(folder).unwrap();
    let mut log = String::new();
    for i in 1..=iterations {
        let (ts, input) = (1_795_900_000 + 60 * i, 9_000 + 1_000 * i);
        let _ = writeln!(log, r#"{{"ts":{ts},"iter":{i},"event":"iter_start","detail":""}}"#);
        let _ = writeln!(
            log,
            r#"{{"ts":{},"iter":{i},"event":"model_call","model":"claude-sonnet-4-5","tokens_in":{input},"tokens_out":100,"detail":""}}"#,
            ts + 5
        );
        if i == iterations && !last.is_empty() {
            let _ = writeln!(log, r#"{{"ts":{},"iter":{i},"event":"{last}","detail":"done"}}"#, ts + 9);
        } else {
            let _ = writeln!(
                log,
                r#"{{"ts":{},"iter":{i},"event":"check","exit_code":1,"detail":"FAILED tests/test_a.py::test_{i}"}}"#,
                ts + 9
            );
        }
    }
    std::fs::write(folder.join(".loop_log.jsonl"), log).unwrap();
}

const AS_OF: &str = "2026-11-29T08:00:00Z";

#[test]
fn a_run_under_way_is_projected() {
    let folder = tempfile::tempdir().unwrap();
    looped(&folder.path().join("fix"), 10, "");
    let path = folder.path().join("fix").display().to_string();
    let (document, code, stderr) = forecast(&["--run", &path, "--iterations", "20", "--budget", "1", "--as-of", AS_OF]);
    let r = &document["running"];
    assert_eq!((&r["calls"], &r["input_tokens"], &r["spent_usd"]), (&json!(10), &json!(145_000), &json!("0.45")));
    assert_eq!(
        (&r["growth"]["state_tokens"], &r["growth"]["work_tokens"], &r["growth"]["r2"]),
        (&json!(10_000.0), &json!(1_000.0), &json!(1.0))
    );
    // 20 * 10000 + 1000 * 190 at 3 dollars a million, 2000 out at 15; the pace is twice what was spent.
    assert_eq!(r["projection"]["quadratic"], json!({"input_tokens": 390_000, "usd": "1.2"}));
    assert_eq!(r["projection"]["linear"], json!({"input_tokens": 290_000, "usd": "0.9"}));
    // After call 17 it is 0.9435, after call 18 1.026.
    assert_eq!((&r["spent_at_call"], &r["left_usd"]), (&json!(18), &json!("0.55")));
    assert_eq!((code, stderr.as_str()), (Some(1), "loopmortem: --budget $1.00 is exceeded: $1.20 (projected to call 20)\n"));
    // With a cache that holds what was said, input is read at 0.3 and only the new 1000 written at 3.75.
    let (warm, ..) = forecast(&["--run", &path, "--iterations", "11", "--cache", "warm", "--as-of", AS_OF]);
    assert_eq!(warm["running"]["projection"]["quadratic"]["usd"], json!("0.46095")); // + 19000 * 0.3 + 1000 * 3.75 + 100 * 15
    let (none, code, _) = forecast(&["--run", "fix", &folder.path().display().to_string(), "--as-of", AS_OF]);
    assert_eq!((code, &none["running"]["projection"], &none["running"]["until"]), (Some(0), &Value::Null, &Value::Null));
    assert_eq!(program().args(["forecast", "--run", "nothing", &path]).output().unwrap().status.code(), Some(3));
}

#[test]
fn past_runs_say_what_the_next_one_takes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, iterations, last) in
        [("a", 3, "green"), ("b", 4, "green"), ("c", 5, "green"), ("d", 6, "green"), ("e", 8, "iter_limit"), ("f", 8, "iter_limit")]
    {
        looped(&folder.path().join(name), iterations, last);
    }
    let path = folder.path().display().to_string();
    let (document, code, stderr) = forecast(&["--from", &path, "--budget", "1", "--as-of", AS_OF]);
    let h = &document["history"];
    let green = &h["iterations_to_green"];
    assert_eq!(
        [&green["runs"], &green["green"], &green["censored"], &green["p50"], &green["longest"]],
        [6, 4, 2, 5, 8].map(|n| json!(n)).each_ref()
    );
    let curve: Vec<f64> = green["curve"].as_array().unwrap().iter().map(|p| p["survivor"].as_f64().unwrap()).collect();
    for (k, survivor) in curve.iter().enumerate() {
        assert!((survivor - f64::from(5 - u32::try_from(k).unwrap()) / 6.0).abs() < 1e-12);
    }
    // n calls: (10000 n + 500 n (n - 1)) * 3 / million + n * 0.0015; of six the third is the median.
    let cost = &h["past_cost"];
    assert_eq!([&cost["min"], &cost["p50"], &cost["max"]], ["0.1035", "0.1875", "0.336"].map(|m| json!(m)).each_ref());
    assert_eq!([&cost["p10"], &cost["p90"], &cost["p99"]], [&Value::Null; 3]);
    assert_eq!(
        (&h["growth"]["runs"], &h["growth"]["state_tokens"], &h["growth"]["work_tokens"]),
        (&json!(6), &json!(10_000.0), &json!(1_000.0))
    );
    let launch = &h["next_launch"];
    assert_eq!((&launch["cap"], &launch["cost"]["min"], &launch["cost"]["max"]), (&json!(8), &json!("0.1035"), &json!("0.336")));
    assert!((launch["p_green_within_cap"].as_f64().unwrap() - 4.0 / 6.0).abs() < 0.025);
    assert_eq!(
        (code, launch["p_cost_within_budget"].as_f64(), &document["budget"]["verdict"]),
        (Some(0), Some(1.0), &json!("within")),
        "{stderr}"
    );
    // Below five runs nothing is said about the spread, and no budget passes.
    let three: Vec<String> = ["a", "b", "c"].iter().map(|n| folder.path().join(n).display().to_string()).collect();
    let args: Vec<&str> =
        std::iter::once("--from").chain(three.iter().map(String::as_str)).chain(["--budget", "100", "--as-of", AS_OF]).collect();
    let (document, code, stderr) = forecast(&args);
    assert_eq!((&document["history"]["past_cost"]["p50"], code), (&Value::Null, Some(1)));
    assert!(stderr.contains("3 past runs of known cost are too few, 5 are needed"), "{stderr}");
}

#[test]
fn absurd_logs_cost_themselves() {
    let folder = tempfile::tempdir().unwrap();
    for (name, iterations, last) in [("a", 3, "green"), ("b", 4, "green"), ("c", 5, ""), ("d", 6, "abort"), ("e", 7, "green")] {
        looped(&folder.path().join(name), iterations, last);
    }
    let mut log = String::new();
    for (i, tokens) in ["18446744073709551615", "0", "1e30", "-5", "18446744073709551615", "7"].iter().enumerate() {
        let _ = writeln!(log, r#"{{"ts":{},"iter":{},"event":"iter_start","detail":""}}"#, 1_795_900_000 + i, i + 1);
        let _ = writeln!(
            log,
            r#"{{"ts":{},"iter":{},"event":"model_call","model":"claude-sonnet-4-5","tokens_in":{tokens},"tokens_out":{tokens},"cache_read":{tokens},"detail":""}}"#,
            1_795_900_000 + i,
            i + 1
        );
    }
    let absurd = folder.path().join("absurd");
    std::fs::create_dir_all(&absurd).unwrap();
    std::fs::write(absurd.join(".loop_log.jsonl"), log).unwrap();
    let path = folder.path().display().to_string();
    let (document, code, _) = forecast(&["--from", &path, "--as-of", AS_OF]);
    // The five others are drawn from.
    assert_eq!((code, &document["history"]["next_launch"]["cost"]["runs"]), (Some(0), &json!(5)));
    let (document, code, _) = forecast(&["--run", "absurd", &path, "--iterations", "50", "--budget", "5", "--as-of", AS_OF]);
    assert_eq!((code, &document["running"]["projection"]), (Some(1), &Value::Null));
    let output = program().args(["forecast", "--from", &path, "--max-iter", "5000"]).output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().contains("from 1 to 1000")), (Some(2), true));
}

#[test]
fn the_same_bytes_for_any_number_of_threads() {
    let night = fixtures().join("overnight").display().to_string();
    let bytes = |threads: &str| {
        program().args(["forecast", "--json", "--from", &night, "--as-of", AS_OF, "--threads", threads]).output().unwrap().stdout
    };
    let one = bytes("1");
    assert!(!one.is_empty() && one == bytes("2") && one == bytes("7"));
}

#[test]
fn the_forms_describe_recorded_calls() {
    let calls = fixtures().join("growth/calls.csv").display().to_string();
    let (v, code, _) = forecast(&["--validate", &calls]);
    assert_eq!((code, &v["runs"], &v["calls"]), (Some(0), &json!(13), &json!(1_015)));
    let near = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 5e-5;
    // By a second program, written from the definitions.
    assert!(near(&v["median_r2"], 0.99159), "{v}");
    for (row, (seen, runs, quadratic, linear)) in
        v["in_flight"].as_array().unwrap().iter().zip([(10, 12, 0.09553, 0.77836), (20, 12, 0.07605, 0.66990), (40, 11, 0.05937, 0.45610)])
    {
        assert_eq!((&row["calls_seen"], &row["runs"]), (&json!(seen), &json!(runs)));
        assert!(near(&row["quadratic_error"], quadratic) && near(&row["linear_error"], linear), "{row}");
    }
    let missing = program().args(["forecast", "--validate", "no/such.csv"]).output().unwrap();
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn tables_fit_and_have_no_colours_on_a_pipe() {
    let args = ["forecast", "--iterations", "20", "--state-tokens", "15k", "--work-tokens", "2k", "--output-tokens", "500"];
    let output =
        program().args(args).args(["--model", "claude-haiku-5-5", "--calls-per-iteration", "12", "--width", "90"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("expected ") && !text.contains('\u{1b}'));
    // 15000 + 2000 * 42 is 99000: call 44 is the first above 100k.
    assert!(text.replace("\n  ", " ").contains("long-context tier: from call 44 on"), "{text}");
    assert!(text.lines().all(|l| l.chars().count() <= 90), "{text}");
}
