//! Reading a baseline, and refusing one that cannot be meant.

use super::fields::{Object, Source};
use super::{Baseline, BaselineError, CheckRuns, ErrorKind, Run, RunCost, RunTokens, SCHEMA};
use crate::diagnose::Ending;
use crate::input::read_whole;
use crate::settings::suggest;
use crate::trace::{Money, Tokens};
use std::path::Path;

/// A baseline of thousands of runs stays far below; more is no baseline.
const LARGEST_FILE: u64 = 16 << 20;
/// Above these a figure is a slip of the keyboard, not a manual run.
const MOST_CALLS: u64 = 10_000_000;
const MOST_TOKENS: u64 = 1_000_000_000_000_000;
const MOST_DOLLARS: u32 = 1_000_000;
const MOST_REPEATS: u64 = 100_000;

const FILE_KEYS: &[&str] = &["schema", "task", "repo_sha", "who", "date", "harness", "models", "runs"];
const RUN_KEYS: &[&str] =
    &["task", "run", "calls", "tokens", "cost", "wall_s", "active_s", "human_s", "outcome", "iterations", "tool_calls", "errors", "check"];
const TOKEN_KEYS: &[&str] = &["input_uncached", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning"];
const COST_KEYS: &[&str] = &["usd", "source", "snapshot"];
const ERROR_KEYS: &[&str] = &["signature", "count"];
const CHECK_KEYS: &[&str] = &["cmd", "repeats", "passes", "durations_s", "flake_signatures"];

impl Baseline {
    /// Reads a baseline file.
    ///
    /// # Errors
    /// It cannot be read, or it is not what it should be: file and line, what is wrong, and what to do.
    pub fn read(path: &Path) -> Result<Self, BaselineError> {
        let shown = path.display().to_string();
        let fail = |what: String| BaselineError { path: shown.clone(), line: None, what };
        let io = |e: std::io::Error| fail(format!("cannot be read: {e}"));
        let meta = std::fs::metadata(path).map_err(io)?;
        if meta.is_dir() {
            return Err(fail("is a folder; name the baseline's file".to_owned()));
        }
        if meta.len() > LARGEST_FILE {
            return Err(fail(format!("is {} bytes long; a baseline has at most {LARGEST_FILE}", meta.len())));
        }
        let bytes = read_whole(path).map_err(io)?;
        let text = std::str::from_utf8(&bytes).map_err(|e| {
            let line = memchr::memchr_iter(b'\n', bytes.get(..e.valid_up_to()).unwrap_or_default()).count();
            BaselineError { path: shown.clone(), line: u32::try_from(line + 1).ok(), what: "no UTF-8 text; save it as UTF-8".to_owned() }
        })?;
        Self::parse(&shown, text)
    }

    /// Reads a baseline's text; `path` is for messages.
    ///
    /// # Errors
    /// As for [`Baseline::read`].
    pub fn parse(path: &str, text: &str) -> Result<Self, BaselineError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let source = Source { path, text };
        if text.trim().is_empty() {
            return Err(source.fault(text, "is empty; `loopmortem baseline record` writes a baseline"));
        }
        let file = Object::read(source, text, "", FILE_KEYS)?;
        match file.text("schema")?.as_deref() {
            Some(SCHEMA) => {}
            Some(other) if other.starts_with("baseline/") => {
                return Err(
                    file.wrong("schema", &format!("this program reads \"{SCHEMA}\"; record it again, or use the program that wrote it"))
                );
            }
            _ => return Err(file.wrong("schema", &format!("write \"schema\": \"{SCHEMA}\""))),
        }
        let runs = file.list("runs")?.unwrap_or_default();
        if runs.is_empty() {
            return Err(file.wrong("runs", "it takes a list with at least one run"));
        }
        Ok(Self {
            task: file.text("task")?.ok_or_else(|| file.wrong("task", "write what was done, \"task\": \"NAME\""))?,
            repo_sha: sha(&file)?,
            who: file.text("who")?,
            date: date(&file)?,
            harness: file.text("harness")?,
            models: file.texts("models")?.unwrap_or_default(),
            runs: runs.iter().enumerate().map(|(k, raw)| run(source, raw, k)).collect::<Result<_, _>>()?,
        })
    }
}

fn sha(file: &Object<'_>) -> Result<Option<String>, BaselineError> {
    let sha = file.text("repo_sha")?;
    match sha {
        Some(s) if !(4..=64).contains(&s.len()) || !s.bytes().all(|b| b.is_ascii_hexdigit()) => {
            Err(file.wrong("repo_sha", "it takes a commit's hash, 4 to 64 hexadecimal digits, or null"))
        }
        other => Ok(other),
    }
}

fn date(file: &Object<'_>) -> Result<Option<String>, BaselineError> {
    let date = file.text("date")?;
    match date {
        Some(d) if d.len() != 10 || chrono::NaiveDate::parse_from_str(&d, "%Y-%m-%d").is_err() => {
            Err(file.wrong("date", "it takes a day as \"2026-11-28\", or null"))
        }
        other => Ok(other),
    }
}

fn run(source: Source<'_>, raw: &str, index: usize) -> Result<Run, BaselineError> {
    let object = Object::read(source, raw, &format!("runs[{index}]."), RUN_KEYS)?;
    let tokens = tokens(&object)?;
    let run = Run {
        task: object.text("task")?,
        run: object.text("run")?,
        calls: object.count("calls", 1, MOST_CALLS)?,
        cost: cost(&object)?,
        tokens,
        wall_s: object.seconds("wall_s")?,
        active_s: object.seconds("active_s")?,
        human_s: object.seconds("human_s")?,
        outcome: outcome(&object)?,
        iterations: object.count("iterations", 1, MOST_CALLS)?,
        tool_calls: object.count("tool_calls", 0, MOST_CALLS)?,
        errors: errors(&object)?,
        check: check(&object)?,
    };
    if let (Some(active), Some(wall)) = (run.active_s, run.wall_s)
        && active > wall
    {
        return Err(object.wrong("active_s", &format!("it is at most wall_s, {wall}")));
    }
    if run.calls.is_none() && run.tokens.is_none() && run.cost.is_none() && run.wall_s.is_none() && run.iterations.is_none() {
        return Err(
            object.fault(format!("`runs[{index}]` says nothing that could be compared; give calls, tokens, cost, wall_s or iterations"))
        );
    }
    Ok(run)
}

fn tokens(run: &Object<'_>) -> Result<Option<RunTokens>, BaselineError> {
    match run.raw("tokens") {
        None => Ok(None),
        Some(raw) if !raw.starts_with('{') => Ok(run.count("tokens", 1, MOST_TOKENS)?.map(RunTokens::Total)),
        Some(_) => {
            let Some(classes) = run.object("tokens", TOKEN_KEYS)? else { return Ok(None) };
            let class = |key: &str| classes.count(key, 0, MOST_TOKENS);
            let tokens = Tokens {
                input_uncached: class("input_uncached")?,
                cache_read: class("cache_read")?,
                cache_write_5m: class("cache_write_5m")?,
                cache_write_1h: class("cache_write_1h")?,
                output: class("output")?,
                reasoning: class("reasoning")?,
            };
            if tokens.reasoning > tokens.output && tokens.output.is_some() {
                return Err(classes.wrong("reasoning", "it is a part of output and cannot be more"));
            }
            match tokens.total() {
                Some(0) | None => Err(run.wrong("tokens", "no class is above 0; what is not known is null, never 0")),
                Some(_) => Ok(Some(RunTokens::Classes(tokens))),
            }
        }
    }
}

fn cost(run: &Object<'_>) -> Result<Option<RunCost>, BaselineError> {
    if run.raw("cost").is_some_and(|raw| !raw.starts_with('{')) {
        return Err(run.wrong("cost", "it takes an object: {\"usd\": \"1.25\", \"source\": \"reported\", \"snapshot\": null}, or null"));
    }
    let Some(cost) = run.object("cost", COST_KEYS)? else { return Ok(None) };
    let source = cost.text("source")?;
    let snapshot = cost.text("snapshot")?;
    let Some(raw) = cost.raw("usd") else { return Ok(None) };
    let most = format!("it takes US dollars from 0 to {MOST_DOLLARS} as a decimal, \"4.10\", or null");
    let digits = raw.trim_matches('"');
    let known = digits.starts_with(|c: char| c.is_ascii_digit());
    let usd =
        digits.parse::<Money>().ok().filter(|m| known && *m <= Money::dollars(MOST_DOLLARS)).ok_or_else(|| cost.wrong("usd", &most))?;
    if usd == Money::ZERO && source.as_deref() != Some("free") {
        return Err(cost.wrong("usd", "what is not known is null, never 0; a model that is free has \"source\": \"free\""));
    }
    Ok(Some(RunCost { usd, source, snapshot }))
}

fn outcome(run: &Object<'_>) -> Result<Option<Ending>, BaselineError> {
    let Some(word) = run.text("outcome")? else { return Ok(None) };
    let names = || Ending::ALL.iter().map(|(_, id, _)| *id);
    match Ending::ALL.iter().find(|(_, id, _)| *id == word) {
        Some((ending, ..)) => Ok(Some(*ending)),
        None => {
            let near = suggest(&word, names()).map_or_else(String::new, |n| format!("; did you mean \"{n}\"?"));
            Err(run.wrong("outcome", &format!("it is one of {}, or null{near}", names().collect::<Vec<_>>().join(", "))))
        }
    }
}

fn errors(run: &Object<'_>) -> Result<Option<Vec<ErrorKind>>, BaselineError> {
    let Some(list) = run.list("errors")? else { return Ok(None) };
    let kind = |(k, raw): (usize, &&str)| {
        let object = Object::read(run.source(), raw_of(raw), &format!("errors[{k}]."), ERROR_KEYS)?;
        let wanted = "write the failure and how often it stood: {\"signature\": \"TypeError: …\", \"count\": 3}";
        Ok(ErrorKind {
            signature: object.text("signature")?.ok_or_else(|| object.wrong("signature", wanted))?,
            count: object.count("count", 1, MOST_CALLS)?.ok_or_else(|| object.wrong("count", wanted))?,
        })
    };
    list.iter().enumerate().map(kind).collect::<Result<Vec<_>, _>>().map(Some)
}

fn raw_of<'t>(raw: &&'t str) -> &'t str {
    raw
}

fn check(run: &Object<'_>) -> Result<Option<CheckRuns>, BaselineError> {
    let Some(check) = run.object("check", CHECK_KEYS)? else { return Ok(None) };
    let small = |key: &str, least: u64, most: u64| {
        let n = check.count(key, least, most)?.ok_or_else(|| check.wrong(key, "write how often the check ran and how often it passed"))?;
        Ok::<_, BaselineError>(u32::try_from(n).unwrap_or(u32::MAX))
    };
    let repeats = small("repeats", 1, MOST_REPEATS)?;
    let passes = small("passes", 0, u64::from(repeats))?;
    let times = check.list("durations_s")?.unwrap_or_default();
    let wanted = format!("it takes a list of seconds, one for each of the {repeats} executions, or []");
    if !times.is_empty() && times.len() != repeats as usize {
        return Err(check.wrong("durations_s", &wanted));
    }
    let time = |raw: &&str| raw.parse::<f64>().ok().filter(|s| (0.0..=86_400.0 * 366.0).contains(s) && !raw.starts_with(['-', '+']));
    let durations_s = times.iter().map(time).collect::<Option<Vec<_>>>().ok_or_else(|| check.wrong("durations_s", &wanted))?;
    let flake_signatures = check.texts("flake_signatures")?.unwrap_or_default();
    if flake_signatures.len() > (repeats - passes) as usize {
        return Err(check.wrong("flake_signatures", "it has more failures than executions that failed"));
    }
    let cmd = check.text("cmd")?.ok_or_else(|| check.wrong("cmd", "write the command that was run"))?;
    Ok(Some(CheckRuns { cmd, repeats, passes, durations_s, flake_signatures }))
}
