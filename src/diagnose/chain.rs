//! Why this mode and not another one: for each mode what speaks for it, what against, and what would have to be different.

use crate::diagnose::modes::silence;
use crate::diagnose::{Confidence, Context, Diagnosis, Finding, Kind};
use crate::settings::Thresholds;
use crate::trace::rows::Colour;
use crate::trace::tool::ToolClass;
use crate::trace::{Time, Trace, span};

/// How a mode stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The run's mode.
    Primary,
    /// A verdict that stands behind the primary one.
    Behind,
    /// Seen and overcome.
    Overcome,
    /// Only a suspicion.
    Suspect,
    /// Not seen.
    NotSeen,
}

impl Standing {
    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Primary => "holds, and comes first",
            Self::Behind => "holds too, and comes later",
            Self::Overcome => "was overcome",
            Self::Suspect => "is only suspected",
            Self::NotSeen => "does not hold",
        }
    }
}

/// A mode that was considered.
#[derive(Debug, Clone)]
pub struct Considered {
    /// Which.
    pub kind: Kind,
    /// How it stands.
    pub standing: Standing,
    /// What speaks for it.
    pub pro: Vec<String>,
    /// What speaks against it.
    pub contra: Vec<String>,
    /// What would have to be different for the answer to be another.
    pub otherwise: String,
    /// Why it is as sure as it is, where it is seen.
    pub confidence: Option<String>,
}

/// All modes in the order of precedence.
#[must_use]
pub fn chain(trace: &Trace, limits: &Thresholds, as_of: Time, diagnosis: &Diagnosis) -> Vec<Considered> {
    let ctx = Context::new(trace, limits, as_of);
    let modes = crate::diagnose::KINDS.iter().filter(|k| k.is_mode).map(|k| k.kind);
    modes.map(|kind| considered(&ctx, diagnosis, kind)).collect()
}

fn considered(ctx: &Context<'_>, diagnosis: &Diagnosis, kind: Kind) -> Considered {
    let findings = &diagnosis.verdict.findings;
    let own = findings.iter().find(|f| f.kind == kind);
    let overcome = findings.iter().find(|f| f.kind == Kind::Recovered && f.variant == Some(kind.id()));
    let standing = match (own, overcome) {
        _ if diagnosis.verdict.mode == Some(kind) => Standing::Primary,
        (Some(f), _) if f.is_verdict() => Standing::Behind,
        (_, Some(_)) => Standing::Overcome,
        (Some(_), _) => Standing::Suspect,
        (None, None) => Standing::NotSeen,
    };
    let seen = own.or(overcome);
    let mut pro: Vec<String> = seen.map(|f| f.summary.clone()).into_iter().collect();
    let (mut measured, otherwise) = margin(ctx, kind, standing);
    let mut contra = Vec::new();
    match standing {
        Standing::Primary => contra.extend(against(ctx, kind)),
        Standing::NotSeen => contra.append(&mut measured),
        Standing::Behind => contra.push(behind(diagnosis, kind)),
        Standing::Overcome => contra.push("what came after it was something new, or green".to_owned()),
        Standing::Suspect => contra.push("below the line of a verdict".to_owned()),
    }
    pro.append(&mut measured);
    Considered { kind, standing, pro, contra, otherwise, confidence: seen.map(why_so_sure) }
}

fn behind(diagnosis: &Diagnosis, kind: Kind) -> String {
    match diagnosis.verdict.mode {
        Some(first) if kind == Kind::SilentDeath => {
            format!("the run had earned {} by its content before it died; the ending says died", first.id())
        }
        Some(first) => format!("{} comes before it in the order of modes", first.id()),
        None => "the log could not be read to its end: no mode is given".to_owned(),
    }
}

/// Why a finding is as sure as it is.
fn why_so_sure(f: &Finding) -> String {
    let because = match (f.kind, f.confidence) {
        (_, Confidence::Low) => "a suspicion: the threshold of a verdict is not reached",
        (Kind::RewardHack, Confidence::High) if f.variant == Some("own_gate") => "the loop's own gate said so",
        (Kind::RewardHack, Confidence::High) => "the check turned green with no other change",
        (Kind::RewardHack, _) => "other changes may have turned the check green",
        (Kind::SilentDeath, Confidence::High) => "the log itself shows that it was cut off",
        (Kind::SilentDeath, _) => "only the silence speaks: nothing in the log is cut off",
        (Kind::Stuck, Confidence::High) if f.variant == Some("own") => "the loop's own word",
        (Kind::Stuck, Confidence::High) => "equal to the letter once times, places and ids are left out",
        (Kind::Stuck, _) => "equal only where numbers are left out too",
        (Kind::RandomWalk, Confidence::High) => "an earlier state came back, or the failures grew",
        (Kind::RandomWalk, _) => "nothing came back: the failures only changed",
        (Kind::Runaway, Confidence::High) => "the line that was crossed is the run's own",
        (Kind::Runaway, _) => "the line that was crossed is a default: no budget and no peers are known",
        (Kind::Recovered, _) => "it was a verdict until it was overcome",
        (_, Confidence::High) => "more rounds than the threshold asks for",
        _ => "just as many rounds as the threshold asks for",
    };
    format!("{}: {because}", f.confidence.word())
}

/// What weighs against the primary mode all the same.
fn against(ctx: &Context<'_>, kind: Kind) -> Vec<String> {
    let mut all = Vec::new();
    let gains = ctx.gain.by_iteration.iter().flatten().count();
    if gains > 0 && matches!(kind, Kind::Stuck | Kind::Oscillation | Kind::RandomWalk | Kind::Runaway) {
        all.push(format!("{gains} iterations gained something"));
    }
    if ctx.ever_green() && kind != Kind::RewardHack {
        all.push("it was green once".to_owned());
    }
    if !ctx.gain.measurable && matches!(kind, Kind::RandomWalk | Kind::Runaway) {
        all.push("the log counts nothing: gain may have been there unseen".to_owned());
    }
    let lost: u64 = ctx.trace.sources.iter().map(|s| s.ledger.lost).sum();
    if lost > 0 {
        all.push(format!("{lost} lines could not be read"));
    }
    all
}

/// How near the run came to a mode, and what would change the answer.
fn margin(ctx: &Context<'_>, kind: Kind, standing: Standing) -> (Vec<String>, String) {
    let limits = ctx.limits;
    let trace = ctx.trace;
    let holds = matches!(standing, Standing::Primary | Standing::Behind);
    match kind {
        Kind::RewardHack => {
            let n = trace.weakened.len();
            let measured = if n == 0 { "no write weakens a check".to_owned() } else { format!("{n} writes weaken a check") };
            let otherwise = if holds {
                "the task would have to ask for it, or the file would have to be the run's own"
            } else {
                "a check that was there before would have to be weakened between a red and the next green"
            };
            (vec![measured], otherwise.to_owned())
        }
        Kind::SilentDeath => {
            let measured = match (ctx.finished, silence(ctx)) {
                (Some(_), _) => "the run has an end record".to_owned(),
                (None, Some(s)) => format!("silent for {}, horizon {}", span(s.seconds.max(0.0)), span(ctx.horizon.verdict_s)),
                (None, None) => "no record has a time".to_owned(),
            };
            let otherwise = if holds {
                "an end record, or an event within the horizon of the observation time"
            } else {
                "no end record, and silence beyond the horizon"
            };
            (vec![measured], otherwise.to_owned())
        }
        Kind::Stuck => {
            let reds = longest_equal(
                ctx.judged.iter().map(|k| ctx.iteration(*k)).map(|i| (i.colour == Colour::Red && i.coarse != 0).then_some(i.coarse)),
            );
            let calls = longest_equal(
                trace
                    .actions
                    .iter()
                    .filter(|a| a.class != ToolClass::Plan && a.result_step.is_some())
                    .map(|a| (a.call_key != 0 && a.class != ToolClass::Poll).then_some(a.call_key ^ a.result_key.rotate_left(7))),
            );
            let measured =
                vec![format!("{reds} equal failures in a row at most"), format!("{calls} equal calls with equal results in a row at most")];
            let otherwise = if holds {
                "a gain, another failure, an edit or a person's word between".to_owned()
            } else {
                format!("{} equal failures or {} equal calls in a row", limits.stuck_verdict, limits.call_verdict)
            };
            (measured, otherwise)
        }
        Kind::Oscillation => {
            let reds: Vec<u64> =
                ctx.judged.iter().map(|k| ctx.iteration(*k)).filter(|i| i.colour == Colour::Red).map(|i| i.coarse).collect();
            let returns = full_returns(&reds, limits.oscillation_period as usize);
            let otherwise = if holds {
                "a third state that stays, or a gain between".to_owned()
            } else {
                format!("{} full returns to an earlier failure", limits.oscillation_returns)
            };
            (vec![format!("{returns} full returns to an earlier failure in a row at most")], otherwise)
        }
        Kind::RandomWalk => {
            let longest = ctx.red_stretches().into_iter().map(<[usize]>::len).max().unwrap_or(0);
            let last =
                ctx.gain.last().map_or_else(|| "no gain".to_owned(), |k| format!("the last gain in iteration {}", ctx.iteration(k).number));
            let otherwise = if holds {
                format!("a gain in the last {} reds", limits.walk_window)
            } else {
                format!(
                    "{} reds in a row, {:.0} % of them distinct, and no gain in the last {}",
                    limits.walk_reds,
                    limits.walk_distinct * 100.0,
                    limits.walk_window
                )
            };
            (vec![format!("{longest} reds in a row at most, {last}")], otherwise)
        }
        _ => {
            let spent = trace.spent_from(0).map_or_else(|| "cost unknown".to_owned(), |m| format!("{} spent", m.short()));
            let green = if ctx.ever_green() { "green was reached" } else { "never green" };
            let otherwise = if holds {
                "a green, or a stop at the line that was crossed".to_owned()
            } else {
                format!(
                    "{} iterations or more without green and above the budget, else ${}; or {} iterations after the work was done",
                    limits.runaway_iterations, limits.runaway_usd, limits.runaway_after_green
                )
            };
            (vec![format!("{} iterations, {green}, {spent}", trace.iterations.len())], otherwise)
        }
    }
}

/// The longest row of one key.
fn longest_equal(keys: impl Iterator<Item = Option<u64>>) -> usize {
    let (mut best, mut now, mut last) = (0, 0, None);
    for key in keys {
        now = match key {
            Some(_) if key == last => now + 1,
            Some(_) => 1,
            None => 0,
        };
        last = key;
        best = best.max(now);
    }
    best
}

/// How many times a round of 2 to `longest` different keys came back to where it began, without a break: A B A B A returns
/// twice, A B A B C once.
fn full_returns(keys: &[u64], longest: usize) -> usize {
    let of_period = |period: usize| {
        let mut best = 0_usize;
        let mut row = 0;
        for k in period..keys.len() {
            row = if keys[k] == keys[k - period] && keys[k] != keys[k - 1] { row + 1 } else { 0 };
            best = best.max(row);
        }
        best.div_ceil(period)
    };
    (2..=longest).map(of_period).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::full_returns;

    #[test]
    fn rounds_that_come_back() {
        for (keys, returns) in [("", 0), ("AB", 0), ("ABA", 1), ("ABAB", 1), ("ABABA", 2), ("ABABC", 1), ("AAAA", 0), ("ABCABCA", 2)] {
            let keys: Vec<u64> = keys.bytes().map(u64::from).collect();
            assert_eq!(full_returns(&keys, 4), returns, "{keys:?}");
        }
        // A round of five is longer than any that counts.
        assert_eq!(full_returns(&[1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1], 4), 0);
    }
}
