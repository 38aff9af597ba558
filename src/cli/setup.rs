//! From raw arguments to what the library needs: flags beat environment, which beats the file.

use crate::cli::args::{Color, LookArgs, ReadArgs, threshold_flags};
use crate::cli::message::say;
use anyhow::{Context as _, bail};
use loopmortem::analysis::Options;
use loopmortem::cost::Prices;
use loopmortem::cost::baseline::Baseline;
use loopmortem::report::style::Palette;
use loopmortem::report::table::Look;
use loopmortem::settings::{ConfigFile, find_config, read_config, resolve};
use loopmortem::trace::Time;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More threads than any machine has cores only cost memory.
const MOST_THREADS: usize = 1024;

/// Width of tables where nobody knows better.
const WIDTH: u16 = 140;

/// What every command that reads runs needs.
pub(crate) struct Setup {
    pub(crate) options: Options,
    pub(crate) look: Look,
    /// The configuration's baseline, for the commands that hold runs against one.
    baseline: Option<PathBuf>,
}

impl Setup {
    pub(crate) fn new(read: &ReadArgs, look: &LookArgs, matches: &clap::ArgMatches, rows: usize) -> anyhow::Result<Self> {
        let file = config(read)?;
        let variables = std::env::vars_os().filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)));
        let (thresholds, warnings) = resolve(file.as_ref(), variables, threshold_flags(matches).into_iter())?;
        for warning in warnings {
            say(&warning);
        }
        if let Some(threads) = read.threads {
            if !(1..=MOST_THREADS).contains(&threads) {
                bail!("--threads: it takes a whole number from 1 to {MOST_THREADS}");
            }
            // Fails only where a pool exists already; then that one is as good.
            let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
        }
        let format = match &read.format {
            Some(id) => Some(
                loopmortem::format::by_id(id)
                    .with_context(|| format!("--format: no format is called `{id}`; `loopmortem formats` lists them"))?,
            ),
            None => None,
        };
        let prices = match read.prices.clone().or_else(|| file.as_ref().and_then(|f| f.prices.clone())) {
            Some(path) => Prices::with_overrides(&path)?,
            None => Prices::embedded().clone(),
        };
        Ok(Self {
            options: Options {
                thresholds,
                as_of: as_of(read)?,
                format,
                judges: file.as_ref().map_or_else(Arc::default, |f| f.judges.clone().into()),
                prices: Arc::new(prices),
                baseline: None,
            },
            look: self::look(look, file.as_ref(), rows)?,
            baseline: file.and_then(|f| f.baseline),
        })
    }

    /// With the baseline that was named, else the configuration's.
    pub(crate) fn against(mut self, named: Option<&Path>) -> anyhow::Result<Self> {
        if let Some(path) = named.or(self.baseline.as_deref()) {
            self.options.baseline = Some(Arc::new(Baseline::read(path)?));
        }
        Ok(self)
    }
}

fn config(read: &ReadArgs) -> anyhow::Result<Option<ConfigFile>> {
    let named = read.config.clone().or_else(|| std::env::var_os("LOOPMORTEM_CONFIG").map(PathBuf::from));
    let found = match named {
        Some(path) => Some(path),
        None => find_config(&std::env::current_dir().unwrap_or_default()),
    };
    Ok(found.map(|path| read_config(&path)).transpose()?)
}

fn as_of(read: &ReadArgs) -> anyhow::Result<Time> {
    if let Some(text) = &read.as_of {
        return Time::parse(text).with_context(|| format!("--as-of: `{text}` is no time; write 2026-11-29T08:00:00Z or Unix seconds"));
    }
    match std::env::var("SOURCE_DATE_EPOCH") {
        // Any second since 1970 is a valid epoch here, also one that no log would have.
        Ok(text) => text
            .trim()
            .parse::<i64>()
            .ok()
            .and_then(|s| s.checked_mul(1000))
            .map(Time)
            .with_context(|| format!("SOURCE_DATE_EPOCH: `{text}` is no number of seconds")),
        Err(_) => Ok(Time::now()),
    }
}

fn look(args: &LookArgs, file: Option<&ConfigFile>, rows: usize) -> anyhow::Result<Look> {
    let zone = args.tz.clone().or_else(|| std::env::var("LOOPMORTEM_TZ").ok()).or_else(|| file.and_then(|f| f.tz.clone()));
    let zone = match zone {
        Some(name) => name.parse().map_err(|_| anyhow::anyhow!("--tz: no zone is called `{name}`; write Europe/Berlin or UTC"))?,
        None => chrono_tz::UTC,
    };
    let named = match std::env::var("LOOPMORTEM_COLOR").ok().or_else(|| file.and_then(|f| f.color.clone())).as_deref() {
        None | Some("auto") => Color::Auto,
        Some("always") => Color::Always,
        Some("never") => Color::Never,
        Some(other) => bail!("color: `{other}` is not auto, always or never"),
    };
    let terminal = std::io::stdout().is_terminal();
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty() && v != "0");
    let on = match args.color.unwrap_or(named) {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) => false,
        Color::Auto => set("CLICOLOR_FORCE") || terminal && std::env::var_os("TERM").is_none_or(|t| t != "dumb"),
    };
    let columns = || std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    let measured = || if terminal { comfy_table::Table::new().width() } else { None };
    let width = args.width.or_else(measured).or_else(columns).unwrap_or(WIDTH).max(40);
    Ok(Look { width, palette: Palette { on }, zone, rows })
}
