//! `forecast` from a plan alone.

use super::{ForecastArgs, gate};
use crate::cli::charts;
use crate::cli::message::say;
use crate::cli::setup::Setup;
use anyhow::bail;
use loopmortem::cost::forecast::{Manual, Plan, estimate};
use loopmortem::cost::growth::{Children, Compaction, Shape};
use loopmortem::report::forecast::{self, json};
use loopmortem::report::model::PriceList;
use std::io::Write as _;

pub(super) fn run(args: &ForecastArgs, setup: &Setup) -> anyhow::Result<u8> {
    let estimate = estimate(plan(args)?, &setup.options.prices)?;
    let prices = PriceList::of(&setup.options.prices);
    let mut out = std::io::stdout().lock();
    if args.json {
        json::write(out, &json::Document::of(&estimate, &prices))?;
    } else {
        out.write_all(forecast::estimate::render(&estimate, &prices, setup.look).as_bytes())?;
    }
    if let Some(dir) = &args.charts {
        charts::write(&[forecast::chart::chart(&estimate)], dir)?;
    }
    if let (Err(miss), None, true) = (&estimate.model, &estimate.gate, args.json) {
        say(&miss.to_string());
    }
    Ok(gate(estimate.gate.as_ref()))
}

fn plan(args: &ForecastArgs) -> anyhow::Result<Plan> {
    let (Some(iterations), Some(prefix), Some(appended), Some(output), Some(model)) =
        (args.iterations, args.state_tokens, args.work_tokens, args.output_tokens, &args.model)
    else {
        let needed = [
            ("--iterations", args.iterations.is_some()),
            ("--state-tokens", args.state_tokens.is_some()),
            ("--work-tokens", args.work_tokens.is_some()),
            ("--output-tokens", args.output_tokens.is_some()),
            ("--model", args.model.is_some()),
        ];
        let missing: Vec<&str> = needed.into_iter().filter(|(_, given)| !given).map(|(name, _)| name).collect();
        bail!("a launch needs {} (or past runs: --from PATH, or a run under way: --run RUN)", missing.join(", "));
    };
    let children = (args.subagents > 0).then(|| {
        let output = args.subagent_output.unwrap_or(output);
        Children {
            count: args.subagents,
            calls: args.subagent_calls,
            prefix: args.subagent_state.unwrap_or(prefix),
            appended: args.subagent_tokens.unwrap_or(appended),
            output,
            returned: args.subagent_returns.unwrap_or(output),
        }
    });
    let shape = Shape {
        prefix,
        appended,
        output,
        disk_state: args.disk_state,
        work_calls: args.calls_per_iteration.unwrap_or(1),
        reorient_calls: args.reorient_calls,
        compaction: args.compact_at.zip(args.compact_to).map(|(at, to)| Compaction { at, to }),
        children,
    };
    Ok(Plan {
        shape,
        iterations,
        max_iter: args.max_iter,
        model: model.clone(),
        class: args.cache_class.into(),
        regime: args.regime.map(Into::into),
        caching: args.cache.map(Into::into),
        budget: args.budget,
        baseline: args.baseline.as_deref().map(Manual::read).transpose()?,
    })
}
