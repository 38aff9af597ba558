//! How reading and diagnosis grow with a log: twice the log, twice the time, whatever the log looks like. The shapes are
//! those that a detector could choke on: each makes one of them find as much as can be, or look as far as can be.
#![expect(clippy::unwrap_used, reason = "a benchmark that cannot set up shall fail; the macros write undocumented items")]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use loopmortem::analysis::{Options, triage};
use loopmortem::cost::Prices;
use loopmortem::input::Apart;
use loopmortem::settings::Thresholds;
use loopmortem::trace::Time;
use serde_json::{Value, json};
use std::sync::Arc;

/// A log that grows.
#[derive(Default)]
struct Log {
    text: String,
    at: u64,
}

impl Log {
    fn event(&mut self, iter: u32, event: &str, detail: &str, more: Value) {
        self.at += 10;
        let mut record = json!({"ts": 1_764_460_800 + self.at, "iter": iter, "event": event, "detail": detail});
        if let (Value::Object(record), Value::Object(more)) = (&mut record, more) {
            record.extend(more);
        }
        self.text += &format!("{record}\n");
    }

    fn red(&mut self, iter: u32, failure: &str, more: Value) {
        self.event(iter, "iter_start", "", json!({}));
        self.event(iter, "agent_call", failure, more);
    }

    fn call(&mut self, iter: u32, id: &str, tool: &str, args: &Value, answer: Option<&str>) {
        self.event(iter, "tool_call", "", json!({"id": id, "tool": tool, "args": args}));
        self.event(iter, "tool_result", answer.unwrap_or("done"), json!({"id": id, "ok": answer.is_none()}));
    }
}

/// A shape: what stands in one iteration of it.
type Shape = fn(&mut Log, u32);

const SHAPES: &[(&str, Shape)] = &[
    ("walk", |log, k| {
        log.red(k, &format!("FAILED tests/test_{k}.py::test_total - assert {k} == 4"), json!({}));
        log.call(k, &format!("c{k}"), "Bash", &json!({"command": "pytest -q"}), Some(&format!("1 failed, {k} passed in 0.3s")));
    }),
    ("all_equal", |log, k| log.red(k, "FAILED tests/test_a.py::test_total - assert 3 == 4", json!({"failures": 1}))),
    ("cycle_of_five", |log, k| log.red(k, &format!("FAILED tests/test_{}.py::test_total - assert 0", k % 5), json!({}))),
    ("broken_cycles", |log, k| {
        let which = [0, 1, 0, 1, 0, 1, 1][(k % 7) as usize];
        log.red(k, &format!("FAILED tests/test_{which}.py::test_total - assert 0"), json!({}));
    }),
    ("calls_in_fours", |log, k| {
        log.red(k, &format!("FAILED tests/test_{k}.py::test_total - assert 0"), json!({}));
        for n in 0..5 {
            let command = if n < 4 { "make preview" } else { "make other" };
            log.call(k, &format!("c{k}_{n}"), "Bash", &json!({"command": command}), Some("error: no such target"));
        }
    }),
    ("permissions_asked", |log, k| {
        log.event(k, "iter_start", "", json!({}));
        log.event(k, "permission", "", json!({"id": format!("p{k}"), "tool": "Bash", "decision": "ask"}));
    }),
    ("permissions_given", |log, k| {
        log.event(k, "iter_start", "", json!({}));
        let args = json!({"command": format!("git push origin v{k}")});
        log.event(k, "permission", "", json!({"tool": "Bash", "args": args, "decision": "ask"}));
        log.event(k, "permission", "", json!({"tool": "Bash", "args": args, "decision": "allow", "by": "ada"}));
        log.call(k, &format!("c{k}"), "Bash", &args, None);
    }),
    ("permissions_denied", |log, k| {
        log.event(k, "iter_start", "", json!({}));
        let args = json!({"command": "git push --force"});
        log.event(k, "permission", "", json!({"tool": "Bash", "args": args, "decision": "deny", "by": "ada"}));
        log.call(k, &format!("c{k}"), "Bash", &args, Some("denied"));
    }),
    ("gates", |log, k| {
        log.event(k, "iter_start", "", json!({}));
        log.event(k, "gate", "fail", json!({"gate": "design", "score": 5.0, "attempt": k}));
    }),
    ("flaky", |log, k| {
        log.event(k, "iter_start", "", json!({}));
        log.event(k, "check", "FAILED t.py::a - assert 0", json!({"check": format!("c{}", k % 97), "exit_code": k % 2, "commit": "abc"}));
    }),
    // A check's last run lies half the log back, and nothing but other checks between.
    ("checks_of_many_names", |log, k| {
        log.event(1, "check", "", json!({"check": format!("c{}", k >> k.trailing_zeros()), "exit_code": 0}));
    }),
    ("hypotheses", |log, k| {
        log.event(k, "iter_start", "", json!({}));
        log.event(k, "hypothesis", "", json!({"hypothesis": format!("h{k}"), "finding": "unknown"}));
    }),
];

/// A session that edits one file back and forth, with a person who speaks after every third edit.
fn session(iterations: u32) -> String {
    let mut text = String::new();
    let mut add = |k: u32, kind: &str, message: Value| {
        let at = Time(1_764_460_800_000 + 8_000 * i64::from(k)).to_string();
        let record =
            json!({"type": kind, "uuid": format!("u{k}{kind}"), "sessionId": "s", "cwd": "/w/p", "timestamp": at, "message": message});
        text += &format!("{record}\n");
    };
    for k in 1..=iterations {
        if k % 3 == 1 {
            add(3 * k, "user", json!({"role": "user", "content": format!("Next, number {k}.")}));
        }
        let (old, new) = if k % 2 == 0 { ("a = 1", "a = 2") } else { ("a = 2", "a = 1") };
        let input = json!({"file_path": "/w/p/a.py", "old_string": old, "new_string": new});
        let used = json!([{"type": "tool_use", "id": format!("t{k}"), "name": "Edit", "input": input}]);
        let usage = json!({"input_tokens": 9, "output_tokens": 9});
        let id = format!("msg_{k}");
        add(3 * k + 1, "assistant", json!({"role": "assistant", "id": id, "model": "claude-sonnet-4-5", "content": used, "usage": usage}));
        add(
            3 * k + 2,
            "user",
            json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": format!("t{k}"), "content": "updated"}]}),
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
        apart: Apart::default(),
    };
    let budget = json!({"loopBudget": {"designPasses": 3, "toolCalls": 24, "sameFailureSignature": 2}}).to_string();
    let logs = SHAPES.iter().map(|(name, shape)| {
        let write = move |iterations: u32| {
            let mut log = Log::default();
            (1..=iterations).for_each(|k| shape(&mut log, k));
            log.text
        };
        (*name, "loop_log.jsonl", Box::new(write) as Box<dyn Fn(u32) -> String>)
    });
    let edits = ("edits_of_one_file", "s.jsonl", Box::new(session) as Box<dyn Fn(u32) -> String>);
    for (name, file, write) in logs.chain([edits]) {
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        for iterations in [2_000, 4_000, 8_000] {
            let dir = tempfile::tempdir().unwrap();
            let text = write(iterations);
            std::fs::write(dir.path().join(file), &text).unwrap();
            if name == "gates" {
                std::fs::write(dir.path().join("loopBudget.json"), &budget).unwrap();
            }
            let paths = [dir.path().to_owned()];
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_with_input(BenchmarkId::from_parameter(iterations), &paths, |b, paths| b.iter(|| triage(paths, &options, &|_| {})));
        }
        group.finish();
    }
}

criterion_group!(benches, growth);
criterion_main!(benches);
