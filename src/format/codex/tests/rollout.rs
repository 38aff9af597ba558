//! Rollouts.

use super::*;
use crate::trace::event::EndKind;
use crate::trace::rows::Colour;
use crate::trace::tool::ToolClass;

#[test]
fn only_what_a_person_wrote_is_a_persons() {
    let trace = read(
        &Rollout,
        &[rollout(&[
            meta("a"),
            user("<environment_context>\n<cwd>/w</cwd>\n</environment_context>"),
            user("# AGENTS.md instructions for /w"),
            user("Count the ports."),
            event(json!({"type": "user_message", "message": "Count the ports."})),
            event(json!({"type": "agent_message", "message": "Three."})),
            agent("Three."),
        ])],
    );
    assert_eq!(marks(&trace), [MarkKind::Person]);
    assert_eq!(trace.said.len(), 1);
    assert!(trace.said[0].ends);
}

#[test]
fn events_speak_where_there_are_no_items() {
    let trace = read(
        &Rollout,
        &[rollout(&[
            meta("a"),
            event(json!({"type": "user_message", "message": "Count."})),
            event(json!({"type": "agent_message", "message": "Three.", "phase": "final_answer"})),
        ])],
    );
    assert_eq!((marks(&trace), trace.said.len()), (vec![MarkKind::Person], 1));
}

#[test]
fn a_message_ends_its_turn_when_no_work_follows() {
    let trace = read(
        &Rollout,
        &[rollout(&[
            meta("a"),
            event(json!({"type": "task_started"})),
            agent("I look."),
            call("c1", "exec_command", &json!({"cmd": "ls"})),
            answer("c1", "a"),
            agent("It is a."),
            event(json!({"type": "task_complete", "last_agent_message": "It is a."})),
            event(json!({"type": "task_started"})),
            agent("And now?"),
        ])],
    );
    assert_eq!(trace.said.iter().map(|s| s.ends).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(trace.ends.iter().map(|e| e.how).collect::<Vec<_>>(), [EndKind::Exit]);
}

#[test]
fn a_check_that_runs_on_is_judged_by_its_last_poll() {
    let chunk = |state: &str, text: &str| format!("Chunk ID: 1\nWall time: 1.0 seconds\n{state}\nOriginal token count: 1\nOutput:\n{text}");
    let poll = json!({"session_id": 4, "chars": ""});
    let trace = read(
        &Rollout,
        &[rollout(&[
            meta("a"),
            call("c1", "exec_command", &json!({"cmd": "pytest -q"})),
            answer("c1", &chunk("Process running with session ID 4", "FAILED t.py::test_a - AssertionError: no\n")),
            call("c2", "write_stdin", &poll),
            answer("c2", &chunk("Process running with session ID 4", "")),
            call("c3", "write_stdin", &poll),
            answer("c3", &chunk("Process exited with code 1", "1 failed in 9s\n")),
        ])],
    );
    assert_eq!(trace.checks.len(), 1);
    assert_eq!((trace.checks[0].colour, trace.checks[0].exit_code), (Colour::Red, Some(1)));
    assert_eq!(trace.actions.iter().map(|a| a.class).collect::<Vec<_>>(), [ToolClass::Other, ToolClass::Poll, ToolClass::Poll]);
    assert_eq!(trace.iterations[0].failed, Some(1));
}

#[test]
fn a_check_that_did_not_run_has_no_colour() {
    for refusal in ["execution error: Io(x)", "exec_command failed: no shell", "aborted by user after 3s"] {
        let trace =
            read(&Rollout, &[rollout(&[meta("a"), call("c1", "exec_command", &json!({"cmd": "pytest -q"})), answer("c1", refusal)])]);
        assert_eq!((trace.checks.len(), trace.actions[0].ok), (0, Some(false)), "{refusal}");
    }
}

#[test]
fn patches_are_edits_by_tool_and_by_shell() {
    let trace = read(
        &Rollout,
        &[rollout(&[
            meta("a"),
            item(json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": "c1", "input": "*** Begin Patch\n*** End Patch"})),
            item(json!({"type": "custom_tool_call_output", "call_id": "c1", "output": "apply_patch verification failed: x"})),
            call("c2", "shell", &json!({"command": ["apply_patch", "*** Begin Patch\n*** End Patch"]})),
        ])],
    );
    assert_eq!(
        trace.actions.iter().map(|a| (a.class, a.ok)).collect::<Vec<_>>(),
        [(ToolClass::Edit, Some(false)), (ToolClass::Edit, None)]
    );
    assert_eq!(trace.actions[0].call_key, trace.actions[1].call_key);
}

#[test]
fn a_fork_tells_only_what_is_its_own() {
    let count = |n: u64| {
        let usage = json!({"input_tokens": n, "cached_input_tokens": 0, "output_tokens": n, "reasoning_output_tokens": 0});
        let last = json!({"input_tokens": 100, "cached_input_tokens": 0, "output_tokens": 100, "reasoning_output_tokens": 0});
        event(json!({"type": "token_count", "info": {"total_token_usage": usage, "last_token_usage": last}}))
    };
    let history = [user("yes"), call("c1", "exec_command", &json!({"cmd": "ls"})), answer("c1", "a"), count(100), agent("a"), user("yes")];
    let parent = [vec![meta("a")], history.to_vec()].concat();
    let own = [call("c2", "exec_command", &json!({"cmd": "ls"})), answer("c2", "a"), count(200), agent("a"), user("yes")];
    let fork = [vec![meta("b"), meta("a")], history.to_vec(), own.to_vec()].concat();
    let identity = Rollout.identity(rollout(&fork).as_bytes());
    assert_eq!((identity.session.as_deref(), identity.parent.as_deref(), identity.side), (Some("b"), Some("a"), false));
    let trace = read(&Rollout, &[rollout(&parent), rollout(&fork)]);
    assert_eq!((trace.model_calls, trace.actions.len(), trace.said.len(), trace.marks.len()), (2, 2, 2, 3));
    assert_eq!(trace.sources[1].ledger.duplicates, 5);
}

#[test]
fn a_longer_snapshot_goes_on_where_the_shorter_stopped() {
    let chunk = |state: &str| format!("Chunk ID: 1\n{state}\nOutput:\n");
    let all = [
        meta("a"),
        call("c1", "exec_command", &json!({"cmd": "pytest -q"})),
        answer("c1", &chunk("Process running with session ID 4")),
        call("c2", "write_stdin", &json!({"session_id": 4, "chars": ""})),
        answer("c2", &chunk("Process exited with code 0")),
    ];
    let trace = read(&Rollout, &[rollout(&all[..3]), rollout(&all)]);
    assert_eq!((trace.actions.len(), trace.checks.len()), (2, 1));
    assert_eq!(trace.checks[0].colour, Colour::Green);
}

#[test]
fn sub_agents_start_and_stop_once() {
    let spawn = json!({"subagent": {"thread_spawn": {"parent_thread_id": "a", "depth": 1}}});
    let side = rollout(&[
        ("session_meta", json!({"id": "s", "source": spawn})),
        user("Count."),
        agent("Two."),
        event(json!({"type": "task_complete", "last_agent_message": "Two."})),
    ]);
    let parent = rollout(&[
        meta("a"),
        call("c1", "spawn_agent", &json!({"message": "Count."})),
        answer("c1", r#"{"agent_id":"s"}"#),
        call("c2", "wait_agent", &json!({"targets": ["s"]})),
        answer("c2", r#"{"status":{"s":{"completed":"Two."}},"timed_out":false}"#),
    ]);
    let identity = Rollout.identity(side.as_bytes());
    assert_eq!((identity.parent.as_deref(), identity.side), (Some("a"), true));
    let trace = read(&Rollout, &[parent, side]);
    let mut kinds = marks(&trace);
    kinds.retain(|k| *k != MarkKind::Other);
    assert_eq!(kinds, [MarkKind::SubagentStart, MarkKind::SubagentStop]);
    assert!(trace.ends.iter().all(|e| e.how != EndKind::Claim));
}

#[test]
fn limits_interruptions_and_errors() {
    let end_of = |records: &[(&'static str, Value)]| {
        let trace = read(&Rollout, &[rollout(&[&[meta("a"), user("Go.")], records].concat())]);
        let how = trace.ends.last().map(|e| (e.how, e.text.to_lowercase().contains("usage limit")));
        (how, marks(&trace))
    };
    let limit = event(json!({"type": "error", "message": "No more.", "codex_error_info": "usage_limit_exceeded"}));
    let complete = event(json!({"type": "task_complete", "last_agent_message": null}));
    assert_eq!(end_of(&[limit.clone(), limit, complete]), (Some((EndKind::Abort, true)), vec![MarkKind::Person]));
    let budget = event(json!({"type": "turn_aborted", "reason": "budget_limited"}));
    assert_eq!(end_of(&[budget]).0, Some((EndKind::Abort, true)));
    let stopped = event(json!({"type": "turn_aborted", "reason": "interrupted"}));
    assert_eq!(end_of(&[stopped]).1, [MarkKind::Person, MarkKind::Interrupt]);
    let errors = [event(json!({"type": "stream_error", "message": "1/5"})), event(json!({"type": "error", "message": "gone"}))];
    assert_eq!(end_of(&errors).1, [MarkKind::Person, MarkKind::Retry, MarkKind::ApiError]);
}

#[test]
fn a_compaction_is_one_and_a_second_is_another() {
    let both = [("compacted", json!({"message": ""})), event(json!({"type": "context_compacted"}))];
    let all = [vec![meta("a")], both.to_vec(), vec![agent("on")], both.to_vec()].concat();
    assert_eq!(marks(&read(&Rollout, &[rollout(&all)])), [MarkKind::Compact, MarkKind::Compact]);
}

#[test]
fn the_oldest_forms() {
    let items = [
        json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Which?"}]}),
        json!({"type": "function_call", "name": "shell", "arguments": "{\"command\":[\"ls\"]}", "call_id": "c"}),
        json!({"type": "function_call_output", "call_id": "c", "output": "{\"output\":\"a\",\"metadata\":{\"exit_code\":2}}"}),
    ];
    let head = json!({"id": "a", "timestamp": "2025-07-01T08:00:00Z", "instructions": null});
    let bare: String = std::iter::once(&head).chain(&items).map(|l| format!("{l}\n")).collect();
    let whole = json!({"session": {"id": "a", "timestamp": "2025-04-20T09:00:00Z"}, "items": items});
    // By hand, for the order of keys: the session stands first.
    let pretty = format!("{{\n  \"session\": {{ \"id\": \"a\" }},\n  \"items\": {}\n}}\n", serde_json::to_string_pretty(&items).unwrap());
    for text in [bare, format!("{whole}\n"), pretty] {
        assert_eq!(Rollout.sniff(text.as_bytes()), Sniff::Yes, "{text}");
        assert_eq!(Rollout.identity(text.as_bytes()).session.as_deref(), Some("a"));
        let trace = read(&Rollout, &[text]);
        assert_eq!((trace.actions.len(), trace.actions[0].exit_code, trace.marks.len()), (1, Some(2), 1));
        assert_eq!((trace.sources[0].ledger.lost, trace.sources[0].ledger.unknown), (0, 0));
    }
}

#[test]
fn unknown_kinds_are_read_and_counted() {
    let trace =
        read(&Rollout, &[rollout(&[meta("a"), ("new_kind", json!({})), event(json!({"type": "newer"})), item(json!({"type": "newest"}))])]);
    assert_eq!((trace.sources[0].ledger.unknown, trace.sources[0].ledger.read, trace.steps.len()), (3, 4, 0));
}
