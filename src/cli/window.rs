//! `--since`.

use anyhow::{anyhow, bail};
use loopmortem::fleet::week::{Since, Window};
use loopmortem::trace::Time;

/// The stretch of time that `--since` asks for.
pub(crate) fn of(since: Option<&str>, as_of: Time) -> anyhow::Result<Option<Window>> {
    let since = since.map(|text| text.parse::<Since>().map_err(|e| anyhow!("--since: {e}"))).transpose()?;
    let window = since.map(|since| Window::new(since, as_of));
    if let Some(w) = window.as_ref().filter(|w| w.from > w.to) {
        bail!("--since: {} lies after the observation time, {}; --as-of sets that", w.from, w.to);
    }
    Ok(window)
}
