//! The report in a real browser, where one is installed: nothing is asked for, nothing is complained of, the script sorts,
//! filters and searches, and without it everything is there. `LOOPMORTEM_BROWSER` names another program than those that
//! are looked for.

use crate::support::{fixtures, program};
use std::path::{Path, PathBuf};
use std::process::Command;

fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("LOOPMORTEM_BROWSER").map(PathBuf::from);
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = || std::env::split_paths(&path).flat_map(|dir| names.map(|n| dir.join(n))).find(|p| p.is_file());
    let browser = named.or_else(found);
    if browser.is_none() {
        eprintln!("no browser is installed: the report was not opened in one");
    }
    browser
}

/// Loads a page, lets `probe` run in it, and gives the document and what the browser said.
fn load(browser: &Path, page: &Path, more: &[&str]) -> (String, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--enable-logging=stderr", "--log-level=0", "--virtual-time-budget=2000"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(more)
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// What the page itself said: the browser's own troubles with the machine are not its.
fn complaints(log: &str) -> Vec<&str> {
    log.lines().filter(|l| l.contains("CONSOLE") || l.contains("Refused to") || l.contains("violates the following")).collect()
}

fn report(out: &Path, paths: &Path) -> PathBuf {
    let output = program().arg("report").arg(paths).args(["--as-of", "2026-11-29T08:00:00Z", "--out"]).arg(out).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    out.join("index.html")
}

#[test]
fn the_page_opens_without_a_complaint_or_a_request() {
    let Some(browser) = browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = report(dir.path(), &fixtures().join("overnight"));
    let net = dir.path().join("net.json");
    let (dom, log) = load(&browser, &page, &[&format!("--log-net-log={}", net.display())]);
    assert_eq!(complaints(&log), Vec::<&str>::new());
    // The script ran: it shows its controls and makes the heads buttons.
    assert!(dom.contains("18 runs</output>") && dom.contains("<button type=\"button\">run</button>"), "the script did not run: {log}");
    let net = std::fs::read_to_string(net).unwrap_or_default();
    for host in net.split("\"url\":\"").skip(1).map(|part| part.split('"').next().unwrap()) {
        assert!(!host.starts_with("http") || host.contains("google") || host.contains("gstatic"), "the page asked for {host}");
    }
}

/// Mail programs and previews take out scripts and styles.
#[test]
fn the_page_is_whole_without_script_and_style() {
    let Some(browser) = browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = report(dir.path(), &fixtures().join("overnight"));
    let mut html = std::fs::read_to_string(&page).unwrap();
    for (open, close) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (from, to) = (html.find(open).unwrap(), html.find(close).unwrap() + close.len());
        html.replace_range(from..to, "");
    }
    std::fs::write(&page, html).unwrap();
    let (dom, log) = load(&browser, &page, &[]);
    assert_eq!(complaints(&log), Vec::<&str>::new());
    assert!(!dom.contains("<button"));
    for words in ["At a glance", "Top causes", "report-export-rewrite", "What these figures rest on", "more piece of evidence"] {
        assert!(dom.contains(words), "{words}");
    }
}

/// The same page with a probe that drives its controls, under the page's own policy with the probe's hash added.
#[test]
fn the_script_sorts_filters_and_searches() {
    let Some(browser) = browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = report(dir.path(), &fixtures().join("overnight"));
    let probe = r##"
const said = [];
const visible = () => Array.from(document.querySelectorAll("table.runs tbody tr")).filter((r) => !r.hidden).map((r) => r.cells[0].textContent);
const head = (name) => Array.from(document.querySelectorAll("table.runs thead button")).find((b) => b.textContent === name);
head("cost").click(); said.push("dearest " + visible()[0]);
head("cost").click(); said.push("cheapest " + visible()[0] + ", unknown last: " + document.querySelectorAll("table.runs tbody tr")[17].cells[6].textContent);
head("run").click(); said.push("first " + visible()[0]);
const health = document.querySelector("select[data-key=health]");
health.value = "healthy"; health.dispatchEvent(new Event("change")); said.push("healthy " + visible().length);
health.value = ""; health.dispatchEvent(new Event("change"));
const search = document.getElementById("search");
search.value = "STUCK ledger"; search.dispatchEvent(new Event("input")); said.push("found " + visible().join());
document.title = said.join("; ");
"##;
    let html = std::fs::read_to_string(&page).unwrap();
    let policy = html.split("script-src '").nth(1).unwrap().split('\'').next().unwrap().to_owned();
    let html = html.replacen(&format!("script-src '{policy}'"), "script-src 'unsafe-inline'", 1);
    let html = html.replacen("</body>", &format!("<script>{probe}</script></body>"), 1);
    std::fs::write(&page, html).unwrap();
    let (dom, log) = load(&browser, &page, &[]);
    assert_eq!(complaints(&log), Vec::<&str>::new());
    let title = dom.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert_eq!(
        title,
        "dearest report-export-rewrite; cheapest ecc854c0-28cc-5295-b0be-64bdd6d32437, unknown last: –; \
         first 7e80b23c-1e5e-577c-a4d6-5661fff7d885; healthy 3; found ledger-rounding"
    );
}

#[test]
fn the_page_prints() {
    let Some(browser) = browser() else { return };
    let dir = tempfile::tempdir().unwrap();
    let page = report(dir.path(), &fixtures().join("overnight"));
    let pdf = dir.path().join("report.pdf");
    load(&browser, &page, &[&format!("--print-to-pdf={}", pdf.display())]);
    let bytes = std::fs::read(pdf).unwrap_or_default();
    assert!(bytes.starts_with(b"%PDF-") && bytes.len() > 20_000, "{} bytes", bytes.len());
}
