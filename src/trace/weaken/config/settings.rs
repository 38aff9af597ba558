//! Settings by their key: thresholds, strictness, what may fail, and rules that are switched off.

use std::collections::HashMap;

use crate::trace::weaken::judge::is_usual;
use crate::trace::weaken::lang::Lang;
use crate::trace::weaken::mask::Text;
use crate::trace::weaken::util::{base_name, evidence, has_any};
use crate::trace::weaken::{Weakening, WeakeningKind};

/// Figures that a check must reach.
const FLOORS: &[&str] = &[
    "fail_under",
    "fail-under",
    "branches",
    "functions",
    "lines",
    "statements",
    "minimum_coverage",
    "minimumcoverage",
    "minimum",
    "target",
    "coverage_threshold",
    "mincoverage",
    "min_coverage",
    "--cov-fail-under",
    "minmsi",
    "thresholds",
];
/// Figures that a check must not pass.
const CEILINGS: &[&str] = &[
    "--max-warnings",
    "max-warnings",
    "maxwarnings",
    "max-complexity",
    "max_complexity",
    "maxdiffpixels",
    "maxdiffpixelratio",
    "max_allowed_failures",
    "cognitive-complexity-threshold",
    "too-many-lines-threshold",
];
/// Switches that make a check stricter.
const STRICT: &[&str] = &[
    "strict",
    "noimplicitany",
    "strictnullchecks",
    "noimplicitreturns",
    "nounusedlocals",
    "nounusedparameters",
    "nofallthroughcasesinswitch",
    "nouncheckedindexedaccess",
    "exactoptionalpropertytypes",
    "strictfunctiontypes",
    "strictpropertyinitialization",
    "useunknownincatchvariables",
    "noimplicitthis",
    "checkjs",
    "disallow_untyped_defs",
    "disallow_any_generics",
    "disallow_incomplete_defs",
    "disallow_untyped_calls",
    "warn_return_any",
    "warn_unused_ignores",
    "check_untyped_defs",
    "strict_optional",
    "strict_equality",
    "no_implicit_optional",
    "xfail_strict",
    "warnings_as_errors",
    "treatwarningsaserrors",
    "failonwarning",
    "failonrisky",
    "failonerror",
    "fail_ci_if_error",
    "failfast",
    "alwaysstrict",
    "noimplicitoverride",
    "warningsaserrors",
    "failonincomplete",
    "failonskipped",
    "enforcecodestyleinbuild",
    "nullable",
];
/// The few whose mere removal switches strictness off in practice.
const STRICT_BY_PRESENCE: &[&str] = &[
    "strict",
    "xfail_strict",
    "noimplicitany",
    "strictnullchecks",
    "treatwarningsaserrors",
    "disallow_untyped_defs",
    "fail_under",
    "--cov-fail-under",
];
/// Switches that let a failure pass.
const LENIENT: &[(&str, WeakeningKind)] = &[
    ("continue-on-error", WeakeningKind::ForcedGreen),
    ("continueonerror", WeakeningKind::ForcedGreen),
    ("allow_failure", WeakeningKind::ForcedGreen),
    ("ignorefailures", WeakeningKind::ForcedGreen),
    ("testfailureignore", WeakeningKind::ForcedGreen),
    ("maven.test.failure.ignore", WeakeningKind::ForcedGreen),
    ("soft_fail", WeakeningKind::ForcedGreen),
    ("allow_failures", WeakeningKind::ForcedGreen),
    ("ignore_outcome", WeakeningKind::ForcedGreen),
    ("ignore_errors", WeakeningKind::Narrowed),
    ("skiptests", WeakeningKind::Narrowed),
    ("maven.test.skip", WeakeningKind::Narrowed),
    ("skipitests", WeakeningKind::Narrowed),
    ("ignorebuilderrors", WeakeningKind::ForcedGreen),
    ("ignoreduringbuilds", WeakeningKind::ForcedGreen),
    ("ignore-errors", WeakeningKind::Narrowed),
    ("dangerouslyignoreunhandlederrors", WeakeningKind::ForcedGreen),
];
/// Flags in any text of a configuration that leave tests out.
const FLAGS: &[&str] = &[
    "--deselect",
    "--ignore=",
    "--ignore ",
    "--ignore-glob",
    "-k \"not",
    "-k 'not",
    "-m \"not",
    "-m 'not",
    "--testPathIgnorePatterns",
    "--exclude-group",
    "--exclude-pattern",
    "--exclude-testsuite",
    "excludeTestsMatching",
    "--tag ~",
    "-DskipTests",
    "--exit-zero",
];

/// One setting.
struct Setting {
    key: String,
    value: String,
    line: usize,
}

/// Compares the settings that changed.
pub(super) fn compare(path: &str, old: &Text<'_>, new: &Text<'_>) -> Vec<Weakening> {
    let mut counts: HashMap<String, i64> = HashMap::new();
    for l in 0..old.lines.len() {
        *counts.entry(old.canon_line(l)).or_default() += 1;
    }
    let mut left = counts.clone();
    let added: Vec<usize> = (0..new.lines.len()).filter(|l| take(&mut left, &new.canon_line(*l))).collect();
    let mut kept: HashMap<String, i64> = HashMap::new();
    for l in 0..new.lines.len() {
        *kept.entry(new.canon_line(l)).or_default() += 1;
    }
    let removed: Vec<usize> = (0..old.lines.len()).filter(|l| take(&mut kept, &old.canon_line(*l))).collect();
    let was: Vec<Setting> = removed.iter().flat_map(|l| settings(old, *l)).collect();
    let is: Vec<Setting> = added.iter().flat_map(|l| settings(new, *l)).collect();
    let mut found = Vec::new();
    for s in &is {
        let before: Vec<&Setting> = was.iter().filter(|w| w.key == s.key).collect();
        if let Some(kind) = judge(path, s, &before) {
            found.push(Weakening { kind, line: evidence(new.raw(s.line)), tests: Vec::new() });
        }
    }
    for w in &was {
        let gone = STRICT_BY_PRESENCE.contains(&w.key.as_str())
            && !is.iter().any(|s| s.key == w.key)
            && !settings_have(new, &w.key)
            && (is_on(&w.value) || number(&w.value).is_some());
        // A whole section that moved to another file is not told from one that was dropped; single keys are.
        if gone && removed.len() <= added.len() + 6 {
            found.push(Weakening { kind: WeakeningKind::Narrowed, line: evidence(old.raw(w.line)), tests: Vec::new() });
        }
    }
    found.extend(flags(old, new));
    found
}

fn take(counts: &mut HashMap<String, i64>, line: &str) -> bool {
    if line.is_empty() {
        return false;
    }
    match counts.get_mut(line).filter(|n| **n > 0) {
        Some(n) => {
            *n -= 1;
            false
        }
        None => true,
    }
}

fn settings_have(text: &Text<'_>, key: &str) -> bool {
    (0..text.lines.len()).any(|l| settings(text, l).iter().any(|s| s.key == key))
}

/// The settings on a line. Several may stand on one in JSON and JavaScript.
fn settings(text: &Text<'_>, line: usize) -> Vec<Setting> {
    if text.idle(line) {
        return Vec::new();
    }
    let code = text.code(line).trim();
    let mut found = Vec::new();
    // `<skipTests>true</skipTests>`
    if let Some((key, rest)) = code.strip_prefix('<').and_then(|c| c.split_once('>')) {
        let value = rest.split('<').next().unwrap_or("").trim();
        found.push(Setting { key: normal(key), value: value.to_owned(), line });
        return found;
    }
    // `exclude '**/CartTest*'` in a build script.
    if let Some(value) = code.strip_prefix("exclude").map(|v| v.trim_start_matches(['(', ' '])).filter(|v| v.starts_with(['"', '\''])) {
        found.push(Setting { key: "exclude".to_owned(), value: value.trim_matches(['"', '\'', ')', ' ']).to_owned(), line });
        return found;
    }
    let spaced = code.replace(['{', '}'], ",");
    let parts: Vec<&str> = if matches!(text.lang, Lang::Json | Lang::Js | Lang::Keyed) && !code.contains('[') {
        spaced.split(',').collect()
    } else {
        vec![code]
    };
    for part in parts {
        let part = part.trim().trim_start_matches("- ");
        // A switch with dashes carries its value behind `=`.
        for word in part.split_whitespace().map(|w| w.trim_start_matches(['"', '\''])).filter(|w| w.starts_with("--")) {
            if let Some((key, value)) = word.split_once('=') {
                found.push(Setting { key: key.to_owned(), value: value.trim_matches(['"', '\'', ',', ']']).to_owned(), line });
            }
        }
        let Some(at) = part.find([':', '=']).filter(|_| !part.starts_with("--")) else { continue };
        let key = normal(part.get(..at).unwrap_or(""));
        let value = part.get(at + 1..).unwrap_or("").trim_start_matches(['=', ' ']).trim().trim_end_matches([',', ';']).to_owned();
        if !key.is_empty() {
            found.push(Setting { key, value, line });
        }
    }
    found
}

fn normal(key: &str) -> String {
    let key = key.trim().trim_matches(['"', '\'', '`']);
    key.rsplit(['.', ' ']).next().filter(|_| !key.starts_with("maven.")).unwrap_or(key).trim_matches(['"', '\'']).to_ascii_lowercase()
}

fn number(value: &str) -> Option<f64> {
    value.trim().trim_matches(['"', '\'', '%', ')', '(']).trim_end_matches(['%', '"', '\'']).parse().ok()
}

fn is_on(value: &str) -> bool {
    matches!(value.trim_matches(['"', '\'', ' ']).to_ascii_lowercase().as_str(), "true" | "1" | "yes" | "on" | "enable")
}

fn is_off(value: &str) -> bool {
    matches!(value.trim_matches(['"', '\'', ' ']).to_ascii_lowercase().as_str(), "false" | "0" | "no" | "off" | "disable")
}

fn judge(path: &str, s: &Setting, before: &[&Setting]) -> Option<WeakeningKind> {
    let key = s.key.as_str();
    let before_number = || before.iter().find_map(|b| number(&b.value));
    if FLOORS.contains(&key) && before_number()? > number(&s.value)? {
        return Some(WeakeningKind::Narrowed);
    }
    if CEILINGS.contains(&key) && before_number()? < number(&s.value)? {
        return Some(WeakeningKind::Narrowed);
    }
    if STRICT.contains(&key) && is_off(&s.value) && before.iter().any(|b| is_on(&b.value)) {
        return Some(WeakeningKind::Narrowed);
    }
    if let Some((_, kind)) = LENIENT.iter().find(|(k, _)| *k == key) {
        return (is_on(&s.value) && !before.iter().any(|b| is_on(&b.value))).then_some(*kind);
    }
    if key == "if" && matches!(s.value.as_str(), "false" | "${{ false" | "${{ false }}") && path.contains(".github/") {
        return Some(WeakeningKind::Narrowed);
    }
    let base = base_name(path).to_ascii_lowercase();
    let level = |v: &str| rule_level(v);
    let lints = base.contains("eslint")
        || base == "package.json"
        || base.contains("oxlint")
        || base.starts_with("biome")
        || base.contains("stylelint");
    if lints && (key.contains('-') || key.contains('/') || base.starts_with("biome") || key == "eqeqeq" || key == "curly") {
        let now = level(&s.value)?;
        return match before.iter().find_map(|b| level(&b.value)) {
            Some(was) => (now < was).then_some(WeakeningKind::Narrowed),
            None => (now == 0 && base.contains("lint") && s.value.to_ascii_lowercase().contains("off")).then_some(WeakeningKind::Narrowed),
        };
    }
    // A target whose tests are no longer built.
    if base == "cargo.toml" && matches!(key, "test" | "doctest") {
        return (is_off(&s.value) && !before.iter().any(|b| is_off(&b.value))).then_some(WeakeningKind::Narrowed);
    }
    if matches!(base.as_str(), "cargo.toml" | "config.toml" | "clippy.toml") {
        let severity = |v: &str| ["allow", "warn", "deny", "forbid"].iter().position(|l| v.contains(&format!("\"{l}\"")));
        let now = severity(&s.value)?;
        return before.iter().find_map(|b| severity(&b.value)).filter(|was| now < *was).map(|_| WeakeningKind::Narrowed);
    }
    if key == "exclude" && (base.ends_with(".xml") || base.starts_with("build.gradle")) {
        let test = s.value.contains("Test") || s.value.contains("Spec") || s.value.contains("tests/");
        return (test && !before.iter().any(|b| b.value == s.value)).then_some(WeakeningKind::Narrowed);
    }
    if matches!(key, "testpaths" | "test-paths" | "test_paths") {
        let list = |v: &str| {
            v.split([' ', ',', '[', ']', '"', '\''])
                .filter(|p| !p.is_empty())
                .map(|p| p.trim_end_matches('/').to_owned())
                .collect::<Vec<_>>()
        };
        return before.iter().any(|b| super::narrower(&list(&b.value), &list(&s.value))).then_some(WeakeningKind::Narrowed);
    }
    None
}

/// A lint rule's level: 0 off, 1 warn, 2 error.
fn rule_level(value: &str) -> Option<u8> {
    let value = value.trim_start_matches('[').trim();
    let word = value.split([',', ']']).next().unwrap_or("").trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    match word.as_str() {
        "off" | "0" => Some(0),
        "warn" | "1" => Some(1),
        "error" | "2" => Some(2),
        _ => None,
    }
}

/// Flags that leave tests out, wherever they stand: `addopts`, a script, an argument list.
pub(super) fn flags(old: &Text<'_>, new: &Text<'_>) -> Vec<Weakening> {
    let mut found = Vec::new();
    for line in (0..new.lines.len()).filter(|l| !new.idle(*l)) {
        let raw = new.code(line);
        if !has_any(raw, FLAGS) {
            continue;
        }
        for flag in FLAGS {
            let Some((_, rest)) = raw.split_once(flag) else { continue };
            // The flag with its value, up to the next flag.
            let value = rest.split(" -").next().unwrap_or("").trim_matches(['"', '\'', ',', ' ', '=', ']', '\\']);
            let pytest = raw.contains("pytest") || raw.contains("addopts") || raw.trim_start().starts_with(['-', '"', '\'']);
            let applies = !flag.starts_with("-k") && !flag.starts_with("-m") || pytest;
            if applies
                && (!value.is_empty() || *flag == "-DskipTests" || *flag == "--exit-zero")
                && !is_usual(value)
                && !old
                    .code
                    .contains(format!("{flag}{}", rest.split(" -").next().unwrap_or("")).as_str().trim_end_matches(['"', '\'', ',', ' ']))
            {
                found.push(Weakening {
                    kind: if *flag == "--exit-zero" { WeakeningKind::ForcedGreen } else { WeakeningKind::Narrowed },
                    line: evidence(new.raw(line)),
                    tests: Vec::new(),
                });
                break;
            }
        }
    }
    found
}
