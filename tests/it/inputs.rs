//! What is named as input: paths that are not there, files that are none, and the program's own output within it.

use crate::support::{fixtures, program};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const AS_OF: &str = "2026-11-29T08:00:00Z";

fn run(args: &[&str]) -> (i32, String, String) {
    let output = program().args(args).args(["--as-of", AS_OF]).timeout(Duration::from_secs(60)).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().expect("an end of its own"), text(output.stdout), text(output.stderr))
}

/// The bundled night, copied.
fn night(into: &Path) {
    fn copy(from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let target = to.join(entry.file_name());
            if entry.path().is_dir() {
                copy(&entry.path(), &target);
            } else {
                fs::copy(entry.path(), target).unwrap();
            }
        }
    }
    copy(&fixtures().join("overnight"), into);
}

/// Every command that sums up runs says that a path is not among them, and its exit code too.
#[test]
fn a_missing_path_beside_good_ones_is_counted_and_exits_3() {
    let dir = tempfile::tempdir().unwrap();
    night(&dir.path().join("runs"));
    let at = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (runs, gone, out, policy) = (at("runs"), at("gone"), at("out"), at("p.toml"));
    fs::write(&policy, "[max]\nlost_lines = 5\n").unwrap();
    let baseline = fixtures().join("overnight-baseline.json").to_str().unwrap().to_owned();
    let cases: &[&[&str]] = &[
        &["triage", &runs, &gone],
        &["triage", "--json", &gone, &runs],
        &["report", &runs, &gone, "--out", &out],
        &["check", &runs, &gone, "--policy", &policy],
        &["export", &runs, &gone, "--to", "csv", "--table", "runs", "--out", "-"],
        &["forecast", "--from", &runs, &gone],
        &["baseline", "compare", &baseline, &runs, &gone],
    ];
    for args in cases {
        let (code, stdout, stderr) = run(args);
        assert_eq!(code, 3, "{args:?}: {stderr}");
        assert!(stderr.contains("gone: no such file or directory"), "{args:?}: {stderr}");
        assert!(!stdout.is_empty(), "{args:?}: what is there is said all the same");
        let without: Vec<&str> = args.iter().copied().filter(|a| *a != gone).collect();
        assert_eq!(run(&without).0, 0, "{without:?}");
    }
    assert!(run(&["triage", &runs, &gone]).1.contains("1 path that was named could not be read; as of"));
    let report: Value = serde_json::from_str(&run(&["triage", "--json", &runs, &gone, &at("gone2")]).1).unwrap();
    assert_eq!((report["totals"]["paths_unread"].as_u64(), report["totals"]["runs"].as_u64()), (Some(2), Some(18)));
    // What was found in the part that is there goes first.
    assert_eq!(run(&["triage", &runs, &gone, "--fail-on", "stuck"]).0, 1);
    fs::write(&policy, "[forbid]\nmodes = [\"stuck\"]\n").unwrap();
    assert_eq!(run(&["check", &runs, &gone, "--policy", &policy]).0, 1);
}

/// A second run reads what the first read, wherever the output lies.
#[test]
fn output_within_the_input_is_not_read() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    night(&runs);
    let at = |name: &str| runs.join(name).to_str().unwrap().to_owned();
    let (root, week, tables, one, junit) = (at(""), at("week"), at("tables"), at("runs.jsonl"), at("check.xml"));
    let policy = fixtures().join("../reports/policy.toml").to_str().unwrap().to_owned();
    let cases: &[(&[&str], &[PathBuf])] = &[
        (&["report", &root, "--out", &week], &[runs.join("week/report.json"), runs.join("week/summary.md"), runs.join("week/index.html")]),
        (&["report", &root, "--out", &root], &[runs.join("report.json"), runs.join("summary.md")]),
        (&["export", &root, "--to", "ndjson", "--out", &tables], &[runs.join("tables/runs.ndjson"), runs.join("tables/findings.ndjson")]),
        (&["export", &root, "--to", "ndjson", "--table", "runs", "--out", &one], &[runs.join("runs.jsonl")]),
        (&["check", &root, "--policy", &policy, "--junit", &junit], &[runs.join("check.xml")]),
    ];
    let read = |files: &[PathBuf]| -> Vec<Vec<u8>> { files.iter().map(|f| fs::read(f).unwrap()).collect() };
    for (args, files) in cases {
        let (first_code, first_out, _) = run(args);
        let first = read(files);
        let (second_code, second_out, _) = run(args);
        assert!((first_code, first_out) == (second_code, second_out) && first == read(files), "{args:?}");
        for file in *files {
            fs::remove_file(file).unwrap();
        }
    }
    // A shell makes the file before the program begins.
    let into = |name: &str| {
        let file = fs::File::create(runs.join(name)).unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_loopmortem"));
        assert!(command.args(["--json", &root, "--as-of", AS_OF]).stdout(file).status().unwrap().success());
        fs::read(runs.join(name)).unwrap()
    };
    let first = into("night.jsonl");
    assert!(first == into("night.jsonl"));
    assert!(!String::from_utf8(first).unwrap().contains("night.jsonl"));
}

/// Input is never written to.
#[test]
fn a_log_is_not_written_over() {
    let dir = tempfile::tempdir().unwrap();
    let runs = dir.path().join("runs");
    night(&runs);
    let log = runs.join("billing-fix/.loop_log.jsonl");
    let before = fs::read(&log).unwrap();
    let (root, target) = (runs.to_str().unwrap(), log.to_str().unwrap());
    let policy = fixtures().join("../reports/policy.toml").to_str().unwrap().to_owned();
    let cases: &[&[&str]] = &[
        &["export", root, "--to", "csv", "--table", "runs", "--out", target],
        &["export", target, "--to", "csv", "--table", "runs", "--out", target],
        &["check", root, "--policy", &policy, "--junit", target],
    ];
    for args in cases {
        let (code, _, stderr) = run(args);
        assert_eq!(code, 2, "{args:?}");
        assert!(stderr.contains("is a log that is read; it would be written over"), "{args:?}: {stderr}");
        assert!(before == fs::read(&log).unwrap(), "{args:?}");
    }
}

/// Who writes the logs may lay links where the report will be: nothing outside is written through them.
#[cfg(unix)]
#[test]
fn links_in_the_folder_of_the_output_are_not_followed() {
    use std::os::unix::fs::symlink;
    let dir = tempfile::tempdir().unwrap();
    let (outside, elsewhere) = (dir.path().join("outside"), dir.path().join("elsewhere"));
    fs::write(&outside, "mine").unwrap();
    fs::create_dir(&elsewhere).unwrap();
    let out = dir.path().join("runs/week");
    night(&dir.path().join("runs"));
    fs::create_dir(&out).unwrap();
    for name in ["index.html", "summary.md", "report.json", "junit.xml", "runs.csv.part"] {
        symlink(&outside, out.join(name)).unwrap();
    }
    symlink(&elsewhere, out.join("charts")).unwrap();
    let runs = dir.path().join("runs");
    let (runs, to) = (runs.to_str().unwrap(), out.to_str().unwrap());
    assert_eq!(run(&["report", runs, "--out", to]).0, 0);
    assert_eq!(run(&["export", runs, "--to", "csv", "--out", to]).0, 0);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    assert_eq!(fs::read_dir(&elsewhere).unwrap().count(), 0);
    assert!(fs::read_dir(out.join("charts")).unwrap().count() > 0);
    assert!(fs::read_to_string(out.join("index.html")).unwrap().starts_with("<!DOCTYPE html>"));
}

/// Nothing that may have no end is opened, whoever names it, and a folder that holds such things is read past them.
#[cfg(unix)]
#[test]
fn pipes_sockets_and_devices_are_not_read() {
    let dir = tempfile::tempdir().unwrap();
    night(&dir.path().join("runs"));
    let pipe = dir.path().join("runs/billing-fix/pipe_loop_log.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let socket = dir.path().join("runs/s_loop_log.jsonl");
    let _open = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    std::os::unix::fs::symlink("/dev/zero", dir.path().join("runs/z_loop_log.jsonl")).unwrap();
    let root = dir.path().join("runs");
    let (code, stdout, stderr) = run(&["triage", "--json", root.to_str().unwrap()]);
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, report["totals"]["runs"].as_u64()), (0, Some(18)), "{stderr}");
    for (file, what) in [("pipe_loop_log.jsonl", "a pipe"), ("s_loop_log.jsonl", "a socket")] {
        assert!(stderr.contains(&format!("{file}: cannot be read: it is {what}, and only regular files are read")), "{stderr}");
    }
    for (path, what) in [(pipe.to_str().unwrap(), "a pipe"), (socket.to_str().unwrap(), "a socket"), ("/dev/zero", "a device")] {
        for args in [
            &["triage", path][..],
            &["triage", path, "--format", "loop-log"],
            &["explain", path],
            &["export", path, "--to", "csv", "--out", "-", "--table", "runs"],
        ] {
            let (code, _, stderr) = run(args);
            assert_eq!(code, 3, "{args:?}");
            assert!(stderr.contains(&format!("{path}: cannot be read: it is {what}")), "{args:?}: {stderr}");
        }
    }
    // Files beside the logs may be pipes, but not endless.
    let good = dir.path().join("runs/billing-fix/.loop_log.jsonl");
    let good = good.to_str().unwrap();
    for flag in ["--config", "--prices", "--baseline", "--expect"] {
        let (code, _, stderr) = run(&["triage", good, flag, "/dev/zero"]);
        assert_eq!(code, 2, "{flag}");
        assert!(stderr.contains("longer than 256 MiB"), "{flag}: {stderr}");
    }
}

/// Standard input without end, and files that unpack to far more than logs do.
#[cfg(unix)]
#[test]
fn what_has_no_end_is_given_up() {
    let begun = Instant::now();
    let pipe = |producer: &str| {
        let script = format!("{producer} | '{}' - --as-of {AS_OF}", env!("CARGO_BIN_EXE_loopmortem"));
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for producer in ["cat /dev/zero", "yes"] {
        let (code, stderr) = pipe(producer);
        assert_eq!(code, Some(3), "{producer}: {stderr}");
        assert!(stderr.contains("-: not a log that loopmortem reads"), "{producer}: {stderr}");
    }
    assert!(begun.elapsed() < Duration::from_secs(30));
}
