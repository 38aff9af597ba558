//! Bad input costs at most its own run: a clear message, exit 3 only when nothing could be analysed, JSON all the same.

use crate::support::program;
use serde_json::Value;
use std::fs;
use std::path::Path;

const AS_OF: &str = "2025-11-30T09:00:00Z";
const GOOD: &str = "{\"ts\":1764460800,\"iter\":1,\"event\":\"iter_start\",\"detail\":\"\"}\n{\"ts\":1764460900,\"iter\":1,\"event\":\"green\",\"detail\":\"done in 1\"}\n";

/// A good run beside a bad one; the bad one's log is `bytes`.
fn beside(bytes: &[u8]) -> (Value, i32, String) {
    let dir = tempfile::tempdir().unwrap();
    for (run, content) in [("good", GOOD.as_bytes()), ("bad", bytes)] {
        fs::create_dir(dir.path().join(run)).unwrap();
        fs::write(dir.path().join(run).join(".loop_log.jsonl"), content).unwrap();
    }
    read(dir.path())
}

fn alone(bytes: &[u8]) -> (Value, i32, String) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".loop_log.jsonl"), bytes).unwrap();
    read(dir.path())
}

fn read(path: &Path) -> (Value, i32, String) {
    let output = program().args(["triage", "--json", "--as-of", AS_OF]).arg(path).output().unwrap();
    let report = serde_json::from_slice(&output.stdout).expect("always a document");
    (report, output.status.code().unwrap(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn good_is_unharmed(report: &Value) {
    let good = report["runs"].as_array().unwrap().iter().find(|r| r["run"] == "good").expect("the good run");
    assert_eq!((good["ending"].as_str(), good["health"].as_str()), (Some("succeeded"), Some("healthy")));
}

#[test]
fn binary_empty_and_bottomless_logs() {
    let binary: Vec<u8> = (0..9_000_u32).map(|k| (k * 7919 % 251) as u8).collect();
    let bottomless = format!("{{\"ts\":{}", "[".repeat(100_000));
    for (name, bytes, line) in [("binary", &binary[..], true), ("empty", b"", false), ("100,000 levels", bottomless.as_bytes(), true)] {
        let (report, code, stderr) = beside(bytes);
        good_is_unharmed(&report);
        assert_eq!(code, 0, "{name}");
        assert_eq!(stderr.contains(".loop_log.jsonl:1: not valid loop-log"), line, "{name}: {stderr}");
        let bad = report["runs"].as_array().unwrap().iter().find(|r| r["run"] == "bad").expect("the bad run is shown too");
        assert_eq!((bad["ending"].as_str(), bad["mode"].as_str(), bad["health"].as_str()), (None, None, Some("inconclusive")), "{name}");
        let (_, code, _) = alone(bytes);
        assert_eq!(code, 3, "{name} alone");
    }
}

/// The fields before a value that has no bottom are kept.
#[test]
fn what_stands_before_a_bottomless_value_is_recovered() {
    let log = format!("{{\"ts\":1764460800,\"iter\":1,\"event\":\"agent_call\",\"args\":{}\n", "[".repeat(100_000));
    let (report, code, _) = alone(log.as_bytes());
    let run = &report["runs"][0];
    assert_eq!((code, run["iterations"].as_u64(), run["sources"][0]["salvaged"].as_u64()), (0, Some(1), Some(1)));
}

#[test]
fn a_line_of_a_hundred_megabytes_is_one_lost_line() {
    let mut log = GOOD.lines().next().unwrap().as_bytes().to_vec();
    log.extend(b"\n{\"ts\":1764460850,\"iter\":1,\"event\":\"tool_result\",\"detail\":\"");
    log.resize(log.len() + 100_000_000, b'x');
    log.extend(b"\"}\n");
    log.extend(GOOD.lines().nth(1).unwrap().as_bytes());
    let (report, code, _) = alone(&log);
    let run = &report["runs"][0];
    assert_eq!(code, 0);
    assert_eq!(
        (run["ending"].as_str(), run["sources"][0]["lost"].as_u64(), run["sources"][0]["lines"].as_u64()),
        (Some("succeeded"), Some(1), Some(3))
    );
    assert_eq!(run["findings"][0]["evidence"][0]["line"], 2);
}

#[test]
fn nothing_to_read_is_exit_3_with_a_reason() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("notes.md"), "no log").unwrap();
    let (report, code, stderr) = read(dir.path());
    assert_eq!((code, report["runs"].as_array().unwrap().len()), (3, 0));
    assert!(stderr.contains("no logs under") && stderr.contains("1 files are of no format"), "{stderr}");
    let (report, code, stderr) = read(&dir.path().join("nowhere"));
    assert_eq!(code, 3);
    assert!(stderr.contains("no such file or directory") && report["errors"].as_array().unwrap().len() == 1, "{stderr}");
    let (_, code, stderr) = read(&dir.path().join("notes.md"));
    assert_eq!(code, 3);
    assert!(stderr.contains("not a log that loopmortem reads"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn an_unreadable_file_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir_all(dir.path().join("good")).unwrap();
    fs::write(dir.path().join("good/.loop_log.jsonl"), GOOD).unwrap();
    fs::create_dir_all(dir.path().join("shut")).unwrap();
    let shut = dir.path().join("shut/.loop_log.jsonl");
    fs::write(&shut, GOOD).unwrap();
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&shut).is_ok() {
        return; // root reads everything: a link into nothing does the same below
    }
    let (report, code, stderr) = read(dir.path());
    good_is_unharmed(&report);
    assert_eq!(code, 0);
    assert!(stderr.contains("cannot be read"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn a_truncated_archive_gives_what_it_holds() {
    use std::io::Write as _;
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("good")).unwrap();
    fs::write(dir.path().join("good/.loop_log.jsonl"), GOOD).unwrap();
    fs::create_dir(dir.path().join("cut")).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    for k in 0..4_000 {
        writeln!(gz, "{{\"ts\":{},\"iter\":{k},\"event\":\"iter_start\",\"detail\":\"{}\"}}", 1_764_460_800 + k, k * 7919).unwrap();
    }
    let whole = gz.finish().unwrap();
    fs::write(dir.path().join("cut/loop_log.jsonl.gz"), &whole[..whole.len() / 2]).unwrap();
    let (report, code, stderr) = read(dir.path());
    good_is_unharmed(&report);
    assert_eq!(code, 0);
    assert!(stderr.contains("loop_log.jsonl.gz: cannot be read"), "{stderr}");
    let cut = report["runs"].as_array().unwrap().iter().find(|r| r["run"] == "cut").unwrap();
    assert!(cut["iterations"].as_u64().unwrap() > 100 && cut["sources"][0]["error"].is_string());
}

/// Whatever a log says, no output holds an escape code, a secret, or a line that a runner takes for a command.
#[test]
fn log_text_comes_out_inert() {
    let secret = ["gh", "p_", &"A1b2C3d4".repeat(5)].concat();
    let detail = format!("FAILED \\u001b[31mred\\u001b[0m \\u001b]0;title\\u0007 {secret} /home/somebody/x \\u202e <script>");
    let mut log = String::new();
    for k in 1..=6 {
        log += &format!("{{\"ts\":{},\"iter\":{k},\"event\":\"agent_call\",\"detail\":\"{detail}\"}}\n", 1_764_460_800 + k * 60);
    }
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".loop_log.jsonl"), &log).unwrap();
    let run = |args: &[&str]| program().args(args).args(["--as-of", AS_OF]).arg(dir.path()).output().unwrap().stdout;
    for output in [run(&["triage"]), run(&["triage", "--json"]), run(&["explain"])] {
        let text = String::from_utf8(output).unwrap();
        assert!(text.contains("FAILED"), "{text}");
        assert!(!text.contains('\u{1b}') && !text.contains('\u{7}') && !text.contains('\u{202e}'), "{text}");
        assert!(!text.contains(&secret) && !text.contains("somebody"), "{text}");
    }
}

/// The bytes up to any point of a log are themselves a log: nothing panics, nothing is lost uncounted.
#[test]
fn every_cut_of_a_log_is_accounted_for() {
    let log = fs::read(crate::support::fixtures().join("overnight/billing-fix/.loop_log.jsonl")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let cuts: Vec<usize> = (1..log.len()).step_by(log.len() / 40).collect();
    for cut in &cuts {
        let folder = dir.path().join(format!("{cut:06}"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("loop_log.jsonl"), &log[..*cut]).unwrap();
    }
    let (report, _, _) = read(dir.path());
    for run in report["runs"].as_array().unwrap() {
        let cut: usize = run["run"].as_str().unwrap().parse().unwrap();
        let source = &run["sources"][0];
        let n = |key: &str| source[key].as_u64().unwrap();
        assert_eq!(n("bytes"), cut as u64);
        assert_eq!(n("lines"), log[..cut].split_inclusive(|b| *b == b'\n').count() as u64, "{cut}");
    }
    assert_eq!(report["runs"].as_array().unwrap().len(), cuts.len());
}
