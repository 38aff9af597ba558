//! What a launch looks like, in tokens and calls.

use super::closed;

/// The most tokens of one quantity: two hundred times the widest context window on the market.
pub const MAX_TOKENS: u64 = 1_000_000_000;
/// The most iterations of a launch.
pub const MAX_ITERATIONS: u64 = 100_000;
/// The most calls of an iteration.
pub const MAX_CALLS: u64 = 10_000;
/// The most tokens of a launch: beyond it a JSON reader's numbers are no longer whole.
pub const MAX_TOTAL: u64 = 1 << 53;
/// With compaction every tooth is walked, so that calls are limited.
const MAX_COMPACTED_CALLS: u64 = 10_000_000;

/// Whether iterations share a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Regime {
    /// One session that grows over all iterations.
    Stateful,
    /// A fresh session for each iteration, which reads its state from disk.
    Stateless,
}

impl Regime {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Stateful, Self::Stateless];

    /// Its name in JSON, flags and tables.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Stateful => "stateful",
            Self::Stateless => "stateless",
        }
    }
}

/// What the prompt cache does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Caching {
    /// Nothing: every call pays its whole input.
    None,
    /// It never expires within a launch.
    Warm,
    /// It expires once before each iteration, as it does when the check between takes longer than the cache lives.
    Expiry,
}

impl Caching {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Warm, Self::Expiry];

    /// Its name in JSON.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::None => "no_cache",
            Self::Warm => "warm_cache",
            Self::Expiry => "cache_expiry",
        }
    }

    /// Its name for people.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::None => "no cache",
            Self::Warm => "warm cache",
            Self::Expiry => "cache expiry",
        }
    }
}

/// A summary takes the place of the session where that has grown too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Compaction {
    /// No call has more context than this; in its place the session is compacted.
    pub at: u64,
    /// The context of the first call after it.
    pub to: u64,
}

/// Sub-agents: sessions of their own, whose tokens are summed; their parent grows only by what they return.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Children {
    /// How many an iteration starts.
    pub count: u64,
    /// Calls of each.
    pub calls: u64,
    /// Fixed prefix of each.
    pub prefix: u64,
    /// Tokens that a call of theirs appends, its output included.
    pub appended: u64,
    /// Output of a call of theirs.
    pub output: u64,
    /// Tokens that each returns to its parent.
    pub returned: u64,
}

/// A launch, in tokens and calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// S: the fixed prefix of a session (system prompt, tools, instructions).
    pub prefix: u64,
    /// a: tokens that a call appends, its own output included.
    pub appended: u64,
    /// o: output of a call.
    pub output: u64,
    /// F: state on disk that a fresh session reads.
    pub disk_state: u64,
    /// m: calls of an iteration that do the work.
    pub work_calls: u64,
    /// e: calls that a fresh session needs on top to find its way.
    pub reorient_calls: u64,
    /// When the session is compacted, if ever.
    pub compaction: Option<Compaction>,
    /// Sub-agents.
    pub children: Option<Children>,
}

/// A launch that cannot be, or that nobody means.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShapeError {
    /// A number out of its range.
    #[error("{what} is {value}: it takes a whole number from {least} to {most}")]
    Range {
        /// Which number, by its flag.
        what: &'static str,
        /// The value.
        value: u64,
        /// The least that it takes.
        least: u64,
        /// The most that it takes.
        most: u64,
    },
    /// All numbers are possible, together they are not.
    #[error("this launch would read more than 9e15 tokens: check --iterations, --calls-per-iteration and --work-tokens")]
    TooMuch,
    /// The compaction never ends or never begins.
    #[error("--compact-at {at} must be above --compact-to {to} and at least the {start} tokens that a session begins with")]
    Compaction {
        /// Where it is compacted.
        at: u64,
        /// To what.
        to: u64,
        /// What the session begins with.
        start: u64,
    },
    /// Too many calls to walk.
    #[error("with compaction at most {MAX_COMPACTED_CALLS} calls are walked: check --iterations and --calls-per-iteration")]
    TooLong,
}

impl Shape {
    /// What a session begins with.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.prefix.saturating_add(self.disk_state)
    }

    /// Calls of an iteration in a regime.
    #[must_use]
    pub fn calls(&self, regime: Regime) -> u64 {
        match regime {
            Regime::Stateful => self.work_calls,
            Regime::Stateless => self.work_calls.saturating_add(self.reorient_calls),
        }
    }

    /// Checks that `iterations` of it can be added up without an overflow and without losing a digit.
    ///
    /// # Errors
    /// Which number is wrong, and what it takes.
    pub fn check(&self, iterations: u64) -> Result<(), ShapeError> {
        range("--iterations", iterations, 1, MAX_ITERATIONS)?;
        range("--state-tokens", self.prefix, 0, MAX_TOKENS)?;
        range("--work-tokens", self.appended, 0, MAX_TOKENS)?;
        range("--output-tokens", self.output, 0, MAX_TOKENS)?;
        range("--disk-state", self.disk_state, 0, MAX_TOKENS)?;
        range("--calls-per-iteration", self.work_calls, 1, MAX_CALLS)?;
        range("--reorient-calls", self.reorient_calls, 0, MAX_CALLS)?;
        let mut most = closed::most(self, iterations);
        if let Some(c) = &self.children {
            range("--subagents", c.count, 0, MAX_CALLS)?;
            range("--subagent-calls", c.calls, 1, MAX_CALLS)?;
            range("--subagent-state", c.prefix, 0, MAX_TOKENS)?;
            range("--subagent-tokens", c.appended, 0, MAX_TOKENS)?;
            range("--subagent-output", c.output, 0, MAX_TOKENS)?;
            range("--subagent-returns", c.returned, 0, MAX_TOKENS)?;
            most = most.saturating_add(closed::most_of_children(self, c, iterations));
        }
        if let Some(c) = self.compaction {
            range("--compact-at", c.at, 1, MAX_TOKENS)?;
            range("--compact-to", c.to, 0, MAX_TOKENS)?;
            if c.to >= c.at || c.at < self.start() {
                return Err(ShapeError::Compaction { at: c.at, to: c.to, start: self.start() });
            }
            let calls = u128::from(iterations) * u128::from(self.calls(Regime::Stateless));
            if calls > u128::from(MAX_COMPACTED_CALLS) {
                return Err(ShapeError::TooLong);
            }
            // A summary a call at the most.
            most = most.saturating_add(calls * 2 * (u128::from(c.at) + u128::from(self.appended)));
        }
        if most > u128::from(MAX_TOTAL) { Err(ShapeError::TooMuch) } else { Ok(()) }
    }
}

fn range(what: &'static str, value: u64, least: u64, most: u64) -> Result<(), ShapeError> {
    if (least..=most).contains(&value) { Ok(()) } else { Err(ShapeError::Range { what, value, least, most }) }
}
