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
    assert!(stderr.contains("no logs under") && stderr.contains("1 file is of no format"), "{stderr}");
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

/// What a person and a machine see of a log: the table, the document, the post-mortem.
fn outputs(folder: &Path) -> Vec<String> {
    let run = |args: &[&str]| program().args(args).args(["--as-of", AS_OF]).arg(folder).output().unwrap();
    [run(&["triage"]), run(&["triage", "--json"]), run(&["explain"])]
        .into_iter()
        .map(|o| String::from_utf8(o.stdout).unwrap() + &String::from_utf8(o.stderr).unwrap())
        .collect()
}

fn handoff(detail: &str) -> String {
    format!(
        "{{\"ts\":1764460800,\"iter\":1,\"event\":\"iter_start\",\"detail\":\"\"}}\n\
         {{\"ts\":1764460900,\"iter\":1,\"event\":\"handoff\",\"detail\":\"{detail}\"}}\n"
    )
}

/// A key that only its letters tell, in a sentence without any sign.
#[test]
fn a_bare_key_in_a_sentence_is_removed() {
    let key = ["AK", "IA", "Q7WERTYUIOP2ASDF"].concat();
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join(".loop_log.jsonl"), handoff(&format!("which account owns {key} now"))).unwrap();
    for text in outputs(dir.path()) {
        assert!(!text.contains(&key), "{text}");
        assert!(text.contains("which account owns [redacted:aws"), "{text}");
    }
}

/// A stop's text is kept up to its 240th byte: whatever part of a secret is left there is not shown.
#[test]
fn a_secret_at_the_cut_of_a_kept_text_is_not_shown() {
    let secrets = [
        ["gh", "p_", &"A1b2C3d4".repeat(5)].concat(),
        ["somebody.new", "@", "example.com"].concat(),
        ["AK", "IA", "Q7WERTYUIOP2ASDF"].concat(),
    ];
    for secret in secrets {
        for part in 5..secret.len() {
            let before = format!("{} ", "we ask ".repeat(40).get(..239 - part).unwrap().trim_end());
            let before = format!("{}{before}", " ".repeat(240 - part - before.len()));
            assert_eq!(before.len(), 240 - part);
            let dir = tempfile::tempdir().unwrap();
            fs::write(dir.path().join(".loop_log.jsonl"), handoff(&format!("{before}{secret} and more"))).unwrap();
            let (report, _, _) = read(dir.path());
            let run = &report["runs"][0];
            for text in [&run["ending_detail"], &run["why"], &run["next_action"]["reason"]] {
                let text = text.as_str().unwrap();
                assert!(text.contains("we ask") && !text.contains(&secret[..5]), "{part}: {text}");
            }
        }
    }
}

/// Standard input is kept by the heads of its lines.
#[test]
fn a_secret_at_the_cut_of_a_line_from_a_pipe_is_not_shown() {
    let secret = ["gh", "p_", &"A1b2C3d4".repeat(5)].concat();
    for part in 5..secret.len() {
        let mut log = String::new();
        for k in 1..=6 {
            let head = format!("{{\"ts\":{},\"iter\":{k},\"event\":\"stuck_signature\",\"detail\":\"", 1_764_460_800 + k * 60);
            // Keys without a BEGIN shrink to a marker, so that an excerpt reaches the cut.
            let long = ["-----BEGIN RSA PRIV", "ATE KEY-----"].concat();
            let end = long.replace("BEGIN", "END");
            let room = 480 - part - head.len() - long.len() - end.len() - 1;
            log += &format!("{head}{long}{}{end} {secret} and more\"}}\n", "MIIB".repeat(room / 4 + 1).get(..room).unwrap());
        }
        let run = |args: &[&str]| program().args(args).args(["--as-of", AS_OF, "-"]).write_stdin(log.clone()).output().unwrap().stdout;
        for output in [run(&["triage"]), run(&["triage", "--json"]), run(&["explain"])] {
            let text = String::from_utf8(output).unwrap();
            assert!(!text.contains(&secret[..5]), "{part}: {text}");
        }
    }
}

/// A key that was printed line by line between the records.
#[test]
fn the_lines_of_a_key_are_not_shown_as_lost_lines() {
    let body = ["MIIEowIBAAKCAQEA3x", "Tq7Lw0ZbN5vYk2RfHc9sUeJ1", "pXoGd8MaWyVh4iBtC6nKzDqS"].concat();
    let dir = tempfile::tempdir().unwrap();
    let log = GOOD.replacen('\n', &format!("\n{body}\n{}\n", body.chars().rev().collect::<String>()), 1);
    fs::write(dir.path().join(".loop_log.jsonl"), log).unwrap();
    for text in outputs(dir.path()) {
        assert!(!text.contains(&body[..12]) && !text.contains("aDzKn6CtBi4"), "{text}");
    }
    let (report, _, _) = read(dir.path());
    assert_eq!(report["runs"][0]["findings"][0]["evidence"][0]["excerpt"], "[redacted:private-key]");
}

/// Neither a name nor an argument reaches a terminal or a document with what it controls.
#[cfg(unix)]
#[test]
fn names_and_arguments_come_out_inert() {
    let evil = "x\u{1b}]0;title\u{7}\u{9b}31m\u{202e}";
    let inert = |text: &[u8], what: &str| {
        let text = String::from_utf8(text.to_vec()).unwrap();
        let controls = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(controls), "{what}: {text:?}");
        text
    };
    let dir = tempfile::tempdir().unwrap();
    let red: String = (1..=6)
        .map(|k| format!("{{\"ts\":{},\"iter\":{k},\"event\":\"stuck_signature\",\"detail\":\"FAILED test_a\"}}\n", 1_764_460_800 + k * 60))
        .collect();
    for (run, log) in [("red", red.as_str()), ("green", GOOD), ("lost", "no record\n")] {
        let folder = dir.path().join(format!("{run}{evil}"));
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(".loop_log.jsonl"), log).unwrap();
    }
    let config = dir.path().join(format!("{evil}.toml"));
    fs::write(&config, format!("[thresholds]\n\"{evil}\" = 1\n")).unwrap();
    let broken = dir.path().join(format!("{evil}2.toml"));
    fs::write(&broken, format!("{evil} = = 1\n")).unwrap();
    let unknown = format!("LOOPMORTEM_{}", evil.to_uppercase());
    let root = dir.path().to_str().unwrap();
    let gone = format!("{root}/{evil}gone");
    let (config, broken) = (config.to_str().unwrap(), broken.to_str().unwrap());
    let cases: &[(&[&str], i32)] = &[
        (&["triage", root], 0),
        (&["triage", "--json", root], 0),
        (&["triage", &gone], 3),
        (&["triage", "--json", &gone], 3),
        (&["explain", "red", root], 0),
        (&["explain", "green", root], 0),
        (&["explain", "lost", root], 0),
        (&["explain", "x", root], 3),
        (&["explain", evil, root], 3),
        (&["explain", &gone, root], 3),
        (&["explain", "--mode", evil], 2),
        (&["triage", "--tz", evil, root], 2),
        (&["triage", "--as-of", evil, root], 2),
        (&["triage", "--format", evil, root], 2),
        (&["triage", "--fail-on", evil, root], 2),
        (&["triage", "--color", evil, root], 2),
        (&["triage", "--config", &gone, root], 2),
        (&["triage", "--config", config, root], 2),
        (&["triage", "--config", broken, root], 2),
        (&["triage", "--prices", config, root], 2),
        (&["triage", "--stuck-verdict", evil, root], 2),
        (&[evil, "--no-such"], 2),
    ];
    for (args, code) in cases {
        let output = program().args(*args).env(&unknown, "1").output().unwrap();
        let all = inert(&output.stdout, &format!("{args:?}")) + &inert(&output.stderr, &format!("{args:?}"));
        assert_eq!(output.status.code(), Some(*code), "{args:?}: {all}");
        assert!(!all.trim().is_empty(), "{args:?}");
    }
    // Decoded too: an escape of JSON would come back to life in whatever reads it.
    let (report, _, _) = read(dir.path());
    fn strings(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::String(text) => found.push(text.clone()),
            Value::Array(items) => items.iter().for_each(|v| strings(v, found)),
            Value::Object(fields) => fields.iter().for_each(|(k, v)| {
                found.push(k.clone());
                strings(v, found);
            }),
            _ => {}
        }
    }
    let mut found = Vec::new();
    strings(&report, &mut found);
    found.iter().for_each(|text| drop(inert(text.as_bytes(), "JSON")));
    assert!(report["runs"].as_array().unwrap().iter().any(|r| r["run"] == "redx\\x1b]0;title\\x07\\u{9b}31m\\u{202e}"), "{report}");
    let error = report["errors"][0].as_str().unwrap();
    assert!(error.contains("lostx\\x1b]0;title\\x07\\u{9b}31m\\u{202e}/.loop_log.jsonl:1"), "{error}");
}

/// Where a message cannot be written, the result and its exit code stand.
#[cfg(target_os = "linux")]
#[test]
fn a_full_stderr_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    for (run, log) in [("good", GOOD), ("lost", "no record\n")] {
        fs::create_dir(dir.path().join(run)).unwrap();
        fs::write(dir.path().join(run).join(".loop_log.jsonl"), log).unwrap();
    }
    let root = dir.path().to_str().unwrap();
    let cases: &[(&[&str], i32)] = &[
        (&["triage", root], 0),
        (&["triage", "--json", root], 0),
        (&["triage", "/no/such/place"], 3),
        (&["explain", "nothing", root], 3),
        (&["explain", "o", root], 3),
        (&["explain", "lost", root], 0),
        (&["triage", "--tz", "Nowhere", root], 2),
        (&["triage", "--no-such"], 2),
        (&["triage", "--color", "\u{1b}", root], 2),
        (&[], 2),
    ];
    for (args, code) in cases {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let status = std::process::Command::new(env!("CARGO_BIN_EXE_loopmortem"))
            .args(*args)
            .env("LOOPMORTEM_NO_SUCH", "1")
            .stdout(std::process::Stdio::null())
            .stderr(full)
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(*code), "{args:?}");
    }
}
