//! The columns of `actions`.

use super::view::At;
use super::{Column, column};
use crate::fleet::cell::Cell;
use crate::fleet::cell::Type::{Flag, Int, Real, Text, Time};
use crate::report::escape::excerpt;
use crate::trace::Place;
use crate::trace::danger::Danger;
use crate::trace::tool::ToolClass;

fn step(at: At<'_>) -> Option<u32> {
    at.action().map(|a| a.step)
}

fn place(at: At<'_>) -> Option<Place> {
    at.step(step(at)).map(|s| s.place)
}

fn class(class: ToolClass) -> &'static str {
    match class {
        ToolClass::Poll => "poll",
        ToolClass::Edit => "edit",
        ToolClass::Plan => "plan",
        ToolClass::Look => "look",
        ToolClass::Other => "other",
    }
}

/// Call to result. Not known where a clock went back, or where only one of the two is there.
fn latency(at: At<'_>) -> Option<f64> {
    let action = at.action()?;
    let result = action.result_step.filter(|r| *r != action.step)?;
    let seconds = at.at(Some(result))?.seconds_since(at.at(Some(action.step))?);
    (seconds >= 0.0).then_some(seconds)
}

pub(super) static COLUMNS: &[Column] = &[
    column("run", Text, "", "The run's id.", |at| Cell::text(at.run.id.as_str())),
    column("action", Int, "", "Its position in the run, from 1.", |at| Cell::int(at.number())),
    column("iteration", Int, "", "The number of its iteration.", |at| Cell::int(at.in_iteration(step(at)))),
    column("at", Time, "UTC", "When it was called.", |at| Cell::time(at.at(step(at)))),
    column("tool", Text, "", "The tool.", |at| {
        Cell::owned(at.action().map(|a| excerpt(at.run.of.trace.names.text(a.tool).as_bytes(), 100)).filter(|t| !t.is_empty()))
    }),
    column("class", Text, "", "What kind of tool use it is: poll, edit, plan, look or other.", |at| {
        Cell::text(at.action().map(|a| class(a.class)))
    }),
    column("ok", Flag, "", "Whether it worked.", |at| Cell::flag(at.action().and_then(|a| a.ok))),
    column("exit_code", Int, "", "Its exit code.", |at| Cell::int(at.action().and_then(|a| a.exit_code))),
    column("answered", Flag, "", "There is a result.", |at| Cell::flag(at.action().map(|a| a.result_step.is_some()))),
    column("latency_s", Real, "s", "From the call to its result.", |at| Cell::real(latency(at))),
    column("result_bytes", Int, "bytes", "The length of the result; null without one.", |at| {
        Cell::int(at.action().filter(|a| a.result_step.is_some()).map(|a| a.result_len))
    }),
    column("files_changed", Int, "", "Files that the result says were changed.", |at| Cell::int(at.action().and_then(|a| a.files_changed))),
    column("call_key", Text, "", "Tool and arguments, as a hash: equal for equal calls.", |at| {
        Cell::hash(at.action().map_or(0, |a| a.call_key))
    }),
    column("result_key", Text, "", "The whole result, as a hash: equal for equal results.", |at| {
        Cell::hash(at.action().map_or(0, |a| a.result_key))
    }),
    column("error_key", Text, "", "The error, as a hash; numbers in its text do not count.", |at| {
        Cell::hash(at.action().map_or(0, |a| a.error_key))
    }),
    column("danger", Text, "", "What the command would wipe.", |at| Cell::text(at.action().and_then(|a| a.danger).map(Danger::words))),
    column("commits", Flag, "", "The command commits.", |at| Cell::flag(at.action().map(|a| a.commits))),
    column("path", Text, "", "The file that says so.", |at| Cell::text(place(at).and_then(|p| at.run.path(p)))),
    column("line", Int, "line", "The line in it.", |at| Cell::int(place(at).map(|p| p.line))),
];
