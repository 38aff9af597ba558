//! Points in time, as logs write them.

use chrono::{DateTime, NaiveDateTime, SecondsFormat, TimeZone, Utc};
use serde::{Serialize, Serializer};
use std::fmt;

/// Milliseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

/// The years in which a log's time is believed: 2001-09-09 to 2100. A time outside is as good as none.
const PLAUSIBLE: std::ops::Range<i64> = 1_000_000_000_000..4_102_444_800_000;

impl Time {
    /// Reads a number whose unit nobody wrote down: below 1e11 seconds, below 1e14 milliseconds, below 1e17
    /// microseconds, else nanoseconds. `None` for what is no time of this century.
    #[must_use]
    pub fn from_number(n: f64) -> Option<Self> {
        if !n.is_finite() || n <= 0.0 {
            return None;
        }
        let ms = if n < 1e11 {
            n * 1e3
        } else if n < 1e14 {
            n
        } else if n < 1e17 {
            n / 1e3
        } else {
            n / 1e6
        };
        #[expect(clippy::cast_possible_truncation, reason = "checked against the plausible range just below")]
        Self::plausible(ms.round() as i64)
    }

    /// Reads RFC 3339, the same without a zone (taken as UTC), or a number in text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Ok(t) = DateTime::parse_from_rfc3339(text) {
            return Self::plausible(t.timestamp_millis());
        }
        if let Ok(n) = text.parse::<f64>() {
            return Self::from_number(n);
        }
        for form in ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f"] {
            if let Ok(t) = NaiveDateTime::parse_from_str(text.trim_end_matches('Z'), form) {
                return Self::plausible(t.and_utc().timestamp_millis());
            }
        }
        // `date` with an offset but without the colon, and with a blank: 2026-11-29 07:12:03 +0100
        for form in ["%Y-%m-%dT%H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S%.f %z"] {
            if let Ok(t) = DateTime::parse_from_str(text, form) {
                return Self::plausible(t.timestamp_millis());
            }
        }
        None
    }

    /// The time, where it is one that is believed.
    pub(crate) fn plausible(ms: i64) -> Option<Self> {
        PLAUSIBLE.contains(&ms).then_some(Self(ms))
    }

    /// The machine's clock.
    #[must_use]
    pub fn now() -> Self {
        Self(Utc::now().timestamp_millis())
    }

    /// Seconds from `earlier` to `self`; negative where the clock went back.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a span of logs is far below 2^52 ms")]
    pub fn seconds_since(self, earlier: Self) -> f64 {
        self.0.saturating_sub(earlier.0) as f64 / 1e3
    }

    /// RFC 3339 in UTC, with milliseconds only where there are any.
    #[must_use]
    pub fn rfc3339(self) -> String {
        let form = if self.0 % 1000 == 0 { SecondsFormat::Secs } else { SecondsFormat::Millis };
        match Utc.timestamp_millis_opt(self.0).single() {
            Some(t) => t.to_rfc3339_opts(form, true),
            None => self.0.to_string(),
        }
    }

    /// `2026-11-29 03:12:44` in the zone that the reader asked for.
    #[must_use]
    pub fn local(self, zone: chrono_tz::Tz) -> String {
        match Utc.timestamp_millis_opt(self.0).single() {
            Some(t) => t.with_timezone(&zone).format("%Y-%m-%d %H:%M:%S").to_string(),
            None => self.0.to_string(),
        }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rfc3339())
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(&self.rfc3339())
    }
}

/// A span in words a person reads at a glance: `42s`, `31m`, `2h 05m`, `3d 04h`.
#[must_use]
pub fn span(seconds: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float to integer casts saturate")]
    let s = seconds.max(0.0).round() as u64;
    match s {
        0..120 => format!("{s}s"),
        120..7_200 => format!("{}m", s / 60),
        7_200..172_800 => format!("{}h {:02}m", s / 3_600, s % 3_600 / 60),
        _ => format!("{}d {:02}h", s / 86_400, s % 86_400 / 3_600),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_instant_in_every_spelling() {
        let t = Some(Time(1_730_000_000_000));
        for n in [1_730_000_000.0, 1_730_000_000_000.0, 1_730_000_000_000_000.0, 1.73e18] {
            assert_eq!(Time::from_number(n), t, "{n}");
        }
        for s in [
            "2024-10-27T03:33:20Z",
            "2024-10-27T04:33:20+01:00",
            "2024-10-27T03:33:20",
            "2024-10-27 03:33:20",
            "1730000000",
            "2024-10-27T04:33:20+0100",
        ] {
            assert_eq!(Time::parse(s), t, "{s}");
        }
    }

    #[test]
    fn nonsense_is_no_time() {
        for n in [0.0, -5.0, f64::NAN, f64::INFINITY, 12.0, 1e30] {
            assert_eq!(Time::from_number(n), None, "{n}");
        }
        assert_eq!(Time::parse("yesterday"), None);
    }

    #[test]
    fn spans_read_well() {
        assert_eq!([span(0.4), span(119.0), span(125.0), span(7_500.0), span(187_200.0)], ["0s", "119s", "2m", "2h 05m", "2d 04h"]);
    }
}
