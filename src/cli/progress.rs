//! A progress bar on stderr: only on a terminal, and only when it takes longer than a moment.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Nothing is drawn before this.
const MOMENT: Duration = Duration::from_millis(700);

pub(crate) struct Progress {
    begun: Instant,
    wanted: bool,
    bar: OnceLock<ProgressBar>,
    done: std::sync::atomic::AtomicU64,
}

impl Progress {
    pub(crate) fn new() -> Self {
        Self { begun: Instant::now(), wanted: std::io::stderr().is_terminal(), bar: OnceLock::new(), done: 0.into() }
    }

    /// One more is done, of `total`.
    pub(crate) fn tick(&self, total: u64) {
        let done = self.done.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1;
        if !self.wanted || self.begun.elapsed() < MOMENT {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
            if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} runs, {eta} left") {
                bar.set_style(style);
            }
            bar
        });
        bar.set_position(done);
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
