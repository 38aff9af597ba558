//! Points in time as people give them: one parser for all arguments.

use crate::trace::Time;
use chrono::{NaiveDate, NaiveDateTime, TimeZone};
use chrono_tz::Tz;

/// What [`When::parse`] takes, for help texts.
pub const WHEN: &str = "2026-11-22 or 2026-11-22T08:00 (in the zone of --tz), the same with Z or an offset, Unix seconds, \
                        or a span back (7d, 36h)";

/// The longest span back, in milliseconds: a hundred years.
const MOST: i64 = 36_525 * 86_400_000;

/// A point in time, or a span back to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// So many milliseconds before.
    Ago(i64),
    /// At a time.
    At(Time),
}

impl When {
    /// Reads what [`WHEN`] says. A day is its first moment in `zone`.
    ///
    /// # Errors
    /// What the text is not.
    pub fn parse(text: &str, zone: Tz) -> Result<Self, String> {
        let text = text.trim();
        if text.contains(|c: char| c.is_ascii_alphabetic())
            && let Ok(ago) = humantime::parse_duration(text)
        {
            return i64::try_from(ago.as_millis())
                .ok()
                .filter(|ms| *ms <= MOST)
                .map(Self::Ago)
                .ok_or_else(|| format!("`{text}` is too long"));
        }
        let naive = naive(text);
        let time = match naive {
            // The earlier of two where clocks were put back; none where they were put forward.
            Some(t) => zone.from_local_datetime(&t).earliest().and_then(|t| Time::plausible(t.timestamp_millis())),
            None => Time::parse(text),
        };
        time.map(Self::At).ok_or_else(|| format!("`{text}` is no time; write {WHEN}"))
    }

    /// The point in time, seen from `now`.
    #[must_use]
    pub fn from(self, now: Time) -> Time {
        match self {
            Self::Ago(ms) => Time(now.0.saturating_sub(ms)),
            Self::At(time) => time,
        }
    }
}

/// A day or a time without a zone.
fn naive(text: &str) -> Option<NaiveDateTime> {
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    let forms = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"];
    day().or_else(|| forms.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instant_in_every_spelling() {
        // 2026-11-22 00:00 UTC is 1795305600 (date -u -d 2026-11-22 +%s).
        let midnight = Ok(When::At(Time(1_795_305_600_000)));
        for text in [
            "2026-11-22",
            "2026-11-22T00:00",
            "2026-11-22 00:00:00",
            "2026-11-22T00:00:00Z",
            "2026-11-22T01:00:00+01:00",
            "2026-11-22 01:00:00 +0100",
            "1795305600",
            "1795305600000",
        ] {
            assert_eq!(When::parse(text, Tz::UTC), midnight, "{text}");
        }
        assert_eq!(When::parse("2026-11-22", Tz::Europe__Berlin), Ok(When::At(Time(1_795_302_000_000))));
        assert_eq!(When::parse("2026-11-22T00:00:00Z", Tz::Europe__Berlin), midnight);
        assert_eq!(When::parse("7d", Tz::UTC), Ok(When::Ago(7 * 86_400_000)));
        assert_eq!(When::parse("36h", Tz::UTC), Ok(When::Ago(36 * 3_600_000)));
        assert_eq!(When::Ago(7 * 86_400_000).from(Time(1_795_910_400_000)), Time(1_795_305_600_000));
    }

    #[test]
    fn nonsense_is_refused_with_what_is_taken() {
        for text in ["", "0", "7", "soon", "last week", "2026-13-01", "2026-11-22T25:00", "-1d", "1e30", "9999999999d", "0001-01-01"] {
            let said = When::parse(text, Tz::UTC);
            assert!(said.as_ref().is_err_and(|e| e.contains("7d, 36h") || e.contains("too long")), "{text}: {said:?}");
        }
        // In Berlin there was no such moment.
        assert!(When::parse("2026-03-29T02:30", Tz::Europe__Berlin).is_err());
    }
}
