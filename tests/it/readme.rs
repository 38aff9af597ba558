//! The README says what the program does: its output and its tables are compared with the program's own.

use crate::support::{fixtures, program};
use loopmortem::diagnose::{Ending, KINDS};

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
