//! From a chart to a scene: title, legend, the data, notes.

mod barcode;
mod cell;
mod dumbbell;
mod lines;
mod page;
mod pareto;
mod timeline;

use crate::report::chart::scene::Scene;
use crate::report::chart::spec::{Body, Chart};
use page::Page;

/// Lays a chart out.
pub(super) fn scene(chart: &Chart, width: f64) -> Scene {
    let mut page = Page::new(&chart.title, width);
    match &chart.body {
        Body::Lines(lines) => lines::draw(lines, &mut page),
        Body::Timeline(timeline) => timeline::draw(timeline, &mut page),
        Body::Barcode(barcode) => barcode::draw(barcode, &mut page),
        Body::Pareto(pareto) => pareto::draw(pareto, &mut page),
        Body::Dumbbell(dumbbell) => dumbbell::draw(dumbbell, &mut page),
    }
    page.finish()
}
