//! The diagnosis against logs that it has not seen: a seeded generator of noisy loops, class by class, written from the
//! rules without knowledge of the detectors. Precision and recall of each mode must stay at 0.98 or better.

use crate::generate::{AS_OF, Case, Class, case};
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
            write(&folder.path().join(format!("{k:04}")), case);
        }
        let report = triage(folder.path(), &as_of, &[]);
        for run in report["runs"].as_array().unwrap() {
            let id = run["run"].as_str().unwrap();
            let index: usize = id.split(['#', '/']).next().unwrap().parse().unwrap();
            judge(&cases[index], run, &mut scores, &mut wrong, &format!("{}/{id}", class.name()));
        }
    }
    let mut bad = Vec::new();
    for (mode, s) in &scores {
        let (precision, recall) = (share(s.hits, s.false_alarms), share(s.hits, s.missed));
        println!("{mode:14} precision {precision:.3} recall {recall:.3} (n = {})", s.hits + s.missed);
        if precision < 0.98 || recall < 0.98 {
            bad.push(mode);
        }
    }
    println!("{}", wrong.join("\n"));
    assert!(bad.is_empty(), "below 0.98: {bad:?}\n{}", wrong.join("\n"));
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

fn write(folder: &Path, case: &Case) {
    for (name, bytes) in &case.files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}
