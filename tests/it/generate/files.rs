//! The run directory: the log with its faults, and what lies beside it.

use super::dice::Dice;
use super::events::{Event, Log};
use super::knobs::Knobs;
use super::line::Writer;
use super::plan::{End, Plan, Silence};
use super::witnesses;

/// A written record and what decides whether a fault may touch it.
struct Record {
    text: String,
    iter: usize,
    second: i64,
    name: &'static str,
}

const NAMES: &[&str] = &[".loop_log.jsonl", "loop_log.jsonl", "loop_log.jsonl", "agent_loop_log.jsonl", "loop_log-night.jsonl"];

/// What other programs leave in the same file.
const GARBAGE: &[&str] = &[
    "loop.sh: line 41: jq: command not found",
    "tee: 'standard output': Broken pipe",
    "",
    "+ date +%s",
    "nohup: ignoring input",
    r#"{"level":"info","msg":"log rotated"}"#,
    "\0\0\0\0\0\0\0\0",
    "}",
];

/// All files of the run directory.
pub(super) fn write(plan: &Plan, knobs: &Knobs, log: &Log, dice: &mut Dice) -> Vec<(String, Vec<u8>)> {
    let name = dice.pick(NAMES).to_owned();
    let mut files = vec![(name, log_bytes(plan, knobs, log, dice))];
    files.extend(witnesses::heartbeat(plan, knobs, log, dice));
    files.extend(witnesses::state(plan, knobs, log, dice));
    files.extend(witnesses::status(knobs));
    files.extend(witnesses::budget(plan, dice));
    files
}

fn log_bytes(plan: &Plan, knobs: &Knobs, log: &Log, dice: &mut Dice) -> Vec<u8> {
    let writer = Writer::new(knobs, dice);
    let faults = &knobs.faults;
    let mut records: Vec<Record> = log
        .events
        .iter()
        .map(|event| Record { text: writer.line(event, dice), iter: event.iter, second: event.at.div_euclid(1000), name: event.name })
        .collect();
    if faults.swaps {
        swap_some(&mut records, dice);
    }
    let mut lines = Vec::with_capacity(records.len() + 8);
    let duplicated = if faults.duplicates { 3.0 / records.len() as f64 } else { 0.0 };
    let dirty = if faults.garbage { 3.0 / records.len() as f64 } else { 0.0 };
    for record in records {
        let twice = may_double(&record) && dice.chance(duplicated);
        if twice {
            lines.push(record.text.clone());
        }
        lines.push(record.text);
        if dice.chance(dirty) {
            lines.push(dice.pick(GARBAGE).to_owned());
        }
    }
    let line_end = if faults.crlf { "\r\n" } else { "\n" };
    let mut text = String::new();
    if faults.bom {
        text.push('\u{feff}');
    }
    text.push_str(&lines.join(line_end));
    if faults.torn_tail {
        text.push_str(line_end);
        text.push_str(&torn(plan, log, &writer, dice));
    } else if !dice.chance(0.05) {
        text.push_str(line_end);
    }
    encode(&text, faults.latin1)
}

/// Two writers in one second: the order of their records is chance.
fn swap_some(records: &mut [Record], dice: &mut Dice) {
    const LOOSE: &[&str] = &["iter_start", "agent_call", "check", "metrics", "hook", "note"];
    let mut at = 1;
    while at < records.len() {
        let (one, other) = (&records[at - 1], &records[at]);
        let same = one.iter == other.iter && one.second == other.second;
        let loose = LOOSE.contains(&one.name) && LOOSE.contains(&other.name);
        if same && loose && dice.chance(0.3) {
            records.swap(at - 1, at);
            at += 1;
        }
        at += 1;
    }
}

/// Records that may be written twice. Retries are counted by some rules, and a
/// record of several lines has no single line to double.
fn may_double(record: &Record) -> bool {
    record.name != "retry" && !record.text.contains(['\n', '\r'])
}

/// The beginning of a record that was never finished.
///
/// After the record that ends a run, or that tells how it died, it stops before
/// it could say anything.
fn torn(plan: &Plan, log: &Log, writer: &Writer<'_>, dice: &mut Dice) -> String {
    let name = dice.pick(&["agent_call", "metrics", "iter_start"]);
    let mut event = Event::new(name, Some("FAIL after_the_cut: nobody reads this".to_owned()));
    event.at = log.last_at() + 300;
    event.iter = log.starts.last().map_or(1, |&(iter, _)| iter);
    let whole = writer.line(&event, dice);
    let open = matches!(plan.end, End::Fresh | End::Silence(Silence::Anywhere | Silence::AfterCalls | Silence::Zombie));
    let most = if !open { 14 } else { whole.len().saturating_sub(2) };
    let length = dice.between(4, most);
    whole.chars().take(length).collect()
}

/// UTF-8, or with the one byte an older terminal writes for an accented letter.
fn encode(text: &str, latin1: bool) -> Vec<u8> {
    if !latin1 {
        return text.as_bytes().to_vec();
    }
    let mut out = Vec::with_capacity(text.len());
    for letter in text.chars() {
        if letter == 'é' {
            out.push(0xE9);
        } else {
            out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    out
}
