//! The matrix: one log full of all that can hurt, every output, and nothing of it works there.

use crate::support::program;
use std::fs;
use std::path::Path;

const AS_OF: &str = "2025-11-30T09:00:00Z";

/// What a log can hold that means something to whoever shows it.
fn poisons() -> Vec<(&'static str, String)> {
    vec![
        ("script", "<script>alert(1)</script><img src=x onerror=alert(2)>".to_owned()),
        ("attribute", "\\\" onmouseover=\\\"alert(3) ' autofocus".to_owned()),
        ("ansi", "\\u001b[31mred\\u001b[0m \\u001b]0;title\\u0007 \\u009b2J".to_owned()),
        ("workflow", "::error file=x::owned".to_owned()),
        ("old workflow", "x ##[error]owned ##vso[task.complete result=Failed] ##teamcity[buildStop]".to_owned()),
        ("formula", "=HYPERLINK(\\\"https://example.com\\\") +1 @SUM(A1)".to_owned()),
        ("xml", "\\u0000\\u0001\\u0008\\ufffe]]>&amp;<!DOCTYPE x>".to_owned()),
        ("bidi", "a\\u202eevil\\u2066b\\u200f".to_owned()),
        ("markdown", "| a | `b` ``` [c](https://example.com) **d** @somebody </details> <!-- #1".to_owned()),
        ("secret", ["gh", "p_", &"A1b2C3d4".repeat(5)].concat()),
        ("home", "/home/somebody/x somebody.new@example.com".to_owned()),
    ]
}

/// A run for each, stuck on it, in folders that are called like it where a file system allows.
fn night(root: &Path) {
    for (k, (name, poison)) in poisons().iter().enumerate() {
        let folder = root.join(format!("{k} <b>{name}<b> ::error::x |`@a` \u{202e}\u{1b}[31m"));
        fs::create_dir(&folder).unwrap();
        let mut log = String::new();
        for i in 1..=6 {
            log += &format!("{{\"ts\":{},\"iter\":{i},\"event\":\"agent_call\",\"detail\":\"FAILED {poison}\"}}\n", 1_764_460_800 + i * 60);
            // Some texts stand at the start of what is shown.
            log += &format!(
                "{{\"ts\":{},\"iter\":{i},\"event\":\"tool_call\",\"tool\":\"{poison}\",\"detail\":\"{poison}\"}}\n",
                1_764_460_810 + i * 60
            );
        }
        log += &format!("{{\"ts\":1764461400,\"iter\":6,\"event\":\"handoff\",\"detail\":\"{poison}\"}}\n");
        log += "no record\n";
        fs::write(folder.join(".loop_log.jsonl"), log).unwrap();
    }
}

struct Output {
    name: &'static str,
    text: String,
}

fn outputs(root: &Path, out: &Path) -> Vec<Output> {
    let policy = out.join("policy.toml");
    fs::create_dir_all(out).unwrap();
    fs::write(&policy, "[forbid]\nhealth = ['failing']\nfindings = ['parse_loss']\n[max]\nrun_usd = 1\nlost_lines = 0\n").unwrap();
    let both = |o: std::process::Output| String::from_utf8(o.stdout).unwrap() + &String::from_utf8(o.stderr).unwrap();
    let run = |args: &[&str]| both(program().args(args).args(["--as-of", AS_OF]).arg(root).output().unwrap());
    let policy = policy.to_str().unwrap();
    let junit = out.join("check.xml");
    let summary = out.join("step.md");
    let mut all = vec![
        Output { name: "table", text: run(&["triage"]) },
        Output { name: "narrow table", text: run(&["triage", "--width", "60"]) },
        Output { name: "triage.json", text: run(&["triage", "--json"]) },
        Output { name: "check table", text: run(&["check", "--policy", policy]) },
        Output { name: "check.json", text: run(&["check", "--policy", policy, "--json"]) },
        Output { name: "annotations", text: run(&["check", "--policy", policy, "--annotations", "--junit", junit.to_str().unwrap()]) },
    ];
    for k in 0..poisons().len() {
        let id = format!("{k} <b>");
        all.push(Output { name: "explain", text: both(program().args(["explain", &id, "--as-of", AS_OF]).arg(root).output().unwrap()) });
    }
    program().args(["check", "--policy", policy]).env("GITHUB_STEP_SUMMARY", &summary).arg(root).output().unwrap();
    let report = program().args(["report", "--as-of", AS_OF, "--title", "<i>|@x"]).arg(root).arg("--out").arg(out).output().unwrap();
    assert_eq!(report.status.code(), Some(0), "{}", String::from_utf8_lossy(&report.stderr));
    all.push(Output { name: "report's words", text: both(report) });
    for (name, file) in [
        ("index.html", out.join("index.html")),
        ("summary.md", out.join("summary.md")),
        ("report.json", out.join("report.json")),
        ("junit.xml", out.join("junit.xml")),
        ("check.xml", junit),
        ("step.md", summary),
    ] {
        all.push(Output { name, text: fs::read_to_string(file).unwrap() });
    }
    let charts = fs::read_dir(out.join("charts")).into_iter().flatten().map(|e| e.unwrap().path());
    all.extend(
        charts
            .filter(|p| p.extension().is_some_and(|e| e == "svg"))
            .map(|p| Output { name: "chart", text: fs::read_to_string(p).unwrap() }),
    );
    all
}

#[cfg(unix)]
#[test]
fn every_output_is_inert() {
    let dir = tempfile::tempdir().unwrap();
    let (root, out) = (dir.path().join("runs"), dir.path().join("out"));
    fs::create_dir(&root).unwrap();
    night(&root);
    let secret = &poisons().into_iter().find(|(name, _)| *name == "secret").unwrap().1;
    let all = outputs(&root, &out);
    // Whoever adds an output adds it here: the tables of `export` have their own, for formulas.
    assert!(all.len() >= 13 + poisons().len());
    for o in &all {
        let bad = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{202e}' | '\u{2066}' | '\u{200f}' | '\u{fffe}' | '\u{feff}');
        if let Some(c) = o.text.chars().find(|c| bad(*c)) {
            panic!("{}: {c:?}", o.name);
        }
        assert!(!o.text.contains(&secret[..12]) && !o.text.contains("/home/somebody") && !o.text.contains("somebody.new"), "{}", o.name);
        assert!(!o.text.contains("##[error]") && !o.text.contains("##vso[") && !o.text.contains("##teamcity["), "{}", o.name);
        let shown = o.text.contains("FAILED") || o.text.contains("owned");
        assert!(
            shown || matches!(o.name, "explain" | "report's words" | "check table" | "check.json" | "chart"),
            "{} shows nothing",
            o.name
        );
        // Only annotations begin lines with a command, and only with their own.
        for line in o.text.lines().filter(|l| l.trim_start().starts_with("::")) {
            let own = line.starts_with("::error title=loop policy")
                || line.starts_with("::error file=")
                || line.starts_with("::warning title=loop policy");
            assert!(o.name == "annotations" && own, "{}: {line}", o.name);
        }
    }
    for (name, tags) in
        [("index.html", &["<script>alert", "<img", "<b>", "<i>", "onmouseover=\"", "<!--"][..]), ("chart", &["<script", "<img", "<b>"])]
    {
        for o in all.iter().filter(|o| o.name == name) {
            for tag in tags {
                assert!(!o.text.contains(tag), "{name}: {tag}");
            }
        }
    }
    for o in all.iter().filter(|o| o.name == "junit.xml" || o.name == "check.xml") {
        well_formed(&o.text);
    }
    for o in all.iter().filter(|o| o.name.ends_with(".md")) {
        markdown(&o.text);
    }
}

/// Every `<` and `&` of an XML text belongs to the mark-up that the format has, and no name of an element is a log's.
fn well_formed(text: &str) {
    let known = ["?xml", "testsuites", "testsuite", "testcase", "failure", "skipped", "system-out", "properties", "property"];
    for part in text.split('<').skip(1) {
        let name: String = part.trim_start_matches('/').chars().take_while(|c| !c.is_whitespace() && !matches!(c, '>' | '/')).collect();
        assert!(known.contains(&name.as_str()), "<{name}");
    }
    for part in text.split('&').skip(1) {
        let entity = part.split(';').next().unwrap();
        assert!(matches!(entity, "amp" | "lt" | "gt" | "quot" | "apos") || entity.starts_with('#'), "&{entity}");
    }
}

/// What GFM would read outside of code: no tag but ours, no mention, no link, and rows with as many cells as their heads.
fn markdown(text: &str) {
    let mut columns = None;
    for line in text.lines() {
        let (plain, spans) = without_code(line);
        let plain = without_escapes(&plain);
        for tag in plain.split('<').skip(1) {
            let ours = ["details>", "/details>", "summary>", "/summary>", "code>", "/code>"];
            assert!(ours.iter().any(|t| tag.starts_with(t)), "{line}");
        }
        assert!(!plain.contains("](") && !plain.contains("://"), "{line}");
        // A mention in an element of code is none; elsewhere it is broken by a blank without width.
        let mentions = plain.split('@').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric()));
        assert!(!mentions || plain.contains("<code>"), "{line}");
        if let Some(rest) = line.strip_prefix('|') {
            let cells = cells(rest);
            assert!(columns.is_none_or(|n| n == cells), "{cells} cells: {line}");
            columns = Some(cells);
        } else {
            columns = None;
        }
        assert!(spans < 200);
    }
}

/// A line without what a backslash makes mere text.
fn without_escapes(line: &str) -> String {
    let mut chars = line.chars();
    let mut out = String::new();
    while let Some(c) = chars.next() {
        if c == '\\' {
            chars.next();
        } else {
            out.push(c);
        }
    }
    out
}

/// A line without its code spans.
fn without_code(line: &str) -> (String, usize) {
    let (mut plain, mut rest, mut spans) = (String::new(), line, 0);
    while let Some(at) = rest.find('`') {
        plain.push_str(&rest[..at]);
        let fence = rest[at..].chars().take_while(|c| *c == '`').count();
        let inner = &rest[at + fence..];
        let mut from = 0;
        let end = loop {
            let Some(k) = inner[from..].find('`').map(|k| from + k) else { break None };
            let run = inner[k..].chars().take_while(|c| *c == '`').count();
            if run == fence {
                break Some(k);
            }
            from = k + run;
        };
        let Some(end) = end else { panic!("an open span: {line}") };
        rest = &inner[end + fence..];
        spans += 1;
    }
    plain.push_str(rest);
    (plain, spans)
}

fn cells(row: &str) -> usize {
    let (mut n, mut escaped) = (0, false);
    for c in row.chars() {
        if c == '|' && !escaped {
            n += 1;
        }
        escaped = c == '\\' && !escaped;
    }
    n
}
