//! Tokens out of cumulative counts that repeat, fall and are copied into forks.

use super::record::part;
use crate::format::json::{Loose, hash};
use crate::trace::{Builder, Tokens};
use serde::Deserialize;
use serde_json::value::RawValue;

/// One count. Newer records leave the word `tokens` out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Raw<'a> {
    #[serde(alias = "input")]
    input_tokens: Loose<'a>,
    #[serde(alias = "cached_input")]
    cached_input_tokens: Loose<'a>,
    #[serde(alias = "cache_write_input")]
    cache_write_input_tokens: Loose<'a>,
    #[serde(alias = "output")]
    output_tokens: Loose<'a>,
    #[serde(alias = "reasoning", alias = "reasoning_output")]
    reasoning_output_tokens: Loose<'a>,
}

/// A count as Codex means it: the input includes what the cache served, the output includes the reasoning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Count {
    input: u64,
    cached: u64,
    written: u64,
    output: u64,
    reasoning: Option<u64>,
}

impl Count {
    pub(super) fn read(raw: Option<&RawValue>) -> Option<Self> {
        let raw: Raw<'_> = part(raw);
        let (input, output) = (raw.input_tokens.count(), raw.output_tokens.count());
        (input.is_some() || output.is_some()).then(|| Self {
            input: input.unwrap_or(0),
            cached: raw.cached_input_tokens.count().unwrap_or(0),
            written: raw.cache_write_input_tokens.count().unwrap_or(0),
            output: output.unwrap_or(0),
            reasoning: raw.reasoning_output_tokens.count(),
        })
    }

    fn is_zero(&self) -> bool {
        self.input == 0 && self.output == 0
    }

    /// Whether two records tell of one response. One of them may not know its cache writes and its reasoning.
    fn is_same_response(&self, other: &Self) -> bool {
        (self.input, self.cached, self.output) == (other.input, other.cached, other.output)
    }

    /// What came on top of an earlier count; `None` where one of the classes fell.
    pub(super) fn since(&self, before: &Self) -> Option<Self> {
        Some(Self {
            input: self.input.checked_sub(before.input)?,
            cached: self.cached.checked_sub(before.cached)?,
            written: self.written.checked_sub(before.written)?,
            output: self.output.checked_sub(before.output)?,
            reasoning: match self.reasoning {
                Some(r) => Some(r.checked_sub(before.reasoning.unwrap_or(0))?),
                None => None,
            },
        })
    }

    /// The figures as they are kept between files.
    pub(super) fn figures(&self) -> [Option<u64>; 5] {
        [Some(self.input), Some(self.cached), Some(self.written), Some(self.output), self.reasoning]
    }

    /// Out of such figures.
    pub(super) fn of_figures([input, cached, written, output, reasoning]: [Option<u64>; 5]) -> Self {
        let n = Option::unwrap_or_default;
        Self { input: n(input), cached: n(cached), written: n(written), output: n(output), reasoning }
    }

    /// By billing class.
    pub(super) fn tokens(&self) -> Tokens {
        let cached = self.cached.min(self.input);
        let written = self.written.min(self.input - cached);
        Tokens {
            input_uncached: Some(self.input - cached - written),
            cache_read: Some(cached),
            cache_write_5m: (written > 0).then_some(written),
            cache_write_1h: None,
            output: Some(self.output),
            reasoning: self.reasoning,
        }
    }

    /// Whether a total is met for the first time in a lineage. Cache writes are left out: one of the two records that tell
    /// of a response does not know them.
    fn fresh(&self, root: &str, out: &mut Builder) -> bool {
        let Self { input, cached, output, reasoning, .. } = self;
        out.first_time(hash(format!("codex total\0{root}\0{input}\0{cached}\0{output}\0{}", reasoning.unwrap_or(0)).as_bytes()))
    }
}

#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Info<'a> {
    #[serde(borrow)]
    total_token_usage: Option<&'a RawValue>,
    #[serde(borrow)]
    last_token_usage: Option<&'a RawValue>,
}

/// `token_usage_record`
#[derive(Default, Deserialize)]
#[serde(default, bound(deserialize = "'de: 'a"))]
struct Response<'a> {
    response_id: Loose<'a>,
    #[serde(borrow)]
    usage: Option<&'a RawValue>,
    #[serde(borrow)]
    thread_token_usage: Option<&'a RawValue>,
}

/// The counts of one file.
#[derive(Default)]
pub(super) struct Counts {
    /// The newest total.
    total: Option<Count>,
    /// Usage is recorded per response: the cumulative counts beside it tell the same.
    by_response: bool,
    /// What the newest count booked, while no response has told of its own usage.
    counted: Option<Count>,
}

impl Counts {
    /// The tokens of the call that a `token_count` tells of, if it tells of one that is not booked yet. `root` names what
    /// copies and forks share.
    pub(super) fn count(&mut self, info: Option<&RawValue>, root: &str, out: &mut Builder) -> Option<Tokens> {
        let info: Info<'_> = part(info);
        let last = Count::read(info.last_token_usage);
        let Some(total) = Count::read(info.total_token_usage) else {
            self.counted = last.filter(|l| !l.is_zero() && !self.by_response);
            return self.counted.map(|l| l.tokens());
        };
        let before = self.total.replace(total);
        if !total.fresh(root, out) || self.by_response {
            return None;
        }
        // A total that falls began anew, and before the first one there may be calls that another file tells of.
        let delta = before.and_then(|b| total.since(&b)).or(last).unwrap_or(total);
        self.counted = Some(delta);
        (!delta.is_zero()).then(|| delta.tokens())
    }

    /// The tokens of a recorded response, if they are not booked yet.
    pub(super) fn response(&mut self, payload: Option<&RawValue>, root: &str, out: &mut Builder) -> Option<Tokens> {
        let response: Response<'_> = part(payload);
        let usage = Count::read(response.usage)?;
        self.by_response = true;
        let counted = self.counted.take();
        let total = Count::read(response.thread_token_usage);
        self.total = total.or(self.total);
        let id = super::record::text(&response.response_id);
        let first = id.is_empty() || out.first_time(hash(format!("codex response\0{id}").as_bytes()));
        // The count of the same response may stand before it. Where the record does not name the thread's total, the
        // response itself tells.
        let fresh = total.map_or(counted.is_none_or(|c| !c.is_same_response(&usage)), |t| t.fresh(root, out));
        (first && fresh && !usage.is_zero()).then(|| usage.tokens())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(total: [u64; 4], last: [u64; 4]) -> Box<RawValue> {
        let count = |c: [u64; 4]| serde_json::json!({"input_tokens": c[0], "cached_input_tokens": c[1], "output_tokens": c[2], "reasoning_output_tokens": c[3]});
        serde_json::value::to_raw_value(&serde_json::json!({"total_token_usage": count(total), "last_token_usage": count(last)})).unwrap()
    }

    fn classes(tokens: Option<Tokens>) -> Option<[u64; 4]> {
        tokens.map(|t| [t.input_uncached, t.cache_read, t.output, t.reasoning].map(Option::unwrap_or_default))
    }

    #[test]
    fn repeats_are_no_calls_and_a_fall_begins_anew() {
        let (mut out, mut counts) = (Builder::new(), Counts::default());
        let mut next = |total, last| classes(counts.count(Some(&info(total, last)), "a", &mut out));
        assert_eq!(next([100, 60, 10, 4], [100, 60, 10, 4]), Some([40, 60, 10, 4]));
        assert_eq!(next([100, 60, 10, 4], [100, 60, 10, 4]), None);
        assert_eq!(next([250, 160, 30, 4], [150, 100, 20, 0]), Some([50, 100, 20, 0]));
        assert_eq!(next([70, 20, 5, 1], [70, 20, 5, 1]), Some([50, 20, 5, 1]));
    }

    #[test]
    fn a_fork_goes_on_from_the_copied_total() {
        let mut out = Builder::new();
        let first = info([100, 0, 10, 0], [100, 0, 10, 0]);
        assert!(Counts::default().count(Some(&first), "a", &mut out).is_some());
        let mut fork = Counts::default();
        assert_eq!(fork.count(Some(&first), "a", &mut out), None);
        assert_eq!(classes(fork.count(Some(&info([130, 20, 12, 0], [30, 20, 2, 0])), "a", &mut out)), Some([10, 20, 2, 0]));
        // Another session that happens to count the same is another session.
        assert!(Counts::default().count(Some(&first), "b", &mut out).is_some());
    }

    #[test]
    fn a_file_that_begins_in_the_middle_counts_its_own_calls() {
        let (mut out, mut counts) = (Builder::new(), Counts::default());
        assert_eq!(classes(counts.count(Some(&info([900, 0, 90, 0], [100, 40, 9, 0])), "a", &mut out)), Some([60, 40, 9, 0]));
        assert_eq!(counts.count(None, "a", &mut out), None);
    }

    #[test]
    fn a_response_and_its_count_are_one_whichever_stands_first() {
        let record = |id: &str| {
            let usage = serde_json::json!({"input": 100, "cached_input": 20, "cache_write_input": 30, "output": 10, "reasoning": 0});
            serde_json::value::to_raw_value(&serde_json::json!({"response_id": id, "usage": usage, "thread_token_usage": usage})).unwrap()
        };
        let count = info([100, 20, 10, 0], [100, 20, 10, 0]);
        let (mut out, mut counts) = (Builder::new(), Counts::default());
        let booked = counts.response(Some(&record("r")), "a", &mut out).unwrap();
        assert_eq!((booked.input_uncached, booked.cache_read, booked.cache_write_5m), (Some(50), Some(20), Some(30)));
        assert_eq!(counts.count(Some(&count), "a", &mut out), None);
        let (mut out, mut counts) = (Builder::new(), Counts::default());
        assert!(counts.count(Some(&count), "a", &mut out).is_some());
        assert_eq!(counts.response(Some(&record("r")), "a", &mut out), None);
    }
}
