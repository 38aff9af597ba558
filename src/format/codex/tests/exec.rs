//! `codex exec --json`.

use super::*;
use crate::trace::event::EndKind;
use crate::trace::tool::ToolClass;

/// A stream of these lines.
fn stream(lines: &[Value]) -> String {
    lines.iter().map(|l| format!("{l}\n")).collect()
}

fn started(thread: &str) -> Value {
    json!({"type": "thread.started", "thread_id": thread})
}

fn completed(input: u64, cached: u64, output: u64) -> Value {
    json!({"type": "turn.completed", "usage": {"input_tokens": input, "cached_input_tokens": cached, "output_tokens": output}})
}

fn step(step: &str, item: &Value) -> Value {
    json!({"type": format!("item.{step}"), "item": item})
}

#[test]
fn exec_items_are_one_call_each_and_patches_never_equal() {
    let command = |status: &str, code: Option<i32>| json!({"id": "item_0", "type": "command_execution", "command": "ls", "aggregated_output": "a", "exit_code": code, "status": status});
    let change = |id: &str| json!({"id": id, "type": "file_change", "changes": [{"path": "a", "kind": "update"}], "status": "completed"});
    let turn = [
        json!({"type": "turn.started"}),
        step("started", &command("in_progress", None)),
        step("updated", &command("in_progress", None)),
        step("completed", &command("completed", Some(0))),
        step("completed", &change("item_1")),
        step("completed", &change("item_2")),
        step("completed", &json!({"id": "item_3", "type": "todo_list", "items": []})),
        step("completed", &json!({"id": "item_4", "type": "agent_message", "text": "Done."})),
        completed(100, 60, 10),
    ];
    let trace = read(&Exec, &[stream(&[&[started("a")], &turn[..]].concat()), stream(&[&[started("b")], &turn[..]].concat())]);
    assert_eq!((trace.iterations.len(), trace.actions.len(), trace.model_calls), (2, 6, 2));
    assert!(trace.actions.iter().all(|a| a.result_step.is_some()));
    assert_ne!(trace.actions[1].call_key, trace.actions[2].call_key);
    assert_eq!(trace.actions[1].class, ToolClass::Edit);
    assert_eq!((trace.said.len(), trace.said[0].ends, trace.ends.len()), (2, true, 2));
}

#[test]
fn exec_usage_is_added_but_for_a_resumed_thread_that_counts_on() {
    let sum = |lines: &[Value]| {
        let trace = read(&Exec, &[stream(lines)]);
        let of = |f: fn(&crate::trace::Tokens) -> Option<u64>| trace.bookings.iter().filter_map(|b| f(&b.tokens)).sum::<u64>();
        (of(|t| t.input_uncached), of(|t| t.cache_read), of(|t| t.output))
    };
    let turn = json!({"type": "turn.started"});
    // Two turns of one thread, then two threads: added.
    assert_eq!(sum(&[started("a"), turn.clone(), completed(100, 50, 10), turn.clone(), completed(200, 150, 20)]), (100, 200, 30));
    assert_eq!(sum(&[started("a"), completed(100, 50, 10), started("b"), completed(200, 150, 20)]), (100, 200, 30));
    // The same thread again: 200 includes the first 100.
    assert_eq!(sum(&[started("a"), completed(100, 50, 10), started("a"), completed(200, 130, 20)]), (70, 130, 20));
    // The same thread again, and one figure is lower: it counts for itself.
    assert_eq!(sum(&[started("a"), completed(100, 50, 10), started("a"), completed(200, 130, 9)]), (120, 180, 19));
}

#[test]
fn exec_errors() {
    let limit = "You've hit your usage limit.";
    let trace = read(
        &Exec,
        &[stream(&[started("a"), json!({"type": "error", "message": limit}), json!({"type": "turn.failed", "error": {"message": limit}})])],
    );
    assert_eq!(trace.ends.iter().map(|e| e.how).collect::<Vec<_>>(), [EndKind::Abort]);
    let inner = json!({"error": {"type": "server_error", "message": "It broke"}}).to_string();
    let trace = read(
        &Exec,
        &[stream(&[
            started("a"),
            json!({"type": "error", "message": "Reconnecting... 1/5"}),
            json!({"type": "error", "message": "It broke"}),
            json!({"type": "turn.failed", "error": {"message": inner}}),
        ])],
    );
    assert_eq!((marks(&trace), trace.ends.len()), (vec![MarkKind::Retry, MarkKind::ApiError], 0));
}

#[test]
fn exec_killed_within_a_command() {
    let text = format!(
        "--- round 1\n{}{{\"type\":\"item.sta",
        stream(&[
            started("a"),
            json!({"type": "turn.started"}),
            step("started", &json!({"id": "i", "type": "command_execution", "command": "make"}))
        ])
    );
    let trace = read(&Exec, &[text]);
    assert_eq!((trace.actions.len(), trace.actions[0].result_step, trace.ends.len()), (1, None, 0));
    let ledger = &trace.sources[0].ledger;
    assert_eq!((ledger.read, ledger.unknown, ledger.lost, ledger.torn_tail), (4, 1, 1, true));
}

#[test]
fn a_declined_command_is_a_permission_and_no_check() {
    let item = json!({"id": "i", "type": "command_execution", "command": "pytest", "aggregated_output": "", "exit_code": null, "status": "declined"});
    let trace = read(&Exec, &[stream(&[started("a"), step("completed", &item)])]);
    assert_eq!((marks(&trace), trace.checks.len(), trace.actions[0].ok), (vec![MarkKind::Permission], 0, Some(false)));
}
