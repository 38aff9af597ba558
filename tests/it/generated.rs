//! The diagnosis against logs that it has not seen: a seeded generator of noisy loops, class by class, written from the
//! rules without knowledge of the detectors. Precision and recall of each mode must stay at 0.98 or better.

use crate::generate::{AS_OF, Case, Class, case};
use crate::sessions;
use crate::support::triage;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// Logs of each class. `LOOPMORTEM_GENERATED=1000` runs the full measurement.
fn per_class() -> u64 {
    std::env::var("LOOPMORTEM_GENERATED").ok().and_then(|n| n.parse().ok()).unwrap_or(60)
}

#[derive(Default)]
struct Score {
    hits: u32,
    false_alarms: u32,
    missed: u32,
}

#[test]
fn precision_and_recall_of_each_mode() {
    let as_of = chrono::DateTime::from_timestamp(AS_OF, 0).unwrap().to_rfc3339();
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut wrong = Vec::new();
    for class in Class::ALL {
        let folder = tempfile::tempdir().unwrap();
        let cases: Vec<Case> = (0..per_class()).map(|seed| case(*class, seed)).collect();
        for (k, case) in cases.iter().enumerate() {
            write(&folder.path().join(format!("{k:04}")), &case.files);
        }
        let report = triage(folder.path(), &as_of, &[]);
        for run in report["runs"].as_array().unwrap() {
            let id = run["run"].as_str().unwrap();
            let index: usize = id.split(['#', '/']).next().unwrap().parse().unwrap();
            judge(&cases[index], run, &mut scores, &mut wrong, &format!("{}/{id}", class.name()));
        }
    }
    report_scores(&scores, &wrong, 0.98);
}

/// Prints the scores and holds each to the least.
fn report_scores(scores: &BTreeMap<String, Score>, wrong: &[String], least: f64) {
    let mut bad = Vec::new();
    for (mode, s) in scores {
        let (precision, recall) = (share(s.hits, s.false_alarms), share(s.hits, s.missed));
        println!("{mode:24} precision {precision:.3} recall {recall:.3} (n = {})", s.hits + s.missed);
        if precision < least || recall < least {
            bad.push(mode);
        }
    }
    println!("{}", wrong.join("\n"));
    assert!(bad.is_empty(), "below {least}: {bad:?}\n{}", wrong.join("\n"));
}

/// Transcripts of each class and writer: `LOOPMORTEM_GENERATED_SESSIONS=200` runs the full measurement.
fn sessions_per_class() -> u64 {
    std::env::var("LOOPMORTEM_GENERATED_SESSIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(6)
}

/// Fewer classes than among the loop logs show a mode here, so one miss weighs more.
const LEAST_SESSIONS: f64 = 0.95;

#[test]
fn precision_and_recall_over_transcripts() {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (class, writer) in sessions::Class::ALL.iter().flat_map(|c| sessions::Writer::ALL.iter().map(move |w| (*c, *w))) {
        let folder = tempfile::tempdir().unwrap();
        let cases: Vec<sessions::Case> = (0..sessions_per_class()).map(|seed| sessions::case(class, writer, seed)).collect();
        for (k, case) in cases.iter().enumerate() {
            write(&folder.path().join(format!("{k:04}")), &case.files);
        }
        let report = triage(folder.path(), sessions::AS_OF, &[]);
        for run in report["runs"].as_array().unwrap() {
            let path = run["sources"][0]["path"].as_str().unwrap();
            let index: usize = path.split('/').next().unwrap().parse().unwrap();
            judge_session(&cases[index].truth, run, &mut scores, &mut wrong, &format!("{class:?}/{writer:?}/{index}"));
        }
        assert_eq!(report["runs"].as_array().unwrap().len(), cases.len(), "{class:?} {writer:?}");
    }
    report_scores(&scores, &wrong, LEAST_SESSIONS);
}

fn judge_session(truth: &sessions::Truth, run: &Value, scores: &mut BTreeMap<String, Score>, wrong: &mut Vec<String>, name: &str) {
    let got = run["mode"].as_str();
    let got = if got.is_some() && got == truth.also { truth.mode } else { got };
    let own = run["mode"].as_str() == truth.mode;
    let mut count = |key: String, right: bool, said: String| {
        let score = scores.entry(key).or_default();
        if right {
            score.hits += 1;
        } else {
            score.missed += 1;
            wrong.push(said);
        }
    };
    let kinds: Vec<&str> = run["findings"].as_array().unwrap().iter().map(|f| f["kind"].as_str().unwrap()).collect();
    count(
        truth.mode.unwrap_or("none").to_owned(),
        got == truth.mode,
        format!("{name}: {got:?}, not {:?} ({})", truth.mode, run["findings"][0]["summary"]),
    );
    let variant = run["findings"][0]["variant"].as_str().unwrap_or("");
    if own && !truth.variant.is_empty() {
        count(format!("variant {}", truth.variant), variant == truth.variant, format!("{name}: variant {variant}, not {}", truth.variant));
    }
    if let Some(finding) = truth.finding {
        count(format!("finding {finding}"), kinds.contains(&finding), format!("{name}: no {finding} among {kinds:?}"));
    }
    let ending = run["ending"].as_str().unwrap_or("none");
    if !truth.endings.is_empty() {
        count(
            format!("ending {}", truth.endings[0]),
            truth.endings.contains(&ending),
            format!("{name}: ending {ending}, not {:?}", truth.endings),
        );
    }
    if got != truth.mode {
        scores.entry(got.unwrap_or("none").to_owned()).or_default().false_alarms += 1;
    }
    // What the rules call a finding of its own must not be seen where nothing of it happened.
    for kind in ["flaky_check", "false_done", "permission_breach", "scope_tamper", "rebilled_resume", "recovery_loop", "no_hypothesis_gain"]
    {
        let meant = truth.finding == Some(kind) || kind == "recovery_loop" && truth.variant == "after_done";
        if kinds.contains(&kind) && !meant && truth.mode.is_none() {
            scores.entry(format!("finding {kind}")).or_default().false_alarms += 1;
            wrong.push(format!("{name}: {kind} found"));
        }
    }
}

fn judge(case: &Case, run: &Value, scores: &mut BTreeMap<String, Score>, wrong: &mut Vec<String>, name: &str) {
    let truth = &case.truth;
    let got = run["mode"].as_str();
    let right = got == truth.mode || truth.also_mode.is_some() && got == truth.also_mode;
    match (got, truth.mode) {
        _ if right => scores.entry(got.unwrap_or("none").to_owned()).or_default().hits += 1,
        (got, want) => {
            scores.entry(got.unwrap_or("none").to_owned()).or_default().false_alarms += 1;
            scores.entry(want.unwrap_or("none").to_owned()).or_default().missed += 1;
            wrong.push(format!("{name}: {got:?}, not {want:?}"));
        }
    }
    let variant = run["findings"][0]["variant"].as_str().unwrap_or("");
    if right && got.is_some() && !truth.variants.is_empty() && !truth.variants.contains(&variant) {
        scores.entry(format!("variant {}", truth.variants[0])).or_default().missed += 1;
        wrong.push(format!("{name}: variant {variant}, not {:?}", truth.variants));
    } else if let Some(first) = truth.variants.first() {
        scores.entry(format!("variant {first}")).or_default().hits += 1;
    }
    let ending = run["ending"].as_str().unwrap_or("none");
    if !truth.endings.contains(&ending) {
        scores.entry(format!("ending {}", truth.endings[0])).or_default().missed += 1;
        wrong.push(format!("{name}: ending {ending}, not {:?}", truth.endings));
    } else {
        scores.entry(format!("ending {}", truth.endings[0])).or_default().hits += 1;
    }
}

fn share(hits: u32, others: u32) -> f64 {
    if hits + others == 0 { 1.0 } else { f64::from(hits) / f64::from(hits + others) }
}

fn write(folder: &Path, files: &[(String, Vec<u8>)]) {
    for (name, bytes) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}
