//! From raw arguments to what the library needs: flags beat environment, which beats the file.

use crate::cli::args::{Color, LookArgs, ReadArgs, threshold_flags};
use crate::cli::message::say;
use anyhow::{Context as _, anyhow, bail};
use chrono_tz::Tz;
use clap::ValueEnum as _;
use loopmortem::analysis::Options;
use loopmortem::cost::Prices;
use loopmortem::cost::baseline::Baseline;
use loopmortem::error::SettingsError;
use loopmortem::input::Apart;
use loopmortem::report::style::Palette;
use loopmortem::report::table::Look;
use loopmortem::settings::{ConfigFile, ENV_PREFIX, When, find_config, read_config, resolve};
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
    /// The observation time was given, and is not just now.
    pub(crate) pinned: bool,
    /// The configuration's baseline with its place there, for the commands that hold runs against one.
    baseline: Option<(String, PathBuf)>,
}

impl Setup {
    pub(crate) fn new(read: &ReadArgs, look: &LookArgs, matches: &clap::ArgMatches, rows: usize) -> anyhow::Result<Self> {
        let file = config(read)?;
        let variables = std::env::vars_os().map(|(k, v)| (k.to_string_lossy().into_owned(), v.to_string_lossy().into_owned()));
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
        let prices = match (&read.prices, file.as_ref().and_then(|f| Some((f, f.prices.as_ref()?)))) {
            (Some(path), _) => Prices::with_overrides(path)?,
            (None, Some((file, path))) => Prices::with_overrides(path).with_context(|| format!("{}: `prices`", file.place("prices")))?,
            (None, None) => Prices::embedded().clone(),
        };
        let look = self::look(look, file.as_ref(), rows)?;
        let pinned = as_of(read, look.zone)?;
        Ok(Self {
            options: Options {
                thresholds,
                as_of: pinned.unwrap_or_else(Time::now),
                format,
                judges: file.as_ref().map_or_else(Arc::default, |f| f.judges.clone().into()),
                prices: Arc::new(prices),
                baseline: None,
                apart: Apart::new(),
            },
            look,
            pinned: pinned.is_some(),
            baseline: file.and_then(|f| Some((f.place("baseline"), f.baseline?))),
        })
    }

    /// With the baseline that was named, else the configuration's.
    pub(crate) fn against(mut self, named: Option<&Path>) -> anyhow::Result<Self> {
        let baseline = match (named, &self.baseline) {
            (Some(path), _) => Some(Baseline::read(path)?),
            (None, Some((place, path))) => Some(Baseline::read(path).with_context(|| format!("{place}: `baseline`"))?),
            (None, None) => None,
        };
        self.options.baseline = baseline.map(Arc::new);
        Ok(self)
    }
}

fn config(read: &ReadArgs) -> anyhow::Result<Option<ConfigFile>> {
    if let Some(path) = &read.config {
        return Ok(Some(read_config(path)?));
    }
    if let Some(path) = variable("LOOPMORTEM_CONFIG") {
        return Ok(Some(read_config(Path::new(&path)).map_err(|error| match error {
            SettingsError::File { path, reason } => SettingsError::File { path, reason: format!("{reason} (named by LOOPMORTEM_CONFIG)") },
            other => other,
        })?));
    }
    let found = find_config(&std::env::current_dir().unwrap_or_default());
    Ok(found.map(|path| read_config(&path)).transpose()?)
}

/// A variable of the environment; an empty one counts as none.
fn variable(name: &str) -> Option<String> {
    std::env::var_os(name).map(|v| v.to_string_lossy().into_owned()).filter(|v| !v.is_empty())
}

/// A setting's value with where it was given.
struct Given {
    value: String,
    place: String,
    key: String,
}

impl Given {
    /// From the flag, else the environment, else the file.
    fn find(name: &str, flag: Option<&String>, file: Option<&ConfigFile>, of: fn(&ConfigFile) -> Option<&String>) -> Option<Self> {
        let given = |value: &String, place: String, key: String| Self { value: value.clone(), place, key };
        let by_flag = || flag.map(|v| given(v, "arguments".to_owned(), format!("--{name}")));
        let by_variable = || {
            let key = format!("{ENV_PREFIX}{}", name.to_uppercase());
            variable(&key).map(|v| given(&v, "environment".to_owned(), key))
        };
        by_flag().or_else(by_variable).or_else(|| {
            let file = file?;
            of(file).map(|v| given(v, file.place(name), name.to_owned()))
        })
    }

    fn refused(self, reason: &str) -> SettingsError {
        SettingsError::BadValue { place: self.place, key: self.key, value: self.value, reason: reason.to_owned() }
    }
}

/// The observation time, where something pins it.
fn as_of(read: &ReadArgs, zone: Tz) -> anyhow::Result<Option<Time>> {
    if let Some(text) = &read.as_of {
        return Ok(Some(When::parse(text, zone).map_err(|e| anyhow!("--as-of: {e}"))?.from(Time::now())));
    }
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH") else { return Ok(None) };
    let text = text.to_string_lossy();
    // Any second since 1970 is a valid epoch here, also one that no log would have.
    let time = text.trim().parse::<i64>().ok().and_then(|s| s.checked_mul(1000)).map(Time);
    Ok(Some(time.with_context(|| format!("SOURCE_DATE_EPOCH: `{text}` is no number of seconds"))?))
}

fn look(args: &LookArgs, file: Option<&ConfigFile>, rows: usize) -> anyhow::Result<Look> {
    let zone = match Given::find("tz", args.tz.as_ref(), file, |f| f.tz.as_ref()) {
        Some(given) => given.value.parse().map_err(|_| given.refused("no zone is called that; write Europe/Berlin or UTC"))?,
        None => chrono_tz::UTC,
    };
    // The flag is one of the three.
    let named = match Given::find("color", None, file, |f| f.color.as_ref()) {
        None => Color::Auto,
        Some(given) => Color::from_str(&given.value, false).map_err(|_| given.refused("it takes auto, always or never"))?,
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
