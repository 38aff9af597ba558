//! JUnit in the Surefire dialect: a test case a run. A failing run is a failure with its mode (else what it ended as) as
//! the type; one that cannot be judged is skipped with what is missing, because a suite shall neither pass nor fail on it.

use crate::diagnose::{Confidence, Ending, Health};
use crate::fleet::week::cause_of;
use crate::report::escape::{terminal, visible};
use crate::report::model::RunReport;
use crate::report::words;
use crate::trace::Time;
use chrono::{DateTime, FixedOffset, TimeZone, Utc};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::fmt::Write as _;
use std::time::Duration;

/// Pieces of evidence of a finding.
const EVIDENCE: usize = 3;

/// Renders the runs. Characters that XML cannot hold are removed.
///
/// # Errors
/// The serialiser's, which has none for a string.
pub fn render<'a>(name: &str, runs: impl Iterator<Item = &'a RunReport>, as_of: Time) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new("loopmortem");
    let mut suite = TestSuite::new(&*terminal(name));
    suite.set_timestamp(stamp(as_of));
    for run in runs {
        suite.add_test_case(case(run, status(run)));
    }
    report.add_test_suite(suite);
    report.to_string()
}

/// A test case of a run.
pub(super) fn case(run: &RunReport, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(&*visible(&run.run), status);
    case.set_classname(format!("loopmortem.{}", if run.agent.is_empty() { "unknown" } else { run.agent }));
    if let Some(seconds) = run.wall_s.filter(|s| s.is_finite() && *s >= 0.0) {
        case.set_time(Duration::try_from_secs_f64(seconds).unwrap_or_default());
    }
    if let Some(started) = run.started {
        case.set_timestamp(stamp(started));
    }
    case
}

/// A point in time as JUnit writes it.
pub(super) fn stamp(t: Time) -> DateTime<FixedOffset> {
    Utc.timestamp_millis_opt(t.0).single().unwrap_or_default().fixed_offset()
}

fn status(run: &RunReport) -> TestCaseStatus {
    let ending = run.ending.map_or("no ending", Ending::id);
    match run.health {
        Health::Healthy => TestCaseStatus::success(),
        Health::Inconclusive => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(format!("inconclusive, {ending}: {}", words::why(run)));
            status
        }
        Health::Failing => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type(cause_of(run).unwrap_or(ending));
            status.set_message(format!("{ending}: {}", run.why));
            status.set_description(describe(run));
            status
        }
    }
}

/// The findings with their evidence, as text.
pub(super) fn describe(run: &RunReport) -> String {
    let mut out = String::new();
    for f in &run.findings {
        let variant = f.variant.map(|v| format!("/{v}")).unwrap_or_default();
        let sure = if f.confidence == Confidence::Low { "suspect" } else { f.confidence.word() };
        let _ = writeln!(out, "{}{variant} ({sure}): {}", f.kind.id(), f.summary);
        for e in f.evidence.iter().take(EVIDENCE) {
            let at = if e.line == 0 { terminal(&e.path).into_owned() } else { format!("{}:{}", terminal(&e.path), e.line) };
            let _ = writeln!(out, "  {at}  {}", e.measured);
            if !e.excerpt.is_empty() {
                let _ = writeln!(out, "    {}", e.excerpt);
            }
        }
        let _ = writeln!(out, "  remedy: {}", f.kind.spec().remedy);
    }
    let _ = writeln!(out, "next: {}: {}", run.next_action.kind.id(), run.next_action.reason);
    out
}
