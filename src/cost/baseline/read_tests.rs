//! Baseline files: what is read, what is refused, and with which words.

use super::{Baseline, CheckRuns, ErrorKind, Run, RunCost, RunTokens};
use crate::diagnose::Ending;
use crate::trace::{Money, Tokens};
use proptest::prelude::*;

/// A file with one run, whose members are given.
fn with(run: &str) -> String {
    format!("{{\n  \"schema\": \"baseline/1\",\n  \"task\": \"t\",\n  \"runs\": [\n    {{ {run} }}\n  ]\n}}\n")
}

fn fault(text: &str) -> String {
    Baseline::parse("b.json", text).unwrap_err().to_string()
}

#[test]
fn the_smallest_file_by_hand() {
    let b = Baseline::parse("b.json", &with("\"calls\": 12, \"tokens\": 250000, \"cost\": {\"usd\": 1.5}, \"active_s\": null")).unwrap();
    let run = &b.runs[0];
    assert_eq!((b.task.as_str(), run.calls, run.tokens), ("t", Some(12), Some(RunTokens::Total(250_000))));
    assert_eq!(run.cost.as_ref().unwrap().usd, "1.5".parse().unwrap());
    assert_eq!((run.wall_s, run.active_s, run.outcome, run.errors.as_ref()), (None, None, None, None));
}

#[test]
fn bom_and_windows_line_ends_are_no_fault() {
    let text = with("\"calls\": 12");
    let plain = Baseline::parse("b.json", &text).unwrap();
    assert_eq!(Baseline::parse("b.json", &format!("\u{feff}{}", text.replace('\n', "\r\n"))).unwrap(), plain);
}

#[test]
fn faults_name_line_key_and_remedy() {
    for (text, wanted) in [
        (with("\"cals\": 12"), "b.json:5: unknown key `runs[0].cals`; did you mean `calls`?"),
        (with("\"calls\": 1, \"calls\": 2"), "b.json:5: `runs[0].calls` stands twice; keep one"),
        (
            with("\"calls\": 0"),
            "b.json:5: `runs[0].calls` cannot be 0: it takes a whole number from 1 to 10000000, or null; what is not known is null, never 0",
        ),
        (with("\"calls\": -3"), "b.json:5: `runs[0].calls` cannot be -3: it takes a whole number from 1 to 10000000, or null"),
        (with("\"calls\": 2.5"), "b.json:5: `runs[0].calls` cannot be 2.5: it takes a whole number from 1 to 10000000, or null"),
        (
            with("\"wall_s\": 1e300"),
            "b.json:5: `runs[0].wall_s` cannot be 1e300: it takes seconds above 0, at most a year, or null; what is not known is null, never 0",
        ),
        (with("\"wall_s\": 60, \"active_s\": 61"), "b.json:5: `runs[0].active_s` cannot be 61: it is at most wall_s, 60"),
        (
            with("\"outcome\": \"suceeded\", \"calls\": 1"),
            "b.json:5: `runs[0].outcome` cannot be \"suceeded\": it is one of risk_boundary, aborted, succeeded, limit_hit, blocked, non_convergent, died, running, unverified, or null; did you mean \"succeeded\"?",
        ),
        (
            with("\"cost\": 1.5"),
            "b.json:5: `runs[0].cost` cannot be 1.5: it takes an object: {\"usd\": \"1.25\", \"source\": \"reported\", \"snapshot\": null}, or null",
        ),
        (
            with("\"cost\": {\"usd\": \"0\"}"),
            "b.json:5: `runs[0].cost.usd` cannot be \"0\": what is not known is null, never 0; a model that is free has \"source\": \"free\"",
        ),
        (
            with("\"cost\": {\"usd\": \"-1\"}"),
            "b.json:5: `runs[0].cost.usd` cannot be \"-1\": it takes US dollars from 0 to 1000000 as a decimal, \"4.10\", or null",
        ),
        (
            with("\"tokens\": {\"output\": 5, \"reasoning\": 6}"),
            "b.json:5: `runs[0].tokens.reasoning` cannot be 6: it is a part of output and cannot be more",
        ),
        (
            with("\"tokens\": {\"output\": 0}"),
            "b.json:5: `runs[0].tokens` cannot be {\"output\": 0}: no class is above 0; what is not known is null, never 0",
        ),
        (with("\"human_s\": 5"), "b.json:5: `runs[0]` says nothing that could be compared; give calls, tokens, cost, wall_s or iterations"),
        (
            with("\"calls\": 1, \"check\": {\"cmd\": \"x\", \"repeats\": 3, \"passes\": 4}"),
            "b.json:5: `runs[0].check.passes` cannot be 4: it takes a whole number from 0 to 3, or null",
        ),
        (
            with("\"calls\": 1, \"check\": {\"cmd\": \"x\", \"repeats\": 3, \"passes\": 3, \"durations_s\": [1]}"),
            "b.json:5: `runs[0].check.durations_s` cannot be [1]: it takes a list of seconds, one for each of the 3 executions, or []",
        ),
        (with("\"calls\": NaN"), "b.json:5: not valid JSON: expected value (column 16)"),
        (
            "{\"schema\": \"baseline/2\"}".to_owned(),
            "b.json:1: `schema` cannot be \"baseline/2\": this program reads \"baseline/1\"; record it again, or use the program that wrote it",
        ),
        ("{}".to_owned(), "b.json:1: `schema` is missing: write \"schema\": \"baseline/1\""),
        ("{\"schema\": \"baseline/1\"}".to_owned(), "b.json:1: `runs` is missing: it takes a list with at least one run"),
        (String::new(), "b.json:1: is empty; `loopmortem baseline record` writes a baseline"),
        (with("\"calls\": 1").replace("\"t\"", "\" \""), "b.json:3: `task` cannot be \" \": it is empty; write null where it is not known"),
        (
            with("\"calls\": 1").replace("\"task\": \"t\"", "\"task\": \"t\", \"date\": \"28.11.2026\""),
            "b.json:3: `date` cannot be \"28.11.2026\": it takes a day as \"2026-11-28\", or null",
        ),
    ] {
        assert_eq!(fault(&text), wanted);
    }
    assert!(fault("[1]").starts_with("b.json:1: a baseline is a JSON object in braces"));
    assert!(fault(&with("\"calls\": 1").replace('}', "")).contains("not valid JSON"));
}

#[test]
fn hostile_files_cost_an_error_and_nothing_else() {
    let deep = "[".repeat(100_000);
    assert!(fault(&deep).starts_with("b.json:1: "));
    assert!(fault(&with(&format!("\"calls\": {deep}"))).starts_with("b.json:"));
    assert!(fault(&format!("{}{}", "{\"a\":".repeat(100_000), "}".repeat(100_000))).starts_with("b.json:1: "));
    assert!(fault(&with(&format!("\"calls\": {}", "9".repeat(100_000)))).len() < 300);
    assert!(fault(&with(&format!("\"run\": \"{}\", \"calls\": 1", "x".repeat(1 << 20)))).contains("more than 4096 characters"));
    assert!(fault(&with("\"run\": \"\\ud800\", \"calls\": 1")).contains("runs[0].run"));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("b.json");
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        Baseline::read(&path).unwrap_err()
    };
    assert_eq!(read(b"{\n\"task\": \"\xff\"}").line, Some(2));
    assert!(Baseline::read(dir.path()).unwrap_err().what.contains("is a folder"));
    assert!(Baseline::read(&dir.path().join("none")).unwrap_err().what.contains("cannot be read"));
    std::fs::File::create(&path).unwrap().set_len(1 << 33).unwrap();
    assert!(Baseline::read(&path).unwrap_err().what.contains("bytes long"));
}

fn text() -> impl Strategy<Value = String> {
    "[\\PC\"\\\\\u{1}\u{7f}\n\t]{1,20}".prop_filter("not blank", |t| !t.trim().is_empty())
}

fn seconds() -> impl Strategy<Value = f64> {
    (1u64..10_000_000).prop_map(|ms| {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds below 10^7")]
        let ms = ms as f64;
        ms / 1e3
    })
}

fn tokens() -> impl Strategy<Value = RunTokens> {
    let n = || prop::option::of(0u64..1_000_000_000);
    let classes = (n(), n(), n(), n(), 1u64..1_000_000, prop::option::of(0u64..2)).prop_map(|(a, b, c, d, output, reasoning)| {
        let (input_uncached, cache_read, cache_write_5m, cache_write_1h) = (a, b, c, d);
        RunTokens::Classes(Tokens {
            input_uncached,
            cache_read,
            cache_write_5m,
            cache_write_1h,
            output: Some(output),
            reasoning: reasoning.map(|r| r.min(output)),
        })
    });
    prop_oneof![classes, (1u64..1_000_000_000_000).prop_map(RunTokens::Total)]
}

fn check() -> impl Strategy<Value = CheckRuns> {
    (text(), prop::collection::vec((any::<bool>(), 0u32..100_000), 1..12), text()).prop_map(|(cmd, runs, failure)| {
        let passes = u32::try_from(runs.iter().filter(|r| r.0).count()).unwrap();
        let repeats = u32::try_from(runs.len()).unwrap();
        let durations_s = runs.iter().map(|r| f64::from(r.1) / 1e3).collect();
        CheckRuns { cmd, repeats, passes, durations_s, flake_signatures: if passes < repeats { vec![failure] } else { vec![] } }
    })
}

fn run() -> impl Strategy<Value = Run> {
    let cost = (1i128..1_000_000_000_000_000_000, prop::option::of(text()), prop::option::of(text()))
        .prop_map(|(usd, source, snapshot)| RunCost { usd: Money(usd), source, snapshot });
    let errors = prop::collection::vec((text(), 1u64..1000).prop_map(|(signature, count)| ErrorKind { signature, count }), 0..3);
    let ending = prop::sample::select(Ending::ALL.to_vec()).prop_map(|e| e.0);
    let of = prop::option::of::<proptest::strategy::BoxedStrategy<u64>>;
    let counts = (1u64..10_000_000, of((1u64..1_000_000).boxed()), of((0u64..1_000_000).boxed()));
    let times = (prop::option::of(seconds()), prop::option::of(seconds()), prop::option::of(seconds()));
    (
        (prop::option::of(text()), prop::option::of(text())),
        counts,
        prop::option::of(tokens()),
        prop::option::of(cost),
        times,
        prop::option::of(ending),
        prop::option::of(errors),
        prop::option::of(check()),
    )
        .prop_map(
            |((task, run), (calls, iterations, tool_calls), tokens, cost, (wall_s, active_s, human_s), outcome, errors, check)| {
                let active_s = active_s.filter(|a| wall_s.is_none_or(|w| *a <= w));
                Run {
                    task,
                    run,
                    calls: Some(calls),
                    tokens,
                    cost,
                    wall_s,
                    active_s,
                    human_s,
                    outcome,
                    iterations,
                    tool_calls,
                    errors,
                    check,
                }
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn what_is_written_is_read_back_to_the_byte(
        task in text(),
        sha in prop::option::of("[0-9a-f]{40}"),
        names in (prop::option::of(text()), prop::option::of(text())),
        models in prop::collection::vec(text(), 0..3),
        runs in prop::collection::vec(run(), 1..4),
    ) {
        let baseline = Baseline { task, repo_sha: sha, who: names.0, date: Some("2026-11-28".into()), harness: names.1, models, runs };
        let text = baseline.text();
        let back = Baseline::parse("b.json", &text).map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(back.text(), text);
        prop_assert_eq!(back, baseline);
    }

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,200}", at in 0usize..300, put in "[\\PC\n]{0,6}") {
        let _ = Baseline::parse("b.json", &text);
        // And a good file with something put in somewhere.
        let mut good: Vec<char> = with("\"calls\": 3, \"tokens\": {\"output\": 5}, \"check\": null").chars().collect();
        let at = at.min(good.len());
        good.splice(at..at, put.chars());
        let _ = Baseline::parse("b.json", &good.into_iter().collect::<String>());
    }
}
