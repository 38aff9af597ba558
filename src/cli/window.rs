//! `--since`.

use crate::cli::setup::Setup;
use anyhow::{anyhow, bail};
use loopmortem::fleet::week::Window;
use loopmortem::settings::When;

/// The stretch of time that `--since` asks for.
pub(crate) fn of(since: Option<&str>, setup: &Setup) -> anyhow::Result<Option<Window>> {
    let Some(text) = since else { return Ok(None) };
    let as_of = setup.options.as_of;
    let from = When::parse(text, setup.look.zone).map_err(|e| anyhow!("--since: {e}"))?.from(as_of);
    if from > as_of {
        bail!("--since: {from} lies after the observation time, {as_of}; --as-of sets that");
    }
    Ok(Some(Window::new(from, as_of)))
}
