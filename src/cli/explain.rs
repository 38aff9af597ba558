//! `explain`: one run, or one mode.

use crate::cli::args::ExplainArgs;
use crate::cli::old::Newest;
use crate::cli::setup::Setup;
use crate::cli::{charts, exit, wanted};
use anyhow::bail;
use loopmortem::diagnose::{KINDS, KindSpec};
use loopmortem::report::chart::runs::of_run;
use loopmortem::report::explain;
use loopmortem::settings::{TABLE, Thresholds, suggest};
use std::fmt::Write as _;
use std::io::Write as _;

pub(crate) fn run(args: &ExplainArgs, matches: &clap::ArgMatches) -> anyhow::Result<u8> {
    let setup = Setup::new(&args.read, &args.look, matches, 0)?.against(args.baseline.as_deref())?;
    if let Some(mode) = &args.mode {
        let text = modes(mode, &setup.options.thresholds)?;
        std::io::stdout().lock().write_all(text.as_bytes())?;
        return Ok(exit::OK);
    }
    let Some(wanted) = args.run.as_deref() else { bail!("name a run, or --mode MODE") };
    let Some(one) = wanted::run(wanted, &args.paths, &setup)? else { return Ok(exit::NOTHING) };
    let mut newest = Newest::default();
    newest.add(&one.report);
    newest.hint(&setup);
    let text = explain::render(&one, &setup.options.thresholds, setup.options.as_of, setup.look);
    std::io::stdout().lock().write_all(text.as_bytes())?;
    if let Some(dir) = &args.charts {
        charts::write(&of_run(&one), dir)?;
    }
    Ok(exit::OK)
}

/// One kind in full, or all of them in a line each.
fn modes(name: &str, thresholds: &Thresholds) -> anyhow::Result<String> {
    if name == "all" {
        return Ok(KINDS.iter().map(|k| format!("{:<20} {}\n", k.id, k.what)).collect());
    }
    let Some(spec) = KINDS.iter().find(|k| k.id == name) else {
        let near = suggest(name, KINDS.iter().map(|k| k.id)).map_or_else(String::new, |s| format!("; did you mean `{s}`?"));
        bail!("--mode: no mode or finding is called `{name}`{near}");
    };
    Ok(kind(spec, thresholds))
}

fn kind(spec: &KindSpec, thresholds: &Thresholds) -> String {
    let mut out = format!("{} ({})\n{}\n\n{}\n", spec.id, if spec.is_mode { "a mode" } else { "a finding" }, spec.what, spec.how);
    if !spec.variants.is_empty() {
        out.push_str("\nvariants\n");
        for (id, what) in spec.variants {
            let _ = writeln!(out, "  {id:<12} {what}");
        }
    }
    let rows: Vec<_> = spec.thresholds.iter().filter_map(|name| TABLE.iter().find(|s| s.name == *name)).collect();
    if !rows.is_empty() {
        out.push_str("\nthresholds\n");
        for s in rows {
            let value = thresholds.get(s.name).unwrap_or(s.default);
            let _ = writeln!(out, "  {} = {value} {}: {} {}", s.name, s.unit, s.help, s.source);
        }
    }
    let _ = writeln!(out, "\nremedy\n  {}", spec.remedy);
    out
}
