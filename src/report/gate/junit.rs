//! A gate as JUnit: a suite of rules, and a suite of runs in which a run fails by the rules that it breaks.

use crate::fleet::policy::{Judged, Offender, Outcome, State};
use crate::report::escape::visible;
use crate::report::gate::table::at;
use crate::report::junit::{case, describe, stamp};
use crate::report::model::RunReport;
use crate::trace::Time;
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Runs that are listed behind a rule.
const RUNS: usize = 50;

/// Renders the results. Characters that XML cannot hold are removed.
///
/// # Errors
/// The serialiser's, which has none for a string.
pub fn render(judged: &Judged, runs: &[RunReport], as_of: Time) -> Result<String, quick_junit::SerializeError> {
    let mut report = Report::new("loopmortem check");
    let mut rules = TestSuite::new("policy");
    rules.set_timestamp(stamp(as_of));
    let mut blamed: BTreeMap<&str, Vec<(&Outcome, &Offender)>> = BTreeMap::new();
    for o in &judged.outcomes {
        let mut case = TestCase::new(o.rule.as_str(), status(o));
        case.set_classname("loopmortem.policy");
        rules.add_test_case(case);
        for r in &o.runs {
            blamed.entry(&r.run).or_default().push((o, r));
        }
    }
    report.add_test_suite(rules);
    let mut suite = TestSuite::new("runs");
    suite.set_timestamp(stamp(as_of));
    for run in runs {
        suite.add_test_case(case(run, of_run(run, blamed.get(&*run.run).map_or(&[], Vec::as_slice))));
    }
    report.add_test_suite(suite);
    report.to_string()
}

fn failure(kind: &str, message: String, text: String) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind).set_message(message).set_description(text);
    status
}

fn status(o: &Outcome) -> TestCaseStatus {
    if o.state == State::Pass {
        return TestCaseStatus::success();
    }
    let mut text = String::new();
    for r in o.runs.iter().take(RUNS) {
        let place = r.place.as_ref().map(|(path, line)| format!(" ({})", at(path, *line))).unwrap_or_default();
        let _ = writeln!(text, "{}: {}{place}", visible(&r.run), r.what);
    }
    if o.runs.len() > RUNS {
        let _ = writeln!(text, "… and {} more", o.runs.len() - RUNS);
    }
    failure(o.state.word(), format!("allowed {}, measured {}", o.limit, o.measured), text)
}

/// A run is blamed for what it does itself; a sum that is too large is the rule's failure alone.
fn of_run(run: &RunReport, blamed: &[(&Outcome, &Offender)]) -> TestCaseStatus {
    let own: Vec<_> = blamed
        .iter()
        .filter(|(o, _)| o.rule.starts_with("forbid.") || o.rule.starts_with("max.run_") || o.rule == "max.baseline_ratio")
        .collect();
    let Some((first, _)) = own.first() else { return TestCaseStatus::success() };
    let words: Vec<String> = own.iter().map(|(o, r)| format!("{}: {}", o.rule, r.what)).collect();
    failure(&first.rule, words.join("; "), describe(run))
}
