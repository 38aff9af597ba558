//! `--charts DIR`: pictures beside the text.

use crate::cli::message::say;
use crate::cli::outputs;
use anyhow::Context as _;
use loopmortem::report::chart::runs::{Cells, Waste, barcode};
use loopmortem::report::chart::spec::Chart;
use loopmortem::report::chart::{Frame, png, svg};
use loopmortem::report::model::RunReport;
use std::path::Path;

/// Rows that a barcode shows at most: the worst runs.
const ROWS: usize = 80;

/// What the charts of many runs need, run by run.
#[derive(Default)]
pub(crate) struct Fleet {
    waste: Waste,
    rows: Vec<(RunReport, Cells)>,
}

impl Fleet {
    pub(crate) fn add(&mut self, run: &RunReport, cells: Cells) {
        self.waste.add(run);
        if !cells.is_empty() {
            self.rows.push((run.clone(), cells));
        }
        if self.rows.len() >= 4 * ROWS {
            self.worst();
        }
    }

    fn worst(&mut self) {
        self.rows.sort_by_cached_key(|(run, _)| run.badness());
        self.rows.truncate(ROWS);
    }

    pub(crate) fn write(mut self, dir: &Path) -> anyhow::Result<()> {
        self.worst();
        let cells: Vec<Cells> = self.rows.into_iter().map(|(_, cells)| cells).collect();
        let charts: Vec<Chart> = barcode(&cells).into_iter().chain(self.waste.charts()).collect();
        write(&charts, dir)
    }
}

/// Writes each chart as `ID.svg` and `ID.png`.
pub(crate) fn write(charts: &[Chart], dir: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(dir).with_context(|| format!("--charts: cannot make {}", dir.display()))?;
    let frame = Frame::default();
    for chart in charts {
        let save = |ending: &str, bytes: &[u8]| {
            let file = dir.join(format!("{}.{ending}", chart.id));
            outputs::write(&file, bytes).with_context(|| format!("--charts: cannot write {}", file.display()))
        };
        save("svg", svg(chart, &frame).as_bytes())?;
        save("png", &png(chart, &frame)?)?;
    }
    let names: Vec<&str> = charts.iter().map(|c| c.id.as_str()).collect();
    if names.is_empty() {
        say("--charts: the logs hold nothing that a chart could show");
    } else {
        say(&format!("charts in {}: {} (each as .svg and .png)", dir.display(), names.join(", ")));
    }
    Ok(())
}
