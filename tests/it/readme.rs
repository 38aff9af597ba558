//! The README says what the program does: its output and its tables are compared with the program's own.

use crate::support::{fixtures, program};
use loopmortem::diagnose::{Ending, KINDS};
use loopmortem::fleet::policy::LIMITS;

fn readme() -> String {
    std::fs::read_to_string(fixtures().join("../README.md")).unwrap()
}

/// What stands between two markers.
fn block<'a>(text: &'a str, name: &str) -> &'a str {
    let begin = format!("<!-- {name} -->\n");
    let end = format!("<!-- /{name} -->");
    let from = text.find(&begin).unwrap_or_else(|| panic!("README: no {begin}")) + begin.len();
    let to = text[from..].find(&end).unwrap_or_else(|| panic!("README: no {end}")) + from;
    text[from..to].trim()
}

/// A block shows what the program prints.
fn shows(name: &str, args: &[&str]) {
    let output = program().current_dir(fixtures().join("..")).args(args).output().unwrap();
    let real = String::from_utf8(output.stdout).unwrap();
    let real: Vec<&str> = real.lines().map(str::trim_end).collect();
    let shown = readme();
    let shown: Vec<&str> =
        block(&shown, name).trim_start_matches("```text\n").trim_end_matches("```").trim_end().lines().map(str::trim_end).collect();
    assert_eq!(shown, real, "regenerate it: reports/regenerate.sh");
}

#[test]
fn the_shown_output_is_the_real_one() {
    shows("overnight", &["fixtures/overnight", "--as-of", "2026-11-29T08:00:00Z", "--width", "132"]);
}

#[test]
fn the_shown_forecast_is_the_real_one() {
    // The command as the README gives it.
    let text = readme();
    let from = text.find("loopmortem forecast --iterations").unwrap();
    let command = text[from..].split("```").next().unwrap().replace("\\\n", " ");
    let mut args: Vec<&str> = command.split_whitespace().skip(1).collect();
    args.extend(["--width", "132"]);
    shows("forecast", &args);
}

#[test]
fn the_tables_come_from_the_tables() {
    let text = readme();
    let modes: String = KINDS.iter().filter(|k| k.is_mode).map(|k| format!("| `{}` | {} |\n", k.id, k.what)).collect();
    assert_eq!(block(&text, "modes"), format!("| mode | what it is |\n|---|---|\n{modes}").trim());
    let endings: String = Ending::ALL.iter().map(|(_, id, what)| format!("| `{id}` | {what} |\n")).collect();
    assert_eq!(block(&text, "endings"), format!("| ending | when |\n|---|---|\n{endings}").trim());
}

/// What `reports/regenerate.sh` writes, written again.
#[test]
fn the_weekly_samples_are_the_real_ones() {
    let root = fixtures().join("..");
    let dir = tempfile::tempdir().unwrap();
    let night = ["fixtures/overnight", "--as-of", "2026-11-29T08:00:00Z"];
    let mut command = program();
    command.current_dir(&root).arg("report").args(night).args(["--compare", "fixtures/weeks/2026-11-22.json", "--out"]).arg(dir.path());
    assert_eq!(command.output().unwrap().status.code(), Some(0));
    for file in ["index.html", "summary.md", "report.json", "junit.xml"] {
        let (real, shown) = (std::fs::read(dir.path().join(file)).unwrap(), std::fs::read(root.join("reports/week").join(file)).unwrap());
        assert!(real == shown, "reports/week/{file}: regenerate it: reports/regenerate.sh");
    }
    let output = program().current_dir(&root).arg("check").args(night).args(["--policy", "reports/policy.toml"]).output().unwrap();
    let shown = std::fs::read_to_string(root.join("reports/check.txt")).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), shown, "regenerate it: reports/regenerate.sh");
}

#[test]
fn the_guide_names_every_limit_and_its_policy_is_one() {
    let root = fixtures().join("..");
    let text = std::fs::read_to_string(root.join("docs/weekly.md")).unwrap();
    let rows: String = LIMITS.iter().map(|l| format!("| `{}` | {} |\n", l.name(), l.about)).collect();
    assert_eq!(block(&text, "limits"), format!("| limit | what it says |\n|---|---|\n{rows}").trim());
    let policy = text.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.toml"), policy).unwrap();
    assert!(loopmortem::fleet::policy::read(&dir.path().join("p.toml")).is_ok());
    // No input of the ready workflow reaches a script as text.
    let workflow = std::fs::read_to_string(root.join(".github/workflows/weekly.yml")).unwrap();
    let scripts = workflow.split("run: ").skip(1).map(|part| part.split("\n      - ").next().unwrap());
    assert!(scripts.into_iter().all(|script| !script.contains("${{")));
}
