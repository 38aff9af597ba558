//! `--charts DIR`, from outside: which charts there are, and what they say of the sample night.

use crate::support::{fixtures, program};
use roxmltree::Document;
use std::path::Path;

const AS_OF: &str = "2026-11-29T08:00:00Z";

fn draw(args: &[&str], dir: &Path) -> std::process::Output {
    let output = program().args(args).arg(fixtures().join("overnight")).args(["--as-of", AS_OF, "--charts"]).arg(dir).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

fn files(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn read(dir: &Path, name: &str) -> String {
    std::fs::read_to_string(dir.join(name)).unwrap()
}

fn count(document: &Document<'_>, class: &str) -> usize {
    document.descendants().filter(|n| n.attribute("class") == Some(class)).count()
}

fn described(document: &Document<'_>) -> String {
    document.descendants().find(|n| n.has_tag_name("desc")).and_then(|n| n.text()).unwrap().to_owned()
}

#[test]
fn a_night_has_a_barcode_and_its_waste() {
    let dir = tempfile::tempdir().unwrap();
    let charts = dir.path().join("new/charts");
    let output = draw(&["triage"], &charts);
    assert!(String::from_utf8_lossy(&output.stderr).contains("barcode, waste-money, waste-time"));
    let expected =
        ["barcode", "waste-money", "waste-time"].iter().flat_map(|n| [format!("{n}.png"), format!("{n}.svg")]).collect::<Vec<_>>();
    assert_eq!(files(&charts), expected);
    let text = read(&charts, "barcode.svg");
    let document = Document::parse(&text).unwrap();
    // The iterations of the table in the README, summed up: 45+11+18+2+1+9+12+10+16+15+16+11+12+3+9+11+11+9.
    assert_eq!(count(&document, "cell"), 221);
    let words = described(&document);
    assert!(words.starts_with("18 runs with 221 iterations: 3 green,"), "{words}");
    assert!(words.contains("The longest run is report-export-rewrite with 45 iterations."), "{words}");
    let text = read(&charts, "waste-money.svg");
    let document = Document::parse(&text).unwrap();
    // runaway $0.35; without a mode $0.13 + $0.10 + $0.00; stuck $0.0025.
    assert_eq!(count(&document, "bar"), 3);
    assert!(described(&document).contains("runaway $0.35"), "{}", described(&document));
    for name in expected.iter().filter(|n| n.ends_with(".png")) {
        assert!(std::fs::read(charts.join(name)).unwrap().starts_with(b"\x89PNG\r\n\x1a\n"), "{name}");
    }
}

#[test]
fn a_run_has_the_charts_that_its_logs_allow() {
    let dir = tempfile::tempdir().unwrap();
    let (spent, silent) = (dir.path().join("a"), dir.path().join("b"));
    draw(&["explain", "report-export-rewrite"], &spent);
    assert_eq!(files(&spent), ["context.png", "context.svg", "spend.png", "spend.svg", "timeline.png", "timeline.svg"]);
    let words = described(&Document::parse(&read(&spent, "spend.svg")).unwrap());
    // 45 calls, $17.47 in all; the budget beside the loop is 10 USD.
    assert!(words.contains("over 45 calls: $17.47 in all.") && words.contains("The cap of $10.00 was crossed at call 26."), "{words}");
    // A log without tokens has nothing to show of them, and no blank picture.
    draw(&["explain", "image-thumbnailer"], &silent);
    assert_eq!(files(&silent), ["timeline.png", "timeline.svg"]);
    let text = read(&silent, "timeline.svg");
    let document = Document::parse(&text).unwrap();
    assert_eq!((count(&document, "iteration"), count(&document, "gap"), count(&document, "beat")), (12, 1, 1));
    assert!(text.contains(">5 h 53 min →</text>"), "{text}");
}

#[test]
fn the_same_night_is_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let dirs = ["1", "2"].map(|threads| {
        let charts = dir.path().join(threads);
        draw(&["triage", "--json", "--threads", threads], &charts);
        charts
    });
    for name in files(&dirs[0]) {
        assert_eq!(std::fs::read(dirs[0].join(&name)).unwrap(), std::fs::read(dirs[1].join(&name)).unwrap(), "{name}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_a_clear_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let output =
        program().arg(fixtures().join("overnight")).args(["--as-of", AS_OF, "--charts"]).arg(file.path().join("x")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--charts: cannot make"));
}
