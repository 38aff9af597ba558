//! `report.json`: the weekly report as data. The runs have the form of `triage --json`.

use crate::fleet::week::{Comparison, Guard, Row, Value, Week};
use crate::report::escape::visible;
use crate::report::json::field;
use crate::report::model::{Cost, WasteTotals};
use crate::settings::{TABLE, Thresholds};
use crate::trace::{Money, Time};
use serde::Serialize;
use serde_json::{Map, Number, Value as Json, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The document's name and version. Within a major version fields are only added.
pub const SCHEMA: &str = "loopmortem/report";
/// See [`SCHEMA`].
pub const SCHEMA_VERSION: &str = "1.0";

#[derive(Serialize)]
struct Since<'a> {
    from: Time,
    to: Time,
    left_out: Vec<std::borrow::Cow<'a, str>>,
    undated: u64,
}

#[derive(Serialize)]
struct Headline<'a> {
    spent: &'a Cost,
    wasted: &'a WasteTotals,
    runs: u64,
    greens: u64,
    failing: u64,
    inconclusive: u64,
    cost_per_green: Option<crate::fleet::week::PerGreen>,
    causes: Vec<Json>,
    guard: Option<Json>,
}

/// Writes the document, a run a line.
///
/// # Errors
/// The writer's.
pub fn write(week: &Week, mut out: impl Write) -> io::Result<()> {
    let (summary, headline) = (&week.summary, &week.headline);
    write!(out, "{{\"schema\":\"{SCHEMA}\",\"schema_version\":\"{SCHEMA_VERSION}\",\"as_of\":\"{}\"", summary.as_of)?;
    field(&mut out, "title", &visible(&week.title))?;
    let since = week.window.as_ref().map(|w| Since {
        from: w.from,
        to: w.to,
        left_out: w.left_out.iter().map(|r| visible(r)).collect(),
        undated: w.undated,
    });
    field(&mut out, "since", &since)?;
    let first = Headline {
        spent: &summary.totals.cost,
        wasted: &summary.totals.waste,
        runs: summary.totals.runs,
        greens: headline.greens,
        failing: headline.failing,
        inconclusive: headline.inconclusive,
        cost_per_green: headline.per_green,
        causes: headline.causes.iter().map(cause).collect(),
        guard: headline.guard.as_ref().map(guard),
    };
    field(&mut out, "headline", &first)?;
    field(&mut out, "comparison", &week.comparison.as_ref().map(comparison))?;
    out.write_all(b",\n\"runs\":[")?;
    for (k, (run, _)) in week.runs.iter().enumerate() {
        out.write_all(if k == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut out, run)?;
    }
    out.write_all(b"\n]")?;
    field(&mut out, "common_causes", &summary.common_causes)?;
    field(&mut out, "top_signatures", &summary.top_signatures)?;
    field(&mut out, "totals", &summary.totals)?;
    field(&mut out, "thresholds", &thresholds(&summary.thresholds))?;
    field(&mut out, "errors", &summary.errors.iter().map(|e| visible(e)).collect::<Vec<_>>())?;
    field(&mut out, "prices", &summary.prices)?;
    out.write_all(b"}\n")?;
    out.flush()
}

/// Every threshold in force.
#[must_use]
pub fn thresholds(limits: &Thresholds) -> BTreeMap<&'static str, f64> {
    TABLE.iter().filter_map(|s| Some((s.name, limits.get(s.name)?))).collect()
}

fn ids(runs: &[Box<str>]) -> Vec<std::borrow::Cow<'_, str>> {
    runs.iter().map(|r| visible(r)).collect()
}

fn cause(c: &crate::fleet::week::Cause) -> Json {
    json!({
        "cause": c.cause, "what": c.what, "runs": ids(&c.runs), "spent_usd": c.spent_usd, "waste_usd": c.waste_usd,
        "waste_s": c.waste_s, "share": rounded(c.share), "share_of": c.of, "common": c.common,
    })
}

fn guard(g: &Guard) -> Json {
    json!({
        "cause": g.cause, "guard": g.guard, "setting": g.setting, "reason": g.reason, "saving": g.saving,
        "stops": ids(&g.stops), "kills": ids(&g.kills), "greens": g.greens, "kill_rate_below": g.kill_bound().map(rounded),
    })
}

fn comparison(c: &Comparison) -> Json {
    let figures: Vec<Json> = c.figures.iter().map(figure).collect();
    let by_mode: Map<String, Json> = c.by_mode.iter().map(|(m, (b, a))| (m.clone(), json!({"before": b, "after": a}))).collect();
    let moved: Vec<Json> = c.moved.iter().map(|m| json!({"run": visible(&m.run), "before": m.before, "after": m.after})).collect();
    json!({
        "file": visible(&c.file), "as_of": c.as_of, "figures": figures, "by_mode": by_mode, "new_causes": c.new_causes,
        "vanished_causes": c.vanished_causes, "moved": moved, "new_runs": c.new_runs, "gone_runs": c.gone_runs,
        "common_runs": c.common_runs, "same_runs": c.same_runs, "notes": c.notes,
    })
}

fn figure(row: &Row) -> Json {
    let unit = row.before.or(row.after).map(|v| match v {
        Value::Count(_) => "runs",
        Value::Usd(_) => "usd",
        Value::Seconds(_) => "seconds",
    });
    let by = |change: f64| match row.after {
        // Money is a decimal string everywhere.
        Some(Value::Usd(_)) => json!(Money::from_f64(rounded(change))),
        _ => number(change),
    };
    json!({
        "figure": row.name, "unit": unit, "before": row.before, "after": row.after,
        "complete": {"before": row.complete.0, "after": row.complete.1},
        "change": row.change.map(|c| json!({"by": by(c.by), "share": c.share.map(rounded), "direction": c.direction})),
    })
}

fn number(n: f64) -> Json {
    Number::from_f64(rounded(n)).map_or(Json::Null, Json::Number)
}

/// Shares and differences for people: a millionth is enough.
fn rounded(n: f64) -> f64 {
    (n * 1e6).round() / 1e6
}
