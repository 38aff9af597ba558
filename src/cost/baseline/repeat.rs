//! Running a check again and again on one state: a check that does not give the same answer each time breaks the stop
//! condition of every loop that relies on it.
//!
//! This is the one place of the program that executes anything, and only a command that the user wrote for it.

use super::CheckRuns;
use crate::report::escape::{cut_excerpt, excerpt};
use crate::trace::signature;
use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of an output that are kept at its beginning and at its end: runners name failures at both.
const KEPT: usize = 512 << 10;
/// How long what a check left running may keep its output open.
const LINGER: Duration = Duration::from_secs(2);
/// Characters of a failure.
const SIGNATURE: usize = 200;

/// How to run a check.
#[derive(Debug, Clone, Copy)]
pub struct Repeat<'a> {
    /// The command, given to `sh -c`.
    pub cmd: &'a str,
    /// Where.
    pub dir: &'a Path,
    /// How often.
    pub times: u32,
    /// How long one execution may take; one that takes longer is ended and counts as failed.
    pub timeout: Duration,
}

/// One execution.
struct Execution {
    passed: bool,
    seconds: f64,
    failure: Option<String>,
}

/// Runs a check `times` times, one after the other, with nothing on its standard input. `told` hears of each execution:
/// its number, whether it passed, and its seconds.
///
/// # Errors
/// It could not be started.
pub fn repeat(how: &Repeat<'_>, mut told: impl FnMut(u32, bool, f64)) -> io::Result<CheckRuns> {
    let mut runs =
        CheckRuns { cmd: how.cmd.to_owned(), repeats: how.times, passes: 0, durations_s: Vec::new(), flake_signatures: Vec::new() };
    let mut failures = BTreeSet::new();
    for k in 1..=how.times {
        let one = execute(how)?;
        told(k, one.passed, one.seconds);
        runs.passes += u32::from(one.passed);
        runs.durations_s.push(one.seconds);
        failures.extend(one.failure);
    }
    runs.flake_signatures = failures.into_iter().collect();
    Ok(runs)
}

fn execute(how: &Repeat<'_>) -> io::Result<Execution> {
    let (mut reader, writer) = io::pipe()?;
    let mut command = Command::new("sh");
    command.arg("-c").arg(how.cmd).current_dir(how.dir).stdin(Stdio::null());
    command.stdout(writer.try_clone()?).stderr(writer);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let began = Instant::now();
    let mut child = command.spawn()?;
    // The command holds the pipe's other end; as long as it is not dropped the output never ends.
    drop(command);
    let id = child.id();
    let (heard, output) = mpsc::channel();
    thread::spawn(move || heard.send(drain(&mut reader)));
    let (ended, end) = mpsc::channel();
    let waiter = thread::spawn(move || {
        let status = child.wait();
        let _ = ended.send(Instant::now());
        status
    });
    let finished = end.recv_timeout(how.timeout).ok();
    if finished.is_none() {
        end_group(id);
    }
    let status = waiter.join().map_err(|_| io::Error::other("the check could not be waited for"))??;
    let seconds = millis(finished.unwrap_or_else(Instant::now).duration_since(began));
    // What it left running in the background would hold the output open.
    let text = output.recv_timeout(LINGER).or_else(|_| {
        end_group(id);
        output.recv_timeout(LINGER)
    });
    let text = text.unwrap_or_default();
    let failure = match (finished, status.success()) {
        (None, _) => Some(format!("timed out after {} s", how.timeout.as_secs_f64())),
        (_, true) => None,
        (_, false) => Some(failure(&text, status.code())),
    };
    Ok(Execution { passed: failure.is_none(), seconds, failure })
}

/// Ends a process with all that it started.
#[cfg(unix)]
fn end_group(id: u32) {
    let pid = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(pid) = pid {
        // It may have ended by itself in the meantime.
        let _ = rustix::process::kill_process_group(pid, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn end_group(id: u32) {
    let _ = Command::new("taskkill").args(["/T", "/F", "/PID", &id.to_string()]).stdout(Stdio::null()).stderr(Stdio::null()).status();
}

/// Reads to the end, but keeps only the beginning and the end.
fn drain(reader: &mut impl Read) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut tail = Vec::new();
    let mut chunk = vec![0; 64 << 10];
    loop {
        let n = match reader.read(&mut chunk) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let read = chunk.get(..n).unwrap_or_default();
        let (head, rest) = read.split_at(KEPT.saturating_sub(kept.len()).min(n));
        kept.extend_from_slice(head);
        tail.extend_from_slice(rest);
        if tail.len() > 2 * KEPT {
            tail.drain(..tail.len() - KEPT);
        }
    }
    if tail.len() > KEPT {
        tail.drain(..tail.len() - KEPT);
        kept.extend_from_slice(b"\n\xe2\x80\xa6\n");
    }
    kept.extend_from_slice(&tail);
    kept
}

/// What failed, in the form that does not change from run to run.
fn failure(text: &[u8], code: Option<i32>) -> String {
    let piece = |span: (u32, u32)| text.get(span.0 as usize..span.1 as usize).unwrap_or_default();
    let reading = signature::read(text, &[]);
    let spans: Vec<(u32, u32)> = if reading.failures.is_empty() {
        signature::last_line(text, &[], code).into_iter().map(|f| f.span).collect()
    } else {
        reading.failures.iter().map(|f| f.span).collect()
    };
    let mut lines: Vec<String> = spans.into_iter().map(|s| shown(piece(s), false)).filter(|l| !l.is_empty()).collect();
    lines.sort();
    lines.dedup();
    let exit = code.map_or_else(|| "ended by a signal".to_owned(), |c| format!("exit code {c}"));
    match (lines.first(), lines.len()) {
        (None, _) => exit,
        (Some(first), 1) => first.clone(),
        (Some(first), n) => format!("{first} and {} more", n - 1),
    }
}

/// A failure's line as a signature: normalised, without secrets, inert. Something may have been cut from its end.
pub(crate) fn shown(line: &[u8], was_cut: bool) -> String {
    let first = line.split(|b| *b == b'\n').next().unwrap_or_default();
    // Cleaned before it is cut, and once more: what is normalised may bring together what was apart.
    excerpt(signature::coarse_text(cut_excerpt(first, SIGNATURE, was_cut).as_bytes(), &[]).as_bytes(), SIGNATURE)
}

fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).round() / 1e3
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn run(cmd: &str, times: u32, timeout_ms: u64) -> CheckRuns {
        let dir = tempfile::tempdir().unwrap();
        repeat(&Repeat { cmd, dir: dir.path(), times, timeout: Duration::from_millis(timeout_ms) }, |_, _, _| {}).unwrap()
    }

    #[test]
    fn a_check_is_run_as_often_as_asked() {
        let green = run("true", 3, 5_000);
        assert_eq!((green.repeats, green.passes, green.durations_s.len(), green.flake_signatures), (3, 3, 3, vec![]));
    }

    #[test]
    fn a_flaky_check_shows_its_failures_once() {
        // Fails, passes, fails, passes: the state is a file in the check's folder.
        let flaky = run(
            "if [ -e seen ]; then rm seen; else touch seen; echo 'FAILED tests/test_a.py::test_b - assert 3 == 4'; exit 1; fi",
            4,
            5_000,
        );
        assert_eq!((flaky.passes, flaky.odd()), (2, 2));
        assert_eq!(flaky.flake_signatures, ["FAILED tests/test_a.py::test_b - assert # == #"]);
    }

    #[test]
    fn a_hanging_check_is_ended_with_all_that_it_started() {
        let began = Instant::now();
        let hung = run("echo on; sleep 60 & sleep 60", 1, 200);
        assert!(began.elapsed() < Duration::from_secs(20));
        assert_eq!((hung.passes, hung.flake_signatures), (0, vec!["timed out after 0.2 s".to_owned()]));
    }

    #[test]
    fn what_a_check_leaves_running_does_not_hold_it_up() {
        let began = Instant::now();
        assert_eq!(run("sleep 60 & exit 0", 1, 30_000).passes, 1);
        assert!(began.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn outputs_without_end_are_kept_in_part() {
        let long = run("yes 'a line that says nothing' | head -c 30000000; echo 'error: at the end'; exit 3", 1, 60_000);
        assert_eq!(long.flake_signatures, ["error: at the end"]);
    }
}
