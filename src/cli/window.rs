//! `--since`.

use anyhow::anyhow;
use loopmortem::fleet::week::{Since, Window};
use loopmortem::trace::Time;

/// The stretch of time that `--since` asks for.
pub(crate) fn of(since: Option<&str>, as_of: Time) -> anyhow::Result<Option<Window>> {
    let since = since.map(|text| text.parse::<Since>().map_err(|e| anyhow!("--since: {e}"))).transpose()?;
    Ok(since.map(|since| Window::new(since, as_of)))
}
