//! How reading and diagnosis grow with a log: twice the log, twice the time.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot set up shall fail; the macros write undocumented items")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use loopmortem::analysis::{Options, triage};
use loopmortem::cost::Prices;
use loopmortem::settings::Thresholds;
use loopmortem::trace::Time;
use std::fmt::Write as _;
use std::sync::Arc;

/// A loop that walks: each iteration a new failure, with tool calls between.
fn log(iterations: u32) -> String {
    let mut text = String::new();
    for k in 1..=iterations {
        let ts = 1_764_460_800 + 60 * k;
        let _ = writeln!(text, r#"{{"ts":{ts},"iter":{k},"event":"iter_start","detail":""}}"#);
        let _ = writeln!(
            text,
            r#"{{"ts":{ts},"iter":{k},"event":"agent_call","detail":"FAILED tests/test_{k}.py::test_total - assert {k} == 4"}}"#
        );
        let _ =
            writeln!(text, r#"{{"ts":{ts},"iter":{k},"event":"tool_call","id":"c{k}","tool":"Bash","args":{{"command":"pytest -q"}}}}"#);
        let _ = writeln!(
            text,
            r#"{{"ts":{ts},"iter":{k},"event":"tool_result","id":"c{k}","ok":false,"detail":"1 failed, {k} passed in 0.3s"}}"#
        );
    }
    text
}

fn growth(c: &mut Criterion) {
    let options = Options {
        thresholds: Thresholds::default(),
        as_of: Time(1_800_000_000_000),
        format: None,
        judges: Arc::default(),
        prices: Arc::new(Prices::embedded().clone()),
        baseline: None,
    };
    let mut group = c.benchmark_group("triage");
    for iterations in [1_000, 2_000, 4_000] {
        let dir = tempfile::tempdir().unwrap();
        let text = log(iterations);
        std::fs::write(dir.path().join("loop_log.jsonl"), &text).unwrap();
        let paths = [dir.path().to_owned()];
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::from_parameter(iterations), &paths, |b, paths| b.iter(|| triage(paths, &options, &|_| {})));
    }
    group.finish();
}

criterion_group!(benches, growth);
criterion_main!(benches);
