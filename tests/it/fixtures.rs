//! Every fixture carries its own expectation, worked out by hand from the rules. Adding a fixture adds a test.

use crate::support::{fixtures, triage};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// One line a difference, for all cases at once: a change of a rule shows everything that it moves.
#[test]
fn every_fixture_is_diagnosed_as_expected() {
    let cases = cases();
    assert!(cases.len() > 200, "only {} fixtures found", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let text = std::fs::read_to_string(case.join("expect.toml")).unwrap();
        let expect: toml::Table = text.parse().unwrap_or_else(|e| panic!("{}: {e}", case.display()));
        for difference in differences(case, &expect) {
            wrong.push(format!("{}: {difference}", case.strip_prefix(fixtures()).unwrap().display()));
        }
    }
    assert!(wrong.is_empty(), "{} differences in {} fixtures:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// The folders of all fixtures.
pub(crate) fn cases() -> Vec<PathBuf> {
    let mut cases = Vec::new();
    collect(&fixtures(), &mut cases);
    cases
}

fn collect(folder: &Path, cases: &mut Vec<PathBuf>) {
    if folder.join("expect.toml").is_file() {
        cases.push(folder.to_owned());
        return;
    }
    let mut below: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    below.sort();
    for folder in below {
        collect(&folder, cases);
    }
}

fn differences(case: &Path, expect: &toml::Table) -> Vec<String> {
    let as_of = expect.get("as_of").and_then(toml::Value::as_str).unwrap_or("2026-11-29T08:00:00Z");
    let report = triage(case, as_of, &[]);
    let runs = report["runs"].as_array().unwrap();
    let mut wrong = Vec::new();
    let wanted = expect.get("run").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    for want in &wanted {
        let want = want.as_table().unwrap();
        let id = want["id"].as_str().unwrap();
        match runs.iter().find(|r| r["run"] == id) {
            Some(run) => wrong.extend(of_run(run, want).into_iter().map(|d| format!("{id}: {d}"))),
            None => wrong.push(format!("no run {id}, only {:?}", runs.iter().map(|r| r["run"].as_str().unwrap()).collect::<Vec<_>>())),
        }
    }
    if runs.len() != wanted.len() {
        wrong.push(format!("{} runs, not {}", runs.len(), wanted.len()));
    }
    if let Some(n) = expect.get("common_causes").and_then(toml::Value::as_integer) {
        let found = report["common_causes"].as_array().unwrap().len();
        if found != usize::try_from(n).unwrap() {
            wrong.push(format!("{found} common causes, not {n}"));
        }
    }
    wrong
}

fn of_run(run: &Value, want: &toml::Table) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut check = |key: &str, got: Value, wanted: Value| {
        if got != wanted {
            wrong.push(format!("{key} is {got}, not {wanted}"));
        }
    };
    let findings: Vec<[String; 3]> = run["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|f| ["kind", "variant", "confidence"].map(|k| f[k].as_str().unwrap_or("").to_owned()))
        .collect();
    let sources = run["sources"].as_array().unwrap();
    let sum = |key: &str| Value::from(sources.iter().map(|s| s[key].as_u64().unwrap()).sum::<u64>());
    for (key, value) in want {
        let none_or = |v: &toml::Value| if v.as_str() == Some("none") { Value::Null } else { serde_json::to_value(v).unwrap() };
        let plain = serde_json::to_value(value).unwrap();
        match key.as_str() {
            "id" => {}
            "ending" | "mode" => check(key, run[key].clone(), none_or(value)),
            "confidence" | "health" | "iterations" | "agent" | "calls" | "tool_calls" => check(key, run[key].clone(), plain),
            "input_uncached" | "cache_read" | "cache_write_5m" | "cache_write_1h" | "output" | "reasoning" | "under_reported" => {
                check(key, run["tokens"][key].clone(), plain)
            }
            "cost_status" => check(key, run["cost"]["status"].clone(), plain),
            "usd" | "reported_usd" => {
                let number = |v: &Value| v.as_str().and_then(|s| s.parse::<f64>().ok());
                let (got, want) = (number(&run["cost"][key]), number(&plain));
                let near = got.zip(want).is_some_and(|(a, b)| (a - b).abs() < 5e-7);
                if !near {
                    check(key, run["cost"][key].clone(), plain);
                }
            }
            "green" | "red" | "no_verdict" => check(key, run["checks"][key].clone(), plain),
            "next_action" => check(key, run["next_action"]["kind"].clone(), plain),
            "waste_state" => check(key, run["waste"]["state"].clone(), plain),
            "waste_after" => check(key, run["waste"]["after"]["iteration"].clone(), plain),
            "lost" | "salvaged" => check(key, sum(key), plain),
            "onset" => check(key, run["findings"][0]["onset"]["iteration"].clone(), plain),
            "findings" => {
                for wanted in value.as_array().unwrap() {
                    let wanted = wanted.as_str().unwrap();
                    let (name, confidence) = wanted.split_once(':').unwrap_or((wanted, ""));
                    let (kind, variant) = name.split_once('/').unwrap_or((name, ""));
                    let fits = |f: &[String; 3]| {
                        f[0] == kind && (variant.is_empty() || f[1] == variant) && (confidence.is_empty() || f[2] == confidence)
                    };
                    if !findings.iter().any(fits) {
                        check("findings", Value::from(format!("{findings:?}")), Value::from(wanted));
                    }
                }
            }
            "absent" => {
                for unwanted in value.as_array().unwrap() {
                    let unwanted = unwanted.as_str().unwrap();
                    let there = findings.iter().any(|f| f[0] == unwanted);
                    check(&format!("{unwanted} among findings {findings:?}"), Value::from(there), Value::from(false));
                }
            }
            other => panic!("expect.toml: nothing is checked by `{other}`"),
        }
    }
    wrong
}
